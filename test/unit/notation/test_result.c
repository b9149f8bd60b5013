/*
 * test_result.c - the result of a game as text: every spelling of rules.md 8, and what is not a result.
 */
#include "notation_support.h"

static void assert_reads(const char *text, tby_result wanted)
{
    tby_result result = (tby_result)99;
    char *copy = exact_copy(text, strlen(text));
    if (tby_result_read(&result, copy, strlen(text), NULL) != TBY_OK || result != wanted)
        fail_msg("%s: %d, not %d", text, result, wanted);
    free(copy);
}

static void assert_bad(const char *text, size_t offset)
{
    tby_result result = TBY_DRAW;
    char *copy = exact_copy(text, strlen(text));
    assert_refused(tby_result_read(&result, copy, strlen(text), &err), TBY_INVALID_RESULT, offset);
    assert_int_equal(result, TBY_DRAW);
    assert_int_equal(tby_result_read(&result, copy, strlen(text), NULL), TBY_INVALID_RESULT);
    free(copy);
}

static const char *const DASHES[] = {"-", "–", "—", "‑", "−", ":"};
static const char *const HALVES[] = {"1/2", "½", "0.5"};

TEST(test_result__reads_wins_with_every_dash)
{
    for (size_t i = 0; i < sizeof DASHES / sizeof *DASHES; i++) {
        char text[16];
        snprintf(text, sizeof text, "1%s0", DASHES[i]);
        assert_reads(text, TBY_WHITE_WINS);
        snprintf(text, sizeof text, "0%s1", DASHES[i]);
        assert_reads(text, TBY_BLACK_WINS);
    }
}

TEST(test_result__reads_draws_in_every_spelling)
{
    for (size_t h = 0; h < sizeof HALVES / sizeof *HALVES; h++) {
        assert_reads(HALVES[h], TBY_DRAW);
        for (size_t k = 0; k < sizeof HALVES / sizeof *HALVES; k++)
            for (size_t i = 0; i < sizeof DASHES / sizeof *DASHES; i++) {
                char text[24];
                snprintf(text, sizeof text, "%s%s%s", HALVES[h], DASHES[i], HALVES[k]);
                assert_reads(text, TBY_DRAW);
            }
    }
}

TEST(test_result__reads_the_star) { assert_reads("*", TBY_RESULT_NONE); }

TEST(test_result__refuses_what_is_not_a_result)
{
    assert_bad("", 0);
    assert_bad("1", 1);
    assert_bad("0", 1);
    assert_bad("1-", 2);
    assert_bad("0-0", 2); /* castling, or a double forfeit */
    assert_bad("1-1", 2);
    assert_bad("1-1/2", 2);
    assert_bad("1/2-0", 4);
    assert_bad("1/2-1", 4);
    assert_bad("1/2-", 4);
    assert_bad("1/2 ", 3);
    assert_bad("1/3", 1);
    assert_bad("1-0 ", 3);
    assert_bad(" 1-0", 0);
    assert_bad("1 - 0", 1);
    assert_bad("1--0", 2);
    assert_bad("1-00", 3);
    assert_bad("**", 1);
    assert_bad("½½", 2);
    assert_bad("1\xe2\x80", 1); /* a truncated dash */
    assert_bad("1\xe2\x80\x95"
               "0",
               1); /* another dash */
    assert_bad("\xc2", 0);
    assert_bad("win", 0);
}

static void read_any(const char *s, size_t n)
{
    tby_result result = (tby_result)99;
    tby_error err = {TBY_OK, {0, 0}, 0, NULL};
    if (tby_result_read(&result, s, n, &err) == TBY_OK) {
        assert_true(result <= TBY_DRAW);
        return;
    }
    assert_int_equal(err.status, TBY_INVALID_RESULT);
    assert_true(err.offset <= n);
}

TEST(test_result__floods_and_mutations_are_safe)
{
    for_each_flood(read_any);
    for_each_mutation("1/2-1/2", read_any);
    for_each_mutation("½–½", read_any);
    for_each_mutation("0.5-0.5", read_any);
}

TEST(test_result__texts_are_read_back)
{
    assert_string_equal(tby_result_text(TBY_WHITE_WINS), "1-0");
    assert_string_equal(tby_result_text(TBY_BLACK_WINS), "0-1");
    assert_string_equal(tby_result_text(TBY_DRAW), "1/2-1/2");
    assert_string_equal(tby_result_text(TBY_RESULT_NONE), "*");
    assert_string_equal(tby_result_text((tby_result)99), "*");
    for (int result = TBY_RESULT_NONE; result <= TBY_DRAW; result++)
        assert_reads(tby_result_text((tby_result)result), (tby_result)result);
}

int main(void) { return tests_run(NULL, NULL); }
