/*
 * database.c - Database: games in one file, on a PostgreSQL server, or in several of these.
 */
#include "python.h"

#include <stdlib.h>
#include <string.h>

bool database_take(database_object *d) { return object_take(d->db, &d->is_busy, "the database is closed"); }

/* ---- Opening and closing ---------------------------------------------------------------------------------------- */

/* As bytes: one path, or a list of them. False with an exception set. */
static bool read_paths(database_object *d, PyObject *given)
{
    const bool is_list = PyList_Check(given) || PyTuple_Check(given);
    const Py_ssize_t n = is_list ? PySequence_Size(given) : 1;
    d->paths = PyList_New(0);
    for (Py_ssize_t i = 0; d->paths && i < n; i++) {
        PyObject *path = is_list ? PySequence_GetItem(given, i) : Py_NewRef(given), *bytes = NULL;
        const bool is_good = path && PyUnicode_FSConverter(path, &bytes);
        Py_XDECREF(path);
        if (!is_good)
            return false;
        list_append(&d->paths, bytes);
    }
    return d->paths && (n > 0 || PyErr_Format(PyExc_ValueError, "no path given"));
}

/* A call of the library: files of games are read, and the first fault is kept. */
typedef struct opening {
    const char **names;
    size_t n;
    tby_db_mode mode;
    bool skips;
    first_fault fault;
    uint64_t game; /* that has it */
    const char *name;
    tby_failure failure;
} opening;

static bool keep_fault(void *context, const char *name, const tby_game_fault *fault, uint64_t game)
{
    opening *o = context;
    const bool is_cut = game == 0 && fault->error.status == TBY_IO_ERROR;
    if (fault->error.status == TBY_OK || (o->skips && !is_cut))
        return true;
    if (!is_cut)
        fault_keep(&o->fault, fault);
    o->game = game;
    for (size_t i = 0; i < o->n; i++)
        o->name = strcmp(o->names[i], name) == 0 ? o->names[i] : o->name;
    return false;
}

/* Needs no lock. */
static tby_status open_database(tby_db **db, opening *o)
{
    const tby_db_games how = {.fault = keep_fault, .context = o};
    if (o->mode == TBY_DB_READ)
        return tby_db_open_games(db, o->names, o->n, &how, &o->failure);
    return tby_db_open(db, o->names[0], o->mode, &o->failure);
}

/* False with an exception set. */
static bool open_paths(database_object *d, opening *o)
{
    char shown[1024];
    tby_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = open_database(&d->db, o);
    Py_END_ALLOW_THREADS;
    const char *note = status == TBY_OK ? tby_db_note(d->db) : NULL;
    if (status == TBY_OK)
        return !note || PyErr_WarnFormat(PyExc_UserWarning, 1, "%s: %s", o->names[0], note) == 0;
    if (o->fault.is_there)
        return error_raise_fault(&o->fault.fault, o->game, o->name, NULL);
    tby_db_name_write(shown, sizeof shown, o->names[0]);
    return PyErr_Format(DatabaseError_class, "%s%s%s", o->n == 1 ? shown : "", o->n == 1 ? ": " : "", o->failure.text);
}

/* Their names are bytes of the list. */
static bool open_all(database_object *d, opening *o)
{
    o->n = (size_t)PyList_Size(d->paths);
    if (o->n > 1 && o->mode != TBY_DB_READ)
        return PyErr_Format(PyExc_ValueError, "several databases can only be read");
    o->names = calloc(o->n, sizeof *o->names);
    for (size_t i = 0; o->names && i < o->n; i++)
        o->names[i] = PyBytes_AsString(PyList_GetItem(d->paths, (Py_ssize_t)i));
    const bool is_open = o->names ? open_paths(d, o) : PyErr_NoMemory() != NULL;
    if (is_open && o->n == 1)
        d->file = tby_db_temporary_path(d->db) ? tby_db_temporary_path(d->db) : o->names[0];
    free(o->names);
    return is_open;
}

