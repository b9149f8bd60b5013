/*
 * query.h - which games to select: the conditions that find, export, delete, explore and the server share, and what is
 * wrong with a query.
 *
 * They are short forms of the query language, made by one table, and may be combined with a query. The program lists
 * the most frequent ones as options; the server has all of them as parameters.
 */
#ifndef TABIYA_COMMON_QUERY_H
#define TABIYA_COMMON_QUERY_H

#include "plain.h"
#include "problem.h"

/* User-defined patterns, as tabiya_query.h takes them, and the file they come from. */
typedef struct patterns {
    const char *path; /* NULL: there are none */
    buffer text;
} patterns;

/* Makes a problem from the error of a query that was made with `options`: the sentence, the line and a caret under the
   location. An error in the patterns is reported with file, line and column. Returns false. */
bool query_fault(problem *p, const char *who, const tby_query_error *err, const char *asked,
                 const tby_query_options *options, const patterns *own);
/* Are they valid, whatever the query? */
bool patterns_check(const patterns *own, const char *who, problem *p);

enum {
    QUERY_BLACK,
    QUERY_CHESS960,
    QUERY_DATE,
    QUERY_ECO,
    QUERY_ELO,
    QUERY_FEN,
    QUERY_LIMIT,
    QUERY_OFFSET,
    QUERY_OPENING,
    QUERY_PATTERNS, /* the name of a file whose contents are in `patterns` */
    QUERY_PLAYER,
    QUERY_QUERY,
    QUERY_RESULT,
    QUERY_THREADS,
    QUERY_WHERE,
    QUERY_WHITE,
    N_QUERY_SHARED, /* those above are listed options of the program; it also takes those below, but QUERY_TEXT */

    QUERY_BOARD = N_QUERY_SHARED,
    QUERY_EVENT,
    QUERY_PLIES,
    QUERY_SITE,
    QUERY_TEXT, /* as typed into a search field: a query, or names of players */
    QUERY_WITHIN,
    N_QUERY_VALUES
};

enum { QUERY_THREADS_MAX = 1024 };

/* The value of each: NULL if it is not given, any text for a switch that is on. */
typedef struct query_values {
    const char *of[N_QUERY_VALUES];
    const char *who, *dashes;        /* the prefix of their names in messages: "find: " and "--" */
    const patterns *patterns;        /* of the user; NULL: none */
    const char *match;               /* for explore: a query whose first ply counts; the rest selects games */
    tby_text facts;                  /* further facts, in the query language */
    bool is_strict;                  /* the query language alone: names match by their words, no plain words */
    bool is_typed;                   /* the query was typed by a person, so it may be plain words */
    const struct query_values *also; /* conditions of the same names, which must hold too; NULL: none */
} query_values;

/* "black"; the values' names. */
extern const char *const query_names[N_QUERY_VALUES];

/* The length of the moves, or of the FEN, that a text begins with: up to a word of the language. */
size_t query_line_length(const char *typed);
/* What a text means that begins with a FEN or a move number: "1. e4 e5 elo 2400.." is an opening, with a query behind it.
   False if it is none of these, or out of memory. */
bool query_of_line(buffer *out, const char *typed);

typedef struct query {
    tby_db_search search; /* points into the rest, and into the values */
    tby_query *query;     /* NULL: all games */
    buffer understood;    /* the query that a QUERY_TEXT or plain words mean; empty without one */
    plain_reading words;  /* how plain words were read; no parts: the text is a query */
    bool has_condition;   /* otherwise all games are selected */
} query;

/* False if a value is invalid; then nothing needs to be freed. */
bool query_read(query *q, const query_values *values, tby_db *db, problem *p);
void query_free(query *q);

#endif
