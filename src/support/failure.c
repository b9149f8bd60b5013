/*
 * failure.c - why work with files and servers failed: fills a tby_failure.
 */
#include "support/failure.h"

#include <errno.h>
#include <stdio.h>

tby_failure *failure_clear(tby_failure *f)
{
    f->status = TBY_OK;
    f->text[0] = '\0';
    return f;
}

void failure_set_list(tby_failure *f, tby_status status, const char *format, va_list args)
{
    f->status = status;
    vsnprintf(f->text, sizeof f->text, format, args);
}

bool failure_keep(tby_failure *f, tby_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (f->status == TBY_OK)
        failure_set_list(f, status, format, args);
    va_end(args);
    return false;
}

bool failure_no_memory(tby_failure *f) { return failure_keep(f, TBY_NO_MEMORY, "out of memory"); }

bool failure_interrupted(tby_failure *f) { return failure_keep(f, TBY_INTERRUPTED, "interrupted"); }

tby_status failure_of_errno(int number)
{
    return number == ENOMEM ? TBY_NO_MEMORY : number == ENOENT ? TBY_NOT_FOUND : TBY_IO_ERROR;
}
