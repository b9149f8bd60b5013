/*
 * chessgame.c - packed games as values: a board of a game, its first moves, its opening, its end.
 */
#include "value/chessgame.h"

#include "codec/packed.h"

/* ---- Boards --------------------------------------------------------------------------------------------- */

/* Unchecked bytes may lead to an unplayable board, for example with a king that could be captured or a pawn that jumped
   over a piece: it must not be returned. */
static bool give_position(tby_position *out, const tby_position *pos)
{
    tby_setup setup;
    tby_position_setup(&setup, pos);
    if (tby_setup_faults(&setup) & ~(tby_faults)TBY_FAULTS_UNREACHABLE)
        return false;
    *out = *pos;
    return true;
}

bool tby_chessgame_position(tby_position *out, const uint8_t *bytes, size_t n, int64_t ply)
{
    tby_packed cursor;
    if (ply < 0 || !tby_packed_begin(&cursor, bytes, n))
        return false;
    for (int64_t i = 0; i < ply; i++)
        if (tby_packed_next(&cursor) == TBY_MOVE_NONE)
            return false;
    return give_position(out, &cursor.pos);
}

bool tby_chessgame_final(tby_position *out, const uint8_t *bytes, size_t n)
{
    tby_packed cursor;
    if (!tby_packed_begin(&cursor, bytes, n))
        return false;
    while (tby_packed_next(&cursor) != TBY_MOVE_NONE)
        ;
    return give_position(out, &cursor.pos);
}

/* ---- Other games ---------------------------------------------------------------------------------------- */

static size_t same_game(uint8_t *out, const uint8_t *bytes, size_t n)
{
    memcpy(out, bytes, n);
    return n;
}

/* Copies the bytes of the moves; the trailer describes the new end. */
size_t tby_chessgame_first(uint8_t *out, const uint8_t *bytes, size_t n, int64_t n_plies)
{
    tby_packed cursor;
    if (!tby_packed_begin(&cursor, bytes, n))
        return 0;
    trailer_maker maker = trailer_begin(&cursor.pos);
    for (int64_t i = 0; i < n_plies; i++) {
        const tby_move m = tby_packed_next(&cursor);
        if (m == TBY_MOVE_NONE)
            return same_game(out, bytes, n);
        trailer_play(&maker, &cursor.pos, m);
    }
    const size_t prefix = (size_t)(cursor.at - bytes);
    const tby_board board = cursor.pos.board;
    if (tby_packed_next(&cursor) == TBY_MOVE_NONE)
        return same_game(out, bytes, n);
    memcpy(out, bytes, prefix);
    out[prefix] = 0;
    trailer_end(out + prefix + 1, &maker, &board, TBY_RESULT_NONE);
    return prefix + 1 + TBY_PACKED_TRAILER_SIZE;
}

size_t tby_chessgame_undo(uint8_t *out, const uint8_t *bytes, size_t n)
{
    return tby_chessgame_first(out, bytes, n, (int64_t)tby_packed_n_plies(bytes, n) - 1);
}

tby_status tby_chessgame_add(uint8_t out[TBY_CHESSGAME_SIZE], size_t *n_out, const uint8_t *bytes, size_t n,
                             const char *move, size_t n_move, tby_chessgame_error *err)
{
    static const tby_error no_game = {TBY_INVALID_PACKED, {0, 0}, 0, NULL};
    tby_packed cursor;
    tby_error error;
    tby_move moves[TBY_PLIES_MAX], m;
    unsigned n_plies = 0;
    tby_position_start(&cursor.pos);
    if (!tby_packed_begin(&cursor, bytes, n))
        return chessgame_refuse(err, &no_game, &cursor.pos, 0, "", 0);
    const tby_position start = cursor.pos;
    while (n_plies < TBY_PLIES_MAX && (m = tby_packed_next(&cursor)) != TBY_MOVE_NONE)
        moves[n_plies++] = m;
    if (tby_san_read(&m, &cursor.pos, move, n_move, 0, NULL, &error) != TBY_OK)
        return chessgame_refuse(err, &error, &cursor.pos, n_plies + 1, move, n_move);
    if (n_plies == TBY_PLIES_MAX)
        return chessgame_refuse(err, &CHESSGAME_TOO_LONG, &cursor.pos, n_plies + 1, move, n_move);
    moves[n_plies++] = m;
    *n_out = tby_packed_encode(out, TBY_CHESSGAME_SIZE, &start, moves, n_plies, TBY_RESULT_NONE);
    return TBY_OK;
}

bool tby_chessgame_is_valid_move(const uint8_t *bytes, size_t n, const char *move, size_t n_move)
{
    tby_position pos;
    tby_move m;
    return tby_chessgame_final(&pos, bytes, n) && tby_san_read(&m, &pos, move, n_move, 0, NULL, NULL) == TBY_OK;
}

