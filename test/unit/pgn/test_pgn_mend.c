/*
 * test_pgn_mend.c - PGN that programs and people write but no standard has: read with a warning.
 *
 * pgn_support.h says how events are shown. Texts that are close, but have a usual reading, must keep it.
 */
#include "pgn_support.h"

#define mends(s, expected) reads_with(TBY_PGN_SERIOUS, s, expected)
#define QUOTES "?quotes without backslashes inside the value of a tag "
#define BARE "?a game without tags begins after an empty line \"\" "
#define FORFEIT "?forfeit read as a result "
#define DAGGER "\xe2\x80\xa0"

/* ---- Tags ----------------------------------------------------------------------------------------------- */

TEST(test_pgn_mend__a_tag_with_quotes_in_its_value_was_refused)
{
    mends("[Event \"A \"B\" C\"]\n\n1. e4 *", "G [Event=A \"B\" C] " QUOTES "\"Event\" e2e4 =* #*");
    mends("[Event \"\"B\" C\"]\r\n*", "G [Event=\"B\" C] " QUOTES "\"Event\" =* #*");
    mends("[Event \"A \"B\"\" ] [Site \"C\"]\n*", "G [Event=A \"B\"] " QUOTES "\"Event\" [Site=C] =* #*");
    mends("[Event \"A \"]\" B\"] [Site \"C\"]\n*", "G [Event=A \"]\" B] " QUOTES "\"Event\" [Site=C] =* #*");
    mends("[Event \"A \"B\\\\\" C\"]", "G [Event=A \"B\\\" C] " QUOTES "\"Event\" #*");
    /* The bracket of the usual reading counts, and a value stays on its line. */
    mends("[Event \"A\"] [Site \"B\"]\n*", "G [Event=A] [Site=B] =* #*");
    mends("[Event \"A\"][Site \"B\"]*", "G [Event=A] [Site=B] =* #*");
    mends("[Event \"A \"B\n C\"]\n*", "G !invalid PGN \"[Event \"A \"B\": a tag's closing bracket was expected "
                                      "!invalid move text \"C\": a square was expected ~\" ~] =* #*");
}

TEST(test_pgn_mend__a_backslash_before_the_closing_quote_is_read_as_before)
{
    reads_with(TBY_PGN_WARNINGS, "[Event \"Ugra Cup \\\"]\n*",
               "G [Event=Ugra Cup \\] ?backslash before the closing quote \"Event\" =* #*");
}

/* ---- Games without tags --------------------------------------------------------------------------------- */

TEST(test_pgn_mend__games_without_tags_were_merged)
{
    mends("1. e4 e5\n\n1. d4 d5\n", "G e2e4 e7e5 #* G " BARE "d2d4 d7d5 #*");
    mends("1. e4 e5\r\n \t\r\n  1.d4\r\rd5", "G e2e4 e7e5 #* G " BARE "d2d4 d7d5 #*");
    mends("1. e4 e5\r\r1. Nf3 *", "G e2e4 e7e5 #* G " BARE "g1f3 =* #*");
    mends("[White \"A\"]\n\n1. e4 {x}\n\n1. d4 *", "G [White=A] e2e4 {x} #* G " BARE "d2d4 =* #*");
    mends("1. e4 e5 (1... c5)\n\n1. d4 *", "G e2e4 e7e5 ( c7c5 ) #* G " BARE "d2d4 =* #*");
}

TEST(test_pgn_mend__a_game_without_tags_after_a_bad_one_was_lost)
{
    mends("1. e5\n\n1. d4 *", "G !illegal move \"e5\": no pawn can go there #* G " BARE "d2d4 =* #*");
    mends("1. e4 Ke7\n\n1. d4 *", "G e2e4 !illegal move \"Ke7\": the king cannot go there #* G " BARE "d2d4 =* #*");
}

