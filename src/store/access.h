/*
 * access.h - the operations of every kind of database, on which src/search builds all searches.
 *
 * No function is NULL. An operation that a kind does not support fails with a message. A function that returns false
 * has called db_fail with a status and a message.
 */
#ifndef TBY_STORE_ACCESS_H
#define TBY_STORE_ACCESS_H

#include "support/buffer.h"
#include "support/failure.h"
#include "tabiya_db.h"

/* How a kind finds the games of a search: made once, shown by --explain, and executed unchanged. Each kind has its own
   struct, which begins with this; its steps are those of store/plan.h. */
typedef struct db_plan {
    const tby_db_search *search;
    const tby_position *pos; /* only games that reach it are wanted; NULL: all */
    bool is_sorted;          /* games are visited in the search's order; else by number */
} db_plan;

/* Receives the games that reach a position. */
typedef struct passing_visitor {
    /* Called for each game; returning false ends it with TBY_INTERRUPTED. */
    tby_db_meet meet;
    /* If set, many games may be reported at once: those that play `counted->move`, or TBY_MOVE_NONE if they end there.
       It also gets how many games reach the positions after the legal moves. A move may be reported several times, in
       parts. NULL: `meet` is called for every game. */
    void (*add)(void *context, const tby_db_move *counted);
    void *context;
    /* The context for another thread, numbered from 1; returns NULL if there is none. NULL: one thread does all the
       work. */
    void *(*context_of)(void *context, unsigned number);
} passing_visitor;

typedef enum db_limit {
    DB_LIMIT_MEMORY,  /* bytes, for adding and indexing games */
    DB_LIMIT_PATIENCE /* milliseconds to wait for other users */
} db_limit;

/* Players whose names begin with these letters (ASCII, lower case; "": with none), in any case, or with any letter
   beyond ASCII. Matching players are counted and reported in any order. With `is_anywhere`, later words may begin with
   them too. */
typedef struct player_search {
    const char *beginning;
    bool is_anywhere;
    bool (*fits)(void *context, tby_text name);
    void (*take)(void *context, tby_text name, int64_t games);
    void *context;
} player_search;

/* Receives a collection and the number of its games; the name is valid during the call. */
typedef void (*collection_take)(void *context, tby_text name, int64_t games);

typedef struct db_access {
    void (*close)(tby_db *db);

    /* Writing: as in tabiya_db.h. */
    bool (*begin)(tby_db *db);
    bool (*commit)(tby_db *db);
    void (*rollback)(tby_db *db);
    bool (*add)(tby_db *db, const tby_batch *batch, tby_duplicates duplicates, tby_db_added *added);
    bool (*erase)(tby_db *db, const tby_game_id *ids, size_t n_ids, int64_t *n_deleted);

    /* Collections. `collections` lists those that contain the game, or all if it is 0, in any order; a collection may
       be reported in parts. `collect` adds existing games to a collection, or removes games (NULL: all) from it. */
    bool (*collections)(tby_db *db, tby_game_id game, collection_take take, void *context);
    bool (*members)(tby_db *db, tby_text name, void (*take)(void *context, tby_game_id id), void *context);
    bool (*collect)(tby_db *db, tby_text name, const tby_game_id *ids, size_t n_ids, bool is_adding,
                    int64_t *n_changed);

    /* One snapshot for everything that is read until the end. */
    bool (*begin_reading)(tby_db *db, int64_t *version);
    void (*end_reading)(tby_db *db);

    /* Games by their numbers. */
    bool (*n_games)(tby_db *db, int64_t *out);
    bool (*last_id)(tby_db *db, int64_t *out);
    bool (*row)(tby_db *db, tby_game_id id, tby_row *out);
    bool (*facts)(tby_db *db, tby_game_id id, tby_db_facts *out);

    /* Searching. The search and the position of a plan must outlive it; until it runs, the limit, the offset and the
       wanted data may change. NULL on failure. */
    db_plan *(*plan)(tby_db *db, const tby_db_search *search, const tby_position *pos);
    void (*plan_free)(tby_db *db, db_plan *plan);
    /* Describes the steps of the plan, line by line, and how many games they leave; checks no game. */
    bool (*tell)(tby_db *db, db_plan *plan, buffer *out);
    /* Visits the games in the order of the plan; or only counts them. */
    bool (*run)(tby_db *db, db_plan *plan, tby_db_visit visit, void *context);
    bool (*count)(tby_db *db, db_plan *plan, int64_t *out);
    /* For a plan with a position: the games that reach it, in any order, ignoring the limits of the search. */
    bool (*pass)(tby_db *db, db_plan *plan, const passing_visitor *visitor);
    bool (*players)(tby_db *db, const player_search *search);
    /* Is this a valid condition in the kind's SQL? */
    bool (*check_where)(tby_db *db, const char *where);

    /* Maintenance: as in tabiya_db.h. */
    bool (*index)(tby_db *db, int plies, tby_db_progress progress, void *context);
    bool (*want_index)(tby_db *db, unsigned kinds);
    void (*limit)(tby_db *db, db_limit what, uint64_t n);
    bool (*verify)(tby_db *db, tby_db_fault fault, tby_db_progress progress, void *context, int64_t *n_faults);
    bool (*summarize)(tby_db *db, tby_db_summary *out);
    bool (*sizes)(tby_db *db, tby_db_size visit, void *context);

    size_t most_bytes; /* the size limit of a packed game; 0: none */
} db_access;

/* The first part of every kind's own struct. */
struct tby_db {
    const db_access *kind;
    tby_db_watch watch;
    void *watch_context;
    unsigned n_threads;  /* for indexing and verifying; 0 = one per processor */
    bool commits_apart;  /* a transaction is one on each of several servers, and some may fail to commit */
    tby_failure failure; /* the last one */
};

/* Where to report the progress of some work; `progress` may be NULL. */
typedef struct db_report {
    tby_db_progress progress;
    void *context;
} db_report;

/* NULL if it cannot be opened. If the file has to be upgraded, `upgrading` receives the progress. */
tby_db *sqlite_open(const char *path, tby_db_mode mode, db_report upgrading, tby_failure *failure);
tby_db *postgres_open(const char *url, tby_db_mode mode, tby_failure *failure);

/* ---- Common to all kinds (access.c) --------------------------------------------------------------------- */

/* Makes a plan, after looking up the collections in its query; NULL on failure. */
db_plan *db_plan_make(tby_db *db, const tby_db_search *search, const tby_position *pos);
/* Looks up the games of the collections in a query. (collections.c) */
bool db_find_members(tby_db *db, const tby_query *query);
/* Reports each collection once, in the order of names; see db_access.collections. */
bool db_list_collections(tby_db *db, tby_game_id game, collection_take take, void *context);

/* Makes a plan, runs it, and frees it. */
bool db_find(tby_db *db, const tby_db_search *search, tby_db_visit visit, void *context);
/* The facts that a row has. */
tby_db_facts db_facts_of_row(const tby_row *row);

bool db_fail(tby_db *db, tby_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Always returns false, which compilers and analysers can see in `memory || db_fail_memory(db)`. */
static inline bool db_fail_memory(tby_db *db)
{
    db_fail(db, TBY_NO_MEMORY, "out of memory");
    return false;
}
/* False if the caller wants to stop. */
static inline bool db_goes_on(const tby_db *db) { return !db->watch || db->watch(db->watch_context); }

#endif
