/*
 * opening.test.mjs - opening games: links, files, pasted text, and addresses.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { DIRECT, START, allowWorkers, assertSeen, click, complaints, eventually, expectFen, fen, hold, listed, open, ownClock, paste, size, sized, tabiya, value, wideList, work, write } from './browser.mjs';
import { GAMES } from './samples.mjs';
import { root } from './support.mjs';

describe('links and files', () => {
  before(() => allowWorkers());
  after(() => allowWorkers(false));

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

describe('links', () => {
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

  test('opening names are shown after deep links', async () => {
    const page = await open();
    await write(page, 'line-san', 'e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Be3 e5 Nb3 Be6 f3 Be7 Qd2 O-O O-O-O Nbd7');
    await page.waitForFunction(() => location.hash.length > 30);
    const other = await open(await page.evaluate(() => location.hash));
    await other.waitForFunction(() => /Najdorf/.test(document.getElementById('opening').textContent));
    await page.context().close();
    await other.context().close();
  });

  test('the address has the tab that was opened while a game was loaded', async () => {
    let held;
    const page = await open('#game=7', DIRECT, async (context) => {
      held = await hold(context, /api\/game\?id=7$/);
      await ownClock(context);
    });
    await held.asked;
    await page.click('#tab-games');
    await page.clock.runFor(1000); // the address is written after a moment
    held.release();
    await page.waitForFunction(() => /^#game=7&.*tab=games/.test(location.hash));
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

describe('pasted and opened', () => {
  test('pasted text of every kind is opened', async () => {
    const page = await open();
    const italian = 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3';
    const moves = 'e4 e5 Nf3 Nc6 Bc4';
    const lines = await page.evaluate((text) => {
      const { library } = window.tabiya;
      const game = library.game();
      const end = game.readLine(0, text, 'san');
      return library.notations.moves.map(({ name }) => game.writeLine(end, name));
    }, moves);
    const texts = [...lines, '1. e4 e5 2. Nf3 Nc6 3. Bc4', '1.e4 e5 2.Nf3 Nc6 3.Bc4 *', 'position startpos moves e2e4 e7e5 g1f3 b8c6 f1c4',
      'startpos moves e2e4 e7e5 g1f3 b8c6 f1c4', `position fen ${START} moves e2e4 e7e5 g1f3 b8c6 f1c4`];
    for (const text of texts) {
      await page.click('#new');
      await paste(page, text);
      await expectFen(page, italian);
      assert.equal(await value(page, 'line-san'), moves, text);
    }
    await page.waitForFunction(() => location.hash.includes('m=')); // written a moment later
    const link = await page.evaluate(() => location.href);
    for (const text of [italian, `"${italian}"`, `'${italian}'`, `\`${italian}\``, italian.replaceAll(' ', '_'), `position fen ${italian}`, link,
      `\n  ${italian}\n`]) {
      await page.click('#new');
      await paste(page, text);
      await expectFen(page, italian);
    }
    // The example of the base64 moves, which is broken into lines.
    await page.click('#new');
    await paste(page, '0kPfzjIQ5qfn6eBSjbMceDJRDKGMbSNVqbQYSLEL9ZLUblUNZiCUiUNE7DADKDMWlWYg86FaWH\najDKEMUdRZ+tgotjOWHWMEjZox6xEN7LNELM');
    await page.waitForFunction(() => document.getElementById('status-text').textContent === 'Checkmate — White wins');
    await page.context().close();
  });

  test('what cannot be opened is reported once, and the message stays, above dialogs too', async () => {
    const page = await open();
    await page.click('#settings');
    await page.clock.install();
    await paste(page, 'this is not chess at all');
    await page.waitForSelector('#toast:popover-open');
    await page.clock.fastForward(30_000);
    assert.match(await page.locator('#toast-text').innerText(), /cannot be opened/);
    const isOnTop = await page.evaluate(() => {
      const box = document.getElementById('toast').getBoundingClientRect();
      return document.getElementById('toast').contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
    });
    assert.ok(isOnTop);
    await page.keyboard.press('Escape');
    await page.click('#toast-close');
    assert.ok(await page.isHidden('#toast'));
    await page.context().close();
  });

  test('of a PGN with an illegal move, the legal part is opened, and the page says what was left out', async () => {
    const page = await open();
    await paste(page, '[White "Ada"]\n\n1. e4 e5 2. Ke3 Nc6 *');
    await page.waitForSelector('#toast:popover-open');
    assert.equal(await value(page, 'line-san'), 'e4 e5');
    assert.match(await page.locator('#toast-text').innerText(), /Line 3: .*Ke3/);
    await page.context().close();
  });

  test('a paste that works removes the error of the one before; toasts leave the top free', async () => {
    const page = await open('', size(1280, 720));
    await paste(page, 'nonsense, not a game');
    await page.waitForSelector('#toast[data-kind=error]:popover-open');
    await assertSeen(page, '#new');
    await paste(page, 'e4 e5');
    await page.waitForFunction(() => !document.getElementById('toast').matches(':popover-open'));
    await page.context().close();
  });

  test('opening one game after another shows no message; replacing one\'s own moves does', async () => {
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

  test('a game with only an ECO code has the name of its opening', async () => {
    const page = await open();
    await paste(page, '[White "A"]\n[Black "B"]\n[ECO "C50"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 *');
    await page.waitForFunction(() => /^C50 +Italian Game/.test(document.getElementById('opening').textContent));
    await page.context().close();
  });

  test('a file with one game replaces the list, a broken game has a mark, a bad FEN a reason', async () => {
    const page = await sized(1440, 900);
    await page.click('#tab-games');
    await page.waitForSelector('#games-list [data-game]');
    await page.setInputFiles('#file', { name: 'one.pgn', mimeType: 'text/plain', buffer: Buffer.from('[White "A"]\n[Black "B"]\n\n1. e4 *\n') });
    await page.waitForFunction(() => document.getElementById('games-count').textContent === '1 game');
    await page.setInputFiles('#file', { name: 'two.pgn', mimeType: 'text/plain', buffer: Buffer.from('[White "A"]\n[Black "B"]\n\n1. e4 *\n\n[White "C"]\n[Black "D"]\n\n1. e5 *\n') });
    await page.waitForFunction(() => document.getElementById('games-count').textContent === '2 games');
    await page.waitForSelector('#games-list [data-broken]');
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.setData('text', 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNRR w KQkq - 0 1');
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    });
    await page.waitForFunction(() => /column|rank|placement/.test(document.getElementById('toast-text').textContent));
    await page.context().close();
  });
});

test('the console was silent, and no request went to other hosts', () => {
  assert.deepEqual(complaints, []);
});
