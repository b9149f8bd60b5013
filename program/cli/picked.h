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

/* Numbers and ranges, "1,5,9..20", or "-" for a list from standard input. Of a range only games that are there are
   added. What is no number ends the program. */
void picked_add_list(picked *p, const char *list);
/* The games that a search finds. */
void picked_add_found(picked *p, const query *q);

static inline size_t picked_n(const picked *p) { return p->ids.n / sizeof(tby_game_id); }
static inline const tby_game_id *picked_ids(const picked *p) { return (const tby_game_id *)(const void *)p->ids.s; }

#endif
