/*
 * embed.mjs - tabiya-embed.js: the elements <tabiya-board>, <tabiya-games> and <tabiya-explorer> with one script tag, and boards in place of
 * <pre class="pgn"> and of code blocks of Markdown in the languages pgn and fen.
 *
 *     <script type="module" src="tabiya-embed.js"></script>              with ?upgrade=off code blocks stay as they are
 */
import { h } from './dom.mjs';
import { TabiyaExplorer } from './embed-explorer.mjs';
import { TabiyaGames } from './embed-games.mjs';
import { TabiyaBoard, core } from './tabiya-board.mjs';

const BLOCKS = 'pre.pgn, pre.fen, pre > code.language-pgn, pre > code.language-fen, pre > code.pgn, pre > code.fen';

/** The element in place of a block; null for one that cannot be read, which stays. */
function elementFor(tabiya, block) {
  const text = block.textContent.trim();
  const isFen = /(^|\s|-)fen(\s|$)/.test(block.className);
  try {
    if (isFen) {
      tabiya.board(text);
      const board = h('tabiya-board');
      board.setAttribute('fen', text);
      return board;
    }
    const games = [...tabiya.games(text)];
    if (!games.length || games.some(({ error }) => error)) return null;
    const element = h(games.length > 1 ? 'tabiya-games' : 'tabiya-board', {}, text);
    element.setAttribute('moves', '');
    return element;
  } catch {
    return null;
  }
}

/** Replaces the blocks in a part of the page. Answers how many. */
export async function upgrade(root = document) {
  const blocks = [...root.querySelectorAll(BLOCKS)];
  if (!blocks.length) return 0;
  const tabiya = await core();
  let n = 0;
  for (const block of blocks) {
    const element = elementFor(tabiya, block);
    if (!element) continue;
    (block.closest('pre') ?? block).replaceWith(element);
    n++;
  }
  return n;
}

if (new URL(import.meta.url).searchParams.get('upgrade') !== 'off') upgrade();

export const elements = { TabiyaBoard, TabiyaGames, TabiyaExplorer };
