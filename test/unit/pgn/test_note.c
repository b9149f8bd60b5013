/*
 * test_note.c - the notes on a move: evaluation, clock, and comment text without commands.
 */
#include "pgn_support.h"

static tby_node at_ply(const tby_game *game, int ply)
{
    tby_node node = TBY_ROOT;
    while (ply-- > 0)
        node = tby_game_child(game, node);
    return node;
}

static void expect_comment(const tby_game *game, int ply, const char *expected)
{
    text t = {NULL, 0, 0};
    text_append(&t, "", 0);
    assert_true(tby_note_write_comment(game, at_ply(game, ply), text_append, &t));
    assert_string_equal(t.s, expected);
    free(t.s);
}

TEST(test_note__comments_are_joined_without_commands)
{
    tby_game *game = game_of("{ before\n the  first } 1. e4 {a[%clk 0:00:01]b} (1. d4 {not this}) {c} 1... e5 "
                             "{[%eval 0.3]} 2. Nf3 {[%x y] d [%z] } *");
    expect_comment(game, 0, "before the first");
    expect_comment(game, 1, "ab c");
    expect_comment(game, 2, "");
    expect_comment(game, 3, "d");
    tby_game_free(game);
}

TEST(test_note__the_first_evaluation_and_clock_count)
{
    tby_note note;
    tby_game *game =
        game_of("{[%clk 1:00:00] [%eval 9]} 1. e4 {[%eval -0.25] [%clk 0:01:00.5]} {[%eval 3] [%clk 0:00:01]} "
                "1... e5 {[%eval #-3]} 2. Nf3 *");
    tby_note_read(&note, game, TBY_ROOT);
    assert_false(note.has_eval || note.has_clock);
    tby_note_read(&note, game, at_ply(game, 1));
    assert_true(note.has_eval && note.has_clock && !note.is_mate);
    assert_int_equal(note.eval, -25);
    assert_int_equal(note.clock, 60500);
    tby_note_read(&note, game, at_ply(game, 2));
    assert_true(note.has_eval && note.is_mate && !note.has_clock);
    assert_int_equal(note.eval, -3);
    tby_note_read(&note, game, at_ply(game, 3));
    assert_false(note.has_eval || note.has_clock);
    tby_game_free(game);
}

static bool refuse(void *context, const char *s, size_t n)
{
    (void)context, (void)s, (void)n;
    return false;
}

TEST(test_note__a_sink_may_refuse)
{
    tby_game *game = game_of("1. e4 {text} *");
    assert_false(tby_note_write_comment(game, at_ply(game, 1), refuse, NULL));
    assert_true(tby_note_write_comment(game, TBY_ROOT, refuse, NULL));
    tby_game_free(game);
}

TEST(test_note__arrows_and_circles)
{
    tby_arrow arrows[2];
    tby_game *game = game_of("1. e4 {[%cal Ge2e4,Rd1h5] [%csl Ye4][%csl broken]} *");
    assert_int_equal(tby_note_arrows(arrows, 2, game, at_ply(game, 1)), 3);
    assert_int_equal(arrows[0].from, TBY_SQUARE(4, 1));
    assert_int_equal(arrows[0].to, TBY_SQUARE(4, 3));
    assert_int_equal(arrows[0].rgb, 0x15781b);
    assert_int_equal(arrows[1].rgb, 0x882020);
    assert_int_equal(tby_note_arrows(NULL, 0, game, TBY_ROOT), 0);
    tby_game_free(game);
}

int main(void) { return tests_run(NULL, NULL); }
