/*
 * board.mjs - the board: drawn and dragged by cm-chessboard, walked by keyboard and read aloud as a grid of cells.
 *
 * It asks which moves there are and tells which was made; it knows no rule. The grid lies over the drawing and takes no
 * pointer; it holds focus, names of squares and coordinates. Marks are drawn under the pieces.
 */
import { Chessboard, INPUT_EVENT_TYPE } from './cm-chessboard/Chessboard.js';
import { Extension, EXTENSION_POINT } from './cm-chessboard/model/Extension.js';
import { Svg } from './cm-chessboard/lib/Svg.js';
import { h, icon } from './dom.mjs';

const FILES = 'abcdefgh';
const NAMES = { p: 'pawn', n: 'knight', b: 'bishop', r: 'rook', q: 'queen', k: 'king' };

/** 'N' to 'white knight', 'n' to 'black knight'. */
export const pieceName = (letter) => `${letter === letter.toUpperCase() ? 'white' : 'black'} ${NAMES[letter.toLowerCase()]}`;
/** 'N' to 'wn': the names of the sprite. */
export const pieceId = (letter) => (letter === letter.toUpperCase() ? 'w' : 'b') + letter.toLowerCase();

/** Marks of squares: { last: [..], check: [..], selected: [..], target: [..], capture: [..] }. */
class Marks extends Extension {
  constructor(chessboard) {
    super(chessboard);
    this.marks = {};
    this.group = Svg.addElement(chessboard.view.markersLayer, 'g', { class: 'marks' });
    this.registerExtensionPoint(EXTENSION_POINT.afterRedrawBoard, () => this.draw());
    chessboard.setMarks = (marks) => {
      this.marks = { ...this.marks, ...marks };
      this.draw();
    };
  }

  draw() {
    const { view } = this.chessboard;
    const size = view.squareWidth;
    this.group.replaceChildren();
    for (const [kind, squares] of Object.entries(this.marks))
      for (const square of squares) {
        const { x, y } = view.squareToPoint(square);
        if (kind === 'target' || kind === 'capture')
          Svg.addElement(this.group, 'circle', { class: `mark-${kind}`, 'data-square': square,
            cx: x + size / 2, cy: y + size / 2, r: kind === 'target' ? size * 0.15 : size * 0.43,
            'stroke-width': size * 0.08 });
        else
          Svg.addElement(this.group, 'rect', { class: `mark-${kind}`, 'data-square': square, x, y, width: size, height: size });
      }
  }
}

/* cm-chessboard places the dragged piece by its style attribute, which a strict content security policy refuses. The same
   through the object model is allowed; the rest of its look is in the style sheet. */
function dragWithoutStyleAttribute(input) {
  input.createDraggablePiece = function createDraggablePiece(name) {
    this.draggablePiece = Svg.createSvg(document.body);
    this.draggablePiece.setAttribute('class', 'dragged-piece');
    this.draggablePiece.setAttribute('viewBox', '0 0 40 40');
    this.draggablePiece.setAttribute('width', this.view.squareWidth);
    this.draggablePiece.setAttribute('height', this.view.squareHeight);
    Svg.addElement(this.draggablePiece, 'use', { href: `#${name}` });
  };
  input.moveDraggablePiece = function moveDraggablePiece(x, y) {
    this.draggablePiece.style.left = `${x - this.view.squareWidth / 2}px`;
    this.draggablePiece.style.top = `${y - this.view.squareHeight / 2}px`;
  };
}

export class BoardView extends EventTarget {
  #board;
  #cells = new Map();
  #selected = null; // by keyboard
  #focus = 'e2';
  #moves = []; // the legal moves of the position, as the library tells them
  #squares = '.'.repeat(64);
  #orientation = 'white';
  #isPlaced = false;


