/*
 * analyse.h - the engines of a server: they analyse a position or a whole game.
 */
#ifndef TABIYA_SERVER_ANALYSE_H
#define TABIYA_SERVER_ANALYSE_H

#include "engine.h"
#include "server.h"

#include <stdatomic.h>

struct engines {
    engine_options options;
    unsigned most;    /* at a time */
    unsigned seconds; /* for one analysis */
    atomic_uint n_busy;
    char name[ENGINE_NAME_SIZE]; /* the name it reports */
};

/* Starts one engine to check that it works and to get its name. */
bool engines_try(engines *room, problem *p);

bool answer_analyse(engines *room, const question *q);
bool answer_annotate(engines *room, const question *q);

#endif
