/*
 * analysis.mjs - the review of a game: its mistakes, and an analysis of the whole game by an engine.
 *
 * The engine evaluates every position of the main line and marks mistakes; the page shows how far it is and takes the game that comes
 * back, as a change that can be undone. The list of mistakes is that of any game that has evaluations.
 */
import { byId, h } from './dom.mjs';
import { Latest } from './latest.mjs';
import { BAD_MARKS, evaluationOf, scoreText } from './evaluation.mjs';
import { shownMove } from './letters.mjs';
import { reviewOf } from './mistakes.mjs';
import { markWords, numberOf } from './moves.mjs';
import { counted, decimal, t } from './texts.mjs';

/** "1 mistake, 2 blunders" of a side. */
function wordsOf(mistakes, none = t('review.good')) {
  const words = Object.keys(BAD_MARKS).map((kind) => [kind, mistakes.filter((other) => other.kind === kind).length])
    .filter(([, n]) => n).map(([kind, n]) => counted(`review.${kind}`, n));
  return words.join(', ') || none;
}

const PHASES = ['opening', 'middlegame', 'endgame'];
const isWhite = ({ item }) => item.ply % 2 === 1;

/** How well both sides played, in each phase, and the mistakes in the main line with what each cost. Returns { step(n), running(isRunning) }. */
export function mistakesPanel(doc) {
  const box = byId('mistakes');
  let isRunning = false;
  let only = null; // the side whose mistakes are shown and stepped through; null: both

  function row({ item, before, kind }) {
    const mark = BAD_MARKS[kind];
    const [was, is] = [evaluationOf(before), evaluationOf(item)].map((value) => (value ? scoreText(value) : ''));
    return h('li', {}, h('button', { type: 'button', class: 'move', 'data-node': item.node, onclick: () => doc.go(item.node) }, h('span', { class: 'number' }, numberOf(item.ply)),
      shownMove(item.san), h('span', { class: `nag ${kind}`, 'aria-hidden': 'true' }, mark), h('span', { class: 'hidden' }, `, ${markWords(mark)}`),
      was && is ? h('small', {}, `${was} → ${is}`) : null));
  }

  const shown = () => reviewOf(doc).all.filter((mistake) => only === null || isWhite(mistake) === (only === 'white'));

  /** A side's row: its button shows only its mistakes. */
  function sideRow(side, review) {
    const { accuracy, loss, moves } = review[side];
    const some = (phase) => review.all.filter((mistake) => isWhite(mistake) === (side === 'white') && mistake.phase === phase);
    return h('tr', {}, h('th', { scope: 'row' }, h('button', { type: 'button', class: 'chip', 'aria-pressed': String(only === side), title: t('review.only', { side: t(`side.${side}`) }), onclick: () => {
      only = only === side ? null : side;
      draw();
    } }, t(`side.${side}`))), h('td', {}, moves ? `${decimal(accuracy)}%` : '–'), h('td', {}, moves ? decimal(loss, 2) : '–'),
    ...PHASES.map((phase) => h('td', { title: wordsOf(some(phase)) }, String(some(phase).length))));
  }

  function table(review) {
    const head = (key) => h('th', { scope: 'col', title: t(`review.${key}-title`) }, t(`review.${key}`));
    return h('table', {}, h('caption', { class: 'hidden' }, t('review.table')), h('thead', {}, h('tr', {}, h('td'), ...['accuracy', 'loss', ...PHASES].map(head))),
      h('tbody', {}, ...['white', 'black'].map((side) => sideRow(side, review))));
  }

  function draw() {
    const review = reviewOf(doc);
    const { isEvaluated, all } = review;
    const isShown = !isRunning && (isEvaluated || all.length > 0);
    byId('review').hidden = !isShown && !isRunning;
    const side = (name) => wordsOf(all.filter((mistake) => isWhite(mistake) === (name === 'white')), isEvaluated ? undefined : t('review.unmarked'));
    byId('review-text').textContent = isRunning ? t('review.running') : isShown ? t('review.sides', { white: side('white'), black: side('black') }) : t('review.none');
    byId('review-text').classList.toggle('hidden', isShown && isEvaluated); // the table says it
    for (const id of ['mistake-back', 'mistake-on']) byId(id).hidden = !all.length || isRunning;
    const focused = box.contains(document.activeElement) ? [...box.querySelectorAll('.chip')].indexOf(document.activeElement) : -1;
    box.replaceChildren(...(isShown && isEvaluated ? [table(review)] : []), h('ul', {}, ...(isRunning ? [] : shown().map(row))));
    box.querySelectorAll('.chip')[focused]?.focus({ preventScroll: true });
  }

  /** To the next mistake of the line, or the one before. */
  function step(n) {
    const ply = doc.item?.ply ?? 0;
    const next = n > 0 ? shown().find(({ item }) => item.ply > ply) : shown().findLast(({ item }) => item.ply < ply);
    if (next) doc.go(next.item.node);
  }
  byId('mistake-back').addEventListener('click', () => step(-1));
  byId('mistake-on').addEventListener('click', () => step(1));
  doc.addEventListener('change', ({ detail }) => {
    if (detail.kind === 'open') only = null;
    if (detail.kind !== 'walk') draw();
  });
  draw();
  return {
    step,
    running(isSo) {
      isRunning = isSo;
      draw();
    },
  };
}

