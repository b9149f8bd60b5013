/*
 * print.mjs - the game as a book prints it: two columns of running text, and a diagram wherever the author put one (NAG $220, or $221 with
 * Black at the bottom). A game without diagrams has one of the position on the board.
 */
import { byId, h } from './dom.mjs';
import { shownMove } from './letters.mjs';
import { markText, numberOf, readable } from './moves.mjs';
import { BLACK_UP } from './tabiya.mjs';

const DIAGRAMS = { $220: 0, $221: BLACK_UP, D: 0 };
const PIXELS = 240;
const [LIGHT, DARK] = [0xffffff, 0xb8b8b8];

export function printing(doc, look) {
  const page = byId('print');

  function diagram(node, flags) {
    const text = doc.game.position(node).svg({ pixels: PIXELS, light: LIGHT, dark: DARK, flags });
    return h('figure', {}, document.importNode(new DOMParser().parseFromString(text, 'image/svg+xml').documentElement, true));
  }

  /** A move with its number, if it needs one, and its marks. */
  const moveText = (item, hasNumber) => `${hasNumber ? `${numberOf(item.ply)} ` : ''}${shownMove(item.san)}${item.nags.filter((nag) => !(nag in DIAGRAMS)).map(markText).join('')}`;

  /** The moves as parts of paragraphs: main line in bold, variations in brackets. */
  function* parts() {
    let depth = 0;
    let needsNumber = true;
    yield* readable(doc.list.after);
    for (const item of doc.list.moves) {
      const ends = depth - (item.opens ? item.depth - 1 : item.depth);
      if (ends > 0) yield ')'.repeat(ends);
      if (ends > 0 || item.opens) needsNumber = true;
      if (item.opens) yield '(';
      depth = item.depth;
      const before = readable(item.before);
      yield* before;
      const text = moveText(item, needsNumber || before.length > 0 || item.ply % 2 === 1);
      yield depth ? text : h('b', {}, text);
      const after = readable(item.after);
      yield* after;
      const mark = item.nags.find((nag) => nag in DIAGRAMS);
      if (mark) yield diagram(item.node, DIAGRAMS[mark]);
      needsNumber = after.length > 0 || Boolean(mark);
    }
    if (depth) yield ')'.repeat(depth);
    if (doc.list.result !== '*') yield h('b', {}, doc.list.result);
  }

  /** With a space between them, but for brackets. */
  function spaced(all) {
    let before = '(';
    return [...all].flatMap((part) => {
      const isJoined = before === '(' || (typeof part === 'string' && part.startsWith(')'));
      before = part;
      return isJoined ? [part] : [' ', part];
    });
  }

  function fill() {
    if (doc.board) {
      page.replaceChildren();
      return;
    }
    const text = h('div', { class: 'columns' }, ...spaced(parts()));
    if (!text.querySelector('figure')) text.prepend(diagram(doc.node, look.orientation(doc.description.side) === 'black' ? BLACK_UP : 0));
    page.replaceChildren(h('h1', {}, [...byId('game-headline').childNodes].map((part) => part.textContent).filter(Boolean).join(' ')), h('p', {}, byId('game-facts').textContent), text);
  }
  addEventListener('beforeprint', fill);
  addEventListener('afterprint', () => page.replaceChildren());
}
