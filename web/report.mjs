/*
 * report.mjs - the panel of players: a short report on one of them, by colour, first moves and years, and the way to their page.
 */
import { byId, h } from './dom.mjs';
import { bar } from './explorer-table.mjs';
import { Latest } from './latest.mjs';
import { shownMove } from './letters.mjs';
import { personFact } from './person.mjs';
import { suggestPlayers } from './suggest.mjs';
import { number, t } from './texts.mjs';
import { countYears, yearBars } from './years.mjs';

const LINES = 6;
const NEWEST = 40; // games whose players are offered
const OFFERED = 12;
const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const isKnown = (text) => text && !/^[?-]*$/.test(text);

/** As a percentage of the points, from the player's side. */
function score({ white, draw, black }, color) {
  const games = white + draw + black;
  return games ? `${Math.round((100 * ((color === 'white' ? white : black) + draw / 2)) / games)}%` : '';
}

/** `state.setPerson` opens the page of a player; `searchFor(text)` lists games. */
export function reportPanel({ doc, source, state }, searchFor) {
  const box = byId('report');
  const field = byId('report-player');
  const latest = new Latest();

  const row = (name, part, color, query) => h('tr', { class: 'row' }, h('th', { scope: 'row' }, name),
    h('td', { class: 'count' }, h('button', { type: 'button', class: 'number', onclick: () => searchFor(query) }, number(part.games))),
    h('td', { class: 'count' }, score(part, color)), h('td', {}, bar(part)));

  const table = (caption, rows) => h('table', { class: 'report' }, h('caption', {}, caption), h('thead', {}, h('tr', {}, ...['', t('player.games-head'), t('player.score-head'), t('player.results-head')]
    .map((text) => (text ? h('th', { scope: 'col' }, text) : h('td'))))), h('tbody', {}, ...rows));

  function afterMove(uci) {
    const board = doc.tabiya.board(START);
    board.play(uci);
    return board.write();
  }

  async function part(player, color, signal) {
    const q = personFact(doc.tabiya, player, color);
    const [answer, history] = await Promise.all([source.explore({ fen: START, q }, signal), source.history({ fen: START, q }, signal)]);
    if (!answer.games) return [];
    return [table(t(`player.as-${color}`), [row(t('all'), answer, color, q), ...answer.moves.filter(({ uci }) => uci !== '0000').slice(0, LINES)
      .map((move) => row(`1. ${shownMove(move.san)}`, move, color, `fen "${afterMove(move.uci)}" ${q}`))]), yearBars(countYears(history), ([from, to]) => searchFor(`${q} date ${from === -Infinity ? '' : from}..${to === Infinity ? '' : to}`))];
  }

  function show(parts, near, player) {
    box.setAttribute('aria-busy', 'false');
    if (parts.length) {
      box.replaceChildren(h('div', { class: 'pane-head' }, h('h2', {}, player), h('span', { class: 'spring' }), h('button', { type: 'button', class: 'primary', id: 'report-page', onclick: () => state.setPerson(player) }, t('player.open'))), ...parts);
      return;
    }
    box.replaceChildren(h('p', { class: 'hint' }, t(near.length ? 'player.no-games-near' : 'player.no-games', { player })),
      h('div', { class: 'chips' }, ...near.map((name) => h('button', { type: 'button', class: 'chip', onclick: () => report(name) }, name))));
  }

  function report(player) {
    field.value = player;
    box.setAttribute('aria-busy', 'true');
    latest.run(async (signal) => {
      const parts = (await Promise.all(['white', 'black'].map((color) => part(player, color, signal)))).flat();
      return { parts, near: parts.length ? [] : await source.similar(player, signal) };
    }, ({ parts, near }) => show(parts, near, player), (error) => {
      box.setAttribute('aria-busy', 'false');
      box.replaceChildren(h('p', { class: 'hint' }, error.message, ' ', h('button', { type: 'button', onclick: () => report(player) }, t('again'))));
    });
  }

  /** The players of the open game are a click away. */
  function drawNames() {
    const { White, Black } = doc.list.tags;
    byId('report-names').replaceChildren(...[...new Set([White, Black])].filter(isKnown).map((name) => h('button', { type: 'button', class: 'chip', onclick: () => report(name) }, name)));
  }
  byId('report-form').addEventListener('submit', (event) => {
    event.preventDefault();
    if (field.value.trim()) report(field.value.trim());
  });
  suggestPlayers(field, source);

  /** Before anybody is looked up: who played the newest games. */
  function drawOffer() {
    if (box.hasChildNodes() || box.getAttribute('aria-busy') === 'true') return;
    latest.run((signal) => source.findOnce({ sort: '-date', limit: NEWEST }, signal), ({ games }) => {
      const names = [...new Set(games.flatMap(({ white, black }) => [white, black]))].filter(isKnown).slice(0, OFFERED);
      box.replaceChildren(...(names.length ? [h('h2', {}, t('player.newest')), h('ul', { class: 'rows' }, ...names.map((name) => h('li', {}, h('button', { type: 'button', onclick: () => state.setPerson(name) }, name))))] : []));
    }, () => {}); // there is the field
  }
  doc.addEventListener('change', ({ detail }) => { if (detail.kind !== 'walk') drawNames(); });
  drawNames();
  return { show: drawOffer };
}
