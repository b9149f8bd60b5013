/*
 * published.test.mjs - the reader of published games gives the answers of the program, on servers of every kind, and never
 * a wrong one.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Lists, PublishedLists, openLists } from '../../web/published-lists.mjs';
import { PublishedError, openPublished } from '../../web/published.mjs';
import { serveFolder } from './published-server.mjs';
import { build, loadModule, root } from './support.mjs';

const program = join(build, 'tabiya');
const folder = mkdtempSync(join(tmpdir(), 'tabiya-published-'));
const database = join(folder, 'games.db');
const site = join(folder, 'site');
const run = (...args) => execFileSync(program, args, { encoding: 'utf8', maxBuffer: 1e9, stdio: ['ignore', 'pipe', 'ignore'] });
/** Also when no game is found, which is exit code 1. */
const lines = (...args) => { try { return run(...args); } catch (error) { return error.stdout; } };
const found = (...args) => lines('find', '--json', database, ...args).split('\n').filter(Boolean).map(JSON.parse);
let tabiya;
let server;

before(async () => {
  tabiya = await loadModule();
  tabiya.addOpenings(readFileSync(join(root, 'src/opening/openings.tsv'), 'utf8'));
  run('import', database, ...['famous', 'selfplay'].map((name) => join(root, `examples/${name}.pgn`)));
  run('publish', database, '-o', site);
  server = await serveFolder(site);
});
after(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const open = (address = server.address) => openLists(`${address}data/`, tabiya);
/** Positions of all kinds, the same each time: those of some games, and moves from there that nobody played. */
function* positions(n) {
  let random = 7;
  const next = (most) => { random = (random * 48271) % 2147483647; return random % most; };
  const games = [...tabiya.games(readFileSync(join(root, 'examples/famous.pgn')))].map(({ game }) => game.write('pgn')).concat([...tabiya.games(readFileSync(join(root, 'examples/selfplay.pgn')))].slice(0, 300).map(({ game }) => game.write('pgn')));
  for (let i = 0; i < n; i++) {
    const game = tabiya.game(games[next(games.length)]);
    const { line } = game.view(0);
    const board = game.position(line.length ? [0, ...line][next(i % 3 ? Math.min(line.length, 12) : line.length + 1)] : 0);
    const moves = board.moves();
    if (i % 5 === 4 && moves.length) board.play(moves[next(moves.length)].uci);
    yield board;
  }
}

test('the tables of positions are those of the program', async () => {
  const games = await open();
  const kinds = { none: 0, one: 0, some: 0, many: 0 };
  const boards = [...positions(240)];
  for (const board of boards) {
    const answer = await games.explore(board);
    assert.deepEqual(answer, JSON.parse(lines('explore', '--json', database, board.write())), board.write());
    kinds[['none', 'one'][answer.games] ?? (answer.games < 32 ? 'some' : 'many')]++;
  }
  for (const [kind, n] of Object.entries(kinds)) assert.ok(n > 5, `${n} positions with ${kind}`);
});

test('the games of a position are those of the program', async () => {
  const games = await open();
  for (const board of positions(40)) {
    const { games: list, total } = await games.find({ board, limit: 15 });
    assert.deepEqual(list, found('--fen', board.write(), '--limit', '15'));
    assert.equal(total, Number(lines('find', '--count', database, '--fen', board.write())));
  }
});

test('games in the orders of the page', async () => {
  const games = await open();
  for (const sort of ['id', '-date', '-elo']) {
    assert.deepEqual((await games.find({ sort, limit: 30, offset: 5 })).games, found('--sort', sort, '--limit', '30', '--offset', '5'), sort);
    const board = tabiya.board().read('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1');
    assert.deepEqual((await games.find({ board, sort, limit: 10 })).games, found('--fen', board.write(), '--sort', sort, '--limit', '10'), `${sort} of a position`);
    assert.deepEqual((await games.find({ board, sort, limit: 20, offset: 3 })).games, found('--fen', board.write(), '--sort', sort, '--limit', '20', '--offset', '3'), `${sort} of a position, later`);
  }
});

test('the games of players, events and opening codes', async () => {
  const games = await open();
  const all = found('--limit', '100000');
  for (const name of [...new Set(all.flatMap(({ white, black }) => [white, black]))].filter(Boolean))
    for (const sort of ['id', '-date'])
      assert.deepEqual((await games.find({ player: name, sort, limit: 1000 })).games, found('--player', `=${name}`, '--sort', sort, '--limit', '1000'), name);
  for (const eco of [...new Set(all.map((game) => game.eco))].filter(Boolean).slice(0, 40))
    assert.deepEqual((await games.find({ eco, limit: 50 })).games, found('--eco', eco, '--limit', '50'), eco);
  const { event } = all.find((game) => game.event && game.event !== '?');
  assert.deepEqual((await games.find({ event, limit: 50 })).games.map(({ id }) => id), all.filter((game) => game.event === event).map(({ id }) => id).slice(0, 50));
});

test('the small reader gives the same tables, the strongest games of a position, and lists of names', async () => {
  const games = await openPublished(`${server.address}data/`, tabiya);
  for (const board of positions(60)) {
    assert.deepEqual(await games.explore(board), JSON.parse(lines('explore', '--json', database, board.write())), board.write());
    assert.deepEqual((await games.find({ board, limit: 10 })).games, found('--fen', board.write(), '--sort', '-elo', '--limit', '10'));
  }
  const all = found('--limit', '100000');
  for (const name of [...new Set(all.map(({ white }) => white))].filter(Boolean).slice(0, 40))
    assert.deepEqual((await games.find({ player: name, limit: 1000 })).games, found('--player', `=${name}`, '--sort', '-date', '--limit', '1000'), name);
  for (const eco of [...new Set(all.map((game) => game.eco))].filter(Boolean).slice(0, 20)) assert.deepEqual((await games.find({ eco, limit: 30 })).games, found('--eco', eco, '--limit', '30'), eco);
  assert.deepEqual(await games.find({ event: 'none' }), { games: [], total: 0 });
  assert.deepEqual(await games.names('mor'), expectedNames('mor'));
  assert.ok(tabiya.game(await games.game(7)).equals(tabiya.game(lines('export', database, 'id 7'))));
  const plain = await serveFolder(site, { ranges: false });
  await assert.rejects((await openPublished(`${plain.address}data/`, tabiya)).explore(tabiya.board()), { kind: 'ranges' });
  await plain.close();
});

test('whole games, with tags and comments', async () => {
  const games = await open();
  for (const { id } of found('--limit', '60')) {
    const pgn = await games.game(id);
    assert.ok(tabiya.game(pgn).equals(tabiya.game(lines('export', database, `id ${id}`))), `game ${id}:\n${pgn}`);
  }
  await assert.rejects(games.game(99999999), { kind: 'missing' });
});

test('names are completed', async () => {
  const games = await open();
  for (const typed of ['morphy', 'mor', 'paul mor', 'kasp', 'anderssen adolf', 'xx', 'm'])
    assert.deepEqual((await games.names(typed, 10)).map(({ name, games: n }) => ({ name, games: n })),
      lines('names', '--json', database, typed).startsWith('{') || typed ? expectedNames(typed) : [], typed);
});
test('names that share a word are found in all chunks', async () => {
  const many = join(folder, 'many.pgn');
  const letters = (n) => [676, 26, 1].map((unit) => String.fromCharCode(97 + Math.floor(n / unit) % 26)).join('');
  writeFileSync(many, Array.from({ length: 3000 }, (_, i) => `[White "Nguyen, Very Long Name ${letters(i)}"]\n[Black "Zoe"]\n\n1. e4 *\n\n`).join(''));
  run('publish', many, '--data-only', '-o', join(folder, 'many'));
  const host = await serveFolder(join(folder, 'many'));
  const games = await open(host.address);
  assert.equal((await games.names('nguyen', Infinity)).length, 3000);
  for (const n of [0, 1234, 2999]) assert.equal((await games.find({ player: `Nguyen, Very Long Name ${letters(n)}` })).total, 1);
  await host.close();
});

test('names in other scripts, also those that begin alike', async () => {
  const [own, players] = [join(folder, 'scripts.pgn'), ['Иванов, Пётр', 'Иванова, Анна', 'Ивлев', '王皓', '王玥', 'Ångström', '𝔸bc', '\uE000x', 'ﬁne']];
  writeFileSync(own, players.map((name) => `[White "${name}"]\n[Black "B"]\n[Event "${name}"]\n\n1. e4 *\n\n`).join(''));
  run('publish', own, '--data-only', '-o', join(folder, 'scripts'));
  const host = await serveFolder(join(folder, 'scripts'));
  const games = await open(host.address);
  for (const name of players) assert.equal((await games.find({ event: name })).total, 1, name);
  for (const name of players.slice(0, 6)) assert.equal((await games.find({ player: name })).total, 1, name);
  assert.deepEqual((await games.names('иван')).map(({ name }) => name), ['Иванов, Пётр', 'Иванова, Анна']);
  await host.close();
});

/** From all games, without the program's index of words. */
function expectedNames(typed) {
  const words = typed.split(' ');
  if (!words.some((word) => word.length > 1)) return [];
  const counts = new Map();
  for (const { white, black } of found('--limit', '100000')) for (const name of new Set([white, black])) if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].filter(([name]) => { const own = name.toLowerCase().match(/[a-z0-9]+/g) ?? []; return words.every((word) => own.some((other) => other.startsWith(word) || (words.length > 1 && other.length <= 2 && word.startsWith(other)))); })
    .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).slice(0, 10).map(([name, n]) => ({ name, games: n }));
}

