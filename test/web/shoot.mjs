/*
 * shoot.mjs - takes screenshots of the page in every state, size and theme, for visual inspection:
 *
 *     node test/web/shoot.mjs BUILD_FOLDER DATABASE OUT [STATE...]
 *
 * WIDTHS=390,1280 restricts the sizes, THEMES=dark the themes, TIMES=13 multiplies the explorer's numbers, NO_AXE=1 leaves
 * axe out, an empty DATABASE is none, and
 * SERVE="--write" adds server options; the states `store` and `chosen` need that one, and `analysed` and `engine` need
 * SERVE="--engine stockfish".
 *
 * OUT/STATE-SIZE-THEME.png is one screenshot; OUT/sheet-STATE-*.png has several side by side. The DATABASE should have
 * millions of games, so that counts are as long as they get. What a program can check is printed: a page that scrolls
 * sideways, a board that is cut off, overlapping controls, truncated text, and what axe finds.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { chromium } = await import(join(root, 'web/node_modules/playwright-core/index.mjs'));
const axe = readFileSync(join(root, 'web/node_modules/axe-core/axe.min.js'), 'utf8');
const [build, database, out, ...wanted] = process.argv.slice(2);
mkdirSync(out, { recursive: true });

const SIZES = [[320, 640], [360, 600], [390, 844], [844, 390], [820, 1180], [900, 700], [1366, 650], [1440, 900], [1920, 960]]
  .filter(([width]) => !process.env.WIDTHS || process.env.WIDTHS.split(',').includes(String(width)));
/** What is put side by side: pictures by width and theme, and how much smaller. */
const SHEETS = [['phones', ['320 light', '360 dark', '390 light', '844 dark'], 0.75], ['middle', ['820 dark', '900 light'], 0.85],
  ['wide', ['1366 light', '1440 dark'], 0.56], ['widest', ['1920 light'], 0.8]];
const THEMES = (process.env.THEMES ?? 'light,dark').split(',');
const ANNOTATED = '[Event "Candidates Tournament"]\n[White "Nepomniachtchi, Ian"]\n[Black "Praggnanandhaa, Rameshbabu"]\n[WhiteTitle "GM"]\n[BlackTitle "GM"]\n'
  + '[WhiteElo "2758"]\n[BlackElo "2747"]\n[Date "2024.04.09"]\n[Result "1-0"]\n\n'
  + '1. e4 {[%eval 0.3] [%clk 1:59:05]} e5 {[%eval 0.2] [%clk 1:58:00]} 2. Nf3 {[%eval 0.3]} Nc6 {[%eval 0.3]} 3. Bb5 $1 {[%eval 0.5] [%cal Gb5c6,Rd2d4,Bc6d4][%csl Ye5,Gf3] The Spanish, with a long comment '
  + 'that has to break over several lines.} a6 {[%eval 0.4]} (3... Nf6 4. O-O Nxe4 (4... Bc5 5. c3 $14) 5. d4) 4. Ba4 {[%eval 0.6]} Nf6 $6 {[%eval 1.4]} 5. O-O {[%eval -2.1]} Be7 {[%eval 0.5]} '
  + '6. Re1 b5 {[%eval 0.8]} 7. Bb3 {[%eval 2.5]} d6 $4 {[%eval 3.5]} 8. c3 {[%eval #4]} O-O 9. h3 Nb8 10. d4 Nbd7 1-0';

const openTool = async (page, name) => {
  await page.click('#menu');
  await page.click(`#tool-${name}`);
};
/** A button of the header, which may be in the menu. */
const fromMenu = async (page, id) => {
  if (await page.isHidden(`#${id}`)) await page.click('#menu');
  await page.click(`#${id}`);
};
const showTab = async (page, name) => { if (name !== 'moves' || await page.isVisible('#tab-moves')) await page.click(`#tab-${name}`); };
const showSearch = async (page) => { if (await page.isVisible('#search-show')) await page.click('#search-show'); };

