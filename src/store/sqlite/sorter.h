/*
 * sorter.h - the positions of many games in the order of their keys, in bounded memory.
 *
 * They are kept in parts by the upper bits of their keys. When there are too many, all parts go to a temporary table,
 * which SQLite keeps in a file without a name; at the end one part after the other is read back and sorted.
 */
#ifndef TBY_STORE_SQLITE_SORTER_H
#define TBY_STORE_SQLITE_SORTER_H

#include "store/sqlite/db.h"
#include "value/postings.h"

enum { SORTER_PARTS_BITS = 6, SORTER_PARTS = 1 << SORTER_PARTS_BITS };
enum { SORTER_MEMORY = 6 << 20 }; /* how many entries are held, where nobody says otherwise */

typedef struct entry_list {
    position_entry *entries;
    size_t n, cap;
} entry_list;

typedef struct sorter {
    lite *db;
    size_t most_held; /* in memory, in all parts */
    entry_list parts[SORTER_PARTS];
    size_t n_held;
    uint64_t n;         /* of all */
    uint32_t n_spilled; /* how often the parts went to the table */
    position_entry *sorted;
    size_t cap_sorted;
    uint32_t *starts; /* of the rows in `sorted` */
    size_t cap_starts;
} sorter;

/* Holds so many entries at most, or as many as the database's memory has room for. */
void tby_sorter_begin(sorter *s, lite *db, size_t most_held);
void tby_sorter_end(sorter *s);

/* Forgets all entries. */
bool tby_sorter_clear(sorter *s);
/* Adds the positions of a game from its start to ply `depth`; games come by rising numbers. */
bool tby_sorter_add(sorter *s, uint32_t game, tby_packed *cursor, int depth);

/* Visits the rows that have entries in their order: these by key, then by game; each game once a key, with its first
   visit. The visitor may change them. All parts are gone behind it. */
typedef bool (*sorted_visit)(void *context, uint32_t row, position_entry *entries, size_t n);
bool tby_sorter_rows(sorter *s, unsigned row_bits, sorted_visit visit, void *context);

#endif
