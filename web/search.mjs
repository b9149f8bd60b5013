/*
 * search.mjs - the search of the page: one field for a name, plain words or a query, a form for users who would rather fill in fields,
 * and chips for what was understood.
 *
 * It only holds what is searched for, and keeps it in the state of the page; games.mjs asks for the games. Fires `change` when something
 * else is searched for, and `ask` when the user has asked for it by Enter or a choice.
 */
import { byId, debounce, h } from './dom.mjs';
import { faultParts, placeOf } from './fault.mjs';
import { ORDERS } from './lists.mjs';
import { pop } from './pop.mjs';
import { savedPanel } from './saved.mjs';
import { suggestPlayers } from './suggest.mjs';
import { number, t } from './texts.mjs';

const FIELDS = ['player', 'white', 'black', 'elo', 'date', 'result', 'event', 'named', 'eco', 'pattern', 'collection'];
const WAIT_MS = 350; // after the last key
export const STANDARD_ORDER = 'newest';

/** Tried examples: what to type, and the name of its text. */
const EXAMPLES = Object.entries({ player: 'Paul Morphy', players: 'Morphy - Anderssen', opening: 'Najdorf', years: 'player Carlsen date 2019..2021', elo: 'elo 2600.. result 1-0', pattern: 'iqp',
  'greek-gift': 'greek-gift', rooks: 'KRP+vKRP+ for 10', named: 'named "King\'s Gambit" elo 2400..', pawns: 'Pd4 Pe5 pd5 pe6', blitz: 'title GM speed blitz', mate: 'mate plies ..40' });

/** The words of the query language that people need most. */
const WORDS = ['player', 'white', 'black', 'elo', 'any-elo', 'date', 'result', 'eco', 'named', 'opening', 'event', 'place', 'title', 'speed', 'plies', 'either', 'mirror', 'ever', 'mate', 'stalemate'];

export class Search extends EventTarget {
  #asked = null; // what was last searched for
  #meaning = null; // { text, query } of what was understood
  #soon = debounce(() => this.dispatchEvent(new Event('change')), WAIT_MS);

