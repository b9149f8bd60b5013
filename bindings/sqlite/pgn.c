/*
 * pgn.c - whole games as PGN: toPgn(game, tags [, annotated]).
 *
 *     tags        an object of JSON, {"White":"Ada",...}; its order is that of the tags after the seven of the roster
 *     annotated   a CMBR record of the whole game, as a database keeps it beside a game with comments and variations:
 *                 then the game is that of the record, with its own tags unless `tags` is given
 *
 * NULL for tags or annotated is the same as leaving it out; the answer is NULL if there is neither game nor record.
 */
#include "extension.h"

#include <string.h>

static bool set_tags(sqlite3_context *context, tby_game *game, sqlite3_value *tags)
{
    tby_error err;
    char text[TBY_ERROR_SIZE + 16] = "toPgn: ";
    size_t n;
    const char *s = text_argument(tags, &n);
    const tby_status status = tby_json_read_tags(game, s, n, &err);
    if (status == TBY_OK)
        return true;
    if (status == TBY_NO_MEMORY) {
        sqlite3_result_error_nomem(context);
        return false;
    }
    tby_error_write(text + strlen(text), TBY_ERROR_SIZE, &err);
    sqlite3_result_error(context, text, -1);
    return false;
}

/* ---- Games ------------------------------------------------------------------------------------------------- */

static bool read_record(sqlite3_context *context, tby_game *game, sqlite3_value *record)
{
    tby_error err;
    const uint8_t *bytes = sqlite3_value_blob(record);
    const size_t n = bytes ? (size_t)sqlite3_value_bytes(record) : 0;
    const tby_status status = tby_cmbr_decode(game, bytes, n, &err);
    if (status == TBY_NO_MEMORY)
        sqlite3_result_error_nomem(context);
    else if (status != TBY_OK)
        answer_error(context, &err);
    return status == TBY_OK;
}

static bool read_game(sqlite3_context *context, tby_game *game, sqlite3_value **argv)
{
    game_bytes bytes;
    if (!game_argument(context, argv, 0, &bytes))
        return false;
    if (tby_chessgame_to_game(game, bytes.bytes, bytes.n))
        return true;
    sqlite3_result_error_nomem(context);
    return false;
}

static bool is_given(int argc, sqlite3_value **argv, int index)
{
    return index < argc && sqlite3_value_type(argv[index]) != SQLITE_NULL;
}

static void to_pgn(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    const bool has_record = is_given(argc, argv, 2);
    if (!has_record && !is_given(argc, argv, 0))
        return;
    tby_game *game = tby_game_new(&sqlite_allocator);
    if (!game) {
        sqlite3_result_error_nomem(context);
        return;
    }
    if ((has_record ? read_record(context, game, argv[2]) : read_game(context, game, argv)) &&
        (!is_given(argc, argv, 1) || set_tags(context, game, argv[1]))) {
        sqlite3_str *string = sqlite3_str_new(sqlite3_context_db_handle(context));
        tby_pgn_write(game, 0, string_sink, string);
        answer_string(context, string, false);
    }
    tby_game_free(game);
}

int create_pgn_functions(sqlite3 *db)
{
    int status = SQLITE_OK;
    for (int n_args = 2; n_args <= 3 && status == SQLITE_OK; n_args++)
        status = sqlite3_create_function_v2(db, "toPgn", n_args, FUNCTION_FLAGS, NULL, to_pgn, NULL, NULL, NULL);
    return status;
}
