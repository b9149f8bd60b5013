/*
 * share.mjs - what the page shows in the address, so that a link, a reload and Back restore it.
 *
 *     #game=ID[&at=N]                 a game of the database, as it is there
 *     #p=POSITION&m=MOVES[&at=N]      base64 position of the start and base64 moves, both with the URL-safe digits
 *     #pgn=GAME[&at=N]                where those cannot hold it: tags, comments, variations, other promotions, Chess960
 *     #fen=FEN                        a board that cannot be played on and that base64 cannot hold
 *
 * What is shown beside the game follows: `tab`, `filter` of the explorer, and the search of games: `q`, `sort`, `here`, and the fields
 * of its form by their names. `side=black` has Black below. `at` is the place in the game: half-moves of the line, or moves in the order of PGN; without it, the end. A change adds
 * a step to the browser's history; stepping through the game does not.
 */
import { URL_SAFE } from './tabiya.mjs';
import { ask } from './api.mjs';
import { debounce } from './dom.mjs';

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
export const isOwnLink = (text) => /^\S*#(p|pgn|fen|game)=\S*$/.test(text);

function partsOf(fragment) {
  return new Map(fragment.split('&').map((part) => {
    const [name, ...value] = part.split('=');
    return [name, decodeURIComponent(value.join('='))];
  }));
}

/**
 * Loads a fragment into the document; throws if it cannot be read. Only a game of the database has to be waited for: the promise
 * says whether it is shown, or another was opened meanwhile.
 */
export function decode(doc, fragment, { isChange = false } = {}) {
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
    return ask('/game', { id }).then((response) => response.text()).then((pgn) => {
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

/** The parts of a fragment that are about the game. */
const GAME_PARTS = ['p', 'm', 'pgn', 'fen', 'game', 'at', 'side'];

/** What is shown beside the game, by name. Fires `change` when the browser goes to another address. */
class Address extends EventTarget {
  parts = new Map();

  constructor(onSet) {
    super();
    this.onSet = onSet;
  }

  get(name) {
    return this.parts.get(name) ?? null;
  }

  /** An empty value is left out. `isStep`: Back should come here again. */
  set(values, { isStep = false } = {}) {
    const before = this.text();
    for (const [name, value] of Object.entries(values))
      if (value) this.parts.set(name, value);
      else this.parts.delete(name);
    if (this.text() !== before) this.onSet(isStep);
  }

  read(parts) {
    const before = this.text();
    this.parts = new Map([...parts].filter(([name]) => !GAME_PARTS.includes(name)));
    if (this.text() !== before) this.dispatchEvent(new Event('change'));
  }

  text() {
    return [...this.parts].sort().map(([name, value]) => `&${name}=${encodeURIComponent(value)}`).join('');
  }
}

/** Keeps the address. Answers { link(), address }: a link to the game, and what else the address holds. */
export function sharing(doc, look, onError) {
  let shown = location.hash.slice(1);
  let isStep = false; // has something changed since the address was written?
  const below = () => (look.turned === null || look.turned === 'mover' ? 'white' : look.turned);

  let waiting = null; // the promise of a game of the database
  let isLate = false; // has something changed while it was waited for?
  const write = debounce(() => {
    isLate = waiting !== null;
    if (isLate) return;
    const fragment = encode(doc, below()) + address.text();
    if (fragment !== shown) history[isStep ? 'pushState' : 'replaceState'](null, '', `#${fragment}`);
    shown = fragment;
    isStep = false;
  }, 120);
  const address = new Address((isNew) => {
    isStep ||= isNew;
    write();
  });

  /** Other fragments, such as those of links inside the page, are left alone. */
  function read(isFirst) {
    const fragment = location.hash.slice(1);
    if (fragment && !isOwnLink(`#${fragment}`)) return;
    shown = fragment;
    const fail = (error) => onError(`The link cannot be read: ${error.message}`);
    const done = (isShown = true) => { if (isFirst && isShown) doc.forget(); };
    try {
      const parts = fragment ? partsOf(fragment) : new Map();
      address.read(parts);
      look.turn(parts.get('side') === 'black' ? 'black' : null);
      if (!fragment) {
        doc.load(doc.tabiya.game(), 0);
        done();
      } else if (parts.has('game') && parts.get('game') !== String(doc.origin?.id)) {
        const mine = decode(doc, fragment).then(done, fail).finally(() => {
          if (waiting !== mine) return;
          waiting = null;
          if (isLate) write();
        });
        waiting = mine;
      } else if (parts.has('game')) {
        doc.want(); // instead of one that is still to come
        doc.go(doc.list.moves[Number(parts.get('at') ?? 0) - 1]?.node ?? 0);
      } else {
        decode(doc, fragment);
        done();
      }
    } catch (error) {
      fail(error);
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
  return { address, link: () => `${location.origin}${location.pathname}#${encode(doc, below())}` };
}
