/*
 * pgn.c - whole games as PGN: toPgn(game, tags [, annotated]).
 *
 *     tags        an object of JSON, {"White":"Ada",...}; its order is that of the tags behind the seven of the roster
 *     annotated   a CMBR record of the whole game, as a database keeps it beside a game with comments and variations:
 *                 then the game is that of the record, with its own tags unless `tags` is given
 *
 * NULL for tags or annotated is the same as leaving it out; the answer is NULL if there is neither game nor record.
 */
#include "extension.h"

#include <string.h>

static void fail(sqlite3_context *context, const char *format, const char *what)
{
    char *text = sqlite3_mprintf(format, what);
    if (text)
        sqlite3_result_error(context, text, -1);
    else
        sqlite3_result_error_nomem(context);
    sqlite3_free(text);
}

/* ---- Tags -------------------------------------------------------------------------------------------------- */

/* A row of json_each: name, value, type. A null is no tag. */
static bool set_tag(sqlite3_context *context, tby_game *game, sqlite3_stmt *row)
{
    const char *name = (const char *)sqlite3_column_text(row, 0), *type = (const char *)sqlite3_column_text(row, 2);
    const size_t n_name = (size_t)sqlite3_column_bytes(row, 0);
    if (!name || !type) {
        sqlite3_result_error_nomem(context);
        return false;
    }
    if (strcmp(type, "no object") == 0) {
        fail(context, "toPgn: the tags must be %s", "a JSON object");
        return false;
    }
    if (strcmp(type, "object") == 0 || strcmp(type, "array") == 0) {
        fail(context, "toPgn: the tag %s must be a text", name);
        return false;
    }
    if (strcmp(type, "null") == 0)
        return true;
    const bool is_switch = strcmp(type, "true") == 0 || strcmp(type, "false") == 0;
    const char *value = is_switch ? type : (const char *)sqlite3_column_text(row, 1);
    const size_t n = is_switch ? strlen(type) : (size_t)sqlite3_column_bytes(row, 1);
    if (value && tby_game_set_tag(game, name, n_name, value, n))
        return true;
    fail(context, "toPgn: PGN cannot hold a tag named \"%s\"", name);
    return false;
}

static bool set_tags(sqlite3_context *context, tby_game *game, sqlite3_value *tags)
{
    static const char sql[] = "SELECT key, value, type FROM json_each(?1) WHERE json_type(?1) = 'object'"
                              " UNION ALL SELECT '', '', 'no object' WHERE json_type(?1) <> 'object'";
    sqlite3 *db = sqlite3_context_db_handle(context);
    sqlite3_stmt *rows = NULL;
    bool is_good = true;
    while (tby_game_n_tags(game) > 0)
        tby_game_remove_tag(game, tby_game_tag_name(game, 0));
    int status = sqlite3_prepare_v2(db, sql, -1, &rows, NULL);
    if (status == SQLITE_OK)
        status = sqlite3_bind_value(rows, 1, tags);
    while (status == SQLITE_OK && is_good && (status = sqlite3_step(rows)) == SQLITE_ROW) {
        is_good = set_tag(context, game, rows);
        status = SQLITE_OK;
    }
    if (status != SQLITE_OK && status != SQLITE_DONE) {
        fail(context, "toPgn: the tags must be a JSON object (%s)", sqlite3_errmsg(db));
        is_good = false;
    }
    sqlite3_finalize(rows);
    return is_good;
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
