/*
 * values.c - converts text to values: chessgame, chessboard, and variants for loading that never fail.
 */
#include "sql.h"

#include <string.h>

/* Checks a BLOB move by move, for CHECK constraints and for bytes from elsewhere. */
static void check_game(sql_call *call)
{
    tby_error err;
    const sql_value *value = &call->args[0];
    if (tby_packed_check((const uint8_t *)value->bytes, value->n, &err) == TBY_OK)
        call->answer = *value;
    else
        sql_fail_error(call, &err);
}

static void chessgame(sql_call *call)
{
    game_bytes game;
    if (call->args[0].type == SQL_BLOB)
        check_game(call);
    else if (sql_game(call, 0, &game))
        sql_answer_bytes(call, game.bytes, game.n);
}

static void chessboard(sql_call *call)
{
    tby_setup setup;
    if (sql_board(call, 0, &setup))
        sql_answer_board(call, &setup);
}

/* Why the text is not a game; NULL if it is one. */
static void chessgame_error(sql_call *call)
{
    game_bytes game;
    if (sql_game(call, 0, &game) || call->has_no_memory)
        return;
    sql_answer_text(call, call->error);
    call->error[0] = '\0';
}

/* The game up to its first fault; NULL if nothing of it can be kept. */
static void legal_prefix(sql_call *call)
{
    size_t n;
    const sql_value *text = &call->args[0];
    uint8_t *out = sql_answer_room(call, TBY_CHESSGAME_SIZE);
    if (out && tby_chessgame_read(out, &n, text->bytes, text->n, TBY_CHESSGAME_PREFIX, NULL, NULL) == TBY_OK)
        sql_answer_room_bytes(call, n);
}

static void version(sql_call *call) { sql_answer_text(call, tby_version()); }

const sql_function sql_value_functions[] = {
    {"chessgame", "vb", .call = chessgame},
    {"chessboard", "vb", .call = chessboard},
    {"chessgameError", "vt", .call = chessgame_error},
    {"legalPrefix", "tb", .call = legal_prefix},
    {"tabiyaVersion", "t", .call = version},
    {.name = ""},
};
