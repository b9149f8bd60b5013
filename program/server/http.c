/*
 * http.c - HTTP/1.1 over sockets: connections and their limits, and the loop that serves them.
 *
 *     socket --> loop, one thread: receive, read --> queues: light, middle, heavy --> workers, each with its own site
 *     socket <-- loop: send  <------------------------------ queue: done  <---------------'
 *
 * The loop never waits for anything but sockets. It sends the board's files itself; workers do everything else. Each
 * weight has its own workers, so that light requests never wait for heavy ones.
 *
 * Limits: those of http_head.h, REQUEST_BODY_MAX and CONNECTIONS_MAX. --timeout applies to a request, from its first
 * byte or the end of the previous one to the last byte of the answer, and to a connection that waits for a request. A
 * stream may last longer.
 */
#include "http.h"
#include "os/signals.h"
#include "os/terminal.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    CONNECTIONS_MAX = 2000,
    STOP_MILLISECONDS = 5000,
    STOP_NEW_MILLISECONDS = 1000,
    TICK_MILLISECONDS = 500,
    STREAM_MILLISECONDS = 50
};

/* ---- Connections ------------------------------------------------------------------------------------------------ */

/* False if nobody is waiting. */
static bool accept_connection(server *s)
{
    const os_socket socket = os_accept(s->listener);
    if (socket == OS_NO_SOCKET) {
        if (errno != EAGAIN)
            s->accepts_again = clock_milliseconds() + TICK_MILLISECONDS;
        return false;
    }
    connection *c = calloc(1, sizeof *c);
    if (!c) {
        os_socket_close(socket);
        return true;
    }
    c->socket = socket;
    c->client = client_of_socket(socket);
    c->deadline = clock_milliseconds() + s->milliseconds;
    c->next = s->connections;
    s->connections = c;
    s->n_connections++;
    return true;
}

static void free_connection(connection *c)
{
    http_end_response(c);
    os_socket_close(c->socket);
    buffer_free(&c->in);
    buffer_free(&c->text);
    buffer_free(&c->body);
    buffer_free(&c->out);
    free(c);
}

static void remove_gone(server *s)
{
    for (connection **at = &s->connections; *at;) {
        connection *c = *at;
        if (c->phase == GONE) {
            *at = c->next;
            s->n_connections--;
            free_connection(c);
        } else {
            at = &c->next;
        }
    }
}

/* Its time is up. */
static void expire(server *s, connection *c)
{
    static const problem late = {.status = 408, .text = "the request did not come in time"};
    if ((c->phase == READING_HEAD && c->in.n) || c->phase == READING_BODY) {
        http_refuse(s, c, &late);
        c->deadline = clock_milliseconds() + LINGER_MILLISECONDS;
        if (c->phase == SENDING)
            http_send_on(s, c);
    } else if (c->phase != STREAMING) {
        c->phase = GONE;
    }
}

/* ---- The loop --------------------------------------------------------------------------------------------------- */

static atomic_int n_signals, must_reload;
static os_socket signal_wake = OS_NO_SOCKET;

static void note_signal(os_signal what)
{
    if (what == OS_RELOAD)
        must_reload = 1;
    else
        n_signals++;
    os_wake(signal_wake);
}

static short events_of(const connection *c)
{
    switch (c->phase) {
    case READING_HEAD:
    case READING_BODY:
    case LINGERING: return OS_READABLE;
    case SENDING: return OS_WRITABLE;
    case STREAMING: return OS_READABLE | (c->n_sent < c->out.n ? OS_WRITABLE : 0);
    default: return 0;
    }
}

/* How long the loop may sleep. */
static int patience(const server *s)
{
    const int64_t t = clock_milliseconds();
    int64_t least = TICK_MILLISECONDS;
    for (const connection *c = s->connections; c; c = c->next) {
        if (c->phase == STREAMING)
            least = least < STREAM_MILLISECONDS ? least : STREAM_MILLISECONDS;
        else if (c->phase != WORKING && c->deadline - t < least)
            least = c->deadline > t ? c->deadline - t : 0;
    }
    return (int)least;
}

