/*
 * test_pgn_limits.c - the limits of the PGN reader: depth, tokens, tags, games, its window; the location of events;
 * sources that fail.
 */
#include "pgn_support.h"

enum { WINDOW = 1 << 17, CHUNK = 16384, MIB = 1 << 20 };

static void repeat(text *t, const char *s, size_t times)
{
    for (size_t i = 0; i < times; i++)
        text_append(t, s, strlen(s));
}

/* How many events of each type there were, and the first error. */
typedef struct tally {
    size_t n[TBY_PGN_WARNING + 1];
    size_t n_text; /* bytes of comments */
    tby_status status;
    tby_pgn_place place;
    unsigned depth; /* the greatest */
} tally;

static tally tally_of(const text *t, size_t max_game_bytes, size_t step)
{
    const tby_pgn_options options = {0, max_game_bytes, {0, 0, 0, 0}};
    memory_source source = {t->s, t->n, 0, step};
    tby_pgn *pgn = tby_pgn_new(read_steps, &source, &options, NULL);
    tby_pgn_event event;
    tally result;
    bool more = false; /* a comment continues */
    assert_non_null(pgn);
    memset(&result, 0, sizeof result);
    do {
        tby_pgn_next(pgn, &event);
        assert_true(!more || event.type == TBY_PGN_COMMENT || event.type == TBY_PGN_ERROR);
        more = event.type == TBY_PGN_COMMENT ? event.more : more;
        result.n[event.type]++;
        const tby_pgn_place place = tby_pgn_event_place(pgn, &event);
        if (event.type == TBY_PGN_COMMENT)
            result.n_text += event.n_text;
        if (event.type == TBY_PGN_ERROR && result.n[TBY_PGN_ERROR] == 1) {
            result.status = event.error.status;
            result.place = place;
        }
        result.depth = tby_pgn_depth(pgn) > result.depth ? tby_pgn_depth(pgn) : result.depth;
    } while (event.type != TBY_PGN_END);
    tby_pgn_free(pgn);
    return result;
}

/* ---- Depth ---------------------------------------------------------------------------------------------- */

static text nested(size_t depth)
{
    text t = {NULL, 0, 0};
    repeat(&t, "1. e4 ", 1);
    repeat(&t, "(1. d4 ", depth);
    repeat(&t, ")", depth);
    repeat(&t, " e5 *", 1);
    return t;
}

TEST(test_pgn_limits__depth_of_64)
{
    text t = nested(TBY_PGN_DEPTH_MAX);
    const tally result = tally_of(&t, 0, SIZE_MAX);
    assert_int_equal(result.n[TBY_PGN_ERROR], 0);
    assert_int_equal(result.n[TBY_PGN_VARIATION], 64);
    assert_int_equal(result.n[TBY_PGN_VARIATION_END], 64);
    assert_int_equal(result.n[TBY_PGN_MOVE], 66);
    assert_int_equal(result.depth, 64);
    free(t.s);
}

TEST(test_pgn_limits__deeper_is_a_separate_error_and_the_game_continues)
{
    static const size_t depths[] = {65, 10000};
    for (size_t i = 0; i < 2; i++) {
        text t = nested(depths[i]);
        const tally result = tally_of(&t, 0, SIZE_MAX);
        assert_int_equal(result.n[TBY_PGN_ERROR], 1);
        assert_int_equal(result.status, TBY_TOO_DEEP);
        assert_int_equal(result.n[TBY_PGN_VARIATION], 64);
        assert_int_equal(result.n[TBY_PGN_VARIATION_END], 64);
        assert_int_equal(result.n[TBY_PGN_MOVE], 66); /* e4, 64 times d4, e5 */
        assert_int_equal(result.depth, 64);
        free(t.s);
    }
}

TEST(test_pgn_limits__opening_brackets_without_end)
{
    text t = {NULL, 0, 0};
    repeat(&t, "1. e4 ", 1);
    repeat(&t, "(", 10000);
    repeat(&t, "\n[Event \"x\"]\n1. d4 *", 1);
    const tally result = tally_of(&t, 0, SIZE_MAX);
    assert_int_equal(result.n[TBY_PGN_GAME], 2);
    assert_int_equal(result.n[TBY_PGN_MOVE], 2);
    free(t.s);
}

