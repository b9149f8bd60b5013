/*
 * test_san_lenient.c - standard algebraic notation as people write it. The letters A to D in the tables refer to the
 * ids in test/vectors/rules.tsv.
 */
#include "san_support.h"

/* ---- Reading: 1, marks ----------------------------------------------------------------------------------- */

TEST(test_san_lenient__judgement_marks_are_stripped)
{
    static const char *const marks[] = {"!", "?", "!!", "??", "!?", "?!", "!!!"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        char text[16];
        snprintf(text, sizeof text, "Nf3%s", marks[i]);
        reads(START_FEN, text, "g1f3", MARKS);
    }
    reads(A6_FEN, "Bb5+!", "f1b5", MARKS);
    reads(A6_FEN, "Bb5!+", "f1b5", MARKS);
    reads(CASTLING_FEN, "O-O!", "e1g1", MARKS);
    reads(PROMOTION_FEN, "e8=Q!?", "e7e8q", MARKS);
    reads(MATE_FEN, "Qh4!", "d8h4", MARKS | SUFFIX);
}

TEST(test_san_lenient__check_marks_may_be_wrong_or_missing)
{
    reads(MATE_FEN, "Qh4#", "d8h4", 0);
    reads(MATE_FEN, "Qh4", "d8h4", SUFFIX);
    reads(MATE_FEN, "Qh4+", "d8h4", SUFFIX);
    reads(MATE_FEN, "Qh4++", "d8h4", SUFFIX);
    reads(A6_FEN, "Bb5", "f1b5", SUFFIX);
    reads(A6_FEN, "Bb5#", "f1b5", SUFFIX);
    reads(START_FEN, "Nf3+", "g1f3", SUFFIX);
    reads(START_FEN, "e4#", "e2e4", SUFFIX);
    reads(CASTLING_FEN, "O-O+", "e1g1", SUFFIX);
}

TEST(test_san_lenient__other_check_marks)
{
    static const char *const marks[] = {"++", "+#", "##", "\u2020", "\u2021", "mate", "ch"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        char text[16];
        snprintf(text, sizeof text, "Qh4%s", marks[i]);
        reads(MATE_FEN, text, "d8h4", SUFFIX);
        snprintf(text, sizeof text, "Bb5%s", marks[i]);
        reads(A6_FEN, text, "f1b5", SUFFIX);
        snprintf(text, sizeof text, "Nf3%s", marks[i]);
        reads(START_FEN, text, "g1f3", SUFFIX);
        snprintf(text, sizeof text, "e4%s", marks[i]);
        reads(START_FEN, text, "e2e4", SUFFIX);
    }
}

/* "ch" after a square was once taken for a file. */
TEST(test_san_lenient__ch_is_a_mark_and_not_a_file)
{
    reads(A6_FEN, "Bb5ch", "f1b5", SUFFIX);
    reads(A6_FEN, "exd5ch", "e4d5", SUFFIX);
    is_invalid(A6_FEN, "Bb5c", 3, ENDED);
    is_invalid(A6_FEN, "Bb5check", 5, ENDED);
}

/* A wrong check mark in words once had no warning. */
TEST(test_san_lenient__check_in_words_is_a_warning)
{
    reads(START_FEN, "Nf3ch", "g1f3", SUFFIX);
    reads(START_FEN, "Nf3mate", "g1f3", SUFFIX);
    reads(START_FEN, "Nf3\u2020", "g1f3", SUFFIX);
}

/* ---- Reading: 2, castling -------------------------------------------------------------------------------- */

