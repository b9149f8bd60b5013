/*
 * tally.mjs - counting a player's games: points from their side, groups, and the report of /api/report for sources that have no server.
 */
const POINTS = { white: { '1-0': 1, '0-1': 0, '1/2-1/2': 0.5 }, black: { '1-0': 0, '0-1': 1, '1/2-1/2': 0.5 } };
const OTHER = { white: 'black', black: 'white' };

/** Games as the player with `side` sees them: { side, name, elo, opponent, points }. */
export const seenFrom = (games, side) => games.map((game) => ({ ...game, side, name: game[side], elo: game[`${side}_elo`], opponent: game[OTHER[side]], points: POINTS[side][game.result] }));

/** [{ key, games }] by what a function says of a game, the largest first. */
export function groups(games, keyOf) {
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
function scoreOf(games) {
  const known = games.filter((game) => game.points !== undefined);
  const count = (n) => known.filter((game) => game.points === n).length;
  const sum = known.reduce((total, game) => total + game.points, 0);
  return { games: games.length, won: count(1), drawn: count(0.5), lost: count(0), score: known.length ? (100 * sum) / known.length : null };
}

/** The parts of a report that a player's page needs; the performance rating is left out. */
export function reportOf(games, limit) {
  const by = (keyOf) => groups(games, keyOf).map(({ key, games: some }) => ({ key, ...scoreOf(some) }));
  return { ...scoreOf(games), performance: null, colors: by(({ side }) => side), names: by(({ name }) => name), opponents: by(({ opponent }) => opponent).slice(0, limit),
    years: by(({ date }) => date?.slice(0, 4)).sort((a, b) => (a.key < b.key ? -1 : 1)) };
}
