/*
 * explorer.mjs - shows what the database has for the position: moves with their results, and games.
 *
 * What is shown either belongs to the position on the board or is dimmed and cannot be clicked: never another position's numbers. The
 * table and what is below it have fixed places, so that nothing moves under the pointer.
 */
import { byId, complain, h } from './dom.mjs';
import { drawTable } from './explorer-table.mjs';
import { FileSource } from './file-source.mjs';
import { Filter } from './filter.mjs';
import { Latest, pause } from './latest.mjs';
import { gameRow, openAt } from './lists.mjs';
import { noveltyButton } from './novelty.mjs';
import { suggestPlayers } from './suggest.mjs';
import { t } from './texts.mjs';
import { countYears, yearBars } from './years.mjs';

const GAMES_AT_ONCE = 12;
const PAUSE = 120; // milliseconds

/** `database` is its name, or null; `list` are the games; `isOpen()`: can it be seen? */
export function explorerPanel({ doc, look: settings, boardView, source, state, search }, { database, isOpen, list, opened }) {
  const section = byId('explorer');
  const hint = byId('explorer-hint');
  const choice = byId('explorer-source');
  let mine = null; // the games of a file, if there is one
  section.hidden = !database;
  const filter = new Filter(state, search);
  suggestPlayers(byId('filter-player'), source);
  const moves = new Latest();
  const below = new Latest(); // games or years
  let shown = null; // { fen, key, answer, all, earlier } of the table, and isListed when what is below it belongs to it
  let asking = null; // the key of what is being asked
  let changed = -PAUSE; // when the position last changed
  let wantsFocus = false; // a move was played from the table by keyboard
  let isHidden = false; // while the user practises
  let showsYears = false;

  const file = () => (mine && choice.value !== 'database' ? mine : null); // if its games count
  const counted = () => file() ?? source;
  const isBusy = () => section.getAttribute('aria-busy') === 'true';

  // ---- What the rows do

  function positionAfter(move) {
    const after = doc.position.clone();
    after.play(move.uci);
    return after;
  }
  const hands = {
    play(event, move) {
      if (isBusy() || shown?.fen !== doc.view?.fen) return; // another position's
      wantsFocus = event.detail === 0;
      hands.press(move);
      boardView.setHints([]);
      doc.play(move.uci);
    },
    /** Asks for the table after a move while it is on its way to the board: on the press, before all panels are drawn. */
    press(move) {
      if (move.uci === '0000' || shown?.fen !== doc.view?.fen) return;
      for (const parameters of ask(questions(positionAfter(move).write())).filter(Boolean)) parameters.from.exploreAhead(parameters.facts);
    },
    point: (move, isOn) => boardView.setHints(isOn && move.uci !== '0000' && !isBusy() ? [{ from: move.uci.slice(0, 2), to: move.uci.slice(2, 4) }] : []),
    /** Lists the games behind a number: those with the move, and with the facts; null for a game that ends here. */
    list(move, facts) {
      if (move?.uci === '0000' || file()) return null;
      return (event) => {
        event.stopPropagation(); // the row plays the move
        if (isBusy() || shown?.fen !== doc.view?.fen) return; // another position's
        const places = [`fen "${shown.fen}"`];
        if (move) places.push(`fen "${positionAfter(move).write()}"`);
        list.searchFor([places.join(' , '), facts].filter(Boolean).join(' '));
      };
    },
  };

  // ---- Drawing

  /** No game passes: how to get some. */
  async function drawNothing() {
    const isFiltered = filter.text !== '';
    const clear = h('button', { type: 'button', class: 'clear', onclick: () => filter.clear() }, t('filter.clear'));
    const back = h('button', { type: 'button', onclick: () => doc.goTo(doc.place - 1) }, t('explorer.back'));
    hint.replaceChildren(...(isFiltered ? [t('explorer.filtered'), filter.speed ? t('explorer.no-speed') : '', clear] : [t(file() ? 'explorer.none-file' : 'explorer.none'), ...(doc.place >= 0 ? [back] : [])]));
    if (!filter.player || file()) return;
    const before = shown;
    const near = await source.similar(filter.player);
    if (shown !== before || !near.length) return;
    hint.append(` ${t('games.similar')}`, ...near.map((name) => h('button', { type: 'button', onclick: () => filter.set({ player: name }) }, name)));
  }

  function drawMoves() {
    drawTable(shown, filter, hands);
    filter.fault(null);
    if (shown.answer.games) hint.replaceChildren();
    else drawNothing().catch(() => {});
  }

  /** After a move by keyboard, the first move of the new table has the focus. */
  function takeFocus() {
    if (wantsFocus && (document.activeElement === section || document.activeElement === document.body))
      (byId('explorer-moves').querySelector('button') ?? section).focus({ preventScroll: true });
    wantsFocus = false;
  }

  function clear(...parts) {
    shown = null;
    below.cancel();
    byId('explorer-table').hidden = true;
    byId('explorer-moves').replaceChildren();
    drawGames([], null);
    byId('years-chart').replaceChildren();
    hint.replaceChildren(...parts);
  }

  /** Some of all games with the position: the server has sorted them. */
  function drawGames(games, fen) {
    byId('explorer-games').setAttribute('aria-busy', 'false');
    byId('explorer-games').replaceChildren(...games.map((game) => gameRow(game, { onclick: () => openAt(doc, counted(), game.id, fen).then(opened, (error) => complain(t('games.cannot-open', { why: error.message }))) })));
    byId('explorer-games-title').classList.toggle('empty', !shown?.answer.games);
    byId('more-games').hidden = !shown?.answer.games || Boolean(file());
  }

  // ---- Asking

  /** While the server is asked, what belongs to another position is dimmed; the filters stay as they are. */
  function setBusy(isSo) {
    section.setAttribute('aria-busy', String(isSo));
    for (const id of ['explorer-scroll', 'explorer-games', 'years', 'novelty']) byId(id).setAttribute('aria-disabled', String(isSo));
  }

  /** What is asked about a position: its moves in the games that count, in all games, and in those before a date; then some games. */
  function questions(fen) {
    const among = filter.text ? { q: filter.text } : {};
    const before = [filter.text && `(${filter.text})`, `not date ${filter.newSince}..`].filter(Boolean).join(' ');
    return { tables: { answer: { fen, ...among }, all: filter.isBeside || choice.value === 'both' ? { fen } : null, earlier: filter.newSince ? { fen, q: before } : null },
      games: { fen, ...(filter.listText ? { q: filter.listText } : {}), sort: byId('explorer-kind').value, limit: GAMES_AT_ONCE } };
  }
  const keyOf = ({ tables }) => JSON.stringify([tables, file()?.file.name, choice.value]);
  /** Whom to ask for each table, and what; null for a table that is not wanted. */
  const ask = ({ tables }) => Object.entries(tables).map(([name, facts]) => facts && { from: name === 'all' && choice.value === 'both' ? source : counted(), facts });

  function report(error) {
    asking = null;
    setBusy(false);
    const fault = filter.fault(error);
    clear(...(fault ?? [t('explorer.fault', { why: error.message })]), ...(error.offset === undefined ? [h('button', { type: 'button', onclick: update }, t('again'))]
      : [h('button', { type: 'button', class: 'clear', onclick: () => filter.clear() }, t('filter.clear'))]));
  }

  function look(wait) {
    const { fen } = doc.view;
    const asked = questions(fen);
    asking = keyOf(asked);
    moves.run(async (signal) => {
      if (wait) await pause(PAUSE, signal);
      return Promise.all(ask(asked).map((one) => one?.from.explore(one.facts, signal)));
    }, ([answer, all, earlier]) => {
      asking = null;
      shown = { fen, key: keyOf(asked), answer, all, earlier };
      setBusy(false);
      drawMoves();
      if (answer.games) byId('explorer-games').setAttribute('aria-busy', 'true'); // the ones before, dimmed
      else drawGames([], null);
      byId('explorer-games-title').classList.toggle('empty', !answer.games);
      takeFocus(); // it makes the browser lay out the page, so all else is there
      drawBelow(asked);
    }, report);
  }

  /** What is below the table, when the user has rested at the position: it takes the server longer than the moves. */
  function drawBelow(asked) {
    if (!shown.answer.games) return;
    const drawn = shown;
    const { fen } = shown;
    if (showsYears) {
      below.run(async (signal) => {
        await pause(PAUSE, signal);
        return counted().history(asked.tables.answer, signal);
      }, (history) => {
        drawn.isListed = true;
        byId('years-chart').replaceChildren(history.length ? yearBars(countYears(history), file() ? null : ([from, to]) => list.searchFor(
          [`fen "${fen}"`, filter.listText, `date ${from === -Infinity ? '' : from}..${to === Infinity ? '' : to}`].filter(Boolean).join(' '))) : t('explorer.no-dates'));
      }, (error) => { byId('years-chart').textContent = error.message; });
      return;
    }
    below.run(async (signal) => {
      if (!counted().isFound(asked.games)) await pause(PAUSE, signal);
      return counted().findOnce(asked.games, signal);
    }, ({ games }) => {
      drawn.isListed = true;
      drawGames(games, fen);
    }, (error) => {
      drawn.isListed = true;
      drawGames([], null);
      byId('explorer-games').replaceChildren(h('li', { class: 'hint' }, t('explorer.games-fault', { why: error.message }),
        h('button', { type: 'button', onclick: () => drawBelow(asked) }, t('again'))));
    });
  }

  // ---- Following the document

  /** First, what belongs to another position is dimmed at once; then the server is asked. */
  function update() {
    const isAsking = isOpen() && !isHidden && doc.view && asking === keyOf(questions(doc.view.fen));
    if (isAsking) return;
    moves.cancel();
    asking = null;
    if (!isOpen() || section.hidden) return;
    if (isHidden || !doc.view) {
      setBusy(false);
      clear(t(isHidden ? 'explorer.playing' : 'explorer.unplayable'));
      return;
    }
    const asked = questions(doc.view.fen);
    if (shown?.key === keyOf(asked)) {
      setBusy(false);
      if (!shown.isListed) drawBelow(asked);
      return;
    }
    below.cancel();
    if (byId('explorer-scroll').contains(document.activeElement)) section.focus({ preventScroll: true });
    if (ask(asked).every((one) => !one || one.from.isExplored(one.facts))) {
      look(false);
      return;
    }
    const isAlone = !isBusy() || performance.now() - changed > PAUSE; // stepping faster than the server asks once, where it ends
    setBusy(true);
    hint.replaceChildren();
    changed = performance.now();
    look(!isAlone);
  }

  function showBelow(isYears) {
    showsYears = isYears;
    byId('show-games').setAttribute('aria-pressed', String(!isYears));
    byId('show-years').setAttribute('aria-pressed', String(isYears));
    byId('years').hidden = !isYears;
    byId('explorer-games').hidden = byId('explorer-kind').hidden = isYears;
    if (!shown) return;
    shown.isListed = false;
    drawBelow(questions(shown.fen));
  }
  /** Whose games count: novelties are looked for in the database alone. */
  function drawChoice() {
    byId('novelty').hidden = Boolean(file());
    update();
  }
  choice.addEventListener('change', drawChoice);
  byId('show-games').addEventListener('click', () => showBelow(false));
  byId('show-years').addEventListener('click', () => showBelow(true));
  byId('more-games').addEventListener('click', () => list.searchHere());
  byId('explorer-kind').addEventListener('change', () => { if (shown) drawBelow(questions(shown.fen)); });
  filter.addEventListener('change', update);
  source.onReturn(update);
  doc.addEventListener('change', update);
  settings.addEventListener('letters', () => { if (shown) drawMoves(); });
  update();
  noveltyButton(doc, source);
  return {
    update,
    filter,
    /** Counts games of the database with these values of the filter. */
    aim(values) {
      choice.value = 'database';
      drawChoice();
      filter.set(values);
    },
    /** The games of a file can be counted, too; without a database they are. */
    setFile(games) {
      const { value } = choice;
      mine = new FileSource(games);
      choice.replaceChildren(...(database ? [h('option', { value: 'database' }, database)] : []), h('option', { value: 'file' }, games.name),
        ...(database ? [h('option', { value: 'both' }, t('explorer.both', { file: games.name }))] : []));
      choice.value = value || (database ? 'database' : 'file');
      choice.hidden = !database;
      section.hidden = false;
      byId('welcome').hidden = true;
      shown = null;
      drawChoice();
    },
    /** While the user practises, the numbers would give the move away. */
    hide(isSo) {
      isHidden = isSo;
      update();
    },
  };
}
