/*
 * fen.h - what the parts of the FEN module share: the reader, and which rooks may castle.
 */
#ifndef TBY_NOTATION_FEN_H
#define TBY_NOTATION_FEN_H

#include "position/en_passant.h"

/* In the order of the statuses from TBY_INVALID_PLACEMENT on. */
typedef enum fen_field {
    FEN_PLACEMENT,
    FEN_SIDE,
    FEN_CASTLING,
    FEN_EN_PASSANT,
    FEN_CLOCK,
    FEN_FULLMOVE,
    FEN_TRAILING
} fen_field;

/* Functions that read a part of the text take its start and return its end, or NULL if they refuse it. */
typedef struct fen_reader {
    const char *text, *end;
    unsigned flags, warnings;
    tby_setup setup;
    tby_error error;
} fen_reader;

/* fen_placement.c */
const char *fen_read_placement(fen_reader *r, const char *p);
/* fen_placement_write.c: returns the end of the text. The byte there is overwritten too. */
char *fen_write_placement(char *p, const tby_board *b);
/* fen_usual.c: a fast path for most FENs; false, with nothing written, if fen.c must read the text. */
bool fen_read_usual(tby_position *out, const char *s, size_t n);

/* Converts between a word and its eight bytes in memory, the lowest first. */
static inline uint64_t in_memory_order(uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return __builtin_bswap64(word);
#else
    return word;
#endif
}

/* Always returns NULL. */
static __attribute__((noinline, cold, unused)) const char *fen_refuse(fen_reader *r, fen_field f, const char *where,
                                                                      const char *detail, int a, int b)
{
    const tby_status status = (tby_status)((int)TBY_INVALID_PLACEMENT + (int)f);
    r->error = (tby_error){status, {a, b}, (size_t)(where - r->text), detail};
    return NULL;
}

static inline bool fen_is_strict(const fen_reader *r) { return r->flags & TBY_FEN_STRICT; }
static inline bool fen_is_blank(char c) { return c == ' ' || c == '\t'; }

/* ---- Castling on any board, legal or not ---------------------------------------------------------------- */

/* The king if it may castle: the only one on its back rank, and not in a corner, where Chess960 never puts it. */
static inline tby_bitboard fen_castling_king(const tby_board *b, tby_color color)
{
    const tby_bitboard king = board_kings(b) & board_color(b, color) & bb_back_rank(color);
    return bb_many(king) ? 0 : king & ~BB_CORNERS;
}

static inline tby_bitboard fen_castling_rooks(const tby_board *b, tby_color color)
{
    return board_rooks(b) & board_color(b, color) & bb_back_rank(color);
}

/* The part of the back rank on that side of the king; without a king, the whole rank is the queen's side. */
static inline tby_bitboard fen_castling_wing(tby_bitboard king, tby_color color, bool queen_side)
{
    return bb_back_rank(color) & (queen_side ? king - 1 : ~(king - 1));
}

/* The one of `squares` closest to the edge on that side; empty if there is none. */
static inline tby_bitboard fen_outermost(tby_bitboard squares, bool queen_side)
{
    if (!squares || queen_side)
        return squares & -squares;
    return 1ULL << (63 - __builtin_clzll(squares));
}

#endif
