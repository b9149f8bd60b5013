/*
 * uci.c - read and write moves in the notation of the Universal Chess Interface.
 *
 *     move = file rank file rank [q | r | b | n]              e2e4  e7e8q  e1g1
 *
 * Reads    promotion letters also in upper case. Castling as the king's move (e1g1), as king takes rook (e1h1), on any
 *          squares, and as O-O and O-O-O, also with zeros or small o. If a Chess960 king could also step to its
 *          castling square, that text means the step; castling is then written as king takes rook.
 * Writes   castling as e1g1 from the e-file with a rook in the corner, otherwise (and with TBY_UCI_CHESS960) as king
 *          takes rook; the null move as 0000
 * Refuses  TBY_INVALID_UCI any other form, at the first wrong byte; TBY_ILLEGAL_MOVE at the origin (offset 0) or the
 *          target (2); TBY_PROMOTION_MISSING at the end; TBY_ILLEGAL_NULL_MOVE for 0000
 * Keeps    only legal moves are returned; reading a legal move that was written returns the same move
 */
#include "base/text.h"
#include "notation/refuse.h"
#include "position/play.h"

/* ---- Reading: the text ---------------------------------------------------------------------------------- */

typedef struct coordinates {
    tby_square from, to;
    tby_kind promotion; /* TBY_NO_KIND if none is given */
} coordinates;

static bool is_file(char c) { return c >= 'a' && c <= 'h'; }
static bool is_rank(char c) { return c >= '1' && c <= '8'; }

static tby_kind promotion_kind(char c)
{
    for (tby_kind kind = TBY_BISHOP; kind <= TBY_QUEEN; kind++)
        if (kind != TBY_KING && text_pieces[8 + kind] == (c | 32))
            return kind;
    return TBY_NO_KIND;
}

static tby_status read_coordinates(coordinates *out, const char *s, size_t n, tby_error *err)
{
    for (size_t i = 0; i < 4; i++)
        if (i >= n || !(i % 2 ? is_rank(s[i]) : is_file(s[i])))
            return refuse(err, TBY_INVALID_UCI, i, i % 2 ? "a rank 1 to 8 expected" : "a file a to h expected");
    if (n > 5)
        return refuse(err, TBY_INVALID_UCI, 5, "the move should end here");
    out->from = TBY_SQUARE(s[0] - 'a', s[1] - '1');
    out->to = TBY_SQUARE(s[2] - 'a', s[3] - '1');
    out->promotion = n == 5 ? promotion_kind(s[4]) : TBY_NO_KIND;
    if (n == 5 && !out->promotion)
        return refuse(err, TBY_INVALID_UCI, 4, "q, r, b or n expected");
    if (out->from == out->to)
        return refuse(err, TBY_INVALID_UCI, 2, "a different square expected");
    return TBY_OK;
}

static bool is_castling_letter(char c) { return c == 'O' || c == '0' || c == 'o'; }

/* Reads O-O and O-O-O, all in the same letter. */
static tby_status read_castling_letters(bool *queen_side, const char *s, size_t n, tby_error *err)
{
    for (size_t i = 0; i < n && i < 5; i++)
        if (s[i] != (i % 2 ? '-' : s[0]))
            return refuse(err, TBY_INVALID_UCI, i, "O-O or O-O-O expected");
    if (n != 3 && n != 5)
        return refuse(err, TBY_INVALID_UCI, n < 5 ? n : 5, "O-O or O-O-O expected");
    *queen_side = n == 5;
    return TBY_OK;
}

/* ---- Reading: the move ---------------------------------------------------------------------------------- */

/* The legal castling move on that side; TBY_MOVE_NONE if there is none. */
static tby_move find_castling(const tby_position *pos, bool queen_side)
{
    const tby_color us = position_side(pos);
    const tby_square king = board_king(&pos->board, us);
    for (tby_bitboard rooks = pos->castling & bb_back_rank(us); rooks; rooks = bb_rest(rooks)) {
        const tby_move m = TBY_MOVE(king, bb_first(rooks), TBY_KING);
        if ((bb_first(rooks) < king) == queen_side && tby_move_is_legal(pos, m))
            return m;
    }
    return TBY_MOVE_NONE;
}

