/*
 * lists.mjs - lists of games: the results of a database search, and the games of a file.
 *
 * A list has { count, isCounted, order, page(offset, limit), load(game), open(game) }; gameRow shows one of a few games.
 */
import { complain, h, rest } from './dom.mjs';
import { t } from './texts.mjs';

const GAMES_AT_ONCE = 50; // games to read from a file before the page does other work
const SHOWN_MS = 200; // between two updates of a growing list

const known = (text) => (text && text !== '?' ? text : '');

/** A game as a row that can be clicked: who played, how it ended; below it when and where. */
export function gameRow(game, { isCurrent = false, onclick, more = '' }) {
  const side = (name, elo) => h('span', { class: 'side' }, h('span', { class: 'players' }, name ?? '?'), elo ? h('span', { class: 'rating' }, String(elo)) : '');
  const facts = [game.date?.slice(0, 4), known(game.event) || known(game.site), known(game.eco), more].filter(Boolean).join(' · ');
  return h('li', {}, h('button', { type: 'button', 'data-game': game.id, 'aria-current': isCurrent ? 'true' : null, onclick },
    h('span', { class: 'sides', title: `${game.white ?? '?'} – ${game.black ?? '?'}` }, side(game.white, game.white_elo), h('span', { class: 'dash' }, '–'), side(game.black, game.black_elo)),
    h('b', { class: 'points' }, game.result === '1/2-1/2' ? '½–½' : game.result.replace('-', '–')),
    h('span', { class: 'facts', title: facts }, facts)));
}

/** Why a game of a file is not complete. */
export const faultOf = ({ line, message }, place = '') => t('games.open-before', { why: line ? t('games.line', { line, why: message + place }) : message + place });

/** Opens a game at the first move that reaches a position; was it, and no other one meanwhile? A file's game has no number in the database. */
export async function openAt(doc, source, id, fen) {
  const place = (text) => text.split(' ').slice(0, 3).join(' ');
  const isWanted = doc.want();
  const pgn = await source.game(id);
  if (!isWanted()) return false;
  doc.setGame(doc.tabiya.game(pgn), (game) => [0, ...game.view(0).line].find((node) => place(game.position(node).write()) === place(fen)) ?? 0, 'open', source.isFile ? {} : { id });
  return true;
}

/** The mean of both ratings, as the server sorts them; 0 if one of them is not known. */
const strength = ({ white_elo: white, black_elo: black }) => (white && black ? (white + black) / 2 : 0);

const byText = (a, b) => (a < b ? -1 : Number(a > b));

/** Both directions by a member of the game: { NAME: ..., NAME-down: ... }; what is not known comes last. */
function byColumn(name, column) {
  const known = (game) => (game[column] && game[column] !== '?' ? game[column] : null);
  const plain = (value) => (typeof value === 'string' ? value.toLowerCase() : value);
  const compare = (sign) => (a, b) => (known(a) === null || known(b) === null ? Number(known(a) === null) - Number(known(b) === null) : sign * byText(plain(known(a)), plain(known(b))));
  return { [name]: { sort: column, compare: compare(1) }, [`${name}-down`]: { sort: `-${column}`, compare: compare(-1) } };
}

/** The orders by name: the server's name for each, and the same for a file's games. Games without the value come last. */
export const ORDERS = {
  found: { sort: 'id', compare: null },
  rating: { sort: '-elo', compare: (a, b) => strength(b) - strength(a) },
  newest: { sort: '-date', compare: (a, b) => byText(b.date || '', a.date || '') },
  weakest: { sort: 'elo', compare: (a, b) => (strength(a) || Infinity) - (strength(b) || Infinity) },
  longest: { sort: '-plies', compare: (a, b) => b.plies - a.plies },
  shortest: { sort: 'plies', compare: (a, b) => a.plies - b.plies },
  oldest: { sort: 'date', compare: (a, b) => byText(a.date || '9', b.date || '9') },
  ...byColumn('white', 'white'), ...byColumn('black', 'black'), ...byColumn('white-elo', 'white_elo'), ...byColumn('black-elo', 'black_elo'),
  ...byColumn('result', 'result'), ...byColumn('event', 'event'), ...byColumn('eco', 'eco'),
};

/** The games of the database that a search finds. The server finds, sorts and counts them. */
export class Found {
  /** Ends what is asked for this list. @type {AbortSignal | undefined} */
  signal;
  /** @type {any[]} */
  first = [];
  count = 0;
  isCounted = false;
  isPartial = false;
  /** @type {number | null} */
  total = null;

  constructor(doc, source, parameters, order) {
    this.doc = doc;
    this.source = source;
    this.parameters = parameters;
    this.order = order;
  }

