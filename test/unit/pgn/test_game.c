/*
 * test_game.c - the tree of a game: tags, start, moves, variations, comments, NAGs, and an allocator that fails.
 */
#include "pgn_support.h"

static tby_game *new_game(void)
{
    tby_game *game = tby_game_new(NULL);
    assert_non_null(game);
    return game;
}

static tby_node add(tby_game *game, tby_node parent, const char *move)
{
    tby_position pos;
    tby_game_position(game, parent, &pos);
    const tby_node node = tby_game_add(game, parent, move_of(&pos, move));
    assert_int_not_equal(node, TBY_NO_NODE);
    return node;
}

static bool set_tag(tby_game *game, const char *name, const char *value)
{
    return tby_game_set_tag(game, name, strlen(name), value, strlen(value));
}

/* The children of a node as "e2e4 d2d4 ". */
static void expect_children(const tby_game *game, tby_node parent, const char *expected)
{
    text t = {NULL, 0, 0};
    tby_position pos;
    tby_game_position(game, parent, &pos);
    text_append(&t, "", 0);
    for (tby_node node = tby_game_child(game, parent); node != TBY_NO_NODE; node = tby_game_sibling(game, node)) {
        char uci[TBY_UCI_SIZE];
        tby_uci_write(uci, sizeof uci, &pos, tby_game_move(game, node), 0);
        text_format(&t, "%s ", uci);
        assert_int_equal(tby_game_parent(game, node), parent);
    }
    assert_string_equal(t.s, expected);
    free(t.s);
}

/* ---- Tags ----------------------------------------------------------------------------------------------- */

TEST(test_game__tags_keep_their_order)
{
    tby_game *game = new_game();
    assert_true(set_tag(game, "White", "a") && set_tag(game, "ECO", "B00") && set_tag(game, "Event", "x"));
    assert_true(set_tag(game, "White", "someone with a longer name"));
    assert_true(set_tag(game, "ECO", "C"));
    assert_int_equal(tby_game_n_tags(game), 3);
    assert_string_equal(tby_game_tag_name(game, 0), "White");
    assert_string_equal(tby_game_tag_value(game, 0), "someone with a longer name");
    assert_string_equal(tby_game_tag_name(game, 1), "ECO");
    assert_string_equal(tby_game_tag_value(game, 1), "C");
    assert_string_equal(tby_game_tag(game, "Event"), "x");
    assert_null(tby_game_tag(game, "event"));
    assert_null(tby_game_tag_name(game, 3));
    assert_null(tby_game_tag_value(game, 3));
    tby_game_free(game);
}

TEST(test_game__tags_can_be_removed)
{
    tby_game *game = new_game();
    assert_true(set_tag(game, "A", "1") && set_tag(game, "B", "2") && set_tag(game, "C", "3"));
    assert_true(tby_game_remove_tag(game, "B"));
    assert_false(tby_game_remove_tag(game, "B"));
    assert_int_equal(tby_game_n_tags(game), 2);
    assert_string_equal(tby_game_tag_name(game, 1), "C");
    tby_game_free(game);
}

TEST(test_game__a_tag_needs_a_name_that_pgn_can_hold)
{
    static const char *const bad[] = {"", "a b", "_a", "-", "a\"", "a]", "\xc3\xa9"};
    tby_game *game = new_game();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(set_tag(game, bad[i], "x"));
    assert_true(set_tag(game, "9_+#=:-z", "x"));
    assert_int_equal(tby_game_n_tags(game), 1);
    tby_game_free(game);
}

TEST(test_game__many_tags_are_found)
{
    enum { MANY = 20000 };
    char name[16], value[16];
    tby_game *game = new_game();
    for (unsigned round = 0; round < 2; round++)
        for (unsigned i = 0; i < MANY; i++) {
            snprintf(name, sizeof name, "T%u", i);
            snprintf(value, sizeof value, "%u", i + round);
            assert_true(set_tag(game, name, value));
        }
    assert_int_equal(tby_game_n_tags(game), MANY);
    assert_string_equal(tby_game_tag(game, "T0"), "1");
    assert_string_equal(tby_game_tag(game, "T19999"), "20000");
    assert_null(tby_game_tag(game, "T20000"));
    assert_true(tby_game_remove_tag(game, "T0"));
    assert_string_equal(tby_game_tag(game, "T19999"), "20000");
    assert_null(tby_game_tag(game, "T0"));
    tby_game_clear(game);
    assert_null(tby_game_tag(game, "T1"));
    assert_int_equal(tby_game_n_tags(game), 0);
    tby_game_free(game);
}