/** What is on the page: a name, and what to do to see it. */
const STATES = {
  start: async (page) => { if (database) await page.waitForSelector('#explorer-games li'); },
  annotated: async (page) => {
    await page.evaluate((pgn) => { const { doc } = window.tabiya; doc.setGame(doc.tabiya.game(pgn), () => 0, 'open'); doc.goTo(4); }, ANNOTATED);
    await settled(page);
  },
  tools: async (page) => {
    await STATES.annotated(page);
    await showTab(page, 'moves');
    await page.click('#comment-open');
    await page.waitForTimeout(300);
  },
  opened: async (page) => {
    await page.click('#tab-games');
    await page.click('#games-list [data-game] >> nth=3');
    await showTab(page, 'moves');
    await page.evaluate(() => { const { doc } = window.tabiya; doc.goTo(40); });
    await settled(page);
  },
  lines: async (page) => {
    await page.click('#tab-lines');
    await page.setInputFiles('#lines-input', { name: 'white.pgn', mimeType: 'text/plain', buffer: Buffer.from('1. e4 e5 (1... c5 2. Nf3 d6 3. d4) 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 *') });
    await page.click('#lines-gaps');
    await page.waitForSelector('#lines-list li');
    await settled(page);
  },
  store: async (page) => {
    await STATES.opened(page);
    await showTab(page, 'moves');
    await page.click('#store-open');
    await page.fill('#store-collection', 'Games to look at before the next round');
    await page.press('#store-collection', 'Enter');
    await page.waitForSelector('#store-collections li');
  },
  chosen: async (page) => {
    await page.click('#tab-games');
    await page.click('#select-open');
    for (const n of [1, 2, 3]) await page.check(`#games-list [data-game] >> nth=${n} >> input`);
    await page.fill('#selection-collection', 'Games to look at before the next round');
    await page.waitForTimeout(200);
  },
  prepare: async (page) => {
    await page.click('#filter-open');
    await page.fill('#filter-player', 'Kramnik');
    await page.selectOption('#filter-color', 'white');
    await page.fill('#filter-new', '2005');
    await page.check('#filter-beside');
    await page.click('#filter-close');
    await page.waitForSelector('#explorer-table.both');
    await settled(page);
  },
  analysed: async (page) => {
    await STATES.annotated(page);
    await showTab(page, 'moves');
    await page.selectOption('#analyse-time', '10000');
    await page.check('#engine-switch');
    await page.click('#analyse');
    await page.waitForTimeout(1000);
  },
  busy: async (page) => {
    await page.route('**/api/explore*', () => {});
    await page.evaluate(() => window.tabiya.doc.play('e2e4'));
    await page.waitForTimeout(400);
  },
  games: async (page) => {
    await page.click('#tab-games');
    await page.waitForSelector('#games-list [data-game]');
    const sorted = page.waitForResponse((response) => /sort=-elo/.test(response.url()));
    await page.selectOption('#games-order', 'rating');
    await sorted;
    await page.waitForFunction(() => document.getElementById('games-table').ariaBusy === 'false');
    await page.click('#games-list [data-game] >> nth=1');
    await page.waitForTimeout(300);
  },
  list: async (page) => {
    await page.click('#tab-games');
    await page.waitForSelector('#games-list [data-game]');
  },
  years: async (page) => {
    await page.evaluate(() => window.tabiya.doc.play('e2e4'));
    await settled(page);
    await page.click('#show-years');
    await page.waitForSelector('#years-chart .year-column');
  },
  words: async (page) => {
    await showSearch(page);
    await page.fill('#query', 'Carlsen Najdorf 2015');
    await page.press('#query', 'Enter');
    await page.waitForSelector('#search.has-chips .chip', { timeout: 15_000 });
    await page.waitForFunction(() => document.getElementById('games-table').ariaBusy === 'false');
    await page.click('#tab-games');
    await page.waitForTimeout(300);
  },
  nothing: async (page) => {
    await showSearch(page);
    await page.fill('#query', 'player Carlssen');
    await page.press('#query', 'Enter');
    await page.waitForFunction(() => document.getElementById('games-table').ariaBusy === 'false');
    await page.waitForTimeout(500);
  },
  study: async (page) => {
    await STATES.file(page);
    await showTab(page, 'moves');
    await page.click('#study-open');
    await page.click('#study-games');
    await page.waitForSelector('#study-list li:nth-child(5)');
  },
  practice: async (page) => {
    await STATES.lines(page);
    await page.click('#lines-practise');
    await page.waitForTimeout(300);
  },
  filter: async (page) => {
    await page.click('#filter-open');
    await page.waitForTimeout(100);
  },
  form: async (page) => {
    await showSearch(page);
    await page.click('#form-open');
    await page.waitForFunction(() => document.getElementById('search-pattern').length > 20);
    await page.selectOption('#search-pattern', 'greek-gift');
    await page.fill('#query', 'player "Carlsen" elo 2600.. plaer "Anand" date 2010..');
    await page.press('#query', 'Enter');
    await page.waitForSelector('#query-fault mark');
  },
  draw: async (page) => {
    await showSearch(page);
    await page.fill('#query', 'elo 2400.. Pd4 [Mm]e5 _c4 nf6 Q>=1 points>=1 iqp for 4');
    await page.click('#draw-open');
    await page.waitForSelector('#draw-patterns .chip');
    await page.waitForFunction(() => document.getElementById('games-table').ariaBusy === 'false');
  },
  saved: async (page) => {
    await showSearch(page);
    await page.click('#tips-open');
    for (const text of ['player Carlsen elo 2600..', 'KRP+vKRP+ for 10 result 1-0 and a text that is much longer than the list is wide, on every phone there is']) {
      await page.fill('#query', text);
      await page.click('#saved-save');
    }
    await page.waitForTimeout(600);
  },
  report: async (page) => {
    await page.click('#tab-players');
    await page.fill('#report-player', 'Carlsen, M.');
    await page.press('#report-player', 'Enter');
    await page.waitForTimeout(1500);
  },
  player: async (page) => {
    await page.evaluate(() => { location.hash = '#player=Carlsen'; });
    await page.waitForSelector('#player-page .facts-row');
    await page.waitForTimeout(1500);
  },
  convert: async (page) => {
    await STATES.annotated(page);
    await openTool(page, 'convert');
    await page.waitForTimeout(100);
  },
  more: async (page) => {
    await STATES.convert(page);
    await page.evaluate(() => { for (const box of document.querySelectorAll('#panel-convert details')) box.open = true; });
    await page.fill('#now-fen', 'rnbqkbnr/ppp1pppp/8/3q5/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3');
    await page.waitForTimeout(200);
  },
  setup: async (page) => {
    await openTool(page, 'setup');
    await page.click('#edit-board');
    await page.waitForTimeout(100);
  },
  bad: async (page) => {
    await page.evaluate(() => { const { doc } = window.tabiya; doc.setBoard(doc.tabiya.board('rnbqkbnr/pppppppp/8/4k3/8/8/PPPPPPPP/RNBQKBPR w KQkq - 0 1')); });
    await page.waitForTimeout(200);
  },
  mate: async (page) => {
    await page.evaluate(() => { const { doc } = window.tabiya; doc.setGame(doc.tabiya.game('[White "A"]\n[Black "B"]\n\n1. f3 e5 2. g4 Qh4# 0-1'), (g) => g.mainLineEnd(), 'open'); });
    await settled(page);
  },
  promotion: async (page) => {
    await page.evaluate(() => { const { doc } = window.tabiya; doc.setGame(doc.tabiya.game('[FEN "8/P6k/8/8/8/8/8/K7 w - - 0 1"]\n\n*'), () => 0, 'open'); });
    for (const square of ['a7', 'a8']) {
      const box = await page.locator(`[role=gridcell][data-square=${square}]`).boundingBox();
      await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    }
    await page.waitForTimeout(100);
  },
  engine: async (page) => {
    await showTab(page, 'moves');
    await page.check('#engine-switch');
    await page.waitForFunction(() => document.querySelectorAll('#engine-lines li').length >= 3, null, { timeout: 20_000 });
    await page.waitForTimeout(800);
  },
  save: (page) => fromMenu(page, 'save'),
  settings: (page) => fromMenu(page, 'settings'),
  help: (page) => fromMenu(page, 'help'),
  file: async (page) => {
    await page.setInputFiles('#file', join(root, 'examples/famous.pgn'));
    await page.waitForFunction(() => /^58 games$/.test(document.getElementById('games-count').textContent));
    await page.click('#games-list [data-game] >> nth=2');
    await page.waitForTimeout(200);
  },
  failed: async (page) => {
    await page.route('**/api/explore*', (route) => route.fulfill({ status: 503, json: { error: 'this takes more than 10 seconds' } }));
    await page.evaluate(() => window.tabiya.doc.play('e2e4'));
    await page.waitForTimeout(300);
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.setData('text', 'this is not a game at all, and not a position');
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    });
    await page.waitForTimeout(200);
  },
};

