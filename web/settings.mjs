/*
 * settings.mjs - how the page looks and sounds: theme, pieces, colours of the board, which side is below, what is shown. Kept in the browser.
 */
import { byId, h } from './dom.mjs';
import { piecePicture } from './board.mjs';
import { letterSets, useLetters } from './letters.mjs';
import { LANGUAGES, word } from './texts.mjs';

export const SCHEMES = {
  wood: ['#f0e2cb', '#b58d6b'],
  sage: ['#eef0e2', '#8aa27d'],
  slate: ['#e8ecf1', '#8398b0'],
  stone: ['#edebe6', '#a8a197'],
  ink: ['#ffffff', '#9a9a9a'],
};
const DEFAULTS = {
  theme: 'auto', scheme: 'wood', light: '#f0e2cb', dark: '#b58d6b', below: 'white', set: 'pieces', letters: 'auto', language: 'auto', sounds: false,
  pieces: true, last: true, check: true, targets: true, coordinates: true,
  lines: 3, threads: 0, time: 300, // of the engine: 0 is as many as there are, milliseconds for each position of a game
  engine: null, // names of the files of the user's own
};
const SETS = ['pieces', 'pieces-plain', 'pieces-bold'];
const STORE = 'tabiya-look';

function stored() {
  try {
    return JSON.parse(localStorage.getItem(STORE)) ?? {};
  } catch {
    return {};
  }
}

export class Settings extends EventTarget {
  constructor() {
    super();
    this.settings = { ...DEFAULTS, ...stored() };
    this.turned = null; // the side below after a flip, or as a link wants it: not kept
  }

  /** Of light and dark squares. @returns {string[]} */
  get colors() {
    const { scheme, light, dark } = this.settings;
    return SCHEMES[scheme] ?? [light, dark];
  }

  /** Where the picture of 'wk' is. */
  piece = (id) => piecePicture(id, SETS.includes(this.settings.set) ? this.settings.set : SETS[0]);

  set(changes) {
    Object.assign(this.settings, changes);
    if ('below' in changes) this.turned = null;
    try {
      localStorage.setItem(STORE, JSON.stringify(this.settings));
    } catch { /* private windows keep nothing */ }
    this.apply();
    this.dispatchEvent(new Event('change'));
  }

  apply() {
    const { theme, pieces, last, check, targets, coordinates } = this.settings;
    const [light, dark] = this.colors;
    const root = document.documentElement;
    if (useLetters(this.settings.letters)) this.dispatchEvent(new Event('letters'));
    if (theme === 'auto') delete root.dataset.theme;
    else root.dataset.theme = theme;
    root.style.setProperty('--square-light', light);
    root.style.setProperty('--square-dark', dark);
    for (const use of document.querySelectorAll('use[href*="pieces"]')) use.setAttribute('href', this.piece(use.getAttribute('href').split('#')[1].split('-').at(-1)));
    for (const [name, isShown] of Object.entries({ pieces, last, check, targets, coordinates }))
      document.body.classList.toggle(`hide-${name}`, !isShown);
  }

  /** Which side is below, for a side to move. */
  orientation(side) {
    const below = this.turned ?? this.settings.below;
    return below === 'mover' ? side : below;
  }

  /** Another side below until the page is closed; null goes back to the setting. */
  turn(side) {
    if (side === this.turned) return;
    this.turned = side;
    this.dispatchEvent(new Event('change'));
  }
}

const CHOICES = ['theme', 'below', 'set', 'letters', 'language'];

export function settingsDialog(look) {
  const dialog = byId('settings-dialog');
  byId('letters').append(...letterSets().map(([value, name]) => h('option', { value }, name)));
  byId('language').append(...Object.entries(LANGUAGES).map(([value, name]) => h('option', { value, lang: value }, name)));
  byId('language').addEventListener('change', () => location.reload()); // the address has the game
  byId('settings').addEventListener('click', () => dialog.showModal());

  const swatch = (name, colors) => {
    const [light, dark] = colors;
    const box = h('span', { class: 'swatch' });
    box.style.setProperty('--a', light);
    box.style.setProperty('--b', dark);
    return h('label', { class: 'scheme' }, h('input', { type: 'radio', name: 'scheme', value: name,
      onchange: () => look.set({ scheme: name }) }), box, word(name));
  };

  function draw() {
    const { settings } = look;
    byId('schemes').replaceChildren(...Object.entries({ ...SCHEMES, own: [settings.light, settings.dark] })
      .map(([name, colors]) => swatch(name, colors)));
    for (const radio of document.getElementsByName('scheme')) radio.checked = radio.value === settings.scheme;
    byId('own-light').value = settings.light;
    byId('own-dark').value = settings.dark;
    for (const name of CHOICES) byId(name).value = settings[name];
    byId('sounds').checked = settings.sounds;
    for (const box of dialog.querySelectorAll('[data-show]')) box.checked = settings[box.dataset.show];
  }
  for (const name of ['light', 'dark'])
    byId(`own-${name}`).addEventListener('input', (event) => {
      look.set({ scheme: 'own', [name]: event.target.value });
      draw();
    });
  for (const name of CHOICES)
    byId(name).addEventListener('change', (event) => look.set({ [name]: event.target.value }));
  byId('sounds').addEventListener('change', (event) => look.set({ sounds: event.target.checked }));
  for (const box of dialog.querySelectorAll('[data-show]'))
    box.addEventListener('change', () => look.set({ [box.dataset.show]: box.checked }));
  look.addEventListener('change', () => { if (!dialog.open) draw(); });
  draw();
}
