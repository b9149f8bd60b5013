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

#endif
