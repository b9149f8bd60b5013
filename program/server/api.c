/*
 * api.c - answers that need no database: notations, conversions, positions.
 */
#include "convert.h"
#include "server.h"
#include "status.h"

#include <string.h>

enum { GUESS_SIZE = 1 << 16 };

/* ---- Notations -------------------------------------------------------------------------------------------------- */

bool answer_notations(const question *q)
{
    static const char about[] = "{'name':%s,'summary':%s,'cannot_hold':%s";
    buffer *out = &q->response->body;
    const tby_position_notation *p;
    const tby_move_notation *m;
    const tby_game_notation *g;
    json_add(out, "{'positions':[");
    for (size_t i = 0; (p = tby_position_notation_at(i)) != NULL; i++) {
        json_add(out, about, p->name, p->summary, p->cannot_hold);
        json_add(out, "'reads':%i,'one_line':%i}", p->read != NULL, p->one_line);
    }
    json_add(out, "],'moves':[");
    for (size_t i = 0; (m = tby_move_notation_at(i)) != NULL; i++) {
        json_add(out, about, m->line_name, m->summary, m->cannot_hold);
        json_add(out, "}");
    }
    json_add(out, "],'games':[");
    for (size_t i = 0; (g = tby_game_notation_at(i)) != NULL; i++) {
        json_add(out, about, g->name, g->summary, g->cannot_hold);
        json_add(out, "'endings':[");
        for (const char *s = g->endings; *s; s += strspn(s, " ")) { /* ".json .jsonl" */
            json_add(out, "%.*s", (int)strcspn(s, " "), s);
            s += strcspn(s, " ");
        }
        json_add(out, "],'binary':%i}", g->is_binary);
    }
    buffer_string(out, "]}\n");
    return true;
}

/* The text without the spaces around it. */
static span trimmed(span text)
{
    for (; text.n && strchr(" \t", *text.s); text.n--)
        text.s++;
    while (text.n && strchr(" \t\r", text.s[text.n - 1]))
        text.n--;
    return text;
}

/* The part before the first of these two characters, or all; `*rest` begins with it. */
static span cut(span *rest, char a, char b)
{
    const char *s = rest->s;
    size_t n = 0;
    while (n < rest->n && s[n] != a && s[n] != b)
        n++;
    *rest = (span){s + n, rest->n - n};
    return (span){s, n};
}

/* A user's pattern may have no description; then its query is used instead. */
static void write_own_patterns(buffer *out, const patterns *own)
{
    span text = {own->text.s, own->text.n}, line;
    while (span_line(&text, &line)) {
        line = trimmed(line);
        if (line.n == 0 || *line.s == '#')
            continue;
        const span name = cut(&line, ' ', '\t');
        line = trimmed(line);
        const span meaning = trimmed(cut(&line, '\t', '\t')), sentence = trimmed(line);
        const span shown = sentence.n ? sentence : meaning;
        json_add(out, "{'name':%.*s,'query':%.*s,'sentence':%.*s}", (int)name.n, name.s, (int)meaning.n, meaning.s,
                 (int)shown.n, shown.s);
    }
}

bool answer_patterns(const patterns *own, const question *q)
{
    buffer *out = &q->response->body;
    const tby_query_pattern *p;
    buffer_string(out, "{\"patterns\":[");
    for (size_t i = 0; (p = tby_query_pattern_at(i)) != NULL; i++)
        json_add(out, "{'name':%s,'query':%s,'sentence':%s}", p->name, p->query, p->sentence);
    if (own)
        write_own_patterns(out, own);
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
    json_add(out, "'errors':[");
    for (span rest = {lines.s, lines.n}, line; span_line(&rest, &line);)
        json_add(out, "%.*s", (int)line.n, line.s);
    buffer_string(out, "]");
    buffer_free(&lines);
}

static void write_losses(buffer *out, const losses *lost)
{
    json_add(out, "'lost':[");
    for (size_t i = 0; i < lost->n; i++)
        json_add(out, "{'what':%.*s,'n':%llu}", (int)strcspn(lost->list[i].what, ":"), lost->list[i].what,
                 (unsigned long long)lost->list[i].n);
    json_add(out, "]");
}

/* A text in memory, which ends when the answer would be too large. */
typedef struct memory {
    span rest; /* first, so that text_part_read can read it */
    bool is_too_large;
} memory;

static bool memory_line(void *context, const char **s, size_t *n)
{
    span line;
    if (!span_line(&((memory *)context)->rest, &line))
        return false;
    *s = line.s;
    *n = line.n - (line.n && line.s[line.n - 1] == '\r');
    return true;
}

static void memory_end(void *context)
{
    memory *m = context;
    m->is_too_large = true;
    m->rest.n = 0;
}

