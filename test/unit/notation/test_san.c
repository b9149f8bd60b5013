/*
 * test_san.c - reading standard algebraic notation: the export format, what is refused and why, strict reading, hostile
 * texts.
 */
#include "san_support.h"

/* ---- Reading: the export form ---------------------------------------------------------------------------- */

TEST(test_san__the_export_format_has_no_warnings)
{
    reads(START_FEN, "e4", "e2e4", 0);
    reads(START_FEN, "a3", "a2a3", 0);
    reads(START_FEN, "Nf3", "g1f3", 0);
    reads(A6_FEN, "exd5", "e4d5", 0);
    reads(A6_FEN, "Qh5", "d1h5", 0);
    reads(A6_FEN, "Bb5+", "f1b5", 0);
    reads(A6_FEN, "Ke2", "e1e2", 0);
    reads(B7_FEN, "exf6", "e5f6", 0);
    reads(PROMOTION_FEN, "e8=N", "e7e8n", 0);
    reads(CASTLING_FEN, "O-O", "e1g1", 0);
    reads(CASTLING_FEN, "O-O-O", "e1c1", 0);
    reads("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "O-O+", "e1g1", 0);
    reads("3k4/8/1P2Q3/8/8/8/8/R3K3 w Q - 0 1", "O-O-O#", "e1c1", 0);
    reads("8/8/6K1/4k3/4N3/p4r2/N3N3/8 w - - 3 82", "Ne2c3", "e2c3", 0);
    reads("8/8/6K1/4k3/4N3/p4r2/N3N3/8 w - - 3 82", "Nac3", "a2c3", 0);
    reads("8/8/6K1/4k3/4N3/p4r2/N3N3/8 w - - 3 82", "N4c3", "e4c3", 0);
    reads("8/k7/8/8/4Q2Q/8/8/1K5Q w - - 0 1", "Qh4e1", "h4e1", 0);
}

/* ---- Reading: 9, not accepted ---------------------------------------------------------------------------- */

TEST(test_san__texts_that_are_not_accepted)
{
    is_invalid(A6_FEN, "exd", 3, SQUARE_EXPECTED);
    is_invalid(A6_FEN, "ed", 2, SQUARE_EXPECTED);
    is_illegal(A6_FEN, "d5", NO_PAWN_CAN);
    is_illegal(A6_FEN, "xd5", "a pawn that captures names the file it comes from");
    is_illegal(A6_FEN, "exe5", "a pawn that captures names the file it comes from");
    is_illegal(A6_FEN, "4xd5", "a pawn that captures names the file it comes from");
    is_invalid(START_FEN, "nf3", 0, SQUARE_EXPECTED);
    is_invalid(START_FEN, "kf3", 0, SQUARE_EXPECTED);
    is_invalid(START_FEN, "qd3", 0, SQUARE_EXPECTED);
    is_invalid(START_FEN, "rd3", 0, SQUARE_EXPECTED);
    is_invalid(START_FEN, "pe4", 0, SQUARE_EXPECTED);
    is_illegal(A6_FEN, "bb5", NO_PAWN_CAN); /* the b-pawn, never the bishop */
    is_invalid(START_FEN, "--", 0, SQUARE_EXPECTED);
    is_invalid(START_FEN, "0000", 3, ENDED);
    is_invalid(START_FEN, "e9", 1, SQUARE_EXPECTED);
    is_invalid(START_FEN, "i4", 0, SQUARE_EXPECTED);
    is_invalid(START_FEN, " e4", 0, SQUARE_EXPECTED);
    is_invalid(START_FEN, "e4 ", 2, ENDED);
    is_invalid(START_FEN, "1.e4", 1, SQUARE_EXPECTED);
    is_invalid(START_FEN, "N", 1, SQUARE_EXPECTED);
    is_invalid(START_FEN, "N3", 2, SQUARE_EXPECTED);
    is_invalid(START_FEN, "e", 1, SQUARE_EXPECTED);
    is_invalid(START_FEN, "e44", 2, ENDED);
    is_invalid(START_FEN, "Nf3Nf6", 3, "only pawns promote");
    is_invalid(START_FEN, "Ng1f3h4", 5, ENDED);
}

/* ---- Three answers: illegal, ambiguous, invalid ---------------------------------------------------------- */

TEST(test_san__illegal_moves_say_why)
{
    is_illegal(START_FEN, "Nf4", NO_PIECE_CAN);
    is_illegal(START_FEN, "Nd2", NO_PIECE_CAN); /* occupied by a piece of the same side */
    is_illegal(START_FEN, "Qd3", NO_PIECE_CAN);
    is_illegal(START_FEN, "Rb1", NO_PIECE_CAN);
    is_illegal(START_FEN, "Bd3", NO_PIECE_CAN);
    is_illegal(START_FEN, "Ke2", "the king cannot go there");
    is_illegal(START_FEN, "Ke4", "the king cannot go there");
    is_illegal(START_FEN, "e5", NO_PAWN_CAN);
    is_illegal(START_FEN, "exd3", NO_PAWN_CAN);
    is_illegal(START_FEN, "axc3", NO_PAWN_CAN);
    is_illegal("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", "Nc3", IN_CHECK);
    is_illegal("4r1k1/8/8/8/8/8/8/4K2N w - - 0 1", "Nf2", IN_CHECK);
    is_illegal("3r2k1/8/8/8/8/8/8/4K3 w - - 0 1", "Kd1", IN_CHECK);
    is_illegal("4r1k1/8/8/8/8/3p4/4P3/4K3 w - - 0 1", "exd3", IN_CHECK);
}

TEST(test_san__en_passant_that_is_not_legal)
{
    is_illegal("8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1", "dxe6", IN_CHECK);
    is_illegal("4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", IN_CHECK);
    is_illegal("7k/4b3/8/2pP4/8/K7/8/8 w - c6 0 2", "dxc6", IN_CHECK);
    is_illegal("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", "exd3", IN_CHECK);
    is_illegal("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", "exd6", NO_PAWN_CAN);
    reads("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", "exd3", "e4d3", 0);
}

TEST(test_san__ambiguous_moves)
{
    const char *a3 = "8/8/6K1/4k3/4N3/p4r2/N3N3/8 w - - 3 82";
    const char *a5 = "rnbqkb1r/1ppp1pp1/p3pn1p/8/3N4/3P4/PPPNPPPP/R1BQKB1R w KQkq - 0 5";
    is_ambiguous("4k2r/r3bppp/p1p5/3pR3/Pp1P1B2/7P/1PP2PP1/R5K1 w k - 0 37", "Re1");
    is_ambiguous(a3, "Nc3");
    is_ambiguous(a3, "Nec3");
    is_ambiguous(a3, "N2c3");
    is_ambiguous(a5, "Nf3");
    is_ambiguous(a5, "Ndf3");
}

TEST(test_san__a_pinned_piece_does_not_make_a_move_ambiguous)
{
    reads("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "Ne2", "g1e2", 0);
    /* If it is pinned along the line it moves on, it does. */
    is_ambiguous("4r1k1/8/8/8/4R3/8/7R/4K3 w - - 0 1", "Re2");
}

/* ---- Strict reading -------------------------------------------------------------------------------------- */

TEST(test_san__strict_reading_accepts_only_the_export_format)
{
    static const struct {
        const char *fen, *text;
    } rows[] = {
        {START_FEN, "Ngf3"},     {START_FEN, "e2e4"},    {START_FEN, "Nxf3"},      {START_FEN, "Nf3!"},
        {START_FEN, "Pe4"},      {A6_FEN, "ed5"},        {A6_FEN, "e4xd5"},        {A6_FEN, "e:d5"},
        {A6_FEN, "Bb5ch"},       {MATE_FEN, "Qh4++"},    {CASTLING_FEN, "0-0"},    {CASTLING_FEN, "OO"},
        {CASTLING_FEN, "e1g1"},  {PROMOTION_FEN, "e8Q"}, {PROMOTION_FEN, "e8(Q)"}, {B7_FEN, "exf6 e.p."},
        {START_FEN, "\u2658f3"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        refuses_bytes(rows[i].fen, rows[i].text, strlen(rows[i].text), TBY_SAN_STRICT, TBY_INVALID_SAN, 0,
                      "not the export form");
    /* The other answers do not change. */
    refuses_bytes(START_FEN, "Nf4", 3, TBY_SAN_STRICT, TBY_ILLEGAL_MOVE, 0, NO_PIECE_CAN);
    refuses_bytes(START_FEN, "Nf", 2, TBY_SAN_STRICT, TBY_INVALID_SAN, 2, SQUARE_EXPECTED);
    refuses_bytes(PROMOTION_FEN, "e8", 2, TBY_SAN_STRICT, TBY_PROMOTION_MISSING, 0,
                  "the piece to promote to is missing");
}

TEST(test_san__strict_reading_accepts_any_check_mark)
{
    reads_as(MATE_FEN, "Qh4#", "d8h4", 0, TBY_SAN_STRICT);
    reads_as(MATE_FEN, "Qh4+", "d8h4", SUFFIX, TBY_SAN_STRICT);
    reads_as(MATE_FEN, "Qh4", "d8h4", SUFFIX, TBY_SAN_STRICT);
    reads_as(START_FEN, "e4+", "e2e4", SUFFIX, TBY_SAN_STRICT);
    reads_as(CASTLING_FEN, "O-O#", "e1g1", SUFFIX, TBY_SAN_STRICT);
}

/* ---- Hostile texts --------------------------------------------------------------------------------------- */

TEST(test_san__empty_text_is_invalid)
{
    is_invalid(START_FEN, "", 0, SQUARE_EXPECTED);
    refuses_bytes(START_FEN, "", 0, TBY_SAN_STRICT | TBY_SAN_AUTO_QUEEN, TBY_INVALID_SAN, 0, SQUARE_EXPECTED);
}

TEST(test_san__nul_inside_is_invalid)
{
    refuses_bytes(START_FEN, "Nf3\0", 4, 0, TBY_INVALID_SAN, 3, ENDED);
    refuses_bytes(START_FEN, "Nf3\0+", 5, 0, TBY_INVALID_SAN, 3, ENDED);
    refuses_bytes(START_FEN, "N\0f3", 4, 0, TBY_INVALID_SAN, 1, SQUARE_EXPECTED);
    refuses_bytes(START_FEN, "\0", 1, 0, TBY_INVALID_SAN, 0, SQUARE_EXPECTED);
    refuses_bytes(START_FEN, "\0e4", 3, 0, TBY_INVALID_SAN, 0, SQUARE_EXPECTED);
    refuses_bytes(START_FEN, "e\0004", 3, 0, TBY_INVALID_SAN, 1, SQUARE_EXPECTED);
    refuses_bytes(START_FEN, "e4\0", 3, 0, TBY_INVALID_SAN, 2, ENDED);
    refuses_bytes(CASTLING_FEN, "O-O\0-O", 6, 0, TBY_INVALID_SAN, 3, ENDED);
}

/* Whatever is accepted is a legal move and survives writing and reading. */
static void read_anywhere(const char *s, size_t n)
{
    static const char *const fens[] = {START_FEN, A6_FEN, B7_FEN, PROMOTION_FEN, CASTLING_FEN, MATE_FEN};
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        const tby_position pos = position_of(fens[i]);
        tby_move m, again;
        tby_error err = {TBY_OK, {0, 0}, n + 1, NULL};
        unsigned warnings = 0;
        const tby_status status = tby_san_read(&m, &pos, s, n, 0, &warnings, &err);
        if (status != TBY_OK) {
            assert_true(err.status == status && err.offset <= n && err.detail);
            continue;
        }
        char buf[TBY_SAN_SIZE];
        const size_t length = tby_san_write(buf, sizeof buf, &pos, m);
        assert_true(tby_move_is_legal(&pos, m));
        assert_int_equal(tby_san_read(&again, &pos, buf, length, TBY_SAN_STRICT, NULL, NULL), TBY_OK);
        assert_int_equal(again, m);
        /* Every deviation has a warning, and the export format has none. */
        assert_int_equal(warnings == 0, length == n && memcmp(buf, s, n) == 0);
    }
}

TEST(test_san__a_mebibyte_of_one_character) { for_each_flood(read_anywhere); }

TEST(test_san__a_mebibyte_of_marks)
{
    static const char bytes[] = "+#!?Ox";
    const tby_position pos = position_of(START_FEN);
    char *text = malloc(MEBIBYTE);
    assert_non_null(text);
    for (size_t i = 0; i < sizeof bytes - 1; i++) {
        tby_move m = TBY_MOVE_NONE;
        memset(text, bytes[i], MEBIBYTE);
        memcpy(text, "e4", 2);
        const tby_status status = tby_san_read(&m, &pos, text, MEBIBYTE, 0, NULL, NULL);
        assert_int_equal(status, i < 4 ? TBY_OK : TBY_INVALID_SAN);
    }
    free(text);
}

TEST(test_san__every_mutation_of_good_texts)
{
    static const char *const texts[] = {"e4",   "exd5",  "Nf3",  "Ng1f3", "O-O-O",     "0-0",
                                        "e8=Q", "e7e8q", "Qh4#", "Bb5+!", "exf6 e.p.", "\u2658f3"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for_each_mutation(texts[i], read_anywhere);
}

TEST(test_san__every_text_of_up_to_three_bytes)
{
    static const char alphabet[] = "abh148NKPOo0x-:=+#!(q \xe2";
    const size_t k = sizeof alphabet - 1;
    for (size_t i = 0; i < k * k * k; i++) {
        const char text[3] = {alphabet[i % k], alphabet[i / k % k], alphabet[i / k / k]};
        read_anywhere(text, 1 + i % 3);
    }
}

int main(void) { return tests_run(NULL, NULL); }
