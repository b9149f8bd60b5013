/*
 * test_pgn_unique.c - sets of lines of play, by hash.
 */
#include "support.h"

#include "pgn_unique.h"

enum { N_LINES = 20000 };

static line_hash line_number(unsigned i)
{
    const tby_position start = position_of(START_FEN);
    return line_mix(line_begin(&start), (const char *)&i, sizeof i);
}

TEST(test_pgn_unique__a_set_grows_and_keeps_its_marks)
{
    line_set *set = line_set_new();
    for (unsigned i = 0; i < N_LINES; i++) {
        assert_true(line_set_add(set, line_number(i)));
        if (i % 3 == 0)
            line_set_mark(set, line_number(i));
    }
    for (unsigned i = 0; i < N_LINES; i++) {
        assert_false(line_set_add(set, line_number(i)));
        assert_int_equal(line_set_is_marked(set, line_number(i)), i % 3 == 0);
    }
    line_set_free(set);
    line_set_free(NULL);
}

TEST(test_pgn_unique__marking_a_line_that_is_not_in_the_set_does_nothing)
{
    line_set *set = line_set_new();
    line_set_mark(set, line_number(1));
    assert_true(line_set_add(set, line_number(1)));
    assert_false(line_set_is_marked(set, line_number(1)));
    line_set_free(set);
}

/* Lines whose hash points to the same slot, the last one of the table, fill the slots after it. */
TEST(test_pgn_unique__lines_of_one_slot_are_told_apart)
{
    line_set *set = line_set_new();
    for (uint64_t i = 0; i < 100; i++)
        assert_true(line_set_add(set, (line_hash){UINT64_MAX, 2 * i + 1}));
    for (uint64_t i = 0; i < 100; i++)
        assert_false(line_set_add(set, (line_hash){UINT64_MAX, 2 * i + 1}));
    assert_true(line_set_add(set, (line_hash){UINT64_MAX - 1, 1}));
    line_set_free(set);
}

TEST(test_pgn_unique__the_order_of_moves_counts)
{
    const tby_position start = position_of(START_FEN);
    const line_hash empty = line_begin(&start);
    const tby_move a = move_of(&start, "g1f3"), b = move_of(&start, "b1c3");
    const line_hash ab = line_play(line_play(empty, a), b), ba = line_play(line_play(empty, b), a);
    assert_true(ab.a != ba.a || ab.b != ba.b);
    assert_true((ab.b & 1) && (ba.b & 1) && (empty.b & 1));
}

int main(void) { return tests_run(NULL, NULL); }
