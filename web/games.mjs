/*
 * games.mjs - the panel of games: the list that the search of the page finds, or the games of a file that was opened. The games
 * before and after the open one are a key away.
 */
import { byId, complain } from './dom.mjs';
import { Latest } from './latest.mjs';
import { FileList, Found, ORDERS } from './lists.mjs';
import { previewPanel } from './preview.mjs';
import { columnChoice, selectionBar } from './selection.mjs';
import { sourceChoice } from './choice.mjs';
import { readingsPanel } from './readings.mjs';
import { GamesTable, PART } from './table.mjs';
import { counted, number, shortNumber, t } from './texts.mjs';

const SOON = 200; // milliseconds after which the server sends what it has found
const COUNT_MS = 400; // for which a list waits for its number

/** `panes` is the layout; `server` is what the source says of itself; `opened()` is called after a game was opened, `onFile(list)` when a file is. */
export function gamesPanel({ doc, source, state, look, search }, { panes, server, opened, drawing, onFile }) {
  const list = byId('games-table');
  const table = new GamesTable(list, byId('games-list'));
  const status = byId('games-count');
  const hasDatabase = Boolean(server?.database);
  const latest = new Latest();
  const readings = readingsPanel(source, search);
  const choice = sourceChoice(search, server?.database ?? null);
  let shown = null; // the list that is shown
  let file = null;
  let current = -1; // which game of the list is open
  let isStale = true;
  const count = () => shown?.count ?? 0;
  const isOpen = () => panes.isOpen('games');

  // ---- Asking

  /** The first games and their number are asked for at once; the number may come later. */
  async function ask(found, signal) {
    const counting = found.countAll(signal);
    counting.catch(() => {}); // the first games say it too
    const meaning = await found.find(PART, signal, { soon: SOON });
    if (!found.isCounted) await Promise.race([counting.catch(() => {}), new Promise((resolve) => { setTimeout(resolve, COUNT_MS); })]);
    return { found, meaning, counting };
  }

  async function searchFile() {
    latest.cancel();
    shown = file;
    file.words = search.query.value.toLowerCase().split(/\s+/).filter(Boolean);
    file.order = search.order === 'newest' ? 'found' : search.order;
    await draw();
  }

  async function show({ found, meaning, counting }, isAsked) {
    shown = found;
    list.setAttribute('aria-busy', 'false');
    const { text } = found.parameters;
    readings.drawChips(text ? meaning ?? text : null);
    byId('query-meaning').textContent = meaning && meaning !== search.text ? t('games.understood', { query: meaning }) : '';
    await draw();
    if (!found.isCounted || found.isPartial) findRest(found, counting);
    if (isAsked) byId('games-table').scrollTop = 0;
  }

  /** After the first games are shown: the rest of the first page, if that takes longer, and their number. */
  async function findRest(found, counting) {
    const { signal } = found;
    try {
      if (found.isPartial) {
        await found.find(PART, signal);
        if (shown !== found) return;
        drawCount();
        await table.more();
      }
      await counting;
    } catch (error) {
      if (error.name !== 'AbortError' && shown === found) drawCount(error.message);
      return;
    }
    if (shown !== found) return;
    drawCount();
    drawNeighbours();
    table.counted();
  }

  async function fail(error, isAsked) {
    list.setAttribute('aria-busy', 'false');
    if (!isAsked && search.query.getAttribute('aria-expanded') === 'true') { // a name is still being typed
      search.given();
      return;
    }
    shown = null;
    readings.clear();
    search.drawChips(null);
    await draw();
    status.textContent = byId('search-found').textContent = byId('tab-count').textContent = '';
    search.showFault(error, { isAsked, again: () => run({ isAsked: true }) });
  }

  async function run({ isAsked = false } = {}) {
    search.begun(isAsked);
    setCurrent(-1);
    search.showFault(null);
    byId('query-meaning').textContent = '';
    readings.clear();
    if (search.isFile) {
      await searchFile();
      return;
    }
    isStale = false;
    list.setAttribute('aria-busy', 'true');
    const found = new Found(doc, source, search.conditions(), search.order);
    if (found.parameters.text) readings.ask(found.parameters.text);
    if (!shown) status.textContent = t('games.searching');
    await latest.run((signal) => {
      found.signal = signal;
      return ask(found, signal);
    }, (answer) => show(answer, isAsked), (error) => fail(error, isAsked));
  }

  // ---- Drawing

  /** `fault` says why games cannot be counted. */
  function drawCount(fault = '') {
    const all = count();
    const games = all ? counted('games.count', all) : t('games.none');
    const isMore = shown instanceof Found && !shown.isCounted;
    status.textContent = fault ? t('games.unfinished', { games, why: fault }) : isMore ? (shown.isPartial ? t('games.sofar', { games }) : t('games.many', { n: number(all) }))
      : shown && !shown.isCounted ? t('games.reading', { games }) : games;
    const isSearched = search.text || byId('search').classList.contains('has-chips');
    byId('search-found').textContent = isSearched ? status.textContent : '';
    byId('tab-count').textContent = shown && !isMore ? ` ${shortNumber(all)}` : '';
  }

  /** The headings say how the list is sorted. */
  function drawOrder() {
    for (const button of list.querySelectorAll('[data-orders]')) {
      const orders = button.dataset.orders.split(' ');
      const isRising = !ORDERS[search.order].sort.startsWith('-');
      button.parentNode.setAttribute('aria-sort', orders.includes(search.order) ? (isRising ? 'ascending' : 'descending') : 'none');
    }
  }

  function drawNeighbours() {
    byId('neighbours').hidden = current < 0;
    byId('game-back').disabled = current <= 0;
    byId('game-on').disabled = current < 0 || current + 1 >= count();
  }

  function setCurrent(index) {
    current = index;
    table.current = index;
    drawNeighbours();
  }

  async function draw() {
    preview.hide();
    list.hidden = !count();
    drawOrder();
    await table.show(shown);
    drawCount();
    drawStale();
    if (shown instanceof Found && shown.isCounted && !count()) readings.drawNothing(() => run({ isAsked: true }));
  }

  // ---- Opening

  /** Opens a game by its place in the list. */
  async function openGame(index) {
    if (index < 0 || index >= count()) return;
    preview.hide();
    try {
      const mine = shown;
      const game = await table.fetched(index);
      if (shown !== mine || !await mine.open(game) || shown !== mine) return;
      setCurrent(index);
      table.activate(index);
      opened();
    } catch (error) {
      if (error.name !== 'AbortError') complain(t('games.cannot-open', { why: error.message }));
    }
  }

  const preview = previewPanel(async (index) => {
    const game = await table.fetched(index);
    return { game: await shown.load(game), ply: game.ply ?? 0 };
  }, look);
  table.addEventListener('open', ({ detail }) => openGame(detail));
  table.addEventListener('fault', ({ detail }) => complain(detail.message));
  table.addEventListener('point', ({ detail }) => { if (matchMedia('(hover: hover)').matches) preview.soon(detail === current ? null : detail); }); // the open game is on the board
  table.addEventListener('move', ({ detail }) => { if (preview.isOpen()) preview.show(detail); });
  table.addEventListener('preview', ({ detail }) => { if (detail === null || preview.isOpen()) preview.hide(); else preview.show(detail); });
  list.addEventListener('blur', () => preview.hide());
  list.addEventListener('scroll', () => preview.hide());
  selectionBar(table, () => shown);
  columnChoice(list);
  for (const button of list.querySelectorAll('[data-orders]'))
    button.addEventListener('click', () => {
      const [first, second] = button.dataset.orders.split(' ');
      const order = byId('games-order');
      order.value = order.value === first ? second : order.value === second ? 'found' : first;
      run({ isAsked: true });
    });
  byId('game-back').addEventListener('click', () => openGame(current - 1));
  byId('game-on').addEventListener('click', () => openGame(current + 1));

  // ---- Following the search and the board

  /** What is searched for is seen. */
  function reveal() {
    if (!isOpen()) panes.select('games');
  }
  search.addEventListener('change', () => {
    reveal();
    drawing().read();
    run();
  });
  search.addEventListener('ask', () => {
    reveal();
    drawing().read();
    run({ isAsked: true });
  });
  search.query.addEventListener('suggest', () => { // a name is still being typed
    if (!byId('query-fault').hasChildNodes()) return;
    search.showFault(null);
    search.given();
  });

  /** A list of games with a position stays while the user steps through them; a note says that it is another position's. */
  function drawStale() {
    const isOther = shown instanceof Found && Boolean(shown.parameters.fen) && shown.parameters.fen !== doc.view?.fen;
    byId('search-again').hidden = !isOther;
    isStale ||= isOther;
  }
  byId('search-again').addEventListener('click', () => run());
  doc.addEventListener('change', drawStale);
  state.addEventListener('change', () => {
    isStale = true;
    if (isOpen() && hasDatabase && !search.isFile) run();
  });
  source.onReturn(() => { if (isOpen() && hasDatabase) run(); });

  // ---- Database and files

  byId('games-source').addEventListener('change', ({ target }) => {
    choice.choose(target.value);
    run();
  });

  return {
    /** A file of games as a list; a single game leaves the tab as it is. */
    async openFile(bytes, notation, name, { isOne = false } = {}) {
      file = new FileList(doc, bytes, notation, name);
      const mine = file;
      choice.setFile(name);
      choice.choose('file');
      if (!isOne) { panes.select('games'); onFile(mine); }
      mine.addEventListener('more', () => {
        if (shown !== mine || !search.isFile) return;
        list.hidden = !count();
        drawCount();
        table.more();
        table.counted();
      });
      const reading = mine.read(() => file === mine);
      shown = mine;
      await run();
      await reading;
      if (isOne) setCurrent(0);
      table.draw();
    },
    /** All games with the position on the board. */
    async searchHere() {
      if (search.isFile) choice.choose('database');
      byId('only-here').checked = true;
      panes.select('games');
      await run();
    },
    /** The games of a query, such as those that a number in the explorer counts. */
    async searchFor(text) {
      if (search.isFile) choice.choose('database');
      isStale = false;
      panes.select('games');
      search.set({ q: text });
    },
    /** The database has changed: the list, and the names of collections. */
    async refresh() {
      await search.fillCollections().catch(() => {});
      isStale = true;
      if (isOpen() && !search.isFile) await run();
    },
    /** Names of openings have come. */
    redraw: () => table.draw(), chosen: () => (table.selected.length ? table.selected : shown && shown === file ? file.found : []).map((game) => () => shown.load(game)), onSelect: (act) => table.addEventListener('select', act),
    /** How many games were found in the database, and the conditions for them; null for games of a file. */
    found: () => (shown instanceof Found && shown.isCounted && shown.count ? { count: shown.count, parameters: shown.parameters } : null),
    /** The file whose games are listed; null for those of the database. */
    file: () => (shown && shown === file ? file : null),
    selected: () => (shown instanceof Found ? table.selected.map(({ id }) => id) : []),
    step: (n) => openGame(current + n), show: () => { if (isOpen() && isStale && hasDatabase && !search.isFile) run(); },
  };
}
