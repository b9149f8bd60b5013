/*
 * letters.mjs - the letters of pieces in moves: English, figurines, or those of another language. Games, links and files keep English ones.
 */
import { pageLanguage, t } from './texts.mjs';

const ENGLISH = 'KQRBN';
/** King, queen, rook, bishop, knight. */
const LETTERS = { english: ENGLISH, figurines: '♔♕♖♗♘', german: 'KDTLS', french: 'RDTFC', spanish: 'RDTAC', italian: 'RDTAC', dutch: 'KDTLP', portuguese: 'RDTBC', polish: 'KHWGS', czech: 'KDVSJ', hungarian: 'KVBFH' };
/** The letters of the languages that the page has. */
const OF_LANGUAGE = { de: 'german' };
let letters = ENGLISH;

/** The names of the sets, and what they are called. */
export const letterSets = () => [['auto', t('letters.auto')], ...Object.entries(LETTERS).map(([name, own]) => [name, name === 'english' || name === 'figurines' ? t(`letters.${name}`) : `${t(`letters.${name}`)} (${[...own].join(' ')})`])];

/** Uses the letters of a set from now on, 'auto' those of the page's language. Were they others before? */
export function useLetters(name) {
  const before = letters;
  letters = LETTERS[name === 'auto' ? OF_LANGUAGE[pageLanguage()] : name] ?? ENGLISH;
  return letters !== before;
}

/** A move, or several, as they are shown. */
export const shownMove = (san) => (letters === ENGLISH ? san : san.replace(/[KQRBN]/g, (letter) => letters[ENGLISH.indexOf(letter)]));
/** Can a move begin with this character? */
export const beginsMove = (key) => /^[a-h1-8O]$/.test(key) || (key.length === 1 && (letters.includes(key) || (/[♔-♘]/.test(letters) && ENGLISH.includes(key))));
/** A typed move with English letters. */
export const readMove = (text) => (letters === ENGLISH ? text : text.replace(/[^\Wa-h\d]/gu, (letter) => ENGLISH[letters.indexOf(letter)] ?? letter));
