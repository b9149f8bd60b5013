/*
 * refuse.h - how the readers and writers of notations report errors.
 */
#ifndef TBY_NOTATION_REFUSE_H
#define TBY_NOTATION_REFUSE_H

#include "tabiya.h"

/* `a` and `b` are the numbers for up to two %d in `detail`. */
static inline tby_status refuse_with(tby_error *err, tby_status status, size_t offset, const char *detail, int a, int b)
{
    if (err)
        *err = (tby_error){status, {a, b}, offset, detail};
    return status;
}

static inline tby_status refuse(tby_error *err, tby_status status, size_t offset, const char *detail)
{
    return refuse_with(err, status, offset, detail, 0, 0);
}

/* A writer that refuses leaves the text empty. */
static inline size_t refuse_text(char *buf, size_t cap)
{
    if (cap > 0)
        buf[0] = '\0';
    return 0;
}

/* A writer reports errors only in `err`, because 0 is also the length of an empty move text. */
static inline void refuse_nothing(tby_error *err)
{
    if (err)
        *err = (tby_error){TBY_OK, {0, 0}, 0, NULL};
}

#endif
