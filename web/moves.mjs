/*
 * moves.mjs - the notation: the list of moves with variations, comments and marks.
 */
import { byId, h } from './dom.mjs';
import { shownMove } from './letters.mjs';
import { statusOf } from './status.mjs';
import { hasText, t } from './texts.mjs';

/** A mark as a screen reader should say it. */
export const markWords = (nag) => (hasText(`mark.${nag}`) ? t(`mark.${nag}`) : markText(nag));

/** The marks of good and bad moves have colours. */
export const MARK_KINDS = { '!': 'good', '!!': 'good', '!?': 'dubious', '?!': 'dubious', '?': 'mistake', '??': 'blunder' };

export const numberOf = (ply) => `${Math.floor((ply + 1) / 2)}${ply % 2 ? '.' : '…'}`;

const COMMAND = /\[%[^\]]*\]/g;
/** Marks that most fonts lack, in characters that all have. */
const PLAIN_MARKS = { '⩲': '+/=', '⩱': '=/+', '⨀': 'zugzwang', '⟳': 'development', '⇆': 'counterplay', '⊕': 'time', '⯹': 'compensation', '⯺': 'compensation', $220: 'diagram', $221: 'diagram' };
/** A mark as text. */
export const markText = (nag) => PLAIN_MARKS[nag] ?? nag;

/** Comments without the commands for programs, such as [%clk 0:01:00]. */
export const readable = (texts) => texts.map((text) => text.replace(COMMAND, '').replace(/ {2,}/g, ' ').trim()).filter(Boolean);
/** The commands alone, except those with some names: commandsOf(texts, ['cal', 'csl']). */
export const commandsOf = (texts, but = []) => texts.flatMap((text) => text.match(COMMAND) ?? [])
  .filter((command) => !but.some((name) => command.startsWith(`[%${name} `)));

/** The comment of a node with other arrows and circles; the text and the other commands stay. */
export function commentWithShapes(texts, shapes) {
  const list = (isArrow) => shapes.filter(({ to }) => Boolean(to) === isArrow).map(({ color, from, to }) => color + from + (to ?? '')).join(',');
  const [circles, arrows] = [list(false), list(true)];
  return [...readable(texts), ...commandsOf(texts, ['cal', 'csl']), circles && `[%csl ${circles}]`, arrows && `[%cal ${arrows}]`]
    .filter(Boolean).join(' ');
}

export function movesPanel(doc) {
  const list = byId('move-list');
  let shown = null; // the node that was scrolled to: annotations alone move nothing

  // ---- The list

  function moveButton(item, withNumber) {
    return h('button', { type: 'button', class: 'move', 'data-node': item.node, tabIndex: -1,
      onclick: () => doc.go(item.node) },
    withNumber ? h('span', { class: 'number' }, numberOf(item.ply)) : null,
    shownMove(item.san), ...(item.nags.length ? [h('span', { class: `nag ${MARK_KINDS[item.nags.find((nag) => MARK_KINDS[nag])] ?? ''}`, 'aria-hidden': 'true' }, item.nags.map(markText).join(' ')),
      h('span', { class: 'hidden' }, `, ${item.nags.map(markWords).join(', ')}`)] : []));
  }

  const comments = (texts) => readable(texts).map((text) => h('span', { class: 'comment' }, text));

  /** The main line as rows of number, white, black; anything between gets a row of its own. */
  function draw() {
    const rows = [];
    let row = null; // the row of the main line that still lacks black's move
    const blocks = []; // the open variations, outermost first
    const closeTo = (depth) => { blocks.length = Math.min(blocks.length, depth); };
    const place = (element) => {
      if (blocks.length) blocks.at(-1).append(element);
      else rows.push(element);
    };
    rows.push(...comments(doc.list.after));
    let needsNumber = true;
    for (const item of doc.list.moves) {
      if (item.depth === 0) {
        closeTo(0);
        for (const text of comments(item.before)) { rows.push(text); row = null; }
        const isWhite = item.ply % 2 === 1;
        if (isWhite || !row) {
          row = h('div', { class: 'pair' }, h('span', { class: 'number' }, `${Math.floor((item.ply + 1) / 2)}`));
          if (!isWhite) row.append(h('span', { class: 'gap' }, '…'));
          rows.push(row);
        }
        row.append(moveButton(item, false));
        if (!isWhite) row = null;
        const after = comments(item.after);
        if (after.length) { rows.push(...after); row = null; }
      } else {
        row = null;
        closeTo(item.opens ? item.depth - 1 : item.depth);
        if (item.opens) {
          const block = h('div', { class: 'variation' });
          place(block);
          blocks.push(block);
          needsNumber = true;
        }
        const before = comments(item.before);
        blocks.at(-1).append(...before, moveButton(item, needsNumber || before.length > 0 || item.ply % 2 === 1),
          ...comments(item.after));
        needsNumber = item.after.length > 0;
      }
      if (item.depth === 0) needsNumber = true;
    }
    if (doc.list.result !== '*') rows.push(h('div', { class: 'result' }, doc.list.result));
    if (!doc.list.moves.length) rows.push(h('p', { class: 'hint' }, doc.board ? t('moves.unplayable', { notes: statusOf(doc).notes.map((note) => `${note}. `).join('') })
      : t('moves.none')));
    list.replaceChildren(...rows);
    drawPlace();
  }

  /** Marks the current move, which is all that stepping changes. */
  function drawPlace() {
    const old = list.querySelector('[aria-current]');
    old?.removeAttribute('aria-current');
    for (const move of list.querySelectorAll('.move[tabindex="0"]')) move.tabIndex = -1;
    const here = list.querySelector(`[data-node="${doc.node}"]`);
    here?.setAttribute('aria-current', 'true');
    const at = here ?? list.querySelector('.move');
    if (at) at.tabIndex = 0;
    list.dispatchEvent(new Event('place')); // the editor of comments follows
    if (doc.node !== shown) requestAnimationFrame(() => scrollTo(doc.node ? at : null));
    shown = doc.node;
  }

  /** Scrolls only the list, and just enough to show the move and those around it. */
  function scrollTo(move) {
    const isWhole = getComputedStyle(list).overflowY === 'visible'; // on phones the whole panel scrolls
    const scroller = isWhole ? byId('panel-moves') : list;
    if (!move) {
      scroller.scrollTop = 0;
      return;
    }
    const box = move.getBoundingClientRect();
    let { top, bottom } = scroller.getBoundingClientRect();
    if (isWhole) bottom = byId('move-tools').getBoundingClientRect().top; // these two stay where they are
    if (isWhole && getComputedStyle(byId('engine')).position === 'sticky') top = Math.max(top, byId('engine').getBoundingClientRect().bottom);
    const around = Math.min(2.2 * box.height, (bottom - top - box.height) / 2);
    if (box.top < top + around) scroller.scrollTop -= top + around - box.top;
    else if (box.bottom > bottom - around) scroller.scrollTop += box.bottom + around - bottom;
  }

  list.addEventListener('keydown', (event) => {
    const all = [...list.querySelectorAll('.move')];
    const next = all[all.indexOf(document.activeElement) + ({ ArrowDown: 1, ArrowUp: -1 }[event.key] ?? NaN)];
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    doc.go(Number(next.dataset.node));
    list.querySelector('[aria-current]')?.focus();
  });

  doc.addEventListener('change', ({ detail }) => {
    if (detail.kind === 'open') shown = null;
    if (detail.kind === 'walk') drawPlace();
    else draw();
  });
  draw();
}
