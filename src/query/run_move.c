/*
 * run_move.c - facts about the move played, for 64 plies at once.
 */
#include "base/variant.h"
#include "position/play.h"
#include "query/run_block.h"

/* ---- Moves ---------------------------------------------------------------------------------------------- */

typedef struct played {
    tby_piece piece, captured;
    uint8_t from, to; /* castling: the king's target */
    tby_move move;
} played;

static played played_at(const tby_query_state *s, size_t ply)
{
    const tby_move m = s->plies.moves[ply];
    const tby_board board = state_board(s, ply);
    const unsigned from = TBY_MOVE_FROM(m), to = TBY_MOVE_TO(m);
    played p = {.piece = board_piece(&board, from), .from = (uint8_t)from, .to = (uint8_t)to, .move = m};
    if (TBY_MOVE_IS_CASTLING(m))
        p.to = castling_king_to(from, to);
    else if (TBY_MOVE_IS_EN_PASSANT(m))
        p.captured = TBY_PIECE(color_other(state_side(s, ply)), TBY_PAWN);
    else
        p.captured = board_piece(&board, to);
    return p;
}

static bool has_mark(const tby_query_state *s, char mark, size_t ply)
{
    if (!mark)
        return true;
    if ((mark == '#' && !state_may_be_over(s, ply)) || !state_is_check(s, ply))
        return false;
    const tby_position pos = state_position(s, ply);
    return mark == '+' || !tby_moves_any(&pos);
}

/* The piece that the pawn becomes; TBY_NO_PIECE for other moves. */
static tby_piece promoted(const tby_query_state *s, tby_move m, size_t ply)
{
    return TBY_MOVE_IS_PROMOTION(m) ? TBY_PIECE(state_side(s, ply), TBY_MOVE_KIND(m)) : TBY_NO_PIECE;
}

/* The squares rule out most moves before the board is looked at. */
static bool move_fits(tby_query_state *s, const query_node *node, size_t ply)
{
    const query_who *who = node->u.m.who;
    const tby_move m = s->plies.moves[ply];
    const unsigned from = TBY_MOVE_FROM(m),
                   to = TBY_MOVE_IS_CASTLING(m) ? castling_king_to(from, TBY_MOVE_TO(m)) : TBY_MOVE_TO(m);
    if (!(who[0].squares >> from & who[1].squares >> to & 1))
        return false;
    const played p = played_at(s, ply);
    if (!(who[0].pieces >> p.piece & 1))
        return false;
    if (node->u.m.is_capture && (p.captured == TBY_NO_PIECE || !(who[1].pieces >> p.captured & 1)))
        return false;
    if (node->u.m.promotion) {
        const tby_piece piece = promoted(s, p.move, ply);
        if (piece == TBY_NO_PIECE || !(node->u.m.promotion >> piece & 1))
            return false;
    }
    return has_mark(s, node->u.m.mark, ply + 1);
}

static bool castles(tby_query_state *s, const query_node *node, size_t ply)
{
    const tby_move m = s->plies.moves[ply];
    const unsigned bit = (TBY_MOVE_TO(m) > TBY_MOVE_FROM(m) ? 1U : 2U) << (2 * state_side(s, ply));
    return TBY_MOVE_IS_CASTLING(m) && (node->number & bit);
}

/* Are the moves of a path, from `ply` on, the next moves of its piece? */
static bool walks(tby_query_state *s, const query_node *node, size_t ply)
{
    const unsigned n = node->u.path.n;
    for (unsigned at = 0; ply + 1 < s->n_positions; ply++) {
        const played p = played_at(s, ply);
        if (p.from == node->u.path.squares[at] && !(at == 0 && !(node->u.path.pieces >> p.piece & 1))) {
            if (p.to != node->u.path.squares[at + 1])
                return false;
            if (++at + 1 == n)
                return true;
            if (TBY_MOVE_IS_PROMOTION(p.move))
                return false;
            continue;
        }
        if (at == 0)
            return false;
        /* Another piece moves: it may capture this one, or castling may move it. */
        const unsigned here = node->u.path.squares[at],
                       gone = TBY_MOVE_IS_EN_PASSANT(p.move) ? p.to ^ 8U : TBY_MOVE_TO(p.move);
        if (gone == here && !(TBY_MOVE_IS_CASTLING(p.move) && castling_rook_to(p.from, gone) == here))
            return false;
    }
    return false;
}

/* ---- Candidate moves ------------------------------------------------------------------------------------ */

/* The moves whose bits under `mask` are `value`. */
static ply_bits moves_with(const tby_move *moves, unsigned n, unsigned mask, unsigned value)
{
    ply_bits bits = 0;
    unsigned i = 0;
#ifdef TBY_VARIANT_V3
    const __m256i masks = _mm256_set1_epi16((short)mask), values = _mm256_set1_epi16((short)value);
    for (; i + 16 <= n; i += 16) {
        const __m256i some = _mm256_loadu_si256((const __m256i *)(const void *)(moves + i));
        const __m256i same = _mm256_cmpeq_epi16(_mm256_and_si256(some, masks), values);
        bits |= (ply_bits)_pext_u32((unsigned)_mm256_movemask_epi8(same), 0x55555555U) << i;
    }
#endif
    for (; i < n; i++)
        bits |= (ply_bits)((moves[i] & mask) == value) << i;
    return bits;
}

