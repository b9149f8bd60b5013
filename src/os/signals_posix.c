/*
 * signals_posix.c - signals of POSIX.
 */
#include "os/signals.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>

/* ---- Before the end ------------------------------------------------------------------------------------- */

static void (*cleans_up)(void);

static void end_by_signal(int number)
{
    cleans_up();
    signal(number, SIG_DFL);
    raise(number);
}

void os_signals_before_end(void (*clean_up)(void))
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGXFSZ};
    cleans_up = clean_up;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction old;
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            signal(signals[i], end_by_signal);
    }
}

/* ---- Stopping ------------------------------------------------------------------------------------------- */

static void (*stops)(void);

static void note_interrupt(int number)
{
    stops();
    signal(number, SIG_DFL);
}

void os_signals_on_stop(void (*stop)(void))
{
    stops = stop;
    signal(SIGINT, note_interrupt);
    signal(SIGTERM, note_interrupt);
}

/* ---- Serving -------------------------------------------------------------------------------------------- */

static void (*serves)(os_signal what);

static void note_signal(int number)
{
    const int error = errno;
    serves(number == SIGHUP ? OS_RELOAD : OS_STOP);
    errno = error;
}

bool os_signals_serve(void (*handler)(os_signal what))
{
    struct sigaction action = {.sa_handler = note_signal}, before;
    serves = handler;
    sigemptyset(&action.sa_mask);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    action.sa_flags = SA_RESTART;
    sigaction(SIGHUP, &action, &before);
    return before.sa_handler != SIG_IGN;
}
