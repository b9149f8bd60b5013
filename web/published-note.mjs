/*
 * published-note.mjs - what a published page says of its games: how many and which, and how far a search has come.
 */
import { byId, complain, h } from './dom.mjs';
import { counted, number, t } from './texts.mjs';

/** `server` is what the source says of itself. */
export function publishedNote(source, server) {
  if (server.fault) {
    complain(server.fault);
    return;
  }
  const { title, games } = server.published;
  byId('explorer').append(h('p', { class: 'foot hint', id: 'published-note' }, t('published.games', { title, games: counted('games.count', games) }), ' ',
    h('span', { title: t('published.filters') }, t('published.short'))));
  source.progress = (done, all) => {
    if (byId('games-table').ariaBusy === 'true') byId('games-count').textContent = t('published.progress', { done: number(done), all: number(all) });
  };
}
