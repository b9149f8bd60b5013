/*
 * converter.mjs - every notation of the registry as a field: type into any of them, and the others follow.
 *
 * Four groups: the position now, the one at the start, the line of moves, the whole game. The notations that most
 * people need are seen at once, the rest is under "More"; hidden fields are not updated. A field that cannot be read
 * keeps what was typed and says why and where; the others keep their last good value.
 */
import { copyText } from './clipboard.mjs';
import { byId, h, icon } from './dom.mjs';
import { CHESS960 } from './tabiya.mjs';
import { counted, t, word } from './texts.mjs';

const toHex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');

function fromHex(text) {
  const digits = text.replace(/\s+/g, '');
  const bad = digits.search(/[^0-9a-f]/i);
  if (bad >= 0 || digits.length % 2) throw new Error(t('convert.hex'));
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** How each group writes a text into the document, and what it shows. */
const GROUPS = {
  now: {
    table: 'positions',
    write: (doc, { name }, flags) => doc.position.write(name, flags),
    read: (doc, { name }, text, flags) => doc.setBoard(doc.tabiya.board(text, name, flags)),
  },
  start: {
    table: 'positions',
    write: (doc, { name }, flags) => doc.start.write(name, flags),
    read(doc, { name }, text, flags) {
      const dropped = doc.setStart(doc.tabiya.board(text, name, flags));
      return dropped ? counted('convert.dropped', dropped) : '';
    },
  },
  line: {
    table: 'moves',
    write: (doc, { name }, flags) => doc.game.writeLine(doc.node, name, flags),
    read: (doc, { name }, text, flags) => doc.setLine(text, name, flags),
  },
  game: {
    table: 'games',
    write: (doc, { name, binary }) => (binary ? toHex(doc.game.writeBytes(name)) : doc.game.write(name).trimEnd()),
    read: (doc, { name, binary }, text) => doc.setGame(doc.tabiya.game(binary ? fromHex(text) : text, name)),
  },
};

/** Converts a byte offset in a text to characters. */
function characterAt(text, offset) {
  const bytes = new TextEncoder().encode(text);
  return new TextDecoder().decode(bytes.subarray(0, Math.min(offset, bytes.length))).length;
}

/** The sentence, the place, and the text around it with the place marked. */
function describeError(error, text, isBytes) {
  if (error.offset === null || error.offset === undefined || isBytes) return [error.message];
  const at = characterAt(text, error.offset);
  const place = text.slice(0, at).split('\n');
  const why = place.length > 1 ? t('convert.at-line', { why: error.message, line: place.length, column: place.at(-1).length + 1 }) : t('convert.at-character', { why: error.message, n: at + 1 });
  const before = place.at(-1).slice(-14);
  const [here = ''] = text.slice(at).split('\n');
  return [why, h('code', {}, before.length < place.at(-1).length ? '…' : '', before,
    h('mark', {}, here.slice(0, 1) || ' '), here.slice(1, 12), here.length > 12 ? '…' : '')];
}

/** 'fen' to 'FEN', 'base64-moves' to 'base64 moves': names as players write them. */
const title = (name) => name.replaceAll('-', ' ').replace(/\b(fen|epd|pgn|cmbr|json|san|uci|lan|svg|ascii)\b/g, (word) => word.toUpperCase());

class Field {
  /** The box that hides it while it is closed, if there is one. */
  box = null;

  constructor(doc, groupName, notation) {
    this.doc = doc;
    this.group = GROUPS[groupName];
    this.notation = notation;
    this.id = `${groupName}-${notation.name}`;
    const isLong = !notation.oneLine; // lines and games are
    this.control = h(isLong ? 'textarea' : 'input', { id: this.id, spellcheck: false, autocomplete: 'off',
      readOnly: !notation.reads, 'aria-describedby': `${this.id}-note`, autocapitalize: 'off',
      wrap: notation.oneLine === false ? 'off' : null, // a diagram
      oninput: () => this.read(), onblur: () => this.leave() });
    if (isLong) this.control.rows = notation.oneLine === false ? 8 : groupName === 'game' ? 6 : 2;
    this.note = h('p', { class: 'note', id: `${this.id}-note`, 'aria-live': 'polite' });
    this.element = h('div', { class: 'field', 'data-field': this.id },
      h('label', { for: this.id }, h('b', {}, title(notation.name)), h('span', {}, word(notation.summary))),
      h('button', { type: 'button', class: 'copy', title: t('convert.copy', { name: notation.name }), 'aria-label': t('convert.copy', { name: notation.name }),
        onclick: () => copyText(this.control.value, notation.name) }, icon('#icon-copy')),
      this.control, this.note);
  }

  get flags() {
    return this.doc.chess960 ? CHESS960 : 0;
  }

  say(kind, ...parts) {
    this.element.dataset.kind = kind;
    this.control.setAttribute('aria-invalid', String(kind === 'error'));
    this.note.replaceChildren(...parts);
  }

  /** Shows what the document has, unless the user is typing in the field. */
  show() {
    if (this.isReading || (this.element.dataset.kind === 'error' && document.activeElement === this.control)) return;
    try {
      if (this.doc.board && this.group.table !== 'positions') throw new Error(t('board.unplayable'));
      const text = this.group.write(this.doc, this.notation, this.flags);
      if (this.control.value !== text) this.control.value = text;
      this.say('');
    } catch (error) {
      this.control.value = '';
      this.say('refused', t('convert.refused', { why: error.message }));
    }
  }

  read() {
    const text = this.control.value;
    this.isReading = true;
    try {
      const note = this.group.read(this.doc, this.notation, text, this.flags);
      this.say(note ? 'told' : '', note ?? '');
    } catch (error) {
      this.say('error', ...describeError(error, text, this.notation.binary));
    } finally {
      this.isReading = false;
    }
  }

  /** When the field is left, a good text takes its canonical form; a bad one stays to be corrected. */
  leave() {
    if (this.element.dataset.kind !== 'error') this.show();
  }
}

/** What people come for is seen at once. */
const FIRST = ['now-fen', 'now-base64', 'now-boardinfo', 'line-san', 'line-uci', 'line-base64-moves', 'game-pgn'];

export function converterPanel(doc) {
  const panel = byId('panel-convert');
  const fields = [];
  for (const [name, group] of Object.entries(GROUPS))
    for (const notation of doc.tabiya.notations[group.table]) {
      const field = new Field(doc, name, notation);
      field.box = FIRST.includes(field.id) ? null : byId(`more-${name}`);
      fields.push(field);
      byId(field.box ? `convert-${name}` : `convert-first-${name}`).append(field.element);
    }
  const isSeen = (field) => !panel.hidden && (field.box?.open ?? true);
  const draw = () => {
    for (const field of fields) {
      // A change made elsewhere replaces what could not be read.
      if (!field.isReading && document.activeElement !== field.control) field.say('');
      if (isSeen(field)) field.show();
    }
  };
  for (const box of panel.querySelectorAll('details')) box.addEventListener('toggle', draw);
  doc.addEventListener('change', draw);
  return draw;
}
