/*
 * test_tree_games.c - the tree of the moves played in games.
 */
#include "tree_support.h"

static tby_tree_games *games_from(const char *fen, unsigned plies)
{
    const tby_position root = position_of(fen);
    tby_tree_games *games = tby_tree_games_new(&root, plies);
    assert_non_null(games);
    return games;
}

static tby_status add_from(tby_tree_games *games, const char *fen, const char *line, tby_result result)
{
    tby_failure failure;
    tby_move moves[512];
    const tby_position start = position_of(fen);
    tby_position pos = start;
    size_t n = 0;
    for (const char *p = line; *p; p += strcspn(p, " "), p += strspn(p, " ")) {
        moves[n] = move_of(&pos, p);
        assert_int_not_equal(moves[n], TBY_MOVE_NONE);
        tby_position_play(&pos, moves[n++], NULL);
    }
    return tby_tree_games_add(games, &start, moves, n, result, &failure);
}

static void add(tby_tree_games *games, const char *line, tby_result result)
{
    assert_int_equal(add_from(games, START_FEN, line, result), TBY_OK);
}

static tby_tree *finish(tby_tree_games *games, uint64_t min_games)
{
    tby_failure failure;
    tby_tree *tree;
    assert_int_equal(tby_tree_games_finish(&tree, games, min_games, &failure), TBY_OK);
    tby_tree_games_free(games);
    return tree;
}

TEST(test_tree_games__only_moves_that_occur_with_their_results)
{
    tby_tree_games *games = games_from(START_FEN, 30);
    add(games, "e2e4 e7e5 g1f3", TBY_WHITE_WINS);
    add(games, "d2d4 g8f6", TBY_BLACK_WINS);
    add(games, "e2e4 c7c5", TBY_DRAW);
    add(games, "", TBY_RESULT_NONE);
    tby_tree *tree = finish(games, 1);
    text t = node_text(tree, 0);
    assert_string_equal(t.s, "#0\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0\n\n"
                             "d4) #1\ne4) #2\ncomment games 4: 1-0 1, 1/2-1/2 1, 0-1 1, * 1\n");
    free(t.s);
    /* 0 -> 1 d4, 2 e4; 1 -> 3 Nf6; 2 -> 4 c5, 5 e5; 5 -> 6 Nf3 */
    assert_int_equal(tby_tree_n_nodes(tree), 7);
    assert_int_equal(node_after(tree, "e2e4 e7e5 g1f3").id, 6);
    assert_int_equal(node_after(tree, "e2e4").results[TBY_DRAW], 1);
    tby_tree_free(tree);
}

TEST(test_tree_games__transpositions_meet_and_count_once_per_game)
{
    tby_tree_games *games = games_from(START_FEN, 30);
    add(games, "e2e3 e7e6 d2d3", TBY_DRAW);
    add(games, "d2d3 e7e6 e2e3", TBY_WHITE_WINS);
    add(games, "g1f3 g8f6 f3g1 f6g8 e2e4", TBY_BLACK_WINS);
    tby_tree *tree = finish(games, 1);
    assert_int_equal(node_after(tree, "e2e3 e7e6 d2d3").id, node_after(tree, "d2d3 e7e6 e2e3").id);
    assert_int_equal(node_after(tree, "e2e3 e7e6 d2d3").n_from, 2);
    const tby_tree_node root = node_after(tree, "");
    assert_int_equal(root.results[1] + root.results[2] + root.results[3], 3);
    assert_int_equal(root.n_from, 1);
    tby_tree_free(tree);
}

TEST(test_tree_games__rare_positions_can_be_left_out)
{
    tby_tree_games *games = games_from(START_FEN, 30);
    for (int i = 0; i < 3; i++)
        add(games, "e2e4 e7e5", TBY_DRAW);
    add(games, "e2e4 c7c5 g1f3", TBY_DRAW);
    add(games, "d2d4", TBY_DRAW);
    tby_tree *tree = finish(games, 2);
    assert_int_equal(tby_tree_n_nodes(tree), 3);
    tby_tree_free(tree);
}

TEST(test_tree_games__only_the_first_half_moves)
{
    tby_tree_games *games = games_from(START_FEN, 2);
    add(games, "e2e4 e7e5 g1f3", TBY_DRAW);
    tby_tree *tree = finish(games, 1);
    assert_int_equal(tby_tree_n_nodes(tree), 3);
    tby_tree_free(tree);
}

TEST(test_tree_games__a_draw_by_repetition_is_marked_where_it_ended)
{
    static const char LINE[] = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    tby_tree_games *games = games_from(START_FEN, 30);
    add(games, "e2e4 e7e5", TBY_DRAW); /* by agreement */
    tby_tree *tree = finish(games, 1);
    assert_int_equal(node_after(tree, "e2e4 e7e5").marks, 0);
    tby_tree_free(tree);

    games = games_from(START_FEN, 30);
    add(games, LINE, TBY_WHITE_WINS); /* did not end that way */
    tree = finish(games, 1);
    assert_int_equal(node_after(tree, "").marks, 0);
    tby_tree_free(tree);

    games = games_from(START_FEN, 7); /* ended beyond the depth of the tree */
    add(games, LINE, TBY_DRAW);
    tree = finish(games, 1);
    assert_int_equal(node_after(tree, "").marks, 0);
    tby_tree_free(tree);

    games = games_from(START_FEN, 30);
    add(games, LINE, TBY_DRAW);
    tree = finish(games, 1);
    assert_int_equal(node_after(tree, "").marks, TBY_TREE_THREEFOLD);
    tby_tree_free(tree);
}

