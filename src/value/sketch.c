/*
 * sketch.c - finds the games that may contain a position from 32 bytes of each.
 */
#include "value/sketch.h"

#include "base/variant.h"
#include "value/target.h"

#include <string.h>

TBY_KERNEL(void, sketch_make, (uint8_t out[SKETCH_SIZE], const uint8_t *bytes, size_t n), (out, bytes, n))
{
    const size_t shown = SKETCH_SIZE - SKETCH_MOVES, n_moves = n - TBY_PACKED_TRAILER_SIZE;
    memset(out, 0, SKETCH_SIZE);
    memcpy(out, bytes + n_moves, TBY_PACKED_TRAILER_SIZE);
    memcpy(out + SKETCH_MOVES, bytes, n_moves < shown ? n_moves : shown);
}

TBY_KERNEL(bool, sketch_begin, (tby_packed * cursor, const uint8_t *sketch), (cursor, sketch))
{
    if (sketch[SKETCH_MOVES] != (PACKED_VERSION << 4 | PACKED_START_USUAL))
        return false;
    tby_position_start(&cursor->pos);
    cursor->at = sketch + SKETCH_MOVES + 1;
    cursor->end = sketch + SKETCH_SIZE;
    return true;
}

TBY_INLINE bool fits_any(const tby_target *targets, size_t n_targets, const uint8_t *sketch)
{
    for (size_t i = 0; i < n_targets; i++)
        if (target_fits(&targets[i], sketch))
            return true;
    return false;
}

TBY_KERNEL(size_t, sketch_next,
           (const uint8_t *sketches, size_t n, size_t at, const tby_target *targets, size_t n_targets),
           (sketches, n, at, targets, n_targets))
{
    if (n_targets == 1) {
        const tby_target target = targets[0];
        while (at < n && !target_fits(&target, sketches + at * SKETCH_SIZE))
            at++;
    } else {
        while (at < n && !fits_any(targets, n_targets, sketches + at * SKETCH_SIZE))
            at++;
    }
    return at;
}
