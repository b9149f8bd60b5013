/*
 * suggest.mjs - completes players' names while they are typed, with their numbers of games: a list below the field.
 *
 * Down and Up choose, Enter takes, Escape closes. The field is a combobox (ARIA 1.2) and stays a plain text field without
 * a server.
 */
import { askOnce } from './api.mjs';
import { debounce, h } from './dom.mjs';

const number = new Intl.NumberFormat('en');
const WAIT_MS = 120;
/** In a search field: the text before the name being typed, and the name. */
const TYPED = /^(?:(.*\s(?:-|–|vs?\.?|against)\s+)|(.*\b(?:player|white|black)\s+[~=]?)("?))?([\p{L}\p{M}][\p{L}\p{M}\p{N}\s,.'’-]*)$/u;

/** The parts of the field's text: { before, name, isFact }; null where no name is being typed. */
export function typedName(text) {
  const [, other, fact, , name] = TYPED.exec(text) ?? [];
  return name && name.trim().length > 1 ? { before: other ?? fact ?? '', name, isFact: fact !== undefined } : null;
}

/** Lists names for `input`; `isQuery`: names are part of a longer text. */
export function suggestPlayers(input, { isQuery = false, isOn = () => true } = {}) {
  const list = h('ul', { class: 'suggested', role: 'listbox', id: `${input.id}-names`, 'aria-label': 'Players', hidden: true });
  let current = -1;
  let stop = new AbortController();
  input.after(list);
  input.setAttribute('role', 'combobox');
  input.setAttribute('aria-autocomplete', 'list');
  input.setAttribute('aria-controls', list.id);
  input.setAttribute('aria-expanded', 'false');

  function close() {
    stop.abort();
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

  function point(index) {
    const options = [...list.children];
    current = (index + options.length + 1) % (options.length + 1); // one place beyond the last: the field itself
    options.forEach((option, i) => option.setAttribute('aria-selected', String(i === current)));
    if (options[current]) {
      input.setAttribute('aria-activedescendant', options[current].id);
      options[current].scrollIntoView({ block: 'nearest' });
    } else input.removeAttribute('aria-activedescendant');
  }

  const look = debounce(async () => {
    const prefix = isQuery ? typedName(input.value)?.name : input.value.trim();
    if (!isOn() || !prefix || prefix.length < 2 || prefix.includes('*')) {
      close();
      return;
    }
    stop.abort(); // the server need not look for what was typed before
    stop = new AbortController();
    const { signal } = stop;
    const { names } = await askOnce('/names', { prefix: prefix.trim(), limit: 8 }, signal).catch(() => ({ names: [] }));
    if (signal.aborted || document.activeElement !== input) return;
    const chosen = list.children[current]?.querySelector('.players').textContent;
    const isKnown = names.length === 1 && names[0].name === prefix.trim();
    list.replaceChildren(...names.map(({ name, games }, i) => h('li', { role: 'option', id: `${list.id}-${i}`, 'aria-selected': 'false',
      onmousedown: (event) => event.preventDefault(), onclick: () => take(name) },
    h('span', { class: 'players' }, name), h('span', { class: 'count' }, `${number.format(games)}`, h('span', { class: 'hidden' }, games === 1 ? ' game' : ' games')))));
    list.hidden = !names.length || isKnown;
    input.setAttribute('aria-expanded', String(!list.hidden));
    point(names.findIndex(({ name }) => name === chosen)); // what was chosen while the server was asked stays so
    if (!list.hidden) input.dispatchEvent(new Event('suggest'));
  }, WAIT_MS);

  input.addEventListener('input', ({ isTrusted }) => { if (isTrusted) look(); });
  input.addEventListener('blur', close);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (list.hidden || current < 0 || current >= list.children.length)) close();
    if (list.hidden) return;
    if (event.key === 'ArrowDown') point(current + 1);
    else if (event.key === 'ArrowUp') point(current - 1);
    else if (event.key === 'Enter') take(list.children[current].querySelector('.players').textContent);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}
