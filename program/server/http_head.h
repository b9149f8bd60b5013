/*
 * http_head.h - the head of an HTTP/1.1 request (RFC 9112), read strictly: what two readers might understand
 * differently is refused, so that a proxy in front of the server cannot be made to see another request than the server.
 */
#ifndef TABIYA_SERVER_HTTP_HEAD_H
#define TABIYA_SERVER_HTTP_HEAD_H

#include "problem.h"

enum {
    HTTP_HEAD_MAX = 1 << 15, /* bytes of the request line and all headers */
    HTTP_TARGET_MAX = 1 << 14,
    HTTP_HEADERS_MAX = 100,
    HTTP_OVERHEAD_MAX = 1 << 20 /* bytes of a chunked body that are not part of the body */
};

typedef struct http_head {
    /* Pointers into the head, each ended by an inserted NUL; NULL if missing. */
    const char *method, *target, *version, *host, *origin, *token, *if_none_match, *accept_encoding, *forwarded_for;
    size_t n_bytes; /* of the head, with the empty line */
    uint64_t n_body;
    bool is_chunked, expects_continue, keeps_alive;
} http_head;

/* The length of the head in s[0..n), including the empty line after it; 0 if it is incomplete. A problem as soon as it
   can no longer become a head. Line ends before it are included. */
size_t http_head_length(const char *s, size_t n, problem *p);
/* Parses a complete head. The text is modified, and must stay valid as long as the result is used. */
bool http_head_read(http_head *out, char *s, size_t n, problem *p);

/* ---- Bodies in chunks ------------------------------------------------------------------------------------------- */

typedef struct http_chunks {
    uint64_t left; /* bytes of the chunk that are still to come */
    size_t n_overhead;
    int state;
} http_chunks;

typedef enum http_chunk { HTTP_CHUNK_BAD = -1, HTTP_CHUNK_MORE = 0, HTTP_CHUNK_END = 1 } http_chunk;

/* Reads s[0..*n): `*n` becomes the number of bytes used, and those of the body are added to `out`, up to `most` bytes
   there; HTTP_CHUNK_BAD for malformed chunks or, with *is_too_large, for a longer body. */
http_chunk http_chunks_read(http_chunks *c, const char *s, size_t *n, buffer *out, size_t most, bool *is_too_large);

#endif
