/*
 * job.h - the jobs of src/io/parallel.h in the program: inputs by name, the games in them, messages and progress.
 */
#ifndef TABIYA_CLI_JOB_H
#define TABIYA_CLI_JOB_H

#include "copies.h"
#include "io/parallel.h"
#include "open_input.h"
#include "tabiya_db.h"

enum { THREADS_MAX = 1024 };

/* "--threads", for the option tables. */
#define OPTION_THREADS "threads", 0, "N", NULL, "use N threads (default: one per processor); the output is the same"

/* The value of the option --threads or, if there is none, the number of processors. */
unsigned threads_read(const args *a, int index);

/* Opens an input of games for the job, in the notation named `from` or, if that is NULL, the likely one. NULL if it
   cannot be opened, which is reported. */
input *job_open(job *j, const char *path, const char *from);
/* Runs the job and closes the input. False if it could not be read to its end, which is reported. */
bool job_run(input *in, unsigned n_threads, const job *j);
/* As parallel_begin and parallel_end; failures end the program. */
struct run *job_begin(const job *j, unsigned n_threads);
void job_end(struct run *r);
/* Runs the job on the games of a database that a query finds, as PGN, in the order of their numbers. `name` is for
   messages. False if the search failed, which is reported. */
bool job_run_found(tby_db *db, const char *name, const tby_db_search *search, const job *j);
/* For merge: prints the notes. */
void part_print(const part *p);

/* ---- The games of a part ---------------------------------------------------------------------------------------- */

/* How far readers look ahead: in PGN, and in a game with a fault that was reported; in the largest game of another
   notation. */
enum { AHEAD_LITTLE = 1 << 18, AHEAD_GAME = 1 << 26 };

/* The games of a part, one after the other. */
typedef struct part_games {
    part *part;
    tby_games *games;
    tby_game *game;      /* the one read last */
    uint64_t n_before;   /* the games before the one being read */
    uint64_t n_read;     /* the same, whether or not they are done */
    bool is_bad;         /* it has a fault that was reported */
    bool is_over;        /* the input failed between two games, or was interrupted */
    uint64_t n_warnings; /* reported */
    copied *clean, *rejects;
    uint64_t settled; /* bytes before this have been copied or dropped */
    bool is_begun;    /* some of the game's bytes have been copied */
    bool is_bare;     /* they begin with a brace that is never closed */
} part_games;
/* `flags`: TBY_PGN_... The text of each game is copied, to `rejects` if it is bad and to `clean` if it is good, unless
   they are NULL. Good games are not copied from PGN. */
void part_games_begin(part_games *g, part *p, unsigned flags, copied *clean, copied *rejects);
/* A game that is not whole because the input failed is bad. An interrupt ends the games, and the one being read is
   dropped. */
tby_game_read part_games_next(part_games *g);
/* The game read last is good or bad: copies the rest of its text. */
void part_games_done(part_games *g, bool is_bad);
/* A fault of the game read last, which its reader has not found. */
void part_games_refuse(part_games *g, tby_status status, const char *why);
void part_games_end(part_games *g);

#endif
