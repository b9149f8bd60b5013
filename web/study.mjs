/*
 * study.mjs - a study: the games of one file as chapters, which can be added, moved, renamed, edited and merged into one tree of
 * variations. The browser keeps it until it is closed.
 *
 * A chapter is { id, name, json }, its game in the notation that loses nothing. What is changed on the board while a chapter is open changes
 * the chapter: doc.chapter is its id. Names are written as the tag ChapterName.
 */
import { byId, complain, h, toast } from './dom.mjs';
import { download } from './files.mjs';
import { pop } from './pop.mjs';
import { counted, t } from './texts.mjs';

const STORE = 'tabiya.study';
const NAME_TAG = 'ChapterName';
const MOST = 200; // chapters

function stored() {
  try {
    return JSON.parse(localStorage.getItem(STORE));
  } catch {
    return null;
  }
}

/** What a chapter is called before it has a name: the players, or its event. */
const nameOf = ({ White, Black, Event, [NAME_TAG]: name }, i) => name || ([White, Black].some((text) => text && text !== '?') ? `${White ?? '?'} – ${Black ?? '?'}` : Event && Event !== '?' ? Event : t('study.chapter', { n: i + 1 }));

/** `panel` is the panel of games: `chosen()` are the selected ones, or all of a file if none are, each as a function that loads it. */
export function studyPanel(doc, panel) {
  const { tabiya } = doc;
  const games = panel.chosen;
  const list = byId('study-list');
  let chapters = stored()?.chapters ?? [];
  const current = () => chapters.findIndex(({ id }) => id === doc.chapter);
  const entry = (game) => ({ id: 1 + Math.max(0, ...chapters.map(({ id }) => id)), name: nameOf(game.list().tags, chapters.length), json: game.write('json') });

  function keep() {
    try {
      if (chapters.length) localStorage.setItem(STORE, JSON.stringify({ chapters, open: doc.chapter }));
      else localStorage.removeItem(STORE);
    } catch {
      toast(t('study.unsaved'));
    }
    draw();
  }

  // ---- Chapters

  function open(i) {
    doc.setGame(tabiya.game(chapters[i].json, 'json'), () => 0, 'open');
    doc.chapter = chapters[i].id;
    keep();
  }

  function move(i, step) {
    const to = i + step;
    if (to < 0 || to >= chapters.length) return;
    [chapters[i], chapters[to]] = [chapters[to], chapters[i]];
    keep();
    list.children[to]?.querySelector(`[data-step="${step}"]`)?.focus();
  }

  function remove(i) {
    const [gone] = chapters.splice(i, 1);
    keep();
    toast(t('study.removed', { name: gone.name }), { action: [t('undo'), () => {
      chapters.splice(i, 0, gone);
      keep();
    }] });
  }

  function add(all) {
    if (chapters.length + all.length > MOST) throw new Error(t('study.too-many', { n: MOST }));
    for (const game of all) chapters.push(entry(game));
  }

  async function addGames() {
    try {
      add(await Promise.all(games().slice(0, MOST + 1).map((load) => load())));
      keep();
    } catch (error) {
      complain(t('study.cannot-add', { why: error.message }));
    }
  }

  /** All chapters in one tree of variations: that of the first, with those of the others in it. */
  function merge() {
    const [first, ...others] = chapters.map(({ json }) => tabiya.game(json, 'json'));
    const left = others.filter((game) => {
      try {
        first.merge(game);
        return false;
      } catch {
        return true;
      }
    });
    doc.setGame(first, () => 0, 'open');
    toast(left.length ? t('study.merged-but', { n: chapters.length - left.length, left: left.length }) : t('study.merged', { n: chapters.length }));
  }

  const pgn = () => chapters.map(({ name, json }) => {
    const game = tabiya.game(json, 'json');
    game.setTag(NAME_TAG, name);
    return game.write('pgn').trim();
  }).join('\n\n');

  // ---- Drawing

  function row({ name }, i) {
    const button = (icon, label, act, more = {}) => h('button', { type: 'button', class: 'icon-button', title: label, 'aria-label': `${label}: ${name}`, onclick: act, ...more }, icon);
    return h('li', { 'aria-current': i === current() ? 'true' : null },
      h('button', { type: 'button', class: 'icon-button', title: t('study.open'), 'aria-label': `${i + 1}: ${t('study.open')} ${name}`, onclick: () => open(i) }, `${i + 1}`),
      h('input', { value: name, 'aria-label': t('study.name', { n: i + 1 }), maxLength: 200, onchange: ({ target }) => {
        chapters[i].name = target.value.trim() || name;
        keep();
      } }),
      button('↑', t('study.up'), () => move(i, -1), { disabled: i === 0, 'data-step': '-1' }), button('↓', t('study.down'), () => move(i, 1), { disabled: i + 1 === chapters.length, 'data-step': '1' }),
      button('×', t('study.remove'), () => remove(i)));
  }

  function draw() {
    byId('chapter').hidden = !chapters.length;
    byId('chapter').replaceChildren(...(current() < 0 ? [h('option', { value: '-1' }, t('study.none-open'))] : []), ...chapters.map(({ name }, i) => h('option', { value: String(i) }, `${i + 1}. ${name}`)));
    byId('chapter').value = String(current());
    list.replaceChildren(...chapters.map(row));
    byId('study-hint').hidden = chapters.length > 0;
    for (const id of ['study-merge', 'study-save', 'study-close']) byId(id).hidden = !chapters.length;
    const n = games().length;
    byId('study-games').hidden = !n;
    byId('study-games').textContent = t('study.add-games', { games: counted('games.count', n) });
  }

  byId('chapter').addEventListener('change', ({ target }) => open(Number(target.value)));
  pop(byId('study-open'), 'study-box', { onOpen: draw });
  byId('study-add').addEventListener('click', () => {
    try {
      add([doc.game]);
      doc.chapter = chapters.at(-1).id;
      keep();
    } catch (error) {
      complain(t('study.cannot-add', { why: error.message }));
    }
  });
  byId('study-games').addEventListener('click', addGames);
  byId('study-merge').addEventListener('click', merge);
  byId('study-save').addEventListener('click', () => download(`${pgn()}\n`, 'study.pgn', 'application/x-chess-pgn'));
  byId('study-close').addEventListener('click', () => {
    const before = chapters;
    chapters = [];
    keep();
    toast(t('study.closed'), { action: [t('undo'), () => {
      chapters = before;
      keep();
    }] });
  });
  panel.onSelect(draw);
  doc.addEventListener('change', ({ detail }) => {
    if (detail.kind === 'walk' || !chapters.length) return;
    const i = current();
    if (i >= 0) chapters[i].json = doc.game.write('json');
    keep();
  });
  const was = chapters.find(({ id, json }) => id === stored()?.open && json === doc.game.write('json')); // after a reload
  if (was) doc.chapter = was.id;
  draw();
}
