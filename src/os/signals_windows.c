/*
 * signals_windows.c - Ctrl-C, and the events at the end of a window and of a session.
 *
 * The system calls the handler in a thread of its own, the handler that was set last first. Closing the window ends the
 * process as soon as the handler returns, so the handler waits: the main thread then ends the process, or five seconds
 * later the system does.
 */
#include "os/signals.h"
#include "os/windows.h"

#include <stdatomic.h>

static bool is_last(DWORD event)
{
    return event == CTRL_CLOSE_EVENT || event == CTRL_LOGOFF_EVENT || event == CTRL_SHUTDOWN_EVENT;
}

static BOOL wait_for_end(DWORD event)
{
    if (is_last(event))
        Sleep(INFINITE);
    return TRUE;
}

static void (*cleans_up)(void);

static BOOL WINAPI clean_up_first(DWORD event)
{
    (void)event;
    cleans_up();
    return FALSE; /* the system's own handler ends the process */
}

void os_signals_before_end(void (*clean_up)(void))
{
    cleans_up = clean_up;
    SetConsoleCtrlHandler(clean_up_first, TRUE);
}

static void (*stops)(void);
static atomic_bool has_stopped;

static BOOL WINAPI stop_once(DWORD event)
{
    if (atomic_exchange(&has_stopped, true))
        return FALSE;
    stops();
    return wait_for_end(event);
}

void os_signals_on_stop(void (*stop)(void))
{
    const bool is_first = !stops;
    stops = stop;
    atomic_store(&has_stopped, false);
    if (is_first)
        SetConsoleCtrlHandler(stop_once, TRUE);
}

static void (*serves)(os_signal what);

static BOOL WINAPI stop_serving(DWORD event)
{
    serves(OS_STOP);
    return wait_for_end(event);
}

bool os_signals_serve(void (*handler)(os_signal what))
{
    serves = handler;
    SetConsoleCtrlHandler(stop_serving, TRUE);
    return false;
}
