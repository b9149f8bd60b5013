/*
 * palette.mjs - the tools that put pieces on a board that is edited: a hand, the pieces, and what else a board takes.
 */
import { h, icon } from './dom.mjs';
import { pieceId, pieceName } from './board.mjs';
import { t } from './texts.mjs';

const PIECES = [...'KQRBNPkqrbnp'];

/**
 * Fills `box`; `more` are letters beyond those of the pieces. Answers take(tool): a letter, '' to clear squares, null to move pieces.
 */
export function palette(box, boardView, more = []) {
  function take(tool) {
    boardView.tool = tool;
    for (const button of box.querySelectorAll('button')) button.setAttribute('aria-pressed', String(button.dataset.tool === String(tool)));
  }
  const toolButton = (tool, label, content) => h('button', { type: 'button', 'data-tool': String(tool), 'aria-label': label,
    title: label, 'aria-pressed': 'false', onclick: () => take(tool) }, content);
  const pieceButton = (letter) => toolButton(letter, pieceName(letter), icon(boardView.pieceHref(pieceId(letter)), 40));
  const half = Math.ceil(more.length / 2);
  box.append(toolButton(null, t('palette.move'), icon('#icon-hand')), ...[...PIECES.slice(0, 6), ...more.slice(0, half)].map(pieceButton),
    toolButton('', t('palette.clear'), icon('#icon-erase')), ...[...PIECES.slice(6), ...more.slice(half)].map(pieceButton));
  return take;
}
