/*
 * http.h - HTTP/1.1 over sockets: what its files share.
 *
 *     http.c        the loop, starting, stopping     workers.c    queues, and the threads that answer
 *     http_read.c   from bytes to a request          http_send.c  from a response to bytes
 *     http_head.c   the grammar of a request         address.c, access_log.c, metrics.c  clients and answers
 */
#ifndef TABIYA_SERVER_HTTP_H
#define TABIYA_SERVER_HTTP_H

#include "access_log.h"
#include "http_head.h"
#include "metrics.h"
#include "os/clock.h"
#include "os/threads.h"

enum { WORKERS_MAX = 36, LINGER_MILLISECONDS = 2000, DONE_QUEUE = N_WEIGHTS };

typedef enum phase { READING_HEAD, READING_BODY, WORKING, SENDING, STREAMING, LINGERING, GONE } phase;

/* A connection, and the request on it. While it is WORKING it belongs to a worker. */
typedef struct connection {
    struct connection *next;   /* of the server's */
    struct connection *behind; /* in a queue */
    os_socket socket;
    phase phase;
    int64_t deadline;
    client client;
    weight weight; /* of the request */
    int64_t asked; /* when the request was complete, in nanoseconds */
    buffer in;     /* received, and not yet parsed */
    buffer text;   /* of the head */
    http_head head;
    http_chunks chunks;
    buffer body;
    bool keeps_alive;
    bool is_used; /* it has had a request */
    response response;
    buffer out; /* the head of the answer, or bytes of a stream */
    size_t n_sent;
} connection;

typedef struct queue {
    connection *first, *last;
    os_mutex lock;
    os_condition filled;
    unsigned n_reloads; /* that its workers were asked for */
    bool is_closed;
} queue;

typedef struct worker {
    struct server *server;
    weight weight;
    unsigned n_reloads;
    site *site;
    os_thread thread;
    bool is_running;
} worker;

typedef struct server {
    os_socket listener, wake[2];
    bool is_passed;       /* the listener was, and its next owner accepts who is waiting */
    int64_t milliseconds; /* that a request may take */
    bool has_proxy;
    unsigned most_heavy; /* requests of one client; 0: any number */
    access_log log;
    metrics metrics;
    unsigned n_connections, most_connections;
    connection *connections;
    os_waiting *polled;
    site *site;                  /* of the loop */
    queue queues[N_WEIGHTS + 1]; /* by weight, and DONE_QUEUE */
    worker workers[WORKERS_MAX];
    unsigned n_workers;
    int64_t accepts_again; /* when files ran out */
    bool is_stopping;
    bool ends_with_terminal; /* when the terminal that started it is closed */
} server;

request http_request(const connection *c, bool is_too_large);

/* ---- Workers ---------------------------------------------------------------------------------------------------- */

void queue_init(queue *q);
void queue_destroy(queue *q);
void queue_put(queue *q, connection *c);
/* NULL if there is none. */
connection *queue_take(queue *q);
bool workers_start(server *s, const site_options *o, problem *p);
/* Each reopens its database, even an idle one, so that a replaced file is closed. */
void workers_reload(server *s);
/* Waiting requests are not answered any more. */
void workers_end(server *s);

/* ---- Connections: each changes the phase ------------------------------------------------------------------------- */

/* Receives bytes from the socket and parses them. */
void http_receive(server *s, connection *c);
/* The same for bytes that were already received. */
void http_read_on(server *s, connection *c);
/* An answer to what never became a request. */
void http_refuse(server *s, connection *c, const problem *p);
/* The response is ready, and will be sent. */
void http_begin_sending(server *s, connection *c);
void http_send_on(server *s, connection *c);
void http_stream_on(server *s, connection *c);
/* Frees the response. */
void http_end_response(connection *c);

#endif
