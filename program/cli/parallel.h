/*
 * parallel.h - one input, many threads, one output in the order of the input.
 *
 *     input --> workers, one at a time: cut off a part --> [part] [part] [part] --> results --> merge, in order
 *
 * The input is split into parts of about half a megabyte, where the job says that this is safe. If there is no such
 * place, the rest of the input is one part, a stream. The parts do not depend on the number of threads, so neither does
 * the output. Memory is constant: only a few parts are in progress at a time, and a worker whose result becomes too
 * large waits for its turn and hands it over piece by piece.
 */
#ifndef TABIYA_CLI_PARALLEL_H
#define TABIYA_CLI_PARALLEL_H

#include "copies.h"
#include "open_input.h"
#include "tabiya_db.h"

#include <stdatomic.h>

enum { THREADS_MAX = 1024 };

/* A larger result should be handed over with part_flush. */
enum { PART_RESULT_SIZE = 1 << 20 };

struct job;

typedef struct part {
    const struct job *job;
    void *result;                        /* the job's own; one worker writes it, then merge reads it */
    report notes;                        /* about its games; merge prints them, and then they are cleared */
    uint64_t n_lines, n_games;           /* in this part: set by work before it returns */
    uint64_t lines_before, games_before; /* in all parts before it: set for merge */

    /* The rest is parallel.c's. */
    struct run *run;
    uint64_t number; /* of the part, from 0 */
    char *bytes;     /* the bytes from offset `base` of the part on; `at`: the first that has not been read */
    size_t n, cap, at;
    uint64_t base;
    bool is_stream; /* the input continues after them */
    bool is_cut;    /* the input failed after them */
    int state;
} part;

typedef struct job {
    void *context;
    /* Of an input of games: set by job_open. */
    const char *name;
    const tby_game_notation *from;
    /* The last place in s where a part may end and another begin, 0 if there is none. NULL: the input is one part. */
    size_t (*cut)(const char *s, size_t n);
    bool keeps_text; /* the job uses part_text */
    size_t
        text_max; /* but only up to this far before the last byte read; 0 = the job says itself what it no longer needs */
    size_t part_size;   /* bytes of input per part; 0 = half a megabyte, or more if there is no boundary */
    size_t most_parts;  /* parts in progress at a time, to save memory; 0 = as many as are useful */
    size_t result_size; /* the size of a result, which is zeroed first */
    void *(*result_new)(void *context); /* initializes a result; NULL: zeroing is enough */
    void (*result_free)(void *result);
    const atomic_bool *is_full; /* once it is true, no further part is read; NULL: all are */
    /* Reads the part and fills its result. Runs in any thread. */
    void (*work)(void *context, part *p);
    /* Uses the result, or a piece of it, and empties it. Runs in the main thread, in the order of the input. */
    void (*merge)(void *context, part *p);
    /* Called after the last merge; NULL: nothing is left to do. */
    void (*end)(void *context);
} job;

/* "--threads", for the option tables. */
#define OPTION_THREADS "threads", 0, "N", NULL, "use N threads (default: one per processor); the output is the same"

/* The value of the option --threads or, if there is none, the number of processors. */
unsigned threads_read(const args *a, int index);

/* Opens an input of games for the job, in the notation named `from` or, if that is NULL, the likely one. NULL if it
   cannot be opened, which is reported. */
input *job_open(job *j, const char *path, const char *from);
/* Runs the job and closes the input. False if it could not be read to its end, which is reported. */
bool parallel_run(input *in, unsigned n_threads, const job *j);
/* A job whose parts the caller fills, each with its own result, and hands over. The next part may be filled at once;
   if too many are under way, some are merged first. The end merges the rest. */
struct run *parallel_begin(const job *j, unsigned n_threads);
part *parallel_part(struct run *r);
void parallel_hand_over(struct run *r);
void parallel_end(struct run *r);
/* Appends bytes to a part that the caller fills, for part_read. Returns how many it has then. */
size_t part_add(part *p, const char *s, size_t n);
/* Runs the job on the games of a database that a query finds, as PGN, in the order of their numbers. `name` is for
   messages. False if the search failed, which is reported. (parallel_found.c) */
bool parallel_found(tby_db *db, const char *name, const tby_db_search *search, const job *j);
/* Splits after the last line end. */
size_t cut_at_line(const char *s, size_t n);

/* ---- For work --------------------------------------------------------------------------------------------------- */

/* A tby_source: the bytes of the part. */
size_t part_read(void *p, char *buf, size_t cap);
/* The next line without its end; false after the last whole one. Do not mix with part_read. */
bool part_line(part *p, const char **s, size_t *n);
/* Waits until everything before this part is merged, then has the result so far merged. */
void part_flush(part *p);
/* Are there notes in a part that may never end? After a game, they should be handed over. */
bool part_has_news(const part *p);
/* The number of games in the parts before this one, for work that needs it before its result is merged: waits until
   they have reported it. A job that uses this must also report its own number, once. */
uint64_t part_games_before(part *p);
void part_tell_games(part *p, uint64_t n_games);
/* Bytes that were read, by their offset in the part; and a promise not to use those before `offset` again. */
const char *part_text(const part *p, uint64_t offset);
bool part_has_text(const part *p, uint64_t offset);
void part_forget(part *p, uint64_t offset);
/* Called when a reader wants more bytes: is the stored text so long that part of it should be written before the game
   ends? Then the reader, which looks at most `ahead` bytes ahead, no longer needs the bytes before `*offset`. */
bool part_is_long(const part *p, size_t ahead, uint64_t *offset);
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

/* ---- For merge -------------------------------------------------------------------------------------------------- */

/* Prints the notes. */
void part_print(const part *p);

#endif
