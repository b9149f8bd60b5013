/*
 * tag_text.h - converts tags that a row stores as numbers: dates and ratings.
 *
 * A number replaces a tag's text only if it reproduces that text; otherwise the text is stored as well.
 */
#ifndef TBY_ROW_TAG_TEXT_H
#define TBY_ROW_TAG_TEXT_H

#include "tabiya_query.h"

enum { ELO_MAX = 9999, DATE_MAX = 99991231, DAY_MAX = 99999999 };

/* "????.??.??" for 0. */
void date_write(char out[TBY_ROW_TEXT_SIZE], int date);
void number_write(char out[TBY_ROW_TEXT_SIZE], int number);
/* 1 to ELO_MAX; 0 for anything else. */
int elo_read(const char *s, size_t n);
/* "?", "-" and the empty text are not opening codes. */
bool eco_is_code(const char *s, size_t n);

#endif
