/*
 * editing.test.mjs - the position and the game: set up, converted, annotated, and how they look.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { START, WIDE, assertSeen, click, complaints, drag, eventually, expectFen, faultsByAxe, fen, field, frame, open, openConverter, openText, openTool, point, showTab, size, sized, status, tabiya, value, write } from './browser.mjs';
import { ANNOTATED, GAME, LONG } from './samples.mjs';
import { vectors } from './support.mjs';

const box = (page, id) => page.evaluate((name) => document.getElementById(name).getBoundingClientRect().toJSON(), id);

describe('setting up', () => {
  test('the editor puts pieces on and off, and sets side, castling and en passant', async () => {
    const page = await open();
    await openTool(page, 'setup');
    await page.click('#clear-board');
    assert.match(await page.locator('#status-notes').innerText(), /White has no king/);
    for (const [tool, square] of [['K', 'e1'], ['R', 'h1'], ['k', 'e8'], ['p', 'd4'], ['P', 'e4']]) {
      await page.click(`#palette [data-tool=${tool}]`);
      await page.mouse.click(...await point(page, square));
    }
    await expectFen(page, '4k3/8/8/8/3pP3/8/8/4K2R w - - 0 1');
    await page.getByText('White O-O', { exact: true }).click();
    await page.check('[name=side][value=black]');
    await page.selectOption('#en-passant', 'e3');
    await page.fill('#clock', '0');
    await page.fill('#fullmove', '9');
    await page.press('#fullmove', 'Tab');
    await expectFen(page, '4k3/8/8/8/3pP3/8/8/4K2R b K e3 0 9');
    await page.click('#palette [data-tool=null]');
    await drag(page, 'h1', 'h3'); // moved freely; the right goes with it
    await expectFen(page, '4k3/8/8/8/3pP3/7R/8/4K3 b - e3 0 9');
    await page.click('#palette [data-tool=""]');
    await page.locator('[role=gridcell][data-square=h3]').focus();
    await page.keyboard.press('Enter'); // by keyboard
    await expectFen(page, '4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 9');
    await page.click('#edit-board');
    await drag(page, 'd4', 'e3');
    await expectFen(page, '4k3/8/8/8/8/4p3/8/4K3 w - - 0 10');
    await page.click('#undo');
    await expectFen(page, '4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 9');
    await page.context().close();
  });

  test('why a position is illegal, in the words of the library', async () => {
    const page = await open();
    for (const position of ['4k3/8/8/8/8/8/4R3/4K3 w - - 0 1', 'P3k3/8/8/8/8/8/8/4K3 w - - 0 1', '4k3/4K3/8/8/8/8/8/8 w - - 0 1']) {
      await write(page, 'now-fen', position);
      assert.equal(await status(page), 'This position cannot be played');
      const faults = tabiya.board(position).describe().faults.map((fault) => fault.text.toLowerCase());
      assert.equal((await page.locator('#status-notes').innerText()).toLowerCase(), faults.join('\n'));
      assert.equal(await value(page, 'now-base64'), tabiya.board(position).write('base64'));
    }
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

  test('Set up shows what is wrong with a board', async () => {
    const page = await open('', size(1280, 720));
    await openTool(page, 'setup');
    await page.click('#clear-board');
    await page.waitForSelector('#status-notes li');
    await assertSeen(page, '#status-notes li:last-child');
    await page.context().close();
  });
});

describe('converter', () => {
  const every = (table) => tabiya.notations[table].filter((notation) => notation.reads).map((notation) => notation.name);

  test('positions of the vectors, from every field to the others', async () => {
    const page = await open();
    await openConverter(page);
    const rows = vectors('positions').filter((row) => row.base64 !== '!halfmove'
      && tabiya.board(row.fen).describe().playable).filter((_, i) => i % 40 === 0);
    assert.ok(rows.length > 5);
    const found = await page.evaluate(([all, usual]) => {
      const put = (id, text) => {
        const control = document.getElementById(id);
        control.value = text;
        control.dispatchEvent(new Event('input', { bubbles: true }));
      };
      const columns = ['fen', 'base64', 'boardinfo'];
      return all.flatMap((row) => ['now', 'start'].flatMap((group) => columns.map((from) => {
        put('now-fen', usual);
        put(`${group}-${from}`, row[from]);
        return Object.fromEntries(columns.map((to) => [to, document.getElementById(`${group}-${to}`).value]));
      })));
    }, [rows, START]);
    assert.deepEqual(found, rows.flatMap((row) => Array(6).fill({ fen: row.fen, base64: row.base64, boardinfo: row.boardinfo })));
    for (const name of every('positions')) { // the fields that the vectors do not have
      const board = tabiya.board(rows[0].fen);
      await write(page, 'now-fen', START);
      await write(page, `now-${name}`, board.write(name));
      assert.equal(await value(page, 'now-fen'), tabiya.board(board.write(name), name).write(), name);
    }
    await page.context().close();
  });

  test('lines of the vectors, from every field to the others', async () => {
    const page = await open();
    await openConverter(page);
    const columns = { san: 'san', uci: 'uci', 'base64-moves': 'base64' };
    const rows = vectors('lines').slice(0, 8);
    const found = await page.evaluate(([all, names]) => all.flatMap((row) => Object.entries(names).map(([from, column]) => {
      document.getElementById('new').click();
      const control = document.getElementById(`line-${from}`);
      control.value = row[column];
      control.dispatchEvent(new Event('input', { bubbles: true }));
      return Object.fromEntries(Object.entries(names).map(([to, other]) => [other, document.getElementById(`line-${to}`).value]));
    })), [rows, columns]);
    assert.deepEqual(found, rows.flatMap((row) => Array(3).fill({ ...row })));
    const { san } = vectors('lines')[0];
    for (const name of every('moves')) {
      await write(page, 'line-san', san);
      const text = await field(page, `line-${name}`);
      await page.click('#new');
      await write(page, `line-${name}`, text);
      assert.equal(await value(page, 'line-san'), san, name);
    }
    await page.context().close();
  });

  test('games in every notation, both ways', async () => {
    const page = await open();
    await openConverter(page);
    const pgn = '[White "Ada"]\n[Black "Grace"]\n\n1. e4 e5 (1... c5 {sharp} 2. Nf3) 2. Nf3 $1 Nc6 *';
    for (const name of every('games')) {
      await write(page, 'game-pgn', pgn);
      const text = await field(page, `game-${name}`);
      await page.click('#new');
      await write(page, `game-${name}`, text);
      assert.equal(await value(page, 'game-pgn'), pgn, name);
    }
    await page.context().close();
  });

  test('wrong input is reported below its field with the location, and the other fields keep their values', async () => {
    const page = await open();
    await openConverter(page);
    const told = await page.evaluate(() => {
      const put = (id, text) => {
        const control = document.getElementById(id);
        control.focus();
        control.value = text;
        control.dispatchEvent(new Event('input', { bubbles: true }));
        control.blur();
      };
      const ids = [...document.querySelectorAll('.field')].map((element) => element.dataset.field);
      const others = (id) => ids.filter((name) => name !== id).map((name) => document.getElementById(name).value).join('\n');
      return ids.filter((id) => !document.getElementById(id).readOnly).map((id) => {
        document.getElementById('new').click();
        put('line-san', 'e4 e5');
        const control = document.getElementById(id);
        const good = control.value;
        const before = others(id);
        put(id, `${good.slice(0, 3)}?!x`);
        const result = { id, isWrong: control.getAttribute('aria-invalid') === 'true', isKept: others(id) === before,
          typed: control.value === `${good.slice(0, 3)}?!x`, note: document.getElementById(`${id}-note`).textContent };
        put(id, good);
        return { ...result, isMended: control.getAttribute('aria-invalid') === 'false' };
      });
    });
    assert.equal(told.length, 2 * every('positions').length + every('moves').length + every('games').length);
    for (const { id, isWrong, isKept, typed, isMended, note } of told) {
      assert.ok(isWrong && isKept && typed && isMended, id);
      assert.match(note, id === 'game-cmbr' ? /hex digits/ : /at (character|line) \d+/, id);
    }
    await page.context().close();
  });

  test('what a notation cannot represent is shown, and copying works', async () => {
    const page = await open();
    await openConverter(page);
    await write(page, 'now-fen', '8/8/8/8/4k3/8/3K4/5r2 w - - 90 119');
    assert.match(await page.locator('[data-field=now-base64] .note').innerText(), /Cannot be written: .*clock/);
    await page.click('[data-field=now-fen] .copy');
    await page.waitForFunction(() => document.getElementById('toast-text').textContent === 'fen copied');
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), '8/8/8/8/4k3/8/3K4/5r2 w - - 90 119');
    await page.context().close();
  });

  test('another start keeps the moves that are legal from it', async () => {
    const page = await open();
    await openConverter(page);
    await write(page, 'line-san', 'e4 e5 Qh5');
    await write(page, 'start-fen', 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1');
    assert.equal(await value(page, 'line-san'), 'e4 e5');
    await page.context().close();
  });

  test('the converter shows the most used notations at once', async () => {
    const page = await open('', size(1280, 720));
    await openTool(page, 'convert');
    for (const id of ['now-fen', 'now-base64', 'now-boardinfo', 'line-san', 'line-uci', 'line-base64-moves', 'game-pgn'])
      assert.ok(await page.isVisible(`#${id}`), id);
    assert.ok(await page.isHidden('#now-epd'));
    await page.context().close();
  });
});

describe('comments, marks and variations', () => {
  test('comments, marks and tags are edited, variations promoted and deleted', async () => {
    const page = await open();
    await write(page, 'game-pgn', '1. e4 e5 (1... c5) *');
    await page.locator('#move-list .variation .move').click();
    await page.click('#comment-open');
    await page.fill('#comment', 'the Sicilian');
    await page.press('#comment', 'Tab');
    await page.getByRole('button', { name: '!? interesting move', exact: true }).click();
    await page.click('#promote');
    assert.match(await value(page, 'game-pgn'), /1\. e4 c5 \$5 \{the Sicilian\} \(1\.\.\. e5\) \*/);
    await page.click('#remove');
    assert.match(await value(page, 'game-pgn'), /1\. e4 e5 \*/);
    await page.click('#tags-open');
    await page.fill('#tag-White', 'Ada');
    await page.press('#tag-White', 'Tab');
    await page.selectOption('#tag-Result', '1-0');
    assert.match(await value(page, 'game-pgn'), /^\[White "Ada"\][^]*1\. e4 e5 1-0$/);
    await page.context().close();
  });

  test('the tree: short moves in order, and marks', async () => {
    const page = await open();
    await openTool(page, 'tree');
    const position = 'r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4';
    await write(page, 'now-fen', position);
    const game = tabiya.game();
    game.setStart(tabiya.board(position));
    const texts = await page.locator('#tree-moves code').allInnerTexts();
    assert.deepEqual(texts, game.view(0).moves.map((move) => `${move.short})`));
    const mate = page.locator('#tree-moves li', { hasText: 'checkmate!' });
    assert.equal(await mate.count(), 1);
    await mate.locator('button').click();
    assert.equal(await status(page), 'Checkmate — White wins');
    await page.context().close();
  });

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

  test('the right button draws arrows and squares, which the game keeps; drawing one again removes it', async () => {
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

describe('looks', () => {
  test('schemes, own colours, dark mode, rotation, and what is hidden', async () => {
    const page = await open();
    await page.click('#settings');
    await page.check('[name=scheme][value=slate]');
    const fill = () => page.locator('.square.black').first().evaluate((square) => getComputedStyle(square).fill);
    await eventually(async () => assert.equal(await fill(), 'rgb(131, 152, 176)'));
    await page.fill('#own-dark', '#336699');
    await eventually(async () => assert.equal(await fill(), 'rgb(51, 102, 153)'));
    await page.selectOption('#theme', 'dark');
    await eventually(async () => assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(23, 22, 19)'));
    await page.selectOption('#below', 'mover');
    for (const name of ['pieces', 'last', 'check', 'coordinates']) await page.uncheck(`[data-show=${name}]`);
    await page.click('#settings-dialog [data-close]');
    assert.equal(await page.locator('.pieces-layer').evaluate((layer) => getComputedStyle(layer).visibility), 'hidden');
    await page.fill('#typed', 'e4');
    await page.press('#typed', 'Enter');
    assert.equal(await page.locator('[role=gridcell]').first().getAttribute('data-square'), 'h1');
    assert.equal(await page.locator('.mark-last').first().evaluate((mark) => getComputedStyle(mark).visibility), 'hidden');
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    assert.equal(await fill(), 'rgb(51, 102, 153)');
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

  test('another set of pieces is used everywhere at once, and remembered', async () => {
    const page = await open('', WIDE);
    const hrefs = () => page.evaluate(() => [...document.querySelectorAll('use[href*=".svg#"]')].map((use) => use.getAttribute('href').replace(/.*\/(.*)\.svg.*/, '$1')));
    assert.deepEqual([...new Set(await hrefs())], ['pieces']);
    await page.click('#settings');
    await page.selectOption('#set', 'pieces-plain');
    assert.deepEqual([...new Set(await hrefs())], ['pieces-plain']);
    assert.deepEqual(await faultsByAxe(page), []);
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    await page.click('#tab-games');
    await page.click('#draw-open');
    await page.waitForSelector('#draw-palette [data-tool=n]');
    assert.deepEqual([...new Set(await hrefs())], ['pieces-plain']);
    await page.context().close();
  });

  test('sounds are off by default; when on, moves and steps forward are heard', async () => {
    const page = await open('', WIDE, (context) => context.addInitScript(() => {
      window.tones = [];
      const { setValueAtTime } = AudioParam.prototype;
      AudioParam.prototype.setValueAtTime = function note(value2, ...more) {
        if (value2 > 1) window.tones.push(value2);
        return setValueAtTime.call(this, value2, ...more);
      };
    }));
    const play = (move) => page.evaluate((text) => window.tabiya.doc.play(text), move);
    await play('e4');
    assert.deepEqual(await page.evaluate(() => window.tones), []);
    await page.click('#settings');
    await page.check('#sounds');
    await page.keyboard.press('Escape');
    for (const move of ['d5', 'exd5', 'c6', 'Bb5']) await play(move);
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    assert.deepEqual(await page.evaluate(() => window.tones), [220, 150, 220, 220, 220]);
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
});

test('the console was silent, and no request went to other hosts', () => {
  assert.deepEqual(complaints, []);
});
