/*
 * test_movegen.c - the legal moves compared with a second, slow implementation in this file; list, count and is-legal
 * compared with each other over all 65536 values; selection and order.
 */
#include "support.h"

/* ---- The slow chess: a mailbox, rays walked step by step, moves tried and looked at afterwards ------------ */

static const int STEPS[16][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}, {1, 1},   {1, -1},  {-1, -1}, {-1, 1},
                                 {1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1},  {-1, 2}};

static bool step_on(tby_square *square, const int step[2])
{
    const int file = TBY_FILE(*square) + step[0], rank = TBY_RANK(*square) + step[1];
    if (file < 0 || file > 7 || rank < 0 || rank > 7)
        return false;
    *square = TBY_SQUARE(file, rank);
    return true;
}

static bool slides(tby_kind kind, int direction)
{
    return kind == TBY_QUEEN || (kind == TBY_ROOK && direction < 4) || (kind == TBY_BISHOP && direction >= 4);
}

static bool leads(tby_kind kind, int direction)
{
    return kind == TBY_KNIGHT ? direction >= 8 : direction < 8 && (kind == TBY_KING || slides(kind, direction));
}

/* Does the piece on `from`, not a pawn, reach `to` over empty squares? */
static bool slow_reaches(const tby_board *b, tby_square from, tby_square to)
{
    const tby_kind kind = TBY_PIECE_KIND(tby_board_piece(b, from));
    for (int d = 0; d < 16; d++) {
        tby_square at = from;
        while (leads(kind, d) && step_on(&at, STEPS[d])) {
            if (at == to)
                return true;
            if (tby_board_piece(b, at) || !slides(kind, d))
                break;
        }
    }
    return false;
}

static bool slow_pawn_hits(tby_square from, tby_square to, tby_color color)
{
    const int files = TBY_FILE(to) - TBY_FILE(from);
    return abs(files) == 1 && TBY_RANK(to) - TBY_RANK(from) == (color == TBY_WHITE ? 1 : -1);
}

static bool slow_attacked(const tby_board *b, tby_square square, tby_color by)
{
    for (tby_square from = 0; from < 64; from++) {
        const tby_piece piece = tby_board_piece(b, from);
        if (!piece || TBY_PIECE_COLOR(piece) != by)
            continue;
        if (TBY_PIECE_KIND(piece) == TBY_PAWN ? slow_pawn_hits(from, square, by) : slow_reaches(b, from, square))
            return true;
    }
    return false;
}

static tby_square slow_king(const tby_board *b, tby_color color)
{
    tby_square square = 0;
    while (tby_board_piece(b, square) != TBY_PIECE(color, TBY_KING))
        square++;
    return square;
}

static bool slow_pawn_moves(const tby_position *pos, tby_square from, tby_square to, int kind, tby_color us)
{
    const int forward = us == TBY_WHITE ? 8 : -8, home = us == TBY_WHITE ? 1 : 6;
    const bool hits = slow_pawn_hits(from, to, us), empty = !tby_board_piece(&pos->board, to);
    if (kind == TBY_PAWN)
        return hits && to == pos->en_passant;
    if ((kind != 0) != (TBY_RANK(to) == 0 || TBY_RANK(to) == 7))
        return false;
    if (to == from + forward || hits)
        return hits != empty;
    return TBY_RANK(from) == home && to == from + 2 * forward && empty &&
           !tby_board_piece(&pos->board, (tby_square)(from + forward));
}

/* The paths of king and rook must be empty except for these two; the king's path must not be attacked, with the rook
   removed from the board. */
