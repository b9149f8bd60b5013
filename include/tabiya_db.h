/*
 * tabiya_db.h - databases of games, in one SQLite file or on a PostgreSQL server: the public API of libtabiya_db.
 *
 * docs/formats/database.md describes the tables, which can be read with any SQLite program, docs/postgres.md those on a
 * server. Conventions are those of tabiya.h. A database may be used by one thread at a time; searches start more
 * threads internally. If a function does not return TBY_OK, tby_db_failure has a sentence about it.
 */
#ifndef TABIYA_DB_H
#define TABIYA_DB_H

#include "tabiya_query.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tby_db tby_db;

typedef enum tby_db_mode {
    TBY_DB_READ = 0,  /* the file must exist; nothing is ever written */
    TBY_DB_WRITE = 1, /* the file must exist */
    TBY_DB_CREATE = 2 /* creates an empty database if there is no file */
} tby_db_mode;

/* `name` is a file, or postgresql://USER@HOST/NAME for a database with the tabiya extension. On failure, `failure`
   says why and *out is NULL. */
TBY_API tby_status tby_db_open(tby_db **out, const char *name, tby_db_mode mode, tby_failure *failure);
/* Called regularly with the fraction done, from 0 to 1; returning false stops, but keeps what is done. */
typedef bool (*tby_db_progress)(void *context, double fraction);
/* Opens a database. If a file of an earlier version is opened for writing, it is upgraded first, which can take minutes;
   `progress` (or NULL) is called meanwhile. If it stops the upgrade, the file is unchanged, and opening fails with
   TBY_INTERRUPTED. */
TBY_API tby_status tby_db_open_reporting(tby_db **out, const char *name, tby_db_mode mode, tby_db_progress progress,
                                         void *context, tby_failure *failure);
/* Opens several databases for reading, as one: the games of all of them, in their order, are found, counted and explored
   together. A game that is in two of them counts twice. The games of the first keep their numbers; the number of another
   game begins with the place of its database. Nothing can be changed, and if one of them fails, so does the whole. */
TBY_API tby_status tby_db_open_all(tby_db **out, const char *const *names, size_t n, tby_failure *failure);
/* The same for databases that are open. They belong to the new one, and are closed even on failure. */
TBY_API tby_status tby_db_join(tby_db **out, tby_db *const *members, const char *const *names, size_t n,
                               tby_failure *failure);
/* Which of them a game is in, from 0; `*id` becomes its number there. Any other database is the first. */
TBY_API size_t tby_db_place(const tby_db *db, tby_game_id *id);
/* From now on, `id` in a query means the number of a game in its own database: `id 5` may find a game in each of them.
   Has no effect on any other database. */
TBY_API void tby_db_use_own_ids(tby_db *db);
TBY_API void tby_db_close(tby_db *db);
/* What users should know about the database, as a sentence: that it has an earlier version, and which answers may
   differ until it is upgraded; or that opening it has upgraded it. NULL: nothing. Valid until it is closed. */
TBY_API const char *tby_db_note(const tby_db *db);
/* The last one: "disk full", "not a tabiya database" ... */
TBY_API const tby_failure *tby_db_failure(const tby_db *db);
/* Does the name refer to a database on a server, or look as if it should: POSTGRES:..., host=... dbname=...? */
TBY_API bool tby_db_is_server(const char *name);
/* Does the file exist, and does it begin like an SQLite file? */
TBY_API bool tby_db_is_file(const char *name);
/* The name without a password, for display; *** instead of an address that cannot be parsed. */
TBY_API size_t tby_db_name_write(char *buf, size_t cap, const char *name);

/* Called regularly during long operations; returning false ends them with TBY_INTERRUPTED. */
typedef bool (*tby_db_watch)(void *context);
TBY_API void tby_db_set_watch(tby_db *db, tby_db_watch watch, void *context);
/* How long to wait for other users of the database, in milliseconds, before giving up with TBY_BUSY. */
TBY_API void tby_db_set_patience(tby_db *db, int milliseconds);

/* ---- Adding games -------------------------------------------------------------------------------------- */

/* Games prepared for a database. Each thread may fill its own batch. */
typedef struct tby_batch tby_batch;
TBY_API tby_batch *tby_batch_new(void); /* NULL: out of memory */
TBY_API void tby_batch_free(tby_batch *batch);
TBY_API void tby_batch_clear(tby_batch *batch);
/* TBY_TOO_LONG for a main line of more than TBY_PLIES_MAX moves. */
TBY_API tby_status tby_batch_add(tby_batch *batch, const tby_game *game);
/* For tables that cannot hold everything: from now on, tby_batch_add also returns TBY_TOO_LONG for a game that takes
   more bytes when packed, and TBY_CANNOT_HOLD for one with a tag that is not UTF-8 or contains a NUL. */
