/*
 * worker.mjs - caches the files of the page, so that the board works without the server. The server is asked first;
 * nothing of /api is kept.
 */
const CACHE = 'tabiya';
const FILES = [OFFLINE_FILES]; // the build writes the list, from manifest.txt
const SCOPE = self.registration.scope;
const NAMES = new Set(FILES);

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
  return NAMES.has(name) ? name : undefined;
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

async function answer(request, file) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(keyOf(file), response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(keyOf(file), { ignoreVary: true });
    if (kept) return kept;
    throw error;
  }
}

self.addEventListener('fetch', (event) => {
  const file = event.request.method === 'GET' ? fileAt(event.request.url) : undefined;
  if (file) event.respondWith(answer(event.request, file));
});
