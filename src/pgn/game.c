/*
 * game.c - a game as a tree: creating, walking and changing it.
 *
 *     root -- e4 -- e5 -- Nf3        the first child continues the main line,
 *              \     \-- f4          the others are its variations, in order
 *               \- c5 -- Nf3
 *
 * Keeps    no function recurses: a tree may be as deep as memory allows. A node's number stays valid until the node is
 *          removed. game.h describes the memory.
 */
#include "pgn/game.h"

#include "position/play.h"

enum { PATH_CHUNK = 2048 };

/* ---- Memory --------------------------------------------------------------------------------------------- */

bool game_grow_nodes(tby_game *game)
{
    const size_t need = game->n_nodes + 1;
    return need < TBY_NO_NODE &&
           array_reserve(&game->nodes, &game->cap_nodes, need, sizeof *game->nodes, &game->allocator);
}

/* Writes bytes and a NUL at text[at..], where the text then ends. The bytes may be part of the text itself. */
static bool put_text(tby_game *game, size_t at, const char *s, size_t n)
{
    const bool is_own = game_owns(game, s);
    const size_t place = is_own ? (size_t)(s - game->text) : 0;
    if (n >= UINT32_MAX - at || !array_reserve(&game->text, &game->cap_text, at + n + 1, 1, &game->allocator))
        return false;
    if (n)
        memmove(game->text + at, is_own ? game->text + place : s, n);
    game->text[at + n] = '\0';
    game->n_text = at + n + 1;
    return true;
}

bool game_add_text(tby_game *game, const char *s, size_t n, uint32_t *at)
{
    const size_t end = game->n_text;
    if (!put_text(game, end, s, n))
        return false;
    *at = (uint32_t)end;
    return true;
}

bool game_extend_text(tby_game *game, const char *s, size_t n) { return put_text(game, game->n_text - 1, s, n); }

/* ---- Life ----------------------------------------------------------------------------------------------- */

tby_game *tby_game_new(const tby_allocator *allocator)
{
    const tby_allocator memory = allocator_or_default(allocator);
    tby_game *game = alloc_new(memory, sizeof *game);
    if (!game)
        return NULL;
    game->allocator = memory;
    if (!game_grow_nodes(game)) {
        tby_game_free(game);
        return NULL;
    }
    tby_game_clear(game);
    return game;
}

void tby_game_free(tby_game *game)
{
    if (!game)
        return;
    const tby_allocator memory = game->allocator;
    alloc_free(memory, game->nodes, game->cap_nodes * sizeof *game->nodes);
    alloc_free(memory, game->words, game->cap_words * sizeof *game->words);
    alloc_free(memory, game->text, game->cap_text);
    alloc_free(memory, game->tags, game->cap_tags * sizeof *game->tags);
    alloc_free(memory, game->buckets, game->cap_buckets * sizeof *game->buckets);
    alloc_free(memory, game, sizeof *game);
}

void tby_game_clear(tby_game *game)
{
    game->nodes[TBY_ROOT] =
        (game_node){TBY_NO_NODE, TBY_NO_NODE, TBY_NO_NODE, TBY_NO_NODE, {0, 0}, 0, TBY_MOVE_NONE, false};
    game->n_nodes = 1;
    game->n_free = 0;
    game->free = TBY_NO_NODE;
    game->n_words = game->n_text = game->n_tags = game->n_buckets = 0;
    tby_position_start(&game->start);
    game->is_chess960 = false;
    game->result = TBY_RESULT_NONE;
}

/* ---- Start and result ----------------------------------------------------------------------------------- */

const tby_position *tby_game_start(const tby_game *game) { return &game->start; }
bool tby_game_is_chess960(const tby_game *game) { return game->is_chess960; }
tby_result tby_game_result(const tby_game *game) { return game->result; }
void tby_game_set_result(tby_game *game, tby_result result) { game->result = result; }

bool tby_game_set_start(tby_game *game, const tby_position *start, bool is_chess960)
{
    if (game->nodes[TBY_ROOT].child != TBY_NO_NODE)
        return false;
    game->start = *start;
    game->is_chess960 = is_chess960;
    return true;
}

/* ---- Walking -------------------------------------------------------------------------------------------- */

tby_move tby_game_move(const tby_game *game, tby_node node) { return game_node_at(game, node)->move; }
tby_node tby_game_parent(const tby_game *game, tby_node node) { return game_node_at(game, node)->parent; }
tby_node tby_game_child(const tby_game *game, tby_node node) { return game_node_at(game, node)->child; }
tby_node tby_game_sibling(const tby_game *game, tby_node node) { return game_node_at(game, node)->next; }
size_t tby_game_n_nodes(const tby_game *game) { return game->n_nodes - game->n_free; }

/* Plays the moves that lead from the start to `node`, which is `depth` moves away. Walking up visits the last move
   first, so the moves are gathered in chunks that fit on the stack. */
