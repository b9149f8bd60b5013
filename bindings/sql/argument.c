/*
 * argument.c - reads the arguments of SQL functions as games and boards.
 *
 * A game or board read from text is cached in the call for the next row.
 */
#include "sql.h"

#include <stdlib.h>

/* ---- Games ------------------------------------------------------------------------------------------------ */

/* A game read from text. */
typedef struct read_text {
    size_t n;
    uint8_t bytes[];
} read_text;

static game_bytes blob_of(const sql_value *value) { return (game_bytes){(const uint8_t *)value->bytes, value->n}; }

static const char *game_blob_fault(const game_bytes *game)
{
    switch (tby_value_kind_of(game->bytes, game->n)) {
    case TBY_CHESSGAME: return tby_packed_prefix(game->bytes, game->n) > 0 ? NULL : "invalid packed game: too short";
    case TBY_CHESSBOARD: return "a game is expected here, and this is a board";
    default: return "the BLOB is not a packed game";
    }
}

/* Allocates exactly the memory that the game needs; NULL on failure. */
static read_text *read_game(sql_call *call, const sql_value *value)
{
    tby_chessgame_error err;
    read_text *text = malloc(sizeof *text + TBY_CHESSGAME_SIZE);
    if (!text) {
        sql_fail_memory(call);
        return NULL;
    }
    if (tby_chessgame_read(text->bytes, &text->n, value->bytes, value->n, 0, NULL, &err) != TBY_OK) {
        sql_fail_chessgame(call, &err);
        free(text);
        return NULL;
    }
    read_text *shorter = realloc(text, sizeof *text + text->n);
    return shorter ? shorter : text;
}

bool sql_game(sql_call *call, int index, game_bytes *out)
{
    if (call->args[index].type == SQL_BLOB) {
        *out = blob_of(&call->args[index]);
        const char *fault = game_blob_fault(out);
        return !fault || sql_fail(call, "%s", fault);
    }
    read_text *text = sql_kept_of(call, index);
    if (!text && (text = read_game(call, &call->args[index])))
        sql_keep(call, index, text, free);
    if (text)
        *out = (game_bytes){text->bytes, text->n};
    return text != NULL;
}

void *sql_copy(sql_call *call, const void *bytes, size_t n)
{
    char *copy = malloc(n + 1);
    if (!copy) {
        sql_fail_memory(call);
        return NULL;
    }
    if (n)
        memcpy(copy, bytes, n);
    copy[n] = '\0';
    return copy;
}

bool sql_record(sql_call *call, int index, tby_game *game, const char *what)
{
    tby_error err;
    const game_bytes record = blob_of(&call->args[index]);
    return tby_cmbr_decode(game, record.bytes, record.n, &err) == TBY_OK || sql_fail_about(call, what, &err);
}

/* ---- Boards ----------------------------------------------------------------------------------------------- */

static bool read_fen(sql_call *call, const sql_value *value, tby_setup *out)
{
    tby_error err;
    char text[TBY_ERROR_SIZE];
    if (tby_fen_read(out, value->bytes, value->n, TBY_FEN_RAW, NULL, &err) == TBY_OK)
        return true;
    tby_fen_error_write(text, sizeof text, &err);
    return sql_fail(call, "%s", text);
}

static bool fen_text(sql_call *call, int index, tby_setup *out)
{
    const tby_setup *kept = sql_kept_of(call, index);
    if (kept)
        *out = *kept;
    return kept || (read_fen(call, &call->args[index], out) && sql_keep_copy(call, index, out, sizeof *out));
}

static bool board_blob(sql_call *call, const sql_value *value, tby_setup *out)
{
    const game_bytes blob = blob_of(value);
    if (tby_chessboard_decode(out, blob.bytes, blob.n))
        return true;
    const bool is_game = tby_value_kind_of(blob.bytes, blob.n) == TBY_CHESSGAME;
    return sql_fail(call, "%s",
                    is_game ? "a board is expected here, and this is a game" : "the BLOB is not a packed board");
}

bool sql_board(sql_call *call, int index, tby_setup *out)
{
    if (call->args[index].type == SQL_BLOB)
        return board_blob(call, &call->args[index], out);
    return fen_text(call, index, out);
}

bool sql_playable(sql_call *call, int index, tby_position *out)
{
    tby_setup setup;
    tby_error err;
    return sql_board(call, index, &setup) &&
           (tby_position_init(out, &setup, TBY_FAULTS_UNREACHABLE, &err) == TBY_OK || sql_fail_error(call, &err));
}

/* A board to search for in games; an unplayable one is in no game. */
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

const board_target *sql_target(sql_call *call, int index, bool is_placement)
{
    const sql_value *value = &call->args[index];
    const board_target *kept = sql_kept_of(call, index);
    tby_setup setup;
    if (kept || !(value->type == SQL_BLOB ? board_blob(call, value, &setup) : read_fen(call, value, &setup)))
        return kept;
    const board_target made = make_target(&setup, is_placement);
    return sql_keep_copy(call, index, &made, sizeof made);
}

static bool is_board(const sql_value *value)
{
    return value->type == SQL_BLOB && tby_value_kind_of((const uint8_t *)value->bytes, value->n) == TBY_CHESSBOARD;
}

static bool final_of_game(sql_call *call, int index, tby_position *out)
{
    game_bytes game;
    if (!sql_game(call, index, &game))
        return false;
    return tby_chessgame_final(out, game.bytes, game.n) || sql_fail(call, "the packed game is damaged");
}

bool sql_final(sql_call *call, int index, tby_setup *out)
{
    tby_position pos;
    if (is_board(&call->args[index]))
        return board_blob(call, &call->args[index], out);
    if (!final_of_game(call, index, &pos))
        return false;
    tby_position_setup(out, &pos);
    return true;
}

bool sql_position(sql_call *call, int index, tby_position *out)
{
    return is_board(&call->args[index]) ? sql_playable(call, index, out) : final_of_game(call, index, out);
}
