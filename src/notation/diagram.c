/*
 * diagram.c - write a board as eight lines of text.
 *
 *     8 r n b q k b n r        the default, with TBY_DIAGRAM_COORDINATES;
 *     7 p p p p p p p p        without them the lines begin at the first piece
 *     6 . . . . . . . .
 *     ...
 *     1 R N B Q K B N R
 *       a b c d e f g h
 *
 * Writes   the top rank first, one blank between squares, no blank at the end of a line, '\n' after every line.
 *          TBY_DIAGRAM_UNICODE: figurines U+2654..U+265F and U+00B7 for an empty square, in UTF-8.
 *          TBY_DIAGRAM_BLACK_UP: seen from black's side, h1 at the top left.
 */
#include "base/text.h"
#include "position/board.h"

static void write_ascii(text_writer *text, tby_piece piece)
{
    static const char letters[16] = ".PBNRKQ?.pbnrkq?";
    text_char(text, letters[piece & 15]);
}

/* Figurines come in the order K Q R B N P, white first, from U+2654 = e2 99 94. */
static void write_unicode(text_writer *text, tby_piece piece)
{
    static const unsigned char order[8] = {
        [TBY_KING] = 0, [TBY_QUEEN] = 1, [TBY_ROOK] = 2, [TBY_BISHOP] = 3, [TBY_KNIGHT] = 4, [TBY_PAWN] = 5,
    };
    if (piece == TBY_NO_PIECE) {
        text_string(text, "\xc2\xb7");
        return;
    }
    text_string(text, "\xe2\x99");
    text_char(text, (char)(0x94 + order[TBY_PIECE_KIND(piece)] + (TBY_PIECE_COLOR(piece) == TBY_BLACK ? 6 : 0)));
}

static void write_rank(text_writer *text, const tby_board *board, unsigned rank, unsigned flags)
{
    unsigned turn = flags & TBY_DIAGRAM_BLACK_UP ? 7 : 0;
    if (flags & TBY_DIAGRAM_COORDINATES) {
        text_char(text, (char)('1' + rank));
        text_char(text, ' ');
    }
    for (unsigned column = 0; column < 8; column++) {
        tby_piece piece = board_piece(board, TBY_SQUARE(column ^ turn, rank));
        if (column > 0)
            text_char(text, ' ');
        if (flags & TBY_DIAGRAM_UNICODE)
            write_unicode(text, piece);
        else
            write_ascii(text, piece);
    }
    text_char(text, '\n');
}

size_t tby_diagram_write(char *buf, size_t cap, const tby_board *board, unsigned flags)
{
    text_writer text = text_begin(buf, cap);
    for (unsigned row = 0; row < 8; row++)
        write_rank(&text, board, flags & TBY_DIAGRAM_BLACK_UP ? row : 7 - row, flags);
    if (flags & TBY_DIAGRAM_COORDINATES)
        text_string(&text, flags & TBY_DIAGRAM_BLACK_UP ? "  h g f e d c b a\n" : "  a b c d e f g h\n");
    return text_end(&text);
}
