/*
 * format.c - the table formats by name, writing their pieces in order, and values as text, independent of
 *            the locale.
 */
#include "table/format.h"
#include "base/text.h"
#include "notation/refuse.h"
#include <stdio.h>

static const table_format *const formats[] = {&table_csv,   &table_spreadsheet, &table_tsv, &table_html,
                                              &table_jsonl, &table_parquet,     &table_nnue};
enum { N_FORMATS = sizeof formats / sizeof *formats };

/* ---- Names ----------------------------------------------------------------------------------------------- */

const tby_table_format *tby_table_format_at(size_t index) { return index < N_FORMATS ? &formats[index]->about : NULL; }

const tby_table_format *tby_table_format_find(const char *name, size_t n)
{
    for (size_t i = 0; i < N_FORMATS; i++)
        if (text_is(name, n, formats[i]->about.name))
            return &formats[i]->about;
    return NULL;
}

const tby_table_format *tby_table_format_guess(const char *file, size_t n)
{
    for (size_t i = 0; i < N_FORMATS; i++)
        if (text_has_ending(file, n, formats[i]->about.endings))
            return &formats[i]->about;
    return NULL;
}

/* `about` is the first member of a table_format. */
static const table_format *whole(const tby_table_format *format) { return (const table_format *)(const void *)format; }

tby_status tby_table_format_check(const tby_table_format *format, const tby_column *columns, size_t n_columns,
                                  tby_error *err)
{
    return whole(format)->check ? whole(format)->check(columns, n_columns, err) : TBY_OK;
}

/* ---- Pieces ---------------------------------------------------------------------------------------------- */

tby_table_piece *tby_table_piece_new(const tby_table_format *format, const tby_allocator *allocator)
{
    const tby_allocator memory = allocator_or_default(allocator);
    tby_table_piece *piece = alloc_new(memory, sizeof *piece);
    if (piece)
        *piece = (tby_table_piece){.format = whole(format),
                                   .allocator = memory,
                                   .bytes = buffer_begin(&memory),
                                   .chunks = buffer_begin(&memory)};
    return piece;
}

void tby_table_piece_free(tby_table_piece *piece)
{
    if (!piece)
        return;
    if (piece->format->free_work)
        piece->format->free_work(piece);
    buffer_free(&piece->bytes);
    buffer_free(&piece->chunks);
    alloc_free(piece->allocator, piece, sizeof *piece);
}

bool tby_table_encode(tby_table_piece *piece, const tby_table *table, size_t n_columns)
{
    piece->bytes.n = piece->chunks.n = 0;
    piece->n_rows = table->n_rows;
    if (tby_table_has_failed(table))
        return false;
    if (table->n_rows > 0)
        piece->format->encode(piece, table, n_columns);
    return !piece->bytes.has_failed && !piece->chunks.has_failed;
}

/* ---- Writers --------------------------------------------------------------------------------------------- */

static size_t writer_bytes(size_t n_columns) { return sizeof(tby_table_writer) + n_columns * sizeof(tby_column); }

tby_table_writer *tby_table_writer_new(const tby_table_format *format, const tby_column *columns, size_t n_columns,
                                       tby_sink sink, void *context, const tby_allocator *allocator)
{
    const tby_allocator memory = allocator_or_default(allocator);
    tby_table_writer *w = alloc_new(memory, writer_bytes(n_columns));
    if (!w)
        return NULL;
    *w = (tby_table_writer){.format = whole(format),
                            .allocator = memory,
                            .n_columns = n_columns,
                            .sink = sink,
                            .context = context,
                            .groups = buffer_begin(&memory)};
    memcpy(w->columns, columns, n_columns * sizeof *columns);
    return w;
}

void tby_table_writer_free(tby_table_writer *w)
{
    if (!w)
        return;
    buffer_free(&w->groups);
    alloc_free(w->allocator, w, writer_bytes(w->n_columns));
}

