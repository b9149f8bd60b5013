/*
 * test_json.c - games as JSON lines: the text, round trips, and every invalid text refused at its byte.
 */
#include "codec_support.h"

static const tby_game_notation *json(void) { return game_notation("json"); }

static void assert_text(const tby_game *game, const char *text)
{
    memory m = written_game(json(), game);
    memory_add(&m, "", 1);
    assert_string_equal((const char *)m.data, text);
    memory_clear(&m);
}

/* ---- Writing --------------------------------------------------------------------------------------------- */

TEST(test_json__text_is_as_documented)
{
    tby_game *game = new_game();
    assert_text(game, "{\"tags\":[],\"result\":\"*\",\"moves\":[]}\n");
    add_tag(game, "White", "Ada");
    add_tag(game, "Event", "\"\\/\b\f\n\r\t\x01\x7f\xc3\xa9");
    tby_game_set_result(game, TBY_WHITE_WINS);
    const tby_node e4 = add_move(game, TBY_ROOT, "e2e4"), d4 = add_move(game, TBY_ROOT, "d2d4");
    add_move(game, e4, "e7e5");
    add_move(game, TBY_ROOT, "c2c4");
    add_move(game, d4, "0000");
    assert_true(tby_game_add_nag(game, e4, 1));
    assert_true(tby_game_add_nag(game, e4, 65535));
    add_comment(game, e4, TBY_COMMENT_BEFORE, "a");
    add_comment(game, e4, TBY_COMMENT_AFTER, "b");
    add_comment(game, e4, TBY_COMMENT_AFTER, "");
    assert_text(game, "{\"tags\":[[\"White\",\"Ada\"],"
                      "[\"Event\",\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\x7f\xc3\xa9\"]],\"result\":\"1-0\",\"moves\":["
                      "{\"san\":\"e4\",\"nags\":[1,65535],\"before\":[\"a\"],\"after\":[\"b\",\"\"],\"variations\":["
                      "[{\"san\":\"d4\"},{\"san\":\"--\"}],[{\"san\":\"c4\"}]]},{\"san\":\"e5\"}]}\n");
    assert_game_comes_back(json(), game);
    tby_game_free(game);
}

TEST(test_json__start_position_and_its_notes)
{
    tby_game *game = new_game();
    const tby_position start = position_of("4k3/8/8/8/8/8/8/1K5R w H - 0 1");
    assert_true(tby_game_set_start(game, &start, true));
    assert_true(tby_game_add_nag(game, TBY_ROOT, 0));
    add_comment(game, TBY_ROOT, TBY_COMMENT_AFTER, "x");
    add_move(game, TBY_ROOT, "b1h1");
    assert_text(game, "{\"tags\":[],\"fen\":\"4k3/8/8/8/8/8/8/1K5R w H - 0 1\",\"chess960\":true,\"result\":\"*\","
                      "\"nags\":[0],\"after\":[\"x\"],\"moves\":[{\"san\":\"O-O\"}]}\n");
    assert_game_comes_back(json(), game);
    tby_game_free(game);
}

TEST(test_json__text_that_is_not_utf8_is_windows_1252)
{
    tby_game *game = new_game();
    add_comment(game, TBY_ROOT, TBY_COMMENT_AFTER, "caf\xe9 \x80\"");
    assert_text(game, "{\"tags\":[],\"result\":\"*\",\"after\":[\"caf\xc3\xa9 \xe2\x82\xac\\\"\"],\"moves\":[]}\n");
    tby_game_free(game);
}

TEST(test_json__a_sink_that_refuses_is_reported)
{
    tby_game *game = new_game();
    assert_false(tby_json_write(game, refusing_sink, NULL));
    tby_game_free(game);
}

/* ---- Round trips ----------------------------------------------------------------------------------------- */

TEST(test_json__random_trees_are_read_back) { assert_random_games_come_back(json(), 0x6a736f6e00000001ULL); }

