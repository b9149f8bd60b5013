/*
 * connect.c - a connection to PostgreSQL, by libpq.
 *
 * The library is loaded when a server is asked for, so that the program runs where there is none. Results come as rows,
 * one at a time and in their binary form; while the server works, the progress bar moves.
 */
#include "store/postgres/pg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool pg_fail(pg *p, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    db_fail_list(&p->base, TBY_IO_ERROR, format, list);
    va_end(list);
    return false;
}

/* ---- Values ----------------------------------------------------------------------------------------------------- */

size_t pg_value(pg_values *v, const char *text)
{
    buffer_add(&v->texts, text, strlen(text) + 1);
    return ++v->n;
}

void pg_values_free(pg_values *v)
{
    buffer_free(&v->texts);
    v->n = 0;
}

#ifndef TABIYA_LIBPQ

/* Of the files of this folder only this one is compiled then. */

static tby_status refuse(char error[TBY_DB_ERROR_SIZE])
{
    snprintf(error, TBY_DB_ERROR_SIZE, "this program was built without libpq; its source says how to build it with");
    return TBY_IO_ERROR;
}

tby_db *postgres_open(const char *url, tby_db_mode mode, tby_status *status, char error[TBY_DB_ERROR_SIZE])
{
    (void)url;
    (void)mode;
    *status = refuse(error);
    return NULL;
}

tby_status tby_shards_init(const char *coordinator, const char *const *shards, size_t n, tby_sink print, void *context,
                           char error[TBY_DB_ERROR_SIZE])
{
    (void)coordinator, (void)shards, (void)n, (void)print, (void)context;
    return refuse(error);
}

tby_status tby_shards_add(const char *coordinator, const char *shard, tby_sink print, void *context, tby_db_watch watch,
                          void *watch_context, char error[TBY_DB_ERROR_SIZE])
{
    (void)coordinator, (void)shard, (void)print, (void)context, (void)watch, (void)watch_context;
    return refuse(error);
}

tby_status tby_shards_move(const char *coordinator, int from, int to, int percent, tby_db_watch watch, void *context,
                           char error[TBY_DB_ERROR_SIZE])
{
    (void)coordinator, (void)from, (void)to, (void)percent, (void)watch, (void)context;
    return refuse(error);
}

tby_status tby_shards_status(const char *coordinator, tby_shard_visit visit, void *context,
                             char error[TBY_DB_ERROR_SIZE])
{
    (void)coordinator, (void)visit, (void)context;
    return refuse(error);
}

#else

#include <dlfcn.h>
#include <libpq-fe.h>
#include <poll.h>
#include <pthread.h>

/* ---- The library ------------------------------------------------------------------------------------------------ */

/* With the number of its interface, the one of the header. */
#define LIBRARY "libpq.so.5"

#define FUNCTIONS(X)                                                                                                   \
    X(cancel)                                                                                                          \
    X(clear)                                                                                                           \
    X(connectdbParams)                                                                                                 \
    X(conninfoFree)                                                                                                    \
    X(conninfoParse)                                                                                                   \
    X(consumeInput)                                                                                                    \
    X(db)                                                                                                              \
    X(errorMessage)                                                                                                    \
    X(fformat)                                                                                                         \
    X(finish)                                                                                                          \
    X(freeCancel)                                                                                                      \
    X(freemem)                                                                                                         \
    X(getCancel)                                                                                                       \
    X(getCopyData)                                                                                                     \
    X(getResult)                                                                                                       \
    X(getisnull)                                                                                                       \
    X(getlength)                                                                                                       \
    X(getvalue)                                                                                                        \
    X(host)                                                                                                            \
    X(isBusy)                                                                                                          \
    X(ntuples)                                                                                                         \
    X(port)                                                                                                            \
    X(putCopyData)                                                                                                     \
    X(putCopyEnd)                                                                                                      \
    X(resultErrorField)                                                                                                \
    X(resultStatus)                                                                                                    \
    X(sendPrepare)                                                                                                     \
    X(sendQuery)                                                                                                       \
    X(sendQueryParams)                                                                                                 \
    X(sendQueryPrepared)                                                                                               \
    X(setNoticeProcessor)                                                                                              \
    X(setSingleRowMode)                                                                                                \
    X(socket)                                                                                                          \
    X(status)                                                                                                          \
    X(user)

static struct {
#define DECLARE(name) __typeof__(PQ##name) *name;
    FUNCTIONS(DECLARE)
} pq;

