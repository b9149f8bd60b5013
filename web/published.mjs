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
const VERSION = 1;
const GROUP = 64;
const ORDER_PART = 4096;
const PLAYER_PART = 256;
const BLOCK = 32768;
const WHOLE_MOST = 32e6; // bytes of a collection that is loaded as a whole if the host knows no ranges
const KEPT = 400; // chunks
const RESULTS = ['*', '1-0', '0-1', '1/2-1/2'];
const SPEEDS = [null, 'bullet', 'blitz', 'rapid', 'classical', 'correspondence'];
const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const CMBR = Uint8Array.of(0x43, 0x4d, 0x42, 0x52, 0x21, 1, 0, 0);
const decoder = new TextDecoder();

/** `kind` is 'network', 'ranges', 'missing', 'damaged' or 'version'. */
export class PublishedError extends Error {
  constructor(kind, message) {
    super(message);
    this.name = 'PublishedError';
    this.kind = kind;
  }
}

const CRC = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let i = 0; i < 8; i++) n = n & 1 ? (n >>> 1) ^ 0x82f63b78 : n >>> 1;
  return n;
});
/** Are the last four bytes the checksum of the others? */
function isSound(bytes) {
  const end = bytes.length - 4;
  let crc = ~0;
  for (let i = 0; i < end; i++) crc = (crc >>> 8) ^ CRC[(crc ^ bytes[i]) & 255];
  return end >= 0 && ~crc >>> 0 === new DataView(bytes.buffer, bytes.byteOffset).getUint32(end);
}

/** Numbers and texts, one after the other; throws a RangeError beyond the end. */
class Cursor {
  constructor(bytes, at = 0, end = bytes.length) { Object.assign(this, { bytes, at, end }); }

  byte() {
    if (this.at >= this.end) throw new RangeError('beyond the end');
    return this.bytes[this.at++];
  }

