/*
 * report.mjs - a player's report: scores by colour, by first moves and over the years, as bars.
 */
import { askJson, askOnce } from './api.mjs';
import { byId, h } from './dom.mjs';
import { bar } from './explorer.mjs';
import { countYears, yearBars } from './years.mjs';

const LINES = 6;

const total = ({ white, draws, black }) => white + draws + black;
const asBar = ({ white, draws, black }) => bar({ white, draw: draws, black });

/** As a percentage of the points, from the player's side. */
function score(part, color) {
  const wins = color === 'white' ? part.white : part.black;
  const games = total(part);
  return games ? `${Math.round((100 * (wins + part.draws / 2)) / games)}%` : '';
}

const row = (name, part, color) => h('tr', {}, h('th', { scope: 'row' }, name), h('td', { class: 'count' }, total(part).toLocaleString('en')),
  h('td', { class: 'count' }, score(part, color)), h('td', {}, asBar(part)));

const table = (caption, rows) => h('table', { class: 'report' }, h('caption', {}, caption), h('thead', {}, h('tr', {}, ...['', 'Games', 'Score', 'Results']
  .map((text) => (text ? h('th', { scope: 'col' }, text) : h('td'))))), h('tbody', {}, ...rows));

async function part(player, color, signal) {
  const answer = await askOnce('player', { player, color, moves: LINES, recentGames: 0, history: true }, signal);
  if (!total(answer)) return [];
  const side = color === 'white' ? 'White' : 'Black';
  return [table(`As ${side}`, [row('all', answer, color), ...answer.moves.map((move) => row(`1. ${move.san}`, move, color))]),
    yearBars(countYears(answer.history))];
}

/** Names in the database that resemble one that no game has. */
async function similarNames(player, signal) {
  const { near } = await askJson('/find', { player, limit: 1 }, signal);
  return near ?? [];
}

export function reportPanel() {
  const box = byId('report');
  let stop = new AbortController();
  byId('report-form').addEventListener('submit', async (event) => {
    event.preventDefault();
    stop.abort();
    stop = new AbortController();
    const { signal } = stop;
    const player = byId('report-player').value.trim();
    if (!player) return;
    box.setAttribute('aria-busy', 'true');
    try {
      const parts = [...await part(player, 'white', signal), ...await part(player, 'black', signal)];
      const names = parts.length ? [] : await similarNames(player, signal);
      const choose = (name) => () => {
        byId('report-player').value = name;
        byId('report-form').requestSubmit();
      };
      box.replaceChildren(...(parts.length ? parts : [h('p', { class: 'hint' }, `No games of “${player}”${names.length ? '; names like it:' : ''}`),
        h('div', { class: 'line' }, ...names.map((name) => h('button', { type: 'button', onclick: choose(name) }, name)))]));
    } catch (error) {
      if (error.name === 'AbortError') return;
      box.replaceChildren(h('p', { class: 'hint' }, error.message));
    }
    box.setAttribute('aria-busy', 'false');
  });
}
