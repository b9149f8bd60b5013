/*
 * workplace.test.mjs - the page as a place to work: bugs that were seen, each at the size where it was seen; the table
 * of games; addresses.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { PHONE, click, closeWithErrors, complaints, eventually, faultsByAxe, open, openTool, paste, showSearch, showTab, value, wideList } from './browser.mjs';
import { root } from './support.mjs';

const size = (width, height) => ({ viewport: { width, height } });
const TABLET = size(768, 1024);
const LONG = '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 11. Nbd2 Bb7 12. Bc2 Re8 '
  + '13. Nf1 Bf8 14. Ng3 g6 15. a4 c5 16. d5 c4 17. Bg5 h6 18. Be3 Nc5 19. Qd2 h5 20. Bg5 Be7 21. Ra3 Rb8 *';

const openText = (page, pgn) => page.evaluate((text) => { const { doc } = window.tabiya; doc.setGame(doc.tabiya.game(text), () => 0, 'open'); }, pgn);
/** Is the middle of the element seen, neither cut off nor covered? */
const isSeen = (page, selector) => page.evaluate((name) => {
  const element = document.querySelector(name);
  if (!element) return false;
  const { x, y, width, height } = element.getBoundingClientRect();
  const at = document.elementFromPoint(x + width / 2, y + height / 2);
  return width > 0 && Boolean(at) && element.contains(at);
}, selector);
const assertSeen = (page, selector, message = selector) => eventually(async () => assert.ok(await isSeen(page, selector), message));
const frame = (page) => page.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); }));
const listed = (page) => page.waitForFunction(() => document.getElementById('games-table').ariaBusy === 'false' && document.querySelector('#games-list [data-game]'));
const explored = (page) => page.waitForFunction(() => document.getElementById('explorer').ariaBusy === 'false' && document.querySelector('#explorer-moves tr'));

describe('stepping', () => {
  for (const [name, options, selector] of [['1280x720', size(1280, 720), '#move-list [aria-current]'], ['1920x1080', size(1920, 1080), '#move-list [aria-current]'],
    ['a phone', PHONE, '#move-list [aria-current]'], ['a tablet', TABLET, '#move-list [aria-current]']])
    test(`the current move is in sight at every step, on ${name}`, async () => {
      const page = await open('', options);
      await openText(page, LONG);
      await showTab(page, 'moves');
      for (let i = 0; i < 42; i++) {
        await page.evaluate(() => { const { doc } = window.tabiya; doc.goTo(doc.place + 1); });
        await frame(page);
        await assertSeen(page, selector, `step ${i + 1}`);
      }
      await page.context().close();
    });

  for (const [name, options] of [['1280x800', size(1280, 800)], ['1920x1080', size(1920, 1080)]])
    test(`the moves after the current one are visible too on ${name}`, async () => {
      const page = await open('', options);
      await openText(page, LONG);
      for (const ply of [20, 30, 21, 9]) {
        await page.evaluate((n) => { window.tabiya.doc.goTo(n); }, ply);
        await frame(page);
        const [here, next] = await page.evaluate(() => [...document.querySelectorAll('#move-list .move')].map((move) => move.hasAttribute('aria-current')).reduce((found, is, i) => (is ? [i, i + 2] : found), [-1, -1]));
        for (const i of [here, next, here - 2])
          await eventually(async () => assert.ok(await page.evaluate((n) => {
            const [room, box] = [document.getElementById('move-list'), document.querySelectorAll('#move-list .move')[n]].map((e) => e.getBoundingClientRect());
            return box.top >= room.top && box.bottom <= room.bottom;
          }, i), `ply ${ply}, move ${i} of the list, at ${here}`));
      }
      await page.context().close();
    });

  test('a variation is promoted, the main line is not; marks have words', async () => {
    const page = await open();
    await openText(page, '1. e4 $1 e5 (1... c5 2. Nf3) 2. Nf3 *');
    await page.evaluate(() => window.tabiya.doc.goTo(0));
    assert.ok(await page.isDisabled('#promote'));
    assert.match(await page.locator('#move-list [aria-current]').textContent(), /good move/);
    await page.click('.variation .move');
    assert.ok(await page.isEnabled('#promote'));
    await page.click('#promote');
    assert.match(await value(page, 'game-pgn'), /1\. e4 \$1 c5/);
    await page.context().close();
  });
});

