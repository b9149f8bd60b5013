/*
 * names.c - assigns a number to every name: a hash table in memory in front of the database's own table.
 */
#include "store/sqlite/names.h"
#include "base/contract.h"
#include "row/row.h"
#include "support/array.h"

#include <string.h>

/* ---- Hashes --------------------------------------------------------------------------------------------- */

static void put(hash_set *set, uint64_t hash, uint32_t number)
{
    TBY_CONTRACT(number > 0 && set->n < set->n_slots);
    size_t slot = (size_t)hash & (set->n_slots - 1);
    while (set->numbers[slot])
        slot = (slot + 1) & (set->n_slots - 1);
    set->hashes[slot] = hash;
    set->numbers[slot] = number;
    set->n++;
}

static bool grow(hash_set *set)
{
    const size_t n_slots = set->n_slots ? set->n_slots * 2 : 4096;
    hash_set larger = {malloc(n_slots * sizeof *larger.hashes), calloc(n_slots, sizeof *larger.numbers), 0, n_slots};
    const bool is_good = larger.hashes && larger.numbers;
    for (size_t i = 0; i < set->n_slots && is_good; i++)
        if (set->numbers[i])
            put(&larger, set->hashes[i], set->numbers[i]);
    hash_set_free(is_good ? set : &larger);
    if (is_good)
        *set = larger;
    return is_good;
}

bool hash_set_add(hash_set *set, uint64_t hash, uint32_t number)
{
    if (set->n * 3 >= set->n_slots * 2 && !grow(set))
        return false;
    put(set, hash, number);
    return true;
}

bool hash_set_add_few(hash_set *set, uint64_t hash, uint32_t number)
{
    size_t slot = (size_t)hash;
    unsigned n = 0;
    while (n < HASH_SET_FEW && hash_set_next(set, hash, &slot) != 0)
        n++;
    return n == HASH_SET_FEW || hash_set_add(set, hash, number);
}

void hash_set_clear(hash_set *set)
{
    if (set->n)
        memset(set->numbers, 0, set->n_slots * sizeof *set->numbers);
    set->n = 0;
}

void hash_set_free(hash_set *set)
{
    free(set->hashes);
    free(set->numbers);
}

uint32_t hash_set_next(const hash_set *set, uint64_t hash, size_t *slot)
{
    TBY_CONTRACT(set->n == 0 || (set->n_slots & (set->n_slots - 1)) == 0);
    if (!set->n)
        return 0;
    for (*slot &= set->n_slots - 1; set->numbers[*slot]; *slot = (*slot + 1) & (set->n_slots - 1))
        if (set->hashes[*slot] == hash)
            return set->numbers[(*slot)++];
    return 0;
}

/* ---- Names ---------------------------------------------------------------------------------------------- */

/* The names are in the table, where they can be looked up. */
static void forget(names *t)
{
    hash_set_clear(&t->hashes);
    t->n_items = t->n_text = 0;
    t->has_stored = true;
}

static bool remember(names *t, const char *s, size_t n, uint64_t hash, int64_t id)
{
    if (t->n_text + t->n_items * (sizeof *t->items + 3 * sizeof(uint64_t)) > t->most_bytes)
        forget(t);
    if (t->n_items >= UINT32_MAX - 1 ||
        !array_reserve(&t->text, &t->cap_text, t->n_text + n + 1, 1, NULL) || /* the empty name too */
        !array_reserve(&t->items, &t->cap_items, t->n_items + 1, sizeof *t->items, NULL) ||
        !hash_set_add(&t->hashes, hash, (uint32_t)t->n_items + 1))
        return false;
    memcpy(t->text + t->n_text, s, n);
    t->items[t->n_items++] = (struct name){t->n_text, n, id};
    t->n_text += n;
    t->last_id = id > t->last_id ? id : t->last_id;
    return true;
}

static const struct name *find(const names *t, const char *s, size_t n, uint64_t hash)
{
    size_t slot = (size_t)hash;
    for (uint32_t number; (number = hash_set_next(&t->hashes, hash, &slot)) != 0;) {
        const struct name *item = &t->items[number - 1];
        if (item->n == n && memcmp(t->text + item->at, s, n) == 0)
            return item;
    }
    return NULL;
}

bool names_begin(names *t, lite *db, const char *table, const char *column)
{
    memset(t, 0, sizeof *t);
    t->most_bytes = db->memory.name_bytes;
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
    hash_set_free(&t->hashes);
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
    TBY_CONTRACT(s || n == 0);
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
