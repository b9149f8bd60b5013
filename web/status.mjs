/*
 * status.mjs - the state of the game in words.
 */
import { byId, debounce, h } from './dom.mjs';
import { t } from './texts.mjs';

const capital = (text) => text[0].toUpperCase() + text.slice(1);
const ORDINALS = { 2: 'second', 3: 'third', 4: 'fourth' }; // the fifth ends the game
const WON = { '1-0': 'White won', '0-1': 'Black won', '1/2-1/2': 'The game was drawn' };
const WINNER = { '1-0': 'White wins', '0-1': 'Black wins' };

/** { text, kind, notes }: the sentence, its colour, and further remarks. */
export function statusOf(doc) {
  const { faults } = doc.description;
  if (doc.board)
    return { text: 'This position cannot be played', kind: 'bad', notes: faults.map((fault) => capital(fault.text)) };
  const { view } = doc;
  const notes = faults.map((fault) => `Cannot arise in a game: ${fault.text}`);
  const { result, reason } = view.outcome;
  if (result !== '*') {
    const text = WINNER[result] ? `${capital(reason)} — ${WINNER[result]}` : `Draw by ${reason}`;
    return { text, kind: 'over', notes };
  }
  for (const claim of view.claims) notes.push(`${capital(view.side)} may claim a draw: ${claim}`);
  if (view.repetitions > 1) notes.push(`This position occurs for the ${ORDINALS[view.repetitions]} time`);
  const isEnd = view.path.length === view.line.length && doc.node === doc.mainLineEnd;
  if (isEnd && doc.list.result !== '*') return { text: WON[doc.list.result], kind: 'over', notes };
  const check = view.check ? ', in check' : '';
  return { text: `${capital(view.side)} to move${check}`, kind: check ? 'check' : 'open', notes };
}

/** The last move, for screen readers. */
export function spokenMove(doc) {
  const { text } = statusOf(doc);
  const last = doc.view?.last;
  return last ? `${capital(doc.view.side === 'white' ? 'black' : 'white')} played ${last.san}. ${text}.` : `${text}.`;
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
    line.textContent = 'Draw by dead position';
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