  constructor({ doc, state, source, link }, hasDatabase) {
    super();
    this.doc = doc;
    this.state = state;
    this.source = source;
    this.query = byId('query');
    byId('search').addEventListener('submit', (event) => {
      event.preventDefault();
      editing(false); // what was understood is seen at once
      this.#ask();
    });
    const editing = (isSo) => byId('search').classList.toggle('editing-text', isSo);
    byId('search').addEventListener('input', () => this.#soon());
    byId('search').addEventListener('change', () => { if (this.wish() !== this.#asked) this.#soon(); }); // a field whose text was searched for fires this when it is left
    byId('games-order').addEventListener('change', () => this.#ask());
    byId('only-here').addEventListener('change', () => this.#ask());
    byId('search-clear').addEventListener('click', () => this.clear());
    for (const type of ['focus', 'pointerdown', 'input']) this.query.addEventListener(type, () => editing(true));
    this.query.addEventListener('keydown', ({ key }) => { if (!['Enter', 'Tab', 'Shift', 'Escape'].includes(key)) editing(true); });
    this.query.addEventListener('blur', () => editing(false));
    byId('search-show').addEventListener('click', () => this.focus());
    byId('search').addEventListener('focusout', ({ relatedTarget }) => { // on phones the field gives its place back
      if (!byId('search').contains(relatedTarget)) document.body.classList.remove('searching');
    });
    this.#makeBoxes(link, hasDatabase);
    this.read();
    state.addEventListener('change', () => this.read());
  }

  #makeBoxes(link, hasDatabase) {
    pop(byId('form-open'), 'search-form', { takesFocus: true, around: byId('query'), onOpen: () => {
      this.#fillPatterns().catch(() => {});
      if (hasDatabase) this.fillCollections().catch(() => {});
    } });
    const tips = pop(byId('tips-open'), 'search-tips', { around: byId('query') });
    byId('examples').append(...EXAMPLES.map(([name, text]) => h('li', {}, h('button', { type: 'button', onclick: () => {
      tips.close();
      this.set({ q: text });
    } }, h('code', {}, text), h('span', { class: 'sub' }, t(`example.${name}`))))));
    savedPanel({ parts: () => this.parts(), link, open: (saved) => {
      tips.close();
      this.set(saved);
    } });
    if (!hasDatabase) return;
    suggestPlayers(this.query, this.source, { tabiya: this.doc.tabiya, isOn: () => !this.isFile, words: async () => [...WORDS.map((name) => ({ name, sentence: t(`word.${name}`) })), ...await this.source.patterns()] });
    for (const id of ['search-player', 'search-white', 'search-black']) suggestPlayers(byId(id), this.source);
  }

  /** The user wants to search: the field is seen and has the focus. */
  focus() {
    document.body.classList.add('searching');
    this.query.focus();
    this.query.select();
  }

  /** Does the user look at a file? Its games are only filtered by words. */
  get isFile() {
    return byId('games-source').value === 'file';
  }

  get order() {
    return byId('games-order').value;
  }

  /** What was typed. */
  get text() {
    return this.query.value.trim();
  }

  get #form() {
    return Object.fromEntries(FIELDS.map((name) => [name, byId(`search-${name}`).value.trim()]).filter(([, value]) => value));
  }

  /** The collection that is searched in; "" for none. */
  get collection() {
    return byId('search-collection').value;
  }

  /** The conditions for the games: the text as it is typed, and the form's entries as further ones. */
  conditions() {
    const { tabiya } = this.doc;
    const { named, pattern, collection, player, white, black, ...single } = this.#form;
    const players = Object.entries({ player, white, black }).filter(([, name]) => name).map(([word, name]) => `${word} ${tabiya.quotePerson(name)}`);
    const q = [...players, named ? `named ${tabiya.quote(named)}` : '', collection ? `collection ${tabiya.quotePerson(`=${collection}`)}` : '', pattern].filter(Boolean).join(' ');
    const fen = byId('only-here').checked ? this.doc.view?.fen : null;
    return { ...(this.text ? { text: this.text } : {}), ...(q ? { q } : {}), ...single, ...(fen ? { fen } : {}) };
  }

  /** A text as conditions that others can be added to: a query as it is, plain words as they were understood, or else a player. */
  asFacts(text) {
    if (!text) return '';
    try {
      this.doc.tabiya.understand(text);
      return text;
    } catch {
      return this.#meaning?.text === text ? this.#meaning.query : `player ${this.doc.tabiya.quotePerson(text)}`;
    }
  }

  // ---- The state of the page

  /** The search as the address has it. */
  parts() {
    return { ...Object.fromEntries(FIELDS.map((name) => [name, ''])), ...(this.isFile ? {} : this.#form), q: this.isFile ? '' : this.text,
      here: !this.isFile && byId('only-here').checked ? '1' : '', sort: this.order === STANDARD_ORDER ? '' : this.order };
  }

  wish() {
    return JSON.stringify([byId('games-source').value, this.query.value, this.parts()]);
  }

  /** It was searched for: what the user asked for by hand is a step of its own. */
  begun(isStep) {
    this.#soon.cancel();
    this.#asked = this.wish();
    this.state.set(this.parts(), { isStep });
  }

  /** The search was given up: the same text can be searched for again. */
  given() {
    this.#asked = null;
  }

  #readParts(get) {
    for (const name of FIELDS) {
      const field = byId(`search-${name}`);
      const value = get(name) ?? '';
      if (field.options && value && ![...field.options].some((option) => option.value === value)) field.append(h('option', { value }, value));
      field.value = value;
    }
    this.query.value = get('q') ?? '';
    byId('only-here').checked = get('here') === '1';
    byId('games-order').value = ORDERS[get('sort')] ? get('sort') : STANDARD_ORDER;
    this.drawChips(null);
  }

  read() {
    this.#readParts((name) => this.state.get(name));
  }

  #ask() {
    this.#soon.cancel();
    this.dispatchEvent(new Event('ask'));
  }

  /** Searches for the parts given; others are cleared, except the order. */
  set(parts) {
    this.#readParts((name) => parts[name] ?? (name === 'sort' ? this.order : ''));
    this.#ask();
  }

  clear() {
    this.set({});
  }

  /** Puts a text into the field and searches for it soon, as if it had been typed. */
  write(text) {
    this.query.value = text;
    this.#soon();
  }

  // ---- Lists of the form

  async #fillPatterns() {
    const field = byId('search-pattern');
    const found = await this.source.patterns();
    if (field.length > 2) return;
    field.append(...found.map(({ name, sentence }) => h('option', { value: name }, `${name}: ${sentence}`)));
  }

  #nFilled = 0; // how often the collections were asked for

  /** Fills the list of collections to search in; it is hidden while there are none. */
  async fillCollections() {
    const mine = ++this.#nFilled;
    const collections = await this.source.collections();
    if (mine !== this.#nFilled) return; // a newer answer has come, or will
    const field = byId('search-collection');
    const { value } = field;
    const names = collections.map(({ name }) => name);
    field.replaceChildren(h('option', { value: '' }, t('games.all')), ...collections.map(({ name, games }) => h('option', { value: name }, `${name} (${number(games)})`)),
      ...(value && !names.includes(value) ? [h('option', { value }, value)] : []));
    field.value = value;
    byId('search-collections').hidden = field.length < 2;
    byId('collection-names').replaceChildren(...names.map((name) => h('option', { value: name })));
  }

  // ---- What was understood

  /** The parts of a reading as chips: removing one leaves the others. */
  #partChips(parts, chip) {
    const rest = (part) => parts.filter((other) => other !== part).map(({ query }) => query).join(' ');
    return parts.map((part) => chip(t(`search.${part.kind}`, { text: part.text }), () => this.set({ ...this.parts(), q: rest(part) })));
  }

  /**
   * Chips for what the text was understood as and for the form's entries: `meaning` is the query, `parts` are those of plain words. They
   * cover the field while it is not edited.
   */
  drawChips(meaning, parts = []) {
    const chip = (words, remove) => h('span', { class: 'chip on' }, h('span', { title: words }, words),
      h('button', { type: 'button', 'aria-label': t('filter.remove', { what: words }), onclick: remove }, '×'));
    const text = this.isFile ? '' : this.text;
    if (text && meaning) this.#meaning = { text, query: meaning };
    const form = this.isFile ? {} : this.#form;
    const chips = [...(text && parts.length ? this.#partChips(parts, chip) : text && meaning ? [chip(meaning, () => this.set({ ...this.parts(), q: '' }))] : []),
      ...Object.entries(form).map(([name, value]) => chip(`${name} ${value}`, () => this.set({ ...this.parts(), [name]: '' })))];
    byId('chips').replaceChildren(...chips);
    byId('search').classList.toggle('has-chips', chips.length > 0 && (!text || Boolean(meaning)));
    byId('search-clear').hidden = !text && !Object.keys(form).length && !byId('only-here').checked;
  }

  /** Shows an error at its field; null clears it. Answers its place in the text. */
  showFault(error, { isAsked = false, again = null } = {}) {
    const place = error && placeOf(error, this.text);
    const field = error?.message.match(/^(elo|date|eco|result) /)?.[1];
    byId('query-fault').replaceChildren(...(error ? faultParts(error, this.text, place, (name) => this.set({ q: name })) : []),
      ...(error && error.offset === undefined && again ? [h('button', { type: 'button', onclick: again }, t('again'))] : []));
    this.query.setAttribute('aria-invalid', String(Boolean(error && error.offset !== undefined && !field)));
    for (const name of FIELDS) byId(`search-${name}`).setAttribute('aria-invalid', String(name === field));
    if (error && document.activeElement === this.query) byId('search').classList.add('editing-text');
    if (!place || !isAsked) return;
    const before = this.query.value.length - this.query.value.trimStart().length;
    this.query.setSelectionRange(...place.map((at) => at + before));
  }
}
