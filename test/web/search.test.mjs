/*
 * search.test.mjs - searching: names, words of the language, drawn and saved searches.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { emptyDrawing, readDrawing, writeDrawing } from '../../web/drawing.mjs';
import { typedAt } from '../../web/typing.mjs';
import { DIRECT, PHONE, WIDE, answer, assertSeen, closeWithErrors, complaints, database, eventually, faultsByAxe, found, hold, listGames, listed, open, program, searchFor, showSearch, size, sized, tabiya } from './browser.mjs';

const counted = (page, text) => page.waitForFunction((wanted) => document.getElementById('games-count').textContent === wanted, text);
/** How many games the program finds; null if the text is no query. */
function countOf(query) {
  const { status, stdout } = spawnSync(program, ['find', database, query, '--count'], { encoding: 'utf8' });
  return status > 1 ? null : Number(stdout);
}
/** Clicks in the middle of a square of the board that is drawn on, when nothing moves it any more. */
async function tap(page, square) {
  await page.waitForSelector('#draw-frame [role=gridcell]');
  const { width, height } = await page.locator('#draw-frame').boundingBox();
  await page.locator('#draw-frame').click({ position: { x: (('abcdefgh'.indexOf(square[0]) + 0.5) * width) / 8, y: ((8.5 - square[1]) * height) / 8 } });
}
const tool = (page, letter) => page.click(`#draw-palette [data-tool="${letter}"]`);

