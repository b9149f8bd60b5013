/*
 * picture.h - a drawing of a board as pixels.
 */
#ifndef TABIYA_CLI_PICTURE_H
#define TABIYA_CLI_PICTURE_H

#include "buffer.h"

/* Paints what tby_svg_write has written, `pixels` wide and high, as PNG. */
void picture_write_png(buffer *out, const char *svg, size_t n, unsigned pixels);

#endif
