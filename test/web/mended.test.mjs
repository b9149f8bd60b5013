/*
 * mended.test.mjs - regressions: one test for each bug that the page once had.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { PHONE, START, click, closeWithErrors, complaints, drag, eventually, expectFen, faultsByAxe, fen, longestTask, open, openTool, paste, point, showSearch, showTab, slow, status, value, write } from './browser.mjs';
import { root } from './support.mjs';

const SIZES = [[320, 568], [360, 740], [390, 844], [768, 1024], [900, 700], [1280, 720], [1440, 900], [1920, 1080], [844, 390]];

/** Seven-digit numbers, as of a large database. */
const MOVES = ['e2e4 e4', 'd2d4 d4', 'g1f3 Nf3', 'c2c4 c4', 'g2g3 g3', 'b2b3 b3', 'f2f4 f4', 'b1c3 Nc3'].map((text, i) => {
  const [uci, san] = text.split(' ');
  const games = Math.round(3456789 / (i + 1));
  return { uci, san, games, reached: games + 1234567, white: Math.round(games * 0.4), draw: Math.round(games * 0.35),
    black: Math.round(games * 0.25), unknown: 0, elo: 2412, last: '2024-03-11' };
});
const MANY = { eco: null, name: null, games: 7654321, ended: 1234567, white: 3000000, draw: 2654321, black: 2000000, unknown: 0, moves: MOVES };
const GAME = { id: 1234567, white: 'Praggnanandhaa, Rameshbabu', white_elo: 2748, black: 'Vachier-Lagrave, Maxime', black_elo: 2735, result: '1/2-1/2',
  date: '2023-08-11', event: 'World Cup', eco: 'C50', plies: 81, ply: 3 };

async function openWithMany(options, explore = async (route) => route.fulfill({ json: MANY })) {
  const page = await open('', options, async (context) => {
    await context.route('**/api/explore?*', explore);
    await context.route('**/api/find?fen=*', (route) => route.fulfill({ json: { games: Array(8).fill(GAME), more: true } }));
  });
  return page;
}

describe('explorer', () => {
  test('if the games with the position cannot be listed, the moves stay and listing can be tried again', async () => {
    let isSlow = true;
    const page = await open('', { serviceWorkers: 'block' }, async (context) => {
      await context.route('**/api/explore?*', (route) => route.fulfill({ json: MANY }));
      await context.route('**/api/find?fen=*', (route) => (isSlow ? route.fulfill({ status: 503, json: { error: 'this takes more than 10 seconds' } })
        : route.fulfill({ json: { games: Array(8).fill(GAME), more: true } })));
    });
    await page.waitForFunction(() => document.getElementById('explorer-games').textContent === 'The games cannot be listed: this takes more than 10 seconds. Try again');
    assert.ok(await page.isVisible('#explorer-moves [data-uci=e2e4]'));
    isSlow = false;
    await page.click('#explorer-games button');
    await page.waitForFunction(() => document.querySelectorAll('#explorer-games [data-game]').length === 8);
    await closeWithErrors(page, /status of 503/);
  });

  test('numbers of another position are never shown: dimmed and deaf while a request runs, gone after a failure', async () => {
    let answer = (route) => route.fulfill({ json: MANY });
    const page = await openWithMany({}, (route) => answer(route));
    await page.waitForSelector('#explorer-moves [data-uci=e2e4]');
    let release;
    const held = new Promise((resolve) => { release = resolve; });
    answer = async (route) => {
      await held;
      await route.fulfill({ status: 500, json: { error: 'the disk is full' } });
    };
    await click(page, 'd2', 'd4');
    assert.equal(await page.getAttribute('#explorer', 'aria-busy'), 'true'); // at once
    await page.evaluate(() => document.querySelector('#explorer-moves [data-uci=e2e4]').click()); // not legal any more
    assert.equal(await value(page, 'line-san'), 'd4');
    release();
    await page.waitForFunction(() => document.getElementById('explorer-hint').textContent === 'No answer: the disk is full. Try again');
    assert.equal(await page.locator('#explorer-moves tr').count(), 0);
    assert.equal(await page.locator('#explorer-games li').count(), 0);
    await closeWithErrors(page, /status of 500/);
  });

  test('the share of a rare move is never nothing', async () => {
    const rare = [...MOVES, { ...MOVES[0], uci: 'a2a3', san: 'a3', games: 38, white: 10, draw: 14, black: 14 }];
    const page = await openWithMany({ viewport: { width: 1280, height: 720 } }, (route) => route.fulfill({ json: { ...MANY, moves: rare } }));
    const row = page.locator('#explorer-moves tr', { has: page.locator('[data-uci=a2a3]') });
    await row.waitFor();
    assert.equal(await row.locator('.count small').first().textContent(), '<0.1%');
    assert.ok(await row.locator('.count small').first().evaluate((element) => element.scrollWidth <= element.clientWidth), 'it is cut');
    await page.context().close();
  });

  test('a board that cannot be played has no numbers', async () => {
    const page = await openWithMany({});
    await page.waitForSelector('#explorer-moves [data-uci=e2e4]');
    await write(page, 'now-fen', '8/8/8/8/8/8/8/K7 w - - 0 1');
    assert.equal(await page.locator('#explorer-moves tr').count(), 0);
    assert.ok(await page.isHidden('#explorer-table'));
    await page.context().close();
  });

  test('a whole row plays its move, and the answer to a position is kept', async () => {
    let asked = 0;
    const page = await openWithMany({}, async (route) => {
      asked += 1;
      await route.fulfill({ json: MANY });
    });
    await page.waitForSelector('#explorer-moves [data-uci=d2d4]');
    const row = page.locator('#explorer-moves tr', { has: page.locator('[data-uci=d2d4]') });
    await row.locator('.bar').hover();
    assert.equal(await page.locator('[data-shape=d2d4]').count(), 1);
    await row.locator('.bar').click();
    assert.equal(await value(page, 'line-san'), 'd4');
    await page.waitForFunction(() => document.getElementById('explorer').ariaBusy === 'false');
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction(() => document.getElementById('explorer').ariaBusy === 'false'); // it would be busy while it asks
    await page.waitForSelector('#explorer-moves [data-uci=d2d4]');
    assert.equal(asked, 2);
    await page.context().close();
  });
});

