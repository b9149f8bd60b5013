/*
 * tag_text.h - converts tags that a row stores as numbers: dates and ratings.
 *
 * A number replaces a tag's text only if it reproduces that text; otherwise the text is stored as well.
 */
#ifndef TBY_QUERY_TAG_TEXT_H
#define TBY_QUERY_TAG_TEXT_H

#include "tabiya_query.h"

enum { ELO_MAX = 9999, DATE_MAX = 99991231, DAY_MAX = 99999999 };

/* "2019.05.31" is 20190531. Unknown or impossible parts are 0: "2019.??.??" and "2019.13.45" are 20190000, "2019.02.30"
   is 20190200. 0 if there is no year of four digits. */
int date_of_text(const char *s, size_t n);
/* "????.??.??" for 0. */
void date_write(char out[TBY_ROW_TEXT_SIZE], int date);
void number_write(char out[TBY_ROW_TEXT_SIZE], int number);
/* 1 to ELO_MAX; 0 for anything else. */
int elo_read(const char *s, size_t n);
/* "?", "-" and the empty text are not opening codes. */
bool eco_is_code(const char *s, size_t n);

#endif
