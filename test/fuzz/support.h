/*
 * support.h - shared by the fuzz targets: an assertion that is active in every build, and bytes in memory.
 */
#ifndef FUZZ_SUPPORT_H
#define FUZZ_SUPPORT_H

#include <stdlib.h>
#include <string.h>

#include "tabiya_value.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void require(bool condition)
{
    if (!condition)
        abort();
}

typedef struct memory {
    char *s;
    size_t n, cap;
    size_t at;   /* where reading continues */
    size_t step; /* how many bytes one call returns at most; 0 = all */
} memory;

/* A tby_sink. */
static inline bool to_memory(void *context, const char *s, size_t n)
{
    memory *m = context;
    if (m->n + n > m->cap) {
        m->cap = 2 * (m->n + n);
        m->s = realloc(m->s, m->cap);
        require(m->s != NULL);
    }
    if (n > 0)
        memcpy(m->s + m->n, s, n);
    m->n += n;
    return true;
}

/* A tby_source. */
static inline size_t from_memory(void *context, char *buf, size_t cap)
{
    memory *m = context;
    const size_t left = m->n - m->at;
    size_t n = left < cap ? left : cap;
    n = m->step && m->step < n ? m->step : n;
    if (n > 0)
        memcpy(buf, m->s + m->at, n);
    m->at += n;
    return n;
}

#endif
