/*
 * json_lex.h - the tokens of JSON (RFC 8259), strict and bounded.
 *
 * The first fault stays in `err`; from then on every function returns false, so callers need not check after each step.
 */
#ifndef TBY_SUPPORT_JSON_LEX_H
#define TBY_SUPPORT_JSON_LEX_H

#include "support/buffer.h"
#include "tabiya_value.h"

/* Nested brackets. A variation takes three: its move, the list of variations, the line. */
enum { JSON_VARIATIONS_MAX = TBY_PGN_DEPTH_MAX, JSON_DEPTH_MAX = 3 * JSON_VARIATIONS_MAX + 8 };

typedef struct json_reader {
    const char *start, *at, *end;
    tby_error err;
} json_reader;

/* A string as written, without its quotes; resolving its escapes never makes it longer. */
typedef struct json_text {
    const char *s;
    size_t n;
    bool has_escapes;
} json_text;

json_reader json_begin(const char *s, size_t n);
static inline bool json_is_good(const json_reader *j) { return j->err.status == TBY_OK; }
/* Always returns false. */
bool json_fail(json_reader *j, const char *at, tby_status status, const char *detail);

/* The next byte that is not blank; NUL at the end. */
char json_peek(json_reader *j);
/* Reads an opening bracket; false if nothing is inside, and then the closing one is read too. Between the values of an
   array or object: false after the last. */
bool json_enter(json_reader *j, char open);
bool json_more(json_reader *j, char close);

bool json_take_string(json_reader *j, json_text *out);
/* Reads the name of a member, and the colon. */
bool json_key(json_reader *j, json_text *out);
/* Writes at most text->n bytes of UTF-8. */
size_t json_unescape(char *out, const json_text *text);

/* A string with its escapes resolved, in `scratch` if there are any. */
typedef struct json_plain {
    const char *s;
    size_t n;
    buffer scratch; /* its allocator is set before the first string */
} json_plain;
bool json_resolve(json_reader *j, const json_text *text, json_plain *out);

bool json_boolean(json_reader *j, bool *out);
/* A number without sign, fraction or exponent. */
bool json_natural(json_reader *j, uint32_t max, uint32_t *out);
/* Skips any value. */
bool json_skip(json_reader *j);
/* Reads an object: values[i] becomes the start of the value of the key names[i], NULL if it is missing. Other keys are
   skipped; a known key that occurs twice is an error. */
bool json_members(json_reader *j, const char *const *names, const char **values, size_t n);

#endif
