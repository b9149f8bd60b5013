/*
 * searched.test.mjs - queries over published games find what the program finds, and what cannot be answered says why.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { PublishedSource } from '../../web/published-source.mjs';
import { serveFolder } from './published-server.mjs';
import { build, loadModule, root } from './support.mjs';

const program = join(build, 'tabiya');
const folder = mkdtempSync(join(tmpdir(), 'tabiya-searched-'));
const database = join(folder, 'games.db');
const site = join(folder, 'site');
/** Also when no game is found, which is exit code 1. */
const lines = (...args) => { try { return execFileSync(program, args, { encoding: 'utf8', maxBuffer: 1e9, stdio: ['ignore', 'pipe', 'ignore'] }); } catch (error) { return error.stdout; } };
const found = (...args) => lines('find', '--json', database, ...args).split('\n').filter(Boolean).map(JSON.parse);
let server;
let source;

const open = (from = server) => {
  const version = readFileSync(join(site, 'index.html'), 'utf8').match(/v\/[0-9a-f]+\//)[0];
  const made = new PublishedSource(`${from.address}data/`, loadModule().then((tabiya) => { tabiya.addOpenings(readFileSync(join(root, 'src/opening/openings.tsv'), 'utf8')); return tabiya; }), `${from.address}${version}`);
  return made;
};
before(async () => {
  lines('import', database, ...['famous', 'selfplay'].map((name) => join(root, `examples/${name}.pgn`)));
  lines('publish', database, '-o', site);
  server = await serveFolder(site);
  source = open();
});
after(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const QUERIES = ['player ~"Paul Morphy"', 'player morphy', 'white anderssen', 'black ="Paul Morphy"', 'player "mor*"', 'player ~"Morphy" result 1-0', 'player ~Nobody',
  'either (white ~Anderssen black ~Kieseritzky)', 'eco C30..C39', 'eco B', 'event london', 'site paris', 'place paris', 'date 1851..1860', 'date ..1900', 'date 1858', 'elo 2400..', 'mean-elo 2600..2700',
  'named "King\'s Gambit"', 'named Najdorf', 'opening "1. e4 e5 2. f4"', 'opening sicilian', 'result 1/2-1/2 plies ..60', 'iqp', 'greek-gift', 'KRP+vKRP+ for 10', 'mate', 'mate plies ..40', 'Pd4 Pe5 pd5 pe6',
  'annotated', 'title GM', 'rated', 'speed blitz', 'tag Annotator "*"', 'player morphy mate', 'not player morphy date 1850..', 'player morphy or eco C50', 'O-O-O', 'ever (Qd4)',
  'fen "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1"', 'fen "rnbqkbnr/pppp1ppp/8/4p3/4PP2/8/PPPP2PP/RNBQKBNR b KQkq - 0 1" player anderssen', 'id 10..20', 'round ""', 'stalemate'];

test('queries find the games that the program finds', async () => {
  for (const q of QUERIES) {
    let expected;
    try { expected = found(q, '--limit', '200'); } catch { expected = null; }
    const { games } = await source.find({ q, sort: 'id', limit: 200 });
    assert.deepEqual(games, expected, q);
    assert.equal(await source.count({ q }), Number(lines('find', '--count', database, q)), q);
  }
});

test('found games are sorted as by the program', async () => {
  for (const sort of ['id', '-date', '-elo'])
    for (const q of ['player morphy', 'eco C', 'mate']) assert.deepEqual((await source.find({ q, sort, limit: 20, offset: 3 })).games, found(q, '--sort', sort, '--limit', '20', '--offset', '3'), `${q} by ${sort}`);
  assert.deepEqual((await source.find({ q: 'mate', sort: 'plies', limit: 10 })).games.map(({ plies }) => plies), found('mate', '--sort', 'plies', '--limit', '10').map(({ plies }) => plies));
});

test('the explorer counts the games of a filter', async () => {
  const { tabiya } = await source.games();
  const boards = [[], ['e4'], ['e4', 'e5'], ['e4', 'e5', 'Nf3'], ['d4']].map((moves) => moves.reduce((board, move) => (board.play(move), board), tabiya.board()));
  for (const q of ['player ~"Paul Morphy"', 'result 1-0', 'date ..1900', 'mate', 'player ~Nobody'])
    for (const board of boards) {
      const expected = JSON.parse(lines('explore', '--json', database, board.write(), '--query', q));
      const answer = await source.explore({ fen: board.write(), q });
      for (const name of ['games', 'ended', 'white', 'draw', 'black', 'unknown']) assert.equal(answer[name], expected[name], `${name} of ${q}`);
      const plain = (moves) => moves.map(({ reached, ...move }) => move).sort((a, b) => (a.uci < b.uci ? -1 : 1));
      assert.deepEqual(plain(answer.moves), plain(expected.moves), q);
    }
});

test('plain words are names, pairs of names, openings and years', async () => {
  const meaning = async (text) => (await source.find({ text, limit: 1 })).query;
  assert.equal(await meaning('Paul Morphy'), 'player ~"Paul Morphy"');
  assert.equal(await meaning('Morphy 1858'), 'player ~"Morphy" date 1858');
  assert.match(await meaning('Anderssen - Kieseritzky'), /^either \(white ~"Anderssen" black ~"Kieseritzky"\)$/);
  assert.match(await meaning('Ruy Lopez'), /^named "Ruy Lopez"$/);
  await assert.rejects(meaning('xyzzy plugh'), /no such word/);
  await assert.rejects(source.find({ q: 'plaer morphy' }), (error) => error.near === 'player');
});

test('the conditions of the form', async () => {
  assert.deepEqual((await source.find({ eco: 'C30..C39', date: '1840..1860', sort: 'id', limit: 100 })).games, found('--eco', 'C30..C39', '--date', '1840..1860', '--limit', '100'));
});

test('names, similar names, patterns and years', async () => {
  assert.equal((await source.names('morph', 5))[0].name, 'Paul Morphy');
  assert.ok((await source.similar('Morphhy')).includes('Paul Morphy'));
  assert.ok((await source.patterns()).some(({ name }) => name === 'iqp'));
  const history = await source.history({ fen: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', q: 'player morphy' });
  const games = found('player morphy', '--limit', '1000').filter(({ date, result }) => date && result !== '*');
  assert.equal(history.reduce((sum, { white, draws, black }) => sum + white + draws + black, 0), games.length);
});

test('a search that would fetch too much says how far it came', async () => {
  const other = open();
  await other.games();
  other.search.most = 20_000;
  const { more, games } = await other.find({ q: 'not mate', limit: 5 });
  assert.ok(more && games.length === 5);
  await assert.rejects(other.count({ q: 'not mate' }), /games were looked through/);
  await assert.rejects(other.explore({ fen: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', q: 'not mate' }), /the filter would have to look through/);
});

test('what needs a server is refused with that reason', async () => {
  await assert.rejects(source.gaps('1. e4'), /needs tabiya serve/);
  await assert.rejects(source.find({ q: 'collection "x"' }), /no collections/);
});
