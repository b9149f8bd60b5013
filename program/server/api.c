/*
 * api.c - answers that need no database: notations, conversions, positions.
 */
#include "convert.h"
#include "server.h"
#include "status.h"

#include <string.h>

enum { GUESS_SIZE = 1 << 16 };

/* ---- Notations -------------------------------------------------------------------------------------------------- */

static void write_member(buffer *out, const char *name, const char *value)
{
    buffer_printf(out, "\"%s\":", name);
    buffer_json_string(out, value);
}

static void begin_notation(buffer *out, bool is_first, const char *name, const char *summary, const char *cannot_hold)
{
    buffer_string(out, is_first ? "{" : ",{");
    write_member(out, "name", name);
    buffer_string(out, ",");
    write_member(out, "summary", summary);
    buffer_string(out, ",");
    write_member(out, "cannot_hold", cannot_hold);
}

static const char *truth(bool value) { return value ? "true" : "false"; }

/* ".json .jsonl" becomes [".json",".jsonl"]. */
static void write_endings(buffer *out, const char *s)
{
    buffer_string(out, ",\"endings\":[");
    for (bool is_first = true; *s; is_first = false) {
        const size_t n = strcspn(s, " ");
        buffer_string(out, is_first ? "" : ",");
        buffer_json(out, s, n);
        s += n + (s[n] == ' ');
    }
    buffer_string(out, "]");
}

bool answer_notations(const question *q)
{
    buffer *out = &q->response->body;
    const tby_position_notation *p;
    const tby_move_notation *m;
    const tby_game_notation *g;
    buffer_string(out, "{\"positions\":[");
    for (size_t i = 0; (p = tby_position_notation_at(i)) != NULL; i++) {
        begin_notation(out, i == 0, p->name, p->summary, p->cannot_hold);
        buffer_printf(out, ",\"reads\":%s,\"one_line\":%s}", truth(p->read != NULL), truth(p->one_line));
    }
    buffer_string(out, "],\"moves\":[");
    for (size_t i = 0; (m = tby_move_notation_at(i)) != NULL; i++) {
        begin_notation(out, i == 0, m->line_name, m->summary, m->cannot_hold);
        buffer_string(out, "}");
    }
    buffer_string(out, "],\"games\":[");
    for (size_t i = 0; (g = tby_game_notation_at(i)) != NULL; i++) {
        begin_notation(out, i == 0, g->name, g->summary, g->cannot_hold);
        write_endings(out, g->endings);
        buffer_printf(out, ",\"binary\":%s}", truth(g->is_binary));
    }
    buffer_string(out, "]}\n");
    return true;
}

static void write_pattern(buffer *out, bool is_first, span name, span query, span sentence)
{
    buffer_string(out, is_first ? "{\"name\":" : ",{\"name\":");
    buffer_json(out, name.s, name.n);
    buffer_string(out, ",\"query\":");
    buffer_json(out, query.s, query.n);
    buffer_string(out, ",\"sentence\":");
    buffer_json(out, sentence.s, sentence.n);
    buffer_string(out, "}");
}

/* The first n bytes without the spaces around them. */
static span trimmed(const char *s, size_t n)
{
    while (n && (*s == ' ' || *s == '\t')) {
        s++;
        n--;
    }
    while (n && strchr(" \t\r", s[n - 1]))
        n--;
    return (span){s, n};
}

/* A user's pattern may have no description; then its query is used instead. */
static void write_own_patterns(buffer *out, const patterns *own, bool is_first)
{
    const char *s = own->text.s, *end = s + own->text.n;
    for (const char *next; s && s < end; s = next) {
        const char *line_end = memchr(s, '\n', (size_t)(end - s));
        line_end = line_end ? line_end : end;
        next = line_end < end ? line_end + 1 : end;
        const span line = trimmed(s, (size_t)(line_end - s));
        if (line.n == 0 || *line.s == '#')
            continue;
        size_t n = 0;
        while (n < line.n && line.s[n] != ' ' && line.s[n] != '\t')
            n++;
        const span rest = trimmed(line.s + n, line.n - n);
        const char *tab = memchr(rest.s, '\t', rest.n);
        const size_t n_query = tab ? (size_t)(tab - rest.s) : rest.n;
        const span query = trimmed(rest.s, n_query), sentence = trimmed(rest.s + n_query, rest.n - n_query);
        write_pattern(out, is_first, (span){line.s, n}, query, sentence.n ? sentence : query);
        is_first = false;
    }
}

