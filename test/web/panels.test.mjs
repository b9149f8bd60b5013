/*
 * panels.test.mjs - games, drawn annotations, evaluations, the engine, and everything else around the board.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { PHONE, allowWorkers, click, closeWithErrors, complaints, database, eventually, faultsByAxe, longestTask, open, openTool, point, program, showTab, slow, value, wideList, write } from './browser.mjs';
import { build, root } from './support.mjs';

const ANNOTATED = '[White "Ada"]\n[Black "Grace"]\n[WhiteElo "2345"]\n[Date "1999.01.20"]\n[Result "1-0"]\n\n'
  + '1. e4 {[%eval 0.3] [%clk 1:00:05]} e5 {[%eval 0.2] [%clk 0:59:00]} 2. Nf3 $14 {[%eval 0.5] [%cal Gf3e5,Rd2d4][%csl Ye5] look} '
  + 'd6 {[%eval 1.5]} 3. d4 {[%eval #4]} 1-0';
const find = (...args) => execFileSync(program, ['find', database, '--json', '--sort=-date', ...args], { cwd: root, encoding: 'utf8' })
  .trim().split('\n').filter(Boolean).map((line) => JSON.parse(line));

describe('games', () => {
  /** Acts, and waits for the list that this asks for: the table is busy from the request on, which alone has `soon`. */
  async function search(page, act) {
    const asked = page.waitForRequest(/api\/find\?.*offset=0/);
    await act();
    await asked;
    await page.waitForFunction(() => document.getElementById('games-table').ariaBusy === 'false');
  }
  /** The table shows the games that fit: the first of these. */
  async function assertListed(page, expected, message) {
    const listed = await page.locator('#games-list [data-game]').evaluateAll((all) => all.map((row) => Number(row.dataset.game)));
    assert.ok(listed.length === Math.min(expected.length, listed.length) && (listed.length > 10 || listed.length === expected.length), message);
    assert.deepEqual(listed, expected.slice(0, listed.length), message);
  }
  const count = (page) => page.locator('#games-count').innerText();

  test('a search by name and by form finds what the command line finds, with a live count', async () => {
    const page = await open();
    await search(page, () => page.click('#tab-games'));
    const all = find('--limit', '100000').length.toLocaleString('en');
    await eventually(async () => assert.equal(await count(page), `${all} games`)); // counted after the first games are shown
    await search(page, () => page.fill('#query', 'Paul Morphy'));
    const morphy = find('--player', '*Morphy*', '--limit', '1000').map((game) => game.id);
    await assertListed(page, morphy);
    await page.click('#form-open');
    await search(page, () => page.fill('#query', ''));
    await search(page, () => page.fill('#search-event', 'Casual game'));
    await search(page, () => page.selectOption('#search-result', '1-0'));
    await assertListed(page, find('--event', '*Casual game*', '--result', '1-0', '--limit', '50').map((game) => game.id));
    assert.deepEqual(await faultsByAxe(page), []);
    await search(page, () => page.click('#search-clear'));
    await eventually(async () => assert.equal(await count(page), `${all} games`));
    await page.context().close();
  });

  test('order by heading and by choice, to the end of the list, and the game before and after the open one', async () => {
    const page = await open('', { viewport: { width: 1900, height: 1000 } }, wideList);
    await search(page, () => page.click('#tab-games'));
    const all = find('--limit', '100000');
    await assertListed(page, all.map(({ id }) => id));
    const sorted = (sort) => page.evaluate(async (name) => (await (await fetch(`api/find?sort=${name}&limit=100`)).json()).games.map(({ id }) => id), sort);
    for (const [order, sort] of [['rating', '-elo'], ['newest', '-date'], ['longest', '-plies'], ['oldest', 'date']]) {
      await search(page, () => page.selectOption('#games-order', order));
      await assertListed(page, await sorted(sort), order);
    }
    assert.equal(await page.locator('[role=columnheader].date').getAttribute('aria-sort'), 'ascending');
    await search(page, () => page.click('[role=columnheader].date button')); // as found again
    await search(page, () => page.click('[role=columnheader].moves button'));
    assert.equal(await page.locator('[role=columnheader].moves').getAttribute('aria-sort'), 'descending');
    await assertListed(page, await sorted('-plies'));
    await search(page, () => page.selectOption('#games-order', 'oldest'));
    const ends = all.map(({ id, date }) => [date ?? '9', id]).sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : a[1] - b[1])).map(([, id]) => id);
    await eventually(async () => assert.equal(await count(page), `${all.length.toLocaleString('en')} games`)); // where its end is
    await page.focus('#games-table');
    await page.keyboard.press('End');
    await page.waitForFunction((id) => document.querySelector('#games-list').lastChild?.dataset.game === String(id), ends.at(-1));
    const last = await page.locator('#games-list [data-game]').evaluateAll((rows) => rows.map((row) => Number(row.dataset.game)));
    assert.deepEqual(last, ends.slice(-last.length), 'the end of the sorted list');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const opened = (index) => page.waitForFunction((id) => document.querySelector('#games-list [aria-current]')?.dataset.game === id
      && window.tabiya.doc.origin?.id === Number(id), String(ends[index]));
    await opened(1);
    const name = await page.title();
    await page.keyboard.press(']');
    await opened(2);
    assert.equal(await page.locator('#games-list [aria-current]').count(), 1);
    assert.notEqual(await page.title(), name);
    await page.keyboard.press('[');
    await opened(1);
    assert.equal(await page.title(), name);
    await page.context().close();
  });

  test('a query that is wrong: the place and the reason stand at the field', async () => {
    const page = await open();
    await search(page, () => page.click('#tab-games'));
    await page.fill('#query', 'elo 2400.. plaer Carlsen');
    await page.press('#query', 'Enter');
    await page.waitForFunction(() => /did you mean "player"/.test(document.getElementById('query-fault').textContent));
    const [line, carets] = (await page.locator('#query-fault code').innerText()).split('\n');
    assert.equal(line.slice(carets.indexOf('^'), carets.lastIndexOf('^') + 1), 'plaer');
    assert.equal(await page.locator('#query-fault mark').innerText(), 'plaer');
    const marked = () => page.evaluate(() => { const q = document.getElementById('query'); return [q.selectionStart, q.selectionEnd, q.ariaInvalid]; });
    await eventually(async () => assert.deepEqual(await marked(), [11, 16, 'true']));
    assert.equal(await page.locator('#games-list [data-game]').count(), 0);
    assert.equal(await count(page), '', 'nothing was counted');
    assert.deepEqual(await faultsByAxe(page), []);
    // Plain words that are neither a query nor a name; letters of more than one byte before the place.
    await page.fill('#query', 'plaer nobody');
    await page.waitForFunction(() => document.querySelector('#query-fault mark')?.textContent === 'plaer');
    await page.fill('#query', 'player "Ñé" plaer x');
    await page.waitForFunction(() => document.querySelector('#query-fault code')?.textContent.startsWith('player "Ñé" plaer'));
    const shown = (await page.locator('#query-fault code').innerText()).split('\n');
    assert.equal(shown[0].slice(shown[1].indexOf('^')), 'plaer x');
    // With the form beside it, the place is still that of what was written.
    await page.click('#form-open');
    await page.waitForFunction(() => document.getElementById('search-pattern').length > 20);
    await page.selectOption('#search-pattern', 'greek-gift');
    await page.waitForFunction(() => document.querySelector('#query-fault mark')?.textContent === 'plaer');
    await search(page, () => page.fill('#query', 'result 1-0 or result 0-1'));
    await assertListed(page, find('(result 1-0 or result 0-1) greek-gift', '--limit', '50').map((game) => game.id));
    assert.equal(await page.locator('#query-fault').innerText(), '');
    await page.fill('#search-elo', 'high');
    await page.waitForFunction(() => document.getElementById('search-elo').ariaInvalid === 'true');
    assert.match(await page.locator('#query-fault').innerText(), /elo must be a number or a range/);
    await closeWithErrors(page, /status of 400/);
  });

  test('games with the position on the board open at that position', async () => {
    const page = await open();
    await write(page, 'line-san', 'e4 c5 Nf3');
    await page.waitForSelector('#more-games:visible');
    await search(page, () => page.click('#more-games'));
    assert.ok(await page.isChecked('#only-here'));
    const expected = find('--fen', await value(page, 'now-fen'), '--limit', '50');
    await assertListed(page, expected.map((game) => game.id));
    await page.locator('#games-list [data-game]').nth(2).click();
    await page.waitForFunction((id) => window.tabiya.doc.origin?.id === id, expected[2].id);
    assert.equal(await page.evaluate(() => window.tabiya.doc.place + 1), expected[2].ply);
    await page.context().close();
  });

  test('a file stays as a list, all of it, and its bad games go as far as they are good', async () => {
    const page = await open();
    const many = '[White "A"]\n[Black "B"]\n\n1. e4 e5 *\n\n'.repeat(5000) + '[White "Last"]\n[Black "Z"]\n\n1. d4 d5 2. Ke7 *\n';
    await page.setInputFiles('#file', { name: 'many.pgn', mimeType: 'text/plain', buffer: Buffer.from(many) });
    await page.waitForFunction(() => /^5,001 games/.test(document.getElementById('games-count').textContent));
    await page.fill('#query', 'last');
    await page.waitForFunction(() => /^1 game$/.test(document.getElementById('games-count').textContent));
    await page.click('#games-list [data-game]');
    await page.waitForFunction(() => /Last/.test(document.title));
    assert.equal(await value(page, 'line-san'), 'd4 d5');
    await eventually(async () => assert.match(await page.locator('#toast-text').innerText(), /Ke7/));
    await showTab(page, 'moves');
    await page.click('#tab-games');
    assert.match(await count(page), /^1 game$/);
    await page.selectOption('#games-source', 'database');
    await page.waitForFunction(() => !/^1 game$/.test(document.getElementById('games-count').textContent));
    await page.context().close();
  });
});

