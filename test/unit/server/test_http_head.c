/*
 * test_http_head.c - the grammar of a request: what is accepted, what is refused, and that splitting it makes no
 * difference.
 */
#include "support.h"

#include "http_head.h"

#define GOOD "GET /api?x=1 HTTP/1.1\r\nHost: localhost\r\n\r\n"

/* The status with which a complete text is refused; 0 if it is accepted. */
static unsigned refused(const char *text, size_t n, http_head *out)
{
    static char copy[HTTP_HEAD_MAX * 2];
    problem p = {0};
    const size_t length = http_head_length(text, n, &p);
    if (p.status)
        return p.status;
    if (length == 0)
        return 1; /* incomplete */
    assert_true(length <= n && n < sizeof copy);
    memcpy(copy, text, length);
    http_head_read(out, copy, length, &p);
    return p.status;
}

TEST(test_http_head__reads_requests)
{
    http_head h;
    assert_int_equal(refused(GOOD, strlen(GOOD), &h), 0);
    assert_string_equal(h.method, "GET");
    assert_string_equal(h.target, "/api?x=1");
    assert_string_equal(h.host, "localhost");
    assert_true(h.keeps_alive);
    assert_false(h.is_chunked);
    assert_null(h.origin);
    static const char more[] =
        "\r\nPOST * HTTP/1.0\r\nhOsT:a \t\r\ncontent-length:  12\r\nConnection: x, Keep-Alive\r\n"
        "Accept-Encoding: gzip\r\nIf-None-Match:\t\"1\"\r\nOrigin: http://b\r\nEmpty:\r\n\r\nrest";
    assert_int_equal(refused(more, strlen(more), &h), 0);
    assert_string_equal(h.host, "a");
    assert_string_equal(h.origin, "http://b");
    assert_string_equal(h.if_none_match, "\"1\"");
    assert_string_equal(h.accept_encoding, "gzip");
    assert_int_equal(h.n_body, 12);
    assert_int_equal(h.n_bytes, strlen(more) - 4);
    assert_true(h.keeps_alive);
    static const char last[] = "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: Chunked\r\n"
                               "Expect: 100-continue\r\n\r\n";
    assert_int_equal(refused(last, strlen(last), &h), 0);
    assert_true(h.is_chunked && h.expects_continue && !h.keeps_alive);
}