describe('searching', () => {
  test('every example on the page is a query that works', async () => {
    const page = await open();
    await page.click('#tab-games');
    const examples = await page.evaluate(() => [...document.querySelectorAll('#examples code')].map((code) => code.textContent));
    assert.equal(examples.length, 12);
    const fields = await page.evaluate(() => ['elo', 'date', 'eco', 'named'].map((name) => [name, document.getElementById(`search-${name}`).placeholder]));
    for (const text of examples) assert.equal(await page.evaluate(async (q) => (await fetch(`api/find?${new URLSearchParams({ text: q, count: 1 })}`)).status, text), 200, text);
    for (const [name, text] of fields)
      assert.equal(await page.evaluate(async (q) => (await fetch(`api/find?${new URLSearchParams({ q, count: 1 })}`)).status, `${name} ${text}`), 200, `${name} ${text}`);
    await page.context().close();
  });

  test('a name in any spelling, two names, and words that are neither', async () => {
    const page = await open('', size(1280, 720));
    await page.click('#tab-games');
    const assertFinds = async (text, count, meaning, fault = '') => {
      await page.fill('#query', text);
      await page.press('#query', 'Enter'); // busy from now on
      await page.waitForFunction(() => document.getElementById('games-table').ariaBusy === 'false');
      await eventually(async () => assert.deepEqual(await page.evaluate(() => ['games-count', 'query-meaning', 'query-fault'].map((id) => document.getElementById(id).textContent)),
        [count, meaning, fault]));
    };
    await assertFinds('P. Morphy', '5 games', 'Understood as: player ~"P. Morphy"');
    await assertFinds('Morphy, Anderssen', '1 game', 'Understood as: either (white ~"Morphy" black ~"Anderssen")');
    await assertFinds('morphy vs anderssen', '1 game', 'Understood as: either (white ~"morphy" black ~"anderssen")');
    await assertFinds('player morphy', '5 games', '');
    await page.fill('#query', 'paul morphie');
    await page.press('#query', 'Enter');
    await eventually(async () => assert.match(await page.textContent('#query-fault'), /for a name: player paul. Similar names: Paul Morphy/));
    await page.fill('#query', '');
    await page.click('#form-open');
    await page.fill('#search-white', 'Morphy, P');
    await page.press('#search-white', 'Enter');
    await eventually(async () => assert.equal(await page.textContent('#games-count'), '2 games'));
    await closeWithErrors(page, /status of 400/); // of the words that are neither
  });

  for (const [name, options] of [['1280x720', size(1280, 720)], ['a phone', PHONE]])
    test(`players are suggested while a name is typed, on ${name}`, async () => {
      const page = await open('', options);
      await page.click('#tab-games');
      await showSearch(page);
      await page.focus('#query');
      const asked = page.waitForRequest((request) => new URL(request.url()).searchParams.get('text') === 'paul mor'); // a search for what is typed so far
      await page.keyboard.type('paul mor');
      await page.waitForSelector('#query-names li');
      await eventually(async () => assert.equal(await page.textContent('#query-names li'), 'Paul Morphy5 games'));
      await assertSeen(page, '#query-names li');
      await asked;
      await page.waitForFunction(() => document.getElementById('games-table').ariaBusy === 'false');
      assert.equal(await page.textContent('#query-fault'), '');
      assert.deepEqual(await faultsByAxe(page), []);
      await page.keyboard.press('ArrowDown');
      assert.equal(await page.getAttribute('#query', 'aria-activedescendant'), 'query-names-0');
      await page.keyboard.press('Enter');
      assert.equal(await page.inputValue('#query'), 'Paul Morphy');
      assert.ok(await page.isHidden('#query-names'));
      await page.keyboard.type(' - ande');
      await page.locator('#query-names li', { hasText: 'Adolf Anderssen' }).first().click();
      assert.equal(await page.inputValue('#query'), 'Paul Morphy - Adolf Anderssen');
      await page.fill('#query', '');
      await page.keyboard.type('elo 2000.. player mor');
      await page.waitForSelector('#query-names li');
      await page.keyboard.press('Escape');
      assert.ok(await page.isHidden('#query-names'));
      await closeWithErrors(page, /status of 400/); // of half a name
    });

  for (const [width, height] of [[1280, 720], [1440, 900], [1920, 1080]])
    test(`the page does not scroll into nothing at ${width}x${height}`, async () => {
      const page = await open('', size(width, height));
      await explored(page);
      await page.waitForSelector('#explorer-games li');
      await eventually(async () => assert.equal(await page.evaluate(() => document.documentElement.scrollHeight), height));
      await page.click('#tab-games');
      await listed(page);
      await eventually(async () => assert.equal(await page.evaluate(() => document.documentElement.scrollHeight), height));
      await page.context().close();
    });

  test('on a phone a search shows its field and its first hits', async () => {
    const page = await open('', PHONE);
    await showSearch(page);
    await page.fill('#query', 'Morphy');
    await page.press('#query', 'Enter');
    await page.waitForFunction(() => /^\d+ games$/.test(document.getElementById('games-count').textContent));
    await listed(page);
    await assertSeen(page, '#query');
    await assertSeen(page, '#games-list [data-game] .white');
    assert.deepEqual(await faultsByAxe(page), []);
    await page.context().close();
  });

  test('a filter without hits says so, is seen while folded, stays on reload and can be cleared', async () => {
    const page = await open('', size(1280, 720));
    await explored(page);
    assert.ok(await page.isHidden('#explorer-table thead .elo'), 'no game has a rating');
    await page.click('#filter-open');
    await page.fill('#filter-until', '1500');
    await page.press('#filter-until', 'Tab');
    await page.waitForFunction(() => /matches the filter/.test(document.getElementById('explorer-hint').textContent));
    await page.check('#filter-beside');
    await page.waitForSelector('#explorer-table.both');
    assert.deepEqual(await page.evaluate(() => [...document.getElementById('explorer-total').children].slice(1, 3).map((cell) => cell.children.length - cell.querySelectorAll('small').length)),
      [0, 0], 'no games: nothing to list, and no bar');
    await page.uncheck('#filter-beside');
    await page.waitForSelector('#explorer-table:not(.both)', { state: 'attached' });
    await page.click('#filter-open');
    assert.match(await page.innerText('#filter-chips'), /until 1500/);
    await page.waitForFunction(() => /filter=/.test(location.hash));
    await page.reload();
    await page.waitForFunction(() => /matches the filter/.test(document.getElementById('explorer-hint').textContent));
    assert.match(await page.innerText('#filter-chips'), /until 1500/);
    await page.click('#explorer-hint button');
    await explored(page);
    assert.doesNotMatch(await page.innerText('#filter-chips'), /until/);
    await page.context().close();
  });

  test('one wrong or old date does not stretch the chart over the years', async () => {
    const { countYears } = await import('../../web/years.mjs');
    const spans = async (history) => countYears(history).map(({ span, games }) => [span.map((year) => (Number.isFinite(year) ? year : null)), games]);
    const month = (year, white) => ({ month: `${year}-01`, white, draws: 0, black: 0 });
    const years = Array.from({ length: 12 }, (_, i) => month(2001 + i, 5));
    for (const old of ['0031', '1818']) {
      const bars = await spans([month(old, 1), ...years]);
      assert.equal(bars.length, 12);
      assert.ok(bars.every(([, games]) => games >= 5), JSON.stringify(bars));
      assert.deepEqual(bars[0], [[null, 2001], 6]);
    }
    assert.deepEqual((await spans([...years, month(2999, 1)])).at(-1), [[2012, null], 6]);
    assert.equal((await spans([month(1850, 1), month(1990, 1)])).reduce((sum, [, games]) => sum + games, 0), 2);
  });

  test('the number of a move lists its games', async () => {
    const page = await open('', size(1440, 900));
    await explored(page);
    const cell = page.locator('#explorer-moves td.count').first();
    const games = Number(await cell.getAttribute('data-count'));
    await cell.locator('button').click();
    await page.waitForFunction((n) => document.getElementById('games-count').textContent === `${n.toLocaleString('en')} games`, games);
    assert.equal(await value(page, 'line-san'), '', 'the move is not played');
    await page.context().close();
  });
});

