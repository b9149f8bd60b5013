/*
 * board.mjs - the board: drawn as SVG, played by mouse, pen, finger and keyboard, and read aloud as a grid of cells.
 *
 * It receives the legal moves and reports the one that was made; it knows no rules. The drawing is eight units wide, one per square.
 * Pieces glide by CSS transitions, which the next position interrupts: nothing waits for an animation. The grid
 * lies over the drawing and ignores the pointer; it holds the focus, the names of squares and the coordinates.
 */
import { h, icon } from './dom.mjs';

const FILES = 'abcdefgh';
const NAMES = { p: 'pawn', n: 'knight', b: 'bishop', r: 'rook', q: 'queen', k: 'king', m: 'piece' };
const SVG = 'http://www.w3.org/2000/svg';
const DRAG_PIXELS = 4; // less is a tap

/** What a drawn search may have on a square besides pieces: the name in the sprite, and in words; M and m are any piece of a side. */
const WILDCARDS = { '?': ['any', 'any piece'], _: ['none', 'empty square'] };

let word = (text) => text;
/** Everything that is read aloud goes through `translated`, which answers the text in the language of the page. */
export function useWords(translated) {
  word = translated;
}

/** 'N' to 'white knight', 'n' to 'black knight'. */
export const pieceName = (letter) => word(WILDCARDS[letter]?.[1] ?? `${letter === letter.toUpperCase() ? 'white' : 'black'} ${NAMES[letter.toLowerCase()]}`);
/** 'N' to 'wn': the names of the sprite. */
export const pieceId = (letter) => WILDCARDS[letter]?.[0] ?? (letter === letter.toUpperCase() ? 'w' : 'b') + letter.toLowerCase();

/** The URL of the image of 'wk' in one of the piece sets. */
export const piecePicture = (id, set = 'pieces') => (document.getElementById(`${set}-${id}`) ? `#${set}-${id}` : new URL(`${set}.svg#${id}`, import.meta.url).href);

