/*
 * registry.h - readers and writers that are only used by the registry, with the signature that it has for all.
 */
#ifndef TBY_NOTATION_REGISTRY_H
#define TBY_NOTATION_REGISTRY_H

#include "tabiya.h"

/* epd.c, diagram.c (both alphabets of tby_diagram_write), iccf.c (a text has the length of a UCI move) */
tby_status epd_read(tby_setup *out, const char *s, size_t n, unsigned flags, unsigned *warnings, tby_error *err);
tby_status diagram_read(tby_setup *out, const char *s, size_t n, unsigned flags, unsigned *warnings, tby_error *err);
tby_status iccf_read(tby_move *out, const tby_position *pos, const char *s, size_t n, unsigned flags, tby_error *err);
size_t iccf_write(char *buf, size_t cap, const tby_position *pos, tby_move m, unsigned flags, tby_error *err);

/* The flags of tby_fen_read. */
static inline unsigned registry_fen_flags(unsigned flags)
{
    return (flags & TBY_NOTATION_STRICT ? (unsigned)TBY_FEN_STRICT : 0) |
           (flags & TBY_NOTATION_CHESS960 ? (unsigned)TBY_FEN_CHESS960 : 0);
}

/* For readers that have none. */
static inline void registry_no_warnings(unsigned *warnings)
{
    if (warnings)
        *warnings = 0;
}

#endif
