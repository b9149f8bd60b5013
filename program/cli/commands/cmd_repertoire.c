/*
 * cmd_repertoire.c - tabiya repertoire: lines that a player wants to play, against the games of a database.
 *
 *     games  share  move       planned      after
 *       120  12.3%  3... Nf6   Bc5, a6      1. e4 e5 2. Nf3 Nc6 3. Bb5
 */
#include "actions.h"
#include "commands.h"
#include "open_input.h"
#include "query_options.h"
#include "repertoire.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_JSON = N_QUERY_OPTIONS, OPT_LINES, OPT_PLIES_OF_LINES, OPT_SIDE };
enum { ROWS_SHOWN = 20 };

static const option options[] = {
    QUERY_OPTIONS,
    [OPT_JSON] = {"json", 0, NULL, NULL, "print one JSON object per move"},
    [OPT_LINES] = {"lines", 0, "QUERY", NULL, "if LINES is a database: take the games that match QUERY as lines"},
    [OPT_PLIES_OF_LINES] = {"line-plies", 0, "N", NULL, "use the first N half-moves of each line (default: all)"},
    [OPT_SIDE] = {"side", 0, "SIDE", "white|black",
                  "whose lines they are (default: the side that has one move in more positions)"},
    {0},
};

static const example examples[] = {
    {"tabiya repertoire gaps games.db white.pgn --elo 2200..",
     "Lists what strong opponents play most that the lines in white.pgn do not cover."},
    {"tabiya repertoire deviations games.db white.pgn 'white ~\"Magnus Carlsen\"'",
     "Lists where a player's games with White left the lines, and who left them."},
    {"tabiya repertoire gaps games.db own.db --lines 'black \"me\"' --line-plies 16 --side black",
     "Takes your own games as lines."},
    {0},
};

/* ---- Lines ------------------------------------------------------------------------------------------------------ */

typedef struct collecting {
    tby_db *db;
    repertoire *lines;
    unsigned plies;
    problem problem;
} collecting;

static bool collect_game(void *context, const tby_db_hit *hit)
{
    collecting *c = context;
    tby_row row;
    if (tby_db_row(&row, c->db, hit->id) != TBY_OK)
        return problem_tell(&c->problem, PROBLEM_BROKEN, "%s", tby_db_failure(c->db)->text);
    return row.moves.s
               ? repertoire_add_packed(c->lines, (const uint8_t *)row.moves.s, row.moves.n, c->plies, &c->problem)
               : true;
}

static void read_database(collecting *c, const char *name, const char *asked)
{
    tby_failure failure;
    query q;
    query_values values = {.who = "repertoire: --lines: ", .dashes = "--"};
    values.of[QUERY_QUERY] = asked;
    if (tby_db_open(&c->db, name, TBY_DB_READ, &failure) != TBY_OK)
        error_exit("repertoire: %s", failure.text);
    if (!query_read(&q, &values, c->db, &c->problem))
        error_exit("%s", c->problem.text);
    q.search.wanted = TBY_WANTED_ROWS;
    if (tby_db_find(c->db, &q.search, collect_game, c) != TBY_OK && !c->problem.status)
        error_exit("repertoire: %s", tby_db_failure(c->db)->text);
    query_free(&q);
    tby_db_close(c->db);
    if (!c->problem.status && repertoire_n_positions(c->lines) == 0)
        error_exit("repertoire: --lines finds no games");
}

static void read_file(collecting *c, const char *path)
{
    input *in = input_open(path);
    if (!in)
        exit(EXIT_FAILED);
    tby_games *games = input_notation(in, NULL)->open(input_read, in, NULL);
    if (!games)
        error_exit("out of memory");
    repertoire_read(c->lines, games, c->plies, &c->problem);
    tby_games_free(games);
    if (input_failure(in))
        error_exit("repertoire: %s: %s", path, input_failure(in)->text);
    input_close(in);
}

static repertoire *read_lines(const args *a)
{
    const char *path = a->words[1], *asked = args_value(a, OPT_LINES), *plies = args_value(a, OPT_PLIES_OF_LINES);
    const bool is_database = tby_db_is_server(path) || tby_db_is_file(path);
    collecting c = {.lines = repertoire_new(), .plies = TBY_PLIES_MAX};
    if (!c.lines)
        error_exit("out of memory");
    if (asked && !is_database)
        error_exit("repertoire: --lines needs a database of lines");
    if (plies)
        c.plies = (unsigned)number_read("repertoire: --line-plies", plies, 1, TBY_PLIES_MAX);
    if (is_database)
        read_database(&c, path, asked);
    else
        read_file(&c, path);
    if (c.problem.status)
        error_exit("repertoire: %s: %s", path, c.problem.text);
    return c.lines;
}

/* ---- Printing --------------------------------------------------------------------------------------------------- */

