/*
 * hostile.test.mjs - text from games, links, files and databases is shown as text and runs nothing, whatever it looks like.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { closeWithErrors, complaints, eventually, open, openTool, ownClock, paste, program, settled, work } from './browser.mjs';

describe('hostile text', () => {
  /** What must be shown as it is, and run nothing; `run` is counted by the page. */
  const EVIL = '<img src=x onerror="window.run=1"><script>window.run=2</script><svg onload=window.run=3>\'-->"';
  const escaped = EVIL.replaceAll('"', '\\"');
  const NAMES = ['Event', 'Site', 'White', 'Black', 'WhiteTitle', 'ECO', 'Opening', 'Annotator'];
  const PGN = `${NAMES.map((name) => `[${name} "${escaped}"]`).join('\n')}\n[WhiteElo "2500"]\n[BlackElo "2500"]\n[Date "2024.01.01"]\n[Result "1-0"]\n\n`
    + `{${EVIL.replaceAll('}', '')}} 1. e4 {${EVIL}} (1. d4 {${EVIL}}) e5 2. Nf3 1-0\n`;

  /** No element but the page's own, and nothing was run. */
  async function check(page, where) {
    const found = await page.evaluate(() => ({ run: window.run ?? null, images: document.querySelectorAll('img:not(#preview-board)').length,
      scripts: [...document.scripts].filter((script) => !script.src).length, handlers: document.querySelectorAll('[onerror], [onload]').length }));
    assert.deepEqual(found, { run: null, images: 0, scripts: 0, handlers: 0 }, where);
  }

  test('of a game, a link and a file is shown as text', async () => {
    const page = await open();
    await page.evaluate((pgn) => { const { doc } = window.tabiya; doc.setGame(doc.tabiya.game(pgn), (game) => game.view(0).line[0], 'open'); }, PGN);
    assert.match(await page.locator('#move-list').innerText(), /<img src=x onerror="window\.run=1"><script>/);
    assert.match(await page.locator('#player-below').innerText(), /<img src=x/);
    assert.match(await page.title(), /<img src=x/);
    assert.equal(await page.inputValue('#tag-Annotator'), EVIL);
    for (const tool of ['convert', 'setup']) await openTool(page, tool);
    for (const tab of ['games', 'lines', 'players', 'explorer']) await page.click(`#tab-${tab}`);
    await page.click('#save');
    await settled(page);
    await check(page, 'a game');
    await page.context().close();
    for (const fragment of [`#pgn=${encodeURIComponent(PGN)}`, `#fen=${encodeURIComponent(EVIL)}`, `#p=${encodeURIComponent(EVIL)}&m=${encodeURIComponent(EVIL)}`,
      `#${encodeURIComponent(EVIL)}`, `#pgn=${encodeURIComponent('1. e4 <img src=x onerror=window.run=4> *')}`]) {
      const linked = await open(fragment);
      await settled(linked);
      await check(linked, fragment);
      await linked.context().close();
    }
    const other = await open('', {}, ownClock);
    await other.setInputFiles('#file', { name: '<img src=x onerror=window.run=5>.pgn', mimeType: 'text/plain', buffer: Buffer.from(`${PGN}\n${PGN}\n[White "${escaped}"]\n\n1. e5 *\n`) });
    await other.waitForFunction(() => /^3 games$/.test(document.getElementById('games-count').textContent));
    await eventually(async () => assert.match(await other.locator('#games-list').innerText(), /<img src=x onerror/));
    await other.locator('#games-list [data-game]').last().click();
    await other.waitForSelector('#toast:popover-open');
    await other.fill('#query', EVIL);
    await other.clock.runFor(1000); // a search would begin
    await settled(other);
    await paste(other, EVIL);
    await other.fill('#typed', EVIL).catch(() => {});
    await settled(other);
    await check(other, 'a file');
    await other.context().close();
  });

  test('of a database is shown as text, in lists, explorer, report and faults', async () => {
    const evil = join(work, '<img src=x onerror=window.run=6>.db');
    writeFileSync(join(work, 'evil.pgn'), `${PGN}\n${PGN.replace('1. e4', '1. c4')}`);
    execFileSync(program, ['import', evil, join(work, 'evil.pgn')], { stdio: 'pipe' });
    const server = spawn(program, ['serve', evil, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const address = await new Promise((resolve) => { server.stdout.once('data', (data) => resolve(String(data).trim())); });
    try {
      const page = await open('', {}, async () => {}, address);
      await page.waitForSelector('#explorer-games li');
      assert.match(await page.locator('#explorer').innerText(), /<img src=x onerror="window\.run=1">/);
      assert.match(await page.locator('#games-source').textContent(), /<img src=x/);
      await page.click('#explorer-games button');
      await page.waitForFunction(() => /<img src=x/.test(document.getElementById('game-headline').textContent));
      await page.click('#tab-games');
      await page.waitForSelector('#games-list [data-game]');
      assert.match(await page.locator('#games-list').innerText(), /<img src=x onerror="window\.run=1">/);
      await page.click('#tab-players');
      for (const player of [EVIL, `${EVIL} nobody`]) {
        await page.fill('#report-player', player);
        await page.press('#report-player', 'Enter');
        await page.waitForFunction(() => document.getElementById('report').ariaBusy === 'false' && document.getElementById('report').textContent !== '');
      }
      assert.match(await page.locator('#report').innerText(), /<img src=x/);
      await page.evaluate((name) => { location.hash = `#player=${encodeURIComponent(name)}`; }, EVIL);
      await page.waitForSelector('#player-page .facts-row');
      await page.click('#player-close');
      await page.fill('#query', 'player <img src=x onerror=window.run=7>');
      await page.waitForSelector('#query-fault p');
      await check(page, 'a database');
      await closeWithErrors(page, /status of 400/);
    } finally {
      server.kill('SIGTERM');
    }
  });
});

test('the console was silent, and no request went to other hosts', () => {
  assert.deepEqual(complaints, []);
});
