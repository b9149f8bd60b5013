/*
 * test_pgn_tags.c - PGN tags as events, encodings, start positions, and where one game ends and the next begins.
 */
#include "pgn_support.h"

/* ---- Tags ----------------------------------------------------------------------------------------------- */

TEST(test_pgn_tags__several_on_a_line)
{
    reads("[Event \"a\"] [Site \"b\"][Round \"c\"]\t[ White\t\"d\" ]\n*",
          "G [Event=a] [Site=b] [Round=c] [White=d] =* #*");
    reads("[Event \"a\"] 1. e4 *", "G [Event=a] e2e4 =* #*");
    reads("[Event\n\"a\"\n]*", "G [Event=a] =* #*");
}

TEST(test_pgn_tags__values_are_unescaped)
{
    reads("[Event \"The \\\"Closed\\\" one\"]*", "G [Event=The \"Closed\" one] =* #*");
    reads("[Event \"a\\\\b\"]*", "G [Event=a\\b] =* #*");
    reads("[Event \"a\\b\"]*", "G [Event=a\\b] =* #*");
    reads("[Event \"\\\\\"]*", "G [Event=\\] =* #*");
    reads("[Event \"a]b\"][Site \"\"]*", "G [Event=a]b] [Site=] =* #*");
}

TEST(test_pgn_tags__names)
{
    reads("[A1_+#=:- \"x\"]*", "G [A1_+#=:-=x] =* #*");
    reads("[_a \"x\"]\n*", "G !invalid PGN \"[_a \"x\"]\": a tag's name was expected =* #*");
    reads("[a.b \"x\"]\n*", "G !invalid PGN \"[a.b \"x\"]\": a tag's value in quotes was expected =* #*");
}

TEST(test_pgn_tags__a_bad_tag_is_an_error_and_the_section_continues)
{
    reads("[Event \"a\"]\n[oops]\n[Site \"b\"]\n1. e4 *",
          "G [Event=a] !invalid PGN \"[oops]\": a tag's value in quotes was expected [Site=b] e2e4 =* #*");
    reads("[Event \"a]\n[Site \"b\"]\n*",
          "G !invalid PGN \"[Event \"a]\": the tag's value has no closing quote [Site=b] =* #*");
    reads("[Event \"a\"\n[Site \"b\"]\n*",
          "G !invalid PGN \"[Event \"a\"\": a tag's closing bracket was expected [Site=b] =* #*");
    reads("[\n[Site \"b\"]\n*", "G !invalid PGN \"[\": a tag's name was expected [Site=b] =* #*");
    reads("[Event\n[Site \"b\"]\n*", "G !invalid PGN \"[Event\": a tag's value in quotes was expected [Site=b] =* #*");
    reads("[Event \"", "G !invalid PGN \"[Event \"\": the tag's value has no closing quote #*");
    reads("[", "G !invalid PGN \"[\": a tag's name was expected #*");
}

TEST(test_pgn_tags__comments_may_appear_among_them)
{
    reads("; lead\n[Event \"a\"] {x}\n[Site \"b\"]\n\n1. e4 *", "G { lead} [Event=a] {x} [Site=b] e2e4 =* #*");
}

/* ---- Encodings ------------------------------------------------------------------------------------------ */

TEST(test_pgn_tags__a_byte_order_mark_is_blank)
{
    reads("\xef\xbb\xbf[Event \"a\"]\n1. e4 *", "G [Event=a] e2e4 =* #*");
    reads("\xef\xbb\xbf"
          "1. e4 *",
          "G e2e4 =* #*");
}

TEST(test_pgn_tags__text_is_utf8_or_windows_1252)
{
    reads("[White \"Andr\xc3\xa9\"] {\xe2\x82\xac} *", "G [White=Andr\xc3\xa9] {\xe2\x82\xac} =* #*");
    reads("[White \"Andr\xe9\"] {\x80} *", "G [White=Andr\xc3\xa9] {\xe2\x82\xac} =* #*");
    reads("[White \"\xe9\\\"\xe9\"]*", "G [White=\xc3\xa9\"\xc3\xa9] =* #*");
    reads_with(TBY_PGN_WARNINGS, "[White \"\xe9\"]*", "G [White=\xc3\xa9] ?not UTF-8, read as Windows-1252 \"\" =* #*");
    /* Looks like UTF-8 but is not: overlong, a surrogate, truncated. */
    reads("{\xc0\xaf} {\xed\xa0\x80} {\xc3} *", "G {\xc3\x80\xc2\xaf} {\xc3\xad\xc2\xa0\xe2\x82\xac} {\xc3\x83} =* #*");
}