test('two requests and 64 kB for the table of a position', async () => {
  for (const board of positions(60)) {
    const games = await open();
    const before_ = { ...games.traffic };
    await games.explore(board);
    assert.ok(games.traffic.requests - before_.requests <= 2, `${games.traffic.requests - before_.requests} requests: ${board.write()}`);
    assert.ok(games.traffic.bytes - before_.bytes <= 65536);
  }
});

test('a host without ranges: small collections work, large ones have a clear message', async () => {
  const plain = await serveFolder(site, { ranges: false });
  const games = await open(plain.address);
  const board = tabiya.board();
  assert.deepEqual(await games.explore(board), JSON.parse(lines('explore', '--json', database, board.write())));
  const large = await open(plain.address);
  large.manifest.bytes = 1e9;
  await assert.rejects(large.explore(board), (error) => error instanceof PublishedError && error.kind === 'ranges' && /does not support range requests/.test(error.message));
  await plain.close();
});

test('a cut connection is retried, and then reported', async () => {
  const games = await open();
  server.faults.cut = 1;
  assert.equal((await games.explore(tabiya.board())).games, found('--limit', '100000').length);
  const other = await open();
  server.faults.cut = 2;
  await assert.rejects(other.explore(tabiya.board()), { kind: 'network' });
  assert.ok((await other.explore(tabiya.board())).games > 0, 'it works again afterwards');
});

