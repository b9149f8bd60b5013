/*
 * test_query_truth.c - random queries: they are the same after writing and reading, and their answers are those of the
 * second evaluator, on famous games, annotated games, Chess960, and computer games.
 */
#include "query_truth.h"

/* ---- Games ------------------------------------------------------------------------------------------------ */

static const char more_games[] =
    "[Event \"Rated Blitz game\"]\n[Site \"?\"]\n[Date \"2020.??.??\"]\n[Round \"-\"]\n[White \"Ada Lovelace\"]\n"
    "[Black \"Byron, Lord\"]\n[Result \"1-0\"]\n[WhiteElo \"2450\"]\n[BlackElo \"2390\"]\n[TimeControl \"180+2\"]\n"
    "[WhiteTitle \"GM\"]\n[Termination \"Time forfeit\"]\n\n"
    "{A start. [%eval 0.2]} 1. e4 {[%eval 0.35] [%clk 0:03:00] king's pawn} e5 $1 {[%clk 0:02:59] a reply} 2. Nf3! "
    "(2. f4 {gambit [%eval -9]} exf4) {back to the main line} 2... Nc6 {[%eval #-4] [%clk 0:00:08.5]} 3. Bb5?? {first} "
    "{second "
    "[%eval #3]} 3... a6 {[%clk 0:00:02]} 4. Bxc6 $6 $14 dxc6 5. O-O f6 {[%eval 0.1]} 6. d4 exd4 7. Nxd4 c5 8. Nb3 "
    "Qxd1 9. Rxd1 1-0\n\n"
    "[Event \"Casual\"]\n[Site \"Club\"]\n[UTCDate \"2021.03.04\"]\n[Date \"????.??.??\"]\n[White \"Byron\"]\n[Black "
    "\"Ada\"]\n"
    "[Result \"0-1\"]\n[ECO \"X99\"]\n[TimeControl \"1/86400\"]\n\n"
    "1. e4 d5 2. e5 f5 3. exf6 e.p. Kf7 4. fxg7 Nf6 5. gxh8=N+ Kg8 6. d4 h5 7. Nf3 h4 8. g4 hxg3 9. Bd3 g2 10. Rf1 "
    "gxf1=R+ 0-1\n\n"
    "[Event \"x\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"bqrkrnnb/pppppppp/8/8/8/8/PPPPPPPP/BQRKRNNB w KQkq - "
    "0 1\"]\n"
    "[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n1. Ng3 Ng6 2. Nf3 Nf6 3. O-O O-O-O 4. e4 e5 5. Rfe1 d6 6. Nf5 "
    "*\n\n"
    "[Event \"x\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"1r4kr/8/8/8/8/8/8/1R4KR w HBhb - 0 20\"]\n"
    "[Result \"1/2-1/2\"]\n\n20. O-O Rc8 21. Rbc1 O-O 22. Kh2 Kh8 23. Kg1 Kg8 24. Kh2 Kh8 25. Kg1 Kg8 1/2-1/2\n\n"
    "[Event \"x\"]\n[SetUp \"1\"]\n[FEN \"8/2p5/8/KP5r/8/8/6k1/8 b - - 0 40\"]\n[Result \"*\"]\n\n"
    "40... c5 41. b6 Kf3 42. b7 Rh8 43. Ka6 c4 44. Ka7 c3 45. b8=Q Rxb8 46. Kxb8 c2 47. Kc7 c1=N *\n\n"
    "[Event \"x\"]\n[Result \"*\"]\n\n1. d4 d5 2. Nf3 Nf6 3. Nfd2 {walk} Ng8 4. e3 Nf6 5. Be2 Ng8 6. Nf1 Nf6 7. Ng3 "
    "Ng8 8. Nf5 Nf6 9. Nxg7+ *\n\n"
    "[Event \"empty\"]\n[Result \"*\"]\n\n*\n";

enum { MOST_GAMES = 200 };
static truth_game *games[MOST_GAMES];
static size_t n_games;

static void add_games(const char *s, size_t n, size_t most)
{
    tby_game *trees[MOST_GAMES];
    const size_t n_trees = games_of_pgn(trees, most, s, n);
    for (size_t i = 0; i < n_trees; i++, n_games++)
        games[n_games] = truth_game_of(trees[i], (tby_game_id)n_games + 1);
}

