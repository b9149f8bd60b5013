/*
 * describe.h - the table of paths, and its description for programs.
 */
#ifndef TABIYA_SERVER_DESCRIBE_H
#define TABIYA_SERVER_DESCRIBE_H

#include "analyse.h"

typedef struct answer {
    const char *path; /* one that ends in {NAME} matches any text there, which becomes a parameter */
    weight weight;
    const char *parameters;              /* their names, each with a blank after it */
    bool (*takes)(const char *name);     /* those that are not named there; may be NULL */
    bool takes_body;                     /* with POST: the value of the first parameter */
    const char *changes;                 /* the methods by which it changes the database, and no other; may be NULL */
    bool ignores_others;                 /* unknown parameters are ignored; otherwise they are a problem */
    bool (*of_rules)(const question *q); /* one of these four */
    bool (*of_site)(const site *s, const question *q);
    bool (*of_games)(games *g, const question *q);
    bool (*of_engines)(engines *e, const question *q);
    int kind;            /* passed on in the question */
    const char *summary; /* for the description; "POST: ...|DELETE: ..." if there are several methods */
} answer;

/* Writes the description of the paths in the form of OpenAPI 3.0. */
void describe_answers(buffer *out, const answer *answers, size_t n);

#endif
