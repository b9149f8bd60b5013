/*
 * test_query_answers.c - the answers of queries: plies worked out by hand, names, dates, and for each named pattern a
 * position that matches and one that does not.
 */
#include "codec_support.h"
#include "tabiya_db.h"

/* ---- Asking ------------------------------------------------------------------------------------------------ */

static tby_query *query_of(const char *text)
{
    tby_query_error err;
    tby_query *q = tby_query_new(text, strlen(text), NULL, NULL, &err);
    if (!q)
        fail_msg("%s: %s (at %zu)", text, err.text, err.offset);
    return q;
}

/* The plies as text: "1 2 5". */
static void answer(char out[512], const char *text, const tby_query_game *game)
{
    const uint32_t *plies;
    tby_query *q = query_of(text);
    tby_query_state *s = tby_query_state_new(q, NULL);
    const int n = tby_query_plies(s, game, &plies);
    out[0] = '\0';
    for (int i = 0; i < n && strlen(out) < 480; i++)
        sprintf(out + strlen(out), i ? " %u" : "%u", plies[i]);
    if (n < 0)
        sprintf(out, "%d", n);
    tby_query_state_free(s);
    tby_query_free(q);
}

typedef struct row {
    const char *query, *plies;
} row;

static void assert_answers(const char *moves, const row *rows, size_t n)
{
    static uint8_t bytes[TBY_CHESSGAME_SIZE];
    tby_query_game game = {.moves = bytes};
    char plies[512];
    assert_int_equal(tby_chessgame_read(bytes, &game.n_moves, moves, strlen(moves), 0, NULL, NULL), TBY_OK);
    for (size_t i = 0; i < n; i++) {
        answer(plies, rows[i].query, &game);
        if (strcmp(plies, rows[i].plies) != 0)
            fail_msg("%s: \"%s\", not \"%s\"", rows[i].query, plies, rows[i].plies);
    }
}
#define ASSERT_ANSWERS(moves, rows) assert_answers(moves, rows, sizeof(rows) / sizeof *(rows))

/* ---- Plies -------------------------------------------------------------------------------------------------- */

/* The bytes of a null move are those of a rook move from a1 to a1. */
TEST(test_query_answers__a_null_move_moves_no_piece)
{
    static const char moves[] = "1. Nf3 -- 2. -- a6 3. Rg1 *";
    static const row rows[] = {
        {"R-a1", ""},     {"M-", "0 4"},        {"m-", "3"},       {"R-{a-h1}", "4"}, {"R:a1-a1", ""},
        {"wtm", "0 2 4"}, {"Nf3", "1 2 3 4 5"}, {"stalemate", ""}, {"M-#", ""},       {"ply ..2 Nf3", "1 2"},
    };
    ASSERT_ANSWERS(moves, rows);
}

/* A game is decoded only as far as a query needs. */
TEST(test_query_answers__bounds_change_no_answer)
{
    static const char moves[] = "1. f3 e5 2. g4 Qh4# 0-1";
    static const row rows[] = {
        {"ply ..3 terminal", ""},
        {"ply ..4 mate", "4"},
        {"ply ..3 q-h4#", "3"},
        {"ply ..3 m-", "1 3"},
        {"ply 3 M-", ""},
        {"initial , (pe5 ;1 Pg4)", ""},
        {"initial ; qh4", "0"},
        {"initial ;3 qh4", ""},
        {"initial ;4 qh4", "0"},
        {"moveno ..1 ;2 Pg4", "1"},
        {"ply ..1 (pe7 for 2)", "0"},
        {"ply ..0 ever mate", "0"},
        {"ply ..1 always k", "0 1"},
        {"ply ..1 plies 4", "0 1"},
        {"ply 0 p:d8-h4", ""},
        {"not ply ..3", "4"},
        {"ply ..1 or qh4", "0 1 4"},
        {"ply ..2 repeats 1", "0 1 2"},
    };
    ASSERT_ANSWERS(moves, rows);
}