/* The king's move that is meant: a step if that is legal, else castling to that square or with the rook on it. */
static tby_move king_move(const tby_position *pos, const coordinates *c)
{
    const tby_move step = TBY_MOVE(c->from, c->to, 0);
    if (tby_move_is_legal(pos, step))
        return step;
    if (pos->castling & bb_square(c->to) & board_color(&pos->board, position_side(pos)))
        return TBY_MOVE(c->from, c->to, TBY_KING);
    const tby_move castling = find_castling(pos, c->to < c->from);
    return castling && castling_king_to(c->from, TBY_MOVE_TO(castling)) == c->to ? castling : step;
}

static tby_move pawn_move(const tby_position *pos, const coordinates *c)
{
    const bool is_capture = TBY_FILE(c->from) != TBY_FILE(c->to);
    if (is_capture && c->to == pos->en_passant)
        return TBY_MOVE(c->from, c->to, TBY_PAWN);
    return TBY_MOVE(c->from, c->to, c->promotion);
}

static tby_status find_move(tby_move *out, const tby_position *pos, const coordinates *c, tby_error *err)
{
    const tby_color us = position_side(pos);
    const tby_piece piece = board_piece(&pos->board, c->from);
    const bool is_pawn = TBY_PIECE_KIND(piece) == TBY_PAWN;
    const bool promotes = is_pawn && (bb_square(c->to) & bb_back_rank(color_other(us)));

    if (piece == TBY_NO_PIECE)
        return refuse(err, TBY_ILLEGAL_MOVE, 0, "there is no piece there");
    if (TBY_PIECE_COLOR(piece) != us)
        return refuse(err, TBY_ILLEGAL_MOVE, 0, "the piece there is of the other side");
    if (c->promotion && !promotes)
        return refuse(err, TBY_ILLEGAL_MOVE, 4, "only a pawn that reaches the last rank promotes");
    if (promotes && !c->promotion && tby_move_is_legal(pos, TBY_MOVE(c->from, c->to, TBY_QUEEN)))
        return refuse(err, TBY_PROMOTION_MISSING, 4, "q, r, b or n expected");

    tby_move m = TBY_MOVE(c->from, c->to, 0);
    if (TBY_PIECE_KIND(piece) == TBY_KING)
        m = king_move(pos, c);
    else if (is_pawn)
        m = pawn_move(pos, c);
    if (!tby_move_is_legal(pos, m))
        return refuse(err, TBY_ILLEGAL_MOVE, 2, "the piece cannot go there");
    *out = m;
    return TBY_OK;
}

tby_status tby_uci_read(tby_move *out, const tby_position *pos, const char *s, size_t n, tby_error *err)
{
    if (text_is(s, n, "0000"))
        return refuse(err, TBY_ILLEGAL_NULL_MOVE, 0, "the null move is not legal chess");
    if (n > 0 && is_castling_letter(s[0])) {
        bool queen_side = false;
        const tby_status status = read_castling_letters(&queen_side, s, n, err);
        const tby_move m = status == TBY_OK ? find_castling(pos, queen_side) : TBY_MOVE_NONE;
        if (status == TBY_OK && !m)
            return refuse(err, TBY_ILLEGAL_MOVE, 0, "castling on that side is not possible");
        if (status == TBY_OK)
            *out = m;
        return status;
    }
    coordinates c;
    const tby_status status = read_coordinates(&c, s, n, err);
    return status == TBY_OK ? find_move(out, pos, &c, err) : status;
}

/* ---- Writing -------------------------------------------------------------------------------------------- */

static bool is_usual_castling(tby_square king, tby_square rook)
{
    return TBY_FILE(king) == 4 && (bb_square(rook) & BB_CORNERS);
}

size_t tby_uci_write(char *buf, size_t cap, const tby_position *pos, tby_move m, unsigned flags)
{
    text_writer text = text_begin(buf, cap);
    const tby_square from = TBY_MOVE_FROM(m);
    tby_square to = TBY_MOVE_TO(m);
    (void)pos; /* a move contains its rook; other writers need the position */
    if (m == TBY_MOVE_NULL) {
        text_string(&text, "0000");
        return text_end(&text);
    }
    if (TBY_MOVE_IS_CASTLING(m) && is_usual_castling(from, to) && !(flags & TBY_UCI_CHESS960))
        to = castling_king_to(from, to);
    text_square(&text, from);
    text_square(&text, to);
    if (TBY_MOVE_IS_PROMOTION(m))
        text_char(&text, text_pieces[8 + (TBY_MOVE_KIND(m) & 7)]);
    return text_end(&text);
}
