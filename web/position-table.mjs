/*
 * position-table.mjs - the table of a position, counted from packed games: those of published files, or of a file that is open.
 */

/**
 * As /api/explore: `games` are { row: { flags, elo, date }, moves }, moves packed; the lowest bits of the flags are 0 for no result, 1 for
 * White, 2 for Black, 3 for a draw. Dates are in any form that can be compared; `dateText` makes them texts.
 */
export function tableOf(board, games, dateText) {
  const side = board.describe().side === 'white' ? 0 : 1;
  const none = () => ({ games: 0, white: 0, draw: 0, black: 0, unknown: 0 });
  const [total, moves] = [{ ...none(), ended: 0 }, new Map()];
  const add = (to, { flags }) => { to.games++; to[['unknown', 'white', 'black', 'draw'][flags & 3]]++; };
  for (const { row, moves: packed } of games) {
    const place = board.findIn(packed);
    if (!place) continue;
    add(total, row);
    if (!place.next) { total.ended++; continue; }
    if (!moves.has(place.next)) moves.set(place.next, { ...none(), reached: null, rated: 0, ratings: 0, date: row.date });
    const move = moves.get(place.next);
    add(move, row);
    if (row.date > move.date) move.date = row.date;
    if (row.elo[side]) { move.rated++; move.ratings += row.elo[side]; }
  }
  const legal = board.moves();
  const list = [...moves].map(([uci, { rated, ratings, date, ...move }]) => ({ san: legal.find((other) => other.uci === uci)?.san ?? '--', uci, ...move,
    elo: rated ? Math.floor((ratings + Math.floor(rated / 2)) / rated) : null, last: dateText(date) }));
  const { games: n, ended, white, draw, black, unknown } = total;
  return { fen: board.write(), games: n, ended, white, draw, black, unknown, moves: list.sort((a, b) => b.games - a.games || (a.uci < b.uci ? -1 : 1)) };
}