TEST(test_query_answers__the_plies_of_a_ruy_lopez)
{
    /*          0  1     2   3      4    5   6     7      8    9    10 */
    static const char moves[] = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O f6 *";
    static const row rows[] = {
        {"Pe4", "1 2 3 4 5 6 7 8 9 10"},
        {"P-e4", "0"},
        {"O-O", "8"},
        {"K-g1", "8"},
        {"Kxg1", ""},
        {"R-f1", ""},
        {"Rf1", "9 10"},
        {"Bxc6", "6"},
        {"Bxn", "6"},
        {"Bxnc6", "6"},
        {"Bxn{a-b}", ""},
        {"Bxb", ""},
        {"px", "7"},
        {"pxB{6}", "7"},
        {"M-", "0 2 4 6 8"},
        {"m-", "1 3 5 7 9"},
        {"not [Mm]-", "10"},
        {"terminal", "10"},
        {"initial", "0"},
        {"always [Mm]-", ""},
        {"always K", "0"},
        {"ever Bx", "0"},
        {"never Q-", "0"},
        {"never q- wtm", "0 2 4 6 8 10"},
        {"Pe4 for 9", "1 2"},
        {"Pe4 for 10", "1"},
        {"Pe4 for 11", ""},
        {"M- for 2", ""},
        {"[Mm]- for 10", "0"},
        {"[Mm]- for 11", ""},
        {"initial , Pe4", "0"},
        {"initial , Pe4 for 2 , N-f3", ""},
        {"initial , Pe4 for 1 , N-f3", "0"},
        {"Pe4 for 2 , N-f3", ""},
        {"(Pe4 for 2) , N-f3", "1"},
        {"(P-e4 , p-e5) , p-e5", "0"},
        {"P-e4 , p-e5 , N-f3", "0"},
        {"P-e4 ; N-f3", "0"},
        {"P-e4 ;1 N-f3", ""},
        {"P-e4 ;2 N-f3", "0"},
        {"Pe4 for 2 ;1 B-b5", "2"},
        {"Pe4 for 2 ;2 B-b5", "1 2"},
        {"P-e4 , p-e5 ;1 N-f3", "0"},
        {"P-e4 , p-e5 ; p-e5", ""},
        {"P-e4 ; N-f3 ; B-b5 ; O-O", "0"},
        {"P-e4 ; B-b5 ; N-f3", ""},
        {"N:g1-f3", "2"},
        {"n:b8-c6", "3"},
        {"B:f1-b5-c6", "4"},
        {"n:b8-c6-d4", ""},
        {"K:e1-g1", "8"},
        {"R:h1-f1", ""},
        {"[Mm]=32", "0 1 2 3 4 5 6"},
        {"[Nn]<4", "7 8 9 10"},
        {"points=3", "7"},
        {"points!=0", "7"},
        {"N=n+1", "7 8 9 10"},
        {"p{c}=2", "8 9 10"},
        {"[Mm]>=-1 ply 4", "4"},
        {"castling KQkq", "0 1 2 3 4 5 6 7 8"},
        {"castling kq", "0 1 2 3 4 5 6 7 8 9 10"},
        {"mirror O-O", "8"},
        {"mirror K-b1", "8"},
        {"mirror K-c1", ""},
        {"either o-o", "8"},
        {"mirror castling K", "0 1 2 3 4 5 6 7 8"},
        {"mirror Pd4", "1 2 3 4 5 6 7 8 9 10"},
        {"mirror (Pd4 O-O)", ""},
        {"mirror (not O-O) terminal", "10"},
        {"either Pe5", ""},
        {"either (Pd5 wtm)", ""},
        {"either (pe5 btm)", "2 3 4 5 6 7 8 9 10"},
        {"shift Pa4 btm", "1 3 5 7 9"},
        {"moveno 3", "4 5"},
        {"legal=20", "0 1"},
        {"N attacks p", "3 4 5 6 7 8 9 10"},
        {"B attacks n", "5 6"},
        {"P attacks _", "0 1 2 3 4 5 6 7 8 9 10"},
        {"R attacks K", "5 6 7 8 9 10"},
        {"B{light} b{dark}", "0 1 2 3 4 5 6 7"},
        {"opposite-bishops", ""},
        {"opening \"1. e4 e5\" ply 2", "2"},
        {"named \"Exchange Ruy\" terminal", "10"},
        {"named \"Exchange Lopez\" terminal", "10"},
        {"result *", "0"},
        {"plies 10", "0"},
        {"plies ..9", ""},
        {"result 1-0 or Bx", "6"},
        {"not result 1-0", "0"},
    };
    ASSERT_ANSWERS(moves, rows);
}

TEST(test_query_answers__know_en_passant_and_promotion)
{
    static const row rows[] = {
        {"e.p.", "4"},
        {"Pxp", "4"},
        {"Pxd6", "4"},
        {"Pxpd5", ""},
        {"Pxpd6", "4"},
        {"P:e4-e5-d6", "2"},
        {"p:d7-d5-d4", ""},
        {"fen \"rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6\"", "4"},
        {"fen \"rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq -\"", ""},
        {"board \"rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR\"", "4"},
        {"either board \"rnbqkbnr/pppp1ppp/8/8/3Pp3/P7/1PP1PPPP/RNBQKBNR\"", "4"},
        {"mirror board \"rnbkqbnr/pppp1pp1/7p/3Pp3/8/8/PPP1PPPP/RNBKQBNR\"", "4"},
        {"mirror fen \"rnbkqbnr/pppp1pp1/7p/3Pp3/8/8/PPP1PPPP/RNBKQBNR w - e6\"", ""},
    };
    static const row promotions[] = {
        {"P-{8}", "0"}, {"P-{8}=[QN]", "0"}, {"P-a8=N", "0"},  {"P-a8=Q", ""},  {"P-=n", ""},   {"M-=N+", "0"},
        {"M-=N#", ""},  {"P:a7-a8-c7", ""},  {"P:a7-a8", "0"}, {"N:a8-b6", ""}, {"N=1", "1 2"},
    };
    ASSERT_ANSWERS("1. e4 a6 2. e5 d5 3. exd6 h6 4. dxc7 *", ((const row[]){{"Px", "4 6"}, {"Pxp", "4 6"}}));
    ASSERT_ANSWERS("1. e4 a6 2. e5 d5 3. exd6 *", rows);
    ASSERT_ANSWERS("[FEN \"8/P1k5/8/8/8/8/8/K7 w - - 0 1\"] 1. a8=N+ Kb7 *", promotions);
}

