/*
 * test_position.c - play and undo restore every byte, the null move, attackers, pins, and the self-check itself.
 */
#include "support.h"

/* Plays and undoes every legal move. */
static void expect_undo_restores(const tby_position *pos)
{
    tby_move moves[TBY_MOVES_MAX];
    const size_t n = tby_moves_list(moves, pos);
    for (size_t i = 0; i < n; i++) {
        tby_position played = *pos, without_undo = *pos;
        tby_undo undo;
        tby_position_play(&played, moves[i], &undo);
        tby_position_play(&without_undo, moves[i], NULL);
        assert_memory_equal(&played, &without_undo, sizeof played);
        assert_true(tby_position_is_consistent(&played));
        assert_int_equal(undo.captured, tby_move_captured(pos, moves[i]));
        tby_position_undo(&played, &undo);
        assert_memory_equal(&played, pos, sizeof played);
    }
}

TEST(test_position__undo_restores_every_byte_in_games) { visit_random_games(60, 250, expect_undo_restores); }

TEST(test_position__undo_restores_every_byte_on_strange_boards)
{
    uint64_t random = 4101842887655102017ULL;
    for (unsigned i = 0; i < 2000; i++) {
        const tby_position pos = random_board(&random, i % 62);
        expect_undo_restores(&pos);
    }
}

static void check_played(const char *before, const char *line, const char *after)
{
    tby_position pos = position_of(before);
    const tby_position expected = position_of(after);
    play_line(&pos, line, NULL);
    if (memcmp(&pos, &expected, sizeof pos) != 0)
        fail_msg("%s + %s is not %s", before, line, after);
}

