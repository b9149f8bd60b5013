/*
 * library.test.mjs - the library for programs in JavaScript: moves, cursors, games of files, errors.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Tabiya, TabiyaError } from '../../web/tabiya.mjs';
import { loadModule, modulePath, root } from './support.mjs';

const tabiya = await loadModule();

test('moves have the piece and what it captures, by their letters in FEN', () => {
  const pick = (board, san) => {
    const { piece, captured, capture, promotion } = board.moves().find((move) => move.san === san);
    return [piece, captured, capture, promotion];
  };
  assert.deepEqual(pick(tabiya.board(), 'Nf3'), ['N', null, false, null]);
  const passed = tabiya.board('4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1');
  assert.deepEqual(pick(passed, 'dxe3'), ['p', 'P', true, null]);
  const last = tabiya.board('5rk1/4P3/8/8/8/8/8/R3K3 w Q - 0 1');
  assert.deepEqual(pick(last, 'exf8=N'), ['P', 'r', true, 'n']);
  assert.deepEqual(pick(last, 'O-O-O'), ['K', null, false, null]);
  assert.equal(last.play('exf8=Q+').captured, 'r');
});

test('a move is played by its squares, and as moves() lists it', () => {
  const board = tabiya.board('8/4P2k/8/8/8/8/8/K7 w - - 0 1');
  assert.throws(() => board.play({ from: 'e7', to: 'e8' }), /promotion piece missing.*1\.e7e8/);
  assert.equal(board.play({ from: 'e7', to: 'e8', promotion: 'q' }).san, 'e8=Q');
  const game = tabiya.game();
  const node = game.play(0, { from: 'g1', to: 'f3' });
  game.play(node, game.view(node).moves[0]);
  assert.equal(game.writeLine(node).split(' ')[0], 'Nf3');
  for (const move of [{ from: 'e2' }, { from: 'e9', to: 'e4' }, {}, null, undefined, 7]) {
    assert.throws(() => tabiya.board().play(move), TabiyaError, JSON.stringify(move));
    assert.throws(() => tabiya.game().play(0, move), TabiyaError, JSON.stringify(move));
  }
  for (const fen of ['r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1', '4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1'])
    for (const move of tabiya.board(fen).moves()) assert.equal(tabiya.board(fen).play(move).san, move.san);
});

test('marks are texts and numbers, and are set by both', () => {
  const game = tabiya.game('1. e4 $14 $5 e5 ?! *');
  assert.deepEqual(game.list().moves.map(({ nags, nagNumbers }) => [nags, nagNumbers]), [[['⩲', '!?'], [14, 5]], [['?!'], [6]]]);
  const [first] = game.view(0).line;
  game.setNags(first, [1, '$18', '?']);
  assert.deepEqual(game.list().moves[0].nagNumbers, [1, 18, 2]);
  game.setNags(first, []);
  assert.deepEqual(game.list().moves[0].nagNumbers, []);
  for (const bad of [[0], [256.5], [-1], ['$'], [65536]]) assert.throws(() => game.setNags(first, bad), TabiyaError, String(bad));
});

test('every game of a file is its own, after the file was read too', () => {
  const bytes = readFileSync(join(root, 'examples/famous.pgn'));
  const wanted = bytes.toString().split('[Event ').slice(1).map((text) => tabiya.game(`[Event ${text}`).write());
  const kept = [...tabiya.games(bytes, 'pgn')];
  assert.deepEqual(kept.map(({ game }) => game.write()), wanted);
  const [{ game: one }] = tabiya.games(bytes); // stops after the first
  assert.equal(one.write(), wanted[0]);
  for (const notation of ['json', 'cmbr']) {
    const first = tabiya.game(wanted[0]).writeBytes(notation);
    assert.equal([...tabiya.games(first, notation)][0].game.write(), wanted[0], notation);
  }
});

test('a game that is changed while its file is read stays changed, and the next is not', () => {
  const games = [];
  for (const { game, number } of tabiya.games('[White "A"]\n\n1. e4 *\n\n[White "B"]\n\n1. d4 *\n\n[White "C"]\n\n1. c4 *\n')) {
    if (number === 2) game.setComment(game.play(game.mainLineEnd(), 'd5'), 'closed');
    games.push(game);
  }
  assert.deepEqual(games.map((game) => game.writeLine(0)), ['e4', 'd4 d5', 'c4']);
  assert.deepEqual(games[1].list().moves[1].after, ['closed']);
  games[0].play(games[0].mainLineEnd(), 'e5'); // read again, then changed
  assert.equal(games[0].writeLine(0), 'e4 e5');
});

test('a bad game that is kept has the moves before its fault', () => {
  const [bad, good] = [...tabiya.games('[White "A"]\n\n1. e4 e5 2. Ke3 *\n\n[White "B"]\n\n1. d4 *\n')];
  assert.equal(bad.game.writeLine(0), 'e4 e5');
  assert.equal(good.game.writeLine(0), 'd4');
});

test('the games of a file share the memory of one while it is read', async () => {
  const instance = await WebAssembly.instantiate(await WebAssembly.compile(readFileSync(modulePath)), {});
  const own = new Tabiya(instance);
  const text = '[White "A"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n'.repeat(2000);
  let plies = 0;
  for (const { game } of own.games(text)) plies += game.view(0).line.length;
  assert.equal(plies, 8000);
  assert.ok(instance.exports.memory.buffer.byteLength < (1 << 20), String(instance.exports.memory.buffer.byteLength));
});

test('a cursor plays, takes back, and walks', () => {
  const cursor = tabiya.game().cursor();
  assert.equal(cursor.play('e4').piece, 'P');
  cursor.play({ from: 'd7', to: 'd5' });
  assert.equal(cursor.play('exd5').captured, 'p');
  assert.deepEqual(cursor.history(), ['e4', 'd5', 'exd5']);
  assert.equal(cursor.undo(), 'exd5');
  assert.equal(cursor.board().write(), 'rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2');
  cursor.play('e5');
  assert.equal(cursor.game.write().trim(), '1. e4 d5 2. e5 *');
  assert.equal(cursor.back(), 'e5');
  assert.equal(cursor.forward(), 'e5');
  assert.equal(cursor.forward(), null);
  assert.equal(cursor.play('--'), null, 'a null move has no piece');
  assert.equal(cursor.undo(), '--');
  while (cursor.undo() !== null);
  assert.equal(cursor.node, 0);
  assert.equal(cursor.game.write().trim(), '*');
  assert.equal(cursor.moves().length, 20);
  assert.throws(() => cursor.play('Nf6'), TabiyaError);
  assert.equal(cursor.node, 0, 'a refused move changes nothing');
  assert.throws(() => cursor.game.cursor(3), /no node 3/);
});

test('an error names its move and where it is', () => {
  const thrown = (use) => {
    try {
      use();
    } catch (error) {
      return error;
    }
    return null;
  };
  const game = tabiya.game('1. e4 e5 *');
  assert.equal(thrown(() => tabiya.board().play('Nf6')).message, 'illegal move: no such piece can go there (1.Nf6)');
  assert.match(thrown(() => game.play(1, 'Qh9')).message, /\(1\.\.\.Qh9\)$/);
  const { message, where, offset } = thrown(() => game.readLine(0, 'e4 e5 Qh6'));
  assert.match(message, /\(2\.Qh6\)$/);
  assert.equal(where, '2.Qh6, FEN rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2');
  assert.equal(offset, 6);
  assert.match(thrown(() => tabiya.game('1. e4 e5 2. Qh6 *')).message, /"Qh6"/);
  assert.match(thrown(() => tabiya.board().play(`\u001b[2J${'x'.repeat(500)}`)).message, /\(1\.\?\[2Jx{1,40}\)$/);
});

test('a query is quoted, explained, and refused with its place', () => {
  assert.equal(tabiya.quote('Carlsen, M'), '"Carlsen, M"');
  assert.equal(tabiya.quotePerson('Magnus Carlsen'), '~"Magnus Carlsen"');
  const text = 'player "Müller, M" elo 2400.. (iqp or mate) greek-gift';
  const { query, conditions } = tabiya.understand(text);
  assert.equal(query, text);
  assert.deepEqual(conditions.map(({ word, value, name }) => [word, value, name]),
    [['player', '"Müller, M"', 'Müller, M'], ['elo', '2400..', ''], ['', '', ''], ['greek-gift', '', '']]);
  assert.equal(new TextDecoder().decode(new TextEncoder().encode(text).slice(conditions[1].offset, conditions[1].offset + conditions[1].length)), 'elo 2400..');
  assert.match(conditions[3].sentence, /h7/);
  const fault = (bad) => {
    try {
      return tabiya.understand(bad);
    } catch (error) {
      return error;
    }
  };
  const { offset, length, near, message } = fault('elo 2400.. plaer carlsen');
  assert.deepEqual([offset, length, near], [11, 5, 'player']);
  assert.match(message, /did you mean "player"/);
  assert.equal(fault('elo high').field, 'elo');
  assert.match(fault(`elo ${'x'.repeat(400)}`).message, /was expected/);
});

test('a game is reviewed by its evaluations: accuracy, loss, and mistakes by phase', () => {
  const game = tabiya.game('1. e4 {[%eval 0.3]} e5 {[%eval 0.3]} 2. Qh5 {[%eval -0.5]} Ke7 {[%eval #1]} 3. Qxe5# 1-0');
  const { evaluated, mistakes, white, black } = game.review();
  const names = new Map(game.list().moves.map(({ node, san }) => [node, san]));
  assert.equal(evaluated, 4);
  assert.deepEqual(mistakes.map(({ node, mark, phase }) => [names.get(node), mark, phase]), [['Qh5', '?!', 'opening'], ['Ke7', '??', 'opening']]);
  assert.deepEqual(white, { moves: 1, accuracy: 71.75, loss: 0.8, phases: { opening: [1, 0, 0], middlegame: [0, 0, 0], endgame: [0, 0, 0] } });
  assert.deepEqual([black.moves, black.loss, black.phases.opening], [2, 5.25, [0, 0, 1]]);
  assert.deepEqual(tabiya.game('1. e4 e5 *').review().mistakes, []);
});

test('a move is judged by the evaluations before and after it, for its side', () => {
  const cp = (value) => ({ cp: value, mate: null });
  assert.deepEqual([20, -60, -120, -400].map((value) => tabiya.judge(cp(30), cp(value), 'white')), [0, 6, 2, 4]);
  assert.deepEqual([20, -400].map((value) => tabiya.judge(cp(30), cp(value), 'black')), [0, 0]);
  assert.equal(tabiya.judge(cp(0), { cp: null, mate: 3 }, 'black'), 4);
  assert.equal(tabiya.judge({ cp: null, mate: -2 }, cp(-900), 'black'), 0);
});

test('games are merged into one tree of variations, with their comments, and twice is as once', () => {
  const game = tabiya.game('1. e4 e5 2. Nf3 {first} Nc6 *');
  assert.equal(game.merge(tabiya.game('1. e4 c5 $1 2. Nf3 {second} d6 *')), 3);
  assert.equal(game.merge(tabiya.game('1. e4 e5 2. Nf3 $2 {other} Nf6 (2... d6) *')), 2);
  const text = game.write('pgn').replace(/\s+/g, ' ');
  assert.match(text, /1\. e4 e5 \(1\.\.\. c5 \$1 2\. Nf3 \{second\} 2\.\.\. d6\) 2\. Nf3 \$2 \{first\} \{other\} 2\.\.\. Nc6 \(2\.\.\. Nf6\) \(2\.\.\. d6\) \*/);
  assert.equal(game.merge(tabiya.game(game.write('pgn'))), 0);
  assert.equal(game.write('pgn').replace(/\s+/g, ' '), text);
  assert.throws(() => game.merge(tabiya.game('[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]\n\n*')), /different starts/);
});
