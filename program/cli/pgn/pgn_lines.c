/*
 * pgn_lines.c - copies parts of a game into another one.
 */
#include "pgn_change.h"

#include <stdlib.h>
#include <string.h>

bool lines_copy_head(tby_game *to, const tby_game *from)
{
    bool is_good = true;
    for (size_t i = 0; is_good && i < tby_game_n_tags(from); i++) {
        const char *name = tby_game_tag_name(from, i), *value = tby_game_tag_value(from, i);
        is_good = tby_game_set_tag(to, name, strlen(name), value, strlen(value));
    }
    tby_game_set_result(to, tby_game_result(from));
    return is_good;
}

static bool copy_comments(tby_game *to, tby_node at, const tby_game *from, tby_node node, tby_comment_place place)
{
    bool is_good = true;
    for (size_t i = 0; is_good && i < tby_game_n_comments(from, node, place); i++) {
        size_t n;
        const char *text = tby_game_comment(from, node, place, i, &n);
        is_good = tby_game_add_comment(to, at, place, text, n);
    }
    return is_good;
}

/* The move of `node` as a child of `at`: the new node. */
static tby_node copy_node(tby_game *to, tby_node at, const tby_game *from, tby_node node)
{
    const tby_node new = tby_game_add(to, at, tby_game_move(from, node));
    bool is_good = new != TBY_NO_NODE;
    for (size_t i = 0; is_good && i < tby_game_n_nags(from, node); i++)
        is_good = tby_game_add_nag(to, new, tby_game_nag(from, node, i));
    is_good = is_good && copy_comments(to, new, from, node, TBY_COMMENT_BEFORE) &&
              copy_comments(to, new, from, node, TBY_COMMENT_AFTER);
    return is_good ? new : TBY_NO_NODE;
}

/* Follows the first moves; recursive for variations, which are nested at most TBY_PGN_DEPTH_MAX deep. */
bool lines_copy_below(tby_game *to, tby_node at, const tby_game *from, tby_node node)
{
    for (tby_node first; (first = tby_game_child(from, node)) != TBY_NO_NODE; node = first) {
        const tby_node next = copy_node(to, at, from, first);
        if (next == TBY_NO_NODE)
            return false;
        for (tby_node other = tby_game_sibling(from, first); other != TBY_NO_NODE;
             other = tby_game_sibling(from, other)) {
            const tby_node new = copy_node(to, at, from, other);
            if (new == TBY_NO_NODE || !lines_copy_below(to, new, from, other))
                return false;
        }
        at = next;
    }
    return true;
}

/* ---- Lines of play ---------------------------------------------------------------------------------------------- */

typedef struct unfolding {
    tby_game *room;
    const tby_game *game;
    bool (*visit)(void *context, const tby_game *line);
    void *context;
    tby_node *path; /* from the root to the node that a line goes through */
} unfolding;

/* The moves from the root to `node`, continued along the first moves. */
static bool visit_line(const unfolding *u, tby_node node, tby_result result)
{
    const tby_game *from = u->game;
    tby_node at = TBY_ROOT;
    size_t n = 0;
    tby_game_clear(u->room);
    bool is_good = lines_copy_head(u->room, from) &&
                   tby_game_set_start(u->room, tby_game_start(from), tby_game_is_chess960(from)) &&
                   copy_comments(u->room, TBY_ROOT, from, TBY_ROOT, TBY_COMMENT_BEFORE) &&
                   copy_comments(u->room, TBY_ROOT, from, TBY_ROOT, TBY_COMMENT_AFTER);
    for (tby_node up = node; up != TBY_ROOT; up = tby_game_parent(from, up))
        u->path[n++] = up;
    while (is_good && n > 0)
        is_good = (at = copy_node(u->room, at, from, u->path[--n])) != TBY_NO_NODE;
    for (tby_node next = tby_game_child(from, node); is_good && next != TBY_NO_NODE; next = tby_game_child(from, next))
        is_good = (at = copy_node(u->room, at, from, next)) != TBY_NO_NODE;
    tby_game_set_result(u->room, result);
    if (result == TBY_RESULT_NONE && tby_game_tag(from, "Result"))
        is_good = is_good && tby_game_set_tag(u->room, "Result", 6, "*", 1);
    return is_good && u->visit(u->context, u->room);
}

/* The variations of the line that continues from `node`, in the order of the text. */
static bool visit_variations(const unfolding *u, tby_node node)
{
    for (tby_node first; (first = tby_game_child(u->game, node)) != TBY_NO_NODE; node = first)
        for (tby_node other = tby_game_sibling(u->game, first); other != TBY_NO_NODE;
             other = tby_game_sibling(u->game, other))
            if (!visit_line(u, other, TBY_RESULT_NONE) || !visit_variations(u, other))
                return false;
    return true;
}

bool lines_unfold(tby_game *room, const tby_game *game, bool (*visit)(void *context, const tby_game *line),
                  void *context)
{
    unfolding u = {.room = room, .game = game, .visit = visit, .context = context};
    u.path = malloc(tby_game_n_nodes(game) * sizeof *u.path);
    const bool is_good = u.path && visit_line(&u, TBY_ROOT, tby_game_result(game)) && visit_variations(&u, TBY_ROOT);
    free(u.path);
    return is_good;
}
