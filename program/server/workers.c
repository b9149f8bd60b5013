/*
 * workers.c - queues of requests by weight, and the threads that answer them, each with its own site.
 */
#include "http.h"
#include "os/threads.h"

#include <errno.h>

/* ---- Queues ----------------------------------------------------------------------------------------------------- */

void queue_init(queue *q)
{
    os_mutex_init(&q->lock);
    os_condition_init(&q->filled);
}

void queue_destroy(queue *q)
{
    os_mutex_destroy(&q->lock);
    os_condition_destroy(&q->filled);
}

void queue_put(queue *q, connection *c)
{
    c->behind = NULL;
    os_mutex_lock(&q->lock);
    if (q->last)
        q->last->behind = c;
    else
        q->first = c;
    q->last = c;
    os_condition_signal(&q->filled);
    os_mutex_unlock(&q->lock);
}

static connection *take_first(queue *q)
{
    connection *c = q->first;
    if (c) {
        q->first = c->behind;
        q->last = q->first ? q->last : NULL;
    }
    return c;
}

connection *queue_take(queue *q)
{
    os_mutex_lock(&q->lock);
    connection *c = take_first(q);
    os_mutex_unlock(&q->lock);
    return c;
}

/* Waits for a request, a reload that is not among the `*n_reloads` known, or the end of the queue, which is false.
   `*out` is NULL if there is no request. */
static bool queue_wait(queue *q, unsigned *n_reloads, connection **out)
{
    os_mutex_lock(&q->lock);
    while (!q->first && !q->is_closed && q->n_reloads == *n_reloads)
        os_condition_wait(&q->filled, &q->lock);
    const bool goes_on = q->first || q->n_reloads != *n_reloads || !q->is_closed;
    *out = q->n_reloads == *n_reloads ? take_first(q) : NULL;
    *n_reloads = q->n_reloads;
    os_mutex_unlock(&q->lock);
    return goes_on;
}

/* Tells all its workers. */
static void queue_tell(queue *q, bool is_closed)
{
    os_mutex_lock(&q->lock);
    q->is_closed = is_closed;
    q->n_reloads += !is_closed;
    os_condition_broadcast(&q->filled);
    os_mutex_unlock(&q->lock);
}

/* ---- Workers ---------------------------------------------------------------------------------------------------- */

/* Some clients close their side as soon as they have sent the request: they still get answers that take only a moment.
   A further request right after it does not mean that the client has left. */
static bool is_gone(const void *who)
{
    enum { MOMENT = 500000000 }; /* nanoseconds */
    const connection *c = who;
    char byte;
    if (clock_nanoseconds() - c->asked < MOMENT)
        return false;
    const ptrdiff_t n = os_peek(c->socket, &byte, 1);
    return n == 0 || (n < 0 && errno != EAGAIN);
}

request http_request(const connection *c, bool is_too_large)
{
    return (request){
        .method = c->head.method,
        .target = c->head.target,
        .host = c->head.host,
        .origin = c->head.origin,
        .token = c->head.token,
        .if_none_match = c->head.if_none_match,
        .accept_encoding = c->head.accept_encoding,
        .body = c->body.s,
        .n_body = c->body.n,
        .is_too_large = is_too_large,
        .is_gone = is_gone,
        .client = c,
    };
}

static void answer(const worker *w, connection *c)
{
    const request r = http_request(c, false);
    metrics *m = &w->server->metrics;
    m->waiting[w->weight]--;
    m->working[w->weight]++;
    if (clock_milliseconds() >= c->deadline)
        site_refuse(w->site, &r, PROBLEM_NOT_NOW, "the server is busy: too many requests are waiting", &c->response);
    else if (is_gone(c))
        site_refuse(w->site, &r, PROBLEM_NOT_NOW, CLIENT_GONE, &c->response);
    else
        site_answer(w->site, &r, &c->response);
    m->working[w->weight]--;
    queue_put(&w->server->queues[DONE_QUEUE], c);
    os_wake(w->server->wake[1]);
}

static void *work(void *context)
{
    worker *w = context;
    connection *c;
    while (queue_wait(&w->server->queues[w->weight], &w->n_reloads, &c)) {
        if (c)
            answer(w, c);
        else
            site_reload(w->site);
    }
    return NULL;
}

static bool start_worker(server *s, int of_weight, const site_options *o, problem *p)
{
    worker *w = &s->workers[s->n_workers];
    *w = (worker){.server = s, .weight = (weight)of_weight, .site = site_new(o, p)};
    if (!w->site)
        return false;
    s->n_workers++;
    w->is_running = os_thread_start(&w->thread, work, w);
    return w->is_running || problem_set(p, PROBLEM_BROKEN, "a thread cannot be started");
}

bool workers_start(server *s, const site_options *o, problem *p)
{
    enum { LEAST = 2 };
    const unsigned n_processors = threads_wanted(0, WORKERS_MAX / 3);
    for (int i = WEIGHT_LIGHT; i < N_WEIGHTS; i++) {
        const unsigned n = i == WEIGHT_HEAVY && n_processors > LEAST ? n_processors : LEAST;
        for (unsigned k = 0; k < n; k++)
            if (!start_worker(s, i, o, p))
                return false;
    }
    return true;
}

void workers_reload(server *s)
{
    for (int i = WEIGHT_LIGHT; i < N_WEIGHTS; i++)
        queue_tell(&s->queues[i], false);
}

void workers_end(server *s)
{
    for (int i = WEIGHT_LIGHT; i < N_WEIGHTS; i++) {
        queue_tell(&s->queues[i], true);
        while (queue_take(&s->queues[i]))
            ;
    }
    for (unsigned i = 0; i < s->n_workers; i++) {
        if (s->workers[i].is_running)
            os_thread_join(s->workers[i].thread);
        site_free(s->workers[i].site);
    }
}
