/*
 * explorer.h - /lichess, /masters and /player: what the files of the explorer share.
 *
 *     explorer.c         parameters -> a position and a query, and the question to the library
 *     explorer_write.c   the answer
 */
#ifndef TABIYA_SERVER_EXPLORER_H
#define TABIYA_SERVER_EXPLORER_H

#include "query.h"
#include "site_games.h"

typedef struct wish {
    explorer_kind kind;
    tby_position pos;
    tby_opening opening; /* the last named opening on the way there */
    query among;         /* which games count */
    tby_color color;     /* of the player */
    uint64_t n_moves;    /* to be shown */
    tby_db_survey_options options;
} wish;

/* The answer; false if the database failed. */
bool survey_write(buffer *out, games *g, const wish *w, const tby_db_survey *survey);

#endif
