/*
 * pack.h - bodies compressed for clients that can unpack them.
 */
#ifndef TABIYA_SERVER_PACK_H
#define TABIYA_SERVER_PACK_H

#include "server.h"

/* Does this Accept-Encoding (may be NULL) take gzip? */
bool accepts_gzip(const char *accept_encoding);
/* Packs the body if that makes it smaller; else, and without memory, it stays as it is. */
void response_pack(response *r, const char *accept_encoding);

#endif