const settled = (page) => page.waitForFunction(() => document.getElementById('explorer').ariaBusy === 'false', null, { timeout: 60_000 });

/** What a program can see. */
const FAULTS = () => {
  const faults = [];
  const seen = (element) => { const box = element.getBoundingClientRect(); return box.width > 1 && box.height > 1 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true }); };
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) faults.push(`scrolls sideways: ${document.documentElement.scrollWidth} of ${width}`);
  const frame = document.getElementById('frame').getBoundingClientRect();
  if (frame.left < 0 || frame.right > width + 0.5) faults.push(`the board is cut: ${frame.left} to ${frame.right}`);
  if (Math.abs(frame.width - frame.height) > 1) faults.push(`the board is ${frame.width} by ${frame.height}`);
  const dialog = document.querySelector('dialog[open]');
  const within = dialog ?? document.body;
  const controls = [...within.querySelectorAll('button, input, select, textarea, summary, a')].filter((e) => seen(e) && !e.closest('.hidden, .grid, .symbols, #toast'));
  const clipped = (element) => { // by what scrolls
    const box = element.getBoundingClientRect();
    let [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom];
    for (let at = element.parentElement; at; at = at.parentElement) {
      if (getComputedStyle(at).overflowY === 'visible') continue;
      const room = at.getBoundingClientRect();
      [left, top, right, bottom] = [Math.max(left, room.left), Math.max(top, room.top), Math.min(right, room.right), Math.min(bottom, room.bottom)];
    }
    return { left, top, right, bottom };
  };
  const boxes = controls.map((element) => ({ element, box: clipped(element) })).filter(({ box }) => box.right > box.left && box.bottom > box.top);
  const name = (e) => `${e.tagName.toLowerCase()}${e.id ? `#${e.id}` : ''} "${(e.innerText || e.value || '').slice(0, 20)}"`;
  for (const [i, a] of boxes.entries())
    for (const b of boxes.slice(i + 1)) {
      if (a.element.contains(b.element) || b.element.contains(a.element)) continue;
      const sticky = (e) => e.closest('.controls, .stage, #promotion, .promotion, .pop, .suggested, #move-tools');
      if (Boolean(sticky(a.element)) !== Boolean(sticky(b.element))) continue;
      const x = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const y = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
      if (x > 1 && y > 1) faults.push(`${name(a.element)} lies over ${name(b.element)}`);
    }
  for (const element of within.querySelectorAll('*')) {
    if (!seen(element) || element.closest('svg, .hidden, .symbols, .grid, .pv, #move-list, .skip')) continue;
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!hasText) continue;
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    if (element.scrollWidth > element.clientWidth + 1 && element.clientWidth && style.display !== 'inline' && style.textOverflow !== 'ellipsis' && !['TEXTAREA', 'INPUT'].includes(element.tagName))
      faults.push(`text is cut: ${name(element)} ${element.scrollWidth} of ${element.clientWidth}`);
    if (box.right > width + 1) faults.push(`text beyond the edge: ${name(element)}`);
  }
  return [...new Set(faults)];
};

