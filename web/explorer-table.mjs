/*
 * explorer-table.mjs - the explorer's table: a row for each move, with its games, results, rating and last year.
 */
import { byId, h } from './dom.mjs';
import { shownMove } from './letters.mjs';
import { decimal, number, shortNumber, t } from './texts.mjs';

const MISSING = 5; // how many moves to show that occur only outside the filtered games

/** White, draw, black as parts of a bar with their percentages. */
export function bar({ white, draw, black }) {
  const known = white + draw + black;
  const part = (name, count) => {
    const percent = (100 * count) / known;
    const element = h('span', { class: name, title: t(`explorer.${name}`, { n: number(count) }) }, h('i', {}, `${Math.round(percent)}%`));
    element.style.setProperty('--share', count);
    return element;
  };
  const label = known ? t('explorer.results', { white, draw, black }) : t('explorer.no-results');
  const parts = known ? [part('white', white), part('draw', draw), part('black', black)].filter((_, i) => [white, draw, black][i]) : [];
  return h('div', { class: 'bar', role: 'img', 'aria-label': label }, ...parts);
}

/** A number of games; `list` shows these games in the table. */
export const countCell = (n, list, ...more) => h('td', { class: 'count', title: number(n), 'data-count': n },
  list ? h('button', { type: 'button', class: 'number', title: t('explorer.list', { n: number(n) }), onclick: list }, shortNumber(n)) : shortNumber(n), ...more);

/** A part of a hundred: "12%", "3.4%", and never "0.0%" of something that was played. */
export const shareText = (share) => (share > 0 && share < 0.05 ? `<${decimal(0.1)}%` : `${decimal(share, share < 9.95 ? 1 : 0)}%`);

const shareOf = (part, whole) => h('small', {}, shareText((100 * part.games) / whole.games));

/**
 * `shown` is { answer, all, earlier } of a position. `hands` has what the rows do: play(event, move), point(move, isOn), press(move), and
 * list(move, facts), which answers a function that lists the games, or null. `filter` says which games count.
 */
export function drawTable(shown, filter, hands) {
  const { answer, all, earlier } = shown;
  const { games, ended, moves } = answer;
  const table = byId('explorer-table');

  /** A move that none of the games had before the date. */
  function newBadge(move) {
    if (!earlier || !move.games || earlier.moves.some(({ uci }) => uci === move.uci)) return null;
    const onclick = hands.list(move, `${filter.listText} date ${filter.newSince}..`.trim());
    return h(onclick ? 'button' : 'span', { ...(onclick ? { type: 'button', onclick } : {}), class: 'badge', title: t('explorer.new', { date: filter.newSince }) }, t('explorer.new-badge'));
  }

  /** The same move in all games. */
  function besideCells(move) {
    if (!all) return [];
    const other = move ? all.moves.find(({ uci }) => uci === move.uci) : all;
    if (!other) return [h('td', { class: 'count' }), h('td', { class: 'wide' })];
    return [countCell(other.games, hands.list(move, ''), move ? shareOf(other, all) : h('small')), h('td', { class: 'wide' }, bar(other))];
  }

  function row(move) {
    const point = (isOn) => () => hands.point(move, isOn);
    return h('tr', { class: move.games ? 'row' : 'row none', onclick: (event) => hands.play(event, move), onpointerdown: () => hands.press(move), onmouseenter: point(true), onmouseleave: point(false),
      title: move.games ? (move.reached === null ? null : t('explorer.reached', { n: number(move.reached), move: move.san })) : t('explorer.not-played'), 'data-reached': move.reached },
    h('th', { scope: 'row' }, h('button', { type: 'button', class: 'move', 'data-uci': move.uci, onfocus: point(true), onblur: point(false) }, shownMove(move.san)), newBadge(move)),
    countCell(move.games, move.games ? hands.list(move, filter.listText) : null, move.games ? shareOf(move, answer) : h('small')),
    h('td', {}, move.games ? bar(move) : null),
    h('td', { class: 'count elo' }, move.elo ? String(Math.round(move.elo)) : ''),
    h('td', { class: 'count year' }, move.last ? move.last.slice(0, 4) : ''), ...besideCells(move));
  }

  /** The moves of the games that count, then the most played ones that they do not have. */
  const missing = (all?.moves ?? []).filter(({ uci }) => !moves.some((move) => move.uci === uci)).slice(0, MISSING)
    .map((move) => ({ ...move, games: 0, elo: null, last: null, reached: null }));
  const blank = () => [h('td', { class: 'elo' }), h('td', { class: 'year' })];
  const none = all ? [h('td'), h('td', { class: 'wide' })] : [];
  byId('explorer-moves').replaceChildren(...[...moves, ...missing].map(row), ...(ended ? [h('tr', {}, h('th', { scope: 'row' }, t('explorer.ended')),
    countCell(ended, null, h('small')), h('td'), ...blank(), ...none)] : []));
  byId('explorer-total').replaceChildren(h('th', { scope: 'row' }, t('all')), countCell(games, games ? hands.list(null, filter.listText) : null, h('small')),
    h('td', {}, games ? bar(answer) : null), ...blank(), ...besideCells(null));
  table.hidden = games === 0 && !all?.games;
  for (const head of table.querySelectorAll('thead .beside')) head.hidden = !all;
  table.classList.toggle('no-elo', !moves.some(({ elo }) => elo));
  table.classList.toggle('no-year', !moves.some(({ last }) => last));
  table.classList.toggle('both', Boolean(all));
}
