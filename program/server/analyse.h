/*
 * analyse.h - the engines of a server: they analyse a position or a whole game.
 */
#ifndef TABIYA_SERVER_ANALYSE_H
#define TABIYA_SERVER_ANALYSE_H

#include "annotate.h"
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
void engines_give_back(engines *room);

/* If an engine is free, the answer is the stream of events made by `start`; if that fails, the engine is released. */
bool engines_answer(engines *room, const question *q, stream *(*start)(engines *room, void *wish, problem *p),
                    void *wish);
/* The parameter threads: at most as many as the server lets an engine have. */
bool engines_threads(const engines *room, const question *q, unsigned *out);

/* The members "cp" and "mate"; at least one of them is null. */
void event_score(buffer *out, const evaluation *v);
/* The last event of a stream. Returns false. */
bool event_error(buffer *out, const char *text);

/* analyse.c, annotating.c */
bool answer_analyse(engines *room, const question *q);
bool answer_annotate(engines *room, const question *q);

#endif
