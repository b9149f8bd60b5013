/*
 * game.h - the memory of a game tree.
 *
 * Everything is in a few arrays that only grow; references are indexes, so they stay valid when an array moves.
 * Clearing resets the lengths and keeps the memory: reading a file of games allocates only for the largest of them.
 *
 *     nodes   [ root | e4 | e5 | ... ]    a tree: parent, first child, next and previous sibling
 *     words   [ - | list | list | ... ]   the lists of a node: | size | used | item ... item |
 *                                         a comment is two words (place and length in `text`), a NAG is one
 *     text    [ tag names and values, comments, each with a NUL after it ]
 *     tags    [ name and value in `text` ]
 *
 * Keeps    the `previous` of a first child is the last child, so that adding a child takes no search. A removed node is
 *          in the list `free`, linked by `next`, and is reused first. A list that grows moves to the end of `words`, at
 *          least doubled. Text is at most 4 GiB.
 */
#ifndef TBY_PGN_GAME_H
#define TBY_PGN_GAME_H

#include "support/array.h"

#include <assert.h>
#include <string.h>

typedef struct game_node {
    tby_node parent, child, next, previous;
    uint32_t comments[2]; /* by tby_comment_place; lists, 0 = none */
    uint32_t nags;
    tby_move move;
    bool is_free;
} game_node;

typedef struct game_tag {
    uint32_t name, n_name, value, n_value;
    uint32_t hash, chain; /* `chain` is 1 + the next tag of the same bucket, 0 at the end */
} game_tag;

struct tby_game {
    game_node *nodes;
    size_t n_nodes, cap_nodes; /* removed ones included */
    size_t n_free;
    tby_node free;
    uint32_t *words;
    size_t n_words, cap_words;
    char *text;
    size_t n_text, cap_text;
    game_tag *tags;
    size_t n_tags, cap_tags;
    uint32_t *buckets; /* an index of many tags by their names; see game_tags.c */
    size_t n_buckets, cap_buckets;
    tby_position start;
    bool is_chess960;
    tby_result result;
    tby_allocator allocator;
};

enum { GAME_LIST_HEAD = 2 };

/* ---- Growing -------------------------------------------------------------------------------------------- */

/* Makes room for one more node. False if out of memory: nothing has changed then. */
bool game_grow_nodes(tby_game *game);

/* ---- Nodes ---------------------------------------------------------------------------------------------- */

static inline game_node *game_node_at(const tby_game *game, tby_node node)
{
    assert(node < game->n_nodes && !game->nodes[node].is_free);
    return &game->nodes[node];
}

static inline bool game_is_first(const tby_game *game, tby_node node)
{
    return game->nodes[game->nodes[node].parent].child == node;
}

static inline void game_link_last(tby_game *game, tby_node parent, tby_node node)
{
    game_node *nodes = game->nodes;
    const tby_node first = nodes[parent].child;
    if (first == TBY_NO_NODE) {
        nodes[parent].child = nodes[node].previous = node;
        return;
    }
    const tby_node last = nodes[first].previous;
    nodes[last].next = node;
    nodes[node].previous = last;
    nodes[first].previous = node;
}

static inline tby_node game_add(tby_game *game, tby_node parent, tby_move m)
{
    tby_node node = game->free;
    if (node != TBY_NO_NODE) {
        game->free = game->nodes[node].next;
        game->n_free--;
    } else {
        if (game->n_nodes == game->cap_nodes && !game_grow_nodes(game))
            return TBY_NO_NODE;
        node = (tby_node)game->n_nodes++;
    }
    game->nodes[node] = (game_node){parent, TBY_NO_NODE, TBY_NO_NODE, node, {0, 0}, 0, m, false};
    game_link_last(game, parent, node);
    return node;
}

/* The node after this one, children first; TBY_ROOT after the last. */
static inline tby_node game_following(const tby_game *game, tby_node node)
{
    if (game->nodes[node].child != TBY_NO_NODE)
        return game->nodes[node].child;
    while (node != TBY_ROOT && game->nodes[node].next == TBY_NO_NODE)
        node = game->nodes[node].parent;
    return node == TBY_ROOT ? TBY_ROOT : game->nodes[node].next;
}

/* Adds moves one after the other, the first as a child of `parent`. Returns the last, or TBY_NO_NODE if out of memory.
   */
