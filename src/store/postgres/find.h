/*
 * find.h - a search on one PostgreSQL server, game by game.
 */
#ifndef TBY_STORE_PG_FIND_H
#define TBY_STORE_PG_FIND_H

#include "store/plan.h"
#include "store/postgres/server.h"

/* A search on one server: its plan, and its rows as they arrive. */
typedef struct finding {
    db_plan base;
    server *to;
    plan plan;
    pg_values values;
    size_t board;   /* the value of plan.position */
    size_t match;   /* the value with the query that the server matches; 0: none */
    buffer matched; /* that query */
    buffer sql;
    tby_query_state *state;
    int64_t after, upto; /* the part to search: numbers above `after`, up to `upto`; upto 0: all games */
    int64_t n_found;     /* in earlier parts */
} finding;

/* Do the conditions of the statement decide? */
static inline bool finding_is_exact(const finding *f) { return plan_end(&f->plan) != BY_EVALUATOR; }
/* `base` and `to` are set. Decides which part of the query becomes SQL; call finding_end in any case. */
bool finding_begin(finding *f);
void finding_end(finding *f);
/* Sends the statement and reads the hits one by one, in the order of ids; limit and offset are applied if the server
   knows them. */
bool finding_send(finding *f);
bool finding_next(const finding *f, tby_db_hit *hit);
/* Stops: no more games are wanted. */
void finding_stop(const finding *f);
/* The same for the number of games. */
bool finding_send_count(finding *f);
bool finding_take_count(const finding *f, int64_t *out);
/* Describes the statement, and the server's plan for it. */
bool finding_explain(finding *f, buffer *out);
/* All statements until the end see one snapshot, in case others add games. Within a transaction, that is its snapshot.
   Pass `*is_own` on to snapshot_end. */
bool snapshot_begin(server *s, bool *is_own);
void snapshot_end(server *s, bool is_own);
/* How many of n games remain within limit and offset. */
int64_t within_limits(int64_t n, const tby_db_search *search);

/* Converts a query to conditions (dialect.c); false if out of memory. */
bool sql_plan(plan *out, const tby_query *query, pg_values *v, const server *to);
/* The board of a node as a value. */
size_t board_value(pg_values *v, const query_node *node);

#endif
