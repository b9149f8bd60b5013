/*
 * start.mjs - starts the page, or says why it cannot: a program that was built without clang lacks the rules of chess.
 */
import('./page.mjs').then((page) => page.main()).catch((error) => {
  const status = document.getElementById('status');
  status.dataset.kind = 'bad';
  document.getElementById('status-text').textContent = `The board could not start: ${error.message}`;
  const note = document.createElement('li');
  note.textContent = 'If the program was built without clang, lld or wasi-libc, install them (tools/setup.sh does) and build again.';
  document.getElementById('status-notes').append(note);
});
