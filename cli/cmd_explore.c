/*
 * cmd_explore.c - tabiya explore: the moves played in a position, and what came of them.
 *
 *     move     games  share   white draw black                            Elo  last played  reached
 *     e4         123  51.2%    38%  33%  29%  ############=========-----   2451  2021-05-30      123
 *
 * White's wins are drawn #, draws =, black's wins -, on a terminal that shows UTF-8 in blocks of three shades. Games
 * without a result are counted in a column of their own and are no part of the bar.
 */
#include "commands.h"
#include "explore.h"
#include "line.h"
#include "messages.h"
#include "query_options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_EXPLAIN = N_QUERY_OPTIONS, OPT_JSON };

static const option options[] = {
    QUERY_OPTIONS,
    [OPT_EXPLAIN] = OPTION_EXPLAIN,
    [OPT_JSON] = {"json", 0, NULL, NULL, "print an object of JSON"},
    {0},
};

static const example examples[] = {
    {"tabiya explore games.db", "The first moves."},
    {"tabiya explore games.db 1. e4 c5 2. Nf3", "After some moves."},
    {"tabiya explore games.db 'r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3'", "In a position."},
    {0},
};

enum { BAR_WIDTH = 24 };

/* ---- Parts of a row --------------------------------------------------------------------------------------------- */

static uint64_t known_results(const uint64_t results[4])
{
    return results[TBY_WHITE_WINS] + results[TBY_DRAW] + results[TBY_BLACK_WINS];
}

/* Rounded; the three parts of a bar are cut at rounded places, so that they fill it. */
static unsigned share_of(uint64_t count, uint64_t whole, unsigned scale)
{
    return whole ? (unsigned)((count * scale * 2 + whole) / (whole * 2)) : 0;
}

static void print_bar(const uint64_t results[4], bool has_unicode)
{
    static const char *const ascii[] = {"#", "=", "-"}, *const blocks[] = {"\u2588", "\u2592", "\u2591"};
    const uint64_t n = known_results(results);
    const unsigned white = share_of(results[TBY_WHITE_WINS], n, BAR_WIDTH);
    const unsigned drawn = share_of(results[TBY_WHITE_WINS] + results[TBY_DRAW], n, BAR_WIDTH);
    for (unsigned i = 0; i < BAR_WIDTH; i++)
        out_string(n == 0 ? " " : (has_unicode ? blocks : ascii)[i < white ? 0 : i < drawn ? 1 : 2]);
}

static void print_percent(uint64_t count, uint64_t whole)
{
    if (whole)
        out_printf(" %4u%%", share_of(count, whole, 100));
    else
        out_printf(" %5s", "-");
}

static void print_results(const uint64_t results[4], bool has_unicode)
{
    const uint64_t n = known_results(results);
    print_percent(results[TBY_WHITE_WINS], n);
    print_percent(results[TBY_DRAW], n);
    print_percent(results[TBY_BLACK_WINS], n);
    out_string("  ");
    print_bar(results, has_unicode);
    if (results[TBY_RESULT_NONE])
        out_printf(" %8" PRIu64, results[TBY_RESULT_NONE]);
    else
        out_printf(" %8s", "-");
}

/* ---- The table -------------------------------------------------------------------------------------------------- */

static void print_row(const tby_position *pos, const tby_db_move *m, uint64_t n_games, bool has_unicode)
{
    char san[TBY_SAN_SIZE], date[TBY_ROW_TEXT_SIZE];
    const unsigned share = share_of(m->games, n_games, 1000);
    tby_san_write(san, sizeof san, pos, m->move);
    out_printf("%-7s %9" PRIu64 " %3u.%u%%", san, m->games, share / 10, share % 10);
    print_results(m->results, has_unicode);
    if (m->n_elo)
        out_printf(" %5" PRIu64, (m->elo_sum + m->n_elo / 2) / m->n_elo);
    else
        out_printf(" %5s", "-");
    out_printf("  %-10s %9" PRIu64 "\n", m->last_date ? tby_row_date_text(date, m->last_date) : "-", m->node);
}

