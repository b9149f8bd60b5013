/*
 * latest.mjs - the latest answer wins: of several requests for one place of the page, only the last one may show something.
 *
 * One Latest for each place. A request that is superseded is aborted; whether it still ends, well or with an error, nobody
 * hears of it.
 */
export class Latest {
  #stop = null;

  /**
   * Asks `ask(signal)`, after ending the request before. Its answer goes to `show(answer)`, an error to `fail(error)`, if no other
   * request has begun meanwhile. Resolves to whether the answer was shown.
   */
  async run(ask, show = (_answer) => {}, fail = /** @type {(error: any) => any} */ ((error) => { throw error; })) {
    this.cancel();
    const mine = new AbortController();
    this.#stop = mine;
    const isLatest = () => this.#stop === mine;
    try {
      const answer = await ask(mine.signal);
      if (!isLatest()) return false;
      await show(answer);
      return isLatest();
    } catch (error) {
      if (isLatest() && error.name !== 'AbortError') await fail(error);
      return false;
    }
  }

  /** For several requests that belong together: ends those before, and answers the signal of the new ones. */
  begin() {
    this.cancel();
    this.#stop = new AbortController();
    return this.#stop.signal;
  }

  /** Ends the request that is under way, if there is one. */
  cancel() {
    this.#stop?.abort();
    this.#stop = null;
  }
}

/** Waits, unless the signal ends it. */
export const pause = (ms, signal) => new Promise((resolve, reject) => {
  signal.throwIfAborted();
  setTimeout(resolve, ms);
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
});
