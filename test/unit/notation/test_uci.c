/*
 * test_uci.c - moves in UCI notation: every form, every refusal with its location, castling in chess and Chess960.
 */
#include "notation_support.h"

/* ---- Help ----------------------------------------------------------------------------------------------- */

static void assert_reads_to(const char *fen, const char *text, tby_move wanted)
{
    const tby_position pos = position_of(fen);
    tby_move m = TBY_MOVE_NONE;
    tby_error err = {0};
    char *copy = exact_copy(text, strlen(text));
    if (tby_uci_read(&m, &pos, copy, strlen(text), &err) != TBY_OK)
        fail_msg("%s in %s: %s", text, fen, err.detail);
    if (m != wanted)
        fail_msg("%s in %s: %#x, not %#x", text, fen, m, wanted);
    free(copy);
}

static void assert_bad(const char *fen, const char *text, tby_status status, size_t offset)
{
    const tby_position pos = position_of(fen);
    tby_move m = 0x1234;
    char *copy = exact_copy(text, strlen(text));
    assert_refused(tby_uci_read(&m, &pos, copy, strlen(text), &err), status, offset);
    assert_int_equal(m, 0x1234);
    assert_int_equal(tby_uci_read(&m, &pos, copy, strlen(text), NULL), status);
    free(copy);
}

static void assert_writes(tby_move m, unsigned flags, const char *wanted)
{
    tby_position pos;
    char buf[TBY_UCI_SIZE];
    tby_position_start(&pos);
    assert_int_equal(tby_uci_write(buf, sizeof buf, &pos, m, flags), strlen(wanted));
    assert_string_equal(buf, wanted);
}

static tby_move plain(const char *squares) { return TBY_MOVE(square_of(squares), square_of(squares + 2), 0); }

static tby_move special(const char *squares, tby_kind kind)
{
    return TBY_MOVE(square_of(squares), square_of(squares + 2), kind);
}

/* ---- Reading -------------------------------------------------------------------------------------------- */

