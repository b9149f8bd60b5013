/*
 * csv.c - tables as comma-separated (RFC 4180) or tab-separated values.
 *
 * Writes   a line of names, then one line per row, ended by a line feed. Text is quoted if necessary, and also if it is
 *          empty: nothing between two commas is a missing value. Bytes are hexadecimal digits. In the spreadsheet
 *          format, text that would be a formula begins with an apostrophe. Tab-separated values are not quoted:
 *          control characters in a text become blanks.
 */
#include "table/format.h"

/* A lone minus, which many tags use for "none", is not a formula. */
bool tby_csv_is_formula(const char *s, size_t n)
{
    return n > 1 && (*s == '=' || *s == '+' || *s == '-' || *s == '@' || *s == '\t' || *s == '\r');
}

static void put_csv(buffer *out, const char *s, size_t n) { buffer_csv(out, "", s, n); }
static void put_tsv(buffer *out, const char *s, size_t n) { buffer_harmless(out, s, n, ' '); }
static void put_spreadsheet(buffer *out, const char *s, size_t n)
{
    buffer_csv(out, tby_csv_is_formula(s, n) ? "'" : "", s, n);
}

static void encode(tby_table_piece *piece, const tby_table *table, size_t n_columns)
{
    const table_format *format = piece->format;
    for (size_t row = 0; row < table->n_rows; row++) {
        for (size_t i = 0; i < n_columns; i++) {
            if (i > 0)
                buffer_put(&piece->bytes, (unsigned char)format->separator);
            cell_put(&piece->bytes, &table->columns[i], row, format->put_text);
        }
        buffer_put(&piece->bytes, '\n');
    }
}

static void begin(buffer *out, const tby_table_writer *writer)
{
    for (size_t i = 0; i < writer->n_columns; i++) {
        if (i > 0)
            buffer_put(out, (unsigned char)writer->format->separator);
        put_csv(out, writer->columns[i].name, strlen(writer->columns[i].name));
    }
    buffer_put(out, '\n');
}

const table_format table_csv = {
    .about = {"csv", "comma-separated values with a header", ".csv", false},
    .encode = encode,
    .begin = begin,
    .separator = ',',
    .put_text = put_csv,
};

const table_format table_spreadsheet = {
    .about = {"spreadsheet", "CSV without formulas, for spreadsheets", "", false},
    .encode = encode,
    .begin = begin,
    .separator = ',',
    .put_text = put_spreadsheet,
};

const table_format table_tsv = {
    .about = {"tsv", "tab-separated values, with a line of names", ".tsv", false},
    .encode = encode,
    .begin = begin,
    .separator = '\t',
    .put_text = put_tsv,
};
