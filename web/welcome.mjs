/*
 * welcome.mjs - the first visit: without a database the page says what it can do, and offers the next steps.
 */
import { byId, h } from './dom.mjs';
import { t } from './texts.mjs';

/** A game that everyone knows, to look at: Morphy at the opera, 1858. */
const SAMPLE = '[Event "Opera"]\n[Site "Paris"]\n[Date "1858.??.??"]\n[White "Morphy, Paul"]\n[Black "Duke Karl and Count Isouard"]\n[Result "1-0"]\n\n'
  + '1. e4 e5 2. Nf3 d6 3. d4 Bg4 $6 {This gives up the bishop for the knight; 3... exd4 is better.} 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 $1 Qe7 8. Nc3 c6 9. Bg5 b5 $2 '
  + '10. Nxb5 $1 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 $1 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ $3 Nxb8 17. Rd8# 1-0';

/** `open()` lets the user choose a file. */
export function welcomePanel(doc, open) {
  const box = byId('welcome');
  box.hidden = false;
  box.append(h('h2', {}, t('welcome.title')), h('p', {}, t('welcome.text')),
    h('div', { class: 'line' }, h('button', { type: 'button', class: 'primary', onclick: open }, t('welcome.open')), h('span', { class: 'hint' }, t('welcome.drop'))),
    h('div', { class: 'line' }, h('button', { type: 'button', onclick: () => doc.setGame(doc.tabiya.game(SAMPLE), () => 0, 'open') }, t('welcome.sample'))),
    h('p', { class: 'hint' }, t('welcome.play')), h('p', { class: 'hint' }, t('welcome.import')),
    h('pre', {}, 'tabiya import games.db games.pgn\ntabiya serve games.db'));
}
