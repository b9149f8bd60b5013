/*
 * uci.mjs - speaks UCI with an engine: starts it, and has it search one position after the other.
 *
 * What an engine says is not trusted: lines that are too long or malformed are left out, and it has to answer in time.
 */
const START_MS = 60_000; // it may compile many megabytes
const STOP_MS = 3000;
const LINE_MOST = 10_000; // characters
const NAME_MOST = 100;

/** { depth, line, nodes, cp, mate, moves } of what an engine has found, from the side to move; null for any other text. */
export function infoOf(text) {
  const words = text.split(/\s+/);
  const after = (name) => words[words.indexOf(name) + 1];
  if (words[0] !== 'info' || words[1] === 'string' || !words.includes('pv') || !words.includes('score')) return null;
  if (words.includes('lowerbound') || words.includes('upperbound')) return null;
  const [kind, value] = words.slice(words.indexOf('score') + 1);
  const number = (name, none) => (words.includes(name) ? Number(after(name)) : none);
  const info = { depth: number('depth', 0), line: number('multipv', 1), nodes: number('nodes', 0), cp: kind === 'cp' ? Number(value) : null,
    mate: kind === 'mate' ? Number(value) : null, moves: words.slice(words.indexOf('pv') + 1).filter(Boolean) };
  const isGood = [info.depth, info.line, info.nodes, info.cp ?? info.mate].every(Number.isSafeInteger) && info.line >= 1;
  return isGood && info.moves.length ? info : null;
}

export class Uci {
  #port;
  #hear = null; // what waits for a line
  #fault = null;
  #failed = null; // what waits hears of a fault
  #busy = Promise.resolve(); // until the last search has ended
  #options = new Map(); // by lower case name: { name, most }
  name = null;
  /** As many as the engine and the browser allow. */
  threads = 1;

  /** `port` takes texts, and sends { lines }, { threads } and { error }. */
  constructor(port) {
    this.#port = port;
    port.onmessage = ({ data }) => {
      if (data.error !== undefined) this.#fail(new Error(`The engine has failed: ${String(data.error).slice(0, 200)}`));
      else if (data.threads) this.threads = data.threads;
      else for (const text of data.lines) if (text.length <= LINE_MOST) this.#take(text.trim());
    };
  }

  #fail(error) {
    this.#fault ??= error;
    this.#failed?.(this.#fault);
  }

  #take(text) {
    if (text.startsWith('id name ')) this.name = text.slice(8, 8 + NAME_MOST).trim();
    const option = /^option name (.+?) type (?:spin .*\bmax (\d+)|check|string|combo|button)/.exec(text);
    if (option) this.#options.set(option[1].toLowerCase(), { name: option[1], most: Number(option[2] ?? 0) });
    this.#hear?.(text);
  }

  #send(text) { this.#port.postMessage(text); }

  /** Waits for a line that begins with a word; `see` gets all lines until then. */
  #until(word, ms, see = () => {}) {
    return new Promise((resolve, reject) => {
      if (this.#fault) throw this.#fault;
      const end = (act) => (value) => {
        clearTimeout(timer);
        this.#hear = this.#failed = null;
        act(value);
      };
      const timer = ms ? setTimeout(() => this.#fail(new Error('The engine does not answer')), ms) : 0;
      this.#failed = end(reject);
      this.#hear = (text) => (text.split(' ', 1)[0] === word ? end(resolve)(text) : see(text));
    });
  }

  #set(name, value) {
    const option = this.#options.get(name.toLowerCase());
    if (option) this.#send(`setoption name ${option.name} value ${option.most ? Math.min(value, option.most) : value}`);
  }

  async start() {
    const ready = this.#until('uciok', START_MS);
    this.#send('uci');
    await ready;
    this.threads = Math.max(1, Math.min(this.threads, this.#options.get('threads')?.most ?? 1));
    this.#set('UCI_AnalyseMode', true);
  }

  /** Searches for that many milliseconds, or until `signal` is aborted; `found(info)` gets what the engine says. */
  search(fen, { lines = 1, threads = 1, chess960 = false, ms }, found, signal) {
    const searched = this.#busy.then(() => this.#search(fen, { lines, threads, chess960, ms }, found, signal));
    this.#busy = searched.catch(() => {});
    return searched;
  }

  async #search(fen, { lines, threads, chess960, ms }, found, signal) {
    if (signal.aborted) return;
    for (const [name, value] of [['MultiPV', lines], ['Threads', threads], ['UCI_Chess960', Boolean(chess960)]]) this.#set(name, value);
    const ready = this.#until('readyok', START_MS);
    this.#send('isready');
    await ready;
    if (signal.aborted) return;
    let timer = 0;
    const ended = this.#until('bestmove', 0, (text) => {
      const info = infoOf(text);
      if (info && info.line <= lines) found(info);
    });
    const stop = () => {
      this.#send('stop');
      timer = setTimeout(() => this.#fail(new Error('The engine does not stop')), STOP_MS);
    };
    const late = setTimeout(stop, ms + STOP_MS);
    signal.addEventListener('abort', stop, { once: true });
    this.#send(`position fen ${fen}`);
    this.#send(`go movetime ${ms}`);
    try {
      await ended;
    } finally {
      clearTimeout(timer);
      clearTimeout(late);
      signal.removeEventListener('abort', stop);
    }
  }
}