static bool write_bytes(tby_table_writer *w, const buffer *bytes)
{
    w->n_bytes += bytes->n;
    return !bytes->has_failed && (bytes->n == 0 || w->sink(w->context, bytes->s, bytes->n));
}

/* Writes a head or a tail, and frees it. */
static bool write_once(tby_table_writer *w, buffer *bytes)
{
    const bool is_good = write_bytes(w, bytes);
    buffer_free(bytes);
    return is_good;
}

bool tby_table_writer_begin(tby_table_writer *w)
{
    buffer head = buffer_begin(&w->allocator);
    if (w->format->begin)
        w->format->begin(&head, w);
    return write_once(w, &head);
}

bool tby_table_writer_add(tby_table_writer *w, const tby_table_piece *piece)
{
    if (piece->n_rows == 0)
        return true;
    if (w->format->add && !w->format->add(w, piece))
        return false;
    w->n_rows += piece->n_rows;
    return write_bytes(w, &piece->bytes);
}

bool tby_table_writer_end(tby_table_writer *w, const char *note)
{
    buffer tail = buffer_begin(&w->allocator);
    if (w->format->end)
        w->format->end(&tail, w, note);
    return write_once(w, &tail);
}

/* ---- Values as text ---------------------------------------------------------------------------------------------- */

static size_t write_int(char *out, int64_t value)
{
    char *at = out;
    if (value < 0)
        *at++ = '-';
    at = text_put_number(at, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
    return (size_t)(at - out);
}

/* Writes thousandths, without trailing zeros beyond `decimals`. */
static size_t write_thousandths(char *out, int64_t value, unsigned decimals)
{
    const uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    char *at = out;
    if (value < 0)
        *at++ = '-';
    at = text_put_number(at, size / 1000);
    *at++ = '.';
    for (uint64_t unit = 100, rest = size % 1000; unit > 0; unit /= 10)
        *at++ = (char)('0' + rest / unit % 10);
    for (unsigned kept = 3; kept > decimals && at[-1] == '0'; kept--)
        at--;
    return (size_t)(at - out) - (at[-1] == '.');
}

size_t cell_double(char out[CELL_NUMBER_SIZE], double value, unsigned decimals)
{
    const double limit = 9e15;
    if (!(value > -limit / 1000 && value < limit / 1000)) {
        if (!(value - value == 0))
            return 0;
    } else {
        const int64_t thousandths = (int64_t)(value * 1000 + (value < 0 ? -0.5 : 0.5));
        const double same = (double)thousandths / 1000; /* stored, to compare it without extra precision */
        if (same == value)
            return write_thousandths(out, thousandths, decimals);
    }
    const int n = snprintf(out, CELL_NUMBER_SIZE, "%.17g", value);
    for (int i = 0; i < n; i++)
        if (!strchr("+-0123456789e", out[i]))
            out[i] = '.'; /* a locale's comma */
    return (size_t)n;
}

size_t cell_number(char out[CELL_NUMBER_SIZE], const table_column *c, size_t row)
{
    const uint64_t bits = column_bits(c, row);
    double value;
    if (c->about.type == TBY_COLUMN_UINT64)
        return (size_t)(text_put_number(out, bits) - out);
    if (c->about.type != TBY_COLUMN_DOUBLE)
        return write_int(out, (int64_t)bits);
    memcpy(&value, &bits, sizeof value);
    return cell_double(out, value, 0);
}

void cell_put(buffer *out, const table_column *c, size_t row, cell_text put_text)
{
    char number[CELL_NUMBER_SIZE];
    size_t n;
    if (!column_has(c, row))
        return;
    if (!column_is_text(c)) {
        buffer_add(out, number, cell_number(number, c, row));
        return;
    }
    const char *s = column_text(c, row, &n);
    if (c->about.type == TBY_COLUMN_TEXT)
        put_text(out, s, n);
    else
        buffer_hex(out, s, n);
}
