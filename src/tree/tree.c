/*
 * tree.c - trees in memory: building, reading, and growing them from the rules.
 */
#include "tree/tree.h"
#include "support/array.h"
#include "tree/lookup.h"

#include <stdio.h>
#include <string.h>

/* ---- Making -------------------------------------------------------------------------------------------- */

tby_tree *tree_new(tby_failure *f)
{
    tby_tree *tree = calloc(1, sizeof *tree);
    if (!tree)
        failure_no_memory(f);
    return tree;
}

void tby_tree_free(tby_tree *tree)
{
    if (!tree)
        return;
    free(tree->nodes);
    free(tree->moves);
    free(tree->first_from);
    free(tree->from);
    free(tree->results);
    free(tree->move_results);
    free(tree->comments);
    free(tree->first_comment);
    free(tree);
}

bool tree_has_number(size_t n_nodes, tby_failure *f)
{
    return n_nodes < TBY_TREE_NONE || failure_keep(f, TBY_TOO_MANY, "a tree holds at most %u positions", TBY_TREE_NONE);
}

bool tree_add_node(tby_tree *tree, const tby_position *pos, tby_tree_id parent, unsigned marks, tby_failure *f)
{
    if (!tree_has_number(tree->n_nodes, f))
        return false;
    const tree_node node = {
        .pos = *pos,
        .first_move = tree->n_moves, /* until its moves are added */
        .parent = parent,
        .depth = parent == TBY_TREE_NONE ? 0 : tree->nodes[parent].depth + 1,
        .marks = marks,
    };
    return array_add(&tree->nodes, &tree->n_nodes, &tree->nodes_cap, &node, sizeof node, NULL) || failure_no_memory(f);
}

bool tree_add_move(tby_tree *tree, tby_move m, tby_tree_id to, tby_failure *f)
{
    const tby_tree_move move = {m, to};
    return array_add(&tree->moves, &tree->n_moves, &tree->moves_cap, &move, sizeof move, NULL) || failure_no_memory(f);
}

/* Nodes are visited in order, so the lists of nodes that lead to a node are in order too. */
bool tree_close(tby_tree *tree, tby_failure *f)
{
    tree->first_from = calloc(tree->n_nodes + 2, sizeof *tree->first_from);
    tree->from = malloc((tree->n_moves + 1) * sizeof *tree->from);
    if (!tree->first_from || !tree->from ||
        !array_reserve(&tree->moves, &tree->moves_cap, 1, sizeof *tree->moves, NULL))
        return failure_no_memory(f);
    size_t *at = tree->first_from + 1; /* at[id] moves from the start of its list to the start of the next */
    for (size_t i = 0; i < tree->n_moves; i++)
        at[tree->moves[i].node + 1]++;
    for (size_t id = 1; id <= tree->n_nodes; id++)
        at[id] += at[id - 1];
    for (size_t id = 0; id < tree->n_nodes; id++)
        for (size_t i = 0; i < tree_n_moves_of(tree, id); i++)
            tree->from[at[tree->moves[tree->nodes[id].first_move + i].node]++] = (tby_tree_id)id;
    return true;
}

bool tree_keep_number(tby_tree *tree, uint32_t fullmove, tby_failure *f)
{
    char line[32];
    if (fullmove == 1)
        return true;
    const size_t n = (size_t)snprintf(line, sizeof line, TREE_NUMBER_COMMENT "%u\n", fullmove);
    tree->comments = malloc(n);
    tree->first_comment = malloc((tree->n_nodes + 1) * sizeof *tree->first_comment);
    if (!tree->comments || !tree->first_comment)
        return failure_no_memory(f);
    memcpy(tree->comments, line, n);
    tree->first_comment[0] = 0;
    for (size_t id = 1; id <= tree->n_nodes; id++)
        tree->first_comment[id] = n;
    return true;
}

