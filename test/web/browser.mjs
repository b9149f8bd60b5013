/*
 * browser.mjs - runs Chromium with a server of the program and the sample games as its database, with functions to use
 * the page like a person.
 *
 * Whatever a test does, the console must stay silent and no request may leave 127.0.0.1: `complaints` collects
 * violations.
 *
 * TABIYA_WEB_SLOW=N shows tests that read the page too early: answers come up to 600 ms late, in any order, and the
 * page's processor is N times slower.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { build, loadModule, root } from './support.mjs';

const { chromium } = await import('../../web/node_modules/playwright-core/index.mjs');
const axe = readFileSync(join(root, 'web/node_modules/axe-core/axe.min.js'), 'utf8');
export const tabiya = await loadModule();
export const program = join(build, 'tabiya');
export const work = mkdtempSync(join(tmpdir(), 'tabiya-web-'));
export const database = join(work, 'games.db');

export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
export const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

/** How many times slower the page is; 0 if it is not slowed down. */
const slow = Number(process.env.TABIYA_WEB_SLOW ?? 0);

/** How long a test waits for something, in milliseconds: other programs may keep the processors busy. */
const PATIENCE = Number(process.env.TABIYA_WEB_PATIENCE ?? 60_000);

let browser;
const servers = [];
let address;
export const complaints = [];

/** Starts a server that ends with the tests; answers its address. */
export function serve(...options) {
  const server = spawn(program, ['serve', ...options, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  servers.push(server);
  return new Promise((resolve, reject) => {
    server.stdout.once('data', (data) => resolve(String(data).trim()));
    server.once('exit', () => reject(new Error('tabiya serve ended')));
  });
}

before(async () => {
  execFileSync(program, ['import', database, 'examples/famous.pgn', 'examples/selfplay.pgn'], { cwd: root, stdio: 'pipe' });
  address = await serve(database);
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync',
      // Opening pages takes half of a test's processor time, so use one process for all pages and do not optimize the module.
      '--renderer-process-limit=1', '--js-flags=--liftoff-only'] });
});

after(async () => {
  await browser?.close();
  for (const server of servers) server.kill('SIGTERM');
  rmSync(work, { recursive: true, force: true, maxRetries: 5 }); // a server may still be closing its files
});

/** The service worker loads all files of a page a second time, so pages have one only in test files that call this. */
let hasWorkers = false;
export const allowWorkers = (value = true) => { hasWorkers = value; };

/** Counts what the page still waits for: answers, and their bodies. */
function countAnswers() {
  window.nAwaited = 0;
  const count = (object, name) => {
    const original = object[name];
    object[name] = function (...args) {
      window.nAwaited++;
      return original.apply(this, args).finally(() => { window.nAwaited--; });
    };
  };
  count(window, 'fetch');
  for (const name of ['arrayBuffer', 'blob', 'json', 'text']) count(Response.prototype, name);
}

/** Delays the answers to all requests of a page, each for another time. */
function delayAnswers() {
  const { fetch, setTimeout: later } = window;
  const pause2 = () => new Promise((resolve) => { later(resolve, 300 * Math.random()); });
  window.fetch = async (...args) => {
    await pause2();
    const response = await fetch(...args);
    await pause2();
    args[1]?.signal?.throwIfAborted();
    return response;
  };
}

/** A separate page whose console and requests are recorded. */
export async function open(fragment = '', options = {}, prepare = async () => {}, from = address, ready = 'body[data-ready]') {
  const context = await browser.newContext({ viewport: { width: 1500, height: 1000 }, reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'], ...options });
  if (!hasWorkers) await context.addInitScript(() => { delete Navigator.prototype.serviceWorker; });
  if (slow) await context.addInitScript(delayAnswers);
  await context.addInitScript(countAnswers);
  await prepare(context);
  const page = await context.newPage();
  if (slow > 1) await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: slow });
  page.setDefaultTimeout(PATIENCE);
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`page: ${error.stack}`));
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol.startsWith('http') && hostname !== '127.0.0.1') complaints.push(`request: ${request.url()}`);
  });
  await page.goto(from + fragment);
  await page.waitForSelector(ready);
  return page;
}

/** Repeats a check until it passes, because the page may still be changing. After a minute, its last error counts. */
export async function eventually(check) {
  const end = performance.now() + PATIENCE;
  for (;;)
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
      await pause(50);
    }
}

