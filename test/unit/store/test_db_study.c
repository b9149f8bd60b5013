/*
 * test_db_study.c - reports on players, first new moves, and repertoires, on a file and on a union of two.
 */
#include "db_support.h"

static const char *const games[] = {
    "[White \"Ada\"]\n[Black \"Bob\"]\n[Date \"2001.01.01\"]\n[BlackElo \"2000\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 "
    "1-0\n",
    "[White \"Ada\"]\n[Black \"Cay\"]\n[Date \"2002.01.01\"]\n[BlackElo \"2200\"]\n[Result \"0-1\"]\n\n1. e4 c5 2. Nf3 "
    "0-1\n",
    "[White \"Bob\"]\n[Black \"Ada\"]\n[Date \"2003.01.01\"]\n[Result \"1/2-1/2\"]\n\n1. Nf3 e5 2. e4 1/2-1/2\n",
    "[White \"Cay\"]\n[Black \"Bob\"]\n[Date \"2004.01.01\"]\n[Result \"*\"]\n\n1. e4 e5 2. f4 exf4 *\n",
};
enum { N_STORED = sizeof games / sizeof *games };

static tby_game *read_game(const char *pgn)
{
    tby_game *game = new_game();
    tby_pgn *reader = tby_pgn_new_memory(pgn, strlen(pgn), NULL, NULL);
    assert_int_equal(tby_game_read_pgn(game, reader, NULL, NULL), TBY_GAME_GOOD);
    tby_pgn_free(reader);
    return game;
}

static tby_db *store(const char *name, size_t first, size_t end)
{
    tby_db *db = db_fresh(name);
    tby_game *list[N_STORED];
    for (size_t i = first; i < end; i++)
        list[i - first] = read_game(games[i]);
    db_add(db, list, end - first, TBY_DUPLICATES_KEEP);
    for (size_t i = first; i < end; i++)
        tby_game_free(list[i - first]);
    db_must(db, tby_db_index(db, TBY_INDEX_ALL, NULL, NULL));
    return db;
}

/* Runs a check on a file, and on the same games in two. */
static void on_both(void (*check)(tby_db *db))
{
    static const char *const names[] = {"study-a", "study-b"};
    tby_failure failure;
    tby_db *joined, *whole = store("study", 0, N_STORED);
    check(whole);
    db_finish(whole, "study");
    tby_db *members[] = {store(names[0], 0, 2), store(names[1], 2, N_STORED)};
    assert_int_equal(tby_db_join(&joined, members, names, 2, &failure), TBY_OK);
    check(joined);
    tby_db_close(joined);
    db_remove(db_path(names[0]));
    db_remove(db_path(names[1]));
}

/* ---- Reports ---------------------------------------------------------------------------------------------------- */

static void count_color(tby_report *report, tby_db *db, const char *query, tby_color color)
{
    tby_query *q = db_query(query);
    db_must(db, tby_db_report(report, db, &(tby_db_search){.query = q}, color));
    tby_query_free(q);
}

static void check_report(tby_db *db)
{
    tby_report *report = tby_report_new();
    tby_score s;
    assert_non_null(report);
    count_color(report, db, "white Ada", TBY_WHITE);
    count_color(report, db, "black Ada", TBY_BLACK);
    s = tby_report_total(report);
    assert_int_equal(s.games, 3);
    assert_int_equal(s.won, 1);
    assert_int_equal(s.drawn, 1);
    assert_int_equal(s.lost, 1);
    assert_int_equal(s.tenths, 500);
    assert_int_equal(s.elo, 2100);
    assert_int_equal(s.performance, 2100);
    assert_int_equal(tby_report_n_lines(report, TBY_REPORT_COLORS), 2);
    assert_string_equal(tby_report_line(&s, report, TBY_REPORT_COLORS, 0), "white");
    assert_int_equal(s.games, 2);
    assert_string_equal(tby_report_line(&s, report, TBY_REPORT_OPPONENTS, 0), "Bob");
    assert_int_equal(s.games, 2);
    assert_string_equal(tby_report_line(&s, report, TBY_REPORT_YEARS, 2), "2003");
    assert_int_equal(s.tenths, 500);
    assert_int_equal(s.elo, 0);
    assert_string_equal(tby_report_line(&s, report, TBY_REPORT_OPENINGS, 2), "Sicilian Defense (white)");
    assert_string_equal(tby_report_line(&s, report, TBY_REPORT_RATINGS, 1), "2200-2399");
    assert_null(tby_report_line(&s, report, TBY_REPORT_NAMES, 1));
    tby_report_free(report);
}

