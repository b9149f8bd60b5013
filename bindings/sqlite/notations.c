/*
 * notations.c - a function to<Name> and from<Name> for every notation that the library knows.
 *
 *     positions   toFen(game or board) -> text       fromFen(text [, chess960]) -> board    also -Epd, -Base64 ...
 *     moves       toUci(game) -> text                fromUci(text [, start]) -> game
 *     games       toPgn(game) -> text or BLOB        fromPgn(text or BLOB) -> game
 *
 * Names come from the registries: `fen-legal` is toFenLegal, and a notation of moves that shares its name with one of
 * games or positions gets Moves after it. toSan is the text of a chessgame, with numbers, start and result, and
 * fromSan without a start reads the same.
 */
#include "extension.h"

#include <string.h>

/* ---- Names ------------------------------------------------------------------------------------------------ */

enum { NAME_SIZE = 64 };

static char upper(char c) { return (char)(c >= 'a' && c <= 'z' ? c - 32 : c); }

static void make_name(char out[NAME_SIZE], const char *verb, const char *name, const char *ending)
{
    size_t n = strlen(verb);
    memcpy(out, verb, n);
    for (bool starts = true; *name && n < NAME_SIZE - 8; name++) {
        if (*name != '-')
            out[n++] = starts ? upper(*name) : *name;
        starts = *name == '-';
    }
    memcpy(out + n, ending, strlen(ending) + 1);
}

typedef void (*sql_call)(sqlite3_context *, int, sqlite3_value **);

static int create(sqlite3 *db, const char *verb, const char *name, const char *ending, int n_args, const void *notation,
                  sql_call call)
{
    char function[NAME_SIZE];
    make_name(function, verb, name, ending);
    return sqlite3_create_function_v2(db, function, n_args, FUNCTION_FLAGS, (void *)(uintptr_t)notation, call, NULL,
                                      NULL, NULL);
}

/* ---- Positions -------------------------------------------------------------------------------------------- */

static void write_position(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    const tby_position_notation *notation = sqlite3_user_data(context);
    tby_setup setup;
    tby_error err;
    if (has_null(argc, argv) || !final_argument(context, argv, 0, &setup))
        return;
    const size_t cap = notation->size ? notation->size : notation->write(NULL, 0, &setup, 0, &err) + 1;
    char *text = sqlite3_malloc64(cap);
    if (!text) {
        sqlite3_result_error_nomem(context);
        return;
    }
    const size_t n = notation->write(text, cap, &setup, 0, &err);
    if (err.status == TBY_OK) {
        sqlite3_result_text(context, text, (int)n, sqlite3_free);
        return;
    }
    answer_error(context, &err);
    sqlite3_free(text);
}

static void read_position(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    const tby_position_notation *notation = sqlite3_user_data(context);
    size_t n;
    tby_setup setup;
    tby_error err;
    if (has_null(argc, argv))
        return;
    const unsigned flags = argc > 1 && sqlite3_value_int(argv[1]) ? TBY_NOTATION_CHESS960 : 0;
    const char *s = text_argument(argv[0], &n);
    if (notation->read(&setup, s, n, flags, &err) == TBY_OK)
        answer_board(context, &setup);
    else
        answer_error(context, &err);
}

/* ---- Moves ------------------------------------------------------------------------------------------------ */

static void write_moves(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    const tby_move_notation *notation = sqlite3_user_data(context);
    game_bytes game;
    tby_chessgame_error err = {.error = {.status = TBY_OK}};
    if (has_null(argc, argv) || !game_argument(context, argv, 0, &game))
        return;
    sqlite3_str *string = sqlite3_str_new(sqlite3_context_db_handle(context));
    tby_chessgame_write_line(game.bytes, game.n, notation, string_sink, string, &err);
    if (err.error.status == TBY_OK) {
        answer_string(context, string, false);
        return;
    }
    sqlite3_free(sqlite3_str_finish(string));
    answer_chessgame_error(context, &err);
}

static void write_san(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    game_bytes game;
    if (has_null(argc, argv) || !game_argument(context, argv, 0, &game))
        return;
    sqlite3_str *string = sqlite3_str_new(sqlite3_context_db_handle(context));
    tby_chessgame_write(game.bytes, game.n, string_sink, string);
    answer_string(context, string, false);
}

static void read_moves(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    const tby_move_notation *notation = sqlite3_user_data(context);
    size_t n_text, n;
    tby_position start;
    tby_chessgame_error err;
    if (has_null(argc, argv))
        return;
    tby_position_start(&start);
    if (argc > 1 && !position_argument(context, argv, 1, &start))
        return;
    const char *s = text_argument(argv[0], &n_text);
    uint8_t *bytes = sqlite3_malloc64(TBY_CHESSGAME_SIZE);
    if (!bytes)
        sqlite3_result_error_nomem(context);
    else if (tby_chessgame_read_line(bytes, &n, &start, notation, s, n_text, &err) == TBY_OK)
        sqlite3_result_blob64(context, bytes, n, SQLITE_TRANSIENT);
    else
        answer_chessgame_error(context, &err);
    sqlite3_free(bytes);
}

