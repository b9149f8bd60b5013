/*
 * row_stream.c - the rows of files and databases, game by game.
 *
 * The inputs are opened one after the other. For a database the search runs first, so that only the game numbers are in
 * memory; the database is opened again, so that any thread may read the stream.
 */
#include "python.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MANY_ROWS = 1 << 16, MANY_BYTES = 1 << 25 };

struct row_stream {
    tby_rows *rows;
    bool skips;
    asking asking;
    PyObject *inputs; /* a list; NULL for a database */
    Py_ssize_t at;
    char *notation;

    source *source; /* the current input, and its reader */
    tby_rows_reader *reader;
    tby_games *games; /* with a query: games are read here and passed to the reader */
    tby_game *game;
    uint64_t games_before; /* in the inputs before this one */
    tby_rows_counts before;

    tby_db *db; /* or a database: the numbers of its games */
    tby_game_id *ids;
    size_t n_ids, cap_ids, id_at;
    bool lacks_ids; /* out of memory for the numbers */

    uint64_t n_read, n_bad; /* games, if there is a query */
    first_fault fault;
    bool is_raised; /* reading ended because of `fault` of this game */
    uint64_t fault_game;
    char error[2 * TBY_GAME_FAULT_SIZE];
    PyObject *exception; /* from opening an input */
};

/* ---- Life ------------------------------------------------------------------------------------------------------- */

/* The counts of all inputs. With a query, or of a database, the games are counted here. */
static tby_rows_counts counts_so_far(const row_stream *s)
{
    tby_rows_counts all = s->before;
    if (!s->reader)
        return all;
    const tby_rows_counts now = tby_rows_reader_counts(s->reader);
    all.plies += now.plies;
    all.rows += now.rows;
    all.left_out += now.left_out;
    all.games += s->source && !s->games ? now.games : 0;
    all.bad += s->source && !s->games ? now.bad : 0;
    return all;
}

static void close_input(row_stream *s)
{
    if (s->reader && s->source) {
        s->before = counts_so_far(s);
        s->games_before += s->games ? tby_games_where(s->games).n_games : tby_rows_reader_where(s->reader).n_games;
    }
    tby_rows_reader_free(s->reader);
    tby_games_free(s->games);
    source_free(s->source);
    s->reader = NULL;
    s->games = NULL;
    s->source = NULL;
}

void row_stream_free(row_stream *s)
{
    if (!s)
        return;
    close_input(s);
    tby_rows_free(s->rows);
    asking_end(&s->asking);
    tby_game_free(s->game);
    tby_db_close(s->db);
    Py_XDECREF(s->inputs);
    Py_XDECREF(s->exception);
    free(s->notation);
    free(s->ids);
    free(s);
}

static bool add_id(void *context, const tby_db_hit *hit)
{
    row_stream *s = context;
    s->lacks_ids = !array_reserve(&s->ids, &s->cap_ids, s->n_ids + 1, sizeof *s->ids, NULL);
    if (s->lacks_ids)
        return false;
    s->ids[s->n_ids++] = hit->id;
    return true;
}

static bool open_database(row_stream *s, const database_object *d, PyObject *query)
{
    tby_failure failure;
    tby_query *owned = NULL;
    tby_db_search search = {0};
    tby_status status;
    int64_t n = 0;
    if (!search_read(&search, &owned, query, NULL))
        return false;
    Py_BEGIN_ALLOW_THREADS;
    status = tby_db_open(&s->db, d->name, TBY_DB_READ, &failure);
    if (status == TBY_OK)
        status = tby_db_n_games(&n, s->db);
    if (status == TBY_OK)
        status = tby_db_find(s->db, &search, add_id, s);
    Py_END_ALLOW_THREADS;
    tby_query_free(owned);
    if (s->lacks_ids)
        status = TBY_NO_MEMORY;
    if (!s->db)
        PyErr_SetString(DatabaseError_class, failure.text);
    else if (status != TBY_OK)
        error_raise_database(s->db, status);
    s->n_read = (uint64_t)n;
    s->reader = status == TBY_OK ? tby_rows_reader_new_empty(s->rows, NULL) : NULL;
    if (status == TBY_OK && !s->reader)
        PyErr_NoMemory();
    return s->reader;
}

