/*
 * pgn_output.h - an output buffer, and the line breaks of PGN's export format.
 *
 * Tokens are separated by a blank, or by a line break if the line would become longer than `columns`. An opening
 * bracket belongs to the token after it, a closing one to the token before it.
 */
#ifndef TBY_PGN_PGN_OUTPUT_H
#define TBY_PGN_PGN_OUTPUT_H

#include "base/bitboard.h"

#include <string.h>

enum { PGN_OUTPUT_SIZE = 8192, PGN_OUTPUT_COLUMNS = 79, PGN_TOKEN_ROOM = 256 };

typedef struct pgn_output {
    tby_sink sink;
    void *context;
    bool has_failed;                   /* the sink failed and gets no more data */
    bool is_one_line;                  /* only blanks between tokens; `columns` is SIZE_MAX then */
    bool opens;                        /* an opening bracket waits for its token */
    size_t n;                          /* bytes in the buffer */
    size_t column;                     /* the length of the current line */
    size_t columns;                    /* the maximum length of a line */
    char buffer[PGN_OUTPUT_SIZE + 16]; /* so that a vector can be read from any byte */
} pgn_output;

/* An empty buffer; the buffer itself is not cleared. */
static inline void pgn_output_begin(pgn_output *out, tby_sink sink, void *context)
{
    out->sink = sink;
    out->context = context;
    out->has_failed = out->is_one_line = out->opens = false;
    out->n = out->column = 0;
    out->columns = PGN_OUTPUT_COLUMNS;
}
/* Passes the buffer to the sink and empties it. */
void pgn_output_flush(pgn_output *out);
/* Writes bytes unchanged; the caller updates `column`. */
void pgn_output_bytes(pgn_output *out, const char *s, size_t n);
/* The same; most bytes fit into the buffer. */
TBY_INLINE void output_bytes(pgn_output *out, const char *s, size_t n)
{
    if (__builtin_expect(n > PGN_OUTPUT_SIZE - out->n, 0)) {
        pgn_output_bytes(out, s, n);
        return;
    }
    memcpy(out->buffer + out->n, s, n);
    out->n += n;
}
/* Writes a blank or a line break before a token of that width. */
void pgn_output_separate(pgn_output *out, size_t width);
void pgn_output_close_bracket(pgn_output *out);

/* A token is written at the place that begin returns; end takes the place after it. A token has at most
   PGN_TOKEN_ROOM - 2 bytes: a separator and a bracket may precede it. */
TBY_INLINE char *output_begin(pgn_output *out)
{
    if (__builtin_expect(out->n + PGN_TOKEN_ROOM > PGN_OUTPUT_SIZE, 0))
        pgn_output_flush(out);
    char *at = out->buffer + out->n + (out->column != 0);
    if (__builtin_expect(out->opens, 0))
        *at++ = '(';
    return at;
}

TBY_INLINE void output_end(pgn_output *out, const char *end)
{
    char *at = out->buffer + out->n;
    const bool is_first = out->column == 0;
    const size_t width = (size_t)(end - at) - !is_first;
    const bool breaks = out->column + 1 + width > out->columns;
    if (!is_first)
        *at = breaks ? '\n' : ' ';
    out->column = is_first || breaks ? width : out->column + 1 + width;
    out->n = (size_t)(end - out->buffer);
    out->opens = false;
}

#endif