TEST(test_query_answers__know_chess960_castling)
{
    /* The king stays on g1, the rook moves from h1 to f1. */
    static const row rows[] = {
        {"O-O", "0"},
        {"K-g1", "0"},
        {"Kg1-g1", "0"},
        {"KxR", ""},
        {"R-f1", ""},
        {"o-o", ""},
        {"K:g1-g1-f2", "0"},
        {"castling K", "0"},
        {"castling Q", "0"},
        {"castling q", "0 1"},
        {"castling kq", "0 1"},
        {"fen \"1r4kr/8/8/8/8/8/8/1R4KR w KQkq -\"", "0"},
        {"fen \"1r4kr/8/8/8/8/8/8/1R4KR w HBhb -\"", "0"},
        {"fen \"1r4kr/8/8/8/8/8/8/1R4KR w - -\"", ""},
    };
    ASSERT_ANSWERS("[Variant \"Chess960\"] [FEN \"1r4kr/8/8/8/8/8/8/1R4KR w HBhb - 0 20\"] 20. O-O Rc8 21. Kf2 *",
                   rows);
}

TEST(test_query_answers__count_repetitions)
{
    static const row rows[] = {
        {"repeats 1", "0 1 2 3 4 5 6 7 8"}, {"repeats 2", "4 5 6 7 8"}, {"repeats 3", "8"}, {"repeats 4", ""}};
    ASSERT_ANSWERS("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *", rows);
}

TEST(test_query_answers__shifted_squares_may_leave_the_board)
{
    static const row rows[] = {
        {"shift (Pd4 P{c}=0 P{e}=0)", "0"},
        {"shift (Pa4 Kh1)", ""},
        {"shift (Pa4 K)", "0"},
        {"shift (Pa4 K{h}=0)", "0"},
        {"shift (Pb4 K{a}=0)", "0"},
        {"shift (Pb4 not Ka1)", "0"},
        {"shift board 4k3/8/8/8/P7/8/8/4K3", "0"},
        {"shift board 5k2/8/8/8/1P6/8/8/5K2", ""},
        {"shift K:e1-e2", ""},
    };
    ASSERT_ANSWERS("4k3/8/8/8/P7/8/8/4K3 w - - 0 1", rows);
    ASSERT_ANSWERS("4k3/8/8/8/P7/8/1P6/4K3 w - - 0 1", ((const row[]){{"shift (Pd4 P{c}=0 P{e}=0)", ""}}));
}

