/*
 * perft.c - counts move sequences, to test and time the generator.
 *
 * Every move is played on a copy as soon as the generator finds it, so there is no list of moves and nothing to take
 * back. The moves of the last ply are only counted.
 */
#include "base/variant.h"
#include "rules/movegen.h"

typedef uint64_t counter(const tby_position *pos, unsigned depth);

/* Passes each move of a position to `next`, which counts the sequences after it. */
typedef struct walk {
    const tby_position *pos;
    tby_color us;
    unsigned depth;
    counter *next;
    uint64_t nodes;
} walk;

TBY_INLINE void walk_on(void *taker, tby_move m, tby_kind kind)
{
    walk *w = taker;
    tby_position played = *w->pos;
    position_play_as(&played, m, w->us, TBY_PIECE(w->us, kind), true);
    /* Keeps only the fields that affect moves, so that the compiler omits the others: the key and the clock. */
    const tby_position child = {.board = played.board, .castling = played.castling, .en_passant = played.en_passant};
    w->nodes += w->next(&child, w->depth - 1);
}

TBY_INLINE uint64_t perft(const tby_position *pos, unsigned depth, tby_color us, counter *next)
{
    walk w = {pos, us, depth, next, 0};
    generate_each(pos, us, walk_on, &w);
    return w.nodes;
}

static uint64_t count_white(const tby_position *pos, unsigned depth)
{
    TBY_CONTRACT(depth == 1);
    return generate_count(pos, TBY_WHITE, COUNT_MOVES);
}

static uint64_t count_black(const tby_position *pos, unsigned depth)
{
    TBY_CONTRACT(depth == 1);
    return generate_count(pos, TBY_BLACK, COUNT_MOVES);
}

static uint64_t perft_black(const tby_position *pos, unsigned depth);

static uint64_t perft_white(const tby_position *pos, unsigned depth)
{
    return perft(pos, depth, TBY_WHITE, depth == 2 ? count_black : perft_black);
}

static uint64_t perft_black(const tby_position *pos, unsigned depth)
{
    return perft(pos, depth, TBY_BLACK, depth == 2 ? count_white : perft_white);
}

TBY_KERNEL(uint64_t, tby_perft, (const tby_position *pos, unsigned depth), (pos, depth))
{
    if (depth == 0)
        return 1;
    if (depth == 1)
        return tby_moves_count(pos);
    return position_side(pos) == TBY_WHITE ? perft_white(pos, depth) : perft_black(pos, depth);
}
