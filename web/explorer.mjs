/*
 * explorer.mjs - what the served database knows of the position: moves with their results, and games.
 *
 * The numbers come from the server; see docs/api.md. What is shown either belongs to the position on the board or is dimmed
 * and cannot be clicked: never another position's numbers.
 */
import { ask, askOnce, onReturn, recall } from './api.mjs';
import { byId, complain, debounce, h } from './dom.mjs';
import { gameRow } from './lists.mjs';
import { yearsChart } from './years.mjs';

const GAMES_AT_ONCE = 8;
const PAUSE = 120; // milliseconds
const FILTERS = ['since', 'until', 'ratings', 'speeds'];
const RATING_GROUPS = [0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500];
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
  const label = known ? `White ${white}, draw ${draw}, black ${black}` : 'No result is known';
  const parts = known ? [part('white', white), part('draw', draw), part('black', black)].filter((_, i) => [white, draw, black][i]) : [];
  return h('div', { class: 'bar', role: 'img', 'aria-label': label }, ...parts);
}

/** A number of games; `list` shows these games in the table. */
const count = (n, list, ...more) => h('td', { class: 'count', title: exact.format(n), 'data-count': n },
  list ? h('button', { type: 'button', class: 'number', title: `List ${exact.format(n)} games`, onclick: list }, short(n)) : short(n), ...more);

const RESULTS = { white: '1-0', black: '0-1' };

/** A game of /lichess in the words of /api/find. */
const asFound = ({ id, white, black, winner, month, year, speed }) => ({ id, white: white.name, white_elo: white.rating, black: black.name,
  black_elo: black.rating, result: RESULTS[winner] ?? '1/2-1/2', date: month ?? (year && String(year)), event: speed });

/** The explorer's answer of /lichess in the words of /api/explore. */
function fromLichess({ white, draws, black, moves }) {
  const plain = (part) => ({ white: part.white, draw: part.draws, black: part.black, games: part.white + part.draws + part.black });
  return { ...plain({ white, draws, black }), ended: 0,
    moves: moves.map((move) => ({ ...plain(move), uci: move.uci, san: move.san, elo: move.averageRating, last: null, reached: null })) };
}