  /** `frame` holds #board, and gets the grid and the choice of promotion. */
  constructor(frame, animation) {
    super();
    this.frame = frame;
    this.grid = h('div', { class: 'grid', role: 'grid', 'aria-label': 'Chess board' });
    this.editing = false;
    this.tool = null; // while editing: a letter, '' to clear squares, null to move pieces
    this.#board = new Chessboard(frame.querySelector('#board'), {
      position: '8/8/8/8/8/8/8/8',
      assetsUrl: './',
      style: {
        cssClass: 'tabiya', showCoordinates: false, borderType: 'none',
        pieces: { file: 'pieces.svg', tileSize: 40 }, animationDuration: animation,
      },
      extensions: [{ class: Marks }],
    });
    this.#board.view.svg.setAttribute('aria-hidden', 'true');
    dragWithoutStyleAttribute(this.#board.view.visualMoveInput);
    frame.append(this.grid);
    this.#drawGrid();
    this.#board.enableMoveInput((event) => this.#onInput(event));
    this.grid.addEventListener('keydown', (event) => this.#onKey(event));
    frame.addEventListener('mousedown', (event) => this.#onTool(event), true);
    frame.addEventListener('touchstart', (event) => this.#onTool(event), { capture: true, passive: false });
  }

  // ---- Drawing

  /** `state`: { placement, squares, moves, last, check, orientation, animated } */
  draw({ placement, squares, moves, last, check, orientation, animated }) {
    this.#moves = moves;
    this.#squares = squares;
    this.#board.cancelMoveInput();
    this.#select(null);
    this.#closePromotion();
    if (orientation !== this.#orientation) {
      this.#orientation = orientation;
      this.#board.setOrientation(orientation[0], false);
      this.#drawGrid();
    }
    this.#board.setPosition(placement, animated && !this.#isPlaced);
    this.#board.setMarks({ last, check, selected: [], target: [], capture: [] });
    this.#nameCells();
  }

  #pieceAt(square) {
    const letter = this.#squares[FILES.indexOf(square[0]) + 8 * (Number(square[1]) - 1)];
    return letter === '.' ? null : letter;
  }

  /** The squares as they are seen, row by row. */
  #rows() {
    const ranks = [8, 7, 6, 5, 4, 3, 2, 1];
    const rows = ranks.map((rank) => [...FILES].map((file) => file + rank));
    return this.#orientation === 'white' ? rows : rows.reverse().map((row) => row.reverse());
  }

  #drawGrid() {
    const hadFocus = this.grid.contains(document.activeElement);
    this.#cells.clear();
    this.grid.replaceChildren(...this.#rows().map((row, y) => h('div', { role: 'row' }, ...row.map((square, x) => {
      const cell = h('div', { role: 'gridcell', 'data-square': square, tabIndex: -1,
        onfocus: () => this.#moveFocus(square) });
      if (x === 0) cell.dataset.rank = square[1];
      if (y === 7) cell.dataset.file = square[0];
      cell.classList.add((FILES.indexOf(square[0]) + Number(square[1])) % 2 ? 'on-dark' : 'on-light');
      this.#cells.set(square, cell);
      return cell;
    }))));
    this.#cells.get(this.#focus).tabIndex = 0;
    if (hadFocus) this.#cells.get(this.#focus).focus();
  }

  #nameCells() {
    for (const [square, cell] of this.#cells) {
      const letter = this.#pieceAt(square);
      cell.setAttribute('aria-label', `${square}${letter ? `, ${pieceName(letter)}` : ''}`);
      cell.setAttribute('aria-selected', String(square === this.#selected));
    }
  }

  // ---- Choosing a move

  #from(square) {
    return this.#moves.filter((move) => move.from === square);
  }

  #candidates(from, to) {
    const direct = this.#moves.filter((move) => move.from === from && move.to === to);
    return direct.length ? direct : this.#moves.filter((move) => move.from === from && move.rook === to);
  }

  #select(square) {
    this.#selected = square;
    const moves = square ? this.#from(square) : [];
    this.#board.setMarks({
      selected: square ? [square] : [],
      target: moves.filter((move) => !move.capture).map((move) => move.to),
      capture: moves.filter((move) => move.capture).map((move) => move.to),
    });
  }

  async #make(candidates, wasDragged = false) {
    const move = candidates.length > 1 ? await this.#askPromotion(candidates) : candidates[0];
    if (!move) return;
    this.#isPlaced = wasDragged && candidates.length === 1; // the hand has moved it already
    this.dispatchEvent(new CustomEvent('move', { detail: move }));
    this.#isPlaced = false;
  }

  #edit(changes) {
    this.dispatchEvent(new CustomEvent('edit', { detail: changes }));
  }

  /** cm-chessboard's events of drags and taps. */
  #onInput(event) {
    const { type, squareFrom, squareTo } = event;
    if (type === INPUT_EVENT_TYPE.moveInputStarted) {
      if (this.editing) return this.tool === null;
      this.#select(squareFrom);
      const can = this.#from(squareFrom).length > 0;
      if (!can) this.#select(null);
      return can;
    }
    if (type === INPUT_EVENT_TYPE.validateMoveInput) {
      // Always refused, so that it is ready for the next input at once: the new position is drawn when the move is made.
      const wasDragged = Boolean(this.#board.view.visualMoveInput.draggablePiece);
      const candidates = this.#candidates(squareFrom, squareTo);
      this.#select(null);
      if (this.editing) queueMicrotask(() => this.#edit([[squareFrom, null], [squareTo, this.#pieceAt(squareFrom)]]));
      else if (candidates.length) queueMicrotask(() => this.#make(candidates, wasDragged));
      return false;
    }
    if (type === INPUT_EVENT_TYPE.moveInputCanceled) {
      this.#select(null);
      if (this.editing && event.reason === 'movedOutOfBoard') this.#edit([[squareFrom, null]]);
    }
    return undefined;
  }

  /** While a tool is taken, a press on a square uses it. */
  #onTool(event) {
    const square = event.target.getAttribute?.('data-square');
    if (!this.editing || this.tool === null || !square) return;
    event.preventDefault();
    event.stopPropagation();
    this.#useTool(square);
  }

  #useTool(square) {
    this.#edit([[square, this.#pieceAt(square) === this.tool ? null : this.tool || null]]);
  }

  // ---- Keyboard

  #moveFocus(square) {
    this.#cells.get(this.#focus).tabIndex = -1;
    this.#focus = square;
    this.#cells.get(square).tabIndex = 0;
  }

  focus() {
    this.#cells.get(this.#focus).focus();
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
    const candidates = from ? this.#candidates(from, square) : [];
    const canStart = this.editing ? this.#pieceAt(square) : this.#from(square).length;
    this.#select(candidates.length === 0 && square !== from && canStart ? square : null);
    this.#nameCells();
    if (candidates.length) this.#make(candidates);
    return undefined;
  }

  // ---- Promotion

  /** Asks which of several moves is meant: the same squares, different pieces. */
  #askPromotion(moves) {
    this.#closePromotion();
    const isWhite = this.#pieceAt(moves[0].from) === 'P';
    const order = 'qnrb';
    const sorted = [...moves].sort((a, b) => order.indexOf(a.promotion) - order.indexOf(b.promotion));
    const cell = this.#cells.get(moves[0].to);
    const before = document.activeElement;
    return new Promise((resolve) => {
      // The tap that brought the choice up ends in a click upon it: one counts only if it began here.
      let isPressed = false;
      const finish = (move) => {
        this.#closePromotion();
        if (before?.isConnected) before.focus();
        resolve(move);
      };
      const dialog = h('div', { class: 'promotion', role: 'dialog', 'aria-label': 'Promote to', 'aria-modal': 'true' },
        ...sorted.map((move) => h('button', { type: 'button', 'aria-label': NAMES[move.promotion],
          'data-promotion': move.promotion, onclick: (event) => { if (isPressed || event.detail === 0) finish(move); } },
        icon(`pieces.svg#${isWhite ? 'w' : 'b'}${move.promotion}`, 40))));
      dialog.style.setProperty('--x', [...cell.parentNode.children].indexOf(cell));
      dialog.classList.toggle('from-bottom', [...this.grid.children].indexOf(cell.parentNode) > 3);
      dialog.addEventListener('keydown', (event) => {
        const buttons = [...dialog.children];
        const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key]
          ?? (event.key === 'Tab' ? (event.shiftKey ? -1 : 1) : 0);
        if (event.key === 'Escape') finish(null);
        else if (step) buttons[(buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length].focus();
        else return;
        event.preventDefault();
        event.stopPropagation();
      });

      const veil = h('div', { class: 'promotion-veil', onclick: () => { if (isPressed) finish(null); } });
      for (const part of [dialog, veil]) part.addEventListener('pointerdown', () => { isPressed = true; });
      this.frame.append(veil, dialog);
      dialog.firstChild.focus();
    });
  }

  #closePromotion() {

    for (const part of this.frame.querySelectorAll('.promotion, .promotion-veil')) part.remove();
  }
}
