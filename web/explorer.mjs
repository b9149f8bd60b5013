/*
 * explorer.mjs - what the served database knows of the position: moves with their results, games, and the opening's name.
 *
 * The numbers are the server's; see docs/api.md. Without a database only the opening's name is asked for, and without the
 * server nothing.
 */
import { byId, debounce, h, toast } from './dom.mjs';

const GAMES_AT_ONCE = 20;
const number = new Intl.NumberFormat('en');

async function ask(path, parameters = {}, signal = undefined) {
  const query = new URLSearchParams(parameters).toString();
  const response = await fetch(`api${path}${query ? `?${query}` : ''}`, { signal });
  if (!response.ok) throw new Error((await response.json().catch(() => null))?.error ?? `the server answers ${response.status}`);
  return response;
}
const askJson = async (...args) => (await ask(...args)).json();

/** White, draw, black as parts of a bar with their percentages. */
function bar({ white, draw, black }) {
  const known = white + draw + black;
  const part = (name, count) => {
    const percent = (100 * count) / known;
    const element = h('span', { class: name, title: `${name} ${number.format(count)}` }, percent >= 25 ? `${Math.round(percent)}%` : '');
    element.style.setProperty('--share', count);
    return element;
  };
  const label = known ? `White ${white}, draw ${draw}, black ${black}` : 'No result is known';
  const parts = known ? [part('white', white), part('draw', draw), part('black', black)].filter((_, i) => [white, draw, black][i]) : [];
  return h('div', { class: 'bar', role: 'img', 'aria-label': label }, ...parts);
}

export async function explorerPanel(doc, panelIsOpen) {
  const opening = byId('opening');
  const openings = new Map(); // by FEN without counters
  const key = (fen) => fen.split(' ').slice(0, 4).join(' ');
  let server;
  try {
    server = await askJson('');
  } catch {
    return () => {};
  }
  const hasDatabase = server.database !== null;
  byId('tab-explorer').hidden = !hasDatabase;
  byId('explorer-source').textContent = hasDatabase ? server.database : '';
  let stop = new AbortController();
  let shown = null; // the FEN that the table is of

  // ---- The opening

  function drawOpening() {
    let name = openings.get(key(doc.view?.fen ?? '')) ?? null;
    for (const node of [...(doc.view?.path ?? [])].reverse()) {
      if (name) break;
      name = openings.get(key(doc.game.position(node).write())) ?? null;
    }
    const { ECO = '', Opening = '' } = doc.list.tags; // what the game says of itself
    opening.textContent = name ? `${name.eco}  ${name.name}` : [ECO, Opening].filter((text) => !/^\?*$/.test(text)).join('  ');
  }

  // ---- Moves

  function row(move) {
    const share = (100 * move.games) / shown.games;
    return h('tr', {},
      h('th', { scope: 'row' }, h('button', { type: 'button', class: 'move', 'data-uci': move.uci,
        onclick: () => doc.play(move.uci) }, move.san)),
      h('td', { class: 'count' }, number.format(move.games), h('small', {}, `${share.toFixed(share < 10 ? 1 : 0)}%`)),
      h('td', {}, bar(move)),
      h('td', { class: 'count', title: 'Games that reach the position behind the move, by any order of moves' }, number.format(move.reached)));
  }

  function drawMoves() {
    const { moves, games, ended } = shown;
    byId('explorer-moves').replaceChildren(...moves.map(row), ...(ended ? [h('tr', {}, h('th', { scope: 'row' }, 'ends'),
      h('td', { class: 'count' }, number.format(ended)), h('td'), h('td'))] : []));
    byId('explorer-total').replaceChildren(h('th', { scope: 'row' }, 'all'), h('td', { class: 'count' }, number.format(games)),
      h('td', {}, bar(shown)), h('td'));
    byId('explorer-table').hidden = games === 0;
    byId('explorer-hint').textContent = games ? '' : 'No game of the database comes to this position.';
  }

  // ---- Games

  async function openGame(id, ply) {
    const pgn = await (await ask('/game', { id })).text();
    doc.setGame(doc.tabiya.game(pgn), (game) => game.view(0).line[ply - 1] ?? 0);
    toast(`Game ${id} opened`);
  }

  const gameButton = (game) => h('li', {}, h('button', { type: 'button', 'data-game': game.id, onclick: () => openGame(game.id, game.ply) },
    h('span', { class: 'players' }, `${game.white ?? '?'} – ${game.black ?? '?'}`),
    h('span', { class: 'facts' }, [game.result, game.date, game.event, game.eco].filter((x) => x && x !== '?').join(' · '))));

  async function drawGames(offset = 0) {
    const list = byId('explorer-games');
    const { fen } = doc.view;
    const { games, more } = await askJson('/find', { fen, limit: GAMES_AT_ONCE, offset }, stop.signal);
    if (offset === 0) list.replaceChildren();
    list.append(...games.map(gameButton));
    byId('more-games').hidden = !more;
    byId('more-games').onclick = () => drawGames(offset + GAMES_AT_ONCE).catch(report);
    byId('explorer-games-title').hidden = list.children.length === 0;
  }

  const report = (error) => {
    if (error.name !== 'AbortError') byId('explorer-hint').textContent = error.message;
  };

  // ---- Following the document

  async function look() {
    stop.abort();
    stop = new AbortController();
    const { signal } = stop;
    drawOpening();
    if (doc.board) return;
    const { fen } = doc.view;
    const wantsTable = hasDatabase && panelIsOpen();
    if (wantsTable && shown?.fen !== fen) {
      const answer = await askJson('/explore', { fen }, signal);
      openings.set(key(fen), answer.eco ? { eco: answer.eco, name: answer.name } : null);
      shown = { ...answer, fen };
      drawMoves();
      byId('explorer-games').replaceChildren();
      byId('explorer-games-title').hidden = true;
      byId('more-games').hidden = true;
      if (answer.games) await drawGames();
    }
    if (!openings.has(key(fen))) openings.set(key(fen), (await askJson('/status', { fen, any: 1 }, signal)).opening);
    drawOpening();
  }
  const update = () => look().catch(report);
  doc.addEventListener('change', debounce(update, 100));
  update();
  return update;
}
