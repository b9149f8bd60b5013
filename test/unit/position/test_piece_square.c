/*
 * test_piece_square.c - the tables compared with docs/piece-square.md, their symmetries, and the interpolation by
 * phase.
 */
#include <stdio.h>
#include <string.h>

#include "tabiya_value.h"
#include "tests.h"

#define SQ(file, rank) TBY_SQUARE((file) - 'a', (rank)-1)
#define PUT(file, rank, color, kind) tby_setup_put(&setup, SQ(file, rank), TBY_PIECE(color, kind))

static const tby_kind KINDS[6] = {TBY_PAWN, TBY_KNIGHT, TBY_BISHOP, TBY_ROOK, TBY_QUEEN, TBY_KING};

/* A file of the source tree. */
static char *read_source(const char *name)
{
    char path[1024];
    assert_true(snprintf(path, sizeof path, "%s/../%s", TBY_TEST_DIR, name) < (int)sizeof path);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("cannot open %s", path);
    char *text = calloc(1, 65536);
    assert_non_null(text);
    assert_true(fread(text, 1, 65535, file) < 65535);
    fclose(file);
    return text;
}

TEST(test_piece_square__the_documented_tables_are_the_tables)
{
    static const char *const names[6] = {"Pawn", "Knight", "Bishop", "Rook", "Queen", "King"};
    char *doc = read_source("docs/piece-square.md");
    for (int i = 0; i < 12; i++) {
        char head[32];
        snprintf(head, sizeof head, "\n%s, %s:\n", names[i / 2], i % 2 ? "endgame" : "middlegame");
        char *at = strstr(doc, head);
        assert_non_null(at);
        at += strlen(head);
        for (int n = 0; n < 64; n++) {
            char *end;
            long value = strtol(at, &end, 10);
            assert_ptr_not_equal(at, end);
            at = end;
            tby_square square = TBY_SQUARE(n % 8, 7 - n / 8);
            assert_int_equal(tby_piece_square_value(TBY_PIECE(TBY_WHITE, KINDS[i / 2]), square, (tby_phase)(i % 2)),
                             value);
        }
    }
    free(doc);
}

TEST(test_piece_square__black_mirrors_white)
{
    for (int i = 0; i < 12; i++)
        for (unsigned square = 0; square < 64; square++)
            assert_int_equal(
                tby_piece_square_value(TBY_PIECE(TBY_WHITE, KINDS[i / 2]), (tby_square)square, (tby_phase)(i % 2)),
                tby_piece_square_value(TBY_PIECE(TBY_BLACK, KINDS[i / 2]), (tby_square)(square ^ 56),
                                       (tby_phase)(i % 2)));
}

TEST(test_piece_square__left_and_right_are_symmetric)
{
    for (int i = 0; i < 12; i++)
        for (unsigned square = 0; square < 64; square++)
            assert_int_equal(
                tby_piece_square_value(TBY_PIECE(TBY_WHITE, KINDS[i / 2]), (tby_square)square, (tby_phase)(i % 2)),
                tby_piece_square_value(TBY_PIECE(TBY_WHITE, KINDS[i / 2]), (tby_square)(square ^ 7),
                                       (tby_phase)(i % 2)));
}

TEST(test_piece_square__the_documented_ideas_hold)
{
    tby_piece king = TBY_PIECE(TBY_WHITE, TBY_KING), knight = TBY_PIECE(TBY_BLACK, TBY_KNIGHT);
    assert_true(tby_piece_square_value(king, SQ('g', 1), TBY_MIDDLEGAME) >
                tby_piece_square_value(king, SQ('e', 4), TBY_MIDDLEGAME));
    assert_true(tby_piece_square_value(king, SQ('g', 1), TBY_ENDGAME) <
                tby_piece_square_value(king, SQ('e', 4), TBY_ENDGAME));
    assert_true(tby_piece_square_value(knight, SQ('f', 6), TBY_MIDDLEGAME) >
                tby_piece_square_value(knight, SQ('g', 8), TBY_MIDDLEGAME));
    for (int rank = 3; rank < 7; rank++)
        assert_true(tby_piece_square_value(TBY_PIECE(TBY_WHITE, TBY_PAWN), SQ('e', rank + 1), TBY_ENDGAME) >
                    tby_piece_square_value(TBY_PIECE(TBY_WHITE, TBY_PAWN), SQ('e', rank), TBY_ENDGAME));
}

