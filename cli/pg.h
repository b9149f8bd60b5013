/*
 * pg.h - what the parts share that keep games on a PostgreSQL server: the connection, statements, rows.
 *
 * docs/postgres.md describes the tables. Only pg_connect.c knows libpq. Functions that answer false have left a sentence
 * in `error`.
 */
#ifndef TABIYA_CLI_PG_H
#define TABIYA_CLI_PG_H

#include "collection.h"
#include "common.h"

typedef struct pg {
    struct pg_conn *to;    /* libpq's */
    struct pg_result *row; /* the same: the row that is being visited */
    wanted what;           /* of it has been asked for */
    bool looks_up;         /* waiting moves the progress bar, and Ctrl-C ends it */
    int64_t last_id;       /* of the games that are stored */
    buffer shapes;         /* the names of all shapes, each with NUL behind; the first is number 1 */
    buffer out;            /* what is to be copied */
    char error[TBY_DB_ERROR_SIZE];
} pg;

/* Values for $1, $2 ... of a statement, all as text. */
typedef struct pg_values {
    buffer texts;
    size_t n;
} pg_values;

/* The number of the value that is added, for "$%zu". */
size_t pg_value(pg_values *v, const char *text);
void pg_values_free(pg_values *v);

bool pg_fail(pg *p, const char *format, ...) PRINTF_LIKE(2, 3);
/* Statements without results. */
bool pg_run(pg *p, const char *sql);
/* Calls `visit` for each row until it answers false; `v` may be NULL. */
typedef bool (*pg_visit)(void *context, pg *p);
bool pg_query(pg *p, const char *sql, const pg_values *v, pg_visit visit, void *context);
/* Only looks whether the server understands it. */
bool pg_check(pg *p, const char *sql);
/* The one number that a query gives, `otherwise` if it gives none. */
bool pg_number_of(pg *p, const char *sql, int64_t otherwise, int64_t *out);

/* Of the row that is being visited. */
tby_text pg_text(const pg *p, int column);
int64_t pg_number(const pg *p, int column); /* 0 for NULL */

/* COPY ... FROM STDIN, whose bytes are put into p->out. */
bool pg_copy_begin(pg *p, const char *sql);
bool pg_copy_flush(pg *p);
bool pg_copy_end(pg *p);

/* ---- Games (pg_find.c) ------------------------------------------------------------------------------------------- */

/* The columns of a row, behind those of a hit, and of a whole game; the table is called g. */
enum { PG_ID, PG_PLY, PG_FIRST };
#define PG_ROW_COLUMNS                                                                                                 \
    "g.date, g.plies, g.white_elo, g.black_elo, g.result, g.white, g.black, g.event, g.site, g.round, g.eco, g.moves"
#define PG_GAME_COLUMNS                                                                                                \
    PG_ROW_COLUMNS ", (SELECT names FROM tabiya.shape WHERE shape.id = g.shape), g.tags::text, g.annotated, g.hash"
/* Those columns as a row; good while it is visited. */
tby_row pg_row(const pg *p, wanted what);

/* The functions of pg_kind, by file. */
bool pg_begin(void *db);
bool pg_add(void *db, const tby_batch *batch, tby_duplicates duplicates, tby_db_added *added);
bool pg_commit(void *db);
bool pg_index(void *db, int plies);
bool pg_check_where(void *db, const char *condition, problem *p);
bool pg_find(void *db, const query *q, wanted what, tby_db_visit visit, void *context);
int64_t pg_count(void *db, const query *q);
int64_t pg_last_id(void *db);
bool pg_explore(void *db, const tby_position *pos, tby_db_moves *out);
bool pg_row_visited(void *db, tby_game_id id, tby_row *out);

#endif
