/*
 * test_pgn_build.c - PGN into a tree: where comments and NAGs go, what remains of a bad game, tags and start position.
 */
#include "pgn_support.h"

/* A node and everything after it: `<before> move $nag {after} ( variation ) continuation`. */
static void show_notes(text *t, const tby_game *game, tby_node node, tby_comment_place place, const char *form)
{
    for (size_t i = 0; i < tby_game_n_comments(game, node, place); i++)
        text_format(t, form, tby_game_comment(game, node, place, i, NULL));
}

static void show_node(text *t, const tby_game *game, tby_node node)
{
    char san[TBY_SAN_SIZE] = "root";
    tby_position pos;
    show_notes(t, game, node, TBY_COMMENT_BEFORE, "<%s> ");
    if (node != TBY_ROOT) {
        tby_game_position(game, tby_game_parent(game, node), &pos);
        if (tby_game_move(game, node) == TBY_MOVE_NULL)
            snprintf(san, sizeof san, "--");
        else
            tby_san_write(san, sizeof san, &pos, tby_game_move(game, node));
    }
    text_format(t, "%s ", san);
    for (size_t i = 0; i < tby_game_n_nags(game, node); i++)
        text_format(t, "$%u ", tby_game_nag(game, node, i));
    show_notes(t, game, node, TBY_COMMENT_AFTER, "{%s} ");
}

static void show_line(text *t, const tby_game *game, tby_node node)
{
    for (bool is_variation = true; node != TBY_NO_NODE; node = tby_game_child(game, node), is_variation = false) {
        show_node(t, game, node);
        if (is_variation)
            continue; /* its siblings are printed together with the main line */
        for (tby_node other = tby_game_sibling(game, node); other != TBY_NO_NODE;
             other = tby_game_sibling(game, other)) {
            text_format(t, "( ");
            show_line(t, game, other);
            text_format(t, ") ");
        }
    }
}

static void expect_tree(const char *pgn, tby_game_read expected_read, const char *expected)
{
    text t = {NULL, 0, 0};
    tby_game *game = tby_game_new(NULL);
    const tby_game_read read = read_game_with(game, pgn, strlen(pgn), 0);
    show_line(&t, game, TBY_ROOT);
    t.s[--t.n] = '\0';
    assert_string_equal(t.s, expected);
    assert_int_equal(read, expected_read);
    tby_game_free(game);
    free(t.s);
}

#define builds(pgn, expected) expect_tree(pgn, TBY_GAME_GOOD, expected)
#define builds_bad(pgn, expected) expect_tree(pgn, TBY_GAME_BAD, expected)

/* ---- Moves, comments, NAGs ------------------------------------------------------------------------------ */

TEST(test_pgn_build__moves_and_variations)
{
    builds("*", "root");
    builds("1. e4 e5 2. Nf3 *", "root e4 e5 Nf3");
    builds("1. e4 e5 (1... c5 2. Nf3 (2. d4 cxd4)) (1... e6) 2. Nf3 *", "root e4 e5 ( c5 Nf3 ( d4 cxd4 ) ) ( e6 ) Nf3");
    builds("1. e4 (1. d4 (1. c4)) *", "root e4 ( d4 ) ( c4 )");
    builds("1. e4 -- 2. d4 *", "root e4 -- d4");
    builds("1. e4 () e5 *", "root e4 e5");
    builds("1. e4 (1. e4 e5) c5 *", "root e4 ( e4 e5 ) c5");
}

TEST(test_pgn_build__comments_before_the_first_move)
{
    builds("{a} ;b\n1. e4 *", "root <a> <b> e4");
    builds("{a}\n[Event \"x\"]\n{b} 1. e4 *", "root <a> <b> e4");
    builds("1. {a} e4 *", "root <a> e4");
    builds("1. e4 e5 ({a} 1... c5) ({b} {c} 1... e6) *", "root e4 e5 ( <a> c5 ) ( <b> <c> e6 )");
}

TEST(test_pgn_build__comments_after_a_move)
{
    builds("1. e4 {a} {b} e5 {c} *", "root e4 {a} {b} e5 {c}");
    builds("1. e4 {a} (1. d4 {b}) {c} 1... e5 *", "root e4 {a} ( d4 {b} ) <c> e5");
    builds("1. e4 {} e5 *", "root e4 {} e5");
}

