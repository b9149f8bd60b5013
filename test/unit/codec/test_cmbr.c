/*
 * test_cmbr.c - CMBR records: their bytes, round trips, and every invalid payload refused at its byte.
 *
 * Payloads are written by hand. This file frames them itself, with its own checksum.
 */
#include "codec_support.h"

/* ---- Records by hand ------------------------------------------------------------------------------------- */

enum { FRAME = 12 };

static uint32_t slow_crc(const uint8_t *bytes, size_t n)
{
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < 8 * n; i++) {
        const uint32_t bit = ((uint32_t)bytes[i / 8] >> (i % 8) ^ crc) & 1;
        crc = crc >> 1 ^ (bit ? 0x82f63b78 : 0);
    }
    return ~crc;
}

static void put_32(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* Puts a payload into its frame. */
static memory record_of(const void *payload, size_t n)
{
    memory m = {0};
    uint8_t *checked = malloc(n + 4), frame[FRAME] = {0xf5, 'G', 'M', 1};
    assert_non_null(checked);
    put_32(frame + 4, (uint32_t)n);
    memcpy(checked, frame + 4, 4);
    memcpy(checked + 4, payload, n);
    put_32(frame + 8, slow_crc(checked, n + 4));
    free(checked);
    memory_add(&m, frame, FRAME);
    memory_add(&m, payload, n);
    return m;
}

static const tby_game_notation *cmbr(void) { return game_notation("cmbr"); }

/* ---- The bytes ------------------------------------------------------------------------------------------- */

/* The example of docs/formats/cmbr.md. */
static tby_game *documented_game(void)
{
    tby_game *game = new_game();
    add_tag(game, "White", "Ada");
    tby_game_set_result(game, TBY_WHITE_WINS);
    const tby_node e4 = add_move(game, TBY_ROOT, "e2e4"), d4 = add_move(game, TBY_ROOT, "d2d4");
    add_move(game, e4, "e7e5");
    add_move(game, d4, "0000");
    assert_true(tby_game_add_nag(game, e4, 1));
    assert_true(tby_game_add_nag(game, e4, 300));
    add_comment(game, e4, TBY_COMMENT_AFTER, "hi");
    add_comment(game, d4, TBY_COMMENT_BEFORE, "");
    return game;
}

TEST(test_cmbr__bytes_are_as_documented)
{
    /* clang-format off */
    static const uint8_t payload[] = {
        0x01,                                               /* 1-0, the usual start */
        1, 5, 'W', 'h', 'i', 't', 'e', 3, 'A', 'd', 'a',    /* one tag */
        5,                                                  /* the main line has five words */
        0x70, 0xc0, 0x00,                                   /* e2-e4 */
        0x01, 0x00, 0x08,                                   /* $1 */
        0x01, 0x2c, 0x09,                                   /* $300 */
        0x00, 0x00, 0x80,                                   /* variation 0 is an alternative */
        0x93, 0x48, 0x00,                                   /* e7-e5 */
        2,                                                  /* variation 0 has two */
        0x6c, 0xb0, 0x00,                                   /* d2-d4 */
        0xf3, 0xcd, 0x00,                                   /* null: the king stays on e8 */
        3, 2, 'h', 'i',                                     /* after move 1 */
        3, 0,                                               /* before move 3, empty */
    };
    /* clang-format on */
    tby_game *game = documented_game();
    memory made = written_game(cmbr(), game), wanted = record_of(payload, sizeof payload);
    assert_same_bytes(&made, &wanted);
    memory_clear(&made);
    memory_clear(&wanted);
    tby_game_free(game);
}

TEST(test_cmbr__the_empty_game_is_three_bytes)
{
    tby_game *game = new_game();
    memory made = written_game(cmbr(), game), wanted = record_of("\0\0\0", 3);
    assert_same_bytes(&made, &wanted);
    assert_game_comes_back(cmbr(), game);
    memory_clear(&made);
    memory_clear(&wanted);
    tby_game_free(game);
}

TEST(test_cmbr__header_has_name_and_version)
{
    memory m = {0};
    assert_true(tby_game_notation_find("cmbr", 4)->write_header(memory_sink, &m));
    assert_int_equal(m.n, TBY_CMBR_HEADER_SIZE);
    assert_memory_equal(m.data, "CMBR!\x01\0\0", 8);
    memory_clear(&m);
}

/* ---- Round trips ----------------------------------------------------------------------------------------- */

TEST(test_cmbr__random_trees_are_read_back) { assert_random_games_come_back(cmbr(), 0x636d627200000001ULL); }

TEST(test_cmbr__every_nag_is_read_back)
{
    tby_game *game = new_game();
    const tby_node node = add_move(game, TBY_ROOT, "g1f3");
    for (unsigned nag = 0; nag <= 65535; nag++)
        assert_true(tby_game_add_nag(game, nag % 3 ? node : TBY_ROOT, (uint16_t)nag));
    assert_game_comes_back(cmbr(), game);
    tby_game_free(game);
}

/* Comments with any bytes: the marker, a part of it, and both at the end of the payload. */
TEST(test_cmbr__the_marker_inside_text_is_read_back)
{
    static const char *const texts[] = {"\xf5GM\x01",           "\xf5GM", "\xf5GM\xf5GM\x01",
                                        "\xf5\xf5GM\x01GM\x01", "\xf5G",  ""};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        tby_game *game = new_game();
        add_tag(game, "Event", texts[i]);
        assert_true(tby_game_add_comment(game, TBY_ROOT, TBY_COMMENT_AFTER, "\xf5GM\0\xf5GM", 7));
        add_comment(game, TBY_ROOT, TBY_COMMENT_AFTER, texts[i]);
        memory record = written_game(cmbr(), game);
        for (size_t k = 1; k + 4 <= record.n; k++)
            assert_memory_not_equal(record.data + k, "\xf5GM\x01", 4);
        assert_game_comes_back(cmbr(), game);
        memory_clear(&record);
        tby_game_free(game);
    }
}

