/*
 * games.c - the SQL functions that take a game. Each calls the library.
 */
#include "sql.h"

#include <stdlib.h>

/* The third argument, which limits the plies; without it, all plies. */
static int ply_limit(const sql_call *call)
{
    const int64_t limit = call->n_args > 2 ? call->args[2].number : TBY_PLIES_MAX;
    return limit < 0 ? -1 : limit < TBY_PLIES_MAX ? (int)limit : TBY_PLIES_MAX;
}

/* ---- Boards and beginnings -------------------------------------------------------------------------------- */

static void get_board(sql_call *call)
{
    game_bytes game;
    tby_position pos;
    if (!sql_game(call, 0, &game))
        return;
    const bool is_there = call->n_args == 1 ? tby_chessgame_final(&pos, game.bytes, game.n)
                                            : tby_chessgame_position(&pos, game.bytes, game.n, call->args[1].number);
    if (is_there)
        sql_answer_position_as(call, &pos);
}

/* Returns a game derived from another and not longer than it; NULL if it is empty. */
static void derive(sql_call *call, size_t (*make)(uint8_t *out, const uint8_t *bytes, size_t n),
                   void (*answer)(sql_call *call, size_t n))
{
    game_bytes game;
    uint8_t *out;
    size_t n;
    if (sql_game(call, 0, &game) && (out = sql_answer_room(call, game.n)) && (n = make(out, game.bytes, game.n)) > 0)
        answer(call, n);
}

static void undo_last_move(sql_call *call) { derive(call, tby_chessgame_undo, sql_answer_room_game); }
static void opening_first(sql_call *call) { derive(call, tby_chessgame_range_begin, sql_answer_room_bytes); }
static void opening_end(sql_call *call) { derive(call, tby_chessgame_range_end, sql_answer_room_bytes); }
static void get_opening_moves(sql_call *call) { derive(call, tby_chessgame_named_opening, sql_answer_room_game); }

static void get_first_moves(sql_call *call)
{
    game_bytes game;
    uint8_t *out;
    if (sql_game(call, 0, &game) && (out = sql_answer_room(call, game.n)))
        sql_answer_room_game(call, tby_chessgame_first(out, game.bytes, game.n, call->args[1].number));
}

static void add_move(sql_call *call)
{
    game_bytes game;
    uint8_t *out;
    size_t n;
    tby_chessgame_error err;
    const sql_value *move = &call->args[1];
    if (!sql_game(call, 0, &game) || !(out = sql_answer_room(call, TBY_CHESSGAME_SIZE)))
        return;
    if (tby_chessgame_add(out, &n, game.bytes, game.n, move->bytes, move->n, &err) == TBY_OK)
        sql_answer_room_game(call, n);
    else
        sql_fail_chessgame(call, &err);
}

static void is_valid_move(sql_call *call)
{
    game_bytes game;
    const sql_value *move = &call->args[1];
    if (sql_game(call, 0, &game))
        sql_answer_number(call, tby_chessgame_is_valid_move(game.bytes, game.n, move->bytes, move->n));
}

static void ply_count(sql_call *call)
{
    game_bytes game;
    if (sql_game(call, 0, &game))
        sql_answer_number(call, (int64_t)tby_packed_n_plies(game.bytes, game.n));
}

/* ---- Openings --------------------------------------------------------------------------------------------- */

static void has_opening(sql_call *call)
{
    game_bytes game, opening;
    if (sql_game(call, 0, &game) && sql_game(call, 1, &opening))
        sql_answer_number(call, tby_chessgame_has_opening(game.bytes, game.n, opening.bytes, opening.n));
}

/* Its ECO code, or else its name. */
static void get_opening(sql_call *call)
{
    game_bytes game;
    tby_opening named;
    if (sql_game(call, 0, &game) && tby_opening_of_chessgame(&named, game.bytes, game.n) >= 0)
        sql_answer_text(call, call->function->data ? named.eco : named.name);
}

/* ---- Searches --------------------------------------------------------------------------------------------- */

