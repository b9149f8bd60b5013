/*
 * published-games.mjs - the names, rows and moves of published games.
 */
import { Cursor, GROUP, PublishedError, PublishedFiles, lastAt } from './published-files.mjs';

const RESULTS = ['*', '1-0', '0-1', '1/2-1/2'];
const SPEEDS = [null, 'bullet', 'blitz', 'rapid', 'classical', 'correspondence'];
const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const CMBR = Uint8Array.of(0x43, 0x4d, 0x42, 0x52, 0x21, 1, 0, 0);

/** The words of a name as they are compared: lower case without accents. */
export const wordsOf = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/[ßæœøłđðþı]/g, (c) => ({ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' })[c])
  .match(/[\p{L}\p{N}]+/gu) ?? [];

/** The date of a code, as 2019-05-31. */
export function dateText(code) {
  if (!code) return null;
  const [year, month, day] = [Math.floor(code / 416), Math.floor(code % 416 / 32), code % 32];
  const two = (n) => String(n).padStart(2, '0');
  return String(year).padStart(4, '0') + (month ? `-${two(month)}` : '') + (month && day ? `-${two(day)}` : '');
}

export class PublishedGames extends PublishedFiles {
  #names = new Map(); // those that were read, by kind and rank

  // ---- Names

  /** Parts of a section, [COUNT or FIRST, SIZE] in the directory, with their places. */
  parts(name, list) {
    let [at, first] = [this.directory[name][0], 0];
    return (this[`parts of ${name}`] ??= this.directory[list].map(([key, size]) => ({ key, size, at: (at += size) - size, first: list.endsWith('chunks') && typeof key === 'number' ? (first += key) - key : 0 })));
  }

  /** The name with a rank, if it was read before; null otherwise. */
  knownName(kind, rank) { return this.#names.get(kind)?.[rank] ?? null; }

  /** The name with a rank: { text, games, at, sizes }, the last two of its list of games. */
  async nameAt(kind, rank) {
    const known = this.knownName(kind, rank);
    if (known) return known;
    const parts = this.parts(kind, `${kind}-chunks`);
    const part = parts[lastAt(parts, rank, ({ first }) => first)];
    const cursor = new Cursor(await this.chunk(part.at, part.size));
    const all = this.#names.get(kind) ?? [];
    this.#names.set(kind, all);
    for (let i = 0; i < part.key; i++) {
      const entry = { text: cursor.text(), games: cursor.number() };
      if (kind !== 'shapes') {
        entry.at = this.directory.lists[0] + cursor.number();
        const sizes = new Cursor(cursor.take(cursor.number()));
        for (entry.sizes = []; sizes.at < sizes.end;) entry.sizes.push(sizes.number());
      }
      all[part.first + i] = entry;
    }
    return all[rank];
  }

  /** Players with a word that begins like this: [{ name, games, rank }]. */
  async playersBy(prefix) {
    const parts = this.parts('words', 'words-chunks');
    const found = [];
    const next = parts.findIndex(({ key }) => key >= prefix); // names with the same word may begin in the chunk before it
    for (let i = Math.max(0, (next < 0 ? parts.length : next) - 1); i < parts.length && (parts[i].key <= prefix || parts[i].key.startsWith(prefix)); i++) {
      const cursor = new Cursor(await this.chunk(parts[i].at, parts[i].size));
      for (let word = ''; cursor.at < cursor.end;) {
        word = word.slice(0, cursor.number()) + cursor.text();
        const [rank, games, name] = [cursor.number(), cursor.number(), cursor.text()];
        if (word.startsWith(prefix)) found.push({ name, games, rank });
      }
    }
    return found;
  }

  /** Players whose names match typed text, those with the most games first. */
  async names(typed, limit = 10) {
    const words = wordsOf(typed);
    if (!words.some((word) => word.length > 1)) return [];
    const fits = (name) => { const own = wordsOf(name); return words.every((word) => own.some((other) => other.startsWith(word) || (words.length > 1 && other.length <= 2 && word.startsWith(other)))); };
    const lists = await Promise.all(words.filter((word) => word.length > 1).map((word) => this.playersBy(word)));
    const found = new Map(lists.flat().map((entry) => [entry.name, entry]));
    return [...found.values()].filter(({ name }) => fits(name)).sort((a, b) => b.games - a.games || a.rank - b.rank).slice(0, limit);
  }

  // ---- Games

  readRow(cursor, isBrief) {
    const row = { id: cursor.number(), names: Array.from({ length: 5 }, () => cursor.number()), flags: cursor.byte(), elo: [cursor.number(), cursor.number()], date: cursor.number(), plies: cursor.number(), round: cursor.known() };
    if (isBrief) return row;
    row.shape = cursor.number();
    if (row.flags & 32) row.days = [cursor.number(), cursor.number()];
    row.tags = cursor.known();
    if (row.flags & 128) row.notes = [cursor.number(), cursor.number()];
    return row;
  }

  /** A game by its number: its row, and its packed moves. */
  async stored(number) {
    const { at, size } = this.groups[Math.floor(number / GROUP)];
    const bytes = await this.chunk(at, size);
    if (!bytes.games) {
      const cursor = new Cursor(bytes);
      const games = [];
      for (let before = new Uint8Array(0); cursor.at < cursor.end;) {
        const row = this.readRow(cursor, false);
        const [shared, rest] = [cursor.number(), cursor.number()];
        const moves = new Uint8Array(shared + rest);
        moves.set(before.subarray(0, shared));
        moves.set(cursor.take(rest), shared);
        games.push({ row, moves });
        before = moves;
      }
      bytes.games = games;
    }
    return bytes.games[number % GROUP];
  }

  /** A row as `find --json` prints it; `ply` and `fen` say where a position was found. */
  async shown(row, ply = 0, fen = START) {
    const kinds = ['players', 'players', 'events', 'sites', 'eco'];
    const [white, black, event, site, eco] = await Promise.all(row.names.map(async (rank, i) => (rank ? (await this.nameAt(kinds[i], rank - 1)).text : null)));
    return { id: row.id, white, white_elo: row.elo[0] || null, black, black_elo: row.elo[1] || null, result: RESULTS[row.flags & 3], date: dateText(row.date), event, site,
      round: row.round, eco, plies: row.plies, speed: SPEEDS[row.flags >> 2 & 7], ply, fen };
  }

  async hasGame(id) { return (await this.numberOf(id)) !== null; }

  /** The game with an id as PGN. */
  async game(id) {
    const number = await this.numberOf(id);
    if (number === null) throw new PublishedError('missing', `There is no game ${id} among the published ones`);
    const { row, moves } = await this.stored(number);
    if (row.notes) {
      const record = await this.chunk(this.directory.notes[0] + row.notes[0], row.notes[1] + 4);
      const file = new Uint8Array(CMBR.length + record.length);
      file.set(CMBR);
      file.set(record, CMBR.length);
      return this.tabiya.game(file, 'cmbr').write('pgn');
    }
    const game = this.tabiya.game().readPacked(moves);
    const shown = await this.shown(row);
    const others = row.tags ? JSON.parse(row.tags) : {};
    const digits = (n) => String(n).padStart(2, '0');
    const own = { White: shown.white, Black: shown.black, Event: shown.event, Site: shown.site, ECO: shown.eco, Round: row.round, Result: shown.result, WhiteElo: row.elo[0] || null, BlackElo: row.elo[1] || null,
      Date: row.date ? `${String(Math.floor(row.date / 416)).padStart(4, '0')}.${row.date % 416 >> 5 ? digits(row.date % 416 >> 5) : '??'}.${row.date % 32 ? digits(row.date % 32) : '??'}` : '????.??.??' };
    const shape = row.shape ? (await this.nameAt('shapes', row.shape - 1)).text : '';
    for (const tag of shape.split(' ').filter(Boolean)) game.setTag(tag, String(others[tag] ?? own[tag] ?? ''));
    return game.write('pgn');
  }

  /** A part of the order of all games by id, date or rating: its numbers, and their ids. */
  async order(name, index) {
    const part = this.parts(name, `${name}-parts`)[index];
    if (!part) return [];
    const cursor = new Cursor(await this.chunk(part.at, part.size));
    const found = [];
    for (let id = part.key; cursor.at < cursor.end;) {
      if (name === 'ids') id += cursor.number();
      found.push({ id, number: cursor.fixed(this.directory['number-bytes']) });
    }
    return found;
  }

  async numberOf(id) {
    const index = lastAt(this.parts('ids', 'ids-parts'), id, ({ key }) => key);
    return (await this.order('ids', Math.max(0, index))).find((entry) => entry.id === id)?.number ?? null;
  }

  /** A game that is listed as a whole is shown at its start, which is usually the same. */
  async withStart(row) {
    return this.shown(row, 0, row.flags & 64 ? this.tabiya.game().readPacked((await this.stored(row.number)).moves).start().write() : START);
  }
}
