/*
 * add.c - stores batches of games, without duplicates.
 *
 * A duplicate is found by its hash: in the table `hash`, or in memory, for games that are not in the table yet, about
 * 20 bytes each. Names seen so far are in memory too. So a duplicate costs no more than a look-up.
 */
#include "base/contract.h"
#include "row/row.h"
#include "store/sqlite/db.h"
#include "store/sqlite/index/counts.h"
#include "store/sqlite/index/index.h"
#include "store/sqlite/index/words.h"
#include "store/sqlite/names.h"
#include "store/sqlite/schema.h"

#include <stdlib.h>
#include <string.h>

struct intake {
    names names[N_NAME_TABLES];
    block sketches, facts;
    stood_blocks erased;  /* of the index `stood`: those of deleted games */
    int64_t stood;        /* the last game in it; -1 = no index */
    hash_set hashes;      /* of the games after `n_hashed` */
    tby_game_id n_hashed; /* the last game in the table of hashes */
    tby_game_id last_id;
    int64_t n_plies, n_annotated; /* of games added since the last commit */
    const char *shape;            /* of the last stored game, in its batch, and its number */
    int64_t shape_id;
};

/* ---- Beginning and ending ------------------------------------------------------------------------------- */

#define MAKE_HASH SCHEMA_HASH "INSERT OR IGNORE INTO counter VALUES('hashes', 0)"

/* Reads the hashes of games that the table does not have yet. */
static bool read_hashes(intake *in, lite *db)
{
    if (!lite_run(db, MAKE_HASH) || !lite_counter(db, "hashes", UINT32_MAX, &in->n_hashed))
        return false;
    lite_rows r = lite_rows_of(db, lite_prepare(db, "SELECT id, hash FROM game WHERE id > ?1 OR id < 1"));
    lite_bind(&r, 1, in->n_hashed);
    while (lite_next_up(&r))
        if (!game_id_is_sound(r.number))
            r.failed = !fail_game_id(db, r.number);
        else if (!hash_set_add_few(&in->hashes, (uint64_t)sqlite3_column_int64(r.s, 1), (uint32_t)r.number))
            r.failed = !lite_fail_memory(db);
        else if (r.number > in->last_id) /* even if the counter is too low, no number is used twice */
            in->last_id = r.number;
    return lite_end(&r);
}

/* Stores in the order of the table, so that each of its pages is written once. */
static bool store_hashes(lite *db)
{
    int64_t n_hashed = 0, last = 0;
    char sql[128];
    if (!lite_counter(db, "hashes", UINT32_MAX, &n_hashed) || !lite_last_id(db, &last))
        return false;
    sqlite3_snprintf(sizeof sql, sql,
                     "INSERT OR IGNORE INTO hash SELECT hash, id FROM game WHERE id > %lld ORDER BY hash, id",
                     (long long)n_hashed);
    return last <= n_hashed || (lite_run(db, sql) && lite_count_on(db, "hashes", last - n_hashed));
}

bool hashes_build(lite *db)
{
    if (!lite_begin(db))
        return false;
    const bool is_good = lite_run(db, MAKE_HASH) && store_hashes(db);
    intake_forget(db); /* the hashes are in the table now */
    return lite_finish(db, is_good);
}

/* If there are too many hashes in memory, stores them before the end. */
static bool spill_hashes(lite *db)
{
    intake *in = db->intake;
    if (in->hashes.n < db->memory.n_hashes)
        return true;
    if (!store_hashes(db) || !lite_counter(db, "hashes", UINT32_MAX, &in->n_hashed))
        return false;
    hash_set_clear(&in->hashes);
    return true;
}

/* Numbers in the index of words are not reused. */
static bool pass_words(intake *in, lite *db)
{
    for (unsigned i = 0; i < WORD_TABLES; i++) {
        names *of = &in->names[i];
        int64_t covered = 0;
        if (!words_covered(db, (name_table)i, &covered))
            return false;
        of->last_id = covered > of->last_id ? covered : of->last_id;
    }
    return true;
}

