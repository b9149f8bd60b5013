/** The chess library as JavaScript: see docs/web.md. Squares, pieces, numbers and nodes that do not exist throw. */

export type Square = string; // 'e4'
export type Side = 'white' | 'black';
/** A node of a game; 0 is the start. */
export type Node = number;

/** Flags of reading and writing. */
export const LOSSY: number; // write the nearest value that the notation can represent
export const URL_SAFE: number; // base64 with - and _
export const CHESS960: number; // KQkq mean the outermost rook; castling moves are king takes rook
export const STRICT: number; // exactly the standard's form

/** Flags of diagrams. */
export const UNICODE: number;
export const BLACK_UP: number;
export const COORDINATES: number;

/** What the library refuses. */
export class TabiyaError extends Error {
  status: number; // tby_status of tabiya.h: 10-39 invalid, 40-69 illegal or ambiguous, 70-99 limits
  offset: number | null; // byte of the input (UTF-8) where reading stopped
  line: number; // from 1; 0 where only the offset is known
  column: number;
  where: string; // of a move: which one, and the position, '2.Ke3, FEN ...'; '' if there is none
  length: number; // these three of a query: how many bytes are wrong,
  field: string | null; // the word whose value is wrong,
  near: string | null; // and the nearest known word
}

export interface Notation {
  name: string;
  summary: string;
  cannotHold: string | null;
  reads: boolean; // false: it cannot be read
}
export interface PositionNotation extends Notation { oneLine: boolean }
export interface MoveNotation extends Notation { separator: string }
export interface GameNotation extends Notation { endings: string; binary: boolean }
export interface Notations {
  version: string;
  positions: PositionNotation[];
  moves: MoveNotation[];
  games: GameNotation[];
}

export interface Fault { name: string; text: string }
export interface BoardDescription {
  squares: string; // 64 letters as in FEN from a1, '.' for empty
  side: Side;
  clock: number;
  fullmove: number;
  enPassant: Square | null;
  /** Every right that the pieces allow or that is set, with its letter in X-FEN. */
  castling: { rook: Square; letter: string; has: boolean }[];
  enPassantSquares: Square[]; // those that a pawn can just have passed
  legal: boolean;
  playable: boolean; // true even for positions that cannot arise in a game
  faults: Fault[];
}

export interface SvgOptions {
  flags?: number;
  pixels?: number;
  from?: Square | null; // the last move
  to?: Square | null;
  check?: Square | null;
  light?: number; // 0xf0e2cb; equal colours are the usual ones
  dark?: number;
}

/** A board of any kind, legal or not. */
export class Board {
  clone(): Board;
  start(): this;
  clear(): this;
  chess960(number: number): this; // 0 to 959
  equals(other: Board): boolean; // all six fields of FEN
  read(text: string, notation?: string, flags?: number): this;
  /** Reads a text in whichever notation it is: the notation's name, or null. */
  guess(text: string): string | null;
  write(notation?: string, flags?: number): string;
  svg(options?: SvgOptions): string;
  diagram(flags?: number): string;
  describe(): BoardDescription;
  /** The letter as in FEN, or null. */
  get(square: Square): string | null;
  /** A letter as in FEN; null empties the square. */
  put(square: Square, letter: string | null): this;
  setSide(side: Side): this;
  setClock(clock: number): this;
  setFullmove(fullmove: number): this;
  setEnPassant(square: Square | null): this;
  setCastling(rook: Square, may: boolean): this;
  /** Removes castling rights and en passant squares that are impossible with these pieces. */
  mend(): this;
  moves(): Move[];
  /** Where each piece can go, as board widgets expect it; castling also to its rook. */
  dests(): Map<Square, Square[]>;
  /** Plays a move on this board. */
  play(move: MoveInput): Move;
  isCheck(): boolean;
  isCheckmate(): boolean;
  isStalemate(): boolean;
  /** By the position alone: stalemate, dead position, seventy-five moves. */
  isDraw(): boolean;
  outcome(): { result: string; reason: string | null };
  attackers(square: Square, side: Side): Square[];
  /** The 64-bit key of the position, whatever moves led to it. */
  hash(): bigint;
  /** Where a packed game first reaches this position; null if it does not. */
  findIn(packed: Uint8Array): { ply: number; fen: string; next: string | null } | null;
  /** Can no sequence of moves end in mate? Searches for some milliseconds. */
  isDead(): boolean;
  /** The opening name of this position; see Tabiya.addOpenings. */
  opening(): { eco: string; name: string } | null;
  perft(depth: number): number;
}

