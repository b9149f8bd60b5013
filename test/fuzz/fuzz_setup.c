/*
 * fuzz_setup.c - any bytes as a setup, directly or as a list of pieces to place: it has faults, or it becomes a
 * position whose moves are distinct and legal, and can be undone without a trace.
 */
#include "support.h"

/* ---- Making a setup ------------------------------------------------------------------------------------- */

static tby_setup setup_of_memory(const uint8_t *data, size_t size)
{
    tby_setup setup;
    memset(&setup, 0, sizeof setup);
    memcpy(&setup, data, size < sizeof setup ? size : sizeof setup);
    return setup;
}

/* Two bytes per piece; four bytes before them for side, en passant and the rooks on the back ranks that may castle. */
static tby_setup setup_of_pieces(const uint8_t *data, size_t size)
{
    tby_setup setup;
    tby_setup_clear(&setup);
    if (size < 4)
        return setup;
    setup.side = data[0] & 1;
    setup.en_passant = data[1] < 64 ? data[1] : TBY_NO_SQUARE;
    for (size_t i = 4; i + 1 < size; i += 2)
        tby_setup_put(&setup, data[i], data[i + 1]);
    const tby_bitboard rooks = tby_board_pieces(&setup.board, TBY_PIECE(TBY_WHITE, TBY_ROOK)) |
                               tby_board_pieces(&setup.board, TBY_PIECE(TBY_BLACK, TBY_ROOK));
    setup.castling = rooks & ((tby_bitboard)data[2] | (tby_bitboard)data[3] << 56);
    return setup;
}

/* ---- Checking it ---------------------------------------------------------------------------------------- */

static void check_playing(const tby_position *pos, tby_move m)
{
    tby_position after = *pos;
    tby_undo undo;
    tby_position_play(&after, m, &undo);
    require(tby_position_is_consistent(&after));
    require(tby_moves_any(&after) == (tby_moves_count(&after) > 0));
    tby_position_undo(&after, &undo);
    require(memcmp(pos, &after, sizeof after) == 0);
}

static void check_moves(const tby_position *pos, tby_move other)
{
    tby_move moves[TBY_MOVES_MAX];
    const size_t n = tby_moves_list(moves, pos);
    bool is_listed = false;
    require(n <= TBY_MOVES_MAX && tby_moves_count(pos) == n && tby_moves_any(pos) == (n > 0));
    for (size_t i = 0; i < n; i++) {
        require(tby_move_is_legal(pos, moves[i]));
        for (size_t k = 0; k < i; k++)
            require(moves[i] != moves[k]);
        is_listed |= moves[i] == other;
        check_playing(pos, moves[i]);
    }
    require(tby_move_is_legal(pos, other) == is_listed);
}

static void check_fen(const tby_position *pos)
{
    char text[TBY_FEN_SIZE];
    tby_setup setup, back;
    tby_position_setup(&setup, pos);
    const size_t length = tby_fen_write_position(text, sizeof text, pos, 0);
    require(tby_fen_read(&back, text, length, TBY_FEN_STRICT, NULL, NULL) == TBY_OK);
    require(tby_setup_equal(&setup, &back));
}

static void check_setup(const tby_setup *setup, tby_move other)
{
    const tby_faults faults = tby_setup_faults(setup);
    tby_position pos;
    char text[TBY_FEN_SIZE];
    for (tby_faults bit = 1; bit; bit <<= 1)
        require(!(faults & bit) || (tby_fault_text(bit) && tby_fault_name(bit)));
    require(tby_fen_write(text, sizeof text, setup, 0) < sizeof text);
    require((tby_position_init(&pos, setup, 0, NULL) == TBY_OK) == (faults == 0));
    const bool is_playable = !(faults & ~(tby_faults)TBY_FAULTS_UNREACHABLE);
    require((tby_position_init(&pos, setup, ~(tby_faults)0, NULL) == TBY_OK) == is_playable);
    if (!is_playable)
        return;
    require(tby_position_is_consistent(&pos));
    check_fen(&pos);
    check_moves(&pos, other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const tby_move other = size < 2 ? 0 : (tby_move)(data[0] | data[1] << 8);
    const tby_setup memory = setup_of_memory(data, size), pieces = setup_of_pieces(data, size);
    check_setup(&memory, other);
    check_setup(&pieces, other);
    return 0;
}
