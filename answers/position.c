/*
 * position.c - FEN as the commands and the server read it: from text to a setup or a position.
 */
#include "position.h"

#include <stdio.h>
#include <string.h>

static const char start_fen[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

span fen_named(const char *s, size_t n)
{
    const bool is_start = n == strlen("startpos") && memcmp(s, "startpos", n) == 0;
    return is_start ? (span){start_fen, strlen(start_fen)} : (span){s, n};
}

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

bool fen_setup(tby_setup *out, span fen, unsigned flags, unsigned *warnings, problem *p)
{
    tby_error err;
    char text[TBY_ERROR_SIZE];
    if (tby_fen_read(out, fen.s, fen.n, flags, warnings, &err) == TBY_OK)
        return true;
    tby_fen_error_write(text, sizeof text, &err);
    return problem_tell(p, PROBLEM_ASKED, "%s", text);
}

bool fen_faults(tby_faults faults, problem *p)
{
    problem_tell(p, PROBLEM_ASKED, "not a legal position:");
    size_t n = strlen(p->text);
    for (unsigned bit = 0; bit < 32 && n < sizeof p->text; bit++)
        if (faults >> bit & 1)
            n += (size_t)snprintf(p->text + n, sizeof p->text - n, "\n  %s", tby_fault_text((tby_faults)1 << bit));
    return false;
}

bool fen_position(tby_position *out, span fen, unsigned flags, tby_faults allowed, problem *p)
{
    tby_setup setup;
    if (!fen_setup(&setup, fen, flags, NULL, p))
        return false;
    const tby_faults faults = tby_setup_faults(&setup) & ~allowed;
    return (!faults && tby_position_init(out, &setup, allowed, NULL) == TBY_OK) || fen_faults(faults, p);
}