uint32_t tree_number(const tby_tree *tree)
{
    const size_t begin = strlen(TREE_NUMBER_COMMENT), n = tree->first_comment ? tree->first_comment[1] : 0;
    uint32_t number = 0;
    if (n <= begin || memcmp(tree->comments, TREE_NUMBER_COMMENT, begin) != 0)
        return 1;
    for (size_t i = begin; i < n && tree->comments[i] != '\n'; i++) {
        const unsigned digit = (unsigned)(unsigned char)tree->comments[i] - '0';
        if (digit > 9 || (number = 10 * number + digit) > TBY_FULLMOVE_MAX)
            return 1;
    }
    return number ? number : 1;
}

/* ---- Asking -------------------------------------------------------------------------------------------- */

tby_tree_id tby_tree_n_nodes(const tby_tree *tree) { return (tby_tree_id)tree->n_nodes; }

static const tree_node *node_at(const tby_tree *tree, tby_tree_id id)
{
    TBY_CONTRACT(id < tree->n_nodes);
    return &tree->nodes[id];
}

tby_tree_id tby_tree_parent(const tby_tree *tree, tby_tree_id id) { return node_at(tree, id)->parent; }

unsigned tby_tree_depth(const tby_tree *tree, tby_tree_id id) { return node_at(tree, id)->depth; }

void tby_tree_node_at(tby_tree_node *out, const tby_tree *tree, tby_tree_id id)
{
    const tree_node *node = node_at(tree, id);
    *out = (tby_tree_node){
        .id = id,
        .marks = node->marks,
        .pos = node->pos,
        .from = tree->from + tree->first_from[id],
        .n_from = tree->first_from[id + 1] - tree->first_from[id],
        .moves = tree->moves + node->first_move,
        .n_moves = tree_n_moves_of(tree, id),
        .has_games = tree->results != NULL,
    };
    if (tree->results)
        memcpy(out->results, tree->results[id], sizeof out->results);
    if (tree->first_comment) {
        out->comments = tree->comments + tree->first_comment[id];
        out->n_comments = tree->first_comment[id + 1] - tree->first_comment[id];
    }
}

bool tby_tree_move_results(uint64_t out[4], const tby_tree *tree, tby_tree_id id, size_t i)
{
    const size_t at = node_at(tree, id)->first_move + i;
    TBY_CONTRACT(i < tree_n_moves_of(tree, id));
    for (int k = 0; tree->move_results && k < 4; k++)
        out[k] = tree->move_results[at][k];
    return tree->move_results != NULL;
}

static size_t add_key(uint64_t *keys, size_t n, const tby_position *pos)
{
    const uint64_t key = tby_polyglot_key(pos);
    for (size_t i = 0; i < n; i++)
        if (keys[i] == key)
            return n;
    keys[n] = key;
    return n + 1;
}

/* The keys differ only by the file of a pawn's double step: at most eight, and one without. */
size_t tby_tree_polyglot_keys(uint64_t out[TBY_TREE_POLYGLOT_KEYS_MAX], const tby_tree *tree, tby_tree_id id)
{
    size_t n = id ? 0 : add_key(out, 0, &tree->root);
    for (size_t i = tree->first_from[id]; i < tree->first_from[id + 1]; i++) {
        const tby_tree_id from = tree->from[i];
        const tby_tree_move *moves = tree->moves + tree->nodes[from].first_move;
        for (size_t k = 0; k < tree_n_moves_of(tree, from); k++) {
            tby_position pos = tree->nodes[from].pos;
            if (moves[k].node != id)
                continue;
            tby_position_play(&pos, moves[k].move, NULL);
            n = add_key(out, n, &pos);
        }
    }
    return n;
}

tby_tree_id tby_tree_follow(const tby_tree *tree, const tby_move *moves, size_t n_moves)
{
    tby_tree_id id = 0;
    for (size_t i = 0; i < n_moves; i++) {
        const tby_tree_move *edge = tree->moves + tree->nodes[id].first_move, *end = edge + tree_n_moves_of(tree, id);
        while (edge < end && edge->move != moves[i])
            edge++;
        if (edge == end)
            return TBY_TREE_NONE;
        id = edge->node;
    }
    return id;
}

