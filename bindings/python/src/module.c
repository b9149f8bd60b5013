/*
 * module.c - the module tabiya._tabiya: its types, functions and constants, and shared helpers.
 */
#include "python.h"

#include <string.h>

/* ---- Types ------------------------------------------------------------------------------------------------------ */

PyObject *module_add(PyObject *module, const char *name, PyObject *object)
{
    if (object && PyModule_AddObjectRef(module, strrchr(name, '.') + 1, object) < 0)
        Py_CLEAR(object);
    return object;
}

void object_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

PyObject *tuple_new(PyTypeObject *type, Py_ssize_t n, ...)
{
    PyObject *made = PyStructSequence_New(type);
    bool is_whole = made;
    va_list values;
    va_start(values, n);
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *value = va_arg(values, PyObject *);
        is_whole &= value != NULL;
        if (made)
            PyStructSequence_SetItem(made, i, value);
        else
            Py_XDECREF(value);
    }
    va_end(values);
    if (!is_whole)
        Py_CLEAR(made);
    return made;
}

PyObject *number_new(uint64_t number) { return PyLong_FromUnsignedLongLong(number); }

void list_put(PyObject **list, Py_ssize_t at, PyObject *value)
{
    if (!*list)
        Py_XDECREF(value);
    else if (!value || PyList_SetItem(*list, at, value) < 0)
        Py_CLEAR(*list);
}

void list_append(PyObject **list, PyObject *value)
{
    if (*list && (!value || PyList_Append(*list, value) < 0))
        Py_CLEAR(*list);
    Py_XDECREF(value);
}

void dict_put(PyObject **dict, PyObject *key, PyObject *value)
{
    if (*dict && (!key || !value || PyDict_SetItem(*dict, key, value) < 0))
        Py_CLEAR(*dict);
    Py_XDECREF(key);
    Py_XDECREF(value);
}

bool object_take(bool is_open, bool *is_busy, const char *if_closed)
{
    if (!is_open)
        PyErr_SetString(PyExc_ValueError, if_closed);
    else if (*is_busy)
        error_raise_busy();
    else
        return *is_busy = true;
    return false;
}

PyObject *object_enter(PyObject *self, PyObject *none) { return Py_NewRef(self); }

int word_read(const char *const *words, const char *word, const char *what)
{
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    PyErr_Format(PyExc_ValueError, "%s, not \"%s\"", what, word);
    return -1;
}

PyObject *python_call(const char *module, const char *function, PyObject *self)
{
    PyObject *imported = PyImport_ImportModule(module);
    PyObject *answer = imported ? PyObject_CallMethod(imported, function, "O", self) : NULL;
    Py_XDECREF(imported);
    return answer;
}

/* The hint for an attribute that the type does not have; NULL if there is none. */
static PyObject *hint_of(PyObject *self, PyObject *name)
{
    PyObject *type = PyType_GetName(Py_TYPE(self)), *module = type ? PyImport_ImportModule("tabiya._hints") : NULL;
    PyObject *hint = module ? PyObject_CallMethod(module, "hint", "OO", type, name) : NULL;
    Py_XDECREF(module);
    Py_XDECREF(type);
    if (hint == Py_None)
        Py_CLEAR(hint);
    return hint;
}

PyObject *attribute_get(PyObject *self, PyObject *name)
{
    PyObject *value = PyObject_GenericGetAttr(self, name);
    if (value || !PyErr_ExceptionMatches(PyExc_AttributeError))
        return value;
    PyObject *error = error_take(), *hint = hint_of(self, name);
    if (hint)
        PyErr_SetObject(PyExc_AttributeError, hint);
    else if (!PyErr_Occurred())
        error_raise_again(error);
    Py_XDECREF(hint);
    Py_DECREF(error);
    return NULL;
}

/* ---- Text ------------------------------------------------------------------------------------------------------- */

