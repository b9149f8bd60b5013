/*
 * clock_windows.c - the performance counter of Windows.
 */
#include "os/clock.h"
#include "os/windows.h"

int64_t clock_nanoseconds(void)
{
    LARGE_INTEGER now, per_second;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&per_second);
    const int64_t whole = now.QuadPart / per_second.QuadPart, rest = now.QuadPart % per_second.QuadPart;
    return whole * 1000000000 + rest * 1000000000 / per_second.QuadPart;
}