describe('annotations', () => {
  test('arrows, squares, clocks, ratings, result and evaluations of a game are shown', async () => {
    const page = await open();
    await write(page, 'game-pgn', ANNOTATED);
    await page.evaluate(() => { const { doc } = window.tabiya; doc.goTo(2); });
    assert.deepEqual(await page.locator('.shape').evaluateAll((all) => all.map((s) => [s.dataset.shape, s.getAttribute('class')])),
      [['f3e5', 'shape shape-G'], ['d2d4', 'shape shape-R'], ['e5', 'shape shape-Y']]);
    assert.match(await page.locator('#player-below').innerText(), /Ada\s*2345\s*1:00:05\s*1/);
    assert.match(await page.locator('#player-above').innerText(), /Grace\s*59:00\s*0/);
    assert.equal(await page.locator('[data-node="3"] .nag').innerText(), '+/=');
    assert.doesNotMatch(await page.locator('#move-list').innerText(), /%cal/);
    await eventually(async () => { // what is loaded meanwhile may move the graph
      const graph = await page.locator('#graph svg').boundingBox();
      await page.mouse.click(graph.x + graph.width * 0.98, graph.y + 20);
      assert.equal(await page.evaluate(() => window.tabiya.doc.place), 4);
    });
    assert.equal(await page.title(), 'Ada – Grace, 1999 · tabiya');
    await page.context().close();
  });

  test('the right button draws, and the game keeps it; drawn again it goes', async () => {
    const page = await open();
    await click(page, 'e2', 'e4');
    const draw = async (from, to) => {
      await page.mouse.move(...await point(page, from));
      await page.mouse.down({ button: 'right' });
      await page.mouse.move(...await point(page, to));
      await page.mouse.up({ button: 'right' });
    };
    await draw('g1', 'f3');
    await page.keyboard.down('Shift');
    await draw('e5', 'e5');
    await page.keyboard.up('Shift');
    assert.match(await value(page, 'game-pgn'), /1\. e4 \{\[%csl Re5\] \[%cal Gg1f3\]\} \*/);
    await draw('g1', 'f3');
    assert.match(await value(page, 'game-pgn'), /1\. e4 \{\[%csl Re5\]\} \*/);
    await page.click('#comment-open');
    await page.fill('#comment', 'best by test');
    await page.press('#comment', 'Tab');
    assert.match(await value(page, 'game-pgn'), /1\. e4 \{best by test \[%csl Re5\]\} \*/);
    await page.click('#undo');
    assert.equal(await page.locator('.shape').count(), 1);
    await page.context().close();
  });
});

