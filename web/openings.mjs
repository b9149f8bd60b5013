/*
 * openings.mjs - names of openings, from a table that is loaded once: of the line, the last position that has a name; of a code, the
 * name with the shortest line.
 */
import { byId, rest } from './dom.mjs';

const LINES_AT_ONCE = 400; // the table is read in parts, so that nothing waits for it

const codes = new Map(); // code -> { name, line }

/** The opening of an ECO code; '' while the table is not loaded, and for an invalid code. */
export const nameOfCode = (code) => codes.get(code)?.name ?? '';

function addCodes(lines) {
  for (const text of lines) {
    const [code, name, line] = text.split('\t');
    if (line && !(codes.get(code)?.line.length <= line.length)) codes.set(code, { name, line });
  }
}

export async function openingNames(doc) {
  const box = byId('opening');
  let isLoaded = false;

  function draw() {
    const name = isLoaded && !doc.board ? doc.game.opening(doc.node) : null;
    const { ECO = '', Opening = '' } = doc.list.tags; // what the game says of itself
    const text = name ? `${name.eco}  ${name.name}` : [ECO, Opening || nameOfCode(ECO)].filter((part) => !/^\?*$/.test(part)).join('  ');
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
    addCodes(lines);
    for (let at = 0; at < lines.length; at += LINES_AT_ONCE) {
      doc.tabiya.addOpenings(lines.slice(at, at + LINES_AT_ONCE).join('\n'));
      await rest();
    }
  } catch {
    return; // the page works without names
  }
  isLoaded = true;
  draw();
}
