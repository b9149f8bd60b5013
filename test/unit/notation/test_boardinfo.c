/*
 * test_boardinfo.c - the boardinfo text of a position: every field valid and invalid, round trips, small buffers.
 */
#define POSITION_READ tby_boardinfo_read
#define POSITION_WRITE tby_boardinfo_write
#define POSITION_SIZE TBY_BOARDINFO_SIZE
#define POSITION_CLOCK_MAX 65535
#include "position_support.h"

#define EMPTY_RANK "........"
#define EMPTY_32 EMPTY_RANK EMPTY_RANK EMPTY_RANK EMPTY_RANK
#define START_BOARD "rnbqkbnrpppppppp" EMPTY_32 "PPPPPPPPRNBQKBNR"
#define START "XXW" START_BOARD "+0+0"

TEST(test_boardinfo__the_start_is_as_specified)
{
    assert_writes(START_FEN, 0, START);
    assert_reads(START, START_FEN);
}

TEST(test_boardinfo__white_is_lower_case_and_a1_comes_first)
{
    assert_writes("7k/8/8/8/8/8/8/KQ6 w - - 0 1", 0, "XXWkq......" EMPTY_32 EMPTY_RANK EMPTY_RANK ".......K+0+0");
    assert_reads("XXWkq......" EMPTY_32 EMPTY_RANK EMPTY_RANK ".......K+0+0", "7k/8/8/8/8/8/8/KQ6 w - - 0 1");
}

