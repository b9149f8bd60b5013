/*
 * site.c - turns a request into a response: host, path, method, headers, files.
 *
 * Keeps    a path is looked up in two tables, the files in the program and the answers below, and nowhere else. Every
 *          response has the security headers.
 */
#include "describe.h"
#include "engine_files.h"
#include "metrics.h"
#include "os/file.h"
#include "os/socket.h"
#include "site_files.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct site {
    site_options options;
    games *games;     /* NULL: no database */
    char *name;       /* of its file, without the folder, or of the server's database */
    buffer home;      /* "/chess/", where the board is; empty: at the root */
    char caching[40]; /* the Cache-Control of answers from the database, if they may be cached; "" otherwise */
};

/* ---- Headers ---------------------------------------------------------------------------------------------------- */

/* WebAssembly counts as evaluated code; images made in the page are data: and blob:. Nothing comes from elsewhere. */
static const char policy[] = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
                             "img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; frame-src 'self'; "
                             "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/* Of the frame in which the page runs an engine: any script, but no network and no access to the page. */
static const char frame_policy[] = "sandbox allow-scripts; default-src 'none'; "
                                   "script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; "
                                   "connect-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

void response_header(response *r, const char *name, const char *value)
{
    assert(r->n_headers < RESPONSE_HEADERS_MAX);
    r->headers[r->n_headers].name = name;
    r->headers[r->n_headers++].value = value;
}

/* The origin that may read the answer, to be sent back; NULL if it is not allowed. */
static const char *allowed_origin(const site *s, const request *r)
{
    const char *const *at = s->options.origins;
    for (; at && *at; at++)
        if (strcmp(*at, "*") == 0 || (r->origin && strcmp(*at, r->origin) == 0))
            return *at;
    return NULL;
}

/* `file` is NULL for what is no file. */
static void add_safety(const site *s, const asset *file, response *out)
{
    const bool is_frame = file && strcmp(file->path, "/engine-frame.html") == 0;
    response_header(out, "Content-Security-Policy", is_frame ? frame_policy : policy);
    if (s->options.browser_engine && file &&
        (is_frame || strcmp(file->path, "/") == 0)) /* its engine may use threads */
        response_header(out, "Cross-Origin-Embedder-Policy", "require-corp");
    response_header(out, "X-Content-Type-Options", "nosniff");
    response_header(out, "Referrer-Policy", "no-referrer");
    response_header(out, "Cross-Origin-Opener-Policy", "same-origin");
}

/* Files are the same for everybody, and pages of other origins may use them (tabiya-embed.js), except the page itself. */
static void add_sharing(const site *s, const request *r, const asset *file, response *out)
{
    const bool is_file = file && strcmp(file->path, "/") != 0;
    const char *origin = is_file ? "*" : allowed_origin(s, r);
    response_header(out, "Cross-Origin-Resource-Policy", origin ? "cross-origin" : "same-origin");
    if (origin)
        response_header(out, "Access-Control-Allow-Origin", origin);
}

static bool has_header(const response *r, const char *name)
{
    for (size_t i = 0; i < r->n_headers; i++)
        if (strcmp(r->headers[i].name, name) == 0)
            return true;
    return false;
}

/* ---- Errors ----------------------------------------------------------------------------------------------------- */

/* Turns the problem into {"error":"..."}, with its location in a query if it has one. If even that runs out of memory,
   a fixed text says so. */
static void write_problem(response *out, const problem *p)
{
    out->status = p->status;
    out->asset = NULL;
    out->etag[0] = '\0';
    buffer_clear(&out->body);
    json_add(&out->body, "{'error':%s", p->text);
    if (p->has_place)
        json_add(&out->body, "'offset':%zu,'length':%zu", p->offset, p->length);
    if (p->field)
        json_add(&out->body, "'field':%s", strcmp(p->field, "query") == 0 ? "q" : p->field);
    if (p->near[0]) {
        json_add(&out->body, "'near':[");
        for (const char *s = p->near; *s; s += strlen(s) + 1)
            json_add(&out->body, "%s", s);
        json_add(&out->body, "]");
    }
    buffer_string(&out->body, "}\n");
    if (out->body.has_failed) {
        buffer_free(&out->body);
        out->status = PROBLEM_NOT_NOW;
        out->fixed = "{\"error\":\"out of memory\"}\n";
    }
    if (out->status == PROBLEM_NOT_NOW || out->status == PROBLEM_TOO_MANY)
        response_header(out, "Retry-After", "1");
}

