/*
 * blocks.c - reads and changes the blocks of small records.
 */
#include "store/sqlite/blocks.h"

#include <stdlib.h>
#include <string.h>

static uint64_t word_of(const tby_row *row, unsigned speed)
{
    return (uint64_t)row->elo[0] | (uint64_t)row->elo[1] << 16 | (uint64_t)row->result << 32 |
           (uint64_t)row->date << 34 | (uint64_t)speed << 61;
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

bool block_begin(block *b, size_t record_size, statement get, statement put)
{
    *b = (block){.record_size = record_size, .n_columns = 1, .number = -1, .get = get, .put = put};
    b->records = malloc(BLOCK_GAMES * record_size);
    return b->records != NULL;
}

void block_finish(block *b) { free(b->records); }

bool block_write(block *b, lite *db)
{
    if (!b->is_changed)
        return true;
    sqlite3_stmt *put = lite_statement(db, b->put);
    if (!put)
        return false;
    sqlite3_bind_int64(put, 1, b->number * b->n_columns + b->column);
    sqlite3_bind_blob(put, 2, b->records, (int)(b->n * b->record_size), SQLITE_STATIC);
    b->is_changed = !lite_do(db, put);
    return !b->is_changed;
}

static bool load(block *b, lite *db, int64_t number)
{
    lite_rows r = lite_rows_kept(db, b->get, number * b->n_columns + b->column);
    b->number = -1;
    b->n = 0;
    if (lite_next(&r)) {
        const size_t size = (size_t)sqlite3_column_bytes(r.s, 0);
        b->n = size / b->record_size < BLOCK_GAMES ? size / b->record_size : BLOCK_GAMES;
        const void *bytes = sqlite3_column_blob(r.s, 0);
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
    if (b->number != block_of(id) && !block_turn(b, db, id))
        return NULL;
    b->n = place + 1 > b->n ? place + 1 : b->n;
    b->is_changed = true;
    return b->records + place * b->record_size;
}

bool next_stored_game(lite *db, tby_game_id *id)
{
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

block *facts_new(void)
{
    block *b = calloc(1, sizeof *b);
    if (b && block_begin(b, FACT_SIZE, SQL_FACTS_GET, SQL_FACTS_PUT))
        return b;
    free(b);
    return NULL;
}

void facts_free(block *b)
{
    if (b)
        block_finish(b);
    free(b);
}

static bool read_facts(block *b, lite *db, tby_game_id id, tby_db_facts *out)
{
    const uint8_t *record = block_get(b, db, id);
    if (!record)
        return false;
    if (!fact_is_there(record))
        return lite_fail(db, TBY_NOT_FOUND, "there is no game %lld", (long long)id);
    *out = fact_read(record);
    return true;
}

/* The block is kept for the current search, so that all facts are from one state. */
bool lite_facts(tby_db *base, tby_game_id id, tby_db_facts *out)
{
    lite *db = lite_of(base);
    block *b = db->visited && *db->visited ? *db->visited : facts_new();
    const bool is_good = b ? read_facts(b, db, id, out) : lite_fail_memory(db);
    if (db->visited)
        *db->visited = b;
    else
        facts_free(b);
    return is_good;
}
