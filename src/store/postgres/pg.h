/*
 * pg.h - what the parts share that keep games on a PostgreSQL server: the connection, statements, rows.
 *
 * docs/postgres.md describes the tables. Only connect.c knows libpq. Functions that answer false have left a sentence
 * in base.error.
 */
#ifndef TBY_STORE_POSTGRES_PG_H
#define TBY_STORE_POSTGRES_PG_H

#include "row/columns.h"
#include "store/access.h"

typedef struct pg_shard {
    int number;
    char *options;                 /* of the connection: host='...' ... */
    bool has_login;                /* they say as whom */
    struct pg *to;                 /* NULL until it is connected to */
    bool is_asked;                 /* and has not answered yet */
    char error[TBY_DB_ERROR_SIZE]; /* why it cannot be */
} pg_shard;

/* Where a game was seen. */
typedef struct pg_place {
    tby_game_id id;
    size_t shard; /* its index */
} pg_place;

/* Statements that are sent over and over. */
typedef enum pg_often {
    PG_COUNTS,
    PG_COUNTS_OF_CLASSES,
    PG_COUNTS_OF_YEARS,
    PG_COUNTS_OF_BOTH,
    PG_GAME,
    PG_N_OFTEN
} pg_often;
typedef enum pg_familiarity { PG_UNKNOWN, PG_SENT_ONCE, PG_KNOWN } pg_familiarity; /* of one to the server */

typedef struct pg {
    tby_db base;
    tby_db_mode mode;
    struct pg_conn *to;    /* libpq's */
    struct pg_result *row; /* the same: with the row that is being visited, */
    int at;                /* which is this one of it */
    tby_db_wanted what;    /* of it has been asked for */
    bool looks_up;         /* the caller is told while the server works */
    bool is_owing;         /* answers that nobody waits for; the next statement takes them */
    bool is_stuck;         /* in a transaction that is to be left */
    pg_familiarity often[PG_N_OFTEN];
    char ext[160];   /* the schema of the extension, quoted, with a dot after it */
    bool is_wide;    /* the search path has the extension's schema; see pg_widen_path */
    int64_t last_id; /* of the games that are stored */
    buffer shapes;   /* the names of all shapes, each with NUL behind; the first is number 1 */
    buffer out;      /* what is to be copied */
    char *kept;      /* the texts of the row that pg_fetch_row has asked for */
    size_t cap_kept;

    bool is_reading;      /* a transaction that reads is open */
    bool is_writing;      /* the caller's transaction is open, and stores games */
    bool has_odd_dates;   /* some games' dates only their tags tell; see pg_find_odd_dates */
    bool tells_odd_dates; /* a view has those games */
    bool is_utf8;         /* the server's encoding */
    bool has_words;       /* it has an index of the words of names */
    bool has_counts;      /* it keeps move statistics */
    bool has_matches;     /* its extension reads queries as this program does */

    size_t n_siblings; /* of a shard: how many there are, itself too */

    bool is_coordinator; /* the games are on shards: */
    pg_shard *shards;
    size_t n_shards, cap_shards;
    int *slots;         /* the index of the shard of each slot */
    bool reads_shards;  /* the caller's transaction is one of each shard */
    int64_t next_try;   /* the second from which on shards that could not be reached are tried again */
    int64_t next_look;  /* the same for looking which there are */
    struct pg *visited; /* the shard whose row is being visited */
    pg_place *places;   /* of some games; NULL: of none */
} pg;

/* Values for $1, $2 ... of a statement, all as text. */
typedef struct pg_values {
    buffer texts;
    size_t n;
    bool has_words; /* the server has an index of the words of names, and takes any letter */
} pg_values;

/* The number of the value that is added, for "$%zu". */
size_t pg_value(pg_values *v, const char *text);
void pg_values_free(pg_values *v);

