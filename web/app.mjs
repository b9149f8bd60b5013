/*
 * app.mjs - puts the page together.
 *
 * document.mjs is what it is about, the other modules each show a part of it and change it. All chess is in tabiya.wasm.
 */
import { load } from './tabiya.mjs';
import { BoardView } from './board.mjs';
import { Document } from './document.mjs';
import { Look, lookDialog } from './look.mjs';
import { announce, byId, copyText, tabs, toast } from './dom.mjs';
import { converterPanel } from './converter.mjs';
import { editorPanel } from './editor.mjs';
import { explorerPanel } from './explorer.mjs';
import { movesPanel } from './moves.mjs';
import { opening, saving } from './files.mjs';
import { sharing } from './share.mjs';
import { spokenMove, statusPanel } from './status.mjs';
import { treePanel } from './tree.mjs';

const ANIMATION = matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 180;

function boardPanel(doc, look) {
  const boardView = new BoardView(byId('frame'), ANIMATION);

  function draw(isAnimated) {
    const { last, check } = doc.view ?? {};
    const { squares, side } = doc.position.describe();
    boardView.draw({
      placement: doc.position.write('epd').split(' ')[0], squares, moves: boardView.editing ? [] : doc.view?.moves ?? [],
      last: last?.from ? [last.from, last.to] : [], check: check ? [check] : [],
      orientation: look.orientation(side), animated: isAnimated && ANIMATION > 0,
    });
  }
  doc.addEventListener('change', ({ detail }) => draw(detail.kind !== 'load'));
  look.addEventListener('change', () => draw(false));
  boardView.addEventListener('move', ({ detail }) => doc.play(detail.uci));
  draw(false);
  return boardView;
}

function controls(doc, look) {
  const flip = () => look.set({ below: look.orientation(doc.position.describe().side) === 'white' ? 'black' : 'white' });
  const actions = {
    first: () => doc.goTo(-1), previous: () => doc.goTo(doc.place - 1),
    next: () => doc.goTo(doc.place + 1), last: () => doc.goTo(Infinity),
    undo: () => doc.undo(), redo: () => doc.redo(), flip,
    new: () => doc.setBoard(doc.tabiya.board(), false),
  };
  for (const [id, act] of Object.entries(actions)) byId(id).addEventListener('click', act);

  const keys = { ArrowLeft: 'previous', ArrowRight: 'next', Home: 'first', End: 'last', f: 'flip' };
  addEventListener('keydown', (event) => {
    const isTyping = event.target.closest('input, textarea, select, [role=tablist], dialog');
    const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z';
    if (isTyping) return;
    if (isUndo) actions[event.shiftKey ? 'redo' : 'undo']();
    else if (event.key === '/' && !event.ctrlKey) byId('typed').focus();
    else if (keys[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) actions[keys[event.key]]();
    else return;
    event.preventDefault();
  });

  function draw() {
    const { place } = doc;
    byId('first').disabled = byId('previous').disabled = place < 0;
    byId('next').disabled = byId('last').disabled = place + 1 >= (doc.view?.line.length ?? 0);
    byId('undo').disabled = !doc.canUndo;
    byId('redo').disabled = !doc.canRedo;
  }
  doc.addEventListener('change', draw);
  draw();
}

function typedMoves(doc) {
  const input = byId('typed');
  const note = byId('typed-note');
  byId('type-move').addEventListener('submit', (event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (!text) return;
    try {
      doc.play(text);
      input.value = '';
      note.textContent = '';
    } catch (error) {
      note.textContent = `${text}: ${error.message}`;
    }
    input.setAttribute('aria-invalid', String(note.textContent !== ''));
  });
  input.addEventListener('input', () => {
    note.textContent = '';
    input.setAttribute('aria-invalid', 'false');
  });
}

export async function main() {
  const tabiya = await load();
  const doc = new Document(tabiya);
  const look = new Look();
  look.apply();
  let exploreNow = () => {};
  const select = tabs(byId('side-tabs'), (id) => { if (id === 'panel-explorer') exploreNow(); });
  tabs(byId('convert-tabs'));

  const boardView = boardPanel(doc, look);
  controls(doc, look);
  typedMoves(doc);
  statusPanel(doc);
  movesPanel(doc);
  treePanel(doc);
  editorPanel(doc, boardView);
  converterPanel(doc);
  lookDialog(look);
  opening(doc);
  saving(doc, () => {
    const [light, dark] = look.colors.map((color) => parseInt(color.slice(1), 16));
    const { last, check, coordinates } = look.settings;
    return { orientation: look.orientation(doc.position.describe().side), light, dark, showsLast: last, showsCheck: check, coordinates };
  });
  const link = sharing(doc, toast);
  byId('share').addEventListener('click', () => copyText(link(), 'Link'));
  doc.addEventListener('change', ({ detail }) => announce(detail.kind === 'edit' ? byId('status-text').textContent : spokenMove(doc)));
  for (const button of document.querySelectorAll('dialog [data-close]'))
    button.addEventListener('click', () => button.closest('dialog').close());

  document.body.dataset.ready = 'true';
  exploreNow = await explorerPanel(doc, () => !byId('panel-explorer').hidden);
  if (!byId('tab-explorer').hidden) select('panel-explorer');
}
