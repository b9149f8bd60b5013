/*
 * test_nag.c - numeric annotation glyphs and the marks for them. The numbers are those of the PGN standard and of
 * programs that later added more.
 */
#include "support.h"

typedef struct pair {
    const char *mark;
    uint16_t nag;
} pair;

/* The mark that is written for each. */
static const pair WRITTEN[] = {
    {"!", 1},   {"?", 2},   {"!!", 3}, {"??", 4}, {"!?", 5},     {"?!", 6},     {"□", 7},
    {"=", 10},  {"∞", 13},  {"⩲", 14}, {"⩱", 15}, {"±", 16},     {"∓", 17},     {"+-", 18},
    {"-+", 19}, {"⨀", 22},  {"⟳", 32}, {"↑", 36}, {"→", 40},     {"⇆", 132},    {"⊕", 138},
    {"∆", 140}, {"⌓", 142}, {"$0", 0}, {"$8", 8}, {"$146", 146}, {"$220", 220}, {"$65535", 65535},
};
/* Other marks with the same meaning. */
static const pair READ[] = {
    {"‼", 3}, {"⁇", 4}, {"⁉", 5}, {"⁈", 6}, {"+=", 14}, {"=+", 15}, {"+/-", 16}, {"-/+", 17}, {"N", 146}, {"D", 220},
};

TEST(test_nag__each_mark_has_its_number)
{
    for (size_t i = 0; i < sizeof READ / sizeof *READ; i++)
        assert_int_equal(tby_nag_read(READ[i].mark, strlen(READ[i].mark)), READ[i].nag);
}

TEST(test_nag__what_is_written_is_read_back)
{
    char text[32];
    for (size_t i = 0; i < sizeof WRITTEN / sizeof *WRITTEN; i++) {
        const size_t n = tby_nag_write(text, sizeof text, WRITTEN[i].nag);
        assert_string_equal(text, WRITTEN[i].mark);
        assert_int_equal(n, strlen(text));
        assert_int_equal(tby_nag_read(text, n), text[0] == '$' ? 0 : WRITTEN[i].nag);
    }
}

TEST(test_nag__a_mark_is_the_whole_text)
{
    static const char *const others[] = {"",  "!!!", "n",    "NN",       "d",  "x",  "+",
                                         "-", "+/",  "\xe2", "\xe2\x88", "= ", "!=", "$1"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(tby_nag_read(others[i], strlen(others[i])), 0);
    assert_int_equal(tby_nag_read("!\0", 2), 0);
    assert_int_equal(tby_nag_read("!!", 1), 1);
    assert_int_equal(tby_nag_read("+/-", 2), 0);
}

TEST(test_nag__a_small_buffer_stays_empty)
{
    char text[] = "xxxx";
    assert_int_equal(tby_nag_write(text, 2, 3), 2); /* the size it needs */
    assert_string_equal(text, "");
    assert_int_equal(tby_nag_write(text, 3, 3), 2);
    assert_int_equal(tby_nag_write(text, 4, 65535), 6);
    assert_string_equal(text, "");
}

int main(void) { return tests_run(NULL, NULL); }
