/*
 * svg_pieces.h - the piece set of the SVG diagrams and of web/pieces.svg.
 *
 * Six shapes on a 40 x 40 grid, drawn for tabiya. All but the knight are symmetric about x = 20; all have a foot whose
 * lower edge is y = 35.8. Bodies inherit fill and stroke from where the shape is used; inner lines use the current
 * colour, so that the same shape is dark on white and light on black.
 *
 * Keeps: plain SVG 1.1 elements, no ids. tools/make_sprite.c writes web/pieces.svg from here, and
 * test/unit/notation/test_svg.c fails when the two differ.
 */
#ifndef TBY_NOTATION_SVG_PIECES_H
#define TBY_NOTATION_SVG_PIECES_H

#include "tabiya.h"

/* The line style of pieces of both colours. */
#define SVG_PIECE_LINES "stroke-width=\"1.5\" stroke-linejoin=\"round\" stroke-linecap=\"round\""

/* By tby_color. */
static const char *const SVG_PIECE_STYLE[2] = {
    "fill=\"#fff\" stroke=\"#231f1c\" color=\"#231f1c\" " SVG_PIECE_LINES,
    "fill=\"#3b3733\" stroke=\"#14110f\" color=\"#f4f1ec\" " SVG_PIECE_LINES,
};

#define SVG_BODY(d) "<path d=\"" d "\"/>"
#define SVG_LINE(d) "<path d=\"" d "\" fill=\"none\" stroke=\"currentColor\"/>"
#define SVG_BALL(x, y, r) "<circle cx=\"" x "\" cy=\"" y "\" r=\"" r "\"/>"
#define SVG_DOT(x, y, r) "<circle cx=\"" x "\" cy=\"" y "\" r=\"" r "\" fill=\"currentColor\" stroke=\"none\"/>"
#define SVG_FOOT SVG_BODY("M9 35.8V34A2.5 2.5 0 0 1 11.5 31.5H28.5A2.5 2.5 0 0 1 31 34V35.8z")

/* By tby_kind. */
static const char *const SVG_PIECE_SHAPE[7] = {
    /* head, collar, flared body, foot */
    [TBY_PAWN] = SVG_BODY("M22.5 18C22.7 24 24.2 27.5 28.4 31.5H11.6C15.8 27.5 17.3 24 17.5 18z")
        SVG_BODY("M10.5 35.8V34A2.5 2.5 0 0 1 13 31.5H27A2.5 2.5 0 0 1 29.5 34V35.8z") SVG_BALL("20", "12", "5.6")
            SVG_BODY("M14.8 17.4H25.2A1.6 1.6 0 0 1 25.2 20.6H14.8A1.6 1.6 0 0 1 14.8 17.4z"),
    /* finial, mitre with its cut, collar, body, foot */
    [TBY_BISHOP] = SVG_BODY("M23.8 23C24.2 27 25.6 29.4 28.6 31.5H11.4C14.4 29.4 15.8 27 16.2 23z")
        SVG_FOOT SVG_BALL("20", "6", "2.4")
            SVG_BODY("M20 8.4C24 10.4 28.2 14.4 28.2 18.6C28.2 20.6 27.2 22 25.6 23H14.4"
                     "C12.8 22 11.8 20.6 11.8 18.6C11.8 14.4 16 10.4 20 8.4z")
                SVG_BODY("M14 22.2H26A1.6 1.6 0 0 1 26 25.4H14A1.6 1.6 0 0 1 14 22.2z") SVG_LINE("M24.4 11.9L20 17.2"),
    /* head and neck to the left, eye, mane, nostril, foot */
    [TBY_KNIGHT] = SVG_BODY("M11.4 31.5C11.2 26.6 18.6 25.4 19.8 20.3C17.4 22.4 15.4 22.6 13.6 23.5"
                            "C12.4 24.1 12.2 26 10.2 25.8C8 25.6 5.8 23.4 6.2 21C6.6 18.8 9.6 16 10.6 13.2"
                            "C11.2 11.2 12.2 9.6 14 8.2C14 6.8 14.2 5.4 15 3.8C16.6 4.4 17.8 5.4 18.6 6.7"
                            "C27 6.9 33.4 14.6 29.2 31.5z") SVG_FOOT SVG_DOT("15", "12.9", "1.4")
        SVG_LINE("M22.2 9.9C27 13.2 28 20.4 25.8 27.8") SVG_LINE("M8.9 21.3L9.8 20.6"),
    /* battlements, tower, foot */
    [TBY_ROOK] = SVG_BODY("M26 13.5C26.2 21 26.9 26 28.8 31.5H11.2C13.1 26 13.8 21 14 13.5z")
        SVG_FOOT SVG_BODY("M9.8 5.8H14.8V8.9H17.6V5.8H22.4V8.9H25.2V5.8H30.2V12.4A2 2 0 0 1 28.2 14.4H11.8"
                          "A2 2 0 0 1 9.8 12.4z") SVG_LINE("M13.9 27.6H26.1"),
    /* cross, two lobes, band, foot */
    [TBY_KING] = SVG_BODY("M20 16.4C22.4 10.8 33.4 10.6 33.4 18.4C33.4 22 31 24.4 29.8 27"
                          "C29.2 28.5 29.1 30 29.2 31.5H10.8C10.9 30 10.8 28.5 10.2 27C9 24.4 6.6 22 6.6 18.4"
                          "C6.6 10.6 17.6 10.8 20 16.4z")
        SVG_FOOT SVG_BODY("M18.4 3H21.6V5.6H24.2V8.8H21.6V13.2L20 16.4L18.4 13.2V8.8H15.8V5.6H18.4z")
            SVG_LINE("M10.6 26.6C16 24.6 24 24.6 29.4 26.6") SVG_LINE("M20 16.6V24.8"),
    /* five points with pearls, band, foot */
    [TBY_QUEEN] = SVG_BODY("M20 9L23.6 17.4L29 9.4L29.5 18.6L35 12.8L30.6 27C29.6 28.5 29.2 30 29.2 31.5H10.8"
                           "C10.8 30 10.4 28.5 9.4 27L5 12.8L10.5 18.6L11 9.4L16.4 17.4z")
        SVG_FOOT SVG_BALL("20", "6.4", "2.3") SVG_BALL("29.2", "7.6", "2.1") SVG_BALL("10.8", "7.6", "2.1")
            SVG_BALL("35.4", "11.4", "2") SVG_BALL("4.6", "11.4", "2") SVG_LINE("M10.6 26.6C16 24.6 24 24.6 29.4 26.6"),
};

#endif
