/*
 * letters.mjs - the letters of pieces in moves: English, figurines, or those of another language. Games, links and files keep English ones.
 */
import { t } from './texts.mjs';

const ENGLISH = 'KQRBN';
/** King, queen, rook, bishop, knight. */
const LETTERS = { english: ENGLISH, figurines: '♔♕♖♗♘', german: 'KDTLS', french: 'RDTFC', spanish: 'RDTAC', italian: 'RDTAC', dutch: 'KDTLP', portuguese: 'RDTBC', polish: 'KHWGS', czech: 'KDVSJ', hungarian: 'KVBFH' };
const STORE = 'english';
let letters = LETTERS[STORE];

/** The names of the sets, and what they are called. */
export const letterSets = () => Object.entries(LETTERS).map(([name, own]) => [name, name === 'english' || name === 'figurines' ? t(`letters.${name}`) : `${t(`letters.${name}`)} (${[...own].join(' ')})`]);

/** Uses the letters of a set from now on. Were they others before? */
export function useLetters(name) {
  const before = letters;
  letters = LETTERS[name] ?? LETTERS[STORE];
  return letters !== before;
}

/** A move, or several, as they are shown. */
export const shownMove = (san) => (letters === ENGLISH ? san : san.replace(/[KQRBN]/g, (letter) => letters[ENGLISH.indexOf(letter)]));
/** A typed move with English letters. */
export const readMove = (text) => (letters === ENGLISH ? text : text.replace(/[^\Wa-h\d]/gu, (letter) => ENGLISH[letters.indexOf(letter)] ?? letter));
