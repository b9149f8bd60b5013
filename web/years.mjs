/*
 * years.mjs - results over the years: spans of years for a chart, without the few games whose dates are far from all others.
 */
import { columnChart } from './charts.mjs';
import { counted, t } from './texts.mjs';

const PARTS = 12; // at most this many spans of years
const FEW = 0.02; // the share of the games at either end that may be outliers
const FEW_FAR = 0.1; // the same, if they are further from the other games than those are from each other

/**
 * The first year of [year, games] pairs, sorted, that is not an outlier: a wrong date, or one old game, would leave most spans
 * empty.
 */
function edge(counts) {
  const total = counts.reduce((sum, [, games]) => sum + games, 0);
  const last = counts.at(-1)[0];
  let before = 0;
  for (const [i, [year, games]] of counts.slice(0, -1).entries()) {
    before += games;
    const next = counts[i + 1][0];
    const isFar = Math.abs(next - year) > Math.max(PARTS, Math.abs(last - next));
    if (before > total * FEW && !(isFar && before <= total * FEW_FAR)) return year;
  }
  return last;
}

/** Spans of whole years, at most PARTS of them, that cover the years of [year, games] pairs; outliers are in the first or the last. */
function spans(counts) {
  const sorted = [...counts].sort(([a], [b]) => a - b);
  const [from, to] = [edge(sorted), edge([...sorted].reverse())].sort((a, b) => a - b);
  const width = Math.ceil((to - from + 1) / PARTS);
  const all = Array.from({ length: Math.ceil((to - from + 1) / width) }, (_, i) => [from + i * width, Math.min(to, from + (i + 1) * width - 1)]);
  if (sorted[0][0] < from) all[0][0] = -Infinity;
  if (sorted.at(-1)[0] > to) all.at(-1)[1] = Infinity;
  return all;
}

const nameOf = ([from, to]) => (from === -Infinity ? t('years.until', { year: to }) : to === Infinity ? t('years.since', { year: from }) : from === to ? String(from) : `${from}–${to}`);

/** The columns of a chart: their heights are the numbers of games, their parts the results. `onPick(span)` lists the games of a span. */
export function yearBars(counts, onPick = null) {
  return columnChart(counts.map(({ span, games, white, draws, black }) => {
    const column = t('years.column', { span: nameOf(span), games: counted('games.count', games) });
    return { short: String(span[0] === -Infinity ? span[1] : span[0]), white, draws, black, text: games ? t('years.scored', { column, score: Math.round((100 * (white + draws / 2)) / games) }) : column };
  }), { label: t('player.years'), onPick: onPick && ((i) => onPick(counts[i].span)) });
}

/** A history by months, as /lichess and /player give it, by spans of years. */
export function countYears(history) {
  const months = history.map((month) => ({ ...month, year: Number(month.month.slice(0, 4)) }));
  if (!months.length) return [];
  const games = new Map();
  for (const { year, white, draws, black } of months) games.set(year, (games.get(year) ?? 0) + white + draws + black);
  return spans([...games]).map((span) => {
    const counts = { span, white: 0, draws: 0, black: 0 };
    for (const month of months.filter(({ year }) => year >= span[0] && year <= span[1]))
      for (const kind of ['white', 'draws', 'black']) counts[kind] += month[kind];
    return { ...counts, games: counts.white + counts.draws + counts.black };
  });
}