function svg(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const isDark = (square) => (FILES.indexOf(square[0]) + Number(square[1])) % 2 === 1;
const squareAt = (index) => FILES[index % 8] + (Math.floor(index / 8) + 1);
/** The colours of arrows and squares in PGN: the first is drawn plainly, the others with Shift, Alt, and both. */
const shapeColor = (event) => (event.shiftKey || event.ctrlKey ? (event.altKey ? 'Y' : 'R') : event.altKey ? 'B' : 'G');

export class BoardView extends EventTarget {
  #cells = new Map();
  #pieces = new Map(); // square to { letter, element }
  #layers = {};
  #marks = {};
  #shapes = [];
  #hints = [];
  #selected = null;
  #focus = 'e2';
  #moves = []; // the legal moves of the position, as the library lists them
  #squares = '.'.repeat(64);
  #orientation = 'white';
  #drag = null; // { square, element, x, y, isMoving, wasSelected, isTarget }
  #pen = null; // the square where a drawn arrow begins
  #isPlaced = false; // the user has dragged the piece there already

  /** `frame` gets the drawing, the grid and the choice of promotion; `piece` says where the picture of 'wk' is. */
  constructor(frame, { piece = piecePicture } = {}) {
    super();
    this.frame = frame;
    this.pieceHref = piece;
    this.editing = false;
    this.tool = null; // while editing: a letter, '' to clear squares, null to move pieces
    this.canDraw = true;
    this.grid = h('div', { class: 'grid', role: 'grid', 'aria-label': word('Chess board') });
    const layers = ['squares', 'marks', 'pieces', 'shapes'].map((name) => {
      this.#layers[name] = svg('g', { class: `${name}-layer` });
      return this.#layers[name];
    });
    this.svg = svg('svg', { viewBox: '0 0 8 8', class: 'drawing', 'aria-hidden': 'true' }, ...layers);
    frame.append(this.svg, this.grid);
    this.#drawSquares();
    this.#drawGrid();
    this.grid.addEventListener('keydown', (event) => this.#onKey(event));
    this.svg.addEventListener('pointerdown', (event) => this.#onDown(event));
    this.svg.addEventListener('pointermove', (event) => this.#onMove(event));
    this.svg.addEventListener('pointerup', (event) => this.#onUp(event));
    this.svg.addEventListener('pointercancel', () => this.#drop());
    this.svg.addEventListener('contextmenu', (event) => { if (this.canDraw) event.preventDefault(); });
    // A finger on a piece plays; elsewhere it scrolls the page.
    this.svg.addEventListener('touchstart', (event) => {
      const [touch] = event.touches;
      if (event.touches.length === 1 && this.#isUsed(this.#squareOf(touch))) event.preventDefault();
    }, { passive: false });
  }

  // ---- Drawing

  /** `state`: { squares, moves, last, check, shapes, orientation, animated } */
  draw({ squares, moves, last, check, shapes = [], orientation, animated }) {
    this.#moves = moves;
    this.#squares = squares;
    this.#shapes = shapes;
    this.#hints = [];
    this.#drop();
    this.#closePromotion();
    const isTurned = orientation !== this.#orientation;
    if (isTurned) {
      this.#orientation = orientation;
      this.#drawSquares();
      this.#drawGrid();
    }
    this.#drawPieces(animated && !this.#isPlaced && !isTurned, isTurned);
    this.#selected = null;
    this.#mark({ last, check, selected: [], target: [], capture: [] });
    this.#drawShapes();
    this.#nameCells();
  }

  /** Arrows of the page, not of the game: [{ from, to }]. */
  setHints(hints) {
    this.#hints = hints;
    this.#drawShapes();
  }

  #pieceAt(square) {
    const letter = this.#squares[FILES.indexOf(square[0]) + 8 * (Number(square[1]) - 1)];
    return letter === '.' ? null : letter;
  }

  /** The corner of a square on the drawing. */
  #corner(square) {
    const [x, y] = [FILES.indexOf(square[0]), 8 - Number(square[1])];
    return this.#orientation === 'white' ? [x, y] : [7 - x, 7 - y];
  }

  /** The square under a pointer, or null. */
  #squareOf({ clientX, clientY }) {
    const box = this.svg.getBoundingClientRect();
    const x = Math.floor((8 * (clientX - box.left)) / box.width);
    const y = Math.floor((8 * (clientY - box.top)) / box.height);
    if (x < 0 || x > 7 || y < 0 || y > 7) return null;
    return this.#orientation === 'white' ? FILES[x] + (8 - y) : FILES[7 - x] + (y + 1);
  }

  /** The squares as they are shown, row by row. */
  #rows() {
    const ranks = [8, 7, 6, 5, 4, 3, 2, 1];
    const rows = ranks.map((rank) => [...FILES].map((file) => file + rank));
    return this.#orientation === 'white' ? rows : rows.reverse().map((row) => row.reverse());
  }

  #drawSquares() {
    this.#layers.squares.replaceChildren(...this.#rows().flat().map((square) => {
      const [x, y] = this.#corner(square);
      return svg('rect', { class: `square ${isDark(square) ? 'black' : 'white'}`, 'data-square': square, x, y, width: 1, height: 1 });
    }));
  }

  #place(element, square) {
    const [x, y] = this.#corner(square);
    element.style.transform = `translate(${x}px, ${y}px)`;
  }

  /** Moves each piece from the nearest square that had one of its kind; the others appear and disappear. */
  #drawPieces(isAnimated, isTurned) {
    const layer = this.#layers.pieces;
    layer.classList.toggle('still', !isAnimated);
    const wanted = new Map();
    for (let i = 0; i < 64; i++) if (this.#squares[i] !== '.') wanted.set(squareAt(i), this.#squares[i]);
    const free = [...this.#pieces].filter(([square, piece]) => wanted.get(square) !== piece.letter);
    for (const [square] of free) this.#pieces.delete(square);
    for (const [square, letter] of wanted) {
      if (this.#pieces.has(square)) {
        if (isTurned) this.#place(this.#pieces.get(square).element, square);
        continue;
      }
      const distance = (from) => Math.hypot(from.charCodeAt(0) - square.charCodeAt(0), from.charCodeAt(1) - square.charCodeAt(1));
      const [nearest] = free.filter(([, piece]) => piece.letter === letter).sort(([a], [b]) => distance(a) - distance(b));
      if (nearest) free.splice(free.indexOf(nearest), 1);
      const piece = nearest?.[1] ?? this.#newPiece(letter);
      this.#pieces.set(square, piece);
      this.#place(piece.element, square);
    }
    for (const [, piece] of free) piece.element.remove();
  }

  #newPiece(letter) {
    const use = svg('use', { href: this.pieceHref(pieceId(letter)), transform: 'scale(0.025)' });
    const element = svg('g', { class: 'piece', 'data-piece': letter }, use);
    this.#layers.pieces.append(element);
    return { letter, element };
  }

  /** Marks of squares: { last: [..], check: [..], selected: [..], target: [..], capture: [..] }. */
  #mark(marks) {
    Object.assign(this.#marks, marks);
    this.#layers.marks.replaceChildren(...Object.entries(this.#marks).flatMap(([kind, squares]) => squares.map((square) => {
      const [x, y] = this.#corner(square);
      const common = { class: `mark-${kind}`, 'data-square': square };
      if (kind === 'target' || kind === 'capture')
        return svg('circle', { ...common, cx: x + 0.5, cy: y + 0.5, r: kind === 'target' ? 0.15 : 0.43, 'stroke-width': 0.08 });
      return svg('rect', { ...common, x, y, width: 1, height: 1 });
    })));
  }

  #drawShapes() {
    const middle = (square) => this.#corner(square).map((n) => n + 0.5);
    const draw = ({ from, to, color = 'hint' }) => {
      const [[x, y], [x2, y2]] = [middle(from), middle(to ?? from)];
      const common = { class: `shape shape-${color}`, 'data-shape': from + (to ?? '') };
      if (!to || to === from) return svg('circle', { ...common, cx: x, cy: y, r: 0.44 });
      const length = Math.hypot(x2 - x, y2 - y);
      const [dx, dy] = [(x2 - x) / length, (y2 - y) / length];
      const [nx, ny] = [x2 - 0.38 * dx, y2 - 0.38 * dy]; // the neck, where the head begins
      const head = [[x2, y2], [nx - 0.2 * dy, ny + 0.2 * dx], [nx + 0.2 * dy, ny - 0.2 * dx]];
      return svg('g', common, svg('line', { x1: x + 0.3 * dx, y1: y + 0.3 * dy, x2: nx, y2: ny }),
        svg('polygon', { points: head.map((point) => point.join(',')).join(' ') }));
    };
    this.#layers.shapes.replaceChildren(...[...this.#shapes, ...this.#hints].map(draw));
  }

  #drawGrid() {
    const hadFocus = this.grid.contains(this.#activeElement());
    this.#cells.clear();
    this.grid.replaceChildren(...this.#rows().map((row, y) => h('div', { role: 'row' }, ...row.map((square, x) => {
      const cell = h('div', { role: 'gridcell', 'data-square': square, tabIndex: -1,
        onfocus: () => this.#moveFocus(square) });
      if (x === 0) cell.dataset.rank = square[1];
      if (y === 7) cell.dataset.file = square[0];
      cell.classList.add(isDark(square) ? 'on-dark' : 'on-light');
      this.#cells.set(square, cell);
      return cell;
    }))));
    this.#cells.get(this.#focus).tabIndex = 0;
    if (hadFocus) this.focus();
  }

  #nameCells() {
    for (const [square, cell] of this.#cells) {
      const letter = this.#pieceAt(square);
      const name = `${square}${letter ? `, ${pieceName(letter)}` : ''}${square === this.#selected ? `, ${word('selected')}` : ''}`;
      if (cell.getAttribute('aria-label') !== name) cell.setAttribute('aria-label', name);
    }
  }

  // ---- Moves

  #from(square) {
    return this.#moves.filter((move) => move.from === square);
  }

  /** The moves from one square to another; castling also by its rook. */
  #candidates(from, to) {
    const moves = this.#from(from);
    const direct = moves.filter((move) => move.to === to && move.from !== to);
    return direct.length ? direct : moves.filter((move) => move.rook === to);
  }

  /** The pawn's move that is written as its square alone, e4: a square and Enter play it. */
  #pawnMove(square) {
    return this.#moves.filter(({ san }) => san.replace(/[+#]$/, '') === square);
  }

  #canTake(square) {
    if (this.editing) return this.tool === null && this.#pieceAt(square) !== null;
    return this.#from(square).length > 0;
  }

  /** Does pressing this square have an effect? */
  #isUsed(square) {
    if (!square) return false;
    if (this.editing && (this.tool !== null || this.#selected)) return true;
    return this.#canTake(square) || (this.#selected && this.#candidates(this.#selected, square).length > 0);
  }

  #select(square) {
    this.#selected = square;
    const moves = square ? this.#from(square) : [];
    this.#mark({
      selected: square ? [square] : [],
      target: moves.filter((move) => !move.capture).map((move) => move.to),
      capture: moves.filter((move) => move.capture).map((move) => move.to),
    });
  }

  async #make(candidates, wasDragged = false) {
    const move = candidates.length > 1 ? await this.#askPromotion(candidates) : candidates[0];
    if (!move) return;
    this.#isPlaced = wasDragged && candidates.length === 1;
    this.dispatchEvent(new CustomEvent('move', { detail: move }));
    this.#isPlaced = false;
  }

  #edit(changes) {
    this.dispatchEvent(new CustomEvent('edit', { detail: changes }));
  }

  // ---- Pointers

  #onDown(event) {
    const square = this.#squareOf(event);
    if (!square || this.#drag || !event.isPrimary) return;
    if (event.button === 2 && this.canDraw) {
      this.#pen = square;
      this.svg.setPointerCapture(event.pointerId);
      return;
    }
    if (event.button !== 0) return;
    if (this.editing && this.tool !== null) {
      this.#useTool(square);
      return;
    }
    const from = this.#selected;
    const isTarget = Boolean(from && from !== square && (this.editing || this.#candidates(from, square).length));
    if (!isTarget && !this.#canTake(square)) {
      if (from) this.#select(null);
      this.dispatchEvent(new Event('press'));
      return;
    }
    this.svg.setPointerCapture(event.pointerId);
    this.#drag = { square, isTarget, wasSelected: from === square, x: event.clientX, y: event.clientY, isMoving: false,
      element: isTarget ? null : this.#pieces.get(square)?.element };
    if (!isTarget) this.#select(square);
  }

  #onMove(event) {
    const drag = this.#drag;
    if (!drag?.element) return;
    if (!drag.isMoving) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_PIXELS) return;
      drag.isMoving = true;
      drag.element.classList.add('dragged');
      drag.element.parentNode.append(drag.element);
      this.frame.classList.add('dragging');
    }
    const box = this.svg.getBoundingClientRect();
    const [x, y] = [(8 * (event.clientX - box.left)) / box.width - 0.5, (8 * (event.clientY - box.top)) / box.height - 0.5];
    drag.element.style.transform = `translate(${x}px, ${y}px)`;
  }

  #onUp(event) {
    const to = this.#squareOf(event);
    if (this.#pen && event.button === 2) {
      const from = this.#pen;
      this.#pen = null;
      if (to) this.dispatchEvent(new CustomEvent('shape', { detail: { from, to: to === from ? null : to, color: shapeColor(event) } }));
      return;
    }
    const drag = this.#drag;
    if (!drag) return;
    const { square, isTarget, wasSelected, isMoving } = drag;
    if (isMoving) {
      this.#finishDrag(square, to);
    } else if (isTarget) {
      this.#drag = null;
      if (to === square) this.#finishTap(this.#selected, square);
    } else {
      this.#drag = null;
      if (wasSelected) this.#select(null);
    }
  }

  #finishTap(from, to) {
    const candidates = this.#candidates(from, to);
    this.#select(null);
    if (this.editing) this.#edit([[from, null], [to, this.#pieceAt(from)]]);
    else this.#make(candidates);
  }

  #finishDrag(from, to) {
    if (this.editing) {
      const changes = to ? [[from, null], [to, this.#pieceAt(from)]] : [[from, null]];
      this.#drop();
      this.#select(null);
      if (to !== from) this.#edit(changes);
      return;
    }
    const candidates = to ? this.#candidates(from, to) : [];
    const isSure = candidates.length === 1;
    this.#drop(isSure ? to : null);
    if (to !== from) this.#select(null);
    if (candidates.length) this.#make(candidates, true);
  }

  /** Drops a dragged piece: it goes back, or stays on `to` until the move is drawn. */
  #drop(to = null) {
    const drag = this.#drag;
    this.#drag = null;
    this.#pen = null;
    if (!drag?.isMoving) return;
    this.frame.classList.remove('dragging');
    this.#layers.pieces.classList.add('still');
    this.#place(drag.element, to ?? drag.square);
    drag.element.classList.remove('dragged');
  }

  #useTool(square) {
    this.#edit([[square, this.#pieceAt(square) === this.tool ? null : this.tool || null]]);
  }

  // ---- Keyboard

  #activeElement() {
    return this.frame.getRootNode().activeElement;
  }

  #moveFocus(square) {
    this.#cells.get(this.#focus).tabIndex = -1;
    this.#focus = square;
    this.#cells.get(square).tabIndex = 0;
  }

  focus() {
    this.#cells.get(this.#focus).focus({ preventScroll: true });
  }

  #onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const rows = this.#rows();
    const y = rows.findIndex((row) => row.includes(this.#focus));
    const x = rows[y].indexOf(this.#focus);
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (step) {
      const next = rows[y + step[1]]?.[x + step[0]];
      if (next) this.#cells.get(next).focus();
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.#press(this.#focus);
    } else if (event.key === 'Escape') {
      this.#select(null);
      this.#nameCells();
    } else if (/^[a-h]$/.test(event.key)) { // to a file; f is not flip here
      this.#cells.get(event.key + this.#focus[1]).focus();
    } else if (/^[1-8]$/.test(event.key)) {
      this.#cells.get(this.#focus[0] + event.key).focus();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #press(square) {
    if (this.editing && this.tool !== null) return this.#useTool(square);
    const from = this.#selected;
    if (from && this.editing) {
      this.#select(null);
      return this.#edit([[from, null], [square, this.#pieceAt(from)]]);
    }
    const candidates = from ? this.#candidates(from, square) : this.#canTake(square) ? [] : this.#pawnMove(square);
    this.#select(candidates.length === 0 && square !== from && this.#canTake(square) ? square : null);
    this.#nameCells();
    if (candidates.length) this.#make(candidates);
    return undefined;
  }

  // ---- Promotion

  /** Asks the user to choose between moves with the same squares (promotions). */
  #askPromotion(moves) {
    this.#closePromotion();
    const isWhite = this.#pieceAt(moves[0].from) === 'P';
    const order = 'qnrb';
    const sorted = [...moves].sort((a, b) => order.indexOf(a.promotion) - order.indexOf(b.promotion));
    const cell = this.#cells.get(moves[0].to);
    const before = this.#activeElement();
    return new Promise((resolve) => {
      // The tap that opened the choice may end in a click on it: only a press that began here counts.
      let isPressed = false;
      const finish = (move) => {
        this.#closePromotion();
        if (before?.isConnected && before !== document.body) before.focus();
        else cell.focus({ preventScroll: true });
        resolve(move);
      };
      const dialog = h('div', { class: 'promotion', role: 'dialog', 'aria-label': word('Promote to'), 'aria-modal': 'true' },
        ...sorted.map((move) => h('button', { type: 'button', 'aria-label': word(NAMES[move.promotion]),
          'data-promotion': move.promotion, onclick: (event) => { if (isPressed || event.detail === 0) finish(move); } },
        icon(this.pieceHref((isWhite ? 'w' : 'b') + move.promotion), 40))));
      dialog.style.setProperty('--x', [...cell.parentNode.children].indexOf(cell));
      dialog.classList.toggle('from-bottom', [...this.grid.children].indexOf(cell.parentNode) > 3);
      dialog.addEventListener('keydown', (event) => {
        const buttons = [...dialog.children];
        const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key]
          ?? (event.key === 'Tab' ? (event.shiftKey ? -1 : 1) : 0);
        if (event.key === 'Escape') finish(null);
        else if (step) buttons[(buttons.indexOf(this.#activeElement()) + step + buttons.length) % buttons.length].focus();
        else return;
        event.preventDefault();
        event.stopPropagation();
      });
      const veil = h('div', { class: 'promotion-veil', onclick: () => { if (isPressed) finish(null); } });
      for (const part of [dialog, veil]) part.addEventListener('pointerdown', () => { isPressed = true; });
      this.frame.append(veil, dialog);
      dialog.firstChild.focus({ preventScroll: true });
    });
  }

  #closePromotion() {
    for (const part of this.frame.querySelectorAll('.promotion, .promotion-veil')) part.remove();
  }
}