TEST(test_pgn_tags__moves_may_be_windows_1252_too)
{
    reads("1.\xa0"
          "e4 1\x85"
          "e5 \xb1 *",
          "G e2e4 e7e5 $16 =* #*");
    reads("1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O\x96O *", "G g1f3 g8f6 g2g3 g7g6 f1g2 f8g7 e1g1 =* #*");
    reads("1. e4 \xe9 *", "G e2e4 !invalid move text \"\xe9\": a square was expected =* #*");
}

TEST(test_pgn_tags__unicode_blanks)
{
    reads("1.\xe2\x80\x89"
          "e4\xc2\xa0"
          "e5\xe2\x80\x8b"
          "2.\xe2\x80\xaf"
          "d4 *",
          "G e2e4 e7e5 d2d4 =* #*");
}

TEST(test_pgn_tags__all_kinds_of_line_ends)
{
    reads("[Event \"a\"]\r\n[Site \"b\"]\r\n\r\n1. e4\r\ne5 1-0\r\n\r\n[Event \"c\"]\r\n\r\n*\r\n",
          "G [Event=a] [Site=b] e2e4 e7e5 =1-0 #1-0 G [Event=c] =* #*");
    reads("[Event \"a\"]\r[Site \"b\"]\r\r1. e4\re5 1-0\r\r[Event \"c\"]\r\r*\r",
          "G [Event=a] [Site=b] e2e4 e7e5 =1-0 #1-0 G [Event=c] =* #*");
}

TEST(test_pgn_tags__nul_bytes_in_text_are_kept)
{
    const char pgn_text[] = "[Event \"a\0b\"] {c\0d} *";
    tby_pgn *pgn = tby_pgn_new_memory(pgn_text, sizeof pgn_text - 1, NULL, NULL);
    tby_pgn_event event;
    assert_int_equal(tby_pgn_next(pgn, &event), TBY_PGN_GAME);
    assert_int_equal(tby_pgn_next(pgn, &event), TBY_PGN_TAG);
    assert_int_equal(event.n_text, 3);
    assert_memory_equal(event.text, "a\0b", 3);
    assert_int_equal(tby_pgn_next(pgn, &event), TBY_PGN_COMMENT);
    assert_int_equal(event.n_text, 3);
    assert_memory_equal(event.text, "c\0d", 3);
    tby_pgn_free(pgn);
}

/* ---- Start positions ------------------------------------------------------------------------------------ */

TEST(test_pgn_tags__the_fen_tag_is_the_start_position)
{
    reads("[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n[SetUp \"1\"]\n1. O-O *",
          "G [FEN=4k3/8/8/8/8/8/8/4K2R w K - 0 1] [SetUp=1] e1g1 =* #*");
    reads("[fen \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n1. O-O *", "G [fen=4k3/8/8/8/8/8/8/4K2R w K - 0 1] e1g1 =* #*");
    reads("[FEN \"\"]\n1. e4 *", "G [FEN=] e2e4 =* #*");
}

TEST(test_pgn_tags__a_fen_that_cannot_be_played_from_is_an_error)
{
    reads("[FEN \"4k3/8/8/8/8/8/8/8 w - - 0 1\"]\n1. e4 *",
          "G [FEN=4k3/8/8/8/8/8/8/8 w - - 0 1] !illegal position \"4k3/8/8/8/8/8/8/8 w - - 0 1\": "
          "white has no king ~e4 =* #*");
    /* Also in a game with only tags. */
    reads(
        "[FEN \"4k3/8/8/8/8/8/8/8 w - - 0 1\"]\n",
        "G [FEN=4k3/8/8/8/8/8/8/8 w - - 0 1] !illegal position \"4k3/8/8/8/8/8/8/8 w - - 0 1\": white has no king #*");
}

