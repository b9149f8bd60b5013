/*
 * params_json.c - a JSON object as parameters (RFC 8259).
 *
 * Takes    an object of strings, whole numbers, true and false, which are 1 and 0. Only white space may follow it.
 * Refuses  other values, leading zeros, NUL in a string, bytes that are not JSON.
 */
#include "server.h"

#include "support/json_lex.h"

#include <string.h>

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
               : problem_tell(p, PROBLEM_ASKED,
                              "the body is not a JSON object of parameters: strings, numbers, true, false");
}
