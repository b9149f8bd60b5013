/*
 * sql.h - the functions and tables for SQL databases, written once for SQLite and DuckDB; PostgreSQL has the functions
 * too.
 *
 * Arguments are values (BLOBs) or text. Where a function takes a game or a board, text is read as a game, and a bare
 * FEN as a game without moves; where it takes only a board, text is FEN. A value read from text is cached for the next
 * row, which often has the same text.
 *
 * For each call of a function, a database fills a sql_call, and then passes on the result or the error in it.
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
    const char *bytes; /* of text, which need not end in NUL, or of a BLOB */
    size_t n;
} sql_value;

enum { SQL_ARGUMENTS_MAX = 8, SQL_COLUMNS_MAX = 12, SQL_NAME_SIZE = 40, SQL_WARNING_SIZE = 256, SQL_ERROR_SIZE = 4352 };

/* A value read from an argument, cached as long as the argument stays the same. */
typedef struct sql_kept {
    void *memory;
    void (*destroy)(void *);
    const char *bytes; /* the argument */
    size_t n;
    bool is_new; /* since the database last checked */
} sql_kept;

typedef struct sql_call {
    const sql_value *args;
    int n_args;
    const struct sql_function *function; /* NULL for a table */
    sql_value answer;                    /* NULL if none is set */
    buffer out;                          /* the bytes of an answer */
    sql_kept kept[SQL_ARGUMENTS_MAX];
    bool takes_warnings; /* set by databases that can show them */
    const char *hint;    /* what to do about it; NULL: nothing is suggested */
    bool has_no_memory;
    char error[SQL_ERROR_SIZE]; /* empty if there is none, like the next */
    char warning[SQL_WARNING_SIZE];
} sql_call;

/* Starts the next row, which may have other arguments; and frees everything the call has. */
void sql_call_begin(sql_call *call, const sql_value *args, int n_args);
void sql_call_end(sql_call *call);

/* The cached value of an argument, NULL if the argument has changed; and stores one, or a copy (NULL on failure). */
void *sql_kept_of(sql_call *call, int index);
void sql_keep(sql_call *call, int index, void *memory, void (*destroy)(void *));
void *sql_keep_copy(sql_call *call, int index, const void *value, size_t size);

/* ---- Functions and tables ----------------------------------------------------------------------------------- */

typedef struct sql_function {
    char name[SQL_NAME_SIZE];
    /* One letter per argument: v a game or board, as BLOB or text; t text; i a number; b a BLOB. Then one for the
       result: t, i, b; y yes or no; = the type of the first argument. */
    const char *types;
    void (*call)(sql_call *call);
    bool takes_null; /* otherwise NULL in any argument returns NULL */
    /* What a `call` that several functions share works with: one of these, if it needs one. */
    const void *data;
    bool (*holds)(const tby_position *pos);
    uint64_t (*key)(const tby_position *pos);
} sql_function;

/* The function with this index, under each of its names; NULL after the last. They last as long as the process. */
const sql_function *sql_function_at(size_t i);

/* Aliases: names that users try first, for the same functions with all their arguments. */
typedef struct sql_other_name {
    const char *name, *of;
} sql_other_name;
/* The alias with this index; NULL after the last. */
const sql_other_name *sql_other_name_at(size_t i);

/* The first member of every table cursor. */
typedef struct sql_rows {
    bool is_end;
    int64_t number; /* of the row */
} sql_rows;

/* A table-valued function. */
typedef struct sql_table {
    const char *name;
    struct {
        const char *name;
        char type; /* t, i, b; r a floating-point number */
        int what;  /* passed to `column` */
    } columns[SQL_COLUMNS_MAX];
    const char *arguments[SQL_ARGUMENTS_MAX];
    const char *types; /* of the arguments */
    int n_needed;      /* the arguments after these are optional */
    bool opens_files;
    size_t cursor_size; /* of the struct that begins with sql_rows; at its end, and zeroed, before the first row */
    /* Each returns false on failure; the call has the message. */
    bool (*begin)(void *cursor, sql_call *call);
    bool (*next)(void *cursor, sql_call *call);
    void (*column)(const void *cursor, sql_call *call, int what);
    void (*end)(void *cursor); /* frees what the cursor has; it is zeroed before it begins again */
} sql_table;

/* The table with this index; NULL after the last. */
const sql_table *sql_table_at(size_t i);

