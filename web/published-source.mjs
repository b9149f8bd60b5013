/*
 * published-source.mjs - the page's games from published files: the functions of source.mjs without a server.
 *
 * Positions, names and lists come from the files directly; everything else is a query (published-search.mjs). What cannot be answered says
 * why, in one sentence. Nothing can be changed here.
 */
import { openLists } from './published-lists.mjs';
import { PublishedError, dateText, wordsOf } from './published.mjs';
import { PublishedSearch, PublishedSearches } from './published-search.mjs';
import { ORDERS } from './lists.mjs';
import { loadModule } from './tabiya.mjs';
import { tableOf } from './position-table.mjs';
import { reportOf, seenFrom } from './tally.mjs';

const LISTED = new Set(['id', '-date', '-elo']); // orders that all games, and those of a position, have
const FORM = ['elo', 'date', 'result', 'event', 'eco', 'player', 'white', 'black'];
const QUOTED = new Set(['event']);
const PEOPLE = new Set(['player', 'white', 'black']);
const NAMES_MOST = 5;
const noServer = (what) => async () => { throw new PublishedError('server', `${what} needs tabiya serve: this page has files alone`); };

/** Totals of results by what a function of the row says. */
function countBy(found, keyOf) {
  const all = new Map();
  for (const { row } of found) {
    const key = keyOf(row);
    const result = [null, 'white', 'black', 'draws'][row.flags & 3];
    if (!key || !result) continue;
    if (!all.has(key)) all.set(key, { white: 0, draws: 0, black: 0 });
    all.get(key)[result]++;
  }
  return all;
}

export class PublishedSource {
  #opening = null;

  /** `address` is that of the folder data/, `files` that of search.wasm and openings.tsv; `fetch` may be another one. */
  constructor(address, library, files, fetch = undefined) {
    Object.assign(this, { address, library, files, fetch, isPublished: true, onReturn: () => {} });
    for (const [name, what] of Object.entries({ gaps: 'Finding gaps of a repertoire', save: 'Saving games', remove: 'Deleting games', collect: 'Collections' })) this[name] = noServer(what);
  }

