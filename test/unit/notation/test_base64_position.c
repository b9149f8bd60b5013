/*
 * test_base64_position.c - BOARD:STATE in base64: every field valid and invalid, round trips, small buffers.
 */
#define POSITION_READ tby_base64_position_read
#define POSITION_WRITE tby_base64_position_write
#define POSITION_SIZE TBY_BASE64_POSITION_SIZE
#define POSITION_CLOCK_MAX 63
#include "position_support.h"

#define START_BOARD "vNqdy+7u7u4AAAAAAAAAAAAAAAAAAAAAZmZmZjRSFUM"
#define START START_BOARD ":eAAA"

TEST(test_base64_position__the_start_is_as_specified)
{
    assert_writes(START_FEN, 0, START);
    assert_reads(START, START_FEN);
}

TEST(test_base64_position__the_state_may_be_missing)
{
    assert_reads(START_BOARD, START_FEN);
    assert_reads(START_BOARD "=", START_FEN);
}

TEST(test_base64_position__padding_must_be_complete_or_absent)
{
    assert_reads(START_BOARD "=:eAAA", START_FEN);
    assert_reads(START_BOARD ":eAAAAA==", START_FEN);
    assert_reads(START_BOARD ":eAAAAAA=", START_FEN);
    assert_reads(START_BOARD ":eAAAAAAA", START_FEN);
    assert_bad(START_BOARD "==", TBY_INVALID_BASE64, 44);
    assert_bad(START_BOARD ":eAAA=", TBY_INVALID_BASE64, 48);
    assert_bad(START_BOARD ":eAAAAA=", TBY_INVALID_BASE64, 50);
    assert_bad(START_BOARD ":eAAAAA===", TBY_INVALID_BASE64, 52);
}

TEST(test_base64_position__both_alphabets_are_read)
{
    assert_writes(START_FEN, TBY_BASE64_URL, "vNqdy-7u7u4AAAAAAAAAAAAAAAAAAAAAZmZmZjRSFUM:eAAA");
    assert_reads("vNqdy-7u7u4AAAAAAAAAAAAAAAAAAAAAZmZmZjRSFUM:eAAA", START_FEN);
}

TEST(test_base64_position__each_castling_right_has_its_bit)
{
    /* Bits 1 to 4 of the first digit are 16, 8, 4, 2. */
    const char *const rights[5] = {"-", "q", "k", "Q", "K"};
    const char *const texts[5] = {START_BOARD ":AAAA", START_BOARD ":QAAA", START_BOARD ":IAAA", START_BOARD ":EAAA",
                                  START_BOARD ":CAAA"};
    for (int i = 0; i < 5; i++) {
        char fen[TBY_FEN_SIZE] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w ";
        strcat(strcat(fen, rights[i]), " - 0 1");
        assert_writes(fen, 0, texts[i]);
        assert_reads(texts[i], fen);
    }
}

