/*
 * layout.test.mjs - the frame of the page: panes at every size, what stays in view, and that nothing moves under the pointer.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PHONE, closeWithErrors, complaints, eventually, faultsByAxe, open, openTool, point, showTab, value, write } from './browser.mjs';

const SIZES = [[360, 600], [390, 844], [844, 390], [820, 1180], [1366, 650], [1440, 900], [1920, 960]];
const GAME = '[White "Nepomniachtchi, Ian"]\n[Black "Praggnanandhaa, Rameshbabu"]\n[Event "Candidates"]\n[Date "2024.04.09"]\n[Result "1-0"]\n\n'
  + '1. e4 {[%eval 0.3] [%clk 1:59:05]} e5 {[%eval 0.2] [%clk 1:58:00]} 2. Nf3 {[%eval 0.3]} Nc6 {[%eval 2.3]} 3. Bb5 {[%eval 0.5] The Spanish.} a6 (3... Nf6 4. O-O) 4. Ba4 1-0';
const sized = (width, height, more = {}) => {
  const isPhone = width < 768 || height < 500;
  return open(more.fragment ?? '', { viewport: { width, height }, isMobile: isPhone, hasTouch: isPhone }, more.prepare);
};
const explored = (page) => page.waitForFunction(() => document.getElementById('explorer').ariaBusy === 'false' && document.querySelector('#explorer-moves tr'));
const box = (page, id) => page.evaluate((name) => document.getElementById(name).getBoundingClientRect().toJSON(), id);

describe('panes', () => {
  for (const [width, height] of SIZES)
    test(`board, buttons and panels are in the window at ${width} x ${height}, and nothing is cut or scrolls sideways`, async () => {
      const page = await sized(width, height);
      await explored(page);
      await page.evaluate((pgn) => { const { doc } = window.tabiya; doc.setGame(doc.tabiya.game(pgn), () => 0, 'open'); }, GAME);
      for (const tab of ['moves', 'explorer', 'games', 'players', 'lines']) {
        await showTab(page, tab);
        if (tab === 'games') await page.waitForSelector('#games-list [data-game]');
        const found = await page.evaluate(() => {
          const out = (id) => { const { left, top, right, bottom, width: w } = document.getElementById(id).getBoundingClientRect(); return w === 0 || left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1; };
          const cut = [...document.querySelectorAll('button, .tabs button, label, th')].filter((e) => e.checkVisibility() && !e.closest('.hidden, #mistakes, .tabs, .games-head, .pv, #game-headline, .player, .rows'))
            .filter((e) => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflow !== 'visible').map((e) => e.textContent || e.id);
          return { out: ['frame', 'next', 'previous', 'flip', 'menu', 'side-tabs'].filter(out), cut, sideways: document.documentElement.scrollWidth - innerWidth, down: document.documentElement.scrollHeight - innerHeight };
        });
        assert.deepEqual(found, { out: [], cut: [], sideways: 0, down: 0 }, tab);
      }
      await page.context().close();
    });

  test('three panes from 1200 pixels, two from 768, tabs below', async () => {
    const page = await sized(1440, 900);
    const seen = () => page.evaluate(() => ['frame', 'panel-moves', 'panel-explorer', 'tab-moves'].map((id) => document.getElementById(id).checkVisibility()));
    assert.deepEqual(await seen(), [true, true, true, false]);
    const list = await box(page, 'panel-moves');
    assert.ok(list.height > 0.85 * (900 - 52), `the notation has the height of the window: ${list.height}`);
    for (const [width, height, expected] of [[820, 1180, [true, true, true, false]], [900, 700, [true, false, true, true]], [390, 844, [true, false, true, true]]]) {
      await page.setViewportSize({ width, height });
      await eventually(async () => assert.deepEqual(await seen(), expected, `${width} x ${height}`));
    }
    await page.context().close();
  });

  test('widths are dragged, by keyboard too, and remembered', async () => {
    const page = await sized(1440, 900);
    const width = async () => (await box(page, 'side')).width;
    const before = await width();
    const line = await box(page, 'split-side');
    await page.mouse.move(line.x + 5, 400);
    await page.mouse.down();
    await page.mouse.move(line.x - 55, 400);
    await page.mouse.up();
    await eventually(async () => assert.ok(Math.abs(await width() - before - 60) < 3, `${before} ${await width()}`));
    await page.focus('#split-side');
    await page.keyboard.press('ArrowLeft');
    await eventually(async () => assert.ok(Math.abs(await width() - before - 84) < 3));
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    await eventually(async () => assert.ok(Math.abs(await width() - before - 84) < 3));
    await page.dblclick('#split-side');
    await eventually(async () => assert.ok(Math.abs(await width() - before) < 3));
    await page.context().close();
  });

  test('tools open from the menu, have an address and can be closed', async () => {
    const page = await sized(1440, 900);
    await openTool(page, 'convert');
    await page.waitForFunction(() => /tab=convert/.test(location.hash));
    await page.reload();
    await page.waitForSelector('#panel-convert:visible');
    await page.click('#close-convert');
    assert.ok(await page.isVisible('#panel-explorer') && await page.isHidden('#tab-convert'));
    const other = await sized(1440, 900, { fragment: '#tab=games' });
    await other.waitForSelector('#games-list [data-game]');
    await page.context().close();
    await other.context().close();
  });
});

describe('phones', () => {
  test('the first row of the explorer is above 620 pixels, and a game that is opened shows its moves', async () => {
    const page = await open('', PHONE);
    await explored(page);
    const { bottom } = await page.evaluate(() => document.querySelector('#explorer-moves tr').getBoundingClientRect().toJSON());
    assert.ok(bottom < 650 && bottom - 33 < 620, `${bottom}`);
    await page.click('#tab-games');
    await page.locator('#games-list [data-game]').first().click();
    await page.waitForSelector('#move-list .pair');
    assert.ok(await page.isVisible('#move-list'));
    await page.click('#tab-games');
    assert.equal(await page.locator('#games-list [aria-current=true]').count(), 1, 'the list is where it was');
    await page.context().close();
  });

  test('the board is smaller while a list scrolls, and the rows stay under the finger', async () => {
    const page = await open('#tab=games', PHONE);
    await page.waitForSelector('#games-list [data-game]');
    const before = (await box(page, 'frame')).width;
    const rowAt = (y) => page.evaluate((at) => document.elementFromPoint(200, at)?.closest('[data-index]')?.dataset.index, y);
    await page.evaluate(() => { document.getElementById('games-table').scrollTop = 600; });
    await eventually(async () => assert.ok((await box(page, 'frame')).width < 0.75 * before));
    const row = await rowAt(700);
    await page.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); }));
    assert.equal(await rowAt(700), row);
    assert.ok((await box(page, 'frame')).top >= 0, 'the board stays in view');
    await page.evaluate(() => { document.getElementById('games-table').scrollTop = 0; });
    await eventually(async () => assert.equal((await box(page, 'frame')).width, before));
    await page.context().close();
  });
});

describe('nothing moves', () => {
  for (const [width, height] of [[390, 844], [1440, 900]])
    test(`playing, stepping, filtering and opening a game shift nothing by more than 0.02 at ${width} x ${height}`, async () => {
      const page = await sized(width, height, { prepare: (context) => context.addInitScript(() => {
        window.shifts = [];
        new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.shifts.push(entry.value); }).observe({ type: 'layout-shift', buffered: true });
      }) });
      await explored(page);
      const places = () => page.evaluate(() => ['frame', 'next', 'flip', 'side-tabs', 'explorer-table'].map((id) => {
        const { left, top, width: w } = document.getElementById(id).getBoundingClientRect();
        return [id, left, top, w].join();
      }));
      const before = await places();
      await page.click('#explorer-moves tr >> nth=0 >> .bar');
      await page.waitForFunction(() => window.tabiya.doc.place === 0 && document.getElementById('explorer').ariaBusy === 'false');
      await page.click('#explorer-moves tr >> nth=0 >> .bar'); // a second click hits a move, not a gap
      await page.waitForFunction(() => window.tabiya.doc.place === 1 && document.getElementById('explorer').ariaBusy === 'false');
      assert.deepEqual(await places(), before);
      await page.evaluate((pgn) => { const { doc } = window.tabiya; doc.setGame(doc.tabiya.game(pgn), () => 0, 'open'); }, GAME);
      for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowRight');
      await explored(page);
      assert.deepEqual((await places()).slice(0, 4), before.slice(0, 4));
      const worst = await page.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => resolve(Math.max(0, ...window.shifts))); }));
      assert.ok(worst <= 0.02, `${worst}`);
      await page.context().close();
    });

  test('a press on a square stays on it, whatever comes between press and release', async () => {
    const page = await sized(1440, 900);
    const [x, y] = await point(page, 'e2');
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.evaluate((pgn) => { document.getElementById('game-facts').textContent = pgn; document.getElementById('opening').textContent = pgn; }, GAME);
    await page.mouse.up();
    await page.mouse.click(...await point(page, 'e4'));
    assert.equal(await value(page, 'line-san'), 'e4');
    await page.context().close();
  });
});

describe('keys', () => {
  test('moves are typed anywhere, / searches, and the help lists every key', async () => {
    const page = await sized(1440, 900);
    await page.keyboard.type('e4');
    await page.keyboard.press('Enter');
    assert.equal(await value(page, 'line-san'), 'e4');
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.type('Nf6');
    await page.keyboard.press('Enter');
    assert.equal(await value(page, 'line-san'), 'e4 Nf6');
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press('/');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'query');
    await page.evaluate(() => document.activeElement.blur());
    await page.locator('[role=gridcell][data-square=e2]').focus();
    await page.keyboard.press('?');
    for (const key of ['/', 'Shift F', 'Ctrl S', 'M']) assert.ok(await page.locator('#keys kbd', { hasText: key }).first().isVisible(), key);
    await page.context().close();
  });
});

describe('search', () => {
  test('words of the language are completed, with what they mean; a name means the person', async () => {
    const page = await sized(1440, 900);
    await page.focus('#query');
    await page.keyboard.type('elo 2000.. gree');
    await page.locator('#query-names li', { hasText: 'greek-gift' }).first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    assert.match(await page.inputValue('#query'), /^elo 2000\.\. greek-gift/);
    await page.fill('#query', 'Paul Morphy 1858');
    await page.press('#query', 'Enter');
    await page.waitForFunction(() => document.getElementById('games-count').textContent === '3 games');
    await page.evaluate(() => document.activeElement.blur());
    await eventually(async () => assert.deepEqual(await page.locator('#chips .chip > span').allTextContents(), ['Player: Paul Morphy', '1858']));
    await page.click('#chips .chip >> nth=1 >> button');
    await page.waitForFunction(() => document.getElementById('games-count').textContent === '5 games');
    assert.deepEqual(await faultsByAxe(page), []);
    await page.context().close();
  });
});

describe('a player', () => {
  test('the page of a player: from a name, by address, with numbers that list their games, and preparing', async () => {
    const page = await sized(1440, 900, { fragment: '#player=Paul%20Morphy' });
    await page.waitForSelector('#player-page .facts-row');
    assert.match(await page.innerText('#player-page .facts-row'), /^5\s/);
    await page.waitForSelector('.tree .move');
    assert.deepEqual(await faultsByAxe(page), []);
    await page.click('#player-page .facts-row button');
    await page.waitForFunction(() => document.getElementById('games-count').textContent === '5 games');
    assert.ok(await page.isHidden('#player-page'));
    await page.waitForFunction(() => /q=player/.test(location.hash));
    await page.goBack();
    await page.waitForSelector('#player-page .facts-row');
    await page.getByRole('button', { name: 'Prepare as White' }).click();
    await page.waitForFunction(() => /Morphy as Black/.test(document.getElementById('filter-chips').textContent));
    await page.waitForFunction(() => Number(document.querySelector('#explorer-total .count')?.dataset.count) === 3);
    await page.getByRole('button', { name: 'Remove Paul Morphy as Black' }).click();
    await write(page, 'game-pgn', GAME);
    await page.click('#game-headline .person >> nth=0');
    await page.waitForFunction(() => /^#player=Nepomniachtchi/.test(location.hash));
    await page.getByRole('button', { name: 'Back to the board' }).first().click();
    assert.ok(await page.isHidden('#player-page'));
    await page.context().close();
  });
});

describe('names', () => {
  test('a family name alone is the player with most games; others of that name are offered', async () => {
    const page = await sized(1440, 900, { fragment: '#player=Lasker' });
    await page.waitForSelector('#player-page .facts-row');
    assert.equal(await page.innerText('#player-page h2'), 'Emanuel Lasker');
    assert.match(await page.innerText('#player-page .facts-row'), /^6\s/);
    await page.getByRole('button', { name: 'Edward Lasker' }).first().click();
    await page.waitForFunction(() => document.querySelector('#player-page h2')?.textContent === 'Edward Lasker' && /^1\s/.test(document.querySelector('#player-page .facts-row')?.innerText));
    await page.context().close();
  });

  test('long names beside the board end with an ellipsis, and the player panel offers who played lately', async () => {
    const page = await sized(390, 844);
    await page.evaluate((pgn) => { const { doc } = window.tabiya; doc.setGame(doc.tabiya.game(pgn), () => 0, 'open'); }, GAME);
    const styles = await page.locator('.player .name').evaluateAll((names) => names.map((name) => [getComputedStyle(name).display, getComputedStyle(name).textOverflow]));
    assert.deepEqual(styles, [['block', 'ellipsis'], ['block', 'ellipsis']]);
    await page.click('#tab-players');
    await page.locator('#report .rows button').first().click();
    await page.waitForSelector('#player-page h2');
    await page.context().close();
  });
});

describe('toolbars', () => {
  for (const [width, height] of [[1440, 900], [1366, 650], [360, 600]])
    test(`marks, comment and delete are one row at ${width} x ${height}; the other marks open`, async () => {
      const page = await sized(width, height);
      await page.evaluate((pgn) => { const { doc } = window.tabiya; doc.setGame(doc.tabiya.game(pgn), () => 0, 'open'); doc.goTo(2); }, GAME);
      await showTab(page, 'moves');
      assert.ok((await box(page, 'move-tools')).height < 52, `${(await box(page, 'move-tools')).height}`);
      if (await page.isVisible('#tools-more')) await page.click('#tools-more');
      await page.click('#position-marks [data-mark="±"]');
      assert.equal(await page.getAttribute('#position-marks [data-mark="±"]', 'aria-pressed'), 'true');
      assert.deepEqual(await faultsByAxe(page), []);
      await page.context().close();
    });
});

describe('moves', () => {
  test('have figurines or the letters of a language, and can be typed with these', async () => {
    const page = await sized(1440, 900);
    await explored(page);
    const chosen = async (name) => {
      await page.click('#settings');
      await page.selectOption('#letters', name);
      await page.keyboard.press('Escape');
    };
    await chosen('german');
    assert.ok(await page.locator('#explorer-moves .move', { hasText: 'Sf3' }).isVisible());
    for (const typed of ['Sf3', 'd5', 'Sc3', 'Dd6']) {
      await page.evaluate(() => document.activeElement.blur());
      await page.keyboard.press('g'); // any letter that begins a move goes to the field
      await page.fill('#typed', typed);
      await page.keyboard.press('Enter');
    }
    assert.equal(await value(page, 'line-san'), 'Nf3 d5 Nc3 Qd6');
    assert.deepEqual(await page.locator('#move-list .move').allInnerTexts(), ['Sf3', 'd5', 'Sc3', 'Dd6']);
    await chosen('figurines');
    assert.deepEqual(await page.locator('#move-list .move').allInnerTexts(), ['♘f3', 'd5', '♘c3', '♕d6']);
    await page.context().close();
  });
});

describe('printing', () => {
  test('a game is printed in columns, with diagrams where the author put them', async () => {
    const page = await sized(1440, 900);
    await write(page, 'game-pgn', '[White "A"]\n[Black "B"]\n\n1. e4 $1 e5 (1... c5 {[%eval 0.3] Sicilian.} 2. Nf3 d6) 2. Nf3 $220 Nc6 1-0');
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    const text = () => [...document.querySelector('#print .columns').childNodes].filter((part) => part.nodeName !== 'FIGURE').map((part) => part.textContent).join('').replace(/ +/g, ' ').trim();
    assert.equal(await page.evaluate(text), '1. e4! e5 (1… c5 Sicilian. 2. Nf3 d6) 2. Nf3 2… Nc6 1-0');
    assert.equal(await page.locator('#print figure svg').count(), 1);
    await page.emulateMedia({ media: 'print' });
    assert.ok(await page.isVisible('#print') && await page.isHidden('#layout'));
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    await page.context().close();
  });
});

describe('readings', () => {
  test('what was understood is seen while games are still searched for, and goes with a text that is not understood', async () => {
    let release;
    const held = new Promise((resolve) => { release = resolve; });
    const page = await sized(1440, 900, { prepare: (context) => context.route('**/api/find*', async (route) => {
      if (/text=/.test(route.request().url())) await held;
      await route.continue().catch(() => {});
    }) });
    await page.fill('#query', 'najdorf 1971');
    await page.press('#query', 'Enter');
    await page.evaluate(() => document.activeElement.blur());
    await eventually(async () => assert.deepEqual(await page.locator('#chips .chip > span').allTextContents(), ['Opening: najdorf', '1971']));
    assert.equal(await page.getAttribute('#games-table', 'aria-busy'), 'true');
    release();
    await page.waitForFunction(() => document.getElementById('games-table').ariaBusy === 'false');
    await page.fill('#query', 'asdfgh qwe');
    await page.press('#query', 'Enter');
    await page.waitForSelector('#query-fault mark');
    assert.equal(await page.locator('#chips .chip').count(), 0);
    await closeWithErrors(page, /status of 400/);
  });
});

