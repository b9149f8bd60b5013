/*
 * chessgame_error.c - why a text is not a chessgame, or deserves a warning: storing and formatting it.
 *
 *     illegal move: "Qh6": no such piece can go there (ply 3, FEN rnbqkbnr/...)
 */
#include "value/chessgame.h"

#include "base/text.h"
#include "base/utf8.h"

#include <string.h>

/* A token is cut to the size of its buffer, without control characters, which could garble a terminal. */
tby_status chessgame_refuse(tby_chessgame_error *err, const tby_error *error, const tby_position *pos, unsigned ply,
                            const char *token, size_t n)
{
    if (!err)
        return error->status;
    memset(err, 0, sizeof *err);
    err->error = *error;
    err->pos = *pos;
    err->ply = ply;
    n = utf8_cut(token, n, sizeof err->token - 1);
    for (size_t i = 0; i < n; i++)
        err->token[i] = (unsigned char)token[i] < 32 || token[i] == 127 ? '?' : token[i];
    return error->status;
}

size_t tby_chessgame_error_write(char *buf, size_t cap, const tby_chessgame_error *err)
{
    text_writer text = text_begin(buf, cap);
    char sentence[TBY_ERROR_SIZE], fen[TBY_FEN_SIZE];
    const char *status = tby_status_text(err->error.status);
    text_string(&text, status);
    if (err->token[0]) {
        text_string(&text, ": \"");
        text_string(&text, err->token);
        text_char(&text, '"');
    }
    tby_error_write(sentence, sizeof sentence, &err->error);
    text_string(&text, sentence + strlen(status)); /* the token goes between status and detail */
    if (err->ply > 0) {
        text_string(&text, " (ply ");
        text_number(&text, err->ply);
        text_string(&text, ", FEN ");
        tby_fen_write_position(fen, sizeof fen, &err->pos, 0);
        text_string(&text, fen);
        text_char(&text, ')');
    }
    return text_end(&text);
}

/* A warning after others, and the number of its place. */
static void write_warning(text_writer *text, tby_pgn_warning warning, const char *place, uint64_t number)
{
    text_string(text, text->length ? "; " : "");
    text_string(text, tby_pgn_warning_text(warning));
    if (place) {
        text_string(text, place);
        text_number(text, number);
        text_char(text, ')');
    }
}

size_t tby_chessgame_warning_write(char *buf, size_t cap, const tby_chessgame_error *err)
{
    text_writer text = text_begin(buf, cap);
    if (err->has_lost_rights)
        write_warning(&text, TBY_PGN_WARN_CHESS960, NULL, 0);
    if (err->null_ply)
        write_warning(&text, TBY_PGN_WARN_NULL_MOVE, " (ply ", err->null_ply);
    if (err->odd)
        write_warning(&text, (tby_pgn_warning)err->odd, err->error.status == TBY_OK ? " (byte " : NULL,
                      err->error.offset);
    return text_end(&text);
}
