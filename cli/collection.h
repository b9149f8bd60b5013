/*
 * collection.h - the games that import, find, explore and export work on: a database file, or the tables of a
 * PostgreSQL server where the command line has postgresql://... in its place.
 *
 * Functions that answer false, or a negative number, have left a sentence for collection_failed.
 */
#ifndef TABIYA_CLI_COLLECTION_H
#define TABIYA_CLI_COLLECTION_H

#include "database.h"
#include "query_options.h"

/* What of a game will be asked for while games are found. */
typedef enum wanted { WANTED_IDS, WANTED_ROWS, WANTED_GAMES } wanted;

/* What a kind of database must be able to do; `db` is its own. The functions have the meaning of those of tabiya_db.h. */
typedef struct collection_kind {
    void (*close)(void *db);
    const char *(*error)(void *db);
    bool (*begin)(void *db);
    bool (*add)(void *db, const tby_batch *batch, tby_duplicates duplicates, tby_db_added *added);
    bool (*commit)(void *db);
    bool (*index)(void *db, int plies);
    query_check check_where;
    bool (*find)(void *db, const query *q, wanted what, tby_db_visit visit, void *context);
    int64_t (*count)(void *db, const query *q);
    int64_t (*last_id)(void *db); /* 1 if there are no games */
    bool (*explore)(void *db, const tby_position *pos, tby_db_moves *out);
    /* Of the game that is being visited; good until the next one. */
    bool (*row)(void *db, tby_game_id id, tby_row *out);
    size_t most_bytes; /* of a packed game; 0: any game can be stored */
} collection_kind;

typedef struct collection {
    const collection_kind *kind;
    void *db;
    tby_db *file; /* the same, if it is a file; else NULL */
    const args *args;
    const char *name; /* as it may be shown: without a password */
    char error[TBY_DB_ERROR_SIZE];
} collection;

/* A sentence about it, for --help. */
#define SERVER_HELP "DB may also be a PostgreSQL database, postgresql://USER@HOST/NAME, that has the extension tabiya."

/* Opens what the first word names; failure ends the program. */
collection *collection_open(const args *a, tby_db_mode mode);
void collection_close(collection *c);
/* Ends the program, telling what failed. */
_Noreturn void collection_failed(collection *c);
/* The same options that a file's games are searched by; a mistake ends the program. */
void collection_query(collection *c, query *q);
/* The whole game that is being visited; false after collection_error tells why. */
bool collection_game(collection *c, tby_game_id id, tby_game *out);
const char *collection_error(collection *c);

/* ---- PostgreSQL -------------------------------------------------------------------------------------------------- */

bool pg_is_url(const char *word);
/* Connects; NULL if that fails, `error` then tells why. TBY_DB_CREATE makes what is missing. */
void *pg_open(const char *url, tby_db_mode mode, char error[TBY_DB_ERROR_SIZE]);
/* A copy without password. */
char *pg_url_shown(const char *url);
extern const collection_kind pg_kind;

#endif
