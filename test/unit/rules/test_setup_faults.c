/*
 * test_setup_faults.c - every fault on a board that has it, no fault in any game, and hostile bytes.
 */
#include "support.h"

static void check_faults(const char *fen, tby_faults expected)
{
    const tby_setup setup = setup_of(fen);
    const tby_faults faults = tby_setup_faults(&setup);
    if (faults != expected)
        fail_msg("%s: faults %x, expected %x", fen, faults, expected);
}

TEST(test_setup_faults__kings)
{
    check_faults("8/8/8/8/8/8/8/8 w - - 0 1", TBY_FAULT_NO_WHITE_KING | TBY_FAULT_NO_BLACK_KING);
    check_faults("4k3/8/8/8/8/8/8/8 w - - 0 1", TBY_FAULT_NO_WHITE_KING);
    check_faults("8/8/8/8/8/8/8/4K3 w - - 0 1", TBY_FAULT_NO_BLACK_KING);
    check_faults("4k3/8/8/8/8/8/8/K6K w - - 0 1", TBY_FAULT_MANY_WHITE_KINGS);
    check_faults("k6k/8/8/8/8/8/8/4K3 b - - 0 1", TBY_FAULT_MANY_BLACK_KINGS);
    check_faults("4kK2/8/8/8/8/8/8/8 w - - 0 1", TBY_FAULT_KINGS_ADJACENT | TBY_FAULT_OPPONENT_CHECK);
    check_faults("K6k/8/8/8/8/8/8/8 w - - 0 1", 0);
}

TEST(test_setup_faults__pawns_and_checks_of_the_side_not_to_move)
{
    check_faults("2P5/8/8/3p4/4bK2/8/4k1p1/2Q5 w - - 12 81", TBY_FAULT_PAWN_BACKRANK);
    check_faults("4k3/8/8/8/8/8/8/4Kp2 w - - 0 1", TBY_FAULT_PAWN_BACKRANK);
    check_faults("4k3/8/8/8/4Q3/8/8/4K3 w - - 0 1", TBY_FAULT_OPPONENT_CHECK);
    check_faults("4k3/8/8/8/4Q3/8/8/4K3 b - - 0 1", 0);
}