static char load_error[TBY_DB_ERROR_SIZE]; /* empty: the functions are there */

static void load_functions(void)
{
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    bool is_good = library != NULL;
#define ENTRY(name) {"PQ" #name, &pq.name},
    static const struct {
        const char *name;
        void *place; /* of the pointer to it */
    } list[] = {FUNCTIONS(ENTRY)};
    for (size_t i = 0; is_good && i < sizeof list / sizeof *list; i++) {
        void *function = dlsym(library, list[i].name);
        memcpy(list[i].place, &function, sizeof function);
        is_good = function != NULL;
    }
    if (!is_good)
        snprintf(load_error, sizeof load_error, "%s", dlerror());
}

/* Several threads may open connections. */
static bool load_library(pg *p)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load_functions);
    return load_error[0] == '\0' || pg_fail(p, "%s", load_error);
}

/* ---- Errors ----------------------------------------------------------------------------------------------------- */

/* On one line. */
static bool fail_lines(pg *p, const char *text)
{
    size_t n = 0;
    for (; *text && n < sizeof p->base.error - 1; text++) {
        const bool is_blank = *text == '\n' || *text == '\t' || *text == ' ';
        if (!is_blank)
            p->base.error[n++] = *text;
        else if (n && p->base.error[n - 1] != ' ')
            p->base.error[n++] = ' ';
    }
    n -= n && p->base.error[n - 1] == ' ';
    p->base.error[n] = '\0';
    p->base.status = TBY_IO_ERROR;
    return false;
}

static bool fail_connection(pg *p) { return fail_lines(p, pq.errorMessage(p->to)); }

/* The server's words; a lost connection has none. */
static bool fail_result(pg *p, const PGresult *r)
{
    const char *text = pq.resultErrorField(r, PG_DIAG_MESSAGE_PRIMARY);
    const char *detail = pq.resultErrorField(r, PG_DIAG_MESSAGE_DETAIL);
    const char *more = detail ? detail : pq.resultErrorField(r, PG_DIAG_MESSAGE_HINT);
    if (!text)
        return fail_connection(p);
    pg_fail(p, more ? "%.250s (%.200s)" : "%.500s", text, more);
    return fail_lines(p, p->base.error);
}

/* ---- Waiting ---------------------------------------------------------------------------------------------------- */

static void cancel(pg *p)
{
    char error[256];
    PGcancel *request = pq.getCancel(p->to);
    if (request)
        pq.cancel(request, error, sizeof error);
    pq.freeCancel(request);
}

/* NULL behind the last. */
static PGresult *next_result(pg *p)
{
    bool is_cancelled = false;
    while (pq.isBusy(p->to)) {
        struct pollfd ready = {pq.socket(p->to), POLLIN, 0};
        poll(&ready, 1, 200);
        if (p->looks_up && !db_goes_on(&p->base) && !is_cancelled) {
            cancel(p);
            is_cancelled = true;
        }
        if (!pq.consumeInput(p->to))
            break;
    }
    return pq.getResult(p->to);
}

/* ---- Statements ------------------------------------------------------------------------------------------------- */

