/*
 * test_pgn_write.c - trees as PGN in its export format, and back.
 */
#include "pgn_support.h"

/* Reads a text, compares what is written with `expected`, and reads that again. */
static void expect_export(const char *pgn, const char *expected)
{
    tby_game *game = game_of(pgn);
    expect_written(game, 0, expected);
    tby_game *again = game_of(expected);
    assert_true(tby_game_equal(game, again));
    tby_game_free(game);
    tby_game_free(again);
}

static void expect_with(unsigned flags, const char *pgn, const char *expected)
{
    tby_game *game = game_of(pgn);
    expect_written(game, flags, expected);
    tby_game_free(game);
}

/* ---- Tags ----------------------------------------------------------------------------------------------- */

TEST(test_pgn_write__the_seven_tag_roster_comes_first)
{
    expect_export(
        "[ECO \"C20\"][Result \"1-0\"][Black \"b\"][White \"a\"][Annotator \"x\"][Round \"1\"][Date \"2026.??.??\"]"
        "[Site \"s\"][Event \"e\"] 1. e4 1-0",
        "[Event \"e\"]\n[Site \"s\"]\n[Date \"2026.??.??\"]\n[Round \"1\"]\n[White \"a\"]\n[Black \"b\"]\n"
        "[Result \"1-0\"]\n[ECO \"C20\"]\n[Annotator \"x\"]\n\n1. e4 1-0\n\n");
}

TEST(test_pgn_write__no_tag_is_invented)
{
    expect_export("1. e4 1-0", "1. e4 1-0\n\n");
    expect_export("[White \"a\"] 1. e4 1-0", "[White \"a\"]\n\n1. e4 1-0\n\n");
    expect_export("[White \"a\"]", "[White \"a\"]\n\n*\n\n");
}

TEST(test_pgn_write__tag_values_are_escaped)
{
    expect_export("[Event \"a \\\"b\\\" \\\\ c\\d\"] *", "[Event \"a \\\"b\\\" \\\\ c\\\\d\"]\n\n*\n\n");
    tby_game *game = tby_game_new(NULL);
    assert_true(tby_game_set_tag(game, "Event", 5, "two\nlines\r", 10));
    expect_written(game, 0, "[Event \"two lines \"]\n\n*\n\n");
    tby_game_free(game);
}

