/*
 * pgn_output.c - an output buffer, and the line breaks of PGN's export format.
 */
#include "pgn/pgn_output.h"

void pgn_output_flush(pgn_output *out)
{
    if (out->n && !out->has_failed)
        out->has_failed = !out->sink(out->context, out->buffer, out->n);
    out->n = 0;
}

void pgn_output_bytes(pgn_output *out, const char *s, size_t n)
{
    while (n > 0) {
        if (out->n == PGN_OUTPUT_SIZE)
            pgn_output_flush(out);
        const size_t room = PGN_OUTPUT_SIZE - out->n, part = n < room ? n : room;
        memcpy(out->buffer + out->n, s, part);
        out->n += part;
        s += part;
        n -= part;
    }
}

void pgn_output_separate(pgn_output *out, size_t width)
{
    const bool breaks = out->column + 1 + width + out->opens > out->columns;
    if (out->column != 0) {
        pgn_output_bytes(out, breaks ? "\n" : " ", 1);
        out->column = breaks ? 0 : out->column + 1;
    }
    if (out->opens)
        pgn_output_bytes(out, "(", 1);
    out->column += out->opens;
    out->opens = false;
}

void pgn_output_close_bracket(pgn_output *out)
{
    const bool breaks = out->column + 1 > out->columns;
    pgn_output_bytes(out, breaks ? "\n)" : ")", breaks ? 2 : 1);
    out->column = breaks ? 1 : out->column + 1;
}