/** `engine` is the panel of engine.mjs; `graph(evaluations)` draws the evaluations so far; `review` is the panel of mistakes. */
export function analysisPanel(doc, look, engine, { graph, review }) {
  const [button, cancel, progress, text, time] = ['analyse', 'analyse-cancel', 'analyse-progress', 'analyse-text', 'analyse-time'].map(byId);
  const latest = new Latest();
  let working = null; // the signal of the analysis, while it works
  time.value = String(look.settings.time);
  if (time.selectedIndex < 0) time.value = '300';
  time.addEventListener('change', () => look.set({ time: Number(time.value) }));

  function tell(words) {
    text.textContent = text.title = words;
  }

  function draw() {
    button.hidden = Boolean(working);
    time.parentNode.hidden = Boolean(working);
    cancel.hidden = progress.hidden = !working;
    button.disabled = !doc.list.moves.length;
    review.running(Boolean(working));
  }

  function end(words) {
    working = null;
    tell(words);
    draw();
  }

  /** The corresponding node in the returned game, which has the same moves in the same order. */
  function take(pgn) {
    const index = doc.list.moves.indexOf(doc.item);
    doc.setGame(doc.tabiya.game(pgn), (game) => game.list().moves[index]?.node ?? 0);
  }

  async function analyse() {
    const signal = latest.begin();
    working = signal;
    const line = doc.game.view(0).line;
    const evaluations = new Map(); // by node
    progress.removeAttribute('value');
    tell('');
    draw();
    try {
      const parameters = { time: time.value, threads: engine.threads() };
      for await (const { event, data } of engine.current().annotate(doc.game.write('pgn'), parameters, signal)) {
        if (event === 'error') throw new Error(data.error);
        if (event === 'game') {
          working = null; // or the change would end it
          take(data.pgn);
          end('');
          return;
        }
        progress.max = data.of + 1;
        progress.value = data.ply + 1;
        tell(t('review.move', { at: Math.max(1, Math.ceil(data.ply / 2)), all: Math.ceil(data.of / 2) }));
        if (data.ply > 0 && (data.cp ?? data.mate) !== null) evaluations.set(line[data.ply - 1], { cp: data.cp, mate: data.mate });
        graph(evaluations);
      }
      throw new Error(t('review.ended'));
    } catch (error) {
      graph(null);
      if (working === signal) end(error.name === 'AbortError' ? t('review.cancelled') : t('review.failed', { why: error.message }));
    }
  }

  button.addEventListener('click', analyse);
  cancel.addEventListener('click', () => latest.cancel());
  addEventListener('pagehide', () => latest.cancel());
  doc.addEventListener('change', ({ detail }) => {
    if (detail.kind === 'walk') return;
    if (working) latest.cancel(); // it was about another game
    tell('');
    draw();
  });
  draw();
}
