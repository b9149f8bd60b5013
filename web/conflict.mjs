/*
 * conflict.mjs - a game that somebody else has changed or deleted since it was opened: both versions side by side, to choose from
 * before it is saved.
 */
import { byId } from './dom.mjs';
import { t } from './texts.mjs';

const moves = (game) => game.write('pgn').trim();

/** The game as the database has it now; null if it is not there any more. */
async function storedNow(doc, source, id) {
  try {
    return doc.tabiya.game(await source.game(id));
  } catch (error) {
    if (error.status === 404) return null;
    throw error;
  }
}

/**
 * What to save in place of game `id`: 'mine' (nobody has changed it, or the user wants this one), 'both' (as a new game), 'theirs' (the stored
 * one was opened instead), or null (nothing).
 */
export async function askConflict(doc, source, id) {
  if (!id || doc.base === null) return 'mine';
  const theirs = await storedNow(doc, source, id);
  if (theirs && theirs.write('json') === doc.base) return 'mine';
  const dialog = byId('conflict-dialog');
  byId('conflict-mine').textContent = moves(doc.game);
  byId('conflict-theirs').textContent = theirs ? moves(theirs) : t('conflict.deleted');
  byId('conflict-take').hidden = byId('conflict-save').hidden = !theirs;
  dialog.returnValue = '';
  dialog.showModal();
  await new Promise((resolve) => { dialog.addEventListener('close', resolve, { once: true }); });
  const choice = dialog.returnValue || null;
  if (choice === 'theirs') doc.setGame(theirs, () => 0, 'open', { id });
  return choice;
}
