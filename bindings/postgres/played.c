/*
 * played.c - the move that a game plays when it first reaches a position.
 *
 *     playedMove(game, board)          the move as UCI text; '' if the game ends there; NULL if it does not reach it
 *     tabiya_pool(white_elo, black_elo, speed, tags)    see tby_pool_of_row; NULL is unknown
 *     playedMoves(game)                rows: position_key, board, uci, is_white, result; one row per distinct position
 *
 * nextMoves counts such rows; stored counts can be kept up to date: see createMoveStats.
 */
#include "extension.h"

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

SQL_FUNCTION(tabiya_pool)
{
    tby_row row = {.elo = {PG_ARGISNULL(0) ? 0 : PG_GETARG_INT32(0), PG_ARGISNULL(1) ? 0 : PG_GETARG_INT32(1)}};
    const bytes_argument speed = PG_ARGISNULL(2) ? (bytes_argument){0} : PG_GETARG_BYTES(2);
    for (int i = 1; i < TBY_SPEEDS && speed.n; i++) {
        const char *name = tby_speed_text((tby_speed)i);
        if (speed.n == strlen(name) && memcmp(speed.bytes, name, speed.n) == 0)
            row.speed = (tby_speed)i;
    }
    if (row.speed == TBY_SPEED_BULLET && !PG_ARGISNULL(3))
        row.tags = PG_GETARG_UTF8(3);
    PG_RETURN_INT16((int16)tby_pool_of_row(&row));
}

/* ---- All positions of a game ------------------------------------------------------------------------------- */

/* Only positions since the last capture or pawn move can be the same: the last `clock` ones. */
static bool is_seen(const uint64_t *keys, size_t n, const tby_position *pos, uint64_t key)
{
    const size_t first = n > pos->clock ? n - pos->clock : 0;
    while (n > first && keys[n - 1] != key)
        n--;
    return n > first;
}

SQL_FUNCTION(tabiya_played_moves)
{
    const bytes_argument game = PG_GETARG_BYTES(0);
    const Datum result = Int16GetDatum((int16)tby_packed_result(game.bytes, game.n));
    uint64_t *keys = palloc((game.n + 1) * sizeof *keys); /* a half-move takes at least a byte */
    size_t n_keys = 0;
    tby_packed cursor;
    tby_move played = TBY_MOVE_NULL;
    row_writer rows = rows_begin(fcinfo);
    for (bool is_game = tby_packed_begin(&cursor, game.bytes, game.n); is_game && played != TBY_MOVE_NONE;) {
        const tby_position before = cursor.pos;
        const uint64_t key = tby_position_key(&before);
        played = tby_packed_next(&cursor);
        if (is_seen(keys, n_keys, &before, key))
            continue;
        keys[n_keys++] = key;
        row_set(&rows, 0, key_datum(key));
        row_set(&rows, 1, position_datum(&before));
        row_set(&rows, 2, uci_datum(&before, played));
        row_set(&rows, 3, BoolGetDatum(tby_position_side(&before) == TBY_WHITE));
        row_set(&rows, 4, result);
        rows_next(&rows);
    }
    return rows_end(&rows);
}
