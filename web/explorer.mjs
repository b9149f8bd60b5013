/*
 * explorer.mjs - what the served database knows of the position: moves with their results, and games.
 *
 * The numbers are the server's; see docs/api.md. What is shown belongs to the position on the board or is dimmed and takes
 * no click: never another position's numbers.
 */
import { ask, askOnce, recall } from './api.mjs';
import { byId, complain, debounce, h, toast } from './dom.mjs';

const GAMES_AT_ONCE = 10;
const exact = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });
const short = (n) => (n < 10_000 ? exact.format(n) : compact.format(n));

/** White, draw, black as parts of a bar with their percentages. */
function bar({ white, draw, black }) {
  const known = white + draw + black;
  const part = (name, count) => {
    const percent = (100 * count) / known;
    const element = h('span', { class: name, title: `${name} ${exact.format(count)}` }, percent >= 20 ? `${Math.round(percent)}%` : '');
    element.style.setProperty('--share', count);
    return element;
  };
  const label = known ? `White ${white}, draw ${draw}, black ${black}` : 'No result is known';
  const parts = known ? [part('white', white), part('draw', draw), part('black', black)].filter((_, i) => [white, draw, black][i]) : [];
  return h('div', { class: 'bar', role: 'img', 'aria-label': label }, ...parts);
}

const count = (n, ...more) => h('td', { class: 'count', title: exact.format(n), 'data-count': n }, short(n), ...more);

export const gameFacts = (game) => [game.result, game.date, game.event, game.eco].filter((x) => x && x !== '?').join(' · ');
const withRating = (name, elo) => `${name ?? '?'}${elo ? ` ${elo}` : ''}`;
export const gamePlayers = (game) => `${withRating(game.white, game.white_elo)} – ${withRating(game.black, game.black_elo)}`;

/** Opens a game of the database where it comes to the position that was looked for. */
export async function openDatabaseGame(doc, id, ply) {
  try {
    const pgn = await (await ask('/game', { id })).text();
    doc.setGame(doc.tabiya.game(pgn), (game) => game.view(0).line[(ply ?? 0) - 1] ?? 0, 'open');
    byId('board').scrollIntoView({ block: 'nearest' });
    toast(`Game ${id} opened`, { action: ['Undo', () => doc.undo()] });
  } catch (error) {
    complain(`Game ${id} cannot be opened: ${error.message}`);
  }
}

/**
 * Where the line leaves the database: the first position that no game, or none but this one, comes to. Positions of a line
 * grow rarer, so halving finds it with a few questions.
 */
function noveltyButton(doc) {
  const button = byId('find-novelty');
  const text = byId('novelty-text');
  const games = async (node) => (await askOnce('/explore', { fen: doc.game.position(node).write() })).games;

  async function find() {
    const { line } = doc.view;
    const { game } = doc;
    const isKnown = (await games(line.at(-1))) > 0; // this game itself may be in it
    const isNew = async (node) => (await games(node)) <= (isKnown ? 1 : 0);
    let [low, high] = [0, line.length]; // the first new one is in [low, high]
    while (low < high) {
      const middle = (low + high) >> 1;
      if (await isNew(line[middle])) high = middle;
      else low = middle + 1;
    }
    if (doc.game !== game) return;
    if (low === line.length) {
      text.textContent = 'Other games came all this way.';
      return;
    }
    const { ply, san } = doc.items.get(line[low]);
    text.replaceChildren('New here: ', h('button', { type: 'button', class: 'move', onclick: () => doc.go(line[low]) },
      `${Math.floor((ply + 1) / 2)}${ply % 2 ? '.' : '…'} ${san}`));
  }
  const draw = () => {
    button.hidden = (doc.view?.line.length ?? 0) < 2;
    text.replaceChildren();
  };
  button.addEventListener('click', () => {
    text.textContent = 'Looking …';
    find().catch((error) => { text.textContent = error.message; });
  });
  doc.addEventListener('change', ({ detail }) => { if (detail.kind !== 'walk') draw(); });
  draw();
}

