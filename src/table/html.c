/*
 * html.c - a table as a self-contained HTML page.
 *
 * Writes   the names of the columns in the table head, then one row per line; numbers are right-aligned.
 *          Text is escaped, and control characters become blanks. A missing value is an empty cell.
 */
#include "table/format.h"

static const char HEAD[] =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
    "<title>Table</title>\n<style>\n"
    "body{font:16px/1.5 sans-serif;margin:1rem;background:#faf7f2;color:#231f1c}\n"
    "table{border-collapse:collapse}th,td{padding:.1rem .6rem;text-align:left}\n"
    "th{border-bottom:2px solid #6b5c4d}td{border-bottom:1px solid #d9cfc2}.n{text-align:right}\n"
    "</style>\n</head>\n<body>\n<table>\n<thead><tr>";
static const char BODY[] = "</tr></thead>\n<tbody>\n";
static const char TAIL[] = "</tbody>\n</table>\n</body>\n</html>\n";

static void put_text(buffer *out, const char *s, size_t n)
{
    for (size_t i = 0, plain; i < n; i += plain + (i + plain < n)) {
        for (plain = 0; i + plain < n && !strchr("&<>", s[i + plain] ? s[i + plain] : ' '); plain++)
            continue;
        buffer_harmless(out, s + i, plain, ' ');
        if (i + plain < n)
            buffer_string(out, s[i + plain] == '&' ? "&amp;" : s[i + plain] == '<' ? "&lt;" : "&gt;");
    }
}

/* "<td>" or, before a number, "<td class="n">". */
static void put_tag(buffer *out, const char *tag, const tby_column *column)
{
    buffer_put(out, '<');
    buffer_string(out, tag);
    buffer_string(out, table_types[column->type].width ? " class=\"n\">" : ">");
}

static void encode(tby_table_piece *piece, const tby_table *table, size_t n_columns)
{
    buffer *out = &piece->bytes;
    for (size_t row = 0; row < table->n_rows; row++) {
        buffer_string(out, "<tr>");
        for (size_t i = 0; i < n_columns; i++) {
            put_tag(out, "td", &table->columns[i].about);
            cell_put(out, &table->columns[i], row, put_text);
            buffer_string(out, "</td>");
        }
        buffer_string(out, "</tr>\n");
    }
}

static void begin(buffer *out, const tby_table_writer *writer)
{
    buffer_string(out, HEAD);
    for (size_t i = 0; i < writer->n_columns; i++) {
        put_tag(out, "th", &writer->columns[i]);
        put_text(out, writer->columns[i].name, strlen(writer->columns[i].name));
        buffer_string(out, "</th>");
    }
    buffer_string(out, BODY);
}

static void end(buffer *out, const tby_table_writer *writer, const char *note)
{
    (void)writer, (void)note;
    buffer_string(out, TAIL);
}

const table_format table_html = {
    .about = {"html", "a page with the table", ".html .htm", false},
    .encode = encode,
    .begin = begin,
    .end = end,
};
