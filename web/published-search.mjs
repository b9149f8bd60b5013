/*
 * published-search.mjs - queries over published games: lists and positions give candidates, and a second WebAssembly module,
 * search.wasm, checks each of them. Both the meaning of a query and its errors are the library's.
 *
 * Lists of players, events, sites, opening codes, dates and ratings, and the tables of positions narrow a search down. What is left is
 * fetched in storage order, up to MOST bytes: a search that would need more answers with what it has found and says so.
 */
import { expand, isIn } from './published-lists.mjs';
import { GROUP, PublishedError, wordsOf } from './published.mjs';

const MOST = 24e6; // bytes of games that one search fetches
const NAMES_MOST = 3e6; // bytes of events or sites that are looked through
const OPENINGS_MOST = 100; // positions with a name of an opening
const KEPT = 6; // answers
const BATCH = 1e6; // bytes between two reports of progress
const [NEEDS_NOTES, NEEDS_COLLECTIONS] = [4, 16];
const CMBR_HEADER = 8; // bytes before the record of a game with comments
/** Conditions that the rows in players' lists can answer, without moves and tags. */
const BRIEF = new Set(['player', 'white', 'black', 'event', 'site', 'place', 'eco', 'elo', 'white-elo', 'black-elo', 'any-elo', 'mean-elo', 'elo-diff', 'date', 'result', 'plies', 'round', 'id']);
/** Conditions that lists know, those that leave the fewest games first. */
const LISTED = ['player', 'white', 'black', 'eco', 'event', 'site', 'place', 'named', 'opening', 'date', 'elo', 'mean-elo'];
const FEW = 640; // candidates that are checked without asking more lists
const NONE = 0xffffffff;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

const joined = (a, b) => { const other = new Set(b); return a.filter((number) => other.has(number)); };
const size = (ranges) => ranges.reduce((sum, [, n]) => sum + n, 0);
const sorted = (numbers) => [...new Set(numbers)].sort((a, b) => a - b);
const longest = (words) => words.reduce((a, b) => (b.length > a.length ? b : a), '');

/** Years that a date condition covers, as [from, to]. */
function yearsOf(value) {
  const [from, to = from] = value.split('..');
  const year = (text, none) => (/^\d{4}/.test(text) ? Number(text.slice(0, 4)) : none);
  return [year(from, 0), year(to, Infinity)];
}

/** A row as search.wasm reads it: see bindings/wasm/search.c. */
function rowBytes(row, { moves = null, record = null } = {}) {
  const texts = [...row.texts, row.shape ?? null, row.tags ?? null].map((text) => (text === null ? null : encoder.encode(text))).concat([moves, record]);
  const size = 32 + texts.reduce((sum, text) => sum + 4 + (text?.length ?? 0), 0);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  const day = row.date ? Math.floor(row.date / 416) * 10000 + (Math.floor(row.date / 32) % 13) * 100 + (row.date % 32) : 0;
  const [first, last] = row.days ?? [day, day];
  for (const [i, value] of [day, row.elo[0], row.elo[1], first, last, row.flags & 3, row.flags >> 2 & 7, row.plies].entries()) view.setUint32(4 * i, value, true);
  let at = 32;
  for (const text of texts) {
    view.setUint32(at, text ? text.length : NONE, true);
    if (text) bytes.set(text, at + 4);
    at += 4 + (text?.length ?? 0);
  }
  return bytes;
}

/** A query in the module. */
class Checker {
  constructor(module, text) {
    Object.assign(this, { module, text });
    this.handle = module.withBytes(text, (s, n) => module.exports.search_new(s, n));
    if (!this.handle) module.fail();
    Object.assign(this, module.answer());
    module.own(this, 'search_free', this.handle);
  }

  first(bytes, id) {
    return this.module.withBytes(bytes, (s, n) => this.module.exports.search_first(this.handle, s, n, id));
  }
}