/* A game of more than two words of plies: sequences cross the boundaries of words. */
TEST(test_query_answers__cross_word_boundaries)
{
    static char moves[4096];
    char plies[512];
    static uint8_t bytes[TBY_CHESSGAME_SIZE];
    tby_query_game game = {.moves = bytes};
    for (int i = 0; i < 50; i++)
        strcat(moves, "Nf3 Nf6 Ng1 Ng8 ");
    strcat(moves, "e4");
    assert_int_equal(tby_chessgame_read(bytes, &game.n_moves, moves, strlen(moves), 0, NULL, NULL), TBY_OK);
    static const row rows[] = {
        {"P-e4", "200"},
        {"initial ; P-e4", "0"},
        {"initial ;199 P-e4", ""},
        {"initial ;200 P-e4", "0"},
        {"Ng1 for 1 ;3 P-e4", "199"},
        {"Pe2 for 201", "0"},
        {"Pe2 for 202", ""},
        {"P for 150 ; P-e4 ply 3..", "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 "
                                     "30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50"},
        {"P for 128 , P for 70 , P-e4", "2"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        answer(plies, rows[i].query, &game);
        assert_string_equal(plies, rows[i].plies);
    }
}

/* A step near the end was evaluated at plies that do not exist. */
TEST(test_query_answers__no_ply_after_the_last_is_evaluated)
{
    static const row rows[] = {
        {"check for 2", ""}, {"mate for 2", ""}, {"mate for 1", "4"}, {"legal>=0 for 5", "0"}, {"legal>=0 for 6", ""}};
    ASSERT_ANSWERS("1. f3 e5 2. g4 Qh4# 0-1", rows);
    ASSERT_ANSWERS("[FEN \"4k2r/8/8/8/8/8/8/R3K3 w - - 0 1\"] 1. Ra2 Rh7 *",
                   ((const row[]){{"KRvKR for 3", "0"}, {"KRvKR for 4", ""}}));
}

TEST(test_query_answers__report_damage)
{
    uint8_t bytes[64];
    size_t n;
    char plies[512];
    static uint8_t good[TBY_CHESSGAME_SIZE];
    assert_int_equal(tby_chessgame_read(good, &n, "1. e4 e5 2. Nf3 *", 17, 0, NULL, NULL), TBY_OK);
    memcpy(bytes, good, n);
    bytes[2] = 0xff;
    answer(plies, "Pe4", &(tby_query_game){.moves = bytes, .n_moves = n});
    assert_string_equal(plies, "-3");
    answer(plies, "Pe4", &(tby_query_game){.moves = bytes, .n_moves = 3});
    assert_string_equal(plies, "-3");
    answer(plies, "nag 1", &(tby_query_game){.moves = good, .n_moves = n, .annotated = bytes, .n_annotated = 5});
    assert_string_equal(plies, "-3");
}

/* ---- Games --------------------------------------------------------------------------------------------------- */

static void assert_game(const char *tags, const char *query, bool holds)
{
    char pgn[1024];
    tby_game *games[1];
    tby_batch *batch = tby_batch_new();
    snprintf(pgn, sizeof pgn, "%s\n\n1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 1-0\n", tags);
    assert_int_equal(games_of_pgn(games, 1, pgn, strlen(pgn)), 1);
    assert_int_equal(tby_batch_add(batch, games[0]), TBY_OK);
    const tby_row row_of_game = tby_batch_row(batch, 0);
    const tby_query_game game = tby_query_game_of_row(&row_of_game, 7);
    tby_query *q = query_of(query);
    tby_query_state *s = tby_query_state_new(q, NULL);
    const int ply = tby_query_first(s, &game);
    if (ply != (holds ? 0 : TBY_QUERY_NONE))
        fail_msg("%s: %s: %d", tags, query, ply);
    tby_query_state_free(s);
    tby_query_free(q);
    tby_batch_free(batch);
    tby_game_free(games[0]);
}

TEST(test_query_answers__compare_names_as_people_do)
{
    static const struct {
        const char *value, *name;
        bool fits;
    } rows[] = {
        {"Carlsen, Magnus", "carlsen", true},
        {"Carlsen, Magnus", "\"MAGNUS carlsen\"", true},
        {"Carlsen, Magnus", "magn", false},
        {"Carlsen, Magnus", "Carl*", true},
        {"Carlsen, Magnus", "*magnus", true},
        {"Carlsen, Magnus", "\"Carl*, M*\"", true},
        {"Carlsen, Magnus", "=\"Carlsen, Magnus\"", true},
        {"Carlsen, Magnus", "=\"carlsen, magnus\"", false},
        {"Carlsen, Magnus", "\"\"", false},
        {"M\xc3\xbcller, Karsten", "\"muller karsten\"", true},
        {"Muller, Karsten", "m\xc3\x9cLLER", true},
        {"Mu\xcc\x88ller", "muller", true}, /* u and a combining accent */
        {"\xc3\x98ksendal", "oksendal", true},
        {"\xc5\x81ukasz", "lukasz", true},
        {"Stra\xc3\x9f"
         "e",
         "strasse", true},
        {"\xc3\x86gir", "AEGIR", true},
        {"\xc3\x9eorfinnsson", "thorfinnsson", true},
        {"\xc4\xb0stanbul", "istanbul", true},
        {"\xd0\x9a\xd0\xb0\xd1\x80\xd0\xbf\xd0\xbe\xd0\xb2", "\xd0\xba\xd0\xb0\xd1\x80\xd0\xbf\xd0\xbe\xd0\xb2", true},
        {"J\xc3\xb3zsef", "J*sef", true},
        {"O'Brien", "brien", true},
        {"O'Brien", "o'brien", true},
        {"O'Brien", "obrien", false},
        {"?", "\"?\"", true},
        {"?", "\"-\"", false},
        {"x", "*", true},
        {"", "\"\"", true},
        {"", "*", true},
    };
    char tags[200], query[200];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(tags, sizeof tags, "[White \"%s\"]", rows[i].value);
        snprintf(query, sizeof query, "white %s", rows[i].name);
        assert_game(tags, query, rows[i].fits);
    }
    assert_game("[Event \"x\"]", "white \"\"", true);
    assert_game("[Event \"x\"]", "white *", false);
    assert_game("[Event \"x\"]", "not white *", true);
}

