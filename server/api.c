/*
 * api.c - answers that need no database: notations, conversions, positions.
 */
#include "convert.h"
#include "server.h"
#include "status.h"

#include <string.h>

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
        begin_notation(out, i == 0, line_name(m), m->summary, m->cannot_hold);
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

/* ---- Conversions ------------------------------------------------------------------------------------------------ */

typedef struct span {
    const char *s;
    size_t n;
} span;

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

/* What the command prints, without the last line end; null if that is nothing but empty lines for what failed. */
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

/* One notation of the answer. */
static bool convert_to(const question *q, conversion *c, const notation *to, span text, bool is_first)
{
    buffer *out = &q->response->body;
    conversion_result result = {.n_failed = 0};
    part p = part_of_memory(text.s, text.n, &result);
    c->to = *to;
    c->result_size = RESPONSE_BODY_MAX - (out->n < RESPONSE_BODY_MAX ? out->n : RESPONSE_BODY_MAX);
    c->result_size += c->result_size == 0;
    convert_part(c, &p);
    const bool is_good = !p.is_ended;
    if (is_good) {
        buffer_string(out, is_first ? "" : ",");
        buffer_json_string(out, to->name);
        buffer_string(out, ":{");
        write_output(out, c, &result);
        write_notes(out, &result.notes);
        write_losses(out, &result.lost);
        buffer_string(out, "}");
    }
    result_clear(&result);
    return is_good || answer_fails(q, 413, "the answer would have more than %d bytes", RESPONSE_BODY_MAX);
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
        is_good = notation_find(&to, line_name(m)) && convert_to(q, c, &to, text, false);
    for (size_t i = 0; is_good && (g = tby_game_notation_at(i)) != NULL; i++)
        is_good = notation_find(&to, g->name) && convert_to(q, c, &to, text, false);
    return is_good;
}

/* The names of `list`, parted by commas. */
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
            return answer_fails(q, 400, "to: unknown notation %.*s", n < 100 ? (int)n : 100, at);
        if (i == LIST_MAX)
            return answer_fails(q, 400, "to has more than %d notations", LIST_MAX);
        if (!convert_to(q, c, &to, text, i == 0))
            return false;
        at += n + (at[n] == ',');
    }
    return true;
}

static bool read_start(conversion *c, const params *p)
{
    const char *start = params_value(p, "start");
    tby_position_start(&c->start);
    if (!start)
        return true;
    const fen_input fen = fen_text(start);
    return position_read(&c->start, &fen, c->flags & TBY_NOTATION_CHESS960 ? TBY_FEN_CHESS960 : 0,
                         TBY_FAULTS_UNREACHABLE);
}

static bool read_from(conversion *c, const params *p, span text)
{
    const char *name = params_value(p, "from");
    if (name) {
        const bool is_known = notation_find(&c->from, name) &&
                              (c->from.kind != KIND_POSITION || c->from.position->read);
        if (!is_known)
            error_print("from: no notation %s is read", name);
        return is_known;
    }
    input *in = input_open_text(text.s, text.n);
    const bool is_good = notation_guess(&c->from, in, &c->start);
    input_close(in);
    if (!is_good)
        error_print("no notation fits this text");
    return is_good;
}

static bool read_text(span *out, const question *q)
{
    const char *value = params_value(q->params, "text");
    const bool is_post = strcmp(q->request->method, "POST") == 0;
    if (is_post == (value != NULL)) {
        error_print(is_post ? "the text is given twice, as body and as parameter" : "the parameter text is missing");
        return false;
    }
    *out = value                ? (span){value, strlen(value)}
           : q->request->n_body ? (span){q->request->body, q->request->n_body}
                                : (span){"", 0};
    return true;
}

bool answer_convert(const question *q)
{
    conversion c = {.name = "text", .first_game = 1, .last_game = UINT64_MAX};
    const char *to = params_value(q->params, "to");
    bool is_chess960;
    span text;
    if (!read_text(&text, q) || !params_switch(&c.is_lossy, q->params, "lossy") ||
        !params_switch(&is_chess960, q->params, "chess960"))
        return false;
    c.flags = is_chess960 ? TBY_NOTATION_CHESS960 : 0;
    if (!read_start(&c, q->params) || !read_from(&c, q->params, text))
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
    const fen_input fen = fen_text(value ? value : "startpos");
    bool is_chess960, is_any;
    status s;
    if (!params_switch(&is_chess960, q->params, "chess960") || !params_switch(&is_any, q->params, "any") ||
        !status_read(&s, &fen, is_chess960 ? TBY_FEN_CHESS960 : 0, is_any ? TBY_FAULTS_UNREACHABLE : 0))
        return false;
    status_write_json(&q->response->body, &s);
    return true;
}