TEST(test_boardinfo__the_en_passant_square_comes_first)
{
    const char text[] = "e3B"
                        "rnbqkbnrpppp.ppp" EMPTY_RANK "....p..." EMPTY_RANK EMPTY_RANK "PPPPPPPPRNBQKBNR"
                        "+1+1";
    assert_writes("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0, text);
    assert_reads(text, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
}

TEST(test_boardinfo__missing_rights_are_those_of_unmoved_pieces)
{
    assert_reads("XXWr...k..r" EMPTY_32 EMPTY_RANK EMPTY_RANK "R...K...+0+0", "r3k3/8/8/8/8/8/8/R3K2R w KQq - 0 1");
    /* A rook beside the king, or of the wrong colour, grants no right. */
    assert_reads("XXWr..k...r" EMPTY_32 EMPTY_RANK EMPTY_RANK "r...K..N+0+0", "R3k2n/8/8/8/8/8/8/R2K3R w - - 0 1");
}

TEST(test_boardinfo__digits_give_the_rights_that_differ)
{
    const char none[] = "XXW0000" START_BOARD "+0+0", white_king[] = "XXW1000" START_BOARD "+0+0";
    const char black_queen[] = "XXW0001" START_BOARD "+0+0", others[] = "XXW0110" START_BOARD "+0+0";
    const char placement[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    const char *const texts[4] = {none, white_king, black_queen, others};
    const char *const rights[4] = {"-", "K", "q", "Qk"};
    for (int i = 0; i < 4; i++) {
        char fen[TBY_FEN_SIZE] = "";
        strcat(strcat(strcat(strcat(fen, placement), " w "), rights[i]), " - 0 1");
        assert_writes(fen, 0, texts[i]);
        assert_reads(texts[i], fen);
    }
    /* Unnecessary digits are read but not written. */
    assert_reads("XXW1111" START_BOARD "+0+0", START_FEN);
}

TEST(test_boardinfo__plies_carry_clock_and_move_number)
{
    assert_writes("4k3/8/8/8/8/8/8/4K3 b - - 7 40", 0, "XXB....k..." EMPTY_32 EMPTY_RANK EMPTY_RANK "....K...+72+79");
    assert_reads("XXB....k..." EMPTY_32 EMPTY_RANK EMPTY_RANK "....K...+72+79", "4k3/8/8/8/8/8/8/4K3 b - - 7 40");
    /* A set-up position may have a clock that started before its first ply. */
    assert_writes("4k3/8/8/8/8/8/8/4K3 w - - 30 1", 0, "XXW....k..." EMPTY_32 EMPTY_RANK EMPTY_RANK "....K...+-30+0");
    assert_reads("XXW....k..." EMPTY_32 EMPTY_RANK EMPTY_RANK "....K...+-30+0", "4k3/8/8/8/8/8/8/4K3 w - - 30 1");
    assert_reads("XXW....k..." EMPTY_32 EMPTY_RANK EMPTY_RANK "....K...+0070+00072", "4k3/8/8/8/8/8/8/4K3 w - - 2 37");
}

TEST(test_boardinfo__largest_numbers_fit_their_size)
{
    char buf[TBY_BOARDINFO_SIZE];
    tby_setup setup = setup_of(START_FEN);
    setup.castling = 0;
    setup.side = TBY_BLACK;
    setup.clock = TBY_CLOCK_MAX;
    setup.fullmove = TBY_FULLMOVE_MAX;
    assert_in_range(tby_boardinfo_write(buf, sizeof buf, &setup, 0, NULL), 1, sizeof buf - 1);
    const tby_setup back = read_good(buf);
    assert_true(tby_setup_equal(&setup, &back));
    setup.fullmove = UINT32_MAX;
    assert_in_range(tby_boardinfo_write(buf, sizeof buf, &setup, 0, NULL), 1, sizeof buf - 1);
}

TEST(test_boardinfo__each_bad_field_is_located)
{
    assert_bad("", TBY_INVALID_BOARDINFO, 0);
    assert_bad("X", TBY_INVALID_BOARDINFO, 0);
    assert_bad("xxW" START_BOARD "+0+0", TBY_INVALID_BOARDINFO, 0);
    assert_bad("e", TBY_INVALID_BOARDINFO, 1);
    assert_bad("e9W" START_BOARD "+0+0", TBY_INVALID_BOARDINFO, 1);
    assert_bad("i3W" START_BOARD "+0+0", TBY_INVALID_BOARDINFO, 0);
    assert_bad("XX", TBY_INVALID_BOARDINFO, 2);
    assert_bad("XXw" START_BOARD "+0+0", TBY_INVALID_BOARDINFO, 2);
    assert_bad("XXW1" START_BOARD "+0+0", TBY_INVALID_BOARDINFO, 4);
    assert_bad("XXW111" START_BOARD "+0+0", TBY_INVALID_BOARDINFO, 6);
    assert_bad("XXW11111" START_BOARD "+0+0", TBY_INVALID_BOARDINFO, 7);
    assert_bad("XXW0120" START_BOARD "+0+0", TBY_INVALID_BOARDINFO, 5);
    assert_bad("XXWrnbqkbnx", TBY_INVALID_BOARDINFO, 10);
    assert_bad("XXWrnbqkbnr?", TBY_INVALID_BOARDINFO, 11);
    assert_bad("XXWrnbqkbnr+0+0", TBY_INVALID_BOARDINFO, 11);
    assert_bad("XXW" START_BOARD, TBY_INVALID_BOARDINFO, 67);
    assert_bad("XXW" START_BOARD ".+0+0", TBY_INVALID_BOARDINFO, 67);
    assert_bad("XXW" START_BOARD "+", TBY_INVALID_BOARDINFO, 68);
    assert_bad("XXW" START_BOARD "+-", TBY_INVALID_BOARDINFO, 69);
    assert_bad("XXW" START_BOARD "+0", TBY_INVALID_BOARDINFO, 69);
    assert_bad("XXW" START_BOARD "+0+", TBY_INVALID_BOARDINFO, 70);
    assert_bad("XXW" START_BOARD "+0+0 ", TBY_INVALID_BOARDINFO, 71);
    assert_bad("XXW" START_BOARD "+0+0+0", TBY_INVALID_BOARDINFO, 71);
}

TEST(test_boardinfo__ply_numbers_must_be_consistent)
{
    assert_bad("XXW" START_BOARD "+0+1", TBY_INVALID_BOARDINFO, 70);
    assert_bad("XXB" START_BOARD "+0+2", TBY_INVALID_BOARDINFO, 70);
    assert_bad("XXW" START_BOARD "+3+2", TBY_INVALID_BOARDINFO, 68);
    assert_bad("XXW" START_BOARD "+-4+-2", TBY_INVALID_BOARDINFO, 71);
    assert_bad("XXW" START_BOARD "+-65536+0", TBY_INVALID_CLOCK, 68);
    assert_bad("XXW" START_BOARD "+131070+131070", TBY_INVALID_FULLMOVE, 75);
    assert_bad("XXW" START_BOARD "+0+99999999999999999999999999", TBY_INVALID_FULLMOVE, 70);
    assert_int_equal(read_good("XXW" START_BOARD "+-65535+0").clock, 65535);
    assert_int_equal(read_good("XXB" START_BOARD "+131069+131069").fullmove, 65535);
}

TEST(test_boardinfo__rights_without_pieces_are_refused)
{
    assert_bad("XXW1000....k..." EMPTY_32 EMPTY_RANK EMPTY_RANK "R...K..R+0+0", TBY_INVALID_CASTLING, 3);
    assert_bad("XXW0001....k..." EMPTY_32 EMPTY_RANK EMPTY_RANK "....K..R+0+0", TBY_INVALID_CASTLING, 6);
}

TEST(test_boardinfo__en_passant_without_a_double_step_is_refused)
{
    assert_bad("e3W" START_BOARD "+0+0", TBY_INVALID_EN_PASSANT, 0);
    assert_bad("e6W" START_BOARD "+0+0", TBY_INVALID_EN_PASSANT, 0);
    assert_bad("e4W" START_BOARD "+0+0", TBY_INVALID_EN_PASSANT, 0);
}

TEST(test_boardinfo__chess960_rights_cannot_be_held)
{
    char buf[TBY_BOARDINFO_SIZE] = "left over";
    tby_error err;
    const tby_setup setup = setup_of("1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1");
    assert_int_equal(tby_boardinfo_write(buf, sizeof buf, &setup, 0, &err), 0);
    assert_string_equal(buf, "");
    assert_int_equal(err.status, TBY_CANNOT_HOLD);
    assert_non_null(strstr(err.detail, "castling"));
    assert_true(tby_boardinfo_write(buf, sizeof buf, &setup, TBY_LOSSY, &err) > 0);
    assert_int_equal(err.status, TBY_OK);
    assert_int_equal(read_good(buf).castling, setup_of("1r2k2r/8/8/8/8/8/8/1R2K2R w Kk - 0 1").castling);
    /* The king is on another file, so rooks in the corners grant no right. */
    const tby_setup king_on_d = setup_of("r2k3r/8/8/8/8/8/8/R2K3R w HAha - 0 1");
    assert_int_equal(tby_boardinfo_write(buf, sizeof buf, &king_on_d, 0, &err), 0);
    assert_int_equal(err.status, TBY_CANNOT_HOLD);
}

TEST(test_boardinfo__what_the_reader_refuses_is_not_written)
{
    char buf[TBY_BOARDINFO_SIZE];
    tby_error err;
    tby_setup setup = setup_of(START_FEN);
    setup.en_passant = TBY_SQUARE(4, 5);
    assert_int_equal(tby_boardinfo_write(buf, sizeof buf, &setup, 0, &err), 0);
    assert_int_equal(err.status, TBY_CANNOT_HOLD);
    assert_non_null(strstr(err.detail, "en passant"));
    setup.en_passant = 200;
    assert_true(tby_boardinfo_write(buf, sizeof buf, &setup, TBY_LOSSY, &err) > 0);
    assert_string_equal(buf, START);
}

TEST(test_boardinfo__a_small_buffer_holds_the_empty_text) { assert_small_buffers_are_empty(strlen(START)); }

TEST(test_boardinfo__random_games_are_read_back) { visit_random_games(200, 150, round_trip); }

TEST(test_boardinfo__hostile_text_is_refused_within_bounds)
{
    for_each_mutation(START, read_any);
    for_each_mutation("XXB1000" START_BOARD "+-12+7", read_any);
    for_each_flood(read_any);
}

int main(void) { return tests_run(NULL, NULL); }
