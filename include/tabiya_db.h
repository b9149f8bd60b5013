/*
 * tabiya_db.h - a database of games in one SQLite file: the public API of libtabiya_db.
 *
 * docs/formats/database.md describes the tables, which may be read with any SQLite program. Conventions are those of
 * tabiya.h. A database belongs to one thread at a time; searching uses more threads inside. Functions that answer
 * false, or a negative number, have left a sentence in tby_db_error.
 */
#ifndef TABIYA_DB_H
#define TABIYA_DB_H

#include "tabiya_query.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tby_db tby_db;

enum { TBY_DB_ERROR_SIZE = 512 };
typedef enum tby_db_mode {
    TBY_DB_READ = 0,  /* the file must be there; nothing is ever written */
    TBY_DB_WRITE = 1, /* the file must be there */
    TBY_DB_CREATE = 2 /* an empty database is made where there is no file */
} tby_db_mode;

/* NULL if it cannot be opened; `error` then tells why. */
TBY_API tby_db *tby_db_open(const char *path, tby_db_mode mode, char error[TBY_DB_ERROR_SIZE]);
TBY_API void tby_db_close(tby_db *db);
/* What failed last: "disk full", "not a tabiya database" ... */
TBY_API const char *tby_db_error(const tby_db *db);
/* The connection itself, for SQL of one's own. */
struct sqlite3;
TBY_API struct sqlite3 *tby_db_sqlite(tby_db *db);

/* ---- Adding games -------------------------------------------------------------------------------------- */

/* Games made ready for a database. Any number of batches may be filled in as many threads. */
typedef struct tby_batch tby_batch;
TBY_API tby_batch *tby_batch_new(void); /* NULL: no memory */
TBY_API void tby_batch_free(tby_batch *batch);
TBY_API void tby_batch_clear(tby_batch *batch);
/* TBY_TOO_LONG for a main line of more than TBY_PLIES_MAX moves. */
TBY_API tby_status tby_batch_add(tby_batch *batch, const tby_game *game);
/* For tables that cannot hold everything: from here on also TBY_TOO_LONG for a game of more bytes when packed, and
   TBY_CANNOT_HOLD for one with a tag that is not UTF-8 or holds a NUL. */
TBY_API void tby_batch_restrict(tby_batch *batch, size_t most_bytes);
TBY_API size_t tby_batch_n_games(const tby_batch *batch);
TBY_API size_t tby_batch_size(const tby_batch *batch); /* in bytes */

typedef struct tby_db_added {
    uint64_t stored, duplicates;
} tby_db_added;
typedef enum tby_duplicates { TBY_DUPLICATES_SKIP = 0, TBY_DUPLICATES_KEEP = 1 } tby_duplicates;

/* Nothing is there for others before the commit, or ever if none comes. While one writer has begun, others wait. A game
   is a duplicate if one with the same tags in any order, moves, comments (but for their line ends) and result is stored.
   `*added` is added to. A commit that fails has been rolled back. */
TBY_API bool tby_db_begin(tby_db *db);
TBY_API bool tby_db_add(tby_db *db, const tby_batch *batch, tby_duplicates duplicates, tby_db_added *added);
TBY_API bool tby_db_commit(tby_db *db);
TBY_API void tby_db_rollback(tby_db *db);

/* Called now and then with what is done, from 0 to 1; false stops the work, keeping what is done. */
typedef bool (*tby_db_progress)(void *context, double fraction);

/* Brings the indexes up to date: those of names and openings, and that of positions to a depth of `plies`
   (TBY_INDEX_ALL, TBY_INDEX_NONE, or as many half-moves). Searching is right without them, but slower. */
enum { TBY_INDEX_NONE = -1, TBY_INDEX_ALL = 10000 };
TBY_API bool tby_db_index(tby_db *db, int plies, tby_db_progress progress, void *context);

/* Deletes games and all that is known of them; how many there were, -1 on failure. */
TBY_API int64_t tby_db_delete(tby_db *db, const tby_game_id *ids, size_t n_ids);

/* ---- Reading games ------------------------------------------------------------------------------------- */

TBY_API int64_t tby_db_n_games(tby_db *db);
/* The whole game as it was added: tags, comments, variations. False also if there is none of that number. */
TBY_API bool tby_db_game(tby_db *db, tby_game_id id, tby_game *out);

/* ---- Games as rows ------------------------------------------------------------------------------------- */

/* For those who keep games in tables of another database: tabiya_query.h has the row. */

