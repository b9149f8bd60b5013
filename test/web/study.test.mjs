/*
 * study.test.mjs - the page for people who study games: drawn and saved searches, engine analysis, preparation for an
 * opponent.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { emptyDrawing, readDrawing, writeDrawing } from '../../web/drawing.mjs';
import { PHONE, closeWithErrors, complaints, database, eventually, faultsByAxe, open, program, showSearch, showTab, value, wideList, work } from './browser.mjs';
import { root } from './support.mjs';

const size = (width, height) => ({ viewport: { width, height } });
const WIDE = size(1440, 900);
/** How many games the program finds; null if the text is no query. */
function countOf(query) {
  const { status, stdout } = spawnSync(program, ['find', database, query, '--count'], { encoding: 'utf8' });
  return status > 1 ? null : Number(stdout);
}
const found = (page, n) => page.waitForFunction((text) => document.getElementById('games-count').textContent === text
  && document.getElementById('games-table').ariaBusy === 'false', n === 0 ? 'No games' : `${n.toLocaleString('en')} ${n === 1 ? 'game' : 'games'}`);

/** Clicks in the middle of a square of the board that is drawn on, when nothing moves it any more. */
async function tap(page, square) {
  await page.waitForSelector('#draw-frame [role=gridcell]');
  const { width, height } = await page.locator('#draw-frame').boundingBox();
  await page.locator('#draw-frame').click({ position: { x: (('abcdefgh'.indexOf(square[0]) + 0.5) * width) / 8, y: ((8.5 - square[1]) * height) / 8 } });
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

  test('every text of a drawing is a query, and so is the text beside it', () => {
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
    await page.fill('#query', 'Paul Morphy');
    await page.click('#draw-open');
    await tap(page, 'e4'); // a pawn is at hand
    assert.equal(await page.inputValue('#query'), 'player ~"Paul Morphy" Pe4');
    await tool(page, '?');
    await tap(page, 'e5');
    await tool(page, '_');
    await tap(page, 'd4');
    await tool(page, 'M');
    await tap(page, 'c4');
    assert.equal(await page.inputValue('#query'), 'player ~"Paul Morphy" Mc4 _d4 Pe4 [Mm]e5');
    await found(page, countOf('player ~"Paul Morphy" Mc4 _d4 Pe4 [Mm]e5'));
    await tool(page, 'P');
    await tap(page, 'e4'); // the same again takes it away
    assert.equal(await page.inputValue('#query'), 'player ~"Paul Morphy" Mc4 _d4 [Mm]e5');
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
    await page.click('#draw-open');
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
    await showSearch(page);
    await page.click('#draw-open');
    await page.locator('#draw-frame [data-square=e2][role=gridcell]').focus();
    for (const key of ['c', '3', 'Enter']) await page.keyboard.press(key);
    assert.equal(await page.inputValue('#query'), 'Pc3');
    await page.locator('#draw-palette [data-tool=n]').tap();
    await page.locator('#draw-frame').tap({ position: { x: 10, y: 10 } });
    await eventually(async () => assert.equal(await page.inputValue('#query'), 'na8 Pc3'));
    await found(page, countOf('na8 Pc3')); // until then the table is dimmed
    assert.ok(await page.isVisible('#games-count'));
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
    await page.click('#tips-open');
    await page.fill('#saved-name', 'Morphy, d4');
    await page.press('#saved-name', 'Enter');
    await page.waitForFunction(() => /sort=longest/.test(location.hash));
    await page.click('#saved-link');
    await page.waitForFunction(() => document.getElementById('toast-text').textContent === 'Link to this search copied');
    const link = await page.evaluate(() => navigator.clipboard.readText());
    await page.fill('#query', 'check');
    await page.press('#query', 'Enter');
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    await page.click('#tips-open');
    await page.click('#saved-list .open');
    assert.equal(await page.inputValue('#query'), 'player Morphy Pd4');
    assert.equal(await page.inputValue('#games-order'), 'longest');
    await found(page, countOf('player Morphy Pd4'));
    assert.deepEqual(await faultsByAxe(page), []);
    await page.click('#tips-open');
    await page.click('#saved-list [aria-label="Delete Morphy, d4"]');
    assert.equal(await page.locator('#saved-list li').count(), 0);
    const other = await open(link.slice(link.indexOf('#')), WIDE);
    assert.equal(await other.inputValue('#query'), 'player Morphy Pd4');
    await found(other, countOf('player Morphy Pd4'));
    await other.context().close();
    await page.context().close();
  });
});

