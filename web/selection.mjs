/*
 * selection.mjs - several games of the list: how many are selected, and saving them as a file; and which columns the list has.
 */
import { byId, complain, h, passToast } from './dom.mjs';
import { download } from './files.mjs';
import { pop } from './pop.mjs';
import { number, t } from './texts.mjs';

const COLUMNS = ['elo', 'date', 'event', 'eco', 'moves'];
const STORE = 'tabiya-columns';

/** `source()` is the list that is shown. */
export function selectionBar(table, source) {
  table.addEventListener('select', () => {
    const n = table.selected.length;
    byId('selection').hidden = !n;
    if (n) passToast(); // it may be in the way
    byId('selection-count').textContent = n ? t('games.selected', { n: number(n) }) : '';
  });
  const opener = byId('select-open');
  table.addEventListener('select', () => opener.setAttribute('aria-pressed', String(table.isSelecting)));
  opener.addEventListener('click', () => table.setSelecting(!table.isSelecting));
  byId('selection-none').addEventListener('click', () => table.setSelecting(false));
  byId('selection-export').addEventListener('click', async () => {
    try {
      const texts = [];
      for (const game of table.selected) texts.push((await source().load(game)).write('pgn').trim());
      download(`${texts.join('\n\n')}\n`, 'games.pgn', 'application/x-chess-pgn');
    } catch (error) {
      complain(t('games.cannot-export', { why: error.message }));
    }
  });
}

/** The columns that the user does not want are hidden; stored in the browser. */
export function columnChoice(list) {
  let hidden = [];
  try {
    hidden = JSON.parse(localStorage.getItem(STORE)) ?? [];
  } catch { /* none are hidden */ }
  function draw() {
    for (const name of COLUMNS) list.classList.toggle(`no-${name}`, hidden.includes(name));
  }
  byId('columns').append(...COLUMNS.map((name) => h('label', { class: 'switch' }, h('input', { type: 'checkbox', role: 'switch', checked: !hidden.includes(name), onchange: ({ target }) => {
    hidden = target.checked ? hidden.filter((other) => other !== name) : [...hidden, name];
    try {
      localStorage.setItem(STORE, JSON.stringify(hidden));
    } catch { /* private windows keep nothing */ }
    draw();
  } }), h('i', { 'aria-hidden': 'true' }), h('span', {}, t(`column.${name}`)))));
  pop(byId('columns-open'), 'columns', {});
  draw();
}
