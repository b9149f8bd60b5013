/*
 * addresses.test.mjs - positions and games in the query of the address, and step N of M.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { START, closeWithErrors, complaints, eventually, expectFen, fen, open, tabiya } from './browser.mjs';

const AFTER_E4 = 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1';
const ITALIAN = '1. e4 e5 2. Nf3 Nc6 3. Bc4';
const board = (moves) => moves.split(' ').reduce((b, move) => { b.play(move); return b; }, tabiya.board());
const italian = board('e4 e5 Nf3 Nc6 Bc4').write();
const game = tabiya.game();
const end = game.readLine(0, ITALIAN, 'san');

const READ = [
  [`?fen=${encodeURIComponent(AFTER_E4)}`, AFTER_E4], [`?fen=${AFTER_E4.replaceAll(' ', '_')}`, AFTER_E4], [`?fen=${AFTER_E4.replaceAll(' ', '+')}`, AFTER_E4],
  [`?pgn=${encodeURIComponent(`[White "Anna"]\n\n${ITALIAN} *`)}`, italian], [`?moves=${encodeURIComponent(ITALIAN)}`, italian], ['?moves=e2e4+e7e5+g1f3+b8c6+f1c4', italian],
  [`?b64pos=${board('e4').write('base64url')}`, AFTER_E4], [`?b64pos=${encodeURIComponent(board('e4').write('base64'))}`, AFTER_E4], [`?b64moves=${encodeURIComponent(game.writeLine(end, 'base64-moves'))}`, italian],
  [`?b64pos=${tabiya.board().write('base64url')}&b64moves=${encodeURIComponent(game.writeLine(end, 'base64-moves'))}`, italian],
  [`?fen=${encodeURIComponent(AFTER_E4)}&moves=e5+Nf3+Nc6+Bc4`, italian], [`?moves=${encodeURIComponent(ITALIAN)}&ply=1`, AFTER_E4],
];

test('positions and games in the query of the address', async () => {
  const page = await open();
  for (const [query, expected] of READ) {
    await page.goto(new URL(query, page.url()).href);
    await page.waitForSelector('body[data-ready]');
    assert.equal((await fen(page)).split(' ').slice(0, 3).join(' '), expected.split(' ').slice(0, 3).join(' '), query);
  }
  await page.goto(new URL('?moves=e4', page.url()).href);
  await page.waitForSelector('body[data-ready]');
  await page.evaluate(() => window.tabiya.doc.play('e5'));
  await eventually(async () => assert.match(page.url(), /#/));
  await page.reload();
  await page.waitForSelector('body[data-ready]');
  await expectFen(page, board('e4 e5').write());
  await page.context().close();
});

test('each part that cannot be read has a message, and the board stays', async () => {
  const page = await open();
  for (const name of ['fen', 'pgn', 'b64pos', 'b64moves', 'moves']) {
    await page.goto(new URL(`?${name}=${name === 'pgn' ? '1.+e4+e9' : 'x!'}`, page.url()).href);
    await page.waitForSelector('body[data-ready]');
    await eventually(async () => assert.match(await page.locator('#toast').innerText(), new RegExp(`\\?${name}= cannot be read: \\S`)));
    assert.equal(await fen(page), START);
  }
  await closeWithErrors(page, /^$/);
});

test('step N of M follows the board', async () => {
  const page = await open(`?moves=${encodeURIComponent(ITALIAN)}&ply=2`);
  await eventually(async () => assert.equal(await page.locator('#step').innerText(), '2 of 5'));
  await page.keyboard.press('ArrowRight');
  await eventually(async () => assert.equal(await page.locator('#step').innerText(), '3 of 5'));
  assert.match(await page.locator('#step').getAttribute('aria-label'), /3 of 5 half-moves/);
  await page.context().close();
});

test('the console was silent', () => assert.deepEqual(complaints, []));
