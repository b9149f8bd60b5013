/*
 * position_support.h - shared by the tests of one-line notations of positions.
 *
 * The file that includes it defines POSITION_READ and POSITION_WRITE, the functions under test; POSITION_SIZE, a
 * sufficient buffer size; and POSITION_CLOCK_MAX, the largest half-move clock that can be held.
 */
#ifndef POSITION_SUPPORT_H
#define POSITION_SUPPORT_H

#include "notation_support.h"

static inline tby_setup read_good(const char *text)
{
    tby_setup setup;
    tby_error err;
    char *copy = exact_copy(text, strlen(text));
    if (POSITION_READ(&setup, copy, strlen(text), &err) != TBY_OK)
        fail_msg("%s: %s at %zu", text, err.detail, err.offset);
    free(copy);
    return setup;
}

static inline void assert_reads(const char *text, const char *fen)
{
    const tby_setup setup = read_good(text), expected = setup_of(fen);
    if (!tby_setup_equal(&setup, &expected))
        fail_msg("%s is not %s", text, fen);
}

static inline void assert_writes(const char *fen, unsigned flags, const char *text)
{
    char buf[POSITION_SIZE];
    tby_error err;
    const tby_setup setup = setup_of(fen);
    assert_int_equal(POSITION_WRITE(buf, sizeof buf, &setup, flags, &err), strlen(text));
    assert_int_equal(err.status, TBY_OK);
    assert_string_equal(buf, text);
}

static inline void assert_bad(const char *text, tby_status status, size_t offset)
{
    tby_setup setup, before;
    memset(&setup, 0x5a, sizeof setup);
    before = setup;
    char *copy = exact_copy(text, strlen(text));
    assert_refused(POSITION_READ(&setup, copy, strlen(text), &err), status, offset);
    assert_memory_equal(&setup, &before, sizeof setup);
    assert_int_equal(POSITION_READ(&setup, copy, strlen(text), NULL), status);
    free(copy);
}

/* A buffer too small for the start position receives the empty text. */
static inline void assert_small_buffers_are_empty(size_t length)
{
    const tby_setup setup = setup_of(START_FEN);
    for (size_t cap = 0; cap <= length; cap++) {
        char *buf = malloc(cap + 1);
        assert_non_null(buf);
        memset(buf, 'z', cap + 1);
        assert_int_equal(POSITION_WRITE(buf, cap, &setup, 0, NULL), length);
        assert_int_equal(buf[0], cap ? '\0' : 'z');
        assert_int_equal(buf[cap], 'z');
        free(buf);
    }
}

/* For visit_random_games: all that may not fit is Chess960 rights or the clock. */
static inline void round_trip(const tby_position *pos)
{
    char buf[POSITION_SIZE];
    tby_setup setup;
    tby_error err;
    tby_position_setup(&setup, pos);
    if (POSITION_WRITE(buf, sizeof buf, &setup, 0, &err) == 0) {
        assert_int_equal(err.status, TBY_CANNOT_HOLD);
        assert_true(POSITION_WRITE(buf, sizeof buf, &setup, TBY_LOSSY, &err) > 0);
        setup.castling = read_good(buf).castling;
        setup.clock = setup.clock < POSITION_CLOCK_MAX ? setup.clock : POSITION_CLOCK_MAX;
    }
    const tby_setup back = read_good(buf);
    assert_true(tby_setup_equal(&setup, &back));
}

/* For any text: if it can be read, it can be written, and read again. */
static inline void read_any(const char *s, size_t n)
{
    tby_setup setup, back;
    char buf[POSITION_SIZE];
    tby_error err = {TBY_OK, {0, 0}, 0, NULL};
    const tby_status status = POSITION_READ(&setup, s, n, &err);
    assert_int_equal(status, err.status);
    if (status != TBY_OK) {
        assert_true(err.offset <= n);
        return;
    }
    const size_t length = POSITION_WRITE(buf, sizeof buf, &setup, 0, NULL);
    assert_in_range(length, 1, sizeof buf - 1);
    assert_int_equal(POSITION_READ(&back, buf, length, NULL), TBY_OK);
    assert_true(tby_setup_equal(&setup, &back));
}

#endif
