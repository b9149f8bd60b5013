/*
 * tree_games.c - the tree of the moves that games have played.
 *
 * While games are added, nodes are numbered in order of appearance and keep their moves in lists; a game on a known
 * path only follows it. At the end the nodes are visited breadth first, in the order of the tree, and renumbered.
 */
#include "support/array.h"
#include "tree/lookup.h"
#include "tree/tree.h"

#define NO_EDGE ((uint32_t)0xffffffff)

/* A move that was played. */
typedef struct game_edge {
    tby_move move;    /* TBY_MOVE_NONE: no game continued */
    tby_tree_id node; /* where it leads */
    uint32_t next;    /* the node's next move in `edges` */
    uint32_t results[4];
} game_edge;

/* Less than a cache line, because the nodes of a game are scattered in memory. The first move is in the node itself:
   usually there is no other. */
typedef struct game_node {
    game_edge first;
    uint32_t last_game; /* the last game that came here: each game counts once */
    uint32_t results[4];
    uint16_t marks;
} game_node;

struct tby_tree_games {
    tby_position root, given_root; /* as returned by tree_position, and as given */
    uint64_t root_key;
    unsigned plies;
    position_index index;
    game_node *nodes;
    tby_position *positions; /* of the nodes, as returned by tree_position except for the clock */
    size_t n_nodes, nodes_cap, positions_cap;
    game_edge *edges;
    size_t n_edges, edges_cap;
    uint32_t n_games;
    uint64_t *keys; /* of the last drawn game */
    size_t keys_cap;
};

/* ---- Adding -------------------------------------------------------------------------------------------- */

static bool has_room(tby_tree_games *games, tby_failure *f)
{
    const size_t n = games->n_nodes + 1;
    return tree_has_number(games->n_nodes, f) &&
           ((index_reserve(&games->index, games->positions, sizeof *games->positions) &&
             array_reserve(&games->nodes, &games->nodes_cap, n, sizeof *games->nodes, NULL) &&
             array_reserve(&games->positions, &games->positions_cap, n, sizeof *games->positions, NULL)) ||
            failure_no_memory(f));
}

/* The number of a position's node, created if necessary; TBY_TREE_NONE on failure. */
static tby_tree_id node_of(tby_tree_games *games, const tby_position *pos, tby_failure *f)
{
    const tby_tree_id next = (tby_tree_id)games->n_nodes;
    if (!has_room(games, f))
        return TBY_TREE_NONE;
    const tby_tree_id id = index_find_or_add(&games->index, games->positions, sizeof *pos, pos, next);
    if (id == next) {
        games->positions[games->n_nodes] = *pos;
        games->nodes[games->n_nodes++] = (game_node){.first.next = NO_EDGE};
    }
    return id;
}

tby_tree_games *tby_tree_games_new(const tby_position *root, unsigned plies)
{
    tby_failure ignored = {.status = TBY_OK}; /* out of memory is the only possible failure */
    tby_tree_games *games = calloc(1, sizeof *games);
    if (!games)
        return NULL;
    games->root = tree_position(root);
    games->given_root = *root;
    games->root_key = tby_position_key(&games->root);
    games->plies = plies;
    if (node_of(games, &games->root, &ignored) == 0)
        return games;
    tby_tree_games_free(games);
    return NULL;
}

void tby_tree_games_free(tby_tree_games *games)
{
    if (!games)
        return;
    index_free(&games->index);
    free(games->nodes);
    free(games->positions);
    free(games->edges);
    free(games->keys);
    free(games);
}

static bool has_edge_left(tby_tree_games *games, tby_failure *f)
{
    if (games->n_edges >= NO_EDGE)
        return failure_keep(f, TBY_TOO_MANY, "a tree of games holds at most %u moves beside the first of each position",
                            NO_EDGE);
    return array_reserve(&games->edges, &games->edges_cap, games->n_edges + 1, sizeof *games->edges, NULL) ||
           failure_no_memory(f);
}

