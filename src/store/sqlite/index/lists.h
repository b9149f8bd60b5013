/*
 * lists.h - tables of lists: which games, or names, have a key.
 *
 * Numbers lie in blocks of 65,536. For every key that some number of a block has there is a row:
 *
 *     id = (number - 1) / 65536 * 2^32 + key
 *
 *     the numbers' places in the block, (number - 1) % 65536, each as a varint: the difference from the one before,
 *     the first from -1
 */
#ifndef TBY_STORE_LISTS_H
#define TBY_STORE_LISTS_H

#include "codec/bytes.h"
#include "store/sqlite/db.h"

enum { LIST_NUMBERS = 1 << 16 };

static inline int64_t list_block(int64_t number) { return (number - 1) / LIST_NUMBERS; }
static inline int64_t list_row(int64_t number, uint32_t key) { return list_block(number) << 32 | (int64_t)key; }
/* The last number of a number's block. */
static inline int64_t list_block_end(int64_t number) { return (list_block(number) + 1) * LIST_NUMBERS; }

/* That a number of a block has a key. */
typedef struct list_entry {
    uint32_t key, place; /* in the block, from 0 */
} list_entry;

/* What is to be added to a table. */
typedef struct lists {
    lite *db;
    const char *name; /* of the index, for people */
    statement get, put;
    list_entry *entries;
    size_t n, cap;
    list_entry *spare; /* for sorting */
    size_t cap_spare;
    buffer row;
} lists;

lists lists_begin(lite *db, const char *name, statement get, statement put);
void lists_end(lists *l);
/* Numbers come in rising order. */
bool lists_add(lists *l, int64_t number, uint32_t key);
/* Stores what was added, all of the block of `number`; what a row has already must be of smaller numbers. */
bool lists_write(lists *l, int64_t number);

/* Calls `visit` for each number of a row; false for bytes that are none. */
typedef void (*list_visit)(void *context, int64_t number);
bool lists_each(int64_t row, const uint8_t *bytes, size_t n, list_visit visit, void *context);

#endif
