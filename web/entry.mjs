/*
 * entry.mjs - reads text from anywhere, leniently: typed, pasted, dropped or from a file.
 *
 * It takes links to this page and others that hold a position or moves, UCI's `position startpos moves ...`, files of games,
 * positions in every notation (quoted, or with underscores for blanks) and lines of moves in every notation, SAN also with
 * the letters of other languages. The library knows which is which.
 */
import { readMove } from './letters.mjs';
import { decode, isGameLink } from './share.mjs';
import { t } from './texts.mjs';

/** Written like a FEN: ranks between strokes. */
const RANKS = /^[\w]+(\/[\w]*){5,}(\s|$)/;
const MOVE_NUMBER = /^\d+\s*\.+\s*/;

/** A move as people type it: "1.e4", "nf3", "E2E4", "o-o"; what the library reads as it is goes first. */
export function playText(doc, text) {
  const plain = text.trim().replace(MOVE_NUMBER, '');
  const forms = [...new Set([readMove(plain), plain, plain.replace(/^[nrqk]/, (letter) => letter.toUpperCase()),
    plain.toLowerCase(), plain.toLowerCase().replace(/^b(?=x?[a-h][1-8])/, 'B'), plain.toUpperCase()])];
  let first = null;
  for (const form of forms)
    try {
      return doc.play(form);
    } catch (error) {
      first ??= error;
    }
  throw first;
}