static bool fill(intake *in, lite *db)
{
    in->sketches = sketches_begin();
    in->facts = facts_begin();
    stood_begin(&in->erased);
    for (int i = 0; i < N_NAME_TABLES; i++)
        if (!names_begin(&in->names[i], db, name_tables[i], schema_name_column((name_table)i)))
            return false;
    return pass_words(in, db) && lite_counter(db, "last_game", UINT32_MAX, &in->last_id) && read_hashes(in, db);
}

void intake_free(intake *in)
{
    if (!in)
        return;
    for (int i = 0; i < N_NAME_TABLES; i++)
        names_end(&in->names[i]);
    block_finish(&in->sketches);
    block_finish(&in->facts);
    stood_end(&in->erased);
    hash_set_free(&in->hashes);
    free(in);
}

void intake_forget(lite *db)
{
    intake_free(db->intake);
    db->intake = NULL;
}

bool intake_begin(lite *db)
{
    if (sqlite3_get_autocommit(db->sql))
        return lite_fail(db, TBY_IO_ERROR, "no transaction is open");
    if (db->intake)
        return true;
    db->intake = calloc(1, sizeof *db->intake);
    if (!db->intake)
        return lite_fail_memory(db);
    if (fill(db->intake, db))
        return true;
    intake_forget(db);
    return false;
}

static bool store_last_id(lite *db, tby_game_id id)
{
    int64_t before = 0;
    return lite_counter(db, "last_game", UINT32_MAX, &before) && lite_count_on(db, "last_game", id - before);
}

bool intake_flush(lite *db)
{
    intake *in = db->intake;
    if (!in)
        return true;
    if (!block_write(&in->sketches, db) || !block_write(&in->facts, db) || !stood_flush(&in->erased, db) ||
        !store_last_id(db, in->last_id) || !lite_count_on(db, "plies", in->n_plies) ||
        !lite_count_on(db, "annotated", in->n_annotated))
        return false;
    in->n_plies = in->n_annotated = 0;
    return true;
}

/* ---- Duplicates ----------------------------------------------------------------------------------------- */

/* Compares a game with the same hash: only an equal game is a duplicate. */
static bool is_same_game(lite *db, tby_game_id id, const tby_row *added, bool *failed)
{
    bool is_same = false;
    lite_rows r = lite_rows_kept(db, SQL_GAME_BY_ID, id);
    if (lite_next(&r)) {
        tby_row stored;
        schema_row(&stored, r.s, KINDS_ALL);
        if (tby_row_same(&is_same, &stored, added) != TBY_OK)
            r.failed = !lite_fail_memory(db);
    }
    *failed = !lite_end(&r);
    return is_same;
}

static bool is_in_memory(lite *db, const tby_row *added, bool *failed)
{
    const hash_set *set = &db->intake->hashes;
    size_t slot = (size_t)added->hash;
    bool is_same = false;
    for (uint32_t id; !is_same && !*failed && (id = hash_set_next(set, added->hash, &slot)) != 0;)
        is_same = is_same_game(db, id, added, failed);
    return is_same;
}

static bool is_in_table(lite *db, const tby_row *added, bool *failed)
{
    bool is_same = false;
    if (!db->intake->n_hashed)
        return false;
    lite_rows r = lite_rows_kept(db, SQL_HASH_GET, (int64_t)added->hash);
    while (!is_same && lite_next(&r))
        is_same = is_same_game(db, sqlite3_column_int64(r.s, 0), added, &r.failed);
    *failed = !lite_end(&r);
    return is_same;
}

static bool is_stored(lite *db, const tby_row *added, bool *failed)
{
    return is_in_memory(db, added, failed) || (!*failed && is_in_table(db, added, failed));
}

/* ---- Storing -------------------------------------------------------------------------------------------- */