TEST(test_pgn_mend__an_empty_line_inside_a_game_does_not_end_it)
{
    mends("{c}\n\n1. e4 *", "G {c} e2e4 =* #*");
    mends("1. e4 {c}\n\n1... e5 *", "G e2e4 {c} e7e5 =* #*");
    mends("1. e4\n\n(1. d4) 1... e5 *", "G e2e4 ( d2d4 ) e7e5 =* #*");
    mends("1. e4 (1. d4\n\n1. c4) e5 *", "G e2e4 ( d2d4 !illegal move \"c4\": no pawn can go there ) e7e5 =* #*");
    mends("1. e4 {\n\n1. d4\n} e5 *", "G e2e4 {\n\n1. d4\n} e7e5 =* #*");
    mends("1. e4 e5\n1. Nf3 *", "G e2e4 e7e5 g1f3 =* #*");
    mends("1. e4 e5\n\n2. Nf3 *", "G e2e4 e7e5 g1f3 =* #*");
    mends("1. e4 e5\n\n11. Nf3 *", "G e2e4 e7e5 g1f3 =* #*");
    mends("1. e4\n\n1. e5 2. Nf3 *", "G e2e4 e7e5 g1f3 =* #*"); /* not a first move of White */
    mends("[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. Rh2 *", "G [FEN=4k3/8/8/8/8/8/8/4K2R w K - 0 1] h1h2 =* #*");
}

/* Runs of moves, with tby_pgn_moves, and single events give the same games. */
static size_t games_of(const char *s, size_t n, bool in_runs, size_t *n_moves)
{
    tby_pgn *pgn = tby_pgn_new_memory(s, n, &(tby_pgn_options){.flags = TBY_PGN_SKIP_COMMENTS}, NULL);
    tby_pgn_event event = {0};
    tby_pgn_type type;
    tby_move moves[64];
    size_t n_games = 0;
    *n_moves = 0;
    assert_non_null(pgn);
    while ((type = tby_pgn_next(pgn, &event)) != TBY_PGN_END) {
        assert_int_not_equal(type, TBY_PGN_ERROR);
        n_games += type == TBY_PGN_GAME;
        *n_moves += type == TBY_PGN_MOVE;
        if (in_runs)
            *n_moves += tby_pgn_moves(pgn, moves, 64);
    }
    tby_pgn_free(pgn);
    return n_games;
}

/* Wherever the empty line is in the reader's window, and with every kind of line end. */
TEST(test_pgn_mend__runs_of_moves_end_at_a_game_without_tags)
{
    static const char *const separators[] = {"\n\n", "\r\n\r\n", "\r\r", "\n  \n  ", " \n\n\n\n"};
    enum { LINE = 1 << 17 };
    for (size_t i = 0; i < sizeof separators / sizeof *separators; i++)
        for (size_t pad = 0; pad < 60; pad++) {
            text t = {NULL, 0, 0};
            size_t single, runs;
            text_format(&t, "1. e4 {");
            while (t.n < LINE - 80 + pad)
                text_append(&t, ".", 1);
            text_format(&t, "} e5 2. Nf3 Nc6 3. Bb5 a6%s1. d4 d5 2. c4 e6%s1.c4%s", separators[i], separators[i],
                        separators[i]);
            assert_int_equal(games_of(t.s, t.n, false, &single), 3);
            assert_int_equal(games_of(t.s, t.n, true, &runs), 3);
            assert_int_equal(single, 11);
            assert_int_equal(runs, 11);
            free(t.s);
        }
}

/* ---- Results -------------------------------------------------------------------------------------------- */

TEST(test_pgn_mend__forfeits_are_results)
{
    mends("[Result \"+--\"]\n\n+--\n", "G [Result=+--] " FORFEIT "\"+--\" =1-0 " FORFEIT "\"+--\" #1-0");
    mends("[Result \"--+\"]\n\n*\n", "G [Result=--+] " FORFEIT "\"--+\" =* #0-1");
    mends("1. e4 --+\n\n[White \"A\"]\n\n-:-",
          "G e2e4 =0-1 " FORFEIT "\"--+\" #0-1 G [White=A] =* " FORFEIT "\"-:-\" #*");
    mends("1. e4 e5 +:-", "G e2e4 e7e5 =1-0 " FORFEIT "\"+:-\" #1-0");
    /* Null moves and evaluations keep their meaning. */
    mends("1. -- e5 *", "G -- ?null move in the main line \"--\" e7e5 =* #*");
    mends("1. e4 +- e5 -+ *", "G e2e4 $18 e7e5 $19 =* #*");
    mends("1. e4 (1. d4 --+) *", "G e2e4 ( d2d4 !invalid move text \"--+\": a square was expected ) =* #*");
}

