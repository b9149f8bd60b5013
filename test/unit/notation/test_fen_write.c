/*
 * test_fen_write.c - writing FEN: castling letters and en passant by mode, small buffers, round trips, Chess960.
 */
#include "notation_support.h"

/* Field `n_field`, from 0, of what is written for `fen`, which is read with `read_flags`. */
static void assert_field(const char *fen, unsigned read_flags, unsigned write_flags, int n_field, const char *wanted)
{
    tby_setup setup;
    char buf[TBY_FEN_SIZE];
    assert_int_equal(tby_fen_read(&setup, fen, strlen(fen), read_flags, NULL, NULL), TBY_OK);
    tby_fen_write(buf, sizeof buf, &setup, write_flags);
    char *p = buf;
    for (int i = 0; i < n_field; i++)
        p += strcspn(p, " ") + 1;
    p[strcspn(p, " ")] = '\0';
    assert_string_equal(p, wanted);
}

/* ---- Chess960 ------------------------------------------------------------------------------------------- */

TEST(test_fen_write__xfen_and_shredder_letters)
{
    const char *c13 = "rn2k1r1/ppp1pp1p/3p2p1/5bn1/P7/2N2B2/1PPPPP2/2BNK1RR w Gkq - 4 11";
    assert_field(c13, TBY_FEN_CHESS960, TBY_FEN_XFEN, 2, "Gkq");
    assert_field(c13, TBY_FEN_CHESS960, TBY_FEN_SHREDDER, 2, "Gga");
    assert_field(c13, TBY_FEN_CHESS960, 0, 2, "Gga");
    assert_field(c13, 0, TBY_FEN_XFEN, 2, "Gkq"); /* the file letter shows that KQkq are X-FEN's */
    const char *c11 = "r2qk2r/pppppppp/8/8/8/8/PPPPPPPP/R2KQ2R w KQkq - 0 1";
    assert_field(c11, TBY_FEN_CHESS960, TBY_FEN_SHREDDER, 2, "HAha");
    assert_field(c11, TBY_FEN_CHESS960, TBY_FEN_XFEN, 2, "KQkq");
    assert_field(c11, TBY_FEN_CHESS960, 0, 2, "HAha");
    assert_field(c11, TBY_FEN_CHESS960, TBY_FEN_SHREDDER | TBY_FEN_XFEN, 2, "HAha");
    assert_field("4k3/8/8/8/8/8/8/1RK5 w B - 0 1", 0, 0, 2, "B");
    assert_field("4k3/8/8/8/8/8/8/1RK5 w B - 0 1", 0, TBY_FEN_XFEN, 2, "Q");
    assert_field("4k3/8/8/8/8/8/8/1RK5 w Q - 0 1", TBY_FEN_CHESS960, TBY_FEN_SHREDDER, 2, "B");
    assert_field("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", 0, TBY_FEN_SHREDDER, 2, "HAha");
}

TEST(test_fen_write__kqkq_mean_the_outermost_rook_in_chess960)
{
    assert_field("4k3/8/8/8/8/8/8/RR2K1RR w KQ - 0 1", TBY_FEN_CHESS960, TBY_FEN_SHREDDER, 2, "HA");
    assert_field("4k3/8/8/8/8/8/8/1RR1KRR1 w KQ - 0 1", TBY_FEN_CHESS960, TBY_FEN_SHREDDER, 2, "GB");
    assert_field("4k3/8/8/8/8/8/8/RR2K1RR w GB - 0 1", TBY_FEN_CHESS960, TBY_FEN_XFEN, 2, "GB");
    assert_field("1rkr4/8/8/8/8/8/8/4K3 b kq - 0 1", TBY_FEN_CHESS960, TBY_FEN_SHREDDER, 2, "db");
    assert_field("1rkr4/8/8/8/8/8/8/4K3 b kq - 0 1", 0, TBY_FEN_SHREDDER, 2, "-");
}

TEST(test_fen_write__all_960_starts_round_trip_in_every_spelling)
{
    static const unsigned modes[][2] = {{0, 0},
                                        {TBY_FEN_CHESS960, TBY_FEN_XFEN},
                                        {0, TBY_FEN_SHREDDER},
                                        {TBY_FEN_CHESS960, TBY_FEN_SHREDDER},
                                        {TBY_FEN_STRICT, 0}};
    for (unsigned number = 0; number < 960; number++)
        for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
            tby_setup setup, again;
            char buf[TBY_FEN_SIZE];
            assert_true(tby_setup_chess960(&setup, number));
            const size_t n = tby_fen_write(buf, sizeof buf, &setup, modes[i][1]);
            assert_int_equal(tby_fen_read(&again, buf, n, modes[i][0], NULL, NULL), TBY_OK);
            assert_true(tby_setup_equal(&setup, &again));
            if (i == 1)
                assert_non_null(strstr(buf, " w KQkq - 0 1"));
        }
}

/* ---- Raw reading ---------------------------------------------------------------------------------------- */