/** Opens a game of the database at the first move that reaches a position. */
export async function openDatabaseGame(doc, id, fen) {
  const place = (text) => text.split(' ').slice(0, 3).join(' ');
  try {
    const pgn = await (await ask('/game', { id })).text();
    doc.setGame(doc.tabiya.game(pgn), (game) => [0, ...game.view(0).line].find((node) => place(game.position(node).write()) === place(fen)) ?? 0, 'open', { id });
    byId('board').scrollIntoView({ block: 'nearest' });
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
      text.textContent = 'Other games have gone all this way.';
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
  let stop = new AbortController();
  let shown = null; // { fen, key, answer } of the table
  let changed = -PAUSE; // when the position last changed
  let wantsFocus = false; // a move was played from the table by keyboard

  // ---- Drawing

  function play(event, move) {
    if (section.getAttribute('aria-busy') === 'true' || shown?.fen !== doc.view?.fen) return; // another position's
    wantsFocus = event.detail === 0;
    boardView.setHints([]);
    doc.play(move.uci);
  }

  /** Lists the games behind a number; null where no query gives the same: the filter's ratings are means. */
  function lister(move) {
    const { since, until, speeds, ratings } = filters();
    if (ratings || move?.uci === '0000') return null;
    const facts = [`fen "${shown.fen}"`];
    if (move) {
      const after = doc.position.clone();
      after.play(move.uci);
      facts.push(`, fen "${after.write()}"`);
    }
    if (since || until) facts.push(`date ${since ?? ''}..${until ?? ''}`);
    if (speeds) facts.push(`speed ${speeds}`);
    return (event) => {
      event.stopPropagation(); // the row plays the move
      if (section.getAttribute('aria-busy') !== 'true') list.searchFor(facts.join(' '));
    };
  }

  function row(move) {
    const share = (100 * move.games) / shown.answer.games;
    const point = (isOn) => () => boardView.setHints(isOn && move.uci !== '0000' && section.getAttribute('aria-busy') !== 'true'
      ? [{ from: move.uci.slice(0, 2), to: move.uci.slice(2, 4) }] : []);
    return h('tr', { class: 'row', onclick: (event) => play(event, move), onmouseenter: point(true), onmouseleave: point(false),
      title: move.reached === null ? null : `${exact.format(move.reached)} games reach the position behind ${move.san}, by any order of moves`,
      'data-reached': move.reached },
    h('th', { scope: 'row' }, h('button', { type: 'button', class: 'move', 'data-uci': move.uci, onfocus: point(true), onblur: point(false) }, move.san)),
    count(move.games, lister(move), h('small', {}, `${share.toFixed(share < 10 ? 1 : 0)}%`)),
    h('td', {}, bar(move)),
    h('td', { class: 'count elo' }, move.elo ? String(Math.round(move.elo)) : ''),
    h('td', { class: 'count year' }, move.last ? move.last.slice(0, 4) : ''));
  }

  function drawMoves() {
    const { moves, games, ended } = shown.answer;
    const blank = () => [h('td', { class: 'elo' }), h('td', { class: 'year' })];
    byId('explorer-moves').replaceChildren(...moves.map(row), ...(ended ? [h('tr', {}, h('th', { scope: 'row' }, 'ended'),
      count(ended, null), h('td'), ...blank())] : []));
    byId('explorer-total').replaceChildren(h('th', { scope: 'row' }, 'all'), count(games, lister(null)), h('td', {}, bar(shown.answer)), ...blank());
    byId('explorer-table').hidden = games === 0;
    byId('years').hidden = games === 0;
    const isFiltered = Object.keys(filters()).length > 0;
    hint.replaceChildren(...(games ? [] : isFiltered ? ['No game with this position passes the filter. ', h('button', { type: 'button', onclick: clearFilter }, 'Clear the filter')]
      : ['No game of the database has this position.']));
    byId('explorer-table').classList.toggle('no-elo', !moves.some(({ elo }) => elo));
    byId('explorer-table').classList.toggle('no-year', !moves.some(({ last }) => last));
    if (wantsFocus && (document.activeElement === section || document.activeElement === document.body))
      (byId('explorer-moves').querySelector('button') ?? section).focus({ preventScroll: true });
    wantsFocus = false;
  }

  /** The best rated games, or the latest: the server's order is that of all games, not of some. */
  function drawGames(answer, fen) {
    const games = answer?.[byId('explorer-kind').value] ?? [];
    byId('explorer-games').replaceChildren(...games.map((game) => gameRow(asFound(game), { onclick: () => openDatabaseGame(doc, game.id, fen) })));
    byId('explorer-games-title').hidden = !answer?.topGames?.length;
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

  /** The filters as parameters of /lichess; {} if none is set. */
  function filters() {
    const values = Object.fromEntries(FILTERS.map((name) => [name, byId(`filter-${name}`).value.trim()]).filter(([, value]) => value));
    if (values.ratings) values.ratings = RATING_GROUPS.filter((group) => group >= Number(values.ratings)).join();
    return values;
  }

  /** Asks for the table and the games of a position. */
  const questions = (fen) => {
    const chosen = filters();
    const lichess = { fen, ...chosen, moves: 60, topGames: GAMES_AT_ONCE, recentGames: GAMES_AT_ONCE };
    return { isFiltered: Object.keys(chosen).length > 0, key: JSON.stringify(lichess), lichess };
  };

  async function look() {
    const { fen } = doc.view;
    const { signal } = stop;
    const { isFiltered, key, lichess } = questions(fen);
    const answer = isFiltered ? fromLichess(await askOnce('lichess', lichess, signal)) : await askOnce('/explore', { fen }, signal);
    shown = { fen, key, answer };
    setBusy(false);
    drawMoves();
    years.draw({ fen, ...filters() });
    drawGames(null);
    if (answer.games) drawGames(await askOnce('lichess', lichess, signal), fen);
  }

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
    const { isFiltered, key, lichess } = questions(fen);
    if (shown?.key === key) {
      setBusy(false);
      return;
    }
    if (section.contains(document.activeElement)) section.focus({ preventScroll: true });
    if (isFiltered ? recall('lichess', lichess) : recall('/explore', { fen })) {
      lookNow();
      return;
    }
    setBusy(true);
    hint.textContent = '';
    const isAlone = performance.now() - changed > PAUSE; // fast stepping asks once, where it ends
    changed = performance.now();
    if (isAlone) lookNow();
    else lookSoon();
  }
  /** The filter in a few words, so that it is seen while folded. */
  function drawFilter() {
    const { since, until, speeds } = filters();
    const least = byId('filter-ratings').value;
    const words = [since && until ? `${since}–${until}` : since ? `since ${since}` : until && `until ${until}`, least && `rated ${least}+`, speeds].filter(Boolean);
    byId('filter-summary').textContent = words.length ? `Filter: ${words.join(', ')}` : 'Filter';
    byId('filter-clear').hidden = !words.length;
  }
  function changeFilter() {
    drawFilter();
    address.set({ filter: FILTERS.map((name) => byId(`filter-${name}`).value.trim().replaceAll(',', ' ')).join(',').replace(/,+$/, '') });
    update();
  }
  function clearFilter() {
    for (const name of FILTERS) byId(`filter-${name}`).value = '';
    changeFilter();
  }
  for (const name of FILTERS) byId(`filter-${name}`).addEventListener('change', changeFilter);
  byId('filter-clear').addEventListener('click', clearFilter);
  /** What the address says, at first and on Back. */
  function readFilter() {
    const values = (address.get('filter') ?? '').split(',');
    for (const [i, name] of FILTERS.entries()) byId(`filter-${name}`).value = values[i] ?? '';
    drawFilter();
  }
  address.addEventListener('change', () => {
    readFilter();
    update();
  });
  readFilter();
  onReturn(update);
  byId('explorer-kind').addEventListener('change', () => {
    if (shown) askOnce('lichess', questions(shown.fen).lichess).then((answer) => drawGames(answer, shown.fen), report);
  });
  doc.addEventListener('change', update);
  update();
  noveltyButton(doc);
  return update;
}