/** Strips quotes, "..." and '...', and Markdown's backquotes. */
const unquoted = (text) => text.trim().replace(/^(["'`])([^]*)\1[,;]?$/, '$2').trim();

/** The board and the rest of UCI's `position [startpos | fen FEN] [moves ...]`; null for any other line. */
function uciPosition(tabiya, text) {
  const found = /^(?:position\s+)?(?:startpos|fen\s+(.+?))(?:\s+moves\s+(.*))?$/s.exec(text);
  if (!found || !/^(position|startpos|fen)\b/.test(text)) return null;
  const game = tabiya.game();
  if (found[1]) game.setStart(tabiya.board(found[1].trim()));
  const end = game.readLine(0, found[2] ?? '', 'uci');
  return { game, node: end };
}

/** Positions of a text, one a line or one diagram: [{ board, text }]. */
function positionsOf(tabiya, text) {
  const read = (s) => {
    const board = tabiya.board();
    return [s, s.replaceAll('_', ' ')].some((form) => board.guess(form)) ? [{ board, text: s }] : [];
  };
  const whole = read(unquoted(text));
  return whole.length ? whole : text.split('\n').map(unquoted).filter(Boolean).flatMap(read);
}

/** Knight, bishop, rook, queen and king as other languages write them: those of `tabiya pgn --letters`, which a test compares. */
const LETTERS = ['SLTDK', 'PLTDK', 'CFTDR', 'CATDR', 'CBTDR', 'CNTDR', 'SGWHK', 'JSVDK', 'HFBVK', 'RLTDK', 'RBHDK'];

/** The text with English letters for pieces; tags and comments stay as they are. */
const inEnglish = (text, letters) => text.replace(/\[[^\]]*\]|\{[^}]*\}|[A-Z]/g,
  (part) => (part.length > 1 || !letters.includes(part) ? part : 'NBRQK'[letters.indexOf(part)]));

/** A game whose moves have the letters of another language, or null. */
function foreignGame(tabiya, text, start) {
  for (const letters of LETTERS) {
    const english = inEnglish(text, letters);
    if (english === text) continue;
    try {
      const game = tabiya.game(english);
      if (game.list().moves.length) return { game, node: game.mainLineEnd() };
    } catch { /* a line without tags is read below */ }
    const line = lineOf(tabiya, english, start, ['san']);
    if (line.node) return line;
  }
  return null;
}

/** One game of PGN that cannot be read as it is, if it can with other letters. */
function foreignPgn(tabiya, text, start) {
  if (text.length > 100_000 || text.split('[Event ').length > 2) return null;
  try {
    tabiya.game(text);
    return null;
  } catch {
    return foreignGame(tabiya, text, start);
  }
}

/** The parts of a link to another site that may contain a game: its path, parameters and fragment. */
function* partsOfLink(link) {
  const { pathname, searchParams, hash } = new URL(link);
  yield* searchParams.values();
  const plain = (text) => { try { return decodeURIComponent(text); } catch { return text; } };
  const folders = pathname.split('/').map(plain);
  for (let i = 1; i < folders.length; i++) yield folders.slice(i).join('/'); // a FEN has strokes of its own
  yield plain(hash.slice(1));
}

function linkedGame(tabiya, link, start) {
  for (const part of partsOfLink(link)) {
    const text = part.replaceAll('_', ' ').replaceAll('+', ' ').trim();
    if (text.length < 4) continue;
    const positions = positionsOf(tabiya, text);
    if (positions.length) return { positions: positions.slice(0, 1) };
    const line = lineOf(tabiya, text, start, ['san', 'uci']);
    if (line.node) return line;
  }
  throw new Error(t('open.link'));
}

/** Is there at least one move before the place of a fault? If not, the text was something else. */
function hasMove(tabiya, board, text, notation) {
  const game = tabiya.game();
  game.setStart(board);
  try {
    return game.readLine(0, text.trimEnd().replace(/(\d+\.+)$/, ''), notation) !== 0;
  } catch {
    return false;
  }
}

/** A line of moves in any notation, from the start position or else from `start`; if none fits, the error of the one that got furthest. */
function lineOf(tabiya, text, start, notations = tabiya.notations.moves.map(({ name }) => name)) {
  let best = null;
  let empty = null; // read, but as move numbers alone: the digits of another notation look like them
  for (const board of [tabiya.board(), start])
    for (const name of notations) {
      const game = tabiya.game();
      game.setStart(board);
      try {
        const node = game.readLine(0, text, name);
        if (node !== 0) return { game, node };
        empty ??= { game, node };
      } catch (error) {
        if ((error.offset ?? 0) > (best?.offset ?? -1) && hasMove(tabiya, board, text.slice(0, error.offset), name)) best = error;
      }
    }
  return empty ?? { error: best };
}

/**
 * What a text or a file is: { link }, { game, node }, { games: notation }, { positions: [...] }; throws if nothing fits.
 */
export function recognise(doc, bytes, name) {
  const { tabiya } = doc;
  const text = new TextDecoder().decode(bytes);
  const plain = unquoted(text);
  if (!plain) throw new Error(t('open.empty'));
  if (isGameLink(plain)) return { link: plain };
  if (/^https?:\/\/\S+$/.test(plain)) return linkedGame(tabiya, plain, doc.position);
  const position = plain.length < 100_000 ? uciPosition(tabiya, plain) : null;
  if (position) return position;
  const likely = tabiya.guess(name, bytes, true);
  if (likely) return (likely === 'pgn' ? foreignPgn(tabiya, plain, doc.position) : null) ?? { games: likely };
  if (plain.length < 1_000_000) {
    const positions = positionsOf(tabiya, text);
    if (positions.length) return { positions };
  }
  const line = plain.length < 100_000 ? lineOf(tabiya, plain, doc.position) : { error: null };
  if (line.game) return line;
  const foreign = plain.length < 100_000 ? foreignGame(tabiya, plain, doc.position) : null;
  if (foreign) return foreign;
  const possible = tabiya.guess(name, bytes);
  if (possible) return { games: possible };
  if (RANKS.test(plain)) tabiya.board(plain); // the reason why it is none
  throw line.error ?? new Error(t('open.unknown'));
}

/** Opens a single game or position; false if it is a list to choose from. */
export function openOne(doc, source, found) {
  if (found.link) decode(doc, source, found.link.slice(found.link.indexOf('#') + 1), { isChange: true });
  else if (found.game) doc.setGame(found.game, () => found.node, 'open');
  else if (found.positions?.length === 1) doc.setBoard(found.positions[0].board);
  else return false;
  return true;
}
