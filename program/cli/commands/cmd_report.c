/*
 * cmd_report.c - tabiya report: how a player has scored, by colour, opening, year, and opponents.
 *
 *     Paul Morphy: 5 games
 *     colour                         games   won drawn  lost   score    Elo  perf
 *     white                              3     3     0     0  100.0%      -     -
 */
#include "commands.h"
#include "near.h"
#include "query_options.h"
#include "report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_LINES = 10 };

static const option options[] = {
    QUERY_CONDITIONS,
    QUERY_LINES("list at most N openings, variations and opponents, 0 for all (default: 10)"),
    [QUERY_BLACK] = {"black", 0, NULL, NULL, "count only games with the black pieces"},
    [QUERY_WHITE] = {"white", 0, NULL, NULL, "count only games with the white pieces"},
    OUTPUT_OPTIONS("one object"),
    {0},
};

static const example examples[] = {
    {"tabiya report games.db carlsen", "Shows how Carlsen has scored."},
    {"tabiya report games.pgn carlsen --black --date 2024..", "Shows how he has scored with Black since 2024."},
    {"tabiya report games.db 'Carlsen, M*' 'date 2019.. elo 2600..'",
     "Counts recent games between strong players only."},
    {"tabiya export games.db --sort=-date --limit 100 | tabiya report - carlsen", "Uses the last 100 games alone."},
    {"tabiya report games.db carlsen --limit 0 --to csv -o carlsen.csv", "Writes all numbers as one table."},
    {"tabiya report --json --limit 0 games.db carlsen", "Prints all openings and opponents as JSON."},
    {0},
};

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

static const char *const titles[TBY_REPORT_PARTS] = {"colour",         "opening",  "variation", "year",
                                                     "opponent's Elo", "opponent", "name"};

static void write_score(buffer *out, tby_score s)
{
    char elo[24] = "-", performance[24] = "-";
    buffer_printf(out, " %7" PRIu64 " %5" PRIu64 " %5" PRIu64 " %5" PRIu64, s.games, s.won, s.drawn, s.lost);
    if (s.tenths >= 0)
        buffer_printf(out, " %4d.%d%%", s.tenths / 10, s.tenths % 10);
    else
        buffer_printf(out, " %7s", "-");
    if (s.elo) {
        snprintf(elo, sizeof elo, "%d", s.elo);
        snprintf(performance, sizeof performance, "%d", s.performance);
    }
    buffer_printf(out, " %6s %5s\n", elo, performance);
}

/* A key cut to its column; the colour at its end stays. */
static void write_key(buffer *out, const char *key)
{
    enum { COLUMN = 32, SIDE = 8 };
    const size_t n = strlen(key);
    const char *side = text_width(key) > COLUMN && n > SIDE && key[n - 1] == ')' ? key + n - SIDE : "";
    buffer_cell(out, key, COLUMN - strlen(side));
    buffer_harmless(out, side, strlen(side), '?');
}

static void write_table(buffer *out, tby_report *r, tby_report_part of, size_t limit)
{
    const size_t n = report_n_shown(r, of, limit);
    buffer_printf(out, "\n%s%-32s %7s %5s %5s %5s %7s %6s %5s%s\n", color_code(COLOR_BOLD), titles[of], "games", "won",
                  "drawn", "lost", "score", "Elo", "perf", color_code(COLOR_END));
    for (size_t i = 0; i < n; i++) {
        tby_score score;
        write_key(out, tby_report_line(&score, r, of, i));
        write_score(out, score);
    }
    if (tby_report_n_lines(r, of) > n)
        buffer_printf(out, "... and %zu more\n", tby_report_n_lines(r, of) - n);
}

static void write_text(buffer *out, tby_report *r, const char *name, size_t limit)
{
    const uint64_t games = tby_report_total(r).games;
    buffer_harmless(out, name, strlen(name), '?');
    buffer_printf(out, ": %" PRIu64 " %s\n", games, plural(games, "game", "games"));
    for (int of = 0; of < TBY_REPORT_PARTS; of++)
        if (of != TBY_REPORT_NAMES || tby_report_n_lines(r, TBY_REPORT_NAMES) > 1)
            write_table(out, r, (tby_report_part)of, limit);
}

static void report_print(tby_report *r, const char *name, size_t limit, const output *form)
{
    buffer text = {0};
    if (form->format)
        output_whole(form, report_table(r, name, limit));
    else
        (form->is_json ? report_write_json : write_text)(&text, r, name, limit);
    out_buffer(&text);
}

/* ---- Searching -------------------------------------------------------------------------------------------------- */

typedef struct reporting {
    sources sources;
    char *name;
    tby_report *report;
} reporting;

/* An additional condition: "white", "black" or "player" and the player's name. */
static buffer name_fact(const reporting *r, const char *word)
{
    buffer fact = {0};
    person_add(&fact, word, r->name);
    return fact;
}

