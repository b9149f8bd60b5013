/*
 * picked.h - the games of a database that are named on the command line, by their numbers or by conditions.
 */
#ifndef TABIYA_CLI_PICKED_H
#define TABIYA_CLI_PICKED_H

#include "query_options.h"

typedef struct picked {
    const args *args;
    tby_db *db;
    buffer ids; /* of tby_game_id; to be freed */
} picked;

/* Adds the games with the numbers `ids`, "1,5,9..20", or "-" for a list on standard input; for a range, only existing
   games. If `ids` is NULL, adds those that match the query, which the words from `first` on are, and the options, in
   their order and up to their limit. Both, neither, or an invalid number ends the
   program. */
void picked_add(picked *p, const char *ids, size_t first);

static inline size_t picked_n(const picked *p) { return p->ids.n / sizeof(tby_game_id); }
static inline const tby_game_id *picked_ids(const picked *p) { return (const tby_game_id *)(const void *)p->ids.s; }

#endif
