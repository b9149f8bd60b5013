/*
 * drawing.mjs - converts a drawn search to the text of a query, and back.
 *
 *     REST  either mirror shift ( Pd4 [Mm]e5 _f3  Q>=1 p=0  points>=1  wtm  iqp )  for N
 *
 * REST are the conditions that cannot be drawn, such as `player Carlsen`: they stay as they are. The core says which conditions a text has;
 * those that a drawing writes are drawn. A text that is a single condition, such as one with `or`, is REST as a whole; what is drawn is then
 * added to it.
 */
import { placeOf } from './fault.mjs';

const SQUARES = [...'abcdefgh'].flatMap((file) => [...'12345678'].map((rank) => file + rank));
const POINTS = 15; // the largest balance
const MOST = 9; // pieces that are counted
export const TURNS = ['either', 'mirror', 'shift'];

/**
 * squares: Map of square to a letter of FEN, M or m (any piece of a side), ? (of either) or _ (empty); counts: { Q: '>=1', p: '=0' }; least and most: the
 * balance in points, or null; side: 'wtm', 'btm' or ''; patterns: names; turns: of TURNS; plies: for how long, 1 being once.
 */
export const emptyDrawing = () => ({ squares: new Map(), counts: {}, least: null, most: null, side: '', patterns: [], turns: [], plies: 1 });

const placed = (square, letter) => (letter === '?' ? '[Mm]' : letter) + square;

function factsOf({ squares, counts, least, most, side, patterns }) {
  return [...[...squares].sort(([a], [b]) => (a < b ? -1 : 1)).map(([square, letter]) => placed(square, letter)), ...Object.entries(counts).map(([letter, count]) => letter + count),
    least === null ? '' : `points>=${least}`, most === null ? '' : `points<=${most}`, side, ...patterns].filter(Boolean);
}

/** Every text that one press writes, except patterns, and what it sets: [key, square or letter, value]. */
const DRAWN = new Map(/** @type {[string, any[]][]} */ ([
  ...SQUARES.flatMap((square) => [...'PNBRQKMpnbrqkm_?'].map((letter) => [placed(square, letter), ['squares', square, letter]])),
  ...[...'QRBNPqrbnp'].flatMap((letter) => ['=', '>='].flatMap((sign) => Array.from({ length: MOST + 1 }, (_, n) => [`${letter}${sign}${n}`, ['counts', letter, `${sign}${n}`]]))),
  ...Array.from({ length: 2 * POINTS + 1 }, (_, i) => i - POINTS).flatMap((n) => [[`points>=${n}`, ['least', null, n]], [`points<=${n}`, ['most', null, n]]]),
  ...['wtm', 'btm'].map((side) => [side, ['side', null, side]]),
]));

/** The conditions of a query, as { text, word, value }: texts as the core writes them. Null if it is no query. */
function conditionsOf(tabiya, text) {
  if (!text) return [];
  try {
    return tabiya.understand(text).conditions.map(({ word, value, ...at }) => {
      const [begin, end] = placeOf(at, text);
      return { text: text.slice(begin, end), word, value };
    });
  } catch {
    return null;
  }
}

/** Can conditions be added to the text as it is, without a change of meaning? */
function isOpen(tabiya, rest, more) {
  const [alone, added, both] = [rest, more, `${rest} ${more}`].map((text) => conditionsOf(tabiya, text));
  return Boolean(alone && both) && both.length === alone.length + added.length;
}

/** The text of a drawing beside the conditions that cannot be drawn. */
export function writeDrawing(tabiya, drawing, rest = '') {
  const { turns, plies } = drawing;
  const facts = factsOf(drawing).join(' ');
  if (!facts) return rest;
  const turned = turns.length ? `${turns.join(' ')} (${facts})` : facts;
  const whole = plies > 1 ? `${turned} for ${plies}` : turned;
  if (!rest) return whole;
  return `${isOpen(tabiya, rest, turned) ? rest : `(${rest})`} ${whole}`;
}

/** Adds a condition to the drawing; false if it cannot be drawn. */
function take(tabiya, drawing, { text, word, value }, patterns) {
  const [key, of, what] = DRAWN.get(tabiya.understand(text).query) ?? [];
  if (key === 'squares' && !drawing.squares.has(of)) drawing.squares.set(of, what);
  else if (key === 'counts' && !(of in drawing.counts)) drawing.counts[of] = what;
  else if (['least', 'most'].includes(key) && drawing[key] === null) drawing[key] = what;
  else if (key === 'side' && !drawing.side) drawing.side = what;
  else if (patterns.includes(word) && !value) drawing.patterns.push(word);
  else return false;
  return true;
}

/** The text without `for N` at its end, and N. */
function withoutPlies(text) {
  const words = text.split(' ');
  const plies = Number(words.at(-1));
  return words.at(-2) === 'for' && Number.isInteger(plies) && plies > 0 && plies < 1000 ? { text: words.slice(0, -2).join(' '), plies } : { text, plies: 1 };
}

/** `either mirror (FACTS)` as { turns, conditions }; null if something else is in it. */
function unturned(tabiya, { word, value }) {
  const turns = [];
  for (let inner = { word, value }; TURNS.includes(inner.word); [inner] = conditionsOf(tabiya, inner.value)) {
    turns.push(inner.word);
    if (inner.value.startsWith('(')) return { turns, conditions: conditionsOf(tabiya, inner.value.slice(1, -1)) };
  }
  return null;
}

/** What a text draws: { drawing, rest }; `patterns` are the names that can be drawn. */
export function readDrawing(tabiya, whole, patterns = []) {
  const none = { drawing: emptyDrawing(), rest: whole.trim() };
  const { text, plies } = withoutPlies(whole.trim());
  const conditions = conditionsOf(tabiya, text);
  if (!conditions?.length) return none;
  const drawing = { ...emptyDrawing(), plies };
  const texts = (some) => some.map((condition) => condition.text).join(' ');
  const turned = unturned(tabiya, conditions.at(-1));
  if (turned) {
    const isDrawn = turned.conditions.every((condition) => take(tabiya, drawing, condition, patterns));
    return isDrawn ? { drawing: { ...drawing, turns: turned.turns }, rest: texts(conditions.slice(0, -1)) } : none;
  }
  const left = conditions.filter((condition) => !take(tabiya, drawing, condition, patterns));
  return left.length < conditions.length ? { drawing, rest: texts(left) } : none;
}
