/*
 * next_moves.c - counts the moves that packed games play in a position.
 */
#include "base/bitboard.h"
#include "codec/packed.h"
#include "position/board.h"
#include "value/target.h"

#include <string.h>

size_t tby_next_moves_list(tby_next_move out[TBY_NEXT_MOVES_MAX], const tby_position *pos)
{
    tby_move moves[TBY_MOVES_MAX];
    const size_t n = tby_moves_list(moves, pos);
    tby_moves_sort(moves, n);
    memset(out, 0, (n + 1) * sizeof *out);
    for (size_t i = 0; i < n; i++) {
        tby_position after = *pos;
        tby_position_play(&after, moves[i], NULL);
        out[i].move = moves[i];
        out[i].placement = after.placement_key;
        out[i].key = tby_position_key(&after);
    }
    out[n].move = TBY_MOVE_NULL;
    out[n].placement = pos->placement_key;
    return n + 1;
}

static void count_edge(tby_next_move *moves, size_t n_moves, tby_move m, tby_result result)
{
    for (size_t i = 0; i < n_moves; i++)
        if (moves[i].move == m) {
            moves[i].games++;
            moves[i].reached += m == TBY_MOVE_NULL;
            moves[i].results[result]++;
        }
}

static void count_node(tby_next_move *moves, size_t n_moves, const tby_position *pos, bool *is_counted)
{
    for (size_t i = 0; i < n_moves; i++)
        if (moves[i].placement == pos->placement_key && !is_counted[i] && moves[i].move != TBY_MOVE_NULL &&
            moves[i].key == tby_position_key(pos)) {
            moves[i].reached++;
            is_counted[i] = true;
        }
}

void tby_next_moves_count(tby_next_move *moves, size_t n_moves, const tby_position *pos, const uint8_t *bytes, size_t n)
{
    key_filter filter = {{0}};
    bool is_counted[TBY_NEXT_MOVES_MAX], is_here = false, has_come = false;
    const unsigned fewest = bb_count(board_occupied(&pos->board)) - 1; /* a move captures at most one piece */
    tby_packed cursor;
    tby_move m = TBY_MOVE_NONE;
    if (!tby_packed_begin(&cursor, bytes, n))
        return;
    memset(is_counted, 0, n_moves * sizeof *is_counted);
    for (size_t i = 0; i < n_moves; i++)
        key_filter_add(&filter, moves[i].placement);
    do {
        const uint64_t placement = cursor.pos.placement_key;
        if (is_here)
            count_edge(moves, n_moves, m, tby_packed_result(bytes, n));
        is_here = !has_come && placement == pos->placement_key && tby_position_same(&cursor.pos, pos);
        has_come |= is_here;
        if (key_filter_may_have(&filter, placement))
            count_node(moves, n_moves, &cursor.pos, is_counted);
    } while ((m = tby_packed_next(&cursor)) != TBY_MOVE_NONE && bb_count(board_occupied(&cursor.pos.board)) >= fewest);
}

void tby_next_moves_combine(tby_next_move *moves, const tby_next_move *others, size_t n_moves)
{
    for (size_t i = 0; i < n_moves; i++) {
        moves[i].games += others[i].games;
        moves[i].reached += others[i].reached;
        for (int k = 0; k < 4; k++)
            moves[i].results[k] += others[i].results[k];
    }
}
