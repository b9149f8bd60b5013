/*
 * plan.h - how a database answers a query.
 *
 * Some of its facts become SQL, a position index may cover others, and the remaining games may have to be checked one
 * by one. SQL may find too many games, never too few; unless it finds exactly the matching ones, the evaluator of the
 * query language decides. So every database gives the same results, whatever its SQL can express.
 *
 * A plan is a list of steps: made once, shown by --explain, and executed unchanged.
 */
#ifndef TBY_STORE_PLAN_H
#define TBY_STORE_PLAN_H

#include "query/bound.h"
#include "support/buffer.h"

/* The conditions of a dialect: appends the condition of one fact to `out`. */
typedef struct dialect_mark {
    size_t n_values, n_bytes;
} dialect_mark;
typedef struct dialect {
    /* Removes everything added since the mark; NULL for a dialect without values of its own. */
    void (*mark)(void *context, dialect_mark *mark);
    void (*reset)(void *context, const dialect_mark *mark);
    cover (*fact)(void *context, buffer *out, const tby_query *query, const query_node *node, uint32_t id);
    void *context;
} dialect;

/* The kinds of steps; each leaves some of the games. */
typedef enum plan_by {
    BY_POSITION, /* the games that reach the position */
    BY_SQL,      /* the condition, by indexes of the tables or the server's own choice */
    BY_MATCH,    /* on a server: a query about the moves alone */
    BY_WHERE,    /* the user's condition */
    BY_RECORDS,  /* of a file: 8 bytes of each game, and the lists that decide a fact */
    BY_INDEX,    /* of a file: one of its optional indexes */
    BY_ROWS,     /* the condition, with each game that is left, before the evaluator is asked */
    BY_EVALUATOR /* the query is checked against each game that is left: always last */
} plan_by;

typedef struct plan_step {
    plan_by by;
    unsigned index;        /* which one, if BY_INDEX */
    const char *what;      /* which part of the query, by what: "material: by its index" */
    const char *condition; /* of SQL; NULL: none */
    int64_t n_games;       /* that it leaves; -1: not known */
    bool is_counted;       /* else that number is an estimate */
} plan_step;
enum { PLAN_STEPS_MAX = 16 };

typedef struct plan {
    plan_step steps[PLAN_STEPS_MAX]; /* which the database adds; without any, all games are the answer */
    size_t n_steps;

    buffer where;  /* a condition of SQL, empty if there is none */
    cover covered; /* by the condition alone; COVER_EXACT: no evaluator needed */

    /* A position that the games must reach; NULL if there is none. If `is_position`, this and the condition are the
       whole query: the games that reach it at `max_ply` or before match, and the first time they do is the ply. */
    const query_node *position;
    bool is_position;
    int max_ply;
} plan;

/* NULL as query means all games. False if out of memory; call plan_free in any case. */
bool plan_make(plan *out, const tby_query *query, const dialect *d);
void plan_free(plan *p);

plan_step *plan_add(plan *p, plan_by by, const char *what, const char *sql);
/* What the last step is: BY_SQL if there is none. */
plan_by plan_end(const plan *p);
/* Writes the steps, a line each; then `extra`, which may be NULL, and what is checked against how many of `n_all` games. */
void plan_describe(const plan *p, const char *extra, int64_t n_all, buffer *out);

/* The board of a Q_FEN or Q_BOARD as a search target. */
tby_target plan_target(const query_node *node);

/* Conditions that are the same in both dialects, on the columns of `table`: numbers, choices, dates and records. */
cover plan_fact(buffer *out, const query_node *node, const char *table);
/* A condition on each of the fact's columns, appended by `put`, joined by whether one or both must hold. */
void plan_columns(buffer *out, const query_node *node, void *context,
                  void (*put)(void *context, buffer *out, const query_node *node, const char *column));

#endif