describe('layout', () => {
  for (const [width, height] of SIZES)
    test(`seven-digit counts at ${width} x ${height}: nothing overlaps or scrolls sideways, the whole board is seen`, async () => {
      const isPhone = width < 500 || height < 500;
      const page = await openWithMany({ viewport: { width, height }, isMobile: isPhone, hasTouch: isPhone });
      await page.waitForSelector('#explorer-moves [data-uci=e2e4]');
      const found = await page.evaluate(() => {
        const box = (element) => element.getBoundingClientRect();
        const board = box(document.getElementById('frame'));
        const overlaps = [];
        for (const row of document.querySelectorAll('#explorer-table tr')) {
          const cells = [...row.children].filter((cell) => cell.checkVisibility());
          for (const cell of cells) if (cell.scrollWidth > cell.clientWidth + 1) overlaps.push(`${cell.textContent} is cut`);
          for (let i = 1; i < cells.length; i++) if (box(cells[i]).left < box(cells[i - 1]).right - 1) overlaps.push(cells[i].textContent);
        }
        for (const part of document.querySelectorAll('#explorer-table .bar span'))
          if (part.textContent && part.scrollWidth > part.clientWidth + 1) overlaps.push(`bar ${part.textContent}`);
        const panel = box(document.getElementById('side'));
        return {
          sideways: document.documentElement.scrollWidth - innerWidth, overlaps,
          table: box(document.getElementById('explorer-table')).right - panel.right,
          board: [board.left >= 0, board.top >= 0, board.right <= innerWidth, board.bottom <= innerHeight, board.width >= 230],
          tall: document.getElementById('side').scrollWidth - document.getElementById('side').clientWidth,
        };
      });
      assert.ok(found.sideways <= 0 && found.table <= 0 && found.tall <= 0, JSON.stringify(found));
      assert.deepEqual(found.overlaps, []);
      assert.deepEqual(found.board, [true, true, true, true, true]);
      await page.context().close();
    });

  for (const [width, height] of [[390, 844], [1280, 800], [1920, 1080]])
    test(`the explorer's columns are straight at ${width} x ${height}: moves below their heading, all numbers in line`, async () => {
      const page = await openWithMany({ viewport: { width, height } });
      await page.waitForSelector('#explorer-moves [data-uci=e2e4]');
      const edges = await page.evaluate(() => {
        const text = (node) => { const range = document.createRange(); range.selectNodeContents(node); return range.getBoundingClientRect(); };
        const rows = [...document.querySelectorAll('#explorer-table tbody tr, #explorer-table tfoot tr')];
        return { lefts: [document.querySelector('#explorer-table thead th'), ...rows.map((row) => row.querySelector('.move') ?? row.querySelector('th'))].map((element) => Math.round(text(element).left)),
          rights: rows.map((row) => Math.round((row.querySelector('.count small') ?? row.querySelector('.count')).getBoundingClientRect().left)) };
      });
      assert.equal(new Set(edges.lefts).size, 1, edges.lefts.join());
      assert.equal(new Set(edges.rights).size, 1, edges.rights.join());
      await page.context().close();
    });

  for (const [width, height] of [[360, 740], [390, 844]])
    test(`the years of the chart are not cut at ${width} x ${height}`, async () => {
      const page = await open('', { viewport: { width, height }, isMobile: true, hasTouch: true, serviceWorkers: 'block' }, async (context) => {
        await context.route(/lichess\?.*history/, (route) => route.fulfill({ json: { history: Array.from({ length: 24 }, (_, i) => ({ month: `${1998 + i}-05`, white: 9, draws: 8, black: 7 })) } }));
      });
      await page.waitForFunction(() => document.getElementById('explorer').ariaBusy === 'false' && document.querySelector('#explorer-games li'));
      await page.getByText('Over the years').click();
      await page.waitForSelector('#show-years[aria-pressed=true]');
      await page.waitForSelector('.year-column small', { state: 'attached' });
      const labels = await page.evaluate(() => [...document.querySelectorAll('#years .year-column small')].filter((e) => getComputedStyle(e).visibility === 'visible')
        .map((e) => { const { left, right } = e.getBoundingClientRect(); return { text: e.textContent, left, right, isCut: e.scrollWidth > e.clientWidth }; }));
      assert.ok(labels.length >= 4, JSON.stringify(labels));
      for (const [i, label] of labels.entries()) assert.ok(!label.isCut && (i === 0 || label.left >= labels[i - 1].right - 1), JSON.stringify(labels));
      await page.context().close();
    });

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

  for (const [name, options] of [['1280 x 800', { viewport: { width: 1280, height: 800 } }], ['a phone', PHONE]])
    test(`the filter's player is completed while it is typed, on ${name}`, async () => {
      const page = await open('', options);
      await page.click('#filter-open');
      await page.focus('#filter-player');
      await page.keyboard.type('paul mor');
      await page.waitForSelector('#filter-player-names li');
      await eventually(async () => assert.equal(await page.textContent('#filter-player-names li'), 'Paul Morphy5 games'));
      assert.deepEqual(await faultsByAxe(page), []);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      assert.equal(await page.inputValue('#filter-player'), 'Paul Morphy');
      await page.waitForFunction(() => document.querySelector('#explorer-total [data-count]')?.dataset.count === '5');
      assert.match(await page.textContent('#filter-chips'), /Paul Morphy×/);
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
});

describe('links, editing, entry', () => {
  test('the skip link leads to the board and keeps the game and its address', async () => {
    const page = await open();
    await click(page, 'e2', 'e4');
    await page.waitForFunction(() => location.hash.startsWith('#p='));
    const hash = await page.evaluate(() => location.hash);
    await page.focus('#skip');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('role')), 'gridcell');
    assert.equal(await page.evaluate(() => location.hash), hash);
    await page.evaluate(() => new Promise((resolve) => {
      window.addEventListener('hashchange', () => setTimeout(resolve), { once: true });
      location.hash = '#frame';
    }));
    assert.equal(await value(page, 'line-san'), 'e4');
    await page.context().close();
  });

  test('editing ends with its tab and with a new game', async () => {
    const page = await open();
    const isEditing = () => page.evaluate(() => document.body.classList.contains('editing'));
    await openTool(page, 'setup');
    await page.click('#edit-board');
    assert.ok(await isEditing());
    await page.click('#close-setup');
    assert.ok(!await isEditing());
    await drag(page, 'e2', 'e5');
    assert.equal(await fen(page), START);
    await openTool(page, 'setup');
    await page.click('#edit-board');
    await page.click('#new');
    assert.ok(!await isEditing());
    await page.context().close();
  });

  test('replacing a game with a new position is reported, with an undo button', async () => {
    const page = await open();
    await write(page, 'line-san', 'e4 e5');
    await openTool(page, 'setup');
    await page.check('[name=side][value=black]');
    assert.equal(await value(page, 'line-san'), '');
    assert.match(await page.locator('#toast-text').innerText(), /replaced/);
    await page.click('#toast-action');
    assert.equal(await value(page, 'line-san'), 'e4 e5');
    assert.ok(await page.isHidden('#toast'));
    await page.context().close();
  });

  test('pasted text of every kind is opened', async () => {
    const page = await open();
    const italian = 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3';
    const moves = 'e4 e5 Nf3 Nc6 Bc4';
    const lines = await page.evaluate((text) => {
      const { library } = window.tabiya;
      const game = library.game();
      const end = game.readLine(0, text, 'san');
      return library.notations.moves.map(({ name }) => game.writeLine(end, name));
    }, moves);
    const texts = [...lines, '1. e4 e5 2. Nf3 Nc6 3. Bc4', '1.e4 e5 2.Nf3 Nc6 3.Bc4 *', 'position startpos moves e2e4 e7e5 g1f3 b8c6 f1c4',
      'startpos moves e2e4 e7e5 g1f3 b8c6 f1c4', `position fen ${START} moves e2e4 e7e5 g1f3 b8c6 f1c4`];
    for (const text of texts) {
      await page.click('#new');
      await paste(page, text);
      await expectFen(page, italian);
      assert.equal(await value(page, 'line-san'), moves, text);
    }
    await page.waitForFunction(() => location.hash.includes('m=')); // written a moment later
    const link = await page.evaluate(() => location.href);
    for (const text of [italian, `"${italian}"`, `'${italian}'`, `\`${italian}\``, italian.replaceAll(' ', '_'), `position fen ${italian}`, link,
      `\n  ${italian}\n`]) {
      await page.click('#new');
      await paste(page, text);
      await expectFen(page, italian);
    }
    // The example of the base64 moves, which is broken into lines.
    await page.click('#new');
    await paste(page, '0kPfzjIQ5qfn6eBSjbMceDJRDKGMbSNVqbQYSLEL9ZLUblUNZiCUiUNE7DADKDMWlWYg86FaWH\najDKEMUdRZ+tgotjOWHWMEjZox6xEN7LNELM');
    await page.waitForFunction(() => document.getElementById('status-text').textContent === 'Checkmate — White wins');
    await page.context().close();
  });

  test('moves are typed as people write them', async () => {
    const page = await open();
    for (const text of ['1.e4', 'e5', '2. nf3', 'B8C6', 'bc4', 'nf6', 'o-o']) {
      await page.fill('#typed', text);
      await page.press('#typed', 'Enter');
      assert.equal(await page.locator('#typed-note').textContent(), '', text);
    }
    assert.equal(await value(page, 'line-san'), 'e4 e5 Nf3 Nc6 Bc4 Nf6 O-O');
    await page.context().close();
  });

  test('what cannot be opened is reported once, and the message stays, above dialogs too', async () => {
    const page = await open();
    await page.click('#settings');
    await page.clock.install();
    await paste(page, 'this is not chess at all');
    await page.waitForSelector('#toast:popover-open');
    await page.clock.fastForward(30_000);
    assert.match(await page.locator('#toast-text').innerText(), /cannot be opened/);
    const isOnTop = await page.evaluate(() => {
      const box = document.getElementById('toast').getBoundingClientRect();
      return document.getElementById('toast').contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
    });
    assert.ok(isOnTop);
    await page.keyboard.press('Escape');
    await page.click('#toast-close');
    assert.ok(await page.isHidden('#toast'));
    await page.context().close();
  });

  test('of a PGN with an illegal move, the legal part is opened, and the page says what was left out', async () => {
    const page = await open();
    await paste(page, '[White "Ada"]\n\n1. e4 e5 2. Ke3 Nc6 *');
    await page.waitForSelector('#toast:popover-open');
    assert.equal(await value(page, 'line-san'), 'e4 e5');
    assert.match(await page.locator('#toast-text').innerText(), /Line 3: .*Ke3/);
    await page.context().close();
  });

  test('opening names stand after deep links', async () => {
    const page = await open();
    await write(page, 'line-san', 'e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Be3 e5 Nb3 Be6 f3 Be7 Qd2 O-O O-O-O Nbd7');
    await page.waitForFunction(() => location.hash.length > 30);
    const other = await open(await page.evaluate(() => location.hash));
    await other.waitForFunction(() => /Najdorf/.test(document.getElementById('opening').textContent));
    await page.context().close();
    await other.context().close();
  });
});

