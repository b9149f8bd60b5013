/*
 * python.h - what the files of the Python module share.
 *
 *     module.c      the module: its types, functions and constants
 *     errors.c      errors of the library as exceptions
 *     position.c    Position; moves.c  Move, and reading one from an argument
 *     game.c        Game; node.c  Node, a move of a game; draws.c  repetitions and claims
 *     source.c      files, bytes and file objects as streams of bytes
 *     reader.c      the games of such a stream, one after the other
 *     query.c       Query
 *     database.c    Database; sql.c  results of SQL
 *     rows.c        rows, games as tables; rows_read.c  in threads; table.c, column.c  Table and Column, in memory
 *     book.c        opening books
 *     planes.c      boards as bitboards and planes, for numpy
 *
 * Code that is simpler in Python, such as tables for pandas, arrays, images for notebooks and copies, is in
 * tabiya/_frames.py, _book.py, _arrays.py, _notebook.py and _copies.py; methods call it with python_call.
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
extern PyTypeObject *Position_type, *Move_type, *Game_type, *Node_type, *Query_type, *Database_type, *Table_type,
    *Column_type;
/* Named tuples. */
extern PyTypeObject *Opening_type, *Outcome_type, *Hit_type, *Added_type, *Counts_type, *Explored_type,
    *ExploredMove_type, *Condition_type;

/* How the types are made, each in its own file: module.c lists them. A type that is not TYPE_MADE cannot be created by a
   call. */
enum {
    TYPE_MADE = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    TYPE_FOUND = TYPE_MADE | Py_TPFLAGS_DISALLOW_INSTANTIATION
};
extern PyType_Spec Position_spec, Move_spec, Game_spec, Node_spec, Games_spec, Query_spec, Database_spec, Rows_spec,
    Table_spec, Column_spec;
bool errors_begin(PyObject *module);

/* ---- Types ------------------------------------------------------------------------------------------------------ */

/* Adds an object to the module under the last part of its name; the object itself, or NULL with an exception set. */
PyObject *module_add(PyObject *module, const char *name, PyObject *object);
/* The last call in the dealloc of a type. */
void object_free(PyObject *self);
/* A named tuple of `n` values; takes them over; if one is NULL, the result is NULL. */
PyObject *tuple_new(PyTypeObject *type, Py_ssize_t n, ...);
PyObject *number_new(uint64_t number);
/* Puts a value into a list, or at its end, and takes it; if it is NULL, the list is dropped and becomes NULL. A list
   that is NULL stays so. */
void list_put(PyObject **list, Py_ssize_t at, PyObject *value);
void list_append(PyObject **list, PyObject *value);
/* The same for a dict. */
void dict_put(PyObject **dict, PyObject *key, PyObject *value);
/* Marks an object as busy; false, with an exception set, if another thread uses it, or if it is not open. */
bool object_take(bool is_open, bool *is_busy, const char *if_closed);
/* The object itself, for __enter__. */
PyObject *object_enter(PyObject *self, PyObject *none);
/* The index of a word in a list that ends with NULL; -1, with "`what`, not WORD" as the exception, if it is not there. */
int word_read(const char *const *words, const char *word, const char *what);

/* A tp_getattro that names our attribute for one of python-chess. */
PyObject *attribute_get(PyObject *self, PyObject *name);

/* Calls function(self) of a module of the package, such as "tabiya._frames". */
PyObject *python_call(const char *module, const char *function, PyObject *self);

/* An attribute, and a method without arguments, defined by one expression about `self`. */
#define GETTER(name, value) ONE_EXPRESSION(name, void, value)
#define METHOD(name, value) ONE_EXPRESSION(name, PyObject, value)
#define ONE_EXPRESSION(name, unused, value)                                                                            \
    static PyObject *name(PyObject *self, unused *nothing) { return value; }                                           \
    _Static_assert(true, "") /* takes the semicolon */

/* For tp_hash: -1 is an error there. */
static inline Py_hash_t hash_of(uint64_t hash) { return (Py_hash_t)hash == -1 ? -2 : (Py_hash_t)hash; }

/* For METH_KEYWORDS, and functions as slots. */
#define KEYWORDS(function) ((PyCFunction)(void (*)(void))(function))

/* ---- Errors: each sets an exception and returns NULL, which is also false ---------------------------------------- */

extern PyObject *Error_class, *QueryError_class, *DatabaseError_class;

/* The class depends on the family of the code; the format is that of PyUnicode_FromFormat. */
PyObject *error_raise(const tby_error *err, const char *format, ...);
PyObject *error_raise_plain(const tby_error *err);
PyObject *error_raise_fen(const tby_error *err);
PyObject *error_raise_chessgame(const tby_chessgame_error *err);
/* An error in game number `game` of the file `name` (which may be NULL). `partial`, a Game or NULL, is what was read of
   it. */
PyObject *error_raise_fault(const tby_game_fault *fault, uint64_t game, const char *name, PyObject *partial);
/* Adds to the exception that is set, if it is an Error, that move number `nth` of `n` is wrong, and where it would be
   played. */
PyObject *error_add_ply(const tby_position *pos, Py_ssize_t nth, Py_ssize_t n);
PyObject *error_raise_query(const tby_query_error *err, const char *s, size_t n);
PyObject *error_raise_database(const tby_db *db, tby_status status);
PyObject *error_raise_busy(void);
/* The argument `errors`, "raise" or "skip"; false with an exception set. */
bool errors_read(bool *skips, const char *errors);
/* The exception that is set, which is then no longer set: to be raised again later, by another thread. */
PyObject *error_take(void);
PyObject *error_raise_again(PyObject *exception);

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
    uint32_t *ages; /* how often the node with a number was removed; NULL: none ever was */
    size_t n_ages;
} game_object;