TEST(test_uci__reads_plain_moves_and_captures)
{
    assert_reads_to(START_FEN, "e2e4", plain("e2e4"));
    assert_reads_to(START_FEN, "g1f3", plain("g1f3"));
    assert_reads_to("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "e4d5", plain("e4d5"));
    assert_reads_to("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", "e5f6", special("e5f6", TBY_PAWN));
    assert_reads_to("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", "e5e6", plain("e5e6"));
}

TEST(test_uci__reads_promotions_in_either_case)
{
    const char *fen = "3r4/4P3/8/8/8/8/k6K/8 w - - 0 1";
    static const struct {
        const char *letters;
        tby_kind kind;
    } rows[] = {{"qQ", TBY_QUEEN}, {"rR", TBY_ROOK}, {"bB", TBY_BISHOP}, {"nN", TBY_KNIGHT}};
    for (size_t i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++) {
            char text[6] = {'e', '7', 'e', '8', rows[i].letters[k]};
            assert_reads_to(fen, text, special("e7e8", rows[i].kind));
            text[2] = 'd';
            assert_reads_to(fen, text, special("e7d8", rows[i].kind));
        }
}

TEST(test_uci__a_missing_promotion_letter_has_its_own_status)
{
    const char *fen = "8/4P3/8/8/8/8/k6K/8 w - - 0 1";
    assert_bad(fen, "e7e8", TBY_PROMOTION_MISSING, 4);
    assert_bad(fen, "e7d8", TBY_ILLEGAL_MOVE, 2); /* not a move, whatever the letter */
    assert_bad(fen, "e7e8k", TBY_INVALID_UCI, 4);
    assert_bad(fen, "e7e8p", TBY_INVALID_UCI, 4);
    assert_bad(fen, "e7e8=", TBY_INVALID_UCI, 4);
    assert_bad(fen, "e7e8=Q", TBY_INVALID_UCI, 5);
    assert_bad(fen, "h2g2q", TBY_ILLEGAL_MOVE, 4);
    assert_bad(START_FEN, "e2e4q", TBY_ILLEGAL_MOVE, 4);
}

TEST(test_uci__reads_castling_in_all_its_forms)
{
    const char *fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", *black = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1";
    static const char *const short_forms[] = {"e1g1", "e1h1", "O-O", "0-0", "o-o"};
    static const char *const long_forms[] = {"e1c1", "e1a1", "O-O-O", "0-0-0", "o-o-o"};
    for (size_t i = 0; i < 5; i++) {
        assert_reads_to(fen, short_forms[i], special("e1h1", TBY_KING));
        assert_reads_to(fen, long_forms[i], special("e1a1", TBY_KING));
    }
    assert_reads_to(black, "e8g8", special("e8h8", TBY_KING));
    assert_reads_to(black, "O-O-O", special("e8a8", TBY_KING));
    assert_reads_to(fen, "e1f1", plain("e1f1"));
    assert_reads_to(fen, "h1g1", plain("h1g1"));
}

TEST(test_uci__castling_must_be_legal)
{
    assert_bad("5rk1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", TBY_ILLEGAL_MOVE, 2);
    assert_bad("5rk1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1h1", TBY_ILLEGAL_MOVE, 2);
    assert_bad("5rk1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O", TBY_ILLEGAL_MOVE, 0);
    assert_reads_to("5rk1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", special("e1a1", TBY_KING));
    assert_bad("6k1/8/8/8/8/8/8/R3K2R w - - 0 1", "e1g1", TBY_ILLEGAL_MOVE, 2);
    assert_bad("6k1/8/8/8/8/8/8/R3K2R w - - 0 1", "e1h1", TBY_ILLEGAL_MOVE, 2);
    assert_bad("6k1/8/8/8/8/8/8/R3K2R w - - 0 1", "O-O-O", TBY_ILLEGAL_MOVE, 0);
    assert_bad("6k1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1b1", TBY_ILLEGAL_MOVE, 2);
    assert_bad("6k1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g2", TBY_ILLEGAL_MOVE, 2);
}

TEST(test_uci__chess960_castling_is_king_takes_rook)
{
    assert_reads_to("4k3/8/8/8/8/8/8/1RK5 w B - 0 1", "c1b1", special("c1b1", TBY_KING));
    assert_reads_to("4k3/8/8/8/8/8/8/1RK5 w B - 0 1", "O-O-O", special("c1b1", TBY_KING));
    assert_bad("4k3/8/8/8/8/8/8/qRK5 w B - 0 1", "c1b1", TBY_ILLEGAL_MOVE, 2);
    /* The king moves far to its castling square, so only castling can be meant. */
    assert_reads_to("4k3/8/8/8/8/8/8/1K5R w H - 0 1", "b1g1", special("b1h1", TBY_KING));
    /* A king next to its castling square steps there; castling is written with the rook's square. */
    assert_reads_to("4k3/8/8/8/8/8/8/5K1R w H - 0 1", "f1g1", plain("f1g1"));
    assert_reads_to("4k3/8/8/8/8/8/8/5K1R w H - 0 1", "f1h1", special("f1h1", TBY_KING));
    assert_reads_to("4k3/8/8/8/8/8/8/5K1R w H - 0 1", "O-O", special("f1h1", TBY_KING));
    assert_reads_to("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", special("f1g1", TBY_KING));
    assert_reads_to("4k3/8/8/8/8/8/8/RK6 w A - 0 1", "b1c1", plain("b1c1"));
    assert_reads_to("4k3/8/8/8/8/8/8/RK6 w A - 0 1", "b1a1", special("b1a1", TBY_KING));
    assert_bad("4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1g1", TBY_INVALID_UCI, 2);
}

TEST(test_uci__syntax_errors_are_located)
{
    assert_bad(START_FEN, "", TBY_INVALID_UCI, 0);
    assert_bad(START_FEN, "e", TBY_INVALID_UCI, 1);
    assert_bad(START_FEN, "e2", TBY_INVALID_UCI, 2);
    assert_bad(START_FEN, "e2e", TBY_INVALID_UCI, 3);
    assert_bad(START_FEN, "E2e4", TBY_INVALID_UCI, 0);
    assert_bad(START_FEN, "i2e4", TBY_INVALID_UCI, 0);
    assert_bad(START_FEN, "e0e4", TBY_INVALID_UCI, 1);
    assert_bad(START_FEN, "e2-e4", TBY_INVALID_UCI, 2);
    assert_bad(START_FEN, "e2e9", TBY_INVALID_UCI, 3);
    assert_bad(START_FEN, "e2e4 ", TBY_INVALID_UCI, 4);
    assert_bad(START_FEN, " e2e4", TBY_INVALID_UCI, 0);
    assert_bad(START_FEN, "e2e4qq", TBY_INVALID_UCI, 5);
    assert_bad(START_FEN, "e2e2", TBY_INVALID_UCI, 2);
    assert_bad(START_FEN, "Nf3", TBY_INVALID_UCI, 0);
    assert_bad(START_FEN, "O", TBY_INVALID_UCI, 1);
    assert_bad(START_FEN, "O-", TBY_INVALID_UCI, 2);
    assert_bad(START_FEN, "O-0", TBY_INVALID_UCI, 2);
    assert_bad(START_FEN, "O-O-", TBY_INVALID_UCI, 4);
    assert_bad(START_FEN, "O-O+", TBY_INVALID_UCI, 3);
    assert_bad(START_FEN, "O-O-O-O", TBY_INVALID_UCI, 5);
    assert_bad(START_FEN, "000", TBY_INVALID_UCI, 1);
    assert_bad(START_FEN, "00000", TBY_INVALID_UCI, 1);
}

TEST(test_uci__the_null_move_is_refused) { assert_bad(START_FEN, "0000", TBY_ILLEGAL_NULL_MOVE, 0); }

TEST(test_uci__illegal_moves_are_located_at_origin_or_target)
{
    assert_bad(START_FEN, "e3e4", TBY_ILLEGAL_MOVE, 0); /* an empty square */
    assert_bad(START_FEN, "e7e5", TBY_ILLEGAL_MOVE, 0); /* black's pawn */
    assert_bad(START_FEN, "e2e5", TBY_ILLEGAL_MOVE, 2);
    assert_bad(START_FEN, "e2d3", TBY_ILLEGAL_MOVE, 2);
    assert_bad(START_FEN, "a1a2", TBY_ILLEGAL_MOVE, 2);
    assert_bad(START_FEN, "e1g1", TBY_ILLEGAL_MOVE, 2);
    assert_bad("4k3/8/8/8/1b6/2N5/8/4K3 w - - 0 1", "c3e2", TBY_ILLEGAL_MOVE, 2); /* pinned */
    assert_bad("8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1", "d5e6", TBY_ILLEGAL_MOVE, 2); /* en passant */
    assert_bad("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3", "e5f6", TBY_ILLEGAL_MOVE, 2);
}

static void read_any(const char *s, size_t n)
{
    static const char *const fens[] = {START_FEN, "r3k2r/6P1/8/3Pp3/8/8/8/R3K2R w KQkq e6 0 1"};
    for (size_t i = 0; i < 2; i++) {
        const tby_position pos = position_of(fens[i]);
        tby_move m;
        tby_error err = {TBY_OK, {0, 0}, 0, NULL};
        if (tby_uci_read(&m, &pos, s, n, &err) == TBY_OK) {
            assert_true(tby_move_is_legal(&pos, m));
            continue;
        }
        assert_true(err.offset <= n);
        assert_non_null(err.detail);
    }
}

TEST(test_uci__floods_and_mutations_are_safe)
{
    for_each_flood(read_any);
    for_each_mutation("e2e4", read_any);
    for_each_mutation("g7h8q", read_any);
    for_each_mutation("e1g1", read_any);
    for_each_mutation("O-O-O", read_any);
    for_each_mutation("0000", read_any);
}

/* ---- Writing -------------------------------------------------------------------------------------------- */

TEST(test_uci__writes_castling_by_its_squares_and_the_flag)
{
    assert_writes(plain("e2e4"), 0, "e2e4");
    assert_writes(special("e7e8", TBY_QUEEN), 0, "e7e8q");
    assert_writes(special("a2a1", TBY_KNIGHT), 0, "a2a1n");
    assert_writes(special("a2b1", TBY_ROOK), 0, "a2b1r");
    assert_writes(special("h7h8", TBY_BISHOP), 0, "h7h8b");
    assert_writes(special("e5f6", TBY_PAWN), 0, "e5f6");
    assert_writes(special("e1h1", TBY_KING), 0, "e1g1");
    assert_writes(special("e8a8", TBY_KING), 0, "e8c8");
    assert_writes(special("e1h1", TBY_KING), TBY_UCI_CHESS960, "e1h1");
    assert_writes(special("e1g1", TBY_KING), 0, "e1g1"); /* the rook is there */
    assert_writes(special("e1b1", TBY_KING), 0, "e1b1");
    assert_writes(special("d1h1", TBY_KING), 0, "d1h1");
    assert_writes(TBY_MOVE_NULL, 0, "0000");
}

TEST(test_uci__a_small_buffer_holds_the_empty_text)
{
    tby_position pos;
    char buf[TBY_UCI_SIZE] = "xxxxx";
    tby_position_start(&pos);
    assert_int_equal(tby_uci_write(buf, 4, &pos, plain("e2e4"), 0), 4);
    assert_string_equal(buf, "");
    assert_int_equal(tby_uci_write(buf, 5, &pos, plain("e2e4"), 0), 4);
    assert_string_equal(buf, "e2e4");
    assert_int_equal(tby_uci_write(NULL, 0, &pos, plain("e2e4"), 0), 4);
}

static void round_trip(const tby_position *pos)
{
    tby_move moves[TBY_MOVES_MAX], m;
    const size_t n = tby_moves_list(moves, pos);
    for (size_t i = 0; i < n; i++)
        for (unsigned flags = 0; flags <= TBY_UCI_CHESS960; flags++) {
            char buf[TBY_UCI_SIZE];
            const size_t length = tby_uci_write(buf, sizeof buf, pos, moves[i], flags);
            assert_int_equal(tby_uci_read(&m, pos, buf, length, NULL), TBY_OK);
            assert_int_equal(m, moves[i]);
        }
}

TEST(test_uci__every_legal_move_round_trips)
{
    visit_random_games(100, 200, round_trip);
    uint64_t random = 0x7461626979610003ULL;
    for (int i = 0; i < 2000; i++) {
        const tby_position pos = random_board(&random, 1 + random_below(&random, 40));
        round_trip(&pos);
    }
}

int main(void) { return tests_run(NULL, NULL); }
