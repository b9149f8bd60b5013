/*
 * fuzz_uci.c - a FEN (or nothing, for the start), a line feed, and any bytes as a UCI move: what is read is a legal
 * move, what is refused is located, and every legal move of the position is read back.
 */
#include "support.h"

static tby_position position_of(const char *s, size_t n)
{
    tby_position pos;
    tby_setup setup;
    if (tby_fen_read(&setup, s, n, TBY_FEN_CHESS960, NULL, NULL) != TBY_OK ||
        tby_position_init(&pos, &setup, TBY_FAULTS_UNREACHABLE, NULL) != TBY_OK)
        tby_position_start(&pos);
    return pos;
}

static void check_text(const tby_position *pos, const char *s, size_t n)
{
    tby_move m = TBY_MOVE_NONE, moves[TBY_MOVES_MAX];
    tby_error err = {TBY_OK, {0, 0}, 0, NULL};
    const tby_status status = tby_uci_read(&m, pos, s, n, &err);
    require(status == err.status);
    if (status != TBY_OK) {
        require(status == TBY_INVALID_UCI || status == TBY_ILLEGAL_MOVE || status == TBY_PROMOTION_MISSING ||
                status == TBY_ILLEGAL_NULL_MOVE);
        require(err.offset <= n && err.detail && m == TBY_MOVE_NONE);
        return;
    }
    size_t n_found = 0;
    for (size_t i = 0, n_moves = tby_moves_list(moves, pos); i < n_moves; i++)
        n_found += moves[i] == m;
    require(n_found == 1);
}

static void check_move(const tby_position *pos, tby_move m, unsigned flags)
{
    char text[TBY_UCI_SIZE];
    tby_move back;
    const size_t length = tby_uci_write(text, sizeof text, pos, m, flags);
    require(length < sizeof text && strlen(text) == length);
    require(tby_uci_read(&back, pos, text, length, NULL) == TBY_OK && back == m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *feed = size ? memchr(data, '\n', size) : NULL;
    const size_t n_fen = feed ? (size_t)(feed - data) : 0, n_before = feed ? n_fen + 1 : 0;
    const tby_position pos = position_of((const char *)data, n_fen);
    tby_move moves[TBY_MOVES_MAX];
    check_text(&pos, (const char *)data + n_before, size - n_before);
    for (size_t i = 0, n_moves = tby_moves_list(moves, &pos); i < n_moves; i++) {
        check_move(&pos, moves[i], 0);
        check_move(&pos, moves[i], TBY_UCI_CHESS960);
    }
    return 0;
}
