/*
 * layout.mjs - the frame of the page: panes side by side, or tabs where there is no room; widths that can be dragged; tools that open
 * as a tab of their own.
 *
 * The style sheet decides by width and height how many panes there are and says so in --panes: `three` (board, notation, games),
 * `tall` (notation below the board), `two` (notation is a tab), `low` (the same, with the buttons beside the board), `one`.
 */
import { byId } from './dom.mjs';
import { pop } from './pop.mjs';

const TABS = ['moves', 'explorer', 'games', 'players', 'lines'];
const TOOLS = ['setup', 'convert', 'tree'];
const WIDTHS = 'tabiya-panes';
const STEP = 24; // pixels, by keyboard
const SCROLLED = 8; // pixels that a list is scrolled before the board gets smaller

const root = document.documentElement;
const panes = () => getComputedStyle(root).getPropertyValue('--panes').trim();

/** Is the notation a pane of its own, seen beside every tab? */
const hasNotation = () => ['three', 'tall'].includes(panes());

// ---- Widths

function keptWidths() {
  try {
    return JSON.parse(localStorage.getItem(WIDTHS)) ?? {};
  } catch {
    return {};
  }
}

/** 1, or -1 where the page goes from right to left. */
const forward = () => (getComputedStyle(root).direction === 'rtl' ? -1 : 1);

/** A line between two panes: dragged, or moved by the arrows; a double click restores the width. */
function splitter(id, name, { from, sign }) {
  const line = byId(id);
  const widths = keptWidths();
  function set(pixels) {
    if (pixels === null) root.style.removeProperty(`--${name}`);
    else root.style.setProperty(`--${name}`, `${Math.round(pixels)}px`);
    line.setAttribute('aria-valuenow', String(Math.round(from())));
    try {
      localStorage.setItem(WIDTHS, JSON.stringify({ ...keptWidths(), [name]: pixels }));
    } catch { /* private windows keep nothing */ }
  }
  if (widths[name]) root.style.setProperty(`--${name}`, `${widths[name]}px`);
  line.setAttribute('aria-valuenow', String(Math.round(from())));
  let start = null;
  line.addEventListener('pointerdown', (event) => {
    start = { x: event.clientX, width: from() };
    line.setPointerCapture(event.pointerId);
  });
  line.addEventListener('pointermove', ({ clientX }) => { if (start) set(start.width + sign * forward() * (clientX - start.x)); });
  line.addEventListener('pointerup', () => { start = null; });
  line.addEventListener('pointercancel', () => { start = null; });
  line.addEventListener('dblclick', () => set(null));
  line.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    set(from() + sign * forward() * step);
  });
}

// ---- Phones

/** The board is smaller while a list below it is scrolled. The rows stay where they are: what the board gives up is scrolled back, but never to the top. */
function shrinkBoard() {
  let isSmall = false;
  function set(small, scroller) {
    const before = byId('side-tabs').getBoundingClientRect().top;
    isSmall = small;
    document.body.classList.toggle('small-board', small);
    if (small) scroller.scrollTop = Math.max(1, scroller.scrollTop + byId('side-tabs').getBoundingClientRect().top - before); // at 0 it would become larger again
  }
  addEventListener('scroll', ({ target }) => {
    if (panes() !== 'one' || !target.closest?.('.side, .notation')) return;
    const room = target.scrollHeight - target.clientHeight;
    if (!isSmall && target.scrollTop > SCROLLED && room > byId('frame').clientHeight) set(true, target);
    else if (isSmall && target.scrollTop <= 0) set(false, target);
  }, true);
}

/** Buttons that have no room beside the others are in the menu. */
function placeButtons() {
  const isSmall = panes() === 'one';
  const homes = { new: 'open', first: 'previous', last: 'flip', play: 'type-move', undo: 'type-move', redo: 'type-move', save: 'menu', 'store-save': 'menu', share: 'menu', settings: 'menu' };
  for (const [id, next] of Object.entries(homes))
    if (isSmall) byId('menu-more').append(byId(id));
    else byId(next).before(byId(id));
}

// ---- Tabs

/** Answers { select(name), current(), isOpen(name), hasNotation }. `onShow(name)` is called when another panel is shown. */
export function layout(state, { standard, onShow }) {
  const list = byId('side-tabs');
  const tabOf = (name) => byId(`tab-${name}`);
  const panelOf = (name) => byId(`panel-${name}`);
  let current = 'explorer';
  let last = 'explorer'; // the tab before a tool was opened

  const isOpen = (name) => name === current || (name === 'moves' && hasNotation());

  function draw() {
    for (const name of [...TABS, ...TOOLS]) {
      const isOn = name === current;
      tabOf(name).setAttribute('aria-selected', String(isOn));
      tabOf(name).tabIndex = isOn ? 0 : -1;
      tabOf(name).hidden = (name === 'moves' && hasNotation()) || (TOOLS.includes(name) && !isOn);
      panelOf(name).hidden = !isOpen(name);
    }
    document.body.dataset.tab = current;
    const [room, box] = [list, tabOf(current)].map((element) => element.getBoundingClientRect());
    list.scrollLeft += Math.max(0, box.right - room.right) + Math.min(0, box.left - room.left);
  }

  function select(name, { isKept = true } = {}) {
    const wanted = name === 'moves' && hasNotation() ? (TOOLS.includes(current) ? last : current) : name;
    if (!TOOLS.includes(wanted)) last = wanted;
    current = wanted;
    document.body.classList.remove('small-board');
    draw();
    if (isKept) state.set({ tab: current === standard() ? '' : current });
    onShow(current);
  }

  function readState() {
    const tab = state.get('tab');
    select([...TABS, ...TOOLS].includes(tab) ? tab : standard(), { isKept: false });
  }

  for (const name of [...TABS, ...TOOLS])
    tabOf(name).addEventListener('click', (event) => {
      select(name);
      if (event.detail) tabOf(name).blur(); // by mouse or touch: the arrows step through the game, not through the tabs
    });
  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: forward(), ArrowLeft: -forward() }[event.key];
    if (!step) return;
    event.preventDefault();
    const all = [...TABS, ...TOOLS].filter((name) => !tabOf(name).hidden);
    select(all[(all.indexOf(current) + step + all.length) % all.length]);
    tabOf(current).focus();
  });
  const menu = pop(byId('menu'), 'menu-list', { takesFocus: true });
  byId('menu-list').addEventListener('click', ({ target }) => {
    const tool = target.closest('[data-tool]')?.dataset.tool;
    if (tool) select(tool);
    menu.close();
  });
  for (const button of document.querySelectorAll('[data-close-tool]')) button.addEventListener('click', () => select(last));

  let shape = panes();
  addEventListener('resize', () => {
    if (panes() === shape) return;
    shape = panes();
    placeButtons();
    document.body.classList.remove('small-board');
    if (current === 'moves' && hasNotation()) current = last === 'moves' ? 'explorer' : last;
    draw();
    onShow(current);
  });
  splitter('split-board', 'board-most', { from: () => byId('frame').offsetWidth, sign: 1 });
  splitter('split-side', 'side', { from: () => byId('side').offsetWidth, sign: -1 });
  placeButtons();
  shrinkBoard();
  state.addEventListener('change', readState);
  return { select, start: readState, current: () => current, isOpen, hasNotation, closeTool: () => { if (TOOLS.includes(current)) select(last); } };
}