TEST(test_cmbr__ten_thousand_deep_and_ten_thousand_long)
{
    static const char *const shuffle[] = {"g1f3", "g8f6", "f3g1", "f6g8"};
    tby_game *deep = nested_game(10000), *longer = new_game();
    tby_node end = TBY_ROOT;
    tby_position pos;
    tby_position_start(&pos);
    for (unsigned i = 0; i < 10000; i++) {
        const tby_move m = move_of(&pos, shuffle[i % 4]);
        end = tby_game_add(longer, end, m);
        tby_position_play(&pos, m, NULL);
    }
    assert_game_comes_back(cmbr(), deep);
    assert_game_comes_back(cmbr(), longer);
    tby_game_free(deep);
    tby_game_free(longer);
}

/* ---- What it cannot hold --------------------------------------------------------------------------------- */

static void assert_not_encoded(const tby_game *game, tby_status status)
{
    memory m = {0};
    tby_error err = {TBY_OK, {0, 0}, 0, NULL};
    assert_int_equal(tby_cmbr_encode(game, memory_sink, &m, NULL, &err), status);
    assert_int_equal(err.status, status);
    assert_int_equal(m.n, 0);
    assert_int_equal(tby_cmbr_encode(game, memory_sink, &m, NULL, NULL), status);
}

TEST(test_cmbr__at_most_65535_variations)
{
    tby_game *game = new_game();
    tby_position start;
    tby_position_start(&start);
    for (unsigned i = 0; i <= 65535; i++)
        assert_int_not_equal(tby_game_add(game, TBY_ROOT, move_of(&start, i % 2 ? "e2e4" : "d2d4")), TBY_NO_NODE);
    assert_game_comes_back(cmbr(), game);
    tby_game_add(game, TBY_ROOT, move_of(&start, "e2e4"));
    assert_not_encoded(game, TBY_CANNOT_HOLD);
    tby_game_free(game);
}