static void query_of_name(query *q, const reporting *r, const char *word)
{
    buffer fact = name_fact(r, word);
    query_of_options(q, r->sources.args, r->sources.text, (tby_text){fact.s, fact.n}, NULL,
                     source_db(r->sources.of[0]));
    buffer_free(&fact);
}

/* The player's games with that colour. */
static void count_color(reporting *r, tby_color color)
{
    query q;
    query_of_name(&q, r, color == TBY_WHITE ? "white" : "black");
    q.search.progress = database_report;
    if (tby_db_report(r->report, sources_db(&r->sources), &q.search, color) != TBY_OK && !interrupts_came())
        sources_failed(&r->sources);
    query_free(&q);
}

/* ---- The player's name ------------------------------------------------------------------------------------------- */

/* The first `n` words. */
static char *first_words(const sources *all, size_t n)
{
    const args first = {.words = all->words, .n_words = n};
    return memory_got(words_join(&first, 0));
}

/* The name is the first word, or as many as are a player's name if what follows the first is no query: "paul morphy 1858".
   If none of that is a player, it is all of them. */
static char *read_name(sources *all)
{
    enum { WORDS_MOST = 6 };
    const args *a = all->args;
    tby_query *made = all->text ? query_try(all->text, strlen(all->text), patterns_of_option(a, QUERY_PATTERNS)) : NULL;
    const bool is_one = !all->text || made;
    tby_query_free(made);
    if (all->n_words == 0)
        return memory_got(text_copy(args_value(a, QUERY_PLAYER), strlen(args_value(a, QUERY_PLAYER))));
    if (is_one)
        return first_words(all, 1);
    size_t n = all->n_words < WORDS_MOST ? all->n_words : WORDS_MOST;
    char *name = first_words(all, n);
    while (n > 0 && !may_know_player(all, name)) {
        free(name);
        name = first_words(all, --n ? n : all->n_words);
    }
    n = n ? n : all->n_words;
    const args rest = {.words = all->words, .n_words = all->n_words};
    free(all->text);
    all->text = n < all->n_words ? words_join(&rest, n) : NULL;
    return name;
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

static int report_colors(reporting *r, bool has_white, bool has_black, size_t limit)
{
    const char *name = r->name;
    const output o = output_begin(r->sources.args);
    if (has_white)
        count_color(r, TBY_WHITE);
    if (has_black)
        count_color(r, TBY_BLACK);
    if (interrupts_came())
        error_exit("report: interrupted");
    if (tby_report_total(r->report).games == 0) {
        error_print("report: no game of \"%s\" was found; * in a name matches any text", name);
        near_players(&r->sources, name);
        return EXIT_NO;
    }
    report_print(r->report, name, limit, &o);
    return EXIT_YES;
}

static int report_run(const args *a)
{
    const bool has_white = args_has(a, QUERY_WHITE) || !args_has(a, QUERY_BLACK);
    const bool has_black = args_has(a, QUERY_BLACK) || !args_has(a, QUERY_WHITE);
    reporting r = {.sources = sources_of_words(a, 1), .report = memory_got(tby_report_new())};
    if (r.sources.n_words == 0 && !args_value(a, QUERY_PLAYER))
        error_exit("report: no player given; name one after the games; try --help");
    const size_t limit = option_number(a, QUERY_LIMIT, DEFAULT_LINES, 0, 1000000);
    sources_open(&r.sources, SOURCE_AGAIN, SOURCE_AGAIN);
    r.name = read_name(&r.sources);
    const int code = report_colors(&r, has_white, has_black, limit);
    tby_report_free(r.report);
    free(r.name);
    return sources_close(&r.sources, code);
}

const command cmd_report = {
    .name = "report",
    .group = GROUP_LOOK,
    .words = "SOURCE... PLAYER [QUERY]",
    .summary = "show a player's results and openings",
    .description =
        "Counts a player's games and their results from the player's point of view: by colour, by opening and "
        "variation with each colour, by year, by the opponent's rating, and by opponent. PLAYER is a person in any "
        "spelling: \"Magnus Carlsen\" also means Carlsen,M. With an asterisk, which matches any text, it must match "
        "the "
        "whole name, and after = it is exactly the name. All names that match are listed and counted together.\n\nThe "
        "column Elo is the opponents' mean rating in the games with a result against rated opponents, and perf the "
        "performance in these games: the rating at which the expected score, the sum of the expectations against each "
        "opponent, is the one achieved, at most 800 points from their mean. The table formats of --to put all results "
        "into one table: what the games are grouped by, the group, and its numbers.\n\n" QUERY_HELP,
    .exits = "0  done\n1  the player has no games there\n2  a source could not be read, or the query has an error",
    .options = options,
    .n_shared = N_QUERY_OPTIONS,
    .examples = examples,
    .run = report_run,
};
