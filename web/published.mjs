/*
 * published.mjs - reads games that `tabiya publish` has written, from any web server that answers range requests: see docs/formats/published.md.
 *     const games = await openPublished('https://example.org/site/data/', await load());
 *     await games.explore(tabiya.board());             // as `tabiya explore --json` prints it; also game(17), find({ player: 'Carlsen,M' }), names('carl')
 * It fetches only the parts that it needs, and checks each of them: a wrong answer is never shown. published-lists.mjs has more orders, and more patience with hosts.
 */
export const GROUP = 64; // games
const [BLOCK, ROWS, NUMBERS, UNPACKED_MOST, KEPT] = [32768, 256, 16384, 64e6, 600]; // bytes; games in a part of a player's list, and of another list; bytes of a part; parts in memory
const [RESULTS, SPEEDS] = [['*', '1-0', '0-1', '1/2-1/2'], [null, 'bullet', 'blitz', 'rapid', 'classical', 'correspondence']];
const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const decoder = new TextDecoder();
/** `kind` is 'network', 'ranges', 'missing', 'damaged', 'version' or 'order'. */
export class PublishedError extends Error {
  constructor(kind, message) { Object.assign(super(message), { name: 'PublishedError', kind }); }
}
const damaged = (what) => new PublishedError('damaged', `The published games are damaged: ${what}. Publish or copy them again`);
const wrong = () => { throw damaged('a part cannot be read'); };

