/*
 * files.mjs - opening files that are chosen, dropped or pasted; saving games, positions and pictures.
 */
import { copyPicture, copyText } from './clipboard.mjs';
import { byId, complain, h, rest } from './dom.mjs';
import { openOne, recognise } from './entry.mjs';
import { faultOf } from './lists.mjs';
import { BLACK_UP, COORDINATES } from './tabiya.mjs';
import { t, word } from './texts.mjs';

// ---- Opening

/** `openMany(bytes, notation, name)` takes files of many games; with `isOne`, a file with one, which is opened here. */
export function opening(doc, source, openMany) {
  const dialog = byId('choose');
  const list = byId('choose-list');

  /** Shows titles to choose from; `take(i)` opens one. */
  function choose(title, entries, take) {
    byId('choose-title').textContent = title;
    list.replaceChildren(...entries.map(({ name, facts }, i) => h('li', {}, h('button', { type: 'button', onclick: () => {
      dialog.close();
      take(i);
    } }, h('span', { class: 'players' }, name), h('span', { class: 'facts' }, facts)))));
    byId('choose-filter').value = '';
    dialog.showModal();
  }
  byId('choose-filter').addEventListener('input', (event) => {
    const words = event.target.value.toLowerCase().split(/\s+/);
    for (const item of list.children) item.hidden = !words.every((word) => item.textContent.toLowerCase().includes(word));
  });

  /** The first two games show whether there are many. A game with a fault is opened as far as it is good. */
  function openGames(bytes, notation, name) {
    const first = [];
    for (const entry of doc.tabiya.games(bytes, notation)) {
      if (entry.plies || Object.keys(entry.tags).length) first.push({ ...entry, json: entry.game.write('json') });
      else if (entry.error) throw entry.error;
      if (first.length === 2) break;
    }
    if (!first.length) throw new Error(t('open.no-games'));
    if (first.length === 2) {
      openMany(bytes, notation, name);
      return;
    }
    const [{ json, error }] = first;
    openMany(bytes, notation, name, { isOne: true });
    doc.setGame(doc.tabiya.game(json, 'json'), error ? (game) => game.mainLineEnd() : () => 0, 'open');
    if (error) complain(faultOf(error, error.where ? ` (${error.where.split(',')[0]})` : ''));
  }

  async function openBytes(bytes, name) {
    const found = recognise(doc, bytes, name);
    if (openOne(doc, source, found)) return;
    await rest(); // the file may be large
    if (found.games) openGames(bytes, found.games, name);
    else choose(t('open.positions', { n: found.positions.length, name }),
      found.positions.map((position) => ({ name: position.text, facts: '' })), (i) => doc.setBoard(found.positions[i].board));
  }

  async function openFile(file) {
    try {
      await openBytes(new Uint8Array(await file.arrayBuffer()), file.name);
    } catch (error) {
      complain(t('open.failed', { name: file.name, why: error.line ? t('open.at-line', { line: error.line, why: error.message }) : error.message }));
    }
  }

  const input = byId('file');
  for (const id of ['open', 'open-games']) byId(id).addEventListener('click', () => input.click());
  input.addEventListener('change', () => {
    if (input.files[0]) openFile(input.files[0]);
    input.value = '';
  });
  addEventListener('dragover', (event) => {
    if (![...event.dataTransfer.types].includes('Files')) return;
    event.preventDefault();
    document.body.classList.add('dropping');
  });
  addEventListener('dragleave', (event) => {
    if (!event.relatedTarget) document.body.classList.remove('dropping');
  });
  addEventListener('drop', (event) => {
    document.body.classList.remove('dropping');
    const [file] = event.dataTransfer.files;
    if (!file) return;
    event.preventDefault();
    openFile(file);
  });
  addEventListener('paste', (event) => {
    if (event.target.closest?.('input, textarea')) return;
    const text = event.clipboardData.getData('text');
    if (text.trim()) openFile(new File([text], t('open.pasted')));
  });
}