static inline tby_node game_add_line(tby_game *game, tby_node parent, const tby_move *moves, size_t n)
{
    const bool is_simple = game->free == TBY_NO_NODE && game->nodes[parent].child == TBY_NO_NODE;
    while (is_simple && n > 0 && game->n_nodes < game->cap_nodes) { /* new nodes of a line without siblings */
        const tby_node node = (tby_node)game->n_nodes++;
        game->nodes[node] = (game_node){parent, TBY_NO_NODE, TBY_NO_NODE, node, {0, 0}, 0, *moves++, false};
        game->nodes[parent].child = node;
        parent = node;
        n--;
    }
    for (; n > 0 && parent != TBY_NO_NODE; n--)
        parent = game_add(game, parent, *moves++);
    return parent;
}

static inline bool game_is_usual_start(const tby_position *start)
{
    tby_position usual;
    tby_position_start(&usual);
    return memcmp(start, &usual, sizeof usual) == 0;
}

/* Are variations nested at most `most` deep? */
bool game_is_shallow(const tby_game *game, size_t most);

/* ---- Text ----------------------------------------------------------------------------------------------- */

/* Is this part of the game's own text? */
static inline bool game_owns(const tby_game *game, const char *s)
{
    return game->text && (uintptr_t)s - (uintptr_t)game->text < game->n_text;
}

/* Appends bytes and a NUL, and sets `*at` to their place. `s` may be part of the game's own text. */
bool game_add_text(tby_game *game, const char *s, size_t n, uint32_t *at);
/* Lengthens the text that was added last; there must be one. */
bool game_extend_text(tby_game *game, const char *s, size_t n);

static inline bool game_same_text(const tby_game *a, uint32_t at_a, size_t n_a, const tby_game *b, uint32_t at_b,
                                  size_t n_b)
{
    return n_a == n_b && memcmp(a->text + at_a, b->text + at_b, n_a) == 0;
}

/* ---- Lists ---------------------------------------------------------------------------------------------- */

static inline size_t game_list_length(const tby_game *game, uint32_t list) { return list ? game->words[list + 1] : 0; }

static inline uint32_t *game_list_items(const tby_game *game, uint32_t list)
{
    return game->words + list + GAME_LIST_HEAD;
}

/* Appends `n_items` words to the list `*list`, which may move. */
bool game_list_add(tby_game *game, uint32_t *list, const uint32_t *items, size_t n_items);

/* ---- Tags ----------------------------------------------------------------------------------------------- */

enum { GAME_N_ROSTER = 7 };
/* Event Site Date Round White Black Result: PGN's seven tag roster. */
extern const char *const game_roster[GAME_N_ROSTER];

/* Can PGN hold a tag of this name? */
bool game_is_tag_name(const char *s, size_t n);
/* Like tby_game_set_tag, with a name that PGN can hold. */
bool game_put_tag(tby_game *game, const char *name, size_t n_name, const char *value, size_t n_value);
/* The index of a tag, or n_tags. */
size_t game_find_tag(const tby_game *game, const char *name, size_t n_name);
/* Steps through the tags in PGN's order, roster first. Start with *step = 0; false at the end. */
bool game_next_tag(const tby_game *game, size_t *step, size_t *index);

static inline const char *game_tag_text(const tby_game *game, uint32_t at) { return game->text + at; }
static inline bool game_tag_is(const tby_game *game, const game_tag *tag, const char *name, size_t n)
{
    const char *text = game_tag_text(game, tag->name);
    return tag->n_name == n && *text == *name && memcmp(text, name, n) == 0;
}

/* ---- Notes ---------------------------------------------------------------------------------------------- */

/* tby_note_write_comment and tby_note_read at once, also for the start. The first needs a sink, the second an empty
   `out`; either may be NULL. (note.c) */
bool note_read_and_write(tby_note *out, const tby_game *game, tby_node node, tby_sink sink, void *context);

/* ---- Comparing ------------------------------------------------------------------------------------------ */

typedef bool (*game_same_comment)(const char *a, size_t n_a, const char *b, size_t n_b);
/* Same start, result and tree of moves, comments and NAGs? Tags are not compared. */
bool game_same_tree(const tby_game *a, const tby_game *b, game_same_comment same);

#endif
