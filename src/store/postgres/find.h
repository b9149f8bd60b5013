/*
 * find.h - a search on one PostgreSQL server, game after game: what finding on one and on several share.
 */
#ifndef TBY_STORE_PG_FIND_H
#define TBY_STORE_PG_FIND_H

#include "store/plan.h"
#include "store/postgres/pg.h"

/* A search while it goes on. */
typedef struct finding {
    pg *to;
    const tby_db_search *search;
    plan plan;
    pg_values values;
    size_t board; /* the value of plan.position */
    size_t match; /* the value that is a query for the server to match; 0: there is none */
    buffer sql;
    tby_query_state *state;
    bool is_prepared; /* in a transaction of its own */
} finding;

/* `to` and `search` are set. The statement is sent, and hits are taken one by one, in the order of ids. pg_find_end in
   any case. */
bool pg_find_begin(finding *f);
/* Before pg_find_begin or pg_count_begin, to ask several servers at the same time: sends what must be known first. If
   it cannot, they say why. */
void pg_find_prepare(finding *f);
pg_step pg_find_next(const finding *f, tby_db_hit *hit);
/* No more are wanted. */
void pg_find_stop(const finding *f);
void pg_find_end(finding *f);
/* The same for how many there are. */
bool pg_count_begin(finding *f);
bool pg_count_take(const finding *f, int64_t *out);
/* How many of so many games the limit and offset leave. */
int64_t pg_within_limits(int64_t n, const tby_db_search *search);

/* A query as conditions (dialect.c); false without memory. */
bool pg_plan(plan *out, const tby_query *query, pg_values *v, const pg *to);
/* The board of a node as a value. */
size_t pg_board_value(pg_values *v, const query_node *node);

#endif
