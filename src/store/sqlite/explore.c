/*
 * explore.c - what was played in a position.
 *
 * The index tells where a game comes by and what it plays there, the facts how it went and who played: no game's row is
 * read. For positions that many games reach a run of the index keeps the counts (common.h).
 */
#include "store/sqlite/common.h"
#include "store/sqlite/scan.h"
#include "store/tally.h"
#include "support/array.h"

#include <stdlib.h>
#include <string.h>

/* From so many on, threads are worth their start if nobody says how many there are to be. */
enum { MANY_GAMES = 1 << 17 };

typedef struct explorer {
    struct explorer *next; /* another thread's, which counts a part */
    lite *db;
    const tby_position *pos;
    tby_db_moves *out;
    tby_move legal[TBY_MOVES_MAX];
    size_t n_legal;
    tby_target targets[TBY_MOVES_MAX + 1]; /* the position, and what each legal move leads to */
    uint16_t places[4096];                 /* of a legal move with these squares; the first of promotions */
    block *facts;
    game_set among;   /* the games that count; without pages: all of them */
    tby_db_meet meet; /* called for each game, if they are not counted */
    void *context;
} explorer;

static void set_targets(explorer *e)
{
    e->n_legal = tby_moves_list(e->legal, e->pos);
    tby_moves_sort(e->legal, e->n_legal);
    tby_target_position(&e->targets[0], e->pos);
    for (size_t i = 0; i < e->n_legal; i++) {
        tby_position after = *e->pos;
        tby_position_play(&after, e->legal[i], NULL);
        tby_target_position(&e->targets[i + 1], &after);
        e->out->moves[i].move = e->legal[i];
        if (i == 0 || (e->legal[i] & 4095) != (e->legal[i - 1] & 4095))
            e->places[e->legal[i] & 4095] = (uint16_t)i;
    }
    e->out->moves[e->n_legal].move = TBY_MOVE_NULL;
}

/* Of the null move n_legal. */
static size_t index_of(const explorer *e, tby_move m)
{
    size_t i = e->places[m & 4095];
    while (i < e->n_legal && e->legal[i] != m)
        i++;
    return i;
}

static void count_game(explorer *e, const fact *f, tby_move next)
{
    const tby_color us = tby_position_side(e->pos);
    e->out->games++;
    e->out->results[f->result]++;
    const size_t i = index_of(e, next);
    if (i == e->n_legal && next != TBY_MOVE_NULL) {
        e->out->ended++;
        return;
    }
    tby_db_move *m = &e->out->moves[i];
    m->reached += next == TBY_MOVE_NULL;
    tally_game(TALLY_OF(m), f->result, f->elo[us], f->date);
}

static bool add_game(void *context, const tby_db_hit *h)
{
    game_set_put(context, h->id);
    return true;
}

/* The games of the search, if there is one; those not in `only` may be left out. */
static bool set_games(explorer *e, const tby_db_search *among, const game_set *only)
{
    tby_game_id last_id = 0;
    if (!among || (!among->query && !among->where))
        return true;
    tby_db_search all = *among;
    all.limit = all.offset = 0;
    e->db->base.error[0] = '\0';
    if (!lite_last_id(e->db, &last_id))
        return false;
    if (!game_set_init(&e->among, last_id < UINT32_MAX ? last_id : UINT32_MAX))
        return lite_fail_memory(e->db);
    return lite_find_among(e->db, &all, only, add_game, &e->among) && !e->db->base.error[0] &&
           (!e->among.has_failed || lite_fail_memory(e->db));
}

static bool count_hit(void *context, const hit *h)
{
    explorer *e = context;
    if (h->target > 0) {
        e->out->moves[h->target - 1].reached++;
        return true;
    }
    const uint8_t *record = block_get(e->facts, e->db, h->id);
    if (!record)
        return false;
    const fact f = fact_read(record);
    count_game(e, &f, h->next);
    return true;
}

static void add_results(uint64_t to[4], const uint32_t results[4])
{
    for (int i = 0; i < 4; i++)
        to[i] += results[i];
}

/* As count_game for each game. */
static void take_counts(void *context, const common_counts *counts)
{
    explorer *e = context;
    const tby_color us = tby_position_side(e->pos);
    e->out->games += counts->games;
    e->out->ended += counts->ended;
    add_results(e->out->results, counts->results);
    for (size_t i = 0; i < counts->n_moves; i++) {
        const common_move *from = &counts->moves[i];
        const size_t at = index_of(e, from->move);
        if (at == e->n_legal && from->move != TBY_MOVE_NULL) {
            e->out->ended += from->games;
            continue;
        }
        tby_db_move *m = &e->out->moves[at];
        m->reached += from->move == TBY_MOVE_NULL ? from->games : 0;
        const uint64_t results[4] = {from->results[0], from->results[1], from->results[2], from->results[3]};
        tally_add(TALLY_OF(m), results, from->n_elo[us], from->elo_sum[us], (int)from->last_date);
    }
}

static void count_nodes(void *context, size_t target, uint32_t n_games)
{
    ((explorer *)context)->out->moves[target - 1].reached += n_games;
}

/* ---- All ------------------------------------------------------------------------------------------------ */

