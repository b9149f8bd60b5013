/*
 * file-source.mjs - the games of a file that is open, for the explorer: its questions of source.mjs, answered in the page.
 */
import { rest } from './dom.mjs';
import { ORDERS } from './lists.mjs';
import { tableOf } from './position-table.mjs';

const GAMES_AT_ONCE = 100; // before the page does other work
const RESULTS = ['*', '1-0', '0-1', '1/2-1/2'];

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

  /** The games that reach a position. */
  async #reaching(board, signal) {
    this.#packing ??= this.#pack();
    const found = [];
    const games = await this.#packing;
    signal?.throwIfAborted();
    await each(games, (game) => {
      const place = board.findIn(game.moves);
      if (place) found.push({ ...game, ply: place.ply });
    }, signal);
    return found;
  }

  async explore({ fen }, signal) {
    const board = this.file.doc.tabiya.board(fen);
    return tableOf(board, await this.#reaching(board, signal), (date) => date || null);
  }

  async findOnce({ fen, sort, limit }, signal) {
    const { compare } = Object.values(ORDERS).find((order) => order.sort === sort);
    const found = await this.#reaching(this.file.doc.tabiya.board(fen), signal);
    return { games: found.map(({ entry, ply }) => ({ ...entry, ply })).sort(compare).slice(0, limit) };
  }

  /** The text of a game by its number in the file. */
  async game(id) {
    return (await this.file.load(this.file.all[id - 1])).write('pgn');
  }

  exploreAhead() {}
  isExplored() { return false; }
  isFound() { return false; }
}
