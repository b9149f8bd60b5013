/*
 * server.h - games on a PostgreSQL server: its tables, the extension's schema, its features, and the operations of
 * this kind of database.
 *
 * docs/postgres.md describes the tables. If the server is a Citus coordinator, they are distributed over others, and
 * citus.c handles the differences. Functions that return false have set to.base.failure.
 */
#ifndef TBY_STORE_POSTGRES_SERVER_H
#define TBY_STORE_POSTGRES_SERVER_H

#include "row/columns.h"
#include "store/postgres/connection.h"

/* The hash of a game determines where Citus stores it. */
typedef struct game_place {
    tby_game_id id;
    int64_t hash;
} game_place;

typedef struct server {
    connection to; /* begins with the tby_db */
    char *url;     /* the URL of the connection */
    tby_db_mode mode;
    char ext[160];    /* the schema of the extension, quoted, with a dot after it */
    bool is_utf8;     /* its encoding */
    bool has_citus;   /* its tables are distributed, */
    bool has_changes; /* and their changes are numbered */
    bool has_words;   /* has an index of words of names */
    bool has_counts;  /* has move statistics */
    bool is_current;  /* its extension is of this program's version, */
    bool has_matches; /* so it has the same query language */

    game_place *places; /* of some games, with Citus; NULL: of none */
    unsigned what;      /* which kinds of columns the visited row has */
    char *kept;         /* the texts of the row read by postgres_row */
    size_t cap_kept;
    buffer shapes; /* the names of all shapes, each with NUL after it; the first is number 1 */
} server;

/* ---- Opening (open.c) ------------------------------------------------------------------------------------------- */

/* Connects, without looking at the tables. NULL on failure. */
server *server_connect(const char *url, tby_db_mode mode, tby_failure *failure);
void server_close(server *s);
/* Which tables exist. */
typedef struct server_tables {
    bool has_extension;
    bool has_game, is_ours; /* tabiya.game, in the version that this program knows */
    bool was_coordinator;   /* version 1 distributed games over shards: this one listed them, */
    bool was_shard;         /* or had a part of the games */
    bool has_citus;         /* the extension citus */
} server_tables;
/* Finds out with one statement what the database has, and checks who could change it. */
bool server_look(server *s, server_tables *out);
/* Does everything that the program uses belong to roles that its user trusts? (owners.c) */
bool server_check_owners(server *s);
/* Does the schema tabiya have this table or index? */
bool server_has(server *s, const char *name, bool *out);
/* The statements that create the tables, for a transaction. */
void server_put_tables(const server *s, buffer *out);
/* Creates the extension if it is missing, in the first schema of the user's search path, and looks again. */
#define PG_ADD_EXTENSION "CREATE EXTENSION IF NOT EXISTS tabiya"
bool server_add_extension(server *s, server_tables *t);
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

/* The arguments of createMoveStats: what is counted, and by which columns. */
#define PG_COUNTED                                                                                                     \
    "'tabiya.game'::regclass, 'moves'::name, 'white_elo'::name, 'black_elo'::name, 'date'::name, 'speed'::name, "      \
    "'tags'::name"
/* The pool of a game (tby_pool_of_row), as in the index game_pool. Arguments: the extension's schema, and "g." or "" four
   times. */
#define PG_POOL "%stabiya_pool(%swhite_elo, %sblack_elo, %sspeed, %stags)"

/* Games whose date has no single year, such as 19??: they are not in counts by year. An index shows if there are any.
   */
#define PG_IN_SEVERAL_YEARS "date IS NULL AND last_day IS NOT NULL"

/* The words of a name, as in the index game_words. Arguments: the extension's schema, "g." or "", and the column. A
   tsquery finds words, 'carlsen' & 'magnus', or words with a prefix, 'carl':*. */
#define PG_WORDS "array_to_tsvector(%snameWords(%s%s))"

/* ---- Games (find.c) ------------------------------------------------------------------------------------------- */

/* The columns of a search: the number, the ply, and the columns of the wanted kinds. */
enum { PG_ID, PG_PLY, PG_FIRST };
/* Remembers the hash of a game, so that it can be found without asking all workers. */
void server_note_place(server *s, tby_game_id id, int64_t hash);
/* A statement for whole games of the table g. */
void server_put_games(buffer *out, const char *condition);
/* The columns as a row; valid while it is visited. */
tby_row server_visited_row(const connection *row, unsigned kinds);

/* ---- Adding (import.c) ------------------------------------------------------------------------------------------ */

/* Imports are serialized by a lock on a table that nobody else writes. */
#define PG_TAKE_TURN "BEGIN; LOCK TABLE tabiya.shape IN SHARE ROW EXCLUSIVE MODE"

/* The depth of the position index; -1 if there is none. */
bool server_index_depth(server *s, int64_t *out);

