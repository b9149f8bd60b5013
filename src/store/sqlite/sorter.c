/*
 * sorter.c - the positions of many games in the order of their keys.
 */
#include "store/sqlite/sorter.h"
#include "game/array.h"

#include <stdlib.h>
#include <string.h>

/* ---- Beginning and ending ------------------------------------------------------------------------------- */

void tby_sorter_begin(sorter *s, lite *db, size_t most_held)
{
    *s = (sorter){.db = db, .most_held = most_held < db->memory.n_positions ? most_held : db->memory.n_positions};
}

void tby_sorter_end(sorter *s)
{
    for (int i = 0; i < SORTER_PARTS; i++)
        free(s->parts[i].entries);
    free(s->sorted);
    free(s->starts);
    /* Fails, harmlessly, if there is no memory even for that. */
    sqlite3_exec(s->db->sql, "DROP TABLE IF EXISTS temp.spill", NULL, NULL, NULL);
}

bool tby_sorter_clear(sorter *s)
{
    for (int i = 0; i < SORTER_PARTS; i++)
        s->parts[i].n = 0;
    s->n = s->n_held = 0;
    const bool has_spilled = s->n_spilled > 0;
    s->n_spilled = 0;
    return !has_spilled || lite_run(s->db, "DROP TABLE IF EXISTS temp.spill");
}

/* ---- Collecting ----------------------------------------------------------------------------------------- */

static int64_t spill_id(unsigned part, uint32_t number) { return (int64_t)part << 32 | number; }

static bool spill_part(const sorter *s, sqlite3_stmt *put, unsigned part)
{
    const entry_list *list = &s->parts[part];
    if (list->n == 0)
        return true;
    sqlite3_bind_int64(put, 1, spill_id(part, s->n_spilled));
    sqlite3_bind_blob64(put, 2, list->entries, list->n * sizeof *list->entries, SQLITE_STATIC);
    return lite_do(s->db, put);
}

static bool spill(sorter *s)
{
    if (!lite_run(s->db, "CREATE TEMP TABLE IF NOT EXISTS spill(id INTEGER PRIMARY KEY, entries BLOB NOT NULL)"))
        return false;
    sqlite3_stmt *put = lite_prepare(s->db, "INSERT INTO temp.spill VALUES(?1, ?2)");
    bool is_good = put != NULL;
    for (unsigned i = 0; i < SORTER_PARTS && is_good; i++) {
        is_good = spill_part(s, put, i);
        s->parts[i].n = 0;
    }
    sqlite3_finalize(put);
    s->n_spilled++;
    s->n_held = 0;
    return is_good;
}

static bool add(sorter *s, const position_entry *e)
{
    entry_list *list = &s->parts[e->key >> (64 - SORTER_PARTS_BITS)];
    if (list->n == list->cap && !array_reserve(&list->entries, &list->cap, list->n + 1, sizeof *e, NULL))
        return false;
    list->entries[list->n++] = *e;
    return true;
}

bool tby_sorter_add(sorter *s, uint32_t game, tby_packed *cursor, int depth)
{
    tby_move m;
    int ply = 0;
    do {
        position_entry e = {tby_position_key(&cursor->pos), game, (uint16_t)ply, TBY_MOVE_NONE};
        m = e.next = tby_packed_next(cursor);
        if (!add(s, &e))
            return lite_fail_memory(s->db);
        s->n++;
        s->n_held++;
    } while (m != TBY_MOVE_NONE && ++ply <= depth);
    return s->n_held < s->most_held || spill(s);
}

/* ---- Reading back --------------------------------------------------------------------------------------- */

/* What the table has of a part goes before what was not yet in it. */
static bool read_back(sorter *s, unsigned part, entry_list *out)
{
    bool failed = false;
    int64_t before = LITE_FIRST;
    sqlite3_stmt *get = lite_prepare(s->db, "SELECT id, entries FROM temp.spill WHERE id BETWEEN ?1 AND ?2");
    if (!get)
        return false;
    sqlite3_bind_int64(get, 1, spill_id(part, 0));
    sqlite3_bind_int64(get, 2, spill_id(part, UINT32_MAX));
    while (!failed && lite_step_up(s->db, get, &before, &failed)) {
        const void *bytes = sqlite3_column_blob(get, 1);
        const size_t n = (size_t)sqlite3_column_bytes(get, 1) / sizeof *out->entries;
        if (!bytes || !array_reserve(&out->entries, &out->cap, out->n + n, sizeof *out->entries, NULL)) {
            failed = !lite_fail_memory(s->db);
            break;
        }
        if (n)
            memcpy(out->entries + out->n, bytes, n * sizeof *out->entries);
        out->n += n;
    }
    sqlite3_finalize(get);
    return !failed;
}

