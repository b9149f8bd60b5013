/*
 * test_repetition.c - repeated positions, with castling rights and en passant counted as in FIDE 9.2.3.
 */
#include "support.h"

static void check_line(const char *fen, const char *line, bool is_threefold, bool can_claim)
{
    uint64_t keys[64];
    tby_position pos = position_of(fen);
    const size_t n = play_line(&pos, line, keys);
    if (tby_repetition_is_threefold(keys, n) != is_threefold)
        fail_msg("is_threefold is not %d: %s", is_threefold, line);
    if (tby_repetition_can_claim(&pos, keys, n) != can_claim)
        fail_msg("can_claim is not %d: %s", can_claim, line);
}

TEST(test_repetition__the_third_time_includes_the_first)
{
    check_line(START_FEN, "e2e4 e7e5 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", true, true);
    check_line(START_FEN, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", true, true);
    check_line(START_FEN, "g1f3 g8f6 f3g1", false, false);
}

TEST(test_repetition__a_move_that_repeats_can_be_announced)
{
    check_line(START_FEN, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1", false, true);
}

TEST(test_repetition__en_passant_counts_only_if_it_was_legal)
{
    check_line(START_FEN, "e2e4 c7c5 e4e5 d8b6 g1f3 b6e6 f3g1 d7d5 g1f3 b8c6 f3g1 c6b8 g1f3 b8c6 f3g1 c6b8", true,
               true);
    check_line(START_FEN, "e2e4 a7a6 e4e5 d7d5 g1f3 b8c6 f3g1 c6b8 g1f3 b8c6 f3g1 c6b8", false, true);
    check_line("6k1/1p2p1rp/rP1pR3/2pP1pP1/p1P2P1P/R5K1/8/8 b - - 0 1", "h7h5 e6h6 g7h7 h6e6 h7g7 e6h6 g7h7 h6e6 h7g7",
               true, true);
}

TEST(test_repetition__castling_rights_make_a_difference)
{
    check_line(START_FEN, "e2e4 e7e5 e1e2 e8e7 e2e1 e7e8 e1e2 e8e7 e2e1 e7e8", false, false);
    check_line(START_FEN, "e2e4 e7e5 e1e2 e8e7 e2e1 e7e8 e1e2 e8e7 e2e1 e7e8 e1e2 e8e7", true, true);
}

TEST(test_repetition__counts_and_fivefold)
{
    uint64_t keys[64];
    tby_position pos = position_of(START_FEN);
    char line[200] = "";
    for (unsigned n_times = 1; n_times <= 6; n_times++) {
        tby_position played = pos;
        const size_t n = play_line(&played, line, keys);
        assert_int_equal(tby_repetition_count(keys, n), n_times);
        assert_int_equal(tby_repetition_is_fivefold(keys, n), n_times >= 5);
        strcat(line, "g1f3 g8f6 f3g1 f6g8 ");
    }
    assert_int_equal(tby_repetition_count(NULL, 0), 0);
    assert_false(tby_repetition_is_threefold(NULL, 0));
    assert_false(tby_repetition_can_claim(&pos, NULL, 0));
}

int main(void) { return tests_run(NULL, NULL); }