/* It is written where it was read; the tree has no place between two variations, nor after the last move. */
TEST(test_pgn_build__a_comment_after_a_variation_was_written_before_it)
{
    static const char *const games[][2] = {
        {"1. e4 {a} (1. d4 {b}) {c} {d} 1... e5 2. Nf3 *", "1. e4 {a} (1. d4 {b}) {c} {d} 1... e5 2. Nf3 *\n\n"},
        {"1. e4 e5 (1... d5 2. d4 (2. c4) {x} 2... e6) *", "1. e4 e5 (1... d5 2. d4 (2. c4) {x} 2... e6) *\n\n"},
        {"1. e4 (1. d4 (1. c4) {x}) 1... e5 *", "1. e4 (1. d4 {x}) (1. c4) 1... e5 *\n\n"},
        {"1. e4 (1. d4) {x} (1. c4) 1... e5 *", "1. e4 {x} (1. d4) (1. c4) 1... e5 *\n\n"},
        {"1. e4 (1. d4) {x} *", "1. e4 {x} (1. d4) *\n\n"},
    };
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        tby_game *game = game_of(games[i][0]);
        expect_written(game, 0, games[i][1]);
        tby_game_free(game);
    }
}

TEST(test_pgn_build__comments_after_the_result)
{
    builds("1. e4 e5 1-0 {a} {b}", "root e4 e5 {a} {b}");
    builds("1. e4 (1. d4 {x}) 1-0 {a}", "root e4 {a} ( d4 {x} )");
    builds("{a} * {b}", "root {a} {b}");
}

TEST(test_pgn_build__comments_with_no_move_after_them)
{
    builds("{a} {b}", "root {a} {b}");
    builds("{a} *", "root {a}");
    builds("1. e4 ({a}) e5 *", "root e4 {a} e5");
    builds("1. e4 {x} ({a} {b}) {y} e5 *", "root e4 {x} {a} {b} {y} e5");
    builds("1. e4 e5 (1... c5 ({a})) *", "root e4 e5 ( c5 {a} )");
}

TEST(test_pgn_build__nags)
{
    builds("$1 1. e4 $2! (1. d4 $3) $4 e5 *", "root $1 e4 $2 $1 $4 ( d4 $3 ) e5");
    builds("1. e4 ($5 1. d4) ($6) *", "root e4 $5 $6 ( d4 )");
}

TEST(test_pgn_build__long_comments_are_joined)
{
    enum { LENGTH = 100000 };
    char *long_text = malloc(LENGTH + 1), *pgn = malloc(2 * LENGTH + 64);
    assert_true(long_text && pgn);
    for (size_t i = 0; i < LENGTH; i++)
        long_text[i] = (char)('a' + i % 26);
    long_text[LENGTH] = '\0';
    for (size_t i = 0; i < 3; i++) {
        const int n = i == 0   ? sprintf(pgn, "{%s} 1. e4 {%s} *", long_text, long_text)
                      : i == 1 ? sprintf(pgn, "1. e4 {x} {%s} {y} ;%s\ne5 *", long_text, long_text)
                               : sprintf(pgn, "{%s}{%s}", long_text, long_text);
        tby_game *game = tby_game_new(NULL);
        assert_int_equal(read_game_with(game, pgn, (size_t)n, 0), TBY_GAME_GOOD);
        const tby_node node = i == 2 ? TBY_ROOT : tby_game_child(game, TBY_ROOT);
        const size_t index = i == 1 ? 3 : i == 0 ? 0 : 1;
        size_t length;
        const char *comment = tby_game_comment(game, node, TBY_COMMENT_AFTER, index, &length);
        assert_int_equal(length, LENGTH);
        assert_string_equal(comment, long_text);
        assert_int_equal(tby_game_n_comments(game, node, TBY_COMMENT_AFTER), index + 1);
        tby_game_free(game);
    }
    free(long_text);
    free(pgn);
}

/* ---- Faults --------------------------------------------------------------------------------------------- */

TEST(test_pgn_build__a_bad_game_holds_what_came_before_the_fault)
{
    builds_bad("1. e4 {a} e5 2. Ke3 {b} $1 Nc6 (2. d4 {c}) 1-0 {d}", "root e4 {a} e5");
    builds_bad("{a} 1. Ke2 {b} *", "root {a}");
}

