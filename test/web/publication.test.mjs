/*
 * publication.test.mjs - the page that `tabiya publish` writes, on plain web servers of every kind.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { PHONE, allowWorkers, closeWithErrors, complaints, database, eventually, faultsByAxe, open, program, work } from './browser.mjs';
import { serveFolder } from './published-server.mjs';
import { root } from './support.mjs';

const site = join(work, 'site');
const answer = (...args) => execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
const servers = [];
const serve = async (...args) => { const server = await serveFolder(...args); servers.push(server); return server; };
let server;

before(async () => {
  answer('publish', database, '--title', 'Club games', '-o', site);
  server = await serve(site, { under: '/chess/club/', csp: "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:" });
});
after(() => Promise.all(servers.map((one) => one.close())));

const rows = (page) => page.locator('#explorer-moves tr').allInnerTexts();
const explored = (page) => page.waitForFunction(() => document.getElementById('explorer').ariaBusy === 'false' && document.querySelector('#explorer-moves tr'));
const searched = (page, text) => eventually(async () => assert.match(await page.locator('#games-count').innerText(), text));

test('the page explores, lists and opens published games, under any path', async () => {
  const page = await open('', {}, undefined, server.address);
  await explored(page);
  const { games, moves } = JSON.parse(answer('explore', '--json', database));
  assert.equal(await page.locator('#explorer-total [data-count]').getAttribute('data-count'), String(games));
  assert.equal((await rows(page)).length >= moves.length, true);
  await eventually(async () => assert.equal(await page.locator('#explorer-games li').count(), 12));
  assert.match(await page.locator('#published-note').innerText(), /Club games: 3,0\d\d games/);
  await page.locator('#explorer-moves button.move').first().click();
  await eventually(async () => assert.equal(await page.locator('#explorer-total [data-count]').getAttribute('data-count'), String(moves[0].games)));
  await page.locator('#explorer-games button').first().click();
  await eventually(async () => assert.ok(await page.evaluate(() => window.tabiya.doc.list.moves.length > 5)));
  assert.ok(!server.requests.some(({ path }) => path.includes('/api')));
  await page.context().close();
});

test('the search finds names and patterns, and the filter counts a player', async () => {
  const page = await open('', {}, undefined, server.address);
  await explored(page);
  await page.fill('#query', 'Paul Morphy');
  await page.press('#query', 'Enter');
  const n = Number(answer('find', '--count', database, 'player ~"Paul Morphy"'));
  await searched(page, new RegExp(`^${n} games$`));
  await page.fill('#query', 'mate plies ..60');
  await page.press('#query', 'Enter');
  await searched(page, new RegExp(`^${Number(answer('find', '--count', database, 'mate plies ..60')).toLocaleString('en')} games?$`));
  await page.fill('#query', 'plaer morphy');
  await page.press('#query', 'Enter');
  await eventually(async () => assert.match(await page.locator('#query-fault').innerText(), /no such word/));
  await page.waitForFunction(() => location.hash.includes('q=plaer')); // or the page may write its address over the next one
  await page.goto(`${server.address}#f-player=Paul%20Morphy`);
  await page.reload();
  await explored(page);
  assert.equal(await page.locator('#explorer-total [data-count]').getAttribute('data-count'), String(JSON.parse(answer('explore', '--json', database, '--player', 'Paul Morphy')).games));
  await page.context().close();
});

test('a player has a page', async () => {
  const page = await open('#player=Paul%20Morphy', {}, undefined, server.address);
  await eventually(async () => assert.match(await page.locator('#player-page').innerText(), /As White/));
  await page.context().close();
});

test('what was seen works offline', async () => {
  allowWorkers();
  const page = await open('', {}, undefined, server.address);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload(); // under the worker's control
  await explored(page);
  await eventually(async () => assert.equal(await page.locator('#explorer-games li').count(), 12));
  const before_ = await rows(page);
  await page.context().setOffline(true);
  await page.reload();
  await explored(page);
  assert.deepEqual(await rows(page), before_);
  await closeWithErrors(page, /ERR_INTERNET_DISCONNECTED|Failed to load/);
  allowWorkers(false);
});

test('a host without ranges works for small collections', async () => {
  const plain = await serve(site, { ranges: false });
  const page = await open('', {}, undefined, plain.address);
  await explored(page);
  await page.context().close();
});

test('a large collection on a host without ranges, and damaged files, have clear messages', async () => {
  const copy = join(work, 'copy');
  cpSync(site, copy, { recursive: true });
  const data = join(copy, 'data');
  const manifest = JSON.parse(readFileSync(join(data, 'manifest.json'), 'utf8'));
  writeFileSync(join(data, 'manifest.json'), JSON.stringify({ ...manifest, bytes: 1e9 }));
  const large = await serve(copy, { ranges: false });
  const page = await open('', {}, undefined, large.address);
  await eventually(async () => assert.match(await page.locator('#explorer-hint').innerText(), /does not support range requests/));
  await page.context().close();
  const name = readdirSync(data).find((file) => file.endsWith('.tby'));
  const good = readFileSync(join(data, name));
  const other = await serve(copy);
  for (const damage of [() => writeFileSync(join(data, name), Buffer.from(good.map((byte) => byte ^ 1))), () => { writeFileSync(join(data, name), good); truncateSync(join(data, name), 100); }]) {
    damage();
    const broken = await open('', {}, undefined, other.address);
    await eventually(async () => assert.match(await broken.locator('#explorer-hint').innerText(), /damaged|cut short/));
    assert.equal((await rows(broken)).length, 0);
    await closeWithErrors(broken, /416|Failed to load/);
  }
  writeFileSync(join(data, 'manifest.json'), '<html>');
  const none = await open('', {}, undefined, other.address);
  await eventually(async () => assert.match(await none.locator('#toast').innerText(), /manifest.json cannot be read/));
  await none.context().close();
});

test('a slow host, and one that cuts connections', async () => {
  const slow = await serve(site, { delay: 150 });
  slow.faults.cut = 1;
  const page = await open('', {}, undefined, slow.address);
  await explored(page);
  await closeWithErrors(page, /ERR_CONTENT_LENGTH|ERR_EMPTY|Failed to load/);
});

test('one HTML file works from a disk', async () => {
  const file = join(work, 'club.html');
  answer('publish', join(root, 'examples/famous.pgn'), '--single', file);
  const page = await open('', {}, undefined, `file://${file}`);
  await explored(page);
  assert.equal(await page.locator('#explorer-total [data-count]').getAttribute('data-count'), '58');
  await page.fill('#query', 'mate');
  await page.press('#query', 'Enter');
  await searched(page, new RegExp(`^${Number(answer('find', '--count', join(root, 'examples/famous.pgn'), 'mate'))} games?$`));
  await page.locator('#games-list [data-game]').first().click();
  await eventually(async () => assert.ok(await page.evaluate(() => window.tabiya.doc.list.moves.length > 5)));
  assert.equal(await page.evaluate(() => [...document.querySelectorAll('use')].filter((use) => !document.querySelector(use.getAttribute('href'))).length), 0, 'pictures that are not there');
  assert.deepEqual(await faultsByAxe(page), []);
  await page.context().close();
  assert.throws(() => execFileSync(program, ['publish', database, '--single', file, '-o', work], { stdio: 'pipe' }), /name the folder to write/);
});

test('axe finds nothing on a published page', async () => {
  for (const options of [{}, PHONE]) {
    const page = await open('', options, undefined, server.address);
    if (!options.isMobile) await explored(page);
    assert.deepEqual(await faultsByAxe(page), []);
    await page.context().close();
  }
});

test('the console was silent', () => assert.deepEqual(complaints, []));
