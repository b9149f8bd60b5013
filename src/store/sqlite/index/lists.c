/*
 * lists.c - reads and extends tables of lists.
 */
#include "store/sqlite/index/lists.h"
#include "codec/varint.h"
#include "row/same.h"

#include <stdlib.h>
#include <string.h>

lists lists_begin(lite *db, const char *name, statement get, statement put)
{
    return (lists){.db = db, .name = name, .get = get, .put = put, .row = buffer_begin(NULL)};
}

void lists_end(lists *l)
{
    free(l->entries);
    free(l->spare);
    buffer_free(&l->row);
}

bool lists_add(lists *l, int64_t number, uint32_t key)
{
    if (!array_reserve(&l->entries, &l->cap, l->n + 1, sizeof *l->entries, NULL))
        return lite_fail_memory(l->db);
    l->entries[l->n++] = (list_entry){key, (uint32_t)((number - 1) % LIST_NUMBERS)};
    return true;
}

bool lists_each(int64_t row, lite_bytes bytes, list_visit visit, void *context)
{
    const int64_t first = (row >> 32) * LIST_NUMBERS + 1;
    int64_t at = -1;
    byte_cursor cursor = cursor_begin(bytes.s, bytes.n);
    for (uint32_t step; cursor_left(&cursor) > 0;) {
        if (!varint_take(&cursor, &step) || step == 0 || step > LIST_NUMBERS || (at += step) >= LIST_NUMBERS)
            return false;
        visit(context, first + at);
    }
    return true;
}

bool lists_fail(lite *db, const char *name)
{
    return lite_fail(db, TBY_INVALID_DATABASE, "the index of %s is damaged", name);
}

bool lists_read(lite *db, const char *name, statement get, int64_t row, list_visit visit, void *context)
{
    lite_rows r = lite_rows_kept(db, get, row);
    if (lite_next(&r) && !lists_each(row, lite_bytes_at(&r, 0), visit, context))
        r.failed = !lists_fail(db, name);
    return lite_end(&r);
}

lite_rows lists_rows(lite *db, const char *table)
{
    return lite_rows_of(db, lite_prepare_of(db, "SELECT id, games FROM %s", table));
}

/* ---- Adding --------------------------------------------------------------------------------------------- */

/* Sorts by key; stable, so entries with the same key stay in the order of numbers. */
static bool sort_entries(lists *l)
{
    enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS };
    if (!array_reserve(&l->spare, &l->cap_spare, l->n, sizeof *l->spare, NULL))
        return lite_fail_memory(l->db);
    for (unsigned shift = 0; shift < 32; shift += DIGIT_BITS) {
        size_t starts[DIGITS + 1] = {0};
        for (size_t i = 0; i < l->n; i++)
            starts[(l->entries[i].key >> shift & (DIGITS - 1)) + 1]++;
        if (starts[(l->entries[0].key >> shift & (DIGITS - 1)) + 1] == l->n)
            continue;
        for (unsigned d = 0; d < DIGITS; d++)
            starts[d + 1] += starts[d];
        for (size_t i = 0; i < l->n; i++)
            l->spare[starts[l->entries[i].key >> shift & (DIGITS - 1)]++] = l->entries[i];
        memcpy(l->entries, l->spare, l->n * sizeof *l->entries);
    }
    return true;
}

static void note_last(void *context, int64_t number) { *(int64_t *)context = (number - 1) % LIST_NUMBERS; }

/* Reads the existing row and its last place; -1 if there is none. */
static bool begin_row(lists *l, int64_t row, int64_t *last)
{
    lite_rows r = lite_rows_kept(l->db, l->get, row);
    *last = -1;
    l->row.n = 0;
    if (lite_next(&r)) {
        const lite_bytes bytes = lite_bytes_at(&r, 0);
        buffer_add(&l->row, bytes.s, bytes.n);
        if (!lists_each(row, bytes, note_last, last))
            r.failed = !lists_fail(l->db, l->name);
    }
    return lite_end(&r);
}

static bool write_row(lists *l, int64_t row, const list_entry *e, size_t n)
{
    int64_t last;
    if (!begin_row(l, row, &last))
        return false;
    for (size_t i = 0; i < n; i++)
        if ((int64_t)e[i].place > last) {
            varint_put(&l->row, (uint32_t)(e[i].place - last));
            last = e[i].place;
        }
    if (l->row.has_failed)
        return lite_fail_memory(l->db);
    sqlite3_stmt *s = lite_statement(l->db, l->put);
    if (!s)
        return false;
    sqlite3_bind_int64(s, 1, row);
    sqlite3_bind_blob(s, 2, l->row.data, (int)l->row.n, SQLITE_STATIC);
    return lite_do(l->db, s);
}

bool lists_write(lists *l, int64_t number)
{
    bool is_good = l->n == 0 || sort_entries(l);
    for (size_t i = 0, k; i < l->n && is_good; i = k) {
        for (k = i + 1; k < l->n && l->entries[k].key == l->entries[i].key; k++)
            continue;
        is_good = write_row(l, list_row(number, l->entries[i].key), l->entries + i, k - i);
    }
    l->n = 0;
    return is_good;
}

/* ---- Verifying ------------------------------------------------------------------------------------------ */

typedef struct list_sum {
    const game_set *there;
    uint32_t key;
    uint64_t sum;
} list_sum;

uint64_t lists_hash(uint32_t key, int64_t number)
{
    const uint64_t pair[2] = {key, (uint64_t)number};
    return bytes_hash(1, pair, sizeof pair);
}

static void add_number(void *context, int64_t number)
{
    list_sum *s = context;
    if (game_set_has(s->there, number))
        s->sum += lists_hash(s->key, number);
}

bool lists_sum(lite_rows *r, const game_set *there, unsigned n_there, uint64_t *sum, bool *is_whole)
{
    list_sum s = {.sum = 0};
    while (lite_next_up(r)) {
        s.key = (uint32_t)r->number;
        const unsigned set = n_there > 1 ? s.key >> 16 : 0;
        s.there = &there[set < n_there ? set : 0];
        *is_whole &= (n_there == 1 || r->number >= 0) && set < n_there &&
                     lists_each(r->number, lite_bytes_at(r, 1), add_number, &s);
    }
    *sum = s.sum;
    return lite_end(r);
}
