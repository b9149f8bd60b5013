/*
 * engine.test.mjs - engines that run in the browser: beside the page of a server and of a published folder, and chosen as files.
 *
 * The engine is test/web/engine/tiny.js. With TABIYA_STOCKFISH, a folder with a build of Stockfish for browsers (from npm's package
 * `stockfish`), that one is tried too.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, test } from 'node:test';
import { allowWorkers, closeWithErrors, complaints, eventually, faultsByAxe, open, program, serve, showTab, value, work, write } from './browser.mjs';
import { serveFolder } from './published-server.mjs';
import { root } from './support.mjs';

// (module (func (export "answer") (result i32) i32.const 42))
const WASM = Buffer.from('0061736d0100000001050160000 17f03020100070a0106616e7377657200000a0601040041 2a0b'.replaceAll(' ', ''), 'hex');
const folder = join(work, 'tiny');
const site = join(work, 'with-engine');
const games = join(root, 'examples/famous.pgn');
let address;
let host;

before(async () => {
  mkdirSync(folder);
  copyFileSync(join(root, 'test/web/engine/tiny.js'), join(folder, 'tiny.js'));
  writeFileSync(join(folder, 'tiny.wasm'), WASM);
  writeFileSync(join(folder, 'COPYING.txt'), 'Everybody may use it.\n');
  writeFileSync(join(folder, 'package.json'), '{}');
  execFileSync(program, ['publish', games, '--engine', folder, '-o', site], { stdio: 'ignore' });
  address = await serve(games, '--browser-engine', folder);
  host = await serveFolder(site, { under: '/club/' });
});
after(() => host.close());

const name = (page) => page.locator('#engine-name').innerText();
const shown = async (page) => (await page.locator('#engine-lines li').allInnerTexts()).map((text) => text.replace(/\s+/g, ''));
const hint = (page) => page.locator('#engine-hint').innerText();
/** Switches the engine on, and waits for its lines. */
async function look(page, ...lines) {
  if (!await page.isVisible('#engine-switch')) await showTab(page, 'moves');
  await page.check('#engine-switch');
  await eventually(async () => assert.deepEqual((await shown(page)).slice(0, lines.length), lines));
}
const START_LINES = ['+0.351.e4e52.Nf3', '+0.201.d4d5'];

test('an engine beside the page of a server: lines, scores of White, threads, and nothing outside of its frame', async () => {
  const page = await open('', {}, undefined, `${address}?token=secret`);
  assert.equal(await name(page), 'tiny');
  assert.equal(await page.locator('iframe').count(), 0, 'it starts before it is wanted');
  await look(page, ...START_LINES);
  assert.equal(await name(page), 'Tiny 42');
  assert.equal((await shown(page)).length, 2, 'lines without a legal move are left out');
  assert.ok(Number(await page.locator('#engine-threads option').last().getAttribute('value')) >= 1);
  assert.equal(await page.evaluate(() => crossOriginIsolated), true);
  assert.equal(await page.evaluate(() => document.querySelector('iframe').contentDocument), null, 'the frame has the origin of the page');
  assert.deepEqual(await faultsByAxe(page), []);
  await page.evaluate(() => window.tabiya.doc.play('e4'));
  await eventually(async () => assert.deepEqual(await shown(page), ['-M31…e5', '+0.201…c5']));
  await page.locator('#engine-lines li').first().locator('.move').first().click();
  assert.equal(await value(page, 'line-san'), 'e4 e5');
  await page.uncheck('#engine-switch');
  assert.equal(await page.locator('#engine-lines li').count(), 0);
  await page.context().close();
});

