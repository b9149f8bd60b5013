/*
 * table.h - a table in memory, column by column, in the layout of Arrow.
 *
 *     fixed width   values, one after the other           text, bytes   offsets (n + 1 of int32), values
 *
 * Columns with missing values also have one bit per row, lowest first: 1 = present. A missing value of fixed width is
 * 0.
 */
#ifndef TBY_TABLE_TABLE_H
#define TBY_TABLE_TABLE_H

#include "codec/bytes.h"
#include "tabiya_table.h"

typedef struct table_column {
    tby_column about;
    unsigned width; /* of a value; 0 = text or bytes */
    buffer values;
    buffer offsets; /* int32_t, where width is 0 */
    buffer present; /* bits, where the column may be empty */
    size_t n_put, n_empty;
} table_column;

struct tby_table {
    tby_allocator allocator;
    size_t n_columns, n_rows;
    table_column columns[];
};

/* What each type is in memory and in files. */
typedef struct table_type {
    unsigned width; /* of a value in bytes; 0 = text or bytes */
    const char *arrow;
    int32_t parquet;
} table_type;
extern const table_type table_types[];

/* Repeats the last value of a column n times: for columns that lack values, before the next row begins. */
void table_repeat(tby_table *table, size_t column, size_t n);

static inline bool column_is_text(const table_column *c) { return c->width == 0; }

static inline bool column_has_failed(const table_column *c)
{
    return c->values.has_failed || c->offsets.has_failed || c->present.has_failed;
}

static inline bool column_has(const table_column *c, size_t row)
{
    return !c->about.may_be_empty || (c->present.data[row / 8] >> row % 8 & 1);
}

static inline int32_t column_offset(const table_column *c, size_t row)
{
    int32_t offset;
    memcpy(&offset, c->offsets.data + row * sizeof offset, sizeof offset);
    return offset;
}

/* A text or bytes. */
static inline const char *column_text(const table_column *c, size_t row, size_t *n)
{
    const int32_t begin = column_offset(c, row);
    *n = (size_t)(column_offset(c, row + 1) - begin);
    return c->values.data ? (const char *)c->values.data + begin : ""; /* all of them may be empty texts */
}

/* A number of fixed width as its bits, INT32 extended by its sign. */
static inline uint64_t column_bits(const table_column *c, size_t row)
{
    uint64_t wide;
    int32_t narrow;
    if (c->width == sizeof narrow) {
        memcpy(&narrow, c->values.data + row * sizeof narrow, sizeof narrow);
        return (uint64_t)(int64_t)narrow;
    }
    memcpy(&wide, c->values.data + row * sizeof wide, sizeof wide);
    return wide;
}

#endif