static void add_file(const char *path, size_t most)
{
    static char text[1 << 20];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t n = fread(text, 1, sizeof text, file);
    fclose(file);
    /* Drop an incomplete game at the end. */
    if (n == sizeof text)
        n = tby_pgn_last_boundary(text, n);
    add_games(text, n, most);
}

static int read_games(void **state)
{
    (void)state;
    add_games(more_games, sizeof more_games - 1, 20);
    add_file("examples/famous.pgn", 60);
    add_file("examples/selfplay.pgn", 20);
    return 0;
}

static int free_games(void **state)
{
    (void)state;
    while (n_games > 0)
        truth_game_free(games[--n_games]);
    return 0;
}

/* ---- Random queries --------------------------------------------------------------------------------------- */

typedef struct maker {
    char s[4096];
    size_t n;
    uint64_t random;
} maker;

static unsigned below(maker *m, unsigned n) { return random_below(&m->random, n); }

static void say(maker *m, const char *text)
{
    const size_t n = strlen(text);
    if (m->n + n < sizeof m->s) {
        memcpy(m->s + m->n, text, n + 1);
        m->n += n;
    }
}

static void say_char(maker *m, char c) { say(m, (const char[]){c, '\0'}); }
static void say_number(maker *m, int number)
{
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    say(m, text);
}
#define ONE_OF(m, list) (list)[below(m, sizeof(list) / sizeof *(list))]

/* One or more piece letters, with or without an empty square among them. */
static void say_piece_or(maker *m, bool has_empty)
{
    static const char letters[] = "KQRBNPkqrbnpMmPPPppp_";
    const unsigned n_letters = sizeof letters - 1 - !has_empty;
    if (below(m, 5)) {
        say_char(m, letters[below(m, n_letters)]);
        return;
    }
    say(m, "[");
    for (unsigned n = 1 + below(m, 3); n > 0; n--)
        say_char(m, letters[below(m, n_letters)]);
    say(m, "]");
}

static void say_piece(maker *m) { say_piece_or(m, true); }

static void say_square(maker *m)
{
    say_char(m, (char)('a' + below(m, 8)));
    say_char(m, (char)('1' + below(m, 8)));
}

static void say_span(maker *m, char zero)
{
    const unsigned low = below(m, 8), high = low + below(m, 8 - low);
    say_char(m, (char)(zero + (int)low));
    if (high > low) {
        say(m, "-");
        say_char(m, (char)(zero + (int)high));
    }
}

static void say_squares(maker *m)
{
    if (below(m, 2)) {
        say_square(m);
        return;
    }
    say(m, "{");
    for (unsigned n = 1 + below(m, 3); n > 0; n--) {
        const unsigned way = below(m, 8);
        if (way == 0)
            say(m, below(m, 2) ? "light" : "dark");
        if (way > 0 && way < 6)
            say_span(m, 'a');
        if (way > 3)
            say_span(m, '1');
        if (n > 1)
            say(m, " ");
    }
    say(m, "}");
}

static void say_pieces(maker *m)
{
    say_piece(m);
    if (below(m, 3))
        say_squares(m);
}

static void say_sum(maker *m)
{
    static const char *const words[] = {"points", "legal", "0", "1", "2", "3", "-1", "5"};
    if (below(m, 3) == 0)
        say(m, ONE_OF(m, words));
    else
        say_pieces(m);
    while (below(m, 4) == 0) {
        say(m, "+");
        if (below(m, 3) == 0)
            say_number(m, (int)below(m, 4) - 1);
        else
            say_pieces(m);
    }
}

static const char *const operators[] = {"=", "!=", "<", "<=", ">", ">="};

static void say_count(maker *m)
{
    say_sum(m);
    say(m, below(m, 3) ? "" : " ");
    say(m, ONE_OF(m, operators));
    say_sum(m);
}

static void say_material(maker *m)
{
    static const char *const pieces[] = {"Q", "R", "B", "N", "P", "Q*", "R*", "B*", "N*", "P*", "P+", "R+"};
    for (int side = 0; side < 2; side++) {
        say(m, side ? "vK" : "K");
        for (unsigned n = below(m, 6); n > 0; n--)
            say(m, ONE_OF(m, pieces));
    }
}

