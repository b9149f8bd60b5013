/*
 * explorer.mjs - shows what the database has for the position: moves with their results, and games.
 *
 * The numbers come from the server; see docs/api.md. What is shown either belongs to the position on the board or is dimmed
 * and cannot be clicked: never another position's numbers.
 */
import { ask, askAhead, askOnce, onReturn, recall } from './api.mjs';
import { byId, complain, debounce, h } from './dom.mjs';
import { Filter } from './filter.mjs';
import { gameRow } from './lists.mjs';
import { suggestPlayers } from './suggest.mjs';
import { yearsChart } from './years.mjs';

const GAMES_AT_ONCE = 8;
const PAUSE = 120; // milliseconds
const MISSING = 5; // how many moves to show that occur only outside the filtered games
const exact = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });
const short = (n) => (n < 10_000 ? exact.format(n) : compact.format(n));

/** White, draw, black as parts of a bar with their percentages. */
export function bar({ white, draw, black }) {
  const known = white + draw + black;
  const part = (name, count) => {
    const percent = (100 * count) / known;
    const element = h('span', { class: name, title: `${name} ${exact.format(count)}` }, h('i', {}, `${Math.round(percent)}%`));
    element.style.setProperty('--share', count);
    return element;
  };
  const label = known ? `White ${white}, draw ${draw}, black ${black}` : 'No known results';
  const parts = known ? [part('white', white), part('draw', draw), part('black', black)].filter((_, i) => [white, draw, black][i]) : [];
  return h('div', { class: 'bar', role: 'img', 'aria-label': label }, ...parts);
}

/** A number of games; `list` shows these games in the table. */
const count = (n, list, ...more) => h('td', { class: 'count', title: exact.format(n), 'data-count': n },
  list ? h('button', { type: 'button', class: 'number', title: `List ${exact.format(n)} games`, onclick: list }, short(n)) : short(n), ...more);

/** A part of a hundred: "12%", "3.4%", and never "0.0%" of something that was played. */
export const shareText = (share) => (share > 0 && share < 0.05 ? '<0.1%' : `${share.toFixed(share < 9.95 ? 1 : 0)}%`);

/** Opens a game of the database at the first move that reaches a position. */
export async function openDatabaseGame(doc, id, fen) {
  const place = (text) => text.split(' ').slice(0, 3).join(' ');
  try {
    const isWanted = doc.want();
    const pgn = await (await ask('/game', { id })).text();
    if (!isWanted()) return;
    doc.setGame(doc.tabiya.game(pgn), (game) => [0, ...game.view(0).line].find((node) => place(game.position(node).write()) === place(fen)) ?? 0, 'open', { id });
    byId('board').scrollIntoView({ block: 'nearest' });
  } catch (error) {
    complain(`Game ${id} cannot be opened: ${error.message}`);
  }
}