/* Games of one batch with the same shape usually share its text. */
static int64_t name_id(lite *db, const row_column *c, tby_text text)
{
    intake *in = db->intake;
    if (c->kind == COLUMN_SHAPE && text.s == in->shape)
        return in->shape_id;
    const int64_t id = names_id(&in->names[c->names], db, text.s, text.n);
    if (c->kind == COLUMN_SHAPE) {
        in->shape = text.s;
        in->shape_id = id;
    }
    return id;
}

static bool bind_text(sqlite3_stmt *s, int at, lite *db, const row_column *c, tby_text text)
{
    if (!text.s)
        return true;
    if (column_is(c, KIND(COLUMN_NAME) | KIND(COLUMN_SHAPE))) {
        const int64_t id = name_id(db, c, text);
        return id && sqlite3_bind_int64(s, at, id) == SQLITE_OK;
    }
    return (column_is(c, KIND(COLUMN_MOVES) | KIND(COLUMN_RECORD))
                ? sqlite3_bind_blob64(s, at, text.s, text.n, SQLITE_STATIC)
                : sqlite3_bind_text64(s, at, text.s, text.n, SQLITE_STATIC, SQLITE_UTF8)) == SQLITE_OK ||
           lite_fail_sql(db, "database");
}

bool intake_bind(sqlite3_stmt *s, int at, lite *db, const row_column *c, const tby_row *row)
{
    TBY_CONTRACT(at > 0);
    char room[TBY_ROW_TEXT_SIZE];
    if (column_is(c, KINDS_WITH_TEXT))
        return bind_text(s, at, db, c, *column_text_of(c, row));
    if (c->kind == COLUMN_CHOICE)
        return bind_text(s, at, db, c, column_tag(c, row, room));
    const int64_t number = c->kind == COLUMN_HASH ? (int64_t)row->hash : column_get_number(c, row);
    if (number || column_is_needed(c))
        sqlite3_bind_int64(s, at, number);
    return true;
}

static bool store_row(lite *db, const tby_row *row, tby_game_id id)
{
    sqlite3_stmt *s = lite_statement(db, SQL_GAME_INSERT);
    if (!s)
        return false;
    sqlite3_bind_int64(s, 1, id);
    for (size_t i = 0; i < n_row_columns; i++)
        if (!intake_bind(s, (int)i + 2, db, &row_columns[i], row))
            return false;
    return lite_do(db, s);
}

static bool store_records(lite *db, const tby_row *row, tby_game_id id)
{
    uint8_t *sketch = block_record(&db->intake->sketches, db, id);
    uint8_t *record = block_record(&db->intake->facts, db, id);
    if (!sketch || !record)
        return false;
    sketch_make(sketch, (const uint8_t *)row->moves.s, row->moves.n);
    fact_write(record, row);
    return true;
}

static bool store_game(lite *db, const tby_row *row)
{
    intake *in = db->intake;
    const tby_game_id id = in->last_id + 1;
    if (id > UINT32_MAX)
        return lite_fail(db, TBY_TOO_MANY, "a database holds at most %u games", UINT32_MAX);
    if (!store_row(db, row, id) || !store_records(db, row, id))
        return false;
    in->last_id = id;
    in->n_plies += row->plies;
    in->n_annotated += row->annotated.s != NULL;
    return hash_set_add_few(&in->hashes, row->hash, (uint32_t)id) || lite_fail_memory(db);
}

bool lite_add(tby_db *base, const tby_batch *b, tby_duplicates duplicates, tby_db_added *added)
{
    lite *db = lite_of(base);
    bool failed = false;
    if (!intake_begin(db) || !spill_hashes(db))
        return false;
    db->intake->shape = NULL;
    for (size_t i = 0; i < b->n_rows; i++) {
        if (duplicates == TBY_DUPLICATES_SKIP && is_stored(db, &b->rows[i], &failed))
            added->duplicates++;
        else if (failed || !store_game(db, &b->rows[i]))
            return false;
        else
            added->stored++;
    }
    return true;
}

/* ---- Deleting ------------------------------------------------------------------------------------------- */

