/*
 * opening.c - the names of openings, by position.
 *
 * A position is looked up by its key, so it has its name whatever moves led to it. A game has the name of its last
 * named position; the walk stops when the pawns that have moved rule out any further named position.
 *
 * Only programs that use openings contain the table: nothing else in the library refers to it.
 */
#include "opening/openings.h"
#include "tabiya_value.h"

#include "codec/packed.h"
#include "position/key.h"

static void name_of(tby_opening *out, size_t index)
{
    out->eco = opening_text + opening_places[index];
    out->name = out->eco + OPENING_ECO_SIZE;
}

bool tby_opening_at(tby_opening *out, size_t index)
{
    if (index >= opening_firsts[1 << OPENING_FIRST_BITS])
        return false;
    name_of(out, index);
    return true;
}

int opening_number(uint64_t key)
{
    const uint64_t bucket = key >> (64 - OPENING_FIRST_BITS);
    const unsigned end = opening_firsts[bucket + 1];
    for (unsigned i = opening_firsts[bucket]; i < end; i++)
        if (opening_keys[i] == key)
            return (int)i;
    return -1;
}

static bool find(tby_opening *out, uint64_t key)
{
    const int number = opening_number(key);
    if (number >= 0)
        name_of(out, (size_t)number);
    return number >= 0;
}

bool tby_opening_of(tby_opening *out, const tby_position *pos) { return find(out, tby_position_key(pos)); }

bool opening_is_beyond(const tby_board *board)
{
    const unsigned home = home_pawn_bits(home_pawn_squares(board));
    return !(opening_ahead[home >> 6] >> (home & 63) & 1);
}

int tby_opening_of_chessgame(tby_opening *out, const uint8_t *bytes, size_t n)
{
    tby_packed cursor;
    int last = -1;
    if (!tby_packed_begin(&cursor, bytes, n))
        return -1;
    for (int ply = 0; !opening_is_beyond(&cursor.pos.board); ply++) {
        if (find(out, position_key(&cursor.pos, position_side(&cursor.pos))))
            last = ply;
        if (tby_packed_next(&cursor) == TBY_MOVE_NONE)
            break;
    }
    return last;
}

/* ---- As games ---------------------------------------------------------------------------------------------------- */

size_t tby_chessgame_named_opening(uint8_t *out, const uint8_t *bytes, size_t n)
{
    tby_opening opening;
    const int ply = tby_opening_of_chessgame(&opening, bytes, n);
    const size_t length = ply < 0 ? 0 : tby_chessgame_first(out, bytes, n, ply);
    return tby_chessgame_range_begin(out, out, length);
}
