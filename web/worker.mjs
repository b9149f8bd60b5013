/*
 * worker.mjs - caches the files of the page, so that the board works without the server. The server is asked first;
 * nothing of /api is kept. Of published games (data/), what was fetched once is kept too: each part as a whole answer under an address
 * of its own, because caches refuse partial ones.
 */
const CACHE = 'tabiya';
const FILES = [OFFLINE_FILES]; // the build writes the list, from manifest.txt
const SCOPE = self.registration.scope;
const NAMES = new Set([...FILES, 'published-page.mjs', 'search.wasm', 'engine-page.mjs', 'engine-frame.html']); // those after FILES, and languages, are kept when they have been needed
const LANGUAGE = /^texts-[a-z]+\.json$/;

/*
 * The page takes its files from a folder that names their version, v/VERSION/, and says which; they are kept without it, so
 * that a new version replaces the old one. The page itself and what refers to it have no version.
 */
const VERSIONED = new URL(new URL(self.location).searchParams.get('files') ?? './', SCOPE);
const sourceOf = (file) => new URL(file, file === './' || file.endsWith('.webmanifest') ? SCOPE : VERSIONED);
const keyOf = (file) => new URL(file, SCOPE).href;

/** The file that an address leads to; undefined for what is none. */
function fileAt(address) {
  const url = address.split(/[?#]/)[0];
  if (!url.startsWith(SCOPE)) return undefined;
  const name = url.slice(SCOPE.length).replace(/^v\/[0-9a-f]+\/(?=.)/, '') || './';
  return NAMES.has(name) || LANGUAGE.test(name) ? name : undefined;
}

async function keep(cache, file) {
  const response = await fetch(sourceOf(file));
  if (!response.ok) throw new Error(`${file}: ${response.status}`);
  await cache.put(keyOf(file), response);
}

/** API requests bypass this worker if the browser supports that, because starting it takes time. */
const PAST = ['api', 'api/*', 'lichess', 'lichess/*'].map((pathname) => ({ condition: { urlPattern: new URL(pathname, SCOPE).href }, source: 'network' }));

self.addEventListener('install', (event) => {
  if (event.addRoutes) event.waitUntil(event.addRoutes(PAST).catch(() => {}));
  event.waitUntil(caches.open(CACHE).then((cache) => Promise.all(FILES.map((file) => keep(cache, file)))));
  self.skipWaiting();
});

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

/** The page with the headers that let an engine use threads, which static hosts do not send. */
const IS_ISOLATED = new URL(self.location).searchParams.has('isolated');
function isolate(response) {
  const headers = new Headers(response.headers);
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
  return new Response(response.body, { status: response.status, headers });
}

async function answer(request, file) {
  const cache = await caches.open(CACHE);
  const finish = (response) => (IS_ISOLATED && file === './' && response.ok && !response.redirected ? isolate(response) : response);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(keyOf(file), response.clone());
    return finish(response);
  } catch (error) {
    const kept = await cache.match(keyOf(file), { ignoreVary: true });
    if (kept) return finish(kept);
    throw error;
  }
}

// ---- Published games

const PARTS = 'tabiya-games';
const PARTS_MOST = 4000;
const isGames = (url) => url.startsWith(`${SCOPE}data/`) || url.startsWith(`${SCOPE}engine/`); // an engine beside the page, too
const isPart = (url) => /\/[0-9a-f]{16}\.(tby|dir)$/.test(url);
let nKept = 0;

async function forgetSome(cache) {
  const all = await cache.keys();
  for (const old of all.slice(0, Math.max(0, all.length - PARTS_MOST))) await cache.delete(old); // the oldest come first
}

/** A part that is named by its content never changes, so that it is taken from the cache first; the manifest only without a network. */
async function answerGames(request) {
  const url = request.url.split(/[?#]/)[0];
  const range = request.headers.get('Range');
  const key = range ? `${url}?${range}` : url;
  const cache = await caches.open(PARTS);
  const known = await cache.match(key);
  const make = (kept) => new Response(kept.body, { status: range ? 206 : 200, headers: kept.headers });
  if (known && isPart(url) && request.cache !== 'reload') return make(known);
  try {
    const response = await fetch(request);
    if (response.status !== (range ? 206 : 200)) return response;
    const copy = response.clone();
    await cache.put(key, new Response(copy.body, { headers: copy.headers }));
    if (++nKept % 500 === 0) await forgetSome(cache);
    return response;
  } catch (error) {
    if (known) return make(known);
    throw error;
  }
}

self.addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET') return;
  const file = fileAt(event.request.url);
  if (file) event.respondWith(answer(event.request, file));
  else if (isGames(event.request.url)) event.respondWith(answerGames(event.request));
});
