/*
 * played.c - the move that a game plays when it first reaches a position.
 *
 *     playedMove(game, board)          the move as UCI text; '' if the game ends there; NULL if it does not reach it
 *     playedMoves(game)                rows: position_key, board, uci, is_white, result; one row per distinct position
 *
 * nextMoves counts such rows; stored counts can be kept up to date: see createMoveStats.
 */
#include "extension.h"

#include <access/htup_details.h>
#include <funcapi.h>

SQL_FUNCTION(tabiya_played_move)
{
    const bytes_argument game = PG_GETARG_BYTES(0);
    const board_query query = {board_of(PG_GETARG_BYTES(1)), QUERY_POSITION, TBY_PLIES_MAX};
    tby_target target;
    tby_packed cursor;
    const int ply = board_query_target(&target, &query) ? tby_target_find(&target, game.bytes, game.n, TBY_PLIES_MAX)
                                                        : -1;
    if (ply < 0 || !tby_packed_begin(&cursor, game.bytes, game.n))
        PG_RETURN_NULL();
    for (int i = 0; i < ply; i++)
        tby_packed_next(&cursor);
    const tby_position before = cursor.pos;
    return uci_datum(&before, tby_packed_next(&cursor));
}

SQL_FUNCTION(tabiya_game_result_code)
{
    const bytes_argument game = PG_GETARG_BYTES(0);
    PG_RETURN_INT16((int16)tby_packed_result(game.bytes, game.n));
}

/* ---- All positions of a game ------------------------------------------------------------------------------- */

typedef struct walk {
    tby_packed cursor;
    bool is_end;
    int16 result;
    size_t n_keys;
    uint64_t keys[FLEXIBLE_ARRAY_MEMBER]; /* of the positions so far */
} walk;

static walk *walk_new(bytes_argument game)
{
    walk *w = palloc(offsetof(walk, keys) + (game.n + 1) * sizeof *w->keys); /* a half-move takes at least a byte */
    w->is_end = !tby_packed_begin(&w->cursor, game.bytes, game.n);
    w->result = (int16)tby_packed_result(game.bytes, game.n);
    w->n_keys = 0;
    return w;
}

static bool is_seen(const walk *w, uint64_t key)
{
    for (size_t i = w->n_keys; i > 0; i--)
        if (w->keys[i - 1] == key)
            return true;
    return false;
}

/* Moves on to the next new position; false after the last. */
static bool walk_next(walk *w, tby_position *before, uint64_t *key, tby_move *played)
{
    while (!w->is_end) {
        *before = w->cursor.pos;
        *key = tby_position_key(before);
        *played = tby_packed_next(&w->cursor);
        w->is_end = *played == TBY_MOVE_NONE;
        if (!is_seen(w, *key)) {
            w->keys[w->n_keys++] = *key;
            return true;
        }
    }
    return false;
}

SQL_FUNCTION(tabiya_played_moves)
{
    tby_position before;
    uint64_t key;
    tby_move played;
    TupleDesc type;
    if (SRF_IS_FIRSTCALL()) {
        FuncCallContext *call = SRF_FIRSTCALL_INIT();
        const MemoryContext old = MemoryContextSwitchTo(call->multi_call_memory_ctx);
        const bytes_argument game = bytes_of(PointerGetDatum(PG_DETOAST_DATUM_COPY(PG_GETARG_DATUM(0))));
        if (get_call_result_type(fcinfo, NULL, &type) != TYPEFUNC_COMPOSITE)
            elog(ERROR, "a row type is expected");
        call->tuple_desc = BlessTupleDesc(type);
        call->user_fctx = walk_new(game);
        MemoryContextSwitchTo(old);
    }
    FuncCallContext *call = SRF_PERCALL_SETUP();
    walk *w = call->user_fctx;
    if (!walk_next(w, &before, &key, &played))
        SRF_RETURN_DONE(call);
    static const bool has_null[5] = {false};
    Datum columns[] = {key_datum(key), position_datum(&before), uci_datum(&before, played),
                       BoolGetDatum(tby_position_side(&before) == TBY_WHITE), Int16GetDatum(w->result)};
    SRF_RETURN_NEXT(call, HeapTupleGetDatum(heap_form_tuple(call->tuple_desc, columns, (bool *)(uintptr_t)has_null)));
}
