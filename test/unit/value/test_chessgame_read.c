/*
 * test_chessgame_read.c - packed games from text and back, and how errors are reported.
 */
#include "value_support.h"

TEST(test_chessgame_read__move_text_in_many_forms)
{
    assert_reads("", "*");
    assert_reads(" \n", "*");
    assert_reads("*", "*");
    assert_reads("1-0", "1-0");
    assert_reads("1/2-1/2", "1/2-1/2");
    assert_reads("1.e4 e5 2.h3 d5 1-0", "1. e4 e5 2. h3 d5 1-0");
    assert_reads("e4 e5 Nf3", "1. e4 e5 2. Nf3 *");
    assert_reads("e2e4 e7e5 g1f3", "1. e4 e5 2. Nf3 *");
    assert_reads("1... e4 7. e5", "1. e4 e5 *"); /* move numbers are not trusted */
    assert_reads("1. e4 {comment} e5 $1 (1... c5 2. Nf3) 2. Nf3! ; rest\n", "1. e4 e5 2. Nf3 *");
    assert_reads("1.e4 e5 1\xe2\x80\x93"
                 "0",
                 "1. e4 e5 1-0");
    assert_reads("1.e4 \xc2\xbd\xe2\x80\x93\xc2\xbd", "1. e4 1/2-1/2");
}

TEST(test_chessgame_read__a_result_after_a_white_move_is_not_a_black_move)
{
    assert_reads("1. e4 1-0", "1. e4 1-0");
    assert_reads("1. e4 e5 2. Nf3 0-1", "1. e4 e5 2. Nf3 0-1");
    assert_reads("1. e4 1/2-1/2", "1. e4 1/2-1/2");
    assert_reads("1. e4 *", "1. e4 *");
}

TEST(test_chessgame_read__promotions_in_four_spellings)
{
    static const char *const spellings[] = {"e8=Q", "e8Q", "e8(Q)", "e8/Q", "e7e8q"};
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        char text[128];
        snprintf(text, sizeof text, "[FEN \"8/4P3/8/8/8/8/k6K/8 w - - 0 1\"] 1. %s", spellings[i]);
        assert_reads(text, "[FEN \"8/4P3/8/8/8/8/k6K/8 w - - 0 1\"] 1. e8=Q *");
    }
    assert_refused("[FEN \"8/4P3/8/8/8/8/k6K/8 w - - 0 1\"] 1. e8", "promotion", "ply 1");
}

TEST(test_chessgame_read__other_start_positions)
{
    assert_reads("[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 3 7\"] 7... Kd7 8. e4 0-1",
                 "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 3 7\"] 7... Kd7 8. e4 0-1");
    assert_reads("4k3/8/8/8/8/8/4P3/4K3 b - - 3 7", "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 3 7\"] *");
    assert_reads("  4k3/8/8/8/8/8/4P3/4K3 b", "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 1\"] *");
    assert_reads(START_FEN, "*");
    assert_reads("[FEN \"" START_FEN "\"] 1. e4", "1. e4 *");
    assert_reads("[Event \"?\"]\n[Result \"0-1\"]\n\n1. e4 e5\n", "1. e4 e5 0-1");
}

TEST(test_chessgame_read__chess960_castling)
{
    const char *text = "[FEN \"4k3/8/8/8/8/8/8/1RK5 w B - 0 1\"] 1. O-O-O Kf8 *";
    static value v;
    memory m = {0};
    assert_reads(text, text);
    read_value(&v, text);
    assert_true(tby_chessgame_write_line(v.bytes, v.n, move_notation("uci"), memory_sink, &m, NULL));
    assert_string_equal(text_of(&m), "c1b1 e8f8");
    memory_clear(&m);
    assert_reads("[Variant \"Chess960\"][FEN \"bnrbkqnr/pppppppp/8/8/8/8/PPPPPPPP/BNRBKQNR w KQkq - 0 1\"] *",
                 "[FEN \"bnrbkqnr/pppppppp/8/8/8/8/PPPPPPPP/BNRBKQNR w HChc - 0 1\"] *");
}

