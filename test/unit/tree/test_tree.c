/*
 * test_tree.c - the tree grown from the rules: the samples, transpositions, marks, and the text of a node.
 *
 *     tree_depth3_sample.txt, tree_depth4_sample.txt   some nodes of the tree of that depth, each after "== PATH"
 */
#include "tree_support.h"

#include "tree/tree.h"

/* ---- Samples ------------------------------------------------------------------------------------------- */

/* The last number of "== 0/1/21/info.txt ". */
static tby_tree_id number_of(const char *path)
{
    const char *last = "0";
    for (const char *p = path; *p != '\n'; p++)
        if (*p == '/' && p[1] >= '0' && p[1] <= '9')
            last = p + 1;
    return (tby_tree_id)strtoul(last, NULL, 10);
}

/* The text and the path of every node in a sample match the tree. */
static size_t check_sample(const char *name, unsigned depth)
{
    char path[4096];
    size_t n = 0;
    snprintf(path, sizeof path, "%s/vectors/%s", TBY_TEST_DIR, name);
    text sample = file_text(path);
    tby_tree *tree = grow(START_FEN, depth);
    text whole = tree_text(tree);
    for (const char *at = sample.s; *at;) {
        const char *end = strstr(at + 1, "\n== ");
        const size_t length = end ? (size_t)(end + 1 - at) : strlen(at);
        char *part = calloc(length + 1, 1);
        assert_non_null(part);
        memcpy(part, at, length);
        if (!strstr(whole.s, part))
            fail_msg("%s: not in the tree: %.200s", name, part);
        text own = node_text(tree, number_of(part));
        assert_string_equal(own.s, strchr(part, '\n') + 1);
        free(own.s);
        free(part);
        at += length;
        n++;
    }
    tby_tree_free(tree);
    free(sample.s);
    free(whole.s);
    return n;
}

TEST(test_tree__samples_match_byte_for_byte)
{
    assert_int_equal(check_sample("tree_depth3_sample.txt", 3), 13);
    assert_int_equal(check_sample("tree_depth4_sample.txt", 4), 15);
}

TEST(test_tree__the_number_of_nodes_at_each_depth_is_as_documented)
{
    static const size_t NEW[] = {1, 20, 400, 5362, 72013};
    size_t n[5] = {0};
    tby_tree *tree = grow(START_FEN, 4);
    for (tby_tree_id id = 0; id < tby_tree_n_nodes(tree); id++)
        n[tby_tree_depth(tree, id)]++;
    for (int i = 0; i < 5; i++)
        assert_int_equal(n[i], NEW[i]);
    tby_tree_free(tree);
}

/* ---- Positions ----------------------------------------------------------------------------------------- */

TEST(test_tree__transpositions_meet)
{
    tby_tree *tree = grow(START_FEN, 3);
    const tby_tree_node a = node_after(tree, "e2e3 e7e6 d2d3"), b = node_after(tree, "d2d3 e7e6 e2e3");
    assert_int_equal(a.id, b.id);
    assert_int_equal(a.n_from, 2);
    assert_int_equal(a.from[0], node_after(tree, "d2d3 e7e6").id);
    assert_int_equal(a.from[1], node_after(tree, "e2e3 e7e6").id);
    assert_int_equal(tby_tree_parent(tree, a.id), a.from[0]);
    tby_tree_free(tree);
}

TEST(test_tree__a_node_may_lead_back_to_the_root)
{
    tby_tree *tree = grow(START_FEN, 4);
    assert_int_equal(node_after(tree, "g1f3 g8f6 f3g1 f6g8").id, 0);
    assert_int_equal(node_after(tree, "").n_from, 4);
    tby_tree_free(tree);
}

