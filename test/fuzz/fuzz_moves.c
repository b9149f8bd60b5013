/*
 * fuzz_moves.c - moves as short text, base64 digits and CMBR words, in a position that the input plays.
 *
 *     byte 0, 1    number of the Chess960 start (over 959: the standard one)
 *     byte 2       how many bytes of moves follow, each picking one of the legal moves
 *     the rest     text of a move, and of a line
 *
 * What is read is legal, and is the same move after writing and reading. Every legal move is read back from every
 * notation, except for what base64 cannot hold.
 */
#include "support.h"

static bool play_input(tby_position *pos, const uint8_t **data, size_t *size)
{
    tby_setup setup;
    if (*size < 3)
        return false;
    const unsigned number = (unsigned)(*data)[0] << 8 | (*data)[1];
    require(tby_setup_chess960(&setup, number < 960 ? number : 518));
    require(tby_position_init(pos, &setup, 0, NULL) == TBY_OK);
    size_t n_plies = (*data)[2];
    for (*data += 3, *size -= 3; n_plies > 0 && *size > 0; n_plies--, (*data)++, (*size)--) {
        tby_move moves[TBY_MOVES_MAX];
        const size_t n_moves = tby_moves_list(moves, pos);
        if (n_moves == 0)
            break;
        tby_position_play(pos, moves[**data % n_moves], NULL);
    }
    return true;
}

/* Writes the move and reads it back. */
static void check_move(const tby_move_notation *notation, const tby_position *pos, tby_move m)
{
    char text[32];
    tby_move back;
    tby_error err;
    const size_t length = notation->write(text, sizeof text, pos, m, 0, &err);
    if (err.status == TBY_CANNOT_HOLD) {
        require(notation->cannot_hold && TBY_MOVE_IS_PROMOTION(m));
        return;
    }
    require(length < notation->size && strlen(text) == length);
    require(notation->read(&back, pos, text, length, 0, &err) == TBY_OK && back == m);
}

static void check_text(const tby_move_notation *notation, const tby_position *pos, const char *s, size_t n)
{
    tby_move m;
    tby_error err = {TBY_OK, {0, 0}, 0, NULL};
    if (notation->read(&m, pos, s, n, 0, &err) != TBY_OK) {
        require(err.status != TBY_OK && err.offset <= n);
        return;
    }
    require(tby_move_is_legal(pos, m));
    check_move(notation, pos, m);
}

static void check_word(const tby_position *pos, const uint8_t *data)
{
    const uint32_t word = (uint32_t)data[0] << 16 | (uint32_t)data[1] << 8 | data[2];
    tby_move m;
    if (tby_cmbr_move_decode(&m, pos, word, NULL) != TBY_OK)
        return;
    const uint32_t canonical = tby_cmbr_move_encode(pos, m);
    require(canonical == word || (canonical | TBY_CMBR_CHECK) == word);
}

/* The text as a line: read as far as possible. */
static void check_line(const tby_move_notation *notation, tby_position pos, const char *s, size_t n)
{
    size_t at = 0, before = 0, start, length;
    while ((length = tby_line_next(notation, s, n, &at, &start)) > 0) {
        tby_move m;
        require(start >= before && start + length == at && at <= n);
        before = at;
        if (notation->read(&m, &pos, s + start, length, 0, NULL) != TBY_OK)
            return;
        tby_position_play(&pos, m, NULL);
    }
    require(at == n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tby_position pos;
    tby_move moves[TBY_MOVES_MAX];
    if (!play_input(&pos, &data, &size))
        return 0;
    const size_t n_moves = tby_moves_list(moves, &pos);
    const tby_move_notation *notation;
    for (size_t k = 0; (notation = tby_move_notation_at(k)) != NULL; k++) {
        if (n_moves > 0)
            check_move(notation, &pos, moves[size % n_moves]);
        check_text(notation, &pos, (const char *)data, size);
        check_line(notation, pos, (const char *)data, size);
    }
    if (size >= 3)
        check_word(&pos, data);
    return 0;
}
