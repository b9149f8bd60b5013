/*
 * player-tree.mjs - what a player plays, with each colour: first moves with their names, and as Black how they answer each. A row shows
 * its position in the explorer, counting the player's games alone.
 */
import { h } from './dom.mjs';
import { bar } from './explorer-table.mjs';
import { Latest } from './latest.mjs';
import { shownMove } from './letters.mjs';
import { personFact } from './person.mjs';
import { number, t } from './texts.mjs';

const FIRST = 6; // moves of the first level
const NEXT = 2; // moves of the others
const DEPTH = 5; // half-moves
const SHARE = 0.2; // of the games before it, for a line to be followed

const numbered = (line) => line.map(shownMove).map((san, i) => (i % 2 ? san : `${i / 2 + 1}. ${san}`));

/** "Nf6 71% · d5 22%" */
const answersText = ({ moves, games }) => moves.slice(0, 3).filter(({ uci }) => uci !== '0000').map(({ san, games: n }) => `${shownMove(san)} ${Math.round((100 * n) / games)}%`).join(' · ');

export function playerTree({ doc, source }, person, hands, leave, pageSignal) {
  const latest = new Latest();
  const body = h('tbody');
  const tabs = {};
  const { tabiya } = doc;

  /** The rows of a position and of those after its main moves, as they come. */
  async function grow(line, side, signal, into, depth = 0) {
    const game = tabiya.game();
    let node = 0;
    for (const san of line) node = game.play(node, san);
    const answer = await source.explore({ fen: game.position(node).write(), q: personFact(tabiya, person.name, side) }, signal);
    const moves = answer.moves.filter(({ uci, games }) => uci !== '0000' && (depth === 0 || games > answer.games * SHARE)).slice(0, depth ? NEXT : FIRST);
    for (const move of moves) {
      const after = [...line, move.san];
      const name = game.opening?.(game.play(node, move.san))?.name ?? '';
      const place = h('tr');
      into.before(place);
      const next = await source.explore({ fen: game.position(game.play(node, move.san)).write(), q: personFact(tabiya, person.name, side) }, signal);
      place.replaceWith(row(after, move, next, name, side, depth));
      const reply = next.moves[0];
      if (depth + 2 < DEPTH && reply && reply.uci !== '0000' && move.games > person.games.length * 0.05) await grow([...after, reply.san], side, signal, into, depth + 2);
    }
  }

  function row(line, move, next, name, side, depth) {
    const texts = numbered(line);
    const text = depth ? `${(line.length - 1) / 2}… ${texts.slice(-2).join(' ')}` : texts.at(-1);
    const isTheirs = (line.length % 2 === 1) === (side === 'white');
    const answers = answersText(next);
    const cell = h('th', { scope: 'row', title: texts.join(' ') }, h('button', { type: 'button', class: depth ? 'move' : 'move first', onclick: () => {
      leave();
      hands.showLine(line, person.name, side);
    } }, text));
    cell.style.setProperty('--depth', depth / 2);
    return h('tr', { class: 'row' }, cell, h('td', { class: 'count' }, number(move.games)), h('td', { class: 'answers', title: [answers, name].filter(Boolean).join(' · ') }, isTheirs ? name : answers || name), h('td', { class: 'wide' }, bar(move)));
  }

  function select(side) {
    for (const [name, tab] of Object.entries(tabs)) tab.setAttribute('aria-pressed', String(name === side));
    const end = h('tr', {}, h('td', { colSpan: 4 }));
    body.replaceChildren(end);
    head.children[0].textContent = t(side === 'white' ? 'player.plays' : 'player.opponents-play');
    head.children[2].textContent = side === 'white' ? t('player.opening') : t('player.answers');
    latest.run((signal) => {
      pageSignal.addEventListener('abort', () => latest.cancel(), { once: true });
      return grow([], side, signal, end);
    }, () => end.remove(), (error) => end.replaceChildren(h('td', { colSpan: 4 }, error.message, ' ', h('button', { type: 'button', onclick: () => select(side) }, t('again')))));
  }

  const head = h('tr', {}, ...['', t('player.games-head'), '', t('player.bar-head')].map((text, i) => h('th', { scope: 'col', class: i === 1 ? 'count' : i === 3 ? 'wide' : null }, text)));
  for (const side of ['white', 'black'])
    tabs[side] = h('button', { type: 'button', 'aria-pressed': 'false', onclick: () => select(side) }, t(`player.as-${side}`), h('span', { class: 'num' }, ` ${number(person[side].games)}`));
  const card = h('section', { class: 'card tree-card' }, h('div', { class: 'pane-head' }, h('div', { class: 'segments', role: 'group', 'aria-label': t('player.colour') }, tabs.white, tabs.black)),
    h('div', { class: 'scroll' }, h('table', { class: 'tree' }, h('caption', { class: 'hidden' }, t('player.openings')), h('thead', {}, head), body)));
  select(person.white.games >= person.black.games ? 'white' : 'black');
  return card;
}
