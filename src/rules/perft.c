/*
 * perft.c - counts move sequences: the test and the yardstick of the generator.
 *
 * Copies the position for every move and counts, rather than plays, the last ply.
 */
#include "base/variant.h"
#include "rules/movegen.h"

static uint64_t perft_black(const tby_position *pos, unsigned depth);

TBY_INLINE uint64_t perft(const tby_position *pos, unsigned depth, tby_color us,
                          uint64_t (*next)(const tby_position *, unsigned))
{
    tby_move moves[TBY_MOVES_MAX];
    const tby_move *end = moves + generate(moves, pos, us, LIST_MOVES);
    uint64_t nodes = 0;
    for (const tby_move *m = moves; m < end; m++) {
        tby_position child = *pos;
        position_play_as(&child, *m, us, board_piece(&child.board, *m & 63), true);
        nodes += depth == 2 ? generate(NULL, &child, color_other(us), COUNT_MOVES) : next(&child, depth - 1);
    }
    return nodes;
}

static uint64_t perft_white(const tby_position *pos, unsigned depth)
{
    return depth == 2 ? perft(pos, 2, TBY_WHITE, NULL) : perft(pos, depth, TBY_WHITE, perft_black);
}

static uint64_t perft_black(const tby_position *pos, unsigned depth)
{
    return depth == 2 ? perft(pos, 2, TBY_BLACK, NULL) : perft(pos, depth, TBY_BLACK, perft_white);
}

TBY_KERNEL(uint64_t, tby_perft, (const tby_position *pos, unsigned depth), (pos, depth))
{
    if (depth == 0)
        return 1;
    if (depth == 1)
        return tby_moves_count(pos);
    return position_side(pos) == TBY_WHITE ? perft_white(pos, depth) : perft_black(pos, depth);
}
