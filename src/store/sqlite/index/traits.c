/*
 * traits.c - computes the traits of a game from its moves, and the blocks that store them.
 */
#include "store/sqlite/index/traits.h"
#include "base/contract.h"
#include "position/attackers.h"
#include "position/play.h"

#include <string.h>

const trait_table traits_tables[TRAITS_INDEXES] = {
    [TRAITS_MATERIAL] = {"material", TABLE_MATERIAL, TBY_INDEX_MATERIAL},
    [TRAITS_PAWNS] = {"pawns", TABLE_PAWNS, TBY_INDEX_PAWNS},
    [TRAITS_ECO] = {"eco", TABLE_ECO, TBY_INDEX_ECO},
    [TRAITS_STOOD] = {"stood", TABLE_STOOD, TBY_INDEX_STOOD},
};

/* ---- Making --------------------------------------------------------------------------------------------- */

static void add_board(traits *h, const tby_board *b)
{
    for (unsigned column = 0; column < TRAITS_PIECES; column++) {
        const tby_bitboard pieces = board_kind(b, (tby_kind)(column % 6 + 1));
        h->stood[column] |= column < 6 ? pieces & ~board_black(b) : pieces & board_black(b);
    }
}

static uint32_t signature_of(const tby_board *b)
{
    static const tby_kind kinds[] = {TBY_KNIGHT, TBY_BISHOP, TBY_ROOK, TBY_QUEEN};
    uint32_t signature = 0;
    for (unsigned i = 0; i < 8; i++) {
        const tby_bitboard pieces = board_kind(b, kinds[i % 4]);
        const unsigned n = bb_count(i < 4 ? pieces & ~board_black(b) : pieces & board_black(b));
        signature |= (uint32_t)(n < SIGNATURE_MOST ? n : SIGNATURE_MOST) << 4 * i;
    }
    return signature;
}

static void add_key(trait_keys *list, uint32_t key)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->keys[i] == key)
            return;
    if (list->n < TRAITS_KEYS_MAX)
        list->keys[list->n++] = key;
}

/* The files on which one side has a pawn; `*three` gets those with three or more. */
static unsigned pawn_files(tby_bitboard pawns, unsigned *three)
{
    unsigned one = 0, two = 0;
    *three = 0;
    for (unsigned rank = 0; rank < 8; rank++) {
        const unsigned files = pawns >> (8 * rank) & 0xff;
        *three |= two & files;
        two |= one & files;
        one |= files;
    }
    return one;
}

static uint32_t pawns_key(tby_bitboard pawns, tby_bitboard black)
{
    enum { MIDDLE = (1 << PAWNS_FILES) - 1 };
    unsigned three[2];
    const unsigned white_files = pawn_files(pawns & ~black, &three[TBY_WHITE]),
                   black_files = pawn_files(pawns & black, &three[TBY_BLACK]), all = three[0] | three[1] << 8;
    if (all)
        return all & (all - 1) ? PAWNS_SEVERAL : PAWNS_THREE + (uint32_t)__builtin_ctz(all);
    return (white_files >> PAWNS_FIRST_FILE & MIDDLE) | (black_files >> PAWNS_FIRST_FILE & MIDDLE) << PAWNS_FILES;
}

static void add_pawns(traits *h, tby_bitboard pawns, tby_bitboard black)
{
    const uint32_t key = pawns_key(pawns, black);
    if (key != PAWNS_START)
        add_key(&h->lists[TRAITS_PAWNS], key);
}

/* ---- Codes ---------------------------------------------------------------------------------------------- */

uint32_t traits_eco_key(tby_text eco)
{
    if (!eco.s)
        return ECO_NONE;
    if (eco.n != 3 || eco.s[0] < 'A' || eco.s[0] > 'E' || eco.s[1] < '0' || eco.s[1] > '9' || eco.s[2] < '0' ||
        eco.s[2] > '9')
        return ECO_OTHER;
    return (uint32_t)((eco.s[0] - 'A') * 100 + (eco.s[1] - '0') * 10 + (eco.s[2] - '0'));
}

void traits_eco_text(char out[4], unsigned key)
{
    TBY_CONTRACT(key < ECO_CODES);
    const char text[4] = {(char)('A' + key / 100), (char)('0' + key / 10 % 10), (char)('0' + key % 10), '\0'};
    memcpy(out, text, sizeof text);
}

/* ---- One game ------------------------------------------------------------------------------------------- */

static unsigned marks_of_move(tby_move m, tby_color side)
{
    if (TBY_MOVE_IS_CASTLING(m))
        return (TBY_MOVE_TO(m) > TBY_MOVE_FROM(m) ? 1U : 2U) << (2 * side);
    if (TBY_MOVE_IS_PROMOTION(m))
        return mark_of_promotion(TBY_PIECE(side, TBY_MOVE_KIND(m)));
    return TBY_MOVE_IS_EN_PASSANT(m) ? MARK_EN_PASSANT : 0;
}

