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

const WAIT_MS = 120;
const MOST_WORDS = 5;
const WORD = /(?:^|[\s(])([a-z][a-z-]+)$/; // being typed at the end of a query
/** In a search field: the text before the name being typed, and the name. */
const TYPED = /^(?:(.*\s(?:-|–|vs?\.?|against)\s+)|(.*\b(?:player|white|black)\s+[~=]?)("?))?([\p{L}\p{M}][\p{L}\p{M}\p{N}\s,.'’-]*)$/u;

/** The parts of the field's text: { before, name, isFact }; null where no name is being typed. */
export function typedName(text) {
  const [, other, fact, , name] = TYPED.exec(text) ?? [];
  return name && name.trim().length > 1 ? { before: other ?? fact ?? '', name, isFact: fact !== undefined } : null;
}

/**
 * Lists names for `input`; `isQuery`: names are part of a longer text, and so are `words()`, [{ name, sentence }] of the query language.
 * @param {any} input
 * @param {any} source
 * @param {{ isQuery?: boolean, isOn?: () => boolean, words?: () => Promise<any[]> }} options
 */
export function suggestPlayers(input, source, { isQuery = false, isOn = () => true, words = async () => [] } = {}) {
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

  function take(name) {
    const typed = isQuery ? typedName(input.value) : null;
    input.value = `${typed?.before ?? ''}${typed?.isFact ? `"${name.replaceAll('"', '')}"` : name}`;
    for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true }));
    close();
  }

  /** A word of the language takes the place of the one being typed. */
  function takeWord(name) {
    input.value = `${input.value.replace(/[a-z-]+$/, '')}${name} `;
    for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true }));
    close();
  }

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
    const prefix = isQuery ? typedName(input.value)?.name : input.value.trim();
    const word = isQuery ? WORD.exec(input.value)?.[1] : null;
    const isName = prefix && prefix.length >= 2 && !prefix.includes('*');
    if (!isOn() || (!isName && !word)) {
      close();
      return;
    }
    latest.run(async (signal) => {
      const [names, all] = await Promise.all([isName ? source.names(prefix.trim(), 8, signal).catch(() => []) : [], word ? words().catch(() => []) : []]);
      return { names, found: all.filter(({ name }) => name.startsWith(word) && name !== word).slice(0, MOST_WORDS) };
    }, ({ names, found }) => show(names, prefix ?? '', found), () => close());
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
