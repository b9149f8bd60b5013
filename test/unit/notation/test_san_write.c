/*
 * test_san_write.c - writing standard algebraic notation as the PGN standard defines it, compared with a second, slow
 * writer; long algebraic notation; and reading back everything that is written.
 */
#include "san_support.h"

/* ---- Writing --------------------------------------------------------------------------------------------- */

static void writes(const char *fen, const char *uci, const char *san, const char *lan)
{
    const tby_position pos = position_of(fen);
    const tby_move m = move_of(&pos, uci);
    char buf[TBY_SAN_SIZE];
    if (m == TBY_MOVE_NONE)
        fail_msg("%s: %s is not legal", fen, uci);
    assert_int_equal(tby_san_write(buf, sizeof buf, &pos, m), strlen(san));
    assert_string_equal(buf, san);
    assert_int_equal(tby_lan_write(buf, sizeof buf, &pos, m), strlen(lan));
    assert_string_equal(buf, lan);
}

TEST(test_san_write__writes_only_the_origin_that_is_needed)
{
    writes("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2", "Ng1-e2");
    writes("4k2r/r3bppp/p1p5/3pR3/Pp1P1B2/7P/1PP2PP1/R5K1 w k - 0 37", "a1e1", "Rae1", "Ra1-e1");
    writes("4k2r/r3bppp/p1p5/3pR3/Pp1P1B2/7P/1PP2PP1/R5K1 w k - 0 37", "e5e1", "Ree1", "Re5-e1");
    writes("8/8/6K1/4k3/4N3/p4r2/N3N3/8 w - - 3 82", "a2c3", "Nac3", "Na2-c3");
    writes("8/8/6K1/4k3/4N3/p4r2/N3N3/8 w - - 3 82", "e2c3", "Ne2c3", "Ne2-c3");
    writes("8/8/6K1/4k3/4N3/p4r2/N3N3/8 w - - 3 82", "e4c3", "N4c3", "Ne4-c3");
    writes("8/k7/8/8/4Q2Q/8/8/1K5Q w - - 0 1", "e4e1", "Qee1", "Qe4-e1");
    writes("8/k7/8/8/4Q2Q/8/8/1K5Q w - - 0 1", "h1e1", "Q1e1", "Qh1-e1");
    writes("8/k7/8/8/4Q2Q/8/8/1K5Q w - - 0 1", "h4e1", "Qh4e1", "Qh4-e1");
    writes("rnbqkb1r/1ppp1pp1/p3pn1p/8/3N4/3P4/PPPNPPPP/R1BQKB1R w KQkq - 0 5", "d2f3", "N2f3", "Nd2-f3");
}

TEST(test_san_write__writes_captures_and_promotions)
{
    writes(A6_FEN, "e4d5", "exd5", "e4xd5");
    writes(B7_FEN, "e5f6", "exf6", "e5xf6");
    writes(PROMOTION_FEN, "e7e8q", "e8=Q", "e7-e8=Q");
    writes(PROMOTION_FEN, "e7e8n", "e8=N", "e7-e8=N");
    writes("3r4/4P1k1/8/8/8/8/7K/8 w - - 0 1", "e7d8n", "exd8=N", "e7xd8=N");
    writes("3r2k1/4P3/8/8/8/8/7K/8 w - - 0 1", "e7d8q", "exd8=Q+", "e7xd8=Q+");
    writes("3r2k1/4Pppp/8/8/8/8/7K/8 w - - 0 1", "e7d8r", "exd8=R#", "e7xd8=R#");
    writes("4k3/8/8/3p4/8/4N3/8/4K3 w - - 0 1", "e3d5", "Nxd5", "Ne3xd5");
    writes("4k3/8/8/8/8/8/4p3/4K3 w - - 0 1", "e1e2", "Kxe2", "Ke1xe2");
    writes("2k5/8/8/2n1p3/8/3N1N2/8/2K5 w - - 0 1", "d3e5", "Ndxe5", "Nd3xe5");
}