/* ---- Tokens and tags ------------------------------------------------------------------------------------ */

TEST(test_pgn_limits__a_token_of_more_than_255_bytes)
{
    static const char *const tokens[] = {"a", "7", "\xc3\xa9", "<"};
    for (size_t i = 0; i < sizeof tokens / sizeof tokens[0]; i++) {
        text t = {NULL, 0, 0};
        repeat(&t, "1. e4 ", 1);
        repeat(&t, tokens[i], 300);
        repeat(&t, " e5 *", 1);
        const tally result = tally_of(&t, 0, 1);
        assert_int_equal(result.n[TBY_PGN_ERROR], 1);
        assert_int_equal(result.status, TBY_TOO_LONG);
        assert_int_equal(result.n[TBY_PGN_MOVE], 1);
        assert_int_equal(result.n[TBY_PGN_RESULT], 1);
        free(t.s);
    }
}

TEST(test_pgn_limits__one_mebibyte_of_one_byte)
{
    static const char bytes[] = " a7(){}[];<>$*.!?%\"\\\n\r\x01\xe9\xa0";
    for (size_t i = 0; i < sizeof bytes; i++) {
        text t = {malloc(MIB + 1), MIB, MIB + 1};
        assert_non_null(t.s);
        memset(t.s, bytes[i], MIB);
        const tally result = tally_of(&t, 0, SIZE_MAX);
        assert_int_equal(result.n[TBY_PGN_GAME], result.n[TBY_PGN_GAME_END]);
        free(t.s);
    }
}

TEST(test_pgn_limits__a_tag_of_more_than_8192_bytes)
{
    static const size_t lengths[] = {8192 - 8, 8192 - 7, WINDOW, 3 * WINDOW};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        text t = {NULL, 0, 0};
        repeat(&t, "[Abc \"", 1);
        repeat(&t, "x", lengths[i]);
        repeat(&t, "\"]\n[Def \"y\"]\n1. e4 *", 1);
        const tally result = tally_of(&t, 0, SIZE_MAX);
        assert_int_equal(result.n[TBY_PGN_ERROR], i > 0);
        assert_int_equal(result.status, i > 0 ? TBY_TOO_LONG : TBY_OK);
        assert_int_equal(result.n[TBY_PGN_TAG], i > 0 ? 1 : 2);
        assert_int_equal(result.n[TBY_PGN_MOVE], 1);
        free(t.s);
    }
}

TEST(test_pgn_limits__blanks_in_a_tag_count)
{
    static const char *const parts[][2] = {{"[", "Abc \"x\"]"}, {"[Abc", "\"x\"]"}, {"[Abc \"x\"", "]"}};
    for (size_t i = 0; i < 3; i++) {
        text t = {NULL, 0, 0};
        repeat(&t, parts[i][0], 1);
        repeat(&t, " ", WINDOW);
        repeat(&t, parts[i][1], 1);
        repeat(&t, "\n1. e4 *", 1);
        const tally result = tally_of(&t, 0, SIZE_MAX);
        assert_int_equal(result.n[TBY_PGN_ERROR], 1);
        assert_int_equal(result.status, TBY_TOO_LONG);
        assert_int_equal(result.n[TBY_PGN_MOVE], 1);
        free(t.s);
    }
}

/* ---- Comments ------------------------------------------------------------------------------------------- */

TEST(test_pgn_limits__long_comments_arrive_in_chunks)
{
    static const char *const signs[][2] = {{"{", "}"}, {";", "\n"}};
    for (size_t i = 0; i < 2; i++) {
        text t = {NULL, 0, 0};
        repeat(&t, "1. e4 ", 1);
        repeat(&t, signs[i][0], 1);
        repeat(&t, "0123456789abcde ", 20000);
        repeat(&t, signs[i][1], 1);
        repeat(&t, "e5 *", 1);
        const tally result = tally_of(&t, 0, 1);
        assert_int_equal(result.n[TBY_PGN_ERROR], 0);
        assert_int_equal(result.n[TBY_PGN_MOVE], 2);
        assert_int_equal(result.n[TBY_PGN_COMMENT], 20000 * 16 / CHUNK + 1);
        assert_int_equal(result.n_text, 20000 * 16);
        free(t.s);
    }
}

