/*
 * registry.h - readers of positions that only the registry offers.
 */
#ifndef TBY_NOTATION_REGISTRY_H
#define TBY_NOTATION_REGISTRY_H

#include "tabiya.h"

/* epd.c; `fen_flags` are those of tby_fen_read. */
tby_status tby_epd_read(tby_setup *out, const char *s, size_t n, unsigned fen_flags, tby_error *err);
/* diagram_read.c; both alphabets of tby_diagram_write. */
tby_status tby_diagram_read(tby_setup *out, const char *s, size_t n, tby_error *err);

#endif
