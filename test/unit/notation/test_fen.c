/*
 * test_fen.c - reading FEN: every leniency with its warning, every refusal with its status, location and sentence.
 */
#include "notation_support.h"

#define KINGS "4k3/8/8/8/8/8/8/4K3"

/* ---- Help ----------------------------------------------------------------------------------------------- */

/* `text` after reading and writing it; `warnings` receives the warnings of reading it. */
static void assert_becomes(const char *text, unsigned flags, const char *wanted, unsigned wanted_warnings)
{
    tby_setup setup;
    tby_error err = {0};
    unsigned warnings = 0xdead;
    char buf[TBY_FEN_SIZE], *copy = exact_copy(text, strlen(text));
    if (tby_fen_read(&setup, copy, strlen(text), flags, &warnings, &err) != TBY_OK)
        fail_msg("%s: %s at %zu", text, err.detail, err.offset);
    assert_int_equal(tby_fen_write(buf, sizeof buf, &setup, 0), strlen(wanted));
    assert_string_equal(buf, wanted);
    if (warnings != wanted_warnings)
        fail_msg("%s: warnings %#x, not %#x", text, warnings, wanted_warnings);
    free(copy);
}

static void assert_mended(const char *text, const char *wanted, unsigned wanted_warnings)
{
    assert_becomes(text, 0, wanted, wanted_warnings);
}

/* The error as a sentence, built from the fields of the standard. */
static const char *sentence_of(tby_status status, size_t offset, const char *detail)
{
    static const char *const fields[] = {"field 1 (placement), ",
                                         "field 2 (side to move), ",
                                         "field 3 (castling), ",
                                         "field 4 (en passant), ",
                                         "field 5 (clock), ",
                                         "field 6 (move number), ",
                                         ""};
    static char sentence[TBY_ERROR_SIZE];
    snprintf(sentence, sizeof sentence, "fen: %scolumn %zu: %s", fields[status - TBY_INVALID_PLACEMENT], offset + 1,
             detail);
    return sentence;
}

/* The text is refused with this detail, and nothing but the error is written. */
static void assert_bad_bytes(const char *text, size_t n, unsigned flags, tby_status status, size_t offset,
                             const char *detail)
{
    tby_setup setup, before;
    unsigned warnings = 0xdead;
    char buf[TBY_ERROR_SIZE], *copy = exact_copy(text, n);
    tby_error err = {TBY_OK, {0, 0}, 12345, NULL};
    memset(&setup, 0x5a, sizeof setup);
    before = setup;
    if (tby_fen_read(&setup, copy, n, flags, &warnings, &err) != status || err.status != status)
        fail_msg("%s: status %d, not %d", text, err.status, status);
    if (err.offset != offset)
        fail_msg("%s: offset %zu, not %zu", text, err.offset, offset);
    tby_fen_error_write(buf, sizeof buf, &err);
    assert_string_equal(buf, sentence_of(status, offset, detail));
    assert_memory_equal(&setup, &before, sizeof setup);
    assert_int_equal(warnings, 0xdead);
    assert_int_equal(tby_fen_read(&setup, copy, n, flags, NULL, NULL), status);
    free(copy);
}

static void assert_bad(const char *text, tby_status status, size_t offset, const char *detail)
{
    assert_bad_bytes(text, strlen(text), 0, status, offset, detail);
}

static void assert_bad_strictly(const char *text, tby_status status, size_t offset, const char *detail)
{
    assert_bad_bytes(text, strlen(text), TBY_FEN_STRICT, status, offset, detail);
}

/* ---- Reading: the standard's form ----------------------------------------------------------------------- */

TEST(test_fen__reads_the_start_position)
{
    tby_setup setup, start;
    unsigned warnings = 0xdead;
    tby_setup_start(&start);
    assert_int_equal(tby_fen_read(&setup, START_FEN, strlen(START_FEN), TBY_FEN_STRICT, &warnings, NULL), TBY_OK);
    assert_true(tby_setup_equal(&setup, &start));
    assert_int_equal(warnings, 0);
}

