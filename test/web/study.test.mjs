/*
 * study.test.mjs - the page for people who study games: searches that are drawn and saved, analysis by an engine, preparation for an opponent.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { emptyDrawing, readDrawing, writeDrawing } from '../../web/drawing.mjs';
import { PHONE, complaints, database, faultsByAxe, fen, open, program } from './browser.mjs';

const size = (width, height) => ({ viewport: { width, height } });
const WIDE = size(1440, 900);
/** How many games the program finds; null if the text is no query. */
function countOf(query) {
  const { status, stdout } = spawnSync(program, ['find', database, query, '--count'], { encoding: 'utf8' });
  return status > 1 ? null : Number(stdout);
}
const found = (page, n) => page.waitForFunction((text) => document.getElementById('games-count').textContent === text
  && document.getElementById('games-table').ariaBusy === 'false', n === 0 ? 'No games' : `${n.toLocaleString('en')} ${n === 1 ? 'game' : 'games'}`);

/** The middle of a square of the board that is drawn on. */
async function tap(page, square) {
  const { x, y, width, height } = await page.locator(`#draw-frame [data-square=${square}][role=gridcell]`).boundingBox();
  await page.mouse.click(x + width / 2, y + height / 2);
}
const tool = (page, letter) => page.click(`#draw-palette [data-tool="${letter}"]`);

describe('a drawn search as text', () => {
  const PATTERNS = ['iqp', 'greek-gift'];
  const round = (text) => {
    const { drawing, rest } = readDrawing(text, PATTERNS);
    return writeDrawing(drawing, rest);
  };

  test('what can be drawn is drawn, the rest stays', () => {
    const { drawing, rest } = readDrawing('player "Carlsen, M" Pd4 [Mm]e5 _c4 nf6 Q>=1 p=0 points>=1 points<=3 wtm iqp for 4', PATTERNS);
    assert.equal(rest, 'player "Carlsen, M"');
    assert.deepEqual([...drawing.squares], [['d4', 'P'], ['e5', '?'], ['c4', '_'], ['f6', 'n']]);
    assert.deepEqual({ ...drawing, squares: null }, { ...emptyDrawing(), squares: null, counts: { Q: '>=1', p: '=0' }, least: 1, most: 3, side: 'wtm', patterns: ['iqp'], plies: 4 });
  });

  for (const text of ['player Carlsen Pd4 for 6', 'either mirror (Pd4 [Mm]e5) for 3', 'check Pd4 for 6', 'Pd4 , N-e5', 'Pd4,N-e5', 'Pd4 or Ne4', 'not Pd4', 'event iqp iqp', 'Q>=1 + r',
    '(player x or elo 2400..) Pd4', 'either (Pd4 not check)', 'shift (Pd4 check)', '[RQ]{7 8} Pd4', 'R attacks kd4', 'ever (Pd4)', 'player "Kd4 (x, y)" Kd4', ''])
    test(`a text is read and written without a change of meaning: ${text}`, () => { assert.equal(round(text), text); });

  test('every text of a drawing is a query, and so is what stands beside it', () => {
    const drawn = { ...emptyDrawing(), squares: new Map([['d4', 'P'], ['e5', 'm'], ['c3', 'M'], ['c4', '_'], ['f6', '?']]), counts: { Q: '>=1', r: '=2' }, least: -3, most: 12, side: 'btm', patterns: PATTERNS };
    for (const turns of [[], ['either'], ['mirror', 'shift'], ['either', 'mirror', 'shift']])
      for (const plies of [1, 2, 999])
        for (const rest of ['', 'player morphy', 'elo 2400.. or player x', 'Pd4 ; check', 'check for 3'])
          assert.notEqual(countOf(writeDrawing({ ...drawn, turns, plies }, rest)), null, writeDrawing({ ...drawn, turns, plies }, rest));
  });
});

