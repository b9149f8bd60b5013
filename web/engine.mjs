/*
 * engine.mjs - lines of a local engine, if the server has one: off until asked for, ended with the page.
 *
 * The server streams what the engine finds (/api/analyse in docs/api.md); the page only shows it.
 */
import { byId, debounce, h } from './dom.mjs';

const DRAW_MS = 100; // it reports faster than anybody reads

const LINES = 3;
const MOVES = 12; // of a line

/** Centipawns or moves to mate as White sees them: "+0.35", "-M3". */
export function scoreText({ cp, mate }) {
  if (mate !== null) return `${mate < 0 ? '-' : '+'}M${Math.abs(mate)}`;
  return `${cp < 0 ? '-' : '+'}${(Math.abs(cp) / 100).toFixed(2)}`;
}

export function enginePanel(doc, boardView, name) {
  const section = byId('engine');
  const toggle = byId('engine-switch');
  const list = byId('engine-lines');
  const hint = byId('engine-hint');
  let source = null;
  let thought = null; // the engine's last report
  section.hidden = false;
  byId('engine-name').textContent = name;

  /** A line as SAN with numbers; a click on a move plays up to it. */
  function lineOf({ uci, san }) {
    const { ply } = doc.view;
    return san.slice(0, MOVES).map((text, i) => {
      const at = ply + i; // half-moves before this one
      const hasNumber = i === 0 || at % 2 === 0;
      return h('button', { type: 'button', class: 'move', onclick: () => { for (const move of uci.slice(0, i + 1)) doc.play(move); } },
        hasNumber ? h('span', { class: 'number' }, `${Math.floor(at / 2) + 1}${at % 2 ? '…' : '.'}`) : null, text);
    });
  }

  function draw() {
    list.replaceChildren(...thought.lines.map((line) => h('li', {},
      h('b', { class: (line.mate ?? line.cp) < 0 ? 'score black' : 'score white' }, scoreText(line)), h('span', { class: 'pv' }, ...lineOf(line)))));
    hint.textContent = `depth ${thought.depth}`;
    const [[first = null] = []] = thought.lines.map(({ uci }) => uci);
    boardView.setHints(first ? [{ from: first.slice(0, 2), to: first.slice(2, 4) }] : []);
  }
  let drawing = 0;
  const drawSoon = () => {
    drawing ||= setTimeout(() => {
      drawing = 0;
      if (thought) draw();
    }, DRAW_MS);
  };

  function stop() {
    source?.close();
    source = null;
    thought = null;
  }

  function start() {
    stop();
    list.replaceChildren();
    if (!toggle.checked) return;
    if (!doc.view || !doc.view.moves.length) {
      hint.textContent = doc.view ? 'The game is over.' : 'This position cannot be played.';
      return;
    }
    hint.textContent = 'thinking …';
    source = new EventSource(`api/analyse?${new URLSearchParams({ fen: doc.view.fen, lines: LINES, ...(doc.chess960 ? { chess960: 1 } : {}) })}`);
    source.addEventListener('lines', ({ data }) => {
      thought = JSON.parse(data);
      drawSoon();
    });
    source.addEventListener('done', () => source?.close()); // or the browser would ask again
    source.addEventListener('error', ({ data }) => {
      if (!thought) hint.textContent = data ? JSON.parse(data).error : 'The engine does not answer. It may be busy with other pages.';
      source?.close();
    });
  }
  const startSoon = debounce(start, 150);
  toggle.addEventListener('change', () => {
    boardView.setHints([]);
    hint.textContent = '';
    start();
  });
  doc.addEventListener('change', () => {
    stop();
    list.replaceChildren();
    if (toggle.checked) startSoon();
  });
  addEventListener('pagehide', stop);
}
