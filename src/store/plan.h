/*
 * plan.h - how a database answers a query.
 *
 * Some of its facts become SQL, an index of positions may serve others, and games may be left to be asked one by one.
 * SQL may find too many games, never too few; unless it finds exactly the right ones, the evaluator of the query
 * language decides. So every database answers alike, whatever its SQL can say.
 */
#ifndef TBY_STORE_PLAN_H
#define TBY_STORE_PLAN_H

#include "query/bound.h"
#include "support/buffer.h"

/* What a dialect can say: appends the condition of one fact to `out`. */
typedef struct dialect_mark {
    size_t n_values, n_bytes;
} dialect_mark;
typedef struct dialect {
    /* What was added since the mark is taken back; NULL for a dialect without values of its own. */
    void (*mark)(void *context, dialect_mark *mark);
    void (*reset)(void *context, const dialect_mark *mark);
    cover (*fact)(void *context, buffer *out, const tby_query *query, const query_node *node, uint32_t id);
    void *context;
} dialect;

typedef struct plan {
    buffer where;  /* a condition of SQL, empty if there is none */
    cover covered; /* by the condition alone; COVER_EXACT: nobody need be asked */

    /* A position that the games must come to; NULL if there is none. If `is_position` it and the condition are all of
       the query: the games that come there at `max_ply` or before are the right ones, and the first visit is the ply.
     */
    const query_node *position;
    bool is_position;
    int max_ply;
} plan;

/* A query of NULL is all games. False without memory; plan_free in any case. */
bool plan_make(plan *out, const tby_query *query, const dialect *d);
void plan_free(plan *p);

/* The board of a Q_FEN or Q_BOARD as what is looked for. */
tby_target plan_target(const query_node *node);

/* What both dialects say alike, of the columns of `table`: facts about numbers, choices, dates and records. */
cover plan_fact(buffer *out, const query_node *node, const char *table);
/* A condition on each of the fact's columns, which `put` appends, and whether one or both must hold. */
void plan_columns(buffer *out, const query_node *node, void *context,
                  void (*put)(void *context, buffer *out, const query_node *node, const char *column));

#endif
