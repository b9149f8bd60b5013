/*
 * run_board.c - facts about the board, for 64 plies at once: the hot part of the evaluator.
 */
#include "base/variant.h"
#include "query/run_block.h"

/* ---- Pieces ------------------------------------------------------------------------------------------------ */

/* At which plies is this piece on one of the squares? */
static ply_bits run_piece(const ply_block *b, unsigned piece, tby_bitboard squares)
{
    const uint64_t x0 = piece & 1 ? 0 : ~0ULL, x1 = piece & 2 ? 0 : ~0ULL, x2 = piece & 4 ? 0 : ~0ULL,
                   x3 = piece & 8 ? 0 : ~0ULL;
    ply_bits bits = 0;
    unsigned i = 0;
#ifdef TBY_VARIANT_V3
    for (; i < b->n; i += 4) {
        const __m256i p0 = _mm256_xor_si256(four(b->p0 + i), four_times(x0)),
                      p1 = _mm256_xor_si256(four(b->p1 + i), four_times(x1)),
                      p2 = _mm256_xor_si256(four(b->p2 + i), four_times(x2)),
                      p3 = _mm256_xor_si256(four(b->p3 + i), four_times(x3));
        const __m256i who = _mm256_and_si256(_mm256_and_si256(p0, p1), _mm256_and_si256(p2, p3));
        bits |= four_bits(_mm256_and_si256(who, four_times(squares))) << i;
    }
#endif
    for (; i < b->n; i++)
        bits |= (ply_bits)(((b->p0[i] ^ x0) & (b->p1[i] ^ x1) & (b->p2[i] ^ x2) & (b->p3[i] ^ x3) & squares) != 0) << i;
    return bits;
}

static ply_bits run_pieces(const ply_block *b, const query_who *who)
{
    enum { FEW_PIECES = 2 };
    tby_bitboard sets[WORD];
    if (__builtin_popcount(who->pieces) <= FEW_PIECES) {
        ply_bits bits = 0;
        for (unsigned rest = who->pieces; rest; rest &= rest - 1)
            bits |= run_piece(b, (unsigned)__builtin_ctz(rest), who->is_anywhere ? ~0ULL : who->squares);
        return bits;
    }
    pieces_squares(sets, b, who);
    return bits_of(sets, b->n);
}

/* ---- Counts --------------------------------------------------------------------------------------------- */

