/*
 * lists.h - tables of lists: the games, or names, that have a key.
 *
 * Numbers are grouped into blocks of 65,536. Each key that some number of a block has gets a row:
 *
 *     id = (number - 1) / 65536 * 2^32 + key
 *
 *     the numbers' places in the block, (number - 1) % 65536, each as a varint: the difference from the one before,
 *     the first from -1
 */
#ifndef TBY_STORE_SQLITE_INDEX_LISTS_H
#define TBY_STORE_SQLITE_INDEX_LISTS_H

#include "codec/bytes.h"
#include "store/sqlite/game_set.h"
#include "store/sqlite/index/sorter.h"

enum { LIST_NUMBERS = 1 << 16 };

static inline int64_t list_block(int64_t number) { return (number - 1) / LIST_NUMBERS; }
static inline int64_t list_row(int64_t number, uint32_t key) { return list_block(number) << 32 | (int64_t)key; }
/* The last number of a number's block. */
static inline int64_t list_block_end(int64_t number) { return (list_block(number) + 1) * LIST_NUMBERS; }

/* Entries to be added to a table, which only needs `db` and `table` at the start: keys, and the places in the block that have them. */
typedef struct lists {
    lite *db;
    lite_table table;
    position_entry *entries; /* the place, from 0, instead of a game */
    size_t n, cap;
    position_entry *spare; /* for sorting */
    size_t cap_spare;
    buffer row;
} lists;

void lists_end(lists *l);
/* Numbers must be ascending. */
bool lists_add(lists *l, int64_t number, uint32_t key);
/* Stores the entries, all of the block of `number`; existing entries of a row must have smaller numbers. */
bool lists_write(lists *l, int64_t number);

/* Adds the numbers of the current row of lists_rows to a set; or those of one row, if it exists. Invalid bytes are a
   failure. */
bool lists_take(const lite_rows *r, lite_table table, game_set *out);
bool lists_read(lite *db, lite_table table, int64_t row, game_set *out);
/* All rows of a table: the number, in order, and the bytes. */
lite_rows lists_rows(lite *db, lite_table table);

/* For verifying: a sum of hashes over keys and their numbers, in any order. */
uint64_t lists_hash(uint32_t key, int64_t number);
/* What the rows of a table may have: of several sets, the key's upper half decides which. */
typedef struct lists_check {
    const game_set *there; /* numbers that exist; others are not added up */
    const int64_t *last;   /* no row has larger ones */
    unsigned n;
    bool ignores_keys; /* only numbers count */
} lists_check;
/* Adds all rows up. `*is_whole` is false after invalid rows. */
bool lists_sum(lite *db, lite_table table, const lists_check *check, uint64_t *sum, bool *is_whole);

#endif
