/*
 * keys.c - the keys of all positions, in order, with their numbers of games.
 */
#include "base/tables.h"
#include "position/board.h"
#include "publish/positions.h"

#include <stdlib.h>

enum { MANY = 255 };

bool publish_keys_add(all_keys *keys, const visits *v)
{
    uint64_t n_games, n_new = 0;
    for (uint64_t at = 0; at < v->n; n_new++)
        at = publish_visits_group(v, at, v->n, &n_games);
    size_t cap = keys->cap, cap_counts = keys->cap;
    if (!array_reserve(&keys->of, &cap, keys->n + n_new, sizeof *keys->of, NULL) ||
        !array_reserve(&keys->n_games, &cap_counts, keys->n + n_new, sizeof *keys->n_games, NULL))
        return false;
    keys->cap = cap;
    for (uint64_t at = 0; at < v->n;) {
        const uint64_t key = v->of[at].key;
        at = publish_visits_group(v, at, v->n, &n_games);
        keys->of[keys->n] = key;
        keys->n_games[keys->n++] = (uint8_t)(n_games < MANY ? n_games : MANY);
        const struct many many = {key, (uint32_t)n_games};
        if (n_games >= MANY && !array_add(&keys->many, &keys->n_many, &keys->cap_many, &many, sizeof many, NULL))
            return false;
    }
    return true;
}

/* One bit in eight is set, by the lower bits of the keys: most keys that are looked up do not exist. */
static bool make_filter(all_keys *keys)
{
    unsigned bits = 10;
    while (bits < 32 && (uint64_t)1 << bits < keys->n * 8)
        bits++;
    keys->filter_mask = ((uint64_t)1 << bits) - 1;
    keys->filter = calloc(((size_t)1 << bits) / 64, sizeof *keys->filter);
    if (!keys->filter)
        return false;
    for (uint64_t i = 0; i < keys->n; i++) {
        const uint64_t bit = keys->of[i] & keys->filter_mask;
        keys->filter[bit / 64] |= (uint64_t)1 << (bit % 64);
    }
    return true;
}

/* About four keys have the same upper bits. */
bool publish_keys_ready(all_keys *keys)
{
    if (!make_filter(keys))
        return false;
    unsigned bits = 8;
    while (bits < 30 && (uint64_t)4 << bits < keys->n)
        bits++;
    keys->shift = 64 - bits;
    keys->starts = malloc((((size_t)1 << bits) + 1) * sizeof *keys->starts);
    if (!keys->starts)
        return false;
    uint64_t at = 0;
    for (size_t i = 0; i <= (size_t)1 << bits; i++) {
        while (at < keys->n && keys->of[at] >> keys->shift < i)
            at++;
        keys->starts[i] = (uint32_t)at;
    }
    return true;
}

uint64_t publish_keys_find(const all_keys *keys, uint64_t key)
{
    const uint64_t bit = key & keys->filter_mask;
    if (!(keys->filter[bit / 64] >> (bit % 64) & 1))
        return UINT64_MAX;
    const size_t upper = (size_t)(key >> keys->shift);
    for (uint32_t i = keys->starts[upper]; i < keys->starts[upper + 1]; i++)
        if (keys->of[i] >= key)
            return keys->of[i] == key ? i : UINT64_MAX;
    return UINT64_MAX;
}

uint32_t publish_keys_games(const all_keys *keys, uint64_t index)
{
    size_t low = 0, high = keys->n_many;
    if (keys->n_games[index] < MANY)
        return keys->n_games[index];
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (keys->many[middle].key < keys->of[index])
            low = middle + 1;
        else
            high = middle;
    }
    return keys->many[low].n_games;
}

void publish_keys_free(all_keys *keys)
{
    free(keys->of);
    free(keys->n_games);
    free(keys->starts);
    free(keys->many);
    free(keys->filter);
}

/* ---- After a move --------------------------------------------------------------------------------------- */

/* Moves that change nothing but two squares: no castling rights, no en passant, no promotion. */
static bool is_simple(const tby_position *pos, tby_move m, tby_piece piece)
{
    const unsigned from = TBY_MOVE_FROM(m), to = TBY_MOVE_TO(m);
    const tby_bitboard rooks = pos->castling, both = (tby_bitboard)1 << from | (tby_bitboard)1 << to;
    const unsigned type = TBY_PIECE_KIND(piece);
    if ((rooks && type == TBY_KING) || (rooks & both) || TBY_MOVE_IS_CASTLING(m) || TBY_MOVE_IS_PROMOTION(m))
        return false;
    const unsigned distance = from > to ? from - to : to - from;
    return type != TBY_PAWN || distance == 8 || (distance != 16 && board_piece(&pos->board, to) != TBY_NO_PIECE);
}

uint64_t publish_base_key(const tby_position *pos)
{
    tby_position same = *pos;
    same.en_passant = TBY_NO_SQUARE;
    return tby_position_key(&same) ^ zobrist_black;
}

uint64_t publish_key_after(const tby_position *pos, uint64_t base, tby_move m)
{
    const unsigned from = TBY_MOVE_FROM(m), to = TBY_MOVE_TO(m);
    const tby_piece piece = board_piece(&pos->board, from);
    if (is_simple(pos, m, piece))
        return base ^ zobrist_piece[piece][from] ^ zobrist_piece[piece][to] ^
               zobrist_piece[board_piece(&pos->board, to)][to];
    tby_position after = *pos;
    tby_position_play(&after, m, NULL);
    return tby_position_key(&after);
}
