/*
 * http_read.c - turns the bytes of a connection into requests, and passes them to the workers.
 */
#include "http.h"

#include <errno.h>
#include <string.h>

enum { RECEIVE_SIZE = 1 << 14 };

/* ---- Receiving -------------------------------------------------------------------------------------------------- */

static void forget_received(connection *c, size_t n)
{
    memmove(c->in.s, c->in.s + n, c->in.n - n);
    c->in.n -= n;
}

/* Does the client of a heavy request already have as many others as allowed, waiting, in progress or as streams? */
static bool has_too_many(const server *s, const connection *c)
{
    unsigned n = 0;
    for (const connection *o = s->connections; s->most_heavy && o; o = o->next)
        n += o != c && (o->phase == WORKING || o->phase == STREAMING) && o->weight == WEIGHT_HEAVY &&
             client_is_same(&o->client, &c->client);
    return s->most_heavy && n >= s->most_heavy;
}

/* Passes it to the workers for such requests. */
static void dispatch(server *s, connection *c, bool is_too_large)
{
    const request r = http_request(c, is_too_large);
    c->weight = is_too_large ? WEIGHT_NONE : site_weight(s->site, &r);
    c->keeps_alive = c->keeps_alive && !is_too_large;
    c->asked = clock_nanoseconds();
    if (c->weight == WEIGHT_HEAVY && has_too_many(s, c)) {
        site_refuse(s->site, &r, PROBLEM_TOO_MANY, "too many of your requests are being answered", &c->response);
        http_begin_sending(s, c);
    } else if (c->weight == WEIGHT_NONE) {
        site_answer(s->site, &r, &c->response);
        http_begin_sending(s, c);
    } else {
        c->phase = WORKING;
        s->metrics.waiting[c->weight]++;
        queue_put(&s->queues[c->weight], c);
    }
}

static void tell_to_continue(connection *c)
{
    static const char text[] = "HTTP/1.1 100 Continue\r\n\r\n";
    if (c->head.expects_continue && c->in.n == 0)
        os_send(c->socket, text, strlen(text));
}

/* False if the request is incomplete. */
static bool read_head(server *s, connection *c)
{
    problem p = {0};
    c->head = (http_head){.n_bytes = 0};
    const size_t n = http_head_length(c->in.s, c->in.n, &p);
    if (n) {
        buffer_clear(&c->text);
        buffer_add(&c->text, c->in.s, n);
        forget_received(c, n);
        if (c->text.has_failed)
            problem_no_memory(&p);
        else
            http_head_read(&c->head, c->text.s, n, &p);
    }
    if (p.status) {
        http_refuse(s, c, &p);
        return true;
    }
    if (n == 0)
        return false;
    c->keeps_alive = c->head.keeps_alive;
    c->is_used = true;
    /* A proxy sends requests of many clients over one connection. */
    if (s->has_proxy && !(c->head.forwarded_for && client_read_forwarded(&c->client, c->head.forwarded_for)))
        c->client = client_of_socket(c->socket);
    c->chunks = (http_chunks){.left = 0};
    buffer_clear(&c->body);
    c->phase = READING_BODY;
    if (c->head.n_body > REQUEST_BODY_MAX)
        dispatch(s, c, true);
    else if (c->head.n_body || c->head.is_chunked)
        tell_to_continue(c);
    return true;
}

/* The same. */
static bool read_body(server *s, connection *c)
{
    problem p = {0};
    bool is_whole, is_too_large = false;
    size_t n = c->in.n;
    if (c->head.is_chunked) {
        const http_chunk read = http_chunks_read(&c->chunks, c->in.s, &n, &c->body, REQUEST_BODY_MAX, &is_too_large);
        is_whole = read == HTTP_CHUNK_END;
        if (read == HTTP_CHUNK_BAD && !is_too_large)
            problem_set(&p, PROBLEM_ASKED, "the body has malformed chunks");
    } else {
        const size_t left = (size_t)c->head.n_body - c->body.n;
        n = left < n ? left : n;
        if (n)
            buffer_add(&c->body, c->in.s, n);
        is_whole = n == left;
    }
    if (c->body.has_failed)
        problem_no_memory(&p);
    if (p.status) {
        http_refuse(s, c, &p);
    } else if (is_too_large) {
        dispatch(s, c, true);
    } else {
        if (n)
            forget_received(c, n);
        if (is_whole)
            dispatch(s, c, false);
        return is_whole;
    }
    return true;
}

void http_read_on(server *s, connection *c)
{
    for (bool goes_on = true; goes_on;) {
        if (c->phase == READING_HEAD)
            goes_on = c->in.n && read_head(s, c);
        else
            goes_on = c->phase == READING_BODY && read_body(s, c);
    }
}

void http_receive(server *s, connection *c)
{
    char *to = buffer_room(&c->in, RECEIVE_SIZE);
    const ptrdiff_t n = to ? os_receive(c->socket, to, RECEIVE_SIZE) : 0;
    if (n > 0) {
        /* A request begins; the idle time before it does not count. */
        if (c->phase == READING_HEAD && c->in.n == 0)
            c->deadline = clock_milliseconds() + s->milliseconds;
        c->in.n += (size_t)n;
        if (c->phase == LINGERING || c->phase == STREAMING)
            c->in.n = 0;
        else
            http_read_on(s, c);
    } else if (n == 0 || errno != EAGAIN) {
        c->phase = GONE;
    }
}