TEST(test_pgn_write__long_tags_are_read_back)
{
    static const char *const parts[] = {"\\\\", "\\x", "\\\"", "x", "\xe9", "\x80"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        for (size_t length = 2000; length < 8200; length += 31) {
            text t = {NULL, 0, 0};
            text_format(&t, "[A \"");
            while (t.n < length)
                text_format(&t, "%s", parts[i]);
            text_format(&t, "\"]*");
            tby_game *game = game_of(t.s);
            text written = written_with(game, 0);
            tby_game *again = game_of(written.s);
            assert_true(tby_game_equal(game, again));
            tby_game_free(game);
            tby_game_free(again);
            free(written.s);
            free(t.s);
        }
}

TEST(test_pgn_write__another_start_is_written_as_a_tag)
{
    tby_game *game = tby_game_new(NULL);
    const tby_position start = position_of("4k3/8/8/8/8/8/8/4K2R b K - 7 30");
    assert_true(tby_game_set_start(game, &start, false));
    expect_written(game, 0, "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 7 30\"]\n\n*\n\n");
    assert_true(tby_game_set_tag(game, "FEN", 3, "4k3/8/8/8/8/8/8/4K3 b - - 0 1", 29));
    expect_written(game, 0, "[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 7 30\"]\n[SetUp \"1\"]\n\n*\n\n");
    assert_true(tby_game_set_tag(game, "FEN", 3, "4k3/8/8/8/8/8/8/4K2R  b K - 7 30", 32));
    expect_written(game, 0, "[FEN \"4k3/8/8/8/8/8/8/4K2R  b K - 7 30\"]\n\n*\n\n");
    expect_written(game, TBY_PGN_NO_TAGS, "*\n\n");
    tby_game_free(game);
}

TEST(test_pgn_write__a_chess960_game_says_so)
{
    tby_setup setup;
    tby_position start;
    assert_true(tby_setup_chess960(&setup, 0));
    assert_int_equal(tby_position_init(&start, &setup, 0, NULL), TBY_OK);
    tby_game *game = tby_game_new(NULL);
    assert_true(tby_game_set_start(game, &start, true));
    text t = written_with(game, 0);
    assert_non_null(strstr(t.s, "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"bbqnnrkr/"));
    tby_game *again = game_of(t.s);
    assert_memory_equal(tby_game_start(again), &start, sizeof start);
    assert_true(tby_game_is_chess960(again));
    tby_game_free(game);
    tby_game_free(again);
    free(t.s);
}

TEST(test_pgn_write__an_invalid_fen_tag_is_kept)
{
    expect_export("[FEN \"what\"] 1. e4 *", "[FEN \"what\"]\n\n*\n\n");
    expect_export("[FEN \"\"] 1. e4 *", "[FEN \"\"]\n\n1. e4 *\n\n");
    tby_game *game = tby_game_new(NULL);
    assert_true(tby_game_set_tag(game, "FEN", 3, "what", 4));
    assert_int_not_equal(tby_game_add(game, TBY_ROOT, TBY_MOVE_NULL), TBY_NO_NODE);
    expect_written(game, 0, "[FEN \"" START_FEN "\"]\n[SetUp \"1\"]\n\n1. -- *\n\n");
    tby_game_free(game);
}

/* ---- Move text ------------------------------------------------------------------------------------------ */

TEST(test_pgn_write__moves_and_numbers)
{
    expect_export("e2e4 e7e5 Ng1-f3 Nb8c6 Bb5! 1/2", "1. e4 e5 2. Nf3 Nc6 3. Bb5 $1 1/2-1/2\n\n");
    expect_export("1. f3 e5 2. g4 Qh4 0-1", "1. f3 e5 2. g4 Qh4# 0-1\n\n");
    expect_export("1. e4 -- 2. Z0", "1. e4 -- 2. -- *\n\n");
    expect_export("", "*\n\n");
}

TEST(test_pgn_write__black_gets_a_number_after_comments_and_variations)
{
    expect_export("1. e4 {x} e5 2. Nf3 $1 Nc6", "1. e4 {x} 1... e5 2. Nf3 $1 Nc6 *\n\n");
    expect_export("1. e4 (1. d4) e5", "1. e4 (1. d4) 1... e5 *\n\n");
    expect_export("1. e4 e5 (1... c5 2. Nf3) 2. f4", "1. e4 e5 (1... c5 2. Nf3) 2. f4 *\n\n");
    expect_export("[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 30\"] Kd7 Kd2",
                  "[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 30\"]\n\n30... Kd7 31. Kd2 *\n\n");
}

TEST(test_pgn_write__variations_come_after_the_move_they_replace)
{
    expect_export("1. e4 e5 (1... c5 2. Nf3 (2. d4 cxd4 (2... e6)) 2... d6) (1... e6) 2. Nf3 Nc6",
                  "1. e4 e5 (1... c5 2. Nf3 (2. d4 cxd4 (2... e6)) 2... d6) (1... e6) 2. Nf3 Nc6 *\n\n");
    expect_export("1. e4 (1. d4 (1. c4) d5) (1. b4) *", "1. e4 (1. d4 d5) (1. c4) (1. b4) *\n\n");
    expect_export("1. e4 {a} (1. d4) {b} $1 *", "1. e4 $1 {a} {b} (1. d4) *\n\n");
}

TEST(test_pgn_write__notes_before_the_first_move)
{
    expect_export("[A \"b\"] {x} $1 {y} 1. e4 ({z} 1. d4) *", "[A \"b\"]\n\n$1 {x} {y} 1. e4 ({z} 1. d4) *\n\n");
    /* Without tags the comment would belong to the previous game. */
    expect_export("{x} 1. e4 *", "1. {x} e4 *\n\n");
    expect_export("{x} 1. e4 {y} e5 *", "1. {x} e4 {y} 1... e5 *\n\n");
    expect_export("{x} *", "1. {x} *\n\n");
    expect_export("$1 {x} 1. e4 *", "$1 {x} 1. e4 *\n\n");
}

TEST(test_pgn_write__a_comment_at_the_start_of_a_game_does_not_belong_to_the_previous_game)
{
    tby_game *one = game_of("1. d4 1-0"), *two = game_of("{x} 1. e4 *"), *game = tby_game_new(NULL);
    text t = written_with(one, 0);
    assert_true(tby_pgn_write(two, 0, text_append, &t));
    tby_pgn *pgn = tby_pgn_new_memory(t.s, t.n, NULL, NULL);
    assert_int_equal(tby_game_read_pgn(game, pgn, NULL, NULL), TBY_GAME_GOOD);
    assert_true(tby_game_equal(game, one));
    assert_int_equal(tby_game_read_pgn(game, pgn, NULL, NULL), TBY_GAME_GOOD);
    assert_true(tby_game_equal(game, two));
    tby_pgn_free(pgn);
    tby_game_free(one);
    tby_game_free(two);
    tby_game_free(game);
    free(t.s);
}

/* ---- Lines ---------------------------------------------------------------------------------------------- */

static void expect_columns(const char *s)
{
    for (const char *end; *s; s = end + 1) {
        end = strchr(s, '\n');
        assert_non_null(end);
        assert_true(end - s < 80);
        if (end > s)
            assert_true(end[-1] != ' ' && s[0] != ' ');
    }
}

TEST(test_pgn_write__lines_have_fewer_than_80_columns)
{
    static const char *const units[] = {"Nf3 Nf6 Ng1 Ng8 ", "Nf3 Nf6 (Nh6 Nc3) Ng1 Ng8 ",
                                        "Nf3 $1 Nf6 {abc} Ng1 $10 Ng8 ({b} d5) "};
    for (size_t i = 0; i < 3; i++)
        for (unsigned shift = 0; shift < 20; shift++) {
            text t = {NULL, 0, 0};
            text_format(&t, "{%.*s} ", (int)shift, "12345678901234567890");
            for (unsigned j = 0; j < 30; j++)
                text_format(&t, "%s", units[i]);
            tby_game *game = game_of(t.s);
            text written = written_with(game, 0), one_line = written_with(game, TBY_PGN_ONE_LINE);
            expect_columns(written.s);
            assert_ptr_equal(strchr(one_line.s, '\n') + 2, one_line.s + one_line.n);
            tby_game *again = game_of(written.s), *again_one_line = game_of(one_line.s);
            assert_true(tby_game_equal(game, again));
            assert_true(tby_game_equal(game, again_one_line));
            tby_game_free(game);
            tby_game_free(again);
            tby_game_free(again_one_line);
            free(written.s);
            free(one_line.s);
            free(t.s);
        }
}

TEST(test_pgn_write__lines_are_filled)
{
    expect_export("1. d4 Nf6 2. Nf3 g6 3. c4 d6 4. g3 Bg7 5. Bg2 O-O 6. Nc3 c6 7. O-O Qa5 8. e4 e5 9. h3 Nbd7 10. Re1 "
                  "exd4 11. Nxd4 Ne5 12. Bf1 Re8 13. Be3 Be6 14. Nxe6 Rxe6 15. Kg2",
                  "1. d4 Nf6 2. Nf3 g6 3. c4 d6 4. g3 Bg7 5. Bg2 O-O 6. Nc3 c6 7. O-O Qa5 8. e4 e5\n"
                  "9. h3 Nbd7 10. Re1 exd4 11. Nxd4 Ne5 12. Bf1 Re8 13. Be3 Be6 14. Nxe6 Rxe6 15.\n"
                  "Kg2 *\n\n");
}

/* ---- Comments ------------------------------------------------------------------------------------------- */

TEST(test_pgn_write__comments_are_kept_byte_by_byte)
{
    expect_export("1. e4 { a  b } {} {c\n\r\n d\t} *", "1. e4 { a  b } {} {c\n\r\n d\t} *\n\n");
    /* Longer than a line: it starts a new line and is not broken. */
    expect_export(
        "1. e4 {0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789} e5 *",
        "1. e4\n{0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789}\n"
        "1... e5 *\n\n");
}

TEST(test_pgn_write__a_closing_brace_results_in_a_line_comment)
{
    expect_export("1. e4 ;a } b\ne5 *", "1. e4 ;a } b\n1... e5 *\n\n");
    expect_export("1. e4 (1. d4 ;}\n) *", "1. e4 (1. d4 ;}\n) *\n\n");
}

static void expect_comment(const char *comment, const char *expected)
{
    tby_game *game = game_of("1. e4");
    assert_true(tby_game_add_comment(game, 1, TBY_COMMENT_AFTER, comment, strlen(comment)));
    expect_written(game, 0, expected);
    tby_game *again = game_of(expected);
    assert_int_equal(tby_game_n_nodes(again), 2);
    tby_game_free(game);
    tby_game_free(again);
}

TEST(test_pgn_write__a_comment_that_fits_no_form_is_split_at_line_ends)
{
    expect_comment("a}\nb", "1. e4 ;a}\n{b} *\n\n");
    expect_comment("a\nb\r\nc}d\r\ne\nf", "1. e4 {a\nb} ;c}d\n{e\nf} *\n\n");
    expect_comment("a\n[Event \"b\"]", "1. e4 {a} {[Event \"b\"]} *\n\n");
    expect_comment("[Event \"b\"]", "1. e4 {[Event \"b\"]} *\n\n");
}

TEST(test_pgn_write__nested_comments_are_read_back)
{
    static const char pgn[] = "1. e4 {a {b} c} *";
    tby_game *game = tby_game_new(NULL);
    read_game_with(game, pgn, sizeof pgn - 1, TBY_PGN_NESTED_COMMENTS);
    expect_written(game, 0, "1. e4 ;a {b} c\n*\n\n");
    tby_game_free(game);
}

/* ---- Less ----------------------------------------------------------------------------------------------- */

static const char NOTED[] = "[Event \"x\"]\n{a} 1. e4 $1 {b [%clk 0:01:00]} (1. d4 {c}) e5 { [%clk 0:02:00] } 2. Nf3 *";

TEST(test_pgn_write__lines_may_be_of_another_width)
{
    static const char pgn[] = "1. e4 e5 2. Nf3 Nc6 3. Bb5 (3. Bc4 Bc5) a6 *";
    expect_with(TBY_PGN_WIDTH(12), pgn, "1. e4 e5 2.\nNf3 Nc6 3.\nBb5 (3. Bc4\nBc5) 3... a6\n*\n\n");
    expect_with(TBY_PGN_WIDTH(65535), pgn, "1. e4 e5 2. Nf3 Nc6 3. Bb5 (3. Bc4 Bc5) 3... a6 *\n\n");
    expect_with(TBY_PGN_WIDTH(12) | TBY_PGN_ONE_LINE, pgn, "1. e4 e5 2. Nf3 Nc6 3. Bb5 (3. Bc4 Bc5) 3... a6 *\n\n");
}

TEST(test_pgn_write__parts_can_be_left_out)
{
    expect_with(TBY_PGN_NO_COMMENTS, NOTED, "[Event \"x\"]\n\n1. e4 $1 (1. d4) 1... e5 2. Nf3 *\n\n");
    expect_with(TBY_PGN_NO_NAGS, NOTED,
                "[Event \"x\"]\n\n{a} 1. e4 {b [%clk 0:01:00]} (1. d4 {c}) 1... e5 { [%clk 0:02:00] } 2. Nf3 *\n\n");
    expect_with(TBY_PGN_NO_VARIATIONS, NOTED,
                "[Event \"x\"]\n\n{a} 1. e4 $1 {b [%clk 0:01:00]} 1... e5 { [%clk 0:02:00] } 2. Nf3 *\n\n");
    expect_with(TBY_PGN_NO_TAGS, NOTED,
                "1. {a} e4 $1 {b [%clk 0:01:00]} (1. d4 {c}) 1... e5 { [%clk 0:02:00] } 2. Nf3 *\n\n");
    expect_with(TBY_PGN_NO_COMMANDS, NOTED, "[Event \"x\"]\n\n{a} 1. e4 $1 {b } (1. d4 {c}) 1... e5 2. Nf3 *\n\n");
    expect_with(TBY_PGN_NO_COMMENTS | TBY_PGN_NO_NAGS | TBY_PGN_NO_VARIATIONS | TBY_PGN_NO_TAGS, NOTED,
                "1. e4 e5 2. Nf3 *\n\n");
}

TEST(test_pgn_write__without_commands)
{
    expect_with(TBY_PGN_NO_COMMANDS, "1. e4 {[%eval 0.1] [%clk 0:01:00] good [%csl Ra1]move} *",
                "1. e4 {good move} *\n\n");
    expect_with(TBY_PGN_NO_COMMANDS, "1. e4 {[%eval 0.1]\n} {} { } {[%x} *", "1. e4 {[%x} *\n\n");
    text t = {NULL, 0, 0}, expected = {NULL, 0, 0};
    text_format(&t, "1. e4 {");
    text_format(&expected, "1. e4\n{");
    for (unsigned i = 0; i < 1000; i++) {
        text_format(&t, "[%%clk 0:00:%02u] word%u ", i % 60, i);
        text_format(&expected, "word%u ", i);
    }
    text_format(&t, "} *");
    text_format(&expected, "}\n*\n\n");
    expect_with(TBY_PGN_NO_COMMANDS, t.s, expected.s);
    free(t.s);
    free(expected.s);
}

TEST(test_pgn_write__one_line)
{
    expect_with(TBY_PGN_ONE_LINE, "1. e4 {a\nb} ;c } d\ne5 *", "1. e4 {a b} {c ) d} 1... e5 *\n\n");
}

/* ---- Depth and failure ---------------------------------------------------------------------------------- */

TEST(test_pgn_write__variations_deeper_than_the_readers_limit)
{
    enum { DEPTH = 300 };
    tby_game *game = tby_game_new(NULL);
    tby_node line = TBY_ROOT;
    text expected = {NULL, 0, 0};
    for (unsigned i = 0; i < DEPTH; i++) { /* each variation contains another, two plies later */
        const tby_node main = tby_game_add(game, line, TBY_MOVE_NULL), other = tby_game_add(game, line, TBY_MOVE_NULL);
        assert_int_not_equal(main, TBY_NO_NODE);
        line = tby_game_add(game, other, TBY_MOVE_NULL);
        text_format(&expected, "%s%u. -- (%u. -- --", i ? " " : "", i + 1, i + 1);
    }
    for (unsigned i = 0; i < DEPTH; i++)
        text_format(&expected, ")");
    text_format(&expected, " *\n\n");
    expect_written(game, TBY_PGN_ONE_LINE, expected.s);
    tby_game_free(game);
    free(expected.s);
}

static bool take_some(void *context, const char *s, size_t n)
{
    size_t *left = context;
    (void)s;
    if (n > *left)
        return false;
    *left -= n;
    return true;
}

TEST(test_pgn_write__a_sink_may_refuse)
{
    text t = {NULL, 0, 0};
    for (unsigned i = 0; i < 10000; i++)
        text_format(&t, "Nf3 Nf6 Ng1 Ng8 ");
    tby_game *game = game_of(t.s);
    text written = written_with(game, 0);
    for (size_t left = 0; left < 40000; left += 5000) {
        size_t taken = left;
        assert_false(tby_pgn_write(game, 0, take_some, &taken));
    }
    size_t all = written.n;
    assert_true(tby_pgn_write(game, 0, take_some, &all));
    assert_int_equal(all, 0);
    tby_game_free(game);
    free(written.s);
    free(t.s);
}

int main(void) { return tests_run(NULL, NULL); }
