/*
 * sorter.h - sorts the positions of many games by key, in bounded memory.
 *
 * They are stored in parts by the upper bits of their keys. If there are too many, all parts go to a temporary table,
 * which SQLite keeps in an unnamed file. At the end the parts are sorted one by one, in several threads.
 */
#ifndef TBY_STORE_SQLITE_INDEX_SORTER_H
#define TBY_STORE_SQLITE_INDEX_SORTER_H

#include "store/sqlite/db.h"
#include "value/postings.h"

enum { SORTER_PARTS_BITS = 6, SORTER_PARTS = 1 << SORTER_PARTS_BITS };
enum { SORTER_MEMORY = 6 << 20 }; /* how many entries are held (default) */

/* The entries of a part, in chunks: 64 arrays that grow side by side would leave half of the memory unused. */
enum { SORTER_CHUNK = 2048 };
typedef struct entry_list {
    position_entry **chunks; /* each of SORTER_CHUNK entries */
    size_t n, n_chunks, cap_chunks;
} entry_list;

typedef struct sorter {
    lite *db;
    size_t most_held; /* the most entries in memory, in all parts */
    entry_list parts[SORTER_PARTS];
    size_t n_held;
    uint64_t n;         /* of all entries */
    uint32_t n_spilled; /* chunks in the table */
} sorter;

/* Holds up to that many entries, or as many as fit into the database's memory. */
void sorter_begin(sorter *s, lite *db, size_t most_held);
void sorter_end(sorter *s);

/* Drops all entries. */
bool sorter_clear(sorter *s);
/* Adds the entries of a game; games arrive in ascending order of numbers, their entries in that of plies. */
bool sorter_add(sorter *s, const position_entry *entries, size_t n);

/* Some rows, one after the other: entries sorted by key, then by game; each game once per key, with its first
   occurrence. */
typedef struct sorted_rows {
    const position_entry *entries;
    size_t n;
    unsigned row_bits;
} sorted_rows;

static inline uint32_t sorted_row(const sorted_rows *rows, size_t i)
{
    return rows->row_bits ? (uint32_t)(rows->entries[i].key >> (64 - rows->row_bits)) : 0;
}

/* The end of the row that begins at `i`. */
static inline size_t sorted_row_end(const sorted_rows *rows, size_t i)
{
    size_t end = i + 1;
    for (const uint32_t row = sorted_row(rows, i); end < rows->n && sorted_row(rows, end) == row;)
        end++;
    return end;
}

/* How rows are processed. `make` runs in any thread, several at a time, and must not use the database; it may be NULL.
   `take` then runs in the same thread, in the order of the rows and never two at a time. Returning false stops the
   work. Thread 0 is the caller's. */
typedef struct sorted_use {
    bool (*make)(void *context, unsigned thread, const sorted_rows *rows);
    bool (*take)(void *context, unsigned thread, const sorted_rows *rows);
    void *context;
} sorted_use;

/* How many threads are worthwhile for sorting. */
unsigned sorter_threads(const sorter *s);
/* Visits all rows; drops all entries. */
bool sorter_rows(sorter *s, unsigned row_bits, unsigned n_threads, const sorted_use *use);

#endif
