/*
 * test_material.c - which sides can never give mate with their material.
 */
#include "support.h"

static void check_material(const char *fen, bool white, bool black)
{
    const tby_setup setup = setup_of(fen);
    if (tby_material_is_insufficient(&setup.board, TBY_WHITE) != white ||
        tby_material_is_insufficient(&setup.board, TBY_BLACK) != black)
        fail_msg("%s: expected %d %d", fen, white, black);
    assert_int_equal(tby_material_is_draw(&setup.board), white && black);
}

TEST(test_material__bare_kings_and_single_minor_pieces_draw)
{
    check_material("8/5k2/8/8/8/8/3K4/8 w - - 0 1", true, true);
    check_material("8/3k4/8/8/2N5/8/3K4/8 b - - 0 1", true, true);
    check_material("8/3k4/8/8/2B5/8/3K4/8 b - - 0 1", true, true);
}

TEST(test_material__bishops_on_one_colour_draw_however_many)
{
    check_material("B1b1k3/3b4/4b3/8/8/8/8/4KB2 w - - 0 1", true, true);
    check_material("2b5/4kB2/8/8/8/8/5K2/8 b - - 0 16", true, true);
    check_material("8/8/8/8/1b6/8/B1k5/K7 b - - 0 1", false, false);
    check_material("3b4/8/8/6b1/8/8/R7/K1k5 w - - 0 1", false, true);
    check_material("3b4/8/8/6b1/8/8/p7/K1k5 w - - 0 1", true, false);
    check_material("3b4/8/8/6b1/8/8/P7/K1k5 w - - 0 1", false, false); /* a pawn can block the king */
    check_material("8/8/8/8/1n6/8/B7/K1k5 b - - 2 1", false, false);
}

TEST(test_material__a_knight_needs_an_enemy_piece_that_blocks)
{
    check_material("8/8/4K3/8/1n6/8/5k1N/8 w - - 0 50", false, false);
    check_material("8/8/8/3k4/8/8/NN6/K7 w - - 0 1", false, true);
    check_material("8/4qk2/8/8/8/8/3KN3/8 w - - 0 1", true, false);
    check_material("8/4rk2/8/8/8/8/3KN3/8 w - - 0 1", false, false);
    check_material("8/4rk2/8/8/8/8/3KB3/8 w - - 0 1", true, false);
    check_material("8/5k2/8/8/8/8/3KNB2/8 w - - 0 1", false, true);
}

TEST(test_material__pawn_rook_or_queen_suffice)
{
    check_material("8/5k2/8/8/8/8/3K3P/8 w - - 0 1", false, true);
    check_material("8/5k2/8/8/8/8/3K3R/8 w - - 0 1", false, true);
    check_material("8/5k2/8/8/8/8/3K3Q/8 w - - 0 1", false, true);
    check_material(START_FEN, false, false);
}

int main(void) { return tests_run(NULL, NULL); }
