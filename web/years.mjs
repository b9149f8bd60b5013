/*
 * years.mjs - how popular a position was over the years, and how White fared: a small chart, drawn when it is asked for.
 */
import { askOnce } from './api.mjs';
import { byId, h } from './dom.mjs';

const PARTS = 12; // spans of years at most
const FIRST = 1800; // older games share the first span

/** Spans of whole years that cover what the database has. */
function spans({ first_date: first, last_date: last }) {
  const from = Math.max(FIRST, Number(first?.slice(0, 4)) || FIRST);
  const to = Math.max(from, Number(last?.slice(0, 4)) || from);
  const width = Math.ceil((to - from + 1) / PARTS);
  const all = [];
  for (let year = from; year <= to; year += width) all.push([year, Math.min(to, year + width - 1)]);
  return all;
}

const name = ([from, to]) => (from === to ? String(from) : `${from}–${to}`);

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
    return h('div', { class: 'year-column', title: text, role: 'img', 'aria-label': text }, bar, h('small', { 'aria-hidden': 'true' }, `${span[0]}`));
  }));
}

/** What `path` ('lichess', 'player') counts in each span. */
export async function countYears(path, parameters, signal) {
  const counts = [];
  for (const span of spans(await askOnce('/info', {}, signal))) {
    const { white, draws, black } = await askOnce(path, { ...parameters, since: span[0], until: span[1], moves: 0, recentGames: 0 }, signal);
    counts.push({ span, white, draws, black, games: white + draws + black });
  }
  return counts;
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
      const { since, until, ...parameters } = wanted; // the spans say the years
      place.replaceChildren(yearBars(await countYears('lichess', { ...parameters, topGames: 0 }, signal)));
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
