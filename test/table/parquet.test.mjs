// parquet.test.mjs - DuckDB reads the same from our Parquet files as from our CSV, row by row, and as many rows as
// `tabiya check` counts.
import assert from 'node:assert';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';

const tabiya = (...args) => execFileSync(process.env.TABIYA, args, { encoding: 'utf8', maxBuffer: 1 << 30 });
const samples = ['examples/famous.pgn', 'examples/selfplay.pgn'];
let folder, db;

before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tabiya-table-'));
    db = await (await DuckDBInstance.create(':memory:')).connect();
    writeFileSync(join(folder, 'notes.pgn'), notes());
});
after(() => rmSync(folder, { recursive: true }));

// Games with every kind of note, and texts that CSV must quote; enough for more than one row group.
function notes() {
    let text = '';
    for (let i = 0; i < 3000; i++) {
        text += `[Event "say ""hi"", ${i}"]\n[White "Müller, ${i % 7}"]\n[WhiteElo "${i % 5 ? 1500 + i : '?'}"]\n`
            .replaceAll('""', '\\"');
        text += `[TimeControl "180+2"]\n[Result "${['1-0', '0-1', '1/2-1/2', '*'][i % 4]}"]\n\n`;
        text += `1. e4 {[%eval 0.${i % 90 + 10}] [%clk 0:03:00]} e5 $1 {[%clk 0:03:00] a word, ${i}} `;
        text += `2. Nf3 {[%eval #${i % 9 + 1}] [%clk 0:02:${i % 50 + 10}]} (2. f4 {not this}) Nc6 {[%clk 0:02:59.5]} `;
        text += `${['1-0', '0-1', '1/2-1/2', '*'][i % 4]}\n\n`;
    }
    return text;
}

const rows = async (sql) => (await db.runAndReadAll(sql)).getRows();
const one = async (sql) => (await rows(sql))[0];

// Writes both files of the same table; returns the path of the Parquet file.
function write(name, files, ...options) {
    const path = join(folder, name);
    tabiya('rows', ...options, ...files, '-o', `${path}.parquet`);
    tabiya('rows', ...options, ...files, '-o', `${path}.csv`);
    return path;
}

// The rows of both have the same hashes, equally often.
async function expectSame(path) {
    const about = await rows(`describe select * from '${path}.parquet'`);
    const types = about.map(([name, type]) => `'${name}': '${type === 'BLOB' ? 'VARCHAR' : type}'`).join(', ');
    const values = about.map(([name, type]) => (type === 'BLOB' ? `unhex("${name}")` : `"${name}"`)).join(', ');
    const names = about.map(([name]) => `"${name}"`).join(', ');
    const sums = (columns, from) => one(`select count(*), sum(hash(${columns})), bit_xor(hash(1, ${columns})) from ${from}`);
    const csv = `read_csv('${path}.csv', header = true, quote = '"', escape = '"', columns = {${types}})`;
    const read = await sums(names, `'${path}.parquet'`);
    assert.deepEqual(read, await sums(values, csv));
    return read[0];
}

test('positions, with every column, in many row groups', async () => {
    const columns = 'game,ply,fen,board,key,placement_key,side,san,uci,next_san,next_uci,White,result,score,plies,eco,opening';
    const path = write('positions', samples, '--positions', '--columns', columns);
    const counted = JSON.parse(tabiya('check', '--json', ...samples));
    assert.equal(await expectSame(path), BigInt(counted.games + counted.plies));
    const groups = await one(`select count(distinct row_group_id) from parquet_metadata('${path}.parquet')`);
    assert.ok(groups[0] > 1n);
});

test('keys are those of the positions, as another command prints them', async () => {
    const path = write('keys', [samples[0]], '--positions', '--columns', 'key,fen');
    const sample = await rows(`select fen, key::varchar from '${path}.parquet' using sample 25 rows (reservoir, 1)`);
    for (const [fen, key] of sample) {
        const status = JSON.parse(tabiya('status', '--json', fen));
        assert.equal(BigInt('0x' + status.keys.position), BigInt(key), fen);
    }
});

test('moves with notes: numbers, empty values, quoted text', async () => {
    const columns = 'game,ply,san,clock,spent,eval,mate,nags,comment,Event,White,white_elo,mover_elo,TimeControl';
    const path = write('notes', [join(folder, 'notes.pgn')], '--moves', '--columns', columns);
    assert.equal(await expectSame(path), 12000n);
    const counts = await one(`select count(eval), count(mate), count(clock), count(spent), count(nags), count(comment),
        count(white_elo), sum(eval), sum(mate), sum(spent), count(distinct Event) from '${path}.parquet'`);
    let evals = 0, mates = 0, spent = 0, elos = 0;
    for (let i = 0; i < 3000; i++) {
        evals += i % 90 + 10;
        mates += i % 9 + 1;
        spent += 180 + 2 - (120 + i % 50 + 10) + 2.5;
        elos += i % 5 ? 4 : 0;
    }
    assert.deepEqual(counts.map(Number), [3000, 3000, 12000, 6000, 3000, 3000, elos, evals, mates, spent, 3000]);
});

test('games, and a table without rows', async () => {
    const path = write('games', samples, '--columns', 'game,White,Black,Date,Site,result,plies,moves,moves_uci,start_fen,final_fen,packed');
    assert.equal(await expectSame(path), 3055n);
    assert.deepEqual(await one(`select sum(plies)::bigint from '${path}.parquet'`), [271895n]);
    const none = write('none', [samples[0]], '--positions', '--skip-plies', '100000');
    assert.deepEqual(await one(`select count(*) from '${none}.parquet'`), [0n]);
});

test('what was left out is counted, and one thread writes what many do', async () => {
    const path = join(folder, 'chosen.parquet');
    const options = ['--positions', '--quiet', '--skip-plies', '10', '--every', '3', '--distinct', '--sample', '5000,7'];
    for (const threads of ['1', '2', '5']) {
        tabiya('rows', ...options, '--threads', threads, '--columns', 'game,ply,key', ...samples, '-o', path);
        const note = JSON.parse(execFileSync('cat', [`${path}.json`], { encoding: 'utf8' }));
        assert.equal(note.rows, 5000);
        assert.equal(note.rows + note.left_out, note.games + note.plies);
        const sums = await one(`select count(*), sum(key), count(distinct key), sum(ply), min(ply) >= 10 from '${path}'`);
        assert.equal(sums[2], 5000n);
        assert.equal(sums[4], true);
        globalThis.first ??= sums;
        assert.deepEqual(sums, globalThis.first);
    }
    const kept = await one(`select value from parquet_kv_metadata('${path}') where key = 'tabiya'`);
    assert.match(Buffer.from(kept[0].bytes ?? kept[0]).toString(), /"rows":5000/);
});
