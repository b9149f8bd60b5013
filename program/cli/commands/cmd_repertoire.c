/*
 * cmd_repertoire.c - tabiya repertoire: compares the lines that a player wants to play with the games of a database.
 *
 *     games  share  move       planned      after
 *       120  12.3%  3... Nf6   Bc5, a6      1. e4 e5 2. Nf3 Nc6 3. Bb5
 */
#include "commands.h"
#include "console.h"
#include "near.h"
#include "query_options.h"
#include "repertoire.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_LINES = N_OUTPUT_OPTIONS, OPT_PLIES_OF_LINES, OPT_SIDE };
enum { ROWS_SHOWN = 20 };

static const option options[] = {
    QUERY_COLORS,
    QUERY_CONDITIONS,
    QUERY_LINES("list at most N moves (default: 20)"),
    OUTPUT_OPTIONS("one object per move"),
    [OPT_LINES] = {"lines", 0, "QUERY", NULL, "take only those games of LINES that match QUERY"},
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
    {"tabiya repertoire gaps club.db twic.pgn.gz white.pgn", "Looks at the games of a database and a file together."},
    {"tabiya repertoire gaps games.db white.pgn --to html -o gaps.html", "Writes a web page with the gaps."},
    {"tabiya repertoire gaps games.db own.db --line-plies 16 --side black", "Takes your own games as lines."},
    {0},
};

/* ---- Lines ------------------------------------------------------------------------------------------------------ */

typedef struct collecting {
    tby_repertoire *lines;
    tby_game *game;
    unsigned plies;
} collecting;

static bool collect_game(void *context, source *s, const tby_db_hit *hit)
{
    collecting *c = context;
    if (source_game(s, hit->id, c->game) != TBY_OK)
        source_failed(s);
    memory_need(tby_repertoire_add(c->lines, c->game, c->plies) == TBY_OK);
    return !interrupts_came();
}

static tby_repertoire *read_lines(const args *a, source *from)
{
    query_values values = {.who = "repertoire: --lines: ", .dashes = "--"};
    collecting c = {.lines = memory_got(tby_repertoire_new()),
                    .game = memory_got(tby_game_new(NULL)),
                    .plies = (unsigned)option_number(a, OPT_PLIES_OF_LINES, TBY_PLIES_MAX, 1, TBY_PLIES_MAX)};
    query q;
    problem p = {0};
    values.of[QUERY_QUERY] = args_value(a, OPT_LINES);
    values.patterns = patterns_of_option(a, QUERY_PATTERNS);
    query_read(&q, &values, source_db(from), &p);
    problem_exit(&p);
    q.search.wanted = TBY_WANTED_GAMES;
    sources_find(&(sources){.args = a, .of = &from, .n = 1}, &q.search, NULL, collect_game, &c);
    if (interrupts_came())
        error_exit("repertoire: interrupted");
    if (tby_repertoire_n_positions(c.lines) == 0 && args_has(a, OPT_LINES))
        error_exit("repertoire: --lines finds no games");
    if (tby_repertoire_n_positions(c.lines) <= 1)
        error_exit("repertoire: %s: the lines contain no moves", source_name(from));
    query_free(&q);
    tby_game_free(c.game);
    return c.lines;
}

/* ---- Printing --------------------------------------------------------------------------------------------------- */

static void print_row(const tby_repertoire *r, const tby_repertoire_row *row, bool has_who)
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

static void print_rows(const output *o, const tby_repertoire *r, const tby_repertoire_rows *rows, size_t limit,
                       bool has_who)
{
    const size_t n = rows->n < limit ? rows->n : limit;
    if (o->format) {
        output_whole(o, repertoire_table(r, rows, n));
        return;
    }
    if (!o->is_json && n)
        out_printf("%s  games   share  move        %s%-12s  after%s\n", color_code(COLOR_BOLD),
                   has_who ? "by        " : "", "planned", color_code(COLOR_END));
    for (size_t i = 0; i < n; i++) {
        buffer json = {0};
        if (o->is_json) {
            repertoire_write_json(&json, r, &rows->rows[i]);
            buffer_string(&json, "\n");
            out_buffer(&json);
        } else {
            print_row(r, &rows->rows[i], has_who);
        }
    }
    if (!o->is_json && rows->n > n)
        out_printf("... and %zu more\n", rows->n - n);
}

/* ---- Actions ---------------------------------------------------------------------------------------------------- */

