/*
 * http_head.c - the head of an HTTP/1.1 request.
 *
 *     METHOD SP TARGET SP HTTP/1.1 CRLF  *( NAME ":" OWS VALUE OWS CRLF )  CRLF
 *
 * Reads    targets as a path, as http://HOST/PATH (whose host replaces the header's), and * as it is.
 * Refuses  line ends other than CRLF, folded lines, blanks before a colon, control characters, two Hosts, HTTP/1.1
 *          without a Host, two Content-Lengths, both a Content-Length and a Transfer-Encoding, other encodings than
 *          chunked.
 */
#include "http_head.h"

#include <string.h>
#include <strings.h>

enum { HTTP_TOO_LONG = 414, HTTP_HEADERS_TOO_LARGE = 431, HTTP_NOT_IMPLEMENTED = 501, HTTP_VERSION = 505 };

/* ---- Where it ends ---------------------------------------------------------------------------------------------- */

static size_t skip_line_ends(const char *s, size_t n)
{
    size_t at = 0;
    while (n - at >= 2 && s[at] == '\r' && s[at + 1] == '\n')
        at += 2;
    return at;
}

static bool is_too_long(const char *s, size_t n, problem *p)
{
    if (n < HTTP_HEAD_MAX)
        return false;
    const char *end = memchr(s, '\r', n);
    problem_set(p, end && end - s < HTTP_TARGET_MAX ? HTTP_HEADERS_TOO_LARGE : HTTP_TOO_LONG,
                "the request line and the headers have more than %d bytes", HTTP_HEAD_MAX);
    return true;
}

size_t http_head_length(const char *s, size_t n, problem *p)
{
    const size_t skipped = skip_line_ends(s, n);
    for (size_t at = skipped; at < n; at++) {
        const char *end = memchr(s + at, '\n', n - at);
        if (!end)
            break;
        at = (size_t)(end - s);
        if (at == 0 || s[at - 1] != '\r') {
            problem_set(p, PROBLEM_ASKED, "a line of the request does not end in CR LF");
            return 0;
        }
        if (at >= skipped + 3 && s[at - 2] == '\n') {
            if (is_too_long(s, at, p))
                return 0;
            return at + 1;
        }
    }
    is_too_long(s, n, p);
    return 0;
}

/* ---- Lines ------------------------------------------------------------------------------------------------------ */

static bool refuse(problem *p, const char *why) { return problem_set(p, PROBLEM_ASKED, "%s", why); }

