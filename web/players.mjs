/*
 * players.mjs - the players above and below the board, with name, rating, clock and points; and the page's title.
 */
import { byId, h } from './dom.mjs';
import { t } from './texts.mjs';

const POINTS = { '1-0': ['1', '0'], '0-1': ['0', '1'], '1/2-1/2': ['½', '½'] };
const isKnown = (text) => text && !/^[?-]*$/.test(text);

/** 3,661,000 ms to "1:01:01". */
export function clockText(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [hours, ...rest] = parts;
  return (hours ? [hours, ...rest] : rest).map((n, i) => (i ? String(n).padStart(2, '0') : n)).join(':');
}

/** "Kasparov – Topalov, 1999", or "" for a game without names. */
export function titleOf({ tags }) {
  const { White, Black, Date: date = '' } = tags;
  if (!isKnown(White) && !isKnown(Black)) return '';
  const year = /^\d{4}/.exec(date)?.[0];
  return `${White ?? '?'} – ${Black ?? '?'}${year ? `, ${year}` : ''}`;
}

/** `showPlayer(name)` opens a player's page; null without a database. */
export function playersPanel(doc, look, showPlayer) {
  /** What a side's clock showed after its last move so far. */
  function clockOf(side) {
    const path = doc.view?.path ?? [];
    for (let i = path.length - 1; i >= 0; i--) {
      const item = doc.items.get(path[i]);
      if (item && (item.ply % 2 === 1) === (side === 'white') && item.clock !== undefined) return clockText(item.clock);
    }
    return null;
  }

  function draw() {
    const { tags, result } = doc.list;
    const below = look.orientation(doc.description.side);
    for (const [id, side] of [['player-below', below], ['player-above', below === 'white' ? 'black' : 'white']]) {
      const name = side === 'white' ? 'White' : 'Black';
      const [rating, title] = [tags[`${name}Elo`], tags[`${name}Title`]];
      const clock = clockOf(side);
      byId(id).dataset.side = side;
      byId(id).replaceChildren(h('span', { class: 'disc', 'aria-hidden': 'true' }),
        isKnown(title) ? h('span', { class: 'title' }, title) : '',
        isKnown(tags[name]) && showPlayer ? h('button', { type: 'button', class: 'person name', title: t('player.page', { player: tags[name] }), onclick: () => showPlayer(tags[name]) }, tags[name])
          : h('span', { class: 'name' }, isKnown(tags[name]) ? tags[name] : t(`side.${side}`)),
        isKnown(rating) ? h('span', { class: 'rating' }, rating) : '',
        h('span', { class: 'spring' }),
        clock ? h('span', { class: 'clock', 'aria-label': t('status.clock', { side: t(`side.${side}`), clock }) }, clock) : '',
        POINTS[result] ? h('b', { class: 'points', 'aria-label': t('status.scored', { side: t(`side.${side}`), points: POINTS[result][side === 'white' ? 0 : 1] }) },
          POINTS[result][side === 'white' ? 0 : 1]) : '');
    }
    const title = titleOf(doc.list);
    document.title = title ? `${title} · tabiya` : 'tabiya';
  }
  doc.addEventListener('change', draw);
  look.addEventListener('change', draw);
  draw();
}
