/*
 * fuzz_packed_board.c - any bytes as a packed board: what is decoded is encoded to the same bytes, and FEN can hold it.
 */
#include <stdlib.h>
#include <string.h>

#include "tabiya_value.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tby_setup setup, back;
    uint8_t again[TBY_CHESSBOARD_SIZE];
    char fen[TBY_FEN_SIZE];
    const size_t used = tby_packed_board_decode(&setup, data, size);
    require(used <= size);
    if (used > 0)
        require(tby_packed_board_encode(again, &setup) == used && memcmp(again, data, used) == 0);
    if (!tby_chessboard_decode(&setup, data, size))
        return 0;
    require(tby_chessboard_encode(again, &setup) == size && memcmp(again, data, size) == 0);
    const size_t n = tby_fen_write(fen, sizeof fen, &setup, 0);
    /* Move number 0 is a valid packed board, but not valid FEN. */
    if (setup.fullmove > 0 && tby_fen_read(&back, fen, n, TBY_FEN_RAW, NULL, NULL) == TBY_OK)
        require(tby_setup_equal(&setup, &back));
    return 0;
}
