/*
 * file-source.mjs - the games of a file that is open, for the explorer: its questions of source.mjs, answered in the page.
 */
import { checkerOf } from './checker.mjs';
import { rest } from './dom.mjs';
import { ORDERS } from './lists.mjs';
import { tableOf } from './position-table.mjs';

const GAMES_AT_ONCE = 100; // before the page does other work
const RESULTS = ['*', '1-0', '0-1', '1/2-1/2'];
const KEPT = 4; // filters whose answers are kept

/** Does `act` with one after the other, while the page stays responsive. */
async function each(all, act, signal) {
  for (const [i, one] of all.entries()) {
    await act(one);
    if (i % GAMES_AT_ONCE !== GAMES_AT_ONCE - 1) continue;
    await rest();
    signal?.throwIfAborted();
  }
}

export class FileSource {
  isFile = true;
  #packing = null;
  #filters = new Map(); // by text: { checker, known }, which games pass, by number

  /** `file` is the list of its games. */
  constructor(file) {
    this.file = file;
  }

  /** Its games once all are read: { entry, row, moves }. What has no packed form, such as a null move, is not counted. */
  async #pack() {
    const { file } = this;
    if (!file.isRead) await new Promise((resolve) => { file.addEventListener('more', () => { if (file.isRead) resolve(undefined); }); });
    const games = [];
    await each(file.all, async (entry) => {
      const game = await file.load(entry);
      const row = { flags: Math.max(0, RESULTS.indexOf(entry.result)), elo: [entry.white_elo, entry.black_elo], date: entry.date ?? '' };
      try {
        games.push({ entry, row, moves: game.writePacked() });
      } catch { /* not a game of chess alone */ }
    });
    return games;
  }

  /** A function that says whether a game is among those that a query counts; '' counts all. */
  async #filter(query) {
    if (!query) return async () => true;
    if (!this.#filters.has(query)) this.#filters.set(query, { checker: await checkerOf(query), known: new Map() });
    if (this.#filters.size > KEPT) this.#filters.delete(this.#filters.keys().next().value);
    const { checker, known } = this.#filters.get(query);
    const { file } = this;
    return async ({ entry }) => {
      const { id, begin, end } = entry;
      if (!known.has(id)) known.set(id, checker.holds(file.notation === 'pgn' ? file.bytes.subarray(begin, end) : (await file.load(entry)).write('pgn'), id));
      return known.get(id);
    };
  }

  /** The games that reach a position and that a query counts. */
  async #reaching(board, query, signal) {
    this.#packing ??= this.#pack();
    const found = [];
    const [games, passes] = await Promise.all([this.#packing, this.#filter(query)]);
    signal?.throwIfAborted();
    await each(games, async (game) => {
      const place = board.findIn(game.moves);
      if (place && await passes(game)) found.push({ ...game, ply: place.ply });
    }, signal);
    return found;
  }

  async explore({ fen, q = '' }, signal) {
    const board = this.file.doc.tabiya.board(fen);
    return tableOf(board, await this.#reaching(board, q, signal), (date) => date || null);
  }

  async findOnce({ fen, q = '', sort, limit }, signal) {
    const { compare } = Object.values(ORDERS).find((order) => order.sort === sort);
    const found = await this.#reaching(this.file.doc.tabiya.board(fen), q, signal);
    return { games: found.map(({ entry, ply }) => ({ ...entry, ply })).sort(compare).slice(0, limit) };
  }

  /** Results by month, as the server gives them. */
  async history({ fen, q = '' }, signal) {
    const months = new Map();
    for (const { row: { flags, date } } of await this.#reaching(this.file.doc.tabiya.board(fen), q, signal)) {
      const [month, result] = [date.slice(0, 7), [null, 'white', 'black', 'draws'][flags]];
      if (!month || !result) continue;
      if (!months.has(month)) months.set(month, { month, white: 0, draws: 0, black: 0 });
      months.get(month)[result]++;
    }
    return [...months.values()].sort((a, b) => (a.month < b.month ? -1 : 1));
  }

  /** The text of a game by its number in the file. */
  async game(id) {
    return (await this.file.load(this.file.all[id - 1])).write('pgn');
  }

  exploreAhead() {}
  isExplored() { return false; }
  isFound() { return false; }
}
