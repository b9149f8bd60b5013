/*
 * explore_add.c - adds up the moves played in several databases.
 */
#include "explore.h"

#include <stdlib.h>
#include <string.h>

static void add_results(uint64_t to[4], const uint64_t from[4])
{
    for (int i = 0; i < 4; i++)
        to[i] += from[i];
}

/* The counts that a tby_db_move and a tby_db_next share. */
#define ADD_COUNTS(to, from)                                                                                           \
    do {                                                                                                               \
        (to)->games += (from)->games;                                                                                  \
        add_results((to)->results, (from)->results);                                                                   \
        (to)->n_elo += (from)->n_elo;                                                                                  \
        (to)->elo_sum += (from)->elo_sum;                                                                              \
        (to)->last_date = (to)->last_date > (from)->last_date ? (to)->last_date : (from)->last_date;                   \
    } while (0)

static void add_move(tby_db_moves *to, size_t n, const tby_db_move *from)
{
    size_t i = 0;
    while (i < n && to->moves[i].move != from->move)
        i++;
    tby_db_move *m = &to->moves[i];
    if (i == n)
        *m = (tby_db_move){.move = from->move};
    to->n_unplayed += i == n;
    m->reached += from->reached;
    ADD_COUNTS(m, from);
}

/* In the library's order: the most played first, then the most reached, then by name. */
static bool comes_before(const tby_position *pos, const tby_db_move *x, const tby_db_move *y)
{
    char san[2][TBY_SAN_SIZE];
    if (x->games != y->games || x->reached != y->reached)
        return x->games != y->games ? x->games > y->games : x->reached > y->reached;
    tby_san_write(san[0], TBY_SAN_SIZE, pos, x->move);
    tby_san_write(san[1], TBY_SAN_SIZE, pos, y->move);
    return strcmp(san[0], san[1]) < 0;
}

void explore_add(tby_db_moves *to, const tby_db_moves *from, const tby_position *pos)
{
    to->games += from->games;
    to->ended += from->ended;
    add_results(to->results, from->results);
    for (size_t i = 0; i < from->n_moves + from->n_unplayed; i++)
        add_move(to, to->n_moves + to->n_unplayed, &from->moves[i]);
    const size_t n = to->n_moves + to->n_unplayed;
    for (size_t i = 1; i < n; i++) {
        const tby_db_move m = to->moves[i];
        size_t at = i;
        for (; at && comes_before(pos, &m, &to->moves[at - 1]); at--)
            to->moves[at] = to->moves[at - 1];
        to->moves[at] = m;
    }
    for (to->n_moves = 0; to->n_moves < n && to->moves[to->n_moves].games;)
        to->n_moves++;
    to->n_unplayed = n - to->n_moves;
}

static tby_db_next *next_of(tby_db_played *in, const tby_db_next *m)
{
    size_t i = 0;
    while (i < in->n_moves && (in->moves[i].side != m->side || strcmp(in->moves[i].san, m->san) != 0))
        i++;
    if (i == in->n_moves) {
        in->moves[in->n_moves] = (tby_db_next){.side = m->side};
        memcpy(in->moves[in->n_moves++].san, m->san, sizeof m->san);
    }
    return &in->moves[i];
}

/* In the library's order: the most played first, then White's, then alphabetically. */
static int by_games(const void *a, const void *b)
{
    const tby_db_next *x = a, *y = b;
    if (x->games != y->games)
        return x->games > y->games ? -1 : 1;
    return x->side != y->side ? (int)x->side - (int)y->side : strcmp(x->san, y->san);
}

bool explore_add_match(tby_db_played *to, const tby_db_played *from)
{
    tby_db_next *moves = realloc(to->moves, (to->n_moves + from->n_moves + 1) * sizeof *moves);
    if (!moves)
        return false;
    to->moves = moves;
    to->games += from->games;
    to->ended += from->ended;
    add_results(to->results, from->results);
    for (size_t i = 0; i < from->n_moves; i++) {
        const tby_db_next *m = &from->moves[i];
        tby_db_next *sum = next_of(to, m);
        ADD_COUNTS(sum, m);
    }
    qsort(to->moves, to->n_moves, sizeof *to->moves, by_games);
    return true;
}
