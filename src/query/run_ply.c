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

PLY_FACT(run_side)
{
    (void)w;
    return state_plies_of(s, node->number) & asked;
}

PLY_FACT(run_terminal)
{
    const int64_t last = (int64_t)s->n_positions - 1;
    (void)node;
    return bits_between(w, last, last) & asked;
}

PLY_FACT(run_ply)
{
    (void)s;
    return bits_between(w, node->u.range.low, node->u.range.high) & asked;
}

static bool moveno_holds(tby_query_state *s, const query_node *node, size_t ply)
{
    const int64_t number = ((int64_t)s->first_ply + (int64_t)ply) / 2 + 1;
    return number >= node->u.range.low && number <= node->u.range.high;
}

PLY_FACT(run_moveno) { return each_ply(s, node, w, asked, moveno_holds); }

/* Mate if the fact's number is not 0, else stalemate. */
static bool end_holds(tby_query_state *s, const query_node *node, size_t ply)
{
    if (!state_may_be_over(s, ply))
        return false;
    const tby_position pos = state_position(s, ply);
    return node->number ? tby_position_is_checkmate(&pos) : tby_position_is_stalemate(&pos);
}

PLY_FACT(run_end) { return each_ply(s, node, w, asked, end_holds); }

static bool insufficient_holds(tby_query_state *s, const query_node *node, size_t ply)
{
    const tby_board board = state_board(s, ply);
    (void)node;
    return tby_material_is_draw(&board);
}

PLY_FACT(run_insufficient) { return each_ply(s, node, w, asked, insufficient_holds); }

/* ---- Repetition ----------------------------------------------------------------------------------------- */

static uint64_t hash_at(const packed_plies *p, size_t i)
{
    const uint64_t odd = 0x9e3779b97f4a7c15ULL;
    const uint64_t h = ((p->plane[0][i] * odd ^ p->plane[1][i]) * odd ^ p->plane[2][i]) * odd ^ p->plane[3][i];
    return (h + (i & 1)) * odd >> 32;
}

static bool is_same(const packed_plies *p, size_t i, size_t j)
{
    return !((i ^ j) & 1) && p->plane[0][i] == p->plane[0][j] && p->plane[1][i] == p->plane[1][j] &&
           p->plane[2][i] == p->plane[2][j] && p->plane[3][i] == p->plane[3][j];
}

/* Counts repetitions from `first` to `last`, between which no move is irreversible. The table has indexes of positions
   + 1. If en passant is possible in the first position, no later one is the same. */
static void count_between(tby_query_state *s, uint32_t *counts, uint32_t *table, size_t first, size_t last)
{
    const packed_plies *p = &s->plies;
    size_t size = 4;
    while (size < 2 * (last - first + 1))
        size *= 2;
    memset(table, 0, size * sizeof *table);
    if (p->en_passant[first] != TBY_NO_SQUARE) {
        const tby_position pos = state_position(s, first);
        first += tby_position_en_passant_legal(&pos) != TBY_NO_SQUARE;
    }
    for (size_t i = first; i <= last; i++) {
        uint64_t place = hash_at(p, i) & (size - 1);
        while (table[place] && !is_same(p, table[place] - 1, i))
            place = (place + 1) & (size - 1);
        if (table[place])
            counts[i] = counts[table[place] - 1] + 1;
        table[place] = (uint32_t)i + 1;
    }
}

static bool passes(const tby_query_state *s)
{
    bool found = false;
    for (size_t i = 0; i < s->n_positions; i++)
        found |= s->plies.moves[i] == TBY_MOVE_NULL;
    return found;
}

/* Counts between irreversible moves, if at least `apart` other moves lie between them. */
static void count_apart(tby_query_state *s, uint32_t *counts, uint32_t *table, size_t apart)
{
    size_t first = 0;
    for (size_t w = 0; w < s->n_words; w++) {
        ply_bits final = run_final(s, w);
        if (w + 1 == s->n_words) /* the end of the game, too */
            final |= 1ULL << (s->n_positions - 1) % WORD;
        for (; final; final &= final - 1) {
            const size_t last = w * WORD + (unsigned)__builtin_ctzll(final);
            if (last - first >= apart)
                count_between(s, counts, table, first, last);
            first = last + 1;
        }
    }
}

/* How often each position has occurred, where that may be at least `least` times: a position recurs after four plies at
   the earliest, or two if both sides pass. Elsewhere 1. */
static bool count_repeats(tby_query_state *s, int64_t least)
{
    const size_t n = s->n_positions;
    s->repeats.n = 0;
    uint32_t *counts = array_list_room(&s->allocator, &s->repeats, 5 * n + 4, sizeof *counts);
    if (!counts)
        return state_fail(s, TBY_QUERY_NO_MEMORY);
    for (size_t i = 0; i < n; i++)
        counts[i] = 1;
    if (least - 1 <= (int64_t)n)
        count_apart(s, counts, counts + n, (passes(s) ? 2 : 4) * (size_t)(least - 1));
    s->least_repeats = least;
    return true;
}

PLY_FACT(run_repeats)
{
    ply_bits bits = 0;
    if (node->number < 2)
        return asked;
    if ((!s->least_repeats || node->number < s->least_repeats) && !count_repeats(s, node->number))
        return 0;
    const uint32_t *counts = (const uint32_t *)s->repeats.items + w * WORD;
    const size_t left = s->n_positions - w * WORD, n = left < WORD ? left : WORD;
    for (size_t i = 0; i < n; i++)
        bits |= (ply_bits)(counts[i] >= node->number) << i;
    return bits & asked;
}
