/*
 * languages.test.mjs - the languages of the page: each table is complete, and a page in another language has no English left.
 */
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENGLISH } from '../../web/english.mjs';
import { LANGUAGES } from '../../web/texts.mjs';
import { closeWithErrors, open, tabiya } from './browser.mjs';
import { root } from './support.mjs';

const tableOf = (code) => JSON.parse(readFileSync(join(root, `web/texts-${code}.json`), 'utf8'));
const others = Object.keys(LANGUAGES).filter((code) => code !== 'en');
/** What is the same in every language. */
const SAME = /^(tabiya|1-0|0-1|1\/2-1\/2|tabiya serve games\.db|×|\/)$/;

/** The texts of index.html: those between tags, and those of attributes. */
function textsOfPage() {
  const html = readFileSync(join(root, 'web/index.html'), 'utf8').replace(/<head>[^]*?<\/head>/, '').replace(/<svg[^]*?<\/svg>/g, '');
  const between = [...html.matchAll(/>([^<>]+)</g)].map(([, text]) => text.trim().replace(/\s+/g, ' ').replaceAll('&amp;', '&'));
  const attributes = [...html.matchAll(/\b(?:title|aria-label|placeholder|alt|label)="([^"]+)"/g)].map(([, text]) => text);
  return new Set([...between, ...attributes].filter((text) => /[A-Za-z]{2}/.test(text) && !SAME.test(text)));
}

for (const code of others) {
  test(`${code}: every text of the scripts is there, with the same values`, () => {
    const table = tableOf(code);
    const holes = (text) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort().join(' ');
    for (const [key, text] of Object.entries(ENGLISH)) {
      assert.ok(table[key], `${code} lacks ${key}: ${text}`);
      assert.equal(holes(table[key]), holes(text), key);
    }
  });

  test(`${code}: every text of the document, and every notation, is there`, () => {
    const table = tableOf(code);
    for (const text of textsOfPage()) assert.ok(table[text], `${code} lacks "${text}"`);
    for (const { summary } of Object.values(tabiya.notations).flat().filter((one) => one.summary)) assert.ok(table[summary], `${code} lacks "${summary}"`);
  });

  test(`${code}: nothing is translated that is not shown`, () => {
    const known = new Set([...Object.keys(ENGLISH), ...textsOfPage()]);
    const used = ['moves', 'board', 'status', 'tags', 'settings'].map((name) => readFileSync(join(root, `web/${name}.mjs`), 'utf8')).join('');
    const library = ['src/rules/fault_text.c', 'src/rules/outcome.c'].map((name) => readFileSync(join(root, name), 'utf8')).join('');
    const summaries = new Set(Object.values(tabiya.notations).flat().map(({ summary }) => summary));
    const isShown = (text) => known.has(text) || summaries.has(text) || text.split(' ').every((part) => used.includes(part)) || library.includes(`"${text}"`);
    assert.deepEqual(Object.keys(tableOf(code)).filter((key) => key !== 'direction' && !isShown(key)), []);
  });
}

const GERMAN = { locale: 'de-DE' };

test('a German browser shows the page in German, with its numbers and dates', async () => {
  const page = await open('', GERMAN);
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'de');
  assert.equal(await page.innerText('#status-text'), 'Weiß am Zug');
  assert.equal(await page.innerText('#tab-games'), await page.evaluate(() => document.getElementById('tab-games').innerText.replace(/^\S+/, 'Partien')));
  await page.click('#tab-games');
  await page.waitForFunction(() => /^3\.055 Partien$/.test(document.getElementById('games-count').textContent));
  assert.equal(await page.getAttribute('#query', 'placeholder'), 'Spieler, Eröffnung, Turnier, Jahr oder Abfrage');
  await page.evaluate(() => { const { doc } = window.tabiya; doc.setGame(doc.tabiya.game('[White "A"]\n[Date "1999.01.20"]\n\n1. f3 e5 2. g4 Qh4# 0-1'), (g) => g.mainLineEnd(), 'open'); });
  assert.equal(await page.innerText('#game-facts'), '20. Januar 1999');
  assert.equal(await page.innerText('#status-text'), 'Matt – Schwarz gewinnt');
  await page.context().close();
});

test('no text of the document stays English', async () => {
  const page = await open('', GERMAN);
  const english = [...textsOfPage()].filter((text) => tableOf('de')[text] !== text && / /.test(text));
  const left = await page.evaluate((texts) => {
    const shown = [...document.querySelectorAll('body *')].flatMap((element) => [...[...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim()),
      ...['title', 'aria-label', 'placeholder'].map((name) => element.getAttribute(name))]);
    return texts.filter((text) => shown.includes(text));
  }, english);
  assert.deepEqual(left, []);
  await page.context().close();
});

test('the settings choose a language, and values of choices stay what the server knows', async () => {
  const page = await open();
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'en');
  await page.click('#settings');
  await Promise.all([page.waitForEvent('load'), page.selectOption('#language', 'de')]);
  await page.waitForSelector('html[lang=de] body[data-ready]');
  assert.equal(await page.inputValue('#language'), 'de');
  assert.deepEqual(await page.evaluate(() => [...document.getElementById('filter-speeds').options].map(({ value }) => value)), ['', 'bullet', 'blitz', 'rapid', 'classical', 'correspondence']);
  await page.context().close();
});

test('from right to left, chess stays from left to right: buttons, typed moves, evaluations; lines between panes are dragged the other way', async () => {
  const page = await open('', { viewport: { width: 1440, height: 900 } });
  await page.evaluate(() => {
    document.documentElement.dir = 'rtl';
    const { doc } = window.tabiya;
    doc.setGame(doc.tabiya.game('[White "A"]\n\n1. e4 {[%eval 0.3]} e5 *'), () => 1, 'open');
  });
  const lefts = await page.evaluate(() => ['first', 'previous', 'next', 'last'].map((id) => document.getElementById(id).getBoundingClientRect().left));
  assert.deepEqual(lefts, [...lefts].sort((a, b) => a - b));
  for (const selector of ['#typed', '#score', '#frame', '#graph', '#explorer-moves .count']) assert.equal(await page.locator(selector).first().evaluate((element) => getComputedStyle(element).direction), 'ltr', selector);
  const widths = () => page.evaluate(() => document.getElementById('side').getBoundingClientRect().width);
  const [was, line] = [await widths(), await page.locator('#split-side').boundingBox()];
  await page.mouse.move(line.x + line.width / 2, 400);
  await page.mouse.down();
  await page.mouse.move(line.x + line.width / 2 + 50, 400);
  await page.mouse.up();
  assert.equal(Math.round(await widths() - was), 50);
  await page.context().close();
});

test('without its file the page stays English', async () => {
  const page = await open('', GERMAN, (context) => context.route('**/texts-de.json', (route) => route.abort()));
  assert.equal(await page.innerText('#status-text'), 'White to move');
  await closeWithErrors(page, /texts-de|ERR_FAILED/);
});
