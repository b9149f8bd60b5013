/*
 * files.c - files of games in any notation, searched like databases: read through in threads, or as a temporary database.
 *
 *     file --parts, in threads--> [games that the query finds] --in order--> visitor, or temporary database
 *
 * Keeps    a game's number is its place in the file, from 1, whatever has a fault before it; a temporary database leaves
 *          out the numbers of games with a fault. Its folder is removed when it is closed.
 */
#include "base/contract.h"
#include "io/parallel.h"
#include "os/temporary.h"
#include "os/threads.h"
#include "search/search.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH_BYTES = 4 << 20, NO_GAME = -2 };

/* What was read of a part: all games, or those that the query finds. */
typedef struct found {
    tby_batch *batch;
    buffer hits;   /* a tby_db_hit each, the id counted in the part; ply NO_GAME: the game has a fault */
    buffer faults; /* a found_fault each */
    uint64_t n_bad;
    bool has_failed; /* out of memory */
} found;

typedef struct found_fault {
    tby_game_fault fault;
    uint64_t game; /* counted in the part */
} found_fault;

typedef struct file {
    const char *name;
    const tby_db_games *how;
    const tby_query *query; /* NULL: all games */
    bool keeps_places;      /* a game with a fault is replaced by an empty one */
    bool (*take)(struct file *f, const part *p, const found *games); /* false ends it, with or without a failure */
    tby_failure *failure;
    atomic_bool is_over;
    /* of visiting */
    tby_db_visit_row visit;
    void *context;
    /* of storing */
    tby_db *db;
    buffer gaps; /* tby_game_id of the empty games */
    uint64_t n_stored;
} file;

/* ---- One part, in a thread -------------------------------------------------------------------------------------- */

typedef struct worker {
    const file *f;
    part *part;
    found *to;
    tby_games *games;
    tby_game *game, *empty;
    tby_query_state *state; /* with a query */
    tby_batch *asked;
    uint64_t n_games;      /* before the one being read */
    uint64_t games_before; /* the part, if the query uses numbers */
    bool is_over;          /* the input failed between two games, or was stopped */
} worker;

static bool is_stopped(void) { return input_is_stopped && input_is_stopped(); }

/* A tby_fault_watcher. */
static void keep_fault(void *context, const tby_game_fault *fault)
{
    worker *w = context;
    const found_fault one = {*fault, tby_games_where(w->games).n_games};
    /* The game being read is dropped, or the failure is reported at the end. */
    w->is_over |= is_stopped() || (fault->error.status == TBY_IO_ERROR && one.game == w->n_games);
    if (!w->is_over)
        buffer_add(&w->to->faults, &one, sizeof one);
}

/* The first ply at which the query holds, -1 if it is about the game as a whole; NO_GAME if it does not hold. */
static int first_ply(worker *w, tby_game_id id)
{
    if (!w->f->query)
        return -1;
    tby_batch_clear(w->asked);
    w->to->has_failed |= tby_batch_add(w->asked, w->game) != TBY_OK;
    if (w->to->has_failed)
        return NO_GAME;
    const tby_row row = tby_batch_row(w->asked, 0);
    const tby_query_game asked = tby_query_game_of_row(&row, (tby_game_id)w->games_before + id);
    const int ply = tby_query_first(w->state, &asked);
    w->to->has_failed |= ply < TBY_QUERY_NONE;
    return ply < 0 ? NO_GAME : tby_query_is_of_game(w->f->query) ? -1 : ply;
}

static bool is_too_long(worker *w)
{
    const tby_games_place place = tby_games_where(w->games);
    tby_game_fault fault = {.error = {.status = TBY_TOO_LONG, .offset = (size_t)place.begin}, .line = place.line};
    if (tby_game_main_line(w->game, NULL, 0) <= TBY_PLIES_MAX)
        return false;
    snprintf(fault.text, sizeof fault.text, "%s: more than %d half-moves", tby_status_text(TBY_TOO_LONG),
             TBY_PLIES_MAX);
    keep_fault(w, &fault);
    return true;
}

