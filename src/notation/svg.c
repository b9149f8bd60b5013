/*
 * svg.c - write a board as a whole SVG document.
 *
 *     <svg viewBox="0 0 320 320" role="img">     40 units per square; coordinates add a frame of 18 units
 *       <title> <desc>                           for screen readers: side, all pieces, last move, check
 *       <defs>                                   the shapes used, and the glow, once each
 *       frame, squares, tint, glow, pieces, arrows        in the order of painting
 *     </svg>
 *
 * Writes   SVG 1.1 that needs no style sheet, script or other file, all in ASCII. It uses xlink:href, not href, for
 *          older readers. Ids begin with "tby-" and always name the same drawing, so one page may contain several
 *          inline diagrams. The tint of castling is on the king's two squares. A circle is an arrow from a square to
 *          itself.
 * Ignores  a check square without a king, a null move, arrows with a square off the board.
 * Keeps    integer arithmetic: the same input gives the same bytes on every machine.
 */
#include "base/text.h"
#include "notation/svg_pieces.h"
#include "position/board.h"

#define FRAME "#54402f"
#define LETTERS "#efe2cf"
#define TINT "#f2d43c"
#define GLOW "#e3170a"

enum { SQUARE = 40, DEFAULT_PIXELS = 360, LIGHT = 0xf0e2cb, DARK = 0xb58d6b };

static const tby_kind KINDS[6] = {TBY_KING, TBY_QUEEN, TBY_ROOK, TBY_BISHOP, TBY_KNIGHT, TBY_PAWN};

/* ---- Small writers ------------------------------------------------------------------------------------- */

/* The column and row of a square as drawn, from the top left. */
static unsigned square_column(tby_square square, unsigned flags)
{
    return (square & 7U) ^ (flags & TBY_DIAGRAM_BLACK_UP ? 7 : 0);
}

static unsigned square_row(tby_square square, unsigned flags)
{
    return (unsigned)(square >> 3) ^ (flags & TBY_DIAGRAM_BLACK_UP ? 0 : 7);
}

static void write_attribute(text_writer *text, const char *name, uint64_t value)
{
    text_char(text, ' ');
    text_string(text, name);
    text_string(text, "=\"");
    text_number(text, value);
    text_char(text, '"');
}

/* x and y of the square's top left corner. */
static void write_corner(text_writer *text, tby_square square, unsigned flags)
{
    write_attribute(text, "x", square_column(square, flags) * SQUARE);
    write_attribute(text, "y", square_row(square, flags) * SQUARE);
}

static void write_rgb(text_writer *text, uint32_t rgb)
{
    text_char(text, '#');
    for (int shift = 20; shift >= 0; shift -= 4)
        text_char(text, "0123456789abcdef"[(rgb >> shift) & 15]);
}

/* A length given in tenths: 12, 12.5. */
static void write_tenths(text_writer *text, unsigned tenths)
{
    text_number(text, tenths / 10);
    if (tenths % 10) {
        text_char(text, '.');
        text_number(text, tenths % 10);
    }
}

/* ---- Title and description ----------------------------------------------------------------------------- */

/* ", rooks a1 h1"; the first of a list has no comma. */
static void write_kind_words(text_writer *text, tby_kind kind, tby_bitboard squares, bool first)
{
    static const char *const words[7] = {"", "pawn", "bishop", "knight", "rook", "king", "queen"};
    text_string(text, first ? " " : ", ");
    text_string(text, words[kind]);
    if (bb_many(squares))
        text_char(text, 's');
    for (; squares; squares = bb_rest(squares)) {
        text_char(text, ' ');
        text_square(text, bb_first(squares));
    }
}

static void write_color_words(text_writer *text, const tby_board *board, tby_color color)
{
    bool first = true;
    text_string(text, color == TBY_WHITE ? "White:" : " Black:");
    for (int i = 0; i < 6; i++) {
        tby_bitboard squares = board_kind(board, KINDS[i]) & board_color(board, color);
        if (squares) {
            write_kind_words(text, KINDS[i], squares, first);
            first = false;
        }
    }
    text_string(text, first ? " no piece." : ".");
}

static void write_words(text_writer *text, const tby_board *board, const tby_svg_options *options)
{
    text_string(text, "<title>Chess board seen from ");
    text_string(text, options->flags & TBY_DIAGRAM_BLACK_UP ? "black" : "white");
    text_string(text, "'s side</title>\n<desc>");
    write_color_words(text, board, TBY_WHITE);
    write_color_words(text, board, TBY_BLACK);
    if (options->last_move != TBY_MOVE_NONE) {
        text_string(text, " Last move ");
        text_square(text, TBY_MOVE_FROM(options->last_move));
        text_char(text, ' ');
        text_square(text, tby_move_destination(options->last_move));
        text_char(text, '.');
    }
    if (options->check != TBY_NO_SQUARE) {
        text_string(text, " Check on ");
        text_square(text, options->check);
        text_char(text, '.');
    }
    text_string(text, "</desc>\n");
}

/* ---- Board --------------------------------------------------------------------------------------------- */

