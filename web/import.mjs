/*
 * import.mjs - the games of an opened file into the database, one after the other, with how far it is and a way to stop.
 *
 * Games that the database has already are skipped, so a stopped import can be repeated. Games with an error stay in the file.
 */
import { byId, rest } from './dom.mjs';
import { Latest } from './latest.mjs';
import { counted, number, t } from './texts.mjs';

const SHOWN_EACH = 20; // games

/** `list` is the panel of games. */
export function importPanel(source, list) {
  const [box, start, cancel, progress, text] = ['import', 'import-start', 'import-cancel', 'import-progress', 'import-text'].map(byId);
  const latest = new Latest();
  let isWorking = false;

  function draw() {
    const file = list.file();
    box.hidden = !isWorking && !file?.count;
    start.hidden = isWorking;
    cancel.hidden = progress.hidden = !isWorking;
    if (file) start.textContent = t('import.start', { games: counted('games.count', file.count) });
  }

  /** What became of a game: 'saved', 'known' or 'broken'. */
  async function saved(file, entry) {
    if (entry.error) return 'broken';
    const game = await file.load(entry);
    try {
      await source.save(game.write('pgn'), null);
      return 'saved';
    } catch (error) {
      if (error.status === 409) return 'known';
      throw error;
    }
  }

  async function work(file, entries, signal) {
    const done = { saved: 0, known: 0, broken: 0 };
    const show = () => { text.textContent = t('import.done', { saved: number(done.saved), known: number(done.known), broken: number(done.broken) }); };
    progress.max = entries.length;
    for (const [i, entry] of entries.entries()) {
      if (signal.aborted) break;
      done[await saved(file, entry)]++;
      if (i % SHOWN_EACH) continue;
      progress.value = i;
      show();
      await rest();
    }
    show();
    return done.saved;
  }

  start.addEventListener('click', async () => {
    const file = list.file();
    const signal = latest.begin();
    isWorking = true;
    text.textContent = '';
    draw();
    try {
      await work(file, file.found, signal);
    } catch (error) {
      text.textContent = t('import.failed', { why: error.message });
    }
    isWorking = false;
    draw();
    await list.refresh();
  });
  cancel.addEventListener('click', () => latest.cancel());
  list.onSelect(() => {
    if (!isWorking) text.textContent = '';
    draw();
  });
  draw();
}
