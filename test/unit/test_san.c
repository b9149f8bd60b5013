/*
 * test_san.c - standard algebraic notation, read as people write it and written as the PGN standard has it; and long
 * algebraic. The letters A to D in the tests' tables are the ids of test/vectors/rules.tsv.
 */
#include "notation_support.h"

#define A6_FEN "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
#define B7_FEN "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3" /* exf6 e.p. */
#define PROMOTION_FEN "8/4P3/8/8/8/8/k6K/8 w - - 0 1"
#define CASTLING_FEN "6k1/8/8/8/8/8/8/R3K2R w KQ - 0 1"
#define MATE_FEN "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2" /* Qh4# */

enum {
    SUFFIX = TBY_SAN_WARN_SUFFIX,
    MARKS = TBY_SAN_WARN_MARKS,
    CASTLING = TBY_SAN_WARN_CASTLING,
    FIGURINE = TBY_SAN_WARN_FIGURINE,
    CAPTURE = TBY_SAN_WARN_CAPTURE,
    ORIGIN = TBY_SAN_WARN_ORIGIN,
    PROMOTION = TBY_SAN_WARN_PROMOTION,
    EN_PASSANT = TBY_SAN_WARN_EN_PASSANT,
    COORDINATE = TBY_SAN_WARN_COORDINATE
};

/* ---- What a text is read as ------------------------------------------------------------------------------ */

static size_t without_mark(const char *s)
{
    const size_t n = strlen(s);
    return n && (s[n - 1] == '+' || s[n - 1] == '#') ? n - 1 : n;
}

/* Strict reading takes the export form, with any check mark or none, and nothing else. */
static void expect_strict(const tby_position *pos, const char *text, tby_move m)
{
    char written[TBY_SAN_SIZE];
    tby_move got = TBY_MOVE_NONE;
    tby_san_write(written, sizeof written, pos, m);
    const size_t n = without_mark(text);
    const bool is_export = n == without_mark(written) && memcmp(text, written, n) == 0;
    const tby_status status = tby_san_read(&got, pos, text, strlen(text), TBY_SAN_STRICT, NULL, NULL);
    if (status != (is_export ? TBY_OK : TBY_INVALID_SAN))
        fail_msg("strict: %s (%s): status %d", text, written, status);
    assert_int_equal(got, is_export ? m : TBY_MOVE_NONE);
}

static void reads_as(const char *fen, const char *text, const char *uci, unsigned warnings, unsigned flags)
{
    const tby_position pos = position_of(fen);
    const tby_move expected = move_of(&pos, uci);
    char *copy = exact_copy(text, strlen(text));
    tby_move m = TBY_MOVE_NONE;
    tby_error err = {0};
    unsigned got = 0xdead;
    if (tby_san_read(&m, &pos, copy, strlen(text), flags, &got, &err) != TBY_OK)
        fail_msg("%s: \"%s\": %s at %zu", fen, text, err.detail, err.offset);
    if (m != expected)
        fail_msg("%s: \"%s\" is not read as %s", fen, text, uci);
    if (got != warnings)
        fail_msg("%s: \"%s\": warnings 0x%x instead of 0x%x", fen, text, got, warnings);
    m = TBY_MOVE_NONE;
    assert_int_equal(tby_san_read(&m, &pos, copy, strlen(text), flags, NULL, NULL), TBY_OK);
    assert_int_equal(m, expected);
    if (!(flags & TBY_SAN_AUTO_QUEEN))
        expect_strict(&pos, text, m);
    free(copy);
}

static void reads(const char *fen, const char *text, const char *uci, unsigned warnings)
{
    reads_as(fen, text, uci, warnings, 0);
}

/* As bytes of a given length, for texts with NUL. The move given is left alone. */
static void refuses_bytes(const char *fen, const char *text, size_t n, unsigned flags, tby_status status, size_t offset,
                          const char *detail)
{
    const tby_position pos = position_of(fen);
    char *copy = exact_copy(text, n);
    tby_move m = 0x1234;
    tby_error err = {TBY_OK, {7, 7}, 12345, NULL};
    const tby_status got = tby_san_read(&m, &pos, copy, n, flags, NULL, &err);
    if (got != status)
        fail_msg("%s: \"%s\": status %d instead of %d", fen, text, got, status);
    if (strcmp(err.detail, detail) != 0 || err.offset != offset)
        fail_msg("%s: \"%s\": \"%s\" at %zu instead of \"%s\" at %zu", fen, text, err.detail, err.offset, detail,
                 offset);
    assert_int_equal(err.status, status);
    assert_int_equal(tby_san_read(&m, &pos, copy, n, flags, NULL, NULL), status);
    assert_int_equal(m, 0x1234);
    free(copy);
}

