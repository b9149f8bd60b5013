/*
 * blocks.h - small records of the games, stored in blocks of thousands: sketches for searching, facts for counting.
 *
 * Game number id is in block (id - 1) / BLOCK_GAMES, at (id - 1) % BLOCK_GAMES. All bits of a game that does not exist,
 * or was deleted, are ones.
 */
#ifndef TBY_STORE_SQLITE_BLOCKS_H
#define TBY_STORE_SQLITE_BLOCKS_H

#include "store/sqlite/db.h"
#include "value/sketch.h"

enum { BLOCK_GAMES = 4096, FACT_SIZE = 8 };

/* What counting needs to know about a game:
 *
 *     0          2          4                                8
 *     +----------+----------+--------------------------------+
 *     | white Elo | black Elo | result, date, speed + 1       |   lowest byte first, 0 = not known
 *     +----------+----------+--------------------------------+
 *                             2 bits  27     3
 *
 * A date from FACT_OPEN_DATE on is that much more than a year and month, 201905: only the game's row has the days that
 * the date may be.
 */
typedef tby_db_facts fact;
enum { FACT_DATE_MASK = 0x7ffffff, FACT_OPEN_DATE = 100000000 };

/* Data read from a file may be anything. */
static inline bool game_id_is_sound(tby_game_id id) { return id >= 1 && id <= UINT32_MAX; }
static inline bool fail_game_id(lite *db, tby_game_id id)
{
    return lite_fail(db, TBY_INVALID_DATABASE, "the database is damaged: %lld is not a valid game number",
                     (long long)id);
}
/* A damaged file may return rows outside the requested range. False, with a failure set, if so. */
static inline bool game_id_is_in(lite *db, tby_game_id id, tby_game_id first, tby_game_id last)
{
    return (id >= first && id <= last) ||
           lite_fail(db, TBY_INVALID_DATABASE, "the database is damaged: game %lld is out of order", (long long)id);
}
static inline int64_t block_of(tby_game_id id) { return (id - 1) / BLOCK_GAMES; }
/* The last number of a game's block. */
static inline tby_game_id block_end(tby_game_id id) { return (block_of(id) + 1) * BLOCK_GAMES; }
static inline size_t block_place(tby_game_id id) { return (size_t)(id - 1) % BLOCK_GAMES; }

static inline uint64_t fact_word(const uint8_t *b)
{
    return (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 | (uint64_t)b[4] << 32 |
           (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 | (uint64_t)b[7] << 56;
}

static inline int fact_date(uint64_t word)
{
    const int date = (int)(word >> 34 & FACT_DATE_MASK);
    return date < FACT_OPEN_DATE ? date : date < FACT_OPEN_DATE + 1000000 ? (date - FACT_OPEN_DATE) * 100 : 0;
}

static inline bool fact_is_there(const uint8_t *bytes) { return fact_word(bytes) != UINT64_MAX; }

static inline fact fact_read(const uint8_t *bytes)
{
    const uint64_t word = fact_word(bytes);
    return (fact){{(int)(word & 0xffff), (int)(word >> 16 & 0xffff)},
                  fact_date(word),
                  (tby_result)(word >> 32 & 3),
                  (int)(word >> 61) - 1}; /* a tby_speed; -1 in files of an earlier version without it */
}

void fact_write(uint8_t out[FACT_SIZE], const tby_row *row);
/* Does the record match the row? It need not have the speed. */
bool fact_fits(const uint8_t record[FACT_SIZE], const tby_row *row);

/* Finds the first game from `*id` on; loops over numbers use it because numbers may be far apart. 0 after the last. */
bool next_stored_game(lite *db, tby_game_id *id);

/* The blocks of facts from `first` to `last` that exist: the number, in order, and the records. */
lite_rows lite_rows_of_facts(lite *db, int64_t first, int64_t last);

/* One block of a table, loaded for changes. */
typedef struct block {
    lite_table table;
    size_t record_size;
    unsigned n_columns, column; /* of a table with records in several columns; otherwise 1 and 0 */
    int64_t number;             /* -1 = none */
    uint8_t *records;           /* BLOCK_GAMES of them; NULL until a block is loaded */
    size_t n;                   /* records in use */
    bool is_changed;
} block;

static inline block block_begin(lite_table table, size_t record_size)
{
    return (block){.table = table, .record_size = record_size, .n_columns = 1, .number = -1};
}
static inline block facts_begin(void) { return block_begin(TABLE_FACT, FACT_SIZE); }
static inline block sketches_begin(void) { return block_begin(TABLE_SKETCH, SKETCH_SIZE); }
void block_finish(block *b);
/* The record of a game, for changing; NULL on failure. First stores another block that was changed. */
uint8_t *block_record(block *b, lite *db, tby_game_id id);
/* Stores the changes. */
bool block_write(block *b, lite *db);
/* Loads the block of this game instead of the current one. */
bool block_turn(block *b, lite *db, tby_game_id id);

/* The number of a damaged file may be unsound, and seem to be in the block. */
static inline bool block_has(const block *b, tby_game_id id)
{
    return b->number == block_of(id) && game_id_is_sound(id);
}
/* The record of a game, for reading; NULL on failure. */
static inline const uint8_t *block_get(block *b, lite *db, tby_game_id id)
{
    if (!block_has(b, id) && !block_turn(b, db, id))
        return NULL;
    return b->records + block_place(id) * b->record_size;
}

/* Calls `report` for the numbers from `first` to `last`, which no game has, with a record in any of the blocks. Numbers
   outside all blocks are not visited. */
bool blocks_absent(block *blocks, size_t n, lite *db, tby_game_id first, tby_game_id last,
                   void (*report)(void *context, tby_game_id id), void *context);

/* ---- Visiting (load.c) ---------------------------------------------------------------------------------- */

/* While a search visits games, their records and rows are read one after the other, from one state. */
typedef struct visiting {
    lite *db;
    struct visiting *outer;
    bool lists_rows;     /* games will only be listed */
    tby_game_id current; /* whose row the statement has; 0: none */
    block facts;
} visiting;
void visiting_begin(visiting *v, lite *db, tby_db_wanted wanted);
void visiting_end(visiting *v);

#endif