TEST(test_fen__writes_what_strict_reading_accepted)
{
    static const char *const fens[] = {
        START_FEN,
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w Kq f6 0 3",
        "8/8/8/8/8/8/8/8 w - - 65535 65535",
        "pPnNbBrR/qQkK4/8/8/8/8/8/8 b - - 10 100",
        "4k3/8/8/8/8/8/8/1RK5 w B - 0 1",
        "qqqqqqqq/qqqqqqqq/qqqqqqqq/qqqqqqqq/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ b - - 99 9",
    };
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++)
        assert_becomes(fens[i], TBY_FEN_STRICT, fens[i], 0);
}

TEST(test_fen__puts_every_piece_on_its_square)
{
    static const char letters[] = "PNBRQKpnbrqk";
    static const tby_kind kinds[] = {TBY_PAWN, TBY_KNIGHT, TBY_BISHOP, TBY_ROOK, TBY_QUEEN, TBY_KING};
    for (tby_square square = 0; square < 64; square++)
        for (unsigned i = 0; i < 12; i++) {
            char text[TBY_FEN_SIZE], wanted[TBY_FEN_SIZE], *p = text;
            for (int rank = 7; rank >= 0; rank--)
                for (int file = 0; file < 8; file++) {
                    *p++ = TBY_SQUARE(file, rank) == square ? letters[i] : '1';
                    if (file == 7)
                        *p++ = rank ? '/' : '\0';
                }
            const tby_setup setup = setup_of(text);
            tby_setup expected;
            tby_setup_clear(&expected);
            tby_setup_put(&expected, square, TBY_PIECE(i / 6, kinds[i % 6]));
            assert_true(tby_setup_equal(&setup, &expected));
            tby_fen_write(wanted, sizeof wanted, &setup, TBY_FEN_EPD);
            const tby_setup again = setup_of(wanted);
            assert_true(tby_setup_equal(&again, &expected));
        }
}

/* ---- Reading: what is tolerated ------------------------------------------------------------------------- */

TEST(test_fen__missing_fields_are_filled_in)
{
    assert_mended(KINGS, KINGS " w - - 0 1", TBY_FEN_WARN_FIELDS | TBY_FEN_WARN_SIDE);
    assert_mended(KINGS " b", KINGS " b - - 0 1", TBY_FEN_WARN_FIELDS);
    assert_mended(KINGS " b - -", KINGS " b - - 0 1", TBY_FEN_WARN_FIELDS);
    assert_mended(KINGS " b - - 7", KINGS " b - - 7 1", TBY_FEN_WARN_FIELDS);
    assert_mended(KINGS " ", KINGS " w - - 0 1", TBY_FEN_WARN_FIELDS | TBY_FEN_WARN_BLANKS | TBY_FEN_WARN_SIDE);
}

TEST(test_fen__missing_castling_rights_are_reported_if_there_could_be_any)
{
    const unsigned missing = TBY_FEN_WARN_FIELDS | TBY_FEN_WARN_RIGHTS;
    assert_mended("4k3/8/8/8/8/8/8/4K2R b", "4k3/8/8/8/8/8/8/4K2R b - - 0 1", missing);
    assert_mended("r3k3/8/8/8/8/8/8/4K3", "r3k3/8/8/8/8/8/8/4K3 w - - 0 1", missing | TBY_FEN_WARN_SIDE);
    assert_mended("4k3/8/8/8/8/8/8/3K3R b", "4k3/8/8/8/8/8/8/3K3R b - - 0 1", TBY_FEN_WARN_FIELDS);
    assert_string_equal(tby_fen_warning_name(TBY_FEN_WARN_RIGHTS), "RIGHTS");
    assert_string_equal(tby_fen_warning_text(TBY_FEN_WARN_RIGHTS), "the castling rights were missing: read as none");
    assert_null(tby_fen_warning_text(1 << 8));
    assert_null(tby_fen_warning_name(0));
}

