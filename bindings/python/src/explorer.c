/*
 * explorer.c - the moves that the games of a database play in a position.
 */
#include "python.h"

#include <stdlib.h>

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
    return tuple_new(ExploredMove_type, "(NNNNNNNNNN)", move_new(&at->pos, m->move, at->is_chess960),
                     san_new(&at->pos, m->move), number_new(m->games), number_new(m->results[TBY_WHITE_WINS]),
                     number_new(m->results[TBY_DRAW]), number_new(m->results[TBY_BLACK_WINS]),
                     number_new(m->results[TBY_RESULT_NONE]), number_new(m->reached),
                     m->n_elo ? PyFloat_FromDouble((double)m->elo_sum / (double)m->n_elo) : Py_NewRef(Py_None),
                     date_new(m->last_date));
}

static PyObject *explored(const tby_db_moves *found, const position_object *at)
{
    PyObject *moves = PyList_New((Py_ssize_t)found->n_moves);
    for (size_t i = 0; moves && i < found->n_moves; i++)
        list_put(&moves, (Py_ssize_t)i, explored_move(&found->moves[i], at));
    return tuple_new(Explored_type, "(NNNNNNN)", number_new(found->games), number_new(found->results[TBY_WHITE_WINS]),
                     number_new(found->results[TBY_DRAW]), number_new(found->results[TBY_BLACK_WINS]),
                     number_new(found->results[TBY_RESULT_NONE]), number_new(found->ended), moves);
}

PyObject *database_explore(PyObject *self, PyObject *args, PyObject *keywords)
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
        database_give(d);
        answer = status == TBY_OK ? explored(found, at) : error_raise_database(d->db, status);
    }
    free(found);
    tby_query_free(parsed);
    return answer;
}
