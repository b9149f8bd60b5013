/*
 * folder_check.c - checks the contents of the folders of a tree.
 *
 * The nodes are visited in the order of their numbers, in which the tree was grown: the moves of each are played, and
 * every node that is reached for the first time must have the next number, be in the folder of the node that led to it,
 * and be the position after the move, clock included. Further checks: the list of nodes that lead to a node, missing
 * moves, duplicate positions, and the marks for the end of a game.
 */
#include "tree/folder_read.h"
#include "tree/lookup.h"

#include <stdio.h>
#include <string.h>

/* For each node, the nodes that lead to it, in order. */
typedef struct inverse {
    size_t *first; /* n_nodes + 1 */
    tby_tree_id *from;
} inverse;

/* ---- Numbers ------------------------------------------------------------------------------------------- */

typedef struct number {
    tby_tree_id id, parent; /* `parent` distinguishes folders with the same number */
    uint32_t place;
} number;

static int compare_numbers(const void *a, const void *b)
{
    const number *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->parent > y->parent) - (x->parent < y->parent);
}

static void check_numbers(found_tree *found)
{
    for (size_t i = 1; i < found->n_nodes; i++) {
        const tby_tree_id before = found->nodes[i - 1].text.id, now = found->nodes[i].text.id;
        char text[64];
        if (now == before)
            found_fault_add(found, i, 0, "another folder has the number #%u too", now);
        if (now <= before + 1)
            continue;
        if (now == before + 2)
            snprintf(text, sizeof text, "no folder has the number #%u", before + 1);
        else
            snprintf(text, sizeof text, "no folder has the numbers #%u to #%u", before + 1, now - 1);
        found_fault_at(found, before + 1, "", text);
    }
}

static tby_tree_id parent_id(const found_tree *found, size_t place)
{
    const uint32_t parent = found->nodes[place].parent;
    return parent == FOUND_NONE ? TBY_TREE_NONE : found->nodes[parent].text.id;
}

/* Parents are stored by index, so they are updated too. */
static bool sort_nodes(found_tree *found)
{
    const size_t n = found->n_nodes;
    number *numbers = malloc(n * sizeof *numbers);
    uint32_t *new_place = malloc(n * sizeof *new_place);
    found_node *sorted = malloc(n * sizeof *sorted);
    const bool is_good = numbers && new_place && sorted;
    if (is_good) {
        for (size_t i = 0; i < n; i++)
            numbers[i] = (number){found->nodes[i].text.id, parent_id(found, i), (uint32_t)i};
        qsort(numbers, n, sizeof *numbers, compare_numbers);
        for (size_t i = 0; i < n; i++)
            new_place[numbers[i].place] = (uint32_t)i;
        for (size_t i = 0; i < n; i++) {
            sorted[i] = found->nodes[numbers[i].place];
            if (sorted[i].parent != FOUND_NONE)
                sorted[i].parent = new_place[sorted[i].parent];
        }
        free(found->nodes);
        found->nodes = sorted;
        found->nodes_cap = n;
    } else {
        free(sorted);
    }
    free(numbers);
    free(new_place);
    return is_good;
}