describe('search by drawing', () => {
  test('pieces, any piece and empty squares write the query, which is searched; the text is drawn again', async () => {
    const page = await open('', WIDE);
    await page.click('#tab-games');
    await page.fill('#query', 'Morphy');
    await page.click('#draw-box summary');
    await tap(page, 'e4'); // a pawn is at hand
    assert.equal(await page.inputValue('#query'), 'player Morphy Pe4');
    await tool(page, '?');
    await tap(page, 'e5');
    await tool(page, '_');
    await tap(page, 'd4');
    await tool(page, 'M');
    await tap(page, 'c4');
    assert.equal(await page.inputValue('#query'), 'player Morphy Mc4 _d4 Pe4 [Mm]e5');
    await found(page, countOf('player Morphy Mc4 _d4 Pe4 [Mm]e5'));
    assert.equal(await page.innerText('#draw-found'), await page.innerText('#games-count'));
    await tool(page, 'P');
    await tap(page, 'e4'); // the same again takes it away
    assert.equal(await page.inputValue('#query'), 'player Morphy Mc4 _d4 [Mm]e5');
    await page.fill('#query', 'Pd4 nf6 or check');
    assert.equal(await page.locator('#draw-frame [data-piece]').count(), 0, 'it cannot be drawn');
    await page.fill('#query', 'elo 1.. Pd4 nf6');
    assert.deepEqual(await page.locator('#draw-frame [data-piece]').evaluateAll((all) => all.map((piece) => piece.dataset.piece).sort()), ['P', 'n']);
    assert.deepEqual(await faultsByAxe(page), []);
    await page.context().close();
  });

  test('counts, balance, side, duration, transforms and patterns', async () => {
    const page = await open('', WIDE);
    await page.click('#tab-games');
    await page.click('#draw-box summary');
    await page.waitForFunction(() => document.getElementById('draw-pattern').length > 20);
    await page.selectOption('#draw-counts [data-letter=Q]', '=0');
    await page.selectOption('#draw-counts [data-letter=p]', '>=3');
    await page.locator('#draw-least').fill('1');
    await page.locator('#draw-most').fill('5');
    await page.selectOption('#draw-side', 'wtm');
    await page.fill('#draw-plies', '4');
    await page.check('#draw-either');
    await page.selectOption('#draw-pattern', 'opposite-castling');
    const text = 'either (Q=0 p>=3 points>=1 points<=5 wtm opposite-castling) for 4';
    assert.equal(await page.inputValue('#query'), text);
    await found(page, countOf(text));
    await page.click('#draw-patterns .chip');
    await page.uncheck('#draw-either');
    assert.equal(await page.inputValue('#query'), 'Q=0 p>=3 points>=1 points<=5 wtm for 4');
    await page.click('#draw-clear');
    assert.equal(await page.inputValue('#query'), '');
    await page.click('#draw-here');
    await found(page, countOf('Pa2 Nb1 ra8 ke8'));
    assert.equal(await page.locator('#draw-frame [data-piece]').count(), 32);
    await page.context().close();
  });

  test('by keyboard and by touch, on a phone too', async () => {
    const page = await open('#p=&tab=games', PHONE);
    await page.click('#draw-box summary');
    await page.locator('#draw-frame [data-square=e2][role=gridcell]').focus();
    for (const key of ['c', '3', 'Enter']) await page.keyboard.press(key);
    assert.equal(await page.inputValue('#query'), 'Pc3');
    await page.locator('#draw-palette [data-tool=n]').tap();
    await page.locator('#draw-frame').tap({ position: { x: 10, y: 10 } });
    assert.equal(await page.inputValue('#query'), 'na8 Pc3');
    for (const { width, height } of await page.locator('#draw-palette button').evaluateAll((all) => all.map((button) => button.getBoundingClientRect().toJSON())))
      assert.ok(width >= 24 && height >= 24, `${width} x ${height}`);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    assert.deepEqual(await faultsByAxe(page), []);
    await page.context().close();
  });

  test('searches are saved, opened, shared by a link and deleted', async () => {
    const page = await open('', WIDE);
    await page.click('#tab-games');
    await page.fill('#query', 'player Morphy Pd4');
    await page.press('#query', 'Enter');
    await found(page, countOf('player Morphy Pd4'));
    await page.selectOption('#games-order', 'longest');
    await page.click('#saved-box summary');
    await page.fill('#saved-name', 'Morphy, d4');
    await page.press('#saved-name', 'Enter');
    await page.waitForFunction(() => /sort=longest/.test(location.hash));
    await page.click('#saved-link');
    const link = await page.evaluate(() => navigator.clipboard.readText());
    await page.fill('#query', 'check');
    await page.press('#query', 'Enter');
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    await page.click('#saved-box summary');
    await page.click('#saved-list .open');
    assert.equal(await page.inputValue('#query'), 'player Morphy Pd4');
    assert.equal(await page.inputValue('#games-order'), 'longest');
    await found(page, countOf('player Morphy Pd4'));
    assert.deepEqual(await faultsByAxe(page), []);
    await page.click('#saved-list [aria-label="Delete Morphy, d4"]');
    assert.equal(await page.locator('#saved-list li').count(), 0);
    const other = await open(link.slice(link.indexOf('#')), WIDE);
    assert.equal(await other.inputValue('#query'), 'player Morphy Pd4');
    await found(other, countOf('player Morphy Pd4'));
    await other.context().close();
    await page.context().close();
  });
});

test('the console was silent, and nothing was asked of other hosts', () => {
  assert.deepEqual(complaints, []);
});
