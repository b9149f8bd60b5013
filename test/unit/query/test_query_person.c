/*
 * test_query_person.c - may two spellings be the same person, and which names does ~ find?
 */
#include "query/fold.h"
#include "support.h"

static bool may_be_same(const char *a, const char *b)
{
    tby_person x, y;
    tby_person_read(&x, a, strlen(a));
    tby_person_read(&y, b, strlen(b));
    assert_int_equal(tby_person_fits(&x, &y), tby_person_fits(&y, &x));
    return tby_person_fits(&x, &y);
}

static bool is_found(const char *asked, const char *name)
{
    return person_is_asked(asked, strlen(asked), name, strlen(name));
}

TEST(test_query_person__spellings_of_a_name_fit)
{
    assert_true(may_be_same("Carlsen,M", "Carlsen, Magnus"));
    assert_true(may_be_same("Magnus Carlsen", "carlsen, m."));
    assert_false(may_be_same("Carlsen", "Carlsen, Magnus"));
    assert_false(may_be_same("Carlsen,M", "Carlsen,H"));
}

/* A source numbers namesakes: these are never one person. */
TEST(test_query_person__names_that_differ_in_digits_are_two_people)
{
    assert_false(may_be_same("Fridman,D", "Fridman,D2"));
    assert_false(may_be_same("Braun,Christi1", "Braun,Christi2"));
    assert_false(may_be_same("Braun,Christi", "Braun,Christi 2"));
    assert_true(may_be_same("Fridman,D2", "fridman, d2"));
    assert_false(is_found("Fridman,D", "Fridman,D2"));
    assert_false(is_found("Fridman,D", "Fridman,D 2"));
    assert_false(is_found("Fridman,D2", "Fridman,D"));
    assert_true(is_found("Fridman,D", "Fridman,Daniel"));
    assert_true(is_found("Fridman,D2", "Fridman,D2"));
    assert_true(is_found("Fridman", "Fridman,D2")); /* everyone of that name */
}

TEST(test_query_person__father_and_son_are_two_people)
{
    static const char *const fathers[] = {"Stratil,L", "L. Stratil", "Stratil, L sen"};
    static const char *const sons[] = {"Stratil,L jr", "L Stratil Jr.", "Stratil jr, L", "Stratil,L jun",
                                       "Stratil, L Junior"};
    for (size_t i = 0; i < sizeof fathers / sizeof *fathers; i++)
        for (size_t k = 0; k < sizeof sons / sizeof *sons; k++) {
            assert_false(may_be_same(fathers[i], sons[k]));
            assert_false(is_found(fathers[i], sons[k]));
            assert_true(may_be_same(sons[0], sons[k]));
            assert_true(is_found(sons[k], sons[0]));
        }
    assert_false(may_be_same(fathers[0], fathers[2]));
}

/* Srdjan or a father: who writes Sai,S is found with Sai,Sr, but nobody is asked to merge the two. */
TEST(test_query_person__a_first_name_that_may_mean_senior_is_the_same_as_no_other)
{
    static const char *const others[] = {"Sai,S", "Sai,Srdjan", "S Sai", "Sai,J", "Sai"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_false(may_be_same("Sai,Sr", others[i]));
        assert_false(may_be_same(others[i], "Sai, Jr."));
        assert_false(may_be_same(others[i], "Junior Sai"));
    }
    assert_true(may_be_same("Sai,Sr", "Sai, sr."));
    assert_true(may_be_same("Jr Sai", "Sai, Jr."));
    assert_true(may_be_same("Sai,S", "S Sai"));
    assert_true(may_be_same("Sokolov,Iv", "Sokolov,Iv NED")); /* not the fourth */
}

