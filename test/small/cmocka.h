/*
 * cmocka.h - the part of cmocka that the unit tests use, for platforms without a package of it: musl and WebAssembly.
 *
 * Names and meanings are the same, with one difference: a failed assertion ends the program, so no setjmp or signals
 * are needed. tools/test-platforms.sh adds this folder to the include path for <cmocka.h>.
 */
#ifndef TBY_TEST_SMALL_CMOCKA_H
#define TBY_TEST_SMALL_CMOCKA_H

#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
    const char *name;
    void (*test_func)(void **state);
    int (*setup_func)(void **state);
    int (*teardown_func)(void **state);
    void *initial_state;
};

#define cmocka_unit_test(function)                                                                                     \
    {                                                                                                                  \
#function, function, NULL, NULL, NULL                                                                          \
    }
#define cmocka_run_group_tests(tests, setup, teardown)                                                                 \
    small_run(tests, sizeof(tests) / sizeof((tests)[0]), setup, teardown)
#define _cmocka_run_group_tests(name, tests, n, setup, teardown) small_run(tests, n, setup, teardown)

__attribute__((noreturn, format(printf, 3, 4))) static inline void small_fail(const char *file, int line,
                                                                              const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%d: ", file, line);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    exit(1);
}

static inline int small_run(const struct CMUnitTest *tests, size_t n, int (*setup)(void **), int (*teardown)(void **))
{
    void *state = NULL;
    if (setup != NULL && setup(&state) != 0)
        return 1;
    for (size_t i = 0; i < n; i++) {
        void *own = tests[i].initial_state;
        fprintf(stderr, "%s\n", tests[i].name);
        tests[i].test_func(own != NULL ? &own : &state);
    }
    fprintf(stderr, "%zu passed\n", n);
    return teardown != NULL && teardown(&state) != 0;
}

#define print_message(...) fprintf(stderr, __VA_ARGS__)
#define fail_msg(...) small_fail(__FILE__, __LINE__, __VA_ARGS__)
#define fail() fail_msg("failed")
#define print_error(...) fprintf(stderr, __VA_ARGS__)
/* The rest of the test function does not apply here. */
#define skip() return

#define assert_true(c) ((c) ? (void)0 : fail_msg("not true: %s", #c))
#define assert_false(c) ((c) ? fail_msg("not false: %s", #c) : (void)0)
#define assert_null(p) assert_true((p) == NULL)
#define assert_non_null(p) assert_true((p) != NULL)
#define assert_ptr_equal(a, b) assert_true((const void *)(a) == (const void *)(b))
#define assert_ptr_not_equal(a, b) assert_true((const void *)(a) != (const void *)(b))

static inline void small_int_equal(uint64_t a, uint64_t b, int equal, const char *file, int line)
{
    if ((a == b) != equal)
        small_fail(file, line, "%" PRIu64 " %s %" PRIu64, a, equal ? "!=" : "==", b);
}
#define assert_int_equal(a, b) small_int_equal((uint64_t)(a), (uint64_t)(b), 1, __FILE__, __LINE__)
#define assert_int_not_equal(a, b) small_int_equal((uint64_t)(a), (uint64_t)(b), 0, __FILE__, __LINE__)

static inline void small_in_range(uint64_t value, uint64_t low, uint64_t high, const char *file, int line)
{
    if (value < low || value > high)
        small_fail(file, line, "%" PRIu64 " is not in %" PRIu64 "-%" PRIu64, value, low, high);
}
#define assert_in_range(value, low, high)                                                                              \
    small_in_range((uint64_t)(value), (uint64_t)(low), (uint64_t)(high), __FILE__, __LINE__)

static inline void small_string_equal(const char *a, const char *b, int equal, const char *file, int line)
{
    if ((strcmp(a, b) == 0) != equal)
        small_fail(file, line, "\"%s\" %s \"%s\"", a, equal ? "!=" : "==", b);
}
#define assert_string_equal(a, b) small_string_equal(a, b, 1, __FILE__, __LINE__)
#define assert_string_not_equal(a, b) small_string_equal(a, b, 0, __FILE__, __LINE__)

static inline void small_memory_equal(const void *a, const void *b, size_t n, int equal, const char *file, int line)
{
    const unsigned char *x = a, *y = b;
    for (size_t i = 0; i < n; i++) {
        if (x[i] != y[i]) {
            if (!equal)
                return;
            small_fail(file, line, "byte %zu of %zu: %02x != %02x", i, n, x[i], y[i]);
        }
    }
    if (!equal)
        small_fail(file, line, "%zu bytes are the same", n);
}
#define assert_memory_equal(a, b, n) small_memory_equal(a, b, n, 1, __FILE__, __LINE__)
#define assert_memory_not_equal(a, b, n) small_memory_equal(a, b, n, 0, __FILE__, __LINE__)

#endif
