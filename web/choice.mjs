/*
 * choice.mjs - which games the list shows: those of the database, or those of a file, which are only filtered by words.
 */
import { byId, h } from './dom.mjs';
import { t } from './texts.mjs';

/** `database` is its name, or null. Answers { choose('database' or 'file'), setFile(name) }. */
export function sourceChoice(search, database) {
  const choice = byId('games-source');
  let file = null; // its name

  function drawKind() {
    for (const id of ['form-open', 'draw-open', 'tips-open']) byId(id).hidden = search.isFile;
    byId('only-here').parentNode.hidden = search.isFile;
    search.query.placeholder = search.isFile ? t('games.filter') : t('search.placeholder');
  }

  function draw() {
    const { value } = choice;
    choice.replaceChildren(...(database ? [h('option', { value: 'database' }, database)] : []), ...(file ? [h('option', { value: 'file' }, file)] : []));
    if ([...choice.options].some((option) => option.value === value)) choice.value = value;
    choice.hidden = !(database && file);
    byId('no-games').hidden = Boolean(database || file);
    byId('search').hidden = byId('games-bar').hidden = !database && !file;
    drawKind();
  }
  draw();
  return {
    choose(name) {
      choice.value = name;
      drawKind();
      search.query.value = ''; // words for a file are not a query
      search.drawChips(null);
    },
    setFile(name) {
      file = name;
      draw();
    },
  };
}