static bool slow_castles(const tby_position *pos, tby_square king, tby_square rook, tby_color us)
{
    const tby_square back = us == TBY_WHITE ? 0 : 56;
    const tby_square king_to = back | (rook > king ? 6 : 2), rook_to = back | (rook > king ? 5 : 3);
    if (king != slow_king(&pos->board, us) || !(pos->castling >> rook & 1) || rook / 8 != back / 8)
        return false;
    tby_setup bare;
    tby_position_setup(&bare, pos);
    tby_setup_put(&bare, king, TBY_NO_PIECE);
    tby_setup_put(&bare, rook, TBY_NO_PIECE);
    for (tby_square s = back; s < back + 8; s++) {
        const bool on_king_way = (s >= king && s <= king_to) || (s <= king && s >= king_to);
        const bool on_rook_way = (s >= rook && s <= rook_to) || (s <= rook && s >= rook_to);
        if ((on_king_way || on_rook_way) && tby_board_piece(&bare.board, s))
            return false;
        if (on_king_way && slow_attacked(&bare.board, s, us == TBY_WHITE ? TBY_BLACK : TBY_WHITE))
            return false;
    }
    return true;
}

static bool slow_pseudo_legal(const tby_position *pos, tby_move m, tby_color us)
{
    const tby_square from = TBY_MOVE_FROM(m), to = TBY_MOVE_TO(m);
    const int kind = TBY_MOVE_KIND(m);
    const tby_piece piece = tby_board_piece(&pos->board, from), target = tby_board_piece(&pos->board, to);
    if (!piece || TBY_PIECE_COLOR(piece) != us || kind > TBY_QUEEN)
        return false;
    if (kind == TBY_KING)
        return slow_castles(pos, from, to, us);
    if (target && TBY_PIECE_COLOR(target) == us)
        return false;
    if (TBY_PIECE_KIND(piece) == TBY_PAWN)
        return slow_pawn_moves(pos, from, to, kind, us);
    return kind == 0 && slow_reaches(&pos->board, from, to);
}

/* The board after a move that may leave the king in check; the promotion piece makes no difference for that. */
static tby_board slow_play(const tby_position *pos, tby_move m)
{
    const tby_square from = TBY_MOVE_FROM(m), to = TBY_MOVE_TO(m), back = from & 56;
    const tby_piece piece = tby_board_piece(&pos->board, from), other = tby_board_piece(&pos->board, to);
    tby_setup setup;
    tby_position_setup(&setup, pos);
    tby_setup_put(&setup, from, TBY_NO_PIECE);
    if (TBY_MOVE_IS_CASTLING(m)) {
        tby_setup_put(&setup, to, TBY_NO_PIECE);
        tby_setup_put(&setup, back | (to > from ? 6 : 2), piece);
        tby_setup_put(&setup, back | (to > from ? 5 : 3), other);
        return setup.board;
    }
    if (TBY_MOVE_IS_EN_PASSANT(m))
        tby_setup_put(&setup, to ^ 8, TBY_NO_PIECE);
    tby_setup_put(&setup, to, piece);
    return setup.board;
}

static bool slow_legal(const tby_position *pos, tby_move m)
{
    const tby_color us = tby_position_side(pos), them = us == TBY_WHITE ? TBY_BLACK : TBY_WHITE;
    if (!slow_pseudo_legal(pos, m, us))
        return false;
    const tby_board next = slow_play(pos, m);
    return !slow_attacked(&next, slow_king(&next, us), them);
}

/* ---- All ways to ask agree -------------------------------------------------------------------------------- */

static bool is_listed(const tby_move *moves, size_t n, tby_move m)
{
    for (size_t i = 0; i < n; i++)
        if (moves[i] == m)
            return true;
    return false;
}

static void expect_agreement(const tby_position *pos)
{
    tby_move moves[TBY_MOVES_MAX];
    const size_t n = tby_moves_list(moves, pos);
    size_t n_legal = 0, n_slow = 0;
    assert_true(n <= TBY_MOVES_MAX);
    assert_int_equal(tby_moves_count(pos), n);
    assert_int_equal(tby_moves_any(pos), n != 0);
    for (unsigned m = 0; m < 65536; m++) {
        const bool is_legal = tby_move_is_legal(pos, (tby_move)m);
        n_legal += is_legal;
        if (is_legal)
            assert_true(is_listed(moves, n, (tby_move)m));
        n_slow += slow_legal(pos, (tby_move)m);
    }
    assert_int_equal(n_legal, n);
    assert_int_equal(n_slow, n);
}

