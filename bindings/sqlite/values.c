/*
 * values.c - from text to values: chessgame, chessboard, and the forms for loads that never fail.
 */
#include "extension.h"

#include <string.h>

/* A BLOB is checked move by move: for CHECK constraints, and for bytes that come from elsewhere. */
static void check_game(sqlite3_context *context, sqlite3_value *value)
{
    tby_error err;
    const uint8_t *bytes = sqlite3_value_blob(value);
    const size_t n = bytes ? (size_t)sqlite3_value_bytes(value) : 0;
    if (tby_packed_check(bytes, n, &err) == TBY_OK)
        sqlite3_result_value(context, value);
    else
        answer_error(context, &err);
}

static void chessgame(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    game_bytes game;
    (void)argc;
    if (sqlite3_value_type(argv[0]) == SQLITE_BLOB)
        check_game(context, argv[0]);
    else if (game_argument(context, argv, 0, &game))
        sqlite3_result_blob64(context, game.bytes, game.n, SQLITE_TRANSIENT);
}

static void chessboard(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    tby_setup setup;
    (void)argc;
    if (board_argument(context, argv, 0, &setup))
        answer_board(context, &setup);
}

/* Why the text is not a game; NULL if it is one. */
static void chessgame_error(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    char *message;
    size_t n;
    (void)argc;
    uint8_t *bytes = game_copy(argv[0], &n, &message);
    if (message)
        sqlite3_result_text(context, message, -1, SQLITE_TRANSIENT);
    else if (!bytes)
        sqlite3_result_error_nomem(context);
    sqlite3_free(message);
    sqlite3_free(bytes);
}

/* The game up to its first fault; NULL if there is no beginning to keep. */
static void legal_prefix(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    size_t n_text, n;
    const char *s = text_argument(argv[0], &n_text);
    uint8_t *bytes = sqlite3_malloc64(TBY_CHESSGAME_SIZE);
    (void)argc;
    if (!bytes)
        sqlite3_result_error_nomem(context);
    else if (tby_chessgame_read(bytes, &n, s, n_text, TBY_CHESSGAME_PREFIX, &sqlite_allocator, NULL) == TBY_OK)
        sqlite3_result_blob64(context, bytes, n, SQLITE_TRANSIENT);
    sqlite3_free(bytes);
}

static void version(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    (void)argv;
    sqlite3_result_text(context, tby_version(), -1, SQLITE_STATIC);
}

int create_value_functions(sqlite3 *db)
{
    static const sql_function functions[] = {
        {"chessgame", 1, chessgame},      {"chessboard", 1, chessboard}, {"chessgameError", 1, chessgame_error},
        {"legalPrefix", 1, legal_prefix}, {"tabiyaVersion", 0, version},
    };
    return create_functions(db, functions, sizeof functions / sizeof *functions);
}