/* The last source has the lines; it is read first. */
static sources sources_of(const args *a)
{
    sources all = sources_of_words(a, 0);
    if (all.n < 2)
        error_exit("repertoire: games and lines are needed: name two or more sources, the lines last; try --help");
    const char **names = memory_new(all.n, sizeof *names);
    names[0] = all.names[all.n - 1];
    memcpy(names + 1, all.names, (all.n - 1) * sizeof *names);
    all.names = names;
    return all;
}

static void print_all(const args *a, const tby_repertoire *r, tby_color side, const tby_repertoire_rows *rows,
                      size_t limit, bool is_gaps)
{
    const output o = output_begin(a);
    if (!o.is_json && !o.format) {
        out_printf("%s's lines: %zu positions\n", side == TBY_WHITE ? "White" : "Black", tby_repertoire_n_positions(r));
        if (!is_gaps)
            out_printf("%" PRIu64 " games, %" PRIu64 " of them to the end of a line\n", rows->n_games,
                       rows->n_followed);
    }
    print_rows(&o, r, rows, limit, !is_gaps);
}

/* False if there are no moves to print. */
static bool look(const args *a, source *lines, const sources *games, query *q, size_t limit, bool is_gaps)
{
    tby_repertoire_rows rows;
    tby_repertoire *r = read_lines(a, lines);
    const char *asked = args_value(a, OPT_SIDE);
    const tby_color side = !asked ? tby_repertoire_side(r) : *asked == 'w' ? TBY_WHITE : TBY_BLACK;
    tby_db *db = sources_db(games);
    database_work(db, "searching");
    q->search.progress = database_report;
    const tby_status status = is_gaps ? tby_db_repertoire_gaps(&rows, db, r, side, q->has_condition ? &q->search : NULL)
                                      : tby_db_repertoire_deviations(&rows, db, r, side, &q->search);
    database_done(db);
    if (interrupts_came())
        error_exit("repertoire: interrupted");
    if (status != TBY_OK)
        sources_failed(games);
    print_all(a, r, side, &rows, limit, is_gaps);
    const bool has_rows = rows.n > 0;
    tby_repertoire_rows_free(&rows);
    tby_repertoire_free(r);
    return has_rows;
}

static int run_action(const args *all_words, bool is_gaps)
{
    args a = *all_words;
    query q;
    const size_t limit = option_number(all_words, QUERY_LIMIT, ROWS_SHOWN, 1, UINT32_MAX);
    const source_use use = is_gaps ? SOURCE_POSITIONS : SOURCE_AGAIN;
    a.words++; /* the action */
    a.n_words--;
    sources all = sources_of(&a);
    sources_open(&all, SOURCE_ONCE, use);
    const sources games = {.args = &a, .names = all.names + 1, .of = all.of + 1, .n = all.n - 1};
    query_of_options(&q, &a, all.text, (tby_text){0}, NULL, source_db(games.of[0]));
    const bool is_found = look(&a, all.of[0], &games, &q, limit, is_gaps);
    if (!is_found && q.has_condition && !finds_games(&games, q.search))
        none_found(&games, all.text);
    query_free(&q);
    free(all.names);
    return sources_close(&all, is_found ? EXIT_YES : EXIT_NO);
}

static int gaps(const args *a) { return run_action(a, true); }
static int deviations(const args *a) { return run_action(a, false); }

static const action actions[] = {{"deviations", deviations, ~0ULL}, {"gaps", gaps, ~0ULL}};

static int repertoire_run(const args *a) { return action_of(a, actions, sizeof actions / sizeof *actions)->run(a); }

const command cmd_repertoire = {
    .name = "repertoire",
    .group = GROUP_LOOK,
    .words = "gaps|deviations SOURCE... LINES [QUERY]",
    .summary = "compare the lines you want to play with games",
    .description =
        "LINES, the last of the sources, are the lines a player wants to play: games with variations. gaps lists what "
        "opponents play most in the positions of the lines that the lines do not cover, among the games of the other "
        "sources. deviations lists where games left the lines, who left them, and what was planned. Positions count, "
        "not the order of moves: a move that leads to another position of the lines is covered. Conditions select the "
        "games that count.\n\n" QUERY_HELP,
    .exits = "0  moves were found\n1  there are none\n2  wrong usage, or something could not be read",
    .options = options,
    .n_shared = N_QUERY_OPTIONS,
    .examples = examples,
    .run = repertoire_run,
};
