/*
 * tabiya-board.mjs - <tabiya-board>: a board for any page, with a game to walk through or to play on.
 *
 *     <script type="module" src="http://127.0.0.1:8064/tabiya-board.mjs"></script>
 *     <tabiya-board pgn="1. e4 e5 2. Nf3" ply="3" orientation="black"></tabiya-board>
 *
 * Attributes: `fen` or `pgn` (or a game as its text), or `src` with a file of games and `number` with one of them; `ply` to stand at,
 * `orientation`, `playable` for moves by hand, `moves` for the list of moves. The property `game` is the game (see tabiya.d.ts), `node` the place in
 * it; a move fires `move` with its detail.
 */
import { BoardView } from './board.mjs';
import { h } from './dom.mjs';
import { load } from './tabiya.mjs';

let library = null;
let sprite = null;

/** The library, loaded once for all elements of a page. */
export const core = () => (library ??= load());

/** The text of a file; throws an error that can be shown. */
export async function fetchText(address) {
  const response = await fetch(new URL(address, document.baseURI));
  if (!response.ok) throw new Error(`${address} cannot be loaded: the host answered with status ${response.status}`);
  return response.text();
}

/** A link to a style sheet. Bundlers copy a file only for `new URL` with its name as it is. */
export const styles = (url) => h('link', { rel: 'stylesheet', href: url.href });

/** The pieces stand in each board's own tree: pictures of other hosts may not be referred to. */
async function pieces() {
  sprite ??= fetch(new URL('./pieces.svg', import.meta.url)).then((response) => response.text());
  const { documentElement } = new DOMParser().parseFromString(await sprite, 'image/svg+xml');
  const svg = document.importNode(documentElement, true);
  for (const name of ['width', 'height']) svg.setAttribute(name, '0');
  svg.setAttribute('class', 'sprite');
  svg.setAttribute('aria-hidden', 'true');
  return svg;
}

export class TabiyaBoard extends HTMLElement {
  static observedAttributes = ['fen', 'pgn', 'src', 'number', 'ply', 'orientation', 'playable', 'moves'];

  #view = null;
  #status = null;
  #list = null;
  #title = null;
  game = null;
  node = 0;

  async connectedCallback() {
    if (this.shadowRoot) return;
    const root = this.attachShadow({ mode: 'open' });
    const frame = h('div', { class: 'board-frame' });
    this.#status = h('output', { class: 'line', part: 'line' });
    this.#title = h('p', { class: 'title', part: 'title', hidden: true });
    this.#list = h('div', { class: 'list', part: 'moves', role: 'group', 'aria-label': 'Moves', hidden: true });
    const button = (text, label, go) => h('button', { type: 'button', 'aria-label': label, part: 'button', onclick: () => this.#go(go) }, text);
    const walk = h('div', { class: 'walk', part: 'controls', onkeydown: (event) => this.#key(event) },
      button('⏮', 'To the start', () => 0), button('◀', 'Back one move', (at) => at - 1), button('▶', 'Forward one move', (at) => at + 1),
      button('⏭', 'To the end', () => Infinity), this.#status);
    this.#list.addEventListener('keydown', (event) => this.#key(event));
    root.append(styles(new URL('./board.css', import.meta.url)), this.#title, frame, walk, this.#list);
    const [tabiya, svg] = await Promise.all([core(), pieces()]);
    root.prepend(svg);
    this.tabiya = tabiya;
    this.#view = new BoardView(frame, { piece: (id) => `#${id}` });
    this.#view.canDraw = false;
    this.#view.addEventListener('move', ({ detail }) => {
      this.playMove(detail.uci);
      this.dispatchEvent(new CustomEvent('move', { detail, bubbles: true, composed: true }));
    });
    await this.#read();
  }

  attributeChangedCallback(name) {
    if (!this.#view) return;
    if (['fen', 'pgn', 'src', 'number'].includes(name)) this.#read();
    else if (name === 'ply') this.#go(() => Number(this.getAttribute('ply')));
    else if (name === 'moves') this.#drawList();
    else this.#draw(false);
  }

  /** Arrows walk from the controls and the list of moves, forward in the direction of reading moves. */
  #key(event) {
    const go = { ArrowLeft: (at) => at - 1, ArrowRight: (at) => at + 1, Home: () => 0, End: () => Infinity }[event.key];
    if (!go) return;
    event.preventDefault();
    this.#go(go);
  }

  async #text() {
    if (!this.hasAttribute('src') || this.hasAttribute('pgn')) return this.getAttribute('pgn') ?? this.textContent.trim();
    const [wanted] = [...this.tabiya.games(await fetchText(this.getAttribute('src')))].slice(Number(this.getAttribute('number') ?? 1) - 1);
    if (!wanted) throw new Error(`there is no game ${this.getAttribute('number') ?? 1} in ${this.getAttribute('src')}`);
    return wanted.game.write('pgn');
  }

  async #read() {
    try {
      const isBoard = this.hasAttribute('fen') && !this.hasAttribute('pgn');
      const text = isBoard ? '' : await this.#text();
      this.game = text ? this.tabiya.game(text) : this.tabiya.game();
      if (isBoard) this.game.setStart(this.tabiya.board(this.getAttribute('fen')));
      const { line } = this.game.view(0);
      this.node = line[Number(this.getAttribute('ply') ?? 0) - 1] ?? 0;
      this.#drawList();
      this.#draw(false);
    } catch (error) {
      this.#status.textContent = error.message;
    }
  }

  /** Plays a move, as if by hand. */
  playMove(uci) {
    this.node = this.game.play(this.node, uci);
    this.#drawList();
    this.#draw(true);
  }

  #go(where) {
    if (!this.game) return; // what was given cannot be read
    const { path, line } = this.game.view(this.node);
    const at = Math.min(line.length, Math.max(0, where(path.length)));
    this.node = line[at - 1] ?? 0;
    this.#draw(true);
  }