TEST(test_chessgame_read__games_over_256_plies_are_not_truncated)
{
    static value v;
    memory text = {0};
    for (int i = 0; i < TBY_PLIES_MAX / 4; i++)
        memory_add(&text, "Nf3 Nf6 Ng1 Ng8 ", 16);
    memory_add(&text, "a3 ", 3);
    assert_int_equal(tby_chessgame_read(v.bytes, &v.n, (char *)text.data, text.n, 0, NULL, NULL), TBY_OK);
    assert_int_equal(tby_packed_n_plies(v.bytes, v.n), TBY_PLIES_MAX);
    memory_add(&text, "Nf6", 3);
    tby_chessgame_error err;
    tby_position start;
    tby_position_start(&start);
    assert_int_equal(tby_chessgame_read(v.bytes, &v.n, (char *)text.data, text.n, 0, NULL, &err), TBY_TOO_LONG);
    assert_int_equal(err.ply, TBY_PLIES_MAX + 1);
    assert_int_equal(
        tby_chessgame_read_line(v.bytes, &v.n, &start, move_notation("san"), (char *)text.data, text.n, &err),
        TBY_TOO_LONG);
    memory_clear(&text);
}

TEST(test_chessgame_read__faults_name_ply_token_and_fen)
{
    assert_refused("1. e4 e5 2. Qh6 Nc6", "illegal move: \"Qh6\"",
                   "(ply 3, FEN rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2)");
    assert_refused("[FEN \"4k2r/r3bppp/p1p5/3pR3/Pp1P1B2/7P/1PP2PP1/R5K1 w k - 0 37\"] 37. Re1",
                   "ambiguous move: \"Re1\"", "ply 1");
    assert_refused("1. e4 xyzzy", "\"xyzzy\"", "ply 2");
    assert_refused("1. e4 (1. Ke3) e5", "\"Ke3\"", "ply 1");
    assert_refused("1. e4 e5 2. Qh5 Nc6 3. Qxf7 -- 4. d4", "illegal null move", "ply 6");
    assert_refused("1. e4 e5 2. 0-0", "illegal move: \"0-0\"", "ply 3");
    assert_refused("1. e4 { e5 2. Nf3", "the comment is not closed", "ply 2");
    assert_refused("[Variant \"Atomic\"] 1. e4", "the variant is not supported: \"Atomic\"", "");
    assert_refused("1. e4 * 1. d4 *", "one game only", "");
    assert_refused("8/8/8/8 w - - 0 1", "8 ranks expected", "");
    assert_refused("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "illegal position", "in check");
    assert_refused("[FEN \"zzz\"] *", "placement", "zzz");
    assert_refused("1. e4 \x01\x02", "?", "ply 2");
}

static void check_prefix(const char *text, const char *expected)
{
    static value v;
    tby_chessgame_error err;
    assert_int_equal(tby_chessgame_read(v.bytes, &v.n, text, strlen(text), TBY_CHESSGAME_PREFIX, NULL, &err), TBY_OK);
    assert_int_not_equal(err.error.status, TBY_OK);
    assert_game(v.bytes, v.n, expected);
}

TEST(test_chessgame_read__the_legal_beginning_on_request)
{
    static value v;
    check_prefix("1. e4 e5 2. Qh6 Nc6 1-0", "1. e4 e5 1-0");
    check_prefix("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"] 1. d4 *", "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"] *");
    check_prefix("1. e4 (1. Ke3) e5", "1. e4 e5 *"); /* the main line has no fault */
    assert_int_equal(tby_chessgame_read(v.bytes, &v.n, "[FEN \"zzz\"] *", 13, TBY_CHESSGAME_PREFIX, NULL, NULL),
                     TBY_INVALID_PLACEMENT);
    assert_int_equal(tby_chessgame_read(v.bytes, &v.n, "e4 * d4 *", 9, TBY_CHESSGAME_PREFIX, NULL, NULL),
                     TBY_INVALID_PGN);
}

TEST(test_chessgame_read__any_text_is_safe)
{
    static value v;
    static char text[1 << 20];
    tby_chessgame_error err;
    char message[TBY_CHESSGAME_ERROR_SIZE];
    for (int c = 0; c < 256; c++) {
        const size_t n = strchr("({[1e.$/\\*K ", c) ? sizeof text : 1;
        memset(text, c, n);
        if (tby_chessgame_read(v.bytes, &v.n, text, n, 0, NULL, &err) != TBY_OK)
            assert_true(tby_chessgame_error_write(message, sizeof message, &err) < sizeof message);
    }
    assert_int_not_equal(tby_chessgame_read(v.bytes, &v.n, "1. e4\0e5", 8, 0, NULL, &err), TBY_OK);
    assert_int_equal(tby_chessgame_read(v.bytes, &v.n, NULL, 0, 0, NULL, &err), TBY_OK);
}

