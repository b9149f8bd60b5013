/*
 * filter.mjs - selects the games that the explorer counts: a player and a colour, years, ratings, speed, or any
 * query. It becomes the text of a query. Chips show what is set and offer the common choices; a form has the rest.
 *
 * In the address it is `filter=SINCE,UNTIL,RATING,SPEED` and `f-...` for the other fields. Fires `change`.
 */
import { byId, h } from './dom.mjs';
import { faultParts, placeOf } from './fault.mjs';
import { pop } from './pop.mjs';
import { t } from './texts.mjs';

const FIRST = ['since', 'until', 'ratings', 'speeds']; // together in the address
const OTHERS = ['player', 'color', 'query', 'new', 'beside'];
const STRONG = '2500';
const RECENT = String(new Date().getFullYear() - 10);

/** 2019-06 or 2019/6 to 2019.06, as queries write it. */
const dateOf = (text) => text.split(/[-/.]/).map((part, i) => (i ? part.padStart(2, '0') : part)).join('.');

export class Filter extends EventTarget {
  /** `search` is the search of the page; its text can be the filter too. */
  constructor(state, search) {
    super();
    this.state = state;
    this.search = search;
    for (const name of [...FIRST, ...OTHERS]) byId(`filter-${name}`).addEventListener('change', () => this.#changed());
    byId('filter-clear').addEventListener('click', () => this.clear());
    state.addEventListener('change', () => this.#read());
    search.addEventListener('change', () => this.#draw());
    const opener = h('button', { type: 'button', class: 'chip', id: 'filter-open', 'aria-expanded': 'false', 'aria-controls': 'filter-box' }, t('filter.more'));
    this.opener = opener;
    const box = pop(opener, 'filter-box', { takesFocus: true });
    byId('filter-close').addEventListener('click', () => {
      box.close();
      opener.focus();
    });
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
    return [player && `${color || 'player'} ${this.search.doc.tabiya.quotePerson(player)}`, (since || until) && `date ${dateOf(since)}..${dateOf(until)}`, ratings && `mean-elo ${ratings}..`,
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

  get speed() {
    return this.#value('speeds');
  }

  /** Sets some fields by name; the others stay. */
  set(values) {
    for (const [name, value] of Object.entries(values)) this.#setValue(name, value);
    this.#changed();
  }

  clear() {
    this.set(Object.fromEntries([...FIRST, ...OTHERS].map((name) => [name, ''])));
  }

  /** Shows an error of the query at its field, with its place; null clears it. Is it one? */
  fault(error) {
    const query = this.#value('query');
    const before = this.facts ? new TextEncoder().encode(this.facts).length + 2 : 0; // of the query in the text: after "FACTS ("
    const isPlaced = error?.offset !== undefined && query && error.offset >= before;
    const place = isPlaced ? placeOf({ ...error, offset: error.offset - before }, query) : null;
    byId('filter-fault').replaceChildren(...(isPlaced ? faultParts(error, query, place, (name) => this.set({ query: name })) : []));
    byId('filter-query').setAttribute('aria-invalid', String(Boolean(isPlaced)));
    return isPlaced ? faultParts(error, query, place, (name) => this.set({ query: name })) : null;
  }

  #changed() {
    this.#draw();
    const first = FIRST.map((name) => this.#value(name).replaceAll(',', ' ')).join(',').replace(/,+$/, '');
    this.state.set({ filter: first, ...Object.fromEntries(OTHERS.map((name) => [`f-${name}`, this.#value(name)])) });
    this.dispatchEvent(new Event('change'));
  }

  /** Applies the address, when the page opens and on Back. */
  #read() {
    const values = (this.state.get('filter') ?? '').split(',');
    for (const [i, name] of FIRST.entries()) this.#setValue(name, values[i] ?? '');
    for (const name of OTHERS) this.#setValue(name, this.state.get(`f-${name}`) ?? '');
    this.#draw();
    this.dispatchEvent(new Event('change'));
  }

  // ---- Chips

  /** What is set, as [words, fields to clear]. */
  #set() {
    const [since, until, ratings, speeds, player, color, query, isNew, beside] = [...FIRST, ...OTHERS].map((name) => this.#value(name));
    const years = since && until ? `${since}–${until}` : since ? t('filter.since', { year: since }) : until && t('filter.until', { year: until });
    return [[player && (color ? t(`filter.as-${color}`, { player }) : player), ['player', 'color']], [years, ['since', 'until']],
      [ratings && t('filter.rated', { rating: ratings }), ['ratings']], [speeds, ['speeds']], [query && (query === this.search.text ? t('filter.search') : query), ['query']],
      [isNew && t('filter.new', { date: isNew }), ['new']], [beside && this.text ? t('filter.beside') : '', ['beside']]].filter(([words]) => words);
  }

  #draw() {
    const set = this.#set();
    const isSet = (name) => set.some(([, fields]) => fields.includes(name));
    const chip = ([words, fields]) => h('button', { type: 'button', class: 'chip on', 'aria-label': t('filter.remove', { what: words }), title: words,
      onclick: () => this.set(Object.fromEntries(fields.map((name) => [name, '']))) }, h('span', {}, words), h('i', { 'aria-hidden': 'true' }, '×'));
    const offer = (words, values) => h('button', { type: 'button', class: 'chip', title: t('filter.only', { what: words }), onclick: () => this.set(values) }, words);
    const offers = [!isSet('ratings') && offer(t('filter.rated', { rating: STRONG }), { ratings: STRONG }), !isSet('since') && offer(t('filter.since', { year: RECENT }), { since: RECENT }),
      this.search.text && !isSet('query') && offer(t('filter.search'), { query: this.search.text })].filter(Boolean);
    const all = h('button', { type: 'button', class: set.length ? 'chip' : 'chip on', 'aria-pressed': String(!set.length), onclick: () => this.clear() }, t('filter.all'));
    byId('filter-chips').replaceChildren(all, ...set.map(chip), ...offers, this.opener);
    byId('filter-chips').scrollLeft = 0;
    byId('filter-clear').hidden = !set.length;
  }
}
