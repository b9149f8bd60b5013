/*
 * http.c - the server itself: sockets, threads and signals, with libmicrohttpd.
 *
 *     SIGTERM --> main thread: once a second ends connections that take too long
 *                 pool of threads, each with its own site: receive, answer, send
 *
 * The library is loaded when a server starts, so that the program runs, and starts fast, where there is none: with it come
 * GnuTLS and nine more.
 *
 * Limits   REQUEST_BODY_MAX, HEADERS_MAX, CONNECTIONS_MAX, and --timeout for a request, from the connection's begin or
 *          the end of its last request to the last byte of the answer. libmicrohttpd knows only a time without any byte, so a
 *          client that sends one now and then would stay for ever; hence the list of connections.
 */
#include "server.h"

#ifndef TABIYA_MICROHTTPD

bool server_run(const server_options *options, server_started started, problem *p)
{
    (void)options;
    (void)started;
    return problem_tell(p, PROBLEM_BROKEN,
                        "this program was built without libmicrohttpd; its source says how to build it with");
}

#else

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    CONNECTIONS_MAX = 2000,
    HEADERS_MAX = 1 << 15, /* also what libmicrohttpd needs beside them */
    SECONDS_TO_STOP = 5,
    THREADS_MIN = 4, /* so that a long search leaves others to answer */
    THREADS_MOST = 32,
    BACKLOG = 1024
};

/* A connection while it is open. */
typedef struct connection {
    struct connection *next, *before;
    int fd;
    atomic_llong since; /* when it began, or ended its last request */
} connection;

/* A request while it is received. */
typedef struct exchange {
    char *target;
    bool has_begun, is_too_large;
    buffer body;
} exchange;

typedef struct server {
    struct MHD_Daemon *daemon;
    site *sites[THREADS_MOST];
    unsigned n_sites;
    unsigned seconds;       /* that a request may take */
    atomic_uint n_taken;    /* sites that a thread has */
    atomic_int n_exchanges; /* under way */
    pthread_mutex_t lock;   /* of the list */
    connection *connections;
} server;

/* ---- The library ------------------------------------------------------------------------------------------------ */

/* With the number of its interface, the one of the header. */
#define LIBRARY "libmicrohttpd.so.12"

#define FUNCTIONS(X)                                                                                                   \
    X(add_response_header)                                                                                             \
    X(create_response_from_buffer)                                                                                     \
    X(destroy_response)                                                                                                \
    X(get_connection_info)                                                                                             \
    X(lookup_connection_value)                                                                                         \
    X(queue_response)                                                                                                  \
    X(quiesce_daemon)                                                                                                  \
    X(start_daemon)                                                                                                    \
    X(stop_daemon)

static struct {
#define DECLARE(name) __typeof__(MHD_##name) *name;
    FUNCTIONS(DECLARE)
} mhd;

