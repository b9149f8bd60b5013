/*
 * server.h - tabiya serve: what its files share.
 *
 *     cmd_serve.c    the command           site.c   request -> response: host, paths, methods, headers, files
 *     http.c   libmicrohttpd         params.c query strings
 *                                          api.c    notations, conversions, positions
 *                                          games.c  what is asked of the database
 *
 * A request goes in and a response comes out: nothing but http.c knows of sockets, and no file is opened but the
 * database. A site answers one request at a time; every thread has its own. docs/api.md describes the answers.
 */
#ifndef TABIYA_SERVER_H
#define TABIYA_SERVER_H

#include "assets.h"
#include "buffer.h"
#include "tabiya_db.h"

#include <time.h>

/* ---- Requests and responses ------------------------------------------------------------------------------------- */

enum {
    REQUEST_BODY_MAX = 1 << 20,
    RESPONSE_BODY_MAX = 1 << 24,
    DATABASE_SECONDS = 10 /* that a request may keep the database busy */
};

typedef struct request {
    const char *method;
    const char *target; /* path and query string, as they came */
    const char *host;   /* these three: the headers' values; NULL = none */
    const char *if_none_match;
    const char *accept_encoding;
    const char *body; /* may be NULL if it is empty */
    size_t n_body;
    bool is_too_large; /* the body was, and is not here */
} request;

enum { RESPONSE_HEADERS_MAX = 16 };

typedef struct response {
    unsigned status;
    struct {
        const char *name, *value;
    } headers[RESPONSE_HEADERS_MAX];
    size_t n_headers;
    const asset *asset; /* the body is this, or else `body` */
    bool is_packed;
    buffer body;
} response;

/* Where a server answers from. */
typedef struct site site;
/* NULL for `path`: without a database. NULL if it cannot be opened; `error` then tells why. */
site *site_new(const char *path, char error[TBY_DB_ERROR_SIZE]);
void site_free(site *s);
/* `*out` is overwritten; its body is to be freed. */
void site_answer(site *s, const request *r, response *out);

/* ---- Query strings ---------------------------------------------------------------------------------------------- */

enum { PARAMS_MAX = 32 };

typedef struct params {
    struct {
        const char *name, *value;
    } list[PARAMS_MAX]; /* into `text` */
    size_t n;
    buffer text;
} params;

/* Of what stands behind the question mark. False, which is told, if it is malformed or names one twice. */
bool params_read(params *out, const char *s);
void params_free(params *p);
/* NULL if it is not given. */
const char *params_value(const params *p, const char *name);
/* A switch: 1 is on, 0 and nothing are off, all else is told and false. */
bool params_switch(bool *out, const params *p, const char *name);

/* ---- Answers: false where the request makes no sense, which is told; the response is then an error --------------- */

typedef struct question {
    const params *params;
    const request *request;
    response *response;
} question;

/* An error of another kind than a request that makes no sense: sets the status and tells why; false. */
bool answer_fails(const question *q, unsigned status, const char *format, ...) PRINTF_LIKE(3, 4);
void response_header(response *r, const char *name, const char *value);

bool answer_notations(const question *q);
bool answer_convert(const question *q);
bool answer_status(const question *q);

/* The database of a site, and what was answered from it. */
typedef struct games games;
games *games_open(const char *path, char error[TBY_DB_ERROR_SIZE]);
void games_close(games *g);
bool answer_info(games *g, const question *q);
bool answer_explore(games *g, const question *q);
bool answer_find(games *g, const question *q);
bool answer_game(games *g, const question *q);
/* Is it a condition that /api/find takes? */
bool find_takes(const char *name);

/* ---- The server ------------------------------------------------------------------------------------------------- */

typedef struct server_options {
    const char *database; /* NULL: none */
    const char *address;  /* in numbers */
    unsigned port;        /* 0: any that is free */
    unsigned seconds;     /* that a request may take, all in all */
} server_options;

/* Serves until SIGTERM or SIGINT comes; the exit code. */
int server_run(const server_options *options);

#endif
