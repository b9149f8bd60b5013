/*
 * listen.h - opens a listening socket.
 */
#ifndef TABIYA_SERVER_LISTEN_H
#define TABIYA_SERVER_LISTEN_H

#include "problem.h"

typedef struct listening {
    char url[128];
    bool is_open; /* other machines can connect */
} listening;

/* A non-blocking socket; -1 after a problem. `address` is numeric; port 0 means any free port. */
int listen_on(listening *out, const char *address, unsigned port, problem *p);

#endif
