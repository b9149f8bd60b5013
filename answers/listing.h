/*
 * listing.h - what a search found, a line for each game: for people, as values separated by tabs or commas, or as JSON.
 */
#ifndef TABIYA_ANSWERS_LISTING_H
#define TABIYA_ANSWERS_LISTING_H

#include "buffer.h"
#include "tabiya_db.h"

typedef enum listing_form { LISTING_TEXT, LISTING_TSV, LISTING_CSV, LISTING_SHEET, LISTING_JSON } listing_form;

/* The header, if the form has one. */
void listing_header(buffer *out, listing_form form);
/* The game's line, for programs: not LISTING_TEXT. */
void listing_write(buffer *out, listing_form form, const tby_db_hit *hit, const tby_row *row);
/* The same for people, with so much of it left out that it fits in `n_columns`: the name of the opening, the event, the
   length, the ratings. 0: all of it. */
void listing_write_text(buffer *out, const tby_db_hit *hit, const tby_row *row, unsigned n_columns);
/* As listing_write, with all plies instead of the first: "11,12" or [11,12]. */
void listing_write_plies(buffer *out, listing_form form, const tby_db_hit *hit, const tby_row *row,
                         const uint32_t *plies, size_t n_plies);

#endif
