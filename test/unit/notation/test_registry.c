/*
 * test_registry.c - the tables of notations; EPD and diagrams, which are only available through them; and lines of
 * moves.
 */
#include "codec_support.h"
#include "notation_support.h"

static const tby_position_notation *positions(const char *name)
{
    const tby_position_notation *notation = tby_position_notation_find(name, strlen(name));
    assert_non_null(notation);
    return notation;
}

static const tby_move_notation *moves(const char *name)
{
    const tby_move_notation *notation = tby_move_notation_find(name, strlen(name));
    assert_non_null(notation);
    return notation;
}

/* ---- Tables -------------------------------------------------------------------------------------------- */

TEST(test_registry__positions_are_found_by_name_and_by_number)
{
    static const char *const names[] = {"fen",       "fen-legal", "epd",     "boardinfo", "base64",
                                        "base64url", "ascii",     "unicode", "svg"};
    size_t n = 0;
    for (const tby_position_notation *p; (p = tby_position_notation_at(n)) != NULL; n++) {
        assert_string_equal(p->name, names[n]);
        assert_ptr_equal(tby_position_notation_find(p->name, strlen(p->name)), p);
        assert_true(p->summary[0] && p->write);
    }
    assert_int_equal(n, sizeof names / sizeof *names);
    assert_null(tby_position_notation_at(SIZE_MAX));
    assert_null(tby_position_notation_find("", 0));
    assert_null(tby_position_notation_find("fe", 2));
    assert_null(tby_position_notation_find("fens", 4));
    assert_null(tby_position_notation_find("FEN", 3));
    assert_ptr_equal(tby_position_notation_find("fen-legal", 3), positions("fen"));
}

TEST(test_registry__moves_are_found_by_name_and_by_number)
{
    static const char *const names[] = {"san",          "uci",   "lan",  "boardinfo-moves",
                                        "base64-moves", "short", "iccf", "cmbr"};
    size_t n = 0;
    for (const tby_move_notation *m; (m = tby_move_notation_at(n)) != NULL; n++) {
        assert_string_equal(m->name, names[n]);
        assert_ptr_equal(tby_move_notation_find(m->name, strlen(m->name)), m);
        assert_true(m->summary[0] && m->read && m->write && m->separator);
    }
    assert_int_equal(n, sizeof names / sizeof *names);
    assert_null(tby_move_notation_find("sa", 2));
    assert_null(tby_move_notation_find("uci ", 4));
}

static void assert_position_row(const tby_position_notation *p, const tby_setup *setup)
{
    tby_error err;
    const size_t length = p->write(NULL, 0, setup, TBY_LOSSY, &err), size = p->size ? p->size : length + 1;
    char *buf = malloc(size);
    assert_non_null(buf);
    assert_int_equal(p->write(buf, size, setup, TBY_LOSSY, &err), length);
    assert_int_equal(err.status, TBY_OK);
    assert_in_range(length, 1, size - 1);
    assert_int_equal(strlen(buf), length);
    if (p->one_line)
        assert_null(strchr(buf, '\n'));
    tby_setup back;
    if (p->read) {
        assert_int_equal(p->read(&back, buf, length, 0, NULL, &err), TBY_OK);
        assert_memory_equal(&back.board, &setup->board, sizeof back.board);
    }
    if (p->read && !p->cannot_hold)
        assert_true(tby_setup_equal(&back, setup));
    free(buf);
}

static void visit_positions(const tby_position *pos)
{
    tby_setup setup;
    tby_position_setup(&setup, pos);
    for (size_t i = 0; tby_position_notation_at(i); i++)
        assert_position_row(tby_position_notation_at(i), &setup);
}

static void visit_moves(const tby_position *pos)
{
    tby_move list[TBY_MOVES_MAX];
    const size_t n_moves = tby_moves_list(list, pos);
    for (size_t i = 0; i < n_moves; i++)
        for (size_t k = 0; tby_move_notation_at(k); k++) {
            const tby_move_notation *notation = tby_move_notation_at(k);
            char buf[32];
            tby_move back = TBY_MOVE_NONE;
            tby_error err;
            const size_t length = notation->write(buf, notation->size, pos, list[i], 0, &err);
            if (err.status != TBY_OK) {
                assert_non_null(notation->cannot_hold);
                continue;
            }
            assert_true(length < notation->size && strlen(buf) == length);
            if (notation->read(&back, pos, buf, length, 0, &err) != TBY_OK)
                fail_msg("%s %s: %s", notation->name, buf, err.detail);
            assert_int_equal(back, list[i]);
        }
}

