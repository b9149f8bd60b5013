/*
 * test_packed.c - packed boards and games: round trips, order, prefixes, hostile bytes.
 */
#include "support.h"

#include <stdlib.h>

enum { MAX_BYTES = 4 * TBY_PLIES_MAX };

typedef struct played {
    tby_position start;
    tby_move moves[600];
    size_t n;
} played;

static void play_random(played *g, uint64_t *seed, const tby_position *start, size_t max_plies)
{
    tby_position pos = *start;
    g->start = *start;
    for (g->n = 0; g->n < max_plies; g->n++) {
        tby_move moves[TBY_MOVES_MAX];
        const size_t n = tby_moves_list(moves, &pos);
        if (n == 0)
            return;
        g->moves[g->n] = moves[random_next(seed) % n];
        tby_position_play(&pos, g->moves[g->n], NULL);
    }
}

static size_t pack(uint8_t *out, const played *g, size_t n_plies, tby_result result)
{
    return tby_packed_encode(out, MAX_BYTES, &g->start, g->moves, n_plies, result);
}

TEST(test_packed__a_game_is_read_back_move_by_move)
{
    static uint8_t bytes[MAX_BYTES];
    uint64_t seed = 42;
    for (unsigned i = 0; i < 400; i++) {
        tby_setup setup;
        tby_position start;
        played g;
        assert_true(tby_setup_chess960(&setup, i * 7 % 960));
        assert_int_equal(tby_position_init(&start, &setup, 0, NULL), TBY_OK);
        play_random(&g, &seed, &start, 300);
        const size_t n = pack(bytes, &g, g.n, TBY_DRAW);
        tby_packed cursor;
        assert_true(tby_packed_begin(&cursor, bytes, n));
        assert_memory_equal(&cursor.pos, &start, sizeof start);
        for (size_t k = 0; k < g.n; k++)
            assert_int_equal(tby_packed_next(&cursor), g.moves[k]);
        assert_int_equal(tby_packed_next(&cursor), TBY_MOVE_NONE);
        assert_int_equal(tby_packed_n_plies(bytes, n), g.n);
        assert_int_equal(tby_packed_result(bytes, n), TBY_DRAW);
        assert_int_equal(tby_packed_check(bytes, n, NULL), TBY_OK);
    }
}

static int compare(const uint8_t *a, size_t n_a, const uint8_t *b, size_t n_b)
{
    const int order = memcmp(a, b, n_a < n_b ? n_a : n_b);
    return order ? order : (n_a > n_b) - (n_a < n_b);
}

TEST(test_packed__a_prefix_sorts_before_its_extensions_and_shares_their_bytes)
{
    static uint8_t whole[MAX_BYTES], part[MAX_BYTES];
    uint64_t seed = 7;
    tby_position start;
    tby_position_start(&start);
    for (int i = 0; i < 300; i++) {
        played g;
        play_random(&g, &seed, &start, 200);
        const size_t n_whole = pack(whole, &g, g.n, TBY_WHITE_WINS), cut = (size_t)(random_next(&seed) % (g.n + 1));
        const size_t n_part = pack(part, &g, cut, TBY_RESULT_NONE), prefix = tby_packed_prefix(part, n_part);
        assert_memory_equal(part, whole, prefix);
        if (cut < g.n)
            assert_true(compare(part, n_part, whole, n_whole) < 0);
    }
}

TEST(test_packed__keys_and_searches_agree_with_replay)
{
    static uint8_t bytes[MAX_BYTES];
    uint64_t seed = 99, keys[601];
    tby_position start;
    tby_position_start(&start);
    for (int i = 0; i < 100; i++) {
        played g;
        play_random(&g, &seed, &start, 120);
        const size_t n = pack(bytes, &g, g.n, TBY_RESULT_NONE);
        assert_int_equal(tby_packed_position_keys(keys, 601, bytes, n), g.n + 1);
        tby_position pos = start;
        for (size_t k = 0; k <= g.n; k++) {
            assert_true(keys[k] == tby_position_key(&pos));
            tby_target target;
            tby_target_position(&target, &pos);
            const int found = tby_target_find(&target, bytes, n, (int)k);
            assert_true(found >= 0 && keys[found] == keys[k]);
            assert_int_equal(tby_target_find(&target, bytes, n, -1), -1);
            tby_target_placement(&target, &pos.board);
            const int placed = tby_target_find(&target, bytes, n, (int)k);
            assert_true(placed >= 0 && placed <= found);
            if (k < g.n)
                tby_position_play(&pos, g.moves[k], NULL);
        }
    }
}