TEST(test_db_study__a_report_counts_from_the_players_side) { on_both(check_report); }

TEST(test_db_study__a_report_without_results_has_no_score)
{
    tby_report *report = tby_report_new();
    assert_int_equal(tby_report_total(report).tenths, -1);
    assert_int_equal(tby_report_add(report, &(tby_row){.result = TBY_RESULT_NONE}, TBY_WHITE), TBY_OK);
    assert_int_equal(tby_report_total(report).games, 1);
    assert_int_equal(tby_report_total(report).tenths, -1);
    tby_report_free(report);
}

/* ---- New moves -------------------------------------------------------------------------------------------------- */

static void examine(tby_novelty *out, tby_db *db, const char *pgn, bool is_line)
{
    tby_game *game = read_game(pgn);
    db_must(db, tby_db_novelty(out, db, game, &(tby_novelty_options){.is_line = is_line}));
    tby_game_free(game);
}

static void check_novelty(tby_db *db)
{
    tby_novelty n;
    char san[TBY_SAN_SIZE];
    examine(&n, db, "1. e4 e5 2. Nf3 *", true);
    assert_int_equal(n.move, TBY_MOVE_NONE);
    assert_int_equal(n.ply, 3);
    examine(&n, db, "1. Nf3 e5 2. e4 Nc6 *", true);
    assert_int_equal(n.ply, 4);
    assert_int_equal(n.played.games, 2);
    tby_san_write(san, sizeof san, &n.before, n.move);
    assert_string_equal(san, "Nc6");
    examine(&n, db, "1. e4 e5 2. f4 exf4 *", true);
    assert_int_equal(n.move, TBY_MOVE_NONE);
    assert_int_equal(n.ply, 4);
    assert_int_equal(n.played.games, 1);
    examine(&n, db, games[3], false); /* the game itself does not count */
    assert_int_equal(n.ply, 3);
    assert_int_equal(n.played.games, 1);
    assert_int_equal(n.played.n_moves, 1);
    assert_int_equal(n.played.moves[0].last_date, 20010101);
}

TEST(test_db_study__a_new_move_is_new_by_any_order_of_moves) { on_both(check_novelty); }

TEST(test_db_study__games_with_later_dates_do_not_count)
{
    tby_db *db = store("study-dates", 0, N_STORED);
    tby_novelty n;
    examine(&n, db, "[Date \"2001.??.??\"]\n\n1. e4 c5 *", true);
    assert_int_equal(n.ply, 2);
    assert_int_equal(n.played.games, 1);
    examine(&n, db, "[Date \"2002.01\"]\n\n1. e4 c5 *", true);
    assert_int_equal(n.move, TBY_MOVE_NONE);
    db_finish(db, "study-dates");
}

/* ---- Repertoires ------------------------------------------------------------------------------------------------ */

static void check_repertoire(tby_db *db)
{
    tby_repertoire *lines = tby_repertoire_new();
    tby_game *game = read_game("1. e4 e5 2. Nf3 *");
    tby_repertoire_rows rows;
    tby_position start;
    tby_move moves[3];
    assert_int_equal(tby_repertoire_add(lines, game, TBY_PLIES_MAX), TBY_OK);
    assert_int_equal(tby_repertoire_n_positions(lines), 4);
    assert_int_equal(tby_repertoire_path(lines, 3, &start, moves), 3);
    assert_int_equal(moves[2], tby_repertoire_planned(lines, 2, 0));
    db_must(db, tby_db_repertoire_gaps(&rows, db, lines, TBY_WHITE, NULL));
    assert_int_equal(rows.n, 1); /* 1... c5 */
    assert_int_equal(rows.rows[0].position, 1);
    assert_int_equal(rows.rows[0].of, 3);
    tby_repertoire_rows_free(&rows);
    db_must(db, tby_db_repertoire_deviations(&rows, db, lines, TBY_WHITE, &(tby_db_search){.query = NULL}));
    assert_int_equal(rows.n_games, 4);
    assert_int_equal(rows.n_followed, 2); /* one of them by another order of moves */
    assert_int_equal(rows.n, 2);
    tby_repertoire_rows_free(&rows);
    tby_game_free(game);
    tby_repertoire_free(lines);
}

TEST(test_db_study__gaps_and_deviations_are_found) { on_both(check_repertoire); }

int main(void) { return tests_run(NULL, NULL); }
