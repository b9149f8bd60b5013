/*
 * connection.c - a connection to PostgreSQL through libpq.
 *
 * The library is loaded when a server is first used, so that the program also runs without it. Results are read row by
 * row in binary form; while the server works, the progress bar moves.
 */
#include "store/postgres/connection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Values ----------------------------------------------------------------------------------------------------- */

size_t pg_value_of(pg_values *v, const char *s, size_t n)
{
    buffer_add(&v->texts, s, n);
    buffer_add(&v->texts, "", 1);
    return ++v->n;
}

size_t pg_value(pg_values *v, const char *text) { return pg_value_of(v, text, strlen(text)); }

size_t pg_value_take(pg_values *v, buffer *text)
{
    const size_t number = pg_value_of(v, text->s, text->n);
    v->texts.has_failed |= text->has_failed;
    buffer_free(text);
    return number;
}

void pg_values_free(pg_values *v)
{
    buffer_free(&v->texts);
    v->n = 0;
}

#ifndef TABIYA_LIBPQ

/* Built without libpq: this is the only file of the folder that is compiled. */

static tby_status refuse(tby_failure *failure)
{
    failure_clear(failure);
    failure_keep(failure, TBY_IO_ERROR, "this program was built without PostgreSQL support; rebuild it with libpq");
    return TBY_IO_ERROR;
}

tby_db *postgres_open(const char *url, tby_db_mode mode, tby_failure *failure)
{
    (void)url;
    (void)mode;
    refuse(failure);
    return NULL;
}

/* Nobody knows here what is a password. */
bool postgres_is_harmless(const char *url, const char *shown)
{
    (void)url, (void)shown;
    return false;
}

bool postgres_put_pairs(const char *pairs, buffer *out)
{
    (void)pairs, (void)out;
    return false;
}

tby_status tby_cluster_init(const char *coordinator, const char *const *workers, size_t n, int n_shards, tby_sink print,
                            void *context, tby_failure *failure)
{
    (void)coordinator, (void)workers, (void)n, (void)n_shards, (void)print, (void)context;
    return refuse(failure);
}

tby_status tby_cluster_add(const char *coordinator, const char *worker, tby_failure *failure)
{
    (void)coordinator, (void)worker;
    return refuse(failure);
}

tby_status tby_cluster_rebalance(const char *coordinator, tby_failure *failure)
{
    (void)coordinator;
    return refuse(failure);
}

tby_status tby_cluster_status(const char *coordinator, tby_cluster_visit visit, void *context, tby_failure *failure)
{
    (void)coordinator, (void)visit, (void)context;
    return refuse(failure);
}

#else

#include "os/library.h"
#include "os/threads.h"
#include "os/wait.h"

#include <libpq-fe.h>

/* ---- The library ------------------------------------------------------------------------------------------------ */

/* The file name includes the ABI version, which must match the header. */
#define LIBRARY OS_LIBRARY_NAME("libpq", "5")

#define FUNCTIONS(X)                                                                                                   \
    X(cancel)                                                                                                          \
    X(clear)                                                                                                           \
    X(connectdbParams)                                                                                                 \
    X(conninfoFree)                                                                                                    \
    X(conninfoParse)                                                                                                   \
    X(consumeInput)                                                                                                    \
    X(errorMessage)                                                                                                    \
    X(fformat)                                                                                                         \
    X(finish)                                                                                                          \
    X(freeCancel)                                                                                                      \
    X(freemem)                                                                                                         \
    X(getCancel)                                                                                                       \
    X(getResult)                                                                                                       \
    X(getisnull)                                                                                                       \
    X(getlength)                                                                                                       \
    X(getvalue)                                                                                                        \
    X(isBusy)                                                                                                          \
    X(ntuples)                                                                                                         \
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
    X(transactionStatus)

static struct {
#define DECLARE(name) __typeof__(PQ##name) *name;
    FUNCTIONS(DECLARE)
} pq;

static char load_error[TBY_FAILURE_SIZE]; /* empty: the functions are loaded */

static void load_functions(void)
{
    void *library = os_library_open(LIBRARY);
    bool is_good = library != NULL;
#define ENTRY(name) {"PQ" #name, &pq.name},
    static const struct {
        const char *name;
        void *place; /* of its pointer */
    } list[] = {FUNCTIONS(ENTRY)};
    for (size_t i = 0; is_good && i < sizeof list / sizeof *list; i++) {
        void *function = os_library_find(library, list[i].name);
        memcpy(list[i].place, &function, sizeof function);
        is_good = function != NULL;
    }
    if (!is_good)
        os_library_error(load_error, sizeof load_error);
}