/* One notation of the answer. */
static bool convert_to(const question *q, conversion *c, const notation *to, span text)
{
    buffer *out = &q->response->body;
    conversion_result result = {.n_failed = 0};
    memory m = {.rest = {text.s, text.n}};
    conversion_text from = {.context = &m, .read = text_part_read, .line = memory_line, .hand_over = memory_end};
    c->to = *to;
    c->result_size = RESPONSE_BODY_MAX - (out->n < RESPONSE_BODY_MAX ? out->n : RESPONSE_BODY_MAX);
    const bool has_memory = convert_part(c, &from, &result);
    if (has_memory && !m.is_too_large) {
        json_add(out, "%s:{", to->name);
        write_output(out, c, &result);
        write_notes(out, &result.notes);
        write_losses(out, &result.lost);
        buffer_string(out, "}");
    }
    result_clear(&result);
    if (!has_memory)
        return problem_no_memory(q->problem);
    return !m.is_too_large ||
           problem_set(q->problem, PROBLEM_TOO_LARGE, "the answer would have more than %d bytes", RESPONSE_BODY_MAX);
}

/* The notations of `list`, separated by commas; NULL: all. */
static bool convert_to_all(const question *q, conversion *c, span text, const char *list)
{
    enum { LIST_MAX = 32 };
    notation to;
    for (size_t i = 0, n; list ? *list != '\0' : notation_at(&to, i); i++) {
        if (list && !notation_find(&to, list, n = strcspn(list, ",")))
            return problem_set(q->problem, PROBLEM_ASKED, "to: unknown notation %.*s", n < 100 ? (int)n : 100, list);
        if (list && i == LIST_MAX)
            return problem_set(q->problem, PROBLEM_ASKED, "to has more than %d notations", LIST_MAX);
        if (!convert_to(q, c, &to, text))
            return false;
        if (list)
            list += n + (list[n] == ',');
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
        const bool is_known = notation_find(&c->from, name, strlen(name)) &&
                              (c->from.kind != KIND_POSITION || c->from.position->read);
        return is_known || problem_set(q->problem, PROBLEM_ASKED,
                                       "from: unknown notation %.100s, or one that cannot be read", name);
    }
    const span first = {text.s, text.n < GUESS_SIZE ? text.n : GUESS_SIZE};
    tby_likeness likeness;
    const tby_game_notation *game = tby_game_notation_guess("", 0, first.s, first.n, &likeness);
    return notation_guess(&c->from, first, game, likeness, &c->start) ||
           problem_set(q->problem, PROBLEM_ASKED, "no notation matches this text");
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
        return problem_set(q->problem, PROBLEM_ASKED, "the parameter text is missing");
    if (value && is_post && !q->has_body_params)
        return problem_set(q->problem, PROBLEM_ASKED, "the text is given twice, as body and as parameter");
    *out = value ? (span){value, strlen(value)} : body_of(q);
    return true;
}

bool answer_convert(const question *q)
{
    conversion c = {.name = "text", .first_game = 1, .last_game = UINT64_MAX};
    bool is_chess960;
    span text = {NULL, 0};
    if (!question_text(&text, q) || !question_switch(&c.is_lossy, q, "lossy") ||
        !question_switch(&is_chess960, q, "chess960"))
        return false;
    c.flags = is_chess960 ? TBY_NOTATION_CHESS960 : 0;
    if (!read_start(&c, q) || !read_from(&c, q, text))
        return false;
    json_add(&q->response->body, "{'from':%s,'to':{", c.from.name);
    const bool is_good = convert_to_all(q, &c, text, params_value(q->params, "to"));
    buffer_string(&q->response->body, "}}\n");
    return is_good;
}

/* ---- Positions -------------------------------------------------------------------------------------------------- */

bool question_position(tby_position *out, bool *is_chess960, const question *q)
{
    const char *fen = params_value(q->params, "fen"), *moves = params_value(q->params, "moves");
    bool ignored;
    is_chess960 = is_chess960 ? is_chess960 : &ignored;
    fen = fen ? fen : "startpos";
    return question_switch(is_chess960, q, "chess960") &&
           fen_position(out, fen_named(fen, strlen(fen)), *is_chess960 ? TBY_FEN_CHESS960 : 0, TBY_FAULTS_UNREACHABLE,
                        q->problem) &&
           (!moves || line_read(out, NULL, "moves", moves, q->problem));
}

bool answer_status(const question *q)
{
    const char *value = params_value(q->params, "fen");
    const span fen = value ? fen_named(value, strlen(value)) : fen_named("startpos", strlen("startpos"));
    bool is_chess960, is_any;
    status s;
    if (!question_switch(&is_chess960, q, "chess960") || !question_switch(&is_any, q, "any") ||
        !status_read(&s, fen, is_chess960 ? TBY_FEN_CHESS960 : 0, is_any ? TBY_FAULTS_UNREACHABLE : 0, q->problem))
        return false;
    status_write_json(&q->response->body, &s);
    return true;
}