static void expect_agreement_sometimes(const tby_position *pos)
{
    if (pos->ply % 29 == 0)
        expect_agreement(pos);
}

TEST(test_movegen__list_count_and_is_legal_agree_in_games) { visit_random_games(40, 300, expect_agreement_sometimes); }

TEST(test_movegen__list_count_and_is_legal_agree_on_strange_boards)
{
    uint64_t random = 2685821657736338717ULL;
    for (unsigned i = 0; i < 400; i++) {
        const tby_position pos = random_board(&random, i % 62);
        expect_agreement(&pos);
    }
}

static void check_count(const char *fen, size_t expected)
{
    const tby_position pos = position_of(fen);
    assert_int_equal(tby_moves_count(&pos), expected);
    expect_agreement(&pos);
}

TEST(test_movegen__counts_of_crowded_boards)
{
    check_count(START_FEN, 20);
    check_count("3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1", 218);
    check_count("QQQQQQBk/Q6B/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1", 265);
}

/* ---- Castling --------------------------------------------------------------------------------------------- */

static void check_castling(const char *fen, const char *king_side, const char *queen_side)
{
    const tby_position pos = position_of(fen);
    tby_move moves[TBY_MOVES_MAX], expected[2];
    size_t n_expected = 0;
    const size_t n = tby_moves_list(moves, &pos);
    if (king_side)
        expected[n_expected++] = TBY_MOVE(square_of(king_side), square_of(king_side + 2), TBY_KING);
    if (queen_side)
        expected[n_expected++] = TBY_MOVE(square_of(queen_side), square_of(queen_side + 2), TBY_KING);
    for (size_t i = 0; i < n; i++)
        if (TBY_MOVE_IS_CASTLING(moves[i]) && !is_listed(expected, n_expected, moves[i]))
            fail_msg("%s: castles with rook %d", fen, TBY_MOVE_TO(moves[i]));
    for (size_t i = 0; i < n_expected; i++)
        if (!is_listed(moves, n, expected[i]))
            fail_msg("%s: does not castle", fen);
}

TEST(test_movegen__castling_needs_a_free_and_safe_path)
{
    check_castling("5rk1/8/8/8/8/8/8/R3K2R w KQ - 0 1", NULL, "e1a1");
    check_castling("1r4k1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1h1", "e1a1");
    check_castling("6k1/8/8/8/8/8/8/RN2K2R w KQ - 0 1", "e1h1", NULL);
    check_castling("r5k1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1h1", "e1a1");
    check_castling("4r1k1/8/8/8/8/8/8/R3K2R w KQ - 0 1", NULL, NULL);
    check_castling("3rk3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1h1", NULL);
    check_castling("1k4r1/8/8/8/8/8/8/R3K2R w KQ - 0 1", NULL, "e1a1");
    check_castling("r3k2r/pp2ppbp/2n3p1/3p3P/3P1B2/4P3/PP1K1PP1/R4B1R b kq - 0 1", "e8h8", "e8a8");
    check_castling("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", NULL, NULL);
}

TEST(test_movegen__chess960_castling)
{
    check_castling("4k3/8/8/8/8/8/8/1RK5 w B - 0 1", NULL, "c1b1");
    check_castling("4k3/8/8/8/8/8/8/qRK5 w B - 0 1", NULL, NULL); /* the rook shields the king */
    check_castling("4k3/8/8/8/8/8/8/5KRq w G - 0 1", NULL, NULL);
    check_castling("rn2k1r1/ppp1pp1p/3p2p1/5bn1/P7/2N2B2/1PPPPP2/2BNK1RR w Gkq - 4 11", "e1g1", NULL);
}

