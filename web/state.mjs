/*
 * state.mjs - the page's state beside the game, and the address that holds both: a link, a reload and Back restore it.
 *
 * The state is a few texts by name: `tab`, the search of games (`q`, `sort`, `here`, and the fields of its form by their names), and the
 * explorer's filter (`filter`, `f-...`). `person` is the player whose page is shown; its address is #player=NAME, and the board stays as
 * it is behind it. A change adds a step to the browser's history; stepping through the game does not. share.mjs writes the game.
 */
import { debounce } from './dom.mjs';
import { isGameQuery, readQuery } from './query-address.mjs';
import { decode, encode, isGameLink, partsOf } from './share.mjs';
import { t } from './texts.mjs';

/** The parts of a fragment that are about the game. */
const GAME_PARTS = ['p', 'm', 'pgn', 'fen', 'game', 'at', 'side'];
const STATE_LINK = /^(tab|q|sort|here|player|filter|f-[a-z]+)=/;
const WRITE_MS = 120;

/** Fires `change` when the browser goes to another address, and `person` when another player's page is to be shown. */
export class PageState extends EventTarget {
  #onSet;
  parts = new Map();
  person = null;

  constructor(onSet) {
    super();
    this.#onSet = onSet;
  }

  get(name) {
    return this.parts.get(name) ?? null;
  }

  /** An empty value is left out. `isStep`: Back should come here again. */
  set(values, { isStep = false } = {}) {
    const before = this.text();
    for (const [name, value] of Object.entries(values))
      if (value) this.parts.set(name, value);
      else this.parts.delete(name);
    if (this.text() !== before) this.#onSet(isStep);
  }

  /** Shows a player's page, or none (null). */
  setPerson(name, { isRead = false } = {}) {
    if (name === this.person) return;
    this.person = name;
    if (!isRead) this.#onSet(true);
    this.dispatchEvent(new Event('person'));
  }

  /** Takes over what an address holds. */
  read(parts, person) {
    const before = this.text();
    this.parts = new Map([...parts].filter(([name]) => !GAME_PARTS.includes(name)));
    if (person !== null) this.parts.delete('player');
    if (this.text() !== before) this.dispatchEvent(new Event('change'));
    this.setPerson(person, { isRead: true });
  }

  text() {
    return [...this.parts].sort().map(([name, value]) => `&${name}=${encodeURIComponent(value)}`).join('');
  }
}

/** Keeps the address of the page. Answers { state, link() }: the state, and a link to the game alone. */
export function keepState(doc, look, source, onError) {
  let shown = location.hash.slice(1);
  let isStep = false; // has something changed since the address was written?
  let waiting = null; // the promise of a game of the database
  let isLate = false; // has something changed while it was waited for?
  const below = () => (look.turned === null || look.turned === 'mover' ? 'white' : look.turned);

  const fragment = () => (state.person === null ? encode(doc, below()) : `player=${encodeURIComponent(state.person)}`) + state.text();
  const write = debounce(() => {
    isLate = waiting !== null;
    if (isLate) return;
    const now = fragment();
    if (now !== shown) history[isStep ? 'pushState' : 'replaceState'](null, '', `#${now}`);
    shown = now;
    isStep = false;
  }, WRITE_MS);
  const state = new PageState((isNew) => {
    isStep ||= isNew;
    write();
  });
  const fail = (error) => onError(t('open.bad-link', { why: error.message }));

  /** A game of the database has to be waited for. */
  function readStored(text, done) {
    const mine = decode(doc, source, text).then(done, fail).finally(() => {
      if (waiting !== mine) return;
      waiting = null;
      if (isLate) write();
    });
    waiting = mine;
  }

  function readGame(text, parts, done) {
    look.turn(parts.get('side') === 'black' ? 'black' : null);
    if (parts.has('game') && parts.get('game') === String(doc.origin?.id)) {
      doc.want(); // instead of one that is still to come
      doc.go(doc.list.moves[Number(parts.get('at') ?? 0) - 1]?.node ?? 0);
    } else if (parts.has('game')) {
      readStored(text, done);
    } else {
      decode(doc, source, text);
      done();
    }
  }

  /** Other fragments, such as those of links inside the page, are left alone. */
  function read(isFirst) {
    const text = location.hash.slice(1);
    const isGame = isGameLink(`#${text}`);
    if (text && !isGame && !STATE_LINK.test(text)) return;
    shown = text;
    const done = (isShown = true) => { if (isFirst && isShown) doc.forget(); };
    try {
      const parts = text ? partsOf(text) : new Map();
      state.read(parts, text.startsWith('player=') ? parts.get('player') : null);
      if (isGame) readGame(text, parts, done);
      else if (!text) {
        look.turn(null);
        doc.load(doc.tabiya.game(), 0);
        done();
      }
    } catch (error) {
      fail(error);
    }
  }

  doc.addEventListener('change', ({ detail }) => {
    if (detail.kind === 'load') return;
    isStep ||= detail.kind !== 'walk';
    write();
  });
  look.addEventListener('change', write);
  addEventListener('popstate', () => read(false));
  if (isGameQuery(location.search) && !isGameLink(location.hash))
    try {
      const { game, node, board, side } = readQuery(doc.tabiya, location.search);
      if (side) look.turn(side);
      doc.load(game, node, board);
    } catch (error) {
      fail(error);
    }
  if (shown) read(true);
  return { state, link: () => `${location.origin}${location.pathname}#${encode(doc, below())}` };
}
