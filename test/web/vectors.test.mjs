/*
 * vectors.test.mjs - the tables of test/vectors against the WebAssembly module, in Node.
 *
 * Everything goes through web/tabiya.mjs, as in a page.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { CHESS960, LOSSY, TabiyaError } from '../../web/tabiya.mjs';
import { loadModule, modulePath, root, vectors } from './support.mjs';

const tabiya = await loadModule();

/** A game without moves from a FEN. */
function gameFrom(fen) {
  const game = tabiya.game();
  game.setStart(tabiya.board(fen, 'fen', CHESS960));
  return game;
}

const sanOf = (view, uci) => view.moves.find((move) => move.uci === uci)?.san;

test('the module is small and imports nothing', async () => {
  assert.ok(statSync(modulePath).size < 320 * 1024);
  const module = await WebAssembly.compile(readFileSync(modulePath));
  assert.deepEqual(WebAssembly.Module.imports(module), []);
});

test('positions in every notation, both ways', () => {
  for (const { fen, base64, boardinfo } of vectors('positions')) {
    const board = tabiya.board(fen);
    assert.equal(board.write('boardinfo'), boardinfo);
    assert.equal(tabiya.board(boardinfo, 'boardinfo').write(), fen);
    if (base64 === '!halfmove') {
      assert.throws(() => board.write('base64'), /clock/);
      assert.doesNotThrow(() => board.write('base64', LOSSY));
      continue;
    }
    assert.equal(board.write('base64'), base64);
    assert.equal(tabiya.board(base64, 'base64').write(), fen);
  }
});

test('moves in every notation, both ways', () => {
  for (const { fen, uci, san, cmbr_hex: word, short } of vectors('moves')) {
    const game = gameFrom(fen);
    const node = game.play(0, uci);
    const text = short === '(empty)' ? '-' : short;
    assert.equal(game.writeLine(node, 'san'), san);
    assert.equal(game.writeLine(node, 'cmbr'), word);
    assert.equal(game.writeLine(node, 'short'), text);
    for (const [notation, line] of [['san', san], ['cmbr', word], ['short', text]]) {
      const other = gameFrom(fen);
      assert.equal(other.writeLine(other.readLine(0, line, notation), 'uci'), uci, `${notation} ${line}`);
    }
  }
});

test('short moves of all moves, in the order of the tree', () => {
  for (const { fen, 'uci:short in tree order': all } of vectors('short_all')) {
    const { moves } = gameFrom(fen).view(0);
    assert.equal(moves.map((move) => `${move.uci}:${move.short}`).join(' '), all.replaceAll('(empty)', ''));
  }
});

test('lines in SAN, UCI and base64', () => {
  for (const { san, uci, base64 } of vectors('lines')) {
    for (const [from, line] of [['san', san], ['uci', uci], ['base64-moves', base64]]) {
      const game = tabiya.game();
      const end = game.readLine(0, line, from);
      assert.equal(game.writeLine(end, 'san'), san);
      assert.equal(game.writeLine(end, 'uci'), uci);
      assert.equal(game.writeLine(end, 'base64-moves'), base64);
    }
  }
});

test('what the rules say of a position', () => {
  for (const row of vectors('status')) {
    const view = gameFrom(row.fen).view(0);
    assert.equal(view.moves.length, Number(row.legal_moves), row.fen);
    assert.equal(view.check !== null, row.check === '1', row.fen);
    assert.equal(view.outcome.reason === 'checkmate', row.checkmate === '1', row.fen);
    assert.equal(view.outcome.reason === 'stalemate', row.stalemate === '1', row.fen);
    if (row.insufficient_material === '1') assert.notEqual(view.outcome.reason, null, row.fen);
  }
});

/* How each kind of row in rules.tsv is checked with the module; rows about unsupported features are left out. */
const kinds = {
  san_write: ({ fen_or_start: fen, input }) => sanOf(gameFrom(fen).view(0), input),
  san_read({ fen_or_start: fen, input, expected }) {
    const game = gameFrom(fen);
    try {
      return game.writeLine(game.play(0, input), 'uci');
    } catch (error) {
      assert.ok(error instanceof TabiyaError);
      return { 40: 'ILLEGAL', 41: 'AMBIGUOUS', 42: 'PROMOTION_MISSING' }[error.status] ?? 'INVALID';
    }
  },
  castles: ({ fen_or_start: fen }) =>
    gameFrom(fen).view(0).moves.map((move) => move.san).filter((san) => san.startsWith('O')).sort().join(',') || '-',
  ep_field({ fen_or_start: fen, input, expected }) {
    const notation = { always: 'fen', legal: 'fen-legal' }[input];
    return notation ? tabiya.board(fen).write(notation).split(' ')[3] : expected;
  },
  threefold({ fen_or_start: fen, input }) {
    const game = gameFrom(fen);
    const view = game.view(game.readLine(0, input));
    return `now=${Number(view.repetitions >= 3)},claim=${Number(view.claims.includes('threefold repetition'))}`;
  },
  termination({ fen_or_start: fen, expected }) {
    const { outcome, claims } = gameFrom(fen).view(0);
    const reason = { checkmate: 'CHECKMATE', stalemate: 'STALEMATE', 'seventy-five moves': 'SEVENTYFIVE_MOVES' };
    const claim = outcome.result === '*' ? Number(claims.includes('fifty moves')) : expected.at(-1);
    return `${reason[outcome.reason] ?? 'NONE'},claim50=${claim}`;
  },
  dead: ({ fen_or_start: fen }) => (tabiya.board(fen).isDead() ? 'YES' : 'NO'),
  legal_moves: ({ fen_or_start: fen }) => String(gameFrom(fen).view(0).moves.length),
  status_pychess({ fen_or_start: fen, expected }) {
    const { legal } = tabiya.board(fen, 'fen').describe();
    const isMended = /BAD_EP|BAD_CASTLING/.test(expected); // read leniently, with a warning on the command line
    return legal === (expected === 'VALID' || isMended) ? expected : `legal: ${legal}`;
  },
  seed_game_final({ input, expected }) {
    const game = tabiya.game(input);
    return game.position(game.mainLineEnd()).write();
  },
};

