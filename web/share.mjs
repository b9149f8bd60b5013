/*
 * share.mjs - the game in an address.
 *
 *     #game=ID[&at=N]                 a game of the database, as it is there
 *     #p=POSITION&m=MOVES[&at=N]      base64 position of the start and base64 moves, both with the URL-safe digits
 *     #pgn=GAME[&at=N]                where those cannot hold it: tags, comments, variations, other promotions, Chess960
 *     #fen=FEN                        a board that cannot be played on and that base64 cannot hold
 *
 * `side=black` has Black below. `at` is the place in the game: half-moves of the line, or moves in the order of PGN; without it, the
 * end. What else the address holds is in state.mjs.
 */
import { URL_SAFE } from './tabiya.mjs';

function encodeBoard(board) {
  try {
    const text = board.write('base64url');
    if (board.equals(board.clone().read(text, 'base64url'))) return `p=${text}`;
  } catch { /* shown in another way */ }
  return `fen=${encodeURIComponent(board.write('fen'))}`;
}

/** A plain game without tags, whose result follows from the rules, as base64; null if that loses something. */
function encodePlain(doc) {
  const { list, game, tabiya, view } = doc;
  if (!list.plain || list.chess960 || Object.keys(list.tags).length) return null;
  try {
    const board = doc.start.write('base64url');
    const end = game.mainLineEnd();
    const moves = game.writeLine(end, 'base64-moves', URL_SAFE);
    const copy = decodePlain(tabiya, board, moves);
    if (!copy.equals(game)) return null;
    const at = view.path.length;
    return `p=${board}${moves ? `&m=${moves}` : ''}${at < list.moves.length ? `&at=${at}` : ''}`;
  } catch {
    return null;
  }
}

function decodePlain(tabiya, board, moves) {
  const game = tabiya.game();
  game.setStart(tabiya.board(board, 'base64url'));
  game.readLine(0, moves, 'base64-moves');
  return game;
}

/** The place in the order of PGN. */
const placeOf = (doc) => doc.list.moves.findIndex((item) => item.node === doc.node) + 1;

const encodePgn = (doc) => `pgn=${encodeURIComponent(doc.game.write('pgn').trim())}&at=${placeOf(doc)}`;

/** The fragment for what the document holds, without its #. */
export function encode(doc, below = 'white') {
  const fragment = doc.origin ? `game=${doc.origin.id}&at=${placeOf(doc)}`
    : doc.board ? encodeBoard(doc.board) : encodePlain(doc) ?? encodePgn(doc);
  return below === 'black' ? `${fragment}&side=black` : fragment;
}

/** Does a fragment, or a whole address, hold a game or a position? */
export const isGameLink = (text) => /^\S*#(p|pgn|fen|game)=\S*$/.test(text);

/** The parts of a fragment by name. */
export function partsOf(fragment) {
  return new Map(fragment.split('&').map((part) => {
    const [name, ...value] = part.split('=');
    return [name, decodeURIComponent(value.join('='))];
  }));
}

/**
 * Loads a fragment into the document; throws if it cannot be read. Only a game of the database has to be waited for: the promise
 * says whether it is shown, or another was opened meanwhile.
 */
export function decode(doc, source, fragment, { isChange = false } = {}) {
  const { tabiya } = doc;
  const parts = partsOf(fragment);
  const show = (game, node, board = null, origin = null) => {
    if (!isChange) doc.load(game, node, board, origin);
    else if (board) doc.setBoard(board);
    else doc.setGame(game, () => node, 'open', origin);
  };
  const at = parts.has('at') ? Number(parts.get('at')) : null;
  if (parts.has('game')) {
    const id = Number(parts.get('game'));
    const isWanted = doc.want();
    return source.game(id).then((pgn) => {
      if (!isWanted()) return false;
      const game = tabiya.game(pgn);
      show(game, game.list().moves[(at ?? 0) - 1]?.node ?? 0, null, { id });
      return true;
    });
  }
  if (parts.has('pgn')) {
    const game = tabiya.game(parts.get('pgn'));
    return show(game, at === null ? game.mainLineEnd() : game.list().moves[at - 1]?.node ?? 0);
  }
  const board = parts.has('fen') ? tabiya.board(parts.get('fen')) : tabiya.board(parts.get('p') ?? '', 'base64url');
  if (!board.describe().playable) return show(tabiya.game(), 0, board);
  const game = tabiya.game();
  game.setStart(board);
  const end = game.readLine(0, parts.get('m') ?? '', 'base64-moves');
  return show(game, at === null ? end : game.view(0).line[at - 1] ?? 0);
}