static PyObject *database_make(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"path", "mode", "errors", NULL};
    static const char *const modes[] = {"r", "w", "c", NULL};
    PyObject *path;
    const char *mode = "r", *errors = "raise";
    opening o = {.n = 0};
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|s$s:Database", names, &path, &mode, &errors))
        return NULL;
    const int word = word_read(modes, mode, "mode must be \"r\", \"w\" or \"c\" (created if missing)");
    database_object *d = word < 0 ? NULL : (database_object *)PyType_GenericAlloc(type, 0);
    o.mode = (tby_db_mode)word;
    if (d && !(errors_read(&o.skips, errors) && read_paths(d, path) && open_all(d, &o)))
        Py_CLEAR(d);
    return (PyObject *)d;
}

static void database_dealloc(PyObject *self)
{
    database_object *d = (database_object *)self;
    tby_db_close(d->db);
    Py_XDECREF(d->paths);
    object_free(self);
}

static PyObject *close_database(PyObject *self, PyObject *unused)
{
    database_object *d = (database_object *)self;
    if (!d->db)
        Py_RETURN_NONE;
    if (!database_take(d))
        return NULL;
    tby_db_close(d->db);
    d->db = NULL;
    d->is_busy = false;
    Py_RETURN_NONE;
}

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

/* False with an exception set. */
static bool is_done(const database_object *d, tby_status status)
{
    if (status != TBY_OK)
        error_raise_database(d->db, status);
    return status == TBY_OK;
}

static Py_ssize_t database_length(PyObject *self)
{
    database_object *d = (database_object *)self;
    int64_t n = 0;
    if (!database_take(d))
        return -1;
    const tby_status status = tby_db_n_games(&n, d->db);
    d->is_busy = false;
    return is_done(d, status) ? (Py_ssize_t)n : -1;
}

/* The key is a game number or a Hit. */
static PyObject *database_game(PyObject *self, PyObject *key)
{
    database_object *d = (database_object *)self;
    PyObject *number = PyObject_TypeCheck(key, Hit_type) ? PyStructSequence_GetItem(key, 0) : key;
    const long long id = PyLong_AsLongLong(number);
    PyObject *game = PyErr_Occurred() ? NULL : game_new(tby_game_new(NULL));
    if (!game || !database_take(d)) {
        Py_XDECREF(game);
        return NULL;
    }
    const tby_status status = tby_db_game(((game_object *)game)->game, d->db, id);
    d->is_busy = false;
    if (status == TBY_NOT_FOUND)
        PyErr_SetObject(PyExc_KeyError, number);
    else if (is_done(d, status))
        return game;
    Py_DECREF(game);
    return NULL;
}

/* ---- Progress --------------------------------------------------------------------------------------------------- */

/* Calls a Python function with the progress of a long call. The library may call from any thread, without the
   interpreter's lock. An exception in the callback ends the call and is raised by it. */
typedef struct progress {
    PyObject *callback;
    PyObject *raised;       /* by the callback */
    tby_db_progress report; /* NULL: none */
} progress;

static bool progress_report(void *context, double fraction)
{
    progress *p = context;
    const PyGILState_STATE state = PyGILState_Ensure();
    PyObject *answer = p->raised ? NULL : PyObject_CallFunction(p->callback, "d", fraction);
    if (!answer && !p->raised)
        p->raised = error_take();
    Py_XDECREF(answer);
    PyGILState_Release(state);
    return answer != NULL;
}

/* `callback` may be None. False with an exception set. */
static bool progress_begin(progress *p, PyObject *callback)
{
    *p = (progress){.callback = callback, .report = callback == Py_None ? NULL : progress_report};
    if (!p->report || PyCallable_Check(callback))
        return true;
    return PyErr_Format(PyExc_TypeError, "progress must be callable: it receives a number from 0 to 1");
}

/* Raises the exception of the callback; false if there is none. */
static bool progress_raise(progress *p)
{
    if (!p->raised)
        return false;
    error_raise_again(p->raised);
    Py_CLEAR(p->raised);
    return true;
}

/* ---- Searching -------------------------------------------------------------------------------------------------- */

/* A tby_db_visit; the context is a buffer. */
static bool add_hit(void *hits, const tby_db_hit *hit)
{
    buffer_add(hits, hit, sizeof *hit);
    return !((buffer *)hits)->has_failed;
}