/* ---- Hosts ------------------------------------------------------------------------------------------------------ */

/* localhost, a numeric address, or a name given with --host: anybody can make other names point here. */
static bool is_own_name(const site *s, const char *name)
{
    os_address address;
    for (const char *const *at = s->options.hosts; at && *at; at++)
        if (strcasecmp(*at, name) == 0)
            return true;
    return strcasecmp(name, "localhost") == 0 || (os_address_read(&address, name) && !address.is_v6);
}

/* What follows the name: nothing, or a port. */
static bool is_port(const char *s)
{
    uint64_t port;
    return !*s || (*s == ':' && digits_read(&port, s + 1, 65535));
}

static bool is_own_host(const site *s, const char *host)
{
    enum { NAME_MAX_LENGTH = 253 };
    char name[NAME_MAX_LENGTH + 2];
    os_address address;
    const bool has_brackets = *host == '[';
    const size_t n = has_brackets ? strcspn(host, "]") : strcspn(host, ":");
    if (n >= sizeof name || (has_brackets && !host[n]) || !is_port(host + n + has_brackets))
        return false;
    memcpy(name, host, n);
    name[n] = '\0';
    return has_brackets ? os_address_read(&address, name + 1) && address.is_v6 : is_own_name(s, name);
}

/* ---- The table of answers --------------------------------------------------------------------------------------- */

static void answer_browser_engine(buffer *out, const engine_files *files)
{
    json_add(out, "'browser_engine':[");
    for (size_t i = 0; i < files->n; i++)
        if (engine_file_name(&files->of[i]))
            json_add(out, "%s", engine_file_name(&files->of[i]));
    json_add(out, "]");
}

static bool answer_site(const site *s, const question *q)
{
    buffer *out = &q->response->body;
    json_add(out, "{'name':'tabiya','version':%s,'database':%s", tby_version(), s->name);
    if (s->options.engines)
        json_add(out, "'engine':%s,'engine_threads':%u", s->options.engines->name, s->options.engines->options.threads);
    else
        json_add(out, "'engine':null");
    if (s->options.browser_engine)
        answer_browser_engine(out, s->options.browser_engine);
    buffer_string(out, s->options.token ? ",\"writes\":true}\n" : "}\n");
    return true;
}

static bool answer_health(const site *s, const question *q)
{
    buffer_string(&q->response->body, "{\"status\":\"ok\"}\n");
    return !s->games || games_check(s->games, q);
}

static bool answer_metrics(const site *s, const question *q)
{
    if (!s->options.metrics)
        return problem_set(q->problem, PROBLEM_ABSENT, "this server has no metrics");
    metrics_write(&q->response->body, s->options.metrics);
    if (s->games)
        games_write_metrics(s->games, s->name, &q->response->body);
    response_header(q->response, "Content-Type", "text/plain; version=0.0.4; charset=utf-8");
    return true;
}

static bool answer_site_patterns(const site *s, const question *q) { return answer_patterns(s->options.patterns, q); }

static bool answer_description(const site *s, const question *q);

/* What the paths of the public opening explorer take, and a query; like it, they ignore everything else. Some have an
   older name. */
#define EXPLORER(of) .ignores_others = true, .of_games = answer_explorer, .kind = (of)
#define USUAL "variant fen play since until moves history q "

