/*
 * san_plain.h - reads, checks and plays the usual SAN moves in one step, to read millions of games.
 *
 *     plain = ( piece ( file | rank )? x? square | square | file x square ) ( + | # )?      piece = K Q R B N
 *
 * The parts are found from the end of the text: a mark, the square before it, an x before that. Pieces of all kinds
 * take the same path, without a branch on the kind. The move is legal if the king is not attacked on the board after
 * it: this covers checks and pins without looking for them.
 *
 * Refuses everything else (castling, promotion, en passant, a second candidate that is pinned, illegal moves), which
 * the other SAN readers handle. A missing or superfluous x does not matter.
 */
#ifndef TBY_NOTATION_SAN_PLAIN_H
#define TBY_NOTATION_SAN_PLAIN_H

#include "position/attackers.h"
#include "position/play.h"

/* For xor with the three planes of kinds: turns them into planes that are all set where a piece of the kind is. */
#define SAN_FLIPS(kind)                                                                                                \
    {                                                                                                                  \
        (kind) & 1 ? 0 : ~0ULL, (kind)&2 ? 0 : ~0ULL, (kind)&4 ? 0 : ~0ULL                                             \
    }
static const tby_bitboard san_flips_of_kind[8][3] = {
    [TBY_BISHOP] = SAN_FLIPS(TBY_BISHOP), [TBY_KNIGHT] = SAN_FLIPS(TBY_KNIGHT), [TBY_ROOK] = SAN_FLIPS(TBY_ROOK),
    [TBY_KING] = SAN_FLIPS(TBY_KING),     [TBY_QUEEN] = SAN_FLIPS(TBY_QUEEN),
};
#undef SAN_FLIPS

/* The kind that a first letter means: a piece, or a pawn for a file letter. 0 for anything else. */
static const uint8_t san_kind_of_letter[256] = {
    ['a'] = TBY_PAWN, ['b'] = TBY_PAWN,  ['c'] = TBY_PAWN, ['d'] = TBY_PAWN,   ['e'] = TBY_PAWN,
    ['f'] = TBY_PAWN, ['g'] = TBY_PAWN,  ['h'] = TBY_PAWN, ['N'] = TBY_KNIGHT, ['B'] = TBY_BISHOP,
    ['R'] = TBY_ROOK, ['Q'] = TBY_QUEEN, ['K'] = TBY_KING,
};

#define SAN_FILE_OF(n) (BB_FILE_A << (n))
#define SAN_RANK_OF(n) (BB_RANK_1 << 8 * (n))
/* The origin squares that a file or a rank allows. None for anything else. */
static const tby_bitboard san_origins_of_letter[256] = {
    ['a'] = SAN_FILE_OF(0), ['b'] = SAN_FILE_OF(1), ['c'] = SAN_FILE_OF(2), ['d'] = SAN_FILE_OF(3),
    ['e'] = SAN_FILE_OF(4), ['f'] = SAN_FILE_OF(5), ['g'] = SAN_FILE_OF(6), ['h'] = SAN_FILE_OF(7),
    ['1'] = SAN_RANK_OF(0), ['2'] = SAN_RANK_OF(1), ['3'] = SAN_RANK_OF(2), ['4'] = SAN_RANK_OF(3),
    ['5'] = SAN_RANK_OF(4), ['6'] = SAN_RANK_OF(5), ['7'] = SAN_RANK_OF(6), ['8'] = SAN_RANK_OF(7),
};
#undef SAN_FILE_OF
#undef SAN_RANK_OF

/* Of several pieces that could go to `to` on the empty board, the only one with a free path; 0 if there are several or
   none. */
static __attribute__((noinline, unused)) tby_bitboard san_plain_free_origin(tby_bitboard origins, unsigned to,
                                                                            tby_bitboard occupied)
{
    for (tby_bitboard set = origins; set; set = bb_rest(set))
        if (squares_between(bb_first(set), to) & occupied)
            origins ^= set & -set;
    return bb_many(origins) ? 0 : origins;
}

/* The square of the only piece of that kind that can go to `to`, or 0. Looks at the empty board first, which usually
   leaves one piece to check. */
