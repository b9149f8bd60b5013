/*
 * book.c - the functions behind Book (tabiya/_book.py): opening books of Polyglot as bytes.
 */
#include "python.h"

#include <stdlib.h>

PyObject *book_check(PyObject *module, PyObject *args)
{
    const char *book;
    Py_ssize_t n;
    if (!PyArg_ParseTuple(args, "y#:_book_check", &book, &n))
        return NULL;
    return PyLong_FromSize_t(tby_book_check((const uint8_t *)book, (size_t)n));
}

PyObject *book_moves(PyObject *module, PyObject *args)
{
    const char *book;
    Py_ssize_t n;
    PyObject *position;
    tby_book_move moves[TBY_MOVES_MAX];
    if (!PyArg_ParseTuple(args, "y#O!:_book_moves", &book, &n, Position_type, &position))
        return NULL;
    const position_object *at = (position_object *)position;
    const size_t n_moves = tby_book_moves(moves, (const uint8_t *)book, (size_t)n, &at->pos);
    PyObject *list = PyList_New((Py_ssize_t)n_moves);
    for (size_t i = 0; list && i < n_moves; i++)
        list_put(&list, (Py_ssize_t)i,
                 Py_BuildValue("NNI", san_new(&at->pos, moves[i].move),
                               move_new(&at->pos, moves[i].move, at->is_chess960), (unsigned)moves[i].weight));
    return list;
}

PyObject *book_game(PyObject *module, PyObject *args)
{
    const char *book;
    Py_ssize_t n;
    PyObject *position;
    if (!PyArg_ParseTuple(args, "y#O!:_book_game", &book, &n, Position_type, &position))
        return NULL;
    return game_new(tby_book_game((const uint8_t *)book, (size_t)n, &((position_object *)position)->pos));
}