TEST(test_tree__castling_rights_make_another_node)
{
    tby_tree *tree = grow("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", 4);
    assert_int_not_equal(node_after(tree, "a1b1 a8b8 b1a1 b8a8").id, 0);
    assert_int_not_equal(node_after(tree, "a1b1 a8b8 b1a1 b8a8").id, node_after(tree, "h1g1 h8g8 g1h1 g8h8").id);
    assert_int_equal(node_after(tree, "a1b1 a8b8 b1a1 b8a8").id, node_after(tree, "a1c1 a8c8 c1a1 c8a8").id);
    tby_tree_free(tree);
}

TEST(test_tree__en_passant_counts_only_if_it_is_legal)
{
    tby_tree *tree = grow("4k3/8/8/8/1p6/8/P2P4/4K3 w - - 0 1", 3);
    /* Legal: not the same node as the same pawns without the right. */
    assert_int_equal(node_after(tree, "a2a4").pos.en_passant, square_of("a3"));
    /* No pawn can capture. */
    assert_int_equal(node_after(tree, "d2d4").pos.en_passant, TBY_NO_SQUARE);
    assert_int_not_equal(node_after(tree, "a2a4 e8e7 d2d4").id, node_after(tree, "d2d4 e8e7 a2a4").id);
    assert_int_equal(node_after(tree, "d2d4 e8e7 d4d5").id, node_after(tree, "d2d4 e8e7 d4d5").id);
    tby_tree_free(tree);
    /* A pawn could capture but is pinned, so d2d4 and d2d3, d3d4 lead to the same node. */
    tree = grow("8/8/8/8/R3p2k/8/3P4/4K3 w - - 0 1", 1);
    assert_int_equal(node_after(tree, "d2d4").pos.en_passant, TBY_NO_SQUARE);
    tby_tree_free(tree);
}

TEST(test_tree__the_clock_is_that_of_the_first_path)
{
    tby_tree *tree = grow("4k3/8/8/8/8/8/P7/4K3 w - - 7 9", 4);
    assert_int_equal(node_after(tree, "").pos.clock, 7);
    assert_int_equal(node_after(tree, "e1d1").pos.clock, 8);
    assert_int_equal(node_after(tree, "a2a3 e8d8").pos.clock, 1);
    tby_tree_free(tree);
}

/* ---- Marks --------------------------------------------------------------------------------------------- */

static void check_marks(const char *fen, unsigned marks)
{
    const tby_position pos = position_of(fen);
    if (tby_tree_marks_of(&pos) != marks)
        fail_msg("%s: marks %u", fen, tby_tree_marks_of(&pos));
}

TEST(test_tree__marks_say_how_a_game_ends)
{
    check_marks(START_FEN, 0);
    check_marks("rnb1kbnr/pppp1ppp/8/4p3/5PPq/8/PPPPP2P/RNBQKBNR w KQkq - 1 3", TBY_TREE_CHECKMATE);
    check_marks("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", TBY_TREE_STALEMATE);
    check_marks("8/8/8/4k3/8/4K3/8/8 w - - 0 1", TBY_TREE_DEAD);
    check_marks("8/8/8/4k3/8/4K1N1/8/8 w - - 0 1", TBY_TREE_DEAD);
    /* Neither king can ever cross the wall of pawns. */
    check_marks("4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/4K3 w - - 0 1", TBY_TREE_DEAD);
    /* Stalemate, and not enough material to mate. */
    check_marks("k7/8/1K6/8/8/8/8/2B5 b - - 0 1", TBY_TREE_DEAD);
    check_marks("8/8/8/8/8/1B6/2K5/k7 b - - 0 1", TBY_TREE_STALEMATE | TBY_TREE_DEAD);
}

/* ---- Texts --------------------------------------------------------------------------------------------- */

static const char NODE[] = "#61735\n"
                           "rnb1kbnr/pppp1ppp/8/4p3/5PPq/8/PPPPP2P/RNBQKBNR w KQkq - 1\n"
                           "\n"
                           "from #4553\n"
                           "checkmate!\n"
                           "comment games 3: 1-0 0, 1/2-1/2 1, 0-1 2, * 0\n"
                           "comment the fool's mate\n";

