/*
 * single.mjs - the page as one HTML file: requests for its files are answered from the document.
 *
 * It comes before the page in the same script, because other scripts would not wait for it. A file is a script element of text with its name
 * in data-file and base64 as its text, compressed if it has data-packed.
 */
const embedded = new Map([...document.querySelectorAll('script[data-file]')].map((element) => [element.dataset.file, element]));
const TYPES = { wasm: 'application/wasm', json: 'application/json', svg: 'image/svg+xml', tsv: 'text/plain', mjs: 'text/javascript', html: 'text/html' };
const unpacked = new Map(); // by name: promises of bytes

async function bytesOf(name) {
  const element = embedded.get(name);
  const packed = Uint8Array.from(atob(element.textContent), (character) => character.charCodeAt(0));
  element.textContent = '';
  if (!('packed' in element.dataset)) return packed;
  return new Uint8Array(await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());
}

const fetchOutside = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const { pathname } = new URL(input.url ?? input, document.baseURI);
  const name = [...embedded.keys()].find((file) => pathname.endsWith(`/${file}`));
  if (!name) return fetchOutside(input, init);
  if (!unpacked.has(name)) unpacked.set(name, bytesOf(name));
  const bytes = await unpacked.get(name);
  const headers = { 'Content-Type': TYPES[name.split('.').pop()] ?? 'application/octet-stream' };
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(new Headers(init?.headers).get('Range') ?? '') ?? [];
  return from ? new Response(bytes.slice(Number(from), Number(to) + 1), { status: 206, headers }) : new Response(bytes, { headers });
};

/** Pictures of pieces cannot be referred to in other files from a disk: they are part of the document, as pieces-wk, pieces-plain-wk and so on. */
for (const set of ['pieces', 'pieces-plain', 'pieces-bold']) {
  const text = await (await globalThis.fetch(`${set}.svg`)).text();
  const { documentElement } = new DOMParser().parseFromString(text.replace(/\bid="/g, `id="${set}-`).replace(/href="#/g, `href="#${set}-`), 'image/svg+xml');
  const svg = document.importNode(documentElement, true);
  svg.setAttribute('class', 'symbols');
  svg.setAttribute('aria-hidden', 'true');
  document.body.append(svg);
}
document.documentElement.dataset.single = 'true';
