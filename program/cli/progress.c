/*
 * progress.c - a progress bar on stderr for work that takes longer than a second.
 *
 * Keeps    silent if stderr is not a terminal; at most ten updates per second. Used by the main thread only.
 */
#include "progress.h"
#include "console.h"
#include "os/clock.h"
#include "os/terminal.h"

enum { BAR_WIDTH = 20, NAME_WIDTH = 24 };
static const double FIRST_SECONDS = 1, STEP_SECONDS = 0.1;

static struct {
    const char *name;
    double began, shown; /* seconds */
    bool is_visible;
} bar;

void progress_begin(const char *name)
{
    progress_hide();
    bar.name = name;
    bar.began = bar.shown = clock_seconds();
}

void progress_hide(void)
{
    if (bar.is_visible)
        fputs("\r\033[K", stderr);
    bar.is_visible = false;
}

void progress_make_room(void)
{
    if (bar.is_visible && out_is_terminal())
        progress_hide();
}

static void print_bar(double fraction)
{
    const int filled = (int)(fraction * (double)BAR_WIDTH);
    fputs("  [", stderr);
    for (int i = 0; i < BAR_WIDTH; i++)
        fputc(i < filled ? '#' : '.', stderr);
    fprintf(stderr, "] %3d%%", (int)(fraction * 100));
}

static void print_time_left(double seconds)
{
    const unsigned long left = seconds < 360000 ? (unsigned long)seconds : 360000;
    if (left >= 3600)
        fprintf(stderr, "  %lu:%02lu:%02lu left", left / 3600, left / 60 % 60, left % 60);
    else
        fprintf(stderr, "  %lu:%02lu left", left / 60, left % 60);
}

static void print_rate(double rate)
{
    if (rate >= 1000)
        fprintf(stderr, "  %.1f k games/s", rate * 1e-3);
    else if (rate >= 1)
        fprintf(stderr, "  %.1f games/s", rate);
    else
        fprintf(stderr, "  %.1f games/min", rate * 60);
}

void progress_update(double fraction, uint64_t n_bytes, uint64_t n_games)
{
    const double now = clock_seconds(), taken = now - bar.began;
    if (taken < FIRST_SECONDS || now - bar.shown < STEP_SECONDS)
        return;
    bar.shown = now;
    if (!os_is_terminal(stderr))
        return;
    fraction = fraction > 1 ? 1 : fraction;
    fprintf(stderr, "\r%.*s", NAME_WIDTH, bar.name);
    if (fraction >= 0)
        print_bar(fraction);
    if (n_bytes)
        fprintf(stderr, "  %.1f MB/s", (double)n_bytes / taken * 1e-6);
    if (n_games)
        print_rate((double)n_games / taken);
    if (fraction > 0)
        print_time_left(taken / fraction - taken);
    fputs("\033[K", stderr);
    fflush(stderr);
    bar.is_visible = true;
}
