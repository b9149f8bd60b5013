/*
 * argument.c - the arguments of SQL functions as games and boards.
 *
 * What a text says is kept with the statement for the next row (sqlite3_set_auxdata), which SQLite does for arguments
 * that are the same in every row.
 */
#include "extension.h"

#include <string.h>

/* A game that was read from text. */
typedef struct read_text {
    size_t n;
    uint8_t bytes[];
} read_text;

const char *text_argument(sqlite3_value *value, size_t *n)
{
    const char *s = (const char *)sqlite3_value_text(value);
    *n = (size_t)sqlite3_value_bytes(value);
    return s ? s : "";
}

/* ---- Games ------------------------------------------------------------------------------------------------ */

static char *game_message(const tby_chessgame_error *err)
{
    char text[TBY_CHESSGAME_ERROR_SIZE];
    if (err->error.status == TBY_NO_MEMORY)
        return NULL;
    tby_chessgame_error_write(text, sizeof text, err);
    return sqlite3_mprintf("%s", text);
}

/* Reads a game after `head` bytes of memory, which is as long as it needs to be. */
static uint8_t *read_game(sqlite3_value *value, size_t head, size_t *n, char **message)
{
    size_t n_text;
    const char *s = text_argument(value, &n_text);
    tby_chessgame_error err;
    uint8_t *memory = sqlite3_malloc64(head + TBY_CHESSGAME_SIZE);
    *message = NULL;
    if (!memory)
        return NULL;
    if (tby_chessgame_read(memory + head, n, s, n_text, 0, &sqlite_allocator, &err) != TBY_OK) {
        *message = game_message(&err);
        sqlite3_free(memory);
        return NULL;
    }
    uint8_t *shorter = sqlite3_realloc64(memory, head + *n);
    return shorter ? shorter : memory;
}

static const char *game_blob_fault(const game_bytes *game)
{
    switch (tby_value_kind_of(game->bytes, game->n)) {
    case TBY_CHESSGAME: return tby_packed_prefix(game->bytes, game->n) > 0 ? NULL : "invalid packed game: too short";
    case TBY_CHESSBOARD: return "a game is expected here, and this is a board";
    default: return "the BLOB is not a packed game";
    }
}

static game_bytes blob_of(sqlite3_value *value)
{
    const uint8_t *bytes = sqlite3_value_blob(value);
    return (game_bytes){bytes, bytes ? (size_t)sqlite3_value_bytes(value) : 0};
}

uint8_t *game_copy(sqlite3_value *value, size_t *n, char **message)
{
    *message = NULL;
    if (sqlite3_value_type(value) != SQLITE_BLOB)
        return read_game(value, 0, n, message);
    const game_bytes game = blob_of(value);
    const char *fault = game_blob_fault(&game);
    if (fault) {
        *message = sqlite3_mprintf("%s", fault);
        return NULL;
    }
    uint8_t *copy = sqlite3_malloc64(game.n);
    if (copy)
        memcpy(copy, game.bytes, *n = game.n);
    return copy;
}

/* Gives what was read to SQLite, which may drop it at once if there is no memory. */
static const void *keep(sqlite3_context *context, int index, void *text)
{
    sqlite3_set_auxdata(context, index, text, sqlite3_free);
    const void *kept = sqlite3_get_auxdata(context, index);
    if (!kept)
        sqlite3_result_error_nomem(context);
    return kept;
}

static const read_text *game_text(sqlite3_context *context, sqlite3_value **argv, int index)
{
    const read_text *kept = sqlite3_get_auxdata(context, index);
    char *message;
    size_t n;
    if (kept)
        return kept;
    read_text *text = (read_text *)(void *)read_game(argv[index], sizeof *text, &n, &message);
    if (text) {
        text->n = n;
        return keep(context, index, text);
    }
    if (message)
        sqlite3_result_error(context, message, -1);
    else
        sqlite3_result_error_nomem(context);
    sqlite3_free(message);
    return NULL;
}

bool game_argument(sqlite3_context *context, sqlite3_value **argv, int index, game_bytes *out)
{
    if (sqlite3_value_type(argv[index]) == SQLITE_BLOB) {
        *out = blob_of(argv[index]);
        const char *fault = game_blob_fault(out);
        if (fault)
            sqlite3_result_error(context, fault, -1);
        return !fault;
    }
    const read_text *text = game_text(context, argv, index);
    if (text)
        *out = (game_bytes){text->bytes, text->n};
    return text != NULL;
}

/* ---- Boards ----------------------------------------------------------------------------------------------- */

static bool read_fen(sqlite3_context *context, sqlite3_value *value, tby_setup *out)
{
    size_t n;
    const char *s = text_argument(value, &n);
    tby_error err;
    char text[TBY_ERROR_SIZE];
    if (tby_fen_read(out, s, n, TBY_FEN_RAW, NULL, &err) == TBY_OK)
        return true;
    tby_fen_error_write(text, sizeof text, &err);
    sqlite3_result_error(context, text, -1);
    return false;
}