TEST(test_packed__the_longest_game_fits_and_no_longer_one)
{
    static uint8_t bytes[MAX_BYTES];
    static tby_move moves[TBY_PLIES_MAX + 1];
    tby_position start;
    tby_position_start(&start);
    const tby_move shuffle[4] = {TBY_MOVE(6, 21, 0), TBY_MOVE(62, 45, 0), TBY_MOVE(21, 6, 0), TBY_MOVE(45, 62, 0)};
    for (size_t i = 0; i <= TBY_PLIES_MAX; i++)
        moves[i] = shuffle[i % 4];
    const size_t n = tby_packed_encode(bytes, sizeof bytes, &start, moves, TBY_PLIES_MAX, TBY_DRAW);
    assert_int_equal(n, TBY_PLIES_MAX + 2 + TBY_PACKED_TRAILER_SIZE);
    assert_int_equal(tby_packed_n_plies(bytes, n), TBY_PLIES_MAX);
    assert_int_equal(tby_packed_encode(bytes, sizeof bytes, &start, moves, TBY_PLIES_MAX + 1, TBY_DRAW), 0);
}

/* The null move is the last code in each position, in one byte and in two. */
TEST(test_packed__null_moves_are_kept)
{
    static const char *const fens[] = {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                                       "1qqqqqk1/1qqqq3/8/8/8/8/8/K7 b - - 0 1", "7k/8/8/8/8/8/8/K7 b - - 5 9"};
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        uint8_t bytes[128];
        const tby_move moves[3] = {TBY_MOVE_NULL, TBY_MOVE_NULL, TBY_MOVE_NULL};
        tby_position start = position_of(fens[i]);
        tby_packed cursor;
        const size_t n = tby_packed_encode(bytes, sizeof bytes, &start, moves, 3, TBY_DRAW);
        assert_int_equal(tby_packed_check(bytes, n, NULL), TBY_OK);
        assert_int_equal(tby_packed_n_plies(bytes, n), 3);
        assert_true(tby_packed_begin(&cursor, bytes, n));
        for (int ply = 0; ply < 3; ply++) {
            assert_int_equal(tby_packed_next(&cursor), TBY_MOVE_NULL);
            tby_position_play_null(&start, NULL);
            assert_memory_equal(&cursor.pos, &start, sizeof start);
        }
        assert_int_equal(tby_packed_next(&cursor), TBY_MOVE_NONE);
    }
    /* There is none in check, whatever the bytes say. */
    uint8_t bytes[128];
    const tby_position check = position_of("7k/8/8/8/8/8/8/K6R b - - 0 1");
    const tby_move pass = TBY_MOVE_NULL;
    const size_t n = tby_packed_encode(bytes, sizeof bytes, &check, &pass, 1, TBY_DRAW);
    assert_int_equal(tby_packed_check(bytes, n, NULL), TBY_INVALID_PACKED);
}

/* 1.e4 e5 2.h3, White wins: these bytes must never change. */
TEST(test_packed__bytes_of_version_1_are_pinned)
{
    static const uint8_t golden[] = {0x10, 18, 18,   25,   0, 0x01, 0x82, 0x22, 0x18, 0x22,
                                     0x21, 3,  0xc4, 0x07, 0, 0,    0,    0,    0,    0};
    const tby_move moves[3] = {TBY_MOVE(12, 28, 0), TBY_MOVE(52, 36, 0), TBY_MOVE(15, 23, 0)};
    uint8_t bytes[64];
    tby_position start;
    tby_position_start(&start);
    assert_int_equal(tby_packed_encode(bytes, sizeof bytes, &start, moves, 3, TBY_WHITE_WINS), sizeof golden);
    assert_memory_equal(bytes, golden, sizeof golden);
}

TEST(test_packed__the_summary_describes_the_final_position)
{
    const tby_move moves[3] = {TBY_MOVE(12, 28, 0), TBY_MOVE(51, 35, 0), TBY_MOVE(28, 35, 0)}; /* 1.e4 d5 2.exd5 */
    uint8_t bytes[64];
    tby_position start;
    tby_packed_summary summary;
    tby_position_start(&start);
    const size_t n = tby_packed_encode(bytes, sizeof bytes, &start, moves, 3, TBY_RESULT_NONE);
    assert_true(tby_packed_summary_of(&summary, bytes, n));
    assert_int_equal(summary.home_pawns, 0xf7ef);
    assert_int_equal(summary.material[TBY_WHITE][0], 8);
    assert_int_equal(summary.material[TBY_BLACK][0], 7);
    assert_int_equal(summary.material[TBY_BLACK][4], 1);
    assert_false(summary.has_promotion[TBY_WHITE]);
}

/* Whatever the summaries say, every game that reaches a position is found, and no other. */
TEST(test_packed__a_search_finds_what_replaying_finds)
{
    enum { GAMES = 60 };
    static uint8_t bytes[GAMES][MAX_BYTES];
    static uint64_t keys[GAMES][601];
    static played games[GAMES];
    size_t lengths[GAMES];
    uint64_t seed = 2024;
    for (size_t i = 0; i < GAMES; i++) {
        tby_setup setup;
        tby_position start;
        assert_true(tby_setup_chess960(&setup, i % 3 ? 518 : 100 + (unsigned)i));
        assert_int_equal(tby_position_init(&start, &setup, 0, NULL), TBY_OK);
        play_random(&games[i], &seed, &start, i % 2 ? 500 : 3);
        lengths[i] = pack(bytes[i], &games[i], games[i].n, TBY_DRAW);
        assert_int_equal(tby_packed_position_keys(keys[i], 601, bytes[i], lengths[i]), games[i].n + 1);
    }
    for (size_t i = 0; i < GAMES; i++) {
        tby_position pos = games[i].start;
        for (size_t k = 0; k < games[i].n; tby_position_play(&pos, games[i].moves[k++], NULL)) {
            tby_target target;
            tby_target_position(&target, &pos);
            for (size_t j = 0; j < GAMES; j++) {
                int first = -1;
                for (size_t l = 0; l <= games[j].n && first < 0; l++)
                    first = keys[j][l] == keys[i][k] ? (int)l : -1;
                assert_int_equal(tby_target_find(&target, bytes[j], lengths[j], TBY_PLIES_MAX), first);
            }
        }
    }
}

