/*
 * write.test.mjs - the page of `serve --write`: games are saved, changed and deleted, and collections are made; none of
 * this appears for a server or an address that may not write.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { PHONE, closeWithErrors, complaints, database, eventually, faultsByAxe, open, program, serve, settled, showTab, value, work } from './browser.mjs';

const own = join(work, 'own.db');
let address;
before(async () => {
  copyFileSync(database, own);
  address = await serve(own, '--write');
});

const tabiya = (...args) => spawnSync(program, args, { encoding: 'utf8' }).stdout.trim();
const count = (query) => Number(tabiya('find', own, '--count', query));
const opened = (fragment = '', options = {}) => open(fragment, options, async () => {}, address);
/** Acts, and waits for a message, which may not be shown for long. */
const says = (page, text, act) => Promise.all([page.waitForFunction((wanted) => document.getElementById('toast').matches(':popover-open')
  && document.getElementById('toast-text').textContent.includes(wanted), text), act()]);
const stateOf = (page, text) => page.waitForFunction((wanted) => document.getElementById('store-state').textContent === wanted, text);
const listed = (page) => page.waitForFunction(() => document.getElementById('games-table').ariaBusy === 'false' && document.querySelector('#games-list [data-game]')
  && /^[\d,]+ games?$/.test(document.getElementById('games-count').textContent));
/** Acts, and waits for the list to be searched again, which follows a change. */
async function relisted(page, act) {
  const asked = page.waitForRequest(/api\/find\?.*offset=0/);
  await act();
  await asked;
  await listed(page);
}
const openBox = async (page) => {
  if (await page.isVisible('#store-box')) return;
  await showTab(page, 'moves');
  await page.click('#store-open');
};
/** The boxes of the rows are there while games are selected. */
async function select(page, n = 0) {
  if (!await page.locator('#games-list [data-game] .pick').first().isVisible()) await page.click('#select-open');
  await page.locator('#games-list [data-game] .pick').nth(n).click();
}
const play = (page, ...moves) => page.evaluate((list) => { for (const move of list) window.tabiya.doc.play(move); }, moves);

describe('who may', () => {
  test('a server without --write, and an address without the token, show nothing of it', async () => {
    for (const from of [undefined, address.replace(/\?.*/, '')]) {
      const page = await open('', {}, async () => {}, from);
      assert.ok(await page.locator('#store-save').isHidden());
      await page.keyboard.press('Control+s').catch(() => {});
      await page.context().close();
    }
  });

  test('the token leaves the address, and a reload still has it', async () => {
    const page = await opened();
    assert.ok(!page.url().includes('token'), page.url());
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    assert.ok(await page.locator('#store-save').isVisible());
    await says(page, 'Link copied', () => page.click('#share'));
    assert.ok(!(await page.evaluate(() => navigator.clipboard.readText())).includes('token'));
    await page.context().close();
  });
});

describe('refusals', () => {
  test('a change that the server refuses is reported, and keeps the name that was typed and the selection', async () => {
    const page = await open('', { serviceWorkers: 'block' }, (context) => context.route('**/api/collections/*', (route) => route.fulfill({ status: 403,
      json: { error: 'the token is missing or wrong: use the address that tabiya serve printed' } })), address);
    await page.click('#tab-games');
    await listed(page);
    for (const n of [0, 2]) await select(page, n);
    await page.fill('#selection-collection', 'To look at');
    await says(page, 'The database was not changed: the token is missing or wrong', () => page.press('#selection-collection', 'Enter'));
    assert.equal(await page.inputValue('#selection-collection'), 'To look at');
    assert.equal(await page.locator('#selection-count').innerText(), '2 selected');
    await closeWithErrors(page, /status of 403/);
  });
});

