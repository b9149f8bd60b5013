/*
 * test_query_read.c - queries as text: parsing, the canonical form, and how errors are reported.
 */
#include "support.h"
#include "tabiya_query.h"

static tby_query *query_of(const char *text)
{
    tby_query_error err;
    tby_query *q = tby_query_new(text, strlen(text), NULL, NULL, &err);
    if (!q)
        fail_msg("%s: %s (at %zu)", text, err.text, err.offset);
    return q;
}

static void assert_written(const char *text, const char *expected)
{
    char buf[4096];
    tby_query *q = query_of(text);
    assert_true(tby_query_write(buf, sizeof buf, q) < sizeof buf);
    assert_string_equal(buf, expected);
    tby_query_free(q);
}

TEST(test_query_read__there_is_one_canonical_form)
{
    static const struct {
        const char *text, *written;
    } rows[] = {
        {"Pd4", "Pd4"},
        {"P{d4}", "Pd4"},
        {"k", "k"},
        {"_f1", "_f1"},
        {"M{d5}", "Md5"},
        {"[KQRBNP]e4", "Me4"},
        {"[RQ]{7 8}", "[QR]{7-8}"},
        {"[qQ_]{8 7 a}", "[Qq_]{a b-h7-8}"},
        {"N{c-f4-6}", "N{c-f4-6}"},
        {"N{a-c5 c4-6}", "N{c4-6 a-b5}"},
        {"B{light}", "B{light}"},
        {"B{dark light}", "B{a-h}"},
        {"P{ d  e }", "P{d-e}"},
        {"Q>=2", "Q>=2"},
        {"P = p + 1", "P=p+1"},
        {"[QRBN]{a-d}<2", "[QRBN]{a-d}<2"},
        {"R+Q > r+q", "R+Q>r+q"},
        {"points<=-1", "points<=-1"},
        {"-1 < points", "-1<points"},
        {"legal=1", "legal=1"},
        {"player ~Carlsen", "player ~\"Carlsen\""},
        {"white ~ \"Carlsen, M\" wtm", "white ~\"Carlsen, M\" wtm"},
        {"event \"~x\"", "event \"~x\""},
        {"KRPvKR", "KRPvKR"},
        {"KPRvKP*R", "KRPvKRP*"},
        {"KQ+P*vK", "KQ+P*vK"},
        {"KRR+vKR*R", "KRR+vKR+"},
        {"N-g5", "N-g5"},
        {"Nf3-d2", "Nf3-d2"},
        {"Bxh7+", "Bxh7+"},
        {"Rx[bn]", "Rx[bn]"},
        {"Rxb4", "Rxb4"},
        {"Rxb", "Rxb"},
        {"Rxbb4", "Rxbb4"},
        {"Rxb{4}", "Rxb{4}"},
        {"P-{8}=[RBN]", "P-{8}=[RBN]"},
        {"P{7}xn{8}=Q#", "P{7}xn{8}=Q#"},
        {"M-#", "M-#"},
        {"R-", "R-"},
        {"O-O  O-O-O o-o o-o-o e.p.", "O-O O-O-O o-o o-o-o e.p."},
        {"N:f3-d2-f1-g3", "N:f3-d2-f1-g3"},
        {"k attacks _{7}", "k attacks _{7}"},
        {"check mate stalemate wtm btm initial terminal", "check mate stalemate wtm btm initial terminal"},
        {"ply ..30 moveno 10.. ply 5 ply 3..3", "ply ..30 moveno 10.. ply 5 ply 3"},
        {"castling qK repeats 3 opposite-bishops", "castling Kq repeats 3 opposite-bishops"},
        {"eval>=1.50 eval < -0.25 clock<10", "eval>=1.5 eval<-0.25 clock<10"},
        {"nag 13 nag !? !! ! !? ?! ? ??", "nag 13 nag 5 nag 3 nag 1 nag 5 nag 6 nag 2 nag 4"},
        {"comment \"novelty\" comment \"a novelty\"", "comment novelty comment \"a novelty\""},
        {"not  (Pd4)", "not Pd4"},
        {"not(Pd4 Pe4)", "not (Pd4 Pe4)"},
        {"Pd4 and Pe4 or not Pc4", "Pd4 Pe4 or not Pc4"},
        {"(Pd4 or Pe4) Pc4", "(Pd4 or Pe4) Pc4"},
        {"Pd4 or Pe4 for 6", "Pd4 or Pe4 for 6"},
        {"(Pd4 for 6) , Pe4", "(Pd4 for 6) , Pe4"},
        {"KRP+vKRP+ for 10 result 1-0", "KRP+vKRP+ result 1-0 for 10"},
        {"Pd4 Pe4 for 3 and elo 2400.. not result 1-0 , Pc4", "Pd4 Pe4 elo 2400.. not result 1-0 for 3 , Pc4"},
        {"Pd4 or Pe4 for 3 (result 1-0 or ever O-O)", "(Pd4 or Pe4) (result 1-0 or ever O-O) for 3"},
        {"Pd4 for 6,Pe4;10 Pc4;Pf4", "Pd4 for 6 , Pe4 ;10 Pc4 ; Pf4"},
        {"either mirror shift Pd4", "either mirror shift Pd4"},
        {"ever (O-O) never (q) always (K)", "ever O-O never q always K"},
        {"either(Bxh7+ , kxh7;N-g5+)", "either (Bxh7+ , kxh7 ; N-g5+)"},
        {"iqp greek-gift", "iqp greek-gift"},
        {"player carlsen white \"Carlsen,M\" black =\"Carlsen,M\"",
         "player carlsen white \"Carlsen,M\" black =\"Carlsen,M\""},
        {"event =x site \"\" round \"1.2\"", "event =\"x\" site \"\" round 1.2"},
        {"player \"a\\\"b\" player \"a\"\"b\" player \"a\\\\b\"",
         "player \"a\\\"b\" player \"a\\\"b\" player \"a\\\\b\""},
        {"eco B90..B99 eco B90 eco B9* eco ..b", "eco B90..B99 eco B90 eco B9* eco ..b"},
        {"opening \"1. e4 c5\" opening e4 named \"Najdorf\"", "opening \"1. e4 c5\" opening e4 named Najdorf"},
        {"opening Najdorf opening \"King's Indian\" opening =Bird",
         "named Najdorf named \"King's Indian\" named =\"Bird\""},
        {"opening Benoni opening Nf3 opening Grob", "named Benoni opening Nf3 named Grob"},
        {"elo 2400.. white-elo ..2000 black-elo 2000..2100 any-elo 2500",
         "elo 2400.. white-elo ..2000 black-elo 2000..2100 any-elo 2500"},
        {"date 2019 date 2019.05 date 2019-05-31 date 2019..2021.06 date ..2018",
         "date 2019 date 2019.05 date 2019.05.31 date 2019..2021.06 date ..2018"},
        {"result 1-0 result 1/2-1/2 result *", "result 1-0 result 1/2-1/2 result *"},
        {"plies 40.. id 3..7 speed blitz timecontrol 180+2", "plies 40.. id 3..7 speed blitz timecontrol 180+2"},
        {"rated title GM termination \"time forfeit\" annotated",
         "rated title GM termination \"time forfeit\" annotated"},
        {"tag WhiteTeam \"Nor*\" tag \"ECO\" =\"x\"", "tag WhiteTeam Nor* tag ECO =\"x\""},
        {"tag Round>= \"3\"", "tag \"Round>=\" 3"}, /* a name may have such letters */
        {"tag Round >=\"3\" tag \"Round\"  < \"4.5\" tag A <= \"b\" tag A > \"\"",
         "tag Round >= \"3\" tag Round < \"4.5\" tag A <= \"b\" tag A > \"\""},
        {"tag Round <3 tag Round > tag Round =\"3\"", "tag Round <3 tag Round > tag Round =\"3\""},
        {"fen \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\"",
         "fen \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\""},
        {"board \"8/8/8/8/8/2k5/1q6/K7 w - -\"", "board 8/8/8/8/8/2k5/1q6/K7"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_written(rows[i].text, rows[i].written);
        assert_written(rows[i].written, rows[i].written);
    }
}

static void assert_fault(const char *text, size_t offset, const char *words)
{
    tby_query_error err;
    tby_query *q = tby_query_new(text, strlen(text), NULL, NULL, &err);
    if (q)
        fail_msg("%s: not refused", text);
    assert_int_equal(err.status, TBY_INVALID_QUERY);
    if (err.offset != offset || !strstr(err.text, words))
        fail_msg("%s: at %zu: %s", text, err.offset, err.text);
    assert_true(err.offset + err.length <= strlen(text) + 1);
}

TEST(test_query_read__reports_the_location_and_a_remedy)
{
    static const struct {
        const char *text;
        size_t offset;
        const char *words;
    } rows[] = {
        {"", 0, "a query was expected"},
        {"   ", 3, "a query was expected"},
        {"Pd4Pe4", 3, "a blank was expected, not \"Pe4\""},
        {"b4", 0, "write Pb4 for a pawn there, or b{4} for a black bishop"},
        {"e4", 0, "Pe4 for a pawn"},
        {"Pd", 0, "P{d}"},
        {"P7", 0, "P{7}"},
        {"N{e-c}", 2, "backward"},
        {"N{6-4}", 2, "backward"},
        {"N{}", 2, "a square"},
        {"N{a,b}", 3, "a blank or \"}\""},
        {"N{i}", 2, "a square"},
        {"N{a1-c3}", 5, "a rank from 1 to 8"},
        {"N{e4", 4, "a blank or \"}\""},
        {"[QX]d4", 2, "or \"]\""},
        {"[]d4", 1, "a letter of"},
        {"R {7}", 2, "a fact"},
        {"plaer carlsen", 0, "did you mean \"player\"?"},
        {"elo 2400.. greek-gif", 11, "did you mean \"greek-gift\"?"},
        {"Mate", 0, "\"mate\""},
        {"xyzzy", 0, "no such word: \"xyzzy\"; for a name: player xyzzy"},
        {"Anand", 0, "did you mean \"and\"? For a name: player Anand"},
        {"elo 2600.. carlsen", 11, "did you mean \"carlsbad\"? For a name: player carlsen"},
        {"player Carlsen,M", 7, "a value with a comma is quoted"},
        {"player \"Carlsen", 7, "never closed"},
        {"player", 6, "a value was expected, not the end"},
        {"player (Pd4)", 7, "a value"},
        {"player ~\", Magnus\"", 9, "a name was expected"},
        {"event ~\"x\"", 6, "only follow player, white and black"},
        {"player ~", 8, "a value was expected, not the end"},
        {"\"Carlsen\"", 0, "the word before the value"},
        {"elo", 3, "a number or a range"},
        {"elo 24x", 4, "a number or a range"},
        {"elo ..", 4, "a number or a range"},
        {"elo 2600..2400", 4, "backward"},
        {"elo2400", 3, "a blank"},
        {"date 2019.13", 5, "a date or a range"},
        {"date 19", 5, "a date or a range"},
        {"date 2020..2019", 5, "backward"},
        {"eco B99..B90", 4, "backward"},
        {"eco X..Y", 4, "an opening's code"},
        {"result 2-0", 7, "1-0, 0-1, 1/2-1/2 or *"},
        {"1-0", 0, "result 1-0"},
        {"0-0", 0, "O-O for White"},
        {"speed fast", 6, "bullet, blitz"},
        {"castling KK", 9, "each once"},
        {"castling", 8, "KQkq"},
        {"nag x", 4, "the number of a NAG"},
        {"eval 3", 5, "one of = !="},
        {"eval>x", 5, "a number"},
        {"eval>=1.1234567", 14, "six decimal places"},
        {"opening \"1. e5\"", 12, "illegal move"},
        {"opening \"\"", 9, "a move of the opening"},
        {"opening \"1. e4 e4\"", 15, "illegal move"},
        {"opening Ke2", 8, "illegal move"},
        {"opening exd5", 8, "illegal move"},
        {"opening", 7, "the moves of an opening"},
        {"fen x", 4, "fen: field 1"},
        {"fen \"8/8/8/8/8/8/8/8 w - -\"", 5, "illegal position"},
        {"Pd4 for", 7, "a number of plies"},
        {"Pd4 for 0", 8, "at least 1"},
        {"Pd4 for 6 Pe4", 10, "a step of its own"},
        {"Pd4 for 6 elo 2400.. N-f3", 21, "a step of its own"},
        {"Pd4 for 6 (elo 2400.. Pe4)", 10, "a step of its own"},
        {"Pd4 for 6 not (Pd4 for 2)", 10, "a step of its own"},
        {"Pd4 for 6 or elo 2400..", 10, "ends its step"},
        {"Pd4 for 6 elo 2400.. or result 1-0", 21, "ends its step"},
        {"Pd4 for 6 for 7", 10, "ends its step"},
        {"Pd4 for 6x", 9, "a number of plies"},
        {"Pd4 for 6 and", 13, "a fact"},
        {"Pd4 ;0 Pe4", 5, "at least 1"},
        {"Pd4 ;", 5, "a fact"},
        {"Pd4 , ", 6, "a fact"},
        {"Pd4 or", 6, "a fact"},
        {"or Pd4", 0, "a fact"},
        {"not", 3, "a fact"},
        {"either", 6, "a fact"},
        {"(Pd4", 0, "never closed"},
        {"Pd4)", 3, "never opened"},
        {"()", 1, "a fact"},
        {"_-e4", 0, "an empty square cannot move"},
        {"[N_]xe4", 0, "an empty square cannot move"},
        {"_:e4-e5", 1, "a blank"},
        {"N-b", 2, "a piece was expected after \"-\""},
        {"N-bb4", 2, "a piece was expected after \"-\""},
        {"N-z9", 2, "a blank"},
        {"P-e8=", 5, "a piece"},
        {"N:f3", 4, "the next square"},
        {"N:f3-x", 5, "a square"},
        {"Nf3:d2", 3, "a blank"},
        {"Q>=", 3, "a piece, a number"},
        {"Q+", 2, "a piece or a number"},
        {"Q+R", 3, "one of = !="},
        {"points", 6, "one of = !="},
        {"Q=points+1+points", 11, "a piece or a number"},
        {"Q==1", 2, "a piece, a number"},
        {"1<Q<3", 3, "a blank"},
        {"KRvkr", 3, "in capitals"},
        {"KKvK", 1, "one king only"},
        {"K+vK", 1, "\"v\""},
        {"R attacks", 9, "a piece"},
        {"attacks R", 0, "a fact"},
        {"ply", 3, "a number or a range"},
        {"ply -3", 4, "a number or a range"},
        {"repeats x", 8, "a number"},
        {"tag White", 9, "a blank and the value"},
        {"Q>9999999999", 2, "nine digits"},
        {"O-O+", 3, "a blank"},
        {"e.p", 0, "a fact"},
        {"Pd4 \x01", 4, "a fact"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_fault(rows[i].text, rows[i].offset, rows[i].words);
}

TEST(test_query_read__shows_a_caret_under_the_location)
{
    const char text[] = "white \"J\xc3\xa9r\xc3\xb4me\"\n  plaer x";
    char buf[512];
    tby_query_error err;
    assert_null(tby_query_new(text, strlen(text), NULL, NULL, &err));
    assert_int_equal(err.line, 2);
    assert_int_equal(err.column, 3);
    tby_query_error_write(buf, sizeof buf, &err, text, strlen(text));
    assert_string_equal(buf, "no such word: \"plaer\"; did you mean \"player\"?\n    plaer x\n    ^");
    assert_null(tby_query_new("site \"\xc3\xa9\" x", 11, NULL, NULL, &err));
    tby_query_error_write(buf, sizeof buf, &err, "site \"\xc3\xa9\" x", 11);
    assert_string_equal(strchr(buf, '\n'), "\n  site \"\xc3\xa9\" x\n           ^");
    assert_int_equal(tby_query_error_write(NULL, 0, &err, "", 0), strlen(err.text) + 7);
}

TEST(test_query_read__the_error_in_a_long_query_is_shown_with_its_surroundings)
{
    enum { LONG = 30000 };
    static char text[LONG + 1];
    char buf[TBY_QUERY_MESSAGE_SIZE];
    tby_query_error err;
    memset(text, ' ', LONG);
    memcpy(text + 10000, "plaer", 5);
    assert_null(tby_query_new(text, LONG, NULL, NULL, &err));
    assert_true(tby_query_error_write(buf, sizeof buf, &err, text, LONG) < sizeof buf);
    assert_string_equal(buf, "no such word: \"plaer\"; did you mean \"player\"?\n"
                             "  ...                                                            "
                             "plaer                                   ...\n"
                             "                                                                 ^");
    /* no character is split */
    for (size_t i = 0; i < LONG; i += 2)
        memcpy(text + i, "\xc3\xa9", 2);
    for (size_t at = 1000; at < 1004; at++) {
        err.offset = at;
        tby_query_error_write(buf, sizeof buf, &err, text, LONG);
        const char *line = strstr(buf, "...") + 3;
        assert_memory_equal(line, "\xc3\xa9", 2);
        assert_memory_equal(strstr(line, "...") - 2, "\xc3\xa9", 2);
    }
}

static void assert_limit(const char *text, size_t n, tby_status status)
{
    tby_query_error err;
    tby_query *q = tby_query_new(text, n, NULL, NULL, &err);
    tby_query_free(q);
    assert_int_equal(err.status, status);
}

TEST(test_query_read__enforces_its_limits)
{
    static char text[1 << 20];
    memset(text, '(', sizeof text);
    assert_limit(text, sizeof text, TBY_TOO_LONG);
    assert_limit(text, 1000, TBY_TOO_DEEP);
    for (size_t i = 0; i + 1 < TBY_QUERY_TEXT_MAX; i += 2)
        memcpy(text + i, "k;", 2);
    assert_limit(text, TBY_QUERY_TEXT_MAX - 1, TBY_TOO_DEEP);
    for (size_t i = 0; i + 1 < TBY_QUERY_TEXT_MAX; i += 2)
        memcpy(text + i, "k ", 2);
    assert_limit(text, TBY_QUERY_TEXT_MAX - 1, TBY_TOO_LONG);
    assert_limit(text, 2000, TBY_OK);
    assert_limit("shift shift shift shift shift Pd4", 33, TBY_TOO_LONG);
    assert_limit("shift shift Pd4", 15, TBY_OK);
    memset(text, '9', 100);
    assert_limit(text, 100, TBY_INVALID_QUERY);
    assert_limit("id 1..4294967295", 16, TBY_OK);
    assert_limit("id 1..99999999999", 17, TBY_INVALID_QUERY);
    assert_limit("Q>999999999", 11, TBY_OK);
    assert_limit("Q>1000000000", 12, TBY_INVALID_QUERY);
}

/* The longest that is accepted, and one more. */
TEST(test_query_read__limits_of_depth_terms_and_squares)
{
    char text[1024];
    for (size_t more = 0; more < 2; more++) {
        size_t n = 0;
        for (size_t i = 0; i < 63 + more; i++) /* the number is a term too */
            n += (size_t)snprintf(text + n, sizeof text - n, i ? "+Q" : "Q");
        n += (size_t)snprintf(text + n, sizeof text - n, ">1");
        assert_limit(text, n, more ? TBY_TOO_LONG : TBY_OK);
        n = (size_t)snprintf(text, sizeof text, "N:");
        for (size_t i = 0; i < 32 + more; i++)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", i ? "-" : "", i % 2 ? "f3" : "g1");
        assert_limit(text, n, more ? TBY_TOO_LONG : TBY_OK);
        n = TBY_QUERY_DEPTH_MAX + more;
        memset(text, '(', n);
        text[n] = 'k';
        memset(text + n + 1, ')', n);
        assert_limit(text, 2 * n + 1, more ? TBY_TOO_DEEP : TBY_OK);
    }
}

TEST(test_query_read__accepts_user_patterns)
{
    static const char patterns[] = "# mine\n\nmy-centre Pd4 Pe4\tA broad centre\nmy-attack my-centre , M-\r\n";
    static const char faulty[] = "my-centre Pd4 Pe4\nmy-attack my-center\n";
    const tby_query_options good = {.patterns = patterns, .n_patterns = sizeof patterns - 1};
    const tby_query_options bad = {.patterns = faulty, .n_patterns = sizeof faulty - 1};
    tby_query_error err;
    char buf[100];
    tby_query *q = tby_query_new("either my-attack", 16, &good, NULL, &err);
    assert_non_null(q);
    tby_query_write(buf, sizeof buf, q);
    assert_string_equal(buf, "either my-attack");
    tby_query_free(q);
    assert_null(tby_query_new("my-centre", 9, &bad, NULL, &err));
    assert_int_equal(err.part, TBY_QUERY_IN_PATTERNS);
    assert_int_equal(err.line, 2);
    assert_int_equal(err.offset, 28);
    assert_non_null(strstr(err.text, "did you mean \"my-centre\"?"));
    static const char *const names[] = {"player k", "iqp k", "ab k", "Abc k", "k-e k", "rxb k", "a-centre", "abc- k"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const tby_query_options options = {.patterns = names[i], .n_patterns = strlen(names[i])};
        assert_null(tby_query_new("k", 1, &options, NULL, &err));
    }
}

TEST(test_query_read__joins_further_facts)
{
    tby_query_text facts = {0};
    tby_query_error err;
    char buf[200];
    tby_query_text_add(&facts, "player", "Carlsen, M", 10);
    tby_query_text_add(&facts, "elo", "2400..", 6);
    tby_query_text_add(&facts, "event", "\"x\" or mate", 11);
    assert_string_equal(facts.s, "player \"Carlsen, M\" elo 2400.. event \"\\\"x\\\" or mate\"");
    const tby_query_options options = {.facts = facts.s, .n_facts = facts.n};
    tby_query *q = tby_query_new("Pd4 , Pe4", 9, &options, NULL, &err);
    tby_query_write(buf, sizeof buf, q);
    assert_string_equal(buf, "(player \"Carlsen, M\" elo 2400.. event \"\\\"x\\\" or mate\") (Pd4 , Pe4)");
    tby_query_free(q);
    q = tby_query_new(" ", 1, &options, NULL, &err);
    assert_non_null(q);
    tby_query_free(q);
    assert_null(tby_query_new("a) or (b", 8, &options, NULL, &err));
    assert_int_equal(err.part, TBY_QUERY_IN_TEXT);
    tby_query_text_free(&facts);
    tby_query_text_add(&facts, "elo", "2400.. or mate", 14);
    const tby_query_options faulty = {.facts = facts.s, .n_facts = facts.n};
    assert_null(tby_query_new("k", 1, &faulty, NULL, &err));
    assert_int_equal(err.part, TBY_QUERY_IN_FACTS);
    tby_query_text_free(&facts);
}

TEST(test_query_read__refuses_what_a_bare_game_cannot_answer)
{
    static const char *const bad[] = {"player x", "elo 1..", "eco B90",     "date 2019",
                                      "tag A b",  "eval>1",  "!",           "annotated",
                                      "id 3",     "rated",   "speed blitz", "Pd4 or (not white x)"};
    static const char *const good[] = {"Pd4",           "result 1-0", "plies 10..", "opening e4",
                                       "named Najdorf", "iqp",        "repeats 2"};
    const tby_query_options options = {.without_row = true};
    tby_query_error err;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_null(tby_query_new(bad[i], strlen(bad[i]), &options, NULL, &err));
        assert_non_null(strstr(err.text, "a chessgame has only moves"));
    }
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        tby_query *q = tby_query_new(good[i], strlen(good[i]), &options, NULL, &err);
        assert_non_null(q);
        assert_int_equal(tby_query_needs(q) & ~(unsigned)TBY_QUERY_NEEDS_MOVES, 0);
        tby_query_free(q);
    }
}

static const tby_query_must *must_of(const char *s, size_t index, size_t *n)
{
    static tby_query_must must;
    tby_query *q = tby_query_new(s, strlen(s), NULL, NULL, NULL);
    assert_non_null(q);
    for (*n = 0; tby_query_must_at(q, *n, &must);)
        ++*n;
    const bool is_there = tby_query_must_at(q, index, &must);
    must.opening = NULL; /* it is freed with the query */
    tby_query_free(q);
    return is_there ? &must : NULL;
}

TEST(test_query_read__reports_what_a_game_must_have)
{
    static const struct {
        const char *query;
        size_t n;
        tby_query_must_type first;
    } cases[] = {
        {"Pd4", 0, 0},
        {"opening \"1. e4\"", 1, TBY_QUERY_MUST_OPEN},
        {"board 8/8/8/8/8/2k5/1q6/K7", 1, TBY_QUERY_MUST_BOARD},
        {"Pd4 , fen \"8/8/8/8/8/2k5/1q6/K7 w - -\" for 2 ; opening \"1. e4\"", 2, TBY_QUERY_MUST_POSITION},
        {"ever board 8/8/8/8/8/2k5/1q6/K7 always opening \"1. e4\"", 2, TBY_QUERY_MUST_BOARD},
        {"board 8/8/8/8/8/2k5/1q6/K7 or Pd4", 0, 0},
        {"not board 8/8/8/8/8/2k5/1q6/K7", 0, 0},
        {"never board 8/8/8/8/8/2k5/1q6/K7", 0, 0},
        {"either board 8/8/8/8/8/2k5/1q6/K7", 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n;
        const tby_query_must *must = must_of(cases[i].query, 0, &n);
        assert_int_equal(n, cases[i].n);
        assert_int_equal(must != NULL, n > 0);
        if (n == 1) /* the order of several is not defined */
            assert_int_equal(must->type, cases[i].first);
    }
}

/* ---- Conditions ------------------------------------------------------------------------------------------- */

static bool is_text(tby_text text, const char *s)
{
    return text.n == strlen(s) && memcmp(text.s ? text.s : "", s, text.n) == 0;
}

TEST(test_query_read__conditions_have_words_values_and_places)
{
    static const char s[] = "player \"Adams, A\" elo 2400.. (iqp or mate) not check Pd4 mode casual greek-gift";
    static const struct {
        const char *text, *word, *value, *name;
    } wanted[] = {
        {"player \"Adams, A\"", "player", "\"Adams, A\"", "Adams, A"},
        {"elo 2400..", "elo", "2400..", ""},
        {"(iqp or mate)", "", "", ""},
        {"not check", "not", "check", ""},
        {"Pd4", "", "", ""},
        {"mode casual", "mode", "casual", ""},
        {"greek-gift", "greek-gift", "", ""},
    };
    const tby_query_options options = {.facts = "eco B90", .n_facts = 7};
    tby_query_condition c;
    tby_query *q = tby_query_new(s, strlen(s), NULL, NULL, NULL);
    assert_non_null(q);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        assert_true(tby_query_condition_at(q, s, strlen(s), i, &c));
        assert_true(is_text((tby_text){s + c.offset, c.length}, wanted[i].text));
        assert_true(is_text(c.word, wanted[i].word));
        assert_true(is_text(c.value, wanted[i].value));
        assert_true(is_text(c.name, wanted[i].name));
    }
    assert_false(tby_query_condition_at(q, s, strlen(s), sizeof wanted / sizeof *wanted, &c));
    tby_query_free(q);
    q = tby_query_new("mate", 4, &options, NULL, NULL); /* the facts of the options have no place */
    assert_true(tby_query_condition_at(q, "mate", 4, 0, &c));
    assert_true(is_text(c.word, "mate"));
    assert_false(tby_query_condition_at(q, "mate", 4, 1, &c));
    tby_query_free(q);
}

TEST(test_query_read__errors_have_parts)
{
    tby_query_error err;
    assert_null(tby_query_new("elo high", 8, NULL, NULL, &err));
    assert_string_equal(err.field, "elo");
    assert_int_equal(err.n_expected, strstr(err.text, " was expected") - err.text);
    assert_string_equal(err.near, "");
    assert_null(tby_query_new("elo", 3, NULL, NULL, &err));
    assert_string_equal(err.field, "elo");
    assert_int_equal(err.n_expected, strstr(err.text, " was expected") - err.text);
    assert_null(tby_query_new("mat", 3, NULL, NULL, &err));
    assert_null(err.field);
    assert_string_equal(err.near, "mate");
    assert_int_equal(err.n_expected, 0);
}

int main(void) { return tests_run(NULL, NULL); }
