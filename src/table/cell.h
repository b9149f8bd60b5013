/*
 * cell.h - numbers and bytes of a table as text.
 */
#ifndef TBY_TABLE_CELL_H
#define TBY_TABLE_CELL_H

#include "table/table.h"

enum { CELL_NUMBER_SIZE = 32 };

/* Writes a number of the column, which must not be empty. Returns its length. */
size_t cell_number(char out[CELL_NUMBER_SIZE], const table_column *c, size_t row);
/* A double: up to three decimals if they are exact, otherwise as many digits as are needed to read the same number
   back; at least `decimals`. Infinities and NaN are written as the empty text. */
size_t cell_double(char out[CELL_NUMBER_SIZE], double value, unsigned decimals);
/* Writes a value: a number, a text in the way of a format, bytes as hexadecimal digits; nothing for an empty one. */
typedef void (*cell_text)(buffer *out, const char *s, size_t n);
void cell_put(buffer *out, const table_column *c, size_t row, cell_text put_text);

#endif