/* `name` begins with the column's name. PyErr_Format knows no "%.*s". */
static void raise_column(const char *name, const char *why)
{
    PyObject *column = PyUnicode_DecodeUTF8(name, (Py_ssize_t)strcspn(name, ","), "replace");
    if (column)
        PyErr_Format(PyExc_ValueError, "column \"%U\": %s", column, why ? why : "not known");
    Py_XDECREF(column);
}

static bool begin(row_stream *s, const row_stream_options *o)
{
    tby_error err = {.status = TBY_OK};
    s->skips = o->skips;
    s->rows = tby_rows_new(&o->rows, NULL, &err);
    if (!s->rows) {
        raise_column(o->rows.columns + err.offset, err.detail);
        return false;
    }
    s->game = tby_game_new(NULL);
    s->notation = o->notation ? strdup(o->notation) : NULL;
    if (!s->game || (o->notation && !s->notation)) {
        PyErr_NoMemory();
        return false;
    }
    if (PyObject_TypeCheck(o->inputs, Database_type))
        return open_database(s, (const database_object *)o->inputs, o->query);
    s->inputs = Py_NewRef(o->inputs);
    return asking_begin(&s->asking, o->query);
}

row_stream *row_stream_new(const row_stream_options *options)
{
    row_stream *s = calloc(1, sizeof *s);
    if (!s) {
        PyErr_NoMemory();
        return NULL;
    }
    if (begin(s, options))
        return s;
    row_stream_free(s);
    return NULL;
}

/* ---- Attributes ------------------------------------------------------------------------------------------------- */

const tby_column *row_stream_columns(const row_stream *s, size_t *n) { return tby_rows_columns(s->rows, n); }

tby_rows_counts row_stream_counts(const row_stream *s)
{
    tby_rows_counts all = counts_so_far(s);
    all.games += s->n_read;
    all.bad += s->n_bad;
    return all;
}

const char *row_stream_error(const row_stream *s) { return s->error; }

void row_stream_raise(row_stream *s)
{
    if (s->exception)
        PyErr_SetObject((PyObject *)Py_TYPE(s->exception), s->exception);
    else if (s->source && source_raise(s->source))
        return;
    else if (s->is_raised)
        error_raise_fault(&s->fault.fault, s->fault_game, source_name(s->source));
    else
        PyErr_SetString(DatabaseError_class, s->error);
}

/* ---- Files ------------------------------------------------------------------------------------------------------ */

static bool begin_reader(row_stream *s, const tby_game_notation *notation)
{
    if (!s->asking.query) {
        s->reader = tby_rows_reader_new(s->rows, notation, source_read, s->source, NULL);
        return s->reader;
    }
    s->reader = tby_rows_reader_new_empty(s->rows, NULL);
    s->games = notation->open(source_read, s->source, NULL);
    return s->reader && s->games;
}

static bool open_with_lock(row_stream *s)
{
    s->source = source_new(PyList_GetItem(s->inputs, s->at++));
    const tby_game_notation *notation = s->source ? source_notation(s->source, s->notation) : NULL;
    if (!notation)
        return false;
    if (begin_reader(s, notation))
        return true;
    PyErr_NoMemory();
    return false;
}

/* Opens the next input: 1, 0 if there is none, -EIO. */
static int open_input(row_stream *s)
{
    const PyGILState_STATE state = PyGILState_Ensure();
    int answer = 0;
    close_input(s);
    if (s->at < PyList_Size(s->inputs)) {
        answer = open_with_lock(s) ? 1 : -EIO;
        if (answer < 0) {
            s->exception = error_take();
            strcpy(s->error, "an input could not be opened");
        }
    }
    PyGILState_Release(state);
    return answer;
}