describe('analysis', () => {
  let server;
  let address;
  const GAME = '[White "A"]\n[Black "B"]\n\n1. e4 {[%eval 0.9] a comment} e5 (1... c5) 2. Ba6 Nxa6 3. d4 exd4 *';
  before(async () => { // an engine that counts material, and has seen through one move
    writeFileSync(join(work, 'scores'), 'rnbqkbnr/pppp1ppp/B7/4p3/4P3/8/PPPP1PPP/RNBQK1NR -300\n');
    server = spawn(program, ['serve', '--port', '0', '--engine', join(root, 'test/serve/fake-engine.sh'), '--engine-threads', '2', '--engines', '8'], // some may still be stopping
      { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, PATH: `${resolve(dirname(program))}:${process.env.PATH}`, ENGINE_SCORES: join(work, 'scores') } });
    address = await new Promise((resolve) => { server.stdout.once('data', (data) => resolve(String(data).trim())); });
  });
  after(() => server.kill('SIGTERM'));
  const openGame = (page, pgn) => page.evaluate((text) => { const { doc } = window.tabiya; doc.setGame(doc.tabiya.game(text), () => 0, 'open'); }, pgn);
  const openEngine = async (options, prepare) => {
    const page = await open('', options, prepare, address);
    await page.waitForSelector('#engine:not([hidden])', { state: 'attached' });
    return page;
  };

  test('the bar beside the board shows the evaluation of the game, turned with the board', async () => {
    const page = await openEngine(WIDE);
    assert.ok(await page.isHidden('#eval-bar'));
    await openGame(page, '1. e4 {[%eval 3.0]} e5 {[%eval #-2]} *');
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.getAttribute('#eval-bar', 'aria-valuetext'), '+3.00');
    const share = () => page.evaluate(() => parseFloat(document.getElementById('eval-bar').style.getPropertyValue('--white')));
    assert.ok(Math.abs(await share() - 75.1) < 0.2, String(await share()));
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.getAttribute('#eval-bar', 'aria-valuetext'), '-M2');
    assert.equal(await share(), 0);
    await page.click('#flip');
    assert.equal(await page.getAttribute('#eval-bar', 'data-below'), 'black');
    await eventually(async () => {
      const [bar, board] = await Promise.all(['#eval-bar', '#frame'].map((id) => page.locator(id).boundingBox()));
      assert.ok(bar.x >= 0 && bar.x + bar.width <= board.x && Math.abs(bar.height - board.height) < 1, JSON.stringify([bar, board]));
    });
    assert.deepEqual(await faultsByAxe(page), []);
    await page.context().close();
  });

  for (const [width, height] of [[390, 844], [700, 900]])
    test(`the bar is as wide as the board, and below it, at ${width} x ${height}`, async () => {
      const page = await open('', { viewport: { width, height } });
      await openGame(page, '[White "Nepomniachtchi, Ian"]\n\n1. e4 {[%eval 3.0]} e5 *');
      await page.keyboard.press('ArrowRight');
      await page.waitForSelector('#eval-bar:not([hidden])');
      await eventually(async () => {
        const [bar, board, name] = await Promise.all(['#eval-bar', '#frame', '#player-below .name'].map((id) => page.locator(id).boundingBox()));
        assert.ok(Math.abs(bar.x - board.x) < 1 && Math.abs(bar.width - board.width) < 1, JSON.stringify([bar, board]));
        assert.ok(name.y + name.height <= board.y && Math.abs(bar.y - board.y - board.height) < 1, JSON.stringify([bar, name]));
      });
      await page.context().close();
    });

  test('an engine that the server refuses at first is asked again', async () => {
    let refusals = 2;
    const page = await openEngine({ ...WIDE, serviceWorkers: 'block' }, (context) => context.route('**/api/analyse?*', (route) => (refusals-- > 0
      ? route.fulfill({ status: 503, json: { error: 'all engines are busy' } }) : route.continue())));
    await page.check('#engine-switch');
    await page.waitForSelector('#engine-lines li');
    assert.match(await page.locator('#engine-hint').innerText(), /^depth/);
    await closeWithErrors(page, /status of 503/);
  });

  for (const [width, height] of [[360, 740], [390, 844]])
    test(`the engine's choices are in line at ${width} x ${height}`, async () => {
      const page = await openEngine({ viewport: { width, height }, isMobile: true, hasTouch: true });
      await showTab(page, 'moves');
      await page.check('#engine-switch');
      await eventually(async () => {
        const [lines, threads] = await Promise.all(['#engine-count', '#engine-threads'].map((id) => page.locator(id).boundingBox()));
        assert.equal(Math.round(lines.y), Math.round(threads.y));
      });
      await page.context().close();
    });

  test('lines and threads are chosen and kept; a move of a line shows its board under the mouse and by focus', async () => {
    const page = await openEngine(WIDE);
    const asked = [];
    page.on('request', (request) => { if (/api\/analyse/.test(request.url())) asked.push(new URL(request.url()).searchParams); });
    await page.check('#engine-switch');
    await page.selectOption('#engine-threads', '1');
    await page.selectOption('#engine-count', '2');
    await page.waitForFunction(() => document.querySelectorAll('#engine-lines li').length === 2);
    assert.deepEqual(['lines', 'threads'].map((name) => asked.at(-1).get(name)), ['2', '1']);
    assert.equal(await page.getAttribute('#eval-bar', 'aria-valuetext'), '+0.00');
    await page.hover('#engine-lines .move');
    await page.waitForSelector('#preview:popover-open');
    await page.mouse.move(5, 5);
    await page.waitForSelector('#preview', { state: 'hidden' });
    await page.focus('#engine-count');
    for (let i = 0; i < 2; i++) await page.keyboard.press('Tab');
    await page.waitForSelector('#preview:popover-open');
    assert.match(await page.getAttribute('#preview-board', 'alt'), /^Position after 1\.a4/);
    assert.deepEqual(await faultsByAxe(page), []);
    await page.keyboard.press('Enter');
    assert.equal(await value(page, 'line-san'), 'a4');
    assert.ok(await page.isHidden('#preview'));
    await page.reload();
    await page.waitForSelector('#engine:not([hidden])', { state: 'attached' });
    assert.equal(await page.inputValue('#engine-count'), '2');
    await page.context().close();
  });

  test('a game is analysed: progress, evaluations and marks in the game, mistakes in a list, undone at once', async () => {
    const page = await openEngine(WIDE);
    assert.ok(await page.isDisabled('#analyse'));
    await openGame(page, GAME);
    await page.evaluate(() => window.tabiya.doc.goTo(1));
    const before2 = await value(page, 'game-pgn');
    await page.selectOption('#analyse-time', '100');
    await Promise.all([page.waitForSelector('#analyse-progress:not([hidden])'), page.click('#analyse')]);
    await page.waitForSelector('#mistakes li');
    assert.equal((await value(page, 'game-pgn')).replace(/\s+/g, ' '), '[White "A"] [Black "B"] 1. e4 {[%eval 0.00] a comment} 1... e5 {[%eval 0.00]} (1... c5) 2. Ba6 $4 {[%eval -3.00]} '
      + '2... Nxa6 {[%eval -3.00]} 3. d4 {[%eval -3.00]} 3... exd4 {[%eval -4.00]} *');
    assert.deepEqual(await page.locator('#mistakes li').allTextContents(), ['2.Ba6??, blunder+0.00 → -3.00']);
    assert.equal(await page.evaluate(() => window.tabiya.doc.place), 1, 'the same place');
    assert.ok(await page.isVisible('#graph'));
    await page.keyboard.press('Control+z');
    assert.equal(await value(page, 'game-pgn'), before2);
    await page.context().close();
  });

  test('an analysis is cancelled, and the game is as it was; another game ends it', async () => {
    const page = await openEngine(WIDE);
    await openGame(page, GAME);
    const was = await value(page, 'game-pgn');
    await page.selectOption('#analyse-time', '10000');
    await page.click('#analyse');
    await page.click('#analyse-cancel');
    await page.waitForFunction(() => /^Cancelled/.test(document.getElementById('analyse-text').textContent));
    assert.ok(await page.isVisible('#analyse') && await page.isHidden('#analyse-progress'));
    assert.equal(await value(page, 'game-pgn'), was);
    await page.click('#analyse');
    await page.waitForSelector('#analyse-cancel:not([hidden])');
    await openGame(page, '1. d4 *');
    await page.waitForSelector('#analyse:not([hidden])');
    assert.equal(await value(page, 'game-pgn'), '1. d4 *');
    await page.context().close();
  });

  test('mistakes have words, what they cost, and lead to their moves; on a phone too', async () => {
    const page = await openEngine(PHONE);
    await openGame(page, '1. e4 {[%eval 0.3]} f6 $2 {[%eval 1.4]} 2. d4 {[%eval 1.2]} g5 $4 {[%eval #1]} *');
    await showTab(page, 'moves');
    assert.equal(await page.innerText('#review-text'), 'White: no mistakes. Black: 1 mistake, 1 blunder.');
    assert.deepEqual(await page.locator('#mistakes li').allTextContents(), ['1…f6?, mistake+0.30 → +1.40', '2…g5??, blunder+1.20 → +M1']);
    await page.click('#mistakes li:nth-child(2) .move');
    assert.equal(await value(page, 'line-san'), 'e4 f6 d4 g5');
    assert.equal(await page.getAttribute('#eval-bar', 'aria-valuetext'), '+M1');
    await eventually(async () => {
      const [bar, board] = await Promise.all(['#eval-bar', '#frame'].map((id) => page.locator(id).boundingBox()));
      assert.ok(Math.abs(bar.y - board.y - board.height) < 1 && bar.height === 6, JSON.stringify([bar, board]));
    });
    assert.deepEqual(await faultsByAxe(page), []);
    await page.context().close();
  });
});

