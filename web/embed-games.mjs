/*
 * embed-games.mjs - <tabiya-games src="club.pgn">: a list of games with a field to filter it, and the board beside it.
 */
import { h } from './dom.mjs';
import { core, fetchText, styles } from './tabiya-board.mjs';

const MOST = 500; // rows that are drawn at once
const known = (text) => (text && text !== '?' ? text : '');

export class TabiyaGames extends HTMLElement {
  static observedAttributes = ['src'];

  #all = [];
  #list = null;
  #note = null;
  #board = null;

  async connectedCallback() {
    if (this.shadowRoot) return;
    const root = this.attachShadow({ mode: 'open' });
    const field = h('input', { type: 'search', part: 'field', placeholder: 'Name, event, year', 'aria-label': 'Filter the games', oninput: () => this.#draw(field.value) });
    this.#list = h('ul', { class: 'games', part: 'games' });
    this.#note = h('p', { class: 'note', role: 'status' });
    this.#board = h('tabiya-board', { moves: '', exportparts: 'title, moves, move, controls, button, line' });
    this.#board.setAttribute('moves', '');
    root.append(styles(new URL('./board.css', import.meta.url)), styles(new URL('./embed.css', import.meta.url)),
      h('div', { class: 'beside' }, this.#board, h('div', { class: 'side' }, field, this.#note, this.#list)));
    await this.#read();
  }

  attributeChangedCallback() { if (this.#list) this.#read(); }

  async #read() {
    try {
      const tabiya = await core();
      const text = this.hasAttribute('src') ? await fetchText(this.getAttribute('src')) : this.textContent;
      const bytes = new TextEncoder().encode(text);
      this.#all = [...tabiya.games(bytes)].filter(({ plies, tags }) => plies || Object.keys(tags).length).map(({ tags, result, begin, end }) => ({ begin, end,
        white: known(tags.White) || '?', black: known(tags.Black) || '?', result, facts: [known(tags.Date)?.slice(0, 4), known(tags.Event), known(tags.ECO)].filter(Boolean).join(' · ') }));
      this.bytes = bytes;
      this.#draw('');
      if (this.#all.length) this.#open(this.#all[0]);
    } catch (error) {
      this.#note.textContent = error.message;
    }
  }

  #open(game) {
    this.#board.setAttribute('pgn', new TextDecoder().decode(this.bytes.subarray(game.begin, game.end)));
    for (const button of this.#list.querySelectorAll('button')) button.setAttribute('aria-current', String(this.#all[button.dataset.index] === game));
  }

  #draw(filter) {
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.#all.filter(({ white, black, facts, result }) => { const text = `${white} ${black} ${facts} ${result}`.toLowerCase(); return words.every((word) => text.includes(word)); });
    this.#note.textContent = `${found.length} ${found.length === 1 ? 'game' : 'games'}${found.length > MOST ? `, the first ${MOST}` : ''}`;
    this.#list.replaceChildren(...found.slice(0, MOST).map((game) => h('li', {}, h('button', { type: 'button', part: 'game', 'data-index': this.#all.indexOf(game), onclick: () => this.#open(game) },
      h('span', { class: 'names', dir: 'auto' }, `${game.white} – ${game.black}`), h('b', { dir: 'ltr' }, game.result === '1/2-1/2' ? '½–½' : game.result.replace('-', '–')), h('small', { dir: 'auto' }, game.facts)))));
  }
}

if (!customElements.get('tabiya-games')) customElements.define('tabiya-games', TabiyaGames);