static void take_game(worker *w, bool is_good)
{
    found *to = w->to;
    tby_db_hit hit = {.id = (tby_game_id)tby_games_where(w->games).n_games, .ply = NO_GAME};
    is_good = is_good && !is_too_long(w);
    to->n_bad += !is_good;
    if (is_good)
        hit.ply = first_ply(w, hit.id);
    if (to->has_failed || (hit.ply == NO_GAME && !w->f->keeps_places))
        return;
    to->has_failed = tby_batch_add(to->batch, hit.ply == NO_GAME ? w->empty : w->game) != TBY_OK;
    buffer_add(&to->hits, &hit, sizeof hit);
}

static bool worker_begin(worker *w)
{
    const file *f = w->f;
    w->games = w->part->job->from->open(part_read, w->part, NULL);
    w->game = tby_game_new(NULL);
    w->empty = tby_game_new(NULL);
    w->state = f->query ? tby_query_state_new(f->query, NULL) : NULL;
    w->asked = tby_batch_new();
    if (!w->games || !w->game || !w->empty || !w->asked || (f->query && !w->state))
        return false;
    tby_games_set_flags(w->games, f->how->flags);
    return true;
}

/* False at the end. */
static bool read_game(worker *w)
{
    w->n_games = tby_games_where(w->games).n_games;
    if (w->part->is_stream && w->to->faults.n) /* it may never end */
        part_flush(w->part);
    const tby_game_read read = tby_games_next(w->games, w->game, keep_fault, w);
    w->to->has_failed |= read == TBY_GAME_NO_MEMORY;
    if (w->is_over || w->to->has_failed || read == TBY_GAME_END)
        return false;
    take_game(w, read == TBY_GAME_GOOD || w->f->how->takes_faulty);
    if (tby_batch_size(w->to->batch) > BATCH_BYTES)
        part_flush(w->part);
    return !w->to->has_failed;
}

static void read_part(void *context, part *p)
{
    file *f = context;
    worker w = {.f = f, .part = p, .to = p->result};
    const bool needs_numbers = f->query && tby_query_needs(f->query) & TBY_QUERY_NEEDS_ID;
    w.to->has_failed |= !worker_begin(&w);
    w.games_before = needs_numbers ? part_games_before(p) : 0;
    while (!w.to->has_failed && !atomic_load(&f->is_over) && read_game(&w))
        ;
    if (w.games) {
        p->n_games = tby_games_where(w.games).n_games;
        p->n_lines = tby_games_where(w.games).n_lines;
    }
    if (needs_numbers)
        part_tell_games(p, p->n_games);
    tby_games_free(w.games);
    tby_game_free(w.game);
    tby_game_free(w.empty);
    tby_query_state_free(w.state);
    tby_batch_free(w.asked);
}

static void *found_new(void *context)
{
    found *to = calloc(1, sizeof *to);
    (void)context;
    if (to && !(to->batch = tby_batch_new())) {
        free(to);
        to = NULL;
    }
    return to;
}

static void found_free(void *memory)
{
    found *to = memory;
    tby_batch_free(to->batch);
    buffer_free(&to->hits);
    buffer_free(&to->faults);
    free(to);
}

/* ---- In order --------------------------------------------------------------------------------------------------- */

/* False if it fails the whole; a warning does not. */
static bool report_fault(const file *f, const tby_game_fault *fault, uint64_t game)
{
    const tby_db_games *how = f->how;
    char place[64] = "", number[32] = "";
    if (how->fault ? how->fault(how->context, f->name, fault, game) : fault->error.status == TBY_OK)
        return true;
    if (fault->line)
        snprintf(place, sizeof place, "%llu:%llu: ", (unsigned long long)fault->line,
                 (unsigned long long)fault->column);
    if (game)
        snprintf(number, sizeof number, " (game %llu)", (unsigned long long)game);
    return failure_keep(f->failure, fault->error.status == TBY_OK ? TBY_INTERRUPTED : fault->error.status, "%s:%s%s%s",
                        f->name, *place ? place : " ", fault->text, number);
}

static bool report_faults(const file *f, const part *p, const found *games)
{
    bool is_good = true;
    for (size_t at = 0; at < games->faults.n && is_good; at += sizeof(found_fault)) {
        found_fault one;
        memcpy(&one, games->faults.s + at, sizeof one);
        one.fault.line += one.fault.line ? p->lines_before : 0;
        one.fault.error.offset += (size_t)p->bytes_before;
        is_good = report_fault(f, &one.fault, one.game ? one.game + p->games_before : 0);
    }
    return is_good;
}

