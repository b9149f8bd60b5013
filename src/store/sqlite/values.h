/*
 * values.h - the distinct texts of a column, in order: the rank of each, so that games are sorted by numbers.
 *
 * Texts with the same tby_order_key have the same rank. Names are found by their numbers, other texts by their
 * contents.
 */
#ifndef TBY_STORE_SQLITE_VALUES_H
#define TBY_STORE_SQLITE_VALUES_H

#include "store/sqlite/db.h"

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
