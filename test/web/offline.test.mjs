/*
 * offline.test.mjs - without the server, on other pages, and how the page is loaded.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { allowWorkers, click, closeWithErrors, complaints, eventually, explored, faultsByAxe, open, showTab, size, value } from './browser.mjs';
import { build, root } from './support.mjs';

describe('offline and elsewhere', () => {
  before(() => allowWorkers());
  after(() => allowWorkers(false));

  test('the worker keeps every file of the page, and the board works without the server', async () => {
    const served = readFileSync(join(root, 'web/manifest.txt'), 'utf8').split('\n').filter((line) => line.startsWith('/'))
      .filter((line) => /\boffline\b/.test(line)).map((line) => line.split(/\s+/)[0]).sort();
    const page = await open();
    const source = await page.evaluate(async () => (await fetch('worker.mjs')).text());
    const kept = [...source.match(/const FILES = \[([^]*?)\]/)[1].matchAll(/'([^']+)'/g)].map((match) => (match[1] === './' ? '/' : `/${match[1]}`)).sort();
    assert.deepEqual(kept, served);
    for (const path of ['/', '/page.mjs', '/tabiya.wasm', '/style.css', '/pieces.svg']) assert.ok(kept.includes(path), path);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    await page.waitForFunction(async (n) => (await (await caches.open('tabiya')).keys()).length >= n, kept.length);
    const manifest = await page.evaluate(async () => (await fetch(document.querySelector('link[rel=manifest]').href)).json());
    assert.equal(manifest.display, 'standalone');
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    await page.context().setOffline(true);
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    await click(page, 'e2', 'e4');
    await page.waitForFunction(() => /King's Pawn/.test(document.getElementById('opening').textContent));
    await closeWithErrors(page, /ERR_INTERNET_DISCONNECTED|Failed to fetch/);
  });

  test('a second visit asks for the page, not for its files', async () => {
    const page = await open();
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    const nFiles = () => page.evaluate(async () => (await (await fetch('metrics')).text()).split('\n')
      .filter((line) => line.startsWith('tabiya_requests_total{path="files"')).reduce((sum, line) => sum + Number(line.split(' ')[1]), 0));
    const reload = async () => { // to the last file, the names of openings
      await page.reload();
      await page.waitForSelector('body[data-ready]');
      await page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => name.endsWith('openings.tsv')));
    };
    await reload();
    const before = await nFiles();
    await reload();
    const after = await nFiles();
    assert.ok(after > before, 'the page itself');
    assert.ok(after - before <= 4, `${after - before} requests for files`);
    await page.context().close();
  });

  test('<tabiya-board> on another page: walks, plays, turns', async () => {
    const types = { mjs: 'text/javascript', css: 'text/css', svg: 'image/svg+xml', wasm: 'application/wasm' };
    const files = ['tabiya-board.mjs', 'board.mjs', 'dom.mjs', 'tabiya.mjs', 'board.css', 'pieces.svg'];
    const host = createServer((request, response) => {
      const name = request.url.slice(1);
      response.setHeader('Content-Type', types[name.split('.').at(-1)] ?? 'text/html;charset=utf-8');
      if (files.includes(name)) response.end(readFileSync(join(root, 'web', name)));
      else if (name === 'tabiya.wasm') response.end(readFileSync(join(build, 'web/tabiya.wasm')));
      else response.end('<!doctype html><html lang="en"><title>x</title><link rel="icon" href="data:,"><script type="module" src="tabiya-board.mjs"></script>'
        + '<main><h1>x</h1><tabiya-board id="a" pgn="1. e4 e5 2. Nf3" ply="2" orientation="black"></tabiya-board>'
        + '<tabiya-board id="b" fen="8/4P2k/8/8/8/8/8/K7 w - - 0 1" playable></tabiya-board></main>');
    });
    await new Promise((resolve) => { host.listen(0, '127.0.0.1', resolve); });
    const page = await open('', {}, async () => {}, `http://127.0.0.1:${host.address().port}/`, 'tabiya-board');
    await page.waitForFunction(() => [...document.querySelectorAll('tabiya-board')].every((element) => element.game));
    const text = () => page.evaluate(() => document.getElementById('a').shadowRoot.querySelector('output').textContent);
    assert.equal(await text(), '1… e5');
    await page.locator('#a').getByRole('button', { name: 'Forward one move' }).click();
    assert.equal(await text(), '2. Nf3');
    assert.equal(await page.evaluate(() => document.getElementById('a').shadowRoot.querySelector('[role=gridcell]').dataset.square), 'h1');
    assert.equal(await page.evaluate(() => document.getElementById('a').shadowRoot.querySelectorAll('.piece').length), 32);
    const square = (name) => page.locator(`#b [role=gridcell][data-square=${name}]`).boundingBox();
    for (const name of ['e7', 'e8']) {
      const { x, y, width } = await square(name);
      await page.mouse.click(x + width / 2, y + width / 2);
    }
    await page.locator('#b [data-promotion=n]').click();
    assert.equal(await page.evaluate(() => { const b = document.getElementById('b'); return b.game.position(b.node).write(); }), '4N3/7k/8/8/8/8/8/K7 b - - 0 1');
    assert.deepEqual(await faultsByAxe(page), []);
    await page.context().close();
    host.close();
  });

  test('a cold load is under 250 kB compressed and 35 requests, without a shift of the layout', async () => {
    const sizes = [];
    const page = await open('', {}, async (context) => {
      context.on('requestfinished', (request) => {
        if (/openings\.tsv/.test(request.url())) return; // requested after the board is shown
        sizes.push(request.sizes().catch(() => null));
      });
      await context.addInitScript(() => {
        window.shift = 0;
        new PerformanceObserver((list) => { for (const { value: shift } of list.getEntries()) window.shift += shift; }).observe({ type: 'layout-shift', buffered: true });
      });
    });
    await page.waitForSelector('#explorer-games li');
    await page.waitForFunction(() => document.getElementById('explorer').ariaBusy === 'false');
    await page.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); }));
    const shift = await page.evaluate(() => window.shift);
    const bytes = (await Promise.all(sizes)).reduce((sum, part) => sum + (part?.responseBodySize ?? 0), 0);
    await page.context().close();
    assert.ok(bytes > 80_000 && bytes < 250_000, `${bytes} bytes`);
    assert.ok(sizes.length <= 35, `${sizes.length} requests`);
    assert.ok(shift < 0.01, `shift ${shift}`);
  });
});

describe('loading', () => {
  test('no file waits for another: the document requests the module and all scripts', async () => {
    const asked = new Set();
    let release;
    const held = new Promise((resolve) => { release = resolve; });
    const ready = open('', {}, async (context) => {
      context.on('request', (request) => asked.add(new URL(request.url()).pathname.replace(/^\/v\/[0-9a-f]+/, '')));
      await context.route('**/start.mjs', async (route) => {
        await held;
        await route.continue();
      });
    });
    const wanted = ['/start.mjs', '/page.mjs', '/tabiya.wasm'];
    await eventually(() => assert.deepEqual(wanted.filter((path) => !asked.has(path)), []));
    const early = new Set([...asked].filter((path) => /\.(mjs|wasm)$/.test(path)));
    release();
    const page = await ready;
    assert.deepEqual([...early].filter((path) => !wanted.includes(path)), [], 'requested but not used');
    const twice = await page.evaluate(() => {
      const names = performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => /\.(mjs|wasm)$/.test(name));
      return names.filter((name, i) => names.indexOf(name) !== i);
    });
    assert.deepEqual(twice, []);
    await page.context().close();
  });

  test('a file is read a few games at a time, and the page does other work in between', async () => {
    const page = await open('', {}, (context) => context.addInitScript(() => {
      window.rests = 0;
      scheduler.yield = () => new Promise((resolve) => {
        window.rests++;
        setTimeout(resolve);
      });
    }));
    await page.evaluate(() => {
      const { library } = window.tabiya;
      const { games } = Object.getPrototypeOf(library);
      window.parts = [];
      library.games = function* counted(...args) {
        let part = -1;
        for (const game of games.apply(library, args)) {
          if (part !== window.rests) window.parts.push(0);
          part = window.rests;
          window.parts[window.parts.length - 1]++;
          yield game;
        }
      };
    });
    await page.setInputFiles('#file', { name: 'many.pgn', mimeType: 'text/plain', buffer: Buffer.from('[White "A"]\n\n1. e4 e5 *\n\n'.repeat(1234)) });
    await page.waitForFunction(() => /^1,234 games$/.test(document.getElementById('games-count').textContent));
    const parts = await page.evaluate(() => window.parts);
    assert.ok(Math.max(...parts) <= 50, parts.join());
    await page.context().close();
  });
});