static void print_table(const tby_position *pos, const tby_db_moves *moves, size_t n_shown)
{
    const bool has_unicode = stdout_has_unicode();
    tby_opening opening;
    if (tby_opening_of(&opening, pos))
        out_printf("%s %s\n", opening.eco, opening.name);
    out_printf("%-7s %9s %6s %5s %5s %5s  %-*s %8s %5s  %-10s %9s\n", "move", "games", "share", "white", "draw",
               "black", BAR_WIDTH, "", "unknown", "Elo", "last", "reached");
    for (size_t i = 0; i < n_shown; i++)
        print_row(pos, &moves->moves[i], moves->games, has_unicode);
    if (n_shown < moves->n_moves)
        out_printf("... and %zu moves more\n", moves->n_moves - n_shown);
    if (moves->ended) {
        const unsigned share = share_of(moves->ended, moves->games, 1000);
        out_printf("%-7s %9" PRIu64 " %3u.%u%%\n", "(end)", moves->ended, share / 10, share % 10);
    }
    out_printf("%-7s %9" PRIu64 " %6s", "total", moves->games, "");
    print_results(moves->results, has_unicode);
    out_string("\n");
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

/* A FEN has slashes in its first word; moves have none there. */
static void read_position(tby_position *pos, const args *a)
{
    char *text = words_join(a, 1);
    const bool is_fen = memchr(text, '/', strcspn(text, " ")) != NULL;
    const fen_input fen = fen_text(text);
    tby_position_start(pos);
    if (is_fen && !position_read(pos, &fen, args_has(a, QUERY_CHESS960) ? TBY_FEN_CHESS960 : 0, TBY_FAULTS_UNREACHABLE))
        exit(EXIT_FAILED);
    problem p = {0};
    if (!is_fen && strcmp(text, "startpos") != 0)
        line_read(pos, NULL, "explore", text, &p);
    problem_exit(&p);
    free(text);
}

static void print_json(const tby_position *pos, const tby_db_moves *moves, size_t n_shown)
{
    buffer text = {0};
    explore_write_json(&text, pos, moves, n_shown);
    out_bytes(text.s, text.n);
    buffer_free(&text);
}

static int run(const args *a)
{
    static tby_db_moves moves; /* large */
    const char *limit = args_value(a, QUERY_LIMIT);
    size_t n_shown = limit ? number_read("explore: --limit", limit, 1, TBY_MOVES_MAX) : TBY_MOVES_MAX;
    tby_position pos;
    query q;
    tby_db *db = database_open(a, TBY_DB_READ);
    read_position(&pos, a);
    query_of_options(&q, a, a->n_words, db);
    if (args_has(a, OPT_EXPLAIN))
        return query_explain(&q, a, db);
    database_work(db, "exploring");
    if (tby_db_explore(db, &pos, &q.search, &moves) != TBY_OK)
        database_failed(a, db);
    database_done(db);
    query_free(&q);
    n_shown = n_shown < moves.n_moves ? n_shown : moves.n_moves;
    if (args_has(a, OPT_JSON))
        print_json(&pos, &moves, n_shown);
    else
        print_table(&pos, &moves, n_shown);
    tby_db_close(db);
    return moves.games ? EXIT_YES : EXIT_NO;
}

const command cmd_explore = {
    .name = "explore",
    .words = "DB [FEN|MOVES]",
    .summary = "the moves played in a position, and what came of them",
    .description =
        "Lists the moves that the games of the database DB play in a position, the most played first: how many games, "
        "their share, the results as percentages of the games whose result is known and as a bar, games whose result "
        "is not, the average rating of the players who made the move, when it was last played, and how many games "
        "reach the resulting position by any order of moves. A game counts once, by its first visit. Moves that no "
        "game plays here are listed last, with 0 games, if some game reaches where they lead. Then come the "
        "games that end here, and all games. The name of the opening, if the position has one, stands above.\n\n"
        "The position is a FEN, or the one after some moves, SAN or UCI; without either it is the start "
        "position. " SERVER_HELP,
    .exits = "0  some game reaches the position\n1  none does\n2  wrong use, or the database could not be read",
    .options = options,
    .examples = examples,
    .run = run,
};
