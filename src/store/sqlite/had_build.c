/*
 * had_build.c - fills the indexes `stood` and `material`, and compares them with the games.
 *
 * Material is filled a block at a time.
 */
#include "store/same.h"
#include "store/sqlite/game_set.h"
#include "store/sqlite/had.h"
#include "store/sqlite/lists.h"

#include <string.h>

bool tby_had_covered(lite *db, const char *name, int64_t *out) { return lite_counter_or(db, name, -1, out); }

bool lite_want_index(lite *db, unsigned kinds)
{
    if (!lite_begin(db))
        return false;
    const bool is_good =
        (!(kinds & TBY_INDEX_STOOD) ||
         lite_run(db, "CREATE TABLE IF NOT EXISTS stood(id INTEGER PRIMARY KEY, records BLOB NOT NULL);"
                      "INSERT OR IGNORE INTO counter VALUES('stood', 0)")) &&
        (!(kinds & TBY_INDEX_MATERIAL) ||
         lite_run(db, "CREATE TABLE IF NOT EXISTS material(id INTEGER PRIMARY KEY, games BLOB NOT NULL);"
                      "INSERT OR IGNORE INTO counter VALUES('material', 0)")) &&
        (!(kinds & TBY_INDEX_EVENTS) || lite_run(db, "INSERT OR IGNORE INTO counter VALUES('events', 0)"));
    if (is_good && lite_commit(db))
        return true;
    lite_rollback(db);
    return false;
}

/* ---- Building ------------------------------------------------------------------------------------------- */

typedef struct builder {
    lite *db;
    int64_t stood, material; /* the last games that are in them; -1 = no such index */
    had_blocks blocks;
    lists lists;
} builder;

static bool collect(builder *b, tby_game_id id, const had *h)
{
    bool is_good = true;
    for (size_t i = 0; i < h->n_signatures && is_good; i++)
        is_good = tby_lists_add(&b->lists, id, h->signatures[i]);
    return is_good;
}

static bool take_game(builder *b, tby_game_id id, const uint8_t *moves, size_t n)
{
    had h;
    if (!tby_had_make(&h, moves, n))
        return lite_fail(b->db, TBY_INVALID_DATABASE, "game %lld is damaged", (long long)id);
    if (b->stood >= 0 && id > b->stood && !tby_had_put(&b->blocks, b->db, id, &h))
        return false;
    return b->material < 0 || id <= b->material || collect(b, id, &h);
}

static bool take_games(builder *b, tby_game_id first, tby_game_id last)
{
    bool failed = false;
    sqlite3_stmt *s = lite_prepare(b->db, "SELECT id, moves FROM game WHERE id BETWEEN ?1 AND ?2 ORDER BY id");
    if (!s)
        return false;
    sqlite3_bind_int64(s, 1, first);
    sqlite3_bind_int64(s, 2, last);
    while (!failed && lite_step(b->db, s, &failed)) {
        const tby_game_id id = sqlite3_column_int64(s, 0);
        failed = !game_id_is_in(b->db, id, first, last) ||
                 !take_game(b, id, sqlite3_column_blob(s, 1), (size_t)sqlite3_column_bytes(s, 1));
    }
    sqlite3_finalize(s);
    return !failed;
}

static bool set_covered(lite *db, const char *name, int64_t before, tby_game_id last)
{
    return before < 0 || before >= last || lite_count_on(db, name, last - before);
}

/* The games of one block of material, of those that are not yet in; in a transaction. */
static bool build_block(builder *b, tby_game_id *done, tby_game_id *last_game)
{
    if (!tby_had_covered(b->db, "stood", &b->stood) || !tby_had_covered(b->db, "material", &b->material) ||
        !lite_counter(b->db, "last_game", UINT32_MAX, last_game))
        return false;
    *done = *last_game;
    if (b->stood >= 0 && b->stood < *done)
        *done = b->stood;
    if (b->material >= 0 && b->material < *done)
        *done = b->material;
    if (*done == *last_game)
        return true;
    const tby_game_id first = *done + 1, end = list_block_end(first);
    *done = end < *last_game ? end : *last_game;
    return take_games(b, first, *done) && tby_lists_write(&b->lists, first) && tby_had_flush(&b->blocks, b->db) &&
           set_covered(b->db, "stood", b->stood, *done) && set_covered(b->db, "material", b->material, *done);
}

