/*
 * republished.test.mjs - publishing again writes only the games that are new, and readers see one collection.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { PublishedSource } from '../../web/published-source.mjs';
import { openLists } from '../../web/published-lists.mjs';
import { openPublished } from '../../web/published.mjs';
import { serveFolder } from './published-server.mjs';
import { build, loadModule, root } from './support.mjs';

const program = join(build, 'tabiya');
const folder = mkdtempSync(join(tmpdir(), 'tabiya-again-'));
const database = join(folder, 'games.db');
const site = join(folder, 'site');
/** Also when no game is found, which is exit code 1. */
const lines = (...args) => { try { return execFileSync(program, args, { encoding: 'utf8', maxBuffer: 1e9, stdio: ['ignore', 'pipe', 'ignore'] }); } catch (error) { return error.stdout; } };
const found = (...args) => lines('find', '--json', database, ...args).split('\n').filter(Boolean).map(JSON.parse);
const manifest = () => JSON.parse(readFileSync(join(site, 'data/manifest.json'), 'utf8'));
const files = () => readdirSync(join(site, 'data')).sort();
const publish = (...args) => lines('publish', database, '-o', site, ...args);
let tabiya;
let server;

before(async () => {
  tabiya = await loadModule();
  tabiya.addOpenings(readFileSync(join(root, 'src/opening/openings.tsv'), 'utf8'));
  lines('import', database, ...['selfplay', 'famous'].map((name) => join(root, `examples/${name}.pgn`)));
  publish('id ..2700');
});
after(async () => {
  await server?.close();
  rmSync(folder, { recursive: true });
});

test('games that were added become a delta, and no file of the base is written again', () => {
  const base = files().filter((name) => name !== 'manifest.json');
  publish('--title', 'More games');
  assert.deepEqual(base.filter((name) => !files().includes(name)), []);
  assert.equal(files().length, base.length + 3, 'a directory and a file are new');
  const { games, delta, title, digest } = manifest();
  assert.deepEqual([games, games + delta.games, title], [2700, found('--limit', '100000').length, 'More games']);
  publish('--title', 'More games');
  assert.deepEqual([manifest().delta, manifest().digest], [delta, digest], 'nothing changes the second time');
});

test('a reader sees one collection', async () => {
  server = await serveFolder(site);
  const games = await openLists(`${server.address}data/`, tabiya);
  const small = await openPublished(`${server.address}data/`, tabiya);
  assert.equal(games.games, found('--limit', '100000').length);
  let random = 11;
  const next = (most) => { random = (random * 48271) % 2147483647; return random % most; };
  const all = [...tabiya.games(readFileSync(join(root, 'examples/famous.pgn')))].map(({ game }) => game.write('pgn')).concat([...tabiya.games(readFileSync(join(root, 'examples/selfplay.pgn')))].slice(0, 200).map(({ game }) => game.write('pgn')));
  for (let i = 0; i < 120; i++) {
    const game = tabiya.game(all[next(all.length)]);
    const { line } = game.view(0);
    const board = game.position([0, ...line][next(Math.min(line.length + 1, i % 2 ? 12 : 60))]);
    assert.deepEqual(await games.explore(board), JSON.parse(lines('explore', '--json', database, board.write())), board.write());
    assert.deepEqual(await small.explore(board), await games.explore(board));
    if (i % 10) continue;
    assert.deepEqual((await small.find({ board, limit: 10 })).games, (await games.find({ board, sort: '-elo', limit: 10 })).games);
    for (const sort of ['id', '-date', '-elo']) assert.deepEqual((await games.find({ board, sort, limit: 12, offset: 2 })).games, found('--fen', board.write(), '--sort', sort, '--limit', '12', '--offset', '2'), sort);
  }
  for (const id of [1, 2700, 2701, 3000]) assert.ok(tabiya.game(await games.game(id)).equals(tabiya.game(lines('export', database, `id ${id}`))), `game ${id}`);
  await assert.rejects(games.game(999999), { kind: 'missing' });
  assert.deepEqual((await games.find({ sort: '-date', limit: 30 })).games, found('--sort', '-date', '--limit', '30'));
  assert.equal((await games.names('morphy'))[0].games, Number(lines('find', '--count', database, 'player ="Paul Morphy"')));
});

test('queries look through both parts', async () => {
  const version = readFileSync(join(site, 'index.html'), 'utf8').match(/v\/[0-9a-f]+\//)[0];
  const source = new PublishedSource(`${server.address}data/`, Promise.resolve(tabiya), `${server.address}${version}`);
  for (const q of ['player ~"Paul Morphy"', 'mate', 'eco C', 'date 2000..', 'named Najdorf']) {
    assert.deepEqual((await source.find({ q, sort: '-date', limit: 50 })).games, found(q, '--sort', '-date', '--limit', '50'), q);
    assert.equal(await source.count({ q }), Number(lines('find', '--count', database, q)), q);
  }
});

test('changed or far more games are published as a whole', () => {
  publish('id ..2000');
  assert.deepEqual([manifest().games, manifest().delta], [2000, undefined]);
  publish();
  assert.equal(manifest().delta, undefined, 'more than a quarter is new');
  publish('not id 5');
  assert.equal(manifest().delta, undefined, 'a game of the base is gone');
  assert.equal(files().length, 3, 'old files are removed');
});
