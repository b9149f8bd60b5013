/*
 * access.h - the operations of every kind of database, on which src/search builds all searches.
 *
 * No function is NULL but those that change something, all of them in a kind that is only read. An operation that a kind
 * does not support fails with a message. A function that returns false has called db_fail with a status and a message.
 */
#ifndef TBY_STORE_ACCESS_H
#define TBY_STORE_ACCESS_H

#include "query/members.h"
#include "row/columns.h"
#include "support/buffer.h"
#include "support/failure.h"
#include "tabiya_db.h"

/* How a kind finds the games of a search: made once, shown by --explain, and executed unchanged. Each kind has its own
   struct, which begins with this; its steps are those of store/plan.h. */
typedef struct db_plan {
    const tby_db_search *search;
    const tby_position *pos;  /* only games that reach it are wanted; NULL: all */
    bool is_sorted;           /* games are visited in the search's order, and sampled; else all, by number */
    query_members *members;   /* the games of the collections in the query; NULL: none */
    struct db_people *people; /* the query of the search, if people had to be distinguished; NULL: it is unchanged */
} db_plan;

/* What is wanted of the games that reach a position, if not all of them: counts by move, and the first games with a
   known result in two orders. A kind that has counts may report these instead. Then it reports two more lists of games:
   those that play some moves, and, if there are any, those without a result. */
typedef enum reaching_list { REACHING_BEST, REACHING_LATEST, REACHING_WANTED, REACHING_UNKNOWN } reaching_list;
enum { REACHING_ORDERS = REACHING_WANTED };
typedef struct reaching_lists {
    const tby_order *orders[REACHING_ORDERS];
    size_t n[REACHING_ORDERS]; /* how many games of each */
    /* As in reaching_visitor; called before the others. */
    void (*add)(void *context, const tby_db_move *counted);
    /* The i-th of the moves whose games with a known result are wanted; TBY_MOVE_NONE after the last. */
    tby_move (*wanted)(void *context, size_t i);
    /* Do the counts include games without a result? */
    bool (*has_unknown)(void *context);
    void (*list)(void *context, reaching_list which, const tby_db_reaching *game);
} reaching_lists;

/* Receives the games that reach a position. */
typedef struct reaching_visitor {
    /* Called for each game; returning false ends it with TBY_INTERRUPTED. */
    tby_db_visit_reaching visit;
    /* If set, many games may be reported at once: those that play `counted->move`, or TBY_MOVE_NONE if they end there.
       It also gets how many games reach the positions after the legal moves. A move may be reported several times, in
       parts. NULL: `visit` is called for every game. */
    void (*add)(void *context, const tby_db_move *counted);
    void *context;
    /* The context for another thread, numbered from 1; returns NULL if there is none. NULL: one thread does all the
       work. */
    void *(*context_of)(void *context, unsigned number);
    /* NULL: every game is wanted. */
    const reaching_lists *lists;
} reaching_visitor;

/* Receives what is played in many positions, with its place in the list; a move may be reported in parts, without
   ratings, dates and positions after it. */
typedef struct reaching_many {
    const tby_position *const *positions;
    size_t n;
    void (*add)(void *context, size_t place, const tby_db_move *counted);
    void *context;
    bool is_done; /* false: nothing was reported, and callers ask one by one */
} reaching_many;

typedef enum db_limit {
    DB_LIMIT_MEMORY,  /* bytes, for adding and indexing games */
    DB_LIMIT_PATIENCE /* milliseconds to wait for other users */
} db_limit;

/* The names of players, events or sites that have all these words (as written by fold_words), or without any, those that
   begin with these letters (ASCII, lower case; "": with none), in any case, or with any letter beyond ASCII; with
   `is_anywhere`, later words may begin with them too. Matching names are reported in any order, players with the number
   of their games. With `is_one`, the first is enough; with `is_quick`, nothing is found if too many names would have to
   be read. */
typedef struct name_search {
    name_table table;
    tby_text words;
    const char *beginning;
    bool is_anywhere, is_one, is_quick;
    bool (*fits)(void *context, tby_text name);
    void (*take)(void *context, tby_text name, int64_t games);
    void *context;
} name_search;

/* Receives a collection and the number of its games; the name is valid during the call. */
typedef void (*collection_take)(void *context, tby_text name, int64_t games);

typedef struct db_access {
    void (*close)(tby_db *db);

    /* Writing: as in tabiya_db.h. NULL if the kind is only read, like `collect`, `index` and `want_index` below. */
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
    db_plan *(*plan)(tby_db *db, const tby_db_search *search, const tby_position *pos, query_members *members);
    void (*plan_free)(tby_db *db, db_plan *plan);
    /* Describes the steps of the plan, line by line, and how many games they leave; checks no game. */
    bool (*describe)(tby_db *db, db_plan *plan, buffer *out);
    /* Visits the games in the order of the plan; or only counts them. */
    bool (*run)(tby_db *db, db_plan *plan, tby_db_visit visit, void *context);
    bool (*count)(tby_db *db, db_plan *plan, int64_t *out);
    /* For a plan with a position: the games that reach it, in any order, ignoring the limits of the search. */
    bool (*reach)(tby_db *db, db_plan *plan, const reaching_visitor *visitor);
    /* The same for many positions; the first is that of the plan. NULL: callers ask one by one. */
    bool (*reach_many)(tby_db *db, db_plan *plan, reaching_many *many);
    bool (*names)(tby_db *db, const name_search *search);
    /* Is this a valid condition in the kind's SQL? */
    bool (*check_where)(tby_db *db, const char *where);

    /* Maintenance: as in tabiya_db.h. */
    bool (*index)(tby_db *db, int plies, tby_db_progress progress, void *context);
    bool (*want_index)(tby_db *db, const char *name);
    void (*limit)(tby_db *db, db_limit what, uint64_t n);
    bool (*verify)(tby_db *db, tby_db_fault fault, tby_db_progress progress, void *context, int64_t *n_faults);
    bool (*summarize)(tby_db *db, tby_db_summary *out);
    bool (*sizes)(tby_db *db, tby_db_size visit, void *context);

    size_t most_bytes; /* the size limit of a packed game; 0: none */
} db_access;

