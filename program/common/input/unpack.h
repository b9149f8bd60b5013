/*
 * unpack.h - gzip and zstd as streams: bytes in, bytes out.
 */
#ifndef TABIYA_INPUT_UNPACK_H
#define TABIYA_INPUT_UNPACK_H

#include <stdbool.h>
#include <stddef.h>

typedef struct unpacker unpacker;

/* Looks at the first bytes of a file. NULL and no `error`: they are not compressed. NULL and an error: they are, but
   cannot be unpacked. */
unpacker *unpack_new(const unsigned char *s, size_t n, const char **error);
void unpack_free(unpacker *u);

/* Takes from s[*at..n) and writes at most `cap` bytes, whose number is returned; 0 asks for more input. A fault is
   reported in `error`. */
size_t unpack_some(unpacker *u, const unsigned char *s, size_t n, size_t *at, char *out, size_t cap,
                   const char **error);
/* May the file end here? */
bool unpack_is_whole(const unpacker *u);

#endif
