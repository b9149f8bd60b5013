/*
 * evaluation.mjs - what a position is worth: as text, as a chance to win, and as a bar beside the board.
 *
 * An evaluation is { cp, mate }, centipawns or moves to mate as White sees them; one of them is null.
 */
import { byId } from './dom.mjs';

export const BAD_MARKS = { dubious: '?!', mistake: '?', blunder: '??' };

/** "+0.35", "-M3". */
export function scoreText({ cp, mate }) {
  if (mate !== null) return `${mate < 0 ? '-' : '+'}M${Math.abs(mate)}`;
  return `${cp < 0 ? '-' : '+'}${(Math.abs(cp) / 100).toFixed(2)}`;
}

/** From -1, Black wins for certain, to 1; the curve is that of `tabiya annotate`. */
export function chanceOf({ cp, mate }) {
  if (mate !== null) return mate < 0 ? -1 : 1;
  return 2 / (1 + Math.exp(-0.00368208 * cp)) - 1;
}

/** The [%eval] of a move in the list, or null. */
export const evaluationOf = (item) => (item?.mate === undefined && item?.eval === undefined ? null : { cp: item.eval ?? null, mate: item.mate ?? null });

/** The bar shows the engine's evaluation, or else the game's. Returns show(evaluation), for the engine's; null for none. */
export function evaluationBar(doc, look) {
  const bar = byId('eval-bar');
  let thought = null;

  function draw() {
    const value = thought ?? evaluationOf(doc.item);
    bar.hidden = !value;
    byId('score').textContent = value ? scoreText(value) : '';
    if (!value) return;
    const share = 50 + 50 * chanceOf(value);
    bar.style.setProperty('--white', `${share.toFixed(1)}%`);
    bar.dataset.below = look.orientation(doc.description.side);
    bar.dataset.text = scoreText(value).replace(/^\+/, '');
    bar.dataset.ahead = share < 50 ? 'black' : 'white';
    for (const [name, content] of Object.entries({ valuenow: Math.round(share), valuetext: scoreText(value) })) bar.setAttribute(`aria-${name}`, content);
  }
  doc.addEventListener('change', () => {
    thought = null;
    draw();
  });
  look.addEventListener('change', draw);
  draw();
  return (evaluation) => {
    thought = evaluation;
    draw();
  };
}
