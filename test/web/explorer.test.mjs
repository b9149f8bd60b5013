/*
 * explorer.test.mjs - the explorer: numbers, rows, the games of a position, years, and its filter.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { DIRECT, PHONE, answer, click, closeWithErrors, complaints, database, eventually, explored, faultsByAxe, hold, open, program, serve, showTab, size, sized, value, work, write } from './browser.mjs';
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

describe('the games of a file', () => {
  const FILE = { name: 'mine.pgn', mimeType: 'application/x-chess-pgn', buffer: Buffer.from(`[White "A"]\n[Black "B"]\n[WhiteElo "2000"]\n[Date "2019.03.02"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n
[White "B"]\n[Black "A"]\n[WhiteElo "2100"]\n[Date "2021.??.??"]\n[Result "0-1"]\n\n1. e4 c5 0-1\n
[White "C"]\n[Black "A"]\n[Result "1/2-1/2"]\n\n1. Nf3 e5 2. e4 1/2-1/2\n`) };
  const table = (page) => page.locator('#explorer-moves tr:not(.none)').evaluateAll((all) => all.map((row) => [row.children[0].textContent, row.children[1].dataset.count,
    row.children[2].firstChild?.getAttribute('aria-label'), row.querySelector('.elo').textContent, row.querySelector('.year').textContent].join(' ')));
  const expected = ['e4 2 White 1, draw 0, black 1 2050 2021', 'Nf3 1 White 0, draw 1, black 0  '];

  test('they are counted instead of the database, or beside it', async () => {
    const page = await open();
    await explored(page);
    const all = await page.locator('#explorer-total .count').getAttribute('title');
    assert.ok(await page.isHidden('#explorer-source'));
    await page.setInputFiles('#file', FILE);
    await page.click('#tab-explorer');
    assert.equal(await page.locator('#explorer-total .count').getAttribute('title'), all);
    await page.selectOption('#explorer-source', 'file');
    await eventually(async () => assert.deepEqual(await table(page), expected));
    assert.ok(await page.isVisible('#filter-chips') && await page.isHidden('#novelty'));
    await page.selectOption('#explorer-source', 'both');
    await eventually(async () => assert.equal(await page.locator('#explorer-total .count').nth(1).getAttribute('title'), all));
    assert.deepEqual(await table(page), expected);
    const [box, pane] = await Promise.all(['#explorer-source', '#side'].map((id) => page.locator(id).boundingBox()));
    assert.ok(box.x > pane.x && box.x + box.width < pane.x + pane.width, JSON.stringify([box, pane]));
    await page.evaluate(() => { document.documentElement.dir = 'rtl'; });
    await eventually(async () => // a row that has just been replaced has no style
      assert.equal(await page.locator('#explorer-games .points').first().evaluate((points) => getComputedStyle(points).direction), 'ltr'));
    await page.evaluate(() => { document.documentElement.dir = 'ltr'; });
    assert.deepEqual(await faultsByAxe(page), []);
    await page.selectOption('#explorer-source', 'database');
    await eventually(async () => assert.equal(await page.locator('#explorer-total .count').first().getAttribute('title'), all));
    assert.ok(await page.isVisible('#novelty'));
    await page.context().close();
  });

  test('without a database they are what is counted; positions count by any order of moves; a game opens at the position', async () => {
    const page = await open('', {}, undefined, await serve());
    await page.setInputFiles('#file', FILE);
    await page.click('#tab-explorer');
    await eventually(async () => assert.deepEqual(await table(page), expected));
    assert.ok(await page.isHidden('#welcome') && await page.isHidden('#explorer-source'));
    await write(page, 'line-san', 'e4 e5 Nf3');
    await eventually(async () => assert.equal(await page.locator('#explorer-total .count').getAttribute('title'), '2'));
    await eventually(async () => assert.equal(await page.locator('#explorer-games [data-game]').count(), 2));
    await page.locator('#explorer-games [data-game="3"]').click();
    await eventually(async () => assert.equal(await value(page, 'line-san'), 'Nf3 e5 e4'));
    await write(page, 'line-san', 'a4');
    await eventually(async () => assert.match(await page.locator('#explorer-hint').innerText(), /No game of the file/));
    await page.context().close();
  });
});

describe('the filter of a file', () => {
  const SAMPLE = 'examples/famous.pgn';
  const FILTERS = ['player ~"Paul Morphy"', 'named "King\'s Gambit"', 'date 1850..1899 result 1-0', 'plies ..50', 'mate', 'greek-gift or iqp', 'not player Kasparov Q=0 q=0', 'comment "*a*"', 'eco C30..C39', 'fen "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"'];
  let mine;
  let alone;
  before(async () => {
    mine = join(work, 'famous.db');
    execFileSync(program, ['import', mine, SAMPLE], { cwd: root, stdio: 'pipe' });
    alone = await serve();
  });

  test('counts what the program counts', async () => {
    const page = await open('', {}, undefined, alone);
    await page.setInputFiles('#file', join(root, SAMPLE));
    await page.click('#tab-explorer');
    await explored(page);
    await page.click('#filter-open');
    for (const query of FILTERS) {
      const { moves } = JSON.parse(execFileSync(program, ['explore', mine, '--query', query, '--json'], { cwd: root, encoding: 'utf8' }));
      await page.fill('#filter-query', query);
      await page.press('#filter-query', 'Tab');
      await eventually(async () => assert.deepEqual(await page.locator('#explorer-moves [data-uci]').evaluateAll((all) => all.map((button) => [button.dataset.uci,
        Number(button.closest('tr').querySelector('.count').dataset.count)])), moves.map(({ uci, games }) => [uci, games]), query));
    }
    await page.context().close();
  });

  test('an error has its place, a filter without games says so, and years are counted', async () => {
    const page = await open('', {}, undefined, alone);
    await page.setInputFiles('#file', join(root, SAMPLE));
    await page.click('#tab-explorer');
    await explored(page);
    await page.click('#filter-open');
    await page.fill('#filter-query', 'plaer Morphy');
    await page.press('#filter-query', 'Tab');
    await eventually(async () => assert.match(await page.locator('#filter-fault').innerText(), /plaer[^]*no such word/));
    await page.fill('#filter-query', 'player Nobody');
    await page.press('#filter-query', 'Tab');
    await eventually(async () => assert.match(await page.locator('#explorer-hint').innerText(), /matches the filter/));
    await page.fill('#filter-query', 'collection x');
    await page.press('#filter-query', 'Tab');
    await eventually(async () => assert.match(await page.locator('#explorer-hint').innerText(), /collections/i));
    await page.fill('#filter-query', 'player Morphy');
    await page.press('#filter-query', 'Tab');
    await explored(page);
    await page.click('#filter-close');
    await page.click('#show-years');
    await page.waitForSelector('#years-chart .year-column');
    assert.deepEqual(await faultsByAxe(page), []);
    await page.context().close();
  });
});

describe('numbers', () => {
  const ask = (...args) => JSON.parse(execFileSync(program, [...args], { cwd: root, encoding: 'utf8' }));

  async function rows(page) {
    return page.locator('#explorer-moves tr').evaluateAll((all) => all.map((row) => {
      return [row.children[0].textContent, row.children[1].dataset.count, row.children[2].firstChild?.getAttribute('aria-label') ?? '', row.dataset.reached];
    }));
  }

  test('numbers equal those of the command line; a click plays a move; a game opens at this position', async () => {
    const page = await open();
    for (const line of ['', 'e4', 'e4 c5 Nf3 d6', 'd4 Nf6 c4']) {
      if (line) await write(page, 'line-san', line);
      const expected = ask('explore', database, '--json', ...line.split(' ').filter(Boolean));
      await page.waitForFunction(([n, games]) => document.querySelectorAll('#explorer-moves [data-uci]').length === n
        && document.querySelector('#explorer-total .count')?.title === games && document.getElementById('explorer').ariaBusy === 'false'
        && document.querySelectorAll('#explorer-games li').length > 0, [expected.moves.length, expected.games.toLocaleString('en')]);
      const format = (n) => n.toLocaleString('en');
      const shown = (await rows(page)).filter((row) => row[0] !== 'ends');
      assert.deepEqual(shown, expected.moves.map((move) => [move.san, String(move.games),
        move.white + move.draw + move.black ? `White ${move.white}, draw ${move.draw}, black ${move.black}` : 'No known results', String(move.reached)]));
      assert.equal(await page.locator('#explorer-total .count').getAttribute('title'), format(expected.games));
      if (expected.name) await page.waitForFunction((name) => document.getElementById('opening').textContent.includes(name), expected.name);
    }
    const found = execFileSync(program, ['find', database, '--json', '--opening', 'd4 Nf6 c4', '--limit', '1000'], { cwd: root, encoding: 'utf8' })
      .trim().split('\n').map((line) => JSON.parse(line).id);
    await eventually(async () => { // until then the list is that of the position before
      const listed = await page.locator('#explorer-games [data-game]').evaluateAll((all) => all.map((button) => Number(button.dataset.game)));
      assert.ok(listed.length === 12 && listed.every((id) => found.includes(id)));
    });
    await page.locator('#explorer-games [data-game]').first().click();
    await page.waitForFunction(() => /–/.test(document.getElementById('game-headline').textContent));
    assert.match(await value(page, 'line-san'), /^d4 Nf6 c4 /);
    assert.equal(await page.evaluate(() => window.tabiya.doc.place), 2); // where it came to the position
    const before = await value(page, 'line-uci');
    await page.click('#new');
    await page.waitForSelector('#explorer-moves [data-uci=e2e4]');
    await page.click('#explorer-moves [data-uci=e2e4]');
    assert.equal(await value(page, 'line-uci'), 'e2e4');
    assert.notEqual(before, 'e2e4');
    await page.context().close();
  });

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

  test('the numbers of another position are dimmed and ignore clicks while a request runs, and are removed if it fails', async () => {
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

  test('the share of a rare move is not shown as zero', async () => {
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

  test('the first move that leaves the database is shown', async () => {
    const page = await open();
    await write(page, 'line-san', 'e4 c5 Nf3 d6 d4 cxd4 a4');
    const games = execFileSync(program, ['explore', database, '--json', 'e4', 'c5', 'Nf3', 'd6', 'd4', 'cxd4'], { encoding: 'utf8' });
    assert.ok(JSON.parse(games).games > 0 && !/"a4"/.test(games));
    await page.click('#find-novelty');
    await page.waitForFunction(() => /New here: 4\. a4/.test(document.getElementById('novelty-text').textContent));
    await page.context().close();
  });
});

describe('the games of a position', () => {
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

  test('the games of a position are listed even if the explorer is drawn again before they arrive', async () => {
    let held;
    const page = await open('', DIRECT, async (context) => { held = await hold(context, /api\/find\?fen=/); });
    await held.asked;
    await showTab(page, 'moves');
    held.release();
    await page.waitForSelector('#explorer-games [data-game]');
    await page.context().close();
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

describe('filter', () => {
  test('filters, the best rated and the latest games, and the years of a position are the server\'s', async () => {
    const page = await open();
    const ask = (path) => page.evaluate(async (p) => (await fetch(p)).json(), path);
    await page.waitForSelector('#explorer-games li');
    const ids = () => page.locator('#explorer-games [data-game]').evaluateAll((all) => all.map((button) => button.dataset.game));
    const first = async (sort) => (await ask(`api/find?sort=${sort}&limit=12`)).games.map(({ id }) => String(id));
    const best = await first('-elo');
    await eventually(async () => assert.deepEqual(await ids(), best));
    const latest = await first('-date');
    await page.selectOption('#explorer-kind', '-date');
    await eventually(async () => assert.deepEqual(await ids(), latest));
    await page.click('#filter-open');
    await page.fill('#filter-until', '1900');
    await page.press('#filter-until', 'Tab');
    await page.click('#filter-close');
    const old = await ask('lichess?until=1900&moves=60');
    await page.waitForFunction((n) => document.getElementById('explorer').ariaBusy === 'false'
      && Number(document.querySelector('#explorer-total .count').dataset.count) === n, old.white + old.draws + old.black);
    assert.deepEqual(await page.locator('#explorer-moves [data-uci]').evaluateAll((rows) => rows.map((row) => row.dataset.uci)), old.moves.map(({ uci }) => uci));
    await page.getByText('Over the years').click();
    await page.waitForSelector('.year-column');
    const labels = await page.locator('.year-column').evaluateAll((columns) => columns.map((column) => column.getAttribute('aria-label')));
    for (const label of labels) {
      const [, since, until, games] = label.replace('until ', '0001–').match(/^(\d+)–?(\d*): ([\d,]+) games?/);
      const answer = await ask(`lichess?since=${since}&until=${until || since}&moves=0`);
      assert.equal(Number(games.replaceAll(',', '')), answer.white + answer.draws + answer.black, label);
    }
    assert.deepEqual(await faultsByAxe(page), []);
    await page.context().close();
  });

  test('a filter without hits says so, is visible while folded, survives a reload and can be cleared', async () => {
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

  test('a chosen name stays when the suggestions for the next letter arrive', async () => {
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
});

describe('layout of the table', () => {
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
});

describe('colours of the bars', () => {
  test('the percentages of the bars are readable in dark mode', async () => {
    const page = await openWithMany({ colorScheme: 'dark' });
    await page.waitForSelector('#explorer-moves .bar .draw');
    assert.deepEqual(await faultsByAxe(page), []);
    await page.context().close();
  });

  for (const colorScheme of ['light', 'dark'])
    test(`bars contrast with their background, ${colorScheme}`, async () => {
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

test('the console was silent, and no request went to other hosts', () => {
  assert.deepEqual(complaints, []);
});