/* Jun and Sr may be a first name, or its beginning. */
TEST(test_query_person__a_first_name_is_not_taken_for_junior)
{
    assert_true(may_be_same("Xie, Jun", "Xie Jun") || may_be_same("Xie, Jun", "Jun Xie"));
    assert_true(may_be_same("Xie,J", "Xie, Jun"));
    assert_true(is_found("Zakic,S", "Zakic,Sr"));
    assert_true(is_found("Junior", "JUNIOR"));
}

static void quote(char *out, size_t cap, const char *name) { tby_query_quote_person(out, cap, name, strlen(name)); }

TEST(test_query_person__a_name_as_an_option_means_the_person)
{
    static const struct {
        const char *name, *value;
    } rows[] = {
        {"Magnus Carlsen", "~\"Magnus Carlsen\""},
        {"carlsen", "~\"carlsen\""},
        {"~carlsen", "~\"carlsen\""},
        {"=Carlsen,M", "=\"Carlsen,M\""},
        {"Carl*", "Carl*"},
        {"Carlsen, *", "\"Carlsen, *\""},
        {"", "\"\""},
        {"?", "?"},
        {"Jr, ?", "~\"Jr, ?\""},
        {"O\"Neill", "~\"O\\\"Neill\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char got[64], text[80];
        quote(got, sizeof got, rows[i].name);
        assert_string_equal(got, rows[i].value);
        snprintf(text, sizeof text, "player %s", got);
        tby_query *query = tby_query_new(text, strlen(text), NULL, NULL, NULL);
        assert_non_null(query);
        tby_query_free(query);
    }
}

static void add_round(tby_rounds *rounds, const char *event, const char *round, int year, uint32_t white,
                      uint32_t black)
{
    const tby_row row = {
        .event = {event, strlen(event)}, .site = {"Riga", 4}, .round = {round, strlen(round)}, .date = year * 10000};
    assert_int_equal(tby_rounds_add(rounds, &row, white, black), TBY_OK);
}

/* Opponents 10 and 11 are one person. */
static bool are_opponents_same(void *context, uint32_t a, uint32_t b)
{
    (void)context;
    return (a == 10 && b == 11) || (a == 11 && b == 10);
}

static bool differ(tby_rounds *rounds, uint32_t a, uint32_t b)
{
    const bool is_so = tby_rounds_part(rounds, a, b, are_opponents_same, NULL);
    assert_int_equal(tby_rounds_part(rounds, b, a, are_opponents_same, NULL), is_so);
    return is_so;
}

TEST(test_query_person__who_plays_two_games_in_one_round_is_two_people)
{
    tby_rounds *rounds = tby_rounds_new();
    assert_false(differ(rounds, 1, 2)); /* no games at all */
    add_round(rounds, "Open", "1", 2019, 1, 10);
    add_round(rounds, "Open", "1", 2019, 2, 12); /* another game */
    add_round(rounds, "Open", "1", 2019, 3, 11); /* the same one, its names spelt differently */
    add_round(rounds, "Open", "1", 2019, 10, 4); /* another colour */
    add_round(rounds, "Open", "2", 2019, 5, 13); /* another round, event or year */
    add_round(rounds, "Cup", "1", 2019, 6, 13);
    add_round(rounds, "Open", "1", 2020, 7, 13);
    add_round(rounds, "Open", "?", 2019, 1, 14);
    add_round(rounds, "Open", "?", 2019, 8, 15);
    add_round(rounds, "", "3", 2019, 1, 14);
    add_round(rounds, "", "3", 2019, 8, 15);
    add_round(rounds, "?", "-", 0, 1, 9); /* they have met */
    assert_true(differ(rounds, 1, 2));
    assert_false(differ(rounds, 1, 3));
    assert_true(differ(rounds, 1, 4));
    for (uint32_t other = 5; other <= 8; other++)
        assert_false(differ(rounds, 1, other));
    assert_true(differ(rounds, 1, 9));
    assert_false(differ(rounds, 1, 99));
    tby_rounds_free(rounds);
}

int main(void) { return tests_run(NULL, NULL); }