  async #open() {
    const get = this.fetch ?? fetch;
    const games = await openLists(this.address, await this.library, this.fetch ? { fetch: this.fetch } : {});
    const text = async (name) => (await get(new URL(name, this.files))).text();
    let loading = null;
    const wasm = () => (loading ??= load().catch((error) => { loading = null; throw error; }));
    const load = async () => loadModule(new Uint8Array(await (await get(new URL('search.wasm', this.files))).arrayBuffer()));
    this.search = new PublishedSearches(games.collections.map((part) => new PublishedSearch(part, wasm, { openings: () => text('openings.tsv') })));
    this.search.progress = (done, all) => this.progress?.(done, all);
    return games;
  }

  /** The games; asked for again after an error. */
  games() {
    this.#opening ??= this.#open().catch((error) => { this.#opening = null; throw error; });
    return this.#opening;
  }

  /** What the page says of itself; `fault` is why there are no games. */
  async about() {
    try {
      const { manifest } = await this.games();
      return { database: manifest.title || 'games', published: manifest };
    } catch (error) {
      return { database: null, fault: error.message };
    }
  }

  // ---- Queries

  /** Plain words as a query: names, two names with a dash between them, and years; other texts are queries or an error. */
  async #meaning(text) {
    const games = await this.games();
    const { tabiya } = games;
    let fault;
    try {
      return tabiya.understand(text).query;
    } catch (error) {
      fault = error;
    }
    const [, words, from, to] = /^(.*?)(?:\s+(\d{4})(?:\s*[-–.]+\s*(\d{4}))?)?$/u.exec(text.trim());
    const date = from ? ` date ${from}${to ? `..${to}` : ''}` : '';
    const pair = words.split(/\s+(?:-|–|vs?\.?|against)\s+/u);
    const isKnown = async (name) => (await games.names(name, 1)).length > 0;
    if (pair.length === 2 && (await Promise.all(pair.map(isKnown))).every(Boolean))
      return `either (white ${tabiya.quotePerson(pair[0])} black ${tabiya.quotePerson(pair[1])})${date}`;
    if (words && await isKnown(words)) return `player ${tabiya.quotePerson(words)}${date}`;
    if (/^[\p{L}\p{M}\s',.’-]+$/u.test(words)) {
      const openings = (await (await (this.fetch ?? fetch)(new URL('openings.tsv', this.files))).text()).split('\n').map((line) => wordsOf(line.split('\t')[1] ?? ''));
      const own = wordsOf(words);
      if (own.length && openings.some((name) => own.every((word) => name.includes(word)))) return `named ${tabiya.quote(words)}${date}`;
    }
    throw fault;
  }

  /** The conditions of /api/find as one query, '' for none, and what the text means. */
  async #query({ text, q, fen: _, ...form }) {
    const { tabiya } = await this.games();
    const meaning = text ? await this.#meaning(text) : null;
    const value = (name) => (PEOPLE.has(name) ? tabiya.quotePerson(form[name]) : QUOTED.has(name) ? tabiya.quote(form[name]) : form[name]);
    const parts = FORM.filter((name) => form[name]).map((name) => `${name} ${value(name)}`);
    const query = [...parts, q && (parts.length || meaning ? `(${q})` : q), meaning && (parts.length || q ? `(${meaning})` : meaning)].filter(Boolean).join(' ');
    if (query) tabiya.understand(query); // its errors
    return { query, meaning };
  }

  async #found(conditions, signal) {
    const games = await this.games();
    const { query, meaning } = await this.#query(conditions);
    const text = conditions.fen ? `fen "${conditions.fen}"${query ? ` (${query})` : ''}` : query;
    return { games, meaning, ...await this.search.find(text, { signal }) };
  }

  #limited({ searched, of }) {
    return searched < of ? new PublishedError('limit', `${searched.toLocaleString('en')} of ${of.toLocaleString('en')} games were looked through. A player, an opening or a position finds the rest`) : null;
  }

  /** Games in an order, from the answer of a query. */
  async #page({ games, found }, { sort = 'id', offset = 0, limit = 20 }) {
    const keyed = { id: (a, b) => a.row.id - b.row.id, '-date': (a, b) => b.row.date - a.row.date, '-elo': (a, b) => strength(b.row) - strength(a.row) };
    const strength = ({ elo: [a, b] }) => (a && b ? a + b : 0);
    const byId = [...found].sort(keyed.id);
    const show = async ({ part, number, row, moves, ply }) => {
      if (!ply) return part.shown({ ...row, number });
      const game = games.tabiya.game().readPacked(moves);
      return part.shown(row, ply, game.position(game.view(0).line[ply - 1]).write());
    };
    if (keyed[sort]) return Promise.all(byId.sort(keyed[sort]).slice(offset, offset + limit).map(show));
    const order = Object.values(ORDERS).find((other) => other.sort === sort);
    if (!order) throw new PublishedError('order', `Published games cannot be sorted by ${sort}`);
    return (await Promise.all(byId.map(show))).sort(order.compare).slice(offset, offset + limit);
  }

  // ---- Games

  async find(conditions, signal) {
    const games = await this.games();
    const { sort = 'id', offset = 0, limit = 20 } = conditions;
    const { query, meaning } = await this.#query(conditions);
    if (!query) {
      if (!LISTED.has(sort)) throw new PublishedError('order', 'All published games can be sorted by date, rating or number. Search for a player or an opening to sort by other columns');
      const board = conditions.fen ? games.tabiya.board(conditions.fen) : undefined;
      const { games: rows, total } = await games.find({ board, sort, offset, limit });
      return { games: rows, more: offset + rows.length < total };
    }
    const answer = await this.#found(conditions, signal);
    const rows = await this.#page(answer, { sort, offset, limit });
    return { games: rows, more: offset + rows.length < answer.found.length || Boolean(this.#limited(answer)), ...(meaning ? { query: meaning } : {}) };
  }

  findOnce(conditions, signal) { return this.find(conditions, signal); }
  isFound() { return false; }

  async count(conditions, signal) {
    const games = await this.games();
    if (!(await this.#query(conditions)).query) return (await games.find({ board: conditions.fen ? games.tabiya.board(conditions.fen) : undefined, limit: 0 })).total;
    const answer = await this.#found(conditions, signal);
    const fault = this.#limited(answer);
    if (fault) throw fault;
    return answer.found.length;
  }

  async game(id) { return (await this.games()).game(id); }
  async understand(text) { return { query: await this.#meaning(text), parts: [], games: null, others: [] }; }
  async names(prefix, limit) { return (await this.games()).names(prefix, limit); }
  /** As /api/report, counted from the games. */
  async report({ player, limit }, signal) {
    const { tabiya } = await this.games();
    const sides = ['white', 'black'].map(async (side) => seenFrom((await this.find({ q: `${side} ${tabiya.quotePerson(player)}`, limit: Infinity }, signal)).games, side));
    return reportOf((await Promise.all(sides)).flat(), limit);
  }
  async patterns() { await this.games(); return this.search.patterns(); }
  async collections() { return []; }

  /** Names that begin like the longest word of one that no game has. */
  async similar(player) {
    const games = await this.games();
    const word = wordsOf(player).reduce((a, b) => (b.length > a.length ? b : a), '');
    for (let n = word.length; n > 2; n--) {
      const names = await games.names(word.slice(0, n), NAMES_MOST);
      if (names.length) return names.map(({ name }) => name).filter((name) => name !== player);
    }
    return [];
  }

  // ---- Positions

  async explore({ fen, q }, signal) {
    const games = await this.games();
    const board = games.tabiya.board(fen);
    if (!q) return games.explore(board);
    const answer = await this.search.findAt(board, q, signal);
    const fault = this.#limited(answer);
    if (fault) throw new PublishedError('limit', `the filter would have to look through ${answer.of.toLocaleString('en')} games here. It counts what a player, an event or an opening leaves, or positions of fewer games`);
    return tableOf(board, answer.found, dateText);
  }

  exploreAhead({ fen, q }) { if (!q) this.games().then((games) => games.explore(games.tabiya.board(fen))).catch(() => {}); }
  isExplored() { return false; }

  async history({ fen, q }, signal) {
    const games = await this.games();
    const board = games.tabiya.board(fen);
    const isStart = board.equals(games.tabiya.board());
    const answer = q ? await this.search[isStart ? 'find' : 'findAt'](...(isStart ? [q, { signal }] : [board, q, signal])) : await this.search.find(`fen "${fen}"`, { signal });
    const fault = this.#limited(answer);
    if (fault) throw new PublishedError('limit', `${answer.of.toLocaleString('en')} games reach this position: too many to be counted by year from files`);
    const found = isStart ? answer.found.filter(({ row }) => !(row.flags & 64)) : answer.found; // others begin elsewhere
    const months = countBy(found, ({ date }) => (date % 416 >= 32 ? dateText(date).slice(0, 7) : dateText(date)));
    return [...months].map(([month, counts]) => ({ month, ...counts })).sort((a, b) => (a.month < b.month ? -1 : 1));
  }
}
