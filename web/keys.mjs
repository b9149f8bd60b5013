/*
 * keys.mjs - the keys of the page, in one list: what they do, and the help that is made of it.
 *
 * A letter or a digit that can begin a move is typed into the field for moves, wherever the focus is but in a field. So single letters
 * that are commands are those that no move begins with, or have Shift.
 */
import { byId, h } from './dom.mjs';
import { beginsMove } from './letters.mjs';
import { hasText, t } from './texts.mjs';

/** [keys as they are written, the name of the text that says what they do, actions by the keys of events]. */
/** @type {[string[], string, Object<string, string>][]} */
const KEYS = [
  [['←', '→'], 'key.step', { ArrowLeft: 'previous', ArrowRight: 'next' }],
  [['Home', 'End'], 'key.ends', { Home: 'first', End: 'last' }],
  [['key.space'], 'key.play', { ' ': 'play' }],
  [['e4', 'Nf3'], 'key.type', {}],
  [['/'], 'key.search', { '/': 'search' }],
  [['[', ']'], 'key.games', { '[': 'gameBack', ']': 'gameOn' }],
  [['M', 'Shift M'], 'key.mistakes', { m: 'mistakeOn', M: 'mistakeBack' }],
  [['Shift F'], 'key.flip', { F: 'flip' }],
  [['L'], 'key.engine', { l: 'engine' }],
  [['Shift C'], 'key.comment', { C: 'comment' }],
  [['Ctrl S'], 'key.save', {}],
  [['Ctrl Z'], 'key.undo', {}],
  [['Ctrl V'], 'key.paste', {}],
  [['?'], 'key.help', { '?': 'help' }],
];
const OTHERS = [['key.in-list', 'key.list'], ['key.on-board', 'key.board'], ['key.right', 'key.draw'], ['key.between', 'key.drag']];

const isField = (target) => target.closest('input:not([type=checkbox]), textarea, select, [role=tablist], dialog, [role=separator]');

/** `actions` by name; `type(letter)` begins a typed move. */
export function pageKeys(actions, type) {
  const commands = Object.assign({}, ...KEYS.map(([, , keys]) => keys));
  byId('keys').append(...KEYS.flatMap(([keys, text]) => [h('dt', {}, ...keys.flatMap((key) => [h('kbd', {}, hasText(key) ? t(key) : key), ' '])), h('dd', {}, t(text))]),
    ...OTHERS.flatMap(([where, text]) => [h('dt', {}, t(where)), h('dd', {}, t(text))]));

  addEventListener('keydown', (event) => {
    const { key, target } = event;
    if (isField(target) || event.defaultPrevented) return;
    if (key === ' ' && target.closest('button, a, input')) return;
    const isCommand = event.ctrlKey || event.metaKey || event.altKey;
    if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === 'z') actions[event.shiftKey ? 'redo' : 'undo']();
    else if (isCommand) return;
    else if (commands[key]) actions[commands[key]]();
    else if (beginsMove(key)) type(key);
    else return;
    event.preventDefault();
  });
}
