/*
 * texts.mjs - the texts that the page's scripts show, in one table: t('games.none'), t('filter.since', { year: 2015 }).
 *
 * Names in braces are replaced by values. A text with a number has two forms, KEY.one and KEY.many; `counted` chooses. Another language
 * is another table with the same keys.
 */
const ENGLISH = {
  'connection.lost': 'The server cannot be reached',
  'again': 'Try again',

  'games.count.one': '{n} game',
  'games.count.many': '{n} games',
  'games.none': 'No games',
  'games.searching': 'Searching …',
  'games.sofar': '{games} so far, searching …',
  'games.reading': '{games}, still reading …',
  'games.unfinished': '{games} (the search was not finished: {why})',
  'games.many': '{n}+ games',
  'games.understood': 'Understood as: {query}',
  'games.similar': 'Similar names: ',
  'games.empty': 'No game matches. ',
  'games.clear': 'Clear the search',
  'games.broken': 'This game has an error after its last move',
  'games.selected': '{n} selected',
  'games.cannot-open': 'The game cannot be opened: {why}',
  'games.cannot-export': 'The games cannot be exported: {why}',

  'explorer.playing': 'The numbers are hidden while you practise.',
  'explorer.unplayable': 'This position cannot be played.',
  'explorer.none': 'No game in the database reaches this position. ',
  'explorer.back': 'Back one move',
  'explorer.filtered': 'No game with this position matches the filter. ',
  'explorer.no-speed': 'Games without a time control have no speed: none of these games has one. ',
  'explorer.fault': 'No answer: {why}. ',
  'explorer.games-fault': 'The games cannot be listed: {why}. ',
  'explorer.reached': '{n} games reach the position after {move}, by any move order',
  'explorer.not-played': 'Not played in the games that count',
  'explorer.list': 'List {n} games',
  'explorer.new': 'Not played before {date}; lists the games',
  'explorer.no-dates': 'No game here has a date.',

  'lines.none': 'Your own lines: open a file of games with variations, or take the open game. This page then shows where a game left them and what opponents play that they do not cover, and lets you practise them.',

  'filter.all': 'all games',
  'filter.rated': '{rating}+',
  'filter.since': 'since {year}',
  'filter.until': 'until {year}',
  'filter.as-white': '{player} as White',
  'filter.as-black': '{player} as Black',
  'filter.search': 'this search',
  'filter.new': 'new since {date}',
  'filter.beside': 'beside all games',
  'filter.more': '+ filter',
  'filter.remove': 'Remove {what}',
  'filter.only': 'Count only games {what}',

  'search.opening': 'Opening: {text}',
  'search.player': 'Player: {text}',
  'search.place': 'Place: {text}',
  'search.event': 'Event: {text}',
  'search.pattern': 'Pattern: {text}',
  'search.year': '{text}',
  'search.others': 'Or: ',
  'search.other': '{words} ({games})',

  'published.games': '{title}: {games}, published as files.',
  'published.short': 'Players, openings, events, ratings, dates and positions are found by lists; other searches fetch games.',
  'published.filters': 'The explorer counts any filter that leaves few enough games: a player, an event, an opening, or any other one in positions of fewer games',
  'published.progress': 'Looking through {done} of {all} games …',

  'review.none': 'Not analysed',
  'review.running': 'Analysing …',
  'review.good': 'no mistakes',
  'review.sides': 'White: {white}. Black: {black}.',
  'review.dubious.one': '{n} dubious move',
  'review.dubious.many': '{n} dubious moves',
  'review.mistake.one': '{n} mistake',
  'review.mistake.many': '{n} mistakes',
  'review.blunder.one': '{n} blunder',
  'review.blunder.many': '{n} blunders',

  'letters.english': 'English letters',
  'letters.figurines': 'figurines',
  'letters.german': 'German',
  'letters.french': 'French',
  'letters.spanish': 'Spanish',
  'letters.italian': 'Italian',
  'letters.dutch': 'Dutch',
  'letters.portuguese': 'Portuguese',
  'letters.polish': 'Polish',
  'letters.czech': 'Czech',
  'letters.hungarian': 'Hungarian',

  'graph.label': 'Evaluation and clocks of the game',
  'graph.clock': '{side} {time}',

  'status.step': '{at} of {all}',
  'status.step-label': '{at} of {all} half-moves',

  'moves.none': 'Play a move on the board, type one, or drop a file anywhere.',
  'game.none': 'New game',

  'store.empty': 'there is no game on the board yet',
  'store.saved': 'Saved as game {id}',

  'import.start': 'Add {games} to the database',
  'import.done': '{saved} added, {known} there already, {broken} with errors',
  'import.failed': 'The import stopped: {why}. What was added stays; repeat it to add the rest',

  'welcome.title': 'A chess workbench',
  'welcome.text': 'Board, notation and games side by side. Everything runs here, and nothing leaves this computer.',
  'welcome.open': 'Open a PGN file',
  'welcome.drop': 'or drop one anywhere on the page',
  'welcome.sample': 'Look at a sample game',
  'welcome.play': 'Play moves on the board, paste a FEN or a game, or set up a position from the menu.',
  'welcome.import': 'To search and explore many games, make a database of them and serve it:',

  'player.games.one': '{n} game',
  'player.games.many': '{n} games',
  'player.no-games': 'No games of “{player}”. ',
  'player.no-games-near': 'No games of “{player}”; names like it:',
  'player.score': 'score',
  'player.peak': 'peak rating, {when}',
  'player.performance': 'performance',
  'player.length': 'moves on average',
  'player.games-word': 'games',
  'player.span': 'games, {from}–{to}',
  'player.others': 'Others of that name:',
  'player.also': 'also {names}',
  'player.prepare-white': 'Prepare as White',
  'player.prepare-black': 'Prepare as Black',
  'player.prepare-title': 'I play {side} against this player: count their games as {other}, and turn the board',
  'player.as-white': 'As White',
  'player.as-black': 'As Black',
  'player.opponents': 'Most frequent opponents',
  'player.latest': 'Latest games',
  'player.all': 'all {n}',
  'player.years': 'Results by year',
  'player.ratings': 'Rating',
  'player.struggles': 'Struggles against',
  'player.no-struggles': 'Nothing stands out: no opening with {n} games or more is worse than chance explains.',
  'player.struggle': '{games}, {score}% where {expected}% is usual with this colour',
  'player.longest': 'Longest game',
  'player.shortest': 'Shortest decisive game',
  'player.page': 'Page of {player}',
  'player.open': 'Open the page',
  'player.newest': 'In the newest games',
  'player.close': 'Back to the board',
  'player.moves': '{n} moves',
  'player.answers': 'They answer',
  'player.opponents-play': 'Opponents play',
  'player.plays': 'Plays',
  'player.loading': 'Counting the games of {player} …',
};

const numbers = new Intl.NumberFormat('en');
const shortNumbers = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });

/** 1234567 as "1,234,567". */
export const number = (n) => numbers.format(n);
/** Numbers from a million with three digits: "1.23M". */
export const shortNumber = (n) => (n < 1_000_000 ? numbers.format(n) : shortNumbers.format(n));

/** A text of the table with its values. */
export function t(key, values = {}) {
  const text = ENGLISH[key];
  if (text === undefined) throw new Error(`no text ${key}`);
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');
}

/** A text with a number in the right form. */
export const counted = (key, n) => t(`${key}.${n === 1 ? 'one' : 'many'}`, { n: number(n) });
