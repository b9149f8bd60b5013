/*
 * app.mjs - puts the page together.
 *
 * document.mjs holds the game; each of the other modules shows a part of it and changes it. All chess is in tabiya.wasm.
 */
import { BoardView } from './board.mjs';
import { Document } from './document.mjs';
import { Settings, settingsDialog } from './settings.mjs';
import { announce, byId, closeToast, complain, copyText, keepToastOf, passToast, tabs, toast } from './dom.mjs';
import { analysisPanel, mistakesPanel } from './analysis.mjs';
import { controls } from './controls.mjs';
import { converterPanel } from './converter.mjs';
import { databasePanel } from './database.mjs';
import { editorPanel } from './editor.mjs';
import { enginePanel } from './engine.mjs';
import { evaluationBar } from './evaluation.mjs';
import { explorerPanel } from './explorer.mjs';
import { gamesPanel } from './games.mjs';
import { graphPanel } from './graph.mjs';
import { commentWithShapes, movesPanel } from './moves.mjs';
import { askJson, connectionSign, takeToken } from './api.mjs';
import { openingNames } from './openings.mjs';
import { opening, saving } from './files.mjs';
import { playersPanel } from './players.mjs';
import { repertoirePanel } from './repertoire.mjs';
import { sharing } from './share.mjs';
import { moveSounds } from './sound.mjs';
import { spokenMove, statusPanel } from './status.mjs';
import { stripPanel } from './strip.mjs';
import { treePanel } from './tree.mjs';

function boardPanel(doc, look) {
  const boardView = new BoardView(byId('frame'), { piece: look.piece });

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
  boardView.addEventListener('shape', ({ detail }) => {
    if (doc.board) return;
    const { shapes = [], after } = doc.item ?? doc.list;
    const isSame = (shape) => shape.from === detail.from && shape.to === detail.to;
    const others = shapes.filter((shape) => !isSame(shape));
    const isGone = shapes.some((shape) => isSame(shape) && shape.color === detail.color); // drawing it again erases it
    doc.edit((game) => game.setComment(doc.node, commentWithShapes(after, isGone ? others : [...others, detail])));
  });
  draw(false);
  return boardView;
}

/** Tells the user when a changed game was replaced, and offers to undo it. */
function tellChanges(doc) {
  doc.addEventListener('change', ({ detail }) => {
    announce(detail.kind === 'edit' ? byId('status-text').textContent : spokenMove(doc));
    if (detail.wasReplaced) toast('The previous game was replaced', { action: ['Undo', () => doc.undo()] });
    else if (detail.kind !== 'walk') passToast();
  });
}

/** The browser caches the files of the page, so that the board works without the server. */
function keepOffline() {
  if (!('serviceWorker' in navigator) || !isSecureContext) return;
  const files = encodeURIComponent(new URL('./', import.meta.url).pathname);
  navigator.serviceWorker.register(`worker.mjs?files=${files}`, { type: 'module' }).catch(() => {}); // the page works without it
}

const TABS = ['games', 'convert', 'setup'];

/** `library` is a promise of the module. */
export async function main(library) {
  const hasToken = takeToken();
  const server = askJson('').catch(() => null); // null: there is no server
  const tabiya = await library;
  const doc = new Document(tabiya);
  const look = new Settings();
  look.apply();
  connectionSign(byId('connection'), byId('reconnect'));
  const { link, address } = sharing(doc, look, complain);
  const boardView = boardPanel(doc, look);
  const panels = {};
  const select = tabs(byId('side-tabs'), (id) => {
    document.body.classList.toggle('showing-games', id === 'panel-games'); // the panels scroll to their place in this layout
    for (const [name, show] of Object.entries(panels)) show(name === id);
    address.set({ tab: id === 'panel-moves' ? '' : id.replace('panel-', '') });
  });
  const selectTab = () => select(`panel-${TABS.includes(address.get('tab')) ? address.get('tab') : 'moves'}`);

  let games = null;
  controls(doc, look, boardView, { select, games: () => games });
  statusPanel(doc);
  moveSounds(doc, look);
  playersPanel(doc, look);
  movesPanel(doc);
  stripPanel(doc);
  const graph = graphPanel(doc);
  mistakesPanel(doc);
  const showScore = evaluationBar(doc, look);
  treePanel(doc);
  panels['panel-setup'] = editorPanel(doc, boardView);
  panels['panel-convert'] = converterPanel(doc);
  settingsDialog(look);
  opening(doc, (...file) => games.openFile(...file));
  saving(doc, () => {
    const [light, dark] = look.colors.map((color) => parseInt(color.slice(1), 16));
    const { last, check, coordinates } = look.settings;
    return { orientation: look.orientation(doc.description.side), light, dark, showsLast: last, showsCheck: check, coordinates };
  });
  byId('share').addEventListener('click', () => copyText(link(), 'Link'));
  byId('skip').addEventListener('click', (event) => {
    event.preventDefault(); // the address belongs to the game
    boardView.focus();
  });
  tellChanges(doc);
  for (const button of document.querySelectorAll('dialog [data-close]'))
    button.addEventListener('click', () => button.closest('dialog').close());
  for (const dialog of document.querySelectorAll('dialog')) keepToastOf(dialog);
  byId('toast-close').addEventListener('click', closeToast);

  games = gamesPanel(doc, await server, { select, isOpen: () => !byId('panel-games').hidden, address, look,
    link: () => location.href });
  repertoirePanel(doc, { hasDatabase: Boolean((await server)?.database) });
  if ((await server)?.writes && hasToken) databasePanel(doc, games);
  panels['panel-games'] = games.show;
  address.addEventListener('change', selectTab);
  selectTab();
  window.tabiya = { doc, library: tabiya }; // for the browser's console
  document.body.dataset.ready = 'true';
  openingNames(doc).then(() => games.redraw());
  const { database = null, engine = null, engine_threads: engineThreads = 1 } = await server ?? {};
  if (engine) {
    const { threads } = enginePanel(doc, boardView, look, { name: engine, threads: engineThreads, showScore });
    analysisPanel(doc, look, { threads, graph });
  }
  if (database) panels['panel-moves'] = explorerPanel(doc, boardView, database, { isOpen: () => !byId('panel-moves').hidden, games, address });
  keepOffline();
}
