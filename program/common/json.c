/*
 * json.c - members of JSON objects that several answers have.
 */
#include "json.h"

void json_opening(buffer *out, const char *name, const tby_opening *opening)
{
    json_add(out, "%s:", name);
    if (opening->eco)
        json_add(out, "{'eco':%s,'name':%s}", opening->eco, opening->name);
    else
        buffer_string(out, "null");
}

void json_results(buffer *out, const uint64_t results[4])
{
    json_add(out, "'white':%llu,'draw':%llu,'black':%llu,'unknown':%llu", (unsigned long long)results[TBY_WHITE_WINS],
             (unsigned long long)results[TBY_DRAW], (unsigned long long)results[TBY_BLACK_WINS],
             (unsigned long long)results[TBY_RESULT_NONE]);
}
