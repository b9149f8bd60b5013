/*
 * test_tree_export.c - a tree with results, marks, comments and transpositions as one text and as a game.
 */
#include "tree_support.h"

#include "os/folder.h"

static tby_tree *tree;
static char folder[300];

/* ---- As a game ------------------------------------------------------------------------------------------- */

static text pgn_of(const tby_tree *from)
{
    tby_failure failure;
    tby_game *game;
    text t = {0};
    if (tby_tree_game(&game, from, &failure) != TBY_OK)
        fail_msg("%s", failure.text);
    assert_true(tby_pgn_write(game, 0, add_text, &t));
    for (char *c = t.s; (c = strchr(c, '\n')) != NULL; c++) /* lines may break anywhere */
        *c = ' ';
    tby_game_free(game);
    return t;
}

static void must_have(const text *t, const char *part)
{
    if (!strstr(t->s, part))
        fail_msg("no \"%s\" in\n%s", part, t->s);
}

/* The most played line comes first, transpositions refer to a number, and every comment is there. */
TEST(test_tree_export__a_game_contains_what_the_tree_contains)
{
    text t = pgn_of(tree);
    must_have(&t, "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 12\"]");
    must_have(&t, "{#0} {draw by threefold repetition} {games 5: 1-0 1, 1/2-1/2 1, 0-1 2, * 1} {here it all begins} "
                  "12. Nf3 {games 3: ");
    assert_null(strstr(t.s, "move 12"));
    must_have(&t, "(12. f3 {games 1: 1-0 0, 1/2-1/2 0, 0-1 1, * 0} {one} {two} 12... e5");
    must_have(&t, "13... Qh4# {games 1: "); /* SAN shows that it is mate */
    must_have(&t, "(12. Nc3 ");
    must_have(&t, "13. Nf3 {= #9})");
    must_have(&t, "13. Nc3 {#9} {games 2: ");
    must_have(&t, "13... Ng8 {= #0})");
    free(t.s);
}

/* ---- Back from the folder -------------------------------------------------------------------------------- */

TEST(test_tree_export__comments_are_read_back_from_a_folder)
{
    tby_failure failure;
    char other[300];
    snprintf(other, sizeof other, "%s", folder_path("export-again"));
    assert_int_equal(tby_tree_write(tree, other, false, NULL, &failure), TBY_OK);
    tby_tree *again = read_tree(other);
    text a = tree_text(tree), b = tree_text(again);
    assert_string_equal(a.s, b.s);
    must_have(&a, "comment here it all begins\n");
    must_have(&a, "comment one\ncomment two\n");
    free(a.s);
    free(b.s);
    tby_tree_free(again);
    remove_folder(other);
}

/* A tree with the same positions but other results does not complete what was begun for this one. */
TEST(test_tree_export__trees_with_other_results_are_different)
{
    tby_failure failure;
    char other[300];
    snprintf(other, sizeof other, "%s", folder_path("export-other"));
    text t = file_text(inside(folder, "0/info.txt")), changed = {0};
    char *at = strstr(t.s, "1-0 1, 1/2-1/2 1");
    assert_non_null(at);
    add_text(&changed, t.s, t.n);
    memcpy(changed.s + (at - t.s), "1-0 2, 1/2-1/2 0", 16);
    put_file(inside(folder, "0/info.txt"), changed.s, changed.n);
    tby_tree *otherwise = read_tree(folder);
    put_file(inside(folder, "0/info.txt"), t.s, t.n);
    assert_true(os_folder_make(other));
    put_file(inside(other, "unfinished"), "", 0); /* begun, and nothing written yet */
    assert_int_equal(tby_tree_write(tree, other, true, NULL, &failure), TBY_OK);
    put_file(inside(other, "unfinished"), "x", 1);
    assert_int_equal(tby_tree_write(otherwise, other, true, NULL, &failure), TBY_CANNOT_HOLD);
    assert_int_equal(tby_tree_write(otherwise, other, false, NULL, &failure), TBY_CANNOT_HOLD);
    assert_non_null(strstr(failure.text, "there is an unfinished tree"));
    tby_tree_free(otherwise);
    free(t.s);
    free(changed.s);
    remove_folder(other);
}

/* ---- Sinks that refuse ------------------------------------------------------------------------------------ */

static bool take_some(void *context, const char *s, size_t n)
{
    (void)s;
    (void)n;
    return (*(long *)context)-- > 0;
}

/* Wherever the output fails, that is reported. */
TEST(test_tree_export__a_failing_output_is_reported_wherever_it_fails)
{
    enum { MOST = 100000 };
    tby_failure failure;
    long left = MOST;
    assert_int_equal(tby_tree_write_text(tree, take_some, &left, &failure), TBY_OK);
    const long n_calls = MOST - left;
    for (long n = 0; n < n_calls; n++) {
        left = n;
        assert_int_equal(tby_tree_write_text(tree, take_some, &left, &failure), TBY_IO_ERROR);
        assert_non_null(strstr(failure.text, "could not be written"));
    }
}

int main(void)
{
    snprintf(folder, sizeof folder, "%s", folder_path("export"));
    tree = tree_of_games(folder);
    const int failed = tests_run(NULL, NULL);
    tby_tree_free(tree);
    remove_folder(folder);
    return failed;
}