static void write_head(text_writer *text, const tby_svg_options *options)
{
    unsigned pixels = options->pixels ? options->pixels : DEFAULT_PIXELS;
    text_string(text, "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"");
    text_string(text,
                options->flags & TBY_DIAGRAM_COORDINATES ? " viewBox=\"-18 -18 356 356\"" : " viewBox=\"0 0 320 320\"");
    write_attribute(text, "width", pixels);
    write_attribute(text, "height", pixels);
    text_string(text, " role=\"img\">\n");
}

static void write_defs(text_writer *text, const tby_board *board, const tby_svg_options *options)
{
    text_string(text, "<defs>\n");
    for (int i = 0; i < 6; i++) {
        if (!board_kind(board, KINDS[i]))
            continue;
        text_string(text, "<g id=\"tby-");
        text_char(text, text_pieces[8 + KINDS[i]]);
        text_string(text, "\">");
        text_string(text, SVG_PIECE_SHAPE[KINDS[i]]);
        text_string(text, "</g>\n");
    }
    if (options->check != TBY_NO_SQUARE)
        text_string(text, "<radialGradient id=\"tby-check\" r=\"0.6\"><stop offset=\"0.4\" stop-color=\"" GLOW "\"/>"
                          "<stop offset=\"1\" stop-color=\"" GLOW "\" stop-opacity=\"0\"/></radialGradient>\n");
    text_string(text, "</defs>\n");
}

/* A letter below the board at `x`, or a digit in the left margin, where x is negative. */
static void write_coordinate(text_writer *text, unsigned x, unsigned y, bool at_left, char c)
{
    text_string(text, "<text");
    if (at_left)
        text_string(text, " x=\"-9\"");
    else
        write_attribute(text, "x", x);
    write_attribute(text, "y", y);
    text_char(text, '>');
    text_char(text, c);
    text_string(text, "</text>");
}

static void write_frame(text_writer *text, unsigned flags)
{
    unsigned turn = flags & TBY_DIAGRAM_BLACK_UP ? 7 : 0;
    text_string(text, "<rect x=\"-18\" y=\"-18\" width=\"356\" height=\"356\" fill=\"" FRAME "\"/>\n"
                      "<g fill=\"" LETTERS "\" font-family=\"sans-serif\" font-size=\"11\" text-anchor=\"middle\">");
    for (unsigned i = 0; i < 8; i++) {
        unsigned middle = i * SQUARE + SQUARE / 2;
        write_coordinate(text, 0, middle + 4, true, (char)('8' - (int)(i ^ turn)));
        write_coordinate(text, middle, 332, false, (char)('a' + (int)(i ^ turn)));
    }
    text_string(text, "</g>\n");
}

/* A light background and one path of 32 dark squares, which look the same from both sides. */
static void write_squares(text_writer *text, const tby_svg_options *options)
{
    text_string(text, "<g shape-rendering=\"crispEdges\"><rect width=\"320\" height=\"320\" fill=\"");
    write_rgb(text, options->light);
    text_string(text, "\"/><path fill=\"");
    write_rgb(text, options->dark);
    text_string(text, "\" d=\"");
    for (unsigned row = 0; row < 8; row++)
        for (unsigned column = ~row & 1; column < 8; column += 2) {
            text_char(text, 'M');
            text_number(text, column * SQUARE);
            text_char(text, ' ');
            text_number(text, row * SQUARE);
            text_string(text, "h40v40h-40z");
        }
    text_string(text, "\"/></g>\n");
}

static void write_tint(text_writer *text, const tby_svg_options *options)
{
    tby_bitboard squares = 0;
    if (options->last_move != TBY_MOVE_NONE)
        squares = bb_square(TBY_MOVE_FROM(options->last_move)) | bb_square(tby_move_destination(options->last_move));
    for (; squares; squares = bb_rest(squares)) {
        text_string(text, "<rect");
        write_corner(text, bb_first(squares), options->flags);
        text_string(text, " width=\"40\" height=\"40\" fill=\"" TINT "\" fill-opacity=\"0.5\"/>\n");
    }
}

static void write_glow(text_writer *text, const tby_svg_options *options)
{
    if (options->check == TBY_NO_SQUARE)
        return;
    text_string(text, "<rect");
    write_corner(text, options->check, options->flags);
    text_string(text, " width=\"40\" height=\"40\" fill=\"url(#tby-check)\"/>\n");
}

static void write_pieces(text_writer *text, const tby_board *board, tby_color color, unsigned flags)
{
    text_string(text, "<g ");
    text_string(text, SVG_PIECE_STYLE[color]);
    text_string(text, ">\n");
    for (tby_bitboard squares = board_color(board, color); squares; squares = bb_rest(squares)) {
        tby_square square = bb_first(squares);
        text_string(text, "<use xlink:href=\"#tby-");
        text_char(text, text_pieces[8 | board_piece(board, square)]);
        text_char(text, '"');
        write_corner(text, square, flags);
        text_string(text, "/>\n");
    }
    text_string(text, "</g>\n");
}

/* ---- Arrows -------------------------------------------------------------------------------------------- */

/* The measures of an arrow, in tenths of a unit. It begins outside the centre of its square and ends before the other
   centre; the shortest one, 400 - TAIL - GAP, is still longer than its head. */
enum { TAIL = 120, GAP = 30, HEAD = 145, HALF_HEAD = 90, HALF_SHAFT = 32 };

/* An arrow's own axes: origin and length in tenths, and the unit vector times AXIS. */
enum { AXIS = 10000 };
typedef struct axes {
    int x, y, length, along_x, along_y;
} axes;

/* The square root of a value below 2^40. */
static int square_root(uint64_t value)
{
    uint64_t root = 0;
    for (uint64_t bit = 1 << 19; bit; bit >>= 1)
        if ((root + bit) * (root + bit) <= value)
            root += bit;
    return (int)root;
}

/* `from` and `to` differ. */
static axes axes_between(tby_square from, tby_square to, unsigned flags)
{
    int x = (int)square_column(from, flags), y = (int)square_row(from, flags);
    int dx = (int)square_column(to, flags) - x, dy = (int)square_row(to, flags) - y;
    int squares = square_root((uint64_t)(dx * dx + dy * dy) * AXIS * AXIS); /* the distance times AXIS */
    axes a = {x * 400 + 200, y * 400 + 200, squares * 400 / AXIS, dx * AXIS * AXIS / squares,
              dy * AXIS * AXIS / squares};
    return a;
}

/* The point at distance `along` the arrow and `across` it. Always on the board, so never negative. */
static void write_point(text_writer *text, char command, const axes *a, int along, int across)
{
    text_char(text, command);
    write_tenths(text, (unsigned)(a->x + (a->along_x * along - a->along_y * across) / AXIS));
    text_char(text, ' ');
    write_tenths(text, (unsigned)(a->y + (a->along_y * along + a->along_x * across) / AXIS));
}

static void write_arrow(text_writer *text, const tby_arrow *arrow, unsigned flags)
{
    axes a = axes_between(arrow->from, arrow->to, flags);
    int tip = a.length - GAP, neck = tip - HEAD;
    text_string(text, "<path d=\"");
    write_point(text, 'M', &a, TAIL, -HALF_SHAFT);
    write_point(text, 'L', &a, neck, -HALF_SHAFT);
    write_point(text, 'L', &a, neck, -HALF_HEAD);
    write_point(text, 'L', &a, tip, 0);
    write_point(text, 'L', &a, neck, HALF_HEAD);
    write_point(text, 'L', &a, neck, HALF_SHAFT);
    write_point(text, 'L', &a, TAIL, HALF_SHAFT);
    text_string(text, "z\" fill=\"");
    write_rgb(text, arrow->rgb);
    text_string(text, "\"/>\n");
}

static void write_circle(text_writer *text, const tby_arrow *arrow, unsigned flags)
{
    text_string(text, "<circle");
    write_attribute(text, "cx", square_column(arrow->from, flags) * SQUARE + SQUARE / 2);
    write_attribute(text, "cy", square_row(arrow->from, flags) * SQUARE + SQUARE / 2);
    text_string(text, " r=\"18\" fill=\"none\" stroke-width=\"3\" stroke=\"");
    write_rgb(text, arrow->rgb);
    text_string(text, "\"/>\n");
}

static void write_arrows(text_writer *text, const tby_svg_options *options)
{
    if (options->n_arrows == 0)
        return;
    text_string(text, "<g opacity=\"0.8\">\n");
    for (size_t i = 0; i < options->n_arrows; i++) {
        const tby_arrow *arrow = &options->arrows[i];
        if (arrow->from > 63 || arrow->to > 63)
            continue;
        if (arrow->from == arrow->to)
            write_circle(text, arrow, options->flags);
        else
            write_arrow(text, arrow, options->flags);
    }
    text_string(text, "</g>\n");
}

/* ---- The document -------------------------------------------------------------------------------------- */

/* The caller's options, except those that the board contradicts. */
static tby_svg_options effective_options(const tby_board *board, const tby_svg_options *options)
{
    tby_svg_options o = {0};
    o.check = TBY_NO_SQUARE;
    if (options)
        o = *options;
    if (o.light == o.dark) {
        o.light = LIGHT;
        o.dark = DARK;
    }
    if (o.check > 63 || !(board_kings(board) & bb_square(o.check)))
        o.check = TBY_NO_SQUARE;
    if (o.last_move == TBY_MOVE_NULL)
        o.last_move = TBY_MOVE_NONE;
    return o;
}

size_t tby_svg_write(char *buf, size_t cap, const tby_board *board, const tby_svg_options *options)
{
    text_writer text = text_begin(buf, cap);
    tby_svg_options o = effective_options(board, options);
    write_head(&text, &o);
    write_words(&text, board, &o);
    write_defs(&text, board, &o);
    if (o.flags & TBY_DIAGRAM_COORDINATES)
        write_frame(&text, o.flags);
    write_squares(&text, &o);
    write_tint(&text, &o);
    write_glow(&text, &o);
    write_pieces(&text, board, TBY_WHITE, o.flags);
    write_pieces(&text, board, TBY_BLACK, o.flags);
    write_arrows(&text, &o);
    text_string(&text, "</svg>\n");
    return text_end(&text);
}