/* Takes all results, which must be good. */
static bool take_results(pg *p)
{
    bool is_good = true;
    for (PGresult *r; (r = next_result(p)) != NULL; pq.clear(r)) {
        const ExecStatusType status = pq.resultStatus(r);
        if (status == PGRES_COPY_IN ||
            status == PGRES_COPY_OUT) { /* its end was not sent, or taken: no other follows */
            pq.clear(r);
            return false;
        }
        if (is_good && status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
            is_good = fail_result(p, r);
    }
    return is_good;
}

static void drop_results(pg *p)
{
    for (PGresult *r; (r = next_result(p)) != NULL;)
        pq.clear(r);
}

/* Before a statement: answers that nobody waits for are taken, and a transaction that could not be left is. */
static bool settle(pg *p)
{
    if (p->is_owing)
        drop_results(p);
    p->is_owing = false;
    if (p->is_stuck && !pq.sendQuery(p->to, "ROLLBACK"))
        return fail_connection(p);
    if (p->is_stuck)
        drop_results(p);
    p->is_stuck = false;
    return true;
}

bool pg_run(pg *p, const char *sql)
{
    return settle(p) && (pq.sendQuery(p->to, sql) ? take_results(p) : fail_connection(p));
}

void pg_forget(pg *p) { p->is_owing = true; }

void pg_leave(pg *p)
{
    if (!settle(p))
        return;
    p->is_wide = false; /* if the path was widened in this transaction, it is as before */
    p->is_owing = pq.sendQuery(p->to, "ROLLBACK");
    p->is_stuck = !p->is_owing;
}

void pg_roll_back(pg *p)
{
    pg_leave(p);
    if (p->is_owing)
        drop_results(p);
    p->is_owing = false;
}

bool pg_end(pg *p, bool is_good)
{
    char error[TBY_DB_ERROR_SIZE];
    if (is_good && pg_run(p, "COMMIT"))
        return true;
    const tby_status status = p->base.status;
    memcpy(error, p->base.error, sizeof error);
    pg_roll_back(p);
    memcpy(p->base.error, error, sizeof error);
    p->base.status = status;
    return false;
}

bool pg_check(pg *p, const char *sql)
{
    return settle(p) && (pq.sendPrepare(p->to, "", sql, 0, NULL) ? take_results(p) : fail_connection(p));
}

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

/* By its name if it has one, which the server knows. */
static bool send(pg *p, const char *name, const char *sql, const pg_values *v)
{
    const size_t n = v ? v->n : 0;
    const char **texts = calloc(n + 1, sizeof *texts), *text = v ? v->texts.s : NULL;
    if (!sql || !texts || (v && v->texts.has_failed)) {
        free(texts);
        return db_fail_memory(&p->base);
    }
    for (size_t i = 0; i < n; i++, text += strlen(text) + 1)
        texts[i] = text;
    const bool is_settled = settle(p);
    const bool is_sent = is_settled && (name ? pq.sendQueryPrepared(p->to, name, (int)n, texts, NULL, NULL, 1)
                                             : pq.sendQueryParams(p->to, sql, (int)n, NULL, texts, NULL, NULL, 1));
    free(texts);
    return is_sent || (is_settled && fail_connection(p));
}

bool pg_send(pg *p, const char *sql, const pg_values *v)
{
    if (!send(p, NULL, sql, v))
        return false;
    pq.setSingleRowMode(p->to);
    return true;
}

bool pg_send_often(pg *p, pg_often which, const char *sql, const pg_values *v)
{
    char name[16];
    if (!sql)
        return db_fail_memory(&p->base);
    snprintf(name, sizeof name, "often_%d", (int)which);
    if (p->often[which] == PG_UNKNOWN) {
        p->often[which] = PG_SENT_ONCE;
        return send(p, NULL, sql, v);
    }
    if (p->often[which] == PG_SENT_ONCE) {
        if (!settle(p))
            return false;
        if (!pq.sendPrepare(p->to, name, sql, 0, NULL))
            return fail_connection(p);
        if (!take_results(p))
            return false;
        p->often[which] = PG_KNOWN;
    }
    return send(p, name, sql, v);
}

bool pg_send_several(pg *p, const char *statements)
{
    return settle(p) && (pq.sendQuery(p->to, statements) || fail_connection(p));
}

static void drop_row(pg *p)
{
    if (p->row)
        pq.clear(p->row);
    p->row = NULL;
    p->at = 0;
}

pg_step pg_next(pg *p)
{
    bool is_good = true;
    if (p->row && ++p->at < pq.ntuples(p->row))
        return PG_ROW;
    drop_row(p);
    for (PGresult *r; (r = next_result(p)) != NULL; pq.clear(r)) {
        const ExecStatusType status = pq.resultStatus(r);
        if ((status == PGRES_SINGLE_TUPLE || status == PGRES_TUPLES_OK) && pq.ntuples(r) > 0) {
            p->row = r;
            return PG_ROW;
        }
        if (is_good && status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
            is_good = fail_result(p, r);
    }
    return is_good ? PG_END : PG_FAILED;
}

/* Takes what comes; false if that takes longer. */
static bool is_soon_over(pg *p)
{
    enum { PATIENCE = 20 }; /* milliseconds */
    for (;;) {
        struct pollfd ready = {pq.socket(p->to), POLLIN, 0};
        if (pq.isBusy(p->to)) {
            if (poll(&ready, 1, PATIENCE) <= 0)
                return false;
            if (!pq.consumeInput(p->to))
                return true;
            continue;
        }
        PGresult *r = pq.getResult(p->to);
        if (!r)
            return true;
        pq.clear(r);
    }
}

void pg_stop(pg *p, bool has_many)
{
    if (has_many || !is_soon_over(p))
        cancel(p);
    drop_row(p);
    drop_results(p);
}

bool pg_query(pg *p, const char *sql, const pg_values *v, pg_visit visit, void *context)
{
    pg_step step;
    if (!pg_send(p, sql, v))
        return false;
    while ((step = pg_next(p)) == PG_ROW)
        if (visit && !visit(context, p)) {
            pg_stop(p, true);
            return true;
        }
    return step == PG_END;
}

static bool take_number(void *context, pg *p)
{
    if (pg_text(p, 0).s)
        *(int64_t *)context = pg_number(p, 0);
    return true;
}

bool pg_number_of(pg *p, const char *sql, int64_t otherwise, int64_t *out)
{
    *out = otherwise;
    return pg_query(p, sql, NULL, take_number, out);
}

tby_text pg_text(const pg *p, int at)
{
    if (pq.getisnull(p->row, p->at, at))
        return (tby_text){NULL, 0};
    return (tby_text){pq.getvalue(p->row, p->at, at), (size_t)pq.getlength(p->row, p->at, at)};
}

/* Integers of any size, in binary form or as text; 0 for NULL. */
int64_t pg_number(const pg *p, int at)
{
    const tby_text bytes = pg_text(p, at);
    if (!bytes.s)
        return 0;
    if (pq.fformat(p->row, at) == 0)
        return strtoll(bytes.s, NULL, 10);
    uint64_t number = bytes.n && (bytes.s[0] & 0x80) ? UINT64_MAX : 0;
    for (size_t i = 0; i < bytes.n; i++)
        number = number << 8 | (unsigned char)bytes.s[i];
    return (int64_t)number;
}

/* ---- Copying ---------------------------------------------------------------------------------------------------- */

/* Sends a COPY; the server must agree to it. */
static bool start_copy(pg *p, const char *sql, ExecStatusType direction)
{
    if (!settle(p))
        return false;
    if (!pq.sendQuery(p->to, sql))
        return fail_connection(p);
    PGresult *r = next_result(p);
    const bool is_good = pq.resultStatus(r) == direction || fail_result(p, r);
    pq.clear(r);
    if (!is_good)
        drop_results(p);
    return is_good;
}

bool pg_copy_begin(pg *p, const char *sql)
{
    static const char head[] = "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0"; /* and the NUL behind it */
    p->out.n = 0;
    p->out.has_failed = false;
    buffer_add(&p->out, head, sizeof head);
    return start_copy(p, sql, PGRES_COPY_IN);
}

bool pg_copy_flush(pg *p)
{
    if (p->out.has_failed)
        return db_fail_memory(&p->base);
    const bool is_good = pq.putCopyData(p->to, p->out.s, (int)p->out.n) == 1;
    p->out.n = 0;
    return is_good || fail_connection(p);
}

/* Ends what was sent, or takes it back. Why a server has given up is told by its result. */
static bool finish_copy(pg *p, bool is_good)
{
    const bool is_ended = pq.putCopyEnd(p->to, is_good ? NULL : "not all could be sent") == 1 || fail_connection(p);
    return take_results(p) && is_ended && is_good;
}

bool pg_copy_end(pg *p, bool is_good)
{
    buffer_add(&p->out, "\377\377", 2);
    is_good = finish_copy(p, is_good && pg_copy_flush(p));
    return p->out.has_failed ? db_fail_memory(&p->base) : is_good;
}

/* What the server sends goes to where a COPY has begun. */
static bool pass_on(pg *from, pg *to)
{
    char *bytes;
    int n;
    bool is_good = true;
    while ((n = pq.getCopyData(from->to, &bytes, 0)) > 0) {
        is_good = is_good && (pq.putCopyData(to->to, bytes, n) == 1 || fail_connection(to));
        pq.freemem(bytes);
    }
    return is_good && (n == -1 || fail_connection(from));
}

bool pg_copy_between(pg *from, const char *out, pg *to, const char *in)
{
    if (!start_copy(to, in, PGRES_COPY_IN))
        return false;
    bool is_good = start_copy(from, out, PGRES_COPY_OUT);
    if (is_good) {
        is_good = pass_on(from, to);
        is_good = take_results(from) && is_good;
    }
    return finish_copy(to, is_good);
}

/* ---- Opening ---------------------------------------------------------------------------------------------------- */

static void ignore_notice(void *context, const char *text)
{
    (void)context;
    (void)text;
}

/* libpq quotes what it cannot read of an address, and that may be a part of the password: an @ or / in it makes libpq
   take the rest for the port. */
static bool check_address(pg *p, const char *url)
{
    char *error = NULL;
    PQconninfoOption *options = pq.conninfoParse(url, &error);
    bool is_good = options != NULL;
    for (const PQconninfoOption *o = options; o && o->keyword; o++)
        if (o->val && strcmp(o->keyword, "port") == 0)
            is_good &= o->val[strspn(o->val, "0123456789,")] == '\0';
        else if (o->val && strcmp(o->keyword, "host") == 0)
            is_good &= !strchr(o->val, '@');
    if (options)
        pq.conninfoFree(options);
    pq.freemem(error);
    return is_good || pg_fail(p, "not a valid address of a server; in a password, write %%40 for an at sign, %%3A for "
                                 "a colon, %%2F for a "
                                 "slash, %%3F for a question mark and %%25 for a percent sign");
}

static bool connect(pg *p, const char *url)
{
    const char *const names[] = {"dbname", "client_encoding", "fallback_application_name", NULL};
    const char *const values[] = {url, "UTF8", "tabiya", NULL};
    p->to = pq.connectdbParams(names, values, 1);
    if (!p->to)
        return db_fail_memory(&p->base);
    if (pq.status(p->to) != CONNECTION_OK)
        return fail_connection(p);
    pq.setNoticeProcessor(p->to, ignore_notice, NULL);
    return true;
}

void pg_close(pg *p)
{
    if (!p)
        return;
    pg_shards_close(p);
    drop_row(p);
    if (p->to)
        pq.finish(p->to);
    buffer_free(&p->shapes);
    buffer_free(&p->out);
    free(p->kept);
    free(p);
}

pg *pg_open(const char *url, const char *first, tby_status *status, char error[TBY_DB_ERROR_SIZE])
{
    pg *p = calloc(1, sizeof *p);
    if (!p) {
        *status = TBY_NO_MEMORY;
        snprintf(error, TBY_DB_ERROR_SIZE, "out of memory");
        return NULL;
    }
    p->looks_up = true;
    if (load_library(p) && check_address(p, url) && connect(p, url) && pg_run(p, first))
        return p;
    *status = p->base.status;
    snprintf(error, TBY_DB_ERROR_SIZE, "%s", p->base.error);
    pg_close(p);
    return NULL;
}

bool pg_is_alive(pg *p)
{
    struct pollfd ready = {pq.socket(p->to), POLLIN, 0};
    while (pq.status(p->to) == CONNECTION_OK && poll(&ready, 1, 0) > 0)
        if (!pq.consumeInput(p->to))
            break;
    return pq.status(p->to) == CONNECTION_OK;
}

/* ---- Options ---------------------------------------------------------------------------------------------------- */

/* name='value' */
static void put_option(buffer *out, const char *name, const char *value)
{
    buffer_printf(out, "%s%s='", out->n ? " " : "", name);
    for (; value && *value; value++) {
        if (*value == '\'' || *value == '\\')
            buffer_string(out, "\\");
        buffer_add(out, value, 1);
    }
    buffer_string(out, "'");
}

/* Options that are neither of those that libpq answers itself, nor of this connection alone. */
static bool is_other_option(const char *name)
{
    static const char *const known[] = {
        "host",    "port", "dbname", "user", "password", "options", "service", "client_encoding", "application_name",
        "passfile"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i], name) == 0)
            return false;
    return true;
}

bool pg_write_options(pg *p, const char *url, buffer *out)
{
    char *error = NULL;
    PQconninfoOption *options = pq.conninfoParse(url, &error);
    put_option(out, "host", pq.host(p->to));
    put_option(out, "port", pq.port(p->to));
    put_option(out, "dbname", pq.db(p->to));
    for (PQconninfoOption *o = options; o && o->keyword; o++) {
        if (o->val && is_other_option(o->keyword))
            put_option(out, o->keyword, o->val);
        if (o->val && strcmp(o->keyword, "password") == 0) /* one from elsewhere is not told to others */
            put_option(out, "password", o->val);
    }
    put_option(out, "user", pq.user(p->to));
    if (options)
        pq.conninfoFree(options);
    const bool is_good = options || pg_fail(p, "%s", error ? error : "out of memory");
    pq.freemem(error);
    return is_good && (!out->has_failed || db_fail_memory(&p->base));
}

#endif
