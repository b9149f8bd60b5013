/*
 * target.c - a board or position to be found in packed games.
 */
#include "value/target.h"
#include "base/contract.h"

#include "codec/packed.h"
#include "position/key.h"

#include <string.h>

/* Sets the largest count of each kind that a trailer may have: 15, meaning any, for kinds that promotion can add to. */
static void set_counts(tby_target *t, const tby_board *b, unsigned promotions)
{
    static const tby_kind kinds[5] = {TBY_PAWN, TBY_KNIGHT, TBY_BISHOP, TBY_ROOK, TBY_QUEEN};
    t->upper[promotions] = t->lower[promotions] = 0x8080808080;
    for (unsigned i = 0; i < 10; i++) {
        const tby_color color = i < 5 ? TBY_WHITE : TBY_BLACK;
        const bool grows = kinds[i % 5] != TBY_PAWN && ((promotions >> color) & 1);
        const unsigned n = bb_count(board_kind(b, kinds[i % 5]) & board_color(b, color));
        const uint64_t most = (uint64_t)(grows || n > 15 ? 15 : n) << (8 * (i / 2));
        if (i % 2)
            t->lower[promotions] |= most;
        else
            t->upper[promotions] |= most;
    }
}

static void set_board(tby_target *t, const tby_board *b)
{
    memset(t, 0, sizeof *t);
    t->home = home_pawn_squares(b);
    t->gone = (uint16_t)~home_pawn_bits(t->home);
    t->n_gone = (uint8_t)(16 - bb_count(t->home));
    t->n_pieces = (uint8_t)bb_count(board_occupied(b));
    for (unsigned promotions = 0; promotions < 4; promotions++)
        set_counts(t, b, promotions);
}

void tby_target_placement(tby_target *out, const tby_board *board)
{
    set_board(out, board);
    out->key = placement_key(board);
    out->is_placement = true;
}

void tby_target_position(tby_target *out, const tby_position *pos)
{
    set_board(out, &pos->board);
    out->key = tby_position_key(pos);
}

bool tby_target_may_be_in(const tby_target *target, const uint8_t *bytes, size_t n)
{
    return n >= 2 + TBY_PACKED_TRAILER_SIZE && target_fits(target, bytes + n - TBY_PACKED_TRAILER_SIZE);
}

int tby_target_find(const tby_target *target, const uint8_t *bytes, size_t n, int max_ply)
{
    tby_packed cursor;
    if (!tby_target_may_be_in(target, bytes, n) || !tby_packed_begin(&cursor, bytes, n))
        return -1;
    const int ply = tby_target_step(target, &cursor, max_ply);
    return ply < 0 ? -1 : ply;
}

/* ---- Several targets ------------------------------------------------------------------------------------------ */

/* Those that a game's summary does not rule out. */
typedef struct open_targets {
    const tby_target *targets[TBY_NEXT_MOVES_MAX];
    size_t n;
    key_filter filter;
    unsigned fewest; /* pieces */
} open_targets;

static open_targets targets_open(const tby_target *targets, size_t n_targets, const uint8_t *bytes, size_t n)
{
    open_targets open = {.n = 0, .fewest = 64};
    for (size_t i = 0; i < n_targets; i++) {
        TBY_CONTRACT(!targets[i].is_placement);
        if (!tby_target_may_be_in(&targets[i], bytes, n))
            continue;
        open.targets[open.n++] = &targets[i];
        key_filter_add(&open.filter, targets[i].key);
        if (targets[i].n_pieces < open.fewest)
            open.fewest = targets[i].n_pieces;
    }
    return open;
}

static bool targets_have(const open_targets *open, uint64_t key)
{
    if (!key_filter_may_have(&open->filter, key))
        return false;
    for (size_t i = 0; i < open->n; i++)
        if (open->targets[i]->key == key)
            return true;
    return false;
}

/* Goes through the game once for all targets, as long as it has enough pieces. */
int tby_target_find_any(const tby_target *targets, size_t n_targets, const uint8_t *bytes, size_t n, int max_ply)
{
    TBY_CONTRACT(n_targets <= TBY_NEXT_MOVES_MAX);
    const open_targets open = targets_open(targets, n_targets, bytes, n);
    tby_packed cursor;
    if (open.n == 0 || !tby_packed_begin(&cursor, bytes, n))
        return -1;
    for (int ply = 0; ply <= max_ply && bb_count(board_occupied(&cursor.pos.board)) >= open.fewest; ply++) {
        if (targets_have(&open, tby_position_key(&cursor.pos)))
            return ply;
        if (tby_packed_next(&cursor) == TBY_MOVE_NONE)
            break;
    }
    return -1;
}
