/*
 * tables.h - constants that the build computes with tools/make_tables.c.
 */
#ifndef TBY_BASE_TABLES_H
#define TBY_BASE_TABLES_H

#include <stdint.h>

/* The tables of the move generator, in one structure so that a single register holds their address. */
extern const struct attack_tables {
    uint64_t knight[64], king[64];
    uint64_t pawn[2][64];                    /* white's, black's */
    uint64_t rook_rays[64], bishop_rays[64]; /* on the empty board */
#ifdef TBY_HAVE_V3
    uint64_t rook_mask[64], bishop_mask[64]; /* the squares whose occupation matters */
    const uint16_t *rook[64], *bishop[64];   /* attacks, for pdep with the rays, by the pext of the occupied squares */
#endif
} attack_tables;

/* Where a piece may come from on the empty board, by tby_kind. White pawns that capture have the row 0, black ones 7,
   black ones that do not 8. Pawns that promote are left out. */
extern const uint64_t origin_table[9][64];
extern const uint64_t between_table[64][64]; /* between two squares on a line; else 0 */

/* For sliders without pext; see attacks.h. */
struct rook_lines {
    uint64_t rank, file;               /* without the square itself */
    uint64_t rank_factor, file_factor; /* move the inner six squares to the top bits */
};
extern const struct rook_lines rook_line_table[64];
extern const uint64_t diagonal_table[64][2]; /* the rising and the falling diagonal without the square itself */
/* Attacks by the slider's file or rank and the occupied ones of the inner six squares: along a rank, repeated on all
   ranks, and along a file, repeated on all files. */
extern const uint64_t rank_attack_table[8][64];
extern const uint64_t file_attack_table[8][64];

/* The squares on a line through a square, split into those with higher and those with lower numbers. */
struct line_masks {
    uint64_t above, below;
};
extern const struct line_masks line_mask_table[64][4]; /* file, rank, rising and falling diagonal */

extern const uint8_t code_targets[7168]; /* see codec/move_code.h */
extern const uint8_t queen_codes[64][64];

/* ---- The constants behind the placement and position keys -------------------------------------------------------- */

/*
 *     placement key = xor of one constant for every bit of the board's planes; so piece[p][s] is the xor of up to
 *                     four constants, and planes[i][rank][byte] covers a whole rank of plane i
 *     position key  = placement ^ castling[colour][files of the rooks that may castle] ^ black to move
 *                     ^ en_passant[file], only if an en passant capture is legal
 *
 * The constants are frozen: databases store keys. Rows of zobrist_piece without a piece are zero, so that a move
 * without a capture needs no branch.
 */
extern const uint64_t zobrist_piece[16][64];
extern const uint64_t zobrist_planes[4][8][256];
extern const uint64_t zobrist_castling[2][256];
extern const uint64_t zobrist_en_passant[8];
extern const uint64_t zobrist_black;
extern const uint64_t zobrist_start; /* the placement key of the start position */

#endif