static tby_game_read pick_game(row_stream *s, tby_table *table)
{
    const int answer = asking_first(&s->asking, s->game);
    if (answer == TBY_QUERY_NO_MEMORY)
        return TBY_GAME_NO_MEMORY;
    if (answer < 0) {
        tby_game_fault fault = {.error.status = TBY_TOO_LONG};
        strcpy(fault.text, "too long for a query");
        fault_keep(&s->fault, &fault);
        return TBY_GAME_BAD;
    }
    if (answer == 0)
        return TBY_GAME_GOOD;
    return tby_rows_reader_add(s->reader, table, s->game, (int64_t)tby_games_where(s->games).n_games);
}

static tby_game_read read_game(row_stream *s, tby_table *table)
{
    if (!s->games)
        return tby_rows_reader_next(s->reader, table, fault_keep, &s->fault);
    tby_game_read read = tby_games_next(s->games, s->game, fault_keep, &s->fault);
    if (read == TBY_GAME_END)
        return read;
    if (read == TBY_GAME_GOOD)
        read = pick_game(s, table);
    s->n_read++;
    s->n_bad += read == TBY_GAME_BAD;
    return read;
}

/* Numbers games across all inputs. */
static void number_games(row_stream *s, tby_table *table, size_t from)
{
    const int column = tby_rows_game_column(s->rows);
    if (column < 0 || s->games_before == 0)
        return;
    int64_t *games = tby_table_values(table, (size_t)column);
    for (size_t i = from; i < tby_table_n_rows(table); i++)
        games[i] += (int64_t)s->games_before;
}

static int stream_fail(row_stream *s)
{
    const char *why = source_error(s->source);
    s->is_raised = !why;
    s->fault_game = s->games ? tby_games_where(s->games).n_games : tby_rows_reader_where(s->reader).n_games;
    if (why)
        snprintf(s->error, sizeof s->error, "%s: %s", source_name(s->source), why);
    else
        snprintf(s->error, sizeof s->error, "%s:%llu:%llu: %s", source_name(s->source),
                 (unsigned long long)s->fault.fault.line, (unsigned long long)s->fault.fault.column,
                 s->fault.fault.text);
    return -EIO;
}

static int next_of_files(row_stream *s, tby_table *table)
{
    const size_t n_before = tby_table_n_rows(table);
    const int opened = s->source ? 1 : open_input(s);
    if (opened <= 0)
        return opened;
    s->fault.is_there = false;
    const tby_game_read read = read_game(s, table);
    number_games(s, table, n_before);
    if (read == TBY_GAME_NO_MEMORY || tby_table_has_failed(table))
        return -ENOMEM;
    if (source_error(s->source) || (read == TBY_GAME_BAD && !s->skips))
        return stream_fail(s);
    if (read == TBY_GAME_END)
        return open_input(s);
    return 1;
}

/* ---- Databases -------------------------------------------------------------------------------------------------- */

static int next_of_database(row_stream *s, tby_table *table)
{
    if (s->id_at == s->n_ids)
        return 0;
    const tby_game_id id = s->ids[s->id_at++];
    const tby_status status = tby_db_game(s->game, s->db, id);
    if (status == TBY_NO_MEMORY)
        return -ENOMEM;
    const tby_game_read read = status == TBY_OK ? tby_rows_reader_add(s->reader, table, s->game, id) : TBY_GAME_BAD;
    if (read == TBY_GAME_NO_MEMORY || tby_table_has_failed(table))
        return -ENOMEM;
    s->n_bad += read == TBY_GAME_BAD;
    if (read != TBY_GAME_BAD || s->skips)
        return 1;
    if (status == TBY_OK)
        snprintf(s->error, sizeof s->error, "game %lld: a null move in the main line", (long long)id);
    else
        snprintf(s->error, sizeof s->error, "%s", tby_db_failure(s->db)->text);
    return -EIO;
}

int row_stream_next(row_stream *s, tby_table *table)
{
    const size_t n_before = tby_table_n_rows(table), size_before = tby_table_size(table);
    int answer = 1;
    while (answer > 0 && tby_table_n_rows(table) - n_before < MANY_ROWS &&
           tby_table_size(table) - size_before < MANY_BYTES)
        answer = s->db ? next_of_database(s, table) : next_of_files(s, table);
    return answer < 0 ? answer : tby_table_n_rows(table) > n_before;
}
