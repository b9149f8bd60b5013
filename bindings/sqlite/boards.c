/*
 * boards.c - the SQL functions that take a board, or the final board of a game.
 */
#include "extension.h"

#include <string.h>

/* ---- The final board of a game, or a board ---------------------------------------------------------------- */

static void is_check(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    tby_position pos;
    (void)argc;
    if (position_argument(context, argv, 0, &pos))
        sqlite3_result_int(context, tby_position_is_check(&pos));
}

static void is_checkmate(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    tby_position pos;
    (void)argc;
    if (position_argument(context, argv, 0, &pos))
        sqlite3_result_int(context, tby_position_is_checkmate(&pos));
}

static void is_stalemate(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    tby_position pos;
    (void)argc;
    if (position_argument(context, argv, 0, &pos))
        sqlite3_result_int(context, tby_position_is_stalemate(&pos));
}

static void is_insufficient(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    tby_setup setup;
    (void)argc;
    if (final_argument(context, argv, 0, &setup))
        sqlite3_result_int(context, tby_material_is_draw(&setup.board));
}

/* NULL where the search could not find out. */
static void is_dead(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    enum { WORK = TBY_DEAD_NODES * TBY_DEAD_NODE_SIZE };
    tby_position pos;
    (void)argc;
    if (!position_argument(context, argv, 0, &pos))
        return;
    void *work = sqlite3_malloc64(WORK);
    const tby_verdict verdict = tby_dead_position(&pos, work, work ? WORK : 0);
    if (verdict != TBY_UNKNOWN)
        sqlite3_result_int(context, verdict == TBY_YES);
    sqlite3_free(work);
}

static void answer_moves(sqlite3_context *context, sqlite3_value **argv, const char *notation)
{
    tby_position pos;
    if (!position_argument(context, argv, 0, &pos))
        return;
    sqlite3_str *string = sqlite3_str_new(sqlite3_context_db_handle(context));
    tby_moves_write(&pos, tby_move_notation_find(notation, strlen(notation)), string_sink, string);
    answer_string(context, string, false);
}

static void get_legal_moves(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    answer_moves(context, argv, "san");
}

static void get_legal_moves_uci(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    answer_moves(context, argv, "uci");
}

static void count_legal_moves(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    tby_position pos;
    (void)argc;
    if (position_argument(context, argv, 0, &pos))
        sqlite3_result_int64(context, (sqlite3_int64)tby_moves_count(&pos));
}

/* ---- A board ---------------------------------------------------------------------------------------------- */

/* A board that must be one that can be played on. */
static bool playable_argument(sqlite3_context *context, sqlite3_value **argv, int index, tby_position *out)
{
    tby_setup setup;
    tby_error err;
    if (!board_argument(context, argv, index, &setup))
        return false;
    if (tby_position_init(out, &setup, TBY_FAULTS_UNREACHABLE, &err) == TBY_OK)
        return true;
    answer_error(context, &err);
    return false;
}

static void is_legal_position(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    tby_setup setup;
    (void)argc;
    if (board_argument(context, argv, 0, &setup))
        sqlite3_result_int(context, tby_setup_faults(&setup) == 0);
}

static void position_errors(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    tby_setup setup;
    char text[TBY_FAULTS_SIZE];
    (void)argc;
    if (!board_argument(context, argv, 0, &setup))
        return;
    tby_faults_write(text, sizeof text, tby_setup_faults(&setup));
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

static void get_piece_square_value(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    tby_setup setup;
    tby_error err;
    size_t n;
    int value;
    const char *s = text_argument(argv[1], &n);
    (void)argc;
    if (!board_argument(context, argv, 0, &setup))
        return;
    if (tby_piece_square_read(&value, &setup.board, s, n, &err))
        sqlite3_result_int(context, value);
    else if (err.status != TBY_OK)
        answer_error(context, &err);
}

static void placement_key(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    tby_setup setup;
    (void)argc;
    if (board_argument(context, argv, 0, &setup))
        answer_key(context, tby_placement_key(&setup.board));
}

static void position_key(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    tby_position pos;
    (void)argc;
    if (playable_argument(context, argv, 0, &pos))
        answer_key(context, tby_position_key(&pos));
}

static void polyglot_key(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    tby_position pos;
    (void)argc;
    if (playable_argument(context, argv, 0, &pos))
        answer_key(context, tby_polyglot_key(&pos));
}

static void same_placement(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    tby_setup a, b;
    (void)argc;
    if (board_argument(context, argv, 0, &a) && board_argument(context, argv, 1, &b))
        sqlite3_result_int(context, memcmp(&a.board, &b.board, sizeof a.board) == 0);
}

static void same_position(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    tby_position a, b;
    (void)argc;
    if (playable_argument(context, argv, 0, &a) && playable_argument(context, argv, 1, &b))
        sqlite3_result_int(context, tby_position_same(&a, &b));
}

int create_board_functions(sqlite3 *db)
{
    static const sql_function functions[] = {
        {"isCheck", 1, is_check},
        {"isCheckmate", 1, is_checkmate},
        {"isStalemate", 1, is_stalemate},
        {"isInsufficientMaterial", 1, is_insufficient},
        {"isDeadPosition", 1, is_dead},
        {"getLegalMoves", 1, get_legal_moves},
        {"getLegalMovesUci", 1, get_legal_moves_uci},
        {"countLegalMoves", 1, count_legal_moves},
        {"isLegalPosition", 1, is_legal_position},
        {"positionErrors", 1, position_errors},
        {"getPieceSquareValue", 2, get_piece_square_value},
        {"placementKey", 1, placement_key},
        {"positionKey", 1, position_key},
        {"polyglotKey", 1, polyglot_key},
        {"samePlacement", 2, same_placement},
        {"samePosition", 2, same_position},
    };
    return create_functions(db, functions, sizeof functions / sizeof *functions);
}