/** A move to play: text (SAN, coordinates, long algebraic), squares, or a move that `moves()` lists. */
export type MoveInput = string | { from: Square; to: Square; promotion?: string | null };

export interface Move {
  uci: string;
  san: string;
  short: string; // the tree's shortest text
  from: Square;
  to: Square;
  rook: Square | null; // of castling
  promotion: string | null; // q, r, b, n
  piece: string; // that moves, by its letter in FEN: 'N', or 'n' of Black
  captured: string | null;
  capture: boolean;
  mark: string | null; // what it leads to: 'checkmate!', 'draw by stalemate' ...
}
export interface View {
  fen: string;
  side: Side;
  ply: number;
  check: Square | null; // the king that is in check
  last: { from: Square | null; to: Square | null; san: string } | null;
  moves: Move[]; // in the order of the tree of chess
  outcome: { result: string; reason: string | null };
  claims: string[]; // draws that the side to move may claim, now or with a move
  repetitions: number;
  path: Node[]; // from the first move to this one
  line: Node[]; // the same, continued to the end of the line
  tree: { fen: string; mark: string | null }; // as a node of the tree of chess
}
export interface ListItem {
  node: Node;
  depth: number; // 0 is the main line
  opens: boolean; // a variation begins here
  ply: number;
  san: string;
  nags: string[]; // '!?', '⩲', '$140'
  nagNumbers: number[]; // the same as numbers: 5, 14
  before: string[];
  after: string[];
  clock?: number; // milliseconds left, of [%clk]
  elapsed?: number; // milliseconds used, of [%emt]
  eval?: number; // centipawns from White's point of view, of [%eval]
  mate?: number; // moves to mate; negative: Black mates
  shapes?: Shape[]; // [%cal] and [%csl]; where there is a comment
}
/** A drawn arrow, or a marked square if `to` is null. */
export interface Shape { color: string; from: Square; to: Square | null }
export interface GameList {
  tags: Record<string, string>;
  result: string;
  chess960: boolean;
  plain: boolean; // no comments, NAGs, variations, null moves
  nags: string[]; // '!?', '⩲', '$140'
  nagNumbers: number[]; // the same as numbers: 5, 14
  before: string[];
  after: string[];
  shapes?: Shape[];
  moves: ListItem[]; // in the order of PGN
}

export type Phase = 'opening' | 'middlegame' | 'endgame';

/** How well a side has played: only moves count that have an evaluation before and after them. */
export interface ReviewSide {
  moves: number;
  /** The mean of its moves, from 0 to 100. */
  accuracy: number;
  /** Pawns per move. */
  loss: number;
  /** Moves marked ?!, ? and ??. */
  phases: Record<Phase, [number, number, number]>;
}

export interface Review {
  /** Moves of the main line with an evaluation. */
  evaluated: number;
  mistakes: { node: Node; mark: '?!' | '?' | '??'; phase: Phase }[];
  white: ReviewSide;
  black: ReviewSide;
}

/** A game as a tree of moves. */
export class Game {
  clear(): this;
  equals(other: Game): boolean;
  start(): Board;
  position(node: Node): Board;
  /** Starts over from a board, with the tags of `from` and those of its moves that are legal. Returns how many are not. */
  setStart(board: Board, options?: { chess960?: boolean; from?: Game | null }): number;
  /** Plays a move after a node; returns its node. */
  play(node: Node, move: MoveInput): Node;
  /** A place in the game, at first the start, that plays moves and takes them back. */
  cursor(node?: Node): Cursor;
  /** The line through a node. */
  writeLine(node: Node, notation?: string, flags?: number): string;
  /** Replaces the line through a node with these moves; returns their last node. */
  readLine(node: Node, text: string, notation?: string, flags?: number): Node;
  read(input: string | Uint8Array, notation?: string): this;
  /** Reads the bytes of a packed game (docs/formats/packed.md), as published collections have them; it has no tags. */
  readPacked(bytes: Uint8Array): this;
  /** The main line and the result as such bytes. */
  writePacked(): Uint8Array;
  write(notation?: string): string;
  writeBytes(notation?: string): Uint8Array;
  view(node: Node): View;
  list(): GameList;
  mainLineEnd(): Node;
  /** The opening at a node: that of the last named position on the way, and its ply. */
  opening(node: Node): { eco: string; name: string; ply: number } | null;
  /** How well the main line was played, by the evaluations in its comments (docs/cli.md#annotate has the formula). */
  review(): Review;
  /** Adds the moves, comments and marks of another game that are not here yet, as variations. Returns how many moves are new. */
  merge(other: Game): number;
  remove(node: Node): void;
  promote(node: Node): boolean;
  demote(node: Node): boolean;
  setComment(node: Node, text: string, place?: 'before' | 'after'): void;
  setNags(node: Node, marks: string | (string | number)[]): void; // '!? $14', or [5, 14]
  setTag(name: string, value: string): void; // an empty value removes it
  setResult(text: string): void;
}

