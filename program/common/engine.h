/*
 * engine.h - runs a UCI chess engine as a child process.
 *
 * What an engine prints is not trusted: lines are bounded, moves are checked, and it may end at any time. It is started
 * by the name or path of its program; no shell is involved.
 */
#ifndef TABIYA_COMMON_ENGINE_H
#define TABIYA_COMMON_ENGINE_H

#include "problem.h"

enum { ENGINE_NAME_SIZE = 100, ENGINE_PV_MAX = 64, ENGINE_LINES_MAX = 10 };

typedef struct engine engine;

/* What an engine may use. */
typedef struct engine_options {
    const char *program;
    unsigned threads;
    unsigned hash;   /* MiB */
    unsigned memory; /* memory limit in MiB, including the hash, where the system supports it; 0 = none */
    unsigned lines;  /* best moves that are looked at, from 1 */
    bool is_chess960;
    int patience;             /* milliseconds for an answer; 0 = ten seconds */
    bool (*is_stopped)(void); /* true ends the search at once; NULL: never */
} engine_options;

/* When a search ends: whichever comes first; 0 = not by this. */
typedef struct engine_limits {
    unsigned depth, milliseconds;
    uint64_t nodes;
} engine_limits;

/* One line of the engine's analysis. */
typedef struct engine_info {
    unsigned depth, line; /* from 1: the best move, the second best ... */
    bool is_mate;
    int score; /* centipawns, or moves to mate; from White's side, so + is good for White */
    uint64_t nodes, milliseconds;
    tby_move moves[ENGINE_PV_MAX]; /* the legal ones among them */
    size_t n_moves;
} engine_info;

typedef enum engine_event {
    ENGINE_NOTHING = 0, /* within the time given */
    ENGINE_INFO = 1,
    ENGINE_BEST = 2, /* the search has ended: the move, if there is one, is info->moves[0] */
    ENGINE_GONE = 3  /* it has exited, or prints nonsense */
} engine_event;

/* Starts it and waits until it is ready, however much it prints meanwhile. NULL after a problem. */
engine *engine_start(const engine_options *o, problem *p);
/* Kills it. */
void engine_end(engine *e);
/* The name it reports. */
const char *engine_name(const engine *e);
/* Switches Chess960 on or off for the next searches. */
void engine_set_chess960(engine *e, bool is_chess960);
/* Starts to search a playable position. False if the engine has exited. */
bool engine_go(engine *e, const tby_position *pos, const engine_limits *limits);
/* Asks it to stop the search: ENGINE_BEST will follow. */
void engine_stop(engine *e);
/* Its next message. */
engine_event engine_next(engine *e, engine_info *out, int milliseconds);
/* Waits for the end of the search; `first` becomes its last message about the best line, if there is one. An engine may
   search silently for long, but UCI requires it to answer isready at any time: returns ENGINE_NOTHING if it does not, if
   it prints nothing else for 60 times its patience, or if it continues beyond the time of `limits`, however much it
   prints. */
engine_event engine_finish(engine *e, const engine_limits *limits, engine_info *out, engine_info *first);

#endif