/* Returns NULL if the text is refused. */
static const tby_tree_node *read_text(tby_tree_text *parser, const char *s, size_t *line, tby_failure *f)
{
    const tby_tree_node *node;
    const tby_status status = tby_tree_text_read(&node, line, parser, s, strlen(s), f);
    assert_int_equal(status, node ? TBY_OK : TBY_INVALID_TREE);
    return node;
}

TEST(test_tree__the_text_of_a_node_is_read_back)
{
    tby_failure failure;
    size_t line;
    text back = {0};
    tby_tree_text *parser = tby_tree_text_new();
    const tby_tree_node *node = read_text(parser, NODE, &line, &failure);
    assert_non_null(node);
    assert_int_equal(node->id, 61735);
    assert_int_equal(node->n_from, 1);
    assert_int_equal(node->marks, TBY_TREE_CHECKMATE);
    assert_true(node->has_games && node->results[TBY_BLACK_WINS] == 2 && node->results[TBY_DRAW] == 1);
    assert_true(tby_tree_node_write(node, add_text, &back));
    assert_string_equal(back.s, NODE);
    free(back.s);
    tby_tree_text_free(parser);
}

TEST(test_tree__texts_with_faults_are_refused_with_the_line)
{
    static const struct {
        size_t line;
        const char *text, *why;
    } CASES[] = {
        {1, "", "too soon"},
        {1, "#0", "does not end"},
        {1, "0\n", "number of the node"},
        {1, "#00\n", "number of the node"},
        {1, "#4294967295\n", "number of the node"},
        {2, "#0\n", "too soon"},
        {2, "#0\n8/8/8/8/8/8/8/8 w - - 0\n\n", "king"},
        {2, "#0\nnonsense\n\n", "placement"},
        {2, "#0\n4k3/8/8/8/8/8/8/4K3 w - - 0 1\n\n", "fen"},
        {2, "#0\n4k3/8/8/8/3P4/8/8/4K3 b - d3 0\n\n", "\"4k3/8/8/8/3P4/8/8/4K3 b - - 0\" expected"},
        {3, "#0\n4k3/8/8/8/8/8/8/4K3 w - - 0\nfrom #1\n", "empty line"},
        {4, "#0\n4k3/8/8/8/8/8/8/4K3 w - - 0\n\nfrom 1\n", "from #"},
        {5, "#0\n4k3/8/8/8/8/8/8/4K3 w - - 0\n\nfrom #2\nfrom #2\n", "not in order"},
        {4, "#0\n4k3/8/8/8/8/8/8/4K3 w - - 0\n\nKd2) #1\n", "shortest text of the move, which is \"d2\""},
        {4, "#0\n4k3/8/8/8/8/8/8/4K3 w - - 0\n\n5) #1\n", "no legal move fits"},
        {4, "#0\n4k3/8/8/8/8/8/8/4K3 w - - 0\n\n2) #1\n", "3 legal moves fit"},
        {4, "#0\n4k3/8/8/8/8/8/8/4K3 w - - 0\n\nd2)#1\n", "expected after the move"},
        {5, "#0\n4k3/8/8/8/8/8/8/4K3 w - - 0\n\ne) #1\nd2) #2\n", "not in order"},
        {5, "#0\n4k3/8/8/8/8/8/8/4K3 w - - 0\n\nd2) #2\nfrom #1\n", "out of order"},
        {5, "#0\n4k3/8/8/8/8/8/8/4K3 w - - 0\n\ncheckmate!\ncheckmate!\n", "twice"},
        {4, "#0\n4k3/8/8/8/8/8/8/4K3 w - - 0\n\nnonsense\n", "unexpected line"},
        {4, "#0\n4k3/8/8/8/8/8/8/4K3 w - - 0\n\ncomment games 3: 1-0 1, 1/2-1/2 1, 0-1 0, * 0\n", "add up"},
        {4, "#0\n4k3/8/8/8/8/8/8/4K3 w - - 0\n\ncomment games 3\n", "games"},
    };
    tby_failure failure;
    tby_tree_text *parser = tby_tree_text_new();
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        size_t line;
        if (read_text(parser, CASES[i].text, &line, &failure))
            fail_msg("taken: %s", CASES[i].text);
        if (!strstr(failure.text, CASES[i].why) || line != CASES[i].line)
            fail_msg("%s: line %zu, %s", CASES[i].text, line, failure.text);
    }
    tby_tree_text_free(parser);
}

