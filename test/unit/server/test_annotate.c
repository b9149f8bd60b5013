/*
 * test_annotate.c - winning chances, and which moves lose them.
 */
#include "support.h"

#include "annotate.h"

#include <math.h>

static evaluation pawns(double n) { return (evaluation){.is_known = true, .value = (int)lround(n * 100)}; }
static evaluation mate_in(int n) { return (evaluation){.is_known = true, .is_mate = true, .value = n}; }

/* Values of the formula, computed independently. */
TEST(test_annotate__chances_grow_with_pawns)
{
    static const struct {
        double pawns, chance;
    } known[] = {{0, 0}, {1, 0.18206}, {-1, -0.18206}, {3, 0.50235}, {10, 0.95086}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const evaluation v = pawns(known[i].pawns);
        assert_true(fabs(evaluation_chance(&v) - known[i].chance) < 0.0005);
    }
    const evaluation white = mate_in(3), black = mate_in(-30);
    assert_true(evaluation_chance(&white) == 1 && evaluation_chance(&black) == -1);
}

static uint16_t mark_of(evaluation before, evaluation after, tby_color side)
{
    return evaluation_mark(&before, &after, side);
}

TEST(test_annotate__marks_moves_that_cost_chances)
{
    assert_int_equal(mark_of(pawns(0.3), pawns(0), TBY_WHITE), 0);
    assert_int_equal(mark_of(pawns(0.3), pawns(-0.4), TBY_WHITE), 6);
    assert_int_equal(mark_of(pawns(0.3), pawns(-1), TBY_WHITE), 2);
    assert_int_equal(mark_of(pawns(0.3), pawns(-3), TBY_WHITE), 4);
    assert_int_equal(mark_of(pawns(0.3), pawns(-3), TBY_BLACK), 0); /* it improves */
    assert_int_equal(mark_of(pawns(0.3), pawns(3), TBY_BLACK), 4);
    assert_int_equal(mark_of(pawns(0), mate_in(5), TBY_BLACK), 4);
    assert_int_equal(mark_of(mate_in(2), pawns(12), TBY_WHITE), 0); /* won in any case */
    assert_int_equal(mark_of(mate_in(2), pawns(1), TBY_WHITE), 4);
    assert_int_equal(mark_of(pawns(-9), pawns(-15), TBY_WHITE), 0); /* lost in any case */
    assert_int_equal(mark_of((evaluation){.is_known = false}, pawns(-15), TBY_WHITE), 0);
}

int main(void) { return tests_run(NULL, NULL); }
