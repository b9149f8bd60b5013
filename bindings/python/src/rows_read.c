/*
 * rows_read.c - reads games in several threads, and turns them into rows in the order of the input.
 *
 *     input --cut between games--> [part] [part] [part] --one thread each--> [rows] [rows] [rows] --in order--> table
 *
 * Parts of a database are some of the games that the search has found, which runs first; every part has a connection of
 * its own. A file whose notation has no boundaries, or a game too long for a part, is read on by one thread.
 *
 * Keeps    rows, numbers and errors are the same with any number of threads. With a fault, the parts after it are dropped.
 */
#include "rows.h"

#include "os/threads.h"
#include "support/failure.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHARES_MAX = 16, /* a limit of memory */
    PART_BYTES = 1 << 18,
    LONG_BYTES = 1 << 21, /* without a boundary in them, there will be none */
    PART_GAMES = 256,
    MANY_ROWS = 1 << 16,
    MANY_BYTES = 1 << 25
};

struct rows_share {
    asking asking;
    tby_game *game;
    tby_table *own, *table; /* rows of the first share are added to the caller's table */
    tby_rows_reader *reader;

    buffer bytes; /* a part of an input */
    size_t at;
    bool is_cut;      /* the input failed after it */
    source *stream;   /* where it is read on; NULL: it is a part */
    tby_games *games; /* with a query: games are read here and passed to the reader */

    tby_db *db; /* or of a database */
    size_t id_at, n_ids;

    uint64_t n_games, n_bad; /* read in this round */
    tby_game_read last;      /* TBY_GAME_GOOD: a stream has more; TBY_GAME_BAD: reading failed */
    first_fault fault;
    tby_failure failure; /* of the database */
};

/* The parts that are read at the same time. */
typedef struct reading {
    rows_object *rows;
    size_t n;
    atomic_size_t next;
} reading;

/* ---- Life ------------------------------------------------------------------------------------------------------- */

static bool make_shares(rows_object *r, size_t n)
{
    r->shares = calloc(n, sizeof *r->shares);
    r->n_shares = r->shares ? n : 0;
    for (size_t i = 0; i < r->n_shares; i++) {
        rows_share *s = &r->shares[i];
        s->game = tby_game_new(NULL);
        s->own = i ? tby_table_new(r->columns, r->n_columns, NULL) : NULL;
        if (!s->game || (i && !s->own))
            return PyErr_NoMemory();
    }
    return r->shares || PyErr_NoMemory();
}

static tby_rows_counts counts_with(tby_rows_counts all, const rows_share *s)
{
    if (s->reader) {
        const tby_rows_counts now = tby_rows_reader_counts(s->reader);
        all.plies += now.plies;
        all.rows += now.rows;
        all.left_out += now.left_out;
    }
    return all;
}

tby_rows_counts rows_count(const rows_object *r)
{
    tby_rows_counts all = r->counts;
    for (size_t i = 0; i < r->n_shares; i++)
        all = counts_with(all, &r->shares[i]);
    return all;
}

static void close_part(rows_share *s)
{
    tby_rows_reader_free(s->reader);
    tby_games_free(s->games);
    s->reader = NULL;
    s->games = NULL;
    s->stream = NULL;
}

static void close_input(rows_object *r)
{
    r->counts = rows_count(r);
    for (size_t i = 0; i < r->n_shares; i++)
        close_part(&r->shares[i]);
    source_free(r->source);
    r->source = NULL;
    r->rest.n = 0;
    r->is_read = false;
    r->games_read = r->lines_read = r->bytes_read = 0;
}

void rows_end(rows_object *r)
{
    close_input(r);
    for (size_t i = 0; i < r->n_shares; i++) {
        rows_share *s = &r->shares[i];
        asking_end(&s->asking);
        tby_game_free(s->game);
        tby_table_free(s->own);
        tby_db_close(s->db);
        buffer_free(&s->bytes);
    }
    free(r->shares);
    r->shares = NULL;
    r->n_shares = 0;
    buffer_free(&r->rest);
    buffer_free(&r->ids);
    free(r->db);
}

bool rows_begin(rows_object *r, PyObject *query)
{
    bool is_good = make_shares(r, 2 * (size_t)threads_wanted(0, SHARES_MAX / 2));
    for (size_t i = 0; is_good && i < r->n_shares; i++)
        is_good = asking_begin(&r->shares[i].asking, query);
    return is_good;
}

/* A tby_db_visit; the context is a buffer. */
static bool add_id(void *ids, const tby_db_hit *hit)
{
    buffer_add(ids, &hit->id, sizeof hit->id);
    return !((buffer *)ids)->has_failed;
}