for (const [kind, ask] of Object.entries(kinds)) {
  test(`rules: ${kind}`, () => {
    const rows = vectors('rules').filter((row) => row.kind === kind);
    assert.ok(rows.length > 0);
    for (const row of rows) assert.equal(ask(row), row.expected, `${row.id} ${row.fen_or_start} ${row.input}`);
  });
}

test('perft', () => {
  for (const { fen, depth, nodes } of vectors('perft'))
    assert.equal(tabiya.board(fen, 'fen', CHESS960).perft(Number(depth)), Number(nodes), fen);
});

test('the games of a file, in every notation of games, come back the same', () => {
  const bytes = readFileSync(join(root, 'examples/famous.pgn'));
  let games = 0;
  assert.equal(tabiya.guess('famous.pgn', bytes), 'pgn');
  for (const { game, error } of tabiya.games(bytes, 'pgn')) {
    assert.equal(error, undefined);
    games++;
    for (const { name } of tabiya.notations.games)
      assert.ok(tabiya.game(game.writeBytes(name), name).equals(game), `${name}: ${game.write()}`);
  }
  assert.equal(games, readFileSync(join(root, 'examples/famous.pgn'), 'utf8').split('[Event ').length - 1);
});

test('a bad game is reported with its location, and reading continues', () => {
  const bytes = new TextEncoder().encode('[Event "a"]\n\n1. e4 e5 2. Ke3 *\n\n[Event "b"]\n\n1. d4 *\n');
  const read = [...tabiya.games(bytes, 'pgn')];
  assert.deepEqual([read[0].error.line, read[0].error.column], [3, 13]);
  assert.match(read[0].error.message, /Ke3/);
  assert.equal(read[1].tags.Event, 'b');
});

test('lines keep what they have in common with the old one', () => {
  const game = tabiya.game('1. e4 e5 (1... c5 2. Nf3) 2. Nf3 {here} Nc6 *');
  const end = game.mainLineEnd();
  game.readLine(end, 'e4 e5 Nf3 d6 d4');
  assert.equal(game.write(), '1. e4 e5 (1... c5 2. Nf3) 2. Nf3 {here} 2... d6 3. d4 *\n\n');
  game.readLine(game.mainLineEnd(), 'e4');
  assert.equal(game.write(), '1. e4 *\n\n');
});

test('invalid nodes and arbitrary bytes do no harm', () => {
  const game = tabiya.game('1. e4 *');
  for (const use of [() => game.view(4_000_000_000), () => game.remove(99)]) assert.throws(use, TabiyaError);
  assert.throws(() => game.play(77, 'Qh7'), TabiyaError);
  for (const bytes of [new Uint8Array(0), new Uint8Array([0]), new Uint8Array(70_000).fill(0x28)])
    for (const { name } of tabiya.notations.games) {
      try { tabiya.game(bytes, name); } catch (error) { assert.ok(error instanceof TabiyaError); }
    }
  for (const text of ['', '\0', '/'.repeat(1 << 20), '🙂'])
    for (const { name, reads } of tabiya.notations.positions)
      if (reads) assert.throws(() => tabiya.board(text, name), TabiyaError);
});

test('another start position keeps the moves that are legal there', () => {
  const game = tabiya.game('[White "Ada"]\n\n1. e4 e5 (1... c5) 2. Qh5 *');
  const other = tabiya.game();
  const board = game.start().put('d1', null).mend();
  assert.equal(other.setStart(board, { from: game }), 1);
  assert.equal(other.writeLine(other.mainLineEnd()), 'e4 e5');
  assert.equal(other.list().tags.White, 'Ada');
  assert.throws(() => other.setStart(board.put('e1', null)), /king/);
});