/* Several threads may open connections. */
static bool is_loaded(void)
{
    static os_once once = OS_ONCE_INIT;
    os_once_call(&once, load_functions);
    return load_error[0] == '\0';
}

static bool load_library(connection *c) { return is_loaded() || pg_fail(c, "%s", load_error); }

/* ---- Errors ----------------------------------------------------------------------------------------------------- */

/* Joins the lines of the message. */
static bool fail_lines(connection *c, const char *text)
{
    size_t n = 0;
    for (; *text && n < sizeof c->base.failure.text - 1; text++) {
        const bool is_blank = *text == '\n' || *text == '\t' || *text == ' ';
        if (!is_blank)
            c->base.failure.text[n++] = *text;
        else if (n && c->base.failure.text[n - 1] != ' ')
            c->base.failure.text[n++] = ' ';
    }
    n -= n && c->base.failure.text[n - 1] == ' ';
    c->base.failure.text[n] = '\0';
    c->base.failure.status = TBY_IO_ERROR;
    return false;
}

static bool fail_connection(connection *c) { return fail_lines(c, pq.errorMessage(c->libpq)); }

/* The worker on which a statement of a Citus coordinator failed, up to the end of the line; NULL: on none. */
static const char *worker_of(const PGresult *r)
{
    static const char before[] = "while executing command on ";
    const char *context = pq.resultErrorField(r, PG_DIAG_CONTEXT);
    const char *place = context ? strstr(context, before) : NULL;
    return place ? place + strlen(before) : NULL;
}

/* The server's message; a lost connection has none. */
static bool fail_result(connection *c, const PGresult *r)
{
    const char *text = pq.resultErrorField(r, PG_DIAG_MESSAGE_PRIMARY), *worker = worker_of(r);
    const char *detail = pq.resultErrorField(r, PG_DIAG_MESSAGE_DETAIL);
    const char *more = detail ? detail : pq.resultErrorField(r, PG_DIAG_MESSAGE_HINT);
    if (!text)
        return fail_connection(c);
    if (worker)
        pg_fail(c, "worker %.*s: %.400s", (int)strcspn(worker, "\n"), worker, text);
    else
        pg_fail(c, more ? "%.250s (%.200s)" : "%.500s", text, more);
    return fail_lines(c, c->base.failure.text);
}

/* ---- Waiting ---------------------------------------------------------------------------------------------------- */

static void cancel(connection *c)
{
    char error[256];
    PGcancel *request = pq.getCancel(c->libpq);
    if (request)
        pq.cancel(request, error, sizeof error);
    pq.freeCancel(request);
}

/* NULL after the last. */
static PGresult *next_result(connection *c)
{
    bool is_cancelled = false;
    while (pq.isBusy(c->libpq)) {
        os_wait_for_bytes(pq.socket(c->libpq), 50);
        if (c->looks_up && !db_goes_on(&c->base) && !is_cancelled) {
            cancel(c);
            is_cancelled = true;
        }
        if (!pq.consumeInput(c->libpq))
            break;
    }
    return pq.getResult(c->libpq);
}

/* ---- Statements ------------------------------------------------------------------------------------------------- */