/* Does everything that does not have to wait for the client. */
static void go_on(server *s, connection *c, short events)
{
    phase before;
    if (events & OS_FAILED && c->phase != WORKING)
        c->phase = GONE;
    if (events & (OS_READABLE | OS_HUNG_UP) && c->phase != WORKING && c->phase != SENDING)
        http_receive(s, c);
    do {
        before = c->phase;
        if (c->phase == SENDING)
            http_send_on(s, c);
        else if (c->phase == STREAMING)
            http_stream_on(s, c);
        if (c->phase == READING_HEAD && before == SENDING)
            http_read_on(s, c);
    } while (c->phase != before && (c->phase == SENDING || c->phase == STREAMING));
    if (c->phase != GONE && c->phase != WORKING && clock_milliseconds() >= c->deadline)
        expire(s, c);
}

static void take_back(server *s)
{
    connection *c;
    os_wake_clear(s->wake[0]);
    while ((c = queue_take(&s->queues[DONE_QUEUE])) != NULL) {
        const int64_t soon = clock_milliseconds() + LINGER_MILLISECONDS; /* for an answer that took long */
        c->deadline = c->deadline > soon ? c->deadline : soon;
        http_begin_sending(s, c);
        go_on(s, c, 0);
    }
}

static void loop_once(server *s)
{
    const bool listens = !s->is_stopping && s->n_connections < s->most_connections &&
                         clock_milliseconds() >= s->accepts_again;
    size_t n = 2;
    s->polled[0] = (os_waiting){.socket = s->wake[0], .wanted = OS_READABLE};
    s->polled[1] = (os_waiting){.socket = listens ? s->listener : OS_NO_SOCKET, .wanted = OS_READABLE};
    for (connection *c = s->connections; c; c = c->next)
        s->polled[n++] = (os_waiting){.socket = c->phase == WORKING ? OS_NO_SOCKET : c->socket, .wanted = events_of(c)};
    if (os_wait(s->polled, n, patience(s)) < 0)
        os_wait(NULL, 0, TICK_MILLISECONDS);
    n = 2;
    for (connection *c = s->connections; c; c = c->next, n++)
        if (c->phase != WORKING)
            go_on(s, c, s->polled[n].ready);
    take_back(s);
    if (s->polled[1].ready & OS_READABLE)
        while (s->n_connections < s->most_connections && accept_connection(s))
            ;
    remove_gone(s);
    s->metrics.n_connections = s->n_connections;
}

/* ---- Reloading -------------------------------------------------------------------------------------------------- */

/* After SIGHUP. A log that cannot be reopened stays open, and lines go to the old file. */
static void reload(server *s)
{
    problem ignored = {0};
    must_reload = 0;
    if (s->ends_with_terminal && !os_has_terminal()) {
        n_signals++;
        return;
    }
    s->metrics.n_reloads++;
    access_log_open(&s->log, &ignored);
    site_reload(s->site);
    workers_reload(s);
}

/* ---- Starting and stopping -------------------------------------------------------------------------------------- */

/* Every connection needs a file descriptor, and the database some more. */
static unsigned most_connections(void)
{
    enum { OTHER_FILES = 200 };
    const unsigned n = os_descriptors(CONNECTIONS_MAX + OTHER_FILES);
    return n >= CONNECTIONS_MAX + OTHER_FILES ? CONNECTIONS_MAX : n / 2;
}

/* Has a request begun, or is one to be expected: on a new connection? */
static bool is_under_way(const connection *c, bool is_new)
{
    char byte;
    if (c->phase != READING_HEAD)
        return c->phase != STREAMING;
    return c->in.n || (is_new && !c->is_used) || os_peek(c->socket, &byte, 1) > 0;
}

