/*
 * charts.mjs - small charts as SVG: curves with an axis, and columns of results over years. Every mark can be pointed at and clicked.
 *
 * Our own, because the page needs three kinds of charts with a few hundred points: uPlot (MIT) is 50 kB, draws on a canvas that screen
 * readers and print do not see, and has its own style; this is 4 kB and takes its colours from the page.
 */
import { h } from './dom.mjs';
import { number } from './texts.mjs';

const SVG = 'http://www.w3.org/2000/svg';

/** An element of SVG. */
export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null && value !== undefined) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Round numbers between two: [2500, 2600, 2700]. */
export function ticks(from, to, most = 4) {
  const rough = (to - from) / most;
  const power = 10 ** Math.floor(Math.log10(rough || 1));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? power;
  const all = [];
  for (let value = Math.ceil(from / step) * step; value <= to; value += step) all.push(value);
  return all;
}

const path = (points) => points.map(([x, y], i) => `${i ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');

/**
 * A curve through [{ x, y, text }] with values on both axes; `onPick(i)` is called for the point that is clicked. The highest point is marked.
 * @param {{ x: number, y: number, text: string }[]} points
 * @param {{ width?: number, height?: number, label: string, xText?: (x: number) => string, onPick?: (i: number) => void }} options
 */
export function curveChart(points, { width = 720, height = 150, label, xText = String, onPick = null }) {
  const [left, right, top, bottom] = [38, 10, 8, 20];
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const pad = Math.max(10, (y1 - y0) * 0.08);
  const atX = (x) => left + ((x - x0) / (x1 - x0 || 1)) * (width - left - right);
  const atY = (y) => height - bottom - ((y - y0 + pad) / (y1 - y0 + 2 * pad)) * (height - top - bottom);
  const best = points.reduce((a, b) => (b.y > a.y ? b : a));
  const dot = s('circle', { class: 'dot', r: 4, cx: atX(best.x), cy: atY(best.y) });
  const text = s('text', { class: 'value', 'text-anchor': 'middle' });
  const svg = s('svg', { viewBox: `0 0 ${width} ${height}`, class: 'chart curve', role: 'img', 'aria-label': label },
    ...ticks(y0 - pad, y1 + pad, 3).flatMap((y) => [s('line', { class: 'grid', x1: left, x2: width - right, y1: atY(y), y2: atY(y) }),
      s('text', { x: 0, y: atY(y) + 4 }, String(y))]),
    ...ticks(x0, x1, 6).map((x) => s('text', { x: Math.min(width - 16, atX(x)), y: height - 4, 'text-anchor': 'middle' }, xText(x))),
    s('path', { class: 'line', d: path(points.map(({ x, y }) => [atX(x), atY(y)])) }), dot, text);
  const nearest = ({ clientX }) => {
    const box = svg.getBoundingClientRect();
    const x = ((clientX - box.left) / box.width) * width;
    return points.reduce((a, b, i) => (Math.abs(atX(b.x) - x) < Math.abs(atX(points[a].x) - x) ? i : a), 0);
  };
  const show = ({ x, y, text: words }) => {
    dot.setAttribute('cx', atX(x));
    dot.setAttribute('cy', atY(y));
    text.setAttribute('x', Math.max(left + 40, Math.min(width - 60, atX(x))));
    text.setAttribute('y', Math.max(14, atY(y) - 9));
    text.textContent = words;
  };
  show(best);
  svg.addEventListener('pointermove', (event) => show(points[nearest(event)]));
  svg.addEventListener('pointerleave', () => show(best));
  if (onPick) svg.addEventListener('click', (event) => onPick(nearest(event)));
  return svg;
}

/**
 * Columns of results: [{ name, short, white, draws, black, text }], as high as their numbers of games, with an axis. `onPick(i)` is
 * called for the column that is chosen.
 */
export function columnChart(columns, { onPick = null, label }) {
  const most = Math.max(1, ...columns.map(({ white, draws, black }) => white + draws + black));
  const axis = ticks(0, most, 3).filter((n) => n > 0 && Number.isInteger(n));
  const column = ({ short, white, draws, black, text }, i) => {
    const bar = h('span', { class: 'year-bar' }, ...[['black', black], ['draw', draws], ['white', white]].filter(([, n]) => n).map(([kind, n]) => {
      const part = h('span', { class: kind });
      part.style.setProperty('--share', n);
      return part;
    }));
    bar.style.setProperty('--height', (white + draws + black) / most);
    const contents = [bar, h('small', { 'aria-hidden': 'true' }, short)];
    return onPick ? h('button', { type: 'button', class: 'year-column', title: text, 'aria-label': text, onclick: () => onPick(i) }, ...contents)
      : h('div', { class: 'year-column', title: text, role: 'img', 'aria-label': text }, ...contents);
  };
  const lines = axis.map((n) => {
    const line = h('span', { class: 'level', 'aria-hidden': 'true' }, h('small', {}, number(n)));
    line.style.setProperty('--height', n / most);
    return line;
  });
  return h('div', { class: 'years', role: 'group', 'aria-label': label }, h('div', { class: 'levels' }, ...lines), ...columns.map(column));
}