TEST(test_cmbr__at_most_sixteen_mebibytes)
{
    enum { LIMIT = 1 << 24 };
    tby_game *game = new_game();
    char *text = calloc(1, LIMIT);
    assert_non_null(text);
    assert_true(tby_game_add_comment(game, TBY_ROOT, TBY_COMMENT_AFTER, text, LIMIT - 8));
    assert_game_comes_back(cmbr(), game);
    tby_game_clear(game);
    assert_true(tby_game_add_comment(game, TBY_ROOT, TBY_COMMENT_AFTER, text, LIMIT - 7));
    assert_not_encoded(game, TBY_TOO_LONG);
    tby_game_clear(game);
    memset(text, '\xf5', LIMIT); /* bytes inserted by escaping count too */
    for (size_t i = 0; i + 3 < LIMIT - 100; i += 3)
        memcpy(text + i, "\xf5GM", 3);
    assert_true(tby_game_add_comment(game, TBY_ROOT, TBY_COMMENT_AFTER, text, LIMIT - 100));
    assert_not_encoded(game, TBY_TOO_LONG);
    free(text);
    tby_game_free(game);
}

TEST(test_cmbr__a_start_that_fen_cannot_hold_is_refused)
{
    tby_game *game = new_game();
    tby_position start = position_of("4k3/8/8/8/8/8/8/4K3 w - - 0 65535");
    assert_true(tby_game_set_start(game, &start, false));
    assert_game_comes_back(cmbr(), game);
    tby_position_play(&start, move_of(&start, "e1e2"), NULL);
    tby_position_play(&start, move_of(&start, "e8e7"), NULL);
    assert_true(tby_game_set_start(game, &start, false));
    assert_not_encoded(game, TBY_CANNOT_HOLD);
    tby_game_free(game);
}

TEST(test_cmbr__a_sink_that_refuses_is_reported)
{
    tby_game *game = new_game();
    assert_int_equal(tby_cmbr_encode(game, refusing_sink, NULL, NULL, NULL), TBY_IO_ERROR);
    tby_game_free(game);
}

/* ---- Payloads by hand ------------------------------------------------------------------------------------ */

#define E4 "\x70\xc0\x00"
#define D4 "\x6c\xb0\x00"
#define E5 "\x93\x48\x00"
#define POINTER(n) "\x00" n "\x80"
/* A main line from the normal start position, without tags. */
#define LINE(n_words) "\x00\x00" n_words
#define BYTES(text) text, sizeof text - 1

static void assert_bad(const char *payload, size_t n, tby_status status, size_t offset, const char *wanted)
{
    memory record = record_of(payload, n);
    tby_game *game = new_game();
    tby_error err = {TBY_OK, {0, 0}, 9999, NULL};
    char message[TBY_ERROR_SIZE];
    assert_int_equal(tby_cmbr_decode(game, record.data, record.n, &err), status);
    tby_error_write(message, sizeof message, &err);
    if (!strstr(message, wanted))
        fail_msg("\"%s\" does not contain \"%s\"", message, wanted);
    if (err.offset != FRAME + offset)
        fail_msg("%s: byte %zu, not %zu", message, err.offset, FRAME + offset);
    assert_int_equal(tby_game_n_nodes(game), 1);
    assert_int_equal(tby_game_n_tags(game), 0);
    assert_int_equal(tby_cmbr_decode(game, record.data, record.n, NULL), status);
    memory_clear(&record);
    tby_game_free(game);
}

static void assert_invalid(const char *payload, size_t n, size_t offset, const char *wanted)
{
    assert_bad(payload, n, TBY_INVALID_CMBR, offset, wanted);
}

static void assert_reads_as(const char *payload, size_t n, const char *canonical, size_t n_canonical)
{
    memory record = record_of(payload, n), wanted = record_of(canonical, n_canonical);
    tby_game *game = new_game(), *same = new_game();
    assert_reads_game(cmbr(), game, &record);
    assert_reads_game(cmbr(), same, &wanted);
    assert_true(same_game(game, same));
    memory again = written_game(cmbr(), game);
    assert_same_bytes(&again, &wanted);
    memory_clear(&record);
    memory_clear(&wanted);
    memory_clear(&again);
    tby_game_free(game);
    tby_game_free(same);
}