TEST(test_san_write__writes_check_and_mate)
{
    writes(MATE_FEN, "d8h4", "Qh4#", "Qd8-h4#");
    writes(A6_FEN, "f1b5", "Bb5+", "Bf1-b5+");
    writes("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+", "O-O+");
    writes("3k4/8/1P2Q3/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O#", "O-O-O#");
    writes("7k/8/6K1/5Q2/8/8/8/8 w - - 149 200", "f5f7", "Qf7", "Qf5-f7"); /* stalemate has no mark */
    writes("4k3/8/8/8/8/8/4N3/4RK2 w - - 0 1", "e2c3", "Nc3+", "Ne2-c3+"); /* discovered check */
    writes("8/8/8/2k5/3Pp3/8/8/B3K3 b - d3 0 1", "e4d3", "exd3", "e4xd3");
    writes("8/8/8/8/1pP5/8/1K3k2/8 b - c3 0 1", "b4c3", "bxc3+", "b4xc3+");
}

TEST(test_san_write__buffers_of_every_size)
{
    const tby_position pos = position_of("8/k7/8/8/4Q2Q/8/8/1K5Q w - - 0 1");
    const tby_move m = move_of(&pos, "h4e1");
    for (size_t cap = 0; cap <= TBY_SAN_SIZE; cap++) {
        char *san = malloc(cap ? cap : 1), *lan = malloc(cap ? cap : 1);
        assert_int_equal(tby_san_write(cap ? san : NULL, cap, &pos, m), 5);
        assert_int_equal(tby_lan_write(cap ? lan : NULL, cap, &pos, m), 6);
        if (cap > 0) {
            assert_string_equal(san, cap > 5 ? "Qh4e1" : "");
            assert_string_equal(lan, cap > 6 ? "Qh4-e1" : "");
        }
        free(san);
        free(lan);
    }
}

TEST(test_san_write__the_longest_texts_fit)
{
    writes("K7/8/8/8/1Q1Q4/8/1Q1n3k/8 w - - 0 1", "b4d2", "Qb4xd2+", "Qb4xd2+");
    writes("3r2k1/4P3/8/8/8/8/7K/8 w - - 0 1", "e7d8q", "exd8=Q+", "e7xd8=Q+");
    writes("r3k3/8/1p2q3/8/8/8/8/3K4 b q - 0 1", "e8c8", "O-O-O+", "O-O-O+");
}

/* ---- Against a second, slow writer ----------------------------------------------------------------------- */

/* The rule as the standard words it, using only the list of legal moves. */
static void slow_san(char *buf, const tby_position *pos, const tby_move *moves, size_t n_moves, tby_move m)
{
    const tby_square from = TBY_MOVE_FROM(m), to = TBY_MOVE_TO(m);
    const tby_kind kind = TBY_PIECE_KIND(tby_board_piece(&pos->board, from));
    const bool captures = tby_move_captured(pos, m) != TBY_NO_PIECE;
    size_t n_others = 0, n_file = 0, n_rank = 0;
    char *p = buf;
    if (TBY_MOVE_IS_CASTLING(m)) {
        p += sprintf(p, "%s", to > from ? "O-O" : "O-O-O");
    } else {
        for (size_t i = 0; i < n_moves; i++) {
            const tby_square other = TBY_MOVE_FROM(moves[i]);
            if (other == from || TBY_MOVE_TO(moves[i]) != to || TBY_MOVE_IS_CASTLING(moves[i]) ||
                TBY_PIECE_KIND(tby_board_piece(&pos->board, other)) != kind)
                continue;
            n_others++;
            n_file += TBY_FILE(other) == TBY_FILE(from);
            n_rank += TBY_RANK(other) == TBY_RANK(from);
        }
        if (kind != TBY_PAWN)
            *p++ = " PBNRKQ"[kind];
        if (kind == TBY_PAWN ? captures : n_others && (!n_file || n_rank))
            *p++ = (char)('a' + TBY_FILE(from));
        if (kind != TBY_PAWN && n_others && n_file)
            *p++ = (char)('1' + TBY_RANK(from));
        if (captures)
            *p++ = 'x';
        p += sprintf(p, "%c%c", 'a' + TBY_FILE(to), '1' + TBY_RANK(to));
        if (TBY_MOVE_IS_PROMOTION(m))
            p += sprintf(p, "=%c", " PBNRKQ"[TBY_MOVE_KIND(m)]);
    }
    tby_position after = *pos;
    tby_position_play(&after, m, NULL);
    if (tby_position_is_check(&after))
        *p++ = tby_moves_count(&after) ? '+' : '#';
    *p = '\0';
}

