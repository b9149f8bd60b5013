/*
 * page.test.mjs - the page as people use it.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { PHONE, START, allowWorkers, click, complaints, database, drag, eventually, expectFen, faultsByAxe, fen, field, open, openConverter, openTool, point, press, program, squaresOf, status, tabiya, value, work, write } from './browser.mjs';
import { root, vectors } from './support.mjs';

allowWorkers();

/* Two games whose every notation is known. */
const GAMES = {
  attack: {
    san: 'e4 e5 h3 d5 exd5 Bc5 Bc4 c6 Nc3 Nf6 d3 a5 Bg5 Nbd7 dxc6 bxc6 Nf3 O-O O-O h6 Bh4 Qc7 d4 exd4 Nxd4 Bd6 Nf5 Bh2+ '
      + 'Kh1 Ne5 Bb3 Ba6 Re1 Ng6 Bxf6 gxf6 Qh5',
    fen: 'r4rk1/2q2p2/b1p2pnp/p4N1Q/8/1BN4P/PPP2PPb/R3R2K b - - 1 19',
  },
  mate: {
    san: 'e4 h5 d4 a6 Nc3 h4 Bg5 Nc6 d5 e5 Bxd8 b6 Bxc7 Nge7 dxc6 f6 Nd5 a5 cxd7+ Kxd7 Bb5+ Ke6 Nf4+ Kf7 Bc4+ Be6 Bxe6+ '
      + 'Ke8 Qd8+ Rxd8 Bxd8 Ng6 Nxg6 a4 O-O-O Bc5 Nxh8 Bd4 Bc7 Ke7 Bf5 b5 Nf3 a3 Nxd4 g6 Nxg6+ Ke8 Nxb5 axb2+ Kxb2 Kf7 '
      + 'Rd7+ Ke8 Re7#',
    base64: '0kPfzjIQ5qfn6eBSjbMceDJRDKGMbSNVqbQYSLEL9ZLUblUNZiCUiUNE7DADKDMWlWYg86FaWHajDKEMUdRZ+tgotjOWHWMEjZox6xEN7LNELM',
  },
};

describe('moves', () => {
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

  test('wrong input: said under its field with the place, the others keep their value', async () => {
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
});

describe('links and files', () => {
  test('a link restores the game and the place in it; back and forward work', async () => {
    const page = await open();
    await write(page, 'line-san', GAMES.mate.san);
    await page.click('#previous');
    await page.waitForFunction(() => location.hash.includes('&at='));
    const link = await page.evaluate(() => location.hash);
    assert.match(link, /^#p=[\w:-]+&m=[\w-]+&at=54$/);
    const other = await open(link);
    assert.equal(await value(other, 'line-base64-moves'), GAMES.mate.base64);
    assert.equal(await fen(other), await fen(page));
    await click(other, 'd7', 'd6');
    await other.waitForFunction((old) => location.hash !== old, link);
    assert.match(await other.evaluate(() => location.hash), /^#pgn=/); // a variation
    const pgn = await value(other, 'game-pgn');
    await other.goBack();
    await other.waitForFunction((old) => location.hash === old, link);
    await eventually(async () => assert.equal(await value(other, 'line-base64-moves'), GAMES.mate.base64));
    await other.goForward();
    await other.waitForFunction((old) => location.hash !== old, link);
    await eventually(async () => assert.equal(await value(other, 'game-pgn'), pgn));
    const third = await open(await other.evaluate(() => location.hash));
    assert.equal(await value(third, 'game-pgn'), pgn);
    await third.click('#share');
    await third.waitForFunction(() => document.getElementById('toast-text').textContent === 'Link copied');
    assert.equal(await third.evaluate(() => navigator.clipboard.readText()), await third.evaluate(() => location.href));
    for (const opened of [page, other, third]) await opened.context().close();
  });

  test('boards that cannot be played on, and nonsense, in a link', async () => {
    const page = await open('#fen=8/8/8/8/8/8/8/K7%20w%20-%20-%200%201');
    assert.equal(await fen(page), '8/8/8/8/8/8/8/K7 w - - 0 1');
    assert.match(await page.locator('#status-notes').innerText(), /Black has no king/);
    const other = await open('#p=nonsense&m=%');
    assert.match(await other.locator('#toast-text').innerText(), /cannot be read/);
    assert.equal(await fen(other), START);
    for (const opened of [page, other]) await opened.context().close();
  });

  test('a PGN with variations is opened and saved with the same meaning, also as CMBR and JSON', async () => {
    const pgn = '[Event "Test"]\n[White "Åsa"]\n[Black "Bo"]\n[Result "1/2-1/2"]\n\n1. e4 {best?} e5 (1... c5 2. Nf3 (2. c3 $5) d6) 2. Nf3 $1 Nc6 '
      + '({or} 2... Nf6 3. Nxe5) 3. Bb5 a6 1/2-1/2\n\n';
    const path = join(work, 'variations.pgn');
    writeFileSync(path, pgn);
    const expected = tabiya.game(pgn);
    const page = await open();
    await page.setInputFiles('#file', path);
    await page.waitForSelector('#move-list .variation .variation');
    assert.match(await page.locator('#game-headline').innerText(), /Åsa\s*–\s*Bo/);
    assert.match(await page.title(), /Åsa\s*–\s*Bo/);
    for (const { name } of tabiya.notations.games) {
      await page.click('#save');
      const [download] = await Promise.all([page.waitForEvent('download'), page.click(`[data-save=${name}]`)]);
      const saved = await download.path();
      assert.ok(tabiya.game(readFileSync(saved), name).equals(expected), name);
      await page.click('#save-dialog [data-close]');
      await page.click('#new');
      await page.setInputFiles('#file', { name: download.suggestedFilename(), mimeType: 'application/octet-stream', buffer: readFileSync(saved) });
      await page.waitForSelector('#move-list .variation .variation');
      assert.ok(tabiya.game(await value(page, 'game-pgn')).equals(expected), name);
    }
    await page.context().close();
  });

  test('files of many games and of positions; dropped and pasted text', async () => {
    const page = await open();
    await page.setInputFiles('#file', join(root, 'examples/famous.pgn'));
    await page.fill('#query', 'Anderssen Kieseritzky');
    await page.waitForFunction(() => document.querySelectorAll('#games-list [data-game]').length === 1);
    await page.click('#games-list [data-game]');
    await page.waitForFunction(() => /Kieseritzky/.test(document.getElementById('game-headline').textContent));
    await page.setInputFiles('#file', { name: 'one.fen', mimeType: 'text/plain', buffer: Buffer.from(`${GAMES.attack.fen}\n`) });
    await expectFen(page, GAMES.attack.fen);
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(['1. d4 d5 2. c4 *'], 'queens.pgn'));
      dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    });
    await page.waitForFunction(() => window.tabiya.doc.game.writeLine(0, 'san') === 'd4 d5 c4');
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.setData('text', 'vNqdy+7u7u4AAAAAAAAAAAAAAAAAAAAAZmZmZjRSFUM:eAAA');
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    });
    await expectFen(page, START);
    await page.setInputFiles('#file', { name: 'bad.pgn', mimeType: 'text/plain', buffer: Buffer.from('[Event "x"]\n\n1. e4 e5 2. Ke3 *\n') });
    await page.waitForFunction(() => /Ke3/.test(document.getElementById('toast').textContent));
    await page.context().close();
  });

  test('the board as text, SVG and PNG', async () => {
    const page = await open();
    await page.click('#save');
    const saved = async (name) => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.click(`[data-save=${name}]`)]);
      return readFileSync(await download.path());
    };
    assert.match(String(await saved('text')), /^8 r n b q k b n r\n/);
    const svg = String(await saved('svg'));
    assert.match(svg, /^<svg .*width="800"/);
    assert.match(svg, /#f0e2cb/);
    const png = await saved('png');
    assert.equal(png.subarray(1, 4).toString(), 'PNG');
    assert.equal(png.readUInt32BE(16), 800);
    await page.click('[data-copy=png]');
    await page.waitForFunction(() => document.getElementById('toast-text').textContent === 'Picture copied');
    await page.context().close();
  });
});

