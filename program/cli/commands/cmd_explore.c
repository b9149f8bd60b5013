/*
 * cmd_explore.c - tabiya explore: the moves played in a position, or where a query first held, and their results.
 *
 *     move     games  share   white draw black                            Elo  last played  reached
 *     e4         123  51.2%    38%  33%  29%  ############=========-----   2451  2021-05-30      123
 *
 * White's wins are drawn as #, draws as =, Black's wins as -; on a terminal that shows UTF-8, as blocks in three
 * shades. Games without a result are not part of the bar; they have a separate column or, on a narrow terminal, are
 * counted only in the last line.
 */
#include "commands.h"
#include "console.h"
#include "explore.h"
#include "near.h"
#include "position.h"
#include "query_options.h"

#include <inttypes.h>
#include <stdlib.h>

enum { OPT_EXPLAIN = N_OUTPUT_OPTIONS, OPT_MATCH, OPT_TRANSPOSITIONS };

static const option options[] = {
    QUERY_COLORS,
    QUERY_CONDITIONS,
    QUERY_LINES("list at most N moves"),
    OUTPUT_OPTIONS("one object"),
    [OPT_EXPLAIN] = {OPTION_EXPLAIN},
    [OPT_MATCH] = {"match", 0, "QUERY", NULL,
                   "list the moves played where QUERY first holds in each game, whatever the position"},
    [OPT_TRANSPOSITIONS] =
        {"transpositions", 0, NULL, NULL,
         "also list moves that no game played here but that lead to a position reached by another move order"},
    {0},
};

static const example examples[] = {
    {"tabiya explore games.db", "Shows the first moves."},
    {"tabiya explore games.db 1. e4 c5 2. Nf3", "Shows what is played after these moves."},
    {"tabiya explore mine.pgn club.db 1. d4", "Counts the games of a file and a database together."},
    {"tabiya explore games.db '8/8/4k3/8/4P3/4K3/8/8 w - - 0 1'", "Shows what is played in a position."},
    {"tabiya explore games.db 'player carlsen date 2019..'", "Shows a player's recent opening moves."},
    {"tabiya explore games.db 1. e4 --to html -o e4.html", "Writes a web page with the moves."},
    {"tabiya explore games.db --match iqp --elo 2400..",
     "Shows how strong players continue with an isolated queen's pawn."},
    {0},
};

/* How the table is drawn. On a narrow terminal there is no column for unknown results, and the bar is short. */
typedef struct look {
    bool has_unicode, has_unknown;
    unsigned bar_width;
} look;

static look look_of_output(void)
{
    enum { WIDE = 105 };
    const unsigned n_columns = out_columns();
    const bool is_wide = n_columns == 0 || n_columns >= WIDE;
    return (look){stdout_has_unicode(), is_wide, is_wide ? 24 : 8};
}

/* ---- Parts of a row --------------------------------------------------------------------------------------------- */

static uint64_t known_results(const uint64_t results[4])
{
    return results[TBY_WHITE_WINS] + results[TBY_DRAW] + results[TBY_BLACK_WINS];
}

/* Rounded; the three parts of a bar end at rounded positions, so that they fill it exactly. */
static unsigned share_of(uint64_t count, uint64_t whole, unsigned scale)
{
    return whole ? (unsigned)((count * scale * 2 + whole) / (whole * 2)) : 0;
}

static void print_bar(const uint64_t results[4], const look *l)
{
    static const char *const ascii[] = {"#", "=", "-"}, *const blocks[] = {"\u2588", "\u2592", "\u2591"};
    const uint64_t n = known_results(results);
    const unsigned white = share_of(results[TBY_WHITE_WINS], n, l->bar_width);
    const unsigned drawn = share_of(results[TBY_WHITE_WINS] + results[TBY_DRAW], n, l->bar_width);
    for (unsigned i = 0; i < l->bar_width; i++)
        out_string(n == 0 ? " " : (l->has_unicode ? blocks : ascii)[i < white ? 0 : i < drawn ? 1 : 2]);
}

