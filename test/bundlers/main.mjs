/* What a user's program does: loads the library, and shows a position. */
import { load } from 'tabiya';
import 'tabiya/tabiya-board.mjs';

load().then((tabiya) => {
  const board = tabiya.board();
  board.play({ from: 'e2', to: 'e4' });
  document.title = board.write('epd');
}, (error) => { document.title = `failed: ${error.message}`; });
