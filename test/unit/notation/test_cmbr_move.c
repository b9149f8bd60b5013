/*
 * test_cmbr_move.c - the 24-bit words of CMBR: fields and flags, every invalid word refused, round trips.
 */
#include "notation_support.h"

static void assert_both(const char *fen, const char *uci, uint32_t word)
{
    const tby_position pos = position_of(fen);
    const tby_move m = move_of(&pos, uci);
    tby_move back = TBY_MOVE_NONE;
    tby_error err;
    assert_int_not_equal(m, TBY_MOVE_NONE);
    assert_int_equal(tby_cmbr_move_encode(&pos, m), word);
    if (tby_cmbr_move_decode(&back, &pos, word, &err) != TBY_OK)
        fail_msg("%s: %s", uci, err.detail);
    assert_int_equal(back, m);
}

static void assert_bad(const char *fen, uint32_t word, tby_status status, size_t offset, const char *wanted)
{
    const tby_position pos = position_of(fen);
    tby_move m = 0x1234;
    char message[TBY_ERROR_SIZE];
    tby_error err = {TBY_OK, {0, 0}, 99, NULL};
    assert_int_equal(tby_cmbr_move_decode(&m, &pos, word, &err), status);
    assert_int_equal(err.status, status);
    assert_int_equal(err.offset, offset);
    tby_error_write(message, sizeof message, &err);
    if (!strstr(message, wanted))
        fail_msg("\"%s\" does not contain \"%s\"", message, wanted);
    assert_int_equal(m, 0x1234);
    assert_int_equal(tby_cmbr_move_decode(&m, &pos, word, NULL), status);
}

#define WORD(to, from, piece, flags) ((uint32_t)(to) << 18 | (uint32_t)(from) << 12 | (uint32_t)(piece) << 8 | (flags))
#define SQ(file, rank) (((rank)-1) * 8 + ((file) - 'a'))

