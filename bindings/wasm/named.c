/*
 * named.c - the opening of a board, and of a place in a game.
 */
#include "openings.h"

static bool answer_opening(const opening *found, unsigned ply)
{
    if (!found)
        return false;
    answer_begin("{'eco':%.*s,'name':%.*s,'ply':%u}", found->n_eco, found->eco, found->n_name, found->name, ply);
    return true;
}

/* {"eco","name","ply"} of the board itself; false if it has no name. */
bool EXPORT(board_opening)(const tby_setup *board)
{
    tby_position pos;
    return board_position(&pos, board) && answer_opening(openings_find(&pos), 0);
}

/* The last named position on the path to a node. */
bool EXPORT(game_opening)(const tby_game *game, tby_node node)
{
    const opening *last = NULL;
    unsigned ply = 0;
    tby_position pos = *tby_game_start(game);
    line l = line_through(game, game_node(game, node));
    for (size_t i = 0; i <= l.n_path; i++) {
        const opening *found = openings_find(&pos);
        last = found ? found : last;
        ply = found ? (unsigned)i : ply;
        if (i == l.n_path)
            break;
        tby_line_play(&pos, tby_game_move(game, l.nodes[i]));
    }
    line_free(&l);
    return answer_opening(last, ply);
}
