/*
 * python.h - what the files of the Python module share.
 *
 *     module.c      the module: its types, functions and constants
 *     errors.c      errors of the library as exceptions
 *     position.c    Position; moves.c  Move, and reading one from an argument
 *     game.c        Game; node.c  Node, a move of a game
 *     source.c      files, bytes and file objects as streams of bytes
 *     reader.c      the games of such a stream, one after the other
 *     query.c       Query
 *     database.c    Database; explorer.c  the moves played in a position; sql.c  results of SQL
 *     rows.c        Rows, games as tables; row_stream.c  where they come from; table.c  Table and Column, in memory
 *
 * Code that is simpler in Python, such as tables for pandas, images for notebooks and copies, is in tabiya/_frames.py,
 * _notebook.py and _copies.py; methods call it with python_call.
 *
 * The module uses only the limited API of CPython 3.11, so one build works with all later versions.
 *
 * An object that works without the interpreter's lock is marked as busy; a second thread gets an exception.
 */
#ifndef TABIYA_PYTHON_H
#define TABIYA_PYTHON_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include "support/buffer.h"
#include "tabiya_db.h"
#include "tabiya_table.h"

/* The types, created when the module is imported and never freed. */
extern PyTypeObject *Position_type, *Move_type, *Game_type, *Node_type, *Games_type, *Query_type, *Database_type,
    *Rows_type, *Table_type, *Column_type;
/* Named tuples. */
extern PyTypeObject *Opening_type, *Outcome_type, *Hit_type, *Added_type, *Counts_type, *Explored_type,
    *ExploredMove_type;

/* Each creates its types; false with an exception set. */
bool position_begin(PyObject *module);
bool move_begin(PyObject *module);
bool game_begin(PyObject *module);
bool node_begin(PyObject *module);
bool reader_begin(PyObject *module);
bool query_begin(PyObject *module);
bool database_begin(PyObject *module);
bool explorer_begin(PyObject *module);
bool rows_begin(PyObject *module);
bool table_begin(PyObject *module);
bool errors_begin(PyObject *module);

/* ---- Types ------------------------------------------------------------------------------------------------------ */

/* Adds a type under the last part of its name, which is static, as are the other arguments; NULL with an exception set.
   A type without Py_tp_new cannot be created by a call. */
PyTypeObject *type_add(PyObject *module, const char *name, size_t size, PyType_Slot *slots);
/* A named tuple. The fields end with {NULL, NULL}. */
PyTypeObject *tuple_type_add(PyObject *module, const char *name, const char *doc, PyStructSequence_Field *fields);
/* The last call in the dealloc of a type. */
void object_free(PyObject *self);
/* A named tuple; steals the values; if one is NULL, the result is NULL. */
PyObject *tuple_new(PyTypeObject *type, size_t n, PyObject *const *values);
/* Puts a value into a list, or at its end, and takes it; if it is NULL, the list is dropped and becomes NULL. A list
   that is NULL stays so. */
void list_put(PyObject **list, Py_ssize_t at, PyObject *value);
void list_append(PyObject **list, PyObject *value);
/* Marks an object as busy; false, with an exception set, if another thread uses it, or if it is not open. */
bool object_take(bool is_open, bool *is_busy, const char *if_closed);
/* The object itself, for __enter__ and for iterators. */
PyObject *object_itself(PyObject *self);
PyObject *object_enter(PyObject *self, PyObject *none);
/* The index of a word in a list that ends with NULL; -1, with "`what`, not WORD" as the exception, if it is not there. */
int word_read(const char *const *words, const char *word, const char *what);

/* Calls function(self) of a module of the package, such as "_frames". */
PyObject *python_call(const char *module, const char *function, PyObject *self);

/* An attribute, and a method without arguments, defined by one expression about `self`. */
#define GETTER(name, value) ONE_EXPRESSION(name, void, value)
#define METHOD(name, value) ONE_EXPRESSION(name, PyObject, value)
#define ONE_EXPRESSION(name, unused, value)                                                                            \
    static PyObject *name(PyObject *self, unused *nothing)                                                             \
    {                                                                                                                  \
        (void)nothing;                                                                                                 \
        return value;                                                                                                  \
    }                                                                                                                  \
    _Static_assert(true, "") /* takes the semicolon */

/* For METH_KEYWORDS, and functions as slots. */
#define KEYWORDS(function) ((PyCFunction)(void (*)(void))(function))

/* ---- Errors: each sets an exception and returns NULL ------------------------------------------------------------ */

extern PyObject *Error_class, *QueryError_class, *DatabaseError_class;

/* The class depends on the family of the code; `text` is the message. */
PyObject *error_raise(const tby_error *err, const char *text);
PyObject *error_raise_plain(const tby_error *err);
PyObject *error_raise_fen(const tby_error *err);
PyObject *error_raise_chessgame(const tby_chessgame_error *err);
/* An error in game number `game` of the file `name` (may be NULL). */
PyObject *error_raise_fault(const tby_game_fault *fault, uint64_t game, const char *name);
PyObject *error_raise_query(const tby_query_error *err, const char *s, size_t n);
PyObject *error_raise_database(const tby_db *db, tby_status status);
PyObject *error_raise_busy(void);
/* The argument `errors`, "raise" or "skip"; false with an exception set. */
bool errors_read(bool *skips, const char *errors);
/* The exception that is set, which is then no longer set: to be raised later, by another thread. */
PyObject *error_take(void);

/* ---- Values ----------------------------------------------------------------------------------------------------- */

typedef struct position_object {
    PyObject_HEAD tby_position pos;
    bool is_chess960;
} position_object;