static const answer answers[] = {
    {"/api/notations", WEIGHT_LIGHT, "", .of_rules = answer_notations, .summary = "Every notation."},
    {"/api/patterns", WEIGHT_LIGHT, "", .of_site = answer_site_patterns,
     .summary = "The named patterns that a query may use."},
    {"/api/convert", WEIGHT_HEAVY, "text from to start chess960 lossy ", NULL, true, .of_rules = answer_convert,
     .summary = "A text in other notations."},
    {"/api/status", WEIGHT_LIGHT, "fen chess960 any ", .of_rules = answer_status,
     .summary = "What the rules say about a position."},
    {"/api/info", WEIGHT_MIDDLE, "tables ", .of_games = answer_info, .summary = "The contents of the database."},
    {"/api/explore", WEIGHT_MIDDLE, "fen moves match limit chess960 ", explore_takes, .of_games = answer_explore,
     .summary = "Moves played in a position, or where a query first held, the most played first."},
    {"/api/find", WEIGHT_HEAVY, "count soon sort ", find_takes, .of_games = answer_find,
     .summary = "Games that match all conditions."},
    {"/api/names", WEIGHT_MIDDLE, "prefix limit ", .of_games = answer_names,
     .summary = "Players whose names match what was typed, with their numbers of games."},
    {"/api/understand", WEIGHT_MIDDLE, "text ", .of_games = answer_understand,
     .summary = "What a text typed into the search field means, part by part, and what else it may mean."},
    {"/api/report", WEIGHT_HEAVY, "player color limit ", report_takes, .of_games = answer_report,
     .summary = "A player's results: by colour, opening, variation, year, rating and opponent."},
    {"/api/novelty", WEIGHT_HEAVY, "text id any_date ", NULL, true, .of_games = answer_novelty,
     .summary = "The first new move of a game: no other game of the database reaches the position after it."},
    {"/api/repertoire/gaps", WEIGHT_HEAVY, "lines side ", find_takes, true, .of_games = answer_repertoire,
     .kind = REPERTOIRE_GAPS, .summary = "Opponents' moves that the lines do not cover."},
    {"/api/repertoire/deviations", WEIGHT_HEAVY, "lines side ", find_takes, true, .of_games = answer_repertoire,
     .kind = REPERTOIRE_DEVIATIONS, .summary = "Where games left the lines."},
    {"/api/analyse", WEIGHT_HEAVY, "fen moves chess960 lines depth seconds threads ", .of_engines = answer_analyse,
     .summary = "An engine's evaluation of a position, as server-sent events: `lines`, `done` and `error`."},
    {"/api/annotate", WEIGHT_HEAVY, "text depth time threads ", NULL, true, .of_engines = answer_annotate,
     .summary = "A game with an engine's evaluations and marks for mistakes: server-sent events `evaluation`, `game` "
                "and `error`."},
    {"/api/game", WEIGHT_LIGHT, "id to ", .of_games = answer_game, .summary = "One game."},
    {"/api/games", WEIGHT_MIDDLE, "", .changes = "POST", .of_games = answer_save, .summary = "Save a game."},
    {"/api/games/{id}", WEIGHT_MIDDLE, "id ", .changes = "PUT, DELETE", .of_games = answer_save,
     .summary = "PUT: Replace a game, which stays in its collections.|DELETE: Delete a game."},
    {"/api/collections", WEIGHT_MIDDLE, "game ", .of_games = answer_collections,
     .summary = "The collections: named sets of games."},
    {"/api/collections/{name}", WEIGHT_HEAVY, "name ids ", find_takes, .changes = "POST, DELETE",
     .of_games = answer_collect,
     .summary = "POST: Add games to a collection: those of `ids`, or all that match the conditions of "
                "/api/find.|DELETE: Remove games from a collection or, without `ids` and conditions, delete the "
                "collection; the games stay in the database."},
    {"/api", WEIGHT_LIGHT, "", .of_site = answer_site, .summary = "What is served."},
    {"/api/openapi.json", WEIGHT_LIGHT, "", .of_site = answer_description, .summary = "This description."},
    {"/health", WEIGHT_LIGHT, "", .of_site = answer_health, .summary = "Whether the database can be read."},
    {"/metrics", WEIGHT_NONE, "", .of_site = answer_metrics,
     .summary = "Counts and durations of requests, in Prometheus' text format."},
    {"/lichess", WEIGHT_HEAVY, USUAL "speeds ratings topGames recentGames modes ", EXPLORER(EXPLORER_LICHESS),
     .summary = "The games of the database, in the format of the public opening explorer for games of players."},
    {"/lichess/history", WEIGHT_HEAVY, USUAL "speeds ratings modes ", EXPLORER(EXPLORER_HISTORY),
     .summary = "The history of /lichess alone."},
    {"/masters", WEIGHT_HEAVY, USUAL "topGames ", EXPLORER(EXPLORER_MASTERS),
     .summary = "The same in the format for games of masters."},
    {"/master", WEIGHT_HEAVY, USUAL "topGames ", EXPLORER(EXPLORER_MASTERS), .summary = "The older name of /masters."},
    {"/masters/pgn/{id}", WEIGHT_LIGHT, "id ", .ignores_others = true, .of_games = answer_masters_pgn,
     .summary = "A game as PGN, by the id from /masters."},
    {"/master/pgn/{id}", WEIGHT_LIGHT, "id ", .ignores_others = true, .of_games = answer_masters_pgn,
     .summary = "The older name of /masters/pgn/{id}."},
    {"/player", WEIGHT_HEAVY, USUAL "player color speeds ratings recentGames modes ", EXPLORER(EXPLORER_PLAYER),
     .summary = "The same in the format for the games of one player: one line of JSON."},
    {"/personal", WEIGHT_HEAVY, USUAL "player color speeds ratings recentGames modes ", EXPLORER(EXPLORER_PLAYER),
     .summary = "The older name of /player."},
};
enum { N_ANSWERS = sizeof answers / sizeof *answers };