TBY_API void tby_batch_restrict(tby_batch *batch, size_t most_bytes);
TBY_API size_t tby_batch_n_games(const tby_batch *batch);
TBY_API size_t tby_batch_size(const tby_batch *batch); /* in bytes */

typedef struct tby_db_added {
    uint64_t stored, duplicates;
} tby_db_added;
typedef enum tby_duplicates { TBY_DUPLICATES_SKIP = 0, TBY_DUPLICATES_KEEP = 1 } tby_duplicates;

/* Other users see the games after the commit, and none without it. While one writer is active, others wait. A
   game is a duplicate if a stored one has the same tags in any order, the same moves, comments (except for line ends)
   and result. The counts are added to `*added`. A commit that fails is rolled back. */
TBY_API tby_status tby_db_begin(tby_db *db);
TBY_API tby_status tby_db_add(tby_db_added *added, tby_db *db, const tby_batch *batch, tby_duplicates duplicates);
TBY_API tby_status tby_db_commit(tby_db *db);
TBY_API void tby_db_rollback(tby_db *db);

/* Updates the indexes of players, words of names, and openings, and the position index to a depth of `plies`
   half-moves, TBY_INDEX_ALL or TBY_INDEX_NONE. Searches give the same results without them, but are slower. */
enum { TBY_INDEX_NONE = -1, TBY_INDEX_ALL = 10000 };
TBY_API tby_status tby_db_index(tby_db *db, int plies, tby_db_progress progress, void *context);

/* The optional indexes of a file. */
typedef struct tby_db_index_about {
    const char *name;  /* "material" */
    const char *about; /* "piece combinations, 13": with its bytes per game in a database of 200,000 */
} tby_db_index_about;
/* False past the last. */
TBY_API bool tby_db_index_at(tby_db_index_about *out, size_t index);
/* Requests one of them by name; NULL: all. It is then maintained by tby_db_index and tby_db_delete. */
TBY_API tby_status tby_db_want_index(tby_db *db, const char *name);

/* Approximate memory limit for adding and indexing games, without the batches, from the next transaction on; lower is
   slower. The minimum is about 100 MB. Has no effect on a server's database. */
TBY_API tby_status tby_db_limit_memory(tby_db *db, uint64_t n_bytes);
/* Threads for indexing and verifying (default: 0, one per processor). */
TBY_API void tby_db_limit_threads(tby_db *db, unsigned n_threads);

/* Deletes games and all data about them, or none if it fails. `*n_deleted` becomes the number of deleted games. */
TBY_API tby_status tby_db_delete(int64_t *n_deleted, tby_db *db, const tby_game_id *ids, size_t n_ids);
/* The size limit of a packed game in this database, for tby_batch_restrict; 0: no limit. */
TBY_API size_t tby_db_max_moves_size(const tby_db *db);

/* Stores one game, in place of `old` (0: of none), and sets `*id` to its number. The number is a new one, unless the
   game is the same as `old`: then nothing changes. The new game is stored before the old one is deleted, and is in the
   same collections. If the database has the game already, `*id` is 0 and nothing changes. TBY_NOT_FOUND if there is no
   game `old`. */
TBY_API tby_status tby_db_save(tby_game_id *id, tby_db *db, tby_game_id old, const tby_game *game);

/* ---- Collections --------------------------------------------------------------------------------------- */

/* Named sets of games, for `collection NAME` in queries. A collection exists as long as it has a game. */
enum { TBY_COLLECTION_NAME_MAX = 200 };
/* Lists the collections in the order of their names, with the number of their games; with `game`, only those that have
   that game. The name is valid during the call. */
typedef void (*tby_db_collection)(void *context, tby_text name, int64_t games);
TBY_API tby_status tby_db_collections(tby_db *db, tby_game_id game, tby_db_collection visit, void *context);
/* Adds games to a collection. `*n_changed` becomes the number of games that were not in it; numbers without a game are
   ignored. TBY_CANNOT_HOLD for a name that is empty, too long, has blanks at an end or control characters, or is not
   UTF-8. */
TBY_API tby_status tby_db_collect(int64_t *n_changed, tby_db *db, const char *name, const tby_game_id *ids,
                                  size_t n_ids);
/* Removes games from a collection; with NULL for `ids`, all of them, so that the collection is gone. */
TBY_API tby_status tby_db_uncollect(int64_t *n_changed, tby_db *db, const char *name, const tby_game_id *ids,
                                    size_t n_ids);

