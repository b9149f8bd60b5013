/*
 * material.c - the index of material: lists of the games that have had some pieces, without pawns.
 *
 * A key has four bits each for knights, bishops, rooks and queens, from the lowest on, Black's after White's. 15 means 15
 * or more.
 */
#include "store/sqlite/index/index.h"

#define SIGNATURE_START 0x12221222U
enum { SIGNATURE_MOST = 15 };

static const tby_kind kinds[] = {TBY_KNIGHT, TBY_BISHOP, TBY_ROOK, TBY_QUEEN};

static uint32_t signature_of(const tby_board *b)
{
    uint32_t signature = 0;
    for (unsigned i = 0; i < 8; i++) {
        const tby_bitboard pieces = board_kind(b, kinds[i % 4]);
        const unsigned n = bb_count(i < 4 ? pieces & ~board_black(b) : pieces & board_black(b));
        signature |= (uint32_t)(n < SIGNATURE_MOST ? n : SIGNATURE_MOST) << 4 * i;
    }
    return signature;
}

static void begin_game(game_traits *g, const tby_position *start)
{
    g->now[INDEX_material] = signature_of(&start->board);
    traits_add(g, INDEX_material, g->now[INDEX_material]);
}

/* The material after a capture, without counting the other pieces again. */
static uint32_t without(uint32_t signature, tby_piece taken, const tby_board *after)
{
    static const uint8_t places[8] = {[TBY_KNIGHT] = 0, [TBY_BISHOP] = 1, [TBY_ROOK] = 2, [TBY_QUEEN] = 3};
    const unsigned shift = 4 * (4U * (taken >> 3) + places[taken & 7]);
    return (signature >> shift & SIGNATURE_MOST) < SIGNATURE_MOST ? signature - (1U << shift) : signature_of(after);
}

/* Does a piece stand where the move goes? A castling king goes to its own rook. */
static bool takes_piece(const packed_plies *p, size_t i, tby_move m)
{
    return (p->plane[1][i] | p->plane[2][i]) >> TBY_MOVE_TO(m) & 1 && !TBY_MOVE_IS_CASTLING(m);
}

static void play(game_traits *g, const played_plies *p)
{
    uint32_t *now = &g->now[INDEX_material];
    for (size_t i = 0; i < p->n_moves; i++) {
        const tby_move m = p->plies->moves[i];
        const bool is_taken = takes_piece(p->plies, i, m);
        if (m == TBY_MOVE_NULL || (!is_taken && !TBY_MOVE_IS_PROMOTION(m)))
            continue;
        const tby_board before = board_at(p, i), after = board_at(p, i + 1);
        *now = TBY_MOVE_IS_PROMOTION(m) ? signature_of(&after)
                                        : without(*now, board_piece(&before, TBY_MOVE_TO(m)), &after);
        traits_add(g, INDEX_material, *now);
    }
}

static query_bounds bounds_of(uint32_t signature)
{
    query_bounds b = open_bounds();
    for (unsigned i = 0; i < 8; i++) {
        const int8_t n = signature >> 4 * i & 15;
        b.low[i / 4][kinds[i % 4]] = n;
        b.high[i / 4][kinds[i % 4]] = n < SIGNATURE_MOST ? n : BOUNDS_MOST;
    }
    return b;
}

const db_index index_material = {.name = "material",
                                 .about = "piece combinations, 13",
                                 .storage = STORED_AS_LISTS,
                                 .begin = begin_game,
                                 .play = play,
                                 .helps = "material: by its index",
                                 .start = SIGNATURE_START,
                                 .bounds = bounds_of};
