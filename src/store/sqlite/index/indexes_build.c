/*
 * indexes_build.c - fills the indexes, and verifies them.
 *
 * Lists are filled one block at a time.
 */
#include "base/contract.h"
#include "row/row.h"
#include "store/sqlite/index/replay.h"

#include <string.h>

/* ---- Coverage ------------------------------------------------------------------------------------------- */

static bool read_coverage(lite *db, int64_t covered[N_INDEXES])
{
    bool is_good = true;
    for (unsigned i = 0; i < N_INDEXES && is_good; i++) {
        covered[i] = -1;
        is_good = db_indexes[i]->storage == STORED_BY_SQLITE || index_covered(db, (index_place)i, &covered[i]);
    }
    return is_good;
}

/* The last game that is in all indexes, at most `last`. */
static tby_game_id least_covered(const int64_t covered[N_INDEXES], tby_game_id last)
{
    for (unsigned i = 0; i < N_INDEXES; i++)
        if (covered[i] >= 0 && covered[i] < last)
            last = covered[i];
    return last;
}

static bool lacks(const index_builder *b, unsigned index, tby_game_id id)
{
    return b->covered[index] >= 0 && id > b->covered[index];
}

/* ---- Building ------------------------------------------------------------------------------------------- */

void index_builder_begin(index_builder *b, lite *db)
{
    *b = (index_builder){.db = db};
    for (unsigned i = 0; i < N_INDEXES; i++)
        b->lists[i] = (lists){.db = db, .table = index_table((index_place)i)};
    stood_begin(&b->blocks);
}

void index_builder_end(index_builder *b)
{
    stood_end(&b->blocks);
    for (unsigned i = 0; i < N_INDEXES; i++)
        lists_end(&b->lists[i]);
}

bool index_builder_read(index_builder *b, tby_game_id last, tby_game_id *done)
{
    b->last = 0;
    if (!read_coverage(b->db, b->covered))
        return false;
    *done = least_covered(b->covered, last);
    return true;
}

static bool write_lists(index_builder *b)
{
    bool is_good = true;
    for (unsigned i = 0; i < N_INDEXES && is_good && b->last; i++)
        is_good = lists_write(&b->lists[i], b->last);
    return is_good;
}

/* Lists are written one block at a time. */
bool index_builder_take(index_builder *b, tby_game_id id, const game_traits *g)
{
    TBY_CONTRACT(id > b->last);
    if (b->last && list_block(b->last) != list_block(id) && !write_lists(b))
        return false;
    b->last = id;
    if (lacks(b, INDEX_stood, id) && !stood_put(&b->blocks, b->db, id, g))
        return false;
    for (unsigned i = 0; i < N_INDEXES; i++)
        for (size_t k = 0; lacks(b, i, id) && k < g->lists[i].n; k++)
            if (!lists_add(&b->lists[i], id, g->lists[i].keys[k]))
                return false;
    return true;
}

bool index_builder_store(index_builder *b, tby_game_id last)
{
    TBY_CONTRACT(last >= b->last);
    bool is_good = write_lists(b) && stood_flush(&b->blocks, b->db);
    for (unsigned i = 0; i < N_INDEXES && is_good; i++)
        is_good = !lacks(b, i, last) || lite_count_on(b->db, db_indexes[i]->name, last - b->covered[i]);
    return is_good;
}

static bool visit_game(void *context, const replayed_game *game)
{
    index_builder *b = context;
    return replayed_is_good(b->db, game) && index_builder_take(b, game->id, game->traits);
}

/* Adds the missing games of one block of lists; in a transaction. */
static bool build_block(index_builder *b, tby_game_id *done, tby_game_id *last_game)
{
    if (!lite_counter(b->db, "last_game", UINT32_MAX, last_game) || !index_builder_read(b, *last_game, done))
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
    return lite_replay(&c) && index_builder_store(b, *done);
}

bool indexes_build(lite *db, tby_db_progress progress, void *context)
{
    index_builder b;
    tby_game_id done = 0, last = 1;
    bool is_good = true;
    index_builder_begin(&b, db);
    while (is_good && done < last) {
        is_good = lite_begin(db) && lite_finish(db, build_block(&b, &done, &last));
        if (is_good && progress && !progress(context, last ? (double)done / (double)last : 1))
            break;
    }
    index_builder_end(&b);
    return is_good;
}

/* ---- Verifying ------------------------------------------------------------------------------------------ */

typedef struct verifier {
    lite *db;
    int64_t covered[N_INDEXES];
    stood_blocks blocks;
    game_set there;
    uint64_t of_games[N_INDEXES]; /* sums over the traits of games */
    tby_game_id next;             /* the first number not checked yet */
    void (*report)(void *context, tby_game_id id, const char *text);
    void *context;
} verifier;

static void report_stood(void *context, tby_game_id id)
{
    const verifier *v = context;
    v->report(v->context, id, "the index `stood` does not match the game");
}

static bool check_blocks(verifier *v, tby_game_id id, const game_traits *g)
{
    bool is_right = true;
    for (unsigned i = 0; i < STOOD_COLUMNS; i++) {
        const uint8_t *record = block_get(&v->blocks.columns[i], v->db, id);
        const uint64_t word = stood_word(id <= v->covered[INDEX_stood] ? g : NULL, i);
        if (!record)
            return false;
        for (size_t k = 0; k < stood_size(i); k++)
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
    for (unsigned i = 0; i < N_INDEXES; i++)
        for (size_t k = 0; game->id <= v->covered[i] && k < game->traits->lists[i].n; k++)
            v->of_games[i] += lists_hash(game->traits->lists[i].keys[k], game->id);
    return v->covered[INDEX_stood] < 0 || check_blocks(v, game->id, game->traits);
}

static bool visit_to_check(void *context, const replayed_game *game)
{
    verifier *v = context;
    const int64_t covered = v->covered[INDEX_stood];
    const tby_game_id before = game->id <= covered ? game->id - 1 : covered;
    if (!blocks_absent(v->blocks.columns, STOOD_COLUMNS, v->db, v->next, before, report_stood, v) ||
        !check_game(v, game))
        return false;
    v->next = game->id + 1;
    return true;
}

static bool check_rows(verifier *v, index_place list)
{
    bool is_whole = true;
    char text[80];
    uint64_t of_rows;
    const bool is_good = lists_sum(v->db, index_table(list), &v->there, 1, &of_rows, &is_whole);
    if (is_good && (!is_whole || of_rows != v->of_games[list])) {
        sqlite3_snprintf(sizeof text, text, "the index of %s %s", db_indexes[list]->name,
                         is_whole ? "does not match the games" : "is damaged");
        v->report(v->context, 0, text);
    }
    return is_good;
}

bool indexes_verify(lite *db, void (*report)(void *context, tby_game_id id, const char *text), void *context)
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
    stood_begin(&v.blocks);
    bool is_good = game_set_init(&v.there, last) || lite_fail_memory(db);
    is_good = is_good && lite_replay(&all) && (!v.there.has_failed || lite_fail_memory(db));
    for (unsigned i = 0; i < N_INDEXES && is_good; i++)
        is_good = v.covered[i] < 0 || db_indexes[i]->storage != STORED_AS_LISTS || check_rows(&v, (index_place)i);
    stood_end(&v.blocks);
    game_set_free(&v.there);
    return is_good;
}
