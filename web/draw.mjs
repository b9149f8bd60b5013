/*
 * draw.mjs - searching by drawing: pieces on a small board, counts, balance and patterns become the text of the query as they are set,
 * and a text that is typed is drawn as far as it can be.
 */
import { byId, h, icon } from './dom.mjs';
import { BoardView, pieceId, pieceName } from './board.mjs';
import { TURNS, emptyDrawing, readDrawing, writeDrawing } from './drawing.mjs';
import { palette } from './palette.mjs';
import { t } from './texts.mjs';

const FILES = 'abcdefgh';
const WILDCARDS = ['M', 'm', '?', '_'];
const OWN_PICTURES = ['wm', 'bm', 'any', 'none']; // in index.html
const COUNTED = { Q: 2, R: 2, B: 2, N: 2, P: 8 }; // and how many are offered

/** The 64 letters that a board is drawn from. */
const lettersOf = (squares) => Array.from({ length: 64 }, (_, i) => squares.get(FILES[i % 8] + (Math.floor(i / 8) + 1)) ?? '.').join('');

/** `patterns()` fetches [{ name, sentence }]; `onWrite(text)` takes the new query, `asFacts(text)` turns a bare name into conditions. */
export function drawPanel(doc, { query, patterns, look, asFacts, onWrite, onOpen }) {
  const box = byId('draw-box');
  const opener = byId('draw-open');
  let view = null; // the board, made when it is first seen
  let known = []; // patterns
  let drawing = emptyDrawing();
  let rest = '';
  let written = null; // the text that the drawing belongs to

  // ---- Drawing

  function drawBoard() {
    view.draw({ squares: lettersOf(drawing.squares), moves: [], last: [], check: [], orientation: look.orientation(doc.description.side), animated: false });
  }

  function drawFacts() {
    for (const select of byId('draw-counts').querySelectorAll('select')) select.value = drawing.counts[select.dataset.letter] ?? '';
    const [least, most] = [byId('draw-least'), byId('draw-most')];
    least.value = drawing.least ?? least.min;
    most.value = drawing.most ?? most.max;
    byId('draw-least-text').textContent = pointsText(drawing.least);
    byId('draw-most-text').textContent = pointsText(drawing.most);
    byId('draw-side').value = drawing.side;
    byId('draw-plies').value = drawing.plies;
    for (const turn of TURNS) byId(`draw-${turn}`).checked = drawing.turns.includes(turn);
    byId('draw-patterns').replaceChildren(...drawing.patterns.map((name) => h('button', { type: 'button', class: 'chip', 'aria-label': t('filter.remove', { what: name }),
      onclick: () => change({ patterns: drawing.patterns.filter((other) => other !== name) }) }, name, h('span', { 'aria-hidden': 'true' }, '×'))));
  }
  const pointsText = (points) => (points === null ? t('any') : points > 0 ? `+${points}` : String(points));

  function draw() {
    if (!view) return;
    drawBoard();
    drawFacts();
  }

  // ---- Text

  /** What is typed is drawn. */
  function read() {
    if (box.hidden || !view || query.value === written) return;
    written = query.value;
    ({ drawing, rest } = readDrawing(doc.tabiya, written, known));
    draw();
  }

  /** What is drawn is typed. */
  function change(changes) {
    Object.assign(drawing, changes);
    written = writeDrawing(doc.tabiya, drawing, asFacts(rest));
    draw();
    onWrite(written);
  }

  // ---- Hands

  function countSelect(letter, most) {
    const exact = Array.from({ length: most + 1 }, (_, n) => h('option', { value: `=${n}` }, String(n)));
    const atLeast = Array.from({ length: most }, (_, n) => h('option', { value: `>=${n + 1}` }, `${n + 1}+`));
    return h('select', { 'data-letter': letter, 'aria-label': t('draw.count', { piece: pieceName(letter) }), onchange: ({ target }) => {
      const { [letter]: _, ...others } = drawing.counts;
      change({ counts: target.value ? { ...others, [letter]: target.value } : others });
    } }, h('option', { value: '' }, t('any')), ...exact, ...atLeast);
  }

  function makeBoard() {
    view = new BoardView(byId('draw-frame'), { piece: (id) => (OWN_PICTURES.includes(id) ? `#${id}` : look.piece(id)) });
    view.grid.setAttribute('aria-label', t('draw.board'));
    view.editing = true;
    view.canDraw = false;
    palette(byId('draw-palette'), view, WILDCARDS)('P');
    view.addEventListener('edit', ({ detail }) => {
      for (const [square, letter] of detail) {
        if (letter) drawing.squares.set(square, letter);
        else drawing.squares.delete(square);
      }
      change({});
    });
    const countCell = (letter, most) => h('td', {}, icon(look.piece(pieceId(letter)), 40), countSelect(letter, most));
    for (const isWhite of [true, false])
      byId('draw-counts').append(h('tr', {}, ...Object.entries(COUNTED).map(([letter, most]) => countCell(isWhite ? letter : letter.toLowerCase(), most))));
  }

  /** The drawing takes the place of the board; what it finds is beside it. */
  async function setOpen(isOpen) {
    box.hidden = !isOpen;
    opener.setAttribute('aria-pressed', String(isOpen));
    document.body.classList.toggle('drawing', isOpen);
    onOpen(isOpen);
    if (!isOpen) return;
    if (!view) makeBoard();
    written = null;
    read();
    if (known.length) return;
    const found = await patterns().catch(() => []); // the board works without them
    if (known.length) return; // opened twice meanwhile
    known = found.map(({ name }) => name);
    byId('draw-pattern').append(...found.map(({ name, sentence }) => h('option', { value: name }, `${name}: ${sentence}`)));
    written = null; // it may have patterns
    read();
  }

  opener.addEventListener('click', () => setOpen(box.hidden));
  byId('draw-close').addEventListener('click', () => {
    setOpen(false);
    opener.focus();
  });
  query.addEventListener('input', read);
  byId('draw-pattern').addEventListener('change', ({ target }) => {
    if (target.value && !drawing.patterns.includes(target.value)) change({ patterns: [...drawing.patterns, target.value] });
    target.value = '';
  });
  byId('draw-least').addEventListener('input', ({ target }) => change({ least: target.value === target.min ? null : Number(target.value) }));
  byId('draw-most').addEventListener('input', ({ target }) => change({ most: target.value === target.max ? null : Number(target.value) }));
  byId('draw-side').addEventListener('change', ({ target }) => change({ side: target.value }));
  byId('draw-plies').addEventListener('input', ({ target }) => change({ plies: Math.min(999, Math.max(1, Math.trunc(Number(target.value)) || 1)) }));
  for (const turn of TURNS)
    byId(`draw-${turn}`).addEventListener('change', () => change({ turns: TURNS.filter((name) => byId(`draw-${name}`).checked) }));
  byId('draw-here').addEventListener('click', () => {
    const letters = doc.description.squares;
    const squares = new Map();
    for (const [i, letter] of [...letters].entries()) if (letter !== '.') squares.set(FILES[i % 8] + (Math.floor(i / 8) + 1), letter);
    change({ squares });
  });
  byId('draw-clear').addEventListener('click', () => change(emptyDrawing()));
  return { read, close: () => { if (!box.hidden) setOpen(false); } };
}