test('the example of docs/web.md runs', async () => {
  const [, code] = readFileSync(join(root, 'docs/web.md'), 'utf8').match(/```js\n([^]*?)```/);
  const folder = mkdtempSync(join(tmpdir(), 'tabiya-docs-'));
  const file = join(folder, 'example.mjs');
  writeFileSync(file, code.replace('./web/tabiya.mjs', pathToFileURL(join(root, 'web/tabiya.mjs')))
    .replace('build/release/web/tabiya.wasm', modulePath)
    .replace(/^(game\..*);\s*\/\/ ('[^']*'|\{.*\})$/gm, "$1;\nassert.deepEqual($1, $2);").replace(/^/, "import assert from 'node:assert/strict';\n"));
  try {
    await import(pathToFileURL(file));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the result of a game that is played follows the rules', () => {
  const game = tabiya.game();
  game.readLine(0, 'f3 e5 g4 Qh4');
  assert.equal(game.list().result, '0-1');
  game.readLine(game.mainLineEnd(), 'f3 e5 g4');
  assert.equal(game.list().result, '*');
});

test('squares, pieces, sides, numbers and nodes that do not exist are refused, not taken for others', () => {
  const board = tabiya.board();
  for (const square of ['i1', 'a9', 'a0', 'e', 'e44', '', 'E4', 12, null, undefined, {}])
    assert.throws(() => board.put(square, 'Q'), TabiyaError, String(square));
  for (const letter of ['x', 'QQ', '.', '1', 'é', 7]) assert.throws(() => board.put('e4', letter), TabiyaError, String(letter));
  for (const side of ['White', 'w', '', null, 1]) assert.throws(() => board.setSide(side), TabiyaError);
  for (const number of [-1, 1.5, NaN, 65536, '3', null]) assert.throws(() => board.setClock(number), TabiyaError);
  for (const number of [0, -1, 1.5, NaN, 65536]) assert.throws(() => board.setFullmove(number), TabiyaError);
  for (const number of [-1, 960, 1.5, NaN, '5']) assert.throws(() => board.chess960(number), TabiyaError);
  assert.throws(() => board.setEnPassant('e9'), TabiyaError);
  assert.throws(() => board.setCastling('j1', true), TabiyaError);
  assert.throws(() => board.svg({ from: 'e9', to: 'e4' }), TabiyaError);
  assert.throws(() => board.perft(-1), TabiyaError);
  assert.equal(board.write(), 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1');
  assert.equal(board.put('e2', null).put('e4', 'P').write('epd'), 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -');

  const game = tabiya.game('1. e4 e5 *');
  for (const node of [3, -1, 1.5, NaN, Infinity, 4294967297, '1', null, undefined])
    for (const use of [() => game.view(node), () => game.position(node), () => game.play(node, 'Nf3'), () => game.remove(node),
      () => game.writeLine(node), () => game.readLine(node, 'd4'), () => game.setComment(node, 'x'), () => game.setNags(node, '!'),
      () => game.promote(node), () => game.demote(node), () => game.opening(node)])
      assert.throws(use, TabiyaError, String(node));
  assert.equal(game.write().trim(), '1. e4 e5 *');
});

test('openings by name: of a table that is added, by position and by the last named one on the way', () => {
  assert.equal(tabiya.board().opening(), null);
  assert.ok(tabiya.addOpenings(readFileSync(join(root, 'src/opening/openings.tsv'), 'utf8')) > 3000);
  const game = tabiya.game('1. c4 c5 2. Nf3 e6 3. e4 a5 4. h4 *');
  const [, , , , , end] = game.view(0).line;
  assert.deepEqual(tabiya.board('rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2').opening(), { eco: 'B20', name: 'Sicilian Defense' });
  assert.equal(game.opening(end).ply < 6, true);
  assert.equal(tabiya.game().opening(0), null);
});

test('a bad game of a file has the moves before its fault', () => {
  const bytes = new TextEncoder().encode('[White "A"]\n\n1. e4 e5 2. Ke3 *\n\n[White "B"]\n\n1. d4 *\n');
  const found = [...tabiya.games(bytes, 'pgn')].map(({ error, tags, plies }) => [tags.White, plies, error?.line]);
  assert.deepEqual(found, [['A', 2, 3], ['B', 1, undefined]]);
});

test('game() of a text with several games names games()', () => {
  assert.throws(() => tabiya.game('[White "A"]\n\n1. e4 *\n\n[White "B"]\n\n1. d4 *\n'), /second game.*games\(\)/);
});

test('clocks, evaluations, arrows and squares of comments', () => {
  const { moves } = tabiya.game('1. e4 {[%clk 1:02:03] [%eval -0.35] text} e5 {[%eval #-3][%csl Rd4,Ge5][%cal Bd1h5]} 2. Nf3 *').list();
  assert.equal(moves[0].clock, 3_723_000);
  assert.equal(moves[0].eval, -35);
  assert.equal(moves[1].mate, -3);
  assert.deepEqual(moves[1].shapes, [{ color: 'R', from: 'd4', to: null }, { color: 'G', from: 'e5', to: null }, { color: 'B', from: 'd1', to: 'h5' }]);
  assert.equal(moves[2].shapes, undefined);
  const [twice] = tabiya.game('1. e4 {[%clk 0:01:00] [%eval 0.1]} {[%clk 0:00:59] [%eval #2]} *').list().moves;
  assert.deepEqual([twice.clock, twice.eval, twice.mate], [60_000, 10, undefined], 'the first one counts');
});