static explorer *explorer_new(lite *db, const tby_position *pos)
{
    explorer *e = calloc(1, sizeof *e);
    if (!e || !(e->facts = facts_new())) {
        free(e);
        lite_fail_memory(db);
        return NULL;
    }
    e->db = db;
    e->pos = pos;
    return e;
}

static void explorer_free(explorer *e)
{
    facts_free(e->facts);
    game_set_free(&e->among);
    free(e);
}

/* What another thread counts with. */
static void *explorer_of(void *context, unsigned number)
{
    explorer *first = context;
    lite *db = lite_reader(first->db, number);
    explorer *e = db ? explorer_new(db, first->pos) : NULL;
    if (!e)
        return NULL;
    if (!(e->out = calloc(1, sizeof *e->out))) {
        explorer_free(e);
        return NULL;
    }
    set_targets(e);
    e->next = first->next;
    first->next = e;
    return e;
}

static void add_others(explorer *e)
{
    for (explorer *other; (other = e->next) != NULL;) {
        e->next = other->next;
        db_add_moves(e->out, e->n_legal + 1, other->out, e->n_legal + 1);
        free(other->out);
        explorer_free(other);
    }
}

static scan_options options_of(const explorer *e, const tby_db_search *among, size_t n_targets)
{
    return (scan_options){.targets = e->targets,
                          .n_targets = n_targets,
                          .max_ply = TBY_PLIES_MAX,
                          .n_threads = among ? among->n_threads : 0,
                          .among = e->among.pages ? &e->among : NULL,
                          .ignores_index = among && among->ignores_index};
}

bool lite_explore(lite *db, const tby_position *pos, const tby_db_search *among, tby_db_moves *out)
{
    explorer *e = explorer_new(db, pos);
    memset(out, 0, sizeof *out);
    if (!e)
        return false;
    e->out = out;
    set_targets(e);
    bool is_good = set_games(e, among, NULL);
    scan_options options = options_of(e, among, e->n_legal + 1);
    options.count = e->among.pages ? NULL : count_nodes;
    options.take = e->among.pages ? NULL : take_counts;
    options.first_counted = 1;
    if (e->among.pages && (options.n_threads > 1 || e->among.last > MANY_GAMES))
        options.context_of = explorer_of;
    is_good = is_good && scan_games(db, &options, count_hit, e);
    add_others(e);
    db_order_moves(out, e->n_legal + 1);
    explorer_free(e);
    return is_good;
}

/* ---- Games one by one ----------------------------------------------------------------------------------- */

static bool meet_hit(void *context, const hit *h)
{
    explorer *e = context;
    const uint8_t *record = block_get(e->facts, e->db, h->id);
    if (!record)
        return false;
    const tby_db_passing game = {h->id, h->ply, h->next, fact_read(record)};
    return e->meet(e->context, &game) || lite_fail(e->db, TBY_INTERRUPTED, "interrupted");
}

/* The games that come to a position, and a set of them. */
typedef struct hit_list {
    explorer *of;
    hit *hits;
    size_t n, cap;
    game_set games;
} hit_list;

static bool add_hit(void *context, const hit *h)
{
    hit_list *list = context;
    if (!array_reserve(&list->hits, &list->cap, list->n + 1, sizeof *list->hits, NULL))
        return lite_fail_memory(list->of->db);
    list->hits[list->n++] = *h;
    game_set_put(&list->games, h->id);
    return true;
}

/* A position is rare if no more than one game in this many reaches it. */
enum { RARE = 16 };

/* Of a rare position the games are listed first, and the search need only judge these: `*is_done`. */
static bool meet_rare(explorer *e, const tby_db_search *among, bool *is_done)
{
    hit_list list = {.of = e};
    scan_options options = options_of(e, among, 1);
    tby_game_id last_id = 0;
    bool is_good = lite_last_id(e->db, &last_id) &&
                   (game_set_init(&list.games, last_id < UINT32_MAX ? last_id : UINT32_MAX) || lite_fail_memory(e->db));
    options.n_wanted = last_id / RARE + 1;
    is_good = is_good && scan_games(e->db, &options, add_hit, &list) &&
              (!list.games.has_failed || lite_fail_memory(e->db));
    *is_done = is_good && (int64_t)list.n < options.n_wanted;
    is_good = is_good && (!*is_done || set_games(e, among, &list.games));
    for (size_t i = 0; is_good && *is_done && i < list.n; i++)
        if (game_set_has(&e->among, list.hits[i].id))
            is_good = meet_hit(e, &list.hits[i]);
    game_set_free(&list.games);
    free(list.hits);
    return is_good;
}

/* Of others, the games of the search are found first. */
static bool meet_all(explorer *e, const tby_db_search *among)
{
    if (!set_games(e, among, NULL))
        return false;
    const scan_options options = options_of(e, among, 1);
    return scan_games(e->db, &options, meet_hit, e);
}

bool lite_explore_games(lite *db, const tby_position *pos, const tby_db_search *among, tby_db_meet meet, void *context)
{
    explorer *e = explorer_new(db, pos);
    if (!e)
        return false;
    e->meet = meet;
    e->context = context;
    tby_target_position(&e->targets[0], pos);
    bool is_done = false;
    bool is_good = !among || !(among->query || among->where) || meet_rare(e, among, &is_done);
    is_good = is_good && (is_done || meet_all(e, among));
    explorer_free(e);
    return is_good;
}
