/*
 * cmbr_move.c - encode and decode one move of a CMBR file: a 24-bit word.
 *
 *      23       18 17       12 11     8 7        0
 *     +-----------+-----------+--------+----------+
 *     |    to     |   from    | piece  |  flags   |      squares a1 = 0 ... h8 = 63
 *     +-----------+-----------+--------+----------+
 *
 *     piece  white 0 P  1 N  2 B  3 R  4 Q  5 K  6 castles short  7 castles long; black the same plus 8.
 *            Castling has the king's squares.
 *     flags  0x01 check  0x02 checkmate (without 0x01)  0x04 capture, including en passant
 *            promotion: 0x40 bishop  0x50 knight  0x60 rook  0x70 queen
 *
 * Reads    checkmate also with 0x01 set.
 * Refuses  TBY_INVALID_CMBR words over 24 bits, unknown flags, NAGs (0x08) and variations (0x80), which are not moves;
 *          a piece or a flag that does not match the move. TBY_ILLEGAL_MOVE. The error's number is that of the
 *          half-move, its offset the byte of the word, highest first.
 * Keeps    decoding returns the move that was encoded, in Chess960 too: the piece shows castling.
 */
#include "notation/refuse.h"
#include "position/attackers.h"
#include "position/play.h"

enum { SHORT_CASTLING = 6, LONG_CASTLING = 7, BLACK = 8, PROMOTION = 0x70, WORD_MAX = 0xffffff };

static unsigned piece_code(const tby_position *pos, tby_move m)
{
    static const uint8_t codes[8] = {
        [TBY_PAWN] = 0, [TBY_KNIGHT] = 1, [TBY_BISHOP] = 2, [TBY_ROOK] = 3, [TBY_QUEEN] = 4, [TBY_KING] = 5,
    };
    const unsigned color = position_side(pos) == TBY_BLACK ? BLACK : 0;
    if (TBY_MOVE_IS_CASTLING(m))
        return color + (TBY_MOVE_TO(m) > TBY_MOVE_FROM(m) ? SHORT_CASTLING : LONG_CASTLING);
    return color + codes[board_piece(&pos->board, TBY_MOVE_FROM(m)) & 7];
}

static unsigned promotion_flags(tby_move m)
{
    static const uint8_t flags[16] = {
        [TBY_BISHOP] = 0x40,
        [TBY_KNIGHT] = 0x50,
        [TBY_ROOK] = 0x60,
        [TBY_QUEEN] = 0x70,
    };
    return flags[TBY_MOVE_KIND(m)];
}

static unsigned check_flags(const tby_position *pos, tby_move m)
{
    const tby_color us = position_side(pos), them = color_other(us);
    tby_position after = *pos;
    position_play(&after, m, us);
    if (!attackers_of(&after.board, board_king(&after.board, them), us))
        return 0;
    return tby_moves_any(&after) ? TBY_CMBR_CHECK : TBY_CMBR_MATE;
}

uint32_t tby_cmbr_move_encode(const tby_position *pos, tby_move m)
{
    const unsigned to = tby_move_destination(m), from = TBY_MOVE_FROM(m);
    const unsigned capture = tby_move_captured(pos, m) ? TBY_CMBR_CAPTURE : 0;
    return to << 18 | from << 12 | piece_code(pos, m) << 8 | promotion_flags(m) | capture | check_flags(pos, m);
}

/* ---- Decoding ------------------------------------------------------------------------------------------ */

typedef struct word {
    unsigned to, from, piece, flags;
} word;

static tby_status refuse_word(const tby_position *pos, tby_error *err, tby_status status, size_t byte,
                              const char *detail)
{
    return refuse_with(err, status, byte, detail, (int)(pos->ply + 1), 0);
}

