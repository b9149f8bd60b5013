/*
 * tables.h - constants that the build computes with tools/make_tables.c.
 */
#ifndef TBY_BASE_TABLES_H
#define TBY_BASE_TABLES_H

#include <stdint.h>

extern const uint64_t knight_attack_table[64];
extern const uint64_t king_attack_table[64];
extern const uint64_t pawn_attack_table[2][64]; /* white's, black's */
extern const uint64_t reach_table[8][64];       /* attacks on the empty board, by tby_kind; no pawns */
extern const uint64_t rook_rays[64];            /* on the empty board */
extern const uint64_t bishop_rays[64];
extern const uint64_t between_table[64][64]; /* between two squares on a line; else 0 */

/* The squares on a line through a square, split into those with higher and those with lower numbers. */
struct line_masks {
    uint64_t above, below;
};
extern const struct line_masks line_mask_table[64][4]; /* file, rank, rising and falling diagonal */

extern const uint8_t code_targets[7168]; /* see codec/move_code.h */
extern const uint8_t queen_codes[64][64];

#ifdef TBY_HAVE_V3
struct slider {
    uint64_t mask;           /* the squares whose occupation matters */
    uint64_t rays;           /* the attacks on the empty board */
    const uint16_t *attacks; /* by the pext of the occupied squares with `mask` */
};
extern const struct slider rook_sliders[64];
extern const struct slider bishop_sliders[64];
#endif

#endif
