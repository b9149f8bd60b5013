/*
 * test_pgn_read.c - PGN move text as events: moves, numbers, comments, NAGs, variations, results.
 *
 * The rules are those of rules.md 8, 9 and 14; pgn_support.h says how events are shown. Every text is read in one piece
 * and byte by byte.
 */
#include "pgn_support.h"

#define NBSP "\xc2\xa0"
#define ELLIPSIS "\xe2\x80\xa6"
#define EN_DASH "\xe2\x80\x93"
#define HALF "\xc2\xbd"
#define KNIGHT "\xe2\x99\x98"

/* ---- Moves and numbers ---------------------------------------------------------------------------------- */

TEST(test_pgn_read__empty_input_has_no_game)
{
    reads("", "");
    reads(" \t\r\n\v\f", "");
    reads("\xef\xbb\xbf", "");
    reads("% escaped\n%\n", "");
}

TEST(test_pgn_read__moves_and_result) { reads("1. e4 e5 2. Nf3 Nc6 1-0\n", "G e2e4 e7e5 g1f3 b8c6 =1-0 #1-0"); }

TEST(test_pgn_read__numbers_in_all_spellings)
{
    reads("1.e4 *", "G e2e4 =* #*");
    reads("1.  e4 *", "G e2e4 =* #*");
    reads("1." NBSP "e4 *", "G e2e4 =* #*");
    reads("1.e4 1...e5 *", "G e2e4 e7e5 =* #*");
    reads("1. e4 1. ... e5 *", "G e2e4 e7e5 =* #*");
    reads("1. e4 1.. e5 *", "G e2e4 e7e5 =* #*");
    reads("1. e4 1" ELLIPSIS "e5 *", "G e2e4 e7e5 =* #*");
    reads("1. e4 " ELLIPSIS "e5 *", "G e2e4 e7e5 =* #*");
    reads("1 e4 e5 2 Nf3 *", "G e2e4 e7e5 g1f3 =* #*");
    reads("1     ..... e4 *", "G e2e4 =* #*");
    reads("e4 e5 Nf3 *", "G e2e4 e7e5 g1f3 =* #*");
}

TEST(test_pgn_read__glued_tokens)
{
    reads("1.e4 e5 2.Nf3", "G e2e4 e7e5 g1f3 #*");
    reads("1.e4{x}e5(1...c5)2.Nf3*", "G e2e4 {x} e7e5 ( c7c5 ) g1f3 =* #*");
    reads("1.e4$1e5!?2.Nf3;x\n*", "G e2e4 $1 e7e5 $5 g1f3 {x} =* #*");
    /* Two moves without a blank are not a move. */
    reads("1.e4e5 *", "G !illegal move \"e4e5\": the side to move has no piece there =* #*");
}

TEST(test_pgn_read__numbers_are_not_trusted)
{
    reads("7. e4 1... e5 *", "G e2e4 e7e5 =* #*");
    reads_with(TBY_PGN_WARNINGS, "7. e4 1... e5 *", "G ?wrong move number \"7\" e2e4 e7e5 =* #*");
    reads_with(TBY_PGN_WARNINGS, "1... e4 *", "G ?wrong move number \"1\" e2e4 =* #*");
    reads("1 e4 1 e5 2 Nf3 *", "G e2e4 e7e5 g1f3 =* #*");
}

TEST(test_pgn_read__a_number_without_dots_that_is_not_a_move_number_was_skipped)
{
    reads("1. e4 99 e5 *", "G e2e4 !invalid PGN \"99\": a number that is not the move's ~e5 =* #*");
    reads("1. e4 0.35 e5 *", "G e2e4 !invalid PGN \"35\": a number that is not the move's ~e5 =* #*");
    reads("1. e4 0 e5 *", "G e2e4 !invalid PGN \"0\": a number that is not the move's ~e5 =* #*");
    reads("1. e5 7 e5 *", "G !illegal move \"e5\": no pawn can go there ~7 ~e5 =* #*");
}

TEST(test_pgn_read__castling_without_dashes_was_skipped)
{
    reads("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 00 00 5. d3 *", "G e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1g1 e8g8 d2d3 =* #*");
    reads("1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. 000 000 *",
          "G d2d4 d7d5 b1c3 b8c6 c1f4 c8f5 d1d2 d8d7 e1c1 e8c8 =* #*");
    reads("1. 00 e5 *", "G !illegal move \"00\": a piece or a check prevents castling ~e5 =* #*");
    reads("1. 0000 e5 *", "G -- e7e5 =* #*");
    reads("00. e4 *", "G e2e4 =* #*");
}

