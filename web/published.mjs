/*
 * published.mjs - reads games that `tabiya publish` has written, from any web server: see docs/formats/published.md.
 *
 *     const games = await openPublished('https://example.org/site/data/', await load());
 *     await games.explore(tabiya.board());             // as `tabiya explore --json` prints it
 *     await games.game(17);                            // PGN
 *     await games.names('carl');                       // [{ name, games }]
 *     (await games.find({ player: 'Carlsen,M' })).games
 *
 * It fetches only the parts that it needs, and checks each of them: a wrong answer is never shown.
 */
import { Cursor, GROUP, PublishedError, lastAt } from './published-files.mjs';
import { PublishedGames, dateText, wordsOf } from './published-games.mjs';

const ORDER_PART = 4096;
const PLAYER_PART = 256;
const BLOCK = 32768;
const GROUPS_MOST = 40; // whose rows are sorted here, instead of walking through the order of all games

export async function openPublished(address, tabiya, options = {}) {
  const published = new Published(address, tabiya, options);
  await published.load();
  if (!published.manifest.delta) return published;
  const { manifest } = published;
  const delta = new Published(address, tabiya, options);
  await delta.load({ ...manifest.delta, title: manifest.title });
  return new PublishedPair(published, delta);
}

export class Published extends PublishedGames {
  // ---- Positions

  /** The table of a position and the numbers of its games; null if no game reaches it. */
  async table(board) {
    const key = board.hash();
    const [upper, check] = [Number(key >> 32n), Number(key >> 8n & 0xffffffn)];
    const index = lastAt(this.firsts, upper >>> 8);
    if (index < 0) return null;
    const bytes = await this.chunk(this.directory.positions[0] + index * BLOCK, BLOCK);
    const cursor = new Cursor(bytes);
    const [first, size, nAlone] = [cursor.fixed(4), cursor.fixed(4), cursor.fixed(4)];
    if (first >>> 8 !== this.firsts[index]) throw new PublishedError('damaged', 'The published games are damaged: a block of positions is in another\'s place');
    for (let at = first, end = cursor.at + size; cursor.at < end;) {
      at += cursor.number();
      const [other, length] = [cursor.fixed(3), cursor.number()];
      if (at === upper && other === check) return this.#readTable(new Cursor(bytes, cursor.at, cursor.at + length), board);
      if (at > upper) break;
      cursor.at += length;
    }
    for (const group of this.#aloneIn(bytes, 12 + size, nAlone, first, upper)) {
      const table = await this.#alone(group, board);
      if (table) return table;
    }
    return null;
  }