/* ---- Reading games ------------------------------------------------------------------------------------- */

TBY_API tby_status tby_db_n_games(int64_t *out, tby_db *db);
/* The largest game number, or 0. */
TBY_API tby_status tby_db_last_id(int64_t *out, tby_db *db);
/* The complete game as it was added: tags, comments, variations. TBY_NOT_FOUND if no game has that number. */
TBY_API tby_status tby_db_game(tby_game *out, tby_db *db, tby_game_id id);

/* ---- Games as rows ------------------------------------------------------------------------------------- */

/* For programs that store games in tables of another database; tabiya_query.h defines the row. */

/* The game in a batch by its index; valid until the batch is changed. */
TBY_API tby_row tby_batch_row(const tby_batch *batch, size_t index);
/* A stored game; valid until the database is used again. TBY_NOT_FOUND if no game has that number. */
TBY_API tby_status tby_db_row(tby_row *out, tby_db *db, tby_game_id id);
/* Are they the same game, so that one of them is a duplicate? TBY_OK, or TBY_NO_MEMORY. */
TBY_API tby_status tby_row_same(bool *out, const tby_row *a, const tby_row *b);
/* The game that a row was made from. The row may come from anywhere: an error says what is wrong with its bytes. */
TBY_API tby_status tby_row_game(tby_game *out, const tby_row *row, tby_error *err);

/* Until tby_db_end_reading, everything is read from one snapshot. `*version` changes when others have written. If
   `version` is NULL, the snapshot covers only a single call, and a server needs no statements for a transaction. */
TBY_API tby_status tby_db_begin_reading(int64_t *version, tby_db *db);
TBY_API void tby_db_end_reading(tby_db *db);

/* ---- Searching ----------------------------------------------------------------------------------------- */

/* What the visitor of a search will read: nothing, tby_db_row for a list (all columns but `shape`, `tags`, `annotated`
   and `hash`), complete rows and games, or tby_db_facts_of. */
typedef enum tby_db_wanted {
    TBY_WANTED_IDS = 0,
    TBY_WANTED_ROWS = 1,
    TBY_WANTED_GAMES = 2,
    TBY_WANTED_FACTS = 3
} tby_db_wanted;

typedef struct tby_db_search {
    const tby_query *query; /* tabiya_query.h; NULL: all games */
    const char *where;      /* also an SQL condition on the columns of the view `games`; NULL for none */
    int64_t limit;          /* 0 = all */
    int64_t offset;
    unsigned n_threads; /* 0 = one per processor */
    bool ignores_index; /* check every game, for comparison */
    /* Only for tby_db_find: the order in which games are visited (default: NULL, by number), and a random sample of
       that many games (default: 0, all), reproducible with `seed`. The limit and offset count in this order. */
    const tby_order *order;
    uint64_t sample, seed;
    tby_db_wanted wanted;
    /* Called with the fraction done while games are checked one by one; returning false ends it. May be NULL. */
    tby_db_progress progress;
    void *progress_context;
} tby_db_search;

typedef struct tby_db_hit {
    tby_game_id id;
    int ply; /* the first match; -1 if the query is about the game as a whole */
} tby_db_hit;

/* Calls `visit` for each game, in the order of ids unless the search has another, until it returns false. */
typedef bool (*tby_db_visit)(void *context, const tby_db_hit *hit);
TBY_API tby_status tby_db_find(tby_db *db, const tby_db_search *search, tby_db_visit visit, void *context);
TBY_API tby_status tby_db_count(int64_t *out, tby_db *db, const tby_db_search *search);
/* A state for checking a query against games of this database, which knows its collections, as of now; for
   tby_query_plies. NULL on failure. */
TBY_API tby_query_state *tby_db_query_state(tby_db *db, const tby_query *query);
/* Sorts games of several databases, or from elsewhere: holds them back until all are known. */
typedef struct tby_sorting tby_sorting;
/* `most`: only the first games in order are wanted (default: 0, all, as always with a sample). The other arguments are
   as in tby_db_search. NULL: out of memory. */
TBY_API tby_sorting *tby_sorting_new(const tby_order *order, uint64_t most, uint64_t sample, uint64_t seed);
TBY_API void tby_sorting_free(tby_sorting *sorting);
/* The key is from tby_order_key; the number decides between equal keys; the bytes are copied. Returns TBY_OK or
   TBY_NO_MEMORY. */
TBY_API tby_status tby_sorting_add(tby_sorting *sorting, tby_text key, uint64_t number, const void *bytes, size_t n);
/* Calls `visit` with the bytes of each in order, until it returns false. */
TBY_API void tby_sorting_each(tby_sorting *sorting, bool (*visit)(void *context, const char *bytes, size_t n),
                              void *context);
