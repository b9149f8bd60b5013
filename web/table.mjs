/*
 * table.mjs - a table of games that may have millions of rows: only visible rows exist, and they are fetched in
 * parts.
 *
 * It is a grid by the pattern of ARIA: one row is active, which the keys move; Enter opens it, Space previews it, Shift extends the
 * selection. Elements cannot be as high as millions of rows, so beyond MOST pixels the scroll bar is a scale.
 */
import { byId, h } from './dom.mjs';
import { Latest } from './latest.mjs';
import { nameOfCode } from './openings.mjs';
import { t } from './texts.mjs';

export const PART = 100; // rows per request
const KEPT = 40; // parts
const MOST = 12_000_000; // pixels
const PAUSE = 60; // milliseconds that scrolling has to rest

const result = (text) => (text === '1/2-1/2' ? '½–½' : text.replace('-', '–'));
const known = (text) => (text && text !== '?' ? text : '');

/** Class, and what a game shows there. */
/** @type {[string, (game: any) => any][]} */
const COLUMNS = [
  ['white', (game) => game.white ?? '?'], ['elo', (game) => game.white_elo ?? ''], ['black', (game) => game.black ?? '?'], ['elo', (game) => game.black_elo ?? ''],
  ['ended', (game) => result(game.result)], ['date', (game) => game.date ?? ''], ['event', (game) => known(game.event)], ['eco', (game) => known(game.eco)],
  ['moves', (game) => (game.plies === undefined ? '' : Math.ceil(game.plies / 2))],
];
/** What a narrow list shows in a second line. */
const factsOf = (game) => [game.date?.slice(0, 4), known(game.event) || known(game.site), known(game.eco)].filter(Boolean).join(' · ');

export class GamesTable extends EventTarget {
  #source = null;
  #parts = new Map(); // of rows by their number, the newest last
  #latest = new Latest(); // what the list that is shown asks for
  #signal = this.#latest.begin();
  #loading = new Set(); // parts that are being fetched
  #timer = 0;
  #active = 0;
  #anchor = 0; // where a selection by Shift began
  #selected = new Map(); // index -> game
  #rows = new Map(); // index -> { element, id, key } of the rows that exist: the game and its contents