TEST(test_pgn_read__a_null_move_in_the_main_line_is_reported)
{
    reads("1. e4 -- 2. d4 (2. -- d5) *", "G e2e4 -- d2d4 ( -- d7d5 ) =* #*");
    reads_with(TBY_PGN_WARNINGS, "1. e4 -- 2. d4 (2. -- d5) *",
               "G e2e4 -- ?null move in the main line \"--\" d2d4 ( -- d7d5 ) =* #*");
}

TEST(test_pgn_read__castling_with_zeros_is_not_a_number)
{
    reads("1.Nf3 Nf6 2.g3 g6 3.Bg2 Bg7 4.0-0 0-0 *", "G g1f3 g8f6 g2g3 g7g6 f1g2 f8g7 e1g1 e8g8 =* #*");
    reads("[FEN \"r3k3/8/8/8/8/8/8/R3K3 w Qq - 0 10\"]\n10.0-0-0 o-o-o *",
          "G [FEN=r3k3/8/8/8/8/8/8/R3K3 w Qq - 0 10] e1c1 !illegal move \"o-o-o\": a piece or a check "
          "prevents castling =* #*");
}

TEST(test_pgn_read__promotion_brackets_are_not_a_variation)
{
    static const char *const texts[] = {"e8=Q", "e8Q", "e8(Q)", "e8/Q", "e8q", "e7e8q"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char pgn[128];
        snprintf(pgn, sizeof pgn, "[FEN \"8/4P3/8/8/8/8/k6K/8 w - - 0 1\"]\n1. %s Kb2 *", texts[i]);
        expect_events(pgn, strlen(pgn), 0, "G [FEN=8/4P3/8/8/8/8/k6K/8 w - - 0 1] e7e8q a2b2 =* #*");
    }
    reads("1. e4 (Q) *", "G e2e4 ( !invalid move text \"Q\": a square was expected ) =* #*");
    reads("[FEN \"8/4P3/8/8/8/8/k6K/8 w - - 0 1\"]\n1. e8 *",
          "G [FEN=8/4P3/8/8/8/8/k6K/8 w - - 0 1] !promotion piece missing \"e8\": the piece to promote to is missing "
          "=* #*");
}

TEST(test_pgn_read__figurines_are_pieces)
{
    reads("1. " KNIGHT "f3 \xe2\x99\x9e"
          "f6 *",
          "G g1f3 g8f6 =* #*");
    reads("1. " KNIGHT "e4 *", "G !illegal move \"" KNIGHT "e4\": no such piece can go there =* #*");
}

TEST(test_pgn_read__en_passant_may_be_marked)
{
    reads("1. e4 a6 2. e5 d5 3. exd6 e.p. cxd6 *", "G e2e4 a7a6 e4e5 d7d5 e5d6 c7d6 =* #*");
    reads("1. e4 a6 2. e5 d5 3. exd6e.p. cxd6 *", "G e2e4 a7a6 e4e5 d7d5 e5d6 c7d6 =* #*");
    reads("1. e4 a6 2. e5 d5 3. exd6 ep *", "G e2e4 a7a6 e4e5 d7d5 e5d6 =* #*");
    reads("1. e4 e.p. *", "G e2e4 !invalid move text \"e.p.\": a square was expected =* #*");
}

TEST(test_pgn_read__null_moves)
{
    reads("1. e4 -- 2. -- Z0 *", "G e2e4 -- -- -- =* #*");
    reads("1. null @@@@ *", "G -- -- =* #*");
    reads("1. f3 e5 2. g4 Qh4 3. -- *",
          "G f2f3 e7e5 g2g4 d8h4 !illegal null move \"--\": the side to move is in check =* #*");
}

