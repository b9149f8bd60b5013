/*
 * published-server.mjs - a static web server for published folders that can misbehave in the ways that hosts do.
 *
 *     const server = await serveFolder(folder, { ranges: true, delay: 0 });
 *     server.faults.cut = 1;      // the next connection is cut in the middle of its answer
 *     server.address, server.requests, await server.close()
 */
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join, normalize } from 'node:path';

const TYPES = { html: 'text/html;charset=utf-8', mjs: 'text/javascript', js: 'text/javascript', pgn: 'text/plain;charset=utf-8', css: 'text/css', svg: 'image/svg+xml', wasm: 'application/wasm', json: 'application/json', webmanifest: 'application/manifest+json' };

/** `under` is the path of the folder, such as /a/b/; `csp` a Content-Security-Policy for pages. */
export async function serveFolder(folder, { ranges = true, delay = 0, under = '/', csp = null, extra = {} } = {}) {
  const faults = { cut: 0 };
  const requests = [];
  const changed = new Map(); // bytes instead of those of a file, by name
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://x').pathname);
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    requests.push({ path, range: request.headers.range ?? null });
    if (delay) await new Promise((resolve) => { setTimeout(resolve, delay); });
    const name = normalize(path.slice(under.length) || 'index.html');
    const bytes = !path.startsWith(under) || name.startsWith('..') ? null : extra[name] ?? changed.get(name) ?? await readFile(join(folder, name)).catch(() => null);
    if (!bytes) {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('not found');
      return;
    }
    const headers = { 'Content-Type': TYPES[name.split('.').pop()] ?? 'application/octet-stream', 'Access-Control-Allow-Origin': '*', ...(csp ? { 'Content-Security-Policy': csp } : {}) };
    const isPart = ranges && range && Number(range[1]) < bytes.length;
    const body = isPart ? bytes.subarray(Number(range[1]), Number(range[2]) + 1) : bytes;
    if (isPart) headers['Content-Range'] = `bytes ${range[1]}-${Math.min(Number(range[2]), bytes.length - 1)}/${bytes.length}`;
    response.writeHead(isPart ? 206 : ranges && range ? 416 : 200, { ...headers, 'Content-Length': body.length });
    if (faults.cut > 0 && name.startsWith('data/')) {
      faults.cut--;
      response.write(body.subarray(0, body.length >> 1), () => response.destroy());
      return;
    }
    response.end(body);
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  return { faults, requests, changed, address: `http://127.0.0.1:${server.address().port}${under}`,
    close: () => new Promise((resolve) => { server.closeAllConnections(); server.close(resolve); }) };
}
