/*
 * published-files.mjs - the bytes of published games (docs/formats/published.md): fetched in parts, checked, and kept.
 *
 * A host without range requests sends whole files: they are kept if they are small, and refused with a reason otherwise.
 */
const VERSION = 1;
export const GROUP = 64;
const WHOLE_MOST = 32e6; // bytes of a collection that is loaded as a whole if the host knows no ranges
const KEPT = 3000; // chunks
const TOGETHER = 512 * 1024; // bytes of chunks side by side that are one request
const decoder = new TextDecoder();

/** `kind` is 'network', 'ranges', 'missing', 'damaged' or 'version'. */
export class PublishedError extends Error {
  constructor(kind, message) {
    super(message);
    this.name = 'PublishedError';
    this.kind = kind;
  }
}

const CRC = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let i = 0; i < 8; i++) n = n & 1 ? (n >>> 1) ^ 0x82f63b78 : n >>> 1;
  return n;
});
/** Are the last four bytes the checksum of the others? */
function isSound(bytes) {
  const end = bytes.length - 4;
  let crc = ~0;
  for (let i = 0; i < end; i++) crc = (crc >>> 8) ^ CRC[(crc ^ bytes[i]) & 255];
  return end >= 0 && ~crc >>> 0 === new DataView(bytes.buffer, bytes.byteOffset).getUint32(end);
}

/** Numbers and texts, one after the other; throws a RangeError beyond the end. */
export class Cursor {
  constructor(bytes, at = 0, end = bytes.length) { Object.assign(this, { bytes, at, end }); }

  byte() {
    if (this.at >= this.end) throw new RangeError('beyond the end');
    return this.bytes[this.at++];
  }

  number() {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  fixed(n) {
    let value = 0;
    for (let i = 0; i < n; i++) value = value * 256 + this.byte();
    return value;
  }

  take(n) {
    if (n > this.end - this.at) throw new RangeError('beyond the end');
    return this.bytes.subarray(this.at, this.at += n);
  }

  text(n = this.number()) { return decoder.decode(this.take(n)); }

  /** A text that may be missing. */
  known() {
    const n = this.number();
    return n ? this.text(n - 1) : null;
  }
}

/** The last index whose value is not greater; -1 if there is none. */
export function lastAt(list, value, of = (x) => x) {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (of(list[middle]) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export class PublishedFiles {
  #kept = new Map(); // chunks by place: promises
  #whole = new Map(); // files of a host without ranges
  /** Requests to the host so far, and the bytes of their answers. */
  traffic = { requests: 0, bytes: 0 };

  constructor(address, tabiya, { fetch = globalThis.fetch.bind(globalThis) } = {}) {
    Object.assign(this, { address: new URL(address, globalThis.location?.href), tabiya, fetch });
  }

  // ---- Bytes

  async #request(name, init) {
    for (let left = 1; ; left--) // a connection may be cut
      try {
        this.traffic.requests++;
        const response = await this.fetch(new URL(name, this.address), init);
        if (response.status === 404 || response.status === 410) throw new PublishedError('missing', `${name} is not there: the games were published again, or only in part. Load the page again`);
        if (response.status === 416) throw new PublishedError('damaged', `${name} is cut short`);
        if (!response.ok) throw new PublishedError('network', `${name}: the host answered with status ${response.status}`);
        if (response.status === 200 && init?.headers) return await this.#withoutRanges(name, response);
        const bytes = new Uint8Array(await response.arrayBuffer());
        this.traffic.bytes += bytes.length;
        return bytes;
      } catch (error) {
        if (error instanceof PublishedError || error.name === 'AbortError') throw error;
        if (!left) throw new PublishedError('network', `${name} could not be fetched: ${error.message}`);
      }
  }

  /** The host has begun to send the whole file: only of a small collection it is read. */
  async #withoutRanges(name, response) {
    if (this.manifest.bytes > WHOLE_MOST) {
      await response.body?.cancel();
      throw new PublishedError('ranges', `The host of these games does not support range requests (it ignores the header Range), and they are too large to be loaded as a whole: ${Math.round(this.manifest.bytes / 1e6)} MB`);
    }
    const bytes = new Uint8Array(await response.arrayBuffer());
    this.traffic.bytes += bytes.length;
    this.#whole.set(name, bytes);
    return null;
  }

  /** Bytes of the files, as if they were one. */
  async #bytes(at, n, cache) {
    const file = this.files[lastAt(this.files, at, ({ start }) => start)];
    const from = at - file.start;
    if (!this.#whole.has(file.name)) {
      const bytes = await this.#request(file.name, { headers: { Range: `bytes=${from}-${from + n - 1}` }, ...(cache ? { cache } : {}) });
      if (bytes && bytes.length !== n) throw new PublishedError('damaged', `${file.name} is cut short, or the host sent other bytes than were asked for`);
      if (bytes) return bytes;
    }
    return this.#whole.get(file.name).subarray(from, from + n);
  }

