/*
 * tag_text.h - tags whose values the database keeps as numbers: dates and ratings, and their texts.
 *
 * A number stands for a tag only if the tag's text can be had back from it; else the text is kept beside it.
 */
#ifndef TBY_STORE_TAG_TEXT_H
#define TBY_STORE_TAG_TEXT_H

#include <stddef.h>

enum { TAG_TEXT_SIZE = 16, ELO_MAX = 9999 };

/* "2019.05.31" is 20190531, "2019.??.??" 20190000; 0 for what is no date. */
int tby_date_read(const char *s, size_t n);
/* "????.??.??" for 0. */
void tby_date_write(char out[TAG_TEXT_SIZE], int date);
/* 1 to ELO_MAX; 0 for anything else. */
int tby_elo_read(const char *s, size_t n);

#endif
