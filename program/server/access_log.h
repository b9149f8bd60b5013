/*
 * access_log.h - logs one line per request, in the Common Log Format followed by the seconds:
 *
 *     127.0.0.1 - - [16/Nov/2026:12:00:00 +0000] "GET /api/find?player=morphy HTTP/1.1" 200 812 0.004
 *
 * It is written when the answer is ready. The bytes are those of the body, "-" for none or for a stream; the seconds
 * are those of the metrics. Quotes, backslashes and control characters of a request are written as \xHH.
 */
#ifndef TABIYA_SERVER_ACCESS_LOG_H
#define TABIYA_SERVER_ACCESS_LOG_H

#include "address.h"
#include "http_head.h"

typedef struct access_log {
    const char *path; /* NULL: none */
    int fd;           /* -1: none */
} access_log;

/* Opens or reopens the file in append mode; if that fails, the old one stays open. */
bool access_log_open(access_log *l, problem *p);
void access_log_close(access_log *l);
/* False if the line could not be written. Without a file, does nothing. The method, target and version of the head are
   NULL if they were not understood. */
bool access_log_write(const access_log *l, const client *who, const http_head *head, unsigned status, size_t n_body,
                      int64_t nanoseconds);
/* Adds the time in UTC, in a format of strftime. */
void log_time(buffer *out, const char *format);

#endif
