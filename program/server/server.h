/*
 * server.h - the web board and the JSON API: what the files of the server share.
 *
 *     http*.c    sockets, threads, signals; see http.h    params*.c  query strings and JSON objects as parameters
 *     metrics.c  what was answered, and how fast          access_log.c, address.c  who asked for what
 *     site.c     request -> response: host, paths,        api.c      notations, conversions, positions
 *                methods, headers, files                  site_games.c  the database; api_games.c and explorer.c ask
 *     site_files.c  the files of the page              describe.c the API for programs
 *     analyse.c  engines                                                it
 *
 * A request goes in and a response comes out: only http.c knows about sockets, and no file is opened except the
 * database. A site answers one request at a time; every thread has its own. docs/api.md describes the answers, and
 * docs/architecture.md the path of a request.
 *
 * Errors are values, a problem with its status. Nothing here prints or ends the program: only one request fails.
 */
#ifndef TABIYA_SERVER_SERVER_H
#define TABIYA_SERVER_SERVER_H

#include "assets.h"
#include "position.h"
#include "query.h"

typedef struct engines engines;
typedef struct engine_files engine_files;
typedef struct metrics metrics;

/* ---- Requests and responses ------------------------------------------------------------------------------------- */

enum {
    REQUEST_BODY_MAX = 1 << 20,
    RESPONSE_BODY_MAX = 1 << 24,
    DATABASE_SECONDS = 10 /* seconds that a request may use the database */
};

/* The message for a request that nobody waits for; it appears only in the log. */
#define CLIENT_GONE "the client has closed the connection"

typedef struct request {
    const char *method;
    const char *target; /* path and query string, as they came; or "*" */
    const char *host;   /* these five: the headers' values; NULL = none */
    const char *origin;
    const char *token; /* X-Tabiya-Token */
    const char *if_none_match;
    const char *accept_encoding;
    const char *body; /* may be NULL if it is empty */
    size_t n_body;
    bool is_too_large; /* the body was, and is not here */
    /* Has the client closed its side, so that nobody waits for the answer? NULL: that is not known. */
    bool (*is_gone)(const void *client);
    const void *client;
} request;

enum { RESPONSE_HEADERS_MAX = 20, RESPONSE_ETAG_SIZE = 32 };

/* A body that continues: its bytes arrive over time. */
typedef struct stream stream;
struct stream {
    /* Adds what is available; false when nothing will follow. It must not wait. */
    bool (*take)(stream *s, buffer *out);
    /* The client has disconnected, or everything was sent. */
    void (*close)(stream *s);
};

typedef struct response {
    unsigned status;
    const char *path; /* of the table that it comes from, "files" for a file, NULL for none */
    struct {
        const char *name, *value;
    } headers[RESPONSE_HEADERS_MAX];
    size_t n_headers;
    char etag[RESPONSE_ETAG_SIZE]; /* a header too; "" = none */
    const asset *asset;            /* the body is this, */
    bool is_packed;
    const char *fixed; /* or this text that needs no memory, */
    buffer body;       /* or else this, */
    stream *stream;    /* and after it this, if it is not NULL */
} response;

/* What is served, and to whom. */
typedef struct site_options {
    const char *database;       /* NULL: none */
    const char *const *others;  /* databases that are read together with it; ended by NULL */
    const char *name;           /* what is served, for users; NULL: the name of the database */
    const patterns *patterns;   /* named patterns for queries; NULL: only the built-in ones */
    const char *base;           /* "/chess": the prefix of all paths; NULL: none */
    const char *const *hosts;   /* names of the server, besides localhost and numeric addresses; ended by NULL */
    const char *const *origins; /* whose pages may read the answers, "*" for all; ended by NULL */
    engines *engines;           /* for analyses, shared by all sites; NULL: none. See analyse.h */
    const engine_files *browser_engine; /* an engine that runs in browsers; NULL: none */
    metrics *metrics;                   /* the same, of the server; NULL: none. See metrics.h */
    const char *token;                  /* requests with it may change the database; NULL: none may */
    unsigned max_age; /* seconds for which others may cache answers from the database; 0: until it changes */
} site_options;

/* Answers requests, for one thread at a time. */
typedef struct site site;
/* The texts of the options must stay valid. NULL if the database cannot be opened. */
site *site_new(const site_options *o, problem *p);
void site_free(site *s);
/* Reopens the database: now or, if that fails, before the next request that needs it. */
void site_reload(site *s);
/* Was the program built with tabiya.wasm, without which the page shows no board? */
bool site_has_board(void);
/* `*out` is overwritten; its body must be freed. */
void site_answer(site *s, const request *r, response *out);
/* The same, but the answer is this problem. Only the request's origin is used. */
void site_refuse(site *s, const request *r, unsigned status, const char *why, response *out);

/* How much work a request may take: none, little, some, or much. */
typedef enum weight { WEIGHT_NONE, WEIGHT_LIGHT, WEIGHT_MIDDLE, WEIGHT_HEAVY, N_WEIGHTS } weight;
weight site_weight(const site *s, const request *r);

/* ---- Parameters ------------------------------------------------------------------------------------------------- */

enum { PARAMS_MAX = 40 };