TEST(test_tree_games__a_draw_by_fifty_moves_is_marked_where_it_ended)
{
    static const char FEN[] = "4k3/7r/8/8/8/8/R7/4K3 w - - 98 80";
    tby_tree_games *games = games_from(FEN, 30);
    assert_int_equal(add_from(games, FEN, "e1d1 e8d8", TBY_DRAW), TBY_OK);
    assert_int_equal(add_from(games, FEN, "e1f1", TBY_DRAW), TBY_OK);
    tby_tree *tree = finish(games, 1);
    assert_int_equal(node_after(tree, "e1d1 e8d8").marks, TBY_TREE_FIFTY);
    assert_int_equal(node_after(tree, "e1f1").marks, 0);
    tby_tree_free(tree);
}

TEST(test_tree_games__from_another_root)
{
    static const char FEN[] = "rnbqkbnr/pppp1ppp/4p3/8/8/4P3/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    tby_tree_games *games = games_from(FEN, 1);
    add(games, "e2e3 e7e6 d2d3 d7d6", TBY_DRAW);
    assert_int_equal(add_from(games, START_FEN, "e2e4 e7e6", TBY_DRAW), TBY_NOT_FOUND);
    assert_int_equal(add_from(games, FEN, "d2d3", TBY_DRAW), TBY_OK);
    tby_tree *tree = finish(games, 1);
    assert_int_equal(tby_tree_n_nodes(tree), 2);
    assert_int_equal(node_after(tree, "d2d3").results[TBY_DRAW], 2);
    tby_tree_free(tree);
}

static uint64_t move_result(const tby_tree *tree, const char *line, const char *uci, tby_result result)
{
    const tby_tree_node node = node_after(tree, line);
    const tby_move m = move_of(&node.pos, uci);
    uint64_t results[4];
    for (size_t i = 0; i < node.n_moves; i++)
        if (node.moves[i].move == m) {
            assert_true(tby_tree_move_results(results, tree, node.id, i));
            return results[result];
        }
    fail_msg("%s is not in the tree", uci);
    return 0;
}

TEST(test_tree_games__a_move_counts_its_own_games_not_those_of_the_resulting_position)
{
    tby_tree_games *games = games_from(START_FEN, 30);
    add(games, "e2e4 e7e5 g1f3 b8c6 b1c3 g8f6", TBY_BLACK_WINS);
    add(games, "e2e4 e7e5 g1f3 g8f6 b1c3 b8c6", TBY_BLACK_WINS);
    add(games, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6", TBY_DRAW);
    tby_tree *tree = finish(games, 1);
    assert_int_equal(node_after(tree, "e2e4 e7e5 g1f3 b8c6 b1c3 g8f6").results[TBY_BLACK_WINS], 2);
    assert_int_equal(move_result(tree, "e2e4 e7e5 g1f3 b8c6 b1c3", "g8f6", TBY_BLACK_WINS), 1);
    assert_int_equal(move_result(tree, "e2e4 e7e5 g1f3", "g8f6", TBY_BLACK_WINS), 1);
    assert_int_equal(move_result(tree, "", "e2e4", TBY_BLACK_WINS), 2);
    assert_int_equal(move_result(tree, "", "e2e4", TBY_DRAW), 0);
    assert_int_equal(move_result(tree, "", "g1f3", TBY_DRAW), 2); /* played twice in one game */
    tby_tree_free(tree);
}

TEST(test_tree_games__a_tree_from_the_rules_has_no_results_for_moves)
{
    uint64_t results[4];
    tby_tree *tree = grow(START_FEN, 1);
    assert_false(tby_tree_move_results(results, tree, 0, 0));
    tby_tree_free(tree);
}

/* The numbers are those that `tabiya status` and python-chess print for the positions. */
TEST(test_tree_games__polyglot_keys_are_those_of_the_positions_as_reached)
{
    static const char PINNED[] = "e2e4 c7c5 e4e5 d8b6 g1f3 b6e6 f3g1 d7d5";
    static const char FEN[] = "rnb1kbnr/pp2pppp/4q3/2ppP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 5";
    uint64_t keys[TBY_TREE_POLYGLOT_KEYS_MAX];
    tby_tree_games *games = games_from(START_FEN, 30);
    add(games, PINNED, TBY_DRAW);
    tby_tree *tree = finish(games, 1);
    assert_int_equal(tby_tree_polyglot_keys(keys, tree, node_after(tree, PINNED).id), 1);
    assert_true(keys[0] == UINT64_C(0x25de71ab91a7d1c5));
    assert_int_equal(tby_tree_polyglot_keys(keys, tree, 0), 1);
    assert_true(keys[0] == UINT64_C(0x463b96181691fc9c));
    tby_tree_free(tree);

    /* The root as given, and the same position reached without a double step. */
    games = games_from(FEN, 30);
    assert_int_equal(add_from(games, FEN, "g1f3 b8c6 f3g1 c6b8", TBY_DRAW), TBY_OK);
    tree = finish(games, 1);
    assert_int_equal(tby_tree_polyglot_keys(keys, tree, 0), 2);
    assert_true(keys[0] == UINT64_C(0x25de71ab91a7d1c5));
    const tby_position plain = position_of("rnb1kbnr/pp2pppp/4q3/2ppP3/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 5");
    assert_true(keys[1] == tby_polyglot_key(&plain));
    tby_tree_free(tree);
}

int main(void) { return tests_run(NULL, NULL); }