bool answer_patterns(const patterns *own, const question *q)
{
    buffer *out = &q->response->body;
    const tby_query_pattern *p;
    size_t i = 0;
    buffer_string(out, "{\"patterns\":[");
    for (; (p = tby_query_pattern_at(i)) != NULL; i++)
        write_pattern(out, i == 0, (span){p->name, strlen(p->name)}, (span){p->query, strlen(p->query)},
                      (span){p->sentence, strlen(p->sentence)});
    if (own)
        write_own_patterns(out, own, i == 0);
    buffer_string(out, "]}\n");
    return true;
}

/* ---- Conversions ------------------------------------------------------------------------------------------------ */

/* RFC 4648, with padding. */
static void write_base64(buffer *out, const char *s, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *bytes = (const unsigned char *)s;
    buffer_string(out, "\"");
    for (size_t i = 0; i < n; i += 3) {
        const size_t left = n - i;
        const unsigned word = (unsigned)bytes[i] << 16 | (left > 1 ? (unsigned)bytes[i + 1] << 8 : 0) |
                              (left > 2 ? (unsigned)bytes[i + 2] : 0);
        const char four[4] = {digits[word >> 18], digits[word >> 12 & 63], left > 1 ? digits[word >> 6 & 63] : '=',
                              left > 2 ? digits[word & 63] : '='};
        buffer_add(out, four, 4);
    }
    buffer_string(out, "\"");
}

/* What the command prints, without the last line end; null if that is only empty lines, because everything failed. */
static void write_output(buffer *out, const conversion *c, const conversion_result *result)
{
    const bool is_picture = c->to.kind == KIND_POSITION && !c->to.position->one_line;
    const bool is_binary = c->to.kind == KIND_GAME && c->to.game->is_binary;
    const char *s = result->out.n ? result->out.s : "";
    size_t n = result->out.n, n_empty = 0;
    while (n_empty < n && s[n_empty] == '\n')
        n_empty++;
    buffer_string(out, is_binary ? "\"base64\":" : "\"text\":");
    if (n_empty == n && result->n_failed) {
        buffer_string(out, "null");
    } else if (is_binary) {
        buffer file = {0};
        if (c->to.game->write_header)
            c->to.game->write_header(buffer_sink, &file);
        buffer_add(&file, s, n);
        out->has_failed = out->has_failed || file.has_failed;
        write_base64(out, file.s, file.n);
        buffer_free(&file);
    } else {
        const size_t skipped = is_picture && n; /* the empty line before the first */
        n -= n > skipped && s[n - 1] == '\n';
        buffer_json(out, s + skipped, n - skipped);
    }
}

static void write_notes(buffer *out, const report *notes)
{
    buffer lines = {0};
    report_resolve(&lines, notes, 0, 0);
    out->has_failed = out->has_failed || lines.has_failed;
    buffer_string(out, ",\"errors\":[");
    for (size_t at = 0; at < lines.n;) {
        const char *end = memchr(lines.s + at, '\n', lines.n - at);
        const size_t n = end ? (size_t)(end - lines.s) - at : lines.n - at;
        buffer_string(out, at ? "," : "");
        buffer_json(out, lines.s + at, n);
        at += n + 1;
    }
    buffer_string(out, "]");
    buffer_free(&lines);
}

static void write_losses(buffer *out, const losses *lost)
{
    buffer_string(out, ",\"lost\":[");
    for (size_t i = 0; i < lost->n; i++) {
        buffer_string(out, i ? ",{\"what\":" : "{\"what\":");
        buffer_json(out, lost->list[i].what, strcspn(lost->list[i].what, ":"));
        buffer_string(out, ",\"n\":");
        buffer_number(out, lost->list[i].n);
        buffer_string(out, "}");
    }
    buffer_string(out, "]");
}

