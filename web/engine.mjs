/*
 * engine.mjs - shows the lines of an engine, if there is one: off until switched on, stopped when the page is left.
 *
 * An engine is { name, threads, analyse, annotate }: the server's, or one in the browser (engines.mjs). It streams what it finds
 * (/api/analyse in docs/api.md); this module only shows it. A move under the mouse or the focus has a small board.
 */
import { byId, debounce, h } from './dom.mjs';
import { scoreText } from './evaluation.mjs';
import { shownMove } from './letters.mjs';
import { previewBoard } from './preview.mjs';
import { counted, t } from './texts.mjs';

const DRAW_MS = 100; // it reports faster than anybody reads
const LINES_MOST = 5;
const MOVES = 12; // of a line
const RETRIES = 4;
const RETRY_MS = 250; // and twice as long each time

/** Choices from 1 on; `name` is kept in the settings. Returns { value(), fill(most) }. */
function choice(id, name, look, onChange) {
  const select = byId(id);
  select.addEventListener('change', () => {
    look.set({ [name]: Number(select.value) });
    onChange();
  });
  return {
    value: () => select.value,
    fill(most) {
      select.replaceChildren(...Array.from({ length: most }, (_, i) => h('option', { value: i + 1 }, counted(`engine.${name}`, i + 1))));
      select.value = Math.min(most, Math.max(1, look.settings[name] || most));
      select.parentNode.hidden = most < 2;
    },
  };
}

/**
 * `showScore(evaluation)` shows the engine's evaluation beside the board. Returns { use(engine), current(), threads(), toggle() }; there is no panel
 * without an engine.
 */
