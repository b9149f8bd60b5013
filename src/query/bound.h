/*
 * bound.h - for which games a query may hold, and for which it must: the one walk over AND, OR, NOT and sequences.
 *
 * Anything that knows something about single facts (an index, an SQL condition, the summary of a game) is a domain. Its
 * values represent sets of games: for a node, the games in which it may hold at some ply, or those in which it must
 * hold at every ply. The walk makes the value of a query from those of its facts. What a domain does not know is left
 * out where that is safe, so that no game is lost.
 */
#ifndef TBY_QUERY_BOUND_H
#define TBY_QUERY_BOUND_H

#include "query/ast.h"

/* Which games are meant. */
typedef enum bound_side { BOUND_MAY, BOUND_MUST } bound_side;

/* What is known: nothing, so that there is no value; more games than may (fewer than must); or just these. */
typedef enum cover { COVER_NONE, COVER_MORE, COVER_EXACT } cover;

typedef struct bound_domain {
    /* The value of one fact. One of COVER_EXACT is the same for both sides. */
    cover (*leaf)(void *context, void *value, const query_node *node, uint32_t id, bound_side side);
    void (*constant)(void *context, void *value, bool is_true);
    /* What both have, or what one has. False if the value of both together cannot be had; `value` is as it was. */
    bool (*join)(void *context, void *value, const void *other, bool is_or);
    void (*negate)(void *context, void *value);
    void (*drop)(void *context, const void *value); /* a value that is not used; values made later are dropped first */
    bool (*is_settled)(const void *value, bool is_or); /* nothing joined to it can change it; NULL: never known */
    bool is_of_one_ply; /* a value is about one position: nothing is known of other plies */
    size_t size;        /* of a value */
} bound_domain;

/* The number of values that a query needs. */
static inline size_t bound_n_values(const tby_query *query) { return (size_t)query->depth + 2; }

/* The value of a node is the first of `values`. */
cover bound_query(const bound_domain *domain, void *context, void *values, const tby_query *query, uint32_t id,
                  bound_side side);

/* A fact that must hold at some ply of every game for which the query holds, by index among those that `is_wanted`;
   NULL past the last. */
const query_node *bound_needed(const tby_query *query, bool (*is_wanted)(const query_node *), size_t index);

/* The board of a Q_FEN or Q_BOARD. */
tby_setup query_node_setup(const query_node *node);

#endif