size_t tree_path(char out[TREE_PATH_SIZE], const tby_tree *tree, size_t id)
{
    char digits[16];
    size_t at = TREE_PATH_SIZE - 1;
    out[at] = '\0';
    for (tby_tree_id up = (tby_tree_id)id; up != TBY_TREE_NONE; up = tree->nodes[up].parent) {
        const size_t n = (size_t)snprintf(digits, sizeof digits, "%s%u", up ? "/" : "", up);
        if (n > at)
            return 0;
        at -= n;
        memcpy(out + at, digits, n);
    }
    memmove(out, out + at, TREE_PATH_SIZE - at);
    return TREE_PATH_SIZE - 1 - at;
}

/* ---- Growing ------------------------------------------------------------------------------------------- */

typedef struct growth {
    tby_tree *tree;
    position_index index;
    const tby_tree_work *work;
    tby_failure *failure;
} growth;

static bool add_child(growth *g, tby_tree_id parent, tby_move m)
{
    tby_tree *tree = g->tree;
    const tby_position pos = tree_position_after(&tree->nodes[parent].pos, m);
    const tby_tree_id next = (tby_tree_id)tree->n_nodes;
    if (!index_reserve(&g->index, &tree->nodes->pos, sizeof *tree->nodes))
        return failure_no_memory(g->failure);
    const tby_tree_id id = index_find_or_add(&g->index, &tree->nodes->pos, sizeof *tree->nodes, &pos, next);
    if (id == next && !tree_add_node(tree, &pos, parent, tby_tree_marks_of(&pos), g->failure))
        return false;
    return tree_add_move(tree, m, id, g->failure);
}

/* The last level takes longer than all levels before it together. */
static bool report_progress(const growth *g, size_t id, size_t level, size_t level_end, bool is_last)
{
    const tby_tree_work *work = g->work;
    if (!work || !work->progress || id % 256)
        return true;
    return work->progress(work->context, is_last ? (double)(id - level) / (double)(level_end - level) : 0);
}

static bool grow_level(growth *g, size_t *level, bool is_last)
{
    tby_move moves[TBY_MOVES_MAX];
    tby_tree *tree = g->tree;
    const size_t end = tree->n_nodes;
    for (size_t id = *level; id < end; id++) {
        tree->nodes[id].first_move = tree->n_moves;
        const size_t n = tree_moves_of(moves, &tree->nodes[id].pos);
        for (size_t i = 0; i < n; i++)
            if (!add_child(g, (tby_tree_id)id, moves[i]))
                return false;
        if (!report_progress(g, id, *level, end, is_last))
            return failure_interrupted(g->failure);
    }
    *level = end;
    return true;
}

static bool grow_all(growth *g, const tby_position *root, unsigned depth)
{
    tby_tree *tree = g->tree;
    const tby_position pos = tree_position(root);
    size_t level = 0;
    tree->root = *root;
    if (!index_reserve(&g->index, NULL, 0))
        return failure_no_memory(g->failure);
    if (!tree_add_node(tree, &pos, TBY_TREE_NONE, tby_tree_marks_of(&pos), g->failure))
        return false;
    index_find_or_add(&g->index, &tree->nodes->pos, sizeof *tree->nodes, &pos, 0);
    for (unsigned i = 0; i < depth && level < tree->n_nodes; i++)
        if (!grow_level(g, &level, i + 1 == depth))
            return false;
    for (size_t id = level; id < tree->n_nodes; id++)
        tree->nodes[id].first_move = tree->n_moves;
    return tree_close(tree, g->failure) && tree_keep_number(tree, tby_position_fullmove(root), g->failure);
}

tby_status tby_tree_grow(tby_tree **out, const tby_position *root, unsigned depth, const tby_tree_work *work,
                         tby_failure *failure)
{
    growth g = {.work = work, .failure = failure_clear(failure)};
    g.tree = tree_new(g.failure);
    const bool is_good = g.tree && grow_all(&g, root, depth);
    index_free(&g.index);
    if (!is_good)
        tby_tree_free(g.tree);
    *out = is_good ? g.tree : NULL;
    return failure_answer(g.failure, is_good);
}
