/*
 * diagram.c - write a board as eight lines of text, and read such text.
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
#include "notation/registry.h"
#include "notation/state.h"
#include "position/board.h"

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
            text_char(text, text_pieces[piece & 15]);
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

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

/*
 *     rank{8} files?            rank = label? square{8} line-break         label = 1 ... 8
 *                               square = "." | "·" | letter | figurine     files = a ... h | h ... a
 *
 * A diagram only shows the pieces: white is to move, there is a castling right wherever king and rook are on their home
 * squares, and the clocks are at the start.
 *
 * Reads    blanks anywhere or nowhere, CR LF, a missing last line break. If the labels begin with 1 at the top, the
 *          board is seen from black's side. Without labels rank 8 is at the top.
 * Refuses  TBY_INVALID_PLACEMENT every other byte, ranks of other lengths, labels out of order.
 */
typedef struct reader {
    const char *text;
    size_t n, at;
    bool black_up, has_labels;
    tby_setup setup;
    tby_error *err;
} reader;

static tby_status refuse_here(const reader *r, const char *detail)
{
    return refuse(r->err, TBY_INVALID_PLACEMENT, r->at, detail);
}

static void skip_blanks(reader *r)
{
    while (r->at < r->n && (r->text[r->at] == ' ' || r->text[r->at] == '\t' || r->text[r->at] == '\r'))
        r->at++;
}

static int peek(reader *r)
{
    skip_blanks(r);
    return r->at < r->n ? (unsigned char)r->text[r->at] : -1;
}

/* Reads the piece of one square; false if the text here is not a square. */
static bool read_square(reader *r, tby_piece *piece)
{
    static const uint8_t figurines[6] = {TBY_KING, TBY_QUEEN, TBY_ROOK, TBY_BISHOP, TBY_KNIGHT, TBY_PAWN};
    const int c = peek(r);
    const unsigned char *s = (const unsigned char *)r->text + r->at;
    for (unsigned i = 0; i < 16; i++)
        if (text_pieces[i] == c && c != '?') {
            *piece = (tby_piece)i;
            r->at++;
            return true;
        }
    if (r->n - r->at >= 2 && s[0] == 0xc2 && s[1] == 0xb7) {
        *piece = TBY_NO_PIECE;
        r->at += 2;
        return true;
    }
    if (r->n - r->at < 3 || s[0] != 0xe2 || s[1] != 0x99 || s[2] < 0x94 || s[2] > 0x9f)
        return false;
    const unsigned figurine = s[2] - 0x94u;
    *piece = TBY_PIECE(figurine / 6, figurines[figurine % 6]);
    r->at += 3;
    return true;
}

/* The first label decides which side is at the top; without it there are no labels. */
static tby_status read_label(reader *r, unsigned row)
{
    const int c = peek(r);
    const bool is_label = c >= '1' && c <= '8';
    if (row == 0) {
        r->has_labels = is_label;
        r->black_up = c == '1';
    }
    if (is_label != r->has_labels || (is_label && (unsigned)(c - '1') != (r->black_up ? row : 7 - row)))
        return refuse_here(r, "labels of the ranks 8 to 1, or 1 to 8, or none expected");
    r->at += is_label;
    return TBY_OK;
}

static tby_status read_rank(reader *r, unsigned row)
{
    const tby_status status = read_label(r, row);
    if (status != TBY_OK)
        return status;
    for (unsigned column = 0; column < 8; column++) {
        tby_piece piece;
        if (!read_square(r, &piece))
            return refuse_here(r, "a piece or an empty square expected");
        board_add(&r->setup.board, ((7 - row) * 8 + column) ^ (r->black_up ? 63 : 0), piece);
    }
    if (peek(r) >= 0 && r->text[r->at] != '\n')
        return refuse_here(r, "a rank has eight squares");
    r->at += r->at < r->n;
    return TBY_OK;
}

/* The last line, with the file letters; only blanks may follow it. */
static tby_status read_files(reader *r)
{
    if (r->has_labels && peek(r) >= 0 && r->text[r->at] != '\n')
        for (int i = 0; i < 8; i++, r->at++)
            if (peek(r) != (r->black_up ? 'h' - i : 'a' + i))
                return refuse_here(r, "the letters of the files expected");
    while (peek(r) == '\n')
        r->at++;
    return r->at < r->n ? refuse_here(r, "the diagram has ended") : TBY_OK;
}

tby_status diagram_read(tby_setup *out, const char *s, size_t n, unsigned flags, unsigned *warnings, tby_error *err)
{
    (void)flags;
    registry_no_warnings(warnings);
    reader r = {.text = s, .n = n, .err = err};
    tby_status status = TBY_OK;
    tby_setup_clear(&r.setup);
    for (unsigned row = 0; row < 8 && status == TBY_OK; row++)
        status = read_rank(&r, row);
    if (status == TBY_OK)
        status = read_files(&r);
    if (status != TBY_OK)
        return status;
    r.setup.castling = state_home_rights(&r.setup.board);
    *out = r.setup;
    return TBY_OK;
}
