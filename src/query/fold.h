/*
 * fold.h - compares names and other texts, ignoring case and accents.
 *
 * Folding turns a text into lower case without accents: "Müller" is "muller", "Æ" "ae", "ß" "ss", "Ø" "o". Bytes
 * that are not UTF-8 count as Windows-1252.
 */
#ifndef TBY_QUERY_FOLD_H
#define TBY_QUERY_FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tabiya_query.h"

/* One character becomes at most this many bytes. */
enum { FOLD_SIZE = 12 };

typedef struct fold_reader {
    const char *at, *end;
} fold_reader;

/* Folds the next character: returns the number of bytes, which may be 0 for a lone accent; `*is_letter`
   says whether it is a letter or digit. The text must not be at its end. */
size_t fold_next(fold_reader *reader, char out[FOLD_SIZE], bool *is_letter);

/* Folds the words of a text, each followed by a NUL: writes at most `cap` bytes and returns the full size. */
size_t fold_words(char *out, size_t cap, const char *s, size_t n);
/* Folds a text; the same otherwise. */
size_t fold_text(char *out, size_t cap, const char *s, size_t n);

/* Is each of these words (as written by fold_words) a word of the text? */
bool fold_has_words(const char *s, size_t n, const char *words, size_t n_words);
/* The words that every text matching a folded pattern must contain: those not touching a *. As in fold_words. */
size_t fold_pattern_words(char *out, size_t cap, const char *pattern, size_t n);
/* Does the folded text match the folded pattern, in which * matches any text? */
bool fold_fits(const char *s, size_t n, const char *pattern, size_t n_pattern);

/* Does a player's name match the wanted one? Either it has all wanted words, or both may be the same person, also if a
   first name is cut to two letters: Polgar,Ju for Judit Polgar. Never if they differ in digits, or in Jr and Sr, unless
   a single word is wanted. (person.c) */
bool person_is_asked(const char *asked, size_t n_asked, const char *name, size_t n);
/* Is it a single word, which does not say which member of a family is meant? */
bool person_is_single(const tby_person *person);

#endif
