/*
 * person.mjs - what the games of a database say about a player: score, ratings, years, opponents, and openings that go badly.
 *
 * Names are taken in any spelling; the library resolves them. The numbers are those of its report, over all games; ratings, openings that
 * go badly, the longest and the shortest game are found among the newest games, up to MOST with each colour.
 */
import { groups, seenFrom } from './tally.mjs';

const PAGE = 1000; // games of a request, the most that the server sends
const MOST = 3000;
const LEAST = 20; // games of an opening that can be judged
const OPPONENTS = 8;
const SURE = 1.96; // standard deviations: beyond chance with 95%

/** The condition for a player's games with a colour, or with either: `player`. */
export const personFact = (tabiya, name, side = 'player') => `${side} ${tabiya.quotePerson(name)}`;

async function gamesOf(source, q, side, signal) {
  const all = [];
  for (let offset = 0; offset < MOST; offset += PAGE) {
    const { games, more } = await source.find({ q, sort: '-date', limit: PAGE, offset }, signal);
    all.push(...seenFrom(games, side));
    if (!more) break;
  }
  return all;
}

/** The openings in which the player scores less than with the colour in general, by more than chance explains. */
function strugglesOf(games) {
  return ['white', 'black'].flatMap((side) => {
    const mine = games.filter((game) => game.side === side && game.points !== undefined);
    const usual = mine.reduce((sum, game) => sum + game.points, 0) / (mine.length || 1);
    return groups(mine, ({ eco }) => (eco && eco !== '?' ? eco : null)).filter((group) => group.games.length >= LEAST).map(({ key, games: some }) => {
      const mean = some.reduce((sum, game) => sum + game.points, 0) / some.length;
      const spread = Math.sqrt(some.reduce((sum, game) => sum + (game.points - mean) ** 2, 0) / some.length / some.length);
      return { side, eco: key, games: some.length, score: 100 * mean, expected: 100 * usual, isSure: usual - mean > SURE * Math.max(spread, 0.02) };
    }).filter(({ isSure }) => isSure);
  }).sort((a, b) => (b.expected - b.score) * Math.sqrt(b.games) - (a.expected - a.score) * Math.sqrt(a.games)).slice(0, 5);
}

/** [{ x, y, text }]: the last rating of each quarter of a year. */
function ratingsOf(games) {
  const quarters = new Map();
  for (const { date, elo } of games) {
    const [year, month = '06'] = (date ?? '').split('-');
    if (!elo || !/^\d{4}$/.test(year)) continue;
    const at = Number(year) + Math.floor((Number(month) - 1) / 3) / 4;
    if (!quarters.has(at)) quarters.set(at, { x: at, y: elo, text: `${elo}, ${year}-${month}` }); // the newest comes first
  }
  return [...quarters.values()].sort((a, b) => a.x - b.x);
}

const isDecisive = ({ points: n }) => n === 0 || n === 1;

/**
 * Whose games these are: { name, report, others }. A family name alone may be that of several people; then the one with most games is
 * meant, and `others` are the names of the rest.
 */
async function resolved(source, name, signal) {
  const report = await source.report({ player: name, limit: OPPONENTS }, signal);
  const names = report.names.map(({ key }) => key);
  const isFamily = !/[\s,]/.test(name.trim());
  if (names.length < 2 || !isFamily || names.includes(name)) return { name: names.includes(name) ? name : names[0] ?? name, report, others: [] };
  const own = await source.report({ player: names[0], limit: OPPONENTS }, signal);
  const mine = new Set(own.names.map(({ key }) => key));
  return { name: names[0], report: own, others: report.names.filter(({ key }) => !mine.has(key)).map(({ key, games }) => ({ name: key, games })) };
}

const noGames = { games: 0 };

/** Everything about a player; null if there are no games. */
export async function personOf(tabiya, source, wanted, signal) {
  const { name, report, others } = await resolved(source, wanted, signal);
  if (!report.games) return null;
  const sides = await Promise.all(['white', 'black'].map((side) => gamesOf(source, personFact(tabiya, name, side), side, signal)));
  const games = sides.flat().sort((a, b) => ((b.date ?? '') < (a.date ?? '') ? -1 : 1));
  const lengths = games.filter(({ plies }) => plies > 0);
  const [white, black] = ['white', 'black'].map((side) => report.colors.find(({ key }) => key === side) ?? noGames);
  const years = report.years.map(({ key }) => Number(key)).filter(Boolean);
  return { name, others, games, all: report, white, black, names: report.names.map(({ key }) => key), years: years.length ? [Math.min(...years), Math.max(...years)] : null,
    ratings: ratingsOf(games), opponents: report.opponents.map((one) => ({ ...one, name: one.key })),
    struggles: strugglesOf(games), length: lengths.length ? Math.round(lengths.reduce((sum, { plies }) => sum + plies, 0) / lengths.length / 2) : null,
    longest: lengths.reduce((a, b) => (b.plies > (a?.plies ?? 0) ? b : a), null),
    shortest: lengths.filter(isDecisive).reduce((a, b) => (b.plies < (a?.plies ?? Infinity) ? b : a), null),
    history: report.years.filter(({ key }) => Number(key)).map(({ key, won, drawn, lost }) => ({ month: `${key}-01`, white: won, draws: drawn, black: lost })) };
}
