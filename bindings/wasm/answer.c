/*
 * answer.c - the text returned by the last call, and the JSON that it usually consists of.
 *
 * Keeps    the buffer only grows; it is the only state of the module besides the caller's handles. Strings are written
 *          as UTF-8: only `"`, `\` and characters below U+0020 are escaped.
 */
#include "answer.h"

#include "support/buffer.h"

#include <stdlib.h>
#include <string.h>

static buffer answer;
static bool needs_comma;

/* ---- Memory --------------------------------------------------------------------------------------------- */

void *EXPORT(memory_new)(size_t n)
{
    void *memory = malloc(n ? n : 1);
    if (!memory)
        __builtin_trap();
    return memory;
}

void EXPORT(memory_free)(void *memory) { free(memory); }

const char *EXPORT(answer_text)(void) { return answer.s; }
size_t EXPORT(answer_size)(void) { return answer.n; }

/* ---- Text ----------------------------------------------------------------------------------------------- */

void answer_begin(void)
{
    answer.n = 0;
    needs_comma = false;
}

char *answer_room(size_t n)
{
    char *room = buffer_room(&answer, n);
    if (!room)
        __builtin_trap();
    return room;
}

void answer_add(size_t n) { answer.n += n; }

bool answer_sink(void *context, const char *s, size_t n)
{
    (void)context;
    if (n > 0) {
        memcpy(answer_room(n), s, n);
        answer_add(n);
    }
    return true;
}

void answer_string(const char *s) { answer_sink(NULL, s, strlen(s)); }

void answer_number(int64_t value)
{
    enum { ROOM = 24 };
    answer_room(ROOM);
    buffer_string(&answer, value < 0 ? "-" : "");
    buffer_number(&answer, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

/* ---- JSON ----------------------------------------------------------------------------------------------- */

static void write_char(char c) { answer_sink(NULL, &c, 1); }

void json_start(const char *name)
{
    if (needs_comma)
        write_char(',');
    needs_comma = true;
    if (name) {
        tby_json_write_text(name, strlen(name), answer_sink, NULL);
        write_char(':');
    }
}

void json_open(const char *name, char bracket)
{
    json_start(name);
    write_char(bracket);
    needs_comma = false;
}

void json_close(char bracket)
{
    write_char(bracket);
    needs_comma = true;
}

void json_text(const char *name, const char *s, size_t n)
{
    json_start(name);
    tby_json_write_text(s, n, answer_sink, NULL);
}

void json_string(const char *name, const char *s)
{
    if (s) {
        json_text(name, s, strlen(s));
    } else {
        json_start(name);
        answer_string("null");
    }
}

void json_bool(const char *name, bool value)
{
    json_start(name);
    answer_string(value ? "true" : "false");
}

void json_number(const char *name, int64_t value)
{
    json_start(name);
    answer_number(value);
}

void json_square(const char *name, tby_square square)
{
    const char text[] = {(char)('a' + TBY_FILE(square)), (char)('1' + TBY_RANK(square)), '\0'};
    json_string(name, square < TBY_NO_SQUARE ? text : NULL);
}

/* ---- Errors --------------------------------------------------------------------------------------------- */

bool answer_fault(tby_status status, size_t offset, const char *message)
{
    answer_begin();
    json_open(NULL, '{');
    json_number("status", status);
    json_number("offset", (int64_t)offset);
    json_string("message", message);
    json_close('}');
    return false;
}

bool answer_error(const tby_error *err)
{
    char message[TBY_ERROR_SIZE];
    tby_error_write(message, sizeof message, err);
    return answer_fault(err->status, err->offset, message);
}
