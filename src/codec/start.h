/*
 * start.h - the start position of a stored game, as FEN.
 *
 * Any playable position, whether or not a game leads to it. Clocks and move numbers have FEN's limits.
 */
#ifndef TBY_FORMAT_START_H
#define TBY_FORMAT_START_H

#include "tabiya_value.h"

#include <string.h>

static inline tby_status start_read(tby_position *out, const char *s, size_t n, tby_error *err)
{
    tby_setup setup;
    const tby_status status = tby_fen_read(&setup, s, n, TBY_FEN_STRICT, NULL, err);
    return status == TBY_OK ? tby_position_init(out, &setup, TBY_FAULTS_UNREACHABLE, err) : status;
}

/* The length of the FEN; 0 if no FEN leads back to this position. */
static inline size_t start_write(char fen[TBY_FEN_SIZE], const tby_position *start)
{
    tby_position back;
    const size_t n = tby_fen_write_position(fen, TBY_FEN_SIZE, start, 0);
    const bool is_good = n < TBY_FEN_SIZE && start_read(&back, fen, n, NULL) == TBY_OK &&
                         memcmp(start, &back, sizeof back) == 0;
    return is_good ? n : 0;
}

#endif
