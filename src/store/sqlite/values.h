/*
 * values.h - the texts that a column has, in their order: the rank of each, so that games are sorted by numbers.
 *
 * Texts that tby_order_key does not tell apart have the same rank. Names are found by their numbers, other texts by what they are.
 */
#ifndef TBY_STORE_SQLITE_VALUES_H
#define TBY_STORE_SQLITE_VALUES_H

#include "store/sqlite/db.h"

/* The number of a name that is not known. */
#define VALUES_UNKNOWN INT64_MIN

typedef struct values {
    const tby_order *order; /* by one column, which has names or texts */
    buffer keys, asked;     /* of the values, and of the one that is looked for */
    struct value {
        const char *key;
        size_t at, n; /* the key's place and length */
        int64_t id;   /* of a name */
        uint32_t rank;
    } * items; /* by their keys */
    size_t n, cap;
    uint32_t unknown; /* the rank of what is not known */
} values;

/* Can games be sorted by the values of a column? */
bool values_can_rank(const tby_order *order);
/* Reads all of them; values_free in any case. */
bool values_read(values *v, lite *db, const tby_order *order);
void values_free(values *v);
/* By their numbers from now on, as values_rank needs it for names. */
void values_sort_by_number(values *v);
/* The rank of a value that a statement gives: the number of a name, or a text. */
bool values_rank(values *v, lite *db, sqlite3_stmt *s, int column, uint32_t *out);

#endif
