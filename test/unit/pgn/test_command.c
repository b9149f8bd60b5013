/*
 * test_command.c - commands in comments: clocks, evaluations, coloured squares and arrows.
 */
#include "support.h"

/* The first command of a text, which must contain one. */
static tby_command first(const char *s)
{
    tby_command command;
    size_t at = 0;
    memset(&command, 0xee, sizeof command);
    assert_true(tby_command_next(&command, s, strlen(s), &at));
    assert_int_equal(at, command.start + command.length);
    assert_memory_equal(s + command.start, "[%", 2);
    assert_int_equal(s[at - 1], ']');
    return command;
}

static void expect_typed(const char *s, tby_command_type type, int64_t value)
{
    const tby_command command = first(s);
    assert_int_equal(command.type, type);
    assert_true(command.value == value);
    assert_false(command.is_mate);
    assert_int_equal(command.n_marks, 0);
}

static void expect_other(const char *s)
{
    const tby_command command = first(s);
    assert_int_equal(command.type, TBY_COMMAND_OTHER);
    assert_true(command.value == 0 && command.depth == 0 && command.n_marks == 0 && !command.is_mate);
}

/* ---- Clocks --------------------------------------------------------------------------------------------- */

TEST(test_command__clocks)
{
    expect_typed("[%clk 1:02:03.4]", TBY_COMMAND_CLOCK, 3723400);
    expect_typed("[%clk 0:00:59]", TBY_COMMAND_CLOCK, 59000);
    expect_typed("[%clk 01:10:42]", TBY_COMMAND_CLOCK, 4242000);
    expect_typed("[%emt 12:42]", TBY_COMMAND_ELAPSED, 762000);
    expect_typed("[%emt 90]", TBY_COMMAND_ELAPSED, 90000);
    expect_typed("[%clk2:10:30]", TBY_COMMAND_CLOCK, 7830000);
    expect_typed("[%clk \n 0:00:01.250 \t]", TBY_COMMAND_CLOCK, 1250);
    expect_typed("[%clk 0:00:01.2500]", TBY_COMMAND_CLOCK, 1250);
    expect_typed("[%clk 0:00:01.]", TBY_COMMAND_CLOCK, 1000);
    expect_typed("[%clk 999999:59:59]", TBY_COMMAND_CLOCK, 3599999999000);
}

