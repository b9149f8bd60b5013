/*
 * test_diagram.c - text diagrams: boards from both sides, ASCII and figurines, and small buffers.
 */
#include <string.h>

#include "tabiya_value.h"
#include "tests.h"

static tby_board start_board(void)
{
    tby_setup setup;
    tby_setup_start(&setup);
    return setup.board;
}

static void assert_diagram(const tby_board *board, unsigned flags, const char *expected)
{
    char buf[TBY_DIAGRAM_SIZE];
    size_t length = tby_diagram_write(buf, sizeof buf, board, flags);
    assert_string_equal(buf, expected);
    assert_int_equal(length, strlen(expected));
}

TEST(test_diagram__start_in_ascii)
{
    tby_board board = start_board();
    assert_diagram(&board, 0,
                   "r n b q k b n r\n"
                   "p p p p p p p p\n"
                   ". . . . . . . .\n"
                   ". . . . . . . .\n"
                   ". . . . . . . .\n"
                   ". . . . . . . .\n"
                   "P P P P P P P P\n"
                   "R N B Q K B N R\n");
}

TEST(test_diagram__coordinates_are_left_and_below)
{
    tby_setup setup;
    tby_setup_clear(&setup);
    tby_setup_put(&setup, TBY_SQUARE(4, 0), TBY_PIECE(TBY_WHITE, TBY_KING));
    tby_setup_put(&setup, TBY_SQUARE(0, 6), TBY_PIECE(TBY_BLACK, TBY_PAWN));
    assert_diagram(&setup.board, TBY_DIAGRAM_COORDINATES,
                   "8 . . . . . . . .\n"
                   "7 p . . . . . . .\n"
                   "6 . . . . . . . .\n"
                   "5 . . . . . . . .\n"
                   "4 . . . . . . . .\n"
                   "3 . . . . . . . .\n"
                   "2 . . . . . . . .\n"
                   "1 . . . . K . . .\n"
                   "  a b c d e f g h\n");
}

TEST(test_diagram__black_sees_h1_at_the_top_left)
{
    tby_board board = start_board();
    assert_diagram(&board, TBY_DIAGRAM_BLACK_UP | TBY_DIAGRAM_COORDINATES,
                   "1 R N B K Q B N R\n"
                   "2 P P P P P P P P\n"
                   "3 . . . . . . . .\n"
                   "4 . . . . . . . .\n"
                   "5 . . . . . . . .\n"
                   "6 . . . . . . . .\n"
                   "7 p p p p p p p p\n"
                   "8 r n b k q b n r\n"
                   "  h g f e d c b a\n");
}

TEST(test_diagram__figurines_in_utf8)
{
    tby_board board = start_board();
    assert_diagram(&board, TBY_DIAGRAM_UNICODE,
                   "♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜\n"
                   "♟ ♟ ♟ ♟ ♟ ♟ ♟ ♟\n"
                   "· · · · · · · ·\n"
                   "· · · · · · · ·\n"
                   "· · · · · · · ·\n"
                   "· · · · · · · ·\n"
                   "♙ ♙ ♙ ♙ ♙ ♙ ♙ ♙\n"
                   "♖ ♘ ♗ ♕ ♔ ♗ ♘ ♖\n");
}

/* The two sides see the same squares in reverse order. */
TEST(test_diagram__the_two_sides_are_the_reverse_of_each_other)
{
    tby_setup setup;
    tby_setup_clear(&setup);
    for (unsigned square = 0; square < 64; square += 5)
        tby_setup_put(&setup, (tby_square)square, TBY_PIECE(square & 1, 1 + square % 6));
    char white[TBY_DIAGRAM_SIZE], black[TBY_DIAGRAM_SIZE];
    size_t length = tby_diagram_write(white, sizeof white, &setup.board, 0);
    assert_int_equal(tby_diagram_write(black, sizeof black, &setup.board, TBY_DIAGRAM_BLACK_UP), length);
    for (size_t i = 0; i + 1 < length; i++)
        assert_int_equal(white[i], black[length - 2 - i]);
}

TEST(test_diagram__a_small_buffer_holds_the_empty_text)
{
    tby_board board = start_board();
    char buf[TBY_DIAGRAM_SIZE];
    for (unsigned flags = 0; flags < 8; flags++) {
        size_t whole = tby_diagram_write(NULL, 0, &board, flags);
        for (size_t cap = 1; cap <= whole; cap++) {
            memset(buf, '#', sizeof buf);
            assert_int_equal(tby_diagram_write(buf, cap, &board, flags), whole);
            assert_int_equal(buf[0], '\0');
            assert_int_equal(buf[cap], '#');
        }
        assert_int_equal(tby_diagram_write(buf, whole + 1, &board, flags), whole);
        assert_int_equal(strlen(buf), whole);
    }
}

TEST(test_diagram__size_suffices_for_a_full_board)
{
    tby_setup setup;
    tby_setup_clear(&setup);
    for (unsigned square = 0; square < 64; square++)
        tby_setup_put(&setup, (tby_square)square, TBY_PIECE(TBY_BLACK, TBY_QUEEN));
    for (unsigned flags = 0; flags < 8; flags++)
        assert_true(tby_diagram_write(NULL, 0, &setup.board, flags) < TBY_DIAGRAM_SIZE);
}

int main(void) { return tests_run(NULL, NULL); }