  /**
   * Finds the first games, or with `soon` those that the server finds within that time; if there are more, `count` is not final. Returns
   * the query that the text was understood as, if there is one.
   */
  async find(limit, signal, { soon = null } = {}) {
    const isById = ORDERS[this.order].sort === 'id'; // the only order in which the first ones are known before all
    const { games, more, query } = await this.source.find({ ...this.parameters, sort: ORDERS[this.order].sort, offset: 0, limit, ...(soon && isById ? { soon } : {}) }, signal);
    if (query !== undefined) this.parameters = { ...this.parameters, text: query };
    Object.assign(this, { first: games, count: games.length, isCounted: !more, isPartial: more && games.length < limit });
    if (this.total !== null) this.setTotal(this.total);
    return query;
  }

  /** All of them are known to be that many. */
  setTotal(total) {
    Object.assign(this, { total, count: Math.max(total, this.first.length), isCounted: true });
  }

  /** How many there are; may be asked at the same time as the first ones. */
  async countAll(signal) {
    this.setTotal(await this.source.count(this.parameters, signal));
  }

  async page(offset, limit, signal) {
    if (offset === 0) return this.first;
    return (await this.source.find({ ...this.parameters, sort: ORDERS[this.order].sort, offset, limit }, signal)).games;
  }

  /** The game itself, for a look at it. */
  async load({ id }) {
    return this.doc.tabiya.game(await this.source.game(id));
  }

  /** Was it opened, and no other one meanwhile? */
  async open(game) {
    const isWanted = this.doc.want();
    const loaded = await this.load(game);
    if (!isWanted()) return false;
    this.doc.setGame(loaded, (opened) => opened.view(0).line[(game.ply ?? 0) - 1] ?? 0, 'open', { id: game.id });
    return true;
  }
}

/** The games of a file, read in small parts so that the page stays responsive; only offsets and tags are kept. */
export class FileList extends EventTarget {
  /** @type {any[]} */
  all = [];
  /** @type {string[]} */
  words = [];
  order = 'found';
  isRead = false;

  constructor(doc, bytes, notation, name) {
    super();
    this.doc = doc;
    this.bytes = bytes;
    this.notation = notation;
    this.name = name;
    this.binary = doc.tabiya.notations.games.find((n) => n.name === notation).binary;
  }

  async read(isAlive) {
    let [n, shown] = [0, 0]; // games since the page last did other work, and when the list was last shown
    await rest();
    for (const entry of this.doc.tabiya.games(this.bytes, this.notation)) {
      const { tags, result, plies, begin, end, error, game } = entry;
      if (plies || Object.keys(tags).length)
        this.all.push({ id: this.all.length + 1, white: tags.White, black: tags.Black, white_elo: Number(tags.WhiteElo) || null,
          black_elo: Number(tags.BlackElo) || null, result, date: tags.Date?.replace(/\.?\?.*/, '').replaceAll('.', '-'), event: tags.Event, eco: tags.ECO,
          plies, begin, end, error, json: this.binary ? game.write('json') : null });
      if (++n < GAMES_AT_ONCE) continue;
      n = 0;
      if (performance.now() - shown > SHOWN_MS) {
        this.dispatchEvent(new Event('more'));
        shown = performance.now();
      }
      await rest();
      if (!isAlive()) return;
    }
    this.isRead = true;
    this.dispatchEvent(new Event('more'));
  }

  get count() {
    return this.found.length;
  }

  get isCounted() {
    return this.isRead;
  }

  /** The games that have all the words, in the chosen order; made again only when something has changed. */
  get found() {
    const made = [this.all.length, this.order, ...this.words].join(' ');
    if (this.made === made) return this.kept;
    const text = (game) => [game.white, game.black, game.event, game.date, game.eco, game.result].join(' ').toLowerCase();
    const { compare } = ORDERS[this.order];
    this.kept = this.words.length ? this.all.filter((game) => this.words.every((word) => text(game).includes(word))) : this.all;
    if (compare) this.kept = [...this.kept].sort(compare);
    this.made = made;
    return this.kept;
  }

  async page(offset, limit) {
    return this.found.slice(offset, offset + limit);
  }

  async load({ begin, end, json }) {
    const { tabiya } = this.doc;
    if (json) return tabiya.game(json, 'json');
    const [{ game }] = tabiya.games(this.bytes.subarray(begin, end), this.notation);
    return game;
  }

  async open(entry) {
    const { error } = entry;
    this.doc.setGame(await this.load(entry), error ? (g) => g.mainLineEnd() : () => 0, 'open');
    if (error) complain(faultOf(error));
    return true;
  }
}

