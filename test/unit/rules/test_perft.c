/*
 * test_perft.c - the numbers of move sequences that other programs agree on, from test/vectors/perft.tsv.
 *
 *     group  FEN  depth  nodes
 *
 * The positions are the usual suite, Chess960, en passant and double checks. The library's perft must return the count;
 * where the count is small, so must a second perft in this file, which plays and undoes every move with public
 * functions. test/CMakeLists.txt builds this test a second time with the code for processors without x86-64-v3.
 */
#include "support.h"

#ifdef TBY_TEST_QUICK
enum { NODES_MAX = 300000, WALK_NODES_MAX = 10000 };
#else
enum { NODES_MAX = 1000000000, WALK_NODES_MAX = 300000 };
#endif

typedef struct row {
    char group[32], fen[TBY_FEN_SIZE];
    unsigned depth;
    unsigned long long nodes;
} row;

static FILE *open_table(void)
{
    char line[64];
    FILE *file = fopen("test/vectors/perft.tsv", "r");
    if (!file || !fgets(line, sizeof line, file))
        fail_msg("cannot read test/vectors/perft.tsv: the tests run in the root of the source");
    return file;
}

static bool next_row(FILE *file, row *r)
{
    char line[512];
    if (!fgets(line, sizeof line, file))
        return false;
    if (sscanf(line, "%31[^\t]\t%127[^\t]\t%u\t%llu", r->group, r->fen, &r->depth, &r->nodes) != 4)
        fail_msg("perft.tsv: not a row: %s", line);
    return true;
}

/* X-FEN: KQkq are the outermost rooks. In two rows, no legal game leads to the check. */
static tby_position position_of_row(const row *r)
{
    tby_setup setup;
    tby_position pos;
    tby_error err = {0};
    if (tby_fen_read(&setup, r->fen, strlen(r->fen), TBY_FEN_CHESS960, NULL, &err) != TBY_OK)
        fail_msg("%s: %s", r->fen, err.detail);
    if (tby_position_init(&pos, &setup, TBY_FAULTS_UNREACHABLE, &err) != TBY_OK)
        fail_msg("%s: %s", r->fen, err.detail);
    return pos;
}

/* Every move of the list is played and undone, at the last ply too. */
static uint64_t walk(tby_position *pos, unsigned depth)
{
    tby_move moves[TBY_MOVES_MAX];
    const size_t n = tby_moves_list(moves, pos);
    uint64_t nodes = 0;
    for (size_t i = 0; i < n; i++) {
        tby_undo undo;
        tby_position_play(pos, moves[i], &undo);
        nodes += depth == 1 ? 1 : walk(pos, depth - 1);
        tby_position_undo(pos, &undo);
    }
    return nodes;
}

static bool row_holds(const row *r)
{
    tby_position pos = position_of_row(r);
    const tby_position start = pos;
    const unsigned long long nodes = tby_perft(&pos, r->depth);
    if (nodes != r->nodes) {
        print_error("%s: depth %u: expected %llu, got %llu\n", r->fen, r->depth, r->nodes, nodes);
        return false;
    }
    const unsigned long long walked = r->nodes <= WALK_NODES_MAX ? walk(&pos, r->depth) : r->nodes;
    if (walked != r->nodes)
        print_error("%s: depth %u: expected %llu, walked %llu\n", r->fen, r->depth, r->nodes, walked);
    assert_memory_equal(&pos, &start, sizeof pos);
    return walked == r->nodes;
}

static void run_group(const char *group, unsigned n_expected)
{
    FILE *file = open_table();
    row r;
    unsigned n_rows = 0, n_failed = 0;
    while (next_row(file, &r)) {
        if (strcmp(r.group, group) != 0)
            continue;
        n_rows++;
        if (r.nodes <= NODES_MAX)
            n_failed += !row_holds(&r);
    }
    fclose(file);
    assert_int_equal(n_rows, n_expected);
    assert_int_equal(n_failed, 0);
}

TEST(test_perft__start) { run_group("start", 5); }

TEST(test_perft__kiwipete) { run_group("kiwipete", 4); }

TEST(test_perft__standard) { run_group("standard", 126); }

TEST(test_perft__tricky) { run_group("tricky", 18); }

TEST(test_perft__chess960) { run_group("chess960", 60); }

TEST(test_perft__en_passant) { run_group("en_passant", 40); }

TEST(test_perft__double_check) { run_group("double_check", 40); }

TEST(test_perft__every_row_belongs_to_a_group_that_is_run)
{
    FILE *file = open_table();
    row r;
    unsigned n_rows = 0;
    while (next_row(file, &r))
        n_rows++;
    fclose(file);
    assert_int_equal(n_rows, 5 + 4 + 126 + 18 + 60 + 40 + 40);
}

TEST(test_perft__depth_0_is_one_sequence)
{
    const tby_position start = position_of(START_FEN), mate = position_of("7k/5KQ1/8/8/8/8/8/8 b - - 150 200");
    assert_int_equal(tby_perft(&start, 0), 1);
    assert_int_equal(tby_perft(&mate, 0), 1);
    assert_int_equal(tby_perft(&mate, 1), 0);
    assert_int_equal(tby_perft(&mate, 2), 0);
    assert_int_equal(tby_perft(&mate, 5), 0);
}

int main(void) { return tests_run(NULL, NULL); }