TEST(test_pgn_build__a_broken_variation_keeps_its_legal_beginning)
{
    builds_bad("1. e4 (1. d4 d5 2. Ke3 {x} (2. c4) Nc6) {y} (1. c4) e5 *", "root e4 {y} ( d4 d5 ) ( c4 ) e5");
    builds_bad("1. e4 ({x} 1. Ke3 {y}) e5 *", "root e4 {x} e5");
}

TEST(test_pgn_build__brackets_that_do_not_match)
{
    builds_bad("1. e4 (1. d4 {x}", "root e4 ( d4 {x} )");
    builds_bad("1. e4 ({x}", "root e4 {x}");
    builds_bad("({x} 1. d4) {y} 1. e4 *", "root <y> e4");
    builds_bad("1. e4 ) e5 *", "root e4");
}

TEST(test_pgn_build__deep_variations)
{
    text t = {NULL, 0, 0};
    text_format(&t, "1. e4 ");
    for (unsigned i = 0; i < 200; i++)
        text_format(&t, "(-- -- ");
    tby_game *game = game_of(t.s);
    assert_int_equal(tby_game_n_nodes(game), 2 + 2 * TBY_PGN_DEPTH_MAX);
    text written = written_with(game, 0);
    tby_game *again = game_of(written.s);
    assert_true(tby_game_equal(game, again));
    tby_game_free(game);
    tby_game_free(again);
    free(written.s);
    free(t.s);
}

TEST(test_pgn_build__nothing_is_kept_after_the_limit)
{
    static const char *const texts[] = {"1. e4 {0123456789abcdef} e5 {0123456789abcdef} *",
                                        "[A \"0123456789abcdef\"]\n[B \"0123456789abcdef\"]\n[C \"0\"]\n1. e4 *"};
    for (size_t i = 0; i < 2; i++) {
        const tby_pgn_options options = {0, 24, {0, 0, 0, 0}};
        tby_pgn *pgn = tby_pgn_new_memory(texts[i], strlen(texts[i]), &options, NULL);
        tby_game *game = tby_game_new(NULL);
        assert_int_equal(tby_game_read_pgn(game, pgn, NULL, NULL), TBY_GAME_BAD);
        assert_int_equal(tby_game_n_nodes(game), i == 0 ? 3 : 1);
        assert_int_equal(tby_game_n_tags(game), i == 0 ? 0 : 2);
        if (i == 0)
            assert_int_equal(tby_game_n_comments(game, 2, TBY_COMMENT_AFTER), 0);
        tby_game_free(game);
        tby_pgn_free(pgn);
    }
}

/* ---- Tags, start, result -------------------------------------------------------------------------------- */

TEST(test_pgn_build__a_repeated_tag_takes_the_last_value)
{
    tby_game *game = game_of("[White \"a\"] [Black \"b\"] [White \"c\"] *");
    assert_int_equal(tby_game_n_tags(game), 2);
    assert_string_equal(tby_game_tag_name(game, 0), "White");
    assert_string_equal(tby_game_tag(game, "White"), "c");
    tby_game_free(game);
}

TEST(test_pgn_build__known_tags_get_their_usual_spelling)
{
    tby_game *game =
        game_of("[fen \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"] [RESULT \"1-0\"] [variant \"Chess960\"] [event \"x\"]");
    assert_non_null(tby_game_tag(game, "FEN"));
    assert_string_equal(tby_game_tag(game, "Result"), "1-0");
    assert_string_equal(tby_game_tag(game, "Event"), "x");
    assert_true(tby_game_is_chess960(game));
    assert_int_equal(tby_game_result(game), TBY_WHITE_WINS);
    tby_game_free(game);
}

TEST(test_pgn_build__comments_among_the_tags_of_another_variant_are_kept)
{
    tby_game *before = game_of("{a} [Variant \"Atomic\"] *"), *after = game_of("[Variant \"Atomic\"] {a} *");
    assert_true(tby_game_equal(before, after));
    assert_string_equal(tby_game_comment(after, TBY_ROOT, TBY_COMMENT_AFTER, 0, NULL), "a");
    tby_game_free(before);
    tby_game_free(after);
}