TBY_INLINE tby_bitboard san_plain_piece_origin(const tby_board *b, unsigned kind, unsigned to, tby_bitboard origins,
                                               tby_color us)
{
    const tby_bitboard *flips = san_flips_of_kind[kind], black = board_black(b), occupied = board_occupied(b);
    origins &= reach_table[kind][to] & (us == TBY_BLACK ? black : ~black);
    origins &= (b->plane[0] ^ flips[0]) & (b->plane[1] ^ flips[1]) & (b->plane[2] ^ flips[2]);
    if (__builtin_expect(bb_many(origins), 0))
        return san_plain_free_origin(origins, to, occupied);
    return origins && !(squares_between(bb_first(origins), to) & occupied) ? origins : 0;
}

/* The same for a pawn, on any file or, if it captures, on `file`. Not en passant, not to the last rank. */
TBY_INLINE tby_bitboard san_plain_pawn_origin(const tby_board *b, unsigned to, bool takes, tby_bitboard file,
                                              tby_color us)
{
    const tby_color them = color_other(us);
    const tby_bitboard target = bb_square(to) & ~bb_back_rank(them), occupied = board_occupied(b);
    const tby_bitboard pawns = board_pawns(b) & board_color(b, us);
    const tby_bitboard double_rank = us == TBY_WHITE ? BB_RANK_2 : BB_RANK_7;
    const tby_bitboard one_back = bb_forward(target & ~occupied, them);
    const tby_bitboard two_back = bb_forward(one_back & ~occupied, them) & double_rank;
    return (takes ? bb_pawn_attacks(target & board_color(b, them), them) & file : one_back | two_back) & pawns;
}

/* Plays the move of the piece on `origin`. False if it captures an own piece or leaves the king attacked. */
TBY_INLINE bool san_plain_play(tby_position *after, const tby_position *before, tby_bitboard origin, unsigned to,
                               tby_color us, tby_kind kind, tby_move *move)
{
    const unsigned from = bb_first(origin);
    tby_board board;
    const tby_piece captured = board_moved(&board, &before->board, from, to);
    const bool takes_own = us == TBY_BLACK ? captured >= 8 : (unsigned)captured - 1 < 7;
    if (__builtin_expect(takes_own || king_attackers(&board, us), 0))
        return false;
    after->board = board;
    position_follow(after, before, from, to, us, kind, captured);
    *move = TBY_MOVE(from, to, 0);
    return true;
}

/* Reads the word s..end as a move of `us`; the byte before it must be readable. True if it is plain and legal; then
   `after`, which must not be `before`, is the position after it. */
TBY_INLINE bool san_play_plain(tby_position *after, const tby_position *before, const char *s, const char *end,
                               tby_color us, tby_move *move)
{
    end -= end[-1] == '+' || end[-1] == '#';
    const unsigned file = (unsigned)(unsigned char)end[-2] - 'a', rank = (unsigned)(unsigned char)end[-1] - '1';
    const unsigned kind = san_kind_of_letter[(unsigned char)*s], to = 8 * rank + file, takes = end[-3] == 'x';
    const size_t n_before = (size_t)(end - 2 - s) - takes; /* letters before the square and the x */
    if (__builtin_expect((file | rank) > 7, 0))
        return false;
    if (kind == TBY_PAWN) {
        const tby_bitboard origin =
            san_plain_pawn_origin(&before->board, to, takes, san_origins_of_letter[(unsigned char)*s], us);
        if (__builtin_expect(n_before != takes || !origin, 0))
            return false;
        return san_plain_play(after, before, origin, to, us, TBY_PAWN, move);
    }
    if (__builtin_expect(!kind || n_before > 2, 0))
        return false;
    const tby_bitboard given = n_before == 2 ? san_origins_of_letter[(unsigned char)s[1]] : ~0ULL;
    const tby_bitboard origin = san_plain_piece_origin(&before->board, kind, to, given, us);
    if (__builtin_expect(!origin, 0))
        return false;
    return san_plain_play(after, before, origin, to, us, (tby_kind)kind, move);
}

#endif