  /** The groups of the games that alone reach positions with these upper bits. */
  #aloneIn(bytes, start, n, first, upper) {
    const groups = [];
    let at = start * 8;
    const take = (count) => { let value = 0; for (let i = 0; i < count; i++, at++) value = value * 2 + (bytes[at >> 3] >> (7 - (at & 7)) & 1); return value; };
    for (let key = first; n > 0 && key <= upper; n--) {
      let zeros = 0;
      while (!take(1)) if (++zeros > 32) throw new PublishedError('damaged', 'The published games are damaged: a block of positions cannot be read');
      const high = 2 ** zeros + take(zeros) - 1;
      key += high * 2 ** this.directory['difference-bits'] + take(this.directory['difference-bits']);
      const group = take(this.directory['group-bits']);
      if (key === upper) groups.push(group);
    }
    return groups;
  }

  async #alone(group, board) {
    for (let number = group * GROUP; number < Math.min(this.games, (group + 1) * GROUP); number++) {
      const { row, moves } = await this.stored(number);
      const found = board.findIn(moves);
      if (!found) continue;
      const results = [0, 0, 0, 0].map((_, i) => Number(i === (row.flags & 3)));
      const side = board.describe().side === 'white' ? 0 : 1;
      const index = board.moves().findIndex(({ uci }) => uci === found.next);
      const counts = { games: 1, reached: 1, results, rated: Number(row.elo[side] > 0), ratings: row.elo[side], date: row.date };
      return { games: 1, ended: index < 0 ? 1 : 0, results, moves: index < 0 ? [] : [{ index, ...counts }], ranges: [[number, 1]], top: null };
    }
    return null;
  }

  async #readTable(cursor, board) {
    const table = { games: cursor.number(), moves: [], ranges: [], top: null };
    const listed = cursor.number();
    const results = (games) => { const [white, drawn, black] = [cursor.number(), cursor.number(), cursor.number()]; return [games - white - drawn - black, white, black, drawn]; };
    table.ended = cursor.number();
    table.results = table.ended ? results(table.ended) : [0, 0, 0, 0];
    for (let i = 0; i < listed >> 1; i++) {
      const [index, head] = [cursor.byte(), cursor.byte()];
      const games = (head & 7) === 7 ? 7 + cursor.number() : head & 7;
      const move = { index, games, reached: games + (head & 8 ? 0 : cursor.number()), results: [0, 0, 0, 0] };
      if (games > 1) move.results = results(games);
      else if (games) move.results[head >> 6] = 1;
      move.rated = head & 16 ? games : games && cursor.number();
      move.ratings = move.rated && cursor.number();
      move.date = head & 32 ? this.directory.newest - cursor.number() : 0;
      move.results.forEach((n, k) => { table.results[k] += n; });
      table.moves.push(move);
    }
    const readRanges = (from) => {
      for (let left = table.games, end = 0; left > 0;) {
        const [gap, isLong] = ((n) => [Math.floor(n / 2), n % 2])(from.number());
        const count = isLong ? from.number() + 2 : 1;
        table.ranges.push([end + gap, count]);
        end += gap + count;
        left -= count;
      }
    };
    if (listed % 2) table.apart = [cursor.end - 8, cursor.end].map((at) => new Cursor(cursor.bytes, at - (at === cursor.end ? 4 : 0)).fixed(4));
    else readRanges(cursor);
    if (table.games > 12) table.top = Array.from({ length: 12 }, () => cursor.fixed(this.directory['number-bytes']));
    table.complete = async () => { if (table.apart && !table.ranges.length) readRanges(new Cursor(await this.chunk(this.directory.ranges[0] + table.apart[0], table.apart[1]))); return table; };
    if (table.moves.some(({ index }) => index > board.moves().length)) throw new PublishedError('damaged', 'The published games are damaged: a table has moves that are not legal');
    return table;
  }

  /** The table of a position in all games. */
  wholeTable(board) { return this.table(board); }

  /**
   * What was played in a position, as `tabiya explore --json` prints it. With `transpositions`, also moves that no game played there but that lead to positions of games, if
   * any game reaches this one.
   */
  async explore(board, { transpositions = false } = {}) {
    const table = await this.wholeTable(board, transpositions) ?? { games: 0, ended: 0, results: [0, 0, 0, 0], moves: [] };
    const legal = board.moves();
    const opening = board.opening();
    const named = (results) => ({ white: results[1], draw: results[3], black: results[2], unknown: results[0] });
    const moves = table.moves.filter(({ games }) => games || transpositions).sort((a, b) => b.games - a.games || b.reached - a.reached)
      .map(({ index, games, reached, results, rated, ratings, date }) => ({ san: legal[index]?.san ?? '--', uci: legal[index]?.uci ?? '0000', games, reached, ...named(results),
        elo: rated ? Math.floor((ratings + Math.floor(rated / 2)) / rated) : null, last: dateText(date) }));
    return { fen: board.write(), eco: opening?.eco ?? null, name: opening?.name ?? null, games: table.games, ended: table.ended, ...named(table.results), moves };
  }

  // ---- Lists

  /** Some of the games that reach a position: `rows` as find() returns them. */
  async #ofPosition(board, { sort, offset, limit }) {
    const table = await this.table(board);
    if (!table) return { total: 0, rows: [] };
    let numbers;
    if (sort === '-elo' && table.top && offset + limit <= 12) numbers = table.top.slice(offset, offset + limit);
    else numbers = await this.#sorted((await table.complete?.() ?? table).ranges, table.games, { sort, offset, limit });
    const rows = await Promise.all(numbers.map(async (number) => {
      const { row, moves } = await this.stored(number);
      const { ply, fen } = board.findIn(moves) ?? {};
      if (ply === undefined) throw new PublishedError('damaged', 'The published games are damaged: a list has a game that does not reach its position');
      return this.shown(row, ply, fen);
    }));
    return { total: table.games, rows };
  }

  /** The first numbers of games in an order, from their rows. */
  async #byRows(numbers, { sort, offset, limit }) {
    const strength = ({ elo: [a, b] }) => (a && b ? a + b : 0);
    const compare = { id: () => 0, '-date': (a, b) => b.date - a.date, '-elo': (a, b) => strength(b) - strength(a) }[sort];
    const rows = await Promise.all(numbers.map(async (number) => ({ number, ...(await this.stored(number)).row })));
    return rows.sort((a, b) => compare(a, b) || a.id - b.id).slice(offset, offset + limit).map(({ number }) => number);
  }

  /** The first numbers of some ranges in an order: walks through all games in that order. */
  async #sorted(ranges, total, { sort, offset, limit }) {
    const order = { id: 'ids', '-date': 'dates', '-elo': 'ratings' }[sort];
    if (!order) throw new PublishedError('order', 'Published games are listed by number, newest first or strongest first');
    const groups = [...new Set(ranges.flatMap(([first, n]) => Array.from({ length: Math.min(GROUPS_MOST, Math.floor((first + n - 1) / GROUP) - Math.floor(first / GROUP) + 1) }, (_, i) => Math.floor(first / GROUP) + i)))];
    if (groups.length < GROUPS_MOST) {
      await this.fetchTogether(groups.map((group) => this.groups[group]));
      return this.#byRows(ranges.flatMap(([first, n]) => Array.from({ length: n }, (_, i) => first + i)), { sort, offset, limit });
    }
    const isIn = (number) => { const range = ranges[lastAt(ranges, number, ([first]) => first)]; return range && number < range[0] + range[1]; };
    const found = [];
    for (let part = 0; found.length < Math.min(total, offset + limit) && part * ORDER_PART < this.games; part++)
      for (const { number } of await this.order(order, part)) if (isIn(number)) found.push(number);
    return found.slice(offset, offset + limit);
  }

  /** Rows of a player's games, newest first: all, or those of a range of places. */
  async rowsOfPlayer(rank, [from, to] = [0, Infinity]) {
    const { at, sizes } = await this.nameAt('players', rank);
    const rows = [];
    for (let i = 0, place = at; i < sizes.length; place += sizes[i++]) {
      if ((i + 1) * PLAYER_PART <= from || i * PLAYER_PART >= to) continue;
      const cursor = new Cursor(await this.chunk(place, sizes[i]));
      for (let k = i * PLAYER_PART; cursor.at < cursor.end; k++) {
        const number = cursor.fixed(this.directory['number-bytes']);
        const row = this.readRow(cursor, true);
        if (k >= from && k < to) rows.push({ ...row, number });
      }
    }
    return rows;
  }

  async #ofPlayer(name, { sort, offset, limit }) {
    const [word] = wordsOf(name).sort((a, b) => b.length - a.length);
    const player = word && (await this.playersBy(word)).find((entry) => entry.name === name);
    if (!player) return { total: 0, rows: [] };
    const { games } = await this.nameAt('players', player.rank);
    const isNewest = sort === '-date';
    if (!isNewest && sort !== 'id') throw new PublishedError('order', 'The games of a player are listed by number or newest first');
    const rows = await this.rowsOfPlayer(player.rank, isNewest ? [offset, offset + limit] : undefined);
    const chosen = isNewest ? rows : rows.sort((a, b) => a.id - b.id).slice(offset, offset + limit);
    return { total: games, rows: await Promise.all(chosen.map((row) => this.withStart(row))) };
  }

  /** The games of an event, a site or an opening code. */
  async #ofName(kind, name, page) {
    const count = this.parts(kind, `${kind}-chunks`).reduce((n, { key }) => n + key, 0);
    for (let rank = 0; rank < count; rank++) {
      const entry = await this.nameAt(kind, rank);
      if (entry.text !== name) continue;
      const cursor = new Cursor(await this.chunk(entry.at, entry.sizes[0]));
      const ranges = [];
      for (let number = 0; cursor.at < cursor.end;) ranges.push([number += cursor.number(), 1]);
      const numbers = await this.#sorted(ranges, entry.games, page);
      return { total: entry.games, rows: await Promise.all(numbers.map(async (number) => this.withStart({ ...(await this.stored(number)).row, number }))) };
    }
    return { total: 0, rows: [] };
  }

  /**
   * Games as { games, total }: all of them, or those of a `board`, a `player` (exactly that name), an `event`, a `site` or an `eco` code; only one of these. `sort` is
   * 'id', '-date' or '-elo' (players' games: not '-elo').
   */
  async find({ board, player, event, site, eco, sort = 'id', offset = 0, limit = 20 } = {}) {
    const page = { sort, offset, limit };
    const named = Object.entries({ events: event, sites: site, eco }).find(([, name]) => name !== undefined);
    const { total, rows } = board ? await this.#ofPosition(board, page) : player !== undefined ? await this.#ofPlayer(player, page)
      : named ? await this.#ofName(...named, page) : await this.#ofAll(page);
    return { games: rows, total };
  }

  async #ofAll({ sort, offset, limit }) {
    const order = { id: 'ids', '-date': 'dates', '-elo': 'ratings' }[sort];
    if (!order) throw new PublishedError('order', 'Published games are listed by number, newest first or strongest first');
    const found = [];
    for (let part = Math.floor(offset / ORDER_PART); part * ORDER_PART < Math.min(this.games, offset + limit); part++)
      found.push(...(await this.order(order, part)).slice(Math.max(0, offset - part * ORDER_PART), offset + limit - part * ORDER_PART));
    return { total: this.games, rows: await Promise.all(found.map(async ({ number }) => this.withStart({ ...(await this.stored(number)).row, number }))) };
  }
}

