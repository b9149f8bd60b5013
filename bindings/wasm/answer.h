/*
 * answer.h - what a call returns beyond one number: a text in the module's memory; and walking the trees of games.
 *
 * Every exported function that returns text clears the answer and writes text, bytes or JSON into it. The caller
 * reads it with answer_text and answer_size before its next call. There is one thread and one answer.
 */
#ifndef TABIYA_WASM_ANSWER_H
#define TABIYA_WASM_ANSWER_H

#include "support/buffer.h"
#include "tabiya_query.h"

/* A function that JavaScript calls by this name. */
#define EXPORT(name) __attribute__((export_name(#name))) name

/* If memory runs out, here or in a buffer, the module traps, which is an exception in JavaScript. */
void *memory_new(size_t n);
void memory_free(void *memory);

/* The text that the call returns. */
extern buffer answer;
/* Adds JSON to it, or replaces it: see json_add. */
void answer_add(const char *format, ...) PRINTF_LIKE(1, 2);
void answer_begin(const char *format, ...) PRINTF_LIKE(1, 2);
/* Room for `n` bytes at its end, which a writer of the library fills. */
char *answer_room(size_t n);

/* The letter of a piece as in FEN, '.' for none. */
char piece_letter(tby_piece piece);
/* "e4"; NULL for TBY_NO_SQUARE. */
const char *square_name(tby_square square);
/* The answer becomes {"status":40,"offset":3,"message":"..."}; returns false. */
bool answer_error(const tby_error *err);
bool answer_fault(tby_status status, size_t offset, const char *message);
/* The same for a text that is not a move at `pos`: "illegal move: ... (2.Qh6)", with the FEN under "where". */
bool answer_move_error(const tby_error *err, const tby_position *pos, const char *s, size_t n);

/* {"status":7,"message":"...","offset":3,"length":5,"line":1,"column":4,"field":STRING,"near":STRING} */
void answer_query_error(const tby_query_error *err);

/* The position of a board; false, and the reason as the answer, if it is not playable. */
bool board_position(tby_position *pos, const tby_setup *board);

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