TEST(test_cmbr__invalid_headers_are_refused)
{
    assert_invalid(BYTES(""), 0, "empty");
    assert_invalid(BYTES("\x10\x00\x00"), 0, "flags");
    assert_invalid(BYTES("\x80\x00\x00"), 0, "flags");
    assert_invalid(BYTES("\x00"), 1, "number");
    assert_invalid(BYTES("\x08\x40"), 1, "longer than what is left");
    assert_bad(BYTES("\x08\x03"
                     "8/8"),
               TBY_INVALID_PLACEMENT, 5, "");
    assert_bad(BYTES("\x08\x17"
                     "8/8/8/8/8/8/8/8 w - - 0 1"),
               TBY_INVALID_FULLMOVE, 25, "");
    assert_bad(BYTES("\x08\x19"
                     "8/8/8/8/8/8/8/8 w - - 0 1\0\0"),
               TBY_ILLEGAL_POSITION, 2, "");
}

TEST(test_cmbr__numbers_have_one_form)
{
    assert_invalid(BYTES("\x00\x80"), 1, "number");
    assert_invalid(BYTES("\x00\x80\x00\x00"), 1, "number");
    assert_invalid(BYTES("\x00\x80\x80\x80\x80\x10"), 1, "number");
    assert_invalid(BYTES("\x00\x80\x80\x80\x80\x80\x00"), 1, "number");
    assert_invalid(BYTES("\x00\xff\xff\xff\xff\x0f"), 6, "number"); /* claims 2^32 - 1 tags and has none */
}

TEST(test_cmbr__invalid_tags_are_refused)
{
    assert_invalid(BYTES("\x00\x01"), 2, "number");
    assert_invalid(BYTES("\x00\x01\x05Whit"), 2, "longer than what is left");
    assert_invalid(BYTES("\x00\x01\x05White"), 8, "number");
    assert_invalid(BYTES("\x00\x01\x01W\xff\xff\xff\xff\x0f"), 4, "longer than what is left");
    assert_invalid(BYTES("\x00\x01\x00\x00\x00"), 2, "name of a tag");
    assert_invalid(BYTES("\x00\x01\x01 \x00\x00"), 2, "name of a tag");
    assert_invalid(BYTES("\x00\x02\x01W\x00\x01W\x00\x00"), 5, "twice");
}

TEST(test_cmbr__invalid_lines_are_refused)
{
    assert_invalid(BYTES("\x00\x00"), 2, "number");
    assert_invalid(BYTES(LINE("\x01") "\x70\xc0"), 3, "longer than what is left");
    assert_invalid(BYTES(LINE("\xff\xff\xff\xff\x0f") E4), 7, "longer than what is left");
    assert_bad(BYTES(LINE("\x01") E5), TBY_ILLEGAL_MOVE, 3, "half-move 1");
    assert_bad(BYTES(LINE("\x02") E4 E4), TBY_ILLEGAL_MOVE, 6, "half-move 2");
    assert_invalid(BYTES(LINE("\x01") "\x70\xc1\x00"), 4, "piece");
    assert_invalid(BYTES(LINE("\x01") "\x70\xc0\x01"), 5, "check");
    assert_invalid(BYTES(LINE("\x01") "\x70\xc0\x10"), 5, "promotion");
}

TEST(test_cmbr__invalid_nags_are_refused)
{
    assert_invalid(BYTES(LINE("\x02") E4 "\x01\x01\x08"), 6, "half-move 1: a NAG with invalid bits");
    assert_invalid(BYTES(LINE("\x02") E4 "\x00\xff\x09"), 6, "NAG");
    assert_invalid(BYTES(LINE("\x02") E4 "\x01\x00\x0a"), 6, "NAG");
    assert_invalid(BYTES(LINE("\x02") E4 "\x01\x00\x18"), 6, "NAG");
    assert_invalid(BYTES(LINE("\x02") E4 POINTER("\x00") "\x01\x01\x00\x08"), 10, "begins with a NAG");
}

