/*
 * answer.c - what SQL functions give back.
 */
#include "extension.h"

void answer_board(sqlite3_context *context, const tby_setup *setup)
{
    uint8_t bytes[TBY_CHESSBOARD_SIZE];
    const size_t n = tby_chessboard_encode(bytes, setup);
    sqlite3_result_blob(context, bytes, (int)n, SQLITE_TRANSIENT);
}

void answer_position(sqlite3_context *context, const tby_position *pos)
{
    tby_setup setup;
    tby_position_setup(&setup, pos);
    answer_board(context, &setup);
}

static bool is_blob(sqlite3_value *value) { return sqlite3_value_type(value) == SQLITE_BLOB; }

void answer_position_as(sqlite3_context *context, sqlite3_value *from, const tby_position *pos)
{
    char fen[TBY_FEN_SIZE];
    if (is_blob(from)) {
        answer_position(context, pos);
        return;
    }
    const size_t n = tby_fen_write_position(fen, sizeof fen, pos, 0);
    sqlite3_result_text(context, fen, (int)n, SQLITE_TRANSIENT);
}

void answer_game_as(sqlite3_context *context, sqlite3_value *from, uint8_t *bytes, size_t n)
{
    if (is_blob(from)) {
        answer_bytes(context, bytes, n);
        return;
    }
    sqlite3_str *string = sqlite3_str_new(sqlite3_context_db_handle(context));
    const bool is_written = tby_chessgame_write(bytes, n, string_sink, string);
    answer_string(context, string, false);
    if (!is_written)
        sqlite3_result_error(context, "the packed game is damaged", -1);
    sqlite3_free(bytes);
}

/* SQL has no numbers without a sign: the same 64 bits. */
void answer_key(sqlite3_context *context, uint64_t key) { sqlite3_result_int64(context, (sqlite3_int64)key); }

void answer_error(sqlite3_context *context, const tby_error *err)
{
    char text[TBY_ERROR_SIZE];
    tby_error_write(text, sizeof text, err);
    sqlite3_result_error(context, text, -1);
}

void answer_chessgame_error(sqlite3_context *context, const tby_chessgame_error *err)
{
    char text[TBY_CHESSGAME_ERROR_SIZE];
    tby_chessgame_error_write(text, sizeof text, err);
    sqlite3_result_error(context, text, -1);
}

void answer_bytes(sqlite3_context *context, uint8_t *bytes, size_t n)
{
    sqlite3_result_blob64(context, bytes, n, sqlite3_free);
}

bool string_sink(void *string, const char *s, size_t n)
{
    sqlite3_str_append(string, s, (int)n);
    return sqlite3_str_errcode(string) == SQLITE_OK;
}

void answer_string(sqlite3_context *context, sqlite3_str *string, bool is_binary)
{
    const int status = sqlite3_str_errcode(string), n = sqlite3_str_length(string);
    char *text = sqlite3_str_finish(string);
    if (status != SQLITE_OK) {
        sqlite3_result_error_code(context, status);
        sqlite3_free(text);
    } else if (is_binary)
        sqlite3_result_blob(context, text, n, sqlite3_free);
    else if (text)
        sqlite3_result_text(context, text, n, sqlite3_free);
    else
        sqlite3_result_text(context, "", 0, SQLITE_STATIC);
}
