/*
 * run_board.c - facts about the board, for 64 plies at once: the hot half of the evaluator.
 */
#include "base/variant.h"
#include "query/run.h"

enum { WORD = 64 };

/* Some plies of a game: `n` from the first of a word on. */
typedef struct block {
    const uint64_t *p0, *p1, *p2, *p3;
    size_t first;
    unsigned n;
} block;

static block block_of(const tby_query_state *s, size_t w)
{
    const size_t first = w * WORD, left = s->n_positions - first;
    return (block){s->plies.plane[0] + first,
                   s->plies.plane[1] + first,
                   s->plies.plane[2] + first,
                   s->plies.plane[3] + first,
                   first,
                   left < WORD ? (unsigned)left : WORD};
}

/* ---- Men ------------------------------------------------------------------------------------------------ */

/* Adds the squares of one piece. */
static void add_piece(tby_bitboard *out, const block *b, unsigned piece)
{
    const uint64_t x0 = piece & 1 ? 0 : ~0ULL, x1 = piece & 2 ? 0 : ~0ULL, x2 = piece & 4 ? 0 : ~0ULL,
                   x3 = piece & 8 ? 0 : ~0ULL;
    for (unsigned i = 0; i < b->n; i++)
        out[i] |= (b->p0[i] ^ x0) & (b->p1[i] ^ x1) & (b->p2[i] ^ x2) & (b->p3[i] ^ x3);
}

/* The squares where such men stand, ply by ply. */
static void men_squares(tby_bitboard *out, const block *b, const query_men *men)
{
    uint16_t pieces = men->pieces;
    for (unsigned i = 0; i < b->n; i++)
        out[i] = 0;
    if ((pieces & MEN_WHITE) == MEN_WHITE) {
        for (unsigned i = 0; i < b->n; i++)
            out[i] |= (b->p0[i] | b->p1[i] | b->p2[i]) & ~b->p3[i];
        pieces &= (uint16_t)~MEN_WHITE;
    }
    if ((pieces & MEN_BLACK) == MEN_BLACK) {
        for (unsigned i = 0; i < b->n; i++)
            out[i] |= b->p3[i];
        pieces &= (uint16_t)~MEN_BLACK;
    }
    for (; pieces; pieces &= (uint16_t)(pieces - 1))
        add_piece(out, b, (unsigned)__builtin_ctz(pieces));
    if (!men->is_anywhere)
        for (unsigned i = 0; i < b->n; i++)
            out[i] &= men->squares;
}

/* Which of the sets are not empty? */
static ply_bits bits_of(const tby_bitboard *sets, unsigned n)
{
    ply_bits bits = 0;
    unsigned i = 0;
#ifdef TBY_VARIANT_V3
    for (; i + 4 <= n; i += 4) {
        const __m256i four = _mm256_loadu_si256((const __m256i *)(const void *)(sets + i));
        const __m256i empty = _mm256_cmpeq_epi64(four, _mm256_setzero_si256());
        bits |= (ply_bits)(~_mm256_movemask_pd(_mm256_castsi256_pd(empty)) & 15) << i;
    }
#endif
    for (; i < n; i++)
        bits |= (ply_bits)(sets[i] != 0) << i;
    return bits;
}

static ply_bits run_men(const block *b, const query_men *men)
{
    tby_bitboard sets[WORD];
    men_squares(sets, b, men);
    return bits_of(sets, b->n);
}

/* ---- Counts --------------------------------------------------------------------------------------------- */

static void add_count(int64_t *sums, const block *b, const query_men *men)
{
    tby_bitboard sets[WORD];
    men_squares(sets, b, men);
    for (unsigned i = 0; i < b->n; i++)
        sums[i] += bb_count(sets[i]);
}

static int points_of(const tby_board *b, tby_bitboard side)
{
    const unsigned points = 9 * bb_count(board_queens(b) & side) + 5 * bb_count(board_rooks(b) & side) +
                            3 * bb_count((board_bishops(b) | board_knights(b)) & side) +
                            bb_count(board_pawns(b) & side);
    return (int)points;
}

static void add_points(int64_t *sums, const tby_query_state *s, const block *b, int64_t sign)
{
    for (unsigned i = 0; i < b->n; i++) {
        const tby_board board = state_board(s, b->first + i);
        sums[i] += sign * (points_of(&board, ~board_black(&board)) - points_of(&board, board_black(&board)));
    }
}

