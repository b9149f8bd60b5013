/*
 * test_base64_moves.c - a move as two base64 digits: squares, castling, promotion, round trips, small buffers.
 */
#include "notation_support.h"

static tby_move read_good(const tby_position *pos, const char *text)
{
    tby_move m;
    tby_error err;
    if (tby_base64_move_read(&m, pos, text, strlen(text), &err) != TBY_OK)
        fail_msg("%s: %s", text, err.detail);
    return m;
}

static void assert_both(const char *fen, const char *uci, const char *text)
{
    char buf[TBY_BASE64_MOVE_SIZE];
    tby_error err;
    const tby_position pos = position_of(fen);
    const tby_move m = move_of(&pos, uci);
    assert_int_not_equal(m, TBY_MOVE_NONE);
    assert_int_equal(tby_base64_move_write(buf, sizeof buf, &pos, m, 0, &err), 2);
    assert_int_equal(err.status, TBY_OK);
    assert_string_equal(buf, text);
    assert_int_equal(read_good(&pos, text), m);
}

static void assert_bad(const char *fen, const char *text, size_t n, tby_status status, size_t offset)
{
    const tby_position pos = position_of(fen);
    tby_move m = 0x1234;
    char *copy = exact_copy(text, n);
    assert_refused(tby_base64_move_read(&m, &pos, copy, n, &err), status, offset);
    assert_int_equal(m, 0x1234);
    assert_int_equal(tby_base64_move_read(&m, &pos, copy, n, NULL), status);
    free(copy);
}