/* Some parts, one after the other. */
static bool gather(sorter *s, unsigned part, unsigned n_parts, entry_list *out)
{
    out->n = 0;
    for (unsigned i = part; i < part + n_parts; i++) {
        const entry_list *held = &s->parts[i];
        if (s->n_spilled && !read_back(s, i, out))
            return false;
        if (!array_reserve(&out->entries, &out->cap, out->n + held->n, sizeof *out->entries, NULL))
            return lite_fail_memory(s->db);
        if (held->n)
            memcpy(out->entries + out->n, held->entries, held->n * sizeof *out->entries);
        out->n += held->n;
    }
    return true;
}

/* ---- Sorting -------------------------------------------------------------------------------------------- */

static uint32_t row_of(uint64_t key, unsigned row_bits) { return row_bits ? (uint32_t)(key >> (64 - row_bits)) : 0; }

/* Into their rows, in which they stay in the order in which they came. */
static bool distribute(sorter *s, const entry_list *list, unsigned row_bits, uint32_t first_row, uint32_t n_rows)
{
    const size_t n = list->entries ? list->n : 0;
    if (!array_reserve(&s->sorted, &s->cap_sorted, n + 1, sizeof *s->sorted, NULL) ||
        !array_reserve(&s->starts, &s->cap_starts, (size_t)n_rows + 1, sizeof *s->starts, NULL))
        return lite_fail_memory(s->db);
    uint32_t *starts = s->starts;
    memset(starts, 0, ((size_t)n_rows + 1) * sizeof *starts);
    for (size_t i = 0; i < n; i++)
        starts[row_of(list->entries[i].key, row_bits) - first_row + 1]++;
    for (uint32_t i = 0; i < n_rows; i++)
        starts[i + 1] += starts[i];
    for (size_t i = 0; i < n; i++)
        s->sorted[starts[row_of(list->entries[i].key, row_bits) - first_row]++] = list->entries[i];
    memmove(starts + 1, starts, n_rows * sizeof *starts);
    starts[0] = 0;
    return true;
}

static int compare(const void *a, const void *b)
{
    const position_entry *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->game != y->game)
        return x->game < y->game ? -1 : 1;
    return x->ply < y->ply ? -1 : x->ply > y->ply;
}

/* A few are sorted by insertion, which keeps the order of games. */
static void sort_row(position_entry *e, size_t n)
{
    enum { FEW = 400 };
    if (n > FEW) {
        qsort(e, n, sizeof *e, compare);
        return;
    }
    for (size_t i = 1; i < n; i++) {
        const position_entry moved = e[i];
        size_t k = i;
        for (; k > 0 && moved.key < e[k - 1].key; k--)
            e[k] = e[k - 1];
        e[k] = moved;
    }
}

/* A game's first visit only. */
static size_t drop_repetitions(position_entry *e, size_t n)
{
    size_t kept = 1;
    for (size_t i = 1; i < n; i++)
        if (e[i].game != e[kept - 1].game || e[i].key != e[kept - 1].key)
            e[kept++] = e[i];
    return kept;
}

static bool visit_rows(sorter *s, uint32_t first_row, uint32_t n_rows, sorted_visit visit, void *context)
{
    for (uint32_t i = 0; i < n_rows; i++) {
        position_entry *e = s->sorted + s->starts[i];
        const size_t n = s->starts[i + 1] - s->starts[i];
        if (n == 0)
            continue;
        sort_row(e, n);
        if (!visit(context, first_row + i, e, drop_repetitions(e, n)))
            return false;
    }
    return true;
}

bool tby_sorter_rows(sorter *s, unsigned row_bits, sorted_visit visit, void *context)
{
    const unsigned n_parts = row_bits < SORTER_PARTS_BITS ? 1u << (SORTER_PARTS_BITS - row_bits) : 1;
    const uint32_t n_rows = row_bits < SORTER_PARTS_BITS ? 1 : 1u << (row_bits - SORTER_PARTS_BITS);
    entry_list list = {0};
    bool is_good = true;
    for (unsigned part = 0; part < SORTER_PARTS && is_good; part += n_parts) {
        const uint32_t first_row = part / n_parts * n_rows;
        is_good = gather(s, part, n_parts, &list) && distribute(s, &list, row_bits, first_row, n_rows) &&
                  visit_rows(s, first_row, n_rows, visit, context);
    }
    free(list.entries);
    return is_good;
}
