/*
 * members.h - the games of the collections that a query names, which only a database can look up.
 *
 * A query with `collection NAME` has an entry for each such fact. The database that plans a search fills the entries,
 * which are empty until then. So a query that names collections can only be used for one search at a time.
 */
#ifndef TBY_QUERY_MEMBERS_H
#define TBY_QUERY_MEMBERS_H

#include "query/ast.h"

/* The games in any of the collections that a fact names; for `collection ""`, the games in any collection. */
typedef struct collection_games {
    tby_game_id *ids; /* ascending, without duplicates */
    size_t n, cap;
} collection_games;

/* Makes room for the games of each fact of the program; false if out of memory. */
bool members_init(tby_query *query);
void members_free(tby_query *query);
/* A query that is part of another uses the same games; the part must not outlive the whole. */
void members_share(tby_query *part, const tby_query *whole);

/* Does the fact name collections? */
bool node_is_collection(const query_node *node);
/* Does it mean the games in no collection? */
static inline bool node_is_uncollected(const query_node *node) { return node->u.t.text.n == 0; }
/* The games of a fact for which node_is_collection holds. */
collection_games *members_of(const tby_query *query, const query_node *node);
/* Appends a game, in any order; false if out of memory. Call members_sort afterwards. */
bool members_add(const tby_query *query, collection_games *to, tby_game_id id);
void members_sort(collection_games *games);
bool members_have(const collection_games *games, tby_game_id id);

#endif
