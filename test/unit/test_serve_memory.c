/*
 * test_serve_memory.c - the server when memory runs out: every allocation of every kind of request fails in turn.
 *
 * The answer is then a clear 503 or 500, or else the right one: never half of it, never another one, never the end of
 * the program. Two ways: one allocation fails, or all from it on.
 */
#include "db_support.h"

#include "server.h"

#include <errno.h>

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

/* ---- An allocator that fails when it is told to ---------------------------------------------------------- */

static struct {
    long left;     /* allocations until the one that fails; negative: none fails */
    bool for_ever; /* and all after it */
    long n_failed;
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

/* The allocation after `left` others fails, in a site that has kept no answer yet. Did one? */
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

static void test_serve_memory__fails_one_request_and_never_answers_half(void **state)
{
    (void)state;
    for (size_t i = 0; OWN_MALLOC && i < sizeof requests / sizeof *requests; i++) {
        site *s = open_site();
        response right = ask(s, i);
        for (int for_ever = 0; for_ever < 2; for_ever++)
            for (long left = 0; fails_well(i, left, for_ever, &right);)
                left += left < 300 ? 1 : left / 20;
        buffer_free(&right.body);
        site_free(s);
    }
}

static void test_serve_memory__says_why_a_site_cannot_be_opened(void **state)
{
    (void)state;
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

/* Not even the text of the error finds memory. */
static void test_serve_memory__has_a_503_that_needs_no_memory(void **state)
{
    response r;
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_serve_memory__fails_one_request_and_never_answers_half),
        cmocka_unit_test(test_serve_memory__says_why_a_site_cannot_be_opened),
        cmocka_unit_test(test_serve_memory__has_a_503_that_needs_no_memory),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
