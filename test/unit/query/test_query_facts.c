/*
 * test_query_facts.c - the table of facts: every row is complete, and what rows refer to exists.
 */
#include "query/facts.h"
#include "support.h"

#define EACH_FACT(f) (const query_fact *f = query_facts; f < query_facts + n_query_facts; f++)

TEST(test_query_facts__have_unique_words)
{
    for
        EACH_FACT(f)
    if (f->word)
        assert_ptr_equal(fact_find(f->word, strlen(f->word)), f);
    assert_null(fact_find("", 0));
    assert_null(fact_find("elo", 2));
}

/* A fact without an evaluator would be false, or crash, where no database decides it. */
TEST(test_query_facts__have_evaluators)
{
    for
        EACH_FACT(f)
        {
            const bool is_made = f->value == VALUE_NODES || f->value == VALUE_JOIN || f->value == VALUE_PREFIX ||
                                 f->value == VALUE_MODE,
                       is_term = f->value == VALUE_SUM || fact_type(f) == Q_TERM_PIECES ||
                                 fact_type(f) == Q_TERM_NUMBER;
            if (is_made || is_term)
                continue;
            if (f->scope == SCOPE_GAME && !f->holds && !f->columns[0].name)
                fail_msg("%s: neither columns nor an evaluator", f->word);
            if (f->scope != SCOPE_GAME && !f->run)
                fail_msg("%s (%u): no evaluator", f->word ? f->word : "?", fact_type(f));
            if (f->cost == 0)
                fail_msg("%s (%u): no cost", f->word ? f->word : "?", fact_type(f));
            if (f->needs == 0)
                fail_msg("%s (%u): it needs something", f->word ? f->word : "?", fact_type(f));
        }
}

/* The evaluator uses the offset and SQL the name: both must refer to the same column. */
TEST(test_query_facts__name_columns_that_exist)
{
    for
        EACH_FACT(f)
    for (size_t i = 0; i < 2 && f->columns[i].name; i++) {
        const row_column *column = column_named(f->columns[i].name);
        if (strcmp(f->columns[i].name, "id") == 0)
            continue;
        if (!column)
            fail_msg("%s: there is no column %s", f->word, f->columns[i].name);
        assert_int_equal(column->offset, f->columns[i].offset);
        const bool is_number = column_is(column, KIND(COLUMN_NUMBER) | KIND(COLUMN_COUNT));
        if (f->value == VALUE_RANGE || f->value == VALUE_SIGNED)
            assert_true(is_number);
        if (f->value == VALUE_TEXT && !f->holds && f->scope == SCOPE_GAME)
            assert_true(column_is(column, KINDS_WITH_TEXT));
        if (i == 1)
            assert_int_equal(column->kind, column_named(f->columns[0].name)->kind);
    }
}

TEST(test_query_facts__flipping_twice_changes_nothing)
{
    for
        EACH_FACT(f)
        {
            if (!f->flipped)
                continue;
            const query_fact *other = fact_find(f->flipped, strlen(f->flipped));
            if (!other || !other->flipped || strcmp(other->flipped, f->word) != 0)
                fail_msg("%s becomes %s, which does not become %s again", f->word, f->flipped, f->word);
            assert_int_equal(f->value, other->value);
            assert_int_equal(f->scope, other->scope);
        }
}

/* ---- Bounds ------------------------------------------------------------------------------------------------- */

/* A domain whose values are the bits of a byte, one per game. `result 1-0` is exactly 0x0f; `result 0-1` is at least
   0x10 and at most 0xf0; nothing is known about anything else. */
static cover byte_leaf(void *context, void *value, const query_node *node, uint32_t id, bound_side side)
{
    (void)context, (void)id;
    if (fact_of_node(node)->value != VALUE_RESULT || node->number == TBY_DRAW)
        return COVER_NONE;
    if (node->number == TBY_WHITE_WINS) {
        *(uint8_t *)value = 0x0f;
        return COVER_EXACT;
    }
    *(uint8_t *)value = side == BOUND_MAY ? 0xf0 : 0x10;
    return COVER_MORE;
}

static void byte_constant(void *context, void *value, bool is_true)
{
    (void)context;
    *(uint8_t *)value = is_true ? 0xff : 0;
}

static bool byte_join(void *context, void *value, const void *other, bool is_or)
{
    (void)context;
    *(uint8_t *)value = is_or ? *(uint8_t *)value | *(const uint8_t *)other
                              : *(uint8_t *)value & *(const uint8_t *)other;
    return true;
}

static void byte_negate(void *context, void *value)
{
    (void)context;
    *(uint8_t *)value = (uint8_t) ~*(uint8_t *)value;
}

TEST(test_query_facts__bound_what_queries_hold_for)
{
    static const struct {
        const char *query;
        cover may_known;
        uint8_t may;
        cover must_known;
        uint8_t must;
    } cases[] = {
        {"result 1-0", COVER_EXACT, 0x0f, COVER_EXACT, 0x0f},
        {"result 0-1", COVER_MORE, 0xf0, COVER_MORE, 0x10},
        {"check", COVER_NONE, 0, COVER_NONE, 0},
        {"not result 1-0", COVER_EXACT, 0xf0, COVER_EXACT, 0xf0},
        {"not result 0-1", COVER_MORE, 0xef, COVER_MORE, 0x0f},
        {"result 1-0 check", COVER_MORE, 0x0f, COVER_NONE, 0},
        {"result 1-0 or check", COVER_NONE, 0, COVER_MORE, 0x0f},
        {"not (result 1-0 or check)", COVER_MORE, 0xf0, COVER_NONE, 0},
        {"not (result 1-0 check)", COVER_NONE, 0, COVER_MORE, 0xf0},
        {"result 1-0 or result 0-1", COVER_MORE, 0xff, COVER_MORE, 0x1f},
        {"ever (result 1-0 check)", COVER_MORE, 0x0f, COVER_NONE, 0},
        {"always (result 1-0 or check)", COVER_NONE, 0, COVER_MORE, 0x0f},
        {"(result 1-0 or check) for 3", COVER_NONE, 0, COVER_NONE, 0}, /* the game may be too short */
        {"(result 1-0 check) for 3", COVER_MORE, 0x0f, COVER_NONE, 0},
        {"check ; result 1-0", COVER_MORE, 0x0f, COVER_NONE, 0},
    };
    static const bound_domain domain = {.leaf = byte_leaf,
                                        .constant = byte_constant,
                                        .join = byte_join,
                                        .negate = byte_negate,
                                        .size = sizeof(uint8_t)};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t values[64];
        tby_query *q = tby_query_new(cases[i].query, strlen(cases[i].query), NULL, NULL, NULL);
        assert_non_null(q);
        assert_true(bound_n_values(q) <= sizeof values);
        const cover may = bound_query(&domain, NULL, values, q, q->program.root, BOUND_MAY);
        if (may != cases[i].may_known || (may != COVER_NONE && values[0] != cases[i].may))
            fail_msg("%s: may hold: %d %02x", cases[i].query, may, values[0]);
        const cover must = bound_query(&domain, NULL, values, q, q->program.root, BOUND_MUST);
        if (must != cases[i].must_known || (must != COVER_NONE && values[0] != cases[i].must))
            fail_msg("%s: must hold: %d %02x", cases[i].query, must, values[0]);
        tby_query_free(q);
    }
}

int main(void) { return tests_run(NULL, NULL); }
