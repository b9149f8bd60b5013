/*
 * exported.test.mjs - the page that `tabiya pgn --to html` writes: it must work as a local file, without errors, and
 * load nothing.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { complaints, faultsByAxe, open, program, work } from './browser.mjs';

const PGN = '[White "Ada <b>"]\n[Black "Grace & Co"]\n\n1. e4 {<script>alert(1)</script>} (1. d4 d5 (1... Nf6 2. c4) 2. c4) e5 2. Nf3 1-0\n\n'
  + '[White "Zoe"]\n[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 *\n';

async function exported() {
  const pgn = join(work, 'exported.pgn'), html = join(work, 'exported.html');
  writeFileSync(pgn, PGN);
  execFileSync(program, ['pgn', '--to', 'html', '-o', html, pgn], { stdio: 'pipe' });
  return open('', {}, undefined, pathToFileURL(html).href, 'a.on');
}
const now = (page) => page.locator('a.on').innerText();
const pieces = (page) => page.locator('#board use').count();

test('keys, clicks and buttons go through the games, and the board follows', async () => {
  const page = await exported();
  assert.equal(await pieces(page), 32);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  assert.equal(await now(page), '1...\u00a0e5');
  await page.keyboard.press('End');
  assert.equal(await now(page), '2.\u00a0Nf3');
  await page.locator('a', { hasText: 'Nf6' }).click();
  await page.keyboard.press('ArrowRight');
  assert.equal(await now(page), '2.\u00a0c4');
  await page.locator('a', { hasText: 'e4' }).last().click();
  assert.equal(await pieces(page), 3);
  await page.getByText('turn').click();
  assert.equal(await page.locator('#board text').first().innerHTML(), '1');
  await page.locator('button[aria-label="First move"]').click();
  assert.equal(await now(page), '■');
});

test('text from games is never markup, and the console is silent', async () => {
  const page = await exported();
  assert.equal(await page.locator('h2').first().innerText(), 'Ada <b> – Grace & Co 1-0');
  assert.equal(await page.locator('i').first().innerText(), '<script>alert(1)</script>');
  assert.deepEqual(await faultsByAxe(page), []);
  assert.deepEqual(complaints, []);
});
