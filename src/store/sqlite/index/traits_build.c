/*
 * traits_build.c - fills the indexes of game traits, and verifies them.
 *
 * Lists are filled one block at a time.
 */
#include "base/contract.h"
#include "row/same.h"
#include "store/sqlite/index/replay.h"
#include "store/sqlite/schema.h"

#include <string.h>

static bool want(lite *db, unsigned kinds)
{
    buffer sql = {0};
    for (const trait_table *t = traits_tables; t < traits_tables + TRAITS_INDEXES; t++)
        if (kinds & t->flag) {
            if (t->table == TABLE_STOOD)
                buffer_string(&sql, SCHEMA_STOOD);
            else
                buffer_printf(&sql, SCHEMA_LIST, t->name);
            buffer_printf(&sql, "INSERT OR IGNORE INTO counter VALUES('%s', 0);", t->name);
        }
    buffer_string(&sql, kinds & TBY_INDEX_EVENTS ? "INSERT OR IGNORE INTO counter VALUES('events', 0)" : "");
    return lite_run_text(db, &sql);
}

bool lite_want_index(tby_db *base, unsigned kinds)
{
    lite *db = lite_of(base);
    return lite_begin(db) && lite_finish(db, want(db, kinds));
}

/* ---- Coverage ------------------------------------------------------------------------------------------- */

static bool read_coverage(lite *db, int64_t covered[TRAITS_INDEXES])
{
    bool is_good = true;
    for (unsigned i = 0; i < TRAITS_INDEXES && is_good; i++)
        is_good = lite_counter_if(db, traits_tables[i].name, UINT32_MAX, &covered[i]);
    return is_good;
}

/* The last game that is in all indexes, at most `last`. */
static tby_game_id least_covered(const int64_t covered[TRAITS_INDEXES], tby_game_id last)
{
    for (unsigned i = 0; i < TRAITS_INDEXES; i++)
        if (covered[i] >= 0 && covered[i] < last)
            last = covered[i];
    return last;
}

static bool lacks(const traits_builder *b, unsigned index, tby_game_id id)
{
    return b->covered[index] >= 0 && id > b->covered[index];
}

/* ---- Building ------------------------------------------------------------------------------------------- */

void traits_builder_begin(traits_builder *b, lite *db)
{
    *b = (traits_builder){.db = db};
    for (unsigned i = 0; i < TRAITS_LISTS; i++)
        b->lists[i] = (lists){.db = db, .table = traits_tables[i].table};
    traits_begin(&b->blocks);
}

void traits_builder_end(traits_builder *b)
{
    traits_end(&b->blocks);
    for (unsigned i = 0; i < TRAITS_LISTS; i++)
        lists_end(&b->lists[i]);
}

bool traits_builder_read(traits_builder *b, tby_game_id last, tby_game_id *done)
{
    b->last = 0;
    if (!read_coverage(b->db, b->covered))
        return false;
    *done = least_covered(b->covered, last);
    return true;
}

static bool write_lists(traits_builder *b)
{
    bool is_good = true;
    for (unsigned i = 0; i < TRAITS_LISTS && is_good && b->last; i++)
        is_good = lists_write(&b->lists[i], b->last);
    return is_good;
}

/* Lists are written one block at a time. */
bool traits_builder_take(traits_builder *b, tby_game_id id, const traits *h)
{
    TBY_CONTRACT(id > b->last);
    if (b->last && list_block(b->last) != list_block(id) && !write_lists(b))
        return false;
    b->last = id;
    if (lacks(b, TRAITS_STOOD, id) && !traits_put(&b->blocks, b->db, id, h))
        return false;
    for (unsigned i = 0; i < TRAITS_LISTS; i++)
        for (size_t k = 0; lacks(b, i, id) && k < h->lists[i].n; k++)
            if (!lists_add(&b->lists[i], id, h->lists[i].keys[k]))
                return false;
    return true;
}

bool traits_builder_store(traits_builder *b, tby_game_id last)
{
    TBY_CONTRACT(last >= b->last);
    bool is_good = write_lists(b) && traits_flush(&b->blocks, b->db);
    for (unsigned i = 0; i < TRAITS_INDEXES && is_good; i++)
        is_good = !lacks(b, i, last) || lite_count_on(b->db, traits_tables[i].name, last - b->covered[i]);
    return is_good;
}

static bool visit_game(void *context, const replayed_game *game)
{
    traits_builder *b = context;
    return replayed_is_good(b->db, game) && traits_builder_take(b, game->id, game->traits);
}

/* Adds the missing games of one block of lists; in a transaction. */
static bool build_block(traits_builder *b, tby_game_id *done, tby_game_id *last_game)
{
    if (!lite_counter(b->db, "last_game", UINT32_MAX, last_game) || !traits_builder_read(b, *last_game, done))
        return false;
    if (*done == *last_game)
        return true;
    tby_game_id first = *done + 1;
    if (!next_stored_game(b->db, &first))
        return false;
    if (first == 0 || first > *last_game)
        first = *last_game; /* only deleted games are left */
    *done = list_block_end(first) < *last_game ? list_block_end(first) : *last_game;
    const replay c = {
        .db = b->db, .first = first, .last = *done, .traits_after = first - 1, .visit = visit_game, .context = b};
    return lite_replay(&c) && traits_builder_store(b, *done);
}