static void merge(void *context, part *p)
{
    file *f = context;
    found *games = p->result;
    bool goes_on = !atomic_load(&f->is_over);
    if (goes_on && (games->has_failed || games->hits.has_failed || games->faults.has_failed))
        goes_on = failure_no_memory(f->failure);
    if (goes_on && f->how->counts) {
        f->how->counts->bad += games->n_bad;
        f->how->counts->games = p->games_before + p->n_games;
    }
    if (!goes_on || !report_faults(f, p, games) || !f->take(f, p, games))
        atomic_store(&f->is_over, true);
    tby_batch_clear(games->batch);
    games->hits.n = games->faults.n = 0;
    games->n_bad = 0;
}

static void show_progress(void *context, double fraction, uint64_t n_bytes, uint64_t n_games)
{
    file *f = context;
    if (f->how->progress && !f->how->progress(f->how->context, f->name, fraction, n_bytes, n_games)) {
        failure_interrupted(f->failure);
        atomic_store(&f->is_over, true);
    }
}

static bool run_job(file *f, input *in)
{
    const char *notation = f->how->notation;
    const job j = {.context = f,
                   .from = input_notation(in, notation),
                   .result_new = found_new,
                   .result_free = found_free,
                   .is_full = &f->is_over,
                   .work = read_part,
                   .merge = merge,
                   .progress = show_progress};
    job whole = j;
    if (!j.from)
        return failure_keep(f->failure, TBY_NOT_FOUND, "there is no notation of games \"%s\"", notation);
    whole.cut = j.from->last_boundary;
    if (!parallel_run(in, threads_wanted(f->how->n_threads, THREADS_RUN_MAX), &whole, f->failure) ||
        f->failure->status != TBY_OK)
        return false;
    const tby_failure *why = input_failure(in);
    if (!why)
        return !input_is_cut(in) || failure_interrupted(f->failure);
    tby_game_fault fault = {.error.status = why->status};
    snprintf(fault.text, sizeof fault.text, "%s", why->text);
    return report_fault(f, &fault, 0);
}

static bool read_file(file *f, const char *path)
{
    static const tby_db_games usual;
    input *in = input_open_file(path, f->failure);
    if (!in)
        return false;
    f->name = input_name(in);
    f->how = f->how ? f->how : &usual;
    const bool is_good = run_job(f, in);
    input_close(in);
    return is_good;
}

/* ---- Visiting --------------------------------------------------------------------------------------------------- */

static tby_db_hit hit_of(const part *p, const found *games, size_t index)
{
    tby_db_hit hit;
    memcpy(&hit, games->hits.s + index * sizeof hit, sizeof hit);
    hit.id += (tby_game_id)p->games_before;
    return hit;
}

static bool visit_games(file *f, const part *p, const found *games)
{
    bool goes_on = true;
    for (size_t i = 0; i < tby_batch_n_games(games->batch) && goes_on; i++) {
        const tby_row row = tby_batch_row(games->batch, i);
        const tby_db_hit hit = hit_of(p, games, i);
        goes_on = f->visit(f->context, &hit, &row);
    }
    return goes_on;
}

tby_status tby_db_find_in_file(const char *path, const tby_query *query, const tby_db_games *how,
                               tby_db_visit_row visit, void *context, tby_failure *failure)
{
    TBY_CONTRACT(path && visit);
    file f = {.how = how, .query = query, .take = visit_games, .failure = failure, .visit = visit, .context = context};
    failure_clear(failure);
    if (query && tby_query_needs(query) & TBY_QUERY_NEEDS_PEOPLE)
        return failure_answer(failure,
                              failure_keep(failure, TBY_CANNOT_HOLD,
                                           "who is meant by a name is only known from all games of a database"));
    return failure_answer(failure, read_file(&f, path));
}

/* ---- Temporary databases ---------------------------------------------------------------------------------------- */

/* Keeps the failure of the database. */
static bool is_done(const file *f, tby_status status)
{
    return status == TBY_OK || failure_keep(f->failure, status, "%s", tby_db_failure(f->db)->text);
}

