/*
 * fault.mjs - an error of the server at the field that it is about: the reason, similar names to choose from, and the place in the text
 * with a caret below it.
 */
import { h } from './dom.mjs';
import { t } from './texts.mjs';

const AROUND = 12; // characters shown before and after a fault
const NEAR = '; similar names: '; // as the server writes them: "Kasparov,G", "Kasparov,S"

/** Where in `text` an error of it is, as [begin, end]; null if it is elsewhere. */
export function placeOf(error, text) {
  if (error.offset === undefined || !text) return null;
  const at = (bytes) => new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, bytes)).length;
  return [at(error.offset), at(error.offset + error.length)];
}

/** The text around a place, and a caret below. */
function caret(text, [begin, end]) {
  const from = Math.max(0, begin - AROUND);
  const head = `${from ? '…' : ''}${text.slice(from, begin)}`;
  const tail = `${text.slice(end, end + AROUND)}${end + AROUND < text.length ? '…' : ''}`;
  const carets = `${' '.repeat(head.length)}${'^'.repeat(Math.max(1, end - begin))}`;
  return h('code', { 'aria-hidden': 'true' }, head, h('mark', {}, text.slice(begin, end) || ' '), tail, `\n${carets}`);
}

/** What to show for an error of `text`; `choose(name)` takes a similar name. */
export function faultParts(error, text, place, choose) {
  const [reason, near = ''] = error.message.split('\n')[0].split(NEAR);
  const names = [...near.matchAll(/"([^"]+)"/g)].map(([, name]) => h('button', { type: 'button', class: 'link', onclick: () => choose(name) }, name));
  const sentence = h('p', {}, names.length ? `${reason}. ${t('games.similar')}` : reason, ...names);
  return place ? [caret(text, place), sentence] : [sentence];
}
