/*
 * app.mjs - puts the page together.
 *
 * document.mjs holds the game, state.mjs what else the page shows, source.mjs gets games; each of the other modules shows a part and
 * changes it. All chess is in tabiya.wasm.
 */
import { BoardView, useWords } from './board.mjs';
import { Document } from './document.mjs';
import { Settings, settingsDialog } from './settings.mjs';
import { announce, byId, closeToast, complain, keepToastOf, passToast, toast } from './dom.mjs';
import { analysisPanel, mistakesPanel } from './analysis.mjs';
import { copyText } from './clipboard.mjs';
import { connectionSign, takeToken } from './api.mjs';
import { fileBeside, isSingle, moduleBeside } from './beside.mjs';
import { controls } from './controls.mjs';
import { converterPanel } from './converter.mjs';
import { databasePanel } from './database.mjs';
import { drawPanel } from './draw.mjs';
import { editorPanel } from './editor.mjs';
import { enginePanel } from './engine.mjs';
import { engineChoice } from './engines.mjs';
import { evaluationBar } from './evaluation.mjs';
import { explorerPanel } from './explorer.mjs';
import { opening, saving } from './files.mjs';
import { gamesPanel } from './games.mjs';
import { graphPanel } from './graph.mjs';
import { importPanel } from './import.mjs';
import { layout } from './layout.mjs';
import { openAt } from './lists.mjs';
import { marksPanel } from './marks.mjs';
import { commentWithShapes, movesPanel } from './moves.mjs';
import { openingNames } from './openings.mjs';
import { playerPage } from './player.mjs';
import { playersPanel } from './players.mjs';
import { printing } from './print.mjs';
import { publishedNote } from './published-note.mjs';
import { repertoirePanel } from './repertoire.mjs';
import { reportPanel } from './report.mjs';
import { Search } from './search.mjs';
import { moveSounds } from './sound.mjs';
import { serverSource } from './source.mjs';
import { keepState } from './state.mjs';
import { spokenMove, statusPanel } from './status.mjs';
import { studyPanel } from './study.mjs';
import { load } from './tabiya.mjs';
import { tagsPanel } from './tags.mjs';
import { t, useLanguage, word } from './texts.mjs';
import { treePanel } from './tree.mjs';
import { welcomePanel } from './welcome.mjs';

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
    if (detail.wasReplaced) toast(t('game.replaced'), { action: [t('undo'), () => doc.undo()] });
    else if (detail.kind !== 'walk') passToast();
  });
}

/** The browser caches the files of the page, so that the board works without the server. An engine beside a published page may use threads. */
function keepOffline() {
  if (!('serviceWorker' in navigator) || !isSecureContext || isSingle()) return;
  const files = encodeURIComponent(fileBeside('./').pathname);
  const isolated = document.querySelector('meta[name="tabiya-engine"]') ? '&isolated=1' : '';
  navigator.serviceWorker.register(`worker.mjs?files=${files}${isolated}`, { type: 'module' }).catch(() => {}); // the page works without it
}

/** What the dialogs, links and messages of the page need. */
function pageParts(doc, look, boardView, link) {
  settingsDialog(look);
  saving(doc, () => {
    const [light, dark] = look.colors.map((color) => parseInt(color.slice(1), 16));
    const { last, check, coordinates } = look.settings;
    return { orientation: look.orientation(doc.description.side), light, dark, showsLast: last, showsCheck: check, coordinates };
  });
  byId('share').addEventListener('click', () => copyText(link(), t('copied.link')));
  byId('skip').addEventListener('click', (event) => {
    event.preventDefault(); // the address belongs to the game
    boardView.focus();
  });
  tellChanges(doc);
  for (const button of document.querySelectorAll('dialog [data-close]'))
    button.addEventListener('click', () => button.closest('dialog').close());
  for (const dialog of document.querySelectorAll('dialog')) keepToastOf(dialog);
  byId('toast-close').addEventListener('click', closeToast);
}

/** The board, and what is shown of the game around it. Returns what others use of it. */
function gameParts({ doc, look, boardView }, showPlayer) {
  statusPanel(doc);
  moveSounds(doc, look);
  look.addEventListener('letters', () => doc.refresh('load'));
  playersPanel(doc, look, showPlayer);
  movesPanel(doc);
  printing(doc, look);
  const { comment } = marksPanel(doc);
  tagsPanel(doc, showPlayer);
  const graph = graphPanel(doc);
  const review = mistakesPanel(doc);
  const showScore = evaluationBar(doc, look);
  return { comment, graph, review, showScore, boardView };
}

