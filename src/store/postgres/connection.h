/*
 * connection.h - a connection to a PostgreSQL server: statements, rows, transactions, COPY.
 *
 * Only connection.c uses libpq. Functions that return false have set base.failure.
 */
#ifndef TBY_STORE_POSTGRES_CONNECTION_H
#define TBY_STORE_POSTGRES_CONNECTION_H

#include "store/access.h"

/* Statements that are sent repeatedly. */
typedef enum pg_often { PG_COUNTS, PG_COUNTS_OF_YEARS, PG_GAME, PG_GAME_AT, PG_N_OFTEN } pg_often;
typedef enum pg_familiarity { PG_UNKNOWN, PG_SENT_ONCE, PG_KNOWN } pg_familiarity; /* prepared on the server? */

typedef struct connection {
    tby_db base;           /* has the failure, and the watch, called while the server works */
    struct pg_conn *libpq; /* libpq's */
    struct pg_result *row; /* also libpq's: the result with the visited row,*/
    int at;                /* and the index of that row */
    bool has_failed;       /* the last statement with rows */
    bool looks_up;         /* calls the watch */
    bool is_owing;         /* results are pending; the next statement discards them */
    bool is_stuck;         /* in a transaction that must be rolled back */
    bool is_reading;       /* in a read transaction */
    bool is_writing;       /* in the caller's transaction, which stores games */
    bool is_wide;          /* the search path has the extension's schema; see server_widen_path */
    pg_familiarity often[PG_N_OFTEN];
    buffer out; /* what is to be copied */
} connection;

/* Values for $1, $2 ... of a statement, all as text. */
typedef struct pg_values {
    buffer texts;
    size_t n;
    bool has_words; /* the server has an index of words of names, for any letters */
} pg_values;

/* Adds a value and returns its number, for "$%zu". */
size_t pg_value(pg_values *v, const char *text);
size_t pg_value_of(pg_values *v, const char *s, size_t n);
/* The same for the text of a buffer, which is freed. */
size_t pg_value_take(pg_values *v, buffer *text);
void pg_values_free(pg_values *v);

/* A text as an SQL literal, where it cannot be a value. */
void pg_put_literal(buffer *out, const char *text);

/* ---- Opening ---------------------------------------------------------------------------------------------------- */

/* Connects and runs the statements `first`. Call pg_disconnect in any case. */
bool pg_connect(connection *c, const char *url, const char *first);
void pg_disconnect(connection *c);
/* Is the connection still alive, as far as is known without asking the server? */
bool pg_is_alive(connection *c);
/* The address of the server in a URL. */
typedef struct pg_address {
    char host[256]; /* empty if the URL has none */
    int port;
} pg_address;
bool pg_read_address(connection *c, const char *url, pg_address *out);

/* ---- Statements ------------------------------------------------------------------------------------------------- */

#define pg_fail(c, ...) db_fail(&(c)->base, TBY_IO_ERROR, __VA_ARGS__)
/* Statements without results. */
bool pg_run(connection *c, const char *sql);
/* The same, written by a format; the arguments are trusted SQL. */
bool pg_run_format(connection *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Ends the transaction; a failure within it is still reported. */
bool pg_end(connection *c, bool is_good);
/* Rolls the transaction back without waiting; if that cannot be sent now, before the next statement. */
void pg_leave(connection *c);
/* The same, and waits. */
void pg_roll_back(connection *c);
/* Only checks whether the server accepts the statement. */
bool pg_check(connection *c, const char *sql);

/* Sends a statement and reads its rows one after the other; each is the visited row until the next:
 *
 *     pg_send(c, "SELECT id FROM tabiya.game", NULL);
 *     while (pg_next(c))
 *         use(pg_number(c, 0));
 *     return pg_is_good(c);
 *
 * `v` may be NULL. If sending fails, there are no rows. */
bool pg_send(connection *c, const char *sql, const pg_values *v);
/* The same for few rows, which are all awaited at once; from the second time on the statement, which must not change,
   is prepared on the server. */
bool pg_send_often(connection *c, pg_often which, const char *sql, const pg_values *v);
/* Statements without values and with few rows; all results are read. */
bool pg_send_several(connection *c, const char *statements);
bool pg_next(connection *c);
static inline bool pg_is_good(const connection *c) { return !c->has_failed; }
/* No more rows are wanted; if there may be many, or they do not arrive at once, the server is asked to cancel, over a
   new connection. */
void pg_stop(connection *c, bool has_many);
/* Reads all rows: adds their number to `n_rows`, which may be NULL, or the first text of each to a buffer. */
bool pg_count(connection *c, int64_t *n_rows);
bool pg_texts(connection *c, buffer *out);
/* Sends a statement, and counts its rows. */
bool pg_query(connection *c, const char *sql, const pg_values *v, int64_t *n_rows);
/* The single number that a query returns, or `otherwise`. */
bool pg_number_of(connection *c, const char *sql, int64_t otherwise, int64_t *out);
/* Is there such a number, other than 0? */
bool pg_is_true(connection *c, const char *sql, bool *out);

/* Values of the visited row. */
tby_text pg_text(const connection *c, int at);
int64_t pg_number(const connection *c, int at); /* 0 for NULL */

/* A snapshot of the database. */
#define PG_BEGIN "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"

/* ---- COPY ... FROM STDIN, whose data is put into `out` ---------------------------------------------------------- */

bool pg_copy_begin(connection *c, const char *sql);
bool pg_copy_flush(connection *c);
/* Unless `is_good`, the data is discarded. */
bool pg_copy_end(connection *c, bool is_good);

#endif