static bool fen_text(sqlite3_context *context, sqlite3_value **argv, int index, tby_setup *out)
{
    const tby_setup *kept = sqlite3_get_auxdata(context, index);
    if (!kept) {
        if (!read_fen(context, argv[index], out))
            return false;
        tby_setup *copy = sqlite3_malloc64(sizeof *copy);
        if (copy)
            *copy = *out;
        kept = keep(context, index, copy);
    }
    if (kept)
        *out = *kept;
    return kept != NULL;
}

static bool board_blob(sqlite3_context *context, sqlite3_value *value, tby_setup *out)
{
    const game_bytes blob = blob_of(value);
    if (tby_chessboard_decode(out, blob.bytes, blob.n))
        return true;
    const bool is_game = tby_value_kind_of(blob.bytes, blob.n) == TBY_CHESSGAME;
    sqlite3_result_error(
        context, is_game ? "a board is expected here, and this is a game" : "the BLOB is not a packed board", -1);
    return false;
}

bool board_argument(sqlite3_context *context, sqlite3_value **argv, int index, tby_setup *out)
{
    if (sqlite3_value_type(argv[index]) == SQLITE_BLOB)
        return board_blob(context, argv[index], out);
    return fen_text(context, argv, index, out);
}

/* What is looked for in games: a board that cannot be played on is in none. */
static board_target make_target(const tby_setup *setup, bool is_placement)
{
    board_target made = {.is_anywhere = true};
    tby_position pos;
    if (is_placement)
        tby_target_placement(&made.target, &setup->board);
    else if (tby_position_init(&pos, setup, TBY_FAULTS_UNREACHABLE, NULL) == TBY_OK)
        tby_target_position(&made.target, &pos);
    else
        made.is_anywhere = false;
    return made;
}

const board_target *target_argument(sqlite3_context *context, sqlite3_value **argv, int index, bool is_placement,
                                    board_target *own)
{
    tby_setup setup;
    if (sqlite3_value_type(argv[index]) == SQLITE_BLOB) {
        if (!board_blob(context, argv[index], &setup))
            return NULL;
        *own = make_target(&setup, is_placement);
        return own;
    }
    const board_target *kept = sqlite3_get_auxdata(context, index);
    if (kept || !read_fen(context, argv[index], &setup))
        return kept;
    board_target *made = sqlite3_malloc64(sizeof *made);
    if (made)
        *made = make_target(&setup, is_placement);
    return keep(context, index, made);
}

static bool is_board(sqlite3_value *value)
{
    if (sqlite3_value_type(value) != SQLITE_BLOB)
        return false;
    const game_bytes blob = blob_of(value);
    return tby_value_kind_of(blob.bytes, blob.n) == TBY_CHESSBOARD;
}

static bool final_of_game(sqlite3_context *context, sqlite3_value **argv, int index, tby_position *out)
{
    game_bytes game;
    if (!game_argument(context, argv, index, &game))
        return false;
    if (tby_chessgame_final(out, game.bytes, game.n))
        return true;
    sqlite3_result_error(context, "the packed game is damaged", -1);
    return false;
}

bool final_argument(sqlite3_context *context, sqlite3_value **argv, int index, tby_setup *out)
{
    tby_position pos;
    if (is_board(argv[index]))
        return board_blob(context, argv[index], out);
    if (!final_of_game(context, argv, index, &pos))
        return false;
    tby_position_setup(out, &pos);
    return true;
}

bool position_argument(sqlite3_context *context, sqlite3_value **argv, int index, tby_position *out)
{
    tby_setup setup;
    tby_error err;
    if (!is_board(argv[index]))
        return final_of_game(context, argv, index, out);
    if (!board_blob(context, argv[index], &setup))
        return false;
    if (tby_position_init(out, &setup, TBY_FAULTS_UNREACHABLE, &err) == TBY_OK)
        return true;
    answer_error(context, &err);
    return false;
}

bool position_copy(sqlite3_value *value, tby_position *out, char **message)
{
    tby_setup setup;
    tby_error err;
    const uint8_t *bytes = sqlite3_value_type(value) == SQLITE_BLOB ? sqlite3_value_blob(value) : NULL;
    const size_t n_bytes = bytes ? (size_t)sqlite3_value_bytes(value) : 0;
    *message = NULL;
    if (tby_value_kind_of(bytes, n_bytes) == TBY_CHESSBOARD) {
        char text[TBY_ERROR_SIZE] = "the BLOB is not a packed board";
        if (tby_chessboard_decode(&setup, bytes, n_bytes)) {
            if (tby_position_init(out, &setup, TBY_FAULTS_UNREACHABLE, &err) == TBY_OK)
                return true;
            tby_error_write(text, sizeof text, &err);
        }
        *message = sqlite3_mprintf("%s", text);
        return false;
    }
    size_t n;
    uint8_t *game = game_copy(value, &n, message);
    const bool is_there = game && tby_chessgame_final(out, game, n);
    if (game && !is_there)
        *message = sqlite3_mprintf("the packed game is damaged");
    sqlite3_free(game);
    return is_there;
}
