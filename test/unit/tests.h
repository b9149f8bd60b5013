/*
 * tests.h - unit tests that register themselves: TEST(name) begins one, and tests_run runs all of a program.
 *
 * Needs no list that somebody could forget to extend. A program whose tests are rows of a table lists them for cmocka
 * instead.
 */
#ifndef TBY_TEST_TESTS_H
#define TBY_TEST_TESTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct test_list {
    struct CMUnitTest tests[64];
    int lines[64]; /* where each begins: not every system runs constructors in this order */
    size_t n;
} test_list;

__attribute__((unused)) static test_list all_tests;

static inline void test_register(struct CMUnitTest test, int line)
{
    size_t at = all_tests.n++;
    if (at == sizeof all_tests.lines / sizeof *all_tests.lines)
        abort();
    for (; at > 0 && all_tests.lines[at - 1] > line; at--) {
        all_tests.tests[at] = all_tests.tests[at - 1];
        all_tests.lines[at] = all_tests.lines[at - 1];
    }
    all_tests.tests[at] = test;
    all_tests.lines[at] = line;
}

#define TEST(name)                                                                                                     \
    static void name(void **state);                                                                                    \
    __attribute__((constructor)) static void register_##name(void)                                                     \
    {                                                                                                                  \
        test_register((struct CMUnitTest)cmocka_unit_test(name), __LINE__);                                            \
    }                                                                                                                  \
    static void name(__attribute__((unused)) void **state)

/* The exit code of a program; `set_up` and `tear_down`, which may be NULL, run before the first and after the last. */
static inline int tests_run(int (*set_up)(void **state), int (*tear_down)(void **state))
{
    return _cmocka_run_group_tests("tests", all_tests.tests, all_tests.n, set_up, tear_down);
}

#endif