bool pg_fail(pg *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Statements without results. */
bool pg_run(pg *p, const char *sql);
/* Ends the transaction; what made it fail is still told. */
bool pg_end(pg *p, bool is_good);
/* A statement is sent, and its rows are taken one after the other; each is the row being visited until the next. `v`
   may be NULL. */
typedef enum pg_step { PG_ROW, PG_END, PG_FAILED } pg_step;
bool pg_send(pg *p, const char *sql, const pg_values *v);
/* The same for few rows, which are waited for all at once; from the second time on the server has the statement ready,
   which is the same each time. */
bool pg_send_often(pg *p, pg_often which, const char *sql, const pg_values *v);
/* Statements without values and with few rows, all of which are taken. */
bool pg_send_several(pg *p, const char *statements);
pg_step pg_next(pg *p);
/* No more rows are wanted; if there may be many, or they do not come at once, the server is told to stop, for which it
   makes a connection. */
void pg_stop(pg *p, bool has_many);
/* Calls `visit` for each row until it answers false. */
typedef bool (*pg_visit)(void *context, pg *p);
bool pg_query(pg *p, const char *sql, const pg_values *v, pg_visit visit, void *context);
/* A picture of the database that does not change, and a number for it: what others have written shows in it. */
#define PG_BEGIN "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"
#define PG_BEGIN_READING PG_BEGIN "; SELECT pg_current_snapshot()"
int64_t pg_snapshot(const pg *p); /* of its row */
/* The transaction is rolled back, without waiting for it; if that cannot be said now, before the next statement. */
void pg_leave(pg *p);
/* The same, and waits. */
void pg_roll_back(pg *p);
/* What is left of the answer is not wanted; it is small, or on its way. */
void pg_forget(pg *p);
/* Only looks whether the server understands it. */
bool pg_check(pg *p, const char *sql);
/* The one number that a query gives, `otherwise` if it gives none. */
bool pg_number_of(pg *p, const char *sql, int64_t otherwise, int64_t *out);

/* Of the row that is being visited. */
tby_text pg_text(const pg *p, int at);
int64_t pg_number(const pg *p, int at); /* 0 for NULL */

/* COPY ... FROM STDIN, whose bytes are put into p->out. */
bool pg_copy_begin(pg *p, const char *sql);
bool pg_copy_flush(pg *p);
/* Unless `is_good`, nothing of it is kept. */
bool pg_copy_end(pg *p, bool is_good);

/* From a COPY ... TO STDOUT of one server to a COPY ... FROM STDIN of another; the sentence is in one of the two. */
bool pg_copy_between(pg *from, const char *out, pg *to, const char *in);

/* ---- Connections (connect.c) ------------------------------------------------------------------------------------ */

/* Without tables; `first` are statements to begin with. Does not wait for a server more than some seconds, unless the
   URL says so. */
pg *pg_open(const char *url, const char *first, tby_status *status, char error[TBY_DB_ERROR_SIZE]);
void pg_close(pg *p);
/* Is the connection still good, as far as can be known without a message to the server? */
bool pg_is_alive(pg *p);

/* ---- Tables (open.c) ------------------------------------------------------------------------------------------- */

/* Are there move statistics that the user may read? A reader may have been granted all tables before there were any. */
#define PG_HAS_COUNTS "coalesce(has_table_privilege(to_regclass('tabiya.game_totals'), 'SELECT'), FALSE)::integer"
/* Finds the schema of the extension; an error if there is none. */
bool pg_find_extension(pg *p);
/* Statements are read with a search path that nobody can create functions or operators in, so that no overload is
   called in place of what is meant. What the extension has is named with its schema, and its arguments have their exact
   types: others may be able to create overloads beside them. */
#define PG_PATH "SET search_path = pg_catalog, pg_temp"
/* A condition in SQL that the user has written names the extension's functions without a schema. For it the path has
   that schema too, up to the end of the transaction or of the session. Statements that hold such a condition use no
   operator or function of pg_catalog on arguments that it has no exact match for, or name its schema. */
bool pg_widen_path(pg *p);
bool pg_add_extension(pg *p);
/* The same, and looks what the tables have, which must be those of this shard. */
bool pg_find_shard(pg *p, int number);
/* What to begin with on a server. */
const char *pg_first_statements(tby_db_mode mode);
/* The options by which the connection to `url` was made, as "host='...' ..."; a password only if the URL has it. */
bool pg_write_options(pg *p, const char *url, buffer *out);

/* ---- Games (find.c) ------------------------------------------------------------------------------------------- */

/* What a search selects: the number, the ply, and the columns of the kinds that are wanted. */
enum { PG_ID, PG_PLY, PG_FIRST };
/* ", g.white ..." of the table g */
void pg_put_columns(buffer *out, const pg *p, tby_db_wanted what);
/* The condition of a search on a table g, as " AND ...", its values behind those that `v` has; what only the evaluator
   can decide is not said, and `*is_said` false. */
bool pg_search_conditions(pg *p, const tby_db_search *search, pg_values *v, buffer *out, bool *is_said);
/* A game may have a date like 19??, which no column holds. Looks whether there is such a game, if the query asks for
   dates: if not, the columns tell all. */
bool pg_find_odd_dates(pg *p, const tby_query *query);
/* The same in parts: does it? If p->tells_odd_dates, this can be sent; and takes the answer. */
bool pg_asks_dates(const tby_query *query);
#define PG_ODD_DATES "SELECT count(*) FROM (SELECT 1 FROM tabiya.odd_dates LIMIT 1) AS x"
bool pg_take_odd_dates(pg *p);
/* A game by its number: asks for it, and takes the answer; TBY_NOT_FOUND if there is none. */
bool pg_game_send(pg *p, tby_game_id id);
bool pg_game_take(pg *p, tby_game_id id, tby_row *out);
/* Those columns as a row; good while it is visited. */
tby_row pg_row(const pg *p, tby_db_wanted what);

/* ---- Adding (import.c) ------------------------------------------------------------------------------------------ */

/* A game of a batch on its way to a server. */
typedef struct pg_game {
    uint64_t hash;
    size_t index; /* in the batch */
    int64_t id;
    bool is_duplicate;
} pg_game;

typedef struct pg_games {
    const tby_batch *batch;
    pg_game *list; /* in the order of the batch */
    size_t n;
    size_t next; /* the one that gets the next number */
    bool has_no_memory;
} pg_games;

/* Marks games that are stored already, and all but the first of those that are there twice. */
bool pg_mark_duplicates(pg *p, pg_games *g);
/* How deep the index of positions is; -1 if there is none. */
bool pg_index_depth(pg *p, int64_t *out);
/* Stores those that are not marked, by their ids. */
bool pg_copy_games(pg *p, const pg_games *g);

/* ---- Shards (shards.c) ------------------------------------------------------------------------------------------ */

enum { PG_SLOTS = 1024 };
/* One import or move of games at a time; others delete games meanwhile. */
#define PG_LOCK_SLOTS "BEGIN; LOCK TABLE tabiya.slot IN SHARE ROW EXCLUSIVE MODE"
/* What shards the coordinator knows, and how they are reached; nobody is connected to. */
bool pg_shards_find(pg *p);
/* Connects to all that are not connected to. */
bool pg_shards_connect(pg *p);
/* Calls the function for every shard at the same time; false, and the sentence of the first that failed. */
bool pg_shards_all(pg *p, bool (*work)(pg *shard, size_t index, void *context), void *context);
void pg_shards_close(pg *p);
bool pg_shards_begin(tby_db *db);
bool pg_shards_add(tby_db *db, const tby_batch *batch, tby_duplicates duplicates, tby_db_added *added);
bool pg_shards_commit(tby_db *db);
void pg_shards_rollback(tby_db *db);
bool pg_shards_index(tby_db *db, int plies, tby_db_progress progress, void *context);
/* What shard `index` has said becomes what is said of all; always false. */
bool pg_shards_tell(pg *p, size_t index);
/* What a move of games between shards has left half done is undone or completed (shards_move.c). */
bool pg_shards_mend(pg *p);
/* Moves so many slots with their games. */
bool pg_shards_move(pg *p, int from, int to, size_t n_slots);

/* Before a database becomes a shard or a coordinator (shards_check.c): which it is, the same by whatever name of its
   server, and whether its extension is the right one; a sentence about the coordinator is told by the shard too. */
bool pg_write_identity(pg *p, buffer *out);
bool pg_check_shard_extension(pg *shard, pg *coordinator);
bool pg_check_coordinator_extension(pg *p);
/* A script for psql (shards_print.c): its head, and the statements for one server. */
void pg_put_script_head(buffer *out);
void pg_put_script_part(buffer *out, const char *name, const char *options, const buffer *sql);
/* The options of a connection with *** for a password. */
void pg_put_shown_options(buffer *out, const char *options);

/* ---- Asking shards (shards_ask.c) ------------------------------------------------------------------------------- */

/* Are all shards connected to, or can they be? Else questions go by the coordinator. */
bool pg_shards_reach(pg *p);
bool pg_shards_n_games(tby_db *db, int64_t *out);
bool pg_shards_last_id(tby_db *db, int64_t *out);
bool pg_shards_row(tby_db *db, tby_game_id id, tby_row *out);
bool pg_shards_find_games(tby_db *db, const tby_db_search *search, tby_db_visit visit, void *context);
bool pg_shards_count(tby_db *db, const tby_db_search *search, int64_t *out);
bool pg_shards_explain(tby_db *db, const tby_db_search *search, buffer *out);
bool pg_shards_explore(tby_db *db, const tby_position *pos, const tby_db_search *among, const passing_visitor *visitor);
bool pg_shards_explore_games(tby_db *db, const tby_position *pos, const tby_db_search *among, tby_db_meet meet,
                             void *context);
bool pg_shards_index_depth(pg *p, int64_t *out);
bool pg_shards_begin_reading(tby_db *db, int64_t *version);
void pg_shards_end_reading(tby_db *db);

/* What the backend does, by file. */
bool pg_begin(tby_db *db);
bool pg_add(tby_db *db, const tby_batch *batch, tby_duplicates duplicates, tby_db_added *added);
bool pg_commit(tby_db *db);
void pg_rollback(tby_db *db);
bool pg_index(tby_db *db, int plies, tby_db_progress progress, void *context);
bool pg_check_where(tby_db *db, const char *where);
bool pg_players(tby_db *db, const player_search *search);
bool pg_find(tby_db *db, const tby_db_search *search, tby_db_visit visit, void *context);
bool pg_count(tby_db *db, const tby_db_search *search, int64_t *out);
bool pg_explain(tby_db *db, const tby_db_search *search, buffer *out);
bool pg_n_games(tby_db *db, int64_t *out);
bool pg_last_id(tby_db *db, int64_t *out);
bool pg_explain_explore(tby_db *db, const tby_position *pos, const tby_db_search *among, buffer *out);
bool pg_explore(tby_db *db, const tby_position *pos, const tby_db_search *among, const passing_visitor *visitor);
bool pg_explore_games(tby_db *db, const tby_position *pos, const tby_db_search *among, tby_db_meet meet, void *context);
bool pg_fetch_row(tby_db *db, tby_game_id id, tby_row *out);
bool pg_summarize(tby_db *db, tby_db_summary *out);
bool pg_sizes(tby_db *db, tby_db_size visit, void *context);
bool pg_erase(tby_db *db, const tby_game_id *ids, size_t n_ids, int64_t *n_deleted);
bool pg_begin_reading(tby_db *db, int64_t *version);
void pg_end_reading(tby_db *db);
bool pg_verify(tby_db *db, tby_db_fault fault, tby_db_progress progress, void *context, int64_t *n_faults);

#endif