/* What counting and sorting need to know about a game; 0 is unknown. */
typedef struct tby_db_facts {
    int elo[2], date; /* as 20190531 */
    tby_result result;
    int speed; /* a tby_speed; -1 in files of an earlier version: see the game's row */
} tby_db_facts;
/* The facts about a game, while it is visited by a tby_db_find that wants facts or more. A file stores them in eight
   bytes, separate from the game's row. */
TBY_API tby_status tby_db_facts_of(tby_db_facts *out, tby_db *db, tby_game_id id);
/* Players' names that resemble a name without games: at most `most`, the nearest first. */
typedef void (*tby_db_name)(void *context, tby_text name);
TBY_API tby_status tby_db_near_players(tby_db *db, const char *name, size_t n, size_t most, tby_db_name visit,
                                       void *context);
/* Players whose names match typed text, those with the most games first: at most `most`, and no more than 64. Each
   typed word must begin a word of the name; if there are several, a typed word also matches its first one or two
   letters: "magnus carl" finds Carlsen,M. A server matches the beginning of the name, and whole words if no name begins
   that way. A single letter finds no players. `games` is 0 if players are not indexed. */
typedef void (*tby_db_player)(void *context, tby_text name, int64_t games);
TBY_API tby_status tby_db_suggest_players(tby_db *db, const char *typed, size_t n, size_t most, tby_db_player visit,
                                          void *context);
/* Is a text the name of a player, in any spelling as after `~` in a query, of an event, or of a site (all its words are
   words of the name)? `*n_names` becomes the number of players' names, without those of teams, and `*n_games` that of
   their games (0 if players are not indexed); for events and sites 1 and 0 if there is one. Only names are read, so it
   takes milliseconds. */
typedef enum tby_db_names { TBY_DB_PLAYERS = 0, TBY_DB_EVENTS = 1, TBY_DB_SITES = 2 } tby_db_names;
TBY_API tby_status tby_db_known(int64_t *n_names, int64_t *n_games, tby_db *db, tby_db_names of, const char *s,
                                size_t n);
/* Is this a valid SQL condition on the view `games`? The column `moves` may also be called `game`. */
TBY_API tby_status tby_db_check_where(tby_db *db, const char *where);
/* Describes, line by line, how the search will be done: which index, which SQL, and what is checked against each
   game. */
TBY_API tby_status tby_db_explain(tby_db *db, const tby_db_search *search, tby_sink sink, void *context);

/* ---- Exploring ----------------------------------------------------------------------------------------- */

/* A move and the games that played it. */
typedef struct tby_db_move {
    tby_move move;               /* TBY_MOVE_NONE where a query matched: then `san` names it */
    tby_color side;              /* who played it */
    char san[TBY_SAN_SIZE];      /* empty in a position */
    int last_date;               /* as 20190531; 0 = unknown */
    uint64_t games;              /* games that played it here */
    uint64_t results[4];         /* of `games`, by tby_result */
    uint64_t n_elo, elo_sum;     /* of the players who made the move, as far as known */
    uint64_t n_other, other_sum; /* of their opponents, in a survey that wants them */
    uint64_t reached;            /* games that reach the resulting position by any move; for a null move, `games` */
    tby_game_id last_id;         /* in a survey, if one game played it, its number */
} tby_db_move;

/* The moves played in a position. Each game counts once, for the first time it reaches the position. */
typedef struct tby_db_moves {
    uint64_t games; /* games that reach this position */
    uint64_t ended; /* games that end there */
    uint64_t results[4];
    size_t n_moves;    /* the most played first, then in the tree's order; TBY_MOVE_NULL may be one of them */
    size_t n_unplayed; /* then follow moves that no game played here, but whose position some game reaches */
    tby_db_move moves[TBY_MOVES_MAX + 1];
} tby_db_moves;

/* Counts the games that `among` finds, without its limit and offset; NULL: all games. */
TBY_API tby_status tby_db_explore(tby_db_moves *out, tby_db *db, const tby_position *pos, const tby_db_search *among);

/* A game that reaches a position. */
typedef struct tby_db_reaching {
    tby_game_id id;
    int ply;       /* the first at which it does */
    tby_move next; /* the move played there; TBY_MOVE_NONE if the game ends there */
    tby_db_facts facts;
} tby_db_reaching;
/* Calls `visit` for each of these games, in no particular order; returning false ends it with TBY_INTERRUPTED. `among`
   as above. */
