/*
 * tabiya-board.mjs - <tabiya-board>: a board for any page, with a game to walk through or to play on.
 *
 *     <script type="module" src="http://127.0.0.1:8064/tabiya-board.mjs"></script>
 *     <tabiya-board pgn="1. e4 e5 2. Nf3" ply="3" orientation="black"></tabiya-board>
 *
 * Attributes: `fen` or `pgn` (or a game as its text), `ply` to stand at, `orientation`, `playable` for moves by hand. The
 * property `game` is the game (see tabiya.d.ts), `node` the place in it; a move fires `move` with its detail.
 */
import { BoardView } from './board.mjs';
import { h } from './dom.mjs';
import { load } from './tabiya.mjs';

let library = null;
let sprite = null;

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
  static observedAttributes = ['fen', 'pgn', 'ply', 'orientation', 'playable'];

  #view = null;
  #status = null;
  game = null;
  node = 0;

  async connectedCallback() {
    if (this.shadowRoot) return;
    const root = this.attachShadow({ mode: 'open' });
    const frame = h('div', { class: 'board-frame' });
    this.#status = h('output', { class: 'line', part: 'line' });
    const button = (text, label, go) => h('button', { type: 'button', 'aria-label': label, part: 'button', onclick: () => this.#go(go) }, text);
    root.append(h('link', { rel: 'stylesheet', href: new URL('./board.css', import.meta.url).href }), frame, h('div', { class: 'walk', part: 'controls' },
      button('⏮', 'To the start', () => 0), button('◀', 'Back one move', (at) => at - 1), button('▶', 'Forward one move', (at) => at + 1),
      button('⏭', 'To the end', () => Infinity), this.#status));
    library ??= load();
    const [tabiya, svg] = await Promise.all([library, pieces()]);
    root.prepend(svg);
    this.tabiya = tabiya;
    this.#view = new BoardView(frame, { piece: (id) => `#${id}` });
    this.#view.canDraw = false;
    this.#view.addEventListener('move', ({ detail }) => {
      this.node = this.game.play(this.node, detail.uci);
      this.#draw(true);
      this.dispatchEvent(new CustomEvent('move', { detail, bubbles: true, composed: true }));
    });
    this.#read();
  }

  attributeChangedCallback(name) {
    if (!this.#view) return;
    if (name === 'fen' || name === 'pgn') this.#read();
    else if (name === 'ply') this.#go(() => Number(this.getAttribute('ply')));
    else this.#draw(false);
  }

  #read() {
    try {
      const text = this.getAttribute('pgn') ?? this.textContent.trim();
      this.game = text && !this.hasAttribute('fen') ? this.tabiya.game(text) : this.tabiya.game();
      if (this.hasAttribute('fen')) this.game.setStart(this.tabiya.board(this.getAttribute('fen')));
      const { line } = this.game.view(0);
      this.node = line[Number(this.getAttribute('ply') ?? 0) - 1] ?? 0;
      this.#draw(false);
    } catch (error) {
      this.#status.textContent = error.message;
    }
  }

  #go(where) {
    if (!this.game) return; // what was given cannot be read
    const { path, line } = this.game.view(this.node);
    const at = Math.min(line.length, Math.max(0, where(path.length)));
    this.node = line[at - 1] ?? 0;
    this.#draw(true);
  }

  #draw(animated) {
    if (!this.game) return;
    const { moves, last, check } = this.game.view(this.node);
    const { squares } = this.game.position(this.node).describe();
    const { shapes = [], ply = 0 } = this.game.list().moves.find((item) => item.node === this.node) ?? {};
    this.#view.draw({ squares, moves: this.hasAttribute('playable') ? moves : [], shapes, last: last?.from ? [last.from, last.to] : [],
      check: check ? [check] : [], orientation: this.getAttribute('orientation') === 'black' ? 'black' : 'white', animated });
    this.#status.textContent = last ? `${Math.ceil(ply / 2)}${ply % 2 ? '.' : '…'} ${last.san}` : '';
  }
}

if (!customElements.get('tabiya-board')) customElements.define('tabiya-board', TabiyaBoard);
