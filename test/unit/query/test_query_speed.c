/*
 * test_query_speed.c - the speed of a game, from its TimeControl tag.
 */
#include "support.h"
#include "tabiya_query.h"

TEST(test_speed__is_that_of_the_first_period)
{
    static const struct {
        const char *control, *speed;
        int64_t seconds;
    } cases[] = {
        {"179", "bullet", 179},
        {"180", "blitz", 180},
        {"60+3", "blitz", 180},
        {"180+2", "blitz", 260},
        {"479", "blitz", 479},
        {"480", "rapid", 480},
        {"600+5", "rapid", 800},
        {"1499", "rapid", 1499},
        {"1500", "classical", 1500},
        {"40/7200", "classical", 7200},
        {"40/60:60", "bullet", 60},
        {"40/7200+30:3600", "classical", 8400},
        {"0+1", "bullet", 40},
        {"-", "correspondence", 0},
        {"1/86400", "correspondence", 0},
        {"", NULL, 0},
        {"?", NULL, 0},
        {"300+", NULL, 0},
        {"300+x", NULL, 0},
        {"40/", NULL, 0},
        {"5 minutes", NULL, 0},
        {"--", NULL, 0},
        {"*60", NULL, 0},
        {"99999999999999999999", "classical", 9999999},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t seconds = -1;
        const char *s = cases[i].control, *text = tby_speed_text(tby_speed_read(s, strlen(s), &seconds));
        if (cases[i].speed)
            assert_string_equal(text, cases[i].speed);
        else
            assert_null(text);
        assert_int_equal(seconds, cases[i].seconds);
    }
}

TEST(test_speed__a_pool_is_a_speed_and_a_group_of_ratings)
{
    static const struct {
        int white, black, speed;
        const char *tags;
        int pool;
    } cases[] = {
        {0, 0, TBY_SPEED_NONE, NULL, 0},
        {2500, 0, TBY_SPEED_BLITZ, NULL, 20},
        {1, 1, TBY_SPEED_NONE, NULL, 1},
        {1000, 999, TBY_SPEED_RAPID, NULL, 31},
        {1000, 1000, TBY_SPEED_RAPID, NULL, 32},
        {2000, 2399, TBY_SPEED_CLASSICAL, NULL, 47},
        {2499, 2500, TBY_SPEED_CORRESPONDENCE, NULL, 58},
        {2400, 2600, TBY_SPEED_BULLET, NULL, 19},
        {9999, 9999, TBY_SPEED_BULLET, "{\"TimeControl\":\"15+0\"}", 69},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *tags = cases[i].tags;
        const tby_row row = {.elo = {cases[i].white, cases[i].black},
                             .speed = (tby_speed)cases[i].speed,
                             .tags = {tags, tags ? strlen(tags) : 0}};
        assert_int_equal(tby_pool_of_row(&row), cases[i].pool);
    }
    for (int group = 2; group < TBY_RATING_GROUPS; group++)
        assert_true(tby_pool_least_mean(group) > tby_pool_least_mean(group - 1));
}

int main(void) { return tests_run(NULL, NULL); }
