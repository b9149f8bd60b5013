/*
 * metrics.c - counts answers, and writes the counts in Prometheus' text format, version 0.0.4.
 *
 * Keeps    a path comes from the server's tables, never from a client, so the number of series is limited.
 */
#include "metrics.h"

#include <inttypes.h>
#include <string.h>

static const int64_t bounds[METRICS_BOUNDS] = {1000000,    5000000,    25000000,   100000000,  500000000,
                                               1000000000, 2500000000, 5000000000, 10000000000};

/* ---- Counting --------------------------------------------------------------------------------------------------- */

/* NULL if there is no space for another path. */
static path_metrics *path_of(metrics *m, const char *path)
{
    for (size_t i = 0; i < m->n_paths; i++)
        if (strcmp(m->paths[i].path, path) == 0)
            return &m->paths[i];
    if (m->n_paths == METRICS_PATHS)
        return NULL;
    m->paths[m->n_paths].path = path;
    return &m->paths[m->n_paths++];
}

static void count_status(path_metrics *p, unsigned status)
{
    size_t i = 0;
    while (i < p->n_codes && p->codes[i].status != status)
        i++;
    if (i == METRICS_CODES)
        return;
    p->n_codes = i < p->n_codes ? p->n_codes : i + 1;
    p->codes[i].status = status;
    p->codes[i].n++;
}

void metrics_count(metrics *m, const char *path, unsigned status, int64_t nanoseconds)
{
    path_metrics *p = path_of(m, path ? path : "none");
    size_t i = 0;
    if (!p)
        return;
    count_status(p, status);
    while (i < METRICS_BOUNDS && nanoseconds > bounds[i])
        i++;
    if (i < METRICS_BOUNDS)
        p->within[i]++;
    p->n++;
    p->nanoseconds += nanoseconds;
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

void metrics_write_head(buffer *out, const char *name, const char *type, const char *help)
{
    buffer_printf(out, "# HELP tabiya_%s %s\n# TYPE tabiya_%s %s\n", name, help, name, type);
}

void metrics_write_one(buffer *out, const char *name, const char *type, const char *help, uint64_t value)
{
    metrics_write_head(out, name, type, help);
    buffer_printf(out, "tabiya_%s %" PRIu64 "\n", name, value);
}

static void write_requests(buffer *out, const metrics *m)
{
    metrics_write_head(out, "requests_total", "counter", "Answers by path and status.");
    for (const path_metrics *p = m->paths; p < m->paths + m->n_paths; p++)
        for (size_t k = 0; k < p->n_codes; k++)
            buffer_printf(out, "tabiya_requests_total{path=\"%s\",code=\"%u\"} %" PRIu64 "\n", p->path,
                          p->codes[k].status, p->codes[k].n);
}

static void write_latency(buffer *out, const path_metrics *p)
{
    static const char name[] = "tabiya_request_duration_seconds";
    uint64_t n = 0;
    for (size_t i = 0; i < METRICS_BOUNDS; i++)
        buffer_printf(out, "%s_bucket{path=\"%s\",le=\"%g\"} %" PRIu64 "\n", name, p->path, (double)bounds[i] * 1e-9,
                      n += p->within[i]);
    buffer_printf(out, "%s_bucket{path=\"%s\",le=\"+Inf\"} %" PRIu64 "\n", name, p->path, p->n);
    buffer_printf(out, "%s_sum{path=\"%s\"} %.6f\n", name, p->path, (double)p->nanoseconds * 1e-9);
    buffer_printf(out, "%s_count{path=\"%s\"} %" PRIu64 "\n", name, p->path, p->n);
}

static void write_weights(buffer *out, const char *name, const char *help, const atomic_uint *values)
{
    static const char *const weights[N_WEIGHTS] = {"none", "light", "middle", "heavy"};
    metrics_write_head(out, name, "gauge", help);
    for (int i = WEIGHT_LIGHT; i < N_WEIGHTS; i++)
        buffer_printf(out, "tabiya_%s{weight=\"%s\"} %u\n", name, weights[i], values[i]);
}

void metrics_write(buffer *out, const metrics *m)
{
    metrics_write_head(out, "build_info", "gauge", "The version of the program.");
    buffer_printf(out, "tabiya_build_info{version=\"%s\"} 1\n", tby_version());
    metrics_write_one(out, "start_time_seconds", "gauge", "When the server started, in seconds since 1970.",
                      (uint64_t)m->began);
    write_requests(out, m);
    metrics_write_head(out, "request_duration_seconds", "histogram",
                       "Seconds from the end of a request to its answer, including waiting but not sending.");
    for (size_t i = 0; i < m->n_paths; i++)
        write_latency(out, &m->paths[i]);
    write_weights(out, "queue_length", "Requests waiting for a thread.", m->waiting);
    write_weights(out, "requests_in_progress", "Requests that a thread is answering.", m->working);
    metrics_write_one(out, "connections", "gauge", "Open connections.", m->n_connections);
    metrics_write_one(out, "kept_answers", "gauge", "Answers cached in memory, in all threads.", m->n_kept);
    metrics_write_one(out, "kept_answer_hits_total", "counter", "Requests answered from the cache.", m->n_kept_hits);
    metrics_write_one(out, "kept_answer_misses_total", "counter", "Requests whose answer was not cached.",
                      m->n_kept_misses);
    metrics_write_one(out, "reloads_total", "counter", "Reloads by SIGHUP.", m->n_reloads);
    metrics_write_one(out, "log_lines_lost_total", "counter", "Lines that could not be written to the access log.",
                      m->n_lines_lost);
}
