/*
 * test_setup.c - boards assembled piece by piece, the start position, the 960 starts, and invalid bit planes.
 */
#include "support.h"

TEST(test_setup__clear_board_is_empty)
{
    tby_setup setup;
    tby_setup_clear(&setup);
    for (tby_square square = 0; square < 64; square++)
        assert_int_equal(tby_board_piece(&setup.board, square), TBY_NO_PIECE);
    assert_int_equal(setup.castling, 0);
    assert_int_equal(setup.en_passant, TBY_NO_SQUARE);
    assert_int_equal(setup.side, TBY_WHITE);
    assert_int_equal(setup.fullmove, 1);
    assert_int_equal(setup.clock, 0);
}

TEST(test_setup__the_start_is_the_start)
{
    const tby_setup expected = setup_of(START_FEN);
    tby_setup setup;
    tby_setup_start(&setup);
    assert_true(tby_setup_equal(&setup, &expected));
    assert_int_equal(tby_board_piece(&setup.board, square_of("d8")), TBY_PIECE(TBY_BLACK, TBY_QUEEN));
    assert_int_equal(tby_board_color(&setup.board, TBY_WHITE), 0xffff);
    assert_int_equal(tby_board_color(&setup.board, TBY_BLACK), 0xffff000000000000ULL);
    assert_int_equal(tby_board_pieces(&setup.board, TBY_PIECE(TBY_WHITE, TBY_ROOK)), 0x81);
}

/* Numbers and start positions as published with the numbering. */
TEST(test_setup__chess960_numbers_are_those_of_scharnagl)
{
    static const struct {
        unsigned number;
        const char *fen;
    } rows[] = {
        {0, "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1"},
        {1, "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1"},
        {518, START_FEN},
        {519, "rnbqknrb/pppppppp/8/8/8/8/PPPPPPPP/RNBQKNRB w GAga - 0 1"},
        {959, "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w CAca - 0 1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const tby_setup expected = setup_of(rows[i].fen);
        tby_setup setup;
        assert_true(tby_setup_chess960(&setup, rows[i].number));
        assert_true(tby_setup_equal(&setup, &expected));
    }
}

TEST(test_setup__all_960_starts_differ_and_are_legal)
{
    static uint64_t keys[960];
    for (unsigned n = 0; n < 960; n++) {
        tby_setup setup;
        assert_true(tby_setup_chess960(&setup, n));
        assert_int_equal(tby_setup_faults(&setup), 0);
        keys[n] = tby_placement_key(&setup.board);
        for (unsigned other = 0; other < n; other++)
            assert_true(keys[other] != keys[n]);
    }
}

TEST(test_setup__there_is_no_start_960)
{
    tby_setup setup = {.fullmove = 77};
    assert_false(tby_setup_chess960(&setup, 960));
    assert_int_equal(setup.fullmove, 77);
}

TEST(test_setup__put_replaces_and_removes)
{
    tby_setup setup;
    tby_setup_clear(&setup);
    for (int color = 0; color < 2; color++)
        for (int kind = TBY_PAWN; kind <= TBY_QUEEN; kind++) {
            tby_setup_put(&setup, 27, TBY_PIECE(color, kind));
            assert_int_equal(tby_board_piece(&setup.board, 27), TBY_PIECE(color, kind));
            assert_int_equal(tby_board_pieces(&setup.board, TBY_PIECE(color, kind)), 1ULL << 27);
        }
    tby_setup_put(&setup, 27, TBY_NO_PIECE);
    assert_int_equal(tby_board_color(&setup.board, TBY_WHITE) | tby_board_color(&setup.board, TBY_BLACK), 0);
}

TEST(test_setup__put_ignores_invalid_squares_and_pieces)
{
    tby_setup setup, start;
    tby_setup_start(&setup);
    start = setup;
    for (int square = 64; square < 256; square++)
        tby_setup_put(&setup, (tby_square)square, TBY_PIECE(TBY_WHITE, TBY_QUEEN));
    for (int piece = 7; piece < 256; piece++)
        if (piece < 9 || piece > 14)
            tby_setup_put(&setup, 27, (tby_piece)piece);
    assert_true(tby_setup_equal(&setup, &start));
    assert_int_equal(tby_board_piece(&setup.board, TBY_NO_SQUARE), TBY_NO_PIECE);
    assert_int_equal(tby_board_pieces(&setup.board, 200), 0);
}

TEST(test_setup__bits_that_are_not_a_piece_read_as_empty)
{
    const tby_board all = {{~0ULL, ~0ULL, ~0ULL, ~0ULL}}, black_air = {{0, 0, 0, ~0ULL}};
    assert_int_equal(tby_board_piece(&all, 12), TBY_NO_PIECE);
    assert_int_equal(tby_board_piece(&black_air, 12), TBY_NO_PIECE);
    assert_int_equal(tby_board_color(&all, TBY_BLACK), 0);
    assert_int_equal(tby_board_color(&black_air, TBY_BLACK), 0);
    for (int piece = 0; piece < 256; piece++)
        assert_int_equal(tby_board_pieces(&all, (tby_piece)piece), 0);
}

TEST(test_setup__equal_compares_all_six_fields)
{
    tby_setup a, b;
    tby_setup_start(&a);
#define DIFFERS(change)                                                                                                \
    do {                                                                                                               \
        b = a;                                                                                                         \
        assert_true(tby_setup_equal(&a, &b));                                                                          \
        change;                                                                                                        \
        assert_false(tby_setup_equal(&a, &b));                                                                         \
    } while (0)
    DIFFERS(tby_setup_put(&b, 27, 1));
    DIFFERS(b.castling = 1);
    DIFFERS(b.fullmove = 2);
    DIFFERS(b.clock = 1);
    DIFFERS(b.side = TBY_BLACK);
    DIFFERS(b.en_passant = 20);
#undef DIFFERS
}

int main(void) { return tests_run(NULL, NULL); }
