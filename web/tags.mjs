/*
 * tags.mjs - what the game says of itself: players, event and date above the notation, edited where they are shown.
 */
import { byId, h } from './dom.mjs';
import { pop } from './pop.mjs';
import { dateText, t, word } from './texts.mjs';

const ROSTER = ['White', 'Black', 'WhiteElo', 'BlackElo', 'Event', 'Site', 'Date', 'Round'];
const RESULTS = ['*', '1-0', '0-1', '1/2-1/2'];
const isKnown = (text) => text && !/^[?-]*$/.test(text);

/** WhiteElo to "White Elo", UTCDate to "UTC Date": the tags of PGN as words. */
const words = (name) => name.replace(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ');

/** "2015.01.28" to "28 January 2015"; what is not known is left out. */
function dateOf(date = '') {
  const [year, month, day] = date.split(/[.-]/).map((part) => (/^\d+$/.test(part) ? Number(part) : 0));
  return year ? dateText({ year, month: month <= 12 ? month : 0, day }) : '';
}

/** `showPlayer(name)` opens a player's page; null without a database. */
export function tagsPanel(doc, showPlayer) {
  const tags = byId('tags');
  let drawn = null; // most moves leave them as they are

  /** The family name: the board has the full one. */
  function person(name) {
    if (!isKnown(name)) return h('span', {}, '?');
    const [family] = name.split(',');
    return showPlayer ? h('button', { type: 'button', class: 'person', title: t('player.page', { player: name }), onclick: () => showPlayer(name) }, family) : h('span', { class: 'person', title: name }, family);
  }

  function drawHead() {
    const { tags: { White, Black, Event, Site, Date: date, Round }, result } = doc.list;
    const hasNames = isKnown(White) || isKnown(Black);
    byId('game-headline').replaceChildren(...(hasNames ? [person(White), h('span', {}, '–'), person(Black), result === '*' ? '' : h('b', { class: 'num' }, result === '1/2-1/2' ? '½–½' : result.replace('-', '–'))]
      : [t('game.none')]));
    const facts = [isKnown(Event) ? Event : isKnown(Site) ? Site : '', isKnown(Round) ? t('game.round', { round: Round }) : '', dateOf(date)].filter(Boolean).join(' · ');
    byId('game-facts').textContent = facts;
    byId('game-facts').title = facts;
  }

  function field(name, value) {
    const id = `tag-${name}`;
    return h('div', { class: 'tag' }, h('label', { for: id }, word(words(name))), h('input', { id, value, autocomplete: 'off',
      onchange: (event) => doc.edit((game) => game.setTag(name, event.target.value.trim())) }));
  }

  function draw() {
    drawHead();
    const now = JSON.stringify([doc.list.tags, doc.list.result]);
    if (tags.contains(document.activeElement) || now === drawn) return;
    drawn = now;
    const all = { ...Object.fromEntries(ROSTER.map((name) => [name, ''])), ...doc.list.tags };
    tags.replaceChildren(...Object.entries(all).filter(([name]) => name !== 'Result').map(([name, value]) => field(name, value)),
      h('div', { class: 'tag' }, h('label', { for: 'tag-Result' }, word('Result')),
        h('select', { id: 'tag-Result', onchange: (event) => doc.edit((game) => {
          game.setResult(event.target.value);
          if (doc.list.tags.Result !== undefined) game.setTag('Result', event.target.value);
        }) }, ...RESULTS.map((result) => h('option', { selected: result === doc.list.result }, result)))));
  }
  pop(byId('tags-open'), 'tags', { takesFocus: true });
  doc.addEventListener('change', ({ detail }) => { if (detail.kind !== 'walk') draw(); });
  draw();
}
