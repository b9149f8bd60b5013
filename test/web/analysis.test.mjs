/*
 * analysis.test.mjs - engines and evaluations: lines, the bar, the analysis of a game, mistakes.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { PHONE, WIDE, closeWithErrors, complaints, eventually, faultsByAxe, frame, open, program, showTab, size, sized, value, work, write } from './browser.mjs';
import { root } from './support.mjs';

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

  test('an engine that the server refuses at first is tried again', async () => {
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
    await page.focus('#engine-switch');
    await page.keyboard.press('Tab');
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

  for (const [width, height] of [[1440, 900], [1366, 650], [820, 1180], [844, 390], [390, 844], [360, 600]])
    test(`the engine's lines stay under the pointer while a game is analysed and reviewed, at ${width} x ${height}`, async () => {
      const page = await openEngine(size(width, height));
      await openGame(page, GAME);
      await showTab(page, 'moves');
      await page.check('#engine-switch');
      await page.waitForSelector('#engine-lines li');
      await page.selectOption('#analyse-time', '300');
      await page.evaluate(() => document.getElementById('analyse').scrollIntoView({ block: 'nearest' })); // the user's own scrolling does not count
      await frame(page);
      const top = () => page.evaluate(() => Math.round(document.getElementById('engine-lines').getBoundingClientRect().top));
      const was = await top();
      await page.evaluate(() => {
        window.tops = new Set();
        const look = () => {
          window.tops.add(Math.round(document.getElementById('engine-lines').getBoundingClientRect().top));
          requestAnimationFrame(look);
        };
        look();
      });
      await Promise.all([page.waitForSelector('#analyse-progress:not([hidden])'), page.click('#analyse')]);
      await page.waitForSelector('#mistakes table');
      await page.waitForSelector('#analyse:not([hidden])');
      assert.deepEqual(await page.evaluate(() => [...window.tops]), [was]);
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

  test('mistakes are described with their cost and lead to their moves, on a phone too', async () => {
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

describe('engine', () => {
  test('the server\'s engine is off until it is switched on, shows lines with scores, and ends when it is switched off', async () => {
    const asked = [];
    const page = await open('', {}, async (context) => {
      await context.route('**/api', (route) => route.fulfill({ json: { name: 'tabiya', version: '1', database: null, engine: 'Stockfish 15.1' } }));
      await context.route('**/api/analyse?*', (route) => {
        asked.push(new URL(route.request().url()).searchParams.get('fen'));
        const lines = [{ line: 1, depth: 20, cp: 35, mate: null, uci: ['e2e4', 'e7e5', 'g1f3'], san: ['e4', 'e5', 'Nf3'] },
          { line: 2, depth: 20, cp: null, mate: -3, uci: ['f2f3', 'e7e5'], san: ['f3', 'e5'] }];
        return route.fulfill({ headers: { 'content-type': 'text/event-stream' },
          body: `event: lines\ndata: ${JSON.stringify({ depth: 20, time: 1, nodes: 1, lines })}\n\nevent: done\ndata: {}\n\n` });
      });
    });
    await page.check('#engine-switch');
    await page.waitForFunction(() => document.querySelectorAll('#engine-lines li').length === 2);
    assert.equal(asked.length, 1, 'asked before it was switched on');
    assert.deepEqual((await page.locator('#engine-lines li').allInnerTexts()).map((text) => text.replace(/\s+/g, '')), ['+0.351.e4e52.Nf3', '-M31.f3e5']);
    assert.equal(await page.locator('.shape-hint').count(), 1);
    assert.deepEqual(await faultsByAxe(page), []);
    await page.locator('#engine-lines li').first().locator('.move').nth(1).click();
    assert.equal(await value(page, 'line-san'), 'e4 e5');
    await page.uncheck('#engine-switch');
    assert.equal(await page.locator('#engine-lines li').count(), 0);
    assert.equal(await page.locator('.shape-hint').count(), 0);
    await page.context().close();
  });

  test('the moves of an engine\'s line can be hit: 24 pixels each way', async () => {
    const page = await open('', size(1280, 720), async (context) => {
      await context.route('**/api', (route) => route.fulfill({ json: { database: null, engine: 'one' } }));
      const lines = { depth: 1, lines: [{ cp: 20, mate: null, uci: ['e2e4', 'e7e5'], san: ['e4', 'e5'] }] };
      await context.route('**/api/analyse*', (route) => route.fulfill({ contentType: 'text/event-stream', body: `event: lines\ndata: ${JSON.stringify(lines)}\n\nevent: done\ndata: {}\n\n` }));
    });
    await page.check('#engine-switch');
    await page.waitForSelector('#engine-lines .move >> nth=1');
    for (const { width, height } of await page.locator('#engine-lines .move').evaluateAll((all) => all.map((move) => move.getBoundingClientRect().toJSON())))
      assert.ok(width >= 24 && height >= 24, `${width} x ${height}`);
    await page.context().close();
  });

  test('a game that is not analysed says nothing about mistakes, one with evaluations counts them without marks', async () => {
    const page = await sized(1440, 900);
    await write(page, 'game-pgn', '1. e4 e5 2. Nf3 *');
    assert.ok(await page.isHidden('#review'));
    await write(page, 'game-pgn', '1. e4 e5 2. Qh5 $6 *'); // marks alone
    assert.equal(await page.innerText('#review-text'), 'White: 1 dubious move. Black: none marked.');
    await write(page, 'game-pgn', '1. e4 {[%eval 0.3]} e5 {[%eval 0.2]} 2. Qh5 {[%eval -0.5]} Ke7 {[%eval #1]} *');
    assert.match(await page.innerText('#review-text'), /Black: 1 blunder/);
    await page.context().close();
  });
});

test('the console was silent, and no request went to other hosts', () => {
  assert.deepEqual(complaints, []);
});