static void say_move(maker *m)
{
    static const char *const castling[] = {"O-O", "O-O-O", "o-o", "o-o-o", "e.p."};
    if (below(m, 8) == 0) {
        say(m, ONE_OF(m, castling));
        return;
    }
    say_piece_or(m, false);
    if (below(m, 3))
        say_squares(m);
    const bool is_capture = below(m, 2);
    say(m, is_capture ? "x" : "-");
    if (is_capture && below(m, 3) == 0)
        say_piece(m);
    if (below(m, 2))
        say_squares(m);
    if (below(m, 8) == 0) {
        say(m, "=");
        say_piece(m);
    }
    if (below(m, 6) == 0)
        say(m, below(m, 2) ? "+" : "#");
}

static void say_path(maker *m)
{
    static const char *const known[] = {"N:g1-f3-e5", "n:g8-f6-g8", "P:e2-e4",    "[Pp]:e4-e5-f6",
                                        "K:e1-g1-h1", "k:e8-g8",    "M:f1-b5-c6", "N:f3-d2-f1-g3",
                                        "Q:d1-h5",    "R:h1-e1",    "p:c7-c5",    "P:b5-c6-c7-c8"};
    if (below(m, 3)) {
        say(m, ONE_OF(m, known));
        return;
    }
    say_piece_or(m, false);
    say(m, ":");
    say_square(m);
    for (unsigned n = 1 + below(m, 2); n > 0; n--) {
        say(m, "-");
        say_square(m);
    }
}

static void say_word(maker *m)
{
    static const char *const words[] = {"check",
                                        "double-check",
                                        "mate",
                                        "stalemate",
                                        "insufficient-material",
                                        "wtm",
                                        "btm",
                                        "initial",
                                        "terminal",
                                        "ply ..10",
                                        "ply 3..20",
                                        "ply 7",
                                        "moveno 5..",
                                        "moveno ..20",
                                        "castling K",
                                        "castling kq",
                                        "castling Q",
                                        "repeats 2",
                                        "repeats 1",
                                        "legal=1",
                                        "legal<3",
                                        "legal>1",
                                        "repeats 3",
                                        "opposite-bishops",
                                        "iqp",
                                        "passed-pawn",
                                        "doubled-pawns",
                                        "bishop-pair",
                                        "rook-ending",
                                        "greek-gift",
                                        "exchange-sacrifice",
                                        "stonewall",
                                        "fen \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\"",
                                        "board rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR",
                                        "fen \"8/8/8/KPp4r/8/8/6k1/8 w - c6\"",
                                        "board 8/2p5/8/KP5r/8/8/6k1/8",
                                        "fen \"1r4kr/8/8/8/8/8/8/1R4KR w HBhb -\"",
                                        "fen \"2r2rk1/8/8/8/8/8/8/2R2RK1 w - -\"",
                                        "fen \"rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6\"",
                                        "board 1kr2r2/8/8/8/8/8/8/1KR2R2"};
    static const char *const notes[] = {"eval>0",
                                        "eval<=0.35",
                                        "eval!=0",
                                        "eval=1000",
                                        "eval<-999",
                                        "clock<10",
                                        "clock>=179",
                                        "clock!=8.5",
                                        "nag 1",
                                        "!",
                                        "??",
                                        "?!",
                                        "nag 14",
                                        "comment king",
                                        "comment \"*main*\"",
                                        "comment \"first second\"",
                                        "comment *",
                                        "comment =\"first second\"",
                                        "comment \"\""};
    static const char *const facts[] = {"white ada",
                                        "black \"byron lord\"",
                                        "player ada",
                                        "player Morphy",
                                        "event \"*game\"",
                                        "event \"rated\"",
                                        "place game",
                                        "place \"?\"",
                                        "site \"?\"",
                                        "site \"\"",
                                        "round \"-\"",
                                        "elo 2300..",
                                        "white-elo 2400..",
                                        "black-elo ..2400",
                                        "any-elo 2400..2500",
                                        "elo-diff 50..",
                                        "elo-diff -100..100",
                                        "elo-diff ..-1",
                                        "date 2020.05",
                                        "date ..1900",
                                        "date 2021.03.04",
                                        "date 2019..",
                                        "result 1-0",
                                        "result 0-1",
                                        "result 1/2-1/2",
                                        "result *",
                                        "plies ..20",
                                        "plies 40..",
                                        "id 3..9",
                                        "speed blitz",
                                        "speed correspondence",
                                        "timecontrol 180+2",
                                        "timecontrol \"1*\"",
                                        "rated",
                                        "title GM",
                                        "title \"\"",
                                        "white-title GM",
                                        "black-title \"\"",
                                        "termination forfeit",
                                        "tag White \"ada lovelace\"",
                                        "tag Result 1-0",
                                        "tag Nothing \"\"",
                                        "tag Date \"2020*\"",
                                        "tag WhiteElo =\"2450\"",
                                        "tag WhiteElo > \"2400\"",
                                        "tag TimeControl <= \"300\"",
                                        "tag Round >= \"2\"",
                                        "tag White < \"m\"",
                                        "tag Date >= \"2020.05.01\"",
                                        "annotated",
                                        "eco X99",
                                        "eco C..D",
                                        "eco C*",
                                        "opening \"1. e4 e5\"",
                                        "opening e4",
                                        "opening \"d4 d5\"",
                                        "named sicilian",
                                        "named \"*gambit*\"",
                                        "named \"\""};
    const unsigned way = below(m, 5);
    say(m, way < 3 ? ONE_OF(m, words) : way == 3 ? ONE_OF(m, notes) : ONE_OF(m, facts));
}