describe('no server, database or engine', () => {
  test('without an engine and a database only their panels are missing', async () => {
    const page = await open('', {}, (context) => context.route('**/api', (route) => route.fulfill({ json: { database: null } })));
    for (const id of ['engine', 'explorer']) assert.ok(await page.isHidden(`#${id}`), id);
    await page.click('#tab-games');
    assert.match(await page.locator('#panel-games').innerText(), /^There are no games yet/);
    assert.deepEqual(await faultsByAxe(page), []);
    await showTab(page, 'moves');
    await click(page, 'e2', 'e4');
    assert.equal(await value(page, 'line-san'), 'e4');
    await page.context().close();
  });

  test('Games without a database has a button that opens a file', async () => {
    const page = await open('', size(1280, 720), (context) => context.route('**/api', (route) => route.fulfill({ json: { database: null } })));
    await page.click('#tab-games');
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.click('#open-games')]);
    assert.ok(chooser);
    await page.context().close();
  });

  test('a click that needs the server reports that it cannot be reached', async () => {
    const page = await open();
    await page.waitForSelector('#explorer-games [data-game]');
    await page.context().setOffline(true);
    await page.locator('#explorer-games [data-game]').first().click();
    await page.waitForSelector('#toast:popover-open');
    assert.match(await page.locator('#toast-text').innerText(), /server cannot be reached/);
    await closeWithErrors(page, /ERR_INTERNET_DISCONNECTED/);
  });

  test('when the server is gone, the page shows a sign and a button to try again', async () => {
    const page = await open('', size(1280, 720));
    await explored(page);
    const asked = /\/(api([?/]|$)|lichess)/;
    await page.route(asked, (route) => route.abort('connectionrefused'));
    await click(page, 'e2', 'e4');
    await page.waitForSelector('#connection:visible');
    await page.waitForSelector('#explorer-hint button');
    await page.unroute(asked);
    await page.click('#reconnect');
    await page.waitForSelector('#connection', { state: 'hidden' });
    await explored(page);
    await closeWithErrors(page, /ERR_CONNECTION_REFUSED/);
  });
});

test('the console was silent, and no request went to other hosts', () => {
  assert.deepEqual(complaints, []);
});
