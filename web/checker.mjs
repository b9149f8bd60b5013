/*
 * checker.mjs - checks games against queries in the page: search.wasm, which is loaded when it is first needed, has the program's evaluator.
 */
import { fileBeside } from './beside.mjs';
import { loadModule } from './tabiya.mjs';
import { t } from './texts.mjs';

const NEEDS_COLLECTIONS = 16; // TBY_QUERY_NEEDS_COLLECTIONS
let loading = null; // a promise of the module

async function load() {
  const get = async (name) => {
    const response = await fetch(fileBeside(name));
    if (!response.ok) throw new Error(`${name}: ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  };
  const [code, names] = await Promise.all(['search.wasm', 'openings.tsv'].map(get));
  const module = await loadModule(code);
  const { exports } = module;
  const pointer = exports.memory_new(names.length);
  new Uint8Array(exports.memory.buffer, pointer, names.length).set(names);
  exports.openings_add(pointer, names.length);
  return module;
}

class Checker {
  #module;

  constructor(module, query) {
    this.#module = module;
    this.handle = module.withBytes(query, (s, n) => module.exports.search_new(s, n));
    if (!this.handle) module.fail();
    const { needs } = module.answer();
    module.own(this, 'search_free', this.handle);
    if (needs & NEEDS_COLLECTIONS) throw new Error(t('filter.no-collections'));
  }

  /** Is there a position of the game at which the query holds? `pgn` is a text or bytes. */
  holds(pgn, id) {
    return this.#module.withBytes(pgn, (s, n) => this.#module.exports.search_pgn(this.handle, s, n, id)) >= 0;
  }
}

/** A query as a Checker; an error of the query is thrown. */
export async function checkerOf(query) {
  loading ??= load().catch((error) => {
    loading = null; // tried again when it is next needed
    throw error;
  });
  return new Checker(await loading, query);
}