/* A server answers one connection at a time. */
bool rows_begin_database(rows_object *r, const database_object *d, PyObject *query)
{
    tby_failure failure;
    tby_query *parsed;
    tby_status status;
    int64_t n = 0;
    if (!d->file)
        return PyErr_Format(DatabaseError_class, "rows() takes a list of databases, not several as one");
    r->db = strdup(d->file);
    if (!r->db)
        return PyErr_NoMemory();
    if (!make_shares(r, tby_db_is_server(d->file) ? 1 : threads_wanted(0, SHARES_MAX)) || !query_read(&parsed, query))
        return false;
    tby_db **db = &r->shares[0].db;
    Py_BEGIN_ALLOW_THREADS;
    status = tby_db_open(db, r->db, TBY_DB_READ, &failure);
    if (status == TBY_OK)
        status = tby_db_n_games(&n, *db);
    if (status == TBY_OK)
        status = tby_db_find(*db, &(tby_db_search){.query = parsed}, add_id, &r->ids);
    Py_END_ALLOW_THREADS;
    tby_query_free(parsed);
    r->counts.games = (uint64_t)n;
    if (!*db)
        PyErr_SetString(DatabaseError_class, failure.text);
    else if (r->ids.has_failed || status != TBY_OK)
        error_raise_database(*db, r->ids.has_failed ? TBY_NO_MEMORY : status);
    return *db && status == TBY_OK && !r->ids.has_failed;
}

/* ---- One part, in a thread of its own --------------------------------------------------------------------------- */

/* A tby_source over the bytes of a part, or those and what follows. */
static size_t read_bytes(void *context, char *buf, size_t cap)
{
    rows_share *s = context;
    const size_t left = s->bytes.n - s->at, n = left < cap ? left : cap;
    if (n == 0)
        return s->stream ? source_read(s->stream, buf, cap) : s->is_cut ? TBY_SOURCE_FAILED : 0;
    memcpy(buf, s->bytes.s + s->at, n);
    s->at += n;
    return n;
}

static bool open_part(const rows_object *r, rows_share *s)
{
    const bool is_asked = s->asking.query, is_file = !r->db;
    if (s->reader)
        return true;
    s->games = is_asked ? r->from->open(read_bytes, s, NULL) : NULL;
    s->reader = is_file && !is_asked ? tby_rows_reader_new(r->rows, r->from, read_bytes, s, NULL)
                                     : tby_rows_reader_new_empty(r->rows, NULL);
    return s->reader && (s->games || !is_asked);
}

static tby_games_place place_of(const rows_share *s)
{
    return s->games ? tby_games_where(s->games) : tby_rows_reader_where(s->reader);
}

static tby_game_read read_game(rows_share *s)
{
    s->fault.is_there = false;
    if (!s->games)
        return tby_rows_reader_next(s->reader, s->table, fault_keep, &s->fault);
    const tby_game_read read = tby_games_next(s->games, s->game, fault_keep, &s->fault);
    const int answer = read == TBY_GAME_GOOD ? asking_first(&s->asking, s->game) : 0;
    if (answer > 0)
        return tby_rows_reader_add(s->reader, s->table, s->game, (int64_t)place_of(s).n_games);
    if (answer == 0)
        return read;
    if (answer == TBY_QUERY_NO_MEMORY)
        return TBY_GAME_NO_MEMORY;
    tby_game_fault fault = {.error.status = TBY_TOO_LONG};
    strcpy(fault.text, "too long for a query");
    fault_keep(&s->fault, &fault);
    return TBY_GAME_BAD;
}

static bool has_failed(const rows_share *s) { return s->fault.is_there && s->fault.fault.error.status == TBY_IO_ERROR; }

/* A part is read to its end, a stream until there are many rows. */
static void read_part(const rows_object *r, rows_share *s)
{
    const size_t n_before = tby_table_n_rows(s->table), size_before = tby_table_size(s->table);
    do {
        const uint64_t games_before = place_of(s).n_games;
        s->last = read_game(s);
        if (place_of(s).n_games > games_before) {
            s->n_games++;
            s->n_bad += s->last == TBY_GAME_BAD;
        }
        if (s->last == TBY_GAME_BAD && r->skips && !has_failed(s))
            s->last = TBY_GAME_GOOD;
    } while (s->last == TBY_GAME_GOOD && !(s->stream && (tby_table_n_rows(s->table) - n_before > MANY_ROWS ||
                                                         tby_table_size(s->table) - size_before > MANY_BYTES)));
}