const server = spawn(join(build, 'tabiya'), ['serve', ...(database ? [database] : []), '--port', '0', ...(process.env.SERVE ?? '').split(' ').filter(Boolean)],
  { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, PATH: `${process.env.PATH}:/usr/games` } });
const address = await new Promise((resolve) => { server.stdout.once('data', (data) => resolve(String(data).trim())); });
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] });

/** Sizes with the same panes are one page, which changes its size and theme: it takes a quarter of the time. */
const kindOf = ([width, height]) => (height < 500 ? 'low' : width < 560 ? 'phone' : width < 1200 ? 'middle' : 'wide');

async function look(page, state, [width, height], theme) {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await page.waitForTimeout(250);
  const file = join(out, `${state}-${width}-${theme}.png`);
  const found = await page.evaluate(FAULTS);
  if (!process.env.NO_AXE) {
    const { violations } = await page.evaluate(`${axe}; axe.run(document, { resultTypes: ['violations'] })`);
    found.push(...violations.map(({ id, nodes }) => `axe ${id}: ${nodes[0].html.slice(0, 120)}`));
  }
  for (const fault of found) console.log(`${state} ${width} ${theme}: ${fault}`);
  await page.screenshot({ path: file, animations: 'disabled' });
  return file;
}

/** The pictures of a state at sizes of one kind, by width and theme. */
async function shoot(state, sizes) {
  const [[width, height]] = sizes;
  const isPhone = ['low', 'phone'].includes(kindOf(sizes[0]));
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: THEMES[0], reducedMotion: 'reduce', isMobile: isPhone, hasTouch: isPhone });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.on('pageerror', (error) => console.log(`${state} ${width}: ${error.message}`));
  const files = new Map();
  try {
    if (process.env.TIMES) await page.route('**/api/explore*', async (route) => {
      const response = await route.fetch();
      const text = (await response.text()).replace(/"(white|draw|black|games|reached|ended|unknown)":(\d+)/g, (_, name, n) => `"${name}":${n * process.env.TIMES}`);
      await route.fulfill({ response, body: text });
    });
    await page.goto(address);
    await page.waitForSelector('body[data-ready]');
    await STATES.start(page);
    if (state !== 'start') await STATES[state](page);
    for (const size of sizes) for (const theme of THEMES) files.set(`${size[0]} ${theme}`, await look(page, state, size, theme));
  } catch (error) {
    console.log(`${state} ${width}: ${error.message.split('\n')[0]}`);
  }
  await context.close();
  return files;
}