TEST(test_pgn_limits__a_chunk_ends_with_a_whole_character)
{
    for (size_t shift = 0; shift < 4; shift++) {
        text t = {NULL, 0, 0}, joined = {NULL, 0, 0};
        repeat(&t, "{", 1);
        repeat(&t, "x", shift);
        repeat(&t, "\xf0\x9f\x98\x80", CHUNK);
        repeat(&t, "} *", 1);
        tby_pgn *pgn = tby_pgn_new_memory(t.s, t.n, NULL, NULL);
        tby_pgn_event event;
        tby_pgn_next(pgn, &event);
        do {
            assert_int_equal(tby_pgn_next(pgn, &event), TBY_PGN_COMMENT);
            text_append(&joined, event.text, event.n_text);
        } while (event.more);
        assert_int_equal(joined.n, t.n - 4);
        assert_memory_equal(joined.s, t.s + 1, joined.n);
        tby_pgn_free(pgn);
        free(t.s);
        free(joined.s);
    }
}

/* ---- Games ---------------------------------------------------------------------------------------------- */

TEST(test_pgn_limits__a_game_of_more_than_a_mebibyte)
{
    static const char *const parts[][2] = {
        {"1. e4 ", "{0123456789abcdef} "}, /* many comments */
        {"1. e4 {", "0123456789abcdef"},   /* a long comment */
        {"1. e4 * {", "0123456789abcdef"}, /* a comment after the result */
        {"", "[Abc \"0123456789\"]\n"},    /* many tags */
        {"1. e4 ", "(1. d4 d5) "},
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        text t = {NULL, 0, 0};
        repeat(&t, parts[i][0], 1);
        repeat(&t, parts[i][1], MIB / strlen(parts[i][1]) + 10);
        repeat(&t, "}\n[Event \"x\"]\n1. d4 *", 1);
        const tally result = tally_of(&t, 0, SIZE_MAX), larger = tally_of(&t, 2 * MIB, SIZE_MAX);
        assert_int_equal(result.status, TBY_TOO_LONG);
        assert_in_range(result.place.offset, MIB, MIB + CHUNK);
        assert_int_not_equal(larger.status, TBY_TOO_LONG);
        free(t.s);
    }
}

