/*
 * zobrist.h - the constants behind the placement and position keys, and the key of a position.
 *
 *     placement key = xor of one constant for every bit of the board's planes; so piece[p][s] is the xor of up to
 *                     four constants, and planes[i][rank][byte] covers a whole rank of plane i
 *     position key  = placement ^ castling[colour][files of the rooks that may castle] ^ black to move
 *                     ^ en_passant[file], only if an en passant capture is legal
 *
 * The constants are frozen: databases store keys. Rows of zobrist_piece without a piece are zero, so that a move
 * without a capture needs no branch.
 */
#ifndef TBY_POSITION_ZOBRIST_H
#define TBY_POSITION_ZOBRIST_H

#include <stdint.h>

extern const uint64_t zobrist_piece[16][64];
extern const uint64_t zobrist_planes[4][8][256];
extern const uint64_t zobrist_castling[2][256];
extern const uint64_t zobrist_en_passant[8];
extern const uint64_t zobrist_black;
extern const uint64_t zobrist_start; /* the placement key of the start position */

#endif
