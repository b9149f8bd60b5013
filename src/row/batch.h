/*
 * batch.h - games as rows of the database, before they are stored.
 *
 * The bytes of all texts are in one arena, one after the other, into which the rows point.
 */
#ifndef TBY_STORE_BATCH_H
#define TBY_STORE_BATCH_H

#include "tabiya_db.h"

struct tby_batch {
    char *bytes;
    size_t n_bytes, cap_bytes;
    tby_row *rows;
    size_t n_rows, cap_rows;
    tby_move *line;
    char *names; /* of a game's tags, while its shape is written */
    size_t n_names, cap_names;
    size_t most_bytes; /* that a packed game may have; 0: any game may be added */
    bool has_no_memory, has_lost_text;
};

#endif
