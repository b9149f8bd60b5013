/*
 * check.h - tabiya check: what its files share.
 *
 *     cmd_check.c      the command, and games read as trees
 *     check_events.c   games read as events, without building them
 *
 * With --rejects or --clean, the bytes of a game are kept until it is known whether the game is good.
 */
#ifndef TABIYA_CLI_CHECK_H
#define TABIYA_CLI_CHECK_H

#include "copies.h"
#include "parallel.h"

typedef struct counts {
    uint64_t games, bad, plies, variation_plies, warnings;
    uint64_t bad_files; /* faults outside games */
} counts;

/* The result of one part. */
typedef struct check_result {
    copied rejects, clean;
    counts counts;
} check_result;

typedef struct check {
    bool wants_json, wants_warnings;
    unsigned flags; /* TBY_PGN_ANY_VARIANT, TBY_PGN_CHESS960 */
    copy_file *rejects, *clean;
    counts total;
} check;

/* Reads a whole part. */
void check_events(const check *c, part *p);

/* Where the text of a game is written; NULL if nowhere. */
static inline copied *destination_of(const check *c, check_result *res, bool is_bad)
{
    if (is_bad)
        return c->rejects ? &res->rejects : NULL;
    return c->clean ? &res->clean : NULL;
}

static inline bool keeps_text(const check *c) { return c->rejects || c->clean; }

/* Hands over a result that has become large. */
static inline void flush_large(part *p, const check_result *res)
{
    if (p->notes.text.n + res->rejects.text.n + res->clean.text.n > PART_RESULT_SIZE)
        part_flush(p);
}

#endif