TEST(test_position__moves_keep_rights_clocks_and_en_passant)
{
    check_played(START_FEN, "e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    check_played(START_FEN, "g1f3 b8c6", "r1bqkbnr/pppppppp/2n5/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 2");
    check_played("rnbqk1nr/ppp1ppb1/6p1/3p4/8/2N5/PPPPPPP1/R1BQKBNR w KQkq - 0 5", "h1h8",
                 "rnbqk1nR/ppp1ppb1/6p1/3p4/8/2N5/PPPPPPP1/R1BQKBN1 b Qq - 0 5");
    check_played("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 4 9", "e1g1 e8c8", "2kr3r/8/8/8/8/8/8/R4RK1 w - - 6 10");
    check_played("4k3/8/8/8/8/8/8/1RK5 w B - 0 1", "c1b1", "4k3/8/8/8/8/8/8/2KR4 b - - 1 1"); /* Chess960 */
    check_played("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1f2", "4k3/8/8/8/8/8/5K2/6R1 b - - 1 1");
    check_played("4k3/8/8/8/8/8/8/4K2R w K - 65535 1", "h1h2", "4k3/8/8/8/8/8/7R/4K3 b - - 65535 1");
    check_played("3rk3/4P3/8/8/8/8/8/4K3 w - - 3 1", "e7d8n", "3Nk3/8/8/8/8/8/8/4K3 b - - 0 1");
    check_played("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", "e5f6",
                 "rnbqkbnr/ppp1p1pp/5P2/3p4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3");
}

TEST(test_position__null_move_passes_the_turn)
{
    tby_position pos = position_of("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"), before = pos;
    const tby_position after = position_of("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2");
    tby_undo undo;
    assert_int_equal(tby_position_play_null(&pos, &undo), TBY_OK);
    assert_memory_equal(&pos, &after, sizeof pos);
    tby_position_undo(&pos, &undo);
    assert_memory_equal(&pos, &before, sizeof pos);
    assert_int_equal(tby_position_play_null(&pos, NULL), TBY_OK);
}

TEST(test_position__null_move_is_refused_in_check)
{
    tby_position pos = position_of("4k3/8/8/8/4Q3/8/8/4K3 b - - 0 1"), before = pos;
    assert_int_equal(tby_position_play_null(&pos, NULL), TBY_ILLEGAL_NULL_MOVE);
    assert_memory_equal(&pos, &before, sizeof pos);
}

TEST(test_position__setup_is_the_inverse)
{
    const tby_setup expected = setup_of("rn2k1r1/ppp1pp1p/3p2p1/5bn1/P7/2N2B2/1PPPPP2/2BNK1RR w Gkq - 4 11");
    const tby_position pos = position_of("rn2k1r1/ppp1pp1p/3p2p1/5bn1/P7/2N2B2/1PPPPP2/2BNK1RR w Gkq - 4 11");
    tby_setup setup;
    tby_position_setup(&setup, &pos);
    assert_true(tby_setup_equal(&setup, &expected));
    assert_int_equal(tby_position_side(&pos), TBY_WHITE);
    assert_int_equal(tby_position_fullmove(&pos), 11);
}

static tby_bitboard squares(const char *names)
{
    tby_bitboard set = 0;
    for (; *names; names += names[2] ? 3 : 2)
        set |= 1ULL << square_of(names);
    return set;
}

TEST(test_position__attackers_checkers_and_pinned)
{
    const tby_position pos = position_of("4r1k1/8/b7/1q6/4N3/2n5/4B1P1/R2nKQ1R w - - 0 1");
    assert_int_equal(tby_position_attackers(&pos, square_of("e2"), TBY_BLACK), squares("b5 c3"));
    assert_int_equal(tby_position_attackers(&pos, square_of("e2"), TBY_WHITE), squares("e1 f1"));
    assert_int_equal(tby_position_attackers(&pos, square_of("f3"), TBY_WHITE), squares("e2 f1 g2"));
    assert_int_equal(tby_position_attackers(&pos, TBY_NO_SQUARE, TBY_WHITE), 0);
    assert_int_equal(tby_position_checkers(&pos), 0);
    assert_int_equal(tby_position_pinned(&pos, TBY_WHITE), 0); /* two pieces are on the file */
    const tby_position bound = position_of("4r1k1/8/8/b7/8/2N5/4B1P1/4K3 w - - 0 1");
    assert_int_equal(tby_position_pinned(&bound, TBY_WHITE), squares("c3 e2"));
    assert_int_equal(tby_position_pinned(&bound, TBY_BLACK), 0);
    const tby_position checked = position_of("4r1k1/8/8/b7/8/8/6P1/4K3 w - - 0 1");
    assert_int_equal(tby_position_checkers(&checked), squares("e8 a5"));
}

TEST(test_position__en_passant_counts_only_if_legal)
{
    static const struct {
        const char *fen, *square;
    } rows[] = {
        {"8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1", NULL},   /* both pawns leave the rank */
        {"1b6/8/8/3Pp3/8/8/4k2K/8 w - e6 0 1", NULL},  /* the captured pawn shields the king */
        {"4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", NULL}, /* pinned on the file */
        {"8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", NULL},   /* the rank again, for Black */
        {"7k/4b3/8/2pP4/8/K7/8/8 w - c6 0 2", NULL},   /* does not end the check */
        {"8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", "d3"},   /* captures the checking pawn */
        {"rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", "f6"},
        {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", NULL}, /* no pawn can capture */
        {START_FEN, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const tby_position pos = position_of(rows[i].fen);
        assert_int_equal(tby_position_en_passant_legal(&pos),
                         rows[i].square ? square_of(rows[i].square) : TBY_NO_SQUARE);
    }
}

TEST(test_position__the_self_check_notices_all_damage)
{
    tby_position start;
    tby_position_start(&start);
    assert_true(tby_position_is_consistent(&start));
#define DAMAGED(change)                                                                                                \
    do {                                                                                                               \
        tby_position pos = start;                                                                                      \
        change;                                                                                                        \
        assert_false(tby_position_is_consistent(&pos));                                                                \
    } while (0)
    DAMAGED(pos.placement_key ^= 1);
    DAMAGED(pos.reserved = 1);
    DAMAGED(pos.castling = 2);
    DAMAGED(pos.castling = 1ULL << 20);
    DAMAGED(pos.en_passant = 20);
    DAMAGED(pos.en_passant = 65);
    DAMAGED(pos.board.plane[3] |= 1ULL << 30);
    DAMAGED(pos.board.plane[0] ^= 1ULL << 4);
    for (int plane = 0; plane < 4; plane++)
        DAMAGED(pos.board.plane[plane] ^= 1ULL << 50);
#undef DAMAGED
}

int main(void) { return tests_run(NULL, NULL); }