TEST(test_registry__every_position_notation_reads_what_it_writes) { visit_random_games(10, 80, visit_positions); }

TEST(test_registry__every_move_notation_reads_what_it_writes) { visit_random_games(10, 80, visit_moves); }

TEST(test_registry__flags_reach_the_notations)
{
    char buf[TBY_FEN_SIZE];
    tby_setup setup;
    tby_error err;
    const tby_setup chess960 = setup_of("1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1");
    assert_int_equal(positions("base64")->write(buf, sizeof buf, &chess960, 0, &err), 0);
    assert_int_equal(err.status, TBY_CANNOT_HOLD);
    positions("fen")->write(buf, sizeof buf, &chess960, TBY_NOTATION_CHESS960, &err);
    assert_string_equal(buf, "1r2k2r/8/8/8/8/8/8/1R2K2R w KQkq - 0 1");
    assert_int_equal(positions("fen")->read(&setup, buf, strlen(buf), TBY_NOTATION_CHESS960, NULL, &err), TBY_OK);
    assert_true(tby_setup_equal(&setup, &chess960));
    assert_int_equal(positions("fen")->read(&setup, buf, strlen(buf) - 4, TBY_NOTATION_STRICT, NULL, &err),
                     TBY_INVALID_CASTLING);

    const tby_position pos = position_of("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    tby_move m;
    moves("uci")->write(buf, sizeof buf, &pos, move_of(&pos, "e1h1"), 0, &err);
    assert_string_equal(buf, "e1g1");
    moves("uci")->write(buf, sizeof buf, &pos, move_of(&pos, "e1h1"), TBY_NOTATION_CHESS960, &err);
    assert_string_equal(buf, "e1h1");
    assert_int_equal(moves("san")->read(&m, &pos, "0-0", 3, 0, &err), TBY_OK);
    assert_int_equal(moves("san")->read(&m, &pos, "0-0", 3, TBY_NOTATION_STRICT, &err), TBY_INVALID_SAN);
}

TEST(test_registry__boardinfo_moves_default_to_a_queen)
{
    const tby_position pos = position_of("8/P3k3/8/8/8/8/8/4K2R w K - 0 1");
    tby_move m = TBY_MOVE_NONE;
    tby_error err;
    static const char *const texts[] = {"a7a8", "a7a8q", "a7a8n", "e1g1", "O-O", "h1h8"};
    static const char *const meanings[] = {"a7a8q", "a7a8q", "a7a8n", "e1h1", "e1h1", "h1h8"};
    for (int i = 0; i < 6; i++) {
        if (moves("boardinfo-moves")->read(&m, &pos, texts[i], strlen(texts[i]), 0, &err) != TBY_OK)
            fail_msg("%s: %s", texts[i], err.detail);
        assert_int_equal(m, move_of(&pos, meanings[i]));
    }
    assert_int_equal(moves("boardinfo-moves")->read(&m, &pos, "a7a9", 4, 0, &err), TBY_INVALID_UCI);
    assert_int_equal(moves("boardinfo-moves")->read(&m, &pos, "a7b8", 4, 0, &err), TBY_ILLEGAL_MOVE);
}

TEST(test_registry__cmbr_words_are_six_hex_digits)
{
    const tby_position pos = position_of(START_FEN);
    char buf[TBY_CMBR_MOVE_SIZE];
    tby_move m;
    moves("cmbr")->write(buf, sizeof buf, &pos, move_of(&pos, "e2e4"), 0, NULL);
    assert_string_equal(buf, "70c000");
    assert_int_equal(moves("cmbr")->read(&m, &pos, "70C000", 6, 0, NULL), TBY_OK);
    assert_int_equal(m, move_of(&pos, "e2e4"));
    assert_refused(moves("cmbr")->read(&m, &pos, "70c00", 5, 0, &err), TBY_INVALID_CMBR, 5);
    assert_refused(moves("cmbr")->read(&m, &pos, "70c0000", 7, 0, &err), TBY_INVALID_CMBR, 6);
    assert_refused(moves("cmbr")->read(&m, &pos, "70g000", 6, 0, &err), TBY_INVALID_CMBR, 2);
    assert_refused(moves("cmbr")->read(&m, &pos, "70c100", 6, 0, &err), TBY_INVALID_CMBR, 2);
    assert_refused(moves("cmbr")->read(&m, &pos, "70c004", 6, 0, &err), TBY_INVALID_CMBR, 4);
}

TEST(test_registry__a_hyphen_is_the_forced_short_move)
{
    const tby_position pos = position_of("8/8/8/8/8/5k2/8/r6K w - - 0 1");
    tby_move m = TBY_MOVE_NONE;
    assert_int_equal(moves("short")->read(&m, &pos, "-", 1, 0, NULL), TBY_OK);
    assert_int_equal(m, move_of(&pos, "h1h2"));
    const tby_position start = position_of(START_FEN);
    assert_refused(moves("short")->read(&m, &start, "-", 1, 0, &err), TBY_AMBIGUOUS_MOVE, 0);
}

/* ---- EPD ----------------------------------------------------------------------------------------------- */

#define FOUR_FIELDS "rnbqkb1r/pppppppp/5n2/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -"

static void assert_epd(const char *text, uint16_t clock, uint32_t fullmove)
{
    tby_setup setup, expected = setup_of(FOUR_FIELDS " 0 1");
    tby_error err;
    char *copy = exact_copy(text, strlen(text));
    if (positions("epd")->read(&setup, copy, strlen(text), 0, NULL, &err) != TBY_OK)
        fail_msg("%s: %s at %zu", text, err.detail, err.offset);
    expected.clock = clock;
    expected.fullmove = fullmove;
    assert_true(tby_setup_equal(&setup, &expected));
    free(copy);
}

static void assert_bad_epd(const char *text, unsigned flags, tby_status status, size_t offset)
{
    tby_setup setup;
    char *copy = exact_copy(text, strlen(text));
    assert_refused(positions("epd")->read(&setup, copy, strlen(text), flags, NULL, &err), status, offset);
    assert_int_equal(positions("epd")->read(&setup, copy, strlen(text), flags, NULL, NULL), status);
    free(copy);
}

TEST(test_registry__epd_takes_operations)
{
    assert_epd(FOUR_FIELDS, 0, 1);
    assert_epd(FOUR_FIELDS " bm Nf6; id \"a; b\";", 0, 1);
    assert_epd(FOUR_FIELDS " hmvc 1; fmvn 2;", 1, 2);
    assert_epd(FOUR_FIELDS " fmvn 65535; pv e5 Nd5; hmvc 65535", 65535, 65535);
    assert_epd(FOUR_FIELDS " bm e5;hmvc 1 ;  fmvn  2;  ", 1, 2);
    assert_epd(FOUR_FIELDS " noop; c0 \"\";", 0, 1);
    assert_epd(FOUR_FIELDS " 1 2", 1, 2);
    assert_epd(FOUR_FIELDS " 1 2;", 1, 2);
    assert_epd(FOUR_FIELDS " 1 2 bm e5;", 1, 2);
    assert_epd(FOUR_FIELDS " 1 fmvn 2;", 1, 2);
}

/* As well-known test suites write them. */
TEST(test_registry__epd_accepts_semicolons_after_the_fields_and_free_text)
{
    assert_epd(FOUR_FIELDS "; am Nxb6 + ? ; c1 diff=10 ", 0, 1);
    assert_epd(FOUR_FIELDS " ; bm Qd1 + ; id BK.01 ", 0, 1);
    assert_epd(FOUR_FIELDS "  ; bm d6;; id LCTII.POS.01", 0, 1);
    assert_epd(FOUR_FIELDS " 1 2 ; bm Qb3 ", 1, 2);
    assert_epd(FOUR_FIELDS " 1 2; bm Qb3 ", 1, 2);
    assert_epd(FOUR_FIELDS "1 12 ; bm b4 ", 1, 12);
    assert_epd(FOUR_FIELDS " ; fmvn 3; hmvc 4;", 4, 3);
    assert_epd(FOUR_FIELDS " id \"never closed; hmvc 4;", 4, 1);
    assert_epd(FOUR_FIELDS " ... (white to play) \"x\"; 1-0", 0, 1);
}

TEST(test_registry__bad_epd_is_located)
{
    const size_t at = strlen(FOUR_FIELDS);
    assert_bad_epd("", 0, TBY_INVALID_PLACEMENT, 0);
    const unsigned strict = TBY_NOTATION_STRICT;
    assert_bad_epd(FOUR_FIELDS " ;", strict, TBY_INVALID_TRAILING, at + 1);
    assert_bad_epd(FOUR_FIELDS " bm\"x\";", strict, TBY_INVALID_TRAILING, at + 3);
    assert_bad_epd(FOUR_FIELDS " id \"x;", strict, TBY_INVALID_TRAILING, at + 4);
    assert_bad_epd(FOUR_FIELDS " abcdefghijklmnop 1;", strict, TBY_TOO_LONG, at + 1);
    assert_bad_epd(FOUR_FIELDS "; bm e5;", strict, TBY_INVALID_EN_PASSANT, at);
    assert_bad_epd(FOUR_FIELDS " hmvc;", 0, TBY_INVALID_CLOCK, at + 5);
    assert_bad_epd(FOUR_FIELDS " hmvc x;", 0, TBY_INVALID_CLOCK, at + 6);
    assert_bad_epd(FOUR_FIELDS " hmvc 1 2;", 0, TBY_INVALID_CLOCK, at + 8);
    assert_bad_epd(FOUR_FIELDS " hmvc 65536;", 0, TBY_INVALID_CLOCK, at + 6);
    assert_bad_epd(FOUR_FIELDS " hmvc 99999999999999999999;", 0, TBY_INVALID_CLOCK, at + 6);
    assert_bad_epd(FOUR_FIELDS " fmvn 0;", 0, TBY_INVALID_FULLMOVE, at + 6);
    assert_bad_epd(FOUR_FIELDS " fmvn 2; fmvn 3;", 0, TBY_INVALID_FULLMOVE, at + 9);
    assert_bad_epd(FOUR_FIELDS " 1 2 hmvc 1;", 0, TBY_INVALID_CLOCK, at + 5);
}

TEST(test_registry__strict_epd_has_four_fields_and_every_semicolon)
{
    const size_t at = strlen(FOUR_FIELDS);
    tby_setup setup;
    const char good[] = FOUR_FIELDS " bm e5; hmvc 1;";
    assert_int_equal(positions("epd")->read(&setup, FOUR_FIELDS, at, TBY_NOTATION_STRICT, NULL, NULL), TBY_OK);
    assert_int_equal(positions("epd")->read(&setup, good, strlen(good), TBY_NOTATION_STRICT, NULL, NULL), TBY_OK);
    assert_int_equal(setup.clock, 1);
    assert_bad_epd(FOUR_FIELDS " bm e5", TBY_NOTATION_STRICT, TBY_INVALID_TRAILING, at + 6);
    assert_bad_epd(FOUR_FIELDS " 0 1", TBY_NOTATION_STRICT, TBY_INVALID_TRAILING, at + 1);
    tby_error err;
    const char short_of_fields[] = "8/8/8/8/8/8/8/8 w -", wrong_rights[] = "4k3/8/8/8/8/8/8/4K3 w KQ -";
    assert_int_not_equal(
        positions("epd")->read(&setup, short_of_fields, strlen(short_of_fields), TBY_NOTATION_STRICT, NULL, &err),
        TBY_OK);
    assert_int_equal(
        positions("epd")->read(&setup, wrong_rights, strlen(wrong_rights), TBY_NOTATION_STRICT, NULL, &err),
        TBY_INVALID_CASTLING);
    assert_int_equal(err.offset, 22);
}

static void read_any_epd(const char *s, size_t n)
{
    for (unsigned flags = 0; flags <= TBY_NOTATION_STRICT; flags += TBY_NOTATION_STRICT) {
        tby_setup setup;
        tby_error err = {TBY_OK, {0, 0}, 0, NULL};
        const tby_status status = positions("epd")->read(&setup, s, n, flags, NULL, &err);
        assert_int_equal(status, err.status);
        assert_true(err.offset <= n + 4); /* where strict reading expects the two numbers */
    }
}

TEST(test_registry__hostile_epd_is_refused_within_bounds)
{
    for_each_mutation(FOUR_FIELDS " bm Nf6; hmvc 1; id \"x;y\"; fmvn 2;", read_any_epd);
    for_each_flood(read_any_epd);
}

/* ---- Diagrams ------------------------------------------------------------------------------------------ */

static void assert_diagram_reads(const tby_setup *setup, unsigned diagram_flags)
{
    char buf[TBY_DIAGRAM_SIZE];
    tby_setup back;
    tby_error err;
    const size_t n = tby_diagram_write(buf, sizeof buf, &setup->board, diagram_flags);
    char *copy = exact_copy(buf, n);
    if (positions("ascii")->read(&back, copy, n, 0, NULL, &err) != TBY_OK)
        fail_msg("%s at %zu of\n%s", err.detail, err.offset, buf);
    assert_memory_equal(&back.board, &setup->board, sizeof back.board);
    free(copy);
}

static void visit_diagrams(const tby_position *pos)
{
    tby_setup setup;
    tby_position_setup(&setup, pos);
    for (unsigned flags = 0; flags < 8; flags++)
        if (!(flags & TBY_DIAGRAM_BLACK_UP) || (flags & TBY_DIAGRAM_COORDINATES))
            assert_diagram_reads(&setup, flags);
}

TEST(test_registry__diagrams_are_read_back) { visit_random_games(6, 60, visit_diagrams); }

TEST(test_registry__a_diagram_grants_the_rights_of_unmoved_pieces)
{
    const tby_setup start = setup_of(START_FEN);
    tby_setup back;
    const char text[] = "rnbqkbnr\r\npppppppp\r\n........\n........\n........\n........\nPPPPPPPP\nRNBQKBNR";
    assert_int_equal(positions("ascii")->read(&back, text, strlen(text), 0, NULL, NULL), TBY_OK);
    assert_true(tby_setup_equal(&back, &start));
}

TEST(test_registry__bad_diagrams_are_located)
{
    tby_setup setup;
    const tby_position_notation *ascii = positions("ascii");
    assert_refused(ascii->read(&setup, "", 0, 0, NULL, &err), TBY_INVALID_PLACEMENT, 0);
    assert_refused(ascii->read(&setup, "rnbqkbn\n", 8, 0, NULL, &err), TBY_INVALID_PLACEMENT, 7);
    assert_refused(ascii->read(&setup, "rnbqkbnrr\n", 10, 0, NULL, &err), TBY_INVALID_PLACEMENT, 8);
    assert_refused(ascii->read(&setup, "rnbq?bnr\n", 9, 0, NULL, &err), TBY_INVALID_PLACEMENT, 4);
    assert_refused(ascii->read(&setup, "7 rnbqkbnr\n", 11, 0, NULL, &err), TBY_INVALID_PLACEMENT, 0);
    assert_refused(ascii->read(&setup, "8 rnbqkbnr\npppppppp\n", 20, 0, NULL, &err), TBY_INVALID_PLACEMENT, 11);
}

static void read_any_diagram(const char *s, size_t n)
{
    tby_setup setup;
    tby_error err = {TBY_OK, {0, 0}, 0, NULL};
    const tby_status status = positions("ascii")->read(&setup, s, n, 0, NULL, &err);
    assert_int_equal(status, err.status);
    assert_true(err.offset <= n);
}

TEST(test_registry__hostile_diagrams_are_refused_within_bounds)
{
    char buf[TBY_DIAGRAM_SIZE];
    const tby_setup start = setup_of(START_FEN);
    tby_diagram_write(buf, sizeof buf, &start.board, TBY_DIAGRAM_COORDINATES | TBY_DIAGRAM_UNICODE);
    for_each_mutation(buf, read_any_diagram);
    for_each_flood(read_any_diagram);
}

/* ---- Lines --------------------------------------------------------------------------------------------- */

/* The words of a line, joined by |. */
static void assert_words(const char *notation, const char *line, const char *expected)
{
    char found[512] = "";
    size_t at = 0, start, length;
    const size_t n = strlen(line);
    char *copy = exact_copy(line, n);
    while ((length = tby_line_next(moves(notation), copy, n, &at, &start)) > 0) {
        assert_true(start + length == at && at <= n);
        if (found[0])
            strcat(found, "|");
        strncat(found, copy + start, length);
    }
    assert_string_equal(found, expected);
    assert_int_equal(at, n);
    free(copy);
}

TEST(test_registry__line_skips_numbers_and_the_final_result)
{
    assert_words("san", "", "");
    assert_words("san", "  \n", "");
    assert_words("san", "1. e4 e5 2.Nf3 Nc6 3. Bb5", "e4|e5|Nf3|Nc6|Bb5");
    assert_words("san", "\t1.e4\r\n1...e5\n 12. ... a6 13.. h6 1-0 \n", "e4|e5|a6|h6");
    assert_words("san",
                 "1\xe2\x80\xa6"
                 "e5 2.\xc2\xa0Nf3 *",
                 "e5|Nf3");
    assert_words("san", "4.0-0 0-0-0 10.0-0 1/2-1/2", "0-0|0-0-0|0-0");
    assert_words("san", "1 e4 e5 2 Nf3", "e4|e5|Nf3");
    assert_words("san", "1-0", "");
    assert_words("san", "1.e4 e5 0.5-0.5", "e4|e5");
    assert_words("san", "1.e4 e5 \xc2\xbd\xe2\x80\x93\xc2\xbd ", "e4|e5");
    assert_words("san",
                 "1.e4 2.1\xe2\x80\x93"
                 "0",
                 "e4");
    assert_words("san", "1-0 e4", "1-0|e4");
    assert_words("san", "exf6 e.p. Kf7", "exf6 e.p.|Kf7");
    assert_words("san", "exf6 ep", "exf6 ep");
    assert_words("uci", "1. e2e4 e7e5 0-1", "e2e4|e7e5");
    assert_words("cmbr", "70c000 123456 000001", "70c000|123456|000001");
    assert_words("cmbr", "1. 70c000 123456 2.000001 *", "70c000|123456|000001");
}

TEST(test_registry__line_of_short_moves_keeps_bare_ranks)
{
    assert_words("short", "1. e4 5 2. 3 - Nf3 1/2-1/2", "e4|5|3|-|Nf3");
}

TEST(test_registry__line_of_base64_moves_needs_no_blanks)
{
    assert_words("base64-moves", "0kPf zj\r\nIQ", "0k|Pf|zj|IQ");
    assert_words("base64-moves", "0kP", "0k|P");
    assert_words("base64-moves", "0kPf 1-0\n", "0k|Pf");
    assert_words("base64-moves", "0kPf *", "0k|Pf");
    assert_words("base64-moves", "0k1-0k", "0k|1-|0k");
}

static void walk_any(const char *s, size_t n)
{
    for (size_t k = 0; tby_move_notation_at(k); k++) {
        size_t at = 0, start, length, n_words = 0, before = 0;
        while ((length = tby_line_next(tby_move_notation_at(k), s, n, &at, &start)) > 0) {
            assert_true(start >= before && start + length <= n && at > before);
            before = at;
            n_words++;
        }
        assert_int_equal(at, n);
        assert_true(n_words <= n);
    }
}

TEST(test_registry__hostile_lines_end)
{
    for_each_mutation("1. e4 e5 2\xe2\x80\xa6Nf3 exf6 e.p. 1/2-1/2", walk_any);
    for_each_flood(walk_any);
    /* Patterns that would take exponential time if a word were scanned again for each of its parts. */
    static const char *const patterns[] = {"1.", "1-0 ", "1. ", "\xe2\x80\xa6", "a ep ", "\xc2\xa0.", "1-0\xc2\xa0"};
    char *line = malloc(MEBIBYTE);
    assert_non_null(line);
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
        for (size_t i = 0; i < MEBIBYTE; i++)
            line[i] = patterns[p][i % strlen(patterns[p])];
        walk_any(line, MEBIBYTE);
    }
    free(line);
}