static bool load_library(problem *p)
{
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return problem_tell(p, PROBLEM_BROKEN, "%s", dlerror());
#define LOAD(name)                                                                                                     \
    *(void **)(void *)&mhd.name = dlsym(library, "MHD_" #name);                                                        \
    if (!mhd.name)                                                                                                     \
        return problem_tell(p, PROBLEM_BROKEN, "%s", dlerror());
    FUNCTIONS(LOAD)
    return true;
}

static long long seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/* ---- Connections ------------------------------------------------------------------------------------------------ */

static void connection_begins(server *s, struct MHD_Connection *from, void **context)
{
    const union MHD_ConnectionInfo *info = mhd.get_connection_info(from, MHD_CONNECTION_INFO_CONNECTION_FD);
    connection *c = calloc(1, sizeof *c);
    *context = c;
    if (!c)
        return; /* it can only take as long as libmicrohttpd lets it */
    c->fd = info ? info->connect_fd : -1;
    atomic_store(&c->since, seconds_now());
    pthread_mutex_lock(&s->lock);
    c->next = s->connections;
    if (c->next)
        c->next->before = c;
    s->connections = c;
    pthread_mutex_unlock(&s->lock);
}

/* Called before the socket is closed, so its number is not yet another's. */
static void connection_ends(server *s, connection *c)
{
    pthread_mutex_lock(&s->lock);
    if (c->next)
        c->next->before = c->before;
    if (c->before)
        c->before->next = c->next;
    else
        s->connections = c->next;
    pthread_mutex_unlock(&s->lock);
    free(c);
}

static void note_connection(void *context, struct MHD_Connection *from, void **of_socket,
                            enum MHD_ConnectionNotificationCode what)
{
    if (what == MHD_CONNECTION_NOTIFY_STARTED)
        connection_begins(context, from, of_socket);
    else if (*of_socket)
        connection_ends(context, *of_socket);
}

static void end_slow_connections(server *s)
{
    const long long now = seconds_now();
    pthread_mutex_lock(&s->lock);
    for (connection *c = s->connections; c; c = c->next)
        if (now - atomic_load(&c->since) > (long long)s->seconds)
            shutdown(c->fd, SHUT_RDWR);
    pthread_mutex_unlock(&s->lock);
}

/* ---- Requests --------------------------------------------------------------------------------------------------- */

/* The first that is known of a request: its target as it came. */
static void *begin_exchange(void *context, const char *target, struct MHD_Connection *from)
{
    server *s = context;
    exchange *e = calloc(1, sizeof *e);
    (void)from;
    if (!e)
        return NULL; /* the connection is closed */
    e->target = strdup(target);
    atomic_fetch_add(&s->n_exchanges, 1);
    return e;
}

static void end_exchange(void *context, struct MHD_Connection *from, void **of_request,
                         enum MHD_RequestTerminationCode how)
{
    server *s = context;
    exchange *e = *of_request;
    const union MHD_ConnectionInfo *info = mhd.get_connection_info(from, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    (void)how;
    if (info && info->socket_context)
        atomic_store(&((connection *)info->socket_context)->since, seconds_now());
    if (!e)
        return;
    buffer_free(&e->body);
    free(e->target);
    free(e);
    *of_request = NULL;
    atomic_fetch_sub(&s->n_exchanges, 1);
}

/* This thread's own. */
static site *own_site(server *s)
{
    static _Thread_local site *own;
    if (!own)
        own = s->sites[atomic_fetch_add(&s->n_taken, 1) % s->n_sites];
    return own;
}

/* The body is given away, or is part of the program. */
static struct MHD_Response *make_response(response *r)
{
    struct MHD_Response *made;
    if (r->asset) {
        const asset *a = r->asset;
        made = mhd.create_response_from_buffer(r->is_packed ? a->n_packed : a->n_bytes,
                                               (void *)(r->is_packed ? a->packed : a->bytes), MHD_RESPMEM_PERSISTENT);
    } else if (r->fixed) {
        made = mhd.create_response_from_buffer(strlen(r->fixed), (void *)r->fixed, MHD_RESPMEM_PERSISTENT);
    } else {
        made = mhd.create_response_from_buffer(r->body.n, r->body.s, MHD_RESPMEM_MUST_FREE);
        if (made)
            r->body = (buffer){0};
    }
    for (size_t i = 0; made && i < r->n_headers; i++)
        if (mhd.add_response_header(made, r->headers[i].name, r->headers[i].value) != MHD_YES) {
            mhd.destroy_response(made);
            made = NULL;
        }
    return made;
}

static const char *header(struct MHD_Connection *from, const char *name)
{
    return mhd.lookup_connection_value(from, MHD_HEADER_KIND, name);
}

static enum MHD_Result answer(server *s, struct MHD_Connection *from, const exchange *e, const char *method)
{
    const request r = {
        .method = method,
        .target = e->target,
        .host = header(from, MHD_HTTP_HEADER_HOST),
        .if_none_match = header(from, MHD_HTTP_HEADER_IF_NONE_MATCH),
        .accept_encoding = header(from, MHD_HTTP_HEADER_ACCEPT_ENCODING),
        .body = e->body.s,
        .n_body = e->body.n,
        .is_too_large = e->is_too_large,
    };
    response out;
    site_answer(own_site(s), &r, &out);
    struct MHD_Response *made = make_response(&out);
    const enum MHD_Result result = made ? mhd.queue_response(from, out.status, made) : MHD_NO;
    if (made)
        mhd.destroy_response(made);
    buffer_free(&out.body);
    return result;
}

/* A body that is too large is refused before it comes where its length is told, and else read and thrown away. */
static bool is_told_too_large(struct MHD_Connection *from)
{
    const char *length = header(from, MHD_HTTP_HEADER_CONTENT_LENGTH);
    return length && strtoull(length, NULL, 10) > REQUEST_BODY_MAX;
}

static void take_body(exchange *e, const char *s, size_t n)
{
    e->is_too_large = e->is_too_large || n > REQUEST_BODY_MAX - e->body.n;
    if (e->is_too_large)
        e->body.n = 0;
    else
        buffer_add(&e->body, s, n);
}

/* Called with the headers, with each piece of the body, and at the end. */
static enum MHD_Result handle(void *context, struct MHD_Connection *from, const char *path, const char *method,
                              const char *version, const char *body, size_t *n_body, void **of_request)
{
    exchange *e = *of_request;
    (void)path;
    (void)version;
    if (!e || !e->target)
        return MHD_NO;
    if (!e->has_begun) {
        e->has_begun = true;
        e->is_too_large = is_told_too_large(from);
        return e->is_too_large ? answer(context, from, e, method) : MHD_YES;
    }
    if (*n_body) {
        take_body(e, body, *n_body);
        *n_body = 0;
        return MHD_YES;
    }
    return answer(context, from, e, method);
}

/* ---- The socket ------------------------------------------------------------------------------------------------- */

typedef union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
} address;

/* 0 if it is none. */
static socklen_t read_address(address *out, const server_options *o)
{
    memset(out, 0, sizeof *out);
    if (inet_pton(AF_INET, o->address, &out->v4.sin_addr) == 1) {
        out->v4.sin_family = AF_INET;
        out->v4.sin_port = htons((uint16_t)o->port);
        return sizeof out->v4;
    }
    if (inet_pton(AF_INET6, o->address, &out->v6.sin6_addr) == 1) {
        out->v6.sin6_family = AF_INET6;
        out->v6.sin6_port = htons((uint16_t)o->port);
        return sizeof out->v6;
    }
    return 0;
}

static bool is_loopback(const address *a)
{
    if (a->any.sa_family == AF_INET6)
        return IN6_IS_ADDR_LOOPBACK(&a->v6.sin6_addr);
    return ntohl(a->v4.sin_addr.s_addr) >> 24 == 127;
}

/* The address is told as it is, with the port that was free. -1 behind a problem. */
static int open_socket(address *a, const server_options *o, problem *p)
{
    const socklen_t size = read_address(a, o);
    socklen_t n = sizeof *a;
    if (size == 0) {
        problem_tell(p, PROBLEM_ASKED, "--bind must be an address in numbers such as 127.0.0.1 or ::1, not \"%s\"",
                     o->address);
        return -1;
    }
    const int one = 1, fd = socket(a->any.sa_family, SOCK_STREAM, 0);
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) != 0 || bind(fd, &a->any, size) != 0 ||
        listen(fd, BACKLOG) != 0 || fcntl(fd, F_SETFL, O_NONBLOCK) != 0 || fcntl(fd, F_SETFD, FD_CLOEXEC) != 0 ||
        getsockname(fd, &a->any, &n) != 0) {
        problem_tell(p, PROBLEM_BROKEN, "cannot listen on %s, port %u: %s", o->address, o->port, strerror(errno));
        if (fd >= 0)
            close(fd);
        return -1;
    }
    return fd;
}