TEST(test_fen__the_rights_of_a_displaced_king_are_not_chess960_rights)
{
    static const char fen[] = "r2qk2r/8/8/8/8/8/8/R2KQ2R w KQkq - 0 1",
                      without[] = "r2qk2r/8/8/8/8/8/8/R2KQ2R w kq - 0 1";
    assert_becomes(fen, 0, without, TBY_FEN_WARN_CASTLING);
    assert_becomes(fen, TBY_FEN_RAW, without, TBY_FEN_WARN_CASTLING); /* they were once kept, as Chess960 rights */
    assert_becomes(fen, TBY_FEN_RAW | TBY_FEN_CHESS960, "r2qk2r/8/8/8/8/8/8/R2KQ2R w HAha - 0 1", 0);
    assert_becomes("r2qk2r/8/8/8/8/8/8/R2KQ2R w HAkq - 0 1", TBY_FEN_RAW, "r2qk2r/8/8/8/8/8/8/R2KQ2R w HAha - 0 1", 0);
    /* Rights that no king and rook support are kept as written. */
    assert_becomes("4k3/8/8/8/8/8/8/3K4 w KQkq - 0 1", TBY_FEN_RAW, "4k3/8/8/8/8/8/8/3K4 w KQkq - 0 1", 0);
}

TEST(test_fen__a_dash_may_touch_the_clock)
{
    assert_mended(KINGS " w - -1 12", KINGS " w - - 1 12", TBY_FEN_WARN_BLANKS);
    assert_bad_bytes(KINGS " w - -x 12", 28, 0, TBY_INVALID_EN_PASSANT, 25, "a blank expected");
}

TEST(test_fen__blanks_may_be_repeated_or_tabs_or_at_the_ends)
{
    const unsigned blanks = TBY_FEN_WARN_BLANKS;
    assert_mended("  " KINGS " w - - 0 1", KINGS " w - - 0 1", blanks);
    assert_mended(KINGS "  w - - 0 1", KINGS " w - - 0 1", blanks);
    assert_mended(KINGS " w   - - 0 1", KINGS " w - - 0 1", blanks);
    assert_mended(KINGS " w -\t- 0 1", KINGS " w - - 0 1", blanks);
    assert_mended(KINGS " w - - \t 0 1", KINGS " w - - 0 1", blanks);
    assert_mended(KINGS " w - - 0  1", KINGS " w - - 0 1", blanks);
    assert_mended(KINGS " w - - 0 1 ", KINGS " w - - 0 1", blanks);
    assert_mended("\t" KINGS "\tw\t-\t-\t0\t1\t", KINGS " w - - 0 1", blanks);
}

TEST(test_fen__gaps_may_be_several_digits)
{
    assert_mended("44/11111111/8/8/8/8/8/k151 w - - 0 1", "8/8/8/8/8/8/8/k7 w - - 0 1", 0);
}

TEST(test_fen__castling_letters_may_come_in_any_order)
{
    const unsigned order = TBY_FEN_WARN_ORDER;
    assert_mended("r3k2r/8/8/8/8/8/8/R3K2R w kqKQ - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", order);
    assert_mended("r3k2r/8/8/8/8/8/8/R3K2R w QK - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQ - 0 1", order);
    assert_mended("r3k2r/8/8/8/8/8/8/R3K2R w KK - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w K - 0 1", order);
    assert_mended("r3k2r/8/8/8/8/8/8/R3K2R w ahAH - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", order);
    assert_mended("r3k2r/8/8/8/8/8/8/R3K2R w KH - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w K - 0 1", order);
}