describe('speed and focus', () => {
  const LINE = 'e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Na5 Bc2 c5 d4 Qc7 Nbd2 cxd4 cxd4 Nc6 Nb3 a5 Be3 a4';

  test('fast stepping: the board always keeps up, and a move right after another one counts', async () => {
    const page = await open('', { reducedMotion: 'no-preference' });
    await write(page, 'line-san', LINE);
    const steps = await longestTask(() => page.evaluate(() => {
      document.getElementById('first').click();
      for (let i = 0; i < 30; i++) document.getElementById('next').click();
    }));
    await page.waitForFunction(() => { // the pieces have glided there
      const box = document.getElementById('frame').getBoundingClientRect();
      const { squares } = window.tabiya.doc.description;
      const seen = [...document.querySelectorAll('.piece')].map((piece) => {
        const { x, y, width } = piece.getBoundingClientRect();
        const [file, rank] = [Math.floor((8 * (x + width / 2 - box.x)) / box.width), 7 - Math.floor((8 * (y + width / 2 - box.y)) / box.height)];
        return squares[file + 8 * rank] === piece.dataset.piece;
      });
      return seen.length === 32 - 2 && seen.every(Boolean);
    });
    assert.ok(steps > 0 && (slow || steps / 30 < 100), `${steps / 30} ms of processor time for a step`);
    await page.click('#new');
    for (const [from, to] of [['e2', 'e4'], ['e7', 'e5'], ['g1', 'f3'], ['b8', 'c6']]) await click(page, from, to); // while pieces glide
    assert.equal(await value(page, 'line-san'), 'e4 e5 Nf3 Nc6');
    await page.context().close();
  });

  test('hidden fields are not updated', async () => {
    const page = await open();
    await write(page, 'line-san', 'e4 e5');
    assert.equal(await page.evaluate(() => document.getElementById('game-json').value), '');
    await openTool(page, 'convert');
    assert.match(await page.evaluate(() => document.getElementById('game-pgn').value), /1\. e4 e5/);
    await page.context().close();
  });

  test('focus stays: after a promotion by click, after a row of the explorer by Enter', async () => {
    const page = await open();
    await write(page, 'now-fen', '8/4P2k/8/8/8/8/8/K7 w - - 0 1');
    await click(page, 'e7', 'e8');
    await page.click('[data-promotion=q]');
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('data-square')), 'e8');
    await page.click('#new');
    await page.waitForFunction(() => document.getElementById('explorer').ariaBusy === 'false' && document.querySelector('[data-uci=e2e4]'));
    await page.focus('#explorer-moves [data-uci=e2e4]');
    await page.keyboard.press('Enter');
    assert.ok(await page.evaluate(() => document.activeElement.closest('#explorer') !== null)); // the answer may be there already
    await page.waitForFunction(() => document.activeElement.matches('#explorer-moves button'));
    assert.equal(await value(page, 'line-san'), 'e4');
    await page.context().close();
  });

  test('undo after the browser\'s Back undoes what is left', async () => {
    const page = await open();
    for (const [i, [from, to]] of [['e2', 'e4'], ['e7', 'e5'], ['g1', 'f3']].entries()) {
      const hash = await page.evaluate(() => location.hash);
      await click(page, from, to);
      await page.waitForFunction((n) => window.tabiya.doc.list.moves.length === n, i + 1);
      await page.waitForFunction((before) => location.hash !== before, hash); // a step of the history each
    }
    await page.goBack();
    await page.waitForFunction(() => window.tabiya.doc.list.moves.length === 2);
    await page.click('#undo');
    assert.equal(await value(page, 'line-san'), 'e4');
    await page.click('#redo');
    await page.click('#redo');
    assert.equal(await value(page, 'line-san'), 'e4 e5 Nf3');
    await page.context().close();
  });

  test('a game that is over says who won', async () => {
    const page = await open();
    for (const [result, text] of [['1-0', 'White won'], ['0-1', 'Black won'], ['1/2-1/2', 'The game was drawn']]) {
      await write(page, 'game-pgn', `1. e4 e5 ${result}`);
      assert.equal(await status(page), text);
    }
    await page.click('#previous');
    assert.equal(await status(page), 'Black to move');
    await page.context().close();
  });

  test('the percentages of the bars can be read in the dark', async () => {
    const page = await openWithMany({ colorScheme: 'dark' });
    await page.waitForSelector('#explorer-moves .bar .draw');
    assert.deepEqual(await faultsByAxe(page), []);
    await page.context().close();
  });

  test('without the server a click says so', async () => {
    const page = await open();
    await page.waitForSelector('#explorer-games [data-game]');
    await page.context().setOffline(true);
    await page.locator('#explorer-games [data-game]').first().click();
    await page.waitForSelector('#toast:popover-open');
    assert.match(await page.locator('#toast-text').innerText(), /server cannot be reached/);
    await closeWithErrors(page, /ERR_INTERNET_DISCONNECTED/);
  });
});