/* Only where it is asked: the rules are slow. */
static void add_legal(int64_t *sums, const tby_query_state *s, const block *b, ply_bits asked)
{
    for (; asked; asked &= asked - 1) {
        const unsigned i = (unsigned)__builtin_ctzll(asked);
        const tby_position pos = state_position(s, b->first + i);
        sums[i] += (int64_t)tby_moves_count(&pos);
    }
}

static void add_term(int64_t *sums, const tby_query_state *s, const block *b, const query_node *term, ply_bits asked)
{
    switch (term->type) {
    case Q_TERM_MEN: add_count(sums, b, &term->u.m.men[0]); break;
    case Q_TERM_POINTS: add_points(sums, s, b, term->number); break;
    case Q_TERM_LEGAL: add_legal(sums, s, b, asked); break;
    default:
        for (unsigned i = 0; i < b->n; i++)
            sums[i] += term->number;
    }
}

/* Does a comparison with a number ask only whether there is such a man at all? Then `*is_none` tells which it wants. */
static bool asks_if_any(unsigned op, int64_t number, bool *is_none)
{
    *is_none = (number == 0 && (op == OP_EQUAL || op == OP_LESS_EQUAL)) || (number == 1 && op == OP_LESS);
    return *is_none || (number == 0 && (op == OP_UNEQUAL || op == OP_MORE)) || (number == 1 && op == OP_MORE_EQUAL);
}

#define COMPARE(op)                                                                                                    \
    for (unsigned i = 0; i < n; i++)                                                                                   \
    bits |= (ply_bits)(a[i] op b[i]) << i

static ply_bits compare(unsigned op, const int64_t *a, const int64_t *b, unsigned n)
{
    ply_bits bits = 0;
    switch (op) {
    case OP_EQUAL: COMPARE(==); break;
    case OP_UNEQUAL: COMPARE(!=); break;
    case OP_LESS: COMPARE(<); break;
    case OP_LESS_EQUAL: COMPARE(<=); break;
    case OP_MORE: COMPARE(>); break;
    default: COMPARE(>=); break;
    }
    return bits;
}

static ply_bits run_count(const tby_query_state *s, const query_node *node, const block *b, ply_bits asked)
{
    const query_tree *program = &s->query->program;
    const query_node *first = tree_node(program, tree_kid(program, node, 0)),
                     *last = tree_node(program, tree_kid(program, node, node->n_kids - 1));
    int64_t left[WORD] = {0}, right[WORD] = {0};
    bool is_none;
    if (node->n_kids == 2 && node->number == 1 && first->type == Q_TERM_MEN && last->type == Q_TERM_NUMBER &&
        asks_if_any(node->op, last->number, &is_none))
        return run_men(b, &first->u.m.men[0]) ^ (is_none ? ~0ULL : 0);
    for (uint32_t i = 0; i < node->n_kids; i++)
        add_term(i < node->number ? left : right, s, b, tree_node(program, tree_kid(program, node, i)), asked);
    return compare(node->op, left, right, b->n);
}

static bool has_material(const tby_board *b, const query_node *node)
{
    for (int side = 0; side < 2; side++) {
        const tby_bitboard own = side == TBY_BLACK ? board_black(b) : ~board_black(b);
        for (int kind = TBY_PAWN; kind <= TBY_QUEEN; kind++) {
            const unsigned n = bb_count(board_kind(b, (tby_kind)kind) & own),
                           least = node->u.material.least[side][kind];
            if (n < least || (n > least && !node->u.material.is_open[side][kind]))
                return false;
        }
    }
    return true;
}

/* The number of men alone rules most positions out. */
static ply_bits run_material(const tby_query_state *s, const query_node *node, const block *b, ply_bits asked)
{
    unsigned least = 0;
    bool is_open = false;
    ply_bits bits = 0;
    for (int i = 0; i < 16; i++) {
        least += node->u.material.least[i / 8][i % 8];
        is_open |= node->u.material.is_open[i / 8][i % 8];
    }
    for (; asked; asked &= asked - 1) {
        const unsigned i = (unsigned)__builtin_ctzll(asked);
        const unsigned n = bb_count(b->p0[i] | b->p1[i] | b->p2[i]);
        if (n < least || (n > least && !is_open))
            continue;
        const tby_board board = state_board(s, b->first + i);
        bits |= (ply_bits)has_material(&board, node) << i;
    }
    return bits;
}

