/*
 * access_log.c - logs one line per request.
 *
 * Keeps each line is a single write in append mode, so lines are never mixed, even if two servers share the file.
 */
#include "access_log.h"
#include "os/file.h"

#include <errno.h>
#include <string.h>
#include <time.h>

bool access_log_open(access_log *l, problem *p)
{
    if (!l->path)
        return true;
    const int fd = os_open(l->path, OS_APPEND | OS_CREATE, 0640);
    if (fd < 0)
        return problem_set(p, PROBLEM_BROKEN, "%s: %s", l->path, strerror(errno));
    access_log_close(l);
    l->fd = fd;
    return true;
}

void access_log_close(access_log *l)
{
    if (l->fd >= 0)
        os_close(l->fd);
    l->fd = -1;
}

static void write_escaped(buffer *out, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++, s++) {
        const unsigned char c = (unsigned char)*s;
        if (c < ' ' || c > '~' || c == '"' || c == '\\')
            buffer_printf(out, "\\x%02X", c);
        else
            buffer_add(out, s, 1);
    }
}

static void write_text(buffer *out, const char *s) { write_escaped(out, s ? s : "-", s ? strlen(s) : 1); }

/* The token of serve --write, which is in the address of a page's first request, is not logged. */
static void write_target(buffer *out, const char *s)
{
    static const char name[] = "?token=";
    const char *token = s ? strstr(s, name) : NULL;
    if (!token) {
        write_text(out, s);
        return;
    }
    token += sizeof name - 1;
    write_escaped(out, s, (size_t)(token - s));
    buffer_string(out, "***");
    write_text(out, token + strcspn(token, "&"));
}

void log_time(buffer *out, const char *format)
{
    const time_t t = time(NULL);
    struct tm utc;
    char text[40];
    gmtime_r(&t, &utc);
    strftime(text, sizeof text, format, &utc);
    buffer_string(out, text);
}

bool access_log_write(const access_log *l, const client *who, const http_head *head, unsigned status, size_t n_body,
                      int64_t nanoseconds)
{
    buffer line = {0};
    char address[CLIENT_SIZE];
    ptrdiff_t n = -1;
    if (l->fd < 0)
        return !l->path;
    client_write(address, who);
    buffer_printf(&line, "%s - - ", address);
    log_time(&line, "[%d/%b/%Y:%H:%M:%S +0000] \"");
    write_text(&line, head->method);
    buffer_string(&line, " ");
    write_target(&line, head->target);
    buffer_string(&line, " ");
    write_text(&line, head->version);
    buffer_printf(&line, "\" %u ", status);
    if (n_body)
        buffer_number(&line, n_body);
    else
        buffer_string(&line, "-");
    buffer_printf(&line, " %.3f\n", (double)nanoseconds * 1e-9);
    if (!line.has_failed)
        n = os_write(l->fd, line.s, line.n);
    const bool is_whole = n >= 0 && (size_t)n == line.n;
    buffer_free(&line);
    return is_whole;
}