/* Pieces under `shift`: "shift (P{d}>=2 not p{c-e5-7} or [Pp]{d}=0)". */
static void say_structure(maker *m)
{
    static const char *const pieces[] = {"P", "p", "[Pp]", "P", "p", "_", "K", "[Rr]"};
    static const char *const counts[] = {"", "", "=0", ">=1", ">=2", ">1", "=1", "<1", "<=0", "!=0", ">=3", "<2"};
    static const char *const between[] = {" ", " ", " or ", " not ", " not ("};
    unsigned open = 1;
    say(m, below(m, 4) ? "shift (" : "mirror shift either (");
    for (unsigned n = 1 + below(m, 4); n > 0; n--) {
        say(m, ONE_OF(m, pieces));
        if (below(m, 8))
            say_squares(m);
        say(m, ONE_OF(m, counts));
        const char *next = n > 1 ? ONE_OF(m, between) : "";
        say(m, next);
        open += strchr(next, '(') != NULL;
    }
    for (; open > 0; open--)
        say(m, ")");
}

static void say_query(maker *m, int depth);

static void say_fact(maker *m, int depth)
{
    static const char *const prefixes[] = {"not ",    "either ", "mirror ", "ever ", "never ",
                                           "always ", "not ",    "either ", "shift "};
    const unsigned way = below(m, depth > 0 ? 14 : 10);
    if (way == 0) {
        if (below(m, 2))
            say_pieces(m);
        else
            say_structure(m);
    } else if (way < 3) {
        say_pieces(m);
    } else if (way == 3) {
        say_count(m);
    } else if (way == 4) {
        if (below(m, 4))
            say_count(m);
        else
            say_material(m);
    } else if (way < 7) {
        say_move(m);
    } else if (way == 7) {
        if (below(m, 3))
            say_path(m);
        else {
            say_pieces(m);
            say(m, " attacks ");
            say_pieces(m);
        }
    } else if (way < 10) {
        say_word(m);
    } else if (way < 12) {
        say(m, ONE_OF(m, prefixes));
        say_fact(m, depth - 1);
    } else {
        say(m, "(");
        say_query(m, depth - 1);
        say(m, ")");
    }
}

static void say_all(maker *m, int depth)
{
    say_fact(m, depth);
    while (below(m, 3) == 0) {
        say(m, below(m, 4) ? " " : " and ");
        say_fact(m, depth);
    }
}

