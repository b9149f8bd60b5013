/*
 * study.test.mjs - studies: chapters are added, opened, edited, named, moved, removed and merged, and last until they are closed.
 */
import { after, describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { complaints, eventually, faultsByAxe, open, PHONE, showTab } from './browser.mjs';

const THREE = '[White "A"]\n[Black "B"]\n\n1. e4 e5 2. Nf3 *\n\n[White "C"]\n[Black "D"]\n\n1. e4 c5 *\n\n[White "E"]\n[Black "F"]\n\n1. d4 *\n';

const names = (page) => page.locator('#study-list input').evaluateAll((all) => all.map(({ value }) => value));
const line = (page) => page.evaluate(() => { const { doc } = window.tabiya; return doc.game.writeLine(doc.game.mainLineEnd(), 'san'); });

/** A page with a file of three games, and all of them as chapters. */
async function openStudy(options = {}) {
  const page = await open('', options);
  await page.setInputFiles('#file', { name: 'three.pgn', mimeType: 'text/plain', buffer: Buffer.from(THREE) });
  await page.waitForFunction(() => /^3 games$/.test(document.getElementById('games-count').textContent));
  await showTab(page, 'moves');
  await page.click('#study-open');
  await page.click('#study-games');
  await eventually(async () => assert.deepEqual(await names(page), ['A – B', 'C – D', 'E – F']));
  return page;
}

describe('studies', () => {
  test('the games of a file become chapters, which are opened and edited apart from each other', async () => {
    const page = await openStudy();
    await page.click('#study-list li:nth-child(2) button >> nth=0');
    assert.equal(await line(page), 'e4 c5');
    await page.evaluate(() => { const { doc } = window.tabiya; doc.go(doc.game.mainLineEnd()); doc.play('Nf3'); });
    await page.keyboard.press('Escape');
    await page.selectOption('#chapter', '0');
    assert.equal(await line(page), 'e4 e5 Nf3');
    await page.evaluate(() => window.tabiya.doc.undo()); // back to the second, which stays itself
    assert.equal(await page.inputValue('#chapter'), '1');
    await page.selectOption('#chapter', '0');
    assert.equal(await line(page), 'e4 e5 Nf3');
    await page.selectOption('#chapter', '1');
    assert.equal(await line(page), 'e4 c5 Nf3');
    await page.context().close();
  });

  test('chapters are named, moved and removed, survive a reload, and are downloaded', async () => {
    const page = await openStudy();
    await page.fill('#study-list li:nth-child(3) input', 'The queen\'s pawn');
    await page.press('#study-list li:nth-child(3) input', 'Tab');
    await page.click('#study-list li:nth-child(3) [data-step="-1"]');
    assert.deepEqual(await names(page), ['A – B', 'The queen\'s pawn', 'C – D']);
    await page.click('#study-list li:nth-child(3) button >> nth=3');
    assert.deepEqual(await names(page), ['A – B', 'The queen\'s pawn']);
    await page.click('#toast-action');
    assert.deepEqual(await names(page), ['A – B', 'The queen\'s pawn', 'C – D']);
    await page.click('#study-list li:nth-child(2) button >> nth=0');
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    assert.deepEqual(await page.locator('#chapter option').allTextContents(), ['No chapter is open', '1. A – B', '2. The queen\'s pawn', '3. C – D'].slice(await page.inputValue('#chapter') === '-1' ? 0 : 1));
    await page.click('#study-open');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#study-save')]);
    const text = await (await download.createReadStream()).setEncoding('utf8').reduce((sum, part) => sum + part, '');
    assert.match(text, /ChapterName "The queen's pawn"/);
    assert.equal(text.match(/\[White /g).length, 3);
    await page.context().close();
  });

  test('chapters are merged into one tree; the game on the board becomes a chapter; closing can be undone', async () => {
    const page = await openStudy();
    await page.click('#study-merge');
    await eventually(async () => assert.match(await page.evaluate(() => window.tabiya.doc.game.write('pgn').replace(/\s+/g, ' ')), /1\. e4 \(1\. d4\) 1\.\.\. e5 \(1\.\.\. c5\) 2\. Nf3 \*/));
    await page.click('#study-add');
    assert.equal((await names(page)).length, 4);
    assert.equal(await page.inputValue('#chapter'), '3');
    await page.click('#study-close');
    assert.ok(await page.isHidden('#chapter'));
    await page.click('#toast-action');
    assert.equal((await names(page)).length, 4);
    await page.context().close();
  });

  test('axe finds nothing, also on a phone', async () => {
    for (const options of [{}, PHONE]) {
      const page = await openStudy(options);
      assert.deepEqual(await faultsByAxe(page), []);
      await page.context().close();
    }
  });
});

after(() => assert.deepEqual(complaints, []));