TEST(test_cmbr_move__fields_are_to_from_piece_flags)
{
    assert_both(START_FEN, "e2e4", WORD(28, 12, 0, 0));
    assert_both(START_FEN, "g1f3", WORD(21, 6, 1, 0));
    assert_both("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "e7e5", WORD(36, 52, 8, 0));
}

TEST(test_cmbr_move__pieces_of_both_sides)
{
    const char white[] = "4k3/p7/8/8/8/1N2B3/1P6/R2QK3 w - - 0 1", black[] = "r2qk3/1p6/1n2b3/8/8/8/P7/4K3 b - - 0 1";
    assert_both(white, "b3c5", WORD(SQ('c', 5), SQ('b', 3), 1, 0));
    assert_both(white, "e3f4", WORD(SQ('f', 4), SQ('e', 3), 2, 0));
    assert_both(white, "a1b1", WORD(SQ('b', 1), SQ('a', 1), 3, 0));
    assert_both(white, "d1d2", WORD(SQ('d', 2), SQ('d', 1), 4, 0));
    assert_both(white, "e1f1", WORD(SQ('f', 1), SQ('e', 1), 5, 0));
    assert_both(black, "b6c4", WORD(SQ('c', 4), SQ('b', 6), 9, 0));
    assert_both(black, "e6f5", WORD(SQ('f', 5), SQ('e', 6), 10, 0));
    assert_both(black, "a8b8", WORD(SQ('b', 8), SQ('a', 8), 11, 0));
    assert_both(black, "d8d7", WORD(SQ('d', 7), SQ('d', 8), 12, 0));
    assert_both(black, "e8f8", WORD(SQ('f', 8), SQ('e', 8), 13, 0));
}

TEST(test_cmbr_move__castling_has_its_own_piece_code_and_the_squares_of_the_king)
{
    const char white[] = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", black[] = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1";
    assert_both(white, "e1h1", WORD(SQ('g', 1), SQ('e', 1), 6, 0));
    assert_both(white, "e1a1", WORD(SQ('c', 1), SQ('e', 1), 7, 0));
    assert_both(black, "e8h8", WORD(SQ('g', 8), SQ('e', 8), 14, 0));
    assert_both(black, "e8a8", WORD(SQ('c', 8), SQ('e', 8), 15, 0));
    assert_bad(white, WORD(SQ('g', 1), SQ('e', 1), 7, 0), TBY_ILLEGAL_MOVE, 0, "half-move 1");
    assert_bad(white, WORD(SQ('g', 1), SQ('e', 1), 5, 0), TBY_ILLEGAL_MOVE, 0, "half-move 1");
    assert_bad(white, WORD(SQ('g', 1), SQ('h', 1), 6, 0), TBY_INVALID_CMBR, 1, "piece");
}

TEST(test_cmbr_move__chess960_castling_and_step_differ_by_piece)
{
    const tby_position pos = position_of("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
    const tby_move step = TBY_MOVE(5, 6, 0), castling = TBY_MOVE(5, 7, TBY_KING);
    tby_move m;
    assert_int_equal(tby_cmbr_move_encode(&pos, step), WORD(6, 5, 5, 0));
    assert_int_equal(tby_cmbr_move_encode(&pos, castling), WORD(6, 5, 6, 0));
    assert_int_equal(tby_cmbr_move_decode(&m, &pos, WORD(6, 5, 5, 0), NULL), TBY_OK);
    assert_int_equal(m, step);
    assert_int_equal(tby_cmbr_move_decode(&m, &pos, WORD(6, 5, 6, 0), NULL), TBY_OK);
    assert_int_equal(m, castling);
}

TEST(test_cmbr_move__promotions_and_captures)
{
    const char fen[] = "3r4/4P3/8/8/8/8/1k5K/8 w - - 0 1";
    assert_both(fen, "e7e8b", WORD(60, 52, 0, 0x40));
    assert_both(fen, "e7e8n", WORD(60, 52, 0, 0x50));
    assert_both(fen, "e7e8r", WORD(60, 52, 0, 0x60));
    assert_both(fen, "e7e8q", WORD(60, 52, 0, 0x70));
    assert_both(fen, "e7d8n", WORD(59, 52, 0, 0x54));
    /* en passant is a capture */
    assert_both("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", "e5f6", WORD(45, 36, 0, 4));
}

TEST(test_cmbr_move__check_and_checkmate)
{
    const char mate[] = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
    const char check[] = "rnbqkbnr/ppp1pppp/3p4/8/8/4P3/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    const uint32_t with_mate = WORD(SQ('h', 4), SQ('d', 8), 12, 2), with_check = WORD(SQ('b', 5), SQ('f', 1), 2, 1);
    tby_move m;
    assert_both(mate, "d8h4", with_mate);
    assert_both(check, "f1b5", with_check);
    const tby_position pos = position_of(mate);
    assert_int_equal(tby_cmbr_move_decode(&m, &pos, with_mate | TBY_CMBR_CHECK, NULL), TBY_OK);
    assert_int_equal(m, move_of(&pos, "d8h4"));
    assert_bad(mate, (with_mate & ~2u) | 1, TBY_INVALID_CMBR, 2, "half-move 4: the checkmate flag");
    assert_bad(mate, with_mate & ~2u, TBY_INVALID_CMBR, 2, "checkmate flag");
    assert_bad(check, with_check & ~1u, TBY_INVALID_CMBR, 2, "half-move 3: the check flag");
    assert_bad(check, with_check | 2, TBY_INVALID_CMBR, 2, "checkmate flag");
    assert_bad(START_FEN, WORD(28, 12, 0, 1), TBY_INVALID_CMBR, 2, "check flag");
}

TEST(test_cmbr_move__invalid_words_are_described)
{
    assert_bad(START_FEN, 0x1000000, TBY_INVALID_CMBR, 0, "24 bits");
    assert_bad(START_FEN, WORD(28, 12, 0, 0x08), TBY_INVALID_CMBR, 2, "NAG");
    assert_bad(START_FEN, WORD(28, 12, 0, 0x80), TBY_INVALID_CMBR, 2, "variation");
    assert_bad(START_FEN, WORD(28, 12, 0, 0x10), TBY_INVALID_CMBR, 2, "promotion");
    assert_bad(START_FEN, WORD(28, 12, 0, 0x30), TBY_INVALID_CMBR, 2, "promotion");
    assert_bad(START_FEN, WORD(28, 12, 1, 0), TBY_INVALID_CMBR, 1, "half-move 1: the piece");
    assert_bad(START_FEN, WORD(28, 12, 8, 0), TBY_INVALID_CMBR, 1, "piece");
    assert_bad(START_FEN, WORD(28, 12, 0, 4), TBY_INVALID_CMBR, 2, "half-move 1: the capture flag");
    assert_bad(START_FEN, WORD(36, 12, 0, 0), TBY_ILLEGAL_MOVE, 0, "half-move 1: the move is not legal");
    assert_bad(START_FEN, WORD(36, 28, 0, 0), TBY_ILLEGAL_MOVE, 0, "no own piece");
    assert_bad(START_FEN, WORD(36, 52, 8, 0), TBY_ILLEGAL_MOVE, 0, "no own piece");
    assert_bad("8/4P3/8/8/8/8/k6K/8 w - - 0 1", WORD(60, 52, 0, 0), TBY_ILLEGAL_MOVE, 0, "not legal");
    assert_bad(START_FEN, WORD(28, 12, 0, 0x70), TBY_ILLEGAL_MOVE, 0, "not legal");
}

/* Every word that differs in one bit is refused, or is the word of another legal move. */
static void check_position(const tby_position *pos)
{
    tby_move moves[TBY_MOVES_MAX];
    const size_t n_moves = tby_moves_list(moves, pos);
    for (size_t i = 0; i < n_moves; i++) {
        const uint32_t word = tby_cmbr_move_encode(pos, moves[i]);
        tby_move m = TBY_MOVE_NONE;
        assert_true(word <= 0xffffff);
        assert_int_equal(tby_cmbr_move_decode(&m, pos, word, NULL), TBY_OK);
        assert_int_equal(m, moves[i]);
        for (int bit = 0; bit < 32; bit++) {
            const uint32_t flipped = word ^ 1u << bit;
            if (tby_cmbr_move_decode(&m, pos, flipped, NULL) != TBY_OK)
                continue;
            assert_true(tby_move_is_legal(pos, m));
            const uint32_t canonical = tby_cmbr_move_encode(pos, m);
            assert_true(canonical == flipped || (canonical | TBY_CMBR_CHECK) == flipped);
        }
    }
}

TEST(test_cmbr_move__all_moves_of_random_games_are_read_back) { visit_random_games(8, 80, check_position); }

TEST(test_cmbr_move__the_valid_words_of_a_position_are_its_legal_moves)
{
    const tby_position pos = position_of("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    size_t n_good = 0;
    for (uint32_t word = 0; word <= 0xffffff; word++) {
        tby_move m;
        n_good += tby_cmbr_move_decode(&m, &pos, word, NULL) == TBY_OK;
    }
    assert_int_equal(n_good, 48);
}

int main(void) { return tests_run(NULL, NULL); }
