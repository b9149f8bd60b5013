/*
 * json.h - writes JSON: members of objects and items of arrays, each with the comma before it.
 *
 * There is a comma unless an object, an array, a member or a line has just begun. A name of NULL means an item.
 */
#ifndef TABIYA_ANSWERS_JSON_H
#define TABIYA_ANSWERS_JSON_H

#include "support/buffer.h"
#include "tabiya_value.h"

/* The comma and the name; the value must follow. */
void json_name(buffer *out, const char *name);
/* The same, and '{' or '['. */
void json_open(buffer *out, const char *name, char bracket);
/* null for NULL. */
void json_string(buffer *out, const char *name, const char *value);
void json_text(buffer *out, const char *name, const char *s, size_t n);
void json_number(buffer *out, const char *name, int64_t value);
void json_truth(buffer *out, const char *name, bool value);

/* {"eco":STRING,"name":STRING}, or null if there is none. */
void json_opening(buffer *out, const char *name, const tby_opening *opening);
/* The numbers of games by tby_result, as four members. */
void json_results(buffer *out, const uint64_t results[4]);

#endif