typedef struct node_object {
    PyObject_HEAD game_object *game;
    tby_node node;
    uint32_t age; /* of the node when this object was made: another one later may have its number */
} node_object;

PyObject *position_new(const tby_position *pos, bool is_chess960);
PyObject *move_new(const tby_position *pos, tby_move move, bool is_chess960);
/* A Move, or text in SAN or UCI, or a null move. False, with an exception set, if it is not legal there; a null move is
   refused only in check. */
bool move_read(tby_move *out, const tby_position *pos, PyObject *move);
/* Plays a tuple of moves; `played` (may be NULL) is called before each. False, with an exception set that says which of
   the moves is wrong, or the one that `played` has set. */
bool moves_play(tby_position *pos, PyObject *moves, bool (*played)(void *context, tby_move move), void *context);
/* Takes over the game, which may be NULL if out of memory. */
PyObject *game_new(tby_game *game);
PyObject *node_new(game_object *game, tby_node node);
/* What the rules say about a node: draws.c. */
PyObject *draw_repetitions(const tby_game *game, tby_node node);
PyObject *draw_can_claim(const tby_game *game, tby_node node);
PyObject *draw_outcome(const tby_game *game, tby_node node);
PyObject *outcome_new(tby_outcome outcome);
/* The position after the move of a node. */
PyObject *position_in(const tby_game *game, tby_node node);
PyObject *opening_new(const tby_opening *opening);
/* With the usual options, and the move that led to the position, or TBY_MOVE_NONE. */
PyObject *svg_usual(const tby_position *pos, tby_move last_move);
/* "0000" for a null move. */
void uci_write(char uci[TBY_UCI_SIZE], const tby_position *pos, tby_move move, bool is_chess960);
/* "--" for a null move. */
PyObject *san_new(const tby_position *pos, tby_move move);
/* "e4" */
PyObject *square_new(tby_square square);

/* Recreates a pickled move. */
PyObject *move_again(PyObject *module, PyObject *args);

/* The text that buffer_sink has collected, as str; frees the buffer. */
PyObject *text_end(buffer *text);

/* The bytes of a packed game, which may be given as a Game. NULL with an exception set. */
PyObject *packed_of(PyObject *game_or_bytes);
static inline const uint8_t *packed_data(PyObject *packed) { return (const uint8_t *)PyBytes_AsString(packed); }
static inline size_t packed_size(PyObject *packed) { return (size_t)PyBytes_Size(packed); }

/* ---- Streams of bytes ------------------------------------------------------------------------------------------- */

/* A path, an object with the buffer protocol, or an object with read(). */
typedef struct source source;
source *source_new(PyObject *from);
void source_free(source *s); /* with the interpreter's lock */
/* A tby_source. Takes the interpreter's lock if necessary. */
size_t source_read(void *source, char *buf, size_t cap);
/* The notation called `name`, or the likely one if NULL. NULL with an exception set. */
const tby_game_notation *source_notation(source *s, const char *name);
/* Did reading fail? And raises the exception, if it did. */
bool source_has_failed(const source *s);
bool source_raise(source *s);
/* For messages. */
const char *source_name(const source *s);

/* A tby_fault_watcher, its context a first_fault, that keeps the first fault of a game; warnings are ignored. */
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
/* 1 yes, 0 no, negative: an error of tby_query_first or, for a game that is too long, -10. Needs no lock. */
int asking_first(asking *a, const tby_game *game);
/* Parses a text, or a Query again, so that it lives as long as it is used. NULL for None. False with an exception set. */
bool query_read(tby_query **out, PyObject *query);

/* ---- Databases -------------------------------------------------------------------------------------------------- */

typedef struct database_object {
    PyObject_HEAD tby_db *db; /* NULL: closed */
    PyObject *paths;          /* a list of bytes */
    const char *file;         /* its path or URL, or that of a temporary database; NULL: there are several */
    bool is_busy;
} database_object;

/* Marks the database as busy, in use without the interpreter's lock: false, with an exception set, if it is closed or
   busy already. */
bool database_take(database_object *d);
PyObject *database_sql(PyObject *self, PyObject *args);
/* (study.c) */
PyObject *database_report(PyObject *self, PyObject *args);
PyObject *database_novelty(PyObject *self, PyObject *args);
PyObject *database_names(PyObject *self, PyObject *query);

/* ---- Opening books ---------------------------------------------------------------------------------------------- */

PyObject *book_check(PyObject *module, PyObject *args);
PyObject *book_moves(PyObject *module, PyObject *args);
PyObject *book_game(PyObject *module, PyObject *args);

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

/* The rows of a source as the capsule of an Arrow stream. Its context is an object, to which the stream has a reference
   until it calls release. NULL with an exception set. */
PyObject *arrow_capsule(const tby_column *columns, size_t n_columns, const tby_table_source *from);

/* The boards of `n` rows as an array of numpy, n x 15 x 8 x 8 bytes or n x 15 bitboards. The reader needs no lock; false
   if a row has no board, which is a ValueError. */
void planes_begin(void); /* once, before all others */
typedef bool (*board_reader)(tby_setup *out, const void *context, Py_ssize_t row);
PyObject *planes_new(Py_ssize_t n, board_reader read, const void *context, bool are_planes);

/* Takes over the table. */
PyObject *table_new(tby_table *table, const tby_column *columns, size_t n_columns);

#endif
