/*
 * boards.c - the SQL functions that take a board, or the final board of a game.
 */
#include "sql.h"

#include <stdlib.h>
#include <string.h>

/* ---- The final board of a game, or a board ---------------------------------------------------------------- */

static void is_insufficient(sql_call *call)
{
    tby_setup setup;
    if (sql_final(call, 0, &setup))
        sql_answer_number(call, tby_material_is_draw(&setup.board));
}

/* NULL if the search is inconclusive. */
static void is_dead(sql_call *call)
{
    enum { WORK = TBY_DEAD_NODES * TBY_DEAD_NODE_SIZE };
    tby_position pos;
    if (!sql_position(call, 0, &pos))
        return;
    void *work = malloc(WORK);
    const tby_verdict verdict = tby_dead_position(&pos, work, work ? WORK : 0);
    if (verdict != TBY_UNKNOWN)
        sql_answer_number(call, verdict == TBY_YES);
    free(work);
}

static void get_legal_moves(sql_call *call)
{
    tby_position pos;
    const char *notation = call->function->data;
    if (!sql_position(call, 0, &pos))
        return;
    tby_moves_write(&pos, tby_move_notation_find(notation, strlen(notation)), buffer_sink, &call->out);
    sql_answer_out(call, SQL_TEXT);
}

static void count_legal_moves(sql_call *call)
{
    tby_position pos;
    if (sql_position(call, 0, &pos))
        sql_answer_number(call, (int64_t)tby_moves_count(&pos));
}

/* ---- A board ---------------------------------------------------------------------------------------------- */

static void is_legal_position(sql_call *call)
{
    tby_setup setup;
    if (sql_board(call, 0, &setup))
        sql_answer_number(call, tby_setup_faults(&setup) == 0);
}

static void position_errors(sql_call *call)
{
    tby_setup setup;
    char text[TBY_FAULTS_SIZE];
    if (!sql_board(call, 0, &setup))
        return;
    tby_faults_write(text, sizeof text, tby_setup_faults(&setup));
    sql_answer_text(call, text);
}

static void get_piece_square_value(sql_call *call)
{
    tby_setup setup;
    tby_error err;
    int value;
    const sql_value *what = &call->args[1];
    if (!sql_board(call, 0, &setup))
        return;
    if (tby_piece_square_read(&value, &setup.board, what->bytes, what->n, &err))
        sql_answer_number(call, value);
    else if (err.status != TBY_OK)
        sql_fail_error(call, &err);
}

static void placement_key(sql_call *call)
{
    tby_setup setup;
    if (sql_board(call, 0, &setup))
        sql_answer_number(call, (int64_t)tby_placement_key(&setup.board));
}

static void answer_key(sql_call *call)
{
    tby_position pos;
    if (sql_playable(call, 0, &pos))
        sql_answer_number(call, (int64_t)call->function->key(&pos));
}

static void same_placement(sql_call *call)
{
    tby_setup a, b;
    if (sql_board(call, 0, &a) && sql_board(call, 1, &b))
        sql_answer_number(call, memcmp(&a.board, &b.board, sizeof a.board) == 0);
}

static void same_position(sql_call *call)
{
    tby_position a, b;
    if (sql_playable(call, 0, &a) && sql_playable(call, 1, &b))
        sql_answer_number(call, tby_position_same(&a, &b));
}

const sql_function sql_board_functions[] = {
    {"isCheck", "vy", .call = sql_answer_whether, .holds = tby_position_is_check},
    {"isCheckmate", "vy", .call = sql_answer_whether, .holds = tby_position_is_checkmate},
    {"isStalemate", "vy", .call = sql_answer_whether, .holds = tby_position_is_stalemate},
    {"isInsufficientMaterial", "vy", .call = is_insufficient},
    {"isDeadPosition", "vy", .call = is_dead},
    {"getLegalMoves", "vt", .call = get_legal_moves, .data = "san"},
    {"getLegalMovesUci", "vt", .call = get_legal_moves, .data = "uci"},
    {"countLegalMoves", "vi", .call = count_legal_moves},
    {"isLegalPosition", "vy", .call = is_legal_position},
    {"positionErrors", "vt", .call = position_errors},
    {"getPieceSquareValue", "vti", .call = get_piece_square_value},
    {"placementKey", "vi", .call = placement_key},
    {"positionKey", "vi", .call = answer_key, .key = tby_position_key},
    {"polyglotKey", "vi", .call = answer_key, .key = tby_polyglot_key},
    {"samePlacement", "vvy", .call = same_placement},
    {"samePosition", "vvy", .call = same_position},
    {.name = ""},
};
