/*
 * verify.h - what the parts of the check of a database share.
 */
#ifndef TBY_STORE_SQLITE_VERIFY_H
#define TBY_STORE_SQLITE_VERIFY_H

#include "store/sqlite/db.h"

typedef struct verifier {
    lite *db;
    tby_db_fault fault;
    tby_db_progress progress;
    void *context;
    int64_t n_faults;
    bool is_stopped;
    tby_game_id last_id;
    int64_t n_games, n_annotated; /* as counted */
    uint64_t n_plies;
} verifier;

/* Reports a fault; as a callback, with a text. */
__attribute__((format(printf, 3, 4))) void verify_fault(verifier *v, tby_game_id id, const char *format, ...);
void verify_text(void *verifier, tby_game_id id, const char *text);
/* What is no fault, but worth knowing. */
void verify_warning(verifier *v, tby_game_id id, const char *text);
/* Reports progress, which may stop the work. */
void verify_progress(verifier *v, double fraction);

/* Checks all games, their records, and SQLite's indexes of them. (verify_games.c) */
bool verify_games(verifier *v);
/* Checks counters, names, and what belongs to no game. (verify_tables.c) */
bool verify_tables(verifier *v);

/* The hash of a value and a game: the same for the entry of an index and for the game's row. */
uint64_t verify_hash(sqlite3_stmt *s, int at, tby_game_id id);
/* Adds up the hashes of the entries in the index of a column of the games, or in the table of hashes. */
bool verify_index(lite *db, size_t column, uint64_t *sum, bool *is_unordered);

#endif
