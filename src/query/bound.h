/*
 * bound.h - for which games a query may match, and for which it must: one walk over AND, OR, NOT and sequences.
 *
 * Anything that knows about single facts (an index, an SQL condition, the summary of a game) is a domain. Its values
 * are sets of games: for a node, the games in which it may hold at some ply, or those in which it must hold at every
 * ply. The walk computes the value of a query from those of its facts. Facts unknown to a domain are left out where
 * that is safe, so that no game is lost.
 */
#ifndef TBY_QUERY_BOUND_H
#define TBY_QUERY_BOUND_H

#include "query/ast.h"

/* Which games are meant. */
typedef enum bound_side { BOUND_MAY, BOUND_MUST } bound_side;

/* How much is known: nothing (no value); a superset of MAY or a subset of MUST; or exactly these games. */
typedef enum cover { COVER_NONE, COVER_MORE, COVER_EXACT } cover;

typedef struct bound_domain {
    /* The value of one fact. If it is COVER_EXACT, it is the same for both sides. */
    cover (*leaf)(void *context, void *value, const query_node *node, uint32_t id, bound_side side);
    void (*constant)(void *context, void *value, bool is_true);
    /* Intersection, or union with `is_or`. False, with `value` unchanged, if the joint value cannot be computed. */
    bool (*join)(void *context, void *value, const void *other, bool is_or);
    void (*negate)(void *context, void *value);
    void (*drop)(void *context, const void *value);    /* frees an unused value; later ones are freed first */
    bool (*is_settled)(const void *value, bool is_or); /* no join can change it; NULL: never */
    bool is_of_one_ply;                                /* a value is about one position, not about other plies */
    size_t size;                                       /* of a value */
} bound_domain;

/* The number of values that a query needs. */
static inline size_t bound_n_values(const tby_query *query) { return (size_t)query->depth + 2; }

/* The value of a node is the first of `values`. */
cover bound_query(const bound_domain *domain, void *context, void *values, const tby_query *query, uint32_t id,
                  bound_side side);

/* A fact that must hold at some ply of every matching game, by its index among those that satisfy `is_wanted`; NULL
   after the last. */
const query_node *bound_needed(const tby_query *query, bool (*is_wanted)(const query_node *), size_t index);

/* The board of a Q_FEN or Q_BOARD. */
tby_setup query_node_setup(const query_node *node);

#endif
