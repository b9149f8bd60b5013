/*
 * drawing.mjs - converts a drawn search to the text of a query, and back.
 *
 *     REST  either mirror shift ( Pd4 [Mm]e5 _f3  Q>=1 p=0  points>=1  wtm  iqp )  for N
 *
 * REST are the conditions that cannot be drawn, such as `player Carlsen`: they stay as they are. A text whose parts are joined by more than
 * blanks (or, not, commas, brackets of its own) is REST as a whole; what is drawn is then added to it.
 */
const PLACED = /^([PNBRQKMpnbrqkm_]|\[Mm\])([a-h][1-8])$/;
const COUNTED = /^([QRBNPqrbnp])(>=|=)(\d)$/;
const BALANCE = /^points(>=|<=)(-?\d+)$/;
/** Words that are about their neighbours. */
const JOINT = /^(or|and|not|for|ever|never|always|either|mirror|shift|attacks)$/;
export const TURNS = ['either', 'mirror', 'shift'];

/**
 * squares: Map of square to a letter of FEN, M or m (any piece of a side), ? (of either) or _ (empty); counts: { Q: '>=1', p: '=0' }; least and most: the
 * balance in points, or null; side: 'wtm', 'btm' or ''; patterns: names; turns: of TURNS; plies: for how long, 1 being once.
 */
export const emptyDrawing = () => ({ squares: new Map(), counts: {}, least: null, most: null, side: '', patterns: [], turns: [], plies: 1 });

function factsOf({ squares, counts, least, most, side, patterns }) {
  const placed = [...squares].sort(([a], [b]) => (a < b ? -1 : 1)).map(([square, letter]) => (letter === '?' ? '[Mm]' : letter) + square);
  return [...placed, ...Object.entries(counts).map(([letter, count]) => letter + count), least === null ? '' : `points>=${least}`,
    most === null ? '' : `points<=${most}`, side, ...patterns].filter(Boolean);
}

/** The text of a drawing beside the conditions that cannot be drawn. */
export function writeDrawing(drawing, rest = '') {
  const { turns, plies } = drawing;
  const facts = factsOf(drawing).join(' ');
  if (!facts) return rest;
  const turned = turns.length ? `${turns.join(' ')} (${facts})` : facts;
  const whole = plies > 1 ? `${turned} for ${plies}` : turned;
  if (!rest) return whole;
  return `${isPlain(wordsOf(rest)) ? rest : `(${rest})`} ${whole}`;
}

/** The words of a query: what blanks separate, quotes and brackets held together. */
const wordsOf = (text) => text.match(/(?:"(?:[^"\\]|\\.)*"?|\[[^\]]*\]?|\{[^}]*\}?|\([^)]*\)?|[^\s"[{(])+/g) ?? [];

/** Are all words conditions on the same ply? A bracket counts as one word. */
const isPlain = (words) => words.map((word) => word.replace(/"(?:[^"\\]|\\.)*"/g, '""'))
  .every((word) => /^\([^()]*\)$/.test(word) || (!JOINT.test(word) && !/[,;()]|^[<>+]|^=(?!")|[<>=]$/.test(word)));

/** Adds a word to the drawing; false if it cannot be drawn. */
function take(drawing, word, patterns) {
  const [placed, counted, balance] = [PLACED.exec(word), COUNTED.exec(word), BALANCE.exec(word)];
  if (placed && !drawing.squares.has(placed[2])) drawing.squares.set(placed[2], placed[1] === '[Mm]' ? '?' : placed[1]);
  else if (counted && !(counted[1] in drawing.counts)) drawing.counts[counted[1]] = counted[2] + counted[3];
  else if (balance && drawing[balance[1] === '>=' ? 'least' : 'most'] === null) drawing[balance[1] === '>=' ? 'least' : 'most'] = Number(balance[2]);
  else if (/^[wb]tm$/.test(word) && !drawing.side) drawing.side = word;
  else if (patterns.includes(word)) drawing.patterns.push(word);
  else return false;
  return true;
}

/** Takes what can be drawn from words side by side; the others stay. The word after a name of a condition is its value. */
function takeWords(drawing, words, patterns) {
  const rest = [];
  let isValue = false;
  for (const word of words) {
    const isTaken = !isValue && take(drawing, word, patterns);
    if (!isTaken) rest.push(word);
    isValue = !isTaken && !isValue && /^[a-z-]+$/.test(word);
  }
  return rest;
}

/** What a text draws: { drawing, rest }; `patterns` are the names that the language knows. */
export function readDrawing(text, patterns = []) {
  const drawing = emptyDrawing();
  const words = wordsOf(text.trim());
  if (words.at(-2) === 'for' && /^\d{1,3}$/.test(words.at(-1))) drawing.plies = Number(words.splice(-2)[1]);
  let drawn = words; // what may be taken from
  const before = []; // the text before the bracket
  if (/^\(.*\)$/.test(words.at(-1) ?? '')) {
    drawn = wordsOf(words.pop().slice(1, -1));
    while (TURNS.includes(words.at(-1))) drawing.turns.unshift(words.pop());
    before.push(...words);
  }
  const isTurned = drawn !== words;
  const left = isPlain(drawn) && isPlain(before) ? takeWords(drawing, drawn, patterns) : null;
  const isDrawn = left && factsOf(drawing).length > 0 && (!isTurned || (drawing.turns.length > 0 && left.length === 0));
  return isDrawn ? { drawing, rest: [...before, ...left].join(' ') } : { drawing: emptyDrawing(), rest: text.trim() };
}
