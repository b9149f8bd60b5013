/*
 * had_build.c - fills the indexes of what games have had, and compares them with the games.
 *
 * Lists are filled a block at a time.
 */
#include "row/same.h"
#include "store/sqlite/game_set.h"
#include "store/sqlite/had.h"
#include "store/sqlite/lists.h"
#include "store/sqlite/schema.h"

#include <string.h>

/* Who asks counts on from there. */
bool tby_had_covered(lite *db, const char *name, int64_t *out)
{
    if (!lite_counter_or(db, name, -1, out))
        return false;
    return (*out >= -1 && *out <= UINT32_MAX) ||
           lite_fail(db, TBY_INVALID_DATABASE, "the database is damaged: its counter %s is wrong", name);
}

static bool want_list(lite *db, had_list list)
{
    const char *name = tby_had_tables[list].name;
    text_buffer sql = {0};
    tby_text_printf(&sql, SCHEMA_LIST "INSERT OR IGNORE INTO counter VALUES('%s', 0)", name, name);
    return lite_run_text(db, &sql);
}

static bool want(lite *db, unsigned kinds)
{
    static const unsigned flags[HAD_LISTS] = {
        [HAD_MATERIAL] = TBY_INDEX_MATERIAL, [HAD_PAWNS] = TBY_INDEX_PAWNS, [HAD_ECO] = TBY_INDEX_ECO};
    for (unsigned i = 0; i < HAD_LISTS; i++)
        if ((kinds & flags[i]) && !want_list(db, (had_list)i))
            return false;
    return (!(kinds & TBY_INDEX_STOOD) ||
            lite_run(db, SCHEMA_STOOD "INSERT OR IGNORE INTO counter VALUES('stood', 0)")) &&
           (!(kinds & TBY_INDEX_EVENTS) || lite_run(db, "INSERT OR IGNORE INTO counter VALUES('events', 0)"));
}

bool lite_want_index(lite *db, unsigned kinds)
{
    if (!lite_begin(db))
        return false;
    if (want(db, kinds) && lite_commit(db))
        return true;
    lite_rollback(db);
    return false;
}

/* ---- What is there -------------------------------------------------------------------------------------- */

/* The last games that are in the indexes; -1 = no such index. */
typedef struct coverage {
    int64_t stood, lists[HAD_LISTS];
    bool has_any;
} coverage;

static bool read_coverage(lite *db, coverage *out)
{
    if (!tby_had_covered(db, "stood", &out->stood))
        return false;
    out->has_any = out->stood >= 0;
    for (unsigned i = 0; i < HAD_LISTS; i++) {
        if (!tby_had_covered(db, tby_had_tables[i].name, &out->lists[i]))
            return false;
        out->has_any |= out->lists[i] >= 0;
    }
    return true;
}

/* The last game that is in all of them, at most `last`. */
static tby_game_id least_covered(const coverage *c, tby_game_id last)
{
    if (c->stood >= 0 && c->stood < last)
        last = c->stood;
    for (unsigned i = 0; i < HAD_LISTS; i++)
        if (c->lists[i] >= 0 && c->lists[i] < last)
            last = c->lists[i];
    return last;
}

/* The game in a statement's row: id, moves, eco. */
static bool make_of_row(had *out, sqlite3_stmt *s)
{
    const uint8_t *moves = sqlite3_column_blob(s, 1);
    const size_t n_moves = (size_t)sqlite3_column_bytes(s, 1);
    const char *eco = (const char *)sqlite3_column_text(s, 2);
    return tby_had_make(out, moves, n_moves, (tby_text){eco, eco ? (size_t)sqlite3_column_bytes(s, 2) : 0});
}

/* ---- Building ------------------------------------------------------------------------------------------- */

typedef struct builder {
    lite *db;
    coverage covered;
    had_blocks blocks;
    lists lists[HAD_LISTS];
} builder;

static bool take_game(builder *b, tby_game_id id, sqlite3_stmt *s)
{
    had h;
    if (!make_of_row(&h, s))
        return lite_fail(b->db, TBY_INVALID_DATABASE, "game %lld is damaged", (long long)id);
    if (b->covered.stood >= 0 && id > b->covered.stood && !tby_had_put(&b->blocks, b->db, id, &h))
        return false;
    for (unsigned i = 0; i < HAD_LISTS; i++)
        for (size_t k = 0; b->covered.lists[i] >= 0 && id > b->covered.lists[i] && k < h.lists[i].n; k++)
            if (!tby_lists_add(&b->lists[i], id, h.lists[i].keys[k]))
                return false;
    return true;
}

