/*
 * games.mjs - lists of games: of the served database by a query or a form, and of a file that was opened, which stays.
 *
 * A list has { name, count, page(offset, limit), open(i) }; the panel shows one page of it, and the games before and
 * behind the open one are a key away.
 */
import { ask, askJson } from './api.mjs';
import { byId, complain, debounce, h, toast } from './dom.mjs';
import { reportPanel } from './report.mjs';

const PAGE = 50;
const SORTED = 1000; // so many of what is found are put in order
const number = new Intl.NumberFormat('en');
const FIELDS = ['player', 'white', 'black', 'elo', 'date', 'result', 'event', 'named', 'eco', 'pattern'];

const quoted = (text) => (/^[\p{L}\p{N}.*-]+$/u.test(text) ? text : `"${text.replaceAll('"', '')}"`);
/** "Morphy", "Anderssen, Adolf": no fact of the language begins like this. */
const isName = (text) => /^\p{Lu}\p{Ll}/u.test(text) && isPlainWords(text);
const isPlainWords = (text) => /^[\p{L}\p{M}\s,.'’-]+$/u.test(text);
const strength = (game) => Math.max(game.white_elo ?? 0, game.black_elo ?? 0);
const ORDERS = {
  found: null,
  rating: (a, b) => strength(b) - strength(a),
  newest: (a, b) => (b.date ?? '').localeCompare(a.date ?? ''),
  oldest: (a, b) => (a.date ?? '9').localeCompare(b.date ?? '9'),
};

/** What is asked of /api/find: a query where the server speaks the language, else single conditions. */
function conditions({ text, form, fen, speaks }) {
  if (speaks) {
    const parts = Object.entries(form).map(([name, value]) => (name === 'pattern' ? value : `${name} ${quoted(value)}`));
    const q = [...parts, text, fen ? `fen "${fen}"` : ''].filter(Boolean).join(' ');
    return q ? { q } : {};
  }
  const wide = (value) => (value.includes('*') ? value : `*${value}*`);
  const names = ['player', 'white', 'black', 'event'];
  const single = Object.fromEntries(Object.entries(form).filter(([name]) => name !== 'named' && name !== 'pattern')
    .map(([name, value]) => [name, names.includes(name) ? wide(value) : value]));
  return { ...single, ...(text ? { player: wide(text) } : {}), ...(fen ? { fen } : {}) };
}

/** The games of the database that a search finds. */
class Found {
  constructor(doc, parameters, order) {
    this.doc = doc;
    this.parameters = parameters;
    this.order = order;
    this.sorted = null;
  }

  async page(offset, limit, signal) {
    const compare = ORDERS[this.order];
    if (!compare) return (await askJson('/find', { ...this.parameters, offset, limit }, signal)).games;
    this.sorted ??= (await askJson('/find', { ...this.parameters, limit: SORTED }, signal)).games.sort(compare);
    return this.sorted.slice(offset, offset + limit);
  }

  async open(game) {
    const pgn = await (await ask('/game', { id: game.id })).text();
    this.doc.setGame(this.doc.tabiya.game(pgn), (opened) => opened.view(0).line[(game.ply ?? 0) - 1] ?? 0, 'open');
  }
}

/** The games of a file, read while the page goes on; only places and tags are kept. */
export class FileList extends EventTarget {
  constructor(doc, bytes, notation, name) {
    super();
    Object.assign(this, { doc, bytes, notation, name, all: [], words: [], isRead: false });
    this.binary = doc.tabiya.notations.games.find((n) => n.name === notation).binary;
  }

  async read(isAlive) {
    let pause = performance.now() + 40;
    for (const entry of this.doc.tabiya.games(this.bytes, this.notation)) {
      const { tags, result, plies, begin, end, error, game } = entry;
      if (plies || Object.keys(tags).length)
        this.all.push({ id: this.all.length + 1, white: tags.White, black: tags.Black, white_elo: Number(tags.WhiteElo) || null,
          black_elo: Number(tags.BlackElo) || null, result, date: tags.Date?.replace(/\.?\?.*/, '').replaceAll('.', '-'), event: tags.Event, eco: tags.ECO,
          plies, begin, end, error, json: this.binary ? game.write('json') : null });
      if (performance.now() < pause) continue;
      this.dispatchEvent(new Event('more'));
      await new Promise((resolve) => { setTimeout(resolve); });
      if (!isAlive()) return;
      pause = performance.now() + 40;
    }
    this.isRead = true;
    this.dispatchEvent(new Event('more'));
  }

  get found() {
    if (!this.words.length) return this.all;
    const text = (game) => [game.white, game.black, game.event, game.date, game.eco, game.result].join(' ').toLowerCase();
    return this.all.filter((game) => this.words.every((word) => text(game).includes(word)));
  }

  async page(offset, limit) {
    const compare = ORDERS[this.order];
    return (compare ? [...this.found].sort(compare) : this.found).slice(offset, offset + limit);
  }

  async open({ begin, end, json, error }) {
    const { tabiya } = this.doc;
    let game;
    if (json) {
      game = tabiya.game(json, 'json');
    } else {
      const [entry] = tabiya.games(this.bytes.subarray(begin, end), this.notation);
      game = entry.game;
    }
    this.doc.setGame(game, error ? (g) => g.mainLineEnd() : () => 0, 'open');
    if (error) complain(`${error.line ? `Line ${error.line}: ` : ''}${error.message}. What comes before it is open.`);
    return Boolean(error);
  }
}

export function gamesPanel(doc, server, { select, isOpen }) {
  const list = byId('games-list');
  const status = byId('games-count');
  const query = byId('query');
  const hasDatabase = Boolean(server?.database);
  let source = null; // the list that is shown
  let file = null;
  let offset = 0;
  let count = 0;
  let shown = []; // the page
  let current = -1; // which game of the list is open
  let stop = new AbortController();
  let speaks = null; // does the server know the query language?
  let isStale = true;

  // ---- Asking

  const form = () => Object.fromEntries(FIELDS.map((name) => [name, byId(`search-${name}`).value.trim()]).filter(([, value]) => value));

  async function speaksQueries() {
    speaks ??= 'engine' in server && await askJson('/openapi.json').then((api) => api.paths['/api/find'].get.parameters.some(({ name }) => name === 'q'), () => false);
    for (const element of document.querySelectorAll('.needs-query')) element.hidden = !speaks;
    return speaks;
  }

  async function search() {
    stop.abort();
    stop = new AbortController();
    const { signal } = stop;
    offset = 0;
    current = -1;
    if (byId('games-source').value === 'file') {
      source = file;
      file.words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
      file.order = byId('games-order').value;
      await drawPage();
      return;
    }
    isStale = false;
    list.setAttribute('aria-busy', 'true');
    try {
      const fen = byId('only-here').checked ? doc.view?.fen ?? null : null;
      const options = { form: form(), fen, speaks: await speaksQueries() };
      let text = query.value.trim();
      if (speaks && isName(text)) text = `player ${quoted(text)}`;
      const find = (words) => conditions({ ...options, text: words });
      try {
        count = (await askJson('/find', { ...find(text), count: 1 }, signal)).count;
      } catch (error) {
        if (!speaks || !text || !isPlainWords(text) || error.name === 'AbortError') throw error;
        text = `player ${quoted(text)}`; // a name, not a query
        count = (await askJson('/find', { ...find(text), count: 1 }, signal)).count;
      }
      source = new Found(doc, find(text), byId('games-order').value);
      await drawPage();
    } catch (error) {
      if (error.name === 'AbortError') return;
      source = null;
      count = 0;
      drawRows([]);
      status.textContent = error.message;
    }
    list.setAttribute('aria-busy', 'false');
  }
  const searchSoon = debounce(search, 350);

  // ---- Drawing

  function row(game, i) {
    const side = (name, elo) => h('span', { class: 'side' }, h('span', { class: 'players' }, name ?? '?'), elo ? h('span', { class: 'rating' }, String(elo)) : '');
    return h('li', {}, h('button', { type: 'button', 'data-game': game.id, 'aria-current': offset + i === current ? 'true' : null,
      onclick: () => openGame(offset + i) },
    side(game.white, game.white_elo), side(game.black, game.black_elo),
    h('b', { class: 'points' }, game.result === '1/2-1/2' ? '½–½' : game.result.replace('-', '–')),
    h('span', { class: 'facts' }, [game.date, game.event, game.eco].filter((x) => x && x !== '?').join(' · '))));
  }

  function drawRows(games) {
    shown = games;
    list.replaceChildren(...games.map(row));
    const last = offset + games.length;
    const isSorted = source instanceof Found && source.order !== 'found' && count > SORTED;
    const most = isSorted ? SORTED : count;
    const inOrder = isSorted ? `, the first ${number.format(SORTED)} in this order` : '';
    const reading = source === file && file && !file.isRead ? ', still reading …' : '';
    status.textContent = games.length ? `${number.format(offset + 1)}–${number.format(last)} of ${number.format(count)} games${inOrder}${reading}`
      : `No games${reading}`;
    byId('page-back').disabled = offset === 0;
    byId('page-on').disabled = last >= most;
    drawNeighbours();
  }

  function drawNeighbours() {
    byId('game-back').disabled = current <= 0;
    byId('game-on').disabled = !source || current < 0 || current + 1 >= count;
  }

  async function drawPage() {
    if (source === file) count = file.found.length;
    drawRows(await source.page(offset, PAGE, stop.signal));
  }

  async function turn(pages) {
    offset = Math.max(0, offset + pages * PAGE);
    try {
      await drawPage();
      list.scrollIntoView({ block: 'nearest' });
    } catch (error) {
      if (error.name !== 'AbortError') complain(error.message);
    }
  }

  /** Opens a game by its place in the list, and turns to its page. */
  async function openGame(index) {
    if (!source || index < 0 || index >= count) return;
    try {
      if (index < offset || index >= offset + shown.length) {
        offset = PAGE * Math.floor(index / PAGE);
        await drawPage();
      }
      const isBad = await source.open(shown[index - offset]);
      current = index;
      drawRows(shown);
      byId('board').scrollIntoView({ block: 'nearest' });
      if (!isBad) toast(`Game ${number.format(index + 1)} of ${number.format(count)}`, { action: ['Undo', () => doc.undo()] });
    } catch (error) {
      if (error.name !== 'AbortError') complain(`The game cannot be opened: ${error.message}`);
    }
  }

  // ---- The form

  byId('search').addEventListener('submit', (event) => {
    event.preventDefault();
    search();
  });
  byId('search').addEventListener('input', searchSoon);
  byId('search').addEventListener('change', searchSoon);
  byId('search-clear').addEventListener('click', () => {
    for (const name of FIELDS) byId(`search-${name}`).value = '';
    query.value = '';
    byId('only-here').checked = false;
    search();
  });
  byId('page-back').addEventListener('click', () => turn(-1));
  byId('page-on').addEventListener('click', () => turn(1));
  byId('game-back').addEventListener('click', () => openGame(current - 1));
  byId('game-on').addEventListener('click', () => openGame(current + 1));
  doc.addEventListener('change', () => {
    if (!byId('only-here').checked || source === file) return;
    isStale = true;
  });

  function drawSources() {
    const select2 = byId('games-source');
    select2.replaceChildren(...(hasDatabase ? [h('option', { value: 'database' }, server.database)] : []),
      ...(file ? [h('option', { value: 'file' }, file.name)] : []));
    select2.hidden = !(hasDatabase && file);
    select2.previousElementSibling.hidden = select2.hidden;
    byId('tab-games').hidden = !hasDatabase && !file;
    drawKind();
  }

  /** A file is searched by words alone. */
  function drawKind() {
    const isFile = byId('games-source').value === 'file';
    byId('search-form').hidden = isFile;
    byId('only-here').parentNode.hidden = isFile;
    query.placeholder = isFile ? 'Filter by name, event, year' : 'Player, or a query';
  }
  byId('games-source').addEventListener('change', () => {
    query.value = ''; // words for a file are no query
    drawKind();
  });
  drawSources();
  byId('report-box').hidden = !hasDatabase;
  reportPanel();

  return {
    /** A file of games: its list, and its first game on the board. */
    async openFile(bytes, notation, name) {
      file = new FileList(doc, bytes, notation, name);
      const mine = file;
      drawSources();
      byId('games-source').value = 'file';
      drawKind();
      query.value = '';
      select('panel-games');
      const redraw = () => { if (source === mine && byId('games-source').value === 'file') drawPage(); };
      mine.addEventListener('more', redraw);
      const reading = mine.read(() => file === mine);
      source = mine;
      await search();
      await reading;
    },
    /** All games that come to the position on the board. */
    async searchHere() {
      byId('games-source').value = 'database';
      drawKind();
      byId('only-here').checked = true;
      select('panel-games');
      await search();
    },
    step: (n) => openGame(current + n),
    show: () => { if (isOpen() && isStale && hasDatabase && byId('games-source').value === 'database') search(); },
    focus: () => {
      if (byId('tab-games').hidden) return;
      select('panel-games');
      query.focus();
    },
  };
}
