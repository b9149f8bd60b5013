/*
 * repertoire.mjs - the user's own lines: where the open game left them, what opponents play that they do not cover, and
 * practising them.
 *
 * Lines are a file of games with variations, kept in the browser. Positions count, not the order of moves. What was practised
 * is kept there too: a move that was right comes back after days, each time later; one that was wrong after minutes.
 */
import { byId, complain, h, toast } from './dom.mjs';
import { shownMove } from './letters.mjs';
import { number, t } from './texts.mjs';

const LINES = 'tabiya.lines';
const PRACTICE = 'tabiya.practice';
const DAY = 86_400_000;
const SOON = 600_000;
const GROWTH = 2.5;

const stored = (name, otherwise) => {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? otherwise;
  } catch {
    return otherwise;
  }
};
const store = (name, value) => {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false; // storage is full or not allowed: the lines last as long as the page
  }
};

const keyOf = (board) => board.hash().toString(36);

/** The positions of lines by their keys: { side, start, line, moves }, the FEN and SAN that lead there and the SAN that is planned. */
export function readLines(tabiya, text) {
  const positions = new Map();
  const at = (board, start, line) => {
    const key = keyOf(board);
    if (!positions.has(key)) positions.set(key, { key, side: board.describe().side, start, line, moves: [] });
    return positions.get(key);
  };
  for (const { game } of tabiya.games(new TextEncoder().encode(text), 'pgn')) {
    const { moves } = game.list();
    const fen = game.start().write('fen');
    const start = at(game.start(), fen, []);
    const paths = [[]]; // by depth: the positions after the moves of the line so far
    for (const { node, depth, opens, ply, san } of moves) {
      if (opens && depth) paths[depth] = paths[depth - 1].slice(0, ply - moves[0].ply);
      const from = paths[depth].at(-1) ?? start;
      if (!from.moves.includes(san)) from.moves.push(san);
      paths[depth].push(at(game.position(node), from.start, [...from.line, san]));
    }
  }
  return positions;
}

/** The side that has one move in more positions; White if there is no difference. */
export function sideOf(positions) {
  const several = { white: 0, black: 0 };
  for (const { side, moves } of positions.values()) if (moves.length > 1) several[side]++;
  return several.black < several.white ? 'black' : 'white';
}

/** When a move comes back: [time, days]; `known` is what this gave before. */
export function schedule(known, isRight, now) {
  if (!isRight) return [now + SOON, 0];
  const days = known?.[1] ? Math.round(known[1] * GROWTH * 10) / 10 : 1;
  return [now + days * DAY, days];
}

/** The next position to practise: the one that waits longest, else a new one, the shortest line first; null if none is due. */
export function nextToPractise(positions, side, practice, now) {
  const mine = [...positions.values()].filter((one) => one.side === side && one.moves.length);
  const due = mine.filter(({ key }) => practice[key] && practice[key][0] <= now).sort((a, b) => practice[a.key][0] - practice[b.key][0]);
  const fresh = mine.filter(({ key }) => !practice[key]).sort((a, b) => a.line.length - b.line.length);
  return due[0] ?? fresh[0] ?? null;
}

/** "3... Nf6" of the move after `line`, which began at the usual start. */
const numbered = (line, san) => `${Math.floor(line.length / 2) + 1}${line.length % 2 ? '...' : '.'} ${san}`;