static void tell_address(const address *a, const server_options *o, server_started started)
{
    const bool is_v6 = a->any.sa_family == AF_INET6;
    const unsigned port = ntohs(is_v6 ? a->v6.sin6_port : a->v4.sin_port);
    char url[128];
    snprintf(url, sizeof url, is_v6 ? "http://[%s]:%u/" : "http://%s:%u/", o->address, port);
    started(url, !is_loopback(a));
}

/* ---- Starting and stopping -------------------------------------------------------------------------------------- */

/* Every connection is a file, and the database some more. */
static unsigned connections_max(void)
{
    enum { OTHER_FILES = 200 };
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0)
        return CONNECTIONS_MAX;
    const rlim_t wanted = CONNECTIONS_MAX + OTHER_FILES;
    if (files.rlim_cur < wanted) {
        files.rlim_cur = files.rlim_max < wanted ? files.rlim_max : wanted;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    return files.rlim_cur >= wanted ? CONNECTIONS_MAX : (unsigned)files.rlim_cur / 2;
}

static bool open_sites(server *s, const server_options *o, problem *p)
{
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    problem why = {0};
    s->n_sites = n < THREADS_MIN ? THREADS_MIN : n > THREADS_MOST ? THREADS_MOST : (unsigned)n;
    for (unsigned i = 0; i < s->n_sites; i++) {
        s->sites[i] = site_new(o->database, &why);
        if (!s->sites[i])
            return problem_tell(p, why.status, "%s: %s", o->database ? o->database : "the board", why.text);
    }
    return true;
}

