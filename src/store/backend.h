/*
 * backend.h - what a kind of database must be able to do, and what all kinds share.
 *
 * A function that returns false has called tby_db_fail with a status and a sentence.
 */
#ifndef TBY_STORE_BACKEND_H
#define TBY_STORE_BACKEND_H

#include "store/text.h"
#include "tabiya_db.h"

/* Players whose names begin with these letters (ASCII, small; "": with none), large or small, or with any letter beyond
   ASCII. Those that fit are counted and taken, in any order. If `is_anywhere`, words after the first may begin so too; a
   server looks for whole words then, and only if there are no names yet. */
typedef struct player_search {
    const char *beginning;
    bool is_anywhere, has_names;
    bool (*fits)(void *context, tby_text name);
    void (*take)(void *context, tby_text name, int64_t games);
    void *context;
} player_search;

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
    bool (*players)(tby_db *db, const player_search *search);
    bool (*check_where)(tby_db *db, const char *where);
    bool (*explain)(tby_db *db, const tby_db_search *search, text_buffer *out);
    bool (*explain_explore)(tby_db *db, const tby_position *pos, const tby_db_search *among, text_buffer *out);
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
void tby_db_order_moves(tby_db_moves *out, size_t n_legal);
/* Adds what was counted elsewhere: `out` has all legal moves, `part` its first `n_part` in any order. */
void tby_db_add_moves(tby_db_moves *out, size_t n_legal, const tby_db_moves *part, size_t n_part);
/* Of all kinds alike: near.c, suggest.c, survey.c, explore_match.c. */
bool tby_db_suggest(tby_db *db, const char *typed, size_t n, size_t most, tby_db_player visit, void *context);
bool tby_db_read_typed(tby_db *db, tby_text typed, const tby_query_options *options, text_buffer *out,
                       tby_query_error *err);
bool tby_db_find_near(tby_db *db, const char *name, size_t n, size_t most, tby_db_name visit, void *context);
bool tby_db_make_survey(tby_db *db, const tby_position *pos, const tby_db_survey_options *options, tby_db_survey *out);
bool tby_db_count_match(tby_db *db, const tby_db_search *search, tby_db_played *out);

bool tby_db_fail(tby_db *db, tby_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));
void tby_db_fail_list(tby_db *db, tby_status status, const char *format, va_list args);
/* Always false, and seen to be by compilers and analysers in `memory || tby_db_fail_memory(db)`. */
static inline bool tby_db_fail_memory(tby_db *db)
{
    tby_db_fail(db, TBY_NO_MEMORY, "out of memory");
    return false;
}
/* False if the caller wants the work to end. */
static inline bool tby_db_goes_on(const tby_db *db) { return !db->watch || db->watch(db->watch_context); }

/* NULL if it cannot be opened. */
tby_db *tby_sqlite_open(const char *path, tby_db_mode mode, tby_status *status, char error[TBY_DB_ERROR_SIZE]);
tby_db *tby_postgres_open(const char *url, tby_db_mode mode, tby_status *status, char error[TBY_DB_ERROR_SIZE]);

#endif