static PyObject *list_hits(const buffer *hits)
{
    const tby_db_hit *hit = (const tby_db_hit *)(const void *)hits->s;
    const Py_ssize_t n = (Py_ssize_t)(hits->n / sizeof *hit);
    PyObject *list = PyList_New(n);
    for (Py_ssize_t i = 0; list && i < n; i++, hit++)
        list_put(&list, i,
                 tuple_new(Hit_type, 2, PyLong_FromLongLong(hit->id), PyLong_FromLong(hit->ply < 0 ? 0 : hit->ply)));
    return list;
}

/* The hits, or only their number. */
static PyObject *search(database_object *d, tby_db_search *s, progress *watcher, bool counts)
{
    buffer found = {0};
    int64_t n = 0;
    tby_status status;
    if (!database_take(d))
        return NULL;
    s->progress = watcher->report;
    s->progress_context = watcher;
    Py_BEGIN_ALLOW_THREADS;
    status = counts ? tby_db_count(&n, d->db, s) : tby_db_find(d->db, s, add_hit, &found);
    Py_END_ALLOW_THREADS;
    d->is_busy = false;
    PyObject *answer = progress_raise(watcher) ? NULL
                       : found.has_failed      ? PyErr_NoMemory()
                       : status != TBY_OK      ? error_raise_database(d->db, status)
                       : counts                ? PyLong_FromLongLong(n)
                                               : list_hits(&found);
    buffer_free(&found);
    return answer;
}

static PyObject *find(PyObject *self, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"query", "where", "limit", "offset", "sort", "sample", "seed", "progress", NULL};
    PyObject *query = NULL, *callback = Py_None, *list = NULL;
    progress watcher;
    const char *where = NULL, *sort = NULL;
    long long limit = 0, offset = 0, sample = 0;
    unsigned long long seed = 0;
    tby_order order;
    tby_text fault;
    tby_query *parsed;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O$zLLzLKO:find", names, &query, &where, &limit, &offset, &sort,
                                     &sample, &seed, &callback) ||
        !progress_begin(&watcher, callback) || !query_read(&parsed, query))
        return NULL;
    tby_db_search s = {.query = parsed, .where = where, .limit = limit, .offset = offset, .seed = seed};
    s.order = sort ? &order : NULL;
    s.sample = (uint64_t)sample;
    if (limit < 0 || offset < 0 || sample < 0)
        PyErr_SetString(PyExc_ValueError, "limit, offset and sample must not be negative");
    else if (sort && !tby_order_read(&order, sort, &fault))
        PyErr_Format(PyExc_ValueError, "sort takes columns, elo, length, id and names of tags, not \"%.100s\"",
                     fault.s);
    else
        list = search((database_object *)self, &s, &watcher, false);
    tby_query_free(parsed);
    return list;
}

static PyObject *count(PyObject *self, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"query", "where", "progress", NULL};
    PyObject *query = NULL, *callback = Py_None;
    progress watcher;
    const char *where = NULL;
    tby_query *parsed;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O$zO:count", names, &query, &where, &callback) ||
        !progress_begin(&watcher, callback) || !query_read(&parsed, query))
        return NULL;
    tby_db_search s = {.query = parsed, .where = where};
    PyObject *answer = search((database_object *)self, &s, &watcher, true);
    tby_query_free(parsed);
    return answer;
}

/* ---- Exploring --------------------------------------------------------------------------------------------------- */

/* 20190531 to "2019-05-31"; unknown parts are left out. */
static PyObject *date_new(int date)
{
    char text[32];
    if (date == 0)
        Py_RETURN_NONE;
    PyOS_snprintf(text, sizeof text, "%04d-%02d-%02d", date / 10000, date / 100 % 100, date % 100);
    return PyUnicode_FromStringAndSize(text, date / 100 % 100 == 0 ? 4 : date % 100 == 0 ? 7 : 10);
}

static PyObject *explored_move(const tby_db_move *m, const position_object *at)
{
    return tuple_new(ExploredMove_type, 10, move_new(&at->pos, m->move, at->is_chess960), san_new(&at->pos, m->move),
                     number_new(m->games), number_new(m->results[TBY_WHITE_WINS]), number_new(m->results[TBY_DRAW]),
                     number_new(m->results[TBY_BLACK_WINS]), number_new(m->results[TBY_RESULT_NONE]),
                     number_new(m->reached),
                     m->n_elo ? PyFloat_FromDouble((double)m->elo_sum / (double)m->n_elo) : Py_NewRef(Py_None),
                     date_new(m->last_date));
}

