/*
 * published_base.h - publishing again: games that were published before stay in their files if none of them has changed, and
 * those after them become a second, small collection, the delta.
 */
#ifndef TABIYA_CLI_PUBLISHED_BASE_H
#define TABIYA_CLI_PUBLISHED_BASE_H

#include "support/buffer.h"

typedef struct published_base {
    buffer text; /* the manifest without what comes after the files of the base */
    uint64_t n_games, n_bytes, digest;
} published_base;

/* Reads DIR/data/manifest.json; false if there are no games that more could be added to. `dir` ends in a slash. */
bool published_base_read(published_base *base, const char *dir);
void published_base_free(published_base *base);
/* The name of one of its files, by index, into `name`; false past the end. */
enum { PUBLISHED_NAME_SIZE = 24 };
bool published_base_file(const published_base *base, size_t index, char name[PUBLISHED_NAME_SIZE]);
/* The manifest of a new base: `manifest` as the library has written it, the digest of its games, and names, each with a NUL. */
void published_base_write(buffer *out, const buffer *manifest, uint64_t digest, const buffer *names);
/* The manifest of the base with the title of `delta`, a manifest that the library has written, and its games; NULL: none. */
void published_base_write_delta(buffer *out, const published_base *base, const buffer *delta);

#endif
