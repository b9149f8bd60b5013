/*
 * test_rows.c - games as rows: the contents of the columns, and which rows are left out.
 */
#include "support.h"
#include "tabiya_table.h"

typedef struct text {
    char s[1 << 16];
    size_t n;
} text;

static bool sink(void *context, const char *s, size_t n)
{
    text *t = context;
    if (t->n + n >= sizeof t->s)
        return false;
    memcpy(t->s + t->n, s, n);
    t->n += n;
    t->s[t->n] = '\0';
    return true;
}

typedef struct memory_source {
    const char *s;
    size_t n;
} memory_source;

static size_t read_memory(void *context, char *buf, size_t cap)
{
    memory_source *m = context;
    const size_t n = m->n < cap ? m->n : cap;
    memcpy(buf, m->s, n);
    m->s += n;
    m->n -= n;
    return n;
}

static char first_fault[TBY_GAME_FAULT_SIZE];

static void keep_fault(void *context, const tby_game_fault *fault)
{
    (void)context;
    if (!*first_fault)
        snprintf(first_fault, sizeof first_fault, "%s", fault->text);
}

static tby_rows_counts counts;

/* The rows as CSV, without the header line. */
static const char *rows_from(const char *notation, const char *s, size_t n_s, const tby_rows_options *options)
{
    static text out;
    const tby_table_format *csv = tby_table_format_find("csv", 3);
    memory_source source = {s, n_s};
    size_t n;
    tby_rows *rows = tby_rows_new(options, NULL, NULL);
    assert_non_null(rows);
    const tby_column *columns = tby_rows_columns(rows, &n);
    tby_table *table = tby_table_new(columns, n, NULL);
    tby_rows_reader *reader =
        tby_rows_reader_new(rows, tby_game_notation_find(notation, strlen(notation)), read_memory, &source, NULL);
    *first_fault = '\0';
    while (tby_rows_reader_next(reader, table, keep_fault, NULL) != TBY_GAME_END)
        ;
    counts = tby_rows_reader_counts(reader);
    assert_int_equal(counts.rows, tby_table_n_rows(table));
    tby_table_piece *piece = tby_table_piece_new(csv, NULL);
    tby_table_writer *writer = tby_table_writer_new(csv, columns, n, sink, &out, NULL);
    out.n = 0;
    *out.s = '\0';
    assert_true(tby_table_encode(piece, table, n));
    assert_true(tby_table_writer_add(writer, piece));
    tby_table_writer_free(writer);
    tby_table_piece_free(piece);
    tby_rows_reader_free(reader);
    tby_table_free(table);
    tby_rows_free(rows);
    return out.s;
}

static const char *rows_of(const char *pgn, const tby_rows_options *options)
{
    return rows_from("pgn", pgn, strlen(pgn), options);
}

/* The same games, by way of trees. */
static void expect_as_tree(const char *pgn, const tby_rows_options *options, const char *expected)
{
    static text json;
    tby_game *game = tby_game_new(NULL);
    tby_pgn *reader = tby_pgn_new_memory(pgn, strlen(pgn), NULL, NULL);
    json.n = 0;
    while (tby_game_read_pgn(game, reader, NULL, NULL) == TBY_GAME_GOOD)
        assert_true(tby_json_write(game, sink, &json));
    tby_pgn_free(reader);
    tby_game_free(game);
    assert_string_equal(rows_from("json", json.s, json.n, options), expected);
}

static const char GAME[] = "[White \"Ada\"]\n[WhiteElo \"2100\"]\n[BlackElo \"?\"]\n[TimeControl \"60+1\"]\n\n"
                           "{before} 1. e4 $1 {[%eval 0.3] [%clk 0:01:00] one} {two} (1. d4 {[%eval 9.0]}) {three} "
                           "e5 {[%clk 0:00:59]} 2. Qh5 $2 $6 {[%eval #-3] [%clk 0:00:50.5]} Ke7 {[%emt 0:00:07]} "
                           "3. Qxe5# 1-0\n";

TEST(test_rows__positions_have_the_move_that_led_there_and_the_next_move)
{
    const tby_rows_options o = {.kind = TBY_ROWS_POSITIONS, .columns = "game,ply,side,san,next_uci,result,score,plies"};
    const char expected[] = "1,0,white,,e2e4,1-0,1,5\n1,1,black,e4,e7e5,1-0,1,5\n1,2,white,e5,d1h5,1-0,1,5\n"
                            "1,3,black,Qh5,e8e7,1-0,1,5\n1,4,white,Ke7,h5e5,1-0,1,5\n1,5,black,Qxe5#,,1-0,1,5\n";
    assert_string_equal(rows_of(GAME, &o), expected);
    expect_as_tree(GAME, &o, expected);
}

