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

int main(void) { return tests_run(NULL, NULL); }
