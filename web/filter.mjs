/*
 * filter.mjs - selects the games that the explorer counts: a player and a colour, years, ratings, speed, or any
 * query. It becomes the text of a query.
 *
 * In the address it is `filter=SINCE,UNTIL,RATING,SPEED` and `f-...` for the other fields. Fires `change`.
 */
import { byId } from './dom.mjs';

const FIRST = ['since', 'until', 'ratings', 'speeds']; // together in the address
const OTHERS = ['player', 'color', 'query', 'new', 'beside'];

const quoted = (text) => `"${text.replace(/["\\]/g, '\\$&')}"`;
/** 2019-06 or 2019/6 to 2019.06, as queries write it. */
const dateOf = (text) => text.split(/[-/.]/).map((part, i) => (i ? part.padStart(2, '0') : part)).join('.');

export class Filter extends EventTarget {
  constructor(address) {
    super();
    this.address = address;
    for (const name of [...FIRST, ...OTHERS]) byId(`filter-${name}`).addEventListener('change', () => this.#changed());
    byId('filter-clear').addEventListener('click', () => this.clear());
    address.addEventListener('change', () => this.#read());
    this.#read();
  }

  #value(name) {
    const field = byId(`filter-${name}`);
    return field.type === 'checkbox' ? (field.checked ? '1' : '') : field.value.trim();
  }

  #setValue(name, value) {
    const field = byId(`filter-${name}`);
    if (field.type === 'checkbox') field.checked = value === '1';
    else field.value = value;
  }

  /** Conditions on the game alone: `white "Carlsen" date 2019.. speed blitz`. */
  get facts() {
    const [since, until, ratings, speeds, player, color] = [...FIRST, 'player', 'color'].map((name) => this.#value(name));
    return [player && `${color || 'player'} ${quoted(player)}`, (since || until) && `date ${dateOf(since)}..${dateOf(until)}`, ratings && `mean-elo ${ratings}..`,
      speeds && `speed ${speeds}`].filter(Boolean).join(' ');
  }

  /** The games that count, as a query; '' for all. */
  get text() {
    const { facts } = this;
    const query = this.#value('query');
    return facts && query ? `${facts} (${query})` : facts || query;
  }

  /** The same beside a position that is asked for at another move. */
  get listText() {
    const query = this.#value('query');
    return [this.facts, query && `ever (${query})`].filter(Boolean).join(' ');
  }

  /** The date since when moves are looked at, as queries write it; '' for none. */
  get newSince() {
    return dateOf(this.#value('new'));
  }

  /** Should all games be shown beside those that count? */
  get isBeside() {
    return Boolean(this.#value('beside')) && this.text !== '';
  }

  get player() {
    return this.#value('player');
  }

  clear() {
    for (const name of [...FIRST, ...OTHERS]) this.#setValue(name, '');
    this.#changed();
  }

  #changed() {
    this.#draw();
    const first = FIRST.map((name) => this.#value(name).replaceAll(',', ' ')).join(',').replace(/,+$/, '');
    this.address.set({ filter: first, ...Object.fromEntries(OTHERS.map((name) => [`f-${name}`, this.#value(name)])) });
    this.dispatchEvent(new Event('change'));
  }

  /** Applies the address, when the page opens and on Back. */
  #read() {
    const values = (this.address.get('filter') ?? '').split(',');
    for (const [i, name] of FIRST.entries()) this.#setValue(name, values[i] ?? '');
    for (const name of OTHERS) this.#setValue(name, this.address.get(`f-${name}`) ?? '');
    this.#draw();
    this.dispatchEvent(new Event('change'));
  }

  /** In a few words, so that it is seen while folded. */
  #draw() {
    const [since, until, ratings, speeds, player, color, query, isNew] = [...FIRST, ...OTHERS].map((name) => this.#value(name));
    const words = [player && `${player}${color ? ` as ${color === 'white' ? 'White' : 'Black'}` : ''}`, since && until ? `${since}–${until}` : since ? `since ${since}` : until && `until ${until}`,
      ratings && `rated ${ratings}+`, speeds, query, isNew && `new since ${isNew}`].filter(Boolean);
    byId('filter-summary').textContent = words.length ? `Filter: ${words.join(', ')}` : 'Filter';
    byId('filter-clear').hidden = !words.length;
  }
}
