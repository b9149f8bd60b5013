/*
 * job.c - the jobs of src/io/parallel.h in the program: inputs by name, the games in them, messages and progress.
 */
#include "job.h"
#include "database.h"
#include "os/threads.h"
#include "progress.h"
#include "support/failure.h"

#include <stdio.h>
#include <string.h>

unsigned threads_read(const args *a, int index)
{
    return (unsigned)option_number(a, index, threads_wanted(0, THREADS_MAX), 1, THREADS_MAX);
}

input *job_open(job *j, const char *path, const char *from)
{
    input *in = input_open(path);
    if (in) {
        j->name = input_name(in);
        j->from = input_notation(in, from);
        j->cut = j->from->last_boundary;
    }
    return in;
}

static void show_progress(void *context, double fraction, uint64_t n_bytes, uint64_t n_games)
{
    (void)context;
    progress_update(fraction, n_bytes, n_games);
}

bool job_run(input *in, unsigned n_threads, const job *j)
{
    job shown = *j;
    tby_failure failure;
    shown.progress = show_progress;
    progress_begin(input_name(in));
    failure_clear(&failure);
    const bool is_good = parallel_run(in, n_threads, &shown, &failure);
    progress_hide();
    if (!is_good)
        error_exit("%s: %s", input_name(in), failure.text);
    const bool is_whole = input_is_whole(in);
    input_close(in);
    return is_whole;
}

struct run *job_begin(const job *j, unsigned n_threads) { return memory_got(parallel_begin(j, n_threads)); }

void job_end(struct run *r)
{
    tby_failure failure;
    memory_need(parallel_end(r, &failure));
}

void part_print(const part *p) { notes_print(&p->notes, p->lines_before, p->games_before); }

/* ---- The games of a part ---------------------------------------------------------------------------------------- */

static void report_fault(void *context, const tby_game_fault *fault)
{
    part_games *g = context;
    const bool is_warning = fault->error.status == TBY_OK;
    /* The game being read is dropped, or the input failed between two games and is reported at the end. */
    g->is_over |= interrupts_came() ||
                  (fault->error.status == TBY_IO_ERROR && tby_games_where(g->games).n_games == g->n_read);
    if (g->is_over)
        return;
    g->is_bad |= !is_warning;
    g->n_warnings += is_warning;
    note_fault(&g->part->notes, g->part->job->name, fault, tby_games_where(g->games).n_games);
}

/* The bytes of a game, or the next piece of them: those of a game that is already known to be bad are not held until its
   end, which may never come. The location of a fault is unknown, so it may be one that swallows what follows. */
static void copy_text(part_games *g, const char *s, size_t n, copied *to)
{
    char first[GAME_FIRST_SIZE] = {0};
    if (!to)
        return;
    memcpy(first, s, n < sizeof first ? n : sizeof first);
    if (!g->is_begun && g->part->job->from->open_events)
        copied_begin_game(to, first);
    buffer_add(&to->text, s, n);
    g->is_bare = (g->is_begun ? g->is_bare : *first == '{') && !memchr(s, '}', n);
    g->is_begun = true;
    to->end = GAME_BROKEN;
    to->is_bare = g->is_bare;
}

/* The bytes of the game up to `offset` have been read; headers and blanks between games are left out. */
static void settle(part_games *g, uint64_t offset, bool is_bad)
{
    const tby_games_place place = tby_games_where(g->games);
    const uint64_t begin = place.begin > g->settled ? place.begin : g->settled;
    if (offset > begin && (is_bad || place.n_games > g->n_before))
        copy_text(g, part_text(g->part, begin), (size_t)(offset - begin), is_bad ? g->rejects : g->clean);
    if (offset > g->settled) { /* unless the input failed */
        g->settled = offset;
        part_forget(g->part, offset);
    }
}

