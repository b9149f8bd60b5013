/*
 * site.c - from a request to its response: host, path, method, headers, files.
 *
 * Keeps    a path is looked for in two tables, that of the files in the program and that of the answers below, and
 *          nowhere else. Every response has the headers of safety.
 */
#include "server.h"

#include <arpa/inet.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct site {
    games *games; /* NULL: no database */
    char *name;   /* of its file, without the folder */
};

/* ---- Headers ---------------------------------------------------------------------------------------------------- */

/* WebAssembly counts as evaluated code; images made in the page are data: and blob:. Nothing comes from elsewhere. */
static const char policy[] = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
                             "img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
                             "frame-ancestors 'none'";

void response_header(response *r, const char *name, const char *value)
{
    assert(r->n_headers < RESPONSE_HEADERS_MAX);
    r->headers[r->n_headers].name = name;
    r->headers[r->n_headers++].value = value;
}

static void add_safety(response *r)
{
    response_header(r, "Content-Security-Policy", policy);
    response_header(r, "X-Content-Type-Options", "nosniff");
    response_header(r, "Referrer-Policy", "no-referrer");
    response_header(r, "Cross-Origin-Opener-Policy", "same-origin");
    response_header(r, "Cross-Origin-Resource-Policy", "same-origin");
}

static bool has_header(const response *r, const char *name)
{
    for (size_t i = 0; i < r->n_headers; i++)
        if (strcmp(r->headers[i].name, name) == 0)
            return true;
    return false;
}

/* ---- Errors ----------------------------------------------------------------------------------------------------- */

/* The problem becomes {"error":"..."}. Where even that finds no memory, a fixed text says so. */
static void write_problem(response *out, const problem *p)
{
    out->status = p->status;
    out->asset = NULL;
    buffer_clear(&out->body);
    buffer_string(&out->body, "{\"error\":");
    buffer_json_string(&out->body, p->text);
    buffer_string(&out->body, "}\n");
    if (out->body.has_failed) {
        buffer_free(&out->body);
        out->status = PROBLEM_NOT_NOW;
        out->fixed = "{\"error\":\"out of memory\"}\n";
    }
    if (out->status == PROBLEM_NOT_NOW)
        response_header(out, "Retry-After", "1");
}

/* ---- Hosts ------------------------------------------------------------------------------------------------------ */

/* localhost, or an address in numbers: names can be made to point here by anybody. */
static bool is_own_host(const char *host)
{
    char name[64], *end = NULL;
    unsigned char address[16];
    const bool has_brackets = *host == '[';
    const size_t n = has_brackets ? strcspn(host, "]") : strcspn(host, ":");
    if (n >= sizeof name)
        return false;
    memcpy(name, host, n);
    name[n] = '\0';
    const char *behind = host + n + (has_brackets && host[n] == ']');
    if (*behind == ':') {
        const unsigned long port = strtoul(behind + 1, &end, 10);
        if (*end || end == behind + 1 || port > 65535)
            return false;
    } else if (*behind) {
        return false;
    }
    if (has_brackets)
        return host[n] == ']' && inet_pton(AF_INET6, name + 1, address) == 1;
    return strcasecmp(name, "localhost") == 0 || inet_pton(AF_INET, name, address) == 1;
}

/* ---- Files ------------------------------------------------------------------------------------------------------ */

static const asset *find_asset(const char *path, size_t n)
{
    for (const asset *a = assets; a->path; a++)
        if (strncmp(a->path, path, n) == 0 && a->path[n] == '\0')
            return a;
    return NULL;
}

/* A browser asks again each time, and is told in a word that nothing has changed. */
static bool answer_file(const asset *a, const question *q)
{
    response *out = q->response;
    const char *accepted = q->request->accept_encoding, *known = q->request->if_none_match;
    const bool is_known = known && (strstr(known, a->etag) || strcmp(known, "*") == 0);
    out->asset = is_known ? NULL : a;
    out->status = is_known ? 304 : 200;
    response_header(out, "ETag", a->etag);
    response_header(out, "Cache-Control", "no-cache");
    response_header(out, "Vary", "Accept-Encoding");
    if (is_known)
        return true;
    out->is_packed = a->packed && accepted && strstr(accepted, "gzip");
    response_header(out, "Content-Type", a->type);
    if (out->is_packed)
        response_header(out, "Content-Encoding", "gzip");
    return true;
}

/* ---- The table of answers --------------------------------------------------------------------------------------- */

static bool answer_site(const site *s, const question *q)
{
    buffer *out = &q->response->body;
    buffer_printf(out, "{\"name\":\"tabiya\",\"version\":\"%s\",\"database\":", tby_version());
    buffer_json_string(out, s->name);
    buffer_string(out, "}\n");
    return true;
}

typedef struct answer {
    const char *path;
    const char *parameters;              /* their names, each with a blank behind */
    bool (*takes)(const char *name);     /* those that are not named there; may be NULL */
    bool takes_body;                     /* with POST */
    bool (*of_rules)(const question *q); /* one of these two */
    bool (*of_games)(games *g, const question *q);
} answer;