// ---- Saving

export function download(content, name, type) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = h('a', { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A file's name from the players, or "game". */
function nameOf(doc) {
  const { White, Black } = doc.list.tags;
  const name = [White, Black].filter(Boolean).join('-').normalize('NFKD').replace(/[^\w-]+/g, '_').replace(/^_+|_+$/g, '');
  return name || 'game';
}

async function pngOf(svg, pixels) {
  const image = new Image();
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    image.src = url;
    await image.decode();
    const canvas = h('canvas', { width: pixels, height: pixels });
    canvas.getContext('2d').drawImage(image, 0, 0, pixels, pixels);
    return await new Promise((resolve) => { canvas.toBlob(resolve, 'image/png'); });
  } finally {
    URL.revokeObjectURL(url);
  }
}

const attribute = (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** What shows the game, or the position, on another web page: see docs/embed.md. */
export function embedText(doc, orientation) {
  const what = doc.board || !doc.list.moves.length ? `fen="${attribute(doc.position.write())}"` : `pgn="${attribute(doc.game.write('pgn').trim())}" ply="${doc.view.path.length}" moves`;
  return `<script type="module" src="${new URL('tabiya-embed.js', document.baseURI.split('#')[0])}"></script>\n<tabiya-board ${what}${orientation === 'black' ? ' orientation="black"' : ''}></tabiya-board>\n`;
}

/** `look()` returns the colours and sides of the board as it is shown. */
export function saving(doc, look) {
  const dialog = byId('save-dialog');
  byId('save').addEventListener('click', () => dialog.showModal());

  const pixels = () => Math.min(4096, Math.max(64, Number(byId('pixels').value) || 800));
  const svg = () => {
    const { orientation, light, dark, showsLast, showsCheck, coordinates } = look();
    return doc.position.svg({
      flags: (orientation === 'black' ? BLACK_UP : 0) | (coordinates ? COORDINATES : 0), pixels: pixels(), light, dark,
      from: showsLast ? doc.view?.last?.from : null, to: showsLast ? doc.view?.last?.to : null,
      check: showsCheck ? doc.view?.check : null,
    });
  };
  const text = () => doc.position.diagram((look().orientation === 'black' ? BLACK_UP : 0) | COORDINATES);

  const row = (name, summary, copy, save) => h('li', {}, h('span', {}, h('b', {}, name), h('small', {}, summary)),
    copy ? h('button', { type: 'button', 'data-copy': name, onclick: copy }, t('save.copy')) : h('span'),
    h('button', { type: 'button', 'data-save': name, onclick: save }, t('save.save')));

  byId('save-games').append(...doc.tabiya.notations.games.map(({ name, summary, endings, binary }) => row(name, word(summary),
    binary ? null : () => copyText(doc.game.write(name), name),
    () => download(doc.game.writeBytes(name), nameOf(doc) + endings.split(' ')[0], 'application/octet-stream'))));
  const embed = () => embedText(doc, look().orientation);
  byId('save-games').append(row('embed', t('save.embed'), () => copyText(embed(), 'HTML'), () => download(embed(), `${nameOf(doc)}.html`, 'text/html')));
  byId('save-positions').append(row('fen', t('save.fen'), () => copyText(doc.position.write(), 'fen'),
    () => download(`${doc.position.write()}\n`, 'position.fen', 'text/plain')));
  byId('save-pictures').append(
    row('text', t('save.text'), () => copyText(text(), t('copied.diagram')), () => download(text(), 'board.txt', 'text/plain')),
    row('svg', t('save.svg'), () => copyText(svg(), 'SVG'), () => download(svg(), 'board.svg', 'image/svg+xml')),
    row('png', t('save.png'), () => copyPicture(() => pngOf(svg(), pixels())), async () => download(await pngOf(svg(), pixels()), 'board.png', 'image/png')));
}
