/*
 * registry.h - readers and writers that are only used by the registry.
 */
#ifndef TBY_NOTATION_REGISTRY_H
#define TBY_NOTATION_REGISTRY_H

#include "tabiya.h"

/* epd.c; takes the flags of tby_fen_read. */
tby_status epd_read(tby_setup *out, const char *s, size_t n, unsigned fen_flags, tby_error *err);
/* diagram_read.c; reads both alphabets of tby_diagram_write. */
tby_status diagram_read(tby_setup *out, const char *s, size_t n, tby_error *err);
/* iccf.c; a text has the length of a UCI move. */
tby_status iccf_read(tby_move *out, const tby_position *pos, const char *s, size_t n, tby_error *err);
size_t iccf_write(char *buf, size_t cap, const tby_position *pos, tby_move m);

#endif
