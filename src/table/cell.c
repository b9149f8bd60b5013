/*
 * cell.c - numbers and bytes of a table as text, independent of the locale.
 */
#include "base/text.h"
#include "table/format.h"

#include <stdio.h>

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