/* Blanks, empty lines and escaped lines are skipped, but the fault is reported at the limit, not after them. */
TEST(test_pgn_limits__blanks_beyond_the_limit_are_reported_at_the_limit)
{
    static const char *const parts[][2] = {
        {"1. e4 ", " "}, {"1. e4\n", "\n"}, {"1. e4\n%", "x"}, {"[Abc \"x\"]", "\n"}, {"1. e4 ", "\xc2\xa0"},
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        for (size_t has_more = 0; has_more < 2; has_more++) {
            text t = {NULL, 0, 0};
            repeat(&t, parts[i][0], 1);
            repeat(&t, parts[i][1], 4 * MIB / strlen(parts[i][1]));
            repeat(&t, has_more ? "\n1. e5 *\n" : "\n", 1);
            repeat(&t, "[Event \"x\"]\n1. d4 *", 1);
            const tally result = tally_of(&t, 0, SIZE_MAX);
            assert_int_equal(result.status, TBY_TOO_LONG);
            assert_int_equal(result.n[TBY_PGN_ERROR], 1);
            assert_int_equal(result.n[TBY_PGN_GAME], 2);
            assert_in_range(result.place.offset, MIB, MIB + WINDOW);
            free(t.s);
        }
}

/* A tag that never ends is reported before the rest of its line is read, and the line belongs to the game. */
TEST(test_pgn_limits__a_bad_tag_is_reported_before_its_line_is_read)
{
    text t = {NULL, 0, 0};
    repeat(&t, "[Abc \"", 1);
    repeat(&t, "x", 2 * MIB);
    memory_source source = {t.s, t.n, 0, 1 << 16};
    tby_pgn *pgn = tby_pgn_new(read_steps, &source, NULL, NULL);
    tby_pgn_event event;
    assert_int_equal(tby_pgn_next(pgn, &event), TBY_PGN_GAME);
    assert_int_equal(tby_pgn_next(pgn, &event), TBY_PGN_ERROR);
    assert_int_equal(event.error.status, TBY_TOO_LONG);
    assert_true(source.at <= WINDOW);
    while (tby_pgn_next(pgn, &event) != TBY_PGN_GAME_END)
        ;
    assert_int_equal(tby_pgn_game_end(pgn), t.n);
    tby_pgn_free(pgn);
    free(t.s);
}

/* Comments may follow a result, but not after more blanks than a game may have. */
TEST(test_pgn_limits__a_game_with_its_result_ends_at_the_limit)
{
    static const char *const parts[][2] = {{"1. e4 *", " "}, {"1. e4 *", "\n"}, {"1. e4 *\n%", "x"}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        text t = {NULL, 0, 0};
        repeat(&t, parts[i][0], 1);
        repeat(&t, parts[i][1], 4 * MIB);
        repeat(&t, "\n{of the next game} 1. d4 *", 1);
        const tally result = tally_of(&t, 0, SIZE_MAX);
        assert_int_equal(result.n[TBY_PGN_ERROR], 0);
        assert_int_equal(result.n[TBY_PGN_GAME], 2);
        assert_int_equal(result.n[TBY_PGN_MOVE], 2);
        free(t.s);
    }
}

TEST(test_pgn_limits__after_the_limit_everything_is_raw_and_the_next_game_whole)
{
    const tby_pgn_options options = {0, 20, {0, 0, 0, 0}};
    static const char pgn[] = "1. e4 (1. d4 d5 2. c4 c5 3. Nf3) 1... e5 2. d4 *\n[Event \"x\"]\n1. c4 *";
    text t = events_of(pgn, sizeof pgn - 1, &options, 1);
    assert_string_equal(t.s, "G e2e4 ( d2d4 d7d5 c2c4 !text too long \"\": the game is longer than the limit "
                             "~c5 ~Nf3 ) ~e5 ~d4 =* #* G [Event=x] c2c4 =* #*");
    free(t.s);
}

/* An input without end must not keep anyone waiting for the end of a game. */
TEST(test_pgn_limits__a_game_ends_at_sixteen_times_its_limit)
{
    enum { LIMIT = 1 << 16 };
    static const char *const parts[][2] = {{"1. e4 ", "\1"},  {"1. e4 {", "x"}, {"1. e4 ;", "x"}, {"1. e4\n%", "x"},
                                           {"1. e4 ", " "},   {"1. e4 ", "("},  {"[A \"", "x"},   {"[A \"x\"]\n", "\n"},
                                           {"1. e4 ", "e5 "}, {"", "{x} "},     {"1. e4 ", "a\n"}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        text t = {NULL, 0, 0};
        repeat(&t, parts[i][0], 1);
        repeat(&t, parts[i][1], 40 * LIMIT / strlen(parts[i][1]));
        repeat(&t, "\n\n[Event \"x\"]\n1. d4 *", 1);
        const tally result = tally_of(&t, LIMIT, SIZE_MAX);
        assert_int_equal(result.n[TBY_PGN_GAME], 4);
        assert_int_equal(result.n[TBY_PGN_GAME_END], 4);
        assert_in_range(result.n[TBY_PGN_ERROR], 3, 6);
        assert_int_equal(result.n[TBY_PGN_RESULT], 1);
        free(t.s);
    }
}

TEST(test_pgn_limits__ten_thousand_plies)
{
    text t = {NULL, 0, 0};
    repeat(&t, "Nf3 Nf6 Ng1 Ng8 ", 2500);
    const tally result = tally_of(&t, 0, SIZE_MAX);
    assert_int_equal(result.n[TBY_PGN_MOVE], 10000);
    assert_int_equal(result.n[TBY_PGN_ERROR], 0);
    free(t.s);
}

/* ---- The window ----------------------------------------------------------------------------------------- */

/* Games with all kinds of tokens, enough for each of them to cross the end of the window once. */
static text long_file(size_t n_bytes)
{
    static const char game[] = "[Event \"A \\\"b\\\" c\"]\r\n[Site \"Andr\xe9\"]\r\n[Result \"1/2-1/2\"]\r\n\r\n"
                               "{a comment} 1.e4! $12 ({b} 1. d4 d5 (1... Nf6) 2. c4) 1\xe2\x80\xa6"
                               "e5 ; rest\r\n"
                               "%% escaped\r\n2. \xe2\x99\x98"
                               "f3 <res> Nc6 3. O-O \xc2\xbd\xe2\x80\x93\xc2\xbd\r\n\r\n";
    text t = {NULL, 0, 0};
    for (unsigned i = 0; t.n < n_bytes; i++) {
        repeat(&t, game, 1);
        repeat(&t, "\n", i % 7);
    }
    return t;
}

TEST(test_pgn_limits__a_source_of_single_bytes_produces_the_same_events)
{
    const tby_pgn_options options = {TBY_PGN_WARNINGS, 0, {0, 0, 0, 0}};
    text t = long_file(5 * WINDOW);
    text at_once = events_of(t.s, t.n, &options, SIZE_MAX), bytewise = events_of(t.s, t.n, &options, 1);
    assert_int_equal(at_once.n, bytewise.n);
    assert_memory_equal(at_once.s, bytewise.s, at_once.n);
    free(at_once.s);
    free(bytewise.s);
    free(t.s);
}

TEST(test_pgn_limits__an_event_tag_after_a_full_window)
{
    for (size_t before = WINDOW - 40; before < WINDOW + 20; before++) {
        text t = {NULL, 0, 0};
        repeat(&t, "[White \"a\"]", 1);
        repeat(&t, " ", before);
        repeat(&t, "\n\n[Event \"b\"]\n", 1);
        const tally result = tally_of(&t, 0, SIZE_MAX);
        assert_int_equal(result.n[TBY_PGN_GAME], 2);
        free(t.s);
    }
}

TEST(test_pgn_limits__forfeit_or_castling_does_not_depend_on_the_window)
{
    for (size_t blanks = WINDOW - 20; blanks < WINDOW + 20; blanks++) {
        text t = {NULL, 0, 0};
        repeat(&t, "1. e4 0-0", 1);
        repeat(&t, " ", blanks);
        repeat(&t, "2. d4", 1);
        assert_int_equal(tally_of(&t, 0, SIZE_MAX).n[TBY_PGN_ERROR], 1);
        free(t.s);
    }
}

/* ---- Places --------------------------------------------------------------------------------------------- */

static void expect_error_at(const char *s, uint64_t game, uint64_t line, uint64_t column)
{
    const text t = {(char *)(uintptr_t)s, strlen(s), 0};
    const tally result = tally_of(&t, 0, SIZE_MAX);
    assert_int_equal(result.n[TBY_PGN_ERROR], 1);
    assert_int_equal(result.place.game, game);
    assert_int_equal(result.place.line, line);
    assert_int_equal(result.place.column, column);
    assert_string_equal(s + result.place.offset, strstr(s, "Ke3"));
}

TEST(test_pgn_limits__errors_have_their_location)
{
    expect_error_at("Ke3", 1, 1, 1);
    expect_error_at("1. e4 e5 2. Ke3", 1, 1, 13);
    expect_error_at("1. e4\n\n e5 2. Ke3", 1, 3, 8);
    expect_error_at("1. e4\r\n\r\n e5 2. Ke3", 1, 3, 8);
    expect_error_at("1. e4\r\r e5 2. Ke3", 1, 3, 8);
    expect_error_at("1. e4 *\n\n[Event \"x\"]\n\n{two\nlines} Ke3", 2, 6, 8);
}

TEST(test_pgn_limits__locations_are_right_after_a_refill)
{
    for (size_t lines = WINDOW / 8 - 3; lines < WINDOW / 8 + 3; lines++) {
        text t = {NULL, 0, 0};
        repeat(&t, "{12345}\n", lines);
        repeat(&t, "  Ke3", 1);
        const tally result = tally_of(&t, 8 * MIB, SIZE_MAX);
        assert_int_equal(result.place.line, lines + 1);
        assert_int_equal(result.place.column, 3);
        assert_int_equal(result.place.offset, 8 * lines + 2);
        free(t.s);
    }
}

TEST(test_pgn_limits__a_line_longer_than_the_window_has_the_right_columns)
{
    text t = {NULL, 0, 0};
    repeat(&t, "\n", 1);
    repeat(&t, "{1234567}", 100000);
    repeat(&t, "Ke3", 1);
    const tally result = tally_of(&t, 8 * MIB, SIZE_MAX);
    assert_int_equal(result.place.line, 2);
    assert_int_equal(result.place.column, 900001);
    free(t.s);
}

TEST(test_pgn_limits__a_chunk_is_located_where_it_begins)
{
    text t = {NULL, 0, 0};
    repeat(&t, "{", 1);
    repeat(&t, "1234567\n", 100000);
    tby_pgn *pgn = tby_pgn_new_memory(t.s, t.n, NULL, NULL);
    tby_pgn_event event;
    size_t offset = 1;
    assert_int_equal(tby_pgn_next(pgn, &event), TBY_PGN_GAME);
    for (bool is_first = true; tby_pgn_next(pgn, &event) == TBY_PGN_COMMENT; is_first = false) {
        const tby_pgn_place place = tby_pgn_event_place(pgn, &event);
        assert_int_equal(place.offset, is_first ? 0 : offset);
        assert_int_equal(place.line, is_first ? 1 : (offset - 1) / 8 + 1);
        assert_memory_equal(event.text, t.s + offset, event.n_text);
        offset += event.n_text;
    }
    assert_int_equal(offset, t.n);
    tby_pgn_free(pgn);
    free(t.s);
}

TEST(test_pgn_limits__a_tag_longer_than_the_window_is_located_where_it_begins)
{
    text t = {NULL, 0, 0};
    repeat(&t, "[White \"a\"]\n [Black ", 1);
    repeat(&t, "b", 3 * WINDOW);
    const tally result = tally_of(&t, 0, SIZE_MAX);
    assert_int_equal(result.place.line, 2);
    assert_int_equal(result.place.column, 2);
    assert_int_equal(result.place.offset, 13);
    free(t.s);
}

TEST(test_pgn_limits__the_end_is_located_after_many_blanks)
{
    static const char *const texts[] = {"1. e4", "1. e4 *", "[White \"a\"]", "1. e4 {x}", "{x}"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        text t = {NULL, 0, 0};
        repeat(&t, texts[i], 1);
        repeat(&t, "\n", 3 * WINDOW);
        const size_t n = t.n;
        tby_pgn *pgn = tby_pgn_new_memory(t.s, t.n, NULL, NULL);
        tby_pgn_event event;
        while (tby_pgn_next(pgn, &event) != TBY_PGN_GAME_END) {
        }
        const tby_pgn_place place = tby_pgn_event_place(pgn, &event);
        assert_int_equal(place.offset, n);
        assert_int_equal(place.line, 3 * WINDOW + 1);
        assert_int_equal(place.column, 1);
        tby_pgn_free(pgn);
        free(t.s);
    }
}

TEST(test_pgn_limits__a_bad_fen_is_located_at_its_tag)
{
    text t = {NULL, 0, 0};
    repeat(&t, "[White \"a\"]\n[Black \"b\"] [FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n", 1);
    repeat(&t, "[X \"y\"]\n", WINDOW / 4);
    repeat(&t, "1. e4 *", 1);
    const tally result = tally_of(&t, 8 * MIB, SIZE_MAX);
    assert_int_equal(result.status, TBY_ILLEGAL_POSITION);
    assert_int_equal(result.place.line, 2);
    assert_int_equal(result.place.column, 13);
    free(t.s);
}

TEST(test_pgn_limits__an_initial_offset_is_added_to_locations)
{
    static const char pgn_text[] = "1. e4\n2. Ke3";
    const tby_pgn_options options = {0, 0, {10, 20, 0, 1000}};
    tby_pgn *pgn = tby_pgn_new_memory(pgn_text, sizeof pgn_text - 1, &options, NULL);
    tby_pgn_event event;
    while (tby_pgn_next(pgn, &event) != TBY_PGN_ERROR) {
    }
    const tby_pgn_place place = tby_pgn_event_place(pgn, &event);
    assert_int_equal(place.game, 11);
    assert_int_equal(place.line, 22);
    assert_int_equal(place.column, 4);
    assert_int_equal(place.offset, 1009);
    assert_int_equal(tby_pgn_game_begin(pgn), 1000);
    tby_pgn_free(pgn);
}

TEST(test_pgn_limits__games_have_a_beginning_and_an_end)
{
    static const char pgn_text[] = "\n[Event \"a\"]\n1. e4 1-0\n\n 1. d4 {x}\n\n";
    tby_pgn *pgn = tby_pgn_new_memory(pgn_text, sizeof pgn_text - 1, NULL, NULL);
    tby_pgn_event event;
    while (tby_pgn_next(pgn, &event) != TBY_PGN_GAME_END) {
    }
    assert_int_equal(tby_pgn_game_begin(pgn), 1);
    assert_memory_equal(pgn_text + tby_pgn_game_end(pgn), "\n\n 1. d4", 8);
    while (tby_pgn_next(pgn, &event) != TBY_PGN_GAME_END) {
    }
    assert_memory_equal(pgn_text + tby_pgn_game_begin(pgn), "1. d4", 5);
    assert_string_equal(pgn_text + tby_pgn_game_end(pgn), "\n\n");
    tby_pgn_free(pgn);
}

TEST(test_pgn_limits__an_error_as_a_sentence)
{
    static const char pgn_text[] = "1. e4 e5 2. Nf3 Nf6 3. Ke3";
    char sentence[TBY_PGN_ERROR_SIZE];
    tby_pgn *pgn = tby_pgn_new_memory(pgn_text, sizeof pgn_text - 1, NULL, NULL);
    tby_pgn_event event;
    while (tby_pgn_next(pgn, &event) != TBY_PGN_ERROR) {
    }
    const size_t n = tby_pgn_error_write(sentence, sizeof sentence, pgn, &event, 3);
    assert_string_equal(sentence, "illegal move: \"Ke3\": the king cannot go there (game 3, 3.Ke3, FEN "
                                  "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3)");
    assert_int_equal(n, strlen(sentence));
    assert_int_equal(tby_pgn_error_write(sentence, 10, pgn, &event, 3), n);
    assert_string_equal(sentence, "");
    tby_pgn_free(pgn);
}

/* ---- Sources and memory --------------------------------------------------------------------------------- */

/* A text after which the input fails. */
static size_t fail_later(void *context, char *buf, size_t cap)
{
    const char **rest = context;
    const size_t n = *rest ? strlen(*rest) : 0;
    (void)cap;
    if (n == 0)
        return TBY_SOURCE_FAILED;
    memcpy(buf, *rest, n);
    *rest = NULL;
    return n;
}

static void expect_before_failure(const char *s, const tby_pgn_type *expected, size_t n)
{
    tby_pgn *pgn = tby_pgn_new(fail_later, &s, NULL, NULL);
    tby_pgn_event event;
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(tby_pgn_next(pgn, &event), expected[i]);
        if (event.type == TBY_PGN_ERROR)
            assert_int_equal(event.error.status, TBY_IO_ERROR);
        tby_pgn_event_place(pgn, &event);
    }
    assert_int_equal(tby_pgn_next(pgn, &event), TBY_PGN_END);
    tby_pgn_free(pgn);
}