/* A tby_source: the bytes of the part. */
static size_t read_on(void *context, char *buf, size_t cap)
{
    part_games *g = context;
    const size_t ahead = g->is_bad || g->part->job->from->open_events ? AHEAD_LITTLE : AHEAD_GAME;
    uint64_t offset;
    if ((g->clean || g->rejects) && (g->is_bad || tby_games_where(g->games).n_games == g->n_before) &&
        part_is_long(g->part, ahead, &offset)) {
        settle(g, offset, g->is_bad);
        part_flush(g->part);
    }
    return part_read(g->part, buf, cap);
}

void part_games_begin(part_games *g, part *p, unsigned flags, copied *clean, copied *rejects)
{
    *g = (part_games){.part = p, .game = memory_got(tby_game_new(NULL)), .clean = clean, .rejects = rejects};
    g->games = memory_got(p->job->from->open(read_on, g, NULL));
    tby_games_set_flags(g->games, flags);
}

void part_games_done(part_games *g, bool is_bad)
{
    const tby_games_place place = tby_games_where(g->games);
    if (g->clean || g->rejects)
        settle(g, place.end, is_bad);
    if (g->is_begun && g->part->job->from->open_events) /* PGN games end with their result, others with their line */
        buffer_string(&g->rejects->text, "\n");
    g->n_before = place.n_games;
    g->is_bad = g->is_begun = false;
}

tby_game_read part_games_next(part_games *g)
{
    g->n_read = tby_games_where(g->games).n_games;
    if (part_has_news(g->part))
        part_flush(g->part);
    const tby_game_read read = tby_games_next(g->games, g->game, report_fault, g);
    memory_need(read != TBY_GAME_NO_MEMORY);
    return g->is_over ? TBY_GAME_END : read;
}

void part_games_refuse(part_games *g, tby_status status, const char *why)
{
    const tby_games_place place = tby_games_where(g->games);
    tby_game_fault fault = {.error = {.status = status, .offset = (size_t)place.begin}, .line = place.line};
    snprintf(fault.text, sizeof fault.text, "%s: %s", tby_status_text(status), why);
    report_fault(g, &fault);
}

void part_games_end(part_games *g)
{
    const tby_games_place place = tby_games_where(g->games);
    g->part->n_games = place.n_games;
    g->part->n_lines = place.n_lines;
    tby_games_free(g->games);
    tby_game_free(g->game);
}

/* ---- The games that a search finds ------------------------------------------------------------------------------ */

enum { PART_BYTES = 1 << 15 };

typedef struct finding {
    tby_db *db;
    const char *name;
    tby_game *game;
    buffer text;
    struct run *run;
    const job *job;
} finding;

static bool add_game(void *context, const tby_db_hit *hit)
{
    finding *f = context;
    f->text.n = 0;
    if (tby_db_game(f->game, f->db, hit->id) != TBY_OK) {
        progress_hide();
        error_print("%s: %s", f->name, tby_db_failure(f->db)->text);
        input_incomplete();
        return true;
    }
    memory_need(tby_pgn_write(f->game, 0, buffer_sink, &f->text));
    if (part_add(parallel_part(f->run), f->text.s, f->text.n) >= PART_BYTES)
        parallel_hand_over(f->run);
    return !f->job->is_full || !atomic_load(f->job->is_full);
}

bool job_run_found(tby_db *db, const char *name, const tby_db_search *asked, const job *j)
{
    finding f = {.db = db, .name = name, .game = memory_got(tby_game_new(NULL)), .job = j};
    tby_db_search search = *asked;
    search.wanted = TBY_WANTED_GAMES;
    search.progress = database_report;
    database_work(db, name);
    f.run = job_begin(j, asked->n_threads);
    const bool is_found = tby_db_find(db, &search, add_game, &f) == TBY_OK;
    if (part_add(parallel_part(f.run), NULL, 0) > 0)
        parallel_hand_over(f.run);
    job_end(f.run);
    database_done(db);
    if (!is_found)
        error_print("%s: %s", name, tby_db_failure(db)->text);
    tby_game_free(f.game);
    buffer_free(&f.text);
    return is_found;
}
