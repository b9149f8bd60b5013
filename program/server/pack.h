/*
 * pack.h - compresses bodies for clients that accept gzip.
 */
#ifndef TABIYA_SERVER_PACK_H
#define TABIYA_SERVER_PACK_H

#include "server.h"

/* Does this Accept-Encoding (may be NULL) allow gzip? */
bool accepts_gzip(const char *accept_encoding);
/* Compresses the body if that makes it smaller and memory suffices; otherwise leaves it unchanged. */
void response_pack(response *r, const char *accept_encoding);

#endif
