/*
 * tag_text.h - tags whose values the database keeps as numbers: dates and ratings, and their texts.
 *
 * A number stands for a tag only if it gives the tag's text again; else the text is kept beside it.
 */
#ifndef TBY_STORE_TAG_TEXT_H
#define TBY_STORE_TAG_TEXT_H

#include <stdbool.h>
#include <stddef.h>

enum { TAG_TEXT_SIZE = 16, ELO_MAX = 9999 };

/* "2019.05.31" is 20190531. What is not known or cannot be is 0: "2019.??.??" and "2019.13.45" are 20190000,
   "2019.02.30" is 20190200. 0 if there is no year of four digits. */
int tby_date_read(const char *s, size_t n);
/* "????.??.??" for 0. */
void tby_date_write(char out[TAG_TEXT_SIZE], int date);
/* 1 to ELO_MAX; 0 for anything else. */
int tby_elo_read(const char *s, size_t n);
/* "?", "-" and nothing are no codes of openings. */
bool tby_eco_is_code(const char *s, size_t n);

#endif