typedef struct move_object {
    PyObject_HEAD tby_move move;
    char uci[TBY_UCI_SIZE];
} move_object;

typedef struct game_object {
    PyObject_HEAD tby_game *game;
} game_object;

typedef struct node_object {
    PyObject_HEAD game_object *game;
    tby_node node; /* nodes are never removed */
} node_object;

PyObject *position_new(const tby_position *pos, bool is_chess960);
PyObject *move_new(const tby_position *pos, tby_move move, bool is_chess960);
/* A Move, or text in SAN or UCI. False, with an exception set, if it is not legal there. */
bool move_read(tby_move *out, const tby_position *pos, PyObject *move);
/* Takes over the game, which may be NULL if out of memory. */
PyObject *game_new(tby_game *game);
PyObject *node_new(game_object *game, tby_node node);
PyObject *opening_new(const tby_opening *opening);
PyObject *svg_new(const tby_position *pos, const tby_svg_options *options);
/* "--" for a null move. */
PyObject *san_new(const tby_position *pos, tby_move move);
/* "e4" */
PyObject *square_new(tby_square square);

/* Recreates a pickled move. */
PyObject *move_again(PyObject *module, PyObject *args);

/* The text that buffer_sink has collected, as str; frees the buffer. */
PyObject *text_end(buffer *text);

/* A packed game: bytes, or made from a Game. False with an exception set. `view` must be released. */
typedef struct packed_game {
    const uint8_t *s;
    size_t n;
    Py_buffer view; /* of bytes; its obj is NULL if there are none */
    uint8_t *made;
} packed_game;
bool packed_of(packed_game *out, PyObject *game_or_bytes);
void packed_release(packed_game *packed);

/* ---- Streams of bytes ------------------------------------------------------------------------------------------- */

/* A path, an object with the buffer protocol, or an object with read(). */
typedef struct source source;
source *source_new(PyObject *from);
void source_free(source *s); /* with the interpreter's lock */
/* A tby_source. Takes the interpreter's lock if necessary. */
size_t source_read(void *source, char *buf, size_t cap);
/* The notation called `name`, or the likely one if NULL. NULL with an exception set. */
const tby_game_notation *source_notation(source *s, const char *name);
/* Why reading failed; NULL if it did not. For an exception of a file object, source_raise sets it and returns true. */
const char *source_error(const source *s);
bool source_raise(source *s);
/* For messages. */
const char *source_name(const source *s);

/* A tby_fault_watcher, its context a first_fault, that keeps the first fault of a game. */
typedef struct first_fault {
    tby_game_fault fault;
    bool is_there;
} first_fault;
void fault_keep(void *first, const tby_game_fault *fault);

/* ---- Queries ---------------------------------------------------------------------------------------------------- */

/* A query to check against games as trees. */
typedef struct asking {
    tby_query *query;
    tby_query_state *state;
    tby_batch *batch;
} asking;
/* `query` may be NULL or None, which matches every game. False with an exception set. */
bool asking_begin(asking *a, PyObject *query);
void asking_end(asking *a);
/* Makes the row of the game; TBY_TOO_LONG or TBY_NO_MEMORY. */
tby_status asking_row(asking *a, const tby_game *game, tby_query_game *out, tby_row *row);
/* 1 yes, 0 no, negative: an error of tby_query_first or, for a game that is too long, -10. Needs no lock. */
int asking_first(asking *a, const tby_game *game);
/* The query of an object; a text is parsed. Sets *owned if it must be freed. NULL for None, or with an exception. */
tby_query *query_of(PyObject *query, bool *owned);

/* ---- Databases -------------------------------------------------------------------------------------------------- */

typedef struct database_object {
    PyObject_HEAD tby_db *db; /* NULL: closed */
    char *name;
    bool is_busy;
} database_object;

/* Marks the database as in use without the interpreter's lock: false, with an exception set, if it is closed or busy.
   */
bool database_take(database_object *d);
void database_give(database_object *d);
/* Reads a query and an SQL condition into a search; false with an exception set. `*owned` must be freed if not NULL. */
bool search_read(tby_db_search *search, tby_query **owned, PyObject *query, const char *where);
PyObject *database_sql(PyObject *self, PyObject *args);
PyObject *database_explore(PyObject *self, PyObject *args, PyObject *keywords);

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

/* A stream of rows read from games. Everything except creating and freeing it works without the interpreter's lock,
   which is taken for file objects. */
typedef struct row_stream row_stream;

typedef struct row_stream_options {
    PyObject *inputs; /* a list of paths, bytes and file objects, or one Database */
    tby_rows_options rows;
    const char *notation; /* may be NULL */
    PyObject *query;
    bool skips; /* skips games with a fault */
} row_stream_options;

/* NULL with an exception set. */
row_stream *row_stream_new(const row_stream_options *options);
void row_stream_free(row_stream *s);
const tby_column *row_stream_columns(const row_stream *s, size_t *n_columns);
tby_rows_counts row_stream_counts(const row_stream *s);
/* Adds the rows of some games: 1, 0 at the end, or a negative errno, which row_stream_raise raises. */
int row_stream_next(row_stream *s, tby_table *table);
const char *row_stream_error(const row_stream *s);
void row_stream_raise(row_stream *s);

/* The rows of a source as the capsule of an Arrow stream, which then owns it. NULL with an exception set. */
PyObject *arrow_capsule(const tby_column *columns, size_t n_columns, const tby_table_source *from);

/* Takes over the table. */
PyObject *table_new(tby_table *table, const tby_column *columns, size_t n_columns);

#endif
