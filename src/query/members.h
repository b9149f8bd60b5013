/*
 * members.h - the games of the collections that a query names, which only a database can look up.
 *
 * They belong to the plan of a search, never to the query, which does not change: several databases and threads may use
 * one query at the same time.
 */
#ifndef TBY_QUERY_MEMBERS_H
#define TBY_QUERY_MEMBERS_H

#include "query/ast.h"

/* The games in any of the collections that a fact names; for `collection ""`, the games in any collection. */
typedef struct collection_games {
    tby_game_id *ids; /* ascending, without duplicates */
    size_t n, cap;
} collection_games;

/* The games of each fact of a query, which must outlive them. */
typedef struct query_members query_members;
/* Makes room for them, without games so far; *out is NULL if the query names no collections. False: out of memory. */
bool members_new(query_members **out, const tby_query *query);
void members_free(query_members *members);

/* Does the fact name collections? */
bool node_is_collection(const query_node *node);
/* Does it mean the games in no collection? */
static inline bool node_is_uncollected(const query_node *node) { return node->u.t.text.n == 0; }
/* The games of a fact for which node_is_collection holds, in the query or in one that was made from its text. */
collection_games *members_of(query_members *members, const tby_query *query, const query_node *node);
/* Are there games of this fact? `members` may be NULL: no game is in a collection. */
bool members_any(const query_members *members, const tby_query *query, const query_node *node);
/* Is this game one of them? */
bool members_have(const query_members *members, const tby_query *query, const query_node *node, tby_game_id id);
/* Appends a game, in any order; false if out of memory. Call members_sort afterwards. */
bool members_add(collection_games *to, tby_game_id id);
void members_sort(collection_games *games);

#endif