TEST(test_rows__moves_have_the_position_before_them)
{
    const tby_rows_options o = {.kind = TBY_ROWS_MOVES, .columns = "ply,side,san,uci,next_san,White,mover_elo,fen"};
    const char *rows = rows_of(GAME, &o);
    assert_non_null(strstr(rows, "1,white,e4,e2e4,e5,Ada,2100," START_FEN "\n"));
    assert_non_null(
        strstr(rows, "2,black,e5,e7e5,Qh5,Ada,,rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\n"));
    assert_int_equal(counts.rows, 5);
    assert_int_equal(counts.plies, 5);
}

TEST(test_rows__notes_are_those_of_the_main_line)
{
    const tby_rows_options o = {.kind = TBY_ROWS_POSITIONS, .columns = "ply,eval,mate,clock,spent,nags,comment"};
    const char expected[] =
        "0,,,,,,before\n1,30,,60,,$1,one two three\n2,,,59,,,\n3,,-3,50.5,10.5,$2 $6,\n4,,,,7,,\n5,,,,,,\n";
    assert_string_equal(rows_of(GAME, &o), expected);
    expect_as_tree(GAME, &o, expected);
}

TEST(test_rows__games)
{
    const tby_rows_options o = {
        .kind = TBY_ROWS_GAMES,
        .columns = "game,White,Black,white_elo,black_elo,eco,moves,moves_uci,start_fen,final_fen"};
    assert_string_equal(rows_of(GAME, &o), "1,Ada,,2100,,C20,e4 e5 Qh5 Ke7 Qxe5#,e2e4 e7e5 d1h5 e8e7 h5e5," START_FEN
                                           ",rnbq1bnr/ppppkppp/8/4Q3/4P3/8/PPPP1PPP/RNB1KBNR b KQ - 0 3\n");
    const tby_rows_options white = {.kind = TBY_ROWS_GAMES, .columns = "White"};
    assert_string_equal(rows_of("[White \"\"]\n\n*\n", &white), "\"\"\n");
    assert_string_equal(rows_of("*", &o), "1,,,,,,\"\",\"\"," START_FEN "," START_FEN "\n");
}

TEST(test_rows__a_board_is_the_position_of_its_row)
{
    const tby_rows_options o = {.kind = TBY_ROWS_POSITIONS, .columns = "key,placement_key,board", .skip_plies = 5};
    const tby_position pos = position_of("rnbq1bnr/ppppkppp/8/4Q3/4P3/8/PPPP1PPP/RNB1KBNR b KQ - 0 3");
    tby_setup setup;
    uint8_t board[TBY_CHESSBOARD_SIZE];
    char expected[256];
    tby_position_setup(&setup, &pos);
    const size_t n = tby_chessboard_encode(board, &setup);
    int at = snprintf(expected, sizeof expected, "%llu,%llu,", (unsigned long long)tby_position_key(&pos),
                      (unsigned long long)pos.placement_key);
    for (size_t i = 0; i < n; i++)
        at += snprintf(expected + at, sizeof expected - (size_t)at, "%02x", board[i]);
    snprintf(expected + at, sizeof expected - (size_t)at, "\n");
    assert_string_equal(rows_of(GAME, &o), expected);
}

/* Rows only rewrite the ranks that a move has changed; tby_fen_write_position writes all. */
TEST(test_rows__fens_are_those_of_playing_through_the_game)
{
    static text pgn, expected;
    const tby_rows_options o = {.kind = TBY_ROWS_POSITIONS, .columns = "fen"};
    char s[TBY_FEN_SIZE + 2];
    uint32_t chance = 1;
    for (int game = 0; game < 8; game++) {
        tby_position pos;
        tby_move moves[TBY_MOVES_MAX];
        size_t n;
        tby_position_start(&pos);
        pgn.n = expected.n = 0;
        for (int ply = 0; ply <= 300; ply++) {
            n = tby_fen_write_position(s, TBY_FEN_SIZE, &pos, 0);
            sink(&expected, s, n);
            sink(&expected, "\n", 1);
            if (ply == 300 || (n = tby_moves_list(moves, &pos)) == 0)
                break;
            chance = chance * 1664525 + 1013904223;
            const tby_move move = moves[(chance >> 16) % n];
            sink(&pgn, s, tby_san_write(s, sizeof s, &pos, move));
            sink(&pgn, " ", 1);
            tby_position_play(&pos, move, NULL);
        }
        sink(&pgn, "*\n", 2);
        assert_string_equal(rows_of(pgn.s, &o), expected.s);
    }
}