typedef bool (*tby_db_visit_reaching)(void *context, const tby_db_reaching *game);
TBY_API tby_status tby_db_explore_games(tby_db *db, const tby_position *pos, const tby_db_search *among,
                                        tby_db_visit_reaching visit, void *context);

/* What an opening explorer shows of a position. Games without a result are not counted and not listed. */
enum { TBY_SURVEY_LISTED = 100 };
typedef struct tby_db_listed {
    tby_game_id id;
    tby_move move; /* the move played in the position; TBY_MOVE_NONE if the game ends there */
    int64_t rank;  /* the sort key of the list */
} tby_db_listed;
typedef struct tby_db_month {
    int year, month;     /* month 0: only the year is known */
    uint64_t results[4]; /* by tby_result */
} tby_db_month;
typedef struct tby_db_survey {
    uint64_t games, ended, results[4]; /* as in tby_db_moves */
    /* The most played first; `reached` is not counted, and `last_date` may be that of a game without a result. */
    size_t n_moves;
    tby_db_move moves[TBY_MOVES_MAX + 1];
    size_t n_top, n_recent; /* by mean rating and by date, highest first; then by number, descending */
    tby_db_listed top[TBY_SURVEY_LISTED], recent[TBY_SURVEY_LISTED];
    size_t n_months; /* the months with games, in order of date */
    tby_db_month *months;
} tby_db_survey;
typedef struct tby_db_survey_options {
    const tby_db_search *among; /* as above */
    size_t n_top, n_recent;     /* how many games to list, at most TBY_SURVEY_LISTED */
    bool wants_months;
    bool wants_opponents; /* n_other and other_sum */
} tby_db_survey_options;
/* `*out` must be freed, even after a failure. */
TBY_API tby_status tby_db_survey_position(tby_db_survey *out, tby_db *db, const tby_position *pos,
                                          const tby_db_survey_options *options);
TBY_API void tby_db_survey_free(tby_db_survey *survey);

/* Describes, line by line, how exploring is answered: from stored counts, or from which games. */
TBY_API tby_status tby_db_explain_explore(tby_db *db, const tby_position *pos, const tby_db_search *among,
                                          tby_sink sink, void *context);

/* The moves played where a query first matched. The positions differ from game to game, so a move is named by its
   piece, capture, target and promotion: SAN without disambiguation and check marks. Nd7 includes Nbd7 and Nfd7. */
typedef struct tby_db_played {
    uint64_t games; /* found by the search */
    uint64_t ended; /* games in which the query first matches at their end */
    uint64_t results[4];
    size_t n_moves; /* the most played first */
    tby_db_move *moves;
} tby_db_played;

/* For the games that `search` finds, ignoring its limit and offset. A query that is only about the game as a whole
   holds at the start. `*out` must be freed. */
TBY_API tby_status tby_db_explore_match(tby_db_played *out, tby_db *db, const tby_db_search *search);
TBY_API void tby_db_played_free(tby_db_played *played);

/* ---- Files of games ------------------------------------------------------------------------------------ */

/* Files of games in any notation, compressed or not, need not be imported to be searched. A game's number is its place in
   the file, from 1. */
typedef struct tby_db_games_read {
    uint64_t games, bad; /* `bad`: of these, those with a fault */
} tby_db_games_read;
typedef struct tby_db_games {
    const char *notation;      /* of the files, which are then not databases (default: NULL, detected) */
    unsigned flags;            /* TBY_PGN_ANY_VARIANT, TBY_PGN_CHESS960 */
    unsigned n_threads;        /* 0 = one per processor */
    bool takes_faulty;         /* a game with a fault counts, with the moves before it; otherwise it is left out */
    bool wants_positions;      /* a temporary database has an index of positions, for many explorations */
    uint64_t most;             /* games of a file in a temporary database; more are an error (default: 0, any number) */
    tby_db_games_read *counts; /* added up while files are read; may be NULL */
    /* Called in the order of the games, in the caller's thread, for each fault, for each serious warning (status
       TBY_OK), and for the end of a file that cannot be read further (game 0); returning false ends it with that failure.
       NULL: the first fault fails the whole, and warnings are ignored. */
    bool (*fault)(void *context, const char *name, const tby_game_fault *fault, uint64_t game);
    /* Called regularly with the fraction of a file that is read, or negative if that is unknown, and bytes and games so
       far; with "indexing" as name, of the index. Returning false ends it with TBY_INTERRUPTED. May be NULL. */
    bool (*progress)(void *context, const char *name, double fraction, uint64_t n_bytes, uint64_t n_games);
    void *context; /* of both */
} tby_db_games;
/* As tby_db_open_all, but a name may also be a file of games, or "-" for standard input: it becomes a temporary database,
   which is removed when the database is closed. `how` may be NULL. */
