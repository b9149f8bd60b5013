/*
 * failure.h - why work with files and servers failed: fills a tby_failure.
 *
 * Functions that fail this way return false and fill the failure of their caller or of their object.
 */
#ifndef TBY_SUPPORT_FAILURE_H
#define TBY_SUPPORT_FAILURE_H

#include "tabiya_value.h"

#include <stdarg.h>

/* Clears `f` and returns it. */
tby_failure *failure_clear(tby_failure *f);

/* Replaces an earlier failure. */
void failure_set_list(tby_failure *f, tby_status status, const char *format, va_list args);

/* All of these return false, and keep the first failure. Threads that share one need a lock. */
bool failure_keep(tby_failure *f, tby_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool failure_no_memory(tby_failure *f);
bool failure_interrupted(tby_failure *f);

/* The status for an errno. */
tby_status failure_of_errno(int number);

/* The return value of an API function. */
static inline tby_status failure_answer(const tby_failure *f, bool is_good)
{
    return is_good ? TBY_OK : f->status != TBY_OK ? f->status : TBY_IO_ERROR;
}

#endif
