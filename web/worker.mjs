/*
 * worker.mjs - keeps the files of the page, so that the board works without the server. What the server
 * has goes first; nothing of /api is kept.
 */
const CACHE = 'tabiya';
const FILES = ['./', 'style.css', 'board.css', 'icon.svg', 'pieces.svg', 'manifest.webmanifest', 'openings.tsv', 'tabiya.wasm',
  'start.mjs', 'app.mjs', 'api.mjs', 'board.mjs', 'controls.mjs', 'converter.mjs', 'document.mjs', 'dom.mjs', 'editor.mjs',
  'engine.mjs', 'entry.mjs', 'explorer.mjs', 'files.mjs', 'games.mjs', 'graph.mjs', 'lists.mjs', 'moves.mjs', 'openings.mjs',
  'players.mjs', 'report.mjs', 'settings.mjs', 'share.mjs', 'status.mjs', 'tabiya.mjs', 'tabiya-board.mjs', 'tree.mjs', 'years.mjs'];
const KNOWN = new Set(FILES.map((file) => new URL(file, self.registration.scope).href));

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)));
  self.skipWaiting();
});

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

async function answer(request) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: true, ignoreVary: true });
    if (kept) return kept;
    throw error;
  }
}

self.addEventListener('fetch', (event) => {
  const { method, url } = event.request;
  if (method === 'GET' && KNOWN.has(url.split(/[?#]/)[0])) event.respondWith(answer(event.request));
});
