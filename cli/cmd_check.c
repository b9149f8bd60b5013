/*
 * cmd_check.c - tabiya check: is every move of every game legal?
 *
 * Streams the events of the reader; no game is built. With --rejects or --clean the text of the input is kept until its
 * game is judged: every byte of the input then goes to one of the two.
 */
#include "commands.h"
#include "keep.h"
#include "notes.h"
#include "parallel.h"
#include "progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_CLEAN, OPT_JSON, OPT_REJECTS, OPT_THREADS, OPT_WARNINGS };

static const option options[] = {
    [OPT_CLEAN] = {"clean", 0, "FILE", NULL, "write the games without a fault to FILE, as they are"},
    [OPT_JSON] = {"json", 0, NULL, NULL, "print the summary as JSON, and the faults on standard error"},
    [OPT_REJECTS] = {"rejects", 0, "FILE", NULL, "write the games with a fault to FILE, as they are"},
    [OPT_THREADS] = OPTION_THREADS,
    [OPT_WARNINGS] =
        {"warnings", 0, NULL, NULL,
         "tell also what is not wrong but not PGN's export form: check marks, needless disambiguation, move "
         "numbers, results that differ or are missing"},
    {0},
};

static const example examples[] = {
    {"tabiya check games.pgn", "Every fault, and how many games are good."},
    {"tabiya check --rejects bad.pgn --clean good.pgn games.pgn.zst", "Parts the good games from the bad ones."},
    {"zcat games.pgn.gz | tabiya check --json -", "From standard input; the summary for a program."},
    {0},
};

typedef struct counts {
    uint64_t games, bad, plies, variation_plies, warnings;
} counts;

/* What one part came to. */
typedef struct result {
    report faults;
    buffer rejects, clean;
    counts counts;
} result;

typedef struct check {
    bool wants_json, wants_warnings;
    const char *name; /* of the input */
    keep *rejects, *clean;
    counts total;
} check;

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

/* A part while it is read. */
typedef struct reading {
    const check *check;
    part *part;
    result *result;
    tby_pgn *pgn;
    uint64_t game; /* from 1 in the part */
    unsigned depth;
    bool is_bad, keeps_text;
    uint64_t settled; /* bytes before this have gone where they belong */
} reading;

static buffer *destination(reading *r)
{
    if (r->is_bad)
        return r->check->rejects ? &r->result->rejects : NULL;
    return r->check->clean ? &r->result->clean : NULL;
}

/* The bytes up to `offset` belong to the game being read. */
static void settle(reading *r, uint64_t offset)
{
    buffer *to = destination(r);
    if (to)
        buffer_add(to, part_text(r->part, r->settled), (size_t)(offset - r->settled));
    r->settled = offset;
    part_forget(r->part, offset);
}

static size_t result_size(const result *res) { return res->faults.text.n + res->rejects.n + res->clean.n; }

/* A game that is bad already need not be held until it ends: it may never. */
static void settle_early(reading *r)
{
    const uint64_t here = tby_pgn_game_end(r->pgn);
    if (r->keeps_text && r->is_bad && here > r->settled + PART_RESULT_SIZE) {
        settle(r, here);
        part_flush(r->part);
    }
}

static void end_game(reading *r)
{
    r->result->counts.bad += r->is_bad;
    if (result_size(r->result) > PART_RESULT_SIZE)
        part_flush(r->part);
}

/* Text between games belongs to the one before it, text before the first to the first. */
static void begin_game(reading *r)
{
    if (r->keeps_text && r->game > 0) {
        buffer *to = destination(r);
        settle(r, tby_pgn_game_begin(r->pgn));
        if (to && to->n && to->s[to->n - 1] != '\n' && to->s[to->n - 1] != '\r')
            buffer_string(to, "\n");
    }
    r->game++;
    r->result->counts.games++;
    r->depth = 0;
    r->is_bad = false;
}

static void note_event(reading *r, const tby_pgn_event *event)
{
    report *faults = &r->result->faults;
    if (event->type == TBY_PGN_WARNING) {
        note_warning(faults, r->check->name, r->pgn, event, r->game);
        r->result->counts.warnings++;
        return;
    }
    if (event->type == TBY_PGN_ERROR)
        note_error(faults, r->check->name, r->pgn, event, r->game);
    else
        note_null_move(faults, r->check->name, r->pgn, event, r->game);
    r->is_bad = true;
}

static void read_event(reading *r, const tby_pgn_event *event)
{
    switch (event->type) {
    case TBY_PGN_GAME: begin_game(r); break;
    case TBY_PGN_GAME_END: end_game(r); break;
    case TBY_PGN_VARIATION: r->depth++; break;
    case TBY_PGN_VARIATION_END: r->depth--; break;
    case TBY_PGN_RAW:
    case TBY_PGN_COMMENT: settle_early(r); break;
    case TBY_PGN_NULL_MOVE:
        if (r->depth)
            r->result->counts.variation_plies++;
        else
            note_event(r, event);
        break;
    case TBY_PGN_ERROR:
    case TBY_PGN_WARNING: note_event(r, event); break;
    default: break;
    }
}