/* Adds a move that no game has played here; NULL on failure. */
static game_edge *add_move(tby_tree_games *games, tby_tree_id from, tby_move m, tby_failure *f)
{
    const tby_position pos = tree_position_after(&games->positions[from], m);
    const tby_tree_id to = node_of(games, &pos, f);
    if (to == TBY_TREE_NONE || !has_edge_left(games, f))
        return NULL;
    game_edge *first = &games->nodes[from].first, *edge = first;
    if (first->move != TBY_MOVE_NONE) {
        edge = &games->edges[games->n_edges];
        *edge = (game_edge){.next = first->next};
        first->next = (uint32_t)games->n_edges++;
    }
    edge->move = m;
    edge->node = to;
    return edge;
}

static game_edge *next_edge(const tby_tree_games *games, const game_edge *edge)
{
    return edge->next == NO_EDGE ? NULL : &games->edges[edge->next];
}

/* NULL if no game has played the move. */
static game_edge *find_move(const tby_tree_games *games, tby_tree_id from, tby_move m)
{
    game_edge *edge = &games->nodes[from].first;
    while (edge && edge->move != m)
        edge = next_edge(games, edge);
    return edge;
}

static void count_game(tby_tree_games *games, tby_tree_id id, tby_result result)
{
    game_node *node = &games->nodes[id];
    node->results[result] += node->last_game != games->n_games;
    node->last_game = games->n_games;
}

/* The number of moves that lead to the root; n_moves + 1 if they do not reach it. */
static size_t find_root(const tby_tree_games *games, const tby_position *start, const tby_move *moves, size_t n_moves)
{
    tby_position pos = *start;
    for (size_t i = 0;; i++) {
        if (tby_position_key(&pos) == games->root_key && tby_position_same(&pos, &games->root))
            return i;
        if (i == n_moves)
            return n_moves + 1;
        tby_position_play(&pos, moves[i], NULL);
    }
}

/* Marks the end of a drawn game that ended by repetition or by the clock. */
static bool mark_end(tby_tree_games *games, tby_tree_id last, const tby_position *start, const tby_move *moves,
                     size_t n_moves, tby_failure *f)
{
    enum { THREEFOLD_PLIES = 8 };
    tby_position pos = *start;
    if (n_moves < THREEFOLD_PLIES && start->clock + n_moves < TBY_FIFTY_MOVE_PLIES)
        return true;
    if (!array_reserve(&games->keys, &games->keys_cap, n_moves + 1, sizeof *games->keys, NULL))
        return failure_no_memory(f);
    games->keys[0] = tby_position_key(&pos);
    for (size_t i = 0; i < n_moves; i++) {
        tby_position_play(&pos, moves[i], NULL);
        games->keys[i + 1] = tby_position_key(&pos);
    }
    if (tby_repetition_is_threefold(games->keys, n_moves + 1))
        games->nodes[last].marks |= TBY_TREE_THREEFOLD;
    if (tby_move_clock_is_fifty(&pos))
        games->nodes[last].marks |= TBY_TREE_FIFTY;
    return true;
}

static bool add_game(tby_tree_games *games, const tby_position *start, const tby_move *moves, size_t n_moves,
                     tby_result result, tby_failure *f)
{
    const size_t first = find_root(games, start, moves, n_moves);
    tby_tree_id id = 0;
    if (first > n_moves)
        return failure_keep(f, TBY_NOT_FOUND, "the game never reaches the root");
    const size_t end = n_moves - first > games->plies ? first + games->plies : n_moves;
    if (games->n_games == UINT32_MAX)
        return failure_keep(f, TBY_TOO_MANY, "a tree counts at most %u games", UINT32_MAX);
    games->n_games++;
    count_game(games, id, result);
    for (size_t i = first; i < end; i++) {
        game_edge *edge = find_move(games, id, moves[i]);
        if (!edge && !(edge = add_move(games, id, moves[i], f)))
            return false;
        edge->results[result]++;
        id = edge->node;
        count_game(games, id, result);
    }
    return result != TBY_DRAW || end < n_moves || mark_end(games, id, start, moves, n_moves, f);
}

tby_status tby_tree_games_add(tby_tree_games *games, const tby_position *start, const tby_move *moves, size_t n_moves,
                              tby_result result, tby_failure *failure)
{
    failure_clear(failure);
    return failure_answer(failure, add_game(games, start, moves, n_moves, result, failure));
}

/* ---- Finishing ----------------------------------------------------------------------------------------- */