TBY_API tby_status tby_db_open_games(tby_db **out, const char *const *names, size_t n, const tby_db_games *how,
                                     tby_failure *failure);
/* The file of a temporary database; NULL for any other database. */
TBY_API const char *tby_db_temporary_path(const tby_db *db);
/* Reads a file of games once, and visits those that a query (NULL: all) finds, in their order, with their rows, which are
   valid during the call, until `visit` returns false. TBY_CANNOT_HOLD for a query that TBY_QUERY_NEEDS_PEOPLE. */
typedef bool (*tby_db_visit_row)(void *context, const tby_db_hit *hit, const tby_row *row);
TBY_API tby_status tby_db_find_in_file(const char *path, const tby_query *query, const tby_db_games *how,
                                       tby_db_visit_row visit, void *context, tby_failure *failure);

/* ---- Reports on players -------------------------------------------------------------------------------- */

/* How games ended for a player: a win counts one, a draw a half; games without a result are only counted. */
typedef struct tby_score {
    uint64_t games, won, drawn, lost;
    int tenths;      /* the score in tenths of a percent; -1 without a result */
    int elo;         /* the mean rating of rated opponents, in games with a result; 0 = unknown */
    int performance; /* in these games: the rating at which the expected score is the one achieved, at most 800 points
                        from that mean; 0 = unknown */
} tby_score;

/* The games are counted by each of these. Lines are in the order of their keys for years and ratings, otherwise those
   with the most games come first. */
typedef enum tby_report_part {
    TBY_REPORT_COLORS = 0,
    TBY_REPORT_OPENINGS = 1,   /* "Sicilian Defense (white)" */
    TBY_REPORT_VARIATIONS = 2, /* "B90 Najdorf Variation (white)" */
    TBY_REPORT_YEARS = 3,
    TBY_REPORT_RATINGS = 4, /* of the opponent: "2600-2799" */
    TBY_REPORT_OPPONENTS = 5,
    TBY_REPORT_NAMES = 6, /* of the player, if several are one person */
    TBY_REPORT_PARTS = 7  /* how many there are */
} tby_report_part;
/* "colors", "openings" ... */
TBY_API const char *tby_report_part_name(tby_report_part part);

typedef struct tby_report tby_report;
TBY_API tby_report *tby_report_new(void); /* NULL: out of memory */
TBY_API void tby_report_free(tby_report *report);
/* Counts a game that the player had with that colour. Returns TBY_OK or TBY_NO_MEMORY. */
TBY_API tby_status tby_report_add(tby_report *report, const tby_row *row, tby_color color);
/* Counts all games that a search finds; its query should name the player, as in `white ~"Magnus Carlsen"`. */
TBY_API tby_status tby_db_report(tby_report *report, tby_db *db, const tby_db_search *search, tby_color color);
TBY_API tby_score tby_report_total(const tby_report *report);
TBY_API size_t tby_report_n_lines(const tby_report *report, tby_report_part part);
/* The key of a line, which is valid until a game is added, and its score. NULL past the end. */
TBY_API const char *tby_report_line(tby_score *out, tby_report *report, tby_report_part part, size_t index);

/* ---- Spellings of names -------------------------------------------------------------------------------- */

/* Players' names in games, and which of them may be spellings of another: those that tby_person_fits, and that no game
   and no third name contradicts. */
typedef struct tby_spellings tby_spellings;
TBY_API tby_spellings *tby_spellings_new(bool compares); /* false: names are only counted. NULL: out of memory */
TBY_API void tby_spellings_free(tby_spellings *spellings);
/* Counts the players of a game; not after tby_spellings_at. Returns TBY_OK or TBY_NO_MEMORY. */
TBY_API tby_status tby_spellings_add(tby_spellings *spellings, const tby_row *row);
/* Counts those of all games that a search finds. */
TBY_API tby_status tby_db_spellings(tby_spellings *spellings, tby_db *db, const tby_db_search *search);
typedef struct tby_spelling {
    const char *name, *better; /* valid as long as the spellings; `better`: the one to keep; NULL: none is proposed */
    uint64_t games, better_games;
} tby_spelling;
/* The names in alphabetical order; false past the last. */
TBY_API bool tby_spellings_at(tby_spelling *out, tby_spellings *spellings, size_t index);

/* ---- New moves ----------------------------------------------------------------------------------------- */

/* A game's first new move: no other game of the database reaches the position after it, by any order of moves. Games
   with the same players and moves are the game itself and do not count, nor do games with a later date, or none, if the
   date of the game is known. */
