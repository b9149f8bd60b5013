/*
 * save.c - stores one game in place of another, and changes collections.
 *
 * Keeps    the old game, the new one and their collections change in one transaction. On several servers, which commit one after
 *          the other, the new game is stored before the old one is deleted: whatever fails in between, no game is lost.
 */
#include "base/contract.h"
#include "search/search.h"

#include "base/utf8.h"

#include <string.h>

/* ---- Collections ---------------------------------------------------------------------------------------- */

static bool is_name(const char *name, size_t n)
{
    if (n == 0 || n > TBY_COLLECTION_NAME_MAX || name[0] == ' ' || name[n - 1] == ' ' || !utf8_is_valid(name, n))
        return false;
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)name[i] < ' ' || name[i] == 0x7f)
            return false;
    return true;
}

static bool collect(tby_db *db, const char *name, const tby_game_id *ids, size_t n_ids, bool is_adding,
                    int64_t *n_changed)
{
    TBY_CONTRACT(name && (ids || n_ids == 0 || !is_adding));
    const size_t n = strlen(name);
    *n_changed = 0;
    if (!search_may_write(db))
        return false;
    if (is_adding && !is_name(name, n))
        return db_fail(db, TBY_CANNOT_HOLD,
                       "a collection's name is 1 to %d bytes of UTF-8 without control characters or blanks at its ends",
                       TBY_COLLECTION_NAME_MAX);
    return (is_adding && n_ids == 0) || db->kind->collect(db, (tby_text){name, n}, ids, n_ids, is_adding, n_changed);
}

tby_status tby_db_collect(int64_t *n_changed, tby_db *db, const char *name, const tby_game_id *ids, size_t n_ids)
{
    return db_answer(db, collect(db, name, ids, n_ids, true, n_changed));
}

tby_status tby_db_uncollect(int64_t *n_changed, tby_db *db, const char *name, const tby_game_id *ids, size_t n_ids)
{
    return db_answer(db, collect(db, name, ids, n_ids, false, n_changed));
}

/* ---- Games ---------------------------------------------------------------------------------------------- */

static bool fail_adding(tby_db *db, tby_status status)
{
    if (status == TBY_NO_MEMORY)
        return db_fail_memory(db);
    return db_fail(db, status,
                   status == TBY_TOO_LONG ? "the game has too many moves for this database"
                                          : "the database cannot store the game: a tag is not UTF-8");
}

/* The new game has the highest number, unless someone else has added games meanwhile. */
static bool find_new(tby_db *db, const tby_row *added, tby_game_id *id)
{
    tby_row row;
    bool is_same = false;
    if (!db->kind->last_id(db, id) || !db->kind->row(db, *id, &row))
        return false;
    if (tby_row_same(&is_same, &row, added) != TBY_OK)
        return db_fail_memory(db);
    return is_same || db_fail(db, TBY_BUSY, "others have stored games at the same time; try again");
}

/* In a transaction; *id is 0 if the database has the game already. */
static bool add_one(tby_db *db, const tby_batch *batch, tby_game_id *id)
{
    tby_db_added added = {0, 0};
    const tby_row row = tby_batch_row(batch, 0);
    *id = 0;
    return db->kind->add(db, batch, TBY_DUPLICATES_SKIP, &added) && (added.stored == 0 || find_new(db, &row, id));
}

static bool commit_one(tby_db *db, const tby_batch *batch, tby_game_id *id)
{
    if (!search_may_write(db) || !db->kind->begin(db))
        return false;
    if (add_one(db, batch, id))
        return db->kind->commit(db);
    db->kind->rollback(db);
    return false;
}

static bool is_unchanged(tby_db *db, tby_game_id old, const tby_batch *batch, bool *out)
{
    tby_row row;
    const tby_row made = tby_batch_row(batch, 0);
    *out = false;
    return old == 0 ||
           (db->kind->row(db, old, &row) && (tby_row_same(out, &row, &made) == TBY_OK || db_fail_memory(db)));
}

static void take_name(void *context, tby_text name, int64_t games)
{
    (void)games;
    buffer_add(context, name.s, name.n);
    buffer_add(context, "", 1);
}

static bool list_names(tby_db *db, tby_game_id id, buffer *names)
{
    return db_list_collections(db, id, take_name, names) && (!names->has_failed || db_fail_memory(db));
}

static bool collect_in(tby_db *db, const buffer *names, tby_game_id id)
{
    bool is_good = true;
    int64_t n;
    for (size_t at = 0; is_good && at < names->n; at += strlen(names->s + at) + 1)
        is_good = collect(db, names->s + at, &id, 1, true, &n);
    return is_good;
}

static bool erase_one(tby_db *db, tby_game_id id)
{
    int64_t n;
    return db->kind->erase(db, &id, 1, &n) &&
           (n == 1 || db_fail(db, TBY_NOT_FOUND, "there is no game %lld", (long long)id));
}

/* The old game is deleted first: the caches used while adding games do not notice deletions. */
static bool exchange(tby_db *db, tby_game_id old, const tby_batch *batch, const buffer *names, tby_game_id *id)
{
    if (!search_may_write(db) || !db->kind->begin(db))
        return false;
    const bool is_good = erase_one(db, old) && add_one(db, batch, id) && (!*id || collect_in(db, names, *id));
    if (is_good && *id)
        return db->kind->commit(db);
    db->kind->rollback(db); /* also where the database has the game already: the old one stays */
    return is_good;
}

/* The collections of the old game take the new one in its place. */
static bool replace(tby_db *db, tby_game_id old, const tby_batch *batch, tby_game_id *id)
{
    buffer names = {0};
    const bool is_good = list_names(db, old, &names) && exchange(db, old, batch, &names, id);
    buffer_free(&names);
    return is_good;
}

tby_status tby_db_save(tby_game_id *id, tby_db *db, tby_game_id old, const tby_game *game)
{
    TBY_CONTRACT(id && game && old >= 0);
    tby_batch *batch = tby_batch_new();
    bool is_same = false;
    if (!batch)
        return db_answer(db, db_fail_memory(db));
    if (db->kind->most_bytes)
        tby_batch_restrict(batch, db->kind->most_bytes);
    const tby_status status = tby_batch_add(batch, game);
    bool is_good = status == TBY_OK ? is_unchanged(db, old, batch, &is_same) : fail_adding(db, status);
    *id = old;
    if (is_good && !is_same)
        is_good = old ? replace(db, old, batch, id) : commit_one(db, batch, id);
    tby_batch_free(batch);
    return db_answer(db, is_good);
}