describe('messages', () => {
  test('the fault of a typed move goes with the position it was about', async () => {
    const page = await open();
    const fail = async () => {
      await page.fill('#typed', 'Qh5');
      await page.press('#typed', 'Enter');
      assert.match(await page.innerText('#typed-note'), /Qh5/);
    };
    for (const act of [() => page.click('#new'), () => paste(page, '8/8/8/8/8/2k5/1q6/K7 w - - 0 1')]) {
      await fail();
      await act();
      await page.waitForFunction(() => document.getElementById('typed-note').textContent === '');
    }
    await page.context().close();
  });

  test('a paste that works removes the fault of the one before; toasts leave the top free', async () => {
    const page = await open('', size(1280, 720));
    await paste(page, 'nonsense, not a game');
    await page.waitForSelector('#toast[data-kind=error]:popover-open');
    await assertSeen(page, '#new');
    await paste(page, 'e4 e5');
    await page.waitForFunction(() => !document.getElementById('toast').matches(':popover-open'));
    await page.context().close();
  });

  test('opening game after game says nothing; replacing one\'s own moves does', async () => {
    const page = await open('', size(1440, 900));
    await page.click('#tab-games');
    await listed(page);
    for (const n of [0, 1]) {
      const before = await page.title();
      await page.locator('#games-list [data-game] .white').nth(n).click();
      await page.waitForFunction((old) => document.title !== old, before);
      assert.ok(await page.isHidden('#toast'));
    }
    await page.click('#new');
    await click(page, 'e2', 'e4');
    await page.locator('#games-list [data-game] .white').nth(2).click();
    await page.waitForSelector('#toast:popover-open');
    assert.match(await page.innerText('#toast-text'), /replaced/);
    await page.context().close();
  });

  test('the page reads the letters of pieces that the program does', () => {
    const all = (file, pattern) => [...readFileSync(join(root, file), 'utf8').matchAll(pattern)].flatMap(([, text]) => text.match(/[A-Z]{5}/g));
    const program = all('program/cli/pgn/pgn_letters.c', /\{"[a-z]+", ("[A-Z]{5}")\}/g).filter((letters) => letters !== 'NBRQK');
    assert.deepEqual(all('web/entry.mjs', /^const LETTERS = (.*);$/gm).sort(), [...new Set(program)].sort());
  });

  test('links with a position, moves with German letters, and junk', async () => {
    const page = await open();
    const fen = 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3';
    for (const link of [`https://lichess.org/analysis/${fen.replaceAll(' ', '_')}`, `https://www.chess.com/analysis?fen=${encodeURIComponent(fen)}&flip=false`]) {
      await paste(page, link);
      await page.waitForFunction((text) => window.tabiya.doc.position.write() === text, fen);
      await paste(page, 'e4');
      await page.waitForFunction((text) => window.tabiya.doc.position.write() !== text, fen);
    }
    for (const text of ['1. e4 e5 2. Sf3 Sc6 3. Lb5', '[Event "Schach"]\n[White "Sonja"]\n\n1. e4 e5 2. Sf3 {Sehr gut} Sc6 3. Lb5 *']) {
      await paste(page, text);
      await page.waitForFunction(() => { const { doc } = window.tabiya; return doc.game.writeLine(doc.game.mainLineEnd(), 'san') === 'e4 e5 Nf3 Nc6 Bb5'; });
      await page.click('#new');
    }
    for (const [text, words] of [['hello there', /not a game, position or line of moves/], ['https://lichess.org/abcdEFGH', /contains no position or moves/]]) {
      await paste(page, text);
      await page.waitForFunction((source) => new RegExp(source).test(document.getElementById('toast-text').textContent), words.source);
    }
    await page.context().close();
  });

  test('the server is gone: a sign, and a way to try again', async () => {
    const page = await open('', size(1280, 720));
    await explored(page);
    const asked = /\/(api([?/]|$)|lichess)/;
    await page.route(asked, (route) => route.abort('connectionrefused'));
    await click(page, 'e2', 'e4');
    await page.waitForSelector('#connection:visible');
    await page.waitForSelector('#explorer-hint button');
    await page.unroute(asked);
    await page.click('#reconnect');
    await page.waitForSelector('#connection', { state: 'hidden' });
    await explored(page);
    await closeWithErrors(page, /ERR_CONNECTION_REFUSED/);
  });
});