TEST(test_fen__rights_without_king_or_rook_are_dropped)
{
    const unsigned castling = TBY_FEN_WARN_CASTLING;
    assert_mended("r2qk2r/pppppppp/8/8/8/8/PPPPPPPP/R2KQ2R w KQkq - 0 1",
                  "r2qk2r/pppppppp/8/8/8/8/PPPPPPPP/R2KQ2R w kq - 0 1", castling);
    assert_mended("4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", castling);
    assert_mended("4k3/8/8/8/8/8/8/4K2r w K - 0 1", "4k3/8/8/8/8/8/8/4K2r w - - 0 1", castling);
    assert_mended("4k3/8/8/8/8/8/8/4K1R1 w K - 0 1", "4k3/8/8/8/8/8/8/4K1R1 w - - 0 1", castling);
    assert_mended("4k3/8/8/8/8/8/8/4K1R1 w F - 0 1", "4k3/8/8/8/8/8/8/4K1R1 w - - 0 1", castling);
    assert_mended("4k3/8/8/8/8/8/8/4K1R1 w E - 0 1", "4k3/8/8/8/8/8/8/4K1R1 w - - 0 1", castling);
    assert_mended("8/8/8/8/8/8/8/R6R w KQkq - 0 1", "8/8/8/8/8/8/8/R6R w - - 0 1", castling);
}

TEST(test_fen__a_king_castles_once_per_side_and_never_from_a_corner)
{
    const unsigned castling = TBY_FEN_WARN_CASTLING;
    assert_mended("4k3/8/8/8/8/8/8/4K1RR w HG - 0 1", "4k3/8/8/8/8/8/8/4K1RR w K - 0 1", castling);
    assert_mended("4k3/8/8/8/8/8/8/4K1RR w GH - 0 1", "4k3/8/8/8/8/8/8/4K1RR w G - 0 1", castling);
    assert_mended("4k3/8/8/8/8/8/8/KR6 w B - 0 1", "4k3/8/8/8/8/8/8/KR6 w - - 0 1", castling);
    assert_mended("4k3/8/8/8/8/8/8/2K1K2R w K - 0 1", "4k3/8/8/8/8/8/8/2K1K2R w - - 0 1", castling);
}

TEST(test_fen__en_passant_squares_that_no_pawn_passed_are_dropped)
{
    static const char *const boards[][2] = {
        {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq", "e6"}, /* wrong rank (rules.md B10) */
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq", "e3"},
        {"4k3/8/8/8/4P3/4N3/8/4K3 b -", "e3"}, /* the square is occupied */
        {"4k3/8/8/8/4P3/8/4N3/4K3 b -", "e3"}, /* the origin is occupied */
        {"4k3/8/8/8/8/8/8/4K3 b -", "e3"},     /* no pawn */
        {"4k3/8/8/8/4p3/8/8/4K3 b -", "e3"},   /* a pawn of the same side */
        {"4k3/8/8/8/4N3/8/8/4K3 b -", "e3"},   /* not a pawn */
        {"4k3/8/8/8/8/8/8/4K3 w -", "a1"},
        {"4k3/8/8/8/8/8/8/4K3 w -", "h8"},
    };
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
        char text[TBY_FEN_SIZE], wanted[TBY_FEN_SIZE];
        snprintf(text, sizeof text, "%s %s 0 1", boards[i][0], boards[i][1]);
        snprintf(wanted, sizeof wanted, "%s - 0 1", boards[i][0]);
        assert_mended(text, wanted, TBY_FEN_WARN_EN_PASSANT);
        assert_becomes(text, TBY_FEN_RAW, text, 0);
        assert_int_equal(tby_fen_read(&(tby_setup){0}, text, strlen(text), TBY_FEN_STRICT, NULL, NULL),
                         TBY_INVALID_EN_PASSANT);
    }
}

TEST(test_fen__numbers_may_have_leading_zeros_and_move_zero)
{
    assert_mended(KINGS " w - - 007 0012", KINGS " w - - 7 12", 0);
    assert_mended(KINGS " w - - 0 0", KINGS " w - - 0 1", TBY_FEN_WARN_FULLMOVE);
    assert_mended(KINGS " w - - 65535 65535", KINGS " w - - 65535 65535", 0);
}