TEST(test_pgn_tags__a_fen_tag_counts_in_a_game_with_only_tags)
{
    static const char pgn_text[] = "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n";
    char fen[TBY_FEN_SIZE];
    tby_pgn *pgn = tby_pgn_new_memory(pgn_text, sizeof pgn_text - 1, NULL, NULL);
    tby_pgn_event event;
    while (tby_pgn_next(pgn, &event) != TBY_PGN_GAME_END) {
    }
    tby_fen_write_position(fen, sizeof fen, tby_pgn_position(pgn), 0);
    assert_string_equal(fen, "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    tby_pgn_free(pgn);
}

TEST(test_pgn_tags__unreachable_boards_are_played_with_a_warning)
{
    reads_with(TBY_PGN_WARNINGS, "[FEN \"QQQQ1k2/8/8/QQQQ3Q/8/8/PPPPPPPP/4K3 b - - 0 1\"]\n1... Kg7 *",
               "G [FEN=QQQQ1k2/8/8/QQQQ3Q/8/8/PPPPPPPP/4K3 b - - 0 1] ?FEN tag needed repair \"\" f8g7 "
               "=* #*");
}

TEST(test_pgn_tags__chess960)
{
    reads("[Variant \"Chess960\"]\n[FEN \"rnqknrbb/pppppppp/8/8/8/8/PPPPPPPP/RNQKNRBB w KQkq - 0 1\"]\n1. d4 d5 *",
          "G [Variant=Chess960] [FEN=rnqknrbb/pppppppp/8/8/8/8/PPPPPPPP/RNQKNRBB w KQkq - 0 1] d2d4 d7d5 =* #*");
    /* The tag may be missing if Shredder-FEN's letters make it clear. */
    reads("[FEN \"4k3/8/8/8/8/8/8/1R2K3 w B - 0 1\"]\n1. O-O-O *",
          "G [FEN=4k3/8/8/8/8/8/8/1R2K3 w B - 0 1] e1b1 =* #*");
    /* Otherwise it is standard chess, even from a start position of Chess960, and the lost rights are reported. */
    static const char start[] = "[FEN \"qrbbnkrn/pppppppp/8/8/8/8/PPPPPPPP/QRBBNKRN w KQkq - 0 1\"]\n1. O-O *";
    reads_with(TBY_PGN_SERIOUS, start,
               "G [FEN=qrbbnkrn/pppppppp/8/8/8/8/PPPPPPPP/QRBBNKRN w KQkq - 0 1] ?dropped castling rights that only "
               "Chess960 has: [Variant \"Chess960\"] or --chess960 keeps them \"\" !illegal move \"O-O\": the right to "
               "castle there is gone =* #*");
    reads_with(TBY_PGN_SERIOUS | TBY_PGN_CHESS960, start,
               "G [FEN=qrbbnkrn/pppppppp/8/8/8/8/PPPPPPPP/QRBBNKRN w KQkq - 0 1] f1g1 =* #*");
    reads_with(TBY_PGN_CHESS960, "[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]\n1. O-O-O *",
               "G [FEN=4k3/8/8/8/8/8/8/R3K3 w Q - 0 1] e1c1 =* #*");
    reads("[FEN \"4k3/8/8/8/8/8/8/1R2K3 w Q - 0 1\"]\n1. O-O-O *",
          "G [FEN=4k3/8/8/8/8/8/8/1R2K3 w Q - 0 1] !illegal move \"O-O-O\": the right to castle there is gone =* #*");
    reads_with(TBY_PGN_WARNINGS, "[Variant \"Standard\"]*", "G [Variant=Standard] =* #*");
}

TEST(test_pgn_tags__other_variants_were_read_as_chess)
{
    static const char *const known[] = {"Standard",
                                        "standard",
                                        "From Position",
                                        "from position",
                                        "FromPosition",
                                        "Chess960",
                                        "chess 960",
                                        "Fischerandom",
                                        "Fischer Random",
                                        "wild/fr",
                                        "Standard Chess",
                                        "Normal",
                                        "Chess960 (FRC)",
                                        "",
                                        "?"};
    static const char *const others[] = {"Atomic",     "Antichess", "Three-check",   "King of the Hill", "Racing Kings",
                                         "Crazyhouse", "Horde",     "Crazyhouse960", "Suicide",          "losers",
                                         "giveaway",   "Bughouse",  "starwars",      "wild/5",           "Chess 2"};
    char s[128], expected[256];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        snprintf(s, sizeof s, "[Variant \"%s\"]\n1. e4 *", known[i]);
        snprintf(expected, sizeof expected, "G [Variant=%s] e2e4 =* #*", known[i]);
        expect_events(s, strlen(s), TBY_PGN_WARNINGS, expected);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        snprintf(s, sizeof s, "[Variant \"%s\"]\n1. e4 *", others[i]);
        snprintf(expected, sizeof expected,
                 "G [Variant=%s] !the variant is not supported \"%s\": only chess and Chess960 are ~e4 =* #*",
                 others[i], others[i]);
        expect_events(s, strlen(s), 0, expected);
    }
    reads_with(TBY_PGN_WARNINGS | TBY_PGN_ANY_VARIANT, "[Variant \"Atomic\"]\n1. e4 *",
               "G [Variant=Atomic] ?the variant is not supported, its moves are read as chess \"Atomic\" e2e4 =* #*");
}

