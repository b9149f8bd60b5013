/*
 * readings.mjs - what plain words were understood as: chips for the parts of the reading, and the other readings with their numbers of
 * games, one press away.
 */
import { byId, h } from './dom.mjs';
import { placeOf } from './fault.mjs';
import { Latest } from './latest.mjs';
import { counted, t } from './texts.mjs';

const SIDES = ['player', 'white', 'black'];

/** The condition on a player in a query, with its place; undefined if there is none. */
function playerIn(tabiya, text) {
  try {
    return tabiya.understand(text).conditions.find(({ word, name }) => SIDES.includes(word) && name);
  } catch {
    return undefined; // plain words
  }
}

/** Answers { ask(text), drawChips(query), drawNothing(run), clear() }. */
export function readingsPanel(source, search) {
  const box = byId('readings');
  const latest = new Latest();
  const similar = new Latest();
  let known = null; // { query, parts } of the text that is searched for

  const wordsOf = ({ parts }) => parts.map(({ kind, text }) => t(`search.${kind}`, { text })).join(', ');
  const labelOf = (reading, games) => (games === null ? wordsOf(reading) : t('search.other', { words: wordsOf(reading), games: counted('games.count', games) }));
  const other = (reading) => h('button', { type: 'button', class: 'chip', title: reading.query, onclick: () => search.set({ ...search.parts(), q: reading.query }) }, labelOf(reading, reading.games));

  /** The other readings; those that the server had no time to count are counted now, and left out if no game has them. */
  function drawOthers(others, signal) {
    const good = others.filter(({ games }) => games !== 0);
    const chips = good.map(other);
    const label = h('span', { class: 'sub' }, t('search.others'));
    box.replaceChildren(...(good.length ? [label, ...chips] : []));
    for (const [i, reading] of good.entries())
      if (reading.games === null) source.count({ q: reading.query }, signal).then((games) => {
        if (signal.aborted) return;
        chips[i].textContent = labelOf(reading, games);
        chips[i].hidden = !games;
        label.hidden = chips.every(({ hidden }) => hidden);
      }, () => {});
  }

  return {
    /** The words are read while the games are still searched for: what was chosen is seen at once. */
    ask(text) {
      known = null;
      let mine;
      latest.run((signal) => {
        mine = signal;
        return source.understand(text, signal);
      }, ({ query, parts, others }) => {
        known = { query, parts };
        search.drawChips(query, parts);
        drawOthers(others, mine);
      }, () => {});
    },
    /** The query of the games that were found: with its parts if they are known, or else as one chip. */
    drawChips(query) {
      search.drawChips(query, known?.query === query ? known.parts : []);
    },
    /** A search without hits: what to do next, and similar names if it names a player. */
    drawNothing(run) {
      const meaning = byId('query-meaning');
      meaning.append(meaning.textContent ? '. ' : '', t('games.empty'), h('button', { type: 'button', class: 'link', onclick: () => search.clear() }, t('games.clear')));
      const { tabiya } = search.doc;
      const typed = playerIn(tabiya, search.text);
      const field = SIDES.map((name) => byId(`search-${name}`)).find((input) => input.value.trim());
      const name = typed?.name ?? field?.value.trim();
      if (!name) return;
      const take = (other) => {
        if (typed) {
          const [begin, end] = placeOf(typed, search.text);
          search.query.value = `${search.text.slice(0, begin)}${typed.word} ${tabiya.quote(other)}${search.text.slice(end)}`;
        } else field.value = other;
        run();
      };
      similar.run((signal) => source.similar(name, signal), (near) => {
        if (near.length) meaning.append(` ${t('games.similar')}`, ...near.map((other) => h('button', { type: 'button', class: 'link', onclick: () => take(other) }, other)));
      }, () => {});
    },
    clear() {
      latest.cancel();
      similar.cancel();
      known = null;
      box.replaceChildren();
    },
  };
}
