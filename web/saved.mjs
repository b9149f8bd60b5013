/*
 * saved.mjs - named searches, stored in the browser.
 */
import { copyText } from './clipboard.mjs';
import { byId, complain, h } from './dom.mjs';
import { t } from './texts.mjs';

const STORE = 'tabiya-searches';
const MOST = 200;

function stored() {
  try {
    const all = JSON.parse(localStorage.getItem(STORE)) ?? [];
    return all.filter(({ name, parts }) => typeof name === 'string' && typeof parts === 'object').slice(0, MOST);
  } catch {
    return [];
  }
}

/** `parts()` is the search as in the address, `open(parts)` runs it again, `link()` is a link to it. */
export function savedPanel({ parts, open, link }) {
  const list = byId('saved-list');
  const name = byId('saved-name');

  function keep(all) {
    try {
      localStorage.setItem(STORE, JSON.stringify(all));
    } catch {
      complain(t('saved.refused'));
    }
    draw();
  }

  function draw() {
    const all = stored();
    byId('saved-hint').hidden = all.length > 0;
    list.replaceChildren(...all.map((search, i) => h('li', {},
      h('button', { type: 'button', class: 'open', title: search.parts.q, onclick: () => open(search.parts) }, search.name),
      h('button', { type: 'button', 'aria-label': t('saved.delete', { name: search.name }), onclick: () => keep(stored().filter((_, j) => j !== i)) }, '×'))));
  }

  /** One of the same name is replaced. */
  function save() {
    const now = parts();
    const label = name.value.trim() || now.q || Object.values(now).filter(Boolean).join(' ') || t('games.empty-name');
    keep([{ name: label, parts: now }, ...stored().filter((other) => other.name !== label)].slice(0, MOST));
    name.value = '';
  }
  byId('saved-save').addEventListener('click', save);
  byId('saved-link').addEventListener('click', () => copyText(link(), t('copied.search')));
  name.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault(); // it would search
    save();
  });
  for (const type of ['input', 'change']) byId('saved-box').addEventListener(type, (event) => event.stopPropagation()); // they are not part of the search
  draw();
}
