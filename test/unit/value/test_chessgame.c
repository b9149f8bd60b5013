/*
 * test_chessgame.c - packed games as values: boards, prefixes, openings, searches, final positions.
 */
#include "value_support.h"

static value game, other;

static void assert_fen_at(int64_t ply, const char *fen)
{
    tby_position pos;
    char text[TBY_FEN_SIZE];
    assert_true(tby_chessgame_position(&pos, game.bytes, game.n, ply));
    tby_fen_write_position(text, sizeof text, &pos, 0);
    assert_string_equal(text, fen);
}

TEST(test_chessgame__boards_by_ply_from_0_to_the_end)
{
    tby_position pos;
    read_value(&game, "1. e4 e5 2. Nf3");
    assert_fen_at(0, START_FEN);
    assert_fen_at(1, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    assert_fen_at(3, "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
    assert_false(tby_chessgame_position(&pos, game.bytes, game.n, -1));
    assert_false(tby_chessgame_position(&pos, game.bytes, game.n, 4));
    assert_false(tby_chessgame_position(&pos, game.bytes, game.n, INT64_MAX));
    assert_true(tby_chessgame_final(&pos, game.bytes, game.n));
    assert_int_equal(pos.ply, 3);
    assert_false(tby_chessgame_final(&pos, game.bytes, 3));
}

/* The knight on c6 blocks the pawn on c7; one of the codes would let the pawn jump over it. */
TEST(test_chessgame__damage_that_lets_a_pawn_jump_gives_no_board)
{
    unsigned n_refused = 0;
    read_value(&game, "1. Nf3 a6 2. Nd4 a5 3. Nc6 d6");
    const size_t last = tby_packed_prefix(game.bytes, game.n) - 1;
    for (unsigned code = 1; code < 255; code++) {
        tby_position pos;
        tby_setup setup;
        game.bytes[last] = (uint8_t)code;
        if (tby_chessgame_final(&pos, game.bytes, game.n)) {
            tby_position_setup(&setup, &pos);
            assert_int_equal(tby_setup_faults(&setup), 0);
        } else {
            n_refused++;
        }
    }
    assert_int_not_equal(n_refused, 0);
}

static void check_first(int64_t n_plies, const char *expected)
{
    other.n = tby_chessgame_first(other.bytes, game.bytes, game.n, n_plies);
    assert_game(other.bytes, other.n, expected);
    assert_int_equal(tby_packed_check(other.bytes, other.n, NULL), TBY_OK);
}

TEST(test_chessgame__first_moves_never_fail)
{
    read_value(&game, "1. e4 e5 2. Nf3 1-0");
    check_first(INT64_MIN, "*");
    check_first(-1, "*");
    check_first(0, "*");
    check_first(2, "1. e4 e5 *");
    check_first(3, "1. e4 e5 2. Nf3 1-0");
    check_first(INT64_MAX, "1. e4 e5 2. Nf3 1-0");
    read_value(&game, "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"] 1. e4 Ke7");
    check_first(0, "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"] *");
    read_value(&game, "1-0");
    check_first(0, "1-0");
    assert_int_equal(tby_chessgame_first(other.bytes, game.bytes, 4, 1), 0);
}

TEST(test_chessgame__undo_takes_one_half_move)
{
    read_value(&game, "1. e4 e5 1-0");
    other.n = tby_chessgame_undo(other.bytes, game.bytes, game.n);
    assert_game(other.bytes, other.n, "1. e4 *");
    read_value(&game, "");
    other.n = tby_chessgame_undo(other.bytes, game.bytes, game.n);
    assert_game(other.bytes, other.n, "*");
}

TEST(test_chessgame__a_move_is_added_or_refused)
{
    tby_chessgame_error err;
    char message[TBY_CHESSGAME_ERROR_SIZE];
    read_value(&game, "1. e4 e5 1-0");
    assert_int_equal(tby_chessgame_add(other.bytes, &other.n, game.bytes, game.n, "Nf3", 3, &err), TBY_OK);
    assert_game(other.bytes, other.n, "1. e4 e5 2. Nf3 *");
    assert_int_equal(tby_chessgame_add(other.bytes, &other.n, game.bytes, game.n, "d2d4", 4, &err), TBY_OK);
    assert_game(other.bytes, other.n, "1. e4 e5 2. d4 *");
    assert_int_equal(tby_chessgame_add(other.bytes, &other.n, game.bytes, game.n, "Nf6", 3, &err), TBY_ILLEGAL_MOVE);
    tby_chessgame_error_write(message, sizeof message, &err);
    assert_non_null(strstr(message, "\"Nf6\""));
    assert_non_null(strstr(message, "ply 3"));
    assert_int_equal(tby_chessgame_add(other.bytes, &other.n, game.bytes, 5, "e4", 2, &err), TBY_INVALID_PACKED);
}

TEST(test_chessgame__valid_moves_are_legal_at_the_end)
{
    static const char *const yes[] = {"Nf3", "g1f3", "d4", "Ke2", "e1e2", "Bb5"};
    static const char *const no[] = {"", "Nf6", "e5", "O-O", "e1g1", "0000", "--", "xyz", "Kd1"};
    read_value(&game, "1. e4 e5");
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        assert_true(tby_chessgame_is_valid_move(game.bytes, game.n, yes[i], strlen(yes[i])));
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        assert_false(tby_chessgame_is_valid_move(game.bytes, game.n, no[i], strlen(no[i])));
}

/* ---- Openings ------------------------------------------------------------------------------------------- */

static bool has_opening(const char *text, const char *opening)
{
    read_value(&game, text);
    read_value(&other, opening);
    return tby_chessgame_has_opening(game.bytes, game.n, other.bytes, other.n);
}

TEST(test_chessgame__openings_are_beginnings)
{
    assert_true(has_opening("1. e4 e5 2. Nf3 1-0", "1. e4 e5 0-1"));
    assert_true(has_opening("1. e4 e5 2. Nf3 1-0", "1. e4 e5 2. Nf3 *"));
    assert_true(has_opening("1. e4 e5 2. Nf3 1-0", ""));
    assert_true(has_opening("", ""));
    assert_false(has_opening("1. e4", "1. e4 e5"));
    assert_false(has_opening("1. e4 c5", "1. e4 e5"));
    assert_false(has_opening("1. e4", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"));
    assert_true(has_opening("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"] 1. e4", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"));
    assert_false(has_opening("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 2\"] 2. e4", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"));
}

typedef struct packed_game {
    uint8_t bytes[256];
    size_t n;
    tby_move moves[60];
    size_t n_plies;
    unsigned start;
} packed_game;

static int compare(const uint8_t *a, size_t n_a, const uint8_t *b, size_t n_b)
{
    const int order = memcmp(a, b, n_a < n_b ? n_a : n_b);
    return order ? order : (n_a > n_b) - (n_a < n_b);
}

static bool begins_with(const packed_game *g, const packed_game *o)
{
    return g->start == o->start && o->n_plies <= g->n_plies &&
           memcmp(g->moves, o->moves, o->n_plies * sizeof *o->moves) == 0;
}

/* Games from a few starts. Many begin like another game, or are a prefix of one. */
static void make_game(packed_game *g, const packed_game *from, uint64_t *seed)
{
    const size_t kept = from ? random_below(seed, (unsigned)from->n_plies + 1) : 0;
    const size_t more = from && random_below(seed, 2) ? 0 : random_below(seed, (unsigned)(60 - kept));
    g->start = from ? from->start : random_below(seed, 4) ? 518 : random_below(seed, 2);
    const tby_position start = chess960_start(g->start);
    tby_position pos = start;
    for (size_t k = 0; k < kept; k++) {
        g->moves[k] = from->moves[k];
        tby_position_play(&pos, g->moves[k], NULL);
    }
    g->n_plies = kept + random_moves(g->moves + kept, more, &pos, seed);
    g->n =
        tby_packed_encode(g->bytes, sizeof g->bytes, &start, g->moves, g->n_plies, (tby_result)random_below(seed, 4));
    assert_true(g->n <= sizeof g->bytes);
}

static void make_games(packed_game *games, size_t n)
{
    uint64_t seed = 77;
    for (size_t i = 0; i < n; i++)
        make_game(&games[i], i > 0 && random_below(&seed, 4) ? &games[random_below(&seed, (unsigned)i)] : NULL, &seed);
}

/* hasOpening by scan, by range and by comparing moves gives the same answer. */
TEST(test_chessgame__ranges_scans_and_moves_agree_on_pairs)
{
    enum { N = 320 };
    static packed_game games[N];
    uint8_t first[256], end[256], again[256];
    size_t n_hits = 0;
    make_games(games, N);
    for (size_t i = 0; i < N; i++) {
        const packed_game *o = &games[i];
        const size_t n_first = tby_chessgame_range_begin(first, o->bytes, o->n);
        const size_t n_end = tby_chessgame_range_end(end, o->bytes, o->n);
        assert_int_equal(tby_packed_check(first, n_first, NULL), TBY_OK);
        /* The end of a range leads back to its opening, and no game is the end of a range. */
        assert_int_equal(tby_chessgame_of_range_end(again, end, n_end), n_first);
        assert_memory_equal(again, first, n_first);
        assert_int_equal(tby_chessgame_of_range_end(again, o->bytes, o->n), 0);
        for (size_t k = 0; k < N; k++) {
            const packed_game *g = &games[k];
            const bool wanted = begins_with(g, o);
            n_hits += wanted;
            assert_true(tby_chessgame_has_opening(g->bytes, g->n, o->bytes, o->n) == wanted);
            assert_true((compare(g->bytes, g->n, first, n_first) >= 0 && compare(g->bytes, g->n, end, n_end) < 0) ==
                        wanted);
        }
    }
    assert_true(n_hits > 2 * N); /* of 102400 pairs: more than each game with itself */
}

/* The order is irreflexive, asymmetric and transitive. */
TEST(test_chessgame__order_is_total)
{
    enum { N = 320 };
    static packed_game games[N];
    uint64_t seed = 3;
    make_games(games, N);
    for (int i = 0; i < 100000; i++) {
        const packed_game *a = &games[random_below(&seed, N)], *b = &games[random_below(&seed, N)],
                          *c = &games[random_below(&seed, N)];
        const int ab = compare(a->bytes, a->n, b->bytes, b->n), ba = compare(b->bytes, b->n, a->bytes, a->n);
        assert_true((ab < 0) == (ba > 0) && (ab == 0) == (ba == 0));
        assert_int_equal(compare(a->bytes, a->n, a->bytes, a->n), 0);
        if (ab < 0 && compare(b->bytes, b->n, c->bytes, c->n) < 0)
            assert_true(compare(a->bytes, a->n, c->bytes, c->n) < 0);
        if (begins_with(b, a) && a->n_plies < b->n_plies)
            assert_true(ab < 0);
        const bool is_same = begins_with(a, b) && begins_with(b, a) &&
                             tby_packed_result(a->bytes, a->n) == tby_packed_result(b->bytes, b->n);
        assert_true((ab == 0) == is_same);
    }
}

/* ---- Searches ------------------------------------------------------------------------------------------- */

static int placement_ply(const char *fen, int max_ply)
{
    const tby_setup setup = setup_of(fen);
    tby_target target;
    tby_target_placement(&target, &setup.board);
    return tby_target_find(&target, game.bytes, game.n, max_ply);
}

static int position_ply(const char *fen, int max_ply)
{
    const tby_position pos = position_of(fen);
    tby_target target;
    tby_target_position(&target, &pos);
    return tby_target_find(&target, game.bytes, game.n, max_ply);
}

TEST(test_chessgame__the_same_placement_with_another_side_is_another_position)
{
    read_value(&game, "1. e3 e5 2. e4");
    const char *white = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3";
    const char *black = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3";
    assert_int_equal(placement_ply(white, 1000), 3);
    assert_int_equal(position_ply(white, 1000), -1);
    assert_int_equal(position_ply(black, 1000), 3);
    assert_int_equal(placement_ply(black, 2), -1);
    assert_int_equal(placement_ply(black, 3), 3);
    assert_int_equal(placement_ply(START_FEN, 0), 0);
    assert_int_equal(placement_ply(START_FEN, -1), -1);
    assert_int_equal(placement_ply(START_FEN, INT32_MIN), -1);
}

TEST(test_chessgame__en_passant_without_a_capturer_is_the_same_position)
{
    read_value(&game, "1. e4");
    assert_int_equal(position_ply("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", 9), 1);
    assert_int_equal(position_ply("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 5 9", 9), 1);
    assert_int_equal(position_ply("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQk - 0 1", 9), -1);
}

TEST(test_chessgame__a_castling_right_is_lost_with_its_rook)
{
    tby_position pos;
    char fen[TBY_FEN_SIZE];
    read_value(&game, "[FEN \"rnbqk1nr/ppp1ppb1/6p1/3p4/8/2N5/PPPPPPP1/R1BQKBNR w KQkq - 0 5\"] 5. Rxh8");
    assert_true(tby_chessgame_final(&pos, game.bytes, game.n));
    tby_fen_write_position(fen, sizeof fen, &pos, 0);
    assert_non_null(strstr(fen, " b Qq - 0 5"));
}

TEST(test_chessgame__a_shuffle_back_is_one_placement)
{
    read_value(&game, "1. Nf3 Nf6 2. Ng1 Ng8");
    tby_position start, end;
    assert_true(tby_chessgame_position(&start, game.bytes, game.n, 0));
    assert_true(tby_chessgame_final(&end, game.bytes, game.n));
    assert_true(start.placement_key == end.placement_key);
    assert_int_equal(placement_ply(START_FEN, 99), 0);
    assert_int_equal(tby_chessgame_repetitions(game.bytes, game.n), 2);
}

/* Searches agree with a replay that does not use summaries, for boards of these games and of others. */
TEST(test_chessgame__the_summary_never_hides_a_board)
{
    enum { PLIES = 250 };
    static tby_move moves[PLIES];
    static tby_position seen[PLIES + 1];
    uint64_t seed = 4711;
    size_t n_rejected = 0;
    for (unsigned i = 0; i < 300; i++) {
        /* Few pieces, and pawns near the last rank, so that pawns promote. */
        const tby_position start = i % 2 ? chess960_start(random_below(&seed, 960)) : random_board(&seed, 14);
        const size_t n_plies = random_moves(moves, PLIES, &start, &seed);
        game.n = tby_packed_encode(game.bytes, sizeof game.bytes, &start, moves, n_plies, TBY_DRAW);
        seen[0] = start;
        for (size_t k = 0; k < n_plies; k++) {
            seen[k + 1] = seen[k];
            tby_position_play(&seen[k + 1], moves[k], NULL);
        }
        tby_target target;
        for (size_t k = 0; k <= n_plies; k++) {
            tby_target_position(&target, &seen[k]);
            const int found = tby_target_find(&target, game.bytes, game.n, (int)k);
            assert_true(found >= 0 && tby_position_same(&seen[found], &seen[k]));
            tby_target_placement(&target, &seen[k].board);
            assert_true(tby_target_find(&target, game.bytes, game.n, (int)k) >= 0);
        }
        const tby_position stranger = random_board(&seed, 14);
        tby_target_placement(&target, &stranger.board);
        n_rejected += !tby_target_may_be_in(&target, game.bytes, game.n);
        assert_int_equal(tby_target_find(&target, game.bytes, game.n, PLIES), -1);
    }
    assert_true(n_rejected > 0);
}

static void check_opening(const char *text, const char *expected)
{
    read_value(&game, text);
    other.n = tby_chessgame_named_opening(other.bytes, game.bytes, game.n);
    assert_game(other.bytes, other.n, expected);
    assert_int_equal(tby_packed_check(other.bytes, other.n, NULL), TBY_OK);
}

TEST(test_chessgame__the_moves_of_the_opening_end_at_its_last_named_position)
{
    check_opening("1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 1-0",
                  "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 *");
    check_opening("1. e4 e5 2. Nf3 Nc6 3. Bb5 h5 4. a3 a5 5. h4 0-1", "1. e4 e5 2. Nf3 Nc6 3. Bb5 *");
    read_value(&game, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    assert_int_equal(tby_chessgame_named_opening(other.bytes, game.bytes, game.n), 0);
}

/* ---- Ends ----------------------------------------------------------------------------------------------- */

static void check_end(const char *text, tby_reason with_claims, tby_result result)
{
    static uint64_t work[TBY_DEAD_NODES * TBY_DEAD_NODE_SIZE / 8];
    read_value(&game, text);
    const tby_outcome outcome = tby_chessgame_outcome(game.bytes, game.n, true, work, sizeof work);
    if (outcome.reason != with_claims || tby_chessgame_result(game.bytes, game.n, work, sizeof work) != result)
        fail_msg("%s: %s, %s", text, tby_reason_text(outcome.reason),
                 tby_result_text(tby_chessgame_result(game.bytes, game.n, work, sizeof work)));
}

#define SHUFFLE "Nf3 Nf6 Ng1 Ng8 "

TEST(test_chessgame__ends_according_to_the_rules)
{
    check_end("1.f3 e5 2.g4 Qh4#", TBY_CHECKMATE, TBY_BLACK_WINS);
    check_end("7k/8/6K1/5Q2/8/8/8/8 w - - 149 200", TBY_FIFTY_MOVES, TBY_RESULT_NONE);
    check_end("[FEN \"7k/8/6K1/5Q2/8/8/8/8 w - - 149 200\"] Qf7", TBY_STALEMATE, TBY_DRAW);
    check_end("[FEN \"7k/5K2/8/6Q1/8/8/8/8 w - - 149 200\"] Qg7#", TBY_CHECKMATE, TBY_WHITE_WINS);
    check_end("8/5k2/8/8/8/8/3K4/8 w - - 0 1", TBY_DEAD_POSITION, TBY_DRAW);
    check_end("4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1", TBY_DEAD_POSITION, TBY_DRAW);
    check_end("8/8/8/8/4k3/8/3K4/5r2 w - - 99 119", TBY_REASON_NONE, TBY_RESULT_NONE);
    check_end("8/8/8/8/4k3/8/3K4/5r2 w - - 100 119", TBY_FIFTY_MOVES, TBY_RESULT_NONE);
    check_end("8/8/8/8/4k3/8/3K4/5r2 w - - 150 119", TBY_SEVENTY_FIVE_MOVES, TBY_DRAW);
    check_end(SHUFFLE, TBY_REASON_NONE, TBY_RESULT_NONE);
    check_end(SHUFFLE SHUFFLE, TBY_THREEFOLD, TBY_RESULT_NONE);
    check_end(SHUFFLE SHUFFLE SHUFFLE SHUFFLE, TBY_FIVEFOLD, TBY_DRAW);
    check_end("e4 e5 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8", TBY_THREEFOLD, TBY_RESULT_NONE);
    check_end("e4 c5 e5 Qb6 Nf3 Qe6 Ng1 d5 Nf3 Nc6 Ng1 Nb8 Nf3 Nc6 Ng1 Nb8", TBY_THREEFOLD, TBY_RESULT_NONE);
    check_end("e4 a6 e5 d5 Nf3 Nc6 Ng1 Nb8 Nf3 Nc6 Ng1 Nb8", TBY_REASON_NONE, TBY_RESULT_NONE);
    check_end("e4 e5 Ke2 Ke7 Ke1 Ke8 Ke2 Ke7 Ke1 Ke8", TBY_REASON_NONE, TBY_RESULT_NONE);
}

TEST(test_chessgame__an_unknown_result_is_not_a_draw)
{
    check_end("1. e4 e5 *", TBY_REASON_NONE, TBY_RESULT_NONE);
    check_end("1. e4 e5", TBY_REASON_NONE, TBY_RESULT_NONE);
    check_end("1. e4 e5 1/2-1/2", TBY_REASON_NONE, TBY_DRAW);
    check_end("1.f3 e5 2.g4 Qh4# 1-0", TBY_CHECKMATE, TBY_WHITE_WINS); /* the recorded result counts */
}

/* ---- Boards and lists ----------------------------------------------------------------------------------- */

TEST(test_chessgame__boards_are_a_kind_of_value)
{
    uint8_t bytes[TBY_CHESSBOARD_SIZE + 1] = {0};
    tby_setup setup = setup_of("4k3/8/8/8/8/8/8/4K3 w KQkq e3 7 9"), back;
    const size_t n = tby_chessboard_encode(bytes, &setup);
    assert_int_equal(tby_value_kind_of(bytes, n), TBY_CHESSBOARD);
    assert_true(tby_chessboard_decode(&back, bytes, n));
    assert_true(tby_setup_equal(&setup, &back));
    assert_false(tby_chessboard_decode(&back, bytes, n + 1));
    assert_false(tby_chessboard_decode(&back, bytes, n - 1));
    assert_false(tby_chessboard_decode(&back, bytes, 1)); /* a header alone was once accepted */
    read_value(&game, "1. e4");
    assert_int_equal(tby_value_kind_of(game.bytes, game.n), TBY_CHESSGAME);
    assert_false(tby_chessboard_decode(&back, game.bytes, game.n));
    assert_int_equal(tby_value_kind_of(bytes, 0), TBY_NO_VALUE);
    assert_int_equal(tby_value_kind_of((const uint8_t *)"\x13", 1), TBY_NO_VALUE);
    assert_int_equal(tby_value_kind_of((const uint8_t *)"\x20", 1), TBY_NO_VALUE);
    setup.fullmove = TBY_FULLMOVE_MAX + 1;
    assert_true(tby_chessboard_decode(&back, bytes, tby_chessboard_encode(bytes, &setup)));
    assert_int_equal(back.fullmove, TBY_FULLMOVE_MAX);
}

TEST(test_chessgame__legal_moves_are_listed_in_tree_order)
{
    memory m = {0};
    const tby_position pos = position_of("6r1/pbk3p1/3r4/1p1p1n1p/3P1P1P/1P4PR/5N2/4b1K1 w - - 0 29");
    assert_true(tby_moves_write(&pos, move_notation("uci"), memory_sink, &m));
    assert_string_equal(text_of(&m), "b3b4 g3g4 h3h2 h3h1 f2e4 f2g4 f2d3 f2d1 f2h1 g1g2 g1h2 g1f1 g1h1");
    m.n = 0;
    assert_true(tby_moves_write(&pos, move_notation("san"), memory_sink, &m));
    assert_string_equal(text_of(&m), "b4 g4 Rh2 Rh1 Ne4 Ng4 Nd3 Nd1 Nh1 Kg2 Kh2 Kf1 Kh1");
    assert_false(tby_moves_write(&pos, move_notation("san"), refusing_sink, NULL));
    memory_clear(&m);
}

TEST(test_chessgame__faults_are_listed_by_name)
{
    char text[TBY_FAULTS_SIZE];
    const tby_setup setup = setup_of("4k3/8/8/8/8/8/8/8 w KQ - 0 1");
    tby_faults_write(text, sizeof text, tby_setup_faults(&setup));
    assert_string_equal(text, "NO_WHITE_KING CASTLING");
    assert_int_equal(tby_faults_write(text, sizeof text, 0), 0);
    assert_true(tby_faults_write(text, sizeof text, ~(tby_faults)0) < sizeof text);
}

TEST(test_chessgame__piece_square_values_by_letter_and_square)
{
    const tby_setup setup = setup_of(START_FEN);
    tby_error err;
    int value_;
    assert_true(tby_piece_square_read(&value_, &setup.board, "N", 1, &err));
    assert_int_equal(value_, tby_piece_square_sum(&setup.board, TBY_PIECE(TBY_WHITE, TBY_KNIGHT)));
    assert_true(tby_piece_square_read(&value_, &setup.board, "q", 1, &err));
    assert_int_equal(value_, tby_piece_square_sum(&setup.board, TBY_PIECE(TBY_BLACK, TBY_QUEEN)));
    assert_true(tby_piece_square_read(&value_, &setup.board, "g1", 2, &err));
    assert_int_equal(value_, tby_piece_square_at(&setup.board, 6));
    assert_false(tby_piece_square_read(&value_, &setup.board, "e4", 2, &err));
    assert_int_equal(err.status, TBY_OK);
    static const char *const bad[] = {"", "X", "x", "i1", "a9", "e44", "Nf3"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(tby_piece_square_read(&value_, &setup.board, bad[i], strlen(bad[i]), &err));
        assert_int_equal(err.status, TBY_INVALID_PIECE_SQUARE);
    }
}

int main(void) { return tests_run(NULL, NULL); }
