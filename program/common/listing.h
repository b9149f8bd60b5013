/*
 * listing.h - the games found by a search, one line each: for people, as values separated by tabs or commas, or as
 * JSON.
 */
#ifndef TABIYA_COMMON_LISTING_H
#define TABIYA_COMMON_LISTING_H

#include "support/buffer.h"
#include "tabiya_db.h"

typedef enum listing_form { LISTING_TEXT, LISTING_TSV, LISTING_CSV, LISTING_SHEET, LISTING_JSON } listing_form;

/* Each line begins with the game's number, after the name of its source if that is not NULL. */

/* The header, if the form has one. */
void listing_header(buffer *out, listing_form form, bool has_source);
/* The game's line in a format for programs, not LISTING_TEXT. */
void listing_write(buffer *out, listing_form form, const char *source, const tby_db_hit *hit, const tby_row *row);
/* Which move is shown with the ply: the one that led to the position or, if a query is about a move, the one that
   was searched for, which is played from it. */
typedef enum listing_move { LISTING_MOVE_TO, LISTING_MOVE_FROM } listing_move;
/* The same for people, shortened to fit in `n_columns` by leaving out parts: the name of the opening, the event, the
   length, the ratings. 0: all of it. */
void listing_write_text(buffer *out, const char *source, const tby_db_hit *hit, const tby_row *row, listing_move shown,
                        unsigned n_columns);
/* As listing_write, with all plies instead of the first: "11,12" or [11,12]. NULL: only the first. */
void listing_write_plies(buffer *out, listing_form form, const char *source, const tby_db_hit *hit, const tby_row *row,
                         const uint32_t *plies, size_t n_plies);

#endif