TEST(test_command__invalid_clocks)
{
    static const char *const bad[] = {"[%clk]",
                                      "[%clk ]",
                                      "[%clk 1:2:3:4]",
                                      "[%clk 0:60:00]",
                                      "[%clk 0:00:60]",
                                      "[%clk -1]",
                                      "[%clk 1:00x]",
                                      "[%clk :30]",
                                      "[%clk 1:]",
                                      "[%clk 0:00:01.0001]",
                                      "[%clk 99999999999999999999]",
                                      "[%clk 1 2]"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        expect_other(bad[i]);
}

/* ---- Evaluations ---------------------------------------------------------------------------------------- */

TEST(test_command__evaluations)
{
    expect_typed("[%eval 0.17]", TBY_COMMAND_EVAL, 17);
    expect_typed("[%eval -1.02]", TBY_COMMAND_EVAL, -102);
    expect_typed("[%eval -0.05]", TBY_COMMAND_EVAL, -5);
    expect_typed("[%eval +0.3]", TBY_COMMAND_EVAL, 30);
    expect_typed("[%eval 2]", TBY_COMMAND_EVAL, 200);
    expect_typed("[%eval 2.]", TBY_COMMAND_EVAL, 200);
    expect_typed("[%eval .5]", TBY_COMMAND_EVAL, 50);
    expect_typed("[%eval 0.170]", TBY_COMMAND_EVAL, 17);
    const tby_command command = first("[%eval -0.35,23]");
    assert_true(command.value == -35 && command.depth == 23 && !command.is_mate);
}

TEST(test_command__mates)
{
    static const struct {
        const char *text;
        int64_t value;
        unsigned depth;
    } cases[] = {{"[%eval #3]", 3, 0},
                 {"[%eval #-3]", -3, 0},
                 {"[%eval #+3]", 3, 0},
                 {"[%eval #-12,40]", -12, 40},
                 {"[%eval #0]", 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tby_command command = first(cases[i].text);
        assert_int_equal(command.type, TBY_COMMAND_EVAL);
        assert_true(command.is_mate && command.value == cases[i].value && command.depth == cases[i].depth);
    }
}

TEST(test_command__invalid_evaluations)
{
    static const char *const bad[] = {"[%eval]",
                                      "[%eval x]",
                                      "[%eval .]",
                                      "[%eval -]",
                                      "[%eval #]",
                                      "[%eval #1.5]",
                                      "[%eval 1,]",
                                      "[%eval 1,x]",
                                      "[%eval --1]",
                                      "[%eval 0.171]",
                                      "[%eval 1e400]",
                                      "[%eval 99999999999999999999.1]",
                                      "[%eval 1,99999999999999999999]"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        expect_other(bad[i]);
}

/* ---- Squares and arrows --------------------------------------------------------------------------------- */

static void expect_mark(const tby_command *command, size_t index, char color, const char *from, const char *to)
{
    assert_true(index < command->n_marks);
    assert_int_equal(command->marks[index].color, color);
    assert_int_equal(command->marks[index].from, square_of(from));
    assert_int_equal(command->marks[index].to, square_of(to));
}

TEST(test_command__squares)
{
    tby_command command = first("[%csl Ra1,Gb2 , Yh8,Be4,Oe1,Cb1]");
    assert_int_equal(command.type, TBY_COMMAND_SQUARES);
    assert_int_equal(command.n_marks, 6);
    expect_mark(&command, 0, 'R', "a1", "a1");
    expect_mark(&command, 1, 'G', "b2", "b2");
    expect_mark(&command, 2, 'Y', "h8", "h8");
    expect_mark(&command, 5, 'C', "b1", "b1");
    command = first("[%cslRd4]");
    assert_int_equal(command.n_marks, 1);
    expect_mark(&command, 0, 'R', "d4", "d4");
    command = first("[%csl ]");
    assert_int_equal(command.type, TBY_COMMAND_SQUARES);
    assert_int_equal(command.n_marks, 0);
}

TEST(test_command__arrows)
{
    tby_command command = first("[%cal   Ye4e8  ,  Gd1d3]");
    assert_int_equal(command.type, TBY_COMMAND_ARROWS);
    assert_int_equal(command.n_marks, 2);
    expect_mark(&command, 0, 'Y', "e4", "e8");
    expect_mark(&command, 1, 'G', "d1", "d3");
}

TEST(test_command__invalid_marks)
{
    static const char *const bad[] = {"[%csl a1]",   "[%csl Ra9]",   "[%csl Ri1]",    "[%csl Ra1,]",
                                      "[%csl ,Ra1]", "[%csl Ra1a2]", "[%cal Ra1]",    "[%cal Ra1a]",
                                      "[%csl Ra]",   "[%csl R]",     "[%csl Ra1 Rb1]"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        expect_other(bad[i]);
}

TEST(test_command__more_marks_than_there_is_room_for)
{
    char s[1000] = "[%csl Ra1";
    for (unsigned i = 1; i < TBY_COMMAND_MARKS; i++)
        strcat(s, ",Ra1");
    strcat(s, "]");
    assert_int_equal(first(s).n_marks, TBY_COMMAND_MARKS);
    s[strlen(s) - 1] = '\0';
    strcat(s, ",Ra1]");
    expect_other(s);
}

/* ---- Finding -------------------------------------------------------------------------------------------- */

TEST(test_command__several_in_a_comment)
{
    static const char s[] = " text [%eval 0.2] [%clk 0:01:00][%foo bar] ] [x] [%depth20 +0.35] end";
    static const tby_command_type types[] = {TBY_COMMAND_EVAL, TBY_COMMAND_CLOCK, TBY_COMMAND_OTHER, TBY_COMMAND_OTHER};
    static const char *const texts[] = {"[%eval 0.2]", "[%clk 0:01:00]", "[%foo bar]", "[%depth20 +0.35]"};
    tby_command command;
    size_t at = 0;
    for (size_t i = 0; i < 4; i++) {
        assert_true(tby_command_next(&command, s, sizeof s - 1, &at));
        assert_int_equal(command.type, types[i]);
        assert_int_equal(command.length, strlen(texts[i]));
        assert_memory_equal(s + command.start, texts[i], command.length);
    }
    assert_false(tby_command_next(&command, s, sizeof s - 1, &at));
    assert_int_equal(at, sizeof s - 1);
    assert_false(tby_command_next(&command, s, sizeof s - 1, &at));
}

TEST(test_command__names_must_match_completely)
{
    expect_other("[%clkx 1]");
    expect_other("[%cl 1]");
    expect_other("[%evaluation 1]");
    expect_other("[%CLK 1]");
    expect_other("[%egt 1]");
    expect_other("[%]");
}

TEST(test_command__a_command_that_is_not_closed_is_ignored)
{
    static const char *const none[] = {"", "[", "[%", "[%clk 1", "%clk 1]", "[ %clk 1]", "]", "clk"};
    tby_command command;
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        size_t at = 0;
        assert_false(tby_command_next(&command, none[i], strlen(none[i]), &at));
        assert_int_equal(at, strlen(none[i]));
    }
    /* The innermost opening bracket counts. */
    expect_typed("[%csl Ra1 [%clk 0:00:30]", TBY_COMMAND_CLOCK, 30000);
}

TEST(test_command__a_nul_is_a_normal_byte)
{
    static const char s[] = "a\0[%clk 5]\0";
    tby_command command;
    size_t at = 0;
    assert_true(tby_command_next(&command, s, sizeof s - 1, &at));
    assert_true(command.start == 2 && command.value == 5000);
}

TEST(test_command__hostile_texts_take_one_pass)
{
    static const char *const units[] = {"[%", "[", "%", "]", "[%clk 1", "[%csl Ra1,", "9", "[%]"};
    enum { LENGTH = 1 << 20 };
    char *s = malloc(LENGTH);
    assert_non_null(s);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        const size_t n = strlen(units[i]);
        for (size_t j = 0; j < LENGTH; j++)
            s[j] = units[i][j % n];
        tby_command command;
        size_t at = 0, n_found = 0;
        while (tby_command_next(&command, s, LENGTH, &at))
            n_found++;
        assert_int_equal(n_found, i == 7 ? LENGTH / 3 : 0);
        assert_int_equal(at, LENGTH);
    }
    free(s);
}

int main(void) { return tests_run(NULL, NULL); }