TEST(test_base64_moves__squares_are_the_digits_of_the_specification)
{
    static const char board[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    /* A queen on every square in turn, with the kings out of the way. */
    for (unsigned place = 0; place < 64; place++) {
        const tby_square square = (tby_square)(place ^ 56);
        tby_setup setup;
        tby_position pos;
        tby_move moves[TBY_MOVES_MAX];
        tby_setup_clear(&setup);
        tby_setup_put(&setup, place % 8 < 4 ? 7 : 0, TBY_PIECE(TBY_WHITE, TBY_KING));
        tby_setup_put(&setup, place % 8 < 4 ? 23 : 16, TBY_PIECE(TBY_BLACK, TBY_KING));
        tby_setup_put(&setup, square, TBY_PIECE(TBY_WHITE, TBY_QUEEN));
        setup.side = TBY_WHITE;
        if (tby_position_init(&pos, &setup, 0, NULL) != TBY_OK)
            continue; /* black would be in check */
        const size_t n_moves = tby_moves_from(moves, &pos, square);
        for (size_t i = 0; i < n_moves; i++) {
            char buf[TBY_BASE64_MOVE_SIZE];
            assert_int_equal(tby_base64_move_write(buf, sizeof buf, &pos, moves[i], 0, NULL), 2);
            assert_int_equal(buf[0], board[place]);
            assert_int_equal(buf[1], board[TBY_MOVE_TO(moves[i]) ^ 56]);
        }
    }
}

TEST(test_base64_moves__first_moves)
{
    assert_both(START_FEN, "e2e4", "0k");
    assert_both(START_FEN, "g1f3", "+t");
    assert_both("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "h7h5", "Pf");
}

TEST(test_base64_moves__castling_is_the_move_of_the_king)
{
    const char white[] = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", black[] = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1";
    assert_both(white, "e1h1", "8+");
    assert_both(white, "e1a1", "86");
    assert_both(black, "e8h8", "EG");
    assert_both(black, "e8a8", "EC");
    const tby_position pos = position_of(white);
    assert_int_equal(read_good(&pos, "8/"), move_of(&pos, "e1h1"));
    assert_int_equal(read_good(&pos, "84"), move_of(&pos, "e1a1"));
}

TEST(test_base64_moves__chess960_castling_and_step_differ)
{
    /* King f1, rook h1: both the step and castling could end on g1. */
    const tby_position pos = position_of("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
    const tby_move step = TBY_MOVE(5, 6, 0), castling = TBY_MOVE(5, 7, TBY_KING);
    char buf[TBY_BASE64_MOVE_SIZE];
    tby_base64_move_write(buf, sizeof buf, &pos, step, 0, NULL);
    assert_string_equal(buf, "9+");
    tby_base64_move_write(buf, sizeof buf, &pos, castling, 0, NULL);
    assert_string_equal(buf, "9/");
    assert_int_equal(read_good(&pos, "9+"), step);
    assert_int_equal(read_good(&pos, "9/"), castling);
    /* King g1, rook h1: the king stays. */
    const tby_position stays = position_of("4k3/8/8/8/8/8/8/6KR w H - 0 1");
    tby_base64_move_write(buf, sizeof buf, &stays, TBY_MOVE(6, 7, TBY_KING), 0, NULL);
    assert_string_equal(buf, "++");
    assert_int_equal(read_good(&stays, "++"), TBY_MOVE(6, 7, TBY_KING));
}

TEST(test_base64_moves__promotion_is_to_a_queen)
{
    const char fen[] = "8/4P3/8/8/8/8/k6K/8 w - - 0 1";
    assert_both(fen, "e7e8q", "ME");
    const tby_position pos = position_of(fen);
    const char *const others[3] = {"e7e8r", "e7e8b", "e7e8n"};
    for (int i = 0; i < 3; i++) {
        char buf[TBY_BASE64_MOVE_SIZE] = "zzz";
        tby_error err;
        assert_int_equal(tby_base64_move_write(buf, sizeof buf, &pos, move_of(&pos, others[i]), 0, &err), 0);
        assert_string_equal(buf, "");
        assert_int_equal(err.status, TBY_CANNOT_HOLD);
        assert_non_null(strstr(err.detail, "promotion"));
        assert_int_equal(tby_base64_move_write(buf, sizeof buf, &pos, move_of(&pos, others[i]), TBY_LOSSY, &err), 2);
        assert_string_equal(buf, "ME");
    }
}

TEST(test_base64_moves__en_passant_is_plain)
{
    assert_both("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", "e5f6", "cV");
}

TEST(test_base64_moves__both_alphabets_are_read)
{
    const tby_position pos = position_of(START_FEN);
    char buf[TBY_BASE64_MOVE_SIZE];
    assert_int_equal(read_good(&pos, "-t"), move_of(&pos, "g1f3"));
    tby_base64_move_write(buf, sizeof buf, &pos, move_of(&pos, "g1f3"), TBY_BASE64_URL, NULL);
    assert_string_equal(buf, "-t");
}

TEST(test_base64_moves__bad_text_is_located)
{
    assert_bad(START_FEN, "", 0, TBY_INVALID_BASE64, 0);
    assert_bad(START_FEN, "0", 1, TBY_INVALID_BASE64, 1);
    assert_bad(START_FEN, "0k0", 3, TBY_INVALID_BASE64, 2);
    assert_bad(START_FEN, " 0", 2, TBY_INVALID_BASE64, 0);
    assert_bad(START_FEN, "0\0", 2, TBY_INVALID_BASE64, 1);
    assert_bad(START_FEN, "=k", 2, TBY_INVALID_BASE64, 0);
    assert_bad(START_FEN, "kc", 2, TBY_ILLEGAL_MOVE, 0); /* empty e4 */
    assert_bad(START_FEN, "Pf", 2, TBY_ILLEGAL_MOVE, 0); /* black's pawn */
    assert_bad(START_FEN, "0U", 2, TBY_ILLEGAL_MOVE, 1); /* e2-e6 */
    assert_bad(START_FEN, "00", 2, TBY_ILLEGAL_MOVE, 1); /* e2-e2 */
}

TEST(test_base64_moves__a_small_buffer_holds_the_empty_text)
{
    const tby_position pos = position_of(START_FEN);
    const tby_move m = move_of(&pos, "e2e4");
    for (size_t cap = 0; cap <= 2; cap++) {
        char buf[4] = "zzz";
        assert_int_equal(tby_base64_move_write(buf, cap, &pos, m, 0, NULL), 2);
        assert_int_equal(buf[0], cap ? '\0' : 'z');
        assert_int_equal(buf[2], 'z');
    }
}

static void round_trip(const tby_position *pos)
{
    tby_move moves[TBY_MOVES_MAX];
    const size_t n_moves = tby_moves_list(moves, pos);
    for (size_t i = 0; i < n_moves; i++) {
        char buf[TBY_BASE64_MOVE_SIZE];
        tby_error err;
        if (tby_base64_move_write(buf, sizeof buf, pos, moves[i], 0, &err) == 2)
            assert_int_equal(read_good(pos, buf), moves[i]);
        else
            assert_true(TBY_MOVE_IS_PROMOTION(moves[i]) && err.status == TBY_CANNOT_HOLD);
    }
}

TEST(test_base64_moves__all_moves_of_random_games_are_read_back) { visit_random_games(100, 120, round_trip); }

TEST(test_base64_moves__every_pair_of_digits_is_a_legal_move_or_refused)
{
    const tby_position pos = position_of("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    size_t n_legal = 0;
    for (int a = 0; a < 256; a++)
        for (int b = 0; b < 256; b++) {
            const char text[2] = {(char)a, (char)b};
            tby_move m;
            if (tby_base64_move_read(&m, &pos, text, 2, NULL) != TBY_OK)
                continue;
            assert_true(tby_move_is_legal(&pos, m));
            n_legal += a != '-' && a != '_' && b != '-' && b != '_';
        }
    assert_int_equal(n_legal, 48 + 2); /* castling has two spellings */
}

int main(void) { return tests_run(NULL, NULL); }