/** What a player's page does with the rest. */
function playerHands({ doc, look, source, state }, { panes, games, explorer }) {
  const aim = (name, side) => {
    state.setPerson(null);
    explorer().aim({ player: name, color: side });
    panes.select('explorer');
  };
  return {
    searchFor: (text) => games().searchFor(text),
    openGame: (id) => {
      state.setPerson(null);
      openAt(doc, source, id, doc.tabiya.board().write()).catch((error) => complain(error.message));
    },
    /** The user plays `side`, so the player's games with the other one count. */
    prepare(name, side) {
      doc.setBoard(doc.tabiya.board(), false);
      look.turn(side);
      aim(name, side === 'white' ? 'black' : 'white');
    },
    showLine(line, name, side) {
      const game = doc.tabiya.game(`${line.join(' ')} *`);
      doc.setGame(game, (opened) => opened.mainLineEnd(), 'open');
      aim(name, side);
    },
  };
}

/** Everything that asks for games. */
function databaseParts(page, panes, server, hasToken) {
  const { doc, look, source, state, search } = page;
  let drawing = null;
  let report = null;
  const opened = (isOpened = true) => { if (isOpened && !panes.hasNotation()) panes.select('moves'); };
  const games = gamesPanel(page, { panes, server, opened, drawing: () => drawing, onFile: (file) => explorer.setFile(file) });
  drawing = drawPanel(doc, { query: search.query, patterns: source.patterns, look, asFacts: (text) => search.asFacts(text), onWrite: (text) => search.write(text), onOpen: (isOpen) => { if (isOpen) panes.select('games'); } });
  const explorer = explorerPanel(page, { database: server?.database ?? null, isOpen: () => panes.isOpen('explorer'), list: games, opened });
  const hands = playerHands(page, { panes, games: () => games, explorer: () => explorer });
  repertoirePanel(doc, source, { hasDatabase: Boolean(server?.database && !server.published), practising: (isOn) => explorer.hide(isOn) });
  if (server?.database) {
    report = reportPanel(page, (text) => games.searchFor(text));
    playerPage(page, hands);
  } else {
    for (const id of ['report-form', 'report-names']) byId(id).hidden = true;
    welcomePanel(doc, () => byId('file').click());
  }
  if (server?.writes && hasToken) {
    databasePanel(doc, source, games, search);
    importPanel(source, games);
  }
  studyPanel(doc, games);
  opening(doc, source, (...file) => games.openFile(...file));
  state.addEventListener('person', () => drawing.close());
  look.addEventListener('change', () => drawing.read());
  return { games, explorer, report };
}

/** What reads published files is a module of its own, because pages of a server do not need it. */
async function publishedSource(address, library) {
  const { PublishedSource } = await moduleBeside('published-page.mjs');
  return new PublishedSource(new URL(address, document.baseURI), library, fileBeside('./'));
}

/** A published page says where its games are; any other asks its server. */
function sourceOf(library) {
  const published = document.querySelector('meta[name="tabiya-games"]')?.content;
  if (published) return publishedSource(published, library);
  connectionSign(byId('connection'), byId('reconnect'));
  return serverSource();
}

export async function main() {
  const library = load();
  const source = await sourceOf(library);
  const hasToken = takeToken();
  const about = source.about();
  const look = new Settings();
  look.apply();
  const [loaded] = await Promise.all([library, useLanguage(look.settings.language)]);
  useWords(word);
  look.apply(); // moves may have the letters of the language
  const doc = new Document(loaded);
  const { state, link } = keepState(doc, look, source, complain);
  const boardView = boardPanel(doc, look);
  pageParts(doc, look, boardView, link);
  const server = await about;
  const page = { doc, look, source, state, boardView, link: () => location.href };
  const showPlayer = server?.database ? (name) => state.setPerson(name) : null;
  const shown = gameParts(page, showPlayer);
  const panels = { tree: treePanel(doc), setup: editorPanel(doc, boardView), convert: converterPanel(doc) };
  const panes = layout(state, { standard: () => 'explorer', onShow: (name) => {
    panels.setup(name === 'setup');
    panels.convert();
    panels.tree();
    panels.games?.();
    panels.explorer?.();
    if (name === 'players') panels.players?.();
  } });
  page.search = new Search(page, Boolean(server?.database));
  const { games, explorer, report } = databaseParts(page, panes, server, hasToken);
  Object.assign(panels, { games: games.show, explorer: explorer.update, players: report?.show });
  if (source.isPublished) publishedNote(source, server);
  const engine = enginePanel(doc, boardView, look, shown);
  analysisPanel(doc, look, engine, shown);
  engineChoice({ doc, look, source, server }, engine);
  controls(doc, look, { actions: {
    new: () => {
      doc.setBoard(doc.tabiya.board(), false);
      if (boardView.editing) panes.closeTool();
    },
    search: () => page.search.focus(),
    gameBack: () => games.step(-1), gameOn: () => games.step(1), engine: engine.toggle, comment: shown.comment,
    mistakeOn: () => shown.review.step(1), mistakeBack: () => shown.review.step(-1),
  } });
  panes.start();
  Object.assign(window, { tabiya: { doc, library: doc.tabiya } }); // for the browser's console
  document.body.dataset.ready = 'true';
  openingNames(doc).then(() => games.redraw());
  keepOffline();
}
