/*
 * http_send.c - sends responses over a connection.
 */
#include "http.h"

#include <errno.h>
#include <string.h>

enum { STREAM_UNSENT_MAX = 1 << 16 };

/* ---- Answers ---------------------------------------------------------------------------------------------------- */

static const char *reason(unsigned status)
{
    static const struct {
        unsigned status;
        const char *text;
    } known[] = {
        {200, "OK"},
        {204, "No Content"},
        {304, "Not Modified"},
        {308, "Permanent Redirect"},
        {400, "Bad Request"},
        {403, "Forbidden"},
        {404, "Not Found"},
        {405, "Method Not Allowed"},
        {408, "Request Timeout"},
        {413, "Content Too Large"},
        {414, "URI Too Long"},
        {417, "Expectation Failed"},
        {429, "Too Many Requests"},
        {431, "Request Header Fields Too Large"},
        {500, "Internal Server Error"},
        {501, "Not Implemented"},
        {503, "Service Unavailable"},
        {505, "HTTP Version Not Supported"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].status == status)
            return known[i].text;
    return "";
}

static const char *body_of(const response *r, size_t *n)
{
    if (r->asset) {
        *n = r->is_packed ? r->asset->n_packed : r->asset->n_bytes;
        return (const char *)(r->is_packed ? r->asset->packed : r->asset->bytes);
    }
    *n = r->fixed ? strlen(r->fixed) : r->body.n;
    return r->fixed ? r->fixed : r->body.s;
}

static bool has_body(const connection *c)
{
    const bool is_head = c->head.method && strcmp(c->head.method, "HEAD") == 0;
    return !is_head && c->response.status != 304 && c->response.status != 204;
}

static void write_head(connection *c)
{
    const response *r = &c->response;
    size_t n;
    body_of(r, &n);
    buffer_clear(&c->out);
    buffer_printf(&c->out, "HTTP/1.1 %u %s\r\n", r->status, reason(r->status));
    log_time(&c->out, "Date: %a, %d %b %Y %H:%M:%S GMT\r\n");
    for (size_t i = 0; i < r->n_headers; i++)
        buffer_printf(&c->out, "%s: %s\r\n", r->headers[i].name, r->headers[i].value);
    if (r->etag[0])
        buffer_printf(&c->out, "ETag: %s\r\n", r->etag);
    if (!r->stream && r->status != 304 && r->status != 204)
        buffer_printf(&c->out, "Content-Length: %zu\r\n", n);
    buffer_string(&c->out, c->keeps_alive ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n");
}

/* The answer is ready: counts and logs it. */
static void record(server *s, const connection *c)
{
    const int64_t nanoseconds = clock_nanoseconds() - c->asked;
    size_t n;
    body_of(&c->response, &n);
    metrics_count(&s->metrics, c->response.path, c->response.status, nanoseconds);
    if (!access_log_write(&s->log, &c->client, &c->head, c->response.status, has_body(c) ? n : 0, nanoseconds))
        s->metrics.n_lines_lost++;
}

void http_begin_sending(server *s, connection *c)
{
    record(s, c);
    c->keeps_alive = c->keeps_alive && !c->response.stream && !s->is_stopping;
    write_head(c);
    c->n_sent = 0;
    c->phase = c->out.has_failed ? GONE : SENDING;
}

void http_end_response(connection *c)
{
    if (c->response.stream)
        c->response.stream->close(c->response.stream);
    buffer_free(&c->response.body);
    c->response = (response){.status = 0};
}

void http_refuse(server *s, connection *c, const problem *p)
{
    const request r = http_request(c, false);
    c->keeps_alive = false;
    c->asked = clock_nanoseconds();
    site_refuse(s->site, &r, p->status, p->text, &c->response);
    http_begin_sending(s, c);
}

/* ---- Sending ---------------------------------------------------------------------------------------------------- */

/* Sends as much of s[0..n) as possible; false if that is not everything, or the client has disconnected. */
static bool send_bytes(connection *c, const char *s, size_t n, size_t done_before)
{
    while (c->n_sent < done_before + n) {
        const size_t at = c->n_sent - done_before;
        const ptrdiff_t sent = os_send(c->socket, s + at, n - at);
        if (sent <= 0) {
            if (sent == 0 || errno != EAGAIN)
                c->phase = GONE;
            return false;
        }
        c->n_sent += (size_t)sent;
    }
    return true;
}

/* The next request may already be there; otherwise, what the client sent must be read before the socket is closed. */
static void end_sending(server *s, connection *c)
{
    http_end_response(c);
    buffer_free(&c->body);
    c->deadline = clock_milliseconds() + s->milliseconds;
    if (c->keeps_alive) {
        c->phase = READING_HEAD;
        return;
    }
    os_send_no_more(c->socket);
    c->phase = LINGERING;
    c->deadline = clock_milliseconds() + LINGER_MILLISECONDS;
}

void http_send_on(server *s, connection *c)
{
    size_t n;
    const char *body = body_of(&c->response, &n);
    if (!send_bytes(c, c->out.s, c->out.n, 0) || (has_body(c) && !send_bytes(c, body, n, c->out.n)))
        return;
    if (!c->response.stream || !has_body(c)) {
        end_sending(s, c);
        return;
    }
    c->phase = STREAMING;
    buffer_clear(&c->out);
    c->n_sent = 0;
}

void http_stream_on(server *s, connection *c)
{
    bool goes_on = true;
    if (c->n_sent == c->out.n) {
        c->n_sent = 0;
        buffer_clear(&c->out);
    }
    if (c->out.n < STREAM_UNSENT_MAX)
        goes_on = c->response.stream->take(c->response.stream, &c->out);
    if (c->out.has_failed)
        c->phase = GONE;
    else if (send_bytes(c, c->out.s, c->out.n, 0) && !goes_on)
        end_sending(s, c);
}