TEST(test_piece_square__an_empty_square_is_worth_nothing)
{
    tby_setup setup;
    tby_setup_start(&setup);
    for (unsigned square = 0; square < 256; square++) {
        assert_int_equal(tby_piece_square_value(TBY_NO_PIECE, (tby_square)square, TBY_MIDDLEGAME), 0);
        assert_int_equal(tby_piece_square_value(7, (tby_square)square, TBY_ENDGAME), 0);
        assert_int_equal(tby_piece_square_value(16 + TBY_KING, (tby_square)square, TBY_ENDGAME), 0);
        if (square > 63)
            assert_int_equal(tby_piece_square_at(&setup.board, (tby_square)square), 0);
    }
    assert_int_equal(tby_piece_square_value(TBY_PIECE(TBY_WHITE, TBY_KING), TBY_NO_SQUARE, TBY_MIDDLEGAME), 0);
    assert_int_equal(tby_piece_square_at(&setup.board, SQ('e', 4)), 0);
    assert_int_equal(tby_piece_square_sum(&setup.board, TBY_NO_PIECE), 0);
    assert_int_equal(tby_piece_square_sum(&setup.board, 7), 0);
    assert_int_equal(tby_piece_square_sum(&setup.board, 16 + TBY_KING), 0);
}

TEST(test_piece_square__the_start_is_all_middlegame)
{
    tby_setup setup;
    tby_setup_start(&setup);
    for (unsigned square = 0; square < 64; square++)
        assert_int_equal(tby_piece_square_at(&setup.board, (tby_square)square),
                         tby_piece_square_value(tby_board_piece(&setup.board, (tby_square)square), (tby_square)square,
                                                TBY_MIDDLEGAME));
}

TEST(test_piece_square__the_weight_is_capped_at_that_of_the_start)
{
    tby_setup setup;
    tby_setup_clear(&setup);
    for (unsigned file = 0; file < 8; file++)
        tby_setup_put(&setup, TBY_SQUARE(file, 6), TBY_PIECE(TBY_WHITE, TBY_QUEEN));
    PUT('e', 1, TBY_WHITE, TBY_KING);
    assert_int_equal(tby_piece_square_at(&setup.board, SQ('e', 1)),
                     tby_piece_square_value(TBY_PIECE(TBY_WHITE, TBY_KING), SQ('e', 1), TBY_MIDDLEGAME));
}

TEST(test_piece_square__bare_kings_and_pawns_are_all_endgame)
{
    tby_setup setup;
    tby_setup_clear(&setup);
    PUT('g', 1, TBY_WHITE, TBY_KING);
    PUT('a', 7, TBY_WHITE, TBY_PAWN);
    assert_int_equal(tby_piece_square_at(&setup.board, SQ('g', 1)), -38);
    assert_int_equal(tby_piece_square_at(&setup.board, SQ('a', 7)), 92);
}

/* The example in docs/piece-square.md: weight 3, and rounding towards zero for both signs. */
TEST(test_piece_square__worked_example)
{
    tby_setup setup;
    tby_setup_clear(&setup);
    for (const char *file = "abfgh"; *file; file++) {
        PUT(*file, 2, TBY_WHITE, TBY_PAWN);
        PUT(*file, 7, TBY_BLACK, TBY_PAWN);
    }
    PUT('d', 5, TBY_WHITE, TBY_KNIGHT);
    PUT('d', 1, TBY_WHITE, TBY_ROOK);
    PUT('g', 1, TBY_WHITE, TBY_KING);
    PUT('e', 8, TBY_BLACK, TBY_KING);
    assert_int_equal(tby_piece_square_at(&setup.board, SQ('d', 5)), 21);
    assert_int_equal(tby_piece_square_at(&setup.board, SQ('d', 1)), 0);
    assert_int_equal(tby_piece_square_at(&setup.board, SQ('g', 1)), -29);
    assert_int_equal(tby_piece_square_at(&setup.board, SQ('e', 8)), -21);
}

TEST(test_piece_square__the_sum_adds_up_the_squares)
{
    tby_setup setup;
    tby_setup_start(&setup);
    tby_setup_put(&setup, SQ('d', 8), TBY_NO_PIECE); /* a weight that does not divide evenly */
    tby_setup_put(&setup, SQ('b', 1), TBY_NO_PIECE);
    for (unsigned color = 0; color < 2; color++)
        for (int i = 0; i < 6; i++) {
            tby_piece piece = TBY_PIECE(color, KINDS[i]);
            int sum = 0;
            for (unsigned square = 0; square < 64; square++)
                if (tby_board_piece(&setup.board, (tby_square)square) == piece)
                    sum += tby_piece_square_at(&setup.board, (tby_square)square);
            assert_int_equal(tby_piece_square_sum(&setup.board, piece), sum);
        }
}

int main(void) { return tests_run(NULL, NULL); }