static ply_bits run_opposite_bishops(const block *b, ply_bits asked)
{
    ply_bits bits = 0;
    for (; asked; asked &= asked - 1) {
        const unsigned i = (unsigned)__builtin_ctzll(asked);
        const tby_bitboard bishops = b->p1[i] & ~(b->p0[i] | b->p2[i]), black = bishops & b->p3[i],
                           white = bishops & ~b->p3[i];
        bits |= (ply_bits)(bb_count(white) == 1 && bb_count(black) == 1 && !(white & BB_LIGHT) != !(black & BB_LIGHT))
                << i;
    }
    return bits;
}

/* ---- Boards --------------------------------------------------------------------------------------------- */

static bool is_position(const tby_query_state *s, const query_node *node, size_t ply)
{
    const tby_position pos = state_position(s, ply);
    return state_side(s, ply) == node->u.board.side && pos.castling == node->u.board.castling &&
           tby_position_en_passant_legal(&pos) == node->u.board.en_passant;
}

static ply_bits run_placement(const tby_query_state *s, const query_node *node, const block *b)
{
    const uint64_t *plane = node->u.board.board.plane;
    ply_bits bits = 0;
    for (unsigned i = 0; i < b->n; i++)
        bits |= (ply_bits)(((b->p0[i] ^ plane[0]) | (b->p1[i] ^ plane[1]) | (b->p2[i] ^ plane[2]) |
                            (b->p3[i] ^ plane[3])) == 0)
                << i;
    for (ply_bits rest = node->type == Q_FEN ? bits : 0; rest; rest &= rest - 1)
        if (!is_position(s, node, b->first + (unsigned)__builtin_ctzll(rest)))
            bits ^= rest & -rest;
    return bits;
}

/* Who may castle on which side, as bits of RIGHT_... */
static unsigned rights_at(const tby_query_state *s, size_t ply)
{
    const tby_bitboard rooks = s->plies.castling[ply];
    const tby_board board = state_board(s, ply);
    unsigned rights = 0;
    for (int side = 0; rooks && side < 2; side++) {
        const tby_bitboard own = rooks & bb_back_rank((tby_color)side);
        const tby_bitboard king = bb_square(board_king(&board, (tby_color)side));
        rights |= ((own & ~(king | (king - 1)) ? 1U : 0U) | (own & (king - 1) ? 2U : 0U)) << (2 * side);
    }
    return rights;
}

/* ---- Ply by ply ----------------------------------------------------------------------------------------- */

static bool attacks(const tby_query_state *s, const query_node *node, size_t ply)
{
    const block one = {
        s->plies.plane[0] + ply, s->plies.plane[1] + ply, s->plies.plane[2] + ply, s->plies.plane[3] + ply, ply, 1};
    const tby_board board = state_board(s, ply);
    const tby_bitboard occupied = board_occupied(&board);
    tby_bitboard from, to;
    men_squares(&from, &one, &node->u.m.men[0]);
    men_squares(&to, &one, &node->u.m.men[1]);
    if (!from)
        return false;
    for (; to; to = bb_rest(to))
        if (attackers_to(&board, bb_first(to), occupied) & from)
            return true;
    return false;
}

static bool holds_at(const tby_query_state *s, const query_node *node, size_t ply)
{
    switch (node->type) {
    case Q_CASTLING: return (rights_at(s, ply) & (unsigned)node->number) == (unsigned)node->number;
    case Q_CHECK: return state_is_check(s, ply);
    case Q_ATTACKS: return attacks(s, node, ply);
    default: return false;
    }
}

static ply_bits run_each(const tby_query_state *s, const query_node *node, size_t w, ply_bits asked)
{
    ply_bits bits = 0;
    for (; asked; asked &= asked - 1) {
        const unsigned i = (unsigned)__builtin_ctzll(asked);
        bits |= (ply_bits)holds_at(s, node, w * WORD + i) << i;
    }
    return bits;
}

TBY_KERNEL(ply_bits, tby_run_board, (const tby_query_state *s, const query_node *node, size_t w, ply_bits asked),
           (s, node, w, asked))
{
    const block b = block_of(s, w);
    switch (node->type) {
    case Q_MEN: return run_men(&b, &node->u.m.men[0]) & asked;
    case Q_COUNT: return run_count(s, node, &b, asked) & asked;
    case Q_MATERIAL: return run_material(s, node, &b, asked);
    case Q_OPPOSITE_BISHOPS: return run_opposite_bishops(&b, asked);
    case Q_FEN:
    case Q_BOARD: return run_placement(s, node, &b) & asked;
    default: return run_each(s, node, w, asked);
    }
}
