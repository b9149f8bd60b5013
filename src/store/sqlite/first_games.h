/*
 * first_games.h - the first games in an order that one number per game decides, without sorting the others.
 *
 * A game is 64 bits: its rank, then its number, inverted if equal games are sorted by descending number. All differ.
 */
#ifndef TBY_STORE_SQLITE_FIRST_GAMES_H
#define TBY_STORE_SQLITE_FIRST_GAMES_H

#include "store/sqlite/db.h"

typedef struct first_games {
    uint64_t *games;
    size_t n, cap;
    size_t most;   /* how many are wanted; 0 = all */
    uint64_t last; /* greater values are not wanted */
    bool ids_fall;
} first_games;

/* The first `offset` games will be skipped, and at most `limit` returned; 0 = all. */
first_games first_games_of(const tby_order *order, int64_t offset, int64_t limit);
void first_games_free(first_games *r);
/* Makes room for one more; false if out of memory. */
bool first_games_grow(first_games *r);
/* Keeps the games from `offset` on, at most `limit`, in order; false if out of memory. */
bool first_games_cut(first_games *r, int64_t offset, int64_t limit);

/* False if out of memory. The number of a game has 32 bits. */
static inline bool first_games_add(first_games *r, uint32_t rank, tby_game_id id)
{
    const uint64_t game = (uint64_t)rank << 32 | (r->ids_fall ? ~(uint32_t)id : (uint32_t)id);
    if (game > r->last)
        return true;
    if (r->n == r->cap && !first_games_grow(r))
        return false;
    r->games[r->n++] = game;
    return true;
}
static inline tby_game_id first_games_id(const first_games *r, size_t i)
{
    return (uint32_t)(r->ids_fall ? ~r->games[i] : r->games[i]);
}

/* ---- Texts ---------------------------------------------------------------------------------------------- */

/* The distinct texts of a column, in order: the rank of each, so that games are sorted by numbers. Texts with the same
   tby_order_key have the same rank. Names are found by their numbers, other texts by their contents. */

/* The number of an unknown name. */
#define VALUES_UNKNOWN INT64_MIN

typedef struct values {
    const tby_order *order; /* by one column, which has names or texts */
    buffer keys, asked;     /* of the values, and of the one being looked up */
    struct value {
        const char *key;
        size_t at, n; /* the key's place and length */
        int64_t id;   /* of a name */
        uint32_t rank;
    } * items; /* by their keys */
    size_t n, cap;
    uint32_t unknown; /* the rank of an unknown value */
} values;

/* Can games be sorted by the values of a column? */
bool values_can_rank(const tby_order *order);
/* Reads all values; call values_free in any case. */
bool values_read(values *v, lite *db, const tby_order *order);
void values_free(values *v);
/* Sorts by number from now on, as values_rank needs it for names. */
void values_sort_by_number(values *v);
/* The rank of a value returned by a statement: the number of a name, or a text. */
bool values_rank(values *v, lite *db, sqlite3_stmt *s, int column, uint32_t *out);

#endif
