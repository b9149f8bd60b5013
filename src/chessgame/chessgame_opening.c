/*
 * chessgame_opening.c - the part of a game that has a name.
 *
 * In its own file, so that only programs that ask for openings are linked with their table.
 */
#include "tabiya_value.h"

size_t tby_chessgame_named_opening(uint8_t *out, const uint8_t *bytes, size_t n)
{
    tby_opening opening;
    const int ply = tby_opening_of_chessgame(&opening, bytes, n);
    const size_t length = ply < 0 ? 0 : tby_chessgame_first(out, bytes, n, ply);
    return tby_chessgame_range_begin(out, out, length);
}
