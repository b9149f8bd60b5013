/*
 * server.h - games on one PostgreSQL server: its tables, the extension's schema, and its features.
 *
 * docs/postgres.md describes the tables. A server is a database of its own, or one of the servers of a cluster
 * (cluster.h). If it is a Citus coordinator, its tables are distributed over others, and citus.c handles the
 * differences. Functions that return false have set to.base.failure.
 */
#ifndef TBY_STORE_PG_SERVER_H
#define TBY_STORE_PG_SERVER_H

#include "row/columns.h"
#include "store/postgres/connection.h"

typedef struct server {
    connection to;
    char *url; /* the URL of the connection */
    tby_db_mode mode;
    char ext[160];     /* the schema of the extension, quoted, with a dot after it */
    bool is_utf8;      /* its encoding */
    bool has_citus;    /* its tables are distributed */
    bool has_words;    /* has an index of words of names */
    bool has_counts;   /* has move statistics */
    bool has_matches;  /* its extension has the same query language as this program */
    size_t n_siblings; /* in a cluster: the number of servers, including this one; else 0 */

    unsigned what; /* which kinds of columns the visited row has */
    char *kept;    /* the texts of the row read by server_row */
    size_t cap_kept;
    int64_t last_id; /* of the stored games */
    buffer shapes;   /* the names of all shapes, each with NUL after it; the first is number 1 */
} server;

/* ---- Opening (open.c) ------------------------------------------------------------------------------------------- */

/* Connects, without looking at the tables. NULL on failure. */
server *server_connect(const char *url, tby_db_mode mode, tby_failure *failure);
void server_close(server *s);
/* Which tables exist. */
typedef struct server_tables {
    bool has_extension;
    bool has_game, is_ours; /* tabiya.game, in the version that this program knows */
    bool is_coordinator;    /* of a cluster */
    int shard, n_shards;    /* in a cluster: its number and their count; else 0 */
} server_tables;
/* Finds out with one statement what the database has. */
bool server_look(server *s, server_tables *out);
/* Does the schema tabiya have this table or index? */
bool server_has(server *s, const char *name, bool *out);
/* The statements that create the tables. */
void server_put_tables(const server *s, buffer *out);
/* Creates the extension if it is missing, in the first schema of the user's search path. */
bool server_add_extension(server *s);
/* The size limit of a packed game: a row of a B-tree has at most 2704 bytes. */
enum { PG_MOST_BYTES = 2600 };

/* Statements use a search path in which nobody else can create functions or operators, so that no foreign overload is
   called. Objects of the extension are named with its schema, and their arguments have the exact types: others may be
   able to create overloads in that schema. */
#define PG_PATH "SET search_path = pg_catalog, pg_temp"
/* A user's SQL condition names the extension's functions without a schema. For it the path also contains that schema,
   until the end of the transaction or the session. Statements with such a condition use operators and functions of
   pg_catalog only with exactly matching argument types, or with their schema. */
bool server_widen_path(server *s);
/* Are there move statistics that the user may read? Rights may have been granted before the tables existed. */
#define PG_HAS_COUNTS "coalesce(has_table_privilege(to_regclass('tabiya.game_totals'), 'SELECT'), FALSE)::integer"

/* Games whose date has no single year, such as 19??: they are not in counts by year. An index shows if there are any.
   */
#define PG_IN_SEVERAL_YEARS "date IS NULL AND last_day IS NOT NULL"

/* The words of a name, as in the index game_words. Arguments: the extension's schema, "g." or "", and the column. A
   tsquery finds words, 'carlsen' & 'magnus', or words with a prefix, 'carl':*. */
#define PG_WORDS "array_to_tsvector(%snameWords(%s%s))"

/* ---- Games (find.c) ------------------------------------------------------------------------------------------- */

/* The columns of a search: the number, the ply, and the columns of the wanted kinds. */
enum { PG_ID, PG_PLY, PG_FIRST };
/* A statement for whole games of the table g. */
void server_put_games(buffer *out, const char *condition);
/* The columns as a row; valid while it is visited. */
tby_row server_visited_row(const connection *row, unsigned kinds);
/* A game by its number: asks for it, and takes the answer; TBY_NOT_FOUND if there is none. */
bool server_game_send(server *s, tby_game_id id);
bool server_game_take(server *s, tby_game_id id, tby_row *out);
/* The visited game, or any game if none is being visited. */
bool server_row(server *s, tby_game_id id, tby_row *out);
bool server_check_where(server *s, const char *where);

/* ---- Adding (import.c) ------------------------------------------------------------------------------------------ */

/* Imports are serialized by a lock on a table that nobody else writes. */
#define PG_TAKE_TURN "BEGIN; LOCK TABLE tabiya.shape IN SHARE ROW EXCLUSIVE MODE"

/* The depth of the position index; -1 if there is none. */
bool server_index_depth(server *s, int64_t *out);

/* Ids as a PostgreSQL array: {1,2,3} */
void put_ids(buffer *out, const tby_game_id *ids, size_t n);

/* ---- Citus (citus.c) -------------------------------------------------------------------------------------------- */

/* Does the server have Citus? */
bool citus_look(server *s, bool *out);
/* Are the tables distributed? Sets `has_citus`. */
bool citus_find_tables(server *s);
/* Adds workers, and creates and distributes the tables; with `print`, only writes the statements. */
bool citus_set_up(server *s, const pg_address *coordinator, const pg_address *workers, size_t n, tby_sink print,
                  void *context);
/* In the transaction of an import, before it writes. */
bool citus_begin_import(server *s);
/* Writes a user's SQL condition on the table g. */
void citus_put_where(buffer *out, const char *condition);
bool citus_add(server *s, const pg_address *worker);
/* Starts moving games until all workers have their share; this continues in the background. */
bool citus_rebalance(server *s);
/* For each worker: number, place, reachable, error, games, bytes, versions of server and extension, standbys, lag. */
extern const char citus_nodes[];
/* The sizes as for one server, over all workers. */
extern const char citus_bytes[], citus_sizes[];
/* In a transaction: updates the counts for the games "{1,2,3}", which were added or will be deleted. */
bool citus_count_games(server *s, const char *ids, bool are_gone);
/* The same as game_played_count and game_played_fold on one server. */
bool citus_recount(server *s);
bool citus_fold(server *s);

#endif