TEST(test_pgn_tags__a_repeated_tag_was_lost_silently)
{
    reads_with(TBY_PGN_WARNINGS, "[White \"a\"]\n[White \"b\"]\n*",
               "G [White=a] [White=b] ?tag given twice, the last value counts \"White\" =* #*");
    reads_with(TBY_PGN_WARNINGS, "[Event \"a\"]\n[event \"b\"]\n*",
               "G [Event=a] [event=b] ?tag given twice, the last value counts \"event\" =* #*");
    reads_with(TBY_PGN_WARNINGS, "[White \"a\"]\n*\n\n[White \"a\"]\n*", "G [White=a] =* #* G [White=a] =* #*");
}

TEST(test_pgn_tags__a_value_ending_in_a_backslash_rejected_the_game)
{
    reads("[Event \"Ugra Cup \\\"]\n[White \"a\"]\n1. e4 *", "G [Event=Ugra Cup \\] [White=a] e2e4 =* #*");
    reads("[Event \"a\\\"] [Site \"b\"] *", "G [Event=a\\] [Site=b] =* #*");
    reads("[Event \"\\\"]*", "G [Event=\\] =* #*");
    reads("[Event \"a \\\"b\\\"] c\"]*", "G [Event=a \"b\"] c] =* #*");
    reads_with(TBY_PGN_WARNINGS, "[Event \"a\\\"]*",
               "G [Event=a\\] ?backslash before the closing quote \"Event\" =* #*");
}

/* ---- Games ---------------------------------------------------------------------------------------------- */

TEST(test_pgn_tags__games_without_tags_or_moves)
{
    reads("1. e4 *\n\n1. d4 *", "G e2e4 =* #* G d2d4 =* #*");
    reads("[Event \"a\"]\n", "G [Event=a] #*");
    reads("[Event \"a\"]\n\n[Event \"b\"]\n", "G [Event=a] #* G [Event=b] #*");
    reads("[Event \"a\"]\n[Result \"1-0\"]\n\n[Event \"b\"]\n", "G [Event=a] [Result=1-0] #1-0 G [Event=b] #*");
    reads("{only a comment}", "G {only a comment} #*");
}

TEST(test_pgn_tags__games_without_a_blank_line_between)
{
    reads("[Event \"a\"]\n1. e4 1-0\n[Event \"b\"]\n1. d4 0-1\n",
          "G [Event=a] e2e4 =1-0 #1-0 G [Event=b] d2d4 =0-1 #0-1");
    reads("[Event \"a\"]\n1. e4\n[Event \"b\"]\n1. d4\n", "G [Event=a] e2e4 #* G [Event=b] d2d4 #*");
    reads("1. e4 [White \"x\"] 1. d4 *", "G e2e4 #* G [White=x] d2d4 =* #*");
}

TEST(test_pgn_tags__a_second_event_in_one_section_made_another_game)
{
    reads("[Event \"a\"]\n[Event \"b\"]\n*", "G [Event=a] [Event=b] =* #*");
    reads("[Event \"a\"]\n\n[Event \"b\"]\n*", "G [Event=a] #* G [Event=b] =* #*");
}

TEST(test_pgn_tags__an_empty_line_alone_does_not_end_a_game)
{
    reads("[Event \"a\"]\n\n[Site \"b\"]\n\n1. e4\n\ne5 *", "G [Event=a] [Site=b] e2e4 e7e5 =* #*");
    reads("[White \"a\"]\n[Event \"b\"]\n*", "G [White=a] [Event=b] =* #*");
    reads("[White \"a\"]\n \t\r\n[Event \"b\"]\n*", "G [White=a] #* G [Event=b] =* #*");
}

TEST(test_pgn_tags__the_last_boundary_is_the_beginning_of_a_game)
{
    static const char pgn[] = "[Event \"a\"]\n\n*\n\n[Event \"b\"]\n\n{\n[Event \"c\"]}";
    assert_int_equal(tby_pgn_last_boundary(pgn, sizeof pgn - 1), 16);
    assert_int_equal(tby_pgn_last_boundary(pgn, 16), 0);
    assert_int_equal(tby_pgn_last_boundary("*\r\n\r\n[Event \"b\"]", 16), 5);
    assert_int_equal(tby_pgn_last_boundary("", 0), 0);
}

int main(void) { return tests_run(NULL, NULL); }
