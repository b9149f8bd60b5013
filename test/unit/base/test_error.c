/*
 * test_error.c - the version, the status texts, and errors as sentences.
 */
#include "support.h"

TEST(test_error__version_matches_the_header)
{
    char expected[32];
    snprintf(expected, sizeof expected, "%d.%d.%d", TBY_VERSION_MAJOR, TBY_VERSION_MINOR, TBY_VERSION_PATCH);
    assert_string_equal(tby_version(), expected);
}

TEST(test_error__every_number_has_a_text)
{
    assert_string_equal(tby_status_text(TBY_ILLEGAL_MOVE), "illegal move");
    assert_string_equal(tby_status_text(TBY_INVALID_CASTLING), "invalid castling field");
    for (int status = -1; status < 200; status++)
        assert_true(strlen(tby_status_text((tby_status)status)) > 0);
}

static void check_written(const char *detail, int a, int b, const char *expected)
{
    const tby_error err = {.status = TBY_ILLEGAL_MOVE, .args = {a, b}, .detail = detail};
    char buf[TBY_ERROR_SIZE];
    assert_int_equal(tby_error_write(buf, sizeof buf, &err), strlen(expected));
    assert_string_equal(buf, expected);
}

TEST(test_error__is_written_as_one_sentence)
{
    check_written("no knight can go there", 0, 0, "illegal move: no knight can go there");
    check_written(NULL, 0, 0, "illegal move");
    check_written("rank %d has %d squares", 7, 9, "illegal move: rank 7 has 9 squares");
    check_written("%d and %d", -1, INT32_MIN, "illegal move: -1 and -2147483648");
}

TEST(test_error__formats_at_most_two_numbers)
{
    check_written("%d %d %d", 1, 2, "illegal move: 1 2 %d");
    check_written("100%% of %s%", 1, 2, "illegal move: 100% of %s%");
}

TEST(test_error__that_does_not_fit_becomes_the_empty_text)
{
    const tby_error err = {.status = TBY_ILLEGAL_MOVE};
    char buf[] = "untouched....";
    assert_int_equal(tby_error_write(buf, 12, &err), 12);
    assert_string_equal(buf, "");
    assert_int_equal(tby_error_write(buf, 13, &err), 12);
    assert_string_equal(buf, "illegal move");
    assert_int_equal(tby_error_write(NULL, 0, &err), 12);
}

int main(void) { return tests_run(NULL, NULL); }
