// answers.test.mjs - the extension in DuckDB: test/sql/answers.tsv, tables, lists, files, errors, and docs/duckdb.md.
import assert from 'node:assert';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const { DuckDBInstance } = createRequire(new URL('../table/package.json', import.meta.url))('@duckdb/node-api');
const root = fileURLToPath(new URL('../..', import.meta.url));
const sample = join(root, 'examples/famous.pgn');
let folder, db;

async function connect(...statements) {
    const connection = await (await DuckDBInstance.create(':memory:', { allow_unsigned_extensions: 'true' })).connect();
    await connection.run(`LOAD '${process.env.EXTENSION}'`);
    for (const statement of statements) await connection.run(statement);
    return connection;
}

before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tabiya-duckdb-'));
    db = await connect(`CREATE TABLE games AS SELECT number AS id, tags, game, result FROM read_pgn('${sample}')`);
});
after(() => rmSync(folder, { recursive: true }));

const rows = async (sql) => (await db.runAndReadAll(sql)).getRowsJson();
const one = async (sql) => (await rows(sql))[0][0];
const error = async (sql) => rows(sql).then((answer) => assert.fail(`${sql}: ${JSON.stringify(answer)}`), (e) => e.message);

test('answers.tsv', async () => {
    let passed = 0;
    const wrong = [];
    for (const line of readFileSync(join(root, 'test/sql/answers.tsv'), 'utf8').split('\n')) {
        if (!line.includes('\t') || line.startsWith('#')) continue;
        const [written, expected] = line.split('\t');
        // Optional arguments of table functions are named.
        const expression = written.replace(/FROM (moves|positions)\(('[^']*'|NULL), /, 'FROM $1($2, record := ');
        const part = expected.startsWith('error: ') ? expected.slice(7) : null;
        let answer;
        try {
            answer = await one(`SELECT CAST(${expression} AS VARCHAR)`);
            answer = answer === null ? 'NULL' : answer.replace(/\n+$/, '');
        } catch (e) {
            answer = part !== null && e.message.includes(part) ? expected : `error: ${e.message}`;
        }
        if (answer === expected) passed++;
        else wrong.push(`${expression}\n    expected ${expected}\n    answered ${answer}`);
    }
    console.log(`${passed} passed, ${wrong.length} failed`);
    assert.deepEqual(wrong, []);
    assert.ok(passed > 700);
});

test('every function of SQLite is here', async () => {
    const sqlite = execFileSync('sqlite3', [':memory:', `.load '${process.env.SQLITE_EXTENSION}'`,
        'SELECT DISTINCT lower(name) FROM pragma_function_list ORDER BY 1'], { encoding: 'utf8' }).trim().split('\n');
    const bare = execFileSync('sqlite3', [':memory:', 'SELECT DISTINCT lower(name) FROM pragma_function_list'],
        { encoding: 'utf8' }).trim().split('\n');
    const here = new Set((await rows('SELECT DISTINCT lower(function_name) FROM duckdb_functions()')).map(([name]) => name));
    assert.deepEqual(sqlite.filter((name) => !bare.includes(name) && !here.has(name)), []);
});

test('a column of games: values, lists and tables agree', async () => {
    assert.equal(await one('SELECT count(*) FROM games'), '58');
    assert.equal(await one('SELECT sum(plyCount(game)) FROM games'), '3379');
    assert.equal(await one('SELECT sum(len(moves(game))) FROM games'), '3379');
    assert.equal(await one('SELECT sum(len(positions(game))) FROM games'), String(3379 + 58));
    const wrong = await one(`SELECT count(*) FROM (SELECT id, game, unnest(positions(game), recursive := true) FROM games)
        WHERE position_key <> positionKey(fen) OR placement_key <> placementKey(board) OR toFen(board) <> fen`);
    assert.equal(wrong, '0');
    const lines = await one(`SELECT count(*) FROM games WHERE
        toSan(game) <> toSan(list_aggregate(list_transform(moves(game), m -> m.san), 'string_agg', ' ') || ' ' || result)`);
    assert.equal(lines, '0');
    const [[, moves]] = await rows('SELECT id, toSan(game) FROM games WHERE id = 10');
    assert.equal(await one(`SELECT string_agg(uci, ' ') FROM moves('${moves.replaceAll("'", "''")}')`),
        await one('SELECT toUci(game) FROM games WHERE id = 10'));
});

test('more rows than a chunk has, and NULL among them', async () => {
    const query = `SELECT count(*), count(g), sum(plyCount(g)), count(moves(g)), sum(len(moves(g))), count(getEco(g))
        FROM (SELECT CASE WHEN i % 3 > 0 THEN '1. e4 c5 ' || repeat('Nf3 Nf6 Ng1 Ng8 ', i % 5) END AS g FROM range(10000) r(i))`;
    const plies = Array.from({ length: 10000 }, (_, i) => i).filter((i) => i % 3).reduce((sum, i) => sum + 2 + 4 * (i % 5), 0);
    assert.deepEqual(await rows(query), [['10000', '6666', String(plies), '6666', String(plies), '6666']]);
    assert.equal(await one("SELECT count(*) FROM range(100000) r(i) WHERE hasOpening('1. e4 c5', CASE WHEN i % 2 = 0 THEN '1. e4' ELSE '1. d4' END)"), '50000');
});

test('every game of a file with more than a chunk', async () => {
    const games = join(root, 'examples/selfplay.pgn');
    assert.deepEqual(await rows(`SELECT count(*), max(number), count(game) FROM read_pgn('${games}')`), [['2997', '2997', '2997']]);
});

test('queries', async () => {
    const [[first, second]] = await rows(`SELECT list(id ORDER BY id), list(matchPly(game, 'mate') ORDER BY id) FROM games
        WHERE matches(game, 'mate') AND tags LIKE '%Morphy%'`);
    assert.deepEqual([first, second], [['8', '10'], ['46', '33']]);
    assert.match(await error("SELECT matches(game, 'mate (') FROM games"), /query, column \d+/);
});

test('PGN: bad games are rows, files are read as the program does', async () => {
    const text = '[White "Ada"]\n\n1. e4 {good} e5 1-0\n\n[White "M\\"üller"]\n\n1. e4 c5 2. Ke3 *\n';
    const path = join(folder, 'bad.pgn');
    writeFileSync(path, text);
    execFileSync('gzip', ['-k', path]);
    for (const source of [`'${path}'`, `'${path}.gz'`, `'${text}'`, `['${path}']`]) {
        const answer = await rows(`SELECT number, white, toSan(game), result, error IS NULL FROM read_pgn(${source})`);
        assert.deepEqual(answer, [['1', 'Ada', '1. e4 e5 1-0', '1-0', true], ['2', 'M"üller', '1. e4 c5 *', '*', false]]);
    }
    assert.equal(await one(`SELECT count(*) FROM read_pgn(['${path}', '${sample}', '${path}.gz'])`), '62');
    assert.deepEqual(await rows(`SELECT file, count(*) FROM read_pgn(['${path}', '${path}.gz']) GROUP BY 1 ORDER BY 1`),
        [[path, '2'], [`${path}.gz`, '2']]);
    assert.equal(await one(`SELECT count(*) FROM '${path}.gz'`), '2');
    assert.match(await one(`SELECT pgn FROM '${path}' LIMIT 1`), /1\. e4 \{good\} 1\.\.\. e5 1-0/);
    assert.match(await error("SELECT * FROM read_pgn('nowhere.pgn')"), /nowhere\.pgn: cannot be opened/);
    assert.match(await error("SELECT * FROM read_pgn(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'])"), /too many arguments/);
    assert.match(await error("SELECT * FROM read_pgn([])"), /too few arguments/);
    writeFileSync(join(folder, 'latin.pgn'), Buffer.from('[White "M\xfcller"]\n\n1. e4 {caf\xe9} Ke\xff *\n', 'latin1'));
    const [[white, pgn, fault]] = await rows(`SELECT tags->>'White', pgn, error FROM '${join(folder, 'latin.pgn')}'`);
    assert.equal(white, 'Müller');
    assert.match(pgn, /\{café\}/);
    assert.match(fault, /"Ke\?"/);
});

test('notes of a whole game', async () => {
    const record = "toCmbr('1. e4 {[%clk 0:01:00] [%eval 0.25] good} e5 $6 *')";
    assert.deepEqual(await rows(`SELECT m.san, m.comment, m.clock FROM (SELECT unnest(moves('1. e4 e5', ${record})) AS m)`),
        [['e4', null, null], ['e5', null, null]]); // a chessgame alone has only moves
    assert.match(await error("SELECT moves('1. e4', 'abc'::BLOB)"), /annotated: /);
});

test('what is not a value is an error, wherever it is', async () => {
    for (const name of ['plyCount', 'moves', 'positions', 'toSan', 'getBoard', 'isCheck', 'legal_moves'])
        for (const value of ["'x'::BLOB", "''::BLOB", "'no game at all'", `'\\xFF\\xFF\\xFF\\xFF'::BLOB`])
            assert.ok(await error(`SELECT ${name}(${value})`), name);
    assert.match(await error("SELECT plyCount(chessboard('4k3/8/8/8/8/8/8/4K3 w - - 0 1'))"), /a game is expected here/);
    assert.match(await error("SELECT * FROM moves('1. e5')"), /illegal move/);
    assert.match(await error('SELECT plyCount(1)'), /./);
    assert.equal(await one('SELECT 1'), 1);
});

// Whatever the arguments are, a function returns a value or an error.
test('hostile values', async () => {
    const all = 'SELECT function_name, parameter_types FROM duckdb_functions() WHERE function_type = \'scalar\'';
    const bare = await (await DuckDBInstance.create(':memory:')).connect();
    const before = new Set((await bare.runAndReadAll(all)).getRowsJson().map(String));
    const ours = (await rows(all)).filter((row) => !before.has(String(row)));
    assert.ok(ours.length > 150);
    await db.run(`CREATE TABLE hostile (n INTEGER, text VARCHAR, number BIGINT, bytes BLOB)`);
    let seed = 1;
    const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
    const good = Buffer.from(await one("SELECT hex(chessgame('1. e4 e5 2. Nf3 Nc6 3. Bb5 1-0'))"), 'hex');
    const board = Buffer.from(await one("SELECT hex(chessboard('4k3/8/8/8/8/8/4P3/4K3 w - - 0 1'))"), 'hex');
    for (let i = 0; i < 200; i++) {
        const bytes = Buffer.from([good, board, Buffer.alloc(random(80), random(256))][i % 3]);
        for (let k = random(4); k > 0 && bytes.length; k--) bytes[random(bytes.length)] = random(256);
        const cut = bytes.subarray(0, random(4) ? bytes.length : random(bytes.length + 1));
        const text = ['', '1. e4', '1. e4 e5 2. Ke3', '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1', 'mate', '{"a":[', 'é', 'x'.repeat(random(999))][i % 8];
        const number = [0, -1, 1, '9223372036854775807', '-9223372036854775808'][i % 5];
        await db.run(`INSERT INTO hostile VALUES (${i}, '${text}', ${number}, unhex('${cut.toString('hex')}'))`);
    }
    const columns = { VARCHAR: 'text', BIGINT: 'number', BLOB: 'bytes' };
    for (const [name, types] of ours) {
        const call = `CAST(${name}(${types.map((type) => columns[type]).join(', ')}) AS VARCHAR)`;
        // TRY turns an error into NULL, so one query has all values; some are asked for one by one, to see the errors.
        assert.equal(await one(`SELECT count(coalesce(TRY(${call}), '')) FROM hostile`), '200');
        for (let i = 0; i < 200; i += 7)
            await rows(`SELECT ${call} FROM hostile WHERE n = ${i}`).catch((e) => assert.ok(e.message.length > 10, call));
    }
    assert.equal(await one('SELECT count(*) FROM hostile'), '200');
});

test('threads, and two databases in one process', async () => {
    const other = await connect('SET threads = 4', `CREATE TABLE g AS SELECT game FROM read_pgn('${sample}'), range(60)`);
    const ask = (c) => c.runAndReadAll("SELECT sum(plyCount(game)), sum(len(moves(game))), count(*) FILTER (matches(game, 'mate')) FROM g");
    const [a, b] = await Promise.all([ask(other), ask(other)]);
    assert.deepEqual(a.getRowsJson(), b.getRowsJson());
    assert.equal(a.getRowsJson()[0][0], String(60 * 3379));
});

// A block of SQL in the page, and the block of text after it with its rows.
test('docs/duckdb.md', async () => {
    const page = readFileSync(join(root, 'docs/duckdb.md'), 'utf8');
    const shop = await connect();
    let n = 0;
    process.chdir(root);
    for (const [, sql, , expected] of page.matchAll(/```sql\n([^`]*)```\n(\n```text\n([^`]*)```)?/g)) {
        if (sql.includes('LOAD ')) continue;
        let answer;
        for (const statement of sql.split(/;\s*$/m).filter((s) => s.trim())) answer = await shop.runAndReadAll(statement);
        if (expected === undefined) continue;
        assert.equal(answer.getRowsJson().map((row) => row.join('|')).join('\n') + '\n', expected, sql);
        n++;
    }
    assert.ok(n >= 5);
});