TEST(test_pgn_mend__the_text_of_a_forfeit_is_kept)
{
    tby_game *game = game_of("[Result \"+--\"]\n\n1. e4 +--\n");
    assert_string_equal(tby_game_tag(game, "Result"), "+--");
    assert_int_equal(tby_game_result(game), TBY_WHITE_WINS);
    tby_game_free(game);
}

TEST(test_pgn_mend__a_result_glued_to_a_move)
{
    mends("1. f3 e5 2. g4 Qh4#0-1", "G f2f3 e7e5 g2g4 d8h4 ?no blank between move and result \"Qh4#0-1\" =0-1 #0-1");
    mends("1. e41/2-1/2", "G e2e4 ?no blank between move and result \"e41/2-1/2\" =1/2-1/2 #1/2-1/2");
    mends("1. Nf31-0", "G g1f3 ?no blank between move and result \"Nf31-0\" =1-0 #1-0");
    mends("1. Nf51-0", "G !invalid move text \"Nf51-0\": the move has ended here #*");
}

/* ---- What is ignored ------------------------------------------------------------------------------------ */

TEST(test_pgn_mend__stray_signs_are_ignored)
{
    mends("1. e4, e5 } 2. Nf3 }}, *", "G e2e4 ?ignored \",\" e7e5 ?ignored \"}\" g1f3 ?ignored \"}},\" =* #*");
    mends("1. e4 f5 2. Qh5 + g6 *", "G e2e4 f7f5 d1h5 ?ignored \"+\" g7g6 =* #*");
    mends("1. e4 f5 2. Qh5 " DAGGER " g6 *", "G e2e4 f7f5 d1h5 ?ignored \"" DAGGER "\" g7g6 =* #*");
    mends("1. + e4 *", "G !invalid move text \"+\": a square was expected ~e4 =* #*");
}

TEST(test_pgn_mend__e_p_in_brackets)
{
    mends("1. e4 a6 2. e5 d5 3. exd6(e.p.) *", "G e2e4 a7a6 e4e5 d7d5 e5d6 ?ignored \"(e.p.)\" =* #*");
    mends("1. e4 a6 2. e5 d5 3. exd6 (ep) *", "G e2e4 a7a6 e4e5 d7d5 e5d6 ?ignored \"(ep)\" =* #*");
    mends("1. e4 (e4) *", "G e2e4 ( e2e4 ) =* #*");
}

TEST(test_pgn_mend__games_between_pgn_marks)
{
    mends("[pgn]\n[White \"A\"]\n\n1. e4 1-0 [/pgn]\n\n[PGN]1. d4[/PGN]",
          "?ignored \"[pgn]\" G [White=A] e2e4 =1-0 #1-0 ?ignored \"[/pgn]\" ?ignored \"[PGN]\" G d2d4 #* ?ignored "
          "\"[/PGN]\"");
    mends(
        "[pgn][White \"A\"][/pgn][pgn][White \"B\"][/pgn]",
        "?ignored \"[pgn]\" G [White=A] #* ?ignored \"[/pgn]\" ?ignored \"[pgn]\" G [White=B] #* ?ignored \"[/pgn]\"");
}

/* ---- Encodings ------------------------------------------------------------------------------------------ */

/* The last byte of a dagger is a blank of Windows-1252. */
TEST(test_pgn_mend__a_dagger_was_called_not_utf_8)
{
    reads_with(TBY_PGN_WARNINGS, "1. e4 f5 2. Qh5" DAGGER " g6 *",
               "G e2e4 f7f5 d1h5 ?not the export form of the move \"Qh5" DAGGER "\" g7g6 =* #*");
}

int main(void) { return tests_run(NULL, NULL); }