static void add_count(int64_t *sums, const ply_block *b, const query_who *who)
{
    tby_bitboard sets[WORD];
    pieces_squares(sets, b, who);
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

/* Points change only at a capture or a promotion. */
static void add_points(int64_t *sums, const tby_query_state *s, const ply_block *b, int64_t sign)
{
    unsigned n_pieces = 0;
    int64_t points = 0;
    for (unsigned i = 0; i < b->n; i++) {
        const unsigned n = bb_count(b->p0[i] | b->p1[i] | b->p2[i]);
        if (i == 0 || n != n_pieces || TBY_MOVE_IS_PROMOTION(s->plies.moves[b->first + i - 1])) {
            const tby_board board = state_board(s, b->first + i);
            points = sign * (points_of(&board, ~board_black(&board)) - points_of(&board, board_black(&board)));
        }
        n_pieces = n;
        sums[i] += points;
    }
}

/* Only at the plies that are asked for: move generation is slow. */
static void add_legal(int64_t *sums, const tby_query_state *s, const ply_block *b, ply_bits asked)
{
    for (; asked; asked &= asked - 1) {
        const unsigned i = (unsigned)__builtin_ctzll(asked);
        const tby_position pos = state_position(s, b->first + i);
        sums[i] += (int64_t)tby_moves_count(&pos);
    }
}

static void add_term(int64_t *sums, const tby_query_state *s, const ply_block *b, const query_node *term,
                     ply_bits asked)
{
    switch (term->type) {
    case Q_TERM_PIECES: add_count(sums, b, &term->u.m.who[0]); break;
    case Q_TERM_POINTS: add_points(sums, s, b, term->number); break;
    case Q_TERM_LEGAL: add_legal(sums, s, b, asked); break;
    default:
        for (unsigned i = 0; i < b->n; i++)
            sums[i] += term->number;
    }
}

#ifdef TBY_VARIANT_V3
/* a > b, or a = b */
static ply_bits compare_four(const int64_t *a, const int64_t *b, unsigned n, bool is_more)
{
    ply_bits bits = 0;
    for (unsigned i = 0; i < n; i += 4) {
        const __m256i x = four((const uint64_t *)a + i), y = four((const uint64_t *)b + i);
        const __m256i holds = is_more ? _mm256_cmpgt_epi64(x, y) : _mm256_cmpeq_epi64(x, y);
        bits |= (ply_bits)_mm256_movemask_pd(_mm256_castsi256_pd(holds)) << i;
    }
    return bits;
}

static ply_bits compare(unsigned op, const int64_t *a, const int64_t *b, unsigned n)
{
    switch (op) {
    case OP_EQUAL: return compare_four(a, b, n, false);
    case OP_UNEQUAL: return ~compare_four(a, b, n, false);
    case OP_LESS: return compare_four(b, a, n, true);
    case OP_LESS_EQUAL: return ~compare_four(a, b, n, true);
    case OP_MORE: return compare_four(a, b, n, true);
    default: return ~compare_four(b, a, n, true);
    }
}
#else
static ply_bits compare(unsigned op, const int64_t *a, const int64_t *b, unsigned n)
{
    ply_bits bits = 0;
    for (unsigned i = 0; i < n; i++)
        bits |= (ply_bits)op_holds(op, a[i], b[i]) << i;
    return bits;
}
#endif

/* ---- Legal moves ------------------------------------------------------------------------------------------------- */

/* The pieces of `us` that share no line with their king: none of them is pinned, so all their moves are legal unless
   the king is in check. */
static inline tby_bitboard free_pieces(const tby_board *b, tby_color us)
{
    const unsigned king = board_king(b, us);
    return board_color(b, us) & ~(rook_rays(king) | bishop_rays(king));
}

/* Adds the moves of free pieces other than pawns to `n` until it exceeds `most`. Out of line, because the pawn moves
   are usually enough. */
static __attribute__((noinline)) size_t count_free_pieces(const tby_board *b, tby_color us, size_t n, size_t most)
{
    const tby_bitboard occupied = board_occupied(b), targets = ~board_color(b, us), pieces = free_pieces(b, us);
    for (tby_bitboard set = board_knights(b) & pieces; set && n <= most; set = bb_rest(set))
        n += bb_count(knight_attacks(bb_first(set)) & targets);
    for (tby_bitboard set = board_line_sliders(b) & pieces; set && n <= most; set = bb_rest(set))
        n += bb_count(rook_attacks(bb_first(set), occupied) & targets);
    for (tby_bitboard set = board_diagonal_sliders(b) & pieces; set && n <= most; set = bb_rest(set))
        n += bb_count(bishop_attacks(bb_first(set), occupied) & targets);
    return n;
}

/* True only if there are more than `most` legal moves; false may mean either. */
static inline bool moves_surely_exceed(const tby_board *b, tby_color us, size_t most)
{
    size_t n = bb_count(bb_forward(board_pawns(b) & free_pieces(b, us), us) & ~board_occupied(b));
    if (n <= most)
        n = count_free_pieces(b, us, n, most);
    return n > most && !king_attackers(b, us);
}

/* The plies, all of one side, that surely have more than `most` legal moves. */
TBY_INLINE ply_bits exceed(const ply_block *b, ply_bits asked, tby_color us, size_t most)
{
    ply_bits bits = 0;
    for (; asked; asked &= asked - 1) {
        const unsigned i = (unsigned)__builtin_ctzll(asked);
        const tby_board board = {{b->p0[i], b->p1[i], b->p2[i], b->p3[i]}};
        bits |= moves_surely_exceed(&board, us, most) ? asked & -asked : 0;
    }
    return bits;
}

/* Often it only matters whether the number of moves exceeds the number that it is compared with. */
static ply_bits run_legal(const tby_query_state *s, unsigned op, int64_t number, const ply_block *b, ply_bits asked)
{
    const size_t most = number < 0 ? 0 : number > TBY_MOVES_MAX ? TBY_MOVES_MAX : (size_t)number;
    const ply_bits more = exceed(b, asked & state_plies_of(s, TBY_WHITE), TBY_WHITE, most) |
                          exceed(b, asked & state_plies_of(s, TBY_BLACK), TBY_BLACK, most);
    ply_bits bits = op_holds(op, (int64_t)most + 1, number) ? more : 0;
    for (ply_bits rest = asked & ~more; rest; rest &= rest - 1) {
        const tby_position pos = state_position(s, b->first + (unsigned)__builtin_ctzll(rest));
        bits |= op_holds(op, (int64_t)tby_moves_count(&pos), number) ? rest & -rest : 0;
    }
    return bits;
}

PLY_KERNEL(run_count)
{
    const ply_block b = ply_block_of(s, w);
    const query_tree *program = &s->query->program;
    const query_node *first = tree_node(program, tree_kid(program, node, 0)),
                     *last = tree_node(program, tree_kid(program, node, node->n_kids - 1));
    const bool is_plain = node->n_kids == 2 && node->number == 1 && last->type == Q_TERM_NUMBER;
    int64_t left[WORD] = {0}, right[WORD] = {0};
    bool is_none;
    if (is_plain && first->type == Q_TERM_PIECES && asks_if_any(node->op, last->number, &is_none))
        return (run_pieces(&b, &first->u.m.who[0]) ^ (is_none ? ~0ULL : 0)) & asked;
    if (is_plain && first->type == Q_TERM_LEGAL)
        return run_legal(s, node->op, last->number, &b, asked);
    for (uint32_t i = 0; i < node->n_kids; i++)
        add_term(i < node->number ? left : right, s, &b, tree_node(program, tree_kid(program, node, i)), asked);
    return compare(node->op, left, right, b.n) & asked;
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

/* The total number of pieces rules out most positions. */
PLY_KERNEL(run_material)
{
    const ply_block b = ply_block_of(s, w);
    unsigned least = 0;
    bool is_open = false;
    ply_bits bits = 0;
    for (int i = 0; i < 16; i++) {
        least += node->u.material.least[i / 8][i % 8];
        is_open |= node->u.material.is_open[i / 8][i % 8];
    }
    for (; asked; asked &= asked - 1) {
        const unsigned i = (unsigned)__builtin_ctzll(asked);
        const unsigned n = bb_count(b.p0[i] | b.p1[i] | b.p2[i]);
        if (n < least || (n > least && !is_open))
            continue;
        const tby_board board = state_board(s, b.first + i);
        bits |= (ply_bits)has_material(&board, node) << i;
    }
    return bits;
}

PLY_KERNEL(run_opposite_bishops)
{
    const ply_block b = ply_block_of(s, w);
    ply_bits bits = 0;
    (void)node;
    for (; asked; asked &= asked - 1) {
        const unsigned i = (unsigned)__builtin_ctzll(asked);
        const tby_bitboard bishops = b.p1[i] & ~(b.p0[i] | b.p2[i]), black = bishops & b.p3[i],
                           white = bishops & ~b.p3[i];
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

PLY_KERNEL(run_placement)
{
    const ply_block b = ply_block_of(s, w);
    const uint64_t *plane = node->u.board.board.plane;
    ply_bits bits = 0;
    for (unsigned i = 0; i < b.n; i++)
        bits |=
            (ply_bits)(((b.p0[i] ^ plane[0]) | (b.p1[i] ^ plane[1]) | (b.p2[i] ^ plane[2]) | (b.p3[i] ^ plane[3])) == 0)
            << i;
    for (ply_bits rest = node->type == Q_FEN ? bits : 0; rest; rest &= rest - 1)
        if (!is_position(s, node, b.first + (unsigned)__builtin_ctzll(rest)))
            bits ^= rest & -rest;
    return bits & asked;
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

static bool attacks(tby_query_state *s, const query_node *node, size_t ply)
{
    const ply_block one = {
        s->plies.plane[0] + ply, s->plies.plane[1] + ply, s->plies.plane[2] + ply, s->plies.plane[3] + ply, ply, 1};
    const tby_board board = state_board(s, ply);
    const tby_bitboard occupied = board_occupied(&board);
    tby_bitboard from, to;
    pieces_squares(&from, &one, &node->u.m.who[0]);
    pieces_squares(&to, &one, &node->u.m.who[1]);
    if (!from)
        return false;
    for (; to; to = bb_rest(to))
        if (attackers_to(&board, bb_first(to), occupied) & from)
            return true;
    return false;
}

static bool castling_holds(tby_query_state *s, const query_node *node, size_t ply)
{
    return (rights_at(s, ply) & (unsigned)node->number) == (unsigned)node->number;
}

static bool check_holds(tby_query_state *s, const query_node *node, size_t ply)
{
    (void)node;
    return state_is_check(s, ply);
}

static bool double_check_holds(tby_query_state *s, const query_node *node, size_t ply)
{
    const tby_board board = state_board(s, ply);
    (void)node;
    return bb_many(king_attackers(&board, state_side(s, ply)));
}

/* ---- Facts ---------------------------------------------------------------------------------------------- */

PLY_KERNEL(run_pieces_fact)
{
    const ply_block b = ply_block_of(s, w);
    return run_pieces(&b, &node->u.m.who[0]) & asked;
}

PLY_KERNEL(run_castling) { return each_ply(s, node, w, asked, castling_holds); }
PLY_KERNEL(run_double_check) { return each_ply(s, node, w, asked, double_check_holds); }
PLY_KERNEL(run_check) { return each_ply(s, node, w, asked, check_holds); }
PLY_KERNEL(run_attacks) { return each_ply(s, node, w, asked, attacks); }