/* ---- Games ------------------------------------------------------------------------------------------------ */

static void write_game(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    const tby_game_notation *notation = sqlite3_user_data(context);
    game_bytes bytes;
    if (has_null(argc, argv) || !game_argument(context, argv, 0, &bytes))
        return;
    tby_game *game = tby_game_new(&sqlite_allocator);
    sqlite3_str *string = sqlite3_str_new(sqlite3_context_db_handle(context));
    if (game && tby_chessgame_to_game(game, bytes.bytes, bytes.n) &&
        notation->write(game, string_sink, string, NULL) == TBY_OK)
        answer_string(context, string, notation->is_binary);
    else {
        sqlite3_free(sqlite3_str_finish(string));
        sqlite3_result_error_nomem(context);
    }
    tby_game_free(game);
}

static void answer_main_line(sqlite3_context *context, const tby_game *game)
{
    size_t n;
    tby_chessgame_error err;
    uint8_t *bytes = sqlite3_malloc64(TBY_CHESSGAME_SIZE);
    if (!bytes)
        sqlite3_result_error_nomem(context);
    else if (tby_chessgame_of_game(bytes, &n, game, &err) == TBY_OK)
        sqlite3_result_blob64(context, bytes, n, SQLITE_TRANSIENT);
    else
        answer_chessgame_error(context, &err);
    sqlite3_free(bytes);
}

static void read_game(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    const tby_game_notation *notation = sqlite3_user_data(context);
    tby_error err = {TBY_NO_MEMORY, {0, 0}, 0, NULL};
    if (has_null(argc, argv))
        return;
    const char *s = notation->is_binary ? sqlite3_value_blob(argv[0]) : (const char *)sqlite3_value_text(argv[0]);
    const size_t n = s ? (size_t)sqlite3_value_bytes(argv[0]) : 0;
    tby_game *game = tby_game_new(&sqlite_allocator);
    if (game && notation->read(game, s, n, &err) == TBY_OK)
        answer_main_line(context, game);
    else
        answer_error(context, &err);
    tby_game_free(game);
}

/* PGN is the text of a chessgame too, and that reader reports the ply and FEN of a fault. */
static void read_chessgame(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    game_bytes game;
    if (!has_null(argc, argv) && game_argument(context, argv, 0, &game))
        sqlite3_result_blob64(context, game.bytes, game.n, SQLITE_TRANSIENT);
}

/* ---- All of them ------------------------------------------------------------------------------------------ */

static int create_positions(sqlite3 *db)
{
    int status = SQLITE_OK;
    const tby_position_notation *notation;
    for (size_t i = 0; (notation = tby_position_notation_at(i)) && status == SQLITE_OK; i++) {
        status = create(db, "to", notation->name, "", 1, notation, write_position);
        for (int n_args = 1; n_args <= 2 && status == SQLITE_OK && notation->read; n_args++)
            status = create(db, "from", notation->name, "", n_args, notation, read_position);
    }
    return status;
}

static int create_moves(sqlite3 *db)
{
    int status = SQLITE_OK;
    const tby_move_notation *notation;
    for (size_t i = 0; (notation = tby_move_notation_at(i)) && status == SQLITE_OK; i++) {
        const size_t n = strlen(notation->name);
        const bool is_taken = tby_position_notation_find(notation->name, n) ||
                              tby_game_notation_find(notation->name, n);
        const char *ending = is_taken ? "Moves" : "";
        const bool is_san = notation->is_move_text;
        status = create(db, "to", notation->name, ending, 1, notation, is_san ? write_san : write_moves);
        for (int n_args = 1; n_args <= 2 && status == SQLITE_OK; n_args++)
            status = create(db, "from", notation->name, ending, n_args, notation,
                            is_san && n_args == 1 ? read_chessgame : read_moves);
    }
    return status;
}

static int create_games(sqlite3 *db)
{
    int status = SQLITE_OK;
    const tby_game_notation *notation;
    for (size_t i = 0; (notation = tby_game_notation_at(i)) && status == SQLITE_OK; i++) {
        const bool is_pgn = strcmp(notation->name, "pgn") == 0;
        status = create(db, "to", notation->name, "", 1, notation, write_game);
        if (status == SQLITE_OK)
            status = create(db, "from", notation->name, "", 1, notation, is_pgn ? read_chessgame : read_game);
    }
    return status;
}

int create_notation_functions(sqlite3 *db)
{
    int status = create_positions(db);
    if (status == SQLITE_OK)
        status = create_moves(db);
    return status == SQLITE_OK ? create_games(db) : status;
}
