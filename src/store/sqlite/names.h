/*
 * names.h - the names of one table (players, events ...) and their numbers; names seen so far are in memory while games
 * are added.
 */
#ifndef TBY_STORE_SQLITE_NAMES_H
#define TBY_STORE_SQLITE_NAMES_H

#include "store/sqlite/db.h"

enum { NAMES_MAX = INT32_MAX };

/* Numbers by their hashes: open addressing, with a power of two as size. */
typedef struct hash_set {
    uint64_t *hashes;
    uint32_t *numbers; /* 0 = empty */
    size_t n, n_slots;
} hash_set;

/* False if out of memory. */
bool hash_set_add(hash_set *set, uint64_t hash, uint32_t number);
/* Adds no more than a few with the same hash: a long chain of copies would make each next one slower. For games, whose hash
   covers all that makes them duplicates, so that a few of them are enough to recognize the next. */
enum { HASH_SET_FEW = 4 };
bool hash_set_add_few(hash_set *set, uint64_t hash, uint32_t number);
/* Removes everything; keeps the memory. */
void hash_set_clear(hash_set *set);
void hash_set_free(hash_set *set);
/* The next number with this hash, from `*slot` on; 0 after the last. `*slot` begins with the hash. */
uint32_t hash_set_next(const hash_set *set, uint64_t hash, size_t *slot);

typedef struct names {
    char *text;
    size_t n_text, cap_text;
    struct name {
        size_t at, n;
        int64_t id;
    } * items;
    size_t n_items, cap_items;
    hash_set hashes;   /* of the items, numbered from 1 */
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