typedef struct finishing {
    const tby_tree_games *games;
    uint64_t min_games;
    tby_tree *tree;
    tby_tree_id *old; /* the number in `games` of a node of the tree */
    tby_tree_id *new; /* the other way round; TBY_TREE_NONE = not reached yet */
    tby_failure *failure;
} finishing;

static uint64_t games_of(const game_node *node)
{
    return (uint64_t)node->results[0] + node->results[1] + node->results[2] + node->results[3];
}

static bool meet(finishing *f, tby_tree_id old, const tby_position *pos, tby_tree_id parent)
{
    tby_tree *tree = f->tree;
    const tby_tree_id id = (tby_tree_id)tree->n_nodes;
    if (!tree_add_node(tree, pos, parent, tby_tree_marks_of(pos) | f->games->nodes[old].marks, f->failure))
        return false;
    f->old[id] = old;
    f->new[old] = id;
    for (int i = 0; i < 4; i++)
        tree->results[id][i] = f->games->nodes[old].results[i];
    return true;
}

/* The moves of a node that lead to nodes with enough games, in order. */
static size_t list_moves(const finishing *f, tby_move out[TBY_MOVES_MAX], tby_tree_id old)
{
    size_t n = 0;
    const game_edge *edge = &f->games->nodes[old].first;
    for (; edge && edge->move != TBY_MOVE_NONE; edge = next_edge(f->games, edge)) {
        out[n] = edge->move;
        n += games_of(&f->games->nodes[edge->node]) >= f->min_games;
    }
    tby_moves_sort(out, n);
    return n;
}

static bool finish_move(finishing *f, const game_edge *edge)
{
    tby_tree *tree = f->tree;
    if (!array_reserve(&tree->move_results, &tree->move_results_cap, tree->n_moves + 1, sizeof *tree->move_results,
                       NULL))
        return failure_no_memory(f->failure);
    memcpy(tree->move_results[tree->n_moves], edge->results, sizeof edge->results);
    return tree_add_move(tree, edge->move, f->new[edge->node], f->failure);
}

static bool finish_node(finishing *f, tby_tree_id id)
{
    tby_move moves[TBY_MOVES_MAX];
    tby_tree *tree = f->tree;
    const size_t n = list_moves(f, moves, f->old[id]);
    tree->nodes[id].first_move = tree->n_moves;
    for (size_t i = 0; i < n; i++) {
        const game_edge *edge = find_move(f->games, f->old[id], moves[i]);
        if (f->new[edge->node] == TBY_TREE_NONE) {
            const tby_position pos = tree_position_after(&tree->nodes[id].pos, moves[i]);
            if (!meet(f, edge->node, &pos, id))
                return false;
        }
        if (!finish_move(f, edge))
            return false;
    }
    return true;
}

static bool finish_all(finishing *f)
{
    const size_t n = f->games->n_nodes;
    f->tree = tree_new(f->failure);
    f->old = malloc(n * sizeof *f->old);
    f->new = malloc(n * sizeof *f->new);
    if (!f->tree || !f->old || !f->new)
        return failure_no_memory(f->failure);
    memset(f->new, 0xff, n * sizeof *f->new);
    f->tree->results = calloc(n, sizeof *f->tree->results);
    if (!f->tree->results)
        return failure_no_memory(f->failure);
    f->tree->root = f->games->given_root;
    if (!meet(f, 0, &f->games->root, TBY_TREE_NONE))
        return false;
    for (size_t id = 0; id < f->tree->n_nodes; id++)
        if (!finish_node(f, (tby_tree_id)id))
            return false;
    return tree_close(f->tree, f->failure) &&
           tree_keep_number(f->tree, tby_position_fullmove(&f->games->given_root), f->failure);
}

tby_status tby_tree_games_finish(tby_tree **out, tby_tree_games *games, uint64_t min_games, tby_failure *failure)
{
    finishing f = {.games = games, .min_games = min_games, .failure = failure_clear(failure)};
    const bool is_good = finish_all(&f);
    if (!is_good)
        tby_tree_free(f.tree);
    free(f.old);
    free(f.new);
    *out = is_good ? f.tree : NULL;
    return failure_answer(f.failure, is_good);
}
