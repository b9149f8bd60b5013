/*
 * test_query_part.c - a query in two parts: what can be decided from the moves alone, and the rest.
 */
#include "query/ast.h"
#include "support.h"

static tby_query *read(const char *text, const char *patterns)
{
    const tby_query_options options = {.patterns = patterns, .n_patterns = patterns ? strlen(patterns) : 0};
    tby_query *query = tby_query_new(text, strlen(text), &options, NULL, NULL);
    assert_non_null(query);
    return query;
}

static void assert_parts(const char *text, const char *patterns, const char *of_moves, const char *of_rows)
{
    char part[512];
    tby_query *query = read(text, patterns);
    assert_int_equal(query_write_part(part, sizeof part, query, true), strlen(of_moves));
    assert_string_equal(part, of_moves);
    assert_int_equal(query_write_part(part, sizeof part, query, false), strlen(of_rows));
    assert_string_equal(part, of_rows);
    tby_query_free(query);
}

TEST(test_query_part__each_fact_goes_to_one_of_the_parts)
{
    assert_parts("mate", NULL, "mate", "");
    assert_parts("player morphy", NULL, "", "player morphy");
    assert_parts("player morphy mate elo 2400.. Qh5", NULL, "mate Qh5", "player morphy elo 2400..");
    assert_parts("result 1-0 plies ..40 opening \"1. e4\" date 1990..", NULL, "result 1-0 plies ..40 opening \"1. e4\"",
                 "date 1990..");
    assert_parts("id 5 comment fine nag 1 check", NULL, "check", "id 5 comment fine nag 1");
}

TEST(test_query_part__what_belongs_together_is_not_split)
{
    assert_parts("white morphy or mate", NULL, "", "(white morphy or mate)");
    assert_parts("(white morphy or mate) check", NULL, "check", "(white morphy or mate)");
    assert_parts("not (white morphy mate) check", NULL, "check", "not (white morphy mate)");
    assert_parts("Qh5 ; mate", NULL, "(Qh5 ; mate)", "");
    assert_parts("Qh5 ; white morphy", NULL, "", "(Qh5 ; white morphy)");
    assert_parts("(check player morphy) mate", NULL, "check mate", "player morphy");
}

TEST(test_query_part__pattern_names_are_expanded)
{
    assert_parts("mine elo 2000..", "mine Qh5 or mate\n", "(Qh5 or mate)", "elo 2000..");
    assert_parts("mine check", "mine white morphy mate\n", "check", "(white morphy mate)");
}

/* A server that reads the part understands the same as the program that wrote it. */
TEST(test_query_part__every_pattern_is_read_without_its_name)
{
    const tby_query_options moves_alone = {.without_row = true};
    for (size_t i = 0; tby_query_pattern_at(i); i++) {
        char part[4096];
        tby_query *query = read(tby_query_pattern_at(i)->name, NULL);
        const size_t n = query_write_part(part, sizeof part, query, true);
        assert_in_range(n, 1, sizeof part - 1);
        assert_int_equal(query_write_part(NULL, 0, query, false), 0);
        tby_query *other = tby_query_new(part, n, &moves_alone, NULL, NULL);
        assert_non_null(other);
        assert_int_equal(other->program.nodes.n, query->program.nodes.n);
        tby_query_free(other);
        tby_query_free(query);
    }
}

static bool is_about_move(const char *text)
{
    tby_query *query = read(text, "jump N-g5\n");
    const bool is = tby_query_is_about_move(query);
    tby_query_free(query);
    return is;
}

TEST(test_query_part__a_query_is_about_a_move_if_a_move_makes_it_true)
{
    static const char *const moves[] = {
        "Rxd4", "O-O",         "Rxd4 check",  "player morphy Rxd4", "Rxd4 or Nxd4", "either (N-g5)", "mirror N-g5",
        "jump", "Rxd4 , mate", "Rxd4 ; mate", "(N-f3 , Rxd4)",      "N:f3-g5",      "shift (N-g5)",  "greek-gift"};
    static const char *const others[] = {"mate",          "player morphy",    "not Rxd4",   "Rxd4 or mate",
                                         "ever (Rxd4)",   "never (Rxd4)",     "Pd4 , Rxd4", "Pd4 ; Rxd4",
                                         "Pd4 ever Rxd4", "Rd4 or (Pd4 Rxd4)"};
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        if (!is_about_move(moves[i]))
            fail_msg("%s is about a move", moves[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (is_about_move(others[i]))
            fail_msg("%s is not about a move", others[i]);
}

int main(void) { return tests_run(NULL, NULL); }