/** Searches of the parts of a collection as one. */
export class PublishedSearches {
  constructor(searches) { this.all = searches; }

  set most(n) { for (const search of this.all) search.most = n; }

  set progress(tell) { for (const search of this.all) search.progress = tell; }

  patterns() { return this.all[0].patterns(); }

  async #both(ask) {
    const answers = [];
    for (const search of this.all) answers.push(await ask(search));
    const sum = (name) => answers.reduce((n, answer) => n + answer[name], 0);
    return { found: answers.flatMap(({ found }) => found), searched: sum('searched'), of: sum('of') };
  }

  find(text, options) { return this.#both((search) => search.find(text, options)); }
  findAt(board, text, signal) { return this.#both((search) => search.findAt(board, text, signal)); }
}

export class PublishedSearch {
  #answers = new Map(); // by text: promises
  #module = null;

  /** `openModule` loads search.wasm; `progress(done, all)` gets the numbers of games that were checked and that there are. */
  constructor(games, openModule, { openings = async () => '', most = MOST } = {}) {
    Object.assign(this, { games, openModule, openings, most, progress: () => {} });
  }

  async #load() {
    const [module, text] = await Promise.all([this.openModule(), this.openings()]);
    const bytes = encoder.encode(text);
    const pointer = module.exports.memory_new(bytes.length);
    new Uint8Array(module.exports.memory.buffer, pointer, bytes.length).set(bytes);
    module.exports.openings_add(pointer, bytes.length);
    this.names = text.split('\n').map((line) => line.split('\t')).filter((line) => line.length > 2);
    return module;
  }

  async #checker(text) {
    this.#module ??= this.#load().catch((error) => { this.#module = null; throw error; });
    return new Checker(await this.#module, text);
  }

  async patterns() {
    this.#module ??= this.#load().catch((error) => { this.#module = null; throw error; });
    const module = await this.#module;
    module.exports.search_patterns();
    return module.answer();
  }

  // ---- Candidates

  /** Names of a kind that a condition accepts, `columns` being the places of the name in a row: those of players by a word that they have. */
  async #namesOf(kind, condition, columns) {
    const { games } = this;
    const checker = await this.#checker(condition.query);
    const fits = ({ name }) => columns.some((column) => checker.first(rowBytes({ elo: [0, 0], date: 0, flags: 0, plies: 0, texts: Array.from({ length: 6 }, (_, i) => (i === column ? name : null)) }), 0) >= 0);
    if (kind === 'players') {
      const { name, value } = condition;
      if (!name || (value.includes('*') && !value.startsWith('='))) return null;
      const last = value.startsWith('~') ? (name.includes(',') ? name.split(',')[0] : name.trim().split(/\s+/).at(-1)) : name;
      const word = longest(wordsOf(last));
      if (!word) return null;
      const found = new Map((await games.entries('players', word)).map((entry) => [entry.name, entry]));
      return [...found.values()].filter(fits);
    }
    const parts = games.parts(kind);
    if (parts.reduce((sum, part) => sum + part.size, 0) > NAMES_MOST) return null;
    return (await games.entries(kind, '')).filter(fits);
  }

  async #byNames(entries) { return sorted((await Promise.all(entries.map((entry) => this.games.list(entry)))).flat().map(({ number }) => number)); }

  /** Games of players; their rows are kept in `rows`. */
  async #byPlayers(entries, rows) {
    for (const entry of entries) for (const row of await this.games.list(entry)) rows.set(row.number, row);
    return sorted(rows.keys());
  }

  /** Numbers of the games in an order whose part may have a key in a range: dates and ratings fall. */
  async #byOrder(name, low, high) {
    const list = this.games.parts(name);
    const wanted = list.map((_, i) => i).filter((i) => list[i].key >= low && (list[i + 1]?.key ?? 0) <= high);
    if (wanted.length * 3 > list.length * 2) return null; // hardly fewer than all
    await this.games.together(wanted.map((i) => list[i]));
    return sorted((await Promise.all(wanted.map((i) => this.games.order(name, i)))).flat().map(({ number }) => number));
  }

  /** Games that reach a position with such a name, or the one after such moves. */
  async #byOpening({ name, value }) {
    const { games, names } = this;
    if (!name || /^[=~]|\*/.test(value)) return null;
    const words = wordsOf(name);
    const lines = names.filter(([, opening]) => { const own = wordsOf(opening); return words.every((word) => own.includes(word)); }).map(([, , moves]) => moves);
    if (lines.length > OPENINGS_MOST) return null;
    const boards = [];
    for (const line of lines.length ? lines : [name])
      try {
        const game = games.tabiya.game(`${line} *`);
        boards.push(game.position(game.mainLineEnd()));
      } catch {
        return null;
      }
    return sorted((await Promise.all(boards.map((board) => this.#ranges(board)))).flatMap(expand));
  }

  async #ranges(board) {
    const table = await this.games.table(board);
    return table ? table.ranges() : [];
  }

  /** The games that a condition leaves, as sorted numbers; null if no list knows. */
  async #ofCondition(condition, rows) {
    const { word, value } = condition;
    if (['player', 'white', 'black'].includes(word)) {
      const entries = await this.#namesOf('players', condition, word === 'black' ? [1] : [0]);
      return entries && this.#byPlayers(entries, rows);
    }
    const kinds = { event: [['events', 2]], site: [['sites', 3]], place: [['events', 2], ['sites', 3]], eco: [['eco', 5]] }[word];
    if (kinds) {
      if (value === '""') return null;
      const found = await Promise.all(kinds.map(([kind, column]) => this.#namesOf(kind, condition, [column]).then((entries) => entries && this.#byNames(entries))));
      return found.includes(null) ? null : sorted(found.flat());
    }
    if (word === 'date') {
      const [from, to] = yearsOf(value);
      return this.#byOrder('dates', from * 10000, to * 10000 + 9999);
    }
    if (word === 'elo' || word === 'mean-elo') {
      const [low, high = low] = value.split('..').map((text) => (/^\d+$/.test(text) ? Number(text) : null));
      return this.#byOrder('ratings', 2 * (low ?? 0), 2 * (high ?? Infinity));
    }
    return word === 'named' || word === 'opening' ? this.#byOpening(condition) : null;
  }

  /** { numbers, rows }: what is left of all games; numbers is null for all of them. Lists are asked until few are left. */
  async #candidates(checker, text, within) {
    const { tabiya } = this.games;
    const bytes = encoder.encode(text);
    const all = tabiya.understand(text).conditions.map((condition) => ({ ...condition, query: decoder.decode(bytes.slice(condition.offset, condition.offset + condition.length)) }));
    const places = await Promise.all(checker.positions.map((fen) => this.#ranges(tabiya.board(fen))));
    if (within) places.push(within);
    const [smallest, ...others] = places.sort((a, b) => size(a) - size(b));
    let numbers = smallest && size(smallest) <= FEW ? expand(smallest).filter((number) => others.every((place) => isIn(place, number))) : null;
    let rows = null;
    for (const condition of LISTED.flatMap((word) => all.filter((other) => other.word === word))) {
      if (numbers && numbers.length < FEW) break;
      const known = new Map();
      const found = await this.#ofCondition(condition, known);
      if (!found) continue;
      numbers = numbers ? joined(numbers, found) : found.filter((number) => places.every((place) => isIn(place, number)));
      if (known.size) rows ??= known;
    }
    if (!numbers && smallest) numbers = expand(smallest).filter((number) => others.every((place) => isIn(place, number)));
    return { numbers, rows: rows !== null && all.every(({ word }) => BRIEF.has(word)) ? rows : null };
  }

  // ---- Checking

  async #check(checker, number, { row, moves = null }) {
    const { games } = this;
    const record = row.notes && checker.needs & NEEDS_NOTES ? (await games.part(row.notes)).bytes.subarray(CMBR_HEADER) : null;
    const ply = checker.first(rowBytes(row, { moves, record }), row.id);
    if (ply < -1) throw new PublishedError('damaged', `The published games are damaged: game ${row.id} cannot be checked`);
    return ply < 0 ? null : { part: games, number, row, moves, ply };
  }

  async #find(text, within, signal) {
    const { games } = this;
    const checker = await this.#checker(text);
    if (checker.needs & NEEDS_COLLECTIONS) throw new PublishedError('unknown', 'Published games have no collections');
    const { numbers, rows } = await this.#candidates(checker, text, within);
    const n = numbers?.length ?? games.games;
    const found = [];
    if (rows) {
      for (const number of numbers) { const one = await this.#check(checker, number, { row: rows.get(number) }); if (one) found.push(one); }
      return { found, searched: n, of: n };
    }
    const inGroup = new Map();
    if (numbers) for (const number of numbers) { const group = Math.floor(number / GROUP); inGroup.set(group, (inGroup.get(group) ?? []).concat(number)); }
    const wanted = numbers ? [...inGroup.keys()] : games.groups.map((_, i) => i);
    let [searched, bytes] = [0, 0];
    for (let i = 0; i < wanted.length && bytes < this.most;) {
      const part = [];
      for (const end = Math.min(this.most, bytes + BATCH); i < wanted.length && bytes < end; bytes += games.groups[wanted[i++]].size) part.push(wanted[i]);
      await games.together(part.map((group) => games.groups[group]), { signal });
      for (const group of part)
        for (const number of inGroup.get(group) ?? Array.from({ length: Math.min(GROUP, games.games - group * GROUP) }, (_, k) => group * GROUP + k)) {
          const one = await this.#check(checker, number, await games.stored(number));
          searched++;
          if (one) found.push(one);
        }
      signal?.throwIfAborted();
      this.progress(searched, n);
    }
    return { found, searched, of: n };
  }

  /**
   * The games that a query finds: { found: [{ number, row, moves, ply }], searched, of }, `searched` is the number of candidates that were checked, and
   * `within`, which `key` names, are ranges of numbers; null for all games. Answers are kept for a while.
   */
  async find(text, { within = null, key = '', signal } = {}) {
    const name = `${key} ${text}`;
    for (;;) {
      const mine = this.#answers.get(name) ?? this.#find(text, within, signal);
      this.#answers.delete(name);
      this.#answers.set(name, mine);
      if (this.#answers.size > KEPT) this.#answers.delete(this.#answers.keys().next().value);
      try {
        return await mine;
      } catch (error) {
        if (this.#answers.get(name) === mine) this.#answers.delete(name);
        if (error.name !== 'AbortError' || signal?.aborted) throw error; // or else who asked first has lost interest
      }
    }
  }

  /** The query among the games that reach a position, with their moves. */
  async findAt(board, text, signal) {
    const answer = await this.find(text, { within: await this.#ranges(board), key: board.write(), signal });
    await this.loadMoves(answer.found, signal);
    return answer;
  }

  /** Fetches the moves of games that were found by lists alone; throws if that is too much. */
  async loadMoves(found, signal) {
    const { games } = this;
    const groups = sorted(found.filter(({ moves }) => !moves).map(({ number }) => Math.floor(number / GROUP))).map((group) => games.groups[group]);
    const bytes = groups.reduce((sum, group) => sum + group.size, 0);
    if (bytes > this.most) throw new PublishedError('limit', `the moves of ${found.length} games would have to be fetched, ${Math.ceil(bytes / 1e6)} MB of published files`);
    await games.together(groups, { signal });
    for (const one of found) if (!one.moves) one.moves = (await games.stored(one.number)).moves;
  }
}
