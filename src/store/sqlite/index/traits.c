/*
 * traits.c - replays a game for all indexes at once.
 */
#include "store/sqlite/index/index.h"

void traits_add(game_traits *g, index_place index, uint32_t key)
{
    game_keys *list = &g->lists[index];
    for (size_t i = 0; i < list->n; i++)
        if (list->keys[i] == key)
            return;
    if (list->n < KEYS_MAX)
        list->keys[list->n++] = key;
}

void traits_begin_game(game_traits *g, const tby_position *start, tby_text eco)
{
    memset(g->stood, 0, sizeof g->stood);
    memset(g->now, 0, sizeof g->now);
    g->marks = 0;
    g->side = tby_position_side(start);
    g->eco = eco;
    for (unsigned i = 0; i < N_INDEXES; i++) {
        g->lists[i].n = 0;
        if (db_indexes[i]->begin)
            db_indexes[i]->begin(g, start);
    }
}

void traits_play(game_traits *g, const packed_plies *plies, size_t n, const tby_board *after_last)
{
    const played_plies p = {plies, n, plies->moves[n - 1] == TBY_MOVE_NONE ? n - 1 : n, after_last};
    for (unsigned i = 0; i < N_INDEXES; i++)
        if (db_indexes[i]->play)
            db_indexes[i]->play(g, &p);
    if (n % 2)
        g->side = color_other(g->side);
}

void traits_end_game(game_traits *g, const tby_position *end)
{
    for (unsigned i = 0; i < N_INDEXES; i++)
        if (db_indexes[i]->end)
            db_indexes[i]->end(g, end);
}