/* The first ply with the board or, with `data`, with the placement of its pieces, -1 if there is none; -2 if an error
   was reported. */
static int find_board(sql_call *call)
{
    game_bytes game;
    const board_target *wanted = sql_target(call, 1, call->function->data != NULL);
    if (!wanted || !sql_game(call, 0, &game))
        return -2;
    return wanted->is_anywhere ? tby_target_find(&wanted->target, game.bytes, game.n, ply_limit(call)) : -1;
}

static void has_board(sql_call *call)
{
    const int ply = find_board(call);
    if (ply >= -1)
        sql_answer_number(call, ply >= 0);
}

static void get_board_ply(sql_call *call)
{
    const int ply = find_board(call);
    if (ply >= 0)
        sql_answer_number(call, ply);
}

/* ---- Ends ------------------------------------------------------------------------------------------------- */

static void answer_repeated(sql_call *call)
{
    game_bytes game;
    if (sql_game(call, 0, &game))
        sql_answer_number(call, tby_chessgame_repetitions(game.bytes, game.n) >=
                                    (call->function->data ? TBY_FIVEFOLD_TIMES : TBY_THREEFOLD_TIMES));
}

enum { DEAD_WORK = TBY_DEAD_NODES * TBY_DEAD_NODE_SIZE };

static void get_game_result(sql_call *call)
{
    game_bytes game;
    if (!sql_game(call, 0, &game))
        return;
    uint8_t *work = tby_packed_result(game.bytes, game.n) == TBY_RESULT_NONE ? malloc(DEAD_WORK) : NULL;
    const tby_result result = tby_chessgame_result(game.bytes, game.n, work, work ? DEAD_WORK : 0);
    sql_answer_text(call, tby_result_text(result));
    free(work);
}

static void get_termination(sql_call *call)
{
    game_bytes game;
    uint8_t *work;
    if (!sql_game(call, 0, &game))
        return;
    if (!(work = malloc(DEAD_WORK))) {
        sql_fail_memory(call);
        return;
    }
    const tby_outcome outcome = tby_chessgame_outcome(game.bytes, game.n, true, work, DEAD_WORK);
    sql_answer_text(call, tby_termination_text(outcome.reason));
    free(work);
}

const sql_function sql_game_functions[] = {
    {"getBoard", "v=", .call = get_board},
    {"getBoard", "vi=", .call = get_board},
    {"getFirstMoves", "vi=", .call = get_first_moves},
    {"undoLastMove", "v=", .call = undo_last_move},
    {"addMove", "vt=", .call = add_move},
    {"isValidMove", "vty", .call = is_valid_move},
    {"plyCount", "vi", .call = ply_count},
    {"hasOpening", "vvy", .call = has_opening},
    {"opening", "vb", .call = opening_first},
    {"openingEnd", "vb", .call = opening_end},
    {"getOpeningMoves", "v=", .call = get_opening_moves},
    {"getOpeningName", "vt", .call = get_opening},
    {"getEco", "vt", .call = get_opening, .data = "eco"},
    {"hasBoard", "vvy", .call = has_board, .data = "placement"},
    {"hasBoard", "vviy", .call = has_board, .data = "placement"},
    {"hasPosition", "vvy", .call = has_board},
    {"hasPosition", "vviy", .call = has_board},
    {"boardPly", "vvi", .call = get_board_ply, .data = "placement"},
    {"positionPly", "vvi", .call = get_board_ply},
    {"isDrawByFiftyMoveRule", "vy", .call = sql_answer_whether, .holds = tby_move_clock_is_fifty},
    {"isDrawBySeventyFiveMoveRule", "vy", .call = sql_answer_whether, .holds = tby_move_clock_is_seventy_five},
    {"isDrawByThreefoldRepetition", "vy", .call = answer_repeated},
    {"isDrawByFivefoldRepetition", "vy", .call = answer_repeated, .data = "fivefold"},
    {"getGameResult", "vt", .call = get_game_result},
    {"getTermination", "vt", .call = get_termination},
    {.name = ""},
};
