/*
 * graph.mjs - the evaluations and the clocks of the line in one graph below the board: White above, Black below, mistakes as dots. A
 * pointer shows the move and its numbers, a click goes there.
 */
import { byId } from './dom.mjs';
import { s } from './charts.mjs';
import { chanceOf, evaluationOf, scoreText } from './evaluation.mjs';
import { shownMove } from './letters.mjs';
import { judgementOf } from './mistakes.mjs';
import { numberOf } from './moves.mjs';
import { clockText } from './players.mjs';
import { t } from './texts.mjs';

const [WIDTH, HEIGHT] = [600, 100]; // of the drawing, which is stretched
const level = (value) => HEIGHT / 2 - (HEIGHT / 2 - 3) * chanceOf(value);

/** Returns show(evaluations): a Map of nodes to evaluations that replaces the game's own during an analysis; null ends that. */
export function graphPanel(doc) {
  const box = byId('graph');
  const svg = s('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': t('graph.label') });
  const part = (name, tag) => svg.appendChild(s(tag, { class: name }));
  const [area, middle, white, black, curve, pointed, here] = [part('area', 'path'), part('middle', 'line'), part('clock white', 'path'), part('clock black', 'path'),
    part('curve', 'path'), part('pointed', 'line'), part('here', 'line')];
  const dots = document.createElement('div');
  const words = document.createElement('p');
  dots.className = 'dots';
  words.className = 'num';
  box.append(svg, dots, words);
  let line = [];
  let pending = null;

  const x = (i) => ((i + 1) / Math.max(1, line.length)) * WIDTH; // after the move i of the line
  const valueAt = (node) => (pending ? pending.get(node) : evaluationOf(doc.items.get(node)));

  /** The clock of each side as a step line at its height: full at the top of its half. */
  function drawClock(path, isWhite) {
    const clocks = line.map((node, i) => [i, doc.items.get(node)]).filter(([, item]) => item.clock !== undefined && (item.ply % 2 === 1) === isWhite);
    const most = Math.max(1, ...line.map((node) => doc.items.get(node).clock ?? 0));
    path.setAttribute('d', clocks.length < 2 ? '' : clocks.map(([i, { clock }], n) => `${n ? 'L' : 'M'}${x(i).toFixed(1)} ${(HEIGHT - 2 - (clock / most) * (HEIGHT - 4)).toFixed(1)}`).join(''));
    return clocks.length > 1;
  }

  function drawDots() {
    dots.replaceChildren(...(pending ? [] : line.flatMap((node, i) => {
      const kind = judgementOf(doc, node);
      const value = valueAt(node);
      if (!kind || !value) return [];
      const dot = document.createElement('i');
      dot.className = kind;
      dot.style.left = `${(x(i) / WIDTH) * 100}%`;
      dot.style.top = `${level(value)}%`;
      return [dot];
    })));
  }

  function drawLine() {
    line = doc.view?.line ?? [];
    const points = line.map((node, i) => [x(i), valueAt(node)]).filter(([, value]) => value);
    const hasCurve = points.length > 1;
    const hasClocks = [drawClock(white, true), drawClock(black, false)].some(Boolean);
    box.hidden = !hasCurve && !hasClocks;
    if (box.hidden) return;
    const path = points.map(([at, value]) => `${at.toFixed(1)} ${level(value).toFixed(1)}`).join('L');
    curve.setAttribute('d', hasCurve ? `M${path}` : '');
    area.setAttribute('d', hasCurve ? `M${points[0][0].toFixed(1)} ${HEIGHT / 2}L${path}L${points.at(-1)[0].toFixed(1)} ${HEIGHT / 2}Z` : '');
    for (const [name, value] of Object.entries({ x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 })) middle.setAttribute(name, value);
    drawDots();
  }

  function drawAt(element, at) {
    for (const [name, value] of Object.entries({ x1: at, x2: at, y1: 0, y2: HEIGHT })) element.setAttribute(name, value);
  }

  /** The move under a pointer, -1 being the start. */
  function moveAt({ clientX }) {
    const { left, width } = svg.getBoundingClientRect();
    return Math.max(-1, Math.min(line.length - 1, Math.round(((clientX - left) / width) * line.length) - 1));
  }

  function point(event) {
    const i = moveAt(event);
    const item = doc.items.get(line[i]);
    drawAt(pointed, x(i));
    const value = item && valueAt(line[i]);
    words.textContent = item ? [`${numberOf(item.ply)} ${shownMove(item.san)}`, value ? scoreText(value) : '', item.clock === undefined ? '' : clockText(item.clock)].filter(Boolean).join('  ') : '';
    words.style.left = `${Math.max(8, Math.min(72, (x(i) / WIDTH) * 100))}%`;
  }
  svg.addEventListener('pointermove', point);
  svg.addEventListener('pointerleave', () => {
    words.textContent = '';
    drawAt(pointed, -10);
  });
  svg.addEventListener('click', (event) => doc.goTo(moveAt(event)));
  doc.addEventListener('change', ({ detail }) => {
    const now = doc.view?.line ?? [];
    if (detail.kind !== 'walk') pending = null;
    if (detail.kind !== 'walk' || now.length !== line.length || now.at(-1) !== line.at(-1)) drawLine();
    drawAt(here, x(doc.place));
  });
  drawLine();
  drawAt(here, x(doc.place));
  return (evaluations) => {
    pending = evaluations;
    drawLine();
    drawAt(here, x(doc.place));
  };
}