/* Two readers, such as a proxy and this server, must not see different requests. */
TEST(test_http_head__refuses_what_can_be_read_in_two_ways)
{
    static const struct {
        const char *text;
        unsigned status;
    } bad[] = {
        {"GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n", 400},
        {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
        {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n", 400},
        {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n", 400},
        {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\n", 400},
        {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\n", 400},
        {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400},
        {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\n", 400},
        {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 18446744073709551617\r\n\r\n", 400},
        {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
        {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501},
        {"POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\n: a\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost\r\n\r\n", 400},
        {"GET / HTTP/1.1\nHost: a\n\n", 400},
        {"GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nX: a\x01"
         "b\r\n\r\n",
         400},
        {"GET / HTTP/1.1\r\nX: a\x7f\r\n\r\n", 400},
        {"GET  / HTTP/1.1\r\n\r\n", 400},
        {"GET / HTTP/1.1 \r\n\r\n", 505},
        {"GET /\tx HTTP/1.1\r\n\r\n", 400},
        {"GET /\xff HTTP/1.1\r\n\r\n", 400},
        {"GET /\r\n\r\n", 400},
        {"GET\r\n\r\n", 400},
        {" GET / HTTP/1.1\r\n\r\n", 400},
        {"G@T / HTTP/1.1\r\n\r\n", 400},
        {"GET / HTTP/9.9\r\n\r\n", 505},
        {"GET / HTTP/1.1\r\nExpect: more\r\n\r\n", 417},
        {"POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n", 400},
        {"GET http://a/ HTTP/1.1\r\n\r\n", 400},
        {"GET http:///x HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"GET https://?x HTTP/1.1\r\nHost: a\r\n\r\n", 400},
    };
    http_head h;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const unsigned status = refused(bad[i].text, strlen(bad[i].text), &h);
        if (status != bad[i].status)
            fail_msg("%s: %u instead of %u", bad[i].text, status, bad[i].status);
    }
    assert_int_equal(refused("GET / HTTP/1.1\r\nX: a\0b\r\n\r\n", 26, &h), 400);
}

/* Such targets were taken for a path that does not exist. */
TEST(test_http_head__accepts_a_target_with_its_host)
{
    static const struct {
        const char *line, *host, *target;
    } good[] = {
        {"GET http://b/api?x=1", "b", "/api?x=1"},
        {"GET HTTP://b:80/", "b:80", "/"},
        {"GET https://[::1]:80/a//b", "[::1]:80", "/a//b"},
        {"GET http://b", "b", "/"},
        {"GET http://b?x=/", "b", "/?x=/"},
        {"OPTIONS http://b:8064", "b:8064", "*"},
        {"OPTIONS *", "a", "*"},
        {"GET file:///etc", "a", "file:///etc"},
        {"GET /http://b/", "a", "/http://b/"},
    };
    char text[200];
    http_head h;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        const int n = snprintf(text, sizeof text, "%s HTTP/1.1\r\nHost: a\r\n\r\n", good[i].line);
        assert_int_equal(refused(text, (size_t)n, &h), 0);
        assert_string_equal(h.host, good[i].host);
        assert_string_equal(h.target, good[i].target);
    }
}

/* Health checks of proxies send such requests. */
TEST(test_http_head__accepts_http_1_0_without_a_host)
{
    static const char text[] = "GET /api HTTP/1.0\r\n\r\n";
    http_head h;
    assert_int_equal(refused(text, strlen(text), &h), 0);
    assert_null(h.host);
}

TEST(test_http_head__has_limits)
{
    buffer text = {0};
    http_head h;
    buffer_string(&text, "GET /");
    while (text.n < HTTP_HEAD_MAX + 10)
        buffer_string(&text, "a");
    assert_int_equal(refused(text.s, text.n, &h), 414);
    buffer_clear(&text);
    buffer_string(&text, "GET / HTTP/1.1\r\nX: ");
    while (text.n < HTTP_HEAD_MAX + 10)
        buffer_string(&text, "a");
    assert_int_equal(refused(text.s, text.n, &h), 431);
    buffer_clear(&text);
    buffer_string(&text, "GET / HTTP/1.1\r\n");
    for (int i = 0; i <= HTTP_HEADERS_MAX; i++)
        buffer_string(&text, "X: y\r\n");
    buffer_string(&text, "\r\n");
    assert_int_equal(refused(text.s, text.n, &h), 431);
    buffer_free(&text);
}

TEST(test_http_head__waits_for_the_end)
{
    http_head h;
    for (size_t n = 0; n < strlen(GOOD); n++)
        assert_int_equal(refused(GOOD, n, &h), 1);
}

/* The body of a chunked text, passed piece by piece; NULL if it is refused or incomplete. */
static bool read_chunks(const char *text, size_t piece, buffer *out, size_t *n_taken)
{
    http_chunks c = {.left = 0};
    const size_t n = strlen(text);
    *n_taken = 0;
    buffer_clear(out);
    for (size_t at = 0; at < n;) {
        size_t taken = n - at < piece ? n - at : piece;
        bool is_too_large = false;
        const http_chunk read = http_chunks_read(&c, text + at, &taken, out, 100, &is_too_large);
        if (read == HTTP_CHUNK_BAD)
            return false;
        at += taken;
        *n_taken = at;
        if (read == HTTP_CHUNK_END)
            return true;
        assert_true(taken > 0);
    }
    return false;
}

TEST(test_http_head__joins_chunks)
{
    static const char text[] = "4\r\nWiki\r\n5;x=y\r\npedia\r\nA\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\nnext";
    static const char *const bad[] = {"x\r\n",         "4\r\nWikix\r\n",         "\r\n",   "4\nWiki\r\n", "4\r\nWiki\n",
                                      "-1\r\n",        "ffffffffffffffffff\r\n", "65\r\n", "0\r\nx\n",    "0\r\n\r\x01",
                                      "4 \r\nWiki\r\n"};
    buffer body = {0};
    size_t n;
    for (size_t piece = 1; piece < sizeof text; piece++) {
        assert_true(read_chunks(text, piece, &body, &n));
        assert_int_equal(n, strlen(text) - strlen("next"));
        assert_int_equal(body.n, 19);
        assert_memory_equal(body.s, "Wikipedia0123456789", 19);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        for (size_t piece = 1; piece < 40; piece++)
            if (read_chunks(bad[i], piece, &body, &n))
                fail_msg("%s is taken", bad[i]);
    buffer_free(&body);
}

int main(void) { return tests_run(NULL, NULL); }