test('it analyses a game as the engine of a server does', async () => {
  const page = await open('', {}, undefined, address);
  await write(page, 'game-pgn', '1. e4 {[%clk 0:01:00] best} e5! 2. Nf3 d6 *');
  if (!await page.isVisible('#analyse')) await showTab(page, 'moves');
  await page.selectOption('#analyse-time', '100');
  await page.click('#analyse');
  await eventually(async () => assert.match(await value(page, 'game-pgn'), /1\. e4 \$4 \{\[%eval #-3\] \[%clk 0:01:00\] best\} 1\.\.\. e5 \$1 \{\[%eval 0\.10\]\} 2\. Nf3 \$4\s\{\[%eval -4\.00\]\} 2\.\.\. d6 \$4 \{\[%eval 0\.10\]\}/));
  assert.match(await page.locator('#review-text').innerText(), /blunder/);
  await page.context().close();
});

test('an engine that falls over is said, and starts again', async () => {
  const page = await open('?fen=8/8/8/8/8/k7/8/K7_w_-_-_0_1', {}, undefined, address);
  if (!await page.isVisible('#engine-switch')) await showTab(page, 'moves');
  await page.evaluate(() => {
    window.framesMade = 0;
    new MutationObserver((changes) => { window.framesMade += changes.flatMap(({ addedNodes }) => [...addedNodes]).filter(({ tagName }) => tagName === 'IFRAME').length; })
      .observe(document.body, { childList: true });
  });
  await page.check('#engine-switch');
  await eventually(async () => assert.match(await hint(page), /The engine has failed: .*fallen over/));
  await eventually(async () => assert.equal(await page.locator('iframe').count(), 0));
  await page.evaluate(() => window.tabiya.doc.setBoard(window.tabiya.library.board(), false));
  await eventually(async () => assert.deepEqual(await shown(page), START_LINES));
  // The first time for its name and threads, the second with these, the third after the change: not again and again.
  assert.ok(await page.evaluate(() => window.framesMade) <= 3, 'the engine was started again and again');
  await closeWithErrors(page, /fallen over/);
});

test('files that the user chooses are kept in the browser, and can be removed', async () => {
  const plain = await serve(games);
  const page = await open('', {}, undefined, plain);
  assert.ok(await page.isHidden('#engine'));
  await page.click('#settings');
  await page.setInputFiles('#engine-files', [join(folder, 'tiny.wasm')]);
  await eventually(async () => assert.match(await page.locator('#toast').innerText(), /one worker script/));
  await page.setInputFiles('#engine-files', [join(folder, 'tiny.js'), join(folder, 'tiny.wasm')]);
  await eventually(async () => assert.equal(await page.locator('#engine-chosen').innerText(), 'tiny.js, tiny.wasm'));
  assert.deepEqual(await faultsByAxe(page), []);
  await page.click('#settings-dialog [data-close]');
  await look(page, ...START_LINES);
  assert.ok(await page.isHidden('#engine-threads'), 'a page without isolation has one thread');
  await page.reload();
  await page.waitForSelector('body[data-ready]');
  await look(page, ...START_LINES);
  await page.click('#settings');
  await page.click('#engine-remove');
  await eventually(async () => assert.ok(await page.isHidden('#engine')));
  await page.context().close();
});

test('an engine beside published games, with threads once the service worker is there, and offline', async () => {
  assert.ok(existsSync(join(site, 'engine/COPYING.txt')) && !existsSync(join(site, 'engine/package.json')));
  allowWorkers();
  const page = await open('', {}, undefined, host.address);
  await look(page, ...START_LINES);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await page.waitForSelector('body[data-ready]');
  await page.waitForFunction(() => crossOriginIsolated);
  await look(page, ...START_LINES);
  assert.equal(await name(page), 'Tiny 42');
  await page.context().setOffline(true);
  await page.reload();
  await page.waitForSelector('body[data-ready]');
  await look(page, ...START_LINES);
  await closeWithErrors(page, /ERR_INTERNET_DISCONNECTED|Failed to load/);
  allowWorkers(false);
});

test('one HTML file takes an engine, too', async () => {
  const file = join(work, 'engine.html');
  execFileSync(program, ['publish', games, '--single', file], { stdio: 'ignore' });
  const page = await open('', {}, undefined, pathToFileURL(file).href);
  await page.click('#settings');
  await page.setInputFiles('#engine-files', [join(folder, 'tiny.js'), join(folder, 'tiny.wasm')]);
  await eventually(async () => assert.equal(await page.locator('#engine-chosen').innerText(), 'tiny.js, tiny.wasm'));
  await page.click('#settings-dialog [data-close]');
  await look(page, ...START_LINES);
  await page.context().close();
});

test('headers of isolation come with an engine alone', async () => {
  const header = async (url, which) => (await fetch(url)).headers.get(which);
  for (const path of ['', 'engine-frame.html']) assert.equal(await header(address + path, 'Cross-Origin-Embedder-Policy'), 'require-corp', path);
  assert.match(await header(`${address}engine-frame.html`, 'Content-Security-Policy'), /^sandbox allow-scripts; default-src 'none'/);
  const plain = await serve(games);
  for (const path of ['', 'engine-frame.html', 'api']) assert.equal(await header(plain + path, 'Cross-Origin-Embedder-Policy'), null, path);
  assert.equal((await (await fetch(`${plain}api`)).json()).browser_engine, undefined);
  assert.deepEqual((await (await fetch(`${address}api`)).json()).browser_engine, ['tiny.js', 'tiny.wasm']);
  assert.match(await (await fetch(`${address}engine/COPYING.txt`)).text(), /Everybody/);
});

test('folders without an engine, or without its licence, are refused', () => {
  const refused = (args, expected) => assert.throws(() => execFileSync(program, args, { stdio: 'pipe', encoding: 'utf8' }), ({ stderr }) => expected.test(stderr));
  const none = join(work, 'none');
  mkdirSync(none);
  refused(['serve', '--browser-engine', none, '--port', '0'], /has no script/);
  writeFileSync(join(none, 'a.js'), '');
  refused(['publish', games, '--engine', none, '-o', join(work, 'refused')], /has no licence/);
  assert.ok(!existsSync(join(work, 'refused')));
  writeFileSync(join(none, 'b.mjs'), '');
  refused(['serve', '--browser-engine', none, '--port', '0'], /has several scripts/);
  refused(['serve', '--browser-engine', join(none, 'nowhere'), '--port', '0'], /No such file/);
  refused(['publish', games, '--engine', folder, '--single', join(work, 'x.html')], /--engine needs the page/);
});

test('publishing again without the engine, or with another one, removes its files', () => {
  const again = join(work, 'again');
  const other = join(work, 'other-engine');
  const files = () => (existsSync(join(again, 'engine')) ? readdirSync(join(again, 'engine')).sort() : null);
  mkdirSync(other);
  for (const file of ['other.js', 'LICENSE']) writeFileSync(join(other, file), 'x');
  const publish = (...args) => execFileSync(program, ['publish', games, '-o', again, ...args], { stdio: 'ignore' });
  publish('--engine', folder);
  assert.ok(files().includes('tiny.js'));
  publish('--engine', other);
  assert.deepEqual(files(), ['LICENSE', 'other.js']);
  publish();
  assert.equal(files(), null);
  mkdirSync(join(again, 'engine'));
  writeFileSync(join(again, 'engine/own.txt'), 'x');
  publish();
  assert.deepEqual(files(), ['own.txt'], 'a folder of somebody else stays');
});

test('Stockfish from npm', { skip: !process.env.TABIYA_STOCKFISH }, async () => {
  const page = await open('', {}, undefined, await serve(games, '--browser-engine', process.env.TABIYA_STOCKFISH));
  if (!await page.isVisible('#engine-switch')) await showTab(page, 'moves');
  await page.check('#engine-switch');
  await eventually(async () => assert.match(await hint(page), /^depth 1\d$/));
  assert.match(await name(page), /^Stockfish/);
  assert.equal((await shown(page)).length, 3);
  await page.context().close();
});

test('the console was silent', () => assert.deepEqual(complaints, []));