describe('preparation', () => {
  const explored = (page) => page.waitForFunction(() => document.getElementById('explorer').ariaBusy === 'false' && document.querySelector('#explorer-moves tr, #explorer-hint:not(:empty)'));
  /** [move, games] as the program counts them. */
  const counts = (...args) => JSON.parse(spawnSync(program, ['explore', database, '--json', ...args], { encoding: 'utf8' }).stdout).moves.map(({ san, games }) => [san, games]);
  const column = (page, n) => page.locator('#explorer-moves tr:has([data-uci])').evaluateAll((rows, index) => rows.map((row) => [row.querySelector('[data-uci]').textContent,
    Number(row.querySelectorAll('.count[data-count]')[index]?.dataset.count)]), n);
  async function set(page, fields) {
    if (!await page.isVisible('#filter-player')) await page.click('#filter-open');
    for (const [name, text] of Object.entries(fields)) {
      if (['color', 'ratings', 'speeds'].includes(name)) await page.selectOption(`#filter-${name}`, text);
      else if (name === 'beside') await page.setChecked('#filter-beside', text);
      else {
        await page.fill(`#filter-${name}`, text);
        await page.press(`#filter-${name}`, 'Enter');
      }
    }
    await explored(page); // busy since the first change, unless the answer was known
    await page.click('#filter-close');
  }

  test('by player and colour, by period and by any query: the numbers of the program; each lists its games', async () => {
    const page = await open('', WIDE);
    await explored(page);
    await set(page, { player: 'Morphy', color: 'black' });
    assert.match(await page.innerText('#filter-chips'), /Morphy as Black/);
    assert.deepEqual(await column(page, 0), counts('--black', 'Morphy'));
    await set(page, { since: '1857', until: '1858-12' });
    assert.deepEqual(await column(page, 0), counts('black "Morphy" date 1857..1858.12'));
    await set(page, { player: '', color: '', since: '', until: '', query: 'iqp or mate' });
    assert.deepEqual(await column(page, 0), counts('iqp or mate'));
    const [[san, games]] = await column(page, 0);
    await page.click('#explorer-moves .number');
    await found(page, games);
    assert.match(await page.inputValue('#query'), /^fen ".*" , fen ".*" ever \(iqp or mate\)$/, san);
    assert.deepEqual(await faultsByAxe(page), []);
    await page.context().close();
  });

  test('side by side with all games, with what was never played; kept in the address', async () => {
    const page = await open('', WIDE);
    await explored(page);
    await set(page, { player: 'Morphy', beside: true });
    const all = counts();
    const mine = counts('--player', 'Morphy');
    assert.deepEqual((await column(page, 0)).slice(0, mine.length), mine);
    assert.deepEqual((await column(page, 0)).slice(mine.length).map(([, n]) => n), [0, 0, 0, 0, 0]);
    for (const [move, n] of await column(page, 1)) assert.equal(n, all.find(([san]) => san === move)[1], move);
    assert.deepEqual(await faultsByAxe(page), []);
    const before2 = await column(page, 1);
    await page.waitForFunction(() => /f-beside=1/.test(location.hash));
    await page.reload();
    await page.waitForSelector('#explorer-table.both');
    assert.deepEqual(await column(page, 1), before2);
    await page.locator('#explorer-moves tr:nth-child(1) .count[data-count]').nth(1).locator('button').click();
    await found(page, before2[0][1]);
    await page.context().close();
  });

  test('what is new since a date has a sign that lists those games', async () => {
    const page = await open('', WIDE);
    await explored(page);
    await set(page, { new: '1900' });
    const before2 = counts('not date 1900..').map(([san]) => san);
    const marked = await page.locator('#explorer-moves tr:has(.badge) [data-uci]').allInnerTexts();
    assert.deepEqual(marked, counts().map(([san]) => san).filter((san) => !before2.includes(san)));
    assert.ok(marked.length > 0);
    await page.click('#explorer-moves .badge');
    await found(page, counts().find(([san]) => san === marked[0])[1]);
    assert.match(await page.inputValue('#query'), / date 1900\.\.$/);
    await page.context().close();
  });

  test('an unknown name offers similar ones, a wrong query says why; clean by axe on a phone', async () => {
    const page = await open('', PHONE);
    await explored(page);
    await set(page, { player: 'Morphi, Paul' });
    await page.waitForFunction(() => /Similar names/.test(document.getElementById('explorer-hint').textContent));
    await page.locator('#explorer-hint button', { hasText: 'Paul Morphy' }).click();
    await page.waitForSelector('#explorer-moves [data-uci=e2e4]');
    await set(page, { beside: true });
    assert.deepEqual(await faultsByAxe(page), []);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await set(page, { query: 'plaer x' });
    await page.waitForFunction(() => /did you mean "player"/.test(document.getElementById('explorer-hint').textContent));
    await closeWithErrors(page, /status of 400/);
  });
});

