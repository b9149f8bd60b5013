/*
 * run_ply.c - facts about the ply, the rules, and repetition.
 */
#include "query/run.h"

enum { WORD = 64 };

/* The plies of word `w` from `low` to `high`, counted from 0. */
static ply_bits bits_between(size_t w, int64_t low, int64_t high)
{
    const int64_t first = (int64_t)w * WORD, last = first + WORD - 1;
    if (high < first || low > last)
        return 0;
    const unsigned begin = low > first ? (unsigned)(low - first) : 0,
                   end = high < last ? (unsigned)(high - first) : WORD - 1;
    return (~0ULL << begin) & (~0ULL >> (WORD - 1 - end));
}

static ply_bits run_moveno(const tby_query_state *s, const query_node *node, size_t w, ply_bits asked)
{
    ply_bits bits = 0;
    for (; asked; asked &= asked - 1) {
        const unsigned i = (unsigned)__builtin_ctzll(asked);
        const int64_t number = ((int64_t)s->first_ply + (int64_t)(w * WORD + i)) / 2 + 1;
        bits |= (ply_bits)(number >= node->u.range.low && number <= node->u.range.high) << i;
    }
    return bits;
}

static ply_bits run_mate(const tby_query_state *s, const query_node *node, size_t w, ply_bits asked)
{
    ply_bits bits = 0;
    for (; asked; asked &= asked - 1) {
        const unsigned i = (unsigned)__builtin_ctzll(asked);
        if (!state_may_be_over(s, w * WORD + i))
            continue;
        const tby_position pos = state_position(s, w * WORD + i);
        bits |= (ply_bits)(node->type == Q_MATE ? tby_position_is_checkmate(&pos) : tby_position_is_stalemate(&pos))
                << i;
    }
    return bits;
}

/* ---- Repetition ----------------------------------------------------------------------------------------- */

/* How often each position has stood, behind the keys; places in a table of keys are between them. */
static bool count_keys(tby_query_state *s)
{
    const size_t n = s->n_positions;
    size_t size = 16;
    while (size < 2 * n)
        size *= 2;
    s->keys.n = 0;
    uint64_t *keys = tby_query_room(&s->allocator, &s->keys, 2 * n + size, sizeof *keys);
    if (!keys)
        return state_fail(s, TBY_QUERY_NO_MEMORY);
    uint64_t *counts = keys + n, *table = counts + n;
    tby_packed_position_keys(keys, n, s->game->moves, s->game->n_moves);
    memset(table, 0, size * sizeof *table);
    for (size_t i = 0; i < n; i++) {
        uint64_t place = keys[i] * 0x9e3779b97f4a7c15ULL >> 20;
        while (table[place % size] && keys[table[place % size] - 1] != keys[i])
            place++;
        counts[i] = table[place % size] ? counts[table[place % size] - 1] + 1 : 1;
        table[place % size] = i + 1;
    }
    s->has_keys = true;
    return true;
}

static ply_bits run_repeats(tby_query_state *s, const query_node *node, size_t w, ply_bits asked)
{
    ply_bits bits = 0;
    if (!s->has_keys && !count_keys(s))
        return 0;
    const uint64_t *counts = (const uint64_t *)s->keys.items + s->n_positions;
    for (; asked; asked &= asked - 1) {
        const unsigned i = (unsigned)__builtin_ctzll(asked);
        bits |= (ply_bits)((int64_t)counts[w * WORD + i] >= node->number) << i;
    }
    return bits;
}

ply_bits tby_run_ply(tby_query_state *s, const query_node *node, size_t w, ply_bits asked)
{
    const int64_t last = (int64_t)s->n_positions - 1;
    switch (node->type) {
    case Q_SIDE: return state_plies_of(s, node->number) & asked;
    case Q_INITIAL: return bits_between(w, 0, 0) & asked;
    case Q_TERMINAL: return bits_between(w, last, last) & asked;
    case Q_PLY: return bits_between(w, node->u.range.low, node->u.range.high) & asked;
    case Q_MOVENO: return run_moveno(s, node, w, asked);
    case Q_MATE:
    case Q_STALEMATE: return run_mate(s, node, w, asked);
    default: return run_repeats(s, node, w, asked);
    }
}