static bool start(server *s, int fd, problem *p)
{
    s->daemon = mhd.start_daemon(
        MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_ITC, 0, NULL, NULL, handle, s,
        MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_THREAD_POOL_SIZE, s->n_sites, MHD_OPTION_CONNECTION_LIMIT,
        connections_max(), MHD_OPTION_CONNECTION_TIMEOUT, s->seconds, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)HEADERS_MAX, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_URI_LOG_CALLBACK, begin_exchange, s,
        MHD_OPTION_NOTIFY_COMPLETED, end_exchange, s, MHD_OPTION_NOTIFY_CONNECTION, note_connection, s, MHD_OPTION_END);
    return s->daemon || problem_tell(p, PROBLEM_BROKEN, "the server cannot be started: %s", strerror(errno));
}

static void wait_for_signal(server *s, const sigset_t *signals)
{
    const struct timespec second = {.tv_sec = 1};
    while (sigtimedwait(signals, NULL, &second) < 0)
        end_slow_connections(s);
}

/* No more connections; then what is under way may end, unless it takes too long or a second signal comes. */
static void stop(server *s, const sigset_t *signals)
{
    const struct timespec moment = {.tv_nsec = 20000000};
    const long long last = seconds_now() + SECONDS_TO_STOP;
    const int fd = mhd.quiesce_daemon(s->daemon);
    while (atomic_load(&s->n_exchanges) > 0 && seconds_now() < last && sigtimedwait(signals, NULL, &moment) < 0)
        ;
    mhd.stop_daemon(s->daemon);
    if (fd >= 0)
        close(fd);
}

/* While the database is opened, which may wait for ever for a pipe, a signal ends the program at once. */
static bool run(server *s, const server_options *o, server_started started, problem *p)
{
    address a;
    sigset_t signals;
    if (!load_library(p) || !open_sites(s, o, p))
        return false;
    const int fd = open_socket(&a, o, p);
    if (fd < 0)
        return false;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    pthread_sigmask(SIG_BLOCK, &signals, NULL); /* also in the threads that are started from here on */
    if (!start(s, fd, p)) {
        close(fd);
        return false;
    }
    tell_address(&a, o, started);
    wait_for_signal(s, &signals);
    stop(s, &signals);
    return true;
}

bool server_run(const server_options *o, server_started started, problem *p)
{
    server s = {.seconds = o->seconds};
    pthread_mutex_init(&s.lock, NULL);
    const bool is_good = run(&s, o, started, p);
    for (unsigned i = 0; i < s.n_sites; i++)
        site_free(s.sites[i]);
    pthread_mutex_destroy(&s.lock);
    return is_good;
}

#endif
