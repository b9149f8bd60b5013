/*
 * preview.mjs - a small board beside a row of a list: the position where a search found it, or the last one.
 */
import { byId } from './dom.mjs';

const WAIT = 250; // milliseconds that the pointer has to rest
const PIXELS = 240;

/** `find(index)` answers { game, ply } as { Game, number } or null; `colors()` are those of the squares. */
export function previewPanel(find, colors) {
  const box = byId('preview');
  const image = byId('preview-board');
  let timer = 0;
  let wanted = null;

  function hide() {
    clearTimeout(timer);
    wanted = null;
    if (box.matches(':popover-open')) box.hidePopover();
  }

  /** Beside the row where there is room, over the board if the list is beside it. */
  function place(row) {
    const { top, left } = row.getBoundingClientRect();
    const isWide = left > PIXELS + 24;
    box.style.left = `${isWide ? left - PIXELS - 20 : Math.max(8, innerWidth - PIXELS - 24)}px`;
    box.style.top = `${Math.max(8, Math.min(innerHeight - PIXELS - 16, isWide ? top - PIXELS / 2 : top - PIXELS - 24))}px`;
  }

  async function show(index) {
    wanted = index;
    const found = await find(index).catch(() => null); // a list that has changed
    const row = byId(`game-row-${index}`);
    if (wanted !== index || !found || !row) return;
    const { game, ply } = found;
    const { line } = game.view(0);
    const node = ply > 0 ? line[Math.min(ply, line.length) - 1] : line.at(-1) ?? 0;
    const [light, dark] = colors();
    URL.revokeObjectURL(image.src);
    image.src = URL.createObjectURL(new Blob([game.position(node).svg({ pixels: PIXELS, light, dark })], { type: 'image/svg+xml' }));
    image.alt = `Position after ${ply > 0 ? `half-move ${ply}` : 'the last move'}`;
    place(row);
    if (!box.matches(':popover-open')) box.showPopover();
  }

  return {
    isOpen: () => box.matches(':popover-open'),
    hide,
    show,
    soon(index) {
      clearTimeout(timer);
      if (index === null) hide();
      else timer = setTimeout(() => show(index), WAIT);
    },
  };
}
