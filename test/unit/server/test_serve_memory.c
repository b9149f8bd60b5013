/*
 * test_serve_memory.c - the server when memory runs out: every allocation of every kind of request fails in turn.
 *
 * The answer must be a clear 503 or 500, or the right one: never half of it, never a wrong one, and the program must
 * not exit. Each is tried in two ways: one allocation fails, or all from that one on.
 */
#include "db_support.h"

#include "server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/time.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#define OWN_MALLOC 0
#else
#define OWN_MALLOC 1
#endif
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
#undef OWN_MALLOC
#define OWN_MALLOC 0
#endif
#endif

/* ---- An allocator that fails on request -------------------------------------------------------------- */

static struct {
    atomic_long left;     /* allocations until the one that fails; negative: none fails */
    atomic_bool for_ever; /* all later ones fail too */
    atomic_long n_failed;
} plan = {.left = -1};

#if OWN_MALLOC
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);

static bool must_fail(void)
{
    if (plan.left < 0 || plan.left-- > 0)
        return false;
    plan.left = plan.for_ever ? 0 : -1;
    plan.n_failed++;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t n) { return must_fail() ? NULL : __libc_malloc(n); }
void *calloc(size_t n, size_t size) { return must_fail() ? NULL : __libc_calloc(n, size); }
void *realloc(void *p, size_t n) { return must_fail() ? NULL : __libc_realloc(p, n); }
#endif

/* ---- Requests -------------------------------------------------------------------------------------------- */

enum { GAMES = 60 };

static const struct {
    const char *target, *body;
} requests[] = {
    {"/api", NULL},
    {"/api/notations", NULL},
    {"/api/status", NULL},
    {"/api/status?fen=x", NULL},
    {"/api/convert?text=1.+e4+e5", NULL},
    {"/api/convert?text=1.+e4+{good}+(1.+d4)+e5&lossy=1", NULL},
    {"/api/convert?to=pgn,json,fen,san,cmbr", "[Event \"?\"]\n\n1. e4 {good} (1. d4) e5 2. Qh6 *\n\n1. e4 e5 *\n"},
    {"/api/convert", "{\"text\":\"1. e4\"}"},
    {"/api/info", NULL},
    {"/api/explore", NULL},
    {"/api/explore?moves=1.+e4+e9", NULL},
    {"/api/find?limit=5", NULL},
    {"/api/find?player=Brown*", NULL},
    {"/api/find?player=*a*&eco=A*&event=*&elo=1..&date=1800..&opening=e4&result=1-0", NULL},
    {"/api/find?eco=A00..B99&count=1", NULL},
    {"/lichess?speeds=blitz,rapid&ratings=2000", NULL},
    {"/player?player=Adams,+Anna&color=black", NULL},
    {"/api/find?fen=startpos&limit=3", NULL},
    {"/api/find?elo=high", NULL},
    {"/api/game?id=3", NULL},
    {"/api/game?id=3&to=json", NULL},
    {"/api/game?id=3&to=cmbr", NULL},
    {"/api/game?id=1000000", NULL},
};

static response ask(site *s, size_t which)
{
    const char *body = requests[which].body;
    const request r = {
        .method = body ? "POST" : "GET",
        .target = requests[which].target,
        .host = "localhost",
        .body = body,
        .n_body = body ? strlen(body) : 0,
    };
    response out;
    site_answer(s, &r, &out);
    return out;
}

static site *open_site(void)
{
    problem p = {0};
    site *s = site_new(&(site_options){.database = db_path("serve-memory")}, &p);
    if (!s)
        fail_msg("%s", p.text);
    return s;
}

static bool is_same(const response *a, const response *b)
{
    return a->status == b->status && a->body.n == b->body.n &&
           (a->body.n == 0 || memcmp(a->body.s, b->body.s, a->body.n) == 0);
}

static bool is_clear_failure(const response *r)
{
    const char *text = r->fixed ? r->fixed : r->body.s;
    return (r->status == 503 || r->status == 500) && text && strncmp(text, "{\"error\":\"", 10) == 0 && text[10] != '"';
}