/* Of a database that disappears when it is closed; to be freed. */
typedef struct db_temporary {
    char *folder, *path; /* NULL: it stays */
} db_temporary;

/* The first part of every kind's own struct. */
struct tby_db {
    const db_access *kind;
    tby_db_watch watch;
    void *watch_context;
    unsigned n_threads; /* for indexing and verifying; 0 = one per processor */
    const char *note;   /* see tby_db_note */
    db_temporary temporary;
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
/* Does the shown form of a URL contain nothing that libpq takes for a password? Without libpq, no. */
bool postgres_is_harmless(const char *url, const char *shown);
/* Writes "host=... password=..." with *** for what libpq takes for a password; false if libpq cannot read it. */
bool postgres_put_pairs(const char *pairs, buffer *out);
/* Several databases as one, which closes them; NULL if out of memory. (union.c) */
enum { UNION_NUMBER_BITS = 40, UNION_MEMBERS_MAX = 1 << (53 - UNION_NUMBER_BITS) };
tby_db *union_new(tby_db *const *members, const char *const *names, size_t n);
/* The place of a game's database in a union, and its number there; 0 and the same number for any other database. */
size_t union_place(const tby_db *db, tby_game_id *id);
/* tby_db_use_own_ids. */
void union_use_own_ids(tby_db *db);

/* ---- Common to all kinds (access.c) --------------------------------------------------------------------- */

/* tby_db_close. */
void db_close(tby_db *db);
/* Removes the folder with its files, and frees the names. */
void db_temporary_remove(db_temporary *temporary);

/* Makes a plan, after looking up the collections and people in its query, which may replace the query of the search; NULL
   on failure. */
db_plan *db_plan_make(tby_db *db, tby_db_search *search, const tby_position *pos);
void db_plan_free(tby_db *db, db_plan *plan);
/* Runs a plan in the order of its search, whether or not the kind can sort; `search` is the plan's. (sorting.c) */
bool db_plan_run(tby_db *db, db_plan *plan, tby_db_search *search, tby_db_visit visit, void *context);
/* Distinguishes the people in a query. `*out` becomes NULL if nothing has to be changed; otherwise `search` gets a query
   that leaves out the names of other people. (people.c) */
bool db_find_people(tby_db *db, tby_db_search *search, struct db_people **out);
void db_people_free(struct db_people *people);
/* The games of the collections in a query, to be freed even after a failure; NULL if it has none. (collections.c) */
bool db_find_members(query_members **out, tby_db *db, const tby_query *query);
/* Reports each collection once, in the order of names; see db_access.collections. */
bool db_list_collections(tby_db *db, tby_game_id game, collection_take take, void *context);

/* Makes a plan, runs it in the order of the search, and frees it. (sorting.c) */
bool db_find(tby_db *db, const tby_db_search *search, tby_db_visit visit, void *context);
/* The keys by which games are sorted while they are visited, one at a time. (sorting.c) */
typedef struct sort_keys {
    tby_db *db;
    const tby_order *order;
    tby_query_state *length; /* measures matches, if the order needs that; NULL: it does not */
    buffer key;              /* of the last game */
} sort_keys;
/* Of the games that the plan finds. Call sort_keys_end in any case. */
bool sort_keys_begin(sort_keys *keys, tby_db *db, const tby_order *order, const db_plan *plan);
bool sort_keys_next(sort_keys *keys, tby_game_id id);
void sort_keys_end(sort_keys *keys);
/* What must be read of games to sort them. */
tby_db_wanted db_wanted_to_sort(const tby_order *order);
/* How many of the first games the limit and the offset need; 0: all. */
int64_t db_n_wanted(const tby_db_search *search);
/* How many of n games remain within limit and offset. */
int64_t db_within_limits(int64_t n, const tby_db_search *search);
/* The facts that a row has. */
tby_db_facts db_facts_of_row(const tby_row *row);
/* The game of a row with this number. */
bool db_game_of_row(tby_db *db, tby_game_id id, const tby_row *row, tby_game *out);
/* To verify a row: makes its game, and of that the only row of the batch. `*fault` says why that cannot be done; NULL if it
   can, or if out of memory. */
tby_status db_make_again(tby_batch *out, tby_game *game, const tby_row *row, const char **fault);

bool db_fail(tby_db *db, tby_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Always returns false, which compilers and analysers can see in `memory || db_fail_memory(db)`. */
static inline bool db_fail_memory(tby_db *db)
{
    db_fail(db, TBY_NO_MEMORY, "out of memory");
    return false;
}
/* What a function of tabiya_db.h returns. */
static inline tby_status db_answer(const tby_db *db, bool is_good) { return failure_answer(&db->failure, is_good); }
/* False if the caller wants to stop. */
static inline bool db_goes_on(const tby_db *db) { return !db->watch || db->watch(db->watch_context); }

#endif
