/*
 * cluster.h - games on several PostgreSQL servers, the shards, that a coordinator lists: a database that asks all of them
 * and puts their answers together.
 *
 * The coordinator holds no games. The hash of a game says on which shard it is. A shard that cannot be reached is an
 * error: no answer comes from a part of the games.
 */
#ifndef TBY_STORE_PG_CLUSTER_H
#define TBY_STORE_PG_CLUSTER_H

#include "store/postgres/server.h"

typedef struct shard {
    int number;
    char *options;       /* of the connection: host='...' ... */
    bool has_login;      /* they say as whom */
    server *to;          /* NULL until it is connected to */
    bool is_asked;       /* and has not answered yet */
    tby_failure failure; /* why it cannot be connected to */
} shard;

/* Where a game was seen. */
typedef struct game_place {
    tby_game_id id;
    size_t shard; /* its index */
} game_place;

typedef struct cluster {
    connection to; /* the coordinator */
    tby_db_mode mode;
    shard *shards;
    size_t n_shards, cap_shards;
    int64_t last_id;    /* of the games that are stored */
    int64_t next_try;   /* the second from which on shards that could not be reached are tried again */
    server *visited;    /* the shard whose row is being visited */
    game_place *places; /* of some games; NULL: of none */
} cluster;

/* Becomes the owner of the coordinator. */
tby_db *cluster_open(server *coordinator, tby_failure *failure);
/* Reads from a coordinator which shards there are, and how they are reached; nobody is connected to. A failure is that
   of the coordinator. */
bool cluster_list(cluster *c, connection *from);
void cluster_forget(cluster *c);
/* Connects to all that are not connected to. */
bool cluster_connect(cluster *c);
bool cluster_connect_to(cluster *c, size_t index);
/* The same before a question: not too often while one is away, and never in a transaction. */
bool cluster_reach(cluster *c);
/* Calls the function for every shard at the same time; false, and the sentence of the first that failed. */
bool cluster_all(cluster *c, bool (*work)(server *s, size_t index, void *context), void *context);
/* What shard `index` has said becomes what is said of all; always false. */
bool cluster_tell(cluster *c, size_t index);
/* The caller's watch is called while shards are waited for. */
void cluster_watch(const cluster *c, bool is_on);
/* Each shard lists names in the order of their bytes, and a number beside each. Calls `visit` once for each name, with the
   sum of its numbers. */
bool cluster_merge_names(cluster *c, bool (*send)(server *s, const void *question), const void *question,
                         void (*visit)(void *context, tby_text name, int64_t n), void *context);
/* The index of the shard that a game belongs to. */
static inline size_t cluster_place(const cluster *c, uint64_t hash) { return (size_t)(hash % c->n_shards); }

/* What the backend does: storing (cluster.c), asking (cluster_ask.c), the whole (cluster_maintain.c). */
bool cluster_begin(tby_db *db);
bool cluster_add(tby_db *db, const tby_batch *batch, tby_duplicates duplicates, tby_db_added *added);
bool cluster_commit(tby_db *db);
void cluster_rollback(tby_db *db);
bool cluster_index(tby_db *db, int plies, tby_db_progress progress, void *context);
bool cluster_erase(tby_db *db, const tby_game_id *ids, size_t n_ids, int64_t *n_deleted);
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
bool cluster_collections(tby_db *db, tby_game_id game, collection_take take, void *context);
bool cluster_members(tby_db *db, tby_text name, void (*take)(void *context, tby_game_id id), void *context);
bool cluster_collect(tby_db *db, tby_text name, const tby_game_id *ids, size_t n_ids, bool is_adding,
                     int64_t *n_changed);
bool cluster_begin_reading(tby_db *db, int64_t *version);
void cluster_end_reading(tby_db *db);
bool cluster_summarize(tby_db *db, tby_db_summary *out);
bool cluster_sizes(tby_db *db, tby_db_size visit, void *context);
bool cluster_verify(tby_db *db, tby_db_fault fault, tby_db_progress progress, void *context, int64_t *n_faults);

#endif