bool traits_build(lite *db, tby_db_progress progress, void *context)
{
    traits_builder b;
    tby_game_id done = 0, last = 1;
    bool is_good = true;
    traits_builder_begin(&b, db);
    while (is_good && done < last) {
        is_good = lite_begin(db) && lite_finish(db, build_block(&b, &done, &last));
        if (is_good && progress && !progress(context, last ? (double)done / (double)last : 1))
            break;
    }
    traits_builder_end(&b);
    return is_good;
}

/* ---- Verifying ------------------------------------------------------------------------------------------ */

typedef struct verifier {
    lite *db;
    int64_t covered[TRAITS_INDEXES];
    traits_blocks blocks;
    game_set there;
    uint64_t of_games[TRAITS_LISTS]; /* sums over the traits of games */
    tby_game_id next;                /* the first number not checked yet */
    void (*report)(void *context, tby_game_id id, const char *text);
    void *context;
} verifier;

static void report_stood(void *context, tby_game_id id)
{
    const verifier *v = context;
    v->report(v->context, id, "the index `stood` does not match the game");
}

static bool check_blocks(verifier *v, tby_game_id id, const traits *h)
{
    bool is_right = true;
    for (unsigned i = 0; i < TRAITS_COLUMNS; i++) {
        const uint8_t *record = block_get(&v->blocks.columns[i], v->db, id);
        const uint64_t word = traits_word(id <= v->covered[TRAITS_STOOD] ? h : NULL, i);
        if (!record)
            return false;
        for (size_t k = 0; k < traits_size(i); k++)
            is_right &= record[k] == (uint8_t)(word >> 8 * k);
    }
    if (!is_right)
        report_stood(v, id);
    return true;
}

/* A damaged game has been reported already. */
static bool check_game(verifier *v, const replayed_game *game)
{
    if (!game->is_sound)
        return true;
    game_set_put(&v->there, game->id);
    for (unsigned i = 0; i < TRAITS_LISTS; i++)
        for (size_t k = 0; game->id <= v->covered[i] && k < game->traits->lists[i].n; k++)
            v->of_games[i] += lists_hash(game->traits->lists[i].keys[k], game->id);
    return v->covered[TRAITS_STOOD] < 0 || check_blocks(v, game->id, game->traits);
}

static bool visit_to_check(void *context, const replayed_game *game)
{
    verifier *v = context;
    const int64_t covered = v->covered[TRAITS_STOOD];
    const tby_game_id before = game->id <= covered ? game->id - 1 : covered;
    if (!blocks_absent(v->blocks.columns, TRAITS_COLUMNS, v->db, v->next, before, report_stood, v) ||
        !check_game(v, game))
        return false;
    v->next = game->id + 1;
    return true;
}

static bool check_rows(verifier *v, trait_index list)
{
    bool is_whole = true;
    char text[80];
    uint64_t of_rows;
    const bool is_good = lists_sum(v->db, traits_tables[list].table, &v->there, 1, &of_rows, &is_whole);
    if (is_good && (!is_whole || of_rows != v->of_games[list])) {
        sqlite3_snprintf(sizeof text, text, "the index of %s %s", traits_tables[list].name,
                         is_whole ? "does not match the games" : "is damaged");
        v->report(v->context, 0, text);
    }
    return is_good;
}

bool traits_verify(lite *db, void (*report)(void *context, tby_game_id id, const char *text), void *context)
{
    tby_game_id last = 0;
    verifier v = {.db = db, .next = 1, .report = report, .context = context};
    if (!read_coverage(db, v.covered)) {
        if (db->base.failure.status != TBY_INVALID_DATABASE)
            return false;
        report(context, 0, lite_error(db));
        return true;
    }
    if (least_covered(v.covered, INT64_MAX) == INT64_MAX)
        return true; /* there are none */
    if (!lite_last_id(db, &last))
        return false;
    last = last < UINT32_MAX ? last : UINT32_MAX; /* no game can have a larger number */
    const replay all = {
        .db = db, .first = 1, .last = UINT32_MAX, .traits_after = 0, .visit = visit_to_check, .context = &v};
    traits_begin(&v.blocks);
    bool is_good = game_set_init(&v.there, last) || lite_fail_memory(db);
    is_good = is_good && lite_replay(&all) && (!v.there.has_failed || lite_fail_memory(db));
    for (unsigned i = 0; i < TRAITS_LISTS && is_good; i++)
        is_good = v.covered[i] < 0 || check_rows(&v, (trait_index)i);
    traits_end(&v.blocks);
    game_set_free(&v.there);
    return is_good;
}
