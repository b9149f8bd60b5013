/*
 * controls.mjs - buttons and wheel: walking through the game, undoing, flipping, new games, typed moves.
 */
import { byId, icon } from './dom.mjs';
import { playText } from './entry.mjs';
import { pageKeys } from './keys.mjs';
import { shownMove } from './letters.mjs';
import { t } from './texts.mjs';

const AUTOPLAY_MS = 1200;
const INVALID_TEXT = 17; // TBY_INVALID_MOVE_TEXT: not written like a move

/** One notch of the wheel is one move; a touchpad sends many small steps. */
function onWheel(frame, step) {
  let sum = 0;
  frame.addEventListener('wheel', (event) => {
    if (event.ctrlKey || event.deltaY === 0) return;
    event.preventDefault();
    sum += event.deltaMode === 0 ? event.deltaY : event.deltaY * 40;
    if (Math.abs(sum) < 40) return;
    step(Math.sign(sum));
    sum = 0;
  }, { passive: false });
}

function autoplay(doc) {
  const button = byId('play');
  let timer = 0;
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    button.setAttribute('aria-pressed', 'false');
    button.firstElementChild.replaceWith(icon('#icon-play'));
  };
  const isAtEnd = () => doc.place + 1 >= (doc.view?.line.length ?? 0);
  const start = () => {
    if (isAtEnd()) doc.goTo(-1);
    timer = setInterval(() => {
      doc.goTo(doc.place + 1);
      if (isAtEnd()) stop();
    }, AUTOPLAY_MS);
    button.setAttribute('aria-pressed', 'true');
    button.firstElementChild.replaceWith(icon('#icon-pause'));
  };
  doc.addEventListener('change', ({ detail }) => { if (detail.kind !== 'walk' && timer) stop(); });
  return () => {
    if (timer) stop();
    else if (doc.view?.line.length) start();
  };
}

function typedMoves(doc) {
  const input = byId('typed');
  const note = byId('typed-note');
  byId('type-move').addEventListener('submit', (event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (!text) return;
    try {
      playText(doc, text);
      input.value = '';
      note.textContent = '';
    } catch (error) {
      note.textContent = error.status === INVALID_TEXT ? t('typed.no-move', { text }) : `${text}: ${error.message}`;
    }
    input.setAttribute('aria-invalid', String(note.textContent !== ''));
  });
  const forget = () => {
    note.textContent = '';
    input.setAttribute('aria-invalid', 'false');
  };
  input.addEventListener('input', forget);
  doc.addEventListener('change', forget); // it was about another position
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    input.value = '';
    forget();
    input.blur();
  });
}

export function controls(doc, look, { actions: others }) {
  const step = (n) => doc.goTo(Math.max(-1, doc.place + n));
  const actions = {
    first: () => doc.goTo(-1), previous: () => step(-1), next: () => step(1), last: () => doc.goTo(Infinity),
    play: autoplay(doc), undo: () => doc.undo(), redo: () => doc.redo(),
    flip: () => look.turn(look.orientation(doc.description.side) === 'white' ? 'black' : 'white'),
    help: () => byId('help-dialog').showModal(),
  };
  for (const [id, act] of Object.entries({ ...actions, new: others.new })) byId(id).addEventListener('click', act);
  onWheel(byId('frame'), step);
  typedMoves(doc);
  pageKeys({ ...actions, ...others }, (letter) => {
    byId('typed').focus();
    byId('typed').value = letter;
  });

  const drawHint = () => { byId('typed').placeholder = `${shownMove('Nf3')} …`; };
  look.addEventListener('letters', drawHint);
  drawHint();

  function draw() {
    const { place } = doc;
    byId('first').disabled = byId('previous').disabled = place < 0;
    byId('next').disabled = byId('last').disabled = place + 1 >= (doc.view?.line.length ?? 0);
    byId('play').disabled = !doc.view?.line.length;
    byId('undo').disabled = !doc.canUndo;
    byId('redo').disabled = !doc.canRedo;
  }
  doc.addEventListener('change', draw);
  draw();
}
