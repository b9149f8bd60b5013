/*
 * years.mjs - how often a position was played over the years, and how White fared: a small chart, drawn on request.
 */
import { askOnce } from './api.mjs';
import { byId, h } from './dom.mjs';

const PARTS = 12; // spans of years at most
const FIRST = 1800; // older games share the first span

/** Spans of whole years, at most PARTS of them, that cover these years. Years before FIRST are in the first span. */
function spans(years) {
  const first = Math.min(...years);
  const from = Math.max(FIRST, first);
  const to = Math.max(from, ...years);
  const width = Math.ceil((to - from + 1) / PARTS);
  const all = Array.from({ length: Math.ceil((to - from + 1) / width) }, (_, i) => [from + i * width, Math.min(to, from + (i + 1) * width - 1)]);
  if (first < from) all[0][0] = -Infinity;
  return all;
}

const name = ([from, to]) => (from === -Infinity ? `until ${to}` : from === to ? String(from) : `${from}–${to}`);

/** A bar for each span: its height is the number of games, its parts the results. */
export function yearBars(counts) {
  const most = Math.max(1, ...counts.map(({ games }) => games));
  return h('div', { class: 'years' }, ...counts.map(({ span, games, white, draws, black }) => {
    const score = games ? `, White scored ${Math.round((100 * (white + draws / 2)) / games)}%` : '';
    const bar = h('div', { class: 'year-bar' }, ...[['black', black], ['draw', draws], ['white', white]].filter(([, n]) => n).map(([kind, n]) => {
      const part = h('span', { class: kind });
      part.style.setProperty('--share', n);
      return part;
    }));
    bar.style.setProperty('--height', games / most);
    const text = `${name(span)}: ${games.toLocaleString('en')} games${score}`;
    return h('div', { class: 'year-column', title: text, role: 'img', 'aria-label': text }, bar, h('small', { 'aria-hidden': 'true' }, String(span[0] === -Infinity ? span[1] : span[0])));
  }));
}

/** A history by months, as /lichess and /player give it, by spans of years. */
export function countYears(history) {
  const months = history.map((month) => ({ ...month, year: Number(month.month.slice(0, 4)) }));
  if (!months.length) return [];
  return spans(months.map(({ year }) => year)).map((span) => {
    const counts = { span, white: 0, draws: 0, black: 0 };
    for (const month of months.filter(({ year }) => year >= span[0] && year <= span[1]))
      for (const kind of ['white', 'draws', 'black']) counts[kind] += month[kind];
    return { ...counts, games: counts.white + counts.draws + counts.black };
  });
}

export function yearsChart() {
  const box = byId('years');
  const place = byId('years-chart');
  let wanted = null;
  let stop = new AbortController();

  async function draw() {
    stop.abort();
    stop = new AbortController();
    if (!box.open || !wanted) return;
    const { signal } = stop;
    place.setAttribute('aria-busy', 'true');
    try {
      const { history } = await askOnce('lichess', { ...wanted, history: true, moves: 0, topGames: 0, recentGames: 0 }, signal);
      place.replaceChildren(history.length ? yearBars(countYears(history)) : 'No game here has a date.');
    } catch (error) {
      if (error.name === 'AbortError') return;
      place.textContent = error.message;
    }
    place.setAttribute('aria-busy', 'false');
  }
  box.addEventListener('toggle', draw);
  return {
    draw(parameters) {
      wanted = parameters;
      draw();
    },
  };
}
