/*
 * packed.c - games as packed bytes, which published collections have (docs/formats/packed.md).
 */
#include "answer.h"

/* Reads the bytes as the only game of `game`, without tags; every move is checked. */
bool EXPORT(packed_read)(tby_game *game, const uint8_t *bytes, size_t n)
{
    tby_error err = {0};
    tby_game_clear(game);
    return tby_packed_check(bytes, n, &err) == TBY_OK ? tby_chessgame_to_game(game, bytes, n) : answer_error(&err);
}

/* The main line and the result as packed bytes. */
bool EXPORT(packed_write)(const tby_game *game)
{
    size_t n;
    tby_chessgame_error err;
    buffer_clear(&answer);
    uint8_t *room = (uint8_t *)answer_room(TBY_CHESSGAME_SIZE);
    if (tby_chessgame_of_game(room, &n, game, &err) != TBY_OK)
        return answer_error(&err.error);
    answer.n += n;
    return true;
}

/* The first half-move at which the game reaches a position, -1 if it does not. The answer has the move played there:
   {"next":"e2e4"}, null at the end, and the position with its counters. */
int EXPORT(packed_find)(const tby_setup *board, const uint8_t *bytes, size_t n)
{
    tby_position pos;
    tby_target target;
    tby_packed cursor;
    char uci[TBY_UCI_SIZE], fen[TBY_FEN_SIZE];
    answer_begin("{}");
    if (!board_position(&pos, board) || tby_packed_check(bytes, n, NULL) != TBY_OK)
        return -1;
    tby_target_position(&target, &pos);
    if (!tby_target_may_be_in(&target, bytes, n) || !tby_packed_begin(&cursor, bytes, n))
        return -1;
    const int ply = tby_target_step(&target, &cursor, TBY_PLIES_MAX);
    if (ply < 0)
        return -1;
    const tby_position at = cursor.pos;
    const tby_move next = tby_packed_next(&cursor);
    tby_fen_write_position(fen, sizeof fen, &at, 0);
    if (next != TBY_MOVE_NONE)
        tby_uci_write(uci, sizeof uci, &at, next, 0);
    answer_begin("{'next':%s,'fen':%s}", next == TBY_MOVE_NONE ? NULL : uci, fen);
    return ply;
}