/** The contents of a part, a file of gzip: its checksum is checked. */
export async function unpack(bytes) {
  const [parts, reader] = [[], new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')).getReader()];
  const read = () => reader.read().catch(() => { throw damaged('a part does not have its checksum'); });
  for (let n = 0, next; !(next = await read()).done; parts.push(next.value)) if ((n += next.value.length) > UNPACKED_MOST) throw damaged('a part is too large');
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Numbers and texts, one after the other. */
export class Cursor {
  constructor(bytes) { Object.assign(this, { bytes, at: 0 }); }
  take(n) { return n <= this.bytes.length - this.at ? this.bytes.subarray(this.at, this.at += n) : wrong(); }
  number() {
    for (let [value, factor] = [0, 1]; ; factor *= 128) {
      const byte = this.bytes[this.at++] ?? wrong();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }
  fixed(n) { return this.take(n).reduce((value, byte) => value * 256 + byte, 0); }
  known(n = this.number()) { return n ? decoder.decode(this.take(n - 1)) : null; } // a text that may be missing
  list(read) {
    const found = [];
    while (this.at < this.bytes.length) found.push(read(this));
    return found;
  }
}

/** The words of a name as they are compared: lower case without accents. */
export const wordsOf = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/[ßæœøłđðþı]/g, (c) => ({ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' })[c])
  .match(/[\p{L}\p{N}]+/gu) ?? [];
export const longestOf = (text) => wordsOf(text).reduce((a, b) => (b.length > a.length ? b : a), '');
const [digits, dateOf] = [(n, size = 2) => String(n).padStart(size, '0'), (code) => [Math.floor(code / 416), Math.floor(code % 416 / 32), code % 32]];
/** The date of a code, as 2019-05-31. */
export const dateText = (code, [year, month, day] = dateOf(code)) => (code ? digits(year, 4) + (month ? `-${digits(month)}` : '') + (month && day ? `-${digits(day)}` : '') : null);

/** Pawns and numbers of other pieces, as 32 bits: positions are sorted by this, then by their key. */
function shapeOf(board) {
  const squares = board.write().split(' ')[0].replace(/\d/g, (n) => ' '.repeat(n)).split('/').reverse().join('');
  const set = (piece) => [...squares].reduce((bits, other, i) => (other === piece ? bits | 1n << BigInt(i) : bits), 0n);
  const counts = [...'NnBbRrQq'].reduce((all, piece) => all << 4n | BigInt(squares.split(piece).length - 1), 0n);
  return Number(BigInt.asUintN(64, set('P') * 0x9e3779b97f4a7c15n + set('p') * 0xc2b2ae3d27d4eb4fn + counts * 0x165667b19e3779f9n) >> 32n);
}
const FAULTS = { 200: ['ranges', 'The host of these games does not support range requests (it ignores the header Range)'], 416: ['damaged', 'A file of the published games is cut short'],
  404: ['missing', 'The games were published again, or only in part: a file is not there. Load the page again'] };
export async function request({ address, fetch, traffic }, name, init) {
  const failed = (error) => { throw error.name === 'AbortError' ? error : new PublishedError('network', `${name} could not be fetched: ${error.message}`); };
  traffic.requests++;
  const response = await fetch(new URL(name, address), init).catch(failed);
  const isGood = response.status === (init?.headers ? 206 : 200);
  if (!isGood) response.body?.cancel().catch(() => {});
  if (!isGood) throw new PublishedError(...FAULTS[response.status] ?? ['network', `${name}: the host answered with status ${response.status}`]);
  const bytes = new Uint8Array(await response.arrayBuffer().catch(failed));
  traffic.bytes += bytes.length;
  return bytes;
}

/** Games that were published at once: those of the first time, or those that came later. The number of a game is its place in the files. */
export class Collection {
  kept = new Map(); // parts by place: promises
  constructor(host, manifest) { Object.assign(this, host, { manifest }); }
  async load() {
    const cursor = new Cursor(await unpack(await request(this, this.manifest.directory)));
    const directory = this.directory = JSON.parse(decoder.decode(cursor.take(cursor.fixed(4))));
    if (![2, 3, 4].includes(directory['number-bytes']) || !(directory['group-bits'] <= 32 && directory['difference-bits'] <= 32)) wrong();
    let [at, first, start] = [directory.groups, 0, 0];
    this.groups = Array.from({ length: Math.ceil(directory.games / GROUP) }, () => { const n = cursor.number(); return { size: n, at: (at += n) - n }; });
    this.firsts = cursor.list(() => { const n = cursor.number(); first += Math.floor(n / 2); return first * 2 ** 24 + (n % 2 ? cursor.fixed(3) : 0); });
    this.files = directory.files.map(([file, n]) => ({ file, start: (start += n) - n }));
    return Object.assign(this, { games: directory.games });
  }
  /** Bytes of the files, as if they were one; a `place` is { at, size }. */
  async bytes({ at, size }, init = {}) {
    const { file, start } = this.files.findLast((one) => one.start <= at);
    const bytes = await request(this, file, { headers: { Range: `bytes=${at - start}-${at - start + size - 1}` }, ...init });
    if (bytes.length !== size) throw new PublishedError('damaged', `${file} is cut short, or the host sent other bytes than were asked for`);
    return bytes;
  }
  fetchPart(place) { return this.bytes(place).then(unpack); }
  async part(place) {
    if (!this.kept.has(place.at) && this.kept.size > KEPT) this.kept.clear();
    if (!this.kept.has(place.at)) this.kept.set(place.at, this.fetchPart(place));
    return new Cursor(await this.kept.get(place.at).catch((error) => { this.kept.delete(place.at); throw error; }));
  }
  together(places) { return Promise.all(places.map((place) => this.part(place))); }
  /** The places of the parts of a section, with what the directory says of each. */
  parts(name) {
    let at = this.directory[name];
    return this[`parts of ${name}`] ??= this.directory[`${name}-chunks`].flatMap((size, i, all) => (i % 2 ? { key: all[i - 1], size, at: (at += size) - size } : []));
  }
  /** Names of a kind ('players', 'events', 'sites' or 'eco') by the beginning of a key: of a player any word, otherwise the name. */
  async entries(kind, prefix) {
    const [all, found] = [this.parts(kind), []];
    const first = all.findLastIndex(({ key }) => key < prefix); // the same key may begin there
    for (const cursor of await this.together(all.filter(({ key }, i) => i >= first && (key <= prefix || key.startsWith(prefix)))))
      for (let key = new Uint8Array(0); cursor.at < cursor.bytes.length;) {
        key = Uint8Array.of(...key.subarray(0, cursor.number()), ...cursor.take(cursor.number()));
        const text = decoder.decode(key);
        const entry = { kind, name: cursor.known() ?? text, games: cursor.number(), at: this.directory.lists + cursor.number(), before: cursor.number(), sizes: new Cursor(cursor.take(cursor.number())).list((c) => c.number()) };
        if (text.startsWith(prefix)) found.push(entry);
      }
    return found;
  }
  async named(kind, name, key = kind === 'players' ? longestOf(name) : name) { return key ? (await this.entries(kind, key)).find((entry) => entry.name === name) : undefined; }
  /** The games of a name: a player's as rows, newest first; others as { number } alone, by id. */
  async list({ kind, games, at, before, sizes }, from = 0, to = Infinity) {
    const [isPlayer, most] = [kind === 'players', kind === 'players' ? ROWS : NUMBERS];
    const [places, first] = [sizes.map((size) => ({ size, at: (at += size) - size })), Math.floor(from / most)];
    const parts = await this.together(places.slice(first, Math.ceil(to / most)));
    const rows = parts.flatMap((part) => part.list((c) => ({ number: this.#number(c), ...(isPlayer ? this.#readRow(c) : {}) })));
    return rows.slice(before + from - first * most, before + Math.min(games, to) - first * most);
  }
  /** A part of the order of all games: 'ids', 'dates' or 'ratings'. */
  async order(name, index) {
    let { key: id } = this.parts(name)[index];
    return (await this.part(this.parts(name)[index])).list((c) => ({ id: name === 'ids' ? id += c.number() : null, number: this.#number(c) }));
  }
  async numberOf(id) {
    const index = this.parts('ids').findLastIndex(({ key }) => key <= id);
    return index < 0 ? null : (await this.order('ids', index)).find((entry) => entry.id === id)?.number ?? null;
  }
  #number(c) { return c.fixed(this.directory['number-bytes']); }
  #readRow(c) { return { id: c.number(), flags: c.fixed(1), elo: [c.number(), c.number()], date: c.number(), plies: c.number(), texts: Array.from({ length: 6 }, () => c.known()) }; }
  /** A game: its row, and its packed moves. */
  async stored(number) {
    const cursor = await this.part(this.groups[Math.floor(number / GROUP)] ?? wrong());
    let moves = new Uint8Array(0);
    cursor.bytes.games ??= cursor.list((c) => {
      const row = this.#readRow(c);
      Object.assign(row, { shape: c.known(), days: row.flags & 32 ? [c.number(), c.number()] : null, tags: c.known(), notes: row.flags & 128 ? { at: this.directory.notes + c.number(), size: c.number() } : null });
      moves = Uint8Array.of(...moves.subarray(0, c.number()), ...c.take(c.number()));
      return { row, moves };
    });
    return cursor.bytes.games[number % GROUP] ?? wrong();
  }
  /** A row as `find --json` prints it; `ply` and `fen` say where a position was found. */
  async shown({ id, flags, elo, date, plies, texts: [white, black, event, site, round, eco], number }, ply = 0, fen = null) {
    fen ??= flags & 64 ? this.tabiya.game().readPacked((await this.stored(number)).moves).start().write() : START;
    return { id, white, white_elo: elo[0] || null, black, black_elo: elo[1] || null, result: RESULTS[flags & 3], date: dateText(date), event, site, round, eco, plies, speed: SPEEDS[flags >> 2 & 7], ply, fen };
  }
  /** A game at its start, or at a position that it reaches. */
  async row(number, board = null) {
    const { row, moves } = await this.stored(number);
    const found = board ? board.findIn(moves) ?? wrong() : { ply: 0 };
    return this.shown({ ...row, number }, found.ply, found.fen);
  }
  rows(numbers, board) { return Promise.all(numbers.map((number) => this.row(number, board))); }
  async game(number) {
    const { row: { notes, tags, shape, ...row }, moves } = await this.stored(number);
    if (notes) return this.tabiya.game((await this.part(notes)).bytes, 'cmbr').write('pgn');
    const [game, [White, Black, Event, Site, Round, ECO], [year, month, day]] = [this.tabiya.game().readPacked(moves), row.texts, dateOf(row.date)];
    const Date = row.date ? `${digits(year, 4)}.${month ? digits(month) : '??'}.${day ? digits(day) : '??'}` : '????.??.??';
    const all = { White, Black, Event, Site, Round, ECO, Date, Result: RESULTS[row.flags & 3], WhiteElo: row.elo[0] || null, BlackElo: row.elo[1] || null, ...JSON.parse(tags ?? '{}') };
    for (const tag of (shape ?? '').split(' ').filter(Boolean)) game.setTag(tag, String(all[tag] ?? ''));
    return game.write('pgn');
  }
  /** The table of a position; null if no game reaches it. Its `ranges()` are the numbers of its games, `top` the first 12 by rating if there are more. */
  async table(board) {
    const [shape, key] = [shapeOf(board), board.hash()];
    const index = this.firsts.findLastIndex((first) => first <= shape * 65536 + Number(key >> 48n));
    if (index < 0) return null;
    const cursor = await this.part({ at: this.directory.positions + index * BLOCK, size: BLOCK });
    const [first, size, nAlone] = [cursor.fixed(4), cursor.fixed(4), cursor.fixed(4)];
    if (first !== Math.floor(this.firsts[index] / 65536)) wrong();
    for (let other = first, end = cursor.at + size; cursor.at < end;) {
      other += cursor.number();
      const [check, table] = [cursor.fixed(5), cursor.take(cursor.number())];
      if (other === shape && check === Number(key >> 24n)) return this.#readTable(new Cursor(table), board);
    }
    for (const group of this.#groupsOf(cursor.bytes, 8 * cursor.at, nAlone, first, shape, Number(key >> 16n & 0xffffffffn)))
      for (let number = group * GROUP; number < Math.min(this.games, (group + 1) * GROUP); number++) {
        const { row: { flags, elo, date }, moves } = await this.stored(number);
        const found = board.findIn(moves);
        if (!found) continue;
        const [at, rating] = [board.moves().findIndex(({ uci }) => uci === found.next), elo[board.describe().side === 'white' ? 0 : 1]];
        const counts = { games: 1, reached: 1, results: RESULTS.map((_, i) => Number(i === (flags & 3))), rated: Number(rating > 0), ratings: rating, date };
        return { ...counts, ended: Number(at < 0), moves: at < 0 ? [] : [{ index: at, ...counts }], ranges: async () => [[number, 1]], top: null };
      }
    return null;
  }
  /** The groups of the games that alone reach positions like this one, from a string of bits. */
  #groupsOf(bytes, at, n, other, shape, key) {
    const take = (count, value = 0) => { for (; count > 0; count--, at++) value = value * 2 + (bytes[at >> 3] >> (7 - (at & 7)) & 1); return value; };
    const number = (k, zeros = 0) => { while (!take(1)) if (++zeros > 32) wrong(); return (2 ** zeros + take(zeros) - 1) * 2 ** k + take(k); };
    const groups = new Set();
    for (; n > 0 && other <= shape; n--) {
      other += number(this.directory['difference-bits']);
      const count = number(0);
      const width = 40 - Math.clz32(count); // 8 more than the bits of the count
      for (let i = 0; i < (count || 1) && at < 8 * bytes.length; i++) {
        const [mark, group] = [count ? take(width) : null, take(this.directory['group-bits'])];
        if (other === shape && (!count || mark === Math.floor(key / 2 ** (32 - width)))) groups.add(group);
      }
    }
    return groups;
  }
  #readTable(c, board) {
    const [games, listed, ended] = [c.number(), c.number(), c.number()];
    const results = (n, [white, drawn, black] = [c.number(), c.number(), c.number()]) => [n - white - drawn - black, white, black, drawn];
    const first = ended ? results(ended) : [0, 0, 0, 0];
    const moves = Array.from({ length: Math.floor(listed / 2) }, () => {
      const [index, head] = [c.fixed(1), c.fixed(1)];
      const n = (head & 7) === 7 ? 7 + c.number() : head & 7;
      const move = { index, games: n, reached: n + (head & 8 ? 0 : c.number()), results: n > 1 ? results(n) : RESULTS.map((_, i) => Number(i === head >> 6)), rated: head & 16 ? n : c.number() };
      return Object.assign(move, { ratings: move.rated && c.number(), date: head & 32 ? this.directory.newest - c.number() : 0 });
    });
    if (moves.some(({ index }) => index > board.moves().length)) wrong();
    const readRanges = (from, found = [], left = games) => {
      for (let end = 0, gap, n; left > 0; left -= n, end += n) found.push([end += Math.floor((gap = from.number()) / 2), n = gap % 2 ? from.number() + 2 : 1]);
      return left < 0 || found.at(-1)[0] + found.at(-1)[1] > this.games ? wrong() : found;
    };
    const near = listed % 2 ? null : readRanges(c);
    const top = games > 12 ? Array.from({ length: 12 }, () => this.#number(c)) : null;
    const far = near ?? { at: this.directory.ranges + c.fixed(4), size: c.fixed(4) };
    return { games, ended, moves, top, results: first.map((n, k) => moves.reduce((all, move) => all + move.results[k], n)), ranges: async () => near ?? readRanges(await this.part(far)) };
  }
}

/** Bytes that make no sense are damage, too. */
const guarded = (work) => (...args) => work(...args).catch((error) => { throw [RangeError, TypeError, SyntaxError].some((type) => error instanceof type) ? damaged('a part cannot be read') : error; });
const sum = (list, name) => list.reduce((n, one) => n + (one?.[name] ?? 0), 0);
const resultsOf = (list, [unknown, white, black, draw] = RESULTS.map((_, i) => list.reduce((n, one) => n + (one?.results[i] ?? 0), 0))) => ({ white, draw, black, unknown });

export class Published {
  constructor(collections, manifest, tabiya) {
    Object.assign(this, { collections, manifest, tabiya, traffic: collections[0].traffic, games: sum(collections, 'games') });
    for (const name of ['explore', 'names', 'find', 'game']) this[name] = guarded(this[name].bind(this));
  }
  each(ask) { return Promise.all(this.collections.map(ask)); }
  /** What was played in a position, as `tabiya explore --json` prints it. */
  async explore(board) {
    const [tables, legal, opening] = [await this.each((collection) => collection.table(board)), board.moves(), board.opening()];
    const moves = await Promise.all([...new Set(tables.flatMap((table) => table?.moves.map(({ index }) => index) ?? []))].sort((a, b) => a - b).map(async (index) => {
      const { san, uci } = legal[index] ?? { san: '--', uci: '0000' };
      const own = tables.map((table) => table?.moves.find((move) => move.index === index));
      const next = () => { const after = board.clone(); after.play(uci); return after; };
      const reached = await this.each(async (collection, i) => own[i]?.reached ?? (legal[index] ? (await collection.table(next()))?.games : 0) ?? 0); // where nobody played it, there may be the position after it
      const rated = sum(own, 'rated');
      return { san, uci, games: sum(own, 'games'), reached: reached.reduce((a, b) => a + b), ...resultsOf(own), elo: rated ? Math.floor((sum(own, 'ratings') + Math.floor(rated / 2)) / rated) : null, last: dateText(Math.max(...own.map((move) => move?.date ?? 0))) };
    }));
    moves.sort((a, b) => b.games - a.games || b.reached - a.reached);
    return { fen: board.write(), eco: opening?.eco ?? null, name: opening?.name ?? null, games: sum(tables, 'games'), ended: sum(tables, 'ended'), ...resultsOf(tables), moves };
  }
  /** Players whose names match typed text, those with the most games first. */
  async names(typed, limit = 10) {
    const [words, found] = [wordsOf(typed), new Map()];
    const fits = (own) => words.every((word) => own.some((other) => other.startsWith(word) || (words.length > 1 && other.length <= 2 && word.startsWith(other))));
    const lists = longestOf(typed).length > 1 ? await this.each((collection) => collection.entries('players', longestOf(typed))) : [];
    for (const list of lists) for (const [name, { games }] of new Map(list.map((entry) => [entry.name, entry]))) if (fits(wordsOf(name))) found.set(name, (found.get(name) ?? 0) + games);
    return [...found].map(([name, games]) => ({ name, games })).sort((a, b) => b.games - a.games || (a.name < b.name ? -1 : 1)).slice(0, limit);
  }
  /** The game with an id as PGN. */
  async game(id) {
    const numbers = await this.each((collection) => collection.numberOf(id));
    const i = numbers.findIndex((number) => number !== null);
    if (i < 0) throw new PublishedError('missing', `There is no game ${id} among the published ones`);
    return this.collections[i].game(numbers[i]);
  }
  /** Games as { games, total }: of a `board` those with the highest ratings, 12 at most; of a `player`, newest first; of an `event`, a `site` or an `eco` code by id. */
  async find({ board, player, event, site, eco, offset = 0, limit = 12 }) {
    const [kind, name] = Object.entries({ players: player, events: event, sites: site, eco }).find(([, text]) => text !== undefined) ?? [];
    const answers = await this.each(async (collection) => {
      const found = board ? await collection.table(board) : await collection.named(kind, name);
      const numbers = board && found ? found.top ?? (await found.ranges()).flatMap(([first, n]) => Array.from({ length: n }, (_, i) => first + i)) : null;
      const rows = found && !board ? await collection.list(found, 0, offset + limit) : [];
      return { total: found?.games ?? 0, games: await (kind === 'players' ? Promise.all(rows.map((row) => collection.shown(row))) : collection.rows(numbers ?? rows.map(({ number }) => number), board)) };
    });
    const rank = ({ white_elo: a, black_elo: b, date }) => (board ? a && b ? a + b : 0 : kind === 'players' ? date ?? '' : 0);
    const games = answers.flatMap((answer) => answer.games).sort((a, b) => (rank(a) < rank(b) ? 1 : rank(a) > rank(b) ? -1 : a.id - b.id));
    return { games: games.slice(offset, offset + limit), total: sum(answers, 'total') };
  }
}

/** The games in a folder data/; `fetch` may be another one, `Part` another class for the collections, and `All` for all of them. */
export async function openPublished(address, tabiya, { fetch = globalThis.fetch.bind(globalThis), Part = Collection, All = Published } = {}) {
  const host = { address: new URL(address, globalThis.location?.href), fetch, tabiya, traffic: { requests: 0, bytes: 0 } };
  const manifest = await new Response(await request(host, 'manifest.json', { cache: 'no-cache' })).json().catch(() => { throw new PublishedError('damaged', 'manifest.json cannot be read'); });
  if (manifest?.format !== 'tabiya-published') throw new PublishedError('version', 'There are no published games at this address');
  if (manifest.version !== 1) throw new PublishedError('version', `These games are published in version ${manifest.version} of the format, which this page does not know. Load the page again`);
  return guarded(async () => new All(await Promise.all([manifest, manifest.delta].filter(Boolean).map((one) => new Part(host, one).load())), manifest, tabiya))();
}
