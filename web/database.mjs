/*
 * database.mjs - changes the database, if the server allows it: saves the game on the board, deletes games, manages
 * collections.
 *
 * Deletions can be undone: the server returns the deleted game and its collections, which can be saved again.
 */
import { askConflict } from './conflict.mjs';
import { byId, complain, h, toast } from './dom.mjs';
import { Latest } from './latest.mjs';
import { pop } from './pop.mjs';
import { counted, t } from './texts.mjs';

const games = (n) => counted('games.count', n);

/** `list` is the panel of games, `search` the page's search. */
export function databasePanel(doc, source, list, search) {
  const latest = new Latest(); // of the collections of a game
  let shown; // the game whose collections are shown, or will be; undefined: none
  let isBusy = false;
  let hasChanged = false; // the database, since `act` began

  async function change(request) {
    const answer = await request;
    hasChanged = true;
    return answer;
  }

  /** One change at a time; a failure is shown, and leaves the list and its selection. Was it done? */
  async function act(work) {
    if (isBusy) return false;
    isBusy = true;
    hasChanged = false;
    let isDone = false;
    try {
      await work();
      isDone = true;
    } catch (error) {
      complain(t(hasChanged ? 'store.part' : 'store.nothing', { why: error.message }));
    }
    isBusy = false;
    shown = undefined;
    draw();
    if (hasChanged) await list.refresh();
    return isDone;
  }

  // ---- Games

  const isEmpty = () => !doc.list.moves.length && !Object.keys(doc.list.tags).length;

  /** Saves the game on the board in place of game `old`, or as a new game if that is 0. */
  const save = (old) => act(async () => {
    if (doc.board) throw new Error(t('store.unplayable'));
    if (isEmpty()) throw new Error(t('store.empty'));
    const choice = await askConflict(doc, source, old);
    if (choice === 'theirs' || choice === null) return;
    const id = await change(source.save(doc.game.write('pgn'), choice === 'both' ? null : old));
    doc.saved(id);
    toast(t('store.saved', { id }));
  });

  /** Undoes deletions; the games have new numbers. `open` is the one that was on the board. */
  const restore = (deleted, open) => act(async () => {
    for (const { id: old, pgn, collections } of deleted) {
      const id = await change(source.save(pgn, null));
      for (const name of collections) await change(source.collect(name, { ids: id }, true));
      if (old === open && doc.stored === null) doc.saved(id);
    }
    toast(t('store.restored', { games: games(deleted.length) }));
  });

  const remove = (ids) => act(async () => {
    const deleted = [];
    const open = doc.stored;
    try {
      for (const id of ids) {
        deleted.push(await change(source.remove(id)));
        if (id === doc.stored) doc.saved(null);
      }
    } finally {
      if (deleted.length) toast(t('store.deleted', { games: games(deleted.length) }), { action: [t('undo'), () => restore(deleted, open)], outlasts: true });
    }
  });

  // ---- Collections

  // Undo is offered only if every game changed, because it must not affect the others.
  const collectThose = (name, parameters, count, isAdding) => act(async () => {
    const changed = await change(source.collect(name, parameters, isAdding));
    toast(changed || !isAdding ? t(isAdding ? 'store.added' : 'store.removed', { games: games(changed), name }) : t('store.already', { name }),
      changed === count ? { action: [t('undo'), () => collectThose(name, parameters, count, !isAdding)] } : {});
  });
  const collect = (name, ids, isAdding = true) => collectThose(name, { ids: ids.join(',') }, ids.length, isAdding);

  /** The collections of the game on the board. */
  function drawCollections() {
    const id = doc.stored;
    if (shown === id || !box.isOpen()) return;
    shown = id;
    latest.run(async () => (id ? source.collections(id) : []), (collections) => byId('store-collections').replaceChildren(...collections.map(({ name }) => h('li', {}, h('span', {}, name),
      h('button', { type: 'button', 'aria-label': t('store.remove-game', { name }), onclick: () => collect(name, [id], false) }, '×')))), (error) => complain(error.message));
  }

  // ---- Drawing

  function draw() {
    const { stored, origin } = doc;
    byId('store-state').textContent = origin ? t('store.state', { id: stored }) : stored ? t('store.changed', { id: stored }) : t('store.new');
    byId('store-save').disabled = Boolean(doc.board || origin || isEmpty());
    byId('store-copy').hidden = !stored;
    byId('store-copy').disabled = Boolean(origin);
    byId('store-delete').disabled = !stored;
    byId('store-form').hidden = !stored;
    drawCollections();
  }

  function drawSelection() {
    const name = search.collection;
    const found = list.found();
    byId('selection-form').hidden = !list.selected().length;
    byId('found-form').hidden = !found || Boolean(list.selected().length) || !Object.keys(found.parameters).length;
    byId('found-label').textContent = found?.count === 1 ? t('store.add-one') : t('store.add-found', { games: games(found?.count ?? 0) });
    byId('selection-remove').hidden = !name;
    byId('selection-remove').textContent = t('store.remove-from', { name });
  }

  byId('store-save').hidden = byId('store-open').hidden = false;
  const box = pop(byId('store-open'), 'store-box', { onOpen: () => {
    shown = undefined;
    draw();
    search.fillCollections().catch(() => {});
  } });
  byId('store-save').addEventListener('click', () => save(doc.stored));
  byId('store-copy').addEventListener('click', () => save(null));
  byId('store-delete').addEventListener('click', () => remove([doc.stored]));
  for (const [id, ids] of Object.entries({ store: () => [doc.stored], selection: () => list.selected() }))
    byId(`${id}-form`).addEventListener('submit', async (event) => {
      event.preventDefault();
      const name = byId(`${id}-collection`).value.trim();
      if (name && ids().length && await collect(name, ids())) byId(`${id}-collection`).value = '';
    });
  byId('found-form').addEventListener('submit', async (event) => {
    event.preventDefault();
    const name = byId('found-collection').value.trim();
    const found = list.found();
    if (name && found && await collectThose(name, found.parameters, found.count, true)) byId('found-collection').value = '';
  });
  byId('selection-remove').addEventListener('click', () => collect(search.collection, list.selected(), false));
  byId('selection-delete').addEventListener('click', () => remove(list.selected()));
  list.onSelect(drawSelection);
  addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (!doc.origin && !isEmpty() && !document.querySelector('dialog:modal')) save(doc.stored);
  });
  doc.addEventListener('change', draw);
  draw();
}
