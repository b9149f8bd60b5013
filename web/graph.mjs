/*
 * graph.mjs - the evaluations of the line as a curve: what [%eval] says, White above, Black below. A click goes there.
 */
import { byId } from './dom.mjs';
import { chanceOf, evaluationOf } from './evaluation.mjs';

const SVG = 'http://www.w3.org/2000/svg';
const HEIGHT = 60;

const MARKS = { '?!': 'dubious', '?': 'mistake', '??': 'blunder' };
const level = (value) => HEIGHT / 2 - (HEIGHT / 2 - 2) * chanceOf(value);

/** Returns show(evaluations): a Map of nodes to evaluations that replaces the game's own during an analysis; null ends that. */
export function graphPanel(doc) {
  const box = byId('graph');
  const svg = document.createElementNS(SVG, 'svg');
  const part = (name, tag) => {
    const element = document.createElementNS(SVG, tag);
    element.setAttribute('class', name);
    svg.append(element);
    return element;
  };
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', 'Evaluation of each move');
  const [known, area, middle, curve, here] = [part('known', 'rect'), part('area', 'path'), part('middle', 'line'), part('curve', 'path'), part('here', 'line')];
  const marks = Object.entries(MARKS).map(([mark, name]) => [mark, part(`mark ${name}`, 'path')]);
  box.append(svg);
  let line = [];
  let pending = null;

  function drawLine() {
    line = doc.view?.line ?? [];
    const points = line.map((node, i) => [i + 1, pending ? pending.get(node) : evaluationOf(doc.items.get(node))]).filter(([, value]) => value);
    box.hidden = points.length < 2;
    if (box.hidden) return;
    svg.setAttribute('viewBox', `0 0 ${line.length + 1} ${HEIGHT}`);
    const path = points.map(([x, value]) => `${x} ${level(value).toFixed(2)}`).join('L');
    const [from, to] = [points[0][0], points.at(-1)[0]];
    curve.setAttribute('d', `M${path}`);
    for (const [name, value] of Object.entries({ x: from, y: 0, width: to - from, height: HEIGHT })) known.setAttribute(name, value); // beyond it nothing is known
    area.setAttribute('d', `M${from} ${HEIGHT}L${path}L${to} ${HEIGHT}Z`);
    for (const [mark, path2] of marks)
      path2.setAttribute('d', line.map((node, i) => (!pending && doc.items.get(node)?.nags.includes(mark) ? `M${i + 1} 0V${HEIGHT}` : '')).join(''));
    for (const [name, value] of Object.entries({ x1: 0, x2: line.length + 1, y1: HEIGHT / 2, y2: HEIGHT / 2 })) middle.setAttribute(name, value);
  }

  function drawPlace() {
    const x = doc.place + 1;
    for (const [name, value] of Object.entries({ x1: x, x2: x, y1: 0, y2: HEIGHT })) here.setAttribute(name, value);
  }

  svg.addEventListener('click', (event) => {
    const { left, width } = svg.getBoundingClientRect();
    doc.goTo(Math.round(((event.clientX - left) / width) * (line.length + 1)) - 1);
  });
  doc.addEventListener('change', ({ detail }) => {
    const now = doc.view?.line ?? [];
    if (detail.kind !== 'walk') pending = null;
    if (detail.kind !== 'walk' || now.length !== line.length || now.at(-1) !== line.at(-1)) drawLine();
    drawPlace();
  });
  drawLine();
  drawPlace();
  return (evaluations) => {
    pending = evaluations;
    drawLine();
    drawPlace();
  };
}
