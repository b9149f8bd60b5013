/*
 * tables.c - tables of results, written with the formats of the table library.
 */
#include "tables.h"

#include <string.h>

table table_new(const tby_column *columns, size_t n_columns)
{
    return (table){columns, n_columns, tby_table_new(columns, n_columns, NULL)};
}

void table_free(table *t)
{
    tby_table_free(t->rows);
    t->rows = NULL;
}

void table_put(table *t, size_t column, uint64_t number)
{
    if (t->rows)
        tby_table_put_int(t->rows, column, (int64_t)number);
}

void table_put_known(table *t, size_t column, uint64_t number)
{
    if (t->rows && !number)
        tby_table_put_empty(t->rows, column);
    else
        table_put(t, column, number);
}

void table_put_tenths(table *t, size_t column, int tenths)
{
    if (t->rows && tenths < 0)
        tby_table_put_empty(t->rows, column);
    else if (t->rows)
        tby_table_put_double(t->rows, column, (double)tenths / 10);
}

void table_put_text(table *t, size_t column, const char *text)
{
    if (t->rows && !text)
        tby_table_put_empty(t->rows, column);
    else if (t->rows)
        tby_table_put_text(t->rows, column, text, strlen(text));
}

void table_end_row(table *t)
{
    if (t->rows)
        tby_table_end_row(t->rows);
}

void table_write_as(buffer *out, table *t, const tby_table_format *format, unsigned parts)
{
    tby_table_piece *piece = tby_table_piece_new(format, NULL);
    tby_table_writer *w = tby_table_writer_new(format, t->columns, t->n_columns, buffer_sink, out, NULL);
    const bool is_good = t->rows && piece && w && (!(parts & TABLE_HEAD) || tby_table_writer_begin(w)) &&
                         tby_table_encode(piece, t->rows, t->n_columns) && tby_table_writer_add(w, piece) &&
                         (!(parts & TABLE_END) || tby_table_writer_end(w, NULL));
    if (!is_good)
        buffer_fail(out);
    if (t->rows)
        tby_table_cut(t->rows, 0);
    tby_table_piece_free(piece);
    tby_table_writer_free(w);
}

/* JSON strings contain no line ends, so the line ends between the objects can become commas. */
void table_write_array(buffer *out, table *t)
{
    buffer_string(out, "[");
    const size_t begin = out->n;
    table_write_as(out, t, tby_table_format_find("jsonl", 5), TABLE_WHOLE);
    for (size_t i = begin; i < out->n; i++)
        if (out->s[i] == '\n')
            out->s[i] = i + 1 < out->n ? ',' : ']';
    if (out->n == begin)
        buffer_string(out, "]");
}