typedef struct tby_novelty {
    unsigned ply;        /* of the new move, from 1; if there is none, of the last position */
    tby_move move;       /* TBY_MOVE_NONE: there is none */
    tby_position before; /* the position before it, or the last one */
    tby_db_moves played; /* what other games played there: games, n_moves, and of each move, games and last_date */
} tby_novelty;
typedef struct tby_novelty_options {
    bool is_line;        /* it is a line of moves, not a game that may be in the database */
    bool takes_any_date; /* also count games with later dates */
    unsigned n_threads;  /* as in tby_db_search */
    tby_db_progress progress;
    void *progress_context;
} tby_novelty_options;
/* Examines the main line up to a null move. `options` may be NULL. */
TBY_API tby_status tby_db_novelty(tby_novelty *out, tby_db *db, const tby_game *game,
                                  const tby_novelty_options *options);

/* ---- Repertoires --------------------------------------------------------------------------------------- */

/* Lines that a player wants to play: positions and the moves that are planned there. The order of moves that led to a
   position does not matter. */
typedef struct tby_repertoire tby_repertoire;
TBY_API tby_repertoire *tby_repertoire_new(void); /* NULL: out of memory */
TBY_API void tby_repertoire_free(tby_repertoire *repertoire);
/* Adds the moves of a game, with variations, up to `plies` half-moves; null moves end a line. Returns TBY_OK or
   TBY_NO_MEMORY. */
TBY_API tby_status tby_repertoire_add(tby_repertoire *repertoire, const tby_game *game, unsigned plies);
TBY_API size_t tby_repertoire_n_positions(const tby_repertoire *repertoire);
/* The side whose lines they are: the one with fewer positions that have several moves; White if the numbers are
   equal. */
TBY_API tby_color tby_repertoire_side(const tby_repertoire *repertoire);
/* A position by its number, in the order in which they were added; valid until more are added. */
TBY_API const tby_position *tby_repertoire_position(const tby_repertoire *repertoire, size_t position);
/* The moves that are planned there, by index; TBY_MOVE_NONE past the end. */
TBY_API tby_move tby_repertoire_planned(const tby_repertoire *repertoire, size_t position, size_t index);
/* The moves by which it was first reached, and where they start. Returns their number; `moves` may be NULL. */
TBY_API size_t tby_repertoire_path(const tby_repertoire *repertoire, size_t position, tby_position *start,
                                   tby_move *moves);

/* A move that was played where the lines have other moves. */
typedef struct tby_repertoire_row {
    size_t position; /* its number in the repertoire */
    tby_move move;
    bool is_mine;        /* the side of the lines played it */
    uint64_t games, of;  /* games with the move, and with the position */
    uint64_t results[4]; /* of `games`, by tby_result */
    size_t next;         /* while games are counted */
} tby_repertoire_row;
typedef struct tby_repertoire_rows {
    tby_repertoire_row *rows; /* the most played first */
    size_t n, cap;
    uint64_t n_games,
        n_followed; /* of deviations: games that begin in the lines; those that follow them to their end */
} tby_repertoire_rows;
/* Opponents' moves in positions for which the lines have a reply, if the lines have neither the move nor any position
   after it. `among` as in tby_db_explore. `*out` must be freed, even after a failure. */
TBY_API tby_status tby_db_repertoire_gaps(tby_repertoire_rows *out, tby_db *db, const tby_repertoire *repertoire,
                                          tby_color side, const tby_db_search *among);
/* Where the games of a search left the lines for the last time: games that return by another move order have not left
   them. `*out` must be freed, even after a failure. */
TBY_API tby_status tby_db_repertoire_deviations(tby_repertoire_rows *out, tby_db *db, const tby_repertoire *repertoire,
                                                tby_color side, const tby_db_search *search);
TBY_API void tby_repertoire_rows_free(tby_repertoire_rows *rows);

/* ---- Contents ------------------------------------------------------------------------------------------ */

typedef struct tby_db_summary {
    int64_t n_games, n_plies, n_annotated, n_players, n_events, n_sites;
    int64_t results[4];        /* by tby_result */
    int first_date, last_date; /* as 20190531; 0 = unknown */
    int64_t n_runs;            /* of the index of positions */
    int64_t n_indexed;         /* games in it */
    int index_plies;           /* the depth of its shallowest run; TBY_INDEX_NONE if there is none */
    int schema_version;
    int64_t file_size; /* in bytes */
} tby_db_summary;
/* Reads eight bytes per game. */
TBY_API tby_status tby_db_summarize(tby_db_summary *out, tby_db *db);

