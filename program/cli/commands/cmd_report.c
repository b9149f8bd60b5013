/*
 * cmd_report.c - tabiya report: how a player has scored, by colour, opening, year, and opponents.
 *
 *     Paul Morphy: 5 games
 *     colour                         games   won drawn  lost   score    Elo  perf
 *     white                              3     3     0     0  100.0%      -     -
 *
 * Scores are the player's: a win counts one, a draw a half; games without a result are counted, but not in the score.
 */
#include "commands.h"
#include "near.h"
#include "report.h"
#include "visits.h"

#include <stdlib.h>
#include <string.h>

enum { DEFAULT_LINES = 10 };

static const option options[] = {
    QUERY_OPTIONS_BESIDE_COLORS,
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
    {"tabiya report games.db carlsen --sort=-date --limit 100", "Shows how he has scored in his last 100 games."},
    {"tabiya report games.db carlsen --limit 0 --to csv -o carlsen.csv", "Writes all numbers as one table."},
    {"tabiya report --json --limit 0 games.db carlsen", "Prints all openings and opponents as JSON."},
    {0},
};

/* ---- Counting --------------------------------------------------------------------------------------------------- */

typedef struct reporting {
    sources sources;
    counted counted;
    tby_color color;
    report_of_player report;
} reporting;

static bool count_game(void *context, source *s, const tby_db_hit *hit)
{
    reporting *r = context;
    tby_row row;
    if (source_row(s, hit->id, &row) != TBY_OK)
        source_failed(s);
    report_add(&r->report, &row, r->color);
    return !interrupts_came();
}

/* An additional condition: "white", "black" or "player" and the player's name. */
static tby_query_text name_fact(const reporting *r, const char *word)
{
    const char *name = r->sources.words[0];
    tby_query_text fact = {0};
    tby_query_text_add(&fact, word, name, strlen(name));
    memory_need(!fact.has_no_memory);
    return fact;
}

/* The player's games with that colour. */
static void count_color(reporting *r, tby_color color)
{
    const sources *games = &r->counted.games;
    tby_query_text fact = name_fact(r, color == TBY_WHITE ? "white" : "black");
    query q;
    query_of_options(&q, &r->counted.args, r->counted.text, (tby_text){fact.s, fact.n}, NULL, source_db(games->of[0]));
    q.search.wanted = TBY_WANTED_ROWS;
    q.search.progress = database_report;
    r->color = color;
    for (size_t i = 0; i < games->n && !interrupts_came(); i++)
        source_find(games->of[i], &q.search, count_game, r);
    query_free(&q);
    tby_query_text_free(&fact);
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

/* --limit is the length of the lists here, not a condition. */
static size_t take_limit(args *a)
{
    const size_t limit = visits_lines(a, DEFAULT_LINES, 0, 1000000);
    if (!args_has(a, QUERY_SORT))
        args_drop(a, QUERY_LIMIT);
    return limit;
}

static int explain(reporting *r, tby_text fact)
{
    query q;
    query_of_options(&q, &r->counted.args, r->counted.text, fact, NULL, source_db(r->counted.games.of[0]));
    query_explain_all(&q, &r->counted.games, NULL);
    query_free(&q);
    return EXIT_YES;
}

static int report_colors(reporting *r, bool has_white, bool has_black, size_t limit)
{
    const char *name = r->sources.words[0];
    const output o = output_begin(r->sources.args);
    if (has_white)
        count_color(r, TBY_WHITE);
    if (has_black)
        count_color(r, TBY_BLACK);
    if (interrupts_came())
        error_exit("report: interrupted");
    if (report_n_games(&r->report) == 0) {
        error_print("report: no game of \"%s\" was found; a name matches by its words, and * matches any text", name);
        near_players(&r->sources, name);
        return EXIT_NO;
    }
    report_print(&r->report, name, limit, &o);
    return EXIT_YES;
}

static int report_run(const args *a)
{
    const bool has_white = args_has(a, QUERY_WHITE) || !args_has(a, QUERY_BLACK);
    const bool has_black = args_has(a, QUERY_BLACK) || !args_has(a, QUERY_WHITE);
    args conditions = *a;
    reporting r = {.sources = sources_of_words(a)};
    if (r.sources.n_words == 0)
        error_exit("report: no player given; name one after the games; try --help");
    const size_t limit = take_limit(&conditions);
    r.sources.args = &conditions;
    sources_open(&r.sources, SOURCE_AGAIN, SOURCE_AGAIN);
    char *text = sources_query(&r.sources, 1);
    tby_query_text fact = name_fact(&r, has_white && has_black ? "player" : has_white ? "white" : "black");
    visits_counted(&r.counted, &r.sources, 0, SOURCE_AGAIN, text, (tby_text){fact.s, fact.n});
    const int code = args_has(a, QUERY_EXPLAIN) ? explain(&r, (tby_text){fact.s, fact.n})
                                                : report_colors(&r, has_white, has_black, limit);
    tby_query_text_free(&fact);
    free(text);
    report_of_player_free(&r.report);
    return sources_close(&r.sources, code);
}

const command cmd_report = {
    .name = "report",
    .group = GROUP_LOOK,
    .words = "SOURCE... PLAYER [QUERY]",
    .summary = "show a player's results and openings",
    .description =
        "Counts a player's games and their results from the player's point of view: by colour, by opening and "
        "variation with each colour, by year, by the opponent's rating, and by opponent. PLAYER matches by words, "
        "ignoring case and accents; with an asterisk, which matches any text, it must match the whole name. All names "
        "that match are listed and counted together.\n\nThe column Elo is the opponents' mean rating, and perf the "
        "performance: the rating at which the expected score against rated opponents is the one achieved, at most 800 "
        "points from their mean. --limit N lists at most N openings, variations and opponents (default: 10); 0 lists "
        "all. The table formats of --to put all results into one table: what the games are grouped by, the group, and "
        "its numbers. "
        "--sample N counts only N of the games, and with --sort only the first --limit of them count, after "
        "--offset.\n\n" QUERY_HELP,
    .exits = "0  done\n1  the player has no games there\n2  a source could not be read, or the query has an error",
    .options = options,
    .n_shared = N_QUERY_OPTIONS,
    .examples = examples,
    .run = report_run,
};