describe('the order of games', () => {
  const shown = (page) => page.locator('#games-list [data-game]').evaluateAll((all) => all.map((row) => Number(row.dataset.game)));
  const heading = async (page, name) => {
    await page.click(`[role=columnheader].${name} button`);
    await page.waitForFunction(() => document.getElementById('games-table').ariaBusy !== 'true');
  };
  const inOrder = (page, ids, message) => page.waitForFunction((wanted) => {
    const rows = [...document.querySelectorAll('#games-list [data-game]')].map((row) => Number(row.dataset.game));
    return rows.length > 5 && rows.every((id, i) => id === wanted[i]);
  }, ids).catch(async () => assert.deepEqual(await shown(page), ids.slice(0, 20), message));

  test('every heading sorts all games, both ways, as find --sort does', async () => {
    const page = await open('#p=&tab=games', size(1920, 1000), wideList);
    for (const [name, up, down] of [['white', 'white', '-white'], ['black', 'black', '-black'], ['ended', 'result', '-result'], ['event', 'event', '-event'], ['eco', 'eco', '-eco']])
      for (const [sort, direction] of [[up, 'ascending'], [down, 'descending']]) {
        await heading(page, name);
        const ids = spawnSync(program, ['find', database, '--sort', sort, '--ids', '--limit', '100'], { encoding: 'utf8' }).stdout.trim().split('\n').map(Number);
        await inOrder(page, ids, sort);
        assert.equal(await page.locator(`[role=columnheader].${name}`).getAttribute('aria-sort'), direction);
      }
    assert.deepEqual(await faultsByAxe(page), []);
    await page.context().close();
  });

  test('a file sorts by the same headings', async () => {
    const page = await open('', WIDE);
    await page.setInputFiles('#file', join(root, 'examples/famous.pgn'));
    await page.waitForFunction(() => /^58 games$/.test(document.getElementById('games-count').textContent));
    await heading(page, 'white');
    const whites = () => page.locator('#games-list [data-game] .white').allInnerTexts();
    const alphabetical = (names) => [...names].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : Number(a.toLowerCase() > b.toLowerCase())));
    const names = await eventually(async () => {
      const read = await whites();
      assert.deepEqual(read, alphabetical(read));
      return read;
    });
    await heading(page, 'white');
    await eventually(async () => assert.ok((await whites())[0] > names[0]));
    await page.context().close();
  });
});

