/*
 * first_games.c - the first games in an order that one number per game decides, without sorting the others.
 *
 * Selects  digit by digit: the games are counted by the highest bits in which they differ, and only those that share
 *          these bits with the wanted one are counted by the next bits. The time does not depend on their order.
 */
#include "store/sqlite/first_games.h"
#include "base/contract.h"
#include "row/columns.h"
#include "support/array.h"

#include <stdlib.h>
#include <string.h>

first_games first_games_of(const tby_order *order, int64_t offset, int64_t limit)
{
    TBY_CONTRACT(offset >= 0);
    const bool is_cut = limit > 0 && offset <= INT64_MAX / 4 - limit;
    return (first_games){
        .most = is_cut ? (size_t)(offset + limit) : 0, .last = UINT64_MAX, .ids_fall = order->ids_fall};
}

void first_games_free(first_games *r) { free(r->games); }

/* How many of the highest bits all games share; 64 for a single game. */
static unsigned n_shared_bits(const uint64_t *games, size_t n)
{
    uint64_t differences = 0;
    for (size_t i = 1; i < n; i++)
        differences |= games[i] ^ games[0];
    return differences ? (unsigned)__builtin_clzll(differences) : 64;
}

/* The game with `k` games before it; false if out of memory. */
static bool select_game(const uint64_t *games, size_t n, size_t k, uint64_t *out)
{
    enum { BITS = 11, VALUES = 1 << BITS };
    uint64_t *room = NULL;
    for (unsigned shared; (shared = n_shared_bits(games, n)) < 64; games = room) {
        const unsigned shift = shared + BITS < 64 ? 64 - BITS - shared : 0;
        size_t counts[VALUES] = {0}, digit = 0, kept = 0;
        for (size_t i = 0; i < n; i++)
            counts[games[i] >> shift & (VALUES - 1)]++;
        for (; k >= counts[digit]; digit++)
            k -= counts[digit];
        if (!room && !(room = malloc(counts[digit] * sizeof *room)))
            return false;
        for (size_t i = 0; i < n; i++)
            if ((games[i] >> shift & (VALUES - 1)) == digit)
                room[kept++] = games[i];
        n = kept;
    }
    *out = games[0];
    free(room);
    return true;
}

static void keep_between(first_games *r, uint64_t first, uint64_t last)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->n; i++)
        if (r->games[i] - first <= last - first)
            r->games[kept++] = r->games[i];
    r->n = kept;
}

bool first_games_grow(first_games *r)
{
    enum { AT_LEAST = 4096 };
    if (!r->most || r->n < AT_LEAST || r->n / 2 < r->most)
        return array_reserve(&r->games, &r->cap, r->n + AT_LEAST, sizeof *r->games, NULL);
    if (!select_game(r->games, r->n, r->most - 1, &r->last))
        return false;
    keep_between(r, 0, r->last);
    return true;
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

bool first_games_cut(first_games *r, int64_t offset, int64_t limit)
{
    TBY_CONTRACT(offset >= 0);
    const size_t begin = (uint64_t)offset < r->n ? (size_t)offset : r->n,
                 end = limit > 0 && (uint64_t)limit < r->n - begin ? begin + (size_t)limit : r->n;
    if (begin == end) {
        r->n = 0;
        return true;
    }
    uint64_t first = 0, last = UINT64_MAX;
    if ((begin > 0 && !select_game(r->games, r->n, begin, &first)) ||
        (end < r->n && !select_game(r->games, r->n, end - 1, &last)))
        return false;
    if (begin > 0 || end < r->n)
        keep_between(r, first, last);
    qsort(r->games, r->n, sizeof *r->games, compare);
    return true;
}

/* ---- Texts ---------------------------------------------------------------------------------------------- */

static const row_column *column_of(const tby_order *order) { return &row_columns[order->fields[0].column]; }

bool values_can_rank(const tby_order *order)
{
    return order->n == 1 && order->fields[0].column >= 0 &&
           column_is(column_of(order), KIND(COLUMN_NAME) | KIND(COLUMN_TEXT));
}

static bool is_name(const values *v) { return column_of(v->order)->kind == COLUMN_NAME; }

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

static bool add_names(values *v, lite *db)
{
    lite_rows r = lite_rows_of(
        db, lite_prepare_of(db, "SELECT id, name FROM %s ORDER BY id", name_tables[column_of(v->order)->names]));
    while (lite_next_up(&r))
        r.failed = !add(v, db, lite_text_at(r.s, 1), r.number);
    return lite_end(&r);
}

static bool add_texts(values *v, lite *db)
{
    lite_rows r = lite_rows_of(db, lite_prepare_of(db, "SELECT DISTINCT %s FROM game", column_of(v->order)->name));
    while (lite_next(&r))
        r.failed = !add(v, db, lite_text_at(r.s, 0), 0);
    return lite_end(&r);
}

static int compare_keys(const void *a, const void *b)
{
    const struct value *x = a, *y = b;
    return text_order((tby_text){x->key, x->n}, (tby_text){y->key, y->n});
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
    TBY_CONTRACT(column >= 0);
    struct value one = {.id = is_name(v) ? sqlite3_column_int64(s, column) : 0};
    v->asked.n = 0;
    if (!is_name(v) && !put_key(v, db, &v->asked, lite_text_at(s, column), &one.n))
        return false;
    one.key = v->asked.s;
    const struct value *found = bsearch(&one, v->items, v->n, sizeof one, is_name(v) ? compare_ids : compare_keys);
    *out = found ? found->rank : v->unknown;
    return true;
}
