/** <tabiya-board>: a board for any page; see the README. Importing tabiya-board.mjs defines it. */
import type { Game, Move, Node } from './tabiya.mjs';

export class TabiyaBoard extends HTMLElement {
  /** The game; null until the library is loaded, and if what was given cannot be read. */
  game: Game | null;
  /** The place in it. */
  node: Node;
}

declare global {
  interface HTMLElementTagNameMap { 'tabiya-board': TabiyaBoard }
  interface HTMLElementEventMap { move: CustomEvent<Move> }
}
