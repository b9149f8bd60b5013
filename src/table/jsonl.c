/*
 * jsonl.c - tables as JSON lines: one object per row.
 *
 * Writes   every column in every row, null for a missing value. Bytes are a string of hexadecimal digits. Keys are
 *          integers of up to 64 bits, which not every JSON reader can represent exactly.
 */
#include "table/format.h"

/* Missing values and numbers that JSON cannot hold are null. */
static void put_value(buffer *out, const table_column *c, size_t row)
{
    const bool has_bytes = c->about.type == TBY_COLUMN_BYTES && column_has(c, row);
    const size_t before = out->n;
    if (has_bytes)
        buffer_put(out, '"');
    cell_put(out, c, row, buffer_json);
    if (has_bytes)
        buffer_put(out, '"');
    else if (out->n == before)
        buffer_add(out, "null", 4);
}

static void encode(tby_table_piece *piece, const tby_table *table, size_t n_columns)
{
    buffer *out = &piece->bytes;
    for (size_t row = 0; row < table->n_rows; row++) {
        for (size_t i = 0; i < n_columns; i++) {
            const table_column *c = &table->columns[i];
            buffer_put(out, i == 0 ? '{' : ',');
            buffer_json(out, c->about.name, strlen(c->about.name));
            buffer_put(out, ':');
            put_value(out, c, row);
        }
        buffer_add(out, "}\n", 2);
    }
}

const table_format table_jsonl = {
    .about = {"jsonl", "JSON lines, one object per row", ".jsonl .ndjson .json", false},
    .encode = encode,
};
