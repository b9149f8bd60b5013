/*
 * games.c - the SQL functions that take a game. Each is a call of the library.
 */
#include "extension.h"

#include <string.h>

/* A third argument that limits the plies, or all of them. */
static int ply_limit(int argc, sqlite3_value **argv)
{
    const int64_t limit = argc > 2 ? sqlite3_value_int64(argv[2]) : TBY_PLIES_MAX;
    return limit < 0 ? -1 : limit < TBY_PLIES_MAX ? (int)limit : TBY_PLIES_MAX;
}

/* Memory for an answer that is at most as long; if it is NULL, that has been reported. */
static uint8_t *answer_memory(sqlite3_context *context, size_t n)
{
    uint8_t *memory = sqlite3_malloc64(n);
    if (!memory)
        sqlite3_result_error_nomem(context);
    return memory;
}

/* ---- Boards and beginnings -------------------------------------------------------------------------------- */

static void get_board(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    game_bytes game;
    tby_position pos;
    if (!game_argument(context, argv, 0, &game))
        return;
    const bool is_there = argc == 1 ? tby_chessgame_final(&pos, game.bytes, game.n)
                                    : tby_chessgame_position(&pos, game.bytes, game.n, sqlite3_value_int64(argv[1]));
    if (is_there)
        answer_position_as(context, argv[0], &pos);
}

static void get_first_moves(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    game_bytes game;
    uint8_t *out;
    (void)argc;
    if (game_argument(context, argv, 0, &game) && (out = answer_memory(context, game.n)))
        answer_game_as(context, argv[0], out,
                       tby_chessgame_first(out, game.bytes, game.n, sqlite3_value_int64(argv[1])));
}

static void undo_last_move(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    game_bytes game;
    uint8_t *out;
    (void)argc;
    if (game_argument(context, argv, 0, &game) && (out = answer_memory(context, game.n)))
        answer_game_as(context, argv[0], out, tby_chessgame_undo(out, game.bytes, game.n));
}

static void add_move(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    game_bytes game;
    uint8_t *out;
    size_t n, n_move;
    tby_chessgame_error err;
    (void)argc;
    if (!game_argument(context, argv, 0, &game) || !(out = answer_memory(context, TBY_CHESSGAME_SIZE)))
        return;
    const char *move = text_argument(argv[1], &n_move);
    if (tby_chessgame_add(out, &n, game.bytes, game.n, move, n_move, &err) == TBY_OK) {
        uint8_t *shorter = sqlite3_realloc64(out, n);
        answer_game_as(context, argv[0], shorter ? shorter : out, n);
        return;
    }
    answer_chessgame_error(context, &err);
    sqlite3_free(out);
}

static void is_valid_move(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    game_bytes game;
    size_t n;
    const char *move = text_argument(argv[1], &n);
    (void)argc;
    if (game_argument(context, argv, 0, &game))
        sqlite3_result_int(context, tby_chessgame_is_valid_move(game.bytes, game.n, move, n));
}

static void ply_count(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    game_bytes game;
    (void)argc;
    if (game_argument(context, argv, 0, &game))
        sqlite3_result_int64(context, (sqlite3_int64)tby_packed_n_plies(game.bytes, game.n));
}

/* ---- Openings --------------------------------------------------------------------------------------------- */

static void has_opening(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    game_bytes game, opening;
    (void)argc;
    if (game_argument(context, argv, 0, &game) && game_argument(context, argv, 1, &opening))
        sqlite3_result_int(context, tby_chessgame_has_opening(game.bytes, game.n, opening.bytes, opening.n));
}

static void opening_first(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    game_bytes game;
    uint8_t *out;
    (void)argc;
    if (game_argument(context, argv, 0, &game) && (out = answer_memory(context, game.n)))
        answer_bytes(context, out, tby_chessgame_range_begin(out, game.bytes, game.n));
}

static void opening_end(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    game_bytes game;
    uint8_t *out;
    (void)argc;
    if (game_argument(context, argv, 0, &game) && (out = answer_memory(context, game.n)))
        answer_bytes(context, out, tby_chessgame_range_end(out, game.bytes, game.n));
}

static void get_opening_moves(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    game_bytes game;
    uint8_t *out;
    (void)argc;
    if (!game_argument(context, argv, 0, &game) || !(out = answer_memory(context, game.n)))
        return;
    const size_t n = tby_chessgame_named_opening(out, game.bytes, game.n);
    if (n > 0)
        answer_game_as(context, argv[0], out, n);
    else
        sqlite3_free(out);
}

static void get_opening_name(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    game_bytes game;
    tby_opening named;
    (void)argc;
    if (game_argument(context, argv, 0, &game) && tby_opening_of_chessgame(&named, game.bytes, game.n) >= 0)
        sqlite3_result_text(context, named.name, -1, SQLITE_STATIC);
}