typedef struct eraser {
    lite *db;
    sqlite3_stmt *remember, *erase;
    int64_t n_games, n_plies, n_annotated; /* that were deleted */
} eraser;

static bool erase_hash(lite *db, tby_game_id id, uint64_t hash)
{
    if (id > db->intake->n_hashed)
        return true;
    const lite_rows r = lite_rows_kept(db, SQL_HASH_DELETE, (int64_t)hash);
    lite_bind(&r, 2, id);
    return r.s && lite_do(db, r.s);
}

static bool erase_records(lite *db, tby_game_id id, uint64_t hash)
{
    uint8_t *sketch = block_record(&db->intake->sketches, db, id);
    uint8_t *record = block_record(&db->intake->facts, db, id);
    if (!sketch || !record || !erase_hash(db, id, hash))
        return false;
    memset(sketch, SKETCH_NONE, SKETCH_SIZE);
    memset(record, SKETCH_NONE, FACT_SIZE);
    return id > db->intake->stood || stood_put(&db->intake->erased, db, id, NULL);
}

static bool erase(eraser *e, tby_game_id id)
{
    uint64_t hash = 0;
    lite_rows r = lite_rows_again(e->db, e->erase);
    lite_bind(&r, 1, id);
    sqlite3_bind_int64(e->remember, 1, id);
    if (!lite_do(e->db, e->remember))
        return false;
    const bool is_there = lite_next(&r);
    if (is_there) {
        e->n_games++;
        e->n_plies += sqlite3_column_int64(r.s, 0);
        e->n_annotated += sqlite3_column_int64(r.s, 1);
        hash = (uint64_t)sqlite3_column_int64(r.s, 2);
        lite_next(&r); /* completes the statement */
    }
    return lite_end(&r) && (!is_there || erase_records(e->db, id, hash));
}

static bool erase_all(eraser *e, const tby_game_id *ids, size_t n_ids)
{
    lite *db = e->db;
    buffer sql = {0};
    if (!intake_begin(db) || !index_covered(db, INDEX_stood, &db->intake->stood) || !lite_run(db, SCHEMA_GONE))
        return false;
    schema_remember_names(&sql);
    e->remember = lite_prepare_text(db, &sql);
    e->erase = lite_prepare(db, "DELETE FROM game WHERE id = ?1 RETURNING plies, annotated IS NOT NULL, hash");
    bool is_good = e->remember && e->erase;
    for (size_t i = 0; i < n_ids && is_good; i++)
        is_good = erase(e, ids[i]);
    sqlite3_finalize(e->remember);
    sqlite3_finalize(e->erase);
    return is_good;
}

static bool delete_names(lite *db)
{
    buffer sql = {0};
    schema_delete_names(&sql);
    return lite_run_text(db, &sql);
}

/* Changed facts must be stored before they are counted. */
static bool erase_and_count(eraser *e, const tby_game_id *ids, size_t n_ids)
{
    lite *db = e->db;
    bool is_kept;
    return counts_are_kept(db, &is_kept) && (!is_kept || counts_touch(db, ids, n_ids)) && erase_all(e, ids, n_ids) &&
           (!is_kept || (intake_flush(db) && counts_refresh(db)));
}

bool lite_erase(tby_db *base, const tby_game_id *ids, size_t n_ids, int64_t *n_deleted)
{
    TBY_CONTRACT(ids || n_ids == 0);
    lite *db = lite_of(base);
    eraser e = {.db = db};
    bool is_own;
    if (!lite_begin_part(db, &is_own))
        return false;
    bool is_good = erase_and_count(&e, ids, n_ids) && lite_count_on(db, "deleted", e.n_games) &&
                   lite_count_on(db, "plies", -e.n_plies) && lite_count_on(db, "annotated", -e.n_annotated) &&
                   delete_names(db) && collections_forget(db);
    is_good = lite_end_part(db, is_own, is_good);
    intake_forget(db); /* it has hashes of deleted games */
    *n_deleted = e.n_games;
    return is_good;
}
