/*
 * study.c - Database: reports on players, spellings of names, and first new moves of games; tabiya/_ask.py gives them
 * names.
 */
#include "python.h"

#include <stdlib.h>
#include <string.h>

static PyObject *known(int64_t number) { return number > 0 ? PyLong_FromLongLong(number) : Py_NewRef(Py_None); }

/* The game counts and the numbers of _ask.Side. */
static PyObject *side_new(tby_score s)
{
    return Py_BuildValue("KKKKNN", (unsigned long long)s.games, (unsigned long long)s.won, (unsigned long long)s.drawn,
                         (unsigned long long)s.lost, known(s.elo), known(s.performance));
}

/* {"openings": {"Sicilian Defense (white)": (...)}} */
static PyObject *parts_new(tby_report *report)
{
    PyObject *all = PyDict_New();
    for (int part = 0; all && part < TBY_REPORT_PARTS; part++) {
        PyObject *lines = PyDict_New();
        tby_score score;
        const char *key;
        for (size_t i = 0; lines && (key = tby_report_line(&score, report, (tby_report_part)part, i)) != NULL; i++) {
            PyObject *name = PyUnicode_DecodeUTF8(key, (Py_ssize_t)strlen(key), "replace"), *side = side_new(score);
            if (!name || !side || PyDict_SetItem(lines, name, side) != 0)
                Py_CLEAR(lines);
            Py_XDECREF(name);
            Py_XDECREF(side);
        }
        if (!lines || PyDict_SetItemString(all, tby_report_part_name((tby_report_part)part), lines) != 0)
            Py_CLEAR(all);
        Py_XDECREF(lines);
    }
    return all;
}

/* `query` finds the player's games with that colour; None: none are counted. */
static bool count_color(database_object *d, tby_report *report, PyObject *query, tby_color color)
{
    tby_query *parsed;
    tby_status status;
    if (query == Py_None)
        return true;
    if (!query_read(&parsed, query))
        return false;
    const tby_db_search search = {.query = parsed};
    Py_BEGIN_ALLOW_THREADS;
    status = tby_db_report(report, d->db, &search, color);
    Py_END_ALLOW_THREADS;
    tby_query_free(parsed);
    if (status != TBY_OK)
        error_raise_database(d->db, status);
    return status == TBY_OK;
}

PyObject *database_report(PyObject *self, PyObject *args)
{
    database_object *d = (database_object *)self;
    PyObject *white, *black, *answer = NULL;
    if (!PyArg_ParseTuple(args, "OO:_report", &white, &black))
        return NULL;
    tby_report *report = tby_report_new();
    if (!report) {
        PyErr_NoMemory();
    } else if (database_take(d)) {
        if (count_color(d, report, white, TBY_WHITE) && count_color(d, report, black, TBY_BLACK))
            answer = parts_new(report);
        d->is_busy = false;
    }
    tby_report_free(report);
    return answer;
}

/* What others played: the fields of _ask.Novelty. */
static PyObject *novelty_new(const tby_novelty *n, bool is_chess960)
{
    PyObject *moves = PyList_New((Py_ssize_t)n->played.n_moves);
    for (size_t i = 0; moves && i < n->played.n_moves; i++)
        list_put(&moves, (Py_ssize_t)i,
                 Py_BuildValue("NK", san_new(&n->before, n->played.moves[i].move),
                               (unsigned long long)n->played.moves[i].games));
    PyObject *san = n->move == TBY_MOVE_NONE ? Py_NewRef(Py_None) : san_new(&n->before, n->move);
    return Py_BuildValue("NINKN", san, n->ply, position_new(&n->before, is_chess960),
                         (unsigned long long)n->played.games, moves);
}

PyObject *database_novelty(PyObject *self, PyObject *args)
{
    database_object *d = (database_object *)self;
    PyObject *game, *answer = NULL;
    int is_line, takes_any_date;
    tby_status status;
    if (!PyArg_ParseTuple(args, "O!pp:_novelty", Game_type, &game, &is_line, &takes_any_date))
        return NULL;
    const tby_novelty_options options = {.is_line = is_line, .takes_any_date = takes_any_date};
    const tby_game *tree = ((game_object *)game)->game;
    tby_novelty *found = malloc(sizeof *found);
    if (!found) {
        PyErr_NoMemory();
    } else if (database_take(d)) {
        Py_BEGIN_ALLOW_THREADS;
        status = tby_db_novelty(found, d->db, tree, &options);
        Py_END_ALLOW_THREADS;
        d->is_busy = false;
        answer = status == TBY_OK ? novelty_new(found, tby_game_is_chess960(tree))
                                  : error_raise_database(d->db, status);
    }
    free(found);
    return answer;
}

/* ---- Names ------------------------------------------------------------------------------------------------------ */

static PyObject *text_or_none(const char *s)
{
    return s ? PyUnicode_DecodeUTF8(s, (Py_ssize_t)strlen(s), "replace") : Py_NewRef(Py_None);
}

static PyObject *spellings_new(tby_spellings *names)
{
    PyObject *list = PyList_New(0);
    tby_spelling one;
    for (size_t i = 0; list && tby_spellings_at(&one, names, i); i++)
        list_append(&list, Py_BuildValue("NKNK", text_or_none(one.name), (unsigned long long)one.games,
                                         text_or_none(one.better), (unsigned long long)one.better_games));
    return list;
}

PyObject *database_names(PyObject *self, PyObject *query)
{
    database_object *d = (database_object *)self;
    tby_query *parsed;
    tby_status status;
    if (!query_read(&parsed, query))
        return NULL;
    const tby_db_search search = {.query = parsed};
    tby_spellings *names = tby_spellings_new(true);
    PyObject *answer = NULL;
    if (!names) {
        PyErr_NoMemory();
    } else if (database_take(d)) {
        Py_BEGIN_ALLOW_THREADS;
        status = tby_db_spellings(names, d->db, &search);
        Py_END_ALLOW_THREADS;
        d->is_busy = false;
        answer = status == TBY_OK ? spellings_new(names) : error_raise_database(d->db, status);
    }
    tby_spellings_free(names);
    tby_query_free(parsed);
    return answer;
}