describe('names and words', () => {
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

  test('a name in any spelling, two names, and words that are not names', async () => {
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

  test('the reading of a query is shown while the search still runs, and removed when a text cannot be read', async () => {
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

describe('no hits', () => {
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
});

describe('late answers', () => {
  test('an incomplete name is not reported when names are suggested for it, even late', async () => {
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

  test('the error of a cancelled search is not shown', async () => {
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

  test('typed text stays when the first piece is drawn before the patterns are loaded', async () => {
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
});

test('Enter shows what was understood while the field keeps the focus, and a key shows the text again', async () => {
  const page = await open('', WIDE);
  await page.fill('#query', 'Paul Morphy');
  await page.press('#query', 'Enter');
  await page.waitForSelector('#chips .chip');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'query');
  await page.keyboard.press('End');
  assert.ok(await page.isHidden('#chips'));
  assert.equal(await page.inputValue('#query'), 'Paul Morphy');
  await page.context().close();
});

describe('what is being typed', () => {
  for (const [text, name, word] of [['Kaspa', ['', 'Kaspa'], ['', 'Kaspa']], ['Müll', ['', 'Müll'], ['', 'Müll']], ['Morphy - And', ['Morphy - ', 'And'], null], ['Morphy vs. An', ['Morphy vs. ', 'An'], null],
    ['player Car', ['player ', 'Car'], null], ['player "Car', ['player ', 'Car'], null], ['elo 2400.. white ~"Kasparov, G', ['elo 2400.. white ~', 'Kasparov, G'], null],
    ['white An black Ka', ['white An black ', 'Ka'], null], ['either (white An', ['either (white ', 'An'], null], ['elo 2400.. pla', null, ['elo 2400.. ', 'pla']], ['elo 2400.. (pla', ['elo 2400.. (', 'pla'], ['elo 2400.. (', 'pla']],
    ['mate', null, ['', 'mate']], ['player "Carlsen, M" ', null, null], ['player ', null, null], ['', null, null]])
    test(`at the end of: ${text}`, () => {
      const typed = typedAt(tabiya, text);
      assert.deepEqual([typed.name && [typed.name.before, typed.name.name], typed.word && [typed.word.before, typed.word.word]], [name, word]);
    });
});

describe('a drawn search as text', () => {
  const PATTERNS = ['iqp', 'greek-gift'];
  const round = (text) => {
    const { drawing, rest } = readDrawing(tabiya, text, PATTERNS);
    return writeDrawing(tabiya, drawing, rest);
  };

  test('what can be drawn is drawn, the rest stays', () => {
    const { drawing, rest } = readDrawing(tabiya, 'player "Carlsen, M" Pd4 [Mm]e5 _c4 nf6 Q>=1 p=0 points>=1 points<=3 wtm iqp for 4', PATTERNS);
    assert.equal(rest, 'player "Carlsen, M"');
    assert.deepEqual([...drawing.squares], [['d4', 'P'], ['e5', '?'], ['c4', '_'], ['f6', 'n']]);
    assert.deepEqual({ ...drawing, squares: null }, { ...emptyDrawing(), squares: null, counts: { Q: '>=1', p: '=0' }, least: 1, most: 3, side: 'wtm', patterns: ['iqp'], plies: 4 });
  });

  for (const text of ['player Carlsen Pd4 for 6', 'either mirror (Pd4 [Mm]e5) for 3', 'check Pd4 for 6', 'Pd4 , N-e5', 'Pd4,N-e5', 'Pd4 or Ne4', 'not Pd4', 'event iqp iqp', 'Q>=1 + r',
    '(player x or elo 2400..) Pd4', 'either (Pd4 not check)', 'shift (Pd4 check)', '[RQ]{7 8} Pd4', 'R attacks kd4', 'ever (Pd4)', 'player "Kd4 (x, y)" Kd4', ''])
    test(`a text is read and written without a change of meaning: ${text}`, () => { assert.equal(round(text), text); });

  test('every text of a drawing is a query, and so is the text beside it', () => {
    const drawn = { ...emptyDrawing(), squares: new Map([['d4', 'P'], ['e5', 'm'], ['c3', 'M'], ['c4', '_'], ['f6', '?']]), counts: { Q: '>=1', r: '=2' }, least: -3, most: 12, side: 'btm', patterns: PATTERNS };
    for (const turns of [[], ['either'], ['mirror', 'shift'], ['either', 'mirror', 'shift']])
      for (const plies of [1, 2, 999])
        for (const rest of ['', 'player morphy', 'elo 2400.. or player x', 'Pd4 ; check', 'check for 3'])
          assert.notEqual(countOf(writeDrawing(tabiya, { ...drawn, turns, plies }, rest)), null, writeDrawing(tabiya, { ...drawn, turns, plies }, rest));
  });
});

describe('search by drawing', () => {
  test('pieces, any piece and empty squares write the query, which is searched; the text is drawn again', async () => {
    const page = await open('', WIDE);
    await page.click('#tab-games');
    await page.fill('#query', 'Paul Morphy');
    await page.click('#draw-open');
    await tap(page, 'e4'); // a pawn is at hand
    assert.equal(await page.inputValue('#query'), 'player ~"Paul Morphy" Pe4');
    await tool(page, '?');
    await tap(page, 'e5');
    await tool(page, '_');
    await tap(page, 'd4');
    await tool(page, 'M');
    await tap(page, 'c4');
    assert.equal(await page.inputValue('#query'), 'player ~"Paul Morphy" Mc4 _d4 Pe4 [Mm]e5');
    await found(page, countOf('player ~"Paul Morphy" Mc4 _d4 Pe4 [Mm]e5'));
    await tool(page, 'P');
    await tap(page, 'e4'); // the same again takes it away
    assert.equal(await page.inputValue('#query'), 'player ~"Paul Morphy" Mc4 _d4 [Mm]e5');
    await page.fill('#query', 'Pd4 nf6 or check');
    assert.equal(await page.locator('#draw-frame [data-piece]').count(), 0, 'it cannot be drawn');
    await page.fill('#query', 'elo 1.. Pd4 nf6');
    assert.deepEqual(await page.locator('#draw-frame [data-piece]').evaluateAll((all) => all.map((piece) => piece.dataset.piece).sort()), ['P', 'n']);
    assert.deepEqual(await faultsByAxe(page), []);
    await page.context().close();
  });

  test('counts, balance, side, duration, transforms and patterns', async () => {
    const page = await open('', WIDE);
    await page.click('#tab-games');
    await page.click('#draw-open');
    await page.waitForFunction(() => document.getElementById('draw-pattern').length > 20);
    await page.selectOption('#draw-counts [data-letter=Q]', '=0');
    await page.selectOption('#draw-counts [data-letter=p]', '>=3');
    await page.locator('#draw-least').fill('1');
    await page.locator('#draw-most').fill('5');
    await page.selectOption('#draw-side', 'wtm');
    await page.fill('#draw-plies', '4');
    await page.check('#draw-either');
    await page.selectOption('#draw-pattern', 'opposite-castling');
    const text = 'either (Q=0 p>=3 points>=1 points<=5 wtm opposite-castling) for 4';
    assert.equal(await page.inputValue('#query'), text);
    await found(page, countOf(text));
    await page.click('#draw-patterns .chip');
    await page.uncheck('#draw-either');
    assert.equal(await page.inputValue('#query'), 'Q=0 p>=3 points>=1 points<=5 wtm for 4');
    await page.click('#draw-clear');
    assert.equal(await page.inputValue('#query'), '');
    await page.click('#draw-here');
    await found(page, countOf('Pa2 Nb1 ra8 ke8'));
    assert.equal(await page.locator('#draw-frame [data-piece]').count(), 32);
    await page.context().close();
  });

  test('by keyboard and by touch, on a phone too', async () => {
    const page = await open('#p=&tab=games', PHONE);
    await showSearch(page);
    await page.click('#draw-open');
    await page.locator('#draw-frame [data-square=e2][role=gridcell]').focus();
    for (const key of ['c', '3', 'Enter']) await page.keyboard.press(key);
    assert.equal(await page.inputValue('#query'), 'Pc3');
    await page.locator('#draw-palette [data-tool=n]').tap();
    await page.locator('#draw-frame').tap({ position: { x: 10, y: 10 } });
    await eventually(async () => assert.equal(await page.inputValue('#query'), 'na8 Pc3'));
    await found(page, countOf('na8 Pc3')); // until then the table is dimmed
    assert.ok(await page.isVisible('#games-count'));
    for (const { width, height } of await page.locator('#draw-palette button').evaluateAll((all) => all.map((button) => button.getBoundingClientRect().toJSON())))
      assert.ok(width >= 24 && height >= 24, `${width} x ${height}`);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    assert.deepEqual(await faultsByAxe(page), []);
    await page.context().close();
  });

  test('searches are saved, opened, shared by a link and deleted', async () => {
    const page = await open('', WIDE);
    await page.click('#tab-games');
    await page.fill('#query', 'player Morphy Pd4');
    await page.press('#query', 'Enter');
    await found(page, countOf('player Morphy Pd4'));
    await page.selectOption('#games-order', 'longest');
    await page.click('#tips-open');
    await page.fill('#saved-name', 'Morphy, d4');
    await page.press('#saved-name', 'Enter');
    await page.waitForFunction(() => /sort=longest/.test(location.hash));
    await page.click('#saved-link');
    await page.waitForFunction(() => document.getElementById('toast-text').textContent === 'Link to this search copied');
    const link = await page.evaluate(() => navigator.clipboard.readText());
    await page.fill('#query', 'check');
    await page.press('#query', 'Enter');
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    await page.click('#tips-open');
    await page.click('#saved-list .open');
    assert.equal(await page.inputValue('#query'), 'player Morphy Pd4');
    assert.equal(await page.inputValue('#games-order'), 'longest');
    await found(page, countOf('player Morphy Pd4'));
    assert.deepEqual(await faultsByAxe(page), []);
    await page.click('#tips-open');
    await page.click('#saved-list [aria-label="Delete Morphy, d4"]');
    assert.equal(await page.locator('#saved-list li').count(), 0);
    const other = await open(link.slice(link.indexOf('#')), WIDE);
    assert.equal(await other.inputValue('#query'), 'player Morphy Pd4');
    await found(other, countOf('player Morphy Pd4'));
    await other.context().close();
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
});

test('the console was silent, and no request went to other hosts', () => {
  assert.deepEqual(complaints, []);
});
