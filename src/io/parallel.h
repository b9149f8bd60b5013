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
#ifndef TBY_IO_PARALLEL_H
#define TBY_IO_PARALLEL_H

#include "io/input.h"
#include "support/report.h"

#include <stdatomic.h>

/* A larger result should be handed over with part_flush. */
enum { PART_RESULT_SIZE = 1 << 20 };

struct job;

typedef struct part {
    const struct job *job;
    void *result;                        /* the job's own; one worker writes it, then merge reads it */
    report notes;                        /* about its games; cleared after merge */
    uint64_t n_lines, n_games;           /* in this part: set by work before it returns */
    uint64_t lines_before, games_before; /* in all parts before it: set for merge */
    uint64_t bytes_before;               /* the same, of bytes */

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
    /* Of an input of games: for whoever reads the parts. */
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
    /* Uses the result, or a piece of it, and empties it. Runs in the caller's thread, in the order of the input. */
    void (*merge)(void *context, part *p);
    /* Called regularly in the caller's thread, with the fraction done (negative: unknown), bytes and games; may be
       NULL. */
    void (*progress)(void *context, double fraction, uint64_t n_bytes, uint64_t n_games);
} job;

/* Reads the input to its end, unless the job is full, and runs the job. An input that fails ends the job early, and keeps
   its failure. False if out of memory, if no thread can be started, or if a line is too long. */
bool parallel_run(input *in, unsigned n_threads, const job *j, tby_failure *failure);
/* A job whose parts the caller fills, each with its own result, and hands over. The next part may be filled at once;
   if too many are under way, some are merged first. The end merges the rest. NULL if out of memory. */
struct run *parallel_begin(const job *j, unsigned n_threads);
part *parallel_part(struct run *r);
void parallel_hand_over(struct run *r);
/* False if out of memory. */
bool parallel_end(struct run *r, tby_failure *failure);
/* Appends bytes to a part that the caller fills, for part_read. Returns how many it has then. */
size_t part_add(part *p, const char *s, size_t n);
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

#endif
