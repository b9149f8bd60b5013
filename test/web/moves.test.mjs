/*
 * moves.test.mjs - moving on the board: by mouse, keyboard, touch and typing, along a game, and what a position says.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DIRECT, PHONE, START, TABLET, allowWorkers, assertSeen, click, complaints, drag, eventually, expectFen, explored, faultsByAxe, fen, frame, hold, open, openConverter, openText, openTool, paste, point, press, showTab, size, sized, squaresOf, status, value, write } from './browser.mjs';
import { GAMES, LONG } from './samples.mjs';

describe('moves', () => {
  before(() => allowWorkers());
  after(() => allowWorkers(false));

  test('both games are played by mouse: dragged, and clicked', async () => {
    const page = await open();
    for (const [name, make] of [['attack', drag], ['mate', click]]) {
      for (const { from, to, fen: expected } of squaresOf(GAMES[name].san)) {
        await make(page, from, to);
        await expectFen(page, expected);
      }
      assert.equal(await value(page, 'line-san'), GAMES[name].san);
      if (name === 'attack') await page.click('#new');
    }
    assert.equal(await value(page, 'line-base64-moves'), GAMES.mate.base64);
    assert.equal(await status(page), 'Checkmate — White wins');
    assert.match(await value(page, 'game-pgn'), /28\. Re7# 1-0$/);
    await page.context().close();
  });

  test('both games are played by keyboard', async () => {
    const page = await open();
    for (const name of ['attack', 'mate']) {
      await page.locator('[role=gridcell][tabindex="0"]').focus();
      for (const { from, to, fen: expected } of squaresOf(GAMES[name].san)) {
        await press(page, from, to);
        await expectFen(page, expected);
      }
      assert.equal(await value(page, 'line-san'), GAMES[name].san);
      if (name === 'attack') {
        assert.equal(await fen(page), GAMES.attack.fen);
        await page.click('#new');
      }
    }
    assert.equal(await value(page, 'line-base64-moves'), GAMES.mate.base64);
    assert.match(await page.locator('#live').innerText(), /White played Re7#\. Checkmate/);
    await page.context().close();
  });

  test('arrow keys walk the board, and its cells have names', async () => {
    const page = await open();
    await page.locator('[role=gridcell][data-square=e2]').focus();
    await page.keyboard.press('ArrowUp');
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'e3');
    await page.keyboard.press('ArrowDown');
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'e2, white pawn');
    await page.context().close();
  });

  test('typed moves, SAN or UCI, are played or refused with a reason', async () => {
    const page = await open();
    for (const text of ['e4', 'e7e5', 'Nf3', 'b8c6']) {
      await page.fill('#typed', text);
      await page.press('#typed', 'Enter');
    }
    assert.equal(await value(page, 'line-san'), 'e4 e5 Nf3 Nc6');
    await page.fill('#typed', 'Qh5');
    await page.press('#typed', 'Enter');
    assert.match(await page.locator('#typed-note').innerText(), /Qh5: illegal move/);
    assert.equal(await value(page, 'line-san'), 'e4 e5 Nf3 Nc6');
    await page.context().close();
  });

  test('only legal moves: an illegal drag changes nothing', async () => {
    const page = await open();
    await drag(page, 'e2', 'e5');
    await drag(page, 'e7', 'e5');
    assert.equal(await fen(page), START);
    await page.mouse.click(...await point(page, 'g1'));
    assert.deepEqual(await page.locator('.mark-target').evaluateAll((marks) => marks.map((m) => m.dataset.square).sort()), ['f3', 'h3']);
    await page.context().close();
  });

  test('promotion asks for the piece, by mouse and by keyboard', async () => {
    const page = await open();
    const board = '8/4P2k/8/8/8/8/8/K7 w - - 0 1';
    await write(page, 'now-fen', board);
    await drag(page, 'e7', 'e8');
    await page.click('[data-promotion=n]');
    await expectFen(page, '4N3/7k/8/8/8/8/8/K7 b - - 0 1');
    await openConverter(page);
    assert.match(await page.locator('[data-field=line-base64-moves] .note').innerText(), /Cannot be written/);
    await write(page, 'now-fen', board);
    await page.locator('[role=gridcell][data-square=e7]').focus();
    await press(page, 'e7', 'e8');
    await page.waitForSelector('.promotion');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expectFen(page, '4R3/7k/8/8/8/8/8/K7 b - - 0 1');
    await write(page, 'now-fen', board);
    await click(page, 'e7', 'e8');
    await page.keyboard.press('Escape');
    assert.equal(await fen(page), board);
    await page.context().close();
  });

  test('castling both ways, en passant, Chess960', async () => {
    const page = await open();
    const board = 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1';
    await write(page, 'now-fen', board);
    await drag(page, 'e1', 'g1');
    await drag(page, 'e8', 'c8');
    await expectFen(page, '2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2');
    await write(page, 'now-fen', board);
    await drag(page, 'e1', 'a1'); // king takes rook
    await expectFen(page, 'r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1');
    await write(page, 'now-fen', '4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1');
    await drag(page, 'e2', 'e4');
    await drag(page, 'd4', 'e3');
    await expectFen(page, '4k3/8/8/8/8/4p3/8/4K3 w - - 0 2');
    await openTool(page, 'setup');
    await page.fill('#number960', '0');
    await page.click('#start960');
    await expectFen(page, 'bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1');
    assert.ok(await page.isChecked('#chess960'));
    await write(page, 'now-fen', '4k3/8/8/8/8/8/8/6KR w K - 0 1');
    await drag(page, 'g1', 'h1'); // the king stays where it is
    await expectFen(page, '4k3/8/8/8/8/8/8/5RK1 b - - 1 1');
    assert.equal(await value(page, 'line-san'), 'O-O');
    assert.equal(await value(page, 'line-uci'), 'g1h1');
    await page.context().close();
  });

  test('undo and redo, walking, flipping', async () => {
    const page = await open();
    await click(page, 'e2', 'e4');
    await click(page, 'e7', 'e5');
    await page.click('#undo');
    assert.equal(await value(page, 'line-san'), 'e4');
    await page.click('#redo');
    assert.equal(await value(page, 'line-san'), 'e4 e5');
    await page.click('#first');
    assert.equal(await fen(page), START);
    assert.equal(await value(page, 'line-san'), 'e4 e5');
    await page.keyboard.press('ArrowRight');
    assert.match(await fen(page), / b KQkq e3 0 1$/);
    await page.click('#flip');
    assert.equal(await page.locator('[role=gridcell]').first().getAttribute('data-square'), 'h1');
    await click(page, 'd7', 'd5');
    assert.match(await value(page, 'game-pgn'), /1\. e4 e5 \(1\.\.\. d5\) \*/);
    await page.context().close();
  });

  test('mate, stalemate, draws and claims are shown', async () => {
    const page = await open();
    for (const [position, text] of [
      ['7k/5Q2/6K1/8/8/8/8/8 b - - 0 1', 'Draw by stalemate'],
      ['7k/6Q1/6K1/8/8/8/8/8 b - - 0 1', 'Checkmate — White wins'],
      ['8/5k2/8/8/8/8/3K4/8 w - - 0 1', /^Draw by dead position/],
      ['8/8/8/8/4k3/8/3K4/5r2 w - - 150 119', 'Draw by seventy-five moves'],
      ['4k3/8/8/8/8/8/4r3/4K3 w - - 0 1', 'White to move, in check'],
    ]) {
      await write(page, 'now-fen', position);
      assert.match(await status(page), typeof text === 'string' ? new RegExp(`^${text}$`) : text);
    }
    await write(page, 'now-fen', '8/8/8/8/4k3/8/3K4/5r2 w - - 100 119');
    assert.match(await page.locator('#status-notes').innerText(), /may claim a draw: fifty moves/);
    await page.click('#new');
    await write(page, 'line-san', 'Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8');
    assert.match(await page.locator('#status-notes').innerText(), /may claim a draw: threefold repetition/);
    await write(page, 'now-fen', '4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1'); // needs a search
    await page.waitForFunction(() => document.getElementById('status-text').textContent === 'Draw by dead position');
    await page.context().close();
  });

  test('touch on a phone: tapped and dragged, each gesture once', async () => {
    const page = await open('', PHONE);
    await page.touchscreen.tap(...await point(page, 'e2'));
    await page.touchscreen.tap(...await point(page, 'e4'));
    await expectFen(page, 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1');
    const client = await page.context().newCDPSession(page);
    const touch = async (type, square) => {
      const [x, y] = square ? await point(page, square) : [];
      await client.send('Input.dispatchTouchEvent', { type, touchPoints: square ? [{ x, y }] : [] });
    };
    await touch('touchStart', 'g8');
    await touch('touchMove', 'g7');
    await touch('touchMove', 'f6');
    await touch('touchEnd');
    await expectFen(page, 'rnbqkb1r/pppppppp/5n2/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2');
    // The tap that asks for the promotion does not answer it.
    await write(page, 'now-fen', '8/4P2k/8/8/8/8/8/K7 w - - 0 1');
    await page.touchscreen.tap(...await point(page, 'e7'));
    await page.touchscreen.tap(...await point(page, 'e8'));
    await page.waitForSelector('.promotion');
    await frame(page);
    await page.tap('[data-promotion=r]');
    await expectFen(page, '4R3/7k/8/8/8/8/8/K7 b - - 0 1');
    await page.context().close();
  });
});

