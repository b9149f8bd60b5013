/*
 * games.c - the SQL functions that take a game. Each calls the library.
 */
#include "extension.h"

/* ---- Boards and beginnings --------------------------------------------------------------------------------- */

SQL_FUNCTION(tabiya_get_board)
{
    const bytes_argument game = PG_GETARG_BYTES(0);
    tby_position pos;
    if (!tby_chessgame_position(&pos, game.bytes, game.n, PG_GETARG_INT64(1)))
        PG_RETURN_NULL();
    return position_datum(&pos);
}

SQL_FUNCTION(tabiya_get_final_board)
{
    const tby_setup setup = final_board_of(PG_GETARG_BYTES(0));
    return board_datum(&setup);
}

/* Functions that derive a game that is not longer than the original. */
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

SQL_FUNCTION(tabiya_undo_last_move) { return derived(fcinfo, tby_chessgame_undo); }

SQL_FUNCTION(tabiya_opening) { return derived(fcinfo, tby_chessgame_range_begin); }

SQL_FUNCTION(tabiya_opening_end) { return derived(fcinfo, tby_chessgame_range_end); }

SQL_FUNCTION(tabiya_get_opening_moves) { return derived(fcinfo, tby_chessgame_named_opening); }

SQL_FUNCTION(tabiya_get_first_moves)
{
    const bytes_argument game = PG_GETARG_BYTES(0);
    struct varlena *out = value_new(game.n);
    return value_datum(out, tby_chessgame_first(value_bytes(out), game.bytes, game.n, PG_GETARG_INT64(1)));
}

SQL_FUNCTION(tabiya_add_move)
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

SQL_FUNCTION(tabiya_is_valid_move)
{
    const bytes_argument game = PG_GETARG_BYTES(0);
    const text_argument move = PG_GETARG_UTF8(1);
    PG_RETURN_BOOL(tby_chessgame_is_valid_move(game.bytes, game.n, move.s, move.n));
}

SQL_FUNCTION(tabiya_ply_count)
{
    const bytes_argument game = PG_GETARG_BYTES(0);
    PG_RETURN_INT32((int32)tby_packed_n_plies(game.bytes, game.n));
}

/* ---- Openings ---------------------------------------------------------------------------------------------- */

SQL_FUNCTION(tabiya_has_opening)
{
    const bytes_argument game = PG_GETARG_BYTES(0), opening = PG_GETARG_BYTES(1);
    PG_RETURN_BOOL(tby_chessgame_has_opening(game.bytes, game.n, opening.bytes, opening.n));
}

SQL_FUNCTION(tabiya_get_opening_name)
{
    const bytes_argument game = PG_GETARG_BYTES(0);
    tby_opening named;
    if (tby_opening_of_chessgame(&named, game.bytes, game.n) < 0)
        PG_RETURN_NULL();
    return text_datum(named.name, strlen(named.name));
}

SQL_FUNCTION(tabiya_get_eco)
{
    const bytes_argument game = PG_GETARG_BYTES(0);
    tby_opening named;
    if (tby_opening_of_chessgame(&named, game.bytes, game.n) < 0)
        PG_RETURN_NULL();
    return text_datum(named.eco, strlen(named.eco));
}

/* ---- Ends -------------------------------------------------------------------------------------------------- */

SQL_FUNCTION(tabiya_is_threefold)
{
    const bytes_argument game = PG_GETARG_BYTES(0);
    PG_RETURN_BOOL(tby_chessgame_repetitions(game.bytes, game.n) >= TBY_THREEFOLD_TIMES);
}

SQL_FUNCTION(tabiya_is_fivefold)
{
    const bytes_argument game = PG_GETARG_BYTES(0);
    PG_RETURN_BOOL(tby_chessgame_repetitions(game.bytes, game.n) >= TBY_FIVEFOLD_TIMES);
}

SQL_FUNCTION(tabiya_get_game_result)
{
    const bytes_argument game = PG_GETARG_BYTES(0);
    const bool is_recorded = tby_packed_result(game.bytes, game.n) != TBY_RESULT_NONE;
    void *work = is_recorded ? NULL : palloc(DEAD_WORK);
    const char *result = tby_result_text(tby_chessgame_result(game.bytes, game.n, work, work ? DEAD_WORK : 0));
    if (work)
        pfree(work);
    return text_datum(result, strlen(result));
}

SQL_FUNCTION(tabiya_get_termination)
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