TEST(test_fen_write__raw_reading_keeps_what_the_board_does_not_support)
{
    static const struct {
        const char *fen;
        tby_bitboard castling;
    } rows[] = {
        {"8/8/8/8/8/8/8/8 w KQkq - 0 1", 0x8100000000000081ULL},
        {"4k3/8/8/8/8/8/8/4K3 w K - 0 1", 1ULL << 7},
        {"4k3/8/8/8/8/8/8/4K3 w q - 0 1", 1ULL << 56},
        {"4k3/8/8/8/8/8/8/4K3 w Cd - 0 1", 1ULL << 2 | 1ULL << 59},
        {"4k3/8/8/8/8/8/8/4K1RR w HG - 0 1", 3ULL << 6},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const tby_setup setup = setup_of(rows[i].fen);
        char buf[TBY_FEN_SIZE];
        assert_true(setup.castling == rows[i].castling);
        assert_true(tby_setup_faults(&setup) & TBY_FAULT_CASTLING);
        tby_fen_write(buf, sizeof buf, &setup, 0);
        const tby_setup again = setup_of(buf);
        assert_true(tby_setup_equal(&setup, &again));
    }
}

/* ---- Writing -------------------------------------------------------------------------------------------- */

/* rules.md, B1 to B9. The columns: always, X-FEN, legal. */
TEST(test_fen_write__en_passant_modes)
{
    static const char *const rows[][4] = {
        {"8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1", "e6", "e6", "-"},
        {"1b6/8/8/3Pp3/8/8/4k2K/8 w - e6 0 1", "e6", "e6", "-"},
        {"4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "d6", "d6", "-"},
        {"8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", "d3", "d3", "-"},
        {"7k/4b3/8/2pP4/8/K7/8/8 w - c6 0 2", "c6", "c6", "-"},
        {"8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", "d3", "d3", "d3"},
        {"rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", "f6", "f6", "f6"},
        {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "e3", "-", "-"},
        {"6k1/1p2p1r1/rP1pR3/2pP1pPp/p1P2P1P/R5K1/8/8 w - h6 0 2", "h6", "h6", "-"},
        {"8/8/8/3Pp3/8/8/8/8 w - e6 0 1", "e6", "e6",
         "e6"}, /* without a king only "a pawn stands ready" can be checked */
        {"8/8/8/3Pp3/8/8/8/KK6 w - e6 0 1", "e6", "e6", "e6"}, /* nor with two kings */
        {"7k/8/8/p6P/8/8/8/7K w - a6 0 1", "a6", "-", "-"},    /* not around the edge of the board */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_field(rows[i][0], 0, 0, 3, rows[i][1]);
        assert_field(rows[i][0], 0, TBY_FEN_EP_XFEN, 3, rows[i][2]);
        assert_field(rows[i][0], 0, TBY_FEN_EP_LEGAL, 3, rows[i][3]);
    }
    assert_field("4k3/8/8/3P4/8/8/8/4K3 w - e6 0 1", TBY_FEN_RAW, TBY_FEN_EP_XFEN, 3, "-");
}

TEST(test_fen_write__epd_is_the_first_four_fields)
{
    const tby_setup setup = setup_of("r3k2r/8/8/8/4P3/8/8/R3K2R b Kq e3 5 17");
    char buf[TBY_FEN_SIZE];
    tby_fen_write(buf, sizeof buf, &setup, TBY_FEN_EPD);
    assert_string_equal(buf, "r3k2r/8/8/8/4P3/8/8/R3K2R b Kq e3");
    tby_fen_write(buf, sizeof buf, &setup, TBY_FEN_EPD | TBY_FEN_EP_XFEN | TBY_FEN_SHREDDER);
    assert_string_equal(buf, "r3k2r/8/8/8/4P3/8/8/R3K2R b Ha -");
}

TEST(test_fen_write__a_small_buffer_holds_the_empty_text)
{
    const tby_setup setup = setup_of(START_FEN);
    for (size_t cap = 0; cap < TBY_FEN_SIZE + 2; cap++) {
        char *buf = malloc(cap + 1);
        assert_non_null(buf);
        memset(buf, 'x', cap + 1);
        assert_int_equal(tby_fen_write(buf, cap, &setup, 0), strlen(START_FEN));
        if (cap > strlen(START_FEN))
            assert_string_equal(buf, START_FEN);
        else if (cap > 0)
            assert_string_equal(buf, "");
        assert_int_equal(buf[cap], 'x');
        free(buf);
    }
}

TEST(test_fen_write__the_longest_text_fits)
{
    tby_setup setup;
    char buf[TBY_FEN_SIZE];
    tby_setup_clear(&setup);
    for (tby_square square = 0; square < 64; square++)
        tby_setup_put(&setup, square, TBY_PIECE(TBY_BLACK, TBY_PAWN));
    setup.castling = ~0ULL;
    setup.en_passant = 20;
    setup.clock = UINT16_MAX;
    setup.fullmove = UINT32_MAX;
    assert_int_equal(tby_fen_write(buf, sizeof buf, &setup, 0), 71 + 2 + 1 + 16 + 1 + 2 + 1 + 5 + 1 + 10);
    memset(&setup, 0xff, sizeof setup);
    assert_true(tby_fen_write(buf, sizeof buf, &setup, 0) < sizeof buf);
    assert_int_equal(strspn(buf, "?"), 8);
}

static void round_trip(const tby_position *pos)
{
    static const unsigned modes[][2] = {{TBY_FEN_STRICT, 0},
                                        {0, TBY_FEN_SHREDDER},
                                        {TBY_FEN_STRICT | TBY_FEN_CHESS960, TBY_FEN_XFEN},
                                        {TBY_FEN_CHESS960 | TBY_FEN_RAW, TBY_FEN_SHREDDER}};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        char buf[TBY_FEN_SIZE];
        tby_setup setup;
        tby_position again;
        const size_t n = tby_fen_write_position(buf, sizeof buf, pos, modes[i][1]);
        assert_int_equal(tby_fen_read(&setup, buf, n, modes[i][0], NULL, NULL), TBY_OK);
        assert_int_equal(tby_position_init(&again, &setup, TBY_FAULTS_UNREACHABLE, NULL), TBY_OK);
        assert_memory_equal(pos, &again, sizeof again);
    }
}

