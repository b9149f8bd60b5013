/*
 * move_code.h - a move as one small number that can be read without generating moves.
 *
 * The codes of a position are numbered by kind of piece, within a kind by piece in the order of their squares, and
 * within a piece by target:
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
 * So a code yields kind, piece and target by comparisons, one pdep and one look-up (code_targets). There are 154 codes
 * at the start and rarely more. For a promotion, the piece must be stored besides the code.
 *
 * For each side, one word has the first code of each kind after the pawns, so that one subtraction compares a code with
 * all of them, and another one accounts for a captured piece:
 *
 *     59      48      36       24       12       0
 *     +-------+--------+--------+--------+--------+
 *     | king  | queens | rooks  | bishops| knights|        11 bits each, and one that a comparison sets
 *     +-------+--------+--------+--------+--------+
 */
#ifndef TBY_CODEC_MOVE_CODE_H
#define TBY_CODEC_MOVE_CODE_H

#include "base/attacks.h"
#include "position/play.h"

enum { CODE_PAWN, CODE_KNIGHT, CODE_BISHOP, CODE_ROOK, CODE_QUEEN, CODE_KING, CODE_KINDS };
enum { CODE_CASTLE_KING_SIDE = 8, CODE_CASTLE_QUEEN_SIDE = 9, CODE_KING_CODES = 10 };

/* ---- Where the kinds begin ------------------------------------------------------------------------------ */

typedef uint64_t code_starts;

enum { CODE_LANE = 12, CODE_LANE_BITS = 11 << 8 };
#define CODE_ONES 0x001001001001001ULL
#define CODE_FLAGS (CODE_ONES << (CODE_LANE - 1))
/* A one in the lane of every kind after `kind`. */
#define CODE_BEHIND(kind) (CODE_ONES >> CODE_LANE * (kind) << CODE_LANE * (kind))

/* The number of codes of one piece, added to the starts of all kinds after its own. */
static const code_starts CODE_WEIGHTS[8] = {
    [TBY_PAWN] = 4 * CODE_BEHIND(CODE_PAWN),      [TBY_KNIGHT] = 8 * CODE_BEHIND(CODE_KNIGHT),
    [TBY_BISHOP] = 16 * CODE_BEHIND(CODE_BISHOP), [TBY_ROOK] = 16 * CODE_BEHIND(CODE_ROOK),
    [TBY_QUEEN] = 32 * CODE_BEHIND(CODE_QUEEN),
};

TBY_INLINE code_starts code_starts_of(const tby_board *b, tby_color us)
{
    const tby_bitboard own = us == TBY_BLACK ? board_black(b) : ~board_black(b);
    return bb_count(board_pawns(b) & own) * CODE_WEIGHTS[TBY_PAWN] +
           bb_count(board_knights(b) & own) * CODE_WEIGHTS[TBY_KNIGHT] +
           bb_count(board_bishops(b) & own) * CODE_WEIGHTS[TBY_BISHOP] +
           bb_count(board_rooks(b) & own) * CODE_WEIGHTS[TBY_ROOK] +
           bb_count(board_queens(b) & own) * CODE_WEIGHTS[TBY_QUEEN];
}

TBY_INLINE unsigned code_count(code_starts starts)
{
    return (unsigned)(starts >> CODE_LANE * (CODE_KING - 1)) + CODE_KING_CODES;
}

/* ---- The codes of a kind -------------------------------------------------------------------------------- */

typedef struct code_kind {
    tby_bitboard without[3]; /* all ones where the kind has no bit in the plane */
    tby_bitboard special;    /* targets that need more than a plain move: promotions */
    tby_bitboard castling;   /* the rooks that may no longer castle once it moves */
    uint16_t targets;        /* the start of its part of code_targets */
    uint16_t lane;           /* of its start: first bit + 256 * number of bits, which is 0 for pawns */
    uint8_t shift;           /* a piece has 2^shift codes; the king's are rounded up */
    uint8_t kind;
    uint8_t jump;         /* the code of a pawn's double step; no code of other pieces */
    uint8_t reserved[17]; /* makes the size a power of two, so that a shift finds the row */
} code_kind;

#define CODE_WITHOUT(kind, i) ((kind) >> (i)&1 ? 0 : ~0ULL)
#define CODE_KIND(kind, castling, targets, lane, shift)                                                                \
    {                                                                                                                  \
        {CODE_WITHOUT(kind, 0), CODE_WITHOUT(kind, 1), CODE_WITHOUT(kind, 2)},                                         \
            (kind) == TBY_PAWN ? BB_RANK_1 | BB_RANK_8 : 0, castling, targets, lane, shift, kind,                      \
            (kind) == TBY_PAWN ? 1 : 0xff,                                                                             \
        {                                                                                                              \
            0                                                                                                          \
        }                                                                                                              \
    }
#define CODE_KINDS_OF(pawn_targets, back_rank)                                                                         \
    {                                                                                                                  \
        CODE_KIND(TBY_PAWN, 0, pawn_targets, 0, 2), CODE_KIND(TBY_KNIGHT, 0, 512, CODE_LANE_BITS + 0, 3),              \
            CODE_KIND(TBY_BISHOP, 0, 1024, CODE_LANE_BITS + 12, 4),                                                    \
            CODE_KIND(TBY_ROOK, 0, 2048, CODE_LANE_BITS + 24, 4),                                                      \
            CODE_KIND(TBY_QUEEN, 0, 3072, CODE_LANE_BITS + 36, 5),                                                     \
            CODE_KIND(TBY_KING, back_rank, 5120, CODE_LANE_BITS + 48, 4)                                               \
    }