describe('setting up and looks', () => {
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

  test('comments, marks, tags, variations up and out', async () => {
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
});

describe('explorer', () => {
  const ask = (...args) => JSON.parse(execFileSync(program, [...args], { cwd: root, encoding: 'utf8' }));

  async function rows(page) {
    return page.locator('#explorer-moves tr').evaluateAll((all) => all.map((row) => {
      return [row.children[0].textContent, row.children[1].dataset.count, row.children[2].firstChild?.getAttribute('aria-label') ?? '', row.dataset.reached];
    }));
  }

  test('numbers are those of the command line; a click plays; a game opens where it came here', async () => {
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
    const listed = await page.locator('#explorer-games [data-game]').evaluateAll((all) => all.map((button) => Number(button.dataset.game)));
    const found = execFileSync(program, ['find', database, '--json', '--opening', 'd4 Nf6 c4', '--limit', '1000'], { cwd: root, encoding: 'utf8' })
      .trim().split('\n').map((line) => JSON.parse(line).id);
    assert.ok(listed.length === 12 && listed.every((id) => found.includes(id)));
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
});

describe('people', () => {
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
    await page.waitForTimeout(400);
    await page.tap('[data-promotion=r]');
    await expectFen(page, '4R3/7k/8/8/8/8/8/K7 b - - 0 1');
    await page.context().close();
  });

  for (const [name, options] of Object.entries({
    light: {}, dark: { colorScheme: 'dark' }, phone: PHONE,
  }))
    test(`axe finds nothing: ${name}`, async () => {
      const page = await open('#pgn=1.%20e4%20e5%20%281...%20c5%20%7Bsharp%7D%29%202.%20Nf3%20%241%20%2A', options);
      const check = async (where) => assert.deepEqual(await faultsByAxe(page), [], where);
      await page.waitForSelector('#explorer-games li');
      await check('explorer');
      await openTool(page, 'setup');
      await page.click('#edit-board');
      await check('set up');
      await openConverter(page);
      await write(page, 'line-uci', 'e2e5');
      await check('converter, wrong line');
      for (const dialog of ['save', 'settings', 'help']) {
        if (await page.isHidden(`#${dialog}`)) await page.click('#menu');
        await page.click(`#${dialog}`);
        await check(dialog);
        await page.click(`#${dialog}-dialog [data-close]`);
      }
      await page.context().close();
    });
});

test('the console was silent, and no request went to other hosts', () => {
  assert.deepEqual(complaints, []);
});