enum { FROM_MASK = 0x003f, TO_MASK = 0x0fc0, KIND_MASK = 0xf000, ALL_MASK = 0xffff };

static ply_bits moves_of_kind(const tby_move *moves, unsigned n, unsigned kind)
{
    return moves_with(moves, n, KIND_MASK, kind << 12);
}

/* Filters by origin and target, if there is only one, and by promotion. Castling ends on another square. */
static ply_bits moves_near(const query_node *node, const tby_move *moves, unsigned n)
{
    const query_who *who = node->u.m.who;
    ply_bits bits = ~0ULL;
    if (who[0].squares && !bb_many(who[0].squares))
        bits &= moves_with(moves, n, FROM_MASK, bb_first(who[0].squares));
    if (who[1].squares && !bb_many(who[1].squares))
        bits &= moves_with(moves, n, TO_MASK, (unsigned)bb_first(who[1].squares) << 6) |
                moves_of_kind(moves, n, TBY_KING);
    if (node->u.m.promotion)
        bits &= moves_of_kind(moves, n, TBY_KNIGHT) | moves_of_kind(moves, n, TBY_BISHOP) |
                moves_of_kind(moves, n, TBY_ROOK) | moves_of_kind(moves, n, TBY_QUEEN);
    return bits;
}

/* The plies of the sides whose moves are meant. */
static ply_bits plies_of(const tby_query_state *s, uint16_t pieces)
{
    const bool has_white = pieces & WHO_WHITE, has_black = pieces & WHO_BLACK;
    return has_white && has_black ? ~0ULL : has_white || has_black ? state_plies_of(s, has_black) : 0;
}

/* No move is played from the last position, and a null move moves no piece. */
static ply_bits moves_played(const tby_query_state *s, size_t w, const tby_move **moves, unsigned *n)
{
    const size_t first = w * WORD, left = s->n_positions - 1 - first;
    *n = left < WORD ? (unsigned)left : WORD;
    *moves = s->plies.moves + first;
    return (*n < WORD ? (1ULL << *n) - 1 : ~0ULL) & ~moves_with(*moves, *n, ALL_MASK, TBY_MOVE_NULL);
}

/* ---- Facts ---------------------------------------------------------------------------------------------- */

PLY_KERNEL(run_move)
{
    const tby_move *moves;
    unsigned n;
    asked &= moves_played(s, w, &moves, &n);
    asked &= plies_of(s, node->u.m.who[0].pieces) & moves_near(node, moves, n);
    return each_ply(s, node, w, asked, move_fits);
}

PLY_KERNEL(run_castles)
{
    const tby_move *moves;
    unsigned n;
    asked &= moves_played(s, w, &moves, &n);
    return each_ply(s, node, w, asked & moves_of_kind(moves, n, TBY_KING), castles);
}

PLY_KERNEL(run_en_passant)
{
    const tby_move *moves;
    unsigned n;
    (void)node;
    asked &= moves_played(s, w, &moves, &n);
    return asked & moves_of_kind(moves, n, TBY_PAWN);
}

PLY_KERNEL(run_path)
{
    const tby_move *moves;
    unsigned n;
    asked &= moves_played(s, w, &moves, &n);
    asked &= plies_of(s, node->u.path.pieces) & moves_with(moves, n, FROM_MASK, node->u.path.squares[0]);
    return each_ply(s, node, w, asked, walks);
}

/* ---- Irreversible moves --------------------------------------------------------------------------------- */

/* A pawn move, a move that ends a castling right, or a capture, which vacates a square without occupying a new one. The
   result for the last ply of the game is meaningless. */
TBY_KERNEL(ply_bits, run_final, (const tby_query_state *s, size_t w), (s, w))
{
    const packed_plies *p = &s->plies;
    const size_t first = w * WORD, left = s->n_positions - 1 - first;
    const unsigned n = left < WORD ? (unsigned)left : WORD;
    uint64_t pawns[WORD], captures[WORD];
    for (unsigned i = 0; i < n; i++) {
        const size_t here = first + i, next = here + 1;
        const uint64_t either = p->plane[1][here] | p->plane[2][here],
                       either_next = p->plane[1][next] | p->plane[2][next], occupied = p->plane[0][here] | either,
                       occupied_next = p->plane[0][next] | either_next;
        pawns[i] = ((p->plane[0][here] & ~either) ^ (p->plane[0][next] & ~either_next)) |
                   (p->castling[here] ^ p->castling[next]);
        captures[i] = occupied_next & ~occupied ? 0 : occupied ^ occupied_next;
    }
    for (unsigned i = n; i % 4; i++)
        pawns[i] = captures[i] = 0;
    return bits_of(pawns, n) | bits_of(captures, n);
}