/** Games that were published in two steps, as one collection: those of the first, and those that came later. */
export class PublishedPair extends Published {
  constructor(base, delta) {
    super(base.address, base.tabiya, { fetch: base.fetch });
    Object.assign(this, { both: [base, delta], games: base.games + delta.games, manifest: { ...base.manifest, games: base.games + delta.games } });
  }

  /** How many games of a part reach a position after a move: a table has all moves that lead to some, and where there is no table, the next one is asked. */
  async #reached(part, table, board, index) {
    if (table) return table.moves.find((move) => move.index === index)?.reached ?? 0;
    const after = board.clone();
    const move = board.moves()[index];
    if (!move) return 0;
    after.play(move.uci);
    return (await part.table(after))?.games ?? 0;
  }

  async wholeTable(board, transpositions) {
    const tables = await Promise.all(this.both.map((part) => part.table(board)));
    const known = tables.filter(Boolean);
    if (!known.length) return null;
    const indexes = transpositions && known.length < tables.length ? [...board.moves().keys()] : [...new Set(known.flatMap(({ moves }) => moves.map(({ index }) => index)))];
    const moves = await Promise.all(indexes.sort((a, b) => a - b).map(async (index) => {
      const own = known.map((table) => table.moves.find((move) => move.index === index)).filter(Boolean);
      const sum = (name) => own.reduce((n, move) => n + move[name], 0);
      const reached = await Promise.all(this.both.map((part, i) => this.#reached(part, tables[i], board, index)));
      return { index, games: sum('games'), reached: reached[0] + reached[1], results: [0, 1, 2, 3].map((k) => own.reduce((n, { results }) => n + results[k], 0)), rated: sum('rated'), ratings: sum('ratings'),
        date: Math.max(0, ...own.map(({ date }) => date)) };
    }));
    const sum = (name) => known.reduce((n, table) => n + table[name], 0);
    return { games: sum('games'), ended: sum('ended'), results: [0, 1, 2, 3].map((k) => known.reduce((n, { results }) => n + results[k], 0)), moves: moves.filter(({ games, reached }) => games || reached) };
  }

  async names(typed, limit = 10) {
    const found = new Map();
    for (const part of this.both) for (const { name, games } of await part.names(typed, Infinity)) found.set(name, (found.get(name) ?? 0) + games);
    return [...found].map(([name, games]) => ({ name, games })).sort((a, b) => b.games - a.games || (a.name < b.name ? -1 : 1)).slice(0, limit);
  }

  async game(id) {
    for (const part of this.both) if (await part.hasGame(id)) return part.game(id);
    return this.both[0].game(id); // its error
  }

  async find({ offset = 0, limit = 20, sort = 'id', ...what } = {}) {
    const answers = await Promise.all(this.both.map((part) => part.find({ ...what, sort, limit: offset + limit })));
    const strength = ({ white_elo: a, black_elo: b }) => (a && b ? a + b : 0);
    const compare = { id: () => 0, '-date': (a, b) => ((b.date ?? '') < (a.date ?? '') ? -1 : Number((b.date ?? '') > (a.date ?? ''))), '-elo': (a, b) => strength(b) - strength(a) }[sort];
    return { games: answers.flatMap(({ games }) => games).sort((a, b) => compare(a, b) || a.id - b.id).slice(offset, offset + limit), total: answers[0].total + answers[1].total };
  }
}