TEST(test_pgn_limits__an_input_error_is_reported_after_the_last_whole_game)
{
    static const tby_pgn_type expected[] = {TBY_PGN_GAME,     TBY_PGN_MOVE,  TBY_PGN_RESULT,
                                            TBY_PGN_GAME_END, TBY_PGN_ERROR, TBY_PGN_END};
    expect_before_failure("1. e4 1-0\n", expected, sizeof expected / sizeof *expected);
    expect_before_failure("1. e4 1-0\r", expected, sizeof expected / sizeof *expected);
    expect_before_failure("1. e4 *\n\n", expected, sizeof expected / sizeof *expected);
}

/* Where a game is cut, its last token may look whole: a result, a move, the end of a line. */
TEST(test_pgn_limits__a_game_cut_off_by_an_input_error_is_bad)
{
    static const char *const cuts[] = {
        "1. e4 e5",
        "1. e4 e5\n",
        "1. e4 e5 1-0",
        "1. e4 e5 1-0 ",
        "1. e4 e5 1-0\n{a comment\n",
        "1. e4 e5 1-0\n{a comment}",
        "1. e4 e5 1-0 ; a comment ",
        "1. e4 (1. d4",
        "1. e4 {a comment\n",
        "[White \"x\"]\n",
        "[White \"x\"]\n\n",
        "1. e4 1-0\n\n[Event \"x\"]\n\n1. d4\n",
    };
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        const char *s = cuts[i];
        tby_pgn *pgn = tby_pgn_new(fail_later, &s, NULL, NULL);
        tby_game *game = tby_game_new(NULL);
        if (strstr(cuts[i], "[Event"))
            assert_int_equal(tby_game_read_pgn(game, pgn, NULL, NULL), TBY_GAME_GOOD);
        assert_int_equal(tby_game_read_pgn(game, pgn, NULL, NULL), TBY_GAME_BAD);
        assert_int_equal(tby_game_read_pgn(game, pgn, NULL, NULL), TBY_GAME_END);
        tby_game_free(game);
        tby_pgn_free(pgn);
    }
    static const tby_pgn_type once[] = {TBY_PGN_GAME,  TBY_PGN_MOVE,     TBY_PGN_VARIATION, TBY_PGN_MOVE,
                                        TBY_PGN_ERROR, TBY_PGN_GAME_END, TBY_PGN_END};
    expect_before_failure("1. e4 (1. d4", once, sizeof once / sizeof *once);
}