TEST(test_setup_faults__castling_rights_need_king_and_rook)
{
    static const struct {
        const char *board;
        tby_bitboard castling;
        bool is_sound;
    } rows[] = {
        {"r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", 0x8100000000000081ULL, true},
        {"4k3/8/8/8/8/8/8/1RK3R1 w - - 0 1", 0x42, true},
        {"4k3/8/8/8/8/8/8/RR2K1RR w - - 0 1", 0x42, true}, /* the inner rooks may be the original ones */
        {"r2qk2r/8/8/8/8/8/8/R2K3R w - - 0 1", 0x8100000000000081ULL,
         true},                                           /* king and rooks differ between the sides: shuffle chess */
        {"4k3/8/8/8/8/8/8/R3K3 w - - 0 1", 0x80, false},  /* no rook */
        {"4k3/8/8/8/8/8/8/r3K3 w - - 0 1", 0x01, false},  /* a rook of the other side */
        {"4k3/8/8/8/8/8/4K3/R6R w - - 0 1", 0x81, false}, /* the king is not on its back rank */
        {"4k3/8/8/8/8/8/8/RR2K3 w - - 0 1", 0x03, false}, /* two on one side */
        {"4k3/8/8/8/8/8/8/K6R w - - 0 1", 0x80, false},   /* a king never starts in a corner */
        {"4k3/8/8/8/8/8/8/R6K w - - 0 1", 0x01, false},
        {"4k3/8/8/8/8/8/R7/4K3 w - - 0 1", 0x100, false}, /* not on a back rank */
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", 0x10, false},   /* the king's own square */
        {"R3k3/8/8/8/8/8/8/4K3 b - - 0 1", 1ULL << 56, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tby_setup setup = setup_of(rows[i].board);
        setup.castling = rows[i].castling;
        const bool is_sound = !(tby_setup_faults(&setup) & TBY_FAULT_CASTLING);
        if (is_sound != rows[i].is_sound)
            fail_msg("%s with %llx", rows[i].board, (unsigned long long)rows[i].castling);
    }
}

TEST(test_setup_faults__en_passant_needs_the_pawn_that_passed)
{
    check_faults("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 0);
    check_faults("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0);
    check_faults("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e6 0 1", TBY_FAULT_EN_PASSANT);
    check_faults("rnbqkbnr/pppppppp/8/8/8/4P3/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", TBY_FAULT_EN_PASSANT);
    check_faults("rnbqkbnr/pppppppp/8/8/4P3/8/PPPPP1PP/RNBQKBNR b KQkq e3 0 1", TBY_FAULT_EN_PASSANT);
    check_faults("rnbqkbnr/pppppppp/8/8/4p3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
                 TBY_FAULT_EN_PASSANT | TBY_FAULT_MANY_BLACK_PIECES | TBY_FAULT_MANY_BLACK_PAWNS);
    check_faults("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e3 0 1", TBY_FAULT_EN_PASSANT);
}

TEST(test_setup_faults__too_many_pieces_including_promotions)
{
    check_faults("4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNQ w - - 0 1", TBY_FAULT_WHITE_PROMOTIONS);
    check_faults("4k3/8/8/8/8/8/PPPPPPP1/RNBQKBNQ w - - 0 1", 0);
    check_faults("4k3/pppppppp/8/8/8/8/8/1nbnKn2 b - - 0 1", TBY_FAULT_BLACK_PROMOTIONS);
    check_faults("2b1k3/pppppppp/8/8/b7/8/8/4K3 b - - 0 1", TBY_FAULT_BLACK_PROMOTIONS); /* both on light squares */
    check_faults("2b1kb2/pppppppp/8/8/8/8/8/4K3 b - - 0 1", 0);
    check_faults("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", TBY_FAULT_MANY_WHITE_PAWNS);
    check_faults("4k3/8/8/8/8/PP6/PPPPPPPP/RNBQKBNR w - - 0 1",
                 TBY_FAULT_MANY_WHITE_PAWNS | TBY_FAULT_MANY_WHITE_PIECES);
    check_faults("3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1", 0);
    check_faults("QQQQQQBk/Q6B/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1",
                 TBY_FAULT_MANY_WHITE_PIECES | TBY_FAULT_WHITE_PROMOTIONS);
}

TEST(test_setup_faults__checks_that_no_move_can_have_given)
{
    check_faults("8/8/N7/2k5/N7/8/8/3K4 b - - 0 1", TBY_FAULT_STEPPER_CHECKERS);
    check_faults("3R4/8/q4k2/2B5/1NK5/3b4/8/8 w - - 0 1", TBY_FAULT_ALIGNED_CHECKERS);
    check_faults("1k1q1r2/8/8/6n1/8/5Kq1/8/8 w - - 0 1", TBY_FAULT_MANY_CHECKERS);
    check_faults("rnbqk1nr/bb3p1p/1q2r3/2pPp3/3P4/7P/1PP1NpPP/R1BQKBNR w KQkq c6 0 1", TBY_FAULT_EN_PASSANT_CHECK);
    check_faults("7k/4b3/8/2pP4/8/K7/8/8 w - c6 0 2", 0);  /* the pawn opened the bishop's line */
    check_faults("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", 0);  /* the pawn itself gives check */
    check_faults("1b6/8/8/3Pp3/8/8/4k2K/8 w - e6 0 1", 0); /* accepted: there is no check to explain */
}

/* En passant can open a file and a diagonal at once: two checks, neither by the pawn that moved. */
TEST(test_setup_faults__double_check_by_en_passant_is_possible)
{
    tby_position pos = position_of("4R1K1/1B1p4/8/4P3/4k3/8/8/8 b - - 0 1");
    play_line(&pos, "d7d5 e5d6", NULL);
    tby_setup setup;
    tby_position_setup(&setup, &pos);
    assert_int_equal(tby_position_checkers(&pos), 1ULL << square_of("e8") | 1ULL << square_of("b7"));
    assert_int_equal(tby_setup_faults(&setup), 0);
}

static void expect_no_faults(const tby_position *pos)
{
    tby_setup setup;
    tby_position again;
    tby_position_setup(&setup, pos);
    assert_int_equal(tby_setup_faults(&setup), 0);
    assert_int_equal(tby_position_init(&again, &setup, 0, NULL), TBY_OK);
    assert_memory_equal(&again, pos, sizeof again);
}

TEST(test_setup_faults__no_position_of_a_game_has_a_fault) { visit_random_games(400, 300, expect_no_faults); }

static void make_kind_seven(tby_board *b, tby_square square)
{
    for (int i = 0; i < 3; i++)
        b->plane[i] |= 1ULL << square;
}

TEST(test_setup_faults__malformed_setups_are_faults)
{
    tby_setup setup;
#define MALFORMED(change, expected)                                                                                    \
    do {                                                                                                               \
        tby_setup_start(&setup);                                                                                       \
        change;                                                                                                        \
        assert_int_equal(tby_setup_faults(&setup), expected);                                                          \
    } while (0)
    MALFORMED(setup.side = 2, TBY_FAULT_MALFORMED);
    MALFORMED(setup.fullmove = 0, TBY_FAULT_MALFORMED);
    MALFORMED(setup.fullmove = TBY_FULLMOVE_MAX + 1, TBY_FAULT_MALFORMED);
    MALFORMED(setup.fullmove = TBY_FULLMOVE_MAX, 0);
    MALFORMED(setup.clock = TBY_CLOCK_MAX, 0);
    MALFORMED(setup.board.plane[3] |= 1ULL << 30, TBY_FAULT_MALFORMED);
    MALFORMED(make_kind_seven(&setup.board, square_of("e1")),
              TBY_FAULT_MALFORMED | TBY_FAULT_NO_WHITE_KING | TBY_FAULT_CASTLING);
    for (int square = 65; square < 256; square++)
        MALFORMED(setup.en_passant = (tby_square)square, TBY_FAULT_EN_PASSANT);
#undef MALFORMED
}

/* Mostly nonsense; a setup without faults must be playable. */
TEST(test_setup_faults__any_bytes_are_judged)
{
    uint64_t random = 88172645463325252ULL;
    for (unsigned i = 0; i < 200000; i++) {
        tby_setup setup;
        tby_position pos;
        uint8_t bytes[sizeof setup];
        for (size_t at = 0; at < sizeof bytes; at++)
            bytes[at] = (uint8_t)random_next(&random);
        memcpy(&setup, bytes, sizeof setup);
        for (unsigned thin = i % 7; thin; thin--) /* sparser boards */
            for (int plane = 0; plane < 4; plane++)
                setup.board.plane[plane] &= random_next(&random);
        if (tby_position_init(&pos, &setup, ~0u, NULL) == TBY_OK)
            assert_true(tby_position_is_consistent(&pos) && tby_moves_count(&pos) <= TBY_MOVES_MAX);
    }
}

TEST(test_setup_faults__init_refuses_with_the_first_fault)
{
    const tby_setup two = setup_of("4k3/8/8/8/4Q3/8/8/4KP2 w - - 0 1");
    tby_position pos = {.ply = 77};
    tby_error err = {0};
    assert_int_equal(tby_position_init(&pos, &two, ~0u, &err), TBY_ILLEGAL_POSITION);
    assert_int_equal(err.status, TBY_ILLEGAL_POSITION);
    assert_string_equal(err.detail, tby_fault_text(TBY_FAULT_PAWN_BACKRANK));
    assert_int_equal(pos.ply, 77);
    assert_int_equal(tby_position_init(&pos, &two, 0, NULL), TBY_ILLEGAL_POSITION);
}

TEST(test_setup_faults__init_accepts_faults_that_are_allowed)
{
    const tby_setup setup = setup_of("8/8/N7/2k5/N7/8/8/3K4 b - - 0 1");
    tby_position pos;
    assert_int_equal(tby_position_init(&pos, &setup, 0, NULL), TBY_ILLEGAL_POSITION);
    assert_int_equal(tby_position_init(&pos, &setup, TBY_FAULT_MANY_CHECKERS, NULL), TBY_ILLEGAL_POSITION);
    assert_int_equal(tby_position_init(&pos, &setup, TBY_FAULT_STEPPER_CHECKERS, NULL), TBY_OK);
}

TEST(test_setup_faults__every_fault_has_text_and_name)
{
    const tby_faults all = 0x3ff | TBY_FAULTS_UNREACHABLE;
    for (int bit = 0; bit < 32; bit++) {
        const tby_faults fault = (tby_faults)1 << bit;
        assert_int_equal(tby_fault_text(fault) != NULL, (all & fault) != 0);
        assert_int_equal(tby_fault_name(fault) != NULL, (all & fault) != 0);
    }
    assert_string_equal(tby_fault_name(TBY_FAULT_MANY_CHECKERS), "MANY_CHECKERS");
    assert_null(tby_fault_text(0));
    assert_null(tby_fault_text(3));
}

int main(void) { return tests_run(NULL, NULL); }