static void print_row(const repertoire *r, const repertoire_row *row, bool has_who)
{
    buffer move = {0}, planned = {0}, line = {0};
    repertoire_write_move(&move, r, row->position, row->move, true);
    repertoire_write_planned(&planned, r, row->position);
    repertoire_write_line(&line, r, row->position);
    out_printf("%7" PRIu64 "  %5.1f%%  %-10.*s  ", row->games,
               row->of ? 100.0 * (double)row->games / (double)row->of : 0.0, (int)move.n, move.s);
    if (has_who)
        out_printf("%-8s  ", row->is_mine ? "own" : "opponent");
    out_printf("%-12.*s  %.*s\n", (int)planned.n, planned.s, line.n ? (int)line.n : 7, line.n ? line.s : "(start)");
    buffer_free(&move);
    buffer_free(&planned);
    buffer_free(&line);
}

static void print_rows(const args *a, const repertoire *r, const repertoire_rows *rows, size_t limit, bool has_who)
{
    buffer out = {0};
    if (!args_has(a, OPT_JSON) && rows->n)
        out_printf("  games   share  move        %s%-12s  after\n", has_who ? "by        " : "", "planned");
    for (size_t i = 0; i < rows->n && i < limit; i++) {
        if (!args_has(a, OPT_JSON)) {
            print_row(r, &rows->rows[i], has_who);
            continue;
        }
        out.n = 0;
        repertoire_write_json(&out, r, &rows->rows[i]);
        buffer_string(&out, "\n");
        out_bytes(out.s, out.n);
    }
    if (!args_has(a, OPT_JSON) && rows->n > limit)
        out_printf("... and %zu more\n", rows->n - limit);
    buffer_free(&out);
}

/* ---- Actions ---------------------------------------------------------------------------------------------------- */

static tby_color side_of(const args *a, const repertoire *r)
{
    const char *side = args_value(a, OPT_SIDE);
    if (!side)
        return repertoire_side(r);
    return *side == 'w' ? TBY_WHITE : TBY_BLACK;
}

static int run_action(const args *all, bool is_gaps)
{
    args a = *all;
    repertoire_rows rows;
    problem p = {0};
    query q;
    if (a.n_words < 3)
        error_exit("repertoire %s: a database and a file of lines are needed; try --help", a.words[0]);
    a.words++; /* the action */
    a.n_words--;
    char *text = a.n_words > 2 ? words_join(&a, 2) : NULL;
    query_refuse_order(&a, false);
    tby_db *db = database_open(&a, TBY_DB_READ);
    query_of_options(&q, &a, text, (tby_text){0}, NULL, db);
    const size_t limit = q.search.limit ? (size_t)q.search.limit : ROWS_SHOWN;
    q.search.limit = 0;
    q.search.progress = database_report;
    if (args_has(&a, QUERY_EXPLAIN)) {
        query_explain(&q, &a, db, NULL);
        free(text);
        query_free(&q);
        tby_db_close(db);
        return EXIT_YES;
    }
    repertoire *r = read_lines(&a);
    const tby_color side = side_of(&a, r);
    interrupts_catch();
    database_work(db, "searching");
    const bool is_good = is_gaps ? repertoire_gaps(&rows, r, side, db, q.has_condition ? &q.search : NULL, &p)
                                 : repertoire_deviations(&rows, r, side, db, &q.search, &p);
    database_done(db);
    if (interrupts_came())
        error_exit("repertoire: interrupted");
    if (!is_good)
        error_exit("repertoire: %s: %s", database_name(&a), p.text);
    if (!args_has(&a, OPT_JSON)) {
        out_printf("%s's lines: %zu positions\n", side == TBY_WHITE ? "White" : "Black", repertoire_n_positions(r));
        if (!is_gaps)
            out_printf("%" PRIu64 " games, %" PRIu64 " of them to the end of a line\n", rows.n_games, rows.n_followed);
    }
    print_rows(&a, r, &rows, limit, !is_gaps);
    const bool has_rows = rows.n > 0;
    free(text);
    repertoire_rows_free(&rows);
    repertoire_free(r);
    query_free(&q);
    tby_db_close(db);
    return has_rows ? EXIT_YES : EXIT_NO;
}

static int gaps(const args *a) { return run_action(a, true); }
static int deviations(const args *a) { return run_action(a, false); }

static const action actions[] = {{"deviations", deviations, ~0u}, {"gaps", gaps, ~0u}};

static int repertoire_run(const args *a) { return action_of(a, actions, sizeof actions / sizeof *actions)->run(a); }

const command cmd_repertoire = {
    .name = "repertoire",
    .group = GROUP_LOOK,
    .words = "gaps|deviations DB LINES [QUERY]",
    .summary = "compare the lines you want to play with games",
    .description =
        "LINES are the lines a player wants to play: a file of games with variations, or a database. gaps lists what "
        "opponents play most in the positions of the lines that the lines do not cover, among the games of the "
        "database "
        "DB. deviations lists where games left the lines, who left them, and what was planned. Positions count, not "
        "the "
        "order of moves: a move that leads to another position of the lines is covered. Conditions pick the games that "
        "count (`tabiya help query` lists them); --limit is the number of moves that are printed (default: "
        "20). " SERVER_HELP,
    .exits = "0  moves were found\n1  there are none\n2  wrong usage, or something could not be read",
    .options = options,
    .n_shared = N_QUERY_OPTIONS,
    .examples = examples,
    .run = repertoire_run,
};