TEST(test_fen__warnings_add_up)
{
    assert_mended(" " KINGS "  w qK e3 0 0", KINGS " w - - 0 1",
                  TBY_FEN_WARN_BLANKS | TBY_FEN_WARN_CASTLING | TBY_FEN_WARN_ORDER | TBY_FEN_WARN_EN_PASSANT |
                      TBY_FEN_WARN_FULLMOVE);
}

/* ---- Reading: what is refused --------------------------------------------------------------------------- */

TEST(test_fen__placement_errors_name_rank_and_column)
{
    const tby_status status = TBY_INVALID_PLACEMENT;
    assert_bad("", status, 0, "the field is missing");
    assert_bad("   ", status, 3, "the field is missing");
    assert_bad("8/ppp1ppppp/8/8/8/8/8/8 w - - 0 1", status, 10, "rank 7 has 9 squares");
    assert_bad("rnbqkbnr/p1p1p1p1p/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", status, 17, "rank 7 has 9 squares");
    assert_bad("8/8/8/pppppppp8p/8/8/8/8 w - - 0 1", status, 14, "rank 5 has 17 squares");
    assert_bad("rnbqkbnr/pppppppp/7/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", status, 19, "rank 6 has 7 squares");
    assert_bad("8/8/8/8/8/8/8/7 w - - 0 1", status, 15, "rank 1 has 7 squares");
    assert_bad("8/8/8/8/8/8/8/7", status, 15, "rank 1 has 7 squares");
    assert_bad("8/8/8/8//8/8/8 w - - 0 1", status, 8, "rank 4 has 0 squares");
    assert_bad("/8/8/8/8/8/8/8/8 w - - 0 1", status, 0, "rank 8 has 0 squares");
    assert_bad("8/8/8/8/8/8/8 w - - 0 1", status, 13, "8 ranks expected, 7 found");
    assert_bad("8", status, 1, "8 ranks expected, 1 found");
    assert_bad("8/8/8/8/8/8/8/8/ w - - 0 1", status, 15, "8 ranks expected, more found");
    assert_bad("8/8/8/8/8/8/8/8/8 w - - 0 1", status, 15, "8 ranks expected, more found");
    assert_bad("rnbqk?nr/8/8/8/8/8/8/8 w - - 0 1", status, 5, "unknown piece letter");
    assert_bad("08/8/8/8/8/8/8/8 w - - 0 1", status, 0, "unknown piece letter");
    assert_bad("9/8/8/8/8/8/8/8 w - - 0 1", status, 0, "unknown piece letter");
    assert_bad("  8/x w", status, 4, "unknown piece letter");
    assert_bad("8/8/8/8/8/8/8/8w - - 0 1", status, 15, "a blank expected");
}

/* Wrong lengths that add up to 64 squares. */
TEST(test_fen__ranks_do_not_make_up_for_each_other)
{
    const tby_status status = TBY_INVALID_PLACEMENT;
    assert_bad("88//8/8/8/8/8/8 w", status, 1, "rank 8 has 16 squares");
    assert_bad("7/81/8/8/8/8/8/8 w", status, 1, "rank 8 has 7 squares");
    assert_bad("888/888/8/8/8/8 w", status, 1, "rank 8 has 24 squares");
    assert_bad("88888888 w", status, 1, "rank 8 has 64 squares");
    assert_bad("8/8/8/8/8/8/8// w", status, 14, "rank 1 has 0 squares");
    assert_bad("/////////////// w", status, 0, "rank 8 has 0 squares");
}

TEST(test_fen__every_wrong_byte_in_the_placement_is_found)
{
    static const char good[] = "PNBRQKpnbrqk12345678/ \t";
    for (int byte = 0; byte < 256; byte++) {
        char text[] = "8/8/8/8/7x/8/8/8 w - - 0 1";
        text[9] = (char)byte;
        if (memchr(good, byte, sizeof good - 1))
            continue;
        assert_bad_bytes(text, sizeof text - 1, 0, TBY_INVALID_PLACEMENT, 9, "unknown piece letter");
    }
}

