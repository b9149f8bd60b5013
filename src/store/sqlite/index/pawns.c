/*
 * pawns.c - the index of pawns: lists of the games that have had pawns on some files.
 *
 * While no side has three pawns on a file, bit i of a key is set if White has a pawn on the i-th of the files c to f, bit
 * 4 + i if Black has; otherwise the key is the one file where a side has three or more, or says that there are several.
 * The start position is in no list.
 */
#include "store/sqlite/index/index.h"

enum {
    FIRST_FILE = 2,
    FILES = 4,
    KEY_START = 0xff,
    KEY_THREE = 0x100, /* + 8 * colour + file */
    KEY_SEVERAL = 0x110
};

/* The files on which one side has a pawn; `*three` gets those with three or more. */
static unsigned files_of(tby_bitboard pawns, unsigned *three)
{
    unsigned two = 0;
    tby_bitboard folded = pawns | pawns >> 32;
    folded |= folded >> 16;
    *three = 0;
    const unsigned one = (unsigned)(folded | folded >> 8) & 0xff;
    if (bb_count(pawns) < bb_count(one) + 2)
        return one;
    for (unsigned rank = 0, seen = 0; rank < 8; rank++) {
        const unsigned files = pawns >> (8 * rank) & 0xff;
        *three |= two & files;
        two |= seen & files;
        seen |= files;
    }
    return one;
}

static uint32_t key_of(tby_bitboard pawns, tby_bitboard black)
{
    enum { MIDDLE = (1 << FILES) - 1 };
    unsigned three[2];
    const unsigned white_files = files_of(pawns & ~black, &three[TBY_WHITE]),
                   black_files = files_of(pawns & black, &three[TBY_BLACK]), all = three[0] | three[1] << 8;
    if (all)
        return all & (all - 1) ? KEY_SEVERAL : KEY_THREE + (uint32_t)__builtin_ctz(all);
    return (white_files >> FIRST_FILE & MIDDLE) | (black_files >> FIRST_FILE & MIDDLE) << FILES;
}

static void add_pawns(game_traits *g, tby_bitboard pawns, tby_bitboard black)
{
    const uint32_t key = key_of(pawns, black);
    if (key != KEY_START)
        traits_add(g, INDEX_pawns, key);
}

static void begin_game(game_traits *g, const tby_position *start)
{
    const tby_board *b = &start->board;
    add_pawns(g, board_pawns(b), board_pawns(b) & board_black(b));
}

/* Does a pawn move, or is it captured? */
static bool moves_pawn(const packed_plies *p, size_t i, tby_move m)
{
    const tby_bitboard pawns = p->plane[0][i] & ~(p->plane[1][i] | p->plane[2][i]);
    return (pawns >> TBY_MOVE_FROM(m) | pawns >> TBY_MOVE_TO(m)) & 1;
}

static void play(game_traits *g, const played_plies *p)
{
    for (size_t i = 0; i < p->n_moves; i++)
        if (moves_pawn(p->plies, i, p->plies->moves[i])) {
            const tby_board after = board_at(p, i + 1);
            add_pawns(g, board_pawns(&after), board_pawns(&after) & board_black(&after));
        }
}

static query_bounds bounds_of(uint32_t key)
{
    query_bounds b = open_bounds();
    b.has_files = true;
    for (unsigned i = 0; i < 16; i++)
        b.files_high[i / 8][i % 8] = key < KEY_SEVERAL ? 2 : 6;
    if (key >= KEY_THREE && key < KEY_SEVERAL) {
        b.files_low[(key - KEY_THREE) / 8][key % 8] = 3;
        b.files_high[(key - KEY_THREE) / 8][key % 8] = 6;
    }
    for (unsigned i = 0; key < KEY_THREE && i < 2 * FILES; i++) {
        const unsigned side = i / FILES, file = FIRST_FILE + i % FILES;
        b.files_low[side][file] = key >> i & 1;
        b.files_high[side][file] = key >> i & 1 ? 2 : 0;
    }
    return b;
}

const db_index index_pawns = {.name = "pawns",
                              .about = "files with pawns, 7",
                              .storage = STORED_AS_LISTS,
                              .begin = begin_game,
                              .play = play,
                              .helps = "pawns: by the index of their files",
                              .start = KEY_START,
                              .bounds = bounds_of};