static void say_step(maker *m, int depth)
{
    say_all(m, depth);
    while (below(m, 4) == 0) {
        say(m, " or ");
        say_all(m, depth);
    }
    if (below(m, 6) == 0) {
        say(m, " for ");
        say_number(m, 1 + (int)below(m, 6));
    }
}

static void say_query(maker *m, int depth)
{
    say_step(m, depth);
    while (below(m, 5) == 0) {
        const unsigned way = below(m, 3);
        say(m, way == 0 ? " , " : " ;");
        if (way == 1)
            say_number(m, 1 + (int)below(m, 12));
        say(m, " ");
        say_step(m, depth);
    }
}

/* A random query that can be parsed; now and then one expands to too many copies of itself. */
static tby_query *random_query(maker *m)
{
    tby_query_error err;
    for (;;) {
        m->n = 0;
        say_query(m, 3);
        if (m->n + 1 >= sizeof m->s)
            continue;
        tby_query *q = tby_query_new(m->s, m->n, NULL, NULL, &err);
        if (q)
            return q;
        if (err.status != TBY_TOO_LONG)
            fail_msg("%s\n%s at %zu", m->s, err.text, err.offset);
    }
}

/* ---- Tests ------------------------------------------------------------------------------------------------- */

#ifdef TBY_TEST_QUICK
enum { N_TEXTS = 2000, N_QUERIES = 150 };
#else
enum { N_TEXTS = 20000, N_QUERIES = 400 };
#endif

static bool same_tree(const tby_query *a, uint32_t i, const tby_query *b, uint32_t j)
{
    query_node x = *tree_node(&a->tree, i), y = *tree_node(&b->tree, j);
    if (x.type != y.type || x.n_kids != y.n_kids)
        return false;
    for (uint32_t k = 0; k < x.n_kids; k++)
        if (!same_tree(a, tree_kid(&a->tree, &x, k), b, tree_kid(&b->tree, &y, k)))
            return false;
    x.at = y.at = x.length = y.length = x.first_kid = y.first_kid = 0;
    const unsigned value = query_facts[x.type].value;
    if (x.type == Q_PATTERN || value == VALUE_TEXT || value == VALUE_TAG || value == VALUE_CODES ||
        value == VALUE_OPENING || query_facts[x.type].text) {
        if (strcmp(query_bytes(a, x.u.t.text), query_bytes(b, y.u.t.text)) != 0)
            return false;
        memset(&x.u, 0, sizeof x.u);
        memset(&y.u, 0, sizeof y.u);
    }
    return memcmp(&x, &y, sizeof x) == 0;
}

TEST(test_query_truth__reads_back_what_it_writes)
{
    maker m = {.random = 0x7461626979610101ULL};
    static char written[1 << 16], again[1 << 16];
    for (int i = 0; i < N_TEXTS; i++) {
        tby_query_error err;
        tby_query *q = random_query(&m);
        const size_t n = tby_query_write(written, sizeof written, q);
        assert_true(n > 0 && n < sizeof written && strlen(written) == n);
        tby_query *back = tby_query_new(written, n, NULL, NULL, &err);
        if (!back)
            fail_msg("%s\n%s\n%s at %zu", m.s, written, err.text, err.offset);
        if (!same_tree(q, q->tree.root, back, back->tree.root))
            fail_msg("another query: %s\n%s", m.s, written);
        tby_query_write(again, sizeof again, back);
        assert_string_equal(again, written);
        tby_query_free(q);
        tby_query_free(back);
    }
}

enum { STEPS = 3000 };
static long n_checked; /* plies */