TEST(test_chessgame_read__no_memory_is_reported)
{
    static value v;
    meter m = {.fail_at = 1};
    const tby_allocator allocator = {meter_resize, &m};
    tby_chessgame_error err;
    assert_int_equal(tby_chessgame_read(v.bytes, &v.n, "e4", 2, 0, &allocator, &err), TBY_NO_MEMORY);
    m = (meter){0};
    assert_int_equal(tby_chessgame_read(v.bytes, &v.n, "e4", 2, 0, &allocator, &err), TBY_OK);
    assert_int_equal(m.in_use, 0);
}

/* Writing and reading returns the same bytes, through every move notation that can hold the game and through a tree. */
static void check_ways(const value *v, const tby_position *start, tby_game *game)
{
    static value back;
    memory m = {0};
    assert_true(tby_chessgame_write(v->bytes, v->n, memory_sink, &m));
    assert_int_equal(tby_chessgame_read(back.bytes, &back.n, (char *)m.data, m.n, 0, NULL, NULL), TBY_OK);
    assert_int_equal(back.n, v->n);
    assert_memory_equal(back.bytes, v->bytes, v->n);
    for (size_t i = 0; tby_move_notation_at(i); i++) {
        const tby_move_notation *notation = tby_move_notation_at(i);
        m.n = 0;
        if (!tby_chessgame_write_line(v->bytes, v->n, notation, memory_sink, &m, NULL)) {
            assert_non_null(notation->cannot_hold);
            continue;
        }
        assert_int_equal(tby_chessgame_read_line(back.bytes, &back.n, start, notation, (char *)m.data, m.n, NULL),
                         TBY_OK);
        assert_int_equal(tby_packed_prefix(back.bytes, back.n), tby_packed_prefix(v->bytes, v->n));
        assert_memory_equal(back.bytes, v->bytes, tby_packed_prefix(v->bytes, v->n));
    }
    memory_clear(&m);
    assert_true(tby_chessgame_to_game(game, v->bytes, v->n));
    assert_int_equal(tby_chessgame_of_game(back.bytes, &back.n, game, NULL), TBY_OK);
    assert_int_equal(back.n, v->n);
    assert_memory_equal(back.bytes, v->bytes, v->n);
}

TEST(test_chessgame_read__what_is_written_is_read_back_in_every_notation)
{
    static value v;
    static tby_move moves[400];
    uint64_t seed = 2024;
    tby_game *game = new_game();
    for (unsigned i = 0; i < 200; i++) {
        const tby_position start = i % 3 == 0   ? chess960_start(518)
                                   : i % 3 == 1 ? chess960_start(random_below(&seed, 960))
                                                : random_board(&seed, 12);
        const size_t n = random_moves(moves, 200, &start, &seed);
        v.n = tby_packed_encode(v.bytes, sizeof v.bytes, &start, moves, n, (tby_result)(i % 4));
        check_ways(&v, &start, game);
    }
    tby_game_free(game);
}

TEST(test_chessgame_read__results_after_lines)
{
    static value v;
    tby_position start;
    tby_position_start(&start);
    assert_int_equal(tby_chessgame_read_line(v.bytes, &v.n, &start, move_notation("uci"), "e2e4 e7e5 0-1\n", 14, NULL),
                     TBY_OK);
    assert_game(v.bytes, v.n, "1. e4 e5 0-1");
    assert_int_equal(tby_chessgame_read_line(v.bytes, &v.n, &start, move_notation("uci"), "", 0, NULL), TBY_OK);
    assert_game(v.bytes, v.n, "*");
    tby_chessgame_error err;
    assert_int_equal(tby_chessgame_read_line(v.bytes, &v.n, &start, move_notation("uci"), "e2e4 e7e4", 9, &err),
                     TBY_ILLEGAL_MOVE);
    assert_int_equal(err.ply, 2);
    assert_string_equal(err.token, "e7e4");
}

TEST(test_chessgame_read__null_moves_in_the_main_line_were_refused)
{
    static value v;
    tby_chessgame_error err;
    assert_reads("1. e4 -- 2. d4 d5 1-0", "1. e4 -- 2. d4 d5 1-0");
    assert_reads("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"] 1. -- *",
                 "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"] 1. -- *");
    tby_game *game = new_game();
    const tby_node e4 = tby_game_add(game, TBY_ROOT, TBY_MOVE(12, 28, 0));
    tby_game_add(game, e4, TBY_MOVE_NULL);
    assert_int_equal(tby_chessgame_of_game(v.bytes, &v.n, game, &err), TBY_OK);
    assert_int_equal(tby_packed_n_plies(v.bytes, v.n), 2);
    tby_game_free(game);
}

