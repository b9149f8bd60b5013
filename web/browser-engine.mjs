/*
 * browser-engine.mjs - an engine that runs in the browser: a worker script that speaks UCI, and the files that it loads.
 *
 * It runs in a frame with an origin of its own (engine-frame.html), from when it is first needed. What it finds is like the answers of a server's
 * engine (/api/analyse and /api/annotate in docs/api.md), so the same panel shows it.
 */
import { scoreText } from './evaluation.mjs';
import { Uci } from './uci.mjs';

const SEARCH_MS = 60_000;
const DRAW_MS = 100;
const MOVES_MOST = 20; // of a line
const FRAME_MS = 10_000; // to load
const MARKS = ['!', '?', '!!', '??', '!?', '?!'];
const BLOCKED = 'The engine cannot be started: the host of this page may not allow it. Its Content-Security-Policy must leave engine-frame.html alone, and allow frames of its own (frame-src)';

/** The frame in which the engine runs. Inside a page that is isolated by its service worker it has to be a part of the page. */
async function makeFrame(address, isInline) {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.allow = 'cross-origin-isolated';
  frame.title = 'Engine';
  frame.hidden = true;
  if (isInline) frame.srcdoc = await (await fetch(address)).text();
  else frame.src = address;
  const loaded = new Promise((resolve) => { frame.addEventListener('load', resolve, { once: true }); });
  document.body.append(frame);
  await loaded;
  return frame;
}

export class BrowserEngine {
  #starting = null;
  #frame = null;

  /** `files()` answers [{ name, blob }]; `frame` is { address, isInline }. */
  constructor(tabiya, name, files, frame) {
    Object.assign(this, { tabiya, name, files, frame, threads: 1 });
  }

  async #start() {
    const files = await this.files();
    this.#frame = await makeFrame(this.frame.address, this.frame.isInline);
    const { port1, port2 } = new MessageChannel();
    const uci = new Uci(port1);
    const hello = new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(BLOCKED)), FRAME_MS);
      port1.addEventListener('message', () => { clearTimeout(timer); resolve(); }, { once: true });
    });
    this.#frame.contentWindow.postMessage(files, '*', [port2]);
    await hello;
    await uci.start();
    if (uci.name) this.name = uci.name;
    this.threads = uci.threads;
    this.onStarted?.();
    return uci;
  }

  /** Ends it; it starts again when it is needed. */
  end() {
    this.#frame?.remove();
    this.#frame = this.#starting = null;
  }

  async #search(board, options, found, signal) {
    try {
      const uci = await (this.#starting ??= this.#start());
      const sign = board.describe().side === 'white' ? 1 : -1;
      const seen = (value) => value && value * sign; // as White sees it
      await uci.search(board.write('fen'), options, (info) => found({ ...info, cp: seen(info.cp), mate: seen(info.mate) }), signal);
    } catch (error) {
      this.end();
      throw error;
    }
  }

  /** A line as the page shows it, as far as its moves are legal; null if none is. */
  #lineOf(board, { depth, line, cp, mate, moves }, chess960) {
    const game = this.tabiya.game();
    game.setStart(board, { chess960 });
    const uci = [];
    for (let node = 0; uci.length < Math.min(moves.length, MOVES_MOST); uci.push(moves[uci.length]))
      try {
        node = game.play(node, moves[uci.length]);
      } catch {
        break;
      }
    return uci.length ? { line, depth, cp, mate, uci, san: game.list().moves.map(({ san }) => san) } : null;
  }

  /** Looks at a position: fires `lines`, `done` and `error` like an EventSource, until it is closed. */
  analyse({ fen, lines, threads, chess960 = 0 }) {
    const stream = new EventTarget();
    const stopped = new AbortController();
    const board = this.tabiya.board(fen);
    const found = [];
    let drawing = 0;
    const tell = (name, data) => { if (!stopped.signal.aborted) stream.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) })); };
    const draw = () => {
      drawing = 0;
      const all = found.map((info) => this.#lineOf(board, info, Boolean(chess960))).filter(Boolean);
      if (all.length) tell('lines', { depth: all[0].depth, nodes: found[0]?.nodes ?? 0, lines: all });
    };
    stream.close = () => {
      clearTimeout(drawing);
      stopped.abort();
    };
    this.#search(board, { lines, threads, chess960, ms: SEARCH_MS }, (info) => {
      found[info.line - 1] = info;
      drawing ||= setTimeout(draw, DRAW_MS);
    }, stopped.signal).then(() => {
      clearTimeout(drawing);
      draw();
      tell('done', {});
    }, (error) => tell('error', { error: error.message }));
    return stream;
  }

  /** The evaluation of a position: by the rules if the game is over. */
  async #worth(board, options, signal) {
    if (!board.moves().length) return board.isCheck() ? { cp: null, mate: board.describe().side === 'white' ? -1 : 1 } : { cp: 0, mate: null };
    let last = { cp: null, mate: null };
    await this.#search(board, options, ({ cp, mate }) => { last = { cp, mate }; }, signal);
    return last;
  }

  /** Evaluates every position of the main line: { event, data } of `evaluation` for each, then of `game` with evaluations and marks. */
  async* annotate(pgn, { time, threads }, signal) {
    const game = this.tabiya.game(pgn);
    const { line } = game.view(0);
    let before = null;
    for (let ply = 0; ply <= line.length; ply++) {
      const worth = await this.#worth(game.position(line[ply - 1] ?? 0), { threads, ms: Number(time) }, signal);
      signal.throwIfAborted();
      yield { event: 'evaluation', data: { ply, of: line.length, ...worth } };
      if (ply && (worth.cp ?? worth.mate) !== null) note(this.tabiya, game, line[ply - 1], before, worth);
      before = worth;
    }
    yield { event: 'game', data: { pgn: game.write('pgn') } };
  }
}

/** The evaluation in the comment after a move, in place of an old one; and a mark, if the move loses much and has none. */
function note(tabiya, game, node, before, worth) {
  const { after, nags, ply } = game.list().moves.find((item) => item.node === node);
  const score = worth.mate === null ? scoreText(worth).replace(/^\+/, '') : `#${worth.mate}`;
  const others = after.join(' ').replace(/\[%eval [^\]]*\]\s*/g, '').trim();
  game.setComment(node, [`[%eval ${score}]`, others].filter(Boolean).join(' '));
  if (!before || (before.cp ?? before.mate) === null || nags.some((nag) => MARKS.includes(nag))) return;
  const mark = tabiya.judge(before, worth, ply % 2 ? 'white' : 'black');
  if (mark) game.setNags(node, [mark, ...nags]);
}
