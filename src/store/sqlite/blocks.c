/*
 * blocks.c - reads and changes the blocks of small records.
 */
#include "store/sqlite/blocks.h"
#include "base/contract.h"
#include "row/dates.h"

#include <stdlib.h>
#include <string.h>

static uint64_t word_of(const tby_row *row, unsigned speed)
{
    const date_parts implied = dates_of(row->date);
    const bool is_whole = implied.first == row->first_day && implied.last == row->last_day;
    const uint64_t date = (uint64_t)(is_whole || !row->date ? row->date : FACT_OPEN_DATE + row->date / 100);
    return (uint64_t)row->elo[0] | (uint64_t)row->elo[1] << 16 | (uint64_t)row->result << 32 | date << 34 |
           (uint64_t)speed << 61;
}

void fact_write(uint8_t out[FACT_SIZE], const tby_row *row)
{
    const uint64_t word = word_of(row, row->speed + 1u);
    for (int i = 0; i < FACT_SIZE; i++)
        out[i] = (uint8_t)(word >> (8 * i));
}

bool fact_fits(const uint8_t record[FACT_SIZE], const tby_row *row)
{
    const uint64_t word = fact_word(record);
    return word == word_of(row, row->speed + 1u) || word == word_of(row, 0);
}

void block_finish(block *b) { free(b->records); }

bool block_write(block *b, lite *db)
{
    TBY_CONTRACT(!b->is_changed || (b->records && b->number >= 0 && b->n <= BLOCK_GAMES));
    b->is_changed = b->is_changed &&
                    !lite_put(db, b->table, b->number * b->n_columns + b->column, b->records, b->n * b->record_size);
    return !b->is_changed;
}

static bool load(block *b, lite *db, int64_t number)
{
    TBY_CONTRACT(number >= 0 && b->record_size > 0 && b->column < b->n_columns);
    if (!b->records && !(b->records = malloc(BLOCK_GAMES * b->record_size)))
        return lite_fail_memory(db);
    lite_rows r = lite_rows_in(db, b->table, number * b->n_columns + b->column);
    b->number = -1;
    b->n = 0;
    if (lite_next(&r)) {
        const size_t size = (size_t)sqlite3_column_bytes(r.s, 1);
        b->n = size / b->record_size < BLOCK_GAMES ? size / b->record_size : BLOCK_GAMES;
        const void *bytes = sqlite3_column_blob(r.s, 1);
        if (bytes)
            memcpy(b->records, bytes, b->n * b->record_size);
        else if (size)
            r.failed = !lite_fail_memory(db);
    }
    memset(b->records + b->n * b->record_size, SKETCH_NONE, (BLOCK_GAMES - b->n) * b->record_size);
    if (!r.failed)
        b->number = number;
    return lite_end(&r);
}

bool block_turn(block *b, lite *db, tby_game_id id)
{
    if (!game_id_is_sound(id))
        return fail_game_id(db, id);
    return block_write(b, db) && load(b, db, block_of(id));
}

uint8_t *block_record(block *b, lite *db, tby_game_id id)
{
    const size_t place = block_place(id);
    if (!block_has(b, id) && !block_turn(b, db, id))
        return NULL;
    b->n = place + 1 > b->n ? place + 1 : b->n;
    b->is_changed = true;
    return b->records + place * b->record_size;
}

/* The last number before the next block that is stored in any of the tables. */
static bool skip_blocks(const block *blocks, size_t n, lite *db, tby_game_id *id)
{
    int64_t next = block_of(UINT32_MAX) + 1;
    for (const block *b = blocks; b < blocks + n; b++) {
        int64_t row = 0;
        if (!lite_number_of(db, &row, "SELECT coalesce(min(rowid), -1) FROM %s WHERE rowid >= %lld",
                            lite_table_name(b->table), (long long)(block_of(*id) + 1) * b->n_columns))
            return false;
        /* In a damaged table, the row may come before the one that was asked for. */
        const int64_t found = row / b->n_columns;
        next = row >= 0 && found > block_of(*id) && found < next ? found : next;
    }
    *id = next * BLOCK_GAMES;
    return true;
}

bool blocks_absent(block *blocks, size_t n, lite *db, tby_game_id first, tby_game_id last,
                   void (*report)(void *context, tby_game_id id), void *context)
{
    TBY_CONTRACT(first >= 1 && report);
    for (tby_game_id id = first; id <= last; id++) {
        bool is_set = false, is_past = true;
        for (block *b = blocks; b < blocks + n; b++) {
            const uint8_t *record = block_get(b, db, id);
            if (!record)
                return false;
            is_past &= block_place(id) >= b->n;
            for (size_t i = 0; i < b->record_size; i++)
                is_set |= record[i] != SKETCH_NONE;
        }
        if (is_set)
            report(context, id);
        if (is_past && !skip_blocks(blocks, n, db, &id))
            return false;
    }
    return true;
}

bool next_stored_game(lite *db, tby_game_id *id)
{
    TBY_CONTRACT(*id >= 0);
    const tby_game_id first = *id;
    lite_rows r = lite_rows_kept(db, SQL_GAME_NEXT, first);
    *id = lite_next(&r) ? sqlite3_column_int64(r.s, 0) : 0;
    if (*id > UINT32_MAX)
        *id = 0; /* an impossible number */
    return lite_end(&r) && (*id == 0 || game_id_is_in(db, *id, first, UINT32_MAX));
}

/* ---- Facts ---------------------------------------------------------------------------------------------- */

lite_rows lite_rows_of_facts(lite *db, int64_t first, int64_t last)
{
    const lite_rows r = lite_rows_kept(db, SQL_FACTS_RANGE, first);
    lite_bind(&r, 2, last);
    return r;
}