static unsigned marks_of_end(const tby_position *pos)
{
    if (tby_moves_any(pos))
        return 0;
    return king_attackers(&pos->board, position_side(pos)) ? MARK_MATE : MARK_STALEMATE;
}

void traits_begin_game(game_traits *g, const tby_position *start)
{
    const tby_board *b = &start->board;
    *g = (game_traits){.side = position_side(start), .signature = signature_of(b)};
    add_board(&g->traits, b);
    add_key(&g->traits.lists[TRAITS_MATERIAL], g->signature);
    add_pawns(&g->traits, board_pawns(b), board_pawns(b) & board_black(b));
}

/* The material after a capture, without counting the other pieces again. */
static uint32_t without(uint32_t signature, tby_piece taken, const tby_board *after)
{
    const unsigned shift = 4 * (4U * (taken >> 3) + kind_places[taken & 7]);
    return (signature >> shift & SIGNATURE_MOST) < SIGNATURE_MOST ? signature - (1U << shift) : signature_of(after);
}

static void add_material(game_traits *g, const tby_board *before, const tby_board *after, tby_move m)
{
    const tby_piece taken = board_piece(before, TBY_MOVE_TO(m));
    const bool is_taken = !TBY_MOVE_IS_CASTLING(m) && TBY_PIECE_KIND(taken) != 0 && TBY_PIECE_KIND(taken) != TBY_PAWN;
    if (TBY_MOVE_IS_PROMOTION(m))
        g->signature = signature_of(after);
    else if (is_taken)
        g->signature = without(g->signature, taken, after);
    else
        return;
    add_key(&g->traits.lists[TRAITS_MATERIAL], g->signature);
}

/* Updates the traits after a move: the moved piece is on another square; the material changes only with captures and
   promotions. A null move changes nothing. */
static void add_move(game_traits *g, const tby_board *before, const tby_board *after, tby_move m)
{
    const tby_bitboard pawns = board_pawns(after), black = pawns & board_black(after);
    if (m == TBY_MOVE_NULL)
        return;
    if (TBY_MOVE_IS_CASTLING(m))
        add_board(&g->traits, after);
    else
        g->traits.stood[traits_column(board_piece(after, TBY_MOVE_TO(m)))] |= bb_square(TBY_MOVE_TO(m));
    add_material(g, before, after, m);
    if (pawns != board_pawns(before) || black != (board_pawns(before) & board_black(before)))
        add_pawns(&g->traits, pawns, black);
    g->traits.marks |= marks_of_move(m, g->side);
}

static tby_board board_at(const packed_plies *plies, size_t i)
{
    return (tby_board){{plies->plane[0][i], plies->plane[1][i], plies->plane[2][i], plies->plane[3][i]}};
}

void traits_add_plies(game_traits *g, const packed_plies *plies, size_t n, const tby_board *after_last)
{
    TBY_CONTRACT(plies && after_last);
    tby_board before = board_at(plies, 0);
    for (size_t i = 0; i < n && plies->moves[i] != TBY_MOVE_NONE; i++) {
        const tby_board after = i + 1 < n ? board_at(plies, i + 1) : *after_last;
        add_move(g, &before, &after, plies->moves[i]);
        g->side = color_other(g->side);
        before = after;
    }
}

void traits_end_game(game_traits *g, const tby_position *end, uint32_t eco)
{
    TBY_CONTRACT(eco < ECO_KEYS);
    g->traits.marks |= marks_of_end(end);
    add_key(&g->traits.lists[TRAITS_ECO], eco);
}

/* ---- Blocks --------------------------------------------------------------------------------------------- */

void traits_begin(traits_blocks *b)
{
    for (unsigned i = 0; i < TRAITS_COLUMNS; i++) {
        b->columns[i] = block_begin(TABLE_STOOD, traits_size(i));
        b->columns[i].n_columns = TRAITS_COLUMNS;
        b->columns[i].column = i;
    }
}

void traits_end(traits_blocks *b)
{
    for (unsigned i = 0; i < TRAITS_COLUMNS; i++)
        block_finish(&b->columns[i]);
}

uint64_t traits_word(const traits *h, unsigned column)
{
    TBY_CONTRACT(column < TRAITS_COLUMNS);
    return !h ? UINT64_MAX : column == TRAITS_MARKS ? h->marks : h->stood[column];
}

bool traits_put(traits_blocks *b, lite *db, tby_game_id id, const traits *h)
{
    TBY_CONTRACT(id >= 1);
    for (unsigned i = 0; i < TRAITS_COLUMNS; i++) {
        uint8_t *record = block_record(&b->columns[i], db, id);
        const uint64_t word = traits_word(h, i);
        if (!record)
            return false;
        for (size_t k = 0; k < traits_size(i); k++)
            record[k] = (uint8_t)(word >> 8 * k);
    }
    return true;
}

bool traits_flush(traits_blocks *b, lite *db)
{
    bool is_good = true;
    for (unsigned i = 0; i < TRAITS_COLUMNS && is_good; i++)
        is_good = block_write(&b->columns[i], db);
    return is_good;
}
