/*
 * threads_windows.c - threads of Windows: slim locks, condition variables and the C runtime's threads.
 */
#include "os/threads.h"
#include "os/windows.h"

#include <process.h>
#include <stdlib.h>

_Static_assert(sizeof(os_mutex) == sizeof(SRWLOCK) && sizeof(os_condition) == sizeof(CONDITION_VARIABLE) &&
                   sizeof(os_once) == sizeof(INIT_ONCE),
               "the system's types are one pointer");

static SRWLOCK *lock_of(os_mutex *m) { return (SRWLOCK *)(void *)m; }
static CONDITION_VARIABLE *variable_of(os_condition *c) { return (CONDITION_VARIABLE *)(void *)c; }

void os_mutex_lock(os_mutex *m) { AcquireSRWLockExclusive(lock_of(m)); }
void os_mutex_unlock(os_mutex *m) { ReleaseSRWLockExclusive(lock_of(m)); }
void os_condition_signal(os_condition *c) { WakeConditionVariable(variable_of(c)); }
void os_condition_broadcast(os_condition *c) { WakeAllConditionVariable(variable_of(c)); }

void os_condition_wait(os_condition *c, os_mutex *m)
{
    SleepConditionVariableSRW(variable_of(c), lock_of(m), INFINITE, 0);
}

void os_condition_wait_for(os_condition *c, os_mutex *m, unsigned milliseconds)
{
    SleepConditionVariableSRW(variable_of(c), lock_of(m), milliseconds, 0);
}

static BOOL CALLBACK call_it(INIT_ONCE *once, void *call, void **context)
{
    (void)once;
    (void)context;
    (*(void (**)(void))call)();
    return TRUE;
}

void os_once_call(os_once *once, void (*call)(void))
{
    InitOnceExecuteOnce((INIT_ONCE *)(void *)once, call_it, &call, NULL);
}

typedef struct start {
    void *(*work)(void *);
    void *context;
} start;

static unsigned __stdcall begin(void *context)
{
    const start s = *(start *)context;
    free(context);
    s.work(s.context);
    return 0;
}

bool os_thread_start(os_thread *out, void *(*work)(void *), void *context)
{
    start *s = malloc(sizeof *s);
    if (!s)
        return false;
    *s = (start){work, context};
    out->handle = (void *)_beginthreadex(NULL, 0, begin, s, 0, NULL);
    if (!out->handle)
        free(s);
    return out->handle != NULL;
}

void os_thread_join(os_thread thread)
{
    WaitForSingleObject(thread.handle, INFINITE);
    CloseHandle(thread.handle);
}

unsigned os_processors(void)
{
    const DWORD n = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
    return n < 1 ? 1 : (unsigned)n;
}