/* The plies by the library, which must equal those of the second evaluator. */
static void check_answers(const char *text, const tby_query *q, size_t first_game, size_t step)
{
    static const view plain = {.n = 0};
    tby_query_state *s = tby_query_state_new(q, NULL);
    for (size_t i = first_game; i < n_games; i += step) {
        const truth_game *g = games[i];
        const tby_query_game game = tby_query_game_of_row(&g->row, g->id);
        const uint32_t *plies;
        const int n = tby_query_plies(s, &game, &plies), first = tby_query_first(s, &game);
        if (n < 0)
            fail_msg("%s: game %zu: %d", text, i + 1, n);
        uint32_t kept[TRUTH_PLIES];
        assert_int_equal(tby_query_plies(s, &game, &plies), n);
        for (int k = 0; k < n; k++)
            kept[k] = plies[k];
        assert_int_equal(first, n ? (int)kept[0] : TBY_QUERY_NONE);
        int at = 0;
        truth_steps_left = STEPS;
        for (size_t ply = 0; ply < (q->is_of_game ? 1 : g->n); ply++) {
            const bool holds = at < n && kept[at] == ply, is_true = truth(q, &plain, q->tree.root, g, ply);
            at += holds;
            if (truth_steps_left < 0)
                break;
            n_checked++;
            if (is_true != holds)
                fail_msg("%s: game %zu, ply %zu: %s", text, i + 1, ply, holds ? "found, but not true" : "not found");
        }
    }
    tby_query_state_free(s);
}

TEST(test_query_truth__answers_like_the_second_evaluator)
{
    maker m = {.random = 0x7461626979610102ULL};
    for (int i = 0; i < N_QUERIES; i++) {
        tby_query *q = random_query(&m);
        check_answers(m.s, q, (size_t)i % 5, 5);
        tby_query_free(q);
    }
    assert_true(n_checked > 500 * (long)N_QUERIES);
}

/* Repeated prefixes, and prefixes in another order, compile to the same program. */
TEST(test_query_truth__compiles_repeated_prefixes_once)
{
    static const char *const pairs[][2] = {
        {"either %s", "either either %s"},
        {"mirror %s", "mirror mirror %s"},
        {"either mirror %s", "mirror either %s"},
        {"either shift %s", "shift either %s"},
        {"ever %s", "ever ever %s"},
        {"%s", "not not %s"},
        {"%s", "%s or %s"},
    };
    maker m = {.random = 0x7461626979610103ULL};
    char texts[2][3 * sizeof m.s];
    for (int i = 0; i < 300; i++) {
        m.n = 0;
        say(&m, "(");
        say_query(&m, 1);
        say(&m, ")");
        for (size_t pair = 0; pair < sizeof pairs / sizeof *pairs; pair++) {
            tby_query *q[2];
            for (int k = 0; k < 2; k++) {
                snprintf(texts[k], sizeof texts[k], pairs[pair][k], m.s, m.s);
                q[k] = tby_query_new(texts[k], strlen(texts[k]), NULL, NULL, NULL);
                assert_non_null(q[k]);
            }
            tby_query_state *s[2] = {tby_query_state_new(q[0], NULL), tby_query_state_new(q[1], NULL)};
            for (size_t g = 0; g < n_games; g += 7) {
                const tby_query_game game = tby_query_game_of_row(&games[g]->row, games[g]->id);
                if (tby_query_first(s[0], &game) != tby_query_first(s[1], &game))
                    fail_msg("game %zu: %s", g + 1, texts[1]);
            }
            for (int k = 0; k < 2; k++) {
                tby_query_state_free(s[k]);
                tby_query_free(q[k]);
            }
        }
    }
}

/* Whichever allocation fails, it is reported, and nothing leaks. */
TEST(test_query_truth__survives_no_memory)
{
    static const char text[] =
        "either (player \"ada*\" comment king ; repeats 1) or opening \"1. e4\" shift passed-pawn eval>0 for 2";
    const tby_query_game game = tby_query_game_of_row(&games[0]->row, 1);
    for (size_t call = 1, is_done = 0; !is_done; call++) {
        meter m = {0, 0, 0, call};
        const tby_allocator allocator = {meter_resize, &m};
        tby_query_error err;
        tby_query *q = tby_query_new(text, sizeof text - 1, NULL, &allocator, &err);
        tby_query_state *s = q ? tby_query_state_new(q, &allocator) : NULL;
        assert_true(q || err.status == TBY_NO_MEMORY);
        if (s) {
            const int ply = tby_query_first(s, &game);
            assert_true(ply == TBY_QUERY_NO_MEMORY || ply == TBY_QUERY_NONE || ply >= 0);
        }
        is_done = m.n_calls < call;
        tby_query_state_free(s);
        tby_query_free(q);
        assert_int_equal(m.in_use, 0);
    }
}

int main(void) { return tests_run(read_games, free_games); }
