/*
 * repetition.c - repetition of a position (FIDE 9.2, 9.6.1).
 *
 * A history is the array of all position keys of the game, the current one last. "The same" is meant as in keys.c: with
 * the same castling rights, whether or not castling is possible at the moment, and en passant only if it was legal. A
 * position before a null move does not count; the caller passes only the keys after it.
 */
#include "tabiya.h"

static unsigned count_key(uint64_t key, const uint64_t *keys, size_t n_keys)
{
    unsigned n = 0;
    for (size_t i = 0; i < n_keys; i++)
        n += keys[i] == key;
    return n;
}

unsigned tby_repetition_count(const uint64_t *keys, size_t n_keys)
{
    return n_keys ? count_key(keys[n_keys - 1], keys, n_keys) : 0;
}

bool tby_repetition_is_threefold(const uint64_t *keys, size_t n_keys)
{
    return tby_repetition_count(keys, n_keys) >= TBY_THREEFOLD_TIMES;
}

bool tby_repetition_is_fivefold(const uint64_t *keys, size_t n_keys)
{
    return tby_repetition_count(keys, n_keys) >= TBY_FIVEFOLD_TIMES;
}

bool tby_repetition_can_claim(const tby_position *pos, const uint64_t *keys, size_t n_keys)
{
    if (tby_repetition_is_threefold(keys, n_keys))
        return true;
    tby_move moves[TBY_MOVES_MAX];
    const size_t n_moves = tby_moves_list(moves, pos);
    for (size_t i = 0; i < n_moves; i++) {
        tby_position next = *pos;
        tby_position_play(&next, moves[i], NULL);
        if (count_key(tby_position_key(&next), keys, n_keys) >= TBY_THREEFOLD_TIMES - 1)
            return true;
    }
    return false;
}