/* Reads all results, which must be successful. */
static bool take_results(connection *c)
{
    bool is_good = true;
    for (PGresult *r; (r = next_result(c)) != NULL; pq.clear(r)) {
        const ExecStatusType status = pq.resultStatus(r);
        if (status == PGRES_COPY_IN) { /* the COPY was not ended: no result follows */
            pq.clear(r);
            return false;
        }
        if (is_good && status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
            is_good = fail_result(c, r);
    }
    return is_good;
}

static void drop_results(connection *c)
{
    for (PGresult *r; (r = next_result(c)) != NULL;)
        pq.clear(r);
}

/* Before a statement: discards pending results, and rolls back a transaction that could not be left before. */
static bool settle(connection *c)
{
    if (c->is_owing)
        drop_results(c);
    c->is_owing = false;
    if (c->is_stuck && !pq.sendQuery(c->libpq, "ROLLBACK"))
        return fail_connection(c);
    if (c->is_stuck)
        drop_results(c);
    c->is_stuck = false;
    return true;
}

static bool start(connection *c, const char *sql)
{
    return settle(c) && (pq.sendQuery(c->libpq, sql) || fail_connection(c));
}

bool pg_run(connection *c, const char *sql) { return start(c, sql) && take_results(c); }

bool pg_run_format(connection *c, const char *format, ...)
{
    char sql[1024];
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(sql, sizeof sql, format, args);
    va_end(args);
    return n < 0 || (size_t)n >= sizeof sql ? pg_fail(c, "a statement is too long") : pg_run(c, sql);
}

void pg_leave(connection *c)
{
    if (!settle(c))
        return;
    c->is_wide = false; /* the transaction's search path is reset */
    c->is_owing = pq.sendQuery(c->libpq, "ROLLBACK");
    c->is_stuck = !c->is_owing;
}

void pg_roll_back(connection *c)
{
    pg_leave(c);
    settle(c);
}

bool pg_end(connection *c, bool is_good)
{
    if (is_good && pg_run(c, "COMMIT"))
        return true;
    const tby_failure failure = c->base.failure;
    pg_roll_back(c);
    c->base.failure = failure;
    return false;
}

static bool prepare(connection *c, const char *name, const char *sql)
{
    return settle(c) && (pq.sendPrepare(c->libpq, name, sql, 0, NULL) ? take_results(c) : fail_connection(c));
}

bool pg_check(connection *c, const char *sql) { return prepare(c, "", sql); }

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

/* Uses the prepared statement `name` if there is one. */
static bool send(connection *c, const char *name, const char *sql, const pg_values *v)
{
    const size_t n = v ? v->n : 0;
    const char **texts = calloc(n + 1, sizeof *texts), *text = v ? v->texts.s : NULL;
    c->has_failed = true;
    if (!sql || !texts || (v && v->texts.has_failed)) {
        free(texts);
        return db_fail_memory(&c->base);
    }
    for (size_t i = 0; i < n; i++, text += strlen(text) + 1)
        texts[i] = text;
    const bool is_settled = settle(c);
    const bool is_sent = is_settled && (name ? pq.sendQueryPrepared(c->libpq, name, (int)n, texts, NULL, NULL, 1)
                                             : pq.sendQueryParams(c->libpq, sql, (int)n, NULL, texts, NULL, NULL, 1));
    free(texts);
    c->has_failed = !is_sent;
    return is_sent || (is_settled && fail_connection(c));
}

bool pg_send(connection *c, const char *sql, const pg_values *v)
{
    if (!send(c, NULL, sql, v))
        return false;
    pq.setSingleRowMode(c->libpq);
    return true;
}

bool pg_send_often(connection *c, pg_often which, const char *sql, const pg_values *v)
{
    char name[16];
    c->has_failed = true;
    if (!sql)
        return db_fail_memory(&c->base);
    snprintf(name, sizeof name, "often_%d", (int)which);
    if (c->often[which] == PG_UNKNOWN) {
        c->often[which] = PG_SENT_ONCE;
        return send(c, NULL, sql, v);
    }
    if (c->often[which] == PG_SENT_ONCE) {
        if (!prepare(c, name, sql))
            return false;
        c->often[which] = PG_KNOWN;
    }
    return send(c, name, sql, v);
}

bool pg_send_several(connection *c, const char *statements)
{
    c->has_failed = !start(c, statements);
    return !c->has_failed;
}

static void drop_row(connection *c)
{
    if (c->row)
        pq.clear(c->row);
    c->row = NULL;
    c->at = 0;
}

bool pg_next(connection *c)
{
    if (c->has_failed)
        return false;
    if (c->row && ++c->at < pq.ntuples(c->row))
        return true;
    drop_row(c);
    for (PGresult *r; (r = next_result(c)) != NULL; pq.clear(r)) {
        const ExecStatusType status = pq.resultStatus(r);
        if ((status == PGRES_SINGLE_TUPLE || status == PGRES_TUPLES_OK) && pq.ntuples(r) > 0) {
            c->row = r;
            return true;
        }
        if (!c->has_failed && status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
            c->has_failed = !fail_result(c, r);
    }
    return false;
}

/* Discards results for a short time; false if that is not enough. */
static bool is_soon_over(connection *c)
{
    enum { PATIENCE = 20 }; /* milliseconds */
    for (;;) {
        if (pq.isBusy(c->libpq)) {
            if (os_wait_for_bytes(pq.socket(c->libpq), PATIENCE) <= 0)
                return false;
            if (!pq.consumeInput(c->libpq))
                return true;
            continue;
        }
        PGresult *r = pq.getResult(c->libpq);
        if (!r)
            return true;
        pq.clear(r);
    }
}

void pg_stop(connection *c, bool has_many)
{
    if (pq.transactionStatus(c->libpq) == PQTRANS_ACTIVE && (has_many || !is_soon_over(c)))
        cancel(c);
    drop_row(c);
    drop_results(c);
}

bool pg_count(connection *c, int64_t *n_rows)
{
    int64_t n = 0;
    while (pg_next(c))
        n++;
    if (n_rows)
        *n_rows += n;
    return pg_is_good(c);
}

bool pg_query(connection *c, const char *sql, const pg_values *v, int64_t *n_rows)
{
    return pg_send(c, sql, v) && pg_count(c, n_rows);
}

bool pg_texts(connection *c, buffer *out)
{
    while (pg_next(c)) {
        const tby_text text = pg_text(c, 0);
        buffer_add(out, text.s ? text.s : "", text.n);
    }
    return pg_is_good(c) && (!out->has_failed || db_fail_memory(&c->base));
}

bool pg_number_of(connection *c, const char *sql, int64_t otherwise, int64_t *out)
{
    *out = otherwise;
    pg_send(c, sql, NULL);
    while (pg_next(c))
        if (pg_text(c, 0).s)
            *out = pg_number(c, 0);
    return pg_is_good(c);
}

bool pg_is_true(connection *c, const char *sql, bool *out)
{
    int64_t number;
    const bool is_good = pg_number_of(c, sql, 0, &number);
    *out = number != 0;
    return is_good;
}

tby_text pg_text(const connection *c, int at)
{
    if (pq.getisnull(c->row, c->at, at))
        return (tby_text){NULL, 0};
    return (tby_text){pq.getvalue(c->row, c->at, at), (size_t)pq.getlength(c->row, c->at, at)};
}

/* Integers of any size, in binary form or as text; 0 for NULL. */
int64_t pg_number(const connection *c, int at)
{
    const tby_text bytes = pg_text(c, at);
    if (!bytes.s)
        return 0;
    if (pq.fformat(c->row, at) == 0)
        return strtoll(bytes.s, NULL, 10);
    uint64_t number = bytes.n && (bytes.s[0] & 0x80) ? UINT64_MAX : 0;
    for (size_t i = 0; i < bytes.n; i++)
        number = number << 8 | (unsigned char)bytes.s[i];
    return (int64_t)number;
}

/* ---- Copying ---------------------------------------------------------------------------------------------------- */

/* The server must accept it. */
bool pg_copy_begin(connection *c, const char *sql)
{
    static const char head[] = "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0"; /* including the NUL */
    buffer_clear(&c->out);
    buffer_add(&c->out, head, sizeof head);
    if (!start(c, sql))
        return false;
    PGresult *r = next_result(c);
    const bool is_good = pq.resultStatus(r) == PGRES_COPY_IN || fail_result(c, r);
    pq.clear(r);
    if (!is_good)
        drop_results(c);
    return is_good;
}

bool pg_copy_flush(connection *c)
{
    if (c->out.has_failed)
        return db_fail_memory(&c->base);
    const bool is_good = pq.putCopyData(c->libpq, c->out.s, (int)c->out.n) == 1;
    c->out.n = 0;
    return is_good || fail_connection(c);
}

/* Ends the COPY, or cancels it. If the server has failed, the reason is in its result. */
bool pg_copy_end(connection *c, bool is_good)
{
    buffer_add(&c->out, "\377\377", 2);
    is_good = is_good && pg_copy_flush(c);
    const bool is_ended = pq.putCopyEnd(c->libpq, is_good ? NULL : "not all could be sent") == 1 || fail_connection(c);
    is_good = take_results(c) && is_ended && is_good;
    return c->out.has_failed ? db_fail_memory(&c->base) : is_good;
}

/* ---- Opening ---------------------------------------------------------------------------------------------------- */

static void ignore_notice(void *context, const char *text)
{
    (void)context;
    (void)text;
}

/* The options in a URL, to be freed with conninfoFree; NULL on failure, with libpq's message. */
static PQconninfoOption *parse_options(connection *c, const char *url)
{
    char *error = NULL;
    PQconninfoOption *options = pq.conninfoParse(url, &error);
    if (!options)
        pg_fail(c, "%s", error ? error : "out of memory");
    pq.freemem(error);
    return options;
}

/* NULL if the option is not given. */
static const char *option_of(const PQconninfoOption *options, const char *name)
{
    for (const PQconninfoOption *o = options; o && o->keyword; o++)
        if (strcmp(o->keyword, name) == 0)
            return o->val;
    return NULL;
}

/* libpq's message quotes the unreadable part of an address, which may be part of the password: after an @ or / in it,
   libpq takes the rest for the port. */
static bool check_address(connection *c, const char *url)
{
    PQconninfoOption *options = parse_options(c, url);
    const char *host = option_of(options, "host"), *port = option_of(options, "port");
    const bool is_good = options && (!host || !strchr(host, '@')) &&
                         (!port || port[strspn(port, "0123456789,")] == '\0');
    pq.conninfoFree(options);
    return is_good || pg_fail(c, "not a valid address of a server: postgresql://USER@HOST/NAME; in a password, write "
                                 "%%40 for an at sign, %%3A for "
                                 "a colon, %%2F for a "
                                 "slash, %%3F for a question mark and %%25 for a percent sign");
}

static bool connect(connection *c, const char *url)
{
    const char *const names[] = {"dbname", "client_encoding", "fallback_application_name", NULL};
    const char *const values[] = {url, "UTF8", "tabiya", NULL};
    c->libpq = pq.connectdbParams(names, values, 1);
    if (!c->libpq)
        return db_fail_memory(&c->base);
    if (pq.status(c->libpq) != CONNECTION_OK)
        return fail_connection(c);
    pq.setNoticeProcessor(c->libpq, ignore_notice, NULL);
    return true;
}

void pg_disconnect(connection *c)
{
    drop_row(c);
    if (c->libpq)
        pq.finish(c->libpq);
    c->libpq = NULL;
    buffer_free(&c->out);
}

bool pg_connect(connection *c, const char *url, const char *first)
{
    c->looks_up = true;
    return load_library(c) && check_address(c, url) && connect(c, url) && pg_run(c, first);
}

bool pg_is_alive(connection *c)
{
    while (pq.status(c->libpq) == CONNECTION_OK && os_wait_for_bytes(pq.socket(c->libpq), 0) > 0)
        if (!pq.consumeInput(c->libpq))
            break;
    return pq.status(c->libpq) == CONNECTION_OK;
}

void pg_put_literal(buffer *out, const char *text)
{
    buffer_string(out, "'");
    for (; *text; text++)
        buffer_add(out, *text == '\'' ? "''" : text, *text == '\'' ? 2 : 1);
    buffer_string(out, "'");
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

/* libpq marks passwords so. */
static bool is_secret(const PQconninfoOption *o) { return o->dispchar[0] == '*'; }

bool postgres_is_harmless(const char *url, const char *shown)
{
    bool is_harmless = is_loaded();
    PQconninfoOption *options = is_harmless ? pq.conninfoParse(url, NULL) : NULL;
    for (const PQconninfoOption *o = options; o && o->keyword; o++)
        if (o->val && *o->val && is_secret(o) && strcmp(o->val, "***") != 0 && strstr(shown, o->val))
            is_harmless = false;
    if (options)
        pq.conninfoFree(options);
    return is_harmless;
}

bool postgres_put_pairs(const char *pairs, buffer *out)
{
    PQconninfoOption *options = is_loaded() ? pq.conninfoParse(pairs, NULL) : NULL;
    for (const PQconninfoOption *o = options; o && o->keyword; o++)
        if (o->val)
            put_option(out, o->keyword, is_secret(o) ? "***" : o->val);
    if (options)
        pq.conninfoFree(options);
    return options != NULL;
}

bool pg_read_address(connection *c, const char *url, pg_address *out)
{
    PQconninfoOption *options = parse_options(c, url);
    const char *host = option_of(options, "host"), *port = option_of(options, "port");
    *out = (pg_address){.port = port ? atoi(port) : 5432};
    snprintf(out->host, sizeof out->host, "%s", host ? host : "");
    pq.conninfoFree(options);
    return options != NULL;
}

#endif
