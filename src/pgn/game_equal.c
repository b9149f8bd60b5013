/*
 * game_equal.c - are two games the same?
 *
 * Tags are compared in PGN's order (roster first), because a file may have them in any order. Moves, variations,
 * comments and NAGs must be the same and in the same order.
 */
#include "pgn/game.h"

static bool same_tag(const tby_game *a, const game_tag *x, const tby_game *b, const game_tag *y)
{
    return game_same_text(a, x->name, x->n_name, b, y->name, y->n_name) &&
           game_same_text(a, x->value, x->n_value, b, y->value, y->n_value);
}

static bool same_tags(const tby_game *a, const tby_game *b)
{
    size_t step_a = 0, step_b = 0, i, j;
    if (a->n_tags != b->n_tags)
        return false;
    while (game_next_tag(a, &step_a, &i))
        if (!game_next_tag(b, &step_b, &j) || !same_tag(a, &a->tags[i], b, &b->tags[j]))
            return false;
    return true;
}

static bool same_nags(const tby_game *a, uint32_t x, const tby_game *b, uint32_t y)
{
    const size_t n = game_list_length(a, x);
    if (n != game_list_length(b, y))
        return false;
    return n == 0 || memcmp(game_list_items(a, x), game_list_items(b, y), n * sizeof(uint32_t)) == 0;
}

static bool same_comments(const tby_game *a, uint32_t x, const tby_game *b, uint32_t y, game_same_comment same)
{
    const size_t n = game_list_length(a, x);
    if (n != game_list_length(b, y))
        return false;
    for (size_t i = 0; i < n; i += 2) {
        const uint32_t *p = game_list_items(a, x) + i, *q = game_list_items(b, y) + i;
        if (!same(a->text + p[0], p[1], b->text + q[0], q[1]))
            return false;
    }
    return true;
}

static bool same_node(const tby_game *a, const game_node *x, const tby_game *b, const game_node *y,
                      game_same_comment same)
{
    return x->move == y->move && (x->child == TBY_NO_NODE) == (y->child == TBY_NO_NODE) &&
           (x->next == TBY_NO_NODE) == (y->next == TBY_NO_NODE) && same_nags(a, x->nags, b, y->nags) &&
           same_comments(a, x->comments[0], b, y->comments[0], same) &&
           same_comments(a, x->comments[1], b, y->comments[1], same);
}

bool game_same_tree(const tby_game *a, const tby_game *b, game_same_comment same)
{
    tby_node x = TBY_ROOT, y = TBY_ROOT;
    if (a->result != b->result || a->is_chess960 != b->is_chess960 ||
        memcmp(&a->start, &b->start, sizeof a->start) != 0 || tby_game_n_nodes(a) != tby_game_n_nodes(b))
        return false;
    do {
        if (!same_node(a, &a->nodes[x], b, &b->nodes[y], same))
            return false;
        x = game_following(a, x);
        y = game_following(b, y);
    } while (x != TBY_ROOT && y != TBY_ROOT);
    return x == y;
}

static bool same_bytes(const char *a, size_t n_a, const char *b, size_t n_b)
{
    return n_a == n_b && memcmp(a, b, n_a) == 0;
}

bool tby_game_equal(const tby_game *a, const tby_game *b)
{
    return same_tags(a, b) && game_same_tree(a, b, same_bytes);
}
