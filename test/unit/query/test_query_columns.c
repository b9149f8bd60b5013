/*
 * test_query_columns.c - the table of columns: code that relies on its order, and that no member of a row is missing.
 */
#include "row/columns.h"
#include "support.h"

static bool take_text(void *context, const char *s, size_t n)
{
    char *out = context;
    assert_true(strlen(out) + n < 4096);
    strncat(out, s, n);
    return true;
}

static bool text_equals(tby_text text, const char *s)
{
    return s ? text.s && text.n == strlen(s) && memcmp(text.s, s, text.n) == 0 : !text.s;
}

TEST(test_columns__those_with_tags_come_first_and_names_are_unique)
{
    for (size_t i = 0; i < n_row_columns; i++) {
        const row_column *c = &row_columns[i];
        assert_true(i == 0 || !c->tag || row_columns[i - 1].tag);
        assert_true(i == 0 || !tby_row_column_name(i) || tby_row_column_name(i - 1));
        if (c->tag)
            assert_ptr_equal(column_of_tag(c->tag, strlen(c->tag)), c);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(c->name, row_columns[k].name);
    }
    assert_null(column_of_tag("Whit", 4));
    assert_null(column_of_tag("WhiteTeam", 9));
    assert_null(column_of_tag("UTCDate", 7));
}

TEST(test_columns__every_member_of_a_row_is_a_column)
{
    bool is_covered[sizeof(tby_row)] = {false};
    for (const row_column *c = row_columns; c < row_columns + n_row_columns; c++) {
        const size_t n = column_is(c, KINDS_WITH_TEXT) ? sizeof(tby_text) : c->kind == COLUMN_HASH ? 8 : sizeof(int);
        for (size_t i = 0; i < n; i++) {
            assert_false(is_covered[c->offset + i]);
            is_covered[c->offset + i] = true;
        }
    }
    size_t n_open = 0;
    for (size_t i = 0; i < sizeof(tby_row); i++)
        n_open += !is_covered[i];
    assert_true(n_open < sizeof(uint64_t)); /* padding at the end of the struct */
}

TEST(test_columns__rows_that_differ_in_any_column_differ)
{
    for (const row_column *c = row_columns; c < row_columns + n_row_columns; c++) {
        tby_row a = {.shape = {"ECO", 3}}, b = a;
        assert_true(row_is_equal(&a, &b, false));
        if (column_is(c, KINDS_WITH_TEXT))
            *column_text(c, &b) = (tby_text){"", 0};
        else if (c->kind == COLUMN_HASH)
            b.hash = 1;
        else
            column_set_number(c, &b, 1);
        assert_false(row_is_equal(&a, &b, false));
        assert_false(row_is_equal(&a, &b, true));
    }
    /* an opening that is not from a tag is a guess */
    const tby_row a = {.eco = {"A00", 3}}, b = {.eco = {"A01", 3}};
    assert_true(row_is_equal(&a, &b, true));
    assert_false(row_is_equal(&a, &b, false));
}

TEST(test_columns__lists_show_what_is_known)
{
    static const char *const known[] = {"Ada",  "2400", "Bert", NULL,  "1/2-1/2", "2019-05",
                                        "Open", NULL,   "1",    "A00", "7",       "blitz"};
    static const char *const unknown[] = {NULL, NULL, NULL, NULL, "*", NULL, NULL, NULL, NULL, NULL, "0", NULL};
    const tby_row full = {.white = {"Ada", 3},
                          .black = {"Bert", 4},
                          .event = {"Open", 4},
                          .round = {"1", 1},
                          .eco = {"A00", 3},
                          .date = 20190500,
                          .elo = {2400, 0},
                          .result = TBY_DRAW,
                          .speed = TBY_SPEED_BLITZ,
                          .plies = 7},
                  empty = {.plies = 0};
    char room[TBY_ROW_TEXT_SIZE];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_non_null(tby_row_column_name(i));
        assert_true(text_equals(tby_row_column_text(&full, i, room), known[i]));
        assert_true(text_equals(tby_row_column_text(&empty, i, room), unknown[i]));
    }
    assert_null(tby_row_column_name(n_row_columns));
    assert_null(tby_row_column_name(SIZE_MAX));
}

TEST(test_columns__tables_of_both_databases_have_them_all)
{
    for (int sql = TBY_SQL_SQLITE; sql <= TBY_SQL_POSTGRES; sql++) {
        char defined[4096] = "", shown[4096] = "", name[64];
        tby_columns_define(take_text, defined, (tby_sql)sql);
        strcpy(shown, " ");
        tby_columns_show(take_text, shown, (tby_sql)sql);
        strcat(shown, ",");
        for (const row_column *c = row_columns; c < row_columns + n_row_columns; c++) {
            snprintf(name, sizeof name, "%s ", c->name);
            assert_non_null(strstr(defined, name));
            snprintf(name, sizeof name, " %s,", c->name);
            assert_int_equal(strstr(shown, name) == NULL,
                             column_is(c, KIND(COLUMN_SHAPE) | KIND(COLUMN_HASH) | KIND(COLUMN_DAY)));
        }
    }
}

int main(void) { return tests_run(NULL, NULL); }
