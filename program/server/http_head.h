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
    HTTP_OVERHEAD_MAX = 1 << 20 /* bytes of a body in chunks that are not the body's */
};

typedef struct http_head {
    /* Into the head, each ended by a NUL that is put there; NULL where there is none. */
    const char *method, *target, *version, *host, *origin, *token, *if_none_match, *accept_encoding, *forwarded_for;
    size_t n_bytes; /* of the head, with the empty line */
    uint64_t n_body;
    bool is_chunked, expects_continue, keeps_alive;
} http_head;

/* How many bytes of s[0..n) the head has, with the empty line after it; 0 if that has not come yet. A problem as soon
   as it can no longer become a head. Line ends before it count. */
size_t http_head_length(const char *s, size_t n, problem *p);
/* Reads a whole head. The text is written to, and must stay as long as the answer is used. */
bool http_head_read(http_head *out, char *s, size_t n, problem *p);

/* ---- Bodies in chunks ------------------------------------------------------------------------------------------- */

typedef struct http_chunks {
    uint64_t left; /* bytes of the chunk that are still to come */
    size_t n_overhead;
    int state;
} http_chunks;

typedef enum http_chunk { HTTP_CHUNK_BAD = -1, HTTP_CHUNK_MORE = 0, HTTP_CHUNK_END = 1 } http_chunk;

/* Takes bytes from s[0..*n): `*n` becomes how many were taken, and what of them belongs to the body goes to `out`, at
   most up to `most` bytes there; HTTP_CHUNK_BAD for malformed chunks, or with *is_too_large for a longer body. */
http_chunk http_chunks_read(http_chunks *c, const char *s, size_t *n, buffer *out, size_t most, bool *is_too_large);

#endif