describe('pieces and sounds', () => {
  test('another set of pieces everywhere at once, and kept', async () => {
    const page = await open('', WIDE);
    const hrefs = () => page.evaluate(() => [...document.querySelectorAll('use[href*=".svg#"]')].map((use) => use.getAttribute('href').replace(/.*\/(.*)\.svg.*/, '$1')));
    assert.deepEqual([...new Set(await hrefs())], ['pieces']);
    await page.click('#settings');
    await page.selectOption('#set', 'pieces-plain');
    assert.deepEqual([...new Set(await hrefs())], ['pieces-plain']);
    assert.deepEqual(await faultsByAxe(page), []);
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    await page.click('#tab-games');
    await page.click('#draw-open');
    await page.waitForSelector('#draw-palette [data-tool=n]');
    assert.deepEqual([...new Set(await hrefs())], ['pieces-plain']);
    await page.context().close();
  });

  test('sounds are off at first; then moves and steps forward are heard', async () => {
    const page = await open('', WIDE, (context) => context.addInitScript(() => {
      window.tones = [];
      const { setValueAtTime } = AudioParam.prototype;
      AudioParam.prototype.setValueAtTime = function note(value2, ...more) {
        if (value2 > 1) window.tones.push(value2);
        return setValueAtTime.call(this, value2, ...more);
      };
    }));
    const play = (move) => page.evaluate((text) => window.tabiya.doc.play(text), move);
    await play('e4');
    assert.deepEqual(await page.evaluate(() => window.tones), []);
    await page.click('#settings');
    await page.check('#sounds');
    await page.keyboard.press('Escape');
    for (const move of ['d5', 'exd5', 'c6', 'Bb5']) await play(move);
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    assert.deepEqual(await page.evaluate(() => window.tones), [220, 150, 220, 220, 220]);
    await page.context().close();
  });
});

test('the console was silent, and no request went to other hosts', () => {
  assert.deepEqual(complaints, []);
});