/* Lets the allocation after `left` others fail, in a site with an empty cache. Returns whether one failed. */
static bool fails_well(size_t which, long left, bool for_ever, const response *right)
{
    site *s = open_site();
    plan.n_failed = 0;
    plan.for_ever = for_ever;
    plan.left = left;
    response r = ask(s, which);
    plan.left = -1;
    if (!is_same(&r, right) && !is_clear_failure(&r))
        fail_msg("%s, allocation %ld: %u %.*s", requests[which].target, left, r.status, (int)r.body.n, r.body.s);
    buffer_free(&r.body);
    r = ask(s, which);
    if (!is_same(&r, right))
        fail_msg("%s, behind allocation %ld: %u %.*s", requests[which].target, left, r.status, (int)r.body.n, r.body.s);
    buffer_free(&r.body);
    site_free(s);
    return plan.n_failed > 0;
}

TEST(test_serve_memory__fails_one_request_and_never_answers_half)
{
    for (size_t i = 0; OWN_MALLOC && i < sizeof requests / sizeof *requests; i++) {
        site *s = open_site();
        response right = ask(s, i);
        for (int for_ever = 0; for_ever < 2; for_ever++)
            for (long left = 0; fails_well(i, left, for_ever, &right);)
                left += left < 300 || getenv("TABIYA_EVERY_ALLOCATION") ? 1 : left / 20;
        buffer_free(&right.body);
        site_free(s);
    }
}

TEST(test_serve_memory__says_why_a_site_cannot_be_opened)
{
    for (long left = 0; OWN_MALLOC; left++) {
        problem p = {0};
        plan.n_failed = 0;
        plan.for_ever = true;
        plan.left = left;
        site *s = site_new(&(site_options){.database = db_path("serve-memory")}, &p);
        plan.left = -1;
        assert_true(s || (p.status && p.text[0]));
        site_free(s);
        if (plan.n_failed == 0)
            break;
    }
}

/* Not even the text of the error can be allocated. */
TEST(test_serve_memory__has_a_503_that_needs_no_memory)
{
    response r;
    if (!OWN_MALLOC)
        skip();
    problem p = {0};
    site *s = site_new(&(site_options){.database = NULL}, &p);
    assert_non_null(s);
    plan.for_ever = true;
    plan.left = 0;
    site_answer(s, &(request){.method = "GET", .host = "localhost", .target = "/api/notations"}, &r);
    plan.left = -1;
    assert_int_equal(r.status, 503);
    assert_string_equal(r.fixed, "{\"error\":\"out of memory\"}\n");
    assert_int_equal(r.body.n, 0);
    bool has_retry = false;
    for (size_t i = 0; i < r.n_headers; i++)
        has_retry |= strcmp(r.headers[i].name, "Retry-After") == 0;
    assert_true(has_retry);
    buffer_free(&r.body);
    site_free(s);
}

/* ---- Over sockets ---------------------------------------------------------------------------------------- */

static atomic_uint port;

static void note_started(const char *url, bool is_open)
{
    (void)is_open;
    port = (unsigned)strtoul(strrchr(url, ':') + 1, NULL, 10);
}

static void *serve(void *context)
{
    problem p = {0};
    const server_options o = {
        .site = {.database = db_path("serve-memory")}, .address = "127.0.0.1", .port = 0, .seconds = 10};
    (void)context;
    if (!server_run(&o, note_started, &p))
        fprintf(stderr, "%s\n", p.text);
    return NULL;
}

/* What a connection received; allocated before memory runs out. */
typedef struct heard {
    size_t n;
    char bytes[1 << 18];
} heard;