static bool answer_description(const site *s, const question *q)
{
    (void)s;
    describe_answers(&q->response->body, answers, N_ANSWERS);
    return true;
}

static const answer *find_answer(const char *path, size_t n)
{
    for (size_t i = 0; i < N_ANSWERS; i++) {
        const char *known = answers[i].path;
        const size_t fixed = strcspn(known, "{");
        if (strncmp(known, path, n) == 0 && known[n] == '\0' && !known[fixed])
            return &answers[i];
        if (known[fixed] && n > fixed && strncmp(known, path, fixed) == 0 && !memchr(path + fixed, '/', n - fixed))
            return &answers[i];
    }
    return NULL;
}

/* The part of the path that is a parameter, if there is one. */
static bool add_path_param(params *p, const answer *a, const char *path, size_t n, problem *why)
{
    char name[16];
    const size_t fixed = strcspn(a->path, "{");
    if (!a->path[fixed])
        return true;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(a->path + fixed + 1, "}"), a->path + fixed + 1);
    return params_add(p, name, (span){path + fixed, n - fixed}, why);
}

static bool is_known_param(const answer *a, const char *name)
{
    return list_has(a->parameters, ' ', name) || (a->takes && a->takes(name));
}

/* Names that people try, and ours, if the path takes it. */
static bool unknown_param(const answer *a, const char *name, problem *why)
{
    static const char *const others[][2] = {
        {"query", "q"},     {"search", "q"},    {"n", "limit"},    {"count_only", "count"},
        {"max", "limit"},   {"skip", "offset"}, {"order", "sort"}, {"position", "fen"},
        {"name", "player"}, {"from", "date"},   {"since", "date"}, {"until", "date"},
        {"year", "date"},   {"format", "to"},   {"pgn", "text"},   {"q", "text"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i][0], name) == 0 && is_known_param(a, others[i][1]))
            return problem_set(why, PROBLEM_ASKED, "%s has no parameter %s; use %s", a->path, name, others[i][1]);
    return problem_set(why, PROBLEM_ASKED, "%s has no parameter %.100s", a->path, name);
}

/* Those of the query string, and of a body that holds some. */
static bool read_params(const answer *a, question *q)
{
    const params *p = q->params;
    if (a->takes_body && a->of_rules && !add_body_params(q))
        return false;
    if (a->ignores_others)
        params_keep(q->params, a->parameters);
    if (!params_check(q->params, q->problem))
        return false;
    for (size_t i = 0; i < p->n; i++)
        if (!is_known_param(a, params_name(p, i)))
            return unknown_param(a, params_name(p, i), q->problem);
    return true;
}

/* Nothing is read for a client that already has the answer for this state of the database: the tag depends on the state
   and the target, so a client that knows it has received a good answer. */
static bool answer_games(const site *s, const answer *a, const question *q)
{
    response *out = q->response;
    const char *known = q->request->if_none_match;
    const bool has_tag = !a->takes_body && games_etag(s->games, q->request->target, out->etag);
    const bool is_same = has_tag && etag_is_listed(known, out->etag);
    if (!has_tag)
        out->etag[0] = '\0';
    if (!is_same && !a->of_games(s->games, q))
        return false;
    if (is_same || etag_is_any(known)) {
        out->status = 304;
        buffer_clear(&out->body);
    }
    if (!has_header(out, "Cache-Control") && (s->caching[0] || has_tag || out->status == 304))
        response_header(out, "Cache-Control", s->caching[0] ? s->caching : "no-cache");
    return true;
}

static bool answer_api(const site *s, const answer *a, question *q)
{
    q->kind = a->kind;
    if (!read_params(a, q))
        return false;
    if (a->of_rules)
        return a->of_rules(q);
    if (a->of_engines)
        return s->options.engines
                   ? a->of_engines(s->options.engines, q)
                   : problem_set(q->problem, PROBLEM_ABSENT, "this server has no engine; start it with --engine");
    if (a->of_site)
        return a->of_site(s, q);
    if (a->changes && s->games)
        return a->of_games(s->games, q);
    return s->games ? answer_games(s, a, q) : problem_set(q->problem, PROBLEM_ABSENT, "this server has no database");
}

