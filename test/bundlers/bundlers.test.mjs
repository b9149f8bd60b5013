/*
 * bundlers.test.mjs - the npm package in programs that esbuild, webpack and Vite bundle, and then Chromium runs.
 *
 * The package is the one that npm would publish, in a folder of a user. The bundles are built as the package's README
 * says.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import * as vite from 'vite';
import webpack from 'webpack';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '../..');
const { chromium } = createRequire(join(root, 'web/package.json'))('playwright-core');
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm', '.css': 'text/css', '.svg': 'image/svg+xml' };
const AFTER_E4 = 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3';

const work = mkdtempSync(join(tmpdir(), 'tabiya-bundlers-'));
let browser;

before(async () => {
  const file = execFileSync(join(root, 'bindings/wasm/pack.sh'), [process.env.TABIYA_BUILD, work], { encoding: 'utf8' }).trim();
  mkdirSync(join(work, 'node_modules/tabiya'), { recursive: true });
  execFileSync('tar', ['-xzf', file, '-C', join(work, 'node_modules/tabiya'), '--strip-components=1']);
  for (const name of ['main.mjs', 'named.mjs']) cpSync(join(here, name), join(work, name));
  writeFileSync(join(work, 'package.json'), '{ "type": "module", "sideEffects": true }');
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] });
});
after(async () => {
  await browser?.close();
  rmSync(work, { recursive: true, force: true });
});

const html = (script) => `<!doctype html><title></title><link rel="icon" href="data:,"><script type="module" src="${script}"></script>
<tabiya-board pgn="1. e4 e5" ply="1"></tabiya-board>`;

/** What a page at `url` has as its title in the end, the pieces that its board shows, and its requests that failed. */
async function visit(url, hasBoard) {
  const page = await browser.newPage();
  const failed = [];
  page.on('response', (response) => { if (!response.ok()) failed.push(`${response.status()} ${response.url()}`); });
  page.on('pageerror', (error) => failed.push(error.message));
  await page.goto(url);
  await page.waitForFunction(() => document.title !== '');
  if (hasBoard) await page.waitForFunction(() => /e4/.test(document.querySelector('tabiya-board').shadowRoot?.querySelector('output').textContent));
  const title = await page.title();
  await page.close();
  return { title, failed };
}

/** Runs a folder of files in the browser, below a path as on any host. */
async function run(folder, { hasBoard }) {
  const server = createServer((request, response) => {
    const path = join(folder, request.url.replace(/^\/app\//, '').replace(/^$/, 'index.html'));
    const isFile = request.url.startsWith('/app/') && existsSync(path);
    response.writeHead(isFile ? 200 : 404, { 'Content-Type': TYPES[extname(path)] ?? 'text/plain' });
    response.end(isFile ? readFileSync(path) : '');
  });
  await new Promise((done) => { server.listen(0, '127.0.0.1', done); });
  try {
    assert.deepEqual(await visit(`http://127.0.0.1:${server.address().port}/app/`, hasBoard), { title: AFTER_E4, failed: [] });
  } finally {
    server.close();
  }
}

for (const loader of ['file', 'binary'])
  test(`esbuild, with the loader ${loader} for .wasm`, async () => {
    const out = join(work, `esbuild-${loader}`);
    const { warnings } = await esbuild.build({ entryPoints: [join(work, 'named.mjs')], bundle: true, format: 'esm', outfile: join(out, 'main.js'),
      loader: { '.wasm': loader }, logLevel: 'silent', absWorkingDir: work });
    assert.deepEqual(warnings, []);
    writeFileSync(join(out, 'index.html'), html('main.js'));
    await run(out, { hasBoard: false });
  });

test('webpack', async () => {
  const out = join(work, 'webpack');
  const stats = await new Promise((done, fail) => {
    webpack({ mode: 'production', context: work, entry: './main.mjs', output: { path: out, filename: 'main.js' }, optimization: { minimize: false } },
      (error, result) => (error ? fail(error) : done(result)));
  });
  assert.deepEqual(stats.toJson({ all: false, errors: true, warnings: true }).errors.map(({ message }) => message), []);
  assert.ok(readdirSync(out).some((name) => name.endsWith('.wasm')), 'the module is among the files');
  assert.ok(!readFileSync(join(out, 'main.js'), 'utf8').includes(work), 'no path of this machine is in the bundle');
  writeFileSync(join(out, 'index.html'), html('main.js'));
  await run(out, { hasBoard: true });
});

test('Vite, built', async () => {
  writeFileSync(join(work, 'index.html'), html('./main.mjs'));
  await vite.build({ root: work, base: './', logLevel: 'silent', configFile: false, build: { outDir: 'vite' } });
  await run(join(work, 'vite'), { hasBoard: true });
});

test('Vite, while developing', async () => {
  writeFileSync(join(work, 'index.html'), html('./main.mjs'));
  const server = await vite.createServer({ root: work, logLevel: 'silent', configFile: false, server: { port: 0, host: '127.0.0.1' },
    optimizeDeps: { exclude: ['tabiya'] } });
  try {
    await server.listen();
    const { port } = server.httpServer.address();
    assert.deepEqual(await visit(`http://127.0.0.1:${port}/`, true), { title: AFTER_E4, failed: [] });
  } finally {
    await server.close();
  }
});

test('the package imports nothing of Node', () => {
  const folder = join(work, 'node_modules/tabiya');
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.mjs')))
    assert.doesNotMatch(readFileSync(join(folder, name), 'utf8'), /(from|import\() ?'(?!\.\/)/, name);
});