/* Reports the size of each table and index in bytes, largest first. Reads every page of the file. */
typedef void (*tby_db_size)(void *context, const char *name, int64_t n_bytes);
TBY_API tby_status tby_db_sizes(tby_db *db, tby_db_size visit, void *context);

/* ---- Checking ------------------------------------------------------------------------------------------ */

/* Called for each fault, with a sentence and the number of the game or 0. A sentence that begins with "warning: " is
   not counted as a fault: a game has a null move in its main line. */
typedef void (*tby_db_fault)(void *context, tby_game_id id, const char *text);
/* Checks every game, summary and index entry; `*n_faults` becomes the number of faults. */
TBY_API tby_status tby_db_verify(int64_t *n_faults, tby_db *db, tby_db_fault fault, tby_db_progress progress,
                                 void *context);

/* ---- SQL ----------------------------------------------------------------------------------------------- */

/* Adds the functions of an SQLite extension that is part of the program to all files opened from now on. `init` is its
   entry point. */
struct sqlite3;
struct sqlite3_api_routines;
typedef int (*tby_db_extension)(struct sqlite3 *db, char **message, const struct sqlite3_api_routines *api);
TBY_API tby_status tby_db_extend(tby_db_extension init);

/* For programs that offer SQL: a separate connection to a database file. */
typedef struct tby_db_session tby_db_session;
/* `watch`, if not NULL, is called regularly while a statement runs. Without `writes`, nothing is ever written; with it,
   the schema still cannot be changed. No other file is created or attached. */
TBY_API tby_status tby_db_session_open(tby_db_session **out, const char *path, bool writes, tby_db_watch watch,
                                       void *context, tby_failure *failure);
TBY_API void tby_db_session_close(tby_db_session *session);

typedef enum tby_db_type {
    TBY_DB_NULL = 0,
    TBY_DB_INTEGER = 1,
    TBY_DB_REAL = 2,
    TBY_DB_TEXT = 3,
    TBY_DB_BLOB = 4
} tby_db_type;
typedef struct tby_db_field {
    const char *name; /* of the column */
    tby_db_type type;
    const char *s; /* the bytes of a blob, else the value as text; NULL if there are none */
    size_t n;
} tby_db_field;
/* Called for each row, with `is_row`, and before the rows of each statement that has columns, with only the names.
   Returning false ends it with TBY_INTERRUPTED. */
typedef bool (*tby_db_session_visit)(void *context, const tby_db_field *fields, size_t n_fields, bool is_row);
/* Runs the statements in a text until one fails. TBY_INVALID_QUERY if it is not valid SQL or cannot be executed. */
TBY_API tby_status tby_db_session_run(tby_db_session *session, const char *sql, tby_db_session_visit visit,
                                      void *context, tby_failure *failure);
/* Is a transaction open whose changes will be lost when the session is closed? */
TBY_API bool tby_db_session_has_unsaved(const tby_db_session *session);
/* Does the text end with a complete statement? */
TBY_API bool tby_db_session_is_complete(const char *sql);

/* ---- Clusters ------------------------------------------------------------------------------------------ */

/* Games on several PostgreSQL servers, used as one database through the URL of one of them, the coordinator: Citus, an
   extension of PostgreSQL, distributes them over the others, its workers. URLs are those of tby_db_open. All functions
   may be called again: nothing is done twice. `failure` says what failed. */

/* Creates and distributes the tables, all or nothing, each in `n_shards` parts (0: at least two per worker and eight
   altogether, or one for every four million games, if that is more). With `print`, nothing is changed, and the
   statements are written there, for psql on the coordinator. */
TBY_API tby_status tby_cluster_init(const char *coordinator, const char *const *workers, size_t n, int n_shards,
                                    tby_sink print, void *context, tby_failure *failure);

/* Adds a worker; moves games in the background until all workers have their share. */
TBY_API tby_status tby_cluster_add(const char *coordinator, const char *worker, tby_failure *failure);
TBY_API tby_status tby_cluster_rebalance(const char *coordinator, tby_failure *failure);

typedef struct tby_cluster_member {
    int number;
    const char *place; /* "host:port" */
    bool is_reachable;
    const char *error; /* why it cannot be reached */
    int64_t n_games, n_bytes, n_standbys;
    int64_t lag; /* bytes of the log that the slowest standby has yet to replay; -1: unknown */
    const char *server_version, *extension_version;
} tby_cluster_member;
/* Called for each server, with its answer. */
typedef bool (*tby_cluster_visit)(void *context, const tby_cluster_member *member);
TBY_API tby_status tby_cluster_status(const char *coordinator, tby_cluster_visit visit, void *context,
                                      tby_failure *failure);

#ifdef __cplusplus
}
#endif

#endif