static const code_kind CODED_KINDS[2][CODE_KINDS] = {CODE_KINDS_OF(0, BB_RANK_1), CODE_KINDS_OF(256, BB_RANK_8)};

TBY_INLINE tby_bitboard code_pieces(const tby_board *b, const code_kind *kind, tby_color us)
{
    return (b->plane[0] ^ kind->without[0]) & (b->plane[1] ^ kind->without[1]) & (b->plane[2] ^ kind->without[2]) &
           (us == TBY_BLACK ? board_black(b) : ~board_black(b));
}

TBY_INLINE unsigned code_start(code_starts starts, const code_kind *kind)
{
#ifdef TBY_VARIANT_V3
    return (unsigned)__bextr_u64(starts, kind->lane);
#else
    return (unsigned)(starts >> (kind->lane & 63)) & ((1U << (kind->lane >> 8)) - 1);
#endif
}

/* ---- Reading -------------------------------------------------------------------------------------------- */

/* The n-th square of a set, from 0. */
TBY_INLINE unsigned code_nth(tby_bitboard set, unsigned n)
{
#ifdef TBY_VARIANT_V3
    return bb_first(_pdep_u64(1ULL << n, set));
#else
    for (; n > 0 && set; n--)
        set = bb_rest(set);
    return bb_first(set | 1ULL << 63);
#endif
}

/* A decoded move: the kind, the origin, the target (64 = none) and the code within the piece. */
typedef struct coded_move {
    const code_kind *kind;
    unsigned from, to, code;
} coded_move;

/* `code` is less than the number of codes. */
TBY_INLINE coded_move code_read(const tby_board *b, code_starts starts, unsigned code, tby_color us)
{
    const unsigned kind = bb_count((code * CODE_ONES + CODE_FLAGS - starts) & CODE_FLAGS);
    const code_kind *k = &CODED_KINDS[us][kind];
    __asm__("" : "+r"(k)); /* otherwise compilers recompute it for each use */
    const unsigned within = code - code_start(starts, k);
    coded_move m = {.kind = k, .code = within & ((1U << k->shift) - 1)};
    TBY_CONTRACT(within >> k->shift < bb_count(code_pieces(b, k, us)));
    const uint8_t *targets = code_targets + k->targets + m.code; /* does not wait for the origin */
    m.from = code_nth(code_pieces(b, k, us), within >> k->shift);
    m.to = targets[(size_t)m.from << k->shift];
    return m;
}

/* ---- Writing -------------------------------------------------------------------------------------------- */

/* The codes of steppers by target - origin, modulo 64: white pawn, black pawn, knight, king; none for sliders. */
enum { CODE_STEPS_KNIGHT = 2, CODE_STEPS_KING, CODE_STEPS_NONE };
static const uint8_t CODE_STEPS[5][64] = {
    {[8] = 0, [16] = 1, [7] = 2, [9] = 3},
    {[64 - 8] = 0, [64 - 16] = 1, [64 - 9] = 2, [64 - 7] = 3},
    {[17] = 0, [10] = 1, [64 - 6] = 2, [64 - 15] = 3, [64 - 17] = 4, [64 - 10] = 5, [6] = 6, [15] = 7},
    {[8] = 0, [1] = 1, [64 - 8] = 2, [64 - 1] = 3, [9] = 4, [64 - 7] = 5, [64 - 9] = 6, [7] = 7},
    {0},
};

/* The code of a legal move within its piece. No branch except for castling, because kinds cannot be predicted. */
TBY_INLINE unsigned code_within(tby_kind kind, unsigned from, unsigned to, tby_move m, tby_color us)
{
    static const struct {
        uint8_t slides; /* which of a queen's codes it has: rooks 0-15, bishops 16-31 */
        uint8_t steps;  /* the row of CODE_STEPS */
    } ways[8][2] = {
        [TBY_PAWN] = {{0, 0}, {0, 1}},
        [TBY_KNIGHT] = {{0, CODE_STEPS_KNIGHT}, {0, CODE_STEPS_KNIGHT}},
        [TBY_BISHOP] = {{15, CODE_STEPS_NONE}, {15, CODE_STEPS_NONE}},
        [TBY_ROOK] = {{15, CODE_STEPS_NONE}, {15, CODE_STEPS_NONE}},
        [TBY_QUEEN] = {{31, CODE_STEPS_NONE}, {31, CODE_STEPS_NONE}},
        [TBY_KING] = {{0, CODE_STEPS_KING}, {0, CODE_STEPS_KING}},
    };
    if (__builtin_expect(TBY_MOVE_IS_CASTLING(m), 0))
        return to > from ? CODE_CASTLE_KING_SIDE : CODE_CASTLE_QUEEN_SIDE;
    return (queen_codes[from][to] & ways[kind][us].slides) | CODE_STEPS[ways[kind][us].steps][(to - from) & 63];
}

TBY_INLINE unsigned code_write(const tby_board *b, code_starts starts, tby_piece piece, tby_move m, tby_color us)
{
    static const uint8_t codes[8] = {
        [TBY_PAWN] = CODE_PAWN, [TBY_KNIGHT] = CODE_KNIGHT, [TBY_BISHOP] = CODE_BISHOP,
        [TBY_ROOK] = CODE_ROOK, [TBY_QUEEN] = CODE_QUEEN,   [TBY_KING] = CODE_KING,
    };
    const unsigned from = m & 63, to = (m >> 6) & 63;
    const code_kind *k = &CODED_KINDS[us][codes[piece & 7]];
    const unsigned nth = bb_count(code_pieces(b, k, us) & (bb_square(from) - 1));
    return code_start(starts, k) + (nth << k->shift) + code_within(TBY_PIECE_KIND(piece), from, to, m, us);
}

#endif
