/*
 * analysis.mjs - analyses a whole game with the server's engine: evaluates every position of the main line and marks
 * mistakes.
 *
 * The server does both (/api/annotate in docs/api.md); the page shows how far it is and takes the game that comes back, as a change that
 * can be undone. The list of mistakes is that of any game that has evaluations.
 */
import { askEvents } from './api.mjs';
import { byId, h } from './dom.mjs';
import { evaluationOf, scoreText } from './evaluation.mjs';
import { MARK_WORDS, numberOf } from './moves.mjs';

const MISTAKES = ['?!', '?', '??'];
const PLURALS = { '?!': ['dubious move', 'dubious moves'], '?': ['mistake', 'mistakes'], '??': ['blunder', 'blunders'] };

/** "1 mistake, 2 blunders" of a side's marks. */
const counted = (marks) => MISTAKES.map((mark) => [mark, marks.filter((other) => other === mark).length]).filter(([, n]) => n)
  .map(([mark, n]) => `${n} ${PLURALS[mark][n === 1 ? 0 : 1]}`).join(', ') || 'no mistakes';

/** The mistakes in the main line, and what each cost. */
export function mistakesPanel(doc) {
  const box = byId('mistakes');

  function row(item, before) {
    const mark = item.nags.find((nag) => MISTAKES.includes(nag));
    const [was, is] = [evaluationOf(before), evaluationOf(item)].map((value) => (value ? scoreText(value) : ''));
    return h('li', {}, h('button', { type: 'button', class: 'move', 'data-node': item.node, onclick: () => doc.go(item.node) }, h('span', { class: 'number' }, numberOf(item.ply)),
      item.san, h('span', { class: 'nag', 'aria-hidden': 'true' }, mark), h('span', { class: 'hidden' }, `, ${MARK_WORDS[mark]}`),
      was && is ? h('small', {}, `${was} → ${is}`) : null));
  }

  function draw() {
    const line = doc.list.moves.filter((item) => item.depth === 0);
    const isEvaluated = line.filter(evaluationOf).length > 1;
    const marked = line.map((item, i) => [item, line[i - 1]]).filter(([item]) => item.nags.some((nag) => MISTAKES.includes(nag)));
    box.hidden = !isEvaluated;
    if (!isEvaluated) return;
    const marks = (isWhite) => marked.filter(([item]) => (item.ply % 2 === 1) === isWhite).map(([item]) => item.nags.find((nag) => MISTAKES.includes(nag)));
    box.replaceChildren(h('p', { class: 'hint' }, `White: ${counted(marks(true))}. Black: ${counted(marks(false))}.`), h('ul', {}, ...marked.map(([item, before]) => row(item, before))));
  }
  doc.addEventListener('change', ({ detail }) => { if (detail.kind !== 'walk') draw(); });
  draw();
}

/** `threads()` is the number of threads the engine may use; `graph(evaluations)` draws the evaluations so far. */
export function analysisPanel(doc, look, { threads, graph }) {
  const [button, cancel, progress, text, time] = ['analyse', 'analyse-cancel', 'analyse-progress', 'analyse-text', 'analyse-time'].map(byId);
  let stop = null; // while it works
  time.value = String(look.settings.time);
  if (time.selectedIndex < 0) time.value = '300';
  time.addEventListener('change', () => look.set({ time: Number(time.value) }));

  function draw() {
    button.hidden = Boolean(stop);
    time.parentNode.hidden = Boolean(stop);
    cancel.hidden = progress.hidden = !stop;
    button.disabled = !doc.list.moves.length;
  }

  function end(words) {
    stop = null;
    text.textContent = words;
    draw();
  }

  /** The corresponding node in the returned game, which has the same moves in the same order. */
  function take(pgn) {
    const index = doc.list.moves.indexOf(doc.item);
    doc.setGame(doc.tabiya.game(pgn), (game) => game.list().moves[index]?.node ?? 0);
  }

  async function analyse() {
    stop = new AbortController();
    const { signal } = stop;
    const line = doc.game.view(0).line;
    const evaluations = new Map(); // by node
    progress.removeAttribute('value');
    text.textContent = '';
    draw();
    try {
      const parameters = { time: time.value, threads: threads() };
      for await (const { event, data } of askEvents('/annotate', parameters, signal, doc.game.write('pgn'))) {
        if (event === 'error') throw new Error(data.error);
        if (event === 'game') {
          stop = null; // or the change would end it
          take(data.pgn);
          end('');
          return;
        }
        progress.max = data.of + 1;
        progress.value = data.ply + 1;
        text.textContent = `Move ${Math.max(1, Math.ceil(data.ply / 2))} of ${Math.ceil(data.of / 2)}`;
        if (data.ply > 0 && (data.cp ?? data.mate) !== null) evaluations.set(line[data.ply - 1], { cp: data.cp, mate: data.mate });
        graph(evaluations);
      }
      throw new Error('the engine has ended');
    } catch (error) {
      graph(null);
      if (stop?.signal === signal) end(error.name === 'AbortError' ? 'Cancelled; the game is unchanged.' : `The analysis failed: ${error.message}`);
    }
  }

  button.addEventListener('click', analyse);
  cancel.addEventListener('click', () => stop?.abort());
  addEventListener('pagehide', () => stop?.abort());
  doc.addEventListener('change', ({ detail }) => {
    if (detail.kind === 'walk') return;
    stop?.abort(); // it was about another game
    text.textContent = '';
    draw();
  });
  byId('analyse-row').hidden = false;
  draw();
}