/* A text in memory, which ends when the answer would be too large. */
typedef struct memory {
    span rest;
    bool is_too_large;
} memory;

static size_t memory_read(void *context, char *buf, size_t cap)
{
    return span_read(&((memory *)context)->rest, buf, cap);
}

static bool memory_line(void *context, const char **s, size_t *n)
{
    memory *m = context;
    if (m->rest.n == 0)
        return false;
    const char *end = memchr(m->rest.s, '\n', m->rest.n);
    *s = m->rest.s;
    *n = end ? (size_t)(end - *s) : m->rest.n;
    m->rest = end ? (span){end + 1, m->rest.n - *n - 1} : (span){*s + *n, 0};
    *n -= *n && (*s)[*n - 1] == '\r';
    return true;
}

static void memory_end(void *context)
{
    memory *m = context;
    m->is_too_large = true;
    m->rest.n = 0;
}

/* One notation of the answer. */
static bool convert_to(const question *q, conversion *c, const notation *to, span text, bool is_first)
{
    buffer *out = &q->response->body;
    conversion_result result = {.n_failed = 0};
    memory m = {.rest = {text.s, text.n}};
    conversion_text from = {.context = &m, .read = memory_read, .line = memory_line, .hand_over = memory_end};
    c->to = *to;
    c->result_size = RESPONSE_BODY_MAX - (out->n < RESPONSE_BODY_MAX ? out->n : RESPONSE_BODY_MAX);
    const bool has_memory = convert_part(c, &from, &result);
    if (has_memory && !m.is_too_large) {
        buffer_string(out, is_first ? "" : ",");
        buffer_json_string(out, to->name);
        buffer_string(out, ":{");
        write_output(out, c, &result);
        write_notes(out, &result.notes);
        write_losses(out, &result.lost);
        buffer_string(out, "}");
    }
    result_clear(&result);
    if (!has_memory)
        return problem_no_memory(q->problem);
    return !m.is_too_large ||
           problem_tell(q->problem, PROBLEM_TOO_LARGE, "the answer would have more than %d bytes", RESPONSE_BODY_MAX);
}

static bool convert_to_all(const question *q, conversion *c, span text)
{
    const tby_position_notation *p;
    const tby_move_notation *m;
    const tby_game_notation *g;
    notation to;
    bool is_good = true;
    for (size_t i = 0; is_good && (p = tby_position_notation_at(i)) != NULL; i++)
        is_good = notation_find(&to, p->name) && convert_to(q, c, &to, text, i == 0);
    for (size_t i = 0; is_good && (m = tby_move_notation_at(i)) != NULL; i++)
        is_good = notation_find(&to, m->line_name) && convert_to(q, c, &to, text, false);
    for (size_t i = 0; is_good && (g = tby_game_notation_at(i)) != NULL; i++)
        is_good = notation_find(&to, g->name) && convert_to(q, c, &to, text, false);
    return is_good;
}

/* The names of `list`, separated by commas. */
static bool convert_to_some(const question *q, conversion *c, span text, const char *list)
{
    enum { NAME_SIZE = 32, LIST_MAX = 32 };
    const char *at = list;
    for (size_t i = 0; *at; i++) {
        char name[NAME_SIZE];
        notation to;
        const size_t n = strcspn(at, ",");
        if (n < sizeof name) {
            memcpy(name, at, n);
            name[n] = '\0';
        }
        if (n >= sizeof name || !notation_find(&to, name))
            return problem_tell(q->problem, PROBLEM_ASKED, "to: unknown notation %.*s", n < 100 ? (int)n : 100, at);
        if (i == LIST_MAX)
            return problem_tell(q->problem, PROBLEM_ASKED, "to has more than %d notations", LIST_MAX);
        if (!convert_to(q, c, &to, text, i == 0))
            return false;
        at += n + (at[n] == ',');
    }
    return true;
}