/* ---- Openings ------------------------------------------------------------------------------------------- */

bool tby_chessgame_has_opening(const uint8_t *bytes, size_t n, const uint8_t *opening, size_t n_opening)
{
    const size_t prefix = tby_packed_prefix(opening, n_opening);
    return prefix > 0 && prefix <= tby_packed_prefix(bytes, n) && memcmp(bytes, opening, prefix) == 0;
}

/* Among games with the same moves, the one without a result sorts first. */
size_t tby_chessgame_range_begin(uint8_t *out, const uint8_t *opening, size_t n)
{
    const size_t prefix = tby_packed_prefix(opening, n);
    if (prefix == 0)
        return 0;
    memmove(out, opening, n);
    out[prefix + 1 + TRAILER_FLAGS] &= (uint8_t)~3U;
    return n;
}

/* No move begins with 0xff: codes of one byte are at most PACKED_ONE_BYTE_CODES, and the first of two bytes is small.
 */
size_t tby_chessgame_range_end(uint8_t *out, const uint8_t *opening, size_t n)
{
    const size_t prefix = tby_packed_prefix(opening, n);
    if (prefix == 0)
        return 0;
    memcpy(out, opening, prefix);
    out[prefix] = 0xff;
    return prefix + 1;
}

/* The last byte of a trailer is two different pawns, or 0: never 0xff. */
size_t tby_chessgame_of_range_end(uint8_t *out, const uint8_t *end, size_t n)
{
    tby_packed cursor;
    if (n < 2 || end[n - 1] != 0xff)
        return 0;
    memcpy(out, end, n - 1);
    memset(out + n - 1, 0, 1 + TBY_PACKED_TRAILER_SIZE);
    if (!tby_packed_begin(&cursor, out, n + TBY_PACKED_TRAILER_SIZE))
        return 0;
    trailer_maker maker = trailer_begin(&cursor.pos);
    for (tby_move m; (m = tby_packed_next(&cursor)) != TBY_MOVE_NONE;)
        trailer_play(&maker, &cursor.pos, m);
    trailer_end(out + n, &maker, &cursor.pos.board, TBY_RESULT_NONE);
    return n + TBY_PACKED_TRAILER_SIZE;
}

/* ---- The end -------------------------------------------------------------------------------------------- */

unsigned tby_chessgame_repetitions(const uint8_t *bytes, size_t n)
{
    tby_position last;
    tby_packed cursor;
    unsigned count = 0;
    if (!tby_chessgame_final(&last, bytes, n) || !tby_packed_begin(&cursor, bytes, n))
        return 0;
    do
        count += cursor.pos.placement_key == last.placement_key && tby_position_same(&cursor.pos, &last);
    while (tby_packed_next(&cursor) != TBY_MOVE_NONE);
    return count;
}

/* Most games end far from a dead position. A little memory is enough to detect that, and is faster to clear. */
static tby_verdict search_dead(const tby_position *pos, void *work, size_t work_size)
{
    const size_t little = (size_t)TBY_DEAD_NODES / 64 * TBY_DEAD_NODE_SIZE;
    tby_verdict verdict = tby_dead_position(pos, work, work_size < little ? work_size : little);
    if (verdict == TBY_UNKNOWN && work_size > little)
        verdict = tby_dead_position(pos, work, work_size);
    return verdict;
}

tby_outcome tby_chessgame_outcome(const uint8_t *bytes, size_t n, bool with_claims, void *work, size_t work_size)
{
    tby_position pos;
    if (!tby_chessgame_final(&pos, bytes, n))
        return (tby_outcome){TBY_RESULT_NONE, TBY_REASON_NONE};
    const tby_verdict dead = tby_moves_any(&pos) ? search_dead(&pos, work, work_size) : TBY_UNKNOWN;
    return tby_outcome_of(&pos, tby_chessgame_repetitions(bytes, n), dead, with_claims);
}

const char *tby_termination_text(tby_reason reason)
{
    switch (reason) {
    case TBY_REASON_NONE: return NULL;
    case TBY_SEVENTY_FIVE_MOVES: return "75";
    case TBY_FIVEFOLD: return "fivefold";
    case TBY_FIFTY_MOVES: return "fifty";
    case TBY_THREEFOLD: return "threefold";
    default: return tby_reason_text(reason);
    }
}

tby_result tby_chessgame_result(const uint8_t *bytes, size_t n, void *work, size_t work_size)
{
    const tby_result recorded = tby_packed_result(bytes, n);
    return recorded != TBY_RESULT_NONE ? recorded : tby_chessgame_outcome(bytes, n, false, work, work_size).result;
}