/** Pictures side by side, smaller. */
async function sheet(name, files, scale) {
  if (!files.length) return;
  const page = await browser.newPage({ viewport: { width: 4000, height: 3000 } });
  const images = files.map((file) => `<img src="data:image/png;base64,${readFileSync(file, 'base64')}">`).join('');
  await page.setContent(`<!doctype html><style>body{margin:0}div{display:inline-flex;gap:10px;align-items:start;background:#888}</style><div>${images}</div>`);
  await page.evaluate((s) => Promise.all([...document.images].map(async (image) => {
    await image.decode();
    image.width = image.naturalWidth * s;
  })), scale);
  await page.locator('div').screenshot({ path: join(out, `sheet-${name}.png`) });
  await page.close();
}

try {
  for (const state of wanted.length ? wanted : Object.keys(STATES)) {
    const files = new Map();
    for (const kind of new Set(SIZES.map(kindOf)))
      for (const [name, file] of await shoot(state, SIZES.filter((size) => kindOf(size) === kind))) files.set(name, file);
    for (const [name, shots, scale] of SHEETS)
      await sheet(`${state}-${name}`, shots.map((shot) => files.get(shot)).filter(Boolean), scale).catch((error) => console.log(`${state}: ${error.message}`));
  }
} finally {
  await browser.close();
  server.kill('SIGTERM');
}