static void play_path(const tby_game *game, tby_node node, size_t depth, tby_position *pos)
{
    tby_move moves[PATH_CHUNK];
    for (size_t done = 0, n; done < depth; done += n) {
        n = depth - done < PATH_CHUNK ? depth - done : PATH_CHUNK;
        tby_node at = node;
        for (size_t skip = depth - done - n; skip > 0; skip--)
            at = game->nodes[at].parent;
        for (size_t i = n; i > 0; i--, at = game->nodes[at].parent)
            moves[i - 1] = game->nodes[at].move;
        for (size_t i = 0; i < n; i++)
            tby_line_play(pos, moves[i]);
    }
}

void tby_game_position(const tby_game *game, tby_node node, tby_position *out)
{
    size_t depth = 0;
    game_node_at(game, node);
    for (tby_node at = node; at != TBY_ROOT; at = game->nodes[at].parent)
        depth++;
    *out = game->start;
    play_path(game, node, depth, out);
}

size_t tby_game_null_ply(const tby_game *game)
{
    size_t ply = 1;
    for (tby_node node = tby_game_child(game, TBY_ROOT); node != TBY_NO_NODE; node = tby_game_child(game, node), ply++)
        if (tby_game_move(game, node) == TBY_MOVE_NULL)
            return ply;
    return 0;
}

size_t tby_game_main_line(const tby_game *game, tby_move *out, size_t cap)
{
    size_t n = 0;
    for (tby_node node = game->nodes[TBY_ROOT].child; node != TBY_NO_NODE; node = game->nodes[node].child, n++)
        if (n < cap)
            out[n] = game->nodes[node].move;
    return n;
}

/* ---- Changing ------------------------------------------------------------------------------------------- */

tby_node tby_game_add(tby_game *game, tby_node parent, tby_move m)
{
    game_node_at(game, parent);
    return game_add(game, parent, m);
}

static void unlink_node(tby_game *game, tby_node node)
{
    game_node *nodes = game->nodes, *parent = &nodes[nodes[node].parent];
    const tby_node first = parent->child, next = nodes[node].next, previous = nodes[node].previous;
    if (node == first)
        parent->child = next;
    else
        nodes[previous].next = next;
    if (next != TBY_NO_NODE)
        nodes[next].previous = previous; /* also right if `next` is first: its previous is the last */
    else if (node != first)
        nodes[first].previous = previous;
}

static void put_on_free_list(tby_game *game, tby_node node)
{
    game->nodes[node].is_free = true;
    game->nodes[node].next = game->free;
    game->free = node;
    game->n_free++;
}

static tby_node deepest(const tby_game *game, tby_node node)
{
    while (game->nodes[node].child != TBY_NO_NODE)
        node = game->nodes[node].child;
    return node;
}

/* Removes all descendants of a node, leaves first. */
static void remove_children(tby_game *game, tby_node top)
{
    for (tby_node node = deepest(game, top); node != top;) {
        const tby_node next = game->nodes[node].next, parent = game->nodes[node].parent;
        put_on_free_list(game, node);
        node = next != TBY_NO_NODE ? deepest(game, next) : parent;
    }
    game->nodes[top].child = TBY_NO_NODE;
}

void tby_game_remove(tby_game *game, tby_node node)
{
    game_node_at(game, node);
    remove_children(game, node);
    if (node == TBY_ROOT)
        return;
    unlink_node(game, node);
    put_on_free_list(game, node);
}

/* Moves a node that is not first before its previous sibling. */
static void swap_with_previous(tby_game *game, tby_node node)
{
    game_node *nodes = game->nodes;
    const tby_node parent = nodes[node].parent, first = nodes[parent].child, other = nodes[node].previous;
    const tby_node before = nodes[other].previous, after = nodes[node].next, last = nodes[first].previous;
    nodes[node].next = other;
    nodes[other].next = after;
    nodes[other].previous = node;
    nodes[node].previous = before;
    if (after != TBY_NO_NODE)
        nodes[after].previous = other;
    if (other == first)
        nodes[parent].child = node;
    else
        nodes[before].next = node;
    nodes[nodes[parent].child].previous = last == node ? other : last;
}

bool tby_game_promote(tby_game *game, tby_node node)
{
    game_node_at(game, node);
    if (node == TBY_ROOT || game_is_first(game, node))
        return false;
    swap_with_previous(game, node);
    return true;
}

bool tby_game_demote(tby_game *game, tby_node node)
{
    const tby_node next = game_node_at(game, node)->next;
    if (node == TBY_ROOT || next == TBY_NO_NODE)
        return false;
    swap_with_previous(game, next);
    return true;
}

/* Children first, without recursion. */
bool game_is_shallow(const tby_game *game, size_t most)
{
    size_t depth = 0;
    for (tby_node node = TBY_ROOT;;) {
        if (game->nodes[node].child != TBY_NO_NODE) {
            node = game->nodes[node].child;
            continue;
        }
        while (node != TBY_ROOT && game->nodes[node].next == TBY_NO_NODE) {
            depth -= game_is_first(game, node) ? 0 : 1;
            node = game->nodes[node].parent;
        }
        if (node == TBY_ROOT)
            return true;
        depth += game_is_first(game, node) ? 1 : 0;
        node = game->nodes[node].next;
        if (depth > most)
            return false;
    }
}
