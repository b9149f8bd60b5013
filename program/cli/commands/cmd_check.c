/*
 * cmd_check.c - tabiya check: is every move of every game legal?
 *
 * With --rejects or --clean, the bytes of a game are kept until it is known whether the game is good. PGN is checked
 * event by event, without building games, and every byte of it is written to --rejects or --clean, including those
 * between games.
 */
#include "commands.h"
#include "job.h"
#include "progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_ANY_VARIANT, OPT_CHESS960, OPT_CLEAN, OPT_FROM, OPT_JSON, OPT_REJECTS, OPT_THREADS, OPT_WARNINGS };

static const option options[] = {
    [OPT_ANY_VARIANT] = {OPTION_ANY_VARIANT},
    [OPT_CHESS960] = {OPTION_GAMES_CHESS960},
    [OPT_CLEAN] = {"clean", 0, "FILE", NULL, "write the games without faults to FILE, unchanged"},
    [OPT_FROM] = {"from", 0, "NOTATION", "@games", "notation of the games (default: detected)"},
    [OPT_JSON] = {"json", 0, NULL, NULL, "print the summary as JSON, and the faults on standard error"},
    [OPT_REJECTS] = {"rejects", 0, "FILE", NULL, "write the games with faults to FILE, unchanged"},
    [OPT_THREADS] = {OPTION_THREADS},
    [OPT_WARNINGS] = {"warnings", 0, NULL, NULL,
                      "also report what is readable but not in PGN export format: check marks, needless "
                      "disambiguation, move numbers, results that differ or are missing"},
    {0},
};

static const example examples[] = {
    {"tabiya check games.pgn", "Lists every fault and counts the good games."},
    {"tabiya check --rejects bad.pgn --clean good.pgn games.pgn.zst", "Separates the good games from the bad ones."},
    {"zcat games.pgn.gz | tabiya check --json -", "Reads standard input and prints the summary as JSON."},
    {0},
};

typedef struct counts {
    uint64_t games, bad, plies, variation_plies, warnings;
    uint64_t bad_files; /* faults outside games */
} counts;

/* The result of one part. */
typedef struct check_result {
    copied rejects, clean;
    counts counts;
} check_result;

typedef struct check {
    bool wants_json, wants_warnings;
    unsigned flags; /* TBY_PGN_ANY_VARIANT, TBY_PGN_CHESS960 */
    copy_file *rejects, *clean;
    counts total;
} check;

/* Where the text of a game is written; NULL if nowhere. */
static copied *destination_of(const check *c, check_result *res, bool is_bad)
{
    if (is_bad)
        return c->rejects ? &res->rejects : NULL;
    return c->clean ? &res->clean : NULL;
}

static bool keeps_text(const check *c) { return c->rejects || c->clean; }

/* Hands over a result that has become large, or reports a fault in an input that may never end. */
static void flush_large(part *p, const check_result *res)
{
    if (p->notes.text.n + res->rejects.text.n + res->clean.text.n > PART_RESULT_SIZE || part_has_news(p))
        part_flush(p);
}

/* ---- Games read as events --------------------------------------------------------------------------------------- */

/* State while a part is read. */
typedef struct reading {
    const check *check;
    part *part;
    check_result *result;
    tby_pgn *pgn;
    uint64_t game; /* from 1 in the part */
    unsigned depth;
    bool is_bad;
    bool is_between;             /* the game has ended */
    bool is_closed;              /* with a result, and no fault after it */
    bool is_bare;                /* only comments so far */
    bool is_begun;               /* some of its bytes have been copied */
    char first[GAME_FIRST_SIZE]; /* bytes of the game */
    uint64_t settled;            /* bytes before this have been copied */
} reading;

/* The bytes up to `offset` belong to the game being read. */
static void settle(reading *r, uint64_t offset)
{
    copied *to = destination_of(r->check, r->result, r->is_bad);
    if (to) {
        if (!r->is_begun)
            copied_begin_game(to, r->first);
        buffer_add(&to->text, part_text(r->part, r->settled), (size_t)(offset - r->settled));
        to->end = r->is_closed ? GAME_CLOSED : r->is_bad ? GAME_BROKEN : GAME_OPEN;
        to->is_bare = r->is_bare;
        r->is_begun = true;
    }
    r->settled = offset;
    part_forget(r->part, offset);
}

/* A tby_source: the bytes of the part. The bytes of a game that is already known to be bad are not held until its end,
   which may never come, nor are those after a game. */
static size_t read_on(void *context, char *buf, size_t cap)
{
    reading *r = context;
    uint64_t offset;
    if (keeps_text(r->check) && (r->is_bad || r->is_between) && part_is_long(r->part, AHEAD_LITTLE, &offset) &&
        offset > r->settled) {
        settle(r, offset);
        part_flush(r->part);
    }
    return part_read(r->part, buf, cap);
}