TEST(test_game__text_of_the_game_may_be_passed_back_to_it)
{
    char long_text[5000];
    memset(long_text, 'x', sizeof long_text);
    tby_game *game = new_game();
    assert_true(tby_game_set_tag(game, "A", 1, long_text, sizeof long_text));
    for (unsigned i = 0; i < 10; i++) { /* every time the text grows, it may move */
        char name[2] = {(char)('B' + i), '\0'};
        assert_true(tby_game_set_tag(game, name, 1, tby_game_tag(game, "A"), sizeof long_text));
        assert_true(tby_game_add_comment(game, TBY_ROOT, TBY_COMMENT_AFTER, tby_game_tag(game, name), 5000));
    }
    assert_memory_equal(tby_game_tag(game, "K"), long_text, sizeof long_text);
    assert_memory_equal(tby_game_comment(game, TBY_ROOT, TBY_COMMENT_AFTER, 9, NULL), long_text, sizeof long_text);
    tby_game_free(game);
}

/* ---- Start and result ----------------------------------------------------------------------------------- */

TEST(test_game__the_start_can_be_set_while_there_are_no_moves)
{
    tby_game *game = new_game();
    const tby_position start = position_of("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert_true(tby_game_set_start(game, &start, true));
    assert_memory_equal(tby_game_start(game), &start, sizeof start);
    assert_true(tby_game_is_chess960(game));
    add(game, TBY_ROOT, "e1e2");
    assert_false(tby_game_set_start(game, &start, false));
    assert_true(tby_game_is_chess960(game));
    tby_game_set_result(game, TBY_DRAW);
    assert_int_equal(tby_game_result(game), TBY_DRAW);
    tby_game_free(game);
}

/* ---- Moves ---------------------------------------------------------------------------------------------- */

TEST(test_game__moves_and_variations)
{
    tby_game *game = new_game();
    const tby_node e4 = add(game, TBY_ROOT, "e2e4"), e5 = add(game, e4, "e7e5"), c5 = add(game, e4, "c7c5");
    add(game, TBY_ROOT, "d2d4");
    add(game, c5, "g1f3");
    add(game, e5, "g1f3");
    expect_children(game, TBY_ROOT, "e2e4 d2d4 ");
    expect_children(game, e4, "e7e5 c7c5 ");
    assert_int_equal(tby_game_n_nodes(game), 7);
    assert_int_equal(tby_game_parent(game, TBY_ROOT), TBY_NO_NODE);
    assert_int_equal(tby_game_sibling(game, TBY_ROOT), TBY_NO_NODE);
    assert_int_equal(tby_game_move(game, TBY_ROOT), TBY_MOVE_NONE);
    tby_move line[2];
    assert_int_equal(tby_game_main_line(game, line, 2), 3);
    assert_int_equal(line[0], tby_game_move(game, e4));
    assert_int_equal(line[1], tby_game_move(game, e5));
    tby_game_free(game);
}

TEST(test_game__position_at_any_node)
{
    char fen[TBY_FEN_SIZE];
    tby_position pos;
    tby_game *game = new_game();
    const tby_node e4 = add(game, TBY_ROOT, "e2e4"), null = tby_game_add(game, e4, TBY_MOVE_NULL);
    tby_game_position(game, null, &pos);
    tby_fen_write_position(fen, sizeof fen, &pos, 0);
    assert_string_equal(fen, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2");
    tby_game_position(game, TBY_ROOT, &pos);
    tby_fen_write_position(fen, sizeof fen, &pos, 0);
    assert_string_equal(fen, START_FEN);
    tby_game_free(game);
}

TEST(test_game__position_after_ten_thousand_plies)
{
    static const char *const moves[4] = {"g1f3", "g8f6", "f3g1", "f6g8"};
    tby_position pos;
    tby_game *game = new_game();
    tby_position_start(&pos);
    tby_node node = TBY_ROOT;
    for (unsigned i = 0; i < 10001; i++) {
        const tby_move m = move_of(&pos, moves[i % 4]);
        tby_position_play(&pos, m, NULL);
        node = tby_game_add(game, node, m);
    }
    tby_position at_end;
    tby_game_position(game, node, &at_end);
    assert_memory_equal(&at_end, &pos, sizeof pos);
    assert_int_equal(tby_game_main_line(game, NULL, 0), 10001);
    tby_game_remove(game, tby_game_child(game, TBY_ROOT));
    assert_int_equal(tby_game_n_nodes(game), 1);
    tby_game_free(game);
}

TEST(test_game__promote_and_demote)
{
    tby_game *game = new_game();
    const tby_node a = add(game, TBY_ROOT, "a2a3"), b = add(game, TBY_ROOT, "b2b3"), c = add(game, TBY_ROOT, "c2c3");
    assert_false(tby_game_promote(game, a));
    assert_false(tby_game_demote(game, c));
    assert_false(tby_game_promote(game, TBY_ROOT));
    assert_false(tby_game_demote(game, TBY_ROOT));
    assert_true(tby_game_promote(game, c));
    expect_children(game, TBY_ROOT, "a2a3 c2c3 b2b3 ");
    assert_true(tby_game_promote(game, c));
    expect_children(game, TBY_ROOT, "c2c3 a2a3 b2b3 ");
    assert_true(tby_game_demote(game, a));
    expect_children(game, TBY_ROOT, "c2c3 b2b3 a2a3 ");
    add(game, TBY_ROOT, "d2d3");
    expect_children(game, TBY_ROOT, "c2c3 b2b3 a2a3 d2d3 ");
    assert_true(tby_game_demote(game, c) && tby_game_demote(game, c) && tby_game_demote(game, c));
    expect_children(game, TBY_ROOT, "b2b3 a2a3 d2d3 c2c3 ");
    (void)b;
    tby_game_free(game);
}

TEST(test_game__removing_keeps_the_rest)
{
    tby_game *game = new_game();
    const tby_node a = add(game, TBY_ROOT, "a2a3"), b = add(game, TBY_ROOT, "b2b3"), c = add(game, TBY_ROOT, "c2c3");
    const tby_node a1 = add(game, a, "a7a6"), c1 = add(game, c, "c7c6");
    add(game, a1, "h2h3");
    add(game, a, "b7b6");
    tby_game_remove(game, a);
    expect_children(game, TBY_ROOT, "b2b3 c2c3 ");
    expect_children(game, c, "c7c6 ");
    assert_int_equal(tby_game_n_nodes(game), 4);
    tby_game_remove(game, c);
    expect_children(game, TBY_ROOT, "b2b3 ");
    add(game, TBY_ROOT, "d2d3");
    expect_children(game, TBY_ROOT, "b2b3 d2d3 ");
    tby_game_remove(game, TBY_ROOT);
    expect_children(game, TBY_ROOT, "");
    assert_int_equal(tby_game_n_nodes(game), 1);
    (void)b;
    (void)c1;
    tby_game_free(game);
}

TEST(test_game__removed_nodes_are_reused)
{
    tby_game *game = new_game();
    for (unsigned i = 0; i < 1000; i++) {
        const tby_node node = add(game, TBY_ROOT, "e2e4");
        assert_in_range(node, 1, 2);
        add(game, node, "e7e5");
        assert_true(tby_game_add_nag(game, node, 1));
        tby_game_remove(game, node);
    }
    const tby_node node = add(game, TBY_ROOT, "e2e4");
    assert_int_equal(tby_game_n_nags(game, node), 0);
    tby_game_free(game);
}

/* ---- Comments and NAGs ---------------------------------------------------------------------------------- */

static bool comment(tby_game *game, tby_node node, tby_comment_place place, const char *s)
{
    return tby_game_add_comment(game, node, place, s, strlen(s));
}

TEST(test_game__comments_keep_their_order)
{
    tby_game *game = new_game();
    const tby_node e4 = add(game, TBY_ROOT, "e2e4"), e5 = add(game, e4, "e7e5");
    size_t n;
    for (unsigned i = 0; i < 100; i++) { /* two lists that grow alternately */
        char s[8];
        snprintf(s, sizeof s, "%u", i);
        assert_true(comment(game, i % 2 ? e4 : e5, TBY_COMMENT_AFTER, s));
    }
    assert_true(tby_game_add_comment(game, e4, TBY_COMMENT_BEFORE, "a\0b", 3));
    assert_int_equal(tby_game_n_comments(game, e4, TBY_COMMENT_AFTER), 50);
    assert_int_equal(tby_game_n_comments(game, e4, TBY_COMMENT_BEFORE), 1);
    assert_int_equal(tby_game_n_comments(game, TBY_ROOT, TBY_COMMENT_AFTER), 0);
    for (unsigned i = 0; i < 50; i++)
        assert_int_equal(atoi(tby_game_comment(game, e4, TBY_COMMENT_AFTER, i, NULL)), 2 * i + 1);
    assert_memory_equal(tby_game_comment(game, e4, TBY_COMMENT_BEFORE, 0, &n), "a\0b", 4);
    assert_int_equal(n, 3);
    assert_null(tby_game_comment(game, e4, TBY_COMMENT_AFTER, 50, &n));
    tby_game_remove_comments(game, e4);
    assert_int_equal(tby_game_n_comments(game, e4, TBY_COMMENT_AFTER), 0);
    assert_int_equal(tby_game_n_comments(game, e4, TBY_COMMENT_BEFORE), 0);
    assert_int_equal(tby_game_n_comments(game, e5, TBY_COMMENT_AFTER), 50);
    tby_game_free(game);
}

TEST(test_game__nags_keep_their_order)
{
    tby_game *game = new_game();
    const tby_node e4 = add(game, TBY_ROOT, "e2e4");
    assert_true(tby_game_add_nag(game, e4, 65535) && tby_game_add_nag(game, e4, 0) && tby_game_add_nag(game, e4, 6));
    assert_int_equal(tby_game_n_nags(game, e4), 3);
    assert_int_equal(tby_game_nag(game, e4, 0), 65535);
    assert_int_equal(tby_game_nag(game, e4, 2), 6);
    assert_int_equal(tby_game_nag(game, e4, 3), 0);
    tby_game_remove_nags(game, e4);
    assert_int_equal(tby_game_n_nags(game, e4), 0);
    tby_game_free(game);
}

/* ---- Equality ------------------------------------------------------------------------------------------- */

static const char SAMPLE[] = "[Event \"x\"]\n[ECO \"B00\"]\n{a} 1. e4 $1 {b} (1. d4 d5 {c}) (1. c4) 1... e5 2. Nf3 1-0";

TEST(test_game__equal_games)
{
    tby_game *one = game_of(SAMPLE), *other = game_of(SAMPLE);
    assert_true(tby_game_equal(one, other));
    assert_true(tby_game_equal(one, one));
    tby_game_clear(other);
    assert_false(tby_game_equal(one, other));
    tby_game_clear(one);
    assert_true(tby_game_equal(one, other));
    tby_game_free(one);
    tby_game_free(other);
}

TEST(test_game__games_that_differ_in_one_thing)
{
    static const char *const others[] = {
        "[Event \"y\"]\n[ECO \"B00\"]\n{a} 1. e4 $1 {b} (1. d4 d5 {c}) (1. c4) 1... e5 2. Nf3 1-0",
        "[Event \"x\"]\n{a} 1. e4 $1 {b} (1. d4 d5 {c}) (1. c4) 1... e5 2. Nf3 1-0",
        "[Event \"x\"]\n[ECo \"B00\"]\n{a} 1. e4 $1 {b} (1. d4 d5 {c}) (1. c4) 1... e5 2. Nf3 1-0",
        "[Event \"x\"]\n[ECO \"B00\"]\n1. e4 $1 {b} (1. d4 d5 {c}) (1. c4) 1... e5 2. Nf3 1-0",
        "[Event \"x\"]\n[ECO \"B00\"]\n{a} 1. e4 $2 {b} (1. d4 d5 {c}) (1. c4) 1... e5 2. Nf3 1-0",
        "[Event \"x\"]\n[ECO \"B00\"]\n{a} 1. e4 $1 {b} {} (1. d4 d5 {c}) (1. c4) 1... e5 2. Nf3 1-0",
        "[Event \"x\"]\n[ECO \"B00\"]\n{a} 1. e4 $1 {b} (1. d4 d5) (1. c4) 1... e5 2. Nf3 1-0",
        "[Event \"x\"]\n[ECO \"B00\"]\n{a} 1. e4 $1 {b} (1. c4) (1. d4 d5 {c}) 1... e5 2. Nf3 1-0",
        "[Event \"x\"]\n[ECO \"B00\"]\n{a} 1. e4 $1 {b} (1. d4 d5 {c} 2. c4) 1... e5 2. Nf3 1-0",
        "[Event \"x\"]\n[ECO \"B00\"]\n{a} 1. e4 $1 {b} (1. d4 d5 {c}) (1. c4) 1... e5 2. Nc3 1-0",
        "[Event \"x\"]\n[ECO \"B00\"]\n{a} 1. e4 $1 {b} (1. d4 d5 {c}) (1. c4) 1... e5 2. Nf3 *",
    };
    tby_game *game = game_of(SAMPLE);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        tby_game *other = game_of(others[i]);
        assert_false(tby_game_equal(game, other));
        assert_false(tby_game_equal(other, game));
        tby_game_free(other);
    }
    tby_game_free(game);
}

TEST(test_game__the_order_of_tags_matters_only_as_far_as_pgn_keeps_it)
{
    tby_game *a = game_of("[B \"2\"][White \"w\"][A \"1\"][Event \"e\"]*"),
             *b = game_of("[Event \"e\"][B \"2\"][White \"w\"][A \"1\"]*");
    tby_game *c = game_of("[Event \"e\"][A \"1\"][White \"w\"][B \"2\"]*");
    assert_true(tby_game_equal(a, b));
    assert_false(tby_game_equal(a, c));
    tby_game_free(a);
    tby_game_free(b);
    tby_game_free(c);
}

/* ---- Memory --------------------------------------------------------------------------------------------- */

/* An allocator that fails at call number `fail_at` and, unless `once`, at all later ones; it counts the memory in
   use. */
typedef struct counting {
    size_t n_calls, fail_at, n_bytes;
    bool once;
} counting;

static void *count_memory(void *context, void *memory, size_t old_size, size_t new_size)
{
    counting *c = context;
    if (new_size && ++c->n_calls >= c->fail_at && !(c->once && c->n_calls > c->fail_at))
        return NULL;
    c->n_bytes += new_size - old_size;
    if (new_size)
        return realloc(memory, new_size);
    free(memory);
    return NULL;
}

/* A text that makes every array grow. */
static text large_pgn(void)
{
    text t = {NULL, 0, 0};
    for (unsigned i = 0; i < 100; i++)
        text_format(&t, "[Tag%u \"value %u\"]\n", i, i);
    text_format(&t, "{before} 1. e4 ");
    for (unsigned i = 0; i < 100; i++)
        text_format(&t, "$%u {comment %u} (1. d4 $2 {x} {y} d5) ({z}) ", i, i);
    text_format(&t, "{%01500d} 1... e5 *", 0);
    return t;
}

/* Reads the text with this allocator; a game that is read without a fault must equal `expected`. */
static tby_game_read read_counted(counting *c, const text *t, const tby_game *expected)
{
    const tby_allocator allocator = {count_memory, c};
    tby_game *game = tby_game_new(&allocator);
    if (!game)
        return TBY_GAME_NO_MEMORY;
    tby_pgn *pgn = tby_pgn_new_memory(t->s, t->n, NULL, NULL);
    const tby_game_read read = tby_game_read_pgn(game, pgn, NULL, NULL);
    tby_pgn_event event;
    assert_int_equal(tby_pgn_next(pgn, &event), TBY_PGN_END); /* the reader is at the end of the game in any case */
    assert_int_equal(tby_game_equal(game, expected), read == TBY_GAME_GOOD);
    text written = written_with(game, 0); /* and the game is consistent enough to be written */
    free(written.s);
    tby_pgn_free(pgn);
    tby_game_free(game);
    return read;
}

TEST(test_game__no_memory_at_any_call)
{
    text t = large_pgn();
    tby_game *expected = game_of(t.s);
    counting c = {0, SIZE_MAX, 0, false};
    assert_int_equal(read_counted(&c, &t, expected), TBY_GAME_GOOD);
    assert_int_equal(c.n_bytes, 0);
    const size_t n_calls = c.n_calls;
    size_t n_good = 0;
    assert_true(n_calls > 10);
    for (size_t i = 1; i <= n_calls; i++) {
        c = (counting){0, i, 0, false};
        assert_int_equal(read_counted(&c, &t, expected), TBY_GAME_NO_MEMORY);
        assert_int_equal(c.n_bytes, 0);
        c = (counting){0, i, 0, true};
        n_good += read_counted(&c, &t, expected) == TBY_GAME_GOOD;
        assert_int_equal(c.n_bytes, 0);
    }
    assert_in_range(n_good, 1, 2); /* the index of tags is optional */
    tby_game_free(expected);
    free(t.s);
}

TEST(test_game__a_call_that_fails_changes_nothing)
{
    counting c = {0, SIZE_MAX, 0, false};
    const tby_allocator allocator = {count_memory, &c};
    tby_game *game = tby_game_new(&allocator), *twin = new_game();
    char long_text[10000];
    memset(long_text, 'x', sizeof long_text);
    tby_node node = TBY_ROOT, twin_node = TBY_ROOT;
    c.fail_at = 0;
    for (;;) {
        node = tby_game_add(game, node, TBY_MOVE_NULL);
        if (node == TBY_NO_NODE)
            break;
        twin_node = tby_game_add(twin, twin_node, TBY_MOVE_NULL);
    }
    assert_false(tby_game_set_tag(game, "A", 1, "x", 1));
    assert_false(tby_game_add_comment(game, TBY_ROOT, TBY_COMMENT_AFTER, long_text, sizeof long_text));
    assert_false(tby_game_add_nag(game, TBY_ROOT, 1));
    assert_true(tby_game_equal(game, twin));
    tby_game_free(game);
    tby_game_free(twin);
}

TEST(test_game__clearing_keeps_the_memory)
{
    text t = large_pgn();
    counting c = {0, SIZE_MAX, 0, false};
    const tby_allocator allocator = {count_memory, &c};
    tby_game *game = tby_game_new(&allocator);
    read_game_with(game, t.s, t.n, 0);
    const size_t n_calls = c.n_calls;
    for (unsigned i = 0; i < 3; i++) {
        tby_game_clear(game);
        assert_int_equal(tby_game_n_tags(game), 0);
        assert_int_equal(tby_game_n_nodes(game), 1);
        assert_int_equal(tby_game_n_comments(game, TBY_ROOT, TBY_COMMENT_AFTER), 0);
        assert_int_equal(tby_game_result(game), TBY_RESULT_NONE);
        read_game_with(game, t.s, t.n, 0);
    }
    assert_int_equal(c.n_calls, n_calls);
    tby_game_free(game);
    tby_game_free(NULL);
    free(t.s);
}

/* ---- Chance --------------------------------------------------------------------------------------------- */

/* Random changes. After each the tree is consistent: every child knows its parent, and all nodes are reachable. */
static size_t count_reached(const tby_game *game, tby_node node)
{
    size_t n = 1;
    for (tby_node child = tby_game_child(game, node); child != TBY_NO_NODE; child = tby_game_sibling(game, child)) {
        assert_int_equal(tby_game_parent(game, child), node);
        n += count_reached(game, child);
    }
    return n;
}

static tby_node random_node(const tby_game *game, uint64_t *random)
{
    tby_node node = TBY_ROOT;
    while (random_below(random, 4) && tby_game_child(game, node) != TBY_NO_NODE) {
        node = tby_game_child(game, node);
        while (random_below(random, 2) && tby_game_sibling(game, node) != TBY_NO_NODE)
            node = tby_game_sibling(game, node);
    }
    return node;
}

TEST(test_game__random_changes)
{
    uint64_t random = 0x7461626979610002ULL;
    tby_game *game = new_game();
    for (unsigned i = 0; i < 20000; i++) {
        const tby_node node = random_node(game, &random);
        switch (random_below(&random, 8)) {
        case 0: tby_game_remove(game, random_below(&random, 20) ? node : TBY_ROOT); break;
        case 1: tby_game_promote(game, node); break;
        case 2: tby_game_demote(game, node); break;
        case 3: assert_true(tby_game_add_nag(game, node, (uint16_t)i)); break;
        default: assert_int_not_equal(tby_game_add(game, node, TBY_MOVE_NULL), TBY_NO_NODE); break;
        }
        if (i % 16 == 0)
            assert_int_equal(count_reached(game, TBY_ROOT), tby_game_n_nodes(game));
    }
    tby_game_free(game);
}

int main(void) { return tests_run(NULL, NULL); }