TEST(test_pgn_read__a_null_move_swaps_the_side)
{
    static const char pgn_text[] = "1. e4 --";
    char fen[TBY_FEN_SIZE];
    tby_pgn *pgn = tby_pgn_new_memory(pgn_text, sizeof pgn_text - 1, NULL, NULL);
    tby_pgn_event event;
    while (tby_pgn_next(pgn, &event) != TBY_PGN_NULL_MOVE) {
    }
    tby_fen_write_position(fen, sizeof fen, tby_pgn_position(pgn), 0);
    assert_string_equal(fen, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2");
    tby_fen_write_position(fen, sizeof fen, tby_pgn_position_before(pgn), 0);
    assert_string_equal(fen, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    tby_pgn_free(pgn);
}

TEST(test_pgn_read__warns_about_departures_from_the_export_format)
{
    reads_with(TBY_PGN_WARNINGS, "1. e2e4 e5 *", "G e2e4 ?not the export form of the move \"e2e4\" e7e5 =* #*");
    reads_with(TBY_PGN_WARNINGS, "1. e4+ e5 *", "G e2e4 ?not the export form of the move \"e4+\" e7e5 =* #*");
    reads_with(TBY_PGN_WARNINGS, "1. e4 e5 *", "G e2e4 e7e5 =* #*");
}

/* ---- Faults --------------------------------------------------------------------------------------------- */

TEST(test_pgn_read__after_a_fault_tokens_are_raw)
{
    reads("1. e4 e5 2. Ke3 {c} Nc6 $1 (2. d4 d5) 1-0",
          "G e2e4 e7e5 !illegal move \"Ke3\": the king cannot go there {c} ~Nc6 $1 ( ~d4 ~d5 ) =1-0 #1-0");
}

TEST(test_pgn_read__a_broken_variation_leaves_the_line_whole)
{
    reads("1. e4 (1. d5 d4) 1... e5 *", "G e2e4 ( !illegal move \"d5\": no pawn can go there ~d4 ) e7e5 =* #*");
}

TEST(test_pgn_read__a_broken_game_does_not_affect_its_neighbours)
{
    reads("1. e4 *\n\n[Event \"b\"]\n\n1. e5 {open\n\n[Event \"c\"]\n\n1. d4 *",
          "G e2e4 =* #* G [Event=b] !illegal move \"e5\": no pawn can go there {open\n\n} "
          "!invalid PGN \"{\": the comment is not closed #* G [Event=c] d2d4 =* #*");
    reads("1. e4 ( ( ( 1-0\n[White \"x\"]\n1. d4 *",
          "G e2e4 ( ( !invalid PGN \"(\": a variation before the first move ( ~1-0 "
          "!invalid PGN \"\": the game ends inside a variation #* G [White=x] d2d4 =* #*");
}

TEST(test_pgn_read__illegal_ambiguous_and_invalid_are_different_errors)
{
    reads("1. Nf4 *", "G !illegal move \"Nf4\": no such piece can go there =* #*");
    reads(
        "[FEN \"4k2r/r3bppp/p1p5/3pR3/Pp1P1B2/7P/1PP2PP1/R5K1 w k - 0 37\"]\n37. Re1 *",
        "G [FEN=4k2r/r3bppp/p1p5/3pR3/Pp1P1B2/7P/1PP2PP1/R5K1 w k - 0 37] !ambiguous move \"Re1\": more than one such "
        "piece can go there =* #*");
    reads("1. foo *", "G !invalid move text \"foo\": a square was expected =* #*");
}

TEST(test_pgn_read__every_byte_is_a_token_or_a_fault)
{
    reads("1. e4 \" e5 *", "G e2e4 !invalid PGN \"\"\": unexpected character ~e5 =* #*");
    reads("1. e4 ] e5 *", "G e2e4 !invalid PGN \"]\": unexpected character ~e5 =* #*");
    reads("1. e4 [x] e5 *", "G e2e4 !invalid PGN \"[\": unexpected character ~x ~] ~e5 =* #*");
    reads("1. e4 % e5 *", "G e2e4 !invalid PGN \"%\": unexpected character ~e5 =* #*");
    reads("1. e4 \x01 e5 *", "G e2e4 !invalid PGN \"\x01\": unexpected character ~e5 =* #*");
}

TEST(test_pgn_read__nul_bytes_are_faults_in_moves)
{
    const char pgn[] = "1. e4 \0 e5 *";
    const tby_pgn_options options = {0, 0, {0, 0, 0, 0}};
    text t = events_of(pgn, sizeof pgn - 1, &options, 1);
    static const char expected[] = "G e2e4 !invalid PGN \"\": unexpected character ~e5 =* #*";
    assert_string_equal(t.s, expected);
    free(t.s);
}

TEST(test_pgn_read__a_dos_end_of_file_byte_was_a_bad_game)
{
    reads("\x1a", "");
    reads("1. e4 *\r\n\x1a", "G e2e4 =* #*");
    reads("1. e4 *\x1a", "G e2e4 =* #*");
    reads("1. e4 1-0\n\x1a\x1a\x1a\n", "G e2e4 =1-0 #1-0");
    reads("1. e4 *\n\n\x1a[White \"A\"]\n\n1. d4 *\n\x1a", "G e2e4 =* #* G [White=A] d2d4 =* #*");
    reads("1. e4 {\x1a} *", "G e2e4 {\x1a} =* #*");
}

/* ---- Comments ------------------------------------------------------------------------------------------- */

TEST(test_pgn_read__comments_of_both_kinds)
{
    reads("1. e4 {a} {b} ; c\ne5 ;d\n*", "G e2e4 {a} {b} { c} e7e5 {d} =* #*");
    reads("{} 1. e4 {two\nlines} *", "G {} e2e4 {two\nlines} =* #*");
    reads("1. e4 ;to the end", "G e2e4 {to the end} #*");
    reads("1. e4 ;cr\re5 *", "G e2e4 {cr} e7e5 =* #*");
    reads("1. e4 ;} { (\ne5 *", "G e2e4 {} { (} e7e5 =* #*");
}

TEST(test_pgn_read__braces_do_not_nest)
{
    reads("1. e4 {a {b} e5 *", "G e2e4 {a {b} e7e5 =* #*");
    reads_with(TBY_PGN_NESTED_COMMENTS, "1. e4 {a {b} c} e5 *", "G e2e4 {a {b} c} e7e5 =* #*");
}

#define OPEN "!invalid PGN \"{\": the comment is not closed"

TEST(test_pgn_read__an_open_brace_is_a_fault_and_ends_at_the_next_event_tag)
{
    reads("1. e4 {a\n[Event \"x\"]\n\n1. d4 *", "G e2e4 {a\n} " OPEN " #* G [Event=x] d2d4 =* #*");
    reads("1. e4 {a [Event \"x\"]} e5 *", "G e2e4 {a [Event \"x\"]} e7e5 =* #*");
    reads("1. e4 {a\n[Site \"x\"]\n", "G e2e4 {a\n[Site \"x\"]\n} " OPEN " #*");
    reads_with(TBY_PGN_WARNINGS, "1. e4 {a", "G e2e4 {a} " OPEN " ?game ends without a result \"\" #*");
    reads("1. e4 1-0 {a", "G e2e4 =1-0 {a} " OPEN " #1-0");
}

TEST(test_pgn_read__escaped_lines_are_skipped)
{
    reads("%x\n1. e4\n%y ( {\ne5 *", "G e2e4 e7e5 =* #*");
    reads("1. e4\r%y ( {\re5 *", "G e2e4 e7e5 =* #*");
    reads("[Event \"a\"]\n%[Event \"b\"]\n[Site \"c\"]\n%\n*\n%", "G [Event=a] [Site=c] =* #*");
    /* Inside a comment a line may start with %. */
    reads("1. e4 {a\n%b} *", "G e2e4 {a\n%b} =* #*");
}

TEST(test_pgn_read__comments_after_the_result_belong_to_the_game)
{
    reads("1. e4 1-0 {a} ;b\n[Event \"x\"] *", "G e2e4 =1-0 {a} {b} #1-0 G [Event=x] =* #*");
}

TEST(test_pgn_read__reserved_brackets_are_faults)
{
    reads("1. e4 <x y> e5 *", "G e2e4 !invalid PGN \"<x y>\": <...> has no meaning ~e5 =* #*");
    reads("1. e4 <x e5 *", "G e2e4 !invalid PGN \"<\": a < without its > ~x ~e5 =* #*");
}

/* ---- NAGs ----------------------------------------------------------------------------------------------- */

TEST(test_pgn_read__nags_by_number)
{
    reads("1. e4 $0 $1 $255 $256 $65535 *", "G e2e4 $0 $1 $255 $256 $65535 =* #*");
    reads("1. e4 $1$2$5 *", "G e2e4 $1 $2 $5 =* #*");
    reads("1. e4 $ *", "G e2e4 !invalid PGN \"$\": a NAG has a number =* #*");
    reads("1. e4 $ $ $65536 $1 *", "G e2e4 !invalid PGN \"$\": a NAG has a number ~$ ~$65536 $1 =* #*");
    reads("1. e4 $65536 *", "G e2e4 !invalid PGN \"$65536\": a NAG of more than 65535 =* #*");
    reads("1. e4 $99999999999999999999 e5 *",
          "G e2e4 !invalid PGN \"$99999999999999999999\": a NAG of more than 65535 ~e5 =* #*");
}

TEST(test_pgn_read__marks_and_glyphs_are_nags)
{
    reads("1. e4! e5? 2. Nf3!! Nc6?? 3. Bb5!? a6?! *", "G e2e4 $1 e7e5 $2 g1f3 $3 b8c6 $4 f1b5 $5 a7a6 $6 =* #*");
    reads("1. e4 ! e5 ?? *", "G e2e4 $1 e7e5 $4 =* #*");
    reads("1. e4 \xc2\xb1 e5 \xe2\x88\x93 2. d4 +- d5 -+ 3. a3 = a6 \xe2\x88\x9e 4. b3 \xe2\x96\xa1 N D *",
          "G e2e4 $16 e7e5 $17 d2d4 $18 d7d5 $19 a2a3 $10 a7a6 $13 b2b3 $7 $146 $220 =* #*");
    reads("1. e4\xc2\xb1 e5\xe2\x96\xa1 *", "G e2e4 $16 e7e5 $7 =* #*");
}

/* ---- Variations ----------------------------------------------------------------------------------------- */

TEST(test_pgn_read__variations_nest)
{
    reads("1. e4 e5 (1... c5 2. Nf3 (2. d4 cxd4 (2... e6)) 2... d6) (1... e6) 2. Nf3 *",
          "G e2e4 e7e5 ( c7c5 g1f3 ( d2d4 c5d4 ( e7e6 ) ) d7d6 ) ( e7e6 ) g1f3 =* #*");
}

TEST(test_pgn_read__empty_variations) { reads("1. e4 () ({x}) ($1) e5 *", "G e2e4 ( ) ( {x} ) ( $1 ) e7e5 =* #*"); }

TEST(test_pgn_read__brackets_must_match)
{
    reads("1. e4 ) e5 *", "G e2e4 !invalid PGN \")\": a variation is closed that was not opened ~e5 =* #*");
    reads("1. e4 (1. d4", "G e2e4 ( d2d4 !invalid PGN \"\": the game ends inside a variation #*");
    reads("(1. d4) 1. e4 *", "G ( !invalid PGN \"(\": a variation before the first move ~d4 ) e2e4 =* #*");
    reads("1. e4 ( (1. d4) 1. c4) *",
          "G e2e4 ( ( !invalid PGN \"(\": a variation before the first move ~d4 ) c2c4 ) =* #*");
}

TEST(test_pgn_read__the_position_follows_the_variations)
{
    static const char pgn_text[] = "1. e4 e5 (1... c5 2. Nf3) 2. f4";
    static const char *const fens[] = {
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", /* ( */
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2",
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2", /* ) */
        "rnbqkbnr/pppp1ppp/8/4p3/4PP2/8/PPPP2PP/RNBQKBNR b KQkq f3 0 2",
    };
    static const unsigned depths[] = {0, 0, 1, 1, 1, 0, 0};
    tby_pgn *pgn = tby_pgn_new_memory(pgn_text, sizeof pgn_text - 1, NULL, NULL);
    tby_pgn_event event;
    assert_int_equal(tby_pgn_next(pgn, &event), TBY_PGN_GAME);
    for (size_t i = 0; i < sizeof fens / sizeof fens[0]; i++) {
        char fen[TBY_FEN_SIZE];
        tby_pgn_next(pgn, &event);
        tby_fen_write_position(fen, sizeof fen, tby_pgn_position(pgn), 0);
        assert_string_equal(fen, fens[i]);
        assert_int_equal(tby_pgn_depth(pgn), depths[i]);
    }
    tby_pgn_free(pgn);
}

/* ---- Results -------------------------------------------------------------------------------------------- */

TEST(test_pgn_read__results_in_all_spellings)
{
    static const struct {
        const char *text, *result;
    } cases[] = {
        {"1-0", "1-0"},
        {"1" EN_DASH "0", "1-0"},
        {"1\xe2\x80\x94"
         "0",
         "1-0"},
        {"1\xe2\x80\x91"
         "0",
         "1-0"},
        {"1\xe2\x88\x92"
         "0",
         "1-0"},
        {"1:0", "1-0"},
        {"0-1", "0-1"},
        {"0" EN_DASH "1", "0-1"},
        {"0:1", "0-1"},
        {"1/2-1/2", "1/2-1/2"},
        {"1/2" EN_DASH "1/2", "1/2-1/2"},
        {HALF "-" HALF, "1/2-1/2"},
        {HALF EN_DASH HALF, "1/2-1/2"},
        {"1/2", "1/2-1/2"},
        {HALF, "1/2-1/2"},
        {"0.5-0.5", "1/2-1/2"},
        {"\xbd-\xbd", "1/2-1/2"}, /* Windows-1252 */
        {"\xbd\x96\xbd", "1/2-1/2"},
        {"1\x96"
         "0",
         "1-0"},
        {"*", "*"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char pgn[64], expected[64];
        snprintf(pgn, sizeof pgn, "1. e4 %s\n", cases[i].text);
        snprintf(expected, sizeof expected, "G e2e4 =%s #%s", cases[i].result, cases[i].result);
        expect_events(pgn, strlen(pgn), 0, expected);
    }
}

TEST(test_pgn_read__a_missing_result_is_taken_from_the_tag)
{
    reads("[Result \"0-1\"]\n1. e4", "G [Result=0-1] e2e4 #0-1");
    reads("[Result \"0-1\"]\n1. e4 *", "G [Result=0-1] e2e4 =* #0-1");
    reads("[Result \"foo\"]\n1. e4", "G [Result=foo] e2e4 #*");
    reads("1. e4", "G e2e4 #*");
    reads_with(TBY_PGN_WARNINGS, "1. e4", "G e2e4 ?game ends without a result \"\" #*");
}

TEST(test_pgn_read__the_token_wins_over_the_tag)
{
    reads("[Result \"0-1\"]\n1. e4 1-0", "G [Result=0-1] e2e4 =1-0 #1-0");
    reads_with(TBY_PGN_WARNINGS, "[Result \"0-1\"]\n1. e4 1-0",
               "G [Result=0-1] e2e4 =1-0 ?result differs from the Result tag \"1-0\" #1-0");
}

TEST(test_pgn_read__a_double_forfeit_is_not_castling)
{
    reads("[Result \"0-0\"]\n1. e4 0-0\n", "G [Result=0-0] e2e4 =* #*");
    reads("[Result \"0-0\"]\n1. e4 0-0\n\n[Event \"x\"]\n*", "G [Result=0-0] e2e4 =* #* G [Event=x] =* #*");
    reads("0-0\n", "G =* #*");
    reads_with(TBY_PGN_WARNINGS, "[Result \"0-0\"]\n0-0", "G [Result=0-0] =* #*");
    /* It is castling where castling is legal, and a bad move in the middle of a game. */
    reads("[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n1. 0-0", "G [FEN=4k3/8/8/8/8/8/8/4K2R w K - 0 1] e1g1 #*");
    reads("1. e4 0-0 2. d4", "G e2e4 !illegal move \"0-0\": a piece or a check prevents castling ~d4 #*");
}

TEST(test_pgn_read__illegal_castling_at_the_end_was_taken_for_a_result)
{
#define BARRED "!illegal move \"0-0\": a piece or a check prevents castling"
    reads("1. e4 e5 2. 0-0", "G e2e4 e7e5 " BARRED " #*");
    reads("1. 0-0", "G " BARRED " #*");
    reads("[Result \"0-0\"]\n1. e4 e5 2. 0-0", "G [Result=0-0] e2e4 e7e5 " BARRED " #*");
}

TEST(test_pgn_read__results_that_differ_are_reported)
{
#define DIFFERS "?result differs from the Result tag"
    reads_with(TBY_PGN_WARNINGS, "[Result \"0-1\"]\n1. e4 *", "G [Result=0-1] e2e4 =* " DIFFERS " \"*\" #0-1");
    reads_with(TBY_PGN_WARNINGS, "[Result \"*\"]\n1. e4 1-0", "G [Result=*] e2e4 =1-0 " DIFFERS " \"1-0\" #1-0");
    reads_with(TBY_PGN_WARNINGS, "[Result \"1/2\"]\n1. e4 1/2-1/2", "G [Result=1/2] e2e4 =1/2-1/2 #1/2-1/2");
}

TEST(test_pgn_read__a_result_in_a_variation_is_raw)
{
    reads("1. e4 (1. d4 1-0) e5 0-1", "G e2e4 ( d2d4 ~1-0 ) e7e5 =0-1 #0-1");
}

TEST(test_pgn_read__a_result_ends_the_game)
{
    reads("1. e4 1-0 1. d4 0-1", "G e2e4 =1-0 #1-0 G d2d4 =0-1 #0-1");
    reads("* *", "G =* #* G =* #*");
}

/* ---- Many moves at once --------------------------------------------------------------------------------- */

typedef struct trace {
    size_t n;
    struct {
        tby_pgn_type type;
        tby_move move;
        uint64_t offset;
        tby_position now, before;
    } steps[4096];
} trace;

static void trace_add(trace *t, tby_pgn_type type, tby_move m, const tby_pgn *pgn, uint64_t offset)
{
    assert_true(t->n < sizeof t->steps / sizeof *t->steps);
    t->steps[t->n].type = type;
    t->steps[t->n].move = type == TBY_PGN_MOVE ? m : TBY_MOVE_NONE;
    t->steps[t->n].now = *tby_pgn_position(pgn);
    t->steps[t->n].before = *tby_pgn_position_before(pgn);
    t->steps[t->n++].offset = offset;
}

/* With a `cap`, moves are read that many at a time, and positions are compared only after the last of them. Comments are
   left out if `flags` skip them, or if they `are_left_out`. */
static void trace_text_with(trace *t, const char *s, size_t cap, unsigned flags, bool are_left_out)
{
    tby_pgn_event event;
    const tby_pgn_options options = {.flags = flags};
    tby_pgn *pgn = tby_pgn_new_memory(s, strlen(s), &options, NULL);
    memset(t, 0, sizeof *t);
    while (tby_pgn_next(pgn, &event) != TBY_PGN_END) {
        tby_move moves[300];
        assert_false(event.type == TBY_PGN_COMMENT && flags & TBY_PGN_SKIP_COMMENTS);
        if (event.type != TBY_PGN_COMMENT || !are_left_out)
            trace_add(t, event.type, event.move, pgn, event.type == TBY_PGN_MOVE ? 0 : tby_pgn_game_end(pgn));
        for (size_t n; cap && (n = tby_pgn_moves(pgn, moves, cap)) > 0;)
            for (size_t i = 0; i < n; i++)
                trace_add(t, TBY_PGN_MOVE, moves[i], pgn, 0);
    }
    tby_pgn_free(pgn);
}

static void trace_text(trace *t, const char *s, size_t cap) { trace_text_with(t, s, cap, 0, false); }

static void is_same_position(const tby_position *a, const tby_position *b)
{
    assert_memory_equal(&a->board, &b->board, sizeof a->board);
    assert_true(a->placement_key == b->placement_key && a->castling == b->castling);
    assert_int_equal(a->ply, b->ply);
    assert_int_equal(a->clock, b->clock);
    assert_int_equal(a->en_passant, b->en_passant);
}

static void is_same_trace(const trace *one, const trace *many, size_t cap)
{
    assert_int_equal(one->n, many->n);
    for (size_t k = 0; k < one->n; k++) {
        assert_int_equal(one->steps[k].type, many->steps[k].type);
        assert_int_equal(one->steps[k].move, many->steps[k].move);
        assert_true(one->steps[k].offset == many->steps[k].offset);
        if (cap == 1 || one->steps[k].type != TBY_PGN_MOVE) {
            is_same_position(&one->steps[k].now, &many->steps[k].now);
            is_same_position(&one->steps[k].before, &many->steps[k].before);
        }
    }
}

static void reads_together(const char *pgn)
{
    static const size_t caps[] = {1, 8, 300};
    static trace one, many;
    trace_text(&one, pgn, 0);
    for (size_t i = 0; i < sizeof caps / sizeof *caps; i++) {
        trace_text(&many, pgn, caps[i]);
        is_same_trace(&one, &many, caps[i]);
    }
}

TEST(test_pgn_read__moves_read_together_are_those_of_events)
{
    static const char *const texts[] = {
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0",
        "1.e4 e5 2.Nf3 {here} Nc6 ( 2... d6 3. d4 exd4 (3... f5) 4. Nxd4 ) 3. Bb5 $1 a6 4. O-O 1/2-1/2",
        "e4 e5 Nf3 12. Nc6 3... Bb5 a6 4.O-O Nf6 0.5-0.5",
        "1. e4 e5 2. Ke3 Nc6 3. d4 *\n\n[Event \"two\"]\n\n1. d4 d5 0-1",
        "1. e4 -- 2. d4 e5 3. dxe5 Z0 4. f4! f6?? 5. exf6+ Kf7 6. fxg7 Kxg7 *",
        "[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8=Q Kg6 2. Qe4+ ; to the end\n2... Kf6 *",
        "1. e4 e5 2. Nf3\n% no move\nNc6 3. 0-0 3. Bc4 Bc5 4. O-O Nf6\r\n5. d3 d6 6. Bg5",
        "1. e4 e5 2. Nf3 Nc6 3.",
        "1. e4 e5 2. 34 Nf3 (2. Bc4) (2. d4 exd4) Nc6 *",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        reads_together(texts[i]);
}

TEST(test_pgn_read__moves_after_an_illegal_one_are_not_played)
{
    static const char *const texts[] = {
        /* A pinned knight moves, the king is captured, and both sides castle. */
        "1. d4 d5 2. Nc3 Nf6 3. Bg5 e6 4. e4 Bb4 5. Nf3 Qe7 6. Nd2 Bxc3 7. a3 Bd7 8. Ne2 Bxe1 9. h3 O-O 10. O-O a6 *",
        "1. e4 e5 2. Nf3 d6 3. Bb5+ Nf6 4. Bxe8 Qxe8 5. O-O O-O 6. d3 *",
        /* Out of check too late, into check, and a king beside the other. */
        "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Nd4 4. Qxe8 a6 *",
        "1. f3 e5 2. Kf2 Qh4+ 3. Ke3 Qf4+ 4. Kd3 d5 5. Kc4 dxe4 6. Kb5 Qxe4 7. a4 (7. d4 Qxd4) Qd4 *",
        "[FEN \"8/8/3k4/8/3K4/8/8/8 w - - 0 1\"]\n\n1. Kd5 Ke6 2. Kc5 Kd6 *",
        /* The illegal move is the first that is read together with others, or the last. */
        "1. e4 Ke7 2. Ke2 Kd5 3. d4 (3. d3 d6) d6 *",
        "1. e4 e5 2. Ke2 Qg5 3. d3 Qxc1 4. Qxc1 Ke7 5. Kd2 {here} Ke6 6. Kc3 Kd5 7. a3 {there} h6 *",
        /* The line before the illegal move is still that of its variations. */
        "1. e4 e5 2. Nf3 Nc6 (2... Ke7 3. Nxe5 Kd5 4. a3) (2... d6 3. d4) 3. Ke3 (3. Bb5 a6) a6 *",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        reads_together(texts[i]);
}

TEST(test_pgn_read__runs_of_moves_have_any_length)
{
    static const char *const cycle[] = {"Nf3 ", "Nf6\n", "Ng1 ", "5000... Ng8 "};
    static char pgn[8000];
    for (unsigned n = 1; n < 400; n += n < 120 || n > 140 ? 13 : 1) {
        size_t length = 0;
        for (unsigned i = 0; i < n; i++)
            length += (size_t)snprintf(pgn + length, sizeof pgn - length, "%s", cycle[i % 4]);
        snprintf(pgn + length, sizeof pgn - length, "%s",
                 n % 3 ? "e4 Ke7 Ke2 Kd6 *" : "e4 e5 (e6 d4) d4 exd4 c3 dxc3 *");
        reads_together(pgn);
    }
}

static void skips_comments(const char *pgn)
{
    static trace one, many;
    trace_text_with(&one, pgn, 0, 0, true);
    for (size_t cap = 0; cap <= 8; cap += cap ? 7 : 1) {
        trace_text_with(&many, pgn, cap, TBY_PGN_SKIP_COMMENTS, false);
        is_same_trace(&one, &many, cap ? cap : 1);
    }
}

TEST(test_pgn_read__skipped_comments_change_nothing_else)
{
    enum { LONG = 200000 };
    static const char long_begin[] = "1. e4 e5 2. Nf3 {", long_end[] = "} Nc6 {short} 3. Bb5 a6 1-0";
    static char large[LONG + 100];
    skips_comments(
        "1. e4 { [%eval 0.17] [%clk 0:03:00] } 1... e5 { [%eval 0.19] [%clk 0:02:59] } 2. Nf3 {x} {y}Nc6{z} 1-0 {w}");
    skips_comments(
        "{before} 1. e4 {a { b} e5 {c} (1... c5 {d} 2. Nf3 {e}) 2. Nf3 {two\nlines} Nc6 ; to the end\n3. Bb5 a6 *");
    skips_comments("1. e4 {\xe9t\xe9} e5 {\xc3\xa9t\xc3\xa9} 2. Nf3 {%} Nc6 {} 3. Ke5 {after a fault} Bb4 {raw} 1-0");
    skips_comments(
        "1. e4 e5 2. Nf3 {not closed\n\n[Event \"two\"]\n\n1. d4 {x} d5 {y} 0-1\n\n[Event \"three\"]\n\n1. c4 {open");
    skips_comments("1. e4 {a} e5 {b}\n\n{c}\n[Event \"two\"]\n{d}\n[Site \"?\"]\n\n{e} 1. d4 {f} *");
    memset(large, ' ', sizeof large);
    memcpy(large, long_begin, sizeof long_begin - 1);
    memcpy(large + LONG, long_end, sizeof long_end);
    skips_comments(large);
}

int main(void) { return tests_run(NULL, NULL); }