static bool store_games(file *f, const part *p, const found *games)
{
    tby_db_added added = {0};
    for (size_t i = 0; i < tby_batch_n_games(games->batch); i++) {
        const tby_game_id id = (tby_game_id)++f->n_stored;
        if (hit_of(p, games, i).ply == NO_GAME)
            buffer_add(&f->gaps, &id, sizeof id);
    }
    if (f->how->most && f->n_stored > f->how->most)
        return failure_keep(f->failure, TBY_TOO_MANY, "more than %llu games", (unsigned long long)f->how->most);
    if (f->gaps.has_failed)
        return failure_no_memory(f->failure);
    return is_done(f, tby_db_add(&added, f->db, games->batch, TBY_DUPLICATES_KEEP));
}

static bool report_index(void *context, double fraction)
{
    const file *f = context;
    return !f->how->progress || f->how->progress(f->how->context, "indexing", fraction, 0, 0);
}

/* Games with a fault are deleted, so that their numbers stay unused. */
static bool fill(file *f, const char *path)
{
    int64_t n_deleted;
    return is_done(f, tby_db_begin(f->db)) && read_file(f, path) && is_done(f, tby_db_commit(f->db)) &&
           (f->gaps.n == 0 || is_done(f, tby_db_delete(&n_deleted, f->db, (const tby_game_id *)(const void *)f->gaps.s,
                                                       f->gaps.n / sizeof(tby_game_id)))) &&
           (!f->how->wants_positions || is_done(f, tby_db_index(f->db, TBY_INDEX_ALL, report_index, f)));
}

/* Fills a new database, and opens it again to be read. */
static tby_db *store_file(const char *path, const char *stored, const tby_db_games *how, tby_failure *failure)
{
    file f = {.how = how, .keeps_places = true, .take = store_games, .failure = failure};
    tby_db *db = NULL;
    if (tby_db_open(&f.db, stored, TBY_DB_CREATE, failure) != TBY_OK)
        return NULL;
    const bool is_good = fill(&f, path);
    tby_db_close(f.db);
    buffer_free(&f.gaps);
    if (is_good)
        tby_db_open(&db, stored, TBY_DB_READ, failure);
    return db;
}

static tby_db *open_file(const char *path, const tby_db_games *how, tby_failure *failure)
{
    char *folder = os_temporary_folder();
    buffer stored = {0};
    tby_db *db = NULL;
    if (!folder) {
        failure_keep(failure, failure_of_errno(errno), "cannot create a temporary folder in %s: %s",
                     os_temporary_place(), strerror(errno));
        return NULL;
    }
    buffer_printf(&stored, "%s/games.db", folder);
    if (stored.has_failed)
        failure_no_memory(failure);
    else
        db = store_file(path, stored.s, how, failure);
    if (db) {
        db->temporary = (db_temporary){folder, stored.s};
    } else {
        db_temporary_remove(&(db_temporary){folder, stored.s});
    }
    return db;
}

static tby_db *open_any(const char *name, const tby_db_games *how, tby_failure *failure)
{
    tby_db *db = NULL;
    if (!tby_db_is_server(name) && (how->notation || !tby_db_is_file(name)))
        return open_file(name, how, failure);
    tby_db_open(&db, name, TBY_DB_READ, failure);
    return db;
}

tby_status tby_db_open_games(tby_db **out, const char *const *names, size_t n, const tby_db_games *how,
                             tby_failure *failure)
{
    static const tby_db_games usual;
    tby_db **members = calloc(n ? n : 1, sizeof *members);
    size_t i = 0;
    *out = NULL;
    failure_clear(failure);
    if (!members)
        return failure_answer(failure, failure_no_memory(failure));
    while (i < n && (members[i] = open_any(names[i], how ? how : &usual, failure)) != NULL)
        i++;
    const bool is_good = i == n;
    if (is_good)
        tby_db_join(out, members, names, n, failure);
    while (!is_good && i-- > 0)
        tby_db_close(members[i]);
    free(members);
    return failure_answer(failure, *out != NULL);
}

const char *tby_db_temporary_path(const tby_db *db) { return db->temporary.path; }