/* The legal move with the squares, the piece and the promotion of the word; TBY_MOVE_NONE if there is none. */
static tby_move find_move(const tby_position *pos, const word *w)
{
    tby_move moves[TBY_MOVES_MAX];
    const size_t n_moves = tby_moves_from(moves, pos, (tby_square)w->from);
    const bool castles = (w->piece & 7) >= SHORT_CASTLING;
    for (size_t i = 0; i < n_moves; i++)
        if (tby_move_destination(moves[i]) == w->to && TBY_MOVE_IS_CASTLING(moves[i]) == castles &&
            (!castles || piece_code(pos, moves[i]) == w->piece) && promotion_flags(moves[i]) == (w->flags & PROMOTION))
            return moves[i];
    return TBY_MOVE_NONE;
}

/* The piece on the from-square, or for castling the king. */
static tby_status check_piece(const tby_position *pos, const word *w, tby_error *err)
{
    const tby_color us = position_side(pos);
    if (!(board_color(&pos->board, us) & bb_square(w->from)))
        return refuse_word(pos, err, TBY_ILLEGAL_MOVE, 0, "half-move %d: no own piece on the from-square");
    unsigned expected = piece_code(pos, TBY_MOVE(w->from, w->to, 0));
    if ((w->piece & 7) >= SHORT_CASTLING && (expected & 7) == 5)
        expected = (expected & BLACK) | (w->piece & 7);
    if (w->piece != expected)
        return refuse_word(pos, err, TBY_INVALID_CMBR, 1, "half-move %d: the piece is not the one on the from-square");
    return TBY_OK;
}

/* Checks the flags alone. */
static tby_status check_form(const tby_position *pos, const word *w, tby_error *err)
{
    if (w->flags & TBY_CMBR_NAG)
        return refuse_word(pos, err, TBY_INVALID_CMBR, 2, "half-move %d: a move expected, this is a NAG");
    if (w->flags & TBY_CMBR_VARIATION)
        return refuse_word(pos, err, TBY_INVALID_CMBR, 2, "half-move %d: a move expected, this points to a variation");
    if ((w->flags & PROMOTION) && (w->flags & PROMOTION) < 0x40)
        return refuse_word(pos, err, TBY_INVALID_CMBR, 2, "half-move %d: the promotion flags mean no piece");
    return TBY_OK;
}

static tby_status check_flags_of(const tby_position *pos, const word *w, tby_move m, tby_error *err)
{
    const unsigned expected = tby_cmbr_move_encode(pos, m) & 0xff;
    unsigned wrong = (w->flags ^ expected) & 0xff;
    if (expected & TBY_CMBR_MATE)
        wrong &= ~(unsigned)TBY_CMBR_CHECK;
    if (wrong & TBY_CMBR_CAPTURE)
        return refuse_word(pos, err, TBY_INVALID_CMBR, 2, "half-move %d: the capture flag is wrong");
    if (wrong & TBY_CMBR_MATE)
        return refuse_word(pos, err, TBY_INVALID_CMBR, 2, "half-move %d: the checkmate flag is wrong");
    if (wrong)
        return refuse_word(pos, err, TBY_INVALID_CMBR, 2, "half-move %d: the check flag is wrong");
    return TBY_OK;
}

tby_status tby_cmbr_move_decode(tby_move *out, const tby_position *pos, uint32_t bits, tby_error *err)
{
    const word w = {bits >> 18 & 63, bits >> 12 & 63, bits >> 8 & 15, bits & 0xff};
    if (bits > WORD_MAX)
        return refuse_word(pos, err, TBY_INVALID_CMBR, 0, "half-move %d: the word has more than 24 bits");
    tby_status status = check_form(pos, &w, err);
    if (status == TBY_OK)
        status = check_piece(pos, &w, err);
    if (status != TBY_OK)
        return status;
    const tby_move m = find_move(pos, &w);
    if (m == TBY_MOVE_NONE)
        return refuse_word(pos, err, TBY_ILLEGAL_MOVE, 0, "half-move %d: the move is not legal");
    status = check_flags_of(pos, &w, m, err);
    if (status == TBY_OK)
        *out = m;
    return status;
}