/* The index of the node with this number; FOUND_NONE if no folder has it. */
static size_t find_node(const found_tree *found, tby_tree_id id)
{
    size_t low = 0, high = found->n_nodes;
    if (id < found->n_nodes && found->nodes[id].text.id == id)
        return id;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (found->nodes[middle].text.id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < found->n_nodes && found->nodes[low].text.id == id ? low : FOUND_NONE;
}

/* ---- Moves --------------------------------------------------------------------------------------------- */

/* A node is reached for the first time. */
static void check_meeting(found_tree *found, size_t place, size_t line, size_t child, const tby_position *pos,
                          tby_tree_id *next)
{
    found_node *c = &found->nodes[child];
    c->is_met = true;
    if (c->text.id != *next)
        found_fault_add(found, place, line, "leads to #%u, which is reached here for the first time and should be #%u",
                        c->text.id, *next);
    *next = c->text.id >= *next ? c->text.id + 1 : *next;
    if (c->parent != place)
        found_fault_add(found, child, 0, "is first reached from #%u, and belongs in its folder",
                        found->nodes[place].text.id);
    else if (c->lists && c->text.pos.clock != pos->clock)
        found_fault_add(found, child, NODE_FEN_LINE, "the half-move clock is %u, not %u, when #%u leads here",
                        pos->clock, c->text.pos.clock, found->nodes[place].text.id);
}

static void check_move(found_tree *found, size_t place, size_t index, tby_tree_id *next)
{
    const tby_tree_node *node = &found->nodes[place].text;
    const tby_tree_move *m = &node->moves[index];
    const size_t line = NODE_FROM_LINE + node->n_from + index, child = find_node(found, m->node);
    if (child == FOUND_NONE) {
        found_fault_add(found, place, line, "leads to #%u, which does not exist", m->node);
        *next += m->node == *next;
        return;
    }
    const found_node *c = &found->nodes[child];
    const tby_position pos = tree_position_after(&node->pos, m->move);
    if (c->lists && !tby_position_same(&c->text.pos, &pos)) {
        char fen[TBY_FEN_SIZE];
        node_fen_write(fen, &pos);
        found_fault_add(found, place, line, "leads to #%u, which is another position than %s", m->node, fen);
    } else if (!c->is_met) {
        check_meeting(found, place, line, child, &pos, next);
    }
}

/* If a node's text could not be read, its subfolders show which nodes it is the first to reach. */
static void assume_moves(found_tree *found, size_t place, tby_tree_id *next)
{
    size_t child;
    while ((child = find_node(found, *next)) != FOUND_NONE && found->nodes[child].parent == place) {
        found->nodes[child].is_met = true;
        ++*next;
    }
}

static void check_moves(found_tree *found)
{
    tby_tree_id next = 1;
    found->nodes[0].is_met = true;
    for (size_t i = 0; i < found->n_nodes; i++) {
        if (!found->nodes[i].lists)
            assume_moves(found, i, &next);
        for (size_t j = 0; j < found->nodes[i].text.n_moves; j++)
            check_move(found, i, j, &next);
    }
    for (size_t i = 1; i < found->n_nodes; i++)
        if (found->nodes[i].lists && !found->nodes[i].is_met)
            found_fault_add(found, i, 0, "no move leads here");
}

/* ---- From ---------------------------------------------------------------------------------------------- */

static bool make_inverse(inverse *inv, const found_tree *found)
{
    inv->first = calloc(found->n_nodes + 2, sizeof *inv->first);
    inv->from = malloc((found->n_moves + 1) * sizeof *inv->from);
    if (!inv->first || !inv->from)
        return false;
    size_t *at = inv->first + 1;
    for (bool is_counted = false;; is_counted = true) {
        for (size_t i = 0; i < found->n_nodes; i++)
            for (size_t j = 0; j < found->nodes[i].text.n_moves; j++) {
                const size_t child = find_node(found, found->nodes[i].text.moves[j].node);
                if (child != FOUND_NONE && !is_counted)
                    at[child + 1]++;
                else if (child != FOUND_NONE)
                    inv->from[at[child]++] = found->nodes[i].text.id;
            }
        for (size_t i = 1; !is_counted && i <= found->n_nodes; i++)
            at[i] += at[i - 1];
        if (is_counted)
            return true;
    }
}

/* Both lists are sorted. A node whose text could not be read may still lead to others. */
static void check_from(found_tree *found, const inverse *inv, size_t place)
{
    const tby_tree_node *node = &found->nodes[place].text;
    const tby_tree_id *listed = node->from, *is = inv->from + inv->first[place];
    const size_t n_listed = node->n_from, n_is = inv->first[place + 1] - inv->first[place];
    size_t i = 0, j = 0;
    while (i < n_listed || j < n_is) {
        if (j == n_is || (i < n_listed && listed[i] < is[j])) {
            const size_t parent = find_node(found, listed[i]);
            if (parent == FOUND_NONE || found->nodes[parent].lists)
                found_fault_add(found, place, NODE_FROM_LINE + i, "from #%u, which does not lead here", listed[i]);
            i++;
        } else if (i == n_listed || is[j] < listed[i]) {
            found_fault_add(found, place, NODE_FROM_LINE + i, "\"from #%u\" is missing", is[j]);
            j++;
        } else {
            i++;
            j++;
        }
    }
}

/* ---- Single nodes -------------------------------------------------------------------------------------- */

static void check_complete(found_tree *found, size_t place, uint32_t max_depth)
{
    const tby_tree_node *node = &found->nodes[place].text;
    const size_t n_legal = tby_moves_count(&node->pos), line = NODE_FROM_LINE + node->n_from + node->n_moves;
    if (node->n_moves == n_legal || (node->n_moves == 0 && found->nodes[place].depth == max_depth))
        return;
    found_fault_add(found, place, line, "%zu of %zu legal moves are missing", n_legal - node->n_moves, n_legal);
}

static void check_marks(found_tree *found, size_t place, bool has_games)
{
    const unsigned of_games = TBY_TREE_THREEFOLD | TBY_TREE_FIFTY, listed = found->nodes[place].text.marks;
    const unsigned is = tby_tree_marks_of(&found->nodes[place].text.pos);
    const size_t line = NODE_FROM_LINE + found->nodes[place].text.n_from + found->nodes[place].text.n_moves;
    for (unsigned mark = 1; tby_tree_mark_text(mark); mark <<= 1) {
        if ((is & ~listed) & mark)
            found_fault_add(found, place, line, "\"%s\" is missing", tby_tree_mark_text(mark));
        if ((listed & ~is & ~of_games) & mark)
            found_fault_add(found, place, line, "\"%s\" does not hold", tby_tree_mark_text(mark));
        if ((listed & of_games & mark) && !has_games)
            found_fault_add(found, place, line, "\"%s\" in a tree without games", tby_tree_mark_text(mark));
    }
}

static void check_nodes(found_tree *found)
{
    const bool has_games = found->nodes[0].text.has_games;
    uint32_t max_depth = 0;
    for (size_t i = 0; i < found->n_nodes; i++)
        max_depth = found->nodes[i].depth > max_depth ? found->nodes[i].depth : max_depth;
    for (size_t i = 0; i < found->n_nodes; i++) {
        if (!found->nodes[i].lists)
            continue;
        if (found->nodes[i].text.has_games != has_games)
            found_fault_add(found, i, 0,
                            has_games ? "counts no games, in a tree of games" : "counts games, unlike the root");
        if (!has_games)
            check_complete(found, i, max_depth);
        check_marks(found, i, has_games);
    }
}

static bool check_duplicates(found_tree *found)
{
    position_index index = {0};
    bool is_good = true;
    for (size_t i = 0; is_good && i < found->n_nodes; i++) {
        if (!found->nodes[i].lists)
            continue;
        is_good = index_reserve(&index, &found->nodes[0].text.pos, sizeof *found->nodes);
        if (!is_good)
            break;
        const uint32_t first = index_find_or_add(&index, &found->nodes[0].text.pos, sizeof *found->nodes,
                                                 &found->nodes[i].text.pos, (uint32_t)i);
        if (first != i)
            found_fault_add(found, i, NODE_FEN_LINE, "the same position as #%u", found->nodes[first].text.id);
    }
    index_free(&index);
    return is_good;
}

void found_check(found_tree *found)
{
    inverse inv = {0};
    const bool is_ready = sort_nodes(found) && make_inverse(&inv, found) && check_duplicates(found);
    if (!is_ready)
        failure_no_memory(found->failure);
    if (is_ready && found->failure->status == TBY_OK) {
        check_numbers(found);
        check_moves(found);
        check_nodes(found);
        for (size_t i = 0; i < found->n_nodes; i++)
            if (found->nodes[i].lists)
                check_from(found, &inv, i);
    }
    free(inv.first);
    free(inv.from);
}
