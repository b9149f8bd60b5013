/*
 * backend.h - what a kind of database must be able to do, and what all kinds share.
 *
 * A function that returns false has called db_fail with a status and a sentence.
 */
#ifndef TBY_STORE_BACKEND_H
#define TBY_STORE_BACKEND_H

#include "support/buffer.h"
#include "tabiya_db.h"

/* The functions mean what those of tabiya_db.h do. What a kind cannot do is NULL. */
typedef struct backend {
    void (*close)(tby_db *db);
    bool (*begin)(tby_db *db);
    bool (*add)(tby_db *db, const tby_batch *batch, tby_duplicates duplicates, tby_db_added *added);
    bool (*commit)(tby_db *db);
    void (*rollback)(tby_db *db);
    bool (*want_index)(tby_db *db, unsigned kinds);
    void (*limit_memory)(tby_db *db, uint64_t n_bytes);
    bool (*index)(tby_db *db, int plies, tby_db_progress progress, void *context);
    bool (*erase)(tby_db *db, const tby_game_id *ids, size_t n_ids, int64_t *n_deleted);
    bool (*n_games)(tby_db *db, int64_t *out);
    bool (*last_id)(tby_db *db, int64_t *out);
    bool (*row)(tby_db *db, tby_game_id id, tby_row *out);
    bool (*find)(tby_db *db, const tby_db_search *search, tby_db_visit visit, void *context);
    bool (*facts)(tby_db *db, tby_game_id id, tby_db_facts *out); /* NULL: those of the row */
    bool (*count)(tby_db *db, const tby_db_search *search, int64_t *out);
    bool (*check_where)(tby_db *db, const char *where);
    bool (*explain)(tby_db *db, const tby_db_search *search, buffer *out);
    bool (*explain_explore)(tby_db *db, const tby_position *pos, const tby_db_search *among, buffer *out);
    bool (*explore)(tby_db *db, const tby_position *pos, const tby_db_search *among, tby_db_moves *out);
    bool (*explore_games)(tby_db *db, const tby_position *pos, const tby_db_search *among, tby_db_meet meet,
                          void *context);
    bool (*verify)(tby_db *db, tby_db_fault fault, tby_db_progress progress, void *context, int64_t *n_faults);
    bool (*summarize)(tby_db *db, tby_db_summary *out);
    bool (*sizes)(tby_db *db, tby_db_size visit, void *context);
    bool (*begin_reading)(tby_db *db, int64_t *version);
    void (*end_reading)(tby_db *db);
    void (*be_patient)(tby_db *db, int milliseconds);
    size_t most_bytes; /* of a packed game; 0: any game can be stored */
} backend;

/* The first part of every kind's own struct. */
struct tby_db {
    const backend *kind;
    tby_db_watch watch;
    void *watch_context;
    tby_status status;
    char error[TBY_DB_ERROR_SIZE];
};

/* Of all kinds alike. The moves of `out` are all legal ones: those that are neither played nor reached go, and the most
   played come first, then the most reached. */
void db_order_moves(tby_db_moves *out, size_t n_legal);
/* Adds what was counted elsewhere: `out` has all legal moves, `part` its first `n_part` in any order. */
void db_add_moves(tby_db_moves *out, size_t n_legal, const tby_db_moves *part, size_t n_part);
/* Of all kinds alike: near.c, survey.c, explore_match.c. */
bool db_find_near(tby_db *db, const char *name, size_t n, size_t most, tby_db_name visit, void *context);
bool db_make_survey(tby_db *db, const tby_position *pos, const tby_db_survey_options *options, tby_db_survey *out);
bool db_count_match(tby_db *db, const tby_db_search *search, tby_db_played *out);

bool db_fail(tby_db *db, tby_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));
void db_fail_list(tby_db *db, tby_status status, const char *format, va_list args);
/* Always false, and seen to be by compilers and analysers in `memory || db_fail_memory(db)`. */
static inline bool db_fail_memory(tby_db *db)
{
    db_fail(db, TBY_NO_MEMORY, "out of memory");
    return false;
}
/* False if the caller wants the work to end. */
static inline bool db_goes_on(const tby_db *db) { return !db->watch || db->watch(db->watch_context); }

/* NULL if it cannot be opened. */
tby_db *sqlite_open(const char *path, tby_db_mode mode, tby_status *status, char error[TBY_DB_ERROR_SIZE]);
tby_db *postgres_open(const char *url, tby_db_mode mode, tby_status *status, char error[TBY_DB_ERROR_SIZE]);

#endif