TEST(test_cmbr__invalid_variations_are_refused)
{
    assert_invalid(BYTES(LINE("\x01") POINTER("\x00") "\x01" D4), 3, "without a move before it");
    assert_invalid(BYTES(LINE("\x02") E4 "\x00\x00\x81\x01" D4), 6, "invalid bits");
    assert_invalid(BYTES(LINE("\x02") E4 "\x00\x00\x88\x01" D4), 6, "invalid bits");
    assert_invalid(BYTES(LINE("\x02") E4 POINTER("\x01") "\x01" D4), 6, "not the next one");
    assert_invalid(BYTES(LINE("\x02") E4 "\xff\xff\x80\x01" D4), 6, "not the next one");
    assert_invalid(BYTES(LINE("\x03") E4 POINTER("\x00") POINTER("\x00") "\x01" D4), 9, "not the next one");
    /* a variation that refers to itself, and two that refer to each other */
    assert_invalid(BYTES(LINE("\x02") E4 POINTER("\x00") "\x02" D4 POINTER("\x00")), 13, "not the next one");
    assert_invalid(BYTES(LINE("\x02") E4 POINTER("\x00") "\x02" D4 POINTER("\x01") "\x02" D4 POINTER("\x00")), 20,
                   "not the next one");
    assert_invalid(BYTES(LINE("\x02") E4 POINTER("\x00")), 9, "number");
    assert_invalid(BYTES(LINE("\x02") E4 POINTER("\x00") "\x00"), 10, "a variation without moves");
    assert_invalid(BYTES(LINE("\x02") E4 POINTER("\x00") "\x01" POINTER("\x01")), 10, "without a move before it");
    assert_bad(BYTES(LINE("\x02") E4 POINTER("\x00") "\x01" E5), TBY_ILLEGAL_MOVE, 10, "half-move 1");
    /* a line that nothing refers to is not a comment either */
    assert_invalid(BYTES(LINE("\x01") E4 "\x01" D4), 7, "longer than what is left");
}

TEST(test_cmbr__invalid_comments_are_refused)
{
    assert_invalid(BYTES(LINE("\x01") E4 "\x04\x00"), 6, "a move that does not exist");
    assert_invalid(BYTES(LINE("\x00") "\x02\x00"), 3, "a move that does not exist");
    assert_invalid(BYTES(LINE("\x01") E4 "\x03\x00\x01\x00"), 8, "a move that does not exist");
    assert_invalid(BYTES(LINE("\x01") E4 "\xff\xff\xff\xff\x0f\x00\xff\xff\xff\xff\x0f\x00"), 6, "does not exist");
    assert_invalid(BYTES(LINE("\x01") E4 "\x03"), 7, "number");
    assert_invalid(BYTES(LINE("\x01") E4 "\x03\x02x"), 7, "longer than what is left");
}

TEST(test_cmbr__null_moves_are_checked)
{
    /* The white king stays where it is: a null move. Not legal twice in a row, with a flag, or in check. */
    assert_reads_as(BYTES(LINE("\x01") "\x10\x45\x00"), BYTES(LINE("\x01") "\x10\x45\x00"));
    assert_bad(BYTES(LINE("\x02") "\x10\x45\x00\x10\x45\x00"), TBY_ILLEGAL_MOVE, 6, "half-move 2");
    assert_bad(BYTES(LINE("\x01") "\x10\x45\x01"), TBY_ILLEGAL_MOVE, 3, "half-move 1");
    assert_bad(BYTES("\x08\x1f"
                     "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1\x00\x01\x10\x45\x00"),
               TBY_ILLEGAL_NULL_MOVE, 35, "half-move 1: the side to move is in check");
}

TEST(test_cmbr__a_marker_without_its_zero_is_refused)
{
    assert_invalid(BYTES(LINE("\x00") "\x00\x04\xf5GM\x01"), 0, "marker");
    assert_invalid(BYTES(LINE("\x00") "\x00\x03\xf5GM"), 0, "marker");
}

