/*
 * boards.c - the SQL functions that take a board, or the final board of a game.
 */
#include "extension.h"

/* ---- The final board of a game, or a board ----------------------------------------------------------------- */

#define FACT_OF_POSITION(name, holds)                                                                                  \
    SQL_FUNCTION(name)                                                                                                 \
    {                                                                                                                  \
        const tby_position pos = position_of(PG_GETARG_BYTES(0));                                                      \
        PG_RETURN_BOOL(holds(&pos));                                                                                   \
    }

FACT_OF_POSITION(tabiya_is_check, tby_position_is_check)
FACT_OF_POSITION(tabiya_is_checkmate, tby_position_is_checkmate)
FACT_OF_POSITION(tabiya_is_stalemate, tby_position_is_stalemate)
FACT_OF_POSITION(tabiya_is_fifty, tby_move_clock_is_fifty)
FACT_OF_POSITION(tabiya_is_seventy_five, tby_move_clock_is_seventy_five)

SQL_FUNCTION(tabiya_is_insufficient)
{
    const tby_setup setup = final_board_of(PG_GETARG_BYTES(0));
    PG_RETURN_BOOL(tby_material_is_draw(&setup.board));
}

/* NULL if the search is inconclusive. */
SQL_FUNCTION(tabiya_is_dead)
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

SQL_FUNCTION(tabiya_get_legal_moves) { return moves_in(fcinfo, "san"); }

SQL_FUNCTION(tabiya_get_legal_moves_uci) { return moves_in(fcinfo, "uci"); }

SQL_FUNCTION(tabiya_count_legal_moves)
{
    const tby_position pos = position_of(PG_GETARG_BYTES(0));
    PG_RETURN_INT32((int32)tby_moves_count(&pos));
}

/* ---- A board ----------------------------------------------------------------------------------------------- */

SQL_FUNCTION(tabiya_is_legal_position)
{
    const tby_setup setup = board_of(PG_GETARG_BYTES(0));
    PG_RETURN_BOOL(tby_setup_faults(&setup) == 0);
}

SQL_FUNCTION(tabiya_position_errors)
{
    const tby_setup setup = board_of(PG_GETARG_BYTES(0));
    char text[TBY_FAULTS_SIZE];
    return text_datum(text, tby_faults_write(text, sizeof text, tby_setup_faults(&setup)));
}

SQL_FUNCTION(tabiya_get_piece_square_value)
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

SQL_FUNCTION(tabiya_placement_key)
{
    const tby_setup setup = board_of(PG_GETARG_BYTES(0));
    return key_datum(tby_placement_key(&setup.board));
}

SQL_FUNCTION(tabiya_position_key)
{
    const tby_position pos = position_of(PG_GETARG_BYTES(0));
    return key_datum(tby_position_key(&pos));
}

SQL_FUNCTION(tabiya_polyglot_key)
{
    const tby_position pos = position_of(PG_GETARG_BYTES(0));
    return key_datum(tby_polyglot_key(&pos));
}

SQL_FUNCTION(tabiya_same_placement)
{
    const tby_setup a = board_of(PG_GETARG_BYTES(0)), b = board_of(PG_GETARG_BYTES(1));
    PG_RETURN_BOOL(memcmp(&a.board, &b.board, sizeof a.board) == 0);
}

SQL_FUNCTION(tabiya_same_position)
{
    const tby_position a = position_of(PG_GETARG_BYTES(0)), b = position_of(PG_GETARG_BYTES(1));
    PG_RETURN_BOOL(tby_position_same(&a, &b));
}