/* ---- Games ---------------------------------------------------------------------------------------------- */

TEST(test_registry__games_are_read_back)
{
    tby_game *back = new_game();
    const tby_game_notation *n;
    tby_error err;
    for (size_t i = 0; (n = tby_game_notation_at(i)) != NULL; i++) {
        for (int k = 0; k < N_SAMPLES; k++) {
            tby_game *game = sample_game(k);
            assert_game_comes_back(n, game);
            assert_int_equal(n->write(game, refusing_sink, NULL, &err), TBY_IO_ERROR);
            assert_int_equal(err.status, TBY_IO_ERROR);
            tby_game_free(game);
        }
        assert_ptr_equal(tby_game_notation_find(n->name, strlen(n->name)), n);
        assert_true(n->read(back, "\x01", 1, &err) != TBY_OK);
    }
    assert_null(tby_game_notation_find("pg", 2));
    tby_game_free(back);
}

/* Reads a stream in pieces of different sizes. */
TEST(test_registry__streams_of_games_are_read_back)
{
    static const size_t steps[] = {1, 7, 8192};
    const tby_game_notation *n;
    for (size_t i = 0; (n = tby_game_notation_at(i)) != NULL; i++)
        for (size_t k = 0; k < 3; k++) {
            memory b = sample_file(n);
            b.step = steps[k];
            tby_games *games = n->open(memory_source, &b, NULL);
            tby_game *back = new_game();
            uint64_t end = 0;
            for (int g = 0; g < N_SAMPLES; g++) {
                tby_game *game = sample_game(g);
                assert_int_equal(tby_games_next(games, back, NULL, NULL), TBY_GAME_GOOD);
                assert_true(tby_game_equal(game, back));
                const tby_games_place place = tby_games_where(games);
                assert_int_equal(place.n_games, g + 1);
                assert_true(place.begin >= end && place.end > place.begin && place.end <= b.n);
                end = place.end;
                tby_game_free(game);
            }
            assert_int_equal(tby_games_next(games, back, NULL, NULL), TBY_GAME_END);
            assert_int_equal(tby_games_next(games, back, NULL, NULL), TBY_GAME_END);
            assert_int_equal(tby_games_where(games).n_games, N_SAMPLES);
            tby_games_free(games);
            tby_game_free(back);
            memory_clear(&b);
        }
}