TEST(test_san_lenient__castling_spellings)
{
    static const char *const letters[] = {"O", "0", "o"};
    static const char *const dashes[] = {"-", "\u2013", "\u2014", "\u2011", "\u2212", ""};
    for (size_t l = 0; l < 3; l++)
        for (size_t d = 0; d < 6; d++) {
            char text[32];
            const unsigned warnings = l || d ? CASTLING : 0;
            snprintf(text, sizeof text, "%s%s%s", letters[l], dashes[d], letters[l]);
            reads(CASTLING_FEN, text, "e1g1", warnings);
            snprintf(text, sizeof text, "%s%s%s%s%s", letters[l], dashes[d], letters[l], dashes[d], letters[l]);
            reads(CASTLING_FEN, text, "e1c1", warnings);
        }
    reads("r3k2r/8/8/8/8/8/8/6K1 b kq - 0 1", "0-0-0", "e8c8", CASTLING);
    reads("r3k2r/8/8/8/8/8/8/6K1 b kq - 0 1", "O-O", "e8g8", 0);
    reads(CASTLING_FEN, "0-0+!", "e1g1", CASTLING | SUFFIX | MARKS);
}

TEST(test_san_lenient__every_dash_between_squares)
{
    static const char *const dashes[] = {"-", "\u2013", "\u2014", "\u2011", "\u2212"};
    static const char start[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (size_t d = 0; d < 5; d++) {
        char text[32];
        snprintf(text, sizeof text, "e2%se4", dashes[d]);
        reads(start, text, "e2e4", CAPTURE | COORDINATE);
        snprintf(text, sizeof text, "Ng1%sf3", dashes[d]);
        reads(start, text, "g1f3", CAPTURE | ORIGIN);
    }
}

TEST(test_san_lenient__castling_by_coordinates)
{
    reads(CASTLING_FEN, "e1g1", "e1h1", COORDINATE);
    reads(CASTLING_FEN, "e1h1", "e1h1", COORDINATE);
    reads(CASTLING_FEN, "e1c1", "e1a1", COORDINATE);
    reads(CASTLING_FEN, "e1a1", "e1a1", COORDINATE);
    reads(CASTLING_FEN, "e1f1", "e1f1", COORDINATE);
}

TEST(test_san_lenient__castling_texts_that_are_invalid)
{
    is_illegal(CASTLING_FEN, "Kg1", "the king cannot go there"); /* not a king move */
    is_illegal(CASTLING_FEN, "Ke1g1", "the king cannot go there");
    is_invalid(CASTLING_FEN, "O", 0, SQUARE_EXPECTED);
    is_invalid(CASTLING_FEN, "O-", 0, SQUARE_EXPECTED);
    is_invalid(CASTLING_FEN, "O-O-", 3, ENDED);
    is_invalid(CASTLING_FEN, "O-O-O-O", 5, ENDED);
    is_invalid(CASTLING_FEN, "O--O", 0, SQUARE_EXPECTED);
    is_invalid(CASTLING_FEN, "O-O=Q", 3, ENDED);
    is_invalid(CASTLING_FEN, "O-O e.p.", 3, ENDED);
    is_invalid(CASTLING_FEN, "Q-Q", 2, SQUARE_EXPECTED);
}

TEST(test_san_lenient__castling_that_is_not_allowed)
{
    is_illegal("6k1/8/8/8/8/8/8/R3K2R w Q - 0 1", "O-O", "the right to castle there is gone");
    is_illegal("6k1/8/8/8/8/8/8/R3K2R w Q - 0 1", "e1h1", "the king cannot go there");
    is_illegal("5rk1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O", "a piece or a check prevents castling");
    is_illegal("5rk1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "a piece or a check prevents castling");
    is_illegal("6k1/8/8/8/8/8/8/RN2K2R w KQ - 0 1", "O-O-O", "a piece or a check prevents castling");
}

TEST(test_san_lenient__chess960_castling)
{
    const char *fen = "4k3/8/8/8/8/8/8/1RK3R1 w GB - 0 1";
    reads(fen, "O-O", "c1g1", 0);
    reads(fen, "O-O-O", "c1b1", 0);
    reads(fen, "c1g1", "c1g1", COORDINATE);
    reads(fen, "c1b1", "c1b1", COORDINATE);
    /* If the king could also step to its castling square, the text means the step. */
    const tby_position pos = position_of("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
    tby_move m;
    assert_int_equal(tby_san_read(&m, &pos, "f1g1", 4, 0, NULL, NULL), TBY_OK);
    assert_int_equal(m, TBY_MOVE(square_of("f1"), square_of("g1"), 0));
    assert_int_equal(tby_san_read(&m, &pos, "f1h1", 4, 0, NULL, NULL), TBY_OK);
    assert_int_equal(m, TBY_MOVE(square_of("f1"), square_of("h1"), TBY_KING));
}

/* ---- Reading: 3, figurines ------------------------------------------------------------------------------- */

TEST(test_san_lenient__figurines_of_either_colour)
{
    const char *fen = "4k3/8/8/8/8/8/3P4/RNBQK3 w Q - 0 1";
    static const struct {
        const char *white, *black, *rest, *uci;
        unsigned warnings;
    } rows[] = {
        {"\u2654", "\u265a", "f1", "e1f1", 0},       {"\u2655", "\u265b", "e2+", "d1e2", 0},
        {"\u2656", "\u265c", "a8+", "a1a8", 0},      {"\u2657", "\u265d", "b2", "c1b2", 0},
        {"\u2658", "\u265e", "c3", "b1c3", 0},       {"\u2659", "\u265f", "d4", "d2d4", 0},
        {"\u2658", "\u265e", "bc3", "b1c3", ORIGIN},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[16];
        snprintf(text, sizeof text, "%s%s", rows[i].white, rows[i].rest);
        reads(fen, text, rows[i].uci, FIGURINE | rows[i].warnings);
        snprintf(text, sizeof text, "%s%s", rows[i].black, rows[i].rest);
        reads(fen, text, rows[i].uci, FIGURINE | rows[i].warnings);
    }
    is_invalid(fen, "\u2660c3", 0, SQUARE_EXPECTED); /* spades */
    is_invalid(fen, "\u2653c3", 0, SQUARE_EXPECTED); /* pisces */
    is_invalid(fen, "\xe2\x99", 0, SQUARE_EXPECTED);
    is_invalid(fen, "\xe2\x99\x98", 3, SQUARE_EXPECTED);
}

TEST(test_san_lenient__p_for_a_pawn)
{
    reads(START_FEN, "Pe4", "e2e4", FIGURINE);
    reads(A6_FEN, "Pexd5", "e4d5", FIGURINE);
    reads(A6_FEN, "Pe4xd5", "e4d5", FIGURINE | ORIGIN);
    reads(A6_FEN, "Ped5", "e4d5", FIGURINE | CAPTURE);
    is_illegal(A6_FEN, "Pxd5", "a pawn that captures names the file it comes from");
    is_invalid(START_FEN, "P", 1, SQUARE_EXPECTED);
}

TEST(test_san_lenient__figurine_of_a_promotion)
{
    reads(PROMOTION_FEN, "e8=\u2655", "e7e8q", FIGURINE);
    reads(PROMOTION_FEN, "e8\u265e", "e7e8n", FIGURINE | PROMOTION);
    reads(PROMOTION_FEN, "e8(\u2656)", "e7e8r", FIGURINE | PROMOTION);
    is_invalid(PROMOTION_FEN, "e8=\u2654", 3, "a promotion is to Q, R, B or N");
    is_invalid(PROMOTION_FEN, "e8\u2659", 2, ENDED);
}

/* ---- Reading: 4, signs and e.p. -------------------------------------------------------------------------- */

TEST(test_san_lenient__signs_between_origin_and_target)
{
    reads(A6_FEN, "e:d5", "e4d5", CAPTURE);
    reads(A6_FEN, "e-d5", "e4d5", CAPTURE);
    reads(A6_FEN, "e4xd5", "e4d5", COORDINATE);
    reads(A6_FEN, "e4:d5", "e4d5", COORDINATE | CAPTURE);
    reads(A6_FEN, "e4-d5", "e4d5", COORDINATE | CAPTURE);
    reads(START_FEN, "e2-e4", "e2e4", COORDINATE | CAPTURE);
    reads(START_FEN, "N-f3", "g1f3", CAPTURE);
    reads(START_FEN, "Ng1-f3", "g1f3", CAPTURE | ORIGIN);
    reads("4k3/8/8/3p4/8/4N3/8/4K3 w - - 0 1", "N:d5", "e3d5", CAPTURE);
    reads("4k3/8/8/3p4/8/4N3/8/4K3 w - - 0 1", "Ne3xd5", "e3d5", ORIGIN);
}

/* These were once read as if the sign were not there. */
TEST(test_san_lenient__a_sign_must_be_followed_by_a_whole_square)
{
    is_invalid(START_FEN, "Nf3-", 4, SQUARE_EXPECTED);
    is_invalid(START_FEN, "Nf3x", 4, SQUARE_EXPECTED);
    is_invalid(START_FEN, "Nf3:", 4, SQUARE_EXPECTED);
    is_invalid(START_FEN, "e4-", 3, SQUARE_EXPECTED);
    is_invalid(START_FEN, "e-4", 3, SQUARE_EXPECTED);
    is_invalid(START_FEN, "Ng-1-f3", 4, SQUARE_EXPECTED);
    is_invalid(START_FEN, "Nx", 2, SQUARE_EXPECTED);
    is_invalid(START_FEN, "N--f3", 2, SQUARE_EXPECTED);
    is_invalid(START_FEN, "Nxxf3", 2, SQUARE_EXPECTED);
    is_invalid(START_FEN, "-e4", 0, SQUARE_EXPECTED);
    is_invalid(START_FEN, "e2-e4-e5", 5, ENDED);
}

TEST(test_san_lenient__en_passant_may_be_marked)
{
    static const char *const marks[] = {"e.p.", " e.p.", "ep", " ep"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        char text[16];
        snprintf(text, sizeof text, "exf6%s", marks[i]);
        reads(B7_FEN, text, "e5f6", EN_PASSANT);
        snprintf(text, sizeof text, "ef6%s", marks[i]);
        reads(B7_FEN, text, "e5f6", EN_PASSANT | CAPTURE);
        snprintf(text, sizeof text, "e5xf6%s", marks[i]);
        reads(B7_FEN, text, "e5f6", EN_PASSANT | COORDINATE);
    }
    reads(B7_FEN, "exf6 e.p.!", "e5f6", EN_PASSANT | MARKS);
    reads(B7_FEN, "exf6+ e.p.", "e5f6", EN_PASSANT | SUFFIX);
    reads(A6_FEN, "exd5 e.p.", "e4d5", EN_PASSANT); /* it is not en passant, but it is a pawn capture */
    is_invalid(B7_FEN, "exf6  e.p.", 4, ENDED);
    is_invalid(B7_FEN, "exf6 e.p", 4, ENDED);
    is_invalid(B7_FEN, "exf6 ", 4, ENDED);
}

/* Any move once accepted the mark. */
TEST(test_san_lenient__only_pawn_captures_may_be_marked_en_passant)
{
    is_invalid(START_FEN, "Nf3 e.p.", 3, ENDED);
    is_invalid(START_FEN, "e4ep", 2, ENDED);
    is_invalid(START_FEN, "e2e4 ep", 4, ENDED);
    is_invalid("4k3/8/8/3p4/8/4N3/8/4K3 w - - 0 1", "Nxd5ep", 4, ENDED);
}

/* ---- Reading: 5, promotion ------------------------------------------------------------------------------- */

TEST(test_san_lenient__promotion_spellings)
{
    static const struct {
        const char *text;
        unsigned warnings;
    } rows[] = {
        {"e8=Q", 0},
        {"e8Q", PROMOTION},
        {"e8q", PROMOTION},
        {"e8=q", PROMOTION},
        {"e8(Q)", PROMOTION},
        {"e8/Q", PROMOTION},
        {"e8(q)", PROMOTION},
        {"e8/q", PROMOTION},
        {"e7e8q", COORDINATE | PROMOTION},
        {"e7e8Q", COORDINATE | PROMOTION},
        {"e7-e8=Q", COORDINATE | CAPTURE},
        {"e7e8=Q", COORDINATE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        reads(PROMOTION_FEN, rows[i].text, "e7e8q", rows[i].warnings);
    reads(PROMOTION_FEN, "e8=N", "e7e8n", 0);
    reads(PROMOTION_FEN, "e8=R", "e7e8r", 0);
    reads(PROMOTION_FEN, "e8=B", "e7e8b", 0);
    reads(PROMOTION_FEN, "e8=b", "e7e8b", PROMOTION);
    reads(PROMOTION_FEN, "e8n", "e7e8n", PROMOTION);
    reads(PROMOTION_FEN, "e8r", "e7e8r", PROMOTION);
}

/* The b was once taken for a file. */
TEST(test_san_lenient__promotion_to_a_small_b)
{
    reads(PROMOTION_FEN, "e8b", "e7e8b", PROMOTION);
    reads("3r4/4P3/8/8/8/8/k6K/8 w - - 0 1", "exd8b", "e7d8b", PROMOTION);
    reads("3r4/4P3/8/8/8/8/k6K/8 w - - 0 1", "ed8b", "e7d8b", PROMOTION | CAPTURE);
}

TEST(test_san_lenient__promotion_spellings_after_captures)
{
    static const char *const tails[] = {"=Q", "Q", "(Q)", "/Q", "=q", "q"};
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        const unsigned spelling = i ? PROMOTION : 0;
        char text[16];
        snprintf(text, sizeof text, "exd8%s", tails[i]);
        reads("3r4/4P3/8/8/8/8/k6K/8 w - - 0 1", text, "e7d8q", spelling);
        snprintf(text, sizeof text, "ed8%s+", tails[i]);
        reads("3r4/4P3/8/8/8/8/k6K/8 w - - 0 1", text, "e7d8q", spelling | CAPTURE | SUFFIX);
    }
}

TEST(test_san_lenient__promotions_that_are_invalid)
{
    is_invalid(PROMOTION_FEN, "e8=K", 3, "a promotion is to Q, R, B or N");
    is_invalid(PROMOTION_FEN, "e8=P", 3, "a promotion is to Q, R, B or N");
    is_invalid(PROMOTION_FEN, "e8=", 3, "a promotion is to Q, R, B or N");
    is_invalid(PROMOTION_FEN, "e8/", 3, "a promotion is to Q, R, B or N");
    is_invalid(PROMOTION_FEN, "e8()", 3, "a promotion is to Q, R, B or N");
    is_invalid(PROMOTION_FEN, "e8(Q", 4, "the bracket is not closed");
    is_invalid(PROMOTION_FEN, "e8=Q)", 4, ENDED);
    is_invalid(PROMOTION_FEN, "e8K", 2, ENDED);
    is_invalid(PROMOTION_FEN, "e8=QQ", 4, ENDED);
    is_invalid(START_FEN, "Nf3=Q", 3, "only pawns promote");
    is_illegal(START_FEN, "g1f3q", "only pawns promote");
    is_illegal(START_FEN, "e4=Q", "a pawn promotes on the last rank only");
    is_illegal("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e8=Q", NO_PAWN_CAN);
}

TEST(test_san_lenient__the_promotion_letter_is_missing)
{
    static const char detail[] = "the piece to promote to is missing";
    refuses(PROMOTION_FEN, "e8", TBY_PROMOTION_MISSING, 0, detail);
    refuses(PROMOTION_FEN, "e7e8", TBY_PROMOTION_MISSING, 0, detail);
    refuses(PROMOTION_FEN, "e8+", TBY_PROMOTION_MISSING, 0, detail);
    refuses("3r4/4P3/8/8/8/8/k6K/8 w - - 0 1", "exd8", TBY_PROMOTION_MISSING, 0, detail);
    /* A move that is illegal with every piece is illegal. */
    is_illegal("k3r3/8/8/8/8/8/K3P3/8 w - - 0 1", "e8", NO_PAWN_CAN);
    is_illegal("8/r3P2K/8/8/8/8/8/k7 w - - 0 1", "e8", IN_CHECK);
}

TEST(test_san_lenient__auto_queen_adds_the_letter)
{
    reads_as(PROMOTION_FEN, "e8", "e7e8q", PROMOTION, TBY_SAN_AUTO_QUEEN);
    reads_as(PROMOTION_FEN, "e7e8", "e7e8q", COORDINATE | PROMOTION, TBY_SAN_AUTO_QUEEN);
    reads_as(PROMOTION_FEN, "e8=N", "e7e8n", 0, TBY_SAN_AUTO_QUEEN);
    reads_as("3r4/4P3/8/8/8/8/k6K/8 w - - 0 1", "exd8", "e7d8q", PROMOTION, TBY_SAN_AUTO_QUEEN);
    refuses_bytes(PROMOTION_FEN, "e8", 2, TBY_SAN_AUTO_QUEEN | TBY_SAN_STRICT, TBY_INVALID_SAN, 0,
                  "not the export form");
}

/* ---- Reading: 6, more of the origin than needed ---------------------------------------------------------- */

TEST(test_san_lenient__the_origin_may_be_more_precise_than_needed)
{
    const char *a1 = "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1";
    reads(a1, "Ne2", "g1e2", 0);
    reads(a1, "Nge2", "g1e2", ORIGIN);
    reads(a1, "N1e2", "g1e2", ORIGIN);
    reads(a1, "Ng1e2", "g1e2", ORIGIN);
    reads("rnbqkb1r/1ppp1pp1/p3pn1p/8/3N4/3P4/PPPNPPPP/R1BQKB1R w KQkq - 0 5", "Nd2f3", "d2f3", ORIGIN);
    /* If the file suffices, a rank is not the export format. */
    reads("4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1", "Nge2", "g1e2", 0);
    reads("4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1", "N1e2", "g1e2", ORIGIN);
    reads("4k3/8/8/6N1/8/8/8/4K1N1 w - - 0 1", "N1f3", "g1f3", 0);
    reads(START_FEN, "ee4", "e2e4", ORIGIN);
    reads(START_FEN, "2e4", "e2e4", ORIGIN);
    reads(CASTLING_FEN, "Ke1e2", "e1e2", ORIGIN);
    is_illegal(a1, "Nce2", IN_CHECK);
    is_illegal(a1, "Nfe2", NO_PIECE_CAN);
    is_illegal(CASTLING_FEN, "Kde2", "the king cannot go there");
}

TEST(test_san_lenient__coordinates)
{
    reads(START_FEN, "e2e4", "e2e4", COORDINATE);
    reads(START_FEN, "g1f3", "g1f3", COORDINATE);
    reads(A6_FEN, "f1b5", "f1b5", COORDINATE | SUFFIX);
    reads(A6_FEN, "f1b5+", "f1b5", COORDINATE);
    reads(B7_FEN, "e5f6", "e5f6", COORDINATE);
    is_illegal(START_FEN, "e3e4", "the side to move has no piece there");
    is_illegal(START_FEN, "e7e5", "the side to move has no piece there");
    is_illegal(START_FEN, "e2e5", NO_PAWN_CAN);
    is_illegal(START_FEN, "e2d3", NO_PAWN_CAN);
    is_illegal(START_FEN, "g1g3", NO_PIECE_CAN);
    is_illegal(START_FEN, "e1g1", "a piece or a check prevents castling");
    is_illegal(START_FEN, "e1e3", "the king cannot go there");
}

/* ---- Reading: 7 and 8, captures -------------------------------------------------------------------------- */

TEST(test_san_lenient__x_may_be_missing)
{
    reads(A6_FEN, "ed5", "e4d5", CAPTURE);
    reads("4k3/8/8/3p4/8/4N3/8/4K3 w - - 0 1", "Nd5", "e3d5", CAPTURE);
    reads(B7_FEN, "ef6", "e5f6", CAPTURE);
}

TEST(test_san_lenient__x_may_be_needless)
{
    reads(START_FEN, "Nxf3", "g1f3", CAPTURE);
    reads(START_FEN, "N:f3", "g1f3", CAPTURE);
    reads(START_FEN, "e2xe4", "e2e4", COORDINATE | CAPTURE);
    reads("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Kxe2", "e1e2", CAPTURE);
}

int main(void) { return tests_run(NULL, NULL); }
