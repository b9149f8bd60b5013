/*
 * find.h - a search on one PostgreSQL server, game after game: what finding on one and on several share.
 */
#ifndef TBY_STORE_PG_FIND_H
#define TBY_STORE_PG_FIND_H

#include "store/plan.h"
#include "store/postgres/server.h"

/* A search on one server: its plan, and its rows while they come. */
typedef struct finding {
    db_plan base;
    server *to;
    plan plan;
    pg_values values;
    size_t board;   /* the value of plan.position */
    size_t match;   /* the value that is a query for the server to match; 0: there is none */
    buffer matched; /* that query */
    buffer sql;
    tby_query_state *state;
} finding;

/* `base` and `to` are set. Decides what SQL says of the query; finding_end in any case. */
bool finding_begin(finding *f);
void finding_end(finding *f);
/* The statement is sent, and hits are taken one by one, in the order of ids, up to the limit and from the offset on if
   the server knows them. */
bool finding_send(finding *f);
pg_step finding_next(const finding *f, tby_db_hit *hit);
/* No more are wanted. */
void finding_stop(const finding *f);
/* The same for how many there are. */
bool finding_send_count(finding *f);
bool finding_take_count(const finding *f, int64_t *out);
/* What is sent, and how the server would do it. */
bool finding_explain(finding *f, buffer *out);
/* How many of n games the limit and offset leave. */
int64_t within_limits(int64_t n, const tby_db_search *search);

/* A query as conditions (dialect.c); false without memory. */
bool sql_plan(plan *out, const tby_query *query, pg_values *v, const server *to);
/* The board of a node as a value. */
size_t board_value(pg_values *v, const query_node *node);

#endif
