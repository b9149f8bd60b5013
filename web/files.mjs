/*
 * files.mjs - opening files that are chosen, dropped or pasted; saving games, positions and pictures.
 */
import { byId, copyText, h, toast } from './dom.mjs';
import { BLACK_UP, COORDINATES } from './tabiya.mjs';

const GAMES_MAX = 2000; // shown of a file; larger ones belong into a database

// ---- Opening

/** Positions of a text, one a line or one diagram: [{ board, text }]. */
function positionsOf(tabiya, text) {
  const whole = tabiya.board();
  if (whole.guess(text.trim())) return [{ board: whole, text: text.trim() }];
  return text.split('\n').map((line) => line.trim()).filter(Boolean).flatMap((line) => {
    const board = tabiya.board();
    return board.guess(line) ? [{ board, text: line }] : [];
  });
}

const gameTitle = ({ tags, result }) => `${tags.White ?? '?'} – ${tags.Black ?? '?'}  ${result}`;
const gameFacts = ({ tags, plies }) => [tags.Event, tags.Date?.replace(/\.?\?.*/, ''), tags.ECO, `${Math.ceil(plies / 2)} moves`]
  .filter((fact) => fact && !/^\?/.test(fact)).join(' · ');

export function opening(doc) {
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

  function openGames(bytes, notation, name) {
    const found = [];
    const errors = [];
    let isCut = false;
    for (const entry of doc.tabiya.games(bytes, notation)) {
      if (entry.error) errors.push(entry.error);
      else found.push({ name: gameTitle(entry), facts: gameFacts(entry), json: entry.game.write('json') });
      isCut = found.length >= GAMES_MAX;
      if (isCut) break;
    }
    if (!found.length) throw errors[0] ?? new Error(`${name} holds no games`);
    const take = (i) => doc.setGame(doc.tabiya.game(found[i].json, 'json'), () => 0);
    if (errors.length) toast(`${errors.length} bad games: ${errors[0].message}`);
    if (found.length === 1) take(0);
    else choose(`${isCut ? `The first ${found.length}` : found.length} games of ${name}`, found, take);
  }

  function openBytes(bytes, name) {
    const { tabiya } = doc;
    const text = new TextDecoder().decode(bytes);
    const likely = tabiya.guess(name, bytes, true);
    if (likely) return openGames(bytes, likely, name);
    const positions = positionsOf(tabiya, text);
    if (positions.length === 1) return doc.setBoard(positions[0].board);
    if (positions.length) return choose(`${positions.length} positions of ${name}`,
      positions.map((position) => ({ name: position.text, facts: '' })), (i) => doc.setBoard(positions[i].board));
    const possible = tabiya.guess(name, bytes);
    if (!possible) throw new Error(`${name} is in no notation that is known here`);
    return openGames(bytes, possible, name);
  }

  async function openFile(file) {
    try {
      openBytes(new Uint8Array(await file.arrayBuffer()), file.name);
    } catch (error) {
      toast(`${file.name}: ${error.line ? `line ${error.line}: ` : ''}${error.message}`);
    }
  }

  const input = byId('file');
  byId('open').addEventListener('click', () => input.click());
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
    if (text) openFile(new File([text], 'pasted text'));
  });
}

// ---- Saving

function download(content, name, type) {
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

/** `look()` tells the colours and sides of the board as it is shown. */
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
    copy ? h('button', { type: 'button', 'data-copy': name, onclick: copy }, 'Copy') : h('span'),
    h('button', { type: 'button', 'data-save': name, onclick: save }, 'Save'));

  byId('save-games').append(...doc.tabiya.notations.games.map(({ name, summary, endings, binary }) => row(name, summary,
    binary ? null : () => copyText(doc.game.write(name), name),
    () => download(doc.game.writeBytes(name), nameOf(doc) + endings.split(' ')[0], 'application/octet-stream'))));
  byId('save-positions').append(row('fen', 'the position now', () => copyText(doc.position.write(), 'fen'),
    () => download(`${doc.position.write()}\n`, 'position.fen', 'text/plain')));
  byId('save-pictures').append(
    row('text', 'a diagram of letters', () => copyText(text(), 'Diagram'), () => download(text(), 'board.txt', 'text/plain')),
    row('svg', 'a drawing', () => copyText(svg(), 'SVG'), () => download(svg(), 'board.svg', 'image/svg+xml')),
    row('png', 'a picture', async () => {
      try {
        await navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOf(svg(), pixels()) })]);
        toast('Picture copied');
      } catch {
        toast('The browser does not allow copying pictures here');
      }
    }, async () => download(await pngOf(svg(), pixels()), 'board.png', 'image/png')));
}