export function explorerPanel(doc, boardView, database, { isOpen, games: list }) {
  const section = byId('explorer');
  const hint = byId('explorer-hint');
  section.hidden = false;
  byId('explorer-source').textContent = database;
  byId('more-games').addEventListener('click', () => list.searchHere());
  let stop = new AbortController();
  let shown = null; // { fen, answer } of the table
  let wantsFocus = false; // a move was played from the table by keyboard

  // ---- Drawing

  function play(event, move) {
    if (section.getAttribute('aria-busy') === 'true' || shown?.fen !== doc.view?.fen) return;
    wantsFocus = event.detail === 0;
    boardView.setHints([]);
    doc.play(move.uci);
  }

  function row(move) {
    const share = (100 * move.games) / shown.answer.games;
    const point = (isOn) => () => boardView.setHints(isOn && section.getAttribute('aria-busy') !== 'true'
      ? [{ from: move.uci.slice(0, 2), to: move.uci.slice(2, 4) }] : []);
    return h('tr', { class: 'row', onclick: (event) => play(event, move), onmouseenter: point(true), onmouseleave: point(false),
      title: `${exact.format(move.reached)} games reach the position behind ${move.san}, by any order of moves`, 'data-reached': move.reached },
    h('th', { scope: 'row' }, h('button', { type: 'button', class: 'move', 'data-uci': move.uci, onfocus: point(true), onblur: point(false) }, move.san)),
    count(move.games, h('small', {}, `${share.toFixed(share < 10 ? 1 : 0)}%`)),
    h('td', {}, bar(move)),
    h('td', { class: 'count elo' }, move.elo ? String(Math.round(move.elo)) : ''),
    h('td', { class: 'count year' }, move.last ? move.last.slice(0, 4) : ''));
  }

  function drawMoves() {
    const { moves, games, ended } = shown.answer;
    const blank = () => [h('td', { class: 'elo' }), h('td', { class: 'year' })];
    byId('explorer-moves').replaceChildren(...moves.map(row), ...(ended ? [h('tr', {}, h('th', { scope: 'row' }, 'ends'),
      count(ended), h('td'), ...blank())] : []));
    byId('explorer-total').replaceChildren(h('th', { scope: 'row' }, 'all'), count(games), h('td', {}, bar(shown.answer)), ...blank());
    byId('explorer-table').hidden = games === 0;
    hint.textContent = games ? '' : 'No game of the database comes to this position.';
    if (wantsFocus && (document.activeElement === section || document.activeElement === document.body))
      (byId('explorer-moves').querySelector('button') ?? section).focus({ preventScroll: true });
    wantsFocus = false;
  }

  function drawGames({ games, more }) {
    byId('explorer-games').replaceChildren(...games.map((game) => h('li', {}, h('button', { type: 'button', 'data-game': game.id,
      onclick: () => openDatabaseGame(doc, game.id, game.ply) },
    h('span', { class: 'players' }, gamePlayers(game)), h('span', { class: 'facts' }, gameFacts(game))))));
    byId('explorer-games-title').hidden = games.length === 0;
    byId('more-games').hidden = !more;
  }

  function clear(text) {
    shown = null;
    byId('explorer-table').hidden = true;
    byId('explorer-moves').replaceChildren();
    drawGames({ games: [], more: false });
    hint.textContent = text;
  }

  // ---- Following the document

  const setBusy = (isBusy) => section.setAttribute('aria-busy', String(isBusy));

  async function look() {
    const { fen } = doc.view;
    const { signal } = stop;
    const answer = await askOnce('/explore', { fen }, signal);
    shown = { fen, answer };
    setBusy(false);
    drawMoves();
    if (answer.games) drawGames(await askOnce('/find', { fen, limit: GAMES_AT_ONCE }, signal));
    else drawGames({ games: [], more: false });
  }

  const report = (error) => {
    if (error.name === 'AbortError') return;
    setBusy(false);
    clear(error.message);
  };
  const lookSoon = debounce(() => look().catch(report), 60);

  /** At once: what is shown is of this position, or is dimmed; then the server is asked. */
  function update() {
    stop.abort();
    stop = new AbortController();
    lookSoon.cancel();
    if (!isOpen()) return;
    if (!doc.view) {
      setBusy(false);
      clear('This position cannot be played.');
      return;
    }
    const { fen } = doc.view;
    if (shown?.fen === fen) {
      setBusy(false);
      return;
    }
    if (section.contains(document.activeElement)) section.focus({ preventScroll: true });
    if (recall('/explore', { fen })) {
      look().catch(report);
      return;
    }
    setBusy(true);
    hint.textContent = '';
    lookSoon();
  }
  doc.addEventListener('change', update);
  update();
  noveltyButton(doc);
  return update;
}