describe('at the sizes of phones, tablets and screens', () => {
  const sized = (width, height, prepare) => open('', { viewport: { width, height }, isMobile: width < 500, hasTouch: width < 500, serviceWorkers: 'block' }, prepare);
  const listed = (page) => page.waitForFunction(() => document.getElementById('games-table').ariaBusy === 'false');
  const searchFor = async (page, text) => {
    await page.click('#tab-games');
    await page.fill('#query', text);
    await page.press('#query', 'Enter'); // busy from now on
    await listed(page);
  };

  test('after a click on a tab or a box, the arrows step through the game', async () => {
    const page = await sized(1280, 720);
    const last = () => page.evaluate(() => window.tabiya.doc.view.last?.san);
    await write(page, 'game-pgn', '1. e4 e5 2. Nf3 Nc6 *');
    await openTool(page, 'convert');
    await page.click('#first');
    await page.click('#tab-explorer');
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.getAttribute('#tab-explorer', 'aria-selected'), 'true');
    assert.equal(await last(), 'e4');
    await page.click('#filter-open');
    await page.check('#filter-beside');
    await page.keyboard.press('ArrowRight');
    assert.equal(await last(), 'e5');
    await page.focus('#filter-beside');
    await page.keyboard.press('Space'); // still belongs to the box
    assert.ok(!await page.isChecked('#filter-beside'));
    await page.focus('#tab-explorer'); // by keyboard, the arrows choose a tab
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.getAttribute('#tab-games', 'aria-selected'), 'true');
    await page.context().close();
  });

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

  test('a filter without hits has one button that clears it, open or folded', async () => {
    const page = await sized(1440, 900);
    const buttons = () => page.locator('#explorer button:visible').filter({ hasText: 'Clear the filter' }).count();
    await page.click('#filter-open');
    await page.fill('#filter-since', '3000');
    await page.press('#filter-since', 'Enter');
    await page.waitForFunction(() => /matches the filter/.test(document.getElementById('explorer-hint').textContent));
    await eventually(async () => assert.equal(await buttons(), 1));
    await page.click('#filter-close');
    await eventually(async () => assert.equal(await buttons(), 1));
    await page.locator('#explorer-hint button').first().click();
    await page.waitForSelector('#explorer-moves [data-uci=e2e4]');
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

  test('one year in a report is a bar, not a block', async () => {
    const page = await sized(1440, 900);
    await page.click('#tab-players');
    await page.fill('#report-player', 'Morphy');
    await page.press('#report-player', 'Enter');
    await page.waitForSelector('#report .year-column');
    assert.ok((await page.locator('#report .year-column').first().boundingBox()).width <= 80);
    await page.context().close();
  });

  test('a saved search whose name is too long ends in an ellipsis', async () => {
    const page = await open('', PHONE);
    await showSearch(page);
    await page.click('#tips-open');
    await page.fill('#saved-name', 'rook endings with a pawn more on each side of the board, and a name that is far too long');
    await page.click('#saved-save');
    const { display, textOverflow, isCut } = await page.evaluate(() => {
      const element = document.querySelector('#saved-list .open');
      const style = getComputedStyle(element);
      return { display: style.display, textOverflow: style.textOverflow, isCut: element.scrollWidth > element.clientWidth };
    });
    assert.deepEqual({ display, textOverflow, isCut }, { display: 'block', textOverflow: 'ellipsis', isCut: true }); // flex boxes cut text without one
    await page.context().close();
  });

  test('a search without hits offers similar names', async () => {
    const page = await sized(1280, 720);
    for (const [prepare, expected] of [[() => searchFor(page, 'player Morphi result 0-1'), 'player "Paul Morphy" result 0-1'], [async () => {
      await page.fill('#query', '');
      await page.click('#form-open');
      await page.fill('#search-player', 'Morphi');
    }, '']]) {
      await prepare();
      await page.getByRole('button', { name: 'Paul Morphy', exact: true }).click();
      await page.waitForSelector('#games-list [data-game]');
      assert.equal(await page.inputValue('#query'), expected);
    }
    assert.equal(await page.inputValue('#search-player'), 'Paul Morphy');
    await page.click('#search-clear');
    await searchFor(page, 'paul morphie'); // neither a name nor a query
    await page.locator('#query-fault button').first().click();
    await page.waitForFunction(() => document.getElementById('games-count').textContent === '5 games');
    assert.equal(await page.inputValue('#query'), 'Paul Morphy');
    await searchFor(page, 'sicilian'); // an opening
    await eventually(async () => assert.equal(await page.locator('#query-meaning').innerText(), 'Understood as: opening sicilian'));
    await closeWithErrors(page, /status of 400/); // of what was not understood
  });

  test('what is not written like a move is called so, and an illegal move has a reason', async () => {
    const page = await open();
    for (const [text, note] of [['Qh9', /^Qh9 is not a move, such as Nf3/], ['hello', /^hello is not a move/], ['e5', /^e5: illegal move: no pawn can go there/]]) {
      await page.fill('#typed', text);
      await page.press('#typed', 'Enter');
      assert.match(await page.locator('#typed-note').innerText(), note);
    }
    await page.context().close();
  });

  test('practice does not show the list with planned moves', async () => {
    const page = await sized(1280, 720);
    await page.click('#tab-lines');
    await page.setInputFiles('#lines-input', { name: 'white.pgn', mimeType: 'text/plain', buffer: Buffer.from('1. e4 e5 2. Nf3 Nc6 3. Bb5 *') });
    await page.click('#lines-gaps');
    await page.waitForSelector('#lines-list li');
    await page.click('#lines-practise');
    assert.equal(await page.locator('#lines-list li').count(), 0);
    await page.context().close();
  });

  test('the settings fit into their window at 360 x 740', async () => {
    const page = await sized(360, 740);
    await page.click('#menu');
    await page.click('#settings');
    const { right } = await page.evaluate(() => document.querySelector('#settings-dialog .card-head').getBoundingClientRect().toJSON());
    for (const id of ['theme', 'below', 'set']) {
      const { x, width } = await page.locator(`#${id}`).boundingBox();
      assert.ok(x + width <= right + 1, `${id}: ${x + width} of ${right}`);
    }
    await page.context().close();
  });

  test('a game with nothing but a code has the name of its opening', async () => {
    const page = await open();
    await paste(page, '[White "A"]\n[Black "B"]\n[ECO "C50"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 *');
    await page.waitForFunction(() => /^C50 +Italian Game/.test(document.getElementById('opening').textContent));
    await page.context().close();
  });
});

