/*
 * preview.mjs - a small board beside a row of a list, or below a move of an engine's line.
 */
import { byId } from './dom.mjs';
import { BLACK_UP } from './tabiya.mjs';
import { t } from './texts.mjs';

const WAIT = 250; // milliseconds for which the pointer has to rest
const PIXELS = 240;

/** Beside a row where there is room, over the board if the list is beside it. */
function besideRow({ top, left }) {
  const isWide = left > PIXELS + 24;
  return [isWide ? left - PIXELS - 20 : innerWidth - PIXELS - 24, isWide ? top - PIXELS / 2 : top - PIXELS - 24];
}

/** Below a word, above it where the window ends. */
const belowWord = ({ top, bottom, left }) => [Math.min(left, innerWidth - PIXELS - 24), bottom + PIXELS + 16 < innerHeight ? bottom + 6 : top - PIXELS - 16];

/** The board itself, one for the page: `look` has the colours of the squares. */
export function previewBoard(look) {
  const box = byId('preview');
  const image = byId('preview-board');
  addEventListener('resize', () => { if (box.matches(':popover-open')) box.hidePopover(); }); // it would be in the wrong place
  return {
    isOpen: () => box.matches(':popover-open'),
    hide: () => { if (box.matches(':popover-open')) box.hidePopover(); },
    /** Shows a board at an element: `isWord` below it, else beside it. */
    show(element, board, { alt, isWord = false }) {
      const [light, dark] = look.colors.map((color) => parseInt(color.slice(1), 16));
      const flags = look.orientation('white') === 'black' ? BLACK_UP : 0;
      URL.revokeObjectURL(image.src);
      image.src = URL.createObjectURL(new Blob([board.svg({ pixels: PIXELS, light, dark, flags })], { type: 'image/svg+xml' }));
      image.alt = alt;
      const [left, top] = (isWord ? belowWord : besideRow)(element.getBoundingClientRect());
      box.style.left = `${Math.max(8, left)}px`;
      box.style.top = `${Math.max(8, Math.min(innerHeight - PIXELS - 16, top))}px`;
      if (!box.matches(':popover-open')) box.showPopover();
    },
  };
}

/** Boards of the games of a table: the position where a search found it, or the last one. `find(index)` answers { game, ply } or null. */
export function previewPanel(find, look) {
  const board = previewBoard(look);
  let timer = 0;
  let wanted = null;

  function hide() {
    clearTimeout(timer);
    wanted = null;
    board.hide();
  }

  async function show(index) {
    wanted = index;
    const found = await find(index).catch(() => null); // a list that has changed
    const row = byId(`game-row-${index}`);
    if (wanted !== index || !found || !row) return;
    const { game, ply } = found;
    const { line } = game.view(0);
    const node = ply > 0 ? line[Math.min(ply, line.length) - 1] : line.at(-1) ?? 0;
    board.show(row, game.position(node), { alt: ply > 0 ? t('preview.ply', { n: ply }) : t('preview.end') });
  }

  return {
    isOpen: board.isOpen,
    hide,
    show,
    soon(index) {
      clearTimeout(timer);
      if (index === null) hide();
      else timer = setTimeout(() => show(index), WAIT);
    },
  };
}
