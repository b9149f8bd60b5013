/*
 * rows.c - functions that return rows, and games and boards as rows.
 *
 *     moves(game [, annotated])       ply, san, uci, board                             a row per half-move, from 1
 *     positions(game [, annotated])   ply, board, fen, position_key, placement_key     from ply 0
 *     legal_moves(position)           san, uci, board                                  in the order of the tree
 *
 * With the record of the whole game, which may be NULL, more columns follow: nags, comment, eval (centipawns), mate (in
 * moves) and clock (seconds), as noted after the move; NULL if there are none.
 */
#include "extension.h"

#include <catalog/pg_type_d.h>
#include <utils/array.h>
#include <utils/memutils.h>

/* ---- Rows -------------------------------------------------------------------------------------------------- */

/* What fn_extra keeps for the other calls in the statement. */
typedef struct kept_rows {
    TupleDesc type;
    void *own; /* of the function */
} kept_rows;

static kept_rows *kept_of(FunctionCallInfo fcinfo)
{
    FmgrInfo *function = fcinfo->flinfo;
    if (!function->fn_extra)
        function->fn_extra = MemoryContextAllocZero(function->fn_mcxt, sizeof(kept_rows));
    return function->fn_extra;
}

void **rows_own(FunctionCallInfo fcinfo) { return &kept_of(fcinfo)->own; }

/* Finding the row type takes as long as ten rows. The executor frees only descriptors without a reference count. */
static TupleDesc row_type(FunctionCallInfo fcinfo)
{
    kept_rows *kept = kept_of(fcinfo);
    TupleDesc type;
    if (kept->type)
        return kept->type;
    if (get_call_result_type(fcinfo, NULL, &type) != TYPEFUNC_COMPOSITE)
        elog(ERROR, "a row type is expected");
    const MemoryContext old = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);
    type = CreateTupleDescCopy(type);
    MemoryContextSwitchTo(old);
    type->tdrefcount = 1;
    return kept->type = type;
}

row_writer rows_begin(FunctionCallInfo fcinfo)
{
    ReturnSetInfo *result = (ReturnSetInfo *)fcinfo->resultinfo;
    row_writer rows = {.result = result};
    if (!result || !IsA(result, ReturnSetInfo) || !(result->allowedModes & SFRM_Materialize))
        ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED), errmsg("call the function in FROM")));
    result->returnMode = SFRM_Materialize;
    result->setDesc = row_type(fcinfo);
    rows.outer = MemoryContextSwitchTo(result->econtext->ecxt_per_query_memory);
    result->setResult = tuplestore_begin_heap((result->allowedModes & SFRM_Materialize_Random) != 0, false, work_mem);
    /* Its first block has room for the buffers of comments: a smaller one would allocate a block for each row. */
    rows.context = AllocSetContextCreate(rows.outer, "tabiya row", ALLOCSET_DEFAULT_SIZES);
    MemoryContextSwitchTo(rows.context);
    memset(rows.is_null, true, sizeof rows.is_null);
    return rows;
}

void rows_next(row_writer *rows)
{
    CHECK_FOR_INTERRUPTS();
    tuplestore_putvalues(rows->result->setResult, rows->result->setDesc, rows->values, rows->is_null);
    memset(rows->is_null, true, sizeof rows->is_null);
    MemoryContextReset(rows->context);
}

Datum rows_end(row_writer *rows)
{
    MemoryContextSwitchTo(rows->outer);
    MemoryContextDelete(rows->context);
    return (Datum)0;
}

void row_set_text(row_writer *rows, int column, const StringInfoData *utf8)
{
    if (utf8->len > 0)
        row_set(rows, column, text_datum(utf8->data, (size_t)utf8->len));
}

void row_set_nags(row_writer *rows, int column, const tby_game *game, tby_node node)
{
    const size_t n = tby_game_n_nags(game, node);
    if (n == 0)
        return;
    Datum *nags = palloc(n * sizeof *nags);
    for (size_t i = 0; i < n; i++)
        nags[i] = Int32GetDatum(tby_game_nag(game, node, i));
    row_set(rows, column, PointerGetDatum(construct_array(nags, (int)n, INT4OID, sizeof(int32), true, TYPALIGN_INT)));
}

tby_game *game_of_record(bytes_argument record)
{
    const tby_allocator allocator = context_allocator(CurrentMemoryContext);
    tby_error err;
    tby_game *game = tby_game_new(&allocator);
    if (tby_cmbr_decode(game, record.bytes, record.n, &err) != TBY_OK)
        raise_error(ERRCODE_INVALID_BINARY_REPRESENTATION, &err);
    return game;
}