describe('around the board', () => {
  test('keys, wheel, autoplay, help, orientation in the link', async () => {
    const page = await open();
    await write(page, 'line-san', 'e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O'); // long enough not to end meanwhile
    await page.keyboard.press('Home');
    await page.keyboard.press('Space');
    assert.equal(await page.getAttribute('#play', 'aria-pressed'), 'true');
    await page.waitForFunction(() => window.tabiya.doc.place >= 1);
    await page.keyboard.press('Space');
    assert.equal(await page.getAttribute('#play', 'aria-pressed'), 'false');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight'); // a slow machine plays more than one move
    const place = await page.evaluate(() => window.tabiya.doc.place);
    await page.mouse.move(...await point(page, 'd4'));
    await page.mouse.wheel(0, 100);
    await page.waitForFunction((at) => window.tabiya.doc.place === at + 1, place);
    await page.mouse.wheel(0, -100);
    await page.waitForFunction((at) => window.tabiya.doc.place === at, place);
    await page.keyboard.press('?');
    assert.ok(await page.isVisible('#help-dialog'));
    assert.deepEqual(await faultsByAxe(page), []);
    await page.keyboard.press('Escape');
    await page.waitForSelector('#help-dialog', { state: 'hidden' });
    await page.keyboard.press('Shift+F');
    await page.waitForFunction(() => location.hash.endsWith('&side=black'));
    const other = await open(await page.evaluate(() => location.hash));
    assert.equal(await other.locator('[role=gridcell]').first().getAttribute('data-square'), 'h1');
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    assert.ok(await page.isHidden('.controls') && await page.isVisible('#print'));
    await page.context().close();
    await other.context().close();
  });

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
      const [, since, until, games] = label.replace('until ', '0001–').match(/^(\d+)–?(\d*): ([\d,]+) games/);
      const answer = await ask(`lichess?since=${since}&until=${until || since}&moves=0`);
      assert.equal(Number(games.replaceAll(',', '')), answer.white + answer.draws + answer.black, label);
    }
    assert.deepEqual(await faultsByAxe(page), []);
    await page.context().close();
  });

  test('a report on a player: by colour, first moves and years', async () => {
    const page = await open();
    await page.click('#tab-players');
    await page.fill('#report-player', 'Paul Morphy');
    await page.press('#report-player', 'Enter');
    const reported = () => page.waitForFunction(() => document.getElementById('report').ariaBusy === 'false' && document.querySelectorAll('#report table').length === 2);
    await reported();
    const white = find('--white', 'Paul Morphy', '--limit', '100');
    assert.equal(await page.locator('#report table').first().locator('tbody .count').first().innerText(), String(white.length));
    assert.deepEqual(await faultsByAxe(page), []);
    await page.fill('#report-player', 'Paul Murphy');
    await page.press('#report-player', 'Enter');
    await page.locator('#report button', { hasText: 'Paul Morphy' }).click();
    await reported();
    await page.fill('#report-player', 'Nobody');
    await page.press('#report-player', 'Enter');
    await page.waitForFunction(() => /No games of “Nobody”/.test(document.getElementById('report').textContent));
    await page.context().close();
  });

  test('where the game leaves the database', async () => {
    const page = await open();
    await write(page, 'line-san', 'e4 c5 Nf3 d6 d4 cxd4 a4');
    const games = execFileSync(program, ['explore', database, '--json', 'e4', 'c5', 'Nf3', 'd6', 'd4', 'cxd4'], { encoding: 'utf8' });
    assert.ok(JSON.parse(games).games > 0 && !/"a4"/.test(games));
    await page.click('#find-novelty');
    await page.waitForFunction(() => /New here: 4\. a4/.test(document.getElementById('novelty-text').textContent));
    await page.context().close();
  });

  test('an engine that the server has: off until asked for, lines with scores, ended with the switch', async () => {
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

  test('without an engine and without a database nothing is missing but their panels', async () => {
    const page = await open('', {}, (context) => context.route('**/api', (route) => route.fulfill({ json: { database: null } })));
    for (const id of ['engine', 'explorer']) assert.ok(await page.isHidden(`#${id}`), id);
    await page.click('#tab-games');
    assert.match(await page.locator('#panel-games').innerText(), /^There are no games yet/);
    assert.deepEqual(await faultsByAxe(page), []);
    await showTab(page, 'moves');
    await click(page, 'e2', 'e4');
    assert.equal(await value(page, 'line-san'), 'e4');
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

describe('first games', () => {
  const DIRECT = { serviceWorkers: 'block' }; // a request forwarded by a service worker cannot be held back
  const text = (page) => page.locator('#games-count').innerText();
  const says = (page, expected) => page.waitForFunction((wanted) => document.getElementById('games-count').textContent === wanted, expected)
    .catch(async () => assert.equal(await text(page), expected));
  /** Holds back the requests that match until `release` is called, and counts them. */
  async function hold(page, pattern) {
    let release;
    const held = { n: 0, until: new Promise((resolve) => { release = resolve; }) };
    await page.route(pattern, async (route) => {
      held.n++;
      await held.until;
      await route.continue();
    });
    return Object.assign(held, { release });
  }

  test('they are shown before all are counted, and a list that fits on one page does not wait for its number', async () => {
    const page = await open('', DIRECT);
    const counts = await hold(page, /api\/find\?.*count=1/);
    await page.click('#tab-games');
    await page.waitForSelector('#games-list [data-game]');
    await says(page, '100+ games');
    await eventually(async () => assert.equal(await page.getAttribute('#games-table', 'aria-busy'), 'false'));
    counts.release();
    await says(page, `${find('--limit', '100000').length.toLocaleString('en')} games`);
    await page.fill('#query', 'player Morphy');
    await page.press('#query', 'Enter');
    await says(page, `${find('player Morphy').length} games`);
    await page.context().close();
  });

  test('games that the server finds soon are shown while it searches for others', async () => {
    const page = await open('', DIRECT);
    const [first, second] = find('mate', '--limit', '2');
    await page.route(/api\/find\?.*soon=/, (route) => route.fulfill({ json: { games: [first, second], more: true } }));
    const others = await hold(page, /api\/find\?(?!.*soon=)(?!.*sort=-elo)/);
    await page.evaluate(() => { document.getElementById('games-order').value = 'found'; });
    await page.click('#tab-games');
    await says(page, '2 games so far, searching …');
    assert.equal(await page.locator('#games-list [data-game]').count(), 2);
    others.release();
    await says(page, `${find('--limit', '100000').length.toLocaleString('en')} games`);
    await eventually(async () => assert.ok(await page.locator('#games-list [data-game]').count() > 10));
    await page.context().close();
  });

  test('a search that ends with an error after its first games says so', async () => {
    const page = await open('', DIRECT);
    await page.route(/api\/find\?.*count=1/, (route) => route.fulfill({ status: 503, json: { error: 'this takes more than 10 seconds' } }));
    await page.click('#tab-games');
    await says(page, '100 games (the search was not finished: this takes more than 10 seconds)');
    await eventually(async () => assert.ok(await page.locator('#games-list [data-game]').count() > 10));
    await closeWithErrors(page, /status of 503/);
  });
});

describe('offline and elsewhere', () => {
  before(() => allowWorkers());
  after(() => allowWorkers(false));

  test('the worker keeps every file of the page, and the board works without the server', async () => {
    const served = readFileSync(join(root, 'web/manifest.txt'), 'utf8').split('\n').filter((line) => line.startsWith('/'))
      .filter((line) => /\boffline\b/.test(line)).map((line) => line.split(/\s+/)[0]).sort();
    const page = await open();
    const source = await page.evaluate(async () => (await fetch('worker.mjs')).text());
    const kept = [...source.match(/const FILES = \[([^]*?)\]/)[1].matchAll(/'([^']+)'/g)].map((match) => (match[1] === './' ? '/' : `/${match[1]}`)).sort();
    assert.deepEqual(kept, served);
    for (const path of ['/', '/page.mjs', '/tabiya.wasm', '/style.css', '/pieces.svg']) assert.ok(kept.includes(path), path);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    await page.waitForFunction(async (n) => (await (await caches.open('tabiya')).keys()).length >= n, kept.length);
    const manifest = await page.evaluate(async () => (await fetch(document.querySelector('link[rel=manifest]').href)).json());
    assert.equal(manifest.display, 'standalone');
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    await page.context().setOffline(true);
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    await click(page, 'e2', 'e4');
    await page.waitForFunction(() => /King's Pawn/.test(document.getElementById('opening').textContent));
    await closeWithErrors(page, /ERR_INTERNET_DISCONNECTED|Failed to fetch/);
  });

  test('a second visit asks for the page, not for its files', async () => {
    const page = await open();
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    const nFiles = () => page.evaluate(async () => (await (await fetch('metrics')).text()).split('\n')
      .filter((line) => line.startsWith('tabiya_requests_total{path="files"')).reduce((sum, line) => sum + Number(line.split(' ')[1]), 0));
    const reload = async () => { // to the last file, the names of openings
      await page.reload();
      await page.waitForSelector('body[data-ready]');
      await page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => name.endsWith('openings.tsv')));
    };
    await reload();
    const before = await nFiles();
    await reload();
    const after = await nFiles();
    assert.ok(after > before, 'the page itself');
    assert.ok(after - before <= 4, `${after - before} requests for files`);
    await page.context().close();
  });

  test('<tabiya-board> on another page: walks, plays, turns', async () => {
    const types = { mjs: 'text/javascript', css: 'text/css', svg: 'image/svg+xml', wasm: 'application/wasm' };
    const files = ['tabiya-board.mjs', 'board.mjs', 'dom.mjs', 'tabiya.mjs', 'board.css', 'pieces.svg'];
    const host = createServer((request, response) => {
      const name = request.url.slice(1);
      response.setHeader('Content-Type', types[name.split('.').at(-1)] ?? 'text/html;charset=utf-8');
      if (files.includes(name)) response.end(readFileSync(join(root, 'web', name)));
      else if (name === 'tabiya.wasm') response.end(readFileSync(join(build, 'web/tabiya.wasm')));
      else response.end('<!doctype html><html lang="en"><title>x</title><link rel="icon" href="data:,"><script type="module" src="tabiya-board.mjs"></script>'
        + '<main><h1>x</h1><tabiya-board id="a" pgn="1. e4 e5 2. Nf3" ply="2" orientation="black"></tabiya-board>'
        + '<tabiya-board id="b" fen="8/4P2k/8/8/8/8/8/K7 w - - 0 1" playable></tabiya-board></main>');
    });
    await new Promise((resolve) => { host.listen(0, '127.0.0.1', resolve); });
    const page = await open('', {}, async () => {}, `http://127.0.0.1:${host.address().port}/`, 'tabiya-board');
    await page.waitForFunction(() => [...document.querySelectorAll('tabiya-board')].every((element) => element.game));
    const text = () => page.evaluate(() => document.getElementById('a').shadowRoot.querySelector('output').textContent);
    assert.equal(await text(), '1… e5');
    await page.locator('#a').getByRole('button', { name: 'Forward one move' }).click();
    assert.equal(await text(), '2. Nf3');
    assert.equal(await page.evaluate(() => document.getElementById('a').shadowRoot.querySelector('[role=gridcell]').dataset.square), 'h1');
    assert.equal(await page.evaluate(() => document.getElementById('a').shadowRoot.querySelectorAll('.piece').length), 32);
    const square = (name) => page.locator(`#b [role=gridcell][data-square=${name}]`).boundingBox();
    for (const name of ['e7', 'e8']) {
      const { x, y, width } = await square(name);
      await page.mouse.click(x + width / 2, y + width / 2);
    }
    await page.locator('#b [data-promotion=n]').click();
    assert.equal(await page.evaluate(() => { const b = document.getElementById('b'); return b.game.position(b.node).write(); }), '4N3/7k/8/8/8/8/8/K7 b - - 0 1');
    assert.deepEqual(await faultsByAxe(page), []);
    await page.context().close();
    host.close();
  });

  test('a cold load is under 250 kB compressed and 35 requests, without a shift of the layout', async () => {
    const sizes = [];
    const page = await open('', {}, async (context) => {
      context.on('requestfinished', (request) => {
        if (/openings\.tsv/.test(request.url())) return; // requested after the board is shown
        sizes.push(request.sizes().catch(() => null));
      });
      await context.addInitScript(() => {
        window.shift = 0;
        new PerformanceObserver((list) => { for (const { value: shift } of list.getEntries()) window.shift += shift; }).observe({ type: 'layout-shift', buffered: true });
      });
    });
    await page.waitForSelector('#explorer-games li');
    await page.waitForFunction(() => document.getElementById('explorer').ariaBusy === 'false');
    await page.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); }));
    const shift = await page.evaluate(() => window.shift);
    const bytes = (await Promise.all(sizes)).reduce((sum, part) => sum + (part?.responseBodySize ?? 0), 0);
    await page.context().close();
    assert.ok(bytes > 80_000 && bytes < 250_000, `${bytes} bytes`);
    assert.ok(sizes.length <= 35, `${sizes.length} requests`);
    assert.ok(shift < 0.01, `shift ${shift}`);
  });

  test('no file waits for another: the page itself requests the module and all scripts', async () => {
    const asked = new Set();
    let release;
    const held = new Promise((resolve) => { release = resolve; });
    const ready = open('', { serviceWorkers: 'block' }, async (context) => {
      context.on('request', (request) => asked.add(new URL(request.url()).pathname.replace(/^\/v\/[0-9a-f]+/, '')));
      await context.route('**/start.mjs', async (route) => {
        await held;
        await route.continue();
      });
    });
    const wanted = ['/start.mjs', '/page.mjs', '/tabiya.wasm'];
    await eventually(() => assert.deepEqual(wanted.filter((path) => !asked.has(path)), []));
    const early = new Set([...asked].filter((path) => /\.(mjs|wasm)$/.test(path)));
    release();
    const page = await ready;
    assert.deepEqual([...early].filter((path) => !wanted.includes(path)), [], 'requested but not used');
    const twice = await page.evaluate(() => {
      const names = performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => /\.(mjs|wasm)$/.test(name));
      return names.filter((name, i) => names.indexOf(name) !== i);
    });
    assert.deepEqual(twice, []);
    await page.context().close();
  });

  test('no task takes more than 100 ms of processor time, in a cold load or when opening 5,000 games', { skip: slow > 0 }, async () => {
    const games = '[White "A"]\n[Black "B"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 *\n\n'.repeat(5000);
    const loaded = await longestTask(async () => {
      const page = await open();
      await page.waitForSelector('#explorer-games li');
      await page.context().close();
    });
    const page = await open();
    const opened = await longestTask(async () => {
      await page.setInputFiles('#file', { name: 'many.pgn', mimeType: 'text/plain', buffer: Buffer.from(games) });
      await page.waitForFunction(() => /^5,000 games$/.test(document.getElementById('games-count').textContent));
    });
    await page.context().close();
    console.log(`longest tasks: ${loaded} ms, ${opened} ms`);
    assert.ok(loaded > 0 && loaded <= 100, `a cold load: ${loaded} ms`);
    assert.ok(opened > 0 && opened <= 100, `5,000 games: ${opened} ms`);
  });

  test('a file is read a few games at a time, and the page does other work in between', async () => {
    const page = await open('', {}, (context) => context.addInitScript(() => {
      window.rests = 0;
      scheduler.yield = () => new Promise((resolve) => {
        window.rests++;
        setTimeout(resolve);
      });
    }));
    await page.evaluate(() => {
      const { library } = window.tabiya;
      const { games } = Object.getPrototypeOf(library);
      window.parts = [];
      library.games = function* counted(...args) {
        let part = -1;
        for (const game of games.apply(library, args)) {
          if (part !== window.rests) window.parts.push(0);
          part = window.rests;
          window.parts[window.parts.length - 1]++;
          yield game;
        }
      };
    });
    await page.setInputFiles('#file', { name: 'many.pgn', mimeType: 'text/plain', buffer: Buffer.from('[White "A"]\n\n1. e4 e5 *\n\n'.repeat(1234)) });
    await page.waitForFunction(() => /^1,234 games$/.test(document.getElementById('games-count').textContent));
    const parts = await page.evaluate(() => window.parts);
    assert.ok(Math.max(...parts) <= 50, parts.join());
    await page.context().close();
  });
});
