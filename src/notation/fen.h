/*
 * fen.h - what the parts of the FEN module share: the reader, and who may castle on which side.
 */
#ifndef TBY_NOTATION_FEN_H
#define TBY_NOTATION_FEN_H

#include "position/en_passant.h"

/* In this order they are the statuses from TBY_INVALID_PLACEMENT on. */
typedef enum fen_field {
    FEN_PLACEMENT,
    FEN_SIDE,
    FEN_CASTLING,
    FEN_EN_PASSANT,
    FEN_CLOCK,
    FEN_FULLMOVE,
    FEN_TRAILING
} fen_field;

/* Functions that read a part of the text get where it begins and return where it ends, or NULL if they refuse it. */
typedef struct fen_reader {
    const char *text, *end;
    unsigned flags, warnings;
    tby_setup setup;
    tby_error error;
} fen_reader;

/* fen_placement.c */
const char *fen_read_placement(fen_reader *r, const char *p);
/* fen_placement_write.c: returns the end of what is written. The byte there is overwritten too. */
char *fen_write_placement(char *p, const tby_board *b);
/* fen_usual.c: reads most FENs at once; false, and nothing written, for those that fen.c must look at. */
bool fen_read_usual(tby_position *out, const char *s, size_t n);

/* Between a word and eight bytes in memory, the lowest first. */
static inline uint64_t in_memory_order(uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return __builtin_bswap64(word);
#else
    return word;
#endif
}

/* Always NULL. */
static __attribute__((noinline, cold, unused)) const char *fen_refuse(fen_reader *r, fen_field f, const char *where,
                                                                      const char *detail, int a, int b)
{
    const tby_status status = (tby_status)((int)TBY_INVALID_PLACEMENT + (int)f);
    r->error = (tby_error){status, {a, b}, (size_t)(where - r->text), detail};
    return NULL;
}

static inline bool fen_is_strict(const fen_reader *r) { return r->flags & TBY_FEN_STRICT; }
static inline bool fen_is_blank(char c) { return c == ' ' || c == '\t'; }

/* ---- Castling on a board that may be anything ----------------------------------------------------------- */

/* A king that may castle: alone on its back rank, and not in the corner, where Chess960 never has it. */
static inline tby_bitboard fen_castling_king(const tby_board *b, tby_color color)
{
    const tby_bitboard king = board_kings(b) & board_color(b, color) & bb_back_rank(color);
    return bb_many(king) ? 0 : king & ~BB_CORNERS;
}

static inline tby_bitboard fen_castling_rooks(const tby_board *b, tby_color color)
{
    return board_rooks(b) & board_color(b, color) & bb_back_rank(color);
}

/* The part of the back rank on that side of the king; without a king all of it is the queen's side. */
static inline tby_bitboard fen_castling_wing(tby_bitboard king, tby_color color, bool queen_side)
{
    return bb_back_rank(color) & (queen_side ? king - 1 : ~(king - 1));
}

/* The one of these squares that is nearest to the edge on that side; none if there are none. */
static inline tby_bitboard fen_outermost(tby_bitboard squares, bool queen_side)
{
    if (!squares || queen_side)
        return squares & -squares;
    return 1ULL << (63 - __builtin_clzll(squares));
}

#endif
