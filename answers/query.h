/*
 * query.h - which games of a database: the conditions that find, export and delete share with the server.
 *
 * The values are those of tabiya pgn.
 */
#ifndef TABIYA_ANSWERS_QUERY_H
#define TABIYA_ANSWERS_QUERY_H

#include "problem.h"
#include "tabiya_db.h"

enum {
    QUERY_BLACK,
    QUERY_BOARD,
    QUERY_CHESS960,
    QUERY_DATE,
    QUERY_ECO,
    QUERY_ELO,
    QUERY_EVENT,
    QUERY_FEN,
    QUERY_LIMIT,
    QUERY_OFFSET,
    QUERY_OPENING,
    QUERY_PLAYER,
    QUERY_PLIES,
    QUERY_RESULT,
    QUERY_SITE,
    QUERY_THREADS,
    QUERY_WHERE,
    QUERY_WHITE,
    QUERY_WITHIN,
    N_QUERY_VALUES
};

enum { QUERY_THREADS_MAX = 1024 };

/* What was given for each of them: NULL for nothing, any text for a switch that is on. */
typedef struct query_values {
    const char *of[N_QUERY_VALUES];
    const char *who, *dashes; /* what stands before their names where one makes no sense: "find: " and "--" */
} query_values;

/* "black"; the values' names. */
extern const char *const query_names[N_QUERY_VALUES];

typedef struct query {
    tby_db_query db; /* points into the rest, and into the values */
    tby_target target;
    tby_setup board; /* of the target */
    buffer opening, eco, where;
    bool has_condition; /* else it is all games */
} query;

/* Is this SQL, as a condition on the view `games`? */
typedef bool (*query_check)(void *db, const char *condition, problem *p);
/* The one of a database file, a tby_db. */
bool query_check_where(void *db, const char *condition, problem *p);

/* False for values that make no sense; nothing has to be freed then. */
bool query_read(query *q, const query_values *values, query_check check, void *db, problem *p);
void query_free(query *q);

#endif
