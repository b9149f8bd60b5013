/*
 * names.c - assigns a number to every name: a hash table in memory in front of the database's own table.
 */
#include "store/sqlite/names.h"
#include "row/same.h"
#include "support/array.h"

#include <string.h>

static void place(names *t, uint32_t item)
{
    size_t slot = (size_t)t->items[item].hash & (t->n_slots - 1);
    while (t->slots[slot])
        slot = (slot + 1) & (t->n_slots - 1);
    t->slots[slot] = item + 1;
}

static bool make_slots(names *t)
{
    if (t->n_items * 2 < t->n_slots)
        return true;
    const size_t n = t->n_slots ? t->n_slots * 2 : 4096;
    uint32_t *slots = calloc(n, sizeof *slots);
    if (!slots)
        return false;
    free(t->slots);
    t->slots = slots;
    t->n_slots = n;
    for (size_t i = 0; i < t->n_items; i++)
        place(t, (uint32_t)i);
    return true;
}

/* The names are in the table, where they can be looked up. */
static void forget(names *t)
{
    memset(t->slots, 0, t->n_slots * sizeof *t->slots);
    t->n_items = t->n_text = 0;
    t->has_stored = true;
}

static bool remember(names *t, const char *s, size_t n, uint64_t hash, int64_t id)
{
    if (t->n_text + t->n_items * (sizeof *t->items + 4 * sizeof *t->slots) > t->most_bytes)
        forget(t);
    if (t->n_items >= UINT32_MAX - 1 ||
        !array_reserve(&t->text, &t->cap_text, t->n_text + n + 1, 1, NULL) || /* the empty name too */
        !array_reserve(&t->items, &t->cap_items, t->n_items + 1, sizeof *t->items, NULL) || !make_slots(t))
        return false;
    memcpy(t->text + t->n_text, s, n);
    t->items[t->n_items] = (struct name){t->n_text, n, hash, id};
    t->n_text += n;
    place(t, (uint32_t)t->n_items++);
    t->last_id = id > t->last_id ? id : t->last_id;
    return true;
}

static const struct name *find(const names *t, const char *s, size_t n, uint64_t hash)
{
    for (size_t slot = (size_t)hash & (t->n_slots - 1); t->slots[slot]; slot = (slot + 1) & (t->n_slots - 1)) {
        const struct name *item = &t->items[t->slots[slot] - 1];
        if (item->hash == hash && item->n == n && memcmp(t->text + item->at, s, n) == 0)
            return item;
    }
    return NULL;
}

bool names_begin(names *t, lite *db, const char *table, const char *column)
{
    memset(t, 0, sizeof *t);
    t->most_bytes = db->memory.name_bytes;
    if (!make_slots(t))
        return lite_fail_memory(db);
    t->insert = lite_prepare_of(db, "INSERT INTO %s(id, %s) VALUES(?1, ?2)", table, column);
    t->select = t->insert ? lite_prepare_of(db, "SELECT id FROM %s WHERE %s = ?1", table, column) : NULL;
    if (!t->select || !lite_number_of(db, &t->last_id, "SELECT coalesce(max(id), 0) FROM %s", table))
        return false;
    if (t->last_id < 0 || t->last_id > NAMES_MAX)
        return lite_fail(db, TBY_INVALID_DATABASE, "the database is damaged: number %lld in %s", (long long)t->last_id,
                         table);
    t->has_stored = t->last_id > 0;
    return true;
}

void names_end(names *t)
{
    sqlite3_finalize(t->insert);
    sqlite3_finalize(t->select);
    free(t->text);
    free(t->items);
    free(t->slots);
}

/* The number of a name in the table; 0 if it is not there. */
static int64_t stored_id(names *t, lite *db, const char *s, size_t n, bool *failed)
{
    int64_t id = 0;
    if (!t->has_stored)
        return 0;
    lite_rows r = lite_rows_again(db, t->select);
    sqlite3_bind_text(r.s, 1, s, (int)n, SQLITE_STATIC);
    if (lite_next(&r)) {
        id = sqlite3_column_int64(r.s, 0);
        if (id < 1 || id > NAMES_MAX)
            r.failed =
                !lite_fail(db, TBY_INVALID_DATABASE, "the database is damaged: number %lld of a name", (long long)id);
    }
    *failed = !lite_end(&r);
    return id;
}

int64_t names_id(names *t, lite *db, const char *s, size_t n)
{
    const uint64_t hash = bytes_hash(0, s, n);
    const struct name *known = find(t, s, n, hash);
    bool failed = false;
    if (known)
        return known->id;
    int64_t id = stored_id(t, db, s, n, &failed);
    if (!id && !failed && t->last_id >= NAMES_MAX)
        failed = !lite_fail(db, TBY_TOO_MANY, "a database holds at most %d names of a kind", NAMES_MAX);
    if (!id && !failed) {
        id = t->last_id + 1;
        sqlite3_bind_int64(t->insert, 1, id);
        sqlite3_bind_text(t->insert, 2, s, (int)n, SQLITE_STATIC);
        failed = !lite_do(db, t->insert);
    }
    if (!failed && !remember(t, s, n, hash, id))
        failed = !lite_fail_memory(db);
    return failed ? 0 : id;
}
