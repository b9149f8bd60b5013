/*
 * python.h - what the files of the Python module share.
 *
 *     module.c      the module: its types, functions and constants
 *     errors.c      faults of the library as exceptions
 *     position.c    Position; moves.c  Move, and reading one from an argument
 *     game.c        Game; node.c  Node, a move of a game
 *     source.c      files, bytes and file objects as streams of bytes
 *     reader.c      games of such a stream, one after the other
 *     query.c       Query
 *     database.c    Database; explorer.c  what was played in a position; sql.c  answers of SQL
 *     rows.c        Rows, games as tables; table.c  Table and Column, rows in memory
 *     copies.c      what pickle and copy need; progress.c  callbacks of long calls
 *
 * What is easier said in Python, as tables for pandas and pictures for notebooks, is in tabiya/_frames.py and
 * tabiya/_notebook.py; methods call it by python_call.
 *
 * The module uses the limited API of CPython 3.11 alone, so one build serves all later versions.
 *
 * An object that works without the interpreter's lock is marked as busy meanwhile; a second thread gets an exception.
 */
#ifndef TABIYA_PYTHON_H
#define TABIYA_PYTHON_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include "support/buffer.h"
#include "tabiya_db.h"
#include "tabiya_table.h"

/* The types, made when the module is imported; they stay. */
extern PyTypeObject *Position_type, *Move_type, *Game_type, *Node_type, *Games_type, *Query_type, *Database_type,
    *Rows_type, *Table_type, *Column_type;
/* Tuples with names. */
extern PyTypeObject *Opening_type, *Outcome_type, *Hit_type, *Added_type, *Counts_type, *Explored_type,
    *ExploredMove_type;

/* Each makes its types; false with an exception set. */
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

/* Adds a type under the last part of its name; NULL with an exception set. */
PyTypeObject *type_add(PyObject *module, PyType_Spec *spec);
PyTypeObject *tuple_type_add(PyObject *module, PyStructSequence_Desc *about);
/* For the dealloc of a type, last. */
void object_free(PyObject *self);
/* A tuple with names; takes the values; if one is NULL, the result is NULL. */
PyObject *tuple_new(PyTypeObject *type, size_t n, PyObject *const *values);
/* Puts a value into a list and takes it; if it is NULL, the list is dropped and becomes NULL. */
void list_put(PyObject **list, Py_ssize_t at, PyObject *value);

/* function(self) of a module of the package, as "_frames". */
PyObject *python_call(const char *module, const char *function, PyObject *self);

/* An attribute, and a method without arguments, that is one expression about `self`. */
#define GETTER(name, value) ONE_EXPRESSION(name, void, value)
#define METHOD(name, value) ONE_EXPRESSION(name, PyObject, value)
#define ONE_EXPRESSION(name, unused, value)                                                                            \
    static PyObject *name(PyObject *self, unused *nothing)                                                             \
    {                                                                                                                  \
        (void)nothing;                                                                                                 \
        return value;                                                                                                  \
    }                                                                                                                  \
    _Static_assert(true, "") /* takes the semicolon */

/* METH_KEYWORDS, and functions as slots. */
#define KEYWORDS(function) ((PyCFunction)(void (*)(void))(function))

/* ---- Errors: each sets an exception and returns NULL ------------------------------------------------------------ */

extern PyObject *Error_class, *QueryError_class, *DatabaseError_class;

/* The class by the family of the code; `text` is the sentence. */
PyObject *error_raise(const tby_error *err, const char *text);
PyObject *error_raise_plain(const tby_error *err);
/* A fault of game number `game` of the file `name` (may be NULL). */
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
/* Takes the game, which may be NULL for want of memory. */
PyObject *game_new(tby_game *game);
PyObject *node_new(game_object *game, tby_node node);
PyObject *opening_new(const tby_opening *opening);
PyObject *svg_new(const tby_position *pos, const tby_svg_options *options);
/* "1-0"; None for none. */
PyObject *result_new(tby_result result);

/* __reduce__ of each, and the functions that make them again. */
PyObject *position_reduce(PyObject *self, PyObject *none);
PyObject *move_reduce(PyObject *self, PyObject *none);
PyObject *game_reduce(PyObject *self, PyObject *none);
PyObject *node_reduce(PyObject *self, PyObject *none);
PyObject *position_again(PyObject *module, PyObject *args);
PyObject *move_again(PyObject *module, PyObject *args);
PyObject *game_again(PyObject *module, PyObject *args);
PyObject *node_again(PyObject *module, PyObject *args);

/* What buffer_sink has taken, as str and as bytes; both free it. */
PyObject *text_end(buffer *text);
PyObject *text_end_bytes(buffer *text);

/* A packed game: bytes, or made of a Game. False with an exception set. `bytes` is to be released. */
typedef struct packed_game {
    const uint8_t *s;
    size_t n;
    Py_buffer view; /* of bytes; its obj is NULL if there are none */
    uint8_t *made;
} packed_game;
bool packed_of(packed_game *out, PyObject *game_or_bytes);
void packed_release(packed_game *packed);

/* ---- Streams of bytes ------------------------------------------------------------------------------------------- */

/* A path, an object with the buffer protocol, or one with read(). */
typedef struct source source;
source *source_new(PyObject *from);
void source_free(source *s); /* with the interpreter's lock */
/* A tby_source. Takes the interpreter's lock where it must. */
size_t source_read(void *source, char *buf, size_t cap);
/* The notation called `name`, or the likely one if that is NULL. NULL with an exception set. */
const tby_game_notation *source_notation(source *s, const char *name);
/* What made reading fail; NULL if nothing did. If it was an exception of a file object, sets that and returns true. */
const char *source_error(const source *s);
bool source_raise(source *s);
/* For messages. */
const char *source_name(const source *s);

/* ---- Progress --------------------------------------------------------------------------------------------------- */

typedef struct progress {
    PyObject *callback; /* NULL: none */
    PyObject *raised;   /* by the callback */
} progress;
/* `callback` may be None. False with an exception set. */
bool progress_begin(progress *p, PyObject *callback);
/* A tby_db_progress, its context a progress with a callback. Takes the interpreter's lock. */
bool progress_report(void *context, double fraction);
/* Raises what the callback has raised; false if that is nothing. */
bool progress_raise(progress *p);

/* ---- Asking ----------------------------------------------------------------------------------------------------- */

/* A query that is asked of games as trees. */
typedef struct asking {
    tby_query *query;
    tby_query_state *state;
    tby_batch *batch;
} asking;
/* `query` may be NULL or None: then every game is right. False with an exception set. */
bool asking_begin(asking *a, PyObject *query);
void asking_end(asking *a);
/* The row of the game; TBY_TOO_LONG or TBY_NO_MEMORY. */
tby_status asking_row(asking *a, const tby_game *game, tby_query_game *out, tby_row *row);
/* 1 yes, 0 no, negative: a tby_query_first's or, for too long a game, -10. Needs no lock. */
int asking_first(asking *a, const tby_game *game);
/* The query of an object: a text is made one. Sets *owned if it is to be freed. NULL for None, or with an exception. */
tby_query *query_of(PyObject *query, bool *owned);

#endif
