/*
 * openings.mjs - the name of the opening, from a table that is loaded once: the last named position of the line.
 */
import { byId } from './dom.mjs';

const LINES_AT_ONCE = 400; // the table is read in parts, so that nothing waits for it

export async function openingNames(doc) {
  const box = byId('opening');
  let isLoaded = false;

  function draw() {
    const name = isLoaded && !doc.board ? doc.game.opening(doc.node) : null;
    const { ECO = '', Opening = '' } = doc.list.tags; // what the game says of itself
    const text = name ? `${name.eco}  ${name.name}` : [ECO, Opening].filter((part) => !/^\?*$/.test(part)).join('  ');
    if (box.textContent === text) return;
    box.textContent = text;
    box.title = text;
  }
  doc.addEventListener('change', draw);
  draw();

  try {
    const response = await fetch(new URL('openings.tsv', import.meta.url));
    if (!response.ok) return;
    const lines = (await response.text()).split('\n');
    for (let at = 0; at < lines.length; at += LINES_AT_ONCE) {
      doc.tabiya.addOpenings(lines.slice(at, at + LINES_AT_ONCE).join('\n'));
      await new Promise((resolve) => { setTimeout(resolve); });
    }
  } catch {
    return; // the page works without names
  }
  isLoaded = true;
  draw();
}
