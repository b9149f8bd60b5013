/*
 * tabiya.mjs - the chess library in JavaScript: the WebAssembly module, and objects around its handles.
 *
 *     import { load } from './tabiya.mjs';
 *     const tabiya = await load();
 *     const game = tabiya.game();
 *     game.play(0, 'e4');
 *     game.writeLine(game.mainLineEnd(), 'base64-moves');      // '0k'
 *
 * Works in browsers, in Node, and in what bundlers make of it: it imports nothing. There is no chess in this file: it
 * moves text in and out of the module's memory. Every function is described in tabiya.d.ts.
 */

/**
 * An error of the library: `message` says why, and of a move also which; `offset` is the byte of the input where reading
 * stopped, or null.
 */
export class TabiyaError extends Error {
  constructor({ message, status = 0, offset = null, line = 0, column = 0, where = '', length = 0, field = null, near = null }) {
    super(message);
    this.name = 'TabiyaError';
    this.status = status;
    this.offset = offset;
    this.line = line;
    this.column = column;
    this.where = where;
    this.length = length;
    this.field = field;
    this.near = near;
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Flags of reading and writing, as in tabiya.h. */
export const LOSSY = 1 << 0;
export const URL_SAFE = 1 << 1;
export const CHESS960 = 1 << 8;
export const STRICT = 1 << 9;

/** Flags of diagrams. */
export const UNICODE = 1 << 0;
export const BLACK_UP = 1 << 1;
export const COORDINATES = 1 << 2;

const STREAM_PART = 1 << 18;
const NO_SQUARE = 64;
/** 'e4' to its number; throws for anything else. */
function squareNumber(name) {
  if (typeof name !== 'string' || !/^[a-h][1-8]$/.test(name)) throw new TabiyaError({ message: `there is no square "${name}"` });
  return name.charCodeAt(0) - 97 + 8 * (name.charCodeAt(1) - 49);
}
const squareOrNone = (name) => (name === null || name === undefined || name === '' ? NO_SQUARE : squareNumber(name));

function wholeNumber(value, least, most, what) {
  if (!Number.isInteger(value) || value < least || value > most)
    throw new TabiyaError({ message: `${what} is a whole number from ${least} to ${most}, not ${value}` });
  return value;
}

/** A move as text: a text as it is, a move of `moves()` by its coordinates, and { from, to, promotion }. */
function moveText(move) {
  if (typeof move === 'string') return move;
  const { uci, from, to, promotion } = move ?? {};
  if (uci) return uci;
  squareNumber(from);
  squareNumber(to);
  return `${from}${to}${promotion ?? ''}`;
}

/** Calls into the module: text in, text or JSON out. */
class Module {
  constructor(instance) {
    this.exports = instance.exports;
    this.exports._initialize();
    this.registry = new FinalizationRegistry(([free, handle]) => this.exports[free](handle));
  }

  /** Frees a handle when its owner is collected. */
  own(owner, free, handle) {
    this.registry.register(owner, [free, handle]);
    return handle;
  }

  answerBytes() {
    const { memory, answer_text: text, answer_size: size } = this.exports;
    return new Uint8Array(memory.buffer, text(), size()).slice();
  }

  answerText() {
    return decoder.decode(this.answerBytes());
  }

  answer() {
    return JSON.parse(this.answerText());
  }

  fail() {
    throw new TabiyaError(this.answer());
  }

  /** Calls `use(pointer, length)` with the bytes of a text, or bytes, in the module's memory. */
  withBytes(input, use) {
    const bytes = typeof input === 'string' ? encoder.encode(input) : input;
    const pointer = this.exports.memory_new(bytes.length);
    new Uint8Array(this.exports.memory.buffer, pointer, bytes.length).set(bytes);
    try {
      return use(pointer, bytes.length);
    } finally {
      this.exports.memory_free(pointer);
    }
  }
}

/** A board of any kind, legal or not. */
export class Board {
  #tabiya;
  #module;

  constructor(tabiya, module) {
    this.#tabiya = tabiya;
    this.#module = module;
    this.handle = module.own(this, 'memory_free', module.exports.board_new());
  }

  clone() {
    const copy = new Board(this.#tabiya, this.#module);
    this.#module.exports.board_copy(copy.handle, this.handle);
    return copy;
  }

  start() {
    this.#module.exports.board_start(this.handle);
    return this;
  }

  clear() {
    this.#module.exports.board_clear(this.handle);
    return this;
  }

  chess960(number) {
    if (!Number.isInteger(number) || !this.#module.exports.board_chess960(this.handle, number))
      throw new TabiyaError({ message: 'the start positions of Chess960 have numbers from 0 to 959' });
    return this;
  }

  equals(other) {
    return Boolean(this.#module.exports.board_equal(this.handle, other.handle));
  }

  read(text, notation = 'fen', flags = 0) {
    const index = this.#tabiya.index('positions', notation);
    const { exports } = this.#module;
    const read = this.#module.withBytes(text, (s, n) => exports.board_read(this.handle, index, s, n, flags));
    if (!read) this.#module.fail();
    return this;
  }

  /** Reads a text in whichever notation it is; the notation's name, or null. */
  guess(text) {
    const { exports } = this.#module;
    const index = this.#module.withBytes(text, (s, n) => exports.board_guess(this.handle, s, n));
    return index < 0 ? null : this.#tabiya.notations.positions[index].name;
  }

  write(notation = 'fen', flags = 0) {
    const index = this.#tabiya.index('positions', notation);
    if (!this.#module.exports.board_write(this.handle, index, flags)) this.#module.fail();
    return this.#module.answerText();
  }

  svg({ flags = 0, pixels = 0, from = null, to = null, check = null, light = 0, dark = 0 } = {}) {
    this.#module.exports.board_svg(this.handle, flags, pixels, squareOrNone(from), squareOrNone(to),
      squareOrNone(check), light, dark);
    return this.#module.answerText();
  }

  diagram(flags = 0) {
    this.#module.exports.board_diagram(this.handle, flags);
    return this.#module.answerText();
  }

  describe() {
    this.#module.exports.board_describe(this.handle);
    return this.#module.answer();
  }

  /** The piece on a square by its letter in FEN, or null. */
  get(square) {
    const code = this.#module.exports.board_get(this.handle, squareNumber(square));
    return code ? String.fromCharCode(code) : null;
  }

  /** A piece by its letter in FEN, null for none. */
  put(square, letter) {
    const code = letter === null || letter === undefined || letter === '' ? 0 : String(letter).length === 1 ? String(letter).charCodeAt(0) : 1;
    if (!this.#module.exports.board_put(this.handle, squareNumber(square), code))
      throw new TabiyaError({ message: `there is no piece "${letter}"` });
    return this;
  }

  setSide(side) {
    if (side !== 'white' && side !== 'black') throw new TabiyaError({ message: `a side is white or black, not "${side}"` });
    this.#module.exports.board_set_side(this.handle, side === 'black' ? 1 : 0);
    return this;
  }

  setClock(clock) {
    this.#module.exports.board_set_clock(this.handle, wholeNumber(clock, 0, 65535, 'the clock'));
    return this;
  }

  setFullmove(fullmove) {
    this.#module.exports.board_set_fullmove(this.handle, wholeNumber(fullmove, 1, 65535, 'the move number'));
    return this;
  }

  setEnPassant(square) {
    this.#module.exports.board_set_en_passant(this.handle, squareOrNone(square));
    return this;
  }

  setCastling(rook, may) {
    this.#module.exports.board_set_castling(this.handle, squareNumber(rook), may ? 1 : 0);
    return this;
  }

  mend() {
    this.#module.exports.board_mend(this.handle);
    return this;
  }

  #view() {
    if (!this.#module.exports.board_view(this.handle)) this.#module.fail();
    return this.#module.answer();
  }

  /** The legal moves, as Game.view lists them. */
  moves() {
    return this.#view().moves;
  }

  /** Where each piece can go: a Map of squares, as board widgets expect it; castling also to its rook. */
  dests() {
    const map = new Map();
    for (const { from, to, rook } of this.moves())
      map.set(from, [...new Set([...(map.get(from) ?? []), to, ...(rook ? [rook] : [])])]);
    return map;
  }

  /** Plays a move (SAN, coordinates, long algebraic, { from, to, promotion }) on this board: the move. */
  play(move) {
    const { exports } = this.#module;
    if (!this.#module.withBytes(moveText(move), (s, n) => exports.board_play(this.handle, s, n))) this.#module.fail();
    return this.#module.answer();
  }

  isCheck() {
    return this.#view().check !== null;
  }

  isCheckmate() {
    return this.outcome().reason === 'checkmate';
  }

  isStalemate() {
    return this.outcome().reason === 'stalemate';
  }

  /** Drawn by the position alone: stalemate, dead position, seventy-five moves. Repetition is the game's. */
  isDraw() {
    return this.outcome().result === '1/2-1/2';
  }

  /** { result: '1-0', reason: 'checkmate' }; '*' and null while it continues. */
  outcome() {
    return this.#view().outcome;
  }

  /** The squares of the pieces of a side that attack a square. */
  attackers(square, side) {
    if (side !== 'white' && side !== 'black') throw new TabiyaError({ message: `a side is white or black, not "${side}"` });
    if (!this.#module.exports.board_attackers(this.handle, squareNumber(square), side === 'black' ? 1 : 0)) this.#module.fail();
    return this.#module.answer();
  }

  /** The 64-bit key of the position, the same whatever moves led to it, as a BigInt. */
  hash() {
    if (!this.#module.exports.board_is_playable(this.handle)) throw new TabiyaError({ message: 'this board cannot be played on' });
    return BigInt.asUintN(64, this.#module.exports.board_key(this.handle));
  }

  /** Where a packed game first reaches this position: { ply, fen, next }, `next` the move played there or null; null if it does not. */
  findIn(packed) {
    const ply = this.#module.withBytes(packed, (s, n) => this.#module.exports.packed_find(this.handle, s, n));
    return ply < 0 ? null : { ply, ...this.#module.answer() };
  }

  isDead() {
    return Boolean(this.#module.exports.board_is_dead(this.handle));
  }

  /** The opening that this position belongs to, { eco, name }, or null; see Tabiya.addOpenings. */
  opening() {
    if (!this.#module.exports.board_opening(this.handle)) return null;
    const { eco, name } = this.#module.answer();
    return { eco, name };
  }

  perft(depth) {
    wholeNumber(depth, 0, 99, 'the depth');
    const nodes = this.#module.exports.board_perft(this.handle, depth);
    if (nodes < 0) throw new TabiyaError({ message: 'this board cannot be played on' });
    return nodes;
  }
}

/* How a file lends its game, and takes it back: Game sets them. */
let lend;
let takeBack;

/** A game as a tree of moves. Nodes are numbers; 0 is the start. */
export class Game {
  #tabiya;
  #module;
  #handle = 0;
  /** Of a game in a file: its part of the file, and the notation; null if it was changed. */
  #source = null;
  /** The handle is the file's. */
  #isLent = false;

  constructor(tabiya, module) {
    this.#tabiya = tabiya;
    this.#module = module;
  }

  static {
    lend = (game, handle, source) => {
      game.#handle = handle;
      game.#source = source;
      game.#isLent = source !== null;
      if (!source) game.#module.own(game, 'game_free', handle);
      return game;
    };
    takeBack = (game) => {
      if (!game.#isLent) return false;
      game.#handle = 0;
      game.#isLent = false;
      return true;
    };
  }

  /** The handle. A game that a file has taken back is read again when it is next used. */
  get #current() {
    if (this.#handle) return this.#handle;
    const { exports } = this.#module;
    this.#handle = this.#module.own(this, 'game_free', exports.game_new());
    if (this.#source) this.#module.withBytes(this.#source.bytes, (s, n) => exports.game_read(this.#handle, this.#source.index, s, n));
    return this.#handle;
  }

  /** The same for a game that is about to be changed: it is not the file's any more. */
  get #own() {
    const handle = this.#current;
    if (this.#isLent) this.#module.own(this, 'game_free', handle);
    this.#isLent = false;
    this.#source = null;
    return handle;
  }

  #node(node) {
    if (node < 0) this.#module.fail();
    return node;
  }

  /** A number from outside that must be a node of this game. */
  #known(node) {
    if (!this.#module.exports.game_has(this.#current, typeof node === 'number' ? node : NaN))
      throw new TabiyaError({ message: `the game has no node ${node}` });
    return node;
  }

  clear() {
    this.#module.exports.game_clear(this.#own);
    return this;
  }

  equals(other) {
    return Boolean(this.#module.exports.game_equal(this.#current, other.#current));
  }

  start() {
    const board = this.#tabiya.board();
    this.#module.exports.game_start(this.#current, board.handle);
    return board;
  }

  position(node) {
    const board = this.#tabiya.board();
    this.#module.exports.game_position(this.#current, this.#known(node), board.handle);
    return board;
  }

  /** Begins again from a board, with the tags and legal moves of `from` if given. Returns how many moves were not legal. */
  setStart(board, { chess960 = false, from = null } = {}) {
    return this.#node(this.#module.exports.game_set_start(this.#own, board.handle, chess960, from ? from.#current : 0));
  }

  /** Adds the moves, comments and marks of another game that are not here yet, as variations. Returns how many moves are new. */
  merge(other) {
    const n = this.#module.exports.game_merge(this.#own, other.#current);
    if (n < 0) throw new TabiyaError({ message: 'the games have different starts' });
    return n;
  }

  /** Plays a move (SAN, coordinates, long algebraic, { from, to, promotion }) after a node: its node. */
  play(node, move) {
    const { exports } = this.#module;
    return this.#node(this.#module.withBytes(moveText(move), (s, n) => exports.game_play(this.#own, this.#known(node), s, n)));
  }

  writeLine(node, notation = 'san', flags = 0) {
    const index = this.#tabiya.index('moves', notation);
    if (!this.#module.exports.game_write_line(this.#current, this.#known(node), index, flags)) this.#module.fail();
    return this.#module.answerText();
  }

  readLine(node, text, notation = 'san', flags = 0) {
    const index = this.#tabiya.index('moves', notation);
    const { exports } = this.#module;
    return this.#node(this.#module.withBytes(text,
      (s, n) => exports.game_read_line(this.#own, this.#known(node), index, s, n, flags)));
  }

  read(input, notation = 'pgn') {
    const index = this.#tabiya.index('games', notation);
    const { exports } = this.#module;
    if (!this.#module.withBytes(input, (s, n) => exports.game_read(this.#own, index, s, n))) this.#module.fail();
    return this;
  }

  /** Reads the bytes of a packed game, as published collections have them; it has no tags. */
  readPacked(bytes) {
    if (!this.#module.withBytes(bytes, (s, n) => this.#module.exports.packed_read(this.#own, s, n))) this.#module.fail();
    return this;
  }

  /** The main line and the result as packed bytes. */
  writePacked() {
    if (!this.#module.exports.packed_write(this.#current)) this.#module.fail();
    return this.#module.answerBytes();
  }

  writeBytes(notation = 'pgn') {
    const index = this.#tabiya.index('games', notation);
    if (!this.#module.exports.game_write(this.#current, index)) this.#module.fail();
    return this.#module.answerBytes();
  }

  write(notation = 'pgn') {
    return decoder.decode(this.writeBytes(notation));
  }

  view(node) {
    this.#module.exports.game_view(this.#current, this.#known(node));
    return this.#module.answer();
  }

  list() {
    this.#module.exports.game_list(this.#current);
    return this.#module.answer();
  }

  /** The opening at a node, { eco, name, ply }: that of the last named position on the way. Null if there is none. */
  opening(node) {
    return this.#module.exports.game_opening(this.#current, this.#known(node)) ? this.#module.answer() : null;
  }

  /**
   * How well the main line was played, by the evaluations in its comments: { evaluated, mistakes: [{ node, mark, phase }], white, black },
   * each side with { moves, accuracy, loss, phases }.
   */
  review() {
    this.#module.exports.game_review(this.#current);
    const { white, black, ...rest } = this.#module.answer();
    const side = ({ moves, accuracy, loss, phases }) => ({ moves, accuracy: accuracy / 100, loss: loss / 100, phases });
    return { ...rest, white: side(white), black: side(black) };
  }

  /** A place in the game that moves with what is played, and can take moves back. */
  cursor(node = 0) {
    return new Cursor(this, this.#known(node));
  }

  mainLineEnd() {
    return this.view(0).line.at(-1) ?? 0;
  }

  remove(node) {
    this.#module.exports.game_remove(this.#own, this.#known(node));
  }

  promote(node) {
    return Boolean(this.#module.exports.game_promote(this.#own, this.#known(node)));
  }

  demote(node) {
    return Boolean(this.#module.exports.game_demote(this.#own, this.#known(node)));
  }

  setComment(node, text, place = 'after') {
    const { exports } = this.#module;
    this.#module.withBytes(text,
      (s, n) => exports.game_set_comment(this.#own, this.#known(node), place === 'before' ? 0 : 1, s, n));
  }

  /** Marks as text, '!? $14', or a list of texts and numbers. */
  setNags(node, marks) {
    const { exports } = this.#module;
    const text = Array.isArray(marks) ? marks.map((mark) => (typeof mark === 'number' ? `$${mark}` : mark)).join(' ') : marks;
    if (!this.#module.withBytes(text, (s, n) => exports.game_set_nags(this.#own, this.#known(node), s, n))) this.#module.fail();
  }

  setTag(name, value) {
    const { exports } = this.#module;
    const set = this.#module.withBytes(name, (s, n) => this.#module.withBytes(value,
      (v, m) => exports.game_set_tag(this.#own, s, n, v, m)));
    if (!set) throw new TabiyaError({ message: `"${name}" cannot be the name of a PGN tag` });
  }

  setResult(text) {
    const { exports } = this.#module;
    if (!this.#module.withBytes(text, (s, n) => exports.game_set_result(this.#own, s, n))) this.#module.fail();
  }
}

/** A place in a game. */
export class Cursor {
  constructor(game, node) {
    this.game = game;
    this.node = node;
  }

  /** Plays a move here, as Game.play does, and goes to it: the move, as `moves()` lists it. */
  play(move) {
    const text = moveText(move);
    const { moves } = this.view();
    this.node = this.game.play(this.node, text);
    const { last } = this.view();
    return moves.find(({ san }) => san === last.san) ?? null;
  }

  /** Goes back, and removes the move from the game with all that follows it: its SAN, or null at the start. */
  undo() {
    const { node } = this;
    const san = this.back();
    if (san !== null) this.game.remove(node);
    return san;
  }

  /** Goes back one move: its SAN, or null at the start. */
  back() {
    const { path, last } = this.view();
    if (!path.length) return null;
    this.node = path.at(-2) ?? 0;
    return last.san;
  }

  /** Goes to the next move of the line: its SAN, or null at the end. */
  forward() {
    const { path, line } = this.view();
    if (path.length === line.length) return null;
    this.node = line[path.length];
    return this.view().last.san;
  }

  view() {
    return this.game.view(this.node);
  }

  board() {
    return this.game.position(this.node);
  }

  moves() {
    return this.view().moves;
  }

  /** The moves from the start to here, in SAN. */
  history() {
    const names = new Map(this.game.list().moves.map(({ node, san }) => [node, san]));
    return this.view().path.map((node) => names.get(node));
  }
}

/** The library. */
export class Tabiya {
  #module;

  constructor(instance) {
    this.#module = new Module(instance);
    this.#module.exports.registry();
    this.notations = this.#module.answer();
    this.version = this.notations.version;
  }

  /** The index of a notation in its table: 'positions', 'moves' or 'games'. */
  index(table, name) {
    const index = this.notations[table].findIndex((notation) => notation.name === name);
    if (index < 0) throw new TabiyaError({ message: `there is no notation "${name}"` });
    return index;
  }

  /** A board: of a text, or the start position. */
  board(text = null, notation = 'fen', flags = 0) {
    const board = new Board(this, this.#module);
    return text === null ? board : board.read(text, notation, flags);
  }

  /** A game: of a text, or without moves. */
  game(input = null, notation = 'pgn') {
    const game = new Game(this, this.#module);
    return input === null ? game : game.read(input, notation);
  }

  /**
   * The games of a stream of bytes or text, PGN or JSON lines, however long: as `games`, part by part. A source is a
   * ReadableStream, a Node stream, or whatever can be iterated.
   */
  async* stream(source, notation = 'pgn') {
    const { exports } = this.#module;
    const isPgn = notation === 'pgn';
    if (!isPgn && notation !== 'json') throw new TabiyaError({ message: `${notation} cannot be read as a stream` });
    const cut = (bytes) => (isPgn ? this.#module.withBytes(bytes, (s, n) => exports.pgn_boundary(s, n)) : bytes.lastIndexOf(10) + 1);
    let rest = new Uint8Array(0);
    let size = STREAM_PART;
    let number = 0;
    for await (const chunk of source) {
      const bytes = typeof chunk === 'string' ? encoder.encode(chunk) : chunk;
      const joined = new Uint8Array(rest.length + bytes.length);
      joined.set(rest);
      joined.set(bytes, rest.length);
      rest = joined;
      if (rest.length < size) continue;
      const end = cut(rest);
      size = end ? STREAM_PART : 2 * rest.length; // one very long game
      for (const entry of this.games(rest.subarray(0, end), notation)) yield { ...entry, number: ++number };
      rest = rest.slice(end);
    }
    for (const entry of this.games(rest, notation)) yield { ...entry, number: ++number };
  }

  /** Adds names of openings: lines of ECO, name and moves, separated by tabs. Returns how many there are now. */
  addOpenings(text) {
    const { exports } = this.#module;
    const bytes = encoder.encode(text);
    const pointer = exports.memory_new(bytes.length);
    new Uint8Array(exports.memory.buffer, pointer, bytes.length).set(bytes);
    return exports.openings_add(pointer, bytes.length);
  }

  /** A value as it is written in a query: quoted if necessary. */
  quote(text) {
    return this.#quoted(text, false);
  }

  /** A player's name as the value of player, white or black: the person in any spelling. */
  quotePerson(name) {
    return this.#quoted(name, true);
  }

  /** The NAG of a move of `side` that leads from one evaluation, { cp, mate } as White sees it, to another: 6 for ?!, 2 for ?, 4 for ??; 0 for none. */
  judge(before, after, side) {
    const [was, is] = [before, after].map(({ cp, mate }) => [mate !== null, mate ?? cp]);
    return this.#module.exports.evaluation_nag(...was, ...is, side === 'black');
  }

  #quoted(text, isPerson) {
    this.#module.withBytes(text, (s, n) => this.#module.exports.query_quote(s, n, isPerson));
    return this.#module.answerText();
  }

  /**
   * What a query means: { query, conditions: [{ offset, length, word, value, name, sentence }] }, its canonical text and the
   * conditions that must all hold, with their bytes in the text; throws an error with offset, length, field and near.
   */
  understand(text) {
    if (!this.#module.withBytes(text, (s, n) => this.#module.exports.query_understand(s, n))) this.#module.fail();
    return this.#module.answer();
  }

  /** The notation of games that a file's name and bytes suggest, or null. */
  guess(name, bytes, onlyLikely = false) {
    const { exports } = this.#module;
    const index = this.#module.withBytes(name, (s, n) => this.#module.withBytes(bytes,
      (b, m) => exports.file_guess(s, n, b, m, onlyLikely)));
    return index < 0 ? null : this.notations.games[index].name;
  }

  /**
   * The games of a file, one after the other: { game, number, begin, end, plies, result, tags }; a bad one also has
   * `error`, and its game goes as far as it is good. All games share the module's memory of one while the file is read:
   * one that is used later is read again, unless it was changed.
   */
  * games(input, notation = 'pgn') {
    const { exports } = this.#module;
    const bytes = typeof input === 'string' ? encoder.encode(input) : input;
    const index = this.index('games', notation);
    const { binary } = this.notations.games[index];
    const pointer = exports.memory_new(bytes.length);
    new Uint8Array(exports.memory.buffer, pointer, bytes.length).set(bytes);
    const file = exports.file_open(index, pointer, bytes.length);
    let lent = null;
    let spare = 0; // the handle that games are read into
    const settle = () => {
      if (lent && !takeBack(lent)) spare = 0;
      lent = null;
    };
    try {
      for (;;) {
        spare ||= exports.game_new();
        const read = exports.file_next(file, spare);
        if (read !== 1 && read !== 2) return;
        const answer = this.#module.answer();
        if (answer.error) answer.error = new TabiyaError(answer.error);
        const game = new Game(this, this.#module);
        // A part of a binary file is not a file.
        lent = lend(game, spare, binary ? null : { index, bytes: bytes.subarray(answer.begin, answer.end) });
        yield { game, ...answer };
        settle();
      }
    } finally {
      settle();
      if (spare) exports.game_free(spare);
      exports.file_close(file);
      exports.memory_free(pointer);
    }
  }
}

/**
 * Reads the module's bytes: by default those beside this file, by an expression that bundlers recognize.
 * @param {any} source
 */
async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (ArrayBuffer.isView(source) || source instanceof ArrayBuffer) return WebAssembly.compile(/** @type {BufferSource} */ (source));
  const url = source ? new URL(source, globalThis.location?.href) : new URL('./tabiya.wasm', import.meta.url);
  // Not an import, which bundlers for browsers would refuse.
  if (url.protocol === 'file:' && globalThis.process?.getBuiltinModule) return WebAssembly.compile(globalThis.process.getBuiltinModule('node:fs').readFileSync(url));
  return WebAssembly.compileStreaming(fetch(url));
}

/** A module that is loaded beside the library, such as search.wasm, as an object with its exports. */
export const loadModule = async (source) => new Module(await WebAssembly.instantiate(await compile(source), {}));

/** Loads the library from a URL, bytes or a module; by default from tabiya.wasm beside this file. */
export async function load(source) {
  return new Tabiya(await WebAssembly.instantiate(await compile(source), {}));
}