TEST(test_tree__a_megabyte_of_anything_is_refused)
{
    enum { N = 1 << 20 };
    char *s = malloc(N);
    tby_failure f;
    const tby_tree_node *node;
    size_t line;
    tby_tree_text *parser = tby_tree_text_new();
    for (int c = 0; c < 256; c++) {
        memset(s, c, N);
        assert_int_equal(tby_tree_text_read(&node, &line, parser, s, N, &f), TBY_INVALID_TREE);
        assert_null(node);
    }
    tby_tree_text_free(parser);
    free(s);
}

/* ---- Limits -------------------------------------------------------------------------------------------- */

/* A tree that has used up all node numbers. */
TEST(test_tree__running_out_of_numbers_is_not_reported_as_no_memory)
{
    tby_failure f = {.status = TBY_OK};
    const tby_position pos = position_of(START_FEN);
    tby_tree full = {.n_nodes = TBY_TREE_NONE};
    assert_false(tree_add_node(&full, &pos, 0, 0, &f));
    assert_int_equal(f.status, TBY_TOO_MANY);
    assert_string_equal(f.text, "a tree holds at most 4294967295 positions");
    assert_true(tree_has_number(TBY_TREE_NONE - 1, &f));
    /* The first failure is the one that is reported. */
    failure_no_memory(&f);
    assert_int_equal(f.status, TBY_TOO_MANY);
}

static bool end_at_once(void *context, double fraction)
{
    (void)context;
    (void)fraction;
    return false;
}

TEST(test_tree__growing_can_be_interrupted)
{
    tby_failure failure;
    const tby_position pos = position_of(START_FEN);
    const tby_tree_work work = {.progress = end_at_once};
    tby_tree *tree;
    assert_int_equal(tby_tree_grow(&tree, &pos, 3, &work, &failure), TBY_INTERRUPTED);
    assert_string_equal(failure.text, "interrupted");
    assert_null(tree);
}

static bool refuse(void *context, const char *s, size_t n)
{
    (void)context;
    (void)s;
    (void)n;
    return false;
}

TEST(test_tree__a_sink_that_refuses_is_reported)
{
    tby_failure failure;
    tby_tree *tree = grow(START_FEN, 1);
    assert_int_equal(tby_tree_write_text(tree, refuse, NULL, &failure), TBY_IO_ERROR);
    assert_string_equal(failure.text, "the text of node #0 could not be written");
    tby_tree_free(tree);
}

/* ---- Export -------------------------------------------------------------------------------------------- */

TEST(test_tree__as_a_game_it_has_every_move)
{
    tby_tree *tree = grow(START_FEN, 3);
    tby_failure failure;
    tby_game *game;
    assert_int_equal(tby_tree_game(&game, tree, &failure), TBY_OK);
    size_t n_moves = 0;
    for (tby_tree_id id = 0; id < tby_tree_n_nodes(tree); id++) {
        tby_tree_node node;
        tby_tree_node_at(&node, tree, id);
        n_moves += node.n_moves;
    }
    assert_int_equal(n_moves, 20 + 400 + 8902);
    assert_int_equal(tby_game_n_nodes(game), n_moves + 1);
    text pgn = {0};
    assert_true(tby_pgn_write(game, 0, add_text, &pgn));
    assert_non_null(strstr(pgn.s, "1. a4 (1. a3"));
    assert_non_null(strstr(pgn.s, "{= #"));
    free(pgn.s);
    tby_game_free(game);
    tby_tree_free(tree);
}

int main(void) { return tests_run(NULL, NULL); }