/* Invalid UTF-8 becomes the replacement character. */
PyObject *text_end(buffer *t)
{
    PyObject *made = t->has_failed ? PyErr_NoMemory()
                                   : PyUnicode_DecodeUTF8(t->s ? t->s : "", (Py_ssize_t)t->n, "replace");
    buffer_free(t);
    return made;
}

/* ---- Packed games ----------------------------------------------------------------------------------------------- */

/* The bytes, or the error; frees the buffer. Threads may have too small a stack for the largest game. */
static PyObject *packed_end(buffer *bytes, tby_status status, const tby_chessgame_error *err)
{
    PyObject *packed = bytes->has_failed  ? PyErr_NoMemory()
                       : status != TBY_OK ? error_raise_chessgame(err)
                                          : PyBytes_FromStringAndSize(bytes->s, (Py_ssize_t)bytes->n);
    buffer_free(bytes);
    return packed;
}

static PyObject *pack_game(const tby_game *game)
{
    buffer bytes = {0};
    tby_chessgame_error err;
    tby_status status = TBY_NO_MEMORY;
    if (buffer_reserve(&bytes, TBY_CHESSGAME_SIZE))
        status = tby_chessgame_of_game(bytes.data, &bytes.n, game, &err);
    return packed_end(&bytes, status, &err);
}

PyObject *packed_of(PyObject *game_or_bytes)
{
    Py_buffer view;
    tby_error err = {.status = TBY_OK};
    if (PyObject_TypeCheck(game_or_bytes, Game_type))
        return pack_game(((game_object *)game_or_bytes)->game);
    if (PyObject_GetBuffer(game_or_bytes, &view, PyBUF_SIMPLE) < 0)
        return NULL;
    const bool is_packed = tby_packed_check(view.buf, (size_t)view.len, &err) == TBY_OK;
    PyObject *packed = is_packed ? PyBytes_FromStringAndSize(view.buf, view.len) : error_raise_plain(&err);
    PyBuffer_Release(&view);
    return packed;
}

/* ---- Functions -------------------------------------------------------------------------------------------------- */

/* Converts text to the bytes of a packed game. */
static PyObject *pack(PyObject *module, PyObject *args)
{
    const char *s;
    Py_ssize_t n;
    buffer bytes = {0};
    tby_chessgame_error err;
    tby_status status = TBY_NO_MEMORY;
    if (!PyArg_ParseTuple(args, "s#:pack", &s, &n))
        return NULL;
    if (buffer_reserve(&bytes, TBY_CHESSGAME_SIZE))
        status = tby_chessgame_read(bytes.data, &bytes.n, s, (size_t)n, 0, NULL, &err);
    return packed_end(&bytes, status, &err);
}

static PyObject *has_opening(PyObject *module, PyObject *args)
{
    PyObject *game, *opening, *answer = NULL;
    if (!PyArg_ParseTuple(args, "OO:has_opening", &game, &opening))
        return NULL;
    PyObject *g = packed_of(game), *o = g ? packed_of(opening) : NULL;
    if (o)
        answer =
            PyBool_FromLong(tby_chessgame_has_opening(packed_data(g), packed_size(g), packed_data(o), packed_size(o)));
    Py_XDECREF(g);
    Py_XDECREF(o);
    return answer;
}

static PyObject *position_of(PyObject *module, PyObject *args)
{
    PyObject *game;
    long long ply;
    tby_position pos;
    if (!PyArg_ParseTuple(args, "OL:position_at", &game, &ply))
        return NULL;
    PyObject *packed = packed_of(game);
    const bool has_ply = packed && tby_chessgame_position(&pos, packed_data(packed), packed_size(packed), ply);
    if (packed && !has_ply)
        PyErr_Format(PyExc_IndexError, "the game has no ply %lld", ply);
    Py_XDECREF(packed);
    return has_ply ? position_new(&pos, false) : NULL;
}

