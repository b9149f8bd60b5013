/*
 * test_db_row.c - games as rows for tables of other databases: they are read back, duplicates are recognized, and what
 * such tables cannot hold is refused.
 */
#include "db_support.h"

#include "row/row.h"

static tby_game *game_of(const char *pgn)
{
    tby_game *game = new_game();
    tby_pgn *reader = tby_pgn_new_memory(pgn, strlen(pgn), NULL, NULL);
    assert_int_equal(tby_game_read_pgn(game, reader, NULL, NULL), TBY_GAME_GOOD);
    tby_pgn_free(reader);
    return game;
}

static bool rows_same(const tby_row *a, const tby_row *b)
{
    bool answer = false;
    assert_int_equal(tby_row_same(&answer, a, b), TBY_OK);
    return answer;
}

static bool text_equals(tby_text text, const char *s)
{
    return s ? text.s && text.n == strlen(s) && memcmp(text.s, s, text.n) == 0 : !text.s;
}

TEST(test_db_row__columns_hold_the_values_of_tags)
{
    tby_batch *batch = tby_batch_new();
    tby_game *game = game_of("[White \"Ada\"]\n[Black \"\"]\n[Date \"2019.05.??\"]\n[WhiteElo \"2400\"]\n"
                             "[BlackElo \"2400?\"]\n[Result \"0-1\"]\n\n1. e4 c5 2. Nf3 0-1\n");
    assert_int_equal(tby_batch_add(batch, game), TBY_OK);
    const tby_row row = tby_batch_row(batch, 0);
    assert_true(text_equals(row.white, "Ada"));
    assert_true(text_equals(row.black, ""));
    assert_true(text_equals(row.event, NULL));
    assert_true(text_equals(row.eco, "B27"));
    assert_true(text_equals(row.shape, "White Black Date WhiteElo BlackElo Result"));
    assert_true(text_equals(row.tags, "{\"BlackElo\":\"2400?\"}"));
    assert_true(text_equals(row.annotated, NULL));
    assert_int_equal(row.date, 20190500);
    assert_int_equal(row.elo[TBY_WHITE], 2400);
    assert_int_equal(row.elo[TBY_BLACK], 0);
    assert_int_equal(row.result, TBY_BLACK_WINS);
    assert_int_equal(row.plies, 3);
    assert_int_equal(tby_packed_check((const uint8_t *)row.moves.s, row.moves.n, NULL), TBY_OK);
    tby_game_free(game);
    tby_batch_free(batch);
}

TEST(test_db_row__random_games_are_read_back_from_a_batch_and_from_a_database)
{
    enum { GAMES = 200 };
    uint64_t random = 99;
    tby_batch *batch = tby_batch_new();
    tby_game *games[GAMES], *back = new_game();
    db_remove(db_path("rows"));
    tby_db *db = db_open(db_path("rows"), TBY_DB_CREATE);
    for (unsigned i = 0; i < GAMES; i++) {
        games[i] = new_game();
        random_game(games[i], &random, i % 60);
        assert_int_equal(tby_batch_add(batch, games[i]), TBY_OK);
    }
    db_add(db, games, GAMES, TBY_DUPLICATES_KEEP);
    for (unsigned i = 0; i < GAMES; i++) {
        tby_row made = tby_batch_row(batch, i), stored;
        assert_int_equal(tby_row_game(back, &made, NULL), TBY_OK);
        assert_true(same_game(games[i], back));
        db_must(db, tby_db_row(&stored, db, i + 1));
        assert_true(rows_same(&made, &stored));
        assert_true(made.hash == stored.hash);
        assert_int_equal(tby_row_game(back, &stored, NULL), TBY_OK);
        assert_true(same_game(games[i], back));
        tby_game_free(games[i]);
    }
    tby_row none;
    assert_int_equal(tby_db_row(&none, db, GAMES + 1), TBY_NOT_FOUND);
    assert_string_equal(tby_db_failure(db)->text, "there is no game 201");
    tby_game_free(back);
    tby_batch_free(batch);
    tby_db_close(db);
    db_remove(db_path("rows"));
}

