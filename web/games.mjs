/*
 * games.mjs - the panel of games: a search of the served database by a query or a form, or the list of a file that was
 * opened, which stays. The games before and after the open one are a key away; what is searched for is in the address.
 */
import { askJson, askOnce, onReturn } from './api.mjs';
import { byId, complain, debounce, h, passToast } from './dom.mjs';
import { drawPanel } from './draw.mjs';
import { download } from './files.mjs';
import { FileList, Found, ORDERS } from './lists.mjs';
import { previewPanel } from './preview.mjs';
import { reportPanel } from './report.mjs';
import { savedPanel } from './saved.mjs';
import { suggestPlayers } from './suggest.mjs';
import { GamesTable, PART } from './table.mjs';

const number = new Intl.NumberFormat('en');
const FIELDS = ['player', 'white', 'black', 'elo', 'date', 'result', 'event', 'named', 'eco', 'pattern', 'collection'];
const SOON = 200; // milliseconds after which the server sends what it has found
const AROUND = 12; // characters shown before and after a fault
const NAMED = /\b(player|white|black)\s+~?(?:"([^"*]+)"|([\p{L}\p{M}.'-]+)(?!\*))/u; // a player in a query, but no pattern

const quoted = (text) => (/^[\p{L}\p{N}.*-]+$/u.test(text) ? text : `"${text.replaceAll('"', '')}"`);
/** "Morphy", "Anderssen, Adolf": nothing in the query language begins like this. */
const isName = (text) => /^\p{Lu}\p{Ll}/u.test(text) && /^[\p{L}\p{M}\s,.'’-]+$/u.test(text);
/** A player in any spelling, unless the name is a pattern. */
const playerFact = (word, name) => (/\p{L}/u.test(name) && !/[*=]/.test(name) ? `${word} ~"${name.replaceAll('"', '')}"` : `${word} ${quoted(name)}`);

/** The parameters for /api/find: the text as it is typed, and the form's entries as further conditions. */
function conditions({ text, form: { named, pattern, collection, player, white, black, ...single }, fen }) {
  const players = Object.entries({ player, white, black }).filter(([, name]) => name).map(([word, name]) => playerFact(word, name));
  const q = [...players, named ? `named ${quoted(named)}` : '', collection ? `collection ="${collection.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : '', pattern].filter(Boolean).join(' ');
  return { ...(text ? { text } : {}), ...(q ? { q } : {}), ...single, ...(fen ? { fen } : {}) };
}

/** Where in `text` an error of it is, as [begin, end]; null if it is elsewhere. */
function placeOf(error, text) {
  if (error.offset === undefined || !text) return null;
  const at = (bytes) => new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, bytes)).length;
  return [at(error.offset), at(error.offset + error.length)];
}

const NEAR = '; similar names: '; // as the server writes them: "Kasparov,G", "Kasparov,S"

/** The sentence of an error, with similar names as buttons, and the text around its place with a caret below. */
function fault(error, text, place, choose) {
  const [reason, near = ''] = error.message.split('\n')[0].split(NEAR);
  const names = [...near.matchAll(/"([^"]+)"/g)].map(([, name]) => h('button', { type: 'button', class: 'link', onclick: () => choose(name) }, name));
  const sentence = h('p', {}, names.length ? `${reason}. Similar names: ` : reason, ...names);
  if (!place) return [sentence];
  const [begin, end] = place;
  const from = Math.max(0, begin - AROUND);
  const head = `${from ? '…' : ''}${text.slice(from, begin)}`;
  const tail = `${text.slice(end, end + AROUND)}${end + AROUND < text.length ? '…' : ''}`;
  const carets = `${' '.repeat(head.length)}${'^'.repeat(Math.max(1, end - begin))}`;
  return [h('code', { 'aria-hidden': 'true' }, head, h('mark', {}, text.slice(begin, end) || ' '), tail, `\n${carets}`), sentence];
}

export function gamesPanel(doc, server, { select, isOpen, address, look, link }) {
  const list = byId('games-table');
  const table = new GamesTable(list, byId('games-list'));
  const isSmall = matchMedia('(max-width: 860px)');
  const status = byId('games-count');
  const query = byId('query');
  const hasDatabase = Boolean(server?.database);
  let source = null; // the list that is shown
  let file = null;
  let current = -1; // which game of the list is open
  let stop = new AbortController();
  let isStale = true;
  let asked = null; // what was last searched for
  let isShown = false;
  let nFilled = 0; // how often the collections were asked for
  const count = () => source?.count ?? 0;

  // ---- Asking

  const form = () => Object.fromEntries(FIELDS.map((name) => [name, byId(`search-${name}`).value.trim()]).filter(([, value]) => value));

  /** The named patterns of the query language. */
  async function fillPatterns() {
    const field = byId('search-pattern');
    if (field.length > 1) return;
    field.append(...(await patterns()).map(({ name, sentence }) => h('option', { value: name }, `${name}: ${sentence}`)));
  }

  /** Fills the list of collections to search in; it is hidden while there are none. */
  async function fillCollections() {
    const mine = ++nFilled;
    const { collections } = await askJson('/collections');
    if (mine !== nFilled) return; // a newer answer has come, or will
    const field = byId('search-collection');
    const { value } = field;
    const names = collections.map(({ name }) => name);
    field.replaceChildren(h('option', { value: '' }, 'all games'), ...collections.map(({ name, games: n }) => h('option', { value: name }, `${name} (${number.format(n)})`)),
      ...(value && !names.includes(value) ? [h('option', { value }, value)] : []));
    field.value = value;
    byId('search-collections').hidden = field.length < 2;
    byId('collection-names').replaceChildren(...names.map((name) => h('option', { value: name })));
  }

  /** Shows an error at its field; null clears it. */
  function showFault(error, text = '') {
    const place = error && placeOf(error, text);
    const field = error?.message.match(/^(elo|date|eco|result) /)?.[1];
    byId('query-fault').replaceChildren(...(error ? fault(error, text, place, (name) => {
      query.value = name;
      search({ isAsked: true });
    }) : []));
    query.setAttribute('aria-invalid', String(Boolean(error && error.offset !== undefined && !field)));
    for (const name of FIELDS) byId(`search-${name}`).setAttribute('aria-invalid', String(name === field));
    return place;
  }

  /** The games of the database; the server says what a text was understood as. */
  async function ask(text, signal) {
    const fen = byId('only-here').checked ? doc.view?.fen ?? null : null;
    const found = new Found(doc, conditions({ text, form: form(), fen }), byId('games-order').value);
    const meaning = await found.find(PART, signal, { soon: SOON }) ?? text;
    byId('query-meaning').textContent = meaning === text ? '' : `Understood as: ${meaning}`;
    return found;
  }

  /** After the first games are shown: finds the rest of the first page, if that takes longer, and counts all. */
  async function findRest(found, signal) {
    try {
      if (found.isPartial) {
        await found.find(PART, signal);
        if (source !== found) return;
        drawCount();
        await table.more();
      }
      if (!found.isCounted) await found.countAll(signal);
    } catch (error) {
      if (error.name !== 'AbortError' && source === found) drawCount(` (the search was not finished: ${error.message})`);
      return;
    }
    if (source !== found) return;
    drawCount();
    drawNeighbours();
    table.counted();
  }

  async function search({ isAsked = false } = {}) {
    stop.abort();
    stop = new AbortController();
    const { signal } = stop;
    asked = wish();
    setCurrent(-1);
    if (isAsked && isSmall.matches) byId('side-tabs').scrollIntoView({ block: 'start' });
    keepAddress(isAsked);
    showFault(null);
    byId('query-meaning').textContent = '';
    if (byId('games-source').value === 'file') {
      source = file;
      file.words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
      file.order = byId('games-order').value;
      await draw();
      return;
    }
    const text = query.value.trim();
    isStale = false;
    list.setAttribute('aria-busy', 'true');
    try {
      source = await ask(text, signal);
      await draw();
      if (!source.isCounted) findRest(source, signal);
    } catch (error) {
      if (error.name === 'AbortError') return;
      if (!isAsked && query.getAttribute('aria-expanded') === 'true') { // a name is still being typed
        list.setAttribute('aria-busy', 'false');
        asked = null;
        return;
      }
      source = null;
      await draw();
      status.textContent = byId('draw-found').textContent = '';
      const place = showFault(error, text);
      if (error.offset === undefined) byId('query-fault').append(h('button', { type: 'button', onclick: () => search({ isAsked: true }) }, 'Try again'));
      if (place && isAsked) {
        const before = query.value.length - query.value.trimStart().length;
        query.setSelectionRange(...place.map((at) => at + before));
      }
    }
    list.setAttribute('aria-busy', 'false');
  }
  const searchSoon = debounce(() => search(), 350);

  // ---- Drawing

  /** `fault` says why games cannot be counted. */
  function drawCount(fault = '') {
    const all = count();
    const isMore = source instanceof Found && !source.isCounted;
    const pending = fault || (isMore ? (source.isPartial ? ' so far, searching …' : ', counting …') : source && !source.isCounted ? ', still reading …' : '');
    status.textContent = `${isMore && !source.isPartial ? 'More than ' : ''}${all ? number.format(all) : 'No'} ${all === 1 ? 'game' : 'games'}${pending}`;
    byId('draw-found').textContent = status.textContent;
  }

  /** A search without hits that names a player: similar names to choose from. */
  async function offerNames() {
    const mine = source;
    const box = byId('query-meaning');
    const typed = query.value.match(NAMED);
    const field = ['player', 'white', 'black'].map((name) => byId(`search-${name}`)).find((input) => input.value.trim());
    const name = typed?.[2] ?? typed?.[3] ?? field?.value.trim();
    if (!name) return;
    const { near = [] } = await askOnce('/find', { player: name, count: 1 });
    if (source !== mine || !near.length) return;
    box.append(`${box.textContent ? '. ' : ''}Similar names: `, ...near.map((other) => h('button', { type: 'button', class: 'link', onclick: () => {
      if (typed) query.value = query.value.replace(typed[0], `${typed[1]} "${other}"`);
      else field.value = other;
      search({ isAsked: true });
    } }, other)));
  }

  /** The headings say how the list is sorted. */
  function drawOrder() {
    const order = byId('games-order').value;
    for (const button of list.querySelectorAll('[data-orders]')) {
      const orders = button.dataset.orders.split(' ');
      const isRising = !ORDERS[order].sort.startsWith('-');
      button.parentNode.setAttribute('aria-sort', orders.includes(order) ? (isRising ? 'ascending' : 'descending') : 'none');
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
    list.hidden = byId('games-order').hidden = !count();
    drawOrder();
    await table.show(source);
    drawCount();
    drawStale();
    if (source instanceof Found && source.isCounted && !count()) offerNames().catch(() => {});
  }

  /** Opens a game by its place in the list. */
  async function openGame(index) {
    if (index < 0 || index >= count()) return;
    preview.hide();
    try {
      const mine = source;
      const game = await table.fetched(index);
      if (source !== mine || !await mine.open(game) || source !== mine) return;
      setCurrent(index);
      table.activate(index);
      byId('board').scrollIntoView({ block: 'nearest' });
    } catch (error) {
      if (error.name !== 'AbortError') complain(`The game cannot be opened: ${error.message}`);
    }
  }

  const preview = previewPanel(async (index) => {
    const game = await table.fetched(index);
    return { game: await source.load(game), ply: game.ply ?? 0 };
  }, look);
  table.addEventListener('open', ({ detail }) => openGame(detail));
  table.addEventListener('fault', ({ detail }) => complain(detail.message));
  table.addEventListener('point', ({ detail }) => { if (matchMedia('(hover: hover)').matches) preview.soon(detail === current ? null : detail); }); // the open game is on the board
  table.addEventListener('move', ({ detail }) => { if (preview.isOpen()) preview.show(detail); });
  table.addEventListener('preview', ({ detail }) => { if (detail === null || preview.isOpen()) preview.hide(); else preview.show(detail); });
  list.addEventListener('blur', () => preview.hide());
  list.addEventListener('scroll', () => preview.hide());
  table.addEventListener('select', () => {
    const n = table.selected.length;
    byId('selection').hidden = !n;
    if (n) passToast(); // it may be in the way
    byId('selection-count').textContent = n ? `${number.format(n)} selected` : '';
  });
  byId('selection-export').addEventListener('click', async () => {
    try {
      const texts = [];
      for (const game of table.selected) texts.push((await source.load(game)).write('pgn').trim());
      download(`${texts.join('\n\n')}\n`, 'games.pgn', 'application/x-chess-pgn');
    } catch (error) {
      complain(`The games cannot be exported: ${error.message}`);
    }
  });
  for (const button of list.querySelectorAll('[data-orders]'))
    button.addEventListener('click', () => {
      const [first, second] = button.dataset.orders.split(' ');
      const order = byId('games-order');
      order.value = order.value === first ? second : order.value === second ? 'found' : first;
      search({ isAsked: true });
    });

  // ---- The address

  /** The search as the address has it. */
  function parts() {
    const isDatabase = byId('games-source').value === 'database';
    const order = byId('games-order').value;
    return { ...Object.fromEntries(FIELDS.map((name) => [name, ''])), ...(isDatabase ? form() : {}),
      q: isDatabase ? query.value.trim() : '', here: isDatabase && byId('only-here').checked ? '1' : '', sort: order === 'found' ? '' : order };
  }

  const wish = () => JSON.stringify([byId('games-source').value, query.value, parts()]);

  /** The search in the address; what the user asked for by hand is a step of its own. */
  const keepAddress = (isStep) => address.set(parts(), { isStep });

  function readParts(get) {
    for (const name of FIELDS) {
      const field = byId(`search-${name}`);
      const value = get(name) ?? '';
      if (field.options && value && ![...field.options].some((option) => option.value === value)) field.append(h('option', { value }, value));
      field.value = value;
    }
    if (Object.keys(form()).length) byId('search-form').open = true;
    query.value = get('q') ?? '';
    byId('only-here').checked = get('here') === '1';
    byId('games-order').value = ORDERS[get('sort')] ? get('sort') : 'found';
    drawing.read();
  }
  const readAddress = () => readParts((name) => address.get(name));

  // ---- Drawn and saved searches

  const patterns = async () => (await askOnce('/patterns', {})).patterns;
  const drawing = drawPanel(doc, { query, patterns, look, asFacts: (text) => (isName(text) ? playerFact('player', text) : text),
    onWrite: (text) => {
      query.value = text;
      searchSoon();
    } });
  savedPanel({ parts, link, open: (saved) => {
    readParts((name) => saved[name]);
    search({ isAsked: true });
  } });

  // ---- The form

  byId('search').addEventListener('submit', (event) => {
    event.preventDefault();
    searchSoon.cancel();
    search({ isAsked: true });
  });
  byId('search').addEventListener('input', () => searchSoon());
  query.addEventListener('suggest', () => { // a name is still being typed
    if (!byId('query-fault').hasChildNodes()) return;
    showFault(null);
    asked = null;
  });
  byId('search').addEventListener('change', () => { if (wish() !== asked) searchSoon(); }); // a field whose text was searched for fires this when it is left
  byId('search-form').addEventListener('toggle', () => {
    fillPatterns().catch(() => {});
    if (hasDatabase) fillCollections().catch(() => {});
  });
  byId('search-clear').addEventListener('click', () => {
    for (const name of FIELDS) byId(`search-${name}`).value = '';
    query.value = '';
    byId('only-here').checked = false;
    drawing.read();
    search();
  });
  byId('game-back').addEventListener('click', () => openGame(current - 1));
  byId('game-on').addEventListener('click', () => openGame(current + 1));
  /** A list of games with a position stays while the user steps through them; a note says that it is another position's. */
  function drawStale() {
    const isOther = source instanceof Found && Boolean(source.parameters.fen) && source.parameters.fen !== doc.view?.fen;
    byId('search-again').hidden = !isOther;
    isStale ||= isOther;
  }
  byId('search-again').addEventListener('click', () => search());
  doc.addEventListener('change', drawStale);

  function drawSources() {
    const select2 = byId('games-source');
    select2.replaceChildren(...(hasDatabase ? [h('option', { value: 'database' }, server.database)] : []),
      ...(file ? [h('option', { value: 'file' }, file.name)] : []));
    select2.hidden = !(hasDatabase && file);
    select2.previousElementSibling.hidden = select2.hidden;
    byId('no-games').hidden = hasDatabase || Boolean(file);
    byId('search').hidden = !hasDatabase && !file;
    drawKind();
  }

  /** A file is only filtered by words. */
  function drawKind() {
    const isFile = byId('games-source').value === 'file';
    byId('search-form').parentNode.hidden = isFile;
    byId('only-here').parentNode.hidden = isFile;
    byId('query-hint').hidden = isFile;
    query.placeholder = isFile ? 'Filter by name, event, year' : 'Players or a query';
  }
  byId('games-source').addEventListener('change', () => {
    query.value = ''; // words for a file are not a query
    drawKind();
  });
  drawSources();
  readAddress();
  address.addEventListener('change', () => {
    readAddress();
    isStale = true;
    if (isOpen() && hasDatabase && byId('games-source').value === 'database') search();
  });
  onReturn(() => { if (isOpen() && hasDatabase) search(); });
  byId('report-box').hidden = !hasDatabase;
  reportPanel();
  if (hasDatabase) {
    suggestPlayers(query, { isQuery: true, isOn: () => byId('games-source').value === 'database' });
    for (const id of ['search-player', 'search-white', 'search-black', 'report-player']) suggestPlayers(byId(id));
  }

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
      const redraw = () => {
        if (source !== mine || byId('games-source').value !== 'file') return;
        list.hidden = byId('games-order').hidden = !count();
        drawCount();
        table.more();
      };
      mine.addEventListener('more', redraw);
      const reading = mine.read(() => file === mine);
      source = mine;
      await search();
      await reading;
    },
    /** All games with the position on the board. */
    async searchHere() {
      byId('games-source').value = 'database';
      drawKind();
      byId('only-here').checked = true;
      select('panel-games');
      await search();
    },
    /** The games of a query, such as those that a number in the explorer counts. */
    async searchFor(text) {
      byId('games-source').value = 'database';
      drawKind();
      for (const name of FIELDS) byId(`search-${name}`).value = '';
      byId('only-here').checked = false;
      query.value = text;
      drawing.read();
      isStale = false;
      select('panel-games');
      await search({ isAsked: true });
    },
    fillCollections,
    /** The database has changed: the list, and the names of collections. */
    async refresh() {
      await fillCollections().catch(() => {});
      isStale = true;
      if (isOpen() && byId('games-source').value === 'database') await search();
    },
    /** Names of openings have come. */
    redraw: () => table.draw(),
    onSelect: (act) => table.addEventListener('select', act),
    /** How many games were found in the database, and the conditions for them; null for games of a file. */
    found: () => (source instanceof Found && source.isCounted && source.count ? { count: source.count, parameters: source.parameters } : null),
    selected: () => (source instanceof Found ? table.selected.map(({ id }) => id) : []),
    /** The collection that is searched in; "" for none. */
    collection: () => byId('search-collection').value,
    step: (n) => openGame(current + n),
    show: (isNow) => {
      if (isSmall.matches && isNow) byId('side-tabs').scrollIntoView({ block: 'start' });
      else if (isSmall.matches && isShown) scrollTo(0, 0); // back to the board
      isShown = isNow;
      if (isOpen() && isStale && hasDatabase && byId('games-source').value === 'database') search();
    },
    focus: () => {
      select('panel-games');
      query.focus();
    },
  };
}