TEST(test_rows__filters_count_what_they_leave_out)
{
    tby_rows_options o = {.kind = TBY_ROWS_POSITIONS, .columns = "ply", .skip_plies = 1, .every = 2};
    assert_string_equal(rows_of(GAME, &o), "1\n3\n5\n");
    assert_int_equal(counts.left_out, 3);
    o = (tby_rows_options){.kind = TBY_ROWS_POSITIONS, .columns = "ply", .quiet = true};
    assert_string_equal(rows_of(GAME, &o), "0\n1\n2\n3\n"); /* a capture follows ply 4, and ply 5 is check */
    assert_int_equal(counts.left_out, 2);
    o.kind = TBY_ROWS_MOVES;
    assert_string_equal(rows_of(GAME, &o), "1\n2\n3\n4\n");
    o = (tby_rows_options){.kind = TBY_ROWS_POSITIONS, .columns = "ply,eval", .complete = true};
    assert_string_equal(rows_of(GAME, &o), "1,30\n");
    assert_int_equal(counts.left_out, 5);
}

TEST(test_rows__a_bad_game_produces_no_row_and_keeps_its_number)
{
    const tby_rows_options o = {.kind = TBY_ROWS_MOVES, .columns = "game,san"};
    assert_string_equal(rows_of("1. e4 e5 2. Qh6 *\n\n[Event \"b\"]\n\n1. d4 *\n\n[Event \"c\"]\n\n1. c4 -- *\n", &o),
                        "2,d4\n3,c4\n3,--\n");
    assert_non_null(strstr(first_fault, "illegal move"));
    assert_int_equal(counts.games, 3);
    assert_int_equal(counts.bad, 1);
    assert_string_equal(rows_of("1. c4 -- 2. e4 *", &o), "1,c4\n1,--\n1,e4\n");
    assert_non_null(strstr(first_fault, "warning: null move"));
    assert_string_equal(rows_of("1. c4 (1. e4 --) c5 *", &o), "1,c4\n1,c5\n");
}

TEST(test_rows__chess960_castles_as_king_takes_rook)
{
    const tby_rows_options o = {.kind = TBY_ROWS_MOVES, .columns = "uci,san"};
    assert_string_equal(rows_of("[Variant \"Chess960\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *\n", &o),
                        "e1h1,O-O\n");
    assert_string_equal(rows_of("[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *\n", &o), "e1g1,O-O\n");
}

static void expect_refused(tby_rows_kind kind, const char *columns, size_t offset)
{
    const tby_rows_options o = {.kind = kind, .columns = columns};
    tby_error err = {.status = TBY_OK};
    assert_null(tby_rows_new(&o, NULL, &err));
    assert_int_not_equal(err.status, TBY_OK);
    assert_int_equal(err.offset, offset);
}

TEST(test_rows__unknown_columns)
{
    expect_refused(TBY_ROWS_GAMES, "", 0);
    expect_refused(TBY_ROWS_GAMES, "game,", 5);
    expect_refused(TBY_ROWS_GAMES, "game,fen", 5);
    expect_refused(TBY_ROWS_POSITIONS, "fen,White,fen", 10);
    expect_refused(TBY_ROWS_POSITIONS, "fen,whatever", 4);
    char many[400] = "A";
    for (int i = 0; i < 64; i++)
        snprintf(many + strlen(many), sizeof many - strlen(many), ",A%d", i);
    expect_refused(TBY_ROWS_GAMES, many, 1 + 10 * 3 + 53 * 4 + 1);
}

TEST(test_rows__every_column_is_available)
{
    const tby_rows_column *c;
    for (size_t i = 0; (c = tby_rows_column_at(i)) != NULL; i++)
        for (int kind = TBY_ROWS_GAMES; kind <= TBY_ROWS_MOVES; kind++) {
            const tby_rows_options o = {.kind = (tby_rows_kind)kind, .columns = c->name};
            if (kind != TBY_ROWS_GAMES || c->is_of_game)
                assert_true(strlen(rows_of(GAME, &o)) > 0);
        }
}

int main(void) { return tests_run(NULL, NULL); }
