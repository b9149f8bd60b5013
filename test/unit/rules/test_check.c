/*
 * test_check.c - check, mate and stalemate.
 */
#include "support.h"

typedef enum fact { NOTHING, CHECK, MATE, STALEMATE } fact;

static void check_fact(const char *fen, fact expected)
{
    const tby_position pos = position_of(fen);
    assert_int_equal(tby_position_is_check(&pos), expected == CHECK || expected == MATE);
    assert_int_equal(tby_position_is_checkmate(&pos), expected == MATE);
    assert_int_equal(tby_position_is_stalemate(&pos), expected == STALEMATE);
}

TEST(test_check__mates)
{
    check_fact("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", MATE);
    check_fact("6rk/5Npp/8/8/8/8/8/K7 b - - 0 1", MATE); /* smothered */
    check_fact("7k/5KQ1/8/8/8/8/8/8 b - - 150 200", MATE);
}

TEST(test_check__a_check_that_can_be_answered_is_not_mate)
{
    check_fact("4k3/8/8/8/4Q3/8/8/4K3 b - - 0 1", CHECK);
    check_fact("6rk/6pp/7N/8/8/8/1Q6/K5R1 b - - 0 1", NOTHING);
    check_fact("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", CHECK);
    check_fact("8/8/3q1k2/Pp4N1/K7/2R5/8/Nq6 w - b6 0 1", CHECK); /* axb6 is the only answer */
}

TEST(test_check__stalemates)
{
    check_fact("7k/5Q2/6K1/8/8/8/8/8 b - - 150 200", STALEMATE);
    check_fact("k7/P7/K7/8/8/8/8/8 b - - 0 1", STALEMATE);
    check_fact("8/8/8/8/8/5k2/5p2/5K2 w - - 0 1", STALEMATE);
    check_fact("k7/2Q5/1K6/p7/8/8/8/8 b - - 0 1", NOTHING); /* the pawn can still move */
}

TEST(test_check__the_start_is_quiet) { check_fact(START_FEN, NOTHING); }

int main(void) { return tests_run(NULL, NULL); }