TEST(test_json__any_byte_in_a_comment_is_read_back)
{
    tby_game *game = new_game();
    char bytes[128];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)i;
    assert_true(tby_game_add_comment(game, TBY_ROOT, TBY_COMMENT_AFTER, bytes, sizeof bytes));
    assert_true(tby_game_set_tag(game, "Event", 5, bytes, sizeof bytes));
    assert_game_comes_back(json(), game);
    tby_game_free(game);
}

TEST(test_json__variations_nested_to_the_limit_and_no_deeper)
{
    memory m = {0};
    tby_game *most = nested_game(64), *more = nested_game(65);
    assert_game_comes_back(json(), most);
    assert_false(tby_json_write(more, memory_sink, &m));
    assert_int_equal(m.n, 0);
    tby_game_free(most);
    tby_game_free(more);
}

/* ---- Reading --------------------------------------------------------------------------------------------- */

static void assert_same(const char *a, const char *b)
{
    tby_game *x = new_game(), *y = new_game();
    tby_error err = {TBY_OK, {0, 0}, 0, NULL};
    if (tby_json_read(x, a, strlen(a), &err) != TBY_OK)
        fail_msg("%s: %s at %zu", a, err.detail, err.offset);
    assert_int_equal(tby_json_read(y, b, strlen(b), NULL), TBY_OK);
    assert_true(same_game(x, y));
    tby_game_free(x);
    tby_game_free(y);
}

TEST(test_json__keys_in_any_order_and_unknown_keys_ignored)
{
    const char usual[] =
        "{\"tags\":[[\"A\",\"b\"]],\"fen\":\"4k3/8/8/8/8/8/8/4K2R w K - 0 1\",\"result\":\"1-0\","
        "\"moves\":[{\"san\":\"O-O\",\"nags\":[1],\"variations\":[[{\"san\":\"Rh2\"}]]},{\"san\":\"Kd7\"}]}";
    assert_same(
        " { \"moves\" : [ { \"variations\" : [ [ { \"san\" : \"Rh2\" } ] ] ,\t\"nags\":[ 1 ], \"san\":\"O-O\"},\r\n"
        "{\"san\":\"Kd7\"}], \"result\":\"1-0\", \"fen\":\"4k3/8/8/8/8/8/8/4K2R w K - 0 1\", "
        "\"tags\":[[\"A\",\"b\"]]}\n",
        usual);
    assert_same("{\"x\":[{\"moves\":[1,-2.5e+7,0,1E9,{}]},null,true,false,[],\"\\u0000\"],"
                "\"tags\":[[\"A\",\"b\"]],\"fen\":\"4k3/8/8/8/8/8/8/4K2R w K - 0 1\",\"result\":\"1-0\",\"\":0,"
                "\"moves\":[{\"san\":\"0-0\",\"nags\":[1],\"eval\":{\"cp\":3},\"variations\":[[{\"san\":\"Rh2\"}]]},"
                "{\"s\\u0061n\":\"\\u004bd7\"}]}",
                usual);
    assert_same("{}", "{\"tags\":[],\"chess960\":false,\"result\":\"*\",\"moves\":[]}");
}

TEST(test_json__escapes)
{
    tby_game *game = new_game();
    const char text[] = "{\"after\":[\"\\u00e9\\u265E\\ud83d\\udc34\\/\\\"\\u0000z\"]}";
    size_t n;
    assert_int_equal(tby_json_read(game, text, sizeof text - 1, NULL), TBY_OK);
    const char *comment = tby_game_comment(game, TBY_ROOT, TBY_COMMENT_AFTER, 0, &n);
    assert_int_equal(n, 13);
    assert_memory_equal(comment, "\xc3\xa9\xe2\x99\x9e\xf0\x9f\x90\xb4/\"\0z", 13);
    tby_game_free(game);
}

static void assert_refused(const char *text, size_t n, tby_status status, size_t offset)
{
    tby_game *game = new_game();
    tby_error err = {TBY_OK, {0, 0}, 9999, NULL};
    char *copy = malloc(n ? n : 1);
    assert_non_null(copy);
    memcpy(copy, text, n);
    const tby_status got = tby_json_read(game, copy, n, &err);
    if (got != status || err.status != status || err.offset != offset)
        fail_msg("%.*s: status %d at %zu (%s)", (int)n, text, got, err.offset, err.detail ? err.detail : "");
    assert_int_equal(tby_json_read(game, copy, n, NULL), status);
    assert_int_equal(tby_game_n_nodes(game), 1);
    assert_int_equal(tby_game_n_tags(game), 0);
    free(copy);
    tby_game_free(game);
}