test('a slow host', async () => {
  const slow = await serveFolder(site, { delay: 100 });
  assert.ok((await (await open(slow.address)).explore(tabiya.board())).games > 0);
  await slow.close();
});

test('files that are truncated, corrupted, missing or of another version: never a wrong answer', async () => {
  const copy = join(folder, 'copy');
  cpSync(site, copy, { recursive: true });
  const other = await serveFolder(copy);
  const data = join(copy, 'data');
  const name = readdirSync(data).find((file) => file.endsWith('.tby'));
  const good = readFileSync(join(data, name));
  const boards = [...positions(30)];
  const right = await Promise.all(boards.map((board) => open().then((games) => games.explore(board))));
  async function look() {
    const games = await open(other.address);
    let nFaults = 0;
    for (const [i, board] of boards.entries())
      try {
        assert.deepEqual(await games.explore(board), right[i], 'a wrong answer');
      } catch (error) {
        assert.ok(error instanceof PublishedError, error.stack);
        assert.equal(error.kind, 'damaged');
        nFaults++;
      }
    return nFaults;
  }
  assert.equal(await look(), 0);
  for (const part of [0.999, 0.7, 0.5]) {
    truncateSync(join(data, name), Math.floor(statSync(join(site, 'data', name)).size * part));
    await look();
  }
  for (let i = 0; i < 30; i++) {
    const bad = Buffer.from(good);
    for (let at = i * 97; at < bad.length; at += 20011) bad[at] ^= 1 << (i % 8);
    writeFileSync(join(data, name), bad);
    assert.ok(await look() > 0, 'no fault was found');
  }
  writeFileSync(join(data, name), Buffer.concat([good.subarray(4), good.subarray(0, 4)]));
  assert.ok(await look() > 0, 'bytes at another place');
  rmSync(join(data, name));
  await assert.rejects(open(other.address).then((games) => games.explore(boards[0])), { kind: 'missing' });
  const directory = readdirSync(data).find((file) => file.endsWith('.dir'));
  const bytes = readFileSync(join(data, directory));
  bytes[100] ^= 1;
  writeFileSync(join(data, directory), bytes);
  await assert.rejects(open(other.address), { kind: 'damaged' });
  const manifest = JSON.parse(readFileSync(join(data, 'manifest.json'), 'utf8'));
  writeFileSync(join(data, 'manifest.json'), JSON.stringify({ ...manifest, version: 99 }));
  await assert.rejects(open(other.address), { kind: 'version' });
  writeFileSync(join(data, 'manifest.json'), '<html>');
  await assert.rejects(open(other.address), { kind: 'damaged' });
  await other.close();
});