/* The loop that all the time goes into: moves are only counted. */
static void read_events(reading *r)
{
    tby_pgn_event event;
    tby_pgn_type type;
    memset(&event, 0, sizeof event);
    while ((type = tby_pgn_next(r->pgn, &event)) != TBY_PGN_END) {
        if (type != TBY_PGN_MOVE)
            read_event(r, &event);
        else if (r->depth == 0)
            r->result->counts.plies++;
        else
            r->result->counts.variation_plies++;
    }
    r->part->n_lines = tby_pgn_event_place(r->pgn, &event).line - 1;
    r->part->n_games = r->game;
    if (r->keeps_text && r->game > 0)
        settle(r, r->part->base + r->part->at);
}

static void check_part(void *context, part *p)
{
    const check *c = context;
    const tby_pgn_options pgn_options = {.flags = c->wants_warnings ? TBY_PGN_WARNINGS : 0};
    reading r = {.check = c, .part = p, .result = p->result, .keeps_text = c->rejects || c->clean};
    r.pgn = tby_pgn_new(part_read, p, &pgn_options, NULL);
    if (!r.pgn)
        error_exit("out of memory");
    read_events(&r);
    tby_pgn_free(r.pgn);
}

/* ---- Results ---------------------------------------------------------------------------------------------------- */

static void *result_new(void *context)
{
    (void)context;
    return memory_new(1, sizeof(result));
}

static void result_free(void *memory)
{
    result *res = memory;
    report_free(&res->faults);
    buffer_free(&res->rejects);
    buffer_free(&res->clean);
    free(res);
}

static void print_faults(const check *c, const part *p, const report *faults)
{
    buffer text = {0};
    if (faults->text.n == 0)
        return;
    progress_hide();
    report_resolve(&text, faults, p->lines_before, p->games_before);
    if (c->wants_json)
        fwrite(text.s, 1, text.n, stderr);
    else
        out_bytes(text.s, text.n);
    buffer_free(&text);
}

static void add_counts(counts *to, const counts *from)
{
    to->games += from->games;
    to->bad += from->bad;
    to->plies += from->plies;
    to->variation_plies += from->variation_plies;
    to->warnings += from->warnings;
}

static void merge_result(void *context, part *p)
{
    check *c = context;
    result *res = p->result;
    print_faults(c, p, &res->faults);
    keep_write(c->rejects, &res->rejects);
    keep_write(c->clean, &res->clean);
    add_counts(&c->total, &res->counts);
    report_clear(&res->faults);
    res->rejects.n = res->clean.n = 0;
    res->counts = (counts){0};
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

static void print_summary(const check *c)
{
    const counts *t = &c->total;
    out_printf("%" PRIu64 " games, %" PRIu64 " good, %" PRIu64 " bad, %" PRIu64 " plies", t->games, t->games - t->bad,
               t->bad, t->plies);
    if (t->variation_plies)
        out_printf(", %" PRIu64 " plies in variations", t->variation_plies);
    if (c->wants_warnings)
        out_printf(", %" PRIu64 " warnings", t->warnings);
    out_string("\n");
}

static void print_json(const check *c)
{
    const counts *t = &c->total;
    out_printf("{\"games\":%" PRIu64 ",\"good\":%" PRIu64 ",\"bad\":%" PRIu64 ",\"plies\":%" PRIu64
               ",\"variation_plies\":%" PRIu64,
               t->games, t->games - t->bad, t->bad, t->plies, t->variation_plies);
    if (c->wants_warnings)
        out_printf(",\"warnings\":%" PRIu64 "}\n", t->warnings);
    else
        out_string(",\"warnings\":null}\n");
}

static bool check_file(check *c, const char *path, unsigned n_threads)
{
    const job j = {
        .context = c,
        .cut = tby_pgn_last_boundary,
        .keeps_text = c->rejects || c->clean,
        .result_new = result_new,
        .result_free = result_free,
        .work = check_part,
        .merge = merge_result,
    };
    input *in = input_open(path);
    if (!in)
        return false;
    c->name = input_name(in);
    keep_begin_input(c->rejects);
    keep_begin_input(c->clean);
    const bool is_read = parallel_run(in, n_threads, &j);
    input_close(in);
    return is_read;
}

static int run(const args *a)
{
    check c = {.wants_json = args_has(a, OPT_JSON), .wants_warnings = args_has(a, OPT_WARNINGS)};
    const unsigned n_threads = threads_read("check", args_value(a, OPT_THREADS));
    bool all_read = true;
    if (a->n_words == 0)
        error_exit("check: no FILE given; - reads standard input; try --help");
    c.rejects = keep_open(args_value(a, OPT_REJECTS), a);
    c.clean = keep_open(args_value(a, OPT_CLEAN), a);
    for (size_t i = 0; i < a->n_words; i++)
        all_read &= check_file(&c, a->words[i], n_threads);
    keep_close(c.rejects);
    keep_close(c.clean);
    if (c.wants_json)
        print_json(&c);
    else
        print_summary(&c);
    return !all_read ? EXIT_FAILED : c.total.bad ? EXIT_NO : EXIT_YES;
}

const command cmd_check = {
    .name = "check",
    .words = "FILE...",
    .summary = "check the legality of every move of PGN files",
    .description =
        "Reads the games of PGN files, variations too, and prints a line for each fault: file, line, column, what is "
        "wrong, the game's number, the move and the position. The last line counts games and half-moves. A null move "
        "is a fault in the main line but not in a variation.\n\n"
        "FILE may be compressed with gzip or zstd; - is standard input. Memory does not depend on its size.",
    .exits = "0  all games are good\n1  some game has a fault\n2  a file could not be read, or writing failed",
    .options = options,
    .examples = examples,
    .run = run,
};
