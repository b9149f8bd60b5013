/*
 * san_plain.h - reads the usual SAN moves and makes them on a board in one step, to read millions of games.
 *
 *     plain = ( piece ( file | rank )? x? square | square | file x square ) ( + | # )?      piece = K Q R B N
 *
 * The parts are found from the end of the text: a mark, the square before it, an x before that. Pieces of all kinds,
 * pawns included, take the same path without a branch on the kind, which no processor could predict.
 *
 * Refuses everything else (castling, promotion, en passant, a second candidate that is pinned, most illegal moves),
 * which the other SAN readers handle. A missing or superfluous x of a piece does not matter. Whether the king is attacked
 * on the board after the move is left to the caller: that covers checks and pins without looking for them.
 */
#ifndef TBY_NOTATION_SAN_PLAIN_H
#define TBY_NOTATION_SAN_PLAIN_H

#include "position/attackers.h"
#include "position/play.h"

/* A kind of piece of one side. The kind 7, which no square has, is that of letters that mean no piece. */
typedef struct san_piece {
    tby_bitboard planes[4]; /* all ones where the piece has a bit */
    tby_bitboard rights;    /* castling rights that all its moves lose */
    bool resets_clock;
} san_piece;

#define SAN_ALL(bit) ((bit) ? ~0ULL : 0)
#define SAN_PIECE(kind, black)                                                                                         \
    {                                                                                                                  \
        {SAN_ALL((kind)&1), SAN_ALL((kind)&2), SAN_ALL((kind)&4), SAN_ALL(black)},                                     \
            (kind) != TBY_KING ? 0                                                                                     \
            : (black)          ? BB_RANK_8                                                                             \
                               : BB_RANK_1,                                                                                     \
            (kind) == TBY_PAWN                                                                                         \
    }
#define SAN_PIECES(black)                                                                                              \
    {                                                                                                                  \
        SAN_PIECE(0, black), SAN_PIECE(1, black), SAN_PIECE(2, black), SAN_PIECE(3, black), SAN_PIECE(4, black),       \
            SAN_PIECE(5, black), SAN_PIECE(6, black), SAN_PIECE(7, black)                                              \
    }
static const san_piece san_pieces[2][8] = {SAN_PIECES(0), SAN_PIECES(1)};
#undef SAN_ALL
#undef SAN_PIECE
#undef SAN_PIECES

/* The kind that a first letter means: a piece, or a pawn for a file letter; stored as its difference from 7. */
static const uint8_t san_kind_of_letter[256] = {
    ['a'] = 7 ^ TBY_PAWN, ['b'] = 7 ^ TBY_PAWN,  ['c'] = 7 ^ TBY_PAWN, ['d'] = 7 ^ TBY_PAWN,   ['e'] = 7 ^ TBY_PAWN,
    ['f'] = 7 ^ TBY_PAWN, ['g'] = 7 ^ TBY_PAWN,  ['h'] = 7 ^ TBY_PAWN, ['N'] = 7 ^ TBY_KNIGHT, ['B'] = 7 ^ TBY_BISHOP,
    ['R'] = 7 ^ TBY_ROOK, ['Q'] = 7 ^ TBY_QUEEN, ['K'] = 7 ^ TBY_KING,
};

#define SAN_FILE_OF(n) (BB_FILE_A << (n))
#define SAN_RANK_OF(n) (BB_RANK_1 << 8 * (n))
/* The origin squares that a file or a rank allows: all for the letter NUL, none for anything else. */
static const tby_bitboard san_origins_of_letter[256] = {
    ['\0'] = ~0ULL,         ['a'] = SAN_FILE_OF(0), ['b'] = SAN_FILE_OF(1), ['c'] = SAN_FILE_OF(2),
    ['d'] = SAN_FILE_OF(3), ['e'] = SAN_FILE_OF(4), ['f'] = SAN_FILE_OF(5), ['g'] = SAN_FILE_OF(6),
    ['h'] = SAN_FILE_OF(7), ['1'] = SAN_RANK_OF(0), ['2'] = SAN_RANK_OF(1), ['3'] = SAN_RANK_OF(2),
    ['4'] = SAN_RANK_OF(3), ['5'] = SAN_RANK_OF(4), ['6'] = SAN_RANK_OF(5), ['7'] = SAN_RANK_OF(6),
    ['8'] = SAN_RANK_OF(7),
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

/* A move that was made on a board. */
typedef struct san_played {
    unsigned from, to;
    tby_kind kind;
    bool takes;
} san_played;

/* Reads the word s..end as a move of `us`, and makes it on a board; the byte before the word must be readable. True if
   it is plain, and legal unless its king is attacked then. `after` must not be `before`. */
TBY_INLINE bool san_play_plain(tby_board *after, const tby_board *before, const char *s, const char *end, tby_color us,
                               san_played *move)
{
    end -= end[-1] == '+' || end[-1] == '#';
    const unsigned file = (unsigned)(unsigned char)end[-2] - 'a', rank = (unsigned)(unsigned char)end[-1] - '1';
    const unsigned kind = 7U ^ san_kind_of_letter[(unsigned char)*s], to = 8 * rank + file, takes = end[-3] == 'x';
    const unsigned is_pawn = kind == TBY_PAWN;
    const size_t n_before = (size_t)(end - 2 - s) - takes; /* letters before the square and the x */
    const size_t is_given = n_before + is_pawn - 1;        /* 1: the last of them is the file or rank of the origin */
    if (__builtin_expect((file | rank) > 7 || is_given > 1, 0))
        return false;
    const unsigned char letter = (unsigned char)(end[-3 - (int)takes] & -(int)is_given);
    const tby_bitboard p0 = before->plane[0], p1 = before->plane[1], p2 = before->plane[2], black = before->plane[3];
    const tby_bitboard occupied = p0 | p1 | p2, own = us == TBY_BLACK ? black : ~black, target = bb_square(to);
    const tby_bitboard *planes = san_pieces[us][kind].planes;
    const tby_bitboard others = (p0 ^ planes[0]) | (p1 ^ planes[1]) | (p2 ^ planes[2]) | ~own;
    const unsigned row = kind - (is_pawn & takes) + (us == TBY_BLACK ? 7 * is_pawn : 0);
    tby_bitboard origin = origin_table[row][to] & san_origins_of_letter[letter] & ~others;
    if (__builtin_expect(bb_many(origin), 0))
        origin = san_plain_free_origin(origin, to, occupied);
    if (__builtin_expect(!origin, 0))
        return false;
    *move = (san_played){bb_first(origin), to, (tby_kind)kind, (target & occupied) != 0};
    const tby_bitboard blocked = (squares_between(move->from, to) | (target & own)) & occupied;
    if (__builtin_expect(blocked || (is_pawn & (move->takes ^ takes)), 0)) /* en passant takes on an empty square */
        return false;
    board_replace(after, before, origin | target, target, planes);
    return true;
}

#endif