static PyObject *explored(const tby_db_moves *found, const position_object *at)
{
    PyObject *moves = PyList_New((Py_ssize_t)found->n_moves);
    for (size_t i = 0; moves && i < found->n_moves; i++)
        list_put(&moves, (Py_ssize_t)i, explored_move(&found->moves[i], at));
    return tuple_new(Explored_type, 7, number_new(found->games), number_new(found->results[TBY_WHITE_WINS]),
                     number_new(found->results[TBY_DRAW]), number_new(found->results[TBY_BLACK_WINS]),
                     number_new(found->results[TBY_RESULT_NONE]), number_new(found->ended), moves);
}

static PyObject *explore(PyObject *self, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"position", "query", "where", NULL};
    database_object *d = (database_object *)self;
    PyObject *position, *query = NULL, *answer = NULL;
    const char *where = NULL;
    tby_query *parsed;
    tby_status status;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!|O$z:explore", names, Position_type, &position, &query,
                                     &where) ||
        !query_read(&parsed, query))
        return NULL;
    const position_object *at = (const position_object *)position;
    const tby_db_search among = {.query = parsed, .where = where};
    tby_db_moves *found = malloc(sizeof *found);
    if (!found) {
        PyErr_NoMemory();
    } else if (database_take(d)) {
        Py_BEGIN_ALLOW_THREADS;
        status = tby_db_explore(found, d->db, &at->pos, parsed || where ? &among : NULL);
        Py_END_ALLOW_THREADS;
        d->is_busy = false;
        answer = status == TBY_OK ? explored(found, at) : error_raise_database(d->db, status);
    }
    free(found);
    tby_query_free(parsed);
    return answer;
}

/* ---- Adding ----------------------------------------------------------------------------------------------------- */

static bool add_batch(database_object *d, tby_batch *batch, tby_duplicates duplicates, tby_db_added *added)
{
    tby_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = tby_db_add(added, d->db, batch, duplicates);
    Py_END_ALLOW_THREADS;
    tby_batch_clear(batch);
    return is_done(d, status);
}

static bool batch_game(tby_batch *batch, PyObject *game)
{
    if (!PyObject_TypeCheck(game, Game_type))
        return PyErr_Format(PyExc_TypeError, "only games can be added");
    tby_error err = {.status = tby_batch_add(batch, ((game_object *)game)->game)};
    if (err.status != TBY_OK)
        error_raise_plain(&err);
    return err.status == TBY_OK;
}

static bool add_all(database_object *d, PyObject *games, tby_batch *batch, tby_duplicates duplicates,
                    tby_db_added *added)
{
    PyObject *game;
    while ((game = PyIter_Next(games)) != NULL) {
        const bool is_added = batch_game(batch, game);
        Py_DECREF(game);
        if (!is_added || (tby_batch_size(batch) > 1 << 20 && !add_batch(d, batch, duplicates, added)))
            return false;
    }
    return !PyErr_Occurred() && add_batch(d, batch, duplicates, added);
}

static bool begin(database_object *d)
{
    tby_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = tby_db_begin(d->db);
    Py_END_ALLOW_THREADS;
    return is_done(d, status);
}

/* Also updates the indexes. */
static bool commit(database_object *d, int plies, progress *watcher)
{
    tby_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = tby_db_commit(d->db);
    if (status == TBY_OK)
        status = tby_db_index(d->db, plies, watcher->report, watcher);
    Py_END_ALLOW_THREADS;
    return !progress_raise(watcher) && is_done(d, status);
}

/* Adds all games or, if something fails, none. */
static PyObject *add(PyObject *self, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"games", "duplicates", "index_plies", "progress", NULL};
    database_object *d = (database_object *)self;
    PyObject *games, *callback = Py_None;
    progress watcher;
    int keeps = 0, plies = TBY_INDEX_ALL;
    tby_db_added added = {0};
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|$piO:add", names, &games, &keeps, &plies, &callback) ||
        !progress_begin(&watcher, callback))
        return NULL;
    PyObject *each = PyObject_GetIter(games);
    tby_batch *batch = each ? tby_batch_new() : NULL;
    bool is_added = false;
    if (each && !batch)
        PyErr_NoMemory();
    if (batch && database_take(d)) {
        if (begin(d)) {
            is_added = add_all(d, each, batch, keeps ? TBY_DUPLICATES_KEEP : TBY_DUPLICATES_SKIP, &added);
            if (!is_added)
                tby_db_rollback(d->db);
            is_added = is_added && commit(d, plies, &watcher);
        }
        d->is_busy = false;
    }
    tby_batch_free(batch);
    Py_XDECREF(each);
    if (!is_added)
        return NULL;
    return tuple_new(Added_type, 2, number_new(added.stored), number_new(added.duplicates));
}

