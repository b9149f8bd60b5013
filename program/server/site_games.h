/*
 * site_games.h - the database of a site, for the files that answer from it.
 *
 *     games_begin ... games_end    one transaction: one state of the database for the whole answer
 *     games_begin_one              the same for an answer that takes one call of the database
 */
#ifndef TABIYA_SERVER_SITE_GAMES_H
#define TABIYA_SERVER_SITE_GAMES_H

#include "os/file.h"
#include "server.h"

#include <time.h>

/* A cached answer and its request. */
typedef struct kept {
    char *asked; /* NULL: none */
    buffer text;
} kept;

/* One of the databases that are read as one. */
typedef struct member {
    const char *path; /* of the options */
    const char *name; /* for messages, when there are several */
    char *log_path;   /* SQLite's write-ahead log, next to the file that the path leads to; NULL: of a server */
    os_identity file; /* the one that is open */
} member;

struct games {
    const char *path; /* of the first one, which is changed if it is the only one */
    member *members;
    size_t n_members;
    bool is_of_server;        /* one of them is a server's */
    bool must_reopen;         /* before it is next read */
    metrics *metrics;         /* NULL: not counted */
    const patterns *patterns; /* for queries; NULL: only the built-in ones */
    tby_db *db;
    tby_game *game;       /* to read one into */
    int64_t data_version; /* the version of the cached answers, which may be newer, never older */
    bool has_version;     /* it is known */
    kept *answers;
    enum { SPEEDS_UNKNOWN, SPEEDS_NONE, SPEEDS_SOME } speeds; /* has a game of this version a speed? */
    int64_t deadline;                                         /* in milliseconds */
    bool is_late;                                             /* the time is up, or nobody waits any more */
    const request *asked_by;                                  /* what is being answered; NULL: nothing */
    bool is_left;                                             /* its client has disconnected */
    int64_t soon;   /* when to end a search that has found games, in milliseconds; 0: when it is complete */
    bool has_found; /* it has found games */
    bool is_cut;    /* it was ended early because of `soon` */
};

/* Starts the clock, for queries before games_begin. The request may be NULL. */
void games_start_clock(games *g, const request *asked_by);
/* Starts the clock. False after a problem; then there is nothing to end. */
bool games_begin(games *g, const question *q);
/* `asked` is the cached answer that may be used; NULL: none. */
bool games_begin_one(games *g, const question *q, const char *asked);
void games_end(games *g);
/* Begins, answers from the cache or by `write`, and ends. The answer is cached under `asked`, until the database
   changes; NULL: it is not. `is_one` if it takes one call of the database. */
typedef bool games_writer(games *g, const question *q, const void *context);
bool games_answer(games *g, const question *q, const char *asked, bool is_one, games_writer *write,
                  const void *context);
/* Has any game a speed, that is, a time control? Looked up once for each version of the database. */
tby_status games_have_speeds(bool *out, games *g, const question *q);
/* Why the database did not answer, and whether it may answer soon. Returns false. */
bool games_fail(games *g, const question *q, tby_status status);
/* Did the database answer in time? Otherwise games_fail. */
bool games_are_read(games *g, const question *q, tby_status status);
/* The conditions that a path takes, such as find_takes, and further facts. False after a problem; then there is nothing
   to free. (api_games.c) */
bool games_conditions(query *out, const question *q, games *g, bool (*takes)(const char *name), tby_text facts);
/* If a request about a player who is not known finds no games, the answer gets one more member: similar names, if there
   are any. (api_games.c) */
bool games_offer_names(games *g, const question *q);
/* How plain words were read, as the member `parts`. (api_understand.c) */
void reading_write(buffer *out, const plain_reading *r);
/* The parameter id. (api_games.c) */
bool question_id(tby_game_id *out, const question *q);
/* Is the time up? */
bool games_are_late(games *g);

#endif
