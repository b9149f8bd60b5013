/*
 * tree.mjs - the position as a node of the tree of chess: its FEN without the move number, every move in short form, and
 * what each leads to.
 */
import { byId, h } from './dom.mjs';

/** Returns a function that draws it when it is shown. */
export function treePanel(doc) {
  const panel = byId('panel-tree');
  function draw() {
    if (panel.hidden) return;
    byId('tree-fen').textContent = doc.view?.tree.fen ?? '';
    byId('tree-mark').textContent = doc.view?.tree.mark ?? '';
    byId('tree-moves').replaceChildren(...(doc.view?.moves ?? []).map((move) => h('li', {},
      h('button', { type: 'button', 'data-uci': move.uci, onclick: () => doc.play(move.uci) },
        h('code', {}, `${move.short})`), h('span', {}, move.san), move.mark ? h('em', {}, move.mark) : null))));
  }
  doc.addEventListener('change', draw);
  return draw;
}
