/*
 * pg.h - what the parts share that keep games on a PostgreSQL server: the connection, statements, rows.
 *
 * docs/postgres.md describes the tables. Only connect.c knows libpq. Functions that answer false have left a sentence
 * in base.error.
 */
#ifndef TBY_STORE_POSTGRES_PG_H
#define TBY_STORE_POSTGRES_PG_H

#include "store/backend.h"

typedef struct pg {
    tby_db base;
    struct pg_conn *to;    /* libpq's */
    struct pg_result *row; /* the same: the row that is being visited */
    tby_db_wanted what;    /* of it has been asked for */
    bool looks_up;         /* the caller is told while the server works */
    int64_t last_id;       /* of the games that are stored */
    text_buffer shapes;    /* the names of all shapes, each with NUL behind; the first is number 1 */
    text_buffer out;       /* what is to be copied */
} pg;

/* Values for $1, $2 ... of a statement, all as text. */
typedef struct pg_values {
    text_buffer texts;
    size_t n;
    bool has_words; /* the server has an index of the words of names, and takes any letter */
} pg_values;

/* The number of the value that is added, for "$%zu". */
size_t pg_value(pg_values *v, const char *text);
void pg_values_free(pg_values *v);

bool pg_fail(pg *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
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

/* ---- Games (find.c) ------------------------------------------------------------------------------------------- */

/* The columns of a row, behind those of a hit, and of a whole game; the table is called g. */
enum { PG_ID, PG_PLY, PG_FIRST };
#define PG_ROW_COLUMNS                                                                                                 \
    "g.date, g.plies, g.white_elo, g.black_elo, g.result, g.white, g.black, g.event, g.site, g.round, g.eco, g.moves"
#define PG_GAME_COLUMNS                                                                                                \
    PG_ROW_COLUMNS ", (SELECT names FROM tabiya.shape WHERE shape.id = g.shape), g.tags::text, g.annotated, g.hash"
/* Those columns as a row; good while it is visited. */
tby_row pg_row(const pg *p, tby_db_wanted what);

/* What the backend does, by file. */
bool tby_pg_begin(tby_db *db);
bool tby_pg_add(tby_db *db, const tby_batch *batch, tby_duplicates duplicates, tby_db_added *added);
bool tby_pg_commit(tby_db *db);
void tby_pg_rollback(tby_db *db);
bool tby_pg_index(tby_db *db, int plies, tby_db_progress progress, void *context);
bool tby_pg_check_where(tby_db *db, const char *where);
bool tby_pg_find(tby_db *db, const tby_db_search *search, tby_db_visit visit, void *context);
bool tby_pg_count(tby_db *db, const tby_db_search *search, int64_t *out);
bool tby_pg_explain(tby_db *db, const tby_db_search *search, text_buffer *out);
bool tby_pg_n_games(tby_db *db, int64_t *out);
bool tby_pg_last_id(tby_db *db, int64_t *out);
bool tby_pg_explore(tby_db *db, const tby_position *pos, const tby_db_search *among, tby_db_moves *out);
bool tby_pg_row(tby_db *db, tby_game_id id, tby_row *out);

#endif
