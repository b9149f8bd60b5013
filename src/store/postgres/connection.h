/*
 * connection.h - a connection to a PostgreSQL server: statements, rows, transactions, COPY.
 *
 * Only connection.c knows libpq. Functions that return false have left a sentence in base.failure.text.
 */
#ifndef TBY_STORE_PG_CONNECTION_H
#define TBY_STORE_PG_CONNECTION_H

#include "store/access.h"

/* Statements that are sent over and over. */
typedef enum pg_often { PG_COUNTS, PG_COUNTS_OF_YEARS, PG_GAME, PG_N_OFTEN } pg_often;
typedef enum pg_familiarity { PG_UNKNOWN, PG_SENT_ONCE, PG_KNOWN } pg_familiarity; /* of one to the server */

typedef struct connection {
    tby_db base;           /* failures are left there, and its watch is called while the server works */
    struct pg_conn *to;    /* libpq's */
    struct pg_result *row; /* the same: with the row being visited, */
    int at;                /* which is this one of it */
    bool looks_up;         /* calls the watch */
    bool is_owing;         /* answers that nobody waits for; the next statement takes them */
    bool is_stuck;         /* in a transaction that is to be left */
    bool is_reading;       /* a transaction that reads is open */
    bool is_writing;       /* the caller's transaction is open, and stores games */
    bool is_wide;          /* the search path has the extension's schema; see server_widen_path */
    pg_familiarity often[PG_N_OFTEN];
    buffer out; /* what is to be copied */
} connection;

/* Values for $1, $2 ... of a statement, all as text. */
typedef struct pg_values {
    buffer texts;
    size_t n;
    bool has_words; /* the server has an index of the words of names, and takes any letter */
} pg_values;

/* The number of the value that is added, for "$%zu". */
size_t pg_value(pg_values *v, const char *text);
void pg_values_free(pg_values *v);

/* A text in SQL, where it cannot be a value. */
void pg_put_literal(buffer *out, const char *text);

/* ---- Opening ---------------------------------------------------------------------------------------------------- */

/* Connects; `first` are statements to begin with. pg_disconnect in any case. */
bool pg_connect(connection *c, const char *url, const char *first);
void pg_disconnect(connection *c);
/* Is the connection still good, as far as can be known without a message to the server? */
bool pg_is_alive(connection *c);
/* Where a URL says that its server is. */
typedef struct pg_address {
    char host[256]; /* empty if it does not say */
    int port;
} pg_address;
bool pg_read_address(connection *c, const char *url, pg_address *out);
/* The options by which the connection to `url` was made, as "host='...' ..."; a password only if the URL has it. */
bool pg_write_options(connection *c, const char *url, buffer *out);

/* ---- Statements ------------------------------------------------------------------------------------------------- */

#define pg_fail(c, ...) db_fail(&(c)->base, TBY_IO_ERROR, __VA_ARGS__)
/* Statements without results. */
bool pg_run(connection *c, const char *sql);
/* The same, written by a format; the arguments are trusted SQL. */
bool pg_run_format(connection *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Ends the transaction; what made it fail is still reported. */
bool pg_end(connection *c, bool is_good);
/* The transaction is rolled back, without waiting for it; if that cannot be sent now, before the next statement. */
void pg_leave(connection *c);
/* The same, and waits. */
void pg_roll_back(connection *c);
/* Only looks whether the server understands it. */
bool pg_check(connection *c, const char *sql);

/* A statement is sent, and its rows are taken one after the other; each is the row being visited until the next. `v`
   may be NULL. */
typedef enum pg_step { PG_ROW, PG_END, PG_FAILED } pg_step;
bool pg_send(connection *c, const char *sql, const pg_values *v);
/* The same for few rows, which are waited for all at once; from the second time on the server has the statement ready,
   which is the same each time. */
bool pg_send_often(connection *c, pg_often which, const char *sql, const pg_values *v);
/* Statements without values and with few rows; all of them are read. */
bool pg_send_several(connection *c, const char *statements);
pg_step pg_next(connection *c);
/* No more rows are wanted; if there may be many, or they do not come at once, the server is asked to stop, for which a
   connection is made. */
void pg_stop(connection *c, bool has_many);
/* What is left of the answer is not wanted; it is small, or on its way. */
void pg_forget(connection *c);
/* Calls `visit` for each row until it returns false. */
typedef bool (*pg_visit)(void *context, const connection *row);
bool pg_query(connection *c, const char *sql, const pg_values *v, pg_visit visit, void *context);
/* The one number that a query returns, `otherwise` if it returns none. */
bool pg_number_of(connection *c, const char *sql, int64_t otherwise, int64_t *out);

/* Of the row being visited. */
tby_text pg_text(const connection *c, int at);
int64_t pg_number(const connection *c, int at); /* 0 for NULL */

/* A snapshot of the database, and a number for it: what others have written shows in it. */
#define PG_BEGIN "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"
#define PG_BEGIN_READING PG_BEGIN "; SELECT pg_current_snapshot()"
int64_t pg_snapshot(const connection *row);

/* ---- COPY ... FROM STDIN, whose bytes are put into `out` -------------------------------------------------------- */

bool pg_copy_begin(connection *c, const char *sql);
bool pg_copy_flush(connection *c);
/* Unless `is_good`, nothing of it is kept. */
bool pg_copy_end(connection *c, bool is_good);

#endif
