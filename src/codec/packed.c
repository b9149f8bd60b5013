/*
 * packed.c - checks packed games, and reads facts from their bytes without replaying them.
 */
#include "codec/packed.h"
#include "notation/refuse.h"

#include <string.h>

/* ---- The trailer ---------------------------------------------------------------------------------------- */

/* The trailer at the end of the bytes; NULL if they are too short. */
static const uint8_t *trailer_of(const uint8_t *bytes, size_t n)
{
    return n >= 2 + TBY_PACKED_TRAILER_SIZE ? bytes + n - TBY_PACKED_TRAILER_SIZE : NULL;
}

bool tby_packed_summary_of(tby_packed_summary *out, const uint8_t *bytes, size_t n)
{
    const uint8_t *trailer = trailer_of(bytes, n);
    if (!trailer)
        return false;
    out->result = (tby_result)(trailer[TRAILER_FLAGS] & 3);
    out->has_promotion[TBY_WHITE] = (trailer[TRAILER_FLAGS] & 4) != 0;
    out->has_promotion[TBY_BLACK] = (trailer[TRAILER_FLAGS] & 8) != 0;
    for (unsigned i = 0; i < 10; i++) {
        const uint8_t two = trailer[TRAILER_MATERIAL + i / 2];
        out->material[i / 5][i % 5] = i % 2 ? two & 15 : two >> 4;
    }
    out->home_pawns = 0xffff;
    for (unsigned i = 0; i < trailer[TRAILER_N_GONE] && i < 16; i++)
        out->home_pawns &= (uint16_t) ~(1U << trailer_gone(trailer, i));
    return true;
}

tby_result tby_packed_result(const uint8_t *bytes, size_t n)
{
    const uint8_t *trailer = trailer_of(bytes, n);
    return trailer ? (tby_result)(trailer[TRAILER_FLAGS] & 3) : TBY_RESULT_NONE;
}

size_t tby_packed_prefix(const uint8_t *bytes, size_t n)
{
    return trailer_of(bytes, n) ? n - TBY_PACKED_TRAILER_SIZE - 1 : 0;
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

/* The start must be in its canonical form: not the usual start in the long form, and no fault. */
static bool start_is_canonical(const tby_packed *cursor, const uint8_t *bytes)
{
    uint8_t again[2 + TBY_PACKED_BOARD_SIZE + TBY_PACKED_TRAILER_SIZE];
    const size_t n = tby_packed_encode(again, sizeof again, &cursor->pos, NULL, 0, TBY_RESULT_NONE);
    const size_t n_start = n - 1 - TBY_PACKED_TRAILER_SIZE;
    return n_start == (size_t)(cursor->at - bytes) && memcmp(again, bytes, n_start) == 0;
}

tby_status tby_packed_check(const uint8_t *bytes, size_t n, tby_error *err)
{
    tby_packed cursor;
    uint8_t trailer[TBY_PACKED_TRAILER_SIZE];
    size_t n_plies = 0;
    if (!tby_packed_begin(&cursor, bytes, n) || !start_is_canonical(&cursor, bytes))
        return refuse(err, TBY_INVALID_PACKED, 0, "not the start of a packed game");
    trailer_maker maker = trailer_begin(&cursor.pos);
    for (;;) {
        const tby_position before = cursor.pos;
        const uint8_t *at = cursor.at;
        const tby_move m = tby_packed_next(&cursor);
        if (m == TBY_MOVE_NONE)
            break;
        if (m != TBY_MOVE_NULL && !tby_move_is_legal(&before, m))
            return refuse(err, TBY_INVALID_PACKED, (size_t)(at - bytes), "an illegal move");
        if (++n_plies > TBY_PLIES_MAX)
            return refuse(err, TBY_INVALID_PACKED, (size_t)(at - bytes), "more half-moves than a game can have");
        trailer_play(&maker, &cursor.pos, m);
    }
    if (cursor.at + 1 != cursor.end || *cursor.at != 0)
        return refuse(err, TBY_INVALID_PACKED, (size_t)(cursor.at - bytes), "bytes that are not a move");
    trailer_end(trailer, &maker, &cursor.pos.board, (tby_result)(cursor.end[TRAILER_FLAGS] & 3));
    if (memcmp(trailer, cursor.end, sizeof trailer) != 0)
        return refuse(err, TBY_INVALID_PACKED, (size_t)(cursor.end - bytes), "a summary that does not match the game");
    return TBY_OK;
}