  number() {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  fixed(n) {
    let value = 0;
    for (let i = 0; i < n; i++) value = value * 256 + this.byte();
    return value;
  }

  take(n) {
    if (n > this.end - this.at) throw new RangeError('beyond the end');
    return this.bytes.subarray(this.at, this.at += n);
  }

  text(n = this.number()) { return decoder.decode(this.take(n)); }

  /** A text that may be missing. */
  known() {
    const n = this.number();
    return n ? this.text(n - 1) : null;
  }
}

/** The words of a name as they are compared: lower case without accents. */
export const wordsOf = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/[ßæœøłđðþı]/g, (c) => ({ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' })[c])
  .match(/[\p{L}\p{N}]+/gu) ?? [];

function dateText(code) {
  if (!code) return null;
  const [year, month, day] = [Math.floor(code / 416), Math.floor(code % 416 / 32), code % 32];
  const two = (n) => String(n).padStart(2, '0');
  return String(year).padStart(4, '0') + (month ? `-${two(month)}` : '') + (month && day ? `-${two(day)}` : '');
}

/** The last index whose value is not greater; -1 if there is none. */
function lastAt(list, value, of = (x) => x) {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (of(list[middle]) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export async function openPublished(address, tabiya, options = {}) {
  const published = new Published(address, tabiya, options);
  await published.load();
  return published;
}

export class Published {
  #kept = new Map(); // chunks by place: promises
  #whole = new Map(); // files of a host without ranges
  /** Requests to the host so far, and the bytes of their answers. */
  traffic = { requests: 0, bytes: 0 };

  constructor(address, tabiya, { fetch = globalThis.fetch.bind(globalThis) } = {}) {
    Object.assign(this, { address: new URL(address, globalThis.location?.href), tabiya, fetch });
  }

  // ---- Bytes

  async #request(name, init) {
    for (let left = 1; ; left--) // a connection may be cut
      try {
        this.traffic.requests++;
        const response = await this.fetch(new URL(name, this.address), init);
        if (response.status === 404 || response.status === 410) throw new PublishedError('missing', `${name} is not there: the games were published again, or only in part. Load the page again`);
        if (response.status === 416) throw new PublishedError('damaged', `${name} is cut short`);
        if (!response.ok) throw new PublishedError('network', `${name}: the host answered with status ${response.status}`);
        if (response.status === 200 && init?.headers) return await this.#withoutRanges(name, response);
        const bytes = new Uint8Array(await response.arrayBuffer());
        this.traffic.bytes += bytes.length;
        return bytes;
      } catch (error) {
        if (error instanceof PublishedError || error.name === 'AbortError') throw error;
        if (!left) throw new PublishedError('network', `${name} could not be fetched: ${error.message}`);
      }
  }

  /** The host has begun to send the whole file: only of a small collection it is read. */
  async #withoutRanges(name, response) {
    if (this.manifest.bytes > WHOLE_MOST) {
      await response.body?.cancel();
      throw new PublishedError('ranges', `The host of these games does not support range requests (it ignores the header Range), and they are too large to be loaded as a whole: ${Math.round(this.manifest.bytes / 1e6)} MB`);
    }
    const bytes = new Uint8Array(await response.arrayBuffer());
    this.traffic.bytes += bytes.length;
    this.#whole.set(name, bytes);
    return null;
  }

  /** Bytes of the files, as if they were one. */
  async #bytes(at, n, cache) {
    const file = this.files[lastAt(this.files, at, ({ start }) => start)];
    const from = at - file.start;
    if (!this.#whole.has(file.name)) {
      const bytes = await this.#request(file.name, { headers: { Range: `bytes=${from}-${from + n - 1}` }, ...(cache ? { cache } : {}) });
      if (bytes && bytes.length !== n) throw new PublishedError('damaged', `${file.name} is cut short, or the host sent other bytes than were asked for`);
      if (bytes) return bytes;
    }
    return this.#whole.get(file.name).subarray(from, from + n);
  }

  async #fetchChunk(at, n) {
    for (const cache of [undefined, 'reload']) {
      const bytes = await this.#bytes(at, n, cache).catch((error) => { if (cache || error.kind !== 'damaged') throw error; return new Uint8Array(0); });
      if (bytes.length === n && isSound(bytes)) return bytes.subarray(0, n - 4);
    }
    throw new PublishedError('damaged', 'The published games are damaged: a part does not have its checksum. Publish or copy them again');
  }

  /** A chunk without its checksum, `n` bytes with it. */
  async chunk(at, n) {
    const known = this.#kept.get(at) ?? this.#fetchChunk(at, n);
    this.#kept.delete(at);
    this.#kept.set(at, known); // the last used is the last
    if (this.#kept.size > KEPT) this.#kept.delete(this.#kept.keys().next().value);
    try {
      return await known;
    } catch (error) {
      this.#kept.delete(at);
      throw error;
    }
  }

  async load() {
    let manifest;
    try {
      manifest = JSON.parse(decoder.decode(await this.#request('manifest.json', { cache: 'no-cache' })));
    } catch (error) {
      throw error instanceof PublishedError ? error : new PublishedError('damaged', 'manifest.json cannot be read');
    }
    if (manifest.format !== 'tabiya-published') throw new PublishedError('version', 'There are no published games at this address');
    if (manifest.version !== VERSION) throw new PublishedError('version', `These games are published in version ${manifest.version} of the format, which this page does not know. Load the page again`);
    this.manifest = manifest;
    const bytes = await this.#request(manifest.directory);
    if (bytes.length !== manifest['directory-bytes'] || !isSound(bytes)) throw new PublishedError('damaged', `${manifest.directory} is damaged or not complete`);
    const cursor = new Cursor(bytes, 0, bytes.length - 4);
    const directory = JSON.parse(cursor.text(cursor.fixed(4)));
    let [start, first] = [0, 0];
    this.groups = Array.from({ length: Math.ceil(directory.games / GROUP) }, () => {
      const size = cursor.number();
      start += size;
      return { at: directory.groups[0] + start - size, size };
    });
    this.firsts = Array.from({ length: directory.blocks }, () => first += cursor.number());
    start = 0;
    this.files = directory.files.map(([name, size]) => ({ name, size, start: (start += size) - size }));
    Object.assign(this, { directory, games: directory.games });
  }

  // ---- Names

  /** Parts of a section, [COUNT or FIRST, SIZE] in the directory, with their places. */
  #parts(name, list) {
    let [at, first] = [this.directory[name][0], 0];
    return (this[`parts of ${name}`] ??= this.directory[list].map(([key, size]) => ({ key, size, at: (at += size) - size, first: list.endsWith('chunks') && typeof key === 'number' ? (first += key) - key : 0 })));
  }

  /** The name with a rank: { text, games, at, sizes }, the last two of its list of games. */
  async #name(kind, rank) {
    const parts = this.#parts(kind, `${kind}-chunks`);
    const part = parts[lastAt(parts, rank, ({ first }) => first)];
    const bytes = await this.chunk(part.at, part.size);
    const cache = (bytes.names ??= []);
    const cursor = new Cursor(bytes);
    while (cache.length < part.key && !cache.length) for (let i = 0; i < part.key; i++) {
      const entry = { text: cursor.text(), games: cursor.number() };
      if (kind !== 'shapes') {
        entry.at = this.directory.lists[0] + cursor.number();
        const sizes = new Cursor(cursor.take(cursor.number()));
        for (entry.sizes = []; sizes.at < sizes.end;) entry.sizes.push(sizes.number());
      }
      cache.push(entry);
    }
    return cache[rank - part.first];
  }

  /** Players with a word that begins like this: [{ name, games, rank }]. */
  async #players(prefix) {
    const parts = this.#parts('words', 'words-chunks');
    const found = [];
    for (let i = Math.max(0, lastAt(parts, prefix, ({ key }) => key)); i < parts.length && (parts[i].key <= prefix || parts[i].key.startsWith(prefix)); i++) {
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
    const lists = await Promise.all(words.filter((word) => word.length > 1).map((word) => this.#players(word)));
    const found = new Map(lists.flat().map((entry) => [entry.name, entry]));
    return [...found.values()].filter(({ name }) => fits(name)).sort((a, b) => b.games - a.games || a.rank - b.rank).slice(0, limit);
  }

  // ---- Games

  #row(cursor, isBrief) {
    const row = { id: cursor.number(), names: Array.from({ length: 5 }, () => cursor.number()), flags: cursor.byte(), elo: [cursor.number(), cursor.number()], date: cursor.number(), plies: cursor.number(), round: cursor.known() };
    if (isBrief) return row;
    row.shape = cursor.number();
    if (row.flags & 32) row.days = [cursor.number(), cursor.number()];
    row.tags = cursor.known();
    if (row.flags & 128) row.notes = [cursor.number(), cursor.number()];
    return row;
  }

  /** A game by its number: its row, and its packed moves. */
  async #stored(number) {
    const { at, size } = this.groups[Math.floor(number / GROUP)];
    const bytes = await this.chunk(at, size);
    if (!bytes.games) {
      const cursor = new Cursor(bytes);
      const games = [];
      for (let before = new Uint8Array(0); cursor.at < cursor.end;) {
        const row = this.#row(cursor, false);
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
  async #shown(row, ply = 0, fen = START) {
    const kinds = ['players', 'players', 'events', 'sites', 'eco'];
    const [white, black, event, site, eco] = await Promise.all(row.names.map(async (rank, i) => (rank ? (await this.#name(kinds[i], rank - 1)).text : null)));
    return { id: row.id, white, white_elo: row.elo[0] || null, black, black_elo: row.elo[1] || null, result: RESULTS[row.flags & 3], date: dateText(row.date), event, site,
      round: row.round, eco, plies: row.plies, speed: SPEEDS[row.flags >> 2 & 7], ply, fen };
  }

  /** The game with an id as PGN. */
  async game(id) {
    const number = await this.#numberOf(id);
    if (number === null) throw new PublishedError('missing', `There is no game ${id} among the published ones`);
    const { row, moves } = await this.#stored(number);
    if (row.notes) {
      const record = await this.chunk(this.directory.notes[0] + row.notes[0], row.notes[1] + 4);
      const file = new Uint8Array(CMBR.length + record.length);
      file.set(CMBR);
      file.set(record, CMBR.length);
      return this.tabiya.game(file, 'cmbr').write('pgn');
    }
    const game = this.tabiya.game().readPacked(moves);
    const shown = await this.#shown(row);
    const others = row.tags ? JSON.parse(row.tags) : {};
    const digits = (n) => String(n).padStart(2, '0');
    const own = { White: shown.white, Black: shown.black, Event: shown.event, Site: shown.site, ECO: shown.eco, Round: row.round, Result: shown.result, WhiteElo: row.elo[0] || null, BlackElo: row.elo[1] || null,
      Date: row.date ? `${String(Math.floor(row.date / 416)).padStart(4, '0')}.${row.date % 416 >> 5 ? digits(row.date % 416 >> 5) : '??'}.${row.date % 32 ? digits(row.date % 32) : '??'}` : '????.??.??' };
    const shape = row.shape ? (await this.#name('shapes', row.shape - 1)).text : '';
    for (const tag of shape.split(' ').filter(Boolean)) game.setTag(tag, String(others[tag] ?? own[tag] ?? ''));
    return game.write('pgn');
  }

  /** A part of the order of all games by id, date or rating: its numbers, and their ids. */
  async #order(name, index) {
    const part = this.#parts(name, `${name}-parts`)[index];
    if (!part) return [];
    const cursor = new Cursor(await this.chunk(part.at, part.size));
    const found = [];
    for (let id = part.key; cursor.at < cursor.end;) {
      if (name === 'ids') id += cursor.number();
      found.push({ id, number: cursor.fixed(this.directory['number-bytes']) });
    }
    return found;
  }

  async #numberOf(id) {
    const index = lastAt(this.#parts('ids', 'ids-parts'), id, ({ key }) => key);
    return (await this.#order('ids', Math.max(0, index))).find((entry) => entry.id === id)?.number ?? null;
  }

  // ---- Positions

  /** The table of a position and the numbers of its games; null if no game reaches it. */
  async #table(board) {
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
      const { row, moves } = await this.#stored(number);
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

  /**
   * What was played in a position, as `tabiya explore --json` prints it. With `transpositions`, also moves that no game played there but that lead to positions of games, if
   * any game reaches this one.
   */
  async explore(board, { transpositions = false } = {}) {
    const table = await this.#table(board) ?? { games: 0, ended: 0, results: [0, 0, 0, 0], moves: [] };
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
    const table = await this.#table(board);
    if (!table) return { total: 0, rows: [] };
    let numbers;
    if (sort === '-elo' && table.top && offset + limit <= 12) numbers = table.top.slice(offset, offset + limit);
    else numbers = await this.#sorted((await table.complete?.() ?? table).ranges, table.games, { sort, offset, limit });
    const rows = await Promise.all(numbers.map(async (number) => {
      const { row, moves } = await this.#stored(number);
      const { ply, fen } = board.findIn(moves) ?? {};
      if (ply === undefined) throw new PublishedError('damaged', 'The published games are damaged: a list has a game that does not reach its position');
      return this.#shown(row, ply, fen);
    }));
    return { total: table.games, rows };
  }

  /** The first numbers of some ranges in an order: walks through all games in that order. */
  async #sorted(ranges, total, { sort, offset, limit }) {
    const order = { id: 'ids', '-date': 'dates', '-elo': 'ratings' }[sort];
    if (!order) throw new PublishedError('order', 'Published games are listed by number, newest first or strongest first');
    const isIn = (number) => { const range = ranges[lastAt(ranges, number, ([first]) => first)]; return range && number < range[0] + range[1]; };
    const found = [];
    for (let part = 0; found.length < Math.min(total, offset + limit) && part * ORDER_PART < this.games; part++)
      for (const { number } of await this.#order(order, part)) if (isIn(number)) found.push(number);
    return found.slice(offset, offset + limit);
  }

  async #ofPlayer(name, { sort, offset, limit }) {
    const [word] = wordsOf(name).sort((a, b) => b.length - a.length);
    const player = word && (await this.#players(word)).find((entry) => entry.name === name);
    if (!player) return { total: 0, rows: [] };
    const { games, at, sizes } = await this.#name('players', player.rank);
    const isNewest = sort === '-date';
    if (!isNewest && sort !== 'id') throw new PublishedError('order', 'The games of a player are listed by number or newest first');
    const rows = [];
    for (let i = 0, place = at; i < sizes.length; place += sizes[i++]) {
      if (isNewest && ((i + 1) * PLAYER_PART <= offset || i * PLAYER_PART >= offset + limit)) continue;
      const cursor = new Cursor(await this.chunk(place, sizes[i]));
      for (let k = i * PLAYER_PART; cursor.at < cursor.end; k++) {
        const number = cursor.fixed(this.directory['number-bytes']);
        const row = this.#row(cursor, true);
        if (!isNewest || (k >= offset && k < offset + limit)) rows.push({ ...row, number });
      }
    }
    const chosen = isNewest ? rows : rows.sort((a, b) => a.id - b.id).slice(offset, offset + limit);
    return { total: games, rows: await Promise.all(chosen.map((row) => this.#withStart(row))) };
  }

  /** The games of an event, a site or an opening code. */
  async #ofName(kind, name, page) {
    const count = this.#parts(kind, `${kind}-chunks`).reduce((n, { key }) => n + key, 0);
    for (let rank = 0; rank < count; rank++) {
      const entry = await this.#name(kind, rank);
      if (entry.text !== name) continue;
      const cursor = new Cursor(await this.chunk(entry.at, entry.sizes[0]));
      const ranges = [];
      for (let number = 0; cursor.at < cursor.end;) ranges.push([number += cursor.number(), 1]);
      const numbers = await this.#sorted(ranges, entry.games, page);
      return { total: entry.games, rows: await Promise.all(numbers.map(async (number) => this.#withStart({ ...(await this.#stored(number)).row, number }))) };
    }
    return { total: 0, rows: [] };
  }

  /** A game that is listed as a whole is shown at its start, which is usually the same. */
  async #withStart(row) {
    return this.#shown(row, 0, row.flags & 64 ? this.tabiya.game().readPacked((await this.#stored(row.number)).moves).start().write() : START);
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
      found.push(...(await this.#order(order, part)).slice(Math.max(0, offset - part * ORDER_PART), offset + limit - part * ORDER_PART));
    return { total: this.games, rows: await Promise.all(found.map(async ({ number }) => this.#withStart({ ...(await this.#stored(number)).row, number }))) };
  }
}
