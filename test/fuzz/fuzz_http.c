/*
 * fuzz_http.c - any bytes are one request, several, a part of one, or refused; and it makes no difference how they are
 * split.
 *
 * The first byte of the input is the size of the pieces.
 */
#include "support.h"

#include "http_head.h"

enum { MOST = 1 << 12, REQUESTS_MAX = 64 };

/* What a stream of bytes is read as. */
typedef struct story {
    buffer text; /* methods, targets, bodies */
    unsigned status;
} story;

typedef struct reader {
    buffer in, head, body;
    http_head h;
    http_chunks chunks;
    bool in_body;
    int n_requests;
} reader;

static void add_request(story *s, const reader *r)
{
    buffer_printf(&s->text, "%s %s %s %d\n", r->h.method, r->h.target, r->h.host ? r->h.host : "-", r->h.keeps_alive);
    if (r->body.n)
        buffer_add(&s->text, r->body.s, r->body.n);
}

static void forget(reader *r, size_t n)
{
    memmove(r->in.s, r->in.s + n, r->in.n - n);
    r->in.n -= n;
}

/* False if the request is incomplete. */
static bool read_on(story *s, reader *r)
{
    problem p = {0};
    if (r->in.n == 0 && (!r->in_body || r->h.is_chunked || r->h.n_body > r->body.n))
        return false;
    if (!r->in_body) {
        const size_t n = http_head_length(r->in.s, r->in.n, &p);
        require(n <= r->in.n && (n == 0 || p.status == 0));
        if (n) {
            buffer_clear(&r->head);
            buffer_add(&r->head, r->in.s, n);
            forget(r, n);
            const bool is_good = http_head_read(&r->h, r->head.s, n, &p);
            require(is_good == (p.status == 0));
            if (is_good)
                require(*r->h.method && *r->h.target && !(r->h.is_chunked && r->h.n_body));
            r->in_body = true;
            r->chunks = (http_chunks){.left = 0};
            buffer_clear(&r->body);
        }
        s->status = p.status;
        return n && !p.status;
    }
    if (r->h.is_chunked) {
        size_t n = r->in.n;
        bool is_too_large = false;
        const http_chunk read = http_chunks_read(&r->chunks, r->in.s, &n, &r->body, MOST, &is_too_large);
        require(r->body.n <= MOST);
        if (read == HTTP_CHUNK_BAD) {
            s->status = 400;
            return false;
        }
        forget(r, n);
        if (read == HTTP_CHUNK_MORE)
            return false;
    } else {
        if (r->h.n_body > MOST) {
            s->status = 413;
            return false;
        }
        const size_t left = (size_t)r->h.n_body - r->body.n, n = left < r->in.n ? left : r->in.n;
        if (n) {
            buffer_add(&r->body, r->in.s, n);
            forget(r, n);
        }
        if (n < left)
            return false;
    }
    add_request(s, r);
    r->in_body = false;
    return ++r->n_requests < REQUESTS_MAX;
}

static story read_all(const char *data, size_t size, size_t piece)
{
    story s = {.status = 0};
    reader r = {.in_body = false};
    for (size_t at = 0; at < size && s.status == 0 && r.n_requests < REQUESTS_MAX;) {
        const size_t n = size - at < piece ? size - at : piece;
        buffer_add(&r.in, data + at, n);
        at += n;
        while (read_on(&s, &r))
            ;
    }
    buffer_free(&r.in);
    buffer_free(&r.head);
    buffer_free(&r.body);
    return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    const char *text = (const char *)data + 1;
    story whole = read_all(text, size - 1, size), pieces = read_all(text, size - 1, data[0] % 64 + 1);
    require(whole.status == pieces.status && whole.text.n == pieces.text.n);
    require(whole.text.n == 0 || memcmp(whole.text.s, pieces.text.s, whole.text.n) == 0);
    buffer_free(&whole.text);
    buffer_free(&pieces.text);
    return 0;
}
