/*
 * assets.h - the files of the web board, as part of the program.
 *
 * The table is made from web/manifest.txt by tools/make_assets.c; an entry without a path ends it.
 */
#ifndef TABIYA_SERVER_ASSETS_H
#define TABIYA_SERVER_ASSETS_H

#include <stddef.h>

typedef struct asset {
    const char *path; /* "/board.js" */
    const char *type; /* "text/javascript" */
    const char *etag; /* in its quotes; changes with the content */
    const unsigned char *bytes;
    size_t n_bytes;
    const unsigned char *packed; /* compressed with gzip; NULL if that is not smaller */
    size_t n_packed;
} asset;

extern const asset assets[];
extern const char assets_version[]; /* of all files together, in hex: see site_files.h */

#endif
