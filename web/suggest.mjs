/*
 * suggest.mjs - completes what is typed, in a list below the field: players' names with their numbers of games, and words of the query
 * language with what they mean.
 *
 * Down and Up choose, Enter takes, Escape closes. The field is a combobox (ARIA 1.2) and stays a plain text field without
 * a server.
 */
import { debounce, h } from './dom.mjs';
import { Latest } from './latest.mjs';
import { counted, number, t } from './texts.mjs';
import { typedAt } from './typing.mjs';

const WAIT_MS = 120;
const MOST_WORDS = 5;

/**
 * Lists names for `input`. With `tabiya`, the core, they are part of a query, and so are `words()`, [{ name, sentence }] of the language.
 * @param {any} input
 * @param {any} source
 * @param {{ tabiya?: any, isOn?: () => boolean, words?: () => Promise<any[]> }} options
 */
export function suggestPlayers(input, source, { tabiya = null, isOn = () => true, words = async () => [] } = {}) {
  const list = h('ul', { class: 'suggested', role: 'listbox', id: `${input.id}-names`, 'aria-label': t('search.names'), hidden: true });
  let current = -1;
  const latest = new Latest();
  input.after(list);
  input.setAttribute('role', 'combobox');
  input.setAttribute('aria-autocomplete', 'list');
  input.setAttribute('aria-controls', list.id);
  input.setAttribute('aria-expanded', 'false');

  function close() {
    latest.cancel();
    look.cancel();
    current = -1;
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  }

  /** What is being typed: in a field for names alone it is a name. */
  const typed = () => (tabiya ? typedAt(tabiya, input.value) : { name: { before: '', name: input.value.trim(), isFact: false }, word: null });

  function write(text) {
    input.value = text;
    for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true }));
    close();
  }

  function take(name) {
    const { before, isFact } = typed().name ?? { before: '', isFact: false };
    write(`${before}${isFact ? tabiya.quote(name) : name}`);
  }

  /** A word of the language takes the place of the one being typed. */
  const takeWord = (name) => write(`${typed().word?.before ?? ''}${name} `);

  function point(index) {
    const options = [...list.children];
    current = (index + options.length + 1) % (options.length + 1); // one place beyond the last: the field itself
    options.forEach((option, i) => option.setAttribute('aria-selected', String(i === current)));
    if (options[current]) {
      input.setAttribute('aria-activedescendant', options[current].id);
      options[current].scrollIntoView({ block: 'nearest' });
    } else input.removeAttribute('aria-activedescendant');
  }

  const option = (i, text, note, act) => h('li', { role: 'option', id: `${list.id}-${i}`, 'aria-selected': 'false', onmousedown: (event) => event.preventDefault(), onclick: act },
    h('span', { class: 'players' }, text), note);

  function show(names, prefix, found = []) {
    if (document.activeElement !== input) return;
    const chosen = list.children[current]?.querySelector('.players').textContent;
    const isKnown = names.length === 1 && names[0].name === prefix.trim();
    list.replaceChildren(...names.map(({ name, games }, i) => option(i, name, h('span', { class: 'count' }, number(games), h('span', { class: 'hidden' }, counted('games.count', games).replace(number(games), ''))), () => take(name))),
      ...found.map(({ name, sentence }, i) => option(names.length + i, name, h('span', { class: 'sub' }, sentence), () => takeWord(name))));
    list.hidden = !list.children.length || (isKnown && !found.length);
    input.setAttribute('aria-expanded', String(!list.hidden));
    point(names.findIndex(({ name }) => name === chosen)); // what was chosen while the server was asked stays so
    if (!list.hidden) input.dispatchEvent(new Event('suggest'));
  }

  const look = debounce(() => {
    const { name, word: begun } = typed();
    const [prefix, word] = [name?.name ?? '', begun?.word];
    const isName = prefix.length >= 2 && !prefix.includes('*');
    if (!isOn() || (!isName && !word)) {
      close();
      return;
    }
    latest.run(async (signal) => {
      const [names, all] = await Promise.all([isName ? source.names(prefix.trim(), 8, signal).catch(() => []) : [], word ? words().catch(() => []) : []]);
      return { names, found: all.filter(({ name }) => name.startsWith(word) && name !== word).slice(0, MOST_WORDS) };
    }, ({ names, found }) => show(names, prefix, found), () => close());
  }, WAIT_MS);

  input.addEventListener('input', ({ isTrusted }) => { if (isTrusted) look(); });
  input.addEventListener('blur', close);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (list.hidden || current < 0 || current >= list.children.length)) close();
    if (list.hidden) return;
    if (event.key === 'ArrowDown') point(current + 1);
    else if (event.key === 'ArrowUp') point(current - 1);
    else if (event.key === 'Enter') list.children[current].click();
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}