static bool take_games(builder *b, tby_game_id first, tby_game_id last)
{
    bool failed = false;
    int64_t before = LITE_FIRST;
    sqlite3_stmt *s = lite_prepare(b->db, "SELECT id, moves, eco FROM game WHERE id BETWEEN ?1 AND ?2 ORDER BY id");
    if (!s)
        return false;
    sqlite3_bind_int64(s, 1, first);
    sqlite3_bind_int64(s, 2, last);
    while (!failed && lite_step_up(b->db, s, &before, &failed)) {
        const tby_game_id id = sqlite3_column_int64(s, 0);
        failed = !game_id_is_in(b->db, id, first, last) || !take_game(b, id, s);
    }
    sqlite3_finalize(s);
    return !failed;
}

static bool set_covered(lite *db, const char *name, int64_t before, tby_game_id last)
{
    return before < 0 || before >= last || lite_count_on(db, name, last - before);
}

static bool write_lists(builder *b, tby_game_id first, tby_game_id last)
{
    for (unsigned i = 0; i < HAD_LISTS; i++)
        if (!tby_lists_write(&b->lists[i], first) ||
            !set_covered(b->db, tby_had_tables[i].name, b->covered.lists[i], last))
            return false;
    return true;
}

/* The games of one block of lists, of those that are not yet in; in a transaction. */
static bool build_block(builder *b, tby_game_id *done, tby_game_id *last_game)
{
    if (!read_coverage(b->db, &b->covered) || !lite_counter(b->db, "last_game", UINT32_MAX, last_game))
        return false;
    *done = least_covered(&b->covered, *last_game);
    if (*done == *last_game)
        return true;
    tby_game_id first = *done + 1;
    if (!tby_next_game(b->db, &first))
        return false;
    if (first == 0 || first > *last_game)
        first = *last_game; /* nothing more but deleted games */
    *done = list_block_end(first) < *last_game ? list_block_end(first) : *last_game;
    return take_games(b, first, *done) && write_lists(b, first, *done) && tby_had_flush(&b->blocks, b->db) &&
           set_covered(b->db, "stood", b->covered.stood, *done);
}

bool tby_had_build(lite *db, tby_db_progress progress, void *context)
{
    builder b = {.db = db};
    tby_game_id done = 0, last = 1;
    for (unsigned i = 0; i < HAD_LISTS; i++)
        b.lists[i] = tby_lists_begin(db, tby_had_tables[i].name, tby_had_tables[i].get, tby_had_tables[i].put);
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
    for (unsigned i = 0; i < HAD_LISTS; i++)
        tby_lists_end(&b.lists[i]);
    return is_good;
}

/* ---- Verifying ------------------------------------------------------------------------------------------ */

typedef struct verifier {
    lite *db;
    coverage covered;
    had_blocks blocks;
    game_set there;
    uint64_t of_games[HAD_LISTS], of_rows; /* sums over what games have had */
    int64_t row;
    void (*tell)(void *context, tby_game_id id, const char *text);
    void *context;
} verifier;

static uint64_t hash_of(uint32_t key, tby_game_id id)
{
    const uint64_t words[2] = {key, (uint64_t)id};
    return tby_hash_bytes(1, words, sizeof words);
}

/* Without `h` there is no such game. */
static bool check_blocks(verifier *v, tby_game_id id, const had *h)
{
    bool is_right = true;
    for (unsigned i = 0; i < HAD_COLUMNS; i++) {
        const uint8_t *record = tby_block_get(&v->blocks.columns[i], v->db, id);
        const uint64_t word = !h || id > v->covered.stood ? UINT64_MAX : i == HAD_MARKS ? h->marks : h->stood[i];
        if (!record)
            return false;
        for (size_t k = 0; k < had_size(i); k++)
            is_right &= record[k] == (uint8_t)(word >> 8 * k);
    }
    if (!is_right)
        v->tell(v->context, id, "the index stood is not that of the game");
    return true;
}

