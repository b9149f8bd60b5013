/*
 * extension.h - what the parts of the SQLite extension share: arguments, answers, and where functions are made known.
 *
 * Arguments are values (BLOBs) or text. Text is read as a game, and a bare FEN is the game without moves, wherever a
 * function takes a game or a board; where it takes a board only, text is FEN. A text that is constant in a statement is
 * read once.
 */
#ifndef TABIYA_SQLITE_EXTENSION_H
#define TABIYA_SQLITE_EXTENSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sqlite3ext.h>

#include "tabiya_value.h"

SQLITE_EXTENSION_INIT3

/* The allocator hook over SQLite's memory. */
extern const tby_allocator sqlite_allocator;

/* ---- Arguments: false means that the error has been reported ----------------------------------------------- */

typedef struct game_bytes {
    const uint8_t *bytes;
    size_t n;
} game_bytes;

bool game_argument(sqlite3_context *context, sqlite3_value **argv, int index, game_bytes *out);
/* Any board, legal or not. */
bool board_argument(sqlite3_context *context, sqlite3_value **argv, int index, tby_setup *out);
/* The final board of a game, or a board. */
bool final_argument(sqlite3_context *context, sqlite3_value **argv, int index, tby_setup *out);
/* The same, and it can be played on. */
bool position_argument(sqlite3_context *context, sqlite3_value **argv, int index, tby_position *out);
/* What is looked for in games by placement or position. NULL means that the error has been reported; the answer is kept
   with the statement, or in `own`. */
typedef struct board_target {
    tby_target target;
    bool is_anywhere; /* false if no game can have it */
} board_target;
const board_target *target_argument(sqlite3_context *context, sqlite3_value **argv, int index, bool is_placement,
                                    board_target *own);
/* A game from a value or text outside of a function call. NULL with *message set (to be freed) if it is not a game, and
   with *message NULL if there is no memory. Free the answer with sqlite3_free. */
uint8_t *game_copy(sqlite3_value *value, size_t *n, char **message);
/* The same for a position: a board, or a game's end. */
bool position_copy(sqlite3_value *value, tby_position *out, char **message);
const char *text_argument(sqlite3_value *value, size_t *n);

/* ---- Answers ---------------------------------------------------------------------------------------------- */

void answer_board(sqlite3_context *context, const tby_setup *setup);
void answer_position(sqlite3_context *context, const tby_position *pos);
/* Text in, text out: FEN where the argument that it is made of is text, and a BLOB where that is a BLOB. */
void answer_position_as(sqlite3_context *context, sqlite3_value *from, const tby_position *pos);
/* The same for a game: move text. Takes the bytes. */
void answer_game_as(sqlite3_context *context, sqlite3_value *from, uint8_t *bytes, size_t n);
void answer_key(sqlite3_context *context, uint64_t key);
void answer_error(sqlite3_context *context, const tby_error *err);
void answer_chessgame_error(sqlite3_context *context, const tby_chessgame_error *err);
/* SQLite keeps the memory. */
void answer_bytes(sqlite3_context *context, uint8_t *bytes, size_t n);
/* Text that grows: a sink over a sqlite3_str. */
bool string_sink(void *string, const char *s, size_t n);
void answer_string(sqlite3_context *context, sqlite3_str *string, bool is_binary);

/* ---- Functions and tables --------------------------------------------------------------------------------- */

typedef struct sql_function {
    const char *name;
    int n_args;
    void (*call)(sqlite3_context *context, int argc, sqlite3_value **argv);
} sql_function;

/* Every function can be used in indexes and views. */
enum { FUNCTION_FLAGS = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS };

/* NULL in any argument gives NULL. */
static inline bool has_null(int argc, sqlite3_value **argv)
{
    for (int i = 0; i < argc; i++)
        if (sqlite3_value_type(argv[i]) == SQLITE_NULL)
            return true;
    return false;
}

int create_functions(sqlite3 *db, const sql_function *functions, size_t n);

int create_value_functions(sqlite3 *db);
int create_game_functions(sqlite3 *db);
int create_board_functions(sqlite3 *db);
int create_notation_functions(sqlite3 *db);
int create_query_functions(sqlite3 *db);
int create_game_tables(sqlite3 *db);
int create_pgn_functions(sqlite3 *db);
int create_pgn_tables(sqlite3 *db);
int create_posting_tables(sqlite3 *db);

#endif