/* Writes a game with a null move as a line, and reads that back. */
static void assert_line_of_null_move(const char *notation, const char *text)
{
    static value v, back;
    memory m = {0};
    tby_chessgame_error err;
    tby_position start;
    tby_position_start(&start);
    read_value(&v, "1. e4 -- 2. d4");
    assert_true(tby_chessgame_write_line(v.bytes, v.n, move_notation(notation), memory_sink, &m, &err));
    assert_int_equal(m.n, strlen(text));
    assert_memory_equal(m.data, text, m.n);
    assert_int_equal(
        tby_chessgame_read_line(back.bytes, &back.n, &start, move_notation(notation), (const char *)m.data, m.n, &err),
        TBY_OK);
    assert_int_equal(err.null_ply, 2);
    assert_int_equal(back.n, v.n);
    assert_memory_equal(back.bytes, v.bytes, v.n);
    memory_clear(&m);
}

TEST(test_chessgame_read__a_longer_word_was_read_beyond_a_null_moves_name)
{
    assert_true(tby_line_is_null_move("--", 2) && tby_line_is_null_move("0000", 4) && tby_line_is_null_move("null", 4));
    assert_false(tby_line_is_null_move("--e4e5e6e7e8d8d7d6", 18) || tby_line_is_null_move("0000000000000000", 16));
    assert_false(tby_line_is_null_move("-", 1) || tby_line_is_null_move("", 0) || tby_line_is_null_move("nul", 3));
}

TEST(test_chessgame_read__lines_could_not_hold_null_moves)
{
    static const char *const without[] = {"base64-moves", "short", "cmbr"};
    static value v;
    tby_chessgame_error err;
    tby_position start;
    assert_line_of_null_move("san", "e4 -- d4");
    assert_line_of_null_move("lan", "e2-e4 -- d2-d4");
    assert_line_of_null_move("uci", "e2e4 0000 d2d4");
    assert_line_of_null_move("boardinfo-moves", "e2e4 0000 d2d4");
    for (size_t i = 0; i < 3; i++) {
        memory m = {0};
        read_value(&v, "1. e4 -- 2. d4");
        assert_false(tby_chessgame_write_line(v.bytes, v.n, move_notation(without[i]), memory_sink, &m, &err));
        assert_int_equal(err.error.status, TBY_CANNOT_HOLD);
        assert_int_equal(err.ply, 2);
        memory_clear(&m);
    }
    tby_position_start(&start);
    assert_int_equal(
        tby_chessgame_read_line(v.bytes, &v.n, &start, move_notation("uci"), "e2e4 f7f6 d1h5 0000", 19, &err),
        TBY_ILLEGAL_NULL_MOVE);
    assert_int_equal(err.ply, 4);
}

TEST(test_chessgame_read__null_moves_were_not_reported)
{
    static value v;
    char text[TBY_CHESSGAME_ERROR_SIZE];
    tby_chessgame_error err;
    static const char *const games[][2] = {
        {"1. e4 -- 2. d4 -- 1-0", "null move in the main line (ply 2)"},
        {"1. e4 (1. -- e5) e5 *", ""},
        {"[FEN \"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1\"] 1. c4 *",
         "dropped castling rights that only Chess960 has: [Variant \"Chess960\"] or --chess960 keeps them"},
        {"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1",
         "dropped castling rights that only Chess960 has: [Variant \"Chess960\"] or --chess960 keeps them"},
        {"1. e4, -- 2. d41-0", "null move in the main line (ply 2); ignored (byte 5)"},
        {"[pgn]1. e4 *[/pgn]", "ignored (byte 0)"},
        {"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1", ""},
        {"4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", ""},
        {"[Variant \"Chess960\"] [FEN \"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1\"] 1. c4 *", ""},
    };
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        assert_int_equal(tby_chessgame_read(v.bytes, &v.n, games[i][0], strlen(games[i][0]), 0, NULL, &err), TBY_OK);
        tby_chessgame_warning_write(text, sizeof text, &err);
        assert_string_equal(text, games[i][1]);
    }
}

TEST(test_chessgame_read__a_long_token_is_truncated_between_characters)
{
    char text[3 + 2 * 60 + 1] = "x";
    for (int i = 0; i < 60; i++)
        strcat(text, "\xc3\xa9");
    assert_refused(text, "\xc3\xa9\": ", "x\xc3\xa9");
    assert_refused(text + 1, "\xc3\xa9\": ", "\"\xc3\xa9");
}

int main(void) { return tests_run(NULL, NULL); }