  async #fetchChunk(at, n) {
    for (const cache of [undefined, 'reload']) {
      const bytes = await this.#bytes(at, n, cache).catch((error) => { if (cache || error.kind !== 'damaged') throw error; return new Uint8Array(0); });
      if (bytes.length === n && isSound(bytes)) return bytes.subarray(0, n - 4);
    }
    throw new PublishedError('damaged', 'The published games are damaged: a part does not have its checksum. Publish or copy them again');
  }

  /** A chunk without its checksum, `n` bytes with it. */
  async chunk(at, n) {
    const known = this.#kept.get(at) ?? this.#fetchChunk(at, n);
    this.#kept.delete(at);
    this.#kept.set(at, known); // the last used is the last
    this.#forget();
    try {
      return await known;
    } catch (error) {
      this.#kept.delete(at);
      throw error;
    }
  }

  async #manifest() {
    let manifest;
    try {
      manifest = JSON.parse(decoder.decode(await this.#request('manifest.json', { cache: 'no-cache' })));
    } catch (error) {
      throw error instanceof PublishedError ? error : new PublishedError('damaged', 'manifest.json cannot be read');
    }
    if (manifest.format !== 'tabiya-published') throw new PublishedError('version', 'There are no published games at this address');
    if (manifest.version !== VERSION) throw new PublishedError('version', `These games are published in version ${manifest.version} of the format, which this page does not know. Load the page again`);
    return manifest;
  }

  /** Loads the directory; `manifest` is given for games that were added later. */
  async load(manifest = null) {
    manifest ??= await this.#manifest();
    this.manifest = manifest;
    const bytes = await this.#request(manifest.directory);
    if (bytes.length !== manifest['directory-bytes'] || !isSound(bytes)) throw new PublishedError('damaged', `${manifest.directory} is damaged or not complete`);
    const cursor = new Cursor(bytes, 0, bytes.length - 4);
    const directory = JSON.parse(cursor.text(cursor.fixed(4)));
    let [start, first] = [0, 0];
    this.groups = Array.from({ length: Math.ceil(directory.games / GROUP) }, () => {
      const size = cursor.number();
      start += size;
      return { at: directory.groups[0] + start - size, size };
    });
    this.firsts = Array.from({ length: directory.blocks }, () => first += cursor.number());
    start = 0;
    this.files = directory.files.map(([name, size]) => ({ name, size, start: (start += size) - size }));
    Object.assign(this, { directory, games: directory.games });
  }

  /** Fetches chunks, sorted by place, that lie side by side as one. What fails is fetched again when it is needed. */
  async fetchTogether(chunks, signal) {
    const runs = [];
    for (const chunk of chunks) {
      const last = runs.at(-1);
      if (this.#kept.has(chunk.at)) continue;
      const isSameFile = last && lastAt(this.files, chunk.at, ({ start }) => start) === lastAt(this.files, last[0].at, ({ start }) => start);
      if (isSameFile && last.at(-1).at + last.at(-1).size === chunk.at && chunk.at + chunk.size - last[0].at <= TOGETHER) last.push(chunk);
      else runs.push([chunk]);
    }
    const next = runs[Symbol.iterator]();
    const work = async () => {
      for (const run of next) {
        signal?.throwIfAborted();
        if (run.length === 1) await this.chunk(run[0].at, run[0].size);
        else await this.#fetchRun(run);
      }
    };
    await Promise.all(Array.from({ length: 4 }, work));
  }

  async #fetchRun(run) {
    const bytes = await this.#bytes(run[0].at, run.at(-1).at + run.at(-1).size - run[0].at).catch((error) => { if (error.kind !== 'damaged') throw error; return new Uint8Array(0); });
    for (const { at, size } of run) {
      const part = bytes.subarray(at - run[0].at, at - run[0].at + size);
      if (part.length === size && isSound(part)) this.#kept.set(at, Promise.resolve(part.slice(0, size - 4)));
    }
    this.#forget();
  }

  #forget() {
    while (this.#kept.size > KEPT) this.#kept.delete(this.#kept.keys().next().value);
  }
}