  constructor(scroller, body) {
    super();
    this.scroller = scroller;
    this.body = body;
    this.current = -1;
    this.isSelecting = false;
    scroller.addEventListener('scroll', () => this.draw());
    scroller.addEventListener('keydown', (event) => this.#key(event));
    body.addEventListener('click', (event) => this.#click(event));
    body.addEventListener('mouseover', (event) => this.#point(event.target.closest('[data-index]')));
    body.addEventListener('mouseleave', () => this.#point(null));
    new ResizeObserver(() => this.draw()).observe(scroller);
  }

  // ---- Rows

  /** Shows a list from its beginning; null: none. */
  async show(source) {
    this.#forget();
    this.#source = source;
    this.#selected.clear();
    this.#active = this.#anchor = 0;
    this.scroller.scrollTop = 0;
    if (source?.count) await this.#fetch(0);
    this.draw();
    this.#tellSelection();
  }

  /** Drops all rows, and those that are still to come. */
  #forget() {
    clearTimeout(this.#timer);
    this.#signal = this.#latest.begin();
    this.#loading = new Set();
    this.#parts.clear();
  }

  /** The list has grown. */
  async more() {
    this.#forget();
    await this.#fetch(Math.floor(this.#first() / PART));
    this.draw();
  }

  /** Are there boxes to select games with? Without them, none is selected. */
  setSelecting(isOn) {
    if (isOn === this.isSelecting) return;
    this.isSelecting = isOn;
    this.scroller.classList.toggle('selecting', isOn);
    if (!isOn) this.#selected.clear();
    this.draw();
    this.dispatchEvent(new Event('select'));
  }

  /** Call when the list's final count is known. */
  counted() {
    this.draw();
    this.#tellSelection();
  }

  get count() {
    return this.#source?.count ?? 0;
  }

  get selected() {
    return [...this.#selected].sort(([a], [b]) => a - b).map(([, game]) => game);
  }

  game(index) {
    return this.#parts.get(Math.floor(index / PART))?.[index % PART];
  }

  /** A game that may have to be fetched. */
  async fetched(index) {
    if (!this.game(index)) await this.#fetch(Math.floor(index / PART));
    return this.game(index);
  }

  async #fetch(part) {
    const source = this.#source;
    const loading = this.#loading;
    loading.add(part);
    const games = await source.page(part * PART, PART, this.#signal).finally(() => loading.delete(part));
    if (source !== this.#source) return;
    this.#parts.delete(part);
    this.#parts.set(part, games);
    if (this.#parts.size > KEPT) this.#parts.delete(this.#parts.keys().next().value);
  }

  #fetchSoon(parts) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(async () => {
      try {
        for (const part of parts) if (!this.#parts.has(part)) await this.#fetch(part);
        this.draw();
      } catch (error) {
        if (error.name !== 'AbortError') this.dispatchEvent(new CustomEvent('fault', { detail: error }));
      }
    }, PAUSE);
  }

  // ---- Drawing

  get #rowHeight() {
    return parseFloat(getComputedStyle(this.body).getPropertyValue('--row')) || 26;
  }

  get #room() {
    return Math.max(0, this.scroller.clientHeight - this.body.offsetTop);
  }

  /** The row at the top, with its fraction. */
  #first() {
    const height = this.count * this.#rowHeight;
    if (height <= MOST) return this.scroller.scrollTop / this.#rowHeight;
    return (this.scroller.scrollTop / (MOST - this.#room)) * (this.count - this.#room / this.#rowHeight);
  }

  draw() {
    const row = this.#rowHeight;
    const first = this.#first();
    const from = Math.max(0, Math.floor(first));
    const to = Math.min(this.count, Math.ceil(first + this.#room / row) + 1);
    this.body.style.height = `${Math.min(MOST, this.count * row)}px`;
    const before = this.#rows;
    this.#rows = new Map();
    for (let i = from; i < to; i++) this.#rows.set(i, this.#row(i, before.get(i), this.scroller.scrollTop + (i - first) * row));
    for (const [i, { element }] of before) if (this.#rows.get(i)?.element !== element) element.remove();
    for (let i = to - 1, next = null; i >= from; next = this.#rows.get(i--).element)
      if (!this.#rows.get(i).element.isConnected) this.body.insertBefore(this.#rows.get(i).element, next);
    this.scroller.setAttribute('aria-rowcount', String(this.count + 1));
    if (this.count && to > from && byId(`game-row-${this.#active}`)) this.scroller.setAttribute('aria-activedescendant', `game-row-${this.#active}`);
    else this.scroller.removeAttribute('aria-activedescendant');
    const missing = [];
    for (let part = Math.floor(from / PART); part <= Math.floor((to - 1) / PART) && to > from; part++)
      if (!this.#parts.has(part) && !this.#loading.has(part)) missing.push(part);
    if (missing.length) this.#fetchSoon(missing);
  }

  /** The row of a game stays, with other contents if need be: browsers drop a click if its element is replaced between press and release. */
  #row(index, before, top) {
    const game = this.game(index);
    const row = before && before.id === game?.id ? before : { element: this.#makeRow(index, game), id: game?.id, key: null };
    const isSelected = this.#selected.has(index);
    const contents = COLUMNS.map(([name, text]) => (game ? String(text(game)) : name === 'white' ? '…' : ''));
    const key = [isSelected, index === this.current, index === this.#active, nameOfCode(game?.eco), ...contents].join('\n');
    if (row.key !== key) this.#fillRow(index, row.element, contents);
    row.key = key;
    row.element.querySelector('input').checked = isSelected;
    row.element.style.transform = `translateY(${top}px)`;
    return row;
  }

  #makeRow(index, game) {
    return h('div', { role: 'row', class: 'game-row', id: `game-row-${index}`, 'data-index': index, 'data-game': game?.id ?? null, 'aria-rowindex': index + 2 },
      h('span', { role: 'gridcell', class: 'pick' }, h('input', { type: 'checkbox', tabIndex: -1, 'aria-label': t('games.pick', { n: index + 1 }) })),
      ...COLUMNS.map(([name]) => h('span', { role: 'gridcell', class: name })), h('span', { role: 'gridcell', class: 'second' }));
  }

  #fillRow(index, element, contents) {
    const game = this.game(index);
    const [second] = element.querySelectorAll('.second');
    second.textContent = game ? factsOf(game) : '';
    second.title = second.textContent;
    element.toggleAttribute('data-broken', Boolean(game?.error));
    element.title = game?.error ? `${t('games.broken')}: ${game.error.message}` : '';
    element.setAttribute('aria-selected', String(this.#selected.has(index)));
    if (index === this.current) element.setAttribute('aria-current', 'true');
    else element.removeAttribute('aria-current');
    element.toggleAttribute('data-active', index === this.#active);
    for (const [i, [name]] of COLUMNS.entries()) {
      const cell = element.children[i + 1];
      const content = contents[i];
      const parts = name === 'date' ? [content.slice(0, 4), h('span', { class: 'day' }, content.slice(4))]
        : name === 'eco' ? [content, h('span', { class: 'opening' }, ` ${nameOfCode(content)}`)] : [content];
      cell.replaceChildren(...parts);
      if (['white', 'black', 'event', 'eco'].includes(name)) cell.title = name === 'eco' ? `${content} ${nameOfCode(content)}` : content;
    }
  }

  /** Scrolls just enough to show a row, and makes it the active one. */
  activate(index, isExtending = false) {
    if (!this.count) return;
    this.#active = Math.max(0, Math.min(this.count - 1, index));
    const rows = Math.max(1, Math.floor(this.#room / this.#rowHeight));
    const first = this.#first();
    if (this.#active < first) this.#scrollTo(this.#active);
    else if (this.#active > first + rows - 1) this.#scrollTo(this.#active - rows + 1);
    if (isExtending) this.#selectRange();
    else this.#anchor = this.#active;
    this.draw();
  }

  #scrollTo(row) {
    const isScale = this.count * this.#rowHeight > MOST;
    this.scroller.scrollTop = isScale ? (row / (this.count - this.#room / this.#rowHeight)) * (MOST - this.#room) : row * this.#rowHeight;
  }

  // ---- Selecting

  #tellSelection() {
    if (this.#selected.size) this.setSelecting(true);
    this.dispatchEvent(new Event('select'));
  }

  #toggle(index) {
    if (this.#selected.has(index)) this.#selected.delete(index);
    else if (this.game(index)) this.#selected.set(index, this.game(index));
    this.#anchor = index;
    this.#tellSelection();
  }

  #selectRange() {
    this.#selected.clear();
    for (let i = Math.min(this.#anchor, this.#active); i <= Math.max(this.#anchor, this.#active); i++)
      if (this.game(i)) this.#selected.set(i, this.game(i));
    this.#tellSelection();
  }

  // ---- Hands

  #tell(name, index) {
    this.dispatchEvent(new CustomEvent(name, { detail: index }));
  }

  #key(event) {
    const page = Math.max(1, Math.floor(this.#room / this.#rowHeight) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.target !== this.scroller || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key in steps) this.activate(this.#active + steps[event.key], event.shiftKey);
    else if (event.key === 'Enter') this.#tell('open', this.#active);
    else if (event.key === ' ') this.#tell('preview', this.#active);
    else if (event.key === 'Escape') this.#tell('preview', null);
    else return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key in steps) this.#tell('move', this.#active);
  }

  #click(event) {
    const row = event.target.closest('[data-index]');
    if (!row) return;
    const index = Number(row.dataset.index);
    if (event.shiftKey) {
      this.activate(index, true);
      return;
    }
    this.#active = index;
    if (event.ctrlKey || event.metaKey || event.target.closest('.pick')) this.#toggle(index);
    else this.#tell('open', index);
    this.draw();
  }

  #point(row) {
    this.#tell('point', row ? Number(row.dataset.index) : null);
  }
}
