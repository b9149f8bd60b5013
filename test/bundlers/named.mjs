/* The same for bundlers that must be given the module by name: a URL, or its bytes. */
import { load } from 'tabiya';
import wasm from 'tabiya/tabiya.wasm';

load(wasm).then((tabiya) => {
  const board = tabiya.board();
  board.play({ from: 'e2', to: 'e4' });
  document.title = board.write('epd');
}, (error) => { document.title = `failed: ${error.message}`; });