/* Accepts no more connections, and answers the requests that have come, unless it takes too long or a second signal
   comes. */
static void stop(server *s)
{
    const int64_t now = clock_milliseconds(), last = now + STOP_MILLISECONDS, last_new = now + STOP_NEW_MILLISECONDS;
    while (!s->is_passed && s->n_connections < s->most_connections && accept_connection(s))
        ;
    s->is_stopping = true;
    os_socket_close(s->listener);
    s->listener = OS_NO_SOCKET;
    while (s->connections && clock_milliseconds() < last && n_signals < 2) {
        for (connection *c = s->connections; c; c = c->next)
            if (!is_under_way(c, clock_milliseconds() < last_new))
                c->phase = GONE;
        remove_gone(s);
        if (s->connections)
            loop_once(s);
    }
}

/* The signals wake the loop, as a worker does when it is done. */
static bool catch_signals(server *s, problem *p)
{
    if (!os_wake_open(s->wake))
        return problem_set(p, PROBLEM_BROKEN, "no pipe: %s", os_socket_error());
    n_signals = must_reload = 0;
    signal_wake = s->wake[1];
    s->ends_with_terminal = os_signals_serve(note_signal) && os_has_terminal();
    return true;
}

static bool start(server *s, const server_options *o, listening *l, problem *p)
{
    site_options counted = o->site;
    counted.metrics = &s->metrics;
    s->metrics.began = (int64_t)time(NULL);
    s->most_connections = most_connections();
    s->polled = calloc(s->most_connections + 2, sizeof *s->polled);
    s->site = s->polled ? site_new(&counted, p) : NULL;
    if (!s->polled)
        problem_no_memory(p);
    if (!s->site || !access_log_open(&s->log, p))
        return false;
    s->listener = listen_on_passed(l, &s->is_passed, p);
    if (!s->is_passed)
        s->listener = listen_on(l, o->address, o->port, p);
    if (s->listener == OS_NO_SOCKET && !s->is_passed && o->may_move) {
        *p = (problem){0};
        s->listener = listen_on(l, o->address, 0, p);
    }
    if (s->listener != OS_NO_SOCKET && o->site.token && l->is_open)
        return problem_set(p, PROBLEM_ASKED,
                           "--write needs an address of this machine alone, such as 127.0.0.1, not %s", l->url);
    return s->listener != OS_NO_SOCKET && catch_signals(s, p) && workers_start(s, &counted, p);
}

static void clear(server *s)
{
    workers_end(s);
    while (s->connections) {
        connection *c = s->connections;
        s->connections = c->next;
        free_connection(c);
    }
    site_free(s->site);
    access_log_close(&s->log);
    free(s->polled);
    for (int i = 0; i < 2; i++)
        if (s->wake[i] != OS_NO_SOCKET)
            os_socket_close(s->wake[i]);
    if (s->listener != OS_NO_SOCKET)
        os_socket_close(s->listener);
}

bool server_run(const server_options *o, server_started started, problem *p)
{
    server s = {.listener = OS_NO_SOCKET,
                .wake = {OS_NO_SOCKET, OS_NO_SOCKET},
                .milliseconds = (int64_t)o->seconds * 1000,
                .log = {o->log, -1},
                .has_proxy = o->has_proxy,
                .most_heavy = o->most_heavy};
    listening l;
    for (int i = 0; i <= N_WEIGHTS; i++)
        queue_init(&s.queues[i]);
    const bool is_good = start(&s, o, &l, p);
    if (is_good) {
        started(l.url, l.is_open);
        while (n_signals == 0) {
            if (must_reload)
                reload(&s);
            else
                loop_once(&s);
        }
        stop(&s);
    }
    clear(&s);
    for (int i = 0; i <= N_WEIGHTS; i++)
        queue_destroy(&s.queues[i]);
    return is_good;
}