/**
 * Where the line leaves the database: the first position that no game, or only this one, reaches. Positions of a line
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
      text.textContent = 'Other games reach every position of this game.';
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

export function explorerPanel(doc, boardView, database, { isOpen, games: list, address }) {
  const section = byId('explorer');
  const hint = byId('explorer-hint');
  section.hidden = false;
  byId('explorer-source').textContent = database;
  byId('more-games').addEventListener('click', () => list.searchHere());
  const years = yearsChart();
  const filter = new Filter(address);
  suggestPlayers(byId('filter-player'));
  let stop = new AbortController();
  let shown = null; // { fen, key, answer, all, earlier } of the table, and isListed when its games are there
  let changed = -PAUSE; // when the position last changed
  let wantsFocus = false; // a move was played from the table by keyboard

  // ---- Drawing

  function play(event, move) {
    if (section.getAttribute('aria-busy') === 'true' || shown?.fen !== doc.view?.fen) return; // another position's
    wantsFocus = event.detail === 0;
    askFor(move);
    boardView.setHints([]);
    doc.play(move.uci);
  }

  /** Asks for the table after a move while it is on its way to the board: on the press, before all panels are drawn. */
  function askFor(move) {
    if (move.uci === '0000' || shown?.fen !== doc.view?.fen) return;
    const { moves, all, earlier } = questions(positionAfter(move).write());
    for (const parameters of [moves, all, earlier]) if (parameters) askAhead('/explore', parameters);
  }
  function positionAfter(move) {
    const after = doc.position.clone();
    after.play(move.uci);
    return after;
  }

  /** Lists the games behind a number: those with the move, and with the facts; null for a game that ends here. */
  function lister(move, facts) {
    if (move?.uci === '0000') return null;
    const places = [`fen "${shown.fen}"`];
    if (move) places.push(`fen "${positionAfter(move).write()}"`);
    return (event) => {
      event.stopPropagation(); // the row plays the move
      if (section.getAttribute('aria-busy') !== 'true') list.searchFor([places.join(' , '), facts].filter(Boolean).join(' '));
    };
  }

  /** A move that none of the games had before the date. */
  function newBadge(move) {
    if (!shown.earlier || !move.games || shown.earlier.moves.some(({ uci }) => uci === move.uci)) return null;
    return h('button', { type: 'button', class: 'badge', title: `Not played before ${filter.newSince}; lists the games`,
      onclick: lister(move, `${filter.listText} date ${filter.newSince}..`.trim()) }, 'new');
  }

  /** The same move in all games. */
  function besideCells(move) {
    if (!shown.all) return [];
    const other = move ? shown.all.moves.find(({ uci }) => uci === move.uci) : shown.all;
    if (!other) return [h('td', { class: 'count' }), h('td', { class: 'wide' })];
    return [count(other.games, lister(move, ''), move ? shareOf(other, shown.all) : h('small')), h('td', { class: 'wide' }, bar(other))];
  }
  function shareOf(part, whole) {
    return h('small', {}, shareText((100 * part.games) / whole.games));
  }

  function row(move) {
    const point = (isOn) => () => boardView.setHints(isOn && move.uci !== '0000' && section.getAttribute('aria-busy') !== 'true'
      ? [{ from: move.uci.slice(0, 2), to: move.uci.slice(2, 4) }] : []);
    return h('tr', { class: move.games ? 'row' : 'row none', onclick: (event) => play(event, move), onpointerdown: () => askFor(move), onmouseenter: point(true), onmouseleave: point(false),
      title: move.games ? `${exact.format(move.reached)} games reach the position after ${move.san}, by any move order` : 'Not played in the games that count',
      'data-reached': move.reached },
    h('th', { scope: 'row' }, h('button', { type: 'button', class: 'move', 'data-uci': move.uci, onfocus: point(true), onblur: point(false) }, move.san), newBadge(move)),
    count(move.games, move.games ? lister(move, filter.listText) : null, move.games ? shareOf(move, shown.answer) : h('small')),
    h('td', {}, move.games ? bar(move) : null),
    h('td', { class: 'count elo' }, move.elo ? String(Math.round(move.elo)) : ''),
    h('td', { class: 'count year' }, move.last ? move.last.slice(0, 4) : ''), ...besideCells(move));
  }

  /** The moves of the games that count, then the most played ones that they do not have. */
  function movesToShow() {
    const { answer: { moves }, all } = shown;
    const missing = (all?.moves ?? []).filter(({ uci }) => !moves.some((move) => move.uci === uci)).slice(0, MISSING);
    return [...moves, ...missing.map((move) => ({ ...move, games: 0, elo: null, last: null, reached: null }))];
  }

  /** No game passes: how to get some. */
  async function drawNothing() {
    const isFiltered = filter.text !== '';
    hint.replaceChildren(...(isFiltered ? ['No game with this position matches the filter. ', h('button', { type: 'button', class: 'clear', onclick: () => filter.clear() }, 'Clear the filter')]
      : ['No game in the database reaches this position.']));
    if (!filter.player) return;
    const mine = shown;
    const { near = [] } = await askOnce('/find', { player: filter.player, count: 1 });
    if (shown !== mine || !near.length) return;
    hint.append(' Similar names: ', ...near.map((name) => h('button', { type: 'button', onclick: () => {
      byId('filter-player').value = name;
      byId('filter-player').dispatchEvent(new Event('change'));
    } }, name)));
  }

  function drawMoves() {
    const { games, ended, moves } = shown.answer;
    const blank = () => [h('td', { class: 'elo' }), h('td', { class: 'year' })];
    const none = shown.all ? [h('td'), h('td', { class: 'wide' })] : [];
    const table = byId('explorer-table');
    byId('explorer-moves').replaceChildren(...movesToShow().map(row), ...(ended ? [h('tr', {}, h('th', { scope: 'row' }, 'ended'),
      count(ended, null, h('small')), h('td'), ...blank(), ...none)] : []));
    byId('explorer-total').replaceChildren(h('th', { scope: 'row' }, 'all'), count(games, games ? lister(null, filter.listText) : null, h('small')), h('td', {}, games ? bar(shown.answer) : null), ...blank(), ...besideCells(null));
    table.hidden = games === 0 && !shown.all?.games;
    byId('years').hidden = games === 0;
    for (const head of table.querySelectorAll('thead .beside')) head.hidden = !shown.all;
    if (games) hint.replaceChildren();
    else drawNothing().catch(() => {});
    table.classList.toggle('no-elo', !moves.some(({ elo }) => elo));
    table.classList.toggle('no-year', !moves.some(({ last }) => last));
    table.classList.toggle('both', Boolean(shown.all));
  }

  /** After a move by keyboard, the first move of the new table has the focus. */
  function takeFocus() {
    if (wantsFocus && (document.activeElement === section || document.activeElement === document.body))
      (byId('explorer-moves').querySelector('button') ?? section).focus({ preventScroll: true });
    wantsFocus = false;
  }

  /** The best rated games, or the latest: the server's order is that of all games, not of some. */
  function drawGames(answer, fen) {
    const games = answer?.games ?? [];
    byId('explorer-games').replaceChildren(...games.map((game) => gameRow(game, { onclick: () => openDatabaseGame(doc, game.id, fen) })));
    byId('explorer-games-title').hidden = !games.length;
    byId('more-games').hidden = !answer || !shown?.answer.games;
  }

  function clear(text) {
    shown = null;
    byId('explorer-table').hidden = true;
    byId('years').hidden = true;
    byId('explorer-moves').replaceChildren();
    drawGames(null);
    hint.textContent = text;
  }

  // ---- Following the document

  /** While the server is asked, what belongs to another position is dimmed; the filters stay as they are. */
  function setBusy(isBusy) {
    section.setAttribute('aria-busy', String(isBusy));
    for (const part of section.querySelectorAll(':scope > :not(h2, .hint, details:not(#years))')) part.setAttribute('aria-disabled', String(isBusy));
  }

  /** What is asked about a position: its moves in the games that count, in all games, and in those before a date; then some games. */
  const questions = (fen) => {
    const among = filter.text ? { q: filter.text } : {};
    const before = [filter.text && `(${filter.text})`, `not date ${filter.newSince}..`].filter(Boolean).join(' ');
    return { moves: { fen, ...among }, all: filter.isBeside ? { fen } : null, earlier: filter.newSince ? { fen, q: before } : null,
      games: { fen, ...(filter.listText ? { q: filter.listText } : {}), sort: byId('explorer-kind').value, limit: GAMES_AT_ONCE } };
  };
  const keyOf = ({ moves, all, earlier }) => JSON.stringify([moves, all, earlier]);

  async function look() {
    const { fen } = doc.view;
    const { signal } = stop;
    const asked = questions(fen);
    const [answer, all, earlier] = await Promise.all([asked.moves, asked.all, asked.earlier].map((parameters) => parameters && askOnce('/explore', parameters, signal)));
    shown = { fen, key: keyOf(asked), answer, all, earlier };
    setBusy(false);
    drawMoves();
    years.draw(asked.moves);
    drawGames(null);
    takeFocus(); // it makes the browser lay out the page, so all else is there
    await listRested(asked.games, fen, signal);
  }

  /** Lists some games when the user has rested at the position. */
  async function listRested(asked, fen, signal) {
    if (!shown.answer.games) return;
    if (!recall('/find', asked)) await rested(signal);
    await listGames(asked, fen, signal);
  }

  /** Lists some games with the position; if that takes too long, the moves stay. */
  async function listGames(asked, fen, signal) {
    const mine = shown;
    const isWanted = () => shown === mine && asked.sort === byId('explorer-kind').value;
    try {
      const answer = await askOnce('/find', asked, signal);
      if (!isWanted()) return;
      mine.isListed = true;
      drawGames(answer, fen);
    } catch (error) {
      if (error.name === 'AbortError' || !isWanted()) return;
      mine.isListed = true;
      drawGames(null);
      byId('explorer-games').replaceChildren(h('li', { class: 'hint' }, `The games cannot be listed: ${error.message}. `,
        h('button', { type: 'button', onclick: () => listGames(asked, fen, signal) }, 'Try again')));
    }
  }
  /** The games take the server longer than the moves, so they are not requested while the user steps on. */
  const rested = (signal) => new Promise((resolve, reject) => {
    setTimeout(resolve, PAUSE);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

  const report = (error) => {
    if (error.name === 'AbortError') return;
    setBusy(false);
    clear(`No answer: ${error.message}. `);
    hint.append(h('button', { type: 'button', onclick: () => update() }, 'Try again'));
  };
  const lookNow = () => look().catch(report);
  const lookSoon = debounce(lookNow, PAUSE);

  /** First, what belongs to another position is dimmed at once; then the server is asked. */
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
    const asked = questions(fen);
    if (shown?.key === keyOf(asked)) {
      setBusy(false);
      if (!shown.isListed) listRested(asked.games, fen, stop.signal).catch(report);
      return;
    }
    if (section.contains(document.activeElement)) section.focus({ preventScroll: true });
    if ([asked.moves, asked.all, asked.earlier].every((parameters) => !parameters || recall('/explore', parameters))) {
      lookNow();
      return;
    }
    const isAlone = section.getAttribute('aria-busy') !== 'true' || performance.now() - changed > PAUSE; // stepping faster than the server asks once, where it ends
    setBusy(true);
    hint.textContent = '';
    changed = performance.now();
    if (isAlone) lookNow();
    else lookSoon();
  }
  filter.addEventListener('change', update);
  onReturn(update);
  byId('explorer-kind').addEventListener('change', () => {
    if (shown) listGames(questions(shown.fen).games, shown.fen, stop.signal);
  });
  doc.addEventListener('change', update);
  update();
  noveltyButton(doc);
  return update;
}
