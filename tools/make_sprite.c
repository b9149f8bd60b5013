/*
 * make_sprite.c - writes web/pieces.svg, the piece set as a sprite.
 *
 *     cc -Iinclude -Isrc tools/make_sprite.c -o make_sprite && ./make_sprite > web/pieces.svg
 *
 * Twelve groups wk wq wr wb wn wp bk .. bp, each 40 x 40 at its own origin, for <use href="pieces.svg#wk"/>. Wrappers
 * move them apart, so that the file shows all of them when it is opened. The drawings are in src/notation/svg_pieces.h;
 * edit them there and run this again.
 */
#include <stdio.h>

#include "notation/svg_pieces.h"

int main(void)
{
    static const tby_kind kinds[6] = {TBY_KING, TBY_QUEEN, TBY_ROOK, TBY_BISHOP, TBY_KNIGHT, TBY_PAWN};
    puts("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 240 80\" width=\"480\" height=\"160\">");
    puts("<!-- Written by tools/make_sprite.c: do not edit. Part of tabiya, MIT licence. -->");
    for (int color = TBY_WHITE; color <= TBY_BLACK; color++)
        for (int i = 0; i < 6; i++)
            printf("<g transform=\"translate(%d %d)\"><g id=\"%c%c\" %s>%s</g></g>\n", i * 40, color * 40, "wb"[color],
                   "kqrbnp"[i], SVG_PIECE_STYLE[color], SVG_PIECE_SHAPE[kinds[i]]);
    puts("</svg>");
    return ferror(stdout) || fflush(stdout) != 0;
}