/* ---- The type --------------------------------------------------------------------------------------------------- */

static PyObject *database_repr(PyObject *self)
{
    const database_object *d = (const database_object *)self;
    char shown[1024];
    buffer names = {0};
    for (Py_ssize_t i = 0; i < PyList_Size(d->paths); i++) {
        tby_db_name_write(shown, sizeof shown, PyBytes_AsString(PyList_GetItem(d->paths, i)));
        buffer_printf(&names, "%s %s", i ? "," : "<Database", shown);
    }
    buffer_string(&names, ">");
    return text_end(&names);
}

/* Iterates over the games in the order of their numbers. */
static PyObject *database_iterate(PyObject *self)
{
    const bool is_one = ((database_object *)self)->file != NULL;
    return python_call("tabiya._ask", is_one ? "games_of" : "games_of_several", self);
}

static PyMethodDef methods[] = {
    {"sql", database_sql, METH_VARARGS, "sql($self, statement, /)\n--\n\nthe result as a Table; read-only"},
    {"close", close_database, METH_NOARGS, "close($self, /)\n--\n\ncloses the file or connection"},
    {"__enter__", object_enter, METH_NOARGS, "__enter__($self, /)\n--\n\nthe database itself"},
    {"__exit__", close_database, METH_VARARGS, "__exit__($self, /, *exception)\n--\n\ncloses it"},
    {"find", KEYWORDS(find), METH_VARARGS | METH_KEYWORDS,
     "find($self, /, query=None, *, where=None, limit=0, offset=0, sort=None, sample=0, seed=0, "
     "progress=None)\n--\n\na list of hits: id, and the first ply at which it holds. sort is a list "
     "of columns as \"-elo,date\" (default: by id), sample the size of a random sample (default: 0, "
     "all games). progress is called from time to time with a number from 0 to 1; an exception ends "
     "the search"},
    {"count", KEYWORDS(count), METH_VARARGS | METH_KEYWORDS,
     "count($self, /, query=None, *, where=None, progress=None)\n--\n\nthe number of games"},
    {"explore", KEYWORDS(explore), METH_VARARGS | METH_KEYWORDS,
     "explore($self, /, position, query=None, *, where=None)\n--\n\nthe moves played in a position"},
    {"_report", database_report, METH_VARARGS, "_report($self, white, black, /)\n--\n\nsee tabiya.report"},
    {"_names", database_names, METH_O, "_names($self, query, /)\n--\n\nsee tabiya.names"},
    {"_novelty", database_novelty, METH_VARARGS, "_novelty($self, game, line, any_date, /)\n--\n\nsee tabiya.novelty"},
    {"add", KEYWORDS(add), METH_VARARGS | METH_KEYWORDS,
     "add($self, /, games, *, duplicates=False, index_plies=10000, progress=None)\n--\n\nstores "
     "games, all or none; progress is about the indexes"},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_doc,
     "Database(path, mode=\"r\", *, errors=\"raise\")\n--\n\nGames in one file, or on a server: "
     "postgresql://USER@HOST/NAME. To read, also a file of games in any notation, where a game with a fault "
     "raises an Error, or with errors=\"skip\" is left out; or a list of all these, as one. database[id] and "
     "database[hit] are games; its length is the number of games, and iterating yields them."},
    {Py_tp_new, database_make},
    {Py_tp_dealloc, database_dealloc},
    {Py_tp_methods, methods},
    {Py_tp_iter, database_iterate},
    {Py_mp_length, database_length},
    {Py_mp_subscript, database_game},
    {Py_tp_repr, database_repr},
    {0},
};
PyType_Spec Database_spec = {"tabiya.Database", sizeof(database_object), 0, TYPE_MADE, slots};