static void print_results(const uint64_t results[4], const look *l)
{
    static const tby_result order[] = {TBY_WHITE_WINS, TBY_DRAW, TBY_BLACK_WINS};
    const uint64_t n = known_results(results);
    for (size_t i = 0; i < 3; i++)
        if (n)
            out_printf(" %4u%%", share_of(results[order[i]], n, 100));
        else
            out_printf(" %5s", "-");
    out_string("  ");
    print_bar(results, l);
    if (!l->has_unknown)
        return;
    if (results[TBY_RESULT_NONE])
        out_printf(" %8" PRIu64, results[TBY_RESULT_NONE]);
    else
        out_printf(" %8s", "-");
}

/* ---- The table -------------------------------------------------------------------------------------------------- */

static void print_count(const char *name, uint64_t games, uint64_t n_games)
{
    const unsigned share = share_of(games, n_games, 1000);
    out_printf("%-9s %7" PRIu64 " %3u.%u%%", name, games, share / 10, share % 10);
}

static void print_header(const look *l, const char *last)
{
    out_string(color_code(COLOR_BOLD));
    out_printf("%-9s %7s %6s %5s %5s %5s  %-*s", "move", "games", "share", "white", "draw", "black", (int)l->bar_width,
               "");
    if (l->has_unknown)
        out_printf(" %8s", "unknown");
    out_printf(" %5s  %s%s\n", "Elo", last, color_code(COLOR_END));
}

/* A position also has the number of games that reach the next one; of a query, Black's moves begin with dots. */
static void print_move(const explored *e, const tby_db_move *m, const look *l)
{
    char name[TBY_SAN_SIZE + 3], date[TBY_ROW_TEXT_SIZE];
    const char *last = m->last_date ? tby_row_date_text(date, m->last_date) : "-";
    snprintf(name, sizeof name, "%s%s", e->pos || m->side == TBY_WHITE ? "" : "...", m->san);
    print_count(name, m->games, e->games);
    print_results(m->results, l);
    if (m->n_elo)
        out_printf(" %5" PRIu64 "  ", (m->elo_sum + m->n_elo / 2) / m->n_elo);
    else
        out_printf(" %5s  ", "-");
    if (e->pos)
        out_printf("%-10s %9" PRIu64 "\n", last, m->reached);
    else
        out_printf("%s\n", last);
}

