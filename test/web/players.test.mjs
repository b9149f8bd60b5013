/*
 * players.test.mjs - players: their page, reports, preparation; and one's own lines.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { PHONE, WIDE, closeWithErrors, complaints, database, explored, faultsByAxe, find, found, open, openText, program, size, sized, value, write } from './browser.mjs';
import { GAME } from './samples.mjs';

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

describe('reports', () => {
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

  test('one year in a report is a bar, not a block', async () => {
    const page = await sized(1440, 900);
    await page.click('#tab-players');
    await page.fill('#report-player', 'Morphy');
    await page.press('#report-player', 'Enter');
    await page.waitForSelector('#report .year-column');
    assert.ok((await page.locator('#report .year-column').first().boundingBox()).width <= 80);
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

  test('moves new since a date have a sign that lists their games', async () => {
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

describe('my lines', () => {
  const PGN = '1. e4 e5 (1... c5 2. Nf3 d6 3. d4) 2. Nf3 Nc6 3. Bb5 *\n';
  const take = async (page, text = PGN) => {
    await page.click('#tab-lines');
    await page.setInputFiles('#lines-input', { name: 'mine.pgn', mimeType: 'text/plain', buffer: Buffer.from(text) });
    await page.waitForFunction(() => /mine\.pgn: 10 positions/.test(document.getElementById('lines-state').textContent));
  };

  test('the place where the open game left my lines is shown; lines survive a reload and can be forgotten', async () => {
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

  test('lines are practised: a wrong move is asked again soon, a right one after days', async () => {
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

describe('practice', () => {
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
});

test('the console was silent, and no request went to other hosts', () => {
  assert.deepEqual(complaints, []);
});