export function enginePanel(doc, boardView, look, { showScore }) {
  const section = byId('engine');
  const toggle = byId('engine-switch');
  const list = byId('engine-lines');
  const preview = previewBoard(look);
  let engine = null;
  let stream = null;
  let thought = null; // the engine's last report, and the position it is about
  let retry = 0;
  const lines = choice('engine-count', 'lines', look, () => startSoon());
  const threads = choice('engine-threads', 'threads', look, () => startSoon());

  // ---- Drawing

  function tell(text) {
    const hint = byId('engine-hint');
    hint.textContent = hint.title = text;
  }

  /** A line as SAN with numbers. */
  function movesOf(san) {
    const { ply } = doc.view;
    return san.slice(0, MOVES).map((text, i) => {
      const at = ply + i; // half-moves before this one
      const hasNumber = i === 0 || at % 2 === 0;
      return h('button', { type: 'button', class: 'move', 'data-move': i },
        hasNumber ? h('span', { class: 'number' }, `${Math.floor(at / 2) + 1}${at % 2 ? '…' : '.'}`) : null, shownMove(text));
    });
  }

  /** Moves that stay the same keep their elements, so that a click or the focus does not miss them. */
  function drawLine(item, line) {
    const score = item.firstChild;
    score.className = (line.mate ?? line.cp) < 0 ? 'score black' : 'score white';
    score.textContent = scoreText(line);
    const text = line.san.slice(0, MOVES).join(' ');
    if (item.dataset.san === text) return;
    item.dataset.san = text;
    const focused = item.contains(document.activeElement) ? document.activeElement.dataset.move : null;
    item.lastChild.replaceChildren(...movesOf(line.san));
    if (focused !== null) item.querySelector(`[data-move="${focused}"]`)?.focus({ preventScroll: true });
  }

  function draw() {
    while (list.children.length > thought.lines.length) list.lastChild.remove();
    while (list.children.length < thought.lines.length) list.append(h('li', {}, h('b'), h('span', { class: 'pv' })));
    for (const [i, line] of thought.lines.entries()) drawLine(list.children[i], line);
    tell(t('engine.depth', { depth: thought.depth }));
    const [best] = thought.lines;
    boardView.setHints(best?.uci.length ? [{ from: best.uci[0].slice(0, 2), to: best.uci[0].slice(2, 4) }] : []);
    if (best) showScore({ cp: best.cp, mate: best.mate });
  }
  let drawing = 0;
  const drawSoon = () => {
    drawing ||= setTimeout(() => {
      drawing = 0;
      if (thought) draw();
    }, DRAW_MS);
  };

  // ---- Moves of a line

  /** The moves up to the one of an event, as UCI; null beside them. */
  function movesAt(event) {
    const button = event.target.closest('[data-move]');
    const line = button && thought?.fen === doc.view?.fen && thought?.lines[[...list.children].indexOf(button.closest('li'))];
    return line ? { button, moves: line.uci.slice(0, Number(button.dataset.move) + 1) } : null;
  }

  function point(event) {
    const found = movesAt(event);
    if (!found) {
      preview.hide();
      return;
    }
    const board = doc.position.clone();
    try {
      for (const move of found.moves) board.play(move);
    } catch { // an engine may say anything
      preview.hide();
      return;
    }
    preview.show(found.button, board, { alt: t('preview.move', { move: found.button.textContent }), isWord: true });
  }
  list.addEventListener('mouseover', (event) => { if (matchMedia('(hover: hover)').matches) point(event); });
  list.addEventListener('mouseleave', preview.hide);
  list.addEventListener('focusin', (event) => { if (event.target.matches(':focus-visible')) point(event); });
  list.addEventListener('focusout', preview.hide);
  list.addEventListener('click', (event) => {
    preview.hide();
    for (const move of movesAt(event)?.moves ?? []) doc.play(move);
  });

  // ---- Asking

  function stop() {
    clearTimeout(retry);
    stream?.close();
    stream = null;
    thought = null;
  }

  function clear() {
    list.replaceChildren();
    list.style.setProperty('--lines', toggle.checked ? lines.value() : 0); // room for all of them before they come
    preview.hide();
  }

  /** The server may still be stopping the engine of the last position, so a refused request is repeated a few times. */
  function start(failures = 0) {
    stop();
    clear();
    if (!toggle.checked) return;
    if (!doc.view || !doc.view.moves.length) {
      tell(doc.view ? t('engine.over') : t('engine.unplayable'));
      return;
    }
    tell(t('engine.thinking'));
    const { fen } = doc.view;
    stream = engine.analyse({ fen, lines: lines.value(), threads: threads.value(), ...(doc.chess960 ? { chess960: 1 } : {}) });
    const mine = stream;
    mine.addEventListener('lines', ({ data }) => {
      if (mine !== stream) return;
      thought = { ...JSON.parse(data), fen };
      drawSoon();
    });
    mine.addEventListener('done', () => mine.close()); // or the browser would ask again
    mine.addEventListener('error', ({ data }) => {
      mine.close();
      if (mine === stream) startSoon.cancel(); // or an engine that falls over would start again and again
      if (thought || mine !== stream) return;
      if (!data && failures < RETRIES) retry = setTimeout(() => start(failures + 1), RETRY_MS * 2 ** failures);
      else tell(data ? JSON.parse(data).error : t('engine.busy'));
    });
  }
  const startSoon = debounce(() => start(), 150);
  toggle.addEventListener('change', () => {
    boardView.setHints([]);
    tell('');
    showScore(null);
    startSoon.cancel();
    start();
  });
  doc.addEventListener('change', () => {
    stop();
    clear();
    if (toggle.checked) startSoon();
  });
  addEventListener('pagehide', stop);

  function drawEngine() {
    byId('engine-name').textContent = engine.name;
    lines.fill(LINES_MOST);
    threads.fill(engine.threads);
  }

  /** Another engine, null for none. One in the browser says its name and its threads when it has started. */
  function use(other) {
    stop();
    toggle.checked = false;
    tell('');
    clear();
    engine = other;
    section.hidden = !engine;
    if (!engine) return;
    drawEngine();
    let shown = engine.threads;
    engine.onStarted = () => {
      if (engine !== other) return;
      const hasMore = engine.threads > shown;
      shown = engine.threads;
      drawEngine();
      if (hasMore && toggle.checked) startSoon();
    };
  }
  return { use, current: () => engine, threads: threads.value, toggle: () => { if (engine) toggle.click(); } };
}
