/*
 * test_progress.c - the progress bar, with a clock and a terminal under the test's control: clock_gettime and isatty
 * are wrapped by the linker.
 */
#include "support.h"

#include "progress.h"

#include <time.h>
#include <unistd.h>

static double now;
static int terminals[3];

int __wrap_clock_gettime(clockid_t id, struct timespec *t);
int __wrap_isatty(int fd);

int __wrap_clock_gettime(clockid_t id, struct timespec *t)
{
    (void)id;
    t->tv_sec = (time_t)now;
    t->tv_nsec = (long)((now - (double)t->tv_sec) * 1e9);
    return 0;
}

int __wrap_isatty(int fd) { return terminals[fd]; }

static FILE *screen;
static int real_stderr;

static int set_up(void **state)
{
    (void)state;
    screen = tmpfile();
    real_stderr = dup(STDERR_FILENO);
    return screen == NULL || real_stderr < 0;
}

static int tear_down(void **state)
{
    (void)state;
    return fclose(screen) != 0 || close(real_stderr) != 0;
}

/* What was written to stderr since the last call. */
static const char *shown(void)
{
    static char text[512];
    fflush(stderr);
    rewind(screen);
    text[fread(text, 1, sizeof text - 1, screen)] = '\0';
    assert_int_equal(ftruncate(fileno(screen), 0), 0);
    lseek(STDERR_FILENO, 0, SEEK_SET);
    return text;
}

static void watch(void)
{
    fflush(stderr);
    dup2(fileno(screen), STDERR_FILENO);
    terminals[STDERR_FILENO] = 1;
    terminals[STDOUT_FILENO] = 0;
    now = 100;
}

/* Restores the real stderr before asserting, so that a failure is visible. */
static void expect(const char *expected)
{
    char text[512];
    snprintf(text, sizeof text, "%s", shown());
    dup2(real_stderr, STDERR_FILENO);
    assert_string_equal(text, expected);
    dup2(fileno(screen), STDERR_FILENO);
}

static void leave(void)
{
    progress_hide();
    shown();
    dup2(real_stderr, STDERR_FILENO);
}

TEST(test_progress__nothing_is_shown_in_the_first_second)
{
    watch();
    progress_begin("games.pgn");
    now += 0.99;
    progress_update(0.5, 1000, 10);
    progress_hide();
    expect("");
    leave();
}

TEST(test_progress__the_bar_shows_share_rates_and_time_left)
{
    watch();
    progress_begin("games.pgn");
    now += 2;
    progress_update(0.5, 246800000, 312000);
    expect("\rgames.pgn  [##########..........]  50%  123.4 MB/s  156.0 k games/s  0:02 left\033[K");
    now += 0.05; /* too soon for another update */
    progress_update(0.6, 0, 0);
    expect("");
    now += 7.95;
    progress_update(0.001, 0, 0);
    expect("\rgames.pgn  [....................]   0%  2:46:30 left\033[K");
    now += 1;
    progress_update(2, 0, 0); /* the file has grown meanwhile */
    expect("\rgames.pgn  [####################] 100%  0:00 left\033[K");
    now += 1;
    progress_update(1e-12, 0, 0);
    expect("\rgames.pgn  [....................]   0%  100:00:00 left\033[K");
    leave();
}

TEST(test_progress__an_unknown_share_has_no_bar)
{
    watch();
    progress_begin("a name that is longer than the room that it has");
    now += 4;
    progress_update(-1, 0, 4000);
    expect("\ra name that is longer th  1.0 k games/s\033[K");
    leave();
}

TEST(test_progress__a_rate_is_never_shown_as_zero)
{
    watch();
    progress_begin("x");
    now += 10;
    progress_update(-1, 0, 25);
    expect("\rx  2.5 games/s\033[K");
    now += 110;
    progress_update(-1, 0, 1);
    expect("\rx  0.5 games/min\033[K");
    leave();
}

TEST(test_progress__it_makes_room_only_on_its_own_terminal)
{
    watch();
    progress_begin("x");
    now += 2;
    progress_update(-1, 0, 2000);
    expect("\rx  1.0 k games/s\033[K");
    progress_make_room(); /* the output goes to a file */
    expect("");
    terminals[STDOUT_FILENO] = 1;
    progress_make_room();
    expect("\r\033[K");
    progress_make_room(); /* the bar is already hidden */
    progress_hide();
    expect("");
    leave();
}

TEST(test_progress__nothing_is_shown_if_stderr_is_a_file)
{
    watch();
    terminals[STDERR_FILENO] = 0;
    progress_begin("x");
    now += 2;
    progress_update(0.5, 1, 1);
    expect("");
    leave();
}

int main(void) { return tests_run(set_up, tear_down); }