/** Closes a page that was to get errors: the browser reports these itself, as complaints that match, and sometimes late. */
export async function closeWithErrors(page, expected) {
  await page.context().close();
  complaints.splice(0, complaints.length, ...complaints.filter((text) => !expected.test(text)));
}

/** What the page holds in a notation, whether or not its field is seen: 'now-fen', 'line-san', 'game-pgn'. */
export const value = (page, id) => page.evaluate(([group, name]) => {
  const { doc } = window.tabiya;
  const flags = doc.chess960 ? 1 << 8 : 0;
  const write = { now: () => doc.position.write(name, flags), start: () => doc.start.write(name, flags),
    line: () => doc.game.writeLine(doc.node, name, flags), game: () => doc.game.write(name).trimEnd() };
  return write[group]();
}, [id.split('-')[0], id.split('-').slice(1).join('-')]);
export const field = (page, id) => page.evaluate((name) => document.getElementById(name).value, id);
export const fen = (page) => value(page, 'now-fen');

/** Opens a tool of the menu: 'setup', 'convert' or 'tree'. */
export async function openTool(page, name) {
  await page.click('#menu');
  await page.click(`#tool-${name}`);
}

/** Shows a panel: the notation may be a pane of its own, and then needs no tab. */
export async function showTab(page, name) {
  if (name !== 'moves' || await page.isVisible('#tab-moves')) await page.click(`#tab-${name}`);
}

/** A list of games that is wide enough for all columns: for `open`. */
export const wideList = (context) => context.addInitScript(() => localStorage.setItem('tabiya-panes', '{"side":900}'));

/** The field of the search, which phones show after a press. */
export async function showSearch(page) {
  if (await page.isVisible('#search-show')) await page.click('#search-show');
}

/** Every field of the converter, seen and so alive. */
export async function openConverter(page) {
  await openTool(page, 'convert');
  await page.evaluate(() => { for (const box of document.querySelectorAll('#panel-convert details')) box.open = true; });
  await page.waitForFunction(() => document.getElementById('game-json').value !== '');
}
export const status = (page) => page.locator('#status-text').innerText();

/** Writes into a field as a user would, whether or not its tab is open. */
export async function write(page, id, text) {
  await page.evaluate(([name, content]) => {
    const control = document.getElementById(name);
    control.focus();
    control.value = content;
    control.dispatchEvent(new Event('input', { bubbles: true }));
    control.blur();
  }, [id, text]);
}

export async function expectFen(page, expected) {
  if (await fen(page) !== expected) await page.waitForFunction((text) => {
    const { doc } = window.tabiya;
    return doc.position.write('fen', doc.chess960 ? 1 << 8 : 0) === text;
  }, expected)
    .catch(async () => assert.equal(await fen(page), expected));
}

/** The middle of a square on the screen. */
export const point = (page, square) => page.evaluate((name) => {
  const box = document.querySelector(`[role=gridcell][data-square=${name}]`).getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}, square);

export async function drag(page, from, to) {
  const [start, [x, y]] = [await point(page, from), await point(page, to)];
  await page.mouse.move(...start);
  await page.mouse.down();
  await page.mouse.move(x - 3, y - 3);
  await page.mouse.move(x, y);
  await page.mouse.up();
}

export async function click(page, from, to) {
  await page.mouse.click(...await point(page, from));
  await page.mouse.click(...await point(page, to));
}

export async function press(page, from, to) {
  for (const square of [from, to]) {
    await page.keyboard.press(square[0]);
    await page.keyboard.press(square[1]);
    await page.keyboard.press('Enter');
  }
}

/** The squares of every move of a line, and the FEN after it. */
export function squaresOf(line) {
  const game = tabiya.game();
  let node = 0;
  return line.split(' ').map((san) => {
    const move = game.view(node).moves.find((candidate) => candidate.san === san);
    node = game.play(node, san);
    return { ...move, fen: game.position(node).write() };
  });
}

/** Text pasted outside of any field. */
export const paste = (page, text) => page.evaluate((content) => {
  const data = new DataTransfer();
  data.setData('text', content);
  document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
}, text);

/**
 * What axe finds wrong, as lines. The policy allows no script but the page's own, so the tool comes in by the debugger, once
 * per page. Unique selectors of the faults, which take time, are not needed. What is being loaded again is pale meanwhile: a
 * fault counts if it is there while nothing was loaded.
 */