describe('games', () => {
  test('a game is saved, changed and saved again', async () => {
    const page = await opened();
    await openBox(page);
    await stateOf(page, 'Not in the database');
    assert.ok(await page.isDisabled('#store-delete'));
    await play(page, 'a3', 'h6', 'a4');
    await says(page, 'Saved as game', () => page.click('#store-save'));
    const [first] = tabiya('find', own, '--ids', 'opening "1. a3 h6 2. a4"').split('\n');
    await stateOf(page, `Game ${first} of the database`);
    await page.waitForFunction((id) => location.hash.startsWith(`#game=${id}&`), first);
    assert.ok(await page.isDisabled('#store-save'));

    // Tags and moves, with the usual editor and the keyboard.
    await page.click('#tags-open');
    await page.fill('#tags input >> nth=0', 'Me, Myself');
    await page.keyboard.press('Tab');
    await play(page, 'h5');
    await stateOf(page, `Game ${first} of the database, changed`);
    await says(page, `Saved as game ${Number(first) + 1}`, () => page.keyboard.press('Control+s'));
    assert.equal(count('opening "1. a3 h6 2. a4 h5"'), 1);
    assert.equal(count(`id ${first}`), 0);
    assert.match(tabiya('export', own, `id ${Number(first) + 1}`), /Me, Myself/);

    // After undoing, the change belongs to the game under its new number.
    await page.evaluate(() => window.tabiya.doc.undo());
    await stateOf(page, `Game ${Number(first) + 1} of the database, changed`);
    await says(page, `Saved as game ${Number(first) + 2}`, async () => {
      await openBox(page);
      await page.click('#store-copy');
    });
    assert.equal(count('opening "1. a3 h6 2. a4"'), 2);
    await page.evaluate(() => window.tabiya.doc.setGame(window.tabiya.library.game('1. e4 *'), () => 0, 'open'));
    await stateOf(page, 'Not in the database');
    await page.context().close();
  });

  test('a game that another tab has saved meanwhile: both versions, and a way to keep both', async () => {
    const page = await opened('#game=9');
    await page.waitForFunction(() => window.tabiya.doc.origin?.id === 9);
    const other = await opened('#game=9');
    await other.waitForFunction(() => window.tabiya.doc.origin?.id === 9);
    for (const [tab, text] of [[other, 'theirs'], [page, 'mine']])
      await tab.evaluate((comment) => { const { doc } = window.tabiya; doc.edit((game) => game.setComment(0, comment)); }, text);
    await says(other, 'Saved as game', () => other.keyboard.press('Control+s'));
    await page.keyboard.press('Control+s');
    await page.waitForSelector('#conflict-dialog[open]');
    assert.match(await page.innerText('#conflict-mine'), /mine/);
    assert.deepEqual(await faultsByAxe(page), []);
    const before = count('id 1..');
    await says(page, 'Saved as game', () => page.click('#conflict-dialog [value=both]'));
    assert.equal(count('id 1..'), before + 1);
    await page.context().close();
    await closeWithErrors(other, /status of 404/);
    complaints.splice(0, complaints.length, ...complaints.filter((text) => !/status of 404/.test(text)));
  });

  test('a game that is there already is refused, and nothing is lost', async () => {
    const page = await opened('#game=3');
    await openBox(page);
    await stateOf(page, 'Game 3 of the database');
    const pgn = await value(page, 'game-pgn');
    await page.evaluate((text) => window.tabiya.doc.setGame(window.tabiya.library.game(text), () => 0, 'open'), pgn);
    await says(page, 'the database has this game already', () => page.click('#store-save'));
    await closeWithErrors(page, /status of 409/);
  });

  test('a deleted game comes back with Undo, in its collections', async () => {
    tabiya('collection', 'add', own, 'Kept', '--ids', '5');
    const before = tabiya('export', own, 'id 5');
    const page = await opened('#game=5');
    await openBox(page);
    await says(page, '1 game deleted', () => page.click('#store-delete'));
    assert.equal(count('id 5'), 0);
    await stateOf(page, 'Not in the database');
    await play(page, 'a3'); // Undo stays available, whatever happens meanwhile
    await page.evaluate(() => window.tabiya.doc.undo());
    await says(page, '1 game restored', () => page.click('#toast-action'));
    const id = tabiya('find', own, '--ids', 'collection kept');
    assert.equal(tabiya('export', own, `id ${id}`), before);
    await stateOf(page, `Game ${id} of the database`);
    await page.context().close();
  });
});

describe('importing', () => {
  test('the games of a file are added, those that are there already are skipped, and broken ones stay', async () => {
    const page = await opened();
    const game = (name, moves) => `[White "${name}"]\n[Black "Import"]\n\n${moves} *\n\n`;
    await page.setInputFiles('#file', { name: 'three.pgn', mimeType: 'text/plain', buffer: Buffer.from(game('One', '1. a4 h5') + game('Two', '1. a4 h6') + game('Three', '1. a4 Nf4')) });
    await page.click('#import-start');
    await eventually(async () => assert.equal(await page.innerText('#import-text'), '2 added, 0 there already, 1 with errors'));
    assert.equal(count('black Import'), 2);
    await page.click('#import-start');
    await eventually(async () => assert.equal(await page.innerText('#import-text'), '0 added, 2 there already, 1 with errors'));
    assert.equal(count('black Import'), 2);
    assert.deepEqual(await faultsByAxe(page), []);
    await closeWithErrors(page, /status of 409/);
  });
});