static void end_game(reading *r)
{
    r->result->counts.bad += r->is_bad;
    r->is_between = true;
    flush_large(r->part, r->result);
}

static void note_first(reading *r)
{
    const uint64_t begin = tby_pgn_game_begin(r->pgn), there = r->part->base + r->part->at - begin;
    memset(r->first, 0, sizeof r->first);
    /* An escaped line before the game counts as an empty line. */
    if (begin == r->settled || !memchr(part_text(r->part, r->settled), '%', (size_t)(begin - r->settled)))
        memcpy(r->first, part_text(r->part, begin), there < sizeof r->first ? (size_t)there : sizeof r->first);
}

/* Text between games belongs to the one before it, text before the first to the first. */
static void begin_game(reading *r)
{
    if (keeps_text(r->check) && r->game > 0)
        settle(r, tby_pgn_game_begin(r->pgn));
    if (keeps_text(r->check))
        note_first(r);
    r->game++;
    r->result->counts.games++;
    r->depth = 0;
    r->is_bad = r->is_between = r->is_closed = r->is_begun = false;
    r->is_bare = true;
}

static void note_event(reading *r, const tby_pgn_event *event)
{
    report *notes = &r->part->notes;
    if (event->error.status == TBY_IO_ERROR && r->is_between) /* the input reports it itself */
        return;
    if (event->type == TBY_PGN_WARNING) {
        note_warning(notes, r->part->job->name, r->pgn, event, r->game);
        r->result->counts.warnings++;
        return;
    }
    note_error(notes, r->part->job->name, r->pgn, event, r->game);
    r->is_bad = true;
    r->is_closed = false;
}

static void count_moves(reading *r, size_t n)
{
    *(r->depth == 0 ? &r->result->counts.plies : &r->result->counts.variation_plies) += n;
}

/* For a fault in a comment, the token is its brace. */
static bool is_of_comment(const tby_pgn_event *event)
{
    return event->type == TBY_PGN_WARNING ||
           (event->type == TBY_PGN_ERROR && event->n_text == 1 && *event->text == '{');
}

static void read_event(reading *r, const tby_pgn_event *event)
{
    const bool was_bare = r->is_bare && (is_of_comment(event) || event->type == TBY_PGN_GAME_END);
    switch (event->type) {
    case TBY_PGN_GAME: begin_game(r); break;
    case TBY_PGN_GAME_END: end_game(r); break;
    case TBY_PGN_RESULT: r->is_closed = true; break;
    case TBY_PGN_VARIATION: r->depth++; break;
    case TBY_PGN_VARIATION_END: r->depth--; break;
    case TBY_PGN_NULL_MOVE: count_moves(r, 1); break;
    case TBY_PGN_ERROR:
    case TBY_PGN_WARNING: note_event(r, event); break;
    default: break;
    }
    r->is_bare = was_bare || event->type == TBY_PGN_GAME;
}

static void read_events(reading *r)
{
    tby_pgn_event event;
    tby_pgn_type type;
    tby_move moves[256];
    memset(&event, 0, sizeof event);
    while ((type = tby_pgn_next(r->pgn, &event)) != TBY_PGN_END) {
        if (type == TBY_PGN_MOVE) {
            count_moves(r, 1);
            r->is_bare = false;
        } else
            read_event(r, &event);
        count_moves(r, tby_pgn_moves(r->pgn, moves, sizeof moves / sizeof *moves));
    }
    r->part->n_lines = tby_pgn_event_place(r->pgn, &event).line - 1;
    r->part->n_games = r->game;
    if (keeps_text(r->check) && r->game > 0)
        settle(r, r->part->base + r->part->at);
}

static void check_events(const check *c, part *p)
{
    const tby_pgn_options how = {.flags = c->flags | TBY_PGN_SKIP_COMMENTS |
                                          (c->wants_warnings ? TBY_PGN_WARNINGS : TBY_PGN_SERIOUS)};
    reading r = {.check = c, .part = p, .result = p->result};
    r.pgn = memory_got(p->job->from->open_events(read_on, &r, &how, NULL));
    read_events(&r);
    tby_pgn_free(r.pgn);
}

/* ---- Games read as trees: their reader has already checked the moves --------------------------------------------- */

static void judge(part_games *in, check_result *res, bool is_bad)
{
    counts *n = &res->counts;
    const bool is_game = tby_games_where(in->games).n_games > in->n_before;
    if (!is_bad) {
        const size_t n_plies = tby_game_main_line(in->game, NULL, 0);
        n->plies += n_plies;
        n->variation_plies += tby_game_n_nodes(in->game) - 1 - n_plies;
    }
    n->games += is_game;
    n->bad += is_game && is_bad;
    n->bad_files += !is_game;
    part_games_done(in, is_bad);
    flush_large(in->part, res);
}

