/*
 * pgn.c - whole games as PGN: toPgn(game, tags [, annotated]).
 *
 *     tags        a JSON object, {"White":"Ada",...}; after the seven tag roster, tags are in its order
 *     annotated   a CMBR record of the whole game, as a database stores it besides a game with comments and variations:
 *                 then the game is that of the record, with its own tags unless `tags` is given
 *
 * NULL for tags or annotated is the same as omitting it; the result is NULL if there is neither game nor record.
 */
#include "sql.h"

static bool set_tags(sql_call *call, tby_game *game, const sql_value *tags)
{
    tby_error err;
    return tby_json_read_tags(game, tags->bytes, tags->n, &err) == TBY_OK || sql_fail_about(call, "toPgn: ", &err);
}

/* ---- Games ------------------------------------------------------------------------------------------------- */

static bool read_game(sql_call *call, tby_game *game)
{
    game_bytes bytes;
    if (!sql_game(call, 0, &bytes))
        return false;
    return tby_chessgame_to_game(game, bytes.bytes, bytes.n) || sql_fail_memory(call);
}

static void to_pgn(sql_call *call)
{
    const bool has_record = !sql_is_null(call, 2);
    if (!has_record && sql_is_null(call, 0))
        return;
    tby_game *game = tby_game_new(NULL);
    if (!game) {
        sql_fail_memory(call);
        return;
    }
    if ((has_record ? sql_record(call, 2, game, "") : read_game(call, game)) &&
        (sql_is_null(call, 1) || set_tags(call, game, &call->args[1]))) {
        tby_pgn_write(game, 0, buffer_sink, &call->out);
        sql_answer_out(call, SQL_TEXT);
    }
    tby_game_free(game);
}

const sql_function sql_pgn_functions[] = {
    {"toPgn", "vtt", .call = to_pgn, .takes_null = true},
    {"toPgn", "vtbt", .call = to_pgn, .takes_null = true},
    {.name = ""},
};
