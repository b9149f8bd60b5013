/*
 * error.c - what a status means, and an error as one sentence.
 *
 *     status text [": " detail]            illegal move: no knight can go there
 *
 * An error carries static text and up to two numbers; nothing is formatted until the text is needed. In `detail` each
 * %d takes the next of the two numbers, and %% is a percent sign; any other % is literal.
 *
 * Writes   only the sentence; offsets and field names are the notation's part (see tby_fen_error_write)
 * Keeps    never reads past two arguments, whatever `detail` says
 */
#include "base/text.h"

#define STRING_OF(x) #x
#define STRING(x) STRING_OF(x)

const char *tby_version(void)
{
    return STRING(TBY_VERSION_MAJOR) "." STRING(TBY_VERSION_MINOR) "." STRING(TBY_VERSION_PATCH);
}

const char *tby_status_text(tby_status status)
{
    switch (status) {
    case TBY_OK: return "no error";
    case TBY_INVALID_PLACEMENT: return "invalid piece placement";
    case TBY_INVALID_SIDE: return "invalid side to move";
    case TBY_INVALID_CASTLING: return "invalid castling field";
    case TBY_INVALID_EN_PASSANT: return "invalid en passant square";
    case TBY_INVALID_CLOCK: return "invalid half-move clock";
    case TBY_INVALID_FULLMOVE: return "invalid move number";
    case TBY_INVALID_TRAILING: return "unexpected text at the end";
    case TBY_INVALID_SAN: return "invalid move text";
    case TBY_INVALID_UCI: return "invalid UCI move";
    case TBY_INVALID_RESULT: return "invalid result";
    case TBY_INVALID_BOARDINFO: return "invalid boardinfo";
    case TBY_INVALID_BASE64: return "invalid base64";
    case TBY_INVALID_SHORT_MOVE: return "invalid short move";
    case TBY_INVALID_CMBR: return "invalid CMBR";
    case TBY_INVALID_PGN: return "invalid PGN";
    case TBY_INVALID_JSON: return "invalid JSON";
    case TBY_INVALID_PACKED: return "invalid packed game";
    case TBY_INVALID_QUERY: return "invalid query";
    case TBY_INVALID_PIECE_SQUARE: return "invalid piece or square";
    case TBY_ILLEGAL_MOVE: return "illegal move";
    case TBY_AMBIGUOUS_MOVE: return "ambiguous move";
    case TBY_PROMOTION_MISSING: return "promotion piece missing";
    case TBY_ILLEGAL_POSITION: return "illegal position";
    case TBY_ILLEGAL_NULL_MOVE: return "illegal null move";
    case TBY_CANNOT_HOLD: return "the notation cannot hold this";
    case TBY_UNKNOWN_VARIANT: return "the variant is not supported";
    case TBY_TOO_SMALL: return "buffer too small";
    case TBY_TOO_LONG: return "text too long";
    case TBY_TOO_DEEP: return "nested too deeply";
    case TBY_NO_MEMORY: return "out of memory";
    case TBY_IO_ERROR: return "input or output failed";
    case TBY_INVALID_DATABASE: return "not a database, or a damaged one";
    case TBY_INVALID_TREE: return "not a tree of chess, or a damaged one";
    case TBY_NOT_FOUND: return "not found";
    case TBY_BUSY: return "in use by others";
    case TBY_INTERRUPTED: return "interrupted";
    case TBY_TOO_MANY: return "too many";
    }
    return "unknown error"; /* a status from a newer library */
}

static void write_int(text_writer *text, int value)
{
    if (value < 0)
        text_char(text, '-');
    /* Negated in 64 bits: -INT_MIN does not fit an int. */
    text_number(text, (uint64_t)(value < 0 ? -(int64_t)value : value));
}

static void write_detail(text_writer *text, const char *detail, const int args[2])
{
    int n_used = 0;
    for (const char *p = detail; *p; p++) {
        if (p[0] == '%' && p[1] == 'd' && n_used < 2) {
            write_int(text, args[n_used++]);
            p++;
        } else {
            text_char(text, *p);
            p += p[0] == '%' && p[1] == '%';
        }
    }
}

size_t tby_error_write(char *buf, size_t cap, const tby_error *err)
{
    text_writer text = text_begin(buf, cap);
    text_string(&text, tby_status_text(err->status));
    if (err->detail) {
        text_string(&text, ": ");
        write_detail(&text, err->detail, err->args);
    }
    return text_end(&text);
}
