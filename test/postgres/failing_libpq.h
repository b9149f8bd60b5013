/*
 * failing_libpq.h - libpq with a fault where a test wants one.
 *
 * The program finds libpq's functions with dlsym, and the linker replaces that with the function below
 * (test/CMakeLists.txt). Calls are counted per database, so that the order of threads does not matter.
 */
#ifndef TBY_TEST_FAILING_LIBPQ_H
#define TBY_TEST_FAILING_LIBPQ_H

#include <libpq-fe.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>

typedef enum harm {
    HARM_NONE,
    HARM_REFUSED,  /* a statement is not sent: libpq has no memory */
    HARM_LOST,     /* the connection is lost before a statement */
    HARM_CUT,      /* the same just after it: the server executes it but cannot answer */
    HARM_ERROR,    /* the server returns a syntax error */
    HARM_NULLS,    /* the answer to a statement has NULL in every column */
    HARM_NONSENSE, /* three meaningless bytes */
    HARM_EMPTY,    /* no rows */
    HARM_COPY,     /* copied data cannot be sent, or received */
    HARM_CONNECT,  /* libpq has no memory for a connection */
    N_HARMS
} harm;

static const char *const harm_names[N_HARMS] = {"nothing", "refused",  "lost",  "cut",  "error",
                                                "NULLs",   "nonsense", "empty", "copy", "connect"};

static harm harm_kind;
static const char *harm_database;
static atomic_long harm_left;   /* calls until the one that fails */
static atomic_bool harm_struck; /* that call has been made */
static _Atomic(PGconn *) harm_victim;
static _Atomic(const PGresult *) harm_answer; /* the victim's result, which is replaced */

/* Lets the call after `number` others to the database fail. */
static void harm_set(harm kind, const char *database, long number)
{
    harm_database = database;
    harm_left = number;
    harm_struck = false;
    harm_victim = NULL;
    harm_answer = NULL;
    harm_kind = kind;
}

static bool harm_end(void)
{
    harm_kind = HARM_NONE;
    harm_victim = NULL;
    return harm_struck;
}

static bool strikes(const PGconn *to)
{
    if (!PQdb(to) || strcmp(PQdb(to), harm_database) != 0 || harm_left-- != 0)
        return false;
    harm_struck = true;
    return true;
}

/* ---- Statements ------------------------------------------------------------------------------------------------- */

static bool is_of_statements(harm kind) { return kind >= HARM_REFUSED && kind <= HARM_EMPTY; }

/* Called before a statement: returns whether to send it; may replace it. */
static bool begin_statement(PGconn *to, const char **sql)
{
    if (harm_victim == to)
        harm_victim = NULL;
    if (harm_kind == HARM_ERROR && strcmp(*sql, "ROLLBACK") == 0) /* this must work on every server */
        return true;
    if (!is_of_statements(harm_kind) || !strikes(to))
        return true;
    harm_victim = to;
    if (harm_kind == HARM_LOST)
        shutdown(PQsocket(to), SHUT_RDWR);
    if (harm_kind == HARM_ERROR)
        *sql = "nonsense";
    return harm_kind != HARM_REFUSED;
}

static int end_statement(PGconn *to, int is_sent)
{
    if (harm_kind == HARM_CUT && harm_victim == to)
        shutdown(PQsocket(to), SHUT_RDWR);
    return is_sent;
}

static int failing_sendQuery(PGconn *to, const char *sql)
{
    return begin_statement(to, &sql) ? end_statement(to, PQsendQuery(to, sql)) : 0;
}

static int failing_sendQueryParams(PGconn *to, const char *sql, int n, const Oid *types, const char *const *values,
                                   const int *lengths, const int *formats, int format)
{
    return begin_statement(to, &sql)
               ? end_statement(to, PQsendQueryParams(to, sql, n, types, values, lengths, formats, format))
               : 0;
}

static int failing_sendPrepare(PGconn *to, const char *name, const char *sql, int n, const Oid *types)
{
    return begin_statement(to, &sql) ? end_statement(to, PQsendPrepare(to, name, sql, n, types)) : 0;
}

/* An unknown name makes the server return an error. */
static int failing_sendQueryPrepared(PGconn *to, const char *name, int n, const char *const *values, const int *lengths,
                                     const int *formats, int format)
{
    return begin_statement(to, &name)
               ? end_statement(to, PQsendQueryPrepared(to, name, n, values, lengths, formats, format))
               : 0;
}

static char *failing_errorMessage(const PGconn *to)
{
    static char text[] = "libpq was made\n\tto fail\n";
    return harm_victim == to && (harm_kind == HARM_REFUSED || harm_kind == HARM_COPY) ? text : PQerrorMessage(to);
}

