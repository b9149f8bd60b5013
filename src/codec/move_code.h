/*
 * move_code.h - a move as one small number that is read without generating moves.
 *
 * The codes of a position are numbered kind by kind, within a kind piece by piece in the order of their squares,
 * within a piece by where it goes:
 *
 *     pawns 4 each     one step, two steps, capture west, capture east
 *     knights 8        the eight jumps
 *     bishops 16       to file a-h on the rising diagonal, to file a-h on the falling one
 *     rooks 16         to file a-h along the rank, to rank 1-8 along the file
 *     queens 32        as a rook, then as a bishop
 *     king 10          the eight steps, castling king-side, castling queen-side
 *
 *      0       4p      +8n          +16b           +16r         +32q      +10
 *      | pawns | knights | bishops    | rooks        | queens     | king   |
 *
 * So a code tells kind, piece and target by comparisons, one pdep and one look-up (tby_code_targets); there are 154
 * codes at the start and rarely more. A promotion needs its piece beside the code.
 */
#ifndef TBY_CODEC_MOVE_CODE_H
#define TBY_CODEC_MOVE_CODE_H

#include "base/attacks.h"
#include "position/play.h"

enum { CODE_PAWN, CODE_KNIGHT, CODE_BISHOP, CODE_ROOK, CODE_QUEEN, CODE_KING, CODE_KINDS };
enum { CODE_CASTLE_KING_SIDE = 8, CODE_CASTLE_QUEEN_SIDE = 9, CODE_KING_CODES = 10 };

/* How many codes a piece has, as a shift; the king's are rounded up where they are looked up. */
static const uint8_t CODE_SHIFTS[CODE_KINDS] = {2, 3, 4, 4, 5, 4};
/* Where each kind's part of tby_code_targets begins; black pawns have one behind white's. */
static const uint16_t CODE_TABLES[CODE_KINDS] = {0, 512, 1024, 2048, 3072, 5120};
static const uint8_t CODE_TO_KIND[CODE_KINDS] = {TBY_PAWN, TBY_KNIGHT, TBY_BISHOP, TBY_ROOK, TBY_QUEEN, TBY_KING};
static const uint8_t KIND_TO_CODE[8] = {
    [TBY_PAWN] = CODE_PAWN, [TBY_KNIGHT] = CODE_KNIGHT, [TBY_BISHOP] = CODE_BISHOP,
    [TBY_ROOK] = CODE_ROOK, [TBY_QUEEN] = CODE_QUEEN,   [TBY_KING] = CODE_KING,
};

/* The pieces of the side to move, and where the codes of each kind begin. */
typedef struct code_space {
    tby_bitboard sets[CODE_KINDS];
    unsigned first[CODE_KINDS];
    unsigned n_codes;
} code_space;

TBY_INLINE code_space code_space_of(const tby_board *b, tby_color us)
{
    const tby_bitboard own = us == TBY_BLACK ? board_black(b) : ~board_black(b);
    code_space space;
    space.sets[CODE_PAWN] = board_pawns(b) & own;
    space.sets[CODE_KNIGHT] = board_knights(b) & own;
    space.sets[CODE_BISHOP] = board_bishops(b) & own;
    space.sets[CODE_ROOK] = board_rooks(b) & own;
    space.sets[CODE_QUEEN] = board_queens(b) & own;
    space.sets[CODE_KING] = board_kings(b) & own;
    space.first[CODE_PAWN] = 0;
    space.first[CODE_KNIGHT] = 4 * bb_count(space.sets[CODE_PAWN]);
    space.first[CODE_BISHOP] = space.first[CODE_KNIGHT] + 8 * bb_count(space.sets[CODE_KNIGHT]);
    space.first[CODE_ROOK] = space.first[CODE_BISHOP] + 16 * bb_count(space.sets[CODE_BISHOP]);
    space.first[CODE_QUEEN] = space.first[CODE_ROOK] + 16 * bb_count(space.sets[CODE_ROOK]);
    space.first[CODE_KING] = space.first[CODE_QUEEN] + 32 * bb_count(space.sets[CODE_QUEEN]);
    space.n_codes = space.first[CODE_KING] + CODE_KING_CODES;
    return space;
}

/* The n-th square of a set, from 0. */
TBY_INLINE unsigned code_nth(tby_bitboard set, unsigned n)
{
#ifdef TBY_VARIANT_V3
    return bb_first(_pdep_u64(1ULL << n, set) | 1ULL << 63);
#else
    for (; n > 0 && set; n--)
        set = bb_rest(set);
    return bb_first(set | 1ULL << 63);
#endif
}

/* A code taken apart: the origin, the target (64 = none), the kind and its code within the piece. */
typedef struct coded_move {
    unsigned from, to, kind, code;
} coded_move;

TBY_INLINE coded_move code_read(const code_space *space, unsigned code, tby_color us)
{
    coded_move m;
    m.kind = (code >= space->first[1] ? 1U : 0U) + (code >= space->first[2] ? 1U : 0U) +
             (code >= space->first[3] ? 1U : 0U) + (code >= space->first[4] ? 1U : 0U) +
             (code >= space->first[5] ? 1U : 0U);
    const unsigned shift = CODE_SHIFTS[m.kind], within = code - space->first[m.kind];
    m.from = code_nth(space->sets[m.kind], within >> shift);
    m.code = within & ((1U << shift) - 1);
    const unsigned black_pawn = m.kind == CODE_PAWN && us == TBY_BLACK ? 256 : 0;
    m.to = tby_code_targets[CODE_TABLES[m.kind] + black_pawn + (m.from << shift) + m.code];
    return m;
}

/* The code of a legal move within its piece. */
static inline unsigned code_within(unsigned kind, unsigned from, unsigned to, tby_move m, tby_color us)
{
    const int files = (int)(to & 7) - (int)(from & 7), ranks = (int)(to >> 3) - (int)(from >> 3);
    const bool is_line = files == 0 || ranks == 0;
    const unsigned line = ranks == 0 ? to & 7 : 8 + (to >> 3), diagonal = (files == ranks ? 0U : 8U) + (to & 7);
    switch (kind) {
    case CODE_BISHOP: return diagonal;
    case CODE_ROOK: return line;
    case CODE_QUEEN: return is_line ? line : 16 + diagonal;
    case CODE_KING:
        if (TBY_MOVE_IS_CASTLING(m))
            return to > from ? CODE_CASTLE_KING_SIDE : CODE_CASTLE_QUEEN_SIDE;
        break;
    default: break;
    }
    /* the few codes of steppers are looked for */
    const unsigned shift = CODE_SHIFTS[kind], black_pawn = kind == CODE_PAWN && us == TBY_BLACK ? 256 : 0;
    const uint8_t *targets = tby_code_targets + CODE_TABLES[kind] + black_pawn + (from << shift);
    unsigned code = 0;
    while (targets[code] != to)
        code++;
    return code;
}

static inline unsigned code_write(const code_space *space, const tby_board *b, tby_move m, tby_color us)
{
    const unsigned from = m & 63, to = (m >> 6) & 63, kind = KIND_TO_CODE[board_piece(b, from) & 7];
    const unsigned nth = bb_count(space->sets[kind] & (bb_square(from) - 1));
    return space->first[kind] + (nth << CODE_SHIFTS[kind]) + code_within(kind, from, to, m, us);
}

#endif
