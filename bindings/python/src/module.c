/*
 * module.c - the module tabiya._tabiya: its types, functions and constants, and shared helpers.
 */
#include "python.h"

#include <stdlib.h>
#include <string.h>

/* ---- Types ------------------------------------------------------------------------------------------------------ */

static PyTypeObject *add(PyObject *module, PyObject *type, const char *name)
{
    const char *dot = strrchr(name, '.');
    if (type && PyModule_AddObjectRef(module, dot + 1, type) < 0)
        Py_CLEAR(type);
    return (PyTypeObject *)type;
}

PyTypeObject *type_add(PyObject *module, const char *name, size_t size, PyType_Slot *slots)
{
    PyType_Spec spec = {name, (int)size, 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    for (const PyType_Slot *slot = slots; slot->slot; slot++)
        if (slot->slot == Py_tp_new)
            spec.flags &= ~(unsigned)Py_TPFLAGS_DISALLOW_INSTANTIATION;
    return add(module, PyType_FromSpec(&spec), name);
}

PyTypeObject *tuple_type_add(PyObject *module, const char *name, const char *doc, PyStructSequence_Field *fields)
{
    PyStructSequence_Desc about = {name, doc, fields, 0};
    while (fields[about.n_in_sequence].name)
        about.n_in_sequence++;
    return add(module, (PyObject *)PyStructSequence_NewType(&about), name);
}

void object_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

PyObject *tuple_new(PyTypeObject *type, size_t n, PyObject *const *values)
{
    PyObject *made = PyStructSequence_New(type);
    bool has_failed = !made;
    for (size_t i = 0; i < n; i++) {
        has_failed |= !values[i];
        if (made)
            PyStructSequence_SetItem(made, (Py_ssize_t)i, values[i] ? values[i] : Py_NewRef(Py_None));
        else
            Py_XDECREF(values[i]);
    }
    if (has_failed)
        Py_CLEAR(made);
    return made;
}

void list_put(PyObject **list, Py_ssize_t at, PyObject *value)
{
    if (!value || PyList_SetItem(*list, at, value) < 0)
        Py_CLEAR(*list);
}

void list_append(PyObject **list, PyObject *value)
{
    if (*list && (!value || PyList_Append(*list, value) < 0))
        Py_CLEAR(*list);
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

PyObject *object_itself(PyObject *self) { return Py_NewRef(self); }
PyObject *object_enter(PyObject *self, PyObject *none) { return (void)none, Py_NewRef(self); }

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
    char name[64];
    PyOS_snprintf(name, sizeof name, "tabiya.%s", module);
    PyObject *imported = PyImport_ImportModule(name);
    PyObject *answer = imported ? PyObject_CallMethod(imported, function, "O", self) : NULL;
    Py_XDECREF(imported);
    return answer;
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

static bool pack_game(packed_game *out, const tby_game *game)
{
    tby_chessgame_error err;
    out->made = malloc(TBY_CHESSGAME_SIZE);
    if (!out->made) {
        PyErr_NoMemory();
        return false;
    }
    out->s = out->made;
    if (tby_chessgame_of_game(out->made, &out->n, game, &err) == TBY_OK)
        return true;
    error_raise_chessgame(&err);
    packed_release(out);
    return false;
}

static bool check_bytes(packed_game *out, PyObject *bytes)
{
    tby_error err = {.status = TBY_OK};
    if (PyObject_GetBuffer(bytes, &out->view, PyBUF_SIMPLE) < 0)
        return false;
    out->s = out->view.buf;
    out->n = (size_t)out->view.len;
    if (tby_packed_check(out->s, out->n, &err) == TBY_OK)
        return true;
    error_raise_plain(&err);
    packed_release(out);
    return false;
}

bool packed_of(packed_game *out, PyObject *game_or_bytes)
{
    *out = (packed_game){0};
    if (PyObject_TypeCheck(game_or_bytes, Game_type))
        return pack_game(out, ((game_object *)game_or_bytes)->game);
    return check_bytes(out, game_or_bytes);
}

void packed_release(packed_game *p)
{
    if (p->view.obj)
        PyBuffer_Release(&p->view);
    free(p->made);
    p->made = NULL;
}

/* ---- Functions -------------------------------------------------------------------------------------------------- */

/* Converts text to the bytes of a packed game. */
static PyObject *pack(PyObject *module, PyObject *args)
{
    const char *s;
    Py_ssize_t n;
    size_t n_packed;
    tby_chessgame_error err;
    (void)module;
    if (!PyArg_ParseTuple(args, "s#:pack", &s, &n))
        return NULL;
    uint8_t *bytes = malloc(TBY_CHESSGAME_SIZE);
    if (!bytes)
        return PyErr_NoMemory();
    const bool is_game = tby_chessgame_read(bytes, &n_packed, s, (size_t)n, 0, NULL, &err) == TBY_OK;
    PyObject *answer = is_game ? PyBytes_FromStringAndSize((const char *)bytes, (Py_ssize_t)n_packed)
                               : error_raise_chessgame(&err);
    free(bytes);
    return answer;
}

static PyObject *has_opening(PyObject *module, PyObject *args)
{
    PyObject *game, *opening, *answer = NULL;
    packed_game g, o;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO:has_opening", &game, &opening) || !packed_of(&g, game))
        return NULL;
    if (packed_of(&o, opening)) {
        answer = PyBool_FromLong(tby_chessgame_has_opening(g.s, g.n, o.s, o.n));
        packed_release(&o);
    }
    packed_release(&g);
    return answer;
}

static PyObject *position_of(PyObject *module, PyObject *args)
{
    PyObject *game, *answer = NULL;
    long long ply;
    packed_game g;
    tby_position pos;
    (void)module;
    if (!PyArg_ParseTuple(args, "OL:position_at", &game, &ply) || !packed_of(&g, game))
        return NULL;
    if (tby_chessgame_position(&pos, g.s, g.n, ply))
        answer = position_new(&pos, false);
    else
        PyErr_Format(PyExc_IndexError, "the game has no ply %lld", ply);
    packed_release(&g);
    return answer;
}

/* The names of all faults of a board; empty for a legal position. */
static PyObject *faults(PyObject *module, PyObject *args)
{
    const char *fen;
    Py_ssize_t n;
    tby_setup setup;
    tby_error err = {.status = TBY_OK};
    (void)module;
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

static PyMethodDef functions[] = {
    {"pack", pack, METH_VARARGS, "pack(text) - move text or PGN of one game as the bytes of a packed game"},
    {"has_opening", has_opening, METH_VARARGS,
     "has_opening(game, opening) - does a game begin with these moves? Both are games or packed games"},
    {"position_at", position_of, METH_VARARGS, "position_at(game, ply) - a position of a game or packed game"},
    {"faults", faults, METH_VARARGS, "faults(fen) - the names of all faults of a board"},
    {"_move", move_again, METH_VARARGS, "for pickle"},
    {0},
};

/* The entry point of the SQLite extension, which is linked into the module (CMakeLists.txt), for its SQL functions. */
int sqlite3_tabiya_init(struct sqlite3 *db, char **message, const struct sqlite3_api_routines *api);

static bool sql_begin(void)
{
    if (tby_db_extend(sqlite3_tabiya_init) == TBY_OK)
        return true;
    PyErr_NoMemory();
    return false;
}

PyMODINIT_FUNC PyInit__tabiya(void);
PyMODINIT_FUNC PyInit__tabiya(void)
{
    static struct PyModuleDef about = {
        PyModuleDef_HEAD_INIT, "tabiya._tabiya", NULL, -1, functions, NULL, NULL, NULL, NULL};
    PyObject *module = PyModule_Create(&about);
    if (module && sql_begin() && errors_begin(module) && position_begin(module) && move_begin(module) &&
        game_begin(module) && node_begin(module) && reader_begin(module) && query_begin(module) &&
        database_begin(module) && explorer_begin(module) && rows_begin(module) && table_begin(module) &&
        PyModule_AddStringConstant(module, "__version__", tby_version()) == 0)
        return module;
    Py_XDECREF(module);
    return NULL;
}