static bool read_start(conversion *c, const question *q)
{
    const char *start = params_value(q->params, "start");
    tby_position_start(&c->start);
    return !start ||
           fen_position(&c->start, fen_named(start, strlen(start)),
                        c->flags & TBY_NOTATION_CHESS960 ? TBY_FEN_CHESS960 : 0, TBY_FAULTS_UNREACHABLE, q->problem);
}

static bool read_from(conversion *c, const question *q, span text)
{
    const char *name = params_value(q->params, "from");
    if (name) {
        const bool is_known = notation_find(&c->from, name) &&
                              (c->from.kind != KIND_POSITION || c->from.position->read);
        return is_known || problem_tell(q->problem, PROBLEM_ASKED,
                                        "from: unknown notation %.100s, or one that cannot be read", name);
    }
    const span first = {text.s, text.n < GUESS_SIZE ? text.n : GUESS_SIZE};
    tby_likeness likeness;
    const tby_game_notation *game = tby_game_notation_guess("", 0, first.s, first.n, &likeness);
    return notation_guess(&c->from, first, game, likeness, &c->start) ||
           problem_tell(q->problem, PROBLEM_ASKED, "no notation matches this text");
}

static span body_of(const question *q)
{
    return q->request->n_body ? (span){q->request->body, q->request->n_body} : (span){"", 0};
}

/* A JSON object with a member "text" is not a game in JSON, which has none. */
bool add_body_params(question *q)
{
    params inside = {.n = 0};
    problem p = {0};
    if (strcmp(q->request->method, "POST") != 0 || params_value(q->params, "from"))
        return true;
    const bool has_text = params_add_json(&inside, body_of(q), &p) && params_value(&inside, "text");
    params_free(&inside);
    if (p.status == PROBLEM_NOT_NOW)
        return problem_no_memory(q->problem);
    q->has_body_params = has_text;
    return !has_text || params_add_json(q->params, body_of(q), q->problem);
}

bool question_text(span *out, const question *q)
{
    const char *value = params_value(q->params, "text");
    const bool is_post = strcmp(q->request->method, "POST") == 0;
    if (!value && !is_post)
        return problem_tell(q->problem, PROBLEM_ASKED, "the parameter text is missing");
    if (value && is_post && !q->has_body_params)
        return problem_tell(q->problem, PROBLEM_ASKED, "the text is given twice, as body and as parameter");
    *out = value ? (span){value, strlen(value)} : body_of(q);
    return true;
}

bool answer_convert(const question *q)
{
    conversion c = {.name = "text", .first_game = 1, .last_game = UINT64_MAX};
    const char *to = params_value(q->params, "to");
    bool is_chess960;
    span text = {NULL, 0};
    if (!question_text(&text, q) || !params_switch(&c.is_lossy, q->params, "lossy", q->problem) ||
        !params_switch(&is_chess960, q->params, "chess960", q->problem))
        return false;
    c.flags = is_chess960 ? TBY_NOTATION_CHESS960 : 0;
    if (!read_start(&c, q) || !read_from(&c, q, text))
        return false;
    buffer_string(&q->response->body, "{\"from\":");
    buffer_json_string(&q->response->body, c.from.name);
    buffer_string(&q->response->body, ",\"to\":{");
    const bool is_good = to ? convert_to_some(q, &c, text, to) : convert_to_all(q, &c, text);
    buffer_string(&q->response->body, "}}\n");
    return is_good;
}

/* ---- Positions -------------------------------------------------------------------------------------------------- */

bool answer_status(const question *q)
{
    const char *value = params_value(q->params, "fen");
    const span fen = value ? fen_named(value, strlen(value)) : fen_named("startpos", strlen("startpos"));
    bool is_chess960, is_any;
    status s;
    if (!params_switch(&is_chess960, q->params, "chess960", q->problem) ||
        !params_switch(&is_any, q->params, "any", q->problem) ||
        !status_read(&s, fen, is_chess960 ? TBY_FEN_CHESS960 : 0, is_any ? TBY_FAULTS_UNREACHABLE : 0, q->problem))
        return false;
    status_write_json(&q->response->body, &s);
    return true;
}