/** In centipawns or moves to mate: one of them is null. */
export interface Evaluation {
  cp: number | null;
  mate: number | null;
}

/** A place in a game. */
export class Cursor {
  readonly game: Game;
  node: Node;
  /** Plays a move here and goes to it: the move, or null for a null move. */
  play(move: MoveInput): Move | null;
  /** Goes back and removes the move, with all that follows it: its SAN, or null at the start. */
  undo(): string | null;
  /** Goes back, or on along the line, without a change: the SAN of the move, or null where there is none. */
  back(): string | null;
  forward(): string | null;
  view(): View;
  board(): Board;
  moves(): Move[];
  /** The moves from the start to here, in SAN. */
  history(): string[];
}

export interface FileGame {
  game: Game; // its own; games that are kept hold on to their part of the file
  number: number;
  begin: number;
  end: number;
  plies: number;
  result: string;
  tags: Record<string, string>;
  error?: TabiyaError; // of a bad game, which is read up to its fault
}

/** One of the conditions of a query that must all hold. */
export interface Condition {
  offset: number; // its bytes in the text (UTF-8)
  length: number;
  word: string; // of the language, or the name of a pattern; '' for a piece, a move, a combination
  value: string; // what follows it, as it is written
  name: string; // if that is a text, without quotes
  sentence: string | null; // what a pattern means
}
export interface Understood {
  query: string; // the canonical text
  conditions: Condition[];
}

export class Tabiya {
  readonly version: string;
  readonly notations: Notations;
  index(table: 'positions' | 'moves' | 'games', name: string): number;
  board(text?: string | null, notation?: string, flags?: number): Board;
  game(input?: string | Uint8Array | null, notation?: string): Game;
  /** The notation of games that a file's name and bytes suggest. */
  guess(name: string, bytes: Uint8Array, onlyLikely?: boolean): string | null;
  games(input: string | Uint8Array, notation?: string): Generator<FileGame>;
  /** The games of a stream, PGN or JSON lines, however long. `begin` and `end` are those within a part of it. */
  stream(source: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>, notation?: 'pgn' | 'json'): AsyncGenerator<FileGame>;
  /** Adds names of openings: lines of ECO, name and moves, separated by tabs. Returns how many there are now. */
  addOpenings(text: string): number;
  /** A value as it is written in a query: quoted if necessary. */
  quote(text: string): string;
  /** A player's name as the value of `player`, `white` or `black`: the person in any spelling. */
  quotePerson(name: string): string;
  /** The NAG of a move of `side` that leads from one evaluation, as White sees it, to another: 6 for ?!, 2 for ?, 4 for ??; 0 for none. */
  judge(before: Evaluation, after: Evaluation, side: 'white' | 'black'): number;
  /** What a query of docs/query.md means. An error has offset, length, field and near. Only the built-in patterns are known. */
  understand(text: string): Understood;
}

/** Loads a module that comes beside the library, such as search.wasm of published pages, as an object with its exports. */
export function loadModule(source: string | URL | BufferSource | WebAssembly.Module): Promise<{ exports: WebAssembly.Exports }>;

/** Loads the library from a URL, bytes or a module; by default from tabiya.wasm next to tabiya.mjs. README.md: bundlers. */
export function load(source?: string | URL | BufferSource | WebAssembly.Module): Promise<Tabiya>;
