/*
 * rows.c - games and boards as rows.
 *
 *     moves(game)             ply, san, uci, board                                  a row per half-move, from 1
 *     positions(game)         ply, board, fen, position_key, placement_key          from ply 0
 *     legal_moves(position)   san, uci, board                                       in the tree's order
 */
#include "extension.h"

#include <access/htup_details.h>
#include <funcapi.h>

static Datum san_datum(const tby_position *before, tby_move m)
{
    char text[TBY_SAN_SIZE];
    return text_datum(text, tby_san_write(text, sizeof text, before, m));
}

static Datum fen_datum(const tby_position *pos)
{
    char text[TBY_FEN_SIZE];
    return text_datum(text, tby_fen_write_position(text, sizeof text, pos, 0));
}

static Datum row_datum(const FuncCallContext *call, Datum *columns)
{
    static const bool has_null[8] = {false};
    return HeapTupleGetDatum(heap_form_tuple(call->tuple_desc, columns, (bool *)(uintptr_t)has_null));
}

static void set_row_type(FunctionCallInfo fcinfo, FuncCallContext *call)
{
    TupleDesc type;
    if (get_call_result_type(fcinfo, NULL, &type) != TYPEFUNC_COMPOSITE)
        elog(ERROR, "a row type is expected");
    call->tuple_desc = BlessTupleDesc(type);
}

/* ---- Walking a game ---------------------------------------------------------------------------------------- */

typedef struct walk {
    tby_packed cursor;
    bool is_end;
} walk;

/* At ply 0. */
static void begin_walk(FunctionCallInfo fcinfo)
{
    FuncCallContext *call = SRF_FIRSTCALL_INIT();
    const MemoryContext old = MemoryContextSwitchTo(call->multi_call_memory_ctx);
    walk *w = palloc(sizeof *w);
    const bytes_argument game = bytes_of(PointerGetDatum(PG_DETOAST_DATUM_COPY(PG_GETARG_DATUM(0))));
    w->is_end = !tby_packed_begin(&w->cursor, game.bytes, game.n);
    call->user_fctx = w;
    set_row_type(fcinfo, call);
    MemoryContextSwitchTo(old);
}

PG_FUNCTION_INFO_V1(tabiya_moves);
Datum tabiya_moves(PG_FUNCTION_ARGS)
{
    if (SRF_IS_FIRSTCALL())
        begin_walk(fcinfo);
    FuncCallContext *call = SRF_PERCALL_SETUP();
    walk *w = call->user_fctx;
    const tby_position before = w->cursor.pos;
    const tby_move m = w->is_end ? TBY_MOVE_NONE : tby_packed_next(&w->cursor);
    if (m == TBY_MOVE_NONE)
        SRF_RETURN_DONE(call);
    Datum columns[] = {Int32GetDatum((int32)call->call_cntr + 1), san_datum(&before, m), uci_datum(&before, m),
                       position_datum(&w->cursor.pos)};
    SRF_RETURN_NEXT(call, row_datum(call, columns));
}

PG_FUNCTION_INFO_V1(tabiya_positions);
Datum tabiya_positions(PG_FUNCTION_ARGS)
{
    if (SRF_IS_FIRSTCALL())
        begin_walk(fcinfo);
    FuncCallContext *call = SRF_PERCALL_SETUP();
    walk *w = call->user_fctx;
    const tby_position *pos = &w->cursor.pos;
    if (w->is_end || (call->call_cntr > 0 && tby_packed_next(&w->cursor) == TBY_MOVE_NONE))
        SRF_RETURN_DONE(call);
    Datum columns[] = {Int32GetDatum((int32)call->call_cntr), position_datum(pos), fen_datum(pos),
                       key_datum(tby_position_key(pos)), key_datum(pos->placement_key)};
    SRF_RETURN_NEXT(call, row_datum(call, columns));
}

/* ---- Legal moves ------------------------------------------------------------------------------------------- */

typedef struct choice {
    tby_position before;
    size_t n_moves;
    tby_move moves[TBY_MOVES_MAX];
} choice;

static void begin_choice(FunctionCallInfo fcinfo)
{
    FuncCallContext *call = SRF_FIRSTCALL_INIT();
    const MemoryContext old = MemoryContextSwitchTo(call->multi_call_memory_ctx);
    choice *c = palloc(sizeof *c);
    c->before = position_of(PG_GETARG_BYTES(0));
    c->n_moves = tby_moves_list(c->moves, &c->before);
    tby_moves_sort(c->moves, c->n_moves);
    call->user_fctx = c;
    set_row_type(fcinfo, call);
    MemoryContextSwitchTo(old);
}

PG_FUNCTION_INFO_V1(tabiya_legal_moves);
Datum tabiya_legal_moves(PG_FUNCTION_ARGS)
{
    if (SRF_IS_FIRSTCALL())
        begin_choice(fcinfo);
    FuncCallContext *call = SRF_PERCALL_SETUP();
    const choice *c = call->user_fctx;
    if (call->call_cntr >= c->n_moves)
        SRF_RETURN_DONE(call);
    const tby_move m = c->moves[call->call_cntr];
    tby_position after = c->before;
    tby_position_play(&after, m, NULL);
    Datum columns[] = {san_datum(&c->before, m), uci_datum(&c->before, m), position_datum(&after)};
    SRF_RETURN_NEXT(call, row_datum(call, columns));
}
