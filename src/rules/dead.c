/*
 * dead.c - can no sequence of legal moves end in mate (FIDE 5.2.2)?
 *
 * Three steps, each sound in both directions:
 *
 *     forced line   While only one move is legal, play it. No legal move: mate (not dead) or stalemate (dead). Too
 *                   little material, or a repeated position: dead.
 *     closure       Depth-first search of every position that can follow, each stored whole. The first mate found:
 *                   not dead. Nothing left to visit: dead. No memory left: unknown.
 *     second try    The order of the moves only affects how soon a mate is found. It favours one side as the winner;
 *                   if the result is unknown, the search is repeated with the other side.
 *
 * Positions are compared as in keys.c and the clock is ignored, so a stored position has clock 0, ply 0 or 1, and an
 * en passant square only if a capture is legal. Endings with too little material and stalemates are not stored:
 * nothing follows from them.
 *
 * The caller's memory, for n positions:
 *
 *     +------------------+---------------------------------------+
 *     | node[n], 64 each | slot[2^k], 2n < 2^k <= 4n, 4 each     |  = TBY_DEAD_NODE_SIZE * n at most
 *     +------------------+---------------------------------------+
 *
 * A node stores its parent and how many of its moves were tried, so the path needs no stack. A slot stores a node's
 * number + 1 and is found by key and linear probing. The table is never more than half full.
 */
#include "position/attackers.h"
#include "position/play.h"

enum { FORCED_MAX = 100, NO_NODE = -1 };

typedef struct node {
    tby_position pos;
    int32_t parent;
    uint16_t n_tried;
} node;

typedef struct closure {
    node *nodes;
    uint32_t *slots;
    uint32_t slot_mask;
    int32_t n_nodes, n_nodes_max;
    tby_color winner; /* the move order favours this side */
} closure;

_Static_assert(sizeof(node) == 64 && TBY_DEAD_NODE_SIZE >= sizeof(node) + 4 * sizeof(uint32_t), "see the picture");

/* ---- Stored positions ----------------------------------------------------------------------------------- */

/* The fewest bytes that distinguish one position from another. */
static tby_position identity_of(const tby_position *pos)
{
    tby_position id = *pos;
    id.clock = 0;
    id.ply &= 1;
    id.en_passant = tby_position_en_passant_legal(pos);
    return id;
}

static bool identities_equal(const tby_position *a, const tby_position *b)
{
    for (int i = 0; i < 4; i++)
        if (a->board.plane[i] != b->board.plane[i])
            return false;
    return a->castling == b->castling && a->ply == b->ply && a->en_passant == b->en_passant;
}

/* The slot that holds `id`, or the free one where it belongs. */
static uint32_t *find_slot(const closure *c, const tby_position *id)
{
    uint32_t i = (uint32_t)tby_position_key(id) & c->slot_mask;
    while (c->slots[i] && !identities_equal(&c->nodes[c->slots[i] - 1].pos, id))
        i = (i + 1) & c->slot_mask;
    return &c->slots[i];
}

/* `work` has room for at least one node. */
static closure closure_in(void *work, size_t work_size)
{
    const size_t room = work_size / TBY_DEAD_NODE_SIZE, limit = (size_t)1 << 28;
    closure c = {.nodes = work, .n_nodes_max = (int32_t)(room < limit ? room : limit)};
    uint32_t n_slots = 1;
    while (n_slots <= 2 * (uint32_t)c.n_nodes_max)
        n_slots *= 2;
    c.slots = (uint32_t *)(void *)(c.nodes + c.n_nodes_max);
    c.slot_mask = n_slots - 1;
    return c;
}

static void closure_clear(closure *c, tby_color winner)
{
    c->winner = winner;
    c->n_nodes = 0;
    for (uint32_t i = 0; i <= c->slot_mask; i++)
        c->slots[i] = 0;
}

/* ---- The order of moves --------------------------------------------------------------------------------- */

static int distance(unsigned a, unsigned b)
{
    const int files = (int)(a & 7) - (int)(b & 7), ranks = (int)(a >> 3) - (int)(b >> 3);
    const int f = files < 0 ? -files : files, r = ranks < 0 ? -ranks : ranks;
    return f > r ? f : r;
}

/* The corners in which `winner` can mate at all: bishops of one colour, and nothing else, mate on their own colour. */
static tby_bitboard mating_corners(const tby_board *b, tby_bitboard own)
{
    const tby_bitboard pieces = own & ~board_kings(b);
    if (pieces & ~board_bishops(b))
        return BB_CORNERS;
    return !(pieces & BB_LIGHT) ? BB_CORNERS & ~BB_LIGHT : !(pieces & ~BB_LIGHT) ? BB_CORNERS & BB_LIGHT : BB_CORNERS;
}

static int corner_distance(unsigned king, tby_bitboard corners)
{
    int nearest = 8;
    for (; corners; corners = bb_rest(corners))
        if (distance(king, bb_first(corners)) < nearest)
            nearest = distance(king, bb_first(corners));
    return nearest;
}

/* Estimates how far the loser is from mate: few flight squares, close to a corner, kings close together, and a
   winner with strong pieces or pawns near promotion. Lower is closer to mate. */
