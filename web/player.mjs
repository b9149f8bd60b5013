/*
 * player.mjs - the page of a player, #player=NAME: score, rating, years, what they play and how they answer, opponents, what goes badly,
 * and preparing against them. Every number opens its games.
 */
import { byId, h, icon } from './dom.mjs';
import { curveChart } from './charts.mjs';
import { bar } from './explorer-table.mjs';
import { Latest } from './latest.mjs';
import { gameRow } from './lists.mjs';
import { nameOfCode } from './openings.mjs';
import { personFact, personOf } from './person.mjs';
import { playerTree } from './player-tree.mjs';
import { counted, decimal, number, t } from './texts.mjs';
import { countYears, yearBars } from './years.mjs';

const LATEST = 8;
const percent = (n) => (n === null ? '–' : `${decimal(n)}%`);
const asBar = ({ won, drawn, lost }) => bar({ white: won, draw: drawn, black: lost });
const titleOf = (side) => t(`side.${side}`);

/**
 * `hands` has searchFor(text), openGame(id), and prepare(name, side) for the user's side. The page is shown while the state has a person.
 */
export function playerPage({ doc, source, state }, hands) {
  const box = byId('player-page');
  const latest = new Latest();
  let before = null; // what had the focus

  const leave = () => state.setPerson(null);
  const fact = (name, side) => personFact(doc.tabiya, name, side);
  const listed = (text) => () => {
    leave();
    hands.searchFor(text);
  };

  const numberOf = (value, label, act) => h(act ? 'button' : 'span', { class: 'fact', ...(act ? { type: 'button', onclick: act } : {}) }, h('b', { class: 'num' }, value), h('span', { class: 'sub' }, label));

  /** The spellings of the name that were counted, and other people with the same family name. */
  function namesOf({ name, names, others }) {
    const spelled = names.filter((other) => other !== name);
    return [spelled.length ? h('p', { class: 'sub', title: names.join(' · ') }, t('player.also', { names: spelled.slice(0, 4).join(' · ') })) : null,
      others.length ? h('p', { class: 'sub' }, t('player.others'), ...others.slice(0, 5).flatMap((other) => [' ', h('button', { type: 'button', class: 'link', title: counted('player.games', other.games), onclick: () => state.setPerson(other.name) }, other.name)])) : null];
  }

  function numbers(person) {
    const { name, all, years, ratings, length } = person;
    const peak = ratings.length ? ratings.reduce((a, b) => (b.y > a.y ? b : a)) : null;
    const [year] = peak ? [peak.text.split(', ')[1]] : [];
    return h('div', { class: 'facts-row' }, numberOf(number(all.games), years ? t('player.span', { from: years[0], to: years[1] }) : t('player.games-word'), listed(fact(name))),
      numberOf(percent(all.score), t('player.score')), ...(peak ? [numberOf(String(peak.y), t('player.peak', { when: year }), listed(`${fact(name)} date ${year.replace('-', '.')}`))] : []),
      ...(all.performance ? [numberOf(String(all.performance), t('player.performance'))] : []), ...(length ? [numberOf(String(length), t('player.length'))] : []));
  }

  function head(person) {
    const { name, ratings } = person;
    return h('section', { class: 'card person-card' },
      h('div', { class: 'pane-head' }, h('div', { class: 'names' }, h('h2', {}, name), ...namesOf(person)), h('span', { class: 'spring' }),
        ...['white', 'black'].map((side) => h('button', { type: 'button', class: 'primary', title: t('player.prepare-title', { side: titleOf(side), other: titleOf(side === 'white' ? 'black' : 'white') }),
          onclick: () => hands.prepare(name, side) }, t(`player.prepare-${side}`))),
        h('button', { type: 'button', class: 'icon-button', id: 'player-close', title: t('player.close'), 'aria-label': t('player.close'), onclick: leave }, icon('#icon-close'))),
      numbers(person),
      ratings.length > 2 ? curveChart(ratings, { width: Math.min(720, innerWidth - 40), label: t('player.ratings'), xText: (x) => String(Math.floor(x)), onPick: (i) => listed(`${fact(name)} date ${Math.floor(ratings[i].x)}`)() }) : null);
  }

  const opponentRow = (person, one) => h('tr', { class: 'row' }, h('th', { scope: 'row' }, h('button', { type: 'button', class: 'person', title: t('player.page', { player: one.name }), onclick: () => state.setPerson(one.name) }, one.name)),
    h('td', { class: 'count' }, h('button', { type: 'button', class: 'number', onclick: listed(`${fact(person.name)} ${fact(one.name)}`) }, number(one.games))), h('td', { class: 'wide' }, asBar(one)));

  function opponents(person) {
    return h('section', { class: 'card' }, h('h3', {}, t('player.opponents')), h('table', {}, h('caption', { class: 'hidden' }, t('player.opponents')),
      h('thead', { class: 'hidden' }, h('tr', {}, ...['player.name', 'player.games-head', 'player.results'].map((text) => h('th', { scope: 'col' }, t(text))))), h('tbody', {}, ...person.opponents.map((one) => opponentRow(person, one)))));
  }

  function struggles(person) {
    const row = ({ side, eco, games, score, expected }) => h('li', {}, h('button', { type: 'button', onclick: listed(`${fact(person.name, side)} eco ${eco}`) },
      h('span', {}, `${eco} ${nameOfCode(eco)} (${titleOf(side)})`), h('span', { class: 'facts' }, t('player.struggle', { games: counted('player.games', games), score: Math.round(score), expected: Math.round(expected) }))));
    return h('section', { class: 'card' }, h('h3', {}, t('player.struggles')), person.struggles.length ? h('ul', { class: 'rows' }, ...person.struggles.map(row)) : h('p', { class: 'hint' }, t('player.no-struggles', { n: 20 })));
  }

  function games(person) {
    const { longest, shortest } = person;
    const row = (game, more = '') => gameRow(game, { onclick: () => hands.openGame(game.id), more });
    const length = ({ plies }) => t('player.moves', { n: Math.ceil(plies / 2) });
    return h('section', { class: 'card games-card' }, h('h3', {}, t('player.latest'), h('button', { type: 'button', class: 'quiet', onclick: listed(fact(person.name)) }, t('player.all', { n: number(person.all.games) }))),
      h('ul', { class: 'rows games' }, ...person.games.slice(0, LATEST).map((game) => row(game))),
      ...(longest ? [h('h3', {}, t('player.longest')), h('ul', { class: 'rows games' }, row(longest, length(longest)))] : []),
      ...(shortest ? [h('h3', {}, t('player.shortest')), h('ul', { class: 'rows games' }, row(shortest, length(shortest)))] : []));
  }

  function yearsCard(person) {
    const pick = ([from, to]) => listed(`${fact(person.name)} date ${from === -Infinity ? '' : from}..${to === Infinity ? '' : to}`)();
    return person.history.length ? h('section', { class: 'card' }, h('h3', {}, t('player.years')), yearBars(countYears(person.history), pick)) : null;
  }

  function show(person, name, signal) {
    if (!person) {
      source.similar(name).then((near) => {
        if (signal.aborted) return;
        box.replaceChildren(h('section', { class: 'card' }, h('div', { class: 'pane-head' }, h('h2', {}, name), h('span', { class: 'spring' }), h('button', { type: 'button', onclick: leave }, t('player.close'))),
          h('p', {}, t('player.no-games', { player: name }), near.length ? t('games.similar') : '', ...near.map((other) => h('button', { type: 'button', class: 'link', onclick: () => state.setPerson(other) }, other)))));
      }, () => {});
      return;
    }
    box.replaceChildren(h('div', { class: 'person-column' }, head(person), playerTree({ doc, source }, person, hands, leave, signal)),
      h('div', { class: 'person-column' }, struggles(person), yearsCard(person), opponents(person), games(person)));
  }

  function draw() {
    const name = state.person;
    document.body.classList.toggle('showing-player', name !== null);
    box.hidden = name === null;
    latest.cancel();
    if (name === null) {
      before?.focus?.();
      return;
    }
    before ??= document.activeElement;
    box.replaceChildren(h('section', { class: 'card' }, h('h2', {}, name), h('p', { class: 'hint', role: 'status' }, t('player.loading', { player: name }))));
    box.focus({ preventScroll: true });
    let mine;
    latest.run((signal) => {
      mine = signal;
      return personOf(doc.tabiya, source, name, signal);
    }, (person) => show(person, name, mine), (error) => box.replaceChildren(h('section', { class: 'card' }, h('h2', {}, name), h('p', {}, error.message, ' ', h('button', { type: 'button', onclick: draw }, t('again')),
      h('button', { type: 'button', onclick: leave }, t('player.close'))))));
  }
  box.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') leave();
  });
  state.addEventListener('person', draw);
  draw();
}
