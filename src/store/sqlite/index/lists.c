/*
 * lists.c - reads and extends tables of lists.
 */
#include "store/sqlite/index/lists.h"
#include "base/contract.h"
#include "codec/varint.h"
#include "row/same.h"

#include <stdlib.h>
#include <string.h>

void lists_end(lists *l)
{
    free(l->entries);
    free(l->spare);
    buffer_free(&l->row);
}

bool lists_add(lists *l, int64_t number, uint32_t key)
{
    TBY_CONTRACT(number >= 1);
    if (!array_reserve(&l->entries, &l->cap, l->n + 1, sizeof *l->entries, NULL))
        return lite_fail_memory(l->db);
    l->entries[l->n++] = (position_entry){.key = key, .game = (uint32_t)((number - 1) % LIST_NUMBERS)};
    return true;
}

/* The numbers of a row. */
typedef struct list_cursor {
    byte_cursor bytes;
    int64_t number, last; /* `last` is the largest of the block */
    bool is_damaged;
} list_cursor;

static list_cursor list_begin(int64_t row, lite_bytes bytes)
{
    const int64_t before = (row >> 32) * LIST_NUMBERS;
    return (list_cursor){.bytes = cursor_begin(bytes.s, bytes.n), .number = before, .last = before + LIST_NUMBERS};
}

/* False after the last number, and at invalid bytes. */
static bool list_next(list_cursor *c)
{
    uint32_t step;
    if (c->is_damaged || cursor_left(&c->bytes) == 0)
        return false;
    c->is_damaged = !varint_take(&c->bytes, &step) || step == 0 || (c->number += step) > c->last;
    return !c->is_damaged;
}

static bool fail_damaged(lite *db, lite_table table)
{
    return lite_fail(db, TBY_INVALID_DATABASE, "the index of %s is damaged",
                     table == TABLE_WORD ? "words" : lite_table_name(table));
}

bool lists_take(const lite_rows *r, lite_table table, game_set *out)
{
    TBY_CONTRACT(out->pages != NULL);
    list_cursor c = list_begin(sqlite3_column_int64(r->s, 0), lite_bytes_at(r, 1));
    while (list_next(&c))
        game_set_put(out, c.number);
    return !c.is_damaged || fail_damaged(r->db, table);
}

bool lists_read(lite *db, lite_table table, int64_t row, game_set *out)
{
    TBY_CONTRACT(out->pages != NULL);
    lite_rows r = lite_rows_in(db, table, row);
    if (lite_next(&r))
        r.failed = !lists_take(&r, table, out);
    return lite_end(&r);
}

lite_rows lists_rows(lite *db, lite_table table)
{
    return lite_rows_of(db, lite_prepare_of(db, "SELECT * FROM %s", lite_table_name(table)));
}

/* ---- Adding --------------------------------------------------------------------------------------------- */

/* Reads the existing row and its last place; -1 if there is none. */
static bool begin_row(lists *l, int64_t row, int64_t *last)
{
    lite_rows r = lite_rows_in(l->db, l->table, row);
    *last = -1;
    l->row.n = 0;
    if (lite_next(&r)) {
        const lite_bytes bytes = lite_bytes_at(&r, 1);
        list_cursor c = list_begin(row, bytes);
        buffer_add(&l->row, bytes.s, bytes.n);
        while (list_next(&c))
            *last = (c.number - 1) % LIST_NUMBERS;
        r.failed = c.is_damaged && !fail_damaged(l->db, l->table);
    }
    return lite_end(&r);
}

static bool write_row(lists *l, int64_t row, const position_entry *e, size_t n)
{
    int64_t last;
    if (!begin_row(l, row, &last))
        return false;
    for (size_t i = 0; i < n; i++)
        if ((int64_t)e[i].game > last) {
            varint_put(&l->row, (uint32_t)(e[i].game - last));
            last = e[i].game;
        }
    return l->row.has_failed ? lite_fail_memory(l->db) : lite_put(l->db, l->table, row, l->row.data, l->row.n);
}

bool lists_write(lists *l, int64_t number)
{
    TBY_CONTRACT(number >= 1);
    bool is_good = true;
    if (!array_reserve(&l->spare, &l->cap_spare, l->n, sizeof *l->spare, NULL))
        return lite_fail_memory(l->db);
    positions_sort(l->entries, l->spare, l->n, 32); /* numbers with the same key stay in order */
    for (size_t i = 0, k; i < l->n && is_good; i = k) {
        k = group_end(l->entries, l->n, i);
        is_good = write_row(l, list_row(number, (uint32_t)l->entries[i].key), l->entries + i, k - i);
    }
    l->n = 0;
    return is_good;
}

/* ---- Verifying ------------------------------------------------------------------------------------------ */

uint64_t lists_hash(uint32_t key, int64_t number)
{
    TBY_CONTRACT(number >= 1);
    const uint64_t pair[2] = {key, (uint64_t)number};
    return bytes_hash(1, pair, sizeof pair);
}

bool lists_sum(lite *db, lite_table table, const game_set *there, unsigned n_there, uint64_t *sum, bool *is_whole)
{
    TBY_CONTRACT(n_there == 0 || there);
    lite_rows r = lists_rows(db, table);
    *sum = 0;
    while (lite_next_up(&r)) {
        const uint32_t key = (uint32_t)r.number;
        const unsigned set = n_there > 1 ? key >> 16 : 0;
        list_cursor c = list_begin(r.number, lite_bytes_at(&r, 1));
        *is_whole &= (n_there == 1 || r.number >= 0) && set < n_there;
        while (list_next(&c))
            if (set < n_there && game_set_has(&there[set], c.number))
                *sum += lists_hash(key, c.number);
        *is_whole &= !c.is_damaged;
    }
    return lite_end(&r);
}
