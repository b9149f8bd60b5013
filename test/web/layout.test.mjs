/*
 * layout.test.mjs - the frame of the page: panes at every size, what stays in view, and that nothing moves under the pointer.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PHONE, TABLET, closeWithErrors, complaints, eventually, explored, faultsByAxe, listed, open, openConverter, openTool, point, showTab, size, sized, value, write } from './browser.mjs';
import { ANNOTATED, GAME } from './samples.mjs';

const SIZES = [[360, 600], [390, 844], [844, 390], [820, 1180], [1366, 650], [1440, 900], [1920, 960]];
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

  test('a game that is opened on a phone is in view', async () => {
    const page = await open('', PHONE);
    await page.waitForSelector('#explorer-games [data-game]');
    await page.locator('#explorer-games [data-game]').last().click();
    await page.waitForFunction(() => /–/.test(document.getElementById('game-headline').textContent));
    await eventually(async () => {
      const { top, bottom } = await page.evaluate(() => document.getElementById('frame').getBoundingClientRect().toJSON());
      assert.ok(top >= 0 && bottom <= 844, `${top} ${bottom}`);
    });
    await page.context().close();
  });

  for (const [width, height] of [[1280, 720], [1440, 900], [1920, 1080]])
    test(`the page does not scroll past its end at ${width}x${height}`, async () => {
      const page = await open('', size(width, height));
      await explored(page);
      await page.waitForSelector('#explorer-games li');
      await eventually(async () => assert.equal(await page.evaluate(() => document.documentElement.scrollHeight), height));
      await page.click('#tab-games');
      await listed(page);
      await eventually(async () => assert.equal(await page.evaluate(() => document.documentElement.scrollHeight), height));
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

  test('the layout never moves under a finger: opening names, status and games come without a shift', async () => {
    const page = await open('', PHONE);
    const places = () => page.evaluate(() => ['frame', 'next', 'flip', 'side-tabs'].map((id) => {
      const box = document.getElementById(id).getBoundingClientRect();
      return [box.top, box.left, box.width].join();
    }));
    const before = await places();
    for (const [from, to] of [['e2', 'e4'], ['c7', 'c5'], ['g1', 'f3']]) {
      await page.touchscreen.tap(...await point(page, from));
      await page.touchscreen.tap(...await point(page, to));
    }
    await page.waitForFunction(() => /Sicilian/.test(document.getElementById('opening').textContent));
    assert.deepEqual(await places(), before);
    await page.context().close();
  });
});

describe('in line', () => {
  test('labels, fields and buttons of the filter, of my lines and of Set up are in line at 1280 x 800', async () => {
    const page = await open('', { viewport: { width: 1280, height: 800 } });
    await page.click('#filter-open');
    await page.fill('#filter-since', '1800');
    await page.press('#filter-since', 'Enter');
    await page.waitForSelector('#filter-clear:visible');
    const middles = (...ids) => page.evaluate((names) => names.map((id) => {
      const box = (document.querySelector(`label:has(> #${id})`) ?? document.getElementById(id)).getBoundingClientRect();
      return Math.round(box.top + box.height / 2);
    }), ids);
    await eventually(async () => {
      const [one, other] = await middles('filter-beside', 'filter-clear');
      assert.ok(Math.abs(one - other) <= 1, `${one} ${other}`);
    });
    await page.click('#filter-close');
    await page.click('#tab-lines');
    await page.evaluate(() => { document.getElementById('lines-side-line').hidden = false; });
    await eventually(async () => {
      const [label, [other]] = [await page.locator('label[for=lines-side]').boundingBox(), await middles('lines-side')];
      const one = label.y + label.height / 2;
      assert.ok(Math.abs(one - other) <= 2, `${one} ${other}`);
    });
    await openTool(page, 'setup');
    assert.ok((await page.locator('#number960').boundingBox()).width < 520);
    await page.context().close();
  });

  test('things are aligned with the board and the panel', async () => {
    const edges = (page, ...names) => page.evaluate((all) => all.map((name) => {
      const range = document.createRange();
      range.selectNodeContents(document.querySelector(name));
      return Math.round(range.getBoundingClientRect().left);
    }), names);
    const tablet = await open('', TABLET);
    await eventually(async () => {
      const [player, controls, status] = await edges(tablet, '#player-below', '.controls', '#status');
      const left = Math.round(await tablet.evaluate(() => document.getElementById('frame').getBoundingClientRect().left));
      assert.deepEqual([player, controls, status], [left, left, left]);
    });
    await tablet.context().close();
    const wide = await open('', size(1920, 1080));
    await eventually(async () => {
      const [brand, board] = await edges(wide, '.top h1', '#player-below');
      assert.equal(brand, board);
    });
    await wide.context().close();
  });

  for (const [width, height] of [[1280, 720], [1440, 900], [1920, 1080]])
    test(`every row of a form is full at ${width} x ${height}`, async () => {
      const page = await sized(width, height);
      await page.click('#filter-open');
      const gaps = (id) => page.evaluate((name) => {
        const form = document.querySelector(`${name} .form`);
        const fields = [...form.children].filter((e) => e.checkVisibility()).map((e) => e.getBoundingClientRect());
        const tops = [...new Set(fields.map(({ top }) => Math.round(top)))];
        return tops.map((top) => form.getBoundingClientRect().right - Math.max(...fields.filter((box) => Math.round(box.top) === top).map(({ right }) => right)));
      }, id);
      await eventually(async () => { for (const gap of await gaps('#explorer')) assert.ok(gap < 2, `${gap} px are empty in the filter`); });
      await page.click('#tab-games');
      await page.click('#form-open');
      await page.waitForFunction(() => document.getElementById('search-pattern').length > 20);
      await eventually(async () => { for (const gap of await gaps('#search-form')) assert.ok(gap < 2, `${gap} px are empty in the form`); });
      await page.context().close();
    });
});

describe('targets', () => {
  for (const [width, height] of [[390, 844], [1280, 720]])
    test(`numbers and headings that are buttons are at least 24 pixels wide, at ${width} x ${height}`, async () => {
      const page = await sized(width, height);
      await page.waitForSelector('#explorer-moves .number');
      const small = () => page.evaluate(() => [...document.querySelectorAll('#explorer-moves button, .games-head button')].filter((e) => e.checkVisibility())
        .map((e) => [e.textContent, e.getBoundingClientRect()]).filter(([, { width: w, height: h }]) => w < 24 || h < 24).map(([text]) => text));
      await eventually(async () => assert.deepEqual(await small(), []));
      await page.click('#tab-games');
      await page.waitForSelector('#games-list [data-game]');
      await eventually(async () => assert.deepEqual(await small(), []));
      await page.context().close();
    });

  for (const [width, height] of [[360, 740], [390, 844]])
    test(`all buttons stay in the window while the server cannot be reached, at ${width} x ${height}`, async () => {
      const page = await sized(width, height);
      await page.route('**/api/**', (route) => route.abort());
      await page.evaluate(() => window.tabiya.doc.play('d4'));
      await page.waitForSelector('#connection:not([hidden])');
      for (const id of ['search-show', 'open', 'menu', 'reconnect']) {
        const { x, width: w } = await page.locator(`#${id}`).boundingBox();
        assert.ok(x >= 0 && x + w <= width, `${id}: ${x} to ${x + w}`);
      }
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
      await closeWithErrors(page, /ERR_FAILED/);
    });
});

describe('accessibility', () => {
  for (const [name, options] of Object.entries({
    light: {}, dark: { colorScheme: 'dark' }, phone: PHONE,
  }))
    test(`axe finds nothing: ${name}`, async () => {
      const page = await open('#pgn=1.%20e4%20e5%20%281...%20c5%20%7Bsharp%7D%29%202.%20Nf3%20%241%20%2A', options);
      const check = async (where) => assert.deepEqual(await faultsByAxe(page), [], where);
      await page.waitForSelector('#explorer-games li');
      await check('explorer');
      await openTool(page, 'setup');
      await page.click('#edit-board');
      await check('set up');
      await openConverter(page);
      await write(page, 'line-uci', 'e2e5');
      await check('converter, wrong line');
      for (const dialog of ['save', 'settings', 'help']) {
        if (await page.isHidden(`#${dialog}`)) await page.click('#menu');
        await page.click(`#${dialog}`);
        await check(dialog);
        await page.click(`#${dialog}-dialog [data-close]`);
      }
      await page.context().close();
    });

  test('every state is clean by axe, light and dark, wide and small', async () => {
    for (const options of [{}, { colorScheme: 'dark' }, PHONE, { ...PHONE, viewport: { width: 844, height: 390 } }]) {
      const page = await open('', options);
      await write(page, 'game-pgn', ANNOTATED);
      for (const tab of ['moves', 'explorer', 'games', 'players', 'lines', 'convert', 'setup', 'tree']) {
        if (['convert', 'setup', 'tree'].includes(tab)) await openTool(page, tab);
        else await showTab(page, tab);
        if (tab === 'explorer') await page.waitForFunction(() => document.querySelector('#explorer-games li, #explorer-hint:not(:empty)'));
        if (tab === 'games') await page.waitForSelector('#games-list [data-game]');
        assert.deepEqual(await faultsByAxe(page), [], `${tab} ${JSON.stringify(options)}`);
      }
      await page.context().close();
    }
  });
});

test('a list that is scrolled a little makes the board smaller once, not again and again', async () => {
  const page = await sized(390, 844, { prepare: (context) => context.addInitScript(() => localStorage.clear()) });
  await explored(page);
  const changes = await page.evaluate(async () => {
    let n = 0;
    new MutationObserver(() => { n++; }).observe(document.body, { attributes: true, attributeFilter: ['class'] });
    document.getElementById('panel-explorer').scrollTop = 30;
    for (let i = 0; i < 20; i++) await new Promise((resolve) => { requestAnimationFrame(resolve); });
    return n;
  });
  assert.equal(changes, 1);
  assert.ok(await page.evaluate(() => document.body.classList.contains('small-board')));
  await page.context().close();
});

test('the console was silent, and no request went to other hosts', () => {
  assert.deepEqual(complaints, []);
});
