/*
 * answer.c - calls of SQL functions, and their results.
 */
#include "sql.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Calls -------------------------------------------------------------------------------------------------- */

void sql_call_begin(sql_call *call, const sql_value *args, int n_args)
{
    call->args = args;
    call->n_args = n_args;
    call->answer = (sql_value){.type = SQL_NULL};
    call->has_no_memory = false;
    call->warning[0] = call->error[0] = '\0';
    call->hint = NULL;
    buffer_clear(&call->out);
}

static void forget(sql_kept *kept)
{
    if (kept->memory && kept->destroy)
        kept->destroy(kept->memory);
    *kept = (sql_kept){0};
}

void sql_call_end(sql_call *call)
{
    for (int i = 0; i < SQL_ARGUMENTS_MAX; i++)
        forget(&call->kept[i]);
    buffer_free(&call->out);
}

void *sql_kept_of(sql_call *call, int index)
{
    const sql_kept *kept = &call->kept[index];
    const sql_value *value = &call->args[index];
    const bool is_same = kept->memory && kept->n == value->n &&
                         (kept->bytes == value->bytes || memcmp(kept->bytes, value->bytes, value->n) == 0);
    return is_same ? kept->memory : NULL;
}

void sql_keep(sql_call *call, int index, void *memory, void (*destroy)(void *))
{
    forget(&call->kept[index]);
    call->kept[index] = (sql_kept){memory, destroy, call->args[index].bytes, call->args[index].n, true};
}

void *sql_keep_copy(sql_call *call, int index, const void *value, size_t size)
{
    void *copy = sql_copy(call, value, size);
    if (copy)
        sql_keep(call, index, copy, free);
    return copy;
}

/* ---- Errors ------------------------------------------------------------------------------------------------- */

bool sql_fail(sql_call *call, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(call->error, sizeof call->error, format, list);
    va_end(list);
    return false;
}

bool sql_fail_memory(sql_call *call)
{
    call->has_no_memory = true;
    return sql_fail(call, "out of memory");
}

bool sql_fail_about(sql_call *call, const char *what, const tby_error *err)
{
    char text[TBY_ERROR_SIZE];
    if (err->status == TBY_NO_MEMORY)
        return sql_fail_memory(call);
    tby_error_write(text, sizeof text, err);
    return sql_fail(call, "%s%s", what, text);
}

bool sql_fail_error(sql_call *call, const tby_error *err) { return sql_fail_about(call, "", err); }

bool sql_fail_chessgame(sql_call *call, const tby_chessgame_error *err)
{
    char text[TBY_CHESSGAME_ERROR_SIZE];
    if (err->error.status == TBY_NO_MEMORY)
        return sql_fail_memory(call);
    tby_chessgame_error_write(text, sizeof text, err);
    return sql_fail(call, "%s", text);
}

/* ---- Results ------------------------------------------------------------------------------------------------ */

void sql_answer_number(sql_call *call, int64_t number)
{
    call->answer = (sql_value){.type = SQL_INTEGER, .number = number};
}

void sql_answer_whether(sql_call *call)
{
    tby_position pos;
    if (sql_position(call, 0, &pos))
        sql_answer_number(call, call->function->holds(&pos));
}

void sql_answer_out(sql_call *call, sql_type type)
{
    if (call->out.has_failed)
        sql_fail_memory(call);
    else
        call->answer = (sql_value){.type = type, .bytes = call->out.n ? call->out.s : "", .n = call->out.n};
}

void sql_answer_text(sql_call *call, const char *s)
{
    if (!s)
        return;
    buffer_string(&call->out, s);
    sql_answer_out(call, SQL_TEXT);
}

void sql_answer_bytes(sql_call *call, const void *bytes, size_t n)
{
    buffer_add(&call->out, bytes, n);
    sql_answer_out(call, SQL_BLOB);
}

void sql_answer_board(sql_call *call, const tby_setup *setup)
{
    uint8_t bytes[TBY_CHESSBOARD_SIZE];
    sql_answer_bytes(call, bytes, tby_chessboard_encode(bytes, setup));
}

void sql_answer_position(sql_call *call, const tby_position *pos)
{
    tby_setup setup;
    tby_position_setup(&setup, pos);
    sql_answer_board(call, &setup);
}

void sql_answer_position_as(sql_call *call, const tby_position *pos)
{
    char fen[TBY_FEN_SIZE];
    if (call->args[0].type == SQL_BLOB) {
        sql_answer_position(call, pos);
        return;
    }
    tby_fen_write_position(fen, sizeof fen, pos, 0);
    sql_answer_text(call, fen);
}

uint8_t *sql_answer_room(sql_call *call, size_t n)
{
    if (!buffer_room(&call->out, n))
        sql_fail_memory(call);
    return call->out.has_failed ? NULL : call->out.data;
}

void sql_answer_room_bytes(sql_call *call, size_t n)
{
    call->out.n = n;
    sql_answer_out(call, SQL_BLOB);
}

void sql_answer_room_game(sql_call *call, size_t n)
{
    buffer text = {0};
    if (call->args[0].type == SQL_BLOB) {
        sql_answer_room_bytes(call, n);
        return;
    }
    const bool is_written = tby_chessgame_write(call->out.data, n, buffer_sink, &text);
    buffer_free(&call->out);
    call->out = text;
    sql_answer_out(call, SQL_TEXT);
    if (!is_written && !call->has_no_memory)
        sql_fail(call, "the packed game is damaged");
}
