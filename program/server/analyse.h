/*
 * analyse.h - the engines of a server.
 */
#ifndef TABIYA_SERVER_ANALYSE_H
#define TABIYA_SERVER_ANALYSE_H

#include "engine.h"
#include "server.h"

#include <stdatomic.h>

struct engines {
    engine_options options;
    unsigned most;    /* at a time */
    unsigned seconds; /* that an analysis may take */
    atomic_uint n_busy;
    char name[ENGINE_NAME_SIZE]; /* what it calls itself */
};

/* Starts one, to see whether it works and what it is called. */
bool engines_try(engines *room, problem *p);
/* Is one free? It is taken then. */
bool engines_take(engines *room);
void engines_give_back(engines *room);

bool answer_analyse(engines *room, const question *q);

#endif
