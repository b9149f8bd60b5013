/*
 * test_keys.c - the keys that databases store: frozen constants, updated incrementally by play, equal exactly for the
 * same position; and the Polyglot key as published.
 */
#include "support.h"

#include "base/tables.h"
#include "position/polyglot_random.h"

static uint64_t checksum(const uint64_t *words, size_t n, uint64_t sum)
{
    for (size_t i = 0; i < n; i++)
        sum = (sum << 7 | sum >> 57) * 0x9e3779b97f4a7c15ULL + words[i];
    return sum;
}

/* If this fails, all keys and indexes that users have stored become useless: undo the change, do not change the
   test. */
TEST(test_keys__constants_are_frozen)
{
    uint64_t sum = checksum(zobrist_piece[0], 16 * 64, 0);
    sum = checksum(zobrist_castling[0], 2 * 256, sum);
    sum = checksum(zobrist_en_passant, 8, sum);
    sum = checksum(&zobrist_black, 1, sum);
    assert_int_equal(sum, 0x3a0e7757a3689479ULL);
    assert_int_equal(checksum(POLYGLOT_RANDOM, 781, 0), 0xee12a82461e675b4ULL);
}

TEST(test_keys__are_frozen)
{
    static const struct {
        const char *fen;
        uint64_t placement, position;
    } rows[] = {
        {START_FEN, 0xb9583cee70254924ULL, 0xe633842ed45d8335ULL},
        {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0xf50d9718aa8c9e2dULL, 0x9e899375175b63ebULL},
        {"rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 0xba6da71a78fff844ULL, 0x197ef3bbdb482635ULL},
        {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 7 30", 0xce58092bb7f54646ULL,
         0x61539e6e1f3d8219ULL},
        {"4k3/8/8/8/8/8/8/1RK3R1 w GB - 0 1", 0x503f1e62f9ca7eacULL, 0xeec64ac2e5e049e3ULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const tby_position pos = position_of(rows[i].fen);
        assert_int_equal(pos.placement_key, rows[i].placement);
        assert_int_equal(tby_placement_key(&pos.board), rows[i].placement);
        assert_int_equal(tby_position_key(&pos), rows[i].position);
    }
}

static void expect_key_kept_up(const tby_position *pos)
{
    assert_int_equal(pos->placement_key, tby_placement_key(&pos->board));
}

TEST(test_keys__play_updates_the_key) { visit_random_games(200, 300, expect_key_kept_up); }

/* Compares the positions themselves and their keys. */
static void check_same(const char *a, const char *b, bool expected)
{
    const tby_position first = position_of(a), second = position_of(b);
    assert_int_equal(tby_position_same(&first, &second), expected);
    assert_int_equal(tby_position_key(&first) == tby_position_key(&second), expected);
}

TEST(test_keys__same_position_whatever_the_clock)
{
    check_same(START_FEN, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 40 33", true);
    check_same(START_FEN, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", false);
    check_same(START_FEN, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1", false);
    check_same(START_FEN, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 1", false);
    check_same("4k3/8/8/8/8/8/8/RR2K3 w A - 0 1", "4k3/8/8/8/8/8/8/RR2K3 w B - 0 1", false);
}

TEST(test_keys__an_en_passant_square_without_a_capture_makes_no_difference)
{
    check_same("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
               "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", true);
    check_same("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
               "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3", false);
    check_same("4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4r1k1/8/8/3pP3/8/8/8/4K3 w - - 0 1", true);
}

TEST(test_keys__polyglot_keys_are_as_published)
{
    static const struct {
        const char *fen;
        uint64_t key;
    } rows[] = {
        {START_FEN, 0x463b96181691fc9cULL},
        {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823c9b50fd114196ULL},
        {"rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2", 0x0756b94461c50fb0ULL},
        {"rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", 0x662fafb965db29d4ULL},
        {"rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 0x22a48b5a8e47ff78ULL},
        {"rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3", 0x652a607ca3f242c1ULL},
        {"rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4", 0x00fdd303c946bdd9ULL},
        {"rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3", 0x3c8123ea7b067637ULL},
        {"rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4", 0x5c3f9b829b279560ULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const tby_position pos = position_of(rows[i].fen);
        assert_int_equal(tby_polyglot_key(&pos), rows[i].key);
    }
}

/* The pawn is pinned, so it is the same position, but not for Polyglot. */
TEST(test_keys__polyglot_counts_en_passant_that_is_not_legal)
{
    tby_position pos = position_of("6k1/1p2p1rp/rP1pR3/2pP1pP1/p1P2P1P/R5K1/8/8 b - - 0 1");
    play_line(&pos, "h7h5", NULL);
    tby_position without = pos;
    without.en_passant = TBY_NO_SQUARE;
    assert_true(tby_position_same(&pos, &without));
    assert_int_equal(tby_polyglot_key(&pos), 0xb379bd67e61ff330ULL);
    assert_int_equal(tby_polyglot_key(&without), 0xd4daf0cba549a63bULL);
}

TEST(test_keys__polyglot_distinguishes_castling_sides_not_rooks)
{
    const tby_position a = position_of("4k3/8/8/8/8/8/8/RR2K3 w A - 0 1");
    const tby_position b = position_of("4k3/8/8/8/8/8/8/RR2K3 w B - 0 1");
    const tby_position none = position_of("4k3/8/8/8/8/8/8/RR2K3 w - - 0 1");
    assert_int_equal(tby_polyglot_key(&a), tby_polyglot_key(&b));
    assert_int_equal(tby_polyglot_key(&a) ^ tby_polyglot_key(&none), POLYGLOT_RANDOM[POLYGLOT_CASTLING + 1]);
}

int main(void) { return tests_run(NULL, NULL); }
