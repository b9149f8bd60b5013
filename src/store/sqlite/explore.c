/*
 * explore.c - what was played in a position.
 *
 * It is counted from the games themselves: there is no table of statistics that could fall behind.
 */
#include "store/sqlite/blocks.h"
#include "store/sqlite/game_set.h"
#include "store/sqlite/scan.h"

#include <stdlib.h>
#include <string.h>

typedef struct explorer {
    lite *db;
    const tby_position *pos;
    tby_db_moves *out;
    tby_move legal[TBY_MOVES_MAX];
    size_t n_legal;
    tby_target targets[TBY_MOVES_MAX + 1]; /* the position, and what each legal move leads to */
    uint16_t places[4096];                 /* of a legal move with these squares; the first of promotions */
    block facts;
    game_set among; /* the games that count; without words: all of them */
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
}

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
    if (i == e->n_legal) {
        e->out->ended++;
        return;
    }
    tby_db_move *m = &e->out->moves[i];
    m->games++;
    m->results[f->result]++;
    m->n_elo += f->elo[us] != 0;
    m->elo_sum += (uint64_t)f->elo[us];
    m->last_date = f->date > m->last_date ? f->date : m->last_date;
}

static bool add_game(void *context, const tby_db_hit *h)
{
    game_set_put(context, h->id);
    return true;
}

/* The games of the search, if there is one. */
static bool set_games(explorer *e, const tby_db_search *among)
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
    return lite_find(e->db, &all, add_game, &e->among) && !e->db->base.error[0];
}

static bool count_hit(void *context, const hit *h)
{
    explorer *e = context;
    if (e->among.words && !game_set_has(&e->among, h->id))
        return true;
    if (h->target > 0) {
        e->out->moves[h->target - 1].reached++;
        return true;
    }
    const uint8_t *record = tby_block_get(&e->facts, e->db, h->id);
    if (!record)
        return false;
    const fact f = fact_read(record);
    count_game(e, &f, h->next);
    return true;
}

static void count_nodes(void *context, size_t target, uint32_t n_games)
{
    ((explorer *)context)->out->moves[target - 1].reached += n_games;
}

static int compare_moves(const void *a, const void *b)
{
    const tby_db_move *x = a, *y = b;
    if (x->games != y->games)
        return x->games > y->games ? -1 : 1;
    if (x->reached != y->reached)
        return x->reached > y->reached ? -1 : 1;
    return 0;
}

/* Drops what was never played or reached, and puts the most played first. The sort is stable: insertion. */
static void order_moves(tby_db_moves *out, size_t n_legal)
{
    out->n_moves = 0;
    for (size_t i = 0; i < n_legal; i++) {
        const tby_db_move m = out->moves[i];
        size_t k = out->n_moves;
        if (m.games == 0 && m.reached == 0)
            continue;
        for (; k > 0 && compare_moves(&m, &out->moves[k - 1]) < 0; k--)
            out->moves[k] = out->moves[k - 1];
        out->moves[k] = m;
        out->n_moves++;
    }
}

bool lite_explore(lite *db, const tby_position *pos, const tby_db_search *among, tby_db_moves *out)
{
    explorer *e = calloc(1, sizeof *e);
    memset(out, 0, sizeof *out);
    if (!e || !tby_block_begin(&e->facts, FACT_SIZE, SQL_FACTS_GET, SQL_FACTS_PUT)) {
        free(e);
        return lite_fail_memory(db);
    }
    e->db = db;
    e->pos = pos;
    e->out = out;
    set_targets(e);
    bool is_good = set_games(e, among);
    const scan_options options = {.targets = e->targets,
                                  .n_targets = e->n_legal + 1,
                                  .max_ply = TBY_PLIES_MAX,
                                  .n_threads = among ? among->n_threads : 0,
                                  .ignores_index = among && among->ignores_index,
                                  .count = e->among.words ? NULL : count_nodes,
                                  .first_counted = 1};
    is_good = is_good && tby_scan(db, &options, count_hit, e);
    order_moves(out, e->n_legal);
    tby_block_end(&e->facts);
    game_set_free(&e->among);
    free(e);
    return is_good;
}