/* The ^ marks where the fault is, and is removed before reading. */
static void assert_fault(const char *marked, tby_status status)
{
    char text[512];
    const char *mark = strchr(marked, '^');
    assert_non_null(mark);
    const size_t at = (size_t)(mark - marked), n = strlen(marked) - 1;
    memcpy(text, marked, at);
    memcpy(text + at, mark + 1, n - at);
    assert_refused(text, n, status, at);
}

TEST(test_json__wrong_json_is_refused)
{
    /* clang-format off */
    static const char *const faults[] = {
        "^", "^[]", "^null", "{^", "{^1:2}", "{\"a\"^}", "{\"a\":^}", "{\"a\":1^", "{\"a\":1,^}", "{\"a\":1 ^2}",
        "{\"a\":0^1}", "{\"a\":-^}", "{\"a\":1.^}", "{\"a\":1e^}", "{\"a\":1e+^}", "{\"a\":^+1}", "{\"a\":^.5}",
        "{\"a\":^nul}", "{\"a\":^True}", "{\"a\":[1,^]}", "{\"a\":[1^}", "{\"a\":[^}", "{\"a\":\"^", "{\"a\":\"b^",
        "{\"a\":\"^\\x\"}", "{\"a\":\"^\\u12\"}", "{\"a\":\"^\\u12g4\"}", "{\"a\":\"^\\", "{\"a\":\"^\\u123",
        "{\"a\":\"^\\ud800\"}", "{\"a\":\"^\\ud800\\u0041\"}", "{\"a\":\"^\\udc00\"}", "{\"a\":\"^\\ud800\\n12345\"}",
        "{\"a\":\"^\n\"}", "{\"a\":\"^\x1f\"}", "{\"a\":\"^\xff\"}", "{\"a\":\"^\xc0\x80\"}",
        "{\"a\":\"^\xed\xa0\x80\"}",
        "{\"a\":\"^\xf4\x90\x80\x80\"}", "{\"a\":\"^\xe2\x99\"}", "{\"a\":\"^\xc3", "{\"a\":\"^\x80\"}",
        "{\"a\":\"^\xe0\x80\x80\"}", "{\"a\":\"^\xf0\x80\x80\x80\"}", "{\"a\":\"^\xf5\x80\x80\x80\"}", "{\"^\xff\":1}",
    };
    /* clang-format on */
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        assert_fault(faults[i], TBY_INVALID_JSON);
    assert_fault("{}^{}", TBY_INVALID_TRAILING);
    assert_fault("{} ^x", TBY_INVALID_TRAILING);
    assert_refused("{}\0", 3, TBY_INVALID_TRAILING, 2);
    assert_refused("{\"a\":\"\0\"}", 9, TBY_INVALID_JSON, 6);
    assert_refused("\0", 1, TBY_INVALID_JSON, 0);
}

