/*
 * cmd_check.c - tabiya check: is every move of every game legal? See check.h for its files.
 */
#include "check.h"
#include "commands.h"
#include "progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_ANY_VARIANT, OPT_CHESS960, OPT_CLEAN, OPT_FROM, OPT_JSON, OPT_REJECTS, OPT_THREADS, OPT_WARNINGS };

static const option options[] = {
    [OPT_ANY_VARIANT] = OPTION_ANY_VARIANT,
    [OPT_CHESS960] = OPTION_GAMES_CHESS960,
    [OPT_CLEAN] = {"clean", 0, "FILE", NULL, "write the games without faults to FILE, unchanged"},
    [OPT_FROM] = {"from", 0, "NOTATION", "@games", "notation of the games (default: detected)"},
    [OPT_JSON] = {"json", 0, NULL, NULL, "print the summary as JSON, and the faults on standard error"},
    [OPT_REJECTS] = {"rejects", 0, "FILE", NULL, "write the games with faults to FILE, unchanged"},
    [OPT_THREADS] = OPTION_THREADS,
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
    out_printf("{\"games\":%" PRIu64 ",\"good\":%" PRIu64 ",\"bad\":%" PRIu64 ",\"plies\":%" PRIu64
               ",\"variation_plies\":%" PRIu64,
               t->games, t->games - t->bad, t->bad, t->plies, t->variation_plies);
    out_printf(c->wants_warnings ? ",\"warnings\":%" PRIu64 "}\n" : ",\"warnings\":null}\n", t->warnings);
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
    return parallel_run(in, n_threads, &j);
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
