/*
 * test_packed_golden.c - packed games and boards of a released version stay readable, and are still written the same
 * way.
 */
#include "value_support.h"

#define FOLDER TBY_TEST_DIR "/golden/packed-v1/"

static size_t unhex(uint8_t *out, const char *hex)
{
    size_t n = 0;
    for (unsigned byte; sscanf(hex, "%2x", &byte) == 1; hex += 2)
        out[n++] = (uint8_t)byte;
    return n;
}

/* Calls `check` with the text and the bytes of every line, and returns the number of lines. */
static int each_line(const char *path, void (*check)(const char *text, const uint8_t *bytes, size_t n))
{
    static char line[1 << 16];
    static uint8_t bytes[1 << 15];
    FILE *file = fopen(path, "r");
    int n_lines = 0;
    assert_non_null(file);
    for (; fgets(line, sizeof line, file); n_lines++) {
        char *tab = strchr(line, '\t');
        assert_non_null(tab);
        *tab = '\0';
        check(line, bytes, unhex(bytes, tab + 1));
    }
    fclose(file);
    return n_lines;
}

static void check_game(const char *text, const uint8_t *bytes, size_t n)
{
    static value v;
    assert_int_equal(tby_packed_check(bytes, n, NULL), TBY_OK);
    assert_game(bytes, n, text);
    read_value(&v, text);
    assert_int_equal(v.n, n);
    assert_memory_equal(v.bytes, bytes, n);
}

static void check_board(const char *text, const uint8_t *bytes, size_t n)
{
    const tby_setup setup = setup_of(text);
    tby_setup back;
    uint8_t again[TBY_CHESSBOARD_SIZE];
    assert_int_equal(tby_chessboard_encode(again, &setup), n);
    assert_memory_equal(again, bytes, n);
    assert_true(tby_chessboard_decode(&back, bytes, n));
    assert_true(tby_setup_equal(&setup, &back));
}

TEST(test_packed_golden__games) { assert_int_equal(each_line(FOLDER "games.tsv", check_game), 13); }

TEST(test_packed_golden__boards) { assert_int_equal(each_line(FOLDER "boards.tsv", check_board), 9); }

int main(void) { return tests_run(NULL, NULL); }