static int mate_distance(const tby_board *b, tby_color winner)
{
    const tby_bitboard own = board_color(b, winner), pieces = board_color(b, color_other(winner));
    const unsigned king = board_king(b, color_other(winner));
    const tby_bitboard attacked = attacked_squares(b, winner, board_occupied(b) ^ bb_square(king), NULL);
    const unsigned n_flights = bb_count(king_attacks(king) & ~attacked & ~pieces);
    const unsigned n_majors = bb_count(own & board_line_sliders(b)), n_pieces = bb_count(own);
    int score = 6 * (int)n_flights + 2 * distance(king, board_king(b, winner)) +
                3 * corner_distance(king, mating_corners(b, own)) - 20 * (int)(n_majors + n_pieces);
    for (tby_bitboard set = own & board_pawns(b); set; set = bb_rest(set))
        score -= 2 * (winner == TBY_WHITE ? bb_first(set) >> 3 : 7 - (bb_first(set) >> 3));
    return score;
}

/* All moves of `pos`, the most promising first. The order depends on the position alone, so a node that is visited
   again continues where it stopped. */
static size_t list_best_first(tby_move moves[TBY_MOVES_MAX], const tby_position *pos, tby_color winner)
{
    int scores[TBY_MOVES_MAX];
    const size_t n = tby_moves_list(moves, pos);
    for (size_t i = 0; i < n; i++) {
        const tby_move m = moves[i];
        tby_position next = *pos;
        position_play(&next, m, position_side(pos));
        const int score = mate_distance(&next.board, winner);
        size_t j = i;
        for (; j > 0 && scores[j - 1] > score; j--) {
            moves[j] = moves[j - 1];
            scores[j] = scores[j - 1];
        }
        moves[j] = m;
        scores[j] = score;
    }
    return n;
}

/* ---- The search ----------------------------------------------------------------------------------------- */

/* The verdict on a position that needs no search; TBY_UNKNOWN if it needs one. */
static tby_verdict verdict_at(const tby_position *pos)
{
    if (tby_material_is_draw(&pos->board))
        return TBY_YES;
    if (tby_moves_any(pos))
        return TBY_UNKNOWN;
    return tby_position_is_check(pos) ? TBY_NO : TBY_YES;
}

/* Stores `id` as a child of `parent` and returns its number; NO_NODE if it is stored already or there is no room. */
static int32_t remember(closure *c, const tby_position *id, int32_t parent)
{
    uint32_t *slot = find_slot(c, id);
    if (*slot || c->n_nodes == c->n_nodes_max)
        return NO_NODE;
    node *added = &c->nodes[c->n_nodes];
    added->pos = *id;
    added->parent = parent;
    added->n_tried = 0;
    *slot = (uint32_t)++c->n_nodes;
    return c->n_nodes - 1;
}

/* Tries the remaining moves of node `at`. Sets `*next` to the new child, or to the parent when all were tried.
   TBY_NO: a mate was found. */
static tby_verdict advance(closure *c, int32_t at, int32_t *next)
{
    tby_move moves[TBY_MOVES_MAX];
    node *n = &c->nodes[at];
    const size_t n_moves = list_best_first(moves, &n->pos, c->winner);
    while (n->n_tried < n_moves) {
        tby_position child = n->pos;
        position_play(&child, moves[n->n_tried++], position_side(&n->pos));
        const tby_verdict verdict = verdict_at(&child);
        if (verdict == TBY_NO)
            return TBY_NO;
        if (verdict == TBY_YES)
            continue;
        const tby_position id = identity_of(&child);
        *next = remember(c, &id, at);
        if (*next != NO_NODE)
            return TBY_UNKNOWN;
        if (c->n_nodes == c->n_nodes_max && !*find_slot(c, &id))
            return TBY_UNKNOWN; /* no room: *next is NO_NODE and `at` is not finished */
    }
    *next = n->parent;
    return TBY_YES;
}

/* Depth-first search from the root, which is the only node so far. */
static tby_verdict search(closure *c, const tby_position *root, tby_color winner)
{
    closure_clear(c, winner);
    const tby_position id = identity_of(root);
    int32_t at = remember(c, &id, NO_NODE);
    tby_verdict verdict = TBY_UNKNOWN;
    while (at != NO_NODE) {
        verdict = advance(c, at, &at);
        if (verdict == TBY_NO)
            return TBY_NO;
    }
    return verdict;
}

/* Plays moves as long as only one is legal. Returns TBY_UNKNOWN where the line branches or after FORCED_MAX moves;
   `*pos` is then that position, which is dead if and only if the first one was. */
static tby_verdict follow_forced(tby_position *pos)
{
    tby_position mark = identity_of(pos);
    for (unsigned n_played = 0; n_played < FORCED_MAX; n_played++) {
        tby_move moves[TBY_MOVES_MAX];
        const tby_verdict verdict = verdict_at(pos);
        if (verdict != TBY_UNKNOWN || tby_moves_list(moves, pos) != 1)
            return verdict;
        position_play(pos, moves[0], position_side(pos));
        const tby_position id = identity_of(pos);
        if (identities_equal(&id, &mark))
            return TBY_YES;
        if ((n_played & (n_played + 1)) == 0)
            mark = id; /* at moves 1, 2, 4, 8 ...: Brent's cycle detection stores one position */
    }
    return TBY_UNKNOWN;
}

tby_verdict tby_dead_position(const tby_position *pos, void *work, size_t work_size)
{
    tby_position root = *pos;
    tby_verdict verdict = follow_forced(&root);
    if (verdict != TBY_UNKNOWN || !work || work_size < TBY_DEAD_NODE_SIZE)
        return verdict;
    closure c = closure_in(work, work_size);
    const tby_board *b = &root.board;
    tby_color winner = mate_distance(b, TBY_WHITE) <= mate_distance(b, TBY_BLACK) ? TBY_WHITE : TBY_BLACK;
    for (int i = 0; i < 2 && verdict == TBY_UNKNOWN; i++, winner = color_other(winner))
        if (!tby_material_is_insufficient(b, winner))
            verdict = search(&c, &root, winner);
    return verdict;
}
