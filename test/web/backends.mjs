/*
 * backends.mjs - the page shows the same on every kind of database: node test/web/backends.mjs ADDRESS ADDRESS...
 *
 * The addresses are those of servers whose databases have the same games (test/postgres/matrix.sh starts them).
 * Explores, filters, searches, sorts and opens a game on each, and prints what differs from the first one. The exit
 * code is 1 if something differs, and 77 if there is no browser.
 */
import { existsSync } from 'node:fs';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const PLAYWRIGHT = new URL('../../web/node_modules/playwright-core/index.mjs', import.meta.url);
if (!existsSync(CHROMIUM) || !existsSync(PLAYWRIGHT)) process.exit(77);
const { chromium } = await import(PLAYWRIGHT);

const explored = (page) => page.waitForFunction(() => document.getElementById('explorer').ariaBusy === 'false' && document.querySelector('#explorer-moves tr'));
/** Acts, and waits until the search that follows has found and counted all games. */
async function search(page, act) {
  const asked = page.waitForRequest(/api\/find\?/);
  await act();
  await asked;
  await page.waitForFunction(() => document.getElementById('games-table').ariaBusy === 'false' && document.querySelector('#games-list [data-game]')
    && /^[\d,]+ games?$/.test(document.getElementById('games-count').textContent));
}
const text = (page, id) => page.locator(`#${id}`).innerText();

/** What a user sees on the way, as { step: text }. */
async function walk(page, address) {
  const seen = {};
  await page.goto(address);
  await page.waitForSelector('body[data-ready]');
  await explored(page);
  seen.start = await text(page, 'explorer-table');
  await page.evaluate(() => { const { doc } = window.tabiya; doc.play('e4'); });
  await explored(page);
  seen.e4 = await text(page, 'explorer-table');
  await page.waitForSelector('#explorer-games li');
  seen.games = await text(page, 'explorer-games');
  await page.click('#filter-open');
  await page.fill('#filter-until', '1900');
  await page.press('#filter-until', 'Enter');
  await page.waitForFunction((before) => document.getElementById('explorer').ariaBusy === 'false'
    && document.getElementById('explorer-table').innerText !== before, seen.e4);
  seen.filtered = await text(page, 'explorer-table');
  await page.click('#filter-close');
  await search(page, () => page.click('#tab-games'));
  await page.fill('#query', 'player morphy');
  await search(page, () => page.press('#query', 'Enter'));
  seen.found = await text(page, 'games-list');
  seen.count = await text(page, 'games-count');
  await search(page, () => page.selectOption('#games-order', 'rating'));
  seen.sorted = await text(page, 'games-list');
  await page.dblclick('#games-list [data-game]');
  await page.waitForFunction(() => window.tabiya.doc.game.write('pgn').includes('Morphy'));
  seen.game = await page.evaluate(() => window.tabiya.doc.game.write('pgn'));
  return seen;
}

const browser = await chromium.launch({ executablePath: CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'] });
let first;
for (const address of process.argv.slice(2)) {
  const page = await (await browser.newContext({ viewport: { width: 1500, height: 1000 }, reducedMotion: 'reduce' })).newPage();
  page.setDefaultTimeout(60_000);
  const complain = (what) => { console.log(`${address}: ${what}`); process.exitCode = 1; };
  page.on('pageerror', (error) => complain(error.stack));
  page.on('console', (message) => { if (message.type() === 'error') complain(message.text()); });
  const seen = await walk(page, address);
  first ??= seen;
  for (const step of Object.keys(first))
    if (seen[step] !== first[step]) complain(`${step}:\n${seen[step]}\nnot\n${first[step]}`);
  for (const step of Object.keys(seen)) if (!seen[step]) complain(`${step}: nothing is shown`);
}
await browser.close();
