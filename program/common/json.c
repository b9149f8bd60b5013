/*
 * json.c - writes JSON: members of objects and items of arrays, each with the comma before it.
 */
#include "json.h"

#include <inttypes.h>

void json_name(buffer *out, const char *name)
{
    if (out->n && !strchr("{[:\n", out->s[out->n - 1]))
        buffer_string(out, ",");
    if (name) {
        buffer_string(out, "\"");
        buffer_string(out, name);
        buffer_string(out, "\":");
    }
}

void json_open(buffer *out, const char *name, char bracket)
{
    json_name(out, name);
    buffer_add(out, &bracket, 1);
}

void json_string(buffer *out, const char *name, const char *value)
{
    json_name(out, name);
    buffer_json_string(out, value);
}

void json_text(buffer *out, const char *name, const char *s, size_t n)
{
    json_name(out, name);
    buffer_json(out, s, n);
}

void json_number(buffer *out, const char *name, int64_t value)
{
    json_name(out, name);
    buffer_printf(out, "%" PRId64, value);
}

void json_truth(buffer *out, const char *name, bool value)
{
    json_name(out, name);
    buffer_string(out, value ? "true" : "false");
}

void json_opening(buffer *out, const char *name, const tby_opening *opening)
{
    if (!opening->eco) {
        json_string(out, name, NULL);
        return;
    }
    json_open(out, name, '{');
    json_string(out, "eco", opening->eco);
    json_string(out, "name", opening->name);
    buffer_string(out, "}");
}

void json_results(buffer *out, const uint64_t results[4])
{
    json_number(out, "white", (int64_t)results[TBY_WHITE_WINS]);
    json_number(out, "draw", (int64_t)results[TBY_DRAW]);
    json_number(out, "black", (int64_t)results[TBY_BLACK_WINS]);
    json_number(out, "unknown", (int64_t)results[TBY_RESULT_NONE]);
}
