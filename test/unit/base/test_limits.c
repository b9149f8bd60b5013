/*
 * test_limits.c - limits that are too large to reach in a test: the counters are set just below their maximum.
 */
#include "pgn/game.h"

#include "codec_support.h"

/* Text offsets have 32 bits; this game pretends to have four gigabytes of text. */
TEST(test_limits__a_game_has_at_most_four_gigabytes_of_text)
{
    tby_game *game = new_game();
    add_tag(game, "White", "Ada");
    const size_t n_text = game->n_text;
    uint32_t at = 0;
    game->n_text = UINT32_MAX - 4;
    assert_false(game_add_text(game, "12345678", 8, &at));
    assert_false(game_extend_text(game, "12345678", 8));
    assert_false(tby_game_set_tag(game, "Black", 5, "12345678", 8));
    assert_false(tby_game_add_comment(game, TBY_ROOT, TBY_COMMENT_AFTER, "12345678", 8));
    assert_int_equal(game->n_text, UINT32_MAX - 4);
    game->n_text = n_text;
    assert_string_equal(tby_game_tag(game, "White"), "Ada");
    assert_null(tby_game_tag(game, "Black"));
    tby_game_free(game);
}

/* Node numbers have 32 bits too. */
TEST(test_limits__a_game_has_no_more_moves_than_node_numbers)
{
    tby_game *game = new_game();
    const size_t n_nodes = game->n_nodes, cap = game->cap_nodes;
    tby_move e4;
    assert_int_equal(tby_uci_read(&e4, tby_game_start(game), "e2e4", 4, NULL), TBY_OK);
    game->n_nodes = game->cap_nodes = TBY_NO_NODE - 1;
    assert_int_equal(tby_game_add(game, TBY_ROOT, e4), TBY_NO_NODE);
    assert_int_equal(game->n_nodes, TBY_NO_NODE - 1);
    game->n_nodes = n_nodes;
    game->cap_nodes = cap;
    tby_game_free(game);
}

/* So do the offsets of comments and NAGs. */
TEST(test_limits__a_game_has_no_more_notes_than_offsets)
{
    tby_game *game = new_game();
    const size_t n_words = game->n_words;
    game->n_words = UINT32_MAX - 2;
    assert_false(tby_game_add_nag(game, TBY_ROOT, 1));
    assert_false(tby_game_add_comment(game, TBY_ROOT, TBY_COMMENT_AFTER, "x", 1));
    game->n_words = n_words;
    assert_int_equal(tby_game_n_nags(game, TBY_ROOT), 0);
    assert_int_equal(tby_game_n_comments(game, TBY_ROOT, TBY_COMMENT_AFTER), 0);
    tby_game_free(game);
}

/* A game with variations nested `depth` deep: each replaces the first move of the one around it. */
static tby_game *nested(unsigned depth)
{
    static const char *const moves[2][2] = {{"g1f3", "g8f6"}, {"f3g1", "f6g8"}};
    tby_game *game = new_game();
    tby_position pos;
    tby_node node = TBY_ROOT;
    tby_position_start(&pos);
    for (unsigned i = 0; i < depth; i++) {
        tby_move list[TBY_MOVES_MAX];
        const size_t n = tby_moves_list(list, &pos);
        tby_move m;
        assert_int_equal(tby_uci_read(&m, &pos, moves[i / 2 % 2][i % 2], 4, NULL), TBY_OK);
        tby_move other = TBY_MOVE_NONE;
        for (size_t k = 0; k < n && other == TBY_MOVE_NONE; k++)
            other = list[k] != m ? list[k] : TBY_MOVE_NONE;
        assert_int_not_equal(tby_game_add(game, node, other), TBY_NO_NODE);
        node = tby_game_add(game, node, m);
        tby_position_play(&pos, m, NULL);
    }
    return game;
}

static bool forget(void *context, const char *s, size_t n)
{
    (void)context;
    (void)s;
    (void)n;
    return true;
}

TEST(test_limits__variations_nested_too_deep_are_not_written)
{
    for (unsigned depth = 64; depth <= 65; depth++) {
        tby_game *game = nested(depth);
        static const char *const names[] = {"pgn", "json"};
        for (size_t i = 0; i < 2; i++) {
            tby_error err = {TBY_OK, {0, 0}, 0, NULL};
            const tby_game_notation *to = tby_game_notation_find(names[i], strlen(names[i]));
            assert_int_equal(to->write(game, forget, NULL, &err), depth == 64 ? TBY_OK : TBY_CANNOT_HOLD);
            if (depth == 65)
                assert_string_equal(err.detail, "variations nested more than 64 deep");
        }
        tby_game_free(game);
    }
}

int main(void) { return tests_run(NULL, NULL); }
