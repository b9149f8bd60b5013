/*
 * png.h - writes a picture as PNG.
 */
#ifndef TABIYA_CLI_PNG_H
#define TABIYA_CLI_PNG_H

#include "buffer.h"

/* `rgb`: three bytes a pixel, row by row from the top. */
void png_write(buffer *out, const uint8_t *rgb, unsigned width, unsigned height);

#endif