TEST(test_fen__side_errors)
{
    const tby_status status = TBY_INVALID_SIDE;
    assert_bad(KINGS " ? - - 0 1", status, 20, "w or b expected");
    assert_bad(KINGS " W - - 0 1", status, 20, "w or b expected");
    assert_bad(KINGS " wb - - 0 1", status, 21, "a blank expected");
    assert_bad(KINGS " - - 0 1", status, 20, "w or b expected");
}

TEST(test_fen__castling_errors)
{
    const tby_status status = TBY_INVALID_CASTLING;
    assert_bad(KINGS " w KQxkq - 0 1", status, 24, "KQkq, file letters or - expected");
    assert_bad(KINGS " w K- - 0 1", status, 23, "KQkq, file letters or - expected");
    assert_bad(KINGS " w -K - 0 1", status, 23, "a blank expected");
    assert_bad(KINGS " w -- - 0 1", status, 23, "a blank expected");
    assert_bad(KINGS " w 0 - 0 1", status, 22, "KQkq, file letters or - expected");
    assert_bad(KINGS " w KKKKKKKKKKKKKKKKK - 0 1", status, 38, "at most 16 castling letters expected");
    assert_bad_bytes(KINGS " w -K - 0 1", 31, TBY_FEN_CHESS960, status, 23, "a blank expected");
}

TEST(test_fen__en_passant_errors)
{
    const tby_status status = TBY_INVALID_EN_PASSANT;
    assert_bad(KINGS " w -", status, 23, "the field is missing");
    assert_bad(KINGS " w - x 0 1", status, 24, "a square or - expected");
    assert_bad(KINGS " w - e", status, 24, "a square or - expected");
    assert_bad(KINGS " w - e 0 1", status, 24, "a square or - expected");
    assert_bad(KINGS " w - e9 0 1", status, 24, "a square or - expected");
    assert_bad(KINGS " w - i6 0 1", status, 24, "a square or - expected");
    assert_bad(KINGS " w - E6 0 1", status, 24, "a square or - expected");
    assert_bad(KINGS " w - e66 0 1", status, 26, "a blank expected");
    assert_bad(KINGS " w - -- 0 1", status, 25, "a blank expected");
    assert_bad_bytes(KINGS " w - i6 0 1", 31, TBY_FEN_RAW, status, 24, "a square or - expected");
}

TEST(test_fen__number_errors)
{
    assert_bad(KINGS " w - - x 1", TBY_INVALID_CLOCK, 26, "a number expected");
    assert_bad(KINGS " w - - -1 1", TBY_INVALID_CLOCK, 26, "a number expected");
    assert_bad(KINGS " w - - 1x 1", TBY_INVALID_CLOCK, 27, "a blank expected");
    assert_bad(KINGS " w - - 65536 1", TBY_INVALID_CLOCK, 26, "a number up to 65535 expected");
    assert_bad(KINGS " w - - 0 x", TBY_INVALID_FULLMOVE, 28, "a number expected");
    assert_bad(KINGS " w - - 0 -1", TBY_INVALID_FULLMOVE, 28, "a number expected");
    assert_bad(KINGS " w - - 0 1.", TBY_INVALID_FULLMOVE, 29, "a blank expected");
    assert_bad(KINGS " w - - 0 99999999999999999999", TBY_INVALID_FULLMOVE, 28, "a number up to 65535 expected");
}

TEST(test_fen__a_seventh_field_is_refused)
{
    assert_bad(KINGS " w - - 0 1 1", TBY_INVALID_TRAILING, 30, "nothing expected after six fields");
    assert_bad(KINGS " w - - 0 1  ;", TBY_INVALID_TRAILING, 31, "nothing expected after six fields");
}