/* ---- All -------------------------------------------------------------------------------------------------------- */

/* The methods allowed for a file or an answer. */
static const char *methods_of(const answer *a)
{
    return a && a->changes ? a->changes : a && a->takes_body ? "GET, HEAD, POST" : "GET, HEAD";
}

static bool takes_method(const answer *a, const char *method)
{
    const size_t n = strlen(method);
    for (const char *s = methods_of(a); *s; s += strspn(s, ", ")) {
        if (strcspn(s, ",") == n && strncmp(s, method, n) == 0)
            return true;
        s += strcspn(s, ",");
    }
    return false;
}

/* Takes the same time for all tokens of the right length, so that it cannot be guessed letter by letter. */
static bool is_token(const char *token, const char *sent)
{
    const size_t n = strlen(token);
    unsigned differences = 0;
    if (strlen(sent) != n)
        return false;
    for (size_t i = 0; i < n; i++)
        differences |= (unsigned)(token[i] ^ sent[i]);
    return differences == 0;
}

/* A page from elsewhere may not change anything, even if it knew the token. */
static bool is_own_origin(const request *r)
{
    static const char scheme[] = "http://";
    return !r->origin || (r->host && strncmp(r->origin, scheme, sizeof scheme - 1) == 0 &&
                          strcasecmp(r->origin + sizeof scheme - 1, r->host) == 0);
}

static bool may_change(const site *s, const question *q)
{
    const request *r = q->request;
    if (!s->options.token)
        return problem_set(q->problem, 403, "this server does not change its database; see tabiya serve --write");
    if (!is_own_origin(r))
        return problem_set(q->problem, 403, "a page from %.100s cannot change the database", r->origin);
    return (r->token && is_token(s->options.token, r->token)) ||
           problem_set(q->problem, 403, "the token is missing or wrong: use the address that tabiya serve printed");
}

/* The preflight request of a browser, for a page of an allowed origin. */
static bool answer_options(const question *q)
{
    q->response->status = 204;
    response_header(q->response, "Access-Control-Allow-Methods", "GET, HEAD, POST");
    /* The star does not include Authorization (Fetch standard, CORS-non-wildcard request-header name). */
    response_header(q->response, "Access-Control-Allow-Headers", "*, Authorization");
    response_header(q->response, "Access-Control-Max-Age", "600");
    return true;
}

/* The target below the base; NULL if it is elsewhere. */
static const char *local_target(const site *s, const char *target)
{
    const size_t n = s->home.n ? s->home.n - 1 : 0;
    return n && strncmp(target, s->home.s, n + 1) != 0 ? NULL : target + n;
}

static web_file find_file(const site *s, const char *target)
{
    return target ? file_find(s->options.browser_engine, target, strcspn(target, "?")) : (web_file){NULL, false};
}

static bool refuse_method(const question *q, const answer *a, const char *path)
{
    response_header(q->response, "Allow", methods_of(a));
    return problem_set(q->problem, 405, "%s does not allow the method %.20s", path, q->request->method);
}

static bool answer_path(const site *s, question *q)
{
    const char *target = local_target(s, q->request->target);
    const web_file file = find_file(s, target);
    if (s->home.n && strcmp(q->request->target, s->options.base) == 0) {
        response_header(q->response, "Location", s->home.s);
        q->response->status = 308;
        return true;
    }
    const size_t n = target ? strcspn(target, "?") : 0;
    const answer *a = target ? find_answer(target, n) : NULL;
    params p;
    q->response->path = a ? a->path : file.asset ? "files" : NULL;
    if (!file.asset && !a)
        return problem_set(q->problem, PROBLEM_ABSENT, "no such path");
    if (strcmp(q->request->method, "OPTIONS") == 0 && allowed_origin(s, q->request))
        return answer_options(q);
    if (!takes_method(a, q->request->method))
        return refuse_method(q, a, a ? a->path : file.asset->path);
    if (a && a->changes && !may_change(s, q))
        return false;
    if (file.asset)
        return answer_file(&file, q);
    if (!params_read(&p, target + n + (target[n] == '?'), q->problem))
        return false;
    q->params = &p;
    const bool is_good = add_path_param(&p, a, target, n, q->problem) && answer_api(s, a, q);
    q->params = NULL;
    params_free(&p);
    return is_good;
}