typedef struct params {
    struct {
        size_t name, value; /* their places in `text`, each ended by a NUL */
    } list[PARAMS_MAX];
    size_t n;
    buffer text;
} params;

/* Parses the text after the question mark. A problem if it is malformed. */
bool params_read(params *out, const char *s, problem *p);
/* Adds one whose value is elsewhere, encoded in the same way. */
bool params_add(params *out, const char *name, span value, problem *p);
/* Adds the members of a JSON object: strings, whole numbers, and true and false as 1 and 0. */
bool params_add_json(params *out, span text, problem *p);
/* Drops all whose names are not among `names`, each with a blank after it. */
void params_keep(params *p, const char *names);
/* False if memory ran out or a name occurs twice. */
bool params_check(const params *p, problem *why);
void params_free(params *p);
const char *params_name(const params *p, size_t i);
/* NULL if it is not given. */
const char *params_value(const params *p, const char *name);

/* ---- Answers: false after a problem, which becomes the response ------------------------------------------------- */

typedef struct question {
    params *params;
    const request *request;
    response *response;
    problem *problem;
    bool has_body_params; /* the body was a JSON object of parameters */
    int kind;             /* of an answer that has several: one of the next two */
} question;

enum { REPERTOIRE_GAPS, REPERTOIRE_DEVIATIONS };
typedef enum explorer_kind { EXPLORER_LICHESS, EXPLORER_MASTERS, EXPLORER_PLAYER, EXPLORER_HISTORY } explorer_kind;

/* A parameter that must be given. */
bool question_needed(const char **out, const question *q, const char *name);
/* A switch: 1 is on, 0 and nothing are off, anything else is a problem. */
bool question_switch(bool *out, const question *q, const char *name);
/* A number from 1 to `most`; `none` if it is missing. */
bool question_number(uint64_t *out, const question *q, const char *name, uint64_t none, uint64_t most);

void response_header(response *r, const char *name, const char *value);

bool answer_notations(const question *q);
bool answer_patterns(const patterns *own, const question *q);
bool answer_convert(const question *q);
bool answer_status(const question *q);
/* Adds the parameters in the body, if it is a JSON object with a text. */
bool add_body_params(question *q);
/* The parameter text, or else the body. */
bool question_text(span *out, const question *q);
/* The position of the parameters fen, moves and chess960; `is_chess960` may be NULL. */
bool question_position(tby_position *out, bool *is_chess960, const question *q);

/* The database of a site, and the answers cached from it. */
typedef struct games games;
/* From the options, whose texts must stay valid. */
games *games_open(const site_options *o, problem *p);
void games_close(games *g);
/* Reopens it: now or, if that fails, before it is next read. */
void games_reopen(games *g);
/* Can it be read? */
bool games_check(games *g, const question *q);
/* Writes its metrics: name, state, time of the last change. Nothing for a PostgreSQL database. */
void games_write_metrics(const games *g, const char *name, buffer *out);
/* An entity tag from the state of the database and the target: it identifies one answer. False while the database is
   changing. */
bool games_etag(const games *g, const char *target, char out[RESPONSE_ETAG_SIZE]);
bool answer_info(games *g, const question *q);
bool answer_explore(games *g, const question *q);
bool answer_find(games *g, const question *q);
bool answer_names(games *g, const question *q);
bool answer_understand(games *g, const question *q); /* (api_understand.c) */
bool answer_game(games *g, const question *q);
bool answer_repertoire(games *g, const question *q);
bool answer_report(games *g, const question *q); /* these two: api_report.c */
bool answer_novelty(games *g, const question *q);
bool answer_collections(games *g, const question *q);
/* Changes, which the site has allowed: api_write.c. */
bool answer_save(games *g, const question *q);
bool answer_collect(games *g, const question *q);
/* The first game of a text; with `is_alone`, more are a problem. (analyse.c) */
bool read_one_game(tby_game *out, span text, bool is_alone, problem *p);
/* Answers in the format of the public opening explorer: explorer.c. */
bool answer_explorer(games *g, const question *q);
/* The game of /masters/pgn/{id}. */
bool answer_masters_pgn(games *g, const question *q);
/* Is it a condition that /api/find, /api/explore or /api/report takes? */
const char *condition_name(int index); /* of QUERY_BLACK to N_QUERY_VALUES - 1 */
bool find_takes(const char *name);
bool explore_takes(const char *name);
bool report_takes(const char *name);

/* ---- The server ------------------------------------------------------------------------------------------------- */

typedef struct server_options {
    site_options site;
    const char *address; /* in numbers */
    unsigned port;       /* 0: any that is free */
    bool may_move;       /* to another port if that one is in use */
    unsigned seconds;    /* seconds that a request may take in total */
    const char *log;     /* the access log; NULL: none */
    bool has_proxy;      /* the server is behind a proxy, whose X-Forwarded-For names the client */
    unsigned most_heavy; /* heavy requests of one client at a time; 0: any number */
} server_options;

/* Serves until SIGTERM or SIGINT, or until the terminal it was started from is closed. SIGHUP reopens the database and
   the log. `started` is called when requests are accepted, with the server's address and whether other machines can
   reach it. False if it cannot be started. */
typedef void (*server_started)(const char *url, bool is_open);
bool server_run(const server_options *options, server_started started, problem *p);

#endif