/** `practising(isOn)` is called when practice begins and ends: what would give the move away is hidden. */
export function repertoirePanel(doc, source, { hasDatabase, practising }) {
  const { tabiya } = doc;
  let lines = null; // { text, name, side, positions }
  let asked = null; // the position being practised, and whether it was missed
  let before = null; // the game that was open when practice began
  let done = null; // the nodes of the line that was drawn; null: none

  function take(text, name, side) {
    const positions = readLines(tabiya, text);
    if (positions.size < 2) throw new Error(t('open.no-moves'));
    lines = { text, name, side: side ?? sideOf(positions), positions };
    draw();
  }

  function keep() {
    const { text, name, side } = lines;
    if (!store(LINES, { text, name, side })) toast(t('lines.unsaved'));
  }

  // ---- Where the game left them

  function drawLeft() {
    const box = byId('lines-left');
    const { line = [] } = doc.view ?? {};
    if (!lines || asked || !doc.view) {
      box.textContent = '';
      done = null;
      return;
    }
    const key = line.join(' ');
    if (key === done) return;
    done = key;
    const found = [doc.start, ...line.map((node) => doc.game.position(node))].map((board) => lines.positions.get(keyOf(board)));
    const last = found.findLastIndex(Boolean);
    const san = (index) => doc.items.get(line[index])?.san;
    if (last < 0) box.textContent = t('lines.outside');
    else if (last === line.length) box.textContent = line.length ? t('lines.inside') : '';
    else if (!found[last].moves.length) box.textContent = t('lines.end', { move: numbered(Array(last - 1), san(last - 1)) });
    else {
      const who = t(found[last].side === lines.side ? 'lines.you-leave' : 'lines.they-leave');
      box.replaceChildren(who, h('button', { type: 'button', class: 'link', onclick: () => doc.go(line[last]) }, numbered(Array(last), san(last))),
        t('lines.planned-then', { moves: found[last].moves.join(', ') }));
    }
  }

  function draw() {
    for (const id of ['lines-side-line', 'lines-actions']) byId(id).hidden = !lines;
    byId('lines-forget').hidden = !lines;
    byId('lines-gaps').hidden = !hasDatabase;
    byId('lines-side').value = lines?.side ?? 'white';
    byId('lines-list').replaceChildren();
    byId('lines-state').textContent = lines ? t('lines.state', { name: lines.name, n: number(lines.positions.size) }) : t('lines.none');
    done = null;
    drawLeft();
  }

  // ---- What they do not cover

  async function listGaps() {
    const { text, side } = lines;
    const list = byId('lines-list');
    list.setAttribute('aria-busy', 'true');
    try {
      const { moves } = await source.gaps(text, side, 20);
      list.replaceChildren(...(moves.length ? moves.map(({ line, san, games, of, planned }) => {
        const played = line ? line.split(' ').filter((word) => !/^\d+\.+$/.test(word)) : [];
        return h('li', {}, h('button', { type: 'button', onclick: () => show([...played, san]) },
          h('span', {}, h('b', {}, numbered(played, san)), t('lines.gap', { n: number(games), all: number(of) })),
          h('span', { class: 'facts' }, t('lines.gap-facts', { line: line || t('lines.at-start'), moves: planned.join(', ') }))));
      }) : [h('li', { class: 'hint' }, t('lines.no-gaps'))]));
    } catch (error) {
      complain(t('lines.gaps-failed', { why: error.message }));
    }
    list.setAttribute('aria-busy', 'false');
  }

  function show(line) {
    const game = tabiya.game(`${line.join(' ')} *`);
    doc.setGame(game, (opened) => opened.mainLineEnd(), 'open');
  }

  // ---- Practising

  function say(text) {
    byId('practice-text').textContent = text;
  }

  function askNext() {
    const practice = stored(PRACTICE, {});
    const next = nextToPractise(lines.positions, lines.side, practice, Date.now());
    if (!next) {
      stopPractice();
      say(t('lines.nothing-due'));
      return;
    }
    byId('lines-list').replaceChildren(); // it names planned moves
    before ??= doc.mark(); // the open game comes back
    asked = { ...next, isMissed: false };
    practising(true);
    const game = tabiya.game();
    game.setStart(tabiya.board(next.start));
    let node = 0;
    for (const san of next.line) node = game.play(node, san);
    doc.setGame(game, () => node, 'practise');
    say(t('lines.your-move', { side: t(`side.${lines.side}`) }));
    byId('practice-show').hidden = false;
    byId('practice-stop').hidden = false;
  }

  function judge(isRight) {
    const practice = stored(PRACTICE, {});
    practice[asked.key] = schedule(practice[asked.key], isRight && !asked.isMissed, Date.now());
    store(PRACTICE, practice);
  }

  function stopPractice() {
    const mine = before;
    before = null;
    asked = null;
    if (mine) doc.returnTo(mine);
    practising(false);
    say('');
    byId('practice-show').hidden = true;
    byId('practice-stop').hidden = true;
    drawLeft();
  }

  /** After a move of the user's. */
  function look({ detail }) {
    if (asked && detail.kind === 'move' && doc.view && doc.place === asked.line.length) {
      const { san } = doc.view.last;
      if (asked.moves.includes(san)) {
        judge(true);
        toast(t('lines.right', { move: shownMove(san) }));
        setTimeout(() => { if (asked) askNext(); }, 600);
      } else {
        asked.isMissed = true;
        say(t('lines.wrong', { move: shownMove(san) }));
        setTimeout(() => doc.undo());
      }
    }
    if (detail.kind !== 'walk') done = null;
    drawLeft();
  }

  // ---- The box

  byId('lines-file').addEventListener('click', () => byId('lines-input').click());
  byId('lines-input').addEventListener('change', async ({ target }) => {
    const [file] = target.files;
    target.value = '';
    if (!file) return;
    try {
      take(await file.text(), file.name);
      keep();
    } catch (error) {
      complain(t('lines.cannot-use', { name: file.name, why: error.message }));
    }
  });
  byId('lines-game').addEventListener('click', () => {
    try {
      take(doc.game.write('pgn'), t('lines.open-game'));
      keep();
    } catch (error) {
      complain(t('lines.cannot-use', { name: t('lines.open-game'), why: error.message }));
    }
  });
  byId('lines-forget').addEventListener('click', () => {
    const before = lines;
    stopPractice();
    lines = null;
    store(LINES, null);
    draw();
    toast(t('lines.removed'), { action: [t('undo'), () => { lines = before; keep(); draw(); }] });
  });
  byId('lines-side').addEventListener('change', ({ target }) => {
    lines.side = target.value;
    keep();
    draw();
  });
  byId('lines-gaps').addEventListener('click', listGaps);
  byId('lines-practise').addEventListener('click', askNext);
  byId('practice-show').addEventListener('click', () => {
    asked.isMissed = true;
    judge(false);
    say(t('lines.planned', { moves: asked.moves.join(', ') }));
  });
  byId('practice-stop').addEventListener('click', stopPractice);
  doc.addEventListener('change', look);
  const kept = stored(LINES, null);
  try {
    if (kept) take(kept.text, kept.name, kept.side);
    else draw();
  } catch {
    draw(); // lines of another version
  }
}
