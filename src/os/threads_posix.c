/*
 * threads_posix.c - threads of POSIX.
 */
#include "os/threads.h"

#include <time.h>
#include <unistd.h>

void os_condition_wait_for(os_condition *c, os_mutex *m, unsigned milliseconds)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long)(milliseconds % 1000) * 1000000;
    until.tv_sec += (time_t)(milliseconds / 1000) + until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(c, m, &until);
}

bool os_thread_start(os_thread *out, void *(*work)(void *), void *context)
{
    return pthread_create(out, NULL, work, context) == 0;
}

void os_thread_join(os_thread thread) { pthread_join(thread, NULL); }

unsigned os_processors(void)
{
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : (unsigned)n;
}
