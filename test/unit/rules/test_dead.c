/*
 * test_dead.c - positions in which neither side can be mated any more.
 */
#include "support.h"

static tby_verdict verdict_with(const char *fen, size_t n_nodes)
{
    const tby_position pos = position_of(fen);
    void *work = malloc(n_nodes * TBY_DEAD_NODE_SIZE + 1); /* exact size, for AddressSanitizer; never 0 */
    assert_non_null(work);
    const tby_verdict verdict = tby_dead_position(&pos, work, n_nodes * TBY_DEAD_NODE_SIZE);
    free(work);
    return verdict;
}

static void check_verdict(const char *fen, size_t n_nodes, tby_verdict expected)
{
    const tby_verdict verdict = verdict_with(fen, n_nodes);
    if (verdict != expected)
        fail_msg("%s in %zu nodes: %d", fen, n_nodes, verdict);
}

TEST(test_dead__finished_games)
{
    check_verdict("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", 0, TBY_NO); /* mate is already on the board */
    check_verdict("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0, TBY_YES);
    check_verdict("8/5k2/8/8/8/8/3K4/8 w - - 0 1", 0, TBY_YES);
}

TEST(test_dead__forced_captures_need_no_memory)
{
    check_verdict("6Rk/8/7K/8/8/8/8/8 b - - 0 1", 0, TBY_YES);
    check_verdict("r7/K1k5/8/8/8/8/8/8 w - - 4 3", 0, TBY_YES);
    check_verdict("kb6/2N5/1K6/8/8/8/8/8 b - - 0 50", 0, TBY_YES);
    check_verdict("k7/P1K5/8/8/8/8/8/8 b - - 0 1", 0, TBY_YES);
}

TEST(test_dead__locked_pawns_are_recognized_by_search)
{
    static const char *const fens[] = {
        "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1",
        "2k5/6p1/6P1/6PK/6P1/6PR/7P/8 b - - 0 1",
        "8/8/8/1k3p1p/3p1P2/1p1P1PpP/1P4P1/K7 b - - 0 1",
    };
    for (size_t i = 0; i < 3; i++) {
        check_verdict(fens[i], TBY_DEAD_NODES, TBY_YES);
        check_verdict(fens[i], 100, TBY_UNKNOWN);
        check_verdict(fens[i], 0, TBY_UNKNOWN);
    }
}

TEST(test_dead__mates_are_found)
{
    static const char *const fens[] = {
        "7k/1qQ5/p4PPK/6PP/8/5P2/8/8 w - - 0 1",    START_FEN,
        "8/8/8/8/1b6/8/B1k5/K7 b - - 0 1",  /* bishops of opposite colours: Bc3# */
        "8/8/8/8/1n6/8/B7/K1k5 b - - 2 1",  /* Nc2# */
        "8/8/4k3/8/8/2NN4/8/4K3 w - - 0 1", /* cannot be forced, but can happen */
        "4k3/8/8/p2p2p1/P2P2P1/8/8/3QK3 w - - 0 1",
    };
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++)
        check_verdict(fens[i], TBY_DEAD_NODES, TBY_NO);
}

/* With less memory the answer may become unknown, but never the opposite. */
TEST(test_dead__less_memory_never_changes_the_answer)
{
    static const char *const fens[] = {
        "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1",
        "8/8/8/1k3p1p/3p1P2/1p1P1PpP/1P4P1/K7 b - - 0 1",
        "8/8/4k3/8/8/2NN4/8/4K3 w - - 0 1",
        "4k3/8/8/p2p2p1/P2P2P1/8/8/3NK3 w - - 0 1",
    };
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        const tby_verdict full = verdict_with(fens[i], TBY_DEAD_NODES);
        assert_int_not_equal(full, TBY_UNKNOWN);
        for (size_t n_nodes = 0; n_nodes < TBY_DEAD_NODES; n_nodes = n_nodes * 3 / 2 + 1) {
            const tby_verdict verdict = verdict_with(fens[i], n_nodes);
            assert_true(verdict == full || verdict == TBY_UNKNOWN);
        }
    }
}

TEST(test_dead__clock_and_move_number_do_not_matter)
{
    check_verdict("4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 149 500", TBY_DEAD_NODES, TBY_YES);
    check_verdict("8/8/8/8/1b6/8/B1k5/K7 b - - 149 500", TBY_DEAD_NODES, TBY_NO);
}

TEST(test_dead__no_memory_may_be_null)
{
    const tby_position pos = position_of(START_FEN);
    assert_int_equal(tby_dead_position(&pos, NULL, 0), TBY_UNKNOWN);
    assert_int_equal(tby_dead_position(&pos, NULL, 1000000), TBY_UNKNOWN);
}

/* Real games do not reach dead positions before their material is insufficient. */
static void expect_mate_is_possible(const tby_position *pos)
{
    static uint64_t work[TBY_DEAD_NODES * TBY_DEAD_NODE_SIZE / 8];
    if (pos->ply % 16 == 0 && pos->ply < 100)
        assert_int_not_equal(tby_dead_position(pos, work, sizeof work), TBY_YES);
}

TEST(test_dead__open_games_are_not) { visit_random_games(20, 100, expect_mate_is_possible); }

int main(void) { return tests_run(NULL, NULL); }
