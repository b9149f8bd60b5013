/*
 * readings.mjs - what plain words were understood as: chips for the parts of the reading, and the other readings with their numbers of
 * games, one press away.
 */
import { byId, h } from './dom.mjs';
import { Latest } from './latest.mjs';
import { counted, t } from './texts.mjs';

const NAMED = /\b(player|white|black)\s+~?(?:"([^"*]+)"|([\p{L}\p{M}.'-]+)(?!\*))/u; // a player in a query, but no pattern

/** Answers { draw(text, query), drawNothing(run), clear() }. */
export function readingsPanel(source, search) {
  const box = byId('readings');
  const latest = new Latest();

  function other({ query, parts, games }) {
    const words = parts.map(({ kind, text }) => t(`search.${kind}`, { text })).join(', ');
    return h('button', { type: 'button', class: 'chip', title: query, onclick: () => search.set({ ...search.parts(), q: query }) },
      games === null ? words : t('search.other', { words, games: counted('games.count', games) }));
  }

  return {
    /** The server reads the text again, this time part by part; without an answer the query itself stays as one chip. */
    draw(text, query) {
      latest.run((signal) => source.understand(text, signal), ({ query: read, parts, others }) => {
        if (read !== query) return;
        search.drawChips(query, parts);
        const good = others.filter(({ games }) => games !== 0);
        box.replaceChildren(...(good.length ? [h('span', { class: 'sub' }, t('search.others')), ...good.map(other)] : []));
      }, () => {});
    },
    /** A search without hits: what to do next, and similar names if it names a player. */
    drawNothing(run) {
      const meaning = byId('query-meaning');
      meaning.append(meaning.textContent ? '. ' : '', t('games.empty'), h('button', { type: 'button', class: 'link', onclick: () => search.clear() }, t('games.clear')));
      const typed = search.query.value.match(NAMED);
      const field = ['player', 'white', 'black'].map((name) => byId(`search-${name}`)).find((input) => input.value.trim());
      const name = typed?.[2] ?? typed?.[3] ?? field?.value.trim();
      if (!name) return;
      const take = (other) => {
        if (typed) search.query.value = search.query.value.replace(typed[0], `${typed[1]} "${other}"`);
        else field.value = other;
        run();
      };
      latest.run((signal) => source.similar(name, signal), (near) => {
        if (near.length) meaning.append(` ${t('games.similar')}`, ...near.map((other) => h('button', { type: 'button', class: 'link', onclick: () => take(other) }, other)));
      }, () => {});
    },
    clear() {
      latest.cancel();
      box.replaceChildren();
    },
  };
}