static void refuses(const char *fen, const char *text, tby_status status, size_t offset, const char *detail)
{
    refuses_bytes(fen, text, strlen(text), 0, status, offset, detail);
}

static void is_invalid(const char *fen, const char *text, size_t offset, const char *detail)
{
    refuses(fen, text, TBY_INVALID_SAN, offset, detail);
}

static void is_illegal(const char *fen, const char *text, const char *detail)
{
    refuses(fen, text, TBY_ILLEGAL_MOVE, 0, detail);
}

static void is_ambiguous(const char *fen, const char *text)
{
    refuses(fen, text, TBY_AMBIGUOUS_MOVE, 0, "more than one such piece can go there");
}

static const char NO_PIECE_CAN[] = "no such piece can go there";
static const char NO_PAWN_CAN[] = "no pawn can go there";
static const char IN_CHECK[] = "the king would be in check";
static const char SQUARE_EXPECTED[] = "a square was expected";
static const char ENDED[] = "the move has ended here";

/* ---- Reading: the export form ---------------------------------------------------------------------------- */

static void test_san__the_export_form_has_no_warnings(void **state)
{
    (void)state;
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

/* ---- Reading: 1, marks ----------------------------------------------------------------------------------- */

static void test_san__judgement_marks_are_stripped(void **state)
{
    (void)state;
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

static void test_san__check_marks_may_be_wrong_or_missing(void **state)
{
    (void)state;
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

static void test_san__other_check_marks(void **state)
{
    (void)state;
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

/* Once ch behind a square was taken for a file. */
static void test_san__ch_is_a_mark_and_not_a_file(void **state)
{
    (void)state;
    reads(A6_FEN, "Bb5ch", "f1b5", SUFFIX);
    reads(A6_FEN, "exd5ch", "e4d5", SUFFIX);
    is_invalid(A6_FEN, "Bb5c", 3, ENDED);
    is_invalid(A6_FEN, "Bb5check", 5, ENDED);
}

/* Once the wrong mark in words had no warning. */
static void test_san__check_in_words_is_a_warning(void **state)
{
    (void)state;
    reads(START_FEN, "Nf3ch", "g1f3", SUFFIX);
    reads(START_FEN, "Nf3mate", "g1f3", SUFFIX);
    reads(START_FEN, "Nf3\u2020", "g1f3", SUFFIX);
}

/* ---- Reading: 2, castling -------------------------------------------------------------------------------- */

static void test_san__castling_spellings(void **state)
{
    (void)state;
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

static void test_san__castling_by_coordinates(void **state)
{
    (void)state;
    reads(CASTLING_FEN, "e1g1", "e1h1", COORDINATE);
    reads(CASTLING_FEN, "e1h1", "e1h1", COORDINATE);
    reads(CASTLING_FEN, "e1c1", "e1a1", COORDINATE);
    reads(CASTLING_FEN, "e1a1", "e1a1", COORDINATE);
    reads(CASTLING_FEN, "e1f1", "e1f1", COORDINATE);
}

static void test_san__castling_texts_that_are_none(void **state)
{
    (void)state;
    is_illegal(CASTLING_FEN, "Kg1", "the king cannot go there"); /* it is not a king move */
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

static void test_san__castling_that_is_not_allowed(void **state)
{
    (void)state;
    is_illegal("6k1/8/8/8/8/8/8/R3K2R w Q - 0 1", "O-O", "the right to castle there is gone");
    is_illegal("6k1/8/8/8/8/8/8/R3K2R w Q - 0 1", "e1h1", "the king cannot go there");
    is_illegal("5rk1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O", "castling is barred by a piece or a check");
    is_illegal("5rk1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "castling is barred by a piece or a check");
    is_illegal("6k1/8/8/8/8/8/8/RN2K2R w KQ - 0 1", "O-O-O", "castling is barred by a piece or a check");
}

static void test_san__castling_of_chess960(void **state)
{
    (void)state;
    const char *fen = "4k3/8/8/8/8/8/8/1RK3R1 w GB - 0 1";
    reads(fen, "O-O", "c1g1", 0);
    reads(fen, "O-O-O", "c1b1", 0);
    reads(fen, "c1g1", "c1g1", COORDINATE);
    reads(fen, "c1b1", "c1b1", COORDINATE);
    /* Where the king could also step to its castling square, the step is meant. */
    const tby_position pos = position_of("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
    tby_move m;
    assert_int_equal(tby_san_read(&m, &pos, "f1g1", 4, 0, NULL, NULL), TBY_OK);
    assert_int_equal(m, TBY_MOVE(square_of("f1"), square_of("g1"), 0));
    assert_int_equal(tby_san_read(&m, &pos, "f1h1", 4, 0, NULL, NULL), TBY_OK);
    assert_int_equal(m, TBY_MOVE(square_of("f1"), square_of("h1"), TBY_KING));
}

/* ---- Reading: 3, figurines ------------------------------------------------------------------------------- */

static void test_san__figurines_of_either_colour(void **state)
{
    (void)state;
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

static void test_san__p_for_a_pawn(void **state)
{
    (void)state;
    reads(START_FEN, "Pe4", "e2e4", FIGURINE);
    reads(A6_FEN, "Pexd5", "e4d5", FIGURINE);
    reads(A6_FEN, "Pe4xd5", "e4d5", FIGURINE | ORIGIN);
    reads(A6_FEN, "Ped5", "e4d5", FIGURINE | CAPTURE);
    is_illegal(A6_FEN, "Pxd5", "a pawn that captures names the file it comes from");
    is_invalid(START_FEN, "P", 1, SQUARE_EXPECTED);
}

static void test_san__figurine_of_a_promotion(void **state)
{
    (void)state;
    reads(PROMOTION_FEN, "e8=\u2655", "e7e8q", FIGURINE);
    reads(PROMOTION_FEN, "e8\u265e", "e7e8n", FIGURINE | PROMOTION);
    reads(PROMOTION_FEN, "e8(\u2656)", "e7e8r", FIGURINE | PROMOTION);
    is_invalid(PROMOTION_FEN, "e8=\u2654", 3, "a promotion is to Q, R, B or N");
    is_invalid(PROMOTION_FEN, "e8\u2659", 2, ENDED);
}

/* ---- Reading: 4, signs and e.p. -------------------------------------------------------------------------- */

static void test_san__signs_between_origin_and_target(void **state)
{
    (void)state;
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

/* Once these were read as if the sign were not there. */
static void test_san__a_sign_stands_before_a_whole_square(void **state)
{
    (void)state;
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

static void test_san__en_passant_may_be_told(void **state)
{
    (void)state;
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
    reads(A6_FEN, "exd5 e.p.", "e4d5", EN_PASSANT); /* it is not, but it is a pawn's capture */
    is_invalid(B7_FEN, "exf6  e.p.", 4, ENDED);
    is_invalid(B7_FEN, "exf6 e.p", 4, ENDED);
    is_invalid(B7_FEN, "exf6 ", 4, ENDED);
}

/* Once any move took it. */
static void test_san__en_passant_is_told_of_pawn_captures_only(void **state)
{
    (void)state;
    is_invalid(START_FEN, "Nf3 e.p.", 3, ENDED);
    is_invalid(START_FEN, "e4ep", 2, ENDED);
    is_invalid(START_FEN, "e2e4 ep", 4, ENDED);
    is_invalid("4k3/8/8/3p4/8/4N3/8/4K3 w - - 0 1", "Nxd5ep", 4, ENDED);
}

/* ---- Reading: 5, promotion ------------------------------------------------------------------------------- */

static void test_san__promotion_spellings(void **state)
{
    (void)state;
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

/* Once the b was taken for a file. */
static void test_san__promotion_to_a_small_b(void **state)
{
    (void)state;
    reads(PROMOTION_FEN, "e8b", "e7e8b", PROMOTION);
    reads("3r4/4P3/8/8/8/8/k6K/8 w - - 0 1", "exd8b", "e7d8b", PROMOTION);
    reads("3r4/4P3/8/8/8/8/k6K/8 w - - 0 1", "ed8b", "e7d8b", PROMOTION | CAPTURE);
}

static void test_san__promotion_spellings_after_captures(void **state)
{
    (void)state;
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

static void test_san__promotion_that_is_none(void **state)
{
    (void)state;
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

static void test_san__promotion_letter_is_missing(void **state)
{
    (void)state;
    static const char detail[] = "the piece to promote to is missing";
    refuses(PROMOTION_FEN, "e8", TBY_PROMOTION_MISSING, 0, detail);
    refuses(PROMOTION_FEN, "e7e8", TBY_PROMOTION_MISSING, 0, detail);
    refuses(PROMOTION_FEN, "e8+", TBY_PROMOTION_MISSING, 0, detail);
    refuses("3r4/4P3/8/8/8/8/k6K/8 w - - 0 1", "exd8", TBY_PROMOTION_MISSING, 0, detail);
    /* What is not legal with any piece is not legal. */
    is_illegal("k3r3/8/8/8/8/8/K3P3/8 w - - 0 1", "e8", NO_PAWN_CAN);
    is_illegal("8/r3P2K/8/8/8/8/8/k7 w - - 0 1", "e8", IN_CHECK);
}

static void test_san__auto_queen_adds_the_letter(void **state)
{
    (void)state;
    reads_as(PROMOTION_FEN, "e8", "e7e8q", PROMOTION, TBY_SAN_AUTO_QUEEN);
    reads_as(PROMOTION_FEN, "e7e8", "e7e8q", COORDINATE | PROMOTION, TBY_SAN_AUTO_QUEEN);
    reads_as(PROMOTION_FEN, "e8=N", "e7e8n", 0, TBY_SAN_AUTO_QUEEN);
    reads_as("3r4/4P3/8/8/8/8/k6K/8 w - - 0 1", "exd8", "e7d8q", PROMOTION, TBY_SAN_AUTO_QUEEN);
    refuses_bytes(PROMOTION_FEN, "e8", 2, TBY_SAN_AUTO_QUEEN | TBY_SAN_STRICT, TBY_INVALID_SAN, 0,
                  "not the export form");
}

/* ---- Reading: 6, more of the origin than needed ---------------------------------------------------------- */

static void test_san__origin_may_say_more_than_needed(void **state)
{
    (void)state;
    const char *a1 = "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1";
    reads(a1, "Ne2", "g1e2", 0);
    reads(a1, "Nge2", "g1e2", ORIGIN);
    reads(a1, "N1e2", "g1e2", ORIGIN);
    reads(a1, "Ng1e2", "g1e2", ORIGIN);
    reads("rnbqkb1r/1ppp1pp1/p3pn1p/8/3N4/3P4/PPPNPPPP/R1BQKB1R w KQkq - 0 5", "Nd2f3", "d2f3", ORIGIN);
    reads(START_FEN, "ee4", "e2e4", ORIGIN);
    reads(START_FEN, "2e4", "e2e4", ORIGIN);
    reads(CASTLING_FEN, "Ke1e2", "e1e2", ORIGIN);
    is_illegal(a1, "Nce2", IN_CHECK);
    is_illegal(a1, "Nfe2", NO_PIECE_CAN);
    is_illegal(CASTLING_FEN, "Kde2", "the king cannot go there");
}

static void test_san__coordinates(void **state)
{
    (void)state;
    reads(START_FEN, "e2e4", "e2e4", COORDINATE);
    reads(START_FEN, "g1f3", "g1f3", COORDINATE);
    reads(A6_FEN, "f1b5", "f1b5", COORDINATE | SUFFIX);
    reads(A6_FEN, "f1b5+", "f1b5", COORDINATE);
    reads(B7_FEN, "e5f6", "e5f6", COORDINATE);
    is_illegal(START_FEN, "e3e4", "no own piece stands there");
    is_illegal(START_FEN, "e7e5", "no own piece stands there");
    is_illegal(START_FEN, "e2e5", NO_PAWN_CAN);
    is_illegal(START_FEN, "e2d3", NO_PAWN_CAN);
    is_illegal(START_FEN, "g1g3", NO_PIECE_CAN);
    is_illegal(START_FEN, "e1g1", "castling is barred by a piece or a check");
    is_illegal(START_FEN, "e1e3", "the king cannot go there");
}

/* ---- Reading: 7 and 8, captures -------------------------------------------------------------------------- */

static void test_san__x_may_be_missing(void **state)
{
    (void)state;
    reads(A6_FEN, "ed5", "e4d5", CAPTURE);
    reads("4k3/8/8/3p4/8/4N3/8/4K3 w - - 0 1", "Nd5", "e3d5", CAPTURE);
    reads(B7_FEN, "ef6", "e5f6", CAPTURE);
}

static void test_san__x_may_be_needless(void **state)
{
    (void)state;
    reads(START_FEN, "Nxf3", "g1f3", CAPTURE);
    reads(START_FEN, "N:f3", "g1f3", CAPTURE);
    reads(START_FEN, "e2xe4", "e2e4", COORDINATE | CAPTURE);
    reads("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Kxe2", "e1e2", CAPTURE);
}

/* ---- Reading: 9, not accepted ---------------------------------------------------------------------------- */

static void test_san__texts_that_are_not_accepted(void **state)
{
    (void)state;
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

static void test_san__illegal_moves_tell_why(void **state)
{
    (void)state;
    is_illegal(START_FEN, "Nf4", NO_PIECE_CAN);
    is_illegal(START_FEN, "Nd2", NO_PIECE_CAN); /* an own piece stands there */
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

static void test_san__en_passant_that_is_not_legal(void **state)
{
    (void)state;
    is_illegal("8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1", "dxe6", IN_CHECK);
    is_illegal("4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", IN_CHECK);
    is_illegal("7k/4b3/8/2pP4/8/K7/8/8 w - c6 0 2", "dxc6", IN_CHECK);
    is_illegal("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", "exd3", IN_CHECK);
    is_illegal("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", "exd6", NO_PAWN_CAN);
    reads("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", "exd3", "e4d3", 0);
}

static void test_san__ambiguous_moves(void **state)
{
    (void)state;
    const char *a3 = "8/8/6K1/4k3/4N3/p4r2/N3N3/8 w - - 3 82";
    const char *a5 = "rnbqkb1r/1ppp1pp1/p3pn1p/8/3N4/3P4/PPPNPPPP/R1BQKB1R w KQkq - 0 5";
    is_ambiguous("4k2r/r3bppp/p1p5/3pR3/Pp1P1B2/7P/1PP2PP1/R5K1 w k - 0 37", "Re1");
    is_ambiguous(a3, "Nc3");
    is_ambiguous(a3, "Nec3");
    is_ambiguous(a3, "N2c3");
    is_ambiguous(a5, "Nf3");
    is_ambiguous(a5, "Ndf3");
}

static void test_san__a_pinned_piece_does_not_make_ambiguous(void **state)
{
    (void)state;
    reads("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "Ne2", "g1e2", 0);
    /* Pinned along the line it moves on, it does. */
    is_ambiguous("4r1k1/8/8/8/4R3/8/7R/4K3 w - - 0 1", "Re2");
}

/* ---- Strict reading -------------------------------------------------------------------------------------- */

static void test_san__strict_takes_the_export_form_only(void **state)
{
    (void)state;
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
    /* The other answers stay as they are. */
    refuses_bytes(START_FEN, "Nf4", 3, TBY_SAN_STRICT, TBY_ILLEGAL_MOVE, 0, NO_PIECE_CAN);
    refuses_bytes(START_FEN, "Nf", 2, TBY_SAN_STRICT, TBY_INVALID_SAN, 2, SQUARE_EXPECTED);
    refuses_bytes(PROMOTION_FEN, "e8", 2, TBY_SAN_STRICT, TBY_PROMOTION_MISSING, 0,
                  "the piece to promote to is missing");
}

static void test_san__strict_takes_any_check_mark(void **state)
{
    (void)state;
    reads_as(MATE_FEN, "Qh4#", "d8h4", 0, TBY_SAN_STRICT);
    reads_as(MATE_FEN, "Qh4+", "d8h4", SUFFIX, TBY_SAN_STRICT);
    reads_as(MATE_FEN, "Qh4", "d8h4", SUFFIX, TBY_SAN_STRICT);
    reads_as(START_FEN, "e4+", "e2e4", SUFFIX, TBY_SAN_STRICT);
    reads_as(CASTLING_FEN, "O-O#", "e1g1", SUFFIX, TBY_SAN_STRICT);
}

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

static void test_san__writes_only_the_origin_that_is_needed(void **state)
{
    (void)state;
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

static void test_san__writes_captures_and_promotions(void **state)
{
    (void)state;
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

static void test_san__writes_check_and_mate(void **state)
{
    (void)state;
    writes(MATE_FEN, "d8h4", "Qh4#", "Qd8-h4#");
    writes(A6_FEN, "f1b5", "Bb5+", "Bf1-b5+");
    writes("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+", "O-O+");
    writes("3k4/8/1P2Q3/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O#", "O-O-O#");
    writes("7k/8/6K1/5Q2/8/8/8/8 w - - 149 200", "f5f7", "Qf7", "Qf5-f7"); /* stalemate has no mark */
    writes("4k3/8/8/8/8/8/4N3/4RK2 w - - 0 1", "e2c3", "Nc3+", "Ne2-c3+"); /* discovered */
    writes("8/8/8/2k5/3Pp3/8/8/B3K3 b - d3 0 1", "e4d3", "exd3", "e4xd3");
    writes("8/8/8/8/1pP5/8/1K3k2/8 b - c3 0 1", "b4c3", "bxc3+", "b4xc3+");
}

static void test_san__buffers_of_every_size(void **state)
{
    (void)state;
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

static void test_san__the_longest_texts_fit(void **state)
{
    (void)state;
    writes("K7/8/8/8/1Q1Q4/8/1Q1n3k/8 w - - 0 1", "b4d2", "Qb4xd2+", "Qb4xd2+");
    writes("3r2k1/4P3/8/8/8/8/7K/8 w - - 0 1", "e7d8q", "exd8=Q+", "e7xd8=Q+");
    writes("r3k3/8/1p2q3/8/8/8/8/3K4 b q - 0 1", "e8c8", "O-O-O+", "O-O-O+");
}

/* ---- Hostile texts --------------------------------------------------------------------------------------- */

static void test_san__empty_text_is_invalid(void **state)
{
    (void)state;
    is_invalid(START_FEN, "", 0, SQUARE_EXPECTED);
    refuses_bytes(START_FEN, "", 0, TBY_SAN_STRICT | TBY_SAN_AUTO_QUEEN, TBY_INVALID_SAN, 0, SQUARE_EXPECTED);
}

static void test_san__nul_inside_is_invalid(void **state)
{
    (void)state;
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
        /* Every deviation has a warning, and the export form has none. */
        assert_int_equal(warnings == 0, length == n && memcmp(buf, s, n) == 0);
    }
}

static void test_san__a_mebibyte_of_one_character(void **state)
{
    (void)state;
    for_each_flood(read_anywhere);
}

static void test_san__a_mebibyte_of_marks(void **state)
{
    (void)state;
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

static void test_san__every_mutation_of_good_texts(void **state)
{
    (void)state;
    static const char *const texts[] = {"e4",   "exd5",  "Nf3",  "Ng1f3", "O-O-O",     "0-0",
                                        "e8=Q", "e7e8q", "Qh4#", "Bb5+!", "exf6 e.p.", "\u2658f3"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for_each_mutation(texts[i], read_anywhere);
}

static void test_san__every_text_of_up_to_three_bytes(void **state)
{
    (void)state;
    static const char alphabet[] = "abh148NKPOo0x-:=+#!(q \xe2";
    const size_t k = sizeof alphabet - 1;
    for (size_t i = 0; i < k * k * k; i++) {
        const char text[3] = {alphabet[i % k], alphabet[i / k % k], alphabet[i / k / k]};
        read_anywhere(text, 1 + i % 3);
    }
}

/* ---- Against a second, slow writer ----------------------------------------------------------------------- */

/* The rule as the standard words it, from nothing but the list of legal moves. */
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

/* Long algebraic is read as well. */
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

static void test_san__round_trip_of_all_moves_in_random_games(void **state)
{
    (void)state;
    n_visited = 0;
    visit_random_games(N_POSITIONS / 150, 200, visit_round_trip);
    assert_true(n_visited >= N_POSITIONS);
}

static void test_san__long_algebraic_round_trip_in_random_games(void **state)
{
    (void)state;
    visit_random_games(N_SAMPLES / 100, 200, expect_long_round_trip);
}

static void test_san__writing_agrees_with_the_rule_in_random_games(void **state)
{
    (void)state;
    visit_random_games(N_SAMPLES / 100, 200, expect_slow_san);
}

static void test_san__writing_and_reading_agree_on_strange_boards(void **state)
{
    (void)state;
    uint64_t random = 0x2545f4914f6cdd1dULL;
    for (unsigned i = 0; i < N_SAMPLES; i++) {
        const tby_position pos = random_board(&random, i % 40);
        expect_slow_san(&pos);
        expect_round_trip(&pos);
        expect_long_round_trip(&pos);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_san__the_export_form_has_no_warnings),
        cmocka_unit_test(test_san__judgement_marks_are_stripped),
        cmocka_unit_test(test_san__check_marks_may_be_wrong_or_missing),
        cmocka_unit_test(test_san__other_check_marks),
        cmocka_unit_test(test_san__ch_is_a_mark_and_not_a_file),
        cmocka_unit_test(test_san__check_in_words_is_a_warning),
        cmocka_unit_test(test_san__castling_spellings),
        cmocka_unit_test(test_san__castling_by_coordinates),
        cmocka_unit_test(test_san__castling_texts_that_are_none),
        cmocka_unit_test(test_san__castling_that_is_not_allowed),
        cmocka_unit_test(test_san__castling_of_chess960),
        cmocka_unit_test(test_san__figurines_of_either_colour),
        cmocka_unit_test(test_san__p_for_a_pawn),
        cmocka_unit_test(test_san__figurine_of_a_promotion),
        cmocka_unit_test(test_san__signs_between_origin_and_target),
        cmocka_unit_test(test_san__a_sign_stands_before_a_whole_square),
        cmocka_unit_test(test_san__en_passant_may_be_told),
        cmocka_unit_test(test_san__en_passant_is_told_of_pawn_captures_only),
        cmocka_unit_test(test_san__promotion_spellings),
        cmocka_unit_test(test_san__promotion_to_a_small_b),
        cmocka_unit_test(test_san__promotion_spellings_after_captures),
        cmocka_unit_test(test_san__promotion_that_is_none),
        cmocka_unit_test(test_san__promotion_letter_is_missing),
        cmocka_unit_test(test_san__auto_queen_adds_the_letter),
        cmocka_unit_test(test_san__origin_may_say_more_than_needed),
        cmocka_unit_test(test_san__coordinates),
        cmocka_unit_test(test_san__x_may_be_missing),
        cmocka_unit_test(test_san__x_may_be_needless),
        cmocka_unit_test(test_san__texts_that_are_not_accepted),
        cmocka_unit_test(test_san__illegal_moves_tell_why),
        cmocka_unit_test(test_san__en_passant_that_is_not_legal),
        cmocka_unit_test(test_san__ambiguous_moves),
        cmocka_unit_test(test_san__a_pinned_piece_does_not_make_ambiguous),
        cmocka_unit_test(test_san__strict_takes_the_export_form_only),
        cmocka_unit_test(test_san__strict_takes_any_check_mark),
        cmocka_unit_test(test_san__writes_only_the_origin_that_is_needed),
        cmocka_unit_test(test_san__writes_captures_and_promotions),
        cmocka_unit_test(test_san__writes_check_and_mate),
        cmocka_unit_test(test_san__buffers_of_every_size),
        cmocka_unit_test(test_san__the_longest_texts_fit),
        cmocka_unit_test(test_san__empty_text_is_invalid),
        cmocka_unit_test(test_san__nul_inside_is_invalid),
        cmocka_unit_test(test_san__a_mebibyte_of_one_character),
        cmocka_unit_test(test_san__a_mebibyte_of_marks),
        cmocka_unit_test(test_san__every_mutation_of_good_texts),
        cmocka_unit_test(test_san__every_text_of_up_to_three_bytes),
        cmocka_unit_test(test_san__round_trip_of_all_moves_in_random_games),
        cmocka_unit_test(test_san__long_algebraic_round_trip_in_random_games),
        cmocka_unit_test(test_san__writing_agrees_with_the_rule_in_random_games),
        cmocka_unit_test(test_san__writing_and_reading_agree_on_strange_boards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