TEST(test_fen_write__positions_of_random_games_round_trip) { visit_random_games(600, 200, round_trip); }

TEST(test_fen_write__random_boards_round_trip)
{
    uint64_t random = 0x7461626979610002ULL;
    for (int i = 0; i < 20000; i++) {
        const tby_position pos = random_board(&random, 1 + random_below(&random, 40));
        round_trip(&pos);
    }
}

/* Writes the placement square by square, whatever bits the board has. */
static void spell_placement(char *p, const tby_board *b)
{
    for (int rank = 7; rank >= 0; rank--) {
        int gap = 0;
        for (int file = 0; file < 8; file++) {
            unsigned piece = 0;
            for (int i = 0; i < 4; i++)
                piece |= (unsigned)(b->plane[i] >> (8 * rank + file) & 1) << i;
            gap += piece % 8 == 0;
            if (gap && (piece % 8 != 0 || file == 7))
                *p++ = (char)('0' + gap);
            if (piece % 8 != 0) {
                *p++ = "?PBNRKQ??pbnrkq?"[piece];
                gap = 0;
            }
        }
        *p++ = rank ? '/' : '\0';
    }
}

TEST(test_fen_write__placements_of_any_bits_are_written_square_by_square)
{
    uint64_t random = 0x7461626979610003ULL;
    for (int n = 0; n < 20000; n++) {
        tby_setup setup;
        char wanted[TBY_FEN_SIZE], buf[TBY_FEN_SIZE];
        tby_setup_clear(&setup);
        for (int i = 0; i < 4; i++) /* from full to nearly empty */
            for (setup.board.plane[i] = ~0ULL; random_below(&random, 3 + (unsigned)n % 4) < 2 + (unsigned)n % 4;)
                setup.board.plane[i] &= random ^ random >> 29;
        spell_placement(wanted, &setup.board);
        tby_fen_write(buf, sizeof buf, &setup, 0);
        buf[strcspn(buf, " ")] = '\0';
        assert_string_equal(buf, wanted);
    }
}

/* ---- Positions and errors ------------------------------------------------------------------------------- */

TEST(test_fen_write__reading_a_position_refuses_faults)
{
    tby_position pos, start;
    tby_error err;
    char buf[TBY_ERROR_SIZE];
    const char *check = "4k3/8/8/8/8/8/8/4R1K1 w - - 0 1";
    tby_position_start(&start);
    assert_int_equal(tby_fen_read_position(&pos, START_FEN, strlen(START_FEN), 0, NULL, NULL), TBY_OK);
    assert_memory_equal(&pos, &start, sizeof pos);
    assert_int_equal(tby_fen_read_position(&pos, check, strlen(check), 0, NULL, &err), TBY_ILLEGAL_POSITION);
    assert_memory_equal(&pos, &start, sizeof pos);
    tby_fen_error_write(buf, sizeof buf, &err);
    assert_string_equal(buf, "fen: illegal position: the side that is not to move is in check");
    assert_int_equal(tby_fen_read_position(&pos, check, 5, 0, NULL, &err), TBY_INVALID_PLACEMENT);
    assert_int_equal(err.offset, 5);
}

TEST(test_fen_write__error_sentences_fit_or_are_empty)
{
    const tby_error err = {TBY_INVALID_PLACEMENT, {7, 9}, 13, "rank %d has %d squares"};
    const char *sentence = "fen: field 1 (placement), column 14: rank 7 has 9 squares";
    char buf[TBY_ERROR_SIZE];
    assert_int_equal(tby_fen_error_write(buf, sizeof buf, &err), strlen(sentence));
    assert_string_equal(buf, sentence);
    assert_int_equal(tby_fen_error_write(buf, 10, &err), strlen(sentence));
    assert_string_equal(buf, "");
    assert_int_equal(tby_fen_error_write(NULL, 0, &err), strlen(sentence));
    const tby_error bare = {TBY_INVALID_SIDE, {0, 0}, 99, NULL};
    tby_fen_error_write(buf, sizeof buf, &bare);
    assert_string_equal(buf, "fen: field 2 (side to move), column 100");
}

int main(void) { return tests_run(NULL, NULL); }
