/*
 * published-lists.mjs - published games as the page lists them: in every order, with fewer requests than the small reader (published.mjs), and with more
 * patience: cut connections are tried again, and a host without range requests may have a small collection.
 */
import { Collection, GROUP, Published, PublishedError, openPublished, request, unpack } from './published.mjs';

const ORDER = 4096; // games in a part of an order
const ORDERS = { id: 'ids', '-date': 'dates', '-elo': 'ratings' };
const WHOLE_MOST = 32e6; // bytes of a collection that is loaded as a whole
const TOGETHER = 512 * 1024; // bytes of parts side by side that are one request
const AT_ONCE = 6; // requests; browsers have no more connections to a host
const GROUPS_MOST = 40; // whose rows are sorted, instead of walking through the order of all games

/** The last index whose value is not greater; -1 if there is none. */
export function lastAt(list, value, of = (x) => x) {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (of(list[middle]) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Ranges of numbers, [FIRST, COUNT] in order: all of them, and whether a number is among them. */
export const expand = (ranges) => ranges.flatMap(([first, n]) => Array.from({ length: n }, (_, i) => first + i));
export const isIn = (ranges, number) => { const range = ranges[lastAt(ranges, number, ([first]) => first)]; return Boolean(range) && number < range[0] + range[1]; };

const orderError = (text) => new PublishedError('order', text);
const strengthOf = ([a, b]) => (a && b ? a + b : 0);

export class Lists extends Collection {
  #whole = new Map(); // files of a host without ranges
  #asked = new Map(); // how many parts of each file are on their way

  #fileAt(at) { return this.files[lastAt(this.files, at, ({ start }) => start)]; }

  async bytes(place, init) {
    const { file, start } = this.#fileAt(place.at);
    if (!this.#whole.has(file))
      try {
        return await this.#part(file, place, init);
      } catch (error) {
        if (error.kind !== 'ranges') throw error;
        if (this.manifest.bytes > WHOLE_MOST) throw new PublishedError('ranges', `${error.message}, and they are too large to be loaded as a whole: ${Math.round(this.manifest.bytes / 1e6)} MB`);
        if (!this.#whole.has(file)) this.#whole.set(file, request(this, file).catch((fault) => { this.#whole.delete(file); throw fault; }));
      }
    return (await this.#whole.get(file)).slice(place.at - start, place.at - start + place.size);
  }

  /** Browsers ask for parts of a file one after the other, for the sake of their cache: only the first of several goes through it. */
  async #part(file, place, init = {}) {
    const others = this.#asked.get(file) ?? 0;
    this.#asked.set(file, others + 1);
    try {
      return await super.bytes(place, others ? { cache: 'no-store', ...init } : init);
    } finally {
      this.#asked.set(file, this.#asked.get(file) - 1);
    }
  }

  /** What is damaged may be so in the browser's cache alone. */
  async fetchPart(place) {
    return super.fetchPart(place).catch((error) => { if (error.kind !== 'damaged') throw error; return this.bytes(place, { cache: 'reload' }).then(unpack); });
  }

  /** Fetches parts, sorted by place, that lie side by side as one. What is damaged is fetched again when it is needed. */
  async together(parts, { signal } = {}) {
    const runs = [];
    for (const part of parts.filter(({ at }) => !this.kept.has(at))) {
      const last = runs.at(-1);
      const isNext = last && last.at + last.size === part.at && last.size + part.size <= TOGETHER && this.#fileAt(part.at) === this.#fileAt(last.at);
      if (!isNext) runs.push({ at: part.at, size: part.size, parts: [part] });
      else last.size += last.parts[last.parts.push(part) - 1].size;
    }
    const next = runs[Symbol.iterator]();
    await Promise.all(Array.from({ length: AT_ONCE }, async () => {
      for (const run of next) {
        signal?.throwIfAborted();
        const bytes = await this.bytes(run).catch((error) => { if (error.kind !== 'damaged') throw error; return null; });
        for (const { at, size } of bytes ? run.parts : []) {
          const part = await unpack(bytes.slice(at - run.at, at - run.at + size)).catch(() => null);
          if (part && !this.kept.has(at)) this.kept.set(at, Promise.resolve(part));
        }
      }
    }));
    return Promise.all(parts.map((part) => this.part(part)));
  }

  /** Numbers of games in an order, from `offset` on: all, or those for which `fits`. */
  async inOrder(sort, { offset, limit }, fits = null) {
    const [parts, found] = [this.parts(ORDERS[sort]), []];
    const skip = fits ? offset : offset % ORDER;
    let i = fits ? 0 : Math.floor(offset / ORDER);
    for (let n = 1; found.length < skip + limit && i < parts.length; n *= 2) {
      if (n > 1) await this.together(parts.slice(i, i + n));
      for (const end = Math.min(parts.length, i + n); i < end && found.length < skip + limit; i++)
        for (const { number } of await this.order(ORDERS[sort], i)) if (!fits || fits(number)) found.push(number);
    }
    return found.slice(skip, skip + limit);
  }

  /** The same of ranges of numbers. */
  async sorted(ranges, { sort, offset, limit }) {
    const groups = new Set();
    for (const [first, n] of ranges) for (let i = Math.floor(first / GROUP); i * GROUP < first + n && groups.size < GROUPS_MOST; i++) groups.add(i);
    if (groups.size === GROUPS_MOST) return this.inOrder(sort, { offset, limit }, (number) => isIn(ranges, number));
    await this.together([...groups].map((group) => this.groups[group]));
    const compare = { id: () => 0, '-date': (a, b) => b.date - a.date, '-elo': (a, b) => strengthOf(b.elo) - strengthOf(a.elo) }[sort];
    const rows = await Promise.all(expand(ranges).map(async (number) => ({ number, ...(await this.stored(number)).row })));
    return rows.sort((a, b) => compare(a, b) || a.id - b.id).slice(offset, offset + limit).map(({ number }) => number);
  }

  async #ofPosition(board, { sort, offset, limit }) {
    const table = await this.table(board);
    if (!table) return { total: 0, games: [] };
    const isTop = sort === '-elo' && table.top && offset + limit <= table.top.length;
    const numbers = isTop ? table.top.slice(offset, offset + limit) : await this.sorted(await table.ranges(), { sort, offset, limit });
    return { total: table.games, games: await this.rows(numbers, board) };
  }

  async #ofPlayer(name, { sort, offset, limit }) {
    const entry = await this.named('players', name);
    if (sort === '-elo') throw orderError('The games of a player are listed by number or newest first');
    const rows = entry ? await this.list(entry, ...(sort === 'id' ? [] : [offset, offset + limit])) : [];
    const chosen = sort === 'id' ? rows.sort((a, b) => a.id - b.id).slice(offset, offset + limit) : rows;
    return { total: entry?.games ?? 0, games: await Promise.all(chosen.map((row) => this.shown(row))) };
  }

  async #ofName(kind, name, page) {
    const entry = await this.named(kind, name);
    const numbers = entry ? (await this.list(entry, 0, page.sort === 'id' ? page.offset + page.limit : Infinity)).map(({ number }) => number) : [];
    const chosen = page.sort === 'id' ? numbers.slice(page.offset) : await this.sorted(numbers.sort((a, b) => a - b).map((number) => [number, 1]), page);
    return { total: entry?.games ?? 0, games: await this.rows(chosen) };
  }

  /** Games as { games, total }: see PublishedLists.find. */
  async find({ board, player, event, site, eco, ...page }) {
    const [kind, name] = Object.entries({ events: event, sites: site, eco }).find(([, text]) => text !== undefined) ?? [];
    if (!ORDERS[page.sort]) throw orderError('Published games are listed by number, newest first or strongest first');
    if (board) return this.#ofPosition(board, page);
    if (player !== undefined) return this.#ofPlayer(player, page);
    return kind ? this.#ofName(kind, name, page) : { total: this.games, games: await this.rows(await this.inOrder(page.sort, page)) };
  }
}

export class PublishedLists extends Published {
  /**
   * Games as { games, total }: all of them, or those of a `board`, a `player` (exactly that name), an `event`, a `site` or an `eco` code; only one of these. `sort` is
   * 'id', '-date' or '-elo' (players' games: not '-elo').
   */
  async find({ offset = 0, limit = 20, sort = 'id', ...what } = {}) {
    if (this.collections.length === 1) return this.collections[0].find({ ...what, sort, offset, limit });
    const answers = await this.each((collection) => collection.find({ ...what, sort, offset: 0, limit: offset + limit }));
    const elo = (game) => strengthOf([game.white_elo, game.black_elo]);
    const compare = { id: () => 0, '-date': (a, b) => ((b.date ?? '') < (a.date ?? '') ? -1 : Number((b.date ?? '') > (a.date ?? ''))), '-elo': (a, b) => elo(b) - elo(a) }[sort];
    return { games: answers.flatMap(({ games }) => games).sort((a, b) => compare(a, b) || a.id - b.id).slice(offset, offset + limit), total: answers.reduce((n, { total }) => n + total, 0) };
  }
}

/** Connections may be cut: what could not be read to its end is asked for again, once. */
const patient = (fetch) => async (address, init) => {
  const read = async () => { const response = await fetch(address, init); return new Response(response.ok && (response.status === 206 || !init?.headers) ? await response.arrayBuffer() : response.body, { status: response.status }); };
  return read().catch((error) => { if (error.name === 'AbortError') throw error; return read(); });
};

/** As openPublished. */
export const openLists = (address, tabiya, { fetch = globalThis.fetch.bind(globalThis) } = {}) => openPublished(address, tabiya, { fetch: patient(fetch), Part: Lists, All: PublishedLists });
