/*
 * unpack.h - gzip and zstd as streams: bytes in, bytes out.
 */
#ifndef TBY_IO_UNPACK_H
#define TBY_IO_UNPACK_H

#include "support/failure.h"

typedef struct unpacker unpacker;

/* Examines the first bytes of a file. NULL without a failure: not compressed. NULL with a failure: compressed, but not
   supported. */
unpacker *unpack_new(const unsigned char *s, size_t n, tby_failure *failure);
void unpack_free(unpacker *u);

/* Reads s[*at..n) and writes at most `cap` bytes; returns their number, or 0 if it needs more input. A fault is
   reported in `failure`. */
size_t unpack_some(unpacker *u, const unsigned char *s, size_t n, size_t *at, char *out, size_t cap,
                   tby_failure *failure);
/* May the file end here? */
bool unpack_is_whole(const unpacker *u);

#endif
