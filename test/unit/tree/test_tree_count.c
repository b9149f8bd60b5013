/*
 * test_tree_count.c - counting positions: the known numbers, and the same numbers whatever the memory and the threads.
 */
#include "tree_support.h"

#include "tree/record.h"

#include <signal.h>
#include <sys/resource.h>

typedef struct counted {
    unsigned n_plies;
    tby_tree_ply plies[16];
} counted;

static bool note_ply(void *context, const tby_tree_ply *ply)
{
    counted *c = context;
    assert_int_equal(ply->ply, c->n_plies);
    c->plies[c->n_plies++] = *ply;
    return true;
}

static counted count(const char *fen, unsigned depth, uint64_t memory, unsigned n_threads)
{
    tby_failure failure;
    counted c = {0};
    const tby_position root = position_of(fen);
    const tby_tree_count options = {.depth = depth, .memory = memory, .on_ply = note_ply};
    const tby_tree_work work = {.n_threads = n_threads, .context = &c};
    if (tby_tree_count_positions(&root, &options, &work, &failure) != TBY_OK)
        fail_msg("%s", failure.text);
    return c;
}

TEST(test_tree_count__positions_from_the_start)
{
    static const uint64_t POSITIONS[] = {1, 20, 400, 5362, 72078, 822518, 9417681};
    static const uint64_t NEW[] = {1, 20, 400, 5362, 72013};
#ifdef TBY_TEST_QUICK
    const unsigned depth = 5;
#else
    const unsigned depth = 6;
#endif
    const counted c = count(START_FEN, depth, (uint64_t)1 << 30, 2);
    assert_int_equal(c.n_plies, depth + 1);
    for (unsigned i = 0; i <= depth; i++)
        assert_int_equal(c.plies[i].n_positions, POSITIONS[i]);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(c.plies[i].n_new, NEW[i]);
}

/* From any position: the counts of the tree in memory. With little memory, runs go to disk. */
static void check_against_tree(const char *fen, unsigned depth)
{
    size_t n_new[16] = {0};
    tby_tree *tree = grow(fen, depth);
    for (tby_tree_id id = 0; id < tby_tree_n_nodes(tree); id++)
        n_new[tby_tree_depth(tree, id)]++;
    tby_tree_free(tree);
    const counted much = count(fen, depth, (uint64_t)1 << 28, 1), little = count(fen, depth, 1, 3);
    for (unsigned i = 0; i <= depth; i++) {
        assert_int_equal(much.plies[i].n_new, n_new[i]);
        assert_int_equal(little.plies[i].n_new, n_new[i]);
        assert_int_equal(much.plies[i].n_positions, little.plies[i].n_positions);
        assert_int_equal(much.plies[i].n_moves, little.plies[i].n_moves);
    }
}

TEST(test_tree_count__new_positions_are_the_nodes_of_the_tree)
{
    check_against_tree(START_FEN, 4);
    check_against_tree("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3);
    check_against_tree("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5);
    check_against_tree("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3);
    check_against_tree("4k3/8/8/8/8/8/8/4K2R b K - 0 1", 6);
}

TEST(test_tree_count__runs_on_disk_are_used_and_right)
{
    const counted c = count(START_FEN, 5, 1, 2);
    assert_int_equal(c.plies[5].n_positions, 822518);
    assert_true(c.plies[5].n_on_disk > 822518);
}

TEST(test_tree_count__a_mate_ends_it)
{
    const counted c = count("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", 3, 0, 0);
    assert_int_equal(c.plies[0].n_positions, 1);
    assert_int_equal(c.plies[1].n_positions, 0);
    assert_int_equal(c.plies[3].n_positions, 0);
}

TEST(test_tree_count__a_missing_folder_for_temporary_files_is_reported)
{
    tby_failure failure;
    const tby_position root = position_of(START_FEN);
    const tby_tree_count options = {.depth = 1, .folder = "/nonexistent/folder"};
    assert_int_equal(tby_tree_count_positions(&root, &options, NULL, &failure), TBY_NOT_FOUND);
    assert_string_equal(failure.text,
                        "cannot create a temporary file in /nonexistent/folder: No such file or directory");
}

TEST(test_tree_count__a_full_disk_is_reported)
{
    tby_failure failure;
    const tby_position root = position_of(START_FEN);
    const tby_tree_count options = {.depth = 3, .memory = 1 << 24};
    struct rlimit before, little;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    little = (struct rlimit){1000, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &little);
    const tby_status status = tby_tree_count_positions(&root, &options, NULL, &failure);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(status, TBY_IO_ERROR);
    assert_string_equal(failure.text, "temporary file: File too large");
}

TEST(test_tree_count__more_plies_than_can_be_counted_are_refused)
{
    tby_failure failure;
    const tby_position root = position_of(START_FEN);
    const tby_tree_count options = {.depth = 101};
    assert_int_equal(tby_tree_count_positions(&root, &options, NULL, &failure), TBY_TOO_DEEP);
}

/* ---- Records ------------------------------------------------------------------------------------------- */

static void check_record(const char *fen)
{
    tby_position pos = position_of(fen);
    uint32_t record[RECORD_EXACT], again[RECORD_EXACT], print[RECORD_FINGERPRINT];
    record_of_position(record, &pos, RECORD_EXACT);
    record_of_position(print, &pos, RECORD_FINGERPRINT);
    const tby_position back = record_position(record, tby_position_side(&pos));
    assert_true(tby_position_same(&pos, &back));
    record_of_position(again, &back, RECORD_EXACT);
    assert_memory_equal(record, again, sizeof record);
    assert_int_equal(print[0], record[0]);
    assert_false(record_is_free(record) || record_is_free(print));
}

TEST(test_tree_count__positions_are_restored_from_records)
{
    check_record(START_FEN);
    check_record("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3");
    check_record("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3");
    check_record("8/8/8/8/R2pP2k/8/8/4K3 b - e3 0 1"); /* not legal: the record does not keep it */
    check_record("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1");
    check_record("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1");
}

int main(void) { return tests_run(NULL, NULL); }
