/*
 * status.h - what the rules say about a position, collected before it is written as text or JSON.
 */
#ifndef TABIYA_COMMON_STATUS_H
#define TABIYA_COMMON_STATUS_H

#include "position.h"

typedef struct status {
    tby_setup setup;
    unsigned warnings;
    tby_faults faults;
    bool legal;    /* no faults except those allowed */
    bool playable; /* what follows is known only then */
    tby_position position;
    size_t n_moves;
    bool check, checkmate, stalemate;
    bool insufficient[2], insufficient_both;
    tby_verdict dead;
    bool fifty, seventy_five;
    tby_outcome outcome;
    tby_opening opening; /* empty if the position has no name */
} status;

/* Collects everything. A FEN that cannot be read is a problem. `allowed`: faults that do not count. */
bool status_read(status *out, span fen, unsigned flags, tby_faults allowed, problem *p);
/* One object on one line; names and order are stable, and unknown values are null. */
void status_write_json(buffer *out, const status *s);

#endif
