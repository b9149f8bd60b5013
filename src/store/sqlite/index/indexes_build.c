/*
 * indexes_build.c - fills the indexes, and verifies them.
 *
 * Lists are filled one block at a time.
 */
#include "base/contract.h"
#include "row/same.h"
#include "store/sqlite/index/replay.h"
#include "store/sqlite/verify.h"

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

typedef struct index_check {
    lite *db;
    verifier *v;
    int64_t covered[N_INDEXES];
    bool are_current[N_INDEXES]; /* the texts of lists; without them, any key is possible */
    stood_blocks blocks;
    game_set there;
    uint64_t of_games[N_INDEXES]; /* sums over the traits of games */
    tby_game_id next;             /* the first number not checked yet */
} index_check;

static void report_stood(void *context, tby_game_id id)
{
    verify_text(context, id, "the index `stood` does not match the game");
}

static bool check_blocks(index_check *c, tby_game_id id, const game_traits *g)
{
    bool is_right = true;
    for (unsigned i = 0; i < STOOD_COLUMNS; i++) {
        const uint8_t *record = block_get(&c->blocks.columns[i], c->db, id);
        const uint64_t word = stood_word(id <= c->covered[INDEX_stood] ? g : NULL, i);
        if (!record)
            return false;
        for (size_t k = 0; k < stood_size(i); k++)
            is_right &= record[k] == (uint8_t)(word >> 8 * k);
    }
    if (!is_right)
        report_stood(c->v, id);
    return true;
}

/* A damaged game has been reported already. */
static bool check_game(index_check *c, const replayed_game *game)
{
    if (!game->is_sound)
        return true;
    game_set_put(&c->there, game->id);
    for (unsigned i = 0; i < N_INDEXES; i++)
        for (size_t k = 0; game->id <= c->covered[i] && k < game->traits->lists[i].n; k++)
            c->of_games[i] += lists_hash(c->are_current[i] ? game->traits->lists[i].keys[k] : 0, game->id);
    return c->covered[INDEX_stood] < 0 || check_blocks(c, game->id, game->traits);
}

static bool visit_to_check(void *context, const replayed_game *game)
{
    index_check *c = context;
    const int64_t covered = c->covered[INDEX_stood];
    const tby_game_id before = game->id <= covered ? game->id - 1 : covered;
    if (!blocks_absent(c->blocks.columns, STOOD_COLUMNS, c->db, c->next, before, report_stood, c->v) ||
        !check_game(c, game))
        return false;
    c->next = game->id + 1;
    return true;
}

static bool check_rows(index_check *c, index_place list)
{
    bool is_whole = true;
    uint64_t of_rows;
    const lists_check check = {&c->there, &c->covered[list], 1, !c->are_current[list]};
    const char *name = db_indexes[list]->name;
    if (!lists_sum(c->db, index_table(list), &check, &of_rows, &is_whole))
        return false;
    if (!is_whole || of_rows != c->of_games[list])
        verify_fault(c->v, 0, "the index of %s %s", name, is_whole ? "does not match the games" : "is damaged");
    else if (!c->are_current[list])
        verify_warning(
            c->v, 0, "the names in the index of openings are those of another version; the next import replaces them");
    return true;
}

static bool begin_check(index_check *c, bool *has_any)
{
    bool is_good = true;
    *has_any = false;
    for (unsigned i = 0; i < N_INDEXES && is_good; i++) {
        c->covered[i] = -1;
        is_good = db_indexes[i]->storage == STORED_BY_SQLITE ||
                  index_stored(c->db, (index_place)i, &c->covered[i], &c->are_current[i]);
        *has_any |= c->covered[i] >= 0;
    }
    if (is_good || c->db->base.failure.status != TBY_INVALID_DATABASE)
        return is_good;
    verify_text(c->v, 0, lite_error(c->db));
    *has_any = false;
    return true;
}

bool indexes_verify(lite *db, verifier *v)
{
    bool has_any;
    index_check c = {.db = db, .v = v, .next = 1};
    if (!begin_check(&c, &has_any))
        return false;
    if (!has_any)
        return true;
    const replay all = {
        .db = db, .first = 1, .last = UINT32_MAX, .traits_after = 0, .visit = visit_to_check, .context = &c};
    stood_begin(&c.blocks);
    bool is_good = game_set_init(&c.there, v->last_id) || lite_fail_memory(db);
    is_good = is_good && lite_replay(&all) && (!c.there.has_failed || lite_fail_memory(db));
    for (unsigned i = 0; i < N_INDEXES && is_good; i++)
        is_good = c.covered[i] < 0 || db_indexes[i]->storage != STORED_AS_LISTS || check_rows(&c, (index_place)i);
    stood_end(&c.blocks);
    game_set_free(&c.there);
    return is_good;
}
