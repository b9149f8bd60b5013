/*
 * failure.c - why work on a tree failed, as a status and a sentence.
 */
#include "tree/failure.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

tree_failure tree_failure_begin(char error[TBY_TREE_ERROR_SIZE])
{
    error[0] = '\0';
    return (tree_failure){TBY_OK, error};
}

static void keep(tree_failure *f, tby_status status, const char *format, va_list args)
{
    if (f->status != TBY_OK)
        return;
    f->status = status;
    vsnprintf(f->text, TBY_TREE_ERROR_SIZE, format, args);
}

bool tree_fail(tree_failure *f, tby_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    keep(f, status, format, args);
    va_end(args);
    return false;
}

bool tree_fail_fault(tree_failure *f, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    keep(f, TBY_INVALID_TREE, format, args);
    va_end(args);
    return false;
}

bool tree_fail_memory(tree_failure *f) { return tree_fail(f, TBY_NO_MEMORY, "out of memory"); }

bool tree_fail_interrupted(tree_failure *f) { return tree_fail(f, TBY_INTERRUPTED, "interrupted"); }

tby_status tree_status_of(int number)
{
    return number == ENOMEM ? TBY_NO_MEMORY : number == ENOENT ? TBY_NOT_FOUND : TBY_IO_ERROR;
}
