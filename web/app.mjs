/*
 * app.mjs - puts the page together.
 *
 * document.mjs is what it is about, the other modules each show a part of it and change it. All chess is in tabiya.wasm.
 */
import { load } from './tabiya.mjs';
import { BoardView } from './board.mjs';
import { Document } from './document.mjs';
import { Settings, settingsDialog } from './settings.mjs';
import { announce, byId, closeToast, complain, copyText, keepToastOf, tabs, toast } from './dom.mjs';
import { controls } from './controls.mjs';
import { converterPanel } from './converter.mjs';
import { editorPanel } from './editor.mjs';
import { explorerPanel } from './explorer.mjs';
import { movesPanel } from './moves.mjs';
import { openingNames } from './openings.mjs';
import { opening, saving } from './files.mjs';
import { playersPanel } from './players.mjs';
import { sharing } from './share.mjs';
import { spokenMove, statusPanel } from './status.mjs';
import { treePanel } from './tree.mjs';

function boardPanel(doc, look) {
  const boardView = new BoardView(byId('frame'));

  function draw(isAnimated) {
    const { last, check } = doc.view ?? {};
    const { squares, side } = doc.description;
    const { shapes = [] } = doc.item ?? doc.list;
    boardView.draw({
      squares, moves: boardView.editing ? [] : doc.view?.moves ?? [], shapes,
      last: last?.from ? [last.from, last.to] : [], check: check ? [check] : [],
      orientation: look.orientation(side), animated: isAnimated,
    });
  }
  doc.addEventListener('change', ({ detail }) => draw(detail.kind !== 'load'));
  look.addEventListener('change', () => draw(false));
  boardView.addEventListener('move', ({ detail }) => doc.play(detail.uci));
  draw(false);
  return boardView;
}

/** Says what nobody should miss: a game that gave way, with the way back at hand. */
function tellChanges(doc) {
  doc.addEventListener('change', ({ detail }) => {
    announce(detail.kind === 'edit' ? byId('status-text').textContent : spokenMove(doc));
    if (detail.wasReplaced) toast('The game before was replaced', { action: ['Undo', () => doc.undo()] });
    else if (detail.kind === 'undo') closeToast();
  });
}

export async function main() {
  const tabiya = await load();
  const doc = new Document(tabiya);
  const look = new Settings();
  look.apply();
  const link = sharing(doc, look, complain);
  const boardView = boardPanel(doc, look);
  const panels = {};
  const select = tabs(byId('side-tabs'), (id) => {
    for (const [name, show] of Object.entries(panels)) show(name === id);
  });

  controls(doc, look, boardView, { select });
  statusPanel(doc);
  playersPanel(doc, look);
  movesPanel(doc);
  treePanel(doc);
  panels['panel-setup'] = editorPanel(doc, boardView);
  panels['panel-convert'] = converterPanel(doc);
  settingsDialog(look);
  opening(doc);
  saving(doc, () => {
    const [light, dark] = look.colors.map((color) => parseInt(color.slice(1), 16));
    const { last, check, coordinates } = look.settings;
    return { orientation: look.orientation(doc.description.side), light, dark, showsLast: last, showsCheck: check, coordinates };
  });
  byId('share').addEventListener('click', () => copyText(link(), 'Link'));
  byId('skip').addEventListener('click', (event) => {
    event.preventDefault(); // the address is the game's
    boardView.focus();
  });
  tellChanges(doc);
  for (const button of document.querySelectorAll('dialog [data-close]'))
    button.addEventListener('click', () => button.closest('dialog').close());
  for (const dialog of document.querySelectorAll('dialog')) keepToastOf(dialog);
  byId('toast-close').addEventListener('click', closeToast);

  window.tabiya = { doc, library: tabiya }; // for the browser's console
  document.body.dataset.ready = 'true';
  openingNames(doc);
  panels['panel-moves'] = await explorerPanel(doc, boardView, () => !byId('panel-moves').hidden);
}