TEST(test_cmbr__invalid_frames_are_refused)
{
    tby_game *game = documented_game(), *back = new_game();
    memory record = written_game(cmbr(), game);
    tby_error err;
    for (size_t n = 0; n < record.n; n++) {
        uint8_t *cut = malloc(n ? n : 1);
        assert_non_null(cut);
        memcpy(cut, record.data, n);
        assert_int_equal(tby_cmbr_decode(back, cut, n, &err), TBY_INVALID_CMBR);
        assert_true(err.offset <= n);
        free(cut);
    }
    for (size_t bit = 0; bit < 8 * record.n; bit++) {
        record.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_int_not_equal(tby_cmbr_decode(back, record.data, record.n, &err), TBY_OK);
        record.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    memory_add(&record, "", 1);
    assert_int_equal(tby_cmbr_decode(back, record.data, record.n, &err), TBY_INVALID_TRAILING);
    assert_int_equal(err.offset, record.n - 1);
    put_32(record.data + 4, 0xffffffff);
    assert_int_equal(tby_cmbr_decode(back, record.data, record.n, &err), TBY_TOO_LONG);
    assert_int_equal(err.offset, 4);
    memory_clear(&record);
    tby_game_free(game);
    tby_game_free(back);
}

/* ---- What a reader takes besides ------------------------------------------------------------------------- */

TEST(test_cmbr__lenient_words)
{
    /* a NAG in the lower byte */
    assert_reads_as(BYTES(LINE("\x02") E4 "\x00\x05\x08"), BYTES(LINE("\x02") E4 "\x05\x00\x08"));
    /* a NAG after a pointer */
    assert_reads_as(BYTES(LINE("\x03") E4 POINTER("\x00") "\x05\x00\x08\x01" D4),
                    BYTES(LINE("\x03") E4 "\x05\x00\x08" POINTER("\x00") "\x01" D4));
    /* an alternative to the first move of a variation is another variation of the same move */
    assert_reads_as(BYTES(LINE("\x02") E4 POINTER("\x00") "\x02" D4 POINTER("\x01") "\x01" E4),
                    BYTES(LINE("\x03") E4 POINTER("\x00") POINTER("\x01") "\x01" D4 "\x01" E4));
    /* a NAG on the start position */
    assert_reads_as(BYTES(LINE("\x02") "\x00\x07\x08" E4), BYTES(LINE("\x02") "\x07\x00\x08" E4));
}

/* ---- Memory ---------------------------------------------------------------------------------------------- */

TEST(test_cmbr__encode_nomem)
{
    uint64_t random = 0x636d627200000002ULL;
    tby_game *game = new_game();
    random_game(game, &random, 80);
    meter m = {0};
    const tby_allocator allocator = {meter_resize, &m};
    memory out = {0};
    tby_status status = TBY_NO_MEMORY;
    for (size_t call = 1; status != TBY_OK; call++) {
        m = (meter){0, 0, 0, call};
        status = tby_cmbr_encode(game, memory_sink, &out, &allocator, NULL);
        assert_true(status == TBY_OK || status == TBY_NO_MEMORY);
        assert_int_equal(m.in_use, 0);
        assert_int_equal(out.n > 0, status == TBY_OK);
    }
    memory_clear(&out);
    tby_game_free(game);
}

TEST(test_cmbr__decode_nomem)
{
    uint64_t random = 0x636d627200000003ULL;
    tby_game *game = new_game();
    random_game(game, &random, 80);
    add_comment(game, TBY_ROOT, TBY_COMMENT_AFTER, "\xf5GM"); /* decoding needs a copy */
    assert_reading_survives_no_memory(cmbr(), game);
    tby_game_free(game);
}

/* A few bytes that claim to be many: the memory used depends on the bytes that are there. */
TEST(test_cmbr__claimed_sizes_take_no_memory)
{
    static const struct {
        const char *payload;
        size_t n;
    } claims[] = {
        {BYTES("\x00\xff\xff\xff\xff\x0f")},
        {BYTES(LINE("\xff\xff\xff\xff\x0f") E4)},
        {BYTES(LINE("\x00") "\x00\xff\xff\xff\xff\x0f")},
    };
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
        meter m = {0, 0, 0, 0};
        const tby_allocator allocator = {meter_resize, &m};
        tby_game *game = tby_game_new(&allocator);
        memory record = record_of(claims[i].payload, claims[i].n);
        assert_int_equal(tby_cmbr_decode(game, record.data, record.n, NULL), TBY_INVALID_CMBR);
        assert_true(m.peak < 64 * 1024);
        memory_clear(&record);
        tby_game_free(game);
    }
}

int main(void) { return tests_run(NULL, NULL); }
