/*
 * signals.h - being asked to end, or to look at the files again.
 */
#ifndef TBY_OS_SIGNALS_H
#define TBY_OS_SIGNALS_H

#include <stdbool.h>

/* What a handler is called with. */
typedef enum os_signal { OS_STOP, OS_RELOAD } os_signal;

/* Called once before the program is ended by a signal that nobody else catches or ignores; on Windows by Ctrl-C, by
   closing its window, or at the end of the session. The program ends afterwards. */
void os_signals_before_end(void (*clean_up)(void));
/* Called for the first Ctrl-C or SIGTERM, in any thread; the second one ends the program. */
void os_signals_on_stop(void (*stop)(void));
/* Called for each of them, and with OS_RELOAD for SIGHUP, which Windows does not have. Returns whether SIGHUP was not
   ignored, as nohup makes it, so that the end of the terminal counts. */
bool os_signals_serve(void (*handler)(os_signal what));

#endif
