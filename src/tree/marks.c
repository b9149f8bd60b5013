/*
 * marks.c - how a game ends in a position, independent of the moves before.
 *
 * A stalemate is also marked as dead only if the material alone shows it. Other positions are searched (see
 * rules/dead.c) if there are pawns and none of them can move; forced moves are always followed. Elsewhere a search
 * would take long and find only what the material already shows. The result may be unknown, which sets no mark.
 */
#include "position/board.h"
#include "tabiya_tree.h"

enum { SEARCH_NODES = 1000 };

static const char *const TEXTS[] = {"checkmate!", "draw by dead position", "draw by stalemate",
                                    "draw by threefold repetition", "draw by fifty moves"};

const char *tby_tree_mark_text(unsigned mark)
{
    for (unsigned i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++)
        if (mark == 1u << i)
            return TEXTS[i];
    return NULL;
}

/* There are pawns, each is blocked by another, and none can capture. */
static bool pawns_are_locked(const tby_board *b)
{
    const tby_bitboard pawns = board_pawns(b), white = pawns & ~board_black(b), black = pawns & board_black(b);
    const tby_bitboard prey_of_white = board_black(b), prey_of_black = board_occupied(b) & ~board_black(b);
    return pawns && !((bb_forward(white, TBY_WHITE) | bb_forward(black, TBY_BLACK)) & ~pawns) &&
           !(bb_pawn_attacks(white, TBY_WHITE) & prey_of_white) && !(bb_pawn_attacks(black, TBY_BLACK) & prey_of_black);
}

static bool is_dead(const tby_position *pos, size_t n_moves)
{
    _Alignas(16) unsigned char memory[SEARCH_NODES * TBY_DEAD_NODE_SIZE];
    const bool is_locked = pawns_are_locked(&pos->board);
    if (n_moves > 1 && !is_locked)
        return tby_material_is_draw(&pos->board);
    return tby_dead_position(pos, memory, is_locked ? sizeof memory : 0) == TBY_YES;
}

unsigned tby_tree_marks_of(const tby_position *pos)
{
    const size_t n_moves = tby_moves_count(pos);
    if (n_moves > 0)
        return is_dead(pos, n_moves) ? TBY_TREE_DEAD : 0;
    if (tby_position_is_check(pos))
        return TBY_TREE_CHECKMATE;
    return TBY_TREE_STALEMATE | (tby_material_is_draw(&pos->board) ? TBY_TREE_DEAD : 0u);
}