/* ---- Selection and order ---------------------------------------------------------------------------------- */

static void expect_moves(const tby_position *pos, const tby_move *moves, size_t n, const char *expected)
{
    for (size_t i = 0; i < n; i++, expected += strcspn(expected, " "), expected += strspn(expected, " "))
        assert_int_equal(moves[i], move_of(pos, expected));
    assert_string_equal(expected, "");
}

TEST(test_movegen__the_order_is_that_of_the_tree)
{
    tby_move moves[TBY_MOVES_MAX];
    tby_position pos = position_of(START_FEN);
    size_t n = tby_moves_list(moves, &pos);
    tby_moves_sort(moves, n);
    expect_moves(&pos, moves, n,
                 "a2a4 a2a3 b2b4 b2b3 c2c4 c2c3 d2d4 d2d3 e2e4 e2e3 f2f4 f2f3 g2g4 g2g3 h2h4 h2h3 "
                 "b1a3 b1c3 g1f3 g1h3");
    pos = position_of("1n6/P7/8/8/8/8/k7/4K2R w K - 0 1");
    n = tby_moves_list(moves, &pos);
    tby_moves_sort(moves, n);
    expect_moves(&pos, moves, n,
                 "a7a8b a7a8n a7a8q a7a8r a7b8b a7b8n a7b8q a7b8r e1d2 e1e2 e1f2 e1d1 e1f1 e1g1 "
                 "h1h8 h1h7 h1h6 h1h5 h1h4 h1h3 h1h2 h1f1 h1g1");
}

TEST(test_movegen__a_king_step_comes_before_castling_to_the_same_square)
{
    const tby_position pos = position_of("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
    tby_move moves[TBY_MOVES_MAX], to_g1[3];
    size_t n = 0;
    const size_t n_moves = tby_moves_list(moves, &pos);
    tby_moves_sort(moves, n_moves);
    for (size_t i = 0; i < n_moves && n < 3; i++)
        if (tby_move_destination(moves[i]) == square_of("g1"))
            to_g1[n++] = moves[i];
    assert_int_equal(n, 3);
    assert_int_equal(to_g1[0], TBY_MOVE(square_of("f1"), square_of("g1"), 0));
    assert_int_equal(to_g1[1], TBY_MOVE(square_of("f1"), square_of("h1"), TBY_KING));
    assert_int_equal(to_g1[2], TBY_MOVE(square_of("h1"), square_of("g1"), 0));
}

static void expect_selection_covers(const tby_position *pos)
{
    tby_move moves[TBY_MOVES_MAX];
    size_t n_from = 0;
    for (int square = 0; square < 256; square++) {
        const size_t n = tby_moves_from(moves, pos, (tby_square)square);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(TBY_MOVE_FROM(moves[i]), square);
        n_from += n;
    }
    assert_int_equal(n_from, tby_moves_count(pos));
}

TEST(test_movegen__moves_from_all_squares_add_up) { visit_random_games(4, 100, expect_selection_covers); }

TEST(test_movegen__captured_piece)
{
    const tby_position pos = position_of("rnbqkbnr/ppp1p1pp/8/3pPp2/2B5/5N2/PPPP1PPP/RNBQK2R w KQkq f6 0 3");
    const tby_piece pawn = TBY_PIECE(TBY_BLACK, TBY_PAWN);
    assert_int_equal(tby_move_captured(&pos, move_of(&pos, "e5f6")), pawn);
    assert_int_equal(tby_move_captured(&pos, move_of(&pos, "c4d5")), pawn);
    assert_int_equal(tby_move_captured(&pos, move_of(&pos, "e5e6")), TBY_NO_PIECE);
    assert_int_equal(tby_move_captured(&pos, move_of(&pos, "e1g1")), TBY_NO_PIECE);
    assert_int_equal(tby_move_destination(move_of(&pos, "e1h1")), square_of("g1"));
}

int main(void) { return tests_run(NULL, NULL); }
