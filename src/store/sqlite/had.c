/*
 * had.c - what a game has had, made from its moves, and the blocks it is kept in.
 */
#include "store/sqlite/had.h"
#include "format/packed.h"
#include "position/attackers.h"
#include "position/play.h"

/* ---- Making --------------------------------------------------------------------------------------------- */

static void add_board(had *h, const tby_board *b)
{
    for (unsigned column = 0; column < HAD_MEN; column++) {
        const tby_bitboard men = board_kind(b, (tby_kind)(column % 6 + 1));
        h->stood[column] |= column < 6 ? men & ~board_black(b) : men & board_black(b);
    }
}

static uint32_t signature_of(const tby_board *b)
{
    static const tby_kind kinds[] = {TBY_KNIGHT, TBY_BISHOP, TBY_ROOK, TBY_QUEEN};
    uint32_t signature = 0;
    for (unsigned i = 0; i < 8; i++) {
        const tby_bitboard men = board_kind(b, kinds[i % 4]);
        const unsigned n = bb_count(i < 4 ? men & ~board_black(b) : men & board_black(b));
        signature |= (uint32_t)(n < SIGNATURE_MOST ? n : SIGNATURE_MOST) << 4 * i;
    }
    return signature;
}

/* It changes by captures and promotions only, so there is room for all. */
static void add_signature(had *h, const tby_board *b)
{
    const uint32_t signature = signature_of(b);
    for (size_t i = 0; i < h->n_signatures; i++)
        if (h->signatures[i] == signature)
            return;
    if (h->n_signatures < SIGNATURES_MAX)
        h->signatures[h->n_signatures++] = signature;
}

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

bool tby_had_make(had *out, const uint8_t *moves, size_t n)
{
    tby_packed cursor;
    *out = (had){.marks = 0};
    if (!moves || !tby_packed_begin(&cursor, moves, n))
        return false;
    const tby_position *pos = &cursor.pos;
    tby_color side = position_side(pos);
    tby_bitboard occupied = 0;
    for (tby_move m = TBY_MOVE_NONE;; out->marks |= marks_of_move(m, side), side = color_other(side)) {
        add_board(out, &pos->board);
        if (bb_count(board_occupied(&pos->board)) != bb_count(occupied) || TBY_MOVE_IS_PROMOTION(m))
            add_signature(out, &pos->board);
        occupied = board_occupied(&pos->board);
        if ((m = tby_packed_next(&cursor)) == TBY_MOVE_NONE)
            break;
    }
    out->marks |= marks_of_end(pos);
    return true;
}

/* ---- Blocks --------------------------------------------------------------------------------------------- */

bool tby_had_begin(had_blocks *b)
{
    bool is_good = true;
    for (unsigned i = 0; i < HAD_COLUMNS; i++) {
        is_good &= tby_block_begin(&b->columns[i], had_size(i), SQL_STOOD_GET, SQL_STOOD_PUT);
        b->columns[i].n_columns = HAD_COLUMNS;
        b->columns[i].column = i;
    }
    return is_good;
}

void tby_had_end(had_blocks *b)
{
    for (unsigned i = 0; i < HAD_COLUMNS; i++)
        tby_block_end(&b->columns[i]);
}

bool tby_had_put(had_blocks *b, lite *db, tby_game_id id, const had *h)
{
    for (unsigned i = 0; i < HAD_COLUMNS; i++) {
        uint8_t *record = tby_block_record(&b->columns[i], db, id);
        const uint64_t word = !h ? UINT64_MAX : i == HAD_MARKS ? h->marks : h->stood[i];
        if (!record)
            return false;
        for (size_t k = 0; k < had_size(i); k++)
            record[k] = (uint8_t)(word >> 8 * k);
    }
    return true;
}

bool tby_had_flush(had_blocks *b, lite *db)
{
    bool is_good = true;
    for (unsigned i = 0; i < HAD_COLUMNS && is_good; i++)
        is_good = tby_block_flush(&b->columns[i], db);
    return is_good;
}
