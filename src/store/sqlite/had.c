/*
 * had.c - what a game has had, made from its moves, and the blocks it is kept in.
 */
#include "store/sqlite/had.h"
#include "format/packed.h"
#include "position/attackers.h"
#include "position/play.h"

#include <string.h>

const had_table tby_had_tables[HAD_LISTS] = {
    [HAD_MATERIAL] = {"material", SQL_MATERIAL_GET, SQL_MATERIAL_PUT},
    [HAD_PAWNS] = {"pawns", SQL_PAWNS_GET, SQL_PAWNS_PUT},
    [HAD_ECO] = {"eco", SQL_ECO_GET, SQL_ECO_PUT},
};

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

static void add_key(had_keys *list, uint32_t key)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->keys[i] == key)
            return;
    if (list->n < HAD_KEYS_MAX)
        list->keys[list->n++] = key;
}

/* The files, of one side, that have a pawn; `*three` gets those with three or more. */
static unsigned pawn_files(tby_bitboard pawns, unsigned *three)
{
    unsigned files = 0;
    *three = 0;
    for (unsigned file = 0; file < 8; file++) {
        const unsigned n = bb_count(pawns & bb_file(file));
        files |= (n > 0 ? 1U : 0U) << file;
        *three |= (n > 2 ? 1U : 0U) << file;
    }
    return files;
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

static void add_pawns(had *h, tby_bitboard pawns, tby_bitboard black)
{
    const uint32_t key = pawns_key(pawns, black);
    if (key != PAWNS_START)
        add_key(&h->lists[HAD_PAWNS], key);
}

/* ---- Codes ---------------------------------------------------------------------------------------------- */

static uint32_t eco_key(tby_text eco)
{
    if (!eco.s)
        return ECO_NONE;
    if (eco.n != 3 || eco.s[0] < 'A' || eco.s[0] > 'E' || eco.s[1] < '0' || eco.s[1] > '9' || eco.s[2] < '0' ||
        eco.s[2] > '9')
        return ECO_OTHER;
    return (uint32_t)((eco.s[0] - 'A') * 100 + (eco.s[1] - '0') * 10 + (eco.s[2] - '0'));
}

void tby_had_eco_text(char out[4], unsigned key)
{
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

bool tby_had_make(had *out, const uint8_t *moves, size_t n, tby_text eco)
{
    tby_packed cursor;
    *out = (had){.marks = 0};
    if (!moves || !tby_packed_begin(&cursor, moves, n))
        return false;
    const tby_position *pos = &cursor.pos;
    tby_color side = position_side(pos);
    tby_bitboard occupied = 0, pawns = ~0ULL, black = 0; /* the first position has another */
    for (tby_move m = TBY_MOVE_NONE;; out->marks |= marks_of_move(m, side), side = color_other(side)) {
        const tby_board *b = &pos->board;
        const tby_bitboard pawns_now = board_pawns(b), black_now = pawns_now & board_black(b);
        add_board(out, b);
        if (bb_count(board_occupied(b)) != bb_count(occupied) || TBY_MOVE_IS_PROMOTION(m))
            add_key(&out->lists[HAD_MATERIAL], signature_of(b));
        if (pawns_now != pawns || black_now != black)
            add_pawns(out, pawns_now, black_now);
        occupied = board_occupied(b);
        pawns = pawns_now;
        black = black_now;
        if ((m = tby_packed_next(&cursor)) == TBY_MOVE_NONE)
            break;
    }
    out->marks |= marks_of_end(pos);
    add_key(&out->lists[HAD_ECO], eco_key(eco));
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