/* One field is removed or doubled: the fields after it are no longer what is expected. */
TEST(test_fen__missing_or_doubled_fields_are_located)
{
    assert_bad("w KQkq - 0 1", TBY_INVALID_PLACEMENT, 0, "unknown piece letter");
    assert_bad(KINGS " KQkq - 0 1", TBY_INVALID_SIDE, 20, "w or b expected");
    assert_bad(KINGS " w e3 0 1", TBY_INVALID_CASTLING, 23, "KQkq, file letters or - expected");
    assert_bad(KINGS " w - 0 1", TBY_INVALID_EN_PASSANT, 24, "a square or - expected");
    assert_bad(KINGS " " KINGS " w - - 0 1", TBY_INVALID_SIDE, 20, "w or b expected");
    assert_bad(KINGS " w w - - 0 1", TBY_INVALID_CASTLING, 22, "KQkq, file letters or - expected");
    assert_bad(KINGS " w K K - 0 1", TBY_INVALID_EN_PASSANT, 24, "a square or - expected");
    assert_bad(KINGS " w - - - 0 1", TBY_INVALID_CLOCK, 26, "a number expected");
    assert_bad(KINGS " w - - 0 0 1", TBY_INVALID_TRAILING, 30, "nothing expected after six fields");
}

TEST(test_fen__nul_is_an_ordinary_byte)
{
    char text[] = KINGS " w - - 0 1";
    const size_t n = sizeof text - 1;
    static const struct {
        size_t offset;
        tby_status status;
    } rows[] = {{3, TBY_INVALID_PLACEMENT},   {19, TBY_INVALID_PLACEMENT}, {20, TBY_INVALID_SIDE},
                {21, TBY_INVALID_SIDE},       {22, TBY_INVALID_CASTLING},  {24, TBY_INVALID_EN_PASSANT},
                {25, TBY_INVALID_EN_PASSANT}, {26, TBY_INVALID_CLOCK},     {27, TBY_INVALID_CLOCK},
                {28, TBY_INVALID_FULLMOVE},   {29, TBY_INVALID_FULLMOVE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char was = text[rows[i].offset];
        const size_t length = rows[i].offset == n ? n + 1 : n;
        tby_setup setup;
        text[rows[i].offset] = '\0';
        assert_refused(tby_fen_read(&setup, text, length, 0, NULL, &err), rows[i].status, rows[i].offset);
        text[rows[i].offset] = was;
    }
}

static void read_any(const char *s, size_t n)
{
    static const unsigned modes[] = {0, TBY_FEN_STRICT, TBY_FEN_RAW, TBY_FEN_CHESS960, TBY_FEN_STRICT | TBY_FEN_RAW};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        tby_setup setup;
        tby_error err = {TBY_OK, {0, 0}, 0, NULL};
        char sentence[TBY_ERROR_SIZE];
        if (tby_fen_read(&setup, s, n, modes[i], NULL, &err) == TBY_OK)
            continue;
        assert_true(err.status >= TBY_INVALID_PLACEMENT && err.status <= TBY_INVALID_TRAILING);
        assert_true(err.offset <= n);
        assert_non_null(err.detail);
        assert_true(tby_fen_error_write(sentence, sizeof sentence, &err) < sizeof sentence);
    }
}

static void refuse_any(const char *s, size_t n)
{
    tby_setup setup;
    assert_int_equal(tby_fen_read(&setup, s, n, 0, NULL, NULL), TBY_INVALID_PLACEMENT);
    read_any(s, n);
}

TEST(test_fen__floods_and_mutations_are_safe)
{
    for_each_flood(refuse_any);
    for_each_mutation(START_FEN, read_any);
    for_each_mutation("rn2k1r1/ppp1pp1p/3p2p1/5bn1/P7/2N2B2/1PPPPP2/2BNK1RR w Gkq - 4 11", read_any);
}