static void get_eco(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    game_bytes game;
    tby_opening named;
    (void)argc;
    if (game_argument(context, argv, 0, &game) && tby_opening_of_chessgame(&named, game.bytes, game.n) >= 0)
        sqlite3_result_text(context, named.eco, -1, SQLITE_STATIC);
}

/* ---- Searches --------------------------------------------------------------------------------------------- */

/* The first ply with the board, -1 if there is none; -2 if the error has been reported. */
static int find_board(sqlite3_context *context, int argc, sqlite3_value **argv, bool is_placement)
{
    game_bytes game;
    board_target own;
    const board_target *wanted = target_argument(context, argv, 1, is_placement, &own);
    if (!wanted || !game_argument(context, argv, 0, &game))
        return -2;
    return wanted->is_anywhere ? tby_target_find(&wanted->target, game.bytes, game.n, ply_limit(argc, argv)) : -1;
}

static void answer_found(sqlite3_context *context, int ply)
{
    if (ply >= -1)
        sqlite3_result_int(context, ply >= 0);
}

static void answer_ply(sqlite3_context *context, int ply)
{
    if (ply >= 0)
        sqlite3_result_int(context, ply);
}

static void has_board(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    answer_found(context, find_board(context, argc, argv, true));
}

static void has_position(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    answer_found(context, find_board(context, argc, argv, false));
}

static void get_board_ply(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    answer_ply(context, find_board(context, argc, argv, true));
}

static void get_position_ply(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    answer_ply(context, find_board(context, argc, argv, false));
}

/* ---- Ends ------------------------------------------------------------------------------------------------- */

static void is_fifty(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    tby_position pos;
    (void)argc;
    if (position_argument(context, argv, 0, &pos))
        sqlite3_result_int(context, tby_move_clock_is_fifty(&pos));
}

static void is_seventy_five(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    tby_position pos;
    (void)argc;
    if (position_argument(context, argv, 0, &pos))
        sqlite3_result_int(context, tby_move_clock_is_seventy_five(&pos));
}

static void answer_repeated(sqlite3_context *context, sqlite3_value **argv, unsigned times)
{
    game_bytes game;
    if (game_argument(context, argv, 0, &game))
        sqlite3_result_int(context, tby_chessgame_repetitions(game.bytes, game.n) >= times);
}

static void is_threefold(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    answer_repeated(context, argv, TBY_THREEFOLD_TIMES);
}

static void is_fivefold(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    answer_repeated(context, argv, TBY_FIVEFOLD_TIMES);
}

enum { DEAD_WORK = TBY_DEAD_NODES * TBY_DEAD_NODE_SIZE };

static void get_game_result(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    game_bytes game;
    (void)argc;
    if (!game_argument(context, argv, 0, &game))
        return;
    uint8_t *work = tby_packed_result(game.bytes, game.n) == TBY_RESULT_NONE ? answer_memory(context, DEAD_WORK) : NULL;
    const tby_result result = tby_chessgame_result(game.bytes, game.n, work, work ? DEAD_WORK : 0);
    sqlite3_result_text(context, tby_result_text(result), -1, SQLITE_STATIC);
    sqlite3_free(work);
}

static void get_termination(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    game_bytes game;
    uint8_t *work;
    (void)argc;
    if (!game_argument(context, argv, 0, &game) || !(work = answer_memory(context, DEAD_WORK)))
        return;
    const tby_outcome outcome = tby_chessgame_outcome(game.bytes, game.n, true, work, DEAD_WORK);
    sqlite3_result_text(context, tby_termination_text(outcome.reason), -1, SQLITE_STATIC);
    sqlite3_free(work);
}

int create_game_functions(sqlite3 *db)
{
    static const sql_function functions[] = {
        {"getBoard", 1, get_board},
        {"getBoard", 2, get_board},
        {"getFirstMoves", 2, get_first_moves},
        {"undoLastMove", 1, undo_last_move},
        {"addMove", 2, add_move},
        {"isValidMove", 2, is_valid_move},
        {"plyCount", 1, ply_count},
        {"hasOpening", 2, has_opening},
        {"opening", 1, opening_first},
        {"openingEnd", 1, opening_end},
        {"getOpeningMoves", 1, get_opening_moves},
        {"getOpeningName", 1, get_opening_name},
        {"getEco", 1, get_eco},
        {"hasBoard", 2, has_board},
        {"hasBoard", 3, has_board},
        {"hasPosition", 2, has_position},
        {"hasPosition", 3, has_position},
        {"boardPly", 2, get_board_ply},
        {"positionPly", 2, get_position_ply},
        {"isDrawByFiftyMoveRule", 1, is_fifty},
        {"isDrawBySeventyFiveMoveRule", 1, is_seventy_five},
        {"isDrawByThreefoldRepetition", 1, is_threefold},
        {"isDrawByFivefoldRepetition", 1, is_fivefold},
        {"getGameResult", 1, get_game_result},
        {"getTermination", 1, get_termination},
    };
    return create_functions(db, functions, sizeof functions / sizeof *functions);
}
