/*
 * packed.c - packs games, checks them, and tells what their bytes say without replaying.
 *
 * The trailer, behind the 0x00 that ends the moves, is what order must not see:
 *
 *     0   result (bits 0-1), white has promoted (bit 2), black has (bit 3)
 *     1   home pawns of white, a2 = bit 0        2   home pawns of black, a7 = bit 0
 *     3   white pawns * 16 + knights             4   white bishops * 16 + rooks
 *     5   white queens * 16 + black pawns        6   black knights * 16 + bishops
 *     7   black rooks * 16 + queens              8   0, reserved
 *
 * Keeps    one form for one game: summaries and starts are never stored otherwise than they are computed
 */
#include "codec/packed.h"

#include "codec/move_code.h"

#include <string.h>

/* ---- The trailer ---------------------------------------------------------------------------------------- */

static unsigned count_piece(const tby_board *b, tby_color color, tby_kind kind)
{
    const unsigned n = bb_count(board_kind(b, kind) & board_color(b, color));
    return n < 15 ? n : 15;
}

static void summarise(uint8_t out[TBY_PACKED_TRAILER_SIZE], const tby_board *b, unsigned promotions, tby_result result)
{
    static const tby_kind kinds[5] = {TBY_PAWN, TBY_KNIGHT, TBY_BISHOP, TBY_ROOK, TBY_QUEEN};
    const tby_bitboard pawns = board_pawns(b);
    memset(out, 0, TBY_PACKED_TRAILER_SIZE);
    out[0] = (uint8_t)((unsigned)result | promotions << 2);
    out[1] = (uint8_t)((pawns & ~board_black(b)) >> 8);
    out[2] = (uint8_t)((pawns & board_black(b)) >> 48);
    for (unsigned i = 0; i < 10; i++) {
        const unsigned n = count_piece(b, i < 5 ? TBY_WHITE : TBY_BLACK, kinds[i % 5]);
        out[3 + i / 2] = (uint8_t)(out[3 + i / 2] | (i % 2 ? n : n << 4));
    }
}

/* The trailer of bytes that end in one; NULL if they are too short. */
static const uint8_t *trailer_of(const uint8_t *bytes, size_t n)
{
    return n >= 2 + TBY_PACKED_TRAILER_SIZE ? bytes + n - TBY_PACKED_TRAILER_SIZE : NULL;
}

bool tby_packed_summary_of(tby_packed_summary *out, const uint8_t *bytes, size_t n)
{
    const uint8_t *trailer = trailer_of(bytes, n);
    if (!trailer)
        return false;
    out->result = (tby_result)(trailer[0] & 3);
    out->has_promotion[TBY_WHITE] = (trailer[0] & 4) != 0;
    out->has_promotion[TBY_BLACK] = (trailer[0] & 8) != 0;
    out->home_pawns = (uint16_t)(trailer[1] | trailer[2] << 8);
    for (unsigned i = 0; i < 10; i++)
        out->material[i / 5][i % 5] = i % 2 ? trailer[3 + i / 2] & 15 : trailer[3 + i / 2] >> 4;
    return true;
}

tby_result tby_packed_result(const uint8_t *bytes, size_t n)
{
    const uint8_t *trailer = trailer_of(bytes, n);
    return trailer ? (tby_result)(trailer[0] & 3) : TBY_RESULT_NONE;
}

size_t tby_packed_prefix(const uint8_t *bytes, size_t n)
{
    return trailer_of(bytes, n) ? n - TBY_PACKED_TRAILER_SIZE - 1 : 0;
}

/* ---- Packing -------------------------------------------------------------------------------------------- */

/* Counts every byte, stores those that fit. */
typedef struct byte_writer {
    uint8_t *out;
    size_t cap, n;
} byte_writer;

static void put(byte_writer *w, unsigned byte)
{
    if (w->n < w->cap)
        w->out[w->n] = (uint8_t)byte;
    w->n++;
}

static void put_start(byte_writer *w, const tby_position *start)
{
    uint8_t board[TBY_PACKED_BOARD_SIZE];
    tby_position usual;
    tby_setup setup;
    tby_position_start(&usual);
    if (memcmp(start, &usual, sizeof usual) == 0) {
        put(w, PACKED_VERSION << 4 | PACKED_START_USUAL);
        return;
    }
    put(w, PACKED_VERSION << 4 | PACKED_START_OTHER);
    tby_position_setup(&setup, start);
    const size_t n = tby_packed_board_encode(board, &setup);
    for (size_t i = 0; i < n; i++)
        put(w, board[i]);
}

