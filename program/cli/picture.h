/*
 * picture.h - converts an SVG image to PNG.
 */
#ifndef TABIYA_CLI_PICTURE_H
#define TABIYA_CLI_PICTURE_H

#include "support/buffer.h"

/* Turns an SVG document into a PNG image. Ends the program with a message if the converter is missing or fails. */
void picture_write_png(buffer *out, const char *svg, size_t n);

#endif
