/*
 * typing.mjs - what is being typed at the end of a text in the search field: a player's name, a word of the query language, or both may be.
 *
 * The core reads the text. Where it stops, at the end of the text, is what is not complete yet.
 */
import { placeOf } from './fault.mjs';

/** Words between two players' names. */
const BETWEEN = [' - ', ' – ', ' v ', ' vs ', ' vs. ', ' against '];

/** { conditions } of a query with their places, or { error } with its place, as [begin, end]. */
function read(tabiya, text) {
  try {
    return { conditions: tabiya.understand(text).conditions.map((condition) => ({ ...condition, place: placeOf(condition, text) })) };
  } catch (error) {
    return { error, conditions: [], place: placeOf(error, text) };
  }
}

/** The condition on a player that a text ends with, if it does. */
function lastPlayer(tabiya, text) {
  const last = read(tabiya, text).conditions.at(-1);
  return last && ['player', 'white', 'black'].includes(last.word) && last.name && last.place[1] === text.trimEnd().length ? last : null;
}

/** The name that a condition on a player begins, and all that is typed after it. */
function nameOf({ place: [begin, end], word, value, name }, text) {
  const sign = ['~', '='].find((other) => value.startsWith(other)) ?? '';
  return { before: `${text.slice(0, begin)}${word} ${sign}`, name: name + text.slice(end), isFact: true };
}

/** A name in text that is no query: the whole, or the second of two. */
function plainName(text) {
  const parts = BETWEEN.map((between) => text.lastIndexOf(between) + between.length).filter((at, i) => at >= BETWEEN[i].length);
  const begin = Math.max(0, ...parts);
  return { before: text.slice(0, begin), name: text.slice(begin), isFact: false };
}

/**
 * { name, word }: `name` is { before, name, isFact }, the text before a player's name and the name, which is the value of a condition or a
 * plain one; `word` is { before, word }. Each is null where it is not being typed.
 */
export function typedAt(tabiya, text) {
  const bracket = text.lastIndexOf('(') + 1;
  if (bracket && !text.includes(')', bracket)) { // what is in it is a query of its own
    const { name, word } = typedAt(tabiya, text.slice(bracket));
    const behind = (part) => part && { ...part, before: text.slice(0, bracket) + part.before };
    return { name: behind(name), word: behind(word) };
  }
  const { error, place, conditions } = read(tabiya, text);
  if (!error) {
    const [player, last] = [lastPlayer(tabiya, text), conditions.at(-1)];
    const isWord = last && !last.value && last.word && last.place[1] === text.length;
    return { name: player && player.place[1] === text.length ? nameOf(player, text) : null, word: isWord ? { before: text.slice(0, last.place[0]), word: last.word } : null };
  }
  const [at, end] = place ?? [0, 0];
  const begin = text.lastIndexOf(' ', at - 1) + 1; // a name may begin like a piece: Kasparov, Müller
  const quoted = lastPlayer(tabiya, `${text}"`); // a quote that is still open
  const player = quoted ?? lastPlayer(tabiya, text.slice(0, begin));
  const name = player ? { ...nameOf(player, text), ...(quoted ? { name: quoted.name } : {}) } : begin === 0 ? plainName(text) : null;
  const word = end === text.length ? text.slice(begin) : '';
  return { name: name && name.name.trim().length > 1 ? name : null, word: word.length > 1 ? { before: text.slice(0, begin), word } : null };
}
