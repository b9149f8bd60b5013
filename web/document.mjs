/*
 * document.mjs - what the page shows: a game and the current move, or a board that cannot be played on.
 *
 * Every change goes through here and fires one event, `change`; panels draw what they find. Changes can be undone;
 * walking through the game is not a change. Undo steps are kept as the game in JSON, which loses nothing, and the
 * index of the current move in PGN order.
 */
import { t } from './texts.mjs';

const UNDO_MAX = 500;
const PLACE = ['origin', 'stored', 'base', 'chapter']; // where the game is kept

export class Document extends EventTarget {
  #undo = [];
  #redo = [];
  #wanted = 0; // counts what was opened
  #isTouched = false; // has the user changed the game since it was opened?

  constructor(tabiya) {
    super();
    this.tabiya = tabiya;
    this.game = tabiya.game();
    this.node = 0;
    this.origin = null; // { id } of a game of the database that is as it is there
    this.stored = null; // the number of the game in the database that this one was, changed or not
    this.base = null; // that game as it was when it was opened or saved, in JSON
    this.chapter = null; // the number of the chapter of the study that it is
    this.board = null; // a board that cannot be played on; then the game has no moves
    this.#look();
  }

  // ---- What there is to see

  /** Reads once what all panels need; stepping through the game leaves the list of moves as it is. */
  #look(isWalk = false) {
    if (!isWalk) {
      this.list = this.game.list();
      this.items = new Map(this.list.moves.map((item) => [item.node, item]));
      this.start = this.board ?? this.game.start();
      this.mainLineEnd = this.list.moves.findLast((item) => item.depth === 0)?.node ?? 0;
    }
    this.view = this.board ? null : this.game.view(this.node);
    this.position = this.board ?? this.game.position(this.node);
    this.description = this.position.describe();
  }

  /** The current move as it is in the list; undefined at the start. */
  get item() {
    return this.items.get(this.node);
  }

  get chess960() {
    return this.list.chess960;
  }

  /** `wasReplaced`: a game with the user's own changes is gone, and the user must be notified. */
  #tell(kind, wasReplaced = false) {
    this.#look(kind === 'walk');
    this.dispatchEvent(new CustomEvent('change', { detail: { kind, wasReplaced } }));
  }

  /** Draws everything again, after a change of settings. */
  refresh(kind = 'walk') {
    this.#tell(kind);
  }

  // ---- Waiting

  /** For a game that has to be fetched: the function says later whether it should still be shown, or another was opened meanwhile. */
  want() {
    const mine = ++this.#wanted;
    return () => mine === this.#wanted;
  }

  // ---- Undoing

  #snapshot() {
    return {
      json: this.game.write('json'),
      index: this.list.moves.indexOf(this.item),
      board: this.board?.clone() ?? null,
      ...Object.fromEntries(PLACE.map((name) => [name, this[name]])),
    };
  }

  #restore({ json, index, board, ...place }) {
    for (const name of PLACE) this[name] = place[name];
    this.game = this.tabiya.game(json, 'json');
    this.board = board;
    this.node = this.game.list().moves[index]?.node ?? 0;
  }

  get canUndo() {
    return this.#undo.length > 0;
  }

  get canRedo() {
    return this.#redo.length > 0;
  }

  /** Makes a change that can be undone; `act` returns the node to go to. If it throws, nothing has changed. */
  #change(act, kind = 'edit', replaces = false) {
    const before = this.#snapshot();
    const wasReplaced = replaces && this.#isTouched && this.list.moves.length > 0;
    this.origin = null;
    if (replaces) {
      this.stored = this.chapter = null;
      this.#wanted++;
    }
    try {
      this.node = act();
    } catch (error) {
      this.#restore(before);
      this.#look();
      throw error;
    }
    this.#undo.push(before);
    if (this.#undo.length > UNDO_MAX) this.#undo.shift();
    this.#redo = [];
    this.#isTouched = !replaces;
    this.#tell(kind, wasReplaced);
  }

  #step(from, to) {
    if (!from.length) return;
    to.push(this.#snapshot());
    this.#restore(from.pop());
    this.#isTouched = true;
    this.#tell('undo');
  }

  undo() {
    this.#step(this.#undo, this.#redo);
  }

  redo() {
    this.#step(this.#redo, this.#undo);
  }

  // ---- Walking

  go(node) {
    if (node === this.node || this.board) return;
    this.node = node;
    this.#tell('walk');
  }

  /** To the move `index` of the line, -1 being the start. */
  goTo(index) {
    const { line = [] } = this.view ?? {};
    this.go(line[Math.min(index, line.length - 1)] ?? 0);
  }

  get place() {
    return (this.view?.path.length ?? 0) - 1;
  }

  // ---- Changing

  /** Plays a move given as text; throws if it cannot be played. */
  play(text) {
    if (this.board) throw new Error(t('board.unplayable'));
    const before = this.#snapshot();
    const node = this.game.play(this.node, text);
    if (this.items.has(node)) return this.go(node);
    this.#undo.push(before);
    if (this.#undo.length > UNDO_MAX) this.#undo.shift();
    this.#redo = [];
    this.node = node;
    this.origin = null;
    this.#isTouched = true;
    this.#tell('move');
  }

  /** Replaces everything by a board: the start of a new game or, if it cannot be played on, just the board. */
  setBoard(board, chess960 = this.chess960) {
    this.#change(() => {
      this.board = null;
      if (board.describe().playable) {
        const game = this.tabiya.game();
        game.setStart(board, { chess960 });
        this.game = game;
      } else {
        this.game = this.tabiya.game();
        this.board = board.clone();
      }
      return 0;
    }, 'edit', true);
  }

  /** Another start for the same moves. Returns how many of them are illegal there and were dropped. */
  setStart(board, chess960 = this.chess960) {
    if (this.board || !board.describe().playable) {
      this.setBoard(board, chess960);
      return 0;
    }
    let dropped = 0;
    this.#change(() => {
      const game = this.tabiya.game();
      dropped = game.setStart(board, { chess960, from: this.game });
      this.game = game;
      return game.mainLineEnd();
    });
    return dropped;
  }

  setLine(text, notation, flags) {
    this.#change(() => this.game.readLine(this.node, text, notation, flags));
  }

  /** A whole game; `node` is the move to show, `origin` where it is stored. */
  setGame(game, node = (g) => g.mainLineEnd(), kind = 'edit', origin = null) {
    this.#change(() => {
      this.origin = origin;
      this.stored = origin?.id ?? this.stored;
      if (origin) this.base = game.write('json');
      this.game = game;
      this.board = null;
      return node(game);
    }, kind, kind === 'open');
  }

  /** Changes something that leaves the nodes as they are: comments, tags, the order of variations. */
  edit(act) {
    this.#change(() => {
      act(this.game);
      return this.node;
    });
  }

  remove(node) {
    const path = this.view.path;
    const parent = path[path.indexOf(node) - 1] ?? 0;
    this.#change(() => {
      this.game.remove(node);
      return path.includes(node) ? parent : this.node;
    });
  }

  /**
   * What a link or a step in the browser's history holds. If undo or redo would give the same, that is done;
   * anything else is a change that can be undone.
   */
  load(game, node, board = null, origin = null) {
    const here = this.#snapshot();
    const json = game.write('json');
    const isSame = (other) => other && other.json === json && (other.board?.write() ?? '') === (board?.write() ?? '');
    if (isSame(this.#undo.at(-1))) {
      this.#undo.pop();
      this.#redo.push(here);
    } else if (isSame(this.#redo.at(-1))) {
      this.#redo.pop();
      this.#undo.push(here);
    } else if (!isSame(here)) {
      this.#undo.push(here);
      this.#redo = [];
    }
    this.#wanted++;
    this.game = game;
    this.board = board;
    this.origin = origin;
    this.stored = origin?.id ?? null;
    this.chapter = null;
    this.base = origin ? json : null;
    this.node = node;
    this.#isTouched = false;
    this.#tell('load');
  }

  /** What is shown now, to return to it later. */
  mark() {
    return this.#snapshot();
  }

  /** Shows again what was shown at a mark; what was changed since then can be restored by Undo. */
  returnTo(mark) {
    this.#undo.push(this.#snapshot());
    this.#redo = [];
    this.#restore(mark);
    this.#tell('edit');
  }

  /** The database has the game under this number now, or none; what can be undone is no longer what is stored. */
  saved(id) {
    for (const step of [...this.#undo, ...this.#redo])
      if (step.stored === this.stored) Object.assign(step, { stored: id, origin: null, base: this.game.write('json') });
    this.base = id === null ? null : this.game.write('json');
    this.origin = id === null ? null : { id };
    this.stored = id;
    this.#isTouched = id === null;
    this.#tell('walk');
  }

  /** What is shown first cannot be undone. */
  forget() {
    this.#undo = [];
    this.#redo = [];
  }
}
