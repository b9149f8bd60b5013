/*
 * row.h - rows before they are stored, and when two games are the same, so that the second is a duplicate.
 *
 * They have the same tags in any order, the same start, moves, variations, NAGs and result, and the same comments. In
 * comments a line end, with the blanks around it, counts as one blank; blanks at both ends do not count.
 */
#ifndef TBY_ROW_ROW_H
#define TBY_ROW_ROW_H

#include "support/buffer.h"
#include "tabiya_db.h"

/* A 64-bit hash of bytes, continuing from `seed`; the same on every machine. */
uint64_t bytes_hash(uint64_t seed, const void *bytes, size_t n);
/* Games that are the same have the same hash. `moves` is the main line as a packed game. */
uint64_t same_hash(const tby_game *game, const uint8_t *moves, size_t n, bool is_plain);
bool games_match(const tby_game *a, const tby_game *b);

/* ---- Games as database rows, before they are stored (batch.c) ---------------------------------------------------- */

/* The rows point into one arena, which has the bytes of all texts one after the other. */
struct tby_batch {
    char *bytes;
    size_t n_bytes, cap_bytes;
    tby_row *rows;
    size_t n_rows, cap_rows;
    buffer names;                         /* of a game's tags, while its shape is written */
    const struct row_column *columns[16]; /* of the game's first tags */
    size_t most_bytes;                    /* the size limit of a packed game; 0: none */
    bool has_no_memory, has_lost_text;
    tby_move line[TBY_PLIES_MAX + 1]; /* the main line of a game */
};

#endif
