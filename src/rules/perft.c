/*
 * perft.c - counts move sequences, to test and time the generator.
 *
 * The moves of the last ply are only counted, and nearly all of the time is spent there and on the ply before it. So
 * these two plies are one step: first every move is played on a copy, then the replies to all of them are counted in one
 * loop, in which the king of the replying side is always on the same square.
 */
#include "base/variant.h"
#include "rules/movegen.h"

/* Collects the positions after each move of `pos`; the next one is written to `end`. */
typedef struct children {
    const tby_position *pos;
    tby_color us;
    tby_position *end;
} children;

TBY_INLINE void add_child(void *taker, tby_move m, tby_kind kind)
{
    children *c = taker;
    tby_position played = *c->pos;
    position_play_as(&played, m, c->us, TBY_PIECE(c->us, kind), true);
    /* Only the fields that affect moves, so that the compiler omits the others: the key, the ply and the clock. */
    c->end->board = played.board;
    c->end->castling = played.castling;
    c->end->en_passant = played.en_passant;
    c->end++;
}

/* The number of sequences of two moves. */
TBY_INLINE uint64_t count_pairs(const tby_position *pos, tby_color us)
{
    const tby_color them = color_other(us);
    const prospect known = prospect_of(pos, them);
    tby_position list[TBY_MOVES_MAX];
    children c = {pos, us, list};
    uint64_t nodes = 0;
    generate_each(pos, us, add_child, &c);
    for (const tby_position *child = list; child < c.end; child++)
        nodes += generate_count(child, them, COUNT_MOVES, &known);
    return nodes;
}

static uint64_t count_pairs_white(const tby_position *pos) { return count_pairs(pos, TBY_WHITE); }
static uint64_t count_pairs_black(const tby_position *pos) { return count_pairs(pos, TBY_BLACK); }

static uint64_t perft(const tby_position *pos, unsigned depth)
{
    const tby_color us = position_side(pos);
    if (depth == 2)
        return us == TBY_WHITE ? count_pairs_white(pos) : count_pairs_black(pos);
    tby_move moves[TBY_MOVES_MAX];
    const size_t n = tby_moves_list(moves, pos);
    uint64_t nodes = 0;
    for (size_t i = 0; i < n; i++) {
        tby_position child = *pos;
        position_play(&child, moves[i], us);
        nodes += perft(&child, depth - 1);
    }
    return nodes;
}

TBY_KERNEL(uint64_t, tby_perft, (const tby_position *pos, unsigned depth), (pos, depth))
{
    if (depth == 0)
        return 1;
    return depth == 1 ? tby_moves_count(pos) : perft(pos, depth);
}
