/*
 * answer.h - what a call returns beyond one number: a text in the module's memory.
 *
 * Every exported function that returns text begins a new answer and writes text, bytes or JSON into it. The caller
 * reads it with answer_text and answer_size before its next call. There is one thread and one answer.
 */
#ifndef TABIYA_WASM_ANSWER_H
#define TABIYA_WASM_ANSWER_H

#include "tabiya_value.h"

/* A function that JavaScript calls by this name. */
#define EXPORT(name) __attribute__((export_name(#name))) name

/* If memory runs out, the module traps, which is an exception in JavaScript. */
void *memory_new(size_t n);
void memory_free(void *memory);

/* A tby_sink that adds to the answer. */
bool answer_sink(void *context, const char *s, size_t n);
void answer_begin(void);
void answer_string(const char *s);
void answer_number(int64_t value);
/* Room for `n` bytes at the end, which a writer of the library fills; answer_add then adds them. */
char *answer_room(size_t n);
void answer_add(size_t n);

/* JSON: a comma if necessary, then `"name":`. NULL is null. */
void json_open(char bracket);
void json_close(char bracket);
void json_name(const char *name);
void json_text(const char *s, size_t n);
void json_string(const char *s);
void json_bool(bool value);
void json_number(int64_t value);
void json_square(tby_square square);

void json_member(const char *name, const char *value);
void json_member_bool(const char *name, bool value);
void json_member_number(const char *name, int64_t value);
void json_member_square(const char *name, tby_square square);

/* The answer becomes {"status":40,"offset":3,"message":"..."}; returns false. */
bool answer_error(const tby_error *err);
bool answer_fault(tby_status status, size_t offset, const char *message);

#endif