static void read_ids(const rows_object *r, rows_share *s)
{
    const tby_game_id *ids = (const tby_game_id *)(const void *)r->ids.s + s->id_at;
    tby_status status = s->db ? TBY_OK : tby_db_open(&s->db, r->db, TBY_DB_READ, &s->failure);
    s->last = status == TBY_OK ? TBY_GAME_GOOD : TBY_GAME_BAD;
    for (size_t i = 0; i < s->n_ids && s->last == TBY_GAME_GOOD; i++) {
        status = tby_db_game(s->game, s->db, ids[i]);
        s->n_bad += status != TBY_OK;
        if (status == TBY_OK)
            s->last = tby_rows_reader_add(s->reader, s->table, s->game, ids[i]);
        else if (status == TBY_NO_MEMORY)
            s->last = TBY_GAME_NO_MEMORY;
        else if (!r->skips) {
            s->failure = *tby_db_failure(s->db);
            s->last = TBY_GAME_BAD;
        }
    }
}

static void work(void *context, unsigned number)
{
    reading *all = context;
    rows_object *r = all->rows;
    (void)number;
    for (size_t i; (i = atomic_fetch_add(&all->next, 1)) < all->n;) {
        rows_share *s = &r->shares[i];
        s->n_games = s->n_bad = 0;
        s->last = TBY_GAME_NO_MEMORY;
        if (!s->bytes.has_failed && !r->rest.has_failed && open_part(r, s))
            (r->db ? read_ids : read_part)(r, s);
    }
}

/* ---- The parts of an input -------------------------------------------------------------------------------------- */

/* Reads until the part has `size` bytes; false if the input ended before. */
static bool fill(rows_object *r, rows_share *s, size_t size)
{
    while (s->bytes.n < size && buffer_reserve(&s->bytes, size - s->bytes.n)) {
        const size_t n = source_read(r->source, s->bytes.s + s->bytes.n, size - s->bytes.n);
        if (n == 0 || n == TBY_SOURCE_FAILED) {
            s->is_cut = n != 0;
            return false;
        }
        s->bytes.n += n;
    }
    return true;
}

/* The next part of the input, or all that follows as a stream. False if it has none. */
static bool next_part(rows_object *r, rows_share *s, bool may_stream)
{
    size_t cut = 0;
    buffer_clear(&s->bytes);
    s->at = 0;
    s->is_cut = false;
    buffer_add(&s->bytes, r->rest.s, r->rest.n);
    r->rest.n = 0;
    for (size_t size = PART_BYTES; !r->is_read && !cut && size <= LONG_BYTES && !s->bytes.has_failed; size *= 2) {
        r->is_read = !fill(r, s, size);
        if (!r->is_read && r->from->last_boundary)
            cut = r->from->last_boundary(s->bytes.s, s->bytes.n);
    }
    if (!r->is_read && (cut || !may_stream)) {
        buffer_add(&r->rest, s->bytes.s + cut, s->bytes.n - cut);
        s->bytes.n = cut;
        return cut > 0;
    }
    s->stream = r->is_read ? NULL : r->source;
    r->is_read = true;
    return true;
}

/* How many parts are there to read? A stream is the first share. */
static size_t begin_files(rows_object *r)
{
    size_t n = r->shares[0].stream != NULL;
    while (n < r->n_shares && !r->is_read && next_part(r, &r->shares[n], n == 0))
        n++;
    return n;
}

static size_t begin_ids(rows_object *r)
{
    const size_t n_all = r->ids.n / sizeof(tby_game_id);
    size_t n = 0;
    for (; n < r->n_shares && r->id_at < n_all; n++) {
        const size_t left = n_all - r->id_at;
        r->shares[n].id_at = r->id_at;
        r->shares[n].n_ids = left < PART_GAMES ? left : PART_GAMES;
        r->id_at += r->shares[n].n_ids;
    }
    return n;
}

/* ---- Merging: with the interpreter's lock only for errors --------------------------------------------------------- */

/* Keeps the exception that is set, and gives the lock back. */
static tby_game_read fail(rows_object *r, tby_failure *failure, PyGILState_STATE state)
{
    r->raised = error_take();
    PyObject *text = PyObject_Str(r->raised);
    const char *s = text ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
    failure_keep(failure, TBY_IO_ERROR, "%s", s ? s : "reading failed");
    PyErr_Clear();
    Py_XDECREF(text);
    PyGILState_Release(state);
    return TBY_GAME_BAD;
}