TEST(test_base64_position__en_passant_file_clock_and_ply)
{
    /* 1 1111 100 | 1 000000 0 | 00000001 */
    const char after_e4[] = "vNqdy+7u7u4AAAAAAAAAAAAAYAAAAAAAZmYGZjRSFUM:/IAB";
    assert_writes("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0, after_e4);
    assert_reads(after_e4, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    /* 0 0000 000 | 0 111111 1 | 11111110: clock 63, ply 510 */
    const char bare[] = "AAAJAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEAA:AH/+";
    assert_writes("5k2/8/8/8/8/8/8/4K3 w - - 63 256", 0, bare);
    assert_reads(bare, "5k2/8/8/8/8/8/8/4K3 w - - 63 256");
    /* The file is ignored if en passant is not available. */
    assert_reads(START_BOARD ":fwAA", START_FEN);
}

TEST(test_base64_position__long_games_take_more_bytes)
{
    char buf[TBY_BASE64_POSITION_SIZE];
    const uint32_t fullmoves[] = {256, 257, 4096, 65535};
    const size_t lengths[] = {48, 50, 50, 50};
    for (int i = 0; i < 4; i++) {
        tby_setup setup = setup_of(START_FEN);
        setup.side = TBY_BLACK;
        setup.fullmove = fullmoves[i];
        assert_int_equal(tby_base64_position_write(buf, sizeof buf, &setup, 0, NULL), lengths[i]);
        const tby_setup back = read_good(buf);
        assert_true(tby_setup_equal(&setup, &back));
    }
    tby_setup setup = setup_of(START_FEN);
    setup.fullmove = UINT32_MAX;
    assert_in_range(tby_base64_position_write(buf, sizeof buf, &setup, 0, NULL), 1, sizeof buf - 1);
}

TEST(test_base64_position__more_state_than_needed_is_read_up_to_eight_bytes)
{
    assert_reads(START_BOARD ":eAAAAAAAAAA", START_FEN);
    assert_bad(START_BOARD ":eAAAAAAAAAAA", TBY_TOO_LONG, 55);
    assert_bad(START_BOARD ":eAH///////8", TBY_INVALID_FULLMOVE, 46);
    assert_int_equal(read_good(START_BOARD ":eAH//A").fullmove, TBY_FULLMOVE_MAX); /* ply 131068 */
    assert_bad(START_BOARD ":eAH//Q", TBY_INVALID_BASE64, 46);                     /* 131069, white to move */
    assert_bad(START_BOARD ":eAH//g", TBY_INVALID_FULLMOVE, 46);                   /* 131070 */
}

TEST(test_base64_position__bad_text_is_located)
{
    assert_bad("", TBY_INVALID_BASE64, 0);
    assert_bad("vNqdy+7u7u4AAAAAAAAAAAAAAAAAAAAAZmZmZjRSFU", TBY_INVALID_BASE64, 42);
    assert_bad("vNqdy+7u7u4AAA:eAAA", TBY_INVALID_BASE64, 14);
    assert_bad("vNqdy+7u 7u4AAAAAAAAAAAAAAAAAAAAAZmZmZjRSFUM", TBY_INVALID_BASE64, 8);
    assert_bad(START_BOARD "A", TBY_INVALID_BASE64, 43);
    assert_bad(START_BOARD ":", TBY_INVALID_BASE64, 44);
    assert_bad(START_BOARD ":eAA", TBY_INVALID_BASE64, 47);
    assert_bad(START_BOARD ":eA A", TBY_INVALID_BASE64, 46);
    assert_bad(START_BOARD ":eAAAA", TBY_INVALID_BASE64, 49);
    assert_bad(START_BOARD ":eAAA ", TBY_INVALID_BASE64, 48);
    assert_bad(START_BOARD ":eAAA:", TBY_INVALID_BASE64, 48);
}

TEST(test_base64_position__spare_bits_must_be_zero)
{
    assert_bad("vNqdy+7u7u4AAAAAAAAAAAAAAAAAAAAAZmZmZjRSFUN", TBY_INVALID_BASE64, 42);
    assert_bad(START_BOARD ":eAAAAB", TBY_INVALID_BASE64, 49);
    assert_bad(START_BOARD ":eAAAAAB", TBY_INVALID_BASE64, 50);
}

TEST(test_base64_position__seven_eight_and_fifteen_are_not_pieces)
{
    assert_bad("dNqdy+7u7u4AAAAAAAAAAAAAAAAAAAAAZmZmZjRSFUM", TBY_INVALID_BASE64, 0);
    assert_bad("gNqdy+7u7u4AAAAAAAAAAAAAAAAAAAAAZmZmZjRSFUM", TBY_INVALID_BASE64, 0);
    assert_bad("/Nqdy+7u7u4AAAAAAAAAAAAAAAAAAAAAZmZmZjRSFUM", TBY_INVALID_BASE64, 0);
    assert_bad("vNqdy+7u7u4AAAAAAAAAAAAAAAAAAAAAZmZmZjRSFUc", TBY_INVALID_BASE64, 42);
}

TEST(test_base64_position__side_and_ply_must_agree)
{
    assert_bad(START_BOARD ":+AAA", TBY_INVALID_BASE64, 46);
    assert_bad(START_BOARD ":eAAB", TBY_INVALID_BASE64, 46);
}

TEST(test_base64_position__rights_without_pieces_are_refused)
{
    assert_bad("AAAJAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEAA:CAAA", TBY_INVALID_CASTLING, 44);
    assert_bad("AAAJAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEAA:QAAA", TBY_INVALID_CASTLING, 44);
}

TEST(test_base64_position__en_passant_without_a_double_step_is_refused)
{
    assert_bad(START_BOARD ":fIAA", TBY_INVALID_EN_PASSANT, 44);
}

TEST(test_base64_position__clock_over_63_cannot_be_held)
{
    char buf[TBY_BASE64_POSITION_SIZE] = "left over", message[TBY_ERROR_SIZE];
    tby_error err;
    const tby_setup setup = setup_of("5k2/8/8/8/8/8/8/4K3 w - - 64 256");
    assert_int_equal(tby_base64_position_write(buf, sizeof buf, &setup, 0, &err), 0);
    assert_string_equal(buf, "");
    assert_int_equal(err.status, TBY_CANNOT_HOLD);
    tby_error_write(message, sizeof message, &err);
    assert_non_null(strstr(message, "clock over 63: it is 64"));
    assert_int_equal(tby_base64_position_write(buf, sizeof buf, &setup, TBY_LOSSY, &err), 48);
    assert_int_equal(err.status, TBY_OK);
    assert_reads(buf, "5k2/8/8/8/8/8/8/4K3 w - - 63 256");
}

TEST(test_base64_position__chess960_rights_cannot_be_held)
{
    char buf[TBY_BASE64_POSITION_SIZE];
    tby_error err;
    const tby_setup setup = setup_of("1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1");
    assert_int_equal(tby_base64_position_write(buf, sizeof buf, &setup, 0, &err), 0);
    assert_int_equal(err.status, TBY_CANNOT_HOLD);
    assert_non_null(strstr(err.detail, "castling"));
    assert_int_equal(tby_base64_position_write(buf, sizeof buf, &setup, TBY_LOSSY, &err), 48);
    assert_reads(buf, "1r2k2r/8/8/8/8/8/8/1R2K2R w Kk - 0 1");
}

TEST(test_base64_position__a_small_buffer_holds_the_empty_text) { assert_small_buffers_are_empty(48); }

TEST(test_base64_position__random_games_are_read_back) { visit_random_games(200, 150, round_trip); }

TEST(test_base64_position__hostile_text_is_refused_within_bounds)
{
    for_each_mutation(START, read_any);
    for_each_mutation("vNqdy+7u7u4AAAAAAAAAAAAAYAAAAAAAZmYGZjRSFUM:/IAB", read_any);
    for_each_mutation(START_BOARD "=:eAAAAA==", read_any);
    for_each_flood(read_any);
}

int main(void) { return tests_run(NULL, NULL); }
