/*
 * single.h - the page and published games as one HTML file, which also opens from a disk.
 */
#ifndef TABIYA_CLI_SINGLE_H
#define TABIYA_CLI_SINGLE_H

#include "support/buffer.h"

/* Adds a file that the page will ask for by this name, such as data/manifest.json. */
void single_add(buffer *files, const char *name, const void *bytes, size_t n);
/* Writes the page with these files; false if the program has no page. */
bool single_write(buffer *out, const buffer *files);

#endif
