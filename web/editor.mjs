/*
 * editor.mjs - setting up a board: pieces on and off, side, castling, en passant, counters, start positions.
 *
 * Editing ends when another panel or a new game is opened. The library knows which castling rights and en passant squares
 * the board allows.
 */
import { byId, h } from './dom.mjs';
import { palette } from './palette.mjs';
import { t } from './texts.mjs';

const CASTLING_NAMES = { K: 'O-O', Q: 'O-O-O', k: 'O-O', q: 'O-O-O' };
const sideOf = (letter) => (letter === letter.toUpperCase() ? 'white' : 'black');

export function editorPanel(doc, boardView) {
  const edit = byId('edit-board');
  const tools = byId('palette');
  const take = palette(tools, boardView);

  function change(act) {
    const board = doc.position.clone();
    act(board);
    doc.setBoard(board);
  }

  // ---- Pieces

  function setEditing(isOn) {
    boardView.editing = isOn;
    edit.setAttribute('aria-pressed', String(isOn));
    document.body.classList.toggle('editing', isOn);
    tools.hidden = !isOn;
    take(null);
    doc.refresh();
  }
  edit.addEventListener('click', () => setEditing(!boardView.editing));
  boardView.addEventListener('edit', ({ detail }) => change((board) => {
    for (const [square, letter] of detail) board.put(square, letter);
    board.mend();
  }));

  // ---- The rest of the position

  for (const radio of document.getElementsByName('side'))
    radio.addEventListener('change', () => change((board) => board.setSide(radio.value).mend()));
  byId('clock').addEventListener('change', (event) => change((board) => board.setClock(Number(event.target.value))));
  byId('fullmove').addEventListener('change', (event) => change((board) => board.setFullmove(Number(event.target.value))));
  byId('en-passant').addEventListener('change', (event) => change((board) => board.setEnPassant(event.target.value || null)));

  // ---- Whole boards

  const number960 = byId('number960');
  const start960 = () => {
    const number = Math.min(959, Math.max(0, Math.trunc(Number(number960.value)) || 0));
    number960.value = number;
    doc.setBoard(doc.tabiya.board().chess960(number), true);
  };
  byId('start-board').addEventListener('click', () => doc.setBoard(doc.tabiya.board(), false));
  byId('clear-board').addEventListener('click', () => {
    doc.setBoard(doc.tabiya.board().clear(), false);
    if (!boardView.editing) setEditing(true);
  });
  byId('start960').addEventListener('click', start960);
  byId('random960').addEventListener('click', () => {
    number960.value = Math.floor(Math.random() * 960);
    start960();
  });
  byId('chess960').addEventListener('change', (event) => doc.setStart(doc.start, event.target.checked));

  function castlingBox({ rook, letter, has }) {
    const label = CASTLING_NAMES[letter] ? `${t(`side.${sideOf(letter)}`)} ${CASTLING_NAMES[letter]}` : t('setup.castling', { side: t(`side.${sideOf(letter)}`), rook });
    return h('label', { class: 'check' }, h('input', { type: 'checkbox', checked: has,
      onchange: (event) => change((board) => board.setCastling(rook, event.target.checked)) }), label);
  }

  function draw() {
    if (byId('panel-setup').hidden) return;
    const board = doc.description;
    for (const radio of document.getElementsByName('side')) radio.checked = radio.value === board.side;
    byId('castling').replaceChildren(...(board.castling.length ? board.castling.map(castlingBox)
      : [h('span', { class: 'hint' }, t('setup.no-castling'))]));
    const squares = [...new Set(['', ...board.enPassantSquares, board.enPassant ?? ''])];
    byId('en-passant').replaceChildren(...squares.map((square) => h('option', { value: square,
      selected: square === (board.enPassant ?? '') }, square || t('none'))));
    byId('en-passant').disabled = squares.length < 2;
    byId('clock').value = board.clock;
    byId('fullmove').value = board.fullmove;
    byId('chess960').checked = doc.chess960;
  }
  doc.addEventListener('change', draw);
  /** Is the panel shown? Nothing is edited behind another one. What is wrong with the board is said where it is set up. */
  return (isShown) => {
    if (!isShown && boardView.editing) setEditing(false);
    if (isShown) byId('panel-setup').prepend(byId('status-notes'));
    else byId('graph').after(byId('status-notes'));
    draw();
  };
}
