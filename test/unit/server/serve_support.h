/*
 * serve_support.h - shared by the tests of the server without a socket: two sites, and functions that ask them.
 */
#ifndef TBY_TEST_SERVE_SUPPORT_H
#define TBY_TEST_SERVE_SUPPORT_H

#include "db_support.h"

#include "server.h"

enum { GAMES = 300 };

static struct {
    site *empty, *full; /* without a database, and with one */
    tby_db *db;         /* the same database, opened for writing */
    tby_game *games[GAMES + 1];
} opened;

static int set_up(void **state)
{
    problem p = {0};
    (void)state;
    db_remove(db_path("serve"));
    opened.db = db_open(db_path("serve"), TBY_DB_CREATE);
    for (unsigned i = 1; i <= GAMES; i++)
        opened.games[i] = db_game(i);
    db_add(opened.db, opened.games + 1, GAMES, TBY_DUPLICATES_KEEP);
    opened.empty = site_new(&(site_options){.database = NULL}, &p);
    opened.full = site_new(&(site_options){.database = db_path("serve")}, &p);
    return opened.empty && opened.full ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    for (unsigned i = 1; i <= GAMES; i++)
        tby_game_free(opened.games[i]);
    site_free(opened.empty);
    site_free(opened.full);
    tby_db_close(opened.db);
    db_remove(db_path("serve"));
    return 0;
}

/* ---- Asking ---------------------------------------------------------------------------------------------- */

/* Terminates the body with a NUL, so that it can be compared as text. */
static response ask(site *s, request r)
{
    response out;
    r.method = r.method ? r.method : "GET";
    r.host = r.host ? r.host : "127.0.0.1:8064";
    site_answer(s, &r, &out);
    buffer_add(&out.body, "", 1);
    out.body.n--;
    return out;
}

static response get(site *s, const char *target) { return ask(s, (request){.target = target}); }

static const char *header_of(const response *r, const char *name)
{
    for (size_t i = 0; i < r->n_headers; i++)
        if (strcmp(r->headers[i].name, name) == 0)
            return r->headers[i].value;
    return NULL;
}

static void expect(site *s, const char *target, unsigned status, const char *piece)
{
    response r = get(s, target);
    if (r.status != status || (piece && !strstr(r.body.s, piece)))
        fail_msg("%s: %u %s", target, r.status, r.body.s);
    buffer_free(&r.body);
}

#endif
