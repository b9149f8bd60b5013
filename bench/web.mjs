/*
 * web.mjs - the WebAssembly module beside the program, and conversions in the page: node bench/web.mjs BUILD_FOLDER
 *
 * perft(5) of the start position, one thread, program and module in turn, medians of 9; the module must reach a third of
 * the program's rate. Then every field of the converter is written into in headless Chromium, during a game of 55 plies: from the key press until all
 * fields and panels hold their new values. That must take less than 16 ms, a frame. A step through the moves must take less
 * than 8 ms of script, and a click in the explorer shows its table within 60 ms (p90) beside a warm server.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from '../web/tabiya.mjs';

const ROUNDS = 9;
const REQUIRED_SHARE = 1 / 3;
const REQUIRED_MS = 16;
const REQUIRED_STEP_MS = 8;
const REQUIRED_CLICK_MS = 60;
const NODES = 4865609;
const LINE = '0kPfzjIQ5qfn6eBSjbMceDJRDKGMbSNVqbQYSLEL9ZLUblUNZiCUiUNE7DADKDMWlWYg86FaWHajDKEMUdRZ+tgotjOWHWMEjZox6xEN7LNELM';

const build = process.argv[2];
const program = join(build, 'tabiya');
const percentile = (values, part) => [...values].sort((a, b) => a - b)[Math.floor(values.length * part)];
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
let failures = 0;
const verdict = (isGood) => {
  failures += isGood ? 0 : 1;
  return isGood ? '' : '  MISSED';
};

// ---- perft

const tabiya = await load(readFileSync(join(build, 'web/tabiya.wasm')));
const rates = { program: [], module: [] };
for (let i = 0; i < 5; i++) tabiya.board().perft(5); // until the engine has compiled it for good
for (let i = 0; i < ROUNDS; i++) {
  const text = execFileSync(program, ['perft', '5', '--threads', '1'], { encoding: 'utf8' });
  rates.program.push(Number(text.match(/rate\s+([\d.]+)/)[1]));
  const board = tabiya.board();
  const start = performance.now();
  const nodes = board.perft(5);
  rates.module.push(nodes / (performance.now() - start) / 1000);
  if (nodes !== NODES) throw new Error(`perft(5) is ${nodes}`);
}
const share = median(rates.module) / median(rates.program);
console.log(`perft 5  ${NODES} nodes  program ${median(rates.program).toFixed(0)} Mn/s  module ${median(rates.module).toFixed(0)} Mn/s  `
  + `share ${share.toFixed(2)} (required ${REQUIRED_SHARE.toFixed(2)})${verdict(share >= REQUIRED_SHARE)}`);
for (const [name, all] of Object.entries(rates)) console.log(`  ${name.padEnd(8)} ${all.map((rate) => rate.toFixed(0)).join(' ')}`);

// ---- The page

const chromiumPath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const playwright = new URL('../web/node_modules/playwright-core/index.mjs', import.meta.url);
if (!existsSync(chromiumPath) || !existsSync(playwright)) {
  console.log('the page is not measured: chromium or playwright-core is not there');
  process.exit(failures ? 1 : 0);
}
const { chromium } = await import(playwright);
const work = mkdtempSync(join(tmpdir(), 'tabiya-bench-'));
execFileSync(program, ['import', join(work, 'games.db'), 'examples/famous.pgn', 'examples/selfplay.pgn'], { stdio: 'pipe' });
const server = spawn(program, ['serve', join(work, 'games.db'), '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
const address = await new Promise((resolve) => { server.stdout.once('data', (data) => resolve(String(data).trim())); });
const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] });
try {
  const page = await (await browser.newContext({ viewport: { width: 1500, height: 1000 } })).newPage();
  await page.goto(address);
  await page.waitForSelector('body[data-ready]');
  await page.click('#tab-convert');
  await page.evaluate(() => { for (const box of document.querySelectorAll('#panel-convert details')) box.open = true; });
  const times = await page.evaluate(async ([line, rounds]) => {
    const write = (id, text) => {
      const control = document.getElementById(id);
      control.value = text;
      const start = performance.now();
      control.dispatchEvent(new Event('input', { bubbles: true }));
      return performance.now() - start;
    };
    const rest = () => new Promise((resolve) => { setTimeout(resolve, 30); });
    const ids = [...document.querySelectorAll('.field')].map((field) => field.dataset.field)
      .filter((id) => !document.getElementById(id).readOnly);
    const result = Object.fromEntries(ids.map((id) => [id, []]));
    for (let i = 0; i < rounds; i++)
      for (const id of ids) {
        write('start-fen', 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1');
        write('line-base64-moves', line);
        await rest();
        result[id].push(write(id, document.getElementById(id).value));
        await rest();
      }
    return result;
  }, [LINE, ROUNDS]);
  let slowest = 0;
  for (const [id, all] of Object.entries(times)) {
    slowest = Math.max(slowest, median(all));
    console.log(`  ${id.padEnd(22)} median ${median(all).toFixed(1)} ms  all ${all.map((ms) => ms.toFixed(1)).join(' ')}`);
  }
  console.log(`conversion in the page  slowest field ${slowest.toFixed(1)} ms (required ${REQUIRED_MS})${verdict(slowest < REQUIRED_MS)}`);

  // ---- Steps, and the explorer

  await page.click('#tab-moves');
  const steps = await page.evaluate(async () => {
    const all = [];
    document.getElementById('first').click();
    for (let i = 0; i < 54; i++) {
      const start = performance.now();
      document.getElementById('next').click();
      all.push(performance.now() - start);
      await new Promise((resolve) => { requestAnimationFrame(resolve); });
    }
    return all;
  });
  const step = percentile(steps, 0.9);
  console.log(`a step through the moves  median ${median(steps).toFixed(1)} ms  p90 ${step.toFixed(1)} ms (required ${REQUIRED_STEP_MS})${verdict(step < REQUIRED_STEP_MS)}`);
  const clicks = await page.evaluate(async () => {
    const section = document.getElementById('explorer');
    const ready = async () => { while (section.ariaBusy !== 'false') await new Promise((resolve) => { setTimeout(resolve, 1); }); };
    const all = [];
    for (let i = 0; i < 30; i++) {
      document.getElementById('new').click();
      await ready();
      for (let ply = 0; ply < 3; ply++) {
        const rows = section.querySelectorAll('[data-uci]');
        if (!rows.length) break;
        const start = performance.now();
        rows[i % Math.min(4, rows.length)].click();
        await ready();
        all.push(performance.now() - start);
      }
    }
    return all;
  });
  const click = percentile(clicks, 0.9);
  console.log(`explorer, click to table  median ${median(clicks).toFixed(1)} ms  p90 ${click.toFixed(1)} ms of ${clicks.length} (required ${REQUIRED_CLICK_MS})${verdict(click < REQUIRED_CLICK_MS)}`);
} finally {
  await browser.close();
  server.kill('SIGTERM');
  rmSync(work, { recursive: true, force: true });
}
process.exit(failures ? 1 : 0);