test('what a stranger publishes with sound checksums is read, or refused as damaged', async () => {
  let random = 3;
  const next = (most) => { random = (random * 48271) % 2147483647; return random % most; };
  const spoil = (bytes) => { const bad = Uint8Array.from(bytes); for (let i = next(4); i >= 0; i--) bad[next(bad.length)] = [0, 255, 128, 127, next(256)][next(5)]; return bad; };
  class Spoilt extends Lists { fetchPart(place) { return super.fetchPart(place).then(spoil); } }
  const spoiltDirectory = async (url, init) => { const response = await fetch(url, init); return url.pathname.endsWith('.dir') ? new Response(gzipSync(spoil(gunzipSync(new Uint8Array(await response.arrayBuffer()))))) : response; };
  const boards = [...positions(40)];
  const kinds = new Set();
  for (let i = 0; i < 30; i++) {
    const options = i % 2 ? { Part: Spoilt, All: PublishedLists } : { fetch: spoiltDirectory, Part: Lists, All: PublishedLists };
    const asked = [(games) => games.explore(boards[i % 40]), (games) => games.find({ board: boards[i % 40], sort: ['id', '-date', '-elo'][i % 3], limit: 12 }), (games) => games.names('mor'), (games) => games.game(1 + next(3000)), (games) => games.find({ player: 'Paul Morphy', sort: 'id' }), (games) => games.find({ eco: 'C50' })];
    for (const ask of asked)
      await openPublished(`${server.address}data/`, tabiya, options).then(ask).then(() => kinds.add('read'), (error) => {
        assert.ok(error instanceof PublishedError || error.name === 'TabiyaError', error.stack);
        kinds.add(error.kind ?? error.name);
      });
  }
  assert.ok(kinds.has('read') && kinds.has('damaged'), [...kinds].join());
});