static const answer answers[] = {
    {.path = "/api/notations", .parameters = "", .of_rules = answer_notations},
    {.path = "/api/convert",
     .parameters = "text from to start chess960 lossy ",
     .takes_body = true,
     .of_rules = answer_convert},
    {.path = "/api/status", .parameters = "fen chess960 any ", .of_rules = answer_status},
    {.path = "/api/info", .parameters = "tables ", .of_games = answer_info},
    {.path = "/api/explore", .parameters = "fen moves limit chess960 ", .of_games = answer_explore},
    {.path = "/api/find", .parameters = "count ", .takes = find_takes, .of_games = answer_find},
    {.path = "/api/game", .parameters = "id to ", .of_games = answer_game},
    {.path = "/api", .parameters = ""}, /* of the site itself */
};
enum { N_ANSWERS = sizeof answers / sizeof *answers };

static const answer *find_answer(const char *path, size_t n)
{
    for (size_t i = 0; i < N_ANSWERS; i++)
        if (strncmp(answers[i].path, path, n) == 0 && answers[i].path[n] == '\0')
            return &answers[i];
    return NULL;
}

bool names_have(const char *names, const char *name)
{
    const size_t n = strlen(name);
    for (const char *s = names; *s; s += strcspn(s, " ") + 1)
        if (strcspn(s, " ") == n && strncmp(s, name, n) == 0)
            return true;
    return false;
}

/* Those of the query string, and of a body that holds some. */
static bool read_params(const answer *a, question *q)
{
    const params *p = q->params;
    if (a->takes_body && !add_body_params(q))
        return false;
    for (size_t i = 0; i < p->n; i++)
        if (!names_have(a->parameters, params_name(p, i)) && !(a->takes && a->takes(params_name(p, i))))
            return problem_tell(q->problem, PROBLEM_ASKED, "%s has no parameter %.100s", a->path, params_name(p, i));
    return true;
}

static bool answer_api(const site *s, const answer *a, question *q)
{
    if (!read_params(a, q))
        return false;
    if (a->of_rules)
        return a->of_rules(q);
    if (!a->of_games)
        return answer_site(s, q);
    return s->games ? a->of_games(s->games, q) : problem_tell(q->problem, PROBLEM_ABSENT, "no database is served");
}

/* ---- All -------------------------------------------------------------------------------------------------------- */

static bool takes_method(const char *method, bool takes_body)
{
    return strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0 || (takes_body && strcmp(method, "POST") == 0);
}

static bool answer_path(const site *s, question *q)
{
    const char *target = q->request->target;
    const size_t n = strcspn(target, "?");
    const asset *file = find_asset(target, n);
    const answer *a = find_answer(target, n);
    params p;
    if (!file && !a)
        return problem_tell(q->problem, PROBLEM_ABSENT, "there is nothing at this path");
    if (!takes_method(q->request->method, a && a->takes_body)) {
        response_header(q->response, "Allow", a && a->takes_body ? "GET, HEAD, POST" : "GET, HEAD");
        return problem_tell(q->problem, 405, "%s is not for %s", a ? a->path : file->path, q->request->method);
    }
    if (file)
        return answer_file(file, q);
    if (!params_read(&p, target + n + (target[n] == '?'), q->problem))
        return false;
    q->params = &p;
    const bool is_good = answer_api(s, a, q);
    params_free(&p);
    return is_good;
}

static bool answer_request(const site *s, question *q)
{
    const request *r = q->request;
    if (!r->host)
        return problem_tell(q->problem, 400, "the request has no Host");
    if (!is_own_host(r->host))
        return problem_tell(q->problem, 403, "this server is localhost or an address in numbers, not \"%.100s\"",
                            r->host);
    if (r->is_too_large)
        return problem_tell(q->problem, PROBLEM_TOO_LARGE, "a body has at most %d bytes", REQUEST_BODY_MAX);
    return answer_path(s, q);
}

void site_answer(site *s, const request *r, response *out)
{
    problem p = {0};
    question q = {.request = r, .response = out, .problem = &p};
    *out = (response){.status = 0};
    add_safety(out);
    if (answer_request(s, &q) && out->body.has_failed)
        problem_no_memory(&p);
    if (p.status)
        write_problem(out, &p);
    out->status = out->status ? out->status : 200;
    if (out->status == 304)
        return;
    if (p.status || !has_header(out, "Content-Type"))
        response_header(out, "Content-Type", "application/json");
    if (!has_header(out, "Cache-Control"))
        response_header(out, "Cache-Control", "no-store");
}

site *site_new(const char *path, problem *p)
{
    site *s = calloc(1, sizeof *s);
    const char *slash = path ? strrchr(path, '/') : NULL;
    if (!s || !path) {
        if (!s)
            problem_no_memory(p);
        return s;
    }
    s->name = strdup(slash ? slash + 1 : path);
    s->games = s->name ? games_open(path, p) : NULL;
    if (s->games)
        return s;
    if (!s->name)
        problem_no_memory(p);
    site_free(s);
    return NULL;
}

void site_free(site *s)
{
    if (!s)
        return;
    games_close(s->games);
    free(s->name);
    free(s);
}
