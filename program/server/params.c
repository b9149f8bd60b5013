/*
 * params.c - parameters: query strings, and JSON objects (RFC 8259).
 *
 * Reads    name=value joined by &, + for a blank, % and two hex digits for a byte. Or an object of strings, whole
 *          numbers, true and false, which are 1 and 0; only white space may follow it.
 * Refuses  a % without its two digits, NUL, more than PARAMS_MAX names. params_check refuses repeated names, after
 *          unknown ones have been dropped. Of JSON: other values, leading zeros, NUL in a string.
 * Skips    empty pairs.
 */
#include "server.h"
#include "support/json_lex.h"

#include <string.h>

/* Adds s[0..n) decoded, and a NUL. */
static bool add_decoded(buffer *out, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char c = s[i] == '+' ? ' ' : s[i];
        if (c == '%') {
            const bool has_digits = n - i > 2;
            const int high = has_digits ? text_hex_digit(s[i + 1]) : -1,
                      low = has_digits ? text_hex_digit(s[i + 2]) : -1;
            c = (char)(high * 16 + low);
            if (high < 0 || low < 0 || c == '\0')
                return false;
            i += 2;
        }
        buffer_add(out, &c, 1);
    }
    buffer_add(out, "", 1);
    return true;
}

/* Adds a parameter; false if it is malformed. There must be space. */
static bool add_decoded_pair(params *out, span name, span value)
{
    out->list[out->n].name = out->text.n;
    const bool is_good = add_decoded(&out->text, name.s, name.n);
    out->list[out->n++].value = out->text.n;
    return is_good && add_decoded(&out->text, value.s, value.n);
}

static bool add_pair(params *out, const char *s, size_t n, problem *p)
{
    const char *equals = memchr(s, '=', n);
    const size_t n_name = equals ? (size_t)(equals - s) : n, behind = equals ? n_name + 1 : n;
    if (n == 0)
        return true;
    if (out->n == PARAMS_MAX)
        return problem_set(p, PROBLEM_ASKED, "the query string has more than %d parameters", PARAMS_MAX);
    return add_decoded_pair(out, (span){s, n_name}, (span){s + behind, n - behind}) ||
           problem_set(p, PROBLEM_ASKED, "the query string has a %% without two hex digits after it, or %%00");
}

const char *params_name(const params *p, size_t i) { return p->text.s + p->list[i].name; }

bool params_check(const params *p, problem *why)
{
    if (p->text.has_failed)
        return problem_no_memory(why);
    for (size_t i = 0; i < p->n; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(params_name(p, i), params_name(p, k)) == 0)
                return problem_set(why, PROBLEM_ASKED, "the parameter %.100s is given twice", params_name(p, i));
    return true;
}

bool params_read(params *out, const char *s, problem *p)
{
    bool is_good = true;
    *out = (params){.n = 0};
    while (is_good && *s) {
        const size_t n = strcspn(s, "&");
        is_good = add_pair(out, s, n, p);
        s += n + (s[n] == '&');
    }
    if (is_good && (!out->text.has_failed || problem_no_memory(p)))
        return true;
    params_free(out);
    return false;
}

bool params_add(params *out, const char *name, span value, problem *p)
{
    if (out->n == PARAMS_MAX)
        return problem_set(p, PROBLEM_ASKED, "the query string has more than %d parameters", PARAMS_MAX - 1);
    return add_decoded_pair(out, (span){name, strlen(name)}, value) ||
           problem_set(p, PROBLEM_ASKED, "the path has a %% without two hex digits after it, or %%00");
}

void params_keep(params *p, const char *names)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++)
        if (list_has(names, ' ', params_name(p, i)))
            p->list[n++] = p->list[i];
    p->n = n;
}

void params_free(params *p)
{
    buffer_free(&p->text);
    p->n = 0;
}

const char *params_value(const params *p, const char *name)
{
    for (size_t i = 0; i < p->n; i++)
        if (strcmp(params_name(p, i), name) == 0)
            return p->text.s + p->list[i].value;
    return NULL;
}

bool question_needed(const char **out, const question *q, const char *name)
{
    *out = params_value(q->params, name);
    return *out || problem_set(q->problem, PROBLEM_ASKED, "the parameter %s is missing", name);
}

bool question_switch(bool *out, const question *q, const char *name)
{
    const char *value = params_value(q->params, name);
    *out = value && strcmp(value, "1") == 0;
    return !value || *out || strcmp(value, "0") == 0 ||
           problem_set(q->problem, PROBLEM_ASKED, "%s must be 0 or 1, not \"%.200s\"", name, value);
}

bool question_number(uint64_t *out, const question *q, const char *name, uint64_t none, uint64_t most)
{
    const char *value = params_value(q->params, name);
    *out = none;
    return !value || problem_number(out, name, value, 1, most, q->problem);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

/* Adds the string and a NUL. */
static bool add_string(buffer *out, const json_text *text)
{
    char *to = buffer_room(out, text->n + 1);
    if (!to)
        return false;
    const size_t n = json_unescape(to, text);
    to[n] = '\0';
    out->n += n + 1;
    return !memchr(to, '\0', n);
}

static bool add_value(buffer *out, json_reader *j)
{
    json_text text;
    bool is_set;
    const char first = json_peek(j), *number = j->at;
    if (first == '"')
        return json_take_string(j, &text) && add_string(out, &text);
    if (first < '0' || first > '9') {
        if (!json_boolean(j, &is_set))
            return false;
        buffer_add(out, is_set ? "1" : "0", 2);
        return true;
    }
    j->at++;
    while (first != '0' && j->at < j->end && *j->at >= '0' && *j->at <= '9')
        j->at++;
    buffer_add(out, number, (size_t)(j->at - number));
    buffer_add(out, "", 1);
    return true;
}

static bool add_members(params *out, json_reader *j)
{
    json_text name;
    for (bool more = json_enter(j, '{'); more; more = json_more(j, '}')) {
        if (out->n == PARAMS_MAX)
            return false;
        out->list[out->n].name = out->text.n;
        if (!json_key(j, &name) || !add_string(&out->text, &name))
            return false;
        out->list[out->n].value = out->text.n;
        if (!add_value(&out->text, j))
            return false;
        out->n++;
    }
    json_peek(j);
    return json_is_good(j) && j->at == j->end;
}

bool params_add_json(params *out, span text, problem *p)
{
    json_reader j = json_begin(text.s, text.n);
    return add_members(out, &j) || out->text.has_failed
               ? params_check(out, p)
               : problem_set(p, PROBLEM_ASKED,
                             "the body is not a JSON object of parameters: strings, numbers, true, false");
}
