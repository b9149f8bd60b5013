/*
 * value_support.h - shared by the tests of values: packed games from text and back.
 */
#ifndef CHESSGAME_SUPPORT_H
#define CHESSGAME_SUPPORT_H

#include "codec_support.h"

typedef struct value {
    uint8_t bytes[TBY_CHESSGAME_SIZE];
    size_t n;
} value;

/* Reads a game, which must be in canonical form. */
static inline void read_value(value *out, const char *text)
{
    tby_chessgame_error err;
    if (tby_chessgame_read(out->bytes, &out->n, text, strlen(text), 0, NULL, &err) != TBY_OK) {
        char message[TBY_CHESSGAME_ERROR_SIZE];
        tby_chessgame_error_write(message, sizeof message, &err);
        fail_msg("%s: %s", text, message);
    }
    assert_int_equal(tby_packed_check(out->bytes, out->n, NULL), TBY_OK);
}

static inline const char *text_of(memory *m)
{
    memory_add(m, "", 1);
    return (const char *)m->data;
}

static inline void assert_game(const uint8_t *bytes, size_t n, const char *expected)
{
    memory m = {0};
    assert_true(tby_chessgame_write(bytes, n, memory_sink, &m));
    assert_string_equal(text_of(&m), expected);
    memory_clear(&m);
}

static inline void assert_reads(const char *text, const char *expected)
{
    static value v;
    read_value(&v, text);
    assert_game(v.bytes, v.n, expected);
}

/* The message must contain each of the parts. */
static inline void assert_refused(const char *text, const char *part, const char *other)
{
    static value v;
    char message[TBY_CHESSGAME_ERROR_SIZE];
    tby_chessgame_error err;
    if (tby_chessgame_read(v.bytes, &v.n, text, strlen(text), 0, NULL, &err) == TBY_OK)
        fail_msg("accepted: %s", text);
    tby_chessgame_error_write(message, sizeof message, &err);
    if (!strstr(message, part) || !strstr(message, other))
        fail_msg("%s: %s", text, message);
}

static inline const tby_move_notation *move_notation(const char *name)
{
    const tby_move_notation *notation = tby_move_notation_find(name, strlen(name));
    assert_non_null(notation);
    return notation;
}

/* Random moves from a start position, as a packed game. */
static inline size_t random_moves(tby_move *out, size_t max, const tby_position *start, uint64_t *seed)
{
    tby_position pos = *start;
    for (size_t n = 0; n < max; n++) {
        tby_move moves[TBY_MOVES_MAX];
        const size_t n_moves = tby_moves_list(moves, &pos);
        if (n_moves == 0)
            return n;
        out[n] = moves[random_below(seed, (unsigned)n_moves)];
        tby_position_play(&pos, out[n], NULL);
    }
    return max;
}

static inline tby_position chess960_start(unsigned number)
{
    tby_setup setup;
    tby_position start;
    assert_true(tby_setup_chess960(&setup, number));
    assert_int_equal(tby_position_init(&start, &setup, 0, NULL), TBY_OK);
    return start;
}

#endif
