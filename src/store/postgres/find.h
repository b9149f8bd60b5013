/*
 * find.h - a search on one PostgreSQL server, game by game.
 */
#ifndef TBY_STORE_POSTGRES_FIND_H
#define TBY_STORE_POSTGRES_FIND_H

#include "store/plan.h"
#include "store/postgres/server.h"

/* A search on one server: its plan, and its rows as they arrive. */
typedef struct finding {
    db_plan base;
    server *server;
    plan plan;
    pg_values values;
    size_t board;   /* the value of plan.position */
    size_t match;   /* the value with the query that the server matches; 0: none */
    buffer matched; /* that query */
    buffer sql;
    tby_query_state *state;
    int64_t after, upto; /* the part to search: numbers above `after`, up to `upto`; upto 0: all games */
    int64_t n_found;     /* in earlier parts */
    size_t ids;          /* the value with the numbers of the games, if only the evaluator knows them; 0: none */
    bool is_open;        /* games are still pending */
    int64_t n_seen;      /* games so far */
    bool is_counted;     /* stored counts are the answer (explore_counts.c) */
    tby_db_hit hit;      /* the game that was read last */
} finding;

/* Do the conditions of the statement decide? */
static inline bool finding_is_exact(const finding *f) { return plan_end(&f->plan) != BY_EVALUATOR; }
/* `base` and `server` are set. Decides which part of the query becomes SQL; call finding_end in any case. */
bool finding_begin(finding *f);
void finding_end(finding *f);
/* Sends the statement and reads the hits one by one, in the order of ids; limit and offset are applied if the server
   knows them. */
bool finding_send(finding *f);
bool finding_next(finding *f);
/* Stops: no more games are wanted. */
void finding_stop(const finding *f);
/* Only counts the games, within limit and offset. */
bool finding_count(finding *f, int64_t *out);
/* Sends a statement about the games that match and reach the position of the plan. `format` has the extension's schema
   as %1$s, the number of the position's value as %2$zu and `column` as %3$s; then come the conditions, and `end`. */
bool finding_send_about(finding *f, const char *format, const char *column, const char *end)
    __attribute__((format(printf, 2, 0)));
/* The same with any value instead of the position. */
bool finding_send_with(finding *f, const char *format, size_t value, const char *column, const char *end)
    __attribute__((format(printf, 2, 0)));
/* Describes the statement, and the server's plan for it. */
bool finding_explain(finding *f, buffer *out);

/* Converts a query to conditions (dialect.c); false if out of memory. */
bool sql_plan(plan *out, const tby_query *query, query_members *members, pg_values *v, const server *to);
/* The board of a node as a value. */
size_t board_value(pg_values *v, const query_node *node);

#endif
