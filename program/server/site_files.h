/*
 * site_files.h - the files of the page, the entity tags that clients send back, and compression.
 *
 * Each file has two paths: its own, at which it may change, and /v/VERSION/NAME with the version of all files, which
 * the page uses and browsers cache without asking again. A path with an older version returns the current file.
 */
#ifndef TABIYA_SERVER_SITE_FILES_H
#define TABIYA_SERVER_SITE_FILES_H

#include "server.h"

typedef struct web_file {
    const asset *asset; /* NULL: none */
    bool is_fixed;      /* at this path it never changes */
} web_file;

/* `engine` may be NULL. */
web_file file_find(const engine_files *engine, const char *path, size_t n);
bool answer_file(const web_file *f, const question *q);

/* Does If-None-Match, which may be NULL, ask for whatever there is, or list this tag? */
bool etag_is_any(const char *known);
bool etag_is_listed(const char *known, const char *tag);

/* Compresses the body if the client accepts that (`accept_encoding` may be NULL), if that makes it smaller and memory
   suffices; otherwise leaves it unchanged. */
void response_pack(response *r, const char *accept_encoding);

#endif
