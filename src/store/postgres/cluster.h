/*
 * cluster.h - a database on PostgreSQL: on several servers, the shards, listed by a coordinator, or on a single server.
 * Queries all of them and combines their results.
 *
 * The coordinator has no games. The hash of a game determines its shard. If a shard cannot be reached, this is an
 * error: results never cover only part of the games. A single server is the only shard of a cluster without a
 * coordinator.
 */
#ifndef TBY_STORE_PG_CLUSTER_H
#define TBY_STORE_PG_CLUSTER_H

#include "store/postgres/server.h"

typedef struct shard {
    int number;
    char *options;       /* of the connection: host='...' ... */
    bool has_login;      /* the options include a user */
    server *to;          /* NULL until it is connected to */
    bool is_asked;       /* was sent a statement and has not answered yet */
    tby_failure failure; /* why it cannot be connected to */
} shard;

/* The shard on which a game was seen. */
typedef struct game_place {
    tby_game_id id;
    size_t shard; /* its index */
} game_place;

typedef struct cluster {
    connection to; /* the coordinator; a single server has none */
    tby_db_mode mode;
    shard *shards;
    size_t n_shards, cap_shards;
    int64_t last_id;    /* of the games that are stored */
    int64_t next_try;   /* when to try unreachable shards again, in seconds */
    server *visited;    /* the shard whose row is being visited */
    game_place *places; /* the places of some games, or NULL */
} cluster;

/* Becomes the owner of the coordinator, or of the single server. */
tby_db *cluster_open(server *s, bool is_coordinator, tby_failure *failure);
static inline bool cluster_is_single(const cluster *c) { return !c->to.to; }
/* Reads the list of shards and their addresses from a coordinator; does not connect to them. A failure is that of the
   coordinator. */
bool cluster_list(cluster *c, connection *from);
void cluster_forget(cluster *c);
/* Connects to all shards that are not connected. */
bool cluster_connect(cluster *c);
bool cluster_connect_to(cluster *c, size_t index);
/* The same before a query: not too often while a shard is unreachable, and never in a transaction. */
bool cluster_reach(cluster *c);
/* Calls the function for every shard in parallel; false, with the message of the first failure. */
typedef bool (*shard_work)(server *s, size_t index, void *context);
bool cluster_all(cluster *c, shard_work work, void *context);
/* Makes the failure of shard `index` that of the cluster; always returns false. */
bool cluster_tell(cluster *c, size_t index);
/* How many different names the games have. (names.c) */
typedef enum pg_names { PG_PLAYERS, PG_EVENTS, PG_SITES } pg_names;
bool cluster_count_names(cluster *c, pg_names which, int64_t *out);
/* The index of the shard that a game belongs to. */
static inline size_t cluster_place(const cluster *c, uint64_t hash) { return (size_t)(hash % c->n_shards); }

/* The operations of the backend that are not in cluster.c: adding (import.c), changes and collections (collections.c),
   querying (cluster_ask.c, names.c), maintenance (maintain.c). */
bool cluster_begin(tby_db *db);
bool cluster_commit(tby_db *db);
void cluster_rollback(tby_db *db);
bool cluster_add(tby_db *db, const tby_batch *batch, tby_duplicates duplicates, tby_db_added *added);
bool cluster_index(tby_db *db, int plies, tby_db_progress progress, void *context);
bool cluster_erase(tby_db *db, const tby_game_id *ids, size_t n_ids, int64_t *n_deleted);
bool cluster_collections(tby_db *db, tby_game_id game, collection_take take, void *context);
bool cluster_members(tby_db *db, tby_text name, void (*take)(void *context, tby_game_id id), void *context);
bool cluster_collect(tby_db *db, tby_text name, const tby_game_id *ids, size_t n_ids, bool is_adding,
                     int64_t *n_changed);
bool cluster_check_where(tby_db *db, const char *where);
bool cluster_players(tby_db *db, const player_search *search);
bool cluster_n_games(tby_db *db, int64_t *out);
bool cluster_last_id(tby_db *db, int64_t *out);
bool cluster_row(tby_db *db, tby_game_id id, tby_row *out);
db_plan *cluster_plan_make(tby_db *db, const tby_db_search *search, const tby_position *pos);
void cluster_plan_free(tby_db *db, db_plan *plan);
bool cluster_tell_plan(tby_db *db, db_plan *plan, buffer *out);
bool cluster_run(tby_db *db, db_plan *plan, tby_db_visit visit, void *context);
bool cluster_count(tby_db *db, db_plan *plan, int64_t *out);
bool cluster_pass(tby_db *db, db_plan *plan, const passing_visitor *v);
bool cluster_begin_reading(tby_db *db, int64_t *version);
void cluster_end_reading(tby_db *db);
bool cluster_summarize(tby_db *db, tby_db_summary *out);
bool cluster_sizes(tby_db *db, tby_db_size visit, void *context);
bool cluster_verify(tby_db *db, tby_db_fault fault, tby_db_progress progress, void *context, int64_t *n_faults);

#endif
