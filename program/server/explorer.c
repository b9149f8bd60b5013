/*
 * explorer.c - /lichess, /masters and /player: answers from the database in the form of the public opening explorer, so
 * that programs written for that only need another host.
 *
 * The index of positions and the facts of the games tell all that is counted. The row of a game is read only where a
 * player is asked for, and for the few games that are shown; and once for its mode, and for its speed where the facts
 * do not tell; both are remembered.
 */
#include "explorer.h"
#include "buffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Counting --------------------------------------------------------------------------------------------------- */

/* Keeps the best. */
static void list_add(list *l, listed new)
{
    size_t at = l->n < l->most ? l->n++ : l->n;
    while (at > 0 && (l->entries[at - 1].rank < new.rank ||
                      (l->entries[at - 1].rank == new.rank && l->entries[at - 1].id < new.id))) {
        if (at < l->most)
            l->entries[at] = l->entries[at - 1];
        at--;
    }
    if (at < l->most)
        l->entries[at] = new;
}

/* NULL at the end of a game. What an index says is checked before it is played. */
static counted *counted_of(tally *t, tby_move m)
{
    for (size_t i = 0; i < t->n_moves; i++)
        if (t->moves[i].move == m)
            return &t->moves[i];
    if (m == TBY_MOVE_NONE || t->n_moves > TBY_MOVES_MAX ||
        (m != TBY_MOVE_NULL && !tby_move_is_legal(&t->wish->pos, m)))
        return NULL;
    t->moves[t->n_moves] = (counted){.move = m};
    return &t->moves[t->n_moves++];
}

static void count(tally *t, const tby_db_passing *game)
{
    const tby_color side = tby_position_side(&t->wish->pos);
    const tby_db_facts *f = &game->facts;
    counted *c = counted_of(t, game->next);
    const tby_move next = c ? c->move : TBY_MOVE_NONE;
    t->results[f->result]++;
    list_add(&t->top, (listed){game->id, next, mean_rating(f->elo)});
    list_add(&t->recent, (listed){game->id, next, f->date});
    if (t->months && f->date)
        t->months[f->date / 10000 % 10000 * 13 + f->date / 100 % 100 % 13][f->result]++;
    if (!c)
        return;
    c->results[f->result]++;
    c->last = game->id > c->last ? game->id : c->last;
    c->n_elo += f->elo[side] > 0;
    c->elo_sum += (uint64_t)f->elo[side];
    const int opponent = f->elo[t->wish->color == TBY_WHITE ? TBY_BLACK : TBY_WHITE];
    c->n_opponents += opponent > 0;
    c->opponent_sum += (uint64_t)opponent;
}

/* ---- Which games fit -------------------------------------------------------------------------------------------- */

/* What was learnt of a game is one byte, for the next who asks: speed, rated or not, and that it is known. */
enum { MANNERS_MAX = 1 << 26, MANNER_RATED = 8, MANNER_KNOWN = 16 };

/* Where to remember it; NULL if there is no room. */
static uint8_t *place_of(games *g, tby_game_id id)
{
    if (id >= MANNERS_MAX)
        return NULL;
    if ((size_t)id >= g->n_manners) {
        const size_t n = g->n_manners;
        if (!array_reserve(&g->manners, &g->n_manners, (size_t)id + 1, 1))
            return NULL;
        memset(g->manners + n, 0, g->n_manners - n);
    }
    return &g->manners[id];
}

static bool learn_manner(tally *t, tby_game_id id, manner *out)
{
    tby_row row;
    uint8_t *place = place_of(t->games, id);
    if (place && *place & MANNER_KNOWN) {
        *out = (manner){*place & 7, *place & MANNER_RATED};
        return true;
    }
    t->has_failed = tby_db_row(t->games->db, id, &row) != TBY_OK;
    if (t->has_failed)
        return false;
    *out = manner_of(&t->control, &row);
    if (place && !t->control.has_failed)
        *place = (uint8_t)(out->speed | (out->is_rated ? MANNER_RATED : 0) | MANNER_KNOWN);
    return !t->control.has_failed;
}

