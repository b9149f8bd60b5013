/*
 * embed.test.mjs - tabiya-embed.js on the gallery, examples/embed/: elements and upgraded blocks, under a strict policy.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { PHONE, closeWithErrors, complaints, eventually, faultsByAxe, open, program, serve, work } from './browser.mjs';
import { serveFolder } from './published-server.mjs';
import { build, root } from './support.mjs';

const site = join(work, 'gallery');
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; connect-src 'self'";
const file = (name) => readFileSync(join(root, 'examples', name));
const extra = { 'gallery.html': file('embed/index.html'), 'gallery.css': file('embed/gallery.css'), 'club.pgn': file('famous.pgn') };
let server;

before(async () => {
  execFileSync(program, ['publish', join(root, 'examples/famous.pgn'), '-o', site], { stdio: 'ignore' });
  server = await serveFolder(site, { extra, csp: POLICY });
});
after(() => server.close());

const gallery = (options = {}, address = `${server.address}gallery.html`) => open('', options, undefined, address, 'tabiya-board');
const inside = (page, id, selector) => page.locator(`#${id}`).locator(selector);
const ready = (page) => page.waitForFunction(() => [...document.querySelectorAll('tabiya-board')].length === 7 && [...document.querySelectorAll('tabiya-board')].every((element) => element.game));

test('boards show games and positions, walk by buttons, list and keyboard, and are played on', async () => {
  const page = await gallery();
  await ready(page);
  await eventually(async () => assert.match(await inside(page, 'game', 'output').innerText(), /3… a6 – the Morphy Defence/));
  await inside(page, 'game', '[aria-label="Forward one move"]').click();
  assert.match(await inside(page, 'game', 'output').innerText(), /4\. Ba4/);
  await inside(page, 'game', '.list button').first().click();
  assert.match(await inside(page, 'game', 'output').innerText(), /1\. e4/);
  await page.keyboard.press('ArrowRight');
  assert.match(await inside(page, 'game', 'output').innerText(), /1… e5/);
  assert.equal(await inside(page, 'game', '.list [aria-current="true"]').innerText(), 'e5');
  assert.match(await inside(page, 'file', '.title').innerText(), /–/);
  await page.evaluate(() => document.getElementById('position').playMove('e7e8q'));
  assert.match(await inside(page, 'position', 'output').innerText(), /e8=Q/);
  assert.equal(server.requests.filter(({ path }) => path.endsWith('tabiya.wasm')).length, 1, 'the module is loaded once');
  await page.context().close();
});

test('lists of games are filtered and opened', async () => {
  const page = await gallery();
  await ready(page);
  await eventually(async () => assert.equal(await inside(page, 'games', '.note').innerText(), '58 games'));
  await inside(page, 'games', 'input').fill('morphy 1858');
  await eventually(async () => assert.match(await inside(page, 'games', '.note').innerText(), /^\d games?$/));
  await inside(page, 'games', '.games button').first().click();
  await eventually(async () => assert.match(await inside(page, 'games', '.title').innerText(), /Morphy/));
  await page.context().close();
});

test('a published collection is explored', async () => {
  const page = await gallery();
  await ready(page);
  await eventually(async () => assert.match(await inside(page, 'explorer', '.note').innerText(), /58 of 58 games/));
  await inside(page, 'explorer', 'tbody button').first().click();
  await eventually(async () => assert.doesNotMatch(await inside(page, 'explorer', '.note').innerText(), /58 of 58/));
  await inside(page, 'explorer', '.games button').first().click();
  await eventually(async () => assert.match(await inside(page, 'explorer', '.title').innerText(), /–/));
  await page.context().close();
});

test('blocks of games and positions become boards; one that cannot be read stays', async () => {
  const page = await gallery();
  await ready(page);
  assert.equal(await page.locator('pre').count(), 1);
  assert.match(await page.locator('#broken').innerText(), /this is no game/);
  assert.equal(await page.locator('tabiya-games').count(), 2);
  await page.context().close();
});

test('comments are shown without their clocks, evaluations and arrows', async () => {
  const page = await gallery();
  await ready(page);
  await page.evaluate(() => document.getElementById('game').setAttribute('ply', '1'));
  await page.evaluate(() => document.getElementById('game').setAttribute('pgn', '1. e4 {[%clk 0:01:00] [%eval 0.3] best [%cal Ge4e5]} *'));
  await eventually(async () => assert.equal(await inside(page, 'game', 'output').innerText(), '1. e4 – best'));
  await page.evaluate(() => document.getElementById('game').setAttribute('pgn', '1. e4 {[%clk 0:01:00]} *'));
  await eventually(async () => assert.equal(await inside(page, 'game', 'output').innerText(), '1. e4'));
  await page.context().close();
});

test('a missing file is reported', async () => {
  const page = await gallery();
  await ready(page);
  await page.evaluate(() => document.getElementById('file').setAttribute('src', 'none.pgn'));
  await eventually(async () => assert.match(await inside(page, 'file', 'output').innerText(), /none\.pgn cannot be loaded: the host answered with status 404/));
  await closeWithErrors(page, /404|Failed to load/);
});

test('axe finds nothing, light and dark, wide and small', async () => {
  for (const options of [{ colorScheme: 'light' }, { colorScheme: 'dark' }, { ...PHONE, colorScheme: 'light' }]) {
    const page = await gallery(options);
    await ready(page);
    await eventually(async () => assert.match(await inside(page, 'explorer', '.note').innerText(), /of 58/));
    assert.deepEqual(await faultsByAxe(page), []);
    await page.context().close();
  }
});

test('tabiya serve has it for pages of other origins', async () => {
  const address = await serve(join(root, 'examples/famous.pgn')).catch(() => serve());
  const page = `<!doctype html><html lang="en"><title>x</title><link rel="icon" href="data:,"><script type="module" src="${address}tabiya-embed.js"></script><tabiya-board pgn="1. e4"></tabiya-board>`;
  const other = await serveFolder(site, { extra: { 'other.html': Buffer.from(page) } });
  const opened = await open('', {}, undefined, `${other.address}other.html`, 'tabiya-board');
  await opened.waitForFunction(() => document.querySelector('tabiya-board').game);
  await opened.context().close();
  await other.close();
});

test('at most 90 kB compressed', () => assert.ok(gzipSync(readFileSync(join(build, 'web/tabiya-embed.js'))).length < 90_000));

test('the console was silent', () => assert.deepEqual(complaints, []));