describe('collections', () => {
  test('the game on the board goes into a collection, and out of it', async () => {
    const page = await opened('#game=7');
    await openBox(page);
    await page.fill('#store-collection', 'Mine "own"');
    await says(page, '1 game added to “Mine "own"”', () => page.press('#store-collection', 'Enter'));
    await page.waitForFunction(() => document.querySelector('#store-collections span')?.textContent === 'Mine "own"');
    assert.equal(count('collection ="Mine \\"own\\""'), 1);
    await says(page, '1 game removed from “Mine "own"”', () => page.click('#store-collections button'));
    await page.waitForFunction(() => !document.querySelector('#store-collections li'));
    await says(page, '1 game added to “Mine "own"”', () => page.click('#toast-action'));
    await page.fill('#store-collection', 'Mine "own"');
    await says(page, 'Already in “Mine "own"”', () => page.press('#store-collection', 'Enter'));
    await eventually(async () => {
      const [label, field, button] = await page.evaluate(() => [...document.getElementById('store-form').children].map((part) => part.getBoundingClientRect().bottom));
      assert.ok(label <= field && Math.abs(field - button) <= 2, `one line: ${label} ${field} ${button}`);
    });
    await page.context().close();
  });

  test('an old answer does not replace the collections of a game', async () => {
    let held = null;
    const until = new Promise((resolve) => { held = { release: resolve }; });
    const page = await open('#game=8', { serviceWorkers: 'block' }, (context) => context.route('**/api/collections?game=8', async (route) => {
      const response = await route.fetch();
      if (!held.response) { // the first one, from before the change
        held.response = response;
        await until;
      }
      await route.fulfill({ response });
    }), address);
    await stateOf(page, 'Game 8 of the database');
    await openBox(page);
    await eventually(() => assert.ok(held.response));
    await page.fill('#store-collection', 'Newer');
    await page.press('#store-collection', 'Enter');
    const names = () => page.locator('#store-collections span').allInnerTexts();
    await eventually(async () => assert.deepEqual(await names(), ['Newer']));
    held.release();
    await settled(page);
    assert.deepEqual(await names(), ['Newer']);
    await page.context().close();
  });

  test('an answer from before a change is not cached', async () => {
    const asked = [];
    let release;
    const until = new Promise((resolve) => { release = resolve; });
    const page = await open('', { serviceWorkers: 'block' }, (context) => context.route(/api\/explore\?fen=[^&]*\+b\+/, async (route) => {
      const response = await route.fetch();
      asked.push(route.request().url());
      if (asked.length === 1) await until;
      await route.fulfill({ response });
    }), address);
    await openBox(page);
    await play(page, 'a4');
    await eventually(() => assert.equal(asked.length, 1));
    await says(page, 'Saved as game', () => page.click('#store-save'));
    release();
    const isIdle = () => page.waitForFunction(() => document.getElementById('explorer').ariaBusy === 'false');
    await isIdle();
    await page.evaluate(() => window.tabiya.doc.goTo(-1));
    await isIdle();
    await page.evaluate(() => window.tabiya.doc.goTo(0));
    await eventually(() => assert.equal(asked.length, 2, 'the answer that was given before the game was saved'));
    await page.context().close();
  });

  test('games of the list are collected, searched in, removed and deleted', async () => {
    const page = await opened();
    await page.click('#tab-games');
    await listed(page);
    await page.fill('#query', 'player anderssen');
    await page.press('#query', 'Enter');
    await page.waitForFunction(() => /^[1-9]\d? games$/.test(document.getElementById('games-count').textContent));
    await listed(page);
    for (const i of [0, 1]) await select(page, i);
    await page.fill('#selection-collection', 'Two');
    await relisted(page, () => says(page, '2 games added to “Two”', () => page.press('#selection-collection', 'Enter')));
    assert.equal(count('collection two player anderssen'), 2);

    await page.click('#form-open');
    await page.waitForFunction(() => [...document.getElementById('search-collection').options].some((option) => option.textContent === 'Two (2)'));
    await page.selectOption('#search-collection', 'Two');
    await page.waitForFunction(() => document.getElementById('games-count').textContent === '2 games');
    await page.waitForFunction(() => location.hash.includes('collection=Two'));
    await listed(page);
    await select(page);
    assert.equal(await page.textContent('#selection-remove'), 'Remove from “Two”');
    await says(page, '1 game removed from “Two”', () => page.click('#selection-remove'));
    await page.waitForFunction(() => document.getElementById('games-count').textContent === '1 game');

    await listed(page);
    await select(page);
    const all = count('id 1..');
    await says(page, '1 game deleted', () => page.click('#selection-delete'));
    assert.equal(count('id 1..'), all - 1);
    await says(page, '1 game restored', () => page.click('#toast-action'));
    assert.equal(count('id 1..'), all);
    assert.equal(count('collection two'), 1);
    await page.context().close();
  });

  test('all games found go into a collection at once, and out of it', async () => {
    const page = await opened();
    await page.click('#tab-games');
    await listed(page);
    assert.ok(await page.isHidden('#found-form')); // nothing was searched for
    await page.fill('#query', 'player morphy result 1-0');
    await page.press('#query', 'Enter');
    const n = count('player morphy result 1-0');
    await page.waitForFunction((text) => document.getElementById('found-label').textContent.includes(text) && !document.getElementById('found-form').hidden, `all ${n} games`);
    await page.fill('#found-collection', 'Won');
    await relisted(page, () => says(page, `${n} games added to “Won”`, () => page.press('#found-collection', 'Enter')));
    assert.equal(count('collection won player morphy'), n);
    await relisted(page, () => says(page, `${n} games removed from “Won”`, () => page.click('#toast-action')));
    assert.equal(count('collection won'), 0);
    await select(page);
    assert.ok(await page.isHidden('#found-form')); // selected games have a separate form
    await page.context().close();
  });

  test('a saved game is found at once, by every kind of search', async () => {
    const page = await opened();
    await openBox(page);
    await page.evaluate(() => { const { doc, library } = window.tabiya; doc.setGame(library.game('[Event "Club evening"]\n[White "Quillfeather, Zebulon"]\n[Black "Nobody"]\n[Date "2031.02.03"]\n'
      + '[WhiteElo "3111"]\n[BlackElo "3122"]\n[Result "1-0"]\n\n1. h4 a5 2. Rh3 Ra6 3. Rb3 Rh6 {a word like flummery} 4. Rxb7 1-0'), () => 0, 'open'); });
    await says(page, 'Saved as game', () => page.click('#store-save'));
    const queries = ['player Quillfeather', '~"Zebulon Quillfeather"', 'event "club evening"', 'date 2031', 'elo 3000..', 'opening "1. h4 a5 2. Rh3 Ra6"', 'Rb7 rh6',
      'fen "1nbqkbnr/1Rpppppp/7r/p7/7P/8/PPPPPPP1/RNBQKBN1 b Qk - 0 4"', 'R{b}=1 R{a}=1 P=8', 'comment flummery', 'Rxb7 date 2031..', 'eco A00 date 2031'];
    for (const query of queries) {
      const { games } = await page.evaluate(async (q) => (await fetch(`api/find?${new URLSearchParams({ q })}`)).json(), query.startsWith('~') ? `player ${query}` : query);
      assert.ok(games.some(({ white }) => white === 'Quillfeather, Zebulon'), query);
    }
    const explored = await page.evaluate(async () => (await fetch('api/explore?moves=1.+h4+a5+2.+Rh3+Ra6')).json());
    assert.deepEqual(explored.moves.map(({ san }) => san), ['Rb3']);
    const names = await page.evaluate(async () => (await fetch('api/names?prefix=Quillf')).json());
    assert.equal(names.names[0]?.games, 1);
    const sorted = await page.evaluate(async () => (await fetch('api/find?sort=-elo&limit=1')).json());
    assert.equal(sorted.games[0].white, 'Quillfeather, Zebulon');
    await page.context().close();
  });

  test('a page that only reads searches in collections', async () => {
    tabiya('collection', 'add', own, 'To read', '--ids', '1,2,3');
    const page = await open('', {}, async () => {}, address.replace(/\?.*/, ''));
    await page.click('#tab-games');
    await listed(page);
    await page.click('#form-open');
    await page.waitForFunction(() => !document.getElementById('search-collections').hidden);
    await page.selectOption('#search-collection', 'To read');
    await page.waitForFunction(() => document.getElementById('games-count').textContent === '3 games');
    await listed(page);
    await select(page);
    assert.ok(await page.locator('#selection-form').isHidden());
    await page.context().close();
  });
});

describe('everywhere', () => {
  for (const [name, options] of [['wide', {}], ['a phone', PHONE], ['dark', { colorScheme: 'dark' }]])
    test(`axe finds nothing, and all fits, on ${name}`, async () => {
      const page = await opened('#game=7', options);
      await openBox(page);
      await page.waitForFunction(() => document.getElementById('store-state').textContent.startsWith('Game 7'));
      const box = page.locator('#store-box');
      await box.scrollIntoViewIfNeeded();
      assert.deepEqual(await faultsByAxe(page), []);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'it is wider than the window');
      await page.click('#tab-games');
      await listed(page);
      await select(page);
      await page.locator('#selection-delete').scrollIntoViewIfNeeded();
      assert.deepEqual(await faultsByAxe(page), []);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the list is wider than the window');
      await page.context().close();
    });
});

test('the console was silent, and no request went to other hosts', () => {
  assert.deepEqual(complaints, []);
});
