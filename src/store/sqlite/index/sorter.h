/*
 * sorter.h - the positions of many games in the order of their keys, in bounded memory.
 *
 * They are kept in parts by the upper bits of their keys. When there are too many, all parts go to a temporary table,
 * which SQLite keeps in a file without a name. At the end the parts are sorted one by one, in several threads.
 */
#ifndef TBY_STORE_SQLITE_INDEX_SORTER_H
#define TBY_STORE_SQLITE_INDEX_SORTER_H

#include "chessgame/postings.h"
#include "store/sqlite/db.h"

enum { SORTER_PARTS_BITS = 6, SORTER_PARTS = 1 << SORTER_PARTS_BITS };
enum { SORTER_MEMORY = 6 << 20 }; /* how many entries are held, where nobody says otherwise */

/* The entries of a part, in chunks: 64 arrays that grow side by side would leave half of the memory unused. */
enum { SORTER_CHUNK = 2048 };
typedef struct entry_list {
    position_entry **chunks; /* each of SORTER_CHUNK entries */
    size_t n, n_chunks, cap_chunks;
} entry_list;

typedef struct sorter {
    lite *db;
    size_t most_held; /* in memory, in all parts */
    entry_list parts[SORTER_PARTS];
    size_t n_held;
    uint64_t n;         /* of all */
    uint32_t n_spilled; /* chunks that went to the table */
} sorter;

/* Holds up to that many entries, or as many as the database's memory has room for. */
void sorter_begin(sorter *s, lite *db, size_t most_held);
void sorter_end(sorter *s);

/* Forgets all entries. */
bool sorter_clear(sorter *s);
/* Adds the entries of a game; games come by rising numbers, their entries by rising plies. */
bool sorter_add(sorter *s, const position_entry *entries, size_t n);

/* Some rows, one after the other: their entries by key, then by game; each game once per key, with its first visit. */
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

/* What is done with the rows. `make` runs in any thread, several at a time, and must not touch the database; it may be
   NULL. `take` then runs in the same thread, in the order of the rows and never two at a time. False stops the work.
   Thread 0 is the caller's. */
typedef struct sorted_use {
    bool (*make)(void *context, unsigned thread, const sorted_rows *rows);
    bool (*take)(void *context, unsigned thread, const sorted_rows *rows);
    void *context;
} sorted_use;

/* How many threads it is worth to sort this in. */
unsigned sorter_threads(const sorter *s);
/* All entries are gone after it. */
bool sorter_rows(sorter *s, unsigned row_bits, unsigned n_threads, const sorted_use *use);

#endif
