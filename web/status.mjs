/*
 * status.mjs - the state of the game in words.
 */
import { byId, debounce, h } from './dom.mjs';
import { t, word } from './texts.mjs';

const capital = (text) => text[0].toUpperCase() + text.slice(1);
const ENDINGS = { '1-0': 'status.white', '0-1': 'status.black' };
const sideText = (side) => t(`side.${side}`);

/** The state of a game that is over by the rules. */
function overText({ result, reason }) {
  const words = word(reason);
  return ENDINGS[result] ? t('status.won', { reason: capital(words), winner: t(`${ENDINGS[result]}-wins`) }) : t('status.draw', { reason: words });
}

/** { text, kind, notes }: the sentence, its colour, and further remarks. */
export function statusOf(doc) {
  const { faults } = doc.description;
  if (doc.board) return { text: t('status.unplayable'), kind: 'bad', notes: faults.map((fault) => capital(word(fault.text))) };
  const { view } = doc;
  const notes = faults.map((fault) => t('status.impossible', { fault: word(fault.text) }));
  if (view.outcome.result !== '*') return { text: overText(view.outcome), kind: 'over', notes };
  const side = sideText(view.side);
  for (const claim of view.claims) notes.push(t('status.claim', { side, reason: word(claim) }));
  if (view.repetitions > 1) notes.push(t(`status.repeated.${view.repetitions}`)); // the fifth ends the game
  const isEnd = view.path.length === view.line.length && doc.node === doc.mainLineEnd;
  const { result } = doc.list;
  if (isEnd && result !== '*') return { text: ENDINGS[result] ? t(`${ENDINGS[result]}-won`) : t('status.drawn'), kind: 'over', notes };
  return { text: t(view.check ? 'status.check' : 'status.to-move', { side }), kind: view.check ? 'check' : 'open', notes };
}

/** The last move, for screen readers. */
export function spokenMove(doc) {
  const { text } = statusOf(doc);
  const last = doc.view?.last;
  return last ? t('status.spoken', { side: sideText(doc.view.side === 'white' ? 'black' : 'white'), move: last.san, status: text }) : `${text}.`;
}

export function statusPanel(doc) {
  const line = byId('status-text');
  const notes = byId('status-notes');
  const box = byId('status');
  const step = h('span', { id: 'step', class: 'sub', role: 'note' });
  line.after(step);

  // The search for dead positions takes some milliseconds, so it waits for a pause.
  const searchDead = debounce(() => {
    if (doc.board || doc.view.outcome.result !== '*' || !doc.position.isDead()) return;
    line.textContent = t('status.draw', { reason: word('dead position') });
    box.dataset.kind = 'over';
  }, 250);

  function draw() {
    const status = statusOf(doc);
    const turn = doc.description.side;
    line.textContent = status.text;
    line.title = status.text;
    box.dataset.kind = status.kind;
    box.dataset.side = turn;
    const [at, all] = doc.view ? [doc.view.path.length, doc.view.line.length] : [0, 0];
    step.textContent = all ? t('status.step', { at, all }) : '';
    step.setAttribute('aria-label', all ? t('status.step-label', { at, all }) : '');
    step.hidden = !all;
    notes.replaceChildren(...status.notes.map((note) => h('li', {}, note)));
    searchDead();
  }
  doc.addEventListener('change', draw);
  draw();
}
