/*
 * notation_support.h - shared by the tests of notations: hostile texts, and errors with their location.
 */
#ifndef NOTATION_SUPPORT_H
#define NOTATION_SUPPORT_H

#include "support.h"

/* Copies the bytes into memory of exactly their size, so that a sanitizer notices reads beyond the end. */
static inline char *exact_copy(const char *s, size_t n)
{
    char *copy = malloc(n ? n : 1);
    assert_non_null(copy);
    memcpy(copy, s, n);
    return copy;
}

/* Calls `read` with every text that results from changing, removing or adding one byte of `s`; it must not crash. */
static inline void for_each_mutation(const char *s, void (*read)(const char *s, size_t n))
{
    static const char bytes[] = "\0 X0189+-=:/.pPkKaAhz\xff";
    const size_t n = strlen(s);
    for (size_t i = 0; i <= n; i++) {
        char *cut = exact_copy(s, i);
        read(cut, i);
        free(cut);
        for (size_t b = 0; b < sizeof bytes - 1; b++) {
            char *longer = malloc(n + 1);
            assert_non_null(longer);
            memcpy(longer, s, i);
            longer[i] = bytes[b];
            memcpy(longer + i + 1, s + i, n - i);
            read(longer, n + 1);
            if (i < n) {
                memcpy(longer + i + 1, s + i + 1, n - i - 1);
                read(longer, n);
            }
            free(longer);
        }
    }
}

enum { MEBIBYTE = 1 << 20 };

/* 1 MiB of a single character, for a handful of characters. */
static inline void for_each_flood(void (*read)(const char *s, size_t n))
{
    static const char bytes[] = "\0 X0189+-=:/.pPkKaA\xff";
    char *flood = malloc(MEBIBYTE);
    assert_non_null(flood);
    for (size_t b = 0; b < sizeof bytes - 1; b++) {
        memset(flood, bytes[b], MEBIBYTE);
        read(flood, MEBIBYTE);
    }
    free(flood);
}

#define assert_refused(call, wanted_status, wanted_offset)                                                             \
    do {                                                                                                               \
        tby_error err = {TBY_OK, {0, 0}, 12345, NULL};                                                                 \
        assert_int_equal((call), (wanted_status));                                                                     \
        assert_int_equal(err.status, (wanted_status));                                                                 \
        assert_int_equal(err.offset, (wanted_offset));                                                                 \
        assert_non_null(err.detail);                                                                                   \
    } while (0)

#endif