TEST(test_json__wrong_games_are_refused)
{
    /* clang-format off */
    static const char *const faults[] = {
        "{\"tags\":^{}}", "{\"tags\":[^\"A\"]}", "{\"tags\":[^[]]}", "{\"tags\":[^[\"A\"]]}",
        "{\"tags\":[[\"A\",^1]]}", "{\"tags\":[^[\"A\",\"b\",\"c\"]]}", "{\"tags\":[[\"A\",\"b\"],^[\"A\",\"c\"]]}",
        "{\"tags\":[^[\"\",\"b\"]]}", "{\"tags\":[^[\"A b\",\"b\"]]}", "{\"fen\":^null}", "{\"chess960\":^1}",
        "{\"chess960\":^\"true\"}", "{\"result\":^1}", "{\"moves\":^{}}", "{\"moves\":[^\"e4\"]}", "{\"moves\":[^{}]}",
        "{\"moves\":[^{\"nags\":[]}]}", "{\"moves\":[{\"san\":^1}]}", "{\"moves\":[{\"san\":\"e4\",^\"san\":\"e4\"}]}",
        "{\"moves\":[],^\"moves\":[]}", "{\"nags\":[^-1]}", "{\"nags\":[^65536]}", "{\"nags\":[^1.0]}",
        "{\"nags\":[^1e2]}",
        "{\"nags\":[^\"1\"]}", "{\"nags\":^1}", "{\"before\":^\"x\"}", "{\"after\":[^1]}",
        "{\"moves\":[{\"san\":\"e4\",\"variations\":^{}}]}", "{\"moves\":[{\"san\":\"e4\",\"variations\":[^[]]}]}",
        "{\"moves\":[{\"san\":\"e4\",\"variations\":[^{}]}]}",
    };
    /* clang-format on */
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        assert_fault(faults[i], TBY_INVALID_JSON);
    assert_fault("{\"nags\":[0^0]}", TBY_INVALID_JSON);
    assert_fault("{\"result\":\"^2-0\"}", TBY_INVALID_RESULT);
    assert_fault("{\"fen\":\"8/8/8/^9/8/8/8/8 w - - 0 1\"}", TBY_INVALID_PLACEMENT);
    assert_fault("{\"moves\":[{\"san\":\"^e5\"}]}", TBY_ILLEGAL_MOVE);
    assert_fault("{\"moves\":[{\"san\":\"^\"}]}", TBY_INVALID_SAN);
    assert_fault("{\"moves\":[{\"san\":\"e4\",\"variations\":[[{\"san\":\"^e5\"}]]}]}", TBY_ILLEGAL_MOVE);
    assert_fault("{\"moves\":[{\"san\":\"e4\"},{\"san\":\"f6\"},{\"san\":\"Qh5\"},{\"san\":\"^--\"}]}",
                 TBY_ILLEGAL_NULL_MOVE);
}

TEST(test_json__brackets_have_a_limit)
{
    enum { N = 100000 };
    static const char *const openings[] = {"[", "{\"a\":", "[{\"a\":", "{\"moves\":[{\"san\":\"e4\",\"variations\":["};
    for (size_t i = 0; i < sizeof openings / sizeof *openings; i++) {
        memory m = {0};
        tby_game *game = new_game();
        memory_add(&m, "{\"a\":", 5);
        for (int k = 0; k < N; k++)
            memory_add(&m, openings[i], strlen(openings[i]));
        assert_int_equal(tby_json_read(game, (const char *)m.data, m.n, NULL), TBY_TOO_DEEP);
        memory_clear(&m);
        tby_game_free(game);
    }
}

/* A variation of a variation of ...: 65 levels are one too many, and the error says where. */
TEST(test_json__variations_have_a_limit)
{
    for (int depth = 64; depth <= 65; depth++) {
        memory m = {0};
        tby_game *game = new_game();
        tby_error err = {TBY_OK, {0, 0}, 0, NULL};
        memory_add(&m, "{\"moves\":", 9);
        for (int k = 0; k < depth; k++)
            memory_add(&m, "[{\"san\":\"e4\",\"variations\":[", 27);
        memory_add(&m, "[{\"san\":\"d4\"}]", 14);
        for (int k = 0; k < depth; k++)
            memory_add(&m, "]}]", 3);
        memory_add(&m, "}", 1);
        assert_int_equal(tby_json_read(game, (const char *)m.data, m.n, &err), depth == 64 ? TBY_OK : TBY_TOO_DEEP);
        assert_int_equal(err.offset, depth == 64 ? 0 : 9 + 65 * 27 - 1);
        memory_clear(&m);
        tby_game_free(game);
    }
}

TEST(test_json__a_mebibyte_of_anything)
{
    static const char bytes[] = "\0 {}[]\":,0-a\\\xff";
    enum { MEBIBYTE = 1 << 20 };
    char *flood = malloc(MEBIBYTE);
    tby_game *game = new_game();
    assert_non_null(flood);
    for (size_t i = 0; i < sizeof bytes - 1; i++) {
        memset(flood, bytes[i], MEBIBYTE);
        assert_int_not_equal(tby_json_read(game, flood, MEBIBYTE, NULL), TBY_OK);
        memcpy(flood, "{\"moves\":[{\"san\":", 17);
        assert_int_not_equal(tby_json_read(game, flood, MEBIBYTE, NULL), TBY_OK);
    }
    free(flood);
    tby_game_free(game);
}