static tby_game_read raise_fault(rows_object *r, rows_share *s, tby_failure *failure)
{
    const PyGILState_STATE state = PyGILState_Ensure();
    tby_game_fault *fault = &s->fault.fault;
    fault->line += fault->line ? r->lines_read : 0;
    fault->error.offset += (size_t)r->bytes_read;
    if (r->db)
        PyErr_SetString(DatabaseError_class, s->failure.text);
    else if (!has_failed(s) || !source_raise(r->source))
        error_raise_fault(fault, r->games_read + place_of(s).n_games, source_name(r->source), NULL);
    return fail(r, failure, state);
}

/* Numbers games across all inputs. */
static void number_games(const rows_object *r, tby_table *table, size_t from)
{
    const int column = tby_rows_game_column(r->rows);
    const uint64_t before = r->games_before + r->games_read;
    if (column < 0 || before == 0)
        return;
    int64_t *games = tby_table_values(table, (size_t)column);
    for (size_t i = from; i < tby_table_n_rows(table); i++)
        games[i] += (int64_t)before;
}

static tby_game_read merge(rows_object *r, rows_share *s, tby_table *table, size_t from, tby_failure *failure)
{
    if (s->last == TBY_GAME_NO_MEMORY || tby_table_has_failed(s->table))
        return TBY_GAME_NO_MEMORY;
    if (s->table != table) {
        from = tby_table_n_rows(table);
        tby_table_append(table, s->own, 0, tby_table_n_rows(s->own));
        tby_table_cut(s->own, 0);
        if (tby_table_has_failed(table))
            return TBY_GAME_NO_MEMORY;
    }
    r->counts.games += s->n_games;
    r->counts.bad += s->n_bad;
    if (s->last == TBY_GAME_BAD)
        return raise_fault(r, s, failure);
    if (r->db)
        return TBY_GAME_GOOD;
    number_games(r, table, from);
    if (!s->stream || s->last == TBY_GAME_END) {
        r->games_read += place_of(s).n_games;
        r->lines_read += place_of(s).n_lines;
        r->bytes_read += s->bytes.n;
        r->counts = counts_with(r->counts, s);
        close_part(s);
    }
    return TBY_GAME_GOOD;
}

/* ---- Rounds ----------------------------------------------------------------------------------------------------- */

/* Opens the next input. */
static tby_game_read open_input(rows_object *r, tby_failure *failure)
{
    const PyGILState_STATE state = PyGILState_Ensure();
    close_input(r);
    const bool has_more = r->at < PyList_Size(r->inputs);
    r->games_before = r->counts.games;
    r->source = has_more ? source_new(PyList_GetItem(r->inputs, r->at++)) : NULL;
    r->from = r->source ? source_notation(r->source, r->notation) : NULL;
    if (has_more && !r->from)
        return fail(r, failure, state);
    PyGILState_Release(state);
    return has_more ? TBY_GAME_GOOD : TBY_GAME_END;
}

/* TBY_GAME_GOOD: there may be more. */
static tby_game_read read_round(rows_object *r, tby_table *table, tby_failure *failure)
{
    const size_t from = tby_table_n_rows(table);
    reading all = {.rows = r, .n = r->db ? begin_ids(r) : r->source ? begin_files(r) : 0};
    tby_game_read read = TBY_GAME_GOOD;
    if (all.n == 0)
        return r->db ? TBY_GAME_END : open_input(r, failure);
    for (size_t i = 0; i < all.n; i++)
        r->shares[i].table = i ? r->shares[i].own : table;
    threads_run(threads_wanted(0, (int64_t)all.n), work, &all);
    for (size_t i = 0; i < all.n; i++)
        if (read == TBY_GAME_GOOD)
            read = merge(r, &r->shares[i], table, from, failure);
        else
            close_part(&r->shares[i]);
    return read;
}

tby_status rows_read_some(void *context, tby_table *table, tby_failure *failure)
{
    rows_object *r = context;
    const size_t n_before = tby_table_n_rows(table), size_before = tby_table_size(table);
    tby_game_read read = r->is_over ? TBY_GAME_END : TBY_GAME_GOOD;
    while (read == TBY_GAME_GOOD && tby_table_n_rows(table) - n_before < MANY_ROWS &&
           tby_table_size(table) - size_before < MANY_BYTES)
        read = read_round(r, table, failure);
    r->is_over = read != TBY_GAME_GOOD;
    if (read == TBY_GAME_NO_MEMORY)
        failure_no_memory(failure);
    return failure->status;
}