describe('while the server answers', () => {
  const DIRECT = { viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' };
  /** Holds back the requests that match until `release` is called; `asked` is fulfilled with the first one. */
  async function hold(target, pattern) {
    const held = {};
    const until = new Promise((resolve) => { held.release = resolve; });
    held.asked = new Promise((resolve) => {
      target.route(pattern, async (route) => {
        resolve(route.request());
        await until;
        await route.continue();
      });
    });
    return held;
  }
  /** Lets a held answer come, and the page deal with it. */
  async function answer(page, held) {
    held.release();
    await (await (await held.asked).response())?.finished(); // none if it was given up
    await page.evaluate((ms) => new Promise((resolve) => { setTimeout(resolve, ms); }), slow ? 700 : 100);
  }
  const listGames = async (page) => {
    await page.click('#tab-games');
    await page.waitForSelector('#games-list [data-game]');
  };
  const counted = (page, text) => page.waitForFunction((wanted) => document.getElementById('games-count').textContent === wanted, text);
  const shownGame = (page) => page.evaluate(() => window.tabiya.doc.origin?.id);

  test('a click counts although the list is drawn again between press and release', async () => {
    let held, names;
    const page = await open('', DIRECT, async (context) => { [held, names] = [await hold(context, /api\/find\?.*count=1/), await hold(context, '**/openings.tsv')]; });
    await listGames(page);
    const row = page.locator('#games-list [data-game]').nth(2);
    const id = Number(await row.getAttribute('data-game'));
    await row.locator('.white').hover();
    await page.mouse.down();
    held.release();
    names.release();
    await page.waitForFunction(() => /^[\d,]+ games$/.test(document.getElementById('games-count').textContent)
      && [...document.querySelectorAll('#games-list .opening')].some((name) => name.textContent.trim() !== ''));
    await page.mouse.up();
    await eventually(async () => assert.equal(await shownGame(page), id));
    await page.context().close();
  });

  test('games stay selected when the field that was searched with is left', async () => {
    const page = await open('', DIRECT);
    await listGames(page);
    const asked = page.waitForRequest(/api\/find\?.*offset=0/);
    await page.fill('#query', 'player Paul');
    await page.waitForSelector('#query-names li');
    await asked;
    await page.waitForFunction(() => document.getElementById('games-table').ariaBusy === 'false');
    await page.click('#select-open');
    await page.locator('#games-list .pick input').first().click();
    await page.evaluate(() => new Promise((resolve) => { setTimeout(resolve, 400); })); // a search would have begun
    assert.equal(await page.getAttribute('#games-table', 'aria-busy'), 'false');
    assert.equal(await page.innerText('#selection-count'), '1 selected');
    await page.context().close();
  });

  test('of two games that are opened, the last one is shown, whichever comes first', async () => {
    const page = await open('', DIRECT);
    await listGames(page);
    await page.waitForFunction(() => /^[\d,]+ games$/.test(document.getElementById('games-count').textContent));
    const [first, second] = (await page.locator('#games-list [data-game]').evaluateAll((rows) => rows.map((row) => Number(row.dataset.game)))).slice(1);
    const held = await hold(page, new RegExp(`api/game\\?id=${first}$`));
    await page.click(`#games-list [data-game="${first}"] .white`);
    await held.asked;
    await page.click(`#games-list [data-game="${second}"] .white`);
    await eventually(async () => assert.equal(await shownGame(page), second));
    await answer(page, held);
    assert.equal(await shownGame(page), second);
    assert.equal(await page.getAttribute('#games-list [aria-current]', 'data-game'), String(second));
    await page.context().close();
  });

  test('the games of the explorer are of the kind that was chosen last', async () => {
    const page = await open('', DIRECT);
    await page.waitForSelector('#explorer-games [data-game]');
    const ids = () => page.locator('#explorer-games [data-game]').evaluateAll((all) => all.map((button) => button.dataset.game));
    const best = await ids();
    const held = await hold(page, /api\/find\?.*sort=-date/);
    await page.selectOption('#explorer-kind', '-date');
    await held.asked;
    await page.selectOption('#explorer-kind', '-elo');
    await answer(page, held);
    assert.deepEqual(await ids(), best);
    await page.context().close();
  });

  test('the games of a position are listed although the explorer is drawn again before they come', async () => {
    let held;
    const page = await open('', DIRECT, async (context) => { held = await hold(context, /api\/find\?fen=/); });
    await held.asked;
    await showTab(page, 'moves');
    held.release();
    await page.waitForSelector('#explorer-games [data-game]');
    await page.context().close();
  });

  test('the address has the tab that was opened while a game was loaded', async () => {
    let held;
    const page = await open('#game=7', DIRECT, async (context) => { held = await hold(context, /api\/game\?id=7$/); });
    await held.asked;
    await page.click('#tab-games');
    await page.evaluate(() => new Promise((resolve) => { setTimeout(resolve, 150); })); // the address is written after a moment
    held.release();
    await page.waitForFunction(() => /^#game=7&.*tab=games/.test(location.hash));
    await page.context().close();
  });

  test('what is typed stays when the first piece is drawn before the patterns are there', async () => {
    const page = await open('', DIRECT);
    const held = await hold(page, '**/api/patterns');
    await listGames(page);
    await page.fill('#query', 'Paul Morphy');
    await page.click('#draw-open');
    await page.waitForSelector('#draw-frame [role=gridcell]');
    await page.locator('#draw-frame').click({ position: { x: 5, y: 5 } });
    assert.equal(await page.inputValue('#query'), 'player ~"Paul Morphy" Pa8');
    await answer(page, held);
    assert.equal(await page.locator('#draw-frame [data-piece]').count(), 1);
    await page.context().close();
  });

  test('a name that is chosen stays so when the names for the next letter come', async () => {
    const page = await open('', DIRECT);
    await page.click('#filter-open');
    await page.focus('#filter-player');
    await page.keyboard.insertText('paul mo');
    await page.waitForSelector('#filter-player-names li');
    const held = await hold(page, /api\/names\?prefix=paul\+mor/);
    await page.keyboard.insertText('r');
    await held.asked;
    await page.keyboard.press('ArrowDown');
    await answer(page, held);
    await page.keyboard.press('Enter');
    assert.equal(await page.inputValue('#filter-player'), 'Paul Morphy');
    await page.context().close();
  });

  test('half a name is no fault when names are suggested for it, even late', async () => {
    const page = await open('', DIRECT);
    await listGames(page);
    const held = await hold(page, /api\/names/);
    await page.focus('#query');
    await page.keyboard.insertText('paul mor');
    await page.waitForSelector('#query-fault p');
    held.release();
    await page.waitForSelector('#query-names li');
    assert.equal(await page.textContent('#query-fault'), '');
    await closeWithErrors(page, /status of 400/);
  });

  test('the fault of a search that was given up is not shown', async () => {
    const page = await open('', DIRECT, (context) => context.addInitScript(() => {
      const { fetch } = window;
      window.fetch = async (url, init) => {
        const response = await fetch(url, init);
        if (/plaer/.test(url)) response.json = () => new Promise((_, reject) => { // the text of the answer is still to come
          window.isWaiting = true;
          init.signal.addEventListener('abort', () => reject(init.signal.reason));
        });
        return response;
      };
    }));
    await listGames(page);
    await page.fill('#query', 'plaer x');
    await page.press('#query', 'Enter');
    await page.waitForFunction(() => window.isWaiting);
    await page.fill('#query', 'player Morphy');
    await page.press('#query', 'Enter');
    await counted(page, '5 games');
    assert.equal(await page.textContent('#query-fault'), '');
    assert.equal(await page.locator('#games-list [data-game]').count(), 5);
    await closeWithErrors(page, /status of 400/);
  });
});

test('the console was silent, and no request went to other hosts', () => {
  assert.deepEqual(complaints, []);
});