describe('layout', () => {
  for (const [name, options] of [['1280x800', size(1280, 800)], ['1920x1080', size(1920, 1080)]])
    test(`all faults of a board are shown next to it on ${name}`, async () => {
      const page = await open('', options);
      await page.evaluate(() => { const { doc } = window.tabiya; doc.setBoard(doc.tabiya.board('rnbqkbnr/pppppppp/8/4k3/8/8/PPPPPPPP/RNBQKBPR w KQkq - 0 1')); });
      await frame(page);
      await assertSeen(page, '#move-list p');
      const [said, reasons] = [await page.innerText('#move-list p'), await page.locator('#status-notes li').allInnerTexts()];
      assert.ok(reasons.length > 1, reasons.join());
      for (const reason of reasons) assert.ok(said.includes(reason), said);
      await page.context().close();
    });

  test('what is wrong with a board is seen in Set up', async () => {
    const page = await open('', size(1280, 720));
    await openTool(page, 'setup');
    await page.click('#clear-board');
    await page.waitForSelector('#status-notes li');
    await assertSeen(page, '#status-notes li:last-child');
    await page.context().close();
  });

  test('the game is printed, whichever tab is open', async () => {
    const page = await open();
    await openText(page, LONG);
    await openTool(page, 'convert');
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print' });
    assert.ok(await page.isVisible('#print'));
    assert.ok(await page.isHidden('#panel-convert'));
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

  test('the converter shows what people come for at once', async () => {
    const page = await open('', size(1280, 720));
    await openTool(page, 'convert');
    for (const id of ['now-fen', 'now-base64', 'now-boardinfo', 'line-san', 'line-uci', 'line-base64-moves', 'game-pgn'])
      assert.ok(await page.isVisible(`#${id}`), id);
    assert.ok(await page.isHidden('#now-epd'));
    await page.context().close();
  });
});

describe('targets and contrast', () => {
  test('Games without a database has a button that opens a file', async () => {
    const page = await open('', size(1280, 720), (context) => context.route('**/api', (route) => route.fulfill({ json: { database: null } })));
    await page.click('#tab-games');
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.click('#open-games')]);
    assert.ok(chooser);
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

  for (const colorScheme of ['light', 'dark'])
    test(`bars are seen on their ground, ${colorScheme}`, async () => {
      const page = await open('', { ...size(1280, 720), colorScheme });
      await explored(page);
      const contrast = await page.evaluate(() => {
        const light = (text) => {
          const [r, g, b] = text.match(/[\d.]+/g).map((n) => { const c = n / 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; });
          return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
        };
        const [edge, ground] = [light(getComputedStyle(document.querySelector('.bar')).borderTopColor), light(getComputedStyle(document.getElementById('side')).backgroundColor)];
        return Math.max(edge, ground) / Math.min(edge, ground);
      });
      assert.ok(contrast >= 3, String(contrast));
      await page.context().close();
    });
});

describe('the table of games', () => {
  test('20 rows and more in a wide list at 1900x900, 14 of two lines at 1440x900; a board on hover and by Space', async () => {
    const wide = await open('#tab=games', size(1900, 900), wideList);
    await listed(wide);
    await eventually(async () => assert.ok(await wide.locator('#games-list [data-game]').count() >= 20));
    await wide.context().close();
    const page = await open('', size(1440, 900));
    await page.click('#tab-games');
    await listed(page);
    await eventually(async () => {
      const rows = await page.evaluate(() => {
        const { bottom } = document.getElementById('games-table').getBoundingClientRect();
        return [...document.querySelectorAll('#games-list [data-game]')].filter((row) => row.getBoundingClientRect().bottom <= bottom + 1).length;
      });
      assert.ok(rows >= 14, `${rows} rows`);
    });
    await page.hover('#games-list [data-game] .black >> nth=3');
    await page.waitForSelector('#preview:popover-open');
    await page.click('#games-list [data-game] .black >> nth=3'); // it is on the board now, so there is no preview of it
    await page.waitForSelector('#games-list [data-game][aria-current=true]');
    await page.mouse.move(5, 5);
    const loaded = [];
    page.on('request', (request) => { if (/api\/game\?/.test(request.url())) loaded.push(request.url()); });
    await page.hover('#games-list [aria-current=true] .white');
    await page.evaluate(() => new Promise((resolve) => { setTimeout(resolve, 300); })); // later than the timer of the preview
    assert.deepEqual(loaded, []);
    assert.ok(await page.isHidden('#preview'));
    await page.mouse.move(5, 5);
    await page.focus('#games-table');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press(' ');
    await page.waitForSelector('#preview:popover-open');
    await page.keyboard.press('Escape');
    assert.ok(await page.isHidden('#preview'));
    assert.deepEqual(await faultsByAxe(page), []);
    await page.context().close();
  });

  test('several games are selected and exported', async () => {
    const page = await open('', size(1440, 900));
    await page.click('#tab-games');
    await listed(page);
    await page.click('#select-open');
    await page.locator('#games-list .pick input').nth(1).click();
    await page.locator('#games-list [data-game] .white').nth(3).click({ modifiers: ['Shift'] });
    assert.equal(await page.innerText('#selection-count'), '3 selected');
    const whites = await page.locator('#games-list [aria-selected=true] .white').allInnerTexts();
    const [file] = await Promise.all([page.waitForEvent('download'), page.click('#selection-export')]);
    const pgn = readFileSync(await file.path(), 'utf8');
    assert.deepEqual([...pgn.matchAll(/\[White "(.*)"\]/g)].map(([, name]) => name), whites);
    await page.context().close();
  });

  test('millions of rows: the end of the list is there, and no element is too high', async () => {
    const page = await open('', size(1440, 900));
    await page.route('**/api/find*', (route) => {
      const { searchParams } = new URL(route.request().url());
      if (searchParams.has('count')) return route.fulfill({ json: { count: 2_300_000 } });
      const offset = Number(searchParams.get('offset'));
      const games = Array.from({ length: Math.min(Number(searchParams.get('limit')), 2_300_000 - offset) }, (_, i) => ({ id: offset + i + 1, white: `W${offset + i + 1}`,
        black: 'B', white_elo: null, black_elo: null, result: '1-0', date: null, event: null, eco: null, plies: 40, ply: 0 }));
      return route.fulfill({ json: { games, more: true } });
    });
    await page.click('#tab-games');
    await page.waitForFunction(() => document.getElementById('games-count').textContent === '2,300,000 games'); // where its end is
    await page.focus('#games-table');
    await page.keyboard.press('End');
    await page.waitForSelector('[data-game="2300000"]');
    await assertSeen(page, '[data-game="2300000"] .white');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    assert.equal(await page.locator('[data-active]').getAttribute('data-game'), '2299998');
    await page.keyboard.press('Home');
    await page.waitForSelector('#games-list [data-game="1"]');
    await assertSeen(page, '#games-list [data-game="1"] .white');
    await page.context().close();
  });
});

describe('addresses', () => {
  test('tab, query, order, game and ply stay on reload; Back goes to the search before', async () => {
    const page = await open('', size(1900, 900), wideList);
    await page.click('#tab-games');
    await page.fill('#query', 'player Morphy');
    await page.press('#query', 'Enter');
    await page.waitForFunction(() => /q=player%20Morphy/.test(location.hash));
    await listed(page);
    await page.click('[role=columnheader].moves button');
    await page.waitForFunction(() => /sort=longest/.test(location.hash));
    await listed(page);
    const id = await page.locator('#games-list [data-game]').nth(1).getAttribute('data-game');
    await page.locator('#games-list [data-game] .white').nth(1).click();
    await page.waitForFunction((game) => location.hash.startsWith(`#game=${game}&at=0`), id);
    await page.evaluate(() => window.tabiya.doc.goTo(4));
    await page.waitForFunction((game) => location.hash.startsWith(`#game=${game}&at=5`), id);
    await page.waitForFunction(() => /^\d+ games$/.test(document.getElementById('games-count').textContent));
    const [title, count, fen] = [await page.title(), await page.innerText('#games-count'), await value(page, 'now-fen')];
    await page.reload();
    await page.waitForFunction((name) => document.title === name, title);
    await page.waitForFunction((text) => document.getElementById('games-count').textContent === text, count);
    assert.equal(await value(page, 'now-fen'), fen);
    assert.ok(await page.isVisible('#panel-games'));
    assert.equal(await page.inputValue('#query'), 'player Morphy');
    assert.equal(await page.inputValue('#games-order'), 'longest');
    await page.click('#share');
    await eventually(async () => assert.match(await page.evaluate(() => navigator.clipboard.readText()), new RegExp(`#game=${id}&at=5$`)));
    await page.goBack();
    await page.waitForFunction(() => !/game=/.test(location.hash) && window.tabiya.doc.list.moves.length === 0);
    assert.equal(await page.inputValue('#query'), 'player Morphy');
    await page.goBack();
    await page.waitForFunction(() => document.getElementById('games-order').value === 'newest');
    await page.context().close();
  });

  test('a changed game of the database has its own address', async () => {
    const page = await open('#game=1&at=0');
    await page.waitForFunction(() => window.tabiya.doc.origin?.id === 1);
    await page.evaluate(() => window.tabiya.doc.play('a2a3'));
    await page.waitForFunction(() => /^#pgn=/.test(location.hash));
    await page.context().close();
  });
});

describe('my lines', () => {
  const PGN = '1. e4 e5 (1... c5 2. Nf3 d6 3. d4) 2. Nf3 Nc6 3. Bb5 *\n';
  const take = async (page, text = PGN) => {
    await page.click('#tab-lines');
    await page.setInputFiles('#lines-input', { name: 'mine.pgn', mimeType: 'text/plain', buffer: Buffer.from(text) });
    await page.waitForFunction(() => /mine\.pgn: 10 positions/.test(document.getElementById('lines-state').textContent));
  };

  test('where the open game left them; they stay on reload and can be forgotten', async () => {
    const page = await open('', size(1280, 720));
    await take(page);
    const left = async (pgn) => {
      await openText(page, pgn);
      return page.textContent('#lines-left');
    };
    assert.equal(await left('1. e4 c5 2. Nf3 e6 3. d4 *'), 'The opponent leaves the lines with 2... e6; planned: d6.');
    assert.equal(await left('1. Nf3 Nc6 2. e4 e5 3. Bc4 *'), 'You leave the lines with 3. Bc4; planned: Bb5.');
    assert.equal(await left('1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *'), 'The game follows a line to its end, 3. Bb5.');
    assert.equal(await left('1. e4 e5 *'), 'The whole game is in your lines.');
    assert.deepEqual(await faultsByAxe(page), []);
    await page.reload();
    await page.waitForFunction(() => /mine\.pgn/.test(document.getElementById('lines-state').textContent));
    await page.click('#tab-lines');
    assert.equal(await page.inputValue('#lines-side'), 'white');
    await page.click('#lines-forget');
    assert.ok(await page.isHidden('#lines-actions'));
    await page.click('#toast-action');
    assert.ok(await page.isVisible('#lines-actions'));
    await page.context().close();
  });

  test('what is not covered, with counts; a click shows it', async () => {
    const page = await open('', size(1280, 720));
    await take(page);
    await page.click('#lines-gaps');
    await page.waitForSelector('#lines-list button');
    const [first] = await page.locator('#lines-list button').allInnerTexts();
    assert.match(first, /^\d+\.+ \S+ [\d,]+ of [\d,]+ games/);
    await page.locator('#lines-list button').first().click();
    assert.ok(await page.evaluate(() => window.tabiya.doc.place >= 0));
    await page.context().close();
  });

  test('they are practised: a wrong move is asked again soon, a right one in days', async () => {
    const page = await open('', size(1280, 720));
    await take(page);
    const kept = () => page.evaluate(() => Object.values(JSON.parse(localStorage.getItem('tabiya.practice') ?? '{}')).map(([, days]) => days));
    const play = (san) => page.evaluate((text) => window.tabiya.doc.play(text), san);
    const said = (pattern) => page.waitForFunction((source) => new RegExp(source).test(document.getElementById('practice-text').textContent), pattern);
    await page.click('#lines-practise');
    await said('White to move');
    await play('d4');
    await said('d4 is not in your lines');
    await page.waitForFunction(() => window.tabiya.doc.place === -1);
    await play('e4');
    await page.waitForFunction(() => window.tabiya.doc.place === 1); // the next one, after 1. e4 e5 or c5
    assert.deepEqual(await kept(), [0]);
    await play('Nf3');
    await page.waitForFunction(() => Object.keys(JSON.parse(localStorage.getItem('tabiya.practice'))).length === 2);
    assert.deepEqual((await kept()).sort(), [0, 1]);
    await page.waitForFunction(() => window.tabiya.doc.place !== 2); // the next one
    await said('White to move');
    await page.click('#practice-show');
    await said('Planned: ');
    await page.click('#practice-stop');
    assert.ok(await page.isHidden('#practice-show'));
    await page.context().close();
  });
});

test('the console was silent, and no request went to other hosts', () => {
  assert.deepEqual(complaints, []);
});
