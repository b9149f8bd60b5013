/*
 * batch.h - games as rows of the database, before they are stored.
 *
 * The bytes of all texts stand one after the other in one arena; a game points into it.
 */
#ifndef TBY_STORE_BATCH_H
#define TBY_STORE_BATCH_H

#include "tabiya_db.h"

/* Some bytes of the arena; `n` is SPAN_NULL where there is no value at all. */
typedef struct span {
    uint32_t at, n;
} span;
#define SPAN_NULL UINT32_MAX

/* The columns that hold a tag's text as it is, in the order of batch.c's table of tags. */
typedef enum text_column { COL_WHITE, COL_BLACK, COL_EVENT, COL_SITE, COL_ROUND, COL_ECO, N_TEXT_COLUMNS } text_column;

typedef struct batch_game {
    uint64_t hash; /* of all that makes the game */
    span texts[N_TEXT_COLUMNS];
    span shape, tags, moves, annotated;
    int date;   /* as 20190531, parts that are not known 0; 0 for none */
    int elo[2]; /* 0 for none */
    tby_result result;
    uint32_t n_plies;
    const char *eco; /* where there is no such tag, what the library makes of the moves; NULL for none */
} batch_game;

struct tby_batch {
    char *bytes;
    size_t n_bytes, cap_bytes;
    batch_game *games;
    size_t n_games, cap_games;
    tby_move *line;
    char *names; /* of a game's tags, while its shape is written */
    size_t n_names, cap_names;
    uint32_t *others; /* its tags that no column holds */
    size_t cap_others;
    size_t most_bytes; /* that a packed game may have; 0: any game may be added */
    bool has_no_memory, has_lost_text;
};

static inline const char *span_bytes(const tby_batch *b, span s) { return b->bytes + s.at; }

#endif