/* ---- Answers ---------------------------------------------------------------------------------------------------- */

static PGresult *failing_getResult(PGconn *to)
{
    PGresult *r = PQgetResult(to);
    if (!r || harm_victim != to)
        return r;
    while (harm_kind == HARM_EMPTY && r && PQresultStatus(r) == PGRES_SINGLE_TUPLE) {
        PQclear(r);
        r = PQgetResult(to);
    }
    harm_answer = r;
    return r;
}

static void failing_clear(PGresult *r)
{
    if (r && harm_answer == r)
        harm_answer = NULL;
    PQclear(r);
}

static int failing_ntuples(const PGresult *r) { return harm_kind == HARM_EMPTY && harm_answer == r ? 0 : PQntuples(r); }

static int failing_getisnull(const PGresult *r, int row, int column)
{
    if (harm_answer == r && (harm_kind == HARM_NULLS || harm_kind == HARM_NONSENSE))
        return harm_kind == HARM_NULLS;
    return PQgetisnull(r, row, column);
}

static char *failing_getvalue(const PGresult *r, int row, int column)
{
    static char nonsense[] = "\377?!";
    return harm_answer == r && harm_kind == HARM_NONSENSE ? nonsense : PQgetvalue(r, row, column);
}

static int failing_getlength(const PGresult *r, int row, int column)
{
    return harm_answer == r && harm_kind == HARM_NONSENSE ? 3 : PQgetlength(r, row, column);
}

/* ---- Copies and connections ------------------------------------------------------------------------------------- */

static bool fails_copy(PGconn *to)
{
    if (harm_kind != HARM_COPY || !strikes(to))
        return false;
    harm_victim = to;
    return true;
}

static int failing_putCopyData(PGconn *to, const char *bytes, int n)
{
    return fails_copy(to) ? -1 : PQputCopyData(to, bytes, n);
}

static int failing_putCopyEnd(PGconn *to, const char *error) { return fails_copy(to) ? -1 : PQputCopyEnd(to, error); }

static int failing_getCopyData(PGconn *from, char **bytes, int is_async)
{
    return fails_copy(from) ? -2 : PQgetCopyData(from, bytes, is_async);
}

/* The first value is the URL or the connection string, which names the database. */
static PGconn *failing_connectdbParams(const char *const *names, const char *const *values, int expand)
{
    if (harm_kind == HARM_CONNECT && strstr(values[0], harm_database) && harm_left-- == 0) {
        harm_struck = true;
        return NULL;
    }
    return PQconnectdbParams(names, values, expand);
}

static PQconninfoOption *failing_conninfoParse(const char *url, char **error)
{
    if (harm_kind == HARM_CONNECT && strstr(url, harm_database) && harm_left-- == 0) {
        harm_struck = true;
        *error = NULL;
        return NULL;
    }
    return PQconninfoParse(url, error);
}

/* ---- The library ------------------------------------------------------------------------------------------------ */

static const char *missing_function; /* pretends to be missing */

void *__real_dlsym(void *library, const char *name);
void *__wrap_dlsym(void *library, const char *name);

static void *function_of_libpq(void *library, const char *name)
{
#define FAILING(name)                                                                                                  \
    {                                                                                                                  \
        "PQ" #name, (void (*)(void))failing_##name                                                                     \
    }
    static const struct {
        const char *name;
        void (*function)(void);
    } ours[] = {FAILING(sendQuery),    FAILING(sendQueryParams), FAILING(sendPrepare),     FAILING(sendQueryPrepared),
                FAILING(errorMessage), FAILING(getResult),       FAILING(clear),           FAILING(ntuples),
                FAILING(getisnull),    FAILING(getvalue),        FAILING(getlength),       FAILING(putCopyData),
                FAILING(putCopyEnd),   FAILING(getCopyData),     FAILING(connectdbParams), FAILING(conninfoParse)};
    void *found = NULL;
    if (missing_function && strcmp(missing_function, name) == 0)
        return __real_dlsym(library, "no such function");
    for (size_t i = 0; i < sizeof ours / sizeof *ours && !found; i++)
        if (strcmp(ours[i].name, name) == 0)
            memcpy(&found, &ours[i].function, sizeof found);
    return found ? found : __real_dlsym(library, name);
}

/* AddressSanitizer calls it too, before it is initialized. */
__attribute__((no_sanitize("address", "undefined"))) void *__wrap_dlsym(void *library, const char *name)
{
    return name[0] == 'P' && name[1] == 'Q' ? function_of_libpq(library, name) : __real_dlsym(library, name);
}

#endif
