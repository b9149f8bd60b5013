/*
 * games.test.mjs - the list of games: search, order, first rows, selection.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { DIRECT, WIDE, answer, assertSeen, closeWithErrors, complaints, database, eventually, faultsByAxe, find, hold, listGames, listed, open, ownClock, program, showTab, size, value, wideList, write } from './browser.mjs';
import { root } from './support.mjs';

const shownGame = (page) => page.evaluate(() => window.tabiya.doc.origin?.id);

describe('games', () => {
  /** Acts, and waits for the list that this asks for: the table is busy from the request on, which alone has `soon`. */
  async function search(page, act) {
    const asked = page.waitForRequest(/api\/find\?.*offset=0/);
    await act();
    await asked;
    await page.waitForFunction(() => document.getElementById('games-table').ariaBusy === 'false');
  }
  /** The table shows the games that fit: the first of these. */
  const assertListed = (page, expected, message) => eventually(async () => {
    const listed = await page.locator('#games-list [data-game]').evaluateAll((all) => all.map((row) => Number(row.dataset.game)));
    assert.ok(listed.length === Math.min(expected.length, listed.length) && (listed.length > 10 || listed.length === expected.length), message);
    assert.deepEqual(listed, expected.slice(0, listed.length), message);
  });
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
    await assertListed(page, find('event "*Casual game*"', '--result', '1-0', '--limit', '50').map((game) => game.id));
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

  test('a wrong query shows the location and the reason at its field', async () => {
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

  test('a file stays open as a list with all its games, and bad games have the moves before their fault', async () => {
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

  test('the first games are shown before all are counted, and a list of one page does not wait for the count', async () => {
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

describe('the table of games', () => {
  test('20 rows and more in a wide list at 1900x900, 14 of two lines at 1440x900; a board on hover and by Space', async () => {
    const wide = await open('#tab=games', size(1900, 900), wideList);
    await listed(wide);
    await eventually(async () => assert.ok(await wide.locator('#games-list [data-game]').count() >= 20));
    await wide.context().close();
    const page = await open('', size(1440, 900), ownClock);
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
    await page.clock.runFor(1000); // later than the timer of the preview
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

describe('a list that changes', () => {
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
    const page = await open('', DIRECT, ownClock);
    await listGames(page);
    const asked = page.waitForRequest(/api\/find\?.*offset=0/);
    await page.fill('#query', 'player Paul');
    await page.waitForSelector('#query-names li');
    await asked;
    await page.waitForFunction(() => document.getElementById('games-table').ariaBusy === 'false');
    await page.click('#select-open');
    await page.locator('#games-list .pick input').first().click();
    await page.clock.runFor(1000); // a search would have begun
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
});

test('the console was silent, and no request went to other hosts', () => {
  assert.deepEqual(complaints, []);
});
