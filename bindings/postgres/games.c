/*
 * games.c - the SQL functions that take a game. Each is a call of the library.
 */
#include "extension.h"

/* ---- Boards and beginnings --------------------------------------------------------------------------------- */

PG_FUNCTION_INFO_V1(tabiya_get_board);
Datum tabiya_get_board(PG_FUNCTION_ARGS)
{
    const bytes_argument game = PG_GETARG_BYTES(0);
    tby_position pos;
    if (!tby_chessgame_position(&pos, game.bytes, game.n, PG_GETARG_INT64(1)))
        PG_RETURN_NULL();
    return position_datum(&pos);
}

PG_FUNCTION_INFO_V1(tabiya_get_final_board);
Datum tabiya_get_final_board(PG_FUNCTION_ARGS)
{
    const tby_setup setup = final_board_of(PG_GETARG_BYTES(0));
    return board_datum(&setup);
}

/* Games that are made of a game and are no longer than it. */
typedef size_t (*derive)(uint8_t *out, const uint8_t *bytes, size_t n);

static Datum derived(FunctionCallInfo fcinfo, derive make)
{
    const bytes_argument game = PG_GETARG_BYTES(0);
    struct varlena *out = value_new(game.n);
    const size_t n = make(value_bytes(out), game.bytes, game.n);
    if (n == 0)
        PG_RETURN_NULL();
    return value_datum(out, n);
}

PG_FUNCTION_INFO_V1(tabiya_undo_last_move);
Datum tabiya_undo_last_move(PG_FUNCTION_ARGS) { return derived(fcinfo, tby_chessgame_undo); }

PG_FUNCTION_INFO_V1(tabiya_opening);
Datum tabiya_opening(PG_FUNCTION_ARGS) { return derived(fcinfo, tby_chessgame_range_begin); }

PG_FUNCTION_INFO_V1(tabiya_opening_end);
Datum tabiya_opening_end(PG_FUNCTION_ARGS) { return derived(fcinfo, tby_chessgame_range_end); }

PG_FUNCTION_INFO_V1(tabiya_get_opening_moves);
Datum tabiya_get_opening_moves(PG_FUNCTION_ARGS) { return derived(fcinfo, tby_chessgame_named_opening); }

PG_FUNCTION_INFO_V1(tabiya_get_first_moves);
Datum tabiya_get_first_moves(PG_FUNCTION_ARGS)
{
    const bytes_argument game = PG_GETARG_BYTES(0);
    struct varlena *out = value_new(game.n);
    return value_datum(out, tby_chessgame_first(value_bytes(out), game.bytes, game.n, PG_GETARG_INT64(1)));
}

PG_FUNCTION_INFO_V1(tabiya_add_move);
Datum tabiya_add_move(PG_FUNCTION_ARGS)
{
    const bytes_argument game = PG_GETARG_BYTES(0);
    const text_argument move = PG_GETARG_UTF8(1);
    uint8_t bytes[TBY_CHESSGAME_SIZE];
    size_t n;
    tby_chessgame_error err;
    if (tby_chessgame_add(bytes, &n, game.bytes, game.n, move.s, move.n, &err) != TBY_OK)
        raise_chessgame_error(&err);
    return bytes_datum(bytes, n);
}

PG_FUNCTION_INFO_V1(tabiya_is_valid_move);
Datum tabiya_is_valid_move(PG_FUNCTION_ARGS)
{
    const bytes_argument game = PG_GETARG_BYTES(0);
    const text_argument move = PG_GETARG_UTF8(1);
    PG_RETURN_BOOL(tby_chessgame_is_valid_move(game.bytes, game.n, move.s, move.n));
}

PG_FUNCTION_INFO_V1(tabiya_ply_count);
Datum tabiya_ply_count(PG_FUNCTION_ARGS)
{
    const bytes_argument game = PG_GETARG_BYTES(0);
    PG_RETURN_INT32((int32)tby_packed_n_plies(game.bytes, game.n));
}

/* ---- Openings ---------------------------------------------------------------------------------------------- */

PG_FUNCTION_INFO_V1(tabiya_has_opening);
Datum tabiya_has_opening(PG_FUNCTION_ARGS)
{
    const bytes_argument game = PG_GETARG_BYTES(0), opening = PG_GETARG_BYTES(1);
    PG_RETURN_BOOL(tby_chessgame_has_opening(game.bytes, game.n, opening.bytes, opening.n));
}

PG_FUNCTION_INFO_V1(tabiya_get_opening_name);
Datum tabiya_get_opening_name(PG_FUNCTION_ARGS)
{
    const bytes_argument game = PG_GETARG_BYTES(0);
    tby_opening named;
    if (tby_opening_of_chessgame(&named, game.bytes, game.n) < 0)
        PG_RETURN_NULL();
    return text_datum(named.name, strlen(named.name));
}

PG_FUNCTION_INFO_V1(tabiya_get_eco);
Datum tabiya_get_eco(PG_FUNCTION_ARGS)
{
    const bytes_argument game = PG_GETARG_BYTES(0);
    tby_opening named;
    if (tby_opening_of_chessgame(&named, game.bytes, game.n) < 0)
        PG_RETURN_NULL();
    return text_datum(named.eco, strlen(named.eco));
}

/* ---- Ends -------------------------------------------------------------------------------------------------- */

PG_FUNCTION_INFO_V1(tabiya_is_threefold);
Datum tabiya_is_threefold(PG_FUNCTION_ARGS)
{
    const bytes_argument game = PG_GETARG_BYTES(0);
    PG_RETURN_BOOL(tby_chessgame_repetitions(game.bytes, game.n) >= TBY_THREEFOLD_TIMES);
}

PG_FUNCTION_INFO_V1(tabiya_is_fivefold);
Datum tabiya_is_fivefold(PG_FUNCTION_ARGS)
{
    const bytes_argument game = PG_GETARG_BYTES(0);
    PG_RETURN_BOOL(tby_chessgame_repetitions(game.bytes, game.n) >= TBY_FIVEFOLD_TIMES);
}

PG_FUNCTION_INFO_V1(tabiya_get_game_result);
Datum tabiya_get_game_result(PG_FUNCTION_ARGS)
{
    const bytes_argument game = PG_GETARG_BYTES(0);
    const bool is_recorded = tby_packed_result(game.bytes, game.n) != TBY_RESULT_NONE;
    void *work = is_recorded ? NULL : palloc(DEAD_WORK);
    const char *result = tby_result_text(tby_chessgame_result(game.bytes, game.n, work, work ? DEAD_WORK : 0));
    if (work)
        pfree(work);
    return text_datum(result, strlen(result));
}

PG_FUNCTION_INFO_V1(tabiya_get_termination);
Datum tabiya_get_termination(PG_FUNCTION_ARGS)
{
    const bytes_argument game = PG_GETARG_BYTES(0);
    void *work = palloc(DEAD_WORK);
    const tby_outcome outcome = tby_chessgame_outcome(game.bytes, game.n, true, work, DEAD_WORK);
    const char *text = tby_termination_text(outcome.reason);
    pfree(work);
    if (!text)
        PG_RETURN_NULL();
    return text_datum(text, strlen(text));
}