/* The first number from `*id` on whose block is there, if it is at most `last`; else one more than that. */
static bool skip_blocks(verifier *v, tby_game_id *id, tby_game_id last)
{
    char sql[80];
    int64_t row = block_of(*id) * HAD_COLUMNS;
    if (v->blocks.columns[0].number == block_of(*id))
        return true;
    sqlite3_snprintf(sizeof sql, sql, "SELECT coalesce(min(id), -1) FROM stood WHERE id >= %lld", (long long)row);
    if (!lite_number(v->db, sql, &row))
        return false;
    if (row < 0 || row / HAD_COLUMNS > block_of(last))
        *id = last + 1;
    else if (row / HAD_COLUMNS > block_of(*id))
        *id = row / HAD_COLUMNS * BLOCK_GAMES + 1;
    return true;
}

/* Numbers from `id` to `last` that no game has. */
static bool check_absent(verifier *v, tby_game_id id, tby_game_id last)
{
    while (id <= last) {
        if (!skip_blocks(v, &id, last))
            return false;
        for (const tby_game_id end = block_end(id); id <= last && id <= end; id++)
            if (!check_blocks(v, id, NULL))
                return false;
    }
    return true;
}

static bool check_game(verifier *v, tby_game_id id, sqlite3_stmt *s)
{
    had h;
    if (!make_of_row(&h, s)) /* told already */
        return true;
    game_set_put(&v->there, id);
    for (unsigned i = 0; i < HAD_LISTS; i++)
        for (size_t k = 0; id <= v->covered.lists[i] && k < h.lists[i].n; k++)
            v->of_games[i] += hash_of(h.lists[i].keys[k], id);
    return v->covered.stood < 0 || check_blocks(v, id, &h);
}

static bool check_games(verifier *v)
{
    bool failed = false;
    int64_t before = LITE_FIRST;
    tby_game_id next = 1;
    sqlite3_stmt *s =
        lite_prepare(v->db, "SELECT id, moves, eco FROM game WHERE id BETWEEN 1 AND 4294967295 ORDER BY id");
    while (s && !failed && lite_step_up(v->db, s, &before, &failed)) {
        const tby_game_id id = sqlite3_column_int64(s, 0);
        failed = !check_absent(v, next, id <= v->covered.stood ? id - 1 : v->covered.stood) || !check_game(v, id, s);
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

static bool check_rows(verifier *v, had_list list)
{
    bool failed = false, is_whole = true;
    int64_t before = LITE_FIRST;
    char told[80];
    text_buffer sql = {0};
    tby_text_printf(&sql, "SELECT id, games FROM %s", tby_had_tables[list].name);
    sqlite3_stmt *s = lite_prepare_text(v->db, &sql);
    v->of_rows = 0;
    while (s && lite_step_up(v->db, s, &before, &failed)) {
        v->row = sqlite3_column_int64(s, 0);
        is_whole &= tby_lists_each(v->row, sqlite3_column_blob(s, 1), (size_t)sqlite3_column_bytes(s, 1), add_row, v);
    }
    sqlite3_finalize(s);
    if (s && !failed && (!is_whole || v->of_rows != v->of_games[list])) {
        sqlite3_snprintf(sizeof told, told, "the index of %s is %s", tby_had_tables[list].name,
                         is_whole ? "not that of the games" : "damaged");
        v->tell(v->context, 0, told);
    }
    return s && !failed;
}

bool tby_had_verify(lite *db, void (*tell)(void *context, tby_game_id id, const char *text), void *context)
{
    tby_game_id last = 0;
    verifier v = {.db = db, .tell = tell, .context = context};
    if (!read_coverage(db, &v.covered)) {
        if (db->base.status != TBY_INVALID_DATABASE)
            return false;
        tell(context, 0, lite_error(db));
        return true;
    }
    if (!v.covered.has_any)
        return true;
    if (!lite_last_id(db, &last))
        return false;
    last = last < UINT32_MAX ? last : UINT32_MAX; /* no game can have a larger number */
    bool is_good = (tby_had_begin(&v.blocks) && tby_game_set_init(&v.there, last)) || lite_fail_memory(db);
    is_good = is_good && check_games(&v) && (!v.there.has_failed || lite_fail_memory(db));
    for (unsigned i = 0; i < HAD_LISTS && is_good; i++)
        is_good = v.covered.lists[i] < 0 || check_rows(&v, (had_list)i);
    tby_had_end(&v.blocks);
    tby_game_set_free(&v.there);
    return is_good;
}
