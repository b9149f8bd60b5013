/*
 * cmd_report.c - tabiya report: how a player has scored, by colour, opening, year and rating of the opponents.
 *
 *     Paul Morphy: 5 games
 *     colour                     games   won drawn  lost   score
 *     white                          3     3     0     0  100.0%
 *
 * Scores are the player's: a win counts one, a draw a half; games without a result are counted, but not in the score.
 */
#include "commands.h"
#include "database.h"
#include "parallel.h"
#include "query_fault.h"
#include "report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_JSON, OPT_LIMIT, OPT_THREADS };
enum { DEFAULT_LINES = 10 };

static const option options[] = {
    [OPT_JSON] = {"json", 0, NULL, NULL, "print a JSON object"},
    [OPT_LIMIT] = {"limit", 0, "N", NULL, "list at most N openings (default: 10); 0 lists all"},
    [OPT_THREADS] = OPTION_THREADS,
    {0},
};

static const example examples[] = {
    {"tabiya report games.db carlsen", "Shows how Carlsen has scored."},
    {"tabiya report games.db 'Carlsen, M*' 'date 2019.. elo 2600..'",
     "Counts recent games between strong players only."},
    {"tabiya report --json --limit 0 games.db carlsen", "Prints all openings as JSON."},
    {0},
};

/* ---- Counting --------------------------------------------------------------------------------------------------- */

typedef struct reporting {
    tby_db *db;
    const args *args;
    tby_color color;
    report_of_player report;
} reporting;

static bool count_game(void *context, const tby_db_hit *hit)
{
    reporting *r = context;
    tby_row row;
    if (tby_db_row(r->db, hit->id, &row) != TBY_OK)
        database_failed(r->args, r->db);
    report_add(&r->report, &row, r->color);
    return !interrupts_came();
}

/* White "NAME" beside the query of the user. A fault ends the program. */
static tby_query *query_of(const args *a, const char *word, const char *name)
{
    tby_query_text facts = {0};
    tby_query_error err;
    problem p = {0};
    char *asked = a->n_words > 2 ? words_join(a, 2) : NULL;
    const char *text = asked ? asked : "";
    tby_query_text_add(&facts, word, name, strlen(name));
    if (facts.has_no_memory)
        error_exit("out of memory");
    const tby_query_options how = {.facts = facts.s, .n_facts = facts.n};
    tby_query *query = tby_query_new(text, strlen(text), &how, NULL, &err);
    if (!query) {
        query_fault(&p, "report: ", &err, text, &how, NULL);
        error_exit("%s", p.text);
    }
    tby_query_text_free(&facts);
    free(asked);
    return query;
}

static void count_color(reporting *r, tby_color color)
{
    const args *a = r->args;
    tby_query *query = query_of(a, color == TBY_WHITE ? "white" : "black", a->words[1]);
    const tby_db_search search = {.query = query,
                                  .n_threads = threads_read("report", args_value(a, OPT_THREADS)),
                                  .wanted = TBY_WANTED_ROWS,
                                  .progress = database_report};
    r->color = color;
    if (tby_db_find(r->db, &search, count_game, r) != TBY_OK && !interrupts_came())
        database_failed(a, r->db);
    tby_query_free(query);
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

static int run(const args *a)
{
    reporting r = {.args = a};
    buffer text = {0};
    const char *limit = args_value(a, OPT_LIMIT);
    if (a->n_words < 2)
        error_exit("report: a DB and a PLAYER are needed; try --help");
    r.db = database_open(a, TBY_DB_READ);
    interrupts_catch();
    database_work(r.db, "counting");
    count_color(&r, TBY_WHITE);
    count_color(&r, TBY_BLACK);
    database_done(r.db);
    tby_db_close(r.db);
    if (interrupts_came())
        error_exit("report: interrupted");
    const uint64_t n = report_n_games(&r.report);
    if (n == 0)
        error_print("report: no game of \"%s\" was found; a name matches by its words, and * stands for any text",
                    a->words[1]);
    else
        report_write(&text, &r.report, a->words[1],
                     limit ? number_read("report: --limit", limit, 0, 1000000) : DEFAULT_LINES, args_has(a, OPT_JSON));
    if (text.n)
        out_bytes(text.s, text.n);
    buffer_free(&text);
    report_of_player_free(&r.report);
    return n ? EXIT_YES : EXIT_NO;
}

const command cmd_report = {
    .name = "report",
    .group = GROUP_LOOK,
    .words = "DB PLAYER [QUERY]",
    .summary = "show a player's results and openings",
    .description =
        "Counts a player's games in the database DB and their results from the player's point of view: by colour, by "
        "opening and colour, by year, and by the opponent's rating. PLAYER matches by words, ignoring case and "
        "accents; with an asterisk, which matches any text, it must match the whole name. All names that match are "
        "listed and counted together. A QUERY selects games; see `tabiya help query`. " SERVER_HELP,
    .exits = "0  done\n1  the player has no games there\n2  the database could not be read, or the query has an error",
    .options = options,
    .examples = examples,
    .run = run,
};
