/*
 * share.mjs - the position and the game in the address, so that a link restores them.
 *
 *     #p=POSITION&m=MOVES[&at=N]      base64 position of the start and base64 moves, both with the URL-safe digits
 *     #pgn=GAME[&at=N]                where those cannot hold it: tags, comments, variations, other promotions, Chess960
 *     #fen=FEN                        a board that cannot be played on and that base64 cannot hold
 *
 * `side=black` has Black below. `at` is the place in the game: half-moves of the line, or moves in the order of PGN; without it, the end. A change adds
 * a step to the browser's history; stepping through the game does not.
 */
import { URL_SAFE } from './tabiya.mjs';
import { debounce } from './dom.mjs';

function encodeBoard(board) {
  try {
    const text = board.write('base64url');
    if (board.equals(board.clone().read(text, 'base64url'))) return `p=${text}`;
  } catch { /* told in another way */ }
  return `fen=${encodeURIComponent(board.write('fen'))}`;
}

/** A plain game without tags, whose result the rules tell, as base64; null if that loses something. */
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

function encodePgn(doc) {
  const at = doc.list.moves.findIndex((item) => item.node === doc.node) + 1;
  return `pgn=${encodeURIComponent(doc.game.write('pgn').trim())}&at=${at}`;
}

/** The fragment for what the document holds, without its #. */
export function encode(doc, below = 'white') {
  const fragment = doc.board ? encodeBoard(doc.board) : encodePlain(doc) ?? encodePgn(doc);
  return below === 'black' ? `${fragment}&side=black` : fragment;
}

/** Does a fragment, or a whole address, hold a game or a position? */
export const isOwnLink = (text) => /^\S*#(p|pgn|fen)=\S*$/.test(text);

function partsOf(fragment) {
  return new Map(fragment.split('&').map((part) => {
    const [name, ...value] = part.split('=');
    return [name, decodeURIComponent(value.join('='))];
  }));
}

/** Loads a fragment into the document; throws if it cannot be read. */
export function decode(doc, fragment, { isChange = false } = {}) {
  const { tabiya } = doc;
  const parts = partsOf(fragment);
  const show = (game, node, board = null) => {
    if (!isChange) doc.load(game, node, board);
    else if (board) doc.setBoard(board);
    else doc.setGame(game, () => node, 'open');
  };
  const at = parts.has('at') ? Number(parts.get('at')) : null;
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

export function sharing(doc, look, onError) {
  let shown = location.hash.slice(1);
  let isStep = false; // has something changed since the address was written?
  const below = () => (look.turned === null || look.turned === 'mover' ? 'white' : look.turned);

  const write = debounce(() => {
    const fragment = encode(doc, below());
    if (fragment !== shown) history[isStep ? 'pushState' : 'replaceState'](null, '', `#${fragment}`);
    shown = fragment;
    isStep = false;
  }, 120);

  /** Other fragments, such as those of links inside the page, are left alone. */
  function read(isFirst) {
    const fragment = location.hash.slice(1);
    if (fragment && !isOwnLink(`#${fragment}`)) return;
    shown = fragment;
    try {
      if (fragment) {
        decode(doc, fragment);
        look.turn(partsOf(fragment).get('side') === 'black' ? 'black' : null);
      } else {
        doc.load(doc.tabiya.game(), 0);
      }
      if (isFirst) doc.forget();
    } catch (error) {
      onError(`The link cannot be read: ${error.message}`);
    }
  }

  doc.addEventListener('change', ({ detail }) => {
    if (detail.kind === 'load') return;
    isStep ||= detail.kind !== 'walk';
    write();
  });
  look.addEventListener('change', write);
  addEventListener('popstate', () => read(false));
  if (shown) read(true);
  return () => `${location.origin}${location.pathname}#${encode(doc, below())}`;
}