/* The names of all faults of a board; empty for a legal position. */
static PyObject *faults(PyObject *module, PyObject *args)
{
    const char *fen;
    Py_ssize_t n;
    tby_setup setup;
    tby_error err = {.status = TBY_OK};
    if (!PyArg_ParseTuple(args, "s#:faults", &fen, &n))
        return NULL;
    if (tby_fen_read(&setup, fen, (size_t)n, TBY_FEN_RAW, NULL, &err) != TBY_OK)
        return error_raise_fen(&err);
    const tby_faults found = tby_setup_faults(&setup);
    PyObject *list = PyList_New(0);
    for (int bit = 0; list && bit < 32; bit++)
        if (found >> bit & 1)
            list_append(&list, PyUnicode_FromString(tby_fault_name((tby_faults)1 << bit)));
    return list;
}

/* Quotes a text, so that a query reads it back as one value. */
static PyObject *query_quote(PyObject *module, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"text", "person", NULL};
    const char *s;
    Py_ssize_t n;
    int is_person = 0;
    buffer value = {0};
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "s#|$p:query_quote", names, &s, &n, &is_person))
        return NULL;
    size_t (*quote)(char *, size_t, const char *, size_t) = is_person ? tby_query_quote_person : tby_query_quote;
    const size_t size = quote(NULL, 0, s, (size_t)n);
    if (buffer_reserve(&value, size + 1))
        value.n = quote(value.s, size + 1, s, (size_t)n);
    return text_end(&value);
}

static PyMethodDef functions[] = {
    {"pack", pack, METH_VARARGS,
     "pack($module, text, /)\n--\n\nmove text or PGN of one game as the bytes of a packed game"},
    {"has_opening", has_opening, METH_VARARGS,
     "has_opening($module, game, opening, /)\n--\n\ndoes a game begin with these moves? Both are "
     "games or packed games"},
    {"position_at", position_of, METH_VARARGS,
     "position_at($module, game, ply, /)\n--\n\na position of a game or packed game"},
    {"faults", faults, METH_VARARGS, "faults($module, fen, /)\n--\n\nthe names of all faults of a board"},
    {"_move", move_again, METH_VARARGS, "for pickle"},
    {"_book_check", book_check, METH_VARARGS, "for Book"},
    {"_book_moves", book_moves, METH_VARARGS, "for Book"},
    {"_book_game", book_game, METH_VARARGS, "for Book"},
    {"query_quote", KEYWORDS(query_quote), METH_VARARGS | METH_KEYWORDS,
     "query_quote($module, text, *, person=False)\n--\n\na value as written in a query, quoted if necessary; person: "
     "the "
     "value that means a player in any spelling"},
    {0},
};

/* ---- The module ------------------------------------------------------------------------------------------------- */

PyTypeObject *Position_type, *Move_type, *Game_type, *Node_type, *Query_type, *Database_type, *Table_type, *Column_type;
static PyTypeObject *Games_type, *Rows_type;
PyTypeObject *Opening_type, *Outcome_type, *Hit_type, *Added_type, *Counts_type, *Explored_type, *ExploredMove_type,
    *Condition_type;

static PyStructSequence_Field opening_fields[] = {{"eco", "the code: B90"}, {"name", "the English name"}, {0}};
static PyStructSequence_Field outcome_fields[] = {
    {"result", "1-0, 0-1 or 1/2-1/2"}, {"reason", "checkmate, stalemate ..."}, {0}};
static PyStructSequence_Field hit_fields[] = {
    {"id", "the game's number"}, {"ply", "the first at which the query holds; 0 if it is about the game"}, {0}};
static PyStructSequence_Field condition_fields[] = {
    {"begin", "its first character in the text"},
    {"end", "the character after its last"},
    {"word", "of the language, or a named pattern; '' for pieces, moves and combinations"},
    {"value", "what follows the word, as written"},
    {"name", "if that is a text, without quotes"},
    {0}};
static PyStructSequence_Field added_fields[] = {
    {"stored", "new games"}, {"duplicates", "games that were already stored"}, {0}};