static void put_move(byte_writer *w, const tby_position *pos, tby_move m)
{
    const tby_color us = position_side(pos);
    const code_space space = code_space_of(&pos->board, us);
    const unsigned code = code_write(&space, &pos->board, m, us);
    if (space.n_codes > PACKED_ONE_BYTE_CODES) {
        put(w, 1 + code / 128);
        put(w, 1 + code % 128);
    } else
        put(w, 1 + code);
    for (unsigned i = 0; TBY_MOVE_IS_PROMOTION(m) && i < 4; i++)
        if (PACKED_PROMOTIONS[i] == TBY_MOVE_KIND(m))
            put(w, PACKED_PROMOTION_FIRST + i);
}

size_t tby_packed_encode(uint8_t *out, size_t cap, const tby_position *start, const tby_move *moves, size_t n_plies,
                         tby_result result)
{
    byte_writer w = {out, cap, 0};
    tby_position pos = *start;
    unsigned promotions = 0;
    uint8_t trailer[TBY_PACKED_TRAILER_SIZE];
    if (n_plies > TBY_PLIES_MAX)
        return 0;
    put_start(&w, start);
    for (size_t i = 0; i < n_plies; i++) {
        put_move(&w, &pos, moves[i]);
        if (TBY_MOVE_IS_PROMOTION(moves[i]))
            promotions |= 1U << position_side(&pos);
        position_play(&pos, moves[i], position_side(&pos));
    }
    put(&w, 0);
    summarise(trailer, &pos.board, promotions, result);
    for (size_t i = 0; i < sizeof trailer; i++)
        put(&w, trailer[i]);
    return w.n;
}

/* ---- Unpacking ------------------------------------------------------------------------------------------ */

bool tby_packed_begin(tby_packed *cursor, const uint8_t *bytes, size_t n)
{
    tby_setup setup;
    if (n < 2 + TBY_PACKED_TRAILER_SIZE || bytes[0] >> 4 != PACKED_VERSION)
        return false;
    cursor->at = bytes + 1;
    cursor->end = bytes + n - TBY_PACKED_TRAILER_SIZE;
    if ((bytes[0] & 15) == PACKED_START_USUAL) {
        tby_position_start(&cursor->pos);
        return true;
    }
    if ((bytes[0] & 15) != PACKED_START_OTHER)
        return false;
    const size_t used = tby_packed_board_decode(&setup, cursor->at, (size_t)(cursor->end - cursor->at));
    cursor->at += used;
    return used && tby_position_init(&cursor->pos, &setup, TBY_FAULTS_UNREACHABLE, NULL) == TBY_OK;
}

size_t tby_packed_n_plies(const uint8_t *bytes, size_t n)
{
    tby_packed cursor;
    size_t n_plies = 0;
    if (!tby_packed_begin(&cursor, bytes, n))
        return 0;
    while (tby_packed_next(&cursor) != TBY_MOVE_NONE)
        n_plies++;
    return n_plies;
}

static tby_status damaged(tby_error *err, size_t offset, const char *detail)
{
    if (err) {
        const tby_error error = {TBY_INVALID_PACKED, {0, 0}, offset, detail};
        *err = error;
    }
    return TBY_INVALID_PACKED;
}

/* The start must be stored as it would be: not the usual one in long form, no fault. */
static bool start_is_canonical(const tby_packed *cursor, const uint8_t *bytes)
{
    uint8_t again[1 + TBY_PACKED_BOARD_SIZE];
    byte_writer w = {again, sizeof again, 0};
    put_start(&w, &cursor->pos);
    return w.n == (size_t)(cursor->at - bytes) && memcmp(again, bytes, w.n) == 0;
}

tby_status tby_packed_check(const uint8_t *bytes, size_t n, tby_error *err)
{
    tby_packed cursor;
    uint8_t trailer[TBY_PACKED_TRAILER_SIZE];
    unsigned promotions = 0;
    size_t n_plies = 0;
    if (!tby_packed_begin(&cursor, bytes, n) || !start_is_canonical(&cursor, bytes))
        return damaged(err, 0, "no packed game begins like this");
    for (;;) {
        const tby_position before = cursor.pos;
        const uint8_t *at = cursor.at;
        const tby_move m = tby_packed_next(&cursor);
        if (m == TBY_MOVE_NONE)
            break;
        if (!tby_move_is_legal(&before, m) || ++n_plies > TBY_PLIES_MAX)
            return damaged(err, (size_t)(at - bytes), "an illegal move");
        if (TBY_MOVE_IS_PROMOTION(m))
            promotions |= 1U << position_side(&before);
    }
    if (cursor.at + 1 != cursor.end || *cursor.at != 0)
        return damaged(err, (size_t)(cursor.at - bytes), "a move that is none");
    summarise(trailer, &cursor.pos.board, promotions, (tby_result)(cursor.end[0] & 3));
    if (memcmp(trailer, cursor.end, sizeof trailer) != 0)
        return damaged(err, (size_t)(cursor.end - bytes), "a summary that is not the game's");
    return TBY_OK;
}