  #drawList() {
    const { moves, tags } = this.game.list();
    const line = new Set(this.game.view(0).line);
    const names = [tags.White, tags.Black].filter((name) => name && name !== '?').join(' – ');
    this.#title.textContent = [names, tags.Event, tags.Date?.slice(0, 4)].filter((text) => text && !text.includes('?')).join(' · ');
    this.#title.hidden = !this.hasAttribute('moves') || !this.#title.textContent;
    this.#list.hidden = !this.hasAttribute('moves') || !moves.length;
    if (this.#list.hidden) return;
    this.#list.replaceChildren(...moves.filter(({ node }) => line.has(node)).map(({ node, san, ply }) => h('button', { type: 'button', 'data-node': node, part: 'move', onclick: () => {
      this.node = node;
      this.#draw(true);
    } }, ply % 2 ? h('span', {}, `${Math.ceil(ply / 2)}. `) : '', san)));
  }

  #draw(animated) {
    if (!this.game) return;
    const { moves, last, check } = this.game.view(this.node);
    const { squares } = this.game.position(this.node).describe();
    const { shapes = [], ply = 0, after = [] } = this.game.list().moves.find((item) => item.node === this.node) ?? {};
    this.#view.draw({ squares, moves: this.hasAttribute('playable') ? moves : [], shapes, last: last?.from ? [last.from, last.to] : [],
      check: check ? [check] : [], orientation: this.getAttribute('orientation') === 'black' ? 'black' : 'white', animated });
    this.dataset.fen = this.game.position(this.node).write();
    const comment = after.join(' ').replace(/\[%[^\]]*\]/g, '').trim(); // without clocks, evaluations and arrows
    this.#status.textContent = last ? `${Math.ceil(ply / 2)}${ply % 2 ? '.' : '…'} ${last.san}${comment && this.hasAttribute('moves') ? ` – ${comment}` : ''}` : '';
    for (const button of this.#list.children) {
      const isHere = Number(button.dataset.node) === this.node;
      button.setAttribute('aria-current', String(isHere));
      if (isHere) this.#list.scrollTop = button.offsetTop - this.#list.offsetTop - this.#list.clientHeight / 2;
    }
  }
}

if (!customElements.get('tabiya-board')) customElements.define('tabiya-board', TabiyaBoard);
