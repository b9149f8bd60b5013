/*
 * explorer.c - the moves that the games of a database play in a position.
 */
#include "python.h"

#include <stdlib.h>

PyTypeObject *Explored_type, *ExploredMove_type;

static PyObject *number(uint64_t n) { return PyLong_FromUnsignedLongLong(n); }

/* 20190531 to "2019-05-31"; unknown parts are left out. */
static PyObject *date_new(int date)
{
    if (date == 0)
        Py_RETURN_NONE;
    const int year = date / 10000, month = date / 100 % 100, day = date % 100;
    if (month == 0)
        return PyUnicode_FromFormat("%04d", year);
    return day ? PyUnicode_FromFormat("%04d-%02d-%02d", year, month, day)
               : PyUnicode_FromFormat("%04d-%02d", year, month);
}

static PyObject *explored_move(const tby_db_move *m, const position_object *at)
{
    PyObject *const values[] = {
        move_new(&at->pos, m->move, at->is_chess960),
        san_new(&at->pos, m->move),
        number(m->games),
        number(m->results[TBY_WHITE_WINS]),
        number(m->results[TBY_DRAW]),
        number(m->results[TBY_BLACK_WINS]),
        number(m->results[TBY_RESULT_NONE]),
        number(m->reached),
        m->n_elo ? PyFloat_FromDouble((double)m->elo_sum / (double)m->n_elo) : Py_NewRef(Py_None),
        date_new(m->last_date),
    };
    return tuple_new(ExploredMove_type, sizeof values / sizeof *values, values);
}

static PyObject *explored(const tby_db_moves *found, const position_object *at)
{
    PyObject *moves = PyList_New((Py_ssize_t)found->n_moves);
    for (size_t i = 0; moves && i < found->n_moves; i++)
        list_put(&moves, (Py_ssize_t)i, explored_move(&found->moves[i], at));
    PyObject *const values[] = {number(found->games),
                                number(found->results[TBY_WHITE_WINS]),
                                number(found->results[TBY_DRAW]),
                                number(found->results[TBY_BLACK_WINS]),
                                number(found->results[TBY_RESULT_NONE]),
                                number(found->ended),
                                moves};
    return tuple_new(Explored_type, sizeof values / sizeof *values, values);
}

static PyObject *explore(database_object *d, const position_object *at, const tby_db_search *search)
{
    tby_status status;
    tby_db_moves *found = malloc(sizeof *found);
    if (!found)
        return PyErr_NoMemory();
    PyObject *answer = NULL;
    if (database_take(d)) {
        Py_BEGIN_ALLOW_THREADS;
        status = tby_db_explore(found, d->db, &at->pos, search->query || search->where ? search : NULL);
        Py_END_ALLOW_THREADS;
        database_give(d);
        answer = status == TBY_OK ? explored(found, at) : error_raise_database(d->db, status);
    }
    free(found);
    return answer;
}

PyObject *database_explore(PyObject *self, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"position", "query", "where", NULL};
    PyObject *at, *query = NULL;
    const char *where = NULL;
    tby_query *owned = NULL;
    tby_db_search search = {0};
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!|O$z:explore", names, Position_type, &at, &query, &where) ||
        !search_read(&search, &owned, query, where))
        return NULL;
    PyObject *answer = explore((database_object *)self, (const position_object *)at, &search);
    tby_query_free(owned);
    return answer;
}

bool explorer_begin(PyObject *module)
{
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
        {NULL, NULL}};
    static PyStructSequence_Field fields[] = {{"games", "games that reach it"},
                                              {"white", "of these, won by white"},
                                              {"draws", "drawn"},
                                              {"black", "won by black"},
                                              {"unknown", "without a result"},
                                              {"ended", "games that end here"},
                                              {"moves", "the moves played, the most frequent first"},
                                              {NULL, NULL}};
    ExploredMove_type = tuple_type_add(module, "tabiya.ExploredMove", "A move played in a position.", move_fields);
    Explored_type = tuple_type_add(module, "tabiya.Explored", "The moves played in a position.", fields);
    return ExploredMove_type && Explored_type;
}