static bool is_token(const char *s)
{
    const size_t n = strspn(s, "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    return n && !s[n];
}

/* Ends the line at *s with a NUL and moves *s past it. False if it contains a control character other than a tab. */
static bool cut_line(char **s, char *end)
{
    for (char *at = *s; at < end; at++)
        if ((unsigned char)*at < ' ' || *at == 127) {
            if (*at == '\t')
                continue;
            if (*at != '\r' || end - at < 2 || at[1] != '\n')
                return false;
            *at = '\0';
            *s = at + 2;
            return true;
        }
    return false;
}

static bool read_version(http_head *out, const char *version, problem *p)
{
    out->version = version;
    out->keeps_alive = strcmp(version, "HTTP/1.1") == 0;
    if (out->keeps_alive || strcmp(version, "HTTP/1.0") == 0)
        return true;
    return strncmp(version, "HTTP/", 5) == 0 ? problem_set(p, HTTP_VERSION, "only HTTP/1.0 and HTTP/1.1 are supported")
                                             : refuse(p, "the request line has no version");
}

/* METHOD TARGET VERSION, separated by single spaces. */
static bool read_request_line(http_head *out, char *line, problem *p)
{
    char *target = strchr(line, ' '), *version = target ? strchr(target + 1, ' ') : NULL;
    if (!version)
        return refuse(p, "the request line is not METHOD TARGET VERSION");
    *target++ = *version++ = '\0';
    for (const char *s = target; *s; s++)
        if ((unsigned char)*s <= ' ' || (unsigned char)*s >= 127)
            return refuse(p, "the target contains a byte that must be written as % and two hex digits");
    if (!is_token(line) || !*target)
        return refuse(p, "the request line is not METHOD TARGET VERSION");
    out->method = line;
    out->target = target;
    if (strlen(target) > HTTP_TARGET_MAX)
        return problem_set(p, HTTP_TOO_LONG, "the target has more than %d bytes", HTTP_TARGET_MAX);
    return read_version(out, version, p);
}

/* ---- Headers ---------------------------------------------------------------------------------------------------- */

/* Headers that may occur only once, while they are read. */
typedef struct seen_headers {
    bool length, encoding, connection_closes, connection_keeps;
} seen_headers;

static bool read_length(http_head *out, seen_headers *seen, const char *value, problem *p)
{
    if (seen->length || !digits_read(&out->n_body, value, INT64_MAX))
        return refuse(p, seen->length ? "two Content-Lengths" : "Content-Length is not a number");
    seen->length = true;
    return true;
}

static bool read_encoding(http_head *out, seen_headers *seen, const char *value, problem *p)
{
    if (seen->encoding)
        return refuse(p, "two Transfer-Encodings");
    seen->encoding = true;
    out->is_chunked = strcasecmp(value, "chunked") == 0;
    return out->is_chunked || problem_set(p, HTTP_NOT_IMPLEMENTED, "the only supported Transfer-Encoding is chunked");
}

/* "close", or "keep-alive" in HTTP/1.0, among others separated by commas. */
static void read_connection(seen_headers *seen, const char *value)
{
    while (*value) {
        const size_t blanks = strspn(value, " \t,"), n = strcspn(value + blanks, " \t,");
        value += blanks;
        seen->connection_closes |= n == 5 && strncasecmp(value, "close", n) == 0;
        seen->connection_keeps |= n == 10 && strncasecmp(value, "keep-alive", n) == 0;
        value += n;
    }
}

static bool read_once(const char **out, const char *value, const char *why, problem *p)
{
    if (*out)
        return refuse(p, why);
    *out = value;
    return true;
}

static bool read_header(http_head *out, seen_headers *seen, const char *name, const char *value, problem *p)
{
    if (strcasecmp(name, "Host") == 0)
        return read_once(&out->host, value, "two Hosts", p);
    if (strcasecmp(name, "Content-Length") == 0)
        return read_length(out, seen, value, p);
    if (strcasecmp(name, "Transfer-Encoding") == 0)
        return read_encoding(out, seen, value, p);
    if (strcasecmp(name, "Origin") == 0)
        return read_once(&out->origin, value, "two Origins", p);
    if (strcasecmp(name, "X-Tabiya-Token") == 0)
        return read_once(&out->token, value, "two tokens", p);
    if (strcasecmp(name, "Expect") == 0) {
        out->expects_continue = strcasecmp(value, "100-continue") == 0;
        return out->expects_continue || problem_set(p, 417, "the only supported Expect is 100-continue");
    }
    if (strcasecmp(name, "Connection") == 0)
        read_connection(seen, value);
    else if (strcasecmp(name, "If-None-Match") == 0)
        out->if_none_match = value;
    else if (strcasecmp(name, "Accept-Encoding") == 0)
        out->accept_encoding = value;
    else if (strcasecmp(name, "X-Forwarded-For") == 0)
        out->forwarded_for = value;
    return true;
}

/* http://HOST/PATH, as clients send it to a proxy (RFC 9112, 3.2.2): this host is used, whatever the header says. It is
   moved to the front, to make space for the NUL after it and for the slash that an empty path lacks. */
static bool read_absolute_target(http_head *out, char *target, problem *p)
{
    const size_t scheme = strncasecmp(target, "http://", 7) == 0 ? 7 : strncasecmp(target, "https://", 8) == 0 ? 8 : 0;
    if (scheme == 0)
        return true;
    char *path = target + scheme + strcspn(target + scheme, "/?");
    const size_t n = (size_t)(path - target) - scheme;
    if (n == 0)
        return refuse(p, "the target has no host");
    memmove(target, target + scheme, n);
    target[n] = '\0';
    if (*path == '?')
        *--path = '/';
    out->host = target;
    out->target = *path ? path : strcmp(out->method, "OPTIONS") == 0 ? "*" : "/";
    return true;
}

static bool read_header_line(http_head *out, seen_headers *seen, char *line, problem *p)
{
    char *colon = strchr(line, ':');
    if (!colon)
        return refuse(p, "a header has no colon");
    *colon = '\0';
    if (!is_token(line))
        return refuse(p, "a header has an invalid name");
    char *value = colon + 1 + strspn(colon + 1, " \t"), *end = value + strlen(value);
    while (end > value && (end[-1] == ' ' || end[-1] == '\t'))
        *--end = '\0';
    return read_header(out, seen, line, value, p);
}

bool http_head_read(http_head *out, char *s, size_t n, problem *p)
{
    seen_headers seen = {false};
    char *end = s + n, *line = s + skip_line_ends(s, n), *next = line;
    *out = (http_head){.n_bytes = n};
    if (!cut_line(&next, end))
        return refuse(p, "the request line contains a control character");
    if (!read_request_line(out, line, p))
        return false;
    char *target = s + (out->target - s);
    for (size_t i = 0; line = next, cut_line(&next, end) && *line; i++) {
        if (i == HTTP_HEADERS_MAX)
            return problem_set(p, HTTP_HEADERS_TOO_LARGE, "the request has more than %d headers", HTTP_HEADERS_MAX);
        if (!read_header_line(out, &seen, line, p))
            return false;
    }
    if (next != end)
        return refuse(p, "a header contains a control character");
    if (!out->host && strcmp(out->version, "HTTP/1.1") == 0)
        return refuse(p, "the request has no Host");
    if (!read_absolute_target(out, target, p))
        return false;
    if (seen.length && seen.encoding)
        return refuse(p, "both a Content-Length and a Transfer-Encoding");
    if (out->is_chunked && !out->keeps_alive)
        return refuse(p, "HTTP/1.0 does not support chunks");
    out->keeps_alive = (out->keeps_alive || seen.connection_keeps) && !seen.connection_closes;
    return true;
}

/* ---- Bodies in chunks ------------------------------------------------------------------------------------------- */

/* SIZE [;EXTENSION] CRLF bytes CRLF ... 0 CRLF *(TRAILER CRLF) CRLF */
enum {
    SIZE_FIRST,
    SIZE,
    EXTENSION,
    SIZE_END,
    BYTES,
    BYTES_CR,
    BYTES_LF,
    TRAILER,
    TRAILER_LINE,
    TRAILER_LF,
    LAST_LF,
    DONE
};

/* The next state after a byte that does not belong to the body; -1 if the byte is invalid. */
static int next_state(http_chunks *c, char byte)
{
    const int digit = text_hex_digit(byte);
    switch (c->state) {
    case SIZE_FIRST:
    case SIZE:
        if (digit >= 0) {
            c->left = c->state == SIZE_FIRST ? (uint64_t)digit : c->left << 4 | (uint64_t)digit;
            return c->left >> 40 ? -1 : SIZE;
        }
        return c->state == SIZE_FIRST ? -1 : byte == '\r' ? SIZE_END : byte == ';' ? EXTENSION : -1;
    case EXTENSION: return byte == '\r' ? SIZE_END : byte == '\t' || (unsigned char)byte >= ' ' ? EXTENSION : -1;
    case SIZE_END: return byte != '\n' ? -1 : c->left ? BYTES : TRAILER;
    case BYTES_CR: return byte == '\r' ? BYTES_LF : -1;
    case BYTES_LF: return byte == '\n' ? SIZE_FIRST : -1;
    case TRAILER: return byte == '\r' ? LAST_LF : (unsigned char)byte >= ' ' ? TRAILER_LINE : -1;
    case TRAILER_LINE:
        return byte == '\r' ? TRAILER_LF : byte == '\t' || (unsigned char)byte >= ' ' ? TRAILER_LINE : -1;
    case TRAILER_LF: return byte == '\n' ? TRAILER : -1;
    case LAST_LF: return byte == '\n' ? DONE : -1;
    default: return -1;
    }
}

http_chunk http_chunks_read(http_chunks *c, const char *s, size_t *n, buffer *out, size_t most, bool *is_too_large)
{
    size_t at = 0;
    while (at < *n && c->state != DONE) {
        if (c->state != BYTES) {
            c->n_overhead++;
            c->state = c->n_overhead > HTTP_OVERHEAD_MAX ? -1 : next_state(c, s[at++]);
            if (c->state < 0)
                return HTTP_CHUNK_BAD;
            continue;
        }
        const size_t here = *n - at, taken = c->left < here ? (size_t)c->left : here;
        *is_too_large = c->left > most - out->n;
        if (*is_too_large)
            return HTTP_CHUNK_BAD;
        buffer_add(out, s + at, taken);
        at += taken;
        c->left -= taken;
        c->state = c->left ? BYTES : BYTES_CR;
    }
    *n = at;
    return c->state == DONE ? HTTP_CHUNK_END : HTTP_CHUNK_MORE;
}
