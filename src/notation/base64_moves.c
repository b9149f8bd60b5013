/*
 * base64_moves.c - read and write one move as two base64 digits, its origin and its target.
 *
 *     A B C D E F G H    8        0k is e2-e4: the digit of a square is its place in the
 *     I J K L M N O P    7        order a8, b8 ... h8, a7 ... h1.
 *     Q R S T U V W X    6
 *     Y Z a b c d e f    5        Castling is the king's move: 8+ is white's O-O.
 *     g h i j k l m n    4        (Where a Chess960 king could also step there, the target
 *     o p q r s t u v    3        is the rook's square.)
 *     w x y z 0 1 2 3    2
 *     4 5 6 7 8 9 + /    1        A promotion is to a queen.
 *     a b c d e f g h
 *
 * Reads    digits of either alphabet; castling also as king takes rook.
 * Writes   two digits; with TBY_BASE64_URL the URL-safe ones.
 * Refuses  TBY_INVALID_BASE64 other bytes and lengths; TBY_ILLEGAL_MOVE. Writing: TBY_CANNOT_HOLD a promotion to a
 *          rook, bishop or knight; TBY_LOSSY makes it a queen.
 */
#include "base/text.h"
#include "notation/base64.h"
#include "notation/refuse.h"
#include "notation/target_square.h"

static bool fits(tby_move m, tby_square to)
{
    if (TBY_MOVE_IS_CASTLING(m))
        return move_target(m) == to || TBY_MOVE_TO(m) == to;
    return TBY_MOVE_TO(m) == to && (!TBY_MOVE_IS_PROMOTION(m) || TBY_MOVE_KIND(m) == TBY_QUEEN);
}

tby_status tby_base64_move_read(tby_move *out, const tby_position *pos, const char *s, size_t n, tby_error *err)
{
    unsigned place[2];
    for (size_t i = 0; i < 2; i++)
        if (i >= n || (place[i] = base64_value(s[i])) == BASE64_NO_DIGIT)
            return refuse(err, TBY_INVALID_BASE64, i, "two base64 digits expected");
    if (n > 2)
        return refuse(err, TBY_INVALID_BASE64, 2, "a move has two digits");

    tby_move moves[TBY_MOVES_MAX];
    const tby_square from = (tby_square)(place[0] ^ 56), to = (tby_square)(place[1] ^ 56);
    const size_t n_moves = tby_moves_from(moves, pos, from);
    for (size_t i = 0; i < n_moves; i++)
        if (fits(moves[i], to)) {
            *out = moves[i];
            return TBY_OK;
        }
    if (!(board_color(&pos->board, position_side(pos)) & bb_square(from)))
        return refuse(err, TBY_ILLEGAL_MOVE, 0, "the side to move has no piece there");
    return refuse(err, TBY_ILLEGAL_MOVE, 1, "the piece cannot go there");
}

size_t tby_base64_move_write(char *buf, size_t cap, const tby_position *pos, tby_move m, unsigned flags, tby_error *err)
{
    (void)pos;
    refuse_nothing(err);
    if (TBY_MOVE_IS_PROMOTION(m) && TBY_MOVE_KIND(m) != TBY_QUEEN && !(flags & TBY_LOSSY)) {
        refuse(err, TBY_CANNOT_HOLD, 0, "a promotion to a piece other than a queen");
        return refuse_text(buf, cap);
    }
    text_writer text = text_begin(buf, cap);
    text_char(&text, base64_digit(TBY_MOVE_FROM(m) ^ 56u, flags));
    text_char(&text, base64_digit(move_target(m) ^ 56u, flags));
    return text_end(&text);
}
