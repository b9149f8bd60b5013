/*
 * query-address.mjs - positions and games in the query of the address, as other programs and people write links.
 *
 *     ?fen=FEN        a position; underscores are blanks           ?moves=1.e4+e5      moves in any notation, also after a position
 *     ?b64pos=TEXT    a position in base64                         ?b64moves=TEXT      moves in base64
 *     ?pgn=GAME       a game                                       &side=black         Black below, &ply=N stands after N half-moves
 */
import { t } from './texts.mjs';

/** The first of several readings that works, or the error of the first. */
function firstOf(readings) {
  let fault = null;
  for (const read of readings)
    try {
      return read();
    } catch (error) {
      fault ??= error;
    }
  throw fault;
}

function boardOf(tabiya, parts) {
  if (parts.has('fen')) return tabiya.board(parts.get('fen').replaceAll('_', ' ').trim());
  if (parts.has('b64pos')) return firstOf(['base64url', 'base64'].map((name) => () => tabiya.board(parts.get('b64pos').trim().replaceAll(' ', '+'), name)));
  return null;
}

/** Moves in any notation: of those that read the text, the first that finds moves in it. */
function playMoves(tabiya, start, text, notations) {
  return firstOf(notations.map((name) => () => {
    const game = tabiya.game();
    if (start) game.setStart(start);
    const node = game.readLine(0, text, name);
    if (!node && text.trim()) throw new Error(t('open.part-moves', { text }));
    return { game, node };
  }));
}

/** Does a query have a position or a game? */
export const isGameQuery = (search) => ['fen', 'pgn', 'b64pos', 'b64moves', 'moves'].some((name) => new URLSearchParams(search).has(name));

/** What a query has: { game, node, board, side }, the board only if it cannot be played on. Throws an error that names the part. */
export function readQuery(tabiya, search) {
  const parts = new URLSearchParams(search);
  let reading = '';
  const named = (name, read) => { reading = name; return read(); };
  try {
    const side = parts.get('side') === 'black' ? 'black' : null;
    let board = null;
    let found;
    if (parts.has('pgn')) {
      found = named('pgn', () => { const game = tabiya.game(parts.get('pgn')); return { game, node: game.mainLineEnd() }; });
    } else {
      board = named(parts.has('fen') ? 'fen' : 'b64pos', () => boardOf(tabiya, parts));
      if (board && !board.describe().playable) return { game: tabiya.game(), node: 0, board, side };
      const moves = ['moves', 'b64moves'].find((name) => parts.has(name));
      const notations = moves === 'moves' ? tabiya.notations.moves.map(({ name }) => name) : ['base64-moves'];
      found = named(moves, () => playMoves(tabiya, board, moves ? parts.get(moves).replaceAll(moves === 'moves' ? '_' : ' ', moves === 'moves' ? ' ' : '+') : '', notations));
    }
    const ply = parts.has('ply') ? Number(parts.get('ply')) : NaN;
    return { game: found.game, node: ply >= 0 ? found.game.view(0).line[ply - 1] ?? 0 : found.node, board: null, side };
  } catch (error) {
    throw new Error(t('open.bad-part', { part: `?${reading}=`, why: error.message }), { cause: error });
  }
}
