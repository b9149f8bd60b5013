/*
 * strip.mjs - the moves around the current one in a single line under the board, for windows too small for the list.
 */
import { byId, h } from './dom.mjs';

const [BEFORE, AFTER] = [7, 3];

export function stripPanel(doc) {
  const strip = byId('strip');
  const isSmall = matchMedia('(max-width: 860px)');

  function moveButton(node) {
    const { ply, san } = doc.items.get(node);
    return h('button', { type: 'button', class: 'move', 'data-node': node, 'aria-current': node === doc.node ? 'true' : null, onclick: () => doc.go(node) },
      ply % 2 ? h('span', { class: 'number' }, `${(ply + 1) / 2}.`) : null, san);
  }

  function draw() {
    if (!isSmall.matches) return; // and asking where it is would make the browser lay out the page
    const { line = [] } = doc.view ?? {};
    const shown = line.slice(Math.max(0, doc.place - BEFORE), Math.max(0, doc.place) + AFTER + 1);
    strip.replaceChildren(...shown.map(moveButton));
    const here = strip.querySelector('[aria-current]');
    strip.scrollLeft = here ? here.offsetLeft + here.offsetWidth - strip.clientWidth * 0.75 : 0;
  }
  doc.addEventListener('change', draw);
  isSmall.addEventListener('change', draw);
  addEventListener('resize', draw); // the current move stays in view when a phone is turned
  draw();
}