/* Texts that are truncated, or have one byte changed, never crash the reader; truncated ones are refused. */
TEST(test_json__mutations)
{
    static const char bytes[] = "\0\"\\{}[]:,0z\xff";
    uint64_t random = 0x6a736f6e00000002ULL;
    tby_game *game = new_game(), *back = new_game();
    random_game(game, &random, 8);
    memory line = written_game(json(), game);
    for (size_t i = 0; i + 1 < line.n; i++) {
        char *copy = malloc(i ? i : 1);
        assert_non_null(copy);
        memcpy(copy, line.data, i);
        assert_int_not_equal(tby_json_read(back, copy, i, NULL), TBY_OK);
        free(copy);
        const uint8_t old = line.data[i];
        for (size_t b = 0; b < sizeof bytes - 1; b++) {
            line.data[i] = (uint8_t)bytes[b];
            tby_json_read(back, (const char *)line.data, line.n, NULL);
        }
        line.data[i] = old;
    }
    memory_clear(&line);
    tby_game_free(game);
    tby_game_free(back);
}

TEST(test_json__nomem)
{
    uint64_t random = 0x6a736f6e00000003ULL;
    tby_game *game = new_game();
    random_game(game, &random, 60);
    add_comment(game, TBY_ROOT, TBY_COMMENT_AFTER, "\"");
    assert_reading_survives_no_memory(json(), game);
    tby_game_free(game);
}

/* ---- Tags alone ------------------------------------------------------------------------------------------- */

static void assert_tags(const char *text, const char *expected)
{
    tby_game *game = new_game();
    memory m = {0};
    add_tag(game, "Site", "lost");
    assert_int_equal(tby_json_read_tags(game, text, strlen(text), NULL), TBY_OK);
    assert_true(tby_json_write_tags(game, memory_sink, &m));
    memory_add(&m, "", 1);
    assert_string_equal((const char *)m.data, expected);
    memory_clear(&m);
    tby_game_free(game);
}

TEST(test_json__tags_are_read_from_an_object)
{
    assert_tags("{}", "{}");
    assert_tags(" { \"White\" : \"Ada\" , \"Event\":\"\" } ", "{\"White\":\"Ada\",\"Event\":\"\"}");
    assert_tags("{\"WhiteElo\":2400,\"Online\":true,\"Round\":-1.5e3,\"Black\":null}",
                "{\"WhiteElo\":\"2400\",\"Online\":\"true\",\"Round\":\"-1.5e3\"}");
    assert_tags("{\"White\":\"A\",\"White\":\"B\"}", "{\"White\":\"B\"}");
    assert_tags("{\"\\u0057hite\":\"\\u00e9\\n\"}", "{\"White\":\"\xc3\xa9\\n\"}");
}

TEST(test_json__tags_that_are_not_an_object_leave_the_game_without)
{
    static const struct {
        const char *text;
        size_t offset;
    } bad[] = {{"", 0},
               {"[1]", 0},
               {"{", 1},
               {"{\"White\"}", 8},
               {"{\"a b\":\"x\"}", 2},
               {"{\"W\":[1]}", 5},
               {"{\"W\":{}}", 5},
               {"{\"W\":\"A\"} x", 10},
               {"{\"W\":x}", 5},
               {"{\"\":1}", 2}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        tby_game *game = new_game();
        tby_error err;
        add_tag(game, "Site", "lost");
        assert_int_not_equal(tby_json_read_tags(game, bad[i].text, strlen(bad[i].text), &err), TBY_OK);
        assert_int_equal(err.offset, bad[i].offset);
        assert_int_equal(tby_game_n_tags(game), 0);
        tby_game_free(game);
    }
}

int main(void) { return tests_run(NULL, NULL); }