/* The values were computed by another program, which reads eight bytes as a little-endian number. */
TEST(test_db_row__the_hash_depended_on_the_byte_order)
{
    static const struct {
        const char *text;
        uint64_t hash;
    } known[] = {
        {"", UINT64_C(0xa3585b18a8f56bc7)},
        {"a", UINT64_C(0x265a4477aca2b987)},
        {"12345678", UINT64_C(0xd8449e46a7eda8c2)},
        {"The quick brown fox", UINT64_C(0xee2421d1091c9201)},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_true(bytes_hash(7, known[i].text, strlen(known[i].text)) == known[i].hash);
}

TEST(test_db_row__only_the_same_game_is_equal)
{
    static const char *const games[] = {
        "[White \"Ada\"]\n\n1. e4 *\n",
        "[White \"Bea\"]\n\n1. e4 *\n",
        "[White \"Ada\"]\n\n1. d4 *\n",
        "[White \"Ada\"]\n\n1. e4 1-0\n",
        "[White \"Ada\"]\n\n1. e4 {!} *\n",
        "[White \"Ada\"]\n[Black \"\"]\n\n1. e4 *\n",
        "[White \"Ada\"]\n[Mode \"OTB\"]\n\n1. e4 *\n",
        "[White \"Ada\"]\n[ECO \"B00\"]\n\n1. e4 *\n",
        "[White \"Ada\"]\n[ECO \"B01\"]\n\n1. e4 *\n",
        "[White \"Ada\"]\n[Date \"2019\"]\n\n1. e4 *\n",
        "[White \"Ada\"]\n[WhiteElo \"2000\"]\n\n1. e4 *\n",
    };
    enum { N = sizeof games / sizeof *games };
    tby_batch *batch = tby_batch_new();
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < N; i++) {
            tby_game *game = game_of(games[i]);
            assert_int_equal(tby_batch_add(batch, game), TBY_OK);
            tby_game_free(game);
        }
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k < N; k++) {
            const tby_row a = tby_batch_row(batch, i), b = tby_batch_row(batch, N + k);
            assert_int_equal(rows_same(&a, &b), i == k);
        }
    /* An ECO code that is not from a tag may differ in another version of the library. */
    tby_row a = tby_batch_row(batch, 0), b = a;
    b.eco = (tby_text){"C99", 3};
    assert_true(rows_same(&a, &b));
    tby_batch_free(batch);
}

TEST(test_db_row__bytes_that_are_not_a_game_are_reported)
{
    tby_error err;
    tby_game *game = new_game();
    tby_row row = {.moves = {"\x10nonsense", 9}};
    assert_int_equal(tby_row_game(game, &row, &err), TBY_INVALID_PACKED);
    row.annotated = (tby_text){"nonsense", 8};
    assert_int_equal(tby_row_game(game, &row, &err), TBY_INVALID_CMBR);
    tby_game_free(game);
}

TEST(test_db_row__what_tables_cannot_hold_is_refused_on_request)
{
    tby_batch *batch = tby_batch_new();
    tby_game *game = game_of("[White \"Ada\"]\n\n1. e4 e5 2. Nf3 *\n");
    assert_int_equal(tby_batch_add(batch, game), TBY_OK);
    const size_t n = tby_batch_row(batch, 0).moves.n;
    tby_batch_restrict(batch, n - 1);
    assert_int_equal(tby_batch_add(batch, game), TBY_TOO_LONG);
    tby_batch_restrict(batch, n);
    assert_int_equal(tby_batch_add(batch, game), TBY_OK);
    /* Two texts that would be valid UTF-8 only together. */
    assert_true(tby_game_set_tag(game, "White", 5, "\xc3", 1));
    assert_true(tby_game_set_tag(game, "Black", 5, "\xa9", 1));
    assert_int_equal(tby_batch_add(batch, game), TBY_CANNOT_HOLD);
    assert_true(tby_game_set_tag(game, "White", 5, "\xc3\xa9", 2));
    assert_true(tby_game_set_tag(game, "Black", 5, "", 0));
    assert_true(tby_game_set_tag(game, "Mode", 4, "\xff", 1));
    assert_int_equal(tby_batch_add(batch, game), TBY_CANNOT_HOLD);
    assert_int_equal(tby_batch_n_games(batch), 2);
    tby_batch_restrict(batch, 0);
    assert_int_equal(tby_batch_add(batch, game), TBY_OK);
    tby_game_free(game);
    tby_batch_free(batch);
}

int main(void) { return tests_run(NULL, NULL); }