TEST(test_fen__long_fields_are_safe)
{
    static const char before[][64] = {KINGS " ",       KINGS " w ",       KINGS " w - ",
                                      KINGS " w - - ", KINGS " w - - 0 ", KINGS " w - - 0 1 "};
    char *flood = malloc(MEBIBYTE);
    assert_non_null(flood);
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        for (const char *byte = " \tKw1x-8/"; *byte; byte++) {
            memset(flood, *byte, MEBIBYTE);
            memcpy(flood, before[i], strlen(before[i]));
            read_any(flood, MEBIBYTE);
        }
    free(flood);
}

/* ---- Strict reading ------------------------------------------------------------------------------------- */

TEST(test_fen__strict_reading_accepts_only_the_standard_form)
{
    const char *blank = "one space between fields expected, none at the ends";
    assert_bad_strictly(KINGS, TBY_INVALID_SIDE, 19, "the field is missing");
    assert_bad_strictly(KINGS " w - -", TBY_INVALID_CLOCK, 25, "the field is missing");
    assert_bad_strictly(KINGS " w - - 0", TBY_INVALID_FULLMOVE, 27, "the field is missing");
    assert_bad_strictly(" " KINGS " w - - 0 1", TBY_INVALID_PLACEMENT, 0, blank);
    assert_bad_strictly(KINGS " w  - - 0 1", TBY_INVALID_CASTLING, 21, blank);
    assert_bad_strictly(KINGS " w\t- - 0 1", TBY_INVALID_CASTLING, 21, blank);
    assert_bad_strictly(KINGS " w - - 0 1 ", TBY_INVALID_TRAILING, 29, blank);
    assert_bad_strictly("8/8/8/44/8/8/8/8 w - - 0 1", TBY_INVALID_PLACEMENT, 7, "two digits in a row");
    assert_bad_strictly(KINGS " w - - 00 1", TBY_INVALID_CLOCK, 26, "no leading zeros expected");
    assert_bad_strictly(KINGS " w - - 0 01", TBY_INVALID_FULLMOVE, 28, "no leading zeros expected");
    assert_bad_strictly(KINGS " w - - 0 0", TBY_INVALID_FULLMOVE, 28, "move numbers start from 1");
}

TEST(test_fen__strict_reading_requires_rights_in_order_and_on_the_board)
{
    const char *in_place = "no king and rook in place for this right";
    assert_bad_strictly("4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", TBY_INVALID_CASTLING, 24,
                        "no king and rook in place for this right");
    assert_bad_strictly("4k3/8/8/8/8/8/8/3K3R w K - 0 1", TBY_INVALID_CASTLING, 23, in_place);
    assert_bad_strictly("r3k2r/8/8/8/8/8/8/R3K2R w KkQ - 0 1", TBY_INVALID_CASTLING, 28,
                        "castling letters doubled or out of order");
    assert_bad_strictly("r3k2r/8/8/8/8/8/8/R3K2R w QQ - 0 1", TBY_INVALID_CASTLING, 27,
                        "castling letters doubled or out of order");
    assert_bad_strictly("r3k2r/8/8/8/8/8/8/R3K2R w HAah - 0 1", TBY_INVALID_CASTLING, 29,
                        "castling letters doubled or out of order");
    assert_becomes("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", TBY_FEN_STRICT, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", 0);
}

TEST(test_fen__strict_reading_names_the_flaw_of_an_en_passant_square)
{
    assert_bad_strictly(KINGS " w - e3 0 1", TBY_INVALID_EN_PASSANT, 24, "rank 6 expected, white is to move");
    assert_bad_strictly(KINGS " b - e6 0 1", TBY_INVALID_EN_PASSANT, 24, "rank 3 expected, black is to move");
    assert_bad_strictly(KINGS " w - e6 0 1", TBY_INVALID_EN_PASSANT, 24, "no pawn has just passed this square");
    assert_bad_strictly("4k3/4n3/8/4p3/8/8/8/4K3 w - e6 0 1", TBY_INVALID_EN_PASSANT, 28,
                        "a piece stands where the pawn came from or passed");
}

int main(void) { return tests_run(NULL, NULL); }
