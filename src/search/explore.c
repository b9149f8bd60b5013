/*
 * explore.c - the moves played in a position: adds up the games that reach it, visited one by one or counted together.
 */
#include "base/contract.h"
#include "search/search.h"
#include "store/tally.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The legal moves, in the order of the tree; the null move comes after them. */
typedef struct legal_moves {
    tby_color side;
    size_t n;
    tby_move moves[TBY_MOVES_MAX];
    uint16_t places[4096]; /* index of the move with these squares; the first of promotions */
} legal_moves;

/* The counts of one thread, with an entry for each legal move and the null move. */
typedef struct explorer {
    struct explorer *next;
    const legal_moves *legal;
    tby_db_moves *out;
    explore_filter counts; /* does a game count? NULL: all do */
    void *counting;
} explorer;

static void list_moves(legal_moves *legal, const tby_position *pos)
{
    memset(legal, 0, sizeof *legal);
    legal->side = tby_position_side(pos);
    legal->n = tby_moves_list(legal->moves, pos);
    tby_moves_sort(legal->moves, legal->n);
    for (size_t i = legal->n; i-- > 0;)
        legal->places[legal->moves[i] & 4095] = (uint16_t)i;
}

static void explorer_begin(explorer *e, const legal_moves *legal, tby_db_moves *out)
{
    memset(out, 0, offsetof(tby_db_moves, moves) + (legal->n + 1) * sizeof *out->moves);
    for (size_t i = 0; i <= legal->n; i++) {
        out->moves[i].move = i < legal->n ? legal->moves[i] : TBY_MOVE_NULL;
        out->moves[i].side = legal->side;
    }
    e->legal = legal;
    e->out = out;
    e->next = NULL;
}

/* NULL for the end of a game, and for an illegal move: an index may be damaged. */
static tby_db_move *move_of(const explorer *e, tby_move m)
{
    const legal_moves *legal = e->legal;
    size_t i = legal->places[m & 4095];
    while (i < legal->n && legal->moves[i] != m)
        i++;
    return i < legal->n || m == TBY_MOVE_NULL ? &e->out->moves[i] : NULL;
}

static bool visit_game(void *context, const tby_db_reaching *game)
{
    explorer *e = context;
    const tby_db_facts *f = &game->facts;
    tby_db_move *m = move_of(e, game->next);
    if (e->counts && !e->counts(e->counting, game))
        return true;
    e->out->games++;
    e->out->results[f->result]++;
    if (m)
        tally_game(m, f->result, f->elo[e->legal->side], f->date);
    else
        e->out->ended++;
    return true;
}

static void add_move(tby_db_move *to, const tby_db_move *counted)
{
    to->reached += counted->reached;
    tally_add(to, counted->results, counted->n_elo, counted->elo_sum, counted->last_date);
}

static void add_games(void *context, const tby_db_move *counted)
{
    explorer *e = context;
    tby_db_move *m = move_of(e, counted->move);
    e->out->games += counted->games;
    for (int i = 0; i < 4; i++)
        e->out->results[i] += counted->results[i];
    if (m)
        add_move(m, counted);
    else
        e->out->ended += counted->games;
}

/* ---- Threads -------------------------------------------------------------------------------------------- */

static void *explorer_of(void *context, unsigned number)
{
    explorer *first = context, *e = malloc(sizeof *e);
    tby_db_moves *out = malloc(sizeof *out);
    (void)number;
    if (!e || !out) {
        free(e);
        free(out);
        return NULL;
    }
    *e = (explorer){.counts = first->counts, .counting = first->counting};
    explorer_begin(e, first->legal, out);
    e->next = first->next;
    return first->next = e;
}

/* Adds the counts of the other threads. */
static void add_others(explorer *e)
{
    for (explorer *other; (other = e->next) != NULL;) {
        const tby_db_moves *part = other->out;
        e->next = other->next;
        e->out->games += part->games;
        e->out->ended += part->ended;
        for (int i = 0; i < 4; i++)
            e->out->results[i] += part->results[i];
        for (size_t i = 0; i <= e->legal->n; i++)
            add_move(&e->out->moves[i], &part->moves[i]);
        free(other->out);
        free(other);
    }
}

/* ---- The order ------------------------------------------------------------------------------------------ */

/* Moves of equal rank stay in the order of the tree, or of their names. */
static bool is_before(const tby_db_move *x, const tby_db_move *y)
{
    return x->games != y->games ? x->games > y->games : x->reached > y->reached;
}

int tally_compare(const void *a, const void *b)
{
    const tby_db_move *x = a, *y = b;
    if (is_before(x, y) || is_before(y, x))
        return is_before(x, y) ? -1 : 1;
    const int order = x->side != y->side ? (int)x->side - (int)y->side : strcmp(x->san, y->san);
    return order ? order : (int)x->move - (int)y->move;
}

/* Drops moves that are neither played nor reached. Insertion sort keeps moves of equal rank in their order. */
static void order_moves(tby_db_moves *out, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const tby_db_move m = out->moves[i];
        size_t k = out->n_moves + out->n_unplayed;
        if (m.games == 0 && m.reached == 0)
            continue;
        for (; k > 0 && is_before(&m, &out->moves[k - 1]); k--)
            out->moves[k] = out->moves[k - 1];
        out->moves[k] = m;
        if (m.games)
            out->n_moves++;
        else
            out->n_unplayed++;
    }
}

static bool explore(explorer *e, tby_db *db, const tby_position *pos, const tby_db_search *among,
                    const reaching_visitor *visitor)
{
    legal_moves legal;
    tby_db_moves *out = e->out;
    list_moves(&legal, pos);
    explorer_begin(e, &legal, out);
    const bool is_good = search_reach(db, pos, among, visitor);
    add_others(e);
    out->moves[legal.n].reached = out->moves[legal.n].games;
    order_moves(out, legal.n + 1);
    return is_good;
}

bool search_explore(tby_db *db, const tby_position *pos, const tby_db_search *among, tby_db_moves *out)
{
    TBY_CONTRACT(pos != NULL);
    explorer e = {.out = out};
    return explore(
        &e, db, pos, among,
        &(reaching_visitor){.visit = visit_game, .add = add_games, .context = &e, .context_of = explorer_of});
}

bool search_explore_some(tby_db *db, const tby_position *pos, const tby_db_search *among, explore_filter counts,
                         void *context, tby_db_moves *out)
{
    TBY_CONTRACT(pos && counts);
    explorer e = {.out = out, .counts = counts, .counting = context};
    return explore(&e, db, pos, among, &(reaching_visitor){.visit = visit_game, .context = &e});
}