describe('states', () => {
  test('a game that is not analysed says nothing about mistakes, one with evaluations counts them without marks', async () => {
    const page = await sized(1440, 900);
    await write(page, 'game-pgn', '1. e4 e5 2. Nf3 *');
    assert.ok(await page.isHidden('#review'));
    await write(page, 'game-pgn', '1. e4 {[%eval 0.3]} e5 {[%eval 0.2]} 2. Qh5 {[%eval -0.5]} Ke7 {[%eval #1]} *');
    assert.match(await page.innerText('#review-text'), /Black: 1 blunder/);
    await page.context().close();
  });

  test('practice hides the numbers and gives the open game back', async () => {
    const page = await sized(1440, 900);
    await write(page, 'game-pgn', GAME);
    await page.click('#tab-lines');
    await page.setInputFiles('#lines-input', { name: 'mine.pgn', mimeType: 'text/plain', buffer: Buffer.from('1. d4 d5 2. c4 *') });
    await page.click('#lines-practise');
    await page.waitForFunction(() => /play your move/.test(document.getElementById('practice-text').textContent));
    await page.click('#tab-explorer');
    assert.match(await page.innerText('#explorer-hint'), /hidden while you practise/);
    await page.click('#tab-lines');
    await page.click('#practice-stop');
    assert.match(await value(page, 'game-pgn'), /Nepomniachtchi/);
    await page.click('#tab-explorer');
    await explored(page);
    await page.context().close();
  });

  test('a file with one game replaces the list, a broken game has a mark, a bad FEN a reason', async () => {
    const page = await sized(1440, 900);
    await page.click('#tab-games');
    await page.waitForSelector('#games-list [data-game]');
    await page.setInputFiles('#file', { name: 'one.pgn', mimeType: 'text/plain', buffer: Buffer.from('[White "A"]\n[Black "B"]\n\n1. e4 *\n') });
    await page.waitForFunction(() => document.getElementById('games-count').textContent === '1 game');
    await page.setInputFiles('#file', { name: 'two.pgn', mimeType: 'text/plain', buffer: Buffer.from('[White "A"]\n[Black "B"]\n\n1. e4 *\n\n[White "C"]\n[Black "D"]\n\n1. e5 *\n') });
    await page.waitForFunction(() => document.getElementById('games-count').textContent === '2 games');
    await page.waitForSelector('#games-list [data-broken]');
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.setData('text', 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNRR w KQkq - 0 1');
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    });
    await page.waitForFunction(() => /column|rank|placement/.test(document.getElementById('toast-text').textContent));
    await page.context().close();
  });
});

test('the console was silent, and no request went to other hosts', () => {
  assert.deepEqual(complaints, []);
});