static void check_games(const check *c, part *p)
{
    check_result *res = p->result;
    part_games in;
    tby_game_read read;
    part_games_begin(&in, p, c->flags, destination_of(c, res, false), destination_of(c, res, true));
    while ((read = part_games_next(&in)) != TBY_GAME_END)
        judge(&in, res, read == TBY_GAME_BAD);
    res->counts.warnings += in.n_warnings;
    part_games_end(&in);
}

/* ---- Results ---------------------------------------------------------------------------------------------------- */

static void result_free(void *memory)
{
    check_result *res = memory;
    buffer_free(&res->rejects.text);
    buffer_free(&res->clean.text);
    free(res);
}

static void print_faults(const check *c, const part *p)
{
    buffer text = {0};
    if (p->notes.text.n == 0)
        return;
    progress_hide();
    report_resolve(&text, &p->notes, p->lines_before, p->games_before);
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
    to->bad_files += from->bad_files;
}

static void merge_result(void *context, part *p)
{
    check *c = context;
    check_result *res = p->result;
    if (res->counts.bad || res->counts.bad_files)
        exit_note(EXIT_NO);
    print_faults(c, p);
    copy_write(c->rejects, &res->rejects);
    copy_write(c->clean, &res->clean);
    add_counts(&c->total, &res->counts);
    copied_clear(&res->rejects);
    copied_clear(&res->clean);
    res->counts = (counts){0};
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

static void print_summary(const check *c)
{
    const counts *t = &c->total;
    out_printf("%" PRIu64 " %s, %" PRIu64 " good, %" PRIu64 " bad, %" PRIu64 " %s", t->games,
               plural(t->games, "game", "games"), t->games - t->bad, t->bad, t->plies,
               plural(t->plies, "ply", "plies"));
    if (t->variation_plies)
        out_printf(", %" PRIu64 " %s in variations", t->variation_plies, plural(t->variation_plies, "ply", "plies"));
    if (c->wants_warnings)
        out_printf(", %" PRIu64 " %s", t->warnings, plural(t->warnings, "warning", "warnings"));
    out_string("\n");
}

static void print_json(const check *c)
{
    const counts *t = &c->total;
    out_json("{'games':%llu,'good':%llu,'bad':%llu,'plies':%llu,'variation_plies':%llu", (unsigned long long)t->games,
             (unsigned long long)(t->games - t->bad), (unsigned long long)t->bad, (unsigned long long)t->plies,
             (unsigned long long)t->variation_plies);
    if (c->wants_warnings)
        out_json(",'warnings':%llu}\n", (unsigned long long)t->warnings);
    else
        out_json(",'warnings':null}\n");
}

static void check_part(void *context, part *p) { (p->job->from->open_events ? check_events : check_games)(context, p); }

static bool check_file(check *c, const char *path, const char *from, unsigned n_threads)
{
    job j = {
        .context = c,
        .keeps_text = keeps_text(c),
        .result_size = sizeof(check_result),
        .result_free = result_free,
        .work = check_part,
        .merge = merge_result,
    };
    input *in = job_open(&j, path, from);
    if (!in)
        return false;
    copy_begin_input(c->rejects, j.from);
    copy_begin_input(c->clean, j.from);
    return job_run(in, n_threads, &j);
}

static int check_run(const args *a)
{
    check c = {.wants_json = args_has(a, OPT_JSON), .wants_warnings = args_has(a, OPT_WARNINGS)};
    c.flags = variant_flags(a, OPT_ANY_VARIANT, OPT_CHESS960);
    const unsigned n_threads = threads_read(a, OPT_THREADS);
    bool all_read = true;
    if (a->n_words == 0)
        error_exit("check: no FILE given; - reads standard input; try --help");
    c.rejects = copy_open(args_value(a, OPT_REJECTS), a);
    c.clean = copy_open(args_value(a, OPT_CLEAN), a);
    for (size_t i = 0; i < a->n_words; i++)
        all_read &= check_file(&c, a->words[i], args_value(a, OPT_FROM), n_threads);
    copy_close(c.rejects);
    copy_close(c.clean);
    if (c.wants_json)
        print_json(&c);
    else
        print_summary(&c);
    return !all_read ? EXIT_FAILED : c.total.bad || c.total.bad_files ? EXIT_NO : EXIT_YES;
}

const command cmd_check = {
    .name = "check",
    .group = GROUP_PGN,
    .words = "FILE...",
    .summary = "check every move and report faults",
    .description =
        "Reads games with their variations and prints one line per fault: file, line and column (or byte, in a binary "
        "file), what is wrong, the game's number, the move and the position. The last line counts games and "
        "half-moves. Null moves are not faults, but those in a main line are reported as warnings.\n\nGames may be in "
        "@games; other files are read as PGN. All other warnings apply to PGN only.\n\nFILE may be compressed with "
        "gzip or zstd; - is standard input. Memory use does not depend on its size.",
    .exits = "0  all games are good\n1  at least one game has a fault\n2  a file could not be read, or writing failed",
    .options = options,
    .examples = examples,
    .run = check_run,
};
