/*
 * keys.mjs - the keys of the page, in one list: what they do, and the help that is made of it.
 *
 * A letter or a digit that can begin a move is typed into the field for moves, wherever the focus is but in a field. So single letters
 * that are commands are those that no move begins with, or have Shift.
 */
import { byId, h } from './dom.mjs';

/** [keys as they are written, what they do, action, keys of events]. */
const KEYS = [
  [['←', '→'], 'back and forward one move; the wheel over the board does the same', { ArrowLeft: 'previous', ArrowRight: 'next' }],
  [['Home', 'End'], 'first and last position', { Home: 'first', End: 'last' }],
  [['Space'], 'play through the moves, and stop', { ' ': 'play' }],
  [['e4', 'Nf3'], 'type a move anywhere and press Enter', {}],
  [['/'], 'search games', { '/': 'search' }],
  [['[', ']'], 'previous and next game of the list', { '[': 'gameBack', ']': 'gameOn' }],
  [['M', 'Shift M'], 'next and previous mistake', { m: 'mistakeOn', M: 'mistakeBack' }],
  [['Shift F'], 'flip the board', { F: 'flip' }],
  [['L'], 'switch the engine on and off', { l: 'engine' }],
  [['Shift C'], 'comment on the move', { C: 'comment' }],
  [['Ctrl S'], 'save the game to the database, if the server was started with --write', {}],
  [['Ctrl Z'], 'undo; with Shift, redo', {}],
  [['Ctrl V'], 'open what you copied: PGN, FEN, moves, a link', {}],
  [['?'], 'this list', { '?': 'help' }],
];
const OTHERS = [
  ['in a list', 'arrows go to a game, Enter opens it, Space shows its board; Shift and Ctrl select several'],
  ['on the board', 'arrows, or a letter and a digit, go to a square; Enter picks up the piece and puts it down'],
  ['right button', 'draws arrows and circles, which are saved in the game; Shift red, Alt blue, both yellow'],
  ['between panes', 'drag the line, or focus it and use the arrows; a double click restores the width'],
];
const MOVE_BEGINS = /^[a-h1-8NBRQKO]$/;

const isField = (target) => target.closest('input:not([type=checkbox]), textarea, select, [role=tablist], dialog, [role=separator]');

/** `actions` by name; `type(letter)` begins a typed move. */
export function pageKeys(actions, type) {
  const commands = Object.assign({}, ...KEYS.map(([, , keys]) => keys));
  byId('keys').append(...KEYS.flatMap(([keys, text]) => [h('dt', {}, ...keys.flatMap((key) => [h('kbd', {}, key), ' '])), h('dd', {}, text)]),
    ...OTHERS.flatMap(([where, text]) => [h('dt', {}, where), h('dd', {}, text)]));

  addEventListener('keydown', (event) => {
    const { key, target } = event;
    if (isField(target) || event.defaultPrevented) return;
    if (key === ' ' && target.closest('button, a, input')) return;
    const isCommand = event.ctrlKey || event.metaKey || event.altKey;
    if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === 'z') actions[event.shiftKey ? 'redo' : 'undo']();
    else if (isCommand) return;
    else if (commands[key]) actions[commands[key]]();
    else if (MOVE_BEGINS.test(key)) type(key);
    else return;
    event.preventDefault();
  });
}