export async function faultsByAxe(page) {
  if (!await page.evaluate(() => 'axe' in window)) await page.evaluate(`${axe}; undefined`);
  for (;;) {
    await page.waitForFunction(() => [...document.querySelectorAll('[aria-busy="true"]')].every((element) => !element.checkVisibility()));
    const found = await page.evaluate(async () => {
      let isCalm = true;
      const watch = new MutationObserver(() => { isCalm = false; });
      watch.observe(document.body, { subtree: true, attributes: true, attributeFilter: ['aria-busy'] });
      const { violations } = await window.axe.run(document, { resultTypes: ['violations'], selectors: false, preload: false });
      watch.disconnect();
      return isCalm || !violations.length ? violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html).slice(0, 3).join(' ')}`) : null;
    });
    if (found) return found;
  }
}

/** Options of `open`: a window of this size, and the usual ones. */
export const size = (width, height) => ({ viewport: { width, height } });
export const TABLET = size(768, 1024);
export const WIDE = size(1440, 900);

/** A request forwarded by a service worker cannot be held back. */
export const DIRECT = { ...WIDE, serviceWorkers: 'block' };

/** A page at a size, with touch if that is one of phones and tablets; `more` has its fragment and `prepare`. */
export const sized = (width, height, more = {}) => {
  const isPhone = width < 768 || height < 500;
  return open(more.fragment ?? '', { viewport: { width, height }, isMobile: isPhone, hasTouch: isPhone }, more.prepare);
};
export const openText = (page, pgn) => page.evaluate((text) => { const { doc } = window.tabiya; doc.setGame(doc.tabiya.game(text), () => 0, 'open'); }, pgn);

/** Is the middle of the element seen, neither cut off nor covered? */
const isSeen = (page, selector) => page.evaluate((name) => {
  const element = document.querySelector(name);
  if (!element) return false;
  const { x, y, width, height } = element.getBoundingClientRect();
  const at = document.elementFromPoint(x + width / 2, y + height / 2);
  return width > 0 && Boolean(at) && element.contains(at);
}, selector);
export const assertSeen = (page, selector, message = selector) => eventually(async () => assert.ok(await isSeen(page, selector), message));
export const frame = (page) => page.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); }));
export const listed = (page) => page.waitForFunction(() => document.getElementById('games-table').ariaBusy === 'false' && document.querySelector('#games-list [data-game]'));
export const explored = (page) => page.waitForFunction(() => document.getElementById('explorer').ariaBusy === 'false' && document.querySelector('#explorer-moves tr'));

/** Waits until a search has found n games. */
export const found = (page, n) => page.waitForFunction((text) => document.getElementById('games-count').textContent === text
  && document.getElementById('games-table').ariaBusy === 'false', n === 0 ? 'No games' : `${n.toLocaleString('en')} ${n === 1 ? 'game' : 'games'}`);

/** Holds back the requests that match until `release` is called; `asked` is fulfilled with the first one. */
export async function hold(target, pattern) {
  const held = {};
  const until = new Promise((resolve) => { held.release = resolve; });
  held.asked = new Promise((resolve) => {
    target.route(pattern, async (route) => {
      resolve(route.request());
      await until;
      await route.continue();
    });
  });
  return held;
}

/** Waits until the page has dealt with all that it asked for. */
export async function settled(page) {
  await page.waitForFunction(() => window.nAwaited === 0);
  await frame(page);
}

/** For `open`: the page's timers can be run with `page.clock.runFor`, for tests that something does not happen later. */
export const ownClock = (context) => context.clock.install();

/** Lets a held answer come, and the page deal with it. */
export async function answer(page, held) {
  held.release();
  await (await (await held.asked).response())?.finished(); // none if it was given up
  await settled(page);
}
export const listGames = async (page) => {
  await page.click('#tab-games');
  await page.waitForSelector('#games-list [data-game]');
};

/** Searches in the list of games. */
export async function searchFor(page, text) {
  await page.click('#tab-games');
  await page.fill('#query', text);
  await page.press('#query', 'Enter'); // busy from now on
  await page.waitForFunction(() => document.getElementById('games-table').ariaBusy === 'false');
}

/** The games that the program finds, the last ones first. */
export const find = (...args) => execFileSync(program, ['find', database, '--json', '--sort=-date', ...args], { cwd: root, encoding: 'utf8' })
  .trim().split('\n').filter(Boolean).map((line) => JSON.parse(line));
