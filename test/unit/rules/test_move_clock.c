/*
 * test_move_clock.c - fifty moves are 100 half-moves, and when a draw can be claimed.
 */
#include "support.h"

static void check_clock(const char *fen, bool is_fifty, bool can_claim, bool is_seventy_five)
{
    const tby_position pos = position_of(fen);
    if (tby_move_clock_is_fifty(&pos) != is_fifty || tby_move_clock_can_claim_fifty(&pos) != can_claim ||
        tby_move_clock_is_seventy_five(&pos) != is_seventy_five)
        fail_msg("%s: expected %d %d %d", fen, is_fifty, can_claim, is_seventy_five);
}

TEST(test_move_clock__fifty_moves_are_a_hundred_plies)
{
    check_clock("8/8/8/8/4k3/8/3K2p1/5r2 w - - 50 119", false, false, false);
    check_clock("8/8/8/8/4k3/8/3K4/5r2 w - - 98 119", false, false, false);
    check_clock("8/8/8/8/4k3/8/3K4/5r2 w - - 100 119", true, true, false);
    check_clock("8/8/8/8/4k3/8/3K4/5r2 w - - 149 119", true, true, false);
    check_clock("8/8/8/8/4k3/8/3K4/5r2 w - - 150 119", true, true, true);
}

TEST(test_move_clock__the_hundredth_ply_can_be_announced)
{
    check_clock("8/8/8/8/4k3/8/3K4/5r2 w - - 99 119", false, true, false);
}

TEST(test_move_clock__announcing_needs_a_move_that_keeps_the_clock)
{
    check_clock("k7/8/8/8/8/p7/P1r5/K7 w - - 99 119", false, true, false);     /* Kb1 */
    check_clock("k7/8/8/8/6p1/pr6/P5P1/K7 w - - 99 119", false, false, false); /* only the pawns can move */
    check_clock("k7/8/8/8/8/8/r7/K7 w - - 99 119", false, true, false);        /* Kb1, not only Kxa2 */
    check_clock("k7/8/8/8/8/1r6/r7/K7 w - - 99 119", false, false, false);     /* only Kxa2 */
}

TEST(test_move_clock__nothing_can_be_claimed_after_the_game_is_over)
{
    check_clock("8/8/2p5/3b1K1k/4p3/4Pp1R/5P2/8 b - - 100 113", true, false, false);
    check_clock("7k/5KQ1/8/8/8/8/8/8 b - - 150 200", true, false, true);
    check_clock("7k/5Q2/6K1/8/8/8/8/8 b - - 150 200", true, false, true);
}

int main(void) { return tests_run(NULL, NULL); }
