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

static tby_game *game_of(const char *pgn)
{
    tby_game *game = tby_game_new(NULL);
    tby_pgn *reader = tby_pgn_new_memory(pgn, strlen(pgn), NULL, NULL);
    assert_true(game && reader);
    assert_int_equal(tby_game_read_pgn(game, reader, NULL, NULL), TBY_GAME_GOOD);
    tby_pgn_free(reader);
    return game;
}

/* Against values computed by hand from the formulas in review.c. */
TEST(test_annotate__a_review_counts_accuracy_loss_and_mistakes_by_phase)
{
    static const char pgn[] = "1. e4 {[%eval 0.3]} e5 {[%eval 0.3]} 2. Qh5 {[%eval -0.5]} Ke7 {[%eval #1]} 3. Qxe5# *";
    review_side sides[2] = {{0}, {0}};
    review_mistake mistakes[8];
    size_t n_evaluated;
    tby_game *game = game_of(pgn);
    assert_int_equal(review_game(mistakes, sides, &n_evaluated, game), 2);
    assert_int_equal(n_evaluated, 4);
    assert_int_equal(mistakes[0].nag, 6);
    assert_int_equal(mistakes[1].nag, 4);
    assert_int_equal(mistakes[1].phase, PHASE_OPENING);
    assert_int_equal(sides[TBY_WHITE].moves, 1); /* the first move has no evaluation before it */
    assert_int_equal(sides[TBY_BLACK].moves, 2);
    assert_true(fabs(sides[TBY_WHITE].loss - 0.8) < 1e-9);
    assert_true(fabs(sides[TBY_WHITE].accuracy - 71.75137) < 1e-4);
    assert_true(fabs(sides[TBY_BLACK].loss - 10.5) < 1e-9);
    assert_int_equal(sides[TBY_BLACK].marks[PHASE_OPENING][MARK_BLUNDER], 1);
    assert_int_equal(review_count(&sides[TBY_WHITE], MARK_DUBIOUS), 1);
    tby_game_free(game);
}

TEST(test_annotate__marks_of_a_game_without_evaluations_are_its_mistakes)
{
    review_side sides[2] = {{0}, {0}};
    review_mistake mistakes[8];
    size_t n_evaluated;
    tby_game *game = game_of("1. e4 e5 2. Nf3 $1 f6 $2 3. Nxe5 fxe5 $4 *");
    assert_int_equal(review_game(mistakes, sides, &n_evaluated, game), 2);
    assert_int_equal(n_evaluated, 0);
    assert_int_equal(sides[TBY_BLACK].moves, 0);
    assert_int_equal(review_count(&sides[TBY_BLACK], MARK_MISTAKE), 1);
    assert_int_equal(review_count(&sides[TBY_BLACK], MARK_BLUNDER), 1);
    tby_game_free(game);
}

int main(void) { return tests_run(NULL, NULL); }
