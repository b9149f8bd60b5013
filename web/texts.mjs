/*
 * texts.mjs - the language of the page: t('games.none'), t('filter.since', { year: 2015 }).
 *
 * English texts are in english.mjs, and those of index.html there. Another language is a file, texts-CODE.json: one table of the keys of
 * english.mjs, and of the English texts themselves that come from index.html or from the library. What it lacks stays English.
 */
import { ENGLISH } from './english.mjs';

/** The languages of the page by their codes, as they call themselves. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' };
const ATTRIBUTES = ['title', 'aria-label', 'placeholder', 'alt', 'label'];

let language = 'en';
let own = null; // the table of another language
let numbers = new Intl.NumberFormat('en');
const SHORT = /** @type {Intl.NumberFormatOptions} */ ({ notation: 'compact', minimumSignificantDigits: 3, maximumSignificantDigits: 3 });
let shortNumbers = new Intl.NumberFormat('en', SHORT);
let plurals = new Intl.PluralRules('en');

/** The code of the language in which the page is shown. */
export const pageLanguage = () => language;

/** 1234567 as "1,234,567". */
export const number = (n) => numbers.format(n);
/** Numbers from a million with three digits: "1.23M". */
export const shortNumber = (n) => (n < 1_000_000 ? numbers.format(n) : shortNumbers.format(n));
/** A number with `digits` digits after the point: "58.6". */
export const decimal = (n, digits = 1) => n.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
/** { year, month, day } as "28 January 2015"; the day, or both month and day, may be missing. */
export function dateText({ year, month = 0, day = 0 }) {
  const date = new Date(Date.UTC(year, Math.max(0, month - 1), day || 1));
  /** @type {Intl.DateTimeFormatOptions} */
  const parts = { timeZone: 'UTC', year: 'numeric', ...(month ? { month: 'long' } : {}), ...(month && day ? { day: 'numeric' } : {}) };
  return date.toLocaleDateString(language === 'en' ? 'en-GB' : language, parts);
}

const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');

/** A text of the table with its values. */
export function t(key, values = {}) {
  const text = own?.[key] ?? ENGLISH[key];
  if (text === undefined) throw new Error(`no text ${key}`);
  return filled(text, values);
}

/** A text with a number in the right form, and with further values. */
export function counted(key, n, values = {}) {
  const form = plurals.select(n);
  const text = own?.[`${key}.${form}`] ?? own?.[`${key}.many`] ?? ENGLISH[`${key}.${n === 1 ? 'one' : 'many'}`];
  return filled(text, { n: number(n), ...values });
}

/** Is there such a text? */
export const hasText = (key) => key in ENGLISH;

/** An English text of the library or the document in the language of the page. */
export const word = (text) => own?.[text] ?? text;

/** What a user's setting means: a code, or 'auto' for the browser's language. */
const codeOf = (setting) => (LANGUAGES[setting] ? setting : (globalThis.navigator?.languages ?? []).map((name) => name.slice(0, 2)).find((name) => LANGUAGES[name]) ?? 'en');

/** Replaces the texts of a part of the document. */
function translate(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.data.trim().replace(/\s+/g, ' ');
    if (own[text] !== undefined) node.data = node.data.replace(/\S(?:[^]*\S)?/, () => own[text]);
  }
  for (const element of root.querySelectorAll(ATTRIBUTES.map((name) => `[${name}]`).join(',')))
    for (const name of ATTRIBUTES) if (own[element.getAttribute(name)] !== undefined) element.setAttribute(name, own[element.getAttribute(name)]);
}

/** Takes over a language before the panels are made; without its file the page stays English. */
export async function useLanguage(setting) {
  const code = codeOf(setting);
  if (code === 'en') return;
  try {
    const response = await fetch(new URL(`texts-${code}.json`, import.meta.url));
    if (!response.ok) return;
    own = await response.json();
  } catch {
    return;
  }
  language = code;
  numbers = new Intl.NumberFormat(code);
  shortNumbers = new Intl.NumberFormat(code, SHORT);
  plurals = new Intl.PluralRules(code);
  document.documentElement.lang = code;
  document.documentElement.dir = own.direction ?? 'ltr';
  translate(document.body);
}