TEST(test_registry__files_of_games_are_recognized_by_their_bytes_and_names)
{
    const tby_game_notation *n;
    tby_likeness likeness;
    for (size_t i = 0; (n = tby_game_notation_at(i)) != NULL; i++) {
        memory b = sample_file(n);
        char name[64] = "games";
        assert_ptr_equal(tby_game_notation_guess("", 0, (const char *)b.data, b.n, &likeness), n);
        assert_true(likeness >= TBY_LIKELY);
        strncat(name, n->endings, strcspn(n->endings, " "));
        assert_ptr_equal(tby_game_notation_guess(name, strlen(name), "", 0, &likeness), n);
        assert_int_equal(likeness, TBY_LIKELY);
        memory_clear(&b);
    }
}

static void assert_guess(const char *name, const char *text, const char *expected, tby_likeness how)
{
    tby_likeness likeness;
    char *copy = exact_copy(text, strlen(text));
    const tby_game_notation *found = tby_game_notation_guess(name, strlen(name), copy, strlen(text), &likeness);
    assert_string_equal(found ? found->name : "", expected);
    assert_int_equal(likeness, how);
    free(copy);
}

TEST(test_registry__names_take_precedence_over_likely_bytes)
{
    assert_guess("", "", "", TBY_UNLIKE);
    assert_guess("", "e2e4", "", TBY_UNLIKE);
    assert_guess("", "\xef\xbb\xbf \r\n[Event", "pgn", TBY_LIKELY);
    assert_guess("", "% escaped", "pgn", TBY_LIKELY);
    assert_guess("", "12. e4", "pgn", TBY_POSSIBLE);
    assert_guess("", "12", "", TBY_UNLIKE);
    assert_guess("", "{\"moves\" : []}", "json", TBY_LIKELY);
    assert_guess("", "{\"quoted\" words} 1. e4", "pgn", TBY_POSSIBLE);
    assert_guess("", "{\"", "pgn", TBY_POSSIBLE);
    assert_guess("", "CMBR", "", TBY_UNLIKE);
    assert_guess("", "CMBR!", "cmbr", TBY_CERTAIN);
    assert_guess("x.pgn", "{\"moves\":[]}", "pgn", TBY_LIKELY);
    assert_guess("x.jsonl", "[1]", "json", TBY_LIKELY);
    assert_guess("x.pgn", "CMBR!", "cmbr", TBY_CERTAIN);
    assert_guess(".pgn", "", "", TBY_UNLIKE);
    assert_guess("pgn", "", "", TBY_UNLIKE);
}

static void guess_any(const char *s, size_t n)
{
    tby_likeness likeness;
    const tby_game_notation *found = tby_game_notation_guess("", 0, s, n, &likeness);
    assert_int_equal(found != NULL, likeness != TBY_UNLIKE);
}

TEST(test_registry__hostile_bytes_are_guessed_within_bounds)
{
    for_each_mutation("\xef\xbb\xbf {\"moves\" : []}", guess_any);
    for_each_mutation("CMBR!\x01", guess_any);
    for_each_mutation(" 12. e4", guess_any);
    for_each_flood(guess_any);
}

int main(void) { return tests_run(NULL, NULL); }
