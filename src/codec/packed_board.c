/*
 * packed_board.c - a compact encoding of a board with all six FEN fields.
 *
 *      0          8                              +0       +1      +3         +5
 *     +----------+------------------------------+--------+-------+----------+--------------------+
 *     | occupied | pieces, two per byte         | state  | clock | fullmove | odd rights: 3 more |
 *     +----------+------------------------------+--------+-------+----------+--------------------+
 *
 * Occupied squares: bit n = square n, the most significant byte first. Pieces in the order of their squares, the first
 * in the upper half of a byte; a piece is its number (tby_piece), and the unused kind 7 is a rook that may castle.
 * State: bit 7 black to move, bit 6 odd rights follow, bits 0-3 en passant file from 1, 0 = none. Clock and fullmove
 * are two bytes each, the upper first. Odd rights are castling rights without a rook, and en passant squares on an
 * impossible rank: the files of rights on rank 1, those on rank 8, and the square + 1.
 *
 * Keeps    every board has exactly one encoding: odd rights only where the state byte is not enough
 */
#include "codec/packed.h"

#include "position/board.h"

enum { STATE_BLACK = 0x80, STATE_ODD = 0x40, STATE_FILE = 0x0f, CASTLING_ROOK = 7 };

static tby_bitboard sound_rooks(const tby_setup *s)
{
    const tby_bitboard rooks = board_rooks(&s->board), black = board_black(&s->board);
    return s->castling & ((rooks & ~black & BB_RANK_1) | (rooks & black & BB_RANK_8));
}

static unsigned usual_rank(const tby_setup *s) { return s->side == TBY_WHITE ? 5 : 2; }

static bool has_odd_rights(const tby_setup *s)
{
    const bool odd_square = s->en_passant < 64 && s->en_passant >> 3 != usual_rank(s);
    return s->castling != sound_rooks(s) || odd_square;
}

size_t tby_packed_board_encode(uint8_t out[TBY_PACKED_BOARD_SIZE], const tby_setup *setup)
{
    const tby_bitboard occupied = board_occupied(&setup->board), castling = sound_rooks(setup);
    const bool odd = has_odd_rights(setup);
    uint8_t *at = out;
    for (int shift = 56; shift >= 0; shift -= 8)
        *at++ = (uint8_t)(occupied >> shift);
    bool upper = true;
    for (tby_bitboard set = occupied; set; set = bb_rest(set)) {
        const tby_square square = bb_first(set);
        unsigned piece = board_piece(&setup->board, square);
        if (castling & bb_square(square))
            piece = (piece & 8) | CASTLING_ROOK;
        if (upper)
            *at = (uint8_t)(piece << 4);
        else {
            *at = (uint8_t)(*at | piece);
            at++;
        }
        upper = !upper;
    }
    at += !upper;
    const unsigned file = setup->en_passant < 64 && !odd ? 1U + (setup->en_passant & 7) : 0;
    *at++ = (uint8_t)((setup->side == TBY_BLACK ? STATE_BLACK : 0U) | (odd ? STATE_ODD : 0U) | file);
    *at++ = (uint8_t)(setup->clock >> 8);
    *at++ = (uint8_t)setup->clock;
    *at++ = (uint8_t)(setup->fullmove >> 8);
    *at++ = (uint8_t)setup->fullmove;
    if (odd) {
        *at++ = (uint8_t)setup->castling;
        *at++ = (uint8_t)(setup->castling >> 56);
        *at++ = (uint8_t)(setup->en_passant < 64 ? setup->en_passant + 1 : 0);
    }
    return (size_t)(at - out);
}

/* Decodes the pieces; false if a number is not a piece. */
static bool decode_pieces(tby_setup *s, tby_bitboard occupied, const uint8_t *at)
{
    unsigned index = 0;
    for (tby_bitboard set = occupied; set; set = bb_rest(set), index++) {
        unsigned piece = index % 2 ? at[index / 2] & 15U : at[index / 2] >> 4U;
        if ((piece & 7) == 0)
            return false;
        if ((piece & 7) == CASTLING_ROOK) {
            s->castling |= set & -set;
            piece = (piece & 8) | TBY_ROOK;
        }
        board_add(&s->board, bb_first(set), (tby_piece)piece);
    }
    return index % 2 == 0 || (at[index / 2] & 15) == 0;
}

size_t tby_packed_board_decode(tby_setup *out, const uint8_t *bytes, size_t n)
{
    tby_setup s;
    uint8_t again[TBY_PACKED_BOARD_SIZE];
    tby_bitboard occupied = 0;
    if (n < 13)
        return 0;
    for (int i = 0; i < 8; i++)
        occupied = occupied << 8 | bytes[i];
    const size_t n_pieces = (bb_count(occupied) + 1) / 2, state_at = 8 + n_pieces;
    if (n < state_at + 5)
        return 0;
    tby_setup_clear(&s);
    s.castling = 0;
    if (!decode_pieces(&s, occupied, bytes + 8))
        return 0;
    const uint8_t *at = bytes + state_at;
    const unsigned state = at[0], file = state & STATE_FILE;
    s.side = state & STATE_BLACK ? TBY_BLACK : TBY_WHITE;
    s.clock = (uint16_t)(at[1] << 8 | at[2]);
    s.fullmove = (uint32_t)(at[3] << 8 | at[4]);
    s.en_passant = file >= 1 && file <= 8 ? TBY_SQUARE(file - 1, usual_rank(&s)) : TBY_NO_SQUARE;
    size_t used = state_at + 5;
    if (state & STATE_ODD) {
        if (n < used + 3)
            return 0;
        s.castling = (tby_bitboard)at[5] | (tby_bitboard)at[6] << 56;
        s.en_passant = at[7] >= 1 && at[7] <= 64 ? (tby_square)(at[7] - 1) : TBY_NO_SQUARE;
        used += 3;
    }
    /* Accepts only the canonical form; move numbers start at 1. */
    if (s.fullmove == 0 || tby_packed_board_encode(again, &s) != used || __builtin_memcmp(again, bytes, used) != 0)
        return 0;
    *out = s;
    return used;
}
