/*
 * boards.c - the SQL functions that take a board, or the final board of a game.
 */
#include "extension.h"

/* ---- The final board of a game, or a board ----------------------------------------------------------------- */

#define FACT_OF_POSITION(name, holds)                                                                                  \
    PG_FUNCTION_INFO_V1(name);                                                                                         \
    Datum name(PG_FUNCTION_ARGS)                                                                                       \
    {                                                                                                                  \
        const tby_position pos = position_of(PG_GETARG_BYTES(0));                                                      \
        PG_RETURN_BOOL(holds(&pos));                                                                                   \
    }

FACT_OF_POSITION(tabiya_is_check, tby_position_is_check)
FACT_OF_POSITION(tabiya_is_checkmate, tby_position_is_checkmate)
FACT_OF_POSITION(tabiya_is_stalemate, tby_position_is_stalemate)
FACT_OF_POSITION(tabiya_is_fifty, tby_move_clock_is_fifty)
FACT_OF_POSITION(tabiya_is_seventy_five, tby_move_clock_is_seventy_five)

PG_FUNCTION_INFO_V1(tabiya_is_insufficient);
Datum tabiya_is_insufficient(PG_FUNCTION_ARGS)
{
    const tby_setup setup = final_board_of(PG_GETARG_BYTES(0));
    PG_RETURN_BOOL(tby_material_is_draw(&setup.board));
}

/* NULL where the search could not find out. */
PG_FUNCTION_INFO_V1(tabiya_is_dead);
Datum tabiya_is_dead(PG_FUNCTION_ARGS)
{
    const tby_position pos = position_of(PG_GETARG_BYTES(0));
    void *work = palloc(DEAD_WORK);
    const tby_verdict verdict = tby_dead_position(&pos, work, DEAD_WORK);
    pfree(work);
    if (verdict == TBY_UNKNOWN)
        PG_RETURN_NULL();
    PG_RETURN_BOOL(verdict == TBY_YES);
}

static Datum moves_in(FunctionCallInfo fcinfo, const char *notation)
{
    const tby_position pos = position_of(PG_GETARG_BYTES(0));
    StringInfoData out;
    answer_begin(&out);
    tby_moves_write(&pos, tby_move_notation_find(notation, strlen(notation)), answer_sink, &out);
    return answer_text(&out);
}

PG_FUNCTION_INFO_V1(tabiya_get_legal_moves);
Datum tabiya_get_legal_moves(PG_FUNCTION_ARGS) { return moves_in(fcinfo, "san"); }

PG_FUNCTION_INFO_V1(tabiya_get_legal_moves_uci);
Datum tabiya_get_legal_moves_uci(PG_FUNCTION_ARGS) { return moves_in(fcinfo, "uci"); }

PG_FUNCTION_INFO_V1(tabiya_count_legal_moves);
Datum tabiya_count_legal_moves(PG_FUNCTION_ARGS)
{
    const tby_position pos = position_of(PG_GETARG_BYTES(0));
    PG_RETURN_INT32((int32)tby_moves_count(&pos));
}

/* ---- A board ----------------------------------------------------------------------------------------------- */

PG_FUNCTION_INFO_V1(tabiya_is_legal_position);
Datum tabiya_is_legal_position(PG_FUNCTION_ARGS)
{
    const tby_setup setup = board_of(PG_GETARG_BYTES(0));
    PG_RETURN_BOOL(tby_setup_faults(&setup) == 0);
}

PG_FUNCTION_INFO_V1(tabiya_position_errors);
Datum tabiya_position_errors(PG_FUNCTION_ARGS)
{
    const tby_setup setup = board_of(PG_GETARG_BYTES(0));
    char text[TBY_FAULTS_SIZE];
    return text_datum(text, tby_faults_write(text, sizeof text, tby_setup_faults(&setup)));
}

PG_FUNCTION_INFO_V1(tabiya_get_piece_square_value);
Datum tabiya_get_piece_square_value(PG_FUNCTION_ARGS)
{
    const tby_setup setup = board_of(PG_GETARG_BYTES(0));
    const text_argument what = PG_GETARG_UTF8(1);
    tby_error err;
    int value;
    if (tby_piece_square_read(&value, &setup.board, what.s, what.n, &err))
        PG_RETURN_INT32(value);
    if (err.status != TBY_OK)
        raise_error(ERRCODE_INVALID_PARAMETER_VALUE, &err);
    PG_RETURN_NULL();
}

PG_FUNCTION_INFO_V1(tabiya_placement_key);
Datum tabiya_placement_key(PG_FUNCTION_ARGS)
{
    const tby_setup setup = board_of(PG_GETARG_BYTES(0));
    return key_datum(tby_placement_key(&setup.board));
}

PG_FUNCTION_INFO_V1(tabiya_position_key);
Datum tabiya_position_key(PG_FUNCTION_ARGS)
{
    const tby_position pos = position_of(PG_GETARG_BYTES(0));
    return key_datum(tby_position_key(&pos));
}

PG_FUNCTION_INFO_V1(tabiya_polyglot_key);
Datum tabiya_polyglot_key(PG_FUNCTION_ARGS)
{
    const tby_position pos = position_of(PG_GETARG_BYTES(0));
    return key_datum(tby_polyglot_key(&pos));
}

PG_FUNCTION_INFO_V1(tabiya_same_placement);
Datum tabiya_same_placement(PG_FUNCTION_ARGS)
{
    const tby_setup a = board_of(PG_GETARG_BYTES(0)), b = board_of(PG_GETARG_BYTES(1));
    PG_RETURN_BOOL(memcmp(&a.board, &b.board, sizeof a.board) == 0);
}

PG_FUNCTION_INFO_V1(tabiya_same_position);
Datum tabiya_same_position(PG_FUNCTION_ARGS)
{
    const tby_position a = position_of(PG_GETARG_BYTES(0)), b = position_of(PG_GETARG_BYTES(1));
    PG_RETURN_BOOL(tby_position_same(&a, &b));
}
