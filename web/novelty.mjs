/*
 * novelty.mjs - where the line leaves the database: the first position that no game, or only this one, reaches.
 */
import { byId, h } from './dom.mjs';
import { Latest } from './latest.mjs';
import { numberOf } from './moves.mjs';
import { t } from './texts.mjs';

/** Positions of a line grow rarer, so halving finds the first new one with a few questions. */
async function firstNew(doc, source, signal) {
  const { line } = doc.view;
  const games = async (node) => (await source.explore({ fen: doc.game.position(node).write() }, signal)).games;
  const isKnown = (await games(line.at(-1))) > 0; // this game itself may be in it
  let [low, high] = [0, line.length]; // the first new one is in [low, high]
  while (low < high) {
    const middle = (low + high) >> 1;
    if (await games(line[middle]) <= (isKnown ? 1 : 0)) high = middle;
    else low = middle + 1;
  }
  return line[low];
}

export function noveltyButton(doc, source) {
  const button = byId('find-novelty');
  const text = byId('novelty-text');
  const latest = new Latest();

  function show(node) {
    if (node === undefined) {
      text.textContent = t('explorer.known');
      return;
    }
    const { ply, san } = doc.items.get(node);
    text.replaceChildren(t('explorer.novelty'), h('button', { type: 'button', class: 'move', onclick: () => doc.go(node) }, `${numberOf(ply)} ${san}`));
  }
  const draw = () => {
    latest.cancel();
    button.hidden = (doc.view?.line.length ?? 0) < 2;
    text.replaceChildren();
  };
  button.addEventListener('click', () => {
    text.textContent = t('explorer.looking');
    latest.run((signal) => firstNew(doc, source, signal), show, (error) => { text.textContent = error.message; });
  });
  doc.addEventListener('change', ({ detail }) => { if (detail.kind !== 'walk') draw(); });
  draw();
}
