/*
 * metrics.h - counts what a server does, for /metrics in Prometheus' text format.
 *
 * Only the loop counts requests, and it also answers /metrics, so they need no lock. Counters of other threads are
 * atomic.
 */
#ifndef TABIYA_SERVER_METRICS_H
#define TABIYA_SERVER_METRICS_H

#include "server.h"

#include <stdatomic.h>

enum { METRICS_PATHS = 32, METRICS_CODES = 16, METRICS_BOUNDS = 9 };

typedef struct path_metrics {
    const char *path; /* static */
    struct {
        unsigned status;
        uint64_t n;
    } codes[METRICS_CODES];
    size_t n_codes;
    uint64_t within[METRICS_BOUNDS]; /* answers that took at most each bound, and no less than the one before */
    uint64_t n;
    int64_t nanoseconds; /* all together */
} path_metrics;

struct metrics {
    path_metrics paths[METRICS_PATHS];
    size_t n_paths;
    unsigned n_connections;
    uint64_t n_reloads, n_lines_lost; /* reloads; lines that could not be logged */
    int64_t began;                    /* in seconds since 1970 */
    atomic_uint waiting[N_WEIGHTS], working[N_WEIGHTS];
    atomic_ullong n_kept, n_kept_hits, n_kept_misses; /* cached answers, and lookups */
};

/* An answer is ready; the path is static text, NULL for what has none. */
void metrics_count(metrics *m, const char *path, unsigned status, int64_t nanoseconds);
/* The comments before a metric, and a metric with one value. */
void metrics_write_head(buffer *out, const char *name, const char *type, const char *help);
void metrics_write_one(buffer *out, const char *name, const char *type, const char *help, uint64_t value);
/* All except the numbers that come from the database. */
void metrics_write(buffer *out, const metrics *m);

#endif