/* Ids as a PostgreSQL array: {1,2,3} (collections.c) */
void put_ids(buffer *out, const tby_game_id *ids, size_t n);

/* ---- Names (names.c) -------------------------------------------------------------------------------------------- */

/* How many different names the games have. */
typedef enum pg_names { PG_PLAYERS, PG_EVENTS, PG_SITES } pg_names;
bool server_count_names(server *s, pg_names which, int64_t *out);

/* ---- Contents (contents.c) -------------------------------------------------------------------------------------- */

/* Creates the tables that count games, names and results, if they are missing. */
bool contents_make(server *s);
/* Counts all games if they are not counted, with statements that are added to `beside`, for a second connection; and
   otherwise adds up what was counted since. */
bool contents_keep(server *s, buffer *beside);
/* Where no trigger does: counts the games "{1,2,3}", which were added or will be deleted. */
bool contents_count_games(server *s, const char *ids, bool are_gone);
/* Are the counts, if there are any, those of the games? */
bool contents_verify(server *s, bool *are_right);

/* ---- Operations of the database --------------------------------------------------------------------------------- */

/* Adding (import.c). */
bool postgres_begin(tby_db *db);
bool postgres_commit(tby_db *db);
void postgres_rollback(tby_db *db);
bool postgres_add(tby_db *db, const tby_batch *batch, tby_duplicates duplicates, tby_db_added *added);
bool postgres_index(tby_db *db, int plies, tby_db_progress progress, void *context);
/* Deleting, and collections (collections.c). */
bool postgres_erase(tby_db *db, const tby_game_id *ids, size_t n_ids, int64_t *n_deleted);
bool postgres_collections(tby_db *db, tby_game_id game, collection_take take, void *context);
bool postgres_members(tby_db *db, tby_text name, void (*take)(void *context, tby_game_id id), void *context);
bool postgres_collect(tby_db *db, tby_text name, const tby_game_id *ids, size_t n_ids, bool is_adding,
                      int64_t *n_changed);
/* Querying (read.c, find.c, names.c). The row is that of the visited game, or of any game if none is being visited. */
bool postgres_n_games(tby_db *db, int64_t *out);
bool postgres_last_id(tby_db *db, int64_t *out);
bool postgres_row(tby_db *db, tby_game_id id, tby_row *out);
bool postgres_facts(tby_db *db, tby_game_id id, tby_db_facts *out);
bool postgres_check_where(tby_db *db, const char *where);
db_plan *postgres_plan(tby_db *db, const tby_db_search *search, const tby_position *pos, query_members *members);
void postgres_plan_free(tby_db *db, db_plan *plan);
bool postgres_describe(tby_db *db, db_plan *plan, buffer *out);
bool postgres_run(tby_db *db, db_plan *plan, tby_db_visit visit, void *context);
bool postgres_count(tby_db *db, db_plan *plan, int64_t *out);
bool postgres_reach(tby_db *db, db_plan *plan, const reaching_visitor *v);
bool postgres_reach_many(tby_db *db, db_plan *plan, reaching_many *many);
bool postgres_begin_reading(tby_db *db, int64_t *version);
void postgres_end_reading(tby_db *db);
bool postgres_names(tby_db *db, const name_search *search);
/* Maintenance (contents.c, maintain.c). */
bool postgres_summarize(tby_db *db, tby_db_summary *out);
bool postgres_sizes(tby_db *db, tby_db_size visit, void *context);
bool postgres_verify(tby_db *db, tby_db_fault fault, tby_db_progress progress, void *context, int64_t *n_faults);

/* ---- Citus (citus.c) -------------------------------------------------------------------------------------------- */

/* On a server with the extension citus: are the tables distributed? Sets `has_citus`. Fails on a worker. */
bool citus_find_tables(server *s);
/* The statements that begin a snapshot and return its version. */
const char *citus_version(const server *s);
/* After games were added or deleted. */
bool citus_note_change(server *s);
/* Adds workers, and creates and distributes the tables, in one transaction; with `print`, only writes the statements. */
typedef struct citus_plan {
    pg_address coordinator;
    const pg_address *workers;
    size_t n_workers;
    int n_shards;   /* the parts of each table; 0: a default */
    tby_sink print; /* NULL: the statements are run */
    void *context;
} citus_plan;
bool citus_set_up(server *s, server_tables *t, const citus_plan *plan);
/* In the transaction of an import, before it writes. */
bool citus_begin_import(server *s);
/* Builds the first index of positions; `limit` is "" or " (max_ply = 20)". */
bool citus_index_positions(server *s, const char *limit);
/* VACUUM ANALYZE of a distributed table. */
bool citus_analyze(server *s, const char *table);
/* Hashes "{1,2,3}" as a list for each part of the table of games: "{1,3}{2}". */
bool citus_part_hashes(server *s, const char *hashes, buffer *out);
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