/* The rows of a table, one after the other; zeroed before it is opened. */
typedef struct sql_scan {
    const sql_table *table;
    sql_rows *rows; /* the cursor; NULL unless it is open */
    sql_call call;
} sql_scan;
/* Each returns false on failure; the call has the message. A scan may begin again. */
bool sql_scan_open(sql_scan *scan, const sql_table *table);
bool sql_scan_begin(sql_scan *scan, const sql_value *args, int n_args);
bool sql_scan_next(sql_scan *scan);
/* The answer of the call becomes a value of the row. */
bool sql_scan_column(sql_scan *scan, int column);
void sql_scan_close(sql_scan *scan);

static inline int sql_n_columns(const sql_table *table)
{
    int n = 0;
    while (n < SQL_COLUMNS_MAX && table->columns[n].name)
        n++;
    return n;
}

/* ---- For the files of this folder ---------------------------------------------------------------------------- */

/* Lists of functions; one without a name ends each. */
extern const sql_function sql_value_functions[], sql_game_functions[], sql_board_functions[], sql_query_functions[],
    sql_pgn_functions[], sql_posting_functions[];
/* Adds a function to the list of all; and those of all notations. */
void sql_function_add(const sql_function *function);
void sql_notations_add(void);
extern const sql_table sql_moves, sql_positions, sql_legal_moves, sql_read_pgn, sql_postings;

/* ---- Arguments: false means that the call has failed and has the message */

typedef struct game_bytes {
    const uint8_t *bytes;
    size_t n;
} game_bytes;

bool sql_game(sql_call *call, int index, game_bytes *out);
/* A copy of bytes with a NUL after them, to be freed; NULL on failure. */
void *sql_copy(sql_call *call, const void *bytes, size_t n);
/* Any board, legal or not. */
bool sql_board(sql_call *call, int index, tby_setup *out);
/* A board that must be playable. */
bool sql_playable(sql_call *call, int index, tby_position *out);
/* The final board of a game, or a board. */
bool sql_final(sql_call *call, int index, tby_setup *out);
/* The same, which must be playable. */
bool sql_position(sql_call *call, int index, tby_position *out);
/* A board to search for in games by placement or position; NULL on failure. It is cached in the call. */
typedef struct board_target {
    tby_target target;
    bool is_anywhere; /* false if no game can have it */
} board_target;
const board_target *sql_target(sql_call *call, int index, bool is_placement);
static inline bool sql_is_null(const sql_call *call, int index)
{
    return index >= call->n_args || call->args[index].type == SQL_NULL;
}
static inline bool sql_has_null(const sql_call *call)
{
    for (int i = 0; i < call->n_args; i++)
        if (sql_is_null(call, i))
            return true;
    return false;
}

/* The game of a CMBR record; a message about it begins with `what`. */
bool sql_record(sql_call *call, int index, tby_game *game, const char *what);

/* ---- Results */

/* These return false. */
bool sql_fail(sql_call *call, const char *format, ...) PRINTF_LIKE(2, 3);
bool sql_fail_memory(sql_call *call);
bool sql_fail_error(sql_call *call, const tby_error *err);
/* The same, with a message that begins with `what`. */
bool sql_fail_about(sql_call *call, const char *what, const tby_error *err);
bool sql_fail_chessgame(sql_call *call, const tby_chessgame_error *err);

void sql_answer_number(sql_call *call, int64_t number);
/* The call of a function with `holds`: tests the position of the first argument. */
void sql_answer_whether(sql_call *call);
/* Adds the text to call->out; NULL gives NULL. */
void sql_answer_text(sql_call *call, const char *s);
void sql_answer_bytes(sql_call *call, const void *bytes, size_t n);
/* Returns the contents of call->out. */
void sql_answer_out(sql_call *call, sql_type type);
void sql_answer_board(sql_call *call, const tby_setup *setup);
void sql_answer_position(sql_call *call, const tby_position *pos);
/* Returns the type of the first argument: FEN for text, a BLOB for a BLOB. */
void sql_answer_position_as(sql_call *call, const tby_position *pos);
/* Room in call->out for a result of at most `n` bytes; NULL on failure. */
uint8_t *sql_answer_room(sql_call *call, size_t n);
/* Returns the first `n` bytes of that room; if the first argument is text, the moves of that game as text. */
void sql_answer_room_bytes(sql_call *call, size_t n);
void sql_answer_room_game(sql_call *call, size_t n);

#endif
