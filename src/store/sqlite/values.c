/*
 * values.c - the distinct texts of a column, in order.
 */
#include "store/sqlite/values.h"
#include "row/columns.h"
#include "support/array.h"

#include <stdlib.h>
#include <string.h>

static const row_column *column_of(const tby_order *order) { return &row_columns[order->fields[0].column]; }

bool values_can_rank(const tby_order *order)
{
    return order->n == 1 && order->fields[0].column >= 0 &&
           column_is(column_of(order), KIND(COLUMN_NAME) | KIND(COLUMN_TEXT));
}

static bool is_name(const values *v) { return column_of(v->order)->kind == COLUMN_NAME; }

/* ---- Adding ------------------------------------------------------------------------------------------------------ */

/* Appends the key of a text to `out`. */
static bool put_key(const values *v, lite *db, buffer *out, tby_text text, size_t *n)
{
    tby_row row = {.date = 0};
    *column_text(column_of(v->order), &row) = text;
    *n = tby_order_key(NULL, 0, v->order, &row);
    char *room = buffer_room(out, *n);
    if (!room)
        return lite_fail_memory(db);
    tby_order_key(room, *n, v->order, &row);
    return true;
}

static bool add(values *v, lite *db, tby_text text, int64_t id)
{
    struct value one = {.at = v->keys.n, .id = id};
    if (!put_key(v, db, &v->keys, text, &one.n))
        return false;
    if (v->n == UINT32_MAX || !array_reserve(&v->items, &v->cap, v->n + 1, sizeof *v->items, NULL))
        return lite_fail_memory(db);
    v->keys.n += one.n;
    v->items[v->n++] = one;
    return true;
}

static tby_text text_at(sqlite3_stmt *s, int column)
{
    const char *bytes = sqlite3_column_blob(s, column);
    return (tby_text){bytes ? bytes : "", bytes ? (size_t)sqlite3_column_bytes(s, column) : 0};
}

static bool add_names(values *v, lite *db)
{
    buffer sql = {0};
    buffer_printf(&sql, "SELECT id, name FROM %s ORDER BY id", name_tables[column_of(v->order)->names]);
    lite_rows r = lite_rows_of(db, lite_prepare_text(db, &sql));
    while (lite_next_up(&r))
        r.failed = !add(v, db, text_at(r.s, 1), r.number);
    return lite_end(&r);
}

static bool add_texts(values *v, lite *db)
{
    buffer sql = {0};
    buffer_printf(&sql, "SELECT DISTINCT %s FROM game", column_of(v->order)->name);
    lite_rows r = lite_rows_of(db, lite_prepare_text(db, &sql));
    while (lite_next(&r))
        r.failed = !add(v, db, text_at(r.s, 0), 0);
    return lite_end(&r);
}

/* ---- Sorting ----------------------------------------------------------------------------------------------------- */

static int compare_keys(const void *a, const void *b)
{
    const struct value *x = a, *y = b;
    const int order = memcmp(x->key, y->key, x->n < y->n ? x->n : y->n);
    return order ? order : (x->n > y->n) - (x->n < y->n);
}

static int compare_ids(const void *a, const void *b)
{
    const struct value *x = a, *y = b;
    return x->id < y->id ? -1 : x->id > y->id;
}

static void give_ranks(values *v)
{
    for (size_t i = 0; i < v->n; i++)
        v->items[i].key = v->keys.s + v->items[i].at;
    qsort(v->items, v->n, sizeof *v->items, compare_keys);
    for (size_t i = 1; i < v->n; i++)
        v->items[i].rank = v->items[i - 1].rank + (compare_keys(&v->items[i - 1], &v->items[i]) != 0);
    v->unknown = v->items[v->n - 1].rank;
}

void values_sort_by_number(values *v)
{
    if (v->n && is_name(v))
        qsort(v->items, v->n, sizeof *v->items, compare_ids);
}

/* The unknown value is one of the values, and comes last. */
bool values_read(values *v, lite *db, const tby_order *order)
{
    v->order = order;
    if (!add(v, db, (tby_text){"", 0}, VALUES_UNKNOWN) || !(is_name(v) ? add_names(v, db) : add_texts(v, db)))
        return false;
    give_ranks(v);
    return true;
}

void values_free(values *v)
{
    buffer_free(&v->keys);
    buffer_free(&v->asked);
    free(v->items);
}

bool values_rank(values *v, lite *db, sqlite3_stmt *s, int column, uint32_t *out)
{
    struct value one = {.id = is_name(v) ? sqlite3_column_int64(s, column) : 0};
    v->asked.n = 0;
    if (!is_name(v) && !put_key(v, db, &v->asked, text_at(s, column), &one.n))
        return false;
    one.key = v->asked.s;
    const struct value *found = bsearch(&one, v->items, v->n, sizeof one, is_name(v) ? compare_ids : compare_keys);
    *out = found ? found->rank : v->unknown;
    return true;
}
