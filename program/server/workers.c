/*
 * workers.c - queues of requests by their weight, and the threads that answer them, each with a site of its own.
 */
#include "http.h"
#include "threads.h"

#include <unistd.h>

/* ---- Queues ----------------------------------------------------------------------------------------------------- */

void queue_init(queue *q)
{
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->filled, NULL);
}

void queue_destroy(queue *q)
{
    pthread_mutex_destroy(&q->lock);
    pthread_cond_destroy(&q->filled);
}

void queue_put(queue *q, connection *c)
{
    c->behind = NULL;
    pthread_mutex_lock(&q->lock);
    if (q->last)
        q->last->behind = c;
    else
        q->first = c;
    q->last = c;
    pthread_cond_signal(&q->filled);
    pthread_mutex_unlock(&q->lock);
}

connection *queue_take(queue *q, bool waits)
{
    pthread_mutex_lock(&q->lock);
    while (waits && !q->first && !q->is_closed)
        pthread_cond_wait(&q->filled, &q->lock);
    connection *c = q->first;
    if (c) {
        q->first = c->behind;
        q->last = q->first ? q->last : NULL;
    }
    pthread_mutex_unlock(&q->lock);
    return c;
}

static void queue_close(queue *q)
{
    pthread_mutex_lock(&q->lock);
    q->is_closed = true;
    pthread_cond_broadcast(&q->filled);
    pthread_mutex_unlock(&q->lock);
}

/* ---- Workers ---------------------------------------------------------------------------------------------------- */

request http_request(const connection *c, bool is_too_large)
{
    return (request){
        .method = c->head.method,
        .target = c->head.target,
        .host = c->head.host,
        .origin = c->head.origin,
        .if_none_match = c->head.if_none_match,
        .accept_encoding = c->head.accept_encoding,
        .body = c->body.s,
        .n_body = c->body.n,
        .is_too_large = is_too_large,
    };
}

static void *work(void *context)
{
    worker *w = context;
    connection *c;
    while ((c = queue_take(w->queue, true)) != NULL) {
        const request r = http_request(c, false);
        if (clock_milliseconds() < c->deadline)
            site_answer(w->site, &r, &c->response);
        else
            site_refuse(w->site, &r, PROBLEM_NOT_NOW, "too many requests wait before this one", &c->response);
        queue_put(&w->server->done, c);
        (void)!write(w->server->wake[1], "", 1);
    }
    return NULL;
}

static bool start_worker(server *s, queue *q, const site_options *o, problem *p)
{
    worker *w = &s->workers[s->n_workers];
    *w = (worker){.server = s, .queue = q, .site = site_new(o, p)};
    if (!w->site)
        return false;
    s->n_workers++;
    w->is_running = pthread_create(&w->thread, NULL, work, w) == 0;
    return w->is_running || problem_tell(p, PROBLEM_BROKEN, "a thread cannot be started");
}

bool workers_start(server *s, const site_options *o, problem *p)
{
    static const unsigned least[N_WEIGHTS] = {[WEIGHT_LIGHT] = 2, [WEIGHT_MIDDLE] = 2, [WEIGHT_HEAVY] = 2};
    const unsigned n_processors = processors_up_to(WORKERS_MAX / 3);
    for (int i = WEIGHT_LIGHT; i < N_WEIGHTS; i++) {
        const unsigned n = i == WEIGHT_HEAVY && n_processors > least[i] ? n_processors : least[i];
        for (unsigned k = 0; k < n; k++)
            if (!start_worker(s, &s->queues[i], o, p))
                return false;
    }
    return true;
}

void workers_end(server *s)
{
    for (int i = WEIGHT_LIGHT; i < N_WEIGHTS; i++) {
        queue_close(&s->queues[i]);
        while (queue_take(&s->queues[i], false))
            ;
    }
    for (unsigned i = 0; i < s->n_workers; i++) {
        if (s->workers[i].is_running)
            pthread_join(s->workers[i].thread, NULL);
        site_free(s->workers[i].site);
    }
}