bool tby_had_build(lite *db, tby_db_progress progress, void *context)
{
    builder b = {.db = db, .lists = tby_lists_begin(db, "material", SQL_MATERIAL_GET, SQL_MATERIAL_PUT)};
    tby_game_id done = 0, last = 1;
    bool is_good = tby_had_begin(&b.blocks) || lite_fail_memory(db);
    while (is_good && done < last) {
        is_good = lite_begin(db);
        if (is_good && !(build_block(&b, &done, &last) && lite_commit(db))) {
            lite_rollback(db);
            is_good = false;
        }
        if (is_good && progress && !progress(context, last ? (double)done / (double)last : 1))
            break;
    }
    tby_had_end(&b.blocks);
    tby_lists_end(&b.lists);
    return is_good;
}

/* ---- Verifying ------------------------------------------------------------------------------------------ */

typedef struct verifier {
    lite *db;
    int64_t stood, material;
    had_blocks blocks;
    game_set there;
    uint64_t of_games, of_rows; /* sums over what games have had */
    int64_t row;
    void (*tell)(void *context, tby_game_id id, const char *text);
    void *context;
} verifier;

static uint64_t hash_of(uint32_t signature, tby_game_id id)
{
    const uint64_t words[2] = {signature, (uint64_t)id};
    return tby_hash_bytes(1, words, sizeof words);
}

/* Without `h` there is no such game. */
static bool check_blocks(verifier *v, tby_game_id id, const had *h)
{
    bool is_right = true;
    for (unsigned i = 0; i < HAD_COLUMNS; i++) {
        const uint8_t *record = tby_block_get(&v->blocks.columns[i], v->db, id);
        const uint64_t word = !h || id > v->stood ? UINT64_MAX : i == HAD_MARKS ? h->marks : h->stood[i];
        if (!record)
            return false;
        for (size_t k = 0; k < had_size(i); k++)
            is_right &= record[k] == (uint8_t)(word >> 8 * k);
    }
    if (!is_right)
        v->tell(v->context, id, "the index stood is not that of the game");
    return true;
}

static bool check_game(verifier *v, tby_game_id id, const uint8_t *moves, size_t n)
{
    had h;
    if (!tby_had_make(&h, moves, n)) /* told already */
        return true;
    game_set_put(&v->there, id);
    for (size_t i = 0; id <= v->material && i < h.n_signatures; i++)
        v->of_games += hash_of(h.signatures[i], id);
    return v->stood < 0 || check_blocks(v, id, &h);
}

static bool check_games(verifier *v)
{
    bool failed = false;
    tby_game_id next = 1;
    sqlite3_stmt *s = lite_prepare(v->db, "SELECT id, moves FROM game WHERE id BETWEEN 1 AND 4294967295 ORDER BY id");
    while (s && !failed && lite_step(v->db, s, &failed)) {
        const tby_game_id id = sqlite3_column_int64(s, 0);
        for (; v->stood >= 0 && next < id && next <= v->stood && !failed; next++)
            failed = !check_blocks(v, next, NULL);
        failed = failed || !check_game(v, id, sqlite3_column_blob(s, 1), (size_t)sqlite3_column_bytes(s, 1));
        next = id + 1;
    }
    sqlite3_finalize(s);
    return s && !failed;
}

static void add_row(void *context, int64_t id)
{
    verifier *v = context;
    if (game_set_has(&v->there, id))
        v->of_rows += hash_of((uint32_t)v->row, id);
}

static bool check_rows(verifier *v)
{
    bool failed = false, is_whole = true;
    sqlite3_stmt *s = lite_prepare(v->db, "SELECT id, games FROM material");
    while (s && lite_step(v->db, s, &failed)) {
        v->row = sqlite3_column_int64(s, 0);
        is_whole &= tby_lists_each(v->row, sqlite3_column_blob(s, 1), (size_t)sqlite3_column_bytes(s, 1), add_row, v);
    }
    sqlite3_finalize(s);
    if (s && !failed && (!is_whole || v->of_rows != v->of_games))
        v->tell(v->context, 0,
                is_whole ? "the index of material is not that of the games" : "the index of material is damaged");
    return s && !failed;
}

bool tby_had_verify(lite *db, void (*tell)(void *context, tby_game_id id, const char *text), void *context)
{
    tby_game_id last = 0;
    verifier v = {.db = db, .tell = tell, .context = context};
    if (!tby_had_covered(db, "stood", &v.stood) || !tby_had_covered(db, "material", &v.material))
        return false;
    if (v.stood < 0 && v.material < 0)
        return true;
    if (!lite_last_id(db, &last))
        return false;
    bool is_good = (tby_had_begin(&v.blocks) && game_set_init(&v.there, last)) || lite_fail_memory(db);
    is_good = is_good && check_games(&v) && (v.material < 0 || check_rows(&v));
    tby_had_end(&v.blocks);
    game_set_free(&v.there);
    return is_good;
}
