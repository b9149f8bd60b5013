/*
 * pop.mjs - boxes that a button opens over the page: menus, forms, choices. Nothing else moves when they open.
 *
 * Escape and a press outside close them; Escape gives the focus back to the button.
 */
import { byId } from './dom.mjs';

const open = new Set();
/** A message lies over everything, and its buttons leave boxes open. */
const isMessage = (target) => byId('toast').contains(target);

addEventListener('pointerdown', ({ target }) => {
  for (const box of [...open]) if (!box.contains(target) && !isMessage(target)) box.close();
});
addEventListener('focusin', ({ target }) => {
  for (const box of [...open]) if (!box.contains(target) && target !== document.body && !isMessage(target)) box.close();
});

/**
 * Makes the button open the box with the id. `onOpen()` fills it; the first field gets the focus if `takesFocus`; a press on `around`
 * leaves it open. Answers { open, close, isOpen }.
 */
export function pop(button, id, { onOpen = () => {}, onClose = () => {}, takesFocus = false, around = null } = {}) {
  const element = byId(id);
  const box = {
    contains: (target) => element.contains(target) || button.contains(target) || Boolean(around?.contains(target)),
    isOpen: () => !element.hidden,
    open() {
      element.hidden = false;
      button.setAttribute('aria-expanded', 'true');
      open.add(box);
      onOpen();
      if (takesFocus) element.querySelector('input, select, button')?.focus({ preventScroll: true });
    },
    close() {
      if (element.hidden) return;
      element.hidden = true;
      button.setAttribute('aria-expanded', 'false');
      open.delete(box);
      onClose();
    },
  };
  button.addEventListener('click', () => (box.isOpen() ? box.close() : box.open()));
  for (const part of [button, element])
    part.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || event.defaultPrevented || !box.isOpen()) return;
      event.preventDefault();
      event.stopPropagation();
      box.close();
      button.focus();
    });
  return box;
}
