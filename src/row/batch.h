/*
 * batch.h - games as database rows, before they are stored.
 *
 * The rows point into one arena, which has the bytes of all texts one after the other.
 */
#ifndef TBY_ROW_BATCH_H
#define TBY_ROW_BATCH_H

#include "tabiya_db.h"

struct tby_batch {
    char *bytes;
    size_t n_bytes, cap_bytes;
    tby_row *rows;
    size_t n_rows, cap_rows;
    char *names; /* the names of a game's tags, while its shape is written */
    size_t n_names, cap_names;
    const struct row_column *columns[16]; /* of the game's first tags */
    size_t most_bytes;                    /* the size limit of a packed game; 0: none */
    bool has_no_memory, has_lost_text;
    tby_move line[TBY_PLIES_MAX + 1]; /* the main line of a game */
};

#endif
