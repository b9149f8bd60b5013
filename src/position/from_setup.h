/*
 * from_setup.h - makes a position from a setup that has been checked.
 */
#ifndef TBY_POSITION_FROM_SETUP_H
#define TBY_POSITION_FROM_SETUP_H

#include "position/key.h"

/* Checks nothing: `setup` must have no fault that makes it unplayable. */
TBY_INLINE tby_position position_of_setup(const tby_setup *setup)
{
    const tby_position pos = {
        .board = setup->board,
        .placement_key = placement_key(&setup->board),
        .castling = setup->castling,
        .ply = 2 * (setup->fullmove - 1) + setup->side,
        .clock = setup->clock,
        .en_passant = setup->en_passant,
    };
    return pos;
}

#endif