TEST(test_query_answers__know_dates_speeds_and_tags)
{
    static const struct {
        const char *tags, *query;
        bool holds;
    } rows[] = {
        {"[Date \"2019.05.31\"]", "date 2019", true},
        {"[Date \"2019.05.31\"]", "date 2019.05.31", true},
        {"[Date \"2019.05.31\"]", "date 2019.06..", false},
        {"[Date \"2019.??.??\"]", "date 2019.06..", true},
        {"[Date \"2019.??.??\"]", "date 2020..", false},
        {"[Date \"2019.05.??\"]", "date ..2019.05.01", true},
        {"[Date \"2019.05.??\"]", "date ..2019.04", false},
        {"[Date \"2019.??.12\"]", "date 2019.06", true},
        {"[Date \"201?.??.??\"]", "date 2015", true},
        {"[Date \"201?.??.??\"]", "date 2025", false},
        {"[Date \"2019.??.12\"]", "date 2019.06.15..2019.06.20", false},
        {"[Date \"2019.??.12\"]", "date 2019.06.15..2019.07.11", false},
        {"[Date \"2019.??.12\"]", "date 2019.06.15..2019.07.12", true},
        {"[Date \"2019.??.12\"]", "date 2018.12.13..2019.01.11", false},
        {"[Date \"2019.??.12\"]", "date 2017.06.15..2019.01.12", true},
        {"[Date \"2019.??.12\"]", "date 2019.12.13..", false},
        {"[Date \"2019.??.12\"]", "date 2018", false},
        {"[Date \"2019.00.12\"]", "date 2019.06.15..2019.06.20", false},
        {"[Date \"2019.??.31\"]", "date 2019.06", false},
        {"[Date \"2019.??.29\"]", "date 2019.02", false},
        {"[Date \"2020.??.29\"]", "date 2020.02", true},
        {"[Date \"201?.??.12\"]", "date 2015.06.13..2015.06.30", false},
        {"[Date \"201?.??.12\"]", "date 2015.06.13..2015.07.30", true},
        {"[Date \"201?.??.12\"]", "date 2009.12.01..2010.01.11", false},
        {"[Date \"19??.05.12\"]", "date 1950.06", false},
        {"[Date \"19??.05.12\"]", "date 1950.05", true},
        {"[Date \"19??.05.??\"]", "date 1949.06..1950.04", false},
        {"[Date \"19??.05.??\"]", "date 1949.06..1950.05", true},
        {"[Date \"19??.05.??\"]", "date 1949.06..1951.04", true},
        {"[Date \"????.05.12\"]", "date 2019.06", false},
        {"[Date \"????.05.12\"]", "date 2019.05", true},
        {"[Date \"2019.1?.??\"]", "date 2019.05", false},
        {"[Date \"2019.1?.??\"]", "date 2019.11", true},
        {"[Date \"2019.05.3?\"]", "date 2019.05.29", false},
        {"[Date \"2019.05.3?\"]", "date 2019.05.31", true},
        {"[Date \"20.06.2019\"]", "date 0001..", false},
        {"[Date \"20.06.2019\"]\n[UTCDate \"2019.06.21\"]", "date 2019.06.21", true},
        {"[Date \"0000.00.00\"]", "date ..1000", false},
        {"[Date \"0000.00.00\"]\n[UTCDate \"2021.03.04\"]", "date 2021.03.04", true},
        {"[Date \"201?.??.??\"]\n[UTCDate \"2021.03.04\"]", "date 2021", false},
        {"[Date \"201?.??.??\"]\n[UTCDate \"2021.03.04\"]", "date 2011", true},
        {"[Date \"????.??.??\"]\n[UTCDate \"202?.03.04\"]", "date 2025.03", true},
        {"[Date \"2019.13.45\"]", "date 2019.01.01", true},
        {"[Date \"2019.13.12\"]", "date 2019.06.15", true},
        {"[Date \"2019/5/3\"]", "date 2019.05.03", true},
        {"[Date \"20190531\"]", "date 2019", false},
        {"[Date \"????.??.??\"]", "date 0001..", false},
        {"[Date \"????.??.??\"]\n[UTCDate \"2021.03.04\"]", "date 2021.03", true},
        {"[UTCDate \"2021.03.04\"]", "date 2021.03", true},
        {"[Date \"2020.01.01\"]\n[UTCDate \"2021.03.04\"]", "date 2021", false},
        {"[Event \"x\"]", "date ..2030", false},
        {"[TimeControl \"60+0\"]", "speed bullet", true},
        {"[TimeControl \"179\"]", "speed bullet", true},
        {"[TimeControl \"180\"]", "speed blitz", true},
        {"[TimeControl \"60+3\"]", "speed blitz", true},
        {"[TimeControl \"300+5\"]", "speed rapid", true},
        {"[TimeControl \"1500\"]", "speed classical", true},
        {"[TimeControl \"40/7200:3600\"]", "speed classical", true},
        {"[TimeControl \"-\"]", "speed correspondence", true},
        {"[TimeControl \"1/86400\"]", "speed correspondence", true},
        {"[TimeControl \"?\"]", "speed bullet or speed classical or speed correspondence", false},
        {"[Event \"x\"]", "speed bullet or speed classical or speed correspondence", false},
        {"[Event \"Rated Blitz game\"]", "rated", true},
        {"[Event \"Unrated game\"]", "rated", false},
        {"[WhiteElo \"2500\"]\n[BlackElo \"2300\"]", "elo 2300..", true},
        {"[WhiteElo \"2500\"]\n[BlackElo \"2300\"]", "elo 2400..", false},
        {"[WhiteElo \"2500\"]\n[BlackElo \"2300\"]", "any-elo 2400..", true},
        {"[WhiteElo \"2500\"]\n[BlackElo \"2300\"]", "either black-elo 2500", true},
        {"[WhiteElo \"2500\"]", "elo ..3000", false},
        {"[WhiteElo \"2500\"]", "any-elo ..3000", true},
        {"[WhiteElo \"2500\"]", "mean-elo ..3000", false},
        {"[WhiteElo \"2400\"]\n[BlackElo \"2401\"]", "mean-elo ..2400", false},
        {"[WhiteElo \"2400\"]\n[BlackElo \"2401\"]", "mean-elo 2401..", false},
        {"[WhiteElo \"2400\"]\n[BlackElo \"2401\"]", "mean-elo 2400..2401", true},
        {"[Event \"FICS unrated blitz game\"]", "mode rated", false},
        {"[Event \"FICS unrated blitz game\"]", "mode casual", true},
        {"[Event \"Rated Blitz game\"]", "mode rated", true},
        {"[TimeControl \"15+0\"]", "speed ultrabullet", true},
        {"[TimeControl \"15+0\"]", "speed bullet", true},
        {"[TimeControl \"30+0\"]", "speed ultrabullet", false},
        {"[WhiteElo \"?\"]", "white-elo ..3000", false},
        {"[BlackTitle \"GM\"]", "title gm", true},
        {"[BlackTitle \"WGM\"]", "title gm", false},
        {"[BlackTitle \"GM\"]", "white-title gm", false},
        {"[BlackTitle \"GM\"]", "black-title gm", true},
        {"[BlackTitle \"GM\"]", "white-title \"\"", true},
        {"[BlackTitle \"GM\"]", "either white-title gm", true},
        {"[White \"Carlsen,M\"]", "human", true},
        {"[White \"Meyer,Fritz\"]", "human", true},
        {"[White \"Fritz,Juergen\"]", "human", true},
        {"[White \"Rybka,A\"]", "human", true},
        {"[White \"Compton,A\"]", "human", true},
        {"[White \"Gullaksen,E\"]", "human", true},
        {"[White \"Naumkin,I\"]", "human", true},
        {"[White \"Deepan,C\"]", "human", true},
        {"[White \"Silva,Junior\"]", "human", true},
        {"[White \"Deep\"]", "human", true},
        {"[White \"\"]", "human", true},
        {"[Black \"Stockfish 15.1\"]", "human", false},
        {"[Black \"Fritz\"]", "human", false},
        {"[Black \"FRITZ6\"]", "human", false},
        {"[Black \"Deep Fritz\"]", "human", false},
        {"[Black \"Comp Zappa\"]", "human", false},
        {"[Black \"Gambit Tiger 2.0\"]", "human", false},
        {"[Black \"HIARCSX\"]", "human", false},
        {"[Black \"Leela Chess Zero\"]", "human", false},
        {"[Black \"Deep Blue\"]", "human", false},
        {"[Black \"Rybka 2.3.2a\"]", "human", false},
        {"[Black \"Anand,V / Komodo9\"]", "human", false},
        {"[WhiteTitle \"BOT\"]", "human", false},
        {"[WhiteTitle \"GM\"]", "human", true},
        {"[BlackType \"program\"]", "human", false},
        {"[BlackType \"human\"]", "human", true},
        {"[Event \"TCEC Season 7 Final 2014\"]", "human", false},
        {"[Event \"World Computer Championship\"]", "human", false},
        {"[Event \"Sparkassen Man-Machine Match\"]", "human", false},
        {"[Event \"Tespo Engineering\"]", "human", true},
        {"[Event \"Linares\"]", "human", true},
        {"[Variant \"Fischerandom\"]", "fischer-random", true},
        {"[Variant \"Chess960\"]", "fischer-random", true},
        {"[Variant \"Standard\"]", "fischer-random", false},
        {"[Event \"x\"]", "fischer-random", false},
        {"[ECO \"C20\"]", "eco C20", true},
        {"[ECO \"C20\"]", "eco B..", true},
        {"[ECO \"C20\"]", "eco ..C1", false},
        {"[ECO \"C20\"]", "eco ..C2", true},
        {"[Event \"x\"]", "eco B90", true}, /* by the table of openings */
        {"[Event \"x\"]", "tag ECO \"\"", true},
        {"[Event \"x\"]", "eco b90..b99", true},
        {"[Event \"x\"]", "named Najdorf", true},
        {"[Event \"x\"]", "named \"najdorf sicilian\"", true},
        {"[Event \"x\"]", "opening \"1. e4 c5\"", true},
        {"[Event \"x\"]", "opening \"1. e4 e5\"", false},
        {"[Event \"x\"]", "id 7", true},
        {"[Event \"x\"]", "id 8..", false},
        {"[Event \"x\"]", "result 1-0", true},
        {"[Event \"x\"]", "either result 0-1", true},
        {"[Event \"x\"]", "annotated", false},
        {"[Event \"x\"]", "tag Date \"\"", true},
        {"[Date \"2019.05.31\"]", "tag Date =\"2019.05.31\"", true},
        {"[WhiteElo \"2500\"]", "tag WhiteElo 2500", true},
        {"[X \"a \\\"b\\\"\"]", "tag X =\"a \\\"b\\\"\"", true},
        {"[Event \"x\"]", "tag Y \"\"", true},
        {"[Hard \"10\"]", "tag Hard > \"9\"", true},
        {"[Hard \"10\"]", "tag Hard < \"10\"", false},
        {"[Hard \"10\"]", "tag Hard <= \"10.0\"", true},
        {"[Hard \"-1.5\"]", "tag Hard < \"-1.25\"", true},
        {"[Hard \"+1.5\"]", "tag Hard >= \"1.500001\"", false},
        {"[Hard \"1234567890\"]", "tag Hard > \"1\"", false}, /* too long for a number */
        {"[Hard \"easy\"]", "tag Hard > \"1\"", false},
        {"[Hard \".\"]", "tag Hard >= \"0\"", false},
        {"[Hard \"?\"]", "tag Hard < \"z\"", false},
        {"[Event \"x\"]", "tag Hard >= \"0\"", false},
        {"[Event \"x\"]", "tag Hard < \"\"", false},
        {"[Section \"b10\"]", "tag Section > \"B9\"", true},
        {"[Section \"b10\"]", "tag Section <= \"b010\"", true},
        {"[Section \"b10\"]", "tag Section < \"b10.1\"", true},
        {"[EventDate \"2019.03.15\"]", "tag EventDate > \"2019.03.02\"", true},
        {"[EventDate \"2019.03.15\"]", "tag EventDate < \"2019.10.01\"", true},
        {"[UTCTime \"09:30:00\"]", "tag UTCTime < \"12:00:00\"", true},
        {"[TimeControl \"40/5400+30:1800\"]", "tag TimeControl >= \"5400\"", true},
        {"[TimeControl \"300+8\"]", "tag TimeControl > \"300\"", false},
        {"[TimeControl \"-\"]", "tag TimeControl <= \"300\"", false},
        {"[WhiteElo \"2500\"]", "tag WhiteElo >= \"2500\"", true},
        {"[Event \"Open 9\"]", "tag Event < \"open 10\"", true},
        {"[Termination \"Time forfeit\"]", "termination \"forfeit time\"", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_game(rows[i].tags, rows[i].query, rows[i].holds);
}

/* ---- Patterns -------------------------------------------------------------------------------------------------- */

TEST(test_query_answers__patterns_match_and_do_not_match)
{
    static const struct {
        const char *name, *yes, *no;
    } rows[] = {
        {"iqp", "4k3/pp3ppp/4p3/8/3P4/8/PP3PPP/4K3 w - - 0 1", "4k3/pp3ppp/4p3/8/3P4/4P3/PP3PPP/4K3 w - - 0 1"},
        {"hanging-pawns", "4k3/pp3ppp/4p3/8/2PP4/8/P4PPP/4K3 w - - 0 1",
         "4k3/pp3ppp/4p3/8/2PP4/1P6/5PPP/4K3 w - - 0 1"},
        {"carlsbad", "4k3/pp3ppp/2p5/3p4/3P4/4P3/PP3PPP/4K3 w - - 0 1",
         "4k3/pp3ppp/2p1p3/3p4/3P4/4P3/PP3PPP/4K3 w - - 0 1"},
        {"maroczy", "4k3/pp1ppppp/8/8/2P1P3/8/PP3PPP/4K3 w - - 0 1", "4k3/pppppppp/8/8/2P1P3/8/PP3PPP/4K3 w - - 0 1"},
        {"stonewall", "4k3/8/8/8/3P1P2/4P3/8/4K3 w - - 0 1", "4k3/8/8/8/3PPP2/8/8/4K3 w - - 0 1"},
        {"hedgehog", "4k3/5ppp/pp1pp3/8/2P1P3/8/PP3PPP/4K3 w - - 0 1",
         "4k3/1p3ppp/p2pp3/8/2P1P3/8/PP3PPP/4K3 w - - 0 1"},
        {"benoni", "4k3/pp3p1p/3p2p1/2pP4/4P3/8/PP3PPP/4K3 w - - 0 1",
         "4k3/pp3p1p/3p2p1/2pP4/2P1P3/8/PP3PPP/4K3 w - - 0 1"},
        {"dragon", "4k3/pp2ppbp/3p2p1/8/4P3/8/PPP2PPP/4K3 w - - 0 1",
         "4k3/pp2pp1p/3p2pb/8/4P3/8/PPP2PPP/4K3 w - - 0 1"},
        {"passed-pawn", "4k3/8/8/8/P1p5/8/8/4K3 w - - 0 1", "4k3/1p6/8/8/P7/8/8/4K3 w - - 0 1"},
        {"isolated-pawn", "4k3/8/8/8/P7/2P5/8/4K3 w - - 0 1", "4k3/8/8/8/P7/1P6/8/4K3 w - - 0 1"},
        {"doubled-pawns", "4k3/8/8/8/7P/7P/8/4K3 w - - 0 1", "4k3/8/8/7p/7P/6P1/8/4K3 w - - 0 1"},
        {"bishop-pair", "4k1b1/8/8/8/8/8/8/B3KB2 w - - 0 1", "4k3/8/8/8/8/8/8/B1B1K3 w - - 0 1"},
        {"rook-on-seventh", "6k1/3R4/8/8/8/8/8/4K3 w - - 0 1", "6k1/3r4/8/8/8/8/8/4K3 w - - 0 1"},
        {"pawn-ending", "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "4k3/8/8/8/4P3/8/8/4KN2 w - - 0 1"},
        {"rook-ending", "4k2r/8/8/8/4P3/8/8/R3K3 w - - 0 1", "4k2r/8/8/8/4P3/8/8/R3K1N1 w - - 0 1"},
        {"queen-ending", "4k3/7q/8/8/4P3/8/8/Q3K3 w - - 0 1", "4k3/7r/8/8/4P3/8/8/Q3K3 w - - 0 1"},
        {"minor-ending", "4k3/7b/8/8/4P3/8/8/N3K3 w - - 0 1", "4k3/7r/8/8/4P3/8/8/N3K3 w - - 0 1"},
        {"greek-gift",
         "[FEN \"rnbq1rk1/pppnbppp/4p3/3pP3/3P4/2NB1N2/PPP2PPP/R1BQK2R w KQ - 0 1\"] 1. Bxh7+ Kxh7 2. Ng5+ Kg8 *",
         "[FEN \"rnbq1rk1/pppnbppp/4p3/3pP3/3P4/2NB1N2/PPP2PPP/R1BQK2R w KQ - 0 1\"] 1. Bxh7+ Kh8 2. Ng5 *"},
        {"exchange-sacrifice",
         "[FEN \"2r3k1/5ppp/5n2/8/8/2N5/PP1P1PPP/R3K3 b - - 0 1\"] 1... Rxc3 2. bxc3 Kf8 3. Kd1 Ke8 4. Kc2 Kd8 5. Kb3 "
         "Kc8 *",
         "[FEN \"2r3k1/5ppp/5n2/8/8/2N5/PP1P1PPP/R3K3 b - - 0 1\"] 1... Kf8 2. Kd1 Ke8 *"},
        {"opposite-castling", "[FEN \"r3k2r/5p2/8/8/8/8/5P2/R3K2R w KQkq - 0 1\"] 1. O-O O-O-O *",
         "[FEN \"r3k2r/5p2/8/8/8/8/5P2/R3K2R w KQkq - 0 1\"] 1. O-O O-O *"},
        {"underpromotion", "[FEN \"8/P1k5/8/8/8/8/8/K7 w - - 0 1\"] 1. a8=N+ *",
         "[FEN \"8/P1k5/8/8/8/8/8/K7 w - - 0 1\"] 1. a8=Q *"},
        {"smothered-mate", "6rk/5Npp/8/8/8/8/8/K7 b - - 0 1", "7k/5Npp/8/8/8/8/6Q1/K5R1 b - - 0 1"},
        {"back-rank-mate", "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", "R5k1/5p1p/6p1/8/8/8/1B6/K7 b - - 0 1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static uint8_t bytes[TBY_CHESSGAME_SIZE];
        tby_query_game game = {.moves = bytes};
        tby_query *q = query_of(rows[i].name);
        tby_query_state *s = tby_query_state_new(q, NULL);
        for (int no = 0; no < 2; no++) {
            const char *text = no ? rows[i].no : rows[i].yes;
            if (tby_chessgame_read(bytes, &game.n_moves, text, strlen(text), 0, NULL, NULL) != TBY_OK)
                fail_msg("no game: %s", text);
            if ((tby_query_first(s, &game) >= 0) == no)
                fail_msg("%s: %s", rows[i].name, text);
        }
        tby_query_state_free(s);
        tby_query_free(q);
    }
    /* Every pattern has a row above. */
    for (size_t i = 0; tby_query_pattern_at(i); i++) {
        size_t row_of_name = 0;
        while (row_of_name < sizeof rows / sizeof *rows &&
               strcmp(rows[row_of_name].name, tby_query_pattern_at(i)->name) != 0)
            row_of_name++;
        if (row_of_name == sizeof rows / sizeof *rows)
            fail_msg("no test for %s", tby_query_pattern_at(i)->name);
    }
}

int main(void) { return tests_run(NULL, NULL); }