/* ---- Games ------------------------------------------------------------------------------------------------- */

static Datum fen_datum(const tby_position *pos)
{
    char text[TBY_FEN_SIZE];
    return ascii_datum(text, tby_fen_write_position(text, sizeof text, pos, 0));
}

/* Sets the last columns, from `column` on. */
static void set_notes(row_writer *rows, int column, const tby_game *game, tby_node node)
{
    StringInfoData comment;
    tby_note note;
    initStringInfo(&comment);
    tby_note_read(&note, game, node);
    row_set_nags(rows, column, game, node);
    tby_note_write_comment(game, node, answer_sink, &comment);
    row_set_text(rows, column + 1, &comment);
    if (note.has_eval)
        row_set(rows, column + (note.is_mate ? 3 : 2), Int32GetDatum((int32)note.eval));
    if (note.has_clock)
        row_set(rows, column + 4, Float8GetDatum((double)note.clock / 1000));
}

/* Sets the columns of a position or of the move that led there; returns their number. */
typedef int (*set_columns)(row_writer *rows, const tby_position *before, tby_move m, const tby_position *pos);

static int set_move(row_writer *rows, const tby_position *before, tby_move m, const tby_position *pos)
{
    row_set(rows, 1, san_datum(before, m));
    row_set(rows, 2, uci_datum(before, m));
    row_set(rows, 3, position_datum(pos));
    return 4;
}

static int set_position(row_writer *rows, const tby_position *before, tby_move m, const tby_position *pos)
{
    (void)before, (void)m;
    row_set(rows, 1, position_datum(pos));
    row_set(rows, 2, fen_datum(pos));
    row_set(rows, 3, key_datum(tby_position_key(pos)));
    row_set(rows, 4, key_datum(pos->placement_key));
    return 5;
}

/* A NULL game has no rows. */
static Datum game_rows(FunctionCallInfo fcinfo, int32 first_ply, set_columns set)
{
    const tby_game *notes = PG_NARGS() > 1 && !PG_ARGISNULL(0) && !PG_ARGISNULL(1) ? game_of_record(PG_GETARG_BYTES(1))
                                                                                   : NULL;
    const bytes_argument game = PG_ARGISNULL(0) ? (bytes_argument){NULL, 0} : PG_GETARG_BYTES(0);
    row_writer rows = rows_begin(fcinfo);
    tby_packed cursor;
    tby_position before;
    tby_node node = TBY_ROOT;
    tby_move m = TBY_MOVE_NONE;
    if (!tby_packed_begin(&cursor, game.bytes, game.n))
        return rows_end(&rows);
    for (int32 ply = 0; ply == 0 || m != TBY_MOVE_NONE; ply++) {
        if (ply >= first_ply) {
            const int n_columns = set(&rows, &before, m, &cursor.pos);
            row_set(&rows, 0, Int32GetDatum(ply));
            if (notes && node != TBY_NO_NODE)
                set_notes(&rows, n_columns, notes, node);
            rows_next(&rows);
        }
        before = cursor.pos;
        m = tby_packed_next(&cursor);
        if (notes && node != TBY_NO_NODE)
            node = tby_game_child(notes, node);
    }
    return rows_end(&rows);
}

SQL_FUNCTION(tabiya_moves) { return game_rows(fcinfo, 1, set_move); }
SQL_FUNCTION(tabiya_moves_annotated) { return game_rows(fcinfo, 1, set_move); }
SQL_FUNCTION(tabiya_positions) { return game_rows(fcinfo, 0, set_position); }
SQL_FUNCTION(tabiya_positions_annotated) { return game_rows(fcinfo, 0, set_position); }

/* ---- Legal moves ------------------------------------------------------------------------------------------- */

SQL_FUNCTION(tabiya_legal_moves)
{
    tby_move moves[TBY_MOVES_MAX];
    const tby_position before = position_of(PG_GETARG_BYTES(0));
    const size_t n = tby_moves_list(moves, &before);
    row_writer rows = rows_begin(fcinfo);
    tby_moves_sort(moves, n);
    for (size_t i = 0; i < n; i++) {
        tby_position after = before;
        tby_position_play(&after, moves[i], NULL);
        row_set(&rows, 0, san_datum(&before, moves[i]));
        row_set(&rows, 1, uci_datum(&before, moves[i]));
        row_set(&rows, 2, position_datum(&after));
        rows_next(&rows);
    }
    return rows_end(&rows);
}