/* Sends the two halves one after the other, and receives until the server closes. */
static void talk(heard *out, const char *text)
{
    const struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const struct timeval patience = {.tv_sec = 20};
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    const size_t n = strlen(text), half = n / 2;
    out->n = 0;
    assert_true(fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) == 0);
    assert_int_equal(connect(fd, (const struct sockaddr *)&to, sizeof to), 0);
    send(fd, text, half, MSG_NOSIGNAL);
    send(fd, text + half, n - half, MSG_NOSIGNAL);
    ssize_t got;
    while ((got = recv(fd, out->bytes + out->n, sizeof out->bytes - 1 - out->n, 0)) > 0)
        out->n += (size_t)got;
    if (got < 0 && errno != ECONNRESET)
        fail_msg("no answer: %s", strerror(errno));
    out->bytes[out->n] = '\0';
    close(fd);
}

/* The body if it is complete; NULL otherwise. */
static const char *whole_body(const heard *h)
{
    const char *end = strstr(h->bytes, "\r\n\r\n"), *length = strstr(h->bytes, "Content-Length: ");
    if (!end || !length || length > end)
        return NULL;
    return strtoul(length + 16, NULL, 10) == h->n - (size_t)(end + 4 - h->bytes) ? end + 4 : NULL;
}

/* The right answer, a clear failure, or none at all because there was no connection. */
static bool is_answer(const heard *got, const heard *right)
{
    const char *body = whole_body(got);
    if (got->n == 0)
        return true;
    if (!body)
        return false;
    if (strncmp(got->bytes, "HTTP/1.1 503 ", 13) == 0 || strncmp(got->bytes, "HTTP/1.1 500 ", 13) == 0)
        return strncmp(body, "{\"error\":\"", 10) == 0 && body[10] != '"';
    return strncmp(got->bytes, right->bytes, 13) == 0 && strcmp(body, whole_body(right)) == 0;
}

static void try_talk(const char *text, const heard *right, bool for_ever)
{
    static heard got;
    plan.n_failed = 1;
    for (long left = 0; plan.n_failed; left++) {
        plan.n_failed = 0;
        plan.for_ever = for_ever;
        plan.left = left;
        talk(&got, text);
        plan.left = -1;
        if (!is_answer(&got, right))
            fail_msg("%.40s, allocation %ld: %s", text, left, got.bytes);
        talk(&got, text);
        if (got.n == 0 || strncmp(got.bytes, right->bytes, 13) != 0 || strcmp(whole_body(&got), whole_body(right)) != 0)
            fail_msg("%.40s, behind allocation %ld: %s", text, left, got.bytes);
    }
}

TEST(test_serve_memory__a_connection_is_answered_rightly_or_not_at_all)
{
#define HEAD " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    static const char *const texts[] = {
        "GET /api/status" HEAD "\r\n",
        "GET /api/find?player=Brown*" HEAD "\r\n",
        "POST /api/convert?to=san" HEAD "Content-Length: 14\r\n\r\n1. e4 e5 2. f4",
        "POST /api/convert?to=san" HEAD "Transfer-Encoding: chunked\r\n\r\n5\r\n1. e4\r\n9\r\n e5 2. f4\r\n0\r\n\r\n",
        "GET /nowhere" HEAD "\r\n",
        "nonsense\r\n\r\n",
    };
    static heard right;
    pthread_t thread;
    if (!OWN_MALLOC)
        skip();
    assert_int_equal(pthread_create(&thread, NULL, serve, NULL), 0);
    for (int i = 0; i < 1000 && port == 0; i++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    assert_true(port != 0);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        talk(&right, texts[i]);
        assert_non_null(whole_body(&right));
        try_talk(texts[i], &right, false);
        try_talk(texts[i], &right, true);
    }
    raise(SIGTERM);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

static int set_up(void **state)
{
    tby_game *made[GAMES];
    (void)state;
    db_remove(db_path("serve-memory"));
    tby_db *db = db_open(db_path("serve-memory"), TBY_DB_CREATE);
    for (unsigned i = 0; i < GAMES; i++)
        made[i] = db_game(i + 1);
    db_add(db, made, GAMES, TBY_DUPLICATES_KEEP);
    for (unsigned i = 0; i < GAMES; i++)
        tby_game_free(made[i]);
    tby_db_close(db);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    db_remove(db_path("serve-memory"));
    return 0;
}

int main(void) { return tests_run(set_up, tear_down); }
