/*
 * rows.c - games and boards as rows.
 *
 *     moves(game [, annotated])       ply, san, uci, board                             a row per half-move, from 1
 *     positions(game [, annotated])   ply, board, fen, position_key, placement_key     from ply 0
 *     legal_moves(position)           san, uci, board                                  in the order of the tree
 *
 * With the record of the whole game, which may be NULL, more columns follow: nags, comment, eval (centipawns), mate (in
 * moves) and clock (seconds), as noted after the move; NULL if there are none.
 */
#include "extension.h"

#include <access/htup_details.h>
#include <catalog/pg_type_d.h>
#include <funcapi.h>
#include <utils/array.h>

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

/* ---- Notes ------------------------------------------------------------------------------------------------- */

enum { N_NOTES = 5, MAX_COLUMNS = 5 + N_NOTES };

typedef struct row {
    Datum columns[MAX_COLUMNS];
    bool nulls[MAX_COLUMNS];
    int n;
} row;

static void put(row *r, Datum value)
{
    r->nulls[r->n] = false;
    r->columns[r->n++] = value;
}

static void put_null(row *r) { r->nulls[r->n++] = true; }

static void put_nags(row *r, const tby_game *game, tby_node node)
{
    const size_t n = tby_game_n_nags(game, node);
    Datum *nags = palloc((n + 1) * sizeof *nags);
    for (size_t i = 0; i < n; i++)
        nags[i] = Int32GetDatum(tby_game_nag(game, node, i));
    if (n > 0)
        put(r, PointerGetDatum(construct_array(nags, (int)n, INT4OID, sizeof(int32), true, TYPALIGN_INT)));
    else
        put_null(r);
}

static void put_comment(row *r, const tby_game *game, tby_node node)
{
    StringInfoData text;
    initStringInfo(&text);
    tby_note_write_comment(game, node, answer_sink, &text);
    if (text.len > 0)
        put(r, text_datum(text.data, (size_t)text.len));
    else
        put_null(r);
}

/* Sets the last columns. */
static void put_notes(row *r, const tby_game *game, tby_node node)
{
    tby_note note;
    if (!game || node == TBY_NO_NODE) {
        for (int i = 0; i < N_NOTES; i++)
            put_null(r);
        return;
    }
    tby_note_read(&note, game, node);
    put_nags(r, game, node);
    put_comment(r, game, node);
    for (int is_mate = 0; is_mate < 2; is_mate++)
        if (note.has_eval && note.is_mate == (is_mate != 0))
            put(r, Int32GetDatum((int32)note.eval));
        else
            put_null(r);
    if (note.has_clock)
        put(r, Float8GetDatum((double)note.clock / 1000));
    else
        put_null(r);
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
    tby_game *notes; /* the whole game; NULL without a record */
    tby_node node;   /* the row's node in it */
} walk;

static tby_game *game_of_record(bytes_argument record)
{
    const tby_allocator allocator = context_allocator(CurrentMemoryContext);
    tby_error err;
    tby_game *game = tby_game_new(&allocator);
    if (tby_cmbr_decode(game, record.bytes, record.n, &err) != TBY_OK)
        raise_error(ERRCODE_INVALID_BINARY_REPRESENTATION, &err);
    return game;
}

/* Starts at ply 0. A NULL game has no rows. */
static void begin_walk(FunctionCallInfo fcinfo)
{
    FuncCallContext *call = SRF_FIRSTCALL_INIT();
    const MemoryContext old = MemoryContextSwitchTo(call->multi_call_memory_ctx);
    walk *w = palloc0(sizeof *w);
    w->is_end = PG_ARGISNULL(0);
    if (!w->is_end) {
        const bytes_argument game = bytes_of(PointerGetDatum(PG_DETOAST_DATUM_COPY(PG_GETARG_DATUM(0))));
        w->is_end = !tby_packed_begin(&w->cursor, game.bytes, game.n);
    }
    if (!w->is_end && PG_NARGS() > 1 && !PG_ARGISNULL(1))
        w->notes = game_of_record(PG_GETARG_BYTES(1));
    call->user_fctx = w;
    set_row_type(fcinfo, call);
    MemoryContextSwitchTo(old);
}

/* Plays a move; TBY_MOVE_NONE after the last. */
static tby_move next_move(walk *w)
{
    const tby_move m = w->is_end ? TBY_MOVE_NONE : tby_packed_next(&w->cursor);
    if (w->notes && w->node != TBY_NO_NODE)
        w->node = tby_game_child(w->notes, w->node);
    return m;
}

static Datum annotated_row(const FuncCallContext *call, const walk *w, const Datum *columns, int n)
{
    row r = {.n = 0};
    for (int i = 0; i < n; i++)
        put(&r, columns[i]);
    put_notes(&r, w->notes, w->node);
    return HeapTupleGetDatum(heap_form_tuple(call->tuple_desc, r.columns, r.nulls));
}

static Datum moves(FunctionCallInfo fcinfo, bool has_notes)
{
    if (SRF_IS_FIRSTCALL())
        begin_walk(fcinfo);
    FuncCallContext *call = SRF_PERCALL_SETUP();
    walk *w = call->user_fctx;
    const tby_position before = w->cursor.pos;
    const tby_move m = next_move(w);
    if (m == TBY_MOVE_NONE)
        SRF_RETURN_DONE(call);
    Datum columns[] = {Int32GetDatum((int32)call->call_cntr + 1), san_datum(&before, m), uci_datum(&before, m),
                       position_datum(&w->cursor.pos)};
    const Datum answer = has_notes ? annotated_row(call, w, columns, lengthof(columns)) : row_datum(call, columns);
    SRF_RETURN_NEXT(call, answer);
}

SQL_FUNCTION(tabiya_moves) { return moves(fcinfo, false); }
SQL_FUNCTION(tabiya_moves_annotated) { return moves(fcinfo, true); }

static Datum positions(FunctionCallInfo fcinfo, bool has_notes)
{
    if (SRF_IS_FIRSTCALL())
        begin_walk(fcinfo);
    FuncCallContext *call = SRF_PERCALL_SETUP();
    walk *w = call->user_fctx;
    const tby_position *pos = &w->cursor.pos;
    if (w->is_end || (call->call_cntr > 0 && next_move(w) == TBY_MOVE_NONE))
        SRF_RETURN_DONE(call);
    Datum columns[] = {Int32GetDatum((int32)call->call_cntr), position_datum(pos), fen_datum(pos),
                       key_datum(tby_position_key(pos)), key_datum(pos->placement_key)};
    const Datum answer = has_notes ? annotated_row(call, w, columns, lengthof(columns)) : row_datum(call, columns);
    SRF_RETURN_NEXT(call, answer);
}

SQL_FUNCTION(tabiya_positions) { return positions(fcinfo, false); }
SQL_FUNCTION(tabiya_positions_annotated) { return positions(fcinfo, true); }

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

SQL_FUNCTION(tabiya_legal_moves)
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