static void *refuse_memory(void *context, void *memory, size_t old_size, size_t new_size)
{
    (void)context;
    (void)memory;
    (void)old_size;
    (void)new_size;
    return NULL;
}

TEST(test_pgn_limits__no_memory)
{
    const tby_allocator none = {refuse_memory, NULL};
    assert_null(tby_pgn_new(fail_later, NULL, NULL, &none));
    assert_null(tby_pgn_new_memory("", 0, NULL, &none));
    tby_pgn_free(NULL);
}

/* ---- Memory --------------------------------------------------------------------------------------------- */

#ifdef TBY_TEST_QUICK
enum { STREAM_MIB = 32 };
#else
enum { STREAM_MIB = 1024 };
#endif

/* A source that returns one annotated game again and again. */
typedef struct endless {
    uint64_t given, total;
} endless;

static size_t read_endless(void *context, char *buf, size_t cap)
{
    static const char game[] =
        "[Event \"?\"]\n[White \"A\"]\n\n1. e4 {[%clk 0:01:00]} e5 (1... c5 2. Nf3) 2. Nf3 Nc6 $1 1-0\n\n";
    endless *e = context;
    size_t n = 0;
    for (; n < cap && e->given < e->total; n++)
        buf[n] = game[e->given++ % (sizeof game - 1)];
    return n;
}