describe('typed moves', () => {
  test('moves are typed anywhere, / searches, and the help lists every key', async () => {
    const page = await sized(1440, 900);
    await page.keyboard.type('e4');
    await page.keyboard.press('Enter');
    assert.equal(await value(page, 'line-san'), 'e4');
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.type('Nf6');
    await page.keyboard.press('Enter');
    assert.equal(await value(page, 'line-san'), 'e4 Nf6');
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press('/');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'query');
    await page.evaluate(() => document.activeElement.blur());
    await page.locator('[role=gridcell][data-square=e2]').focus();
    await page.keyboard.press('?');
    for (const key of ['/', 'Shift F', 'Ctrl S', 'M']) assert.ok(await page.locator('#keys kbd', { hasText: key }).first().isVisible(), key);
    await page.context().close();
  });

  test('have figurines or the letters of a language, and can be typed with these', async () => {
    const page = await sized(1440, 900);
    await explored(page);
    const chosen = async (name) => {
      await page.click('#settings');
      await page.selectOption('#letters', name);
      await page.keyboard.press('Escape');
    };
    await chosen('german');
    assert.ok(await page.locator('#explorer-moves .move', { hasText: 'Sf3' }).isVisible());
    for (const typed of ['Sf3', 'd5', 'Sc3', 'Dd6']) {
      await page.evaluate(() => document.activeElement.blur());
      await page.keyboard.press('g'); // any letter that begins a move goes to the field
      await page.fill('#typed', typed);
      await page.keyboard.press('Enter');
    }
    assert.equal(await value(page, 'line-san'), 'Nf3 d5 Nc3 Qd6');
    assert.deepEqual(await page.locator('#move-list .move').allInnerTexts(), ['Sf3', 'd5', 'Sc3', 'Dd6']);
    await chosen('figurines');
    assert.deepEqual(await page.locator('#move-list .move').allInnerTexts(), ['♘f3', 'd5', '♘c3', '♕d6']);
    await page.context().close();
  });

  test('change while the explorer waits for the moves of the next position', async () => {
    const page = await open('', { viewport: { width: 1440, height: 900 }, ...DIRECT });
    await explored(page);
    const held = await hold(page, /api\/explore\?/);
    await write(page, 'line-san', 'd4 d5 Nc3');
    await held.asked;
    await page.evaluate(() => document.activeElement.blur());
    await page.click('#settings');
    await page.selectOption('#letters', 'german');
    await page.keyboard.press('Escape');
    assert.ok(await page.locator('#explorer-moves .move', { hasText: 'Sf3' }).isVisible(), 'the last table, in the new letters');
    held.release();
    await explored(page);
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

  test('text that is not a move is reported as such, and an illegal move with a reason', async () => {
    const page = await open();
    for (const [text, note] of [['Qh9', /^Qh9 is not a move, such as Nf3/], ['hello', /^hello is not a move/], ['e5', /^e5: illegal move: no pawn can go there/]]) {
      await page.fill('#typed', text);
      await page.press('#typed', 'Enter');
      assert.match(await page.locator('#typed-note').innerText(), note);
    }
    await page.context().close();
  });

  test('the error about a typed move disappears when the position changes', async () => {
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
});

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

  test('a variation can be promoted, the main line cannot; marks have words', async () => {
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

  const LINE = 'e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Na5 Bc2 c5 d4 Qc7 Nbd2 cxd4 cxd4 Nc6 Nb3 a5 Be3 a4';

  test('fast stepping: the board always keeps up, and a move right after another one counts', async () => {
    const page = await open('', { reducedMotion: 'no-preference' });
    await write(page, 'line-san', LINE);
    await page.evaluate(() => {
      document.getElementById('first').click();
      for (let i = 0; i < 30; i++) document.getElementById('next').click();
    });
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
    await page.click('#new');
    for (const [from, to] of [['e2', 'e4'], ['e7', 'e5'], ['g1', 'f3'], ['b8', 'c6']]) await click(page, from, to); // while pieces glide
    assert.equal(await value(page, 'line-san'), 'e4 e5 Nf3 Nc6');
    await page.context().close();
  });

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
});

describe('focus and undo', () => {
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

  test('undo after the browser\'s Back undoes the remaining change', async () => {
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

  test('hidden fields are not updated', async () => {
    const page = await open();
    await write(page, 'line-san', 'e4 e5');
    assert.equal(await page.evaluate(() => document.getElementById('game-json').value), '');
    await openTool(page, 'convert');
    assert.match(await page.evaluate(() => document.getElementById('game-pgn').value), /1\. e4 e5/);
    await page.context().close();
  });

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
});

test('the console was silent, and no request went to other hosts', () => {
  assert.deepEqual(complaints, []);
});
