/*
 * person.mjs - what the games of a database say about a player: score, ratings, years, opponents, and openings that go badly.
 *
 * Names are taken in any spelling (`white ~"..."` of the query language); the spellings that occur are listed. The newest games are
 * fetched, up to MOST with each colour, and counted here.
 */
const PAGE = 1000; // games of a request, the most that the server sends
const MOST = 3000;
const LEAST = 20; // games of an opening that can be judged
const SURE = 1.96; // standard deviations: beyond chance with 95%

const points = { white: { '1-0': 1, '0-1': 0, '1/2-1/2': 0.5 }, black: { '1-0': 0, '0-1': 1, '1/2-1/2': 0.5 } };
const OTHER = { white: 'black', black: 'white' };

/** The condition for a player's games with a colour, or with either: `player`. */
export const personFact = (name, side = 'player') => `${side} ~"${name.replace(/["\\]/g, '\\$&')}"`;

async function gamesOf(source, name, side, signal) {
  const all = [];
  for (let offset = 0; offset < MOST; offset += PAGE) {
    const { games, more } = await source.find({ q: personFact(name, side), sort: '-date', limit: PAGE, offset }, signal);
    all.push(...games.map((game) => ({ ...game, side, name: game[side], elo: game[`${side}_elo`], opponent: game[OTHER[side]], points: points[side][game.result] })));
    if (!more) break;
  }
  return all;
}

function groups(games, keyOf) {
  const all = new Map();
  for (const game of games) {
    const key = keyOf(game);
    if (!key) continue;
    if (!all.has(key)) all.set(key, []);
    all.get(key).push(game);
  }
  return [...all].map(([key, members]) => ({ key, games: members })).sort((a, b) => b.games.length - a.games.length);
}

/** { games, won, drawn, lost, score } with the score in percent, of the games that have a result. */
export function scoreOf(games) {
  const known = games.filter((game) => game.points !== undefined);
  const count = (n) => known.filter((game) => game.points === n).length;
  const sum = known.reduce((total, game) => total + game.points, 0);
  return { games: games.length, won: count(1), drawn: count(0.5), lost: count(0), score: known.length ? (100 * sum) / known.length : null };
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

/** Everything about a player; null if there are no games. */
export async function personOf(source, name, signal) {
  const sides = await Promise.all(['white', 'black'].map((side) => gamesOf(source, name, side, signal)));
  const games = sides.flat().sort((a, b) => ((b.date ?? '') < (a.date ?? '') ? -1 : 1));
  if (!games.length) return null;
  const years = games.map(({ date }) => Number(date?.slice(0, 4))).filter(Boolean);
  const lengths = games.filter(({ plies }) => plies > 0);
  return { name, games, all: scoreOf(games), white: scoreOf(sides[0]), black: scoreOf(sides[1]), isCut: sides.some((side) => side.length >= MOST),
    names: groups(games, (game) => game.name).map(({ key }) => key), years: years.length ? [Math.min(...years), Math.max(...years)] : null,
    ratings: ratingsOf(games), opponents: groups(games, ({ opponent }) => opponent).slice(0, 8).map(({ key, games: some }) => ({ name: key, ...scoreOf(some) })),
    struggles: strugglesOf(games), length: lengths.length ? Math.round(lengths.reduce((sum, { plies }) => sum + plies, 0) / lengths.length / 2) : null,
    longest: lengths.reduce((a, b) => (b.plies > (a?.plies ?? 0) ? b : a), null),
    shortest: lengths.filter(isDecisive).reduce((a, b) => (b.plies < (a?.plies ?? Infinity) ? b : a), null),
    history: games.filter(({ date, points: n }) => date && n !== undefined).map(({ date, points: n }) => ({ month: date.slice(0, 7), white: Number(n === 1), draws: Number(n === 0.5), black: Number(n === 0) })) };
}