/* The game of a batch by its index; good until the batch is changed. */
TBY_API tby_row tby_batch_row(const tby_batch *batch, size_t index);
/* A stored game; good until the database is used again. False also if there is none of that number. */
TBY_API bool tby_db_row(tby_db *db, tby_game_id id, tby_row *out);
/* Are they the same game, so that one is a duplicate? TBY_OK, or TBY_NO_MEMORY. */
TBY_API tby_status tby_row_same(const tby_row *a, const tby_row *b, bool *out);
/* The game that a row was made of. The row may come from anywhere: an error tells what is wrong with its bytes. */
TBY_API tby_status tby_row_game(tby_game *out, const tby_row *row, tby_error *err);

/* ---- Searching ----------------------------------------------------------------------------------------- */

/* All conditions that are set must hold. Names and ECO codes are patterns: letters mean themselves, large or small, and
   * any number of them. Ranges hold their ends; 0, or NULL, is an open end. */
typedef struct tby_db_query {
    const tby_target *target; /* a position or a placement that occurs */
    int max_ply;              /* ... at this ply at the latest; 0 = anywhere */
    const uint8_t *opening;   /* a packed game whose moves begin the game */
    size_t n_opening;
    const char *player, *white, *black, *event, *site, *eco;
    const char *eco_min, *eco_max;
    const char *result;     /* "1-0" ... */
    int elo_min, elo_max;   /* both players */
    int date_min, date_max; /* as 20190531; a game whose day or month is not known is in if it may be */
    int plies_min, plies_max;
    const char *where; /* an SQL condition on the columns of the view `games` */
    int64_t limit;     /* 0 = all */
    int64_t offset;
    unsigned n_threads; /* 0 = as many as there are processors */
    bool ignores_index; /* look at every game, for comparison */
} tby_db_query;

typedef struct tby_db_hit {
    tby_game_id id;
    int ply; /* of the target; -1 if there is none */
} tby_db_hit;

/* Calls `visit` for each game in the order of ids until it answers false. */
typedef bool (*tby_db_visit)(void *context, const tby_db_hit *hit);
TBY_API bool tby_db_find(tby_db *db, const tby_db_query *query, tby_db_visit visit, void *context);
TBY_API int64_t tby_db_count(tby_db *db, const tby_db_query *query);

/* ---- Exploring ----------------------------------------------------------------------------------------- */

/* What was played in a position. A game counts once, by the first time it comes there. */
typedef struct tby_db_move {
    tby_move move;
    uint64_t games;          /* that played it here: the edge */
    uint64_t node;           /* that come to the resulting position, by any move */
    uint64_t results[4];     /* of `games`, by tby_result */
    uint64_t n_elo, elo_sum; /* of the players who made the move, as far as known */
    int last_date;           /* as 20190531; 0 = not known */
} tby_db_move;

typedef struct tby_db_moves {
    uint64_t games; /* that come to this position */
    uint64_t ended; /* of these, whose last position it is */
    uint64_t results[4];
    size_t n_moves; /* the most played first, then in the tree's order */
    tby_db_move moves[TBY_MOVES_MAX];
} tby_db_moves;

TBY_API bool tby_db_explore(tby_db *db, const tby_position *pos, bool ignores_index, tby_db_moves *out);

/* ---- What is in it ------------------------------------------------------------------------------------- */

typedef struct tby_db_summary {
    int64_t n_games, n_plies, n_annotated, n_players, n_events, n_sites;
    int64_t results[4];        /* by tby_result */
    int first_date, last_date; /* as 20190531; 0 = none is known */
    int64_t n_runs;            /* of the index of positions */
    int64_t n_indexed;         /* games in it */
    int index_plies;           /* how deep it is where it is shallowest; TBY_INDEX_NONE if there is none */
    int schema_version;
    int64_t file_size; /* in bytes */
} tby_db_summary;
/* Takes a look at eight bytes a game. */
TBY_API bool tby_db_summarize(tby_db *db, tby_db_summary *out);

/* Tells how many bytes each table and index takes, the largest first. Every page of the file is looked at. */
typedef void (*tby_db_size)(void *context, const char *name, int64_t n_bytes);
TBY_API bool tby_db_sizes(tby_db *db, tby_db_size visit, void *context);

/* ---- Checking ------------------------------------------------------------------------------------------ */

/* Tells one fault: its sentence, and the game it concerns or 0. */
typedef void (*tby_db_fault)(void *context, tby_game_id id, const char *text);
/* Checks every game, summary and index entry; how many faults there are, -1 if it could not be done. */
TBY_API int64_t tby_db_verify(tby_db *db, tby_db_fault fault, tby_db_progress progress, void *context);

#ifdef __cplusplus
}
#endif

#endif
