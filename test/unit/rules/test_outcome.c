/*
 * test_outcome.c - the first reason that ends a game, in FIDE's order.
 */
#include "support.h"

static void check_outcome(const char *fen, tby_result result, tby_reason reason)
{
    const tby_position pos = position_of(fen);
    const tby_outcome outcome = tby_outcome_of(&pos, 1, TBY_UNKNOWN, false);
    if (outcome.result != result || outcome.reason != reason)
        fail_msg("%s: %d, %s", fen, outcome.result, tby_reason_text(outcome.reason));
}

TEST(test_outcome__a_game_continues)
{
    check_outcome(START_FEN, TBY_RESULT_NONE, TBY_REASON_NONE);
    check_outcome("8/8/8/8/4k3/8/3K4/5r2 w - - 149 119", TBY_RESULT_NONE, TBY_REASON_NONE);
}

TEST(test_outcome__mate_comes_before_the_clock)
{
    check_outcome("8/8/2p5/3b1K1k/4p3/4Pp1R/5P2/8 b - - 100 113", TBY_WHITE_WINS, TBY_CHECKMATE);
    check_outcome("7k/5KQ1/8/8/8/8/8/8 b - - 150 200", TBY_WHITE_WINS, TBY_CHECKMATE);
    check_outcome("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", TBY_BLACK_WINS, TBY_CHECKMATE);
}

TEST(test_outcome__stalemate_comes_before_the_clock)
{
    check_outcome("7k/5Q2/6K1/8/8/8/8/8 b - - 150 200", TBY_DRAW, TBY_STALEMATE);
}

TEST(test_outcome__draws_that_need_no_claim)
{
    check_outcome("8/5k2/8/8/8/8/3K4/8 w - - 150 1", TBY_DRAW, TBY_DEAD_POSITION);
    check_outcome("8/8/8/8/4k3/8/3K4/5r2 w - - 150 119", TBY_DRAW, TBY_SEVENTY_FIVE_MOVES);
}

static void check_repeated(unsigned n_times, bool with_claims, tby_reason expected)
{
    tby_position pos = position_of(START_FEN);
    uint64_t keys[64];
    char line[200] = "";
    while (--n_times)
        strcat(line, "g1f3 g8f6 f3g1 f6g8 ");
    const size_t n = play_line(&pos, line, keys);
    const tby_outcome outcome = tby_outcome_of(&pos, tby_repetition_count(keys, n), TBY_UNKNOWN, with_claims);
    assert_int_equal(outcome.reason, expected);
    assert_int_equal(outcome.result, expected == TBY_REASON_NONE ? TBY_RESULT_NONE : TBY_DRAW);
}

TEST(test_outcome__repetitions)
{
    check_repeated(2, true, TBY_REASON_NONE);
    check_repeated(3, false, TBY_REASON_NONE);
    check_repeated(3, true, TBY_THREEFOLD);
    check_repeated(4, true, TBY_THREEFOLD);
    check_repeated(5, false, TBY_FIVEFOLD);
}

TEST(test_outcome__fifty_moves_on_request)
{
    const tby_position pos = position_of("8/8/8/8/4k3/8/3K4/5r2 w - - 100 119");
    const uint64_t key = tby_position_key(&pos), keys[3] = {key, key, key};
    assert_int_equal(tby_outcome_of(&pos, 1, TBY_UNKNOWN, false).reason, TBY_REASON_NONE);
    assert_int_equal(tby_outcome_of(&pos, 1, TBY_UNKNOWN, true).reason, TBY_FIFTY_MOVES);
    assert_int_equal(tby_outcome_of(&pos, tby_repetition_count(keys, 3), TBY_UNKNOWN, true).reason,
                     TBY_FIFTY_MOVES); /* before threefold */
}

TEST(test_outcome__a_dead_position_comes_before_the_clock_and_after_mate)
{
    const tby_position late = position_of("8/8/8/8/4k3/8/3K4/5r2 w - - 150 119");
    const tby_position mate = position_of("7k/5KQ1/8/8/8/8/8/8 b - - 0 1");
    assert_int_equal(tby_outcome_of(&late, 5, TBY_UNKNOWN, false).reason, TBY_SEVENTY_FIVE_MOVES);
    assert_int_equal(tby_outcome_of(&late, 5, TBY_NO, false).reason, TBY_SEVENTY_FIVE_MOVES);
    assert_int_equal(tby_outcome_of(&late, 5, TBY_YES, false).reason, TBY_DEAD_POSITION);
    assert_int_equal(tby_outcome_of(&mate, 5, TBY_YES, true).reason, TBY_CHECKMATE);
}

TEST(test_outcome__every_reason_has_a_text)
{
    assert_string_equal(tby_reason_text(TBY_REASON_NONE), "");
    assert_string_equal(tby_reason_text(TBY_SEVENTY_FIVE_MOVES), "seventy-five moves");
    for (int reason = TBY_CHECKMATE; reason <= TBY_THREEFOLD; reason++)
        assert_true(strlen(tby_reason_text((tby_reason)reason)) > 0);
    assert_string_equal(tby_reason_text((tby_reason)99), "");
}

int main(void) { return tests_run(NULL, NULL); }
