/*
 * chessgame_opening.c - the named opening of a game.
 *
 * In a file of its own, so that only programs that use openings are linked with their table.
 */
#include "tabiya_value.h"

size_t tby_chessgame_named_opening(uint8_t *out, const uint8_t *bytes, size_t n)
{
    tby_opening opening;
    const int ply = tby_opening_of_chessgame(&opening, bytes, n);
    const size_t length = ply < 0 ? 0 : tby_chessgame_first(out, bytes, n, ply);
    return tby_chessgame_range_begin(out, out, length);
}