/* Does it fit, as far as its facts do not tell? False also on failure. */
static bool fits_further(tally *t, tby_game_id id, const tby_db_facts *facts)
{
    tby_row row;
    manner m;
    if (t->wish->player) {
        t->has_failed = tby_db_row(t->games->db, id, &row) != TBY_OK;
        if (t->has_failed || !wish_fits_player(t->wish, &row))
            return false;
    }
    return !wish_needs_manner(t->wish, facts) || (learn_manner(t, id, &m) && wish_fits_manner(t->wish, m));
}

static bool look_at(void *context, const tby_db_passing *game)
{
    enum { BETWEEN_LOOKS = 256 }; /* games between looks at the clock */
    tally *t = context;
    if (t->n_seen++ % BETWEEN_LOOKS == 0 && games_are_late(t->games))
        return false;
    if (wish_fits(t->wish, &game->facts) && fits_further(t, game->id, &game->facts))
        count(t, game);
    return !t->has_failed && !t->control.has_failed;
}

/* ---- Answering -------------------------------------------------------------------------------------------------- */

/* The games of the player, in the colour; NULL for a wish without one, and without memory. */
static tby_query *query_of(const wish *w)
{
    tby_query_text facts = {.n = 0};
    if (!w->player)
        return NULL;
    tby_query_text_add(&facts, w->color == TBY_WHITE ? "white" : "black", w->player, strlen(w->player));
    tby_query *query = facts.has_no_memory ? NULL : tby_query_new(facts.s, facts.n, NULL, NULL, NULL);
    tby_query_text_free(&facts);
    return query;
}

static bool count_games(tally *t, const question *q)
{
    games *g = t->games;
    tby_query *query = query_of(t->wish);
    const tby_db_search among = {.query = query, .n_threads = 1};
    if (t->wish->player && !query)
        return problem_no_memory(q->problem);
    const tby_status status = tby_db_explore_games(g->db, &t->wish->pos, &among, look_at, t);
    tby_query_free(query);
    if (t->control.has_failed)
        return problem_no_memory(q->problem);
    return (status == TBY_OK && !t->has_failed && !g->is_late) ||
           games_fail(g, q, status != TBY_OK ? status : TBY_IO_ERROR);
}

static bool answer(games *g, const question *q, const wish *w)
{
    tally *t = malloc(sizeof *t);
    by_result *months = w->wants_months ? calloc(N_MONTHS, sizeof *months) : NULL;
    bool is_good = t && (months || !w->wants_months);
    if (is_good) {
        *t = (tally){
            .games = g,
            .wish = w,
            .months = months,
            .top = {.most = (size_t)w->n_top},
            .recent = {.most = (size_t)w->n_recent},
        };
        is_good = count_games(t, q) && (tally_write(t, &q->response->body) || games_fail(g, q, TBY_IO_ERROR));
        buffer_free(&t->control);
    } else {
        problem_no_memory(q->problem);
    }
    free(months);
    free(t);
    return is_good;
}

static bool explore_as(games *g, const question *q, explorer_kind kind)
{
    wish w;
    if (!wish_read(&w, kind, q) || !games_begin(g, q))
        return false;
    bool is_good = games_find_kept(g, q->request->target, &q->response->body);
    if (!is_good && (is_good = answer(g, q, &w)))
        games_keep(g, q->request->target, &q->response->body);
    games_end(g);
    if (is_good && kind == EXPLORER_PLAYER)
        response_header(q->response, "Content-Type", "application/x-ndjson");
    return is_good;
}

bool answer_lichess(games *g, const question *q) { return explore_as(g, q, EXPLORER_LICHESS); }
bool answer_masters(games *g, const question *q) { return explore_as(g, q, EXPLORER_MASTERS); }
bool answer_player(games *g, const question *q) { return explore_as(g, q, EXPLORER_PLAYER); }