typedef struct meter {
    size_t now, peak;
} meter;

static void *metered_resize(void *context, void *memory, size_t old_size, size_t new_size)
{
    meter *m = context;
    m->now += new_size - old_size;
    m->peak = m->now > m->peak ? m->now : m->peak;
    if (new_size == 0) {
        free(memory);
        return NULL;
    }
    return realloc(memory, new_size);
}

TEST(test_pgn_limits__a_gigabyte_in_constant_memory)
{
    endless source = {0, (uint64_t)STREAM_MIB << 20};
    meter m = {0, 0};
    const tby_allocator allocator = {metered_resize, &m};
    tby_pgn *pgn = tby_pgn_new(read_endless, &source, NULL, &allocator);
    tby_pgn_event event;
    uint64_t n_moves = 0, n_games = 0;
    assert_non_null(pgn);
    while (tby_pgn_next(pgn, &event) != TBY_PGN_END) {
        n_moves += event.type == TBY_PGN_MOVE;
        n_games += event.type == TBY_PGN_GAME_END;
    }
    assert_true(n_games > STREAM_MIB * 8000u && n_moves > 5 * n_games);
    assert_true(m.peak < 512 * 1024);
    tby_pgn_free(pgn);
    assert_int_equal(m.now, 0);
}

int main(void) { return tests_run(NULL, NULL); }
