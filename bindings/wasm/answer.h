/*
 * answer.h - what a call returns beyond one number: a text in the module's memory; and walking the trees of games.
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

/* JSON: a comma if necessary, then `"name":` if there is a name, then the value. A NULL text is null. */
void json_open(const char *name, char bracket);
void json_close(char bracket);
void json_text(const char *name, const char *s, size_t n);
void json_string(const char *name, const char *s);
void json_bool(const char *name, bool value);
void json_number(const char *name, int64_t value);
void json_square(const char *name, tby_square square);
/* Before a value that another function writes. */
void json_start(const char *name);

/* The answer becomes {"status":40,"offset":3,"message":"..."}; returns false. */
bool answer_error(const tby_error *err);
bool answer_fault(tby_status status, size_t offset, const char *message);

/* ---- Games ---------------------------------------------------------------------------------------------- */

/* The nodes from the first move to `node` and then along first children. */
typedef struct line {
    tby_node *nodes;
    size_t n_nodes; /* the whole line */
    size_t n_path;  /* up to `node` */
} line;
line line_through(const tby_game *game, tby_node node);
void line_free(line *l);

/* The next node in PGN order, parents first; TBY_NO_NODE after the last. */
tby_node game_walk(const tby_game *game, tby_node node);
/* The node if it exists, otherwise the root: numbers come from outside. */
tby_node game_node(const tby_game *game, tby_node node);

#endif
