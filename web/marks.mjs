/*
 * marks.mjs - what can be done with the current move: marks, a comment below it, promoting its variation, deleting it.
 */
import { byId, h } from './dom.mjs';
import { markWords, commandsOf, readable } from './moves.mjs';

const MOVE_MARKS = ['!', '!!', '!?', '?!', '?', '??'];
const POSITION_MARKS = ['=', '⩲', '±', '+-', '⩱', '∓', '-+', '∞'];
const PLAIN = { '⩲': '+=', '⩱': '=+' }; // most fonts lack them
const KINDS = { '!': 'good', '!!': 'good', '!?': 'dubious', '?!': 'dubious', '?': 'mistake', '??': 'blunder' };

export function marksPanel(doc) {
  const marks = byId('marks');
  const comment = byId('comment');
  const box = byId('comment-box');
  const list = byId('move-list');
  const opener = byId('comment-open');
  const buttons = [];

  /** Where the variation with the move begins: the last move on the path that is not a first child; undefined on the main line. */
  const variationHead = () => [...doc.view?.path ?? []].reverse().find((node) => doc.items.get(node).opens);

  function draw() {
    const { item } = doc;
    byId('move-tools').disabled = Boolean(doc.board);
    for (const id of ['marks', 'remove']) byId(id).disabled = !item;
    if (document.activeElement !== comment) comment.value = readable((item ?? doc.list).after).join('\n');
    if (document.activeElement !== marks) marks.value = item?.nags.join(' ') ?? '';
    byId('promote').disabled = !variationHead();
    for (const button of buttons) {
      button.disabled = !item;
      button.setAttribute('aria-pressed', String(item?.nags.includes(button.dataset.mark) ?? false));
    }
  }

  // ---- Marks

  function setMarks(text) {
    try {
      doc.edit((game) => game.setNags(doc.node, text));
      marks.setCustomValidity('');
    } catch (error) {
      marks.setCustomValidity(error.message);
      marks.reportValidity();
    }
  }

  /** One mark of the move and one of the position at a time. */
  function toggle(mark) {
    const { nags } = doc.item;
    const group = MOVE_MARKS.includes(mark) ? MOVE_MARKS : POSITION_MARKS;
    const others = nags.filter((nag) => !group.includes(nag));
    setMarks([...(nags.includes(mark) ? [] : [mark]), ...others].join(' '));
  }

  const markButton = (mark) => h('button', { type: 'button', class: KINDS[mark] ?? null, 'data-mark': mark, 'aria-pressed': 'false',
    'aria-label': `${PLAIN[mark] ?? mark} ${markWords(mark)}`, title: markWords(mark), onclick: () => toggle(mark) }, PLAIN[mark] ?? mark);
  byId('common-marks').append(...MOVE_MARKS.map(markButton));
  byId('position-marks').append(...POSITION_MARKS.map(markButton));
  buttons.push(...byId('common-marks').children, ...byId('position-marks').children);
  marks.addEventListener('change', () => setMarks(marks.value.trim().replace(/\s+/g, ' ')));
  byId('promote').addEventListener('click', () => doc.edit((game) => game.promote(variationHead())));
  byId('remove').addEventListener('click', () => doc.remove(doc.node));

  const more = byId('tools-more');
  more.addEventListener('click', () => {
    const isAll = byId('move-tools').classList.toggle('all');
    more.setAttribute('aria-expanded', String(isAll));
  });

  // ---- Comments

  /** The editor is below the move, in its place among the others. */
  function place() {
    if (box.hidden) return;
    const here = list.querySelector('[aria-current]');
    const row = here?.closest('.variation') ?? here?.closest('.pair');
    if (row) row.after(box);
    else list.prepend(box);
  }

  function setOpen(isOpen) {
    box.hidden = !isOpen;
    opener.setAttribute('aria-expanded', String(isOpen));
    place();
    if (isOpen) comment.focus({ preventScroll: true });
    if (isOpen) box.scrollIntoView({ block: 'nearest' });
  }
  list.addEventListener('place', () => {
    draw();
    place();
  });
  opener.addEventListener('click', () => setOpen(box.hidden));
  comment.addEventListener('change', () => doc.edit((game) => game.setComment(doc.node,
    [comment.value.trim(), ...commandsOf((doc.item ?? doc.list).after)].filter(Boolean).join(' '))));
  comment.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    setOpen(false);
    opener.focus();
  });
  draw();
  return { comment: () => setOpen(true) };
}