static void expect_start(const char *pgn, const char *expected)
{
    char fen[TBY_FEN_SIZE];
    tby_game *game = game_of(pgn);
    tby_fen_write_position(fen, sizeof fen, tby_game_start(game), 0);
    assert_string_equal(fen, expected);
    tby_game_free(game);
}

TEST(test_pgn_build__the_start_comes_from_the_fen_tag)
{
    static const char fen[] = "4k3/8/8/8/8/8/8/4K2R b K - 7 30";
    expect_start("[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 7 30\"] 30... Kd7 *", fen);
    expect_start("[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 7 30\"] {x} 30... Kd7 *", fen);
    expect_start("[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 7 30\"] $1 30... Kd7 *", fen);
    expect_start("[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 7 30\"] (30... Kd7) *", fen);
    expect_start("[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 7 30\"] *", fen);
    expect_start("[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 7 30\"]", fen);
    expect_start("[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 7 30\"]\n\n[Event \"next\"]", fen);
    expect_start("[FEN \"what\"] 1. e4 *", START_FEN);
    expect_start("1. e4 *", START_FEN);
}

TEST(test_pgn_build__a_game_after_another_is_new)
{
    static const char pgn_text[] = "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"] {a} 1. O-O $1 1-0\n\n1. e4";
    tby_pgn *pgn = tby_pgn_new_memory(pgn_text, sizeof pgn_text - 1, NULL, NULL);
    tby_game *game = tby_game_new(NULL), *other = game_of("1. e4");
    assert_int_equal(tby_game_read_pgn(game, pgn, NULL, NULL), TBY_GAME_GOOD);
    assert_int_equal(tby_game_read_pgn(game, pgn, NULL, NULL), TBY_GAME_GOOD);
    assert_true(tby_game_equal(game, other));
    assert_int_equal(tby_game_read_pgn(game, pgn, NULL, NULL), TBY_GAME_END);
    assert_int_equal(tby_game_n_nodes(game), 1);
    tby_game_free(game);
    tby_game_free(other);
    tby_pgn_free(pgn);
}

static void count_events(void *context, tby_pgn *pgn, const tby_pgn_event *event)
{
    size_t *n = context;
    (void)pgn;
    n[event->type]++;
}

TEST(test_pgn_build__a_watcher_sees_every_event_except_moves)
{
    static const char pgn_text[] = "[A \"b\"] 1. e4 e5 2. Ke3 Ke6 1-0";
    size_t n[TBY_PGN_WARNING + 1] = {0};
    tby_pgn *pgn = tby_pgn_new_memory(pgn_text, sizeof pgn_text - 1, NULL, NULL);
    tby_game *game = tby_game_new(NULL);
    assert_int_equal(tby_game_read_pgn(game, pgn, count_events, n), TBY_GAME_BAD);
    assert_int_equal(tby_game_read_pgn(game, pgn, count_events, n), TBY_GAME_END);
    static const size_t expected[TBY_PGN_WARNING + 1] = {
        [TBY_PGN_END] = 1,    [TBY_PGN_GAME] = 1,     [TBY_PGN_TAG] = 1,  [TBY_PGN_RAW] = 1,
        [TBY_PGN_RESULT] = 1, [TBY_PGN_GAME_END] = 1, [TBY_PGN_ERROR] = 1};
    assert_memory_equal(n, expected, sizeof n);
    tby_game_free(game);
    tby_pgn_free(pgn);
}

static size_t fail_at_once(void *context, char *buf, size_t cap)
{
    (void)context;
    (void)buf;
    (void)cap;
    return TBY_SOURCE_FAILED;
}

TEST(test_pgn_build__an_input_error_is_a_bad_game_without_moves)
{
    tby_pgn *pgn = tby_pgn_new(fail_at_once, NULL, NULL, NULL);
    tby_game *game = tby_game_new(NULL);
    assert_int_equal(tby_game_read_pgn(game, pgn, NULL, NULL), TBY_GAME_BAD);
    assert_int_equal(tby_game_n_nodes(game), 1);
    assert_int_equal(tby_game_read_pgn(game, pgn, NULL, NULL), TBY_GAME_END);
    tby_game_free(game);
    tby_pgn_free(pgn);
}

int main(void) { return tests_run(NULL, NULL); }