static PyStructSequence_Field counts_fields[] = {
    {"games", "that were read"}, {"bad", "of these, with a fault"},        {"plies", "of the good ones"},
    {"rows", "that were made"},  {"left_out", "rows left out by filters"}, {0}};
static PyStructSequence_Field explored_fields[] = {{"games", "games that reach it"},
                                                   {"white", "of these, won by white"},
                                                   {"draws", "drawn"},
                                                   {"black", "won by black"},
                                                   {"unknown", "without a result"},
                                                   {"ended", "games that end here"},
                                                   {"moves", "the moves played, the most frequent first"},
                                                   {0}};
static PyStructSequence_Field move_fields[] = {
    {"move", "the move"},
    {"san", "the same in SAN"},
    {"games", "games that played it here"},
    {"white", "of these, won by white"},
    {"draws", "drawn"},
    {"black", "won by black"},
    {"unknown", "without a result"},
    {"reached", "games that reach the resulting position, by any move order"},
    {"elo", "the players' average rating, or None"},
    {"last_date", "when it was last played, or None"},
    {0}};

/* A type by its spec, or a named tuple. */
static struct {
    PyTypeObject **type;
    PyType_Spec *spec;
    PyStructSequence_Desc tuple;
} types[] = {
    {&Position_type, .spec = &Position_spec},
    {&Move_type, .spec = &Move_spec},
    {&Game_type, .spec = &Game_spec},
    {&Node_type, .spec = &Node_spec},
    {&Games_type, .spec = &Games_spec},
    {&Query_type, .spec = &Query_spec},
    {&Database_type, .spec = &Database_spec},
    {&Rows_type, .spec = &Rows_spec},
    {&Table_type, .spec = &Table_spec},
    {&Column_type, .spec = &Column_spec},
    {&Opening_type, .tuple = {"tabiya.Opening", "The name of an opening.", opening_fields, 2}},
    {&Outcome_type, .tuple = {"tabiya.Outcome", "How a game has ended.", outcome_fields, 2}},
    {&Hit_type, .tuple = {"tabiya.Hit", "A game that was found.", hit_fields, 2}},
    {&Condition_type, .tuple = {"tabiya.Condition", "One of the conditions of a query.", condition_fields, 5}},
    {&Added_type, .tuple = {"tabiya.Added", "How many games were stored.", added_fields, 2}},
    {&Counts_type, .tuple = {"tabiya.Counts", "How many games and rows there were.", counts_fields, 5}},
    {&Explored_type, .tuple = {"tabiya.Explored", "The moves played in a position.", explored_fields, 7}},
    {&ExploredMove_type, .tuple = {"tabiya.ExploredMove", "A move played in a position.", move_fields, 10}},
};

static bool types_begin(PyObject *module)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        PyType_Spec *spec = types[i].spec;
        PyObject *type = spec ? PyType_FromSpec(spec) : (PyObject *)PyStructSequence_NewType(&types[i].tuple);
        *types[i].type = (PyTypeObject *)module_add(module, spec ? spec->name : types[i].tuple.name, type);
        if (!*types[i].type)
            return false;
    }
    return true;
}

/* The entry point of the SQLite extension, which is linked into the module (CMakeLists.txt), for its SQL functions. */
int sqlite3_tabiya_init(struct sqlite3 *db, char **message, const struct sqlite3_api_routines *api);

PyMODINIT_FUNC PyInit__tabiya(void);
PyMODINIT_FUNC PyInit__tabiya(void)
{
    static struct PyModuleDef about = {
        PyModuleDef_HEAD_INIT, "tabiya._tabiya", NULL, -1, functions, NULL, NULL, NULL, NULL};
    if (tby_db_extend(sqlite3_tabiya_init) != TBY_OK)
        return PyErr_NoMemory();
    planes_begin();
    PyObject *module = PyModule_Create(&about);
    if (module && (!errors_begin(module) || !types_begin(module) ||
                   PyModule_AddStringConstant(module, "__version__", tby_version()) < 0))
        Py_CLEAR(module);
    return module;
}
