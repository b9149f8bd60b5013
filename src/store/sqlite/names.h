/*
 * names.h - the names of one table (players, events ...) and their numbers; names seen so far are in memory while games
 * are added.
 */
#ifndef TBY_STORE_SQLITE_NAMES_H
#define TBY_STORE_SQLITE_NAMES_H

#include "store/sqlite/db.h"

enum { NAMES_MAX = INT32_MAX };

typedef struct names {
    char *text;
    size_t n_text, cap_text;
    struct name {
        size_t at, n;
        uint64_t hash;
        int64_t id;
    } * items;
    size_t n_items, cap_items;
    uint32_t *slots; /* 1 + an item, 0 = empty; a power of two of them */
    size_t n_slots;
    size_t most_bytes; /* above this size the cached names are dropped */
    int64_t last_id;
    bool has_stored; /* the table has names that are not in memory */
    sqlite3_stmt *insert, *select;
} names;

/* `column` is the column of the names. */
bool names_begin(names *t, lite *db, const char *table, const char *column);
void names_end(names *t);
/* The number of a name, which is stored if it is new; 0 on failure. */
int64_t names_id(names *t, lite *db, const char *s, size_t n);

#endif
