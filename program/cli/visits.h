/*
 * visits.h - visits the games selected by a command's options, in all its sources, one after the other: in their
 * order, or sorted, or a sample, and within --offset and --limit.
 */
#ifndef TABIYA_CLI_VISITS_H
#define TABIYA_CLI_VISITS_H

#include "query_options.h"

/* How the sources must be opened: a file is stored if its games are sorted or sampled, or queried with SQL. */
source_use visits_use(const args *a);

typedef struct visits {
    const sources *sources;
    query *query;
    const char *work; /* the name of the progress bar: "searching" */
    /* The games of a database are found before the first is visited, because a visit takes long or searches the
       database. */
    bool is_gathered;
    source_visit visit; /* false ends the visits */
    void *context;
} visits;

/* Ends early after an interrupt. */
void visits_run(const visits *v);

/* For a command that counts games and prints lines: --sample counts only that many of the games found, and --sort only
   the first ones; --limit and --offset are then numbers of games, not of lines. */
typedef struct counted {
    sources games; /* the command's sources, or a temporary database with the games to count */
    args args;     /* which of their games count; `given` is to be freed */
    const char *text;
} counted;
/* The games are those of the sources from the `first` on; `text` and `facts` as in query_of_options. */
void visits_counted(counted *out, sources *all, size_t first, source_use use, const char *text, tby_text facts);
/* The value of --limit, from `low` to `high`, if it is a number of lines; else `none`. */
size_t visits_lines(const args *a, size_t none, size_t low, size_t high);

#endif