weight site_weight(const site *s, const request *r)
{
    const char *target = local_target(s, r->target);
    const size_t n = target ? strcspn(target, "?") : 0;
    const answer *a = target ? find_answer(target, n) : NULL;
    if (!a)
        return WEIGHT_NONE;
    /* A query may have to be checked against every game. */
    static const char *const queries[] = {"?match=", "&match=", "?q=", "&q=", "?text=", "&text="};
    for (size_t i = 0; a->of_games && i < sizeof queries / sizeof *queries; i++)
        if (strstr(target + n, queries[i]))
            return WEIGHT_HEAVY;
    return a->weight;
}

static bool answer_request(const site *s, question *q)
{
    const request *r = q->request;
    if (r->host && !is_own_host(s, r->host)) /* optional in HTTP/1.0; http_head.c requires it in HTTP/1.1 */
        return problem_set(q->problem, 403, "this server is not called \"%.100s\"; see --host", r->host);
    if (r->is_too_large)
        return problem_set(q->problem, PROBLEM_TOO_LARGE, "the body has more than %d bytes", REQUEST_BODY_MAX);
    if (strcmp(r->target, "*") == 0 && strcmp(r->method, "OPTIONS") == 0) {
        q->response->status = 204;
        response_header(q->response, "Allow", "GET, HEAD, POST, OPTIONS");
        return true;
    }
    return answer_path(s, q);
}

/* The response to a request that was answered, or that has a problem. */
static void complete(const site *s, response *out, problem *p)
{
    if (!p->status && out->body.has_failed)
        problem_no_memory(p);
    if (p->status && out->stream) {
        out->stream->close(out->stream);
        out->stream = NULL;
    }
    if (p->status)
        write_problem(out, p);
    out->status = out->status ? out->status : 200;
    const bool has_origins = s->options.origins && *s->options.origins;
    response_header(out, "Vary", has_origins ? "Accept-Encoding, Origin" : "Accept-Encoding");
    if (out->status == 304 || out->status == 204)
        return;
    if (p->status || !has_header(out, "Content-Type"))
        response_header(out, "Content-Type", "application/json");
    if (!has_header(out, "Cache-Control"))
        response_header(out, "Cache-Control", "no-store");
}

void site_answer(site *s, const request *r, response *out)
{
    problem p = {0};
    question q = {.request = r, .response = out, .problem = &p};
    const asset *file = find_file(s, local_target(s, r->target)).asset;
    *out = (response){.status = 0};
    add_safety(s, file, out);
    answer_request(s, &q);
    add_sharing(s, r, p.status ? NULL : file, out);
    complete(s, out, &p);
    if (!has_header(out, "Content-Encoding") && out->body.n)
        response_pack(out, r->accept_encoding);
}

void site_refuse(site *s, const request *r, unsigned status, const char *why, response *out)
{
    problem p = {0};
    *out = (response){.status = 0};
    add_safety(s, NULL, out);
    add_sharing(s, r, NULL, out);
    problem_set(&p, status, "%s", why);
    complete(s, out, &p);
}

/* The last part of a path, or of a server's URL without its parameters, which may contain paths. */
static char *database_name(const char *shown)
{
    const char *end = shown + (tby_db_is_server(shown) ? strcspn(shown, "?") : strlen(shown)), *begin = end;
    while (begin > shown && !os_is_separator(begin[-1]))
        begin--;
    return begin < end ? text_copy(begin, (size_t)(end - begin)) : strdup("PostgreSQL");
}

site *site_new(const site_options *o, problem *p)
{
    site *s = calloc(1, sizeof *s);
    char shown[1024] = "";
    problem why = {0};
    if (!s) {
        problem_no_memory(p);
        return NULL;
    }
    s->options = *o;
    if (o->max_age)
        snprintf(s->caching, sizeof s->caching, "public, max-age=%u", o->max_age);
    if (o->base && *o->base)
        buffer_printf(&s->home, "%s/", o->base);
    if (o->database) {
        tby_db_name_write(shown, sizeof shown, o->database);
        s->name = o->name ? strdup(o->name) : database_name(shown);
    }
    if (s->home.has_failed || (o->database && !s->name))
        problem_no_memory(p);
    else if (!o->database || (s->games = games_open(o, &why)) != NULL)
        return s;
    else if (o->others && o->others[0]) /* the text has the name of the one that failed */
        *p = why;
    else
        problem_set(p, why.status, "%s: %s", shown, why.text);
    site_free(s);
    return NULL;
}

void site_reload(site *s)
{
    if (s->games)
        games_reopen(s->games);
}

void site_free(site *s)
{
    if (!s)
        return;
    games_close(s->games);
    free(s->name);
    buffer_free(&s->home);
    free(s);
}