/* A flipped bit is refused, or results in another legal game in canonical form. (An invalid last move once passed.) */
TEST(test_packed__flipped_bits_are_refused_or_another_canonical_game)
{
    static uint8_t bytes[MAX_BYTES], again[MAX_BYTES];
    uint64_t seed = 5;
    tby_position start;
    played g;
    tby_position_start(&start);
    play_random(&g, &seed, &start, 60);
    const size_t n = pack(bytes, &g, g.n, TBY_BLACK_WINS);
    for (size_t bit = 0; bit < 8 * n; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        if (tby_packed_check(bytes, n, NULL) == TBY_OK) {
            tby_packed cursor;
            played other = {.n = 0};
            assert_true(tby_packed_begin(&cursor, bytes, n));
            other.start = cursor.pos;
            for (tby_move m; (m = tby_packed_next(&cursor)) != TBY_MOVE_NONE;)
                other.moves[other.n++] = m;
            assert_int_equal(pack(again, &other, other.n, tby_packed_result(bytes, n)), n);
            assert_memory_equal(again, bytes, n);
        }
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
}

TEST(test_packed__any_bytes_are_safe)
{
    uint64_t seed = 11;
    tby_position start;
    tby_target target;
    tby_position_start(&start);
    tby_target_position(&target, &start);
    for (int i = 0; i < 20000; i++) {
        uint8_t bytes[96];
        const size_t n = (size_t)(random_next(&seed) % sizeof bytes);
        for (size_t k = 0; k < n; k++)
            bytes[k] = (uint8_t)random_next(&seed);
        if (n)
            bytes[0] = 0x10 | (i & 1);
        tby_packed_check(bytes, n, NULL);
        tby_packed_n_plies(bytes, n);
        tby_target_find(&target, bytes, n, 1000);
    }
}

TEST(test_packed__a_board_is_read_back_with_all_six_fields)
{
    static const char *const fens[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "rn2k1r1/ppp1pp1p/3p2p1/5bn1/P7/2N2B2/1PPPPP2/2BNK1RR w Gkq - 4 11",
        "8/8/8/8/8/8/8/8 b - - 65535 65535",
        "4k3/8/8/8/8/8/8/4K3 w KQkq e3 7 9", /* castling rights without rooks, an impossible en passant square */
        "QQQQQQBk/Q6B/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1",
    };
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        tby_setup setup, back;
        uint8_t bytes[TBY_PACKED_BOARD_SIZE];
        assert_int_equal(tby_fen_read(&setup, fens[i], strlen(fens[i]), TBY_FEN_RAW, NULL, NULL), TBY_OK);
        const size_t n = tby_packed_board_encode(bytes, &setup);
        assert_true(n <= 34);
        assert_int_equal(tby_packed_board_decode(&back, bytes, n), n);
        assert_true(tby_setup_equal(&setup, &back));
        for (size_t cut = 0; cut < n; cut++)
            assert_int_equal(tby_packed_board_decode(&back, bytes, cut), 0);
    }
}

TEST(test_packed__the_move_number_of_a_board_counts_from_1)
{
    tby_setup setup, back;
    uint8_t bytes[TBY_PACKED_BOARD_SIZE];
    tby_setup_start(&setup);
    setup.fullmove = 0;
    const size_t n = tby_packed_board_encode(bytes, &setup);
    assert_int_equal(tby_packed_board_decode(&back, bytes, n), 0);
}

TEST(test_packed__a_piece_of_the_same_side_is_never_captured)
{
    /* 32 codes for pawns, 16 for knights, 32 for bishops; then the rook on a1, along its file to rank 2 */
    const uint8_t bytes[2 + TBY_PACKED_TRAILER_SIZE + 1] = {0x10, 1 + 80 + 8 + 1};
    tby_packed cursor;
    uint64_t keys[3];
    assert_true(tby_packed_begin(&cursor, bytes, sizeof bytes));
    assert_int_equal(tby_packed_next(&cursor), TBY_MOVE_NONE);
    assert_int_equal(tby_packed_position_keys(keys, 3, bytes, sizeof bytes), 1);
    assert_int_equal(tby_packed_check(bytes, sizeof bytes, NULL), TBY_INVALID_PACKED);
}

int main(void) { return tests_run(NULL, NULL); }
