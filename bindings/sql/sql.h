/*
 * sql.h - the functions and tables that SQL databases get, written once for SQLite and DuckDB.
 *
 * Arguments are values (BLOBs) or text. Text is read as a game, and a bare FEN is the game without moves, wherever a
 * function takes a game or a board; where it takes a board only, text is FEN. What was read from a text is kept for the
 * next row, which often has the same.
 *
 * A database makes a sql_call of each call of a function and hands on the answer or the error that is in it then.
 */
#ifndef TABIYA_SQL_H
#define TABIYA_SQL_H

#include "support/buffer.h"
#include "tabiya_value.h"

/* ---- Calls -------------------------------------------------------------------------------------------------- */

typedef enum sql_type { SQL_NULL, SQL_INTEGER, SQL_REAL, SQL_TEXT, SQL_BLOB } sql_type;

typedef struct sql_value {
    sql_type type;
    int64_t number;
    double real;
    const char *bytes; /* of text, which need not end in NUL, and of a BLOB */
    size_t n;
} sql_value;

enum { SQL_ARGUMENTS_MAX = 8, SQL_COLUMNS_MAX = 12, SQL_ERROR_SIZE = 4352 };

/* What was read from an argument, kept as long as the argument stays the same. */
typedef struct sql_kept {
    void *memory;
    void (*destroy)(void *);
    const char *bytes; /* the argument */
    size_t n;
    bool is_new; /* since the database looked */
} sql_kept;

typedef struct sql_call {
    const sql_value *args;
    int n_args;
    const void *data; /* of the function */
    sql_value answer; /* NULL if none is given */
    buffer out;       /* where the bytes of an answer are made */
    sql_kept kept[SQL_ARGUMENTS_MAX];
    bool has_no_memory;
    char error[SQL_ERROR_SIZE]; /* empty if there is none */
} sql_call;

/* For the next row, whose arguments may be others; frees what the call has. */
void sql_call_begin(sql_call *call, const sql_value *args, int n_args);
void sql_call_end(sql_call *call);

/* What was kept of an argument, NULL if it is another now; and keeps it. */
void *sql_kept_of(sql_call *call, int index);
void sql_keep(sql_call *call, int index, void *memory, void (*destroy)(void *));

/* ---- Functions and tables ----------------------------------------------------------------------------------- */

typedef struct sql_function {
    const char *name;
    /* A letter for each argument: v a game or board, as BLOB or text; t text; i a number; b a BLOB. Then one for the
       answer: t, i, b; y yes or no; = as the first argument. */
    const char *types;
    void (*call)(sql_call *call);
    const void *data;
    bool takes_null; /* else NULL in any argument gives NULL */
} sql_function;

/* Calls `visit` with each function; false as soon as it returns false. The names last for the call only. */
bool sql_functions_visit(bool (*visit)(void *context, const sql_function *function), void *context);

/* What every cursor of a table begins with. */
typedef struct sql_rows {
    bool is_end;
    int64_t number; /* of the row */
} sql_rows;

/* A table-valued function. */
typedef struct sql_table {
    const char *name;
    struct {
        const char *name;
        char type; /* t, i, b; r a number with a fraction */
        int what;  /* for `column` */
    } columns[SQL_COLUMNS_MAX];
    const char *arguments[SQL_ARGUMENTS_MAX];
    const char *types; /* of the arguments */
    int n_needed;      /* the others, after these, may be left out */
    bool opens_files;
    size_t cursor_size; /* of the structure that begins with sql_rows; all zero before the first rows */
    /* Each returns false if it fails, which the call then says. */
    bool (*begin)(void *cursor, sql_call *call);
    bool (*next)(void *cursor, sql_call *call);
    void (*column)(const void *cursor, sql_call *call, int what);
    void (*end)(void *cursor); /* frees what the cursor has; it may begin again */
} sql_table;

/* The table of this number; NULL after the last. */
const sql_table *sql_table_at(size_t i);

static inline int sql_n_columns(const sql_table *table)
{
    int n = 0;
    while (n < SQL_COLUMNS_MAX && table->columns[n].name)
        n++;
    return n;
}

/* ---- For the files of this folder ---------------------------------------------------------------------------- */

#define SQL_LIST(functions)                                                                                            \
    (sql_list) { functions, sizeof(functions) / sizeof *(functions) }
typedef struct sql_list {
    const sql_function *functions;
    size_t n;
} sql_list;
sql_list sql_value_functions(void), sql_game_functions(void), sql_board_functions(void), sql_query_functions(void),
    sql_pgn_functions(void), sql_posting_functions(void);
bool sql_notations_visit(bool (*visit)(void *context, const sql_function *function), void *context);
extern const sql_table sql_moves, sql_positions, sql_legal_moves, sql_read_pgn, sql_postings;

/* ---- Arguments: false means that the call has failed and says why */

typedef struct game_bytes {
    const uint8_t *bytes;
    size_t n;
} game_bytes;

bool sql_game(sql_call *call, int index, game_bytes *out);
/* The same as a copy, to be freed; NULL if it fails. */
uint8_t *sql_game_copy(sql_call *call, int index, size_t *n);
/* Any board, legal or not. */
bool sql_board(sql_call *call, int index, tby_setup *out);
/* The final board of a game, or a board. */
bool sql_final(sql_call *call, int index, tby_setup *out);
/* The same, and it can be played on. */
bool sql_position(sql_call *call, int index, tby_position *out);
/* What is looked for in games by placement or position; NULL if it fails. It is kept with the call, or in `own`. */
typedef struct board_target {
    tby_target target;
    bool is_anywhere; /* false if no game can have it */
} board_target;
const board_target *sql_target(sql_call *call, int index, bool is_placement, board_target *own);
static inline bool sql_is_null(const sql_call *call, int index)
{
    return index >= call->n_args || call->args[index].type == SQL_NULL;
}

/* ---- Answers */

/* These return false. */
bool sql_fail(sql_call *call, const char *format, ...) PRINTF_LIKE(2, 3);
bool sql_fail_memory(sql_call *call);
bool sql_fail_error(sql_call *call, const tby_error *err);
bool sql_fail_chessgame(sql_call *call, const tby_chessgame_error *err);

void sql_answer_number(sql_call *call, int64_t number);
/* Of the position that the first argument is. */
void sql_answer_whether(sql_call *call, bool (*holds)(const tby_position *pos));
/* Adds the text to call->out; NULL for NULL. */
void sql_answer_text(sql_call *call, const char *s);
void sql_answer_bytes(sql_call *call, const void *bytes, size_t n);
/* What is in call->out. */
void sql_answer_out(sql_call *call, sql_type type);
void sql_answer_board(sql_call *call, const tby_setup *setup);
void sql_answer_position(sql_call *call, const tby_position *pos);
/* Text in, text out: FEN where the first argument is text, and a BLOB where that is a BLOB. */
void sql_answer_position_as(sql_call *call, const tby_position *pos);
/* Room in call->out for an answer that is at most as long; NULL if it fails. */
uint8_t *sql_answer_room(sql_call *call, size_t n);
/* The first `n` bytes of that room; or, text in, text out, the moves of the game that they are. */
void sql_answer_room_bytes(sql_call *call, size_t n);
void sql_answer_room_game(sql_call *call, size_t n);

#endif