static void expect_slow_san(const tby_position *pos)
{
    tby_move moves[TBY_MOVES_MAX];
    const size_t n = tby_moves_list(moves, pos);
    for (size_t i = 0; i < n; i++) {
        char fast[TBY_SAN_SIZE], slow[32];
        assert_true(tby_san_write(fast, sizeof fast, pos, moves[i]) < sizeof fast);
        slow_san(slow, pos, moves, n, moves[i]);
        assert_string_equal(fast, slow);
    }
}

/* ---- Round trips ----------------------------------------------------------------------------------------- */

static void expect_read_back(const tby_position *pos, const char *text, size_t n, unsigned flags, tby_move m,
                             unsigned expected_warnings)
{
    tby_move back = TBY_MOVE_NONE;
    unsigned warnings = 0xdead;
    tby_error err = {0};
    if (tby_san_read(&back, pos, text, n, flags, &warnings, &err) != TBY_OK)
        fail_msg("%s: %s", text, err.detail);
    if (back != m || (warnings & ~expected_warnings))
        fail_msg("%s: another move, or warnings 0x%x", text, warnings);
}

static void expect_round_trip(const tby_position *pos)
{
    tby_move moves[TBY_MOVES_MAX];
    const size_t n = tby_moves_list(moves, pos);
    for (size_t i = 0; i < n; i++) {
        char text[TBY_SAN_SIZE];
        const size_t length = tby_san_write(text, sizeof text, pos, moves[i]);
        expect_read_back(pos, text, length, 0, moves[i], 0);
        expect_read_back(pos, text, length, TBY_SAN_STRICT, moves[i], 0);
    }
}

/* Long algebraic notation is read as well. */
static void expect_long_round_trip(const tby_position *pos)
{
    tby_move moves[TBY_MOVES_MAX];
    const size_t n = tby_moves_list(moves, pos);
    for (size_t i = 0; i < n; i++) {
        char text[TBY_SAN_SIZE];
        const size_t length = tby_lan_write(text, sizeof text, pos, moves[i]);
        assert_true(length < sizeof text);
        expect_read_back(pos, text, length, 0, moves[i], CAPTURE | ORIGIN | COORDINATE);
    }
}

#ifdef TBY_TEST_QUICK
enum { N_POSITIONS = 2000, N_SAMPLES = 500 };
#else
enum { N_POSITIONS = 100000, N_SAMPLES = 5000 };
#endif

static size_t n_visited;

static void visit_round_trip(const tby_position *pos)
{
    n_visited++;
    expect_round_trip(pos);
}

TEST(test_san_write__round_trip_of_all_moves_in_random_games)
{
    n_visited = 0;
    visit_random_games(N_POSITIONS / 150, 200, visit_round_trip);
    assert_true(n_visited >= N_POSITIONS);
}

TEST(test_san_write__long_algebraic_round_trip_in_random_games)
{
    visit_random_games(N_SAMPLES / 100, 200, expect_long_round_trip);
}

TEST(test_san_write__writing_agrees_with_the_rule_in_random_games)
{
    visit_random_games(N_SAMPLES / 100, 200, expect_slow_san);
}

TEST(test_san_write__writing_and_reading_agree_on_strange_boards)
{
    uint64_t random = 0x2545f4914f6cdd1dULL;
    for (unsigned i = 0; i < N_SAMPLES; i++) {
        const tby_position pos = random_board(&random, i % 40);
        expect_slow_san(&pos);
        expect_round_trip(&pos);
        expect_long_round_trip(&pos);
    }
}

int main(void) { return tests_run(NULL, NULL); }
