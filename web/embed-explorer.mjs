/*
 * embed-explorer.mjs - <tabiya-explorer src="site/">: a board with what was played in the games that `tabiya publish` has written there.
 */
import { h } from './dom.mjs';
import { openLists } from './published-lists.mjs';
import { core, styles } from './tabiya-board.mjs';

const GAMES = 5;
const number = (n) => n.toLocaleString();

export class TabiyaExplorer extends HTMLElement {
  static observedAttributes = ['src'];

  #board = null;
  #body = null;
  #note = null;
  #games = null;
  #list = null;
  #asked = 0;

  async connectedCallback() {
    if (this.shadowRoot) return;
    const root = this.attachShadow({ mode: 'open' });
    this.#board = h('tabiya-board', { exportparts: 'title, moves, move, controls, button, line' });
    for (const name of ['playable', 'moves']) this.#board.setAttribute(name, '');
    this.#body = h('tbody');
    this.#note = h('p', { class: 'note', role: 'status' });
    this.#list = h('ul', { class: 'games', part: 'games' });
    const head = (text, label = null) => h('th', { scope: 'col', 'aria-label': label }, text);
    root.append(styles(new URL('./board.css', import.meta.url)), styles(new URL('./embed.css', import.meta.url)),
      h('div', { class: 'beside' }, this.#board, h('div', { class: 'side' },
      h('table', { part: 'table' }, h('thead', {}, h('tr', {}, head('Move'), head('Games'), head('White'), head('Draw'), head('Black'))), this.#body), this.#note, this.#list)));
    new MutationObserver(() => this.#explore()).observe(this.#board, { attributes: true, attributeFilter: ['data-fen'] });
    await this.#read();
  }

  attributeChangedCallback() { if (this.#board) this.#read(); }

  async #read() {
    try {
      this.#games = await openLists(new URL('data/', new URL(`${this.getAttribute('src') ?? '.'}/`, document.baseURI)), await core());
      await this.#explore();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error) {
    this.#body.replaceChildren();
    this.#list.replaceChildren();
    this.#note.textContent = error.message;
  }

  async #explore() {
    if (!this.#games || !this.#board.game) return;
    const mine = ++this.#asked;
    try {
      const board = this.#board.game.position(this.#board.node);
      const answer = await this.#games.explore(board);
      const { games } = answer.games ? await this.#games.find({ board, sort: '-elo', limit: GAMES }) : { games: [] };
      if (mine === this.#asked) this.#draw(answer, games);
    } catch (error) {
      if (mine === this.#asked) this.#fail(error);
    }
  }

  #draw({ games, moves, name }, rows) {
    const share = (n, { white, draw, black }) => `${Math.round((100 * n) / (white + draw + black || 1))}%`;
    this.#body.replaceChildren(...moves.map((move) => h('tr', {}, h('th', { scope: 'row' }, h('button', { type: 'button', part: 'move', onclick: () => this.#board.playMove(move.uci) }, move.san)),
      h('td', {}, number(move.games)), h('td', {}, share(move.white, move)), h('td', {}, share(move.draw, move)), h('td', {}, share(move.black, move)))));
    const { title, games: all } = this.#games.manifest;
    this.#note.textContent = `${name ? `${name}: ` : ''}${number(games)} of ${number(all)} games. ${title ?? ''}`;
    this.#list.replaceChildren(...rows.map((game) => h('li', {}, h('button', { type: 'button', part: 'game', onclick: () => this.#open(game) },
      h('span', { class: 'names', dir: 'auto' }, `${game.white ?? '?'} – ${game.black ?? '?'}`), h('b', { dir: 'ltr' }, game.result === '1/2-1/2' ? '½–½' : game.result.replace('-', '–')),
      h('small', { dir: 'auto' }, [game.date?.slice(0, 4), game.event].filter((text) => text && text !== '?').join(' · '))))));
  }

  async #open({ id, ply }) {
    try {
      this.#board.setAttribute('ply', String(ply));
      this.#board.setAttribute('pgn', await this.#games.game(id));
    } catch (error) {
      this.#fail(error);
    }
  }
}

if (!customElements.get('tabiya-explorer')) customElements.define('tabiya-explorer', TabiyaExplorer);