/* After the moves: how many are not shown, the games that end here, and the total. */
static void print_table(explored *e, size_t n_moves, size_t n_shown)
{
    const look l = look_of_output();
    tby_opening opening;
    if (e->pos && tby_opening_of(&opening, e->pos))
        out_printf("%s %s\n", opening.eco, opening.name);
    print_header(&l, e->pos ? "last         reached" : "last");
    explored_name(e, n_shown);
    for (size_t i = 0; i < n_shown; i++)
        print_move(e, &e->moves[i], &l);
    if (n_moves > n_shown)
        out_printf("... and %zu more %s\n", n_moves - n_shown, plural(n_moves - n_shown, "move", "moves"));
    if (e->ended) {
        print_count("(end)", e->ended, e->games);
        out_string("\n");
    }
    out_printf("%-9s %7" PRIu64 " %6s", "total", e->games, "");
    print_results(e->results, &l);
    if (!l.has_unknown && e->results[TBY_RESULT_NONE])
        out_printf(" %5s  %" PRIu64 " unknown", "", e->results[TBY_RESULT_NONE]);
    out_string("\n");
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

static words_kind read_words(tby_position *pos, const args *a, const char *text)
{
    const words_kind kind = words_kind_of(a, text);
    problem p = {0};
    tby_position_start(pos);
    if (kind == WORDS_FEN) {
        const fen_input fen = fen_text(text);
        if (!position_read(pos, &fen, args_has(a, QUERY_CHESS960) ? TBY_FEN_CHESS960 : 0, TBY_FAULTS_UNREACHABLE))
            exit(EXIT_FAILED);
    }
    if (kind == WORDS_MOVES)
        line_read(pos, NULL, "explore", text, &p);
    problem_exit(&p);
    return kind;
}

static int explore_all(const args *a, const sources *all, const tby_position *pos, const query *q, size_t n_shown)
{
    explored e = {.pos = pos};
    const output o = output_begin(a);
    buffer text = {0};
    tby_db *db = sources_db(all);
    database_work(db, "exploring");
    const tby_status status = explored_read(&e, db, &q->search);
    memory_need(status != TBY_NO_MEMORY);
    if (status != TBY_OK)
        sources_failed(all);
    database_done(db);
    const size_t n_moves = e.n_moves + (args_has(a, OPT_TRANSPOSITIONS) ? e.n_unplayed : 0);
    n_shown = n_shown < n_moves ? n_shown : n_moves;
    if (o.is_json)
        explored_write_json(&text, &e, args_value(a, OPT_MATCH), n_shown);
    else if (o.format)
        output_whole(&o, explored_table(&e, n_shown));
    else
        print_table(&e, n_moves, n_shown);
    out_buffer(&text);
    free(e.moves);
    return e.games ? EXIT_YES : EXIT_NO;
}

static int explore_run(const args *a)
{
    const char *match = args_value(a, OPT_MATCH);
    const size_t n_shown = option_number(a, QUERY_LIMIT, TBY_MOVES_MAX, 1, TBY_MOVES_MAX);
    int answer = EXIT_YES;
    tby_position pos;
    query q;
    sources all = sources_of_words(a, 0);
    if (args_count(a, OPT_MATCH) > 1) /* they would refer to two different places in a game */
        error_exit("explore: --match is given twice");
    sources_open(&all, SOURCE_AGAIN, SOURCE_AGAIN);
    const char *asked = text_behind_moves(all.text);
    const words_kind kind = read_words(&pos, a, all.text);
    if (match && (kind == WORDS_FEN || kind == WORDS_MOVES))
        error_exit("explore: --match cannot be used with a position; --fen and --opening select games");
    asked = kind == WORDS_QUERY ? all.text : asked;
    query_of_options(&q, a, asked, (tby_text){0}, match, source_db(all.of[0]));
    if (match)
        q.search.progress = database_report;
    if (args_has(a, OPT_EXPLAIN))
        query_explain_all(&q, &all, match ? NULL : &pos);
    else
        answer = explore_all(a, &all, match ? NULL : &pos, &q, n_shown);
    if (answer == EXIT_NO)
        none_found(&all, asked);
    query_free(&q);
    return sources_close(&all, answer);
}

const command cmd_explore = {
    .name = "explore",
    .group = GROUP_LOOK,
    .words = "SOURCE... [FEN|MOVES] [QUERY]",
    .summary = "list moves played in a position, with results",
    .description =
        "Lists the moves played in a position, most frequent first, with their results.\n\nThe position is a FEN, or "
        "the one after some moves in SAN or UCI (default: the start position). Conditions, --query, or a QUERY behind "
        "the position or in its place select the games that count; each counts once, at its first visit.\n\nThe "
        "columns are the number of games, their share, results as percentages of the games with a known result and as "
        "a bar, games without a known result, average rating of the players who made the move, when it was last "
        "played, and how many games reach the resulting position by any move order. The last lines count the games "
        "that end here and all games. A null move is shown as --. --to json has all of this; the table formats have "
        "one row per move, with numbers of games.\n\n--match lists the moves played where a query first held in each "
        "game, whatever the position: Nd7 is any knight move to d7, and Black's moves are preceded by dots. A query "
        "about the game alone holds at the start.\n\n" QUERY_HELP,
    .exits = "0  a game reaches the position, or --match found one\n1  no game does\n2  wrong usage, or the database "
             "could not be read",
    .options = options,
    .n_shared = N_QUERY_OPTIONS,
    .examples = examples,
    .run = explore_run,
};
