/*
 * format.h - what the table formats share: pieces, writers, values as text, and the functions of each format.
 */
#ifndef TBY_TABLE_FORMAT_H
#define TBY_TABLE_FORMAT_H

#include "table/table.h"

struct tby_table_piece {
    const struct table_format *format;
    tby_allocator allocator;
    buffer bytes;
    size_t n_rows;
    buffer chunks; /* Parquet: a parquet_chunk for each column */
    struct parquet_work *work;
};

struct tby_table_writer {
    const struct table_format *format;
    tby_allocator allocator;
    size_t n_columns;
    tby_sink sink;
    void *context;
    uint64_t n_bytes, n_rows;
    buffer groups; /* Parquet: the row groups of the footer */
    size_t n_groups;
    tby_column columns[];
};

typedef struct table_format {
    tby_table_format about;
    /* NULL: accepts any columns. */
    tby_status (*check)(const tby_column *columns, size_t n_columns, tby_error *err);
    void (*encode)(tby_table_piece *piece, const tby_table *table, size_t n_columns);
    void (*free_work)(tby_table_piece *piece); /* may be NULL, like those below */
    void (*begin)(buffer *out, const tby_table_writer *writer);
    bool (*add)(tby_table_writer *writer, const tby_table_piece *piece); /* called before its bytes are written */
    void (*end)(buffer *out, const tby_table_writer *writer, const char *note);
    /* CSV: what separates values, and how a text is written. */
    char separator;
    void (*put_text)(buffer *out, const char *s, size_t n);
} table_format;

extern const table_format table_csv, table_spreadsheet, table_tsv, table_html, table_jsonl, table_parquet, table_nnue;

/* ---- Values as text ----------------------------------------------------------------------------------------- */

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
