/*
 * game_notes.c - comments and NAGs of a game's nodes, and the lists that store them.
 */
#include "pgn/game.h"

/* ---- Lists ---------------------------------------------------------------------------------------------- */

static bool reserve_words(tby_game *game, size_t n_more)
{
    return n_more < UINT32_MAX - game->n_words &&
           array_reserve(&game->words, &game->cap_words, game->n_words + n_more, sizeof *game->words, &game->allocator);
}

/* Copies a list to the end of `words`, with room for `size` words. */
static bool move_list(tby_game *game, uint32_t *list, size_t size)
{
    const size_t at = game->n_words ? game->n_words : 1; /* place 0 is not a list */
    if (!reserve_words(game, size + GAME_LIST_HEAD + 1))
        return false;
    uint32_t *words = game->words;
    const size_t n_used = game_list_length(game, *list);
    words[at] = (uint32_t)size;
    words[at + 1] = (uint32_t)n_used;
    if (n_used)
        memcpy(words + at + GAME_LIST_HEAD, game_list_items(game, *list), n_used * sizeof *words);
    game->n_words = at + GAME_LIST_HEAD + size;
    *list = (uint32_t)at;
    return true;
}

/* Grows the last list in place. */
static bool lengthen_list(tby_game *game, uint32_t list, size_t n_more)
{
    if (!reserve_words(game, n_more))
        return false;
    game->words[list] += (uint32_t)n_more;
    game->n_words += n_more;
    return true;
}

static bool make_room(tby_game *game, uint32_t *list, size_t n_items)
{
    if (!*list)
        return move_list(game, list, n_items);
    const size_t size = game->words[*list], n_used = game->words[*list + 1];
    if (size - n_used >= n_items)
        return true;
    if (*list + GAME_LIST_HEAD + size == game->n_words)
        return lengthen_list(game, *list, n_items);
    return move_list(game, list, 2 * size + n_items);
}

bool game_list_add(tby_game *game, uint32_t *list, const uint32_t *items, size_t n_items)
{
    if (!make_room(game, list, n_items))
        return false;
    uint32_t *n_used = &game->words[*list + 1], *end = game_list_items(game, *list) + *n_used;
    for (size_t i = 0; i < n_items; i++)
        end[i] = items[i];
    *n_used += (uint32_t)n_items;
    return true;
}

/* ---- Comments ------------------------------------------------------------------------------------------- */

bool tby_game_add_comment(tby_game *game, tby_node node, tby_comment_place place, const char *s, size_t n)
{
    const size_t n_text = game->n_text;
    uint32_t item[2] = {0, (uint32_t)n};
    if (!game_add_text(game, s, n, &item[0]))
        return false;
    if (game_list_add(game, &game_node_at(game, node)->comments[place], item, 2))
        return true;
    game->n_text = n_text;
    return false;
}

size_t tby_game_n_comments(const tby_game *game, tby_node node, tby_comment_place place)
{
    return game_list_length(game, game_node_at(game, node)->comments[place]) / 2;
}

const char *tby_game_comment(const tby_game *game, tby_node node, tby_comment_place place, size_t index, size_t *length)
{
    const uint32_t list = game_node_at(game, node)->comments[place];
    if (index >= game_list_length(game, list) / 2)
        return NULL;
    const uint32_t *item = game_list_items(game, list) + 2 * index;
    if (length)
        *length = item[1];
    return game->text + item[0];
}

void tby_game_remove_comments(tby_game *game, tby_node node)
{
    game_node *at = game_node_at(game, node);
    at->comments[TBY_COMMENT_BEFORE] = at->comments[TBY_COMMENT_AFTER] = 0;
}

/* ---- NAGs ----------------------------------------------------------------------------------------------- */

bool tby_game_add_nag(tby_game *game, tby_node node, uint16_t nag)
{
    const uint32_t item = nag;
    return game_list_add(game, &game_node_at(game, node)->nags, &item, 1);
}

size_t tby_game_n_nags(const tby_game *game, tby_node node)
{
    return game_list_length(game, game_node_at(game, node)->nags);
}

uint16_t tby_game_nag(const tby_game *game, tby_node node, size_t index)
{
    const uint32_t list = game_node_at(game, node)->nags;
    return index < game_list_length(game, list) ? (uint16_t)game_list_items(game, list)[index] : 0;
}

void tby_game_remove_nags(tby_game *game, tby_node node) { game_node_at(game, node)->nags = 0; }

/* ---- None at all ---------------------------------------------------------------------------------------- */

static bool has_notes(const tby_game *game, const game_node *node)
{
    return game_list_length(game, node->nags) || game_list_length(game, node->comments[TBY_COMMENT_BEFORE]) ||
           game_list_length(game, node->comments[TBY_COMMENT_AFTER]);
}

/* Fast test: most nodes never had a list. */
static inline bool node_is_plain(const tby_game *game, const game_node *node)
{
    const uint32_t lists = node->nags | node->comments[TBY_COMMENT_BEFORE] | node->comments[TBY_COMMENT_AFTER];
    return node->next == TBY_NO_NODE && node->move != TBY_MOVE_NULL && (!lists || !has_notes(game, node));
}

bool tby_game_is_plain(const tby_game *game)
{
    for (size_t i = 0; i < game->n_nodes; i++)
        if (!game->nodes[i].is_free && !node_is_plain(game, &game->nodes[i]))
            return false;
    return true;
}
